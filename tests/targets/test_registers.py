"""How many iterations share registers."""

from __future__ import annotations

import pytest

from loopwright.targets.machine import Machine
from loopwright.targets.nests import elements
from loopwright.targets.registers import distinct, unrolling

from .small_programs import PRODUCT, SUMS_OF_ROWS, TRIANGLE, nest_of, place_of


def factors(region: str, inner: str, registers: int, *, is_vector: bool = True) -> dict[str, int]:
    """The factors of the loops, by their iterators."""
    nest = nest_of(region)
    machine = Machine(vector_registers=registers)
    found = unrolling(nest, place_of(nest, inner), machine, is_vector=is_vector)
    return {name: found[at] for name in "ijk" for at in found if f"({name})" in _text(nest, at)}


def _text(nest, at: int) -> str:
    return str(nest.node.band_get_partial_schedule().get_at(at))


def test_copies_of_a_reference_name_an_element_for_each_loop_that_moves_it() -> None:
    nest = nest_of(PRODUCT)
    blocks = {place_of(nest, "i"): 5, place_of(nest, "k"): 4}
    counts = {each.array: distinct(each, blocks) for each in elements(nest)}
    assert counts == {"A": 5 * 4, "B": 4, "C": 5}


def test_a_product_with_32_registers() -> None:
    # 6 x 4 of A, 6 of C and one of B at a time are 31.  With fewer than five rows the compiler
    # would load B again for each of them; with fewer columns C is loaded and stored more often.
    assert factors(PRODUCT, "j", 32) == {"i": 6, "k": 4}
    assert factors(PRODUCT, "j", 31) == {"i": 6, "k": 4}
    assert factors(PRODUCT, "j", 30) == {"i": 5, "k": 4}


def test_a_product_with_16_registers() -> None:
    # Five rows take 5 x 2 + 5 + 1 = 16, and with fewer the loads of B are the bottleneck: for 2 x 4
    # there are 2 + 8 loads for 8 operations, for one row of 8 there are 1 + 8 for 8.
    assert factors(PRODUCT, "j", 16) == {"i": 5, "k": 2}
    assert factors(PRODUCT, "j", 15) == {"k": 8}


@pytest.mark.parametrize("registers", [4, 8, 12, 16, 24, 32])
def test_the_registers_suffice(registers: int) -> None:
    nest = nest_of(PRODUCT)
    found = unrolling(
        nest, place_of(nest, "j"), Machine(vector_registers=registers), is_vector=True
    )
    count = {each.array: distinct(each, found) for each in elements(nest)}
    # One of B at a time is enough.
    assert count["A"] + count["C"] + 1 <= max(3, registers)


def test_there_is_no_use_in_copies_without_reuse() -> None:
    assert factors(TRIANGLE, "j", 32) == {}


def test_sums_of_rows_wait_less_if_several_run_at_once() -> None:
    # An addition waits for the one before: as many sums side by side as hide that.
    found = factors(SUMS_OF_ROWS, "j", 32, is_vector=False)
    assert set(found) == {"i"}
    assert found["i"] >= 4


def test_statements_are_not_written_out_too_often() -> None:
    nest = nest_of(PRODUCT)
    inner = place_of(nest, "j")
    huge = Machine(vector_registers=1000)
    for most in (2, 6, 24):
        copies = 1
        for factor in unrolling(nest, inner, huge, most, is_vector=True).values():
            copies *= factor
        assert 1 < copies <= most
