"""What is known in a run: the trials of earlier sessions and of this one, which the store keeps.

The search asks here before it does anything.  So a search that begins again goes the same way
as before, without doing anything twice, up to where the store ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from loopwright.tuning.store import FOUND, LATE, Run, Store, StoreProblem, Trial


class Ledger:
    """The trials of a run; where the store fails, they are known for as long as this process is."""

    def __init__(
        self,
        store: Store | None = None,
        run: Run | None = None,
        trials: Sequence[Trial] = (),
        warn: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Begin with what is known; whoever is to be warned learns once that the store fails."""
        self.trials: list[Trial] = []
        self._store, self._run, self._warn = store, run, warn
        self._made: dict[str, Trial] = {}
        self._races: dict[int, list[Trial]] = {}
        self._replayed: set[int] = set()
        self._texts: dict[str, bytes] = {}
        self._remember(trials)

    # --- asking ---

    def made(self, key: str) -> Trial | None:
        """What became of a candidate before it was timed."""
        return self._made.get(key)

    def race(self, keys: Iterable[str]) -> list[Trial] | None:
        """The next race between exactly these candidates, if there was one."""
        wanted = set(keys)
        for rung, trials in self._races.items():
            if rung not in self._replayed and {each.candidate.key for each in trials} == wanted:
                self._replayed.add(rung)
                return trials
        return None

    def side_by_side(
        self, one: str, other: str
    ) -> Iterator[tuple[tuple[float, ...], tuple[float, ...]]]:
        """The times of two candidates in each race that both were in."""
        for trials in self._races.values():
            times = {each.candidate.key: each.times for each in trials if each.times}
            if one in times and other in times:
                yield times[one], times[other]

    def text(self, digest: str) -> bytes | None:
        """A program text."""
        known = self._texts.get(digest)
        if known is None and self._store is not None:
            try:
                known = self._store.text(digest)
            except StoreProblem as problem:
                self._forget_store(problem)
        return known

    # --- telling ---

    def add(self, trials: Sequence[Trial]) -> None:
        """Keep trials, all of them or none."""
        self._remember(trials)
        for each in trials:
            self._replayed.add(each.rung)
        self._write(lambda store, run: store.add(run, trials))

    def keep_text(self, digest: str, content: bytes) -> None:
        """Keep a program text."""
        self._texts[digest] = content
        self._write(lambda store, _: store.keep_text(digest, content))

    def end(self, best: str, gain: float, over_optimize: float) -> None:
        """The run has found its best candidate."""
        self._write(lambda store, run: store.end(run, best, gain, over_optimize))

    @property
    def next_rung(self) -> int:
        """A number that no race has yet."""
        return max(self._races, default=0) + 1

    @property
    def tried(self) -> int:
        """How many candidates there were."""
        return sum(each.status != LATE for each in self._made.values())

    def _remember(self, trials: Sequence[Trial]) -> None:
        self.trials += trials
        for each in trials:
            if each.rung == 0:
                self._made[each.candidate.key] = each
            else:
                self._races.setdefault(each.rung, []).append(each)

    def _write(self, change: Callable[[Store, Run], None]) -> None:
        if self._store is None or self._run is None:
            return
        try:
            change(self._store, self._run)
        except StoreProblem as problem:
            self._forget_store(problem)

    def _forget_store(self, problem: StoreProblem) -> None:
        self._store = None
        self._warn(problem.reason)


def is_timed(trial: Trial) -> bool:
    """Are there times?"""
    return trial.rung > 0 and trial.status == FOUND and bool(trial.times)
