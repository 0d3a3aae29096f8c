"""``loopwright tune`` as a user calls it, and what ``optimize`` makes of what it has found."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep

import pytest
import typer

from loopwright import InputError
from loopwright import tune as loopwright_tune
from loopwright.cli.files import say_for_now
from loopwright.cli.tuning import seconds_of
from loopwright.tuning.candidates import candidate_from
from tests.cli.running import loopwright, refused
from tests.cli.test_interrupt import started
from tests.tuning.clusters import Nursery
from tests.tuning.tunings import PROGRAM

SOME = ("--size", "n=150", "--budget", "100", "--cflags", "-O1 -fopenmp", "--store", "s.sqlite")
SECONDS = 100


def tune(*arguments: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    return loopwright(*arguments, folder=folder, command="tune", seconds=SECONDS)


@pytest.fixture(scope="module", name="folder")
def tuned_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tuned")
    (folder / "sums.c").write_text(PROGRAM)
    page = ("--html", "page.html", "-o", "new.c")
    done = tune("sums.c", *SOME, "--candidates", "4", *page, folder=folder)
    assert (done.returncode, done.stdout) == (0, b""), done.stderr.decode()
    (folder / "report.txt").write_bytes(done.stderr)
    return folder


def test_it_tells_what_it_has_found(folder: Path) -> None:
    report = (folder / "report.txt").read_text()
    assert "sums  (sums.c, lines 4-9, at n = 150, " in report
    assert re.search(r"^  \d candidates: \d timed", report, re.MULTILINE)
    assert re.search(r"^  original +[\d.]+ .?s$", report, re.MULTILINE)
    assert re.search(r"^  compile it with gcc -O1 -fopenmp", report, re.MULTILINE)
    assert "<html" in (folder / "page.html").read_text()


def test_show(folder: Path) -> None:
    runs = tune("--show", "--store", "s.sqlite", folder=folder)
    assert (runs.returncode, runs.stderr) == (0, b"")
    assert b"sums      sums.c  n = 150" in runs.stdout
    table = tune("--show", "sums.c", "--store", "s.sqlite", folder=folder)
    assert table.returncode == 0
    assert b"over original" in table.stdout
    assert b"original" in table.stdout
    document = json.loads(tune("--show", "--json", "--store", "s.sqlite", folder=folder).stdout)
    assert [each["function"] for each in document["runs"]] == ["sums"]
    nothing = tune("--show", "--store", "none.sqlite", folder=folder)
    assert (nothing.returncode, nothing.stdout) == (0, b"nothing was tuned yet\n")
    assert not (folder / "none.sqlite").exists()


def test_show_names_the_compiler_of_the_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "another")
    shown = tune("--show", "sums.c", "--json", "--store", "s.sqlite", folder=folder)
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert b"gcc -O1 -fopenmp" in shown.stdout
    assert b"another" not in shown.stdout


def test_nobody_reads(folder: Path) -> None:
    with started(folder, "tune", "--show", "--store", "s.sqlite") as process:
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            stream.close()
        assert process.wait(SECONDS) == 141


def test_the_terminal_goes_away(tmp_path: Path) -> None:
    (tmp_path / "sums.c").write_text(PROGRAM)
    with started(tmp_path, "tune", "sums.c", *SOME) as process:
        wait_for_trials(process, tmp_path / "s.sqlite", 1)
        assert process.stderr is not None
        process.stderr.close()
        process.send_signal(signal.SIGHUP)
        assert process.wait(SECONDS) == 129


def test_a_line_of_progress_fits_into_the_terminal(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for columns, shown in ((20, 19), (0, 109), (500, 110)):
        size = os.terminal_size((columns, 24))
        monkeypatch.setattr("os.get_terminal_size", lambda _, size=size: size)
        say_for_now("x" * 300)
        assert capfd.readouterr().err == f"\r\033[K{'x' * shown}\r"


def test_resume_answers_from_the_store(folder: Path) -> None:
    done = tune("sums.c", *SOME, "--candidates", "4", "--resume", "-q", folder=folder)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == (folder / "new.c").read_bytes()


def test_optimize_does_what_was_best(folder: Path) -> None:
    chosen = """UPDATE runs SET gain = 2.5, best = (SELECT candidate FROM trials
        WHERE rung = 0 AND status = 'ok' AND label LIKE 'fusion%' LIMIT 1),
        document = json_replace(document, '$.command', json('["clang"]'))"""
    with closing(sqlite3.connect(folder / "s.sqlite")) as copy, copy:
        other = sqlite3.connect(folder / "chosen.sqlite")
        with closing(other), other:
            copy.backup(other)
            other.execute(chosen)
            ((best,),) = other.execute("SELECT best FROM runs").fetchall()
            ((label, text),) = other.execute(
                "SELECT label, text FROM trials WHERE candidate = ? AND rung = 0", (best,)
            ).fetchall()
    stored = ("--store", "chosen.sqlite")
    done = loopwright("sums.c", *stored, folder=folder)
    told = re.sub(r"\s+", " ", done.stderr.decode())
    date = r"\d{4}-\d\d-\d\d"
    run = rf"as tuned on {date} for n = 150 with \d+ threads? compiled by clang: sums was "
    assert re.search(run, told)
    assert f"sums was 2.5 times as fast with {label}" in told
    usual = loopwright("sums.c", *stored, "--no-tuned", folder=folder)
    assert usual.returncode == done.returncode == 0
    assert b"as tuned" not in usual.stderr
    assert hashlib.sha256(done.stdout).hexdigest() == text


def test_what_cannot_be_made_any_more_is_forgotten(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "s.sqlite")) as whole:
        other = sqlite3.connect(folder / "odd.sqlite")
        with closing(other), other:
            whole.backup(other)
            document = json.dumps({"regions": {"0": {"order": "no such order"}}})
            other.execute(
                "UPDATE trials SET document = ? WHERE candidate = (SELECT best FROM runs)",
                (document,),
            )
            key = candidate_from(json.loads(document)).key
            other.execute("UPDATE runs SET best = ?", (key,))
    done = loopwright("sums.c", "--store", "odd.sqlite", folder=folder)
    usual = loopwright("sums.c", "--no-tuned", folder=folder)
    assert (done.returncode, done.stdout) == (0, usual.stdout)
    assert "cannot be made any more: " in done.stderr.decode()


# --- ended before the end -------------------------------------------------------------------------


def rows(store: Path) -> int:
    if not store.exists():
        return 0
    with closing(sqlite3.connect(store)) as known:
        try:
            return known.execute("SELECT count(*) FROM trials").fetchone()[0]
        except sqlite3.OperationalError:
            return 0


def wait_for_trials(process: subprocess.Popen[bytes], store: Path, count: int) -> None:
    limit = monotonic() + SECONDS
    while rows(store) < count and process.poll() is None:
        assert monotonic() < limit
        sleep(0.02)


def test_what_is_known_is_kept(tmp_path: Path) -> None:
    (tmp_path / "sums.c").write_text(PROGRAM)
    store, wanted = tmp_path / "s.sqlite", ("tune", "sums.c", *SOME, "-o", "new.c")
    with started(tmp_path, *wanted) as process:
        wait_for_trials(process, store, 3)
        process.kill()
        process.communicate(timeout=SECONDS)
    killed = rows(store)
    assert not (tmp_path / "new.c").exists()
    with started(tmp_path, *wanted, "--resume") as process:
        wait_for_trials(process, store, killed + 3)
        for _ in range(4):
            # Impatience is no wish to lose what is known.
            process.send_signal(signal.SIGINT)
            sleep(0.03)
        _, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, errors.decode()
    assert b"--resume goes on with it" in errors
    assert b"#pragma scop" in (tmp_path / "new.c").read_bytes()
    interrupted = rows(store)
    again = tune("sums.c", *SOME, "--resume", "--candidates", "3", "-q", folder=tmp_path)
    assert (again.returncode, again.stderr) == (0, b"")
    assert rows(store) >= interrupted >= killed + 3
    with closing(sqlite3.connect(store)) as known:
        assert known.execute("SELECT count(*), count(ended) FROM runs").fetchone() == (1, 1)


def test_what_is_known_is_kept_where_a_cluster_is_gone(tmp_path: Path) -> None:
    (tmp_path / "sums.c").write_text(PROGRAM)
    places = ("--html", "page.html", "-o", "new.c")
    (tmp_path / "dask").mkdir()
    with Nursery(tmp_path / "dask") as nursery:
        address, scheduler = nursery.scheduler()
        nursery.worker(address)
        with started(tmp_path, "tune", "sums.c", *SOME, *places, "--cluster", address) as process:
            wait_for_trials(process, tmp_path / "s.sqlite", 5)
            os.kill(scheduler, signal.SIGKILL)
            _, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, errors.decode()
    assert b"the search ends here: " in errors
    assert b"#pragma scop" in (tmp_path / "new.c").read_bytes()
    assert "<html" in (tmp_path / "page.html").read_text()


STRUCTURED = """
struct grid { int n; };
void scale(struct grid *grid, int n, double a[n][n])
{
#pragma scop
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] *= 2.0;
#pragma endscop
}
"""


def test_a_function_that_cannot_be_called_is_optimized(tmp_path: Path) -> None:
    (tmp_path / "both.c").write_text(PROGRAM + STRUCTURED)
    done = tune("both.c", *SOME, "--candidates", "2", folder=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    assert b"scale is not tuned but optimized: scale cannot be called: nobody knows" in done.stderr
    assert b"#pragma omp" in done.stdout.partition(b"void scale")[2]


def test_a_compiler_without_its_library_of_openmp(tmp_path: Path) -> None:
    (tmp_path / "sums.c").write_text(PROGRAM)
    compiler = tmp_path / "cc"
    compiler.write_text(
        """#!/bin/sh
case "$*" in *fopenmp*) echo '/usr/bin/ld: cannot find -lomp' >&2; exit 1;; esac
exec gcc "$@"
"""
    )
    compiler.chmod(0o755)
    done = tune("sums.c", "--cc", str(compiler), "--store", "s.sqlite", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"LW605" in done.stderr
    assert b"hint: install this compiler's library of OpenMP" in done.stderr


def test_in_python_the_mistakes_are_the_same(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"LW605.*scale cannot be called"):
        loopwright_tune(STRUCTURED, budget=5)
    (tmp_path / "s.sqlite").write_text("not a store at all, whatever its name says" * 100)
    with pytest.raises(InputError, match=r"s\.sqlite.*LW606"):
        loopwright_tune(PROGRAM, budget=5, store=tmp_path / "s.sqlite")


# --- odd options ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("sums.c", "--budget", "soon"), "write it as 90s, 5m or 1h"),
        ((), "there is no file to tune"),
        (("--show", "--resume"), "--resume would do nothing with --show"),
        (("--show", "--cc", "clang"), "--cc would do nothing with --show"),
        (("sums.c", "-o", "x", "--html", "./x"), "--html x is the file of -o"),
        (("sums.c", "--html", "link.c"), "--html link.c is the file of the program"),
        (("sums.c", "--store", "sums.c"), "--store sums.c is the file of the program"),
        (("sums.c", "--store", "x", "-o", "x-wal"), "--store x-wal is the file of -o"),
        (("sums.c", "--in-place", "--html", "sums.c"), "--html sums.c is the file of"),
        (("sums.c", "--size", "n=4,n=5"), "n is there twice"),
        (("sums.c", "--size", "n=-4"), "hint: name others with --size"),
        (("sums.c", "--size", "n=1000000"), "hint: name smaller sizes with --size"),
        (("sums.c", "--cc", ""), "--cc names no compiler"),
        (("sums.c", "--cc", "true"), "true says that it compiles, and makes no program"),
        (("sums.c", "--size", "m=4"), "--size names m"),
        (("sums.c", "--cc", "no-such-compiler"), "there is no compiler no-such-compiler"),
        (("sums.c", "-o", "none/new.c"), "none/new.c:1:1: LW107: cannot write the file: no such"),
        (("sums.c", "--html", "."), "LW107: cannot write the file: is a directory"),
    ],
)
def test_odd_options_are_refused(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    (tmp_path / "sums.c").write_text(PROGRAM)
    (tmp_path / "link.c").symlink_to("sums.c")
    done = refused(*arguments, folder=tmp_path, command="tune")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Traceback" not in done.stderr
    assert words in done.stderr.decode()
    assert {each.name for each in tmp_path.iterdir()} == {"sums.c", "link.c"}
    assert (tmp_path / "sums.c").read_text() == PROGRAM


@pytest.mark.parametrize(
    "text", ["", "0", "-5m", "5 minutes", "1e9", "9999999h", "٣m", "inf", "nan"]
)
def test_odd_budgets_are_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="write it as 90s"):
        seconds_of(text)


def test_no_command_loads_the_tuner_before_it_is_asked_for() -> None:
    program = """
import sys
from loopwright.cli.commands import app
print([each for each in sys.modules if "sqlite" in each or each.startswith("loopwright.tuning")])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout == b"[]\n"
