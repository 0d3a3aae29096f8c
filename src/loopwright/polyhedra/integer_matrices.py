"""Small integer matrices: echelon forms, null spaces, Hermite's normal form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd, lcm
from operator import mul

Vector = tuple[int, ...]


def identity(size: int) -> tuple[Vector, ...]:
    """The unit vectors.

    >>> identity(2)
    ((1, 0), (0, 1))
    """
    return tuple(tuple(int(row == column) for column in range(size)) for row in range(size))


def dot(left: Sequence[int], right: Sequence[int]) -> int:
    """The sum of the products."""
    assert len(left) == len(right), (left, right)
    return sum(map(mul, left, right))


def combined(factors: Sequence[int], rows: Sequence[Sequence[int]], width: int) -> Vector:
    """The sum of the rows, each as often as its factor says.

    >>> combined((2, -1), [(1, 0, 3), (0, 1, 1)], 3)
    (2, -1, 5)
    """
    total = [0] * width
    for factor, row in zip(factors, rows, strict=True):
        if factor:
            for at, value in enumerate(row):
                total[at] += factor * value
    return tuple(total)


def primitive(row: Sequence[int]) -> Vector:
    """The shortest integer vector in the same direction."""
    common = gcd(*row) or 1
    return tuple(value // common for value in row)


def rank(rows: Iterable[Sequence[int]]) -> int:
    """How many of the rows are independent.

    >>> rank([(1, 2), (2, 4), (0, 1)])
    2
    """
    return len(independent_rows(rows))


def independent_rows(
    rows: Iterable[Sequence[int]], order: Sequence[int] | None = None
) -> list[Vector]:
    """Rows that span the same space; each has a column, taken in order, that is zero elsewhere.

    >>> independent_rows([(1, 2), (2, 4), (0, 1)])
    [(1, 0), (0, 1)]
    """
    left = [primitive(row) for row in rows if any(row)]
    if not left:
        return []
    done: list[Vector] = []
    for column in order if order is not None else range(len(left[0])):
        pivot = next((row for row in left if row[column]), None)
        if pivot is None:
            continue
        left.remove(pivot)
        left = [row for row in (_without(each, pivot, column) for each in left) if any(row)]
        done = [_without(each, pivot, column) for each in done]
        done.append(pivot)
        if not left:
            break
    return done


def _without(row: Vector, pivot: Vector, column: int) -> Vector:
    if not row[column]:
        return row
    scale, factor = pivot[column], row[column]
    if scale < 0:
        scale, factor = -scale, -factor
    return primitive([scale * a - factor * b for a, b in zip(row, pivot, strict=True)])


def independent_directions(rows: Sequence[Sequence[int]], width: int) -> tuple[Vector, ...]:
    """Functions of a vector that all vanish just where it depends linearly on the rows (§6.5.6).

    Each has as many final zeros as possible, and its first entry that is not zero is positive.

    >>> independent_directions([(4, 2, 1)], 3)
    ((1, -2, 0), (1, 0, -4))
    >>> independent_directions([(4, 2, 1), (1, 0, 0)], 3)
    ((0, 1, -2),)
    """
    found = independent_rows(null_space(rows, width), order=range(width - 1, -1, -1))
    found.sort(key=lambda row: max(at for at, value in enumerate(row) if value))
    return tuple(row if _is_lexicographically_positive(row) else negated(row) for row in found)


def _is_lexicographically_positive(row: Vector) -> bool:
    return next((value for value in row if value), 0) > 0


def negated(row: Vector) -> Vector:
    """The opposite vector."""
    return tuple(-value for value in row)


def null_space(rows: Sequence[Sequence[int]], width: int) -> list[Vector]:
    """Independent vectors on which all the rows vanish."""
    solved = independent_rows(rows)
    pivots = [_pivot_column(row, solved) for row in solved]
    found: list[Vector] = []
    for free in range(width):
        if free in pivots:
            continue
        pairs = zip(solved, pivots, strict=True)
        scale = lcm(*(row[pivot] // gcd(row[pivot], row[free]) for row, pivot in pairs))
        vector = [0] * width
        vector[free] = scale
        for row, pivot in zip(solved, pivots, strict=True):
            vector[pivot] = -row[free] * scale // row[pivot]
        found.append(primitive(vector))
    return found


def _pivot_column(row: Vector, rows: Sequence[Vector]) -> int:
    """The first column in which no other row has an entry."""
    return next(
        at
        for at, value in enumerate(row)
        if value and all(other is row or not other[at] for other in rows)
    )


def remaining_coordinates(equalities: Sequence[Sequence[int]], width: int) -> tuple[Vector, ...]:
    """Integer coordinates that tell apart the integer points of an affine space (PPCG §7.2).

    The rows of the result are Q2 in M = H Q, with H Hermite's normal form of the equalities M.

    >>> remaining_coordinates([(1, 0)], 2)
    ((0, 1),)
    >>> remaining_coordinates([(2, -3)], 2)  # on (3t, 2t) this is -t
    ((1, -2),)
    """
    inverse = [list(row) for row in identity(width)]
    work = [list(row) for row in independent_rows(equalities)]
    for position in range(len(work)):
        _clear_row(work, inverse, position, width)
    return tuple(tuple(row) for row in inverse[len(work) :])


def _clear_row(work: list[list[int]], inverse: list[list[int]], position: int, width: int) -> None:
    """Make a row zero beyond its diagonal by column operations, undone in the inverse."""
    row = work[position]
    while True:
        left = [at for at in range(position, width) if row[at]]
        pivot = min(left, key=lambda at: (abs(row[at]), at))
        if len(left) == 1:
            break
        for at in left:
            if at != pivot:
                times = row[at] // row[pivot]
                for each in work:
                    each[at] -= times * each[pivot]
                inverse[pivot] = [
                    a + times * b for a, b in zip(inverse[pivot], inverse[at], strict=True)
                ]
    if pivot != position:
        for each in work:
            each[pivot], each[position] = each[position], each[pivot]
        inverse[pivot], inverse[position] = inverse[position], inverse[pivot]
