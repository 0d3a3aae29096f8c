"""The convex set of all bounded legal schedules of a program (§2.3, Lemma 3).

A schedule has some rows, and its unknowns are the coefficients of each statement in each row.  For
each polyhedron of dependent pairs, a variable δ of each row is one where the row puts all pairs in
order, zero elsewhere, and one at a single row.  Before that row no pair may run backwards; after it
the rows are free, which a bound on distances says that no schedule in the box of coefficients
violates.  Farkas' multipliers are eliminated: a function is not negative on a polyhedron iff it is
so on the polyhedron's generators.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import islpy as isl

from loopwright.basics.records import record
from loopwright.interleaving.lattices import conditions_of, parts_of
from loopwright.interleaving.milp import Linear, Solver, solution_of
from loopwright.interleaving.programs import IN, OUT, Function, Program, Relation, Row
from loopwright.polyhedra.farkas import Multiplier

LARGEST = 2
"""So large may a coefficient be, unless somebody says otherwise."""


@record
class Polyhedron:
    """Pairs of dependent instances that one row has to put in order, all of them at once."""

    source: int
    sink: int
    conditions: tuple[Multiplier, ...]


@record
class Coefficient:
    """An unknown: of a loop or of a parameter, by its position, or the constant."""

    row: int
    statement: int
    kind: str
    """``loop``, ``parameter`` or ``constant``."""
    at: int = 0


@record(eq=False, slots=False)
class LegalSchedules:
    """The set L: schedules of so many ``rows`` with coefficients from ``least`` to ``largest``.

    Further constraints leave a part of it, which is convex as well.
    """

    program: Program
    statements: tuple[int, ...]
    rows: int
    least: int = 0
    largest: int = LARGEST
    further: tuple[Linear, ...] = ()

    def __post_init__(self) -> None:
        """Refuse statements that are not there, or there twice, and fewer rows than none."""
        known = set(range(len(self.program.statements)))
        if len(known.intersection(self.statements)) != len(self.statements):
            raise ValueError(f"{self.statements} are not different statements of the program")
        if self.rows < 0:
            raise ValueError(f"a schedule has no {self.rows} rows")

    # --- unknowns --------------------------------------------------------------------------------

    @cached_property
    def _coefficients(self) -> dict[Coefficient, int]:
        found: list[Coefficient] = []
        for row in range(self.rows):
            for each in self.statements:
                depth = self.program.statements[each].depth
                found += [Coefficient(row, each, "loop", at) for at in range(depth)]
                parameters = range(len(self.program.parameters))
                found += [Coefficient(row, each, "parameter", at) for at in parameters]
                found.append(Coefficient(row, each, "constant"))
        return {each: at for at, each in enumerate(found)}

    def unknown(self, coefficient: Coefficient) -> int:
        """The number of an unknown."""
        return self._coefficients[coefficient]

    def is_strong(self, polyhedron: int, row: int) -> int:
        """The number of a variable δ."""
        return len(self._coefficients) + polyhedron * self.rows + row

    @property
    def size(self) -> int:
        """How many unknowns there are."""
        return len(self._coefficients) + self.rows * len(self.polyhedra)

    @cached_property
    def polyhedra(self) -> tuple[Polyhedron, ...]:
        """The dependences, in parts that a row can put in order as a whole.

        They are divided by the first loop that runs the sink later than the source.  Without that,
        the order of the source would not be in the set: several of its rows do what has to be done
        by one.  A finer division leaves more schedules, all of them legal.
        """
        allowance = self.program.allowance
        return tuple(
            Polyhedron(each.source, each.sink, conditions_of(part, width, allowance))
            for each in self.program.between(self.statements)
            for width, parts in [_by_level(each)]
            for part in parts
        )

    # --- constraints -----------------------------------------------------------------------------

    def constraints(self) -> Iterator[Linear]:
        """All of them."""
        for number, polyhedron in enumerate(self.polyhedra):
            strong = [self.is_strong(number, row) for row in range(self.rows)]
            yield Linear(dict.fromkeys(strong, 1), -1, is_equality=True)
            for row in range(self.rows):
                for condition in polyhedron.conditions:
                    yield from self._kept(polyhedron, condition, row, strong)
        yield from self.further

    def _kept(
        self, polyhedron: Polyhedron, condition: Multiplier, row: int, strong: Sequence[int]
    ) -> Iterator[Linear]:
        """(iii) for one generator of the polyhedron, or for a line in both directions.

        K n + K is K times the generator's constant and parameters.  Any value is good enough that
        no schedule in the box is farther below zero; one for each generator is as small as can be.
        """
        distance = self._distance(polyhedron, condition, row)
        for sign in (1, -1) if condition.is_equality else (1,):
            terms = {unknown: sign * factor for unknown, factor in distance.items()}
            least = sum(min(each * self.least, each * self.largest) for each in terms.values())
            terms |= dict.fromkeys(strong[:row], max(0, -least))
            terms[strong[row]] = -sign * condition.constant
            yield Linear(terms)

    def _distance(self, polyhedron: Polyhedron, condition: Multiplier, row: int) -> dict[int, int]:
        """Θ(sink) - Θ(source) on a generator, in the unknowns of a row."""
        terms: dict[int, int] = {}
        ends = ((polyhedron.sink, 1, condition.sink), (polyhedron.source, -1, condition.source))
        if polyhedron.source == polyhedron.sink:
            ends = ends[:1]  # the generator is of the difference
        for statement, sign, loops in ends:
            for at, factor in enumerate(loops):
                terms[self.unknown(Coefficient(row, statement, "loop", at))] = sign * factor
            if len(ends) > 1:
                for at, factor in enumerate(condition.parameters):
                    unknown = self.unknown(Coefficient(row, statement, "parameter", at))
                    terms[unknown] = sign * factor
                constant = self.unknown(Coefficient(row, statement, "constant"))
                terms[constant] = sign * condition.constant
        return terms

    def restricted(self, constraints: Iterable[Linear]) -> LegalSchedules:
        """The schedules that meet further constraints, too."""
        return replace(self, further=(*self.further, *constraints))

    # --- questions -------------------------------------------------------------------------------

    def witness(self, solver: Solver | None = None) -> list[Row] | None:
        """A schedule in the set, or nothing if it is empty."""
        lower = [self.least] * len(self._coefficients) + [0] * (self.size - len(self._coefficients))
        upper = [self.largest] * len(self._coefficients)
        upper += [1] * (self.size - len(self._coefficients))
        values = solution_of(list(self.constraints()), lower, upper, self.program.allowance, solver)
        return None if values is None else self._rows(values)

    def is_feasible(self) -> bool:
        """Is there a schedule?"""
        return self.witness() is not None

    def __contains__(self, rows: Sequence[Row]) -> bool:
        """Is it a schedule of the set?  Which rows put what in order is looked for."""
        if len(rows) != self.rows or any(not row.keys() >= {*self.statements} for row in rows):
            return False
        wanted = [
            Linear({unknown: 1}, -_value(rows, each), is_equality=True)
            for each, unknown in self._coefficients.items()
        ]
        return self.restricted(wanted).is_feasible()

    def _rows(self, values: Sequence[int]) -> list[Row]:
        return [
            {each: self._function(values, row, each) for each in self.statements}
            for row in range(self.rows)
        ]

    def _function(self, values: Sequence[int], row: int, statement: int) -> Function:
        def of(kind: str, count: int) -> tuple[int, ...]:
            unknowns = (Coefficient(row, statement, kind, at) for at in range(count))
            return tuple(values[self.unknown(each)] for each in unknowns)

        depth = self.program.statements[statement].depth
        parameters = of("parameter", len(self.program.parameters))
        return Function(of("loop", depth), parameters, of("constant", 1)[0])


def legal_schedules(
    program: Program,
    rows: int,
    statements: Iterable[int] | None = None,
    *,
    least: int = 0,
    largest: int = LARGEST,
) -> LegalSchedules:
    """The set L of Lemma 3 for all or some statements of a program."""
    chosen = range(len(program.statements)) if statements is None else statements
    return LegalSchedules(program, tuple(chosen), rows, least, largest)


def _value(rows: Sequence[Row], coefficient: Coefficient) -> int:
    function = rows[coefficient.row][coefficient.statement]
    if coefficient.kind == "constant":
        return function.constant
    values = function.loops if coefficient.kind == "loop" else function.parameters
    return values[coefficient.at]


def _by_level(relation: Relation) -> tuple[int, list[isl.BasicSet]]:
    """The parts of a relation, with how many of their dimensions are those of the source."""
    pairs, found = relation.pairs, list[isl.Map]()
    for level in range(min(pairs.dim(IN), pairs.dim(OUT))):
        later = isl.Map.universe(pairs.get_space()).order_lt(IN, level, OUT, level)
        found.append(pairs.intersect(later))
        pairs = pairs.subtract(later)
    is_difference = relation.source == relation.sink
    parts = [each.deltas() if is_difference else each.wrap() for each in (*found, pairs)]
    width = 0 if is_difference else pairs.dim(IN)
    return width, [each for part in parts for each in parts_of(part.coalesce())]
