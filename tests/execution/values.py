"""Integer expressions of C with the interval that their value lies in.

A random program must not have undefined behaviour, and its subscripts must stay in bounds.
Knowing the interval of every expression, the generator shifts subscripts to be non-negative and
makes the arrays large enough.
"""

from __future__ import annotations

from dataclasses import dataclass

from .choices import Choices


@dataclass(frozen=True, slots=True)
class Value:
    """A C expression and the interval of its value."""

    text: str
    low: int
    high: int

    @property
    def width(self) -> int:
        """How many values it may take."""
        return self.high - self.low + 1

    def plus(self, constant: int) -> Value:
        """The expression shifted by a constant."""
        if constant == 0:
            return self
        sign = "+" if constant > 0 else "-"
        text = f"{self.text} {sign} {abs(constant)}"
        return Value(text, self.low + constant, self.high + constant)

    def grouped(self) -> Value:
        """The same, safe as an operand of any operator."""
        if self.text.isalnum():
            return self
        return Value(f"({self.text})", self.low, self.high)


@dataclass(frozen=True, slots=True)
class Variable:
    """An integer variable in scope; unsigned ones keep out of arithmetic that could wrap."""

    name: str
    low: int
    high: int
    is_unsigned: bool = False

    @property
    def value(self) -> Value:
        """The variable as an expression."""
        return Value(self.name, self.low, self.high)


def constant(number: int) -> Value:
    """A literal."""
    return Value(str(number), number, number)


def scaled(factor: int, value: Value) -> Value:
    """A constant times an expression."""
    if factor == 1:
        return value
    grouped = value.grouped()
    ends = sorted((factor * value.low, factor * value.high))
    text = f"-{grouped.text}" if factor == -1 else f"{factor} * {grouped.text}"
    return Value(text, ends[0], ends[1])


def added(left: Value, right: Value) -> Value:
    """A sum."""
    text = right.text if not right.text.startswith("-") else f"({right.text})"
    return Value(f"{left.text} + {text}", left.low + right.low, left.high + right.high)


def _towards_zero(number: int, divisor: int) -> int:
    return number // divisor if number >= 0 else -(-number // divisor)


def divided(value: Value, divisor: int) -> Value:
    """``/`` as C means it, towards zero."""
    low, high = _towards_zero(value.low, divisor), _towards_zero(value.high, divisor)
    return Value(f"{value.grouped().text} / {divisor}", low, high)


def remainder(value: Value, divisor: int) -> Value:
    """``%`` as C means it, with the sign of the dividend."""
    low = 0 if value.low >= 0 else max(value.low, 1 - divisor)
    high = 0 if value.high <= 0 else min(value.high, divisor - 1)
    return Value(f"{value.grouped().text} % {divisor}", low, high)


def extreme(operator: str, left: Value, right: Value) -> Value:
    """The minimum (``<``) or maximum (``>``), as macros spell it."""
    pick = min if operator == "<" else max
    one, other = left.grouped().text, right.grouped().text
    text = f"({one} {operator} {other} ? {one} : {other})"
    return Value(text, pick(left.low, right.low), pick(left.high, right.high))


COEFFICIENTS = (1, 1, 1, -1, 2, -2, 3)
WIDEST = 24
"""Expressions that take more values than this make the arrays and the runs too large."""


def affine(choices: Choices, variables: tuple[Variable, ...], *, plain: bool = False) -> Value:
    """A random affine expression over the variables; ``plain`` has no division."""
    signed = [each for each in variables if not each.is_unsigned]
    value = _sum(choices, signed)
    if not plain and choices.chance(15):
        divisor = choices.integer(2, 4)
        value = (divided if choices.chance(50) else remainder)(value, divisor)
        value = value.plus(choices.integer(0, 2)) if choices.chance(30) else value
    elif not plain and choices.chance(8):
        value = extreme(choices.choose(("<", ">")), value, _sum(choices, signed))
    return value if value.width <= WIDEST and abs(value.low) <= 60 else constant(1)


def _sum(choices: Choices, variables: list[Variable]) -> Value:
    shift = choices.integer(0, 3) if choices.chance(50) else -choices.integer(0, 3)
    if not variables or choices.chance(10):
        return constant(shift)
    value = scaled(choices.choose(COEFFICIENTS), choices.choose(variables).value)
    if choices.chance(30):
        value = added(value, scaled(choices.choose(COEFFICIENTS), choices.choose(variables).value))
    return value.plus(shift)
