"""Tile sizes from caches, by the formulas of the module."""

from __future__ import annotations

import pytest

from loopwright.targets.machine import Machine
from loopwright.targets.tile_sizes import has_reuse, row_length, tile_sizes

from .small_programs import JACOBI, PRODUCT, SEIDEL, TRIANGLE, nest_of, place_of

KIB = 1024


def product_sizes(machine: Machine) -> dict[str, int]:
    nest = nest_of(PRODUCT)
    at = {name: place_of(nest, name) for name in "ijk"}
    found = tile_sizes(nest, at["j"], {at["i"]: 5, at["k"]: 4}, machine)
    return {name: found[at[name]] for name in "ijk"}


def test_the_tiles_of_a_product() -> None:
    # A row: 5 elements of C for each j fill half of 32 KiB, 16384 / 40 = 409, so 256.  A tile of B,
    # k times j, fills half of 1 MiB: 524288 / (256 * 8) = 256.  Blocks of 5 do not cross a tile.
    sizes = product_sizes(Machine(l1=32 * KIB, l2=1024 * KIB))
    assert sizes == {"i": 255, "j": 256, "k": 256}


@pytest.mark.parametrize(
    ("l1", "l2", "expected"),
    [
        # 32768 / 40 = 819; 524288 / (512 * 8) = 128.
        (64, 1024, {"i": 125, "j": 512, "k": 128}),
        # 4096 / 40 = 102; 131072 / (64 * 8) = 256.
        (8, 256, {"i": 255, "j": 64, "k": 256}),
        # 16384 / 40 = 409; 65536 / (256 * 8) = 32.
        (32, 128, {"i": 30, "j": 256, "k": 32}),
        # 2048 / 40 = 51, but vectors want longer rows; 1024 / (64 * 8) = 2, less than the blocks.
        (4, 2, {"i": 5, "j": 64, "k": 4}),
    ],
)
def test_the_tiles_of_a_product_on_other_machines(
    l1: int, l2: int, expected: dict[str, int]
) -> None:
    assert product_sizes(Machine(l1=l1 * KIB, l2=l2 * KIB)) == expected


def test_rows_have_an_upper_limit() -> None:
    nest = nest_of(PRODUCT)
    assert row_length(nest, place_of(nest, "j"), {}, Machine(l1=1024 * KIB)) == 1024


def test_a_stencil_in_two_dimensions_is_tiled_in_its_first_two_loops() -> None:
    # A slice of 10^6 elements of 8 bytes is 8000 bytes: 3 b slices in 1 MiB are b = 43, so 32.
    nest = nest_of(SEIDEL)
    assert tile_sizes(nest, 2, {}, Machine(l2=1024 * KIB)) == {0: 32, 1: 32}
    assert tile_sizes(nest, 2, {}, Machine(l2=512 * KIB)) == {0: 16, 1: 16}


def test_vectors_stay_in_the_cache_without_tiles() -> None:
    assert tile_sizes(nest_of(JACOBI), 1, {}, Machine()) == {}


def test_what_is_touched_once_is_not_tiled() -> None:
    assert not has_reuse(nest_of(TRIANGLE))
    assert tile_sizes(nest_of(TRIANGLE), 1, {}, Machine()) == {}
    assert has_reuse(nest_of(PRODUCT))


def test_one_array_without_reuse_decides() -> None:
    # x and y are used again, A is not: there is nothing to keep that would fill a cache.
    nest = nest_of(
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[i] += A[i][j] * y[j];"
    )
    assert not has_reuse(nest)


@pytest.mark.parametrize("name", ["cores", "l1", "l2", "vector_registers"])
@pytest.mark.parametrize("value", [0, -1, 1.5, "32"])
def test_no_machine_has_that(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=name):
        Machine(**{name: value})  # pyright: ignore[reportArgumentType]
