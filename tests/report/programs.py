"""Small programs whose dependences can be told by reading them."""

from __future__ import annotations

from loopwright import read_c
from loopwright.report.findings import Findings, findings
from loopwright.report.table import kinds_text, merged_rows
from loopwright.report.verdicts import Asked, Verdict


def kernel(
    body: str,
    parameters: str = "int n, double A[n], double B[n]",
    before: str = "",
    after: str = "",
) -> str:
    """A function with one region, whose first line is line 4."""
    assert "\n" not in before
    opening = f"void kernel({parameters})\n{{ {before}\n#pragma scop\n"
    return f"{opening}{body}\n#pragma endscop\n{after}}}\n"


def found_in(program: str, **asked: object) -> Findings:
    """The findings on the only region of a program."""
    (scop,) = read_c(program)
    return findings(scop, Asked(**asked))  # pyright: ignore[reportArgumentType]


def rows_of(found: Findings) -> set[tuple[str, ...]]:
    """Kinds, both references with their lines, distance and carriers of each row."""
    return {
        (
            kinds_text(shown, " "),
            f"{row.source.line}: {row.source.reference}",
            f"{row.sink.line}: {row.sink.reference}",
            row.distance,
            row.carriers,
        )
        for row, shown in merged_rows(found.rows).items()
    }


def verdict_on(found: Findings, iterator: str) -> Verdict:
    """The verdict on the only loop with this iterator."""
    (verdict,) = (each for each in found.verdicts if each.loop.iterator == iterator)
    return verdict
