"""Execute a Markdown page: write its files, run its commands and its Python, compare the output.

A fenced block takes part by its info string; every other block is prose.

``c title="kernel.c"``
    (any language with a title) is a file, written into the page's working directory.
``console``
    holds commands (``$ loopwright model kernel.c``; a trailing backslash continues the line), each
    with the output that it must print, standard output and error together. A line ``...`` stands
    for any number of lines, and ``7 ms`` for any number of milliseconds. A last line ``[exit 2]``
    is the expected exit status, else 0.
``python``
    is a doctest if it has ``>>>`` prompts, else a script; all blocks of a page share one namespace.

``python -m tests.docs.pages --write PAGE...`` puts the real output into the pages instead; read the
diff. An expectation with ``...`` in it is left alone.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from tests import forking

ROOT = Path(__file__).resolve().parents[2]
PROVIDED = ("examples",)
"""Folders of the project that a page finds in its working directory."""

MACHINE = ROOT / "tests" / "machine.toml"
"""Programs on pages are for this machine, so that they look the same everywhere."""

STORE = "trials.sqlite"
"""Each page has its own trials of tuning."""

TIME_LIMIT_SECONDS = 120
FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,})(?P<language>\w*) *(?P<attributes>.*)$")
TITLE = re.compile(r'title="([^"]+)"')
EXIT_STATUS = re.compile(r"^\[exit (\d+)\]$")


class PageError(AssertionError):
    """A page does not do what it says."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; ``line`` is the number of its first line of content."""

    language: str
    title: str | None
    lines: tuple[str, ...]
    line: int
    indent: int

    @property
    def text(self) -> str:
        """The content as the file that it is."""
        return "".join(line + "\n" for line in self.lines)


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a console block; its expected output starts at line ``line`` of the page."""

    text: str
    expected: tuple[str, ...]
    line: int
    indent: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """A command, and what it really printed (with ``[exit N]`` where N is not 0)."""

    command: Command
    printed: tuple[str, ...]

    def is_as_expected(self) -> bool:
        """Does the output match, where ``...`` stands for any lines?"""
        pattern = "".join(
            r"(?:.*\n)*" if line.strip() == "..." else _pattern(line.rstrip()) + r"\n"
            for line in self.command.expected
        )
        return re.fullmatch(pattern, "".join(line + "\n" for line in self.printed)) is not None


def _pattern(line: str) -> str:
    """A line as a pattern: times differ from run to run."""
    return re.sub(r"\d+\\ ms\b", r"\\d+\\ ms", re.escape(line))


def blocks_of(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    lines = page.splitlines()
    position = 0
    while position < len(lines):
        opening = FENCE.match(lines[position])
        position += 1
        if opening is None:
            continue
        start, indent = position, len(opening["indent"])
        closing = re.compile(rf"^ *{opening['ticks']}`* *$")
        while position < len(lines) and not closing.match(lines[position]):
            position += 1
        if position == len(lines):
            raise PageError(f"line {start}: the block is never closed")
        title = TITLE.search(opening["attributes"])
        content = tuple(_unindented(line, indent) for line in lines[start:position])
        name = title[1] if title else None
        yield Block(opening["language"], name, content, start + 1, indent)
        position += 1


def _unindented(line: str, indent: int) -> str:
    return line[indent:] if not line[:indent].strip() else line.lstrip()


def commands_of(block: Block) -> Iterator[Command]:
    """The commands of a console block, each with the lines up to the next prompt."""
    prompts = [number for number, line in enumerate(block.lines) if line.startswith("$ ")]
    if not prompts or prompts[0] != 0:
        raise PageError(f"line {block.line}: a console block starts with a prompt, `$ command`")
    for start, end in zip(prompts, [*prompts[1:], len(block.lines)], strict=True):
        after = start + 1
        while block.lines[after - 1].endswith("\\") and after < end:
            after += 1
        text = "\n".join(block.lines[start:after]).removeprefix("$ ")
        expected = block.lines[after:end]
        yield Command(text, expected, block.line + after, block.indent)


def run_page(page: Path, folder: Path) -> list[Outcome]:
    """Execute a page in a folder; a Python block that fails raises a :class:`PageError`."""
    for name in PROVIDED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name)
    outcomes: list[Outcome] = []
    namespace: dict[str, object] = {"__name__": "__page__"}
    for block in blocks_of(page.read_text()):
        if block.title:
            (folder / block.title).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.title).write_text(block.text)
        elif block.language == "console":
            outcomes += [run_command(command, folder) for command in commands_of(block)]
        elif block.language == "python":
            with chdir(folder):
                run_python(block, namespace, page)
    return outcomes


def run_command(command: Command, folder: Path) -> Outcome:
    """Run a command as a user would, with the project's tools first on the path."""
    tools = os.pathsep.join(str(each.parent) for each in (forking.command(), Path(sys.executable)))
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("FORCE_COLOR", "PYTHONPATH", "CLICOLOR_FORCE")
    } | {
        "PATH": tools + os.pathsep + os.environ["PATH"],
        "COLUMNS": "100",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "TERM": "dumb",
        "LOOPWRIGHT_MACHINE": str(MACHINE),
        "LOOPWRIGHT_STORE": str(folder / STORE),
    }
    finished = subprocess.run(
        command.text,
        shell=True,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=TIME_LIMIT_SECONDS,
        check=False,
    )
    printed = [line.rstrip() for line in finished.stdout.decode(errors="replace").splitlines()]
    if finished.returncode != 0:
        printed.append(f"[exit {finished.returncode}]")
    return Outcome(command, tuple(printed))


def run_python(block: Block, namespace: dict[str, object], page: Path) -> None:
    """Run a Python block in the page's namespace, as a doctest or as a script."""
    if ">>>" not in block.text:
        code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
        exec(code, namespace)
        return
    examples = doctest.DocTestParser().get_doctest(
        block.text, namespace, page.name, str(page), block.line - 1
    )
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(examples, out=report.append, clear_globs=False)
    namespace.update(examples.globs)
    if runner.failures:
        raise PageError("".join(report))


def check_page(page: Path, folder: Path) -> None:
    """Execute a page and raise a :class:`PageError` that shows every wrong output."""
    wrong = [each for each in run_page(page, folder) if not each.is_as_expected()]
    if wrong:
        raise PageError("\n\n".join(_complaint(page, each) for each in wrong))


def _complaint(page: Path, outcome: Outcome) -> str:
    command = outcome.command
    differences = unified_diff(
        command.expected, outcome.printed, "the page", "the command", lineterm=""
    )
    return "\n".join([f"{page}:{command.line}: $ {command.text}", *differences])


def with_real_output(page: str, outcomes: list[Outcome]) -> str:
    """The page with each expectation replaced by what the command printed."""
    lines = page.splitlines()
    for outcome in reversed(outcomes):
        command = outcome.command
        if not outcome.is_as_expected() and "..." not in map(str.strip, command.expected):
            start = command.line - 1
            printed = [(" " * command.indent + line).rstrip() for line in outcome.printed]
            lines[start : start + len(command.expected)] = printed
    return "".join(line + "\n" for line in lines)


def _write(pages: list[Path]) -> None:
    for page in pages:
        with tempfile.TemporaryDirectory() as folder:
            outcomes = run_page(page, Path(folder))
        page.write_text(with_real_output(page.read_text(), outcomes))


if __name__ == "__main__":
    if sys.argv[1:2] != ["--write"]:
        sys.exit(__doc__)
    _write([Path(name).resolve() for name in sys.argv[2:]])
