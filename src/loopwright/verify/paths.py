"""Does a text run what its model says, in that order?  Loopy §4.2, path by path.

The model of a text has the instances of its statements and their times.  A program goes from point
to point: statements, tests of loops and branches, and the gates behind them, through which control
enters a body.  Each point has a *domain*, the values of the iterators with which it is visited, and
a *time* in the manner of 2d+1 vectors.  Statements have the domains of the model; those of all
other points are read off the text, as invariants.  For each path from one point a to the next one b
it is to be shown that

- Inv: control that leaves a, in its domain, arrives at b in the domain of b;
- Rank1: b has a later time than a;
- Rank2: no visit of any point lies between the two;
- Within: what is in the domain of a point is in that of the gate around it;
- Range: all integers on the way fit their types.

By Within it is enough to ask Rank2 about tests of loops and gates that control may have passed by:
between a and b, the outermost gate or test whose visit lies there would be one of those.  Iterators
of loops around a and b have the same values in whatever lies between, since times begin with them.
Together this says that the visits are exactly the points of the domains in the order of their times
(theorem 1 of the paper), so that the statements run as the model has it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import islpy as isl

from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.c_tree import Stmt
from loopwright.model.scop import Scop, Statement
from loopwright.verify.failure import NotProved
from loopwright.verify.formulas import (
    FALSE,
    TRUE,
    Every,
    Formula,
    Term,
    at_most,
    equal,
    every,
    from_isl,
    is_multiple,
    less,
    minus,
    negated,
    number,
    replaced,
    replaced_term,
    some,
    times,
    unknown,
)
from loopwright.verify.text_tree import (
    Binding,
    Block,
    Branch,
    Leaf,
    Loop,
    Node,
    other_visit,
    text_tree,
)
from loopwright.verify.timeline import Count, coordinates, count_of

Time = tuple[Term, ...]


@record
class Obligation:
    """Something to be shown for all integers: wherever ``given`` holds, ``shown`` does, too.

    ``where`` tells the path in the words of the text.
    """

    kind: str
    where: str
    given: Formula
    shown: Formula
    span: Span

    @property
    def is_plain(self) -> bool:
        """Can it be seen without any arithmetic?"""
        known = set(_conjuncts(self.given))
        return all(each in known for each in _conjuncts(self.shown))


def _conjuncts(formula: Formula) -> tuple[Formula, ...]:
    return formula.of if isinstance(formula, Every) else (formula,)


@record(eq=False)
class Point:
    """A place in the text that control comes by, perhaps many times."""

    name: str
    span: Span
    domain: Formula
    time: Time

    def after(self, changes: Mapping[str, Term]) -> Point:
        """The same where iterators have other values."""
        time = tuple(replaced_term(each, changes) for each in self.time)
        return replace(self, domain=replaced(self.domain, changes), time=time)


@record(eq=False)
class _Exit:
    """Control that leaves a point under a condition; ``passed`` it may have come by on its way."""

    point: Point
    condition: Formula = TRUE
    passed: tuple[Point, ...] = ()


@record(eq=False)
class Path:
    """The way of control from one point to the next, taken where a condition holds.

    Points that it has ``passed`` must not lie between the two.
    """

    start: Point
    condition: Formula
    end: Point
    passed: tuple[Point, ...]

    def obligations(self) -> Iterator[Obligation]:
        """Inv, Rank1 and Rank2."""
        given = every((self.start.domain, self.condition))
        where, span = f"from {self.start.name} to {self.end.name}", self.start.span
        if given == FALSE:
            return
        yield Obligation("Inv", where, given, self.end.domain, span)
        yield Obligation("Rank1", where, given, earlier(self.start.time, self.end.time), span)
        for other in self.passed:
            between = earlier(self.start.time, other.time), earlier(other.time, self.end.time)
            known = every((given, other.domain, *between))
            if known != FALSE:
                yield Obligation("Rank2", f"{where}, past {other.name}", known, FALSE, span)


@record(eq=False)
class _Placed:
    """A statement in the text, and the loops around it."""

    statement: Statement
    loops: tuple[Loop, ...]


def obligations(
    region: Sequence[Stmt], model: Scop, possible: isl.Set, careful: Collection[Span] = ()
) -> list[Obligation]:
    """All that is to be shown of a text, in the cases that count, so that its model is right.

    That the times of the model are those of the text is seen at once, or there is no proof.
    Quotients of numbers that are not negative have fewer cases, so that this is among what is to be
    shown, unless the place is one to be ``careful`` with.
    """
    found: list[Obligation] = []
    for each in followed(region, model, possible, careful):
        found += each.obligations() if isinstance(each, Path) else [each]
    return found


def followed(
    region: Sequence[Stmt], model: Scop, possible: isl.Set, careful: Collection[Span] = ()
) -> list[Path | Obligation]:
    """The same with the paths themselves, where they come."""
    walk = _Walk(possible)
    walk.program(text_tree(region, model, careful))
    _require_same_times(walk.placed, model.schedule, possible)
    return walk.found


@dataclass(slots=True)
class _Walk:
    """Goes through a text and notes its paths, and what is to be shown of its points."""

    possible: isl.Set
    found: list[Path | Obligation] = field(default_factory=list["Path | Obligation"])
    placed: list[_Placed] = field(default_factory=list[_Placed])
    last: tuple[isl.Set, tuple[Loop, ...], Formula] | None = None
    """The domain that was looked at last, the loops around it, and what it says."""

    def program(self, block: Block) -> None:
        """Go through all of a text; there is nothing to show of an empty one."""
        if not block:
            return
        cases = from_isl(self.possible, ())
        entry = Point("the beginning", block[0].span, cases, (number(0),))
        leaving = self._block(block, (), 1, entry, ())
        end = Point("the end", block[-1].span, cases, (number(len(block) + 1),))
        self._arrive(leaving, end)

    def _block(
        self, block: Block, base: Time, first: int, gate: Point, loops: tuple[Loop, ...]
    ) -> list[_Exit]:
        """Nodes one after the other, behind a gate; ``first`` is the place of the first."""
        leaving = [_Exit(gate)]
        for at, node in enumerate(block, first):
            leaving = self._node(node, (*base, number(at)), gate, loops, leaving)
        return leaving

    def _node(
        self,
        node: Node,
        base: Time,
        gate: Point,
        loops: tuple[Loop, ...],
        coming: Sequence[_Exit],
    ) -> list[_Exit]:
        match node:
            case Leaf(statement):
                self.placed.append(_Placed(statement, loops))
                domain = self._domain(statement, loops)
                point = Point(_told(node), node.span, domain, base)
                self._note("Within", point.name, point.domain, gate.domain, node.span)
                self._arrive(coming, point)
                return [_Exit(point)]
            case Binding(value):
                point = Point(_told(node), node.span, gate.domain, base)
                self._note("Range", point.name, gate.domain, value.fits, node.span)
                self._arrive(coming, point)
                return [_Exit(point)]
            case Branch():
                return self._branch(node, base, gate, loops, coming)
            case Loop():
                return self._loop(node, base, gate, loops, coming)

    def _domain(self, statement: Statement, loops: tuple[Loop, ...]) -> Formula:
        """The domain of a statement in the model, which is often that of the one in front."""
        plain = statement.domain.reset_tuple_id()
        if plain.dim(isl.dim_type.set) != len(loops):
            raise NotProved(f"the model has other loops around {statement.text}")
        if self.last is None or self.last[1] != loops or not plain.plain_is_equal(self.last[0]):
            names = [each.iterator for each in loops]
            found = from_isl(plain.intersect_params(self.possible), names)
            self.last = (plain, loops, found)
        return self.last[2]

    def _branch(
        self,
        node: Branch,
        base: Time,
        gate: Point,
        loops: tuple[Loop, ...],
        coming: Sequence[_Exit],
    ) -> list[_Exit]:
        holds, fails = node.test.holds, negated(node.test.holds)
        head = Point(_told(node), node.span, gate.domain, (*base, number(0)))
        self._note("Range", head.name, gate.domain, node.test.fits, node.span)
        self._arrive(coming, head)
        then, otherwise = (
            Point(f"{side} of {head.name}", node.span, every((gate.domain, test)), (*base, place))
            for side, test, place in (
                ("the first branch", holds, number(1)),
                ("the other branch", fails, number(2)),
            )
        )
        self._arrive([_Exit(head, holds)], then)
        self._arrive([_Exit(head, fails, (then,))], otherwise)
        first = self._block(node.then, then.time, 1, then, loops)
        second = self._block(node.otherwise, otherwise.time, 1, otherwise, loops)
        return [*(replace(each, passed=(*each.passed, otherwise)) for each in first), *second]

    def _loop(
        self,
        node: Loop,
        base: Time,
        gate: Point,
        loops: tuple[Loop, ...],
        coming: Sequence[_Exit],
    ) -> list[_Exit]:
        name, iterator, start = node.iterator, unknown(node.iterator), node.start.term
        counted = iterator if node.step > 0 else times(-1, iterator)
        distance = times(1 if node.step > 0 else -1, minus(iterator, start))
        reached = every(
            (
                gate.domain,
                at_most(number(0), distance),
                is_multiple(distance, abs(node.step)),
                node.kept,
            )
        )
        before = replaced(node.test.holds, {name: minus(iterator, number(node.step))})
        visited = every((reached, some((at_most(distance, number(0)), before))))
        head = Point(_told(node), node.span, visited, (*base, counted, number(0)))
        inside = every((reached, node.test.holds))
        body = Point(f"the body of {head.name}", node.span, inside, (*base, counted, number(1)))
        change = {name: unknown(other_visit(name))}
        others = head.after(change), body.after(change)
        self._note("Range", f"the start of {head.name}", gate.domain, node.start.fits, node.span)
        self._note("Range", f"the test of {head.name}", visited, node.test.fits, node.span)
        self._note("Range", f"the step of {head.name}", inside, node.next.fits, node.span)
        self._note("Within", body.name, inside, visited, node.span)
        self._arrive(coming, head.after({name: start}), others[:1])
        self._arrive([_Exit(head, node.test.holds)], body)
        leaving = self._block(node.body, (*base, counted), 2, body, (*loops, node))
        self._arrive(leaving, head.after({name: node.next.term}), others[:1])
        return [_Exit(head, negated(node.test.holds), others)]

    def _arrive(self, coming: Iterable[_Exit], point: Point, passed: Sequence[Point] = ()) -> None:
        """Control comes to a point."""
        for each in coming:
            path = Path(each.point, each.condition, point, (*each.passed, *passed))
            self.found.append(path)

    def _note(self, kind: str, where: str, given: Formula, shown: Formula, span: Span) -> None:
        if given != FALSE:
            self.found.append(Obligation(kind, where, given, shown, span))


def _told(node: Node) -> str:
    """A point of the text for a reader."""
    line = f"line {node.span.line}"
    match node:
        case Leaf(statement):
            return f"{statement.text} ({line})"
        case Binding():
            return f"the declaration in {line}"
        case Branch():
            return f"the condition in {line}"
        case Loop(iterator):
            return f"the loop over {iterator} in {line}"


def earlier(first: Time, second: Time) -> Formula:
    """Is one time before another?  Missing places are zeros."""
    if not first and not second:
        return FALSE
    one = first[0] if first else number(0)
    other = second[0] if second else number(0)
    if one == other:
        return earlier(first[1:], second[1:])
    is_less, is_same = less(one, other), equal(one, other)
    if is_same == FALSE:
        return is_less
    return some((is_less, every((is_same, earlier(first[1:], second[1:])))))


# --- the times of the model -----------------------------------------------------------------------


def _require_same_times(
    placed: Sequence[_Placed], schedule: isl.Schedule, possible: isl.Set
) -> None:
    """The model orders the instances by the loops of the text and by the places in it.

    Then the times of any two statements differ first in the same loop, or in the places that they
    have in a common block, where the text puts the same one first.
    """
    _require_same_instances(placed, schedule, possible)
    known = coordinates(schedule)
    running = [each for each in placed if each.statement.name in known]
    for each in running:
        counts = [count_of(one) for one in known[each.statement.name] if not isinstance(one, int)]
        wanted = [Count(at, loop.step < 0) for at, loop in enumerate(each.loops)]
        if counts != wanted:
            raise NotProved(f"the model has other loops around {each.statement.text}")
    for one, other in pairwise(running):
        common = sum(a is b for a, b in zip(one.loops, other.loops, strict=False))
        pairs = zip(known[one.statement.name], known[other.statement.name], strict=True)
        if not _is_behind(pairs, common):
            raise NotProved(f"the model does not have {other.statement.text} in its place")


def _require_same_instances(
    placed: Sequence[_Placed], schedule: isl.Schedule, possible: isl.Set
) -> None:
    """All instances of the statements have times."""
    timed = schedule.get_domain()
    for each in placed:
        domain = each.statement.domain.intersect_params(possible)
        if not domain.is_subset(timed.extract_set(domain.get_space())):
            raise NotProved(f"the model has no time for an instance of {each.statement.text}")


def _is_behind(pairs: Iterable[tuple[object, object]], common: int) -> bool:
    """Do two times differ first in a place, inside of so many common loops, as the text has it?"""
    loops = 0
    for first, second in pairs:
        if isinstance(first, int) and isinstance(second, int):
            if first != second:
                return first < second and loops == common
        elif isinstance(first, int) or isinstance(second, int):
            return False
        else:
            loops += 1
    return False
