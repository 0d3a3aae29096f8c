"""The benchmark of the search: its figures, its noise, and what counts as slower."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import tune
from benchmarks.tune import Plan, Result

PLAN = Plan("MINI", budget=1.0, threads=2, repeat=1, limit=60.0)


def result(kernel: str, best: float, *, noise: float = 0.02) -> Result:
    """A kernel whose original takes 4 seconds, and what optimize makes takes 2."""
    times = {"gcc": 4.0, "optimize": 2.0, "best": best}
    again = {f"{name} again": value * (1 + noise) for name, value in times.items()}
    return Result(kernel, {**times, **again}, "fusion 0 0 1", tried=7)


def test_figures_are_ratios_of_the_best_times() -> None:
    found = result("atax", 1.0)
    assert (found.over("gcc"), found.over("optimize")) == (4.0, 2.0)
    assert found.noise == pytest.approx(0.02)
    line = tune.row(found)
    assert line.split()[:7] == ["atax", "4.0000", "2.00", "4.00", "2.00", "2.0%", "7"]
    assert line.endswith("  fusion 0 0 1")


def test_slower_by_more_than_the_noise_is_named() -> None:
    close, slow = result("close", 2.03), result("slow", 2.05)
    assert tune.losses([close, slow], "optimize").keys() == {"slow"}
    assert not tune.losses([close, slow], "gcc")
    noisy = result("noisy", 2.05, noise=0.03)
    assert not tune.losses([noisy], "optimize")
    told = tune.summary([close, slow])
    assert told[-2] == "met      never below 1.0 of gcc within noise: none"
    assert told[-1] == "not met  never below 1.0 of optimize within noise: slow 0.98"


def test_the_same_program_cannot_lose() -> None:
    found = replace(result("atax", 3.0), is_optimize=True)
    assert found.over("optimize") == 1.0
    assert not tune.losses([found], "optimize")


def test_means_worst_ones_and_noise() -> None:
    told = tune.summary([result("atax", 1.0), result("bicg", 2.0), result("mvt", 4.0, noise=0.1)])
    assert told[1] == "  best over gcc        2.00, the worst: mvt 1.00, bicg 2.00, atax 4.00"
    assert told[2].startswith("  best over optimize   1.00, the worst: mvt 0.50")
    assert told[3].endswith("by 2.0% in the middle and by 10.0% at most (mvt)")


def test_problems_are_told_and_not_counted() -> None:
    broken = Result("bicg", problem="status 1")
    assert "WRONG: status 1" in tune.row(broken)
    assert tune.summary([broken]) == ["nothing was measured"]
    whole = json.loads(tune.document([result("atax", 1.0), broken], PLAN))
    assert whole["geometric_means"] == {"gcc": 4.0, "optimize": 2.0}
    assert [each["kernel"] for each in whole["kernels"]] == ["atax", "bicg"]


def test_wrong_versions_are_loud() -> None:
    assert tune.row(replace(result("atax", 1.0), wrong=2)).endswith("  2 WRONG")


def test_jobs_have_cores_of_their_own(tmp_path: Path) -> None:
    for core, siblings in ((0, "0,4"), (1, "1,5"), (4, "0,4"), (5, "1,5")):
        folder = tmp_path / f"cpu{core}" / "topology"
        folder.mkdir(parents=True)
        (folder / "thread_siblings_list").write_text(siblings)
    available = {0, 1, 4, 5, 7, 9}
    assert tune.core_groups(2, 2, available, tmp_path) == [{0, 1}, {7, 9}]
    with pytest.raises(SystemExit, match="takes 6 cores, and there are 4"):
        tune.core_groups(3, 2, available, tmp_path)
