"""The times of statements: what the tree says is what isl makes of the whole schedule."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright.polyhedra.unions import maps_of
from loopwright.verify.timeline import Time, coordinates, runs_before
from tests.frontend.expectations import model_of

ARRAYS = "int n, int m, double *A, double *B"
PROGRAMS = {
    "one statement": "A[0] = 1;",
    "downwards": "for (int i = n; i > 0; i--) A[i] = 0;",
    "steps": "for (int i = 3; i < n; i += 4) for (int j = i; j < m; j++) A[j] = i;",
    "different depths": """
      A[0] = 1;
      for (int i = 0; i < n; i++) {
        B[i] = A[0];
        for (int j = 0; j < m; j++) { double t = B[j]; A[i] += t; }
      }
      B[0] = A[0];
    """,
    "labels": "for (int i = 0; i < n; i++) { Both: A[i] = 1; B[i] = 2; }",
    "a choice": "for (int i = 0; i < n; i++) if (i < m) A[i] = 1; else B[i] = 2;",
}


def as_map(name: str, values: list[isl.PwAff | int], like: isl.Map) -> isl.Map:
    """``{ S[i] -> [t, …] }``."""
    found = isl.Map.universe(like.get_space())
    for at, value in enumerate(values):
        if isinstance(value, int):
            found = found.fix_val(isl.dim_type.out, at, isl.Val(value))
        else:
            line = isl.Map.from_pw_aff(value)
            line = line.insert_dims(isl.dim_type.out, 0, at)
            found = found & line.add_dims(isl.dim_type.out, len(values) - at - 1)
    assert like.get_tuple_name(isl.dim_type.in_) == name
    return found


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_the_times_are_those_of_the_schedule(program: str) -> None:
    schedule = model_of(program, ARRAYS).schedule
    found = coordinates(schedule)
    expected = {each.get_tuple_name(isl.dim_type.in_): each for each in maps_of(schedule.get_map())}
    assert found.keys() == expected.keys()
    for name, values in found.items():
        like = expected[name]
        assert len(values) == like.dim(isl.dim_type.out)
        assert as_map(name, values, like).is_equal(like)


def test_a_tree_that_no_program_leads_to_is_read_as_a_map() -> None:
    tree = isl.Schedule(
        '{ domain: "{ S[i] : 0 <= i < 9 }", child: { sequence: ['
        '{ filter: "{ S[i] : i > 4 }" }, { filter: "{ S[i] : i <= 4 }" }] } }'
    )
    (value,) = coordinates(tree)["S"]
    assert isinstance(value, isl.PwAff)
    assert value.is_equal(isl.PwAff("{ S[i] -> [(1)] : i <= 4; S[i] -> [(0)] : i >= 5 }"))


def test_parameters_come_in_any_order() -> None:
    first = Time(isl.PwAff("[n, m] -> { S[i] -> [(i + n - m)] }"), None)
    second = Time(isl.PwAff("[m, p, n] -> { T[i] -> [(i + n - m + p)] }"), None)
    found = runs_before((first,), (second,))
    assert found.is_equal(isl.Map("[n, m, p] -> { S[i] -> T[j] : i < j + p }"))
