"""The program that tells what it does: every instance and every access of a region, logged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from clang.cindex import Cursor, CursorKind

from loopwright.model.scop import Scop

from .edits import Edits
from .matching import Matcher, Region, describes, region_of
from .references import Mode, Numbering, Policy, Reference, ReferenceWriter
from .syntax import (
    ForParts,
    Source,
    binary_operator,
    body_of,
    children_of,
    end_of,
    for_parts,
    identity,
    initializer_of,
    is_array,
    is_integer,
    is_pointer,
    leaves_of,
    loop_variable,
    parsed,
    start_of,
    statement_end,
    unwrapped,
    without_label,
)
from .usage import Extent, Usage, root_of, usage_of

FORGOTTEN = 1 << 20
"""Numbers from here on stand for statements of the source that the model does not have."""

PROMISES = ("__pencil_", "__builtin_assume", "__builtin_unreachable")
"""Calls that execute nothing."""


@dataclass(slots=True)
class RegionTable:
    """What the numbers in the log of one region stand for."""

    scop: Scop
    forgotten: list[str] = field(default_factory=list)
    bases: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Instrumented:
    """The changed text, and the meaning of what its execution logs."""

    text: str
    regions: list[RegionTable]
    references: list[Reference]


def instrumented(
    text: str, scops: Sequence[Scop], *, first_region: int = 0, first_reference: int = 0
) -> Instrumented:
    """Insert the log calls; ``first_…`` keep the numbers of programs in one file apart."""
    source = parsed(text)
    edits = Edits()
    numbering = Numbering(first_reference)
    tables: list[RegionTable] = []
    callees: dict[str, Cursor] = {}
    policies: list[_Policies] = []
    for position, scop in enumerate(scops):
        writer = _RegionWriter.of(source, edits, numbering, scop, first_region + position)
        writer.write()
        tables.append(writer.table)
        callees |= writer.usage.callees
        policies.append(writer.policies)
    for function in callees.values():
        if all(function.spelling != scop.function for scop in scops):
            inside = Extent(start_of(function), end_of(function))
            policy = policies[0].inside(inside)
            writer = ReferenceWriter(source, edits, numbering, policy, lambda _: None)
            writer.visit(body_of(function))
    return Instrumented(edits.applied_to(source.text), tables, numbering.references)


@dataclass(frozen=True, slots=True)
class _Policies:
    """Which references the model may leave out, by what the region does to their variables."""

    source: Source
    scop: Scop
    usage: Usage

    def arrays_of(self, node: Cursor) -> frozenset[str] | None:
        """The model's arrays for the variable of a reference that follows no unknown pointer."""
        variable, _ = root_of(node)
        if variable is None:
            return None
        names = self.names_for(variable)
        # A pointer that the model does not know is another name for something that it does know.
        return None if is_pointer(variable.type) and not names else names

    def names_for(self, variable: Cursor) -> frozenset[str]:
        """The model's arrays for a variable: several where it is a struct."""
        return frozenset(each.name for each in self.scop.arrays if describes(each, variable))

    def inside(
        self, extent: Extent, iterators: frozenset[int] = frozenset()
    ) -> Callable[[Cursor], Policy]:
        """The rule for a stretch whose own variables are its own affair, inside those loops."""
        return lambda node: self._policy(node, extent, iterators)

    def _policy(self, node: Cursor, extent: Extent, iterators: frozenset[int]) -> Policy:
        variable, through_pointer = root_of(node)
        if variable is None or through_pointer:
            return Policy.OPTIONAL if self._is_parameter(node) else Policy.REQUIRED
        if extent.holds(variable.location.offset):
            return Policy.IGNORED
        is_listed = bool(self.names_for(variable))
        if is_listed and not (is_pointer(node.type) and node.kind is CursorKind.DECL_REF_EXPR):
            return Policy.OPTIONAL if self._is_parameter(node) else Policy.REQUIRED
        if not self._may_be_left_out(node, variable):
            return Policy.REQUIRED
        is_scratch = self.usage.is_scratch(variable) and identity(variable) not in iterators
        return Policy.SCRATCH if is_scratch else Policy.IGNORED

    def _may_be_left_out(self, node: Cursor, variable: Cursor) -> bool:
        if not (is_integer(node.type) or is_pointer(node.type)):
            return False
        if self.usage.is_iterator(variable) or self.usage.is_scratch(variable):
            return True
        if node.kind is CursorKind.DECL_REF_EXPR or node.kind is CursorKind.MEMBER_REF_EXPR:
            return self.usage.is_parameter_like(variable)
        return False

    def _is_parameter(self, node: Cursor) -> bool:
        """An integer that the region leaves alone: a variable, a member, or a parameter's text."""
        if not is_integer(node.type):
            return False
        text = "".join(self.source.text_of(node).split())
        if any("".join(each.text.split()) == text for each in self.scop.parameters):
            return True
        variable, through_pointer = root_of(node)
        if node.kind is CursorKind.MEMBER_REF_EXPR:
            return node.spelling not in self.usage.written_fields
        if node.kind is not CursorKind.DECL_REF_EXPR or variable is None or through_pointer:
            return False
        return self.usage.is_parameter_like(variable)


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop of the model around a statement, and the C expression for its iterator."""

    expression: str
    variable: int


@dataclass(slots=True)
class _RegionWriter:
    """Walks one region and inserts its log calls."""

    source: Source
    edits: Edits
    numbering: Numbering
    table: RegionTable
    number: int
    region: Region
    matcher: Matcher
    usage: Usage
    policies: _Policies

    @classmethod
    def of(
        cls, source: Source, edits: Edits, numbering: Numbering, scop: Scop, number: int
    ) -> _RegionWriter:
        region = region_of(source, scop)
        matcher = Matcher.of(source, scop)
        atomic = [Extent(each.span.start, each.span.end) for _, each in matcher.statements]
        usage = usage_of(source, source.functions[scop.function], region.nodes, atomic)
        policies = _Policies(source, scop, usage)
        return cls(
            source, edits, numbering, RegionTable(scop), number, region, matcher, usage, policies
        )

    @property
    def scop(self) -> Scop:
        """The model under test."""
        return self.table.scop

    def write(self) -> None:
        """Insert everything, from the entry of the region to its exit."""
        first, last = without_label(self.region.nodes[0]), self.region.nodes[-1]
        brace = "{ " if self.region.is_bare else ""
        self.edits.open(start_of(first), brace + self._entry())
        self._siblings(self.region.nodes, (), is_bare=False)
        end = statement_end(self.source, last)
        self.edits.close(end, f" lw_leave({self.number});" + (" }" if brace else ""))

    def _entry(self) -> str:
        values = [f", (long long)({each.text})" for each in self.scop.parameters]
        calls = [f"lw_region({self.number}, {len(values)}{''.join(values)});"]
        for variable in self.usage.variables.values():
            if not self.usage.extent.holds(variable.location.offset):
                calls += [each + ";" for each in self._base_calls(variable)]
        return " ".join(calls) + " "

    def _base_calls(self, variable: Cursor) -> list[str]:
        """Tell where the arrays of a variable start, if the model has any."""
        calls: list[str] = []
        for array in self.scop.arrays:
            if not describes(array, variable):
                continue
            is_the_pointer = array.rank == 0 and array.element_type.rstrip().endswith("*")
            is_address = is_array(variable.type) or is_pointer(variable.type)
            address = "" if is_address and not is_the_pointer else "&"
            calls.append(f"lw_base({len(self.table.bases)}, {address}{variable.spelling})")
            self.table.bases.append(array.name)
        return calls

    def _siblings(self, nodes: Sequence[Cursor], loops: tuple[_Loop, ...], is_bare: bool) -> None:
        """Statements in a row; ``is_bare`` for the one body of a loop or branch without braces."""
        position = 0
        while position < len(nodes):
            match = self.matcher.starting_at(nodes, position)
            if match is None or _is_one_declaration(nodes, position, match.last):
                self._control(nodes[position], loops)
                position += 1
            else:
                covered = nodes[position : match.last + 1]
                self._statement(match.number, covered, loops, is_bare)
                position = match.last + 1

    def _statement(
        self, number: int, nodes: Sequence[Cursor], loops: tuple[_Loop, ...], is_bare: bool
    ) -> None:
        first = without_label(nodes[0])
        call = self._log(number, loops)
        if len(nodes) == 1 and first.kind.is_expression():
            self.edits.open(start_of(first), f"{call}, ")
        else:
            self.edits.open(start_of(first), f"{'{ ' if is_bare else ''}{call}; ")
        statement = self.scop.statements[number]
        extent = Extent(statement.span.start, statement.span.end)
        writer = self._writer(extent, loops)
        for node in nodes:
            writer.visit(without_label(node))
        if is_bare and not first.kind.is_expression():
            self.edits.close(statement_end(self.source, nodes[-1]), " }")

    def _writer(
        self, extent: Extent, loops: tuple[_Loop, ...], is_outside: bool = False
    ) -> ReferenceWriter:
        policy = self.policies.inside(extent, frozenset(loop.variable for loop in loops))
        arrays_of = self.policies.arrays_of
        return ReferenceWriter(
            self.source, self.edits, self.numbering, policy, arrays_of, is_outside
        )

    def _log(self, number: int, loops: tuple[_Loop, ...]) -> str:
        statement = self.scop.statements[number]
        if len(loops) != len(statement.iterators):
            self.table.complaints.append(
                f"{statement.name} has the iterators {statement.iterators}, "
                f"but {len(loops)} loops lie around `{statement.text}`"
            )
        values = "".join(f", (long long)({loop.expression})" for loop in loops)
        return f"lw_statement({number}, {len(loops)}{values})"

    def _control(self, node: Cursor, loops: tuple[_Loop, ...]) -> None:
        """What is no statement of the model by itself: control, blocks, declarations."""
        node = without_label(node)
        match node.kind:
            case CursorKind.COMPOUND_STMT:
                self._siblings(children_of(node), loops, is_bare=False)
            case CursorKind.IF_STMT:
                condition, *branches = children_of(node)
                self._header(condition)
                for branch in branches:
                    self._siblings([branch], loops, is_bare=True)
            case CursorKind.FOR_STMT:
                self._loop(node, loops)
            case CursorKind.DECL_STMT:
                self._declaration(node, loops)
            case CursorKind.NULL_STMT | CursorKind.CONTINUE_STMT | CursorKind.BREAK_STMT:
                pass
            case kind if kind.is_expression():
                self._expression(node, loops)
            case _:
                self._forgotten(node)

    def _header(self, node: Cursor | None) -> None:
        """Headers belong to no statement: what they reference must be parameters and iterators."""
        if node is not None:
            self._writer(Extent(0, 0), (), is_outside=True).visit(node)

    def _loop(self, node: Cursor, loops: tuple[_Loop, ...]) -> None:
        parts = for_parts(self.source, node)
        variable = loop_variable(self.source, parts)
        if variable is None:
            self._forgotten(node)
            return
        for part in (parts.start, parts.condition, parts.step):
            self._header(part)
        alias = self._alias(parts, variable)
        self._siblings(
            [parts.body],
            (*loops, _Loop(alias or variable.spelling, identity(variable))),
            is_bare=True,
        )
        if alias is not None:
            self.edits.close(statement_end(self.source, parts.body), " }")

    def _alias(self, parts: ForParts, variable: Cursor) -> str | None:
        """A name for an iterator that something in the body of its loop hides."""
        body = Extent(start_of(parts.body), end_of(parts.body))
        if not self.usage.is_shadowed_in(variable, body):
            return None
        alias = f"lw_iterator_{body.start}"
        self.edits.open(body.start, f"{{ const long long {alias} = {variable.spelling}; ")
        return alias

    def _declaration(self, node: Cursor, loops: tuple[_Loop, ...]) -> None:
        """Log from inside the initialisers: a declaration cannot be put into braces."""
        numbers = self.matcher.within(node)
        variables = [each for each in children_of(node) if each.kind is CursorKind.VAR_DECL]
        valued = [each for each in variables if initializer_of(self.source, each) is not None]
        for variable in variables:
            value = initializer_of(self.source, variable)
            bases = self._base_calls(variable)
            if value is None:
                self._after(node, bases)
                continue
            mine = [n for n in numbers if self._belongs_to(n, variable, valued)]
            calls = bases + [self._log(number, loops) for number in mine]
            if numbers:
                calls += self._stored(variable)
            elif not (is_integer(variable.type) or is_pointer(variable.type)):
                calls.append(self._forgotten_call(node))
            self._valued(node, value, calls, loops, is_outside=not numbers)

    def _belongs_to(self, number: int, variable: Cursor, valued: list[Cursor]) -> bool:
        """Is this the first initialised variable that the statement covers?"""
        span = self.scop.statements[number].span
        ends = [each for each in valued if start_of(each) < span.end <= end_of(each)]
        covered = [each for each in valued if span.start <= end_of(each) <= span.end]
        return variable == (covered or ends or valued)[0]

    def _stored(self, variable: Cursor) -> list[str]:
        if not self.policies.names_for(variable):
            return []
        reference = Reference(
            text=variable.spelling,
            mode=Mode.WRITE,
            offset=start_of(variable),
            leaves=leaves_of(variable.type),
            is_optional=False,
            is_outside=False,
            is_scratch=False,
            arrays=self.policies.names_for(variable),
        )
        return [f"lw_access({self.numbering.number(reference)}, &{variable.spelling})"]

    def _valued(
        self,
        node: Cursor,
        value: Cursor,
        calls: list[str],
        loops: tuple[_Loop, ...],
        is_outside: bool,
    ) -> None:
        place = _first_value(self.source, value)
        if calls and place is None:
            self._after(node, calls)
        elif calls and place is not None:
            self.edits.open(start_of(place), f"({', '.join(calls)}, ")
        self._writer(Extent(0, 0), loops, is_outside).visit(value)
        if calls and place is not None:
            self.edits.close(end_of(place), ")")

    def _after(self, node: Cursor, calls: list[str]) -> None:
        for call in calls:
            self.edits.close(statement_end(self.source, node), f" {call};")

    def _expression(self, node: Cursor, loops: tuple[_Loop, ...]) -> None:
        """An expression that is not one statement of the model: perhaps it is several."""
        number = self.matcher.equal_to(node)
        if number is not None:
            self.edits.open(start_of(node), f"{self._log(number, loops)}, ")
            self._writer(Extent(0, 0), loops).visit(node)
            return
        inner = unwrapped(node)
        is_comma = inner.kind is CursorKind.BINARY_OPERATOR and (
            binary_operator(self.source, inner) == ","
        )
        if is_comma and self.matcher.within(node):
            for operand in children_of(inner):
                self._expression(operand, loops)
        elif _has_effect(self.source, node):
            self.edits.open(start_of(node), f"{self._forgotten_call(node)}, ")

    def _forgotten(self, node: Cursor) -> None:
        self.edits.open(start_of(node), f"{{ {self._forgotten_call(node)}; ")
        self.edits.close(statement_end(self.source, node), " }")

    def _forgotten_call(self, node: Cursor) -> str:
        self.table.forgotten.append(self.source.text_of(node))
        return f"lw_statement({FORGOTTEN + len(self.table.forgotten) - 1}, 0)"


def _is_one_declaration(nodes: Sequence[Cursor], first: int, last: int) -> bool:
    return first == last and nodes[first].kind is CursorKind.DECL_STMT


def _first_value(source: Source, value: Cursor) -> Cursor | None:
    """The first expression of an initialiser that a comma expression may replace."""
    while value.kind is CursorKind.INIT_LIST_EXPR:
        children = children_of(value)
        if not children:
            return None
        value = children[0]
        if source.text_of(value)[:1] in (".", "["):
            value = children_of(value)[-1]
    is_string = unwrapped(value).kind is CursorKind.STRING_LITERAL
    return None if is_string and is_array(value.type) else value


def _has_effect(source: Source, node: Cursor) -> bool:
    for each in node.walk_preorder():
        if each.kind is CursorKind.CALL_EXPR:
            return not each.spelling.startswith(PROMISES)
        if each.kind is CursorKind.COMPOUND_ASSIGNMENT_OPERATOR:
            return True
        if each.kind is CursorKind.BINARY_OPERATOR and binary_operator(source, each) == "=":
            return True
        if each.kind is CursorKind.UNARY_OPERATOR and "++" in source.text_of(each):
            return True
    return False
