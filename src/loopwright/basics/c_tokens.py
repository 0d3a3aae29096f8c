"""Preprocessed C as tokens: what is left when white space does not count.

There are no comments any more, and no directives but pragmas, each on a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from loopwright.basics.records import record
from loopwright.basics.spans import Span

_TOKEN = re.compile(
    rb"""
    (?P<skipped>\s+)
    | (?P<raw>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)")
    | (?P<text>(?:u8|[uUL])?(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))
    | (?P<word>([A-Za-z_$\x80-\xff]|\\u|\\U)([\w$\x80-\xff]|\\u|\\U)*)
    | (?P<number>\.?\d(?:[eEpP][+-]|'?\w|\.)*)
    | (?P<mark><<=|>>=|\.\.\.|->\*?|\+\+|--|<<|>>|<=>|&&|\|\||[-+*/%&|^<>=!]=|\#\#|::|\.\*|.)
    """,
    re.DOTALL | re.VERBOSE,
)
_SPACE = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\s+""")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@record
class Token:
    """A word, number, string, mark, or a whole pragma; where it begins and ends."""

    text: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Is it a name or a keyword?"""
        return self.text[0].isalpha() or self.text[0] in "_$" or self.text[0] > "\x7f"

    @property
    def is_directive(self) -> bool:
        """Is it a line for the compiler?"""
        return self.text[0] == "#"

    @property
    def is_border(self) -> bool:
        """Does a region begin or end here?"""
        return re.match(r"#\s*pragma\s+(scop|endscop)\b", self.text) is not None


def tokens_of(content: bytes, start: int = 0, end: int | None = None) -> list[Token]:
    r"""The tokens of a part of a text; a pragma is one token.

    >>> [each.text for each in tokens_of(b"a[i] += 1.5e-3; 1'0 b\n#pragma  c\n")]
    ['a', '[', 'i', ']', '+=', '1.5e-3', ';', "1'0", 'b', '#pragma c']
    """
    end = len(content) if end is None else end
    found: list[Token] = []
    position = start
    while position < end:
        if content[position : position + 1] == b"#" and _begins_line(content, position):
            last = content.find(b"\n", position, end)
            last = end if last < 0 else last
        else:
            match = _TOKEN.match(content, position, end)
            assert match is not None, "anything is a mark at least"
            last = match.end()
            if match.lastgroup == "skipped":
                position = last
                continue
        text = content[position:last].decode(errors="surrogateescape")
        words = _in_one_line(text) if text[0] == "#" else text
        found.append(Token(words, position, last))
        position = last
    return found


def _in_one_line(directive: str) -> str:
    r"""With one space where there are several, unless they stand in a string.

    >>> _in_one_line('#  pragma a\t b("c  d")  ')
    '# pragma a b("c  d")'
    """
    return _SPACE.sub(lambda found: found[1] or " ", directive).strip()


def _begins_line(content: bytes, position: int) -> bool:
    return not content[content.rfind(b"\n", 0, position) + 1 : position].strip()


def span_of(token: Token, file: str) -> Span:
    """The stretch of a text that a token is; nobody asks for its line."""
    return Span(file, token.start, token.end, 1, 1, 1, 1)


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
