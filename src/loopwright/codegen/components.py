"""Components (§5.7): statements that need not share a loop, and in which order they run."""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import cache

import islpy as isl

from loopwright.codegen.ordering import sorted_components
from loopwright.codegen.tasks import Executed, Task
from loopwright.polyhedra.extremes import greatest_value
from loopwright.polyhedra.levels import SET, widened
from loopwright.polyhedra.unions import maps_of

Kind = isl.schedule_node_type


def components(
    executed: Executed, known: isl.Set, task: Task, whole_marks: Container[str] = ()
) -> list[Executed]:
    """The statements in groups that can be generated one after the other.

    ``known`` is what holds for the iterators outside.

    There is an edge from a to b if some instance of b runs after some instance of a while the outer
    levels have the same values; the groups are the strongly connected components.  Statements that
    are added inside the band run once at each time, so then whatever runs at the same time stays
    together; so does what is inside a mark that is to stay whole.
    """
    if len(executed) == 1:
        return [executed]
    level = known.dim(SET)
    around = widened(known, len(task.members))
    domains = [relation.domain().intersect(around) for relation in executed]
    order = _order_at(domains, level)
    is_whole = task.node is not None and _stays_whole(task.node, whole_marks)

    def precedes(first: int, second: int) -> bool:
        if is_whole and not domains[first].is_disjoint(domains[second]):
            return True
        here = order(first, second)
        if here:
            return here > 0
        after = _after(domains[first], domains[second], level + 1, level + len(task.members))
        if after is not None:
            return after
        return task.node is not None and after_in_tree(
            task.node, _coscheduled(executed[first], executed[second])
        )

    groups = sorted_components(range(len(executed)), precedes)
    return [tuple(executed[index] for index in group) for group in groups]


def _order_at(domains: list[isl.Set], level: int) -> Callable[[int, int], int]:
    """How the values of the second lie to those of the first at a level.

    1 if some come after, 0 if some are equal at best, -1 if all come before.  Many statements often
    have few different values at a level, so that is asked once for each two kinds of values.
    """
    kinds: list[isl.Set] = []
    kind_of: list[int] = []
    for domain in domains:
        values = domain.project_out(SET, level + 1, domain.dim(SET) - level - 1)
        known = (index for index, kind in enumerate(kinds) if kind.plain_is_equal(values))
        kind = next(known, len(kinds))
        if kind == len(kinds):
            kinds.append(values)
        kind_of.append(kind)

    @cache
    def order(first: int, second: int) -> int:
        return kinds[second].follows_at(kinds[first], level)

    return lambda first, second: order(kind_of[first], kind_of[second])


def _stays_whole(node: isl.ScheduleNode, marks: Container[str]) -> bool:
    """Is something inside that belongs to all statements of a time?"""
    found: list[bool] = []

    def look(inner: isl.ScheduleNode) -> bool:
        kind = inner.get_type()
        is_mark = kind == Kind.mark and inner.mark_get_id().get_name() in marks
        found.append(kind == Kind.extension or is_mark)
        return not any(found)

    node.foreach_descendant_top_down(look)
    return any(found)


def _after(first: isl.Set, second: isl.Set, start: int, end: int) -> bool | None:
    """Is some point of the second after a point of the first, at the same values outside?

    ``None`` if no level tells, although some points coincide.
    """
    for level in range(start, end):
        order = second.follows_at(first, level)
        if order > 0:
            return True
        if order < 0:
            return False
    return None


def _coscheduled(first: isl.Map, second: isl.Map) -> isl.Map:
    """``{ a -> b }``: the instances of both that run at the same values of all levels."""
    return first.reverse().apply_range(second)


def after_in_tree(node: isl.ScheduleNode, pairs: isl.Map) -> bool:
    """Does the second of a pair run after the first, for some of the pairs, below a node (§6)?

    >>> tree = isl.Schedule('{ domain: "{ A[]; B[] }", child: { sequence: ['
    ...                     '{ filter: "{ A[] }" }, { filter: "{ B[] }" } ] } }')
    >>> after_in_tree(tree.get_root().child(0), isl.Map("{ A[] -> B[] }"))
    True
    >>> after_in_tree(tree.get_root().child(0), isl.Map("{ B[] -> A[] }"))
    False
    """
    if pairs.is_empty():
        return False
    kind = node.get_type()
    if kind == Kind.leaf:
        return False
    if kind == Kind.band:
        return _after_in_band(node, pairs)
    if kind == Kind.sequence or kind == Kind.set:
        return _after_in_children(node, pairs)
    if kind == Kind.expansion:
        expansion = node.expansion_get_expansion()
        return _any_pair(
            isl.UnionMap.from_map(pairs).apply_domain(expansion).apply_range(expansion),
            lambda inner: after_in_tree(node.child(0), inner),
        )
    return after_in_tree(node.child(0), pairs)


def _after_in_band(node: isl.ScheduleNode, pairs: isl.Map) -> bool:
    times = isl.UnionMap.from_multi_union_pw_aff(node.band_get_partial_schedule())
    together = isl.UnionMap.from_map(pairs)
    moments = together.apply_domain(times).apply_range(times)
    for inner in maps_of(moments):
        if _some_lexicographically_positive(inner.deltas()):
            return True
    same = times.apply_range(times.reverse())
    return _any_pair(together.intersect(same), lambda inner: after_in_tree(node.child(0), inner))


def _some_lexicographically_positive(distances: isl.Set) -> bool:
    for member in range(distances.dim(SET)):
        largest = greatest_value(distances, member)
        if largest.is_pos():
            return True
        if not largest.is_zero():
            return False
        distances = distances.fix_val(SET, member, largest)
    return False


def _after_in_children(node: isl.ScheduleNode, pairs: isl.Map) -> bool:
    """Different children of a sequence are in order, those of a set are not."""
    ordered = node.get_type() == Kind.sequence
    together = isl.UnionMap.from_map(pairs)
    filters = [node.child(index).filter_get_filter() for index in range(node.n_children())]
    for index, first in enumerate(filters):
        from_here = together.intersect_domain(first)
        if from_here.is_empty():
            continue
        if ordered and any(
            not from_here.intersect_range(second).is_empty() for second in filters[index + 1 :]
        ):
            return True
        child = node.child(index).child(0)
        if _any_pair(
            from_here.intersect_range(first), lambda inner, child=child: after_in_tree(child, inner)
        ):
            return True
    return False


def _any_pair(pairs: isl.UnionMap, holds: Callable[[isl.Map], bool]) -> bool:
    return any(holds(inner) for inner in maps_of(pairs))
