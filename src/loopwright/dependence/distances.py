"""How far apart the two ends of a dependence are, loop by loop of the source."""

from __future__ import annotations

import islpy as isl

from loopwright.basics.records import record
from loopwright.dependence.loops import Band, loop_bands
from loopwright.model.dependences import Dependence
from loopwright.model.scop import Loop, Scop
from loopwright.polyhedra.extremes import greatest_value, least_value
from loopwright.polyhedra.order import member_times
from loopwright.polyhedra.unions import maps_of


@record(eq=False)
class Distance:
    """The distance over one loop: between ``least`` and ``greatest``, where those exist.

    A loop that counts down has positive distances, too: they count in the direction of time, in
    values of the iterator.
    """

    loop: Loop
    least: int | None
    greatest: int | None

    def __str__(self) -> str:
        """A number, or a direction: ``+``, ``0+``, ``-``, ``0-``, ``*``."""
        if self.least is not None and self.least == self.greatest:
            return str(self.least)
        if self.least is not None and self.least >= 0:
            return "+" if self.least > 0 else "0+"
        if self.greatest is not None and self.greatest <= 0:
            return "-" if self.greatest < 0 else "0-"
        return "*"


@record(eq=False)
class Reach:
    """A dependence as loops see it: distances over the common ones, and which of them carry it.

    ``within`` tells that some pairs are in the same iteration of all common loops.
    """

    distances: tuple[Distance, ...]
    carriers: tuple[Loop, ...]
    within: bool


class Reaches:
    """The distances of the dependences of a region, over the loops that both statements are in."""

    def __init__(self, scop: Scop) -> None:
        """Look up the loops once."""
        self.loops = loop_bands(scop)

    def of(self, dependence: Dependence) -> Reach:
        """The distances of one of the dependences."""
        together = isl.UnionMap.from_map(dependence.pairs)
        distances: list[Distance] = []
        carriers: list[Loop] = []
        for loop, band in self._common(dependence):
            times = member_times(band, 0)
            distances.append(_distance(loop, isl.UnionMap.from_map(dependence.pairs), times))
            staying = together.eq_at_multi_union_pw_aff(times)
            if not together.is_subset(staying):
                carriers.append(loop)
            together = staying
        return Reach(tuple(distances), tuple(carriers), not together.is_empty())

    def _common(self, dependence: Dependence) -> list[tuple[Loop, Band]]:
        names = {dependence.source.statement.name, dependence.sink.statement.name}
        common = [each for each in self.loops if names <= set(each[0].statements)]
        return sorted(common, key=lambda each: each[0].depth)


def _distance(loop: Loop, pairs: isl.UnionMap, times: isl.MultiUnionPwAff) -> Distance:
    moments = isl.UnionMap.from_multi_union_pw_aff(times)
    (apart,) = maps_of(pairs.apply_domain(moments).apply_range(moments))
    deltas = apart.deltas()
    return Distance(loop, _bound(least_value(deltas, 0)), _bound(greatest_value(deltas, 0)))


def _bound(value: isl.Val) -> int | None:
    return value.to_python() if value.is_int() else None
