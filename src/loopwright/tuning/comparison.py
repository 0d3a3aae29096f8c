"""Where two sets of arrays differ: in their bits, or in more than their rounding."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterator, Sequence
from math import isclose, isnan

from loopwright.basics.records import record

CLOSE = {"float": 1e-4, "double": 1e-9}
"""How far apart numbers may be that are the same up to rounding."""
CODES = {
    "float": "f",
    "double": "d",
    "_Bool": "B",
    **{f"int{bits}_t": code for bits, code in ((8, "b"), (16, "h"), (32, "i"), (64, "q"))},
    **{f"uint{bits}_t": code for bits, code in ((8, "B"), (16, "H"), (32, "I"), (64, "Q"))},
}
"""The type codes of Python's arrays."""
LONG_BYTES = ctypes.sizeof(ctypes.c_longdouble)
LONG_BYTES_USED = 10 if LONG_BYTES in (12, 16) else LONG_BYTES
"""Those of the x87; the others are padding."""


@record
class Stored:
    """An array in memory: its name, the type of its elements, and how many bytes it takes."""

    name: str
    kind: str
    size: int


@record
class Unlike:
    """An element that differs: of which array, the how-manieth, and both its values as text."""

    array: str
    index: int
    before: str
    now: str


def first_difference(
    arrays: Sequence[Stored],
    before: bytes,
    now: bytes,
    *,
    is_exact: bool = False,
    near_zero: float = 0.0,
) -> Unlike | None:
    """The first element that differs.

    >>> first, second = (array("d", [1.0, each]).tobytes() for each in (2.0, 2.0 + 1e-14))
    >>> first_difference([Stored("a", "double", 16)], first, second)
    >>> first_difference([Stored("a", "double", 16)], first, second, is_exact=True)
    Unlike(array='a', index=1, before='2', now='2.0000000000000102')
    """
    found = differences(arrays, before, now, is_exact=is_exact, near_zero=near_zero)
    return next(found, None)


def differences(
    arrays: Sequence[Stored], before: bytes, now: bytes, *, is_exact: bool, near_zero: float = 0.0
) -> Iterator[Unlike]:
    """All elements that differ; one NaN is like another.

    Unless every bit counts, numbers may differ by a small part of themselves, and by that part of
    ``near_zero``: what is left where numbers of that size cancel is nothing but rounding.
    """
    start = 0
    for each in arrays:
        first, second = before[start : start + each.size], now[start : start + each.size]
        start += each.size
        if first != second:
            allowed = 0.0 if is_exact else CLOSE.get(each.kind, 0.0)
            yield from _unlike(each, first, second, allowed, near_zero)


def _unlike(
    stored: Stored, before: bytes, now: bytes, allowed: float, near_zero: float
) -> Iterator[Unlike]:
    if stored.kind == "long double":
        yield from _unlike_long(stored, before, now)
        return
    code = CODES[stored.kind]
    pairs = zip(array(code, before), array(code, now), strict=True)
    for index, (first, second) in enumerate(pairs):
        # Zeros of both signs are equal, and are not the same.
        if first == second and (allowed or first or str(first) == str(second)):
            continue
        if isnan(first) and isnan(second):
            continue
        if allowed and isclose(first, second, rel_tol=allowed, abs_tol=allowed * near_zero):
            continue
        yield Unlike(stored.name, index, number_text(first), number_text(second))


def _unlike_long(stored: Stored, before: bytes, now: bytes) -> Iterator[Unlike]:
    """Python has no such numbers: where a double does not tell them apart, their bits do."""
    for index in range(len(before) // LONG_BYTES):
        start = index * LONG_BYTES
        bits = [each[start : start + LONG_BYTES] for each in (before, now)]
        if bits[0][:LONG_BYTES_USED] == bits[1][:LONG_BYTES_USED]:
            continue
        values = [ctypes.c_longdouble.from_buffer_copy(each).value for each in bits]
        if all(map(isnan, values)):
            continue
        texts = [number_text(each) for each in values]
        if texts[0] == texts[1]:
            digits = [each[:LONG_BYTES_USED][::-1].hex() for each in bits]
            texts = [f"{text} (0x{each})" for text, each in zip(texts, digits, strict=True)]
        yield Unlike(stored.name, index, *texts)


def number_text(value: float) -> str:
    """A number with as many digits as make it.

    >>> number_text(2**53 + 1), number_text(0.1), number_text(-0.0)
    ('9007199254740993', '0.10000000000000001', '-0')
    """
    return str(value) if isinstance(value, int) else f"{value:.17g}"
