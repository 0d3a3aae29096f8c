"""Variables around a region that lose their last use: no compiler has a reason to warn."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from loopwright import Result, optimize
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question, read_source

LOOPS = """
#pragma scop
  for (i = 0; i < SIZE; i++)
    for (j = 0; j < SIZE; j++)
      A[j][i] = factor * A[j][i];
#pragma endscop
"""
PRODUCT = """
#pragma scop
  for (i = 0; i < SIZE; i++)
    for (j = 0; j < SIZE; j++) {
      s = 0;
      for (k = 0; k < SIZE; k++)
        s += A[i][k] * A[k][j];
      B[i][j] = s;
    }
#pragma endscop
"""
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas"]


def optimized(body: str, size: str, standard: str = "gnu11") -> Result:
    text = f"double A[512][512], B[512][512];\nvoid f(int n)\n{{\n{body}  A[0][0] = n;\n}}\n"
    result = optimize(text.replace("SIZE", size), standard=standard)
    assert None not in result.proof
    return result


def mentions(result: Result) -> list[str]:
    return [each.strip() for each in result.code.splitlines() if "(void)" in each]


@pytest.mark.parametrize("standard", ["gnu11", "gnu89"])
@pytest.mark.parametrize(
    ("body", "names"),
    [
        (f"  int i, j, factor = 3;\n{LOOPS}", "i j"),
        (f"  double s;\n  int i, j, k;\n{PRODUCT}", "i j s k"),
        (f"  int i, j, factor = 3;\n{LOOPS}\n  for (i = 0; i < n; i++)\n    B[0][i]++;\n", "j"),
        (f"  int i, j, factor = 3;\n{LOOPS}{LOOPS}", "i j i j"),
        (f"  int i, j, factor = 3;\n  i = 3;\n  j = i;\n{LOOPS}", "j"),
        (f"  int i, j, factor = 3;\n  i = 3;\n  i += n;\n{LOOPS}", "j"),
        (f"  static double s;\n  int i, j, k;\n  i = 0;\n{PRODUCT}", "i j s k"),
    ],
    ids=["iterators", "copies", "used elsewhere", "two regions", "set", "changed", "static"],
)
def test_without_a_test_they_are_mentioned(
    body: str, names: str, standard: str, tmp_path: Path
) -> None:
    result = optimized(body, "512", standard)
    assert mentions(result) == [f"(void)sizeof {each};" for each in names.split()]
    source = tmp_path / "new.c"
    source.write_text(result.code)
    command = ["gcc", f"-std={standard}", "-fopenmp", *WARNINGS, "-c", str(source), "-o", "new.o"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_behind_a_test_the_original_uses_them() -> None:
    assert mentions(optimized(f"  int i, j, factor = 3;\n{LOOPS}", "n")) == []


def test_only_variables_of_the_function_with_a_fixed_size_count() -> None:
    program = b"""
    int count;
    void f(int n, double p[n], double r[8], double *q, int m)
    {
      int i;
      double s, t[512], u[n], unused;
      s = n;
    #pragma scop
      for (i = 0; i < m; i++) {
        double own = count + s;
        t[i] = u[i] = p[i] = r[0] = q[i] = own;
      }
    #pragma endscop
    #pragma scop
      for (i = 0; i < n; i++)
        q[i] = 1;
    #pragma endscop
    }
    """
    reading = read_source("f.c", program, ReadOptions(), Question())
    assert reading.reserved == (("i", "m", "s", "t", "q"), ("i", "q"))


def test_a_name_that_only_a_macro_says_is_not_mentioned() -> None:
    macro = LOOPS.replace("  for (i =", "  REPEAT for (i =")
    body = f"  int i, j, t, factor = 3;\n{macro}"
    result = optimize(
        "#define REPEAT for (t = 0; t < 9; t++)\ndouble A[512][512];\n"
        f"void f()\n{{\n{body}}}\n".replace("SIZE", "512")
    )
    assert mentions(result) == ["(void)sizeof i;", "(void)sizeof j;"]
    assert None not in result.proof


def test_what_was_written_can_be_read_again() -> None:
    once = optimized(f"  int i, j, factor = 3;\n{LOOPS}", "512")
    plain = re.sub("#pragma omp .*", "", once.code)
    again = optimize(plain, reschedule=False)
    assert None not in again.proof


def test_directives_that_were_written_are_not_taken_over() -> None:
    once = optimized(f"  int i, j, factor = 3;\n{LOOPS}", "512")
    again = optimize(once.code)
    assert again.code == once.code
    (note,) = [each for each in again.notes if each.code == "LW601"]
    assert "#pragma omp parallel for" in note.message


@pytest.mark.parametrize("idle", ["(void)0;", "(void)sizeof i;", '(void)"text";'])
def test_statements_that_do_nothing_are_no_obstacle(idle: str) -> None:
    body = LOOPS.replace("      A[j][i]", f"    {{ {idle} A[j][i]").replace(
        "A[j][i];\n", "A[j][i]; }\n"
    )
    result = optimized(f"  int i, j, factor = 3;\n{body}", "512")
    assert "#pragma omp parallel for" in result.code
