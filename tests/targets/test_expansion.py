"""Copies of arrays for the iterations of a tile: which arrays, which loops, what is copied back."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright.polyhedra.schedule_trees import bands_of
from loopwright.targets.application import listed
from loopwright.targets.cpu import Mapped, MappingOptions, expanded, mapped
from loopwright.targets.expansion import ROW, ROWS, Expansion, expansion_at
from loopwright.targets.machine import Machine
from loopwright.targets.packing import MOST_BYTES, with_drains

from .laws import broken_laws, executed
from .small_programs import found_in

SCALAR = """
for (int i = 0; i < n; i++)
  for (int j = 0; j < n; j++) {
    s = 0;
    for (int k = 0; k < n; k++)
      s += A[i][k] * B[k][j];
    C[i][j] = s;
  }
"""
SUMS = """
for (int i = 0; i < n; i++) {
  s = 0;
  for (int k = 0; k < n; k++)
    s += A[i][k];
  y[i] = s;
}
"""
ROW_OF_VALUES = """
for (int i = 0; i < n; i++) {
  for (int j = 0; j < m; j++) {
    x[j] = 0;
    for (int k = 0; k < n; k++)
      x[j] += A[i][k] * B[k][j];
  }
  for (int j = 0; j < m; j++)
    C[i][j] = x[j];
}
"""


def expansion_of(region: str) -> Expansion | None:
    """The expansion of the outermost band, in the order of the source."""
    found = found_in(region)
    return expansion_at(bands_of(found.scop.schedule)[0], found, 0)


def mapping_of(region: str) -> Mapped:
    found = found_in(region)
    tree = found.scop.schedule.intersect_domain(executed(found.scop))
    return mapped(tree, found, Machine(), MappingOptions(expands=True))


def test_a_scalar_has_a_copy_for_each_iteration_of_two_loops() -> None:
    found = expansion_of(SCALAR)
    assert found is not None
    (copies,) = found.arrays
    assert (copies.array, copies.shape) == ("s", (ROWS, ROW))
    assert found.needs.plain_is_universe()
    assert found.order == (0, 1)


def test_a_row_has_a_copy_for_each_iteration_of_the_last_loop_while_there_is_room() -> None:
    found = expansion_of(ROW_OF_VALUES)
    assert found is not None
    (copies,) = found.arrays
    rows, length = copies.shape
    assert (copies.array, rows) == ("x", ROWS)
    assert MOST_BYTES - 8 * 8 * ROWS < rows * length * 8 <= MOST_BYTES
    # With n = 1, the loops touch m elements.
    for m, is_enough in ((length, True), (length + 1, False)):
        here = isl.Set(f"[n, m] -> {{ : n = 1 and m = {m} }}")
        assert here.is_subset(found.needs) == is_enough


@pytest.mark.parametrize(
    ("region", "why"),
    [
        ("for (int i = 0; i < n; i++) { C[i][0] = s; for (int k = 0; k < n; k++) s += A[i][k]; }",
         "the value goes from one iteration to the next"),
        ("for (int i = 0; i < n; i++) { for (int k = 0; k < n; k++) x[k] += A[i][k];"
         " y[i] = x[0]; }",
         "values from before are needed"),
        ("for (int i = 0; i < n; i++) { if (i == 0) y[0] = s; s = A[i][0];"
         " for (int k = 0; k < n; k++) C[i][k] = s; }", "a value from before is needed once"),
        ("for (int i = 0; i < n; i++) { s = A[i][0]; for (int k = 0; k < n; k++) A[i][k] = s; }"
         " y[0] = s;", "another loop uses the last one"),
        ("for (int i = 0; i < n; i++) { if (A[i][0] > 0) s = A[i][1];"
         " for (int k = 0; k < n; k++) C[i][k] = A[i][k]; }", "it may not be written at all"),
        ("for (int i = 0; i < n; i++) { for (int k = 0; k < n; k++) C[i][k] = 0; y[i] = C[i][0]; }",
         "each iteration has its own elements already"),
    ],
)  # fmt: skip
def test_what_has_no_copies(region: str, why: str) -> None:
    assert expansion_of(region) is None, why


def test_statements_that_run_in_fewer_loops_share_no_copies() -> None:
    # As if the scheduler had put both into one band, with j = 0 for the first.
    found = found_in(
        "for (int i = 0; i < n; i++) { s = x[i]; y[i] = s; for (int j = 0; j < n; j++)"
        " for (int k = 0; k < n; k++) C[i][j] = A[i][k]; }"
    )
    tree = isl.Schedule.from_domain(executed(found.scop)).insert_partial_schedule(
        isl.MultiUnionPwAff(
            "[{ S0[i] -> [(i)]; S1[i] -> [(i)]; S2[i, j, k] -> [(i)] },"
            " { S0[i] -> [(0)]; S1[i] -> [(0)]; S2[i, j, k] -> [(j)] }]"
        )
    )
    parts = [f"{{ {each} }}" for each in ("S0[i]", "S1[i]", "S2[i, j, k]")]
    filters = listed([isl.UnionSet(each) for each in parts])
    node = tree.get_root().child(0).child(0).insert_sequence(filters)
    assert expansion_at(node.parent(), found, 0) is None


def test_loops_that_go_back_to_an_earlier_part_stay_outside() -> None:
    # C[i - 1][j] is read by the first statement after the last one has written it: i stays.
    found = expansion_of(
        """
        for (int i = 1; i < n; i++)
          for (int j = 0; j < n; j++) {
            s = C[i - 1][j];
            for (int k = 0; k < n; k++)
              s += A[i][k] * B[k][j];
            C[i][j] = s;
          }
        """
    )
    assert found is not None
    (copies,) = found.arrays
    assert copies.shape == (ROW,)
    # The tiles of j carry nothing, and come first.
    assert found.order == (1, 0)


@pytest.mark.parametrize("region", [SUMS, ROW_OF_VALUES])
def test_the_laws_hold_but_for_the_copies(region: str) -> None:
    found = found_in(region)
    new = mapping_of(region)
    (array,) = {each.array for each in new.expanded}
    assert not broken_laws(new.tree, found.scop, {array})
    # Without the copies it would be wrong.
    assert broken_laws(new.tree, found.scop)


def test_the_last_values_are_copied_back() -> None:
    new = mapping_of(ROW_OF_VALUES)
    (copies,) = new.expanded
    assert copies.element is not None
    copied = isl.Map.from_pw_multi_aff(copies.element)
    for name, value in (("n", 9), ("m", 4)):
        at = copied.find_dim_by_name(isl.dim_type.param, name)
        copied = copied.fix_val(isl.dim_type.param, at, isl.Val(value))
    # The last of 9 iterations, i = 8, belongs to the tile that begins at 6.
    expected = isl.Map("[n, m] -> { expand0[6, 8, j] -> x[j] : n = 9 and m = 4 and 0 <= j < 4 }")
    assert copied.is_equal(expected.align_params(copied.get_space()))
    extended = with_drains(new.tree, new.expanded).get_root()
    kinds = isl.schedule_node_type
    assert not extended.every_descendant(lambda node: node.get_type() != kinds.extension)


def test_vectors_run_over_iterations_that_had_to_wait_for_each_other() -> None:
    new = mapping_of(SCALAR)
    (product,) = (each for each in new.nests if each.statements == ("S1",))
    assert product.plan.has_vector_mark
    # ROWS x ROW iterations of i and j are a tile already: only k is tiled.
    assert [at for at, _ in product.plan.tiles] == [2]
    assert dict(product.plan.unrolled).keys() == {0, 2}
    assert product.around is not None


WINDOW = """
for (int i = 2; i < n - 2; i++) {
  s = 0;
  for (int k = -2; k <= 2; k++)
    s += x[i + k];
  y[i] = s;
}
"""
COLUMNS = """
for (int i = 0; i < n; i++) {
  s = 0;
  for (int k = 0; k < n; k++)
    s += A[k][2 * i];
  y[i] = s;
}
"""


@pytest.mark.parametrize(
    ("region", "least_gain"),
    [
        (SCALAR, 1.0),  # vectors
        (SUMS, 2.0),  # only several sums at a time, each in its order
        (WINDOW, None),  # compilers unroll five iterations themselves
        (COLUMNS, None),  # neither vectors nor rows
    ],
)
def test_copies_have_to_be_of_use(region: str, least_gain: float | None) -> None:
    found = found_in(region)
    tree = found.scop.schedule.intersect_domain(executed(found.scop))
    new = expanded(tree, found, Machine(), MappingOptions())
    assert [each.least_gain for each in new] == ([] if least_gain is None else [least_gain])


def test_a_statement_that_never_runs_is_no_obstacle() -> None:
    found = expansion_of(SUMS.replace("s = 0;", "s = 0; for (int k = 3; k < 2; k++) s += x[k];"))
    assert found is not None
    assert [each.array for each in found.arrays] == ["s"]
