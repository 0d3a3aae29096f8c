"""The trade-off between control overhead and code size, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from loopwright.basics.records import record


@record
class TradeOff:
    """One way to generate loops: what it takes, and what it executes for given sizes."""

    name: str
    copies: int
    """Statements in the text."""
    size: int
    """Bytes of machine code, or of C."""
    control: int
    """Branches, comparisons, minima and maxima: what decides what runs."""
    divisions: int
    """And remainders, in bounds, conditions and subscripts."""
    instances: int
    depth: int | None
    """How many loops are around the deepest overhead; ``None`` if there is none."""


HEADS = ("", "copies", "bytes", "control", "per instance", "divisions", "overhead inside")


def trade_off_text(rows: Sequence[TradeOff], sizes: str, measure: str) -> str:
    """The table; ``sizes`` and ``measure`` say what was executed, and which bytes were counted.

    >>> plain = TradeOff("mappings", 2, 425, 1500, 0, 1000, 2)
    >>> lifted = TradeOff("k = 1", 5, 994, 20, 3, 1000, 1)
    >>> print(trade_off_text([plain, lifted], "n=10", "gcc -O2"), end="")
    executed for n=10; bytes by gcc -O2
    <BLANKLINE>
              copies  bytes  control  per instance  divisions  overhead inside
    mappings       2    425    1,500         1.500          0          2 loops
    k = 1          5    994       20         0.020          3           1 loop
    """
    cells = [HEADS, *map(_cells, rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(HEADS))]
    told = f"executed for {sizes}; bytes by {measure}"
    lines = [_line(row, widths) for row in cells]
    return "\n".join([told, "", *lines, ""])


def _cells(row: TradeOff) -> tuple[str, ...]:
    share = f"{row.control / row.instances:.3f}" if row.instances else "-"
    loops = "-" if row.depth is None else f"{row.depth} loop{'s' if row.depth != 1 else ''}"
    counts = f"{row.copies:,}", f"{row.size:,}", f"{row.control:,}"
    return row.name, *counts, share, f"{row.divisions:,}", loops


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (
        cell.ljust(width) if at == 0 else cell.rjust(width)
        for at, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join([first, *others]).rstrip()
