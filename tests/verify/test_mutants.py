"""Mutated texts: none that computes something else is proved."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from loopwright.model.proofs import Proof
from tests.verify.emitted_programs import KERNELS, emitted
from tests.verify.mutants import computes_the_same, damaged, mutant, same_ones
from tests.verify.packed_programs import FRESH, KEPT_OUT, ONE_ELEMENT, TRANSPOSED
from tests.verify.programs import CASES, Case
from tests.verify.rewritten import hint_in, rewritten, verdict

WRITTEN = [*CASES, TRANSPOSED, FRESH, ONE_ELEMENT, KEPT_OUT]
PER_CASE = 25
PER_KERNEL = {
    "jacobi-1d": 40,
    "syrk": 35,
    "gesummv": 35,
    "atax": 30,
    "trmm": 25,
    "gemm": 15,
    "seidel-2d": 10,
    "lu": 6,
    "covariance": 4,
}
"""How many faults a text gets, the more the faster they are judged; 200 in all."""


@pytest.mark.parametrize("case", WRITTEN, ids=lambda each: each.name)
def test_the_oracle_accepts_what_is_right(case: Case, tmp_path: Path) -> None:
    after = rewritten(case.program, case.text).after.decode()
    assert computes_the_same(case.program, after, tmp_path)


@pytest.mark.parametrize("case", WRITTEN, ids=lambda each: each.name)
def test_no_wrong_mutant_is_proved(case: Case, tmp_path: Path) -> None:
    random = Random(case.name)
    for _ in range(PER_CASE):
        text = mutant(case.text, random)
        if isinstance(verdict(case.program, text, hint_in(text)), Proof):
            after = rewritten(case.program, text).after.decode()
            assert computes_the_same(case.program, after, tmp_path), text


def test_all_kernels_have_mutants() -> None:
    assert PER_KERNEL.keys() == KERNELS.keys()
    assert sum(PER_KERNEL.values()) == 200


@pytest.mark.parametrize("kernel", KERNELS)
def test_no_emitted_text_with_a_fault_is_proved(kernel: str, tmp_path: Path) -> None:
    """All of them run next to the original, and most compute something else."""
    case = emitted(kernel)
    assert isinstance(verdict(case.program, case.text), Proof)
    random = Random(kernel)
    texts = [case.text, *(damaged(case.text, random) for _ in range(PER_KERNEL[kernel]))]
    changed = [rewritten(case.program, text).after.decode() for text in texts]
    same = same_ones(case.program, changed, tmp_path)
    assert 0 in same, "the text without a fault computes the same"
    assert len(same) < len(texts) / 2 + 1
    for number, text in enumerate(texts):
        if number not in same:
            assert not isinstance(verdict(case.program, text, hint_in(text)), Proof), text
