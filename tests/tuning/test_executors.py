"""Steps that crash, hang, or take everything: each costs itself, and leaves nothing behind."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import monotonic

import pytest

from loopwright.tuning.executors import LATE, LocalPool
from loopwright.tuning.sharing import Scratch, machine_lock
from loopwright.tuning.versions import Failure
from tests.tuning.steps import (
    PLENTY,
    a_file,
    crashing,
    greedy,
    hanging,
    leaving,
    marked,
    nested,
    not_to_be_run,
    number,
    on_a_full_disk,
    processes,
    running,
    span,
    unspeakable,
    wait_until,
    wasteful,
    without_a_header,
)


@pytest.fixture(autouse=True)
def own_machine(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tuners are elsewhere: no test waits for them."""
    place = str(tmp_path_factory.mktemp("machine"))
    monkeypatch.setenv("TMPDIR", place)
    monkeypatch.setattr(tempfile, "tempdir", place)


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[LocalPool]:
    with LocalPool(2, tmp_path) as pool:
        yield pool


def answer_of(pool: LocalPool, step: object, seconds: float = PLENTY) -> object:
    return dict(pool.run([step], seconds))[0]  # type: ignore[list-item]


# --- answers ---


@pytest.mark.parametrize("alone", [False, True])
def test_each_step_is_answered_once(pool: LocalPool, alone: bool) -> None:
    steps = [partial(number, each) for each in range(7)]
    assert sorted(pool.run(steps, PLENTY, alone=alone)) == [(each, each) for each in range(7)]


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (crashing, "the process that worked on it was ended by SIGSEGV"),
        (on_a_full_disk, "no space left on device"),
        (nested, "it is nested too deeply"),
        (not_to_be_run, "it cannot"),
        (without_a_header, "'mine.h' file not found"),
    ],
)
def test_what_goes_wrong_is_a_failure_of_one_step(
    pool: LocalPool, step: object, reason: str
) -> None:
    found = dict(pool.run([step, partial(number, 1)], PLENTY))  # type: ignore[list-item]
    assert found == {0: Failure(reason), 1: 1}


def test_an_answer_that_cannot_be_told_is_our_mistake(pool: LocalPool) -> None:
    found = answer_of(pool, unspeakable)
    assert isinstance(found, Failure)
    assert found.reason.startswith("a mistake in loopwright: ")


@pytest.mark.parametrize(
    ("step", "limit", "reason"),
    [
        (greedy, (resource.RLIMIT_AS, 2**27), "it took more memory than there is"),
        (wasteful, (resource.RLIMIT_FSIZE, 2**20), "the program was ended by SIGXFSZ"),
    ],
)
def test_what_takes_all_is_stopped(
    pool: LocalPool, step: object, limit: tuple[int, int], reason: str
) -> None:
    what, more = limit
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    most = more + (taken if what == resource.RLIMIT_AS else 0)
    before = resource.getrlimit(what)
    resource.setrlimit(what, (most, before[1]))
    try:
        assert answer_of(pool, step) == Failure(reason)
    finally:
        resource.setrlimit(what, before)


# --- ends ---


def test_what_hangs_is_ended_with_all_that_it_has_started(tmp_path: Path) -> None:
    with LocalPool(1, tmp_path) as pool:
        assert answer_of(pool, hanging, 0.5) == LATE
    assert processes(marked(tmp_path)) == []


def test_a_step_that_takes_too_long_does_not_take_the_time_of_others(tmp_path: Path) -> None:
    with LocalPool(1, tmp_path) as pool:
        found = dict(pool.run([running, partial(number, 1)], PLENTY, each=0.3))
    assert found == {0: Failure("it took more than 0.3 seconds"), 1: 1}
    assert processes(marked(tmp_path)) == []


def test_what_a_program_leaves_running_ends_with_its_step(pool: LocalPool, tmp_path: Path) -> None:
    assert answer_of(pool, leaving) == 7
    assert processes(marked(tmp_path)) == []


def test_a_step_that_is_ended_removes_its_files(tmp_path: Path) -> None:
    with LocalPool(1, tmp_path) as pool:
        assert answer_of(pool, a_file, 0.5) == LATE
    assert not Path((tmp_path / "scratch").read_text()).exists()


def test_no_time_at_all_is_no_start(pool: LocalPool, tmp_path: Path) -> None:
    assert dict(pool.run([running, running], 0.0)) == {0: LATE, 1: LATE}
    assert not (tmp_path / "running").exists()


def test_whoever_stops_asking_ends_the_work(pool: LocalPool, tmp_path: Path) -> None:
    answers = pool.run([partial(number, 1), running], PLENTY)
    assert next(answers) == (0, 1)
    wait_until(lambda: processes(marked(tmp_path)))
    answers.close()  # type: ignore[attr-defined]
    assert processes(marked(tmp_path)) == []


TUNER = """
    import sys
    from pathlib import Path
    from loopwright.tuning.executors import LocalPool
    from tests.tuning.steps import hanging, running

    with LocalPool(3, Path(sys.argv[1])) as pool:
        try:
            for _ in pool.run([running, running, hanging], 1000.0):
                pass
        except KeyboardInterrupt:
            print("interrupted")
"""


@pytest.mark.parametrize("ended_by", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_survives_the_tuner(
    tmp_path: Path, project_root: Path, ended_by: signal.Signals
) -> None:
    tuner = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(TUNER), str(tmp_path)],
        cwd=project_root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
        # Whoever runs the tests in the background has told them to ignore interrupts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        wait_until(lambda: len(processes(marked(tmp_path))) >= 3)
        os.killpg(tuner.pid, ended_by)
        printed, complaint = tuner.communicate(timeout=60)
    finally:
        tuner.kill()
        tuner.communicate()
    assert (printed, complaint) == ("interrupted\n" if ended_by == signal.SIGINT else "", "")
    wait_until(lambda: not processes(marked(tmp_path)))


# --- what processes share ---


def test_a_folder_that_was_left_behind_is_removed(tmp_path: Path) -> None:
    script = "import os; from loopwright.tuning.sharing import Scratch; print(Scratch().path)"
    place = {**os.environ, "TMPDIR": str(tmp_path)}
    first, second = (
        subprocess.run(
            [sys.executable, "-c", f"{script}; os._exit(0)"],
            env=place,
            text=True,
            capture_output=True,
            check=True,
        ).stdout.strip()
        for _ in range(2)
    )
    assert [str(each) for each in tmp_path.iterdir()] == [second]
    assert first != second


def test_a_folder_in_use_is_nobody_elses() -> None:
    first, second = Scratch(), Scratch()
    assert first.path.exists()
    first.close()
    second.close()
    assert not first.path.exists()
    assert not second.path.exists()


def spans(pool: LocalPool, *, alone: bool) -> list[tuple[float, float]]:
    found = [answer for _, answer in pool.run([span] * 4, PLENTY, alone=alone)]
    assert all(isinstance(each, tuple) for each in found)
    return found  # type: ignore[return-value]


def test_a_step_alone_is_alone_on_the_machine(tmp_path: Path) -> None:
    """Another tuner keeps the machine busy without a pause, and has to give way."""
    other = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(BUSY), str(tmp_path)],
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "begun\n"
    with LocalPool(1, tmp_path) as pool:
        alone = spans(pool, alone=True)
    theirs, _ = other.communicate("\n")
    beside = [tuple(map(float, line.split())) for line in theirs.splitlines()]
    assert beside
    assert beside[-1][0] > alone[0][0]
    for start, end in alone:
        assert all(their_end <= start or their_start >= end for their_start, their_end in beside)


BUSY = """
    import sys
    from functools import partial
    from itertools import chain, repeat
    from pathlib import Path
    from select import select
    from loopwright.tuning.executors import LocalPool
    from tests.tuning.steps import span

    with LocalPool(3, Path(sys.argv[1])) as pool:
        told = False
        found = []
        for _, answer in pool.run([span] * 1000, 60.0):
            found.append(answer)
            if not told:
                print("begun", flush=True)
                told = True
            if select([sys.stdin], [], [], 0)[0]:
                break
    for start, end in found:
        print(start, end)
"""


def test_nobody_waits_forever_for_the_machine() -> None:
    with machine_lock(alone=True):
        start = monotonic()
        with machine_lock(alone=False, seconds=0.05):
            assert monotonic() - start >= 0.05
