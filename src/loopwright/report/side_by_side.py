"""Two texts beside each other, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from loopwright.basics.records import record

CONTEXT = 3
"""So many lines around a change are shown."""


@record
class Line:
    """A line with its number in its text."""

    number: int
    text: str


@record
class Row:
    """A line of both texts, the same or not, or of one of them."""

    before: Line | None
    after: Line | None
    is_changed: bool = False


@record
class Skipped:
    """So many lines that are the same in both texts are left out here."""

    count: int


def side_by_side(before: str, after: str, context: int = CONTEXT) -> list[Row | Skipped]:
    r"""The rows, without long stretches in which nothing changed.

    >>> for each in side_by_side("a\nb\nc\nd\n", "a\nb\nc\ne\nf\n", 1): print(each)
    Skipped(count=2)
    Row(before=Line(number=3, text='c'), after=Line(number=3, text='c'), is_changed=False)
    Row(before=Line(number=4, text='d'), after=Line(number=4, text='e'), is_changed=True)
    Row(before=None, after=Line(number=5, text='f'), is_changed=True)
    """
    old, new = before.splitlines(), after.splitlines()
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    rows: list[Row | Skipped] = []
    for at, (kind, start, end, new_start, new_end) in enumerate(blocks):
        lines = zip_longest(_lines(old, start, end), _lines(new, new_start, new_end))
        found = [Row(one, other, kind != "equal") for one, other in lines]
        if kind == "equal":
            rows += _folded(found, context if at else 0, context if at + 1 < len(blocks) else 0)
        else:
            rows += found
    return rows


def _lines(text: Sequence[str], start: int, end: int) -> Iterator[Line]:
    return (Line(at + 1, text[at]) for at in range(start, end))


def _folded(rows: list[Row], first: int, last: int) -> list[Row | Skipped]:
    """The first and the last of these rows; a single one is not worth a note."""
    left_out = len(rows) - first - last
    if left_out < 2:
        return list(rows)
    return [*rows[:first], Skipped(left_out), *rows[len(rows) - last :]]
