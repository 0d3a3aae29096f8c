"""What expressions of generated code compute, as quasi-affine functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

import islpy as isl

from loopwright.model.expressions import Constant, Expr, Identifier, Operation, Operator
from loopwright.polyhedra.values import (
    COMPARISONS,
    choose,
    constant,
    constant_of,
    floor_quotient,
    modulo,
    truth,
    unknown,
)

Value = isl.PwAff | None


def expression_value(expression: Expr, names: Iterable[str]) -> Value:
    """The value of an expression, or ``None`` if it is not quasi-affine over these names.

    The names are parameters: iterators and symbolic constants alike.

    >>> print(expression_value(Operation(Operator.ADD, (Identifier("c0"), Constant(1))), {"c0"}))
    [c0] -> { [(1 + c0)] }
    """
    known = frozenset(names)
    match expression:
        case Constant(value):
            return constant(value)
        case Identifier(name):
            return unknown(name) if name in known else None
        case Operation(operator, operands):
            values = [expression_value(each, known) for each in operands]
            present = [each for each in values if each is not None]
            return _operation(operator, present) if len(present) == len(values) else None


def _operation(operator: Operator, operands: Sequence[isl.PwAff]) -> Value:
    match operator:
        case Operator.ADD:
            return reduce(isl.PwAff.add, operands)
        case Operator.SUBTRACT:
            return reduce(isl.PwAff.sub, operands)
        case Operator.NEGATE:
            return operands[0].neg()
        case Operator.MINIMUM:
            return reduce(isl.PwAff.min, operands)
        case Operator.MAXIMUM:
            return reduce(isl.PwAff.max, operands)
        case Operator.MULTIPLY:
            is_linear = sum(constant_of(each) is None for each in operands) <= 1
            return reduce(isl.PwAff.mul, operands) if is_linear else None
        case _:
            return _chosen_or_divided(operator, operands)


def _chosen_or_divided(operator: Operator, operands: Sequence[isl.PwAff]) -> Value:
    """The rest; no matter what a remainder or quotient relies on, it is rounded down."""
    if operator.value in COMPARISONS and len(operands) == 2:
        return truth(COMPARISONS[operator.value](*operands))
    if operator in (Operator.LAZY_CONDITIONAL, Operator.EAGER_CONDITIONAL):
        condition, yes, no = operands
        return choose(condition.ne_set(constant(0)), yes, no)
    divisor = constant_of(operands[-1])
    if len(operands) != 2 or divisor is None or divisor <= 0:
        return None
    if operator in (Operator.NON_NEGATIVE_REMAINDER, Operator.ZERO_REMAINDER):
        return modulo(operands[0], divisor)
    dividing = (
        Operator.FLOOR_DIVISION,
        Operator.EXACT_DIVISION,
        Operator.NON_NEGATIVE_DIVISION,
    )
    return floor_quotient(operands[0], divisor) if operator in dividing else None
