"""Where there is no compiler, programs are proved as their parser sees them, and proofs say so."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.running import PREFIX, PRODUCT, loopwright

WITHOUT = "own macros, without a compiler"
MACROS = """\
#include <math.h>
#include "own.h"
#ifndef HALF
#define HALF 0.5
#endif
void area(int n, double A[n][n], double B[n][n]) {
#pragma scop
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      AT(A, i, j) = HALF * MAX(AT(B, i, j), fabs(AT(A, i, j))) /
                    SCALE;
#pragma endscop
}
"""
HEADER = """\
#ifndef OWN_H
#define OWN_H
#define AT(a, i, j) a[i][j]
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#if 0
it's left out
#elif defined(__linux__)
#define SCALE 2
#endif
#endif
"""
ASKS = """\
void fill(int n, double a[n]) {
#pragma scop
  for (int i = 0; i < n; i++)
#ifdef _OPENMP
    a[i] = 1;
#else
    a[i] = 2;
#endif
#pragma endscop
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on a machine without compilers."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("CC", raising=False)
    (tmp_path / "plain.c").write_bytes(PRODUCT)
    (tmp_path / "macros.c").write_text(MACROS)
    (tmp_path / "own.h").write_text(HEADER)
    (tmp_path / "asks.c").write_text(ASKS)
    return tmp_path


@pytest.mark.parametrize("name", ["plain.c", "macros.c"])
def test_programs_are_proved_all_the_same(folder: Path, name: str) -> None:
    done = loopwright(name, "-o", "new.c", "--certificate", "c.json", folder=folder)
    assert done.returncode == 0, done.stderr.decode()
    told = " ".join(done.stderr.decode().split())
    assert "proved in " in told
    assert WITHOUT in told
    assert "#pragma omp parallel for" in (folder / "new.c").read_text(errors="replace")
    (configuration,) = json.loads((folder / "c.json").read_bytes())["configurations"]
    assert configuration["compiler"].endswith(WITHOUT)
    for more in ((), ("--certificate", "c.json")):
        checked = loopwright(name, "new.c", *more, folder=folder, command="check")
        assert checked.returncode == 0, checked.stdout.decode() + checked.stderr.decode()
        assert WITHOUT in checked.stdout.decode()


def test_what_only_a_compiler_knows_is_refused(folder: Path) -> None:
    done = loopwright("asks.c", "-o", "new.c", folder=folder)
    assert "no compiler here says what _OPENMP is" in done.stderr.decode()
    assert not (folder / "new.c").exists() or (folder / "new.c").read_text() == ASKS
    (folder / "fixed.c").write_text(ASKS.replace("#ifdef _OPENMP", "#if 1"))
    checked = loopwright("asks.c", "fixed.c", folder=folder, command="check")
    assert checked.returncode == 3, checked.stdout.decode()
    assert "_OPENMP" in checked.stdout.decode() + checked.stderr.decode()


def test_what_is_wrong_stays_wrong(folder: Path) -> None:
    (folder / "old.c").write_bytes(PREFIX)
    (folder / "new.c").write_bytes(PREFIX.replace(b"int i = 1", b"int i = 2"))
    done = loopwright("old.c", "new.c", folder=folder, command="check")
    assert done.returncode == 1
    assert b"not equivalent" in done.stdout


def test_a_certificate_is_about_a_compiler(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = loopwright("plain.c", "-o", "new.c", "--certificate", "c.json", folder=folder)
    assert done.returncode == 0
    monkeypatch.undo()
    arguments = ("plain.c", "new.c", "--certificate", "c.json")
    checked = loopwright(*arguments, folder=folder, command="check")
    assert checked.returncode != 0
    assert WITHOUT in checked.stdout.decode() + checked.stderr.decode()


def test_another_compiler_is_taken_if_none_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    there = shutil.which("gcc")
    assert there is not None
    (folder / "bin" / "cc").write_text(f'#!/bin/sh\nexec {there} "$@"\n')
    (folder / "bin" / "cc").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder / "bin"))
    monkeypatch.delenv("CC", raising=False)
    done = loopwright("plain.c", "plain.c", folder=folder, command="check")
    assert "to cc -O3" in done.stdout.decode()
    named = loopwright("plain.c", "plain.c", "--cc", "gcc", folder=folder, command="check")
    assert WITHOUT in named.stdout.decode()
