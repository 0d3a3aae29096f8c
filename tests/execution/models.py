"""Models written by hand, so that the oracle can be judged without the front end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from loopwright.basics.spans import Span
from loopwright.model.bodies import Evaluate, Kill, Literal
from loopwright.model.scop import Access, Array, Parameter, Part, Scop, Statement


def span_of(text: str, piece: str, occurrence: int = 0) -> Span:
    """The place of a piece of text."""
    start = -1
    for _ in range(occurrence + 1):
        start = text.index(piece, start + 1)
    line = text.count("\n", 0, start) + 1
    end = start + len(piece)
    return Span("program.c", start, end, line, 1, line, 1)


@dataclass(frozen=True, slots=True)
class Touching:
    """An access of a hand-written statement: ``mode`` is a choice of ``r``, ``w``, ``k``."""

    mode: str
    relation: str
    must: str | None = None

    def access(self, tag: str, span: Span) -> Access:
        """The access in the model's own terms."""
        may = isl.Map(self.relation)
        return Access(
            tag=tag,
            array=may.get_tuple_name(isl.dim_type.out),
            reads="r" in self.mode,
            writes="w" in self.mode,
            kills="k" in self.mode,
            may=may,
            must=may if self.must is None else isl.Map(self.must),
            span=span,
            text=tag,
        )


def statement(
    text: str, piece: str, domain: str, touching: Sequence[Touching], *, is_dynamic: bool = False
) -> Statement:
    """A statement, by the piece of text that it is and the set of its instances."""
    instances = isl.Set(domain)
    is_kill = all(each.mode == "k" for each in touching)
    return Statement(
        name=instances.get_tuple_name(),
        iterators=tuple(
            str(instances.get_dim_name(isl.dim_type.set, position))
            for position in range(instances.dim(isl.dim_type.set))
        ),
        domain=instances,
        accesses=tuple(
            each.access(f"{instances.get_tuple_name()}_{number}", span_of(text, piece))
            for number, each in enumerate(touching)
        ),
        body=Kill() if is_kill else Evaluate(Literal("0")),
        is_dynamic=is_dynamic,
        span=span_of(text, piece),
        text=piece,
    )


def array(
    text: str, piece: str, name: str, extents: Sequence[str | None], *, is_live_in: bool = True
) -> Array:
    """An array of doubles, by the piece of text that declares it."""
    return Array(
        name=name,
        parts=(Part(name, len(extents), 0, 8),),
        element_type="double",
        extents=tuple(None if each is None else isl.PwAff(each) for each in extents),
        is_local=False,
        is_live_in=is_live_in,
        is_live_out=True,
        span=span_of(text, piece),
    )


def scop(
    text: str,
    function: str,
    parameters: Sequence[str],
    arrays: Sequence[Array],
    statements: Sequence[Statement],
    schedule: str,
    context: str = "{ : }",
) -> Scop:
    """A model whose order is given as a union map."""
    dates = isl.UnionMap(schedule)
    domain = isl.UnionSet.from_set(statements[0].domain)
    for each in statements[1:]:
        domain = domain.union(isl.UnionSet.from_set(each.domain))
    functions = isl.MultiUnionPwAff.from_union_map(dates.intersect_domain(domain))
    tree = isl.Schedule.from_domain(domain).insert_partial_schedule(functions)
    start = text.index("#pragma scop")
    end = text.index("#pragma endscop") + len("#pragma endscop")
    return Scop(
        function=function,
        span=Span("program.c", start, end, 1, 1, 1, 1),
        parameters=tuple(
            Parameter(each, each, "int", span_of(text, f"int {each}")) for each in parameters
        ),
        context=isl.Set(context),
        assumptions=(),
        arrays=tuple(arrays),
        statements=tuple(statements),
        schedule=tree,
    )
