"""Time and memory: an answer or a message within ``--timeout``, whatever the program is."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest

from tests.cli.running import PRODUCT, loopwright

BIG = 10**9
FAR = f"""\
void far(long n, long m, double *A, double *B)
{{
#pragma scop
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      A[{BIG}*i + {BIG - 1}*j] = A[{BIG - 7}*i + {BIG - 13}*j + 5] + B[{BIG + 1}*j - {BIG - 9}*i];
#pragma endscop
}}
"""


def deep(depth: int) -> str:
    iterators = [f"i{at}" for at in range(depth)]
    loops = "\n".join(f"  for (int {i} = 1; {i} < n - 1; {i}++)" for i in iterators)
    here = "".join(f"[{i}]" for i in iterators)
    before = "".join(f"[{i} - 1]" for i in iterators)
    turned = "".join(f"[{i} + 1]" for i in reversed(iterators))
    sizes = "[n]" * depth
    return (
        f"void deep(int n, double A{sizes}, double B{sizes})\n{{\n#pragma scop\n{loops}\n"
        f"    A{here} = A{before} + B{turned};\n#pragma endscop\n}}\n"
    )


def dense(statements: int) -> str:
    lines = "\n".join(
        f"      A[i + {at * 5 % 7}][{at % 4} * i + j + {at}] = A[j + {at % 5}][i + {at * 3 % 11}] "
        f"+ A[{at % 3 + 1} * i - j + 40][i];"
        for at in range(statements)
    )
    return (
        "void dense(int n, double A[2000][2000])\n{\n#pragma scop\n"
        "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++) {\n"
        f"{lines}\n    }}\n#pragma endscop\n}}\n"
    )


SECONDS = 5.0
SLACK = 3.0
"""For the start of Python on a busy machine."""


@pytest.mark.parametrize(
    "program", [FAR, deep(9), dense(50)], ids=["coefficients", "depth", "statements"]
)
def test_there_is_an_answer_in_time(tmp_path: Path, program: str) -> None:
    start = monotonic()
    options = ("--timeout", str(SECONDS), "-")
    done = loopwright(*options, folder=tmp_path, text=program.encode())
    assert monotonic() - start < SECONDS + SLACK
    assert done.returncode in (0, 2)
    assert b"Traceback" not in done.stderr
    if done.returncode == 0:
        assert done.stdout == program.encode()
    assert (b"LW602" in done.stderr) is (done.returncode == 0)
    assert (b"LW403" in done.stderr) is (done.returncode == 2)


def test_the_other_regions_are_kept(tmp_path: Path) -> None:
    text = PRODUCT + FAR.encode()
    done = loopwright("--timeout", "20", "-", folder=tmp_path, text=text)
    assert done.returncode == 0
    assert b"LW602" in done.stderr
    assert b"#pragma omp" in done.stdout
    assert done.stdout.endswith(FAR.encode())


def test_a_broken_pipe_is_no_crash(tmp_path: Path) -> None:
    done = loopwright("--no-reschedule", "-", "-o", "/dev/full", folder=tmp_path, text=PRODUCT)
    assert done.returncode == 2
    assert b"LW107" in done.stderr
