"""Calls of functions that only read or set an element, written out: ``at(m, i, j)``.

``static double at(const M *m, int i, int j) { return m->data[i * m->cols + j]; }`` stands for what
it returns, with the arguments in place of the parameters and converted as a call converts them.
That is so where arguments have no effects, no name means something else to the caller, and nothing
is computed in fractions that a compiler could then join with what stands around the call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from loopwright.basics.spans import Span
from loopwright.frontend.c_tree import (
    AssignExpr,
    BinaryExpr,
    CallExpr,
    CastExpr,
    ConditionalExpr,
    Expr,
    ExprStmt,
    Function,
    IntLiteral,
    MemberOf,
    OtherLiteral,
    ReturnStmt,
    Subscript,
    UnaryExpr,
    Use,
    Variable,
    walk_expression,
)
from loopwright.frontend.c_types import (
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
    RecordType,
)


class Surroundings(Protocol):
    """What stands around a call."""

    def is_hidden(self, name: str) -> bool:
        """May a name mean something else here?"""
        ...

    def definition(self, call: CallExpr) -> Function | None:
        """The function that is called, if it can be read by now."""
        ...


Inlining = Callable[[CallExpr, Function, Surroundings], Expr | None]


def inlined(call: CallExpr, function: Function, around: Surroundings) -> Expr | None:
    """The value of a call, if it only reads an element."""
    match function.body.statements:
        case (ReturnStmt(value=value),) if value is not None and _reads_elements(value):
            found = _substituted(value, call, function, around)
            return _converted(found, call.type, call.span) if found is not None else None
        case _:
            return None


def inlined_statement(call: CallExpr, function: Function, around: Surroundings) -> Expr | None:
    """What a call does, if it only sets an element."""
    match function.body.statements:
        case (ExprStmt(expression=AssignExpr() as assigned),) if _sets_number(assigned):
            is_same = _is_joinable(assigned, call)
            return _substituted(assigned, call, function, around) if is_same else None
        case _:
            return None


def _sets_number(assigned: AssignExpr) -> bool:
    """Does it set a number of the caller's, and nothing on the way?"""
    is_plain = not any(isinstance(each, AssignExpr) for each in walk_expression(assigned.value))
    is_number = isinstance(assigned.type, IntType | FloatType)
    is_number = is_number and not isinstance(assigned.target, Use)
    arrays = [each for each in walk_expression(assigned.target) if isinstance(each.type, ArrayType)]
    return is_plain and is_number and all(map(_is_shared, [assigned.target, *arrays]))


def _reads_elements(value: Expr) -> bool:
    if any(isinstance(each, AssignExpr) for each in walk_expression(value)):
        return False
    return any(isinstance(each, Subscript) or _is_behind(each) for each in walk_expression(value))


def _is_behind(place: Expr) -> bool:
    match place:
        case MemberOf(is_arrow=True) | UnaryExpr(operator="*"):
            return True
        case Subscript(base=base):
            return isinstance(base.type, PointerType)
        case _:
            return False


def _is_shared(target: Expr) -> bool:
    """Is it memory of the caller, and no copy that the function has got?"""
    while not _is_behind(target):
        match target:
            case MemberOf(base=base) | Subscript(base=base):
                target = base
            case Use(variable=variable):
                is_pointer = variable.is_parameter and isinstance(variable.type, ArrayType)
                return variable.is_global or is_pointer
            case _:
                return False
    return True


def _is_joinable(assigned: AssignExpr, call: CallExpr) -> bool:
    """Is nothing rounded at once that was rounded twice?"""
    if assigned.operator == "=" or isinstance(assigned.type, IntType):
        return True
    return not any(_is_fractional(each) for one in call.arguments for each in walk_expression(one))


def _is_fractional(expression: Expr) -> bool:
    match expression:
        case (
            BinaryExpr(type=type_) | ConditionalExpr(type=type_) | UnaryExpr("-" | "+", type=type_)
        ):
            return isinstance(type_, FloatType)
        case CallExpr():
            return True
        case _:
            return False


# --- arguments in place of parameters -------------------------------------------------------------


def _substituted(
    value: Expr, call: CallExpr, function: Function, around: Surroundings
) -> Expr | None:
    if len(function.parameters) != len(call.arguments):
        return None
    given: dict[Variable, Expr] = {}
    for parameter, argument in zip(function.parameters, call.arguments, strict=True):
        uses = sum(
            isinstance(each, Use) and each.variable is parameter for each in walk_expression(value)
        )
        fitting = _argument(parameter, argument, uses)
        if fitting is None:
            return None
        given[parameter] = fitting
    return _Substitution(given, call.span, around).of(value)


def _argument(parameter: Variable, argument: Expr, uses: int) -> Expr | None:
    """An argument as the function sees it, if it may be evaluated so many times."""
    if not all(_is_idle(each, uses) for each in walk_expression(argument)):
        return None
    type_ = parameter.type
    match type_:
        case IntType() | FloatType():
            return _converted(argument, type_, argument.span)
        case PointerType(target=target) | ArrayType(element=target) if _is_plain(target):
            return argument if _points_to(argument.type, target) else None
        case RecordType():
            is_place = isinstance(argument, Use | Subscript | MemberOf) or _is_behind(argument)
            return argument if is_place and _plain(argument.type) == _plain(type_) else None
        case _:
            return None


def _is_idle(expression: Expr, uses: int) -> bool:
    """Has it no effect, and may it be evaluated so many times?"""
    match expression:
        case CallExpr(callee=callee):
            return callee.effects == "pure" and uses <= 1
        case BinaryExpr(operator=operator):
            return operator != ","
        case _:
            return isinstance(expression, _IDLE)


_IDLE = (
    IntLiteral | OtherLiteral | Use | Subscript | MemberOf | UnaryExpr | ConditionalExpr | CastExpr
)


def _is_plain(target: CType) -> bool:
    """Is it a type that means the same everywhere?"""
    match target:
        case ArrayType(element=element, extent=IntLiteral()):
            return _is_plain(element)
        case _:
            return isinstance(target, IntType | FloatType | RecordType)


def _points_to(type_: CType, target: CType) -> bool:
    match type_:
        case PointerType(target=other) | ArrayType(element=other):
            return _plain(other) == _plain(target)
        case _:
            return False


def _plain(type_: CType) -> str:
    """The name of a type without qualifiers."""
    return " ".join(each for each in type_.name.split() if each not in _QUALIFIERS)


_QUALIFIERS = frozenset(("const", "restrict", "__restrict", "__restrict__"))


def _converted(value: Expr, type_: CType, span: Span) -> Expr | None:
    """A value in the type of a parameter or of a result."""
    if isinstance(value, CastExpr) and not value.is_explicit:
        inner = value.operand
        if _plain(value.type) != _plain(type_):
            return None
        return inner if _plain(inner.type) == _plain(type_) else replace(value, is_explicit=True)
    if _plain(value.type) == _plain(type_):
        return value
    is_number = isinstance(value.type, IntType | FloatType)
    is_plain = isinstance(type_, IntType | FloatType) and _plain(type_) == type_.name
    return CastExpr(value, True, type_, span) if is_number and is_plain else None


def _only_computes(call: CallExpr, around: Surroundings) -> bool:
    """Is it a function of its arguments, which are integers?"""
    function = around.definition(call)
    match function.body.statements if function is not None else ():
        case (ReturnStmt(value=value),) if value is not None and isinstance(value.type, IntType):
            parameters = function.parameters if function is not None else ()
            return all(
                each.variable in parameters
                if isinstance(each, Use)
                else isinstance(each, _COMPUTED)
                for each in walk_expression(value)
            )
        case _:
            return False


_COMPUTED = IntLiteral | BinaryExpr | ConditionalExpr | CastExpr


class _Substitution:
    """Writes the expression of a function as its caller would."""

    def __init__(self, given: Mapping[Variable, Expr], span: Span, around: Surroundings) -> None:
        self.given = given
        self.span = span
        self.around = around

    def of(self, expression: Expr) -> Expr | None:
        """The same for the caller; ``None`` for what is not known to be."""
        match expression:
            case IntLiteral() | OtherLiteral(type=FloatType()):
                return replace(expression, span=self.span)
            case Use(variable=variable):
                return self._use(expression, variable)
            case AssignExpr(target=target, value=value):
                return self._with(expression, target=target, value=value)
            case Subscript(base=base, index=index):
                return self._with(expression, base=base, index=index)
            case MemberOf(base=base):
                return self._member(expression, base)
            case _:
                return self._computed(expression)

    def _computed(self, expression: Expr) -> Expr | None:
        """What is computed of numbers, without rounding."""
        match expression:
            case UnaryExpr(operator="*", operand=operand):
                return self._with(expression, operand=operand)
            case UnaryExpr(operator="&", operand=operand):
                return self._with(expression, operand=operand) if _is_shared(operand) else None
            case UnaryExpr(operator="-" | "+" | "~" | "!", operand=operand, type=IntType()):
                return self._with(expression, operand=operand)
            case BinaryExpr(operator=operator, left=left, right=right):
                is_exact = operator != "," and not isinstance(expression.type, FloatType)
                return self._with(expression, left=left, right=right) if is_exact else None
            case ConditionalExpr(condition=condition, then=then, otherwise=otherwise):
                return self._with(expression, condition=condition, then=then, otherwise=otherwise)
            case CastExpr(operand=operand, type=IntType() | FloatType() as type_):
                words = type_.name.split() if expression.is_explicit else []
                return (
                    None
                    if any(map(self.around.is_hidden, words))
                    else self._with(expression, operand=operand)
                )
            case CallExpr(function=name, arguments=arguments):
                if self.around.is_hidden(name) or not _only_computes(expression, self.around):
                    return None
                given = [found for each in arguments if (found := self.of(each)) is not None]
                is_whole = len(given) == len(arguments)
                known = replace(expression, arguments=tuple(given), span=self.span)
                return known if is_whole else None
            case _:
                return None

    def _use(self, use: Use, variable: Variable) -> Expr | None:
        if variable in self.given:
            return self.given[variable]
        if not variable.is_global or variable.is_pinned or self.around.is_hidden(variable.name):
            return None
        return replace(use, span=self.span)

    def _member(self, member: MemberOf, base: Expr) -> Expr | None:
        found = self._with(member, base=base)
        match found:
            case MemberOf(base=UnaryExpr(operator="&", operand=operand), is_arrow=True):
                return replace(found, base=operand, is_arrow=False)
            case _:
                return found

    def _with(self, expression: Expr, **parts: Expr) -> Expr | None:
        """The expression with its parts as the caller would write them."""
        found = {name: self.of(each) for name, each in parts.items()}
        if any(each is None for each in found.values()):
            return None
        return replace(expression, span=self.span, **found)
