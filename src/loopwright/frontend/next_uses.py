"""Is the value of a variable looked at before it is set again?  Followed along the statements."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from loopwright.basics.spans import Span
from loopwright.frontend.c_tree import (
    AssignExpr,
    BinaryExpr,
    BreakStmt,
    Compound,
    ContinueStmt,
    DeclStmt,
    Expr,
    ExprStmt,
    ForStmt,
    Function,
    IfStmt,
    LabelStmt,
    OpaqueStmt,
    Stmt,
    Use,
    Variable,
    WhileStmt,
    parts_of,
    walk_expression,
)


class Fate(Enum):
    """What happens to a value."""

    USED = "somebody may look at it"
    SET = "it is overwritten, before anybody has"
    KEPT = "neither"


def is_set_before_use(variable: Variable, function: Function, region: Span) -> bool:
    """Is a variable of the function, behind a region, always set before anybody looks at it?

    Where loops go around the region, their next iterations come behind it, too.
    """
    way = _way_to(function.body, region)
    if way is None:
        return False
    for container, inside in reversed(way):
        fate = _behind(container, inside, variable)
        if fate is not Fate.KEPT:
            return fate is Fate.SET
    return True


def _way_to(body: Stmt, region: Span) -> list[tuple[Stmt, Span]] | None:
    """The statements around a region, outermost first, each with what it holds of the way.

    ``None`` if several that come from one macro stand in the same place.
    """
    way: list[tuple[Stmt, Span]] = []
    current = body
    while True:
        inner = [
            each
            for each in parts_of(current)[1]
            if each.span.start <= region.start and region.end <= each.span.end
        ]
        if len(inner) > 1:
            return None
        holds = [each for each in inner if each.span != region]
        way.append((current, holds[0].span if holds else region))
        if not holds:
            return way
        (current,) = holds


def _behind(container: Stmt, inside: Span, variable: Variable) -> Fate:
    """What happens to a value in a statement, once a part of it has run."""
    match container:
        case Compound(statements=statements):
            return _in_turn(
                [each for each in statements if each.span.start >= inside.end], variable
            )
        case ForStmt(condition=condition, step=step, body=body):
            again = [_value(each, variable) for each in (step, condition) if each is not None]
            round_ = Fate.USED if Fate.USED in again else _of(body, variable)
            return Fate.USED if round_ is Fate.USED else Fate.KEPT
        case WhileStmt(condition=condition, body=body):
            is_used = Fate.USED in (_value(condition, variable), _of(body, variable))
            return Fate.USED if is_used else Fate.KEPT
        case IfStmt() | LabelStmt():
            return Fate.KEPT
        case _:
            return Fate.USED


def _in_turn(statements: Iterable[Stmt], variable: Variable) -> Fate:
    for each in statements:
        fate = _of(each, variable)
        if fate is not Fate.KEPT:
            return fate
    return Fate.KEPT


def _of(statement: Stmt, variable: Variable) -> Fate:
    """What happens to a value when a statement runs; a jump out of it may lead anywhere."""
    match statement:
        case Compound(statements=statements):
            return _in_turn(statements, variable)
        case LabelStmt(statement=inner):
            return _of(inner, variable)
        case ExprStmt(expression=expression):
            return _value(expression, variable)
        case DeclStmt():
            return _first(parts_of(statement)[0], variable)
        case IfStmt(condition=condition, then=then, otherwise=otherwise):
            return _either(condition, then, otherwise, variable)
        case ForStmt(start=start, condition=condition, step=step, body=body):
            begun = _of(start, variable) if start is not None else Fate.KEPT
            if begun is not Fate.KEPT:
                return begun
            return _perhaps([condition, step], body, variable)
        case WhileStmt(condition=condition, body=body):
            return _perhaps([condition], body, variable)
        case OpaqueStmt() | BreakStmt() | ContinueStmt():
            return Fate.USED
        case _:
            return _first(parts_of(statement)[0], variable)


def _either(condition: Expr, then: Stmt, otherwise: Stmt | None, variable: Variable) -> Fate:
    if _value(condition, variable) is not Fate.KEPT:
        return Fate.USED
    both = _of(then, variable), _of(otherwise, variable) if otherwise is not None else Fate.KEPT
    if Fate.USED in both:
        return Fate.USED
    return Fate.SET if both == (Fate.SET, Fate.SET) else Fate.KEPT


def _perhaps(header: Iterable[Expr | None], body: Stmt, variable: Variable) -> Fate:
    """Of a loop that may not run: a value that it sets may still be kept."""
    found = [_value(each, variable) for each in header if each is not None]
    is_used = any(each is not Fate.KEPT for each in found) or _of(body, variable) is Fate.USED
    return Fate.USED if is_used else Fate.KEPT


def _first(expressions: Iterable[Expr], variable: Variable) -> Fate:
    is_used = any(_value(each, variable) is not Fate.KEPT for each in expressions)
    return Fate.USED if is_used else Fate.KEPT


def _value(expression: Expr, variable: Variable) -> Fate:
    """Of an expression: ``i = 1`` sets; all else that names the variable may look at it."""
    match expression:
        case AssignExpr(operator="=", target=Use(variable=target), value=value) if (
            target is variable
        ):
            return Fate.USED if _names(value, variable) else Fate.SET
        case AssignExpr(operator="=", target=Use(), value=value):
            return _value(value, variable)
        case BinaryExpr(operator=",", left=left, right=right):
            before = _value(left, variable)
            return before if before is not Fate.KEPT else _value(right, variable)
        case _:
            return Fate.USED if _names(expression, variable) else Fate.KEPT


def _names(expression: Expr, variable: Variable) -> bool:
    return any(
        isinstance(each, Use) and each.variable is variable for each in walk_expression(expression)
    )
