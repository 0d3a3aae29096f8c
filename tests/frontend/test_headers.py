"""Headers of loops that start and step several variables."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from loopwright import optimize

from .expectations import model_of

LOOPS = {
    "backwards": "for (i = 0, j = n - 1; i < n; i++, j--) A[i] = B[j];",
    "until they meet": "for (i = 0, j = n - 1; i < j; ++i, --j) { A[i] = B[j]; A[j] = B[i]; }",
    "declared": "for (int k = 0, m = 1; k < n / 3; k++, m += 3) A[m] = B[k];",
    "the second decides": "for (i = n, j = 0; j < n; i -= 1, j = j + 1) A[i - 1] = B[j];",
    "three": "for (i = 0, j = 3, k = n; k > 6; i++, j++, k -= 2) A[i] = B[j] + B[k - 1];",
    "by steps": "for (i = 1, j = 0; i < n; i += 3, j += 2) A[i] = B[j] + j;",
    "unsigned": "for (unsigned u = 0, v = n - 1; u < n; u++, v--) A[u] = B[v];",
    "beside a sum": "double r; for (i = 0, r = 1; i < n; i++) r += B[i]; A[0] = r;",
    "beside a size": "for (int k = 0, m = n / 2; k < m; k++) A[k] = B[k + m];",
    "beside data": "for (int k = 0, m = C[1]; k < n; k++) A[k] = B[k] + m;",
}


def parameters(unsigned: bool) -> str:
    return f"{'unsigned' if unsigned else 'int'} n, double *A, double *B, int *C"


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS.keys())
def test_several_variables_are_followed_exactly(loop: str) -> None:
    scop = model_of(loop, parameters("unsigned" in loop), before="int i, j, k;")
    assert not any(each.is_dynamic for each in scop.statements)
    assert scop.loops


@pytest.mark.parametrize(
    "loop",
    [
        "for (i = 0, j = 0; i < n; i++, j++) { if (B[i] > 0) j++; A[j] = 1; }",
        "for (i = 0, j = 0; i < n; i++, j += C[i]) A[j] = 1;",
        "for (i = 0, j = n; i < n; i++, j--, j--) A[j] = 1;",
        "k = 0; for (i = 0; i < n; i++, k++) A[k] = 1;",
        "for (int k = 0; k < n; k++, C[0]++) A[C[0]] = 1;",
        "for (int k = 0; k < n; k++, next()) A[k] = C[0];",
        "for (i = 0, j = 0; i < n; i++, j++, C[0]++) A[C[0]] = B[j];",
        "for (unsigned u = 0, v = n - 1; v < n; u++, v--) A[u] = B[v];",
        "for (unsigned char u = 0, v = 0; u < n; u++, v += 7) A[v] = B[u];",
        "for (i = 0, j = k; i < n; i++, j++) A[j] = 1;",
        "for (i = 0; i < n; i++, j++) A[j] = 1;",
        "for (i = 0, j = 0; i < n; i++, j++, C[0]++) A[j] = 1;",
        "for (i = 0; i < n; i++, C[1] = i) A[C[1]] = 1;",
    ],
)
def test_other_variables_are_not(loop: str) -> None:
    is_unsigned = "unsigned u" in loop
    prelude = "int m; static void next(void) { m++; }"
    before = "int i, j, k = C[0]; k += C[1];"
    scop = model_of(loop, parameters(is_unsigned), prelude=prelude, before=before)
    if "= k" in loop:  # a variable from before is a parameter
        assert scop.loops
        return
    assert any(each.is_dynamic for each in scop.statements)


def test_a_variable_that_is_used_later_is_data() -> None:
    scop = model_of(
        "for (i = 0, j = 0; i < n; i++, j += 2) A[j] = 1;", before="int i, j;", after="A[0] = j;"
    )
    assert [each.is_dynamic for each in scop.statements] == [True]
    assert "j" in [each.name for each in scop.arrays]


def test_what_a_step_calls_may_change_a_size() -> None:
    scop = model_of(
        "for (int i = 0; i < n; i += next(1)) for (int j = 0; j < m; j++) A[j] = i;",
        prelude="int m; static int next(int by) { m += by; return by; }",
    )
    assert "m" not in [each.text for each in scop.parameters]


MAIN = """
#include <stdio.h>
double P[100], Q[100]; int R[100];
{functions}
int main(void)
{{
    double sum = 0;
    for (int k = 0; k < 100; k++) {{ P[k] = k % 7; Q[k] = k % 11; R[k] = k % 5; }}
    for (int n = 0; n < 12; n++) {{ {calls} }}
    for (int k = 0; k < 100; k++) sum += P[k] * (k % 13);
    printf("%.17g\\n", sum);
}}
"""


def test_loops_over_several_variables_are_rewritten_with_proof(tmp_path: Path) -> None:
    rounds = {
        name: f"    for (int o = 0; o < 5; o++) {{ {loop} }}"
        for name, loop in LOOPS.items()
        if not name.startswith("beside") or name == "beside a size"
    }
    text = MAIN.format(
        functions="\n".join(
            f"void f{at}({parameters(name == 'unsigned')})\n{{\n    int i, j, k;\n{each}\n}}"
            for at, (name, each) in enumerate(rounds.items())
        ),
        calls=" ".join(f"f{at}(n, P, Q + n, R);" for at in range(len(rounds))),
    )
    result = optimize(text, autodetect=True)
    proved = [each for each in result.proof if each is not None]
    assert len(proved) > len(rounds) // 2
    outputs: list[str] = []
    for at, each in enumerate((text, result.code)):
        source, program = tmp_path / f"{at}.c", tmp_path / f"{at}"
        source.write_text(each)
        checked = ["-fsanitize=undefined", "-fno-sanitize-recover=all"]
        subprocess.run(["gcc", "-O1", "-fopenmp", *checked, "-o", program, source], check=True)
        run = subprocess.run([program], check=True, capture_output=True, text=True)
        outputs.append(run.stdout)
    assert outputs[0] == outputs[1]
