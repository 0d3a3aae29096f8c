"""Mutated texts: none that computes something else is proved."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from loopwright.model.proofs import Proof
from tests.verify.mutants import computes_the_same, mutant
from tests.verify.programs import CASES, Case
from tests.verify.rewritten import hint_in, rewritten, verdict

PER_CASE = 25


@pytest.mark.parametrize("case", CASES, ids=lambda each: each.name)
def test_the_oracle_accepts_what_is_right(case: Case, tmp_path: Path) -> None:
    after = rewritten(case.program, case.text).after.decode()
    assert computes_the_same(case.program, after, tmp_path)


@pytest.mark.parametrize("case", CASES, ids=lambda each: each.name)
def test_no_wrong_mutant_is_proved(case: Case, tmp_path: Path) -> None:
    random = Random(case.name)
    for _ in range(PER_CASE):
        text = mutant(case.text, random)
        if isinstance(verdict(case.program, text, hint_in(text)), Proof):
            after = rewritten(case.program, text).after.decode()
            assert computes_the_same(case.program, after, tmp_path), text
