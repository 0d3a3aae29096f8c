"""Which loop may be the vector loop, and who runs in it together."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright.targets.inner_loops import components, vector_groups
from loopwright.targets.planning import inner_loop

from .small_programs import (
    JACOBI,
    PRODUCT,
    SEIDEL,
    SUMS_OF_ROWS,
    nest_of,
    nests_as_written,
    place_of,
)


def test_a_product_is_vectorised_along_its_rows() -> None:
    nest = nest_of(PRODUCT)
    i, j, k = (place_of(nest, name) for name in "ijk")
    assert vector_groups(nest, j) == (("S0",),)
    assert vector_groups(nest, i) == (("S0",),)
    assert vector_groups(nest, k) is None
    assert inner_loop(nest) == (j, (("S0",),), True)


def test_the_two_halves_of_a_jacobi_step_need_a_loop_each() -> None:
    nest = nest_of(JACOBI)
    assert inner_loop(nest) == (1, (("S0",), ("S1",)), True)


def test_a_sum_in_order_is_no_vector_loop() -> None:
    nest = nest_of(SUMS_OF_ROWS)
    i, j = place_of(nest, "i"), place_of(nest, "j")
    assert vector_groups(nest, j) is None
    # Over i it would be one, if it did not stride over the columns of A.
    assert vector_groups(nest, i) is not None
    assert inner_loop(nest) == (j, (("S0",),), False)


def test_a_stencil_in_place_has_no_vector_loop() -> None:
    nest = nest_of(SEIDEL)
    _, _, column = nest.members
    assert vector_groups(nest, column) is None
    # Along the first member nothing is carried, but its steps go through rows and columns at once.
    inner, groups, is_vector = inner_loop(nest)
    assert (inner, groups, is_vector) == (column, (("S0",),), False)


@pytest.mark.parametrize(
    ("region", "expected"),
    [
        ("x[i] = y[i]; z[i] = x[i];", (("S0",), ("S1",))),
        ("x[i] = y[i + 1]; y[i] = 2;", (("S0",), ("S1",))),
        # What is needed from the iteration before is written in a loop that comes first.
        ("x[i] = y[i - 1]; y[i] = 2;", (("S1",), ("S0",))),
        ("x[i] = y[i]; y[i] = x[i];", (("S0",), ("S1",))),
        ("x[i] = y[i - 1]; y[i] = x[i];", None),
        ("x[i] = x[i - 1];", None),
        ("x[i] = x[i + 1];", None),
        ("s = x[i]; y[i] = s;", None),
    ],
)
def test_groups_of_one_loop(region: str, expected: object) -> None:
    (nest,) = nests_as_written(f"for (int i = 1; i < n - 1; i++) {{ {region} }}")
    assert vector_groups(nest, 0) == expected


def test_what_other_loops_carry_does_not_matter() -> None:
    _, inner = nests_as_written(
        "for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) A[i][j] = A[i - 1][j - 1];"
    )
    assert vector_groups(inner, 0) == (("S0",),)


def test_components_come_after_what_they_depend_on_and_else_by_number() -> None:
    pairs = isl.UnionMap("{ S10[] -> S2[]; S3[] -> S4[]; S4[] -> S3[] }")
    assert components(["S1", "S2", "S3", "S4", "S10"], pairs) == (
        ("S1",),
        ("S3", "S4"),
        ("S10",),
        ("S2",),
    )
