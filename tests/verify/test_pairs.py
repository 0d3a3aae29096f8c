"""Hand-written texts: right ones are proved, and each way to spoil them is noticed."""

from __future__ import annotations

import pytest

from loopwright.model.proofs import Instance, Proof, Unknown
from tests.verify.programs import CASES, INTERCHANGE, UNSKEWED, Case
from tests.verify.rewritten import verdict

SPOILED = [(case, name) for case in CASES for name in case.wrong]


@pytest.mark.parametrize("case", CASES, ids=lambda each: each.name)
def test_proved(case: Case) -> None:
    found = verdict(case.program, case.text)
    assert isinstance(found, Proof), str(found)


@pytest.mark.parametrize(("case", "name"), SPOILED, ids=lambda each: getattr(each, "name", each))
def test_not_proved(case: Case, name: str) -> None:
    assert isinstance(verdict(case.program, case.spoiled(name)), Unknown)


def test_a_legal_tiling_needs_skewed_loops() -> None:
    """The order of the accesses is not kept, and values come from other iterations."""
    assert isinstance(verdict(UNSKEWED.program, UNSKEWED.text), Unknown)


def test_a_wrong_hint_proves_nothing() -> None:
    constant = Instance("S0", ())
    for hint in ((), (None,), (constant,), (Instance("S7", ()),), (None, None, constant)):
        assert isinstance(verdict(INTERCHANGE.program, INTERCHANGE.text, hint), Unknown)
