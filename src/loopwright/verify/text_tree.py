"""The control structure of a text, read off its syntax: loops, branches, statements.

This is a second reading of what the front end has modelled already, and shares nothing with it
but the syntax tree and the types: C's integer expressions become terms here, and what they rely on
(that a value fits its type) becomes something to be shown.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import TypeGuard

from loopwright.basics.names import KEYWORDS
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.c_tree import (
    AssignExpr,
    BinaryExpr,
    CallExpr,
    CastExpr,
    Compound,
    ConditionalExpr,
    ContinueStmt,
    DeclStmt,
    EmptyStmt,
    Expr,
    ExprStmt,
    ForStmt,
    IfStmt,
    IncrementExpr,
    IntLiteral,
    LabelStmt,
    MemberOf,
    ReturnStmt,
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
from loopwright.model.scop import Parameter, Scop, Statement
from loopwright.verify.failure import NotProved
from loopwright.verify.formulas import (
    TRUE,
    Formula,
    Linear,
    Term,
    at_most,
    choose,
    equal,
    every,
    floor,
    is_multiple,
    less,
    minus,
    negated,
    number,
    plus,
    some,
    times,
    unknown,
)

MOST_INLINED = 8


@record
class Evaluated:
    """A value or a condition, and what must hold for it to be that: no type is left."""

    fits: Formula


@record
class Value(Evaluated):
    """An integer expression."""

    term: Term


@record
class Test(Evaluated):
    """A condition."""

    holds: Formula


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
    executed = [each for each in model.statements if not each.is_kill]
    reader = _Reader(
        {(each.span.start, each.span.end): each for each in executed},
        {each.text.replace(" ", ""): each for each in model.parameters},
        _changed(region),
        _unsteady(region),
        frozenset(careful),
    )
    if len(reader.parameters) != len(model.parameters):
        raise NotProved("two parameters have the same name")
    block = reader.block(region, _Names())
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
            root = without_casts(each.target)
            while isinstance(root, MemberOf):
                root = without_casts(root.base)
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
class _Names:
    """What is known where an expression stands: the values of variables, and the iterators."""

    values: Mapping[Variable, Term] = field(default_factory=dict[Variable, Term])
    iterators: tuple[str, ...] = ()
    is_careful: bool = False

    def knowing(self, variable: Variable, value: Term) -> _Names:
        return replace(self, values={**self.values, variable: value})


@record(eq=False)
class _Reader:
    """Reads statements and expressions; ``met`` are the statements of the model, as they come."""

    model: Mapping[tuple[int, int], Statement]
    parameters: Mapping[str, Parameter]
    changed: frozenset[Variable]
    unsteady: frozenset[Variable]
    """Variables that are no parameters: declared here, counted, or changed."""
    careful: frozenset[Span]
    met: list[Statement] = field(default_factory=list[Statement])

    # --- statements -----------------------------------------------------------------------------

    def block(self, statements: Sequence[Stmt], names: _Names, *, is_body: bool = False) -> Block:
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
                test = self.test(each.condition, names)
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

    def _nodes(self, statement: Stmt, names: _Names) -> Block:
        match statement:
            case Compound(statements=statements):
                return self.block(statements, names)
            case LabelStmt(statement=inner):
                return self.block((inner,), names)
            case EmptyStmt():
                return ()
            case IfStmt(condition=condition, then=then, otherwise=otherwise):
                test = self.test(condition, names)
                first = self.block((then,), names)
                second = self.block((otherwise,), names) if otherwise is not None else ()
                return (Branch(test, first, second, statement.span),)
            case ForStmt():
                return (self._loop(statement, names),)
            case _:
                raise NotProved("the model does not have this statement", span=statement.span)

    def _binding(self, declaration: DeclStmt, names: _Names) -> Binding | None:
        """A variable that the model does not have: an integer that keeps its value, or nothing."""
        variable, value = declaration.variable, declaration.value
        if value is None or isinstance(variable.type, PointerType):
            return None  # a pointer is what it points to, for the model
        if variable in self.changed or not isinstance(variable.type, IntType):
            raise NotProved("the model does not have this statement", span=declaration.span)
        try:
            known = self._fitting(self.value(value, names), variable.type)
        except NotProved:
            if any(isinstance(each, _ACTIVE) for each in walk_expression(value)):
                raise
            return None  # a product of sizes, say: whoever needs its value will have to say so
        return Binding(known, declaration.span)

    def _loop(self, loop: ForStmt, names: _Names) -> Loop:
        variable, start = _started(loop.start)
        if variable is None or start is None or loop.condition is None or loop.step is None:
            raise NotProved("the header of a loop is not understood", span=loop.span)
        type_ = variable.type
        if variable in self.changed or variable in names.values or not isinstance(type_, IntType):
            raise NotProved(f"{variable.name} is not the iterator of one loop", span=loop.span)
        name = self._fresh(variable.name, names)
        inner = replace(names.knowing(variable, unknown(name)), iterators=(*names.iterators, name))
        by, stepping = self._step(loop.step, variable, unknown(name), inner)
        later = self._fitting(Value(stepping, plus(unknown(name), number(by))), type_)
        return Loop(
            name,
            self._fitting(self.value(start, names), type_),
            self.test(loop.condition, inner),
            self._kept(loop.condition, unknown(name), by, inner),
            by,
            later,
            self.block(_statements(loop.body), inner, is_body=True),
            loop.span,
        )

    def _kept(self, condition: Expr, iterator: Linear, step: int, names: _Names) -> Formula:
        """The iterator does not pass the end that ``iterator != end`` waits for."""
        match condition:
            case BinaryExpr(operator="!=", left=left, right=right):
                one, other = self.value(left, names).term, self.value(right, names).term
                end = other if one == iterator else one
                way = minus(end, iterator) if step > 0 else minus(iterator, end)
                if iterator not in (one, other):
                    return TRUE
                return every((at_most(number(0), way), is_multiple(way, abs(step))))
            case _:
                return TRUE

    def _fresh(self, wanted: str, names: _Names) -> str:
        taken = {*KEYWORDS, *names.iterators, *(each.name for each in self.parameters.values())}
        taken |= {other_visit(each) for each in names.iterators}
        while wanted in taken or other_visit(wanted) in taken:
            wanted += "_"
        return wanted

    def _step(
        self, step: Expr, variable: Variable, iterator: Linear, names: _Names
    ) -> tuple[int, Formula]:
        """By how much the iterator moves, and what has to hold for that."""
        match step:
            case IncrementExpr(operator=operator, target=Use(target)) if target is variable:
                return (1 if operator == "++" else -1), TRUE
            case AssignExpr(operator=operator, target=Use(target), value=value):
                moved = self.value(value, names)
                term = minus(moved.term, iterator) if operator == "=" else moved.term
                by = term.constant if _is_number(term) else 0
                is_plain = operator == "=" or _are_alike(value.type, variable.type)
                if target is variable and by and is_plain and operator in ("=", "+=", "-="):
                    return (-by if operator == "-=" else by), moved.fits
            case _:
                pass
        raise NotProved("the step of a loop is not understood", span=step.span)

    # --- expressions ----------------------------------------------------------------------------

    def test(self, expression: Expr, names: _Names, inlined: int = 0) -> Test:
        """A condition."""
        match expression:
            case BinaryExpr(operator="&&" | "||" as operator, left=left, right=right):
                first = self.test(left, names, inlined)
                second = self.test(right, names, inlined)
                if operator == "&&":
                    asked = some((negated(first.holds), second.fits))
                    return Test(every((first.fits, asked)), every((first.holds, second.holds)))
                asked = some((first.holds, second.fits))
                return Test(every((first.fits, asked)), some((first.holds, second.holds)))
            case UnaryExpr(operator="!", operand=operand):
                inner = self.test(operand, names, inlined)
                return Test(inner.fits, negated(inner.holds))
            case BinaryExpr(operator=operator, left=left, right=right) if operator in _COMPARED:
                one, other = self.value(left, names, inlined), self.value(right, names, inlined)
                return Test(
                    every((one.fits, other.fits)), _compared(operator, one.term, other.term)
                )
            case CastExpr(operand=operand, type=IntType(is_bool=True)):
                return self.test(operand, names, inlined)
            case _:
                value = self.value(expression, names, inlined)
                return Test(value.fits, negated(equal(value.term, number(0))))

    def value(self, expression: Expr, names: _Names, inlined: int = 0) -> Value:
        """An integer."""
        if not isinstance(expression.type, IntType):
            raise NotProved("an expression of the text is no integer", span=expression.span)
        match expression:
            case IntLiteral(value=value):
                return Value(TRUE, number(value))
            case Use() | MemberOf():
                return Value(TRUE, self._variable(expression, names))
            case CastExpr(operand=operand):
                return self._fitting(self.value(operand, names, inlined), expression.type)
            case ConditionalExpr(condition=condition, then=then, otherwise=otherwise):
                test = self.test(condition, names, inlined)
                first = self.value(then, names, inlined)
                second = self.value(otherwise, names, inlined)
                parts = some((negated(test.holds), first.fits)), some((test.holds, second.fits))
                chosen = choose(test.holds, first.term, second.term)
                return Value(every((test.fits, *parts)), chosen)
            case CallExpr():
                return self._call(expression, names, inlined)
            case UnaryExpr() | BinaryExpr():
                return self._operation(expression, names, inlined)
            case _:
                raise NotProved("an expression of the text is not understood", span=expression.span)

    def _variable(self, expression: Use | MemberOf, names: _Names) -> Term:
        if isinstance(expression, Use) and expression.variable in names.values:
            return names.values[expression.variable]
        root = without_casts(expression)
        while isinstance(root, MemberOf):
            root = without_casts(root.base)
        parameter = self.parameters.get(_spelled(expression))
        is_steady = isinstance(root, Use) and root.variable not in self.unsteady
        if parameter is None or not is_steady:
            raise NotProved("the text uses a value that is not known", span=expression.span)
        return unknown(parameter.name)

    def _operation(self, expression: UnaryExpr | BinaryExpr, names: _Names, inlined: int) -> Value:
        operator = expression.operator
        if operator in ("!", "&&", "||", *_COMPARED):
            test = self.test(expression, names, inlined)
            return Value(test.fits, choose(test.holds, number(1), number(0)))
        assert isinstance(expression.type, IntType)
        if isinstance(expression, UnaryExpr):
            operand = self.value(expression.operand, names, inlined)
            if operator not in ("-", "+"):
                raise NotProved(f"{operator} in the text is not understood", span=expression.span)
            sign = -1 if operator == "-" else 1
            return self._fitting(Value(operand.fits, times(sign, operand.term)), expression.type)
        one = self.value(expression.left, names, inlined)
        other = self.value(expression.right, names, inlined)
        fits = every((one.fits, other.fits))
        if operator in ("/", "%"):
            value = _divided(operator, one.term, other.term, names.is_careful)
        else:
            term = _computed(operator, one.term, other.term)
            value = Value(TRUE, term) if term is not None else None
        if value is None:
            raise NotProved(f"{operator} in the text is not understood", span=expression.span)
        return self._fitting(Value(every((fits, value.fits)), value.term), expression.type)

    def _call(self, call: CallExpr, names: _Names, inlined: int) -> Value:
        """A function of the file that only returns a value."""
        definition = call.callee.definition()
        statements = definition.body.statements if definition is not None else ()
        body = statements[0] if len(statements) == 1 else None
        if (
            definition is None
            or not isinstance(body, ReturnStmt)
            or body.value is None
            or inlined >= MOST_INLINED
            or len(definition.parameters) != len(call.arguments)
        ):
            raise NotProved(f"{call.function} in the text is not understood", span=call.span)
        given = [self.value(each, names, inlined) for each in call.arguments]
        values = zip(definition.parameters, (each.term for each in given), strict=True)
        inside = _Names(dict(values), is_careful=names.is_careful)
        found = self.value(body.value, inside, inlined + 1)
        return Value(every((found.fits, *(each.fits for each in given))), found.term)

    def _fitting(self, value: Value, type_: IntType) -> Value:
        """The value in a type that must be able to hold it."""
        if type_.is_bool:
            return Value(value.fits, choose(equal(value.term, number(0)), number(0), number(1)))
        least, greatest = number(type_.least), number(type_.greatest)
        inside = at_most(least, value.term), at_most(value.term, greatest)
        return Value(every((value.fits, *inside)), value.term)


def _are_alike(value: CType, variable: CType) -> bool:
    """Does ``variable += value`` compute in a type that keeps both?"""
    is_signed = isinstance(value, IntType) and value.is_signed
    return is_signed if isinstance(variable, IntType) and variable.is_signed else True


_ACTIVE = AssignExpr | IncrementExpr | CallExpr | Subscript
"""What does something, or reads what may change."""

_COMPARED = frozenset({"<", "<=", ">", ">=", "==", "!="})


def _compared(operator: str, one: Term, other: Term) -> Formula:
    match operator:
        case "<":
            return less(one, other)
        case "<=":
            return at_most(one, other)
        case ">":
            return less(other, one)
        case ">=":
            return at_most(other, one)
        case "==":
            return equal(one, other)
        case _:
            return negated(equal(one, other))


def _computed(operator: str, one: Term, other: Term) -> Term | None:
    """What C's operator gives."""
    match operator:
        case "+":
            return plus(one, other)
        case "-":
            return minus(one, other)
        case "*":
            if isinstance(one, Linear) and not one.parts:
                one, other = other, one
            return times(other.constant, one) if _is_number(other) else None
        case _:
            return None


def _divided(operator: str, one: Term, by: Term, is_careful: bool) -> Value | None:
    """C's quotient, which is rounded towards zero, or what it leaves over."""
    if not _is_number(by) or by.constant <= 0:
        return None
    is_natural = at_most(number(0), one)
    quotient = floor(one, by.constant)
    if is_careful:
        up = times(-1, floor(times(-1, one), by.constant))
        quotient, is_natural = choose(is_natural, quotient, up), TRUE
    rest = minus(one, times(by.constant, quotient))
    return Value(is_natural, quotient if operator == "/" else rest)


def _is_number(term: Term) -> TypeGuard[Linear]:
    return isinstance(term, Linear) and not term.parts


def _spelled(expression: Expr) -> str:
    """A parameter as C writes it, without conversions."""
    match without_casts(expression):
        case Use(variable=variable):
            return variable.name
        case MemberOf(base=base, name=name, is_arrow=is_arrow):
            return f"{_spelled(base)}{'->' if is_arrow else '.'}{name}"
        case _:
            return ""


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
