"""Integers in statement bodies as functions of the iterators and parameters."""

from __future__ import annotations

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.bodies import (
    Binary,
    Cast,
    Conditional,
    Expression,
    IteratorValue,
    Literal,
    Name,
    Unary,
)
from loopwright.model.scop import Parameter
from loopwright.polyhedra.limits import simple_negation
from loopwright.polyhedra.values import (
    COMPARISONS,
    arithmetic,
    beyond,
    choose,
    constant,
    constant_of,
    truth,
    unknown,
)

_NARROW = frozenset(
    {"char", "signed char", "unsigned char", "short", "unsigned short", "_Bool", "bool"}
)
_BITS = {"char": 8, "signed char": 8, "short": 16, "int": 32, "long": 64, "long long": 64}


@record(eq=False)
class Integer:
    """A value and its type, as C's arithmetic sees it."""

    value: isl.PwAff
    type: str


def promoted(type_: str) -> str:
    """The type in which arithmetic takes a value of this type.

    >>> promoted("short"), promoted("const long")
    ('int', 'long')
    """
    bare = type_.removeprefix("const ").removesuffix(" int").strip()
    return "int" if bare in _NARROW or bare == "signed" else bare


@record(eq=False)
class BodyIntegers:
    """Evaluates integer expressions in the body of a statement, on its instances.

    ``instances`` are conditions on the iterators and parameters by name.  Only ``int`` and ``long``
    are computed with, and only as long as they stay within their types.
    """

    iterators: frozenset[str]
    parameters: tuple[Parameter, ...]
    instances: isl.Set

    def of(self, expression: Expression) -> Integer | None:
        """The value of an expression, or ``None`` if it is not one of these."""
        match expression:
            case Literal(text):
                return _literal(text)
            case IteratorValue(name, type_):
                return Integer(unknown(name), promoted(type_)) if name in self.iterators else None
            case Name(name):
                return self._parameter(name)
            case Cast(type_, operand):
                return self._cast(type_, self.of(operand))
            case Unary("-", operand):
                inner = self.of(operand)
                return self._fitting(inner.value.neg(), inner.type) if inner is not None else None
            case Binary(operator, left, right):
                return self._binary(operator, self.of(left), self.of(right))
            case Conditional(condition, then, otherwise):
                return self._conditional(condition, then, otherwise)
            case _:
                return None

    def _parameter(self, text: str) -> Integer | None:
        found = [each for each in self.parameters if each.text == text]
        if len(found) != 1:
            return None
        return Integer(unknown(found[0].name), promoted(found[0].type))

    def _cast(self, type_: str, operand: Integer | None) -> Integer | None:
        bits = _BITS.get(type_.removeprefix("const "))
        if operand is None or bits is None:
            return None
        outside = beyond(-(2 ** (bits - 1)), operand.value, 2 ** (bits - 1) - 1)
        is_kept = (self.instances & outside).is_empty()
        return Integer(operand.value, promoted(type_)) if is_kept else None

    def _fitting(self, value: isl.PwAff | None, type_: str) -> Integer | None:
        """A result, if its type is one that we compute in and holds it."""
        bits = {"int": 32, "long": 64}.get(type_)
        if value is None or bits is None:
            return None
        outside = beyond(-(2 ** (bits - 1)), value, 2 ** (bits - 1) - 1)
        return Integer(value, type_) if (self.instances & outside).is_empty() else None

    def _binary(self, operator: str, left: Integer | None, right: Integer | None) -> Integer | None:
        if left is None or right is None or not {left.type, right.type} <= {"int", "long"}:
            return None
        if operator in COMPARISONS:
            return Integer(truth(COMPARISONS[operator](left.value, right.value)), "int")
        type_ = "long" if "long" in (left.type, right.type) else "int"
        return self._fitting(_arithmetic(operator, left.value, right.value), type_)

    def _conditional(
        self, condition: Expression, then: Expression, otherwise: Expression
    ) -> Integer | None:
        asked = self.of(condition)
        if asked is None:
            return None
        holds = asked.value.ne_set(constant(0))
        fails = simple_negation(holds)
        if fails is None:
            return None
        first, second = (
            BodyIntegers(self.iterators, self.parameters, self.instances & case).of(branch)
            for case, branch in ((holds, then), (fails, otherwise))
        )
        if first is None or second is None or not {first.type, second.type} <= {"int", "long"}:
            return None
        type_ = "long" if "long" in (first.type, second.type) else "int"
        return Integer(choose(holds, first.value, second.value), type_)


def _literal(text: str) -> Integer | None:
    digits = text.rstrip("lL")
    if not digits.removeprefix("-").isdigit() or (len(digits) > 1 and digits[0] == "0"):
        return None
    is_long = digits != text or not -(2**31) <= int(digits) < 2**31
    return Integer(constant(int(digits)), "long" if is_long else "int")


def _arithmetic(operator: str, left: isl.PwAff, right: isl.PwAff) -> isl.PwAff | None:
    """Divisors are positive in what is generated; others are not looked into."""
    divisor = constant_of(right) if operator in ("/", "%") else 1
    return arithmetic(operator, left, right) if divisor is not None and divisor > 0 else None
