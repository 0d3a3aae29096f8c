"""What is found out before the search begins: the original, the orders, and the compiler's flags.

It is kept with the run, so that a run that was ended goes on from the same ground.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any

from loopwright.basics.records import record
from loopwright.tuning.candidates import Choice, choice_document, choice_from
from loopwright.tuning.executors import Executor
from loopwright.tuning.flags import accepted_flags
from loopwright.tuning.orders import SCHEDULED, SOURCE
from loopwright.tuning.problems import Problem
from loopwright.tuning.store import (
    list_of,
    positive_of,
    require,
    require_sound,
    text_of,
    understanding,
    whole_of,
)
from loopwright.tuning.toolchain import CannotRun
from loopwright.tuning.trials import Baseline, baseline, baseline_from
from loopwright.tuning.versions import Expected, Failure, Share, in_order, ranked

MOST_ORDERS = 400
"""Of a region, so many are kept: the best for the model."""
BASELINE_SHARE, RANKING_SHARE = 0.5, 0.15
"""Of the time that there is."""
MOST_RANKING = 60.0
FASTER = "give more time with --budget, or smaller sizes with --size"
USUAL = tuple(map(Choice, (*SCHEDULED, SOURCE)))
"""The orders to try where there is no time to look for others."""


@record
class Survey:
    """The ground that a search stands on.

    ``orders`` are those of each region, the best one for the model first.
    """

    baseline: Baseline
    orders: tuple[tuple[int, tuple[Choice, ...]], ...]
    flags: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "baseline": self.baseline.document(),
            "orders": {str(at): list(map(choice_document, found)) for at, found in self.orders},
            "flags": list(self.flags),
        }


def survey_from(document: Mapping[str, Any]) -> Survey:
    """The survey that a document describes; :class:`StoreProblem` where it describes none."""
    with understanding():
        orders = {
            int(at): tuple(map(choice_from, list_of(found)))
            for at, found in document["orders"].items()
        }
        require(bool(orders) and all(orders.values()))
        for each in chain(*orders.values()):
            require_sound(each)
        known = _sound(baseline_from(document["baseline"]))
        flags = tuple(map(text_of, list_of(document["flags"])))
        return Survey(known, tuple(sorted(orders.items())), flags)


def _sound(known: Baseline) -> Baseline:
    """A baseline with the same things for both sizes, all of the types that they have to be of."""
    for name, size in (*known.odd, *known.real):
        text_of(name)
        whole_of(size)
    for each in (*known.odd_sums, *known.real_sums):
        require(all(map(text_of, each)))
    require(set(dict(known.odd)) == set(dict(known.real)))
    require(set(dict(known.odd_sums)) == set(dict(known.real_sums)))
    require(bool(known.times) and all(map(positive_of, known.times)))
    require(known.seconds == 0 or bool(positive_of(known.seconds)))
    return known


def surveyed(problem: Problem, executor: Executor, width: int, seconds: float) -> Survey:
    """The ground of a new search; :class:`CannotRun` where the original cannot be run in time."""
    end = monotonic() + seconds
    known = _baseline(problem, executor, BASELINE_SHARE * seconds)
    share = min(MOST_RANKING, RANKING_SHARE * (end - monotonic()))
    orders = _orders(problem, executor, width, share)
    flags: tuple[str, ...] = ()
    if problem.tunes_flags:
        for _, found in executor.run([partial(accepted_flags, problem)], share):
            flags = () if isinstance(found, Failure) else found
    return Survey(known, orders, flags)


def _baseline(problem: Problem, executor: Executor, seconds: float) -> Baseline:
    step = partial(baseline, problem, seconds)
    for _, found in executor.run([step], seconds, alone=True):
        if not isinstance(found, Failure):
            return found
        if found.is_late:
            raise CannotRun(f"the original takes too long for {seconds:.2g} seconds", FASTER)
        raise CannotRun(found.reason, found.hint)
    raise AssertionError("an executor has not answered")


def _orders(
    problem: Problem, executor: Executor, width: int, seconds: float
) -> tuple[tuple[int, tuple[Choice, ...]], ...]:
    """All regions at once, and each in as many parts as there are processes left for it."""
    parts = max(1, width // len(problem.regions))
    asked = [(region, Share(part, parts)) for region in problem.regions for part in range(parts)]
    allowed = seconds * min(1.0, width / len(asked))
    steps = [partial(_ranking, problem, region, allowed, share) for region, share in asked]
    found: dict[int, list[Expected]] = {region: [] for region in problem.regions}
    for at, expected in executor.run(steps, 2 * seconds + 2.0):
        if not isinstance(expected, Failure):
            found[asked[at][0]] += expected
    return tuple((region, _best(each) or USUAL) for region, each in found.items())


def _best(expected: Sequence[Expected]) -> tuple[Choice, ...]:
    return tuple(each.choice for each in in_order(expected)[:MOST_ORDERS])


def _ranking(
    problem: Problem, region: int, seconds: float, share: Share, _folder: Path
) -> tuple[Expected, ...]:
    return ranked(problem, region, seconds, share)
