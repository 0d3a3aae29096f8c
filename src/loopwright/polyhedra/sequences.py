"""Conditions on one unknown that counts: bounds, endlessness, and the count as a function."""

from __future__ import annotations

import islpy as isl

from loopwright.polyhedra.values import PARAM

SET = isl.dim_type.set


def only_bounds(condition: isl.Set, name: str, direction: int) -> bool:
    """Is the condition a conjunction of bounds in this direction on the unknown?

    Then it cannot hold again once it has failed on the way there.

    >>> only_bounds(isl.Set("[i, n] -> { : i < n }"), "i", 1)
    True
    >>> only_bounds(isl.Set("[i, n] -> { : i > n or i < 0 }"), "i", 1)
    False
    """
    basic_sets = condition.get_basic_sets()
    if len(basic_sets) != 1 or basic_sets[0].dim(isl.dim_type.div) > 0:
        return False
    (basic,) = basic_sets
    position = basic.get_space().find_dim_by_name(PARAM, name)
    if position < 0:
        return True
    for constraint in basic.get_constraints():
        coefficient = constraint.get_coefficient_val(PARAM, position).to_python()
        if coefficient * direction > 0 or (coefficient != 0 and constraint.is_equality()):
            return False
    return True


def unbounded_part(condition: isl.Set, name: str) -> isl.Set:
    """Where the unknown takes infinitely many values.

    >>> print(unbounded_part(isl.Set("[i, n] -> { : 0 <= i < n or (i >= 0 and n < 0) }"), "i"))
    [i, n] -> {  : i >= 0 and n < 0 }
    """
    endless = isl.Set.empty(condition.get_space())
    for basic in condition.get_basic_sets():
        if not _is_bounded(basic, name):
            endless = endless | isl.Set.from_basic_set(basic)
    return endless


def _is_bounded(basic: isl.BasicSet, name: str) -> bool:
    position = basic.get_space().find_dim_by_name(PARAM, name)
    if position < 0:
        return basic.is_empty()
    as_set = basic.move_dims(SET, 0, PARAM, position, 1)
    return as_set.is_empty() or as_set.is_bounded()


def as_function(condition: isl.Set, name: str) -> isl.PwAff:
    """The least value of the unknown that satisfies the condition, in terms of the others.

    >>> print(as_function(isl.Set("[k, i] -> { : i = 2k }"), "k"))
    [i] -> { [(floor((i)/2))] : (i) mod 2 = 0 }
    """
    position = condition.find_dim_by_name(PARAM, name)
    as_set = isl.Set.from_params(condition).move_dims(SET, 0, PARAM, position, 1)
    return as_set.lexmin_pw_multi_aff().get_at(0)
