"""What all parts of one run of the scheduler share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.scheduling_trace import Event
from loopwright.polyhedra.lexmin import Allowance
from loopwright.scheduling.coalescing import coefficient_bounds
from loopwright.scheduling.farkas import Farkas
from loopwright.scheduling.graph import Affine, Edge, Node
from loopwright.scheduling.options import SchedulerOptions
from loopwright.scheduling.units import Unit


@record(eq=False, slots=False)
class Workshop:
    """The options, the statements, what has been found out about pairs, and what was decided.

    ``explains`` asks for the constraints that stood in the way, which takes some more time.
    """

    options: SchedulerOptions
    nodes: dict[int, Node]
    parameters: int
    farkas: Farkas
    allowance: Allowance
    explains: bool = False
    events: list[Event] = field(default_factory=list[Event])

    def with_all_bounds(self) -> Workshop:
        """The same with the bounds that are left out against coalescing (§7.5.5).

        Without them there may be no solution at all.
        """
        farkas = Farkas(self.nodes, treat_coalescing=False, allowance=self.allowance)
        return replace(self, farkas=farkas)

    def names(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """The names of statements."""
        return tuple(self.nodes[each].name for each in numbers)

    def instances(self, edge: Edge) -> isl.Map:
        """The pairs of an edge between the instances themselves."""
        source, sink = (
            self.nodes[each].compression.intersect_domain(self.nodes[each].domain)
            for each in (edge.source, edge.sink)
        )
        return edge.pairs.apply_domain(source.reverse()).apply_range(sink.reverse())

    def times(self, functions: Mapping[int, Affine]) -> dict[str, isl.Aff]:
        """What a member does with the instances of each statement."""
        return {
            self.nodes[number].name: self.nodes[number].aff(function)
            for number, function in functions.items()
        }

    def bounded(self, units: Iterable[Unit]) -> list[Unit]:
        """Statements with bounds on their factors, so that they do not coalesce (§7.5.3)."""
        if not self.options.treat_coalescing:
            return list(units)
        found: list[Unit] = []
        for unit in units:
            (number,) = unit.functions
            bounds = coefficient_bounds(self.nodes[number].sizes)
            found.append(replace(unit, bounds=tuple(bounds)))
        return found
