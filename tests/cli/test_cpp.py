"""C++ on request: functions as in C, read as C++, and text that a C++ compiler takes as it is."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.running import loopwright

PROGRAM = b"""\
#include <cstddef>
template <typename T> T twice(T x) { return x + x; }
namespace numbers {
static double A[100][100], B[100][100];
void square()
{
#pragma scop
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 100; j++)
      for (int k = 0; k < 100; k++)
        A[i][j] += B[i][k] * B[k][j];
#pragma endscop
}
}
extern "C" void product(int n, double *__restrict__ y, const double *__restrict__ M,
                        const double *__restrict__ x)
{
#pragma scop
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++)
      y[i] += M[i * n + j] * x[j];
  }
#pragma endscop
}
"""


def test_the_new_text_is_clean_cpp(tmp_path: Path) -> None:
    if shutil.which("g++") is None:
        pytest.skip("there is no g++")
    (tmp_path / "program.cpp").write_bytes(PROGRAM)
    done = loopwright("--std", "gnu++17", "program.cpp", "-o", "new.cpp", folder=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stderr.count(b"proved in") == 2
    assert (tmp_path / "new.cpp").read_bytes().count(b"#pragma omp parallel for") >= 2
    flags = "-std=c++17 -Wall -Wextra -Wpedantic -Werror -Wno-unknown-pragmas -fopenmp -c".split()
    compiled = subprocess.run(
        ["g++", *flags, "new.cpp"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert compiled.returncode == 0, compiled.stderr


@pytest.mark.parametrize(
    "body",
    [
        "double &x = a[9 - i]; x = 1; a[i] = 2;",
        "const double &x = a[9 - i]; a[i] = x;",
        "bump(a[0]);",
    ],
)
def test_references_are_refused(tmp_path: Path, body: str) -> None:
    program = (
        "static void bump(double &x) { x += 1; }\n"
        "void f(int n, double *a) {\n#pragma scop\n"
        f"  for (int i = 0; i < n; i++) {{ {body} }}\n#pragma endscop\n}}\n"
    )
    done = loopwright("--std", "c++17", "-", folder=tmp_path, text=program.encode())
    assert (done.returncode, done.stdout) == (0, program.encode())
    assert b"LW215: warning: " in done.stderr
