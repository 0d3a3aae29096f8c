"""The words of a script, and their places."""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import Enum

from loopwright.basics.diagnostics import Diagnostic, InputError, shortened
from loopwright.basics.records import record
from loopwright.basics.spans import Span


class Kind(Enum):
    """What a word is."""

    NAME = "a name"
    NUMBER = "a number"
    STRING = "a text"
    SIGN = "a sign"
    END = "the end"


@record
class Token:
    """A word of a script."""

    kind: Kind
    text: str
    span: Span


_WORD = re.compile(
    r"(?P<blank>[ \t\r\f\v]+|\#[^\n]*|//[^\n]*|\\\n)"
    r"|(?P<line>\n)"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<number>\d+)"
    r'|(?P<string>"[^"\n]*")'
    r"|(?P<sign>->|<=|>=|==|!=|&&|\|\||[-+*/%(){}\[\],:;=<>!])"
)
_KINDS = {
    "name": Kind.NAME,
    "number": Kind.NUMBER,
    "string": Kind.STRING,
    "sign": Kind.SIGN,
}
_OPENING, _CLOSING = "({[", ")}]"


class Source:
    """The text of a script under a name."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self._starts = [0, *(each.end() for each in re.finditer("\n", text))]

    def span(self, start: int, end: int) -> Span:
        """The place from one character to another."""
        line, end_line = (bisect_right(self._starts, at) for at in (start, end))
        begin, finish = self._starts[line - 1], self._starts[end_line - 1]
        return Span(
            self.name,
            len(self.text[:start].encode()),
            len(self.text[:end].encode()),
            line,
            len(self.text[begin:start].encode()) + 1,
            end_line,
            len(self.text[finish:end].encode()) + 1,
        )


@record
class Line:
    """A statement of a script: its words, and how far it is indented.

    Brackets that are open hold lines together.
    """

    indentation: int
    tokens: tuple[Token, ...]


def lines_of(source: Source) -> list[Line]:
    r"""The lines that say something.

    >>> source = Source("s", "tile(L, 8,  # eight\n  8)\n\ndef f(l): lift(l, 1)")
    >>> [" ".join(each.text for each in line.tokens) for line in lines_of(source)]
    ['tile ( L , 8 , 8 )', 'def f ( l ) : lift ( l , 1 )']
    """
    lines: list[Line] = []
    tokens: list[Token] = []
    open_brackets: list[Token] = []
    at = start = 0
    while at <= len(source.text):
        found = _WORD.match(source.text, at)
        if found is None and at < len(source.text):
            raise unreadable(source.span(at, at + 1), f"{source.text[at]!r} means nothing here")
        if found is None or (found.lastgroup == "line" and not open_brackets):
            if tokens:
                lines.append(Line(_indentation(source, tokens[0], start), tuple(tokens)))
                tokens = []
            if found is None:
                break
            start = found.end()
        elif found.lastgroup in _KINDS:
            token = Token(_KINDS[found.lastgroup], found.group(), source.span(at, found.end()))
            tokens.append(token)
            _match_brackets(token, open_brackets)
        at = found.end()
    if open_brackets:
        raise unreadable(open_brackets[-1].span, f"nothing closes {open_brackets[-1].text}")
    return lines


def _indentation(source: Source, first: Token, start: int) -> int:
    line = source.text[start:]
    return len(line) - len(line.lstrip(" \t")) if first.span.column > 1 else 0


def _match_brackets(token: Token, opened: list[Token]) -> None:
    if token.kind is not Kind.SIGN:
        return
    if token.text in _OPENING:
        opened.append(token)
    elif token.text in _CLOSING:
        if not opened or _OPENING.index(opened[-1].text) != _CLOSING.index(token.text):
            raise unreadable(token.span, f"nothing opens {token.text}")
        opened.pop()


def unreadable(span: Span, what: str, hint: str = "") -> InputError:
    """The script is no script."""
    return InputError(Diagnostic("LW811", shortened(what), span, hint))


class Words:
    """The words of a line, one after the other."""

    def __init__(self, tokens: tuple[Token, ...]) -> None:
        self._tokens = tokens
        self._at = 0

    @property
    def here(self) -> Token:
        """The next word; at the end one that is none."""
        if self._at < len(self._tokens):
            return self._tokens[self._at]
        last = self._tokens[-1].span
        behind = Span(
            last.file, last.end, last.end, last.end_line, last.end_column, last.end_line, 0
        )
        return Token(Kind.END, "", behind)

    @property
    def before(self) -> Token:
        """The word that was taken last."""
        return self._tokens[max(0, self._at - 1)]

    def take(self) -> Token:
        """The next word, which is then behind us."""
        token = self.here
        self._at += 1
        return token

    def is_at(self, *texts: str) -> bool:
        """Is the next word a sign or a name of these?"""
        return self.here.kind in (Kind.SIGN, Kind.NAME) and self.here.text in texts

    def took(self, *texts: str) -> Token | None:
        """Take the next word if it is one of these."""
        return self.take() if self.is_at(*texts) else None

    def expect(self, what: str) -> Token:
        """Take this sign, or complain."""
        if not self.is_at(what):
            raise self.complaint(f"{what} is missing")
        return self.take()

    def expect_name(self, what: str) -> Token:
        """Take a name, or complain."""
        if self.here.kind is not Kind.NAME:
            raise self.complaint(f"{what} is missing")
        return self.take()

    def complaint(self, what: str, hint: str = "") -> InputError:
        """Something is wrong with the next word."""
        return unreadable(self.here.span, what, hint)

    def expect_end(self) -> None:
        """There must be nothing else."""
        if self.here.kind is not Kind.END:
            raise self.complaint(f"{self.here.text} is too much")

    def following(self) -> Token:
        """The word after the next one."""
        ahead = self.copy()
        ahead.take()
        return ahead.here

    def copy(self) -> Words:
        """The same words from here on, to look ahead."""
        return Words(self._tokens[self._at :] or self._tokens[-1:])
