"""How much work a parallel loop has, and whether its iterations have equal shares."""

from __future__ import annotations

import islpy as isl

from loopwright.targets.work import parallel_loop

from .small_programs import PRODUCT, TRIANGLE, nest_of, nests_as_written, place_of


def test_a_rectangle_is_even_and_its_extents_are_the_sizes() -> None:
    nest = nest_of("for (int i = 1; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = 1;")
    found = parallel_loop(nest, 0)
    assert found.is_even
    texts = ["[n] -> { [(-1 + n)] }", "[n] -> { [(n)] }"]
    sizes = isl.Set("[n] -> { : n >= 2 }")
    for text in texts:
        wanted = isl.PwAff(text)
        assert any(sizes.is_subset(each.eq_set(wanted)) for each in found.extents), (
            f"{text} not in {found.extents}"
        )
    assert len(found.extents) == 2


def test_a_triangle_is_not_even() -> None:
    nest = nest_of(TRIANGLE)
    assert not parallel_loop(nest, 0).is_even
    assert not parallel_loop(nest, 1).is_even


def test_a_product_is_even_in_all_loops() -> None:
    nest = nest_of(PRODUCT)
    for name in "ijk":
        found = parallel_loop(nest, place_of(nest, name))
        assert found.is_even
        assert len(found.extents) == 3


def test_a_number_that_no_plain_expression_tells_is_left_out() -> None:
    (nest,) = nests_as_written("for (int i = 0; i < n; i += 3) x[i] = 1;")
    for extent in parallel_loop(nest, 0).extents:
        extent.foreach_piece(lambda _, value: _must_be_plain(value))
    (either,) = nests_as_written("for (int i = 0; i < (n < m ? n : m); i++) x[i] = 1;")
    assert all(each.n_piece() == 1 for each in parallel_loop(either, 0).extents)


def _must_be_plain(value: isl.Aff) -> None:
    assert value.dim(isl.dim_type.div) == 0


def test_the_work_is_that_of_the_statement_that_says_most() -> None:
    # Both statements have two loops around them; only those of the second grow with n and m.
    nest = nests_as_written(
        "for (int i = 0; i < n; i++) {"
        " for (int k = 0; k < 8; k++) A[i][k] = 0;"
        " for (int k = 0; k < m; k++) B[i][k] = A[i][3]; }"
    )[0]
    sizes = isl.Set("[n, m] -> { : n >= 1 and m >= 1 }")
    found = parallel_loop(nest, 0).extents
    for extent, name in zip(found, "nm", strict=True):
        assert sizes.is_subset(extent.eq_set(isl.PwAff(f"[{name}] -> {{ [({name})] }}")))
