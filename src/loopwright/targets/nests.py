"""A nest: the innermost band of a schedule tree, with what its members do to each reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import islpy as isl

from loopwright.model.bodies import Assign, Binary, Call, walk_body
from loopwright.model.dependences import Dependences, untagged
from loopwright.model.scop import Access, Scop, Statement
from loopwright.polyhedra.order import together_above
from loopwright.polyhedra.unions import pairwise_union, sets_of
from loopwright.polyhedra.values import is_plain, isl_value

IN, SET = isl.dim_type.in_, isl.dim_type.set


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference of a statement: how far a step of each member moves it, subscript by subscript.

    ``steps`` is ``None`` where that is not the same everywhere.
    """

    statement: str
    array: str
    reads: bool
    writes: bool
    size: int
    """Of an element, in bytes."""
    steps: tuple[tuple[int, ...], ...] | None
    spans: tuple[bool, ...]
    """Does the statement run in several iterations of the member while the others stand still?"""

    @property
    def rank(self) -> int:
        """How many subscripts it has, as far as it is known how they move."""
        return len(self.steps[0]) if self.steps else 0

    def is_invariant(self, member: int) -> bool:
        """Does a step of the member leave the element the same?"""
        return self.steps is not None and not any(self.steps[member])

    def is_reused(self, member: int) -> bool:
        """Do several iterations of the member use the same element?"""
        return self.rank > 0 and self.spans[member] and self.is_invariant(member)

    def is_contiguous(self, member: int) -> bool:
        """Does a step of the member lead to the next element, or the one before?"""
        if self.steps is None or not self.steps[member]:
            return False
        *outer, last = self.steps[member]
        return not any(outer) and abs(last) == 1


@dataclass(frozen=True, eq=False)
class Nest:
    """An innermost band.

    ``pairs`` are the dependences whose ends nothing above the band runs apart, and ``distances``
    how far its members do.
    """

    node: isl.ScheduleNode
    references: tuple[Reference, ...]
    pairs: isl.UnionMap
    distances: isl.Set
    latency: int
    """Cycles until a result can be used, of the statement that takes longest."""
    depths: Mapping[str, int]
    """How many loops the source has around each statement inside."""
    statements: tuple[str, ...]

    def of(self, statements: Sequence[str]) -> Nest:
        """The same nest for some of its statements only."""
        names = set(statements)
        inside = [
            isl.UnionSet.from_set(each)
            for each in sets_of(self.node.get_domain())
            if each.get_tuple_name() in names
        ]
        domain = pairwise_union(inside)
        pairs = self.pairs.intersect_domain(domain).intersect_range(domain)
        references = tuple(each for each in self.references if each.statement in names)
        nest = replace(self, references=references, pairs=pairs)
        return replace(nest, distances=_distances(self.node, pairs), statements=tuple(statements))

    @property
    def depth(self) -> int:
        """Of the innermost statement."""
        return max(self.depths[name] for name in self.statements)

    @property
    def members(self) -> range:
        """The positions of the members."""
        return range(self.node.band_n_member())

    def times(self, member: int) -> isl.MultiUnionPwAff:
        """When a member runs each instance."""
        return isl.MultiUnionPwAff.from_union_pw_aff(
            self.node.band_get_partial_schedule().get_at(member)
        )

    @cached_property
    def is_permutable(self) -> bool:
        """May the members change places?"""
        return all(_below(self.distances, at).is_empty() for at in self.members)

    def is_coincident(self, member: int) -> bool:
        """Does it run no two instances apart that depend on each other?"""
        return _apart(self.distances, member).is_empty()

    def is_free_inside(self, member: int) -> bool:
        """Does it carry nothing as the innermost loop?"""
        alone = self.distances
        for at in self.members:
            if at != member:
                alone = alone.fix_val(SET, at, isl_value(0))
        return _apart(alone, member).is_empty()


def _below(distances: isl.Set, member: int) -> isl.Set:
    return distances.upper_bound_val(SET, member, isl_value(-1))


def _apart(distances: isl.Set, member: int) -> isl.Set:
    above = distances.lower_bound_val(SET, member, isl_value(1))
    return above.union(_below(distances, member))


def nest_at(node: isl.ScheduleNode, dependences: Dependences) -> Nest:
    """The nest of a band."""
    references = tuple(_references(node, dependences.scop))
    pairs = together_above(node, 0, conflicts(dependences))
    scop = dependences.scop
    names = {each.get_tuple_name() for each in sets_of(node.get_domain())}
    statements = [each for each in scop.statements if each.name in names]
    return Nest(
        node,
        references,
        pairs,
        _distances(node, pairs),
        max(map(_latency, statements)),
        {each.name: each.domain.dim(SET) for each in statements},
        tuple(each.name for each in statements),
    )


ADDITION, DIVISION, CALL = 4, 13, 20
"""Cycles that operations take."""


def _latency(statement: Statement) -> int:
    """As if an addition, all divisions and all calls waited for each other."""
    nodes = list(walk_body(statement.body))
    divisions = sum(
        isinstance(each, Binary | Assign) and each.operator in ("/", "/=") for each in nodes
    )
    calls = sum(isinstance(each, Call) for each in nodes)
    return ADDITION + divisions * DIVISION + calls * CALL


def conflicts(dependences: Dependences) -> isl.UnionMap:
    """All pairs whose order matters."""
    tagged = dependences.tagged_flow.union(dependences.tagged_false)
    for more in (dependences.tagged_order, dependences.tagged_forced):
        if more is not None:
            tagged = tagged.union(more)
    return untagged(tagged)


def _distances(node: isl.ScheduleNode, pairs: isl.UnionMap) -> isl.Set:
    times = isl.UnionMap.from_multi_union_pw_aff(
        node.band_get_partial_schedule().reset_tuple_id(SET)
    )
    found = pairs.apply_domain(times).apply_range(times).deltas()
    space = node.band_get_partial_schedule().reset_tuple_id(SET).get_space()
    return found.extract_set(space.drop_all_params())


def elements(nest: Nest) -> list[Reference]:
    """The references of a nest, those once that move alike; one that is written comes first."""
    found: dict[object, Reference] = {}
    for at, each in enumerate(sorted(nest.references, key=lambda one: not one.writes)):
        key = (each.array, each.steps) if each.steps is not None else at
        found.setdefault(key, each)
    return list(found.values())


# --- references -----------------------------------------------------------------------------------


def _references(node: isl.ScheduleNode, scop: Scop) -> Iterator[Reference]:
    above = node.get_prefix_schedule_multi_union_pw_aff()
    outer = above.dim(SET)
    times = isl.UnionMap.from_multi_union_pw_aff(
        above.flat_range_product(node.band_get_partial_schedule()).reset_tuple_id(SET)
    )
    members = range(outer, outer + node.band_n_member())
    for domain in sets_of(node.get_domain()):
        statement = scop.statement(domain.get_tuple_name())
        whole = times.intersect_domain(isl.UnionSet.from_set(domain))
        instances = isl.Map.from_union_map(whole).reverse()
        spans = tuple(_spans(instances.domain(), member) for member in members)
        for access in statement.accesses:
            if not access.kills:
                array = scop.array(access.array)
                yield Reference(
                    statement.name,
                    access.array,
                    access.reads,
                    access.writes,
                    array.parts[-1].element_size,
                    _steps(instances, access, members),
                    spans,
                )


def _spans(times: isl.Set, member: int) -> bool:
    """Is the member not determined by the other times?"""
    hull = isl.Set.from_basic_set(times.affine_hull())
    others = isl.Map.from_range(hull).move_dims(IN, 0, isl.dim_type.out, 0, member)
    left = others.dim(isl.dim_type.out)
    others = others.move_dims(IN, member, isl.dim_type.out, 1, left - 1)
    return not others.is_single_valued()


def _steps(
    instances: isl.Map, access: Access, members: Iterable[int]
) -> tuple[tuple[int, ...], ...] | None:
    """The coefficients of the members in the subscripts, if all pieces have the same."""
    elements = instances.apply_range(access.may)
    if not elements.is_single_valued():
        return None
    functions: list[isl.MultiAff] = []
    isl.PwMultiAff.from_map(elements).foreach_piece(lambda _, each: functions.append(each))
    found: set[tuple[tuple[int, ...], ...]] = set()
    for function in functions:
        affs = [function.get_aff(at) for at in range(function.dim(isl.dim_type.out))]
        if any(not is_plain(each) for each in affs):
            return None
        found.add(
            tuple(
                tuple(each.get_coefficient_val(IN, member).to_python() for each in affs)
                for member in members
            )
        )
    return found.pop() if len(found) == 1 else None
