"""Quasi-affine values and conditions over *named* unknowns.

While a program is read, iterators and parameters alike are isl parameters: a value is a
``PwAff`` and a condition a ``Set`` over a parameter space, and names, not positions, tell the
unknowns apart.  :mod:`loopwright.polyhedra.instances` turns the iterators into dimensions when the
statements that they belong to are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import gcd

import islpy as isl

from loopwright.polyhedra.limits import negation

PARAM = isl.dim_type.param

COMPARISONS: dict[str, Callable[[isl.PwAff, isl.PwAff], isl.Set]] = {
    "<": isl.PwAff.lt_set,
    "<=": isl.PwAff.le_set,
    ">": isl.PwAff.gt_set,
    ">=": isl.PwAff.ge_set,
    "==": isl.PwAff.eq_set,
    "!=": isl.PwAff.ne_set,
}
"""Where a comparison, as C writes it, holds."""


def unknown(name: str) -> isl.PwAff:
    """The value of an iterator or parameter.

    >>> print(unknown("n"))
    [n] -> { [(n)] }
    """
    space = isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 1).set_dim_name(PARAM, 0, name)
    local = isl.LocalSpace.from_space(space)
    return isl.PwAff.from_aff(isl.Aff.var_on_domain(local, PARAM, 0))


def constant(value: int) -> isl.PwAff:
    """An integer.

    >>> print(constant(-3))
    { [(-3)] }
    """
    local = isl.LocalSpace.from_space(isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0))
    return isl.PwAff.from_aff(isl.Aff.zero_on_domain(local).add_constant_val(_val(value)))


def _val(value: int) -> isl.Val:
    return isl.Val(str(value))  # isl's integers are unbounded, its conversions are not


def always() -> isl.Set:
    """The condition that holds."""
    return isl.Set.universe(isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0))


def never() -> isl.Set:
    """The condition that does not hold."""
    return isl.Set.empty(isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0))


def constant_of(value: isl.PwAff) -> int | None:
    """The integer, if the value is one wherever it is defined."""
    value = value.coalesce()
    if value.n_piece() != 1 or not value.is_cst():
        return None
    pieces = value.get_pieces()
    return int(pieces[0][1].get_constant_val().to_python())


def content(value: isl.PwAff) -> int:
    """The greatest number that divides all coefficients; 1 where that is not plain to see.

    >>> content(unknown("n").mul(constant(6)) + constant(4))
    2
    """
    if value.n_piece() != 1:
        return 1
    affine = value.get_pieces()[0][1]
    if affine.dim(isl.dim_type.div) > 0:
        return 1
    numbers = [affine.get_constant_val()]
    numbers += [affine.get_coefficient_val(PARAM, at) for at in range(affine.dim(PARAM))]
    return gcd(*(int(each.to_python()) for each in numbers))


def divided(value: isl.PwAff, factor: int) -> isl.PwAff:
    """A value divided by a number that divides it."""
    return value.scale_down_val(_val(factor))


def names_in(value: isl.PwAff | isl.Set) -> set[str]:
    """The unknowns that a value or condition really depends on."""
    names = {value.get_dim_name(PARAM, at) or "": at for at in range(value.dim(PARAM))}
    return {name for name, at in names.items() if value.involves_dims(PARAM, at, 1)}


def choose(condition: isl.Set, then: isl.PwAff, otherwise: isl.PwAff) -> isl.PwAff:
    """The value of C's ``condition ? then : otherwise``.

    >>> n = unknown("n")
    >>> print(choose(n.gt_set(constant(0)), n, constant(0)))
    [n] -> { [(0)] : n <= 0; [(n)] : n > 0 }
    """
    taken = then.intersect_domain(condition)
    return taken.union_add(otherwise.intersect_domain(negation(condition))).coalesce()


def truth(condition: isl.Set) -> isl.PwAff:
    """1 where the condition holds, else 0: the value of a C comparison."""
    return condition.indicator_function()


def quotient(value: isl.PwAff, divisor: int) -> isl.PwAff:
    """C's ``value / divisor``: rounded towards zero.

    >>> print(quotient(constant(-7), 2), quotient(constant(7), -2))
    { [(-3)] } { [(-3)] }
    """
    result = value.tdiv_q(constant(abs(divisor)))
    return result.neg() if divisor < 0 else result


def remainder(value: isl.PwAff, divisor: int) -> isl.PwAff:
    """C's ``value % divisor``: it has the sign of the value.

    >>> print(remainder(constant(-7), 2), remainder(constant(7), -2))
    { [(-1)] } { [(1)] }
    """
    return value.tdiv_r(constant(abs(divisor)))


def modulo(value: isl.PwAff, divisor: int) -> isl.PwAff:
    """The non-negative remainder."""
    return value.mod_val(_val(divisor))


def floor_quotient(value: isl.PwAff, divisor: int) -> isl.PwAff:
    """``value / divisor`` rounded down."""
    return value.scale_down_val(_val(divisor)).floor()


def between(least: int, value: isl.PwAff, greatest: int) -> isl.Set:
    """``least <= value <= greatest``."""
    return value.ge_set(constant(least)) & value.le_set(constant(greatest))


def beyond(least: int, value: isl.PwAff, greatest: int) -> isl.Set:
    """``value < least or value > greatest``."""
    return value.lt_set(constant(least)) | value.gt_set(constant(greatest))


def in_order(condition: isl.Set, names: Sequence[str]) -> isl.Set:
    """The same condition, with its unknowns in this order.

    >>> print(in_order(isl.Set("[m, n] -> { : m < n }"), ["n", "m"]))
    [n, m] -> {  : m < n }
    """
    space = isl.Space.params_alloc(isl.DEFAULT_CONTEXT, len(names))
    for position, name in enumerate(names):
        space = space.set_dim_name(PARAM, position, name)
    return condition.align_params(space)


def without(condition: isl.Set, names: Iterable[str]) -> isl.Set:
    """Some values of these unknowns satisfy the condition: they are projected out.

    >>> i, n = unknown("i"), unknown("n")
    >>> print(without(i.ge_set(constant(0)) & i.lt_set(n), ["i"]))
    [n] -> {  : n > 0 }
    """
    for name in names:
        position = condition.find_dim_by_name(PARAM, name)
        if position >= 0:
            condition = condition.project_out(PARAM, position, 1)
    return condition


def renamed(condition: isl.Set, old: str, new: str) -> isl.Set:
    """The same condition about another unknown."""
    position = condition.find_dim_by_name(PARAM, old)
    return condition.set_dim_name(PARAM, position, new) if position >= 0 else condition


def isl_value(value: int) -> isl.Val:
    """An integer of any size for isl.

    >>> isl_value(2**63)
    Val("9223372036854775808")
    """
    return isl.Val(str(value))


def is_plain(value: isl.Aff) -> bool:
    """Are its factors integers, and is nothing in it divided?

    >>> is_plain(isl.Aff("{ [i] -> [2i + 1] }")), is_plain(isl.Aff("{ [i] -> [floor(i/2)] }"))
    (True, False)
    """
    return value.dim(isl.dim_type.div) == 0 and bool(value.get_denominator_val().is_one())


def arithmetic(operator: str, left: isl.PwAff, right: isl.PwAff) -> isl.PwAff | None:
    """What C computes, where that is affine and nothing overflows.

    >>> print(arithmetic("/", constant(-7), constant(2)))
    { [(-3)] }
    """
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            is_linear = constant_of(left) is not None or constant_of(right) is not None
            return left.mul(right) if is_linear else None
        case "/" | "%":
            divisor = constant_of(right)
            if not divisor:
                return None
            return (quotient if operator == "/" else remainder)(left, divisor)
        case _:
            return None
