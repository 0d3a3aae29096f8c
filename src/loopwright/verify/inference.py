"""Which instance each statement of a new text may run, where nobody says so.

For a statement T of the new text and an original one S of the same shape, ``{ T[c] -> S[i] }``
holds where paired references are to the same elements and iterators have the values that stand in
their places.  Where that leaves several instances (a time loop, a sum in a scalar), the loops of
the new text are tried in turn.  All of this is guessing: a proof is tried with what comes out, and
fails where it is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from itertools import islice
from typing import cast

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.bodies import (
    Cast,
    Expression,
    IteratorValue,
    Literal,
    Node,
    Reference,
)
from loopwright.model.literals import is_same_literal
from loopwright.model.scop import Access, Parameter, Scop, Statement
from loopwright.polyhedra.instances import instance_value, same_prefix
from loopwright.verify.failure import NotProved, instance_text
from loopwright.verify.integers import BodyIntegers
from loopwright.verify.matching import (
    Copy,
    Correspondence,
    Move,
    bare,
    by_name,
    copy_of,
    is_executed,
    move_of,
    values_by_name,
)
from loopwright.verify.one_to_one import uncovered
from loopwright.verify.references import Variables

IN, OUT, SET = isl.dim_type.in_, isl.dim_type.out, isl.dim_type.set

MOST_MAPS = 12
"""So many instance maps are kept for a pair of statements."""
MOST_GUESSES = 200
"""So many are looked at to find them; those that lead nowhere are bounded by isl's operations."""
MOST_STEPS = 2000
"""So many choices are made in search of maps that fit together."""
MOST_ANSWERS = 24
"""So many ways to fit them together are handed out."""
MOST_SIBLINGS = 8
"""Beyond so many copies of a statement, constants are not guessed."""

Role = Copy | Move
"""What a statement of the new text may be."""


def inferred(old: Scop, new: Scop, possible: isl.Set, known: Variables) -> list[Correspondence]:
    """Correspondences that may be the right one, the likelier ones first.

    Each original instance runs exactly once.  If there is no such correspondence, there is another
    one all the same, so that somebody finds out what is wrong with it.
    """
    search = _Search(old, possible, _roles(old, new, possible, known))
    chosen = list(islice(search.fitting({}), MOST_ANSWERS)) or [search.first()]
    return [
        Correspondence(
            old,
            new,
            possible,
            tuple(one for one in each if isinstance(one, Copy)),
            tuple(one for one in each if isinstance(one, Move)),
        )
        for each in chosen
    ]


def _roles(old: Scop, new: Scop, possible: isl.Set, known: Variables) -> list[list[Role]]:
    """All that each statement of the new text may be, in the order of the text."""
    statements = [each for each in old.statements if is_executed(each)]
    executed = [each for each in new.statements if is_executed(each)]
    alike = {
        each.name: [one for one in statements if _paired(one.body, each.body) is not None]
        for each in executed
    }
    siblings = {
        one.name: [each for each in executed if one in alike[each.name]] for one in statements
    }
    moves = [move for each in executed if (move := _move(each)) is not None]
    stand_ins = _StandIns(new, known, moves)
    found: list[list[Role]] = []
    for each in executed:
        pairs = [
            _Pair(each, one, siblings[one.name], possible, old.parameters, stand_ins, is_strict)
            for is_strict in (True, False)
            for one in alike[each.name]
        ]
        copies, failure = _copies(pairs)
        roles = [*copies, *(move for move in moves if move.new is each)]
        if not roles:
            raise failure or _unlike(each)
        found.append(roles)
    return found


def _copies(pairs: Sequence[_Pair]) -> tuple[list[Copy], NotProved | None]:
    """What a statement may run, and the last reason for which it does not run something else.

    Where variables stand for something else than it seems is asked only if nothing was found.
    """
    found: list[Copy] = []
    failure: NotProved | None = None
    for each in pairs:
        if each.is_strict or not found:
            try:
                found += each.copies()
            except NotProved as error:
                failure = error
    return found, failure


def _move(statement: Statement) -> Move | None:
    try:
        return move_of(statement)
    except NotProved:
        return None


def _unlike(statement: Statement) -> NotProved:
    message = f"{statement.text} neither runs an original statement nor moves a value"
    return NotProved(message, span=statement.span)


@record(eq=False)
class _StandIns:
    """Variables of the new text that stand for elements: moves tell for which."""

    new: Scop
    known: Variables
    moves: Sequence[Move]

    def arrays(self, variable: str) -> set[str]:
        """The arrays that a variable is loaded from or stored to."""
        return {
            self.known.shared[there.array].name
            for move in self.moves
            for here, there in ((move.read, move.write), (move.write, move.read))
            if here.array == variable and there.array in self.known.shared
        }

    def elements(self, statement: Statement, access: Access, array: str) -> Iterator[isl.Map]:
        """``{ T[c] -> A[x] }``: what an access may stand for, as each of the moves says.

        Those are moves to or from the same variable, in the same iterations of all shared loops.
        """
        for move in self.moves:
            for here, there in ((move.read, move.write), (move.write, move.read)):
                shared = self.known.shared.get(there.array)
                if here.array == access.array and shared is not None and shared.name == array:
                    pairs = self._together(statement, move.new)
                    pairs = pairs & access.may.apply_range(here.may.reverse())
                    yield pairs.apply_range(there.may.set_tuple_name(OUT, array))

    def _together(self, one: Statement, other: Statement) -> isl.Map:
        names = {one.name, other.name}
        depth = sum(names <= set(each.statements) for each in self.new.loops)
        universe = isl.Set.universe(one.domain.get_space())
        return same_prefix(universe, other.domain, depth)


# --- what fits together ---------------------------------------------------------------------------


class _Search:
    """Chooses a role for each statement such that no instance runs twice, and none is left out."""

    def __init__(self, old: Scop, possible: isl.Set, roles: Sequence[Sequence[Role]]) -> None:
        self.domains = {
            each.name: each.domain.intersect_params(possible)
            for each in old.statements
            if is_executed(each)
        }
        self.possible = possible
        self.roles = roles
        self.steps = 0

    def first(self) -> list[Role]:
        """The likeliest role of each, whether they fit together or not."""
        return [each[0] for each in self.roles]

    def fitting(self, images: Mapping[str, Sequence[isl.Set]], at: int = 0) -> Iterator[list[Role]]:
        """The choices for the statements from this one on, where others run these instances."""
        if at == len(self.roles):
            if all(self._is_covered(name, images.get(name, ())) for name in self.domains):
                yield []
            return
        for role in self.roles[at]:
            self.steps += 1
            if self.steps > MOST_STEPS:
                return
            following = images
            if isinstance(role, Copy):
                others, image = images.get(role.old.name, ()), self._image(role)
                if not all(image.is_disjoint(each) for each in others):
                    continue
                following = {**images, role.old.name: [*others, image]}
            for rest in self.fitting(following, at + 1):
                yield [role, *rest]

    def _image(self, copy: Copy) -> isl.Set:
        domain = copy.new.domain.intersect_params(self.possible)
        return copy.instances.intersect_domain(domain).range()

    def _is_covered(self, name: str, images: Sequence[isl.Set]) -> bool:
        return uncovered(self.domains[name], images) is None


# --- a pair of statements -------------------------------------------------------------------------


@record(eq=False)
class _Pair:
    """A statement of the new text and an original one of the same shape."""

    new: Statement
    old: Statement
    siblings: Sequence[Statement]
    """The statements of the new text that have this shape."""
    possible: isl.Set
    parameters: tuple[Parameter, ...]
    stand_ins: _StandIns
    is_strict: bool
    """Do variables stand for nothing but what is moved to and from them?"""

    def copies(self) -> list[Copy]:
        """The ways in which one may run the other."""
        domain = self.new.domain.intersect_params(self.possible)
        may_move = any(each.new is self.new for each in self.stand_ins.moves)
        number = self.siblings.index(self.new)
        guesses = _Guesses(self.new, self.old, domain, number, len(self.siblings), may_move)
        found: list[Copy] = []
        for each in guesses.likely(self._relation(domain)):
            values = values_by_name(each, self.new.iterators)
            with suppress(NotProved):
                found.append(copy_of(self.new, self.old, values, self.parameters, self.possible))
        if not found:
            reason = f"it is not known which instances of {self.old.text} {self.new.text} runs"
            raise NotProved(reason, span=self.new.span)
        return found

    def _relation(self, domain: isl.Set) -> isl.Map:
        """The pairs of instances that may be the same; there is one for each new instance."""
        pairs = _paired(self.old.body, self.new.body)
        assert pairs is not None, "the two have the same shape"
        others = self.old.domain.intersect_params(self.possible)
        relation = isl.Map.from_domain_and_range(domain, others)
        for one, other in pairs:
            for condition, is_required in self._conditions(one, other, domain):
                narrower = relation & condition
                if domain.is_subset(narrower.domain()):
                    relation = narrower
                elif is_required:
                    raise self._unlike(domain - narrower.domain())
        return relation

    def _unlike(self, instances: isl.Set) -> NotProved:
        reason = f"{self.new.text} runs more than the instances of {self.old.text}"
        return NotProved(reason, instance_text(instances, self.new), self.new.span)

    def _conditions(self, old: Node, new: Node, domain: isl.Set) -> Iterator[tuple[isl.Map, bool]]:
        """What follows if one stands for the other, and whether it must.

        A variable that the new text declares may stand for many things.
        """
        if isinstance(old, IteratorValue):
            value = self._same_value(old, cast("Expression", new), domain)
            if value is not None:
                yield value, True
            return
        assert isinstance(old, Reference)
        assert isinstance(new, Reference)
        before = [each for each in self.old.accesses if each.tag == old.tag]
        after = [each for each in self.new.accesses if each.tag == new.tag]
        if len(before) != 1 or len(after) != 1:
            return
        known = self.stand_ins.known
        array = known.shared.get(after[0].array)
        if array is not None and array.name != before[0].array:
            reason = f"{self.new.text} touches {after[0].text}, and {self.old.text} does not"
            raise NotProved(reason, span=after[0].span)
        elif array is None and not known.is_same(before[0], after[0]):
            linked = self.stand_ins.arrays(after[0].array)
            if self.is_strict and linked and before[0].array not in linked:
                reason = f"{after[0].text} does not seem to stand for {before[0].text}"
                raise NotProved(reason, span=after[0].span)
            for elements in self.stand_ins.elements(self.new, after[0], before[0].array):
                yield elements.apply_range(before[0].may.reverse()), False
        else:
            same = _same_elements(before[0], after[0])
            if same is not None:
                yield same, array is not None
            else:
                for one, other in _paired_parts(old.path, new.path) or ():
                    yield from self._conditions(one, other, domain)

    def _same_value(self, old: IteratorValue, new: Expression, domain: isl.Set) -> isl.Map | None:
        """``{ T[c] -> S[i] : i = value }``, where the value can be told."""
        plain = new.operand if isinstance(new, Cast) and new.type == old.type else new
        integers = BodyIntegers(
            frozenset(self.new.iterators), self.parameters, by_name(domain, self.new.iterators)
        )
        found = integers.of(plain)
        if found is None:
            return None
        value = instance_value(found.value, self.new.name, self.new.iterators)
        return _equals(self.new, self.old, self.old.iterators.index(old.name), value)


def _same_elements(old: Access, new: Access) -> isl.Map | None:
    """The instances that touch the same element, where it is known which they touch."""
    if not (old.is_exact and new.is_exact):
        return None
    named = new.may.set_tuple_name(OUT, old.array)
    return named.apply_range(old.may.reverse())


def _equals(new: Statement, old: Statement, at: int, value: isl.PwAff) -> isl.Map:
    """``{ T[c] -> S[i] : i_at = value(c) }``."""
    graph = isl.Map.from_pw_aff(value)
    count = len(old.iterators)
    graph = graph.insert_dims(OUT, 0, at).add_dims(OUT, count - at - 1)
    return graph.set_tuple_name(IN, new.name).set_tuple_name(OUT, old.name)


# --- guesses --------------------------------------------------------------------------------------


@record(eq=False)
class _Guesses:
    """Makes a function of a relation ``{ T[c] -> S[i] }``, iterator by iterator of S."""

    new: Statement
    old: Statement
    domain: isl.Set
    number: int
    """How many statements in front of T may run instances of S, too."""
    siblings: int
    may_move: bool
    """May T do something else than to run S?"""

    def likely(self, relation: isl.Map) -> list[isl.PwMultiAff]:
        """Functions that run no instance twice, the likelier ones first; else one that does."""
        found: list[isl.Map] = []
        spare: list[isl.Map] = []
        for each in islice(self._functions(relation), MOST_GUESSES):
            (found if each.is_injective() else spare).append(each)
            if len(found) == MOST_MAPS:
                break
        functions = found or spare[: 0 if self.may_move else 1]
        return [_simplified(isl.PwMultiAff.from_map(each), self.domain) for each in functions]

    def _functions(self, relation: isl.Map, at: int = 0) -> Iterator[isl.Map]:
        """All functions that it may be."""
        while at < len(self.old.iterators) and _is_determined(relation, at):
            at += 1
        if at == len(self.old.iterators):
            if relation.is_single_valued():
                yield relation
            return
        for condition in self._conditions(at):
            narrower = relation & condition
            if self.domain.is_subset(narrower.domain()):
                yield from self._functions(narrower, at + 1)

    def _conditions(self, at: int) -> Iterator[isl.Map]:
        """What the iterator of S may be: a loop of the new text, shifted, or a constant."""
        iterators = self._values()
        same = [each for each in self.new.iterators if each == self.old.iterators[at]]
        ordered = [*same, *(each for each in self.new.iterators if each not in same)]
        for name in ordered:
            yield self._is(at, iterators[name])
        for end in (isl.Set.dim_min, isl.Set.dim_max):
            wanted = _extreme(self.old.domain, at, end)
            for name in ordered:
                place = self.new.iterators.index(name)
                offset = _offset(wanted, _extreme(self.domain, place, end))
                if offset is not None:
                    yield self._is(at, _shifted(iterators[name], offset, self.domain))
        for shift in self._numbers():
            for name in ordered:
                yield self._is(at, _plus(iterators[name], shift))
        yield from self._scaled(at, [iterators[each] for each in ordered])
        yield from self._constants(at)

    def _values(self) -> dict[str, isl.PwAff]:
        local = isl.LocalSpace.from_space(self.domain.get_space())
        return {
            name: isl.PwAff.from_aff(isl.Aff.var_on_domain(local, SET, at))
            for at, name in enumerate(self.new.iterators)
        }

    def _is(self, at: int, value: isl.PwAff) -> isl.Map:
        return _equals(self.new, self.old, at, value)

    def _numbers(self) -> Iterable[int]:
        """Distances between the copies of an unrolled loop."""
        if not 1 < self.siblings <= MOST_SIBLINGS:
            return ()
        others = [each for each in range(1, self.siblings) if each != self.number]
        return (*([self.number] if self.number else []), *others, *(-each for each in others))

    def _scaled(self, at: int, iterators: Sequence[isl.PwAff]) -> Iterator[isl.Map]:
        """An unrolled loop that counts its own iterations."""
        if 1 < self.siblings <= MOST_SIBLINGS:
            for rest in range(self.siblings):
                for each in iterators:
                    scaled = each.scale_val(isl.Val(self.siblings))
                    yield self._is(at, _plus(scaled, rest))

    def _constants(self, at: int) -> Iterator[isl.Map]:
        """The first and the last iterations, which may have been peeled off."""
        for end, sign in ((isl.Set.dim_min, 1), (isl.Set.dim_max, -1)):
            value = _extreme(self.old.domain, at, end)
            for distance in range(min(self.siblings, MOST_SIBLINGS)):
                if value is not None:
                    yield self._is(at, _plus(_over(value, self.domain), sign * distance))


def _is_determined(relation: isl.Map, at: int) -> bool:
    """Is there one value of an iterator of S for each instance of T?"""
    count = relation.dim(OUT)
    alone = relation.project_out(OUT, at + 1, count - at - 1).project_out(OUT, 0, at)
    return alone.is_single_valued()


def _extreme(
    domain: isl.Set, at: int, end: Callable[[isl.Set, int], isl.PwAff]
) -> isl.PwAff | None:
    """The least or greatest value of an iterator, as a function of the parameters."""
    try:
        return end(domain, at)
    except isl.Error:
        return None


def _simplified(function: isl.PwMultiAff, domain: isl.Set) -> isl.PwMultiAff:
    """The same function on the domain; what it is outside must be one thing, too."""
    simpler = function.gist(domain)
    is_function = isl.Map.from_pw_multi_aff(simpler).is_single_valued()
    return simpler if is_function else function


def _offset(wanted: isl.PwAff | None, found: isl.PwAff | None) -> isl.PwAff | None:
    """The distance between two ends, if it is the same in all cases."""
    distance = None if wanted is None or found is None else wanted.sub(found).coalesce()
    return distance if distance is not None and distance.n_piece() == 1 else None


def _shifted(value: isl.PwAff, offset: isl.PwAff, domain: isl.Set) -> isl.PwAff:
    return value.add(_over(offset, domain))


def _over(value: isl.PwAff, domain: isl.Set) -> isl.PwAff:
    """A function of the parameters as one of the instances."""
    space = domain.get_space().align_params(value.get_domain_space())
    return value.insert_domain(space)


def _plus(value: isl.PwAff, number: int) -> isl.PwAff:
    return value.add_constant_val(isl.Val(number))


# --- shapes ---------------------------------------------------------------------------------------


def _paired(old: Node, new: Node) -> list[tuple[Node, Node]] | None:
    """The references and iterators of one tree with what stands in their places in the other.

    ``None`` if the two are not alike otherwise.
    """
    old, new = bare(old), bare(new)
    match old, new:
        case Literal(text), Literal(other):
            return [] if is_same_literal(text, other) else None
        case IteratorValue(), _:
            return [(old, new)]
        case Reference(), Reference() if old.tag and new.tag:
            return [(old, new)]
        case _:
            if type(old) is not type(new):
                return None
            return _joined(
                _paired_parts(getattr(old, each.name), getattr(new, each.name))
                for each in fields(old)
            )


def _paired_parts(old: object, new: object) -> list[tuple[Node, Node]] | None:
    if isinstance(old, tuple) and isinstance(new, tuple):
        olds, news = cast("tuple[object, ...]", old), cast("tuple[object, ...]", new)
        if len(olds) != len(news):
            return None
        return _joined(map(_paired_parts, olds, news))
    if isinstance(old, Node) and isinstance(new, Node):
        return _paired(old, new)
    return [] if old == new else None


def _joined(
    parts: Iterable[list[tuple[Node, Node]] | None],
) -> list[tuple[Node, Node]] | None:
    found: list[tuple[Node, Node]] = []
    for each in parts:
        if each is None:
            return None
        found += each
    return found
