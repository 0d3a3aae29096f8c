"""Subscripts with products in unsigned arithmetic, which wraps around where they are too large.

No affine condition says that ``i*n + j`` fits its type, but one that keeps every factor small is
enough.  It is asked for larger sizes than it must be, and never for smaller ones.
"""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl

from loopwright.frontend.c_tree import Expr
from loopwright.frontend.c_types import IntType
from loopwright.frontend.polynomials import Polynomial, rows_in
from loopwright.frontend.scope import Scope
from loopwright.frontend.workshop import ADDRESS_BITS, Overflow, Workshop
from loopwright.polyhedra.boxes import Box
from loopwright.polyhedra.extremes import beyond_in_any
from loopwright.polyhedra.limits import OutOfOperations
from loopwright.polyhedra.values import beyond, constant, never


def keeps_from_wrapping(
    value: Polynomial, expression: Expr, scope: Scope, workshop: Workshop
) -> bool:
    """Assume that an unsigned expression with products in it does not wrap; false if it must.

    Where two given programs are compared, nobody asks for sizes: it is taken for granted of the
    original, and new text takes no more risks than that.
    """
    type_ = expression.type
    if workshop.overflow is not Overflow.IGNORED:
        return True
    if not isinstance(type_, IntType) or type_.is_signed:
        return True
    is_address = type_.bits == ADDRESS_BITS
    greatest = min(type_.greatest, 2 ** (ADDRESS_BITS - 1) - 1)
    least = -greatest if is_address else 0
    ends = value.ends(Box(scope.possible & workshop.type_ranges()).ends)
    if ends is not None and least <= ends[0] and ends[1] <= greatest:
        return True
    reason = f"{workshop.text_of(expression.span)} does not wrap around as {type_.name}"
    if not is_address:
        workshop.note("LW301", f"assumed that {reason}", expression.span, "use size_t")
    if not workshop.is_for_proof:
        return _excluded(value, greatest, reason, expression, scope, workshop)
    if not is_address:
        workshop.take_for_granted(reason, expression.span)
    return True


def _excluded(
    value: Polynomial,
    greatest: int,
    reason: str,
    expression: Expr,
    scope: Scope,
    workshop: Workshop,
) -> bool:
    """Exclude sizes with which the value may be greater than this."""
    is_address = greatest >= 2 ** (ADDRESS_BITS - 1) - 1
    iterators = {*scope.iterators, *scope.hidden}
    bad = never()
    for factor, most in _factors(_by_rows(value), greatest + 1):
        bad = bad | _outside(factor, -most if is_address else 0, most, scope, workshop)
    try:
        return workshop.exclude(bad, reason, expression.span, iterators)
    except OutOfOperations:
        return False


def _by_rows(value: Polynomial) -> Polynomial:
    """With whole rows among the rows: ``i*n - n`` is ``(i - 1)*n``."""
    inner = value.terms.get((), None)
    for name, size in value.sizes.items():
        if inner is None or (name,) not in value.terms:
            continue
        rows = rows_in(inner, size)
        inner = inner - size.mul(constant(rows))
        terms = {**value.terms, (): inner, (name,): value.terms[(name,)] + constant(rows)}
        value = Polynomial(terms, value.sizes)
    return value


def _factors(value: Polynomial, limit: int) -> Iterator[tuple[isl.PwAff, int]]:
    """All factors of all terms, with how large they may be for the sum to stay below a limit."""
    share = limit // len(value.terms)
    for monomial, coefficient in value.terms.items():
        most = _root(share, len(monomial) + 1)
        yield coefficient, most
        for name in monomial:
            yield value.sizes[name], most


def _root(value: int, degree: int) -> int:
    """The greatest integer whose power is less.

    >>> _root(2**32, 2), _root(2**32, 3), _root(7, 1)
    (65535, 1625, 6)
    """
    low, high = 0, value
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree < value else (low, middle)
    return low


def _outside(
    factor: isl.PwAff, least: int, greatest: int, scope: Scope, workshop: Workshop
) -> isl.Set:
    """Parameter values for which a factor may be too large, in an iteration that runs or not."""
    iterators = {*scope.iterators, *scope.hidden}
    reached = scope.possible & workshop.type_ranges()
    bad = beyond_in_any(least, factor, greatest, reached, iterators)
    return bad if bad is not None else scope.possible & beyond(least, factor, greatest)
