"""``loopwright script`` as a user calls it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from tests.cli.running import loopwright

PROGRAM = """\
void twice(int n, double A[n][n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      Twice: A[j][i] = 2 * A[j][i];
#pragma endscop
}
"""
OTHER = PROGRAM.replace("twice", "other").replace("Twice", "Other")


@pytest.fixture(name="folder")
def prepared(tmp_path: Path) -> Path:
    (tmp_path / "twice.c").write_text(PROGRAM + OTHER)
    (tmp_path / "twice.loopy").write_text("interchange(Twice, 1, 2)\nparallel(Twice, 1)\n")
    return tmp_path


script = partial(loopwright, command="script")


def test_the_region_that_has_the_component_is_transformed(folder: Path) -> None:
    done = script("twice.c", "twice.loopy", folder=folder)
    assert done.returncode == 0
    assert b"A[c0][c1] = 2 * A[c0][c1];" in done.stdout
    assert b"#pragma omp parallel for\n" in done.stdout
    assert OTHER.encode() in done.stdout
    assert b"interchange on line 1: affine(Twice, {[i1,i2] -> [i2,i1]})" in done.stderr
    assert b"proved in " in done.stderr
    assert b"left as it is: the script is about another region" in done.stderr


def test_steps_are_shown(folder: Path) -> None:
    done = script("--step", "-o", "new.c", "twice.c", "twice.loopy", folder=folder)
    first = done.stderr.index(b"after interchange on line 1:\n")
    second = done.stderr.index(b"after parallel on line 2:\n")
    assert first < second
    assert b"Twice(c1, c0);" in done.stderr
    assert (folder / "new.c").read_text().startswith("void twice")


def test_a_script_from_standard_input(folder: Path) -> None:
    done = script("-q", "--diff", "twice.c", "-", folder=folder, text=b"reverse(Twice, 1)")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"--- a/twice.c\n")
    both = script("-", "-", folder=folder, text=b"reverse(Twice, 1)")
    assert both.returncode == 2
    assert b"only one of" in both.stderr


def test_json_tells_what_was_done(folder: Path) -> None:
    done = script("--json", "twice.c", "twice.loopy", folder=folder)
    document = json.loads(done.stdout)
    first, second = document["regions"]
    assert (first["replaced"], first["proved"], second["replaced"]) == (True, True, False)
    assert first["script"][1].startswith("parallel on line 2")


@pytest.mark.parametrize("content", [b"\xff\xfe", b"affine(Twice, \xc3\x28)"])
def test_what_is_no_text(folder: Path, content: bytes) -> None:
    (folder / "broken.loopy").write_bytes(content)
    done = script("twice.c", "broken.loopy", folder=folder)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"broken.loopy:1:1: LW811: the script is not text in UTF-8" in done.stderr


def test_nothing_is_written_where_a_dependence_is_broken(folder: Path) -> None:
    program = PROGRAM.replace("2 * A[j][i]", "A[j][i] + (i > 0 ? A[j][i - 1] : 0)")
    (folder / "sum.c").write_text(program)
    (folder / "sum.loopy").write_text("interchange(Twice, 1, 2)\nreverse(Twice, 2)\n")
    done = script("sum.c", "sum.loopy", "-o", "new.c", folder=folder)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"sum.loopy:2:1: LW816: " in done.stderr
    assert not (folder / "new.c").exists()
