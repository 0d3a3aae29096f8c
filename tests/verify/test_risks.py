"""What may leave its type fits it if the original computes the same."""

from __future__ import annotations

import re

import islpy as isl
import pytest

from loopwright import Proof
from loopwright.basics.spans import Span
from loopwright.frontend.c_types import IntType
from loopwright.frontend.polynomials import Polynomial
from loopwright.frontend.risks import Risk
from loopwright.frontend.scope import Scope
from tests.verify.answers import verdict as check

NEST = """\
void f({types}, double *A, int *x) {{
#pragma scop
  for ({of} i = 0; i < n; i++)
    for ({of} j = 0; j < m; j++)
      {body}
#pragma endscop
}}
"""


def answer(of: str, old: str, new: str) -> str:
    frame = NEST.replace("{types}", f"{of} n, {of} m").replace("{of}", of)
    found = check(frame.format(body=old), frame.format(body=new), run=False)
    return "equivalent" if isinstance(found, Proof) else str(found)


@pytest.mark.parametrize(
    ("of", "old", "new"),
    [
        ("int", "A[i * m + j] = 1;", "A[(long)i * m + j] = 1;"),
        ("int", "A[i * m + j] = 1;", "A[m * i + j] = 1;"),
        ("int", "A[i * m + j] = 1;", "A[(n - 1 - i) * m + j] = 1;"),
        ("int", "A[i * m + j] = A[(long)i * m + j] + 1;", "A[i * m + j] = A[i * m + j] + 1;"),
        ("unsigned", "A[i * m + j] = 1;", "A[(i + 0) * m + j] = 1;"),
        ("short", "A[(long)i * m + j] = 1;", "A[i * m + j] = 1;"),
        ("long", "A[i * m + j] = 1;", "A[i * m + (m - 1 - j)] = 1;"),
        ("long", "A[i * m + j] = 1;", "A[(i + 1) * m - m + j] = 1;"),
        (
            "int",
            "if (i < 9 && m < 9) A[(long)i * m + j] = 1;",
            "if (i < 9 && m < 9) A[i * m + j] = 1;",
        ),
    ],
)
def test_the_original_computes_the_same(of: str, old: str, new: str) -> None:
    assert answer(of, old, new) == "equivalent"


@pytest.mark.parametrize(
    ("of", "old", "new", "text"),
    [
        ("int", "A[(long)i * m + j] = 1;", "A[i * m + j] = 1;", "i * m fits int"),
        ("int", "A[(long)(i * m) + j] = 1;", "A[i * m + j] = 1;", "i * m + j fits int"),
        ("int", "A[i * m + j] = 1;", "A[(i + 1) * m - m + j] = 1;", "(i + 1) * m fits int"),
        ("int", "A[i * m + j] = 1;", "A[-(-i * m) + j] = 1;", "-i * m fits int"),
        (
            "int",
            "{ A[(long)i * m + j] = 1; if (x[j]) x[j] = 0; else A[i * m + j] = 1; }",
            "{ A[i * m + j] = 1; if (x[j]) x[j] = 0; else A[i * m + j] = 1; }",
            "i * m fits int",
        ),
        (
            "int",
            "{ A[(long)i * m + j] = 1; if (x[j]) A[i * m + j] = 1; }",
            "{ A[i * m + j] = 1; if (x[j]) A[i * m + j] = 1; }",
            "i * m fits int",
        ),
    ],
)
def test_only_the_new_product_may_leave_its_type(of: str, old: str, new: str, text: str) -> None:
    assert f"it would have to be known that {text}" in answer(of, old, new)


SOME = "[n] -> { : n > 0 }"


def guarded(loops: str, subscript: str) -> str:
    return (
        "void f(int n, int x[n], int *B) {\n#pragma scop\n"
        f"{loops} if (x[i]) B[{subscript}] = 1;\n#pragma endscop\n}}\n"
    )


def test_data_may_never_lead_to_what_overflows() -> None:
    """If a branch overflows that nobody takes, the original does not."""
    original = guarded("for (int i = 0; i < n; i++)", "i + 2000000000")
    strips = "for (int t = 0; t < n; t += 16) for (int i = t; i < (n - t < 16 ? n : t + 16); i++)"
    answer = check(original, guarded(strips, "i + 2000000000"), run=False)
    assert "t += 16 does not overflow" in str(answer)
    backwards = "for (int i = n - 1; i >= 0; i--)"
    answer = check(original, guarded(backwards, "i + 2000000000"), context=SOME, run=False)
    assert isinstance(answer, Proof)
    answer = check(original, guarded(backwards, "i - 5 + 2000000005"), context=SOME, run=False)
    assert isinstance(answer, Proof)
    answer = check(original, guarded(backwards, "i + 2000000005 - 5"), context=SOME, run=False)
    assert "i + 2000000005 fits int" in str(answer)


# --- one expression and another -------------------------------------------------------------------

SPAN = Span("a.c", 0, 1, 1, 1, 1, 2)
INT = IntType("int", 32, True, False)
UNSIGNED = IntType("unsigned int", 32, False, False)
SHORT = IntType("short", 16, True, False)
ROWS = isl.Set("[i, n] -> { : 0 <= i < n }")


def times(size: str, type_: IntType = INT, scope: Scope | None = None, factor: str = "i") -> Risk:
    """The value ``factor * size`` in a type."""
    unknowns = f"[{', '.join(sorted({'i', 'k', size}))}]"
    value, width = (isl.PwAff(f"{unknowns} -> {{ [({each})] }}") for each in (factor, size))
    name = str(width.get_pieces()[0][1])
    scope = scope or Scope(iterators=("i",), possible=ROWS, certain=ROWS)
    return Risk(Polynomial({(name,): value}, {name: width}), type_, scope, SPAN)


def is_taken(new: Risk, *old: Risk, possible: str = "{ : }") -> bool:
    return new.is_taken_by(old, isl.Set(possible))


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        (INT, INT, True),
        (INT, SHORT, True),
        (SHORT, INT, False),
        (INT, UNSIGNED, False),
        (UNSIGNED, INT, False),
    ],
)
def test_types_that_hold_no_more(new: IntType, old: IntType, expected: bool) -> None:
    assert is_taken(times("m", new), times("m", old)) is expected


def test_it_is_the_same_product() -> None:
    assert is_taken(times("m"), times("p"), times("m"))
    assert not is_taken(times("m"), times("p"))
    assert not is_taken(times("m", factor="i + 1"), times("m"))
    assert not is_taken(times("m"))


def test_several_together_compute_it() -> None:
    def part(condition: str) -> Scope:
        points = ROWS & isl.Set(f"[i] -> {{ : {condition} }}")
        return Scope(iterators=("i",), possible=points, certain=points)

    first, rest = times("m", scope=part("i < 5")), times("m", scope=part("i >= 5"))
    assert is_taken(times("m"), first, rest)
    assert not is_taken(times("m"), first)
    assert is_taken(times("m"), first, possible="[n] -> { : n <= 5 }")


def test_what_is_certain_counts_on_one_side_and_what_is_possible_on_the_other() -> None:
    nowhere = isl.Set("{ : }").complement()
    perhaps = times("m", scope=Scope(iterators=("i",), possible=ROWS, certain=nowhere))
    assert is_taken(perhaps, times("m"))
    assert not is_taken(times("m"), perhaps)
    assert not is_taken(perhaps, perhaps)


def test_iterators_inside_of_a_statement_are_iterators() -> None:
    points = isl.Set("[k, n] -> { : 0 <= k < n }")
    hidden = Scope(hidden=("k",), possible=points, certain=points)
    assert is_taken(times("m", scope=hidden, factor="k"), times("m"))
    assert is_taken(times("m"), times("m", scope=hidden, factor="k"))


def test_it_is_the_same_instance() -> None:
    def at(*iterators: str, hidden: tuple[str, ...] = (), factor: str = "i") -> Risk:
        inside = Scope(iterators=iterators, hidden=hidden, possible=ROWS, certain=ROWS)
        return times("m", scope=inside, factor=factor)

    one, turned = isl.Map("{ T[i] -> S[i] }"), isl.Map("[n] -> { T[i] -> S[n - 1 - i] }")
    assert at("i").is_taken_at([at("i")], one)
    assert not at("i").is_taken_at([at("i")], turned)
    assert not at("i").is_taken_at([at("i", factor="i + 1")], one)
    assert not at("i").is_taken_at([at("i", "k")], one)
    assert not at("i").is_taken_at([at("i", hidden=("k",))], one)
    assert at("i", hidden=("k",), factor="k").is_taken_at([at("i", hidden=("k",), factor="k")], one)


# --- branches that data choose --------------------------------------------------------------------

BRANCHES = """\
void f(int n, int m, const int *restrict c, char *restrict A, char *restrict B)
{{
#pragma scop
{text}
#pragma endscop
}}
"""
ROW = "for (int i = 0; i < n; i++) "


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "{ if (c[i] > 0) A[(long)i * m] = 1; else B[i * m] = 2; }",
            "{ if (c[i] > 0) A[i * m] = 1; else B[i * m] = 2; }",
        ),
        (
            "{ if (c[i] > 0) { A[(long)i * m] = 1; if (c[i] > 9) B[i * m] = 2; } }",
            "{ if (c[i] > 0) { A[i * m] = 1; if (c[i] > 9) B[i * m] = 2; } }",
        ),
        (
            "{ if (c[i]) { if (c[i] > 9) A[(long)i * m] = 1; if (c[i] < 5) B[i * m] = 2; } }",
            "{ if (c[i]) { if (c[i] > 9) A[i * m] = 1; if (c[i] < 5) B[i * m] = 2; } }",
        ),
        (
            "{ if (c[i] > 0) A[i + 5L] = 1; if (c[i] < 0) B[i + 5] = 2; }",
            "{ if (c[i] > 0) A[i + 5] = 1; if (c[i] < 0) B[i + 5] = 2; }",
        ),
        (
            "{ if (c[i] > 0) A[(long)i * m] = 1; } " + ROW + "{ if (c[i] < 0) B[i * m] = 2; }",
            "{ if (c[i] > 0) A[i * m] = 1; } " + ROW + "{ if (c[i] < 0) B[i * m] = 2; }",
        ),
    ],
)
def test_another_branch_does_not_vouch(old: str, new: str) -> None:
    texts = [BRANCHES.format(text=ROW + each) for each in (old, new)]
    found = check(*texts, context="[m] -> { : m >= 1 }", run=False)
    assert " fits int" in str(found)
    back = check(texts[1], texts[0], context="[m] -> { : m >= 1 }", run=False)
    assert isinstance(back, Proof), str(back)


@pytest.mark.parametrize(
    "body",
    [
        "if (c[i] > 0) A[i * m] = 1; else B[i * m] = 2;",
        "if (c[i] > 0) { A[i * m] = 1; if (c[i] > 9) B[i * m + 1] = 2; }",
        "for (int k = 0; k < n; k++) if (c[k] > i) A[k * m + i] = 1;",
    ],
)
def test_the_same_branch_at_other_times_does(body: str) -> None:
    old = BRANCHES.format(text=ROW + body)
    turned = BRANCHES.format(text=ROW + re.sub(r"\bi\b", "(n - 1 - i)", body))
    found = check(old, turned, context="[n, m] -> { : m >= n >= 2 }", run=False)
    assert isinstance(found, Proof), str(found)
