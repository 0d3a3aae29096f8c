"""A nest: the innermost band of a schedule tree, with what its members do to each reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.bodies import Assign, Binary, Call, walk_body
from loopwright.model.dependences import Reduction
from loopwright.model.elements import is_named
from loopwright.model.scop import Access, Array, Scop, Statement
from loopwright.polyhedra.extremes import greatest_value, least_value
from loopwright.polyhedra.order import together_above
from loopwright.polyhedra.unions import pairwise_union, sets_of
from loopwright.polyhedra.values import constant_of, is_plain, isl_value
from loopwright.targets.pairs import (
    Known,
    Private,
    Steps,
    distances_of,
    pairs_of,
    privates_at,
    steps_at,
    strict_distances,
)

IN, OUT, SET = isl.dim_type.in_, isl.dim_type.out, isl.dim_type.set


@record
class Reference:
    """A reference of a statement: how far a step of each member moves it, subscript by subscript.

    ``steps`` is ``None`` where that is not the same everywhere.
    """

    statement: str
    tag: str
    array: str
    reads: bool
    writes: bool
    size: int
    """Of an element, in bytes."""
    steps: tuple[tuple[int, ...], ...] | None
    spans: tuple[bool, ...]
    """Does the statement run in several iterations of the member while the others stand still?"""
    is_certain: bool = True
    """Does each instance touch the element that it names, in the source as in the model?"""
    row: int | None = None
    """The bytes from one row of the array to the next, where they are known."""

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


@record(eq=False, slots=False)
class Nest:
    """An innermost band.

    ``pairs`` are the dependences whose ends nothing above the band runs apart, and ``distances``
    how far its members do.  Reductions whose steps may run in any order have ``steps``, and
    ``strict`` has the distances of all other pairs.
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
    calling: frozenset[str]
    """The statements that call what there is no vector operation for."""
    strict: isl.Set
    steps: tuple[Steps, ...] = ()
    private: tuple[Private, ...] = ()
    """Local variables that each thread could have for itself."""
    shared: isl.Set | None = None
    """The distances of everything else."""

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
        distances = distances_of(self.node, pairs)
        return replace(
            self,
            references=references,
            pairs=pairs,
            distances=distances,
            statements=tuple(statements),
            strict=distances,
            steps=(),
            private=(),
            shared=None,
        )

    @property
    def has_calls(self) -> bool:
        """Does a statement call what there is no vector operation for?"""
        return bool(self.calling & set(self.statements))

    @property
    def depth(self) -> int:
        """Of the innermost statement."""
        return max(self.depths[name] for name in self.statements)

    @property
    def members(self) -> range:
        """The positions of the members."""
        return range(self.node.band_n_member())

    @cached_property
    def ranges(self) -> list[range | None]:
        """The values of each member, where they do not depend on anything."""
        return [_values(self.times(at), self.node.get_domain()) for at in self.members]

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

    def privates(self, member: int) -> tuple[str, ...] | None:
        """The variables that each iteration of a member needs for itself to run in parallel.

        Nothing if it carries more than that.
        """
        if self.is_coincident(member):
            return ()
        if self.shared is None or not _apart(self.shared, member).is_empty():
            return None
        carried = [each for each in self.private if not _apart(each.distances, member).is_empty()]
        return tuple(each.array for each in carried)

    def is_free_inside(self, member: int) -> bool:
        """Does it carry nothing as the innermost loop?"""
        return _apart(self._inside(self.distances, member), member).is_empty()

    def reductions(self, member: int) -> tuple[Reduction, ...]:
        """What it reduces, if it carries nothing but steps of reductions of variables."""
        carried = [each for each in self.steps if not _apart(each.distances, member).is_empty()]
        is_possible = all(each.is_variable for each in carried)
        if not is_possible or not _apart(self.strict, member).is_empty():
            return ()
        return tuple(each.reduction for each in carried)

    def reductions_inside(self, member: int) -> tuple[Reduction, ...]:
        """What it reduces as the innermost loop, if it carries nothing else there."""
        if not _apart(self._inside(self.strict, member), member).is_empty():
            return ()
        return tuple(
            each.reduction
            for each in self.steps
            if not _apart(self._inside(each.distances, member), member).is_empty()
        )

    def _inside(self, distances: isl.Set, member: int) -> isl.Set:
        """Where all others stand still."""
        for at in self.members:
            if at != member:
                distances = distances.fix_val(SET, at, isl_value(0))
        return distances


def _values(times: isl.MultiUnionPwAff, domain: isl.UnionSet) -> range | None:
    values = isl.UnionMap.from_multi_union_pw_aff(times).intersect_domain(domain).range()
    whole = isl.Set.from_union_set(values)
    low, high = least_value(whole, 0), greatest_value(whole, 0)
    if not low.is_int() or not high.is_int():
        return None
    return range(low.to_python(), high.to_python() + 1)


def _below(distances: isl.Set, member: int) -> isl.Set:
    return distances.upper_bound_val(SET, member, isl_value(-1))


def _apart(distances: isl.Set, member: int) -> isl.Set:
    above = distances.lower_bound_val(SET, member, isl_value(1))
    return above.union(_below(distances, member))


def nest_at(node: isl.ScheduleNode, dependences: Known, *, reassociates: bool = False) -> Nest:
    """The nest of a band; the steps of reductions count if it ``reassociates``."""
    references = tuple(_references(node, dependences.scop))
    pairs = together_above(node, 0, pairs_of(dependences.conflicts))
    distances = distances_of(node, pairs)
    scop = dependences.scop
    names = {each.get_tuple_name() for each in sets_of(node.get_domain())}
    statements = [each for each in scop.statements if each.name in names]
    return Nest(
        node,
        references,
        pairs,
        distances,
        max(map(_latency, statements)),
        {each.name: each.domain.dim(SET) for each in statements},
        tuple(each.name for each in statements),
        frozenset(each.name for each in statements if _calls(each)),
        strict_distances(node, dependences) if reassociates else distances,
        tuple(steps_at(node, dependences, names)) if reassociates else (),
        *privates_at(node, dependences, names),
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


VECTOR_FUNCTIONS = frozenset(("fabs", "fabsf"))
"""A square root has to set errno, too."""


def _calls(statement: Statement) -> bool:
    return any(
        isinstance(each, Call) and each.function not in VECTOR_FUNCTIONS
        for each in walk_body(statement.body)
    )


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
                    access.tag,
                    access.array,
                    access.reads,
                    access.writes,
                    array.parts[-1].element_size,
                    _steps(instances, access, members),
                    spans,
                    access.is_certain(statement.domain) and is_named(access, statement, array),
                    _row(array),
                )


def _row(array: Array) -> int | None:
    """The bytes of a row, if that is a number."""
    extent = array.extents[-1] if array.rank > 1 else None
    count = constant_of(extent) if extent is not None else None
    return count * array.parts[-1].element_size if count is not None else None


def _spans(times: isl.Set, member: int) -> bool:
    """Is the member not determined by the other times?"""
    hull = isl.Set.from_basic_set(times.affine_hull())
    others = isl.Map.from_range(hull).move_dims(IN, 0, OUT, 0, member)
    left = others.dim(OUT)
    others = others.move_dims(IN, member, OUT, 1, left - 1)
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
        affs = [function.get_aff(at) for at in range(function.dim(OUT))]
        if any(not is_plain(each) for each in affs):
            return None
        found.add(
            tuple(
                tuple(each.get_coefficient_val(IN, member).to_python() for each in affs)
                for member in members
            )
        )
    return found.pop() if len(found) == 1 else None
