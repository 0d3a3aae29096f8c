"""Which of the three parts of a ``for`` loop's header is which, when some of them are missing."""

from __future__ import annotations

from collections.abc import Sequence

from loopwright.frontend.clang_library import Cursor, ParsedFile, expansion_of

Slots = tuple[Cursor | None, Cursor | None, Cursor | None]


def header_slots(parsed: ParsedFile, cursor: Cursor, children: Sequence[Cursor]) -> Slots | None:
    """Start, condition and step; ``None`` if that cannot be told."""
    header = children[:-1]
    if len(header) == 3:
        return header[0], header[1], header[2]
    semicolons = _semicolons(parsed, cursor)
    if len(semicolons) < 2:
        return None
    slots: list[Cursor | None] = [None, None, None]
    for part in header:
        position = expansion_of(part.extent.start)[1]
        slots[sum(position > semicolon for semicolon in semicolons[:2])] = part
    return slots[0], slots[1], slots[2]


def _semicolons(parsed: ParsedFile, cursor: Cursor) -> list[int]:
    depth, found = 0, list[int]()
    for token in cursor.get_tokens():
        begin, end = (expansion_of(each)[1] for each in (token.extent.start, token.extent.end))
        spelling = parsed.main.text(begin, end)
        if spelling == "(":
            depth += 1
        elif spelling == ")":
            depth -= 1
            if depth == 0:
                break
        elif spelling == ";" and depth == 1:
            found.append(expansion_of(token.extent.start)[1])
    return found
