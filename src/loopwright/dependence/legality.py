"""Does a schedule keep to the dependences, and if not, where does it fail?"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace

import islpy as isl

from loopwright.basics.records import record
from loopwright.dependence.limits import bounded, enough_operations
from loopwright.dependence.witnesses import Side, Witness, witness
from loopwright.model.dependences import (
    Dependence,
    Dependences,
    Kind,
    Triples,
    at_elements,
    kept,
)
from loopwright.model.scop import Scop, type_ranges, union_set
from loopwright.polyhedra.order import Scheduled, leaf_instances, not_in_order, tree_of
from loopwright.polyhedra.unions import maps_of


@record(eq=False)
class Violation:
    """A dependence that a schedule does not respect, with the smallest pair of iterations."""

    witness: Witness

    @property
    def kind(self) -> Kind:
        """What both sides do to the element that they share."""
        return self.witness.kind

    @property
    def array(self) -> str:
        """The array that they share."""
        return self.witness.array

    @property
    def parameters(self) -> dict[str, int]:
        """The values of the parameters for which the pair is violated."""
        return self.witness.parameters

    @property
    def source(self) -> Side:
        """What has to come first."""
        return self.witness.source

    @property
    def sink(self) -> Side:
        """What has to come later."""
        return self.witness.sink

    def __str__(self) -> str:
        """Which instance comes too early, as a sentence."""
        return f"{self.witness}; the schedule does not run them in this order"


def respects(schedule: Scheduled, dependences: Dependences | isl.UnionMap) -> bool:
    """Does every source run strictly before its sink?

    Legal iff { s -> t in D : θ(s) ≥lex θ(t) } is empty (Loopy §4.1).  With live-range reordering, D
    are the flow and the forced dependences, and no two live ranges of an element may overlap.  A
    schedule that does not run exactly the instances of the region is a ``ValueError``.

    >>> backwards = isl.UnionMap("{ S[i] -> [-i] : 0 <= i < 9 }")
    >>> respects(backwards, isl.UnionMap("{ S[i] -> S[i + 1] : 0 <= i < 8 }"))
    False
    """
    if isinstance(dependences, isl.UnionMap):
        return _late(schedule, dependences).is_empty()
    with _bounded(dependences):
        return _respects(_tree(schedule, dependences.scop), dependences)


def _respects(tree: isl.Schedule, dependences: Dependences) -> bool:
    always = _always_but_flow(dependences).range_factor_domain().factor_domain()
    if not _late(tree, dependences.flow.union(always)).is_empty():
        return False
    return all(each.is_empty() for each in _overlaps(tree, dependences))


def violations(schedule: Scheduled, dependences: Dependences) -> list[Violation]:
    """Each dependence that the schedule violates, by references, in the order of the source.

    >>> from loopwright import dependences, read_c
    >>> program = '''void f(int n, double A[n]) {
    ... #pragma scop
    ...   for (int i = 1; i < n; i++)
    ...     A[i] = A[i - 1];
    ... #pragma endscop
    ... }'''
    >>> found = dependences(read_c(program)[0])
    >>> (broken,) = violations(isl.UnionMap("[n] -> { S0[i] -> [-i] : 0 < i < n }"), found)
    >>> print(broken.kind.value, broken.array, broken.source.iteration, broken.sink.iteration)
    flow A (1,) (2,)
    """
    with _bounded(dependences):
        return _violations(_tree(schedule, dependences.scop), dependences)


def _tree(schedule: Scheduled, scop: Scop) -> isl.Schedule:
    """The schedule as a tree; a ``ValueError`` if it does not run what the region runs.

    A map may speak of more instances than there are; kills need no time.
    """
    tree = tree_of(schedule)
    if not isinstance(schedule, isl.Schedule):
        tree = tree.intersect_domain(scop.domain)
    run = leaf_instances(tree).intersect_params(scop.context)
    known = scop.domain.intersect_params(scop.context)
    executed = union_set(each.domain for each in scop.statements if not each.is_kill)
    missing = executed.intersect_params(scop.context).subtract(run)
    if not missing.is_empty():
        raise ValueError(f"the schedule does not run {missing}")
    if not run.is_subset(known):
        raise ValueError(f"the schedule runs what the region does not: {run.subtract(known)}")
    return tree


def _bounded(dependences: Dependences) -> AbstractContextManager[None]:
    scop = dependences.scop
    return bounded(scop, 4 * enough_operations(scop), "the order of this schedule is")


def _violations(tree: isl.Schedule, dependences: Dependences) -> list[Violation]:
    edges = dependences.labelled(dependences.flow_triples, Kind.FLOW)
    edges += dependences.labelled(_always_but_flow(dependences), Kind.ANTI, Kind.OUTPUT)
    late = not_in_order(tree, [isl.UnionMap.from_map(each.pairs) for each in edges])
    found = [
        replace(edge, pairs=pairs)
        for edge, relation in zip(edges, late, strict=True)
        for pairs in maps_of(relation)
    ]
    intruding, displaced = _overlaps(tree, dependences)
    found += dependences.labelled(intruding, Kind.ANTI, Kind.OUTPUT)
    found += dependences.labelled(displaced, Kind.OUTPUT)
    possible = type_ranges(dependences.scop.parameters)
    found = [each for each in found if not each.pairs.intersect_params(possible).is_empty()]
    return [Violation(witness(each, dependences.scop)) for each in _distinct(found)]


def _always_but_flow(dependences: Dependences) -> Triples:
    """What must be kept besides flow, whatever happens to live ranges (PPCG §4.3)."""
    forced = dependences.forced_triples
    return forced if forced is not None else dependences.false_triples


def _distinct(found: list[Dependence]) -> list[Dependence]:
    """One for each kind and pair of references, in the order of the source."""
    unique: dict[tuple[str, str, str, Kind], Dependence] = {}
    for each in found:
        ends = each.source.access.tag, each.sink.access.tag, each.array
        unique.setdefault((*ends, each.kind), each)
    return sorted(unique.values(), key=Dependence.place)


def _late(schedule: Scheduled, pairs: isl.UnionMap) -> isl.UnionMap:
    (late,) = not_in_order(schedule, [pairs])
    return late


# --- live ranges ----------------------------------------------------------------------------------


def _overlaps(tree: isl.Schedule, dependences: Dependences) -> tuple[Triples, Triples]:
    """Where live ranges of an element overlap, as dependences of two kinds.

    A live range is a write w and a read r of its value, or a lone write.  Of two live ranges of an
    element, w → r and later w' → r', the order dependence r → w' keeps the first before the second.
    Where it is not respected, the second must be entirely before the first.  If w' does not run
    before w, it *intrudes* between w and r: that is r → w'.  If it does, but r' does not, then w
    intrudes there, *displaced* from before w': that is w → w'.
    """
    order, lone = dependences.order_triples, dependences.tagged_lone_writes
    apart = dependences.order
    if order is None or lone is None or apart is None or _late(tree, apart).is_empty():
        nothing = isl.UnionMap.empty(dependences.flow_triples.get_space())
        return nothing, nothing
    flow = at_elements(dependences.flow_triples)
    # What is forced as well is judged without regard to live ranges.
    optional = at_elements(order.subtract(_always_but_flow(dependences)))
    moved = _late_at_elements(tree, _of_some_use(optional, flow, lone.wrap()))
    start_of = flow.reverse().union(lone.wrap().identity())
    second_to_first = moved.reverse().apply_range(start_of)
    not_before = _late_at_elements(tree, second_to_first)
    intruding = moved.intersect(start_of.apply_range(not_before.reverse()))
    before = second_to_first.subtract(not_before)
    unfinished = _late_at_elements(tree, flow.reverse().apply_range(before))
    displaced = unfinished.reverse().apply_range(flow.reverse()).intersect(before.reverse())
    return _triples(intruding), _triples(displaced)


def _of_some_use(order: isl.UnionMap, flow: isl.UnionMap, lone: isl.UnionSet) -> isl.UnionMap:
    """Without the order of two lone writes, whose values nobody asks for."""
    idle = lone.subtract(flow.range())
    return order.subtract(order.intersect_domain(idle).intersect_range(lone))


def _triples(at_elements: isl.UnionMap) -> Triples:
    return at_elements.domain_factor_domain()


def _late_at_elements(tree: isl.Schedule, relation: isl.UnionMap) -> isl.UnionMap:
    """The pairs of tagged instances with elements that are not in order."""
    return kept(relation, lambda pairs: not_in_order(tree, pairs), depth=2)
