"""Tuners and Dask workers are killed at random moments, twenty times in all.

Everything is real: ``loopwright tune`` in processes of its own, SQLite, Dask, gcc.  What can be
said about a search that was killed, on a machine that does other things as well?

- Which candidates there are, their texts and what became of them do not depend on times here:
  the kernel has four orders, and with ``--candidates 6`` these are tried beside the original and
  what ``optimize`` makes.  So they have to be the same as in a run that nobody has disturbed.
  Which of two candidates with one text is the first one is decided by who is ready first, and is
  not compared.
- Times are noise, but not all of it.  The original goes through its arrays by columns, 1024 bytes
  from one element to the next, and so do two of the orders; the others go by rows and take about
  half the time or less.  The *set* of versions that are much faster than the original is the same
  in all runs, and the winner is one of them; which one it is, noise may decide.
- What was in the store stays there as it was, and nothing is in it twice.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import sleep

import pytest

from loopwright.tuning.candidates import Candidate
from loopwright.tuning.store import FOUND, SAME, Run, Trial, opened
from tests.tuning.clusters import Nursery
from tests.tuning.steps import processes, wait_until

KERNEL = """
void kernel(int n, double A[n][n], double B[n][n]) {
#pragma scop
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      A[i][j] = B[i][j];
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      B[i][j] = A[i][j];
#pragma endscop
}
"""
KILLS = 10
MUCH_FASTER = 0.7
OPTIONS = "--candidates=6 --size=n=128 --threads=1 --cflags=-O1 --budget=20m --quiet".split()


class Bench:
    """A folder with a kernel and a store, and tuners that work there."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.store = folder, folder / "store"
        self.temporary = folder / "temporary"
        self.temporary.mkdir(parents=True)
        (folder / "kernel.c").write_text(KERNEL)
        self.kept: dict[int, list[Trial]] = {}

    def command(self, *more: str) -> list[str]:
        files = ["kernel.c", f"--store={self.store}", "-o", str(self.folder / "best.c")]
        return [sys.executable, "-m", "loopwright.cli", "tune", *files, *OPTIONS, *more]

    @contextmanager
    def tuner(self, *more: str) -> Iterator[subprocess.Popen[str]]:
        """A tuner at work, in a group of its own."""
        process = subprocess.Popen(
            self.command(*more),
            cwd=self.folder,
            env={**os.environ, "TMPDIR": str(self.temporary)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            wait_until(lambda: not processes(str(self.folder)))

    def finished(self, *more: str) -> None:
        """A tuner does its work to the end, and says nothing."""
        with self.tuner(*more) as process:
            assert process.communicate(timeout=300) == ("", "")
            assert process.returncode == 0

    def count(self) -> int:
        """How many trials there are."""
        if not self.store.exists():
            return 0
        with closing(sqlite3.connect(self.store, timeout=30.0)) as connection:
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if not tables:
                return 0
            return connection.execute("SELECT count(*) FROM trials").fetchone()[0]

    def require_whole(self) -> None:
        """All that was in the store is there as it was, and once."""
        if not self.store.exists():
            return
        with closing(sqlite3.connect(self.store)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for run, trials in self.runs():
            before = self.kept.get(run.number, [])
            assert trials[: len(before)] == before
            names = [(each.candidate.key, each.rung) for each in trials]
            assert len(set(names)) == len(names)
            self.kept[run.number] = trials

    def runs(self) -> list[tuple[Run, list[Trial]]]:
        with closing(opened(self.store)) as store:
            return [(run, store.trials(run)) for run in store.runs()]


def verdicts(trials: list[Trial]) -> dict[str, tuple[str, str]]:
    """What became of each candidate, and the digest of its text."""
    made = [each for each in trials if each.rung == 0]
    assert all(each.status in (FOUND, SAME) for each in made), made
    return {each.candidate.key: (FOUND, each.text) for each in made}


def fast_texts(trials: list[Trial]) -> set[str]:
    """The texts that are much faster than the original."""
    texts = {each.candidate.key: each.text for each in trials if each.rung == 0}
    (original,) = {each.candidate.key for each in trials if each.candidate.label == "original"}
    best: dict[str, float] = {}
    for each in trials:
        if each.times:
            key = each.candidate.key
            best[key] = min(*each.times, best.get(key, each.times[0]))
    return {texts[key] for key, time in best.items() if time < MUCH_FASTER * best[original]}


def winner(run: Run, trials: list[Trial]) -> str:
    """The text of the best candidate."""
    assert run.ended is not None
    (found,) = {each.text for each in trials if each.candidate.key == run.best and not each.rung}
    return found


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    bench = Bench(tmp_path_factory.mktemp("undisturbed"))
    bench.finished()
    return bench


@pytest.fixture(scope="module")
def undisturbed_run(undisturbed: Bench) -> tuple[Run, list[Trial]]:
    ((run, trials),) = undisturbed.runs()
    assert len(verdicts(trials)) == 6
    assert winner(run, trials) in fast_texts(trials)
    return run, trials


def require_same(bench: Bench, expected: tuple[Run, list[Trial]]) -> None:
    """Each run of a bench has come to the same end as one that nobody has disturbed."""
    bench.require_whole()
    for run, trials in bench.runs():
        assert verdicts(trials) == verdicts(expected[1])
        assert fast_texts(trials) == fast_texts(expected[1])
        assert winner(run, trials) in fast_texts(expected[1])
        assert winner(*expected) in fast_texts(trials)


def test_a_search_that_is_taken_up_goes_the_same_way(
    tmp_path: Path, undisturbed: Bench, undisturbed_run: tuple[Run, list[Trial]]
) -> None:
    """A run that lacks nothing but its end: nothing is tried again, and the end is the same.

    Of the two candidates with one text, the one that is asked for later was ready first.
    """
    run, trials = undisturbed_run
    first, later = twins(trials)
    bench = Bench(tmp_path / "bench")
    shutil.copyfile(undisturbed.store, bench.store)
    with closing(sqlite3.connect(bench.store)) as connection, connection:
        swap = "UPDATE trials SET candidate = ?, document = ?, label = ? WHERE candidate = ?"
        documents = [json.dumps(each.document(), sort_keys=True) for each in (first, later)]
        connection.execute(swap, ("", documents[1], later.label, first.key))
        connection.execute(swap, (first.key, documents[0], first.label, later.key))
        connection.execute("UPDATE trials SET candidate = ? WHERE candidate = ''", (later.key,))
        connection.execute("UPDATE runs SET ended = NULL, best = NULL, gain = NULL")
    ((_, before),) = bench.runs()
    bench.finished("--resume")
    ((again, after),) = bench.runs()
    assert after == before
    assert again.gain == run.gain
    assert winner(again, after) == winner(run, trials)


def twins(trials: list[Trial]) -> tuple[Candidate, Candidate]:
    """What ``optimize`` makes, and the order with the same text; the first one was timed."""
    labels = {each.candidate.label: each for each in trials if each.rung == 0}
    optimize = labels["optimize"]
    (other,) = [each for each in labels.values() if each.text == optimize.text and each != optimize]
    found = optimize.candidate, other.candidate
    return found if optimize.status == FOUND else (found[1], found[0])


def wait_for_more(
    bench: Bench, process: subprocess.Popen[str], chance: random.Random, choices: list[int]
) -> None:
    """Wait for a random moment of the work, which is not one of the clock."""
    wanted = bench.count() + chance.choice(choices)
    wait_until(lambda: process.poll() is not None or bench.count() >= wanted, 300.0, 0.05)
    sleep(chance.uniform(0.0, 0.3))


def test_a_tuner_is_killed(tmp_path: Path, undisturbed_run: tuple[Run, list[Trial]]) -> None:
    bench, chance = Bench(tmp_path / "bench"), random.Random(2011)
    kills, is_done = 0, True
    while kills < KILLS:
        with bench.tuner(*([] if is_done else ["--resume"])) as process:
            wait_for_more(bench, process, chance, [0, 1, 1, 2, 3])
            is_done = process.poll() is not None
            if not is_done:
                os.killpg(process.pid, signal.SIGKILL)
                kills += 1
        bench.require_whole()
    bench.finished("--resume")
    require_same(bench, undisturbed_run)
    assert list(bench.temporary.glob("loopwright-steps-*")) == []


def test_workers_are_killed(
    tmp_path: Path,
    undisturbed_run: tuple[Run, list[Trial]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    bench, chance = Bench(tmp_path / "bench"), random.Random(1995)
    kills = 0
    with Nursery(tmp_path_factory.mktemp("dask")) as nursery:
        address, _ = nursery.scheduler()
        _, worker = nursery.worker(address)
        while kills < KILLS:
            with bench.tuner(f"--cluster={address}") as process:
                while kills < KILLS and process.poll() is None:
                    wait_for_more(bench, process, chance, [1, 2])
                    last = worker
                    worker = killed_and_replaced(last, lambda: nursery.worker(address), chance)
                    kills += process.poll() is None
                    bench.require_whole()
                assert process.communicate(timeout=300) == ("", "")
                assert process.returncode == 0
    require_same(bench, undisturbed_run)


def killed_and_replaced(
    worker: int, start: Callable[[], tuple[str, int]], chance: random.Random
) -> int:
    """Kill a worker before or after another one joins."""
    is_first = chance.random() < 0.5
    if is_first:
        os.kill(worker, signal.SIGKILL)
    _, other = start()
    if not is_first:
        os.kill(worker, signal.SIGKILL)
    return other


def test_a_full_disk_costs_candidates_and_not_the_run(tmp_path: Path) -> None:
    """The disk has room for the programs of the original, and not for those of all others."""
    bench = Bench(tmp_path / "bench")
    inside = 'mount -t tmpfs -o size=160k none "$0" && exec "$@"'
    own_disk = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", inside]
    if subprocess.run([*own_disk, bench.temporary, "true"], capture_output=True).returncode:
        pytest.skip("this system gives nobody a disk")
    command = [*own_disk, str(bench.temporary), *bench.command()]
    environment = {**os.environ, "TMPDIR": str(bench.temporary)}
    said = subprocess.run(
        command, capture_output=True, text=True, cwd=bench.folder, env=environment
    )
    assert (said.stdout, said.stderr, said.returncode) == ("", "", 0)
    ((run, trials),) = bench.runs()
    assert run.ended is not None
    assert "No space left on device" in " ".join(each.reason for each in trials)
    assert (bench.folder / "best.c").exists()
