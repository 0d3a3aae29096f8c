"""Unions of sets and maps, one statement at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

import islpy as isl

OfStatement = TypeVar("OfStatement", isl.Set, isl.Map)


def sets_of(union: isl.UnionSet) -> list[isl.Set]:
    """The sets of a union, one a space."""
    found = union.get_set_list()
    return [found.get_at(index) for index in range(len(found))]


def maps_of(union: isl.UnionMap) -> list[isl.Map]:
    """The maps of a union, one a pair of spaces."""
    found = union.get_map_list()
    return [found.get_at(index) for index in range(len(found))]


def joined(relations: Iterable[isl.UnionMap]) -> isl.UnionMap:
    """The union of any number of relations.

    >>> print(joined([]))
    {  }
    """
    empty = isl.UnionMap.empty(isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0))
    return pairwise_union([empty, *relations])


OfStatements = TypeVar("OfStatements", isl.UnionSet, isl.UnionMap)


def pairwise_union(unions: Sequence[OfStatements]) -> OfStatements:
    """The union of one or more: each goes through few unions, since isl copies what it joins."""
    left = list(unions)
    while len(left) > 1:
        pairs = zip(left[::2], left[1::2], strict=False)
        left = [one.union(other) for one, other in pairs] + left[len(left) // 2 * 2 :]
    return left[0]


def by_statement(parts: Iterable[OfStatement], tuple_kind: isl.dim_type) -> list[OfStatement]:
    """Sorted by the name of a tuple, numbers in it as numbers: isl keeps unions in no order.

    >>> union = isl.UnionSet("{ S10[]; S9[]; A[] }")
    >>> [part.get_tuple_name() for part in by_statement(sets_of(union), isl.dim_type.set)]
    ['A', 'S9', 'S10']
    """

    def key(part: OfStatement) -> list[tuple[str, int]]:
        space = part.get_space()
        name = space.get_tuple_name(tuple_kind) if space.has_tuple_name(tuple_kind) else ""
        words = re.findall(r"(\D*)(\d*)", name or "")
        return [(word, int(number or -1)) for word, number in words]

    return sorted(parts, key=key)


def parameter_names(space: isl.Space) -> set[str]:
    """The symbolic constants of a space."""
    kind = isl.dim_type.param
    names = (space.get_dim_name(kind, index) for index in range(space.dim(kind)))
    return {name for name in names if name is not None}


SpaceKey = tuple[object, ...]


def space_key(space: isl.Space) -> SpaceKey:
    """What tells the spaces of sets apart: names and numbers of dimensions, pairs part by part.

    >>> space_key(isl.Space("{ [S[i, j] -> R[]] }"))
    (('S', 2), ('R', 0))
    """
    if space.is_wrapping():
        pair = space.unwrap()
        return space_key(pair.domain()), space_key(pair.range())
    kind = isl.dim_type.set
    return (space.get_tuple_name(kind) or "", space.dim(kind))
