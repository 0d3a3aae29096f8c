"""Does storing an intermediate result change it, so that the order of the steps matters?"""

from __future__ import annotations

from loopwright.model.bodies import (
    Call,
    Cast,
    Expression,
    IteratorValue,
    Literal,
    Name,
    Reference,
    walk_body,
)
from loopwright.model.scop import Scop

Range = tuple[int, int]

FLOATING = ("float", "double", "long double")
BITS = {"char": 8, "short": 16, "int": 32, "long": 64, "long long": 64}
RANGES: dict[str, Range] = {
    **{f"unsigned {name}": (0, 2**bits - 1) for name, bits in BITS.items()},
    **{name: (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for name, bits in BITS.items()},
    "signed char": (-128, 127),
    "_Bool": (0, 1),
}
"""What an integer type holds; a plain ``char`` may also be unsigned, see :func:`_holds`."""


def changes_between_steps(
    operator: str, element_type: str, values: list[Expression], scop: Scop
) -> bool:
    """Does the element's type change a result between two steps in a way that does not commute?

    Cutting off fractions does, for a sum; so does wrapping around, for a maximum, but not for a sum
    or for bits, which wrap the same way in any order.  Rounding to a floating-point type is left to
    those who allow it.
    """
    if element_type in FLOATING:
        return False
    if element_type == "_Bool":
        return operator not in ("&", "|")
    if operator in ("max", "min"):
        return not all(_fits(each, element_type, scop) for each in values)
    return operator in ("+", "*") and not all(_is_integer(each, scop) for each in values)


def rounds_steps(operator: str, element_type: str) -> bool:
    """Do the steps round, so that their order shows in the last digits?"""
    return element_type in FLOATING and operator in ("+", "*")


def _is_integer(value: Expression, scop: Scop) -> bool:
    """Is the value an integer for certain?"""
    return _ranges_in(value, scop) is not None


def _fits(value: Expression, element_type: str, scop: Scop) -> bool:
    """Is the stored value the value itself, or cut to an integer, which keeps the order?"""
    ranges = _ranges_in(value, scop)
    if ranges is None:
        return _is_fractional(value, scop)
    if not isinstance(value, Literal | Name | IteratorValue | Reference):
        ranges = [*ranges, RANGES["int"]]  # arithmetic is done in int at least
    return all(_holds(element_type, each) for each in ranges)


def _is_fractional(value: Expression, scop: Scop) -> bool:
    """Is the value a floating-point number for certain?"""
    types = _types_by_tag(scop)
    return any(
        (isinstance(each, Literal) and "." in each.text)
        or (isinstance(each, Reference) and types.get(each.tag) in FLOATING)
        or (isinstance(each, Cast) and each.type in FLOATING)
        for each in walk_body(value)
    )


def _holds(element_type: str, values: Range) -> bool:
    if element_type not in RANGES:
        return False
    low, high = (0, 127) if element_type == "char" else RANGES[element_type]
    return values == RANGES[element_type] or (low <= values[0] and values[1] <= high)


def _ranges_in(value: Expression, scop: Scop) -> list[Range] | None:
    """What the operands of a value can be; ``None`` if it may have a fractional part."""
    found: list[Range] = []
    for each in walk_body(value):
        if isinstance(each, Literal | Name | IteratorValue | Reference | Cast | Call):
            values = _range_of(each, scop)
            if values is None:
                return None
            found.append(values)
    return found


def _range_of(
    leaf: Literal | Name | IteratorValue | Reference | Cast | Call, scop: Scop
) -> Range | None:
    match leaf:
        case Literal(text=text):
            digits = text.rstrip("uUlL")
            return (int(digits), int(digits)) if digits.isdigit() else None
        case Name(name=name):
            known = {each.name: (each.least, each.greatest) for each in scop.parameters}
            return known.get(name)
        case IteratorValue(type=type_) | Cast(type=type_):
            return RANGES.get(type_)
        case Reference(tag=tag):
            return RANGES.get(_types_by_tag(scop).get(tag, ""))
        case Call():
            return None


def _types_by_tag(scop: Scop) -> dict[str, str]:
    types = {each.name: each.element_type for each in scop.arrays}
    return {
        access.tag: types[access.array]
        for statement in scop.statements
        for access in statement.accesses
    }
