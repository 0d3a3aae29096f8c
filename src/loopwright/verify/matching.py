"""Which original statement each statement of the new text is, and that it computes the same.

Two bodies compute the same from the same values if they are the same tree, where an iterator of the
original may have become an expression of the same value and type.  References are paired here and
compared later: they may be to other variables, as long as the values in those are the right ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import cast

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.bodies import (
    Assign,
    Block,
    Body,
    Call,
    Cast,
    Declare,
    Evaluate,
    Expression,
    Increment,
    IteratorValue,
    Literal,
    Name,
    Node,
    Reference,
    walk_body,
)
from loopwright.model.expression_values import expression_value
from loopwright.model.literals import converted, is_same_literal
from loopwright.model.proofs import Hint, Instance
from loopwright.model.scop import Access, Parameter, Scop, Statement
from loopwright.polyhedra.instances import element_relation, element_set, instance_value
from loopwright.verify.failure import NotProved
from loopwright.verify.integers import BodyIntegers, promoted

PARAM = isl.dim_type.param


@record(eq=False)
class ReferencePair:
    """The same reference in the original and in the new text; what each of them touches.

    A reference to a whole struct touches several arrays.  ``is_same_path`` where the two are
    written alike, up to the values of iterators.
    """

    old: tuple[Access, ...]
    new: tuple[Access, ...]
    is_same_path: bool


@record(eq=False)
class Copy:
    """A statement of the new text that runs instances of an original one.

    ``instances`` tells which: ``{ T[c] -> S[i] }``.
    """

    new: Statement
    old: Statement
    instances: isl.Map
    references: tuple[ReferencePair, ...]


@record(eq=False)
class Move:
    """A statement of the new text that stores in one place what it reads from another."""

    new: Statement
    read: Access
    write: Access


@record(eq=False)
class Correspondence:
    """All executed statements of the new text; ``possible`` are the cases in which they run."""

    old: Scop
    new: Scop
    possible: isl.Set
    copies: tuple[Copy, ...]
    moves: tuple[Move, ...]

    def domain(self, statement: Statement) -> isl.Set:
        """The instances of a statement, in the cases that count."""
        return statement.domain.intersect_params(self.possible)


def correspondence(old: Scop, new: Scop, possible: isl.Set, hint: Hint) -> Correspondence:
    """Match the statements of the new text with those that the hint names.

    A hint may name statements that were left out of the text, since they never run.
    """
    executed = [each for each in new.statements if is_executed(each)]
    matcher = _Matcher({each.name: each for each in old.statements}, old.parameters, possible)
    copies: list[Copy] = []
    moves: list[Move] = []
    entries = list(hint)
    for number, statement in enumerate(executed):
        matched = matcher.first(statement, entries, spare=len(entries) - len(executed) + number)
        if isinstance(matched, Copy):
            copies.append(matched)
        else:
            moves.append(matched)
    return Correspondence(old, new, possible, tuple(copies), tuple(moves))


def instance_maps(found: Correspondence) -> tuple[isl.Map | None, ...]:
    """What each statement of the new text runs, in the order of the text; ``None`` for a move."""
    copies = {each.new.name: each.instances for each in found.copies}
    executed = [each for each in found.new.statements if is_executed(each)]
    return tuple(
        copies[each.name].reset_tuple_id(isl.dim_type.in_) if each.name in copies else None
        for each in executed
    )


def is_executed(statement: Statement) -> bool:
    """Does it do something?"""
    return not statement.is_kill and not is_idle(statement)


def is_idle(statement: Statement) -> bool:
    """Does it do nothing, as ``(void)sizeof s`` does?  Then nobody asks how often it runs."""
    match statement.body:
        case Evaluate(Cast("void", Literal())):
            return not statement.accesses
        case _:
            return False


def move_of(statement: Statement) -> Move:
    """A plain assignment of one variable or element to another."""
    match statement.body:
        case Evaluate(Assign("=", Reference(target), Reference(source))) if target and source:
            writes = [each for each in statement.accesses if each.tag == target]
            reads = [each for each in statement.accesses if each.tag == source]
            if len(statement.accesses) == 2 and len(writes) == len(reads) == 1:
                return Move(statement, reads[0], writes[0])
        case _:
            pass
    message = f"{statement.text} neither runs an original statement nor moves a value"
    raise NotProved(message, span=statement.span)


def require_no_capture(found: Correspondence, declared: frozenset[str]) -> None:
    """A name in a body must not have come to mean a variable that the new text declares.

    Variables of the region itself are declared anew, under their names.
    """
    own = {each.variable for each in found.old.arrays if each.is_local}
    for copy in found.copies:
        nodes = list(walk_body(copy.new.body))
        private = {each.name for each in nodes if isinstance(each, Declare)}
        names = {each.name for each in nodes if isinstance(each, Name | Reference)}
        names -= {each.name for each in nodes if isinstance(each, Reference) and each.tag}
        names |= {each.function for each in nodes if isinstance(each, Call)}
        captured = sorted(names & declared - private - own)
        if captured:
            reason = f"{captured[0]} in {copy.new.text} is a variable of the new text"
            raise NotProved(reason, span=copy.new.span)


def is_simple(body: Body) -> bool:
    """Does it read all that it reads before it writes, and write in one place only?"""
    match body:
        case Evaluate(Assign(_, Reference(), value)):
            return not any(isinstance(each, Assign | Increment) for each in walk_body(value))
        case Evaluate(Increment(_, Reference())):
            return True
        case _:
            return False


@record(eq=False)
class _Matcher:
    statements: Mapping[str, Statement]
    parameters: tuple[Parameter, ...]
    possible: isl.Set

    def first(
        self, new: Statement, entries: list[Instance | isl.Map | None], spare: int
    ) -> Copy | Move:
        """What the first entry that fits says; as many as are to spare may be passed over."""
        while entries:
            entry = entries.pop(0)
            try:
                return self.copy(new, entry) if entry is not None else move_of(new)
            except NotProved:
                if spare <= 0:
                    raise
                spare -= 1
        raise NotProved(f"the hint does not say what {new.text} is", span=new.span)

    def copy(self, new: Statement, entry: Instance | isl.Map) -> Copy:
        """The statement as a copy of the one that the hint names."""
        is_map = isinstance(entry, isl.Map)
        name = entry.get_tuple_name(isl.dim_type.out) if is_map else entry.statement
        old = self.statements.get(name) if name else None
        values = self._mapped(new, entry) if is_map else self._hinted(new, entry)
        if old is None or old.is_kill or len(values) != len(old.iterators):
            raise NotProved(f"the hint for {new.text} names no statement", span=new.span)
        known = [each for each in values if each is not None]
        if len(known) != len(values):
            raise NotProved(f"the hint for {new.text} cannot be read", span=new.span)
        return copy_of(new, old, known, self.parameters, self.possible)

    def _hinted(self, new: Statement, entry: Instance) -> Sequence[isl.PwAff | None]:
        names = {*new.iterators, *(each.name for each in self.parameters)}
        return [expression_value(each, names) for each in entry.values]

    def _mapped(self, new: Statement, entry: isl.Map) -> Sequence[isl.PwAff | None]:
        """What a map ``{ [c] -> S[i] }`` says, if it is one of this statement's iterators."""
        known = {each.name for each in self.parameters}
        used = {entry.get_dim_name(isl.dim_type.param, at) for at in range(entry.dim(PARAM))}
        if not used <= known or entry.dim(isl.dim_type.in_) != len(new.iterators):
            raise NotProved(f"the hint for {new.text} cannot be read", span=new.span)
        if not entry.is_single_valued():
            raise NotProved(f"the hint for {new.text} is no function", span=new.span)
        return values_by_name(isl.PwMultiAff.from_map(entry), new.iterators)


def values_by_name(function: isl.PwMultiAff, iterators: Sequence[str]) -> list[isl.PwAff]:
    """What a function of iterators yields, in terms of their names."""
    found: list[isl.PwAff] = []
    for at in range(function.dim(isl.dim_type.out)):
        graph = isl.Map.from_pw_aff(function.get_at(at))
        count = graph.dim(PARAM)
        graph = graph.move_dims(PARAM, count, isl.dim_type.in_, 0, len(iterators))
        for number, iterator in enumerate(iterators):
            graph = graph.set_dim_name(PARAM, count + number, iterator)
        found.append(isl.PwMultiAff.from_set(graph.range().reset_tuple_id()).get_at(0))
    return found


def copy_of(
    new: Statement,
    old: Statement,
    values: Sequence[isl.PwAff],
    parameters: tuple[Parameter, ...],
    possible: isl.Set,
) -> Copy:
    """The new statement as a copy of the old one, whose iterators have these values.

    The values are in terms of the new iterators and of the parameters, by name.
    """
    domain = new.domain.intersect_params(possible)
    runs = element_relation(element_set(values, old.name), new.name, new.iterators)
    by_iterator = dict(zip(old.iterators, values, strict=True))
    comparison = _Comparison(new, parameters, domain, by_iterator)
    if not comparison.is_same(old.body, new.body):
        raise NotProved(f"{new.text} is not {old.text}", span=new.span)
    return Copy(new, old, runs, comparison.references(old))


class _Comparison:
    """Compares the body of a statement of the new text with an original one."""

    def __init__(
        self,
        new: Statement,
        parameters: tuple[Parameter, ...],
        domain: isl.Set,
        values: Mapping[str, isl.PwAff],
    ) -> None:
        self.new = new
        self.domain = domain
        self.values = values
        self.integers = BodyIntegers(
            frozenset(new.iterators), parameters, by_name(domain, new.iterators)
        )
        self.pairs: list[tuple[str, str, bool]] = []

    def is_same(self, old: Node, new: Node) -> bool:
        """Do the two trees compute the same?"""
        old, new = bare(old), bare(new)
        match old, new:
            case Literal(text), Literal(other):
                return is_same_literal(text, other)
            case IteratorValue(name, type_), _:
                return self._has_value(new, self.values[name], type_)
            case Reference(), Reference():
                return self._is_same_reference(old, new)
            case _:
                return type(old) is type(new) and self._have_same_parts(old, new)

    def _have_same_parts(self, old: Node, new: Node) -> bool:
        return all(
            self._is_same_part(getattr(old, each.name), getattr(new, each.name))
            for each in fields(old)
        )

    def _is_same_part(self, old: object, new: object) -> bool:
        if isinstance(old, tuple) and isinstance(new, tuple):
            olds = cast("tuple[object, ...]", old)
            news = cast("tuple[object, ...]", new)
            return len(olds) == len(news) and all(map(self._is_same_part, olds, news))
        if isinstance(old, Node) and isinstance(new, Node):
            return self.is_same(old, new)
        return old == new

    def _has_value(self, new: Node, value: isl.PwAff, type_: str) -> bool:
        is_converted = isinstance(new, Cast) and new.type == type_
        inner = new.operand if isinstance(new, Cast) and is_converted else new
        found = self.integers.of(cast("Expression", inner))
        if found is None or not (is_converted or found.type == promoted(type_)):
            return False  # a conversion to its own type keeps the value of an iterator
        differs = instance_value(found.value - value, self.new.name, self.new.iterators)
        zero = differs - differs
        return differs.ne_set(zero).is_disjoint(self.domain)

    def _is_same_reference(self, old: Reference, new: Reference) -> bool:
        """Paired if both are accesses; otherwise they must be written alike."""
        if bool(old.tag) != bool(new.tag):
            return False
        paired = len(self.pairs)
        is_same = old.name == new.name and self._is_same_part(old.path, new.path)
        if not old.tag:
            return is_same
        if not is_same:
            del self.pairs[paired:]
        self.pairs.append((old.tag, new.tag, is_same))
        return True

    def references(self, old: Statement) -> tuple[ReferencePair, ...]:
        """The references of both, in the order in which they are evaluated.

        What a called function touches has no place in the tree; the order tells.
        """
        before, after = _by_tag(old), _by_tag(self.new)
        together = list(zip(before, after, strict=False))
        written_alike = {(first, second): alike for first, second, alike in self.pairs}
        if len(before) != len(after) or not set(written_alike) <= set(together):
            raise NotProved(f"{self.new.text} touches other memory than {old.text}")
        found: list[ReferencePair] = []
        for first, second in together:
            olds, news = before[first], after[second]
            if _kinds(olds) != _kinds(news):
                raise NotProved(f"{self.new.text} does not read and write as {old.text}")
            alike = written_alike.get((first, second), True)
            found.append(ReferencePair(tuple(olds), tuple(news), alike))
        return tuple(found)


def bare(node: Node) -> Node:
    """A block of one statement is that statement, unless it keeps a declaration to itself.

    A constant that is converted to another type is a constant of that type.
    """
    while isinstance(node, Block) and len(node.statements) == 1:
        if isinstance(node.statements[0], Declare):
            break
        node = node.statements[0]
    match node:
        case Cast(type_, Literal(text)) if known := converted(text, type_):
            return Literal(known)
        case _:
            return node


def _by_tag(statement: Statement) -> dict[str, list[Access]]:
    found: dict[str, list[Access]] = {}
    for access in statement.accesses:
        found.setdefault(access.tag, []).append(access)
    return found


def _kinds(accesses: Sequence[Access]) -> set[tuple[bool, bool, bool]]:
    return {(each.reads, each.writes, each.kills) for each in accesses}


def by_name(instances: isl.Set, iterators: Sequence[str]) -> isl.Set:
    """Instances as a condition on the iterators and parameters by name."""
    condition = instances
    count = condition.dim(isl.dim_type.param)
    condition = condition.move_dims(isl.dim_type.param, count, isl.dim_type.set, 0, len(iterators))
    for at, iterator in enumerate(iterators):
        condition = condition.set_dim_name(isl.dim_type.param, count + at, iterator)
    return condition.params()
