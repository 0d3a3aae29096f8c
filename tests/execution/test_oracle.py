"""The oracle accepts right models and complains about wrong ones, each in its own way."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from loopwright.model.scop import Scop

from .models import Touching, array, scop, statement
from .oracle import Program, ProgramFailure, check_program

MATMUL = """\
void matmul(int n, int m, double C[n][n], double A[n][m], double B[m][n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
Init: C[i][j] = 0;
      for (int k = 0; k < m; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
#pragma endscop
}
int main(void)
{
  static double C[3][3], A[3][4], B[4][3], D[5][5], E[5][2], F[2][5];
  matmul(3, 4, C, A, B);
  matmul(5, 2, D, E, F);
  return 0;
}
"""
SQUARE = "[n, m] -> {{ S0[i, j] -> {} : 0 <= i < n and 0 <= j < n }}"
CUBE = "[n, m] -> {{ S1[i, j, k] -> {} }}"
INIT = (Touching("w", "[n, m] -> { S0[i, j] -> C[i, j] }"),)
UPDATE = (
    Touching("rw", "[n, m] -> { S1[i, j, k] -> C[i, j] }"),
    Touching("r", "[n, m] -> { S1[i, j, k] -> A[i, k] }"),
    Touching("r", "[n, m] -> { S1[i, j, k] -> B[k, j] }"),
)
ORDER = "[n, m] -> { S0[i, j] -> [i, j, 0, 0]; S1[i, j, k] -> [i, j, 1, k] }"


def matmul(
    *,
    square: str = "0 <= i < n and 0 <= j < n",
    update: tuple[Touching, ...] = UPDATE,
    order: str = ORDER,
    context: str = "{ : }",
) -> Scop:
    """The model of the matrix product, right unless an argument makes it wrong."""
    cube = "0 <= i < n and 0 <= j < n and 0 <= k < m"
    return scop(
        MATMUL,
        "matmul",
        ["n", "m"],
        [
            array(MATMUL, "double C[n][n]", "C", ["[n] -> { [(n)] }", "[n] -> { [(n)] }"]),
            array(MATMUL, "double A[n][m]", "A", ["[n] -> { [(n)] }", "[m] -> { [(m)] }"]),
            array(MATMUL, "double B[m][n]", "B", ["[m] -> { [(m)] }", "[n] -> { [(n)] }"]),
        ],
        [
            statement(MATMUL, "C[i][j] = 0;", f"[n, m] -> {{ S0[i, j] : {square} }}", INIT),
            statement(
                MATMUL,
                "C[i][j] += A[i][k] * B[k][j]",
                f"[n, m] -> {{ S1[i, j, k] : {cube} }}",
                update,
            ),
        ],
        order,
        context,
    )


def complaints(model: Scop, text: str = MATMUL) -> list[str]:
    """The messages, as a test prints them."""
    return [str(each) for each in check_program(Program(text, [model]))]


def test_a_right_model_is_accepted() -> None:
    assert complaints(matmul()) == []


def test_a_may_access_allows_more_than_happens() -> None:
    anywhere = Touching(
        "r", "[n, m] -> { S1[i, j, k] -> B[x, y] }", "{ S1[i, j, k] -> B[0, 0] : 1 = 0 }"
    )
    assert complaints(matmul(update=(*UPDATE[:2], anywhere))) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            {"square": "0 <= i < n and 0 <= j < n - 1"},
            "instances: from place 10 on, the model expects S1[i=0, j=2, k=0]",
        ),
        ({"square": "0 <= i < n and 0 <= j <= n"}, "instances: "),
        (
            {"order": "[n, m] -> { S0[i, j] -> [i, j, 2, 0]; S1[i, j, k] -> [i, j, 1, k] }"},
            "instances: from place 0 on, the model expects S1[i=0, j=0, k=0]",
        ),
        (
            {"order": "[n, m] -> { S0[i, j] -> [i, j, 0, 0]; S1[i, j, k] -> [i, j, 1, 0] }"},
            "order: the schedule runs S1[i=0, j=0, k=0] and S1[i=0, j=0, k=1] at once",
        ),
        ({"context": "[n] -> { : n >= 4 }"}, "context: the run has {'n': 3, 'm': 4}"),
        (
            {"update": (*UPDATE[:2], Touching("r", "{ S1[i, j, k] -> B[j, k] }"))},
            "reads: the model says that S1[i=0, j=0, k=1] reads B[0][1]",
        ),
        (
            {"update": UPDATE[:2]},
            "reads: in the run S1[i=0, j=0, k=0] reads B[0][0]",
        ),
        (
            {"update": (Touching("r", "{ S1[i, j, k] -> C[i, j] }"), *UPDATE[1:])},
            "writes: in the run S1[i=0, j=0, k=0] writes C[0][0]",
        ),
        (
            {"update": (*UPDATE, Touching("w", "{ S1[i, j, k] -> B[k, j] }"))},
            "writes: the model says that S1[i=0, j=0, k=0] writes B[0][0]",
        ),
        (
            {
                "update": (
                    *UPDATE[:2],
                    Touching(
                        "r",
                        "{ S1[i, j, k] -> B[x, j] : x < k }",
                        "{ S1[i, j, k] -> B[0, 0] : 1 = 0 }",
                    ),
                )
            },
            "reads: in the run S1[i=0, j=0, k=0] reads B[0][0]",
        ),
    ],
)
def test_a_wrong_model_is_refused(change: dict[str, object], expected: str) -> None:
    found = complaints(matmul(**change))  # type: ignore[arg-type]
    assert found
    assert any(each.startswith(expected) for each in found), found


def test_a_forgotten_statement_is_refused() -> None:
    right = matmul()
    kept = right.statements[:1]
    only = "[n, m] -> { S0[i, j] -> [i, j, 0, 0] }"
    model = scop(MATMUL, "matmul", ["n", "m"], right.arrays, kept, only)
    assert complaints(model)[0].startswith("forgotten: the model has no statement for `C[i][j] +=")


def test_a_forgotten_array_is_refused() -> None:
    right = matmul()
    model = replace(right, arrays=right.arrays[:2])
    assert any("which no array of the model holds" in each for each in complaints(model))


def test_wrong_strides_are_refused() -> None:
    right = matmul()
    extents = (isl.PwAff("[n] -> { [(n)] }"), isl.PwAff("[m] -> { [(m + 1)] }"))
    wrong = replace(right.arrays[1], extents=extents)
    model = replace(right, arrays=(right.arrays[0], wrong, right.arrays[2]))
    assert complaints(model)


KILLED = """\
void f(int n, double A[n], double B[n])
{
  double t;
#pragma scop
  for (int i = 0; i < n; i++) {
    t = A[i];
    B[i] = t;
  }
#pragma endscop
}
int main(void)
{
  double A[4] = {1, 2, 3, 4}, B[4];
  f(4, A, B);
  return 0;
}
"""


def killing(when: int, *, is_live_in: bool = False) -> Scop:
    """A scalar that dies in each iteration: before the write (0), between (2) or after (4)."""
    bounds = "0 <= i < n"
    extent = "[n] -> { [(n)] }"
    return scop(
        KILLED,
        "f",
        ["n"],
        [
            array(KILLED, "double A[n]", "A", [extent]),
            array(KILLED, "double B[n]", "B", [extent], is_live_in=False),
            array(KILLED, "double t", "t", [], is_live_in=is_live_in),
        ],
        [
            statement(
                KILLED,
                "t = A[i]",
                f"[n] -> {{ S0[i] : {bounds} }}",
                [Touching("w", "{ S0[i] -> t[] }"), Touching("r", "{ S0[i] -> A[i] }")],
            ),
            statement(
                KILLED,
                "B[i] = t",
                f"[n] -> {{ S1[i] : {bounds} }}",
                [Touching("w", "{ S1[i] -> B[i] }"), Touching("r", "{ S1[i] -> t[] }")],
            ),
            statement(
                KILLED,
                "double t",
                f"[n] -> {{ K[i] : {bounds} }}",
                [Touching("k", "{ K[i] -> t[] }")],
            ),
        ],
        f"[n] -> {{ S0[i] -> [i, 1]; S1[i] -> [i, 3]; K[i] -> [i, {when}] }}",
    )


@pytest.mark.parametrize("when", [0, 4])
def test_a_kill_of_a_value_that_is_not_read_again_is_accepted(when: int) -> None:
    assert complaints(killing(when), KILLED) == []


def test_a_kill_of_a_value_that_is_still_read_is_refused() -> None:
    found = complaints(killing(2), KILLED)
    assert found[0].startswith("kill: S1[i=0] reads t (in `B[i] = t`), which K[i=0] had killed")


def test_a_value_from_before_the_region_must_be_live_in() -> None:
    right = killing(4)
    arrays = (replace(right.arrays[0], is_live_in=False), *right.arrays[1:])
    found = complaints(replace(right, arrays=arrays), KILLED)
    assert found[0].startswith("live-in: S0[i=0] reads A[0]")


def test_a_program_that_crashes_is_not_blamed_on_the_model() -> None:
    with pytest.raises(ProgramFailure, match="fails"):
        complaints(killing(0), KILLED.replace("f(4, A, B)", "f(4, A, 0)"))
