"""What may leave its type fits it if the original computes the same."""

from __future__ import annotations

import pytest

from loopwright import Proof, check

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
