"""Annotated ASTs (§4.4): a node, what must still be tested around it, what it tests itself."""

from __future__ import annotations

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.loop_ast import Block, Node


@record(eq=False)
class Graft:
    """A generated node with its conditions on the iterators outside.

    The node may run only where ``guard`` holds: it has to be enforced further out.  Outside
    ``enforced`` the node does nothing anyway.
    """

    node: Node
    guard: isl.Set
    enforced: isl.Set


def block(nodes: list[Node]) -> Node:
    """The nodes one after the other, without a block inside a block."""
    flat = [inner for node in nodes for inner in _inside(node)]
    return flat[0] if len(flat) == 1 else Block(tuple(flat))


def _inside(node: Node) -> tuple[Node, ...]:
    return node.children if isinstance(node, Block) and not node.is_scope else (node,)
