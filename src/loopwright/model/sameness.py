"""Are two models of a region the same, but for the places that they speak of?

A program is read twice: as its author wrote it, and as its compiler sees it.  What was found out
about one model holds of the other if the two are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import islpy as isl

from loopwright.model.scop import Access, Array, Independence, Loop, Parameter, Scop, Statement

T = TypeVar("T")
IslObject = TypeVar("IslObject", isl.Set, isl.Map)


def is_same_model(one: Scop, other: Scop) -> bool:
    """Do two models agree in everything but places, notes and the source of their statements?"""
    return (
        one.function == other.function
        and one.outliving == other.outliving
        and _all(_is_same_parameter, one.parameters, other.parameters)
        and _is_equal(one.context, other.context)
        and [each.reason for each in one.assumptions] == [each.reason for each in other.assumptions]
        and _all(_is_same_array, one.arrays, other.arrays)
        and _all(_is_same_statement, one.statements, other.statements)
        and one.schedule.plain_is_equal(other.schedule)
        and _all(_is_same_independence, one.independences, other.independences)
        and _all(_is_same_loop, one.loops, other.loops)
    )


def _all(is_same: Callable[[T, T], bool], one: Iterable[T], other: Iterable[T]) -> bool:
    ones, others = list(one), list(other)
    return len(ones) == len(others) and all(map(is_same, ones, others))


def _is_equal(one: IslObject, other: IslObject) -> bool:
    return one.plain_is_equal(other) or (
        one.get_space().is_equal(other.get_space()) and one.is_equal(other)
    )


def _is_same_parameter(one: Parameter, other: Parameter) -> bool:
    return _parts(one) == _parts(other)


def _parts(each: Parameter) -> tuple[object, ...]:
    return each.name, each.text, each.type, each.least, each.greatest


def _is_same_array(one: Array, other: Array) -> bool:
    names = "name", "parts", "element_type", "variable_type", "is_local", "is_flat", "is_live_in"
    return (
        all(getattr(one, each) == getattr(other, each) for each in (*names, "is_live_out"))
        and len(one.extents) == len(other.extents)
        and all(map(_is_same_extent, one.extents, other.extents))
    )


def _is_same_extent(one: isl.PwAff | None, other: isl.PwAff | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.is_equal(other)


def _is_same_statement(one: Statement, other: Statement) -> bool:
    return (
        (one.name, one.iterators, one.label) == (other.name, other.iterators, other.label)
        and one.is_dynamic == other.is_dynamic
        and one.body == other.body
        and _is_equal(one.domain, other.domain)
        and _all(_is_same_access, one.accesses, other.accesses)
    )


def _is_same_access(one: Access, other: Access) -> bool:
    return (
        (one.tag, one.array) == (other.tag, other.array)
        and (one.reads, one.writes, one.kills) == (other.reads, other.writes, other.kills)
        and _is_equal(one.may, other.may)
        and _is_equal(one.must, other.must)
    )


def _is_same_independence(one: Independence, other: Independence) -> bool:
    return one.arrays == other.arrays and one.pairs.is_equal(other.pairs)


def _is_same_loop(one: Loop, other: Loop) -> bool:
    return (one.iterator, one.depth, one.statements) == (
        other.iterator,
        other.depth,
        other.statements,
    )
