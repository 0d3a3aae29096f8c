"""Which version is taken when times scatter, and what is remembered when the store fails."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from loopwright.tuning.candidates import ORIGINAL, Choice, every
from loopwright.tuning.decisions import Decision, decided, unbeaten
from loopwright.tuning.ledger import Ledger
from loopwright.tuning.problems import Source, own_headers
from loopwright.tuning.refinement import alternatives
from loopwright.tuning.standings import standings
from loopwright.tuning.store import Trial, opened
from tests.tuning.tunings import problem


def taken(seconds: float, rounds: int, noise: Callable[[random.Random], float]) -> float:
    """How often a new version of so many seconds is taken instead of an old one of one second."""
    chosen = 0
    for seed in range(400):
        some = random.Random(seed)
        times = {"old": [noise(some) for _ in range(rounds)]}
        times["new"] = [seconds * noise(some) for _ in range(rounds)]
        chosen += decided(times, ["old", "new"]).key == "new"
    return chosen / 400


def usual(some: random.Random) -> float:
    """A tenth more or less, and now and then something else runs meanwhile."""
    return some.uniform(0.9, 1.1) * (3.0 if some.random() < 0.05 else 1.0)


def test_equals_are_seldom_taken_for_faster_ones() -> None:
    assert taken(1.0, 8, usual) < 0.05
    assert taken(1.0, 24, usual) < 0.05


def test_what_is_faster_is_taken() -> None:
    assert taken(0.5, 4, usual) > 0.6
    assert taken(0.9, 24, usual) > 0.9
    assert taken(1.1, 24, usual) < 0.01


def test_what_was_beaten_early_is_not_taken_in_the_end() -> None:
    """Although it is preferred, and the others had more rounds than they needed to beat it."""
    early, late = [2.0, 2.1], [1.0, 1.1]
    rounds = {"old": early, "new": [*late, 9.0, 1.0], "other": [*late, 1.0, 1.0]}
    assert decided(rounds, ["old", "new", "other"]).key == "new"


def test_one_round_decides_only_about_long_runs() -> None:
    short = {"old": [0.05], "new": [0.01]}
    assert decided(short, ["old", "new"]) == Decision("old", is_sure=False)
    assert decided({"old": [50.0], "new": [10.0]}, ["old", "new"]).key == "new"
    assert decided({"old": [50.0], "new": [45.0]}, ["old", "new"]).key == "old"


def test_two_rounds_of_short_runs_decide_only_where_it_is_clear() -> None:
    """Seen: two unlucky processes of one, two lucky ones of the other, and both are as fast."""
    unlucky = {"old": [0.00347, 0.00299], "new": [0.00255, 0.00279]}
    assert decided(unlucky, ["old", "new"]) == Decision("old", is_sure=False)
    clear = {"old": [0.0045, 0.0046], "new": [0.00255, 0.00279]}
    assert decided(clear, ["old", "new"]) == Decision("new", is_sure=True)


def test_what_is_faster_at_its_best_is_not_beaten_by_what_is_steadier() -> None:
    """Seen where all data just fit into the cache: one is lucky in a few processes only."""
    lucky, steady = [2.0, 2.8, 2.7, 1.7, 2.8, 2.6, 2.9, 2.7, 2.8], [2.2] * 9
    assert decided({"old": lucky, "new": steady}, ["old", "new"]).key == "old"
    never = [2.5, *lucky[1:3], 2.5, *lucky[4:]]
    assert decided({"old": never, "new": steady}, ["old", "new"]).key == "new"


def test_what_is_looked_at_after_every_round_is_seldom_mistaken() -> None:
    """A race stops as soon as something is beaten, so that equals have many chances to be."""
    for slower, most in ((1.0, 0.1), (1.05, 0.02), (1.1, 0.01)):
        mistaken = 0
        for seed in range(400):
            some, times = random.Random(seed), {"old": list[float](), "new": list[float]()}
            for _ in range(16):
                times["old"].append(0.003 * usual(some))
                times["new"].append(0.003 * slower * usual(some))
                if decided(times, ["old", "new"]).key == "new":
                    mistaken += 1
                    break
        assert mistaken <= most * 400, slower


def test_where_nothing_was_timed_nothing_stands() -> None:
    assert unbeaten({"old": [], "new": []}) == []


def test_one_slow_round_is_forgiven_in_the_long_run() -> None:
    rounds = {"old": [1.0] * 10, "new": [9.0] + [0.3] * 9}
    assert decided(rounds, ["old", "new"]).key == "new"


def test_times_and_gains_of_all_races_fit_together() -> None:
    old, new, other = every([0], ORIGINAL), every([0], "source"), every([0], "bands first")
    first = {old: (2.0, 2.2), new: (1.0, 1.1), other: (1.5, 1.6)}
    last = {new: (2.5, 2.6), old: (4.0, 4.2)}
    trials = [Trial(each, 1, times=times, beside=first[old]) for each, times in first.items()]
    trials += [Trial(each, 2, times=times, beside=last[new]) for each, times in last.items()]
    found = standings(old.key, 2.0, trials)
    assert found[new.key].times == last[new]
    assert {key: min(each.times) * each.gain for key, each in found.items() if key != old.key} == {
        new.key: pytest.approx(4.0),
        other.key: pytest.approx(4.0),
    }


def test_another_header_makes_another_program(tmp_path: Path) -> None:
    header, program = tmp_path / "size.h", tmp_path / "program.c"
    header.write_text("#define N 200\n")
    program.write_text('#include <stddef.h>\n#include "size.h"\nint x = N;\n')
    digests: set[str] = set()
    for text in ("#define N 200\n", "#define N 300\n", "#define N 200\n"):
        header.write_text(text)
        own_headers.cache_clear()
        digests.add(Source(str(program), program.read_bytes()).digest)
    assert len(digests) == 2


def test_a_store_that_fails_is_told_once_and_done_without(tmp_path: Path) -> None:
    path, warned = tmp_path / "s.sqlite", list[str]()
    known = problem()
    with closing(opened(path)) as store:
        run = store.begin("sums.c", known.document("0"), {})
        ledger = Ledger(store, run, (), warned.append)
        with closing(sqlite3.connect(path)) as other:
            other.execute("DROP TABLE trials")
            other.commit()
        original = every([0], ORIGINAL)
        ledger.add([Trial(original, 0)])
        ledger.keep_text("digest", b"text")
        ledger.end(original.key, 1.0, 1.0)
    assert len(warned) == 1
    assert "trials" in warned[0]
    assert ledger.made(original.key) == Trial(original, 0)
    assert ledger.text("digest") == b"text"


def test_a_race_is_remembered_once() -> None:
    one, other = every([0], ORIGINAL), every([0], "source")
    race = [Trial(each, 1, times=(1.0,), beside=(1.0,)) for each in (one, other)]
    ledger = Ledger(trials=race)
    assert ledger.race([one.key]) is None
    assert ledger.race([other.key, one.key]) == race
    assert ledger.race([one.key, other.key]) is None
    assert ledger.next_rung == 2


PRODUCT = """\
void product(int n, double C[n][n], double A[n][n], double B[n][n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
#pragma endscop
}
"""


def test_neighbours_differ_in_one_decision(tmp_path: Path) -> None:
    found = alternatives(problem(PRODUCT), 0, Choice("bands first"), tmp_path)
    assert len(found) == len(set(found)) > 10
    assert all(each.order == "bands first" for each in found)
    sizes = [each.tile_sizes for each in found if each.tile_sizes]
    assert {len(each) for each in sizes} == {3}
    assert any(each.most_copies == 1 for each in found)
    assert any(not each.vectorises for each in found)
    assert alternatives(problem(PRODUCT), 0, Choice("no such order"), tmp_path) == []
