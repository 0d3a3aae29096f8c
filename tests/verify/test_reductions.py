"""Reductions are proved where they were asked for, up to reassociation, and nothing else is."""

from __future__ import annotations

import re

import pytest

from loopwright.model.proofs import Proof, Unknown
from tests.verify.programs import Case
from tests.verify.reduction_programs import REDUCTIONS, UNPROVABLE
from tests.verify.rewritten import verdict

SPOILED = [(case, name) for case in REDUCTIONS for name in case.wrong]


@pytest.mark.parametrize("case", REDUCTIONS, ids=lambda each: each.name)
def test_proved_where_it_was_asked_for(case: Case) -> None:
    found = verdict(case.program, case.text, reassociates=True)
    assert isinstance(found, Proof), str(found)
    assert found.reductions == ("s",)
    assert str(found).startswith("proved up to reassociation: ")
    assert isinstance(verdict(case.program, case.text), Unknown)


@pytest.mark.parametrize(("case", "name"), SPOILED, ids=lambda each: getattr(each, "name", each))
def test_not_proved(case: Case, name: str) -> None:
    found = verdict(case.program, case.spoiled(name), reassociates=True)
    assert isinstance(found, Unknown)
    assert "not valid C" not in found.reason


@pytest.mark.parametrize("case", UNPROVABLE, ids=lambda each: each.name)
def test_no_reduction(case: Case) -> None:
    """The clause is to blame: without it, one after the other, the text is right."""
    assert isinstance(verdict(case.program, case.text, reassociates=True), Unknown)
    in_sequence = re.sub(r"#pragma.*\n", "\n", case.text)
    found = verdict(case.program, in_sequence, reassociates=True)
    assert isinstance(found, Proof), str(found)
    assert found.reductions == ()
