"""C integer expressions as quasi-affine values, and C conditions as sets.

The arithmetic is C's: division rounds towards zero, unsigned values wrap, conversions truncate.
Overflow of signed arithmetic is undefined and taken not to happen.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from loopwright.frontend.c_tree import (
    BinaryExpr,
    CallExpr,
    CastExpr,
    ConditionalExpr,
    Expr,
    IntLiteral,
    MemberOf,
    ReturnStmt,
    Subscript,
    UnaryExpr,
    Use,
    walk_expression,
    without_widening,
)
from loopwright.frontend.c_types import IntType
from loopwright.frontend.callees import RESERVED
from loopwright.frontend.invariants import OPAQUE
from loopwright.frontend.polynomials import Polynomial, affine_polynomial, product
from loopwright.frontend.scope import Arithmetic, Scope
from loopwright.frontend.workshop import Overflow, Workshop
from loopwright.frontend.wrapping import keeps_from_wrapping
from loopwright.polyhedra.limits import OutOfOperations, simple_negation
from loopwright.polyhedra.values import (
    COMPARISONS,
    arithmetic,
    beyond,
    choose,
    constant,
    constant_of,
    floor_quotient,
    modulo,
    names_in,
    truth,
)

DEEPEST_INLINING = 8


def value_of(  # noqa: C901 - one case a kind of expression
    expression: Expr, scope: Scope, workshop: Workshop
) -> isl.PwAff | None:
    """The value of an integer expression, or ``None`` if it is not quasi-affine."""
    if not isinstance(expression.type, IntType):
        return None
    match expression:
        case IntLiteral(value=value):
            return constant(value)
        case Use(variable=variable):
            known = {**scope.opaque, **scope.values} if scope.decides else scope.values
            return known[variable] if variable in known else workshop.parameter_value(variable)
        case MemberOf() | Subscript():
            return workshop.place_value(expression, scope)
        case CastExpr(operand=operand):
            return _converted(value_of(operand, scope, workshop), expression, scope, workshop)
        case BinaryExpr() if scope.decides and _may_be_opaque(expression):
            return _known_or_opaque(expression, scope, workshop)
        case UnaryExpr() | BinaryExpr():
            return _operation(expression, scope, workshop)
        case ConditionalExpr(condition=condition, then=then, otherwise=otherwise):
            chosen = condition_of(condition, scope, workshop)
            other = simple_negation(chosen) if chosen is not None else None
            if chosen is None or other is None:
                return None
            first = value_of(then, scope.given(chosen), workshop)
            second = value_of(otherwise, scope.given(other), workshop)
            return None if first is None or second is None else choose(chosen, first, second)
        case CallExpr():
            return _call(expression, scope, workshop)
        case _:
            return None


def condition_of(expression: Expr, scope: Scope, workshop: Workshop) -> isl.Set | None:
    """Where a condition holds, or ``None`` if that is not quasi-affine."""
    match expression:
        case BinaryExpr(operator="&&" | "||", left=left, right=right):
            first = condition_of(left, scope, workshop)
            if first is None:
                return None
            # The right operand is evaluated only where the left one leaves the answer open.
            both = expression.operator == "&&"
            reached = first if both else simple_negation(first)
            scope = scope.given(reached) if reached is not None else scope
            second = condition_of(right, scope, workshop)
            if second is None:
                return None
            return first & second if both else first | second
        case UnaryExpr(operator="!", operand=operand):
            inner = condition_of(operand, scope, workshop)
            return simple_negation(inner) if inner is not None else None
        case BinaryExpr(operator=operator, left=left, right=right) if operator in COMPARISONS:
            first_value = value_of(left, scope, workshop)
            second_value = value_of(right, scope, workshop)
            if first_value is None or second_value is None:
                return None
            return COMPARISONS[operator](first_value, second_value)
        case CastExpr(operand=operand, is_explicit=False):
            return condition_of(operand, scope, workshop)
        case _:
            value = value_of(expression, scope, workshop)
            return value.ne_set(constant(0)) if value is not None else None


def _operation(
    expression: UnaryExpr | BinaryExpr, scope: Scope, workshop: Workshop
) -> isl.PwAff | None:
    if expression.operator in ("!", "&&", "||", *COMPARISONS):
        condition = condition_of(expression, scope, workshop)
        return truth(condition) if condition is not None else None
    if isinstance(expression, UnaryExpr):
        operand = value_of(expression.operand, scope, workshop)
        result = _unary(expression.operator, operand) if operand is not None else None
    else:
        result = _of_both(expression, scope, workshop)
    if result is None:
        return None
    if not _is_exempt_from_wrapping(expression):
        return _converted(result, expression, scope, workshop)
    if workshop.overflow is not Overflow.IGNORED:
        workshop.conversions += 1
        if scope.arithmetic is not Arithmetic.IDEAL:
            assert isinstance(expression.type, IntType)
            workshop.note_overflow(result, expression.type, scope, expression.span)
    return result


def _of_both(expression: BinaryExpr, scope: Scope, workshop: Workshop) -> isl.PwAff | None:
    """What an operator makes of the values of its operands."""
    left = value_of(expression.left, scope, workshop)
    right = value_of(expression.right, scope, workshop)
    if left is None or right is None:
        return None
    is_natural = expression.operator in ("/", "%") and _is_natural(left, scope, workshop)
    return (_natural if is_natural else _binary)(expression.operator, left, right)


def _known_or_opaque(expression: BinaryExpr, scope: Scope, workshop: Workshop) -> isl.PwAff | None:
    """The value, or else an unknown of its own."""
    restore = workshop.snapshot()
    value = _operation(expression, replace(scope, decides=False), workshop)
    if value is not None:
        return value
    restore()
    return workshop.opaque_value(expression, scope)


def _may_be_opaque(expression: BinaryExpr) -> bool:
    """Is it more than the arithmetic of one unknown with a number?"""
    is_symmetric = expression.operator == "*"
    is_simple = _is_number(expression.right) or (is_symmetric and _is_number(expression.left))
    return expression.operator in OPAQUE and not is_simple


def _is_number(expression: Expr) -> bool:
    """Is it a number, as it is written?"""
    return not any(isinstance(each, Use) for each in walk_expression(expression))


def _is_exempt_from_wrapping(expression: Expr) -> bool:
    """Signed arithmetic as wide as ``int`` or wider: overflow is undefined."""
    assert isinstance(expression.type, IntType)
    return not expression.type.may_wrap


def _unary(operator: str, operand: isl.PwAff) -> isl.PwAff | None:
    match operator:
        case "-":
            return operand.neg()
        case "+":
            return operand
        case "~":
            return operand.neg() - constant(1)
        case _:
            return None


def _binary(operator: str, left: isl.PwAff, right: isl.PwAff) -> isl.PwAff | None:
    match operator:
        case "<<" | ">>":
            return _shifted(left, right, operator == "<<")
        case "&":
            return _masked(left, right)
        case _:
            return arithmetic(operator, left, right)


def _is_natural(value: isl.PwAff, scope: Scope, workshop: Workshop) -> bool:
    """Is the value never negative here?"""
    ends = workshop.ends(value, scope)
    if ends is not None and ends[0] >= 0:
        return True
    negative = scope.possible & value.lt_set(constant(0)) & workshop.type_ranges()
    return negative.is_empty()


def _natural(operator: str, left: isl.PwAff, right: isl.PwAff) -> isl.PwAff | None:
    """A quotient or remainder where it does not matter which way C rounds."""
    divisor = constant_of(right)
    if divisor is None or divisor <= 0:
        return _binary(operator, left, right)
    return (floor_quotient if operator == "/" else modulo)(left, divisor)


def _shifted(value: isl.PwAff, by: isl.PwAff, is_left: bool) -> isl.PwAff | None:
    bits = constant_of(by)
    if bits is None or not 0 <= bits < 64:
        return None
    return value.mul(constant(2**bits)) if is_left else floor_quotient(value, 2**bits)


def _masked(left: isl.PwAff, right: isl.PwAff) -> isl.PwAff | None:
    """``x & (2^k - 1)`` is ``x mod 2^k`` in two's complement."""
    mask = constant_of(right)
    if mask is None:
        left, mask = right, constant_of(left)
    if mask is None or mask < 0 or mask & (mask + 1):
        return None
    return modulo(left, mask + 1)


def _converted(
    value: isl.PwAff | None, expression: Expr, scope: Scope, workshop: Workshop
) -> isl.PwAff | None:
    """The value in the expression's type: reduced modulo its width where it may not fit."""
    target = expression.type
    if value is None or not isinstance(target, IntType):
        return None
    if target.is_bool:
        return truth(value.ne_set(constant(0)))
    workshop.conversions += 1
    if scope.arithmetic is Arithmetic.IDEAL or workshop.surely_fits(value, target, scope):
        return value
    outside = scope.possible & beyond(target.least, value, target.greatest)
    if (outside & workshop.type_ranges()).is_empty():
        return value
    workshop.wrappings += 1
    iterators = {*scope.iterators, *scope.hidden}
    if not names_in(value) & iterators and scope.arithmetic is not Arithmetic.EXACT:
        text = workshop.text_of(expression.span)
        what = f"{text} does not wrap around as {target.name}"
        try:
            if workshop.exclude(outside, what, expression.span, iterators, warn=True):
                return value
        except OutOfOperations:
            pass  # too many cases to assume away: the modulo covers them all
    workshop.warn_wrapping(workshop.text_of(expression.span), expression.span, target.name)
    return modulo(value - constant(target.least), 2**target.bits) + constant(target.least)


def _call(call: CallExpr, scope: Scope, workshop: Workshop) -> isl.PwAff | None:
    """A call of a function that only returns a value, or of one that everybody knows."""
    arguments = [value_of(argument, scope, workshop) for argument in call.arguments]
    known = [argument for argument in arguments if argument is not None]
    if len(known) != len(arguments):
        return None
    if call.callee.effects == "named":
        trust_name(call, workshop)
        return _named(call.function, known)
    definition = call.callee.definition()
    if definition is None or definition.name != call.function:
        return None  # a summary says what is touched, and nothing about the value
    is_expression = len(definition.body.statements) == 1
    body = definition.body.statements[0] if is_expression else None
    if not isinstance(body, ReturnStmt) or body.value is None:
        return None
    if scope.inlined >= DEEPEST_INLINING or len(definition.parameters) != len(known):
        return None
    values = dict(zip(definition.parameters, known, strict=True))
    inner = replace(scope, values=values, inlined=scope.inlined + 1)
    return value_of(body.value, inner, workshop)


def trust_name(call: CallExpr, workshop: Workshop) -> None:
    """Say that a function without a body does what its name says, unless C itself says so."""
    if call.function not in RESERVED:
        workshop.take_for_granted(f"{call.function} does what its name says", call.span)


def _named(function: str, arguments: list[isl.PwAff]) -> isl.PwAff | None:
    match function, arguments:
        case "min", [left, right]:
            return left.min(right)
        case "max", [left, right]:
            return left.max(right)
        case (("abs" | "labs" | "llabs"), [value]):
            return value.max(value.neg())
        case (("floord" | "ceild"), [value, by]):
            divisor = constant_of(by)
            if divisor is None or divisor <= 0:
                return None
            value = value + constant(divisor - 1) if function == "ceild" else value
            return floor_quotient(value, divisor)
        case _:
            return None


def _same_address(expression: Expr) -> Expr:
    """A subscript under conversions that do not move it: addresses are computed modulo 2^64."""
    inner = without_widening(expression)
    while (
        isinstance(inner, CastExpr)
        and isinstance(inner.type, IntType)
        and isinstance(inner.operand.type, IntType)
        and inner.type.bits == 64
    ):
        inner = without_widening(inner.operand)
    return inner


def polynomial_of(expression: Expr, scope: Scope, workshop: Workshop) -> Polynomial | None:
    """A subscript as a polynomial in the parameters, or ``None``."""
    value = value_of(expression, scope, workshop)
    if value is not None:
        return affine_polynomial(value)
    inner = _same_address(expression)
    if isinstance(inner, Use):
        return scope.products.get(inner.variable)
    found = _polynomial(inner, scope, workshop)
    if found is None or not keeps_from_wrapping(found, inner, scope, workshop):
        return None
    workshop.note_product(found, inner.type, scope, inner.span)
    return found


def _polynomial(expression: Expr, scope: Scope, workshop: Workshop) -> Polynomial | None:
    match expression:
        case UnaryExpr(operator="-", operand=operand):
            inner = polynomial_of(operand, scope, workshop)
            return -inner if inner is not None else None
        case BinaryExpr(operator="+" | "-" | "*" as operator, left=left, right=right):
            first = polynomial_of(left, scope, workshop)
            second = polynomial_of(right, scope, workshop)
            if first is None or second is None:
                return None
            if operator == "*":
                return product(first, second, {*scope.iterators, *scope.hidden})
            return first + (second if operator == "+" else -second)
        case _:
            return None
