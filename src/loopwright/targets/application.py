"""A plan applied to the band of a nest: the same instances, in tiles, blocks and inner loops."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import islpy as isl

from loopwright.model.packing import Packed
from loopwright.model.pragma_marks import INSIDE, VECTOR
from loopwright.model.scop import Scop
from loopwright.polyhedra.schedule_trees import together
from loopwright.polyhedra.unions import sets_of
from loopwright.polyhedra.values import isl_value
from loopwright.targets.inner_loops import Groups, groups_of
from loopwright.targets.nests import Nest
from loopwright.targets.packing import packed_tiles
from loopwright.targets.plans import Plan

SET = isl.dim_type.set
TILE = "tile"
"""The mark inside the tiles, where buffers are filled."""


def applied(nest: Nest, plan: Plan, parallel: str, vector: str = VECTOR) -> isl.ScheduleNode:
    """The nest with its plan; the node stays at its position.

    ``parallel`` is the mark for a loop whose iterations are spread over threads, and ``vector`` for
    those that become vectors.
    """
    partial = nest.node.band_get_partial_schedule().reset_tuple_id(SET)
    members = [partial.get_at(at) for at in nest.members]
    return _Application(plan, members, nest.pairs, parallel, vector).inside(nest.node.delete())


def with_marks(
    node: isl.ScheduleNode, nest: Nest, plan: Plan, scop: Scop, first: int
) -> tuple[isl.ScheduleNode, list[Packed]]:
    """A nest with its plan, and the tiles that it packs; the node stays at its position.

    Marks say where the buffers, which are numbered from ``first``, are to be filled.
    """
    depth = node.get_tree_depth()
    while node.get_type() != isl.schedule_node_type.mark or node.mark_get_id().get_name() != TILE:
        node = node.child(0)
    node = node.delete()
    found = packed_tiles(node, nest, plan, scop, first)
    for each in reversed(found):
        node = node.insert_mark(isl.Id(each.name))
    return node.ancestor(node.get_tree_depth() - depth), found


def marked_loop(node: isl.ScheduleNode, member: isl.UnionPwAff, pragma: str) -> isl.ScheduleNode:
    """A loop around a node, with a mark that asks for a pragma."""
    if node.get_type() != isl.schedule_node_type.leaf:
        node = node.insert_mark(isl.Id(INSIDE))
    return _with_band(node, [member]).insert_mark(isl.Id(pragma))


class _Application:
    def __init__(
        self,
        plan: Plan,
        members: Sequence[isl.UnionPwAff],
        pairs: isl.UnionMap,
        parallel: str,
        vector: str,
    ) -> None:
        self.plan = plan
        self.vector = vector
        self.parallel = parallel
        self.members = members
        self.pairs = pairs
        self.unrolled = [at for at in plan.order if at in plan.unrolled]
        self.looped = [at for at in plan.order if at not in plan.unrolled]

    def inside(self, node: isl.ScheduleNode) -> isl.ScheduleNode:
        """All loops of the plan around a node, which becomes the innermost one."""
        loops = self._around()
        if self.unrolled:
            node = self._with_blocks(node, loops)
        else:
            node = self._with_groups(node, self.plan.groups, [])
        if self.plan.is_wavefront:
            node = marked_loop(_with_band(node, loops[2:]), loops[1], self.parallel)
            return _with_band(node, [self._wave()])
        if self.plan.packed:
            count = len(self.plan.tiles)
            node = _with_band(node, loops[count:]).insert_mark(isl.Id(TILE))
            loops = loops[:count]
        if self.plan.is_parallel and loops:
            return marked_loop(_with_band(node, loops[1:]), loops[0], self.parallel)
        return _with_band(node, loops)

    def _wave(self) -> isl.UnionPwAff:
        """The number of the first tile plus that of the second: what depends on it is greater."""
        first, second = (self._number(at, size) for at, size in self.plan.tiles[:2])
        return first.add(second)

    def _number(self, member: int, size: int) -> isl.UnionPwAff:
        """Which tile an instance belongs to: ``floor(member / size)``."""
        return self.members[member].scale_down_val(isl_value(size)).floor()

    def _around(self) -> list[isl.UnionPwAff]:
        """All loops but the innermost ones: tiles, points, and blocks of what is unrolled."""
        plan = self.plan
        tiles = [self._rounded(at, size) for at, size in plan.tiles]
        points = [self.members[at] for at in self.looped[:-1]]
        blocks = [self._rounded(at, plan.unrolled[at]) for at in self.unrolled]
        return [*tiles, *points, *blocks]

    def _rounded(self, member: int, size: int) -> isl.UnionPwAff:
        """Where the tile of an instance begins: ``size * floor(member / size)``."""
        return self._number(member, size).scale_val(isl_value(size))

    # --- the innermost loops ----------------------------------------------------------------------

    def _with_groups(
        self, node: isl.ScheduleNode, groups: Groups, unrolled: Sequence[int]
    ) -> isl.ScheduleNode:
        """The innermost loop, one for each group of statements."""
        filters = [instances_of(node, names) for names in groups]
        filters = [each for each in filters if not each.is_empty()]
        if len(filters) < 2:
            return self._with_inner(node, unrolled)
        node = node.insert_sequence(listed(filters))
        for at in range(len(filters)):
            node = self._with_inner(node.child(at).child(0), unrolled).parent().parent()
        return node

    def _with_inner(self, node: isl.ScheduleNode, unrolled: Sequence[int]) -> isl.ScheduleNode:
        if unrolled:
            node = _with_band(node, [self.members[at] for at in unrolled])
            node = node.band_set_ast_build_options(isl.UnionSet("{ unroll[x] }"))
        inner = self.members[self.plan.inner]
        if self.plan.is_parallel and not self._around():
            return marked_loop(node, inner, self.parallel)
        return (
            marked_loop(node, inner, self.vector)
            if self.plan.is_vector
            else _with_band(node, [inner])
        )

    # --- blocks -----------------------------------------------------------------------------------

    def _with_blocks(
        self, node: isl.ScheduleNode, loops: Sequence[isl.UnionPwAff]
    ) -> isl.ScheduleNode:
        """Full blocks written out inside the innermost loop; the rest one by one around it.

        Which of the two comes first is up to the dependences between them.
        """
        full = self._full_blocks(node)
        inside = self.pairs.eq_at_multi_union_pw_aff(together(loops))
        groups = self._groups_within(full, inside)
        rest = node.get_domain().subtract(full).coalesce()
        if groups is None or full.is_empty():
            return self._one_by_one(node)
        if rest.is_empty():
            return self._with_groups(node, groups, self.unrolled)
        is_full_first = _is_apart(inside, rest, full)
        if not is_full_first and not _is_apart(inside, full, rest):
            return self._one_by_one(node)
        parts = [full, rest] if is_full_first else [rest, full]
        node = node.insert_sequence(listed(parts))
        node = node.child(parts.index(full)).child(0)
        node = self._with_groups(node, groups, self.unrolled).parent().parent()
        return self._one_by_one(node.child(parts.index(rest)).child(0)).parent().parent()

    def _groups_within(self, full: isl.UnionSet, inside: isl.UnionMap) -> Groups | None:
        """The groups of innermost loops in which whole blocks run at a time."""
        if not self.plan.is_vector or self.plan.reductions:
            return self.plan.groups
        pairs = inside.intersect_domain(full).intersect_range(full)
        names = [name for group in self.plan.groups for name in group]
        times = isl.MultiUnionPwAff.from_union_pw_aff(self.members[self.plan.inner])
        return groups_of(names, pairs, times)

    def _one_by_one(self, node: isl.ScheduleNode) -> isl.ScheduleNode:
        node = self._with_groups(node, self.plan.groups, [])
        return _with_band(node, [self.members[at] for at in self.unrolled])

    def _full_blocks(self, node: isl.ScheduleNode) -> isl.UnionSet:
        """The instances of blocks that have all their instances.

        A block has the same values of everything but the unrolled members, and these in the same
        tile; the tile's values are the offsets.
        """
        above = node.get_prefix_schedule_multi_union_pw_aff().reset_tuple_id(SET)
        factors = self.plan.unrolled
        keys = [self._rounded(at, factors[at]) for at in self.unrolled]
        keys += [self.members[at] for at in self.looped]
        block = above.flat_range_product(together(keys))
        offsets = [self.members[at].sub(self._rounded(at, factors[at])) for at in self.unrolled]
        box = reduce(isl.Set.flat_product, (_up_to(factors[at]) for at in self.unrolled))
        domain = node.get_domain()
        found = isl.UnionSet.empty(domain.get_space())
        for each in sets_of(domain):
            one = isl.UnionSet.from_set(each)
            key = _map_of(block, one)
            both = key.range_product(_map_of(together(offsets), one)).range()
            expected = isl.Set.universe(key.range().get_space()).product(box)
            expected = expected.intersect(_spread(key.range(), box))
            missing = expected.subtract(both).unwrap().domain()
            whole = key.subtract_range(missing).domain().coalesce()
            found = found.union(isl.UnionSet.from_set(whole))
        return found.coalesce()


def _is_apart(pairs: isl.UnionMap, sources: isl.UnionSet, sinks: isl.UnionSet) -> bool:
    """Do no pairs lead from one to the other?"""
    return pairs.intersect_domain(sources).intersect_range(sinks).is_empty()


def _spread(keys: isl.Set, box: isl.Set) -> isl.Set:
    return isl.Map.from_domain_and_range(keys, box.align_params(keys.get_space())).wrap()


def _up_to(count: int) -> isl.Set:
    return isl.Set(f"{{ [x] : 0 <= x < {count} }}")


def _map_of(times: isl.MultiUnionPwAff, domain: isl.UnionSet) -> isl.Map:
    """The times of one statement."""
    relation = isl.UnionMap.from_multi_union_pw_aff(times).intersect_domain(domain)
    return isl.Map.from_union_map(relation)


def _with_band(node: isl.ScheduleNode, members: Sequence[isl.UnionPwAff]) -> isl.ScheduleNode:
    return node.insert_partial_schedule(together(members)) if members else node


def instances_of(node: isl.ScheduleNode, names: Sequence[str]) -> isl.UnionSet:
    """The instances of some statements that reach a node."""
    domain = node.get_domain()
    kept = isl.UnionSet.empty(domain.get_space())
    for each in sets_of(domain):
        if each.get_tuple_name() in names:
            kept = kept.union(isl.UnionSet.from_set(each))
    return kept


def listed(filters: Sequence[isl.UnionSet]) -> isl.UnionSetList:
    """A list as isl wants it."""
    found = isl.UnionSetList.alloc(isl.DEFAULT_CONTEXT, len(filters))
    return reduce(isl.UnionSetList.add, filters, found)
