"""The coats of the kernels: all of them compute what the plain ones do, without any optimizer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.coats import Fate, main, summary
from benchmarks.cpu import Plan
from benchmarks.kernel_text import kernel_text
from benchmarks.programs import KERNELS, OPENMP, compiled, results
from benchmarks.tailoring import COATS, tailored, written

CAREFUL = ("gcc", "-O1", "-ffp-contract=off", "-fsanitize=address,undefined", "-DMINI")
PLAN = Plan("MINI", (1,), 1, 60, with_peers=False)
FINE = Fate("gemm", "suite", "", False, True, True, {"gcc": 3.0, "new/1": 1.0, "plain/1": 1.0})


@pytest.mark.parametrize("kernel", sorted(KERNELS.glob("*.c")), ids=lambda each: each.stem)
def test_every_coat_computes_the_same_bits(kernel: Path, tmp_path: Path) -> None:
    programs = {
        coat: compiled((*CAREFUL, *OPENMP), written(kernel, coat, folder), folder / "program")
        for coat in (None, *COATS)
        if (folder := tmp_path / (coat or "plain"))
    }
    found = {coat: results(each, threads=1, limit=60) for coat, each in programs.items()}
    assert found[None]
    assert [coat for coat in COATS if found[coat] != found[None]] == []


def test_a_kernel_is_taken_apart() -> None:
    kernel = kernel_text((KERNELS / "symm.c").read_text())
    assert (kernel.name, kernel.element, kernel.sizes) == ("symm", "double", ("m", "n"))
    assert kernel.scalars == ("alpha", "beta")
    assert kernel.locals == ("double sum",)
    assert {"C", "sum"} == kernel.written


def test_coats_are_what_they_are_called() -> None:
    suite, library, application = (tailored(KERNELS / "lu.c", each) for each in COATS)
    assert "for (j = i; j < SB_N; j++)" in suite
    assert "VALUES(A)[i][j] -= VALUES(A)[i][k] * VALUES(A)[k][j];" in suite
    assert "for (j = i; j <= A->rows - 1; ++j)" in library
    assert "AT(A, i, j) -= AT(A, i, k) * AT(A, k, j);" in library
    assert "assert(A->cols == A->rows);" in library
    assert "A[i][j] -= lu_0(A[i][k], A[k][j]);" in application
    assert "while (i < E->rows) {" in tailored(KERNELS / "3mm.c", "library")


def test_flat_elements_are_behind_functions() -> None:
    text = tailored(KERNELS / "ludcmp.c", "application")
    assert "static void application_ludcmp(int n, double *A, double b[n]" in text
    assert "w = *cell(A, n, i, j);" in text


@pytest.mark.parametrize(
    ("found", "proved", "rung", "quick"),
    [
        (FINE, "met ", "met ", "met "),
        (replace(FINE, problem="nobody knows"), "not met ", "met ", "met "),
        (replace(FINE, is_top_rung=False), "met ", "not met ", "met "),
        (replace(FINE, seconds={"new/1": 1.2, "plain/1": 1.0}), "met ", "met ", "not met "),
    ],
)
def test_the_bars(found: Fate, proved: str, rung: str, quick: str) -> None:
    lines = summary([found, replace(FINE, coat="plain")], PLAN)
    assert all(map(str.startswith, lines, (proved, rung, quick)))


def test_one_kernel_is_judged(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--only", "trisolv", "--coats", "plain,suite", "--size", "MINI"]
    assert main([*options, "--repeat", "1", "--threads", "1"]) == 0
    _, plain, *rest = capsys.readouterr().out.splitlines()
    assert plain.split()[:5] == ["trisolv", "plain", "kept", "top", "same"]
    assert rest[0].split()[:2] == ["trisolv", "suite"]
