"""Which C type generated expressions are computed in, so that none of them overflows.

Generated expressions are about integers without a width.  Here every identifier gets the range of
its values, ranges are followed through the operators, and where an ``int`` could overflow the
expression is computed as ``long``.  Unsigned parameters are always converted: a difference of
theirs may be negative.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from loopwright.basics.records import record
from loopwright.emit.ranges import Range
from loopwright.model.expressions import Constant, Expr, Identifier, Operation, Operator

INT = Range(-(2**31), 2**31 - 1)
LONG = Range(-(2**63), 2**63 - 1)
TRUTH = Range(0, 1)

_COMPARISONS = frozenset(
    {
        Operator.EQUAL,
        Operator.LESS,
        Operator.LESS_OR_EQUAL,
        Operator.GREATER,
        Operator.GREATER_OR_EQUAL,
    }
)
_JUNCTIONS = frozenset({Operator.LAZY_AND, Operator.LAZY_OR, Operator.EAGER_AND, Operator.EAGER_OR})
_CONDITIONALS = frozenset({Operator.LAZY_CONDITIONAL, Operator.EAGER_CONDITIONAL})


class DoesNotFit(Exception):
    """An expression may leave the type that it is to be computed in."""


@record
class Variable:
    """What an identifier stands for in C: a text, its type, and the values that it takes."""

    text: str
    is_long: bool
    values: Range
    is_unsigned: bool = False
    is_iterator: bool = False


@record
class Typed:
    """An expression ready to be printed: with its casts, its type and the range of its values."""

    expression: Expr
    is_long: bool
    values: Range
    has_iterator: bool = False

    @property
    def type(self) -> str:
        """The type that C gives it."""
        return "long" if self.is_long else "int"

    def widened(self) -> Typed:
        """The same, computed as ``long`` from here on."""
        if self.is_long:
            return self
        return Typed(cast_to("long", self.expression), True, self.values, self.has_iterator)


@record
class Names:
    """What the helpers are called that C lacks."""

    minimum: str = "lw_min"
    maximum: str = "lw_max"
    floor: str = "lw_floord"


def cast_to(type_: str, expression: Expr) -> Expr:
    """A conversion, as an expression that prints as one.

    >>> from loopwright.model.expressions import expression_text, operation
    >>> print(expression_text(cast_to("long", Identifier("n"))))
    (long)n
    >>> total = operation(Operator.ADD, Identifier("n"), Constant(1))
    >>> print(expression_text(cast_to("long", total)))
    (long)(n + 1)
    """
    if isinstance(expression, Identifier):
        return Identifier(f"({type_}){expression.name}")
    return Operation(Operator.CALL, (Identifier(f"({type_})"), expression))


@record
class Arithmetic:
    """How integers are computed at a place: what the identifiers stand for there."""

    variables: Mapping[str, Variable]
    names: Names = Names()

    def with_iterator(self, name: str, *, is_long: bool, values: Range) -> Arithmetic:
        """Inside a loop."""
        iterator = Variable(name, is_long, values, is_iterator=True)
        return Arithmetic({**self.variables, name: iterator}, self.names)

    def typed(self, expression: Expr) -> Typed:
        """The expression in C; :class:`DoesNotFit` if iterators would have to be wider.

        >>> n = Variable("n", False, Range(1, 2**31 - 1))
        >>> arithmetic = Arithmetic({"n": n})
        >>> from loopwright.model.expressions import expression_text, operation
        >>> less = operation(Operator.SUBTRACT, Identifier("n"), Constant(1))
        >>> print(expression_text(arithmetic.typed(less).expression))
        n - 1
        >>> more = operation(Operator.ADD, Identifier("n"), Constant(1))
        >>> print(expression_text(arithmetic.typed(more).expression))
        (long)n + 1
        """
        match expression:
            case Constant(value):
                return Typed(expression, not INT.contains(Range(value, value)), Range(value, value))
            case Identifier(name):
                return self._identifier(self.variables[name])
            case Operation(operator, operands):
                return self._operation(operator, [self.typed(each) for each in operands])
            case _:
                assert_never(expression)

    def _identifier(self, variable: Variable) -> Typed:
        plain = Identifier(variable.text)
        if variable.is_unsigned:
            return Typed(cast_to("long", plain), True, variable.values)
        return Typed(plain, variable.is_long, variable.values, variable.is_iterator)

    def _operation(self, operator: Operator, operands: list[Typed]) -> Typed:
        if operator in _COMPARISONS:
            return _decided(operator, operands) or _typed(operator, operands, TRUTH, is_long=False)
        if operator in _JUNCTIONS:
            return _junction(operator, operands)
        if operator in _CONDITIONALS:
            if isinstance(operands[0].expression, Constant):
                return operands[1] if operands[0].expression.value else operands[2]
            values = operands[1].values.joined_with(operands[2].values)
            is_long = operands[1].is_long or operands[2].is_long
            return _typed(operator, operands, values, is_long=is_long)
        match operator:
            case Operator.MINIMUM | Operator.MAXIMUM:
                return self._extreme(operator, operands)
            case Operator.FLOOR_DIVISION:
                return self._floor(operands)
            case Operator.NEGATE:
                return _computed(operator, operands, [-operands[0].values])
            case Operator.ADD | Operator.SUBTRACT | Operator.MULTIPLY:
                return _computed(operator, operands, _running(operator, operands))
            case _:
                return _divided(operator, operands)

    def _extreme(self, operator: Operator, operands: Sequence[Typed]) -> Typed:
        """``lw_min(a, lw_min(b, c))``: the helpers take two."""
        is_minimum = operator is Operator.MINIMUM
        name = Identifier(self.names.minimum if is_minimum else self.names.maximum)
        result = operands[-1]
        for operand in reversed(operands[:-1]):
            pair = (operand.values, result.values)
            values = Range.least(*pair) if is_minimum else Range.greatest(*pair)
            result = Typed(
                Operation(Operator.CALL, (name, operand.expression, result.expression)),
                operand.is_long or result.is_long,
                values,
                operand.has_iterator or result.has_iterator,
            )
        return result

    def _floor(self, operands: Sequence[Typed]) -> Typed:
        dividend, divisor = operands
        # The helper negates a negative dividend and adds the divisor before it divides.
        between = Range(0, max(0, -dividend.values.low) + divisor.values.high)
        if not (LONG if dividend.is_long else INT).contains(between):
            if dividend.is_long or dividend.has_iterator:
                raise DoesNotFit
            dividend = dividend.widened()
        name = Identifier(self.names.floor)
        return Typed(
            Operation(Operator.CALL, (name, dividend.expression, divisor.expression)),
            dividend.is_long or divisor.is_long,
            dividend.values.divided_by(divisor.values.high),
            dividend.has_iterator,
        )


def _typed(operator: Operator, operands: Sequence[Typed], values: Range, *, is_long: bool) -> Typed:
    expression = Operation(operator, tuple(each.expression for each in operands))
    return Typed(expression, is_long, values, any(each.has_iterator for each in operands))


def _decided(operator: Operator, operands: Sequence[Typed]) -> Typed | None:
    """A comparison whose outcome the ranges tell; compilers warn about those."""
    left, right = (each.values for each in operands)
    match operator:
        case Operator.LESS | Operator.GREATER_OR_EQUAL:
            holds, fails = left.high < right.low, left.low >= right.high
        case Operator.LESS_OR_EQUAL | Operator.GREATER:
            holds, fails = left.high <= right.low, left.low > right.high
        case _:
            holds, fails = False, left.high < right.low or right.high < left.low
    if not holds and not fails:
        return None
    if operator in (Operator.GREATER, Operator.GREATER_OR_EQUAL):
        holds = fails
    return _truth(holds)


def _truth(holds: bool) -> Typed:
    return Typed(Constant(int(holds)), False, Range(int(holds), int(holds)))


def _junction(operator: Operator, operands: Sequence[Typed]) -> Typed:
    """And, or: without the operands that decide nothing."""
    is_and = operator in (Operator.LAZY_AND, Operator.EAGER_AND)
    constants = {
        bool(each.expression.value) for each in operands if isinstance(each.expression, Constant)
    }
    if (not is_and) in constants:
        return _truth(not is_and)
    open_ = [each for each in operands if not isinstance(each.expression, Constant)]
    if not open_:
        return _truth(is_and)
    return open_[0] if len(open_) == 1 else _typed(operator, open_, TRUTH, is_long=False)


def _running(operator: Operator, operands: Sequence[Typed]) -> list[Range]:
    """The values after each operator, from the left."""
    steps: list[Range] = []
    total = operands[0].values
    for operand in operands[1:]:
        match operator:
            case Operator.ADD:
                total = total + operand.values
            case Operator.SUBTRACT:
                total = total + -operand.values
            case _:
                total = total * operand.values
        steps.append(total)
    return steps


def _computed(operator: Operator, operands: Sequence[Typed], steps: Sequence[Range]) -> Typed:
    """An operation with these intermediate values, in types that hold them."""
    operands = list(operands)
    if not _hold(operands, steps):
        if any(each.has_iterator and not each.is_long for each in operands):
            raise DoesNotFit
        is_constant = isinstance(operands[0].expression, Constant)
        widened = 1 if is_constant and len(operands) > 1 else 0
        operands[widened] = operands[widened].widened()
        if not _hold(operands, steps):
            raise DoesNotFit
    is_long = any(each.is_long for each in operands)
    return _typed(operator, operands, steps[-1], is_long=is_long)


def _hold(operands: Sequence[Typed], steps: Sequence[Range]) -> bool:
    """Does each type hold its values?  C computes from the left, as widely as it has to."""
    is_long = operands[0].is_long
    for operand, step in zip(operands[1:] or operands, steps, strict=True):
        is_long = is_long or operand.is_long
        if not (LONG if is_long else INT).contains(step):
            return False
    return True


def _divided(operator: Operator, operands: Sequence[Typed]) -> Typed:
    dividend, divisor = operands
    by = divisor.values.high
    match operator:
        case Operator.EXACT_DIVISION:
            values = dividend.values.divided_by(by)
        case Operator.NON_NEGATIVE_DIVISION:
            values = dividend.values.not_negative().divided_by(by)
        case Operator.NON_NEGATIVE_REMAINDER:
            values = Range(0, min(by - 1, max(0, dividend.values.high)))
        case Operator.ZERO_REMAINDER:
            values = Range(1 - by, by - 1)
        case _:
            raise AssertionError(f"no arithmetic: {operator}")
    return _typed(operator, operands, values, is_long=dividend.is_long or divisor.is_long)
