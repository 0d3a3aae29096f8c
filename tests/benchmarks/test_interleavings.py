"""The benchmark of interleavings: the figures of a kernel beside those of the paper."""

from __future__ import annotations

import pytest

from benchmarks import interleavings


def test_a_kernel_beside_the_paper(capsys: pytest.CaptureFixture[str]) -> None:
    interleavings.main(["--only", "doitgen", "--repeat", "1"])
    lines = capsys.readouterr().out.splitlines()
    ours = next(each for each in lines if each.startswith("doitgen"))
    paper = next(each for each in lines if each.startswith("  in the paper"))
    assert ours.split()[1:8] == ["3", "6", "21", "13", "3", "9", "4"]
    assert paper.split()[3:] == ["3", "6", "22", "13", "3", "10", "4", "0.08"]
    assert lines[-1].split()[1:8] == ["3", "6", "21", "13", "0", "0", "1"]


def test_every_kernel_of_the_table_has_a_program() -> None:
    found = {path.stem for path in interleavings.INPUTS.glob("*.c")}
    assert found == set(interleavings.PAPER)
