"""What was found about the versions of a function when it was tuned, in plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from statistics import median
from typing import Literal

from loopwright.basics.records import record

Shape = str | tuple["Shape", ...]
"""A fusion structure: the name of a statement, or a loop around its parts.

What is not inside anything is no loop: the parts of the outermost tuple run one after the other.
"""
Status = Literal["ok", "same", "refused", "wrong", "failed"]
"""Done; the text of another version; no such version; other results from a version that was proved;
or it was compiled or run in vain."""


@record
class TunedVersion:
    """A version that was tried: what it is, what became of it, and how fast it was."""

    key: str
    label: str
    status: Status
    reason: str = ""
    times: tuple[float, ...] = ()
    gain: float | None = None
    """How many times as fast as the original it is."""
    over_optimize: float | None = None
    """The same for what ``loopwright optimize`` makes."""
    structures: tuple[Shape, ...] = ()
    """For each region, which statements share which loops; nothing where that is not known."""
    text: str | None = None

    @property
    def is_timed(self) -> bool:
        """Is it known how fast it is?"""
        return self.status == "ok" and bool(self.times)

    @property
    def seconds(self) -> float:
        """The best of its times."""
        return min(self.times)

    @property
    def spread(self) -> float:
        """By what part of the best time the median exceeds it.

        >>> TunedVersion("a", "a", "ok", times=(2.0, 2.5, 4.0)).spread
        0.25
        """
        return median(self.times) / self.seconds - 1 if self.seconds else 0.0


@record
class TunedFunction:
    """A function, where and for which sizes it was tuned, and all its versions.

    ``original``, ``optimize`` and ``best`` are keys of versions; the compiler is told with its
    flags, and ``compile_with`` is the command for the best version.
    """

    function: str
    file: str
    lines: tuple[int, int]
    sizes: Mapping[str, int]
    machine: str
    compiler: str
    threads: int
    begun: str
    versions: tuple[TunedVersion, ...]
    original: str
    optimize: str
    best: str
    original_text: str
    best_text: str
    compile_with: str

    def version(self, key: str) -> TunedVersion | None:
        """The version of a key."""
        return next((each for each in self.versions if each.key == key), None)

    @property
    def timed(self) -> tuple[TunedVersion, ...]:
        """The versions whose times are known, the fastest first."""
        found = (each for each in self.versions if each.is_timed)
        return tuple(sorted(found, key=lambda each: (-(each.gain or 0.0), each.seconds)))

    def with_status(self, *wanted: Status) -> tuple[TunedVersion, ...]:
        """The versions of which that became, in the order in which they were tried."""
        return tuple(each for each in self.versions if each.status in wanted)

    @property
    def untimed(self) -> tuple[TunedVersion, ...]:
        """The versions that nothing stands against, but whose turn did not come."""
        return tuple(each for each in self.with_status("ok") if not each.times)


@record
class TuningRun:
    """A run of the tuner that the store knows, in a line."""

    number: int
    function: str
    file: str
    sizes: Mapping[str, int]
    begun: str
    is_ended: bool
    best: str = ""
    """The label of the best version, once there is one."""
    gain: float | None = None
    over_optimize: float | None = None


# --- structures -----------------------------------------------------------------------------------


@record
class Structure:
    """A fusion structure and the versions that have it, the fastest first.

    The number is its place between maximal fusion, which is 1, and maximal distribution.
    """

    number: int
    shapes: tuple[Shape, ...]
    versions: tuple[TunedVersion, ...]

    @property
    def best(self) -> TunedVersion:
        """The fastest version."""
        return self.versions[0]


def structures_of(function: TunedFunction) -> tuple[Structure, ...]:
    """The structures of the versions whose times are known, from fusion to distribution."""
    groups: dict[tuple[Shape, ...], list[TunedVersion]] = {}
    for each in function.timed:
        if each.structures:
            groups.setdefault(each.structures, []).append(each)
    ordered = sorted(groups, key=lambda shapes: (loop_counts(shapes), str(shapes)))
    return tuple(
        Structure(number, shapes, tuple(groups[shapes])) for number, shapes in enumerate(ordered, 1)
    )


def loop_counts(shapes: tuple[Shape, ...]) -> tuple[int, ...]:
    """How many loops there are at each depth, the outermost first; the fewer, the more is fused.

    >>> fused, apart = ((("R", "S"),),), ((("R",), ("S",)),)
    >>> loop_counts(fused), loop_counts(apart), loop_counts((((("R",), "S"), "T"),))
    ((1,), (2,), (1, 1))
    """
    counts = Counter(depth for shape in shapes for part in shape for depth in _depths(part, 1))
    return tuple(counts[depth] for depth in sorted(counts))


def _depths(shape: Shape, depth: int) -> Iterator[int]:
    """The depth of each loop."""
    if not isinstance(shape, str):
        yield depth
        for part in shape:
            yield from _depths(part, depth + 1)


def shape_text(shape: Shape) -> str:
    """A structure in a line; a bracket is a loop.

    >>> shape_text(((("S0",), "S1"), ("S2",), "S3"))
    '[[S0] S1] [S2] S3'
    """
    return " ".join(_part_text(part) for part in shape)


def _part_text(part: Shape) -> str:
    return part if isinstance(part, str) else f"[{' '.join(map(_part_text, part))}]"


def shapes_text(shapes: tuple[Shape, ...]) -> str:
    """The structures of all regions in a line.

    >>> shapes_text(((("S0",),), (("S0", "S1"),)))
    '[S0] | [S0 S1]'
    """
    return " | ".join(map(shape_text, shapes))
