"""Real Dask clusters for tests: schedulers and workers that are forked from one process.

To load Dask takes a second, so that one process does it, and then becomes as many others as are
wanted; all of them end with whoever has started the first one.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Coroutine
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DEATH_OF_PARENT = 1


class Nursery:
    """A process that others are forked from."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.tuning.clusters", str(folder)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Nursery:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def _told(self, what: str, **how: object) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"what": what, **how}) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def scheduler(self) -> tuple[str, int]:
        """The address of a new scheduler, and its process."""
        found = self._told("scheduler")
        return found["address"], found["process"]

    def worker(self, scheduler: str, **how: object) -> tuple[str, int]:
        """The address of a new worker, when it has joined, and its process.

        ``threads`` is how many tasks it takes, ``path`` where it finds programs, and ``cores``
        how many it may use.
        """
        found = self._told("worker", scheduler=scheduler, **how)
        return found["address"], found["process"]


# --- in the other processes ---


def main(folder: str) -> None:
    import dask.config
    import distributed  # noqa: F401

    import loopwright.tuning.worker  # noqa: F401

    dask.config.set({"temporary-directory": folder, "distributed.worker.profile.enabled": False})
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        ours, theirs = os.pipe()
        process = os.fork()
        if process == 0:
            ctypes.CDLL(None).prctl(DEATH_OF_PARENT, signal.SIGKILL)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _become(json.loads(line), theirs)
        os.close(theirs)
        with os.fdopen(ours) as told:
            address = told.readline().strip()
        print(json.dumps({"address": address, "process": process}), flush=True)


def _become(wanted: dict[str, Any], told: int) -> None:
    """This process is a scheduler or worker from now on."""
    log = os.open(os.devnull, os.O_RDWR)
    for each in range(3):
        os.dup2(log, each)
    if "path" in wanted:
        os.environ["PATH"] = wanted["path"]
    if "cores" in wanted:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: wanted["cores"]])
    try:
        asyncio.run(_serving(wanted, told))
    finally:
        os._exit(0)


async def _serving(wanted: dict[str, Any], told: int) -> None:
    from distributed import Scheduler, Worker  # type: ignore[attr-defined]

    if wanted["what"] == "scheduler":
        server: Any = Scheduler(host="127.0.0.1", port=0, dashboard=False)
    else:
        server = Worker(wanted["scheduler"], nthreads=wanted.get("threads", 1), dashboard=False)
    await server
    os.write(told, f"{server.address}\n".encode())
    finished: Coroutine[Any, Any, None] = server.finished()
    await finished


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    finally:
        shutil.rmtree(sys.argv[1], ignore_errors=True)
