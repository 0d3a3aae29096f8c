"""One level (§5.3): Algorithm 3, a for node, or none if there is only one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import islpy as isl

from loopwright.codegen.bounds import Level, bounded_level, degenerate_level
from loopwright.codegen.build import Build
from loopwright.codegen.combining import guarded, hoisted_guard, hoisted_out, shared_enforced
from loopwright.codegen.expressions import (
    aff_expression,
    bound_conjunction,
    greatest,
    least,
    upper_condition,
)
from loopwright.codegen.grafts import Graft
from loopwright.codegen.naming import with_name
from loopwright.codegen.options import answered
from loopwright.codegen.scaling import scaled
from loopwright.codegen.single_values import implied_value, may_be_piecewise, single_value
from loopwright.codegen.stock import Stock
from loopwright.codegen.strides import Stride, stride_of
from loopwright.codegen.tasks import (
    Executed,
    Origin,
    Task,
    domain_of,
    spend_node,
    substituted,
)
from loopwright.model.expressions import Constant, Expr, Identifier, Operation, Operator
from loopwright.model.loop_ast import For, Node
from loopwright.polyhedra.levels import (
    SET,
    as_relation,
    convex,
    has_divisions,
    projected,
    shared_constraints,
    substitution,
    widened,
    without_last,
)
from loopwright.polyhedra.simplification import simplified_in
from loopwright.polyhedra.values import isl_value

Next = Callable[[Stock, Executed, Task], list[Graft]]


def loop_over(
    stock: Stock, executed: Executed, bounds: isl.BasicSet, task: Task, inside: Next
) -> list[Graft]:
    """Algorithm 3: code that runs over the values of the next level inside convex bounds."""
    known = widened(stock.known, 1)
    # Only convex knowledge leaves the bounds convex.  Simplification may find a stride, which is no
    # bound.
    simplified = simplified_in(isl.Set.from_basic_set(bounds), convex(known))
    simplified = projected(simplified, stock.depth)
    if simplified.n_basic_set() == 0:
        return []
    bounds = shared_constraints(simplified)
    domain = domain_of(executed)
    stride = stride_of(domain, stock.depth)
    if stride is not None:
        bounds = stride.tightened(bounds, stock.depth)
    allowed = isl.Set.from_basic_set(bounds)
    if stride is not None:
        allowed = allowed.intersect(stride.condition(allowed.get_space(), stock.depth))
    values = known.intersect(allowed)
    if values.is_empty():
        return []
    value = single_value(bounds, stride, values)
    if value is None:
        value = implied_value(domain, values)
    if value is not None:
        return _eliminated(stock, executed, allowed, value, task, inside)
    if may_be_piecewise(bounds) and as_relation(values).is_single_valued():
        level = degenerate_level(bounds, stride, values)
        return _loop(stock, executed, level, None, task, inside)
    change = None
    if stride is not None and stock.options.scale_strides:
        change = scaled(executed, stock.depth, stride)
    if change is None:
        level = bounded_level(stock, executed, bounds, stride, task)
        return _loop(stock, executed, level, None, task, inside)
    executed = substituted(executed, change.everywhere)
    task = task.substituted(change.everywhere)
    bounds = bounds.preimage_multi_aff(change.at_level)
    level = bounded_level(stock, executed, bounds, None, task)
    return _loop(stock, executed, level, stride, task, inside)


# --- a single value -------------------------------------------------------------------------------


def at_value(
    stock: Stock, executed: Executed, bounds: isl.BasicSet, value: isl.Aff, task: Task, inside: Next
) -> list[Graft]:
    """Code for one value of the next level; there need not be anything that runs at it."""
    return _eliminated(stock, executed, isl.Set.from_basic_set(bounds), value, task, inside)


def _eliminated(
    stock: Stock, executed: Executed, allowed: isl.Set, value: isl.Aff, task: Task, inside: Next
) -> list[Graft]:
    """No loop: the level has one value, an expression over the outer iterators."""
    spend_node(stock, task.name)
    level = stock.depth
    domain_space = executed[0].domain().get_space()
    new = allowed.preimage_multi_aff(substitution(allowed.get_space(), level, value))
    new = simplified_in(new, stock.known)
    change = substitution(domain_space, level, value)
    inner = replace(_with_conditions(stock, new), named=stock.named + 1)
    inner = _recorded(inner, value, task.member.origin)
    here = tuple(run for run in substituted(executed, change) if not run.is_empty())
    children = inside(inner, here, task.substituted(change).after_level())
    if not children:
        return []
    hoisted = hoisted_guard(children, inner)
    node = guarded(children, hoisted, inner)
    enforced = shared_enforced(children)
    guard = _still_needed(new, enforced, stock).intersect(hoisted)
    if has_divisions(value):
        written = aff_expression(value, stock.build(more=guard))
        node = with_name(node, stock.names(stock.named), written)
    return [Graft(node, guard, enforced)]


def _with_conditions(stock: Stock, conditions: isl.Set) -> Stock:
    """The stock inside of conditions, which are tested outside, or left to the code inside."""
    if stock.options.tests_early:
        return stock.with_generated(conditions)
    return stock.with_pending(conditions)


def _recorded(stock: Stock, value: isl.Aff, origin: Origin) -> Stock:
    """The stock after a level: what its value says about the schedule dimensions."""
    match origin:
        case Origin.SCHEDULE:
            return stock.scheduled_at(value)
        case Origin.SHIFT:
            *outer, last = stock.schedule
            return replace(stock, schedule=(*outer, last.add(value)), named=stock.named - 1)
        case Origin.INSTANCE:
            return stock


def _still_needed(pending: isl.Set, enforced: isl.Set, stock: Stock) -> isl.Set:
    """Pending conditions that neither the code outside nor the code inside enforces."""
    if pending.plain_is_universe():
        return pending
    known = stock.generated
    if stock.options.exploit_nested_bounds and not stock.options.tests_early:
        known = known.intersect(enforced)
    return simplified_in(pending, known)


# --- a loop ---------------------------------------------------------------------------------------


def _loop(
    stock: Stock,
    executed: Executed,
    level: Level,
    scale: Stride | None,
    task: Task,
    inside: Next,
) -> list[Graft]:
    """A for node around the code for the inner levels; ``scale`` is what it counts in, if not 1."""
    spend_node(stock, task.name)
    own = level.own_constraints()
    on_stride = None
    if level.stride is not None:
        on_stride = level.stride.condition(own.get_space(), level.number)
    generated = own if on_stride is None else own.intersect(on_stride)
    outer = level.outer_constraints()
    if stock.options.tests_early:
        generated = generated.intersect(widened(outer, 1))
    inner = stock.inside_loop(generated, widened(outer, 1), is_degenerate=level.is_degenerate)
    assert task.member.origin is not Origin.SHIFT, "a shift is the same for all of a component"
    inner = _recorded(inner, _schedule_value(inner, scale), task.member.origin)
    before = stock.options.before_each_loop
    annotation = before(inner.build()) if before else None
    children = inside(inner, executed, task.after_level())
    if not children:
        return []
    hoisted = hoisted_out(hoisted_guard(children, inner), stock.known)
    body = guarded(children, widened(hoisted, 1), inner)
    enforced = without_last(own.intersect(shared_enforced(children)))
    # Conditions that are pending further out are claimed here, so that the bounds may rely on them.
    pending = outer.intersect(stock.pending)
    guard = _still_needed(pending, enforced, stock).intersect(hoisted)
    guard = guard.intersect(simplified_in(level.needed, stock.generated))
    if on_stride is not None and not level.is_degenerate:
        guard = guard.intersect(_implied(on_stride, stock))
    if stock.options.is_mapped and not level.is_degenerate:
        guard = guard.intersect(_has_iteration(level, stock))
    loop = _for_node(stock, level, guard, inner.iterators[-1], body, annotation)
    after = stock.options.after_each_loop
    node = answered("after_each_loop", after(loop, stock.build(more=guard))) if after else loop
    return [Graft(node, guard, enforced)]


def _schedule_value(stock: Stock, scale: Stride | None) -> isl.Aff:
    """What the innermost iterator says about its schedule dimension."""
    iterator = stock.current()
    if scale is None:
        return iterator
    offset = scale.offset.add_dims(isl.dim_type.in_, 1)
    return iterator.scale_val(isl_value(scale.step)).add(offset)


def _implied(conditions: isl.Set, stock: Stock) -> isl.Set:
    """What conditions on a level say about the outer iterators, where the for node does not.

    A for node starts at a value of the stride and takes steps from there; it does not test that the
    stride has any value at all (Example 5.6).
    """
    last = conditions.dim(SET) - 1
    return simplified_in(conditions.project_out(SET, last, 1).compute_divs(), stock.generated)


def _has_iteration(level: Level, stock: Stock) -> isl.Set:
    """Where the loop runs at all (multiple mappings §3: no loop is entered in vain).

    Over the rationals, so that a stride that misses a short interval is not noticed.
    """
    return simplified_in(without_last(isl.Set.from_basic_set(level.bounds)), stock.generated)


def _for_node(
    stock: Stock, level: Level, guard: isl.Set, iterator: str, body: Node, annotation: object
) -> For:
    """The syntax of the loop, in terms of what is certain to hold around it."""
    build = stock.build(more=guard)
    start = _extreme(
        Operator.MINIMUM, [greatest(alternative, build) for alternative in level.lower]
    )
    step = 1 if level.stride is None else level.stride.step
    end = _end_condition(stock, level, iterator, build)
    return For(iterator, start, end, step, body, level.is_degenerate, annotation)


def _extreme(operator: Operator, choices: list[Expr]) -> Expr:
    distinct = tuple(dict.fromkeys(choices))
    return distinct[0] if len(distinct) == 1 else Operation(operator, distinct)


def _end_condition(stock: Stock, level: Level, iterator: str, build: Build) -> Expr:
    if not level.upper:
        return Constant(1)
    bounds, *others = level.upper
    if others:
        ends = [least(alternative, build) for alternative in level.upper]
        end = _extreme(Operator.MAXIMUM, ends)
        return Operation(Operator.LESS_OR_EQUAL, (Identifier(iterator), end))
    uppers = [
        constraint
        for constraint in level.bounds.get_constraints()
        if constraint.is_upper_bound(SET, level.number)
    ]
    if stock.options.atomic_upper_bound or len(uppers) != len(bounds):
        return upper_condition(iterator, bounds, build)
    inside = replace(build, iterators=(*stock.iterators, iterator), known=widened(build.known, 1))
    return bound_conjunction(iterator, uppers, inside)
