"""The benchmark of flat arrays: all styles compute the same, and its bar is met or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.flat import KERNELS, NATURAL, STYLES, Kernel, Measured, program_text, table
from benchmarks.programs import compiled, results


@pytest.mark.parametrize("kernel", KERNELS, ids=[each.name for each in KERNELS])
def test_all_styles_compute_the_same(kernel: Kernel, tmp_path: Path) -> None:
    seen: set[str] = set()
    for number, style in enumerate(STYLES):
        source = tmp_path / f"{number}.c"
        source.write_text(program_text(kernel, style))
        flags = ("gcc", "-O1", "-ffp-contract=off", "-DSMALL", "-Wno-unknown-pragmas")
        program = compiled(flags, source, tmp_path / "program")
        seen.add(results(program, threads=1, limit=60))
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("other", "last"),
    [
        (Measured("lu", "int", 2.0, 1.04), "met: at most 1.05 times A[n][n] (worst 1.04)"),
        (Measured("lu", "int", 2.0, 1.1), "not met: at most 1.05 times A[n][n] (worst 1.10)"),
        (Measured("lu", "int", problem="no"), "not met: at most 1.05 times A[n][n] (worst 1.00)"),
    ],
)
def test_the_bar(other: Measured, last: str) -> None:
    assert list(table([Measured("lu", NATURAL, 2.0, 1.0), other]))[-1] == last
