"""The dependences of every kernel and every example are those of brute force."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from loopwright import read_c
from tests.execution.corpus import FILES, name_of
from tests.execution.oracle import Program, check_program
from tests.execution.preprocessing import preprocessed

from .comparison import DependenceJudge

SMALLEST = 4
SMALLER = {"ppcg-listing-28.c": [("SIZE = 4, STEPS = 2", "SIZE = 3, STEPS = 1")]}

SILENT = "#define __pencil_kill(...) ((void)0)"
VISIBLE = "static void __pencil_kill() { }"


def sizes(path: Path) -> list[str]:
    """Half the sizes that a kernel has at its smallest, but not all the same."""
    found = re.findall(r"#define (\w+) BENCH_SIZE\((\d+)", path.read_text())
    return [f"{name}={max(min(int(mini), SMALLEST), int(mini) // 2)}" for name, mini in found]


def text_of(path: Path, folder: Path) -> str:
    """A program at a size where all pairs can be looked at, with its kills still in the text."""

    def header(include: re.Match[str]) -> str:
        text = (path.parent / include[1]).read_text()
        assert SILENT in text
        return text.replace(SILENT, VISIBLE)

    text = re.sub(r'#include "(.*pencil\.h)"', header, path.read_text())
    for old, new in SMALLER.get(path.name, ()):
        assert old in text
        text = text.replace(old, new)
    copy = folder / path.name
    copy.write_text(text)
    return preprocessed(copy, [str(path.parent)], ["MINI", *sizes(path)])


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_the_dependences_are_those_of_brute_force(path: Path, tmp_path: Path) -> None:
    text = text_of(path, tmp_path)
    judge = DependenceJudge()
    found = check_program(Program(text, read_c(text)), judge)
    assert not found, "\n".join(map(str, found))
    assert set(judge.counts) == {"exact"}
