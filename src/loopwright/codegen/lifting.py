"""Lifting control overhead out of loops (multiple mappings §7), at the price of copies.

The values of a loop are cut in two at a constraint that something inside has to test; each side
gets a loop of its own, in which there is nothing left to test.  Then again, one constraint at a
time, because each cut may make others needless.

A remainder of the loop's own iterator cannot be cut at.  There the loop takes longer steps, in
which each remainder has its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import lcm

import islpy as isl

from loopwright.basics.records import record
from loopwright.codegen.grafts import Graft
from loopwright.codegen.interpretation import names_in
from loopwright.codegen.loops import Next, at_value, loop_over
from loopwright.codegen.options import LoopType
from loopwright.codegen.overhead import Overhead, overheads
from loopwright.codegen.separation import convex_bounds
from loopwright.codegen.stock import Stock
from loopwright.codegen.strides import stride_of
from loopwright.codegen.tasks import (
    Executed,
    Member,
    Origin,
    Task,
    domain_of,
    restricted,
    substituted,
    values_at,
)
from loopwright.model.expression_values import expression_value
from loopwright.model.expressions import Constant, Expr, Operation, Operator
from loopwright.model.loop_ast import For, Node, User, children, walk
from loopwright.polyhedra.instances import instance_set
from loopwright.polyhedra.levels import (
    SET,
    level_aff,
    plain_space,
    widened,
    widened_aff,
    without_divisions,
)
from loopwright.polyhedra.limits import simple_negation
from loopwright.polyhedra.unions import parameter_names
from loopwright.polyhedra.values import COMPARISONS, isl_value

_DIVIDING = frozenset(
    {
        Operator.FLOOR_DIVISION,
        Operator.NON_NEGATIVE_DIVISION,
        Operator.NON_NEGATIVE_REMAINDER,
        Operator.ZERO_REMAINDER,
    }
)
MOST_REMAINDERS = 16
"""A loop is not written out for more values than this."""

MOST_ROUNDS = 2
"""So often the steps of a loop may become longer: new remainders may come to light."""

MOST_CUTS = 30
"""A part of the values of one loop is the result of so many cuts at most."""


@record(eq=False)
class _Side:
    """Some values of a level, within bounds that a loop enforces, and the code for them."""

    bounds: isl.BasicSet
    executed: Executed
    grafts: list[Graft]
    inner: Stock | None
    """What is known in the body; none if nothing runs."""
    nodes: int
    """How many nodes it took."""
    lifted: int
    """How many copies were made on the way, inside."""

    @property
    def copies(self) -> int:
        """Statements, had nothing been lifted inside."""
        nodes = (node for graft in self.grafts for node in walk(graft.node))
        return sum(isinstance(node, User) for node in nodes) - self.lifted


def lifted_loops(
    stock: Stock, executed: Executed, values: isl.Set, task: Task, inside: Next
) -> list[Graft]:
    """Code that runs over values of the next level, with as little overhead inside as is asked for.

    ``values`` are over the iterators and the level; ``executed`` runs at no others.
    """
    whole = _generated(stock, executed, convex_bounds(values), task, inside)
    limit = stock.options.overhead_depth
    if limit is None or stock.loops < limit:
        return whole.grafts
    return _without_overhead(whole, stock, task, inside)


def _without_overhead(
    side: _Side,
    stock: Stock,
    task: Task,
    inside: Next,
    *,
    cuts: int = 0,
    rounds: int = 0,
) -> list[Graft]:
    """The code of a side, cut further; it is the result of so many cuts and longer steps itself."""
    inner = side.inner
    if inner is None or inner.loops == stock.loops or cuts == MOST_CUTS:
        return side.grafts
    for cut in _cuts(side, inner, stock):
        parts = _cut(side, cut, stock)
        if not parts:
            continue
        if not stock.budget.may_cut():
            return side.grafts
        _discard(side, stock)
        new = [_generated(stock, here, part, task, inside) for here, part in parts]
        if not _is_affordable(new, side, stock):
            continue
        grafts: list[Graft] = []
        for each in new:
            grafts += _without_overhead(each, stock, task, inside, cuts=cuts + 1, rounds=rounds)
        return grafts
    if rounds == MOST_ROUNDS:
        return side.grafts
    return _by_remainders(side, inner, stock, task, inside, rounds)


def _is_affordable(new: list[_Side], old: _Side, stock: Stock) -> bool:
    """May there be so many copies?  Else it stays as it was."""
    growth = sum(each.copies for each in new) - old.copies
    if growth <= stock.budget.copies:
        stock.budget.copies -= growth
        return True
    for each in new:
        _discard(each, stock)
    _discard(old, stock, again=True)
    stock.budget.was_short = True
    return False


def _discard(side: _Side, stock: Stock, *, again: bool = False) -> None:
    """Give back what the code of a side has spent; or spend it again."""
    sign = -1 if again else 1
    stock.budget.nodes += sign * side.nodes
    stock.budget.copies += sign * side.lifted


def _generated(
    stock: Stock, executed: Executed, bounds: isl.BasicSet, task: Task, inside: Next
) -> _Side:
    bodies: list[Stock] = []

    def watched(inner: Stock, runs: Executed, rest: Task) -> list[Graft]:
        bodies.append(inner)
        return inside(inner, runs, rest)

    nodes, copies = stock.budget.nodes, stock.budget.copies
    grafts = loop_over(stock, executed, bounds, task, watched)
    return _Side(
        bounds,
        executed,
        grafts,
        bodies[0] if bodies else None,
        nodes - stock.budget.nodes,
        copies - stock.budget.copies,
    )


# --- where to cut ---------------------------------------------------------------------------------


def _cut(side: _Side, cut: isl.Set, stock: Stock) -> list[tuple[Executed, isl.BasicSet]]:
    """What runs on each side of a cut, in order; nothing if it does not part the values.

    The cut is over the iterators of the body.  If nothing runs on one of its sides, the loop has
    gone there in vain.
    """
    assert side.inner is not None, "nothing is tested where nothing runs"
    negated = simple_negation(cut)
    if negated is None:
        return []
    back = _from_iterators(side.inner, stock)
    known = widened(stock.known, 1)
    inner_levels = side.executed[0].dim(isl.dim_type.in_) - stock.depth - 1
    values = domain_of(side.executed).project_out(SET, stock.depth + 1, inner_levels)
    values = values.intersect(known)
    halves = [each.apply(back) for each in (cut, negated)]
    running = [half for half in halves if not values.is_disjoint(half)]
    if len(running) == 2 and not _are_in_order(values, *running, stock.depth):
        running.reverse()
        if not _are_in_order(values, *running, stock.depth):
            return []
    found = [_within(half, side, stock) for half in running]
    if len(found) == 1:
        before = known.intersect(isl.Set.from_basic_set(side.bounds))
        if before.is_subset(isl.Set.from_basic_set(found[0][1])):
            return []
    return found


def _are_in_order(values: isl.Set, first: isl.Set, second: isl.Set, level: int) -> bool:
    """Does nothing of the first part come after anything of the second?"""
    return values.intersect(first).follows_at(values.intersect(second), level) <= 0


def _within(half: isl.Set, side: _Side, stock: Stock) -> tuple[Executed, isl.BasicSet]:
    """What runs on one half, and bounds on the level there: the loop sees to its steps itself.

    The cut is a bound even where all that runs has others that imply it.
    """
    here = restricted(side.executed, half)
    simple = without_divisions(half, stock.depth)
    bounds = convex_bounds(values_at(here, stock.depth).intersect(simple).coalesce())
    return here, bounds.intersect(convex_bounds(simple))


def _cuts(side: _Side, inner: Stock, stock: Stock) -> Iterator[isl.Set]:
    """Constraints on the iterators that are tested inside, as they come in the text.

    Those that do not depend on the loop's own iterator go further out at once, as far as is asked
    for.
    """
    is_outermost = stock.loops == stock.options.overhead_depth
    for overhead in _inside(side):
        for test in overhead.tests:
            for condition in _conditions(test, inner):
                if is_outermost or condition.involves_dims(SET, stock.depth, 1):
                    yield condition


def _inside(side: _Side) -> Iterator[Overhead]:
    """The overhead in the bodies of the loops of a side."""
    for graft in side.grafts:
        for body in _bodies(graft.node):
            yield from overheads(body)


def _bodies(node: Node) -> Iterator[Node]:
    """The bodies of the outermost loops."""
    if isinstance(node, For) and not node.is_degenerate:
        yield node.body
        return
    for child in children(node):
        yield from _bodies(child)


def _conditions(test: Operation, inner: Stock) -> Iterator[isl.Set]:
    """Where a comparison holds, over the iterators of the body, if it is about no others.

    To be equal is to be neither less nor greater: two constraints, which are cut at one by one.
    """
    space = inner.known.get_space()
    names = (*inner.iterators, *parameter_names(space))
    operands = [expression_value(operand, names) for operand in test.operands]
    left, right = operands if len(operands) == 2 else (None, None)
    if left is None or right is None or test.operator.value not in COMPARISONS:
        return
    if test.operator is Operator.EQUAL and not _is_divisibility(test):
        kinds = ["<=", ">="]
    else:
        kinds = [test.operator.value]
    for kind in kinds:
        holds = instance_set(COMPARISONS[kind](left, right), "", inner.iterators)
        yield holds.reset_tuple_id().align_params(space)


def _is_divisibility(test: Operation) -> bool:
    first = test.operands[0]
    return isinstance(first, Operation) and first.operator is Operator.ZERO_REMAINDER


def _from_iterators(inner: Stock, stock: Stock) -> isl.Map:
    """``[iterators] -> [outer iterators, value of the level]``: a loop may count in its steps."""
    space = plain_space(inner.known.get_space(), inner.depth)
    identity = isl.MultiAff.identity(space.map_from_set())
    if len(inner.schedule) > len(stock.schedule):
        identity = identity.set_aff(stock.depth, widened_aff(inner.schedule[-1], space))
    return isl.Map.from_multi_aff(identity)


# --- longer steps ---------------------------------------------------------------------------------


def _by_remainders(
    side: _Side, inner: Stock, stock: Stock, task: Task, inside: Next, rounds: int
) -> list[Graft]:
    """A loop in longer steps, if that settles what is tested of remainders.

    The level t becomes a loop over m·⌊t/m⌋, in which the values of t mod m stand one by one.
    """
    modulus = _modulus(side, inner, stock)
    if modulus == 1 or not stock.budget.may_cut():
        return side.grafts

    def one_by_one(body: Stock, runs: Executed, rest: Task) -> list[Graft]:
        if not runs:
            return []
        space = plain_space(body.known.get_space(), body.depth)
        anything = isl.BasicSet.universe(plain_space(space, body.depth + 1))
        zero = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
        return [
            graft
            for remainder in range(modulus)
            for graft in at_value(
                body, runs, anything, zero.add_constant_val(isl_value(remainder)), rest, inside
            )
        ]

    change = _blocks(side.executed[0].domain().get_space(), stock.depth)
    executed = _in_blocks(side.executed, change, stock.depth, modulus)
    blocked = _with_blocks(task.substituted(change))
    _discard(side, stock)
    bounds = convex_bounds(values_at(executed, stock.depth).coalesce())
    whole = _generated(stock, executed, bounds, blocked, one_by_one)
    if not _is_affordable([whole], side, stock):
        return side.grafts
    return _without_overhead(whole, stock, blocked, one_by_one, rounds=rounds + 1)


def _modulus(side: _Side, inner: Stock, stock: Stock) -> int:
    """After so many values all remainders are the same again; 1 if none is tested."""
    names = {*inner.iterators, *parameter_names(inner.known.get_space())}
    own = inner.iterators[stock.depth]
    divisors = [
        divisor
        for overhead in _inside(side)
        for test in overhead.tests
        if names_in(test) <= names
        for divisor in _divisors(test, own)
    ]
    if not divisors:
        return 1
    stride = stride_of(domain_of(side.executed), stock.depth)
    modulus = lcm(lcm(*divisors) * _scale(inner, stock), stride.step if stride is not None else 1)
    return modulus if modulus <= MOST_REMAINDERS else 1


def _divisors(expression: Expr, iterator: str) -> Iterator[int]:
    """What multiples of an iterator are divided by."""
    match expression:
        case Operation(_, (dividend, Constant(divisor))) if expression.operator in _DIVIDING:
            if iterator in names_in(dividend):
                yield divisor
            yield from _divisors(dividend, iterator)
        case Operation(_, operands):
            for operand in operands:
                yield from _divisors(operand, iterator)
        case _:
            return


def _scale(inner: Stock, stock: Stock) -> int:
    """How much the level grows when its iterator does by one."""
    if len(inner.schedule) == len(stock.schedule):
        return 1
    value = inner.schedule[-1].get_coefficient_val(isl.dim_type.in_, stock.depth)
    return abs(int(value.to_python()))


def _blocks(space: isl.Space, level: int) -> isl.MultiAff:
    """``[…, block, rest, …] -> […, block + rest, …]``."""
    dimensions = space.dim(SET)
    domain = plain_space(space, dimensions + 1)
    affs = isl.AffList.alloc(isl.DEFAULT_CONTEXT, dimensions)
    for position in range(dimensions):
        value = level_aff(domain, position if position <= level else position + 1)
        affs = affs.add(value.add(level_aff(domain, level + 1)) if position == level else value)
    return isl.MultiAff.from_aff_list(
        domain.map_from_domain_and_range(plain_space(space, dimensions)), affs
    )


def _in_blocks(executed: Executed, change: isl.MultiAff, level: int, size: int) -> Executed:
    """What runs, in terms of the first value of a block and the place in the block."""
    space = change.get_domain_space()
    first, place = level_aff(space, level), level_aff(space, level + 1)
    zero = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    last = zero.add_constant_val(isl_value(size - 1))
    within = place.ge_basic_set(zero).intersect(place.le_basic_set(last))
    within = within.intersect(first.mod_val(isl_value(size)).eq_basic_set(zero))
    return tuple(
        relation.intersect_domain(isl.Set.from_basic_set(within))
        for relation in substituted(executed, change)
    )


def _with_blocks(task: Task) -> Task:
    """One level more: the place in a block, which is a part of the same schedule dimension."""
    block, *rest = task.members
    place = Member(LoopType.UNROLL, LoopType.UNROLL, Origin.SHIFT)
    return replace(task, members=(block, place, *rest))
