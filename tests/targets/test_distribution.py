"""What stays together in a nest, and what gets one of its own."""

from __future__ import annotations

import pytest

from loopwright.targets.application import instances_of
from loopwright.targets.distribution import parts_of, without_idle_members

from .small_programs import CLEARED_PRODUCT, found_in, nest_of, nests_as_written, tree_of


def parts_of_loops(body: str) -> list[tuple[str, ...]]:
    """The parts of two loops that are one band."""
    return parts_of(
        nest_of(f"for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) {{ {body} }}")
    )


def test_a_product_is_cleared_before_it_begins() -> None:
    assert parts_of(nest_of(CLEARED_PRODUCT)) == [("S0",), ("S1",)]


def test_statements_of_full_depth_stay_together() -> None:
    assert parts_of_loops("A[i][j] = 2 * B[i][j]; C[i][j] = A[i][j];") == [("S0", "S1")]


def test_statements_that_want_other_innermost_loops_part() -> None:
    # Rows of A and B, but columns of C, or no array of which a loop would go through a row.
    assert parts_of_loops("A[i][j] = B[i][j]; C[j][i] = A[i][j];") == [("S0",), ("S1",)]


def test_what_depends_on_each_other_stays_together_whatever_it_wants() -> None:
    (nest,) = nests_as_written(
        "for (int i = 1; i < n; i++) { x[i] = y[i - 1]; y[i] = A[i][3] + x[i]; }"
    )
    assert parts_of(nest) == [("S0", "S1")]


def test_the_order_of_parts_is_that_of_the_dependences() -> None:
    (nest,) = nests_as_written(
        "for (int i = 1; i < n; i++) { A[i][3] = x[i - 1]; x[i] = y[i]; z[i] = A[i][3]; }"
    )
    # S0 needs what S1 wrote in the iteration before; S0 and S2 both go down a column.
    assert parts_of(nest) == [("S1",), ("S0", "S2")]


@pytest.mark.parametrize(("name", "members"), [("S0", 2), ("S1", 3)])
def test_a_part_loses_the_loops_that_it_does_not_run_in(name: str, members: int) -> None:
    tree = tree_of(found_in(CLEARED_PRODUCT))
    band = tree.get_root().child(0)
    assert band.band_n_member() == 3
    part = tree.intersect_domain(instances_of(band, [name])).get_root().child(0)
    assert without_idle_members(part).band_n_member() == members


def test_one_loop_is_left_even_if_it_runs_once() -> None:
    (nest,) = nests_as_written("for (int i = 3; i < 4; i++) x[i] = 1;")
    assert without_idle_members(nest.node).band_n_member() == 1
