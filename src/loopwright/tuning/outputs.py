"""Where two programs print something else, in their words or in more than their rounding."""

from __future__ import annotations

import re
from itertools import zip_longest
from math import isclose

from loopwright.basics.diagnostics import shortened
from loopwright.basics.records import record

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
ROUNDING = 1e-4
"""How far apart printed numbers may be that are the same up to rounding."""
MISSING = "not there"


@record
class UnlikeLine:
    """A line that differs: its number, and its text in both."""

    number: int
    before: str
    now: str


def first_line_unlike(before: bytes, now: bytes, *, is_exact: bool) -> UnlikeLine | None:
    r"""The first line that two programs print differently.

    >>> first_line_unlike(b"1\n2\n", b"1\n3\n", is_exact=True)
    UnlikeLine(number=2, before='"2"', now='"3"')
    >>> first_line_unlike(b"1", b"1\n", is_exact=True)
    UnlikeLine(number=2, before='not there', now='""')
    """
    lines = (each.decode(errors="backslashreplace").split("\n") for each in (before, now))
    for number, (first, second) in enumerate(zip_longest(*lines), start=1):
        if first != second and (is_exact or not _is_rounded(first, second)):
            return UnlikeLine(number, _quoted(first), _quoted(second))
    return None


def _quoted(line: str | None) -> str:
    return MISSING if line is None else f'"{shortened(line)}"'


def _is_rounded(first: str | None, second: str | None) -> bool:
    """Do two lines differ in the rounding of their numbers at most?

    >>> _is_rounded("x = 1.000001, 3", "x = 1.000002, 3"), _is_rounded("x = 1", "y = 1")
    (True, False)
    """
    if first is None or second is None or NUMBER.split(first) != NUMBER.split(second):
        return False
    pairs = zip(NUMBER.findall(first), NUMBER.findall(second), strict=True)
    return all(
        isclose(float(one), float(other), rel_tol=ROUNDING, abs_tol=ROUNDING)
        for one, other in pairs
    )
