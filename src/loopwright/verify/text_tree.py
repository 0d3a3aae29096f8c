"""The control structure of a text, read off its syntax: loops, branches, statements.

This is a second reading of what the front end has modelled already, and shares nothing with it
but the syntax tree and the types; ``text_values`` reads the expressions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace

from loopwright.basics.names import KEYWORDS, isl_name
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.c_tree import (
    AssignExpr,
    BinaryExpr,
    CallExpr,
    Compound,
    ContinueStmt,
    DeclStmt,
    EmptyStmt,
    Expr,
    ExprStmt,
    ForStmt,
    IfStmt,
    IncrementExpr,
    LabelStmt,
    Stmt,
    Subscript,
    UnaryExpr,
    Use,
    Variable,
    parts_of,
    walk_expression,
    walk_statements,
    without_casts,
)
from loopwright.frontend.c_types import CType, IntType, PointerType
from loopwright.model.scop import Scop, Statement
from loopwright.verify.failure import NotProved
from loopwright.verify.formulas import (
    TRUE,
    Formula,
    Linear,
    at_most,
    every,
    is_multiple,
    minus,
    number,
    plus,
    unknown,
)
from loopwright.verify.text_values import (
    Expressions,
    Names,
    Test,
    Value,
    fitting,
    is_number,
    root_of,
)


@record(eq=False)
class Leaf:
    """A statement of the model."""

    statement: Statement
    span: Span


@record(eq=False)
class Binding:
    """``const long name = value;``, where the name then stands for the value."""

    value: Value
    span: Span


@record(eq=False)
class Branch:
    """``if (test) then else otherwise``."""

    test: Test
    then: Block
    otherwise: Block
    span: Span


@record(eq=False)
class Loop:
    """``for (iterator = start; test; iterator += step) body``.

    ``next`` is the iterator after a step, and that it fits; the iterator has a name of its own.
    Where the test is ``iterator != end``, the iterator should be ``kept`` on this side of the end.
    """

    iterator: str
    start: Value
    test: Test
    kept: Formula
    step: int
    next: Value
    body: Block
    span: Span


Node = Leaf | Binding | Branch | Loop
Block = tuple[Node, ...]


def other_visit(iterator: str) -> str:
    """What an iterator is called at another visit of its loop."""
    return f"{iterator}_other"


def text_tree(region: Sequence[Stmt], model: Scop, careful: Collection[Span] = ()) -> Block:
    """The structure of a text whose statements the model has, all of them and in this order.

    Where a number is divided, that it is not negative is one of the conditions, unless the place is
    a ``careful`` one: there, the quotient has two cases.
    """
    parameters = {each.text.replace(" ", ""): each for each in model.parameters}
    if len(parameters) != len(model.parameters):
        raise NotProved("two parameters have the same name")
    executed = [each for each in model.statements if not each.is_kill]
    reader = _Reader(
        {(each.span.start, each.span.end): each for each in executed},
        Expressions(parameters, _unsteady(region)),
        _changed(region),
        frozenset(careful),
    )
    block = reader.block(region, Names())
    if [each.name for each in reader.met] != [each.name for each in executed]:
        raise NotProved("the statements of the text are not those of its model")
    return block


def _changed(statements: Sequence[Stmt]) -> frozenset[Variable]:
    """The variables that are assigned, or whose address is taken, outside the headers of loops."""
    found: set[Variable] = set()
    headers: set[int] = set()
    for statement in statements:
        for each in walk_statements(statement):
            expressions = parts_of(each)[0]
            if isinstance(each, ForStmt):
                headers.add(id(each.start))
                expressions = (each.condition,) if each.condition is not None else ()
                expressions += _operands(each.step)
            if id(each) in headers and isinstance(each, ExprStmt):
                expressions = _operands(each.expression)
            for expression in expressions:
                found |= _assigned(expression)
    return frozenset(found)


def _unsteady(statements: Sequence[Stmt]) -> frozenset[Variable]:
    """The variables that may not have the value that they had before the text."""
    found = set(_changed(statements))
    for statement in statements:
        for each in walk_statements(statement):
            if isinstance(each, DeclStmt):
                found.add(each.variable)
            if isinstance(each, ForStmt):
                variable, _ = _started(each.start)
                found |= {variable} if variable is not None else set()
            for expression in parts_of(each)[0]:
                found |= _written_roots(expression)
    return frozenset(found)


def _written_roots(expression: Expr) -> set[Variable]:
    """The structs of which a member is assigned."""
    found: set[Variable] = set()
    for each in walk_expression(expression):
        if isinstance(each, AssignExpr | IncrementExpr):
            root = root_of(each.target)
            found |= {root.variable} if isinstance(root, Use) else set()
    return found


def _operands(header: Expr | None) -> tuple[Expr, ...]:
    """What a part of a header computes, without the assignment that it is."""
    match header:
        case None | IncrementExpr(target=Use()):
            return ()
        case AssignExpr(target=Use(), value=value):
            return (value,)
        case _:
            return (header,)


def _assigned(expression: Expr) -> set[Variable]:
    found: set[Variable] = set()
    for each in walk_expression(expression):
        match each:
            case (
                AssignExpr(target=target)
                | IncrementExpr(target=target)
                | UnaryExpr(operator="&", operand=target)
            ):
                inner = without_casts(target)
                found |= {inner.variable} if isinstance(inner, Use) else set()
            case _:
                pass
    return found


@record(eq=False)
class _Reader:
    """Reads statements; ``met`` are those of the model, as they come."""

    model: Mapping[tuple[int, int], Statement]
    expressions: Expressions
    changed: frozenset[Variable]
    careful: frozenset[Span]
    met: list[Statement] = field(default_factory=list[Statement])

    def block(self, statements: Sequence[Stmt], names: Names, *, is_body: bool = False) -> Block:
        """Statements one after the other."""
        found: list[Node] = []
        at = 0
        while at < len(statements):
            each = statements[at]
            names = replace(names, is_careful=each.span in self.careful)
            leaf, count = self._leaf(statements[at:])
            if leaf is not None:
                found.append(leaf)
            elif isinstance(each, DeclStmt):
                binding = self._binding(each, names)
                if binding is not None:
                    names = names.knowing(each.variable, binding.value.term)
                    found.append(binding)
            elif isinstance(each, IfStmt) and is_body and _continues(each):
                test = self.expressions.test(each.condition, names)
                rest = self.block(statements[at + 1 :], names, is_body=True)
                return (*found, Branch(test, (), rest, each.span))
            else:
                found += self._nodes(each, names)
            at += count
        return tuple(found)

    def _leaf(self, statements: Sequence[Stmt]) -> tuple[Leaf | None, int]:
        """The statement of the model that stands first, and how many of the text it takes."""
        first = statements[0].span
        for count, each in enumerate(statements, 1):
            known = self.model.get((first.start, each.span.end))
            if known is not None and not isinstance(statements[0], Compound):
                self.met.append(known)
                return Leaf(known, first.joined_with(each.span)), count
        return None, 1

    def _nodes(self, statement: Stmt, names: Names) -> Block:
        match statement:
            case Compound(statements=statements):
                return self.block(statements, names)
            case LabelStmt(statement=inner):
                return self.block((inner,), names)
            case EmptyStmt():
                return ()
            case IfStmt(condition=condition, then=then, otherwise=otherwise):
                test = self.expressions.test(condition, names)
                first = self.block((then,), names)
                second = self.block((otherwise,), names) if otherwise is not None else ()
                return (Branch(test, first, second, statement.span),)
            case ForStmt():
                return (self._loop(statement, names),)
            case _:
                raise NotProved("the model does not have this statement", span=statement.span)

    def _binding(self, declaration: DeclStmt, names: Names) -> Binding | None:
        """A variable that the model does not have: an integer that keeps its value, or nothing."""
        variable, value = declaration.variable, declaration.value
        if value is None or isinstance(variable.type, PointerType):
            return None  # a pointer is what it points to, for the model
        if variable in self.changed or not isinstance(variable.type, IntType):
            raise NotProved("the model does not have this statement", span=declaration.span)
        try:
            known = fitting(self.expressions.value(value, names), variable.type)
        except NotProved:
            if any(isinstance(each, _ACTIVE) for each in walk_expression(value)):
                raise
            return None  # a product of sizes, say: whoever needs its value will have to say so
        return Binding(known, declaration.span)

    def _loop(self, loop: ForStmt, names: Names) -> Loop:
        variable, start = _started(loop.start)
        if variable is None or start is None or loop.condition is None or loop.step is None:
            raise NotProved("the header of a loop is not understood", span=loop.span)
        type_ = variable.type
        if variable in self.changed or variable in names.values or not isinstance(type_, IntType):
            raise NotProved(f"{variable.name} is not the iterator of one loop", span=loop.span)
        name = self._fresh(variable.name, names)
        inner = replace(names.knowing(variable, unknown(name)), iterators=(*names.iterators, name))
        by, stepping = self._step(loop.step, variable, unknown(name), inner)
        later = fitting(Value(stepping, plus(unknown(name), number(by))), type_)
        return Loop(
            name,
            fitting(self.expressions.value(start, names), type_),
            self.expressions.test(loop.condition, inner),
            self._kept(loop.condition, unknown(name), by, inner),
            by,
            later,
            self.block(_statements(loop.body), inner, is_body=True),
            loop.span,
        )

    def _kept(self, condition: Expr, iterator: Linear, step: int, names: Names) -> Formula:
        """The iterator does not pass the end that ``iterator != end`` waits for."""
        match condition:
            case BinaryExpr(operator="!=", left=left, right=right):
                one = self.expressions.value(left, names).term
                other = self.expressions.value(right, names).term
                end = other if one == iterator else one
                way = minus(end, iterator) if step > 0 else minus(iterator, end)
                if iterator not in (one, other):
                    return TRUE
                return every((at_most(number(0), way), is_multiple(way, abs(step))))
            case _:
                return TRUE

    def _fresh(self, wanted: str, names: Names) -> str:
        parameters = self.expressions.parameters.values()
        taken = {*KEYWORDS, *names.iterators, *(each.name for each in parameters)}
        wanted = isl_name(wanted)
        taken |= {other_visit(each) for each in names.iterators}
        while wanted in taken or other_visit(wanted) in taken:
            wanted += "_"
        return wanted

    def _step(
        self, step: Expr, variable: Variable, iterator: Linear, names: Names
    ) -> tuple[int, Formula]:
        """By how much the iterator moves, and what has to hold for that."""
        match step:
            case IncrementExpr(operator=operator, target=Use(target)) if target is variable:
                return (1 if operator == "++" else -1), TRUE
            case AssignExpr(operator=operator, target=Use(target), value=value):
                moved = self.expressions.value(value, names)
                term = minus(moved.term, iterator) if operator == "=" else moved.term
                by = term.constant if is_number(term) else 0
                is_plain = operator == "=" or _are_alike(value.type, variable.type)
                if target is variable and by and is_plain and operator in ("=", "+=", "-="):
                    return (-by if operator == "-=" else by), moved.fits
            case _:
                pass
        raise NotProved("the step of a loop is not understood", span=step.span)


def _are_alike(value: CType, variable: CType) -> bool:
    """Does ``variable += value`` compute in a type that keeps both?"""
    is_signed = isinstance(value, IntType) and value.is_signed
    return is_signed if isinstance(variable, IntType) and variable.is_signed else True


_ACTIVE = AssignExpr | IncrementExpr | CallExpr | Subscript
"""What does something, or reads what may change."""


def _started(statement: Stmt | None) -> tuple[Variable | None, Expr | None]:
    match statement:
        case DeclStmt(variable=variable, value=value):
            return variable, value
        case ExprStmt(expression=AssignExpr(operator="=", target=Use(variable), value=value)):
            return variable, value
        case _:
            return None, None


def _statements(body: Stmt) -> tuple[Stmt, ...]:
    return body.statements if isinstance(body, Compound) else (body,)


def _continues(statement: IfStmt) -> bool:
    """``if (…) continue;``."""
    inner = _statements(statement.then)
    is_alone = len(inner) == 1 and statement.otherwise is None
    return is_alone and isinstance(inner[0], ContinueStmt)
