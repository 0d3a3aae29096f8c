"""Generated loops: for, if, block, statement and mark nodes, as C prints them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from loopwright.basics.records import record
from loopwright.basics.recursion import deep_recursion
from loopwright.model.expressions import (
    Constant,
    Expr,
    Operation,
    Operator,
    expression_text,
)


@record
class For:
    """``for (iterator = start; condition; iterator += step) body``.

    A ``condition`` of ``Constant(1)`` never ends the loop.  A degenerate loop runs exactly once,
    with ``iterator == start``, and may be printed as an assignment.  ``annotation`` is what a
    callback wants to say about the loop.
    """

    iterator: str
    start: Expr
    condition: Expr
    step: int
    body: Node
    is_degenerate: bool = False
    annotation: object = None


@record
class If:
    """``if (condition) then else otherwise``."""

    condition: Expr
    then: Node
    otherwise: Node | None = None


@record
class Block:
    """One after the other; none at all is an empty program.

    A scope keeps its braces, since it declares variables.
    """

    children: tuple[Node, ...]
    is_scope: bool = False


@record
class User:
    """An instance of a statement: ``S(c0, c1 + 1)``; ``annotation`` is for a callback to set."""

    statement: Operation
    annotation: object = None


@record
class Mark:
    """A name for what is inside, from the mark node of the schedule tree."""

    name: str
    body: Node


Node = For | If | Block | User | Mark


@record
class LoopAst:
    """The loops that were generated from a schedule."""

    root: Node

    def to_c(self, *, iterator_type: str = "int", definitions: bool = False) -> str:
        """The loops as C, statements as calls; with ``definitions`` after the macros they use."""
        with deep_recursion():
            text = node_text(self.root, iterator_type=iterator_type)
            return macro_definitions(self) + text if definitions else text

    def __str__(self) -> str:
        """As C."""
        return self.to_c()


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly inside a node."""
    match node:
        case For(body=body) | Mark(body=body):
            return (body,)
        case If(then=then, otherwise=otherwise):
            return (then,) if otherwise is None else (then, otherwise)
        case Block(children=inside):
            return inside
        case User():
            return ()
        case _:
            assert_never(node)


def walk(node: Node) -> Iterator[Node]:
    """The node and everything inside it, in the order of the text."""
    yield node
    for child in children(node):
        yield from walk(child)


def expressions(node: Node) -> tuple[Expr, ...]:
    """The expressions of the node itself."""
    match node:
        case For(start=start, condition=condition):
            return (start, condition)
        case If(condition=condition):
            return (condition,)
        case User(statement=statement):
            return (statement,)
        case Block() | Mark():
            return ()
        case _:
            assert_never(node)


# --- as C ---------------------------------------------------------------------------------------

_MACROS = {
    Operator.MINIMUM: "#define min(x, y) ((x) < (y) ? (x) : (y))\n",
    Operator.MAXIMUM: "#define max(x, y) ((x) > (y) ? (x) : (y))\n",
    Operator.FLOOR_DIVISION: (
        "#define floord(n, d) ((n) < 0 ? -((-(n) + (d) - 1) / (d)) : (n) / (d))\n"
    ),
}


def macro_definitions(ast: LoopAst) -> str:
    """The definitions of the macros that the loops use."""
    used = {
        operator
        for node in walk(ast.root)
        for expression in expressions(node)
        for operator in _operators(expression)
    }
    return "".join(text for operator, text in _MACROS.items() if operator in used)


def _operators(expression: Expr) -> Iterator[Operator]:
    if isinstance(expression, Operation):
        yield expression.operator
        for operand in expression.operands:
            yield from _operators(operand)


def node_text(node: Node, *, iterator_type: str = "int") -> str:
    """A node as C, each line ended."""
    return "".join(line + "\n" for line in _lines(node, iterator_type))


def _lines(node: Node, iterator_type: str) -> list[str]:
    match node:
        case For(is_degenerate=True):
            value = f"const {iterator_type} {node.iterator} = {expression_text(node.start)};"
            return ["{", *_indented([value, *_inner_lines(node.body, iterator_type)]), "}"]
        case For():
            return _under(_for_head(node, iterator_type), node.body, iterator_type)
        case If(condition, then, otherwise):
            return _if_lines(condition, then, otherwise, iterator_type)
        case Block(inside):
            return ["{", *_indented(_inner_lines(Block(inside), iterator_type)), "}"]
        case User(statement):
            return [f"{expression_text(statement)};"]
        case Mark(name, body):
            return [f"// {_comment(name)}", *_lines(body, iterator_type)]
        case _:
            assert_never(node)


def _comment(text: str) -> str:
    """The text as a line comment: one line, which does not swallow the next."""
    line = " ".join(text.split())
    return f"{line}." if line.endswith("\\") else line


def _inner_lines(node: Node, iterator_type: str) -> list[str]:
    """The lines of a node that stands in braces already."""
    inside = node.children if isinstance(node, Block) else (node,)
    return [line for child in inside for line in _lines(child, iterator_type)]


def _for_head(loop: For, iterator_type: str) -> str:
    condition = "" if loop.condition == Constant(1) else f" {expression_text(loop.condition)}"
    start = f"{iterator_type} {loop.iterator} = {expression_text(loop.start)}".lstrip()
    return f"for ({start};{condition}; {loop.iterator} += {loop.step})"


def _under(head: str, body: Node, iterator_type: str) -> list[str]:
    """A head with its body: in braces, or on the next line."""
    lines = _lines(body, iterator_type)
    if isinstance(body, Block):
        return [f"{head} {{", *lines[1:]]
    return [head, *_indented(lines)]


def _if_lines(condition: Expr, then: Node, otherwise: Node | None, kind: str) -> list[str]:
    head = f"if ({expression_text(condition)})"
    if otherwise is None:
        return _under(head, then, kind)
    # With an else, the first branch stands in braces: no dangling else, no doubt.
    first = _under(head, then if isinstance(then, Block) else Block((then,)), kind)
    rest = _lines(otherwise, kind)
    if isinstance(otherwise, If):
        return [*first[:-1], f"}} else {rest[0]}", *rest[1:]]
    return [*first[:-1], *_under("} else", otherwise, kind)]


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]
