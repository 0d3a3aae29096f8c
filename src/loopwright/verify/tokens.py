"""C text as tokens: what is left when comments and white space do not count."""

from __future__ import annotations

import re
from collections.abc import Sequence

from loopwright.basics.c_text import line_end
from loopwright.basics.records import record

_TOKEN = re.compile(
    rb"""
    (?P<skipped>\s+ | /\*.*?\*/ | //[^\n]*)
    | (?P<text>"(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*')
    | (?P<word>[A-Za-z_$\x80-\xff][\w$\x80-\xff]*)
    | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
    | (?P<mark>.)
    """,
    re.DOTALL | re.VERBOSE,
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@record
class Token:
    """A word, number, string, mark, or a whole directive; where it begins and ends."""

    text: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Is it a name or a keyword?"""
        return self.text[0].isalpha() or self.text[0] in "_$" or self.text[0] > "\x7f"

    @property
    def is_directive(self) -> bool:
        """Is it a line for the preprocessor?"""
        return self.text[0] == "#"

    @property
    def is_border(self) -> bool:
        """Does a region begin or end here?"""
        return re.match(r"#\s*pragma\s+(scop|endscop)\b", self.text) is not None


def tokens_of(content: bytes, start: int = 0, end: int | None = None) -> list[Token]:
    r"""The tokens of a part of a text; a directive is one token.

    >>> [each.text for each in tokens_of(b"a[i] = 1.5e-3; /* x */ b\n#undef c\n")]
    ['a', '[', 'i', ']', '=', '1.5e-3', ';', 'b', '#undef c']
    """
    end = len(content) if end is None else end
    found: list[Token] = []
    position = start
    while position < end:
        if content[position : position + 1] == b"#" and _begins_line(content, position):
            last = min(end, line_end(content, position))
        else:
            match = _TOKEN.match(content, position, end)
            assert match is not None, "anything is a mark at least"
            last = match.end()
            if match.lastgroup == "skipped":
                position = last
                continue
        text = content[position:last].decode(errors="surrogateescape")
        words = " ".join(text.split()) if text[0] == "#" else text
        found.append(Token(words, position, last))
        position = last
    return found


def _begins_line(content: bytes, position: int) -> bool:
    return not content[content.rfind(b"\n", 0, position) + 1 : position].strip()


def texts(tokens: Sequence[Token]) -> list[str]:
    """The tokens without their places."""
    return [each.text for each in tokens]


def words_in(tokens: Sequence[Token]) -> set[str]:
    """The names and keywords."""
    return {each.text for each in tokens if each.is_word}


def closing(tokens: Sequence[Token], opening: int) -> int | None:
    """The number of the token that closes the bracket at this one.

    >>> closing(tokens_of(b"f(a[0], (b)) c"), 1)
    10
    """
    pending: list[str] = []
    for at in range(opening, len(tokens)):
        text = tokens[at].text
        if text in _CLOSING:
            pending.append(_CLOSING[text])
        elif text in _CLOSING.values():
            if not pending or pending.pop() != text:
                return None
            if not pending:
                return at
    return None
