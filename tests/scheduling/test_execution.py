"""The new schedules of the kernels, generated, emitted and run, compute the same bits."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import pipeline, schedule
from loopwright.model.scop import Scop
from tests.emit.running import CHECKED, STANDARD, output_of
from tests.emit.test_round_trip import KERNELS, emitted


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_a_rescheduled_kernel_computes_the_same_bits(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scheduled: list[str] = []

    def new_order(scop: Scop):
        tree = schedule(scop).tree
        scheduled.append(scop.function)
        return tree

    monkeypatch.setattr(pipeline, "executed", new_order)
    new = emitted(path, tmp_path)
    assert len(scheduled) == 1
    options = ["-O2", "-DMINI", f"-I{path.parent}"]
    before = output_of(path, tmp_path, [*STANDARD, *options], ["--dump"])
    after = output_of(new, tmp_path, [*CHECKED, *options], ["--dump"])
    assert len(before) > 100
    assert after == before
