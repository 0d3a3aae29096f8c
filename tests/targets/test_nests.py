"""What a step of a loop does to each reference, and what a nest may do with its loops."""

from __future__ import annotations

import pytest

from loopwright.targets.nests import Reference, elements

from .small_programs import (
    CLEARED_PRODUCT,
    JACOBI,
    PRODUCT,
    SEIDEL,
    nest_of,
    nests_as_written,
    place_of,
)


def reference_to(array: str, region: str, text_at: int = 0) -> tuple[Reference, dict[str, int]]:
    """A reference of a nest, and where the iterators are among its members."""
    nest = nest_of(region)
    found = [each for each in nest.references if each.array == array][text_at]
    return found, {name: place_of(nest, name) for name in "ijk" if f"int {name} =" in region}


@pytest.mark.parametrize(
    ("array", "still", "to_the_next"), [("A", "j", "k"), ("B", "i", "j"), ("C", "k", "j")]
)
def test_the_references_of_a_product(array: str, still: str, to_the_next: str) -> None:
    reference, at = reference_to(array, PRODUCT)
    for name in "ijk":
        assert reference.is_invariant(at[name]) == (name == still)
        assert reference.is_reused(at[name]) == (name == still)
        assert reference.is_contiguous(at[name]) == (name == to_the_next)
    assert reference.rank == 2
    assert reference.size == 8


def one_loop(subscript: str, array: str = "x") -> Reference:
    (nest,) = nests_as_written(f"for (int i = 2; i < n / 4; i++) {array}[{subscript}] = 1;")
    (reference,) = nest.references
    return reference


def test_backwards_is_contiguous_and_every_other_element_is_not() -> None:
    assert one_loop("i + 3").is_contiguous(0)
    assert one_loop("n - 1 - i").is_contiguous(0)
    assert not one_loop("2 * i").is_contiguous(0)
    assert one_loop("2 * i").steps == ((2,),)
    assert not one_loop("5").is_contiguous(0)
    assert one_loop("5").is_invariant(0)


def test_a_step_along_columns_is_not_contiguous() -> None:
    assert one_loop("i][3", "A").steps == ((1, 0),)
    assert not one_loop("i][3", "A").is_contiguous(0)
    assert not one_loop("i][i", "A").is_contiguous(0)
    assert one_loop("3][i", "A").is_contiguous(0)


@pytest.mark.parametrize("subscript", ["i / 2", "i % 2", "i < 5 ? i : 7"])
def test_what_does_not_always_step_alike_has_no_steps(subscript: str) -> None:
    reference = one_loop(subscript)
    assert reference.steps is None
    assert reference.rank == 0
    assert not reference.is_invariant(0)
    assert not reference.is_contiguous(0)
    assert not reference.is_reused(0)


def test_the_size_is_that_of_the_elements() -> None:
    assert one_loop("i", "u").size == 4


def test_a_scalar_stays_but_is_no_element_to_keep() -> None:
    (nest,) = nests_as_written("for (int i = 0; i < n; i++) s += x[i];")
    scalar = next(each for each in nest.references if each.array == "s")
    assert scalar.is_invariant(0)
    assert not scalar.is_reused(0)


def test_a_statement_that_runs_once_in_a_loop_does_not_span_it() -> None:
    nest = nest_of(CLEARED_PRODUCT)
    spans = {each.statement: each.spans for each in nest.references}
    assert sorted(spans["S0"]) == [False, True, True]
    assert spans["S1"] == (True, True, True)


def test_elements_count_references_once_that_move_alike() -> None:
    # A[i - 1][j], A[i][j - 1], …: five references that all move alike, one of them a write.
    (element,) = elements(nest_of(SEIDEL))
    assert element.writes
    assert {each.array for each in elements(nest_of(PRODUCT))} == {"A", "B", "C"}
    assert len(elements(nest_of(PRODUCT))) == 3


def test_a_product_may_run_in_any_order_and_only_its_sum_is_a_chain() -> None:
    nest = nest_of(PRODUCT)
    i, j, k = (place_of(nest, name) for name in "ijk")
    assert nest.is_permutable
    assert [nest.is_coincident(at) for at in (i, j, k)] == [True, True, False]
    assert [nest.is_free_inside(at) for at in (i, j, k)] == [True, True, False]


def test_a_jacobi_step_is_free_inside_but_not_coincident() -> None:
    nest = nest_of(JACOBI)
    assert nest.is_permutable
    assert not any(nest.is_coincident(at) for at in nest.members)


def test_a_loop_around_a_loop_sees_what_its_inner_loops_run() -> None:
    outer, inner = nests_as_written(
        "for (int i = 1; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = A[i - 1][j];"
    )
    assert not outer.is_coincident(0)
    assert inner.is_coincident(0)


def test_loops_that_depend_backwards_may_not_change_places() -> None:
    found = nests_as_written(
        "for (int i = 1; i < n; i++) for (int j = 0; j < n - 1; j++) A[i][j] = A[i - 1][j + 1];"
    )
    # Each is a band of its own; together they would have the distance (1, -1).
    assert [nest.is_permutable for nest in found] == [True, True]
    assert nest_of(
        "for (int i = 1; i < n; i++) for (int j = 0; j < n - 1; j++) A[i][j] = A[i - 1][j + 1];"
    ).is_permutable
