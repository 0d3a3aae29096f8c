"""Expressions mean what isl's functions and sets mean, in Python and in compiled C (§5.10)."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import islpy as isl
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from loopwright.codegen.build import Build
from loopwright.codegen.expressions import (
    access,
    aff_expression,
    bound_conjunction,
    call,
    condition,
    expression,
    greatest,
    least,
    pw_aff_expression,
    upper_condition,
)
from loopwright.codegen.options import AstOptions
from loopwright.model.expressions import expression_text
from tests.codegen.random_functions import (
    Setting,
    disjunctions,
    functions,
    inside,
    points,
    spaces,
)
from tests.codegen.strict_values import Case, checked, compile_and_compare

VARIANTS = {
    "default": AstOptions(),
    "eager": AstOptions(lazy=False),
    "conditional": AstOptions(detect_min_max=False),
    "floord": AstOptions(prefer_remainder=False),
}


@st.composite
def function_cases(draw: st.DrawFn) -> tuple[Setting, isl.Set, isl.PwAff, list[tuple[int, ...]]]:
    setting = draw(spaces())
    known = setting.set(draw(disjunctions(setting.names, 2)))
    return setting, known, draw(functions(setting)), points(setting, draw(st.integers(0, 999)))


@st.composite
def set_cases(draw: st.DrawFn) -> tuple[Setting, isl.Set, isl.Set, list[tuple[int, ...]]]:
    setting = draw(spaces())
    known = setting.set(draw(disjunctions(setting.names, 2)))
    return (
        setting,
        known,
        setting.set(draw(disjunctions(setting.names, 3))),
        points(setting, draw(st.integers(0, 999))),
    )


SCALE = int(os.environ.get("LOOPWRIGHT_EXAMPLES", "1"))
"""So many times more examples, and others each time."""


def law(examples: int):
    return settings(
        max_examples=SCALE * examples,
        deadline=None,
        database=None,
        derandomize=SCALE == 1,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_functions_have_their_values(variant: str, tmp_path: Path) -> None:
    cases: list[Case] = []

    @law(120 if variant == "default" else 50)
    @given(function_cases())
    def check(case: tuple[Setting, isl.Set, isl.PwAff, list[tuple[int, ...]]]) -> None:
        setting, known, function, drawn = case
        where = inside(known, setting, drawn)
        if not where:
            return
        expr = pw_aff_expression(function, setting.build(known, VARIANTS[variant]))
        expected = [
            (setting.values(point), function.eval(setting.point(point)).to_python())
            for point in where
        ]
        cases.append(checked(expr, expected, f"{function}\nin {known}"))

    check()
    compile_and_compare(cases, tmp_path)


@pytest.mark.parametrize("variant", VARIANTS)
def test_conditions_hold_where_the_set_holds(variant: str, tmp_path: Path) -> None:
    cases: list[Case] = []

    @law(120 if variant == "default" else 50)
    @given(set_cases())
    def check(case: tuple[Setting, isl.Set, isl.Set, list[tuple[int, ...]]]) -> None:
        setting, known, holds, drawn = case
        where = inside(known, setting, drawn)
        where += inside(known.intersect(holds), setting, [])
        where += inside(known.subtract(holds), setting, [])
        expr = condition(holds, setting.build(known, VARIANTS[variant]))
        expected = [
            (setting.values(point), int(setting.point(point).to_set().is_subset(holds)))
            for point in where
        ]
        cases.append(checked(expr, expected, f"{holds}\nin {known}"))

    check()
    compile_and_compare(cases, tmp_path)


@st.composite
def bound_cases(draw: st.DrawFn) -> tuple[Setting, isl.Set, list[isl.PwAff], int, int]:
    setting = draw(spaces())
    known = setting.set(draw(disjunctions(setting.names, 2)))
    bounds = draw(st.lists(functions(setting), min_size=1, max_size=3))
    return setting, known, bounds, draw(st.integers(-20, 20)), draw(st.integers(0, 999))


@pytest.mark.parametrize("variant", VARIANTS)
def test_bounds_are_the_greatest_and_the_least(variant: str, tmp_path: Path) -> None:
    cases: list[Case] = []

    @law(12)
    @given(bound_cases())
    def check(case: tuple[Setting, isl.Set, list[isl.PwAff], int, int]) -> None:
        setting, known, bounds, iterator, seed = case
        build = setting.build(known, VARIANTS[variant])
        high, low = greatest(bounds, build), least(bounds, build)
        upper = upper_condition("ix2", bounds, build)
        expected = []
        for point in inside(known, setting, points(setting, seed)):
            values = [bound.eval(setting.point(point)).to_python() for bound in bounds]
            expected.append((setting.values(point) | {"ix2": iterator}, values))
        what = f"{bounds}\nin {known}"
        cases.append(checked(high, [(each, max(values)) for each, values in expected], what))
        cases.append(checked(low, [(each, min(values)) for each, values in expected], what))
        holds = [(each, int(iterator <= min(values))) for each, values in expected]
        cases.append(checked(upper, holds, what))

    check()
    compile_and_compare(cases, tmp_path)


# --- as the paper and people write them ---------------------------------------------------------


def build_at(known: str, iterators: str = "", options: AstOptions | None = None) -> Build:
    held = isl.Set(known)
    identity = isl.MultiAff.identity(held.get_space().map_from_set())
    return Build(tuple(iterators.split()), held, identity, options or AstOptions())


FUNCTIONS = [
    # Fig. 5b
    ("[n] -> { [] -> [4*floor(n/4) + 2] }", "[n] -> { [] : n >= 2 }", "-(n % 4) + n + 2"),
    # Fig. 7a
    ("[n] -> { [] -> [n mod 128] }", "[n] -> { [] : n >= 0 }", "n % 128"),
    (
        "[t1] -> { [] -> [(t1 - 7) mod 128 + 7] }",
        "[t1] -> { [] : 0 <= t1 < 128 }",
        "(t1 + 121) % 128 + 7",
    ),
    # Fig. 1
    (
        "[t1] -> { [c3] -> [(t1 + c3 - 3) mod 128 - c3 + 3] }",
        "[t1] -> { [c3] : 0 <= t1 < 128 and 1 <= c3 <= 4 }",
        "(t1 + c3 + 125) % 128 - c3 + 3",
    ),
    (
        "[t1] -> { [c3] -> [(t1 - c3 + 2) mod 128 + c3 - 2] }",
        "[t1] -> { [c3] : 0 <= t1 < 128 and 1 <= c3 <= 4 }",
        "(t1 - c3 + 130) % 128 + c3 - 2",
    ),
    (
        "{ [c2, c3] -> [-((c2 + c3) mod 2) - c3 + 134] }",
        "{ [c2, c3] : 0 <= c2 <= 1 and 1 <= c3 <= 4 }",
        "-((c2 + c3) % 2) - c3 + 134",
    ),
    # Examples 5.6, 5.8 and 5.11
    (
        "[n] -> { [] -> [floor(n/2) + 2*floor((-n - 1)/4) + 2] }",
        "[n] -> { [] : n mod 2 = 0 }",
        "n / 2 + 2 * floord(-n - 1, 4) + 2",
    ),
    ("[M] -> { [] -> [0] : M <= 0; [] -> [M] : M > 0 }", "[M] -> { [] }", "max(0, M)"),
    ("[m] -> { [] -> [4*floor((m - 1)/4) + 3] }", "[m] -> { [] }", "4 * floord(m - 1, 4) + 3"),
    # No sign is known: floord.  The opposite sign is: a division of the opposite.
    ("[n] -> { [] -> [n mod 8] }", "[n] -> { [] }", "n - 8 * floord(n, 8)"),
    ("[n] -> { [] -> [floor(n/8)] }", "[n] -> { [] : n <= 0 }", "-((-n + 7) / 8)"),
    ("[n] -> { [] -> [n mod 8] }", "[n] -> { [] : n <= 0 }", "-((-n + 7) % 8) + 7"),
    # A bounded sign: a multiple of the divisor makes up for it.
    ("[n] -> { [] -> [floor(n/8)] }", "[n] -> { [] : n >= -10 }", "(n + 16) / 8 - 2"),
    # The value of a rational function is an integer where it is used.
    ("[n] -> { [i] -> [(3i + n)/3] }", "[n] -> { [i] }", "n / 3 + i"),
    # A long dividend is not written twice.
    (
        "[n] -> { [i] -> [4*floor((2i + 3n)/4)] }",
        "[n] -> { [i] : n >= 0 and i >= 0 }",
        "4 * ((3 * n + 2 * i) / 4)",
    ),
    # Orders and signs.
    ("[n] -> { [i] -> [-n + i] }", "[n] -> { [i] }", "i - n"),
    ("[n] -> { [i] -> [n - i - 1] }", "[n] -> { [i] }", "n - i - 1"),
    ("[n] -> { [i] -> [-2i - 3] }", "[n] -> { [i] }", "-2 * i - 3"),
    ("[n] -> { [i] -> [-7] }", "[n] -> { [i] }", "-7"),
    # Specialisation.
    (
        "[N] -> { [i] -> [N - 1] : i = 0; [i] -> [i - 1] : i != 0 }",
        "[N] -> { [i] : i >= 1 }",
        "i - 1",
    ),
    ("[N] -> { [i] -> [N + i] }", "[N] -> { [i] : i = 3 }", "N + 3"),
    # Integers of any size.
    (
        "{ [i] -> [1267650600228229401496703205376i + 1] }",
        "{ [i] }",
        "1267650600228229401496703205376 * i + 1",
    ),
]


def names_of(known: str) -> str:
    held = isl.Set(known)
    count = held.dim(isl.dim_type.set)
    return " ".join(str(held.get_dim_name(isl.dim_type.set, at)) for at in range(count))


@pytest.mark.parametrize(("function", "known", "text"), FUNCTIONS)
def test_functions_as_people_write_them(function: str, known: str, text: str) -> None:
    expr = pw_aff_expression(isl.PwAff(function), build_at(known, names_of(known)))
    assert expression_text(expr) == text


CONDITIONS = [
    # Examples 5.19 and 5.20
    ("[n] -> { [] : n >= 2 and n mod 4 >= 2 }", "[n] -> { [] }", "n >= 2 && n % 4 >= 2"),
    # Figs 7a and 8
    (
        "[t1] -> { [] : (t1 - 7) mod 128 + 7 <= 130 }",
        "[t1] -> { [] : 0 <= t1 < 128 }",
        "(t1 + 121) % 128 <= 123",
    ),
    (
        "[t1] -> { [i, j] : j + 256 = t1 or (j + 384 = t1 and t1 >= 126) }",
        "[t1] -> { [i, j] : 0 <= i <= 1 }",
        "j + 256 == t1 || (j + 384 == t1 && t1 >= 126)",
    ),
    # Examples 5.2, 5.6, 5.11 and 5.18
    ("{ [c0] : (c0 + 1) mod 3 >= 1 }", "{ [c0] : 0 <= c0 <= 3 }", "(c0 + 1) % 3 >= 1"),
    ("[n] -> { [] : n mod 2 = 0 }", "[n] -> { [] }", "n % 2 == 0"),
    (
        "[m, n] -> { [] : n >= m + 4 and 4*floor((n - 1)/4) + 3 >= n }",
        "[m, n] -> { [] }",
        "n >= m + 4 && 4 * floord(n - 1, 4) + 3 >= n",
    ),
    ("[m, n] -> { [] : m + 3 >= n }", "[m, n] -> { [] }", "m + 3 >= n"),
    ("[m, n] -> { [] : m = n }", "[m, n] -> { [] }", "m == n"),
    ("[M] -> { [] : M < 0 }", "[M] -> { [] }", "M <= -1"),
    ("[n] -> { [i] : i < n }", "[n] -> { [i] }", "n > i"),
    (
        "[lb] -> { [c0, c1] : c0 >= lb and c1 > c0 }",
        "[lb] -> { [c0, c1] }",
        "c0 >= lb && c1 > c0",
    ),
    # All and nothing.
    ("{ [i] : i >= 0 }", "{ [i] : i >= 3 }", "1"),
    ("{ [i] : i >= 4 }", "{ [i] : i <= 3 }", "0"),
    # Remainders other than zero still need no sign.
    ("{ [i] : i mod 4 = 2 }", "{ [i] }", "(i + 2) % 4 == 0"),
    ("[n] -> { [i] : (n - i) mod 5 = 1 }", "[n] -> { [i] }", "(n - i - 1) % 5 == 0"),
    # Between multiples no division is needed.
    ("[m] -> { [i] : 8*floor(m/8) <= i }", "[m] -> { [i] : i mod 8 = 0 }", "i + 7 >= m"),
    ("[m] -> { [i] : 8*floor(m/8) >= i }", "[m] -> { [i] : i mod 8 = 0 }", "m >= i"),
    # What all disjuncts share is asked once; what they exclude may be shorter.
    (
        "[n] -> { [i, j] : n >= 4 and (i < 0 or j > n or j = i) }",
        "[n] -> { [i, j] }",
        "n >= 4 && (i <= -1 || j > n || j == i)",
    ),
    (
        "{ [i, j] : (i < 0) or (i >= 0 and j < 0) }",
        "{ [i, j] }",
        "i <= -1 || j <= -1",
    ),
    (
        "{ [i, j] : i != 3 and j != 3 }",
        "{ [i, j] }",
        "(i <= 2 || i >= 4) && (j <= 2 || j >= 4)",
    ),
]


def test_a_rational_function_is_compared_on_its_own_piece_only() -> None:
    value = isl.PwAff("{ [i] -> [(i)/4] : i mod 4 = 0 and i >= 4; [i] -> [1] : i = 2 }")
    expr = pw_aff_expression(value, build_at("{ [i] : i >= 0 }", "i"))
    assert expression_text(expr) == "i == 2 ? 1 : i / 4"  # i / 4 is not exact at 2


@pytest.mark.parametrize(("holds", "known", "text"), CONDITIONS)
def test_conditions_as_people_write_them(holds: str, known: str, text: str) -> None:
    expr = condition(isl.Set(holds), build_at(known, names_of(known)))
    assert expression_text(expr) == text


UPPER_BOUNDS = [
    ("[n] -> { [] }", ["396"], "c <= 396"),
    ("[n] -> { [] }", ["n - 1"], "c < n"),
    ("[n] -> { [] }", ["n - 2"], "c < n - 1"),
    ("[n] -> { [] }", ["n"], "c <= n"),
    ("[N] -> { [] }", ["floor(N/2) + 2"], "c <= floord(N, 2) + 2"),
    ("[N] -> { [] }", ["floor(N/2)", "2"], "c <= min(2, floord(N, 2))"),
    ("[n] -> { [c0] }", ["c0 + 3", "n - 1"], "c <= min(n - 1, c0 + 3)"),
    ("[n] -> { [c0] : c0 <= n - 4 }", ["c0 + 3", "n - 1"], "c <= c0 + 3"),
    (
        "[M] -> { [c1] : c1 >= 5 }",
        ["floor((c1 - 8)/3)", "M - 1"],
        "c < min((c1 + 1) / 3 - 2, M)",
    ),
    ("[t2] -> { [] }", ["-t2 + 127", "t2 - 383"], "c <= min(-t2 + 127, t2 - 383)"),
]


@pytest.mark.parametrize(("known", "bounds", "text"), UPPER_BOUNDS)
def test_upper_bounds_as_people_write_them(known: str, bounds: list[str], text: str) -> None:
    head, tuple_text = known.split(" : ")[0].rstrip("} ").split("{ ")
    functions_ = [isl.PwAff(f"{head}{{ {tuple_text} -> [{bound}] }}") for bound in bounds]
    expr = upper_condition("c", functions_, build_at(known, names_of(known)))
    assert expression_text(expr) == text


def test_options_choose_the_operators() -> None:
    holds = isl.Set("[n] -> { [i] : i >= 0 and (i <= n or n >= 9) }")
    known = "[n] -> { [i] }"
    eager = condition(holds, build_at(known, "i", VARIANTS["eager"]))
    assert expression_text(eager) == "(i >= 0) & ((n >= 9) | (n >= i))"
    choice = isl.PwAff("[n] -> { [i] -> [0] : n <= 0; [i] -> [n] : n > 0 }")
    chosen = pw_aff_expression(choice, build_at(known, "i", VARIANTS["conditional"]))
    assert expression_text(chosen) == "n <= 0 ? 0 : n"
    rest = isl.PwAff("[n] -> { [i] -> [i mod 4] }")
    floored = build_at("[n] -> { [i] : i >= 0 }", "i", VARIANTS["floord"])
    assert expression_text(pw_aff_expression(rest, floored)) == "i - 4 * floord(i, 4)"


def test_upper_bounds_as_a_conjunction() -> None:
    part = isl.BasicSet("[M] -> { [c1, c3] : c3 < M and 3c3 + 8 <= c1 }")
    build = build_at("[M] -> { [c1, c3] }", "c1 c3")
    text = expression_text(bound_conjunction("c3", part.get_constraints(), build))
    assert text == "c3 < M && c1 >= 3 * c3 + 8"


# --- what a user asks for -----------------------------------------------------------------------


def statement_build() -> Build:
    """At ``S(2 * c0 + 1)``, in a loop that counts by one instead of by two."""
    build = build_at("[N] -> { [c0] : 0 <= c0 and 2c0 + 1 < N }", "c0")
    schedule = isl.MultiAff("[N] -> { [c0] -> [2c0] }")
    return replace(
        build, schedule=schedule, instance=isl.PwMultiAff("[N] -> { [c0] -> S[2c0 + 1] }")
    )


def test_values_of_the_instance_of_the_schedule_and_of_parameters() -> None:
    build = statement_build()
    of_instance = isl.PwAff("[N] -> { S[i] -> [N - 1] : i = 0; S[i] -> [i - 1] : i > 0 }")
    assert expression_text(expression(of_instance, build)) == "2 * c0"
    of_schedule = isl.PwAff("[N, m] -> { [t] -> [t + m] }")
    assert expression_text(expression(of_schedule, build)) == "m + 2 * c0"
    of_parameters = isl.PwAff("[m] -> { [(m - 1)] }")
    assert expression_text(expression(of_parameters, build)) == "m - 1"


def test_accesses_are_specialised_where_they_stand() -> None:
    build = statement_build()
    wrapped = isl.PwMultiAff("[N] -> { S[i] -> A[N - 1, 3] : i = 0; S[i] -> A[i - 1, i] : i > 0 }")
    assert expression_text(access(wrapped, build)) == "A[2 * c0][2 * c0 + 1]"
    scalar = isl.PwMultiAff("{ S[i] -> x[] }")
    assert expression_text(access(scalar, build)) == "x"
    assert expression_text(access(isl.PwMultiAff("[m] -> { A[m] }"), build)) == "A[m]"


def test_a_value_that_mentions_a_parameter_the_context_does_not() -> None:
    build = statement_build()
    value = isl.PwAff("[m] -> { S[i] -> [floor((m + i)/4)] }")
    assert expression_text(expression(value, build)) == "floord(m + 2 * c0 + 1, 4)"


def test_calls_have_names_that_c_accepts() -> None:
    build = build_at("{ [c0, c1] }", "c0 c1")
    nested = isl.PwMultiAff("{ [c0, c1] -> [S[c0] -> T[c1 + 1]] }")
    assert expression_text(call(nested, build)) == "S_T(c0, c1 + 1)"
    assert expression_text(call(isl.PwMultiAff("{ [a, b] -> [a] }"), build)) == "unnamed(c0)"


def test_affine_functions_need_no_pieces() -> None:
    build = build_at("[n] -> { [i] }", "i")
    assert expression_text(aff_expression(isl.Aff("[n] -> { [i] -> [2i + n] }"), build)) == (
        "n + 2 * i"
    )


def test_where_nothing_can_be_everything_has_a_value() -> None:
    build = build_at("[n] -> { [i] : false }", "i")
    bounds = [isl.PwAff("[n] -> { [i] -> [n] }"), isl.PwAff("[n] -> { [i] -> [floor(i/2)] }")]
    assert expression_text(greatest(bounds, build)) == "0"
    assert expression_text(upper_condition("c", bounds[1:], build)) == "c <= 0"
