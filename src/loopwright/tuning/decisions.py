"""Which version is faster, as far as times that scatter allow to say.

Versions take turns, so that the times of one round belong together: what disturbs the machine for a
while disturbs the whole round.  So two versions are compared round by round.  Of n rounds with no
difference, one of the two wins n/2 give or take √n/2; it is faster if its wins exceed its losses by
2.25 √n.  Each round is a new chance for equals to look different, so that this is more than one
look would ask for; and its best time has to be the better one as well, since where the processes of
one scatter more than those of the other, the one that is ahead in most rounds may be behind
whenever nothing disturbs.  Few rounds are enough where the gap between the two is wider than the
times of either scatter.  What is beaten need not be run any more, and only rounds that both were
in are compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import median

from loopwright.basics.records import record

LEAST_ROUNDS = 2
"""One round alone decides nothing: whatever disturbed it may be over in the next one."""
LONG = 1.0
"""Seconds: unless the slower one ran so long that a disturbance is a small part of it."""
SOME_ROUNDS = 4
"""Rounds in which even short runs show how much they scatter."""
SHORT = 0.1
"""Seconds: of two processes that run no longer, both may be lucky, with their memory say."""
CLEAR = 1.25
"""Times as slow in each round: it is no accident."""
CERTAIN = 1.05
"""Times as slow as the slowest run of the other: no accident, unless times scatter by more."""
NEGLIGIBLE = 1.01
"""Times as fast: a difference that is not worth a decision."""
ENOUGH_ROUNDS = 8
"""Rounds after which a negligible difference is believed to be one."""
MAJORITY = 2.25
"""Times the square root of the number of rounds, by which wins have to exceed losses."""

Rounds = Mapping[str, Sequence[float]]
"""The times of each version, by its key; those of one round have the same position."""


def is_faster(new: Sequence[float], old: Sequence[float]) -> bool:
    """Is it beyond doubt that the new version is the faster one?

    >>> is_faster([1.0] * 2, [1.1] * 2), is_faster([1.0] * 2, [1.02] * 2)
    (True, False)
    >>> is_faster([1.0], [2.0]), is_faster([0.1], [0.2])
    (True, False)
    >>> is_faster([1.0] * 4, [1.02] * 4), is_faster([1.0] * 4, [1.02] * 3 + [0.9])
    (True, False)
    >>> is_faster([1.0] * 9, [1.02] * 9), is_faster([1.0] * 9, [1.02] * 8 + [0.9])
    (True, False)
    """
    common = min(len(new), len(old))
    if not common:
        return False
    new, old = new[:common], old[:common]
    ratios = _ratios(new, old)
    if min(ratios) > CLEAR:
        return common >= LEAST_ROUNDS or min(old) > LONG
    if _is_apart(new, old):
        return True
    wins, losses = sum(each > 1 for each in ratios), sum(each < 1 for each in ratios)
    is_ahead = wins - losses >= MAJORITY * sqrt(common) and median(ratios) > NEGLIGIBLE
    return is_ahead and min(new) < min(old)


def _is_apart(new: Sequence[float], old: Sequence[float]) -> bool:
    """Is each time of the new version better than each of the old one, by more than they scatter?

    >>> _is_apart([2.0, 2.1], [2.4, 2.5]), _is_apart([2.0, 2.1], [2.4, 2.9])
    (True, False)
    >>> _is_apart([0.02] * 2, [0.03] * 2), _is_apart([0.02] * 4, [0.03] * 4)
    (False, True)
    """
    rounds = len(new)
    if rounds < (SOME_ROUNDS if min(old) < SHORT else LEAST_ROUNDS):
        return False
    least = CERTAIN if rounds < SOME_ROUNDS else NEGLIGIBLE
    scatter = max(max(times) / max(min(times), 1e-12) for times in (new, old))
    return min(old) > max(least, scatter) * max(new)


def _ratios(new: Sequence[float], old: Sequence[float]) -> list[float]:
    return [before / max(now, 1e-12) for now, before in zip(new, old, strict=False)]


def is_settled(one: Sequence[float], other: Sequence[float]) -> bool:
    """Would more rounds change nothing: is one faster, or does it not matter which?"""
    if is_faster(one, other) or is_faster(other, one):
        return True
    ratios = _ratios(one, other)
    if len(ratios) < ENOUGH_ROUNDS:
        return False
    return 1 / NEGLIGIBLE <= median(ratios) <= NEGLIGIBLE


@record
class Decision:
    """The version to take, and whether more rounds could change that."""

    key: str
    is_sure: bool


def unbeaten(rounds: Rounds) -> list[str]:
    """The versions than which none is faster beyond doubt.

    What has fewer rounds than the others was beaten when it was run for the last time.  If each is
    beaten by another one, which chance can bring about, it is the one with the best median.

    >>> unbeaten({"old": [2.0, 2.1], "new": [1.0, 1.1, 9.0], "other": [1.1, 1.0, 1.0]})
    ['new', 'other']
    """
    timed = {key: times for key, times in rounds.items() if times}
    standing = [
        key
        for key, times in timed.items()
        if not any(is_faster(other, times) for other in timed.values())
    ]
    return standing or sorted(timed, key=lambda key: median(timed[key]))[:1]


def decided(rounds: Rounds, preferred: Sequence[str]) -> Decision:
    """The first of the preferred versions than which none of the others is faster beyond doubt.

    >>> decided({"old": [1.0] * 9, "new": [0.999] * 9}, ["old", "new"])
    Decision(key='old', is_sure=True)
    >>> decided({"old": [1.0] * 4, "new": [0.9] * 4}, ["old", "new"])
    Decision(key='new', is_sure=True)
    """
    standing = unbeaten({key: rounds.get(key, ()) for key in preferred})
    best = min(standing, key=preferred.index)
    is_sure = all(is_settled(rounds[key], rounds[best]) for key in standing if key != best)
    return Decision(best, is_sure)
