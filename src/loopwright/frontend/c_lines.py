"""The lines of a C file before preprocessing: spliced, without comments, and what is left out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from loopwright.basics.records import record
from loopwright.frontend.compilers import CannotPreprocess

_SPLICED = re.compile(r"\\[ \t\f\v\r]*\Z")
_TRIGRAPH = re.compile(r"\?\?[=/'()!<>-]")
_QUOTED_OR_COMMENT = re.compile(
    r"""
    (?P<number>(?<![\w$.])\.?\d(?:[eEpP][+-]|'?\w|\.)*)
    | "(?:\\.|[^"\\])*"? | '(?:\\.|[^'\\])*'?
    | (?P<comment>//.*|/\*.*?(?P<end>\*/|\Z))
    """,
    re.VERBOSE | re.ASCII | re.DOTALL,
)
_RAW = re.compile(r'(?<![\w$])(?:u8|[uUL])?R"', re.ASCII)


@record
class Spelling:
    """What differs between standards: numbers with apostrophes, and comments behind slashes."""

    separates: bool
    comments: bool

    @classmethod
    def of(cls, standard: str) -> Spelling:
        """That of a standard.

        >>> Spelling.of("gnu89"), Spelling.of("c2x")
        (Spelling(separates=False, comments=True), Spelling(separates=True, comments=True))
        """
        is_new = re.search(r"\+\+(1[^1]|2|0x)|c2|gnu2", standard) is not None
        is_old = standard in ("c89", "c90", "ansi", "iso9899:1990", "iso9899:199409")
        return cls(is_new, not is_old)


@record
class Line:
    """A line without comments, where it begins and ends, and how many lines of the file it is.

    Where a comment has gone on to the next line, so does the text.  It ends behind what is
    ``left_out``: that follows a condition.
    """

    text: str
    start: int
    end: int
    count: int
    left_out: str = ""

    @property
    def is_directive(self) -> bool:
        """Is it one for the preprocessor?"""
        return self.text.lstrip()[:1] == "#"


class Lines:
    """Reads a text line by line; ``skipped`` are the stretches that are left out."""

    def __init__(self, text: str, skipped: Sequence[tuple[int, int]], spelling: Spelling) -> None:
        """Begin at the first line."""
        self.place = 0
        self.number = 1
        self._text = text
        self._skipped = skipped
        self._spelling = spelling

    def following(self) -> Line | None:
        """The next line, if there is one."""
        if self.place >= len(self._text):
            return None
        line = self._line(self.place)
        if line.is_directive:
            line = self._without_skipped(line)
        self.place = line.end
        self.number += line.count
        return line

    def return_to(self, line: Line) -> None:
        """Read from this one once more."""
        self.number -= self._text.count("\n", line.start, self.place)
        self.place = line.start

    def _without_skipped(self, line: Line) -> Line:
        for start, end in self._skipped:
            if line.start <= start < line.end:
                last = self._line(end).end
                left_out = self._text[start:last]
                count = self._text.count("\n", line.start, last)
                return Line(line.text, line.start, last, count, left_out)
        return line

    def _line(self, start: int) -> Line:
        raw, end = self._spliced(start)
        if "/" in raw or "'" in raw:
            raw, end = self._without_comments(raw, end)
        if '"' in raw and _RAW.search(raw):
            raise CannotPreprocess("without a compiler, raw strings are not understood")
        if "?" in raw and _TRIGRAPH.search(raw):
            raise CannotPreprocess("without a compiler, trigraphs are not understood")
        if raw.lstrip()[:2] == "%:":
            raise CannotPreprocess("without a compiler, digraphs are not understood")
        return Line(raw, start, end, max(1, self._text.count("\n", start, end)))

    def _spliced(self, start: int) -> tuple[str, int]:
        """A line with those that a backslash joins to it, and where the next one begins."""
        pieces: list[str] = []
        while True:
            end = self._text.find("\n", start)
            end = len(self._text) if end < 0 else end
            piece = self._text[start:end]
            splice = _SPLICED.search(piece) if "\\" in piece[-8:] else None
            pieces.append(piece if splice is None else piece[: splice.start()])
            start = min(end + 1, len(self._text))
            if splice is None or start >= len(self._text):
                return "".join(pieces).rstrip("\r"), start

    def _without_comments(self, raw: str, end: int) -> tuple[str, int]:
        kept: list[str] = []
        at = 0
        while (found := _QUOTED_OR_COMMENT.search(raw, at)) is not None:
            kept.append(raw[at : found.start()])
            at = found.end()
            if found["comment"] is None:
                self._require_known_number(found["number"] or "")
                kept.append(found[0])
                continue
            if found[0][1] == "/" and not self._spelling.comments:
                raise CannotPreprocess("without a compiler, // of the old standard is not known")
            kept.append(" ")
            if found["end"] == "":
                kept.append("\n")
                closing = self._text.find("*/", end)
                if closing < 0:
                    raise CannotPreprocess("a comment does not end")
                kept.append("\n" * self._text.count("\n", end, closing))
                raw, end = self._spliced(closing + 2)
                at = 0
        return "".join([*kept, raw[at:]]), end

    def _require_known_number(self, number: str) -> None:
        if "'" in number and not self._spelling.separates:
            raise CannotPreprocess(f"without a compiler, {number} is not understood")
