"""One concrete pair of iterations for a dependence, and the sentence about it."""

from __future__ import annotations

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.dependences import Dependence, End, Kind
from loopwright.model.scop import Access, Scop, Statement, type_ranges
from loopwright.polyhedra.samples import smallest_pair, smallest_point

PARAM = isl.dim_type.param


@record(eq=False)
class Side:
    """One instance of a statement and the reference that is meant."""

    end: End
    iteration: tuple[int, ...]

    @property
    def statement(self) -> Statement:
        """The statement."""
        return self.end.statement

    @property
    def access(self) -> Access:
        """The reference."""
        return self.end.access

    def __str__(self) -> str:
        """``S0 at (i = 1, j = 2) on line 7``."""
        named = zip(self.statement.iterators, self.iteration, strict=True)
        values = ", ".join(f"{name} = {value}" for name, value in named)
        at = f" at ({values})" if values else ""
        return f"{self.statement.name}{at} on line {self.end.span.line}"


@record(eq=False)
class Witness:
    """A dependence with one pair of iterations that it holds for, the smallest.

    ``parameters`` are the values for which it does; ``element`` is what both sides touch, as the
    source writes it.
    """

    dependence: Dependence
    parameters: dict[str, int]
    source: Side
    sink: Side
    element: str

    @property
    def kind(self) -> Kind:
        """Flow, anti, output or input."""
        return self.dependence.kind

    @property
    def array(self) -> str:
        """The array that both sides touch."""
        return self.dependence.array

    @property
    def where(self) -> str:
        """``for n = 3, ``, or nothing where there are no parameters."""
        values = ", ".join(f"{name} = {value}" for name, value in self.parameters.items())
        return f"for {values}: " if values else ""

    def __str__(self) -> str:
        """What the one side needs of the other, as a sentence."""
        return f"{self.where}{self.need()}"

    def need(self) -> str:
        """The same without the values of the parameters."""
        first = "read" if self.kind in (Kind.ANTI, Kind.INPUT) else "write"
        second = "read" if self.kind in (Kind.FLOW, Kind.INPUT) else "overwrite"
        is_certain = self.dependence.is_certain
        does, has = (f"{second}s", "has") if is_certain else (f"may {second}", "may have")
        if self.kind is Kind.INPUT:
            return f"{self.sink} {does} {self.element}, as {self.source} does"
        return f"{self.sink} {does} {self.element}, which {self.source} {has} to {first} first"


def witness(dependence: Dependence, scop: Scop) -> Witness:
    """The smallest pair of a dependence that has one, for parameters that their types hold."""
    pair = smallest_pair(dependence.pairs.intersect_params(type_ranges(scop.parameters)))
    source = Side(dependence.source, pair.source)
    sink = Side(dependence.sink, pair.sink)
    common = _touched(source, pair.parameters).intersect(_touched(sink, pair.parameters))
    array = scop.array(dependence.array)
    subscripts = smallest_point(common, 0) if not common.is_empty() else ()
    is_known = len(subscripts) == array.rank
    element = array.reference_text(map(str, subscripts)) if is_known else array.name
    used = {each.name: pair.parameters.get(each.name, 0) for each in scop.parameters}
    used |= {name: pair.parameters[name] for name in _parameters_in(dependence.pairs)}
    return Witness(dependence, used, source, sink, element)


def _parameters_in(pairs: isl.Map) -> list[str]:
    """The parameters that matter, also those that only a schedule has brought in."""
    positions = [at for at in range(pairs.dim(PARAM)) if pairs.involves_dims(PARAM, at, 1)]
    return [str(pairs.get_dim_name(PARAM, at)) for at in positions]


def _touched(side: Side, parameters: dict[str, int]) -> isl.Set:
    """The elements that an instance may touch through its reference."""
    relation = side.access.may
    for position, value in enumerate(side.iteration):
        relation = relation.fix_val(isl.dim_type.in_, position, isl.Val(str(value)))
    elements = relation.range()
    for name, value in parameters.items():
        position = elements.find_dim_by_name(PARAM, name)
        if position >= 0:
            elements = elements.fix_val(PARAM, position, isl.Val(str(value)))
    return elements.project_out(PARAM, 0, elements.dim(PARAM))
