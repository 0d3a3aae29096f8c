"""Arrays whose accesses keep their order: the classical condition, array by array.

If the copies of all statements touch the same elements of an array as the originals, nothing else
touches it, and every two accesses to an element of which one writes are in their original order,
then each read gets its value from the same write as before, and the array ends with the same
content.  It is enough to look at the dependences that imply the others (flow, and from each access
to the next write).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import islpy as isl

from loopwright.model.dependences import Dependences
from loopwright.polyhedra.unions import maps_of
from loopwright.verify.failure import NotProved, instance_text
from loopwright.verify.matching import Copy, Correspondence
from loopwright.verify.timeline import Timeline, always_before


def dependence_pairs(dependences: Dependences, array: str) -> Iterator[isl.Map]:
    """``{ S[i] -> T[j] }`` for the dependences through an array."""
    for triples in (dependences.flow_triples, dependences.false_triples):
        for each in maps_of(triples):
            element = each.get_space().range().unwrap()
            if element.get_tuple_name(isl.dim_type.out) == array:
                yield each.range_factor_domain().factor_domain()


def require_order(
    pairs: Iterable[isl.Map], found: Correspondence, timeline: Timeline, array: str
) -> None:
    """Show that each pair of original instances runs in this order in the new text."""
    copies: dict[str, list[tuple[Copy, isl.Map]]] = {}
    for copy in found.copies:
        copies.setdefault(copy.old.name, []).append((copy, copy.instances.reverse()))
    for each in pairs:
        relation = each.intersect_params(found.possible)
        source = relation.get_tuple_name(isl.dim_type.in_)
        sink = relation.get_tuple_name(isl.dim_type.out)
        for first, runs in copies.get(source, []):
            half = relation.apply_domain(runs)
            if half.is_empty():
                continue
            for second, also_runs in copies.get(sink, []):
                times = (timeline.times(one.new.name) for one in (first, second))
                if not always_before(*times):
                    placed = half.apply_range(also_runs)
                    _require_order(placed, first, second, timeline, array)


def _require_order(
    placed: isl.Map, first: Copy, second: Copy, timeline: Timeline, array: str
) -> None:
    if placed.is_empty():
        return
    late = placed & timeline.after(first.new.name, second.new.name)
    if not late.is_empty():
        instances = late.reverse().domain().apply(second.instances)
        witness = instance_text(instances, second.old)
        reason = f"{second.new.text} runs before {first.new.text}, which it depends on by {array}"
        raise NotProved(reason, witness, second.new.span)
