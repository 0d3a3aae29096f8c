"""Trees as fusion structures, and back."""

from __future__ import annotations

import islpy as isl

from loopwright.interleaving.trees import interleaving_of_tree, shape_of, vectors_of
from tests.interleaving.kernels import program

TEXT = """
void f(int n, double A[n][n], double b[n], double c) {
#pragma scop
  First: c = 0.0;
  for (int i = 0; i < n; i++) {
    Second: b[i] = c;
    for (int j = 0; j < n; j++) {
      Third: A[i][j] = b[i];
      Fourth: A[i][j] += 1.0;
    }
  }
  for (int i = 0; i < n; i++)
    Fifth: b[i] = 2.0;
#pragma endscop
}
"""
NAMES = ["First", "Second", "Third", "Fourth", "Fifth"]


def tree() -> isl.Schedule:
    return program(TEXT).order


def test_a_shape_has_loops_and_statements_in_their_order() -> None:
    assert shape_of(tree()) == ("First", ("Second", ("Third", "Fourth")), ("Fifth",))


def test_vectors_are_places_level_by_level() -> None:
    assert vectors_of(shape_of(tree())) == {
        "First": (0,),
        "Second": (1, 0),
        "Third": (1, 1, 0),
        "Fourth": (1, 1, 1),
        "Fifth": (2, 0),
    }


def test_the_interleaving_of_a_tree() -> None:
    """Who has no loop at a level shares it with nobody."""
    assert str(interleaving_of_tree(tree(), NAMES)) == "0 1 1 1 2"
    assert str(interleaving_of_tree(tree(), NAMES, 2)) == "0 1 1 1 2 / 0 1 2 2 3"
    assert str(interleaving_of_tree(tree(), NAMES, 3)) == ("0 1 1 1 2 / 0 1 2 2 3 / 0 1 2 3 4")


def test_each_member_of_a_band_is_a_loop() -> None:
    domain = isl.UnionSet("{ S[i, j]; T[i, j] }")
    times = isl.MultiUnionPwAff(
        "[{ S[i, j] -> [(i)]; T[i, j] -> [(j)] }, { S[i, j] -> [(j)]; T[i, j] -> [(i)] }]"
    )
    band = isl.Schedule.from_domain(domain).insert_partial_schedule(times)
    assert shape_of(band) == ((("S", "T"),),)
