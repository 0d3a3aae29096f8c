"""``generate``: from a schedule to a LoopAst."""

from __future__ import annotations

from collections.abc import Callable

import islpy as isl

from loopwright.codegen.combining import guarded
from loopwright.codegen.core import next_level
from loopwright.codegen.grafts import Graft
from loopwright.codegen.leaves import statements
from loopwright.codegen.options import AstOptions, LoopType
from loopwright.codegen.stock import Stock, first_stock
from loopwright.codegen.tasks import Executed, Member, Task, aligned
from loopwright.codegen.trees import isolated_part, visit
from loopwright.model.loop_ast import Block, LoopAst
from loopwright.polyhedra.levels import plain_space


def generate(
    schedule: isl.Schedule | isl.UnionMap,
    *,
    context: isl.Set | None = None,
    options: AstOptions | None = None,
) -> LoopAst:
    """Loops that run the instances of a schedule in its order.

    ``schedule`` is a schedule tree or a map from instances to times, which are compared
    lexicographically; ``context`` says what is known about the symbolic constants.

    >>> times = isl.UnionMap("[n] -> { S[i] -> [i, 0] : 0 <= i < n; T[i] -> [i, 1] : 0 <= i < n }")
    >>> print(generate(times).to_c(), end="")
    for (int c0 = 0; c0 < n; c0 += 1) {
      S(c0);
      T(c0);
    }
    """
    chosen = options or AstOptions()
    known = context if context is not None else isl.Set("{ : }")
    stock = first_stock(known, _names(chosen, known), chosen)
    if isinstance(schedule, isl.Schedule):
        grafts = visit(schedule.get_root(), stock, _at_no_time(schedule.get_domain()))
    else:
        grafts = _from_map(schedule, stock)
    if not grafts:
        return LoopAst(Block(()))
    return LoopAst(guarded(grafts, isl.Set.universe(stock.known.get_space()), stock))


def _at_no_time(domain: isl.UnionSet) -> Executed:
    """``[] -> S[…]`` for each statement, outside all loops."""
    sets = domain.get_set_list()
    empty = isl.Set.universe(plain_space(domain.get_space(), 0))
    return tuple(
        isl.Map.from_domain_and_range(empty, sets.get_at(index)) for index in range(len(sets))
    )


def _from_map(schedule: isl.UnionMap, stock: Stock) -> list[Graft]:
    maps = schedule.reverse().get_map_list()
    executed = tuple(maps.get_at(index) for index in range(len(maps)))
    if not executed:
        return []
    count = executed[0].dim(isl.dim_type.in_)
    options = stock.options
    isolated = None
    if options.isolate is not None:
        isolated = isolated_part(isl.Map.from_range(options.isolate), stock, count)
    members = tuple(
        Member(
            _at(options.loop_types, position, options.loop_type),
            _at(options.isolated_loop_types, position, options.loop_type),
        )
        for position in range(count)
    )
    stock, executed = aligned(stock, executed)
    return next_level(stock, executed, Task(members, statements, isolated=isolated))


def _at(types: tuple[LoopType, ...], position: int, otherwise: LoopType) -> LoopType:
    return types[position] if position < len(types) else otherwise


def _names(options: AstOptions, known: isl.Set) -> Callable[[int], str]:
    def name(position: int) -> str:
        if position < len(options.iterators):
            return options.iterators[position]
        return f"c{position}"

    return name
