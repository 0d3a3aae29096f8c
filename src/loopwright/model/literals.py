"""When two constants are the same: as C spells them, a macro's value may be written differently."""

from __future__ import annotations

import math
import re
import struct

_FLOATING = re.compile(
    r"(?P<digits>(?P<hex>0[xX][\da-fA-F]*\.?[\da-fA-F]*[pP][+-]?\d+)"
    r"|\d+\.\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?P<single>[fF]?)"
)


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
