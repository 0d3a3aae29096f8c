"""Generated expressions get types and casts such that nothing overflows."""

from __future__ import annotations

import pytest

from loopwright.emit.arithmetic import INT, LONG, Arithmetic, DoesNotFit, Variable
from loopwright.emit.ranges import Range
from loopwright.model.expressions import (
    Constant,
    Expr,
    Identifier,
    Operator,
    expression_text,
    operation,
)

N, M, SMALL, WIDE, C0 = (Identifier(name) for name in ("n", "m", "small", "wide", "c0"))
DIGITS = Range(0, 9)
AMONG = {
    "n": Variable("n", False, INT),
    "m": Variable("p->m", False, Range(1, INT.high)),
    "small": Variable("small", False, Range(0, 100)),
    "wide": Variable("wide", True, LONG),
    "u": Variable("u", False, Range(0, 2**32 - 1), is_unsigned=True),
}


def c_text(expression: Expr, *, iterator: Range = DIGITS, is_long: bool = False) -> str:
    arithmetic = Arithmetic(AMONG).with_iterator("c0", is_long=is_long, values=iterator)
    return expression_text(arithmetic.typed(expression).expression)


def add(*operands: Expr) -> Expr:
    return operation(Operator.ADD, *operands)


def subtract(*operands: Expr) -> Expr:
    return operation(Operator.SUBTRACT, *operands)


def test_no_cast_where_the_values_fit() -> None:
    assert c_text(subtract(M, Constant(1))) == "p->m - 1"
    assert c_text(operation(Operator.MULTIPLY, Constant(3), SMALL)) == "3 * small"
    assert c_text(subtract(SMALL, C0)) == "small - c0"
    assert c_text(operation(Operator.NEGATE, M)) == "-p->m"


def test_a_cast_where_they_might_not() -> None:
    assert c_text(add(M, Constant(1))) == "(long)p->m + 1"
    assert c_text(add(N, M)) == "(long)n + p->m"
    assert c_text(operation(Operator.MULTIPLY, Constant(3), M)) == "3 * (long)p->m"
    assert c_text(operation(Operator.NEGATE, N)) == "-(long)n"
    assert c_text(operation(Operator.FLOOR_DIVISION, N, Constant(4))) == "lw_floord((long)n, 4)"
    assert c_text(operation(Operator.FLOOR_DIVISION, M, Constant(4))) == "lw_floord(p->m, 4)"


def test_sums_are_computed_from_the_left() -> None:
    assert c_text(add(M, N, C0), is_long=True) == "(long)p->m + n + c0"
    assert c_text(add(C0, M, N), is_long=True) == "c0 + p->m + n"


def test_unsigned_values_become_signed() -> None:
    assert c_text(subtract(Identifier("u"), Constant(1))) == "(long)u - 1"
    assert c_text(operation(Operator.LESS, C0, Identifier("u"))) == "c0 < (long)u"


def test_iterators_are_widened_themselves() -> None:
    with pytest.raises(DoesNotFit):
        c_text(add(C0, M), iterator=Range(0, 5))
    assert c_text(add(C0, M), iterator=Range(0, 5), is_long=True) == "c0 + p->m"


def test_what_exceeds_64_bits() -> None:
    with pytest.raises(DoesNotFit):
        c_text(add(WIDE, Constant(1)))


def test_decided_comparisons_are_left_out() -> None:
    holds = operation(Operator.LESS_OR_EQUAL, SMALL, Constant(100))
    fails = operation(Operator.GREATER, SMALL, Constant(100))
    open_ = operation(Operator.EQUAL, SMALL, Constant(7))
    assert c_text(operation(Operator.LAZY_AND, holds, open_)) == "small == 7"
    assert c_text(operation(Operator.LAZY_OR, fails, open_)) == "small == 7"
    assert c_text(operation(Operator.LAZY_AND, fails, open_)) == "0"
    assert c_text(operation(Operator.LAZY_CONDITIONAL, holds, M, N)) == "p->m"
    assert c_text(operation(Operator.LESS, Constant(100), SMALL)) == "0"
    assert c_text(operation(Operator.GREATER_OR_EQUAL, Constant(100), SMALL)) == "1"


def test_extremes_nest() -> None:
    least = operation(Operator.MINIMUM, N, M, SMALL)
    assert c_text(least) == "lw_min(n, lw_min(p->m, small))"
    assert c_text(subtract(operation(Operator.MAXIMUM, M, SMALL), Constant(1))) == (
        "lw_max(p->m, small) - 1"
    )


def test_remainders_are_small() -> None:
    remainder = operation(Operator.NON_NEGATIVE_REMAINDER, M, Constant(4))
    assert c_text(add(remainder, Constant(1))) == "p->m % 4 + 1"
