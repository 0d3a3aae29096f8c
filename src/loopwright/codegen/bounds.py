"""The bounds of one level (§5.3): from its constraints, or else from what runs there."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import islpy as isl

from loopwright.basics.records import record
from loopwright.codegen.stock import Stock
from loopwright.codegen.strides import Stride
from loopwright.codegen.tasks import Executed, Task, domain_of
from loopwright.polyhedra.levels import (
    SET,
    as_relation,
    bounds_at,
    pieces,
    projected,
    widened,
)
from loopwright.polyhedra.limits import context_is_spent
from loopwright.polyhedra.values import isl_value

Bounds = tuple[tuple[isl.PwAff, ...], ...]
"""Alternatives of bounds over the outer iterators.

A value has to satisfy all bounds of one alternative; usually there is only one.  No alternative
means no bound at all.
"""

MOST_PROGRAMMED_PARTS = 3
"""A bound is found by parametric integer programming over at most so many disjuncts."""

MOST_CHOICES = 8
"""A bound that takes more pieces than this is not chosen by conditions."""


@record(eq=False)
class Level:
    """The values of one level, as a for node can run over them.

    Sets are over the outer iterators and, last, the level itself, unless they say otherwise.
    """

    bounds: isl.BasicSet
    """Simplified in the stock."""
    stride: Stride | None
    lower: Bounds
    upper: Bounds
    needed: isl.Set
    """Where the lower and upper bounds have a value, over the outer iterators."""
    is_degenerate: bool = False
    """Is there one value, the lower bound?"""

    @property
    def number(self) -> int:
        """How many levels are outside."""
        return self.bounds.dim(SET) - 1

    def own_constraints(self) -> isl.Set:
        """The constraints on the value of this level."""
        own = self.bounds.drop_constraints_not_involving_dims(SET, self.number, 1)
        return isl.Set.from_basic_set(own)

    def outer_constraints(self) -> isl.Set:
        """The constraints on outer iterators and symbolic constants only, over these."""
        outer = self.bounds.drop_constraints_involving_dims(SET, self.number, 1)
        return isl.Set.from_basic_set(outer).project_out(SET, self.number, 1)


def bounded_level(
    stock: Stock, executed: Executed, bounds: isl.BasicSet, stride: Stride | None, task: Task
) -> Level:
    """The bounds of the level; those that its shared constraints lack come from the domain."""
    below, above = bounds_at(bounds, stock.depth)
    lower = (_as_bounds(_on_stride(aff, stride, stock) for aff in below),) if below else ()
    upper = (_as_bounds(above),) if above else ()
    needed = isl.Set.universe(stock.known.get_space())
    if lower and upper:
        return Level(bounds, stride, lower, upper, needed)
    domain = _values(stock, executed, bounds)
    if not lower:
        lower = _missing(domain, stride, isl.Map.lexmin_pw_multi_aff, 0)
        if not lower:
            raise task.refuse(
                "LW501",
                "a loop has no first iteration: its values have no lower bound",
                "bound the domain, or reverse the schedule",
            )
    if not upper:
        upper = _missing(domain, None, isl.Map.lexmax_pw_multi_aff, 1)
    for alternative in (*lower, *upper):
        for bound in alternative:
            needed = needed.intersect(bound.domain())
    return Level(bounds, stride, lower, upper, needed)


def _as_bounds(affs: Iterable[isl.Aff]) -> tuple[isl.PwAff, ...]:
    return tuple(isl.PwAff.from_aff(aff) for aff in affs)


def _values(stock: Stock, executed: Executed, bounds: isl.BasicSet) -> isl.Set:
    """The values of the level at which something runs."""
    domain = domain_of(executed)
    inner = domain.dim(SET) - stock.depth - 1
    domain = domain.project_out(SET, stock.depth + 1, inner)
    return domain.intersect(isl.Set.from_basic_set(bounds)).intersect(widened(stock.known, 1))


def _missing(
    domain: isl.Set,
    stride: Stride | None,
    optimum: Callable[[isl.Map], isl.PwMultiAff],
    side: int,
) -> Bounds:
    """The smallest (side 0) or largest (side 1) value of a level over a domain, if it exists.

    Exactly by parametric integer programming.  That takes many pieces if the domain has many, so
    that then the bounds of each disjunct make an alternative, or else the expressions of all pieces
    do: a loop that runs over more than is needed, with the conditions inside.
    """
    level = domain.dim(SET) - 1
    if domain.n_basic_set() > MOST_PROGRAMMED_PARTS:
        parts = pieces(projected(domain.coalesce(), level))
        found = [bounds_at(part, level)[side] for part in parts]
        if all(found):
            return tuple(
                _as_bounds(aff if stride is None else stride.at_least(aff) for aff in affs)
                for affs in found
            )
    try:
        bound = optimum(as_relation(domain)).get_pw_aff(0).coalesce()
    except isl.Error:
        if context_is_spent():
            raise
        return ()
    choices = bound.get_pieces()
    if sum(where.n_basic_set() for where, _ in choices) <= MOST_CHOICES:
        return ((bound,),)
    rounded = isl.Aff.floor if side == 0 else isl.Aff.ceil
    distinct = {str(aff): rounded(aff) for _, aff in choices}
    return tuple(
        _as_bounds([aff if stride is None else stride.at_most(aff)]) for aff in distinct.values()
    )


def degenerate_level(bounds: isl.BasicSet, stride: Stride | None, values: isl.Set) -> Level:
    """A level with one value that takes several expressions to say."""
    value = as_relation(values).lexmin_pw_multi_aff().get_pw_aff(0).coalesce()
    bound = ((value,),)
    return Level(bounds, stride, bound, bound, value.domain(), is_degenerate=True)


def _on_stride(bound: isl.Aff, stride: Stride | None, stock: Stock) -> isl.Aff:
    """The first value of the loop that is not below a bound."""
    if stride is None:
        return bound
    difference = bound.sub(stride.offset)
    on_stride = isl.Set.from_basic_set(difference.mod_val(isl_value(stride.step)).zero_basic_set())
    if stock.generated.is_subset(on_stride):
        return bound
    return stride.at_least(bound)
