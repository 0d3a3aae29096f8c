"""The operations that people reach for, as scripts of the four (Loopy §2, §3.1).

Loops are counted from 1, the outermost first, and so are the iterators ``i1``, ``i2``, .. below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from loopwright.basics.records import record
from loopwright.script.operations import NotPossible

LARGEST = 2**31


@record
class Arguments:
    """The arguments of an operation: names of components, numbers, and how deep they are.

    ``depths`` are the numbers of loops around each of the components.
    """

    components: tuple[str, ...]
    depths: tuple[int, ...]
    numbers: tuple[int, ...]

    @property
    def name(self) -> str:
        """The first component."""
        return self.components[0]

    def level(self, at: int) -> int:
        """A number that counts a loop."""
        level, depth = self.numbers[at], self.depths[0]
        if not 1 <= level <= depth:
            raise NotPossible(f"there is no loop number {level}", _loops(depth))
        return level

    def size(self, at: int) -> int:
        """A number that is a size."""
        size = self.numbers[at]
        if not 1 <= size < LARGEST:
            raise NotPossible(f"{size} is no size", "a size is a positive number")
        return size


def _loops(depth: int) -> str:
    if depth == 0:
        return "no loop is around the component"
    return f"loops are counted from 1, the outermost, to {depth}"


@record
class Operation:
    """How often it takes what, what it does, and the script that does it."""

    components: int
    numbers: tuple[int, int | None]
    """At least, and at most, if there is a limit."""
    usage: str
    script: Callable[[Arguments], str]


def _names(count: int) -> list[str]:
    return [f"i{at + 1}" for at in range(count)]


def _affine(component: str, old: Sequence[str], new: Sequence[str]) -> str:
    return f"affine({component}, {{[{','.join(old)}] -> [{','.join(new)}]}})"


def _interchange(given: Arguments) -> str:
    first, second = given.level(0), given.level(1)
    old = _names(max(first, second))
    new = list(old)
    new[first - 1], new[second - 1] = old[second - 1], old[first - 1]
    return _affine(given.name, old, new)


def _reverse(given: Arguments) -> str:
    old = _names(given.level(0))
    return _affine(given.name, old, [*old[:-1], f"-{old[-1]}"])


def _skew(given: Arguments) -> str:
    moved, by = given.level(0), given.level(1)
    factor = given.numbers[2] if len(given.numbers) > 2 else 1
    if moved == by:
        raise NotPossible("a loop cannot be skewed by itself")
    old = _names(max(moved, by))
    new = list(old)
    new[moved - 1] = f"{old[moved - 1]} + {factor}*{old[by - 1]}"
    return _affine(given.name, old, new)


def _shift(given: Arguments) -> str:
    old = _names(given.level(0))
    return _affine(given.name, old, [*old[:-1], f"{old[-1]} + {given.numbers[1]}"])


def _tile(given: Arguments) -> str:
    sizes = [given.size(at) for at in range(len(given.numbers))]
    if len(sizes) > given.depths[0]:
        raise NotPossible(f"{len(sizes)} sizes are too many", _loops(given.depths[0]))
    old = _names(len(sizes))
    tiled = [(name, size) for name, size in zip(old, sizes, strict=True) if size > 1]
    outer = [f"{name}/{size}" if size > 1 else name for name, size in zip(old, sizes, strict=True)]
    return _affine(given.name, old, [*outer, *(f"{name}%{size}" for name, size in tiled)])


def _stripmine(given: Arguments) -> str:
    old, size = _names(given.level(0)), given.size(1)
    return _affine(given.name, old, [*old[:-1], f"{old[-1]}/{size}", f"{old[-1]}%{size}"])


def _realign(given: Arguments) -> str:
    shared = given.numbers[0] if given.numbers else min(given.depths)
    return f"realign({', '.join(given.components)}, {shared})"


def _distribute(given: Arguments) -> str:
    shared = given.numbers[0] if given.numbers else 0
    return f"realign({', '.join(given.components)}, {shared})"


def _split(given: Arguments) -> str:
    names = _names(given.level(0))
    condition = f"{{[{','.join(names)}] : {names[-1]} < {given.numbers[1]}}}"
    split = f"(first, rest) = isplit({given.name}, {condition}, {len(names) - 1})"
    return f"{split}\nreturn (first, rest)"


def _unroll(given: Arguments) -> str:
    level = given.level(0)
    if len(given.numbers) == 1:
        return f'mark({given.name}, {level}, "unroll")'
    factor = given.size(1)
    mark = f'mark({given.name}, {level + 1}, "unroll")'
    return f"stripmine({given.name}, {level}, {factor})\n{mark}"


def _unroll_and_jam(given: Arguments) -> str:
    level, factor, depth = given.level(0), given.size(1), given.depths[0]
    old = _names(depth)
    new = [f"{each}/{factor}" if at == level - 1 else each for at, each in enumerate(old)]
    moved = _affine(given.name, old, [*new, f"{old[level - 1]}%{factor}"])
    return f'{moved}\nmark({given.name}, {depth + 1}, "unroll")'


def _mark(what: str) -> Callable[[Arguments], str]:
    return lambda given: f'mark({given.name}, {given.level(0)}, "{what}")'


LIBRARY: Mapping[str, Operation] = {
    "interchange": Operation(1, (2, 2), "interchange(l, a, b)", _interchange),
    "reverse": Operation(1, (1, 1), "reverse(l, n)", _reverse),
    "skew": Operation(1, (2, 3), "skew(l, n, by, factor)", _skew),
    "shift": Operation(1, (2, 2), "shift(l, n, amount)", _shift),
    "tile": Operation(1, (1, None), "tile(l, size, ..)", _tile),
    "stripmine": Operation(1, (2, 2), "stripmine(l, n, size)", _stripmine),
    "fuse": Operation(2, (0, 1), "fuse(l1, l2, n)", _realign),
    "distribute": Operation(2, (0, 1), "distribute(l1, l2, n)", _distribute),
    "split": Operation(1, (2, 2), "(l1, l2) = split(l, n, at)", _split),
    "unroll": Operation(1, (1, 2), "unroll(l, n, factor)", _unroll),
    "unroll_and_jam": Operation(1, (2, 2), "unroll_and_jam(l, n, factor)", _unroll_and_jam),
    "parallel": Operation(1, (1, 1), "parallel(l, n)", _mark("parallel")),
    "vectorize": Operation(1, (1, 1), "vectorize(l, n)", _mark("vector")),
}
"""What is in the library, by name."""
