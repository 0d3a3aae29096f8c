"""The fourteen scripts of the paper's appendix B, on kernels with the tags of the paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import read_c
from loopwright.choosing import Wanted
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question
from loopwright.scripting import IllegalScript, Script, run_script, script_source
from tests.emit.running import CHECKED, STANDARD, output_of

ROOT = Path(__file__).resolve().parents[2]
KERNELS = ROOT / "benchmarks/kernels"
SCRIPTS = sorted((ROOT / "benchmarks/scripts").glob("*.loopy"))


def test_there_are_fourteen() -> None:
    assert len(SCRIPTS) == 14


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_is_proved_and_computes_the_same_bits(path: Path, tmp_path: Path) -> None:
    kernel = KERNELS / f"{path.stem}.c"
    script = Script(path.name, path.read_text())
    result = script_source(
        str(kernel), kernel.read_bytes(), ReadOptions(), Question(), script, Wanted()
    )
    (region,) = result.regions
    assert region.proof is not None
    new = tmp_path / kernel.name
    new.write_bytes(result.content)
    for size in ("-DMINI", "-DSMALL"):
        flags = ["-O1", size, f"-I{KERNELS}"]
        before = output_of(kernel, tmp_path, [*STANDARD, *flags], ["--dump"])
        after = output_of(new, tmp_path, [*CHECKED, *flags], ["--dump"])
        assert len(before) > 100
        assert after == before


def test_merging_the_loops_of_lu_without_the_shift_is_refused() -> None:
    """The mistake that the authors made first (§6): iterations are counted from 0."""
    shift, rest = (ROOT / "benchmarks/scripts/lu.loopy").read_text().split("\n", 1)
    assert shift == "affine(Right, {[i,j,k]->[i,j+i,k]})"
    (scop,) = read_c(KERNELS / "lu.c")
    with pytest.raises(IllegalScript) as refusal:
        run_script(scop, rest)
    first = refusal.value.diagnostics[0]
    assert first.code == "LW816"
    assert rest.splitlines()[first.span.line - 1] == "realign(Norm, Right, 3)"
    assert "Right at (i = 2, j = 2, k = 1)" in first.message
    assert "reads A[2][1], which Norm at (i = 2, j = 1)" in first.message
