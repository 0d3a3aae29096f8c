"""The integers and conditions of a text as terms and formulas, and what they rely on.

C's integer expressions are read for what they compute; that each value fits its type becomes
something to be shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import TypeGuard

from loopwright.basics.records import record
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
    Variable,
    walk_expression,
    without_casts,
)
from loopwright.frontend.c_types import IntType
from loopwright.model.scop import Parameter
from loopwright.verify.failure import NotProved
from loopwright.verify.formulas import (
    TRUE,
    Formula,
    Linear,
    Term,
    at_most,
    choose,
    equal,
    every,
    floor,
    less,
    minus,
    negated,
    number,
    plus,
    some,
    times,
    unknown,
)

MOST_INLINED = 8


@record
class Value:
    """What an integer expression is where all that it computes ``fits`` its types."""

    fits: Formula
    term: Term


@record
class Test:
    """When a condition ``holds`` where all that it computes ``fits`` its types."""

    fits: Formula
    holds: Formula


@record(eq=False)
class Names:
    """What is known where an expression stands: the values of variables, and the iterators."""

    values: Mapping[Variable, Term] = field(default_factory=dict[Variable, Term])
    iterators: tuple[str, ...] = ()
    is_careful: bool = False

    def knowing(self, variable: Variable, value: Term) -> Names:
        """The same where a variable has this value."""
        return replace(self, values={**self.values, variable: value})


@record(eq=False)
class Expressions:
    """Reads the expressions of a text.

    ``parameters`` go by what the text calls them; variables that are ``unsteady`` are none.
    """

    parameters: Mapping[str, Parameter]
    unsteady: frozenset[Variable]

    def test(self, expression: Expr, names: Names, inlined: int = 0) -> Test:
        """A condition."""
        match expression:
            case BinaryExpr(operator="&&" | "||" as operator, left=left, right=right):
                first = self.test(left, names, inlined)
                second = self.test(right, names, inlined)
                if operator == "&&":
                    asked = some((negated(first.holds), second.fits))
                    return Test(every((first.fits, asked)), every((first.holds, second.holds)))
                asked = some((first.holds, second.fits))
                return Test(every((first.fits, asked)), some((first.holds, second.holds)))
            case UnaryExpr(operator="!", operand=operand):
                inner = self.test(operand, names, inlined)
                return Test(inner.fits, negated(inner.holds))
            case BinaryExpr(operator=operator, left=left, right=right) if operator in _COMPARED:
                one, other = self.value(left, names, inlined), self.value(right, names, inlined)
                return Test(
                    every((one.fits, other.fits)), _compared(operator, one.term, other.term)
                )
            case CastExpr(operand=operand, type=IntType(is_bool=True)):
                return self.test(operand, names, inlined)
            case _:
                value = self.value(expression, names, inlined)
                return Test(value.fits, negated(equal(value.term, number(0))))

    def value(self, expression: Expr, names: Names, inlined: int = 0) -> Value:
        """An integer."""
        if not isinstance(expression.type, IntType):
            raise NotProved("an expression of the text is no integer", span=expression.span)
        match expression:
            case IntLiteral(value=value):
                return Value(TRUE, number(value))
            case Use() | MemberOf() | Subscript():
                return Value(TRUE, self._variable(expression, names))
            case CastExpr(operand=operand):
                return fitting(self.value(operand, names, inlined), expression.type)
            case ConditionalExpr(condition=condition, then=then, otherwise=otherwise):
                test = self.test(condition, names, inlined)
                first = self.value(then, names, inlined)
                second = self.value(otherwise, names, inlined)
                parts = some((negated(test.holds), first.fits)), some((test.holds, second.fits))
                chosen = choose(test.holds, first.term, second.term)
                return Value(every((test.fits, *parts)), chosen)
            case CallExpr():
                return self._call(expression, names, inlined)
            case BinaryExpr() if self._is_parameter(expression, names):
                return Value(TRUE, unknown(self.parameters[_spelled(expression)].name))
            case UnaryExpr() | BinaryExpr():
                return self._operation(expression, names, inlined)
            case _:
                raise NotProved("an expression of the text is not understood", span=expression.span)

    def _variable(self, expression: Use | MemberOf | Subscript, names: Names) -> Term:
        if isinstance(expression, Use) and expression.variable in names.values:
            return names.values[expression.variable]
        if not self._is_parameter(expression, names):
            raise NotProved("the text uses a value that is not known", span=expression.span)
        return unknown(self.parameters[_spelled(expression)].name)

    def _is_parameter(self, expression: Expr, names: Names) -> bool:
        """Is it one of the parameters, of variables that have the values from before the text?"""
        used = [each.variable for each in walk_expression(expression) if isinstance(each, Use)]
        is_steady = not any(each in self.unsteady or each in names.values for each in used)
        return is_steady and _spelled(expression) in self.parameters

    def _operation(self, expression: UnaryExpr | BinaryExpr, names: Names, inlined: int) -> Value:
        operator = expression.operator
        if operator in ("!", "&&", "||", *_COMPARED):
            test = self.test(expression, names, inlined)
            return Value(test.fits, choose(test.holds, number(1), number(0)))
        assert isinstance(expression.type, IntType)
        if isinstance(expression, UnaryExpr):
            operand = self.value(expression.operand, names, inlined)
            if operator not in ("-", "+"):
                raise NotProved(f"{operator} in the text is not understood", span=expression.span)
            sign = -1 if operator == "-" else 1
            return fitting(Value(operand.fits, times(sign, operand.term)), expression.type)
        one = self.value(expression.left, names, inlined)
        other = self.value(expression.right, names, inlined)
        fits = every((one.fits, other.fits))
        if operator in ("/", "%"):
            value = _divided(operator, one.term, other.term, names.is_careful)
        else:
            term = _computed(operator, one.term, other.term)
            value = Value(TRUE, term) if term is not None else None
        if value is None:
            raise NotProved(f"{operator} in the text is not understood", span=expression.span)
        return fitting(Value(every((fits, value.fits)), value.term), expression.type)

    def _call(self, call: CallExpr, names: Names, inlined: int) -> Value:
        """A function of the file that only returns a value."""
        definition = call.callee.definition()
        statements = definition.body.statements if definition is not None else ()
        body = statements[0] if len(statements) == 1 else None
        if (
            definition is None
            or definition.name != call.function  # a summary is no body
            or not isinstance(body, ReturnStmt)
            or body.value is None
            or inlined >= MOST_INLINED
            or len(definition.parameters) != len(call.arguments)
        ):
            raise NotProved(f"{call.function} in the text is not understood", span=call.span)
        given = [self.value(each, names, inlined) for each in call.arguments]
        values = zip(definition.parameters, (each.term for each in given), strict=True)
        inside = Names(dict(values), is_careful=names.is_careful)
        found = self.value(body.value, inside, inlined + 1)
        return Value(every((found.fits, *(each.fits for each in given))), found.term)


def fitting(value: Value, type_: IntType) -> Value:
    """The value in a type that must be able to hold it."""
    if type_.is_bool:
        return Value(value.fits, choose(equal(value.term, number(0)), number(0), number(1)))
    least, greatest = number(type_.least), number(type_.greatest)
    inside = at_most(least, value.term), at_most(value.term, greatest)
    return Value(every((value.fits, *inside)), value.term)


_COMPARED = frozenset({"<", "<=", ">", ">=", "==", "!="})


def _compared(operator: str, one: Term, other: Term) -> Formula:
    match operator:
        case "<":
            return less(one, other)
        case "<=":
            return at_most(one, other)
        case ">":
            return less(other, one)
        case ">=":
            return at_most(other, one)
        case "==":
            return equal(one, other)
        case _:
            return negated(equal(one, other))


def _computed(operator: str, one: Term, other: Term) -> Term | None:
    """What C's operator gives."""
    match operator:
        case "+":
            return plus(one, other)
        case "-":
            return minus(one, other)
        case "*":
            if is_number(one):
                one, other = other, one
            return times(other.constant, one) if is_number(other) else None
        case _:
            return None


def _divided(operator: str, one: Term, by: Term, is_careful: bool) -> Value | None:
    """C's quotient, which is rounded towards zero, or what it leaves over."""
    if not is_number(by) or by.constant <= 0:
        return None
    is_natural = at_most(number(0), one)
    quotient = floor(one, by.constant)
    if is_careful:
        up = times(-1, floor(times(-1, one), by.constant))
        quotient, is_natural = choose(is_natural, quotient, up), TRUE
    rest = minus(one, times(by.constant, quotient))
    return Value(is_natural, quotient if operator == "/" else rest)


def is_number(term: Term) -> TypeGuard[Linear]:
    """Is it one value, whatever the unknowns are?"""
    return isinstance(term, Linear) and not term.parts


def root_of(place: Expr) -> Expr:
    """The struct at the bottom that a member is in; all else is its own root."""
    root = without_casts(place)
    while isinstance(root, MemberOf):
        root = without_casts(root.base)
    return root


def _spelled(expression: Expr) -> str:
    """A parameter as C writes it, with parentheses around all that is computed."""
    match expression:
        case Use(variable=variable):
            return variable.name
        case MemberOf(base=base, name=name, is_arrow=is_arrow):
            return f"{_spelled(base)}{'->' if is_arrow else '.'}{name}"
        case Subscript(base=base, index=index):
            return f"{_spelled(base)}[{_spelled(index)}]"
        case CastExpr(operand=operand, is_explicit=True, type=type_):
            return f"({type_.name.replace(' ', '')}){_spelled(operand)}"
        case CastExpr(operand=operand):
            return _spelled(operand)
        case IntLiteral(text=text):
            return text
        case UnaryExpr(operator=operator, operand=operand):
            return f"({operator}{_spelled(operand)})"
        case BinaryExpr(operator=operator, left=left, right=right):
            return f"({_spelled(left)}{operator}{_spelled(right)})"
        case _:
            return "?"
