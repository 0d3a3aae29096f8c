"""Which statement instance has written an element last, as the models of a function tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import islpy as isl

from loopwright.basics.records import record
from loopwright.frontend.c_reader import CReader
from loopwright.frontend.c_tree import (
    CallExpr,
    DeclStmt,
    Function,
    ReturnStmt,
    Use,
    parts_of,
    walk_expression,
    walk_statements,
    without_casts,
)
from loopwright.frontend.clang_library import ParsedFile
from loopwright.model.proofs import NOTHING_WRITES
from loopwright.model.scop import Array, Scop, Statement, union_set
from loopwright.polyhedra.instances import element_set
from loopwright.polyhedra.limits import OutOfOperations, limited
from loopwright.polyhedra.samples import smallest_point
from loopwright.polyhedra.unions import sets_of
from loopwright.polyhedra.values import constant
from loopwright.tuning.sizes import extents_of
from loopwright.tuning.toolchain import CannotRun

PARAM = isl.dim_type.param
MOST_OPERATIONS = 2_000_000
LONGEST_TEXT = 60


class _Unclear(Exception):
    """The models do not tell."""


@record
class Place:
    """An element: the how-manieth of which variable, for which values of the integers."""

    variable: str
    index: int
    values: Mapping[str, int]


@record(eq=False)
class Version:
    """A function with the models of its regions, in the order of the text.

    A region without a model is ``None``.
    """

    function: Function
    scops: tuple[Scop | None, ...]

    def returned(self) -> str | None:
        """The variable that the function returns, if it is one and the same everywhere."""
        found: set[str | None] = set()
        for each in walk_statements(self.function.body):
            if isinstance(each, ReturnStmt) and each.value is not None:
                value = without_casts(each.value)
                found.add(value.variable.name if isinstance(value, Use) else None)
        return found.pop() if len(found) == 1 else None

    def last_writer(self, place: Place) -> str:
        """The instance and its place in the text; nothing where the models do not tell."""
        try:
            with limited(MOST_OPERATIONS):
                return self._last_writer(place)
        except (_Unclear, CannotRun, OutOfOperations, isl.Error):
            return ""

    def _last_writer(self, place: Place) -> str:
        earlier, later = self._used_elsewhere()
        if place.variable in later:
            raise _Unclear
        for scop in reversed(self.scops):
            if scop is None:
                raise _Unclear
            found = _last_write(scop, place)
            if found is not None:
                return _instance_text(*found)
        if place.variable in earlier:
            raise _Unclear
        return NOTHING_WRITES

    def is_dead(self, place: Place) -> bool:
        """Does the source say that nobody needs the element in the end?"""
        for scop in reversed(self.scops):
            if scop is None or not any(each.is_kill for each in scop.statements):
                continue
            found = _last_certain(scop, place)
            if found is not None:
                return found.is_kill
        return False

    def _used_elsewhere(self) -> tuple[set[str], set[str]]:
        """The variables that code outside the regions may change: before the first, and behind.

        A call may change all that is global; it is written down for the arguments it has.
        """
        spans = [each.span for each in self.scops if each is not None]
        first = min((each.start for each in spans), default=0)
        shared = {
            array.variable for scop in self.scops if scop is not None for array in scop.arrays
        }
        shared -= {each.name for each in self.function.parameters}
        earlier, later = set[str](), set[str]()
        for names, at in _uses(self.function, shared):
            if not any(each.start <= at < each.end for each in spans):
                (earlier if at < first else later).update(names)
        return earlier, later


def version_of(parsed: ParsedFile, function: str, scops: Sequence[Scop | None]) -> Version | None:
    """The function of that name with the models of its regions."""
    for name, _, read in CReader(parsed).defined_functions():
        if name == function:
            return Version(read(), tuple(scops))
    return None


def _uses(function: Function, shared: set[str]) -> Iterator[tuple[set[str], int]]:
    """Names that may be changed, and where; what is returned stays what it is."""
    for statement in walk_statements(function.body):
        if isinstance(statement, DeclStmt):
            yield {statement.variable.name}, statement.span.start
        for expression in parts_of(statement)[0]:
            for each in walk_expression(expression):
                if isinstance(each, CallExpr) and each.callee.effects == "unknown":
                    yield shared, each.span.start
                elif isinstance(each, Use) and not isinstance(statement, ReturnStmt):
                    yield {each.variable.name}, each.span.start


# --- one region -----------------------------------------------------------------------------------


def subscripts_of(index: int, extents: Sequence[int]) -> tuple[int, ...]:
    """The subscripts of the how-manieth element; the first one has no bound.

    >>> subscripts_of(17, (3, 5)), subscripts_of(-1, (3, 5)), subscripts_of(0, ())
    ((3, 2), (-1, 4), ())
    """
    found: list[int] = []
    for extent in reversed(extents[1:]):
        found.insert(0, index % extent)
        index //= extent
    return (index, *found) if extents else ()


def _last_write(scop: Scop, place: Place) -> tuple[Statement, tuple[int, ...]] | None:
    where = _located(scop, place)
    if where is None:
        return None
    may = _writing(scop, where, is_certain=False)
    if may.is_empty():
        return None
    last = _latest(scop, may)
    if not last.is_subset(_writing(scop, where, is_certain=True)):
        raise _Unclear
    (only,) = sets_of(last)
    values = only.project_out(PARAM, 0, only.dim(PARAM))
    statement = scop.statement(str(only.get_tuple_name()))
    return statement, smallest_point(values, 0)


def _last_certain(scop: Scop, place: Place) -> Statement | None:
    """The last statement that certainly writes the element, or says that nobody needs it."""
    where = _located(scop, place)
    if where is None:
        return None
    events = _writing(scop, where, is_certain=True).union(_killing(scop, where))
    if events.is_empty():
        return None
    (only,) = sets_of(_latest(scop, events))
    return scop.statement(str(only.get_tuple_name()))


@record(eq=False)
class _Located:
    """An element in a model: its array, the element, and the values of the parameters."""

    array: Array
    element: isl.Set
    values: isl.Set


def _located(scop: Scop, place: Place) -> _Located | None:
    array = next((each for each in scop.arrays if each.variable == place.variable), None)
    if array is None:
        return None
    if any(each.text not in place.values for each in scop.parameters):
        raise _Unclear
    named = {each.name: place.values[each.text] for each in scop.parameters}
    point = isl.Set("{ : }")
    for name, value in named.items():
        point = point & isl.Set(f"[{name}] -> {{ : {name} = {value} }}")
    if (scop.context & point).is_empty():
        raise _Unclear
    subscripts = subscripts_of(place.index, extents_of(scop, array, named))
    return _Located(array, element_set([constant(each) for each in subscripts], array.name), point)


def _writing(scop: Scop, where: _Located, *, is_certain: bool) -> isl.UnionSet:
    """The instances that write an element."""
    relations = [
        (statement, access.must if is_certain else access.may)
        for statement in scop.statements
        for access in statement.accesses
        if access.array == where.array.name and access.writes
    ]
    return _touching(relations, where)


def _killing(scop: Scop, where: _Located) -> isl.UnionSet:
    relations = [
        (statement, access.must)
        for statement in scop.statements
        for access in statement.accesses
        if access.array == where.array.name and access.kills
    ]
    return _touching(relations, where)


def _touching(relations: Sequence[tuple[Statement, isl.Map]], where: _Located) -> isl.UnionSet:
    return union_set(
        relation.intersect_domain(statement.domain)
        .intersect_params(where.values)
        .intersect_range(where.element)
        .domain()
        for statement, relation in relations
    )


def _latest(scop: Scop, instances: isl.UnionSet) -> isl.UnionSet:
    """The one of these instances that runs last."""
    times = scop.schedule.get_map().intersect_domain(instances)
    return times.intersect_range(times.range().lexmax()).domain()


def _instance_text(statement: Statement, iteration: Sequence[int]) -> str:
    named = zip(statement.iterators, iteration, strict=True)
    values = ", ".join(f"{name} = {value}" for name, value in named)
    at = f" at ({values})" if values else ""
    text = " ".join(statement.text.split())
    shown = f": {text}" if len(text) <= LONGEST_TEXT else ""
    return f"{statement.name}{at}, line {statement.span.line}{shown}"
