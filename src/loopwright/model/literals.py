"""When two constants are the same: as C spells them, a macro's value may be written differently."""

from __future__ import annotations

import math
import re
import struct
from fractions import Fraction

_FLOATING = re.compile(
    r"(?P<digits>(?P<hex>0[xX][\da-fA-F]*\.?[\da-fA-F]*[pP][+-]?\d+)"
    r"|\d+\.\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?P<single>[fF]?)"
)
_MARGIN = Fraction(1, 2) - Fraction(1, 256)
"""Of the distance to the next number: so far off, rounding to more digits first is no matter."""


def is_same_literal(one: str, other: str) -> bool:
    """Is it one constant, in two spellings?  An empty text is one that nobody knows.

    >>> is_same_literal("3.40282346638528859811704183484516925e+38F", "3.4028234663852886e+38f")
    True
    >>> is_same_literal("0.1f", "0.10000000149011612f"), is_same_literal("0.1f", "0.1")
    (True, False)
    >>> is_same_literal("0x1p-3", ".125"), is_same_literal("1L", "1"), is_same_literal("", "")
    (True, False, False)
    """
    if one == other:
        return one != ""
    first, second = _FLOATING.fullmatch(one), _FLOATING.fullmatch(other)
    if first is None or second is None or bool(first["single"]) != bool(second["single"]):
        return False
    values = _value(first), _value(second)
    return None not in values and values[0] == values[1]


def converted(text: str, type_: str) -> str:
    """The constant of a type that a conversion of another one to it is; empty if unknown.

    >>> converted("1.79769313486231570814527423731704357e+308L", "double")
    '1.7976931348623157e+308'
    >>> converted("0.5f", "double"), converted("1", "double"), converted("0.5L", "long double")
    ('0.5', '', '')
    >>> converted("0.10000000149011612", "float"), converted("0.100000001490116", "double")
    ('0.10000000149011612f', '0.100000001490116')
    """
    literal = _FLOATING.fullmatch(text.rstrip("lL"))
    if literal is None or literal["hex"] or type_ not in ("float", "double"):
        return ""
    value = _value(literal)
    if value is None or (type_ == "float" and _single(value) != value):
        return ""
    distance = abs(Fraction(literal["digits"]) - Fraction(value))
    if not literal["single"] and distance > _MARGIN * _next(value):
        return ""
    return repr(value) + ("f" if type_ == "float" else "")


def _next(value: float) -> Fraction:
    """How far the nearest other number is."""
    return Fraction(abs(value)) - Fraction(math.nextafter(abs(value), 0))


def _value(literal: re.Match[str]) -> float | None:
    """What it is rounded to; ``None`` where rounding twice might be something else."""
    try:
        found = float.fromhex(literal["hex"]) if literal["hex"] else float(literal["digits"])
    except OverflowError:
        return None
    if not literal["single"] or not math.isfinite(found):
        return found if math.isfinite(found) else None
    near = {_single(math.nextafter(found, to)) for to in (-math.inf, math.inf)}
    is_exact = _single(found) == found
    return _single(found) if is_exact or len(near) == 1 else None


def _single(value: float) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def floating_value(text: str) -> float | None:
    """The number that a constant is, whatever its type; ``None`` if it is none."""
    digits = text.rstrip("fFlL") if not text.lower().startswith("0x") else text.rstrip("lL")
    try:
        return (
            float.fromhex(digits.rstrip("fF")) if digits.lower().startswith("0x") else float(digits)
        )
    except ValueError:
        return None
