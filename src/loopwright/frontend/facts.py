"""What a region does to its variables: who is written, who iterates, who may be renamed.

These are flow-insensitive facts about names.  They decide which integers are parameters, which
variables are iterators, and which values die with the region.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from loopwright.basics.spans import Span
from loopwright.frontend.addresses import addressed_by, roots
from loopwright.frontend.c_tree import (
    AssignExpr,
    BinaryExpr,
    CallExpr,
    CastExpr,
    ConditionalExpr,
    DeclStmt,
    Expr,
    ExprStmt,
    ForStmt,
    Function,
    IfStmt,
    IncrementExpr,
    MemberOf,
    Stmt,
    Subscript,
    UnaryExpr,
    Use,
    Variable,
    WhileStmt,
    expressions_in,
    parts_of,
    walk_expression,
    walk_statements,
    without_casts,
)
from loopwright.frontend.c_types import ArrayType, IntType, PointerType, RecordType
from loopwright.frontend.fixed_places import asked_by
from loopwright.frontend.headers import counted_variables, start_values, steps_others


@dataclass(slots=True)
class RegionFacts:
    """The facts, as sets of variables."""

    declared: set[Variable] = field(default_factory=set[Variable])
    assigned: dict[Variable, Span] = field(default_factory=dict[Variable, Span])
    addressed: dict[Variable, Span] = field(default_factory=dict[Variable, Span])
    loop_variables: set[Variable] = field(default_factory=set[Variable])
    stray_iterators: dict[Variable, Span] = field(default_factory=dict[Variable, Span])
    written_members: set[tuple[Variable, str]] = field(default_factory=set[tuple[Variable, str]])
    written_roots: set[Variable] = field(default_factory=set[Variable])
    handed_over: set[Variable] = field(default_factory=set[Variable])
    asked: set[tuple[Variable, str]] = field(default_factory=set[tuple[Variable, str]])
    """The elements at fixed places that decide what runs, by how C names them."""
    used: set[Variable] = field(default_factory=set[Variable])
    escaped: set[Variable] = field(default_factory=set[Variable])
    changed_by: dict[int, frozenset[Variable]] = field(
        default_factory=dict[int, "frozenset[Variable]"]
    )
    followed: dict[Span, RegionFacts | None] = field(
        default_factory=dict[Span, "RegionFacts | None"]
    )
    """By definition: several functions of C++ have the same name."""
    used_by_callees: set[Variable] = field(default_factory=set[Variable])
    has_calls: bool = False
    assignments: Mapping[Variable, list[Span]] = field(default_factory=dict[Variable, list[Span]])
    _parameter_names: set[str] | None = None
    calls_unknown: bool = False

    def is_steady_member(self, root: Variable, member: str) -> bool:
        """Does an integer member of a struct keep its value throughout the region?"""
        others = {each for each, name in self.written_members if name == member}
        is_met = isinstance(root.type, PointerType) and any(_leads_anywhere(e) for e in others)
        return self._keeps_its_parts(root) and root not in others and not is_met

    def has_steady_elements(self, root: Variable) -> bool:
        """Does an array of integers keep its values throughout the region?"""
        return self._keeps_its_parts(root) and root not in self.written_roots

    def _keeps_its_parts(self, root: Variable) -> bool:
        """Is a variable neither set as a whole, nor given to what may write anything in it?"""
        if root in self.assigned or root in self.handed_over or root in self.declared:
            return False
        if root.is_pinned:
            return False
        return not ((root.is_global or root in self.escaped) and self.calls_unknown)

    def is_parameter(self, variable: Variable) -> bool:
        """Does this integer keep the value that it had before the region?"""
        if not isinstance(variable.type, IntType) or variable in self.declared:
            return False
        if variable in self.assigned or variable in self.addressed or variable.is_pinned:
            return False
        is_shared = variable.is_global or variable.is_static
        if is_shared and self.calls_unknown and not variable.is_const:
            return False
        if variable in self.escaped and self.has_calls:
            return False
        return variable not in self.loop_variables

    def parameter_names(self) -> set[str]:
        """The names of all variables in the region that are parameters."""
        if self._parameter_names is None:
            self._parameter_names = {each.name for each in self.used if self.is_parameter(each)}
        return self._parameter_names

    def is_private_iterator(self, variable: Variable) -> bool:
        """Is every use inside a loop that sets it first?  Then it carries no data."""
        return variable in self.loop_variables and variable not in self.stray_iterators


def _leads_anywhere(variable: Variable) -> bool:
    """Is it a pointer of the whole program, which may be to what another one leads to?"""
    return variable.is_global and isinstance(variable.type, PointerType)


def facts_of(
    statements: Iterable[Stmt], used_later: set[Variable], escaped: set[Variable]
) -> RegionFacts:
    """Gather the facts about a region.

    ``used_later`` are the variables that live on after it, ``escaped`` those that others can
    reach.
    """
    facts = RegionFacts(escaped=escaped)
    region = tuple(statements)
    for statement in region:
        facts.asked |= {one for each in _deciding(statement) for one in asked_by(each)}
        facts.used |= {each.variable for each in expressions_in(statement) if isinstance(each, Use)}
        _gather(statement, facts)
        _note_changes(statement, facts)
    for variable in facts.loop_variables:
        is_shared = variable.is_global or variable.is_static or variable in escaped
        if is_shared or variable in used_later:
            facts.stray_iterators.setdefault(variable, variable.span)
    for statement in region:
        find_strays(statement, facts, frozenset())
    for variable in facts.stray_iterators:
        facts.assigned.setdefault(variable, variable.span)
    return facts


def _deciding(statement: Stmt) -> Iterator[Expr]:
    """The expressions that decide what runs, and those that integers get when they are declared."""
    for each in walk_statements(statement):
        match each:
            case ForStmt(start=ExprStmt(expression=start)):
                yield start
            case DeclStmt(variable=Variable(type=IntType()), value=value) if value is not None:
                yield value
            case _:
                pass
        if isinstance(each, ForStmt | IfStmt | WhileStmt):
            yield from parts_of(each)[0]


def _note_changes(statement: Stmt, facts: RegionFacts) -> frozenset[Variable]:
    """What a statement assigns by name; for loops, what the body and the condition do."""
    if isinstance(statement, ForStmt):
        changed = _note_changes(statement.body, facts)
        if statement.condition is not None:
            changed |= {variable for variable, _ in assignments_in(statement.condition)}
        facts.changed_by[id(statement)] = changed
        header = [each for each in (statement.step,) if each is not None]
        inner = [statement.start] if statement.start is not None else []
    else:
        changed = frozenset[Variable]()
        header, inner = list(parts_of(statement)[0]), list(parts_of(statement)[1])
    for expression in header:
        changed |= {variable for variable, _ in assignments_in(expression)}
    for each in inner:
        changed |= _note_changes(each, facts)
    return changed


def _gather(statement: Stmt, facts: RegionFacts) -> None:
    for each in walk_statements(statement):
        if isinstance(each, DeclStmt):
            facts.declared.add(each.variable)
            if isinstance(each.variable.type, PointerType) and each.value is not None:
                _note_pointed(each.value, facts)
        header: set[int] = set()
        if isinstance(each, ForStmt):
            header = _note_loop(each, facts)
        for expression in parts_of(each)[0]:
            if id(expression) not in header:
                _gather_expression(expression, facts)


def _note_pointed(value: Expr, facts: RegionFacts) -> None:
    """What a pointer of the region may be used to write: not the struct that it comes from."""
    match without_casts(value):
        case MemberOf(name=name, type=PointerType()) as member:
            facts.written_members |= {(root, name) for root in roots(member)}
        case BinaryExpr(left=left, right=right) | ConditionalExpr(then=left, otherwise=right):
            for each in (left, right):
                if isinstance(each.type, PointerType | ArrayType):
                    _note_pointed(each, facts)
        case other:
            facts.handed_over |= addressed_by([other])


def _note_loop(loop: ForStmt, facts: RegionFacts) -> set[int]:
    """Record the loop's variable; its step is no assignment like others."""
    variables = counted_variables(loop)
    facts.loop_variables.update(variables)
    if not variables or loop.step is None or steps_others(loop, variables):
        return set()
    acting = [each for each in walk_expression(loop.step) if isinstance(each, _ACTING)]
    return {id(loop.step)} if len(acting) == len(variables) else set()


_ACTING = AssignExpr | IncrementExpr | CallExpr


def assignments_in(expression: Expr) -> Iterator[tuple[Variable, Span]]:
    """The variables that an expression assigns by name, elements and members not counted."""
    for each in walk_expression(expression):
        match each:
            case AssignExpr(target=target) | IncrementExpr(target=target):
                target = without_casts(target)
                if isinstance(target, Use):
                    yield target.variable, each.span
            case _:
                pass


def _note_member_writes(expression: Expr, facts: RegionFacts) -> None:
    for each in walk_expression(expression):
        match each:
            case AssignExpr(target=target) | IncrementExpr(target=target):
                last = without_casts(target)
                for variable in roots(last):
                    if not isinstance(last, Use):
                        facts.written_roots.add(variable)
                    facts.written_members |= {(variable, name) for name in _members_on(last)}
                    if isinstance(last.type, RecordType):
                        facts.handed_over.add(variable)
            case _:
                pass


def _members_on(place: Expr) -> Iterator[str]:
    """The members that a path goes through; those in its subscripts are only read."""
    match place:
        case MemberOf(base=base, name=name):
            yield name
            yield from _members_on(base)
        case Subscript(base=base) | CastExpr(operand=base) | UnaryExpr(operand=base):
            yield from _members_on(base)
        case BinaryExpr(left=left, right=right):
            # A pointer that moves: by how far is only read, too.
            pointers = [
                each for each in (left, right) if isinstance(each.type, PointerType | ArrayType)
            ]
            for each in pointers or (left, right):
                yield from _members_on(each)
        case _:
            pass


def _gather_expression(expression: Expr, facts: RegionFacts) -> None:
    for variable, span in assignments_in(expression):
        facts.assigned.setdefault(variable, span)
    _note_member_writes(expression, facts)
    for each in walk_expression(expression):
        match each:
            case UnaryExpr(operator="&", operand=operand, span=span):
                operand = without_casts(operand)
                is_scalar = not isinstance(operand.type, ArrayType)
                if isinstance(operand, Use) and is_scalar:
                    facts.addressed.setdefault(operand.variable, span)
            case CallExpr():
                _gather_call(each, facts)
            case _:
                pass


def _gather_call(call: CallExpr, facts: RegionFacts) -> None:
    """What a called function assigns, and what it does to what it is given."""
    if call.function in ("__pencil_def", "__pencil_kill"):
        facts.handed_over |= addressed_by(call.arguments)
    if call.callee.effects == "fills":
        _note_pointed(call.arguments[0], facts)
    is_promise = call.function.startswith("__pencil_") or call.function == "__builtin_assume"
    if call.callee.effects != "unknown" or is_promise:
        return
    facts.has_calls = True
    definition = call.callee.definition()
    if definition is None:
        facts.calls_unknown = True
        facts.handed_over |= addressed_by(call.arguments)
        return
    if definition.span not in facts.followed:
        facts.followed[definition.span] = None
        inner = RegionFacts(followed=facts.followed)
        _gather(definition.body, inner)
        find_strays(definition.body, inner, frozenset())
        _note_changes(definition.body, inner)
        facts.followed[definition.span] = inner
    summary = facts.followed[definition.span]
    if summary is not None:
        _add_callee(facts, summary, definition)
    _note_what_is_given(call, definition, summary, facts)


def _note_what_is_given(
    call: CallExpr, callee: Function, summary: RegionFacts | None, facts: RegionFacts
) -> None:
    """A struct that a callee only reads keeps its members; nothing is known under recursion."""
    if summary is None or len(callee.parameters) != len(call.arguments):
        facts.handed_over |= addressed_by(call.arguments)
        return
    for parameter, argument in zip(callee.parameters, call.arguments, strict=True):
        given = addressed_by([argument])
        if parameter in summary.handed_over or parameter in summary.assigned:
            facts.handed_over |= given
        written = {member for root, member in summary.written_members if root is parameter}
        if parameter in summary.written_roots:
            facts.written_roots |= given
            written |= set(_members_on(without_casts(argument)))
        facts.written_members |= {(root, member) for root in given for member in written}


def _add_callee(facts: RegionFacts, inner: RegionFacts, callee: Function) -> None:
    """The callee's own variables join the region's; they are other variables, whatever the name."""
    facts.calls_unknown |= inner.calls_unknown
    facts.declared |= inner.declared | set(callee.parameters)
    facts.loop_variables |= {each for each in inner.loop_variables if not each.is_global}
    facts.stray_iterators.update(inner.stray_iterators)
    facts.written_members |= inner.written_members
    facts.written_roots |= inner.written_roots
    facts.handed_over |= inner.handed_over
    facts.changed_by.update(inner.changed_by)
    facts.used_by_callees |= inner.used_by_callees
    expressions = list(expressions_in(callee.body))
    only_set = {id(each.target) for each in expressions if isinstance(each, AssignExpr)}
    facts.used_by_callees |= {
        each.variable
        for each in expressions
        if isinstance(each, Use) and each.variable.is_global and id(each) not in only_set
    }
    for variable, span in inner.addressed.items():
        facts.addressed.setdefault(variable, span)
    for variable, span in {**inner.stray_iterators, **inner.assigned}.items():
        facts.assigned.setdefault(variable, span)
    for variable in inner.loop_variables:
        if variable.is_global:
            facts.assigned.setdefault(variable, variable.span)


def find_strays(statement: Stmt, facts: RegionFacts, inside: frozenset[Variable]) -> None:
    """Note the uses of loop variables outside the loops that set them.

    A variable that one loop only steps (``for (; i < n; i++)``) is used outside, too.
    """
    if isinstance(statement, ForStmt):
        if statement.start is not None:
            _note_header(statement.start, facts, inside)
        inside = inside | set(counted_variables(statement))
        for expression in (statement.condition, statement.step):
            if expression is not None:
                _note_uses(expression, facts, inside)
        find_strays(statement.body, facts, inside)
        return
    expressions, inner = parts_of(statement)
    for expression in expressions:
        _note_uses(expression, facts, inside)
    for each in inner:
        find_strays(each, facts, inside)


def _note_header(start: Stmt, facts: RegionFacts, inside: frozenset[Variable]) -> None:
    values = start_values(start)
    for expression in values.values() if values else expressions_in(start):
        _note_uses(expression, facts, inside)


def _note_uses(expression: Expr, facts: RegionFacts, inside: frozenset[Variable]) -> None:
    for each in walk_expression(expression):
        if isinstance(each, Use):
            variable = each.variable
            if variable in facts.loop_variables and variable not in inside:
                facts.stray_iterators.setdefault(variable, each.span)


def assigned_in(function: Function) -> dict[Variable, list[Span]]:
    """Every place where a variable is assigned by name, or its address is taken to be."""
    places: dict[Variable, list[Span]] = {}
    for statement in walk_statements(function.body):
        for expression in parts_of(statement)[0]:
            for variable, span in (*assignments_in(expression), *_addresses_in(expression)):
                places.setdefault(variable, []).append(span)
    return places


def _addresses_in(expression: Expr) -> Iterator[tuple[Variable, Span]]:
    for each in walk_expression(expression):
        match each:
            case UnaryExpr(operator="&", operand=Use(variable=variable)):
                yield variable, each.span
            case _:
                pass
