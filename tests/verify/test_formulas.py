"""Formulas mean the same to isl, to z3 and to whoever computes them."""

from __future__ import annotations

from itertools import product

import islpy as isl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.basics.spans import whole_file
from loopwright.verify.formulas import (
    FALSE,
    Choice,
    Every,
    Extreme,
    Formula,
    Linear,
    Positive,
    Some,
    Term,
    Zero,
    at_most,
    choose,
    equal,
    every,
    floor,
    from_isl,
    is_multiple,
    isl_text,
    less,
    minus,
    modulo,
    negated,
    number,
    plus,
    replaced,
    smt_formula,
    some,
    times,
    unknown,
    unknowns,
)
from loopwright.verify.paths import Obligation
from loopwright.verify.solvers import IslSolver, smt_script, unconfirmed, z3_answers

NAMES = ("a", "b")
AROUND = range(-7, 8)


def number_of(term: Term, values: dict[str, int]) -> int:
    """What a term comes to."""
    match term:
        case Linear(constant, parts):
            return constant + sum(
                factor
                * (
                    values[atom]
                    if isinstance(atom, str)
                    else number_of(atom.term, values) // atom.divisor
                )
                for atom, factor in parts
            )
        case Extreme(is_least, of):
            return (min if is_least else max)(number_of(each, values) for each in of)
        case Choice(condition, then, otherwise):
            return number_of(then if holds(condition, values) else otherwise, values)


def holds(formula: Formula, values: dict[str, int]) -> bool:
    """Is a formula true?"""
    match formula:
        case Positive(term):
            return number_of(term, values) >= 0
        case Zero(term):
            return number_of(term, values) == 0
        case Every(of):
            return all(holds(each, values) for each in of)
        case Some(of):
            return any(holds(each, values) for each in of)


@st.composite
def terms(draw: st.DrawFn, depth: int = 2) -> tuple[Term, str]:
    """A term, and the same for Python."""
    kind = draw(st.integers(0, 7)) if depth else draw(st.integers(0, 1))
    if kind == 0:
        value = draw(st.integers(-5, 5))
        return number(value), f"({value})"
    if kind == 1:
        name = draw(st.sampled_from(NAMES))
        return unknown(name), name
    first, one = draw(terms(depth=depth - 1))
    by = draw(st.integers(2, 4))
    if kind == 2:
        return times(-by, first), f"({-by} * {one})"
    if kind == 3:
        return floor(first, by), f"({one} // {by})"
    if kind == 4:
        return modulo(first, by), f"({one} % {by})"
    second, other = draw(terms(depth=depth - 1))
    if kind == 5:
        return plus(first, second), f"({one} + {other})"
    if kind == 6:
        return minus(first, second), f"({one} - {other})"
    condition, asked = draw(formulas(depth=depth - 1))
    return choose(condition, first, second), f"({one} if {asked} else {other})"


@st.composite
def formulas(draw: st.DrawFn, depth: int = 2) -> tuple[Formula, str]:
    """A formula, and the same for Python."""
    kind = draw(st.integers(0, 6)) if depth else draw(st.integers(0, 3))
    if kind <= 3:
        first, one = draw(terms(depth=max(0, depth)))
        second, other = draw(terms(depth=0))
        if kind == 3:
            return is_multiple(first, 3), f"({one} % 3 == 0)"
        make, sign = ((less, "<"), (at_most, "<="), (equal, "=="))[kind]
        return make(first, second), f"({one} {sign} {other})"
    first_formula, one = draw(formulas(depth=depth - 1))
    if kind == 4:
        return negated(first_formula), f"(not {one})"
    second_formula, other = draw(formulas(depth=depth - 1))
    if kind == 5:
        return every((first_formula, second_formula)), f"({one} and {other})"
    return some((first_formula, second_formula)), f"({one} or {other})"


def points() -> list[dict[str, int]]:
    return [dict(zip(NAMES, values, strict=True)) for values in product(AROUND, repeat=2)]


@given(formulas())
def test_what_is_built_means_what_was_said(case: tuple[Formula, str]) -> None:
    formula, text = case
    said = compile(text, "formula", "eval")
    for values in points():
        assert holds(formula, values) == eval(said, {}, dict(values)), values


@given(formulas())
def test_isl_reads_it(case: tuple[Formula, str]) -> None:
    formula, _ = case
    condition = isl.Set(f"[{', '.join(NAMES)}] -> {{ : {isl_text(formula)} }}")
    for values in points():
        here = " and ".join(f"{name} = {value}" for name, value in values.items())
        point = isl.Set(f"[{', '.join(NAMES)}] -> {{ : {here} }}")
        assert point.is_subset(condition) == holds(formula, values), values


@given(formulas())
def test_it_survives_isl(case: tuple[Formula, str]) -> None:
    formula, _ = case
    there = isl.Set(f"[b] -> {{ [a] : {isl_text(formula)} }}")
    back = from_isl(there, ["a"])
    for values in points():
        assert holds(back, values) == holds(formula, values), values


@given(st.lists(formulas(), min_size=1, max_size=4))
def test_isl_and_z3_agree(cases: list[tuple[Formula, str]]) -> None:
    near = [at_most(number(-7), unknown(name)) for name in NAMES]
    near += [at_most(unknown(name), number(7)) for name in NAMES]
    asked = [
        Obligation("Inv", "", every((*near, formula)), FALSE, whole_file("text.c"))
        for formula, _ in cases
    ]
    solver = IslSolver()
    answers = z3_answers(smt_script(asked, "a test"))
    for (formula, _), each, answer in zip(cases, asked, answers, strict=True):
        is_never = not any(holds(formula, values) for values in points())
        assert solver.holds(each) == is_never
        assert answer == ("unsat" if is_never else "sat")


def test_unknowns_are_replaced() -> None:
    formula = less(floor(unknown("a"), 4), unknown("b"))
    other = replaced(formula, {"a": plus(unknown("b"), number(3)), "b": number(2)})
    assert unknowns(other) == ["b"]
    for value in AROUND:
        assert holds(other, {"b": value}) == ((value + 3) // 4 < 2)


@pytest.mark.parametrize("text", ["x < y ? x : y", "x <= y ? x : y", "y > x ? x : y"])
def test_a_minimum_is_seen_as_one(text: str) -> None:
    x, y = unknown("x"), unknown("y")
    conditions = {"x < y": less(x, y), "x <= y": at_most(x, y), "y > x": less(x, y)}
    assert choose(conditions[text[:6].strip()], x, y) == Extreme(True, (x, y))


@pytest.mark.parametrize("name", ["n", "div", "select", "true", "Int", "let", "_"])
def test_names_of_c_are_names_for_z3(name: str) -> None:
    both = every((less(unknown(name), number(3)), less(number(3), unknown(name))))
    asked = [
        Obligation("Inv", "", formula, FALSE, whole_file("text.c"))
        for formula in (both, less(unknown(name), number(3)))
    ]
    assert z3_answers(smt_script(asked, "a test")) == ["unsat", "sat"]


def asked_of(name: str, below: int) -> Obligation:
    """That no number is three and less than so much."""
    both = every((equal(unknown(name), number(3)), less(unknown(name), number(below))))
    return Obligation("Inv", f"below {below}", both, FALSE, whole_file("text.c"))


def test_z3_confirms_or_says_what_it_does_not() -> None:
    right, wrong = asked_of("n", 3), asked_of("n", 4)
    assert unconfirmed([right], "a test") is None
    assert unconfirmed([right, wrong, right], "a test") == (wrong, "sat")


def test_an_answer_that_does_not_come_confirms_nothing() -> None:
    right, unreadable = asked_of("n", 3), asked_of("no name|", 3)
    assert unconfirmed([right, unreadable], "a test") == (right, "nothing")


def test_a_title_asks_nothing() -> None:
    wrong = asked_of("n", 4)
    assert unconfirmed([wrong], 'two\n(echo "unsat")') == (wrong, "sat")


def test_a_case_is_asked_for() -> None:
    formula = every((less(unknown("i"), unknown("n")), equal(unknown("i"), number(-3))))
    assert smt_formula(formula) == "(and (>= (+ (* (- 1) i) n (- 1)) 0) (= (+ i 3) 0))"
