"""Why a loop of the new program is not parallel, or not a vector loop: the first obstacle."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import islpy as isl

from loopwright.dependence.loops import Band, carried_by, loop_bands
from loopwright.dependence.witnesses import witness
from loopwright.fates import Fate
from loopwright.model.dependences import Dependence, Dependences, Kind
from loopwright.model.scop import Access, Loop, Statement
from loopwright.polyhedra.limits import OutOfOperations, limited
from loopwright.polyhedra.unions import sets_of
from loopwright.targets.cpu import MappedNest

MOST_OPERATIONS = 500_000
"""A reason that takes isl longer to find is not told."""


class Reasons:
    """What keeps the loops of one region from being parallel or vector loops."""

    def __init__(self, region: Fate) -> None:
        """Remember the region; its dependences are looked at when somebody asks."""
        self.region = region
        self.scop = region.scop

    def not_parallel(self) -> list[str]:
        """For each outermost loop none of whose statements runs in parallel: what it carries."""
        if self.region.found is None:
            return []
        shared = _statements_in_parallel(self.region.schedule)
        found: list[str] = []
        for loop, band in loop_bands(self.scop):
            if loop.depth == 0 and not shared & set(loop.statements):
                text = self._carried(band, self.region.found)
                found += [f"not parallel over {loop.iterator}: {text}"] if text else []
        return found

    def not_vectorised(self, nest: MappedNest, iterator: str) -> list[str]:
        """What keeps the innermost loop of a nest from being a vector loop."""
        if nest.plan.is_vector or self.region.found is None:
            return []
        around = [
            (loop, band)
            for loop, band in loop_bands(self.scop)
            if set(loop.statements) & set(nest.statements)
        ]
        chosen = [each for each in around if each[0].iterator == iterator] or around[-1:]
        for loop, band in chosen:
            text = self._carried(band, self.region.found) or self._strided(loop, nest)
            if text:
                return [f"not vectorised over {loop.iterator}: {text}"]
        return []

    def _carried(self, band: Band, found: Dependences) -> str:
        """One pair of iterations of a loop that cannot run at the same time."""
        # The loops run in their order here.
        in_order = replace(found, order_triples=None, forced_triples=None)
        with suppress(OutOfOperations), limited(MOST_OPERATIONS):
            # A variable of the region's own can have a copy for each iteration.
            carried = (each for each in carried_by(band, in_order) if not self._is_settled(each))
            edges = sorted(carried, key=_telling)
            if edges:
                return str(witness(edges[0], self.scop))
        return ""

    def _is_settled(self, edge: Dependence) -> bool:
        """Is it about memory of which iterations can have, or do have, copies?"""
        is_copied = edge.array in self.region.copied and edge.kind is not Kind.FLOW
        return is_copied or self.scop.array(edge.array).is_local

    def _strided(self, loop: Loop, nest: MappedNest) -> str:
        """A reference that does not go from one element to the next."""
        with suppress(OutOfOperations), limited(MOST_OPERATIONS):
            for name in nest.statements:
                statement = self.scop.statement(name)
                if loop.depth >= len(statement.iterators) or name not in loop.statements:
                    continue
                for access in statement.accesses:
                    if not _is_smooth(access, statement, loop.depth):
                        where = f"{access.text} on line {access.span.line}"
                        return f"{where} does not go from one element to the next"
        return ""


def _statements_in_parallel(tree: isl.Schedule) -> set[str]:
    """The statements inside of marks that ask for threads."""
    found: set[str] = set()

    def look(node: isl.ScheduleNode) -> bool:
        if node.get_type() == isl.schedule_node_type.mark:
            name = str(node.mark_get_id().get_name())
            if name.startswith("omp parallel"):
                found.update(str(each.get_tuple_name()) for each in sets_of(node.get_domain()))
        return True

    tree.get_root().foreach_descendant_top_down(look)
    return found


def _telling(edge: Dependence) -> tuple[bool, bool]:
    """A value that flows says more than memory that is used again, and a sum less."""
    return edge.kind is not Kind.FLOW, edge.reduction is not None


def _is_smooth(access: Access, statement: Statement, depth: int) -> bool:
    """Does the next iteration touch the same element, or the next one?"""
    relation = access.may.intersect_domain(statement.domain)
    if relation.dim(isl.dim_type.out) == 0:
        return True
    space = statement.domain.get_space()
    shift = isl.MultiAff.identity(space.map_from_set())
    there = shift.get_at(depth)
    shift = shift.set_at(depth, there.add_constant_val(isl.Val(1)))
    steps = isl.Map.from_multi_aff(shift).intersect_domain(statement.domain)
    deltas = relation.reverse().apply_range(steps).apply_range(relation).deltas()
    last = deltas.dim(isl.dim_type.set) - 1
    close = deltas
    for at in range(last):
        close = close.fix_val(isl.dim_type.set, at, isl.Val(0))
    close = close.lower_bound_val(isl.dim_type.set, last, isl.Val(0))
    close = close.upper_bound_val(isl.dim_type.set, last, isl.Val(1))
    return deltas.is_subset(close)
