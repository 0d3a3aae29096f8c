"""The laws of mapped trees, on all kernels and on random programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import dependences, read_c, schedule
from loopwright.basics.diagnostics import InputError
from loopwright.choosing import CPU_SCHEDULERS
from loopwright.model.scop import Scop
from loopwright.targets.cpu import mapped
from tests.optimize.checking import SHAPES, Shape, mapped_for
from tests.optimize.random_nests import small_nests

from .laws import broken_laws, executed, marked_bands

KERNELS = sorted((Path(__file__).parents[2] / "benchmarks/kernels").glob("*.c"))
FIRST_SEED = 20_260_415
CHUNKS = 4
PER_CHUNK = 4


def broken_laws_for(scop: Scop, shape: Shape) -> list[str]:
    """The laws that any mapping of the region breaks."""
    found = dependences(scop)
    trees = [scop.schedule.intersect_domain(executed(scop))]
    for options in CPU_SCHEDULERS:
        try:
            trees.append(schedule(found, options).tree)
        except InputError:
            continue
    with mapped_for(shape):
        new = [mapped(each, found, shape.machine).tree for each in trees]
    return [law for each in new for law in broken_laws(each, scop)]


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_the_laws_hold_for_a_kernel(path: Path) -> None:
    (scop,) = read_c(path)
    assert not broken_laws_for(scop, SHAPES[0])


def test_kernels_have_loops_to_judge() -> None:
    (scop,) = read_c(next(path for path in KERNELS if path.stem == "gemm"))
    found = dependences(scop)
    tree = mapped(schedule(found, CPU_SCHEDULERS[0]).tree, found, SHAPES[0].machine).tree
    marks = {mark.partition(" #")[0] for mark, _ in marked_bands(tree)}
    assert marks == {"omp parallel for", "omp simd"}


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_laws_hold_for_random_nests(chunk: int) -> None:
    shape = SHAPES[chunk % len(SHAPES)]
    for program in small_nests(FIRST_SEED + 1000 * chunk, PER_CHUNK, most=3):
        (scop,) = read_c(program.text(1))
        broken = broken_laws_for(scop, shape)
        assert not broken, f"{broken}\n{program.text(1)}"
