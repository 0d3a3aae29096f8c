"""Places in a source text."""

from __future__ import annotations

from loopwright.basics.records import record


@record
class Span:
    """A stretch of a file: byte offsets, and lines and columns counted from one.

    >>> Span("kernel.c", 10, 14, 2, 3, 2, 7)
    Span('kernel.c', 2:3-2:7)
    """

    file: str
    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        """The way compilers print a place: ``file:line:column``."""
        return f"{self.file}:{self.line}:{self.column}"

    def __repr__(self) -> str:
        """Short enough to read in a list."""
        return f"Span({self.file!r}, {self.range_text()})"

    def range_text(self) -> str:
        """``line:column-line:column``, without the file."""
        return f"{self.line}:{self.column}-{self.end_line}:{self.end_column}"

    def begins_in(self, other: Span) -> bool:
        """Does this span begin somewhere in the other one?"""
        return self.file == other.file and other.start <= self.start < other.end

    def joined_with(self, other: Span) -> Span:
        """From the start of this span to the end of the other one."""
        return Span(
            self.file,
            self.start,
            other.end,
            self.line,
            self.column,
            other.end_line,
            other.end_column,
        )


def whole_file(file: str) -> Span:
    """The span for messages about a file as such: its first character."""
    return Span(file, 0, 0, 1, 1, 1, 1)
