"""``check``: a proof, a case in which two programs differ, or the reason why neither was found."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import Counterexample, InputError, Proof, Unknown, check, optimize
from tests.verify.hand_written import RIGHT, WRONG

DIFFERENT = (
    "matmul: one off",
    "matmul: no remainder",
    "matmul: two matrices mixed up",
    "matmul: tiles that overlap",
    "stencil: fusion without a shift",
    "seidel: backwards",
    "vectors: fusion in the wrong order",
    "copies: the wrong remainder",
    "recurrence: backwards",
)


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_case_in_which_the_programs_differ(name: str) -> None:
    pair = WRONG[name]
    found = check(pair.original, pair.transformed, assume_non_negative=True)
    assert isinstance(found, Counterexample), str(found)
    assert found.before != found.after
    assert found.reason.startswith("not proved: ")


def test_a_case_names_the_instances_and_their_lines() -> None:
    pair = WRONG["matmul: one off"]
    found = check(pair.original, pair.transformed, assume_non_negative=True)
    assert isinstance(found, Counterexample)
    assert dict(found.parameters) == {"n": 1}
    assert found.element == "C[0][0]"
    assert found.original.startswith("S1 at (i = 0, j = 0, k = 0), line 8")
    assert found.transformed.startswith("S0 at (i = 0, j = 0), line 6")


def test_what_differs_outside_the_regions_is_found() -> None:
    pair = RIGHT["interchange"]
    spoiled = pair.transformed.replace("{\n#pragma scop", "{\n  A[0][0] = 1;\n#pragma scop")
    found = check(pair.original, spoiled, assume_non_negative=True)
    assert isinstance(found, Counterexample)
    assert "the file differs outside its regions" in found.reason


def test_programs_that_only_seem_to_differ() -> None:
    """The model does not see that the two are the same, and no case shows a difference."""
    pair = WRONG["stencil: another order of a sum"]
    new = pair.original.replace("A[i] = B[i]", "A[i] = B[i] * 1")
    found = check(pair.original, new, run=True)
    assert isinstance(found, Unknown)
    assert "neither runs an original statement nor moves a value" in found.reason


STARTING = """\
#include <stdio.h>
__attribute__((constructor)) static void begin(void) {{ fclose(fopen("{place}", "w")); }}
void f(int n, long double a[n])
{{
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = i + 1;
#pragma endscop
}}
"""


def test_nothing_is_executed_unless_that_is_asked_for(tmp_path: Path) -> None:
    """The values are of a type that only a compiler knows, so that there is no other case."""
    place = tmp_path / "executed"
    old = STARTING.format(place=place)
    new = old.replace("i + 1", "i + 2")
    assert isinstance(check(old, new), Unknown)
    assert isinstance(check(old, new, compiler="no-such-compiler", run=True), Unknown)
    assert not place.exists()
    found = check(old, new, run=True)
    assert isinstance(found, Counterexample)
    assert (found.element, found.before, found.after) == ("a[0]", "1", "2")
    assert place.exists()


def test_a_case_is_evaluated_where_there_is_no_compiler() -> None:
    pair = WRONG["matmul: one off"]
    found = check(pair.original, pair.transformed, compiler="no-such-compiler", run=True)
    assert isinstance(found, Counterexample)


def test_our_own_programs(tmp_path: Path) -> None:
    original = RIGHT["interchange"].original
    (tmp_path / "new.c").write_text(optimize(original).code)
    assert isinstance(check(original, tmp_path / "new.c", run=False), Proof)
    (tmp_path / "bad.c").write_text(optimize(original).code.replace("= 0;", "= 1;", 1))
    assert isinstance(check(original, tmp_path / "bad.c"), Counterexample)


def test_reductions_in_another_order_have_to_be_asked_for() -> None:
    original = """double f(int n, double *x) {
  double s = 0;
#pragma scop
  for (int i = 0; i < n; i++)
    s += x[i];
#pragma endscop
  return s;
}
"""
    new = original.replace("  for", "  #pragma omp parallel for reduction(+: s)\n  for")
    assert isinstance(check(original, new, run=False), Unknown)
    found = check(original, new, reassociate=True, run=False)
    assert isinstance(found, Proof)
    assert found.reductions == ("s",)


CALLING = """\
void q(void);
void f(int n, double {promise} A[n], const double *B, double s) {{
#pragma scop
{text}
#pragma endscop
}}
"""
TOGETHER = "for (int i = 0; i < n; i++) {{ A[i] = {value}; q(); }}"
ONE_BY_ONE = "for (int i = 0; i < n; i++) A[i] = {value};\nfor (int i = 0; i < n; i++) q();"
RETURNS = "all functions that it calls return"
FUNCTIONS = "unknown functions touch nothing behind {} that they are not given"


@pytest.mark.parametrize(
    ("promise", "value", "assumed"),
    [
        ("*", "s", (RETURNS, FUNCTIONS.format("A"))),
        ("*", "B[i]", (RETURNS, FUNCTIONS.format("A, B"), "the arrays A, B do not overlap")),
    ],
)
def test_the_answer_names_what_is_assumed(
    promise: str, value: str, assumed: tuple[str, ...]
) -> None:
    frame = CALLING.replace("A[n]", "A")
    old, new = (
        frame.format(promise=promise, text=text.format(value=value))
        for text in (TOGETHER, ONE_BY_ONE)
    )
    found = check(old, new, run=False)
    assert isinstance(found, Proof)
    assert found.assumed == assumed


def test_functions_that_never_return_are_not_reached() -> None:
    frame = "#include <stdlib.h>\nvoid f(int n, double *restrict A, const int *restrict c) {{\n"
    frame += "#pragma scop\n{}\n#pragma endscop\n}}\n"
    loop = "for (int i = 0; i < n; i++) "
    old = frame.format(loop + "{ if (c[i] > 10) exit(1); A[i] = 1; }")
    new = frame.format(loop + "A[i] = 1; " + loop + "if (c[i] > 10) exit(1);")
    found = check(old, new, run=False)
    assert isinstance(found, Proof)
    assert found.assumed == ("exit is not reached",)
    both = [each.replace("exit(1)", "{ q(); exit(1); }") for each in (old, new)]
    found = check(*("void q(void);\n" + each for each in both), run=False)
    assert isinstance(found, Proof)
    expected = ("exit is not reached", "all other functions that it calls return")
    assert found.assumed == expected


def test_sizes_are_assumed_to_be_what_they_are_declared() -> None:
    frame = "void f(int n, double A[restrict n]) {{\n#pragma scop\n{}\n#pragma endscop\n}}\n"
    old = frame.format("for (int i = 0; i < n; i++) A[i] = 1;")
    found = check(old, old.replace("A[i]", "A[n - 1 - i]"), run=False)
    assert isinstance(found, Proof)
    assert found.assumed == ()
    far = frame.format("for (int i = 0; i < 2; i++) A[i] = 1;")
    found = check(far, far.replace("A[i]", "A[n - 1 - (n - 1 - i)]"), run=False)
    assert isinstance(found, Proof)
    assert found.assumed == ("the original stays within its arrays, as they are declared",)


def test_programs_that_cannot_be_read() -> None:
    original = RIGHT["interchange"].original
    with pytest.raises(InputError, match=r"^new\.c:"):
        check(original, original.replace("endscop\n}", "endscop\n"))
    with pytest.raises(InputError, match=r"^original\.c:"):
        check(original.replace("endscop\n}", "endscop\n"), original)
    with pytest.raises(InputError, match="no #pragma scop"):
        check("void f(void) {}\n", original)


def test_promises_of_the_user_count() -> None:
    pair = RIGHT["loops that run backwards"]
    found = check(pair.original, pair.transformed, run=False)
    assert isinstance(found, Unknown)
    assert found.witness == "n = -2147483648"
    found = check(pair.original, pair.transformed, run=False, context="[n] -> { : n > -9 }")
    assert isinstance(found, Proof)


@pytest.mark.parametrize(("most", "is_same"), [(255, True), (200, False)])
def test_types_bound_what_parameters_can_be(most: int, is_same: bool) -> None:
    frame = (
        "void f(unsigned char n, double *restrict A) {{\n#pragma scop\n"
        "for (int i = 0; i < {}; i++) if (i < n) A[i] = 1;\n#pragma endscop\n}}\n"
    )
    found = check(frame.format("n"), frame.format(most), run=False)
    if is_same:
        assert isinstance(found, Proof)
    else:
        assert isinstance(found, Counterexample)
        assert dict(found.parameters) == {"n": 201}
        assert found.reason.endswith("(for n = 201: S0 at (i = 200))")
