"""The stock (§4.2): what is known on the way down, and how iterators relate to the schedule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import islpy as isl

from loopwright.basics.records import record
from loopwright.codegen.build import Build
from loopwright.codegen.options import AstOptions
from loopwright.polyhedra.levels import (
    convex,
    level_aff,
    plain_space,
    universe,
    widened,
    widened_aff,
)

MOST_KNOWN_PARTS = 4
"""Expressions rely on what is known in so many parts; of more, on what those share."""

MOST_CUTS = 400
"""So many cuts take long enough."""

UNLIMITED = 1_000_000_000
"""So many copies of statements nobody can want."""


@dataclass(slots=True)
class Budget:
    """How many nodes may still be generated, all over the tree."""

    nodes: int
    copies: int = UNLIMITED
    """And copies of statements, to lift overhead."""
    cuts: int = MOST_CUTS
    """And loops that are cut or written out for that."""
    was_short: bool = False
    """Was there overhead that could not be lifted within the budget?"""

    def may_cut(self) -> bool:
        """One loop more to cut, if that is still allowed."""
        self.cuts -= 1
        self.was_short |= self.cuts < 0
        return self.cuts >= 0


@record(eq=False)
class Stock:
    """Conditions and iterators at one position of the tree that is being generated.

    ``generated`` conditions will be enforced by the code outside; ``pending`` ones may be, or may
    be dropped because the code inside enforces them.  Both are sets over the iterators: the loops
    that are really there.  ``schedule`` says what the schedule dimensions are in their terms,
    ``[iterators] -> [schedule dimensions]``.
    """

    iterators: tuple[str, ...]
    generated: isl.Set
    pending: isl.Set
    known: isl.Set
    """Both together."""
    schedule: tuple[isl.Aff, ...]
    """One expression over the iterators for each schedule dimension so far."""
    names: Callable[[int], str]
    """What the iterator of the n-th dimension is called."""
    named: int
    """How many dimensions have had a name, loops or not."""
    options: AstOptions
    budget: Budget
    loops: int = 0
    """How many loops there are around, those that run exactly once excepted."""
    is_lifting: bool = True
    """Is overhead to be lifted here, if anywhere?  Not in code that is only looked at."""

    @property
    def depth(self) -> int:
        """How many iterators there are around."""
        return len(self.iterators)

    def build(
        self, *, more: isl.Set | None = None, instance: isl.PwMultiAff | None = None
    ) -> Build:
        """The place as expressions see it: with what will be generated, and no more."""
        known = self.generated if more is None else self.generated.intersect(more)
        if known.n_basic_set() > MOST_KNOWN_PARTS:
            known = convex(known)
        return Build(self.iterators, known, self.schedule_map(), self.options, instance)

    def schedule_map(self) -> isl.MultiAff:
        """``[iterators] -> [schedule dimensions]``."""
        domain = plain_space(self.generated.get_space(), self.depth)
        affs = isl.AffList.alloc(isl.DEFAULT_CONTEXT, len(self.schedule))
        for aff in self.schedule:
            affs = affs.add(aff.align_params(domain))
        target = plain_space(domain, len(self.schedule))
        return isl.MultiAff.from_aff_list(domain.map_from_domain_and_range(target), affs)

    def aligned(self, space: isl.Space) -> Stock:
        """Over the symbolic constants of a space."""
        if self.known.get_space().has_equal_params(space):
            return self
        return replace(
            self,
            generated=self.generated.align_params(space),
            pending=self.pending.align_params(space),
            known=self.known.align_params(space),
            schedule=tuple(aff.align_params(space) for aff in self.schedule),
        )

    def with_pending(self, conditions: isl.Set) -> Stock:
        """More conditions that still have to be enforced."""
        return replace(
            self,
            pending=self.pending.intersect(conditions),
            known=self.known.intersect(conditions),
        )

    def with_generated(self, conditions: isl.Set) -> Stock:
        """More conditions that hold."""
        return replace(
            self,
            generated=self.generated.intersect(conditions),
            known=self.known.intersect(conditions),
        )

    def inside_loop(
        self, enforced: isl.Set, independent: isl.Set, *, is_degenerate: bool = False
    ) -> Stock:
        """The stock in the body of a loop: one iterator more.

        ``enforced`` is what the loop ensures, ``independent`` what its bounds say about the outer
        iterators only; both over the new iterators.
        """
        generated = widened(self.generated, 1).intersect(enforced)
        pending = widened(self.pending, 1).intersect(independent)
        domain = generated.get_space()
        return replace(
            self,
            iterators=(*self.iterators, self.names(self.named)),
            generated=generated,
            pending=pending,
            known=widened(self.known, 1).intersect(enforced).intersect(independent),
            schedule=tuple(widened_aff(aff, domain) for aff in self.schedule),
            named=self.named + 1,
            loops=self.loops + (not is_degenerate),
        )

    def scheduled_at(self, value: isl.Aff) -> Stock:
        """One schedule dimension more, which has this value."""
        return replace(self, schedule=(*self.schedule, value))

    def current(self) -> isl.Aff:
        """The innermost iterator."""
        return level_aff(plain_space(self.generated.get_space(), self.depth), self.depth - 1)


def first_stock(context: isl.Set, names: Callable[[int], str], options: AstOptions) -> Stock:
    """Outside all loops."""
    known = universe(context, 0).intersect_params(context)
    budget = Budget(options.max_nodes)
    return Stock((), known, universe(context, 0), known, (), names, 0, options, budget)
