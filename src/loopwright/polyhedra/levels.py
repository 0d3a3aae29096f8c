"""Sets over the dimensions of a loop nest, outermost first: the level is the position.

Throughout, a set "at level d" has d + 1 set dimensions: d outer iterators and, last, the one that
the level is about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

import islpy as isl

from loopwright.polyhedra.values import isl_value

SET = isl.dim_type.set

MOST_DISJUNCTS = 8
"""Sets of more parts are not looked at part by part."""

MOST_EXACT_PIECES = 3
"""Quantifiers are eliminated into at most so many pieces, because inner levels multiply them."""


def plain_space(like: isl.Space, dimensions: int) -> isl.Space:
    """The unnamed set space with the parameters of another space."""
    return like.params().set_from_params().add_dims(SET, dimensions)


def universe(like: isl.Set, dimensions: int) -> isl.Set:
    """Everything, over so many dimensions."""
    return isl.Set.universe(plain_space(like.get_space(), dimensions))


def widened(condition: isl.Set, dimensions: int) -> isl.Set:
    """The condition over more dimensions, the new ones last and free."""
    return condition.add_dims(SET, dimensions) if dimensions else condition


def union(sets: Sequence[isl.Set]) -> isl.Set:
    """Where any of one or more holds."""
    return reduce(lambda left, right: left.union(right), sets)


def without_last(condition: isl.Set) -> isl.Set:
    """What the condition says about all but the last dimension, over the rationals.

    Fourier–Motzkin: it may hold more than the exact projection does, but it has as few pieces.

    >>> print(without_last(isl.Set("[n] -> { [i, j] : i < 2j < n and i >= 0 }")))
    [n] -> { [i] : 0 <= i <= -2 + n }
    """
    outer = condition.project_out(SET, condition.dim(SET) - 1, 1)
    if not outer.involves_locals():
        return outer
    return approximated(outer, isl.Set.remove_unknown_divs)


def projected(domain: isl.Set, level: int, *, exact: bool = False) -> isl.Set:
    """What may be said about a level without its inner dimensions (AST generation §5.2).

    Inner dimensions, integers without an explicit description, and integer divisions of the value
    at this level are eliminated over the rationals, so that each remaining constraint bounds the
    level.  If ``exact``, quantifiers are eliminated instead where that is possible, which may take
    more pieces; too many are not worth it.

    >>> hidden = isl.Set("[N] -> { [t] : exists a : a >= t - 1 and 2a > t and a <= t"
    ...                  " and 4a <= N + 2t }")
    >>> print(projected(hidden, 0))
    [N] -> { [t] : N >= 2 and t > 0 and 2t <= 4 + N }
    >>> print(projected(hidden, 0, exact=True).coalesce())
    [N] -> { [t] : t > 0 and 2t <= 4 + N and (t >= 3 or (t <= 2 and 2t <= N)) }
    """
    inner = domain.dim(SET) - level - 1
    if inner:
        domain = domain.project_out(SET, level + 1, inner)
    if not domain.involves_locals():
        return domain
    if exact:
        eliminated = domain.compute_divs()
        if eliminated.n_basic_set() <= MOST_EXACT_PIECES:
            return without_divisions(eliminated, level)
    return without_divisions(approximated(domain, isl.Set.remove_unknown_divs), level)


def without_divisions(domain: isl.Set, level: int) -> isl.Set:
    """A larger set, without integer divisions of the value at a level."""
    if not domain.involves_locals():
        return domain
    return approximated(domain, lambda part: part.remove_divs_involving_dims(SET, level, 1))


def approximated(domain: isl.Set, eliminate: Callable[[isl.Set], isl.Set]) -> isl.Set:
    """What an elimination makes of a set, provided that nothing is lost.

    isl 0.28 loses points of a few sets when it eliminates an integer division.  Then the
    constraints with hidden integers are left out instead.

    >>> halves = isl.Set("{ [j, t, i] : -j <= i <= 2 - j and i <= 0"
    ...                  " and t + j + 4i - 3 <= 4*floor((1 + i)/2) <= t + j + 4i }")
    >>> halves.is_subset(halves.remove_divs_involving_dims(SET, 2, 1))
    False
    >>> print(without_divisions(halves, 2))
    { [j, t, i] : -j <= i <= 2 - j and i <= 0 }
    """
    larger = eliminate(domain)
    if domain.is_subset(larger):
        return larger
    return union([_without_hidden_integers(part) for part in domain.get_basic_sets()])


def _without_hidden_integers(part: isl.BasicSet) -> isl.Set:
    hidden = isl.dim_type.div
    return isl.Set.from_basic_set(part.drop_constraints_involving_dims(hidden, 0, part.dim(hidden)))


def shared_constraints(domain: isl.Set) -> isl.BasicSet:
    """The constraints, out of those written, that the whole set satisfies (§5.4).

    >>> print(shared_constraints(isl.Set("[M] -> { [i] : i = 0 or 0 <= i <= M }")))
    [M] -> { [i] : i >= 0 }
    """
    if domain.n_basic_set() == 1:
        return domain.get_basic_sets()[0]
    return domain.unshifted_simple_hull()


def convex(condition: isl.Set) -> isl.Set:
    """A larger set with a single disjunct, as small as can be had at little cost.

    >>> print(convex(isl.Set("[n] -> { [i] : n > 0 and (0 <= i < n or i = n + 1) }")))
    [n] -> { [i] : n > 0 and 0 <= i <= 1 + n }
    """
    if condition.n_basic_set() <= 1:
        return condition
    if condition.n_basic_set() <= MOST_DISJUNCTS:
        return isl.Set.from_basic_set(condition.simple_hull())
    return isl.Set.from_basic_set(condition.plain_unshifted_simple_hull())


def pieces(domain: isl.Set) -> list[isl.BasicSet]:
    """The disjuncts."""
    return list(domain.get_basic_sets())


def substitution(space: isl.Space, level: int, value: isl.Aff) -> isl.MultiAff:
    """``[x_0, …] -> [x_0, …, x_{level-1}, value, x_level, …]`` into a space.

    ``value`` is an expression over the first ``level`` dimensions; the result has one dimension
    less than the space if the value does not depend on its own level.
    """
    dimensions = space.dim(SET)
    domain = plain_space(space, dimensions - 1)
    return _with_value_at(domain, level, widened_aff(value, domain), dimensions)


def rescaling(space: isl.Space, level: int, offset: isl.Aff, scale: int) -> isl.MultiAff:
    """``[…, x_level, …] -> […, offset + scale · x_level, …]`` of a space."""
    dimensions = space.dim(SET)
    domain = plain_space(space, dimensions)
    local = isl.LocalSpace.from_space(domain)
    scaled = isl.Aff.var_on_domain(local, SET, level).scale_val(isl_value(scale))
    value = widened_aff(offset, domain).add(scaled)
    identity = isl.MultiAff.identity(domain.map_from_set())
    return identity.set_aff(level, value)


def widened_aff(value: isl.Aff, domain: isl.Space) -> isl.Aff:
    """The same expression over a space with more dimensions behind its own."""
    missing = domain.dim(SET) - value.dim(isl.dim_type.in_)
    return value.add_dims(isl.dim_type.in_, missing) if missing else value


def depends_on(value: isl.Aff, level: int) -> bool:
    """Does a dimension occur in an expression, or in one of its integer divisions?

    isl looks at the former only.

    >>> depends_on(isl.Aff("{ [i, j] -> [i + floor(j/3)] }"), 1)
    True
    """
    if value.involves_dims(isl.dim_type.in_, level, 1):
        return True
    return any(
        depends_on(value.get_div(index), level)
        for index in range(value.dim(isl.dim_type.div))
        if value.involves_dims(isl.dim_type.div, index, 1)
    )


def has_divisions(value: isl.Aff) -> bool:
    """Does an expression have integer divisions?  isl keeps some that do not matter."""
    return value.involves_dims(isl.dim_type.div, 0, value.dim(isl.dim_type.div))


def narrowed_aff(value: isl.Aff, dimensions: int) -> isl.Aff:
    """The same expression without the dimensions at the end, which it must not use."""
    surplus = value.dim(isl.dim_type.in_) - dimensions
    return value.drop_dims(isl.dim_type.in_, dimensions, surplus) if surplus else value


def _with_value_at(domain: isl.Space, level: int, value: isl.Aff, dimensions: int) -> isl.MultiAff:
    local = isl.LocalSpace.from_space(domain)
    affs = isl.AffList.alloc(isl.DEFAULT_CONTEXT, dimensions)
    for position in range(dimensions):
        if position == level:
            affs = affs.add(value)
        else:
            source = position if position < level else position - 1
            affs = affs.add(isl.Aff.var_on_domain(local, SET, source))
    target = plain_space(domain, dimensions)
    return isl.MultiAff.from_aff_list(domain.map_from_domain_and_range(target), affs)


def bounds_at(bounds: isl.BasicSet, level: int) -> tuple[list[isl.Aff], list[isl.Aff]]:
    """What bounds the last dimension from below and from above, over the outer dimensions.

    A constraint h + v·x >= 0 gives the lower bound ⌈-h / v⌉ if v > 0 and the upper bound
    ⌊h / -v⌋ if v < 0; an equality gives both.

    >>> triangle = isl.BasicSet("[n] -> { [i, j] : 2j >= i and j <= n }")
    >>> bounds_at(triangle, 1)
    ([Aff("[n] -> { [i] -> [(floor((1 + i)/2))] }")], [Aff("[n] -> { [i] -> [(n)] }")])
    """
    lower: list[isl.Aff] = []
    upper: list[isl.Aff] = []
    for constraint in bounds.get_constraints():
        if not constraint.involves_dims(SET, level, 1):
            continue
        bound = constraint.get_bound(SET, level)
        if depends_on(bound, level):
            continue
        if constraint.is_equality() or constraint.is_lower_bound(SET, level):
            lower.append(narrowed_aff(bound.ceil(), level))
        if constraint.is_equality() or constraint.is_upper_bound(SET, level):
            upper.append(narrowed_aff(bound.floor(), level))
    return lower, upper


def level_aff(space: isl.Space, level: int) -> isl.Aff:
    """The value of a dimension of a set space."""
    return isl.Aff.var_on_domain(isl.LocalSpace.from_space(space), SET, level)


def as_relation(domain: isl.Set) -> isl.Map:
    """``{ [outer dimensions] -> [last dimension] }``."""
    outer = domain.dim(SET) - 1
    relation = isl.Map.from_range(domain)
    return relation.move_dims(isl.dim_type.in_, 0, isl.dim_type.out, 0, outer)
