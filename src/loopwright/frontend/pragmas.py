"""Finding pragma lines in a text: directives, not comments, strings or what ``#if`` leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from loopwright.basics.c_text import comments_and_strings, line_end
from loopwright.basics.spans import Span
from loopwright.frontend.clang_library import ParsedFile


def pragma_lines(parsed: ParsedFile) -> Iterator[tuple[list[str], Span]]:
    """The words after ``#pragma`` of each such line that the preprocessor keeps, and its span.

    libclang has no cursors for pragmas that it does not know, and asking it for the tokens of a
    large file takes seconds; so the text is looked at, with comments and strings stepped over.
    """
    content = parsed.main.content
    if b"pragma" not in content:
        return
    skipped = parsed.skipped()
    hidden = list(comments_and_strings(content))
    position = content.find(b"#")
    at = 0
    while position >= 0:
        while at < len(hidden) and hidden[at][1] <= position:
            at += 1
        is_hidden = at < len(hidden) and hidden[at][0] <= position
        is_left_out = any(start <= position < end for start, end in skipped)
        if not is_hidden and not is_left_out and _begins_line(content, position):
            end = line_end(content, position)
            words = _words(content[position + 1 : end])
            if words[:1] == ["pragma"]:
                last = position + len(content[position:end].rstrip())
                yield words[1:], parsed.main.span(position, last)
        position = content.find(b"#", position + 1)


def _begins_line(content: bytes, position: int) -> bool:
    before = content[content.rfind(b"\n", 0, position) + 1 : position]
    return not before.strip()


def _words(line: bytes) -> list[str]:
    """The words of a directive; punctuation separates them, a comment ends them."""
    text = line.decode(errors="replace").replace("\\\r\n", " ").replace("\\\n", " ")
    for opener in ("//", "/*"):
        text = text.partition(opener)[0]
    return "".join(each if each.isalnum() or each == "_" else " " for each in text).split()


_THREADPRIVATE = re.compile(
    rb"^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+threadprivate\b[ \t]*\(([\w\s,$:]*)", re.MULTILINE
)


def thread_private(content: bytes) -> Iterator[str]:
    """The variables of which each thread has its own, by ``#pragma omp threadprivate``.

    >>> list(thread_private(b"#pragma omp threadprivate(a, N::b)"))
    ['a', 'b']
    """
    for listed in _THREADPRIVATE.findall(content):
        for name in listed.decode().split(","):
            yield name.rpartition("::")[2].strip()
