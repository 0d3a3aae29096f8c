"""A schedule for the cores of a CPU."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import islpy as isl

from loopwright.model.dependences import Dependences
from loopwright.model.packing import Packed
from loopwright.model.pragma_marks import VECTOR
from loopwright.model.scop import Scop
from loopwright.polyhedra.schedule_trees import bands_below, bands_of
from loopwright.polyhedra.unions import sets_of
from loopwright.targets.application import applied, instances_of, listed, marked_loop, with_marks
from loopwright.targets.cost import nest_cost
from loopwright.targets.distribution import parts_of, without_idle_members
from loopwright.targets.given_sizes import with_tile_sizes
from loopwright.targets.machine import Machine
from loopwright.targets.nests import Nest, nest_at
from loopwright.targets.planning import inner_loop, plan_for
from loopwright.targets.plans import Plan
from loopwright.targets.registers import MOST_COPIES
from loopwright.targets.work import ParallelLoop, has_little_work, parallel_loop

Kind = isl.schedule_node_type


@dataclass(frozen=True, slots=True, eq=False)
class MappedNest:
    """What was decided for the statements of a nest, whose loops are the ``members``."""

    statements: tuple[str, ...]
    members: tuple[isl.UnionPwAff, ...]
    plan: Plan
    around: isl.UnionPwAff | None = None
    """The parallel loop that it is inside of, if there is one."""


@dataclass(frozen=True, slots=True, eq=False)
class Mapped:
    """A schedule tree with its marks, and what was decided for each nest.

    ``parallel`` says for each mark of a parallel loop what is to be known about it.
    """

    tree: isl.Schedule
    nests: tuple[MappedNest, ...] = ()
    parallel: Mapping[str, ParallelLoop] = field(default_factory=dict[str, ParallelLoop])
    packed: tuple[Packed, ...] = ()
    """Tiles that are to be copied into buffers, where the tree has marks of their names."""
    cost: float = 0.0
    """In cycles, for comparisons only."""
    serial_cost: float = 0.0
    """The same in one thread."""


@dataclass(frozen=True, slots=True)
class MappingOptions:
    """What a mapping may do.

    No statement is written out more than ``most_copies`` times, and tiles are copied into buffers
    only if it ``packs``.  ``tile_sizes`` are those of each nest, outermost first, if somebody knows
    better.  If it ``reassociates``, reductions run in parallel and as vectors.
    """

    most_copies: int = MOST_COPIES
    tile_sizes: tuple[int, ...] = ()
    reassociates: bool = False
    packs: bool = True


def mapped(
    tree: isl.Schedule,
    dependences: Dependences,
    machine: Machine,
    options: MappingOptions | None = None,
) -> Mapped:
    """The tree with each innermost band tiled, unrolled, vectorised and parallel, where it pays."""
    mapping = _Mapping(dependences, machine, options or MappingOptions())
    node = mapping.visit(tree.get_root().child(0), is_inside_parallel=False)
    return Mapped(
        node.get_schedule(),
        tuple(mapping.nests),
        mapping.parallel,
        tuple(mapping.packed),
        mapping.cost,
        mapping.serial_cost,
    )


def cost_as_written(scop: Scop, dependences: Dependences, machine: Machine) -> float:
    """What the region costs as it is, in one thread."""
    single = replace(machine, cores=1)
    total = 0.0
    for band in bands_of(scop.schedule):
        nest = nest_at(band, dependences)
        if bands_below(band.child(0)):
            total += _cost_outside(nest, single, is_inside_parallel=False)
        else:
            inner, groups, is_vector = inner_loop(nest)
            plan = Plan((inner,), groups=groups, is_vector=is_vector and len(groups) == 1)
            total += nest_cost(nest, plan, single, is_inside_parallel=False)
    return total


def _cost_outside(nest: Nest, machine: Machine, *, is_inside_parallel: bool) -> float:
    """The cost of statements that stand in a band beside other bands."""
    below = {
        each.get_tuple_name()
        for band in bands_below(nest.node.child(0))
        for each in sets_of(band.get_domain())
    }
    beside = [name for name in nest.statements if name not in below]
    if not beside:
        return 0.0
    plan = Plan(tuple(nest.members))
    part = nest.of(beside)
    return nest_cost(part, plan, machine, is_inside_parallel=is_inside_parallel)


class _Mapping:
    def __init__(self, dependences: Dependences, machine: Machine, options: MappingOptions) -> None:
        self.options = options
        self.dependences = dependences
        self.machine = machine
        self.single = replace(machine, cores=1)
        self.nests: list[MappedNest] = []
        self.parallel: dict[str, ParallelLoop] = {}
        self.packed: list[Packed] = []
        self.cost = self.serial_cost = 0.0

    def visit(self, node: isl.ScheduleNode, *, is_inside_parallel: bool) -> isl.ScheduleNode:
        """The node with everything inside mapped; it stays at its position."""
        kind = node.get_type()
        if kind == Kind.leaf:
            return node
        if kind == Kind.band:
            return self._band(node, is_inside_parallel=is_inside_parallel)
        for at in range(node.n_children()):
            child = self.visit(node.child(at), is_inside_parallel=is_inside_parallel)
            node = child.parent()
        return node

    def _band(self, node: isl.ScheduleNode, *, is_inside_parallel: bool) -> isl.ScheduleNode:
        nest = self._nest(node)
        if not bands_below(node.child(0)):
            return self._distributed(nest, is_inside_parallel=is_inside_parallel)
        is_possible = nest.privates(0) is not None or bool(nest.reductions(0))
        is_parallel = not is_inside_parallel and is_possible and not has_little_work(nest)
        inside = is_inside_parallel or is_parallel
        self.cost += _cost_outside(nest, self.machine, is_inside_parallel=inside)
        self.serial_cost += _cost_outside(nest, self.single, is_inside_parallel=inside)
        members = node.band_get_partial_schedule()
        first = len(self.nests)
        node = self.visit(node.child(0), is_inside_parallel=inside).parent()
        if not is_parallel:
            return node
        loop = members.get_at(0)
        self.nests[first:] = [replace(each, around=loop) for each in self.nests[first:]]
        if node.band_n_member() > 1:
            node = node.band_split(1)
        return marked_loop(
            node.delete(), members.get_at(0), self._mark(nest, 0, "omp parallel for")
        )

    def _nest(self, node: isl.ScheduleNode) -> Nest:
        return nest_at(node, self.dependences, reassociates=self.options.reassociates)

    def _distributed(self, nest: Nest, *, is_inside_parallel: bool) -> isl.ScheduleNode:
        """The innermost band as one nest, or as several, one after the other."""
        parts = parts_of(nest)
        if len(parts) == 1:
            return self._innermost(nest, is_inside_parallel=is_inside_parallel)
        filters = [instances_of(nest.node, names) for names in parts]
        node = nest.node.insert_sequence(listed(filters))
        for at in range(len(parts)):
            band = without_idle_members(node.child(at).child(0))
            part = self._nest(band)
            inside = self._innermost(part, is_inside_parallel=is_inside_parallel)
            node = inside.parent().parent()
        return node

    def _innermost(self, nest: Nest, *, is_inside_parallel: bool) -> isl.ScheduleNode:
        is_small = len(nest.members) == 1 and nest.node.get_schedule_depth() > 0
        wanted = not is_inside_parallel and not is_small and not has_little_work(nest)
        plan = plan_for(
            nest,
            self.machine,
            is_parallel_wanted=wanted,
            most_copies=self.options.most_copies,
            may_pack=self.options.packs,
        )
        plan = with_tile_sizes(plan, self.options.tile_sizes)
        partial = nest.node.band_get_partial_schedule()
        members = tuple(partial.get_at(at) for at in nest.members)
        self.nests.append(MappedNest(nest.statements, members, plan))
        self.cost += nest_cost(nest, plan, self.machine, is_inside_parallel=is_inside_parallel)
        self.serial_cost += nest_cost(nest, plan, self.single, is_inside_parallel=True)
        mark = ""
        if plan.is_parallel or plan.is_wavefront:
            is_both = plan.is_single and plan.has_vector_mark
            text = "omp parallel for simd" if is_both else "omp parallel for"
            mark = self._mark(nest, plan.parallel, text)
        vector = VECTOR
        if plan.reductions:
            vector = f"{VECTOR} #{len(self.parallel)}"
            self.parallel[vector] = ParallelLoop(reductions=plan.reductions)
        node = applied(nest, plan, mark, vector)
        if plan.packed:
            scop = self.dependences.scop
            node, packed = with_marks(node, nest, plan, scop, len(self.packed))
            self.packed += packed
        return node

    def _mark(self, nest: Nest, member: int, pragma: str) -> str:
        """A mark of its own for a parallel loop."""
        name = f"{pragma} #{len(self.parallel)}"
        self.parallel[name] = parallel_loop(nest, member)
        return name
