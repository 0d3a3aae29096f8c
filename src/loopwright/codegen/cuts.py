"""Where the values of a loop could be cut: the constraints that are tested in its body (§7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import lcm

import islpy as isl

from loopwright.codegen.grafts import Graft
from loopwright.codegen.overhead import overheads
from loopwright.codegen.stock import Stock
from loopwright.model.expression_values import expression_value
from loopwright.model.expressions import Constant, Expr, Operation, Operator, names_in
from loopwright.model.loop_ast import For, Node, children
from loopwright.polyhedra.instances import instance_set
from loopwright.polyhedra.unions import parameter_names
from loopwright.polyhedra.values import COMPARISONS

_DIVIDING = frozenset(
    {
        Operator.FLOOR_DIVISION,
        Operator.NON_NEGATIVE_DIVISION,
        Operator.NON_NEGATIVE_REMAINDER,
        Operator.ZERO_REMAINDER,
    }
)


def conditions_inside(grafts: Sequence[Graft], inner: Stock) -> Iterator[isl.Set]:
    """What is tested in the bodies of loops, in the order of the text, each constraint by itself.

    The conditions are over the iterators of the body; those that are about others are left out.
    """
    for test in _tests(grafts):
        yield from _conditions(test, inner)


def divisor_inside(grafts: Sequence[Graft], inner: Stock) -> int:
    """After so many iterations all remainders that are tested are the same again; 1 for none."""
    names = {*inner.iterators, *parameter_names(inner.known.get_space())}
    own = inner.iterators[-1]
    return lcm(
        *(
            divisor
            for test in _tests(grafts)
            if names_in(test) <= names
            for divisor in _divisors(test, own)
        )
    )


def _tests(grafts: Sequence[Graft]) -> Iterator[Operation]:
    for graft in grafts:
        for body in _bodies(graft.node):
            for overhead in overheads(body):
                yield from overhead.tests


def _bodies(node: Node) -> Iterator[Node]:
    """The bodies of the outermost loops."""
    if isinstance(node, For) and not node.is_degenerate:
        yield node.body
        return
    for child in children(node):
        yield from _bodies(child)


def _conditions(test: Operation, inner: Stock) -> Iterator[isl.Set]:
    """Where a comparison holds, over the iterators of the body, if it is about no others.

    To be equal is to be neither less nor greater: two constraints, which are cut at one by one.
    """
    space = inner.known.get_space()
    names = (*inner.iterators, *parameter_names(space))
    operands = [expression_value(operand, names) for operand in test.operands]
    left, right = operands if len(operands) == 2 else (None, None)
    if left is None or right is None or test.operator.value not in COMPARISONS:
        return
    kinds = [test.operator.value]
    if test.operator is Operator.EQUAL and not _is_divisibility(test):
        kinds = ["<=", ">="]
    for kind in kinds:
        holds = instance_set(COMPARISONS[kind](left, right), "", inner.iterators)
        yield holds.reset_tuple_id().align_params(space)


def _is_divisibility(test: Operation) -> bool:
    first = test.operands[0]
    return isinstance(first, Operation) and first.operator is Operator.ZERO_REMAINDER


def _divisors(expression: Expr, iterator: str) -> Iterator[int]:
    """What multiples of an iterator are divided by."""
    match expression:
        case Operation(operator, (dividend, Constant(divisor))) if operator in _DIVIDING:
            if iterator in names_in(dividend):
                yield divisor
            yield from _divisors(dividend, iterator)
        case Operation(_, operands):
            for operand in operands:
                yield from _divisors(operand, iterator)
        case _:
            return
