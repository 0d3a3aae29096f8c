"""Small programs, and what their models must say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Any

import islpy as isl

from loopwright import Scop, read_c
from loopwright.model.scop import Access, union_map, union_set


def kernel(
    body: str,
    parameters: str = "int n, double *A",
    *,
    prelude: str = "",
    before: str = "",
    after: str = "",
    result: str = "void",
) -> str:
    """A function with one region."""
    return "\n".join(
        [
            prelude,
            f"{result} kernel({parameters})",
            "{",
            before,
            "#pragma scop",
            body,
            "#pragma endscop",
            after,
            "}",
            "",
        ]
    )


def scop_of(program: str, **options: Any) -> Scop:
    """The only region of a program."""
    scops = read_c(program, **options)
    assert len(scops) == 1, f"{len(scops)} regions"
    return scops[0]


def model_of(body: str, parameters: str = "int n, double *A", **around: Any) -> Scop:
    """The region that holds this code, in a function with these parameters."""
    return scop_of(kernel(body, parameters, **around))


# --- comparing ----------

Relation = isl.Set | isl.UnionSet | isl.Map | isl.UnionMap
WIDTHS = {"char": 8, "short": 16, "int": 32, "unsigned": 32, "long": 64}
WIDTHS |= {"size_t": 64, "uint64_t": 64}


def representable(scop: Scop) -> isl.Set:
    """The parameter values that their types can hold; about others a model says nothing."""
    values = isl.Set("{ : }")
    for parameter in scop.parameters:
        words = parameter.type.split()
        bits = next(WIDTHS[word] for word in reversed(words) if word in WIDTHS)
        is_unsigned = "unsigned" in words or words[-1] in ("size_t", "uint64_t")
        least, end = (0, 2**bits) if is_unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1))
        name = parameter.name
        values = values & isl.Set(f"[{name}] -> {{ : {least} <= {name} < {end} }}")
    return values


def same(actual: Relation, expected: str, context: isl.Set | None = None) -> None:
    """Is it the set or relation that the text describes, where the context holds?"""
    if isinstance(actual, isl.Set) and actual.is_params():
        condition = isl.Set(expected)
        assert actual.is_equal(condition), f"\n  seen      {actual}\n  expected  {condition}"
        return
    seen: Any
    wanted: Any
    if isinstance(actual, isl.Set | isl.UnionSet):
        seen = isl.UnionSet.from_set(actual) if isinstance(actual, isl.Set) else actual
        wanted = isl.UnionSet(expected)
    else:
        seen = isl.UnionMap.from_map(actual) if isinstance(actual, isl.Map) else actual
        wanted = isl.UnionMap(expected)
    if context is not None:
        seen, wanted = seen.intersect_params(context), wanted.intersect_params(context)
    assert seen.is_equal(wanted), (
        f"\n  seen      {seen}\n  expected  {wanted}"
        f"\n  missing   {wanted.subtract(seen)}\n  too many  {seen.subtract(wanted)}"
    )


def expect(
    scop: Scop,
    *,
    instances: str | None = None,
    reads: str | None = None,
    writes: str | None = None,
    may_writes: str | None = None,
    must_writes: str | None = None,
    kills: str | None = None,
    context: str | None = None,
) -> None:
    """Compare parts of a model; ``writes`` are those that both may and must happen.

    Sets and relations are compared where the model claims to hold, its context.
    """
    meant = representable(scop)
    holds = scop.context & meant
    assert not holds.is_empty(), "the context leaves nothing"
    if context is not None:
        assert holds.is_equal(isl.Set(context) & meant), (
            f"\n  seen      {scop.context}\n  expected  {context}"
        )
    parts: list[tuple[Relation, str | None]] = [
        (instances_of(scop), instances),
        (scop.may_reads(), reads),
        (scop.may_writes(), may_writes if may_writes is not None else writes),
        (scop.must_writes(), must_writes if must_writes is not None else writes),
        (scop.must_kills(), kills),
    ]
    for actual, expected in parts:
        if expected is not None:
            same(actual, expected, holds)


def instances_of(scop: Scop) -> isl.UnionSet:
    """The instances of the statements that execute something."""
    return union_set(each.domain for each in scop.statements if not each.is_kill)


def accesses_of(scop: Scop, array: str) -> list[Access]:
    """The accesses to an array, in the order of the program."""
    return [
        access
        for statement in scop.statements
        for access in statement.accesses
        if access.array == array
    ]


def certain_reads(scop: Scop) -> isl.UnionMap:
    """Every element that an instance certainly reads."""
    return union_map(
        access.must.intersect_domain(statement.domain)
        for statement in scop.statements
        for access in statement.accesses
        if access.reads
    )


def restricted(relation: isl.UnionMap, array: str) -> isl.UnionMap:
    """The part of a relation that touches one array."""
    maps = relation.get_map_list()
    wanted = [maps.get_at(at) for at in range(maps.n_map())]
    return union_map(each for each in wanted if each.get_tuple_name(isl.dim_type.out) == array)


def codes(scop: Scop) -> set[str]:
    """The codes of the notes."""
    return {note.code for note in scop.notes}


def reasons(scop: Scop) -> str:
    """Why the context is what it is, as one text."""
    return "\n".join(each.reason for each in scop.assumptions)


# --- writing expectations by executing them ----------


def written(name: str, values: Iterable[int], element: Callable[[int], int], array: str) -> str:
    """``{ S0[i] -> A[element(i)] }`` for these values of ``i``, one by one."""
    return "{ " + "; ".join(f"{name}[{i}] -> {array}[{element(i)}]" for i in values) + " }"


def chosen(name: str, ranges: Mapping[str, range], holds: Callable[..., bool]) -> str:
    """The points of a box for which a condition holds, one by one."""
    points = [point for point in product(*ranges.values()) if holds(*point)]
    return "{ " + "; ".join(f"{name}[{', '.join(map(str, point))}]" for point in points) + " }"


def quotient(left: int, right: int) -> int:
    """C's ``/``: towards zero."""
    magnitude = abs(left) // abs(right)
    return magnitude if (left < 0) == (right < 0) else -magnitude


def remainder(left: int, right: int) -> int:
    """C's ``%``: what ``/`` leaves."""
    return left - quotient(left, right) * right


# --- order ----------


def order_of(scop: Scop, parameters: str = "{ : }", *, kills: bool = False) -> list[str]:
    """All instances in the order in which the schedule tree runs them, for fixed parameters."""
    fixed = isl.Set(parameters)
    schedule = scop.schedule.intersect_domain(scop.schedule.get_domain().intersect_params(fixed))
    names = {each.name for each in scop.statements if kills or not each.is_kill}
    return [text for text in _run(schedule.get_root()) if text.partition("[")[0] in names]


def _run(node: isl.ScheduleNode) -> Iterator[str]:
    kind = node.get_type()
    types = isl.schedule_node_type
    if kind == types.leaf:
        yield from sorted(_points(node.get_domain()))
        return
    if kind == types.band:
        yield from _run_band(node)
        return
    for at in range(node.n_children()):
        yield from _run(node.child(at))


def _run_band(node: isl.ScheduleNode) -> Iterator[str]:
    """Each value of the band's one member in turn, with the instances that it holds."""
    members = node.band_get_partial_schedule_union_map()
    times = members.intersect_domain(node.get_domain()).range()
    moments = sorted(_coordinates(times))
    below = list(_run(node.child(0)))
    for moment in moments:
        held = members.intersect_range(isl.UnionSet(f"{{ [{moment}] }}")).domain()
        now = set(_points(held.intersect(node.get_domain())))
        yield from (text for text in below if text in now)


def _points(union: isl.UnionSet) -> list[str]:
    found: list[str] = []
    union.foreach_point(lambda point: found.append(_point_text(point)))
    return found


def _point_text(point: isl.Point) -> str:
    as_set = isl.Set.from_point(point)
    name = as_set.get_tuple_name()
    values = [
        str(point.get_coordinate_val(isl.dim_type.set, at).to_python())
        for at in range(as_set.dim(isl.dim_type.set))
    ]
    return f"{name}[{', '.join(values)}]"


def _coordinates(union: isl.UnionSet) -> list[int]:
    found: list[int] = []
    union.foreach_point(
        lambda point: found.append(point.get_coordinate_val(isl.dim_type.set, 0).to_python())
    )
    return found
