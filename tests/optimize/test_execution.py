"""Optimized programs compute the same bits: kernels, examples, and random programs.

Threads start even where there is little to do, and for the random programs tiles are so small that
there are several of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopwright.pipeline import optimize
from tests.emit.running import CHECKED, STANDARD, output_of
from tests.execution.campaign import drawn_programs
from tests.execution.programs import RandomProgram

from .checking import FAST, SANITIZED, SHAPES, Shape, always_parallel, mapped_for, verdict
from .random_nests import small_nests

ROOT = Path(__file__).resolve().parents[2]
KERNELS = sorted((ROOT / "benchmarks/kernels").glob("*.c"))
EXAMPLES = sorted((ROOT / "examples").rglob("*.c"))
SLOW = {"floord-ceild-min-max", "mappings-figure-3a", "mappings-figure-3b", "mappings-figure-7"}
"""They take seconds, and what they have is in other examples, too."""
SIZES = ("NI", "NJ", "NK", "NL", "NM", "N", "M", "W", "H", "NQ", "NR", "NP", "NX", "NY")
ODD = [f"-D{name}={value}" for name, value in zip(SIZES, (67, 5, 41, 3, 1) * 3, strict=False)]
"""Sizes next to multiples of blocks and tiles, and some that are less than one."""
PARALLEL = ["-fopenmp"]


@pytest.fixture(params=["1", "2"])
def threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """So many threads."""
    monkeypatch.setenv("OMP_NUM_THREADS", request.param)
    return request.param


@pytest.fixture(autouse=True)
def two_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two, if nothing else is said."""
    monkeypatch.setenv("OMP_NUM_THREADS", "2")


def emitted(path: Path, folder: Path, shape: Shape) -> Path:
    """The new program, mapped for a machine of that shape."""
    with mapped_for(shape):
        result = optimize(
            path, include=[str(path.parent)], define=["MINI"], machine=shape.machine, prove=False
        )
    new = folder / path.name
    new.write_text(always_parallel(result.code), errors="surrogateescape")
    return new


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_a_kernel_computes_the_same_bits(path: Path, tmp_path: Path) -> None:
    included = f"-I{path.parent}"
    for shape, builds in (
        (SHAPES[0], [[*FAST, "-DSMALL"], [*FAST, "-DSMALL", *ODD]]),
        (SHAPES[1], [[*SANITIZED, "-DMINI"]]),
    ):
        new = emitted(path, tmp_path, shape)
        for flags in builds:
            before = output_of(path, tmp_path, [*STANDARD, *flags, included], ["--dump"])
            os.environ["OMP_NUM_THREADS"] = "2" if shape.row else "1"
            after = output_of(new, tmp_path, [*CHECKED, *PARALLEL, *flags, included], ["--dump"])
            assert len(before) > 100
            assert after == before


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_prints_the_same(path: Path, tmp_path: Path) -> None:
    if path.stem in SLOW:
        pytest.skip("takes long")
    new = emitted(path, tmp_path, SHAPES[len(path.stem) % len(SHAPES)])
    flags = ["-O1", f"-I{path.parent}"]
    before = output_of(path, tmp_path, [*STANDARD, *flags])
    assert output_of(new, tmp_path, [*CHECKED, *PARALLEL, *flags]) == before


# --- random programs ------------------------------------------------------------------------------

CHUNKS = 5
NESTS_PER_CHUNK = 15
PROGRAMS_PER_CHUNK = 5
FIRST_SEED = 20_260_401


def chosen(chunk: int) -> Iterator[RandomProgram]:
    """The programs of a chunk: mostly plain nests, and some with a bit of everything."""
    yield from small_nests(FIRST_SEED + 1000 * chunk, NESTS_PER_CHUNK)
    yield from drawn_programs(PROGRAMS_PER_CHUNK, FIRST_SEED + chunk)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_programs_compute_the_same_bits(chunk: int, tmp_path: Path) -> None:
    for number, program in enumerate(chosen(chunk)):
        flags = FAST if number % 3 == 2 else SANITIZED
        found = verdict(program, SHAPES[number % len(SHAPES)], flags, tmp_path)
        assert found.is_fine, f"{found.kind}: {found.detail}\n{program.text(1)}"
