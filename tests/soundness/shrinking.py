"""Smaller pairs that show the same: lines go from both programs as long as it is still wanted."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import replace

from tests.soundness.surroundings.cases import Case
from tests.soundness.surroundings.programs import FRAME_LINES

Unit = tuple[int | None, int | None]
"""A line of the program before, after, or both, that may go."""


def shrunk(case: Case, is_wanted: Callable[[Case], bool]) -> Case:
    """A case with as few lines as possible that is still wanted; the frame stays as it is."""
    for name in sorted(case.files):
        smaller = replace(case, files={k: v for k, v in case.files.items() if k != name})
        case = smaller if is_wanted(smaller) else case
    for each in case.define:
        smaller = replace(case, define=tuple(one for one in case.define if one != each))
        case = smaller if is_wanted(smaller) else case
    units = _units(case)
    size = max(1, len(units) // 2)
    while size > 0:
        at = 0
        while at < len(units):
            smaller = _without(case, units[at : at + size])
            if is_wanted(smaller):
                case = smaller
                units = _units(case)
            else:
                at += size
        size //= 2
    return case


def _units(case: Case) -> list[Unit]:
    before, after = case.before.split("\n"), case.after.split("\n")
    found: list[Unit] = []
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for word, first, last, other, end in matcher.get_opcodes():
        if word == "equal":
            found += zip(range(first, last), range(other, end), strict=True)
        else:
            found += [(at, None) for at in range(first, last)]
            found += [(None, at) for at in range(other, end)]
    return [
        each
        for each in found
        if (before[each[0]] if each[0] is not None else after[each[1] or 0]) not in FRAME_LINES
    ]


def _without(case: Case, units: Sequence[Unit]) -> Case:
    gone = [{each[k] for each in units} for k in (0, 1)]
    before, after = (
        "\n".join(line for at, line in enumerate(text.split("\n")) if at not in gone[k])
        for k, text in enumerate((case.before, case.after))
    )
    return replace(case, before=before, after=after)
