"""A schedule under construction: bands and splits, and the isl tree that they become."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.scop import union_set
from loopwright.scheduling.graph import Functions, Node


@record
class Leaf:
    """Nothing more to schedule."""


@record(eq=False)
class BandPart:
    """Members around a child; each has a function for each statement."""

    members: tuple[Functions, ...]
    coincident: tuple[bool, ...]
    is_permutable: bool
    child: Part


@record(eq=False)
class Split:
    """Groups of statements, one after the other or in any order."""

    is_ordered: bool
    children: tuple[tuple[tuple[int, ...], Part], ...]


Part = Leaf | BandPart | Split


def tree_of_part(part: Part, nodes: Sequence[Node]) -> isl.Schedule:
    """The schedule tree."""
    of_number = {node.number: node for node in nodes}
    domain = union_set(node.domain for node in nodes)
    root = isl.Schedule.from_domain(domain).get_root()
    return _inserted(root.child(0), part, of_number).get_schedule()


def _inserted(node: isl.ScheduleNode, part: Part, nodes: dict[int, Node]) -> isl.ScheduleNode:
    """The node with the part in its place; the node stays at the same position."""
    match part:
        case Leaf():
            return node
        case BandPart():
            times = _times(part, nodes)
            node = node.insert_partial_schedule(times)
            node = node.band_set_permutable(int(part.is_permutable))
            for at, is_coincident in enumerate(part.coincident):
                node = node.band_member_set_coincident(at, int(is_coincident))
            return _inserted(node.child(0), part.child, nodes).parent()
        case Split():
            filters = isl.UnionSetList.alloc(isl.DEFAULT_CONTEXT, len(part.children))
            for numbers, _ in part.children:
                space_only = (isl.Set.universe(nodes[each].domain.get_space()) for each in numbers)
                filters = filters.add(union_set(space_only))
            insert = node.insert_sequence if part.is_ordered else node.insert_set
            node = insert(filters)
            for at, (_, child) in enumerate(part.children):
                below = node.child(at).child(0)
                node = _inserted(below, child, nodes).parent().parent()
            return node


def _times(part: BandPart, nodes: dict[int, Node]) -> isl.MultiUnionPwAff:
    found = [
        isl.MultiUnionPwAff.from_union_pw_aff(
            reduce(
                isl.UnionPwAff.union_add,
                (
                    isl.UnionPwAff.from_pw_aff(isl.PwAff.from_aff(nodes[number].aff(function)))
                    for number, function in member.items()
                ),
            )
        )
        for member in part.members
    ]
    return reduce(isl.MultiUnionPwAff.flat_range_product, found)
