"""What has to be copied to and from a device that runs a part of a region (PPCG §5.2)."""

from __future__ import annotations

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.dependences import Dependences
from loopwright.model.scop import Array, Scop, union_set
from loopwright.polyhedra.unions import sets_of


@record(eq=False)
class Transfers:
    """Sets of elements; ``copy_in`` before the part and ``copy_out`` after it.

    ``copy_out`` are whole arrays.  ``may_persist`` may have to survive the part, and
    ``may_not_written`` are those of them that would be copied out without having been written.
    """

    copy_in: isl.UnionSet
    copy_out: isl.UnionSet
    may_persist: isl.UnionSet
    may_not_written: isl.UnionSet


def transfers(dependences: Dependences, part: isl.UnionSet | None = None) -> Transfers:
    """The transfers for the instances of a part of the region, by default for all of it."""
    scop = dependences.scop
    inside = (part if part is not None else scop.domain).intersect_params(scop.context)
    leaving = _written_for_others(dependences, inside)
    copy_out = _whole_arrays(scop, leaving)
    may_persist = _preserved(scop).union(_passing(dependences, inside))
    written = scop.must_writes().intersect_domain(inside).range()
    may_not_written = copy_out.intersect(may_persist).subtract(written)
    needed = _read_from_others(dependences, inside)
    return Transfers(needed.union(may_not_written), copy_out, may_persist, may_not_written)


def _written_for_others(dependences: Dependences, inside: isl.UnionSet) -> isl.UnionSet:
    """The elements that the part writes and somebody outside it may read."""
    leaving = _crossing(dependences, inside).domain()
    writes = dependences.scop.may_writes(tagged=True).intersect_domain(leaving)
    return _elements(writes.union(dependences.tagged_may_live_out), inside)


def _read_from_others(dependences: Dependences, inside: isl.UnionSet) -> isl.UnionSet:
    """The elements that the part reads and somebody outside it may have written."""
    coming = _crossing(dependences, inside).range()
    reads = dependences.scop.may_reads(tagged=True).intersect_domain(coming)
    return _elements(reads.union(dependences.tagged_may_live_in), inside)


def _crossing(dependences: Dependences, inside: isl.UnionSet) -> isl.UnionMap:
    """The flow that does not stay in the part."""
    flow = dependences.tagged_flow
    return flow.subtract(_between(flow, inside, inside))


def _elements(tagged: isl.UnionMap, inside: isl.UnionSet) -> isl.UnionSet:
    """What the instances of the part touch by these references."""
    return tagged.domain_factor_domain().intersect_domain(inside).range()


def _passing(dependences: Dependences, inside: isl.UnionSet) -> isl.UnionSet:
    """The elements whose values may pass by the part: they come from and go to others."""
    flow = dependences.tagged_flow
    outside = dependences.scop.domain.subtract(inside)
    passing = _between(flow, outside, outside).domain()
    writes = dependences.scop.may_writes(tagged=True).intersect_domain(passing).range()
    coming = dependences.may_live_in.intersect_domain(outside).range()
    going = dependences.may_live_out.intersect_domain(outside).range()
    return writes.union(coming).union(going)


def _between(flow: isl.UnionMap, sources: isl.UnionSet, sinks: isl.UnionSet) -> isl.UnionMap:
    """The tagged pairs of a relation with these instances as sources and sinks."""
    from_sources = flow.intersect_domain_wrapped_domain_union_set(sources)
    return from_sources.intersect_range_wrapped_domain_union_set(sinks)


def _preserved(scop: Scop) -> isl.UnionSet:
    """What the region may leave as it was: neither written nor killed for certain."""
    certain = scop.must_writes().union(scop.must_kills()).range()
    everything = _whole_arrays(scop, scop.may_reads().union(scop.may_writes()).range())
    return everything.subtract(certain)


def _whole_arrays(scop: Scop, elements: isl.UnionSet) -> isl.UnionSet:
    """The arrays that the elements belong to, as far as the source tells how large they are."""
    found: list[isl.Set] = []
    for each in sets_of(elements):
        array = scop.array(each.get_tuple_name())
        whole = array.elements().intersect_params(each.params())
        found.append(each if _is_endless(array) else whole)
    return union_set(found).intersect_params(scop.context)


def _is_endless(array: Array) -> bool:
    return any(each is None for each in array.extents)
