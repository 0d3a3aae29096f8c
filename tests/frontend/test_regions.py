"""Which statements make a region: pragmas, functions, detection."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import InputError, read_c
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question, Reading, read_source

from .expectations import expect, same

SEVERAL = """\
void first(int n, double *A)
{
#pragma scop
  for (int i = 0; i < n; i++) A[i] = 0;
#pragma endscop
  A[0] = 5;
#pragma scop
  for (int i = 1; i < n; i++) A[i] = 1;
#pragma endscop
}
void second(int m, double *B)
{
  B[0] = 1;
#pragma scop
  for (int j = 0; j < m; j++) B[j] = 2;
#pragma endscop
}
void third(void) { }
"""


def detected(program: str) -> Reading:
    return read_source("input.c", program.encode(), ReadOptions(), Question(autodetect=True))


# --- pragmas ----------


def test_several_regions_come_in_the_order_of_the_file() -> None:
    scops = read_c(SEVERAL)
    assert [each.function for each in scops] == ["first", "first", "second"]
    assert [each.span.line for each in scops] == [4, 8, 15]
    same(scops[0].domain, "[n] -> { S0[i] : 0 <= i < n }")
    same(scops[1].domain, "[n] -> { S0[i] : 1 <= i < n }")
    same(scops[2].domain, "[m] -> { S0[j] : 0 <= j < m }")


@pytest.mark.parametrize(("function", "count"), [("first", 2), ("second", 1)])
def test_the_regions_of_one_function(function: str, count: int) -> None:
    scops = read_c(SEVERAL, function=function)
    assert [each.function for each in scops] == [function] * count


@pytest.mark.parametrize(("function", "code"), [("nobody", "LW115"), ("third", "LW114")])
def test_a_function_without_regions(function: str, code: str) -> None:
    with pytest.raises(InputError, match=code):
        read_c(SEVERAL, function=function)


def test_spaces_in_a_pragma_do_not_matter() -> None:
    program = "void f(double *A) {\n  #  pragma   scop  \nA[0] = 1;\n\t#pragma\tendscop\n}"
    expect(read_c(program)[0], writes="{ S0[] -> A[0] }")


def test_pragmas_in_comments_and_strings_are_none() -> None:
    program = """void f(double *A) {
/*
#pragma scop
*/
#pragma scop
A[0] = 1;
#pragma endscop
// #pragma endscop
}"""
    expect(read_c(program)[0], writes="{ S0[] -> A[0] }")


def test_pragmas_that_the_preprocessor_skips_are_none() -> None:
    program = """void f(double *A) {
#if 0
#pragma scop
A[9] = 1;
#pragma endscop
#endif
#pragma scop
A[0] = 1;
#pragma endscop
}"""
    scops = read_c(program)
    assert len(scops) == 1
    expect(scops[0], writes="{ S0[] -> A[0] }")


def test_a_region_that_is_a_nested_block() -> None:
    program = """void f(int n, double *A) {
  if (n > 3) {
    A[0] = 7;
    {
#pragma scop
      for (int i = 0; i < n; i++) A[i] = 0;
#pragma endscop
    }
  }
}"""
    expect(read_c(program)[0], instances="[n] -> { S0[i] : 0 <= i < n }")


@pytest.mark.parametrize("outer", ["for (int t = 0; t < n; t++)", "while (t++ < n)"])
def test_the_iterator_around_a_region_is_a_parameter(outer: str) -> None:
    declared = "int t = 0;" if "while" in outer else ""
    program = f"""void f(int n, double *A) {{
  {declared}
  {outer} {{
#pragma scop
    for (int i = t; i < n; i++) A[i] = t;
#pragma endscop
  }}
}}"""
    (scop,) = read_c(program)
    expect(scop, instances="[t, n] -> { S0[i] : t <= i < n }", reads="{ }")
    assert {each.text for each in scop.parameters} == {"t", "n"}


def test_a_region_inside_a_switch() -> None:
    program = """void f(int n, double *A) {
  switch (n) {
  case 1:
#pragma scop
    for (int i = 0; i < n; i++) A[i] = 0;
#pragma endscop
    break;
  default: {
#pragma scop
    for (int i = 0; i < n; i++) A[i] = 1;
#pragma endscop
    }
  }
}"""
    assert [each.span.line for each in read_c(program)] == [5, 10]


def test_a_region_of_a_labelled_statement() -> None:
    program = """void f(int n, double *A) {
#pragma scop
  L: for (int i = 0; i < n; i++) A[i] = 0;
#pragma endscop
}"""
    expect(read_c(program)[0], instances="[n] -> { S0[i] : 0 <= i < n }")


def test_an_unreadable_statement_outside_the_region_does_not_matter() -> None:
    program = """void f(int n, double *A) {
  if (n < 0) goto out;
  switch (n) { case 1: A[1] = 2; }
#pragma scop
  for (int i = 0; i < n; i++) A[i] = 0;
#pragma endscop
out:
  __asm__ volatile ("");
}"""
    expect(read_c(program)[0], instances="[n] -> { S0[i] : 0 <= i < n }")


def test_code_from_a_header_is_used_but_not_searched(tmp_path: Path) -> None:
    (tmp_path / "put.h").write_text(
        "static void put(double *p, int k)\n{\n#pragma scop\np[k] = 1;\n#pragma endscop\n}\n"
    )
    program = """#include "put.h"
void f(int n, double *A) {
#pragma scop
  for (int i = 0; i < n; i++) put(A, i);
#pragma endscop
}"""
    (scop,) = read_c(program, include=[str(tmp_path)])
    expect(scop, writes="[n] -> { S0[i] -> A[i] : 0 <= i < n }")


# --- detection ----------


def test_a_maximal_region_is_found() -> None:
    program = """void f(int n, double *A) {
  for (int i = 0; i < n; i++) A[i] = 0;
  A[0] = 3;
  for (int i = 0; i < n; i++) A[i] += 1;
}"""
    (scop,) = detected(program).scops
    expect(scop, instances="[n] -> { S0[i] : 0 <= i < n; S1[]; S2[i] : 0 <= i < n }")
    assert (scop.span.line, scop.span.end_line) == (2, 4)


def test_what_cannot_be_modelled_separates_regions() -> None:
    program = """void g(double *);
void f(int n, double *A) {
  for (int i = 0; i < n; i++) A[i] = 0;
  g(A);
  for (int i = 0; i < n; i++) A[i] += 1;
  if (n > 3) goto out;
  for (int i = 0; i < n; i++) A[i] += 2;
out: ;
}"""
    assert [each.span.line for each in detected(program).scops] == [3, 5, 7]


def test_an_affine_if_around_loops_is_part_of_the_region() -> None:
    program = """void f(int n, double *A) {
  if (n > 3) {
    for (int i = 0; i < n; i++) A[i] = 0;
  } else
    A[0] = 1;
}"""
    (scop,) = detected(program).scops
    expect(scop, instances="[n] -> { S0[i] : 0 <= i < n and n > 3; S1[] : n <= 3 }")


def test_regions_inside_a_loop_that_cannot_be_modelled() -> None:
    program = """double norm(void);
void f(int n, double *A) {
  while (norm() > 1) {
    for (int i = 0; i < n; i++) A[i] *= 2;
  }
  for (int t = 0; t < n; t++) {
    norm();
    for (int i = t; i < n; i++) A[i] *= 3;
  }
}"""
    scops = detected(program).scops
    assert [each.span.line for each in scops] == [4, 8]
    expect(scops[1], instances="[t, n] -> { S0[i] : t <= i < n }")


def test_reasons_for_what_is_left_out() -> None:
    program = """void f(int n, double *A) {
  for (int i = 0; i < n; i++) A[i] = 0;
  for (int i = 0; i < n; i++) { switch (i) { case 1: A[i] = 0; } }
  while (A[0] > 0) A[0] -= 1;
}"""
    reading = detected(program)
    assert [each.span.line for each in reading.scops] == [2]
    lines = {each.span.line: each.code for each in reading.left_out}
    assert lines[3] == "LW202"
    assert 4 in lines


def test_statements_without_loops_make_no_region() -> None:
    with pytest.raises(InputError, match="LW118"):
        detected("void f(double *A) { A[0] = 1; A[1] = 2; }")


def test_declarations_between_loops_do_not_end_a_region_that_can_hold_them() -> None:
    """A maximal region: the declared value is not used after the second loop."""
    program = """void f(int n, double *A) {
  for (int i = 0; i < n; i++) A[i] = 0;
  double x = A[0];
  for (int i = 0; i < n; i++) A[i] += x;
}"""
    (scop,) = detected(program).scops
    assert (scop.span.line, scop.span.end_line) == (2, 4)


def test_detection_in_one_function() -> None:
    program = SEVERAL.replace("#pragma scop\n", "").replace("#pragma endscop\n", "")
    scops = read_c(program, autodetect=True, function="second")
    assert [each.function for each in scops] == ["second"]
    assert {each.function for each in read_c(program, autodetect=True)} == {"first", "second"}


def test_detection_with_an_unknown_function_name() -> None:
    with pytest.raises(InputError, match="LW115"):
        read_c(SEVERAL, autodetect=True, function="nobody")


def test_detected_values_live_on_like_others() -> None:
    program = """double f(int n, double *A) {
  double s = 0, t = 0;
  for (int i = 0; i < n; i++) { s += A[i]; t += 1; }
  return s;
}"""
    (scop,) = detected(program).scops
    assert scop.array("s").is_live_out
    assert not scop.array("t").is_live_out
