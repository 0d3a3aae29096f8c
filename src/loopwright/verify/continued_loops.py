"""Loops that go on where the loop in front of them has ended: ``for (; k < n; k++)``.

That is how people write the rest of an unrolled loop.  The loop in front leaves its iterator with a
value that can be told, and the rest becomes a loop that starts from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.c_tree import (
    AssignExpr,
    BinaryExpr,
    BreakStmt,
    CastExpr,
    Compound,
    ConditionalExpr,
    Expr,
    ExprStmt,
    ForStmt,
    IfStmt,
    IncrementExpr,
    IntLiteral,
    OpaqueStmt,
    ReturnStmt,
    Stmt,
    Use,
    Variable,
    parts_of,
    walk_expression,
    walk_statements,
    without_widening,
)
from loopwright.frontend.c_types import CType, IntType
from loopwright.frontend.facts import assignments_in
from loopwright.frontend.headers import started_variable

_PLAIN = IntLiteral | Use | BinaryExpr | CastExpr | ConditionalExpr
_ENDING = BreakStmt | ReturnStmt | OpaqueStmt


def with_starts(statements: Sequence[Stmt], is_marked: Callable[[Stmt], bool]) -> tuple[Stmt, ...]:
    """The statements, where loops without a start that go on have got one.

    Loops that are marked as parallel leave no value behind.
    """
    found: list[Stmt] = []
    for statement in statements:
        inner = _inside(statement, is_marked)
        if isinstance(inner, ForStmt) and inner.start is None and not is_marked(inner):
            inner = _continued(inner, found, is_marked)
        found.append(inner)
    return tuple(found)


def _inside(statement: Stmt, is_marked: Callable[[Stmt], bool]) -> Stmt:
    match statement:
        case Compound(statements=statements):
            return replace(statement, statements=with_starts(statements, is_marked))
        case ForStmt(body=body):
            return replace(statement, body=_inside(body, is_marked))
        case IfStmt(then=then, otherwise=otherwise):
            other = _inside(otherwise, is_marked) if otherwise is not None else None
            return replace(statement, then=_inside(then, is_marked), otherwise=other)
        case _:
            return statement


def _continued(loop: ForStmt, before: Sequence[Stmt], is_marked: Callable[[Stmt], bool]) -> ForStmt:
    """The loop with the start that one of the statements before has left."""
    variable = _counted(loop.step)
    for earlier in reversed(before):
        if isinstance(earlier, ForStmt) and _leaves(earlier, variable) and not is_marked(earlier):
            value = _final_value(earlier, loop.span)
            if value is None or variable is None:
                return loop
            target = Use(variable, variable.type, loop.span)
            value = CastExpr(value, False, variable.type, loop.span)
            start = AssignExpr("=", target, value, variable.type, loop.span)
            return replace(loop, start=ExprStmt(start, loop.span))
        if variable is None or variable in _changed(earlier):
            return loop
    return loop


def _counted(step: Expr | None) -> Variable | None:
    match step:
        case IncrementExpr(target=Use(variable=variable)):
            return variable
        case AssignExpr(target=Use(variable=variable)):
            return variable
        case _:
            return None


def _leaves(loop: ForStmt, variable: Variable | None) -> bool:
    """Is it a loop over the variable, which is there before and behind it?"""
    is_there = isinstance(loop.start, ExprStmt) and started_variable(loop.start) is variable
    return variable is not None and is_there


def _changed(statement: Stmt) -> set[Variable]:
    return {
        variable
        for each in walk_statements(statement)
        for expression in parts_of(each)[0]
        for variable, _ in assignments_in(expression)
    }


@record(eq=False)
class _Sums:
    """Makes expressions of one type, all at one place."""

    type: CType
    span: Span

    def number(self, value: int) -> Expr:
        return IntLiteral(value, str(value), self.type, self.span)

    def of(self, operator: str, left: Expr, right: Expr | int) -> Expr:
        other = self.number(right) if isinstance(right, int) else right
        return BinaryExpr(operator, left, other, self.type, self.span)


def _final_value(loop: ForStmt, span: Span) -> Expr | None:
    """What the iterator of ``for (k = S; k + d < E; k += c)`` is in the end.

    That is S if nothing runs, and else ``S + ((E - d - S - 1) / c + 1) * c``.
    """
    limit, distance = _limit(loop)
    step = _step(loop.step)
    assert isinstance(loop.start, ExprStmt)
    assert isinstance(loop.start.expression, AssignExpr)
    start, counting = loop.start.expression.value, loop.start.expression.type
    ends = limit.type if limit is not None else None
    if limit is None or step is None or not (_is_signed(ends) and _is_signed(counting)):
        return None
    if started_variable(loop.start) in _changed(loop.body):
        return None
    plain = all(isinstance(each, _PLAIN) for one in (start, limit) for each in walk_expression(one))
    if not plain or any(isinstance(each, _ENDING) for each in walk_statements(loop.body)):
        return None
    assert ends is not None
    sums = _Sums(ends, span)
    first = CastExpr(CastExpr(start, False, counting, span), False, ends, span)
    length = sums.of("-", sums.of("-", limit, distance), first)
    rounds = sums.of("+", sums.of("/", sums.of("-", length, 1), step), 1)
    last = sums.of("+", first, sums.of("*", rounds, step))
    runs = BinaryExpr("<", sums.of("+", first, distance), limit, sums.type, span)
    return ConditionalExpr(runs, last, first, sums.type, span)


def _is_signed(type_: CType | None) -> bool:
    return isinstance(type_, IntType) and type_.is_signed


def _limit(loop: ForStmt) -> tuple[Expr | None, int]:
    """E and d, where the condition is ``k + d < E``."""
    condition = loop.condition
    if not isinstance(condition, BinaryExpr) or condition.operator not in ("<", "<="):
        return None, 0
    left, more = without_widening(condition.left), int(condition.operator == "<=")
    match left:
        case Use():
            distance, counted = -more, left
        case BinaryExpr("+", counted, IntLiteral(value=value)):
            distance = value - more
        case _:
            return None, 0
    counted = without_widening(counted)
    is_iterator = isinstance(counted, Use) and counted.variable is started_variable(loop.start)
    return (condition.right, distance) if is_iterator else (None, 0)


def _step(step: Expr | None) -> int | None:
    """A step upwards."""
    match step:
        case IncrementExpr("++"):
            return 1
        case AssignExpr("+=", _, value):
            number = without_widening(value)
            is_upwards = isinstance(number, IntLiteral) and number.value > 0
            return number.value if is_upwards and isinstance(number, IntLiteral) else None
        case _:
            return None
