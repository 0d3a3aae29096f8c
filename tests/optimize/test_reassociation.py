"""Reductions in parts: only where it was asked for, only reductions, and the right sums."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from loopwright import Result, optimize

HEAD = "int f(int n, int A[n][n], int *restrict x, int *restrict y)\n{\n    int s = 3, p = 1;\n"
MAIN = """
#include <stdio.h>
int main(void)
{
    enum { n = 300 };
    static int A[n][n], x[n], y[n];
    for (int i = 0; i < n; i++) {
        x[i] = 7 * i - 900;
        y[i] = 1 - 2 * (i % 2);
        for (int j = 0; j < n; j++)
            A[i][j] = (31 * i + 17 * j) % 101 - 50;
    }
    unsigned sum = f(n, A, x, y);
    for (int i = 0; i < n; i++)
        sum = 31 * sum + x[i] + 7 * y[i];
    printf("%u\\n", sum);
    return 0;
}
"""


def program(region: str) -> str:
    return f"{HEAD}#pragma scop\n{region}\n#pragma endscop\n    return s + p;\n}}\n"


def clauses(result: Result) -> list[str]:
    return re.findall(r"reduction\([^)]*\)", result.code)


def printed(code: str, folder: Path) -> str:
    source, program = folder / "program.c", folder / "program"
    source.write_text(code + MAIN)
    command = ["gcc", "-O2", "-fopenmp", "-Wno-unknown-pragmas", source, "-o", program]
    subprocess.run(command, check=True)
    run = subprocess.run([program], env={"OMP_NUM_THREADS": "2"}, check=True, capture_output=True)
    return run.stdout.decode()


# Integers: sums in any order are the same to the last bit.
REDUCTIONS = {
    "a sum": "for (int i = 0; i < n; i++) s += x[i] * y[i];",
    "a sum of a matrix": "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += A[i][j];",
    "a product": "for (int i = 0; i < n; i++) p *= y[i];",
    "two at once": "for (int i = 0; i < n; i++) { s += x[i]; p *= y[i]; }",
    "a difference": "for (int i = 0; i < n; i++) s -= x[i];",
    "bits": "for (int i = 0; i < n; i++) s ^= x[i];",
    "sums of rows": "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[i] += A[i][j];",
}


@pytest.mark.parametrize("region", REDUCTIONS.values(), ids=REDUCTIONS)
def test_reductions_run_in_parts_and_give_the_same(region: str, tmp_path: Path) -> None:
    new = optimize(program(region), reassociate=True)
    assert clauses(new)
    (proof,) = new.proof
    assert proof is not None
    assert proof.reductions
    assert printed(new.code, tmp_path) == printed(program(region), tmp_path)


@pytest.mark.parametrize("region", REDUCTIONS.values(), ids=REDUCTIONS)
def test_no_reduction_unless_it_was_asked_for(region: str) -> None:
    assert not clauses(optimize(program(region)))


@pytest.mark.parametrize(
    "region",
    [
        "for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; }",
        "for (int i = 0; i < n; i++) s = x[i] - s;",
        "for (int i = 1; i < n; i++) x[i] += x[i - 1];",
        "for (int i = 0; i < n; i++) { s += x[i]; s *= y[i]; }",
    ],
)
def test_what_is_no_reduction_keeps_its_order(region: str, tmp_path: Path) -> None:
    new = optimize(program(region), reassociate=True)
    assert not clauses(new)
    assert printed(new.code, tmp_path) == printed(program(region), tmp_path)
