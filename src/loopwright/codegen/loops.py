"""One level (§5.3): Algorithm 3, a for node, or none if there is only one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import islpy as isl

from loopwright.codegen.combining import guarded, hoisted_guard, hoisted_out, shared_enforced
from loopwright.codegen.expressions import bound_conjunction, greatest, upper_condition
from loopwright.codegen.grafts import Graft
from loopwright.codegen.scaling import scaled
from loopwright.codegen.single_values import single_value
from loopwright.codegen.stock import Stock
from loopwright.codegen.strides import Stride, stride_of
from loopwright.codegen.tasks import Executed, Origin, Task, substituted
from loopwright.model.expressions import Constant, Expr
from loopwright.model.loop_ast import For
from loopwright.polyhedra.levels import (
    SET,
    as_relation,
    bounds_at,
    shared_constraints,
    substitution,
    union,
    widened,
    without_last,
)

Next = Callable[[Stock, Executed, Task], list[Graft]]


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The values of one level as far as they can be enforced by a for node."""

    bounds: isl.BasicSet
    """Simplified in the stock; over the outer iterators and the level."""
    stride: Stride | None
    lower: tuple[isl.PwAff, ...]
    upper: tuple[isl.PwAff, ...]
    needed: isl.Set
    """Where the lower and upper bounds have a value, over the outer iterators."""

    def own_constraints(self, level: int) -> isl.Set:
        """The constraints on the value of this level."""
        about = self.bounds.drop_constraints_not_involving_dims(SET, level, 1)
        return isl.Set.from_basic_set(about)

    def outer_constraints(self, level: int) -> isl.Set:
        """The constraints on outer iterators and symbolic constants only."""
        outer = self.bounds.drop_constraints_involving_dims(SET, level, 1)
        return isl.Set.from_basic_set(outer)


def loop_over(
    stock: Stock, executed: Executed, bounds: isl.BasicSet, task: Task, inside: Next
) -> list[Graft]:
    """Algorithm 3: code that runs over the values of the next level inside convex bounds."""
    level = stock.depth
    known = widened(stock.known, 1)
    simplified = isl.Set.from_basic_set(bounds).gist(known)
    if simplified.n_basic_set() == 0:
        return []
    bounds = shared_constraints(simplified)
    domain = union([relation.domain() for relation in executed])
    stride = stride_of(domain, level)
    values = known.intersect(isl.Set.from_basic_set(bounds))
    if stride is not None:
        values = values.intersect(stride.condition(values.get_space(), level))
    value = single_value(bounds, stride, values)
    if value is not None:
        allowed = isl.Set.from_basic_set(bounds)
        if stride is not None:
            allowed = allowed.intersect(stride.condition(allowed.get_space(), level))
        return _eliminated(stock, executed, allowed, value, task, inside)
    if stride is not None and stock.options.scale_strides:
        change = scaled(executed, level, stride)
        if change is not None:
            executed = substituted(executed, change.everywhere)
            task = task.substituted(change.everywhere)
            bounds = bounds.preimage_multi_aff(change.at_level)
            return _loop(stock, executed, bounds, None, stride, task, inside)
    return _loop(stock, executed, bounds, stride, None, task, inside)


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
    level = stock.depth
    domain_space = executed[0].domain().get_space()
    new = allowed.preimage_multi_aff(substitution(allowed.get_space(), level, value))
    new = new.gist(stock.known)
    change = substitution(domain_space, level, value)
    inner = replace(stock.with_pending(new), named=stock.named + 1)
    inner = _recorded(inner, value, task.member.origin)
    here = tuple(run for run in substituted(executed, change) if not run.is_empty())
    children = inside(inner, here, task.substituted(change).after_level())
    if not children:
        return []
    hoisted = hoisted_guard(children, inner)
    node = guarded(children, hoisted, inner)
    enforced = shared_enforced(children)
    guard = _still_needed(new, enforced, stock).intersect(hoisted)
    return [Graft(node, guard, enforced)]


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
    if stock.options.exploit_nested_bounds:
        known = known.intersect(enforced)
    return pending.gist(known)


# --- a loop ---------------------------------------------------------------------------------------


def _loop(
    stock: Stock,
    executed: Executed,
    bounds: isl.BasicSet,
    stride: Stride | None,
    scale: Stride | None,
    task: Task,
    inside: Next,
) -> list[Graft]:
    """A for node around the code for the inner levels; ``scale`` is what it counts in, if not 1."""
    level_number = stock.depth
    level = _bounded(stock, executed, bounds, stride, task)
    own = level.own_constraints(level_number)
    on_stride = None if stride is None else stride.condition(own.get_space(), level_number)
    generated = own if on_stride is None else own.intersect(on_stride)
    outer = level.outer_constraints(level_number).project_out(SET, level_number, 1)
    outer = outer.intersect(level.needed)
    inner = stock.inside_loop(generated, widened(outer, 1))
    inner = _recorded(inner, _schedule_value(inner, scale), task.member.origin)
    before = stock.options.before_each_loop
    annotation = before(inner.build()) if before else None
    children = inside(inner, executed, task.after_level())
    if not children:
        return []
    shared = hoisted_guard(children, inner)
    hoisted = hoisted_out(shared, stock.known)
    body = guarded(children, widened(hoisted, 1), inner)
    enforced = without_last(own.intersect(shared_enforced(children)))
    guard = _still_needed(outer, enforced, stock).intersect(hoisted)
    if on_stride is not None:
        guard = guard.intersect(_implied(on_stride, stock))
    loop = _for_node(stock, level, guard, inner.iterators[-1], body, annotation)
    after = stock.options.after_each_loop
    node = after(loop, stock.build(more=guard)) if after else loop
    return [Graft(node, guard, enforced)]


def _schedule_value(stock: Stock, scale: Stride | None) -> isl.Aff:
    """What the innermost iterator says about its schedule dimension."""
    iterator = stock.current()
    if scale is None:
        return iterator
    offset = scale.offset.add_dims(isl.dim_type.in_, 1)
    return iterator.scale_val(isl.Val(scale.step)).add(offset)


def _implied(on_stride: isl.Set, stock: Stock) -> isl.Set:
    """What a stride says about the outer iterators and a for node does not enforce (Example 5.6)."""
    last = on_stride.dim(SET) - 1
    return on_stride.project_out(SET, last, 1).compute_divs().gist(stock.known)


def _bounded(
    stock: Stock, executed: Executed, bounds: isl.BasicSet, stride: Stride | None, task: Task
) -> Level:
    """The bounds of the level; those that its shared constraints lack come from the domain."""
    number = stock.depth
    lower, upper = bounds_at(bounds, number)
    starts = tuple(isl.PwAff.from_aff(_on_stride(aff, stride, stock)) for aff in lower)
    ends = tuple(isl.PwAff.from_aff(aff) for aff in upper)
    needed = isl.Set.universe(stock.known.get_space())
    if not starts:
        start = _extreme(stock, executed, bounds, lowest=True)
        if start is None:
            raise task.refuse(
                "LW501",
                "a loop has no first iteration: its values have no lower bound",
                "bound the domain, or reverse the schedule",
            )
        starts = (start,)
        needed = needed.intersect(start.domain())
    if not ends:
        end = _extreme(stock, executed, bounds, lowest=False)
        if end is not None:
            ends = (end,)
            needed = needed.intersect(end.domain())
    return Level(bounds, stride, starts, ends, needed)


def _on_stride(bound: isl.Aff, stride: Stride | None, stock: Stock) -> isl.Aff:
    """The first value of the loop that is not below a bound."""
    if stride is None:
        return bound
    difference = bound.sub(stride.offset)
    on_stride = isl.Set.from_basic_set(difference.mod_val(isl.Val(stride.step)).zero_basic_set())
    if stock.generated.is_subset(on_stride):
        return bound
    return stride.at_least(bound)


def _extreme(
    stock: Stock, executed: Executed, bounds: isl.BasicSet, *, lowest: bool
) -> isl.PwAff | None:
    """The smallest or largest value of the level over all that runs there, if it exists."""
    number = stock.depth
    domain = union([relation.domain() for relation in executed])
    inner = domain.dim(SET) - number - 1
    domain = domain.project_out(SET, number + 1, inner).intersect(isl.Set.from_basic_set(bounds))
    relation = as_relation(domain.intersect(widened(stock.known, 1)))
    try:
        found = relation.lexmin_pw_multi_aff() if lowest else relation.lexmax_pw_multi_aff()
    except isl.Error:
        return None
    return found.get_pw_aff(0).coalesce()


def _for_node(
    stock: Stock, level: Level, guard: isl.Set, iterator: str, body, annotation: object
) -> For:
    """The syntax of the loop, in terms of what is certain to hold around it."""
    build = stock.build(more=guard)
    start = greatest(level.lower, build)
    step = 1 if level.stride is None else level.stride.step
    end = _end_condition(stock, level, iterator, build, guard)
    return For(iterator, start, end, step, body, annotation=annotation)


def _end_condition(stock: Stock, level: Level, iterator: str, build, guard: isl.Set) -> Expr:
    if not level.upper:
        return Constant(1)
    number = stock.depth
    uppers = [
        constraint
        for constraint in level.bounds.get_constraints()
        if constraint.is_upper_bound(SET, number) or constraint.is_equality()
    ]
    if stock.options.atomic_upper_bound or len(uppers) != len(level.upper):
        return upper_condition(iterator, level.upper, build)
    inner = replace(
        build,
        iterators=(*stock.iterators, iterator),
        known=widened(build.known, 1),
    )
    return bound_conjunction(iterator, uppers, inner)
