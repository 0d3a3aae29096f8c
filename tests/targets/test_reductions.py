"""Loops that carry nothing but the steps of reductions."""

from __future__ import annotations

import pytest

from loopwright.polyhedra.schedule_trees import bands_of
from loopwright.targets.cpu import MappingOptions, mapped
from loopwright.targets.machine import Machine
from loopwright.targets.nests import Nest, nest_at

from .small_programs import SUMS_OF_ROWS, found_in

SUM = "for (int i = 0; i < n; i++) s += x[i];"
PREFIX = "for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; }"
BOTH = "for (int i = 1; i < n; i++) { s += x[i]; y[i] = y[i - 1]; }"


def innermost(region: str, *, reassociates: bool = True) -> Nest:
    """The innermost band of a region as it is written."""
    found = found_in(region)
    return nest_at(bands_of(found.scop.schedule)[-1], found, reassociates=reassociates)


def test_a_sum_is_reduced_if_its_order_does_not_matter() -> None:
    (reduction,) = innermost(SUM).reductions(0)
    assert (reduction.operator, reduction.array) == ("+", "s")
    assert [each.array for each in innermost(SUM).reductions_inside(0)] == ["s"]
    assert not innermost(SUM).is_coincident(0)


def test_a_sum_keeps_its_order_otherwise() -> None:
    nest = innermost(SUM, reassociates=False)
    assert nest.reductions(0) == nest.reductions_inside(0) == ()


@pytest.mark.parametrize("region", [PREFIX, BOTH])
def test_a_loop_that_carries_more_is_no_reduction(region: str) -> None:
    nest = innermost(region)
    assert nest.reductions(0) == nest.reductions_inside(0) == ()


def test_elements_of_arrays_are_reduced_by_vectors_but_not_by_threads() -> None:
    nest = innermost(SUMS_OF_ROWS)
    assert [each.array for each in nest.reductions_inside(0)] == ["x"]
    assert nest.reductions(0) == ()


def test_marks_of_reductions_are_known() -> None:
    found = found_in(SUM)
    options = MappingOptions(reassociates=True)
    new = mapped(found.scop.schedule, found, Machine(), options)
    # A single loop, for threads and for vectors at once.
    (name, loop), *vectors = new.parallel.items()
    assert name.startswith("omp parallel for simd")
    assert [each.array for each in loop.reductions] == ["s"]
    assert all(each.reductions for _, each in vectors)
    assert not mapped(found.scop.schedule, found, Machine()).parallel
