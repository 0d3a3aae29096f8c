"""A schedule for each interleaving: tiled and parallel as far as it goes (§4.1, §4.4, Figure 4).

Level by level, statements are divided into groups that share a loop, and each group gets the row of
its loop.  A row joins the band above it if it keeps all that the band keeps: then the loops of the
band can change places, and be tiled (Definition 6).  If there is no such row, a new band begins,
with a row that satisfies as much as possible of what is left (9).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import islice
from random import Random

import islpy as isl

from loopwright.basics.records import record
from loopwright.interleaving.fusibility import DEFAULT_SHIFT, Fusibility
from loopwright.interleaving.preorders import (
    Interleaving,
    Preorder,
    interleaving_of,
    preorder_of,
)
from loopwright.interleaving.programs import Program, Relation, Row
from loopwright.interleaving.pruning import pruned
from loopwright.interleaving.rows import Previous, RowProblem
from loopwright.interleaving.spaces import Space
from loopwright.interleaving.trees import interleaving_of_tree, shape_of, vectors_of
from loopwright.polyhedra.schedule_trees import sequence, together
from loopwright.polyhedra.unions import pairwise_union

Vectors = dict[int, tuple[int, ...]]
"""The vector ρ of each statement."""
_Chosen = Callable[[Space], Iterable[Interleaving | None]]
"""Which points of a space to look at."""

TRIES = 4
"""So many points are drawn for each that is wanted, as some are drawn again."""


@record(eq=False)
class Optimized:
    """A point of F, and a schedule tree that implements it."""

    interleaving: Interleaving
    tree: isl.Schedule


@record(eq=False)
class Options:
    """How schedules are chosen.

    Statements whose first iterations are at most ``shift`` apart can share a loop.  Reads of the
    same value count for distances as dependences do if they are kept ``near``, as in (10); if not,
    they decide only where dependences leave a choice, so that more loops are parallel.
    """

    shift: int = DEFAULT_SHIFT
    near: bool = False


@record(eq=False)
class _Group:
    """Statements that share all loops so far, the innermost of which are a band.

    ``left`` is what these loops have not put in order, ``kept`` what the loops of the band keep.
    """

    numbers: tuple[int, ...]
    left: Program
    kept: Program
    rows: tuple[Row, ...] = ()
    """All rows that the statements have, outermost first."""
    members: int = 0
    """How many of them are the band."""

    @property
    def previous(self) -> Previous:
        """The factors of the loops in the rows."""
        return {each: [row[each].loops for row in self.rows] for each in self.numbers}

    def part(self, numbers: Sequence[int]) -> _Group:
        """Some of the statements; the band ends where they part from the others."""
        if len(numbers) == len(self.numbers):
            return self
        left = self.left.restricted(numbers)
        rows = tuple({each: row[each] for each in numbers} for row in self.rows)
        return _Group(tuple(numbers), left, left, rows)

    def below(self, row: Row) -> _Group:
        """The same statements inside of one more loop of the band."""
        left, rows = self.left.after(row), (*self.rows, row)
        return replace(self, left=left, rows=rows, members=self.members + 1)

    def ended(self) -> _Group:
        """The same without a band."""
        return replace(self, kept=self.left, members=0)

    @property
    def key(self) -> object:
        """All that decides what can be inside."""
        return self.numbers, self.members, tuple(tuple(row.items()) for row in self.rows)


class Optimizer:
    """Schedules for the interleavings of a program; what several have in common is found once."""

    def __init__(self, program: Program, options: Options | None = None) -> None:
        """Nothing is computed yet."""
        self.program = program
        self.options = options or Options()
        self.numbers = tuple(range(len(program.statements)))
        self._spaces: dict[object, Space] = {}
        self._inner: dict[object, _Group | None] = {}
        self._fused: dict[object, Preorder] = {}

    # --- the points of F -------------------------------------------------------------------------

    def all(self, depth: int = 1) -> Iterator[Optimized]:
        """All interleavings of so many levels that some legal schedule has, with a schedule each.

        The rows of outer levels are chosen before inner levels are looked at, as in Figure 4.
        """
        return (Optimized(each, self.tree(each)) for each in self.interleavings(depth))

    def interleavings(self, depth: int = 1) -> Iterator[Interleaving]:
        """The points of F for so many levels, ``max_explore_depth`` in the paper.

        If no statement runs there is one point: nothing is in order in one way.
        """
        if depth < 1:
            raise ValueError(f"interleavings have a level at least, not {depth}")
        if not self.numbers:
            return iter([Interleaving((Preorder(()),) * depth)])
        return self._points(depth, iter)

    def _points(self, depth: int, chosen: _Chosen) -> Iterator[Interleaving]:
        found = self._vectors(self._whole(), depth, chosen)
        return (interleaving_of([each[number] for number in self.numbers]) for each in found)

    def some(self, count: int, depth: int = 1) -> list[Interleaving]:
        """So many of these points, from all over F, the same ones every time; or all of them."""
        found = list(islice(self.interleavings(depth), count + 1))
        if len(found) <= count:
            return found
        chance = Random(0)
        drawn: dict[Interleaving, None] = {}
        for _ in range(TRIES * count):
            points = self._points(depth, lambda space: [space.drawn(chance)])
            drawn |= dict.fromkeys(points)
            if len(drawn) == count:
                break
        return list(islice(drawn | dict.fromkeys(found), count))

    def space(self) -> Space:
        """The set F of the outermost level."""
        return self._space(self._whole())

    def _whole(self) -> _Group:
        return _Group(self.numbers, self.program, self.program)

    def _space(self, group: _Group) -> Space:
        found = self._spaces.get(group.key)
        if found is None:
            fusibility = self._fusibility(group)
            found = self._spaces[group.key] = pruned(fusibility, group.numbers).space
        return found

    def _fusibility(self, group: _Group, *, skews: bool = True) -> Fusibility:
        previous = group.previous if group.rows else None
        return Fusibility(group.left, self.options.shift, previous, skews=skews)

    def _vectors(self, group: _Group, levels: int, chosen: _Chosen) -> Iterator[Vectors]:
        """The vectors ρ of the interleavings of a group, of so many levels."""
        for point in chosen(self._space(group)):
            if point is None:
                continue
            (preorder,) = point.levels
            parts = [group.part(each) for each in _parts(group, preorder)]
            for inside in self._products(parts, levels - 1, chosen):
                ranks = zip(group.numbers, preorder.ranks, strict=True)
                yield {each: (rank, *inside[each]) for each, rank in ranks}

    def _products(
        self, groups: Sequence[_Group], levels: int, chosen: _Chosen
    ) -> Iterator[Vectors]:
        """The vectors inside of the next loops of several groups, each with each."""
        if not groups:
            yield {}
            return
        for own in self._vectors_inside(groups[0], levels, chosen):
            for others in self._products(groups[1:], levels, chosen):
                yield own | others

    def _vectors_inside(self, group: _Group, levels: int, chosen: _Chosen) -> Iterator[Vectors]:
        inner = self._below(group) if levels else None
        if inner is not None:
            yield from self._vectors(inner, levels, chosen)
            return
        places = vectors_of(shape_of(self._as_in_source(group))) if levels else {}
        padding = (0,) * levels
        names = {each: self.program.statements[each].name for each in group.numbers}
        yield {each: (*places.get(name, ())[1:], *padding)[:levels] for each, name in names.items()}

    # --- one of them as a tree -------------------------------------------------------------------

    def tree(self, interleaving: Interleaving) -> isl.Schedule:
        """A schedule with this interleaving; below its levels, as much as possible is fused.

        Raises ``ValueError`` if no legal schedule has it.
        """
        if not self.numbers and not any(each.ranks for each in interleaving.levels):
            return self.program.order
        tree = self._inside(self._whole(), interleaving, 0)
        names = [each.name for each in self.program.statements]
        if interleaving_of_tree(tree, names, len(interleaving.levels)) != interleaving:
            raise ValueError(f"no legal schedule is known that has the interleaving {interleaving}")
        return tree

    def _inside(self, group: _Group, interleaving: Interleaving, level: int) -> isl.Schedule:
        """What is inside of the loops of a group."""
        preorder = self._preorder(group, interleaving, level)
        parts = [group.part(each) for each in _parts(group, preorder)]
        tree = sequence([self._band(each, interleaving, level) for each in parts])
        assert tree is not None, "a group has statements"
        return tree

    def _preorder(self, group: _Group, interleaving: Interleaving, level: int) -> Preorder:
        """Who shares the next loop: as it is asked for, or as many as possible."""
        if level >= len(interleaving.levels):
            return self._most_fused(group)
        ranks = interleaving.levels[level].ranks
        if len(ranks) != len(self.numbers):
            raise ValueError(f"{interleaving} is not about {len(self.numbers)} statements")
        wanted = preorder_of([ranks[each] for each in group.numbers])
        if Interleaving((wanted,)) not in self._space(group):
            raise ValueError(f"no legal schedule has the interleaving {interleaving}")
        return wanted

    def _most_fused(self, group: _Group) -> Preorder:
        """As many pairs as possible share the next loop.

        The paper says no more.  We do not skew loops only to have one in common: that is possible
        more often than not, and the loops that it makes are slow.
        """
        if len(group.numbers) == 1:
            return Preorder((0,))
        found = self._fused.get(group.key)
        if found is None:
            fusibility = self._fusibility(group, skews=False)
            best = pruned(fusibility, group.numbers).space.most_fused()
            assert best is not None, "the order of the source is one"
            found = self._fused[group.key] = best.levels[0]
        return found

    def _band(self, group: _Group, interleaving: Interleaving, level: int) -> isl.Schedule:
        """The next loops of a group that can change places, with all that is inside of them."""
        inner = self._below(group)
        if inner is None:
            return self._as_in_source(group)
        while True:
            level += 1
            if len(self._preorder(inner, interleaving, level).groups) > 1:
                break
            further = self._below(inner)
            if further is None or further.members == 1:
                break
            inner = further
        inside = self._inside(inner, interleaving, level)
        return self._with_band(inside, inner)

    # --- rows ------------------------------------------------------------------------------------

    def _below(self, group: _Group) -> _Group | None:
        """The group with one more row, which is in its band or begins a new one; if there is one.

        A row that begins a band where another one could not go on satisfies as much as possible.
        """
        if group.key not in self._inner:
            self._inner[group.key] = self._with_row(group)
        return self._inner[group.key]

    def _with_row(self, group: _Group) -> _Group | None:
        fusibility = self._fusibility(group)
        if not all(map(fusibility.has_loops_left, group.numbers)):
            return None
        row = self._best_row(group, group.kept.dependences)
        if row is None and group.members:
            satisfied = group.left.dependences
            group = group.ended()
            row = self._best_row(group, group.kept.dependences, satisfied)
        return None if row is None else group.below(row)

    def _best_row(
        self, group: _Group, kept: Sequence[Relation], satisfied: Sequence[Relation] = ()
    ) -> Row | None:
        """The row that keeps what it has to, with the shortest distances (10), (11)."""
        problem = RowProblem(
            self.program,
            group.numbers,
            self.options.shift,
            previous=group.previous,
            satisfied=satisfied,
        )
        problem.keep(kept)
        problem.bound(group.left.dependences, is_ordered=True)
        problem.bound(group.left.inputs, is_ordered=False, bound=0 if self.options.near else 1)
        return problem.best()

    # --- trees -----------------------------------------------------------------------------------

    def _as_in_source(self, group: _Group) -> isl.Schedule:
        """Statements in the order that they have: the only one that is known to be left.

        They have no loops, or depend on each other in a circle and not all of them have one.
        """
        domain = pairwise_union(
            [isl.UnionSet.from_set(self.program.statements[each].domain) for each in group.numbers]
        )
        if len(group.numbers) == 1 and not self._fusibility(group).has_loops_left(group.numbers[0]):
            return isl.Schedule.from_domain(domain)
        return self.program.order.intersect_domain(domain)

    def _with_band(self, inside: isl.Schedule, group: _Group) -> isl.Schedule:
        """A tree inside of the band of a group."""
        rows = group.rows[-group.members :]
        times = inside.insert_partial_schedule(together([self._times(row) for row in rows]))
        band = times.get_root().child(0).band_set_permutable(1)
        for at, row in enumerate(rows):
            is_coincident = all(each.is_together(row) for each in group.kept.dependences)
            band = band.band_member_set_coincident(at, int(is_coincident))
        return band.get_schedule()

    def _times(self, row: Row) -> isl.UnionPwAff:
        """The row as a function of all instances."""
        found = [
            isl.UnionPwAff.from_pw_aff(isl.PwAff.from_aff(self.program.statements[each].aff(own)))
            for each, own in row.items()
        ]
        return reduce(isl.UnionPwAff.union_add, found)


def _parts(group: _Group, preorder: Preorder) -> list[list[int]]:
    return [[group.numbers[at] for at in each] for each in preorder.groups]
