"""The proofs of one program: what its compiler sees of it, read once for all attempts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from loopwright.basics.records import record
from loopwright.emit.files import region_end
from loopwright.emit.locals import identifiers_in
from loopwright.emit.refusal import CannotEmit
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.compilers import CannotPreprocess
from loopwright.frontend.configurations import asked_variations
from loopwright.frontend.preprocessing import Unit, unit_of
from loopwright.frontend.reading import Question
from loopwright.model.dependences import Dependences
from loopwright.model.proofs import Hint, Rewriting, Unknown, Verdict
from loopwright.model.scop import Scop
from loopwright.verify.alignment import asks_for_lines
from loopwright.verify.failure import NotProved
from loopwright.verify.programs import (
    Original,
    Programs,
    both_programs,
    is_program,
    known_of,
    original_of,
)
from loopwright.verify.read_back import read_back


@record
class Source:
    """A program: its text, how to read it, and what was asked of it."""

    name: str
    content: bytes
    options: ReadOptions
    question: Question


class Prover:
    """Proves new texts of the regions of a program.

    ``obstacles`` are why some regions cannot have any, by their numbers, and where that is.
    """

    def __init__(self, source: Source, scops: Sequence[Scop], numbers: Sequence[int]) -> None:
        self.source = source
        self.scops = scops
        self.obstacles: dict[int, Unknown] = {}
        self._numbers = dict(enumerate(numbers))
        self._seen: dict[ReadOptions, Original] = {}
        self._last: tuple[Rewriting, Programs | Unknown] | None = None
        self.original: Original | None = self._original()
        if self.original is not None:
            self._note_obstacles(self.original)

    def _original(self) -> Original | None:
        options = self.source.options
        stretches = self._stretches()
        try:
            found = self._marked(stretches, options)
        except CannotPreprocess:
            stretches = {at: each for at, each in stretches.items() if self._can_mark(at, each)}
            try:
                found = self._marked(stretches, options)
            except CannotPreprocess as problem:
                reason = Unknown(problem.reason)
                self.obstacles |= dict.fromkeys(range(len(self.scops)), reason)
                return None
        if self.source.question.autodetect:
            self._numbers = {at: number for number, at in enumerate(stretches)}
        self._seen[options] = found
        return found

    def _note_obstacles(self, original: Original) -> None:
        others = asked_variations([original.unit], self.source.options)
        for at, number in self._numbers.items():
            try:
                original.require_replaceable(number)
                for each in others:
                    self._require_same_text(original, number, each)
            except NotProved as failure:
                self.obstacles[at] = Unknown(failure.reason, span=failure.span)

    def _require_same_text(self, original: Original, number: int, options: ReadOptions) -> None:
        """Nobody writes one text for several programs."""
        flags = " ".join(options.compiler.flags)
        try:
            other = self._with(options)
        except CannotPreprocess as problem:
            if is_program(original.unit, options):
                raise NotProved(f"with {flags}, {problem.reason}") from None
            return
        place, words = original.places[number], original.words(number)
        here = [at for at, each in enumerate(other.places) if each == place]
        if here and all(other.words(at) != words for at in here):
            raise NotProved(f"with {flags}, it is another text")

    def _with(self, options: ReadOptions) -> Original:
        """The original with other options."""
        if options not in self._seen:
            assert self.original is not None
            stretches = dict(enumerate(self.original.stretches or ()))
            try:
                self._seen[options] = self._marked(stretches, options)
            except CannotPreprocess:
                there = {
                    at: each for at, each in stretches.items() if self._is_there(each, options)
                }
                self._seen[options] = self._marked(there, options)
        return self._seen[options]

    def _is_there(self, stretch: tuple[int, int], options: ReadOptions) -> bool:
        """Is a region part of the program with these options?"""
        try:
            self._marked({0: stretch}, options)
        except CannotPreprocess:
            return False
        return True

    def _marked(self, stretches: Mapping[int, tuple[int, int]], options: ReadOptions) -> Original:
        source = self.source
        regions = list(stretches.values())
        return original_of(source.name, source.content, regions, options, source.question)

    def _stretches(self) -> dict[int, tuple[int, int]]:
        found: dict[int, tuple[int, int]] = {}
        is_marked = not self.source.question.autodetect
        for at, scop in enumerate(self.scops):
            try:
                end = region_end(self.source.content, scop, is_marked=is_marked)
            except CannotEmit as refusal:
                self.obstacles[at] = Unknown(refusal.reason, span=refusal.span)
            else:
                found[at] = scop.span.start, end
        return found

    def _can_mark(self, at: int, stretch: tuple[int, int]) -> bool:
        try:
            self._marked({at: stretch}, self.source.options)
        except CannotPreprocess as problem:
            self.obstacles[at] = Unknown(problem.reason)
            return False
        return True

    def refusal(self, content: bytes) -> str:
        """Why the compiler does not take a new program although it takes the original, if so."""
        source, compiler = self.source, self.source.options.compiler
        if not compiler.is_there or content == source.content:
            return ""
        flags = (*source.options.flags(), "-x", source.options.language)
        folder = Path(source.name).parent
        try:
            compiler.require_valid(content, folder, flags)
        except CannotPreprocess as problem:
            try:
                compiler.require_valid(source.content, folder, flags)
            except CannotPreprocess:
                return ""
            return problem.reason
        return ""

    @property
    def macros(self) -> frozenset[str]:
        """All macros that there are somewhere in the program, to its compiler."""
        return frozenset() if self.original is None else self.original.unit.macros

    @cached_property
    def lines_matter(self) -> bool:
        """Would the program be another one if a region had more lines?"""
        if self.original is None or not self._stretches():
            return False
        source, unit = self.source, self.original.unit
        if asks_for_lines(unit.own_tokens):
            return True
        if not unit.names_lines:
            return False
        first = min(start for start, _ in self._stretches().values())
        longer = source.content[:first] + b"\n" + source.content[first:]
        return not unit.is_like(unit_of(source.name, longer, None, source.options))

    @cached_property
    def names(self) -> frozenset[str]:
        """All names that mean something somewhere in the program, to its compiler."""
        if self.original is None:
            return frozenset()
        unit = self.original.unit
        return unit.macros | identifiers_in(unit.text.decode(errors="replace"))

    def verdict(
        self,
        at: int,
        new: Rewriting,
        hint: Hint,
        found: Dependences | None,
        *,
        reassociates: bool,
        operations: int | None,
    ) -> Verdict:
        """Is the new text of a region the same program?"""
        if at in self.obstacles or self.original is None:
            return self.obstacles[at]
        programs = self._programs(new)
        if isinstance(programs, Unknown):
            return programs
        try:
            claim = programs.claim(self._numbers[at], hint, reassociates=reassociates)
        except NotProved as failure:
            return Unknown(failure.reason, failure.witness, failure.span)
        return read_back(claim, known_of(claim.original, self.scops[at], found), operations)

    def problem(self, new: Rewriting) -> Unknown | None:
        """Why the new program cannot be compared with the original, whatever its regions are."""
        found = None if self.original is None else self._programs(new)
        return found if isinstance(found, Unknown) else None

    def _programs(self, new: Rewriting) -> Programs | Unknown:
        """Both programs, for a rewriting of the source."""
        if self._last is None or not _is_same(self._last[0], new):
            self._last = new, self._rewritten(new)
        return self._last[1]

    def _rewritten(self, new: Rewriting) -> Programs | Unknown:
        def see(options: ReadOptions) -> tuple[Original, Unit]:
            original = self._with(options)
            return original, original.require_rewritten(new)

        try:
            return both_programs(see, self.source.options)
        except CannotPreprocess as problem:
            return Unknown(f"its compiler does not take the new program: {problem.reason}")
        except NotProved as failure:
            return Unknown(failure.reason, failure.witness, failure.span)


def _is_same(one: Rewriting, other: Rewriting) -> bool:
    return one is other or (one.after == other.after and one.stretches == other.stretches)
