"""The benchmark of kernels behind an unpleasant header: its dresses, and its bars."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.programs import KERNELS
from benchmarks.unpleasant_header import DRESSES, Judged, is_alike, main, summary, through

FINE = Judged("gemm", "beside", False, "", True, True, plain=1.0, dressed=1.2)


def test_a_kernel_is_written_through_the_macros() -> None:
    text = through((KERNELS / "correlation.c").read_text())
    assert "DATA_TYPE GRID_2D(data, N, M, n, m)" in text
    assert "for (int i = 0; i < _PB_M - 1; i++)" in text
    assert "data[i][j] /= SQRT_FUN(count) * stddev[j];" in text
    assert "SCALAR_VAL(0.5)" in through((KERNELS / "fdtd-2d.c").read_text())
    assert "DATA_TYPE GRID_2D(path, N, N, n, n)" in through(
        (KERNELS / "floyd-warshall.c").read_text()
    )


@pytest.mark.parametrize(
    ("found", "proved", "same", "quick"),
    [
        (FINE, "met ", "met ", "met "),
        (replace(FINE, problem="nobody knows"), "not met ", "met ", "met "),
        (replace(FINE, is_unproved_text=False), "met ", "not met ", "met "),
        (replace(FINE, dressed=1.6), "met ", "met ", "not met "),
    ],
)
def test_the_bars(found: Judged, proved: str, same: str, quick: str) -> None:
    other = replace(FINE, kernel="mvt")
    lines = summary([found, other, *(replace(each, dress="through") for each in (FINE, other))])
    assert lines[1].startswith(proved)
    assert lines[2].startswith(same)
    assert lines[3].startswith(quick)
    assert all(each.startswith("met ") for each in lines[5:8])


def test_names_may_change_places_in_like_texts_but_not_be_confused() -> None:
    assert is_alike(b"a = b + a;", b"c = d + c;")
    assert not is_alike(b"a = b + a;", b"c = c + c;")
    assert not is_alike(b"a = b + a;", b"a = b - a;")


def test_one_kernel_is_judged(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--only", "trisolv", "--repeat", "1"])
    _, *rows = capsys.readouterr().out.splitlines()
    for row, dress in zip(rows, DRESSES, strict=False):
        assert row.split()[:6] == ["trisolv", "*", dress, "yes", "yes", "yes"]
    assert "met      all proved: 1 of 1" in rows
