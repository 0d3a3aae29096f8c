"""The questions of Figure 3 on the set of all legal schedules, as they are worded (§2.5, §3.2).

They are answered here in general: at any level, with negative coefficients if that is wanted, and
statements are fused if their instances mix at all, for whatever parameters.  The search for
interleavings has cheaper answers for coefficients that are not negative, see
:mod:`loopwright.interleaving.pruning`.
"""

from __future__ import annotations

from collections.abc import Iterator
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


def is_fusable(program: Program, first: int, second: int, level: int = 1, least: int = 0) -> bool:
    """Can instances of two statements mix in so many outer loops (Definition 3)?

    Rows that do not depend on the loops of a statement fuse nothing; we ask that of them, too, as
    Definition 7 does.  Two rows of a statement may be the same, which the paper does not forbid.
    Coefficients are not below ``least``.  How long it may take is up to the program's allowance:
    the number of questions grows with that of the corners, to the power of three times the level.
    """
    if level < 0:
        raise ValueError(f"two statements do not share {level} loops")
    fused = _sharing(_pair(program, first, second, least), (first, second), level)
    return level <= _common_depth(program, first, second) and next(fused, None) is not None


def must_distribute(
    program: Program, first: int, second: int, level: int = 1, least: int = 0
) -> bool:
    """Is there no legal schedule in which two statements share so many outer loops?"""
    return not is_fusable(program, first, second, level, least)


def must_fuse(program: Program, first: int, second: int, level: int = 1, least: int = 0) -> bool:
    """Is there no legal schedule that runs one of two statements after all of the other?

    That is asked within each iteration of the loops around this level, which they share.
    """
    pairs = ((first, second), (second, first))
    return not any(can_follow(program, *pair, level, least) for pair in pairs)


def can_follow(program: Program, first: int, second: int, level: int = 1, least: int = 0) -> bool:
    """Does a legal schedule run all of the second statement after all of the first?

    The row of that level is a splitter: a constant for each.  The rows before it fuse the two.
    With the statements in the other order this is the question whether they can be distributed and
    swapped.
    """
    if level < 1:
        raise ValueError(f"there is no loop of level {level}")
    if level - 1 > _common_depth(program, first, second):
        return False
    schedules = _pair(program, first, second, least)
    splitter = list(_splitter(schedules, first, second, level - 1))
    shared = _sharing(schedules, (first, second), level - 1)
    return any(each.restricted(splitter).is_feasible() for each in shared)


def _common_depth(program: Program, first: int, second: int) -> int:
    return min(program.statements[each].depth for each in (first, second))


def _pair(program: Program, first: int, second: int, least: int) -> LegalSchedules:
    """The legal schedules of two statements, with room for the order of the source below a row."""
    if len({first, second}.intersection(range(len(program.statements)))) != 2:
        raise ValueError(f"{first} and {second} are not two statements of the program")
    depth = max(program.statements[each].depth for each in (first, second))
    return legal_schedules(program, 2 * depth + 2, (first, second), least=least)


def _splitter(schedules: LegalSchedules, first: int, second: int, row: int) -> Iterator[Linear]:
    """All of the second statement is later than all of the first in a row."""
    order = [schedules.unknown(Coefficient(row, each, "constant")) for each in (first, second)]
    yield Linear({order[0]: -1, order[1]: 1}, -1)
    program = schedules.program
    for number in (first, second):
        kinds = {
            "loop": program.statements[number].depth,
            "parameter": len(program.parameters),
        }
        for kind, count in kinds.items():
            for at in range(count):
                unknown = schedules.unknown(Coefficient(row, number, kind, at))
                yield Linear({unknown: 1}, is_equality=True)


def _sharing(
    schedules: LegalSchedules, pair: tuple[int, int], level: int, row: int = 0
) -> Iterator[LegalSchedules]:
    """The parts of the set in which two statements mix in each row up to a level, if any."""
    if row == level:
        if schedules.is_feasible():
            yield schedules
        return
    program = schedules.program
    first, second = (vertices_of(program.statements[each], program.context) for each in pair)
    not_constant = [list(_not_constant(schedules, each, row)) for each in pair]
    corners, uses = product(first, second, first), product(*not_constant)
    for (low, middle, high), used in product(corners, uses):
        if low is high:
            continue
        mixed = schedules.restricted(
            [
                *used,
                *_not_later(schedules, row, (pair[0], low), (pair[1], middle), program),
                *_not_later(schedules, row, (pair[1], middle), (pair[0], high), program),
            ]
        )
        if row + 1 == level or mixed.is_feasible():
            yield from _sharing(mixed, pair, level, row + 1)


def _not_constant(schedules: LegalSchedules, number: int, row: int) -> Iterator[Linear]:
    """What says that a row depends on some loop of a statement: one of these."""
    loops = range(schedules.program.statements[number].depth)
    unknowns = [schedules.unknown(Coefficient(row, number, "loop", at)) for at in loops]
    if schedules.least >= 0:
        yield Linear(dict.fromkeys(unknowns, 1), -1)
        return
    for each in unknowns:
        yield Linear({each: 1}, -1)
        yield Linear({each: -1}, -1)


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
