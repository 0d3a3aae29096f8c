"""When each instance runs: vectors of positions and iterations (Loopy §3.2).

An instance runs at ``(p0, j1, p1, .., jM, pM)``: ``p0`` says which statement or loop of the region
it belongs to, ``j1`` in which iteration of that loop, ``p1`` in which part of its body, and so on.
Iterations are counted from 0, whatever the iterators of the source are.  What has fewer loops than
others gets zeros.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.scop import Scop, Statement, union_set
from loopwright.polyhedra.schedule_trees import band, sequence

Positions = tuple[int, ...]


@record(eq=False)
class Piece:
    """Instances of a statement at one position: ``times`` is ``{ S[i, ..] -> [j1, .., jM] }``."""

    statement: str
    positions: Positions
    times: isl.Map

    @property
    def domain(self) -> isl.Set:
        """The instances."""
        return self.times.domain()


@record(eq=False)
class Timetable:
    """All instances of a region, and the components that have names."""

    pieces: tuple[Piece, ...]
    components: Mapping[str, frozenset[Positions]]

    @property
    def depth(self) -> int:
        """How many loops there are around the innermost part."""
        return len(self.pieces[0].positions) - 1 if self.pieces else 0

    def of(self, component: frozenset[Positions]) -> list[Piece]:
        """The pieces of a component."""
        return [each for each in self.pieces if each.positions in component]

    def loops_around(self, component: frozenset[Positions]) -> int:
        """The number of loops around the innermost part of a component."""
        found = [each for each in self.of(component) if not each.times.is_empty()]
        return max((_loops_of(each) for each in found), default=0)

    def with_component(self, name: str, positions: frozenset[Positions]) -> Timetable:
        """The same, with a name more."""
        return replace(self, components={**self.components, name: positions})


def _loops_of(piece: Piece) -> int:
    """The last loop that runs more than once."""
    levels = range(piece.times.dim(isl.dim_type.out), 0, -1)
    return next((each for each in levels if not _is_zero(piece.times, each - 1)), 0)


# --- from the source ------------------------------------------------------------------------------


@record(eq=False)
class _Place:
    """Where a part of the source is: the parts of the bodies that lead to it, outermost first."""

    positions: Positions
    tags: tuple[str, ...]
    """The labels of the blocks around it."""


def timetable_of(scop: Scop) -> Timetable:
    """The order of the source."""
    places: dict[str, _Place] = {}
    _visit(scop.schedule.get_root().child(0), (), (0,), places)
    executed = [each for each in scop.statements if each.name in places]
    depth = max((len(each.iterators) for each in executed), default=0)
    pieces = tuple(
        Piece(each.name, _padded(places[each.name].positions, depth), _times(each, scop, depth))
        for each in executed
    )
    return Timetable(pieces, dict(_components(scop, places, depth)))


def _visit(
    node: isl.ScheduleNode, tags: tuple[str, ...], path: Positions, places: dict[str, _Place]
) -> int:
    """Note the places of the statements below; returns how many parts of the body there are.

    ``path`` ends with the position of the next part.
    """
    kind = node.get_type()
    types = isl.schedule_node_type
    if kind == types.band:
        _visit(node.child(0), tags, (*path, 0), places)
        return 1
    if kind == types.sequence:
        parts = 0
        for at in range(node.n_children()):
            here = (*path[:-1], path[-1] + parts)
            parts += _visit(node.child(at).child(0), tags, here, places)
        return parts
    if kind == types.mark:
        name = str(node.mark_get_id().get_name())
        return _visit(node.child(0), (*tags, name), path, places)
    assert kind == types.leaf, kind
    names: list[str] = []
    node.get_domain().foreach_set(lambda each: names.append(str(each.get_tuple_name())))
    for name in names:
        places[name] = _Place(path, tags)
    return 1


def _padded(positions: Positions, depth: int) -> Positions:
    return positions + (0,) * (depth + 1 - len(positions))


def _times(statement: Statement, scop: Scop, depth: int) -> isl.Map:
    """How often each loop around the statement has come round, and zeros."""
    space = statement.domain.get_space()
    counts = [
        _count(each.count, space)
        for each in sorted(scop.loops, key=lambda each: each.depth)
        if statement.name in each.statements
    ]
    zero = isl.PwAff.zero_on_domain(isl.LocalSpace.from_space(space))
    counts += [zero] * (depth - len(counts))
    times = isl.Map.from_domain(statement.domain)
    for each in counts:
        times = times.flat_range_product(isl.Map.from_pw_aff(each))
    return times.intersect_domain(statement.domain)


def _count(count: isl.PwAff, space: isl.Space) -> isl.PwAff:
    """A function of the outer iterators as one of all of them."""
    graph = isl.Map.from_pw_aff(count)
    inner = space.dim(isl.dim_type.set) - graph.dim(isl.dim_type.in_)
    graph = graph.insert_dims(isl.dim_type.in_, graph.dim(isl.dim_type.in_), inner)
    name = space.get_tuple_name(isl.dim_type.set)
    graph = graph.set_tuple_name(isl.dim_type.in_, name)
    return isl.PwMultiAff.from_map(graph).get_pw_aff(0)


def _components(
    scop: Scop, places: Mapping[str, _Place], depth: int
) -> Iterator[tuple[str, frozenset[Positions]]]:
    """What the labels of the source name.

    A label names its statement, and a statement without one goes by its name.  On the first
    statement of a block a label names the whole block (§3.1), unless a part of the block has a
    label of its own: then it is that statement, and those up to the next loop or label.
    """
    labels = {each.label or each.name: each.name for each in scop.statements if each.name in places}
    tags = {tag for place in places.values() for tag in place.tags}
    for tag in sorted(tags | set(labels)):
        block = [name for name, place in places.items() if tag in place.tags]
        found = [places[name].positions for name in block]
        if tag in labels and (not block or _has_other_tags(tag, block, scop, places)):
            found = _run(labels[tag], scop, places)
        yield tag, frozenset(_padded(each, depth) for each in found)


def _has_other_tags(
    tag: str, block: Sequence[str], scop: Scop, places: Mapping[str, _Place]
) -> bool:
    """Do parts of a block have labels?"""
    for name in block:
        place, statement = places[name], scop.statement(name)
        inner = place.tags[place.tags.index(tag) + 1 :]
        if inner or statement.label not in (None, tag):
            return True
    return False


def _run(first: str, scop: Scop, places: Mapping[str, _Place]) -> list[Positions]:
    """The positions of a statement and of those behind it, up to the next loop or label."""
    start = places[first].positions
    found = [start]
    beside = {
        place.positions: name
        for name, place in places.items()
        if len(place.positions) == len(start) and place.positions[:-1] == start[:-1]
    }
    while True:
        following = (*start[:-1], found[-1][-1] + 1)
        name = beside.get(following)
        if name is None or scop.statement(name).label is not None:
            return found
        found.append(following)


# --- to a tree ------------------------------------------------------------------------------------


@record
class LoopMark:
    """A property of a loop: of number ``level`` around the positions.

    ``name`` is that of the mark in the tree; a loop that is to be unrolled has none.
    """

    level: int
    positions: frozenset[Positions]
    name: str = ""

    def is_of(self, pieces: Sequence[Piece], level: int) -> bool:
        """Is it about the loop of this level around the pieces?"""
        if level != self.level:
            return False
        prefixes = {each[:level] for each in self.positions}
        return any(each.positions[:level] in prefixes for each in pieces)


def tree_of(table: Timetable, marks: Sequence[LoopMark] = ()) -> isl.Schedule:
    """The order as a schedule tree."""
    return _subtree(table.pieces, 0, marks)


def _subtree(pieces: Sequence[Piece], level: int, marks: Sequence[LoopMark]) -> isl.Schedule:
    """The pieces, which agree on everything before this position."""
    ordered = sorted(pieces, key=lambda each: each.positions[level])
    parts = [
        _part(list(group), level, marks)
        for _, group in groupby(ordered, key=lambda each: each.positions[level])
    ]
    found = sequence(parts)
    return found if found is not None else isl.Schedule.from_domain(isl.UnionSet("{ }"))


def _part(pieces: Sequence[Piece], level: int, marks: Sequence[LoopMark]) -> isl.Schedule:
    """What is at a position: a loop, what is in a loop that runs once, or the end."""
    if level == len(pieces[0].positions) - 1:
        return isl.Schedule.from_domain(union_set(each.domain for each in pieces))
    inside = _subtree(pieces, level + 1, marks)
    if all(_is_zero(each.times, level) for each in pieces):
        return inside
    functions = (isl.PwMultiAff.from_map(each.times).get_pw_aff(level) for each in pieces)
    loop = band(inside, functions)
    for each in marks:
        if each.is_of(pieces, level + 1):
            node = loop.get_root().child(0)
            loop = _marked(node, each.name).get_schedule()
    return loop


def _marked(node: isl.ScheduleNode, name: str) -> isl.ScheduleNode:
    if name:
        return node.insert_mark(isl.Id(name))
    while node.get_type() == isl.schedule_node_type.mark:
        node = node.child(0)
    return node.band_member_set_ast_loop_type(0, isl.ast_loop_type.unroll)


def _is_zero(times: isl.Map, level: int) -> bool:
    return times.range().plain_get_val_if_fixed(isl.dim_type.set, level).is_zero()
