"""Permutable bands: members one after the other, until there is no further one (PPCG §6.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Literal, TypeVar

from loopwright.basics.records import record
from loopwright.model.scheduling_trace import BandMade, Blocker, Kind, Problem
from loopwright.polyhedra.integer_matrices import independent_directions
from loopwright.scheduling.conditions import conflicting_conditions
from loopwright.scheduling.graph import Edge, Functions
from loopwright.scheduling.pluto import PlutoProblem
from loopwright.scheduling.units import Member, Unit
from loopwright.scheduling.workshop import Workshop


@record(eq=False, slots=False)
class BandMember:
    """One member of a band: what each unit and each statement does in it."""

    of_units: tuple[Member, ...]
    functions: Functions
    is_coincident: bool


@record(eq=False, slots=False)
class Band:
    """Permutable members; ``is_complete`` if nothing is left for an inner band to schedule."""

    members: tuple[BandMember, ...]
    is_complete: bool
    record: BandMade

    @property
    def coincident(self) -> int:
        """How many members are coincident; they come first."""
        return sum(member.is_coincident for member in self.members)


def compute_band(
    shop: Workshop, units: Sequence[Unit], edges: Sequence[Edge], *, coincidence: bool = True
) -> Band:
    """A band for units under all that is asked of them, coincidence perhaps left aside.

    Where a member violates a conditioned constraint next to a condition whose ends it puts apart,
    such conditions become local, and the band is computed anew (§6.5.4).
    """
    local: frozenset[int] = frozenset()
    problems: list[Problem] = []
    while True:
        attempt = _Attempt(shop, units, edges, local, problems, coincidence)
        conflicts = attempt.run()
        if not conflicts:
            return attempt.band()
        local |= conflicts


class _Attempt:
    """One computation of a band with some conditions local."""

    def __init__(
        self,
        shop: Workshop,
        units: Sequence[Unit],
        edges: Sequence[Edge],
        local: frozenset[int],
        problems: list[Problem],
        coincidence: bool,
    ) -> None:
        self.shop = shop
        self.units = units
        self.edges = edges
        self.local = local
        self.problems = problems
        self.members: list[BandMember] = []
        self.previous = [list(unit.previous) for unit in units]
        self.is_complete = False
        self.coincidence = coincidence
        self.lost: tuple[Blocker, ...] = ()
        self.ended: tuple[Blocker, ...] = ()
        self.far: list[Blocker] = []

    def band(self) -> Band:
        record = BandMade(
            self.shop.names(sorted(each for unit in self.units for each in unit.functions)),
            "pluto",
            len(self.members),
            sum(member.is_coincident for member in self.members),
            True,
            tuple(self.problems),
            self.lost,
            self.ended,
            tuple(self._blocker("condition", self.edges[at]) for at in sorted(self.local)),
            tuple(self.shop.times(each.functions) for each in self.members)
            if self.shop.explains
            else (),
            tuple(self.far),
        )
        return Band(tuple(self.members), self.is_complete, record)

    def run(self) -> frozenset[int]:
        """Compute members until there are no more; the conditions that have to be local, if any."""
        problem = self._problem(self.edges)
        while not self._is_done():
            solution = problem.solve(self.previous)
            self._record(problem, solution is not None)
            if solution is None:
                if not (self._gives_up_proximity() or self._gives_up_coincidence()):
                    break
                problem = self._problem(self.edges)
                continue
            self._accept(problem.layout.members(solution))
            conflicts = conflicting_conditions(
                self.shop, self.edges, [each.functions for each in self.members]
            )
            if conflicts:
                return conflicts
        return frozenset()

    def _is_done(self) -> bool:
        self.is_complete = not any(
            independent_directions(rows, unit.dimensions)
            for unit, rows in zip(self.units, self.previous, strict=True)
        )
        return self.is_complete

    def _gives_up_proximity(self) -> bool:
        """Is there a member if some pairs need not be near?  Then they need not (§6.6.3).

        Nearness is only a preference, but no bound on the distance may hold for all pairs.
        """
        near = [at for at, edge in enumerate(self.edges) if edge.is_proximity]

        def without(far: Iterable[int]) -> list[Edge]:
            edges = list(self.edges)
            for at in far:
                edges[at] = replace(edges[at], is_proximity=False)
            return edges

        def is_stuck(kept: Sequence[int]) -> bool:
            far = set(near).difference(kept)
            return self._problem(without(far)).solve(self.previous) is None

        if not near or is_stuck([]):
            return False
        core = smallest_part(near, is_stuck)
        self.far += [self._blocker("proximity", self.edges[core[0]])]
        self.edges = without(core[:1])
        return True

    def _gives_up_coincidence(self) -> bool:
        """Is another attempt without coincidence in order (§6.5.3)?"""
        asked = self.coincidence and any(edge.is_coincidence for edge in self.edges)
        if not asked:
            self.ended = self._in_the_way("ended")
            return False
        self.lost = self._in_the_way("lost")
        if not self.members and self.shop.options.is_coincidence_forced:
            return False
        self.coincidence = False
        return True

    def _problem(self, edges: Sequence[Edge]) -> PlutoProblem:
        problem = PlutoProblem(self.shop, self.units)
        problem.ask(edges, coincidence=self.coincidence, local=self.local)
        return problem

    def _record(self, problem: PlutoProblem, is_solved: bool) -> None:
        size, rows = problem.layout.size, len(problem.seen)
        self.problems.append(Problem("pluto", size, rows, self.coincidence, is_solved))

    def _accept(self, solution: Sequence[Member]) -> None:
        functions = {
            statement: unit.combination(statement, member, self.shop.nodes[statement].dimensions)
            for unit, member in zip(self.units, solution, strict=True)
            for statement in unit.functions
        }
        self.members.append(BandMember(tuple(solution), functions, self.coincidence))
        for rows, member in zip(self.previous, solution, strict=True):
            rows.append(member.factors)

    def _in_the_way(self, what: Literal["lost", "ended"]) -> tuple[Blocker, ...]:
        """Constraints that leave no solution, and none of which can be spared.

        Coincidence may be lost where nothing is possible without it, either; then it is not alone.
        """
        if not self.shop.explains:
            return ()
        if what == "lost":
            return self._core(("coincidence",)) or self._core(
                ("coincidence", "validity", "proximity")
            )
        return self._core(("validity", "proximity"))

    def _core(self, kinds: Sequence[Kind]) -> tuple[Blocker, ...]:
        asked: list[tuple[int, Kind, str]] = [
            (at, kind, f"is_{kind}")
            for kind in kinds
            for at, edge in enumerate(self.edges)
            if getattr(edge, f"is_{kind}")
        ]

        def is_stuck(kept: Sequence[tuple[int, Kind, str]]) -> bool:
            edges = list(self.edges)
            for at, _, flag in set(asked).difference(kept):
                edges[at] = replace(edges[at], **{flag: False})
            return self._problem(edges).solve(self.previous) is None

        return tuple(
            self._blocker(kind, self.edges[at]) for at, kind, _ in smallest_part(asked, is_stuck)
        )

    def _blocker(self, kind: Kind, edge: Edge) -> Blocker:
        source, sink = self.shop.names((edge.source, edge.sink))
        pairs = self.shop.instances(edge) if self.shop.explains else None
        return Blocker(kind, source, sink, pairs)


Asked = TypeVar("Asked")


def smallest_part(
    asked: Sequence[Asked], is_stuck: Callable[[Sequence[Asked]], bool]
) -> list[Asked]:
    """A part of what was asked that is impossible already, and no smaller part of it is."""
    core: list[Asked] = []
    if is_stuck(core):
        return core
    rest = list(asked)
    while True:
        low, high = 0, len(rest)
        while low + 1 < high:
            middle = (low + high) // 2
            if is_stuck([*core, *rest[:middle]]):
                high = middle
            else:
                low = middle
        core.append(rest[high - 1])
        rest = rest[: high - 1]
        if is_stuck(core):
            return core
