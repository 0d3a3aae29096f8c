"""The loops that OpenMP allows: how often they run is known before they begin.

A compiler computes that number from the header; what the header or the body say in between does
not count.  A loop of another form may do anything.
"""

from __future__ import annotations

from loopwright.evaluation.outcomes import CannotEvaluate
from loopwright.frontend.c_tree import (
    AssignExpr,
    BinaryExpr,
    CallExpr,
    Expr,
    ForStmt,
    IncrementExpr,
    IntLiteral,
    MemberOf,
    Subscript,
    UnaryExpr,
    Use,
    Variable,
    expressions_in,
    walk_expression,
    without_casts,
)
from loopwright.frontend.headers import started_variable

_DIRECTIONS = {"<": 1, "<=": 1, ">": -1, ">=": -1}


def require_canonical(loop: ForStmt) -> None:
    """That a loop counts up or down to a bound that stays what it is."""
    iterator = started_variable(loop.start)
    condition = loop.condition
    if iterator is None or loop.step is None or not isinstance(condition, BinaryExpr):
        raise CannotEvaluate("a loop that OpenMP does not allow")
    step = _step(loop.step, iterator)
    direction = _DIRECTIONS.get(condition.operator, 0)
    if not _is(condition.left, iterator) or step * direction <= 0:
        raise CannotEvaluate("a loop that OpenMP does not allow")
    _require_kept(condition.right, loop, iterator)


def _is(expression: Expr, variable: Variable) -> bool:
    found = without_casts(expression)
    return isinstance(found, Use) and found.variable is variable


def _step(step: Expr, iterator: Variable) -> int:
    """By how much the iterator changes; zero if that is not a constant."""
    match step:
        case IncrementExpr(operator=sign, target=target) if _is(target, iterator):
            return 1 if sign == "++" else -1
        case AssignExpr(operator="+=" | "-=" as sign, target=target, value=value):
            number = without_casts(value)
            if _is(target, iterator) and isinstance(number, IntLiteral):
                return number.value if sign == "+=" else -number.value
            return 0
        case _:
            return 0


def _require_kept(bound: Expr, loop: ForStmt, iterator: Variable) -> None:
    """Nothing in the body may change the iterator or the bound."""
    inside = list(walk_expression(bound))
    if any(_may_change(each) for each in inside):
        raise CannotEvaluate("a bound that may change")
    fixed = {each.variable for each in inside if isinstance(each, Use)} | {iterator}
    is_shared = any(each.is_global for each in fixed)
    for each in expressions_in(loop.body):
        if is_shared and isinstance(each, CallExpr):
            raise CannotEvaluate("a bound that may change")
        if isinstance(each, AssignExpr | IncrementExpr):
            target = without_casts(each.target)
            if isinstance(target, Use) and target.variable in fixed:
                raise CannotEvaluate("a loop that changes how often it runs")


def _may_change(expression: Expr) -> bool:
    """Is it more than arithmetic on variables?"""
    match expression:
        case UnaryExpr(operator="+" | "-" | "~" | "!"):
            return False
        case UnaryExpr() | Subscript() | MemberOf() | CallExpr() | AssignExpr() | IncrementExpr():
            return True
        case _:
            return False
