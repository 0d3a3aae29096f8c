"""Loops that are part of a statement: the page and the explanations say so, with the reason."""

from __future__ import annotations

import pytest

from loopwright.report.table import table

from .programs import found_in, kernel
from .test_documents import region_of
from .test_explanations import explained
from .test_table import section

DATA = "int n, int K[n], double A[n], double M[n][n]"


def kept(body: str, before: str = "") -> list[str]:
    """What the page says of the loops that have no verdict; the body starts on line 4."""
    lines = section(table(found_in(kernel(body, DATA, before))), "loops")
    return [line for line in lines if "kept whole" in line]


REASONS = {
    "for (int j = 0; j < n; j++) {\nif (A[j] < 0) break;\nA[j] = 1; }": (
        "j (line 5): kept whole in S0: it may be left by break"
    ),
    "for (;;) {\nA[i] += 1;\nif (A[i] > 9) break; }": (
        "a loop (line 5): kept whole in S0: it may be left by break"
    ),
    "while (A[i] > 1)\nA[i] /= 2;": "a loop (line 5): kept whole in S0: it is a while loop",
    "do\nA[i] /= 2;\nwhile (A[i] > 1);": "a loop (line 5): kept whole in S0: it is a do loop",
    "for (int j = 0; j < K[i]; j++)\nA[i] += j;": (
        "j (line 5): kept whole in S0: its iterations are not affine"
    ),
    "for (int j = 1; j < n; j *= 2)\nA[i] += j;": (
        "j (line 5): kept whole in S0: its iterations are not affine"
    ),
    "if (K[i])\nfor (int j = 0; j < n; j++)\nA[i] += M[i][j];": (
        "j (in lines 5-7): kept whole in S0: a condition around it is not affine"
    ),
    "{ if (K[i]) continue;\nfor (int j = 0; j < n; j++)\nA[i] += M[i][j]; }": (
        "j (in lines 5-7): kept whole in S0: break or continue may end what it stands in"
    ),
    "{ double *row = M[K[i]];\nfor (int j = 0; j < n; j++)\nA[i] += row[j]; }": (
        "j (in lines 5-7): kept whole in S0: a pointer beside it is set by data"
    ),
    "do {\nfor (int j = 0; j < n; j++)\nA[i] += M[i][j]; } while (0);": (
        "j (in lines 5-7): kept whole in S0: it stands in a do loop"
    ),
}


@pytest.mark.parametrize("body", REASONS)
def test_the_page_tells_why_a_loop_has_no_verdict(body: str) -> None:
    assert kept(f"for (int i = 0; i < n; i++)\n{body}") == [REASONS[body]]


def test_an_iterator_that_is_used_outside() -> None:
    body = "for (j = 0; j < n; j++)\nA[j] = 0;\nA[0] = j;"
    reason = "the value of its iterator is used outside of it"
    assert kept(body, before="int j;") == [f"j (line 4): kept whole in S0: {reason}"]


def test_only_the_outermost_loop_is_listed() -> None:
    body = "while (A[0] > 1)\nfor (int j = 0; j < n; j++)\nA[j] /= 2;"
    assert len(kept(body)) == 1


def test_loops_of_both_branches() -> None:
    body = """for (int i = 0; i < n; i++)
if (K[i])
for (int j = 0; j < n; j++) A[j] += 1;
else
for (int l = 0; l < n; l++) A[l] += 2;"""
    assert [line.split(" ")[0] for line in kept(body)] == ["j", "l"]


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i++)\nif (K[i]) A[i] = 0;",
        "for (int i = 0; i < n; i++) {\nif (K[i]) continue;\nA[i] = 0; }",
        "for (int i = 0; i < n; i++)\ndo { if (K[i]) break; A[i] = 0; } while (0);",
        "for (int i = 0; i < n; i++)\nfor (int j = 0; j < i; j++)\nA[j] = 0;",
        "if (n < 0)\nwhile (A[0] > 0)\nA[0] = A[1];",
    ],
)
def test_where_no_loop_is_kept(body: str) -> None:
    """The last one never runs, since an array of n elements has some."""
    assert found_in(kernel(body, DATA)).kept == ()


def test_loops_stand_in_the_order_of_the_source() -> None:
    body = """while (A[0] > 1)
A[0] /= 2;
for (int i = 0; i < n; i++)
A[i] = 0;
while (A[1] > 1)
A[1] /= 2;"""
    lines = section(table(found_in(kernel(body, DATA))), "loops")
    assert [line.split(")")[0] for line in lines] == [
        "a loop (line 4",
        "i (line 6",
        "a loop (line 8",
    ]


@pytest.mark.parametrize("line", [5, 6, 7])
def test_the_lines_of_a_kept_loop_are_explained(line: int) -> None:
    body = "for (int j = 0; j < n; j++) {\nif (A[j] < 0) break;\nA[j] = 1; }"
    text = explained(kernel(f"for (int i = 0; i < n; i++)\n{body}", DATA), line)
    assert "The loop over j is kept whole, as S0: it may be left by break." in text
    assert "S0 is needed by" in text


def test_a_loop_in_a_part_of_a_statement_is_explained() -> None:
    body = "for (int i = 0; i < n; i++)\nif (K[i])\nfor (int j = 0; j < n; j++)\nA[i] += M[i][j];"
    text = explained(kernel(body, DATA), 6)
    reason = "a condition around it is not affine"
    assert f"The loop over j in lines 5-7 is kept whole, as a part of S0: {reason}." in text


def test_the_document_lists_them() -> None:
    region = region_of(kernel("while (A[0] > 1)\nA[0] /= 2;", DATA))
    (loop,) = region["kept_loops"]
    assert loop.pop("span").startswith("4:1-5:")
    assert loop == {"iterator": None, "statement": "S0", "reason": "it is a while loop"}
    assert region["loops"] == []
