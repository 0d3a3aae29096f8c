"""The search: what it tries, what it takes, and that it goes on where it was ended."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest

from loopwright.tuning.candidates import OPTIMIZE, ORIGINAL, Candidate, Choice, every
from loopwright.tuning.executors import LocalPool
from loopwright.tuning.flags import accepted_flags
from loopwright.tuning.ledger import Ledger, is_timed
from loopwright.tuning.problems import Problem
from loopwright.tuning.search import Limits, Progress, Search
from loopwright.tuning.store import CRASHED, FOUND, SAME, WRONG, Trial, opened
from loopwright.tuning.survey import Survey
from loopwright.tuning.trials import TOO_LATE, Baseline, Contender, Effort, baseline, timed
from loopwright.tuning.tries import Tries, Workers
from loopwright.tuning.tuner import Tuned, tuned_program
from tests.tuning.tunings import PROGRAM, Noted, broken_compiler, problem

MOST = 7
WRONG_SUMS = """sed -i 's/+= A/-= A/' "$source" """
ENDLESS = """sed -i 's/^#pragma scop/extern int pause(void); for (;;) pause();/' "$source" """


def tuned(wanted: Problem, store: Path, noted: Noted, *, resumes: bool = False) -> Tuned:
    with LocalPool(2) as pool, closing(opened(store)) as trials:
        terms = noted.terms(MOST, resumes=resumes)
        return tuned_program([wanted], trials, Workers(pool, 2), terms)


@pytest.fixture(scope="module", name="found")
def searched(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tuned, Path, Noted]:
    noted, store = Noted(), tmp_path_factory.mktemp("store") / "trials.sqlite"
    return tuned(problem(), store, noted, resumes=True), store, noted


def made(trials: Sequence[Trial]) -> dict[str, Trial]:
    return {each.candidate.key: each for each in trials if each.rung == 0}


def test_the_original_and_optimize_are_in_the_last_races(found: tuple[Tuned, Path, Noted]) -> None:
    (one,) = found[0].problems
    known = made(one.trials)
    texts = {known[every([0], order).key].text for order in (ORIGINAL, OPTIMIZE)}
    last = max(
        rung
        for rung in {each.rung for each in one.trials if each.rung}
        if every([0], ORIGINAL).key
        in {each.candidate.key for each in one.trials if each.rung == rung}
    )
    raced = {known[each.candidate.key].text for each in one.trials if each.rung == last}
    assert texts <= raced
    assert known[one.found.best.key].text in raced


def test_no_text_is_timed_under_two_names(found: tuple[Tuned, Path, Noted]) -> None:
    (one,) = found[0].problems
    known = made(one.trials)
    timed = {each.candidate for each in one.trials if is_timed(each)}
    assert len(timed) > 2
    assert all(known[each.key].status == FOUND for each in timed)
    texts = Counter((known[each.key].text, each.flags) for each in timed)
    assert set(texts.values()) == {1}
    assert any(each.status == SAME for each in known.values())


def test_as_many_candidates_as_are_allowed(found: tuple[Tuned, Path, Noted]) -> None:
    (one,) = found[0].problems
    assert len(made(one.trials)) <= MOST
    assert found[2].notes == ["there is nothing to resume for sums"]
    assert found[2].phases[0] == "beginning"
    assert found[2].phases[-1] == "final race"


def test_the_program_is_that_of_the_best(found: tuple[Tuned, Path, Noted]) -> None:
    (one,) = found[0].problems
    assert one.found.gain >= 1.0 or one.found.best == every([0], ORIGINAL)
    text = made(one.trials)[one.found.best.key].text
    assert one.texts(text) == found[0].content


def test_a_run_that_has_ended_is_remembered(found: tuple[Tuned, Path, Noted]) -> None:
    noted = Noted()
    again = tuned(problem(), found[1], noted, resumes=True)
    assert again.content == found[0].content
    assert again.problems[0].found.best == found[0].problems[0].found.best
    assert again.problems[0].trials == found[0].problems[0].trials
    assert noted.notes == []
    assert all("proved" in each for each in again.proofs)


OTHER = Candidate(every([0], OPTIMIZE).choices, ("-O2",))
"""What a search of so few candidates does not come to."""


@pytest.fixture(name="went_another_way")
def stored_with_another_best(found: tuple[Tuned, Path, Noted], tmp_path: Path) -> Path:
    """The store, as if its run had found something else to be best by far."""
    store = tmp_path / "trials.sqlite"
    with closing(sqlite3.connect(found[1])) as whole, closing(sqlite3.connect(store)) as copy:
        whole.backup(copy)
    text = made(found[0].problems[0].trials)[every([0], OPTIMIZE).key].text
    with closing(opened(store)) as trials:
        (run,) = trials.runs()
        trials.add(run, [Trial(OTHER, 0, text=text)])
        trials.end(run, OTHER.key, 99.0, 99.0)
    return store


@pytest.mark.parametrize("gain", [99.0, 0.01], ids=["better than others", "worse than others"])
def test_what_was_best_before_is_compared_again(went_another_way: Path, gain: float) -> None:
    with closing(opened(went_another_way)) as trials:
        trials.end(trials.runs()[0], OTHER.key, gain, gain)
    again = tuned(problem(), went_another_way, Noted(), resumes=True)
    (one,) = again.problems
    last = max(each.rung for each in one.trials)
    races = [
        {each.candidate.key for each in one.trials if each.rung == rung}
        for rung in range(1, last + 1)
    ]
    assert any({OTHER.key, every([0], ORIGINAL).key} <= race for race in races)
    assert 0 < one.found.gain < 50


def test_what_was_best_before_is_known_to_who_is_interrupted(went_another_way: Path) -> None:
    class Impatient(Noted):
        def _tell(self, function: str, progress: Progress) -> None:
            raise KeyboardInterrupt

    again = tuned(problem(), went_another_way, Impatient(), resumes=True)
    assert again.is_interrupted
    assert again.problems[0].found.best == OTHER
    assert again.flags == OTHER.flags
    with closing(opened(went_another_way)) as trials:
        assert trials.runs()[0].best == OTHER.key


SLOW, FAST = (1.8, 1.81, 1.82, 1.8), (0.2, 0.19, 0.21, 0.2)


@pytest.mark.parametrize(
    ("races", "taken"),
    [
        (((SLOW, FAST), (SLOW, SLOW)), OPTIMIZE),
        (((SLOW, SLOW), (SLOW, FAST)), OPTIMIZE),
        (((SLOW, SLOW), (SLOW, SLOW)), ORIGINAL),
        (((SLOW, FAST), (FAST, SLOW)), ORIGINAL),
        (((SLOW, FAST), (FAST, SLOW), (SLOW, SLOW)), ORIGINAL),
    ],
)
def test_the_state_of_the_machine_may_change_before_the_final_race(
    races: Sequence[tuple[tuple[float, ...], ...]], taken: str
) -> None:
    """Seen: all cores far from each other for a minute, and threads that gain nothing then."""
    wanted = problem()
    known = Survey(Baseline((), (), (), (), SLOW), ((0, (Choice("source"),)),), ())
    both = [every([0], each) for each in (ORIGINAL, OPTIMIZE)]
    ledger = Ledger()
    ledger.add([Trial(each, 0, text=f"text {at}") for at, each in enumerate(both)])
    for rung, times in enumerate(races, 1):
        ledger.add(
            [
                Trial(each, rung, times=own, beside=times[0])
                for each, own in zip(both, times, strict=True)
            ]
        )
    with LocalPool(1) as pool:
        tries = Tries(wanted, known, ledger, Workers(pool, 1))
        search = Search(tries, Limits(monotonic() + 100), lambda _: None)
        tries.prepare(both, monotonic() + 100)
        search.versions |= {each.key: each for each in both}
        search.finals = dict(zip((each.key for each in both), map(list, races[-1]), strict=True))
        assert search.so_far().best == every([0], taken)


@pytest.mark.parametrize("kept", [3, 1000], ids=["some made", "all but the end"])
def test_a_run_that_was_ended_goes_on(
    found: tuple[Tuned, Path, Noted], tmp_path: Path, kept: int
) -> None:
    store = tmp_path / "trials.sqlite"
    with closing(sqlite3.connect(found[1])) as whole, closing(sqlite3.connect(store)) as copy:
        whole.backup(copy)
        copy.execute("DELETE FROM trials WHERE rowid > ?", (kept,))
        copy.execute("UPDATE runs SET ended = NULL, best = NULL")
        copy.commit()
        before = copy.execute("SELECT rowid, candidate, rung, done, times FROM trials").fetchall()
    again = tuned(problem(), store, Noted(), resumes=True)
    with closing(sqlite3.connect(store)) as after:
        rows = after.execute("SELECT rowid, candidate, rung, done, times FROM trials").fetchall()
        assert after.execute("SELECT count(*) FROM runs").fetchone() == (1,)
    assert rows[: len(before)] == before
    if kept == 1000:
        assert rows == before
        assert again.problems[0].found == found[0].problems[0].found
    assert len(made(again.problems[0].trials)) == len(made(found[0].problems[0].trials))


def test_a_slow_original_is_not_run_for_the_first_round(tmp_path: Path) -> None:
    known = baseline(problem(), 30.0, tmp_path)
    assert isinstance(known, Baseline)
    slow = Contender("slow", PROGRAM.encode(), known=123.0)
    quick = Contender("quick", PROGRAM.encode())
    first = timed(problem(), known, [slow, quick], Effort(1), tmp_path)
    assert first[0].times == (123.0,)
    assert 0 < first[1].times[0] < 1
    both = timed(problem(), known, [slow, quick], Effort(2), tmp_path)
    assert both[0].times[0] == 123.0
    assert 0 < both[0].times[1] < 1


def test_what_ran_only_once_has_no_time(tmp_path: Path) -> None:
    """Where two rounds were wanted: one alone would decide by chance."""
    known = baseline(problem(), 60.0, tmp_path)
    assert isinstance(known, Baseline)
    runners = [Contender(each, PROGRAM.encode()) for each in ("one", "other")]
    late = timed(problem(), known, runners, Effort(4, seconds=0.0), tmp_path)
    assert {(each.times, each.reason) for each in late} == {((), TOO_LATE)}
    slow = replace(known, times=(9.0,))
    runners = [replace(each, known=9.0) for each in runners]
    once = timed(problem(), slow, runners, Effort(4, seconds=0.0), tmp_path)
    assert {each.times for each in once} == {(9.0,)}
    assert all(
        not each.times for each in timed(problem(), known, runners, Effort(4, 0.0), tmp_path)
    )


@pytest.mark.parametrize("status", ["late", "refused"])
def test_what_there_was_no_time_for_is_tried_when_it_goes_on(
    found: tuple[Tuned, Path, Noted], tmp_path: Path, status: str
) -> None:
    store, noted = tmp_path / "trials.sqlite", Noted()
    with closing(sqlite3.connect(found[1])) as whole, closing(sqlite3.connect(store)) as copy:
        whole.backup(copy)
        copy.execute("DELETE FROM trials WHERE rung > 0")
        late = "UPDATE trials SET status = ?, reason = ? WHERE candidate != ?"
        copy.execute(late, (status, TOO_LATE, every([0], ORIGINAL).key))
        copy.execute("UPDATE runs SET ended = '2026-11-18', best = ?", (every([0], ORIGINAL).key,))
        copy.commit()
    again = tuned(problem(), store, noted, resumes=True)
    assert noted.notes == []
    known, before = made(again.problems[0].trials), made(found[0].problems[0].trials)
    assert known.keys() == before.keys()
    assert {each.status for each in known.values()} == {each.status for each in before.values()}
    with closing(sqlite3.connect(store)) as after:
        assert after.execute("SELECT count(*) FROM runs").fetchone() == (1,)
        stored = "SELECT count(*) FROM trials WHERE status = 'late' OR reason = ?"
        assert after.execute(stored, (TOO_LATE,)).fetchone() == (0,)


@pytest.mark.parametrize(
    ("sickness", "status"),
    [
        (WRONG_SUMS, WRONG),
        ("echo 'internal compiler error' >&2; exit 4", CRASHED),
        (ENDLESS, CRASHED),
    ],
    ids=["wrong", "refused by the compiler", "endless"],
)
def test_what_is_broken_costs_itself_alone(tmp_path: Path, sickness: str, status: str) -> None:
    wanted = problem(compiler=broken_compiler(tmp_path, sickness))
    with LocalPool(2) as pool:
        terms = Noted().terms(3)
        done = tuned_program([wanted], None, Workers(pool, 2), terms)
    (one,) = done.problems
    known = made(one.trials)
    assert known[every([0], OPTIMIZE).key].status in (status, SAME)
    assert status in {each.status for each in known.values()}
    assert done.content == PROGRAM.encode()
    assert one.found.best == every([0], ORIGINAL)


def test_a_flag_that_is_ignored_is_no_candidate(tmp_path: Path) -> None:
    """As some compilers do with those of others, with no more than a warning."""
    compiler = tmp_path / "cc"
    compiler.write_text(
        """#!/bin/sh
case "$*" in *-fprefetch*) case "$*" in *-Werror*) exit 1;; esac;; esac
exec gcc "$@"
"""
    )
    compiler.chmod(0o755)
    flags = accepted_flags(problem(compiler=(str(compiler), "-O1", "-fopenmp")), tmp_path)
    assert "-fprefetch-loop-arrays" not in flags
    assert "-O2" in flags
