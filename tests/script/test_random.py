"""Random scripts: those that are accepted compute the same bits, and none makes a traceback."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from loopwright import InputError, read_c
from loopwright.script.timetable import timetable_of
from loopwright.scripting import Script

from .random_scripts import cases, verdict

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "benchmarks/scripts").glob("*.loopy"))
CHUNKS = 10
SEED = 20261116
WORDS = '( ) { } [ ] , : = -> < and def return include # \n / % -1 99999999999 i L x "f"'.split(" ")


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_accepted_scripts_compute_the_same_bits(chunk: int, tmp_path: Path) -> None:
    found: Counter[str] = Counter()
    for name, program, script in cases(SEED + 1000 * chunk, 10):
        result = verdict(program, script, tmp_path)
        found[result.kind] += 1
        assert result.is_fine, f"{name}\n{script}\n{result.detail}"
    assert found["same"] >= 1
    assert found["no proof"] <= 1


def _mutated(text: str, random: Random) -> str:
    for _ in range(random.randint(1, 3)):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice((0, 0, 1, 3, 10)))
        text = text[:start] + random.choice(["", *WORDS, "é", "\0"]) + text[end:]
    return text


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_broken_scripts_are_answered(path: Path) -> None:
    (scop,) = read_c(ROOT / f"benchmarks/kernels/{path.stem}.c")
    start, random = timetable_of(scop), Random(path.stem)
    codes: list[str] = []
    for _ in range(60):
        try:
            Script("s.loopy", _mutated(path.read_text(), random)).run(scop, start)
        except InputError as error:
            codes += [each.code for each in error.diagnostics]
    assert len(codes) > 20
    assert all(each.startswith("LW81") for each in codes)
