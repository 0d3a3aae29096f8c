"""The store: it survives whoever writes to it, and says what is wrong with a file that is none."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from loopwright.tuning.candidates import Candidate, Choice, every
from loopwright.tuning.store import (
    APPLICATION,
    CRASHED,
    SCHEMA,
    Run,
    Store,
    StoreProblem,
    Trial,
    opened,
)
from tests.tuning.steps import wait_until

DOCUMENT: dict[str, Any] = {
    "source": "abc",
    "function": "f",
    "regions": [0],
    "machine": {"cores": 2},
    "processor": "",
    "compiler": "gcc",
    "flags": [],
    "sizes": {},
    "threads": 2,
}
BASELINE: dict[str, Any] = {"times": [0.5, 0.25]}
TILED = Candidate(((0, Choice("source", (8, 8))),), ("-O2",))
TRIALS = [
    Trial(every([0], "original"), 0, text="d1"),
    Trial(TILED, 0, CRASHED, "it took too long"),
    Trial(TILED, 3, times=(0.5, 0.25), beside=(0.125, 1e-9)),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "tuning.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = opened(path)
    yield store
    store.close()


def reason_of(path: Path, *, only_reading: bool = False) -> str:
    with pytest.raises(StoreProblem) as problem:
        opened(path, only_reading=only_reading).close()
    return problem.value.reason


# --- what is kept ---


def test_what_is_kept_is_found_again(store: Store, path: Path) -> None:
    run = store.begin("kernel.c", DOCUMENT, BASELINE)
    store.add(run, TRIALS)
    store.keep_text("d1", b"int x;\n")
    store.end(run, TILED.key, 2.5, 1.25)
    for again in (opened(path), opened(path, only_reading=True)):
        with closing(again):
            found = again.latest(DOCUMENT)
            assert found is not None
            assert again.trials(found) == TRIALS
            assert again.text("d1") == b"int x;\n"
            assert (found.best, found.gain, found.over_optimize) == (TILED.key, 2.5, 1.25)
            assert (found.function, found.document, found.baseline) == ("f", DOCUMENT, BASELINE)
            assert again.latest({**DOCUMENT, "threads": 3}) is None
            assert again.text("d2") is None


def test_a_trial_is_kept_once(store: Store) -> None:
    run, other = (store.begin("kernel.c", DOCUMENT, BASELINE) for _ in range(2))
    first, second = Trial(TILED, 0, reason="first"), Trial(TILED, 0, reason="second")
    store.add(run, [first])
    store.add(run, [second, Trial(TILED, 1)])
    store.add(other, [second])
    assert store.trials(run) == [first, Trial(TILED, 1)]
    assert store.trials(other) == [second]
    assert [each.number for each in store.runs("abc")] == [other.number, run.number]


def test_all_trials_or_none(store: Store) -> None:
    run = store.begin("kernel.c", DOCUMENT, BASELINE)
    with pytest.raises(StoreProblem):
        store.add(run, [TRIALS[0], Trial(TILED, 0, status=None)])  # type: ignore[arg-type]
    assert store.trials(run) == []


# --- several processes ---


WRITER = """
    import json
    import sys
    from pathlib import Path
    from loopwright.tuning.candidates import every
    from loopwright.tuning.store import Trial, opened

    print("ready", flush=True)
    sys.stdin.readline()
    store = opened(Path(sys.argv[1]))
    run = store.begin("kernel.c", json.loads(sys.argv[2]), {})
    for at in range(int(sys.argv[3])):
        trials = [Trial(every([at], name), 0, text=name) for name in ("original", "optimize")]
        store.keep_text(str(at), bytes(1000))
        store.add(run, trials)
        print(at, flush=True)
"""


def writer(path: Path, count: int) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WRITER), path, json.dumps(DOCUMENT), str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_two_tuners_begin_a_store_at_once(path: Path) -> None:
    writers = [writer(path, 40) for _ in range(2)]
    for each in writers:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    for each in writers:
        each.communicate()
        assert each.returncode == 0
    with closing(opened(path)) as store:
        assert [len(store.trials(run)) for run in store.runs()] == [80, 80]


def test_who_writes_is_killed(path: Path) -> None:
    """What was told to be kept is there, and nothing is there by halves."""
    process = writer(path, 100_000)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    told = [process.stdout.readline() for _ in range(50)]
    os.kill(process.pid, signal.SIGKILL)
    told += process.stdout.readlines()
    process.communicate()
    last = max(int(each) for each in told if each.endswith("\n"))
    assert integrity(path) == "ok"
    with closing(opened(path)) as store:
        (run,) = store.runs()
        assert len(store.trials(run)) in (2 * (last + 1), 2 * (last + 2))


def integrity(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchone()[0]


# --- what is no store ---


def test_what_cannot_be_a_store(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("Not a database, but long enough to be taken for one at first sight.\n" * 20)
    assert reason_of(text) == reason_of(text, only_reading=True) == "it is no store of trials"
    assert text.read_text().startswith("Not a database")
    assert reason_of(tmp_path) == "it is a folder"
    assert reason_of(text / "store") == "its folder is a file"
    assert reason_of(tmp_path / "none", only_reading=True) == "there is no such file"
    assert not (tmp_path / "none").exists()


def test_the_database_of_something_else_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE mine (x)")
    before = path.read_bytes()
    for only_reading in (False, True):
        reason = reason_of(path, only_reading=only_reading)
        assert reason == "it is a database of something else"
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["other.sqlite"]


def test_a_store_of_a_later_version_is_not_touched(store: Store, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    assert reason_of(path) == f"it has the tables of another version: {SCHEMA + 1}, not {SCHEMA}"


def filled(path: Path) -> Run:
    with closing(opened(path)) as store:
        run = store.begin("kernel.c", DOCUMENT, BASELINE)
        store.add(run, [Trial(every([at], "optimize"), 0, reason="x" * 500) for at in range(100)])
        return run


@pytest.mark.parametrize("only_reading", [False, True])
def test_a_store_that_was_cut_off_is_damaged(path: Path, only_reading: bool) -> None:
    filled(path)
    os.truncate(path, 3 * 4096 + 100)
    with pytest.raises(StoreProblem, match=r"^it is damaged$"):
        opened(path, only_reading=only_reading).close()


def test_a_store_with_a_hole_is_damaged(path: Path) -> None:
    run = filled(path)
    content = bytearray(path.read_bytes())
    content[4096:] = bytes(len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(StoreProblem, match=r"^it is damaged$"), closing(opened(path)) as store:
        store.trials(run)


def test_what_another_version_has_written(store: Store, path: Path) -> None:
    run = store.begin("kernel.c", DOCUMENT, BASELINE)
    store.add(run, TRIALS)
    document = '{"regions": {"0": {"order": "source", "colour": "red"}}}'
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE trials SET document = ?", (document,))
    with pytest.raises(StoreProblem, match=r"^what is in it cannot be understood$"):
        store.trials(run)


def test_the_file_of_nothing_becomes_a_store(tmp_path: Path) -> None:
    """As it is left when its making is interrupted."""
    path = tmp_path / "empty"
    path.touch()
    for only_reading in (True, False):
        assert path.stat().st_size == 0
        with closing(opened(path, only_reading=only_reading)) as store:
            assert store.runs() == []
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


# --- places where one may not write ---


READER = """
    import os, sys
    from pathlib import Path
    from loopwright.tuning.store import StoreProblem, opened
    if os.getuid() == 0:
        os.setgroups([])
        os.setuid(65534)
    path = Path(sys.argv[1])
    store = opened(path, only_reading=True)
    print(*[len(store.trials(run)) for run in store.runs()])
    try:
        opened(path)
    except StoreProblem as problem:
        print(problem.reason)
"""


@pytest.mark.parametrize("is_left_open", [False, True])
def test_a_store_in_a_folder_that_cannot_be_written(tmp_path: Path, is_left_open: bool) -> None:
    """Also one that nobody has put in order, since its writer was killed."""
    path = tmp_path / "closed" / "store"
    if is_left_open:
        process = writer(path, 100_000)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n")
        process.stdin.flush()
        while process.stdout.readline() != "9\n":
            pass
        process.kill()
        process.communicate()
        wait_until(lambda: Path(f"{path}-wal").exists())
        Path(f"{path}-shm").unlink()
    else:
        filled(path)
    for each in (path, Path(f"{path}-wal")):
        if each.exists():
            each.chmod(0o444)
    path.parent.chmod(0o555)
    for each in tmp_path.parents:
        if each.name.startswith(("pytest-", "popen-")):
            each.chmod(0o755)
    tmp_path.chmod(0o755)
    try:
        command = [sys.executable, "-c", textwrap.dedent(READER), str(path)]
        said = subprocess.run(command, capture_output=True, text=True)
    finally:
        path.parent.chmod(0o755)
    assert said.stderr == ""
    count, reason = said.stdout.splitlines()
    assert int(count) >= 20 if is_left_open else int(count) == 100
    assert reason == "it cannot be written"


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """A tiny disk of its own, where the system lets one have that."""
    script = """
        from pathlib import Path
        import json, sys
        from loopwright.tuning.candidates import every
        from loopwright.tuning.store import StoreProblem, Trial, opened
        path = Path(sys.argv[1])
        store = opened(path / "store")
        run = store.begin("kernel.c", json.loads(sys.argv[2]), {})
        kept = 0
        try:
            while True:
                store.add(run, [Trial(every([kept], "optimize"), 0, reason="x" * 5000)])
                kept += 1
        except StoreProblem as problem:
            print(problem.reason)
        print(len(store.trials(run)) == kept > 0)
        store.close()
        store = opened(path / "store", only_reading=True)
        print(len(store.trials(run)) == kept)
    """
    inside = 'mount -t tmpfs -o size=512k none "$1" && shift && exec "$@"'
    own_disk = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", inside, "sh"]
    if subprocess.run([*own_disk, tmp_path, "true"], capture_output=True).returncode:
        pytest.skip("this system gives nobody a disk")
    command = [*own_disk, tmp_path, sys.executable, "-c", textwrap.dedent(script), tmp_path]
    said = subprocess.run([*command, json.dumps(DOCUMENT)], capture_output=True, text=True)
    assert (said.stdout, said.stderr) == ("the disk is full\nTrue\nTrue\n", "")
