"""Sums and comparisons written the way a person writes them."""

from __future__ import annotations

from math import gcd

from loopwright.basics.records import record
from loopwright.model.expressions import Constant, Expr, Identifier, Operation, Operator

TRUE = Constant(1)
FALSE = Constant(0)


@record
class Sum:
    """Σ coefficient · operand + constant, in the order in which it is written."""

    terms: tuple[tuple[Expr, int], ...]
    constant: int


def sum_expression(total: Sum) -> Expr:
    """The sum as an expression.

    >>> from loopwright.model.expressions import expression_text
    >>> n, c0 = Identifier("n"), Identifier("c0")
    >>> print(expression_text(sum_expression(Sum(((n, -1), (c0, 2)), -1))))
    2 * c0 - n - 1
    """
    terms = total.terms
    if not terms:
        return Constant(total.constant)
    if terms[0][1] < 0 and _is_variable(terms[0][0]):
        # A sum of variables starts with one that is added, if there is any.
        first = next((at for at, (_, coefficient) in enumerate(terms) if coefficient > 0), 0)
        terms = (terms[first], *terms[:first], *terms[first + 1 :])
    (operand, coefficient), *rest = terms
    result = _multiple(coefficient, operand)
    for operand, coefficient in rest:
        result = _added(result, _multiple(abs(coefficient), operand), coefficient > 0)
    if total.constant:
        result = _added(result, Constant(abs(total.constant)), total.constant > 0)
    return result


def _is_variable(operand: Expr) -> bool:
    return isinstance(operand, Identifier)


def _multiple(coefficient: int, operand: Expr) -> Expr:
    if coefficient == 1:
        return operand
    if coefficient == -1:
        return Operation(Operator.NEGATE, (operand,))
    return Operation(Operator.MULTIPLY, (Constant(coefficient), operand))


def _added(left: Expr, right: Expr, positive: bool) -> Expr:
    if not positive:
        return Operation(Operator.SUBTRACT, (left, right))
    if isinstance(left, Operation) and left.operator is Operator.ADD:
        return Operation(Operator.ADD, (*left.operands, right))
    return Operation(Operator.ADD, (left, right))


def at_least_zero(total: Sum) -> Expr:
    """``total >= 0`` with what is subtracted on the other side.

    >>> from loopwright.model.expressions import expression_text
    >>> n, m = Identifier("n"), Identifier("m")
    >>> print(expression_text(at_least_zero(Sum(((n, 1), (m, -1)), -4))))
    n >= m + 4
    >>> print(expression_text(at_least_zero(Sum(((n, -1),), -1))))
    n <= -1
    """
    total = _reduced(total)
    if not total.terms:
        return TRUE if total.constant >= 0 else FALSE
    left, right = _sides(total)
    if not left:
        return _compare(Operator.LESS_OR_EQUAL, Sum(right, 0), Sum((), total.constant))
    if not right:
        return _compare(Operator.GREATER_OR_EQUAL, Sum(left, 0), Sum((), -total.constant))
    if total.constant == -1:
        return _compare(Operator.GREATER, Sum(left, 0), Sum(right, 0))
    return _compare(
        Operator.GREATER_OR_EQUAL,
        Sum(left, max(total.constant, 0)),
        Sum(right, max(-total.constant, 0)),
    )


def equals_zero(total: Sum, first: Expr | None = None) -> Expr:
    """``total == 0`` with what is subtracted on the other side, and ``first`` on the left.

    >>> from loopwright.model.expressions import expression_text
    >>> n, m = Identifier("n"), Identifier("m")
    >>> print(expression_text(equals_zero(Sum(((n, -1), (m, 1)), -4))))
    n + 4 == m
    """
    if not total.terms:
        return FALSE if total.constant else TRUE
    factor = gcd(*(coefficient for _, coefficient in total.terms))
    if total.constant % factor:
        return FALSE
    leading = first if first is not None else total.terms[0][0]
    if next((each for operand, each in total.terms if operand == leading), 1) < 0:
        factor = -factor
    terms = tuple((operand, coefficient // factor) for operand, coefficient in total.terms)
    total = Sum(terms, total.constant // factor)
    left, right = _sides(total)
    if not right:
        return _compare(Operator.EQUAL, Sum(left, 0), Sum((), -total.constant))
    if not left:
        return _compare(Operator.EQUAL, Sum(right, 0), Sum((), total.constant))
    return _compare(
        Operator.EQUAL, Sum(left, max(total.constant, 0)), Sum(right, max(-total.constant, 0))
    )


def _reduced(total: Sum) -> Sum:
    """The smallest coefficients for which the same integers are at least zero."""
    factor = gcd(*(coefficient for _, coefficient in total.terms))
    if factor <= 1:
        return total
    terms = tuple((operand, coefficient // factor) for operand, coefficient in total.terms)
    return Sum(terms, total.constant // factor)


Terms = tuple[tuple[Expr, int], ...]


def _sides(total: Sum) -> tuple[Terms, Terms]:
    left = tuple(term for term in total.terms if term[1] > 0)
    right = tuple((operand, -each) for operand, each in total.terms if each < 0)
    return left, right


def _compare(operator: Operator, left: Sum, right: Sum) -> Expr:
    return Operation(operator, (sum_expression(left), sum_expression(right)))
