"""What must hold of every schedule, asked of the tree and the constraints, never of the scheduler.

* It runs exactly the instances that it was given.
* It respects validity, and conditional validity wherever an adjacent condition has its ends apart
  (PPCG §4.2).
* A member marked coincident has distance zero on all coincidence constraints that nothing above its
  band has carried, whatever the other members of the band do (§4.4).
* No member of a band marked permutable runs a constraint backwards that nothing above the band has
  carried, so that the members may change places.
* It is complete: the affine function that gives an instance of a statement its time is injective on
  the affine hull of the statement's instances.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

import islpy as isl

from loopwright.dependence.legality import respects
from loopwright.dependence.loops import is_permutable
from loopwright.model.dependences import Dependences
from loopwright.polyhedra.order import leaf_instances, member_times, together_above
from loopwright.polyhedra.schedule_trees import bands_of
from loopwright.polyhedra.unions import maps_of, sets_of
from loopwright.scheduling.constraints import ScheduleConstraints

NODE = isl.schedule_node_type


@dataclass(frozen=True, slots=True)
class Broken:
    """A law that does not hold, and where."""

    law: str
    detail: str

    def __str__(self) -> str:
        """Both."""
        return f"{self.law}: {self.detail}"


def broken_laws(tree: isl.Schedule, asked: ScheduleConstraints) -> list[Broken]:
    """All that is wrong with a schedule for these constraints; nothing else is known about it."""
    asked = _within_domain(asked)
    found = list(_domain(tree, asked))
    if not found:
        found += _validity(tree, asked)
        found += _conditional_validity(tree, asked)
        found += _coincidence(tree, asked)
        found += _permutability(tree, asked)
        found += _completeness(tree, asked)
    return found


def broken_laws_of_program(tree: isl.Schedule, dependences: Dependences) -> list[Broken]:
    """What the judge of dependences finds wrong, who has never heard of constraints."""
    found: list[Broken] = []
    if not respects(tree, dependences):
        found.append(Broken("dependences", "the schedule does not respect them"))
    for band in bands_of(tree):
        if band.band_get_permutable() and not is_permutable(band, dependences):
            found.append(Broken("permutable", f"by its dependences it is not: {_text(band)}"))
    return found


def _text(band: isl.ScheduleNode) -> str:
    return str(band.band_get_partial_schedule())


# --- what is asked --------------------------------------------------------------------------------


def _within_domain(asked: ScheduleConstraints) -> ScheduleConstraints:
    """Constraints say nothing about instances that do not exist, nor about excluded parameters."""
    domain = asked.domain.intersect_params(asked.context)

    def inside(relation: isl.UnionMap) -> isl.UnionMap:
        instances = domain.preimage_union_pw_multi_aff(_untagging(relation))
        return relation.intersect_domain(instances).intersect_range(instances)

    return ScheduleConstraints(
        domain,
        validity=inside(asked.validity),
        coincidence=inside(asked.coincidence),
        condition=inside(asked.condition),
        conditional_validity=inside(asked.conditional_validity),
        context=asked.context,
    )


def _untagging(*relations: isl.UnionMap) -> isl.UnionPwMultiAff:
    """The function from the ends of these relations to instances: ``[S[i] -> R[]] -> S[i]``."""
    ends = [end for each in relations for end in (each.domain(), each.range())]
    found = isl.UnionPwMultiAff.empty_space(isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0))
    for each in sets_of(reduce(isl.UnionSet.union, ends)):
        whole = isl.Set.universe(each.get_space())
        function = whole.unwrap().domain_map() if whole.is_wrapping() else whole.identity()
        found = found.union_add(
            isl.UnionPwMultiAff.from_pw_multi_aff(isl.PwMultiAff.from_map(function))
        )
    return found


# --- the laws -------------------------------------------------------------------------------------


def _domain(tree: isl.Schedule, asked: ScheduleConstraints) -> Iterator[Broken]:
    run = leaf_instances(tree).intersect_params(asked.context)
    if not run.is_equal(asked.domain):
        missing, added = asked.domain.subtract(run), run.subtract(asked.domain)
        yield Broken("domain", f"not run: {missing}, run although not asked for: {added}")


def _validity(tree: isl.Schedule, asked: ScheduleConstraints) -> Iterator[Broken]:
    if not respects(tree, asked.validity):
        yield Broken("validity", "some pairs are not in order")


def _coincidence(tree: isl.Schedule, asked: ScheduleConstraints) -> Iterator[Broken]:
    for band in bands_of(tree):
        together = together_above(band, 0, asked.coincidence)
        for at in range(band.band_n_member()):
            apart = _apart(together, member_times(band, at))
            if band.band_member_get_coincident(at) and not apart.is_empty():
                yield Broken("coincidence", f"member {at} of {_text(band)} keeps apart {apart}")


def _permutability(tree: isl.Schedule, asked: ScheduleConstraints) -> Iterator[Broken]:
    for band in bands_of(tree):
        together = together_above(band, 0, asked.validity)
        for at in range(band.band_n_member()):
            wrong = together.lex_gt_at_multi_union_pw_aff(member_times(band, at))
            if band.band_get_permutable() and not wrong.is_empty():
                yield Broken("permutable", f"member {at} of {_text(band)} runs backwards {wrong}")


def _completeness(tree: isl.Schedule, asked: ScheduleConstraints) -> Iterator[Broken]:
    for times in maps_of(tree.get_map().intersect_domain(asked.domain)):
        hull = isl.Map.from_basic_map(times.affine_hull())
        if not times.is_empty() and not hull.is_injective():
            yield Broken("complete", f"{hull} is not injective")


def _apart(pairs: isl.UnionMap, times: isl.MultiUnionPwAff) -> isl.UnionMap:
    later = pairs.lex_lt_at_multi_union_pw_aff(times)
    return later.union(pairs.lex_gt_at_multi_union_pw_aff(times))


# --- conditional validity -------------------------------------------------------------------------


def _conditional_validity(tree: isl.Schedule, asked: ScheduleConstraints) -> list[Broken]:
    if asked.condition.is_empty() or asked.conditional_validity.is_empty():
        return []
    walk = _LiveRanges(_untagging(asked.condition, asked.conditional_validity), [])
    nothing = asked.condition.subtract(asked.condition)
    walk.visit(tree.get_root(), _Pairs(asked.conditional_validity, asked.condition, nothing))
    return walk.found


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Pairs that reach a node: those that run together so far, and conditions that do not."""

    conditioned: isl.UnionMap
    conditions: isl.UnionMap
    apart: isl.UnionMap

    def imposed(self) -> isl.UnionMap:
        """Conditioned pairs next to a condition whose ends are apart."""
        after = self.conditioned.intersect_domain(self.apart.range())
        return after.union(self.conditioned.intersect_range(self.apart.domain()))

    def with_apart(self, times: isl.MultiUnionPwAff) -> _Pairs:
        """The conditions judged by a further level, the conditioned pairs as they are."""
        apart = self.apart.union(_apart(self.conditions, times))
        return _Pairs(self.conditioned, self.conditions, apart)

    def together(self, times: isl.MultiUnionPwAff) -> _Pairs:
        """The pairs that a level runs together."""
        return _Pairs(
            self.conditioned.eq_at_multi_union_pw_aff(times),
            self.conditions.eq_at_multi_union_pw_aff(times),
            self.apart,
        )

    def inside(self, instances: isl.UnionSet) -> _Pairs:
        """The pairs of these instances."""
        return _Pairs(
            self.conditioned.intersect_domain(instances).intersect_range(instances),
            self.conditions.intersect_domain(instances).intersect_range(instances),
            self.apart,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _LiveRanges:
    """Takes conditions and conditioned pairs down a tree."""

    untagging: isl.UnionPwMultiAff
    found: list[Broken]

    def visit(self, node: isl.ScheduleNode, pairs: _Pairs) -> None:
        """No conditioned pair may lose its order next to a condition that is apart."""
        kind = node.get_type()
        if pairs.conditioned.is_empty():
            return
        if kind == NODE.leaf:
            self._forbid(pairs.imposed(), "leaf", "runs in any order")
        elif kind == NODE.band:
            self.visit(node.child(0), self._band(node, pairs))
        elif kind in (NODE.sequence, NODE.set):
            self._children(node, pairs)
        else:
            self.visit(node.child(0), pairs)

    def _band(self, node: isl.ScheduleNode, pairs: _Pairs) -> _Pairs:
        members = [self._tagged(member_times(node, at)) for at in range(node.band_n_member())]
        if node.band_get_permutable():
            imposed = reduce(_Pairs.with_apart, members, pairs).imposed()
            for times in members:
                wrong = imposed.lex_gt_at_multi_union_pw_aff(times)
                self._forbid(wrong, _text(node), "is permutable and runs backwards")
        for times in members:
            pairs = pairs.with_apart(times)
            wrong = pairs.imposed().lex_gt_at_multi_union_pw_aff(times)
            self._forbid(wrong, _text(node), "runs backwards")
            pairs = pairs.together(times)
        return pairs

    def _children(self, node: isl.ScheduleNode, pairs: _Pairs) -> None:
        """The place of a child counts like the time in a band."""
        children = [node.child(at) for at in range(node.n_children())]
        instances = [self._reaching(each.child(0)) for each in children]
        places = [
            isl.UnionPwAff.val_on_domain(each, isl.Val(at)) for at, each in enumerate(instances)
        ]
        times = isl.MultiUnionPwAff.from_union_pw_aff(reduce(isl.UnionPwAff.union_add, places))
        pairs = pairs.with_apart(times)
        wrong = pairs.imposed().lex_gt_at_multi_union_pw_aff(times)
        if node.get_type() == NODE.set:
            wrong = _apart(pairs.imposed(), times)
        self._forbid(wrong, "sequence or set", "runs backwards or in any order")
        for child, inside in zip(children, instances, strict=True):
            self.visit(child.child(0), pairs.inside(inside))

    def _reaching(self, node: isl.ScheduleNode) -> isl.UnionSet:
        contraction = node.get_subtree_contraction()
        leaves = node.get_domain().preimage_union_pw_multi_aff(contraction)
        return leaves.preimage_union_pw_multi_aff(self.untagging)

    def _tagged(self, times: isl.MultiUnionPwAff) -> isl.MultiUnionPwAff:
        return times.pullback_union_pw_multi_aff(self.untagging)

    def _forbid(self, pairs: isl.UnionMap, where: str, what: str) -> None:
        if not pairs.is_empty():
            self.found.append(Broken("conditional validity", f"{where} {what} {pairs}"))
