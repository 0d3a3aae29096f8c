"""Runs a script: one step after the other, each a change of the timetable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.basics.spans import Span, whole_file
from loopwright.script.filling import Inside, filled, inside_of
from loopwright.script.library import LIBRARY, Arguments, Operation
from loopwright.script.notation import Known, condition_of, function_of
from loopwright.script.operations import NotPossible, affine, isplit, lift, realign
from loopwright.script.syntax import (
    Argument,
    Braces,
    Definition,
    Include,
    Name,
    Number,
    Return,
    Statement,
    Step,
    Word,
    script_of,
)
from loopwright.script.timetable import Timetable
from loopwright.script.tokens import Source, Words

DEEPEST = 40
"""Operations within operations, and scripts within scripts."""
MOST_STEPS = 5_000
"""Those within operations count, too."""
PRIMITIVES = {
    "realign": "realign(l1, l2, n)",
    "lift": "l = lift(l1, n)",
    "affine": "affine(l, {[i,j] -> [..]})",
    "isplit": "(l1, l2) = isplit(l, {[i,j] : ..}, n)",
    "auto": "auto(l, n)",
}


@record
class Mark:
    """A property of a loop: of number ``level`` around a component."""

    what: str
    component: str
    level: int
    span: Span


@record(eq=False)
class Done:
    """A step of the script as it was written, and the timetable after it.

    ``text`` is the composition of the four operations that it is.
    """

    step: Step
    text: str
    table: Timetable

    @property
    def title(self) -> str:
        """The operation, and where it stands."""
        return f"{self.step.operation.text} on line {self.step.span.line}"

    @property
    def told(self) -> str:
        """The operation with what it comes down to."""
        return f"{self.title}: {self.text}" if self.text else self.title


@record(eq=False)
class Run:
    """What became of a script."""

    table: Timetable
    marks: tuple[Mark, ...]
    steps: tuple[Done, ...]


@record
class _Function:
    """Words in braces, and what the numbers in them were where they were written."""

    braces: Braces
    numbers: Mapping[str, int]


Value = str | int | _Function | Word
"""A component goes by its key in the timetable."""
Reader = Callable[[str, Span], Source]
"""How to get another script."""


Finder = Callable[[Inside], isl.Schedule]
"""Who finds an order for what is inside of some loops."""


def run(
    source: Source, start: Timetable, parameters: frozenset[str], read: Reader, find: Finder
) -> Run:
    """The timetable that a script makes of another one."""
    interpreter = _Interpreter(start, parameters, read, find)
    interpreter.run(script_of(source), depth=0)
    return Run(interpreter.table, tuple(interpreter.marks), tuple(interpreter.done))


@record(eq=False)
class _Scope:
    """What names mean: components and numbers; ``depth`` is how far it is nested."""

    names: dict[str, Value]
    depth: int


class _Interpreter:
    def __init__(
        self, table: Timetable, parameters: frozenset[str], read: Reader, find: Finder
    ) -> None:
        self.table = table
        self.parameters = parameters
        self.read = read
        self.find = find
        self.marks: list[Mark] = []
        self.done: list[Done] = []
        self.definitions: dict[str, Definition] = {}
        self.scope = _Scope({each: each for each in table.components}, 0)
        self.applied: list[str] = []
        self.steps = 0
        self.place = whole_file("")
        """The step that somebody wrote, which is being done."""

    def run(self, statements: Sequence[Statement], depth: int) -> None:
        """All of a script."""
        for each in statements:
            match each:
                case Definition():
                    self._define(each)
                case Include():
                    self._include(each, depth)
                case Step():
                    self.applied = []
                    self._step(each, self.scope)
                    self.done.append(Done(each, "\n".join(self.applied), self.table))

    def _define(self, definition: Definition) -> None:
        name = definition.name
        if name.text in PRIMITIVES or name.text in LIBRARY:
            raise _wrong(name.span, f"{name.text} is an operation already", "call it otherwise")
        self.definitions[name.text] = definition

    def _include(self, include: Include, depth: int) -> None:
        if depth >= DEEPEST:
            raise _wrong(include.span, "scripts include each other", "include each of them once")
        self.run(script_of(self.read(include.path, include.span)), depth + 1)

    # --- steps -----------------------------------------------------------------------------------

    def _step(self, step: Step, scope: _Scope) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise _wrong(step.span, "the script has too many steps")
        is_written = step.span.file != LIBRARY_FILE
        self.place = step.span if is_written else self.place
        values = [self._value(each, scope) for each in step.arguments]
        try:
            results = self._results(step, values, scope)
        except NotPossible as problem:
            if not is_written:
                raise
            raise InputError(Diagnostic("LW814", problem.reason, step.span, problem.hint)) from None
        if len(results) != len(step.results):
            count = {0: "no result", 1: "one result"}.get(len(results), f"{len(results)} results")
            hint = f"write it as {self._usage(step.operation.text)}" if results else ""
            raise _wrong(step.span, f"{step.operation.text} has {count}", hint)
        for name, value in zip(step.results, results, strict=True):
            scope.names[name.text] = value

    def _results(self, step: Step, values: Sequence[Value], scope: _Scope) -> list[Value]:
        name = step.operation.text
        if name in PRIMITIVES:
            return self._primitive(step, values)
        if name == "mark" and step.span.file == LIBRARY_FILE:
            return self._mark(step, values)
        if name in LIBRARY:
            return self._from_library(step, LIBRARY[name], values, scope)
        if name in self.definitions:
            return self._call(step, self.definitions[name], values, scope)
        known = [*PRIMITIVES, *LIBRARY, *self.definitions]
        close = get_close_matches(name, known, 1)
        hint = f"did you mean {close[0]}?" if close else f"operations: {', '.join(known)}"
        raise _wrong(step.operation.span, f"there is no operation {name}", hint)

    def _call(
        self, step: Step, definition: Definition, values: Sequence[Value], scope: _Scope
    ) -> list[Value]:
        if scope.depth >= DEEPEST:
            raise _wrong(step.span, f"{definition.name.text} goes on forever")
        if len(values) != len(definition.parameters):
            usage = _usage_of(definition)
            raise _wrong(step.span, f"{len(values)} arguments do not fit {usage}")
        names = [each.text for each in definition.parameters]
        inside = _Scope(dict(zip(names, values, strict=True)), scope.depth + 1)
        return self._body(definition.body, inside)

    def _body(self, body: Sequence[Step | Return], scope: _Scope) -> list[Value]:
        for each in body:
            if isinstance(each, Return):
                return [self._value(name, scope) for name in each.names]
            self._step(each, scope)
        return []

    def _from_library(
        self, step: Step, operation: Operation, values: Sequence[Value], scope: _Scope
    ) -> list[Value]:
        components = [each for each in values[: operation.components] if isinstance(each, str)]
        numbers = [each for each in values[operation.components :] if isinstance(each, int)]
        least, most = operation.numbers
        is_fitting = (
            len(components) == operation.components
            and len(components) + len(numbers) == len(values)
            and least <= len(numbers)
            and (most is None or len(numbers) <= most)
        )
        if not is_fitting:
            raise _wrong(step.span, "these arguments do not fit", f"write {operation.usage}")
        names = tuple(f"l{at + 1}" for at in range(len(components)))
        depths = tuple(self.table.loops_around(self.table.components[each]) for each in components)
        text = operation.script(Arguments(names, depths, tuple(numbers)))
        inside = _Scope(dict(zip(names, components, strict=True)), scope.depth + 1)
        if scope.depth >= DEEPEST:
            raise _wrong(step.span, "operations are nested too deeply")
        lines = f"def expanded({', '.join(names)}):\n" + "".join(
            f"  {line}\n" for line in text.splitlines()
        )
        (definition,) = script_of(Source(LIBRARY_FILE, lines))
        assert isinstance(definition, Definition)
        return self._body(definition.body, inside)

    # --- the four --------------------------------------------------------------------------------

    def _primitive(self, step: Step, values: Sequence[Value]) -> list[Value]:
        table, components = self.table, self.table.components
        match (step.operation.text, *values):
            case ("auto", str(component), *numbers) if not numbers or _is_one(numbers):
                level = sum(each for each in numbers if isinstance(each, int))
                self._fill(component, level)
                return []
            case ("realign", str(first), str(second), int(shared)):
                self.table = realign(table, components[first], components[second], shared)
                self.applied.append(f"realign({first}, {second}, {shared})")
                return []
            case ("lift", str(component), int(level)):
                (name,) = self._new_names(step, 1)
                around = lift(table, components[component], level)
                self.table = table.with_component(name, around)
                self.applied.append(f"{name} = lift({component}, {level})")
                return [name]
            case ("affine", str(component), _Function() as function):
                given = function_of(Words(function.braces.tokens), self._known(function))
                self.table = affine(table, components[component], given)
                self.applied.append(f"affine({component}, {_text(function.braces)})")
                return []
            case ("isplit", str(component), _Function() as function, int(level)):
                condition = condition_of(Words(function.braces.tokens), self._known(function))
                split, *parts = isplit(table, components[component], condition, level)
                names = self._new_names(step, 2)
                self.table = replace(
                    split, components={**split.components, **dict(zip(names, parts, strict=True))}
                )
                shown = f"({', '.join(names)}) = isplit({component}, {_text(function.braces)}"
                self.applied.append(f"{shown}, {level})")
                return list(names)
            case _:
                usage = PRIMITIVES[step.operation.text]
                raise _wrong(step.span, "these arguments do not fit", f"write {usage}")

    def _fill(self, component: str, level: int) -> None:
        """Let the scheduler order what is inside of so many loops around a component."""
        inside = inside_of(self.table, self.table.components[component], level)
        self.table = filled(self.table, inside, self.find(inside))
        self.applied.append(f"auto({component}, {level})")

    def _mark(self, step: Step, values: Sequence[Value]) -> list[Value]:
        match values:
            case [str(component), int(level), Word(text=what)]:
                name = f"mark {len(self.marks)}"
                positions = self.table.components[component]
                self.table = self.table.with_component(name, positions)
                self.marks.append(Mark(what, name, level, self.place))
                return []
            case _:
                raise AssertionError(values)

    def _new_names(self, step: Step, count: int) -> list[str]:
        """Keys for new components: the names that they get, or such as nobody has."""
        found: list[str] = []
        for at in range(count):
            name = step.results[at].text if at < len(step.results) else "unnamed"
            while name in self.table.components or name in found:
                name += "'"
            found.append(name)
        return found

    def _usage(self, operation: str) -> str:
        if operation in self.definitions:
            return _usage_of(self.definitions[operation])
        return PRIMITIVES.get(operation) or LIBRARY[operation].usage

    # --- values ----------------------------------------------------------------------------------

    def _known(self, function: _Function) -> Known:
        return Known(self.parameters, function.numbers)

    def _value(self, argument: Argument, scope: _Scope) -> Value:
        match argument:
            case Name(text=name, span=span):
                if name in scope.names:
                    return scope.names[name]
                raise _unknown(name, span, scope)
            case Number(value=value):
                return value
            case Braces():
                numbers = {
                    name: value for name, value in scope.names.items() if isinstance(value, int)
                }
                return _Function(argument, numbers)
            case Word():
                return argument


LIBRARY_FILE = "<library>"


def _is_one(values: Sequence[Value]) -> bool:
    return len(values) == 1 and isinstance(values[0], int)


def _unknown(name: str, span: Span, scope: _Scope) -> InputError:
    known = [each for each, value in scope.names.items() if isinstance(value, str)]
    close = get_close_matches(name, known, 1)
    shown = ", ".join(known) if known else "none; put a label in front of a statement"
    hint = f"did you mean {close[0]}?" if close else f"components: {shown}"
    return InputError(Diagnostic("LW812", f"there is no component {name}", span, hint))


def _wrong(span: Span, what: str, hint: str = "") -> InputError:
    return InputError(Diagnostic("LW813", what, span, hint))


def _usage_of(definition: Definition) -> str:
    """How to write an operation of the script's own: ``(P, Q) = parts(l, n)``."""
    parameters = ", ".join(each.text for each in definition.parameters)
    call, last = f"{definition.name.text}({parameters})", definition.body[-1]
    if not isinstance(last, Return):
        return call
    names = ", ".join(each.text for each in last.names)
    return f"({names}) = {call}" if len(last.names) > 1 else f"{names} = {call}"


def _text(braces: Braces) -> str:
    """The words as a person would write them.

    >>> from loopwright.script.tokens import Source
    >>> (step,) = script_of(Source("s", "affine(L, { [i] -> [i1]:  i1=i/2 and i>0 })"))
    >>> print(_text(step.arguments[1]))
    {[i] -> [i1] : i1=i/2 and i>0}
    """
    text = ""
    for each in braces.tokens:
        is_apart = each.text in ("and", "or", "not", "->", ":")
        text += f" {each.text} " if is_apart else each.text
    return text.replace("  ", " ")
