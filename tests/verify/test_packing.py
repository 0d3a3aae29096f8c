"""Local copies of parts of arrays: right ones are proved, and each way to spoil them is noticed."""

from __future__ import annotations

import pytest

from loopwright.model.proofs import Proof, Unknown
from tests.verify.packed_programs import PACKED_CASES
from tests.verify.programs import Case
from tests.verify.rewritten import verdict

SPOILED = [(case, name) for case in PACKED_CASES for name in case.wrong]


@pytest.mark.parametrize("case", PACKED_CASES, ids=lambda each: each.name)
def test_proved(case: Case) -> None:
    found = verdict(case.program, case.text)
    assert isinstance(found, Proof), str(found)


@pytest.mark.parametrize(("case", "name"), SPOILED, ids=lambda each: getattr(each, "name", each))
def test_not_proved(case: Case, name: str) -> None:
    found = verdict(case.program, case.spoiled(name))
    assert isinstance(found, Unknown)
    assert "not valid C" not in found.reason
