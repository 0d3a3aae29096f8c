"""Loops that were rewritten by hand: which instance runs where is found out, and then proved."""

from __future__ import annotations

import pytest

from loopwright.model.proofs import Proof, Unknown
from tests.verify.answers import verdict as check
from tests.verify.hand_written import RIGHT, WRONG, Pair, program


@pytest.mark.parametrize("pair", RIGHT.values(), ids=RIGHT)
def test_what_is_right_is_proved(pair: Pair) -> None:
    found = check(pair.original, pair.transformed, run=False, assume_non_negative=True)
    assert isinstance(found, Proof), str(found)


@pytest.mark.parametrize("pair", WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_not_proved(pair: Pair) -> None:
    found = check(pair.original, pair.transformed, run=False, assume_non_negative=True)
    assert isinstance(found, Unknown)


def answer(parameters: str, before: str, after: str) -> str:
    return str(check(program(parameters, before), program(parameters, after), run=False))


def test_an_iterator_that_is_a_value() -> None:
    before = "for (int i = 0; i < 100; i++)\n  A[i] = 3 * i;\n"
    after = (
        "for (int k = 0; k < 25; k++)\n  for (int r = 0; r < 4; r++)\n    A[4 * k + r] = 3 * {};\n"
    )
    assert answer("int *A", before, after.format("(4 * k + r)")).startswith("proved")
    assert answer("int *A", before, after.format("(4 * k)")).startswith("not proved")


def test_an_index_that_is_read() -> None:
    before = "for (int i = 0; i < n; i++)\n  A[P[i]] = B[i];\n"
    after = "for (int k = 1; k <= n; k++)\n  A[P[k - 1]] = B[{}];\n"
    parameters = "short n, int *P, double *A, double *B"
    assert answer(parameters, before, after.format("k - 1")).startswith("proved")
    assert answer(parameters, before, after.format("k")).startswith("not proved")


def test_the_same_statement_twice() -> None:
    before = (
        "for (int i = 0; i < n; i++)\n  A[i] += 1;\nfor (int i = 0; i < n; i++)\n  A[i] += 1;\n"
    )
    fused = "for (int i = 0; i < n; i++) {\n  A[i] += 1;\n  A[i] += 1;\n}\n"
    assert answer("int n, double *A", before, fused).startswith("proved")
    thrice = fused.replace("{\n", "{\n  A[i] += 1;\n")
    assert answer("int n, double *A", before, thrice).startswith("not proved")


def test_statements_that_touch_only_a_scalar() -> None:
    before = "for (int i = 0; i < n; i++)\n  for (int j = 0; j < m; j++)\n    s[0] = 2 * s[0];\n"
    turned = before.replace("i = 0; i < n; i++", "j = 0; j < m; j++", 1)
    turned = turned[:20] + turned[20:].replace("j = 0; j < m; j++", "i = 0; i < n; i++")
    parameters = "short n, short m, double *s"
    assert answer(parameters, before, before.replace("int i", "long i")).startswith("proved")
    once = "for (int i = 0; i < n; i++)\n  s[0] = 2 * s[0];\n"
    assert answer(parameters, before, once).startswith("not proved")


def test_the_reason_names_an_instance() -> None:
    before = "for (int i = 0; i < n; i++)\n  A[i] = 0;\n"
    late = answer("int n, double *A", before, before.replace("i = 0;", "i = 1;", 1))
    assert late.endswith("does not run (for n = 1: S0 at (i = 0))")
    long = answer("short n, double *A", before, before.replace("i < n", "i <= n"))
    assert long.endswith("runs more than the instances of A[i] = 0 (for n = 0: S0 at (i = 0))")
    other = answer("int n, double *A, double *B", before, before.replace("A[i]", "B[i]"))
    assert other == "not proved: the new text uses B, which the region did not"


def test_an_array_of_no_elements_is_not_forgotten() -> None:
    """At n = 0 the sum must still be set, though the array has no element."""
    before = "s[0] = 0;\nfor (int i = 0; i < n; i++)\n  s[0] += x[i];\n"
    after = "if (n > 0) {\n  s[0] = 0;\n  for (int i = 0; i < n; i++)\n    s[0] += x[i];\n}\n"
    parameters = "int n, double x[n], double *s"
    assert answer(parameters, before, before.replace("int i", "long i")).startswith("proved")
    found = answer(parameters, before, after)
    assert found == "not proved: an instance of s[0] = 0 does not run (for n = 0: S0)"


def test_sizes_that_do_not_fit_into_memory_do_not_count() -> None:
    before = "for (int i = 0; i < n; i++)\n  for (int j = 0; j < n; j++)\n    A[i][j] = 0;\n"
    after = (
        "for (int s = 0; s < n; s += 32)\n  for (int i = 0; i < n; i++)\n"
        "    for (int j = s; j < s + 32 && j < n; j++)\n      A[i][j] = 0;\n"
    )
    assert answer("int n, double A[n][n]", before, after).startswith("proved")
    flat = before.replace("  for (int j = 0; j < n; j++)\n  ", "").replace("[i][j]", "[i]")
    strips = (
        "for (int s = 0; s < n; s += 32)\n  for (int i = s; i < s + 32 && i < n; i++)\n"
        "    A[i] = 0;\n"
    )
    assert "overflow" in answer("int n, double *A", flat, strips)
    assert answer("short n, double *A", flat, strips).startswith("proved")
