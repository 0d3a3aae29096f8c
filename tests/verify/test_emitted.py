"""The text that the compiler emits today is proved, for all kernels."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import optimize
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question
from loopwright.model.proofs import Proof, hint_from_loops
from loopwright.verify.read_back import Claim, read_back
from tests.verify.rewritten import between_pragmas

KERNELS = sorted((Path(__file__).parents[2] / "benchmarks" / "kernels").glob("*.c"))


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda each: each.stem)
def test_generated_anew(kernel: Path) -> None:
    result = optimize(kernel, reschedule=False)
    changed = between_pragmas(str(kernel), kernel.read_bytes(), result.content)
    (stretch,) = changed.stretches
    (region,) = result.regions
    assert region.loops is not None
    hint = hint_from_loops(region.loops)
    claim = Claim(region.scop, changed, stretch, hint, ReadOptions(), Question())
    verdict = read_back(claim)
    assert isinstance(verdict, Proof), str(verdict)
