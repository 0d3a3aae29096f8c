"""Which order a region gets: what the schedulers find, mapped to the machine, or what it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from time import monotonic

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.emit.refusal import CannotEmit
from loopwright.model.dependences import Dependences
from loopwright.model.scop import Scop, union_set
from loopwright.polyhedra.limits import OutOfOperations, limited
from loopwright.scheduling.api import schedule
from loopwright.scheduling.options import SchedulerOptions
from loopwright.targets.cpu import Mapped, MappingOptions, cost_as_written, expanded, mapped
from loopwright.targets.machine import Machine
from loopwright.targets.registers import MOST_COPIES

CPU_SCHEDULERS = (
    SchedulerOptions(outer_coincidence=False, group_chains=False, time_limit=5.0),
    SchedulerOptions(group_chains=False, time_limit=5.0),
)
"""Bands that can be tiled first, and parallel loops first; the better one of the two is taken."""

MOST_OPERATIONS = 5_000_000
"""What isl may spend on the mapping of one order: some three seconds."""

LEAST_GAIN = 1.1
"""A region is left alone unless it is expected to become so many times as fast."""


class NothingToGain(Exception):
    """No order of a region is expected to be faster than the one that it has."""

    def __init__(self, reason: str, found: Dependences) -> None:
        super().__init__(reason)
        self.reason = reason
        self.found = found


class TimeIsUp(Exception):
    """There is no time left for what is to be done."""


class OtherSizes(InputError):
    """The user has given other tile sizes than there are loops for: no region is to blame."""


@record
class Wanted:
    """What the user wants of a new program.

    ``tile_sizes`` take the place of those that the model would choose, for each nest the outermost
    first.  Work ends at about the ``deadline``, which is a time of :func:`time.monotonic`; regions
    that are left then stay as they are.  ``skipped`` regions stay so, too, for a reason.
    """

    reschedule: bool = True
    prove: bool = True
    machine: Machine = field(default_factory=Machine)
    most_copies: int = MOST_COPIES
    tile_sizes: tuple[int, ...] = ()
    reassociates: bool = False
    """May reductions compute in another order?"""
    packs: bool = True
    """May tiles be copied into buffers?"""
    expands: bool = True
    """May arrays get a copy for each iteration?"""
    keeps_order: bool = False
    """Is the order of the source the only one to start from?"""
    chooser: Callable[[Scop, Dependences], Mapped] | None = None
    """Who knows the order better, if anybody."""
    deadline: float | None = None
    skipped: Mapping[int, str] = field(default_factory=dict[int, str])
    regions: Mapping[int, Wanted] = field(default_factory=dict[int, "Wanted"])
    """What is wanted of some regions instead; the deadline and what is skipped are the same."""

    def of(self, region: int) -> Wanted:
        """What is wanted of a region."""
        own = self.regions.get(region)
        return self if own is None else replace(own, deadline=self.deadline, prove=self.prove)

    def require_time(self) -> None:
        """Go on only if there is time left."""
        if self.deadline is not None and monotonic() > self.deadline:
            raise TimeIsUp

    def share(self, parts: int) -> Wanted:
        """The same with one part of the time that is left."""
        return replace(self, deadline=shared_time(self.deadline, parts))


def shared_time(deadline: float | None, parts: int) -> float | None:
    """When one part of the time until a deadline is over, if there is one."""
    if deadline is None:
        return None
    now = monotonic()
    return now + (deadline - now) / max(1, parts)


def chosen(scop: Scop, found: Dependences, wanted: Wanted) -> Mapped:
    """A better order, mapped to the machine; what takes too long or gains nothing stays."""
    if wanted.chooser is not None:
        return wanted.chooser(scop, found)
    machine = wanted.machine
    options = MappingOptions(
        wanted.most_copies, reassociates=wanted.reassociates, packs=wanted.packs
    )
    before = cost_as_written(scop, found, machine)
    candidates: list[tuple[isl.Schedule, Mapped]] = []
    for order in _orders(scop, found, wanted):
        if any(order.plain_is_equal(other) for other, _ in candidates):
            continue
        with suppress(OutOfOperations), limited(MOST_OPERATIONS):
            candidates.append((order, mapped(order, found, machine, options)))
        if wanted.expands and not wanted.tile_sizes:
            with suppress(OutOfOperations), limited(MOST_OPERATIONS):
                new = expanded(order, found, machine, options)
                candidates += [(order, each) for each in new]
    # Nobody knows how many threads there will be.
    sound = [each for each in candidates if each[1].serial_cost * each[1].least_gain <= before]
    order, best = min(sound, key=lambda each: each[1].cost, default=(None, None))
    if order is None or best is None or best.cost * LEAST_GAIN > before:
        raise NothingToGain(_why_nothing(best, before), found)
    if not wanted.tile_sizes:
        return replace(best, gain=_gain(best, before))
    _require_fitting(wanted.tile_sizes, best, scop)
    try:
        with limited(MOST_OPERATIONS):
            new = mapped(order, found, machine, replace(options, tile_sizes=wanted.tile_sizes))
            return replace(new, gain=_gain(new, before))
    except OutOfOperations:
        raise CannotEmit("tiles of these sizes take too long", scop.span) from None


def _orders(scop: Scop, found: Dependences, wanted: Wanted) -> Iterator[isl.Schedule]:
    """The orders to choose from: those of the schedulers that do not take too long, and its own."""
    for options in () if wanted.keeps_order else CPU_SCHEDULERS:
        wanted.require_time()
        with suppress(InputError):
            yield schedule(found, options).tree
    wanted.require_time()
    yield executed(scop)


def _why_nothing(best: Mapped | None, before: float) -> str:
    """Why the order of a region stays: what the model expects of the others."""
    if best is None:
        return "every other order that was found would be slower in one thread"
    gain = _gain(best, before)
    if gain <= 1.0 and best.parallel:
        return "it can run in parallel, but memory is expected to be the limit"
    if gain <= 1.0:
        return "no other order is expected to be faster"
    expected = f"the best other order is expected to be only {gain:.2f} times as fast"
    return f"{expected}, and {LEAST_GAIN} times is asked for"


def _gain(new: Mapped, before: float) -> float:
    """How many times as fast a new order is expected to be."""
    return before / new.cost if new.cost else 1.0


def _require_fitting(sizes: Sequence[int], best: Mapped, scop: Scop) -> None:
    """Are there as many tile sizes as there are tiled loops in the nests?"""
    counts = {len(nest.plan.tiles) for nest in best.nests if nest.plan.tiles}
    if counts - {len(sizes)}:
        raise other_sizes(len(sizes), " or ".join(map(str, sorted(counts))), scop)


def other_sizes(count: int, tiled: str, scop: Scop) -> OtherSizes:
    """Some nest has not as many tiled loops as there are tile sizes."""
    sizes = "1 tile size" if count == 1 else f"{count} tile sizes"
    message = f"{sizes} for {tiled} tiled loops"
    hint = "give one size for each tiled loop, outermost first; 1 leaves a loop whole"
    return OtherSizes(Diagnostic("LW122", message, scop.span, hint))


def executed(scop: Scop) -> isl.Schedule:
    """The order of the statements that execute something."""
    executed = union_set(each.domain for each in scop.statements if not each.is_kill)
    return scop.schedule.intersect_domain(executed)
