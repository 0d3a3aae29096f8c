"""How fast versions are, from the trials of a run alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from loopwright.basics.records import record
from loopwright.tuning.ledger import is_timed
from loopwright.tuning.store import Trial


@record
class Standing:
    """The times of a version in its last races, and how many times as fast as the original it is.

    Where the two have not run side by side, others have run beside both, and ratios multiply; the
    times are then on the scale of those of the original, as if all had been in one race.
    """

    times: tuple[float, ...]
    gain: float


def standings(original: str, first: float, trials: Sequence[Trial]) -> dict[str, Standing]:
    """The standing of each version that was timed, by its key; the original was, in any case.

    ``original`` is the key of the original, and ``first`` its time before any race.  The races
    since its last one are those that decide; in these, times are compared directly.
    """
    races: dict[int, list[Trial]] = {}
    for each in filter(is_timed, trials):
        races.setdefault(each.rung, []).append(each)
    scaled, times = {original: first}, dict[str, tuple[float, ...]]()
    for _, race in sorted(races.items()):
        _follow(race, scaled)
        times |= {each.candidate.key: each.times for each in race}
    finals = _finals(original, races)
    own = min(finals.get(original, (first,)))
    found = {original: Standing((first,), 1.0)}
    for key in times:
        if key in finals:
            found[key] = Standing(finals[key], own / max(min(finals[key]), 1e-12))
        elif key in scaled:
            gain = scaled[original] / max(scaled[key], 1e-12)
            factor = own / max(gain * min(times[key]), 1e-12)
            found[key] = Standing(tuple(factor * each for each in times[key]), gain)
    return found


def _follow(race: Sequence[Trial], scaled: dict[str, float]) -> None:
    """Bring the times of a race onto the scale of the others, by the version beside all of them."""
    beside = race[0].beside
    known = next((each for each in race if each.times == beside), None)
    if known is None or not beside:
        return
    scale = scaled.setdefault(known.candidate.key, min(beside)) / max(min(beside), 1e-12)
    scaled |= {each.candidate.key: scale * min(each.times) for each in race}


def _finals(original: str, races: Mapping[int, Sequence[Trial]]) -> dict[str, tuple[float, ...]]:
    """All times since the last race that the original was in."""
    last = max(
        (rung for rung, race in races.items() if any(_is(each, original) for each in race)),
        default=0,
    )
    found: dict[str, tuple[float, ...]] = {}
    for rung, race in sorted(races.items()):
        for each in race if rung >= last else ():
            key = each.candidate.key
            found[key] = (*found.get(key, ()), *each.times)
    return found


def _is(trial: Trial, key: str) -> bool:
    return trial.candidate.key == key
