"""What becomes of a nest: the order of its loops, threads and wavefronts."""

from __future__ import annotations

import pytest

from loopwright.targets.machine import Machine
from loopwright.targets.planning import plan_for
from loopwright.targets.plans import Plan

from .small_programs import JACOBI, PRODUCT, SEIDEL, SUMS_OF_ROWS, TRIANGLE, nest_of, place_of


def plan_of(region: str, *, is_parallel_wanted: bool = True) -> Plan:
    return plan_for(nest_of(region), Machine(), is_parallel_wanted=is_parallel_wanted)


def test_the_plan_of_a_product() -> None:
    nest = nest_of(PRODUCT)
    i, j, k = (place_of(nest, name) for name in "ijk")
    plan = plan_for(nest, Machine(), is_parallel_wanted=True)
    assert plan.inner == j
    assert plan.unrolled == {i: 6, k: 4}
    assert plan.is_vector
    assert plan.is_parallel
    assert not plan.is_wavefront
    # The parallel loop is the outermost one, and all three are tiled.
    assert plan.parallel == i
    assert plan.tiles[0][0] == i
    assert {at for at, _ in plan.tiles} == {i, j, k}
    assert sorted(plan.order) == [i, j, k]


def test_threads_only_where_they_are_wanted() -> None:
    plan = plan_of(PRODUCT, is_parallel_wanted=False)
    assert not plan.is_parallel
    assert not plan.is_wavefront
    assert plan.is_vector


def test_tiles_that_depend_on_each_other_run_along_a_wavefront() -> None:
    plan = plan_of(SEIDEL)
    assert plan.is_wavefront
    assert not plan.is_parallel
    (_, first), (second, other) = plan.tiles
    assert first == other
    assert plan.parallel == second
    assert not plan_of(SEIDEL, is_parallel_wanted=False).is_wavefront


def test_there_is_no_wavefront_without_tiles() -> None:
    plan = plan_of(JACOBI)
    assert plan.tiles == ()
    assert not plan.is_wavefront
    assert not plan.is_parallel
    assert plan.is_vector


def test_a_matrix_that_is_touched_once_is_parallel_and_vectorised_as_it_is() -> None:
    plan = plan_of(TRIANGLE)
    assert plan.tiles == ()
    assert plan.unrolled == {}
    assert plan.is_parallel
    assert plan.is_vector


def test_several_sums_of_rows_at_once() -> None:
    nest = nest_of(SUMS_OF_ROWS)
    i, j = place_of(nest, "i"), place_of(nest, "j")
    plan = plan_of(SUMS_OF_ROWS)
    assert plan.order == (i, j)
    assert not plan.is_vector
    assert plan.parallel == i
    assert set(plan.unrolled) == {i}


@pytest.mark.parametrize("registers", [8, 16, 32])
@pytest.mark.parametrize("region", [PRODUCT, SEIDEL, JACOBI, SUMS_OF_ROWS, TRIANGLE])
def test_blocks_never_cross_tiles(region: str, registers: int) -> None:
    machine = Machine(vector_registers=registers)
    plan = plan_for(nest_of(region), machine, is_parallel_wanted=True)
    for at, size in plan.tiles:
        assert size % plan.unrolled.get(at, 1) == 0
    assert plan.inner not in plan.unrolled
    assert sorted(plan.order) == list(range(len(plan.order)))
