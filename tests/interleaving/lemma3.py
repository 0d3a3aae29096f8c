"""Legal schedules by Lemma 3 of Pouchet et al. 2011, found with z3; see the oracle beside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import islpy as isl
import z3

from loopwright import Scop
from tests.interleaving.oracle import (
    IN,
    OUT,
    Pairs,
    Ranks,
    Row,
    basic_maps,
    dependence_maps,
    difference,
    fusing,
    groups_of,
    is_circle,
    is_not_negative,
    is_solvable,
    polyhedron,
    statements_of,
    unknown_row,
)


@cache
def carried_pairs(scop: Scop) -> tuple[Pairs, ...]:
    """The dependences, split by the level of the original order that carries them.

    A schedule of Lemma 3 keeps each polyhedron strongly at one level as a whole.  The original
    order does so for these, but not for their unions.
    """
    order = scop.schedule.get_map()
    found: list[Pairs] = []
    for relation in dependence_maps(scop):
        pairs = isl.UnionMap.from_map(relation)
        times = pairs.apply_domain(order).apply_range(order)
        spaces = times.get_map_list()
        assert spaces.n_map() == 1, "a schedule has one space of times"
        for level in range(spaces.get_at(0).dim(IN)):
            before = _first_before(spaces.get_at(0).get_space(), level)
            between = order.apply_range(isl.UnionMap.from_map(before)).apply_range(order.reverse())
            parts = pairs.intersect(between).get_map_list()
            for index in range(parts.n_map()):
                found += [polyhedron(scop, each) for each in basic_maps(parts.get_at(index))]
    return tuple(found)


def _first_before(times: isl.Space, level: int) -> isl.Map:
    """Times that are equal up to a level, where the first is less."""
    relation = isl.Map.universe(times).order_lt(IN, level, OUT, level)
    for outer in range(level):
        relation = relation.equate(IN, outer, OUT, outer)
    return relation


def has_schedule(
    scop: Scop, ranks: Ranks, shift: int, *, largest: int = 4, slack: int = 50
) -> bool:
    """Is there a legal schedule whose first row is the ranks and whose second fuses the groups?

    The set L_m of Lemma 3, with m = 2 + (2d + 1) rows for d loops: what follows the two rows may be
    anything with coefficients up to ``largest``, which leaves room for the original order.  A δ
    tells for each polyhedron of pairs and each row whether it is there that the pairs are strongly
    kept; afterwards the row may go down by as much as K·n + K, K being the ``slack``.
    """
    depth = max(len(each.iterators) for each in statements_of(scop))
    rows = [unknown_row(scop) for _ in range(2 + 2 * depth + 1)]
    solver = z3.Solver()
    for statement, rank in zip(statements_of(scop), ranks, strict=True):
        first = rows[0][statement.name]
        solver.add(*(each == 0 for each in (*first.loops, *first.parameters)))
        solver.add(first.constant == rank)
        for row in rows[1:]:
            coefficients = row[statement.name].coefficients()
            solver.add(*(each >= 0 for each in coefficients))
            solver.add(*(each <= largest for each in coefficients))
    for group in groups_of(scop, ranks):
        if not is_circle(scop, group):
            solver.add(*fusing(scop, rows[1], group, shift))
    for pairs in carried_pairs(scop):
        solver.add(*_kept(scop, rows, pairs, slack))
    return is_solvable(solver)


def _kept(scop: Scop, rows: Sequence[Row], pairs: Pairs, slack: int) -> Iterator[z3.BoolRef]:
    """(i), (ii) and (iii) of Lemma 3 for one polyhedron."""
    strongly = [z3.FreshInt("δ") for _ in rows]
    for each in strongly:
        yield each >= 0
        yield each <= 1
    yield z3.Sum(strongly) == 1
    for level, row in enumerate(rows):
        before = slack * z3.Sum([z3.IntVal(0), *strongly[:level]])
        function = difference(row, pairs)
        for parameter in range(len(scop.parameters)):
            function[parameter] += before
        function[-1] += before - strongly[level]
        yield from is_not_negative(function, pairs)
