"""isl's own generator of loops and scheduler, to compare with: the oracle, and ``--engine isl``.

Ours (``loopwright.codegen``, ``loopwright.scheduling``) never call them.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.spans import Span, whole_file
from loopwright.codegen.options import AstOptions, LoopType
from loopwright.polyhedra.limits import OutOfOperations, limited

SWITCHES = {
    "exploit_nested_bounds": "ast_build_exploit_nested_bounds",
    "atomic_upper_bound": "ast_build_atomic_upper_bound",
    "detect_min_max": "ast_build_detect_min_max",
    "allow_else": "ast_build_allow_else",
    "allow_or": "ast_build_allow_or",
    "prefer_remainder": "ast_build_prefer_pdiv",
    "scale_strides": "ast_build_scale_strides",
}
"""Our options that isl has too, and what it calls them."""

_TYPES = {kind: getattr(isl.ast_loop_type, kind.value) for kind in LoopType}


def isl_loops(
    schedule: isl.Schedule | isl.UnionMap,
    *,
    context: isl.Set | None = None,
    options: AstOptions | None = None,
    iterator_type: str = "int",
    definitions: bool = False,
) -> str:
    """The loops that isl generates, as C.

    Options that isl does not have are ignored.

    >>> print(isl_loops(isl.UnionMap("{ S[i] -> [i] : 0 <= i < 9 }")), end="")
    for (int c0 = 0; c0 <= 8; c0 += 1)
      S(c0);
    """
    chosen = options or AstOptions()
    build = isl.AstBuild.from_context(context if context is not None else isl.Set("{ : }"))
    build = build.set_iterators(_ids(chosen.iterators))
    try:
        with _switched(_generating(chosen, iterator_type)), limited(chosen.max_operations):
            if isinstance(schedule, isl.UnionMap) and chosen.isolate is not None:
                schedule = tree_with_isolation(schedule, chosen)
            if isinstance(schedule, isl.Schedule):
                node = build.node_from_schedule(_typed_tree(schedule, chosen.loop_type))
            else:
                build = build.set_options(typed_map(schedule, chosen))
                node = build.node_from_schedule_map(schedule)
            return (_macros(node) if definitions else "") + node.to_C_str()
    except (OutOfOperations, isl.Error) as error:
        raise _gives_up(error, whole_file("<schedule>")) from None


def _gives_up(error: OutOfOperations | isl.Error, place: Span) -> InputError:
    words = "it takes too long" if isinstance(error, OutOfOperations) else _words(error)
    return InputError(Diagnostic("LW510", f"isl gives up: {words}", place))


def _generating(options: AstOptions, iterator_type: str) -> dict[str, object]:
    """What isl's generator is to be told."""
    wanted: dict[str, object] = {
        name: int(getattr(options, ours)) for ours, name in SWITCHES.items()
    }
    return wanted | {"ast_iterator_type": iterator_type}


@contextmanager
def _switched(wanted: Mapping[str, object]) -> Generator[None]:
    """isl keeps its options in its context, which everybody shares."""
    context = isl.DEFAULT_CONTEXT
    before = {name: getattr(context, f"get_{name}")() for name in wanted}
    try:
        for name, value in wanted.items():
            getattr(context, f"set_{name}")(value)
        yield
    finally:
        for name, value in before.items():
            getattr(context, f"set_{name}")(value)


SCHEDULING = (
    "outer_coincidence",
    "maximize_band_depth",
    "maximize_coincidence",
    "serialize_sccs",
    "whole_component",
    "split_scaled",
    "treat_coalescing",
    "carry_self_first",
    "max_coefficient",
    "max_constant_term",
)
"""Our options of the scheduler that isl has too, under the same names."""

NO_LIMIT = -1
"""What isl calls it."""


def isl_schedule(
    asked: isl.ScheduleConstraints, options: Mapping[str, int | None], operations: int, place: Span
) -> isl.Schedule:
    """The schedule that isl computes; options that isl does not have are ignored.

    >>> chain = isl.UnionMap("{ S[i] -> S[i + 1] : 0 <= i < 9 }")
    >>> domain = isl.UnionSet("{ S[i] : 0 <= i <= 9 }")
    >>> asked = isl.ScheduleConstraints.on_domain(domain).set_validity(chain)
    >>> tree = isl_schedule(asked, {}, 1_000_000, whole_file("chain"))
    >>> print(tree.get_root().child(0).band_get_partial_schedule())
    [{ S[i] -> [(i)] }]
    """
    wanted = {
        f"schedule_{name}": NO_LIMIT if options[name] is None else int(options[name] or 0)
        for name in SCHEDULING
        if name in options
    }
    try:
        with _switched(wanted), limited(operations):
            return asked.compute_schedule()
    except (OutOfOperations, isl.Error) as error:
        raise _gives_up(error, place) from None


def _ids(names: Sequence[str]) -> isl.IdList:
    ids = isl.IdList.alloc(isl.DEFAULT_CONTEXT, len(names))
    for name in names:
        ids = ids.add(isl.Id(name))
    return ids


def typed_map(schedule: isl.UnionMap, options: AstOptions) -> isl.UnionMap:
    """The loop type of each schedule dimension, as isl wants to be told."""
    maps = schedule.get_map_list()
    count = maps.get_at(0).dim(isl.dim_type.out) if len(maps) else 0
    times = ", ".join(f"t{position}" for position in range(count))
    told = isl.UnionMap("{ }")
    for position in range(count):
        given = position < len(options.loop_types)
        kind = options.loop_types[position] if given else options.loop_type
        if kind is not LoopType.DEFAULT:
            told = told.union(isl.UnionMap(f"{{ [{times}] -> {kind.value}[{position}] }}"))
    return told


def tree_with_isolation(times: isl.UnionMap, options: AstOptions) -> isl.Schedule:
    """The map as a band, because isl isolates only in schedule trees."""
    assert options.isolate is not None
    isolate = isl.Map.from_range(options.isolate).wrap().set_tuple_name("isolate")
    partial = isl.MultiUnionPwAff.from_union_map(times)
    band = isl.Schedule.from_domain(times.domain()).insert_partial_schedule(partial)
    node = band.get_root().child(0)
    node = node.band_set_ast_build_options(isl.UnionSet.from_set(isolate))
    for position, kind in enumerate(options.loop_types):
        node = node.band_member_set_ast_loop_type(position, _TYPES[kind])
    for position, kind in enumerate(options.isolated_loop_types):
        node = node.band_member_set_isolate_ast_loop_type(position, _TYPES[kind])
    return node.get_schedule()


def _typed_tree(schedule: isl.Schedule, kind: LoopType) -> isl.Schedule:
    """The members of bands that do not say how they are broken up get the given type."""
    if kind is LoopType.DEFAULT:
        return schedule
    wanted = _TYPES[kind]

    def typed(node: isl.ScheduleNode) -> isl.ScheduleNode:
        if node.get_type() != isl.schedule_node_type.band:
            return node
        for position in range(node.band_n_member()):
            if node.band_member_get_ast_loop_type(position) == isl.ast_loop_type.default:
                node = node.band_member_set_ast_loop_type(position, wanted)
        return node

    return schedule.map_schedule_node_bottom_up(typed)


def _macros(node: isl.AstNode) -> str:
    printer = isl.Printer.to_str(isl.DEFAULT_CONTEXT).set_output_format(isl.format.C)
    return node.print_macros(printer).get_str()


def _words(error: isl.Error) -> str:
    """Without the names of functions and files of isl."""
    text = str(error).partition("failed: ")[2] or str(error)
    return text.partition(" in /")[0] or "it does not say why"
