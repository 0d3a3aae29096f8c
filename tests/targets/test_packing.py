"""Tiles in buffers: which ones, how large, and what fills them."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright import dependences, read_c, schedule
from loopwright.model.packing import Packed
from loopwright.targets.cpu import Mapped, MappingOptions, mapped
from loopwright.targets.machine import Machine
from loopwright.targets.packing import MOST_BYTES, with_fills
from loopwright.targets.planning import plan_for

from .small_programs import PRODUCT, TILABLE, found_in, nest_of, place_of, tree_of

TRANSPOSED = """
for (int i = 0; i < n; i++)
  for (int j = 0; j <= i; j++)
    for (int k = 0; k < m; k++)
      C[i][j] += A[i][k] * A[j][k];
"""


def test_a_product_with_a_transpose_is_vectorised_by_packing() -> None:
    nest = nest_of(TRANSPOSED)
    i, j, k = (place_of(nest, name) for name in "ijk")
    plan = plan_for(nest, Machine(), is_parallel_wanted=True)
    assert plan.is_vector
    assert plan.inner == j
    sizes = dict(plan.tiles)
    (tag,) = plan.packed
    (packed,) = (each for each in nest.references if each.tag == tag)
    # A[j][k]: j moves the first subscript, k the second.
    assert packed.steps is not None
    assert (packed.steps[j], packed.steps[k], packed.steps[i]) == ((1, 0), (0, 1), (0, 0))
    assert sizes[j] * sizes[k] * 8 <= Machine().l2 // 4


def buffers_of(region: str) -> Mapped:
    found = found_in(region)
    return mapped(tree_of(found), found, Machine())


def test_the_buffer_has_the_tile_and_the_fills_copy_what_the_tile_reads() -> None:
    new = buffers_of(TRANSPOSED)
    (packed,) = new.packed
    assert packed.array == "A"
    (plan,) = (each.plan for each in new.nests if each.plan.packed)
    assert sorted(packed.shape) == sorted(dict(plan.tiles)[at] for at in (1, 2))
    # The tile at i = 0, j = 0, k = 0 of n = 9, m = 4 reads the rows 0 to 8 of A, 4 elements each.
    copied = isl.Map.from_pw_multi_aff(packed.element)
    for name, value in (("n", 9), ("m", 4)):
        at = copied.find_dim_by_name(isl.dim_type.param, name)
        copied = copied.fix_val(isl.dim_type.param, at, isl.Val(value))
    expected = isl.Set("[n, m] -> { A[x, y] : n = 9 and m = 4 and 0 <= x < 9 and 0 <= y < 4 }")
    assert copied.range().is_equal(expected.align_params(copied.range().get_space()))
    # Each element once.
    assert copied.is_injective()


def test_fills_come_in_front_of_the_loops_of_the_tile() -> None:
    new = buffers_of(TRANSPOSED)
    (packed,) = new.packed
    tree = str(with_fills(new.tree, new.packed))
    assert tree.index("extension") < tree.index(f'filter: "[n, m] -> {{ {packed.name}[')
    assert str(new.tree).count(packed.name) == 1  # only its mark, before the fills are there


@pytest.mark.parametrize(
    "region",
    [
        # Written in the nest.
        "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) for (int k = 0; k < j; k++)"
        " A[i][j] -= A[i][k] * A[j][k];",
        # Only read if a condition holds, which the buffer does not ask.
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < m; k++)"
        " C[i][j] += n > 3 ? B[j][k] : x[k];",
        # Two subscripts move together.
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)"
        " C[i][j] += A[i][k] * B[j][j];",
        # No loop uses the elements again.
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) C[i][j] = B[j][i];",
    ],
)
def test_what_is_not_packed(region: str) -> None:
    assert buffers_of(region).packed == ()


def packed_from(declaration: str, product: str) -> tuple[Packed, ...]:
    """The buffers for a product of elements of an array that is declared like that."""
    (scop,) = read_c(
        f"void f(int n, int m, double C[n][n], const {declaration}) {{\n#pragma scop\n"
        + TRANSPOSED.replace("A[i][k] * A[j][k]", product)
        + "\n#pragma endscop\n}\n"
    )
    found = dependences(scop)
    return mapped(tree_of(found), found, Machine()).packed


def test_what_has_other_subscripts_in_the_source_is_not_packed() -> None:
    # All members of a union are one element.
    union = "union { double d; long bits; } A[n][m]"
    assert packed_from(union, "A[i][k].d * A[j][k].d") == ()
    (packed,) = packed_from(union.replace("union", "struct"), "A[i][k].d * A[j][k].d")
    assert packed.array == "A_d"


def test_a_flat_array_is_packed_as_its_rows_are() -> None:
    (flat,) = packed_from("double *A", "A[i * m + k] * A[j * m + k]")
    (rows,) = packed_from("double A[n][m]", "A[i][k] * A[j][k]")
    assert (flat.array, flat.shape) == (rows.array, rows.shape)


def test_rows_that_drive_each_other_out_are_packed() -> None:
    def packed_with(columns: int) -> tuple[str, ...]:
        (scop,) = read_c(
            f"void f(int n, double A[][{columns}], double B[][{columns}], double C[][{columns}]) {{"
            f"\n#pragma scop\n{PRODUCT.replace('k < n', f'k < {columns}')}\n#pragma endscop\n}}\n"
        )
        found = dependences(scop)
        return tuple(each.array for each in mapped(tree_of(found), found, Machine()).packed)

    assert packed_with(1024) == ("B",)  # rows of 8192 bytes
    assert packed_with(1000) == ()


def test_two_references_to_the_same_elements_share_a_buffer() -> None:
    region = TRANSPOSED.replace("* A[j][k]", "* A[j][k] + A[j][k]")
    (packed,) = buffers_of(region).packed
    assert len(packed.references) == 2


def test_buffers_fit_on_a_stack() -> None:
    huge = Machine(l1=2**22, l2=2**26)
    found = found_in(TRANSPOSED)
    (packed,) = mapped(schedule(found, TILABLE).tree, found, huge).packed
    assert packed.shape[0] * packed.shape[1] * 8 <= MOST_BYTES
    # Nor if the user wants large tiles, or several of them.
    wanted = MappingOptions(tile_sizes=(256, 256, 256))
    both = found_in(TRANSPOSED.replace("* A[j][k]", "* A[j][k] * B[j][k]"))
    (one,) = mapped(tree_of(both), both, Machine(), wanted).packed
    assert one.shape == (256, 256)
