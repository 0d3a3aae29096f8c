"""May the iterations of a loop run at the same time, and if not, what would free them?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import islpy as isl

from loopwright.basics.records import record
from loopwright.dependence.analysis import Mode, dependences
from loopwright.dependence.distances import Reaches
from loopwright.dependence.loops import Band, carried_by
from loopwright.model.dependences import Dependence, Dependences, Kind, Reduction
from loopwright.model.scop import Loop, Scop, union_map
from loopwright.polyhedra.order import together_above
from loopwright.polyhedra.unions import maps_of
from loopwright.report.references import Finding, array_text, looked_up


@record
class Asked:
    """What the user wants to know of the dependences."""

    inputs: bool = False
    mode: Mode = "value"
    max_operations: int | None = None


@record(eq=False)
class Remedy:
    """What would make a loop of a region parallel, all of it together.

    ``private`` arrays only keep the iterations in order because these share them: a copy for each
    iteration would do.  Those that are ``declared_inside`` the loop have such copies already, and
    ``dropped`` ones must not be needed after the region.  ``reassociated`` reductions would run
    their steps in any order.
    """

    scop: Scop
    private: tuple[str, ...]
    declared_inside: tuple[str, ...]
    dropped: tuple[str, ...]
    reassociated: tuple[Reduction, ...]

    @property
    def copied(self) -> tuple[str, ...]:
        """The arrays that would need a copy for each iteration and do not have it."""
        return tuple(each for each in self.private if each not in self.declared_inside)

    def named(self, array: str) -> str:
        """The array as the source names it."""
        return array_text(self.scop.array(array))

    def named_all(self, arrays: Iterable[str]) -> list[str]:
        """Some arrays as the source names them."""
        return [self.named(each) for each in arrays]


@record(eq=False)
class Verdict:
    """What keeps the iterations of a loop in order, the most telling dependence first.

    There is no remedy where a value flows from one iteration into another.
    """

    loop: Loop
    obstacles: tuple[Finding, ...]
    remedy: Remedy | None

    @property
    def is_parallel(self) -> bool:
        """May the iterations run at the same time, as they stand?"""
        return not self.obstacles


class Verdicts:
    """The verdicts on the loops of one region."""

    def __init__(self, found: Dependences, reaches: Reaches, asked: Asked) -> None:
        """Remember what was found; reductions are relaxed when a loop asks for it."""
        self.found = found
        # The loops run in their order, where these say the same as the table does.
        self.in_order = replace(found, order_triples=None, forced_triples=None)
        self.reaches = reaches
        self.asked = asked
        self.flow = found.labelled(found.flow_triples, Kind.FLOW)
        self.coming_in = _touching(found.may_live_in)
        self.going_out = _touching(found.may_live_out)
        self.relaxed: dict[frozenset[str], Dependences] = {}

    def of(self, loop: Loop, band: Band) -> Verdict:
        """The verdict on one loop of the source."""
        carried = looked_up(carried_by(band, self.in_order), self.reaches, self.found.scop)
        arrays = dict.fromkeys(each.array for each in carried)
        private = tuple(each for each in arrays if self._is_only_shared(each, loop, band))
        obstacles = tuple(sorted(carried, key=lambda each: _telling(each, private)))
        return Verdict(loop, obstacles, self._remedy(obstacles, private, loop, band))

    def _remedy(
        self, obstacles: Sequence[Finding], private: tuple[str, ...], loop: Loop, band: Band
    ) -> Remedy | None:
        left = [each.dependence for each in obstacles if each.array not in private]
        if not obstacles or any(each.reduction is None for each in left):
            return None
        gathering = _reductions(left)
        relaxed = carried_by(band, self._relaxing(gathering)) if gathering else []
        if any(each.array not in private for each in relaxed):
            return None
        inside = set(loop.statements)
        return Remedy(
            self.found.scop,
            private,
            tuple(each for each in private if self._is_declared_in(each, loop)),
            tuple(each for each in private if self.going_out.get(each, set[str]()) & inside),
            gathering,
        )

    def _is_only_shared(self, array: str, loop: Loop, band: Band) -> bool:
        """Is every value of the array that the loop uses made and used in one iteration?

        What the loop only writes, for the code after the region, is its result and no such array.
        """
        inside = set(loop.statements)
        if self.coming_in.get(array, set[str]()) & inside:
            return False
        values = [each for each in self.flow if _is_through(each, array, inside)]
        if not values and self.going_out.get(array, set[str]()) & inside:
            return False
        pairs = union_map(each.pairs for each in values)
        return pairs.is_subset(together_above(band, 1, pairs))

    def _is_declared_in(self, array: str, loop: Loop) -> bool:
        """Does the declaration stand in the loop, so that each iteration has its own variable?"""
        declared = self.found.scop.array(array)
        statements = [self.found.scop.statement(each) for each in loop.statements]
        return declared.is_local and any(
            each.is_kill and each.span == declared.span for each in statements
        )

    def _relaxing(self, gathering: tuple[Reduction, ...]) -> Dependences:
        key = frozenset(each.statement for each in gathering)
        if key not in self.relaxed:
            asked = self.asked
            self.relaxed[key] = dependences(
                self.found.scop,
                mode=asked.mode,
                relaxed=gathering,
                max_operations=asked.max_operations,
            )
        return self.relaxed[key]


def _is_through(flow: Dependence, array: str, inside: set[str]) -> bool:
    """Does a value of the array pass into one of the statements, or out of it?"""
    ends = {flow.source.statement.name, flow.sink.statement.name}
    return flow.array == array and bool(ends & inside)


def _touching(crossing: isl.UnionMap) -> dict[str, set[str]]:
    """The statements that touch elements of each array."""
    found: dict[str, set[str]] = {}
    for each in maps_of(crossing):
        space = each.get_space()
        instance = str(space.get_tuple_name(isl.dim_type.in_))
        element = str(space.get_tuple_name(isl.dim_type.out))
        if not each.is_empty():
            found.setdefault(element, set()).add(instance)
    return found


def _reductions(edges: Sequence[Dependence]) -> tuple[Reduction, ...]:
    """Each reduction that orders some of the edges, once."""
    found = {each.reduction.statement: each.reduction for each in edges if each.reduction}
    return tuple(found.values())


def _telling(obstacle: Finding, private: Sequence[str]) -> tuple[bool, bool, int]:
    """What nothing can free comes first, and what a value flows through before what it reuses."""
    edge = obstacle.dependence
    is_shared, is_step = obstacle.array in private, edge.reduction is not None
    return is_shared, is_step, list(Kind).index(edge.kind)
