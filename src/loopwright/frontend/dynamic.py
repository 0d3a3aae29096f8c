"""Atomic statements: control that depends on data, kept as it is and summarised by its accesses.

What may run is over-approximated, what certainly runs is under-approximated; loops inside that
are affine are followed exactly, so that a row that is only sometimes updated is still a row.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from loopwright.frontend.affine import condition_of, value_of
from loopwright.frontend.c_tree import (
    BreakStmt,
    Compound,
    ContinueStmt,
    DeclStmt,
    EmptyStmt,
    Expr,
    ExprStmt,
    ForStmt,
    IfStmt,
    LabelStmt,
    OpaqueStmt,
    ReturnStmt,
    Stmt,
    Use,
    WhileStmt,
    declarations_in,
    parts_of,
)
from loopwright.frontend.c_types import ArrayType, CType, PointerType
from loopwright.frontend.headers import counted_variables
from loopwright.frontend.loops import affine_loop
from loopwright.frontend.places import pointer_of, require_same_rows
from loopwright.frontend.recorder import Recorder
from loopwright.frontend.scope import Scope
from loopwright.model.bodies import (
    Block,
    Body,
    Break,
    Continue,
    Declare,
    Evaluate,
    Expression,
    For,
    If,
    Name,
    While,
)
from loopwright.polyhedra.limits import simple_negation


def interrupts(statement: Stmt, *, breaks_only: bool = False, in_loop: bool = False) -> bool:
    """May the statement leave the loop around it, or end that loop's iteration?"""
    match statement:
        case BreakStmt():
            return not in_loop
        case ContinueStmt():
            return not in_loop and not breaks_only
        case ReturnStmt():
            return True
        case ForStmt() | WhileStmt():
            return interrupts(statement.body, breaks_only=breaks_only, in_loop=True)
        case _:
            inner = parts_of(statement)[1]
            return any(interrupts(each, breaks_only=breaks_only, in_loop=in_loop) for each in inner)


def run(  # noqa: C901 - one case a kind of statement
    statement: Stmt, scope: Scope, recorder: Recorder
) -> tuple[Body, Scope]:
    """The body of a statement that runs as one, and the scope of what follows it."""
    match statement:
        case ExprStmt(expression=expression):
            return Evaluate(_evaluated(expression, scope, recorder)), scope
        case DeclStmt():
            return _declare(statement, scope, recorder)
        case Compound(statements=statements, is_scope=is_scope):
            return _block(statements, scope, recorder, is_scope)
        case IfStmt():
            return _if(statement, scope, recorder), scope
        case ForStmt():
            return _for(statement, scope, recorder), scope
        case WhileStmt(condition=condition, body=body, is_tested_last=is_tested_last):
            # The condition runs once for certain, unless the body runs first and leaves.
            first = scope.perhaps() if is_tested_last and interrupts(body) else scope
            test = recorder.evaluate(condition, first)
            inner = scope if is_tested_last and not interrupts(body) else scope.perhaps()
            with recorder.passing():
                return While(test, run(body, inner, recorder)[0], is_tested_last), scope
        case LabelStmt(statement=inner_statement):
            return run(inner_statement, scope, recorder)
        case BreakStmt():
            return Break(), scope
        case ContinueStmt():
            return Continue(), scope
        case ReturnStmt(value=value):
            if value is not None:
                return Evaluate(recorder.evaluate(value, scope)), scope
            return Block(()), scope
        case EmptyStmt() | OpaqueStmt():
            return Block(()), scope
        case _:
            assert_never(statement)


def _evaluated(expression: Expr, scope: Scope, recorder: Recorder) -> Expression:
    """A full expression: what it has assigned is there for all that comes behind it."""
    found = recorder.evaluate(expression, scope)
    recorder.settle(found)
    return found


def _block(
    statements: tuple[Stmt, ...], scope: Scope, recorder: Recorder, is_scope: bool
) -> tuple[Body, Scope]:
    bodies: list[Body] = []
    inner = scope
    for statement in statements:
        body, inner = run(statement, inner, recorder)
        bodies.append(body)
        if interrupts(statement):
            inner = inner.perhaps()
    return Block(tuple(bodies)), (scope if is_scope else inner)


def _if(statement: IfStmt, scope: Scope, recorder: Recorder) -> Body:
    chosen = condition_of(statement.condition, scope.deciding(), recorder.workshop)
    condition = recorder.evaluate(statement.condition, scope)
    other = simple_negation(chosen) if chosen is not None else None
    is_decided = chosen is not None and other is not None
    recorder.choices += 1
    first, second = (
        scope.given(each)
        if each is not None and is_decided
        else replace(scope, branch=(*scope.branch, 2 * recorder.choices + side))
        for side, each in enumerate((chosen, other))
    )
    before = len(recorder.accesses)
    with recorder.passing():
        then = run(statement.then, first, recorder)[0]
    middle = len(recorder.accesses)
    otherwise = statement.otherwise
    with recorder.passing():
        last = run(otherwise, second, recorder)[0] if otherwise is not None else None
    if not is_decided:
        recorder.join_branches(before, middle)
    return If(condition, then, last)


def _for(loop: ForStmt, scope: Scope, recorder: Recorder) -> Body:
    start: Body | None = None
    variables = counted_variables(loop)
    affine = affine_loop(loop, scope, recorder.workshop, hidden=True)
    for variable in filter(recorder.workshop.facts.is_private_iterator, variables):
        if loop.start is not None and not declarations_in(loop.start):
            recorder.borrowed.add(variable)
        scope = scope.hiding(variable)
    if loop.start is not None:
        start, scope = run(loop.start, scope, recorder)
    for variable in variables:
        scope = scope.without_value(variable)
    if affine is not None:
        inside = (
            affine.inside.perhaps() if interrupts(loop.body, breaks_only=True) else affine.inside
        )
        for variable in variables:
            inside = inside.hiding_only(variable)
        again = inside
    else:
        inside = again = scope.perhaps()
    condition = recorder.evaluate(loop.condition, scope) if loop.condition is not None else None
    if affine is not None and loop.condition is not None:
        recorder.evaluate(loop.condition, again)
    with recorder.passing():
        body = run(loop.body, inside, recorder)[0]
    step = recorder.evaluate(loop.step, again.perhaps()) if loop.step is not None else None
    return For(start, condition, step, body)


def _declare(statement: DeclStmt, scope: Scope, recorder: Recorder) -> tuple[Body, Scope]:
    variable, value = statement.variable, statement.value
    spelled: Expression | None = None
    if variable.is_static:
        return Block(()), scope
    known = None
    if value is not None:
        spelled = recorder.evaluate(value, scope)
        if variable not in recorder.workshop.facts.assigned:
            known = value_of(value, scope, recorder.workshop)
    if value is not None and not isinstance(variable.type, PointerType):
        target = Use(variable, variable.type, statement.span)
        recorder.refuse_pointer_writes(target, scope.hiding(variable))
    extents, element = _shape(variable.type, scope, recorder)
    after = scope.hiding(variable)
    if isinstance(variable.type, PointerType) and value is not None:
        require_same_rows(variable, value, scope, recorder.workshop)
        after = after.pointing(variable, pointer_of(value, scope, recorder.workshop))
    elif known is not None and variable not in recorder.workshop.facts.addressed:
        after = after.knowing(variable, known, Name(variable.name))
    return Declare(element, variable.name, extents, spelled), after


def _shape(type_: CType, scope: Scope, recorder: Recorder) -> tuple[tuple[Expression, ...], str]:
    extents: list[Expression] = []
    while isinstance(type_, ArrayType):
        if type_.extent is not None:
            extents.append(recorder.evaluate(type_.extent, scope))
        type_ = type_.element
    return tuple(extents), type_.name
