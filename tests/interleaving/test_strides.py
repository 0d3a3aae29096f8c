"""Loops with strides: only the points that they run at count, not the fractions between them.

The judge is isl, which is asked for a pair that a row runs backwards: exact, where the oracle of
the other tests counts the rational points between the pairs of a dependence as well.
"""

from __future__ import annotations

from itertools import product

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopwright.interleaving.fusibility import DEFAULT_SHIFT, Fusibility
from loopwright.interleaving.lattices import conditions_of, parts_of
from loopwright.interleaving.legal_schedules import legal_schedules
from loopwright.interleaving.programs import Function, Program, Relation, Row
from loopwright.polyhedra.integer_matrices import dot
from loopwright.polyhedra.lexmin import Allowance
from tests.interleaving.judged import disagreement, pruned_region, ranks_of
from tests.interleaving.kernels import program
from tests.interleaving.test_fusibility import loops, region

IN, OUT = isl.dim_type.in_, isl.dim_type.out

LATER = loops(
    "for (int i = 0; i < n; i += 2) A[i] = 1.0;\nfor (int i = 0; i < n; i++) B[i] = A[i + 5];"
)
"""What is read first is A[6]: A[5] is not written."""

TWO_LOOPS = {
    "every second, used later": LATER,
    "every third, used later": loops(
        "for (int i = 0; i < n; i += 3) A[i] = 1.0;\nfor (int i = 0; i < n; i++) B[i] = A[i + 7];"
    ),
    "every second used by every third": loops(
        "for (int i = 1; i < n; i += 2) A[i] = 1.0;\n"
        "for (int i = 0; i < n; i += 3) B[i] = A[i + 4];"
    ),
    "every third used by every second": loops(
        "for (int i = 0; i < n; i += 3) A[i] = 1.0;\n"
        "for (int i = 0; i < n; i += 2) B[i] = A[i + 5];"
    ),
    "used twice as fast": loops(
        "for (int i = 0; i < n; i += 3) A[i + 1] = 1.0;\n"
        "for (int i = 0; i < n; i++) if (2 * i < n) B[i] = A[2 * i];"
    ),
    "backwards": loops(
        "for (int i = 0; i < n; i += 2) A[i] = 1.0;\n"
        "for (int i = 0; i < n; i++) B[i] = A[n - 1 - i];"
    ),
    "as far as a multiple": loops(
        "for (int i = 0; 2 * i < n; i++) A[3 * i] = 1.0;\n"
        "for (int i = 0; i < n; i += 4) B[i] = A[i + 2];"
    ),
}


def is_legal(relation: Relation, of: Program, row: Row) -> bool:
    """Does isl find no pair that a row runs backwards?"""
    times = [
        isl.Map.from_aff(of.statements[each].in_coordinates(row[each]))
        for each in (relation.source, relation.sink)
    ]
    moved = relation.pairs.apply_domain(times[0]).apply_range(times[1])
    earlier = isl.Map.universe(moved.get_space()).order_gt(IN, 0, OUT, 0)
    return moved.intersect(earlier).is_empty()


def rows(of: Program) -> list[Row]:
    """Those of two statements with one loop each, as Definition 7 has them, and small."""
    none = (0,) * len(of.parameters)
    coefficients = product((1, 2, 3), range(DEFAULT_SHIFT + 1), repeat=2)
    return [{0: Function((a,), none, b), 1: Function((c,), none, d)} for a, b, c, d in coefficients]


@pytest.mark.parametrize("name", TWO_LOOPS)
def test_a_row_keeps_what_isl_says(name: str) -> None:
    of = program(TWO_LOOPS[name])
    (relation,) = (each for each in of.dependences if each.source != each.sink)
    legal = [is_legal(relation, of, row) for row in rows(of)]
    assert [relation.is_kept(row) for row in rows(of)] == legal
    assert Fusibility(of).is_fusable((0, 1)) is any(legal)


def test_a_loop_that_runs_twice_as_fast_catches_up() -> None:
    assert ranks_of(pruned_region(region(LATER))) == [(0, 1), (0, 0)]
    assert disagreement(region(LATER)) is None


def test_lemma_3_has_the_schedule_that_fuses_them() -> None:
    of = program(LATER)
    none = (0,) * len(of.parameters)
    first = {0: Function((1,), none, 0), 1: Function((2,), none, 4)}
    then = {0: Function((0,), none, 0), 1: Function((0,), none, 1)}
    schedules = legal_schedules(of, 2, largest=4)
    assert [first, then] in schedules
    too_early = {**first, 1: Function((2,), none, 3)}
    assert [too_early, then] not in schedules


# --- conditions of any set ------------------------------------------------------------------------

SMALL = st.integers(-3, 3)
DIVISION = st.tuples(SMALL, SMALL, SMALL, st.integers(2, 4), st.integers(0, 3))
BOUND = st.tuples(SMALL, SMALL, st.integers(-6, 6))


def box(divisions: list[tuple[int, ...]], bounds: list[tuple[int, ...]]) -> isl.Set:
    """Points near zero whose remainders and floors are as asked for."""
    text = ["-9 <= x <= 9 and -9 <= y <= 9"]
    for a, b, c, modulus, rest in divisions:
        value = f"{a}x {b:+}y {c:+}"
        is_remainder = rest < 2
        text.append(
            f"({value}) mod {modulus} = {rest}"
            if is_remainder
            else f"floor(({value})/{modulus}) <= x - y + {rest}"
        )
    text += [f"{a}x {b:+}y {c:+} >= 0" for a, b, c in bounds]
    return isl.Set(f"{{ [x, y] : {' and '.join(text)} }}")


def values_of(points: isl.Set) -> list[tuple[int, ...]]:
    """All points of a set."""
    found: list[isl.Point] = []
    points.foreach_point(found.append)
    kind = isl.dim_type.set
    return [
        tuple(each.get_coordinate_val(kind, at).to_python() for at in range(2)) for each in found
    ]


@given(st.lists(DIVISION, max_size=2), st.lists(BOUND, max_size=2))
@settings(max_examples=100, deadline=None)
def test_no_function_is_accepted_that_is_negative_somewhere(
    divisions: list[tuple[int, ...]], bounds: list[tuple[int, ...]]
) -> None:
    """What is accepted on all parts is so at all points."""
    points = box(divisions, bounds)
    found = [each for part in parts_of(points) for each in conditions_of(part, 1, Allowance())]
    whole = values_of(points)
    for function in product(range(-2, 3), range(-2, 3), (-4, 0, 4)):
        values = [
            (each.is_equality, dot((*each.source, *each.sink, each.constant), function))
            for each in found
        ]
        if all(value == 0 if is_equality else value >= 0 for is_equality, value in values):
            assert all(dot((*point, 1), function) >= 0 for point in whole)


@given(st.integers(1, 4), st.integers(0, 3), st.integers(1, 4), st.integers(0, 3), SMALL, SMALL)
@settings(max_examples=100, deadline=None)
def test_bounds_and_strides_are_exact(
    step: int, start: int, other: int, rest: int, low: int, high: int
) -> None:
    """The corners are those of the whole points."""
    points = isl.Set(
        f"{{ [x, y] : ({low}) <= x <= {high + 9} and (x + {start}) mod {step} = 0"
        f" and (y - x + {rest}) mod {other} = 0 and -2 <= y - x <= 5 }}"
    )
    found = {
        (*each.source, *each.sink)
        for part in parts_of(points)
        for each in conditions_of(part, 1, Allowance())
        if each.constant == 1
    }
    assert found <= set(values_of(points))
