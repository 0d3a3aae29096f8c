"""Two names for the same memory would make every relation a lie: find them and refuse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from loopwright.basics.spans import Span
from loopwright.frontend.addresses import Node, roots
from loopwright.frontend.c_tree import (
    Function,
    MemberOf,
    Use,
    Variable,
    expressions_in,
    walk_statements,
)
from loopwright.frontend.c_types import ArrayType, CType, PointerType, RecordType, holds_pointers
from loopwright.frontend.derivations import Derivation, derived_by
from loopwright.frontend.facts import RegionFacts
from loopwright.frontend.regions import Region
from loopwright.frontend.rotations import Rotation, rotations_in
from loopwright.frontend.workshop import Workshop


def refuse_aliases(region: Region, workshop: Workshop) -> None:
    """Raise if the region uses two names that may stand for the same memory."""
    used = _used_in(region, workshop.facts)
    pointers = {each: None for each, _ in used if each.is_global and _may_point(each.type)}
    while True:
        functions = region.elsewhere() if pointers else [region.function]
        rotations = rotations_in(functions, region.span)
        found = _derivations(region, functions, rotations)
        bases = [each.base[0] for each, _ in found]
        more = [each for each in bases if each.is_global and _may_point(each.type)]
        if pointers.keys() >= set(more):
            break
        pointers |= dict.fromkeys(more)
    initialised = [(each, False) for each in _initialised(pointers)]
    _refuse_meeting([*initialised, *found], rotations, used, workshop)


def _derivations(
    region: Region, functions: Iterable[Function], rotations: Iterable[Rotation]
) -> list[tuple[Derivation, bool]]:
    """What is derived outside of a region, and whether that belongs to a rotation."""
    turning = {id(statement) for each in rotations for statement in each.statements}
    return [
        (each, id(statement) in turning)
        for function in functions
        for statement in walk_statements(function.body)
        if not statement.span.begins_in(region.span)
        for each in derived_by(statement)
    ]


def _refuse_meeting(
    derivations: Sequence[tuple[Derivation, bool]],
    rotations: Sequence[Rotation],
    used: Mapping[Node, Span],
    workshop: Workshop,
) -> None:
    """Raise if what is used may meet; the first derivation that lets it is what is told."""
    every = _Origins(rotations)
    for each, is_turning in derivations:
        every.note(each, is_turning=is_turning)
    if every.meeting(used) is None:
        return
    known = _Origins(rotations)
    for each, is_turning in derivations:
        known.note(each, is_turning=is_turning)
        met = known.meeting(used)
        if met is not None:
            one, other = met
            raise workshop.reject(
                "LW206",
                f"{_name(one)} and {_name(other)} may name the same memory "
                f"(line {each.span.line} derives one from the other)",
                used[one],
                "use one name for one array inside the region",
            )


def _used_in(region: Region, facts: RegionFacts) -> dict[Node, Span]:
    """The pointers and arrays that a region names, those in structs by their members."""
    used: dict[Node, Span] = {}
    for statement in region.statements:
        for each in expressions_in(statement):
            if isinstance(each, Use):
                used.setdefault((each.variable, ""), each.span)
            if isinstance(each, MemberOf) and isinstance(each.type, PointerType | ArrayType):
                for root in roots(each):
                    used.setdefault((root, each.name), each.span)
    for variable in facts.used_by_callees:
        used.setdefault((variable, ""), variable.span)
    return used


Graph = dict[Node, set[Node]]
"""From pointers to what they were derived from."""


@dataclass(slots=True)
class _Origins:
    """What each pointer may have been derived from: two with a common origin may meet.

    What changes places with others in a rotation stays apart from them, unless they were not apart
    ``before``, without the rotations.
    """

    rotations: Sequence[Rotation]
    graph: Graph = field(default_factory=dict[Node, set[Node]])
    before: Graph = field(default_factory=dict[Node, set[Node]])
    parts: set[Node] = field(default_factory=set[Node])

    def note(self, derivation: Derivation, *, is_turning: bool) -> None:
        """A pointer was made to point to where the base does."""
        pointer, base = derivation.pointer, derivation.base
        if base[1].startswith("&"):
            self.parts.add(base)
        for graph in (self.graph,) if is_turning else (self.graph, self.before):
            graph.setdefault(pointer, set()).add(base)
            if not derivation.is_one_way:
                graph.setdefault(base, set()).add(pointer)

    def meeting(self, used: Mapping[Node, Span]) -> tuple[Node, Node] | None:
        """Two of the names that are used, the later one first, if they may be for one memory."""
        self._join_parts(used)
        seen: list[tuple[Node, set[Node]]] = []
        for node in used:
            origins = _reached(self.graph, node)
            for other, others in seen:
                if not origins.isdisjoint(others) and not self._are_apart(node, other):
                    return node, other
            seen.append((node, origins))
        return None

    def _join_parts(self, used: Iterable[Node]) -> None:
        """Members of a struct are apart, but not from the whole, if anybody names that."""
        for _ in self.parts:
            reached = {one for each in used for one in _reached(self.graph, each)}
            for part in self.parts:
                whole = part[0], ""
                if whole in reached:
                    for graph in (self.graph, self.before):
                        graph.setdefault(part, set()).add(whole)

    def _are_apart(self, one: Node, other: Node) -> bool:
        """Do both change places in a rotation, and came there from different memory?"""
        turning = [each.members for each in self.rotations if {one, other} <= each.members]
        if not turning or self._comes_back(turning[0]):
            return False
        return _reached(self.before, one).isdisjoint(_reached(self.before, other))

    def _comes_back(self, members: Set[Node]) -> bool:
        """Is one of them set, other than by rotation, to what has been one of them?"""
        origins = {each for member in members for each in _reached(self.before, member)}
        return any(
            not isinstance(each[0].type, ArrayType)
            and not members.isdisjoint(self.before.get(each, ()))
            for each in origins
        )


def _reached(graph: Graph, node: Node) -> set[Node]:
    """Whatever it was derived from; a member, also by way of the structs that hold it.

    A struct that is a member of another holds what that one's members of the same name are set to.
    """
    found, pending = {node}, [node]
    while pending:
        variable, member = pending.pop()
        wholes = graph.get((variable, ""), ()) if member else ()
        others = [
            (root, member) for root, inner in wholes if inner == "" or (root, member) in graph
        ]
        for each in (*graph.get((variable, member), ()), *others):
            if each not in found:
                found.add(each)
                pending.append(each)
    return found


def _name(node: Node) -> str:
    variable, member = node
    return f"{variable.name}.{member}" if member else variable.name


def _initialised(pointers: Iterable[Variable]) -> Iterator[Derivation]:
    """The pointers that their own declarations set, outside of all functions."""
    for pointer in pointers:
        for member, base in pointer.points_into:
            yield Derivation((pointer, member), (base, ""), pointer.span)


def _may_point(type_: CType) -> bool:
    return isinstance(type_, PointerType | RecordType | ArrayType) and holds_pointers(type_)


def refuse_addressed_scalars(facts: RegionFacts, workshop: Workshop) -> None:
    """A scalar that the region writes must not be reachable under another name."""
    for variable, span in facts.addressed.items():
        if variable not in facts.used:
            continue
        is_written = variable in facts.assigned or variable in facts.loop_variables
        if is_written and not isinstance(variable.type, PointerType | ArrayType):
            raise workshop.reject(
                "LW207",
                f"the address of {variable.name} is taken, and the region writes {variable.name}",
                span,
                "return the value from the function, or use an array of one element",
            )


def refuse_kept_addresses(facts: RegionFacts, workshop: Workshop) -> None:
    """A scalar whose address somebody has must not be what a called function's pointer leads to."""
    targets = {
        each.type.target: each
        for each in facts.used_by_callees
        if isinstance(each.type, PointerType)
    }
    for variable in facts.used & facts.escaped:
        pointer = targets.get(variable.type)
        if pointer is not None and not variable.is_global:
            raise workshop.reject(
                "LW207",
                f"the address of {variable.name} is taken, and {pointer.name}, which a function "
                "uses that the region calls, may hold it",
                variable.span,
                "return the value from the function, or use an array of one element",
            )


def disjointness(region: Region, facts: RegionFacts) -> list[str]:
    """What the model takes for granted about pointers, as sentences."""
    names = _loose_pointers(region)
    reasons: list[str] = []
    if names and facts.calls_unknown:
        behind = ", ".join(names)
        reasons.append(f"unknown functions touch nothing behind {behind} that they are not given")
    names += sorted(
        each.name
        for each in facts.used_by_callees
        if isinstance(each.type, PointerType) and each.name not in names
    )
    members = _pointer_members(region)
    variables = {
        each.variable: None
        for statement in region.statements
        for each in expressions_in(statement)
        if isinstance(each, Use)
    }
    if names or members:
        names += [
            each.name for each in variables if each.name not in names and _is_open(each, facts)
        ]
    names += members
    if len(names) > 1:
        reasons.append(f"the arrays {', '.join(names)} do not overlap")
    for variable in variables:
        if _points_to_pointers(variable.type):
            reasons.append(f"the rows of {variable.name} do not overlap")
    return reasons


def _pointer_members(region: Region) -> list[str]:
    """The pointers that structs hold, as the region calls them."""
    nodes = {
        (root, each.name): None
        for statement in region.statements
        for each in expressions_in(statement)
        if isinstance(each, MemberOf) and isinstance(each.type, PointerType)
        for root in roots(each)
    }
    return [_name(node) for node in nodes]


def _is_open(variable: Variable, facts: RegionFacts) -> bool:
    """May a pointer from elsewhere point to this variable?"""
    is_pointer = isinstance(variable.type, PointerType)
    return (variable.is_global or variable in facts.escaped) and not is_pointer


def _points_to_pointers(type_: CType) -> bool:
    match type_:
        case PointerType(target=PointerType() | ArrayType(element=PointerType())):
            return True
        case ArrayType(element=element):
            return isinstance(element, PointerType) or _points_to_pointers(element)
        case _:
            return False


def _is_loose(variable: Variable) -> bool:
    """May somebody else have a pointer to the same memory, for all that its type says?"""
    match variable.type:
        case ArrayType() as type_:
            return variable.is_parameter and not type_.is_restrict
        case PointerType(is_restrict=is_restrict):
            return not is_restrict
        case _:
            return False


def _loose_pointers(region: Region) -> list[str]:
    """The pointers that nothing but convention keeps apart."""
    names: list[str] = []
    for statement in region.statements:
        for each in expressions_in(statement):
            if isinstance(each, Use) and each.variable.name not in names:
                declared = each.variable.span.begins_in(region.span)
                if not declared and _is_loose(each.variable):
                    names.append(each.variable.name)
    return names
