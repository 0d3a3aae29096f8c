"""Loops bounded by elements, members and products, rewritten with proof, and run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from loopwright import optimize

BODY = "b[j][i] = 2 * a[j][i] + i;"
PROGRAMS = {
    "elements of a pointer": (
        "const int *p",
        "for (int i = 0; i < p[0]; i++) for (int j = 0; j < p[1]; j++) " + BODY,
        "(p[0] = 40, p[1] = 50, p)",
        "(p[0] = 0, p)",
    ),
    "products of members": (
        "struct s *p",
        "for (int i = 0; i < p->n; i++) for (int j = 0; j < p->w * p->h; j++) " + BODY,
        "&(struct s){40, 5, 9}",
        "&(struct s){0, 99999, 99999}",
    ),
    "quotients": (
        "struct s *p",
        "for (int i = 0; i < p->n; i++) for (int j = 0; j < p->w / p->h; j++) " + BODY,
        "&(struct s){40, 99, 3}",
        "&(struct s){0, 99, 0}",
    ),
    "a variable of the loop": (
        "struct s *p",
        "for (int i = 0; i < p->n; i++) { int size = p->w * p->h; "
        "for (int j = 0; j < size; j++) " + BODY + "}",
        "&(struct s){40, 5, 9}",
        "&(struct s){-1, 99999, 99999}",
    ),
}
MAIN = """
#include <stdio.h>
#include <stdlib.h>
struct s {{ int n, w, h; }};
double a[64][64], b[64][64];
void f({parameters})
{{
{body}
}}
int main(void)
{{
    int *p = malloc({size} * sizeof *p);
    double sum = 0;
    for (int k = 0; k < 64 * 64; k++) a[k / 64][k % 64] = k % 17;
    f({argument});
    for (int k = 0; k < 64 * 64; k++) sum += b[k / 64][k % 64] * (k % 5);
    printf("%.17g\\n", sum);
    free(p);
}}
"""


def output(text: str, folder: Path) -> str:
    source, program = folder / "program.c", folder / "program"
    source.write_text(text)
    checked = ["-fsanitize=undefined,address", "-fno-sanitize-recover=all", "-Wno-unused-variable"]
    subprocess.run(["gcc", "-O1", "-fopenmp", *checked, "-o", program, source], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_what_bounds_loops_is_evaluated_where_it_was(
    program: tuple[str, str, str, str], tmp_path: Path
) -> None:
    parameters, body, *arguments = program
    for size, argument in zip((2, 1), arguments, strict=True):
        text = MAIN.format(parameters=parameters, body=body, argument=argument, size=size)
        result = optimize(text, function="f", autodetect=True)
        assert result.proof
        assert None not in result.proof
        assert "c0" in result.code
        assert output(result.code, tmp_path) == output(text, tmp_path)
