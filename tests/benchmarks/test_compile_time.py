"""The benchmark of compile times: every stage is seen, and the bars are judged."""

from __future__ import annotations

import pytest

from benchmarks import compile_time
from benchmarks.programs import KERNELS
from loopwright import pipeline


def result(kernel: str, cold: float) -> compile_time.Result:
    """A kernel that takes so long, a quarter of it in the proof."""
    stages = dict.fromkeys((*compile_time.STAGES, compile_time.OTHER), 0.0)
    return compile_time.Result(kernel, cold, {**stages, "prove": cold / 4})


def test_every_stage_takes_some_time() -> None:
    before = pipeline.read_what_can_be
    stages = compile_time.stages_of(KERNELS / "atax.c")
    assert list(stages) == [*compile_time.STAGES, compile_time.OTHER]
    assert all(stages[name] > 0 for name in compile_time.STAGES)
    # What is in no stage is little; if it were not, a stage would be missing.
    assert stages[compile_time.OTHER] < sum(stages.values()) / 2
    assert pipeline.read_what_can_be is before


@pytest.mark.parametrize(
    ("times", "median", "worst"),
    [
        ((0.5, 0.9, 4.9), "met ", "met "),
        ((0.5, 1.1, 4.9), "not met", "met "),
        ((0.5, 0.9, 5.1), "met ", "not met"),
    ],
)
def test_the_bars(times: tuple[float, ...], median: str, worst: str) -> None:
    results = [result(f"kernel{at}", each) for at, each in enumerate(times)]
    shares, first, second = compile_time.summary(results)
    assert "prove 25%" in shares
    assert "start 75%" in shares
    assert first.startswith(median)
    assert second.startswith(worst)


def test_one_kernel_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    compile_time.main(["--only", "trisolv", "--repeat", "1"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:4] == ["kernel", "cold", "start", "read"]
    assert lines[1].startswith("trisolv")
    assert float(lines[1].split()[1]) > 0
    assert lines[-1].startswith("start-up")
