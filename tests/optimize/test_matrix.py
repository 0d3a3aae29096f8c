"""The check of all programs under all compilers finds what is wrong, and only that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.programs import KERNELS
from loopwright.fates import Fate

from . import matrix
from .checking import Shape

KERNEL = KERNELS / "atax.c"
New = tuple[Path, tuple[Fate, ...]]


@pytest.fixture(autouse=True)
def _only_gcc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "clang", lambda: None)


def changed(old: str, new: str) -> Callable[[Path, Shape | None, Path], New]:
    """Optimized programs with something else in place of a text."""
    honest = matrix.new_program

    def program(subject: Path, shape: Shape | None, folder: Path) -> New:
        path, regions = honest(subject, shape, folder)
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
        return path, regions

    return program


def test_a_kernel_passes_at_all_sizes() -> None:
    outcome = matrix.checked(KERNEL, ["O2"])
    assert not outcome.failures
    assert outcome.counts["tiny: optimized"] == 1
    sizes = 3 + len(matrix.ODD)
    variants = 1 + outcome.counts["usual: optimized"]
    assert outcome.counts["compared"] >= variants * sizes * len(matrix.THREADS)


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("A[", "2 * A[", "compiler"),  # nothing can be assigned to 2 * A[i][j]
        ("#pragma scop", "if (n == 13) return;\n#pragma scop", "output"),
        ("#pragma scop", "if (n == 13) __builtin_trap();\n#pragma scop", "crash"),
        ("#pragma scop", "if (&n) n = n;\n#pragma scop", "warning"),
    ],
)
def test_a_wrong_program_is_seen(
    monkeypatch: pytest.MonkeyPatch, old: str, new: str, kind: str
) -> None:
    monkeypatch.setattr(matrix, "new_program", changed(old, new))
    outcome = matrix.checked(KERNEL, ["O2"])
    assert {each.kind for each in outcome.failures} == {kind}


def test_sizes_next_to_those_of_tiles_are_tried(tmp_path: Path) -> None:
    _, regions = matrix.new_program(KERNELS / "jacobi-2d.c", Shape(row=16, l2=4096), tmp_path / "x")
    tiles = {size for region in regions for nest in region.nests for _, size in nest.plan.tiles}
    small = {size for size in tiles if size < matrix.LARGEST}
    assert small
    assert {size + by for size in small for by in (-1, 0, 1)} - {0} <= matrix.near_tiles(regions)
