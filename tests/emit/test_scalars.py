"""Elements in local variables: what is kept, where it is loaded and stored, and what is not kept.

Each program is optimized, compiled without warnings, and run next to the original with the
undefined-behaviour and address sanitizers.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.optimize.checking import SANITIZED, SHAPES, always_parallel, optimized

from .running import outputs_of

N = 7
ARRAYS = {"A": "double A[n][n]", "B": "double B[n][n]", "x": "double x[n]", "y": "double y[n]"}


def program(region: str, *, declared: str = "", size: int = N) -> str:
    """A program over two matrices and two vectors that prints all of them."""
    flat = "\n".join(
        f'  for (int k = 0; k < {count}; k++) printf("%a ", (double)((double *){name})[k]);'
        for name, count in (("A", size * size), ("B", size * size), ("x", size), ("y", size))
    )
    filled = "\n".join(
        f"  for (int k = 0; k < {count}; k++) ((double *){name})[k] = (k * 5 + 2) % 7 * 0.5 - 1;"
        for name, count in (("A", size * size), ("B", size * size), ("x", size), ("y", size))
    )
    extents = {"A": "[size][size]", "B": "[size][size]", "x": "[size]", "y": "[size]"}
    locals_ = " ".join(f"static double {name}{each};" for name, each in extents.items())
    return f"""#include <stdio.h>
{declared}
static void f(int n, int m, {", ".join(ARRAYS.values())})
{{
#pragma scop
{region}
#pragma endscop
}}
int main(void)
{{
  {locals_.replace("size", str(size))}
{filled}
  f({size}, {size}, A, B, x, y);
{flat}
  return 0;
}}
"""


def new_text(source: str, folder: Path) -> str:
    """The new region, after it was seen to compute the same."""
    result = optimized(source, SHAPES[0])
    before, after = outputs_of(
        source,
        always_parallel(result.code),
        folder,
        [*SANITIZED, "-fopenmp", "-Wno-unused-parameter"],
    )
    assert before.endswith("0")
    assert before == after
    found = re.search(r"#pragma scop\n(.*?)#pragma endscop", result.code, re.DOTALL)
    assert found is not None
    # What follows is the original, for sizes that the model excludes.
    return found[1].split("} else {")[0]


def emitted(region: str, folder: Path, declared: str = "") -> list[str]:
    """The lines of the new region."""
    text = new_text(program(region, declared=declared), folder)
    return [line.strip() for line in text.splitlines()]


def moves(lines: list[str]) -> list[str]:
    """The lines that load, declare or store a variable of ours."""
    load = r"(const )?double \w+_\d+( = .*)?;"
    store = r"\S.*\] = \w+_\d+;"
    return [line for line in lines if re.fullmatch(f"{load}|{store}", line)]


# --- what is kept ---------------------------------------------------------------------------------


def test_a_sum_is_in_a_variable_while_its_loop_runs(tmp_path: Path) -> None:
    lines = emitted(
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[i] += A[i][j];", tmp_path
    )
    (loop,) = (at for at, line in enumerate(lines) if re.search(r"x_0 \+= A\[", line))
    assert any(re.fullmatch(r"double x_0 = x\[.*\];", line) for line in lines[:loop])
    assert any(re.fullmatch(r"x\[.*\] = x_0;", line) for line in lines[loop:])


def test_a_value_that_is_only_read_is_constant_and_not_stored(tmp_path: Path) -> None:
    lines = emitted(
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = x[i] * B[i][j];",
        tmp_path,
    )
    assert any(re.fullmatch(r"const double x_0 = x\[c0\];", line) for line in lines)
    assert not any(line.endswith("= x_0;") for line in lines)


def test_a_block_of_a_product(tmp_path: Path) -> None:
    # 6 x 4 copies: 24 elements of the left factor and 6 sums stay while the innermost loop runs;
    # 4 elements of the right factor are loaded in each iteration, once for six copies.
    lines = emitted(
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {"
        " A[i][j] = 0; for (int k = 0; k < n; k++) A[i][j] += B[i][k] * B[k][j]; }",
        tmp_path,
    )
    declared = {found[2] for line in lines if (found := re.match(r"(const )?double (\w+)", line))}
    assert {name for name in declared if name.startswith("A_")} == {f"A_{at}" for at in range(6)}
    assert {name for name in declared if name.startswith("B_")} == {f"B_{at}" for at in range(28)}
    stored = {found[1] for line in lines if (found := re.fullmatch(r"A\[.*\] = (A_\d);", line))}
    assert stored == {f"A_{at}" for at in range(6)}
    assert sum("+=" in line for line in lines if "A_0" in line) >= 4


def test_what_is_written_first_needs_no_value_of_its_own(tmp_path: Path) -> None:
    lines = emitted("for (int i = 0; i < n; i++) { x[i] = y[i]; A[0][i] = x[i] + 1; }", tmp_path)
    assert not any("= x[" in line and "double" in line for line in lines)


# --- what is not kept -----------------------------------------------------------------------------

DOUBTFUL = {
    "an element that the loop may reach": (
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[j] = x[i] + 1;",
        "x",
    ),
    "an element that the loop may write": (
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { y[j] = x[i]; x[j] = y[i]; }",
        "xy",
    ),
    "a row and a column of the same matrix": (
        "for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)"
        " A[i][j] = A[i][j] < A[i][k] + A[k][j] ? A[i][j] : A[i][k] + A[k][j];",
        "A",
    ),
    "an element next to it in the next iteration": (
        "for (int i = 1; i < n; i++) { x[i] = x[i - 1] + y[i]; x[i - 1] = 2; }",
        "",
    ),
    "an element that data decides about": (
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = B[i][j] > 0 ? x[i] : 0;",
        "x",
    ),
}


@pytest.mark.parametrize("name", DOUBTFUL)
def test_what_may_be_touched_otherwise_is_not_kept(name: str, tmp_path: Path) -> None:
    region, arrays = DOUBTFUL[name]
    lines = moves(emitted(region, tmp_path))
    assert not [line for line in lines for array in arrays if f"{array}_0" in line]


def test_which_element_is_first_seen_may_depend_on_a_size(tmp_path: Path) -> None:
    # For n > 3 only x[i] is read in the first statement, for the others only x[j]; in the second
    # and third both are meant, whatever n is.
    region = """
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        A[i][j] = n > 3 ? x[i] : x[j];
        x[j] = 2;
        B[i][j] = x[i];
      }
    """
    emitted(region, tmp_path)


def test_nothing_is_loaded_that_is_not_there(tmp_path: Path) -> None:
    source = """#include <stdio.h>
static void f(int n, double A[n][n], double *x)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = n > 3 ? x[i] + x[i] : 1;
#pragma endscop
}
int main(void)
{
  static double A[2][2];
  f(2, A, 0);
  printf("%g", A[1][1]);
  return 0;
}
"""
    new_text(source, tmp_path)


def test_a_loop_that_may_be_empty_loads_nothing(tmp_path: Path) -> None:
    # With m = 0 the loop over j never runs, and x is too short for x[i].
    source = """#include <stdio.h>
static void f(int n, int m, double A[n][n], double *x)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i][j] = x[i] * A[i][j];
#pragma endscop
}
int main(void)
{
  static double A[5][5];
  static double x[1];
  f(5, 0, A, x);
  f(1, 1, (void *)A, x);
  printf("%g", A[0][0]);
  return 0;
}
"""
    new_text(source, tmp_path)


@pytest.mark.parametrize("empty", ["i", "n - 4"])
def test_a_triangle_with_empty_rows(empty: str, tmp_path: Path) -> None:
    emitted(
        f"for (int i = 0; i < n; i++) for (int j = 1; j < {empty}; j++) x[i] += A[i][j] * y[i];",
        tmp_path,
    )


# --- types and names ------------------------------------------------------------------------------


def with_pairs(member: str) -> str:
    """A program that keeps the sum of a row in a member of a structure."""
    return f"""#include <stdio.h>
struct pair {{ double first; int second[2]; }};
static void f(int n, double A[n][n], struct pair p[n])
{{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      p[i].{member} += A[i][j];
#pragma endscop
}}
int main(void)
{{
  static double A[3][3] = {{{{1, 2, 3}}, {{4, 5, 6}}, {{7, 8, 9}}}};
  static struct pair p[3];
  f(3, A, p);
  for (int i = 0; i < 3; i++) printf("%g %d %d\\n", p[i].first, p[i].second[0], p[i].second[1]);
  return 0;
}}
"""


@pytest.mark.parametrize("member", ["first", "second[1]"])
def test_members_of_structures(member: str, tmp_path: Path) -> None:
    new_text(with_pairs(member), tmp_path)


@pytest.mark.parametrize(
    "element", ["float", "int", "unsigned char", "long long", "long double", "_Bool", "short"]
)
def test_variables_have_the_type_of_the_elements(element: str, tmp_path: Path) -> None:
    # A sum of bytes must wrap in each step, and a float must be rounded in each step.
    source = f"""#include <stdio.h>
static void f(int n, {element} A[n][n], {element} s[n])
{{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s[i] += A[i][j];
#pragma endscop
}}
int main(void)
{{
  static {element} A[9][9], s[9];
  for (int k = 0; k < 81; k++) A[k / 9][k % 9] = ({element})(k * 1.1 + 90);
  f(9, A, s);
  for (int i = 0; i < 9; i++) printf("%a\\n", (double)s[i]);
  return 0;
}}
"""
    text = new_text(source, tmp_path)
    assert re.search(rf"\b{element} s_\d+ = s\[", text)


def test_a_type_with_a_name_of_its_own(tmp_path: Path) -> None:
    emitted(
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[i] += (number)A[i][j];",
        tmp_path,
        declared="typedef double number;",
    )


def test_names_of_the_program_are_not_taken(tmp_path: Path) -> None:
    lines = emitted(
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[i] += A[i][j] * x_0 + x_1(2);",
        tmp_path,
        declared="static const double x_0 = 3;\n"
        "static inline double x_1(double v) { return v; }\n#define x_2 nonsense",
    )
    declared = [re.findall(r"double (\w+) =", line) for line in moves(lines)]
    names = {name for found in declared for name in found}
    assert names
    assert not names & {"x_0", "x_1", "x_2"}
