"""Optimized programs compute the same bits: kernels, examples, and random programs.

Threads start even where there is little to do, and for the random programs tiles are so small that
there are several of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loopwright import optimize
from tests.emit.running import CHECKED, STANDARD, output_of
from tests.execution.campaign import drawn_programs
from tests.execution.programs import RandomProgram

from .checking import FAST, SANITIZED, SHAPES, Shape, always_parallel, mapped_for, verdict
from .random_nests import small_nests

ROOT = Path(__file__).resolve().parents[2]
KERNELS = sorted((ROOT / "benchmarks/kernels").glob("*.c"))
SLOW = {"affine-conditions", "floord-ceild-min-max", "mappings-figure-7", "ppcg-listing-28"}
"""They take many seconds, and what they have is in other examples, too."""
APPLICATIONS = ROOT / "examples/applications"
EXAMPLES = [
    path
    for path in sorted((ROOT / "examples").rglob("*.c"))
    if path.stem not in SLOW and APPLICATIONS not in path.parents
]
SIZES = ("NI", "NJ", "NK", "NL", "NM", "N", "M", "W", "H", "NQ", "NR", "NP", "NX", "NY")
ODD = [f"-D{name}={value}" for name, value in zip(SIZES, (67, 5, 41, 3, 1) * 3, strict=False)]
"""Sizes next to multiples of blocks and tiles, and some that are less than one."""
PARALLEL = ["-fopenmp"]


def emitted(path: Path, folder: Path, shape: Shape) -> Path:
    """The new program, mapped for a machine of that shape."""
    with mapped_for(shape):
        result = optimize(
            path, include=[str(path.parent)], define=["MINI"], machine=shape.machine, prove=False
        )
    new = folder / path.name
    new.write_text(always_parallel(result.code), errors="surrogateescape")
    return new


def output_with(threads: int, *arguments: Any) -> str:
    """What a program prints, run by so many threads."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", str(threads))
        return output_of(*arguments)


BUILDS = [(2, [*SANITIZED, "-DMINI"]), (2, [*FAST, "-DSMALL"]), (1, ["-O1", "-DSMALL", *ODD])]


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_a_kernel_computes_the_same_bits(path: Path, tmp_path: Path) -> None:
    new = emitted(path, tmp_path, Shape(row=16, l2=4096))
    for threads, flags in BUILDS:
        sizes = [each for each in flags if each.startswith("-D")]
        old_flags = [*STANDARD, "-O1", *sizes, f"-I{path.parent}"]
        new_flags = [*CHECKED, *PARALLEL, *flags, f"-I{path.parent}"]
        before = output_of(path, tmp_path, old_flags, ["--dump"])
        assert output_with(threads, new, tmp_path, new_flags, ["--dump"]) == before
        assert before.count("0x") > 2 or before.count(" ") > 20


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_prints_the_same(path: Path, tmp_path: Path) -> None:
    new = emitted(path, tmp_path, SHAPES[len(path.stem) % len(SHAPES)])
    flags = ["-O0", f"-I{path.parent}"]
    before = output_of(path, tmp_path, [*STANDARD, *flags])
    assert output_with(2, new, tmp_path, [*CHECKED, *PARALLEL, *flags]) == before


# --- random programs ------------------------------------------------------------------------------

CHUNKS = (0, 5, 6, 7, 8)
"""Those without a program that takes many seconds."""
NESTS_PER_CHUNK = 5
PROGRAMS_PER_CHUNK = 2
FIRST_SEED = 20_260_401


def chosen(chunk: int) -> Iterator[RandomProgram]:
    """The programs of a chunk: mostly plain nests, and some with a bit of everything.

    The shortest ones: dependences of the longest take many seconds.
    """
    yield from small_nests(FIRST_SEED + 1000 * chunk, NESTS_PER_CHUNK, most=3)
    drawn = drawn_programs(4 * PROGRAMS_PER_CHUNK, FIRST_SEED + chunk)
    yield from sorted(drawn, key=lambda each: len(each.decisions))[:PROGRAMS_PER_CHUNK]


@pytest.mark.parametrize("chunk", CHUNKS)
def test_random_programs_compute_the_same_bits(chunk: int, tmp_path: Path) -> None:
    for number, program in enumerate(chosen(chunk)):
        flags = FAST if number % 3 == 2 else SANITIZED
        found = verdict(program, SHAPES[number % len(SHAPES)], flags, tmp_path)
        assert found.is_fine, f"{found.kind}: {found.detail}\n{program.text(1)}"
