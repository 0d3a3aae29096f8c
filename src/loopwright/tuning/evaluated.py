"""A case in which two versions of a program differ, found by evaluating both: nothing is executed.

A function is called with small sizes and made-up contents, as any caller might call it.  What both
versions leave behind is compared, where the original is defined and everything in both of them is
understood; about anything else, nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from time import process_time
from zlib import crc32

import islpy as isl

from loopwright.basics.diagnostics import InputError
from loopwright.basics.records import record
from loopwright.evaluation.memory import Pointer, Thing, Value, base_of, is_like, size_of
from loopwright.evaluation.numbers import FLOAT, INT, Kind, Number, conversion_of, is_same, single
from loopwright.evaluation.outcomes import CannotEvaluate, Undefined
from loopwright.evaluation.programs import Call as Values
from loopwright.evaluation.programs import Ended, Program
from loopwright.frontend.c_tree import (
    AssignExpr,
    Function,
    IncrementExpr,
    Use,
    Variable,
    expressions_in,
    without_casts,
)
from loopwright.frontend.c_types import ArrayType, IntType, PointerType, RecordType
from loopwright.frontend.clang_library import ParsedFile, ReadOptions
from loopwright.frontend.compilers import CannotPreprocess
from loopwright.frontend.preprocessing import unit_of
from loopwright.frontend.reading import answering_deep_nesting
from loopwright.model.proofs import Counterexample
from loopwright.model.scop import Scop
from loopwright.tuning.calls import Call, Integer
from loopwright.tuning.cases import Case, cases_of
from loopwright.tuning.comparison import number_text
from loopwright.tuning.harness import POSITIVE, RESULT, SIGNED
from loopwright.tuning.sizes import parameter_names, shape_in_regions
from loopwright.tuning.subjects import Difference
from loopwright.tuning.toolchain import CannotRun
from loopwright.tuning.writers import Place, Version, subscripts_of, version_of

SECONDS = 2.0
CALL_SECONDS = 0.5
"""Of computing: what else a machine has to do makes no difference."""
LARGEST = 3000
"""Larger values of parameters that somebody suggests are not tried: that takes too long."""
CLOSE = 1e-3
"""Numbers that are closer differ in their rounding, if they are computed in another order."""


@record(eq=False)
class Sides:
    """Two versions of a program: their names and texts, how they are read, and the models of both.

    Results may differ in their rounding unless it ``is_exact``.
    """

    names: tuple[str, str]
    texts: tuple[bytes, bytes]
    options: ReadOptions
    scops: Sequence[Scop]
    new_scops: Sequence[Scop | None]
    is_exact: bool


def evaluated(
    sides: Sides, suggested: Sequence[Mapping[str, int]] = (), seconds: float = SECONDS
) -> Counterexample | None:
    """A case in which the programs differ, or ``None`` where none was found in so many seconds.

    The values of parameters that are ``suggested`` are tried first.
    """
    end = process_time() + seconds
    functions = dict.fromkeys(each.function for each in sides.scops)
    with suppress(CannotEvaluate, CannotPreprocess, InputError), answering_deep_nesting("both"):
        old, new = _programs(sides)
        for at, name in enumerate(functions):
            until = process_time() + (end - process_time()) / (len(functions) - at)
            with suppress(CannotEvaluate, CannotRun, InputError, isl.Error, RecursionError):
                found = _Search(sides, name, old, new, until).found(suggested)
                if found is not None:
                    return found
    return None


def _programs(sides: Sides) -> tuple[Program, Program]:
    """Both programs as their compiler sees them."""
    (name, new_name), (old, new) = sides.names, sides.texts
    before = unit_of(name, old, None, sides.options)
    after = unit_of(new_name, new, None, sides.options, file=before.file)
    exact = sides.is_exact
    options = sides.options
    return Program(before, options, is_exact=exact), Program(after, options, is_exact=exact)


class _Search:
    """For a case in which a function differs."""

    def __init__(self, sides: Sides, name: str, old: Program, new: Program, end: float) -> None:
        if name == "main":
            raise CannotEvaluate("main is called but once, and not by anybody")
        self.sides, self.name, self.end = sides, name, end
        self.old, self.new = old, new
        self.function = old.function(name)
        _require_same_call(self.function, new.function(name))
        pairs = zip(sides.scops, sides.new_scops, strict=True)
        self.pairs = [each for each in pairs if each[0].function == name]
        self.call = _call(self.function, [each for each, _ in self.pairs])
        _require_kept(self.function, self.call)

    def found(self, suggested: Sequence[Mapping[str, int]]) -> Counterexample | None:
        """The first case in which what the versions leave behind differs."""
        first = [each for each in suggested if all(abs(one) <= LARGEST for one in each.values())]
        for case in cases_of(self.call, self.sides.texts, first, is_exact=self.sides.is_exact):
            if process_time() > self.end:
                return None
            with suppress(CannotEvaluate):
                found = self._difference(case)
                if found is not None:
                    return self._told(case, found)
        return None

    def _told(self, case: Case, found: Difference) -> Counterexample:
        return Counterexample(
            tuple(case.values.items()),
            found.element,
            found.before,
            found.after,
            found.original,
            found.transformed,
        )

    # --- one case -----------------------------------------------------------------------------

    def _difference(self, case: Case) -> Difference | None:
        """What differs; nothing, or :class:`CannotEvaluate`, where the original is not defined."""
        sizes = self._sizes(case.values)
        contents = contents_for(case.data)
        before = self._before(Values(case.values, contents, sizes, {}))
        if before is None:
            return None
        reach = {name: _reach(each) for name, each in before.things.items()}
        for is_turned in (False, True) if self.new.has_free_loops else (False,):
            call = Values(case.values, contents, sizes, reach, is_turned)
            try:
                after = self.new.ended(self.name, call, self._until())
            except Undefined as fault:
                return self._undefined(fault)
            found = self._first_unlike(case, before, after)
            if found is not None:
                return found
        return None

    def _before(self, call: Values) -> Ended | None:
        """What the original leaves behind, if it is the same in each order that it may run in."""
        try:
            before = self.old.ended(self.name, call, self._until())
            if self.old.has_free_loops:
                turned = Values(call.values, call.contents, call.sizes, {}, is_turned=True)
                again = self.old.ended(self.name, turned, self._until())
                if next(self._unlike(before, again), None) is not None:
                    return None
        except Undefined:
            return None
        return before

    def _until(self) -> float:
        return min(self.end, process_time() + CALL_SECONDS)

    def _sizes(self, values: Mapping[str, int]) -> dict[str, int]:
        """How many bytes pointers lead to, as far as the regions tell."""
        found: dict[str, int] = {}
        for each in _pointers(self.function):
            unit = _element_size(each)
            with suppress(CannotRun):
                shape = shape_in_regions(self.call, each.name, values) if unit else None
                if shape is not None and unit:
                    found[each.name] = shape.count * unit
        return found

    # --- what differs -------------------------------------------------------------------------

    def _first_unlike(self, case: Case, before: Ended, after: Ended) -> Difference | None:
        for thing, offset, *values in self._unlike(before, after):
            where = self._place(thing, offset, case)
            if where is not None and self._versions[0].is_dead(where):
                continue
            element = _element(thing, offset) if thing is not None else RESULT
            writers = [
                each.last_writer(where) if each is not None and where is not None else ""
                for each in self._versions
            ]
            return Difference(element, *map(number_text, values), *writers)
        return None

    def _unlike(
        self, before: Ended, after: Ended
    ) -> Iterator[tuple[Thing | None, int, Number, Number]]:
        """The elements whose values differ; a thing of ``None`` is what is returned."""
        first, second = before.result, after.result
        if first is not None and second is not None and not self._is_close(first, second):
            yield None, 0, first, second
        for name, thing in before.things.items():
            other = after.things.get(name)
            if other is None:
                other = Thing(name, thing.element, thing.dims, thing.first)
            elif not is_like(thing.element, other.element) or thing.dims != other.dims:
                raise CannotEvaluate(f"{name} has another type")
            for offset in sorted({*thing.cells, *other.cells}):
                first, second = _number_at(thing, offset), _number_at(other, offset)
                if not self._is_close(first, second):
                    yield thing, offset, first, second

    def _is_close(self, first: Number, second: Number) -> bool:
        if self.sides.is_exact or (isinstance(first, int) and isinstance(second, int)):
            return is_same(first, second)
        is_near = math.isclose(first, second, rel_tol=CLOSE, abs_tol=CLOSE)
        return is_near or is_same(first, second)

    def _undefined(self, fault: Undefined) -> Difference:
        line = ""
        if fault.span is not None:
            line = f", line {self.new.unit.told(fault.span).line}"
        if fault.outside is not None:
            element = _element(fault.outside.thing, fault.outside.offset)
            return Difference(element, "not touched", f"{fault.outside.done}{line}")
        behaviour = f"the behaviour of {self.name}"
        return Difference(behaviour, "defined", f"undefined ({fault.what}{line})")

    def _place(self, thing: Thing | None, offset: int, case: Case) -> Place | None:
        if thing is None:
            variable = self._versions[0].returned()
            return Place(variable, 0, case.values) if variable is not None else None
        if isinstance(thing.element, RecordType):
            return None
        return Place(thing.name, offset // thing.unit, case.values)

    @cached_property
    def _versions(self) -> tuple[Version, Version | None]:
        sides = self.sides
        old = version_of(
            ParsedFile(sides.names[0], sides.texts[0], sides.options),
            self.name,
            [each for each, _ in self.pairs],
        )
        assert old is not None, "its regions have been read"
        try:
            parsed = ParsedFile(sides.names[1], sides.texts[1], sides.options)
            return old, version_of(parsed, self.name, [each for _, each in self.pairs])
        except InputError:
            return old, None


def _number_at(thing: Thing, offset: int) -> Number:
    value = thing.held(offset)
    if isinstance(value, Pointer):
        raise CannotEvaluate("pointers that are left behind")
    return value


def _reach(thing: Thing) -> int:
    """Where the last element ends that was touched."""
    return max(thing.cells, default=-1) + thing.unit


def _element(thing: Thing, offset: int) -> str:
    """An element as the source writes it."""
    index, inside = divmod(offset, thing.unit)
    extents = [each or 1 for each in thing.dims]
    subscripts = "".join(f"[{each}]" for each in subscripts_of(index, extents))
    if not isinstance(thing.element, RecordType):
        return f"{thing.name}{subscripts}"
    fields = [each for each in thing.element.fields if each.offset <= inside]
    member = max(fields, key=lambda each: each.offset).name if fields else ""
    return f"{thing.name}{subscripts}.{member}"


# --- calls ----------------------------------------------------------------------------------------


def _require_same_call(old: Function, new: Function) -> None:
    """Both versions take the same arguments."""
    first, second = ([(each.name, each.type.name) for each in one.parameters] for one in (old, new))
    if first != second:
        raise CannotEvaluate(f"{old.name} takes other arguments")


def _call(function: Function, scops: Sequence[Scop]) -> Call:
    """The integers that have to be chosen for a call."""
    given = [
        Integer(each.name, each.type.least, each.type.greatest)
        for each in function.parameters
        if isinstance(each.type, IntType)
    ]
    known = {each.name for each in given}
    shared = {
        each.variable.name: each.variable.type
        for each in expressions_in(function.body)
        if isinstance(each, Use) and each.variable.is_global and not each.variable.is_const
    }
    sizes = {each.text for scop in scops for each in scop.parameters} - known
    for name in sorted(sizes):
        type_ = shared.get(name)
        if isinstance(type_, IntType):
            given.append(Integer(name, type_.least, type_.greatest))
    return Call(function.name, tuple(given), (), None, tuple(scops))


def _require_kept(function: Function, call: Call) -> None:
    """What the models say of their parameters is said of the arguments, if those do not change."""
    names = parameter_names(call)
    for each in expressions_in(function.body):
        if isinstance(each, AssignExpr | IncrementExpr):
            target = without_casts(each.target)
            if isinstance(target, Use) and target.variable.name in names:
                raise CannotEvaluate(f"{target.variable.name} is not what it was")


def _pointers(function: Function) -> list[Variable]:
    """The pointers that a function takes or finds."""
    shared = dict.fromkeys(
        each.variable
        for each in expressions_in(function.body)
        if isinstance(each, Use) and each.variable.is_global
    )
    types = PointerType | ArrayType
    return [each for each in (*function.parameters, *shared) if isinstance(each.type, types)]


def _element_size(variable: Variable) -> int:
    type_ = variable.type.target if isinstance(variable.type, PointerType) else variable.type
    try:
        return size_of(base_of(type_))
    except CannotEvaluate:
        return 0


def contents_for(data: int) -> Callable[[str], Callable[[int, Kind | None], Value]]:
    """Made-up contents for a variable of a name, different for each element.

    Whole numbers first: sums of them are the same in any order, and they are easily read.
    """

    def of_variable(name: str) -> Callable[[int, Kind | None], Value]:
        def at(offset: int, kind: Kind | None) -> Value:
            if kind is None:
                raise CannotEvaluate(f"a pointer in {name}")
            return _made_up(crc32(f"{name} {offset} {data}".encode()) >> 3, data, kind)

        return at

    return of_variable


def _made_up(seed: int, data: int, kind: Kind) -> Number:
    if not kind.is_float:
        number = seed % 3 if data == POSITIVE else seed % 19 - 9 if data == SIGNED else seed % 7
        return conversion_of(abs(number) if not kind.is_signed else number, INT, kind)
    if data == SIGNED:
        value = (seed % 20001 - 10000) / 300
        return single(value) if kind is FLOAT else value
    return float(1 + seed % 97) if data == POSITIVE else float(seed % 9)
