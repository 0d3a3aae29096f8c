"""Headers of ``for`` loops: which variables they set, and which of these they count with.

``for (i = 0, j = n - 1; i < n; i++, j--)`` counts with two; ``for (i = 0, s = 0; i < n; i++)``
with one, and sets another first.
"""

from __future__ import annotations

from collections.abc import Iterator

from loopwright.frontend.c_tree import (
    AssignExpr,
    BinaryExpr,
    DeclStmt,
    Expr,
    ExprStmt,
    ForStmt,
    IncrementExpr,
    Stmt,
    Use,
    Variable,
    declarations_in,
)
from loopwright.frontend.c_types import IntType


def started_variable(statement: Stmt | None) -> Variable | None:
    """The variable that a loop header sets: ``for (i = …`` or ``for (int i = …``."""
    match statement:
        case DeclStmt(variable=variable, value=value) if value is not None:
            return variable
        case ExprStmt(expression=AssignExpr(operator="=", target=Use(variable=variable))):
            return variable
        case _:
            return None


def start_values(start: Stmt | None) -> dict[Variable, Expr]:
    """The variables that a header sets, in order, and to what; none if it does anything else."""
    found: dict[Variable, Expr] = {}
    parts = list(_parts(start.expression)) if isinstance(start, ExprStmt) else []
    for each in declarations_in(start) if start is not None else ():
        if each.value is None or each.variable in found:
            return {}
        found[each.variable] = each.value
    for part in parts:
        match part:
            case AssignExpr(operator="=", target=Use(variable=variable), value=value):
                if variable in found:
                    return {}
                found[variable] = value
            case _:
                return {}
    return found


def step_of(variable: Variable, step: Expr | None) -> Expr | None:
    """The part of a step that moves a variable, if there is just one that does."""
    found = [each for each in _parts(step) if _moved(each) is variable] if step is not None else []
    return found[0] if len(found) == 1 else None


def counted_variables(loop: ForStmt) -> tuple[Variable, ...]:
    """The variables that a loop counts with: it starts and steps all of them, and steps no other.

    One that it alone starts counts in any case.
    """
    alone = started_variable(loop.start)
    if alone is not None:
        return (alone,)
    started = start_values(loop.start)
    moved = [_moved(each) for each in _parts(loop.step)] if loop.step is not None else []
    is_plain = len(set(moved)) == len(moved) and all(
        each in started and isinstance(each.type, IntType) for each in moved
    )
    return tuple(each for each in started if each in moved) if is_plain else ()


def steps_others(loop: ForStmt, counted: tuple[Variable, ...]) -> bool:
    """Does its step do anything besides moving the variables that it counts with, each once?"""
    moved = [_moved(each) for each in _parts(loop.step)] if loop.step is not None else []
    return len(set(moved)) < len(moved) or not set(moved) <= set(counted)


def other_starts(loop: ForStmt) -> tuple[ExprStmt | DeclStmt, ...]:
    """What a header sets besides the variables that it counts with, if it counts with any."""
    counted = counted_variables(loop)
    if not counted or loop.start is None or len(counted) == len(start_values(loop.start)):
        return ()
    declared = declarations_in(loop.start)
    if declared:
        return tuple(each for each in declared if each.variable not in counted)
    assert isinstance(loop.start, ExprStmt)
    parts = _parts(loop.start.expression)
    return tuple(ExprStmt(each, each.span) for each in parts if _moved(each) not in counted)


def _parts(expression: Expr) -> Iterator[Expr]:
    """What the commas of an expression separate."""
    match expression:
        case BinaryExpr(operator=",", left=left, right=right):
            yield from _parts(left)
            yield from _parts(right)
        case _:
            yield expression


def _moved(part: Expr) -> Variable | None:
    match part:
        case IncrementExpr(target=Use(variable=variable)):
            return variable
        case AssignExpr(target=Use(variable=variable)):
            return variable
        case _:
            return None
