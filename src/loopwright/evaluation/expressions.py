"""Expressions as functions of a frame: what they compute, and what they do to memory.

Each expression is taken apart once, and evaluated as often as the program asks for it.  Conversions
that the tree leaves out, those to and from floating-point numbers, follow from the types.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from loopwright.basics.spans import Span
from loopwright.evaluation.library import function_named
from loopwright.evaluation.memory import (
    Pointer,
    Value,
)
from loopwright.evaluation.numbers import (
    COMPARISONS,
    DOUBLE,
    FLOAT,
    SHIFTS,
    Kind,
    Number,
    Operation,
    common,
    complemented,
    conversion_of,
    converter,
    kind_of,
    negated,
    operation,
    promoted,
    shift,
    single,
)
from loopwright.evaluation.outcomes import CannotEvaluate, Undefined
from loopwright.evaluation.places import (
    Frame,
    NumberReader,
    Places,
    Reader,
    Returned,
    World,
    decayed,
    kept,
)
from loopwright.evaluation.sequencing import require_one_order
from loopwright.frontend.c_tree import (
    AssignExpr,
    BinaryExpr,
    CallExpr,
    CastExpr,
    ConditionalExpr,
    Expr,
    IncrementExpr,
    IntLiteral,
    ListExpr,
    MemberOf,
    OpaqueExpr,
    OtherLiteral,
    Subscript,
    UnaryExpr,
    Use,
    Variable,
    walk_expression,
)
from loopwright.frontend.c_types import (
    ArrayType,
    CType,
    IntType,
    PointerType,
    RecordType,
)


class Expressions:
    """Takes the expressions of one program apart."""

    def __init__(self, world: World, *, is_exact: bool = True) -> None:
        """Unless it ``is_exact``, what depends on rounding is not evaluated."""
        self.world = world
        self.places = Places(world, self)
        self.is_exact = is_exact

    def full(self, expression: Expr) -> Reader:
        """An expression that is no part of another one."""
        require_one_order(expression)
        return self._anything(expression)

    def truth(self, expression: Expr) -> Callable[[Frame], bool]:
        """A condition."""
        require_one_order(expression)
        return self._truth(expression)

    def _truth(self, expression: Expr) -> Callable[[Frame], bool]:
        value = self._steady(expression)
        return lambda frame: value(frame) != 0

    def _steady(self, expression: Expr) -> NumberReader:
        """A number that something is decided by: no other order of sums may make it another one."""
        value = self.number(expression)
        if self.is_exact or not kind_of(expression.type).is_float:
            return value

        def read(frame: Frame) -> Number:
            found = value(frame)
            if not float(found).is_integer():
                raise CannotEvaluate("a decision that depends on rounding")
            return found

        return read

    def number(self, expression: Expr) -> NumberReader:
        """The value of an expression of an arithmetic type."""
        kind_of(expression.type)
        return cast("NumberReader", self.value(expression))

    def converted(self, expression: Expr, type_: CType) -> Reader:
        """A value as it arrives in a variable of a type."""
        if isinstance(type_, PointerType):
            return self.places.as_pointer(expression, type_)
        old, new = kind_of(expression.type), kind_of(type_)
        change = converter(old, new)
        value = self.number(expression) if new.is_float else self._steady(expression)
        if change is None:
            return value
        span = expression.span

        def convert(frame: Frame) -> Value:
            try:
                return change(value(frame))
            except Undefined as fault:
                raise fault.at(span) from None

        return convert

    def _anything(self, expression: Expr) -> Reader:
        """A value that may be nothing, as of a call."""
        match expression:
            case CallExpr():
                return self._call(expression, is_used=False)
            case BinaryExpr(operator=",", left=left, right=right):
                first, second = self._anything(left), self._anything(right)

                def both(frame: Frame) -> Value:
                    first(frame)
                    return second(frame)

                return both
            case CastExpr(operand=operand, is_explicit=True, type=type_) if type_.name == "void":
                return self._anything(operand)
            case _:
                return self.value(expression)

    def value(  # noqa: C901 - one case a kind of expression
        self, expression: Expr
    ) -> Reader:
        """The value of an expression."""
        match expression:
            case IntLiteral(value=value):
                return lambda _: value
            case OtherLiteral():
                constant = _constant(expression)
                return lambda _: constant
            case Use() | Subscript() | MemberOf():
                return self._stored(expression)
            case AssignExpr():
                return self._assignment(expression)
            case IncrementExpr():
                return self._increment(expression)
            case ConditionalExpr():
                return self._conditional(expression)
            case CastExpr(operand=operand, type=type_):
                return self.converted(operand, type_)
            case CallExpr():
                return self._call(expression, is_used=True)
            case UnaryExpr():
                return self._unary(expression)
            case BinaryExpr():
                return self._binary(expression)
            case ListExpr() | OpaqueExpr():
                raise CannotEvaluate(_what(expression))

    def _stored(self, expression: Expr) -> Reader:
        place = self.places.place(expression)
        if isinstance(expression.type, ArrayType):
            return lambda frame: decayed(place(frame))
        kind = None if isinstance(expression.type, PointerType) else kind_of(expression.type)
        span = expression.span

        def read(frame: Frame) -> Value:
            thing, offset, _ = place(frame)
            try:
                if thing.kind is not kind or kind is None or not 0 <= offset < thing.limit:
                    thing.require(offset, kind, "read")
                value = thing.cells.get(offset)
                return thing.missing(offset, kind) if value is None else value
            except Undefined as fault:
                raise fault.at(span) from None

        if isinstance(expression, Use) and not expression.variable.is_global:
            return _quickly(expression.variable, read)
        return read

    def _assignment(self, expression: AssignExpr) -> Reader:
        target, sign = expression.target, expression.operator
        if sign == "=":
            value = self.converted(expression.value, target.type)
        else:
            _require_plain(target)
            if not isinstance(target.type, PointerType):
                return self._compound(expression)
            combined = BinaryExpr(sign[:-1], target, expression.value, target.type, expression.span)
            value = self.converted(combined, target.type)
        return self._store(target, value, expression.span)

    def _compound(self, expression: AssignExpr) -> Reader:
        """``x += y``, which computes in the type in which both meet."""
        target, sign, span = expression.target, expression.operator[:-1], expression.span
        kind, right = kind_of(target.type), kind_of(expression.value.type)
        place, old = self.places.place(target), cast("NumberReader", self._stored(target))
        if sign in SHIFTS:
            meeting, value = promoted(kind), self.number(expression.value)
            apply = shift(sign, meeting)
        else:
            meeting = common(kind, right)
            is_steady = sign == "/" and meeting.is_float
            value = self._as_number(expression.value, meeting, is_steady=is_steady)
            apply = operation(sign, meeting)
        there, back = converter(kind, meeting), converter(meeting, kind)
        if meeting.is_float and not kind.is_float and not self.is_exact:
            raise CannotEvaluate("a decision that depends on rounding")

        def write(frame: Frame) -> Value:
            try:
                first = old(frame)
                new = apply(first if there is None else there(first), value(frame))
                new = new if back is None else back(new)
            except Undefined as fault:
                raise fault.at(span) from None
            thing, offset, _ = place(frame)
            thing.cells[offset] = new
            return new

        return write

    def _store(self, target: Expr, value: Reader, span: Span) -> Reader:
        place = self.places.place(target)
        if isinstance(target.type, ArrayType | RecordType):
            raise CannotEvaluate("an assignment of more than a number")
        kind = None if isinstance(target.type, PointerType) else kind_of(target.type)

        def write(frame: Frame) -> Value:
            try:
                new = value(frame)
                thing, offset, _ = place(frame)
                if thing.kind is not kind or kind is None or not 0 <= offset < thing.limit:
                    thing.require(offset, kind, "written")
            except Undefined as fault:
                raise fault.at(span) from None
            thing.cells[offset] = new
            return new

        return write

    def _increment(self, expression: IncrementExpr) -> Reader:
        target, span = expression.target, expression.span
        _require_plain(target)
        one = IntLiteral(1, "1", IntType("int", 32, True), span)
        sign = f"{expression.operator[0]}="
        write = self._assignment(AssignExpr(sign, target, one, target.type, span))
        if not expression.is_postfix:
            return write
        old = self._stored(target)

        def step(frame: Frame) -> Value:
            before = old(frame)
            write(frame)
            return before

        return step

    def _conditional(self, expression: ConditionalExpr) -> Reader:
        chosen = self._truth(expression.condition)
        then = self.converted(expression.then, expression.type)
        otherwise = self.converted(expression.otherwise, expression.type)
        return lambda frame: then(frame) if chosen(frame) else otherwise(frame)

    def _unary(self, expression: UnaryExpr) -> Reader:
        operand, span = expression.operand, expression.span
        match expression.operator:
            case "*":
                return self._stored(expression)
            case "&" if not isinstance(operand, MemberOf):
                address = self.places.place(operand)
                return lambda frame: kept(address(frame))
            case "!":
                is_true = self._truth(operand)
                return lambda frame: int(not is_true(frame))
            case "+" | "-" | "~" as sign:
                kind = promoted(kind_of(operand.type))
                _require_type(expression, kind)
                value = self._as_number(operand, kind)
                if sign == "+":
                    return value
                change = negated(kind) if sign == "-" else complemented(kind)
                return _applied(lambda frame: change(value(frame)), span)
            case sign:
                raise CannotEvaluate(f"the operator {sign}")

    def _comparison(self, expression: BinaryExpr, meeting: Kind) -> NumberReader:
        one = self._as_number(expression.left, meeting, is_steady=True)
        two = self._as_number(expression.right, meeting, is_steady=True)
        compare = COMPARISONS[expression.operator]
        return lambda frame: int(compare(one(frame), two(frame)))

    def _as_number(self, expression: Expr, kind: Kind, *, is_steady: bool = False) -> NumberReader:
        value = self._steady(expression) if is_steady else self.number(expression)
        change = converter(kind_of(expression.type), kind)
        return value if change is None else lambda frame: change(value(frame))

    def _binary(self, expression: BinaryExpr) -> Reader:
        sign, left, right = expression.operator, expression.left, expression.right
        if isinstance(expression.type, PointerType):
            return self.places.moved(expression)
        if sign == ",":
            return self._anything(expression)
        if sign in ("&&", "||"):
            first, second = self._truth(left), self._truth(right)
            if sign == "&&":
                return lambda frame: int(first(frame) and second(frame))
            return lambda frame: int(first(frame) or second(frame))
        kinds = kind_of(left.type), kind_of(right.type)
        meeting = promoted(kinds[0]) if sign in SHIFTS else common(*kinds)
        if sign in COMPARISONS:
            return self._comparison(expression, meeting)
        one = self._as_number(left, meeting)
        _require_type(expression, meeting)
        if sign in SHIFTS:
            two, apply = self.number(right), shift(sign, meeting)
        else:
            two = self._as_number(right, meeting, is_steady=sign == "/" and meeting.is_float)
            apply = operation(sign, meeting)
        return _combined(one, two, apply, expression.span)

    def _call(self, expression: CallExpr, *, is_used: bool) -> Reader:
        callee, name = expression.callee, expression.function
        function = callee.definition()
        types = [each.type for each in expression.arguments]
        if name == "__builtin_expect":
            return self.value(expression.arguments[0])
        if function is not None and function.name == name:
            given = [self._argument(each) for each in expression.arguments]

            def call(frame: Frame) -> Value:
                found = self.world.called(function, [each(frame) for each in given], types)
                return self._returned(found, expression.type) if is_used else 0

            return call
        if callee.effects not in ("pure", "named"):
            raise CannotEvaluate(f"a call of {name}")
        kinds = [kind_of(each) for each in types]
        apply = function_named(name, kinds, kind_of(expression.type))
        numbers = [self._steady(each) for each in expression.arguments]
        return _applied(lambda frame: apply([each(frame) for each in numbers]), expression.span)

    def _argument(self, expression: Expr) -> Reader:
        if isinstance(expression.type, ArrayType | PointerType):
            return self.places.pointer(expression)
        return self.number(expression)

    def _returned(self, found: Returned, type_: CType) -> Value:
        if found is None:
            raise CannotEvaluate("a function that returns nothing")
        value, old = found
        if isinstance(value, Pointer):
            raise CannotEvaluate("a pointer that is returned")
        return conversion_of(value, kind_of(old), kind_of(type_))


def _require_plain(target: Expr) -> None:
    """What is read and written is found twice, and must be the same both times."""
    for each in walk_expression(target):
        if isinstance(each, AssignExpr | IncrementExpr | CallExpr):
            raise CannotEvaluate("a side effect in what is changed")


def _require_type(expression: Expr, kind: Kind) -> None:
    """The parser must agree with our conversions."""
    if kind_of(expression.type) is not kind:
        raise CannotEvaluate("an operator of an unexpected type")


def _quickly(variable: Variable, read: Reader) -> Reader:
    """The value of a variable that has one, without further questions: most reads are of those."""

    def look(frame: Frame) -> Value:
        place = frame.get(variable)
        value = place[0].cells.get(0) if place is not None else None
        return read(frame) if value is None else value

    return look


def _combined(one: NumberReader, two: NumberReader, apply: Operation, span: Span) -> NumberReader:
    def combine(frame: Frame) -> Number:
        try:
            return apply(one(frame), two(frame))
        except Undefined as fault:
            raise fault.at(span) from None

    return combine


def _applied(compute: NumberReader, span: Span) -> NumberReader:
    """The same, which says where it was if it goes wrong."""

    def apply(frame: Frame) -> Number:
        try:
            return compute(frame)
        except Undefined as fault:
            raise fault.at(span) from None

    return apply


_DECIMAL = re.compile(r"[\d.]+([eE][+-]?\d+)?|0[xX][\da-fA-F.]+([pP][+-]?\d+)")


def _constant(literal: OtherLiteral) -> float:
    """A floating-point constant.

    >>> from loopwright.basics.spans import whole_file
    >>> from loopwright.frontend.c_types import FloatType
    >>> _constant(OtherLiteral("0.5f", FloatType("float", 4), whole_file("k.c")))
    0.5
    """
    kind = kind_of(literal.type)
    if not kind.is_float:
        raise CannotEvaluate(f"the constant {literal.text}")
    text = literal.text.rstrip("fF") if kind is FLOAT else literal.text
    if not _DECIMAL.fullmatch(text):
        raise CannotEvaluate(f"the constant {literal.text}")
    value = float.fromhex(text) if text[:2] in ("0x", "0X") else float(text)
    return value if kind is DOUBLE else single(value)


def _what(expression: Expr) -> str:
    return expression.what if isinstance(expression, OpaqueExpr) else "a list of values"
