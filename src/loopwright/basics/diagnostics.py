"""What we tell a user about the input: a place, a code, a sentence and a hint."""

from __future__ import annotations

from enum import Enum

from loopwright.basics.records import record
from loopwright.basics.spans import Span


class Severity(Enum):
    """Does the message end the work?"""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@record
class Diagnostic:
    """One message about one place in the input."""

    code: str
    message: str
    span: Span
    hint: str = ""
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        """The first line of what the user sees."""
        kind = "" if self.severity is Severity.ERROR else f"{self.severity.value}: "
        return f"{self.span}: {self.code}: {kind}{self.message}"


class InputError(Exception):
    """The input cannot be accepted; the diagnostics say why."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        """Keep the diagnostics, in the order in which the user should read them."""
        super().__init__("\n".join(map(str, diagnostics)))
        self.diagnostics = diagnostics


MAXIMAL_TEXT = 200


def shortened(text: str) -> str:
    """A piece of source as a message can quote it.

    >>> len(shortened("x" * 1000))
    200
    """
    return text if len(text) <= MAXIMAL_TEXT else text[: MAXIMAL_TEXT - 3] + "..."


KEPT = frozenset("\n\t") | frozenset(map(chr, range(0xD800, 0xE000)))
"""What is printed as it is: bytes of names that are no text, too, have a way to be printed."""
MAXIMAL_LINE = 160
"""How much of a source line is shown: generated files have lines of a megabyte."""


def rendered(diagnostic: Diagnostic, source: str | None) -> str:
    r"""The message as the user sees it: place, source line, caret, hint.

    >>> span = Span("k.c", 4, 7, 1, 5, 1, 8)
    >>> print(rendered(Diagnostic("LW000", "no", span, "try yes"), "a = b*c;\n"))
    k.c:1:5: LW000: no
        a = b*c;
            ^~~
      hint: try yes
    """
    lines = [str(diagnostic)]
    lines += excerpt(diagnostic.span, source) if source is not None else []
    if diagnostic.hint:
        lines.append(f"  hint: {diagnostic.hint}")
    return _visible("\n".join(lines))


def _visible(text: str) -> str:
    r"""The text without characters that do something to a terminal, or cannot be seen there.

    >>> _visible("a\x1b[2J\tb")
    'a�[2J\tb'
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each in KEPT else "\ufffd" for each in text)


def excerpt(span: Span, source: str) -> list[str]:
    """The line of a place, and a caret under it."""
    line = _line_of(source, span.line)
    if line is None or not line.strip():
        return []
    # Columns count bytes, as the parser does; what is shown counts characters.
    column = len(line.encode()[: span.column - 1].decode(errors="replace"))
    same_line = span.end_line == span.line
    width = max(1, span.end_column - span.column) if same_line else max(1, len(line) - column)
    if len(line) > MAXIMAL_LINE:
        first = max(0, column - MAXIMAL_LINE // 2)
        line, column = line[first : first + MAXIMAL_LINE], column - first
    width = max(1, min(width, len(line) - column))
    pad = "".join("\t" if char == "\t" else " " for char in line[:column])
    return [f"    {line}", f"    {pad}^{'~' * (width - 1)}"]


def _line_of(source: str, number: int) -> str | None:
    lines = source.split("\n")
    return lines[number - 1].rstrip("\r") if 1 <= number <= len(lines) else None
