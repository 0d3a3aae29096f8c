"""Does the value of an expression depend on the order in which its operands are evaluated?

C leaves that order open.  What is accepted has one value in any order: side effects inside of an
expression are those on variables that it mentions nowhere else, and calls that change nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from loopwright.evaluation.outcomes import CannotEvaluate
from loopwright.frontend.c_tree import (
    AssignExpr,
    BinaryExpr,
    CallExpr,
    CastExpr,
    Expr,
    Function,
    IncrementExpr,
    OpaqueExpr,
    OpaqueStmt,
    Use,
    Variable,
    parts_of,
    walk_expression,
    walk_statements,
    without_casts,
)
from loopwright.frontend.c_types import FloatType, IntType

DEEPEST_CALLS = 8


def require_one_order(expression: Expr) -> None:
    """That a full expression has one value; :class:`CannotEvaluate` where that is not seen."""
    for each in _in_sequence(expression):
        _require_one_order(each)


def _in_sequence(expression: Expr) -> Iterator[Expr]:
    """What commas keep apart."""
    match expression:
        case BinaryExpr(operator=",", left=left, right=right):
            yield from _in_sequence(left)
            yield from _in_sequence(right)
        case CastExpr(operand=operand):
            yield from _in_sequence(operand)
        case _:
            yield expression


def _require_one_order(expression: Expr) -> None:
    nodes = list(walk_expression(expression))
    calls = [each for each in nodes if isinstance(each, CallExpr) and not is_tame(each)]
    if calls:
        _require_only(calls, expression)
        return
    effects = [each for each in nodes if isinstance(each, AssignExpr | IncrementExpr)]
    inside = [each for each in effects if each is not expression]
    uses = Counter(id(each.variable) for each in nodes if isinstance(each, Use))
    for each in inside:
        target = without_casts(each.target)
        if not isinstance(target, Use) or uses[id(target.variable)] != 1:
            raise CannotEvaluate("an expression with several side effects")


def _require_only(calls: list[CallExpr], expression: Expr) -> None:
    """A call that changes something must be all that happens: ``f(a);`` or ``x = f(a);``."""
    (call, *others) = calls
    value = without_casts(expression)
    if isinstance(value, AssignExpr) and value.operator == "=":
        target = without_casts(value.target)
        is_plain = isinstance(target, Use) and not target.variable.is_global
        value = without_casts(value.value) if is_plain else value
    inside = [each for argument in call.arguments for each in walk_expression(argument)]
    effects = [each for each in inside if isinstance(each, AssignExpr | IncrementExpr)]
    if others or effects or value is not call:
        raise CannotEvaluate("an expression with several side effects")


def is_tame(call: CallExpr, depth: int = 0) -> bool:
    """Does a call change nothing but the variables of the function that is called?"""
    if call.callee.effects in ("pure", "named"):
        return True
    if depth > DEEPEST_CALLS:
        return False
    function = call.callee.definition()
    return function is not None and _changes_nothing(function, depth)


def _changes_nothing(function: Function, depth: int) -> bool:
    for statement in walk_statements(function.body):
        if isinstance(statement, OpaqueStmt):
            return False
        for expression in parts_of(statement)[0]:
            if not all(_is_harmless(each, depth) for each in walk_expression(expression)):
                return False
    return True


def _is_harmless(expression: Expr, depth: int) -> bool:
    match expression:
        case AssignExpr(target=target) | IncrementExpr(target=target):
            place = without_casts(target)
            return isinstance(place, Use) and _is_own(place.variable)
        case CallExpr():
            return is_tame(expression, depth + 1)
        case OpaqueExpr():
            return False
        case _:
            return True


def _is_own(variable: Variable) -> bool:
    is_number = isinstance(variable.type, IntType | FloatType)
    return is_number and not variable.is_global and not variable.is_static
