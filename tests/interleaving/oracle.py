"""The legal interleavings of a region, found with z3 and brute force.

Nothing here is shared with the search that it judges: the only code of the compiler is the model
and the dependences.  Farkas multipliers are unknowns of z3, orders are enumerated one by one.

**Statements** are those of the region that run and do something, in its order.  **Dependences** are
the flow and the false ones, within the context, from a statement to another or to itself; each
basic relation counts with all rational points within bounds that pairs meet.

A **row** of a group of statements gives each S of it a function θ_S(x) = a·x + g·n + c, all
coefficients natural numbers; x are the iterators, those of loops that run down with a minus.  It
**fuses** the group (Pouchet et al. 2011, Definition 7) if

(a) θ(sink) - θ(source) ≥ 0 for all pairs of all dependences between statements of the group,
(b) θ_S is no constant on the domain of any S: a statement without loops is fused with nothing, nor
    is one whose loops have one iteration,
(c) θ_R(l_R) - θ_S(l_S) is a number, free of parameters, of at most ``shift`` in absolute value,
    for every two R, S; l is where the loops around a statement begin.  The paper has |…| < c for
    loops that begin at 0: its c is ``shift`` + 1.

The begin of a loop is that of all statements in it, even if a condition keeps some of them from
running there.  If it were that of each statement, the source itself need not be an interleaving:
after ``if (i >= m)`` a statement begins m later than the others in its loop.

A group of one statement is fused by anything, and so are statements that depend on each other in a
circle, which are in one loop in any case.  An **interleaving** gives each statement a rank; it is
**legal** iff no dependence goes from a higher rank to a lower one, and each group of equal rank has
a row that fuses it.

Why no more than that is asked: let the ranks be the first row of a schedule, the fusing rows of
the groups the second, and let the original order follow.  A dependence between ranks is kept by
the first row.  One within a group is weakly kept by the second; its pairs that get the same time
there run in the original order, which puts each source before its sink.  So the schedule is
legal.  Conversely, the first row of a legal schedule must not go down along a dependence; within a
group it does not go up either, thus the second row must keep what is within the group, which is
(a).  :func:`tests.interleaving.lemma3.has_schedule` asks z3 for such a schedule itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import lcm

import islpy as isl
import z3

from loopwright import Scop, Statement, dependences
from loopwright.basics.records import record

PARAM, IN, OUT = isl.dim_type.param, isl.dim_type.in_, isl.dim_type.out

MOST_STATEMENTS = 7
"""With more of them, the preorders are too many to look at one by one."""


# --- statements, and pairs of dependent instances -------------------------------------------------


@cache
def statements_of(scop: Scop) -> tuple[Statement, ...]:
    """The statements that do something, for some values of the parameters."""
    return tuple(
        each
        for each in scop.statements
        if not each.is_kill and not each.domain.intersect_params(scop.context).is_empty()
    )


@record(eq=False)
class Pairs:
    """A polyhedron of pairs of dependent instances.

    Each condition has the coefficients of the parameters, the iterators of the source and those of
    the sink, and the constant.
    """

    source: str
    sink: str
    equalities: tuple[tuple[int, ...], ...]
    inequalities: tuple[tuple[int, ...], ...]


@cache
def pairs_of(scop: Scop) -> tuple[Pairs, ...]:
    """All dependences of the region, one basic relation after the other."""
    return tuple(
        polyhedron(scop, basic)
        for relation in dependence_maps(scop)
        for basic in basic_maps(relation)
    )


def dependence_maps(scop: Scop) -> list[isl.Map]:
    """The dependences between statements that do something."""
    found = dependences(scop, live_range_reordering=False)
    union = found.flow.union(found.false).intersect_params(scop.context)
    names = {each.name for each in statements_of(scop)}
    maps = union.get_map_list()
    listed = [maps.get_at(index) for index in range(maps.n_map())]
    return [
        each
        for each in listed
        if {each.get_tuple_name(IN), each.get_tuple_name(OUT)} <= names and not each.is_empty()
    ]


def basic_maps(relation: isl.Map) -> list[isl.BasicMap]:
    """The parts that have a pair, without their hidden integers."""
    parts = relation.coalesce().get_basic_maps()
    return [_tightened(each) for each in parts if not each.is_empty()]


def _tightened(part: isl.BasicMap) -> isl.BasicMap:
    """Hidden integers are projected out over the rationals; each bound is then met by a pair."""
    larger = part.remove_divs().wrap()
    if not part.dim(isl.dim_type.div):
        return larger.unwrap()
    whole = isl.Set.from_basic_set(part.wrap())
    for condition in larger.get_constraints():
        if not condition.is_equality():
            value = condition.get_aff()
            least = isl.Aff.val_on_domain(value.get_domain_local_space(), whole.min_val(value))
            larger = larger.add_constraint(isl.Constraint.inequality_from_aff(value.sub(least)))
    return larger.unwrap()


def polyhedron(scop: Scop, basic: isl.BasicMap) -> Pairs:
    equalities: list[tuple[int, ...]] = []
    inequalities: list[tuple[int, ...]] = []
    for condition in basic.get_constraints():
        numbers = (
            *_parameter_coefficients(scop, condition),
            *(
                condition.get_coefficient_val(kind, position).to_python()
                for kind in (IN, OUT)
                for position in range(basic.dim(kind))
            ),
            condition.get_constant_val().to_python(),
        )
        (equalities if condition.is_equality() else inequalities).append(numbers)
    source, sink = basic.get_tuple_name(IN), basic.get_tuple_name(OUT)
    return Pairs(source, sink, tuple(equalities), tuple(inequalities))


def _parameter_coefficients(scop: Scop, of: isl.Constraint | isl.Aff) -> list[int]:
    """One for each parameter of the region."""
    names = [of.get_dim_name(PARAM, position) for position in range(of.dim(PARAM))]
    values = {
        name: of.get_coefficient_val(PARAM, position).to_python()
        for position, name in enumerate(names)
    }
    return [values.get(each.name, 0) for each in scop.parameters]


@cache
def edges_of(scop: Scop) -> frozenset[tuple[str, str]]:
    """Which statement has a dependence on which, source first."""
    return frozenset((each.source, each.sink) for each in pairs_of(scop))


# --- loops ----------------------------------------------------------------------------------------


@record
class Loop:
    """A loop around a statement: does it run up (1) or down (-1), and which one of all is it?"""

    direction: int
    place: tuple[int | None, ...]
    """The times before it in the original order; none where there is an outer loop."""


@cache
def loops_of(scop: Scop, statement: Statement) -> tuple[Loop, ...]:
    """A loop for each iterator.  Every time of the original order is one of them, or a number."""
    orders = scop.schedule.get_map().get_map_list()
    listed = (orders.get_at(index) for index in range(orders.n_map()))
    (order,) = (each for each in listed if each.get_tuple_name(IN) == statement.name)
    times = isl.PwMultiAff.from_map(order)
    found: dict[int, Loop] = {}
    place: list[int | None] = []
    for at in range(times.dim(OUT)):
        ((_, time),) = times.get_pw_aff(at).get_pieces()
        factors = [time.get_coefficient_val(IN, each).to_python() for each in range(time.dim(IN))]
        used = [position for position, factor in enumerate(factors) if factor]
        if used:
            (position,) = used
            assert abs(factors[position]) == 1, f"{time} is no loop"
            found[position] = Loop(factors[position], tuple(place))
        place.append(None if used else time.get_constant_val().to_python())
    return tuple(found[position] for position in range(len(statement.iterators)))


@cache
def begins(scop: Scop, statement: Statement) -> tuple[tuple[int, ...], ...]:
    """The first value of each iterator: coefficients of the parameters, and the constant.

    Zero where it is not one affine expression with integer coefficients.
    """
    loops = loops_of(scop, statement)
    return tuple(_begin(scop, loop) for loop in loops)


@cache
def _begin(scop: Scop, loop: Loop) -> tuple[int, ...]:
    values: isl.Set | None = None
    for statement in statements_of(scop):
        for position, each in enumerate(loops_of(scop, statement)):
            if each == loop:
                own = _values(scop, statement, position)
                values = own if values is None else values.union(own)
    assert values is not None
    return _affine(scop, values.dim_min(0) if loop.direction > 0 else values.dim_max(0))


def _values(scop: Scop, statement: Statement, position: int) -> isl.Set:
    """The values of an iterator."""
    domain = statement.domain.intersect_params(scop.context)
    set_ = isl.dim_type.set
    values = domain.project_out(set_, position + 1, domain.dim(set_) - position - 1)
    return values.project_out(set_, 0, position).reset_tuple_id()


def _affine(scop: Scop, value: isl.PwAff) -> tuple[int, ...]:
    for _, affine in value.get_pieces():
        same = value.eq_set(isl.PwAff.from_aff(affine))
        is_whole = affine.get_denominator_val().is_one() and not affine.dim(isl.dim_type.div)
        if is_whole and value.domain().is_subset(same):
            constant = affine.get_constant_val().to_python()
            return (*_parameter_coefficients(scop, affine), constant)
    return (0,) * (len(scop.parameters) + 1)


@cache
def moves(scop: Scop, statement: Statement) -> tuple[tuple[int, ...], ...]:
    """Vectors that span the differences of the statement's instances."""
    domain = statement.domain.intersect_params(scop.context)
    differences = isl.Map.from_domain_and_range(domain, domain).deltas().affine_hull()
    differences = differences.remove_divs().project_out(PARAM, 0, differences.dim(PARAM))
    equalities = [each for each in differences.get_constraints() if each.is_equality()]
    width = len(statement.iterators)
    rows = [
        [each.get_coefficient_val(isl.dim_type.set, at).to_python() for at in range(width)]
        for each in equalities
    ]
    return tuple(_orthogonal(rows, width))


def _orthogonal(rows: Sequence[Sequence[int]], width: int) -> Iterator[tuple[int, ...]]:
    """Vectors that span what is orthogonal to the rows (Gauss and Jordan).

    >>> list(_orthogonal([(1, -2, 0)], 3))
    [(2, 1, 0), (0, 0, 1)]
    """
    reduced: dict[int, list[Fraction]] = {}
    for row in rows:
        left = [Fraction(each) for each in row]
        for column, other in reduced.items():
            left = [a - left[column] * b for a, b in zip(left, other, strict=True)]
        pivot = next((at for at, each in enumerate(left) if each), None)
        if pivot is not None:
            left = [each / left[pivot] for each in left]
            for column, other in reduced.items():
                pairs = zip(other, left, strict=True)
                reduced[column] = [a - other[pivot] * b for a, b in pairs]
            reduced[pivot] = left
    for free in set(range(width)) - set(reduced):
        vector = [
            -reduced[at][free] if at in reduced else Fraction(at == free) for at in range(width)
        ]
        scale = lcm(*(each.denominator for each in vector))
        yield tuple(int(each * scale) for each in vector)


# --- rows -----------------------------------------------------------------------------------------


@record(eq=False)
class Function:
    """θ(x) = Σ ± ``loops``·x + ``parameters``·n + ``constant``, of unknown coefficients."""

    loops: tuple[z3.ArithRef, ...]
    directions: tuple[int, ...]
    parameters: tuple[z3.ArithRef, ...]
    constant: z3.ArithRef

    def coefficients(self) -> tuple[z3.ArithRef, ...]:
        """All of them."""
        return (*self.loops, *self.parameters, self.constant)

    @property
    def iterators(self) -> tuple[z3.ArithRef, ...]:
        """The factors of the iterators, negative where a loop runs down."""
        return tuple(a * sign for a, sign in zip(self.loops, self.directions, strict=True))

    def at(self, point: Sequence[Sequence[int]]) -> tuple[z3.ArithRef, ...]:
        """Its value there: coefficients of the parameters, and the constant."""
        bases = (*self.parameters, self.constant)
        return tuple(
            z3.Sum([base, *(a * x[at] for a, x in zip(self.iterators, point, strict=True))])
            for at, base in enumerate(bases)
        )

    def along(self, move: Sequence[int]) -> z3.ArithRef:
        """How it changes from an instance to another."""
        return z3.Sum([a * x for a, x in zip(self.iterators, move, strict=True)])


Row = dict[str, Function]


def unknown_row(scop: Scop) -> Row:
    """A function for each statement."""
    return {
        each.name: Function(
            tuple(z3.FreshInt("a") for _ in each.iterators),
            tuple(loop.direction for loop in loops_of(scop, each)),
            tuple(z3.FreshInt("g") for _ in scop.parameters),
            z3.FreshInt("c"),
        )
        for each in statements_of(scop)
    }


def difference(row: Row, pairs: Pairs) -> list[z3.ArithRef]:
    """θ(sink) - θ(source), in the columns of the conditions of the pairs."""
    source, sink = row[pairs.source], row[pairs.sink]
    return [
        *(b - a for a, b in zip(source.parameters, sink.parameters, strict=True)),
        *(-each for each in source.iterators),
        *sink.iterators,
        sink.constant - source.constant,
    ]


def is_not_negative(function: Sequence[z3.ArithRef], pairs: Pairs) -> Iterator[z3.BoolRef]:
    """Farkas' lemma (Lemma 1): the function is λ_0 + Σ λ·(conditions), with λ ≥ 0.

    Those of equalities may have any sign.
    """
    spare = z3.FreshReal("λ")
    of_inequalities = [z3.FreshReal("λ") for _ in pairs.inequalities]
    of_equalities = [z3.FreshReal("μ") for _ in pairs.equalities]
    yield from (each >= 0 for each in (spare, *of_inequalities))
    terms = [
        *zip(of_inequalities, pairs.inequalities, strict=True),
        *zip(of_equalities, pairs.equalities, strict=True),
    ]
    for column, wanted in enumerate(function):
        given = [factor * numbers[column] for factor, numbers in terms if numbers[column]]
        if column == len(function) - 1:
            given.append(spare)
        yield wanted == (z3.Sum(given) if given else 0)


def fusing(scop: Scop, row: Row, names: Sequence[str], shift: int) -> Iterator[z3.BoolRef]:
    """The row fuses the group: (b) and (c)."""
    for name in names:
        statement = scop.statement(name)
        yield z3.Or([row[name].along(move) != 0 for move in moves(scop, statement)])
    starts = {name: row[name].at(begins(scop, scop.statement(name))) for name in names}
    for first, second in combinations(names, 2):
        *parametric, apart = (b - a for a, b in zip(starts[first], starts[second], strict=True))
        yield from (each == 0 for each in parametric)
        yield apart <= shift
        yield apart >= -shift


def fusing_problem(scop: Scop, names: Sequence[str], shift: int) -> tuple[z3.Solver, Row]:
    """All rows that fuse the statements: (a), (b) and (c)."""
    solver, row = z3.Solver(), unknown_row(scop)
    for name in names:
        solver.add(*(each >= 0 for each in row[name].coefficients()))
    solver.add(*fusing(scop, row, names, shift))
    for pairs in pairs_of(scop):
        if pairs.source in names and pairs.sink in names:
            solver.add(*is_not_negative(difference(row, pairs), pairs))
    return solver, row


def is_solvable(solver: z3.Solver) -> bool:
    """Is there a solution?  z3 must know."""
    answer = solver.check()
    assert answer in (z3.sat, z3.unsat), answer
    return answer == z3.sat


# --- groups that can be fused ---------------------------------------------------------------------


def is_circle(scop: Scop, names: Iterable[str]) -> bool:
    """Do all of them depend on each other, be it through others of them?"""
    group = frozenset(names)
    return all(_reached(scop, name, group) == group for name in group)


def _reached(scop: Scop, name: str, group: frozenset[str]) -> frozenset[str]:
    found, new = frozenset[str](), frozenset([name])
    while new:
        found |= new
        new = frozenset(sink for source, sink in edges_of(scop) if source in new) & group - found
    return found


class Fusibility:
    """Remembers which groups can be fused.

    A row that fuses a group fuses each part of it, so that what is known of a group tells about
    smaller and larger ones.
    """

    def __init__(self, scop: Scop, shift: int) -> None:
        self.scop, self.shift = scop, shift
        self.fusable: set[frozenset[str]] = set()
        self.unfusable: set[frozenset[str]] = set()

    def __call__(self, names: Iterable[str]) -> bool:
        """Is there a row that fuses them, or are they in one loop in any case?"""
        group = frozenset(names)
        if is_circle(self.scop, group) or any(group <= each for each in self.fusable):
            return True
        if any(each <= group for each in self.unfusable):
            return False
        answer = is_solvable(fusing_problem(self.scop, sorted(group), self.shift)[0])
        (self.fusable if answer else self.unfusable).add(group)
        return answer


@cache
def fusibility(scop: Scop, shift: int) -> Fusibility:
    """What is known of the region."""
    return Fusibility(scop, shift)


def fusable(scop: Scop, names: Iterable[str], shift: int) -> bool:
    """Is there a row that fuses these statements?"""
    return fusibility(scop, shift)(names)


def permutations(
    scop: Scop, first: str, second: str, shift: int, *, skewed: bool = False
) -> set[tuple[int, int]]:
    """The pairs M of iterators that can become a common loop of two statements (§4.3).

    (p, q) is in it iff some row fuses the two whose only iterators are number p of the first and
    number q of the second.  This is what §4.3 prints for ThreeMatMat.  ``skewed`` rows may have
    other iterators beside these: the words of §4.3, "a non-null value for each of the
    coefficients", which let more pairs in: i of R and i + k of T also fuse.
    """
    return {
        (p, q)
        for p in range(len(scop.statement(first).iterators))
        for q in range(len(scop.statement(second).iterators))
        if _fuses_along(scop, {first: p, second: q}, shift, skewed=skewed)
    }


def _fuses_along(scop: Scop, along: dict[str, int], shift: int, *, skewed: bool) -> bool:
    solver, row = fusing_problem(scop, list(along), shift)
    for name, wanted in along.items():
        for position, coefficient in enumerate(row[name].loops):
            if position == wanted:
                solver.add(coefficient >= 1)
            elif not skewed:
                solver.add(coefficient == 0)
    return is_solvable(solver)


# --- interleavings --------------------------------------------------------------------------------

Ranks = tuple[int, ...]


def preorders(count: int) -> Iterator[Ranks]:
    """All total preorders of so many things, each once.

    The last thing joins a class of the others, or is a class of its own between them.

    >>> list(preorders(2))
    [(0, 0), (0, 1), (1, 0)]
    >>> [sum(1 for _ in preorders(count)) for count in range(1, 7)]
    [1, 3, 13, 75, 541, 4683]
    """
    if count == 0:
        yield ()
        return
    for others in preorders(count - 1):
        classes = max(others, default=-1) + 1
        yield from ((*others, rank) for rank in range(classes))
        for rank in reversed(range(classes + 1)):
            yield (*(each + (each >= rank) for each in others), rank)


def groups_of(scop: Scop, ranks: Ranks) -> list[list[str]]:
    """The statements of each rank."""
    names = [each.name for each in statements_of(scop)]
    return [
        [name for name, rank in zip(names, ranks, strict=True) if rank == wanted]
        for wanted in range(max(ranks, default=-1) + 1)
    ]


def is_legal(scop: Scop, ranks: Ranks, shift: int) -> bool:
    """Do dependences go up or stay, and can each group be fused?"""
    rank_of = {each.name: rank for each, rank in zip(statements_of(scop), ranks, strict=True)}
    return all(rank_of[source] <= rank_of[sink] for source, sink in edges_of(scop)) and all(
        fusable(scop, group, shift) for group in groups_of(scop, ranks)
    )


def legal_interleavings(scop: Scop, shift: int) -> set[Ranks]:
    """All legal interleavings, by looking at every preorder."""
    count = len(statements_of(scop))
    assert count <= MOST_STATEMENTS, f"{count} statements have too many preorders"
    return {ranks for ranks in preorders(count) if is_legal(scop, ranks, shift)}


def count_of_interleavings(scop: Scop, shift: int) -> int:
    """How many are legal, for any number of statements.

    Groups are taken in their order: each holds, with a statement, all that this depends on and
    that no group before it holds.
    """
    names = frozenset(each.name for each in statements_of(scop))
    needed = {
        name: frozenset(source for source, sink in edges_of(scop) if sink == name) for name in names
    }

    @cache
    def ways(left: frozenset[str]) -> int:
        groups = sorted(_closed_groups(left, needed), key=lambda each: (-len(each), sorted(each)))
        fit = (group for group in groups if fusable(scop, group, shift))
        return sum(ways(left - group) for group in fit) if left else 1

    return ways(names)


def _closed_groups(
    left: frozenset[str], needed: dict[str, frozenset[str]]
) -> Iterator[frozenset[str]]:
    """The sets of statements that depend on nothing else that is left."""
    closures = {_closure(name, left, needed) for name in left}
    found: set[frozenset[str]] = set()
    for each in closures:
        found |= {each, *(each | other for other in found)}
    yield from found


def _closure(name: str, left: frozenset[str], needed: dict[str, frozenset[str]]) -> frozenset[str]:
    """A statement with all that it depends on, directly or not, of what is left."""
    found, new = frozenset[str](), frozenset([name])
    while new:
        found |= new
        new = frozenset(each for one in new for each in needed[one]) & left - found
    return found
