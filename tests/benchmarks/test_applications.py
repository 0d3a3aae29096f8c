"""The applications verify themselves as they are, and the bars of their benchmark."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.applications import APPLICATIONS, Fate, Figures, Plan, chosen, rows, summary

PLAN = Plan((2,), 1, 60)
FINE = Figures("fft", 500, (Fate("a.c", 3, "f"),), seconds={"gcc": 2.0, "new/2": 1.0})
CAREFUL = "-O1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all"


@pytest.mark.parametrize("application", chosen(""), ids=lambda each: each.name)
def test_an_application_verifies_itself(application: Path, tmp_path: Path) -> None:
    names = [*application.glob("*.[ch]"), application / "Makefile"]
    for each in names:
        (tmp_path / each.name).write_bytes(each.read_bytes())
    command = ["make", "-s", "-C", str(tmp_path), f"CFLAGS={CAREFUL}", "check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("VERIFIED\n")


def test_applications_are_as_long_as_such_programs_are() -> None:
    names = [each.name for each in chosen("")]
    assert len(names) == 6
    for name in names:
        files = list((APPLICATIONS / name).glob("*.[ch]"))
        assert 300 <= sum(len(each.read_text().splitlines()) for each in files) <= 1500
        assert not any(re.search("pragma omp", each.read_text()) for each in files)


@pytest.mark.parametrize(
    ("found", "verified", "results", "quick"),
    [
        (FINE, "met ", "met ", "met "),
        (replace(FINE, problem="other results"), "not met ", "met ", "met "),
        (replace(FINE, lost={"a.c": "crashed"}), "met ", "not met ", "met "),
        (replace(FINE, seconds={"gcc": 2.0, "new/2": 2.2}), "met ", "met ", "not met "),
    ],
)
def test_the_bars(found: Figures, verified: str, results: str, quick: str) -> None:
    assert all(map(str.startswith, summary([found], PLAN), (verified, results, quick)))


def test_the_fates_of_regions_are_told() -> None:
    found = replace(FINE, fates=(*FINE.fates, Fate("b.c", 7, "", "it calls g")))
    lines = list(rows(found, PLAN))
    assert lines[0].split()[-1] == "2.00"
    assert lines[1:] == ["    a.c:3 f: rewritten", "    b.c:7: it calls g"]
