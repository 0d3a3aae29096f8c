"""Ctrl-C: the command ends with status 130, says nothing more, and leaves every file as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.cli.running import PRODUCT

SECONDS = 30
TWICE = """\
void twice(int n, double A[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    Twice: A[i] = 2 * A[i];
#pragma endscop
}
"""
SMALLEST_PIPE = 4096


@contextmanager
def started(folder: Path, *arguments: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """The command in a group of its own, as a terminal starts it; its pipes hold one page."""
    with subprocess.Popen(
        [sys.executable, "-m", "loopwright.cli", *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pipesize=SMALLEST_PIPE,
        start_new_session=True,
        preexec_fn=_listen_to_signals,
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def _listen_to_signals() -> None:
    """Whoever runs the tests in the background, or by nohup, has told them to ignore these."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def interrupted(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """What else the command prints when Ctrl-C reaches it and its children."""
    wait_until_asleep(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    # Nobody reads what it prints before it has ended.
    assert process.wait(SECONDS) == 130
    output, errors = process.communicate()
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    return output, errors


def wait_until_asleep(process: int) -> None:
    """A signal that comes just before Python goes to sleep is noticed only when it wakes up."""
    status = Path(f"/proc/{process}/stat")
    limit = monotonic() + SECONDS
    while status.exists() and status.read_text().rpartition(") ")[2][0] != "S":
        assert monotonic() < limit, "it does not wait for anything"
        sleep(0.01)


def wait_for_reader(pipe: Path) -> int:
    """The end to write to, as soon as somebody has opened the other one."""
    limit = monotonic() + SECONDS
    while monotonic() < limit:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            sleep(0.01)
    pytest.fail("nobody reads")


@pytest.fixture(name="folder")
def prepared(tmp_path: Path) -> Path:
    (tmp_path / "twice.c").write_text(TWICE)
    (tmp_path / "twice.loopy").write_text(400 * "reverse(Twice, 1)\n")
    (tmp_path / "new.c").write_text("old\n")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ("model", "pipe.c"),
        ("optimize", "pipe.c"),
        ("script", "pipe.c", "twice.loopy"),
        ("script", "twice.c", "pipe.c"),
    ],
    ids=" ".join,
)
def test_while_the_input_is_read(folder: Path, arguments: tuple[str, ...]) -> None:
    os.mkfifo(folder / "pipe.c")
    before = sorted(folder.iterdir())
    with started(folder, *arguments, "-o", "new.c") as process:
        source = wait_for_reader(folder / "pipe.c")
        assert interrupted(process) == (b"", b"")
        os.close(source)
    assert (folder / "new.c").read_text() == "old\n"
    assert sorted(folder.iterdir()) == before


WAITING = """
import sys

class Waiting:
    def find_spec(self, name, *_):
        if name == "loopwright.cli.commands":
            open("pipe").read()

sys.meta_path.insert(0, Waiting())
"""
"""Python runs this when it starts."""


def test_while_the_commands_are_loaded(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    (folder / "sitecustomize.py").write_text(WAITING)
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    with started(folder, "optimize", "twice.c", PYTHONPATH=path) as process:
        pipe = wait_for_reader(folder / "pipe")
        assert interrupted(process) == (b"", b"")
        os.close(pipe)


def test_while_a_child_works(folder: Path) -> None:
    """The child tells of more steps than the pipe holds, so that it cannot be done."""
    before = sorted(folder.iterdir())
    with started(folder, "script", "--step", "twice.c", "twice.loopy", "-o", "new.c") as process:
        assert process.stderr is not None
        assert process.stderr.readline() == b"after reverse on line 1:\n"
        output, errors = interrupted(process)
    assert output == b""
    assert b"on line 400" not in errors
    assert b"Traceback" not in errors
    assert (folder / "new.c").read_text() == "old\n"
    assert sorted(folder.iterdir()) == before


def test_while_a_child_prints(folder: Path) -> None:
    """The program is larger than the pipe, so that it is never all printed."""
    rest = 1000 * b"// this line is for the reader only\n"
    (folder / "large.c").write_bytes(PRODUCT + rest)
    with started(folder, "optimize", "--no-reschedule", "-q", "large.c") as process:
        assert process.stdout is not None
        assert process.stdout.read(1) == b"v"
        output, errors = interrupted(process)
    assert errors == b""
    assert len(output) < len(rest)
