"""What the programmer promises about a loop holds for the new text, and nothing more."""

from __future__ import annotations

import pytest

from loopwright.model.proofs import Proof, Unknown
from tests.verify.rewritten import verdict

PROGRAM = """void f(int n, const int *restrict to, double *restrict out, double *restrict other) {{
#pragma scop
{pragma}
for (int i = 0; i < n; i++)
  for (int j = 0; j < n; j++)
    {body}
#pragma endscop
}}
"""
TEXT = """
{outer}
for (int c0 = 0; c0 < n; c0++)
  {inner}
  for (int c1 = 0; c1 < n; c1++)
    {body} // S0(c0, c1)
"""
SCATTER = "out[to[i + j]] += 1;"
PARALLEL = "#pragma omp parallel for"


def found(promise: str, body: str = SCATTER, *, outer: str = "", inner: str = "") -> str:
    new = TEXT.format(outer=outer, inner=inner, body=body.replace("i + j", "c0 + c1"))
    return type(verdict(PROGRAM.format(pragma=promise, body=body), new)).__name__


@pytest.mark.parametrize("promise", ["", "#pragma pencil independent"])
def test_loops_in_sequence_need_no_promise(promise: str) -> None:
    assert found(promise) == Proof.__name__


def test_a_promise_is_what_a_parallel_loop_needs() -> None:
    assert found("", outer=PARALLEL) == Unknown.__name__
    assert found("#pragma pencil independent", outer=PARALLEL) == Proof.__name__


def test_a_promise_about_one_array_is_none_about_another() -> None:
    promise = "#pragma pencil independent(out)"
    assert found(promise, outer=PARALLEL) == Proof.__name__
    other = "other[to[i + j]] += 1;"
    assert found(promise, other, outer=PARALLEL) == Unknown.__name__


def test_a_promise_about_one_loop_is_none_about_another() -> None:
    assert found("#pragma pencil independent", inner=PARALLEL) == Unknown.__name__
