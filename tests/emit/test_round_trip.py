"""The round trip: loops from the original schedules compute the same bits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.execution.campaign import drawn_programs

from .running import CHECKED, STANDARD, output_of, written_anew

ROOT = Path(__file__).resolve().parents[2]
KERNELS = sorted((ROOT / "benchmarks/kernels").glob("*.c"))
APPLICATIONS = ROOT / "examples/applications"
EXAMPLES = sorted(
    each for each in (ROOT / "examples").rglob("*.c") if APPLICATIONS not in each.parents
)
CHUNKS = 4
PER_CHUNK = 6
FIRST_SEED = 20260301


def emitted(path: Path, folder: Path) -> Path:
    result = written_anew(path, include=[str(path.parent)], define=["MINI"])
    left = [str(region.note) for region in result.regions if region.text is None]
    assert not left
    new = folder / path.name
    new.write_bytes(result.content)
    return new


def test_there_are_thirty_kernels() -> None:
    assert len(KERNELS) == 30


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_a_kernel_computes_the_same_bits(path: Path, tmp_path: Path) -> None:
    new = emitted(path, tmp_path)
    options = ["-O2", "-DMINI", f"-I{path.parent}"]
    before = output_of(path, tmp_path, [*STANDARD, *options], ["--dump"])
    after = output_of(new, tmp_path, [*CHECKED, *options], ["--dump"])
    assert len(before) > 100
    assert after == before


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_prints_the_same(path: Path, tmp_path: Path) -> None:
    new = emitted(path, tmp_path)
    options = ["-O0", f"-I{path.parent}"]
    before = output_of(path, tmp_path, [*STANDARD, *options])
    assert output_of(new, tmp_path, [*CHECKED, *options]) == before


def with_all_elements_printed(program: str) -> str:
    return re.sub(r"total \+= (.*) \* k;", r'printf("%a\\n", (double)\1);', program)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_programs_compute_the_same_bits(chunk: int, tmp_path: Path) -> None:
    batch = drawn_programs(PER_CHUNK, FIRST_SEED + chunk)
    texts = [with_all_elements_printed(each.text(number)) for number, each in enumerate(batch)]
    calls = " ".join(f'printf("# {k}\\n"); main_{k}();' for k in range(len(batch)))
    before = "\n".join([*texts, f"int main(void) {{ {calls} return 0; }}\n"])
    result = written_anew(before)
    # What is defined for arrays of one element alone is left as it is.
    assert all(each.text is not None or each.scop.undefined is not None for each in result.regions)
    original, new = tmp_path / "original.c", tmp_path / "emitted.c"
    original.write_text(before)
    new.write_bytes(result.content)
    flags = [*STANDARD, "-O1", "-w"]
    expected = output_of(original, tmp_path, flags)
    seen = output_of(new, tmp_path, flags)
    for program, one, other in zip(
        batch, expected.split("# ")[1:], seen.split("# ")[1:], strict=True
    ):
        assert one == other, program.text()
