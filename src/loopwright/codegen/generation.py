"""``generate``: from a schedule to a LoopAst."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import islpy as isl

from loopwright.basics.names import FreshNames
from loopwright.basics.recursion import deep_recursion
from loopwright.codegen.combining import guarded
from loopwright.codegen.core import band_levels
from loopwright.codegen.grafts import Graft
from loopwright.codegen.leaves import statements
from loopwright.codegen.options import AstOptions, LoopType, Strategy
from loopwright.codegen.stock import Stock, first_stock
from loopwright.codegen.tasks import Executed, Member, Task
from loopwright.codegen.trade_off import Trial, with_little_overhead
from loopwright.codegen.trees import isolated_part, visit
from loopwright.model.loop_ast import Block, LoopAst, Node
from loopwright.polyhedra.levels import SET, plain_space
from loopwright.polyhedra.limits import OutOfOperations, limited
from loopwright.polyhedra.unions import by_statement, maps_of, parameter_names, sets_of

Kind = isl.schedule_node_type


def generate(
    schedule: isl.Schedule | isl.UnionMap,
    *,
    context: isl.Set | None = None,
    options: AstOptions | None = None,
    strategy: Strategy | str | None = None,
    overhead_depth: int | None = None,
    max_overhead_depth: int | None = None,
    max_growth: float | None = None,
) -> LoopAst:
    """Loops that run the instances of a schedule in its order.

    ``schedule`` is a schedule tree or a map from instances to times, which are compared
    lexicographically; ``context`` says what is known about the symbolic constants.  The rest are
    options that may be given by themselves; ``max_overhead_depth`` is another name for
    ``overhead_depth``.

    >>> times = isl.UnionMap("[n] -> { S[i] -> [i, 0] : 0 <= i < n; T[i] -> [i, 1] : 0 <= i < n }")
    >>> print(generate(times).to_c(), end="")
    for (int c0 = 0; c0 < n; c0 += 1) {
      S(c0);
      T(c0);
    }
    """
    chosen = options or AstOptions()
    _refuse_other_types(schedule)
    if overhead_depth is not None and max_overhead_depth not in (None, overhead_depth):
        raise ValueError("overhead_depth and max_overhead_depth are the same; give one of them")
    given = {
        "strategy": Strategy(strategy) if strategy is not None else None,
        "overhead_depth": max_overhead_depth if overhead_depth is None else overhead_depth,
        "max_growth": max_growth,
    }
    chosen = replace(chosen, **{name: value for name, value in given.items() if value is not None})
    _refuse_misuse(schedule, context, chosen)
    known = context if context is not None else isl.Set("{ : }")
    schedule, known, chosen = _in_one_order(schedule, known, chosen)
    names = _iterator_names(chosen, _names_in(schedule, known))

    def loops(trial: AstOptions, copies: int) -> Trial:
        """All the loops, with so many copies of statements more at most."""
        stock = first_stock(known, names, trial)
        stock.budget.copies = copies
        try:
            with limited(trial.max_operations), deep_recursion():
                ast = LoopAst(_root(schedule, stock))
        except (OutOfOperations, RecursionError) as error:
            raise Task((), statements).too_complex() from error
        return Trial(ast, is_complete=not stock.budget.was_short)

    return with_little_overhead(loops, chosen)


def _refuse_other_types(schedule: object) -> None:
    if not isinstance(schedule, isl.Schedule | isl.UnionMap):
        raise TypeError(f"a schedule is an isl.Schedule or an isl.UnionMap, no {type(schedule)}")


def _refuse_misuse(
    schedule: isl.Schedule | isl.UnionMap, context: isl.Set | None, options: AstOptions
) -> None:
    """What cannot be meant is said, not left out."""
    if options.is_mapped and options.has_loop_types():
        raise ValueError("loop types and isolated parts are for the AST generator, not mappings")
    if context is not None and not context.is_params():
        raise ValueError(f"the context {context} has dimensions; it is about parameters only")
    if isinstance(schedule, isl.Schedule):
        if any(instances.is_params() for instances in sets_of(schedule.get_domain())):
            raise ValueError(f"the domain {schedule.get_domain()} has no instances")
        if options.loop_types or options.isolated_loop_types or options.isolate is not None:
            raise ValueError(
                "the bands of a schedule tree say themselves what to isolate or unroll"
            )
        return
    lengths = {times.dim(isl.dim_type.out) for times in maps_of(schedule)}
    if len(lengths) > 1:
        raise ValueError(f"the times of a schedule have different lengths: {sorted(lengths)}")
    if options.isolate is not None and lengths and {options.isolate.dim(SET)} != lengths:
        raise ValueError(f"the part to isolate, {options.isolate}, has not the length of the times")


def _root(schedule: isl.Schedule | isl.UnionMap, stock: Stock) -> Node:
    if isinstance(schedule, isl.Schedule):
        grafts = visit(schedule.get_root(), stock, _at_no_time(schedule.get_domain()))
    else:
        grafts = _from_map(schedule, stock)
    if not grafts:
        return Block(())
    return guarded(grafts, isl.Set.universe(stock.known.get_space()), stock)


def _at_no_time(domain: isl.UnionSet) -> Executed:
    """``[] -> S[…]`` for each statement, outside all loops."""
    empty = isl.Set.universe(plain_space(domain.get_space(), 0))
    sets = by_statement(sets_of(domain), SET)
    return tuple(isl.Map.from_domain_and_range(empty, instances) for instances in sets)


def _from_map(schedule: isl.UnionMap, stock: Stock) -> list[Graft]:
    maps = by_statement(maps_of(schedule.reverse()), isl.dim_type.out)
    executed = tuple(
        relation.reset_tuple_id(isl.dim_type.in_).detect_equalities() for relation in maps
    )
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
    return band_levels(stock, executed, Task(members, statements, isolated=isolated))


def _at(types: tuple[LoopType, ...], position: int, otherwise: LoopType) -> LoopType:
    return types[position] if position < len(types) else otherwise


# --- names ----------------------------------------------------------------------------------------


def _iterator_names(options: AstOptions, taken: set[str]) -> Callable[[int], str]:
    """The name for the iterator of each dimension, none of which means anything else."""
    fresh = FreshNames(set(taken))
    names = [fresh.fresh(wanted) for wanted in options.iterators]

    def name(position: int) -> str:
        while len(names) <= position:
            names.append(fresh.fresh(f"c{len(names)}"))
        return names[position]

    return name


def _in_one_order(
    schedule: isl.Schedule | isl.UnionMap, known: isl.Set, options: AstOptions
) -> tuple[isl.Schedule | isl.UnionMap, isl.Set, AstOptions]:
    """The same with all parameters listed in one order: isl does not always look at their names."""
    order = known.get_space().params()
    for each in _spaces_in(schedule, options):
        order = order.align_params(each)
    isolate = options.isolate
    if isolate is not None:
        options = replace(options, isolate=isolate.align_params(order))
    return schedule.align_params(order), known.align_params(order), options


def _spaces_in(schedule: isl.Schedule | isl.UnionMap, options: AstOptions) -> list[isl.Space]:
    """The spaces that say which parameters there are."""
    if isinstance(schedule, isl.UnionMap):
        isolate = options.isolate
        return [schedule.get_space(), *([isolate.get_space()] if isolate is not None else [])]
    found = [schedule.get_domain().get_space()]

    def look(node: isl.ScheduleNode) -> bool:
        found.extend(each.get_space() for each in _relations_at(node))
        return True

    schedule.get_root().foreach_descendant_top_down(look)
    return found


def _names_in(schedule: isl.Schedule | isl.UnionMap, known: isl.Set) -> set[str]:
    """The symbolic constants and the statements that a schedule speaks of.

    An iterator of the same name would not only hide them in C: expressions know both by name alone.
    All that is given lists the same parameters.
    """
    found = parameter_names(known.get_space())
    if isinstance(schedule, isl.UnionMap):
        return found | _names_of(schedule.domain())
    found |= _names_of(schedule.get_domain())

    def look(node: isl.ScheduleNode) -> bool:
        found.update(*(_names_of(each) for each in _instances_at(node)))
        return True

    schedule.get_root().foreach_descendant_top_down(look)
    return found


def _relations_at(
    node: isl.ScheduleNode,
) -> list[isl.MultiUnionPwAff | isl.UnionMap | isl.UnionSet | isl.Set]:
    """What a node of a schedule tree holds."""
    match node.get_type():
        case Kind.band:
            return [node.band_get_partial_schedule(), node.band_get_ast_build_options()]
        case Kind.context:
            return [node.context_get_context()]
        case Kind.guard:
            return [node.guard_get_guard()]
        case Kind.filter:
            return [node.filter_get_filter()]
        case Kind.extension:
            return [node.extension_get_extension()]
        case Kind.expansion:
            return [node.expansion_get_expansion()]
        case _:
            return []


def _instances_at(node: isl.ScheduleNode) -> list[isl.UnionSet]:
    """The instances that a node speaks of, or adds."""
    match node.get_type():
        case Kind.filter:
            return [node.filter_get_filter()]
        case Kind.extension:
            return [node.extension_get_extension().range()]
        case Kind.expansion:
            return [node.expansion_get_expansion().range()]
        case _:
            return []


def _names_of(instances: isl.UnionSet) -> set[str]:
    named = (one for one in sets_of(instances) if one.has_tuple_name())
    return parameter_names(instances.get_space()) | {one.get_tuple_name() for one in named}
