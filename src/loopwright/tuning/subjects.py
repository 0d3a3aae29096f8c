"""What is run in two versions and compared: a function that is called, or a whole program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Protocol

from loopwright.basics.diagnostics import InputError
from loopwright.basics.records import record
from loopwright.frontend.clang_library import ParsedFile, ReadOptions
from loopwright.model.scop import Scop
from loopwright.tuning.calls import call_of
from loopwright.tuning.cases import Case, cases_of
from loopwright.tuning.comparison import Unlike, differences
from loopwright.tuning.driven import Driven, suffix_of
from loopwright.tuning.faults import Fault
from loopwright.tuning.harness import POSITIVE, RESULT, memories
from loopwright.tuning.sizes import parameter_names, shape_in_regions
from loopwright.tuning.toolchain import CannotRun, Ending, Limits, Toolchain, ending_of
from loopwright.tuning.writers import Place, Version, subscripts_of, version_of

MOST_BYTES = 16 * 2**20
MOST_DEAD = 100
"""Differences that nobody needs, before the others are given up."""


@record
class Outcome:
    """How a run ended, what the driver told, and all that it left behind if it got to its end."""

    ending: Ending
    seconds: float
    told: tuple[str, ...] = ()
    contents: bytes | None = None


@record
class Difference:
    """What differs, and which instances that comes from, if that is known."""

    element: str
    before: str
    after: str
    original: str = ""
    transformed: str = ""


class Subject(Protocol):
    """Something that can be compiled and run in two versions."""

    name: str

    def cases(self) -> list[Case]:
        """The cases in which it is run, or :class:`CannotRun`."""
        ...

    def compiled(self, content: bytes, stem: str, *flags: str) -> Path:
        """A program of one version."""
        ...

    def outcome(
        self, program: Path, case: Case, limits: Limits, environment: Mapping[str, str]
    ) -> Outcome:
        """What a run leaves behind."""
        ...

    def difference(self, case: Case, before: Outcome, after: Outcome) -> Difference | None:
        """What differs after two runs that ended by themselves, the first one properly."""
        ...

    def missed(self, case: Case, fault: Fault, after: Outcome) -> str:
        """The element that the new program took for one of an array."""
        ...


@record(eq=False)
class Versions:
    """A file before and after, how it is read, and the models of both where there are any."""

    name: str
    original: bytes
    transformed: bytes
    options: ReadOptions
    scops: tuple[tuple[Scop, Scop | None], ...]
    is_exact: bool
    """Or may results differ in their rounding?"""


class CalledFunction:
    """A function that a driver calls."""

    def __init__(
        self,
        versions: Versions,
        function: str,
        toolchain: Toolchain,
        folder: Path,
        suggested: Sequence[Mapping[str, int]],
    ) -> None:
        """Raises :class:`CannotRun` where nobody can make up its arguments."""
        self.versions = versions
        self.name = function
        self.suggested = suggested
        pairs = [each for each in versions.scops if each[0].function == function]
        self.scops, self.new_scops = [old for old, _ in pairs], [new for _, new in pairs]
        self.parsed = ParsedFile(versions.name, versions.original, versions.options)
        self.call = call_of(self.parsed, function, self.scops)
        parameter_names(self.call)
        self.driven = Driven(self.call, toolchain, folder, suffix_of(versions.options))

    def cases(self) -> list[Case]:
        """Small sizes, with data of all kinds."""
        versions = self.versions
        texts = (versions.original, versions.transformed)
        known = list(cases_of(self.call, texts, self.suggested, is_exact=versions.is_exact))
        refusal = "it is not known for which sizes it can be"
        fitting: list[Case] = []
        for each in known:
            try:
                fitting += [each] if self.driven.bytes_for(each.values) <= MOST_BYTES else []
            except CannotRun as problem:
                refusal = problem.reason
        if not fitting:
            raise CannotRun(refusal)
        return fitting

    def compiled(self, content: bytes, stem: str, *flags: str) -> Path:
        """A program of one version."""
        return self.driven.compiled(content, stem, *flags)

    def outcome(
        self, program: Path, case: Case, limits: Limits, environment: Mapping[str, str]
    ) -> Outcome:
        """What a run leaves behind."""
        driven = self.driven
        command = driven.command(program, case.values, keeps_arrays=True, data=case.data)
        ending = ending_of(command, limits, driven.folder, environment)
        told = driven.told()
        if ending.status != 0 or not driven.is_complete(told):
            return Outcome(ending, ending.seconds, tuple(told))
        seconds = next(float(line.split()[1]) for line in told if line.startswith("time "))
        return Outcome(ending, seconds, tuple(told), driven.contents())

    # --- what differs ---------------------------------------------------------------------------

    def difference(self, case: Case, before: Outcome, after: Outcome) -> Difference | None:
        """The first element that differs and that somebody may need."""
        if after.contents is None:
            return self._early_end(after)
        assert before.contents is not None
        if len(before.contents) != len(after.contents):
            raise CannotRun("its global arrays do not have the sizes that they had")
        found = differences(
            self.driven.stored(before.told),
            before.contents,
            after.contents,
            is_exact=self.versions.is_exact,
            near_zero=1.0,
        )
        for each in islice(found, MOST_DEAD):
            place = self._place(self._old, each, case)
            if place is None or not self._old.is_dead(place):
                return self._told(each, case)
        return None

    def _early_end(self, after: Outcome) -> Difference | None:
        """The new program has ended before its function returned."""
        if not memories(self.call, after.told) or after.ending.complaint.startswith("libgomp"):
            return None
        return Difference(self.name, "done", f"left with exit status {after.ending.status}")

    def _told(self, unlike: Unlike, case: Case) -> Difference:
        element = self._element(unlike.array, unlike.index, case)
        writers = [self._writer(each, unlike, case) for each in (self._old, self._new)]
        return Difference(element, unlike.before, unlike.now, *writers)

    def _writer(self, version: Version | None, unlike: Unlike, case: Case) -> str:
        place = self._place(version, unlike, case) if version is not None else None
        return version.last_writer(place) if version is not None and place is not None else ""

    @cached_property
    def _old(self) -> Version:
        version = version_of(self.parsed, self.name, self.scops)
        assert version is not None, "call_of has read the function"
        return version

    @cached_property
    def _new(self) -> Version | None:
        versions = self.versions
        try:
            parsed = ParsedFile(versions.name, versions.transformed, versions.options)
            return version_of(parsed, self.name, self.new_scops)
        except InputError:
            return None

    def _place(self, version: Version, unlike: Unlike, case: Case) -> Place | None:
        """The element for the models; what is returned is a variable of the version."""
        if unlike.array == RESULT:
            variable = version.returned()
            return Place(variable, 0, case.values) if variable is not None else None
        return Place(unlike.array, unlike.index // self._parts(unlike.array), case.values)

    def _parts(self, name: str) -> int:
        return next((each.parts for each in self.call.arrays if each.name == name), 1)

    def _element(self, name: str, index: int, case: Case) -> str:
        """An element as the source writes it."""
        array = next((each for each in self.call.arrays if each.name == name), None)
        if array is None:
            return name
        index, part = divmod(index, array.parts)
        which = ("the real part of ", "the imaginary part of ")[part] if array.parts == 2 else ""
        shape = shape_in_regions(self.call, name, case.values)
        extents = shape.extents if shape is not None else ()
        if array.rank == 1:
            extents = (1,)
        if len(extents) != array.rank:
            return f"{which}element {index} of {name}"
        subscripts = "".join(f"[{each}]" for each in subscripts_of(index, extents))
        return f"{which}{name}{subscripts}"

    def missed(self, case: Case, fault: Fault, after: Outcome) -> str:
        """The element that the new program took for one of an array."""
        for each in memories(self.call, after.told):
            if fault.address is not None and each.address == fault.base:
                index = (fault.address - each.address) // each.size
                return self._element(each.name, index, case)
        return fault.variable or f"memory outside the arrays of {self.name}"


class WholeProgram:
    """A program that has its own ``main``: what it prints is all that there is to see."""

    name = "the program"

    def __init__(self, versions: Versions, toolchain: Toolchain, folder: Path) -> None:
        """It is run without arguments and without input."""
        self.versions = versions
        self.toolchain = toolchain
        self.folder = folder

    def cases(self) -> list[Case]:
        """The only one."""
        return [Case({}, POSITIVE)]

    def compiled(self, content: bytes, stem: str, *flags: str) -> Path:
        """One version."""
        source = self.folder / f"main-{stem}{suffix_of(self.versions.options)}"
        source.write_bytes(content)
        self.toolchain.compile(source, source.with_suffix(""), *flags)
        return source.with_suffix("")

    def outcome(
        self, program: Path, case: Case, limits: Limits, environment: Mapping[str, str]
    ) -> Outcome:
        """How it ends, whatever its exit status is."""
        ending = ending_of([str(program)], limits, self.folder, environment)
        is_done = ending.status is not None and ending.status >= 0
        return Outcome(ending, ending.seconds, (), b"" if is_done else None)

    def difference(self, case: Case, before: Outcome, after: Outcome) -> Difference | None:
        """Nothing but the exit status is left to compare."""
        first, second = before.ending.status, after.ending.status
        return Difference("the exit status", str(first), str(second)) if first != second else None

    def missed(self, case: Case, fault: Fault, after: Outcome) -> str:
        """What the report names."""
        return fault.variable or "memory outside all arrays"
