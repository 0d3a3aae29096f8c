"""Loops in other words: ``while`` loops that count are the ``for`` loops that they stand for.

``int i = 0; while (i < n) { …; i++; }`` runs as ``int i; for (i = 0; i < n; i++) { … }`` does, and
``while (i-- > 0)`` as ``for (i = i - 1; i >= 0; i--)``; the variable ends with the same value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeGuard

from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.c_tree import (
    AssignExpr,
    BinaryExpr,
    CallExpr,
    CastExpr,
    Compound,
    ContinueStmt,
    DeclStmt,
    Expr,
    ExprStmt,
    ForStmt,
    IfStmt,
    IncrementExpr,
    IntLiteral,
    LabelStmt,
    OpaqueExpr,
    OpaqueStmt,
    Stmt,
    Subscript,
    UnaryExpr,
    Use,
    Variable,
    WhileStmt,
    expressions_in,
    parts_of,
    walk_expression,
    walk_statements,
    without_casts,
)
from loopwright.frontend.c_types import IntType
from loopwright.frontend.clang_library import ParsedFile
from loopwright.frontend.headers import started_variable

_BLANK = re.compile(rb"//[^\n]*|/\*.*?\*/|^[ \t]*#[ \t]*(?:line[ \t]+)?\d[^\n]*", re.DOTALL | re.M)
"""Comments, and what preprocessors say of lines."""


def with_counted_loops(body: Compound, parsed: ParsedFile) -> Compound:
    """The body of a function in which ``while`` loops that count are ``for`` loops."""
    if not any(map(_may_count, walk_statements(body))):
        return body
    return _Forms(frozenset(_reached_otherwise(body)), parsed).block(body)


def _may_count(statement: Stmt) -> bool:
    match statement:
        case WhileStmt(is_tested_last=is_tested_last):
            return not is_tested_last
        case ForStmt(condition=condition, step=None):
            return condition is not None
        case _:
            return False


def _is_plain(expression: Expr) -> bool:
    """Is it made of variables and numbers?  What depends on data stays the loop that it is."""
    return not any(
        isinstance(each, Subscript | CallExpr | OpaqueExpr)
        or (isinstance(each, UnaryExpr) and each.operator == "*")
        for each in walk_expression(expression)
    )


def _reached_otherwise(body: Compound) -> Iterator[Variable]:
    """The variables whose addresses somebody has, or that stand where nobody can read."""
    for each in walk_statements(body):
        if isinstance(each, OpaqueStmt):
            yield from (one.variable for one in expressions_in(each) if isinstance(one, Use))
        for expression in parts_of(each)[0]:
            for one in walk_expression(expression):
                if isinstance(one, OpaqueExpr) or (
                    isinstance(one, UnaryExpr) and one.operator == "&"
                ):
                    yield from _variables_in(one)


def _variables_in(expression: Expr) -> Iterator[Variable]:
    return (each.variable for each in walk_expression(expression) if isinstance(each, Use))


@record(eq=False)
class _Counted:
    """A loop that counts: what stands in the header of the ``for`` loop, and what in its body.

    ``is_late`` if the variable is changed once before the body first runs.
    """

    variable: Use
    condition: Expr
    step: Expr
    body: Stmt
    is_late: bool


@record(eq=False)
class _Forms:
    """Rewrites the statements of one function."""

    reached: frozenset[Variable]
    parsed: ParsedFile

    def block(self, block: Compound) -> Compound:
        """A block, with what is inside of it."""
        found: list[Stmt] = []
        for each in block.statements:
            inner = self.inside(each)
            match inner:
                case WhileStmt():
                    self._append_while(inner, found)
                case _:
                    found.append(inner)
        is_same = len(found) == len(block.statements) and all(map(_is, found, block.statements))
        return block if is_same else replace(block, statements=tuple(found))

    def inside(self, statement: Stmt) -> Stmt:
        """A statement, with what is inside of it."""
        match statement:
            case Compound():
                return self.block(statement)
            case IfStmt(then=then, otherwise=otherwise):
                other = self.inside(otherwise) if otherwise is not None else None
                return replace(statement, then=self.inside(then), otherwise=other)
            case WhileStmt(body=body):
                return replace(statement, body=self.inside(body))
            case ForStmt(body=body):
                return self._with_late_start(replace(statement, body=self.inside(body)))
            case _:
                return statement

    def _append_while(self, loop: WhileStmt, before: list[Stmt]) -> None:
        """The loop behind what stands before it, which may have its start."""
        counted = self._counted(loop) if _is_plain(loop.condition) else None
        if counted is not None and before:
            variable, last = counted.variable.variable, before[-1]
            match last:
                case ExprStmt(expression=AssignExpr(value=value)) if (
                    started_variable(last) is variable
                    and _is_plain(value)
                    and self._is_next(last.span, loop.span)
                ):
                    before[-1] = _for(counted, value, last.span.joined_with(loop.span))
                    return
                case _:
                    pass
            value = _declared_value(variable, before)
            if value is not None and _is_plain(value):
                before.append(_for(counted, value, loop.span))
                return
        before.append(loop)

    def _is_next(self, first: Span, second: Span) -> bool:
        """Is nothing between two places but the end of a statement?"""
        if first.file != second.file or first.end > second.start:
            return False
        between = self.parsed.file(first.file).content[first.end : second.start]
        return _BLANK.sub(b" ", between).strip() in (b"", b";")

    def _with_late_start(self, loop: ForStmt) -> Stmt:
        """``for (i = n; i-- > 0; )``."""
        counted = self._late(loop.condition, loop.body) if loop.step is None else None
        if counted is None or started_variable(loop.start) is not counted.variable.variable:
            return loop
        start = loop.start
        match start:
            case DeclStmt(value=value) if value is not None:
                start = replace(start, value=_less_one(value, counted.variable))
            case ExprStmt(expression=AssignExpr(value=value) as assigned):
                value = _less_one(value, counted.variable)
                start = replace(start, expression=replace(assigned, value=value))
            case _:
                return loop
        return replace(loop, start=start, condition=counted.condition, step=counted.step)

    # --- what counts ----------------------------------------------------------------------------

    def _counted(self, loop: WhileStmt) -> _Counted | None:
        if loop.is_tested_last:
            return None
        late = self._late(loop.condition, loop.body)
        if late is not None:
            return late
        body = loop.body
        if not isinstance(body, Compound) or not body.statements or _continues(body):
            return None
        *rest, last = body.statements
        if not isinstance(last, ExprStmt):
            return None
        variable = _stepped(last.expression)
        if variable is None or not self._may_count(variable.variable):
            return None
        if variable.variable not in set(_variables_in(loop.condition)):
            return None
        inner = replace(body, statements=tuple(rest))
        return _Counted(variable, loop.condition, last.expression, inner, False)

    def _late(self, condition: Expr | None, body: Stmt) -> _Counted | None:
        """``i-- > 0``, ``i-- != 0`` or ``i--`` as a condition."""
        operator, step, last = ">=", condition, 0
        match condition:
            case BinaryExpr(operator=">", left=left, right=right) if _is_zero(right):
                step = left
            case BinaryExpr(operator="!=", left=left, right=right) if _is_zero(right):
                operator, step, last = "!=", left, -1
            case _:
                operator, last = "!=", -1
        match step:
            case IncrementExpr(operator="--", target=Use() as use, is_postfix=True):
                if condition is None or not _is_wide(use.type) or not self._may_count(use.variable):
                    return None
                end = IntLiteral(last, str(last), use.type, condition.span)
                test = BinaryExpr(operator, use, end, condition.type, condition.span)
                return _Counted(use, test, step, body, True)
            case _:
                return None

    def _may_count(self, variable: Variable) -> bool:
        is_shared = variable.is_global or variable.is_static or variable.is_pinned
        is_integer = isinstance(variable.type, IntType) and not variable.type.is_bool
        return is_integer and not is_shared and variable not in self.reached


def _is(one: object, other: object) -> bool:
    return one is other


def _for(counted: _Counted, value: Expr, span: Span) -> ForStmt:
    use = counted.variable
    first = _less_one(value, use) if counted.is_late else value
    start = ExprStmt(AssignExpr("=", use, first, use.type, value.span), value.span)
    return ForStmt(start, counted.condition, counted.step, counted.body, span)


def _less_one(value: Expr, use: Use) -> Expr:
    one = IntLiteral(1, "1", use.type, value.span)
    return BinaryExpr("-", value, one, use.type, value.span)


def _declared_value(variable: Variable, before: list[Stmt]) -> Expr | None:
    """What a variable is declared with a little before; its declaration then has no value."""
    for at in range(len(before) - 1, -1, -1):
        group = before[at]
        declared = group.statements if _is_group(group) else (group,)
        for place in range(len(declared) - 1, -1, -1):
            each = declared[place]
            if isinstance(each, DeclStmt) and each.variable is variable:
                is_last = at == len(before) - 1 and place == len(declared) - 1
                if each.value is None or not (_is_number(each.value) or is_last):
                    return None
                if _is_active(each.value) or not _is_data_free(each.value):
                    return None
                changed = replace(each, value=None)
                parts = (*declared[:place], changed, *declared[place + 1 :])
                before[at] = replace(group, statements=parts) if _is_group(group) else changed
                return each.value
            if not _is_calm(each) or variable in _used_in(each):
                return None
    return None


_DATA = AssignExpr | CallExpr | OpaqueExpr | Subscript


def _is_data_free(value: Expr) -> bool:
    """May the loop be affine?  Else its variable starts where it is declared, outside of it."""
    return not any(isinstance(each, _DATA) for each in walk_expression(value))


def _is_active(value: Expr) -> bool:
    return any(isinstance(each, IncrementExpr) for each in walk_expression(value))


def _is_group(statement: Stmt) -> TypeGuard[Compound]:
    """Is it one declaration of several variables?"""
    return isinstance(statement, Compound) and not statement.is_scope


def _is_number(value: Expr) -> bool:
    match value:
        case IntLiteral():
            return True
        case CastExpr(operand=operand, is_explicit=False):
            return _is_number(operand)
        case UnaryExpr(operator="-", operand=operand):
            return _is_number(operand)
        case _:
            return False


def _is_zero(value: Expr) -> bool:
    bare = without_casts(value)
    return isinstance(bare, IntLiteral) and bare.value == 0


def _is_wide(type_: object) -> bool:
    """Is it compared with a number as it is, and never wraps?"""
    return isinstance(type_, IntType) and not type_.may_wrap


def _stepped(expression: Expr) -> Use | None:
    """The variable that an expression only moves on by a number."""
    match expression:
        case IncrementExpr(target=Use() as use):
            return use
        case AssignExpr(operator="+=" | "-=", target=Use() as use, value=value):
            return use if isinstance(without_casts(value), IntLiteral) else None
        case AssignExpr(operator="=", target=Use() as use, value=value):
            match without_casts(value):
                case BinaryExpr(operator="+" | "-", left=left, right=right):
                    moved, by = without_casts(left), without_casts(right)
                    is_own = isinstance(moved, Use) and moved.variable is use.variable
                    return use if is_own and isinstance(by, IntLiteral) else None
                case _:
                    return None
        case _:
            return None


def _continues(statement: Stmt) -> bool:
    """May an iteration end before its last statement, or begin elsewhere?"""
    match statement:
        case ContinueStmt() | OpaqueStmt() | LabelStmt():
            return True
        case ForStmt() | WhileStmt():
            return any(
                isinstance(each, OpaqueStmt | LabelStmt) for each in walk_statements(statement)
            )
        case _:
            return any(map(_continues, parts_of(statement)[1]))


def _is_calm(statement: Stmt) -> bool:
    """Does control pass through it, from its beginning to its end?"""
    match statement:
        case ExprStmt() | DeclStmt():
            return True
        case Compound(statements=statements):
            return all(map(_is_calm, statements))
        case _:
            return False


def _used_in(statement: Stmt) -> set[Variable]:
    return {each.variable for each in expressions_in(statement) if isinstance(each, Use)}
