"""The order that a schedule imposes on pairs of instances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

import islpy as isl

from loopwright.basics.records import record
from loopwright.polyhedra.unions import SpaceKey, joined, maps_of, sets_of, space_key

Pairs = isl.UnionMap
Scheduled = isl.Schedule | isl.UnionMap | isl.Map
NODE = isl.schedule_node_type


def tree_of(schedule: Scheduled) -> isl.Schedule:
    """A schedule as a tree; a map from instances to times becomes a single band.

    >>> print(tree_of(isl.UnionMap("{ S[i] -> [-i, 0] }")))
    { domain: "{ S[i] }", child: { schedule: "[{ S[i] -> [(-i)] }, { S[i] -> [(0)] }]" } }
    """
    if isinstance(schedule, isl.Schedule):
        return schedule
    if isinstance(schedule, isl.Map):
        schedule = isl.UnionMap.from_map(schedule)
    for each in maps_of(schedule):
        if not each.is_single_valued():
            raise ValueError(f"a schedule gives each instance one time, unlike {each}")
    lengths = {each.dim(isl.dim_type.out) for each in maps_of(schedule)}
    if len(lengths) > 1:
        raise ValueError(f"the times of a schedule have one length, not {sorted(lengths)}")
    tree = isl.Schedule.from_domain(schedule.domain())
    if lengths in (set(), {0}):
        return tree
    unnamed = joined(isl.UnionMap.from_map(_unnamed(each)) for each in maps_of(schedule))
    return tree.insert_partial_schedule(isl.MultiUnionPwAff.from_union_map(unnamed))


def _unnamed(times: isl.Map) -> isl.Map:
    return times.reset_tuple_id(isl.dim_type.out)


def not_in_order(schedule: Scheduled, relations: Sequence[Pairs]) -> list[Pairs]:
    """The pairs of each relation whose first instance does not run strictly before the second.

    Whatever runs at the same time, in any order, or not at all is not in order.

    >>> reverse = isl.UnionMap("{ S[i] -> [-i] : 0 <= i < 9 }")
    >>> (found,) = not_in_order(reverse, [isl.UnionMap("{ S[i] -> S[i + 1] : 0 <= i < 8 }")])
    >>> print(found)
    { S[i] -> S[1 + i] : 0 <= i <= 7 }
    """
    tree = tree_of(schedule)
    walk = _Walk(has_expansion(tree))
    below = tree.get_root().child(0)
    walk.visit_restricted(below, walk.leaf_instances(below), dict(enumerate(relations)))
    return [joined(walk.found.get(at, [])) for at in range(len(relations))]


def leaf_instances(tree: isl.Schedule) -> isl.UnionSet:
    """The instances that a tree is about, as they are at its leaves."""
    return _Walk(has_expansion(tree)).leaf_instances(tree.get_root().child(0))


def leaf_instances_at(node: isl.ScheduleNode) -> isl.UnionSet:
    """The instances that reach a node, as they are at the leaves."""
    return _Walk(has_expansion(node.get_schedule())).leaf_instances(node)


def has_expansion(tree: isl.Schedule) -> bool:
    """Does a node stand for several instances further down?"""
    return not tree.get_root().every_descendant(lambda node: node.get_type() != NODE.expansion)


Relations = dict[int, Pairs]
"""Some of the relations under question, by their number."""


@record(eq=False)
class _Walk:
    """Takes pairs down a tree until a node runs their instances apart."""

    expands: bool
    found: dict[int, list[Pairs]] = field(default_factory=dict[int, list[Pairs]])

    def visit(self, node: isl.ScheduleNode, relations: Relations) -> None:
        """Pairs of instances that reach the node and run at the same time so far."""
        relations = {at: each for at, each in relations.items() if not each.is_empty()}
        kind = node.get_type()
        if not relations:
            return
        if kind == NODE.leaf:
            self._report(relations)
        elif kind == NODE.band:
            self._band(node, relations)
        elif kind == NODE.sequence or kind == NODE.set:
            self._children(node, relations)
        elif kind == NODE.filter:
            kept = self._in_leaf_terms(node.filter_get_filter(), node)
            self.visit_restricted(node.child(0), kept, relations)
        else:
            self.visit(node.child(0), relations)

    def visit_restricted(
        self, node: isl.ScheduleNode, instances: isl.UnionSet, relations: Relations
    ) -> None:
        """Pairs of which only these instances reach the node."""
        inside = {
            at: each.intersect_domain(instances).intersect_range(instances)
            for at, each in relations.items()
        }
        outside = {at: each.subtract(inside[at]) for at, each in relations.items()}
        self._report(outside)
        self.visit(node, inside)

    def _band(self, node: isl.ScheduleNode, relations: Relations) -> None:
        times = node.band_get_partial_schedule()
        if times.dim(isl.dim_type.set) == 0:
            self.visit(node.child(0), relations)
            return
        times = self.times(node, times)
        self._report(
            {at: each.lex_gt_at_multi_union_pw_aff(times) for at, each in relations.items()}
        )
        together = {at: each.eq_at_multi_union_pw_aff(times) for at, each in relations.items()}
        self.visit(node.child(0), together)

    def _children(self, node: isl.ScheduleNode, relations: Relations) -> None:
        """A sequence runs its children in order, a set in any order."""
        filters = [
            self._in_leaf_terms(node.child(at).filter_get_filter(), node.child(at))
            for at in range(node.n_children())
        ]
        places = _Places(filters, self.leaf_instances(node))
        is_ordered = node.get_type() == NODE.sequence
        inside: dict[int, dict[int, list[isl.Map]]] = {}
        for at, relation in relations.items():
            for pairs in maps_of(relation):
                rest = pairs
                for source, sink, part in places.of(pairs):
                    rest = rest if places.are_complete(pairs) else rest.subtract(part)
                    if source == sink:
                        inside.setdefault(source, {}).setdefault(at, []).append(part)
                    elif not is_ordered or source > sink:
                        self._report({at: isl.UnionMap.from_map(part)})
                if not places.are_complete(pairs):
                    self._report({at: isl.UnionMap.from_map(rest)})
        for child, maps in inside.items():
            together = {at: joined(map(isl.UnionMap.from_map, each)) for at, each in maps.items()}
            self.visit(node.child(child).child(0), together)

    def times(self, node: isl.ScheduleNode, times: isl.MultiUnionPwAff) -> isl.MultiUnionPwAff:
        """The times of a band as a function of the instances at the leaves."""
        missing = node.get_domain().subtract(times.domain())
        if not missing.is_empty():
            raise ValueError(f"the band {times} gives no time to {missing}")
        if not self.expands:
            return times
        return times.pullback_union_pw_multi_aff(node.get_subtree_contraction())

    def leaf_instances(self, node: isl.ScheduleNode) -> isl.UnionSet:
        """The instances at the leaves that stand below the node."""
        reaching = node.get_domain()
        return reaching.apply(node.get_subtree_expansion()) if self.expands else reaching

    def _in_leaf_terms(self, instances: isl.UnionSet, node: isl.ScheduleNode) -> isl.UnionSet:
        if not self.expands:
            return instances
        return instances.preimage_union_pw_multi_aff(node.get_subtree_contraction())

    def _report(self, relations: Relations) -> None:
        for at, each in relations.items():
            if not each.is_empty():
                self.found.setdefault(at, []).append(each)


class _Places:
    """Which child of a sequence or set an instance belongs to."""

    def __init__(self, filters: Sequence[isl.UnionSet], reaching: isl.UnionSet) -> None:
        self.by_statement: dict[SpaceKey, list[tuple[int, isl.Set]]] = {}
        for child, instances in enumerate(filters):
            for each in sets_of(instances):
                self.by_statement.setdefault(space_key(each.get_space()), []).append((child, each))
        self.whole = {
            key
            for each in sets_of(reaching)
            for key in [space_key(each.get_space())]
            if len(places := self.by_statement.get(key, [])) == 1 and each.is_subset(places[0][1])
        }

    def of(self, pairs: isl.Map) -> Iterable[tuple[int, int, isl.Map]]:
        """The pairs of two statements, by the children of both instances.

        What belongs to no child is left out.
        """
        space = pairs.get_space()
        for source, sources in self._children(space.domain()):
            for sink, sinks in self._children(space.range()):
                part = pairs if sources is None else pairs.intersect_domain(sources)
                part = part if sinks is None else part.intersect_range(sinks)
                yield source, sink, part

    def are_complete(self, pairs: isl.Map) -> bool:
        """Does every instance of both statements belong to a child, and to one only?"""
        space = pairs.get_space()
        return {space_key(space.domain()), space_key(space.range())} <= self.whole

    def _children(self, space: isl.Space) -> list[tuple[int, isl.Set | None]]:
        key = space_key(space)
        places = self.by_statement.get(key, [])
        return [(places[0][0], None)] if key in self.whole else list(places)


# --- at one band ----------------------------------------------------------------------------------


def together_above(node: isl.ScheduleNode, members: int, relation: Pairs) -> Pairs:
    """The pairs that reach a band and that nothing above it, nor its first members, runs apart."""
    walk = _Walk(has_expansion(node.get_schedule()))
    reaching = walk.leaf_instances(node)
    found = relation.intersect_domain(reaching).intersect_range(reaching)
    above = node.get_prefix_schedule_multi_union_pw_aff()
    if above.dim(isl.dim_type.set) > 0:
        found = found.eq_at_multi_union_pw_aff(walk.times(node, above))
    for position in range(members):
        found = found.eq_at_multi_union_pw_aff(member_times(node, position))
    return found


def member_times(node: isl.ScheduleNode, position: int) -> isl.MultiUnionPwAff:
    """One member of a band as a function of the instances at the leaves."""
    if node.get_type() != NODE.band:
        raise ValueError("a loop is a band of a schedule tree; this node is none")
    if not 0 <= position < node.band_n_member():
        raise ValueError(f"the band has {node.band_n_member()} members, and none at {position}")
    walk = _Walk(has_expansion(node.get_schedule()))
    only = node.band_get_partial_schedule().get_at(position)
    return walk.times(node, isl.MultiUnionPwAff.from_union_pw_aff(only))
