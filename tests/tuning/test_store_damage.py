"""A store whose tables are in order, with values in them that no tuner has written."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from loopwright import InputError, optimize
from loopwright.cli.commands import app
from loopwright.tuned.api import Measures, problems_in
from loopwright.tuning.candidates import OPTIMIZE, ORIGINAL, Choice, every
from loopwright.tuning.machines import machine_of_system
from loopwright.tuning.problems import Source
from loopwright.tuning.store import SEAL, StoreProblem, Trial, opened
from loopwright.tuning.stored import stored_best
from loopwright.tuning.survey import Survey, survey_from
from loopwright.tuning.trials import Baseline
from tests.cli.running import loopwright
from tests.tuning.tunings import COMPILER, PROGRAM, SIZES

STRANGE = "what is in it cannot be understood"
SUMS = (("A", "array A 1"), ("b", "array b 2"))
GROUND = Survey(
    Baseline(SIZES, SIZES, SUMS, SUMS, (0.5, 0.25), 1.0),
    ((0, (Choice("source"), Choice("source", (8,), 0.5, 1, False, True, False, 16))),),
    ("-O2",),
)
DAMAGES = (None, "x", "{}", '["x"]', "[0]", -1, float("inf"), b"\xff\x00")
LISTS = ("null", "[-1]", "[NaN]", "[true]", "[" * 100_000, f"[{'9' * 400}]")
UNREADABLE = "CAST(X'ff' AS TEXT)"
COLUMNS = {
    "runs": "id problem source function file document baseline begun ended best gain over_optimize",
    "trials": "run candidate rung document label status reason times beside text done",
    "texts": "digest content",
}
UNDERSTOOD = {
    "id", "problem", "source", "run", "candidate", "label", "done", "digest", "content",
}  # fmt: skip
"""Columns that are only for looking something up, or not read: whatever is in them is believed."""
PARTS = (None, {}, [], "x", -1, 1.5, True, float("nan"), ["x"], {"x": [{}]}, 10**30, 10**400)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one run, as the tuner leaves it, and the program."""
    folder = tmp_path_factory.mktemp("damage")
    (folder / "sums.c").write_text(PROGRAM)
    (problem,) = problems_in(
        source_in(folder), machine_of_system(), COMPILER, Measures(SIZES, threads=2)
    )
    with closing(opened(folder / "sound")) as store:
        run = store.begin("sums.c", problem.document("1"), GROUND.document())
        best = every([0], OPTIMIZE)
        times = Trial(best, 1, times=(0.5, 0.25), beside=(0.5, 0.25))
        store.add(run, [Trial(every([0], ORIGINAL), 0), Trial(best, 0, text="d"), times])
        store.keep_text("d", b"int x;\n")
        store.end(run, best.key, 2.5, 1.0)
    assert survey_from(GROUND.document()) == GROUND
    return folder / "sound"


def source_in(folder: Path) -> Source:
    return Source(str(folder / "sums.c"), PROGRAM.encode())


def changed(sound: Path, to: Path, change: str, *values: object) -> bool:
    """Copy a store with a change, unless the tables forbid it."""
    copyfile(sound, to)
    with closing(sqlite3.connect(to)) as store, store:
        try:
            store.execute(change, values)
        except sqlite3.Error:
            return False
    return True


def command(*arguments: object) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


def answers(store: Path, sound: Path) -> set[str]:
    """What those who read it say: it is damaged, or nothing about that."""
    program = source_in(sound.parent)
    said: set[str] = set()
    for arguments in ((), (program.name,)):
        done = command("tune", *arguments, "--show", "--store", store)
        assert (done.exit_code, "LW606" in done.stderr) in ((0, False), (2, True)), done.output
        assert done.exit_code == 0 or f"cannot be used: {STRANGE}" in done.stderr
        said.add("shown" if done.exit_code == 0 else STRANGE)
    try:
        stored_best(store, program, machine_of_system())
    except StoreProblem as problem:
        said.add(problem.reason)
    return said


@pytest.mark.parametrize(
    ("table", "column"), [(table, each) for table, all in COLUMNS.items() for each in all.split()]
)
def test_a_damaged_column(sound: Path, tmp_path: Path, table: str, column: str) -> None:
    store = tmp_path / "store"
    found: set[str] = set()
    for at, each in enumerate(DAMAGES):
        if changed(sound, store, f"UPDATE OR IGNORE {table} SET {column} = ?", each):
            refused = is_refused(lambda: read(store))
            found |= answers(store, sound) if at < 3 else {STRANGE} if refused else set()
    if changed(sound, store, f"UPDATE OR IGNORE {table} SET {column} = {UNREADABLE}"):
        found |= answers(store, sound)
    assert (STRANGE in found) == (column not in UNDERSTOOD)


def paths_in(value: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    parts: list[Any] = []
    if isinstance(value, dict):
        parts = list(value)
    elif isinstance(value, list):
        parts = list(range(len(value)))
    return [at, *(path for each in parts for path in paths_in(value[each], (*at, each)))]


def documents_from(text: str) -> list[Any]:
    """The document without each of its parts, and with other things in its place."""
    found: list[Any] = []
    for path in paths_in(json.loads(text))[1:]:
        for value in PARTS:
            whole = part = json.loads(text)
            for each in path[:-1]:
                part = part[each]
            part[path[-1]] = value
            found.append(whole)
        whole = part = json.loads(text)
        for each in path[:-1]:
            part = part[each]
        del part[path[-1]]
        found.append(whole)
    return found


def read(store: Path) -> None:
    with closing(opened(store, only_reading=True)) as known:
        for run in known.runs():
            survey_from(run.baseline)
            for each in known.trials(run):
                assert each.candidate.key
                assert each.candidate.label


@pytest.mark.parametrize("column", ["runs SET document", "runs SET baseline", "trials SET times"])
@pytest.mark.parametrize("content", LISTS)
def test_a_damaged_list(sound: Path, tmp_path: Path, column: str, content: str) -> None:
    assert changed(sound, tmp_path / "store", f"UPDATE {column} = ?", content)
    assert is_refused(lambda: read(tmp_path / "store"))


def is_refused(step: Callable[[], object]) -> bool:
    try:
        step()
    except StoreProblem as problem:
        return problem.reason == STRANGE
    return False


@pytest.mark.parametrize(
    ("table", "column"), [("runs", "baseline"), ("runs", "document"), ("trials", "document")]
)
def test_a_damaged_part_of_a_document(sound: Path, tmp_path: Path, table: str, column: str) -> None:
    """Each part of a baseline is sealed; of the others, some have no value that cannot be."""
    with closing(sqlite3.connect(sound)) as known:
        ((text, *_),) = known.execute(f"SELECT {column} FROM {table} LIMIT 1").fetchall()
    store = tmp_path / "store"
    refused = 0
    documents = [each for each in documents_from(text) if each != json.loads(text)]
    for each in documents:
        assert changed(sound, store, f"UPDATE {table} SET {column} = ?", json.dumps(each))
        refused += is_refused(lambda: read(store))
    no_seal = {key: value for key, value in json.loads(text).items() if key != SEAL}
    if column == "baseline":
        harmless = [each for each in documents if each.get(SEAL) is None]
        assert harmless == [{**no_seal, SEAL: None}, no_seal]
        assert refused == len(documents) - len(harmless)
    else:
        assert refused > len(documents) / 4


def test_a_baseline_of_an_earlier_version(sound: Path, tmp_path: Path) -> None:
    """It has no seal, and what can be told from its shape alone is."""
    store = tmp_path / "store"
    assert changed(sound, store, f"UPDATE runs SET baseline = json_remove(baseline, '$.{SEAL}')")
    assert answers(store, sound) == {"shown"}
    for each in documents_from(json.dumps(GROUND.document())):
        is_refused(lambda each=each: survey_from(each))
    for name in ("baseline", "orders", "flags"):
        wrong = {**GROUND.document(), name: {}}
        assert is_refused(lambda wrong=wrong: survey_from(wrong))


@pytest.mark.parametrize(
    "change",
    [
        "runs SET baseline = '{}'",
        "runs SET gain = 'x'",
        "trials SET times = '[\"x\"]'",
        'trials SET document = \'{"regions": {"0": {"order": 5}}}\'',
    ],
)
def test_optimize_goes_on_without_a_damaged_store(
    sound: Path, tmp_path: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LOOPWRIGHT_MACHINE", raising=False)  # the run is of this machine
    store = tmp_path / "store"
    assert changed(sound, store, f"UPDATE {change}")
    done = loopwright("sums.c", "--store", str(store), folder=sound.parent)
    assert done.returncode == 0
    assert b"#pragma omp parallel" in done.stdout
    told = " ".join(done.stderr.decode().split())
    assert told.startswith(f"the store {store} is not used: {STRANGE} ")


def test_in_python_a_damaged_store_is_refused(sound: Path, tmp_path: Path) -> None:
    assert changed(sound, tmp_path / "store", "UPDATE runs SET gain = 'x'")
    with pytest.raises(InputError, match="LW606"):
        optimize(sound.parent / "sums.c", tuned=tmp_path / "store")


def test_a_damaged_store_is_not_resumed(sound: Path, tmp_path: Path) -> None:
    """What is said about it is said once."""
    store = tmp_path / "store"
    (problem,) = problems_in(
        source_in(sound.parent), machine_of_system(), COMPILER, Measures(SIZES, threads=2)
    )
    for column in ("times", "beside"):
        assert changed(sound, store, f"UPDATE trials SET {column} = '[\"x\"]'")
        with closing(opened(store)) as known:
            run = known.latest(problem.document("1"))
            assert run is not None
            assert is_refused(lambda known=known, run=run: known.trials(run))
