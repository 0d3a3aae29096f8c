"""The text that the compiler emits today is proved, for all kernels."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import optimize
from loopwright.model.proofs import Proof, hint_from_loops
from tests.verify.rewritten import between_pragmas, verdict_on

KERNELS = sorted((Path(__file__).parents[2] / "benchmarks" / "kernels").glob("*.c"))


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda each: each.stem)
def test_generated_anew(kernel: Path) -> None:
    result = optimize(kernel, reschedule=False)
    changed = between_pragmas(str(kernel), kernel.read_bytes(), result.content)
    (region,) = result.regions
    assert region.loops is not None
    hint = hint_from_loops(region.loops)
    verdict = verdict_on(changed, hint)
    assert isinstance(verdict, Proof), str(verdict)
