"""The orders that the tuner tries, each with a name from which any process can make it again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import islpy as isl

from loopwright.basics.diagnostics import InputError
from loopwright.basics.records import record
from loopwright.choosing import CPU_SCHEDULERS, executed
from loopwright.model.dependences import Dependences
from loopwright.scheduling.api import schedule
from loopwright.scheduling.options import SchedulerOptions

SOURCE = "source"
SCHEDULED = {
    "bands first": CPU_SCHEDULERS[0],
    "parallel first": CPU_SCHEDULERS[1],
    "nothing fused": SchedulerOptions(serialize_sccs=True, group_chains=False, time_limit=5.0),
    "all at once": SchedulerOptions(whole_component=True, group_chains=False, time_limit=5.0),
}
"""What schedulers find, by the name of the order."""


class NoSuchOrder(Exception):
    """A name stands for no order of this region."""


@record(eq=False)
class NamedOrder:
    """A tree of a region's instances, and the name that it can be made again from."""

    name: str
    tree: isl.Schedule


def orders(found: Dependences) -> Iterator[NamedOrder]:
    """All orders of a region that are worth a trial, each once; those that take too long are not.

    This may be asked for as many as there is time for, so that the most promising come first.
    """
    seen: list[isl.Schedule] = []
    for name in (SOURCE, *SCHEDULED):
        with suppress(NoSuchOrder):
            tree = order_named(name, found)
            if not any(tree.plain_is_equal(each) for each in seen):
                seen.append(tree)
                yield NamedOrder(name, tree)


def order_named(name: str, found: Dependences) -> isl.Schedule:
    """The order of this name, the same in every process; :class:`NoSuchOrder` if there is none."""
    if name == SOURCE:
        return executed(found.scop)
    if name not in SCHEDULED:
        raise NoSuchOrder(name)
    try:
        return schedule(found, SCHEDULED[name]).tree
    except InputError as error:
        raise NoSuchOrder(f"{name}: {error.diagnostics[0].message}") from None
