"""A level in blocks: the first value of a block, and the place in the block.

What depends on the remainder of a level is the same in all blocks, so that it needs no test once
the places of a block stand one after the other.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from loopwright.codegen.grafts import Graft
from loopwright.codegen.loops import Next, at_value
from loopwright.codegen.options import LoopType
from loopwright.codegen.stock import Stock
from loopwright.codegen.tasks import Executed, Member, Origin, Task, substituted
from loopwright.polyhedra.levels import SET, level_aff, plain_space
from loopwright.polyhedra.values import isl_value


def in_blocks(
    executed: Executed, task: Task, inside: Next, level: int, size: int
) -> tuple[Executed, Task, Next]:
    """The same with one level more: t becomes m·⌊t/m⌋ and t mod m."""
    change = _change(executed[0].domain().get_space(), level)
    within = _blocks(change.get_domain_space(), level, size)
    runs = tuple(relation.intersect_domain(within) for relation in substituted(executed, change))

    def one_by_one(body: Stock, here: Executed, rest: Task) -> list[Graft]:
        return _one_by_one(body, here, rest, inside, size)

    return runs, _with_place(task.substituted(change)), one_by_one


def _one_by_one(
    stock: Stock, executed: Executed, task: Task, inside: Next, size: int
) -> list[Graft]:
    """The places of a block, without a loop."""
    if not executed:
        return []
    space = plain_space(stock.known.get_space(), stock.depth)
    anything = isl.BasicSet.universe(plain_space(space, stock.depth + 1))
    zero = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    grafts: list[Graft] = []
    for place in range(size):
        value = zero.add_constant_val(isl_value(place))
        grafts += at_value(stock, executed, anything, value, task, inside)
    return grafts


def _change(space: isl.Space, level: int) -> isl.MultiAff:
    """``[…, first, place, …] -> […, first + place, …]``."""
    dimensions = space.dim(SET)
    domain = plain_space(space, dimensions + 1)
    affs = isl.AffList.alloc(isl.DEFAULT_CONTEXT, dimensions)
    for position in range(dimensions):
        value = level_aff(domain, position if position <= level else position + 1)
        affs = affs.add(value.add(level_aff(domain, level + 1)) if position == level else value)
    target = plain_space(space, dimensions)
    return isl.MultiAff.from_aff_list(domain.map_from_domain_and_range(target), affs)


def _blocks(space: isl.Space, level: int, size: int) -> isl.Set:
    """Where blocks start, and which places they have."""
    first, place = level_aff(space, level), level_aff(space, level + 1)
    zero = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    last = zero.add_constant_val(isl_value(size - 1))
    within = place.ge_basic_set(zero).intersect(place.le_basic_set(last))
    starts = first.mod_val(isl_value(size)).eq_basic_set(zero)
    return isl.Set.from_basic_set(within.intersect(starts))


def _with_place(task: Task) -> Task:
    """One level more, which is a part of the same dimension of the schedule, if it is one."""
    block, *rest = task.members
    origin = Origin.SHIFT if block.origin is Origin.SCHEDULE else block.origin
    place = Member(LoopType.UNROLL, LoopType.UNROLL, origin)
    return replace(task, members=(block, place, *rest))
