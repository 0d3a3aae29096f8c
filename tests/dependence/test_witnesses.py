"""The pair of iterations that stands for a dependence, and the sentence about it."""

from __future__ import annotations

import islpy as isl

from loopwright import dependences, violations
from loopwright.dependence.witnesses import witness
from loopwright.model.dependences import Kind
from tests.frontend.expectations import model_of


def test_a_parameter_of_the_schedule_is_told() -> None:
    """Backwards for negative k only: without k, nobody could check it."""
    found = dependences(model_of("for (int i = 1; i < n; i++) A[i] = A[i - 1];", "int n, int *A"))
    schedule = isl.UnionMap(
        "[n, k] -> { S0[i] -> [i] : 0 < i < n and k >= 0; S0[i] -> [-i] : 0 < i < n and k < 0 }"
    )
    (broken,) = violations(schedule, found)
    assert broken.parameters == {"n": 3, "k": -1}
    assert str(broken).startswith("for n = 3, k = -1: S0 at (i = 2) on line")


def test_a_parameter_that_does_not_matter_is_not_told() -> None:
    found = dependences(model_of("for (int i = 1; i < n; i++) A[i] = A[i - 1];", "int n, int *A"))
    (broken,) = violations(isl.UnionMap("[n, k] -> { S0[i] -> [-i] : 0 < i < n }"), found)
    assert broken.parameters == {"n": 3}


def test_a_member_is_named_as_the_source_names_it() -> None:
    scop = model_of(
        "for (int i = 0; i < n; i++) { q.x = A[i]; A[i] = q.x + i; }",
        "int n, int *A",
        prelude="struct Q { int x; };",
        before="struct Q q;",
    )
    (flow,) = (each for each in dependences(scop).edges() if each.kind is Kind.FLOW)
    assert flow.array == "q_x"
    assert witness(flow, scop).element == "q.x"
