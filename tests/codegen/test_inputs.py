"""The laws on every input of the benchmark: kernels, transformed kernels, the paper's, shapes.

What is measured against isl has to be right first, ours and isl's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import islpy as isl
import pytest

from benchmarks.ast_generation import isl_run, our_run
from benchmarks.ast_inputs import AstInput, all_inputs
from benchmarks.ast_inputs.kernels import KERNELS, TILE, VARIANTS
from loopwright.isl_engine import SWITCHES

from .conversion import loop_ast_from_isl
from .oracle import Occurrence, check, expected, fixed

CHUNKS = 16
KERNEL_NAMES = frozenset(path.stem for path in KERNELS.glob("*.c"))
LARGEST = TILE + 2
"""A kernel of this size has a full tile and a part of one in each dimension."""


@cache
def inputs() -> tuple[AstInput, ...]:
    return tuple(all_inputs())


def chunk_of(chunk: int) -> Iterator[tuple[AstInput, dict[str, int], list[Occurrence]]]:
    """Every so many inputs, with sizes and what runs at them."""
    for given in inputs()[chunk::CHUNKS]:
        sizes = given.parameters
        if given.name.partition("/")[0] in KERNEL_NAMES:
            sizes = {name: min(size, LARGEST) for name, size in sizes.items()}
        # Elsewhere the loops may do anything, and the laws would say nothing.
        in_context = given.context_set().intersect_params(fixed(sizes))
        assert not in_context.is_empty(), f"{given.name}: {sizes} contradict the context"
        due = expected(given.schedule(), sizes)
        assert due, f"{given.name}: nothing runs"
        yield given, sizes, due


@contextmanager
def options_of_isl_kept() -> Iterator[None]:
    """isl keeps its options in its context, which other tests of this process share."""
    context = isl.DEFAULT_CONTEXT
    before = {name: getattr(context, f"get_{name}")() for name in SWITCHES.values()}
    try:
        yield
    finally:
        for name, value in before.items():
            getattr(context, f"set_{name}")(value)


def test_the_inputs_are_those_that_were_asked_for() -> None:
    names = {given.name for given in inputs()}
    assert len(KERNEL_NAMES) == 30
    assert names >= {f"{kernel}/{variant}" for kernel in KERNEL_NAMES for variant in VARIANTS}
    assert len(names) >= 150


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_laws_1_and_2_on_the_inputs_of_the_benchmark(chunk: int) -> None:
    for given, sizes, due in chunk_of(chunk):
        ours = our_run(given)()
        check(given.schedule(), sizes, ours, wanted=due, about=f"{given.name}, ours")
        with options_of_isl_kept():
            isls = loop_ast_from_isl(isl_run(given)())
        check(given.schedule(), sizes, isls, wanted=due, about=f"{given.name}, isl's")
