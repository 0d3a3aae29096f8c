"""Which loops are parallel, and what would free those that are not."""

from __future__ import annotations

import pytest

from loopwright.report.table import verdict_text

from .programs import found_in, kernel, verdict_on

ARRAYS = "int n, double A[n], double B[n], double *out"


def text_on(body: str, iterator: str, before: str = "double t;", parameters: str = ARRAYS) -> str:
    return verdict_text(verdict_on(found_in(kernel(body, parameters, before)), iterator))


def test_a_loop_without_dependences() -> None:
    assert text_on("for (int i = 0; i < n; i++)\nA[i] = B[i];", "i") == "parallel"


def test_a_value_that_flows_from_one_iteration_to_another() -> None:
    assert text_on("for (int i = 1; i < n; i++)\nA[i] = A[i - 1];", "i") == "not parallel"


def test_a_temporary_that_the_iterations_share() -> None:
    body = "for (int i = 0; i < n; i++) {\nt = A[i];\nB[i] = t * t; }"
    assert text_on(body, "i") == "parallel with a private copy of t for each iteration"


def test_a_temporary_that_somebody_may_need_afterwards() -> None:
    body = "for (int i = 0; i < n; i++) {\n*out = A[i];\nB[i] = *out * *out; }"
    remedy = "parallel with a private copy of out for each iteration"
    assert text_on(body, "i") == f"{remedy}, if out is not needed after the region"


def test_a_result_is_no_temporary() -> None:
    body = "for (int i = 0; i < n; i++)\n*out = A[i];"
    assert text_on(body, "i") == "not parallel"


def test_a_temporary_whose_last_value_leaves_the_loop() -> None:
    # The last t of each row is used behind the inner loop: a private copy there would lose it.
    body = """for (int i = 0; i < n; i++) {
for (int j = 0; j < n; j++) {
t = A[j];
B[j] = t; }
*out = t; }"""
    assert text_on(body, "j") == "not parallel"


def test_a_temporary_that_an_iteration_reads_before_it_writes_it() -> None:
    body = "t = 0;\nfor (int i = 0; i < n; i++) {\nB[i] = t;\nt = A[i]; }"
    assert text_on(body, "i") == "not parallel"


def test_a_temporary_whose_first_value_comes_from_before_the_region() -> None:
    # No iteration reads what another one wrote, but the first one reads what was there.
    body = "for (int i = 0; i < n; i++)\nif (i == 0)\nB[i] = t;\nelse\nt = A[i];"
    assert text_on(body, "i", before="double t = 0;") == "not parallel"


def test_a_temporary_that_passes_its_value_on() -> None:
    # Odd iterations read what the even ones before them wrote.
    body = "for (int i = 0; i < n; i++)\nif (i % 2 == 0)\nt = A[i];\nelse\nB[i] = t;"
    assert text_on(body, "i") == "not parallel"


def test_a_temporary_that_only_some_iterations_write() -> None:
    # If no iteration has written t yet, its value comes from before the region.
    body = "for (int i = 0; i < n; i++) {\nif (A[i] > 0)\nt = A[i];\nB[i] = t; }"
    assert text_on(body, "i", before="double t = 0;") == "not parallel"


def test_a_temporary_that_keeps_its_value_over_the_outer_loop() -> None:
    # Row i uses what row i - 1 left: neither loop may have a copy of its own.
    body = """for (int i = 0; i < n; i++)
for (int j = 0; j < n; j++) {
if (j == 0)
B[i] = t;
if (j == n - 1)
t = A[i]; }"""
    found = found_in(kernel(body, ARRAYS, "double t = 0;"))
    assert verdict_text(verdict_on(found, "i")) == "not parallel"
    assert verdict_text(verdict_on(found, "j")) == "not parallel"


def test_what_is_declared_in_the_loop_has_its_copies_already() -> None:
    body = "for (int i = 0; i < n; i++) {\ndouble root = A[i];\nB[i] = root * root; }"
    verdict = verdict_on(found_in(kernel(body)), "i")
    assert verdict_text(verdict) == "parallel, each iteration with its own root"
    assert verdict.remedy is not None
    assert verdict.remedy.copied == ()


def test_what_is_declared_around_the_loop_has_none() -> None:
    body = """for (int k = 0; k < n; k++) {
double t;
for (int i = 0; i < n; i++) {
t = A[i];
B[i] = t * k; } }"""
    found = found_in(kernel(body))
    text = verdict_text(verdict_on(found, "i"))
    assert text == "parallel with a private copy of t for each iteration"


def test_what_is_killed_in_the_loop_is_not_declared_there() -> None:
    body = """double t;
for (int i = 0; i < n; i++) {
__pencil_kill(t);
t = A[i];
B[i] = t; }"""
    program = "void __pencil_kill();\n" + kernel(body)
    text = verdict_text(verdict_on(found_in(program), "i"))
    assert text == "parallel with a private copy of t for each iteration"


@pytest.mark.parametrize(
    ("step", "name"),
    [
        ("*out += A[i]", "sum"),
        ("*out = A[i] * *out", "product"),
        ("*out = *out > A[i] ? *out : A[i]", "maximum"),
        ("if (A[i] < *out) *out = A[i]", "minimum"),
    ],
)
def test_a_reduction(step: str, name: str) -> None:
    text = text_on(f"for (int i = 0; i < n; i++)\n{step};", "i")
    assert text == f"parallel if the {name} in out may be reassociated"


def test_a_sum_that_is_used_while_it_grows() -> None:
    body = "for (int i = 0; i < n; i++) {\n*out += A[i];\nB[i] = *out; }"
    assert text_on(body, "i") == "not parallel"


def test_a_sum_that_the_last_iteration_uses() -> None:
    # All that the loop carries are steps of the sum; but in any order, the last iteration may come
    # before some of them.
    body = "for (int i = 0; i < n; i++) {\nt += A[i];\nif (i == n - 1)\n*out = t; }"
    found = found_in(kernel(body, ARRAYS, "double t = 0;"))
    verdict = verdict_on(found, "i")
    assert all(each.dependence.reduction is not None for each in verdict.obstacles)
    assert verdict_text(verdict) == "not parallel"


def test_a_temporary_and_a_sum() -> None:
    body = "for (int i = 0; i < n; i++) {\nt = A[i];\n*out += t * t; }"
    remedy = "parallel with a private copy of t for each iteration"
    assert text_on(body, "i") == f"{remedy}, if the sum in out may be reassociated"


def test_the_sum_of_each_row_is_a_temporary_of_the_outer_loop() -> None:
    body = """for (int i = 0; i < n; i++) {
t = 0;
for (int j = 0; j < n; j++)
t += A[j];
B[i] = t; }"""
    found = found_in(kernel(body, ARRAYS, "double t;"))
    outer, inner = verdict_on(found, "i"), verdict_on(found, "j")
    assert verdict_text(outer) == "parallel with a private copy of t for each iteration"
    assert verdict_text(inner) == "parallel if the sum in t may be reassociated"


def test_the_most_telling_obstacle_comes_first() -> None:
    # t is only shared, the sum could be reassociated, but A[i] really needs A[i - 1].
    body = """for (int i = 1; i < n; i++) {
t = B[i];
*out += t;
A[i] = A[i - 1]; }"""
    verdict = verdict_on(found_in(kernel(body, ARRAYS, "double t;")), "i")
    assert verdict.obstacles[0].array == "A"
    assert verdict.obstacles[-1].array == "t"
    assert verdict.remedy is None
