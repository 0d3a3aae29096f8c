"""Statements as functions of a frame that tell how control goes on."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from loopwright.basics.c_tokens import Token
from loopwright.basics.records import record
from loopwright.evaluation.directives import Directive, directive_of
from loopwright.evaluation.expressions import Expressions
from loopwright.evaluation.headers import require_canonical
from loopwright.evaluation.memory import ENDLESS, Pointer, Thing, base_of
from loopwright.evaluation.numbers import INT, Kind, Number, conversion_of, kind_of, operation
from loopwright.evaluation.outcomes import CannotEvaluate, Undefined
from loopwright.evaluation.places import Frame, Reader, World
from loopwright.frontend.c_tree import (
    BreakStmt,
    Compound,
    ContinueStmt,
    DeclStmt,
    EmptyStmt,
    Expr,
    ExprStmt,
    ForStmt,
    IfStmt,
    IntLiteral,
    LabelStmt,
    ListExpr,
    OpaqueStmt,
    OtherLiteral,
    ReturnStmt,
    Stmt,
    Variable,
    WhileStmt,
    without_casts,
)
from loopwright.frontend.c_types import ArrayType, IntType, RecordType
from loopwright.frontend.headers import started_variable

ON, BREAK, CONTINUE, RETURN = range(4)
Runner = Callable[[Frame], int]
IDENTITIES: dict[str, Number] = {"+": 0, "-": 0, "*": 1, "&": -1, "|": 0, "^": 0}


class Surrounding(World, Protocol):
    """What a statement needs of the program around it."""

    def tick(self) -> None:
        """Time goes by."""
        ...

    def take(self, value: Reader | None, expression: Expr | None, frame: Frame) -> None:
        """What the function returns."""
        ...

    @property
    def is_turned(self) -> bool:
        """Do the iterations of parallel loops run in the opposite order?"""
        ...


@record(eq=False)
class _Loop:
    start: Runner | None
    goes_on: Callable[[Frame], bool] | None
    step: Reader | None
    body: Runner


class Statements:
    """Takes the statements of one program apart.

    ``directives`` are by the places of the statements behind them.
    """

    def __init__(
        self, world: Surrounding, expressions: Expressions, directives: Mapping[int, Token]
    ) -> None:
        self.world = world
        self.directives = directives
        self.expressions = expressions
        self._names: list[dict[str, Variable]] = [{}]
        self._seen = set[int]()

    def function(self, body: Compound, parameters: Sequence[Variable]) -> Runner:
        """The body of a function."""
        around, self._names = self._names, [{each.name: each for each in parameters}]
        try:
            found = self.runner(body)
        finally:
            self._names = around
        for place, token in self.directives.items():
            if body.span.start <= place < body.span.end and place not in self._seen:
                return _refusing(token.text)
        return found

    def runner(self, statement: Stmt) -> Runner:
        """A statement; one that is not understood stops the evaluation when it is reached."""
        try:
            token = self.directives.get(statement.span.start)
            if token is not None and not isinstance(statement, LabelStmt):
                self._seen.add(statement.span.start)
                return self._directed(statement, directive_of(token))
            return self._plain(statement)
        except CannotEvaluate as refusal:
            return _refusing(refusal.reason)

    def _plain(  # noqa: C901 - one case a kind of statement
        self, statement: Stmt
    ) -> Runner:
        match statement:
            case ExprStmt(expression=expression):
                return self._evaluated(self.expressions.full(expression))
            case DeclStmt():
                return self._declaration(statement)
            case Compound(statements=statements, is_scope=is_scope):
                return self._block(statements, is_scope=is_scope)
            case IfStmt():
                return self._if(statement)
            case ForStmt():
                return self._loop(self._parts(statement))
            case WhileStmt():
                return self._while(statement)
            case ReturnStmt(value=value):
                return self._return(value)
            case LabelStmt(statement=inner):
                return self.runner(inner)
            case BreakStmt():
                return lambda _: BREAK
            case ContinueStmt():
                return lambda _: CONTINUE
            case EmptyStmt():
                return lambda _: ON
            case OpaqueStmt(what=what):
                raise CannotEvaluate(what)

    def _evaluated(self, value: Reader) -> Runner:
        def run(frame: Frame) -> int:
            value(frame)
            return ON

        return run

    def _block(self, statements: Sequence[Stmt], *, is_scope: bool) -> Runner:
        if is_scope:
            self._names.append({})
        runners = tuple(self.runner(each) for each in statements)
        if is_scope:
            self._names.pop()

        def run(frame: Frame) -> int:
            for each in runners:
                code = each(frame)
                if code:
                    return code
            return ON

        return run

    def _if(self, statement: IfStmt) -> Runner:
        condition = self.expressions.truth(statement.condition)
        then = self.runner(statement.then)
        otherwise = self.runner(statement.otherwise) if statement.otherwise is not None else None

        def run(frame: Frame) -> int:
            if condition(frame):
                return then(frame)
            return otherwise(frame) if otherwise is not None else ON

        return run

    def _return(self, value: Expr | None) -> Runner:
        read = self.expressions.full(value) if value is not None else None

        def run(frame: Frame) -> int:
            self.world.take(read, value, frame)
            return RETURN

        return run

    # --- loops --------------------------------------------------------------------------------

    def _parts(self, loop: ForStmt) -> _Loop:
        self._names.append({})
        start = self.runner(loop.start) if loop.start is not None else None
        goes_on = self.expressions.truth(loop.condition) if loop.condition is not None else None
        step = self.expressions.full(loop.step) if loop.step is not None else None
        body = self.runner(loop.body)
        self._names.pop()
        return _Loop(start, goes_on, step, body)

    def _loop(self, loop: _Loop) -> Runner:
        start, goes_on, step, body, tick = (
            *(loop.start, loop.goes_on, loop.step, loop.body),
            self.world.tick,
        )

        def run(frame: Frame) -> int:
            if start is not None:
                start(frame)
            while goes_on is None or goes_on(frame):
                tick()
                code = body(frame)
                if code == BREAK:
                    break
                if code == RETURN:
                    return code
                if step is not None:
                    step(frame)
            return ON

        return run

    def _while(self, loop: WhileStmt) -> Runner:
        goes_on, body, tick = (
            self.expressions.truth(loop.condition),
            self.runner(loop.body),
            self.world.tick,
        )
        is_tested_last = loop.is_tested_last

        def run(frame: Frame) -> int:
            while is_tested_last or goes_on(frame):
                tick()
                code = body(frame)
                if code == BREAK:
                    break
                if code == RETURN:
                    return code
                if is_tested_last and not goes_on(frame):
                    break
            return ON

        return run

    # --- declarations -------------------------------------------------------------------------

    def _declaration(self, statement: DeclStmt) -> Runner:
        variable, type_ = statement.variable, statement.variable.type
        self._names[-1][variable.name] = variable
        if variable.is_global:
            return lambda _: ON
        if variable.is_static or variable.is_pinned:
            raise CannotEvaluate(f"{variable.name}, which is static, volatile or atomic")
        dims, element, name = self.expressions.places.dims(type_), base_of(type_), variable.name
        fill = self._initial(statement) if statement.value is not None else None

        def run(frame: Frame) -> int:
            found = dims(frame)
            thing = Thing(name, element, found)
            if thing.limit is ENDLESS:
                raise CannotEvaluate(f"{name}, whose size is not known")
            place = Pointer(thing, 0, found)
            if fill is not None:
                fill(frame, place)
            frame[variable] = place
            return ON

        return run

    def _initial(self, statement: DeclStmt) -> Callable[[Frame, Pointer], None]:
        value, type_ = statement.value, statement.variable.type
        assert value is not None
        if isinstance(type_, ArrayType):
            return self._zeros(value, type_)
        if isinstance(type_, RecordType):
            raise CannotEvaluate("the value of a struct")
        self.expressions.full(value)
        read = self.expressions.converted(value, type_)

        def fill(frame: Frame, place: Pointer) -> None:
            place.thing.cells[0] = read(frame)

        return fill

    def _zeros(self, value: Expr, type_: ArrayType) -> Callable[[Frame, Pointer], None]:
        """``{0}``; in other lists, the tree does not tell which element a value is for."""
        if not _is_zero(value):
            raise CannotEvaluate("the values of an array")
        zero: Number = 0 if isinstance(base_of(type_), IntType) else 0.0
        kind_of(base_of(type_))

        def first(_: int, __: Kind | None) -> Number:
            return zero

        def fill(_: Frame, place: Pointer) -> None:
            place.thing.first = first

        return fill

    # --- directives ---------------------------------------------------------------------------

    def _directed(self, statement: Stmt, directive: Directive) -> Runner:
        """A statement under a directive, as one thread executes it, or in another order."""
        is_block = isinstance(statement, Compound) and statement.is_scope
        if not (is_block if directive.words == ("parallel",) else isinstance(statement, ForStmt)):
            raise CannotEvaluate(f"omp {' '.join(directive.words)} in front of this")
        names = (*directive.private, *directive.copied, *(name for _, name in directive.reduced))
        if len(set(names)) < len(names):
            raise CannotEvaluate("a directive names a variable twice")
        own = _Own(
            [self._named(each) for each in directive.private],
            [self._named(each) for each in directive.copied],
            [(sign, self._named(name)) for sign, name in directive.reduced],
        )
        if not isinstance(statement, ForStmt):
            return own.around(self._plain(statement))
        return self._worksharing(statement, directive, own)

    def _worksharing(self, loop: ForStmt, directive: Directive, own: _Own) -> Runner:
        parts = self._parts(loop)
        iterator = started_variable(loop.start)
        require_canonical(loop)
        is_own = isinstance(loop.start, DeclStmt)
        if iterator is None or not (is_own or {"for", "simd"} - set(directive.words)):
            raise CannotEvaluate("a parallel loop without an iterator of its own")
        if directive.owns_iterator and iterator not in own.private:
            own.private.append(iterator)
        in_sequence = own.around(self._loop(parts))
        if not directive.is_free:
            return in_sequence
        turned = own.around(_turned(parts, iterator, own, self.world))
        return lambda frame: (turned if self.world.is_turned else in_sequence)(frame)

    def _named(self, name: str) -> Variable:
        for scope in reversed(self._names):
            if name in scope:
                found = scope[name]
                if found.is_global or found.is_static or isinstance(found.type, RecordType):
                    break
                if found.is_parameter and isinstance(found.type, ArrayType):
                    break
                return found
        raise CannotEvaluate(f"a directive names {name}")


def _turned(loop: _Loop, iterator: Variable, own: _Own, world: Surrounding) -> Runner:
    """The iterations of a loop from the last one to the first, each in a thread of its own."""

    def run(frame: Frame) -> int:
        if loop.start is None or loop.goes_on is None or loop.step is None:
            raise CannotEvaluate("a parallel loop without a full header")
        loop.start(frame)
        values: list[Number | Pointer] = []
        while loop.goes_on(frame):
            world.tick()
            values.append(frame[iterator].thing.cells[0])
            loop.step(frame)
        old, first = frame[iterator], own.places(frame)
        for value in reversed(values):
            thing = Thing(iterator.name, iterator.type)
            thing.cells[0] = value
            frame.update(first)
            own.renew(frame)
            frame[iterator] = Pointer(thing, 0, ())
            if loop.body(frame) not in (ON, CONTINUE):
                raise CannotEvaluate("a parallel loop that is left")
        frame[iterator] = old
        return ON

    return run


@record(eq=False)
class _Own:
    """The variables that a thread has for itself."""

    private: list[Variable]
    copied: list[Variable]
    reduced: list[tuple[str, Variable]]

    def around(self, inside: Runner) -> Runner:
        """A statement that one thread executes, with variables of its own."""

        def run(frame: Frame) -> int:
            names = (*self.private, *self.copied, *(each for _, each in self.reduced))
            outer = {each: frame[each] for each in names if each in frame}
            self.renew(frame)
            for sign, each in self.reduced:
                place = _fresh(frame[each])
                place.thing.cells[0] = _identity(sign, each)
                frame[each] = place
            if inside(frame) not in (ON, CONTINUE):
                raise CannotEvaluate("a parallel statement that is left")
            parts = {each: frame[each] for _, each in self.reduced}
            frame.update(outer)
            for sign, each in self.reduced:
                _combine(sign, each, outer[each].thing, parts[each].thing)
            return ON

        return run

    def places(self, frame: Frame) -> Frame:
        """Where they are now."""
        return {each: frame[each] for each in (*self.private, *self.copied) if each in frame}

    def renew(self, frame: Frame) -> None:
        """What a thread begins with."""
        for each in self.private:
            if each in frame:
                frame[each] = _fresh(frame[each])
        for each in self.copied:
            old = frame[each]
            frame[each] = _fresh(old)
            frame[each].thing.cells.update(old.thing.cells)


def _fresh(place: Pointer) -> Pointer:
    thing = Thing(place.thing.name, place.thing.element, place.thing.dims)
    return Pointer(thing, 0, place.dims)


def _identity(sign: str, variable: Variable) -> Number:
    kind = kind_of(variable.type)
    if sign in ("max", "min"):
        if kind.is_float:
            return -math.inf if sign == "max" else math.inf
        return kind.least if sign == "max" else kind.greatest
    return conversion_of(IDENTITIES[sign], INT, kind)


def _combine(sign: str, variable: Variable, whole: Thing, part: Thing) -> None:
    kind = kind_of(variable.type)
    old, new = whole.cells.get(0), part.cells[0]
    if old is None:
        raise Undefined(f"{variable.name} is read before it has a value")
    assert not isinstance(old, Pointer)
    assert not isinstance(new, Pointer)
    if sign in ("max", "min"):
        whole.cells[0] = max(old, new) if sign == "max" else min(old, new)
        return
    if kind.bits < 32:
        raise CannotEvaluate("a reduction of narrow integers")
    whole.cells[0] = operation("+" if sign == "-" else sign, kind)(old, new)


def _refusing(reason: str) -> Runner:
    def run(_: Frame) -> int:
        raise CannotEvaluate(reason)

    return run


def _is_zero(value: Expr) -> bool:
    match without_casts(value):
        case IntLiteral(value=number):
            return number == 0
        case OtherLiteral(text=text):
            return re.fullmatch(r"0+\.?0*[fF]?|\.0+[fF]?", text) is not None
        case ListExpr(values=values):
            return all(_is_zero(each) for each in values)
        case _:
            return False
