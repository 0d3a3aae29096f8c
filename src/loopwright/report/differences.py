"""What changed in a file, in the way of ``diff -u``."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff

from loopwright.fates import Outcome


def difference(result: Outcome) -> bytes:
    """The difference as a patch, in whatever encoding the program has; empty if nothing changed."""
    # Each byte is a character, so that none is lost.
    before, after = (
        list(_lines(each.decode("latin-1"))) for each in (result.original, result.content)
    )
    name = result.name.encode(errors="surrogateescape").decode("latin-1").lstrip("/")
    # A tab ends a name with spaces, or patch would not find the file.
    name += "\t" if " " in name else ""
    lines = unified_diff(before, after, f"a/{name}", f"b/{name}")
    return "".join(map(_ended, lines)).encode("latin-1")


def _lines(text: str) -> Iterator[str]:
    r"""The lines with their ends, which are newlines and nothing else.

    >>> list(_lines("a\r\nb\x85c"))
    ['a\r\n', 'b\x85c']
    """
    *whole, last = text.split("\n")
    yield from (f"{line}\n" for line in whole)
    if last:
        yield last


def _ended(line: str) -> str:
    """A line of the difference; the last one of a file may lack its end."""
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
