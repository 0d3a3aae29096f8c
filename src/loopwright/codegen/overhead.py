"""Control overhead (multiple mappings §7): tests, minima and maxima, and how deep they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import assert_never

from loopwright.basics.records import record
from loopwright.model.expressions import Constant, Expr, Identifier, Operation, Operator, operation
from loopwright.model.loop_ast import Block, For, If, LoopAst, Mark, Node, User

_JOINING = frozenset({Operator.LAZY_AND, Operator.LAZY_OR, Operator.EAGER_AND, Operator.EAGER_OR})
_CHOOSING = frozenset({Operator.LAZY_CONDITIONAL, Operator.EAGER_CONDITIONAL})


@record
class Overhead:
    """Something that is decided while the loops run."""

    depth: int
    """So many loops are around it; those that run exactly once are none."""
    tests: tuple[Operation, ...]
    """The comparisons that it takes: were they known, there would be nothing to decide."""


def overhead_depth(ast: LoopAst) -> int | None:
    """How many loops are around the deepest overhead, or ``None`` if there is no overhead at all.

    >>> c0, n = Identifier("c0"), Identifier("n")
    >>> call = User(Operation(Operator.CALL, (Identifier("S"), c0)))
    >>> guarded = If(Operation(Operator.GREATER, (c0, n)), call)
    >>> end = Operation(Operator.LESS, (c0, Constant(9)))
    >>> overhead_depth(LoopAst(For("c0", Constant(0), end, 1, guarded)))
    1
    """
    return max((each.depth for each in overheads(ast.root)), default=None)


def overheads(node: Node, depth: int = 0) -> Iterator[Overhead]:
    """All overhead in a node, in the order of the text; ``depth`` loops are around the node."""
    match node:
        case For():
            yield from _in_value(node.start, depth)
            yield from _in_end(node, depth)
            yield from overheads(node.body, depth if node.is_degenerate else depth + 1)
        case If(condition, then, otherwise):
            yield Overhead(depth, tuple(_tests(condition)))
            yield from overheads(then, depth)
            if otherwise is not None:
                yield from overheads(otherwise, depth)
        case Block(children):
            for child in children:
                yield from overheads(child, depth)
        case Mark(body=body):
            yield from overheads(body, depth)
        case User(statement):
            yield from _in_value(statement, depth)
        case _:
            assert_never(node)


def _in_end(loop: For, depth: int) -> Iterator[Overhead]:
    """Of the condition of a loop: its bound, or all its bounds if they are tested one by one."""
    match loop.condition:
        case Operation(operator, ends) if operator in _JOINING:
            bounds = [bound for end in ends for bound in _bounds(end, loop.iterator)]
            yield Overhead(depth, tuple(_between(Operator.LESS_OR_EQUAL, bounds)))
        case Operation(_, (Identifier(_), bound)):
            yield from _in_value(bound, depth)
        case other:
            yield from _in_value(other, depth)


def _bounds(end: Expr, iterator: str) -> Iterator[Expr]:
    """The largest value of an iterator that one comparison allows, where it is plain to see."""
    match end:
        case Operation(Operator.LESS_OR_EQUAL, (Identifier(name), bound)) if name == iterator:
            yield bound
        case Operation(Operator.LESS, (Identifier(name), bound)) if name == iterator:
            yield operation(Operator.SUBTRACT, bound, Constant(1))
        case _:
            return


def _in_value(value: Expr, depth: int) -> Iterator[Overhead]:
    """Of an expression: its minima and maxima, and what chooses between values."""
    if not isinstance(value, Operation):
        return
    match value.operator:
        case Operator.MAXIMUM:
            yield Overhead(depth, tuple(_between(Operator.GREATER_OR_EQUAL, value.operands)))
        case Operator.MINIMUM:
            yield Overhead(depth, tuple(_between(Operator.LESS_OR_EQUAL, value.operands)))
        case operator if operator in _CHOOSING:
            yield Overhead(depth, tuple(_tests(value.operands[0])))
        case _:
            pass
    for operand in value.operands:
        yield from _in_value(operand, depth)


def _between(order: Operator, operands: Sequence[Expr]) -> Iterator[Operation]:
    """The comparisons of any two."""
    for first, second in combinations(operands, 2):
        yield operation(order, first, second)


def _tests(condition: Expr) -> Iterator[Operation]:
    """The comparisons in a condition, and what their operands take to decide."""
    if not isinstance(condition, Operation):
        return
    if condition.operator in _JOINING:
        for operand in condition.operands:
            yield from _tests(operand)
        return
    yield condition
    for inner in _in_value(condition, 0):
        yield from inner.tests
