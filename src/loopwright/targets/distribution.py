"""Distribution: what a band runs together, in nests of their own where that serves them better.

Statements that depend on each other in both directions stay together.  What only begins or ends
the work of others, in fewer loops than the band has, gets a nest of its own; so do statements that
do not agree on the innermost loop.
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from loopwright.polyhedra.unions import sets_of
from loopwright.targets.inner_loops import components
from loopwright.targets.nests import Nest
from loopwright.targets.planning import inner_loop

SET = isl.dim_type.set


def parts_of(nest: Nest) -> list[tuple[str, ...]]:
    """The statements of a nest that stay together, in an order that all dependences allow."""
    found: list[list[str]] = []
    for names in components(nest.statements, nest.pairs):
        if found and _fit(nest, found[-1], names):
            found[-1] += names
        else:
            found.append(list(names))
    return [tuple(each) for each in found]


def _fit(nest: Nest, first: Sequence[str], second: Sequence[str]) -> bool:
    """Do all of them run in all loops, and does the same loop suit them as the innermost one?"""
    both = [each for each in nest.references if each.statement in (*first, *second)]
    if not all(all(each.spans) for each in both):
        return False
    return inner_loop(nest.of(first))[::2] == inner_loop(nest.of(second))[::2]


def without_idle_members(node: isl.ScheduleNode) -> isl.ScheduleNode:
    """The band without members whose value the loops around and before them determine."""
    at = node.band_n_member() - 1
    while at >= 0 and node.band_n_member() > 1:
        if _is_idle(node, at):
            node = _without(node, at)
        at -= 1
    return node


def _is_idle(node: isl.ScheduleNode, member: int) -> bool:
    above = node.get_prefix_schedule_multi_union_pw_aff()
    partial = node.band_get_partial_schedule()
    for at in range(member):
        above = above.flat_range_product(isl.MultiUnionPwAff.from_union_pw_aff(partial.get_at(at)))
    own = isl.MultiUnionPwAff.from_union_pw_aff(partial.get_at(member))
    for domain in sets_of(node.get_domain()):
        inside = isl.UnionSet.from_set(domain)
        before, value = (
            isl.Map.from_union_map(
                isl.UnionMap.from_multi_union_pw_aff(each.reset_tuple_id(SET)).intersect_domain(
                    inside
                )
            )
            for each in (above, own)
        )
        if not before.reverse().apply_range(value).is_single_valued():
            return False
    return True


def _without(node: isl.ScheduleNode, member: int) -> isl.ScheduleNode:
    """The band without one of its members; it stays permutable if it was."""
    if member:
        node = node.band_split(member)
        inner = node.child(0)
    else:
        inner = node
    if inner.band_n_member() > 1:
        inner = inner.band_split(1)
    inner = inner.delete()
    return _joined(inner.parent()) if member else inner


def _joined(node: isl.ScheduleNode) -> isl.ScheduleNode:
    """A band with the band below it as one."""
    if node.child(0).get_type() != isl.schedule_node_type.band:
        return node
    first = node.band_get_partial_schedule()
    second = node.child(0).band_get_partial_schedule()
    inner = node.child(0).delete()
    outer = inner.parent().delete()
    return outer.insert_partial_schedule(first.flat_range_product(second))
