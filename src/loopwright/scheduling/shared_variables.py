"""Parallel loops whose iterations cannot each have a variable of their own.

The order of live ranges in scalars does not keep a loop from being coincident (PPCG §4.3), since
each iteration can have its own scalar.  That is so only while the values stay in the iteration:
a value that comes from outside of it, or is used outside, needs the one variable and its order.
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from loopwright.model.dependences import Dependence, Dependences, Kind
from loopwright.model.scheduling_trace import SharedVariable
from loopwright.model.scop import union_map
from loopwright.polyhedra.order import leaf_instances_at, member_times, together_above
from loopwright.polyhedra.schedule_trees import bands_of
from loopwright.polyhedra.unions import sets_of


def without_shared_variables(
    tree: isl.Schedule, dependences: Dependences
) -> tuple[isl.Schedule, list[SharedVariable]]:
    """The tree with such loops not marked as coincident, and what was found."""
    order = _of_scalars(dependences, dependences.order_triples, Kind.ANTI, Kind.OUTPUT)
    if not order:
        return tree, []
    flow = _of_scalars(dependences, dependences.flow_triples, Kind.FLOW)
    found: list[SharedVariable] = []
    for number, band in enumerate(bands_of(tree)):
        for at in range(band.band_n_member()):
            if not band.band_member_get_coincident(at):
                continue
            shared = _shared(band, at, order, flow)
            if shared:
                found.append(SharedVariable(_statements(band), at, shared))
                marked = bands_of(tree)[number].band_member_set_coincident(at, 0)
                tree = marked.get_schedule()
    return tree, found


def _of_scalars(
    dependences: Dependences, triples: isl.UnionMap | None, *kinds: Kind
) -> list[Dependence]:
    edges = dependences.labelled(triples, *kinds) if triples is not None else []
    return [each for each in edges if dependences.scop.array(each.array).rank == 0]


def _shared(
    band: isl.ScheduleNode, member: int, order: Sequence[Dependence], flow: Sequence[Dependence]
) -> tuple[str, ...]:
    """The scalars that iterations of the member take turns with and hand to each other."""
    times = member_times(band, member)
    inside = leaf_instances_at(band)

    def apart(pairs: isl.UnionMap) -> isl.UnionMap:
        return pairs.subtract(pairs.eq_at_multi_union_pw_aff(times))

    found: list[str] = []
    for name in dict.fromkeys(each.array for each in order):
        turns = union_map(each.pairs for each in order if each.array == name)
        if apart(together_above(band, 0, turns)).is_empty():
            continue
        values = union_map(each.pairs for each in flow if each.array == name)
        touching = values.intersect_domain(inside).union(values.intersect_range(inside))
        within = together_above(band, 0, touching)
        if not touching.subtract(within.subtract(apart(within))).is_empty():
            found.append(name)
    return tuple(found)


def _statements(band: isl.ScheduleNode) -> tuple[str, ...]:
    return tuple(sorted(each.get_tuple_name() for each in sets_of(leaf_instances_at(band))))
