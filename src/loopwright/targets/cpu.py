"""A schedule for the cores of a CPU."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from math import inf, isinf, prod

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.dependences import Dependences
from loopwright.model.packing import Expanded, Packed
from loopwright.model.pragma_marks import VECTOR
from loopwright.model.scop import Scop
from loopwright.polyhedra.schedule_trees import bands_below, bands_of
from loopwright.polyhedra.unions import sets_of
from loopwright.targets.application import applied, instances_of, listed, marked_loop, with_marks
from loopwright.targets.cost import nest_cost
from loopwright.targets.distribution import parts_of, without_idle_members
from loopwright.targets.expansion import Expansion, expansion_at
from loopwright.targets.given_sizes import with_tile_sizes
from loopwright.targets.machine import Machine
from loopwright.targets.nests import Nest, nest_at
from loopwright.targets.packing import strided
from loopwright.targets.planning import inner_loop, plan_for
from loopwright.targets.plans import Plan
from loopwright.targets.registers import MOST_COPIES
from loopwright.targets.work import ParallelLoop, has_little_work, parallel_loop, parallel_work

Kind = isl.schedule_node_type


@record(eq=False)
class MappedNest:
    """What was decided for the statements of a nest, whose loops are the ``members``."""

    statements: tuple[str, ...]
    members: tuple[isl.UnionPwAff, ...]
    plan: Plan
    around: isl.UnionPwAff | None = None
    """The parallel loop that it is inside of, if there is one."""
    expanded: tuple[Expanded, ...] = ()
    """The arrays of which it has copies."""


@record(eq=False)
class Mapped:
    """A schedule tree with its marks, and what was decided for each nest.

    ``parallel`` says for each mark of a parallel loop what is to be known about it.
    """

    tree: isl.Schedule
    nests: tuple[MappedNest, ...] = ()
    parallel: Mapping[str, ParallelLoop] = field(default_factory=dict[str, ParallelLoop])
    packed: tuple[Packed, ...] = ()
    """Tiles that are to be copied into buffers, where the tree has marks of their names."""
    expanded: tuple[Expanded, ...] = ()
    """Arrays with a copy for each iteration, likewise."""
    needs: isl.Set = field(default_factory=lambda: isl.Set("{ : }"))
    """The parameter values for which the buffers are large enough."""
    cost: float = 0.0
    """In cycles, for comparisons only."""
    serial_cost: float = 0.0
    """The same in one thread."""
    least_gain: float = 1.0
    """So many times as fast it must be in one thread for that."""
    told: tuple[str, ...] = ()
    """What to say of an order that somebody else has chosen."""
    gain: float = 0.0
    """How many times as fast as before it is expected to be; 0 if nobody asked."""


@record
class MappingOptions:
    """What a mapping may do.

    No statement is written out more than ``most_copies`` times, and tiles are copied into buffers
    only if it ``packs``; arrays get a copy for each iteration if it ``expands``.  ``tile_sizes``
    are those of each nest, outermost first, if somebody knows better.  If it ``reassociates``,
    reductions run in parallel and as vectors.  Unless it ``vectorises``, nobody is told which loops
    are for vectors; compilers may still find that out.  If it ``distributes``, statements that a
    band runs together get nests of their own where that serves them better.
    """

    most_copies: int = MOST_COPIES
    tile_sizes: tuple[int, ...] = ()
    reassociates: bool = False
    packs: bool = True
    expands: bool = False
    vectorises: bool = True
    distributes: bool = True


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
        tuple(mapping.expanded),
        mapping.needs,
        mapping.cost,
        mapping.serial_cost,
        mapping.least_gain,
    )


def expanded(
    tree: isl.Schedule, dependences: Dependences, machine: Machine, options: MappingOptions
) -> list[Mapped]:
    """The mapping in which iterations have copies of arrays, if there are such."""
    outer = [each for each in bands_of(tree) if bands_below(each.child(0))]
    if not any(expansion_at(each, dependences, 0) is not None for each in outer):
        return []
    new = mapped(tree, dependences, machine, replace(options, expands=True))
    return [] if isinf(new.least_gain) else [new]


FULLY_UNROLLED = 32
"""Loops with so few iterations, in all, compilers unroll; then they vectorise the loop around."""
WITHOUT_VECTORS = 2.0
"""Copies that only let iterations overlap must promise so much, for compilers and cores do that."""


def _gain_needed(nest: Nest, plan: Plan, short: Mapping[int, int]) -> float:
    """How many times as fast copies must make a nest for that they are made."""
    own = [nest.ranges[at] for at in nest.members if at not in short]
    if not own:
        return 1.0
    if prod(len(each) if each is not None else FULLY_UNROLLED + 1 for each in own) < FULLY_UNROLLED:
        return inf
    if plan.is_vector:
        return 1.0
    return WITHOUT_VECTORS if plan.unrolled and not strided(nest, plan.inner) else inf


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
        self.expansion: Expansion | None = None
        """That of the band around, if there is one."""
        self.machine = machine
        self.single = replace(machine, cores=1)
        self.nests: list[MappedNest] = []
        self.parallel: dict[str, ParallelLoop] = {}
        self.packed: list[Packed] = []
        self.expanded: list[Expanded] = []
        self.needs = isl.Set("{ : }")
        self.cost = self.serial_cost = 0.0
        self.least_gain = 1.0

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
        expansion = self._expansion(node)
        if expansion is not None:
            return self._with_copies(expansion, nest, is_inside_parallel=is_inside_parallel)
        is_possible = nest.privates(0) is not None or bool(nest.reductions(0))
        is_parallel = not is_inside_parallel and is_possible and not has_little_work(nest)
        loop = parallel_loop(nest, 0) if is_parallel else None
        return self._around(nest, 0, loop, is_inside_parallel=is_inside_parallel)

    def _around(
        self,
        nest: Nest,
        member: int,
        loop: ParallelLoop | None,
        *,
        is_inside_parallel: bool,
        source: isl.UnionPwAff | None = None,
    ) -> isl.ScheduleNode:
        """A band with others inside; one of its members is parallel if it is known how.

        It is a loop of the ``source``, or consists of tiles of one.
        """
        inside = is_inside_parallel or loop is not None
        self.cost += _cost_outside(nest, self.machine, is_inside_parallel=inside)
        self.serial_cost += _cost_outside(nest, self.single, is_inside_parallel=inside)
        first = len(self.nests)
        node = self.visit(nest.node.child(0), is_inside_parallel=inside).parent()
        if loop is None:
            return node
        times = nest.node.band_get_partial_schedule().get_at(member)
        around = source or times
        self.nests[first:] = [replace(each, around=around) for each in self.nests[first:]]
        if member > 0:
            node = node.band_split(member).child(0)
        if node.band_n_member() > 1:
            node = node.band_split(1)
        node = marked_loop(node.delete(), times, self._mark(loop, "omp parallel for"))
        return node.parent() if member > 0 else node

    def _expansion(self, node: isl.ScheduleNode) -> Expansion | None:
        if not self.options.expands or self.expansion is not None:
            return None
        return expansion_at(node, self.dependences, len(self.expanded))

    def _with_copies(
        self, expansion: Expansion, nest: Nest, *, is_inside_parallel: bool
    ) -> isl.ScheduleNode:
        """A band, so far a nest, in whose tiles each iteration has copies of some arrays."""
        self.expanded += expansion.arrays
        self.needs = self.needs & expansion.needs
        self.expansion = expansion
        tiles = self._nest(expansion.node)
        free = [at for at in tiles.members if tiles.is_coincident(at)]
        at, loop = 0, None
        if free and not is_inside_parallel and not has_little_work(nest):
            at = free[0]
            loop = parallel_work(nest, expansion.order[at])
        source = expansion.members[at]
        node = self._around(tiles, at, loop, is_inside_parallel=is_inside_parallel, source=source)
        self.expansion = None
        return node

    def _short(self, nest: Nest) -> dict[int, int]:
        """The members that have tiles around them already, with the sizes of these."""
        if self.expansion is None:
            return {}
        partial = nest.node.band_get_partial_schedule()
        array = self.expansion.arrays[0]
        return {
            at: size
            for at in nest.members
            for each, size in zip(array.members, array.tile, strict=True)
            if nest.node.get_domain().is_subset(partial.get_at(at).sub(each).zero_union_set())
        }

    def _nest(self, node: isl.ScheduleNode) -> Nest:
        known = self.dependences if self.expansion is None else self.expansion.known
        return nest_at(node, known, reassociates=self.options.reassociates)

    def _distributed(self, nest: Nest, *, is_inside_parallel: bool) -> isl.ScheduleNode:
        """The innermost band as one nest, or as several, one after the other."""
        parts = parts_of(nest) if self.options.distributes else []
        if len(parts) < 2:
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
        is_alone = not is_inside_parallel and self.expansion is None
        wanted = is_alone and not is_small and not has_little_work(nest)
        short = self._short(nest)
        plan = plan_for(
            nest,
            self.machine,
            is_parallel_wanted=wanted,
            most_copies=self.options.most_copies,
            may_pack=self.options.packs and self.expansion is None,
            short=short,
        )
        plan = with_tile_sizes(plan, self.options.tile_sizes)
        if not self.options.vectorises and not plan.reductions:
            plan = replace(plan, is_vector=False)
        partial = nest.node.band_get_partial_schedule()
        members = tuple(partial.get_at(at) for at in nest.members)
        expanded: tuple[Expanded, ...] = ()
        if self.expansion is not None:
            expanded = self.expansion.arrays
            self.least_gain = max(self.least_gain, _gain_needed(nest, plan, short))
        self.nests.append(MappedNest(nest.statements, members, plan, expanded=expanded))
        self.cost += nest_cost(nest, plan, self.machine, is_inside_parallel=is_inside_parallel)
        self.serial_cost += nest_cost(nest, plan, self.single, is_inside_parallel=True)
        mark = ""
        if plan.is_parallel or plan.is_wavefront:
            is_both = plan.is_single and plan.has_vector_mark
            text = "omp parallel for simd" if is_both else "omp parallel for"
            mark = self._mark(parallel_loop(nest, plan.parallel), text)
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

    def _mark(self, loop: ParallelLoop, pragma: str) -> str:
        """A mark of its own for a parallel loop."""
        name = f"{pragma} #{len(self.parallel)}"
        self.parallel[name] = loop
        return name
