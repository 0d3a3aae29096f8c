"""How much work a parallel loop has, and how it is spread over its iterations."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.dependences import Reduction
from loopwright.model.pragma_marks import LEAST_WORK
from loopwright.polyhedra.unions import sets_of
from loopwright.polyhedra.values import constant_of, is_plain, isl_value
from loopwright.targets.nests import Nest

SET, PARAM = isl.dim_type.set, isl.dim_type.param


@record(eq=False)
class ParallelLoop:
    """A loop for several threads.

    ``extents`` are functions of the parameters; their product bounds the number of iterations of
    the nest inside.  ``is_even`` says whether all iterations of the loop do the same work.
    """

    extents: tuple[isl.PwAff, ...] = ()
    is_even: bool = True
    reductions: tuple[Reduction, ...] = ()
    """What it computes in parts."""
    private: tuple[str, ...] = ()
    """Variables that each iteration needs for itself."""


def parallel_loop(nest: Nest, member: int) -> ParallelLoop:
    """What is to be known about a member that becomes parallel."""
    loop = parallel_work(nest, member)
    return replace(loop, reductions=nest.reductions(member), private=nest.privates(member) or ())


def parallel_work(nest: Nest, member: int) -> ParallelLoop:
    """The work of a parallel loop: a member, or one of the bands inside, counted on from there."""
    # Of several statements with as many loops, the one whose loops say most about the work.
    times, known = max(
        ((times, _extents(times)) for times in _times(nest)),
        key=lambda found: sum(constant_of(each) is None for each in found[1]),
    )
    is_even = all(_is_box(times, member, at) for at in range(times.dim(SET)) if at != member)
    return ParallelLoop(known, is_even)


def _extents(times: isl.Set) -> tuple[isl.PwAff, ...]:
    """What is known of the numbers of iterations."""
    extents = (_extent(times, at) for at in range(times.dim(SET)))
    return tuple(each for each in extents if each is not None and constant_of(each) != 1)


def has_little_work(nest: Nest) -> bool:
    """Is it known that threads would cost more than they gain?"""
    return all(map(_is_little, _times(nest)))


def _is_little(times: isl.Set) -> bool:
    work = 1
    for at in range(times.dim(SET)):
        extent = _extent(times, at)
        count = constant_of(extent) if extent is not None else None
        if count is None:
            return False
        work *= max(count, 1)
    return work < LEAST_WORK


def _times(nest: Nest) -> list[isl.Set]:
    """All times of each statement with the most loops: of the members first, then of loops inside.

    In the order of the statements.
    """
    most = max(nest.depths[name] for name in nest.statements)
    domains = {each.get_tuple_name(): each for each in sets_of(nest.node.get_domain())}
    relation = nest.node.get_subtree_schedule_union_map()
    found: list[isl.Set] = []
    for name in nest.statements:
        if nest.depths[name] == most:
            times = relation.intersect_domain(isl.UnionSet.from_set(domains[name])).range()
            found.append(isl.Set.from_union_set(times).reset_tuple_id())
    return found


def _extent(times: isl.Set, member: int) -> isl.PwAff | None:
    """The number of values of a member, if one affine expression tells it."""
    alone = times
    for at in reversed(range(times.dim(SET))):
        if at != member:
            alone = alone.project_out(SET, at, 1)
    alone = alone.coalesce()
    if alone.n_basic_set() != 1 or not alone.is_bounded():
        return None
    least, greatest = alone.dim_min(0), alone.dim_max(0)
    if least.n_piece() != 1 or greatest.n_piece() != 1:
        return None
    extent = greatest.sub(least).add_constant_val(isl_value(1))
    return extent if all(is_plain(value) for _, value in extent.get_pieces()) else None


def _is_box(times: isl.Set, first: int, second: int) -> bool:
    """Does one member have the same values whatever the other's is?"""
    both = times
    for at in reversed(range(times.dim(SET))):
        if at not in (first, second):
            both = both.project_out(SET, at, 1)
    low, high = both.project_out(SET, 1, 1), both.project_out(SET, 0, 1)
    return low.flat_product(high).is_subset(both)
