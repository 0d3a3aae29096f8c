"""What a call does to memory: nothing, what its body does, or anything within its reach."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from loopwright.basics.diagnostics import InputError
from loopwright.frontend.affine import trust_name, value_of
from loopwright.frontend.c_tree import (
    CallExpr,
    Expr,
    Function,
    OpaqueExpr,
    OpaqueStmt,
    OtherLiteral,
    Stmt,
    UnaryExpr,
    Variable,
    expressions_in,
    walk_statements,
    without_casts,
)
from loopwright.frontend.c_types import ArrayType, IntType, PointerType, RecordType, holds_pointers
from loopwright.frontend.dynamic import run
from loopwright.frontend.fills import record_fill
from loopwright.frontend.places import has_same_rows, place_of, pointer_of
from loopwright.frontend.recorder import PointerChange, Recorder
from loopwright.frontend.scope import Pointer, Scope
from loopwright.model.bodies import Name

HARMLESS = {
    "__pencil_assume",
    "__pencil_kill",
    "__pencil_maybe",
    "__builtin_assume",
    "__builtin_expect",
}
DEEPEST_CALL = 8
MOST_CALLS = 200
"""How many bodies one statement may lead to; what is called beyond that counts as unknown."""


ENDING = frozenset(
    "abort exit _exit _Exit quick_exit longjmp _longjmp siglongjmp pthread_exit thrd_exit "
    "__assert_fail __builtin_trap".split()
)
"""Functions that do not come back."""


def returning(statements: Iterable[Stmt]) -> list[str]:
    """What the model takes for granted: calls come back, and those that never do are not made."""
    called = {
        each.function
        for statement in statements
        for each in expressions_in(statement)
        if isinstance(each, CallExpr) and each.callee.effects == "unknown"
    }
    reasons = [f"{each} is not reached" for each in sorted(ENDING & called)]
    others = "all other functions" if reasons else "all functions"
    return [*reasons, f"{others} that it calls return"] if called - ENDING else reasons


class _CannotFollow(Exception):
    """The body of a function says less than its arguments."""


def summarise(recorder: Recorder, call: CallExpr, scope: Scope) -> None:
    """Record the accesses of a call, beyond the evaluation of its arguments."""
    if call.callee.effects == "pure" or call.function in HARMLESS:
        return
    if call.callee.effects == "reads":
        _record_reach(recorder, call, scope, writes=False)
        return
    if call.callee.effects == "named":
        trust_name(call, recorder.workshop)
        return
    if call.callee.effects == "fills":
        record_fill(recorder, call, scope)
        return
    definition = call.callee.definition()
    if definition is not None and _follow(recorder, call, definition, scope):
        return
    _record_unknown(recorder, call, scope)


def _refuse_given_pointers(recorder: Recorder, call: CallExpr, scope: Scope) -> None:
    """An unknown function that gets the address of a pointer may change it."""
    for argument in call.arguments:
        match without_casts(argument):
            case UnaryExpr(operator="&", operand=operand):
                recorder.refuse_pointer_writes(operand, scope)
            case _:
                pass


def _record_unknown(recorder: Recorder, call: CallExpr, scope: Scope) -> None:
    """An unknown function may do anything within its reach; its effects keep their order."""
    _refuse_given_pointers(recorder, call, scope)
    _record_reach(recorder, call, scope, writes=True)
    recorder.record_outside_world(scope, call.span)
    has_body = call.callee.definition() is not None
    why = "its body cannot be followed" if has_body else "it has no body here"
    recorder.workshop.note(
        "LW304",
        f"{call.function} may read and write all that it can reach: {why}",
        call.span,
        "declare it with __attribute__((const)) if it only computes, or give it a plain body",
    )


def _record_reach(recorder: Recorder, call: CallExpr, scope: Scope, *, writes: bool) -> None:
    for argument in call.arguments:
        for pointer in _pointers_in(argument, scope, recorder):
            recorder.record_reachable(pointer, scope, argument.span, writes=writes)
    recorder.record_globals(scope, call.span, writes=writes)


def _pointers_in(argument: Expr, scope: Scope, recorder: Recorder) -> list[Pointer]:
    """The addresses that an argument hands over; a struct hands over its members."""
    bare = without_casts(argument)
    if isinstance(bare, OtherLiteral | OpaqueExpr):
        return []  # a string literal or a function name is no memory that the region writes
    if isinstance(bare, CallExpr):
        # What it returns may point into whatever it was given.
        return [each for inner in bare.arguments for each in _pointers_in(inner, scope, recorder)]
    if isinstance(bare.type, RecordType):
        place = place_of(bare, scope, recorder.workshop)
        return [Pointer(place, None, is_whole=True)]
    if isinstance(bare.type, PointerType | ArrayType):
        return [pointer_of(bare, scope, recorder.workshop)]
    return []


def _follow(recorder: Recorder, call: CallExpr, function: Function, scope: Scope) -> bool:
    """Summarise the body of a called function; false if that cannot be done."""
    is_recursive = call.function in recorder.call_stack
    unreadable = any(isinstance(each, OpaqueStmt) for each in walk_statements(function.body))
    too_deep = len(recorder.call_stack) >= DEEPEST_CALL or recorder.calls_followed >= MOST_CALLS
    if is_recursive or too_deep or unreadable or len(function.parameters) != len(call.arguments):
        return False
    kept, stack = len(recorder.accesses), recorder.call_stack
    borrowed, restore = set(recorder.borrowed), recorder.workshop.snapshot()
    try:
        inner = _bound(function, call, scope, recorder)
        recorder.call_stack = (*stack, call.function)
        recorder.calls_followed += 1
        with recorder.passing():
            run(function.body, inner, recorder)
    except PointerChange:
        raise
    except (InputError, _CannotFollow):
        del recorder.accesses[kept:]
        recorder.borrowed = borrowed
        restore()
        return False
    finally:
        recorder.call_stack = stack
    return True


def _bound(function: Function, call: CallExpr, scope: Scope, recorder: Recorder) -> Scope:
    """The callee's scope: its parameters stand for the arguments."""
    inner = replace(scope, values={}, pointers={}, spelled={})
    pairs = list(zip(function.parameters, call.arguments, strict=True))
    for parameter, argument in pairs:
        inner = _bind(parameter, argument, inner, scope, recorder)
    for parameter, argument in pairs:
        if isinstance(parameter.type, PointerType | ArrayType) and not has_same_rows(
            parameter.type, inner, argument, scope, recorder.workshop
        ):
            raise _CannotFollow
    return inner


def _bind(
    parameter: Variable, argument: Expr, inner: Scope, outer: Scope, recorder: Recorder
) -> Scope:
    inner = inner.hiding(parameter)
    facts = recorder.workshop.facts
    is_fixed = parameter not in facts.assigned and parameter not in facts.addressed
    if isinstance(parameter.type, RecordType) and holds_pointers(parameter.type):
        raise _CannotFollow
    if isinstance(parameter.type, PointerType | ArrayType):
        if not is_fixed:
            raise _CannotFollow
        return inner.pointing(parameter, pointer_of(argument, outer, recorder.workshop))
    if isinstance(parameter.type, IntType) and is_fixed:
        value = value_of(argument, outer, recorder.workshop)
        if value is not None:
            return inner.knowing(parameter, value, Name(parameter.name))
    return inner
