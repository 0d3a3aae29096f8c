"""Loop nests whose iterations depend on each other at known distances, and other orders of them.

A nest carries vectors: how far, loop by loop, an iteration is behind one that it needs.  An order
is legal if all of them still point forward, and a loop may run in parallel if each is carried
further out or not at all (Allen and Kennedy).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from loopwright.basics.records import record

Vector = tuple[int, ...]
SCHEDULES = ("static", "static", "static, 1", "static, 4", "dynamic", "guided, 2")
CLAUSES = ("num_threads(4)", "num_threads(3)", "default(shared)", "if(n > 3)", "proc_bind(close)")
NEW_NAMES = ("r", "q", "p1", "col", "row", "it", "i0", "jj")
TYPES = ("long", "long", "long", "long long", "ptrdiff_t")
RISKY_TYPES = ("short", "unsigned", "size_t", "char", "unsigned long")


@record
class Loop:
    """``for (type name = low; name < high; name += step)``, or one by one down to ``low``."""

    name: str
    low: str
    high: str
    type: str = "int"
    is_down: bool = False
    step: int = 1
    style: int = 0
    pragma: str = ""

    @property
    def head(self) -> str:
        """The line that begins it, behind its pragma."""
        name, low, high = self.name, self.low, self.high
        if self.step > 1:
            parts = f"{name} = {low}; {name} < {high}; {name} += {self.step}"
        elif self.is_down:
            last = f"{high} - 1" if not high.isdigit() else str(int(high) - 1)
            parts = f"{name} = {last}; {name} >= {low}; {name}--"
        elif self.style == 1:
            parts = f"{name} = {low}; {name} <= {high} - 1; ++{name}"
        elif self.style == 2:
            parts = f"{name} = {low}; {high} > {name}; {name} += 1"
        else:
            parts = f"{name} = {low}; {name} < {high}; {name}++"
        pragma = f"#pragma {self.pragma}\n" if self.pragma else ""
        return f"{pragma}for ({self.type} {parts})"


@record
class Nest:
    """Perfectly nested loops around statements, and the distances that their values travel."""

    loops: tuple[Loop, ...]
    body: tuple[str, ...]
    vectors: tuple[Vector, ...] = ()

    @property
    def text(self) -> str:
        """The loops, each on a line of its own."""
        lines = [self.loops[0].head]
        lines += [" " * 4 * at + each.head for at, each in enumerate(self.loops) if at > 0]
        depth = len(self.loops)
        if len(self.body) > 1:
            lines[-1] += " {"
            lines += [" " * 4 * depth + each for each in self.body]
            lines.append(" " * 4 * (depth - 1) + "}")
        else:
            lines += [" " * 4 * depth + each for each in self.body]
        return re.sub(r"^ +#", "#", "\n".join(lines), flags=re.MULTILINE)


def renamed(text: str, old: str, new: str) -> str:
    """The text with another word for one of its own.

    >>> renamed("a[i][j] = i2 + i;", "i", "r")
    'a[r][j] = i2 + r;'
    """
    return re.sub(rf"\b{re.escape(old)}\b", lambda _: new, text)


def points_forward(vector: Vector) -> bool:
    """Is it zero, or is the first number that is not zero positive?"""
    return next((each > 0 for each in vector if each != 0), True)


def is_legal(vectors: Sequence[Vector]) -> bool:
    """Does nothing come before what it needs?"""
    return all(map(points_forward, vectors))


def is_parallel(vectors: Sequence[Vector], level: int) -> bool:
    """May the iterations of a loop run in any order, within one iteration of those around it?"""
    return all(each[level] == 0 or any(each[:level]) for each in vectors)


# --- other orders ---------------------------------------------------------------------------------


def reordered(nest: Nest, rng: Random, *, wants_right: bool) -> Nest | None:
    """The nest in another order that is legal or not, as is wanted; ``None`` if none was found."""
    for _ in range(40):
        order = list(range(len(nest.loops)))
        if rng.random() < 0.7:
            rng.shuffle(order)
        signs = [rng.choice((1, 1, 1, -1)) for _ in order]
        vectors = tuple(
            tuple(each[k] * sign for k, sign in zip(order, signs, strict=True))
            for each in nest.vectors
        )
        loops = tuple(nest.loops[k] for k in order)
        turned = _turned(replace(nest, loops=loops, vectors=vectors), signs)
        found, is_right = _marked(turned, rng)
        is_right = is_right and is_legal(vectors)
        if is_right == wants_right:
            return found
    return None


def _turned(nest: Nest, signs: Sequence[int]) -> Nest:
    """The nest with some loops that run backward.

    To begin with ``n - 1`` asks for more to be known of ``n`` than to count ``n - 1 - i``.
    """
    for at, loop in enumerate(nest.loops):
        if signs[at] > 0:
            continue
        if loop.high == "N":
            nest = with_loop(nest, at, replace(loop, is_down=True))
        else:
            last = f"({loop.high} - 1 + {loop.low} - {loop.name})".replace(" + 0 ", " ")
            body = tuple(renamed(each, loop.name, last) for each in nest.body)
            nest = replace(nest, body=body)
    return nest


def _marked(nest: Nest, rng: Random) -> tuple[Nest, bool]:
    """The nest with pragmas at some loops, and whether these are true."""
    loops, is_right = list(nest.loops), True
    kind = rng.choice(("none", "none", "parallel", "parallel", "parallel", "simd", "both"))
    kind = "collapse" if rng.random() < 0.03 else kind
    last = len(loops) - 1
    if kind in ("parallel", "both"):
        level = rng.choice((0, 0, rng.randrange(len(loops))))
        loops[level] = replace(loops[level], pragma=with_clauses("omp parallel for", rng))
        is_right = is_right and is_parallel(nest.vectors, level)
    if kind in ("simd", "both") and not loops[last].pragma:
        loops[last] = replace(loops[last], pragma="omp simd")
        is_right = is_right and is_parallel(nest.vectors, last)
    if kind == "collapse" and last > 0 and _is_box(loops[:2]):
        loops[0] = replace(loops[0], pragma=with_clauses("omp parallel for collapse(2)", rng))
        outside = [each for each in nest.vectors if any(each[:2])]
        is_right = is_right and not outside
    return replace(nest, loops=tuple(loops)), is_right


def with_clauses(pragma: str, rng: Random) -> str:
    """A directive with some clauses that change nothing."""
    clauses = [f"schedule({rng.choice(SCHEDULES)})"] if rng.random() < 0.4 else []
    clauses += [rng.choice(CLAUSES)] if rng.random() < 0.3 else []
    rng.shuffle(clauses)
    return " ".join([pragma, *clauses])


def _is_box(loops: Sequence[Loop]) -> bool:
    names = {each.name for each in loops}
    return not any(names & set(re.findall(r"\w+", each.low + each.high)) for each in loops)


# --- the same order, written in another way ------------------------------------------------------


def dressed_up(nest: Nest, rng: Random) -> Nest:
    """The same order with other types, names, bounds, or in strips."""
    at = rng.randrange(len(nest.loops))
    if rng.random() < 0.3 and not _counts(nest):
        nest = with_loop(nest, at, replace(nest.loops[at], type=rng.choice(TYPES)))
    if rng.random() < 0.04:
        nest = with_loop(nest, at, replace(nest.loops[at], type=rng.choice(RISKY_TYPES)))
    if rng.random() < 0.3:
        nest = shifted(nest, rng.randrange(len(nest.loops)), rng.choice((1, 2)))
    if rng.random() < 0.35:
        nest = in_strips(nest, rng.randrange(len(nest.loops)), rng.choice((4, 8, 16)), rng)
    if rng.random() < 0.3:
        nest = with_name(nest, rng.choice(nest.loops).name, rng.choice(NEW_NAMES))
    styles = [replace(each, style=rng.choice((0,) * 24 + (1,) + (2,) * 10)) for each in nest.loops]
    return replace(nest, loops=tuple(styles))


def _counts(nest: Nest) -> bool:
    """Are iterators part of values, whose types would be others?"""
    names = {each.name for each in nest.loops}
    return any(names & set(re.findall(r"\w+", re.sub(r"\[.*?\]", "", each))) for each in nest.body)


def with_loop(nest: Nest, at: int, loop: Loop) -> Nest:
    """The nest with another loop in the place of one."""
    return replace(nest, loops=(*nest.loops[:at], loop, *nest.loops[at + 1 :]))


def with_name(nest: Nest, old: str, new: str) -> Nest:
    """The nest with another name for an iterator."""
    if any(each.name == new for each in nest.loops):
        return nest
    loops = [
        replace(
            each,
            name=renamed(each.name, old, new),
            low=renamed(each.low, old, new),
            high=renamed(each.high, old, new),
        )
        for each in nest.loops
    ]
    body = tuple(renamed(each, old, new) for each in nest.body)
    return replace(nest, loops=tuple(loops), body=body)


def shifted(nest: Nest, at: int, by: int) -> Nest:
    """The nest with an iterator that is so much greater everywhere."""
    loop = nest.loops[at]
    others = (*nest.loops[:at], *nest.loops[at + 1 :])
    if any(re.search(rf"\b{loop.name}\b", each.low + " " + each.high) for each in others):
        return nest
    low = str(int(loop.low) + by) if loop.low.isdigit() else f"{loop.low} + {by}"
    moved = replace(loop, low=low, high=f"{loop.high} + {by}")
    body = tuple(renamed(each, loop.name, f"({loop.name} - {by})") for each in nest.body)
    return replace(with_loop(nest, at, moved), body=body)


def in_strips(nest: Nest, at: int, size: int, rng: Random) -> Nest:
    """The nest with a loop in two: over strips, which may go outward, and within a strip."""
    loop = nest.loops[at]
    if loop.is_down or "collapse" in nest.loops[0].pragma or "simd" in loop.pragma:
        return nest
    tile = f"{loop.name}_t"
    end = f"({tile} + {size} < {loop.high} ? {tile} + {size} : {loop.high})"
    strips = Loop(tile, loop.low, loop.high, loop.type, step=size, pragma=loop.pragma)
    names = {each.name for each in nest.loops}
    is_free = all(each >= 0 for vector in nest.vectors for each in vector)
    is_free = is_free and not names & set(re.findall(r"\w+", loop.low + loop.high))
    is_free = is_free and not any(each.pragma for each in nest.loops)
    first = rng.randrange(at + 1) if is_free else at
    loops = [*nest.loops[:at], Loop(loop.name, tile, end, loop.type), *nest.loops[at + 1 :]]
    loops.insert(first, strips)
    return replace(nest, loops=tuple(loops))
