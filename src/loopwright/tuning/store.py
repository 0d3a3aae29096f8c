"""Where trials are kept: an SQLite database to which each trial is added as soon as it ends.

A run of the tuner belongs to a problem, that is, to all that decides over times: the text and how
it is read, the machine, the compiler, flags, sizes, threads, and the version of loopwright.  A
trial is one candidate on one rung of one run, and there is only one of these.  The database is
written ahead (WAL), so that whoever ends the tuner at any moment leaves it whole.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import zlib
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any, cast
from urllib.parse import quote

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.basics.spans import whole_file
from loopwright.fates import TOO_LATE
from loopwright.targets.machine import Machine
from loopwright.tuning.candidates import Candidate, Choice, candidate_from

APPLICATION = 0x4C6F6F70
SCHEMA = 1
"""Of the tables; a store of a later one is not touched."""
PATIENCE = 30.0
"""Seconds to wait for another process that writes."""
FOUND, SAME, REFUSED, WRONG, CRASHED = "ok", "same", "refused", "wrong", "failed"
"""What became of a trial: done; the text of another candidate; no such version; other results from
a version that was proved; or it was compiled or run in vain."""
LATE = "late"
"""Or nothing yet: the time of its part of the search was over."""
STATUSES = (FOUND, SAME, REFUSED, WRONG, CRASHED, LATE)
SEAL = "seal"
"""In a baseline, what ties it to its regions; stores of earlier versions have none."""
STRANGE = "what is in it cannot be understood"

TABLES = """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    problem TEXT NOT NULL,
    source TEXT NOT NULL,
    function TEXT NOT NULL,
    file TEXT NOT NULL,
    document TEXT NOT NULL,
    baseline TEXT NOT NULL,
    begun TEXT NOT NULL,
    ended TEXT,
    best TEXT,
    gain REAL,
    over_optimize REAL
);
CREATE INDEX runs_of_source ON runs (source);
CREATE TABLE trials (
    run INTEGER NOT NULL REFERENCES runs (id),
    candidate TEXT NOT NULL,
    rung INTEGER NOT NULL,
    document TEXT NOT NULL,
    label TEXT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    times TEXT NOT NULL,
    beside TEXT NOT NULL,
    text TEXT NOT NULL,
    done TEXT NOT NULL,
    UNIQUE (run, candidate, rung)
);
CREATE TABLE texts (digest TEXT PRIMARY KEY, content BLOB NOT NULL);
"""


WORDS = {
    "SQLITE_NOTADB": "it is no store of trials",
    "SQLITE_CORRUPT": "it is damaged",
    "SQLITE_FULL": "the disk is full",
    "SQLITE_READONLY": "it cannot be written",
    "SQLITE_CANTOPEN": "it cannot be written",
    "SQLITE_BUSY": f"another process has kept it for more than {PATIENCE:g} seconds",
    "SQLITE_IOERR": "it cannot be read or written",
    "SQLITE_PROTOCOL": "its file system has no locks",
}
"""What the user is told about the errors of SQLite."""


class StoreProblem(Exception):
    """The store cannot be read or written; the reason completes "because …"."""

    def __init__(self, reason: str) -> None:
        """Keep what the user is told."""
        super().__init__(reason)
        self.reason = reason


def refused_store(path: Path, problem: StoreProblem) -> InputError:
    """A store that cannot be used, as a mistake of the user's."""
    message = f"the store of trials cannot be used: {problem.reason}"
    hint = "name another file with --store"
    return InputError(Diagnostic("LW606", message, whole_file(str(path)), hint))


@record
class Trial:
    """A candidate on a rung: on 0 it was made and checked, on later ones it was timed."""

    candidate: Candidate
    rung: int
    status: str = FOUND
    reason: str = ""
    times: tuple[float, ...] = ()
    beside: tuple[float, ...] = ()
    """Those of the best one until then, which took turns with it."""
    text: str = ""
    """The digest of the program text."""

    @property
    def is_late(self) -> bool:
        """Was there no time for it?  Then it may be tried again."""
        return self.status == LATE or self.reason == TOO_LATE


@record
class Run:
    """A run of the tuner on a problem; ``best`` is the key of a candidate, once there is one."""

    number: int
    file: str
    document: Mapping[str, Any]
    baseline: Mapping[str, Any]
    begun: str
    ended: str | None = None
    best: str | None = None
    gain: float = 1.0
    over_optimize: float = 1.0

    @property
    def function(self) -> str:
        """The function that is tuned."""
        return str(self.document["function"])


def problem_key(document: Mapping[str, Any]) -> str:
    """A name for all that decides over times."""
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


class Store:
    """An open store."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Use a connection to a database that has the tables."""
        self.path = path
        self._connection = connection

    def close(self) -> None:
        """Nothing more is read or written."""
        self._connection.close()

    # --- writing ---

    def begin(self, file: str, document: Mapping[str, Any], baseline: Mapping[str, Any]) -> Run:
        """A new run."""
        values = (
            problem_key(document),
            document["source"],
            document["function"],
            file,
            json.dumps(document, sort_keys=True),
            json.dumps({**baseline, SEAL: _seal(document, baseline)}),
            _now(),
        )
        with self._changing() as connection:
            columns = "problem, source, function, file, document, baseline, begun"
            added = connection.execute(
                f"INSERT INTO runs ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", values
            )
        return Run(added.lastrowid or 0, file, document, baseline, values[-1])

    def add(self, run: Run, trials: Sequence[Trial]) -> None:
        """Keep trials, all of them or none.

        One that is there already stays as it is, unless there was no time for it then.
        """
        rows = [
            (
                run.number,
                each.candidate.key,
                each.rung,
                json.dumps(each.candidate.document(), sort_keys=True),
                each.candidate.label,
                each.status,
                each.reason,
                json.dumps(each.times),
                json.dumps(each.beside),
                each.text,
                _now(),
            )
            for each in trials
        ]
        with self._changing() as connection:
            connection.executemany(
                "DELETE FROM trials WHERE run = ? AND candidate = ? AND rung = ?"
                " AND (status = ? OR reason = ?)",
                [(*row[:3], LATE, TOO_LATE) for row in rows],
            )
            connection.executemany(
                "INSERT INTO trials VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (run, candidate, rung) DO NOTHING",
                rows,
            )

    def keep_text(self, digest: str, content: bytes) -> None:
        """Keep a program text."""
        with self._changing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO texts VALUES (?, ?)", (digest, zlib.compress(content))
            )

    def end(self, run: Run, best: str, gain: float, over_optimize: float) -> None:
        """The run has found its best candidate."""
        with self._changing() as connection:
            connection.execute(
                "UPDATE runs SET ended = ?, best = ?, gain = ?, over_optimize = ? WHERE id = ?",
                (_now(), best, gain, over_optimize, run.number),
            )

    @contextmanager
    def _changing(self) -> Generator[sqlite3.Connection]:
        """All changes at once."""
        try:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
        except sqlite3.Error as error:
            raise _problem(error) from None

    # --- reading ---

    def latest(self, document: Mapping[str, Any]) -> Run | None:
        """The last run on this problem."""
        found = self._runs("WHERE problem = ? ORDER BY id DESC LIMIT 1", problem_key(document))
        return found[0] if found else None

    def runs(self, source: str | None = None) -> list[Run]:
        """All runs, or those on one text, the last one first."""
        if source is None:
            return self._runs("ORDER BY id DESC")
        return self._runs("WHERE source = ? ORDER BY id DESC", source)

    def _runs(self, condition: str, *values: str) -> list[Run]:
        columns = "file, document, baseline, begun, ended, best, gain, over_optimize"
        rows = self._rows(f"SELECT id, function, {columns} FROM runs {condition}", *values)
        with understanding():
            return [_run_from(*row) for row in rows]

    def trials(self, run: Run) -> list[Trial]:
        """The trials of a run, in the order in which they ended."""
        columns = "document, rung, status, reason, times, beside, text"
        condition = "WHERE run = ? ORDER BY rowid"
        rows = self._rows(f"SELECT {columns} FROM trials {condition}", run.number)
        with understanding():
            return [_trial_from(*row) for row in rows]

    def text(self, digest: str) -> bytes | None:
        """A program text that was kept."""
        rows = self._rows("SELECT content FROM texts WHERE digest = ?", digest)
        with understanding():
            return zlib.decompress(rows[0][0]) if rows else None

    def _rows(self, query: str, *values: str | int) -> list[Any]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise _problem(error) from None


def _run_from(
    number: int,
    function: object,
    file: object,
    document: str,
    baseline: str,
    begun: object,
    ended: object,
    best: object,
    gain: object,
    over: object,
) -> Run:
    known, ground = mapping_of(json.loads(document)), mapping_of(json.loads(baseline))
    _require_problem(known)
    require(known["function"] == function)
    seal = ground.pop(SEAL, None)
    require(seal is None or seal == _seal(known, ground))
    return Run(
        number,
        text_of(file),
        known,
        ground,
        text_of(begun),
        None if ended is None else text_of(ended),
        None if best is None else text_of(best),
        _gain_from(gain),
        _gain_from(over),
    )


def _seal(document: Mapping[str, Any], baseline: Mapping[str, Any]) -> str:
    """Another one where the baseline is not that of these regions, or not as it was written.

    No look at it alone tells that a size or a region is missing.
    """
    return problem_key({"of": [document["function"], document["regions"]], "is": baseline})


def _require_problem(document: Mapping[str, Any]) -> None:
    """Has it all that problems have?  Earlier versions did not keep the command."""
    for name in ("source", "function", "processor", "compiler"):
        text_of(document[name])
    for each in (*list_of(document["flags"]), *list_of(document.get("command", []))):
        text_of(each)
    for value in mapping_of(document["sizes"]).values():
        whole_of(value)
    regions = [whole_of(each) for each in list_of(document["regions"])]
    require(bool(regions) and min(regions) >= 0)
    for each in (document["threads"], document.get("depth")):
        require(each is None or whole_of(each) > 0)
    Machine(**document["machine"])


def _gain_from(value: object) -> float:
    """How many times as fast; a run that has not ended knows none."""
    return 1.0 if value is None else positive_of(value)


def _trial_from(
    document: str,
    rung: object,
    status: object,
    reason: object,
    times: str,
    beside: str,
    text: object,
) -> Trial:
    require(status in STATUSES and whole_of(rung) >= 0)
    candidate = candidate_from(json.loads(document))
    require(bool(candidate.choices))
    for region, choice in candidate.choices:
        require(region >= 0)
        require_sound(choice)
    for each in candidate.flags:
        text_of(each)
    return Trial(
        candidate,
        whole_of(rung),
        text_of(status),
        text_of(reason),
        _times_from(times),
        _times_from(beside),
        text_of(text),
    )


def _times_from(text: str) -> tuple[float, ...]:
    """Of which none is 0: the clock alone takes longer, and others are divided by them."""
    return tuple(map(positive_of, list_of(json.loads(text))))


# --- understanding --------------------------------------------------------------------------------


@contextmanager
def understanding() -> Generator[None]:
    """What is read was written by another version, or by nobody."""
    try:
        yield
    except (
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        OverflowError,
        RecursionError,
        zlib.error,
    ):
        raise StoreProblem(STRANGE) from None


def require(holds: bool) -> None:
    """What does not hold was written by nobody: a :class:`ValueError`."""
    if not holds:
        raise ValueError


def text_of(value: object) -> str:
    """A value that has to be a text."""
    if not isinstance(value, str):
        raise TypeError
    return value


def list_of(value: object) -> list[Any]:
    """A value that has to be a list: a text has parts as well, and they are no parts of it."""
    if not isinstance(value, list):
        raise TypeError
    return cast("list[Any]", value)


def mapping_of(value: object) -> dict[str, Any]:
    """A value that has to be a mapping."""
    if not isinstance(value, dict):
        raise TypeError
    return cast("dict[str, Any]", value)


def whole_of(value: object) -> int:
    """A value that has to be a whole number, as a machine has them."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    require(abs(value) < 2**63)
    return value


def positive_of(value: object) -> float:
    """A value that has to be a number above 0, and a finite one."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError
    require(isfinite(value) and value > 0)
    return value


def require_sound(choice: Choice) -> None:
    """A choice that was read has to have parts of the types that they are declared to be of."""
    text_of(choice.order)
    for each in (*choice.tile_sizes, choice.most_copies):
        positive_of(whole_of(each))
    require(choice.registers is None or whole_of(choice.registers) > 0)
    positive_of(choice.caches)
    for each in (choice.packs, choice.expands, choice.vectorises):
        require(each in (True, False))


def _problem(error: sqlite3.Error) -> StoreProblem:
    """An error of SQLite in the words of the user, as far as it is a known one."""
    name = getattr(error, "sqlite_errorname", "")
    if not name and isinstance(error, sqlite3.OperationalError):  # a text that is none
        return StoreProblem(STRANGE)
    kind = next((each for each in WORDS if name == each or name.startswith(f"{each}_")), None)
    return StoreProblem(str(error) if kind is None else WORDS[kind])


# --- opening --------------------------------------------------------------------------------------


def opened(path: Path, *, only_reading: bool = False) -> Store:
    """The store in a file, which is made if it is to be written; or :class:`StoreProblem`."""
    try:
        if path.is_dir():
            raise StoreProblem("it is a folder")
        if path.parent.is_file():
            raise StoreProblem("its folder is a file")
        return _read(path) if only_reading else _written(path)
    except sqlite3.Error as error:
        raise _problem(error) from None
    except OSError as error:
        raise StoreProblem((error.strerror or str(error)).lower()) from None


def _written(path: Path) -> Store:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = _connected(path, "rwc")
    try:
        _prepare(connection)
        _require_ours(connection)
    except BaseException:
        connection.close()
        raise
    return Store(path, connection)


def _read(path: Path) -> Store:
    """A store for reading only.

    Where a file is to be written ahead, readers want to write beside it, too.  If they may not,
    as in the folder of somebody else, they read a copy.
    """
    if not path.exists():
        raise StoreProblem("there is no such file")
    if not path.stat().st_size:
        # As it is left when its making is interrupted: a store in which there is nothing yet.
        connection = sqlite3.connect(":memory:", isolation_level=None)
        _prepare(connection)
        return Store(path, connection)
    connection = _connected(path, "ro")
    try:
        _require_ours(connection)
        return Store(path, connection)
    except sqlite3.OperationalError:
        connection.close()
    except BaseException:
        connection.close()
        raise
    with TemporaryDirectory(prefix="loopwright-") as folder:
        copy = Path(folder) / "store"
        for ending in ("", "-wal"):
            with suppress(FileNotFoundError):
                copyfile(f"{path}{ending}", f"{copy}{ending}")
        memory = sqlite3.connect(":memory:")
        with closing(_connected(copy, "rw")) as copied:
            copied.backup(memory)
    try:
        _require_ours(memory)
    except BaseException:
        memory.close()
        raise
    return Store(path, memory)


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    place = f"file:{quote(os.path.abspath(path))}?mode={mode}"
    return sqlite3.connect(place, timeout=PATIENCE, isolation_level=None, uri=True)


def _prepare(connection: sqlite3.Connection) -> None:
    """A new file becomes a store, whoever else does that meanwhile; another one stays as it is."""
    if not _is_new(connection) and _application(connection) != APPLICATION:
        return
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous = NORMAL")
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        if _is_new(connection):
            for statement in TABLES.split(";")[:-1]:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Nobody else may write while this changes, and SQLite does not wait for that by itself."""
    end = monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > end:
                raise
            sleep(0.01)


def _is_new(connection: sqlite3.Connection) -> bool:
    found: int = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return found == 0 and _application(connection) == 0


def _application(connection: sqlite3.Connection) -> int:
    return connection.execute("PRAGMA application_id").fetchone()[0]


def _require_ours(connection: sqlite3.Connection) -> None:
    """Is it a store, and of this version?"""
    if _application(connection) != APPLICATION:
        raise StoreProblem("it is a database of something else")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version != SCHEMA:
        raise StoreProblem(f"it has the tables of another version: {version}, not {SCHEMA}")
    connection.execute("SELECT count(*) FROM runs").fetchone()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
