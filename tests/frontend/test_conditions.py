"""Affine conditions: which instances of a statement run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .expectations import chosen, codes, expect, model_of, quotient, remainder

BOX = {"i": range(-5, 6), "j": range(-5, 6)}
LOOPS = "for (int i = -5; i <= 5; i++) for (int j = -5; j <= 5; j++) "

CONDITIONS: dict[str, Callable[[int, int], bool]] = {
    "i < j": lambda i, j: i < j,
    "i <= j": lambda i, j: i <= j,
    "i > j": lambda i, j: i > j,
    "i >= j": lambda i, j: i >= j,
    "i == j": lambda i, j: i == j,
    "i != j": lambda i, j: i != j,
    "i": lambda i, _: i != 0,
    "!i": lambda i, _: i == 0,
    "i + j": lambda i, j: i + j != 0,
    "i < j && j < 3": lambda i, j: i < j < 3,
    "i < -2 || j > 2": lambda i, j: i < -2 or j > 2,
    "!(i < j)": lambda i, j: i >= j,
    "!(i < j && j < 3)": lambda i, j: not i < j < 3,
    "!(i == 1 || j == 2)": lambda i, j: i != 1 and j != 2,
    "!!i": lambda i, _: i != 0,
    "i % 2 == 0": lambda i, _: i % 2 == 0,
    "i % 2 == 1": lambda i, _: remainder(i, 2) == 1,
    "i % 2": lambda i, _: i % 2 != 0,
    "i % 3 == j % 2": lambda i, j: remainder(i, 3) == remainder(j, 2),
    "i / 2 == j": lambda i, j: quotient(i, 2) == j,
    "(i + j) / 3 < 1": lambda i, j: quotient(i + j, 3) < 1,
    "2 * i + 3 * j >= 4": lambda i, j: 2 * i + 3 * j >= 4,
    "(i < j) == (j < 2)": lambda i, j: (i < j) == (j < 2),
    "(i > 0 ? i : -i) < 3": lambda i, _: abs(i) < 3,
    "i > 0 ? j > 0 : j < 0": lambda i, j: j > 0 if i > 0 else j < 0,
    "(i & 1) == 0 && (j & 3) == 2": lambda i, j: i % 2 == 0 and j % 4 == 2,
    "1": lambda _i, _j: True,
    "0 && i": lambda _i, _j: False,
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_if(condition: str) -> None:
    scop = model_of(LOOPS + f"if ({condition}) A[i] = j;")
    expect(scop, instances=chosen("S0", BOX, CONDITIONS[condition]), context="{ : }")
    assert not any(each.is_dynamic for each in scop.statements)


@pytest.mark.parametrize("condition", ["i < j && j < 3", "i % 3 == 1 || j / 2 > i", "!(i - j)"])
def test_else_is_the_complement(condition: str) -> None:
    scop = model_of(LOOPS + f"if ({condition}) A[i] = j; else A[j] = i;")
    holds = {
        "i < j && j < 3": lambda i, j: i < j < 3,
        "i % 3 == 1 || j / 2 > i": lambda i, j: remainder(i, 3) == 1 or quotient(j, 2) > i,
        "!(i - j)": lambda i, j: i == j,
    }[condition]
    then = chosen("S0", BOX, holds)
    otherwise = chosen("S1", BOX, lambda i, j: not holds(i, j))
    expect(scop, instances=then.rstrip("}") + ";" + otherwise.lstrip("{"))


def test_else_if_chains() -> None:
    scop = model_of(LOOPS + "if (i < j) A[0] = 1; else if (i == j) A[1] = 2; else A[2] = 3;")
    parts = [
        chosen("S0", BOX, lambda i, j: i < j),
        chosen("S1", BOX, lambda i, j: i == j),
        chosen("S2", BOX, lambda i, j: i > j),
    ]
    expect(scop, instances="{" + ";".join(part.strip("{}") for part in parts) + "}")


def test_nested_conditions_are_met_together() -> None:
    body = LOOPS + "if (i > 0) { if (j % 2 == 0) A[i] = j; else if (i < 3) A[j] = i; }"
    scop = model_of(body)
    then = chosen("S0", BOX, lambda i, j: i > 0 and j % 2 == 0)
    otherwise = chosen("S1", BOX, lambda i, j: 0 < i < 3 and j % 2 != 0)
    expect(scop, instances=then.rstrip("}") + ";" + otherwise.lstrip("{"))


def test_conditions_on_parameters_alone() -> None:
    scop = model_of("if (n > 3 && n % 2 == 0) A[0] = 1; else A[1] = 2;")
    holds = "(n > 3 and n mod 2 = 0)"
    expect(scop, instances=f"[n] -> {{ S0[] : {holds}; S1[] : not {holds} }}", context="{ : }")


def test_conditions_between_iterators_and_parameters() -> None:
    scop = model_of("for (int i = 0; i < n; i++) if (2 * i < n || i == n - 1) A[i] = 0;")
    expected = "[n] -> { S0[i] : 0 <= i < n and (2i < n or i = n - 1) }"
    expect(scop, instances=expected, context="{ : }")


def test_a_loop_inside_a_condition() -> None:
    body = "if (n > 5) for (int i = 0; i < n; i++) A[i] = 0; else A[0] = 1;"
    expect(model_of(body), instances="[n] -> { S0[i] : 0 <= i < n and n > 5; S1[] : n <= 5 }")


def test_an_empty_branch_has_no_statement() -> None:
    scop = model_of("for (int i = 0; i < n; i++) if (i > 3) ; else A[i] = 0;")
    expect(scop, instances="[n] -> { S0[i] : 0 <= i < n and i <= 3 }")


def test_continue_under_an_affine_condition_is_a_guard() -> None:
    body = "for (int i = 0; i < n; i++) { A[i] = 0; if (i % 2) continue; A[i] = 1; A[i] += 2; }"
    even = "0 <= i < n and i mod 2 = 0"
    expected = f"[n] -> {{ S0[i] : 0 <= i < n; S1[i] : {even}; S2[i] : {even} }}"
    scop = model_of(body)
    expect(scop, instances=expected)
    assert not any(each.is_dynamic for each in scop.statements)


def test_the_second_operand_is_not_evaluated_where_the_first_decides() -> None:
    """``i - 1u`` would wrap for ``i = 0``, but is only asked for where ``i > 0``."""
    body = "for (unsigned i = 0; i < 9; i++) if (i > 0 && i - 1 < 4) A[i] = 0;"
    scop = model_of(body)
    expect(scop, instances="{ S0[i] : 1 <= i < 5 }")
    assert not codes(scop)
