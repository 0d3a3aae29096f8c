"""A region as the search for interleavings sees it: loops, and polyhedra of dependent instances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, reduce

import islpy as isl

from loopwright.basics.records import record
from loopwright.interleaving.lattices import conditions_of, parts_of
from loopwright.model.dependences import Dependences
from loopwright.model.scop import Scop, union_set
from loopwright.model.scop import Statement as ScopStatement
from loopwright.polyhedra.farkas import Multiplier
from loopwright.polyhedra.integer_matrices import Vector, dot, independent_rows
from loopwright.polyhedra.lexmin import Allowance
from loopwright.polyhedra.schedule_trees import bands_of
from loopwright.polyhedra.unions import maps_of, sets_of

PARAM, SET, IN, OUT = isl.dim_type.param, isl.dim_type.set, isl.dim_type.in_, isl.dim_type.out


@record
class Function:
    """An affine function of the loops of a statement and the parameters: a row of its schedule."""

    loops: Vector
    parameters: Vector
    constant: int


Row = dict[int, Function]
"""A function for each statement: one dimension of a schedule."""


@record(eq=False, slots=False)
class Statement:
    """A statement; its coordinates are the times of the loops around it in the source.

    Each loop begins at zero, if its begin is an affine function of the parameters.
    """

    number: int
    name: str
    domain: isl.Set
    times: isl.MultiAff
    """From its instances to its coordinates."""

    @property
    def depth(self) -> int:
        """How many loops are around it."""
        return self.times.dim(OUT)

    @cached_property
    def reached(self) -> isl.Set:
        """Its instances in coordinates."""
        return self.domain.apply(isl.Map.from_multi_aff(self.times))

    @cached_property
    def fixed(self) -> tuple[Vector, ...]:
        """Combinations of the coordinates that have one value only."""
        hull = self.reached.affine_hull().remove_divs()
        matrix = hull.equalities_matrix(SET, isl.dim_type.cst, PARAM, isl.dim_type.div)
        rows = (
            tuple(matrix.get_element_val(row, at).to_python() for at in range(self.depth))
            for row in range(matrix.rows())
        )
        return tuple(independent_rows(row for row in rows if any(row)))

    def aff(self, function: Function) -> isl.Aff:
        """The function on the instances themselves."""
        return self.in_coordinates(function).pullback_multi_aff(self.times)

    def in_coordinates(self, function: Function) -> isl.Aff:
        """The function on the coordinates."""
        value = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(self.reached.get_space()))
        for kind, factors in ((IN, function.loops), (PARAM, function.parameters)):
            for at, factor in enumerate(factors):
                if factor:
                    value = value.set_coefficient_val(kind, at, isl.Val(factor))
        return value.set_constant_val(isl.Val(function.constant))


@record(eq=False, slots=False)
class Relation:
    """Pairs of instances in coordinates: the second one depends on the first, or reads the same.

    A function of both is not negative on all pairs if it meets the conditions, part by part.
    """

    source: int
    sink: int
    pairs: isl.Map
    parts: tuple[tuple[Multiplier, ...], ...]

    @cached_property
    def conditions(self) -> tuple[Multiplier, ...]:
        """Those of all parts, each once."""
        return tuple(dict.fromkeys(each for part in self.parts for each in part))

    @property
    def dimension(self) -> int:
        """Of the polyhedra of its pairs, the largest one."""
        hulls = (each.affine_hull() for each in self.pairs.get_basic_maps())
        width = self.pairs.dim(IN) + self.pairs.dim(OUT)
        return max((width - sum(_ties(each)) for each in hulls), default=0)

    def distance(self, condition: Multiplier, row: Row) -> int:
        """What a condition says about f(sink) - f(source)."""
        source, sink = row[self.source], row[self.sink]
        value = dot(condition.sink, sink.loops)
        if self.source == self.sink:
            return value
        value -= dot(condition.source, source.loops)
        value += condition.constant * (sink.constant - source.constant)
        value += dot(condition.parameters, sink.parameters)
        return value - dot(condition.parameters, source.parameters)

    def is_kept(self, row: Row) -> bool:
        """Does no pair run backwards in a row?"""
        values = ((each.is_equality, self.distance(each, row)) for each in self.conditions)
        return all(value == 0 if is_equality else value >= 0 for is_equality, value in values)

    def is_together(self, row: Row) -> bool:
        """Does each pair run at the same time in a row?"""
        return not any(self.distance(each, row) for each in self.conditions)


@record(eq=False, slots=False)
class Program:
    """Statements, what keeps them in order, and what they read in common."""

    statements: tuple[Statement, ...]
    parameters: tuple[str, ...]
    dependences: tuple[Relation, ...]
    inputs: tuple[Relation, ...]
    """Of different statements: what a statement reads again by itself is up to its tiles."""
    order: isl.Schedule
    """That of the source."""
    context: isl.Set
    allowance: Allowance

    @property
    def depth(self) -> int:
        """The largest number of loops around a statement."""
        return max((each.depth for each in self.statements), default=0)

    def between(self, numbers: Iterable[int]) -> tuple[Relation, ...]:
        """The dependences among some of the statements."""
        return tuple(_among(self.dependences, set(numbers)))

    @cached_property
    def edges(self) -> frozenset[tuple[int, int]]:
        """Which other statement depends on which one."""
        pairs = ((each.source, each.sink) for each in self.dependences)
        return frozenset(pair for pair in pairs if pair[0] != pair[1])

    @cached_property
    def reuse(self) -> dict[tuple[int, int], float]:
        """How much two statements have to do with the same values, the lower number first.

        Each relation between them counts as much as its pairs have dimensions.
        """
        found: dict[tuple[int, int], float] = {}
        for each in (*self.dependences, *self.inputs):
            if each.source != each.sink:
                pair = min(each.source, each.sink), max(each.source, each.sink)
                found[pair] = found.get(pair, 0.0) + each.dimension
        return found

    def restricted(self, numbers: Iterable[int]) -> Program:
        """What concerns some of the statements only; they keep their numbers."""
        kept = set(numbers)
        return replace(
            self,
            dependences=tuple(_among(self.dependences, kept)),
            inputs=tuple(_among(self.inputs, kept)),
        )

    def after(self, row: Row) -> Program:
        """What is left among instances that run at the same time in a row."""
        return replace(
            self,
            dependences=tuple(self._at_once(_among(self.dependences, set(row)), row)),
            inputs=tuple(self._at_once(_among(self.inputs, set(row)), row)),
        )

    def _at_once(self, relations: Iterable[Relation], row: Row) -> Iterator[Relation]:
        times = {
            number: isl.Map.from_aff(self.statements[number].in_coordinates(function))
            for number, function in row.items()
        }
        for each in relations:
            same = times[each.source].apply_range(times[each.sink].reverse())
            left = each.pairs.intersect(same)
            if not left.is_empty():
                yield relation(each.source, each.sink, left, self.allowance)


def _ties(hull: isl.BasicMap) -> Iterator[int]:
    """One for each equality between coordinates."""
    for each in hull.get_constraints():
        kinds = (IN, OUT)
        yield int(
            each.is_equality()
            and any(each.involves_dims(kind, 0, hull.dim(kind)) for kind in kinds)
        )


def _among(relations: Iterable[Relation], kept: set[int]) -> Iterator[Relation]:
    return (each for each in relations if each.source in kept and each.sink in kept)


def relation(source: int, sink: int, pairs: isl.Map, allowance: Allowance) -> Relation:
    """A relation with its conditions."""
    is_difference = source == sink
    points = pairs.deltas() if is_difference else pairs.wrap()
    width = 0 if is_difference else pairs.dim(IN)
    parts = tuple(conditions_of(each, width, allowance) for each in parts_of(points))
    return Relation(source, sink, pairs, parts)


def program_of(found: Dependences, allowance: Allowance | None = None) -> Program:
    """The statements of a region that do something, and their dependences."""
    scop = found.scop
    allowance = allowance or Allowance()
    executed = [each for each in scop.statements if _runs(each, scop)]
    space = reduce(
        isl.Space.align_params,
        (each.domain.get_space().params() for each in executed),
        scop.context.get_space(),
    )
    ordered = found.flow.union(found.false)
    space = space.align_params(ordered.get_space().params())
    loops = _loops(scop, space)
    statements = tuple(
        _statement(number, each.domain.align_params(space), loops.get(each.name, []))
        for number, each in enumerate(executed)
    )
    numbers = {each.name: each for each in statements}
    inputs = found.inputs if found.inputs is not None else isl.UnionMap.empty(space)
    return Program(
        statements,
        tuple(space.get_dim_name(PARAM, at) or "" for at in range(space.dim(PARAM))),
        tuple(_relations(ordered, numbers, scop.context, allowance)),
        tuple(_relations(inputs, numbers, scop.context, allowance, of_others=True)),
        scop.schedule.intersect_domain(union_set(each.domain for each in executed)),
        scop.context.align_params(space),
        allowance,
    )


def _runs(statement: ScopStatement, scop: Scop) -> bool:
    """Does a statement ever run?  Kills do not, and some loops are never entered."""
    domain = statement.domain.intersect_params(scop.context)
    return not statement.is_kill and not domain.is_empty()


def _statement(number: int, domain: isl.Set, loops: Sequence[isl.Aff]) -> Statement:
    space = domain.get_space()
    functions = isl.AffList.alloc(space.get_ctx(), len(loops))
    for each in loops:
        functions = functions.add(each)
    target = space.drop_dims(SET, 0, space.dim(SET)).add_dims(SET, len(loops))
    target = target.set_tuple_name(SET, domain.get_tuple_name())
    between = space.map_from_domain_and_range(target)
    times = isl.MultiAff.from_aff_list(between, functions)
    return Statement(number, domain.get_tuple_name() or "", domain, times)


def _relations(
    union: isl.UnionMap,
    statements: dict[str, Statement],
    context: isl.Set,
    allowance: Allowance,
    *,
    of_others: bool = False,
) -> Iterator[Relation]:
    for pairs in maps_of(union.intersect_params(context)):
        ends = [statements.get(pairs.get_tuple_name(kind) or "") for kind in (IN, OUT)]
        source, sink = ends
        if source is None or sink is None or pairs.is_empty():
            continue
        if of_others and source is sink:
            continue
        pairs = pairs.align_params(source.domain.get_space())
        pairs = pairs.apply_domain(isl.Map.from_multi_aff(source.times))
        pairs = pairs.apply_range(isl.Map.from_multi_aff(sink.times))
        joined = relation(source.number, sink.number, pairs.coalesce(), allowance)
        is_exact = pairs.n_basic_map() == 1 or _is_tight(joined)
        yield joined if is_exact else relation(source.number, sink.number, pairs, allowance)


def _is_tight(found: Relation) -> bool:
    """Is each loop that runs forwards for all pairs known to do so?

    Pieces that are joined have the same whole pairs, but perhaps more fractions between them.
    """
    depths = found.pairs.dim(IN), found.pairs.dim(OUT)
    none = (0,) * found.pairs.dim(PARAM)
    for loop in range(min(depths)):
        source, sink = (Function(_unit(loop, depth), none, 0) for depth in depths)
        is_known = found.is_kept({found.source: source, found.sink: sink})
        if not is_known and not _runs_backwards(found.pairs, loop):
            return False
    return True


def _unit(at: int, width: int) -> Vector:
    return tuple(int(each == at) for each in range(width))


def _runs_backwards(pairs: isl.Map, loop: int) -> bool:
    return not pairs.intersect(
        isl.Map.universe(pairs.get_space()).order_gt(IN, loop, OUT, loop)
    ).is_empty()


# --- the loops of the source ----------------------------------------------------------------------


def _loops(scop: Scop, space: isl.Space) -> dict[str, list[isl.Aff]]:
    """The times of the loops around each statement, outermost first, each from zero on."""
    executed = union_set(each.domain for each in scop.statements if not each.is_kill)
    found: dict[str, list[isl.Aff]] = {}
    for band in bands_of(scop.schedule.intersect_domain(executed)):
        partial = band.band_get_partial_schedule()
        for at in range(band.band_n_member()):
            _add_loop(found, partial.get_at(at), band.get_domain(), scop.context, space)
    return found


def _add_loop(
    found: dict[str, list[isl.Aff]],
    times: isl.UnionPwAff,
    domain: isl.UnionSet,
    context: isl.Set,
    space: isl.Space,
) -> None:
    values = isl.UnionMap.from_union_pw_aff(times).intersect_domain(domain).range()
    reached = isl.Set.from_union_set(values).intersect_params(context).align_params(space)
    start = _start(reached)
    functions = times.get_pw_aff_list()
    alive = {each.get_tuple_name() for each in sets_of(domain)}
    for at in range(len(functions)):
        function = functions.get_at(at).align_params(space)
        name = function.domain().get_tuple_name() or ""
        if name in alive:
            pieces = function.get_pieces()
            assert len(pieces) == 1, "a loop of the source counts by an affine function"
            aff = pieces[0][1]
            below = isl.Aff.zero_on_domain(aff.get_domain_local_space())
            for parameter, factor in enumerate(start.parameters):
                below = below.set_coefficient_val(PARAM, parameter, isl.Val(factor))
            below = below.set_constant_val(isl.Val(start.constant))
            found.setdefault(name, []).append(aff.sub(below))


def _start(values: isl.Set) -> Function:
    """Where a loop begins, as far as one affine function of the parameters can say; else zero."""
    count = values.dim(PARAM)
    nowhere = Function((), (0,) * count, 0)
    if not values.dim_has_lower_bound(SET, 0):
        return nowhere
    least = values.coalesce().dim_min(0)
    for _, first in least.get_pieces():
        is_whole = not first.dim(isl.dim_type.div) and first.get_denominator_val().is_one()
        if is_whole and least.domain().is_subset(least.eq_set(isl.PwAff.from_aff(first))):
            factors = (first.get_coefficient_val(PARAM, at).to_python() for at in range(count))
            return Function((), tuple(factors), first.get_constant_val().to_python())
    return nowhere
