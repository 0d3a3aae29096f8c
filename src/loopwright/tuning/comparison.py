"""Are two sets of arrays the same up to rounding?"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import isclose, isnan

CODES = {"float": ("f", 1e-4), "double": ("d", 1e-9)}
"""The type codes of Python's arrays, and how far apart numbers may be."""


def first_difference(
    kinds: Sequence[tuple[str, str, int]], before: bytes, now: bytes
) -> str | None:
    """The first array that differs; ``kinds`` has the name, type and bytes of each.

    >>> first, second = (array("d", [1.0, each]).tobytes() for each in (2.0, 2.0 + 1e-14))
    >>> first_difference([("a", "double", 16)], first, second)
    >>> first_difference([("a", "int64_t", 16)], first, second)
    'a'
    """
    start = 0
    for name, kind, size in kinds:
        parts = before[start : start + size], now[start : start + size]
        start += size
        if not _is_close(kind, *parts):
            return name
    return None


def _is_close(kind: str, before: bytes, now: bytes) -> bool:
    if kind not in CODES:
        return before == now
    code, tolerance = CODES[kind]
    pairs = zip(array(code, before), array(code, now), strict=True)
    return all(
        isclose(first, second, rel_tol=tolerance) or (isnan(first) and isnan(second))
        for first, second in pairs
    )
