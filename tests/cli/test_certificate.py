"""``--certificate``: written by ``optimize`` and ``script``, proved again by ``check``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import PREFIX, PRODUCT, loopwright


@pytest.fixture(name="folder")
def prepared(tmp_path: Path) -> Path:
    (tmp_path / "old.c").write_bytes(PRODUCT)
    return tmp_path


@pytest.fixture(name="optimized", scope="module")
def optimized_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("optimized")
    (folder / "old.c").write_bytes(PRODUCT)
    done = loopwright("-q", "old.c", "-o", "new.c", "--certificate", "new.json", folder=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    return folder


def test_optimize_writes_one_that_holds(optimized: Path) -> None:
    folder = optimized
    document = json.loads((folder / "new.json").read_text())
    assert document["format"] == "loopwright certificate 2"
    again = loopwright(
        *("old.c", "new.c", "--certificate", "new.json", "--z3", "--smt", "new.smt2"),
        folder=folder,
        command="check",
    )
    assert (again.returncode, again.stderr) == (0, b"")
    compiler, assumed = b"  to gcc -O3 -march=native -fopenmp\n", b"  assuming that the arrays"
    assert b"on its paths by isl and by z3\n" + compiler + assumed in again.stdout
    asked = (folder / "new.smt2").read_text().count("(check-sat)")
    assert asked == len(document["regions"][0]["obligations"]) > 50


def test_script_writes_one_that_holds(folder: Path) -> None:
    (folder / "tile.loopy").write_text("tile(S0, 32, 32, 32)\nparallel(S0, 1)\n")
    done = loopwright(
        *("-q", "old.c", "tile.loopy", "-o", "new.c", "--certificate", "new.json"),
        folder=folder,
        command="script",
    )
    assert (done.returncode, done.stderr) == (0, b"")
    again = loopwright(
        "old.c", "new.c", "--certificate", "new.json", folder=folder, command="check"
    )
    assert again.returncode == 0


def test_it_is_of_no_use_for_another_text(optimized: Path) -> None:
    text = (optimized / "new.c").read_bytes()
    (optimized / "other.c").write_bytes(text.replace(b"c0 = 0", b"c0 = 1"))
    done = loopwright(
        "old.c", "other.c", "--certificate", "new.json", folder=optimized, command="check"
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"new.json:1:1: LW821: " in done.stderr


@pytest.mark.parametrize(
    "others", [("--no-proof", "--certificate", "it"), ("-o", "it", "--certificate", "it")]
)
def test_what_makes_no_sense_is_refused(folder: Path, others: tuple[str, ...]) -> None:
    done = loopwright("old.c", *others, folder=folder)
    assert done.returncode == 2
    assert not (folder / "it").exists()


def test_a_certificate_that_cannot_be_written_is_told(folder: Path) -> None:
    (folder / "old.c").write_bytes(PREFIX)
    done = loopwright(
        "-q", "old.c", "-o", "new.c", "--certificate", "nowhere/new.json", folder=folder
    )
    assert done.returncode == 2
    assert b"nowhere/new.json:1:1: LW107: " in done.stderr


def test_without_z3_there_is_a_hint(folder: Path) -> None:
    """A module of that name that cannot be loaded is as good as none."""
    (folder / "z3.py").write_text("raise ImportError\n")
    (folder / "new.c").write_bytes(PRODUCT.replace(b"int i", b"long i"))
    done = subprocess.run(
        [sys.executable, "-m", "loopwright.cli", "check", "old.c", "new.c", "--z3"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"z3 is not installed: pip install 'loopwright[proof]'\n"
