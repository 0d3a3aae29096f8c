"""Which iteration of the new loops runs an original instance: a guess that is easily checked.

Tiled loops say ``32 t <= i <= 32 t + 31``, which leaves one choice for t: the integer part of
i / 32.  Where each iterator of the new text is bounded like that, the guess is a function.
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from loopwright.basics.records import record
from loopwright.polyhedra.values import isl_value

SET, PARAM, DIV = isl.dim_type.set, isl.dim_type.param, isl.dim_type.div
IN, OUT = isl.dim_type.in_, isl.dim_type.out


@record
class _Bound:
    """``sum of coefficients >= 0``, or ``= 0``: of new iterators, old ones, parameters, and 1."""

    new: tuple[int, ...]
    old: tuple[int, ...]
    parameters: tuple[int, ...]
    constant: int
    is_equality: bool

    def negated(self) -> _Bound:
        """The other side of an equality."""
        new, old, parameters = (
            tuple(-each for each in part) for part in (self.new, self.old, self.parameters)
        )
        return _Bound(new, old, parameters, -self.constant, self.is_equality)


def covered(instances: isl.Map) -> isl.Set:
    """Some of the original instances that a copy runs, all of them if the guess is right.

    >>> tiles = isl.Map("[n] -> { T[t, i] -> S[i] : 8t <= i <= 8t + 7 and 0 <= i < n and t >= 0 }")
    >>> print(covered(tiles).coalesce())
    [n] -> { S[i0] : 0 <= i0 < n }
    """
    guess = _guess(instances)
    if guess is None:
        return instances.range()
    # A guess is right where the instance that it finds is run there.
    return instances.reverse().intersect(isl.Map.from_multi_aff(guess)).domain()


def _guess(instances: isl.Map) -> isl.MultiAff | None:
    """``{ S[i] -> T[c] }``."""
    space = instances.get_space().reverse()
    bounds = _bounds(instances)
    found: dict[int, isl.Aff] = {}
    count = instances.dim(IN)
    while len(found) < count:
        added = {
            at: value
            for at in range(count)
            if at not in found and (value := _value(at, bounds, found, space)) is not None
        }
        if not added:
            return None
        found |= added
    values = isl.AffList.alloc(isl.DEFAULT_CONTEXT, count)
    for at in range(count):
        values = values.add(found[at])
    return isl.MultiAff.from_aff_list(space, values)


def _bounds(instances: isl.Map) -> list[_Bound]:
    """What holds for all pairs, without what has hidden integers in it."""
    found: list[_Bound] = []
    for each in instances.unshifted_simple_hull().get_constraints():
        if any(_number(each, DIV, at) != 0 for at in range(each.dim(DIV))):
            continue
        parts = [
            tuple(_number(each, kind, at) for at in range(each.dim(kind)))
            for kind in (IN, OUT, PARAM)
        ]
        constant = each.get_constant_val().to_python()
        bound = _Bound(parts[0], parts[1], parts[2], constant, each.is_equality())
        found += [bound, bound.negated()] if bound.is_equality else [bound]
    return found


def _number(constraint: isl.Constraint, kind: isl.dim_type, at: int) -> int:
    return constraint.get_coefficient_val(kind, at).to_python()


def _value(
    at: int, bounds: Sequence[_Bound], found: dict[int, isl.Aff], space: isl.Space
) -> isl.Aff | None:
    """The one value that two bounds leave for an iterator, if the others in them are known."""
    usable = [
        each
        for each in bounds
        if each.new[at] != 0
        and all(
            not factor or other == at or other in found for other, factor in enumerate(each.new)
        )
    ]
    uppers = [each for each in usable if each.new[at] < 0]
    for lower in (each for each in usable if each.new[at] > 0):
        for upper in uppers:
            factor = lower.new[at]
            gap = lower.constant + upper.constant
            if _are_opposite(lower, upper) and 0 <= gap < factor:
                return _rest(upper, at, found, space).scale_down_val(isl_value(factor)).floor()
    return None


def _are_opposite(lower: _Bound, upper: _Bound) -> bool:
    pairs = zip(
        (*lower.new, *lower.old, *lower.parameters),
        (*upper.new, *upper.old, *upper.parameters),
        strict=True,
    )
    return all(one == -other for one, other in pairs)


def _rest(upper: _Bound, at: int, found: dict[int, isl.Aff], space: isl.Space) -> isl.Aff:
    """All of an upper bound but the iterator itself, as a function of the original instance."""
    local = isl.LocalSpace.from_space(space.domain())
    total = isl.Aff.zero_on_domain(local).add_constant_val(isl_value(upper.constant))
    for other, factor in enumerate(upper.new):
        if factor and other != at:
            total = total.add(found[other].scale_val(isl_value(factor)))
    for kind, factors in ((SET, upper.old), (PARAM, upper.parameters)):
        for position, factor in enumerate(factors):
            if factor:
                unknown = isl.Aff.var_on_domain(local, kind, position)
                total = total.add(unknown.scale_val(isl_value(factor)))
    return total
