"""Which iterations a ``for`` loop runs."""

from __future__ import annotations

import pytest

from .expectations import codes, expect, kernel, model_of, scop_of

UPWARD = "[n] -> { S0[i] : 0 <= i < n }"
INCLUSIVE = "[n] -> { S0[i] : 0 <= i <= n }"
BY_THREE = "[n] -> { S0[i] : 0 <= i < n and i mod 3 = 0 }"
ANYTHING = "{ : }"

EXACT_HEADERS = {
    "int i = 0; i < n; i++": UPWARD,
    "int i = 0; i < n; ++i": UPWARD,
    "int i = 0; n > i; i++": UPWARD,
    "int i = 0; i <= n; i++": INCLUSIVE,
    "int i = 0; n >= i; i++": INCLUSIVE,
    "int i = 0; i <= n - 1; i++": UPWARD,
    "int i = 0; !(i >= n); i++": UPWARD,
    "int i = 0; i - n < 0; i++": UPWARD,
    "int i = n; i > 0; i--": "[n] -> { S0[i] : 0 < i <= n }",
    "int i = n; 0 < i; --i": "[n] -> { S0[i] : 0 < i <= n }",
    "int i = n - 1; i >= 0; i--": UPWARD,
    "int i = n - 1; 0 <= i; --i": UPWARD,
    "int i = n - 1; i > -1; i -= 1": UPWARD,
    "int i = 0; i < n; i += 3": BY_THREE,
    "int i = 0; i < n; i -= -3": BY_THREE,
    "int i = 0; i < n; i = i + 3": BY_THREE,
    "int i = 0; i < n; i = 3 + i": BY_THREE,
    "int i = 0; i < n; i = i - (-3)": BY_THREE,
    "int i = 0; i < n; i += 1 + 2": BY_THREE,
    "int i = 1; i < n; i += 3": "[n] -> { S0[i] : 1 <= i < n and i mod 3 = 1 }",
    "int i = n; i > 0; i -= 2": "[n] -> { S0[i] : 0 < i <= n and (n - i) mod 2 = 0 }",
    "int i = n; i > 0; i = i - 2": "[n] -> { S0[i] : 0 < i <= n and (n - i) mod 2 = 0 }",
    "int i = n; i > 0; i += -2": "[n] -> { S0[i] : 0 < i <= n and (n - i) mod 2 = 0 }",
    "int i = 10; i >= 0; i -= 3": "{ S0[10]; S0[7]; S0[4]; S0[1] }",
    "int i = 3 - 2 * n; i < 5 * n; i++": "[n] -> { S0[i] : 3 - 2n <= i < 5n }",
    "int i = 0; 2 * i < n; i++": "[n] -> { S0[i] : 0 <= i and 2i < n }",
    "long i = 0; i < n; i++": UPWARD,
    "int i = 0; i == 0; i++": "{ S0[0] }",
    "int i = n; i == 3; i++": "[n] -> { S0[i] : i = 3 and n = 3 }",
    "int i = 0; i < n && i < 7; i++": "[n] -> { S0[i] : 0 <= i < n and i < 7 }",
    "int i = 0; 0 <= i && i < n; i++": UPWARD,
    "int i = 0; i < n || i < 7; i++": "[n] -> { S0[i] : 0 <= i < n or 0 <= i < 7 }",
}


@pytest.mark.parametrize("header", EXACT_HEADERS)
def test_the_iterations_are_those_that_c_runs(header: str) -> None:
    scop = model_of(f"for ({header}) A[i] = 0;")
    expect(scop, instances=EXACT_HEADERS[header], context=ANYTHING)
    assert not scop.notes


CONDITIONS_THAT_FAIL_ONCE = {
    "int i = 0; i < n && i != 4; i++": "[n] -> { S0[i] : 0 <= i < n and i < 4 }",
    "int i = 5; i < n && i != 4; i++": "[n] -> { S0[i] : 5 <= i < n }",
    "int i = 0; i < n && i % 2 == 0; i++": "[n] -> { S0[i] : i = 0 and n > 0 }",
    "int i = 0; i < n && i > 0; i++": "{ }",
    "int i = 1; i < n && i % 4 != 0; i++": "[n] -> { S0[i] : 1 <= i < n and i < 4 }",
    "int i = 9; i >= n && i / 3 > 1; i--": "[n] -> { S0[i] : 6 <= i <= 9 and i >= n }",
}


@pytest.mark.parametrize("header", CONDITIONS_THAT_FAIL_ONCE)
def test_a_loop_ends_when_its_condition_fails_for_the_first_time(header: str) -> None:
    scop = model_of(f"for ({header}) A[i] = 0;")
    expect(scop, instances=CONDITIONS_THAT_FAIL_ONCE[header], context=ANYTHING)


def test_a_conjunction_with_another_parameter_stops_before_it() -> None:
    scop = model_of("for (int i = 0; i < n && i != m; i++) A[i] = 0;", "int n, int m, double *A")
    expected = "[n, m] -> { S0[i] : 0 <= i < n and (m < 0 or i < m) }"
    expect(scop, instances=expected, context=ANYTHING)


NOT_EQUAL = {
    "int i = 0; i != 12; i += 3": ("{ S0[i] : 0 <= i < 12 and i mod 3 = 0 }", ANYTHING),
    "int i = 12; i != 0; i -= 4": ("{ S0[12]; S0[8]; S0[4] }", ANYTHING),
    "int i = 5; i != 5; i++": ("{ }", ANYTHING),
    "int i = 0; i != n; i++": (UPWARD, "[n] -> { : n >= 0 }"),
    "int i = 0; n != i; i++": (UPWARD, "[n] -> { : n >= 0 }"),
    "int i = 0; i - n; i++": (UPWARD, "[n] -> { : n >= 0 }"),
    "int i = 0; !(i == n); i++": (UPWARD, "[n] -> { : n >= 0 }"),
    "int i = n; i != 0; i--": ("[n] -> { S0[i] : 0 < i <= n }", "[n] -> { : n >= 0 }"),
    "int i = 0; i != n; i += 2": (
        "[n] -> { S0[i] : 0 <= i < n and i mod 2 = 0 }",
        "[n] -> { : n >= 0 and n mod 2 = 0 }",
    ),
    "int i = n; i != 1; i -= 3": (
        "[n] -> { S0[i] : 1 < i <= n and i mod 3 = 1 }",
        "[n] -> { : n >= 1 and n mod 3 = 1 }",
    ),
    "int i = 0; i != 3 * n; i += 3": (
        "[n] -> { S0[i] : 0 <= i < 3n and i mod 3 = 0 }",
        "[n] -> { : n >= 0 }",
    ),
}


@pytest.mark.parametrize("header", NOT_EQUAL)
def test_not_equal_holds_where_the_step_meets_the_bound(header: str) -> None:
    instances, context = NOT_EQUAL[header]
    scop = model_of(f"for ({header}) A[i] = 0;")
    expect(scop, instances=instances, context=context)


def test_what_not_equal_assumes_has_a_reason() -> None:
    scop = model_of("for (int i = 0; i != n; i++) A[i] = 0;")
    (assumption,) = scop.assumptions
    assert "ends" in assumption.reason
    assert assumption.span.line == 6


@pytest.mark.parametrize("header", ["i = 0; i < n; i++", "i = 0; i < n; i = i + 1"])
def test_an_iterator_may_be_declared_outside(header: str) -> None:
    scop = model_of(f"for ({header}) A[i] = 0;", before="int i;")
    expect(scop, instances=UPWARD, writes="[n] -> { S0[i] -> A[i] : 0 <= i < n }", reads="{ }")
    assert [array.name for array in scop.arrays] == ["A"]


def test_an_iterator_may_be_declared_at_the_start_of_the_region() -> None:
    scop = model_of("int i; for (i = 0; i < n; i++) A[i] = 0;")
    expect(scop, instances=UPWARD, kills="{ }")
    assert [array.name for array in scop.arrays] == ["A"]


def test_one_iterator_serves_several_loops() -> None:
    body = "for (i = 0; i < n; i++) A[i] = 0; for (i = n; i > 0; i--) A[i] = 1;"
    scop = model_of(body, before="int i;")
    expect(scop, instances="[n] -> { S0[i] : 0 <= i < n; S1[i] : 0 < i <= n }")


def test_an_iterator_that_a_later_loop_sets_again_is_no_data() -> None:
    after = "for (i = 0; i < n; i++) A[i] += 1;"
    scop = model_of("for (i = 0; i < n; i++) A[i] = 0;", before="int i;", after=after)
    expect(scop, instances=UPWARD)
    assert not scop.statements[0].is_dynamic


@pytest.mark.parametrize("use", ["A[i] = 7;", "n = i;", "for (; i < 2 * n; i++) A[i] = 0;"])
def test_the_last_value_of_an_iterator_that_is_used_later_is_written(use: str) -> None:
    scop = model_of("for (i = 0; i < n; i++) A[i] = 0;", before="int i;", after=use)
    assert "i" in {access.array for each in scop.statements for access in each.accesses}
    assert scop.array("i").is_live_out


def test_a_global_iterator_is_live_after_the_region() -> None:
    scop = model_of("for (i = 0; i < n; i++) A[i] = 0;", prelude="int i;")
    assert scop.array("i").is_live_out


def test_triangular_and_shifted_bounds() -> None:
    body = "for (int i = 0; i < n; i++) for (int j = i + 1; j <= 2 * i + n; j++) A[j] = i;"
    expected = "[n] -> { S0[i, j] : 0 <= i < n and i < j <= 2i + n }"
    expect(model_of(body), instances=expected, context=ANYTHING)


def test_strides_start_at_the_outer_iterator() -> None:
    body = "for (int i = 0; i < n; i++) for (int j = i; j < n; j += 4) A[j] = i;"
    expected = "[n] -> { S0[i, j] : 0 <= i <= j < n and (j - i) mod 4 = 0 }"
    expect(model_of(body), instances=expected)


def test_an_inner_iterator_may_shadow_an_outer_one() -> None:
    body = "for (int i = 0; i < n; i++) for (int i = 0; i < 3; i++) A[i] = 0;"
    scop = model_of(body)
    (statement,) = [each for each in scop.statements if not each.is_kill]
    assert len(set(statement.iterators)) == 2
    expect(
        scop,
        instances="[n] -> { S0[i, k] : 0 <= i < n and 0 <= k < 3 }",
        writes="[n] -> { S0[i, k] -> A[k] : 0 <= i < n and 0 <= k < 3 }",
    )


def test_an_iterator_may_shadow_a_parameter() -> None:
    scop = model_of("for (int n = 0; n < 4; n++) A[n] = 0; A[n] = 1;")
    (n,) = [each.name for each in scop.parameters if each.text == "n"]
    expect(scop, writes=f"[{n}] -> {{ S0[k] -> A[k] : 0 <= k < 4; S1[] -> A[{n}] }}")


@pytest.mark.parametrize(
    "header", ["int i = 3; i > 10; i++", "int i = n; i < n; i++", "int i = 0; i > 0; i--"]
)
def test_a_loop_that_never_runs_has_no_instances(header: str) -> None:
    scop = model_of(f"A[0] = 1; for ({header}) A[i] = 0; A[1] = 2;")
    writes = "{ S0[] -> A[0]; S2[] -> A[1] }"
    expect(scop, writes=writes, context=ANYTHING)


def test_a_constant_bound_from_a_macro() -> None:
    program = kernel("for (int i = 0; i < SIZE; i++) A[i] = 0;")
    scop = scop_of(program, define=["SIZE=17"])
    expect(scop, instances="{ S0[i] : 0 <= i < 17 }")


def test_enumerators_characters_and_sizeof_are_numbers() -> None:
    body = "for (int i = LOW; i < 'A'; i += sizeof(int)) A[i] = 0;"
    scop = model_of(body, prelude="enum { LOW = 5 };")
    expect(scop, instances="{ S0[i] : 5 <= i < 65 and i mod 4 = 1 }")


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = 0; i < n; i++) { A[i] = 0; i++; }",
        "for (int i = 0; i++ < n; ) A[i] = 0;",
        "for (int i = 1; i < n; i *= 2) A[i] = 0;",
        "for (int i = 0; i < n; i += n) A[i] = 0;",
        "for (float x = 0; x < n; x++) A[0] = x;",
        "for (int i = 0; ; i++) { if (i >= n) break; A[i] = 0; }",
        "for (_Bool i = 0; i < 1; i++) A[i] = 0;",
    ],
)
def test_a_loop_that_is_not_counted_is_one_atomic_statement(loop: str) -> None:
    scop = model_of(loop)
    (statement,) = [each for each in scop.statements if not each.is_kill]
    assert statement.is_dynamic
    assert statement.iterators == ()
    assert scop.may_writes().is_empty() is False
    assert not codes(scop) & {"LW301", "LW302"}
