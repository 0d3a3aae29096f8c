"""The scheduler as a function."""

from __future__ import annotations

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.dependence.analysis import dependences
from loopwright.dependence.limits import enough_operations
from loopwright.model.dependences import Dependences
from loopwright.model.schedules import Schedule
from loopwright.model.scheduling_trace import Grouped, KeptOriginal, Trace
from loopwright.model.scop import Scop
from loopwright.polyhedra.lexmin import Allowance, OutOfTime
from loopwright.polyhedra.limits import OutOfOperations, limited
from loopwright.polyhedra.unions import joined
from loopwright.scheduling.constraints import ScheduleConstraints, constraints_of
from loopwright.scheduling.fallbacks import loops_of
from loopwright.scheduling.farkas import Farkas
from loopwright.scheduling.graph import graph_of
from loopwright.scheduling.grouping import grouped
from loopwright.scheduling.options import PPCG, SchedulerOptions
from loopwright.scheduling.parts import tree_of_part
from loopwright.scheduling.scheduler import NoSchedule, Scheduler
from loopwright.scheduling.shared_variables import without_shared_variables
from loopwright.scheduling.workshop import Workshop

MOST_OPERATIONS = 100_000_000
"""What isl may spend on bare constraints."""

OPERATIONS = 5
"""So often may isl spend on a schedule what it may on a question about dependences."""


def schedule(
    program: Scop | Dependences | ScheduleConstraints,
    options: SchedulerOptions = PPCG,
    *,
    explain: bool = False,
) -> Schedule:
    r"""An order of instances that is valid, with bands that are tilable and parallel if possible.

    With ``explain`` the trace names the constraints that ended a band or cost its coincidence.
    Constraints that no schedule meets are a ``ValueError``.  Where it takes too long, that is a
    ``TimeoutError`` for constraints and an ``InputError`` for a region.

    >>> from loopwright import read_c
    >>> program = '''void f(int n, double A[n][n]) {
    ... #pragma scop
    ...   for (int i = 1; i < n; i++)
    ...     for (int j = 0; j < n; j++)
    ...       A[i][j] = A[i - 1][j];
    ... #pragma endscop
    ... }'''
    >>> band = schedule(read_c(program)[0]).tree.get_root().child(0)
    >>> print(band.band_get_partial_schedule())
    [n] -> [{ S0[i, j] -> [(j)] }, { S0[i, j] -> [(i)] }]
    >>> [bool(band.band_member_get_coincident(at)) for at in (0, 1)]
    [True, False]
    """
    _check(program, options)
    if isinstance(program, ScheduleConstraints):
        try:
            with limited(MOST_OPERATIONS):
                return _scheduled(program, options, explain, None)
        except (OutOfTime, OutOfOperations):
            raise TimeoutError("a schedule for these constraints takes too long") from None
    if isinstance(program, Scop):
        program = dependences(program)
    try:
        with limited(OPERATIONS * enough_operations(program.scop)):
            return _of_dependences(program, options, explain)
    except (OutOfTime, OutOfOperations):
        scop = program.scop
        hint = "raise the time limit, or make the region smaller"
        text = "a new schedule for this region takes too long"
        raise InputError(Diagnostic("LW801", text, scop.span, hint)) from None


def _check(program: object, options: object) -> None:
    if not isinstance(program, Scop | Dependences | ScheduleConstraints):
        given = type(program).__name__
        raise TypeError(f"a Scop, Dependences or ScheduleConstraints is scheduled, not {given}")
    if not isinstance(options, SchedulerOptions):
        raise TypeError(f"options must be SchedulerOptions, not {type(options).__name__}")


def _of_dependences(program: Dependences, options: SchedulerOptions, explain: bool) -> Schedule:
    constraints = constraints_of(program)
    tree = program.scop.schedule.intersect_domain(constraints.domain)
    groups = grouped(constraints, tree) if options.group_chains else None
    try:
        if groups is None:
            found = _scheduled(constraints, options, explain, _loops(tree))
            return _without_shared_variables(found, program)
        times = _loops(tree).apply_domain(groups.contraction)
        found = _scheduled(groups.constraints, options, explain, times)
    except NoSchedule:
        return Schedule(tree, Trace((KeptOriginal(),)))
    events = [
        Grouped(names, name, groups.contraction_to(name)) for name, names in groups.groups.items()
    ]
    whole = Schedule(groups.expanded(found.tree), Trace((*events, *found.trace.events)))
    return _without_shared_variables(whole, program)


def _without_shared_variables(found: Schedule, program: Dependences) -> Schedule:
    tree, shared = without_shared_variables(found.tree, program)
    return Schedule(tree, Trace((*found.trace.events, *shared)))


def _loops(tree: isl.Schedule) -> isl.UnionMap:
    """The values of all loops around each statement."""
    found: list[isl.UnionMap] = []

    def look(node: isl.ScheduleNode) -> bool:
        if node.get_type() == isl.schedule_node_type.leaf:
            found.append(node.get_prefix_schedule_union_map())
        return True

    tree.get_root().foreach_descendant_top_down(look)
    return joined(found)


def _scheduled(
    constraints: ScheduleConstraints,
    options: SchedulerOptions,
    explain: bool,
    loops: isl.UnionMap | None,
) -> Schedule:
    graph = graph_of(constraints)
    if not graph.nodes:
        return Schedule(isl.Schedule.from_domain(constraints.domain))
    nodes = {node.number: node for node in graph.nodes}
    allowance = Allowance(options.time_limit)
    farkas = Farkas(nodes, treat_coalescing=options.treat_coalescing, allowance=allowance)
    shop = Workshop(options, nodes, len(graph.parameters), farkas, allowance, explain)
    original = [] if loops is None else loops_of(loops, graph.nodes)
    part = Scheduler(shop, original).schedule(graph, {number: () for number in nodes})
    return Schedule(tree_of_part(part, graph.nodes), Trace(tuple(shop.events)))
