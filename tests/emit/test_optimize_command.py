"""``loopwright optimize``: its output, its options, its exit status."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import loopwright

PROGRAM = b"""\
void scale(int n, double a[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = 2 * a[i]; // \xe9
#pragma endscop
}
"""


def test_a_program_from_standard_input(tmp_path: Path) -> None:
    done = loopwright("--no-reschedule", "-", folder=tmp_path, text=PROGRAM)
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"    for (int c0 = 0; c0 < n; c0++)\n      a[c0] = 2 * a[c0];\n" in done.stdout
    assert done.stdout.startswith(
        b"void scale(int n, double a[n])\n{\n#pragma scop\n  if (n >= 1) {"
    )
    assert done.stdout.endswith(b"  } // \xe9\n#pragma endscop\n}\n")


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    (tmp_path / "scale.c").write_bytes(PROGRAM)
    done = loopwright("--no-reschedule", "scale.c", "-o", "new.c", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, b"")
    printed = loopwright("--no-reschedule", "scale.c", folder=tmp_path)
    assert (tmp_path / "new.c").read_bytes() == printed.stdout


def test_what_was_decided(tmp_path: Path) -> None:
    done = loopwright("--no-reschedule", "--json", "-", folder=tmp_path, text=PROGRAM)
    document = json.loads(done.stdout)
    assert document["format"] == "loopwright-result-1"
    assert document["code"].startswith("void scale(")
    (region,) = document["regions"]
    assert region == {
        "function": "scale",
        "file": "<stdin>",
        "lines": [4, 5],
        "rescheduled": False,
        "replaced": True,
        "proved": True,
        "fate": "rewritten",
        "nests": [],
        "iterator_type": "int",
        "test": "n >= 1",
        "taken_for_granted": [],
    }


def test_a_region_that_cannot_be_read(tmp_path: Path) -> None:
    text = (
        PROGRAM
        + b"""\
void jump(int n, double a[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    if (a[i] > 0) goto out;
#pragma endscop
out: ;
}
"""
    )
    done = loopwright("--no-reschedule", "-", folder=tmp_path, text=text)
    assert done.returncode == 0
    assert b"LW201: warning: goto" in done.stderr
    assert b"a[c0] = 2 * a[c0];" in done.stdout
    assert done.stdout.endswith(text[text.index(b"void jump") :])
    strict = loopwright("--no-reschedule", "--strict", "-", folder=tmp_path, text=text)
    assert (strict.returncode, strict.stdout) == (1, b"")
    assert b"LW201: goto" in strict.stderr


def test_a_file_without_any_region_stays_as_it_is(tmp_path: Path) -> None:
    for options in ([], ["--autodetect"], ["--strict"]):
        done = loopwright(*options, "-", folder=tmp_path, text=b"int x;\n")
        assert (done.returncode, done.stdout) == (0, b"int x;\n")
        assert (b"LW118: note: " if "--autodetect" in options else b"LW114: note: ") in done.stderr
