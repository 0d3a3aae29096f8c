"""What can be told about the text of a C file without a parser: comments, strings, joined lines."""

from __future__ import annotations

from collections.abc import Iterator

OPENERS = (b"/*", b"//", b'"', b"'")


def comments_and_strings(content: bytes) -> Iterator[tuple[int, int]]:
    """The stretches in which nothing is code: a ``#`` there is no directive.

    >>> list(comments_and_strings(b'x /* # */ + "#"'))
    [(2, 9), (12, 15)]
    """
    found = {opener: content.find(opener) for opener in OPENERS}
    position = 0
    while True:
        for opener, at in found.items():
            if 0 <= at < position:
                found[opener] = content.find(opener, position)
        present = [(at, opener) for opener, at in found.items() if at >= 0]
        if not present:
            return
        start, opener = min(present)
        position = _closed(content, start, opener)
        yield start, position


def leaves_comment_open(content: bytes) -> bool:
    """Does a comment begin that does not end?

    >>> leaves_comment_open(b"a /* b"), leaves_comment_open(b"a /*/"), leaves_comment_open(b"/**/")
    (True, True, False)
    """
    return any(
        content.startswith(b"/*", start)
        and (end - start < 4 or not content.endswith(b"*/", start, end))
        for start, end in comments_and_strings(content)
    )


def _closed(content: bytes, start: int, opener: bytes) -> int:
    """Where a comment, string or character constant ends."""
    if opener == b"/*":
        end = content.find(b"*/", start + 2)
        return end + 2 if end >= 0 else len(content)
    if opener == b"//":
        return line_end(content, start)
    position = start + 1
    while position < len(content) and content[position : position + 1] not in (opener, b"\n"):
        position += 2 if content[position : position + 1] == b"\\" else 1
    return min(position + 1, len(content))


def line_end(content: bytes, position: int) -> int:
    """Where a line ends, with those that a backslash joins to it."""
    end = content.find(b"\n", position)
    while end >= 0 and content[max(0, end - 2) : end].rstrip(b"\r").endswith(b"\\"):
        end = content.find(b"\n", end + 1)
    return end if end >= 0 else len(content)
