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
from loopwright.codegen.blocks import in_blocks
from loopwright.codegen.components import components
from loopwright.codegen.cuts import conditions_inside, divisor_inside
from loopwright.codegen.grafts import Graft
from loopwright.codegen.loops import Next, loop_over
from loopwright.codegen.separation import convex_bounds
from loopwright.codegen.stock import Stock
from loopwright.codegen.strides import stride_of
from loopwright.codegen.tasks import Executed, Origin, Task, domain_of, restricted, values_at
from loopwright.model.loop_ast import User, walk
from loopwright.polyhedra.levels import (
    SET,
    plain_space,
    widened,
    widened_aff,
    without_divisions,
)
from loopwright.polyhedra.limits import simple_negation

MOST_REMAINDERS = 16
"""A loop is not written out for more values than this."""

MOST_ROUNDS = 2
"""So often the steps of a loop may become longer: new remainders may come to light."""

DEEPEST_CUT = 30
"""A part of the values of one loop is the result of so many cuts at most."""

Part = tuple[Executed, isl.BasicSet]
"""What runs in a part of the values of a level, and bounds on these values."""


def lifted_loops(
    stock: Stock, executed: Executed, values: isl.Set, task: Task, inside: Next
) -> list[Graft]:
    """Code that runs over values of the next level, with as little overhead inside as is asked for.

    ``values`` are over the iterators and the level; ``executed`` runs at no others.
    """
    limit = stock.options.overhead_depth
    whole = executed, convex_bounds(values)
    if limit is None or stock.loops < limit or not stock.is_lifting:
        return loop_over(stock, *whole, task, inside)
    if task.member.origin is not Origin.SCHEDULE and stock.options.scale_strides:
        # Nobody would know what such a loop counts in.
        stock = replace(stock, options=replace(stock.options, scale_strides=False))
    lifting = _Lifting(stock, task, inside, is_outermost=stock.loops == limit)
    return lifting.without_overhead(lifting.draft(whole))


@record(eq=False)
class _Side:
    """Some values of a level, and the code for them."""

    part: Part
    grafts: list[Graft]
    inner: Stock | None
    """What is known in the body; none if nothing runs."""
    is_draft: bool
    """Is overhead that belongs further in still there?"""
    nodes: int
    """How many nodes it took."""
    lifted: int
    """How many copies were made on the way, inside."""
    cuts: int
    """How many cuts have made it."""

    @property
    def copies(self) -> int:
        """Statements, had nothing been lifted inside."""
        nodes = (node for graft in self.grafts for node in walk(graft.node))
        return sum(isinstance(node, User) for node in nodes) - self.lifted


@record(eq=False)
class _Lifting:
    """Lifts overhead out of the loops over one level."""

    stock: Stock
    task: Task
    inside: Next
    is_outermost: bool
    """Does all overhead have to come out here?  Else only what depends on the level itself: the
    rest goes further out at once."""
    rounds: int = 0
    """How often the steps have become longer."""

    def without_overhead(self, side: _Side) -> list[Graft]:
        """The code of a side, cut as often as that helps."""
        inner = side.inner
        self.stock.budget.was_short |= side.cuts == DEEPEST_CUT
        if inner is None or inner.loops == self.stock.loops or side.cuts == DEEPEST_CUT:
            return side.grafts if not side.is_draft else self._finished(side).grafts
        if self._has_strides(side):
            blocked = self._in_longer_steps(side, inner)
            if blocked is not None:
                return blocked
        for parts in self._choices(side, inner):
            if not self.stock.budget.may_cut():
                break
            new = self._in_place_of(side, self, parts)
            if new:
                return [graft for each in new for graft in self.without_overhead(each)]
        if side.is_draft:
            return self.without_overhead(self._finished(side))
        blocked = self._in_longer_steps(side, inner)
        return side.grafts if blocked is None else blocked

    def draft(self, part: Part, cuts: int = 0) -> _Side:
        """The code of a part, to look for overhead: that of the loops inside may wait."""
        return self._generated(part, cuts, is_draft=True)

    def _finished(self, side: _Side) -> _Side:
        """The same without overhead in the loops inside."""
        self._give_back(side)
        return self._generated(side.part, side.cuts, is_draft=False)

    def _generated(self, part: Part, cuts: int, *, is_draft: bool) -> _Side:
        bodies: list[Stock] = []

        def watched(inner: Stock, runs: Executed, rest: Task) -> list[Graft]:
            bodies.append(inner)
            return self.inside(inner, runs, rest)

        budget = self.stock.budget
        nodes, copies = budget.nodes, budget.copies
        stock = self._drafting() if is_draft else self.stock
        grafts = loop_over(stock, *part, self.task, watched)
        inner = bodies[0] if bodies else None
        spent = nodes - budget.nodes, copies - budget.copies
        return _Side(part, grafts, inner, is_draft, *spent, cuts)

    def _drafting(self) -> Stock:
        """Inner loops keep their overhead, and say it as a minimum, which can be cut at."""
        options = replace(self.stock.options, atomic_upper_bound=True)
        return replace(self.stock, options=options, is_lifting=False)

    # --- what it costs ----------------------------------------------------------------------------

    def _in_place_of(self, old: _Side, way: _Lifting, parts: list[Part]) -> list[_Side]:
        """Drafts of the parts, which another way may make; none if that takes too many copies."""
        budget = self.stock.budget
        before = replace(budget)
        self._give_back(old)
        new = [way.draft(part, old.cuts + 1) for part in parts]
        growth = sum(each.copies for each in new) - old.copies
        if growth <= budget.copies:
            budget.copies -= growth
            return new
        budget.nodes, budget.copies = before.nodes, before.copies
        budget.was_short = True
        return []

    def _give_back(self, side: _Side) -> None:
        """The code of a side is not used after all."""
        self.stock.budget.nodes += side.nodes
        self.stock.budget.copies += side.lifted

    # --- where to cut -----------------------------------------------------------------------------

    def _choices(self, side: _Side, inner: Stock) -> Iterator[list[Part]]:
        """Ways to break up a side so that less is tested inside."""
        level = self.stock.depth
        for condition in conditions_inside(side.grafts, inner):
            if self.is_outermost or condition.involves_dims(SET, level, 1):
                parts = self._cut(side, condition, inner)
                if parts:
                    yield self._apart(side) or parts

    def _apart(self, side: _Side) -> list[Part]:
        """The statements in several loops, if none has to run between others: no copy is made."""
        stock = self.stock
        executed, _ = side.part
        groups = components(executed, stock.known, self.task, stock.options.whole_marks)
        if len(groups) == 1:
            return []
        return [(each, convex_bounds(values_at(each, stock.depth).coalesce())) for each in groups]

    def _cut(self, side: _Side, cut: isl.Set, inner: Stock) -> list[Part]:
        """What runs on each side of a cut, in order; nothing if it does not part the values.

        The cut is over the iterators of the body.  If nothing runs on one of its sides, the loop
        has gone there in vain.
        """
        negated = simple_negation(cut)
        if negated is None:
            return []
        executed, bounds = side.part
        level = self.stock.depth
        known = widened(self.stock.known, 1)
        values = domain_of(executed).project_out(SET, level + 1, len(self.task.members) - 1)
        values = values.intersect(known)
        halves = [each.apply(_from_iterators(inner, self.stock)) for each in (cut, negated)]
        running = [half for half in halves if not values.is_disjoint(half)]
        if len(running) == 2 and not _are_in_order(values, running, level):
            running.reverse()
            if not _are_in_order(values, running, level):
                return []
        parts = [_within(half, side.part, level) for half in running]
        if len(parts) == 1:
            before, after = isl.Set.from_basic_set(bounds), isl.Set.from_basic_set(parts[0][1])
            if before.intersect(known).is_subset(after):
                return []
        return parts

    # --- longer steps -----------------------------------------------------------------------------

    def _has_strides(self, side: _Side) -> bool:
        """Does each statement run at some remainders only?

        Then none is written out for all of them, and longer steps are the first thing to try: a cut
        would leave parts that start in the middle of a step.
        """
        executed, _ = side.part
        level = self.stock.depth
        return all(stride_of(each.domain(), level) is not None for each in executed)

    def _in_longer_steps(self, side: _Side, inner: Stock) -> list[Graft] | None:
        """The loop in blocks, if that settles what is tested of remainders."""
        executed, _ = side.part
        level = self.stock.depth
        divisor = divisor_inside(side.grafts, inner)
        stride = stride_of(domain_of(executed), level)
        size = lcm(divisor * _scale(inner, self.stock), stride.step if stride is not None else 1)
        if divisor == 1 or size > MOST_REMAINDERS or self.rounds == MOST_ROUNDS:
            return None
        if not self.stock.budget.may_cut():
            return None
        runs, task, inside = in_blocks(executed, self.task, self.inside, level, size)
        blocked = replace(self, task=task, inside=inside, rounds=self.rounds + 1)
        part = runs, convex_bounds(values_at(runs, level).coalesce())
        whole = self._in_place_of(side, blocked, [part])
        return blocked.without_overhead(whole[0]) if whole else None


def _are_in_order(values: isl.Set, halves: list[isl.Set], level: int) -> bool:
    """Does nothing of the first half come after anything of the second?"""
    first, second = (values.intersect(half) for half in halves)
    return first.follows_at(second, level) <= 0


def _within(half: isl.Set, part: Part, level: int) -> Part:
    """What runs on one half of a part, and bounds on the level there.

    The loop sees to its steps itself.  The cut is a bound even where all that runs has others that
    imply it.
    """
    executed, before = part
    here = restricted(executed, half)
    simple = without_divisions(half, level)
    bounds = convex_bounds(values_at(here, level).intersect(simple).coalesce())
    return here, bounds.intersect(convex_bounds(simple)).intersect(before)


def _from_iterators(inner: Stock, stock: Stock) -> isl.Map:
    """``[iterators] -> [outer iterators, value of the level]``: a loop may count in its steps."""
    space = plain_space(inner.known.get_space(), inner.depth)
    identity = isl.MultiAff.identity(space.map_from_set())
    if len(inner.schedule) > len(stock.schedule):
        identity = identity.set_aff(stock.depth, widened_aff(inner.schedule[-1], space))
    return isl.Map.from_multi_aff(identity)


def _scale(inner: Stock, stock: Stock) -> int:
    """How much the level grows when its iterator does by one."""
    if len(inner.schedule) == len(stock.schedule):
        return 1
    value = inner.schedule[-1].get_coefficient_val(isl.dim_type.in_, stock.depth)
    return abs(int(value.to_python()))
