"""The benchmark of proofs runs, and its bars are bars."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.programs import KERNELS
from benchmarks.verify import (
    OPTIONS,
    QUESTION,
    Result,
    confirmed,
    main,
    shown,
    summary,
    transformed,
)
from loopwright.certifying import claims_of
from loopwright.verify.formulas import FALSE

QUICK = Result("quick", False, 2, 50, 0.4, 0.2, 0.5, 0.1)


def test_kernels_are_accepted_by_both_solvers(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--only", "jacobi-1d,trisolv,mvt,seidel-2d,gramschmidt", "--repeat", "1"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:6]] == [
        "gramschmidt",
        "jacobi-1d",
        "mvt",
        "seidel-2d",
        "trisolv",
    ]
    assert "5 kernels, all accepted by isl and by z3" in lines[6]


def test_what_z3_does_not_confirm_ends_the_benchmark() -> None:
    outcome = transformed(KERNELS / "trisolv.c", reschedule=False)
    (claim,) = claims_of(outcome, OPTIONS, QUESTION)
    found = shown(claim)
    asked = next(each for each in found.obligations if each.kind == "Range" and not each.is_plain)
    confirmed(replace(found, obligations=(asked,)), "trisolv")
    wrong = replace(asked, shown=FALSE)
    with pytest.raises(SystemExit, match="z3 says sat to Range"):
        confirmed(replace(found, obligations=(wrong,)), "trisolv")


def test_the_bars_are_told() -> None:
    fast = [QUICK] * 3
    assert [line.split()[0] for line in summary(fast)[1:]] == ["met", "met"]
    slow = [QUICK, replace(QUICK, isl=2.0), replace(QUICK, isl=25.0)]
    assert [line.split()[:2] for line in summary(slow)[1:]] == [["not", "met"]] * 2
