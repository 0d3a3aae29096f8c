"""One subscript for several: ``A[i * n + j]`` where the model has ``A[i][j]``.

It is computed as ``long``, in which compilers see that neighbours are neighbours.  The original
computes the same integer in a type of its own, and uses it to address an element: so it fits.
"""

from __future__ import annotations

from collections.abc import Sequence

from loopwright.emit.arithmetic import LONG, Typed, cast_to
from loopwright.model.expressions import Constant, Expr, Operation, Operator
from loopwright.model.scop import Array


def flattened(array: Array, subscripts: Sequence[Typed], sizes: Sequence[Typed]) -> list[Expr]:
    """The subscripts as C has them: those of rows of these sizes become a single one."""
    if not array.is_flat:
        return [each.expression for each in subscripts]
    first = len(subscripts) - len(sizes) - 1
    offset = subscripts[first]
    for size, inner in zip(sizes, subscripts[first + 1 :], strict=True):
        offset = _sum(_product(offset, size), inner)
    return [*(each.expression for each in subscripts[:first]), offset.expression]


def _product(rows: Typed, size: Typed) -> Typed:
    """So many rows, one of them at least as ``long``."""
    if rows.expression == Constant(0):
        return rows
    if isinstance(rows.expression, Constant):
        size = _widened(size)
    elif not size.is_long:
        rows = rows.widened()
    if rows.expression == Constant(1):
        return size
    return _long(Operator.MULTIPLY, rows, size)


def _sum(rows: Typed, inner: Typed) -> Typed:
    if rows.expression == Constant(0):
        return inner
    return rows if inner.expression == Constant(0) else _long(Operator.ADD, rows, inner)


def _widened(size: Typed) -> Typed:
    if size.is_long or not isinstance(size.expression, Constant):
        return size.widened()
    return Typed(cast_to("long", size.expression), is_long=True, values=size.values)


def _long(operator: Operator, left: Typed, right: Typed) -> Typed:
    operands = left.expression, right.expression
    has_iterator = left.has_iterator or right.has_iterator
    return Typed(Operation(operator, operands), True, LONG, has_iterator)
