"""``loopwright check`` as a user calls it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from tests.cli.running import PREFIX, PRODUCT, loopwright

check = partial(loopwright, command="check")
INNER = b"      for (int k = 0; k < n; k++)\n"
RIGHT = PRODUCT.replace(b"for (int i", b"for (long i")
WRONG = PRODUCT.replace(b"int k = 0", b"int k = 1")
LONG = PRODUCT.replace(b"double", b"long double")
"""Of a type that nobody evaluates, so that only a run shows a difference."""
LONG_WRONG = LONG.replace(b"int k = 0", b"int k = 1")


@pytest.fixture(name="folder")
def prepared(tmp_path: Path) -> Path:
    (tmp_path / "old.c").write_bytes(PRODUCT)
    (tmp_path / "right.c").write_bytes(RIGHT)
    (tmp_path / "wrong.c").write_bytes(WRONG)
    (tmp_path / "long.c").write_bytes(LONG)
    (tmp_path / "long-wrong.c").write_bytes(LONG_WRONG)
    return tmp_path


def test_yes(folder: Path) -> None:
    done = check("old.c", "right.c", folder=folder)
    assert (done.returncode, done.stderr) == (0, b"")
    proof = b"equivalent: proved: 1 statement runs the instances of 1 exactly once"
    assert done.stdout.startswith(proof)


def test_no(folder: Path) -> None:
    done = check("old.c", "wrong.c", folder=folder)
    assert (done.returncode, done.stderr) == (1, b"")
    first, second = done.stdout.decode(errors="replace").splitlines()
    assert first.startswith("not equivalent: for n = 1: C[0][0] is ")
    assert "(by S0 at (i = 0, j = 0, k = 0), line 7: " in first
    assert second.startswith("  not proved: an instance of C[i][j] += A[i][k] * B[k][j] does not")


def test_not_known(folder: Path) -> None:
    done = check("long.c", "long-wrong.c", folder=folder)
    assert (done.returncode, done.stderr) == (3, b"")
    lines = done.stdout.decode(errors="replace").splitlines()
    assert lines[0].startswith("cannot tell: an instance of C[i][j] += A[i][k] * B[k][j]")
    assert lines[0].endswith("(for n = 1: S0 at (i = 0, j = 0, k = 0))")
    assert lines[1] == "  long.c:7:9"
    assert lines[3] == " " * 12 + "^" + "~" * 27


def test_a_run_has_to_be_asked_for(folder: Path) -> None:
    done = check("long.c", "long-wrong.c", "--run", folder=folder)
    assert done.returncode == 1
    assert done.stdout.startswith(b"not equivalent: for n = 1: C[0][0] is ")


def test_the_place_is_one_in_the_new_file(folder: Path) -> None:
    (folder / "other.c").write_bytes(b"\n" + LONG.replace(b"A[i][k]", b"C[i][k]"))
    done = check("long.c", "other.c", folder=folder)
    assert done.returncode == 3
    assert b"\n  other.c:8:20\n" in done.stdout


def test_hints(folder: Path) -> None:
    turned = PRODUCT.replace(b"int i = 0; i < n; i++", b"int i = n - 1; i >= 0; i--")
    (folder / "turned.c").write_bytes(turned)
    done = check("old.c", "turned.c", folder=folder)
    assert done.returncode == 3
    assert done.stdout.endswith(
        b"hint: say what is known with --assume-non-negative, or with --context\n"
    )
    assert check("old.c", "turned.c", "--assume-non-negative", folder=folder).returncode == 0
    promise = ["--context", "[n] -> { : n >= -5 }"]
    assert check("old.c", "turned.c", *promise, folder=folder).returncode == 0


def test_as_json(folder: Path) -> None:
    yes = json.loads(check("old.c", "right.c", "--json", folder=folder).stdout)
    assert (yes["format"], yes["answer"]) == ("loopwright-check-1", "equivalent")
    assert yes["proof"]["statements"] == 1
    no = json.loads(check("old.c", "wrong.c", "--json", folder=folder).stdout)
    assert (no["answer"], no["parameters"], no["element"]) == (
        "not equivalent",
        {"n": 1},
        "C[0][0]",
    )
    unknown = json.loads(check("long.c", "long-wrong.c", "--json", folder=folder).stdout)
    assert (unknown["answer"], unknown["place"]) == ("cannot tell", ["long.c", 7, 9])


def test_from_standard_input_and_to_a_file(folder: Path) -> None:
    done = check("old.c", "-", "-o", "answer", folder=folder, text=RIGHT)
    assert (done.returncode, done.stdout) == (0, b"")
    assert (folder / "answer").read_bytes().startswith(b"equivalent: ")
    done = check("-", "-", folder=folder, text=RIGHT)
    assert (done.returncode, b"only one of the files can be -" in done.stderr) == (2, True)


@pytest.mark.parametrize("order", [("old.c", "broken.c"), ("broken.c", "old.c")])
def test_the_file_that_cannot_be_read_is_named(folder: Path, order: tuple[str, str]) -> None:
    (folder / "broken.c").write_bytes(PRODUCT.replace(b"C[i][j] +=", b"C[i][j +="))
    done = check(*order, folder=folder)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"broken.c:7:36: LW101: not valid C: expected ']'\n")
    assert b"C[i][j += A[i][k]" in done.stderr


def test_files_that_are_not_there(folder: Path) -> None:
    for order in (("old.c", "none.c"), ("none.c", "old.c")):
        done = check(*order, folder=folder)
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"none.c:1:1: LW106: cannot read the file" in done.stderr


def test_a_limit_of_time(folder: Path) -> None:
    done = check("old.c", "right.c", "--timeout", "0.001", folder=folder)
    assert done.returncode == 3
    assert done.stdout == b"cannot tell: there was no proof within 0.001 seconds\n"
    assert check("old.c", "right.c", "--timeout", "0", folder=folder).returncode == 2


def test_one_function_and_macros(folder: Path) -> None:
    both = PRODUCT + PREFIX.replace(b"s[i - 1]", b"s[i - STEP]")
    (folder / "both.c").write_bytes(both)
    (folder / "changed.c").write_bytes(both.replace(b"int k", b"long k"))
    options = ("-D", "STEP=1", "--function", "product")
    assert check("both.c", "changed.c", *options, folder=folder).returncode == 0
    assert check("both.c", "changed.c", folder=folder).returncode == 2


@pytest.mark.parametrize("place", ["nowhere/answer", ".", "/dev/full"])
def test_an_answer_that_cannot_be_written_is_no_answer(folder: Path, place: str) -> None:
    done = check("old.c", "right.c", "-o", place, folder=folder)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"LW107: cannot write the file" in done.stderr
