"""A component in an order that somebody else found: the operation ``auto``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import islpy as isl

from loopwright.basics.records import record
from loopwright.polyhedra.unions import maps_of, sets_of
from loopwright.script.operations import Component, NotPossible
from loopwright.script.timetable import (
    Leaf,
    Piece,
    Positions,
    Timetable,
    leaves_of,
    lengthened,
    with_zeros,
)


@record(eq=False)
class Inside:
    """The part of a component that is inside of so many loops, which stay as they are.

    ``together`` relates the instances that run in the same iteration of those loops.
    """

    component: Component
    level: int
    domain: isl.UnionSet
    together: isl.UnionMap


def inside_of(table: Timetable, component: Component, level: int) -> Inside:
    """What an order has to be found for."""
    if not 0 <= level <= table.depth:
        raise NotPossible(f"there is no loop number {level}", f"numbers go from 0 to {table.depth}")
    if len({each[:level] for each in component}) != 1:
        raise NotPossible(f"the component does not share {level} loops", "give a smaller number")
    _require_apart(table, component, level)
    times = isl.UnionMap("{ }")
    for each in table.of(component):
        inner = each.times.dim(isl.dim_type.out) - level
        outer = each.times.project_out(isl.dim_type.out, level, inner)
        times = times.union(outer.to_union_map())
    return Inside(component, level, times.domain(), times.apply_range(times.reverse()))


def _require_apart(table: Timetable, component: Component, level: int) -> None:
    """Nothing else may stand in the loops that are made anew."""
    prefixes = {each[: level + 1] for each in component}
    for each in table.pieces:
        if each.positions not in component and each.positions[: level + 1] in prefixes:
            reason = f"{each.statement} is in the same loop as the component, and no part of it"
            raise NotPossible(reason, f"lift(l, {level + 1}) names all of the loop")


def filled(table: Timetable, inside: Inside, tree: isl.Schedule) -> Timetable:
    """The table with the component in the order of a tree of what is inside."""
    level, leaves = inside.level, leaves_of(tree)
    depth = max(table.depth, *(level + len(each.loops) for each in leaves))
    prefix = min(inside.component)[:level]
    first, last = (choice(inside.component)[level] for choice in (min, max))
    more = max(each.positions[0] for each in leaves) - (last - first)

    def moved(positions: Positions) -> Positions:
        if positions[:level] == prefix and positions[level] > last:
            positions = (*prefix, positions[level] + more, *positions[level + 1 :])
        return lengthened(positions, depth)

    others = [
        replace(each, positions=moved(each.positions), times=with_zeros(each.times, depth))
        for each in table.pieces
        if each.positions not in inside.component
    ]
    new = [
        _piece(piece, leaf, level, depth, (*prefix, first + leaf.positions[0]))
        for leaf in leaves
        for piece in _restricted(table.of(inside.component), leaf.domain)
    ]

    def renamed(positions: Component) -> Component:
        """Parts of the component are where their statements are now."""
        names = {each.statement for each in table.of(positions & inside.component)}
        found = {each.positions for each in new if each.statement in names}
        return frozenset({moved(each) for each in positions - inside.component} | found)

    components = {name: renamed(positions) for name, positions in table.components.items()}
    return Timetable((*others, *new), components)


def _restricted(pieces: list[Piece], domain: isl.UnionSet) -> Iterator[Piece]:
    """The pieces of these instances."""
    for each in sets_of(domain):
        for piece in pieces:
            if piece.statement == each.get_tuple_name():
                times = piece.times.intersect_domain(each)
                if not times.is_empty():
                    yield replace(piece, times=times)


def _piece(piece: Piece, leaf: Leaf, level: int, depth: int, start: Positions) -> Piece:
    """Instances in the old outer loops, and in the new inner ones."""
    inner = piece.times.dim(isl.dim_type.out) - level
    times = piece.times.project_out(isl.dim_type.out, level, inner)
    instances = piece.domain.to_union_set()
    for each in leaf.loops:
        (member,) = maps_of(isl.UnionMap.from_union_pw_aff(each).intersect_domain(instances))
        times = times.flat_range_product(member)
    positions = lengthened((*start, *leaf.positions[1:]), depth)
    return replace(piece, positions=positions, times=with_zeros(times, depth))
