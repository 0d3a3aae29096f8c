"""How much code was generated: copies of statements, loops, and conditions inside loops."""

from __future__ import annotations

from collections.abc import Iterator

from loopwright.basics.records import record
from loopwright.model.loop_ast import For, If, LoopAst, Node, User, children, walk


@record
class StaticQuality:
    """What stands in the text of the loops, however often it is executed."""

    copies: int
    """Statement nodes; one for each statement is the least."""
    loops: int
    """``for`` nodes, degenerate ones excepted."""
    branches: int
    """``if`` nodes."""
    innermost_branches: int
    """``if`` nodes in loops that have no loop inside."""
    size: int
    """Bytes of C."""


def static_quality(ast: LoopAst) -> StaticQuality:
    """Count what was generated.

    >>> from loopwright.model.expressions import Constant, Identifier, Operation, Operator
    >>> c0, n = Identifier("c0"), Identifier("n")
    >>> call = User(Operation(Operator.CALL, (Identifier("S"), c0)))
    >>> guarded = If(Operation(Operator.GREATER, (c0, n)), call)
    >>> condition = Operation(Operator.LESS, (c0, Constant(9)))
    >>> static_quality(LoopAst(For("c0", Constant(0), condition, 1, guarded)))
    StaticQuality(copies=1, loops=1, branches=1, innermost_branches=1, size=59)
    """
    nodes = list(walk(ast.root))
    loops = [node for node in nodes if _is_loop(node)]
    return StaticQuality(
        copies=sum(isinstance(node, User) for node in nodes),
        loops=len(loops),
        branches=sum(isinstance(node, If) for node in nodes),
        innermost_branches=sum(
            isinstance(node, If) for loop in loops if _is_innermost(loop) for node in walk(loop)
        ),
        size=len(ast.to_c().encode()),
    )


def _is_loop(node: Node) -> bool:
    return isinstance(node, For) and not node.is_degenerate


def _is_innermost(loop: Node) -> bool:
    return not any(_is_loop(node) for node in _inside(loop))


def _inside(node: Node) -> Iterator[Node]:
    for child in children(node):
        yield from walk(child)
