"""GNU's statement expressions that only compute: ``({ T _a = (a); _a < 0 ? -_a : _a; })``.

Each of the variables is set once, by something without effects, and so stands for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from loopwright.frontend.c_tree import (
    BinaryExpr,
    CallExpr,
    CastExpr,
    ConditionalExpr,
    DeclStmt,
    Expr,
    ExprStmt,
    IntLiteral,
    MemberOf,
    OtherLiteral,
    Stmt,
    Subscript,
    UnaryExpr,
    Use,
    Variable,
    declarations_in,
    walk_expression,
)
from loopwright.frontend.c_types import FloatType, IntType

MOST_PARTS = 400
"""What stands for a variable is written wherever that was; nested macros may double it often."""


def computed_expression(statements: Sequence[Stmt]) -> Expr | None:
    """The value of a statement expression without its variables; ``None`` if it does more."""
    if not statements or not isinstance(statements[-1], ExprStmt):
        return None
    declared = [declarations_in(each) for each in statements[:-1]]
    values: dict[Variable, Expr] = {}
    for each in (one for some in declared for one in some):
        value = _initial(each, values)
        if value is None:
            return None
        values[each.variable] = value
    result = _with(statements[-1].expression, values) if all(declared) else None
    parts = list(walk_expression(result)) if result is not None else []
    is_own = any(isinstance(each, Use) and each.variable in values for each in parts)
    return None if is_own or len(parts) > MOST_PARTS else result


def _initial(declaration: DeclStmt, values: dict[Variable, Expr]) -> Expr | None:
    """What a variable that is declared stands for, in its type."""
    variable, value = declaration.variable, declaration.value
    is_number = isinstance(variable.type, IntType | FloatType)
    if value is None or not is_number or variable.is_static or variable.is_pinned:
        return None
    inner = _with(value, values)
    if isinstance(inner, CastExpr) and not inner.is_explicit:
        inner = inner.operand  # what nobody has written would not be written either
    if inner is None or inner.type == variable.type:
        return inner
    return CastExpr(inner, True, variable.type, value.span)


def _with(expression: Expr, values: dict[Variable, Expr]) -> Expr | None:
    """The expression with these values for variables; ``None`` if it may have an effect."""
    match expression:
        case Use(variable=variable):
            return values.get(variable, expression)
        case IntLiteral() | OtherLiteral():
            return expression
        case CastExpr(operand=operand) | UnaryExpr(operand=operand):
            inner = _with(operand, values)
            return replace(expression, operand=inner) if inner is not None else None
        case MemberOf(base=base):
            inner = _with(base, values)
            return replace(expression, base=inner) if inner is not None else None
        case Subscript(base=base, index=index):
            parts = _all((base, index), values)
            return replace(expression, base=parts[0], index=parts[1]) if parts else None
        case BinaryExpr(left=left, right=right):
            parts = _all((left, right), values)
            return replace(expression, left=parts[0], right=parts[1]) if parts else None
        case ConditionalExpr(condition=condition, then=then, otherwise=otherwise):
            parts = _all((condition, then, otherwise), values)
            if not parts:
                return None
            return replace(expression, condition=parts[0], then=parts[1], otherwise=parts[2])
        case CallExpr(arguments=arguments, callee=callee) if callee.effects == "pure":
            parts = _all(arguments, values)
            return replace(expression, arguments=parts) if parts is not None else None
        case _:
            return None


def _all(parts: Sequence[Expr], values: dict[Variable, Expr]) -> tuple[Expr, ...] | None:
    found = [_with(each, values) for each in parts]
    known = tuple(each for each in found if each is not None)
    return known if len(known) == len(found) else None
