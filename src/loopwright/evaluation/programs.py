"""A program that can be evaluated: its functions, its global variables, and their first contents.

What is in memory before a function is called is made up: any caller may have put it there.  Where
that is not so, for constants and for variables that only this function knows, nothing is made up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from time import process_time

from loopwright.basics.c_tokens import Token
from loopwright.basics.diagnostics import InputError
from loopwright.basics.records import record
from loopwright.evaluation.attributes import outside_bodies, require_harmless
from loopwright.evaluation.compilers import require_usual
from loopwright.evaluation.directives import directives_of
from loopwright.evaluation.expressions import Expressions
from loopwright.evaluation.memory import ENDLESS, Dims, First, Pointer, Thing, Value, base_of
from loopwright.evaluation.numbers import INT, Number, conversion_of, kind_of
from loopwright.evaluation.outcomes import CannotEvaluate, OutOfSteps
from loopwright.evaluation.places import Frame, Reader, Returned, pointing
from loopwright.evaluation.statements import ON, RETURN, Runner, Statements
from loopwright.frontend.c_reader import CReader
from loopwright.frontend.c_tree import Expr, Function, Variable
from loopwright.frontend.c_types import (
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
    RecordType,
)
from loopwright.frontend.clang_library import ParsedFile, ReadOptions
from loopwright.frontend.preprocessing import Unit
from loopwright.frontend.type_reader import TypeReader

DEEPEST_CALLS = 40
LOOKS = 512
"""How many iterations pass before somebody looks at the clock."""

Contents = Callable[[str], First]
"""What the variable of a name, or what it points to, holds at first."""


@record(eq=False)
class Call:
    """How a function is called: the values of integers, first contents, and sizes in bytes.

    The sizes are those of what pointers point to, where they are known; what is as large as a guess
    says may be larger.
    """

    values: Mapping[str, int]
    contents: Contents
    sizes: Mapping[str, int]
    guesses: Mapping[str, int]
    is_turned: bool = False


@record(eq=False)
class Ended:
    """What a call leaves behind: objects by their names, and what it returns."""

    things: Mapping[str, Thing]
    result: Number | None


class Program:
    """A preprocessed program, whose functions can be evaluated."""

    def __init__(self, unit: Unit, options: ReadOptions, *, is_exact: bool = True) -> None:
        """Raises :class:`CannotEvaluate` if something in it is not understood.

        Unless it ``is_exact``, nothing may depend on how numbers are rounded.
        """
        if options.is_cpp:
            raise CannotEvaluate("C++")
        require_usual(unit.predefined, options.compiler.flags)
        self.unit = unit
        self.tokens = unit.own_tokens
        require_harmless(outside_bodies(self.tokens))
        self._parsed = ParsedFile(unit.name, unit.text, options, unit)
        self._reader = CReader(self._parsed)
        has_openmp = "_OPENMP" in unit.predefined or not unit.predefined
        self._directives = directives_of(self.tokens, has_openmp=has_openmp)
        self._expressions = Expressions(self, is_exact=is_exact)
        self._statements = Statements(self, self._expressions, self._directives)
        self._runners: dict[str, Runner] = {}
        self._things: dict[str, Thing] = {}
        self._globals: dict[Variable, Pointer] = {}
        self._returned: Returned = None
        self._call = Call({}, _nothing, {}, {})
        self._depth, self._ticks, self._end = 0, 0, 0.0
        self._root = ""

    # --- functions ----------------------------------------------------------------------------

    def function(self, name: str) -> Function:
        """The function of that name."""
        for found, _, read in self._reader.defined_functions():
            if found == name:
                return read()
        raise CannotEvaluate(f"there is no function {name}")

    def result_type(self, name: str) -> CType | None:
        """What a function returns, if it returns anything."""
        (cursor,) = (each for each in self._parsed.functions() if str(each.spelling) == name)
        found = TypeReader().of(cursor.result_type)
        return None if found.name == "void" else found

    def _runner(self, function: Function) -> Runner:
        found = self._runners.get(function.name)
        if found is None:
            body = function.body.span
            require_harmless([each for each in self.tokens if body.start <= each.start < body.end])
            found = self._statements.function(function.body, function.parameters)
            self._runners[function.name] = found
        return found

    # --- a call from outside ------------------------------------------------------------------

    def ended(self, name: str, call: Call, end: float) -> Ended:
        """What a function leaves behind, if that is known before a time on the clock.

        Raises :class:`CannotEvaluate`, or :class:`~loopwright.evaluation.outcomes.Undefined`.
        """
        self._call, self._end, self._root = call, end, name
        self._things, self._globals, self._returned = {}, {}, None
        self._depth = self._ticks = 0
        function = self.function(name)
        runner = self._runner(function)
        frame: Frame = {}
        for each in sorted(function.parameters, key=lambda each: _is_pointer(each.type)):
            frame[each] = self._from_outside(each, frame)
        runner(frame)
        return Ended(dict(self._things), self._result(self.result_type(name)))

    def _result(self, type_: CType | None) -> Number | None:
        if type_ is None or self._returned is None:
            return None
        value, old = self._returned
        if isinstance(value, Pointer):
            raise CannotEvaluate("a pointer that is returned")
        return conversion_of(value, kind_of(old), kind_of(type_))

    def _from_outside(self, variable: Variable, frame: Frame) -> Pointer:
        """What a caller hands over: numbers, and pointers to what nobody else points to."""
        name, type_ = variable.name, variable.type
        if variable.is_pinned:
            raise CannotEvaluate(f"{name}, which is volatile or atomic")
        if isinstance(type_, ArrayType):
            dims = self._expressions.places.dims(type_)(frame)
            thing = self._pointed_to(name, base_of(type_), dims)
            return Pointer(thing, 0, (None, *dims[1:]))
        thing = Thing(name, type_)
        if isinstance(type_, PointerType):
            inner = self._expressions.places.dims(type_.target)(frame)
            target = self._pointed_to(name, base_of(type_.target), (None, *inner))
            thing.cells[0] = Pointer(target, 0, inner)
        elif isinstance(type_, IntType | FloatType):
            thing.cells[0] = self._number(name, type_)
        else:
            raise CannotEvaluate(f"the argument {name}")
        return Pointer(thing, 0, ())

    def _number(self, name: str, type_: CType) -> Value:
        kind = kind_of(type_)
        if name in self._call.values:
            return conversion_of(self._call.values[name], INT, kind)
        return self._call.contents(name)(0, kind)

    def _pointed_to(self, name: str, element: CType, dims: Dims) -> Thing:
        """An object that a pointer leads to; its dimensions tell its size, or the call does."""
        if isinstance(element, PointerType):
            raise CannotEvaluate(f"{name} points to pointers")
        thing = Thing(name, element, dims, self._call.contents(name))
        if thing.limit is ENDLESS:
            known = self._call.sizes.get(name)
            guess = self._call.guesses.get(name, ENDLESS)
            thing.limit, thing.is_certain = (known, True) if known is not None else (guess, False)
        self._things[name] = thing
        return thing

    # --- global variables ---------------------------------------------------------------------

    def place_of(self, variable: Variable) -> Pointer:
        """Where a global variable is."""
        found = self._globals.get(variable)
        if found is None:
            found = self._globals[variable] = self._global(variable)
        return found

    def _global(self, variable: Variable) -> Pointer:
        name, type_ = variable.name, variable.type
        dims = self._expressions.places.dims(type_)({})
        thing = Thing(name, base_of(type_), dims, self._first(variable))
        if name in self._things:
            raise CannotEvaluate(f"two variables are called {name}")
        if not variable.is_static or self._is_known_elsewhere(name):
            self._things[name] = thing
        return Pointer(thing, 0, dims)

    def _first(self, variable: Variable) -> First:
        """What a global variable holds when the function is called."""
        name, type_ = variable.name, variable.type
        if _is_constant(type_, variable) or not self._may_hold_anything(variable):

            def refuse(_: int, __: object) -> Value:
                raise CannotEvaluate(f"nobody knows what {name} holds")

            return refuse
        if isinstance(type_, PointerType):
            return lambda _, __: self._behind_pointer(variable, type_)
        if name in self._call.values and isinstance(type_, IntType):
            return lambda _, __: self._number(name, type_)
        return self._call.contents(name)

    def _behind_pointer(self, variable: Variable, type_: PointerType) -> Value:
        name, inner = variable.name, self._expressions.places.dims(type_.target)({})
        try:
            is_told = bool(variable.points_into)
        except InputError:
            is_told = True
        if is_told:
            raise CannotEvaluate(f"nobody knows where {name} points to")
        own = self._things.pop(name, None)
        place = self._pointed_to(name, base_of(type_.target), (None, *inner))
        if own is not None:
            self._things[f"the pointer {name}"] = own
        return pointing(Pointer(place, 0, inner), type_, inner)

    def _may_hold_anything(self, variable: Variable) -> bool:
        """Others may have changed it; a static variable that nobody else mentions is what it is."""
        return not variable.is_static or self._is_known_elsewhere(variable.name)

    def _is_known_elsewhere(self, name: str) -> bool:
        """Do other functions of the program mention it?"""
        body = self.function(self._root).span
        return any(
            each.text == name and not body.start <= each.start < body.end and depth > 0
            for each, depth in self._depths
        )

    @cached_property
    def _depths(self) -> Sequence[tuple[Token, int]]:
        """Each token, and how many braces are open there."""
        found: list[tuple[Token, int]] = []
        depth = 0
        for each in self.tokens:
            depth += (each.text == "{") - (each.text == "}")
            found.append((each, depth))
        return found

    @property
    def has_free_loops(self) -> bool:
        """Are there loops whose iterations may run in another order?"""
        return any("parallel" in each.text for each in self._directives.values())

    # --- what statements ask for --------------------------------------------------------------

    @property
    def is_turned(self) -> bool:
        """Do parallel loops run backwards?"""
        return self._call.is_turned

    def tick(self) -> None:
        """An iteration; now and then, somebody looks at the clock."""
        self._ticks += 1
        if self._ticks % LOOKS == 0 and process_time() > self._end:
            raise OutOfSteps("it takes too long")

    def take(self, value: Reader | None, expression: Expr | None, frame: Frame) -> None:
        """What a function returns."""
        if value is not None and expression is not None:
            self._returned = value(frame), expression.type

    def called(self, function: Function, arguments: list[Value], types: list[CType]) -> Returned:
        """What a function of the program returns."""
        if self._depth >= DEEPEST_CALLS or len(arguments) != len(function.parameters):
            raise CannotEvaluate(f"a call of {function.name}")
        self.tick()
        runner = self._runner(function)
        frame: Frame = {}
        given = list(zip(function.parameters, arguments, types, strict=True))
        for variable, value, type_ in sorted(given, key=lambda each: _is_pointer(each[0].type)):
            frame[variable] = self._argument(variable, value, type_, frame)
        self._depth += 1
        self._returned = None
        code = runner(frame)
        self._depth -= 1
        assert code in (ON, RETURN)
        found, self._returned = self._returned, None
        return found

    def _argument(self, variable: Variable, value: Value, old: CType, frame: Frame) -> Pointer:
        type_ = variable.type
        if variable.is_pinned:
            raise CannotEvaluate(f"{variable.name}, which is volatile or atomic")
        if isinstance(value, Pointer):
            return self._pointer_argument(variable, value, frame)
        thing = Thing(variable.name, type_)
        thing.cells[0] = conversion_of(value, kind_of(old), kind_of(type_))
        return Pointer(thing, 0, ())

    def _pointer_argument(self, variable: Variable, value: Pointer, frame: Frame) -> Pointer:
        type_ = variable.type
        if isinstance(type_, ArrayType):
            inner = self._expressions.places.dims(type_)(frame)[1:]
            target = PointerType(type_.element, type_.name)
            thing, offset, _ = pointing(value, target, inner)
            return Pointer(thing, offset, (None, *inner))
        if not isinstance(type_, PointerType):
            raise CannotEvaluate(f"a pointer as {variable.name}")
        thing = Thing(variable.name, type_)
        thing.cells[0] = pointing(value, type_, self._expressions.places.dims(type_.target)(frame))
        return Pointer(thing, 0, ())


def _nothing(_: str) -> First:
    raise CannotEvaluate("nothing is called")


def _is_pointer(type_: CType) -> bool:
    return isinstance(type_, PointerType | ArrayType)


def _is_constant(type_: CType, variable: Variable) -> bool:
    """Is it what its definition says?"""
    base = type_ if isinstance(type_, PointerType) else base_of(type_)
    words = re.findall(r"\w+", type_.name if isinstance(type_, ArrayType) else base.name)
    is_const_array = isinstance(type_, ArrayType | RecordType) and "const" in words
    return variable.is_const or is_const_array
