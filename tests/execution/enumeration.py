"""Integer points of isl sets and relations as numpy arrays, for given parameter values.

isl's own ``foreach_point`` calls back into Python for every point; a random-program campaign asks
for millions.  Here a bounding box is filled by numpy and thinned by the constraints, a large one
dimension by dimension, and single-valued relations are evaluated as the functions that they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import islpy as isl
import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int64]
Columns: TypeAlias = Mapping[tuple[Any, int], "Integers | int"]

LARGEST_BOX = 50_000
"""Beyond this many candidates a box is filled and thinned dimension by dimension.

Where a single dimension is longer, isl enumerates the points one by one.
"""

PARAMETER = isl.dim_type.param
INPUT = isl.dim_type.in_
DIVISION = isl.dim_type.div
SET = isl.dim_type.set


def with_parameters(values: Mapping[str, int]) -> isl.Set:
    """``{ : n = 4 and … }``, for sets of parameters: the arguments of one run."""
    space = isl.Space.params_alloc(isl.DEFAULT_CONTEXT, len(values))
    for position, name in enumerate(values):
        space = space.set_dim_name(PARAMETER, position, name)
    result = isl.Set.universe(space)
    for position, value in enumerate(values.values()):
        result = result.fix_val(PARAMETER, position, isl.Val(str(value)))
    return result


def points_of(points: isl.Set, values: Mapping[str, int]) -> Integers:
    """All points of a set, one a row, in lexicographic order.

    >>> points_of(isl.Set("[n] -> { S[i, j] : 0 <= i < n and i <= j < 2 }"), {"n": 3}).tolist()
    [[0, 0], [0, 1], [1, 1]]
    """
    fixed = points.intersect_params(with_parameters(values)).coalesce().compute_divs()
    rank = fixed.dim(SET)
    found = [_points_of_piece(piece, values) for piece in _basic_sets(fixed)]
    found = [rows for rows in found if len(rows)]
    if not found:
        return np.empty((0, rank), dtype=np.int64)
    if rank == 0:
        return np.empty((1, 0), dtype=np.int64)
    return np.unique(np.concatenate(found), axis=0)


def _basic_sets(points: isl.Set) -> list[isl.BasicSet]:
    pieces: list[isl.BasicSet] = []
    points.foreach_basic_set(pieces.append)
    return pieces


def _points_of_piece(piece: isl.BasicSet, values: Mapping[str, int]) -> Integers:
    rank = piece.dim(SET)
    if piece.is_empty():
        return np.empty((0, rank), dtype=np.int64)
    if rank == 0:
        return np.empty((1, 0), dtype=np.int64)
    as_set = isl.Set.from_basic_set(piece)
    limits = [
        (_integer(as_set.dim_min_val(d)), _integer(as_set.dim_max_val(d))) for d in range(rank)
    ]
    size = 1
    for low, high in limits:
        size *= high - low + 1
    if any(high - low >= LARGEST_BOX for low, high in limits):
        return _points_one_by_one(as_set)
    if size > LARGEST_BOX:
        return _points_by_dimension(as_set, limits, values)
    axes = [np.arange(low, high + 1, dtype=np.int64) for low, high in limits]
    candidates = np.stack([a.ravel() for a in np.meshgrid(*axes, indexing="ij")], axis=1)
    return candidates[_is_in_piece(piece, candidates, values)]


def _points_by_dimension(
    points: isl.Set, limits: list[tuple[int, int]], values: Mapping[str, int]
) -> Integers:
    """Every beginning of a point that the projection on the first dimensions has, made longer."""
    rank = points.dim(SET)
    rows = np.empty((1, 0), dtype=np.int64)
    for done, (low, high) in enumerate(limits, 1):
        axis = np.arange(low, high + 1, dtype=np.int64)
        longer = np.tile(axis, len(rows))[:, np.newaxis]
        candidates = np.concatenate([np.repeat(rows, len(axis), axis=0), longer], axis=1)
        beginnings = points.project_out(SET, done, rank - done)
        rows = candidates[is_member(beginnings, candidates, values)]
    return rows


def _points_one_by_one(points: isl.Set) -> Integers:
    rows: list[list[int]] = []
    rank = points.dim(SET)

    def collect(point: isl.Point) -> None:
        rows.append([_integer(point.get_coordinate_val(SET, d)) for d in range(rank)])

    points.foreach_point(collect)
    return np.array(rows, dtype=np.int64).reshape(len(rows), rank)


def _integer(value: isl.Val) -> int:
    number = value.to_python()
    assert isinstance(number, int), f"unbounded or fractional: {value}"
    return number


def columns_of(space: isl.Space, rows: Integers, values: Mapping[str, int]) -> Columns:
    """The value of each input dimension, and of each parameter of that space."""
    columns: dict[tuple[Any, int], Integers | int] = {
        (INPUT, position): rows[:, position] for position in range(rows.shape[1])
    }
    for position in range(space.dim(PARAMETER)):
        columns[PARAMETER, position] = values[str(space.get_dim_name(PARAMETER, position))]
    return columns


def numerator_of(affine: isl.Aff, columns: Columns) -> tuple[Integers | int, int]:
    """The values of an affine expression times its denominator, and that denominator."""
    denominator = _integer(affine.get_denominator_val())
    scale = isl.Val(str(denominator))
    total: Integers | int = _integer(affine.get_constant_val().mul(scale))
    for kind in (PARAMETER, INPUT):
        for position in range(affine.dim(kind)):
            coefficient = _integer(affine.get_coefficient_val(kind, position).mul(scale))
            if coefficient:
                total = total + _product(coefficient, columns[kind, position])
    for position in range(affine.dim(DIVISION)):
        coefficient = _integer(affine.get_coefficient_val(DIVISION, position).mul(scale))
        if coefficient:
            inner, divisor = numerator_of(affine.get_div(position), columns)
            quotient = inner // divisor if divisor < LARGE else _exact(inner) // divisor
            total = total + _product(coefficient, quotient)
    return total, denominator


LARGE = 1 << 31
"""Wrapping brings factors of 2**32 and 2**64; with those, numpy must count in Python's integers."""


def _product(factor: int, values: Integers | int) -> Integers | int:
    return factor * (values if abs(factor) < LARGE else _exact(values))


def _exact(values: Integers | int) -> Any:
    return values if isinstance(values, int) else values.astype(object)


def _is_in_piece(piece: isl.BasicSet, rows: Integers, values: Mapping[str, int]) -> NDArray[Any]:
    columns = columns_of(piece.get_space(), rows, values)
    inside = np.ones(len(rows), dtype=bool)
    constraints: list[isl.Constraint] = []
    piece.foreach_constraint(constraints.append)
    for constraint in constraints:
        value, _ = numerator_of(constraint.get_aff(), columns)
        holds = (value == 0) if constraint.is_equality() else (value >= 0)
        inside &= np.asarray(holds, dtype=bool)
    return inside


def is_member(points: isl.Set, rows: Integers, values: Mapping[str, int]) -> NDArray[Any]:
    """For each row: is it a point of the set?"""
    inside = np.zeros(len(rows), dtype=bool)
    for piece in _basic_sets(points.compute_divs()):
        inside |= _is_in_piece(piece, rows, values)
    return inside


def image_of(
    relation: isl.Map, rows: Integers, values: Mapping[str, int]
) -> tuple[Integers, Integers]:
    """The elements related to each row: the row's number, and the element, pair by pair.

    >>> shift = isl.Map("{ S[i] -> A[i + 1] : i > 0 }")
    >>> owners, elements = image_of(shift, np.array([[0], [4]]), {})
    >>> owners.tolist(), elements.tolist()
    ([1], [[5]])
    """
    arity = relation.dim(isl.dim_type.out)
    if len(rows) == 0 or relation.plain_is_empty():
        return np.empty(0, dtype=np.int64), np.empty((0, arity), dtype=np.int64)
    fixed = relation.intersect_params(with_parameters(values))
    if fixed.is_single_valued():
        return _image_by_function(isl.PwMultiAff.from_map(fixed), rows, values, arity)
    return _image_by_points(fixed, rows, values)


def _image_by_function(
    function: isl.PwMultiAff, rows: Integers, values: Mapping[str, int], arity: int
) -> tuple[Integers, Integers]:
    pieces: list[tuple[isl.Set, isl.MultiAff]] = []
    function.foreach_piece(lambda where, what: pieces.append((where, what)))
    owners: list[Integers] = []
    elements: list[Integers] = []
    for where, what in pieces:
        owner = np.nonzero(is_member(where, rows, values))[0]
        element = np.empty((len(owner), arity), dtype=np.int64)
        for position in range(arity):
            affine = what.get_aff(position)
            columns = columns_of(affine.get_domain_space(), rows[owner], values)
            numerator, denominator = numerator_of(affine, columns)
            element[:, position] = numerator // denominator
        owners.append(owner)
        elements.append(element)
    if not owners:
        return np.empty(0, dtype=np.int64), np.empty((0, arity), dtype=np.int64)
    return np.concatenate(owners), np.concatenate(elements)


def _image_by_points(
    relation: isl.Map, rows: Integers, values: Mapping[str, int]
) -> tuple[Integers, Integers]:
    """Enumerate the pairs, and keep those whose source is one of the rows."""
    rank = rows.shape[1]
    low, high = (rows.min(axis=0), rows.max(axis=0)) if rank else (None, None)
    domain = isl.Set.universe(relation.get_space().domain())
    for position in range(rank):
        assert low is not None
        assert high is not None
        domain = domain.lower_bound_val(SET, position, isl.Val(int(low[position])))
        domain = domain.upper_bound_val(SET, position, isl.Val(int(high[position])))
    pairs = points_of(relation.intersect_domain(domain).wrap().flatten(), values)
    number_of = {tuple(row): number for number, row in enumerate(rows.tolist())}
    owners = [number_of.get(tuple(row), -1) for row in pairs[:, :rank].tolist()]
    owner = np.array(owners, dtype=np.int64)
    kept = owner >= 0
    return owner[kept], pairs[kept][:, rank:]


def value_of(function: isl.PwAff, values: Mapping[str, int]) -> int:
    """The value of a function of the parameters."""
    pieces: list[tuple[isl.Set, isl.Aff]] = []
    function.foreach_piece(lambda where, what: pieces.append((where, what)))
    arguments = with_parameters(values)
    for where, what in pieces:
        if not where.params().intersect(arguments).is_empty():
            rows = np.empty((1, 0), dtype=np.int64)
            columns = columns_of(what.get_domain_space(), rows, values)
            numerator, denominator = numerator_of(what, columns)
            return int(numerator) // denominator
    raise ValueError(f"{function} has no value at {dict(values)}")
