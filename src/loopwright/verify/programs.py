"""The program before and after, as its compiler sees it: what every claim is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from loopwright.basics.c_tokens import span_of, texts, tokens_of, words_in
from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.frontend.clang_library import ParsedFile, ReadOptions
from loopwright.frontend.compilers import CannotPreprocess
from loopwright.frontend.configurations import asked_variations
from loopwright.frontend.preprocessing import Unit, unit_of
from loopwright.frontend.reading import Question, answering_deep_nesting, read_unit
from loopwright.model.dependences import Dependences
from loopwright.model.proofs import Hint, Rewriting, Stretch
from loopwright.model.sameness import is_same_model
from loopwright.model.scop import Scop
from loopwright.verify.alignment import Alignment, aligned
from loopwright.verify.failure import NotProved
from loopwright.verify.read_back import Claim
from loopwright.verify.surroundings import Surroundings


@record(eq=False, slots=False)
class Original:
    """The original program as its compiler sees it, with these options, and what was asked of it.

    ``stretches`` are where its regions are in the source, if it does not mark them itself.
    """

    unit: Unit
    stretches: tuple[tuple[int, int], ...] | None
    options: ReadOptions
    question: Question

    @cached_property
    def scops(self) -> Sequence[Scop | Diagnostic]:
        """The models of its regions, or why one has none."""
        return read_unit(self.unit, self.options, self.question)

    @cached_property
    def surroundings(self) -> Surroundings:
        """What stands around the regions."""
        return Surroundings(self.unit)

    @cached_property
    def places(self) -> Sequence[tuple[str, int]]:
        """The files and lines that the regions begin on."""
        return [self.unit.line_at(start) for start, _ in self.unit.regions]

    def model_of(self, number: int) -> Scop:
        """The model of a region; :class:`NotProved` if there is none."""
        if number >= len(self.scops):
            raise NotProved("the program has no such region")
        scop = self.scops[number]
        if isinstance(scop, Diagnostic):
            what = f"to its compiler, it is another program: {scop.message}"
            raise NotProved(what, span=self.unit.told(scop.span))
        return scop

    def words(self, number: int) -> list[str]:
        """The tokens of a region."""
        return texts(tokens_of(self.unit.text, *self.unit.regions[number]))

    def require_replaceable(self, number: int) -> None:
        """Other loops may stand in the place of a region; its own pragmas would be lost."""
        scop = self.model_of(number)
        region = self.unit.regions[number]
        words = words_in(tokens_of(self.unit.text, *region))
        self.surroundings.require_harmless(region, words, changed_by(scop))
        for pragma in self.surroundings.pragmas_in(region):
            span = self.unit.told(span_of(pragma, self.unit.name))
            raise NotProved(f"{pragma.text} stands in it", span=span)

    def require_rewritten(self, new: Rewriting) -> Unit:
        """The program that a rewriting of the source makes of it."""
        old = self.stretches
        regions = None if old is None else [_moved(each, new.stretches) for each in old]
        after = unit_of(new.name, new.after, regions, self.options, file=self.unit.file)
        if len(after.regions) != len(self.unit.regions):
            raise NotProved("the new program has other regions")
        return after


def original_of(
    name: str,
    source: bytes,
    stretches: Sequence[tuple[int, int]],
    options: ReadOptions,
    question: Question,
) -> Original:
    """The original program, with these stretches as its regions unless it marks them itself."""
    own = tuple(stretches) if question.autodetect else None
    return Original(unit_of(name, source, own, options), own, options, question)


@record(eq=False)
class Programs:
    """Both programs; ``others`` are they once more, where other flags make other texts of them."""

    original: Original
    alignment: Alignment
    others: tuple[Programs, ...] = ()

    def claim(self, number: int, hint: Hint | None, *, reassociates: bool) -> Claim:
        """That a region is the same in both programs; :class:`NotProved` if it has no model."""
        original, both = self.original, self.alignment.rewriting
        scop = original.model_of(number)
        if number in self.alignment.changed:
            at, region = self.alignment.stretches[number], original.unit.regions[number]
            old = tokens_of(both.before, at.start, at.end)
            new = tokens_of(both.after, at.new_start, at.new_end)
            words = words_in((*old, *new))
            original.surroundings.require_harmless(region, words, changed_by(scop))
        others = [
            other.claim(at, known, reassociates=reassociates)
            for other in self.others
            for at, known in self._counterparts(other, number, hint)
        ]
        options, question = original.options, original.question
        return Claim(
            scop, self.alignment, number, hint, options, question, reassociates, tuple(others)
        )

    def _counterparts(
        self, other: Programs, number: int, hint: Hint | None
    ) -> Iterator[tuple[int, Hint | None]]:
        """What a region is with other flags; regions that are only there belong to each."""
        places = self.original.places
        for at, place in enumerate(other.original.places):
            if place not in places and at in other.alignment.changed:
                yield at, None
            elif place == places[number]:
                yield at, hint if self._is_same_text(other, number, at) else None

    def _is_same_text(self, other: Programs, number: int, at: int) -> bool:
        return self.original.words(number) == other.original.words(at) and texts(
            self.alignment.new_tokens(number)
        ) == texts(other.alignment.new_tokens(at))

    def require_rest(self, numbers: Iterable[int]) -> None:
        """All regions but these must consist of the same tokens in both programs."""
        known = set(numbers)
        if any(number not in known for number in self.alignment.changed):
            raise NotProved("a region has changed of which nothing is said")
        places = self.original.places
        unknown = {each for at, each in enumerate(places) if at not in known}
        for other in self.others:
            if any(other.original.places[each] in unknown for each in other.alignment.changed):
                raise NotProved("with other flags, a region has changed of which nothing is said")


Seeing = Callable[[ReadOptions], tuple[Original, Unit]]
"""How to see both programs with other options."""


def both_programs(see: Seeing, options: ReadOptions) -> Programs:
    """Both programs with these options, and with others if that makes a difference."""
    original, after = see(options)
    others = [
        found
        for each in asked_variations((original.unit, after), options)
        if (found := _otherwise(see, each, original.unit, after)) is not None
    ]
    return Programs(original, aligned(original.unit, after), tuple(others))


def _otherwise(see: Seeing, options: ReadOptions, before: Unit, after: Unit) -> Programs | None:
    """Both programs with other options, unless they are the same text there."""
    flags = " ".join(options.compiler.flags)
    try:
        original, new = see(options)
        if original.unit.is_like(before) and new.is_like(after):
            return None
        return Programs(original, aligned(original.unit, new))
    except CannotPreprocess as problem:
        if not is_program(before, options):
            return None
        raise NotProved(f"with {flags}, {problem.reason}") from None
    except NotProved as failure:
        raise NotProved(f"with {flags}, {failure.reason}", failure.witness, failure.span) from None


def is_program(unit: Unit, options: ReadOptions) -> bool:
    """Does the compiler take the source with these options?  It may ask for others by #error."""
    try:
        unit_of(unit.name, unit.sources[0], None, options)
    except CannotPreprocess:
        return False
    return True


def readable_unit(name: str, source: bytes, options: ReadOptions, file: str) -> Unit:
    """A new program that is to take the place of a file; what is no C is an :class:`InputError`."""
    try:
        unit = unit_of(name, source, None, options, file=file)
    except CannotPreprocess as problem:
        ParsedFile(name, source, options)  # says where it is wrong, if it is
        raise NotProved(f"a compiler does not take {name}: {problem.reason}") from None
    try:
        with answering_deep_nesting(name):
            ParsedFile(name, unit.text, options, unit)
    except InputError as error:
        told = [replace(each, span=unit.told(each.span)) for each in error.diagnostics]
        raise InputError(*told) from None
    return unit


def claims_about(
    name: str,
    new: Rewriting,
    numbers: Sequence[int],
    hints: Sequence[Hint | None],
    options: ReadOptions,
    question: Question,
    *,
    reassociates: bool = False,
) -> list[Claim]:
    """That the regions of these numbers are the same in a source with other stretches.

    The original is called ``name``.  Raises :class:`NotProved` where one of the programs cannot
    be seen, or differs elsewhere.
    """
    stretches = [(each.start, each.end) for each in new.stretches]

    def see(options: ReadOptions) -> tuple[Original, Unit]:
        original = original_of(name, new.before, stretches, options, question)
        return original, original.require_rewritten(new)

    try:
        programs = both_programs(see, options)
    except CannotPreprocess as problem:
        raise NotProved(f"a compiler does not take the program: {problem.reason}") from None
    programs.require_rest(numbers)
    return [
        programs.claim(number, hint, reassociates=reassociates)
        for number, hint in zip(numbers, hints, strict=True)
    ]


def changed_by(scop: Scop) -> frozenset[str]:
    """The variables that a region changes, its iterators among them."""
    arrays = {
        access.array
        for statement in scop.statements
        for access in statement.accesses
        if access.writes
    }
    variables = {each.variable for each in scop.arrays if each.name in arrays}
    return frozenset(variables | {each.iterator for each in scop.loops})


def _moved(region: tuple[int, int], stretches: Sequence[Stretch]) -> tuple[int, int]:
    """Where a region of the source is in the new one."""
    shift = 0
    for each in stretches:
        if each.start <= region[0] and region[1] <= each.end:
            return each.new_start, each.new_end
        if each.end <= region[0]:
            shift = each.new_end - each.end
    return region[0] + shift, region[1] + shift


def known_of(compiled: Scop, scop: Scop, found: Dependences | None) -> Dependences | None:
    """The dependences of a region as its compiler sees it, if they are those of its source."""
    if found is None or found.scop is not scop or not is_same_model(compiled, scop):
        return None
    return replace(found, scop=compiled)
