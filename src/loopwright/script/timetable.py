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
from loopwright.model.pragma_marks import INSIDE
from loopwright.model.scop import Scop, Statement, union_set
from loopwright.polyhedra.schedule_trees import band, sequence
from loopwright.polyhedra.unions import sets_of
from loopwright.polyhedra.values import isl_value

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
        return max(map(_loops_of, self.of(component)), default=0)

    def with_component(self, name: str, positions: frozenset[Positions]) -> Timetable:
        """The same, with a name more."""
        return replace(self, components={**self.components, name: positions})


def _loops_of(piece: Piece) -> int:
    """The last loop that runs more than once."""
    levels = range(piece.times.dim(isl.dim_type.out), 0, -1)
    return next((each for each in levels if not _is_zero(piece.times, each - 1)), 0)


# --- from the source ------------------------------------------------------------------------------


@record(eq=False)
class Leaf:
    """A leaf of a schedule tree: the parts of the bodies that lead to it, outermost first.

    ``loops`` are the loops around it, and ``tags`` the marks.
    """

    positions: Positions
    loops: tuple[isl.UnionPwAff, ...]
    tags: tuple[str, ...]
    domain: isl.UnionSet


def leaves_of(tree: isl.Schedule) -> list[Leaf]:
    """The leaves of a tree, in their order."""
    found: list[Leaf] = []
    _visit(tree.get_root().child(0), Leaf((0,), (), (), tree.get_domain()), found)
    return found


def _visit(node: isl.ScheduleNode, here: Leaf, found: list[Leaf]) -> int:
    """Note the leaves below; returns how many parts of the body there are.

    The positions of ``here`` end with that of the next part.
    """
    types = isl.schedule_node_type
    match node.get_type():
        case types.band:
            partial = node.band_get_partial_schedule()
            members = [partial.get_at(at) for at in range(node.band_n_member())]
            positions = here.positions + (0,) * len(members)
            inside = replace(here, positions=positions, loops=(*here.loops, *members))
            _visit(node.child(0), inside, found)
            return 1
        case types.sequence | types.set:
            *before, start = here.positions
            parts = 0
            for at in range(node.n_children()):
                next_part = replace(here, positions=(*before, start + parts))
                parts += _visit(node.child(at).child(0), next_part, found)
            return parts
        case types.mark:
            tag = str(node.mark_get_id().get_name())
            return _visit(node.child(0), replace(here, tags=(*here.tags, tag)), found)
        case _:
            assert node.get_type() == types.leaf, node.get_type()
            found.append(replace(here, domain=node.get_domain()))
            return 1


def timetable_of(scop: Scop) -> Timetable:
    """The order of the source."""
    places = {
        str(each.get_tuple_name()): leaf
        for leaf in leaves_of(scop.schedule)
        for each in sets_of(leaf.domain)
    }
    executed = [each for each in scop.statements if each.name in places]
    depth = max((len(each.iterators) for each in executed), default=0)
    pieces = tuple(
        Piece(each.name, lengthened(places[each.name].positions, depth), _times(each, scop, depth))
        for each in executed
    )
    return Timetable(pieces, dict(_components(scop, places, depth)))


def lengthened(positions: Positions, depth: int) -> Positions:
    """The positions with zeros for loops that are not there."""
    return positions + (0,) * (depth + 1 - len(positions))


def with_zeros(times: isl.Map, depth: int) -> isl.Map:
    """The times with zeros for loops that are not there."""
    end = times.dim(isl.dim_type.out)
    times = times.insert_dims(isl.dim_type.out, end, depth - end)
    for at in range(end, depth):
        times = times.fix_val(isl.dim_type.out, at, isl_value(0))
    return times


def _times(statement: Statement, scop: Scop, depth: int) -> isl.Map:
    """How often each loop around the statement has come round, and zeros."""
    space = statement.domain.get_space()
    counts = [
        _count(each.count, space)
        for each in sorted(scop.loops, key=lambda each: each.depth)
        if statement.name in each.statements
    ]
    times = isl.Map.from_domain(statement.domain)
    for each in counts:
        times = times.flat_range_product(each)
    return with_zeros(times.intersect_domain(statement.domain), depth)


def _count(count: isl.PwAff, space: isl.Space) -> isl.Map:
    """A function of the outer iterators as one of all of them."""
    graph = isl.Map.from_pw_aff(count)
    inner = space.dim(isl.dim_type.set) - graph.dim(isl.dim_type.in_)
    graph = graph.insert_dims(isl.dim_type.in_, graph.dim(isl.dim_type.in_), inner)
    return graph.set_tuple_name(isl.dim_type.in_, space.get_tuple_name(isl.dim_type.set))


def _components(
    scop: Scop, places: Mapping[str, Leaf], depth: int
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
        yield tag, frozenset(lengthened(each, depth) for each in found)


def _has_other_tags(tag: str, block: Sequence[str], scop: Scop, places: Mapping[str, Leaf]) -> bool:
    """Do parts of a block have labels?"""
    for name in block:
        place, statement = places[name], scop.statement(name)
        inner = place.tags[place.tags.index(tag) + 1 :]
        if inner or statement.label not in (None, tag):
            return True
    return False


def _run(first: str, scop: Scop, places: Mapping[str, Leaf]) -> list[Positions]:
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
    """The loop with a mark around it, which is about no loop inside; or unrolled."""
    types = isl.schedule_node_type
    depth = 0
    while node.get_type() == types.mark:
        node, depth = node.child(0), depth + 1
    if not name:
        return node.band_member_set_ast_loop_type(0, isl.ast_loop_type.unroll)
    if node.child(0).get_type() != types.leaf:
        node = node.child(0).insert_mark(isl.Id(INSIDE)).parent()
    return node.ancestor(depth).insert_mark(isl.Id(name))


def _is_zero(times: isl.Map, level: int) -> bool:
    return times.range().plain_get_val_if_fixed(isl.dim_type.set, level).is_zero()
