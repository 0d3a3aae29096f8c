"""Steps that crash, hang, or take everything, and what is left of them.

They run in processes that load nothing else of the tests.
"""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

from loopwright.tuning.problems import Source
from loopwright.tuning.toolchain import CannotRun, output_of

PLENTY = 300.0
ENDLESS = ["sh", "-c", "sleep 1000 & sleep 1000"]


def number(value: int, _folder: Path) -> int:
    return value


def crashing(_folder: Path) -> int:
    os.kill(os.getpid(), signal.SIGSEGV)
    return 0


def hanging(folder: Path) -> int:
    """Neither signals nor the interpreter end this one: they wait for what is in C."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    return running(folder)


def running(folder: Path) -> int:
    """A program that has started another one, as a compiler does."""
    (folder / "running").write_text(str(os.getpid()))
    output_of([*ENDLESS, marked(folder)], 1000.0, "the program")
    return 0


def leaving(folder: Path) -> int:
    """A program that goes on behind the back of whoever started it."""
    script = f"setsid sh -c 'sleep 1000; : {marked(folder)}' >/dev/null 2>&1 </dev/null &"
    output_of(["sh", "-c", script], 10.0, "the program")
    return 7


def greedy(_folder: Path) -> int:
    """Real memory, until there is no more."""
    taken: list[bytearray] = []
    while True:
        taken.append(bytearray(2**24))


def wasteful(folder: Path) -> int:
    """A program that writes until it may not."""
    file = folder / "large"
    output_of(["dd", "if=/dev/zero", f"of={file}", "bs=1M", "count=4096"], 60.0, "the program")
    return 0


def on_a_full_disk(_folder: Path) -> int:
    Path("/dev/full").write_text("something")
    return 0


def unspeakable(_folder: Path) -> object:
    return lambda: 0


def nested(_folder: Path) -> int:
    return nested(_folder) + 1


def not_to_be_run(_folder: Path) -> int:
    raise CannotRun("it cannot")


def without_a_header(_folder: Path) -> object:
    """What a text becomes where the files are not that it includes."""
    return Source("kernel.c", b'#include "mine.h"\n').reading()


def a_file(folder: Path) -> str:
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        (folder / "scratch").write_text(scratch)
        output_of([*ENDLESS, marked(folder)], 1000.0, "the program")
    return ""


def span(_folder: Path) -> tuple[float, float]:
    start = monotonic()
    sleep(0.02)
    return start, monotonic()


# --- steps for workers ---


def in_folder(step: object, folder: Path, _own: Path) -> object:
    """A step that leaves its traces where the test looks for them."""
    return step(folder)  # type: ignore[operator]


def surrounding(_folder: Path) -> tuple[str | None, str]:
    return os.environ.get("OMP_NUM_THREADS"), os.getcwd()


def ending_its_worker(folder: Path) -> int:
    """The worker is the parent of the foreman, which is that of the keeper."""
    process = os.getppid()
    for _ in range(2):
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(process, signal.SIGKILL)
    return running(folder)


def once(folder: Path, _own: Path) -> int:
    """It hangs when it is run for the first time."""
    if (folder / "running").exists():
        return 5
    return running(folder)


# --- what is left of them ---


def marked(folder: Path) -> str:
    """A word by which the processes of a test are known."""
    return f"mark-{folder.name}"


def processes(mark: str) -> list[int]:
    found: list[int] = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (each / "cmdline").read_text() and state(each) != "Z":
                found.append(int(each.name))
        except OSError:
            continue
    return found


def state(process: Path) -> str:
    return (process / "stat").read_text().rpartition(")")[2].split()[0]


def wait_until(what: Callable[[], object], seconds: float = 60.0, pause: float = 0.01) -> None:
    end = monotonic() + seconds
    while not what():
        assert monotonic() < end, "it does not come about"
        sleep(pause)
