"""The unknowns of a scheduling problem and what the pairs ask of them (PPCG §6.4.2, §6.5.5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from loopwright.basics.records import record
from loopwright.polyhedra.farkas import Multiplier
from loopwright.polyhedra.integer_matrices import Vector, dot
from loopwright.scheduling.graph import Affine, Edge
from loopwright.scheduling.units import Member, Unit

Row = dict[int, int]


@record(eq=False, slots=False)
class Layout:
    """The numbers of the unknowns: ``before`` of the kind of problem, then those of each unit.

    A factor is the difference of two unknowns, the negative one first; factors of later functions
    come before those of earlier ones, and then the factors of the parameters and the constant.
    """

    units: tuple[Unit, ...]
    parameters: int
    before: int

    @cached_property
    def homes(self) -> dict[int, int]:
        """The unit of each statement."""
        return {each: at for at, unit in enumerate(self.units) for each in unit.functions}

    @cached_property
    def starts(self) -> list[int]:
        """The first unknown of each unit."""
        found: list[int] = []
        at = self.before
        for unit in self.units:
            found.append(at)
            at += 2 * unit.dimensions + self.parameters + 1
        return found

    @cached_property
    def size(self) -> int:
        """How many unknowns there are."""
        return self.before + sum(2 * unit.dimensions + self.parameters + 1 for unit in self.units)

    def negative(self, unit: int, function: int) -> int:
        """The unknown that is subtracted in the factor of a function; the other one follows it."""
        return self.starts[unit] + 2 * (self.units[unit].dimensions - 1 - function)

    def parameter(self, unit: int, at: int) -> int:
        """The factor of a parameter."""
        return self.starts[unit] + 2 * self.units[unit].dimensions + at

    def constant(self, unit: int) -> int:
        """The constant of a unit."""
        return self.parameter(unit, self.parameters)

    def all_factors(self) -> list[int]:
        """Both unknowns of each factor."""
        return [
            self.starts[at] + each
            for at, unit in enumerate(self.units)
            for each in range(2 * unit.dimensions)
        ]

    def all_parameters(self) -> list[int]:
        """The factors of the parameters."""
        return [
            self.parameter(at, each)
            for at in range(len(self.units))
            for each in range(self.parameters)
        ]

    def direction(self, unit: int, row: Vector) -> Row:
        """A combination of the factors of a unit."""
        found: Row = {}
        for function, value in enumerate(row):
            if value:
                negative = self.negative(unit, function)
                found[negative], found[negative + 1] = -value, value
        return found

    def members(self, solution: Sequence[int]) -> list[Member]:
        """What a solution says for each unit."""
        found: list[Member] = []
        for at, unit in enumerate(self.units):
            factors = tuple(
                solution[self.negative(at, each) + 1] - solution[self.negative(at, each)]
                for each in range(unit.dimensions)
            )
            first = self.parameter(at, 0)
            parameters = tuple(solution[first : first + self.parameters])
            found.append(Member(factors, parameters, solution[self.constant(at)]))
        return found

    def difference(self, edge: Edge, multiplier: Multiplier, sign: int = 1) -> Row:
        """A condition for sign * (f(sink) - f(source)) >= 0, as a sum that is not negative."""
        total: Row = {}
        source, sink = self.homes[edge.source], self.homes[edge.sink]
        if edge.source == edge.sink:
            for function, basis in enumerate(self.units[sink].functions[edge.sink]):
                value = sign * dot(multiplier.sink, basis.variables)
                self._count(total, sink, function, value)
            return total
        for unit, statement, factors, scale in (
            (sink, edge.sink, multiplier.sink, sign),
            (source, edge.source, multiplier.source, -sign),
        ):
            for function, basis in enumerate(self.units[unit].functions[statement]):
                value = scale * _at(basis, multiplier, factors)
                self._count(total, unit, function, value)
        if source != sink:
            self._count_rest(total, source, sink, multiplier, sign)
        return total

    def _count(self, total: Row, unit: int, function: int, value: int) -> None:
        if not value:
            return
        negative = self.negative(unit, function)
        for unknown, share in ((negative, -value), (negative + 1, value)):
            share += total.get(unknown, 0)
            if share:
                total[unknown] = share
            else:
                del total[unknown]

    def _count_rest(
        self, total: Row, source: int, sink: int, multiplier: Multiplier, sign: int
    ) -> None:
        for at, value in enumerate((*multiplier.parameters, multiplier.constant)):
            if value:
                total[self.parameter(sink, at)] = sign * value
                total[self.parameter(source, at)] = -sign * value


def _at(basis: Affine, multiplier: Multiplier, factors: Vector) -> int:
    """The condition for a function of one side of the pairs."""
    return (
        multiplier.constant * basis.constant
        + dot(multiplier.parameters, basis.parameters)
        + dot(factors, basis.variables)
    )
