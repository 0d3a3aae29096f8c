"""The core of the generator (§5.1): Algorithms 1 and 2, from a relation to a list of grafts."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from loopwright.codegen.components import components
from loopwright.codegen.grafts import Graft
from loopwright.codegen.isolation import parts_around
from loopwright.codegen.lifting import lifted_loops
from loopwright.codegen.loops import at_value
from loopwright.codegen.mappings import next_mapped_level
from loopwright.codegen.options import LoopType
from loopwright.codegen.separation import (
    disjoint_parts,
    in_order,
    in_order_alike_together,
    separated,
)
from loopwright.codegen.shifts import without_shifts
from loopwright.codegen.stock import Stock
from loopwright.codegen.strides import stride_of
from loopwright.codegen.tasks import Executed, Task, aligned, domain_of, restricted, values_at
from loopwright.codegen.unrolling import unrolled_values
from loopwright.polyhedra.levels import projected, shared_constraints, union, widened
from loopwright.polyhedra.limits import OutOfOperations, context_is_spent


def band_levels(stock: Stock, executed: Executed, task: Task) -> list[Graft]:
    """The code for all levels of a band, or a diagnostic that names the band if that takes long."""
    stock, executed = aligned(stock, executed)
    try:
        first = next_mapped_level if stock.options.is_mapped else next_level
        return first(stock, executed, task)
    except (isl.Error, OutOfOperations, RecursionError) as error:
        if isinstance(error, isl.Error) and not context_is_spent():
            raise
        raise task.too_complex() from error


def next_level(stock: Stock, executed: Executed, task: Task) -> list[Graft]:
    """Algorithm 1: the code for the levels that are still to come."""
    if not executed:
        return []
    if not task.members:
        return task.inside(stock, executed)
    grafts: list[Graft] = []
    for component in components(executed, stock.known, task, stock.options.whole_marks):
        shifted, changed = without_shifts(component, stock.depth, task)
        grafts += _component(stock, shifted, changed)
    return grafts


def _component(stock: Stock, executed: Executed, task: Task) -> list[Graft]:
    """The second half of Algorithm 1: the values of the level, in parts if some are isolated."""
    exact = stock.options.exact_projection
    domains = [projected(relation.domain(), stock.depth, exact=exact) for relation in executed]
    domain = domains[0] if len(domains) == 1 else union(domains).coalesce()
    if task.isolated is None:
        return _base(stock, executed, domain, domains, task, is_part=False)
    parts = parts_around(
        domain,
        task.isolated,
        stock.known,
        is_last=len(task.members) == 1,
        merge=stock.options.merge_isolated_rest,
    )
    grafts: list[Graft] = []
    for part, is_isolated in parts:
        here = replace(
            task, isolated=task.isolated if is_isolated else None, in_isolated=is_isolated
        )
        of_part = [values.intersect(part) for values in domains]
        grafts += _base(stock, executed, part, of_part, here, is_part=len(parts) > 1)
    return grafts


def _base(
    stock: Stock,
    executed: Executed,
    domain: isl.Set,
    domains: list[isl.Set],
    task: Task,
    *,
    is_part: bool,
) -> list[Graft]:
    """Algorithm 2: disjoint convex parts of the level, in order, and code for each."""
    if task.loop_type() is LoopType.UNROLL:
        return _unrolled(stock, restricted(executed, domain) if is_part else executed, domain, task)
    parts = _parts(stock, domain, domains, task.loop_type())
    if len(parts) == 1 and not is_part:
        return lifted_loops(stock, executed, parts[0], task, next_level)
    grafts: list[Graft] = []
    for part in parts:
        here = restricted(executed, part)
        if here:
            values = values_at(here, stock.depth, exact=stock.options.exact_projection)
            within = values.intersect(part).coalesce()
            grafts += lifted_loops(stock, here, within, task, next_level)
    return grafts


def _unrolled(stock: Stock, executed: Executed, domain: isl.Set, task: Task) -> list[Graft]:
    """The values of the level one by one (§5.5)."""
    if not executed:
        return []
    everywhere = domain_of(executed)
    stride = stride_of(everywhere, stock.depth)
    values = unrolled_values(domain, stride, stock.known, task, stock.options.max_nodes)
    bounds = shared_constraints(domain)
    return [
        graft
        for value in values
        for graft in at_value(stock, executed, bounds, value, task, next_level)
    ]


def _parts(stock: Stock, domain: isl.Set, domains: list[isl.Set], kind: LoopType) -> list[isl.Set]:
    """How the type of the level breaks up its values (§5.4)."""
    if kind is LoopType.ATOMIC:
        return [domain]
    parts = separated(domains) if kind is LoopType.SEPARATE else disjoint_parts(domain)
    if len(parts) == 1:
        return parts
    known = widened(stock.known, 1)
    parts = [part for part in parts if not part.intersect(known).is_empty()]
    if kind is LoopType.DEFAULT and stock.options.allow_or:
        return in_order_alike_together(parts, stock.depth)
    return in_order(parts, stock.depth)
