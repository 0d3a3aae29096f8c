"""The questions of Figure 3 on the set of all legal schedules, as they are worded (§2.5, §3.2).

They are answered here in general: coefficients may be negative if the set says so, and statements
are fused if their instances mix at all.  The search for interleavings has cheaper answers for
coefficients that are not negative, see :mod:`loopwright.interleaving.pruning`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import lcm

import islpy as isl

from loopwright.basics.records import record
from loopwright.interleaving.legal_schedules import Coefficient, LegalSchedules, legal_schedules
from loopwright.interleaving.milp import Linear
from loopwright.interleaving.programs import PARAM, Program, Statement
from loopwright.polyhedra.farkas import multipliers
from loopwright.polyhedra.integer_matrices import dot


@record(eq=False)
class Vertex:
    """A corner of a domain: its coordinates, where it is one.

    Each has a factor for each parameter and a constant, all over one common denominator.
    """

    coordinates: tuple[tuple[int, ...], ...]
    denominator: int
    where: isl.Set


def vertices_of(statement: Statement, context: isl.Set) -> list[Vertex]:
    """The corners of a statement's domain, for all values of the parameters in the context."""
    found: list[Vertex] = []

    def keep(vertex: isl.Vertex) -> None:
        where = isl.Set.from_basic_set(vertex.get_domain()).intersect_params(context).params()
        if not where.is_empty():
            found.append(_vertex(vertex.get_expr(), where))

    for each in statement.reached.intersect_params(context).get_basic_sets():
        each.remove_divs().compute_vertices().foreach_vertex(keep)
    return found


def _vertex(expression: isl.MultiAff, where: isl.Set) -> Vertex:
    values = [expression.get_aff(at) for at in range(expression.dim(isl.dim_type.out))]
    common = lcm(*(each.get_denominator_val().to_python() for each in values))

    def whole(value: isl.Val) -> int:
        return value.mul(isl.Val(common)).to_python()

    coordinates = tuple(
        (
            *(whole(each.get_coefficient_val(PARAM, at)) for at in range(each.dim(PARAM))),
            whole(each.get_constant_val()),
        )
        for each in values
    )
    return Vertex(coordinates, common, where)


# --- fusion ---------------------------------------------------------------------------------------


def is_fusable(program: Program, first: int, second: int, level: int = 1) -> bool:
    """Can instances of two statements mix in so many outer loops (Definition 3)?

    Rows that do not depend on the loops of a statement fuse nothing; we ask that of them, too, as
    Definition 7 does.
    """
    schedules = _pair(program, first, second)
    if not 0 <= level <= schedules.rows:
        raise ValueError(f"two statements do not share {level} loops")
    return _has_fusing(schedules, program, first, second, 0, level)


def must_distribute(program: Program, first: int, second: int, level: int = 1) -> bool:
    """Is there no legal schedule in which two statements share so many outer loops?"""
    return not is_fusable(program, first, second, level)


def must_fuse(program: Program, first: int, second: int) -> bool:
    """Is there no legal schedule that runs one of two statements after all of the other?"""
    return not any(can_follow(program, *pair) for pair in ((first, second), (second, first)))


def can_follow(program: Program, first: int, second: int) -> bool:
    """Does a legal schedule run all of the second statement after all of the first?

    Its first row is a splitter: a constant for each.  With the statements in the other order this
    is the question whether they can be distributed and swapped.
    """
    schedules = _pair(program, first, second)
    order = [schedules.unknown(Coefficient(0, each, "constant")) for each in (first, second)]
    splitter = [Linear({order[0]: -1, order[1]: 1}, -1)]
    for number in (first, second):
        for at in range(program.statements[number].depth):
            unknown = schedules.unknown(Coefficient(0, number, "loop", at))
            splitter.append(Linear({unknown: 1}, is_equality=True))
        for at in range(len(program.parameters)):
            unknown = schedules.unknown(Coefficient(0, number, "parameter", at))
            splitter.append(Linear({unknown: 1}, is_equality=True))
    return schedules.restricted(splitter).is_feasible()


def _pair(program: Program, first: int, second: int) -> LegalSchedules:
    """The legal schedules of two statements, with room for the order of the source below a row."""
    if len({first, second}.intersection(range(len(program.statements)))) != 2:
        raise ValueError(f"{first} and {second} are not two statements of the program")
    depth = max(program.statements[each].depth for each in (first, second))
    return legal_schedules(program, 2 * depth + 2, (first, second))


def _has_fusing(
    schedules: LegalSchedules, program: Program, first: int, second: int, row: int, level: int
) -> bool:
    if row == level:
        return schedules.is_feasible()
    corners = [vertices_of(program.statements[each], program.context) for each in (first, second)]
    for low, middle, high in product(corners[0], corners[1], corners[0]):
        if low is high:
            continue
        mixed = schedules.restricted(
            [
                *_not_constant(schedules, (first, second), row),
                *_not_later(schedules, row, (first, low), (second, middle), program),
                *_not_later(schedules, row, (second, middle), (first, high), program),
            ]
        )
        is_possible = row + 1 < level or mixed.is_feasible()
        if is_possible and _has_fusing(mixed, program, first, second, row + 1, level):
            return True
    return False


def _not_constant(
    schedules: LegalSchedules, statements: Sequence[int], row: int
) -> Iterator[Linear]:
    for number in statements:
        loops = range(schedules.program.statements[number].depth)
        unknowns = [schedules.unknown(Coefficient(row, number, "loop", at)) for at in loops]
        yield Linear(dict.fromkeys(unknowns, 1), -1)


def _not_later(
    schedules: LegalSchedules,
    row: int,
    earlier: tuple[int, Vertex],
    later: tuple[int, Vertex],
    program: Program,
) -> Iterator[Linear]:
    """A corner of a statement runs at the time of another one, or before it, in a row (5).

    That is to hold for all parameters for which both are corners.
    """
    common = lcm(earlier[1].denominator, later[1].denominator)
    where = earlier[1].where.intersect(later[1].where).intersect(program.context)
    for part in where.remove_divs().get_basic_sets():
        for generator in multipliers(part, 0, program.allowance):
            direction = (*generator.parameters, generator.constant)
            terms: dict[int, int] = {}
            for sign, (number, vertex) in ((1, later), (-1, earlier)):
                scale = sign * common // vertex.denominator
                for at, coordinate in enumerate(vertex.coordinates):
                    unknown = schedules.unknown(Coefficient(row, number, "loop", at))
                    terms[unknown] = scale * dot(coordinate, direction)
                for at, factor in enumerate(generator.parameters):
                    unknown = schedules.unknown(Coefficient(row, number, "parameter", at))
                    terms[unknown] = sign * common * factor
                constant = schedules.unknown(Coefficient(row, number, "constant"))
                terms[constant] = sign * common * generator.constant
            yield Linear(terms, 0, is_equality=generator.is_equality)
