"""A bound on isl's work: exponential algorithms must end in a sentence, not in a hang."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from math import prod
from typing import TypeVar

import islpy as isl


class OutOfOperations(Exception):
    """isl did not finish within the operations that the stage was given."""


@contextmanager
def limited(operations: int) -> Generator[None]:
    """Let isl spend so many operations inside the block, no more."""
    context = isl.DEFAULT_CONTEXT
    previous = context.get_max_operations()
    context.reset_operations()
    context.set_max_operations(operations)
    try:
        yield
    except (isl.Error, TypeError) as error:
        # A number that isl no longer prints is None in Python, and no integer.
        if "maximal number of operations" in str(error) or context_is_spent():
            raise OutOfOperations from error
        raise
    finally:
        context.set_max_operations(previous)
        context.reset_operations()


SIMPLIFYING_OPERATIONS = 20_000

Described = TypeVar("Described", isl.Set, isl.Map)


def simplified(description: Described, simplify: Callable[[Described], Described]) -> Described:
    """The same set or relation in fewer words, or as it is if finding them takes long.

    >>> pieces = isl.Set("{ [i] : 0 <= i <= 3 or 4 <= i <= 9 }")
    >>> print(simplified(pieces, isl.Set.coalesce))
    { [i] : 0 <= i <= 9 }
    """
    try:
        with limited(SIMPLIFYING_OPERATIONS):
            return simplify(description)
    except OutOfOperations:
        return description


def hull(condition: isl.Set) -> isl.Set:
    """A larger set with a single piece, found without effort.

    >>> print(hull(isl.Set("{ [i] : 0 <= i <= 3 or 0 <= i <= 9 }")))
    { [i] : 0 <= i <= 9 }
    """
    return isl.Set.from_basic_set(condition.plain_unshifted_simple_hull())


MOST_PIECES = 5_000


def negation(condition: isl.Set) -> isl.Set:
    """Where a condition does not hold.

    The work grows exponentially with the number of pieces, out of sight of isl's own count of
    operations; so a condition whose negation may fall into too many is not negated at all.
    """
    if _pieces_of_negation(condition) > MOST_PIECES:
        condition = simplified(condition, isl.Set.coalesce)
    if _pieces_of_negation(condition) > MOST_PIECES:
        raise OutOfOperations
    return condition.complement()


def _pieces_of_negation(condition: isl.Set) -> int:
    """At most so many: one constraint of each piece fails."""
    return prod(len(basic.get_constraints()) or 1 for basic in condition.get_basic_sets())


def simple_negation(condition: isl.Set) -> isl.Set | None:
    """Where a condition does not hold, or ``None`` if it has too many pieces to say."""
    try:
        return negation(condition)
    except OutOfOperations:
        return None


def is_simple(condition: isl.Set, pieces: int) -> bool:
    """Has the condition few pieces, and no hidden integers in any of them?"""
    return condition.n_basic_set() <= pieces and all(
        basic.dim(isl.dim_type.div) == 0 for basic in condition.get_basic_sets()
    )


def context_is_spent() -> bool:
    """Has the current allowance run out?  Some isl errors hide that they come from there."""
    try:
        isl.Set("{ [i] : i >= 0 }").is_empty()
    except isl.Error:
        return True
    return False
