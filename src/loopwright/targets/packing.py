"""Packing: tiles in buffers in which the innermost loop finds elements side by side.

A reference such as ``A[j][k]`` in a loop over j jumps from row to row.  If nothing writes A in the
nest, the tile of it that a tile of the nest reads can be copied once, transposed, and then be read
with a vector at a time by all iterations of the loops that leave it in place.

Rows that are whole pages apart fall into the same few sets of the caches and drive each other out.
A tile of such rows is packed as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import prod

import islpy as isl

from loopwright.model.packing import Expanded, Packed, TileBuffer
from loopwright.model.scop import Scop
from loopwright.targets.nests import Nest, Reference
from loopwright.targets.plans import Plan

SET, IN, OUT = isl.dim_type.set, isl.dim_type.in_, isl.dim_type.out
PAGE = 4096
MOST_BYTES = 2**19
"""A thread has to have room for the buffers of a nest on its stack."""


def strided(nest: Nest, inner: int) -> list[Reference]:
    """The references that an innermost loop neither leaves in place nor moves to the next."""
    return [
        each
        for each in nest.references
        if not each.is_invariant(inner) and not each.is_contiguous(inner)
    ]


def thrashing(nest: Nest, inner: int) -> list[Reference]:
    """The references to tiles whose rows drive each other out of the caches."""
    return [
        each
        for each in nest.references
        if each.row is not None and each.row % PAGE == 0
        if each.is_contiguous(inner) and is_packable(nest, each) and len(moved_by(each, inner)) > 1
    ]


def is_packable(nest: Nest, reference: Reference) -> bool:
    """Is it a read of a box of elements, used again, of an array that nothing writes here?"""
    if reference.steps is None or not reference.is_certain:
        return False
    is_written = any(each.writes and each.array == reference.array for each in nest.references)
    moves = [step for step in reference.steps if any(step)]
    is_box = all(sorted(map(abs, step))[-2:] in ([0, 1], [1]) for step in moves)
    subscripts = [[abs(each) for each in step].index(1) for step in moves] if is_box else []
    return (
        is_box
        and not is_written
        and len(set(subscripts)) == len(subscripts)
        and any(map(reference.is_reused, nest.members))
    )


def moved_by(reference: Reference, inner: int) -> tuple[int, ...]:
    """The members that move a reference, the innermost one last: the subscripts of a buffer."""
    assert reference.steps is not None
    moving = [at for at, step in enumerate(reference.steps) if any(step)]
    return tuple(sorted(moving, key=lambda at: at == inner))


def packed_tiles(
    node: isl.ScheduleNode, nest: Nest, plan: Plan, scop: Scop, first: int
) -> list[Packed]:
    """The buffers for what a plan packs; they are to be filled at the node, inside the tiles.

    Their names count from ``first``.
    """
    sizes = dict(plan.tiles)
    partial = nest.node.band_get_partial_schedule()
    depth = nest.node.get_schedule_depth()
    positions = {at: depth + number for number, (at, _) in enumerate(plan.tiles)}
    found: list[Packed] = []
    taken = 0
    for (members, element), names in _tiles(node, nest, plan, scop):
        size = scop.array(element.get_tuple_name(OUT)).parts[-1].element_size
        taken += prod(sizes.get(at, MOST_BYTES) for at in members) * size
        if taken > MOST_BYTES:
            break
        name = f"pack{first + len(found)}"
        found.append(
            Packed(
                name,
                element.get_tuple_name(OUT),
                frozenset(names),
                tuple(sizes[at] for at in members),
                tuple(partial.get_at(at) for at in members),
                tuple(positions[at] for at in members),
                isl.PwMultiAff.from_map(element.set_tuple_name(IN, name)),
            )
        )
    return found


_Names = set[tuple[str, str]]
_Tile = tuple[tuple[int, ...], isl.Map]
"""The members that move it, and ``[times around it, members] -> A[x]``."""


def _tiles(
    node: isl.ScheduleNode, nest: Nest, plan: Plan, scop: Scop
) -> list[tuple[_Tile, _Names]]:
    """One tile for all references that mean the same elements."""
    found: list[tuple[_Tile, _Names]] = []
    for each in nest.references:
        if each.tag not in plan.packed:
            continue
        members = moved_by(each, plan.inner)
        element = _element(node, nest, members, each, scop)
        if not element.is_single_valued():
            continue
        for (others, other), names in found:
            if others == members and other.is_equal(element):
                names.add((each.statement, each.tag))
                break
        else:
            found.append(((members, element), {(each.statement, each.tag)}))
    return found


def _element(
    node: isl.ScheduleNode,
    nest: Nest,
    members: Sequence[int],
    reference: Reference,
    scop: Scop,
) -> isl.Map:
    """``[times around the node, members] -> A[x]`` for all that the reference touches."""
    partial = nest.node.band_get_partial_schedule()
    times = reduce(
        isl.MultiUnionPwAff.flat_range_product,
        [isl.MultiUnionPwAff.from_union_pw_aff(partial.get_at(at)) for at in members],
        node.get_prefix_schedule_multi_union_pw_aff().reset_tuple_id(SET),
    )
    statement = scop.statement(reference.statement)
    (access,) = (each for each in statement.accesses if each.tag == reference.tag)
    own = isl.UnionSet.from_set(statement.domain)
    instances = isl.UnionMap.from_multi_union_pw_aff(times).intersect_domain(
        node.get_domain().intersect(own)
    )
    return isl.Map.from_union_map(instances).reverse().apply_range(access.may).coalesce()


def with_fills(tree: isl.Schedule, packed: Sequence[Packed]) -> isl.Schedule:
    """The tree with statements that fill the buffers, inside the marks of their names."""
    rest = list(packed)
    while rest:
        chain = [rest.pop(0)]
        node = _inside_mark(tree, chain[0].name)
        while rest and _is_mark(node, rest[0].name):
            chain.append(rest.pop(0))
            node = node.child(0)
        for each in chain:
            node = node.graft_before(_copying(each, each.element))
        tree = node.get_schedule()
    return tree


def with_drains(tree: isl.Schedule, expanded: Sequence[Expanded]) -> isl.Schedule:
    """The tree with statements that copy last values back, inside the marks of their names."""
    for each in expanded:
        if each.element is not None:
            node = _inside_mark(tree, each.name)
            tree = node.graft_after(_copying(each, each.element)).get_schedule()
    return tree


def _inside_mark(tree: isl.Schedule, name: str) -> isl.ScheduleNode:
    found: list[isl.ScheduleNode] = []

    def look(node: isl.ScheduleNode) -> bool:
        if _is_mark(node, name):
            found.append(node.child(0))
        return True

    tree.get_root().foreach_descendant_top_down(look)
    return found[0]


def _is_mark(node: isl.ScheduleNode, name: str) -> bool:
    is_mark = node.get_type() == isl.schedule_node_type.mark
    return is_mark and node.mark_get_id().get_name() == name


def _copying(buffer: TileBuffer, element: isl.PwMultiAff) -> isl.ScheduleNode:
    """The loops that copy from or to a buffer; they go through the array row by row."""
    instances = element.domain()
    rank = len(buffer.shape)
    outer = instances.dim(SET) - rank
    same = isl.Map.identity(instances.get_space().map_from_set()).intersect_domain(instances)
    around = same.reset_tuple_id(IN).project_out(IN, outer, rank)
    node = isl.ScheduleNode.from_extension(isl.UnionMap.from_map(around))
    values = isl.MultiAff.identity_on_domain_space(instances.get_space())
    for at in _by_rows(element, range(outer, outer + rank)):
        one = isl.UnionPwAff.from_pw_aff(isl.PwAff.from_aff(values.get_at(at)))
        band = isl.MultiUnionPwAff.from_union_pw_aff(one)
        node = node.child(0).insert_partial_schedule(band)
    return node.root()


def _by_rows(element: isl.PwMultiAff, subscripts: range) -> list[int]:
    """The subscripts of the buffer in the order of the array's subscripts; others come first."""
    functions: list[isl.MultiAff] = []
    element.foreach_piece(lambda _, each: functions.append(each))
    first = functions[0]

    def subscript(at: int) -> int:
        moved = (
            number
            for number in range(first.dim(OUT))
            if first.get_at(number).involves_dims(IN, at, 1)
        )
        return next(moved, -1)

    return sorted(subscripts, key=subscript)
