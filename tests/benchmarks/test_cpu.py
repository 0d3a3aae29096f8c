"""The benchmark of speed-ups: its figures, its bars, and a run on a small kernel."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from benchmarks import cpu, openblas
from benchmarks.programs import KERNELS, BrokenProgramError, Version, best_times, sizes_of

PLAN = cpu.Plan("MINI", (1, 2), 1, 60.0, with_peers=False)


def result(kernel: str, one: float, two: float) -> cpu.Result:
    """A kernel whose original takes a second, and that becomes so many times as fast."""
    seconds = {"gcc": 1.0, "ours/1": 1 / one, "ours/2": 1 / two}
    return cpu.Result(kernel, seconds, is_new=True)


def bar(results: list[cpu.Result], what: str) -> str:
    (line,) = (each for each in cpu.summary(results, PLAN) if what in each)
    return line


def test_the_figures_of_peers_are_those_of_the_kernels() -> None:
    assert set(cpu.PEERS) == {path.stem for path in KERNELS.glob("*.c")}
    values = list(cpu.PEERS.values())
    # The published mean of the best of all, from figures with one digit after the point.
    assert float(np.exp(np.mean(np.log(values)))) == pytest.approx(3.25, abs=0.2)


def test_a_mean_is_geometric_and_compared_with_its_bar() -> None:
    fast = [result("atax", 1.0, 2.0), result("bicg", 4.0, 4.5)]
    assert bar(fast, "mean of 1.8").startswith("met ")
    assert bar(fast, "mean of 1.8").endswith("2.00")
    assert bar(fast, "mean of 2.8").startswith("met ")
    slow = [result("atax", 1.0, 1.0), result("bicg", 4.0, 4.0)]
    assert bar(slow, "mean of 2.8").startswith("not met")


def test_a_kernel_that_loses_is_named() -> None:
    found = [result("atax", 0.94, 1.5), result("bicg", 0.96, 1.5)]
    line = bar(found, "no kernel below 0.95, 1 thread:")
    assert line.startswith("not met")
    assert "atax 0.94" in line
    assert "bicg" not in line
    assert bar(found, "no kernel below 0.95, 2 threads").startswith("met ")


def test_the_same_text_cannot_lose() -> None:
    same = cpu.Result("atax", {"gcc": 1.0, "ours/1": 1.2, "ours/2": 1.2}, is_new=False)
    assert bar([same], "no kernel below 0.95, 1 thread:").startswith("met ")


def test_kernels_at_the_figure_of_the_best_peer_are_counted() -> None:
    figures = {kernel: figure for kernel, figure in list(cpu.PEERS.items())[:16]}
    found = [result(kernel, 1.0, figure + 1e-6) for kernel, figure in figures.items()]
    assert bar(found, "at the best peer").startswith("met ")
    found[0] = result(found[0].kernel, 1.0, 0.99 * cpu.PEERS[found[0].kernel])
    found[1] = result(found[1].kernel, 1.0, 0.99 * cpu.PEERS[found[1].kernel])
    assert bar(found, "at the best peer").startswith("not met")
    assert bar(found, "at the best peer").endswith("14 of 16")


def test_a_rate_is_compared_with_that_of_openblas() -> None:
    plan = cpu.Plan("LARGE", (1,), 1, 60.0, with_peers=True)
    seconds = {"gcc": 1.0, "ours/1": 0.2, "openblas/1": 0.08}
    found = cpu.Result("gemm", seconds, is_new=True)
    _, line = cpu.blas_table([found], plan)
    # 2 * 1000 * 1100 * 1200 operations.
    assert line.split() == ["gemm", "1", "13.2", "33.0", "40%"]
    (bar_line,) = (each for each in cpu.summary([found], plan) if "of OpenBLAS" in each)
    assert bar_line.startswith("not met")


def test_a_small_kernel_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--only", "trisolv", "--size", "MINI", "--repeat", "1", "--no-peers", "--json"]
    assert cpu.main(arguments) == 0
    document = json.loads(capsys.readouterr().out)
    (kernel,) = document["kernels"]
    assert kernel["problem"] == ""
    assert set(kernel["seconds"]) == {"gcc", "ours/1", "ours/2"}


@dataclass(frozen=True, slots=True)
class Wrong:
    """What a compiler with an error gives, which knows of none."""

    content: bytes

    def require_no_mistake(self) -> None:
        """Nobody has seen one."""


def test_other_results_are_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong(path: Path, **_: object) -> Wrong:
        return Wrong(path.read_bytes().replace(b"x[i] = b[i]", b"x[i] = 2 * b[i]"))

    monkeypatch.setattr(cpu, "optimize", wrong)
    arguments = ["--only", "trisolv", "--size", "MINI", "--repeat", "1", "--no-peers"]
    assert cpu.main(arguments) == 1
    assert "WRONG: other results at SMALL with 1 thread" in capsys.readouterr().out


def test_the_best_of_several_runs_counts(tmp_path: Path) -> None:
    script = tmp_path / "program"
    runs = tmp_path / "runs"
    script.write_text(
        "#!/bin/sh\n"
        f'echo run >> "{runs}"\n'
        f'lines=$(wc -l < "{runs}")\n'
        'if [ "$lines" = 2 ]; then echo "seconds 1.0" >&2; else echo "seconds 2.0" >&2; fi\n'
    )
    script.chmod(0o755)
    assert best_times([Version("it", (str(script),))], 4, 10.0) == {"it": 1.0}
    assert len(runs.read_text().split()) == 4


def test_a_program_that_takes_too_long_is_an_error(tmp_path: Path) -> None:
    script = tmp_path / "program"
    script.write_text("#!/bin/sh\nexec sleep 20\n")
    script.chmod(0o755)
    with pytest.raises(BrokenProgramError, match=r"more than 0\.1 s"):
        best_times([Version("it", (str(script),))], 1, 0.1)


@pytest.mark.skipif(openblas.library() is None, reason="OpenBLAS is not installed")
def test_the_calls_of_openblas_compute_what_they_say() -> None:
    library = openblas.library()
    assert library is not None
    blas = openblas.Blas(library)
    draw = np.random.default_rng(7)
    a, b, c = draw.random((4, 3)), draw.random((3, 5)), draw.random((4, 5))
    expected = 1.5 * a @ b + 1.2 * c
    blas.gemm(1.5, a, b, 1.2, c)
    np.testing.assert_allclose(c, expected)
    other, square = draw.random((4, 3)), draw.random((4, 4))
    for symmetric, call in (
        (1.5 * a @ a.T, lambda matrix: blas.syrk(1.5, a, 1.2, matrix)),
        (1.5 * (a @ other.T + other @ a.T), lambda matrix: blas.syr2k(1.5, a, other, 1.2, matrix)),
    ):
        found = square.copy()
        call(found)
        np.testing.assert_allclose(np.tril(found), np.tril(symmetric + 1.2 * square))
    right = draw.random((4, 5))
    triangle = np.tril(square, -1) + np.eye(4)
    expected = 2.0 * triangle.T @ right
    blas.trmm(2.0, square, right)
    np.testing.assert_allclose(right, expected)


@pytest.mark.skipif(openblas.library() is None, reason="OpenBLAS is not installed")
@pytest.mark.parametrize("kernel", sorted(openblas.OPERATIONS))
def test_the_products_of_a_kernel_run(kernel: str) -> None:
    sizes = sizes_of(KERNELS / f"{kernel}.c", "MINI")
    library = openblas.library()
    assert library is not None
    openblas.products(kernel, sizes, openblas.Blas(library))()
    assert openblas.OPERATIONS[kernel](sizes) > 0
