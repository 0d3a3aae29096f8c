"""What the user sees: one example for each diagnostic code, with its exact text and exit status.

``LW205-what.c`` stands beside ``LW205-what.txt``, the text on standard error; ``LW506-what.yaml``
and ``LW506-what.isl`` are schedules for ``scan``, ``LW811-what.loopy`` is a script for
``scripted.c``, and ``LW821-what.json`` a certificate for it.  A first line may say more (after
``#`` in a schedule): ``// options: --autodetect`` adds options, ``// arguments: no-such-file.c``
replaces the file, ``// command: optimize`` runs another command than ``model`` or ``scan``,
``// padded: 99`` appends blanks up to that size.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from contextlib import chdir
from pathlib import Path

import pytest
from typer.testing import CliRunner

from loopwright.cli.commands import app
from tests import forking

HERE = Path(__file__).resolve().parent
COMMENTS = {".c": "//", ".yaml": "#", ".isl": "#", ".loopy": "#", ".json": "//"}
COMMANDS = {
    ".c": "model",
    ".loopy": "script scripted.c",
    ".json": "check scripted.c scripted.c --certificate",
}
FILES = {path.stem: path for path in sorted(HERE.glob("LW*")) if path.suffix in COMMENTS}
EXAMPLES = sorted(FILES)
TOLD_ONLY = {
    "LW119",
    "LW301",
    "LW302",
    "LW303",
    "LW304",
    "LW305",
    "LW306",
    "LW307",
    "LW308",
    "LW309",
    "LW402",
    "LW509",
    "LW511",
    "LW512",
    "LW601",
    "LW602",
}
"""Warnings and notes: the model or the program is printed all the same."""
ANSWERED_NO = {"LW816", "LW817", "LW818", "LW901", "LW902"}
"""Nothing is wrong with the input, but there is no new program."""
IN_A_DOCTEST = {"LW000"}
OUR_MISTAKES = {"LW903", "LW904"}
"""No program is there to show them; ``tests/surroundings/test_fates.py`` brings them about."""
IN_THIS_PROCESS = {"model", "scan", "deps"}
"""Commands without children of their own; a process for each example would take most of the time.
``tests/cli`` has them in processes."""
LONGEST = 10
"""Seconds; the issue allows no hang over ten."""


def directive(example: str, name: str) -> str | None:
    path = FILES[example]
    start = f"{COMMENTS[path.suffix]} {name}: "
    first = path.read_bytes().partition(b"\n")[0].decode(errors="replace")
    return first.removeprefix(start) if first.startswith(start) else None


def run(example: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run ``loopwright`` on the example, called by its bare name."""
    path = FILES[example]
    padded = directive(example, "padded")
    if padded is not None:
        (folder / path.name).write_text(path.read_text().ljust(int(padded)))
    replaced = directive(example, "arguments")
    arguments = shlex.split(replaced) if replaced is not None else [path.name]
    arguments += shlex.split(directive(example, "options") or "")
    usual = COMMANDS.get(path.suffix, "scan")
    command = shlex.split(directive(example, "command") or usual)
    place = folder if padded is not None else HERE
    if command[0] in IN_THIS_PROCESS:
        with chdir(place):
            done = CliRunner().invoke(app, [*command, *arguments])
        assert isinstance(done.exception, SystemExit | None), done.exception
        return subprocess.CompletedProcess(command, done.exit_code, done.stdout, done.stderr)
    try:
        return subprocess.run(
            [forking.command(), *command, *arguments],
            cwd=place,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST,
        )
    except subprocess.TimeoutExpired:
        pytest.fail(f"no answer within {LONGEST} seconds")


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_user_sees_exactly_this(example: str, tmp_path: Path) -> None:
    done = run(example, tmp_path)
    assert done.stderr == (HERE / f"{example}.txt").read_text()
    is_told_only = example[:5] in TOLD_ONLY
    assert done.returncode == (0 if is_told_only else 1 if example[:5] in ANSWERED_NO else 2)
    assert bool(done.stdout) is is_told_only


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_example_shows_its_code_and_a_place(example: str) -> None:
    text = (HERE / f"{example}.txt").read_text()
    assert re.search(rf"^[^\n]+:\d+:\d+: {example[:5]}: ", text, re.MULTILINE)


def test_every_code_has_an_example_and_every_example_a_code(project_root: Path) -> None:
    sources = (project_root / "src" / "loopwright").rglob("*.py")
    used = {code for path in sources for code in re.findall(r'"(LW\d{3})"', path.read_text())}
    shown = {example[:5] for example in EXAMPLES}
    assert used - IN_A_DOCTEST - OUR_MISTAKES == shown


def test_every_example_has_its_text_and_every_text_its_example() -> None:
    assert sorted(path.stem for path in HERE.glob("LW*.txt")) == EXAMPLES
