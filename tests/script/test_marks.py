"""Parallel, vector and unrolled loops: in the text and proved, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright.choosing import Wanted
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question
from loopwright.scripting import IllegalScript, Script, script_source
from tests.emit.running import CHECKED, STANDARD, output_of

PROGRAM = """
#include <stdio.h>
static double A[40][40], B[40][40], s[40];
static void f(int n)
{
#pragma scop
  for (int i = 0; i < n; i++) {
    double own = 0;
    for (int j = 0; j < n; j++) {
      Sum: own += A[i][j] * B[j][i];
    }
    Store: s[i] = own;
  }
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++)
      Row: B[i][j] = B[i][j - 1] + A[j][i];
  for (int i = 0; i < 8; i++)
    Eight: A[i][3] = 2 * A[i][2];
  for (int i = 0; i < n; i++)
    Turn: A[i][39] = A[i + 1][39];
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 40; j++)
      A[i][j] = (i * 7 + j * 3) % 11 / 3.0, B[i][j] = (i * 5 + j) % 13 / 7.0;
  f(37);
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 40; j++)
      printf("%a %a %a\\n", A[i][j], B[i][j], s[i]);
}
"""


def transformed(text: str) -> str:
    result = script_source(
        "p.c", PROGRAM.encode(), ReadOptions(), Question(), Script("s.loopy", text), Wanted()
    )
    (region,) = result.regions
    assert region.proof is not None
    return result.code


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("parallel(Row, 1)", ["#pragma omp parallel for\n"]),
        ("parallel(Sum, 1)", ["#pragma omp parallel for private(own)\n"]),
        ("interchange(Row, 1, 2)\nvectorize(Row, 2)", ["#pragma omp simd\n"]),
        ("tile(Row, 8, 8)\nparallel(Row, 1)", ["#pragma omp parallel for\n", "B[8 * c0 + c2]"]),
        ("parallel(Sum, 1)\nparallel(Row, 1)", ["parallel for private(own)\n", "parallel for\n"]),
        ("tile(Row, 8, 1)\nparallel(Row, 1)\nvectorize(Row, 3)", ["parallel for\n", "simd\n"]),
        ("unroll(Eight, 1)", ["A[7][3] = 2 * A[7][2];"]),
        ("unroll(Row, 2, 4)", ["B[c0][4 * c1 + 4] = "]),
        ("unroll_and_jam(Row, 1, 2)\nparallel(Row, 1)", ["B[2 * c0 + 1]", "#pragma omp"]),
    ],
)
def test_marked_loops_are_proved_and_compute_the_same_bits(
    script: str, words: list[str], tmp_path: Path
) -> None:
    code = transformed(script)
    assert [each for each in words if each not in code] == []
    old, new = tmp_path / "old.c", tmp_path / "new.c"
    old.write_text(PROGRAM)
    new.write_text(code)
    before = output_of(old, tmp_path, [*STANDARD, "-O1"])
    assert output_of(new, tmp_path, [*CHECKED, "-O2", "-fopenmp"]) == before
    assert len(before) > 1000


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("parallel(Row, 2)", "reads B[0][1], which Row at (i = 0, j = 1)"),
        ("vectorize(Row, 2)", "reads B[0][1], which Row at (i = 0, j = 1)"),
        ("vectorize(Sum, 2)", "reads own, which Sum at"),
        ("parallel(Sum, 2)", "reads own, which Sum at"),
        ("vectorize(Sum, 1)", "overwrites own, which"),
        ("parallel(Turn, 1)", "overwrites A[1][39], which Turn at (i = 0)"),
        ("vectorize(Row, 1)\nparallel(Row, 2)", "inside of a vector loop"),
    ],
)
def test_loops_that_carry_something_are_refused(script: str, reason: str) -> None:
    with pytest.raises(IllegalScript) as refusal:
        transformed(script)
    (only,) = refusal.value.diagnostics
    assert only.code == "LW818"
    assert reason in only.message
