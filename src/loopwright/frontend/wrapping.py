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

LEAST_LEFT = 2**10
"""What a factor that is known to be small has to leave for those that are not."""


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
    if not workshop.is_for_proof:
        before = workshop.context
        is_possible = _excluded(value, greatest, reason, expression, scope, workshop)
        if workshop.context is not before and not is_address:
            workshop.note("LW301", f"assumed that {reason}", expression.span, "use size_t")
        return is_possible
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
    bad, box = never(), Box(scope.possible & workshop.type_ranges())
    for factor, most in _factors(_by_rows(value), greatest + 1, box):
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


def _factors(value: Polynomial, limit: int, box: Box) -> Iterator[tuple[isl.PwAff, int]]:
    """All factors of all terms, with how large they may be for the sum to stay below a limit.

    Those that are small enough anyway leave more for the others.
    """
    share = limit // len(value.terms)
    for monomial, coefficient in value.terms.items():
        factors = [coefficient, *(value.sizes[name] for name in monomial)]
        rest = share
        ordered = sorted(((_largest(each, box), at) for at, each in enumerate(factors)))
        for left, (known, at) in zip(range(len(factors), 0, -1), ordered, strict=True):
            root = _root(rest, left)
            most = known if known <= max(root, rest // LEAST_LEFT) else root
            rest //= max(most, 1)
            yield factors[at], most


def _largest(value: isl.PwAff, box: Box) -> int:
    """The largest that it can be, either way; more than any limit if that is not known."""
    ends = box.ends(value)
    return max(abs(ends[0]), abs(ends[1])) if ends is not None else 2 ** (2 * ADDRESS_BITS)


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
