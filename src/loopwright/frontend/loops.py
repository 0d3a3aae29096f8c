"""Which iterations a ``for`` loop runs: exactly, with C's wrapping, or not affine at all.

A loop runs ``i = start, start + step, …`` as long as its condition has held every time.  For the
usual ``i < n`` that is the condition itself; for ``!=``, for conditions with several pieces and
for iterators that wrap it is the *prefix* of the sequence before the first failure, which is
computed as such.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.affine import condition_of, value_of
from loopwright.frontend.c_tree import (
    AssignExpr,
    BinaryExpr,
    CastExpr,
    Expr,
    ForStmt,
    IncrementExpr,
    Use,
    Variable,
    walk_expression,
    without_widening,
)
from loopwright.frontend.c_types import IntType
from loopwright.frontend.headers import counted_variables, start_values, step_of, steps_others
from loopwright.frontend.scope import Arithmetic, Scope
from loopwright.frontend.spelling import spelled_value
from loopwright.frontend.workshop import Overflow, Workshop
from loopwright.model.bodies import Binary, Cast, Expression, IteratorValue, Literal, Name
from loopwright.polyhedra.limits import OutOfOperations, limited, negation, simplified
from loopwright.polyhedra.sequences import as_function, only_bounds, unbounded_part
from loopwright.polyhedra.values import (
    between,
    beyond,
    constant,
    constant_of,
    floor_quotient,
    modulo,
    renamed,
    unknown,
    without,
)

DEEPEST_NEST = 24
"""Loops nested deeper than this count as dynamic."""

MOST_OPERATIONS = 150_000
"""What the iterations of one loop may cost; beyond that it counts as dynamic."""


@record(eq=False)
class AffineLoop:
    """A loop that the model understands.

    ``inside`` is the scope of the body; ``order`` grows from each iteration to the next, and
    ``count`` by one.
    """

    inside: Scope
    order: isl.PwAff
    count: isl.PwAff


@record(eq=False)
class _Header:
    """``start`` takes no width into account, ``exact_start`` does."""

    variable: Variable
    start: isl.PwAff
    exact_start: isl.PwAff
    condition: Expr
    step: int


def affine_loop(
    loop: ForStmt, scope: Scope, workshop: Workshop, *, hidden: bool
) -> AffineLoop | None:
    """The loop's iterations, or ``None`` if they depend on data.

    ``hidden`` loops are part of an atomic statement; their iterators are none of its own.
    """
    if len(scope.iterators) + len(scope.hidden) >= DEEPEST_NEST:
        return None
    header = _header(loop, scope, workshop)
    if header is None:
        return None
    name = workshop.iterator_name(header.variable.name, (*scope.iterators, *scope.hidden))
    variable = header.variable
    value = IteratorValue(name, variable.type.name)
    spelled = Name(variable.name) if hidden else value
    inner = scope.knowing(header.variable, unknown(name), spelled)
    others = _companions(loop, header, scope, workshop)
    if others is None:
        return None
    for each in others:
        moved = _value_beside(each, header, name)
        text = Name(each.variable.name) if hidden else _spelled(each, header, inner, workshop)
        if text is None:
            return None
        inner = inner.knowing(each.variable, moved, text)
    try:
        with limited(MOST_OPERATIONS * workshop.patience):
            runs = _iterations(header, name, loop, inner, workshop)
            if runs is not None and not _all_keep_up(others, header, name, runs, inner, workshop):
                return None
    except OutOfOperations:
        message = f"the iterations of the loop over {name} are too complicated to compute"
        workshop.note("LW402", f"{message}; the loop is kept whole", header_span(loop))
        return None
    if runs is None:
        return None
    iterations, order, count = runs
    return AffineLoop(_inside(inner, name, iterations, hidden), order, count)


def _inside(scope: Scope, name: str, iterations: isl.Set, hidden: bool) -> Scope:
    inside = scope.running(iterations)
    if hidden:
        return replace(inside, hidden=(*scope.hidden, name))
    return replace(inside, iterators=(*scope.iterators, name))


def header_span(loop: ForStmt) -> Span:
    """From ``for`` to the step, without the body."""
    return loop.span.joined_with(loop.step.span) if loop.step is not None else loop.span


# --- several variables --------------------------------------------------------------------------


def _companions(
    loop: ForStmt, header: _Header, scope: Scope, workshop: Workshop
) -> list[_Header] | None:
    """The other variables that the loop counts with, or ``None`` if one is not understood."""
    found = [_header_of(each, loop, scope, workshop) for each in counted_variables(loop)[1:]]
    known = [each for each in found if each is not None]
    for each in known:
        assert isinstance(each.variable.type, IntType)
        if each.variable.type.may_wrap and _is_used(each.variable, each.condition):
            return None  # the condition sees how it wraps around
    return known if len(known) == len(found) else None


def _is_used(variable: Variable, expression: Expr) -> bool:
    return any(
        isinstance(each, Use) and each.variable is variable for each in walk_expression(expression)
    )


def _value_beside(other: _Header, header: _Header, name: str) -> isl.PwAff:
    """The value of another variable, which moves whenever the iterator does."""
    count = floor_quotient(_distance(unknown(name), header), abs(header.step))
    return other.start + count.mul(constant(other.step))


def _spelled(
    other: _Header, header: _Header, inner: Scope, workshop: Workshop
) -> Expression | None:
    """How a body writes the same value, in terms of the iterator."""
    distance = _distance(inner.values[header.variable], header)
    type_ = other.variable.type.name
    if other.step % header.step == 0:
        moved = distance.mul(constant(other.step // abs(header.step)))
        return spelled_value(other.start + moved, type_, inner, workshop)
    start = spelled_value(other.start, type_, inner, workshop)
    passed = spelled_value(distance, header.variable.type.name, inner, workshop)
    if start is None or passed is None:
        return None
    count = Binary("/", passed, Literal(str(abs(header.step))))
    moved = Binary("*", Literal(str(abs(other.step))), count)
    return Cast(type_, Binary("+" if other.step > 0 else "-", start, moved))


def _all_keep_up(
    others: list[_Header],
    header: _Header,
    name: str,
    runs: tuple[isl.Set, isl.PwAff, isl.PwAff],
    inner: Scope,
    workshop: Workshop,
) -> bool:
    """Does none of the variables wrap around, while the iterations run?"""
    iterations, order, _ = runs
    straight = unknown(name) if header.step > 0 else unknown(name).neg()
    if others and not order.is_equal(straight):
        return False
    for each in others:
        type_, value = each.variable.type, _value_beside(each, header, name)
        assert isinstance(type_, IntType)
        outside = each.start.ne_set(each.exact_start) | beyond(type_.least, value, type_.greatest)
        outside = iterations & outside & workshop.type_ranges()
        if type_.may_wrap and not outside.is_empty():
            return False
        if workshop.overflow is not Overflow.IGNORED and not type_.may_wrap:
            inside = _inside(inner, name, iterations, hidden=True)
            moved = value + constant(each.step)
            workshop.note_overflow(moved, type_, inside, each.variable.span)
    return True


# --- headers ------------------------------------------------------------------------------------


def _header(loop: ForStmt, scope: Scope, workshop: Workshop) -> _Header | None:
    """The header, as far as the first of its variables goes."""
    variables = counted_variables(loop)
    if not variables or steps_others(loop, variables):
        return None
    return _header_of(variables[0], loop, scope, workshop)


def _header_of(
    variable: Variable, loop: ForStmt, scope: Scope, workshop: Workshop
) -> _Header | None:
    moving = step_of(variable, loop.step)
    if loop.condition is None or moving is None:
        return None
    type_ = variable.type
    counts = isinstance(type_, IntType) and not type_.is_bool  # the truth stays what it is
    is_steady = counts and workshop.facts.is_private_iterator(variable)
    is_changed = variable in workshop.facts.changed_by[id(loop)]
    if not is_steady or is_changed or variable in workshop.facts.addressed:
        return None
    start_expression = start_values(loop.start).get(variable)
    start = _start(start_expression, scope, workshop) if start_expression is not None else None
    step = _step(moving, variable, scope, workshop)
    if start is None or not step:
        return None
    return _Header(variable, *start, loop.condition, step)


def _start(
    expression: Expr, scope: Scope, workshop: Workshop
) -> tuple[isl.PwAff, isl.PwAff] | None:
    """The start value as if integers had no width, and as it is."""
    notes = len(workshop.notes)
    ideal, exact = (
        value_of(expression, replace(scope, arithmetic=arithmetic, decides=True), workshop)
        for arithmetic in (Arithmetic.IDEAL, Arithmetic.EXACT)
    )
    del workshop.notes[notes:]
    return (ideal, exact) if ideal is not None and exact is not None else None


def _step(step: Expr, variable: Variable, scope: Scope, workshop: Workshop) -> int | None:
    """The constant by which the iterator moves."""
    match step:
        case IncrementExpr(operator=operator, target=Use(variable=target)) if target is variable:
            return 1 if operator == "++" else -1
        case AssignExpr(operator="+=" | "-=" as operator, target=Use(variable=target), value=value):
            amount = _constant(value, variable, scope, workshop)
            if target is not variable or amount is None:
                return None
            return amount if operator == "+=" else -amount
        case AssignExpr(operator="=", target=Use(variable=target), value=value):
            return _moved_by(value, variable, scope, workshop) if target is variable else None
        case _:
            return None


def _moved_by(value: Expr, variable: Variable, scope: Scope, workshop: Workshop) -> int | None:
    """``c`` in ``i + c``, ``c + i`` and ``i - c``."""
    match _before_conversion(value, variable):
        case BinaryExpr(operator="+" | "-" as operator, left=left, right=right):
            if operator == "+" and _names(right, variable):
                left, right = right, left
            amount = _constant(right, variable, scope, workshop)
            if not _names(left, variable) or amount is None:
                return None
            return amount if operator == "+" else -amount
        case _:
            return None


def _before_conversion(value: Expr, variable: Variable) -> Expr:
    """What is assigned, before it gets the variable's type: if that is too narrow, it wraps."""
    inner = without_widening(value)
    if isinstance(inner, CastExpr) and inner.type == variable.type:
        is_integer = isinstance(inner.operand.type, IntType)
        return without_widening(inner.operand) if is_integer else inner
    return inner


def _names(expression: Expr, variable: Variable) -> bool:
    inner = without_widening(expression)
    return isinstance(inner, Use) and inner.variable is variable


def _constant(expression: Expr, variable: Variable, scope: Scope, workshop: Workshop) -> int | None:
    """A number that the arithmetic of the iterator's type knows."""
    type_ = variable.type
    value = value_of(expression, scope.perhaps(), workshop)
    number = constant_of(value) if value is not None else None
    if number is None or not isinstance(type_, IntType):
        return None
    return number if type_.least <= number <= type_.greatest else None


# --- the iterations --------------------------------------------------------------------------


def _iterations(
    header: _Header, name: str, loop: ForStmt, inner: Scope, workshop: Workshop
) -> tuple[isl.Set, isl.PwAff, isl.PwAff] | None:
    """The iterator's values, their order, and how many come before each."""
    iterator = unknown(name)
    type_ = header.variable.type
    assert isinstance(type_, IntType)
    reached = _reached(iterator, header, inner, workshop)
    condition = _condition(header, name, reached, inner, workshop)
    if condition is None:
        return None
    unstarted = _wrapped_start(header, name, condition, loop, inner, workshop)
    if unstarted is None:
        workshop.warn_wrapping(f"the start of {name}", header_span(loop), type_.name)
        return _wrapping(header, type_, name, condition, inner, loop, workshop)
    reached = reached - unstarted
    forever = [*inner.iterators, *inner.hidden, name]
    runs = _prefix(reached, condition, inner.possible, name, header.step)
    order = iterator if header.step > 0 else iterator.neg()
    count = floor_quotient(_distance(iterator, header), abs(header.step))
    next_value = iterator + constant(header.step)
    if not type_.may_wrap:
        if workshop.overflow is not Overflow.IGNORED:
            inside = _inside(inner, name, runs, hidden=True)
            place = loop.step.span if loop.step is not None else header_span(loop)
            workshop.note_overflow(next_value, type_, inside, place)
        return _ending(runs, name, loop, forever, workshop), order, count
    leaving = runs & beyond(type_.least, next_value, type_.greatest) & workshop.type_ranges()
    if leaving.is_empty():
        return _ending(runs, name, loop, forever, workshop), order, count
    stays = runs - _with_same_parameters(leaving, runs, forever)
    if not (stays & workshop.type_ranges()).is_empty():
        reason = f"{name} does not wrap around as {type_.name}"
        workshop.exclude(leaving, reason, header_span(loop), forever, warn=True)
        return _ending(runs, name, loop, forever, workshop), order, count
    workshop.warn_wrapping(f"the iterator {name}", header_span(loop), type_.name)
    return _wrapping(header, type_, name, condition, inner, loop, workshop)


def _wrapped_start(
    header: _Header, name: str, condition: isl.Set, loop: ForStmt, inner: Scope, workshop: Workshop
) -> isl.Set | None:
    """Where the start wraps and the loop does not run, as in ``for (i = n - 1; i < n; i--)``.

    ``None`` if it certainly does run there.
    """
    wrapped = inner.possible & header.start.ne_set(header.exact_start) & workshop.type_ranges()
    if wrapped.is_empty():
        return wrapped
    runs = wrapped & without(condition & unknown(name).eq_set(header.exact_start), [name])
    if not runs.is_empty():
        reason = f"the start of the loop over {name} does not wrap around"
        iterators = [*inner.iterators, *inner.hidden]
        if not workshop.exclude(runs, reason, header_span(loop), iterators, warn=True):
            return None
    return wrapped


def _with_same_parameters(part: isl.Set, whole: isl.Set, iterators: list[str]) -> isl.Set:
    """The iterations for those parameter values for which ``part`` has any."""
    return whole & without(part, iterators)


def _condition(
    header: _Header, name: str, reached: isl.Set, inner: Scope, workshop: Workshop
) -> isl.Set | None:
    """Where the loop's condition holds.

    Whether an unsigned value in it wraps is asked only for values that the iterator takes: those
    of the iterations, and the one that ends the loop.
    """
    counted = workshop.conversions
    inner = replace(inner, hidden=(*inner.hidden, name), decides=True)
    ideal_scope = replace(inner, arithmetic=Arithmetic.IDEAL)
    ideal = condition_of(header.condition, ideal_scope, workshop)
    if ideal is None or workshop.conversions == counted:
        return ideal
    runs = _prefix(reached, ideal, inner.possible, name, header.step)
    iterator = unknown(name)
    seen = runs | _moved(runs, name, header.step) | iterator.eq_set(header.start)
    wrapped, notes = workshop.wrappings, len(workshop.notes)
    condition = condition_of(header.condition, inner.running(seen), workshop)
    if workshop.wrappings == wrapped:
        return condition
    workshop.notes[notes:] = [each for each in workshop.notes[notes:] if each.code != "LW302"]
    type_ = header.variable.type
    assert isinstance(type_, IntType)
    anything = between(type_.least, iterator, type_.greatest)
    return condition_of(header.condition, inner.running(anything), workshop)


def _moved(values: isl.Set, name: str, step: int) -> isl.Set:
    """The values one step later."""
    earlier = f"{name}'"
    next_value = unknown(name).eq_set(unknown(earlier) + constant(step))
    return without(renamed(values, name, earlier) & next_value, [earlier])


def _reached(iterator: isl.PwAff, header: _Header, inner: Scope, workshop: Workshop) -> isl.Set:
    """``start + k * step`` for ``k >= 0``, however the loop may end."""
    distance = _distance(iterator, header)
    reached = distance.ge_set(constant(0))
    step = abs(header.step)
    if step == 1:
        return reached
    # A start that is a multiple of the step need not be mentioned twice.
    uneven = modulo(header.start, step).ne_set(constant(0)) & inner.possible
    is_even = header.start.n_piece() > 1 and (uneven & workshop.type_ranges()).is_empty()
    return reached & modulo(iterator if is_even else distance, step).eq_set(constant(0))


def _distance(iterator: isl.PwAff, header: _Header) -> isl.PwAff:
    """How far it is from the start, in the direction of the loop."""
    return iterator - header.start if header.step > 0 else header.start - iterator


def _prefix(reached: isl.Set, condition: isl.Set, domain: isl.Set, name: str, step: int) -> isl.Set:
    """The values before the first one that fails the condition, where the loop is reached at all.

    Whether it is, ``domain`` tells, which is the same for all iterations.
    """
    brief = simplified(condition, _brief)
    if only_bounds(brief, name, step):
        # Once it fails, it never holds again.
        return simplified(reached, isl.Set.coalesce) & brief & domain
    runs = reached & condition & domain
    failing = renamed(reached & domain & negation(condition), name, f"{name}'")
    earlier, later = unknown(f"{name}'"), unknown(name)
    not_after = earlier.le_set(later) if step > 0 else earlier.ge_set(later)
    stopped = without(failing & not_after, [f"{name}'"])
    return (runs & negation(stopped)).coalesce()


def _brief(condition: isl.Set) -> isl.Set:
    """The condition in fewer pieces: ``i < n`` and ``i < m`` rather than ``i < min(n, m)``."""
    condition = condition.coalesce()
    if condition.n_basic_set() == 1:
        return condition
    whole = isl.Set.from_basic_set(condition.unshifted_simple_hull())
    return whole if whole.is_subset(condition) else condition


def _ending(
    runs: isl.Set,
    name: str,
    loop: ForStmt,
    iterators: list[str],
    workshop: Workshop,
    *,
    shown: str | None = None,
) -> isl.Set:
    """Leave out the parameter values for which the loop would never end."""
    forever = unbounded_part(runs, name)
    if forever.is_empty():
        return runs
    span = header_span(loop)
    if not workshop.exclude(forever, f"the loop over {shown or name} ends", span, iterators):
        raise workshop.reject(
            "LW210",
            f"the loop over {shown or name} never ends",
            span,
            "check the condition and the step",
        )
    return runs - _with_same_parameters(forever, runs, iterators)


def _wrapping(
    header: _Header,
    type_: IntType,
    name: str,
    condition: isl.Set,
    inner: Scope,
    loop: ForStmt,
    workshop: Workshop,
) -> tuple[isl.Set, isl.PwAff, isl.PwAff]:
    """The iterations of a loop whose iterator certainly wraps, counted by ``k``.

    No value comes twice in a loop that ends, so that the values still name the iterations; their
    order is that of ``k``.
    """
    count = f"{name}#"
    k = unknown(count)
    shifted = header.exact_start + k.mul(constant(header.step)) - constant(type_.least)
    value = modulo(shifted, 2**type_.bits) + constant(type_.least)
    nth = k.ge_set(constant(0)) & unknown(name).eq_set(value)
    started = without(nth & inner.possible, [name])
    holds = without(nth & condition & inner.possible, [name])
    runs = _prefix(started, holds, inner.possible, count, 1)
    iterators = [*inner.iterators, *inner.hidden, name, count]
    runs = _ending(runs, count, loop, iterators, workshop, shown=name)
    counted = as_function(nth & runs, count)
    return without(nth & runs, [count]), counted, counted
