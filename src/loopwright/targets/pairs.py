"""The pairs of instances whose order matters to a band, by what makes them matter.

Some of them matter less: steps of a reduction may run in any order if that was allowed, and a local
variable may be one for each thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.dependences import Dependence, Dependences, Kind, Reduction
from loopwright.model.scop import Scop, union_map
from loopwright.polyhedra.order import together_above
from loopwright.polyhedra.unions import maps_of

OUT, SET = isl.dim_type.out, isl.dim_type.set


@record(eq=False)
class Relaxed:
    """The dependences of a region in which some are not to be kept, for a reason."""

    scop: Scop
    conflicts: tuple[Dependence, ...]
    reductions: tuple[Reduction, ...]
    tagged_may_live_in: isl.UnionMap


Known = Dependences | Relaxed


@record(eq=False)
class Steps:
    """A reduction, and how far the members run its steps apart."""

    reduction: Reduction
    distances: isl.Set
    is_variable: bool
    """Does it gather in a scalar variable?"""


@record(eq=False)
class Private:
    """A local variable whose values stay in an iteration of the loops around a band.

    ``distances`` are those of pairs that exist only because it is one variable.
    """

    array: str
    distances: isl.Set


def pairs_of(edges: Iterable[Dependence]) -> isl.UnionMap:
    """The pairs of instances of some dependences."""
    return union_map(each.pairs for each in edges)


def distances_of(node: isl.ScheduleNode, pairs: isl.UnionMap) -> isl.Set:
    """How far the members of a band run pairs apart."""
    times = isl.UnionMap.from_multi_union_pw_aff(
        node.band_get_partial_schedule().reset_tuple_id(SET)
    )
    found = pairs.apply_domain(times).apply_range(times).deltas()
    space = node.band_get_partial_schedule().reset_tuple_id(SET).get_space()
    return found.extract_set(space.drop_all_params())


# --- steps of reductions --------------------------------------------------------------------------


def strict_distances(node: isl.ScheduleNode, dependences: Known) -> isl.Set:
    """The distances of what is not a step of a reduction."""
    strict = [each for each in dependences.conflicts if each.reduction is None]
    return _distances_together(node, strict)


def steps_at(node: isl.ScheduleNode, dependences: Known, names: Set[str]) -> Iterator[Steps]:
    """The reductions of some statements, with the distances of their steps."""
    for reduction in dependences.reductions:
        if reduction.statement in names:
            own = [each for each in dependences.conflicts if each.reduction is reduction]
            array = dependences.scop.array(reduction.array)
            is_variable = array.rank == 0 and len(array.parts) == 1
            yield Steps(reduction, _distances_together(node, own), is_variable)


def _distances_together(node: isl.ScheduleNode, edges: Iterable[Dependence]) -> isl.Set:
    """The distances of what nothing above the band runs apart."""
    return distances_of(node, together_above(node, 0, pairs_of(edges)))


# --- variables of threads -------------------------------------------------------------------------


def privates_at(
    node: isl.ScheduleNode, dependences: Known, names: Set[str]
) -> tuple[tuple[Private, ...], isl.Set | None]:
    """The variables that could be private, and the distances of all that is not about them."""
    found: list[Private] = []
    for name in _own_scalars(dependences, names):
        own = [each for each in dependences.conflicts if each.array == name]
        flow = pairs_of(each for each in own if each.kind is Kind.FLOW)
        touching = flow.intersect_domain(node.get_domain())
        touching = touching.union(flow.intersect_range(node.get_domain()))
        if touching.is_subset(together_above(node, 0, flow)):
            false = [each for each in own if each.kind is not Kind.FLOW]
            found.append(Private(name, _distances_together(node, false)))
    if not found:
        return (), None
    private = {each.array for each in found}
    rest = [
        each
        for each in dependences.conflicts
        if each.kind is Kind.FLOW or each.array not in private
    ]
    return tuple(found), _distances_together(node, rest)


def _own_scalars(dependences: Known, names: Set[str]) -> list[str]:
    """The scalars that some statements use, and that have no value outside of the region."""
    scop = dependences.scop
    entering = {each.get_tuple_name(OUT) for each in maps_of(dependences.tagged_may_live_in)}
    used = {
        access.array
        for statement in scop.statements
        if statement.name in names
        for access in statement.accesses
    }
    return [
        each.name
        for each in scop.arrays
        if each.name in used and each.rank == 0 and len(each.parts) == 1
        if not each.is_live_out and each.name not in entering
        if each.variable not in scop.outliving
    ]
