"""Trees with their marks: which loops are for threads, and which for vectors."""

from __future__ import annotations

import re

import islpy as isl
import pytest

from loopwright import dependences, generate, read_c
from loopwright.polyhedra.order import leaf_instances
from loopwright.targets.application import applied
from loopwright.targets.cpu import Mapped, mapped
from loopwright.targets.machine import Machine
from loopwright.targets.nests import nest_at
from loopwright.targets.plans import Plan

from .laws import broken_laws, marked_bands
from .small_programs import (
    CLEARED_PRODUCT,
    JACOBI,
    PRODUCT,
    SEIDEL,
    SUMS_OF_ROWS,
    TRIANGLE,
    found_in,
    nest_of,
    place_of,
    tree_of,
)

REGIONS = [PRODUCT, CLEARED_PRODUCT, JACOBI, SEIDEL, SUMS_OF_ROWS, TRIANGLE]


def as_written(region: str) -> Mapped:
    found = found_in(region)
    return mapped(found.scop.schedule, found, Machine())


def marks_of(tree: isl.Schedule) -> list[str]:
    return [mark.partition(" #")[0] for mark, _ in marked_bands(tree)]


def test_a_single_loop_is_for_threads() -> None:
    # Compilers make vectors of it themselves; clang does not if it is told to.
    marks = marks_of(as_written("for (int i = 0; i < n; i++) x[i] = 2;").tree)
    assert marks == ["omp parallel for"]


def test_no_threads_for_what_is_known_to_be_little() -> None:
    region = "for (int i = 0; i < {0}; i++) for (int j = 0; j < {0}; j++) A[i][j] = 2 * A[i][j];"
    assert not as_written(region.format(100)).parallel
    assert as_written(region.format(1000)).parallel


def test_no_threads_for_a_single_loop_inside_of_a_sequential_one() -> None:
    # Threads would be started and waited for in every step, with little to do.
    new = as_written("for (int t = 0; t < m; t++) for (int i = 0; i < n; i++) x[i] = 2 * x[i];")
    assert marks_of(new.tree) == ["omp simd"]
    assert not new.parallel


def test_threads_for_two_loops_inside_of_a_sequential_one() -> None:
    new = as_written(
        "for (int t = 0; t < m; t++)"
        " for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = 2 * A[i][j];"
    )
    assert marks_of(new.tree) == ["omp parallel for", "omp simd"]


def test_no_threads_inside_of_threads() -> None:
    new = as_written(
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {"
        " A[i][j] = 1; for (int k = 0; k < n; k++) B[i][k] = 2; }"
    )
    assert marks_of(new.tree).count("omp parallel for") == 1


def test_each_parallel_loop_has_a_mark_of_its_own() -> None:
    new = as_written("for (int i = 0; i < n; i++) x[i] = 1; for (int j = 0; j < m; j++) u[j] = 2;")
    marks = [mark for mark, _ in marked_bands(new.tree)]
    assert len(set(marks)) == 2
    assert set(marks) == set(new.parallel)


def test_a_sequential_loop_has_no_mark() -> None:
    new = as_written("for (int i = 1; i < n; i++) x[i] = x[i - 1];")
    assert marks_of(new.tree) == []
    (nest,) = new.nests
    assert nest.statements == ("S0",)
    assert not nest.plan.is_vector


def test_a_product_is_cleared_in_a_nest_of_its_own() -> None:
    found = found_in(CLEARED_PRODUCT)
    new = mapped(tree_of(found), found, Machine())
    assert [nest.statements for nest in new.nests] == [("S0",), ("S1",)]
    cleared, product = (nest.plan for nest in new.nests)
    assert not cleared.tiles
    assert product.tiles


@pytest.mark.parametrize("registers", [8, 32])
@pytest.mark.parametrize("region", REGIONS)
def test_all_laws_hold_for_small_regions(region: str, registers: int) -> None:
    found = found_in(region)
    machine = Machine(vector_registers=registers)
    for tree in (tree_of(found), found.scop.schedule):
        assert not broken_laws(mapped(tree, found, machine).tree, found.scop)


# --- plans applied, whoever made them -------------------------------------------------------------

PLANS = {
    "point loops in another order": Plan((2, 0, 1)),
    "tiles": Plan((0, 1, 2), tiles=((0, 4), (1, 3), (2, 5))),
    "one tiled loop": Plan((0, 1, 2), tiles=((1, 7),)),
    "a block": Plan((0, 2, 1), unrolled={0: 3}, groups=(("S0",),)),
    "blocks of two loops": Plan((1, 0, 2), unrolled={0: 2, 1: 3}, groups=(("S0",),)),
    "blocks in tiles": Plan(
        (0, 1, 2), tiles=((0, 6), (1, 4), (2, 8)), unrolled={0: 3, 1: 2}, groups=(("S0",),)
    ),
    "blocks that cross tiles": Plan(
        (0, 1, 2), tiles=((0, 4), (1, 5)), unrolled={0: 3, 1: 2}, groups=(("S0",),)
    ),
    "a wavefront": Plan((0, 1, 2), tiles=((0, 4), (1, 4)), is_wavefront=True),
    "a wavefront of blocks": Plan(
        (0, 1, 2),
        tiles=((0, 4), (1, 4)),
        unrolled={0: 2},
        groups=(("S0",),),
        is_wavefront=True,
    ),
}
TRIANGULAR = """
for (int i = 0; i < n; i++)
  for (int j = 0; j <= i; j++)
    for (int k = j; k < n; k++)
      C[i][j] += A[i][k] * B[k][j];
"""


@pytest.mark.parametrize("region", [PRODUCT, SEIDEL, TRIANGULAR], ids=["box", "skewed", "triangle"])
@pytest.mark.parametrize("name", PLANS)
def test_a_plan_for_a_permutable_band_runs_the_same_instances_in_order(
    region: str, name: str
) -> None:
    found = found_in(region)
    band = tree_of(found).get_root().child(0)
    assert band.band_n_member() == 3
    nest = nest_at(band, found)
    assert nest.is_permutable
    new = applied(nest, PLANS[name], "omp parallel for").get_schedule()
    assert leaf_instances(new).is_equal(leaf_instances(band.get_schedule()))
    assert not broken_laws(new, found.scop)


def test_the_laws_are_not_blind() -> None:
    found = found_in("for (int i = 1; i < n; i++) x[i] = x[i - 1];")
    nest = nest_at(found.scop.schedule.get_root().child(0), found)
    claimed = applied(nest, Plan((0,), is_vector=True), "").get_schedule()
    assert [law.partition(":")[0] for law in broken_laws(claimed, found.scop)] == ["omp simd"]
    backwards = isl.UnionPwAff("[n] -> { S0[i] -> [(-i)] }")
    tree = isl.Schedule.from_domain(leaf_instances(claimed)).insert_partial_schedule(
        isl.MultiUnionPwAff.from_union_pw_aff(backwards)
    )
    assert {law.partition(":")[0] for law in broken_laws(tree, found.scop)} == {"order"}
    fewer = tree.intersect_domain(isl.UnionSet("{ S0[i] : i > 5 }"))
    assert {law.partition(":")[0] for law in broken_laws(fewer, found.scop)} == {"instances"}


def test_tiles_of_two_levels() -> None:
    # The tiles of a cache in tiles of a larger one: a member twice, the larger size first.
    nest = nest_of(PRODUCT)
    i, j, k = (place_of(nest, name) for name in "ijk")
    plan = Plan((i, k, j), ((i, 64), (j, 64), (k, 64), (i, 16), (k, 8)), {}, (("S0",),))
    tree = applied(nest, plan, "").get_schedule()
    assert not broken_laws(tree, found_in(PRODUCT).scop)
    text = generate(tree).to_c()
    steps = re.findall(r"c\d \+= (\d+)\)", text)
    assert steps == ["64", "64", "64", "16", "8", "1", "1", "1"]


# --- variables that threads have for themselves ---------------------------------------------------


@pytest.mark.parametrize(
    ("region", "private"),
    [
        ("for (int i = 0; i < n; i++) { double t = x[i]; y[i] = t * t; }", ("t",)),
        # The outer loop runs the inner one, with its sum, for itself.
        (
            "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { double t = 0;"
            " for (int k = 0; k < n; k++) t += A[i][k] * B[k][j]; C[i][j] = t; }",
            ("t",),
        ),
        # The value of one iteration is used in the next one, or after the loop.
        ("double t = 0; for (int i = 0; i < n; i++) { y[i] = t; t = x[i]; }", None),
        ("double t = 0; for (int i = 0; i < n; i++) { t = x[i]; y[i] = t; } x[0] = t;", None),
        # A value from before the loop.
        ("double t = x[0]; for (int i = 0; i < n; i++) { y[i] = t; t = y[i]; }", None),
        # Something else goes from one iteration to the next.
        ("for (int i = 1; i < n; i++) { double t = x[i]; y[i] = t * y[i - 1]; }", None),
        # It comes from outside of the region, where it has no value before or after.
        ("for (int i = 0; i < n; i++) { s = x[i]; y[i] = s * s; }", ("s",)),
        # A value from before the region, or, as far as anybody knows, one of an earlier iteration.
        ("for (int i = 0; i < n; i++) { y[i] = s; s = x[i]; }", None),
        ("for (int i = 0; i < n; i++) { if (x[i] > 0) s = x[i]; y[i] = s * s; }", None),
    ],
)
def test_a_loop_is_parallel_if_each_iteration_has_its_own_variable(
    region: str, private: tuple[str, ...] | None
) -> None:
    new = as_written(region)
    found = [loop.private for mark, loop in new.parallel.items() if mark.startswith("omp parallel")]
    assert found == ([] if private is None else [private])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("double s = 0;", "x[0] = s;"),
        ("double s = 0, *p = &s;", "x[0] = *p;"),
        ("static double s; if (s > 3) return;", ""),
        ("double s = 0; again: if (s > 3) return;", "goto again;"),
    ],
)
def test_a_variable_that_lives_on_belongs_to_no_iteration(before: str, after: str) -> None:
    (scop,) = read_c(
        f"void f(int n, double x[n], double y[n]) {{\n{before}\n#pragma scop\n"
        "for (int i = 0; i < n; i++) { s = x[i]; y[i] = s * s; }\n"
        f"#pragma endscop\n{after}\n}}\n"
    )
    assert not mapped(scop.schedule, dependences(scop), Machine()).parallel
