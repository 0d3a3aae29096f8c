"""Rows of flat arrays in two texts: which are the same, and which only look alike."""

from __future__ import annotations

import pytest

from loopwright import Proof, optimize
from tests.verify.answers import verdict as check

ROWS = """\
void f({types}, double *A, double *B) {{
#pragma scop
{text}#pragma endscop
}}
"""
ORIGINAL = """\
  for (T i = 0; i < m; i++)
    for (T j = 0; j < n; j++)
      A[i * n + j] = B[i * n + j] + 1;
"""
TURNED = """\
  for (long j = 0; j < n; j++)
    for (long i = 0; i < m; i++)
      A[i * ROW + j] = B[i * n + j] + 1;
"""


def is_proved(type_: str, new: str, old: str = ORIGINAL) -> bool:
    frame = ROWS.replace("{types}", f"{type_} m, {type_} n")
    old = old.replace("T ", f"{type_} ")
    found = check(frame.format(text=old), frame.format(text=new), run=False)
    return isinstance(found, Proof)


@pytest.mark.parametrize("type_", ["int", "long", "short"])
def test_rows_may_be_counted_in_long(type_: str) -> None:
    assert is_proved(type_, TURNED.replace("ROW", "n"))


@pytest.mark.parametrize(
    "text",
    [
        TURNED.replace("ROW", "m"),
        TURNED.replace("ROW", "(n + 1)"),
        TURNED.replace("i * ROW + j", "i * n + j + 1"),
        TURNED.replace("i * ROW + j", "(i - 1) * n + j"),
        TURNED.replace("i * ROW + j", "(char)i * n + j"),
        TURNED.replace("i * ROW + j", "(unsigned char)(i * n) + j"),
    ],
)
def test_other_rows_are_refused(text: str) -> None:
    assert not is_proved("int", text)


OFFSETS = """\
void f(int B, int T, int C, float *out, const float *inp) {{
#pragma scop
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++)
      for (int i = 0; i < C; i++)
        {body}
#pragma endscop
}}
"""
STEPS = "(out + b * T * C + t * C)[i] = (inp + b * T * C + t * C)[i] + 1;"


@pytest.mark.parametrize(
    ("body", "is_same"),
    [
        ("out[(long)b * T * C + t * C + i] = inp[(long)b * T * C + t * C + i] + 1;", True),
        ("out[((long)b * T + t) * C + i] = inp[((long)b * T + t) * C + i] + 1;", True),
        ("out[b * T * C + t * C + i] = inp[b * T * C + t * C + i] + 1;", False),
        ("out[(b * T + t) * C + i] = inp[((long)b * T + t) * C + i] + 1;", False),
    ],
)
def test_steps_of_a_pointer_need_not_fit_together(body: str, is_same: bool) -> None:
    old, new = OFFSETS.format(body=STEPS), OFFSETS.format(body=body)
    assert isinstance(check(old, new, run=False), Proof) == is_same


def test_a_pointer_moves_back_by_what_is_unsigned() -> None:
    old = """\
  for (unsigned i = 0; i < m; i++)
    *(A + m - i) = 1;
"""
    assert is_proved("unsigned", "  for (long i = 0; i < m; i++)\n    A[m - i] = 1;\n", old)
    assert not is_proved("unsigned", "  for (unsigned i = 0; i < m; i++)\n    A[-i] = 1;\n", old)


EMBEDDING = """\
void f(float *restrict out, const int *restrict inp, const float *restrict wte, int B, int T,
       int C)
{
#pragma scop
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++) {
      float *o = out + b * T * C + t * C;
      int ix = inp[b * T + t];
      const float *w = wte + ix * C;
      for (int i = 0; i < C; i++)
        o[i] = w[i] + 1;
    }
#pragma endscop
}
"""


@pytest.mark.parametrize("type_", ["int", "long"])
def test_rows_chosen_by_data_are_proved(type_: str) -> None:
    result = optimize(EMBEDDING.replace("int ", f"{type_} "), reschedule=False)
    assert all(result.proof)
