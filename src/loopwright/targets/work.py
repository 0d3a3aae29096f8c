"""How much work a parallel loop has, and how it is spread over its iterations."""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl

from loopwright.polyhedra.unions import sets_of
from loopwright.polyhedra.values import is_plain, isl_value
from loopwright.targets.nests import Nest

SET, PARAM = isl.dim_type.set, isl.dim_type.param


@dataclass(frozen=True, slots=True, eq=False)
class ParallelLoop:
    """A loop for several threads.

    ``extents`` are functions of the parameters; their product bounds the number of iterations of
    the nest inside.  ``is_even`` says whether all iterations of the loop do the same work.
    """

    extents: tuple[isl.PwAff, ...]
    is_even: bool


def parallel_loop(nest: Nest, member: int) -> ParallelLoop:
    """What is to be known about a member that becomes parallel."""
    times = _times(nest)
    extents = (_extent(times, at) for at in range(times.dim(SET)))
    outer = times.dim(SET) - len(nest.members)
    is_even = all(_is_box(times, outer + member, outer + at) for at in nest.members if at != member)
    return ParallelLoop(tuple(each for each in extents if each is not None), is_even)


def _times(nest: Nest) -> isl.Set:
    """All times of a statement with the most loops."""
    members = nest.node.band_get_partial_schedule().reset_tuple_id(SET)
    deepest = max(nest.statements, key=lambda name: nest.depths[name])
    (domain,) = (
        each for each in sets_of(nest.node.get_domain()) if each.get_tuple_name() == deepest
    )
    relation = isl.UnionMap.from_multi_union_pw_aff(members)
    return isl.Set.from_union_set(relation.intersect_domain(isl.UnionSet.from_set(domain)).range())


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
