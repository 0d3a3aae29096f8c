"""What ``--explain LINE`` says, against what the programs say when read by hand."""

from __future__ import annotations

import re

import pytest

from loopwright import InputError, read_c
from loopwright.report.explanations import explanation, source_lines
from loopwright.report.findings import findings

from .programs import kernel


def explained(program: str, line: int) -> str:
    """The explanation in one line, without the breaks between words."""
    regions = [findings(each) for each in read_c(program)]
    return re.sub(r"\s+", " ", explanation(regions, line, source_lines("k.c", program.encode())))


def refusal(program: str, line: int) -> str:
    with pytest.raises(InputError) as refused:
        explained(program, line)
    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.code == "LW702"
    assert diagnostic.span.line == line
    return diagnostic.hint


RECURRENCE = kernel(
    "for (int i = 2; i < n; i++)\nA[i] = A[i - 2] + B[i];\nfor (int j = 0; j < n; j++)\nB[j] = 0;"
)


def test_a_loop_that_is_not_parallel() -> None:
    # i = 2 is the first iteration; the first that needs it is i = 4, if n is 5 at least.
    text = explained(RECURRENCE, 4)
    assert text.startswith("k.c:4: for (int i = 2; i < n; i++) The loop over i is not parallel.")
    assert "depend on each other in one way: flow dependence through A, distance (2)" in text
    assert "5 | A[i] = A[i - 2] + B[i];" in text
    pair = "S0 at (i = 4) on line 5 reads A[2], which S0 at (i = 2) on line 5 has to write first"
    assert f"for n = 5: {pair}" in text
    assert "help" not in text


def test_a_parallel_loop() -> None:
    text = explained(RECURRENCE, 6)
    assert "The loop over j is parallel: no iteration depends on another. Assumed:" in text
    assert text.endswith("- the arrays A, B do not overlap")


def test_every_obstacle_is_told() -> None:
    body = "for (int i = 1; i < n - 1; i++)\nA[i] = A[i - 1] + A[i + 1];"
    text = explained(kernel(body), 4)
    assert "in 2 ways" in text
    assert "S0 at (i = 2) on line 5 reads A[1], which S0 at (i = 1) on line 5 has to write" in text
    # A[2] is read in iteration 1, as A[i + 1], and overwritten in iteration 2.
    assert (
        "S0 at (i = 2) on line 5 overwrites A[2], which S0 at (i = 1) on line 5 has to read" in text
    )


def test_reading_and_writing_is_one_sentence() -> None:
    text = explained(
        kernel("for (int i = 0; i < n; i++)\n*s += A[i];", "int n, double A[n], double *s"), 4
    )
    assert (
        text.count("overwrites s[0], which S0 at (i = 0) on line 5 has to read and write first")
        == 1
    )
    assert "If the sum in s may be reassociated, its steps may run in any order." in text


ROUNDING = "Floating-point results may then differ in their last digits."


@pytest.mark.parametrize(
    ("step", "type_", "is_rounded"),
    [
        ("*s += A[i];", "double", True),
        ("*s *= A[i];", "float", True),
        ("*s += A[i];", "int", False),
        ("*s |= A[i];", "long", False),
        ("if (*s < A[i]) *s = A[i];", "double", False),
    ],
)
def test_results_differ_only_where_steps_round(step: str, type_: str, is_rounded: bool) -> None:
    program = kernel(f"for (int i = 0; i < n; i++)\n{step}", f"int n, {type_} A[n], {type_} *s")
    text = explained(program, 4)
    assert "in s may be reassociated, its steps may run in any order." in text
    assert (ROUNDING in text) == is_rounded


def test_members_of_structs_are_named_as_the_source_names_them() -> None:
    body = "for (int i = 0; i < n; i++) {\nq->x = A[i];\nB[i] = q->x; }"
    program = "struct point { double x, y; };\n" + kernel(
        body, "int n, double A[n], double B[n], struct point *q"
    )
    text = explained(program, 5)
    assert "through q[..].x, distance (1)" in text
    assert "A private copy of q[..].x for each iteration" in text
    assert "__pencil_kill(q) at the end" in text
    assert "q_x" not in text


def test_a_private_copy_would_help() -> None:
    body = "for (int i = 0; i < n; i++) {\nt = A[i];\nB[i] = t; }"
    inside = explained(kernel(body, before="double t;"), 4)
    assert "What would help: - A private copy of t for each iteration" in inside
    assert "__pencil_kill" not in inside
    outside = explained("double t;\n" + kernel(body), 5)
    assert "__pencil_kill(t) at the end, says so." in outside


def test_a_promise_would_help() -> None:
    body = "for (int i = 0; i < n; i++)\nA[to[i]] = B[i];"
    program = kernel(body, "int n, int to[n], double A[n], double B[n]")
    assert "write #pragma pencil independent in front of the loop" in explained(program, 4)


def test_no_promise_helps_against_what_is_certain() -> None:
    body = "for (int i = 1; i < n; i++) {\nA[to[i]] = B[i];\nB[i] = B[i - 1]; }"
    program = kernel(body, "int n, int to[n], double A[n], double B[n]")
    assert "pencil" not in explained(program, 4)


def test_variables_of_an_iteration_are_no_obstacles() -> None:
    body = "for (int i = 0; i < n; i++) {\ndouble t = A[i];\nB[i] = t;\n*s += t; }"
    text = explained(kernel(body, "int n, double A[n], double B[n], double *s"), 4)
    assert "through s" in text
    assert "through t" not in text


# --- statements -----------------------------------------------------------------------------------

CHAIN = kernel(
    """for (int i = 1; i < n; i++) {
A[i] = B[i - 1];
B[i] = A[i] + C[i]; }
for (int i = 0; i < n; i++)
C[i] = B[i];""",
    "int n, double A[n], double B[n], double C[n]",
)


def sides(text: str) -> dict[str, str]:
    """The sections of the explanation of a statement."""
    parts = re.split(r"(S\d (?:needs|is needed by|overwrites|uses)(?: what is \w+ \w+ by)?) ", text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_a_statement_and_those_before_and_after_it() -> None:
    text = sides(explained(CHAIN, 6))
    assert list(text) == [
        "S1 needs",
        "S1 is needed by",
        "S1 uses what is overwritten afterwards by",
    ]
    needs, needed, used = text.values()
    assert "S0 on line 5, which writes A[i]: distance (0), within an iteration" in needs
    assert "5 | A[i] = B[i - 1];" in needs
    assert "C[x] where 0 < x < n: what is there before the region" in needs
    assert "S0 on line 5, which reads B[i - 1]: distance (1), i (line 4)" in needed
    assert "S2 on line 8, which reads B[i]: no common loop" in needed
    assert "what comes after the region: B[x] where 0 < x < n" in needed
    assert "S2 on line 8, which overwrites C[i]: no common loop" in used
    assert (
        "for n = 2: S2 at (i = 1) on line 8 overwrites C[1], which S1 at (i = 1) on line 6" in used
    )


def test_a_statement_that_needs_itself_says_so_once() -> None:
    text = explained(kernel("for (int i = 1; i < n; i++)\nA[i] = A[i - 1];"), 5)
    assert text.count("S0 on line 5, which") == 1
    assert "S0 needs S0 on line 5, which writes A[i]" in text


def test_a_statement_of_several_lines() -> None:
    program = kernel("A[0] = B[0]\n+ B[1]\n+ B[2];")
    assert explained(program, 4) == explained(program, 5) == explained(program, 6)


def test_a_statement_that_depends_on_nothing() -> None:
    program = kernel("double t;\nt = n;")
    assert "S0 depends on nothing." in explained(program, 5)


def test_a_loop_and_its_statement_on_one_line() -> None:
    text = explained(kernel("for (int i = 0; i < n; i++) A[i] = 0;"), 4)
    assert "The loop over i is parallel" in text
    assert "S0 is needed by what comes after the region: all of A" in text


# --- nothing to explain ---------------------------------------------------------------------------


def test_a_line_outside_of_the_regions() -> None:
    assert refusal(RECURRENCE, 1) == "loops are on lines 4 and 6, statements are on lines 5 and 7"


def test_a_line_behind_the_end() -> None:
    assert "lines 4 and 6" in refusal(RECURRENCE, 999)


def test_a_loop_that_never_runs() -> None:
    body = "for (int i = 3; i < 3; i++)\nA[i] = 0;\nB[0] = 1;"
    assert refusal(kernel(body), 5) == "statements are on line 6"
