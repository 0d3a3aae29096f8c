"""``loopwright optimize --run``: the same results, the measured gain, and what cannot be run."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.running import PREFIX, loopwright

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")

TURNED = """\
#pragma scop
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] = 2 * b[i][j];
#pragma endscop
"""
FAST = ("--cflags", "-O1 -fopenmp")
LIE = "__attribute__((const)) unsigned umask(unsigned);\n"
DRAWN = TURNED.replace("2 * b[i][j]", "umask(i)")
"""``umask`` returns what it was given last: what is proved relies on a lie of the program."""


def run(folder: Path, program: str, *more: str) -> tuple[int, str, str]:
    options = ("--quiet", "--run", *FAST, *more, "-")
    done = loopwright(*options, folder=folder, text=program.encode())
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_the_gain_is_told(tmp_path: Path) -> None:
    program = f"static void f(int n, float a[n][n], const float b[n][n])\n{{\n{TURNED}}}\n"
    program += "void g(int n, float a[n][n], float b[n][n]) { f(n, a, b); }\n"
    status, text, report = run(tmp_path, program, "--size", "n=500")
    assert status == 0, report
    assert "#pragma omp" in text
    pattern = r"f at n = 500: \S+ s before, \S+ s now, \S+ times as fast; all arrays are the same"
    assert re.search(pattern, report)


@pytest.mark.parametrize(
    "program",
    [
        f"double a[60][60], b[60][60];\nint n = 7;\nvoid f(void)\n{{\n{TURNED}}}\n",
        f"long f(int n, long a[n][n], short (*b)[n])\n{{\n{TURNED}  return a[1][1];\n}}\n",
        f"void f(int n, long double a[n][n], long double b[n][n])\n{{\n{TURNED}}}\n",
        f"void f(short n, double a[n][n], float b[n][n], double x)\n{{\n{TURNED} a[0][0]=x;\n}}\n",
        "#include <complex.h>\n"
        f"void f(int n, double _Complex a[n][n], float _Complex b[n][n])\n{{\n{TURNED}}}\n",
        f"static double (*a)[64], (*b)[64];\nvoid f(int n)\n{{\n{TURNED}}}\n",
        f"void f(int n, _Bool a[n][n], _Bool b[n][n])\n{{\n{TURNED.replace('2 * ', '!')}}}\n"
        "int main(void) { return 0; }\n",
        "".join(f"#define {each} 60 +\n" for each in ("size", "count", "at", "k", "name", "argc"))
        + f"void f(int n, double a[n][size 1], double b[n][size 1])\n{{\n{TURNED}}}\n",
    ],
    ids=[
        *("globals", "integers", "long double", "narrow", "complex", "global pointers", "bool"),
        "macros of our names",
    ],
)
def test_functions_of_all_kinds_are_called(tmp_path: Path, program: str) -> None:
    sizes = ("--size", "n=60")
    status, text, report = run(tmp_path, program, *sizes)
    assert status == 0, report
    assert "#pragma omp" in text
    assert "f at n = 60" in report
    assert "all arrays are the same, bit for bit" in report


def test_sizes_are_found(tmp_path: Path) -> None:
    program = f"void f(int n, float a[n][n], const float b[n][n])\n{{\n{TURNED}}}\n"
    status, _, report = run(tmp_path, program)
    assert status == 0, report
    size = re.search(r"f at n = (\d+): ", report)
    assert size is not None
    assert int(size.group(1)) > 1000  # a megabyte takes no time worth measuring


def test_other_results_are_found_and_nothing_is_written(tmp_path: Path) -> None:
    program = f"{LIE}void f(int n, double a[n][n])\n{{\n{DRAWN}}}\n"
    (tmp_path / "program.c").write_text(program)
    options = ("--run", *FAST, "--in-place", "program.c")
    done = loopwright(*options, folder=tmp_path)
    assert done.returncode == 1
    assert b"LW902: the new program computes something else: a of f" in done.stderr
    assert (tmp_path / "program.c").read_text() == program


def test_a_whole_program_is_run_where_its_function_cannot_be(tmp_path: Path) -> None:
    region = TURNED.replace("n", "64").replace("i64t", "int").replace("e64dscop", "endscop")
    region = region.replace("i64", "in")
    program = (
        "#include <stdio.h>\nstatic float a[64][64], b[64][64];\nint main(void)\n{\n"
        f'  b[1][2] = 4;\n{region}  printf("%f\\n", a[1][2]);\n}}\n'
    )
    status, text, report = run(tmp_path, program)
    assert status == 0, report
    assert "#pragma omp" in text
    assert "both programs print the same" in report


def test_a_program_that_is_not_like_itself_is_not_compared(tmp_path: Path) -> None:
    program = (
        "#include <stdio.h>\n#include <unistd.h>\nstatic float a[64][64], b[64][64];\n"
        "int main(void)\n{\n  enum { n = 64 };\n"
        f'{TURNED}  printf("%d %f\\n", (int)getpid(), a[1][2]);\n}}\n'
    )
    status, text, report = run(tmp_path, program)
    assert status == 2, report
    assert "#pragma omp" in text
    assert "LW603" in report
    assert "is not the same in two runs" in report


def test_what_the_function_prints_is_not_mistaken(tmp_path: Path) -> None:
    says = 'puts("time abc"); puts("array a 0");'
    program = f"#include <stdio.h>\nvoid f(int n, int a[n][n], int b[n][n]){{{says}\n{TURNED}}}\n"
    status, _, report = run(tmp_path, program, "--size", "n=60")
    assert status == 0, report
    assert "all arrays are the same" in report


def test_integers_may_decide_which_elements_are_touched(tmp_path: Path) -> None:
    """Not so where one of them might lie outside of its array."""
    least = "a[j][i] < b[i][j] ? a[j][i] : b[i][j]"
    program = (
        f"void f(int n, int a[n][n], int b[n][n]){{\n{TURNED.replace('2 * b[i][j]', least)}}}\n"
    )
    status, _, report = run(tmp_path, program, "--size", "n=60")
    assert status == 0, report
    assert "all arrays are the same" in report
    outside = program.replace(": b[i][j]", ": b[i + 1][j]")
    status, _, report = run(tmp_path, outside, "--size", "n=60")
    assert status == 2, report
    assert "what b[i + 1][j] is depends on data" in report


def test_every_bit_of_an_integer_result_counts(tmp_path: Path) -> None:
    last = "return (1L << 60) + (a[0][1] & 15);"
    program = f"{LIE}long f(int n){{\nint a[n][n];\n{DRAWN}{last}}}\n"
    for more in ((), ("--reassociate",)):
        status, _, report = run(tmp_path, program, "--size", "n=60", *more)
        assert status == 1, report
        assert "LW902: the new program computes something else: the result of f" in report


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (f"struct s;\nvoid f(struct s *p, int n, int a[n][n], int b[n][n]){{\n{TURNED}}}\n", "p"),
        (f"void f(int n, int a[n][n], int b[n][n], int k, ...){{\n{TURNED}}}\n", "any number"),
        (f"void f(int n, int a[n][n], int b[n][n], void (*g)(void)){{\n{TURNED}}}\n", "g"),
        (
            "void f(int n, int a[n][n], int b[n][n], const int *p)"
            f"{{\n{TURNED.replace('2 * b[i][j]', 'b[p[i]][j]')}}}\n",
            "depends on data",
        ),
        (
            f"void f(int m, int a[m][m], int b[m][m]){{ int n = m / 2;\n{TURNED}}}\n",
            "n is no argument",
        ),
        (f"int g(void);\nvoid f(int n, int a[n][n], int b[n][n]){{g();\n{TURNED}}}\n", "compiler"),
        (
            f"#include <stdlib.h>\nvoid f(int n, int a[n][n], int b[n][n]){{abort();\n{TURNED}}}\n",
            "SIGABRT",
        ),
        (
            f"#include <stdlib.h>\nvoid f(int n, int a[n][n], int b[n][n]){{exit(0);\n{TURNED}}}\n",
            "ended the program before it returned",
        ),
        (
            "#include <signal.h>\nvoid f(int n, int a[n][n], int b[n][n])"
            f"{{raise(40);\n{TURNED}}}\n",
            "signal 40",
        ),
        (
            "#include <unistd.h>\nint f(int n, int a[n][n], int b[n][n])"
            f"{{\n{TURNED}return getpid();}}\n",
            "the result of f is not the same in two runs",
        ),
    ],
    ids=[
        "struct",
        "variadic",
        "function",
        "subscripts",
        "local size",
        "linking",
        "crash",
        "exit",
        "unnamed signal",
        "not repeatable",
    ],
)
def test_what_cannot_be_run_is_written_all_the_same(
    tmp_path: Path, program: str, words: str
) -> None:
    status, text, report = run(tmp_path, program)
    if "#pragma omp" not in text:
        assert "nothing is new" in report
        pytest.skip("the region stays as it is, so that there is nothing to run")
    assert status == 2, report
    assert "LW603" in report
    assert words in report


def test_no_compiler(tmp_path: Path) -> None:
    program = f"void f(int n, int a[n][n], int b[n][n]){{\n{TURNED}}}\n"
    status, text, report = run(tmp_path, program, "--cc", "no-such-compiler")
    assert (status, bool(text)) == (2, True)
    assert "there is no compiler no-such-compiler" in report


def test_a_size_that_is_none(tmp_path: Path) -> None:
    program = f"void f(int n, int a[n][n], int b[n][n]){{\n{TURNED}}}\n"
    status, _, report = run(tmp_path, program, "--size", "m=5")
    assert status == 2
    assert "--size names m; the sizes are n" in report


def test_nothing_new_is_not_run(tmp_path: Path) -> None:
    status, text, report = run(tmp_path, PREFIX.decode())
    assert (status, text) == (0, PREFIX.decode())
    assert "nothing to measure" in report
