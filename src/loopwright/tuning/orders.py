"""The orders that the tuner tries, each with a name from which any process can make it again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache

import islpy as isl

from loopwright.basics.diagnostics import InputError
from loopwright.basics.records import record
from loopwright.choosing import CPU_SCHEDULERS, executed
from loopwright.dependence.analysis import dependences
from loopwright.interleaving.optimizer import Optimizer, Options
from loopwright.interleaving.preorders import Interleaving, interleaving_of
from loopwright.interleaving.programs import program_of
from loopwright.model.dependences import Dependences
from loopwright.polyhedra.lexmin import Allowance, OutOfTime
from loopwright.polyhedra.limits import OutOfOperations
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
FUSION, NEAR = "fusion", "reads near"
"""The words around an interleaving in a name."""

FEW = 8
"""If the outermost loops leave fewer interleavings, deeper ones are looked at."""
DEEPEST = 3
MOST = 2000
"""So many interleavings are looked at to find the most promising ones."""
SECONDS = 20.0
"""What the schedules of one region may take in all."""


class NoSuchOrder(Exception):
    """A name stands for no order of this region."""


@record(eq=False)
class NamedOrder:
    """A tree of a region's instances, and the name that it can be made again from."""

    name: str
    tree: isl.Schedule


def orders(found: Dependences, depth: int | None = None) -> Iterator[NamedOrder]:
    """All orders of a region that are worth a trial, each once; those that take too long are not.

    Interleavings are those of ``depth`` levels; without one, of the outermost level, or of more if
    that has few.  Somebody may ask for as many as there is time for, so that the most promising
    come first.
    """
    seen: list[isl.Schedule] = []
    for name in _names(found, depth):
        with suppress(NoSuchOrder):
            tree = order_named(name, found)
            if not any(tree.plain_is_equal(each) for each in seen):
                seen.append(tree)
                yield NamedOrder(name, tree)


def order_named(name: str, found: Dependences) -> isl.Schedule:
    """The order of this name, the same in every process; :class:`NoSuchOrder` if there is none."""
    if name == SOURCE:
        return executed(found.scop)
    if is_fusion(name):
        return _interleaved(name, found)
    if name not in SCHEDULED:
        raise NoSuchOrder(name)
    try:
        return schedule(found, SCHEDULED[name]).tree
    except InputError as error:
        raise NoSuchOrder(f"{name}: {error.diagnostics[0].message}") from None


def _names(found: Dependences, depth: int | None) -> Iterator[str]:
    yield SOURCE
    yield from SCHEDULED
    with suppress(OutOfTime, OutOfOperations, isl.Error):
        for each in _by_promise(_optimizer(found), depth):
            yield fusion_name(each)
            yield fusion_name(each, near=True)


# --- interleavings --------------------------------------------------------------------------------


def fusion_name(interleaving: Interleaving, *, near: bool = False) -> str:
    """The name of the order that the optimizer finds for an interleaving.

    >>> fusion_name(interleaving_of([(0, 0), (0, 1), (1, 0)]), near=True)
    'fusion 0 0 1 / 0 1 2, reads near'
    """
    return f"{FUSION} {interleaving}" + (f", {NEAR}" if near else "")


def is_fusion(name: str) -> bool:
    """Does a name stand for an interleaving?  Then statements stay together as it says."""
    return name.startswith(f"{FUSION} ")


def interleaving_named(name: str) -> tuple[Interleaving, bool]:
    """The interleaving of a name, and whether reads are near.

    >>> str(interleaving_named("fusion 0 0 1 / 0 1 2, reads near")[0])
    '0 0 1 / 0 1 2'
    """
    text, _, near = name.removeprefix(f"{FUSION} ").partition(", ")
    try:
        levels = [tuple(map(int, level.split())) for level in text.split(" / ")]
        found = interleaving_of(list(zip(*levels, strict=True)))
    except ValueError:
        raise NoSuchOrder(name) from None
    if fusion_name(found, near=bool(near)) != name:
        raise NoSuchOrder(name)
    return found, bool(near)


def _interleaved(name: str, found: Dependences) -> isl.Schedule:
    interleaving, near = interleaving_named(name)
    try:
        return _optimizer(found, near=near).tree(interleaving)
    except ValueError as error:
        raise NoSuchOrder(f"{name}: {error}") from None
    except (OutOfTime, OutOfOperations, isl.Error):
        raise NoSuchOrder(f"{name}: it takes too long") from None


@lru_cache(maxsize=4)
def _optimizer(found: Dependences, *, near: bool = False) -> Optimizer:
    """What finds the orders of a region; the relations of reads are computed for it."""
    whole = dependences(found.scop, inputs=True)
    return Optimizer(program_of(whole, Allowance(SECONDS)), Options(near=near))


def _by_promise(optimizer: Optimizer, depth: int | None) -> Iterator[Interleaving]:
    """The points of F: the ends of the scale first, then each way to fuse, then other orders.

    Which statements are fused decides over most of the time, and in which order the groups run over
    little.  There are none if no statement runs: the source has all orders that there are.
    """
    if not optimizer.program.statements:
        return
    space = optimizer.space()
    ends = (space.most_fused(), space.most_distributed(), space.best(optimizer.program.reuse))
    seen = {str(each): each for each in ends if each is not None}
    yield from seen.values()
    points = [each for each in _points(optimizer, depth) if str(each) not in seen]
    ways = {_ways(each) for each in seen.values()}
    later: list[Interleaving] = []
    for each in points:
        if _ways(each) in ways:
            later.append(each)
        else:
            ways.add(_ways(each))
            yield each
    yield from later


def _points(optimizer: Optimizer, depth: int | None) -> list[Interleaving]:
    if depth is not None:
        return optimizer.some(MOST, depth)
    points: list[Interleaving] = []
    for level in range(1, DEEPEST + 1):
        points = optimizer.some(MOST, level)
        if len(points) >= FEW:
            break
    return points


def _ways(interleaving: Interleaving) -> object:
    """Who is together with whom at each level, whoever comes first."""
    return tuple(frozenset(level.groups) for level in interleaving.levels)
