"""Generated loops as a document: what JSON can hold, and other programs can read."""

from __future__ import annotations

from typing import assert_never

from loopwright.model.expressions import Constant, Expr, Identifier, Operation
from loopwright.model.loop_ast import Block, For, If, LoopAst, Mark, Node, User

FORMAT = "loopwright-loops-1"


def loops_document(ast: LoopAst) -> dict[str, object]:
    """The nodes of the loops; an expression is a number, a name, or an operator with operands.

    >>> from loopwright.model.expressions import Operator, operation
    >>> call = operation(Operator.CALL, Identifier("S"), Constant(0))
    >>> loops_document(LoopAst(User(call)))["root"]
    {'node': 'user', 'statement': {'operator': 'call', 'operands': ['S', 0]}}
    """
    return {"format": FORMAT, "root": _node(ast.root)}


def _node(node: Node) -> dict[str, object]:
    match node:
        case For():
            return {
                "node": "for",
                "iterator": node.iterator,
                "start": _expression(node.start),
                "condition": _expression(node.condition),
                "step": node.step,
                "degenerate": node.is_degenerate,
                "body": _node(node.body),
            }
        case If(condition, then, otherwise):
            branches: dict[str, object] = {
                "node": "if",
                "condition": _expression(condition),
                "then": _node(then),
            }
            return branches if otherwise is None else branches | {"else": _node(otherwise)}
        case Block(children):
            return {"node": "block", "children": [_node(child) for child in children]}
        case User(statement):
            return {"node": "user", "statement": _expression(statement)}
        case Mark(name, body):
            return {"node": "mark", "name": name, "body": _node(body)}
        case _:
            assert_never(node)


def _expression(expression: Expr) -> object:
    match expression:
        case Constant(value):
            return value
        case Identifier(name):
            return name
        case Operation(operator, operands):
            return {
                "operator": operator.value,
                "operands": [_expression(operand) for operand in operands],
            }
        case _:
            assert_never(expression)
