"""C's arithmetic: kinds of numbers, conversions between them, and operators.

Unsigned integers wrap, signed ones must not; ``float`` is rounded behind each operation, which
gives what the machine computes, because a ``double`` has more than twice its digits.  What the
standard leaves to the implementation is as in gcc on 64-bit machines.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from ctypes import c_float
from functools import cache
from typing import cast

from loopwright.basics.records import record
from loopwright.evaluation.outcomes import CannotEvaluate, Undefined
from loopwright.frontend.c_types import CType, FloatType, IntType

Number = int | float
Converter = Callable[[Number], Number]
Operation = Callable[[Number, Number], Number]

EXACT_INTEGERS = 2**53


@record
class Kind:
    """A kind of numbers; the narrow ones exist in memory only."""

    is_float: bool
    bits: int
    is_signed: bool = True
    is_bool: bool = False

    @property
    def least(self) -> int:
        """Of an integer, the least value."""
        return -(2 ** (self.bits - 1)) if self.is_signed else 0

    @property
    def greatest(self) -> int:
        """Of an integer, the greatest value."""
        if self.is_bool:
            return 1
        return 2 ** (self.bits - self.is_signed) - 1


@cache
def _kind(is_float: bool, bits: int, is_signed: bool, is_bool: bool) -> Kind:
    return Kind(is_float, bits, is_signed, is_bool)


INT, FLOAT, DOUBLE = (
    _kind(is_float, bits, True, False) for is_float, bits in ((False, 32), (True, 32), (True, 64))
)


def kind_of(type_: CType) -> Kind:
    """The kind of the values of a type; each kind is one object."""
    match type_:
        case IntType(bits=bits, is_signed=is_signed, is_bool=is_bool) if bits <= 64:
            return _kind(False, bits, is_signed, is_bool)
        case FloatType(name="double", size=8):
            return DOUBLE
        case FloatType(name="float", size=4):
            return FLOAT
        case _:
            raise CannotEvaluate(f"a value of the type {type_.name}")


def promoted(kind: Kind) -> Kind:
    """What an operand becomes: nothing is computed in less than ``int``.

    >>> promoted(Kind(False, 8, is_signed=False)) is INT
    True
    """
    if kind.is_float or kind.bits >= 32:
        return _kind(kind.is_float, kind.bits, kind.is_signed, kind.is_bool)
    return INT


def common(first: Kind, second: Kind) -> Kind:
    """The kind in which two operands meet (the usual arithmetic conversions).

    >>> common(Kind(False, 32, is_signed=False), INT)
    Kind(is_float=False, bits=32, is_signed=False, is_bool=False)
    >>> common(Kind(False, 64), FLOAT) is FLOAT
    True
    """
    if first.is_float or second.is_float:
        return DOUBLE if DOUBLE in (first, second) else FLOAT
    one, two = promoted(first), promoted(second)
    if one.bits != two.bits:
        return one if one.bits > two.bits else two
    return two if one.is_signed else one


# --- conversions ----------------------------------------------------------------------------------


def single(value: float) -> float:
    """A number as a ``float`` holds it."""
    return c_float(value).value


def converter(old: Kind, new: Kind) -> Converter | None:
    """The conversion between two kinds; ``None`` where it changes nothing."""
    if old == new:
        return None
    if new.is_bool:
        return lambda value: int(value != 0)
    if new.is_float:
        return _to_float(old, new)
    if old.is_float:
        return _truncated(new)
    if new.least <= old.least and old.greatest <= new.greatest:
        return None
    return _wrapped(new)


def _to_float(old: Kind, new: Kind) -> Converter | None:
    if old.is_float:
        return single if new is FLOAT else None
    if new is DOUBLE:
        return float

    def rounded(value: Number) -> Number:
        if abs(value) > EXACT_INTEGERS:
            raise CannotEvaluate("a large integer as float")
        return single(float(value))

    return rounded


def _wrapped(new: Kind) -> Converter:
    mask, sign = 2**new.bits - 1, 2 ** (new.bits - 1) if new.is_signed else 0

    def wrap(value: Number) -> Number:
        assert isinstance(value, int)
        return ((value + sign) & mask) - sign

    return wrap


def _truncated(new: Kind) -> Converter:
    least, greatest = new.least, new.greatest

    def truncate(value: Number) -> Number:
        if not math.isfinite(value) or not least <= int(value) <= greatest:
            raise Undefined(f"{value:g} is outside the range of the integer that it becomes")
        return int(value)

    return truncate


def conversion_of(value: Number, old: Kind, new: Kind) -> Number:
    """A number of one kind as one of another."""
    change = converter(old, new)
    return value if change is None else change(value)


# --- operators ------------------------------------------------------------------------------------

COMPARISONS: dict[str, Callable[[Number, Number], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_PLAIN: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": lambda first, second: first & second,
    "|": lambda first, second: first | second,
    "^": lambda first, second: first ^ second,
}
_REAL: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
SHIFTS = ("<<", ">>")


def operation(sign: str, kind: Kind) -> Operation:
    """What an operator computes from two operands of this kind."""
    if kind.is_float:
        return _real_operation(sign, kind)
    if sign in ("/", "%"):
        return _fitting(_quotient if sign == "/" else _remainder, kind)
    if sign not in _PLAIN:
        raise CannotEvaluate(f"the operator {sign}")
    return _fitting(_PLAIN[sign], kind)


def _real_operation(sign: str, kind: Kind) -> Operation:
    if sign == "/":
        plain: Callable[[float, float], float] = _ratio
    elif sign in _REAL:
        plain = _REAL[sign]
    else:
        raise CannotEvaluate(f"the operator {sign} of floating-point numbers")
    if kind is DOUBLE:
        return plain
    return lambda first, second: c_float(plain(first, second)).value


def _ratio(first: float, second: float) -> float:
    """A quotient as IEEE 754 has it.

    >>> _ratio(1.0, -0.0), _ratio(3.0, 2.0)
    (-inf, 1.5)
    """
    if second:
        return first / second
    if math.isnan(first) or not first:
        return math.nan
    return math.copysign(math.inf, first) * math.copysign(1.0, second)


def _fitting(plain: Callable[[int, int], int], kind: Kind) -> Operation:
    """An operation on integers: it wraps, or must stay within the range."""
    least, greatest = kind.least, kind.greatest

    def wrap(first: int, second: int) -> int:
        return plain(first, second) & greatest

    def fit(first: int, second: int) -> int:
        value = plain(first, second)
        if least <= value <= greatest:
            return value
        raise Undefined("signed integer overflow")

    return cast("Operation", fit if kind.is_signed else wrap)


def _whole(value: Number) -> int:
    assert isinstance(value, int)
    return value


def _quotient(first: int, second: int) -> int:
    """Rounded to zero.

    >>> _quotient(-7, 2), _remainder(-7, 2)
    (-3, -1)
    """
    if second == 0:
        raise Undefined("division by zero")
    quotient = abs(first) // abs(second)
    return quotient if (first < 0) == (second < 0) else -quotient


def _remainder(first: int, second: int) -> int:
    return first - second * _quotient(first, second)


def shift(sign: str, kind: Kind) -> Operation:
    """A shift of a value of this kind; what C leaves undefined is refused."""
    bits, greatest = kind.bits, kind.greatest

    def apply(value: Number, count: Number) -> Number:
        first, second = _whole(value), _whole(count)
        if not 0 <= second < bits:
            raise Undefined("a shift by a number of bits that the integer does not have")
        if sign == ">>":
            return first >> second
        if not kind.is_signed:
            return (first << second) & greatest
        if first < 0 or first << second > greatest:
            raise Undefined("a shift that overflows")
        return first << second

    return apply


def negated(kind: Kind) -> Converter:
    """The unary minus."""
    if kind.is_float:
        return operator.neg
    subtract = operation("-", kind)
    return lambda value: subtract(0, value)


def complemented(kind: Kind) -> Converter:
    """The unary ``~``."""
    if kind.is_float:
        raise CannotEvaluate("~ of a floating-point number")
    if kind.is_signed:
        return lambda value: ~_whole(value)
    return lambda value: ~_whole(value) & kind.greatest


def is_same(first: Number, second: Number) -> bool:
    """Are two numbers of one kind the same, to the bit?  One NaN is like another.

    >>> is_same(0.0, -0.0), is_same(math.nan, math.nan), is_same(1, 1)
    (False, True, True)
    """
    if first != first and second != second:
        return True
    return first == second and (bool(first) or str(first) == str(second))
