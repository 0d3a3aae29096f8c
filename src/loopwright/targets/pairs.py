"""The pairs of instances whose order matters to a band, by what makes them matter.

Some of them matter less: steps of a reduction may run in any order if that was allowed, and a local
variable may be one for each thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass

import islpy as isl

from loopwright.model.dependences import Dependences, Reduction, untagged
from loopwright.model.scop import Scop
from loopwright.polyhedra.order import together_above
from loopwright.polyhedra.unions import maps_of

OUT, SET = isl.dim_type.out, isl.dim_type.set


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """A reduction, and how far the members run its steps apart."""

    reduction: Reduction
    distances: isl.Set
    is_variable: bool
    """Does it gather in a scalar variable?"""


@dataclass(frozen=True, slots=True, eq=False)
class Private:
    """A local variable whose values stay in an iteration of the loops around a band.

    ``distances`` are those of pairs that exist only because it is one variable.
    """

    array: str
    distances: isl.Set


def conflicts(dependences: Dependences) -> isl.UnionMap:
    """All pairs whose order matters."""
    return untagged(tagged_conflicts(dependences))


def tagged_conflicts(dependences: Dependences) -> isl.UnionMap:
    """The same, with the references."""
    return dependences.tagged_flow.union(_without_flow(dependences))


def _without_flow(dependences: Dependences) -> isl.UnionMap:
    """The pairs that are there because memory is used again."""
    tagged = dependences.tagged_false
    for more in (dependences.tagged_order, dependences.tagged_forced):
        if more is not None:
            tagged = tagged.union(more)
    return tagged


def distances_of(node: isl.ScheduleNode, pairs: isl.UnionMap) -> isl.Set:
    """How far the members of a band run pairs apart."""
    times = isl.UnionMap.from_multi_union_pw_aff(
        node.band_get_partial_schedule().reset_tuple_id(SET)
    )
    found = pairs.apply_domain(times).apply_range(times).deltas()
    space = node.band_get_partial_schedule().reset_tuple_id(SET).get_space()
    return found.extract_set(space.drop_all_params())


# --- steps of reductions --------------------------------------------------------------------------


def strict_distances(node: isl.ScheduleNode, dependences: Dependences) -> isl.Set:
    """The distances of what is not a step of a reduction."""
    pairs = untagged(_kept(dependences, lambda reduction: reduction is None))
    return distances_of(node, together_above(node, 0, pairs))


def steps_at(node: isl.ScheduleNode, dependences: Dependences, names: Set[str]) -> Iterator[Steps]:
    """The reductions of some statements, with the distances of their steps."""
    for each in dependences.reductions:
        if each.statement in names:
            pairs = untagged(_kept(dependences, lambda reduction, own=each: reduction is own))
            array = dependences.scop.array(each.array)
            is_variable = array.rank == 0 and len(array.parts) == 1
            distances = distances_of(node, together_above(node, 0, pairs))
            yield Steps(each, distances, is_variable)


def _kept(dependences: Dependences, is_wanted: Callable[[Reduction | None], bool]) -> isl.UnionMap:
    """The tagged conflicts whose reduction, if their ends are two of its steps, is wanted."""
    tagged = tagged_conflicts(dependences)
    kept = isl.UnionMap.empty(tagged.get_space())
    for each in maps_of(tagged):
        own = next((one for one in dependences.reductions if _tags(each) <= one.tags), None)
        if is_wanted(own):
            kept = kept.union(isl.UnionMap.from_map(each))
    return kept


# --- variables of threads -------------------------------------------------------------------------


def privates_at(
    node: isl.ScheduleNode, dependences: Dependences, names: Set[str]
) -> tuple[tuple[Private, ...], isl.Set | None]:
    """The variables that could be private, and the distances of all that is not about them."""
    arrays = _local_scalars(dependences.scop, names)
    found: list[Private] = []
    for name, tags in arrays.items():
        flow = untagged(_of_tags(dependences.tagged_flow, tags))
        inside = together_above(node, 0, flow)
        touching = flow.intersect_domain(node.get_domain())
        touching = touching.union(flow.intersect_range(node.get_domain()))
        if touching.is_subset(inside):
            false = untagged(_of_tags(_without_flow(dependences), tags))
            found.append(Private(name, distances_of(node, together_above(node, 0, false))))
    if not found:
        return (), None
    own = {tag for each in found for tag in arrays[each.array]}
    rest = _without_flow(dependences).subtract(_of_tags(_without_flow(dependences), own))
    pairs = untagged(dependences.tagged_flow.union(rest))
    return tuple(found), distances_of(node, together_above(node, 0, pairs))


def _local_scalars(scop: Scop, names: Set[str]) -> dict[str, set[str]]:
    """The scalars that the region declares and the nest uses, with the tags of their references."""
    found: dict[str, set[str]] = {}
    used: set[str] = set()
    for statement in scop.statements:
        for access in statement.accesses:
            array = scop.array(access.array)
            is_own = array.is_local and array.rank == 0 and array.variable not in scop.outliving
            if is_own and len(array.parts) == 1:
                found.setdefault(array.name, set()).add(access.tag)
                used |= {array.name} if statement.name in names else set()
    return {name: tags for name, tags in found.items() if name in used}


def _of_tags(tagged: isl.UnionMap, wanted: Set[str]) -> isl.UnionMap:
    """The pairs between references with these tags."""
    kept = isl.UnionMap.empty(tagged.get_space())
    for each in maps_of(tagged):
        if _tags(each) <= wanted:
            kept = kept.union(isl.UnionMap.from_map(each))
    return kept


def _tags(pairs: isl.Map) -> set[str]:
    ends = pairs.get_space().domain(), pairs.get_space().range()
    return {each.unwrap().get_tuple_name(OUT) for each in ends}
