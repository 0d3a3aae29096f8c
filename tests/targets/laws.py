"""What must hold of every mapped tree, asked of the tree and the dependences, never of the plans.

* It runs exactly the instances of the region.
* It respects all dependences; live ranges may change places as a whole.
* A loop under a mark for threads or for vectors carries nothing; one for threads may give each
  iteration its own variables, if no value of theirs goes from one to another, and none comes from
  before the region or goes on after it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import islpy as isl

from loopwright import carried_by, dependences, violations
from loopwright.model.dependences import Dependence, Dependences, Kind
from loopwright.model.scop import Scop, union_set
from loopwright.polyhedra.order import leaf_instances
from loopwright.polyhedra.unions import maps_of

OUT = isl.dim_type.out
NODE = isl.schedule_node_type
CONCURRENT = ("omp parallel for", "omp simd")


def executed(scop: Scop) -> isl.UnionSet:
    """All instances that execute something."""
    return union_set(each.domain for each in scop.statements if not each.is_kill)


def broken_laws(
    tree: isl.Schedule, scop: Scop, expanded: Collection[str] = frozenset()
) -> list[str]:
    """The laws that the tree breaks, one sentence for each place.

    Arrays that are ``expanded`` have several copies, so that nothing has to wait until nobody
    needs an old value any more.
    """
    wanted = executed(scop).intersect_params(scop.context)
    run = leaf_instances(tree).intersect_params(scop.context)
    if not run.is_equal(wanted):
        return [f"instances: {run} instead of {wanted}"]
    late = [
        f"order: {each}"
        for each in violations(tree, dependences(scop))
        if each.kind is Kind.FLOW or each.array not in expanded
    ]
    all_pairs = dependences(scop, live_range_reordering=False)
    return [*late, *concurrency_errors(tree, all_pairs, expanded)]


def concurrency_errors(
    tree: isl.Schedule, found: Dependences, expanded: Collection[str] = frozenset()
) -> Iterator[str]:
    """The loops that a mark calls parallel and that are not."""
    for mark, band in marked_bands(tree):
        carried = [
            each
            for each in carried_by(band, found)
            if each.kind is Kind.FLOW or each.array not in expanded
        ]
        if mark.startswith("omp parallel"):
            carried = [each for each in carried if not is_about_memory(each, found)]
        if carried:
            yield f"{mark}: {band.band_get_partial_schedule()} carries something"


def is_about_memory(dependence: Dependence, found: Dependences) -> bool:
    """Would there be nothing to wait for if each iteration had its own variable?

    None with a value from before the region, or with one that is wanted after it.
    """
    array = found.scop.array(dependence.source.access.array)
    is_own = array.is_local or not (array.is_live_out or array.name in entering(found))
    return dependence.kind is not Kind.FLOW and is_own and array.rank == 0


def entering(found: Dependences) -> set[str]:
    """The arrays with elements that may be read before the region writes them."""
    return {each.get_tuple_name(OUT) for each in maps_of(found.tagged_may_live_in)}


def marked_bands(tree: isl.Schedule) -> list[tuple[str, isl.ScheduleNode]]:
    """The loops that a mark calls parallel, each with its mark."""
    found: list[tuple[str, isl.ScheduleNode]] = []

    def look(node: isl.ScheduleNode) -> bool:
        if node.get_type() == NODE.mark:
            name = node.mark_get_id().get_name()
            if name.startswith(CONCURRENT):
                found.append((name, node.child(0)))
        return True

    tree.get_root().foreach_descendant_top_down(look)
    return found
