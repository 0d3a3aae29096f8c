"""The four operations (Loopy §3.2): each turns one timetable into another.

They are exactly those of the paper: none of them asks whether a dependence is kept, which is
decided for the composition of all (§4.1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import islpy as isl

from loopwright.script.timetable import Piece, Positions, Timetable, with_zeros

Component = frozenset[Positions]
Moving = Callable[[Positions], frozenset[Positions]]


class NotPossible(Exception):
    """An operation cannot be applied here; it says why, and what to do about it."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint


def realign(table: Timetable, first: Component, second: Component, shared: int) -> Timetable:
    """Let two components share so many loops, the second one right behind the first.

    With ``p1`` the last position of the first and ``p2`` the first one of the second, all positions
    from ``p2`` on move by ``p1 - p2 + I(n)``, where ``I(n)`` is 1 at ``n`` and 0 elsewhere.
    """
    _require_level(table, shared)
    if first & second:
        raise NotPossible("the two components overlap", "realign takes one that follows the other")
    last, start = max(first), min(second)
    if last > start:
        raise NotPossible(
            "the second component does not follow the first", "name the one that comes first first"
        )
    gap = [before - after for before, after in zip(last, start, strict=True)]
    gap[shared] += 1

    def moved(positions: Positions) -> Positions:
        if positions < start:
            return positions
        return tuple(at + by for at, by in zip(positions, gap, strict=True))

    pieces = tuple(replace(each, positions=moved(each.positions)) for each in table.pieces)
    return Timetable(pieces, _renamed(table, lambda each: frozenset({moved(each)})))


def lift(table: Timetable, component: Component, level: int) -> Component:
    """Everything in the loop number ``level`` around a component: the same first positions."""
    _require_level(table, level)
    prefixes = {each[:level] for each in component}
    return frozenset(each.positions for each in table.pieces if each.positions[:level] in prefixes)


def affine(table: Timetable, component: Component, function: isl.Map) -> Timetable:
    """Give the loops around a component other iterations: ``function`` of the old ones.

    New loops come between the ``a`` loops that the function is about and what is inside of them:
    position vectors get zeros behind their first ``a`` entries, all others at their end.  So it is
    in the text and in figure 4; the formula of §3.2 has the zeros one entry later, which would put
    each statement of the component into loops of its own.
    """
    old, new = function.dim(isl.dim_type.in_), function.dim(isl.dim_type.out)
    if old > new:
        raise NotPossible(f"{old} iterators cannot become {new}", "keep them all, e.g. as [i,j,0]")
    if not function.is_single_valued():
        raise NotPossible(
            "this is not a function: iterations would run more than once",
            "say what each new iterator is, as in i1=[i/32] and i2=i%32",
        )
    if old > table.depth:
        raise NotPossible(f"there are {table.depth} loops, and the function is about {old}")
    more, inner = new - old, table.depth - old
    whole = function.flat_product(_identity(inner))
    pieces = [
        _transformed(each, whole, old, more)
        if each.positions in component
        else replace(
            each,
            positions=_outside(each.positions, more),
            times=with_zeros(each.times, table.depth + more),
        )
        for each in table.pieces
    ]

    def moved(positions: Positions) -> frozenset[Positions]:
        is_inside = positions in component
        return frozenset(
            {_inside(positions, old, more) if is_inside else _outside(positions, more)}
        )

    return Timetable(tuple(pieces), _renamed(table, moved))


def _transformed(piece: Piece, function: isl.Map, old: int, more: int) -> Piece:
    left_out = piece.times.range() - function.domain()
    if not left_out.is_empty():
        point = left_out.sample_point()
        where = [point.get_coordinate_val(isl.dim_type.set, at).to_python() for at in range(old)]
        raise NotPossible(
            f"the function says nothing about iteration {where} of {piece.statement}",
            "iterations are counted from 0",
        )
    times = piece.times.apply_range(function)
    return replace(piece, positions=_inside(piece.positions, old, more), times=times)


def _inside(positions: Positions, old: int, more: int) -> Positions:
    return (*positions[:old], *[0] * more, *positions[old:])


def _outside(positions: Positions, more: int) -> Positions:
    return (*positions, *[0] * more)


def _identity(dimensions: int) -> isl.Map:
    space = isl.Space.alloc(isl.DEFAULT_CONTEXT, 0, dimensions, dimensions)
    return isl.Map.identity(space)


def isplit(
    table: Timetable, component: Component, condition: isl.Set, level: int
) -> tuple[Timetable, Component, Component]:
    """Split the iterations of a component: those of the condition first, then the others.

    The two parts share so many loops.  What stands behind moves one position down in that loop.
    """
    _require_level(table, level)
    asked = condition.dim(isl.dim_type.set)
    if asked > table.depth:
        raise NotPossible(f"there are {table.depth} loops, and the condition is about {asked}")
    holds = condition.insert_dims(isl.dim_type.set, asked, table.depth - asked).reset_tuple_id()
    start = min(component)

    def down(positions: Positions) -> Positions:
        return (*positions[:level], positions[level] + 1, *positions[level + 1 :])

    pieces: list[Piece] = []
    for each in table.pieces:
        if each.positions in component:
            first = each.times.intersect_range(holds)
            others = each.times.subtract_range(holds)
            pieces.append(replace(each, times=first.coalesce()))
            pieces.append(replace(each, positions=down(each.positions), times=others.coalesce()))
        else:
            is_before = each.positions < start
            pieces.append(each if is_before else replace(each, positions=down(each.positions)))

    def moved(positions: Positions) -> frozenset[Positions]:
        if positions in component:
            return frozenset({positions, down(positions)})
        return frozenset({positions if positions < start else down(positions)})

    kept = tuple(each for each in pieces if not each.times.is_empty())
    split = Timetable(kept, _renamed(table, moved))
    return split, component, frozenset(map(down, component))


# --- vectors --------------------------------------------------------------------------------------


def _require_level(table: Timetable, level: int) -> None:
    if not 0 <= level <= table.depth:
        raise NotPossible(
            f"there is no loop number {level}", f"it is a number from 0 to {table.depth}"
        )


def _renamed(table: Timetable, moved: Moving) -> dict[str, Component]:
    """The components at their new positions."""
    return {
        name: frozenset(new for each in positions for new in moved(each))
        for name, positions in table.components.items()
    }
