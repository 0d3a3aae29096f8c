"""The AST of isl as ours, so that one interpreter runs both."""

from __future__ import annotations

import islpy as isl

from loopwright.model.expressions import Constant, Expr, Identifier, Operation, Operator
from loopwright.model.loop_ast import Block, For, If, LoopAst, Mark, Node, User

# By name: the stubs of islpy lack the members that end in an underscore.
OPERATORS = {
    "add": Operator.ADD,
    "sub": Operator.SUBTRACT,
    "mul": Operator.MULTIPLY,
    "minus": Operator.NEGATE,
    "min": Operator.MINIMUM,
    "max": Operator.MAXIMUM,
    "fdiv_q": Operator.FLOOR_DIVISION,
    "div": Operator.EXACT_DIVISION,
    "pdiv_q": Operator.NON_NEGATIVE_DIVISION,
    "pdiv_r": Operator.NON_NEGATIVE_REMAINDER,
    "zdiv_r": Operator.ZERO_REMAINDER,
    "and_then": Operator.LAZY_AND,
    "or_else": Operator.LAZY_OR,
    "cond": Operator.LAZY_CONDITIONAL,
    "and_": Operator.EAGER_AND,
    "or_": Operator.EAGER_OR,
    "select": Operator.EAGER_CONDITIONAL,
    "eq": Operator.EQUAL,
    "lt": Operator.LESS,
    "le": Operator.LESS_OR_EQUAL,
    "gt": Operator.GREATER,
    "ge": Operator.GREATER_OR_EQUAL,
    "call": Operator.CALL,
    "access": Operator.ACCESS,
}


def loop_ast_from_isl(node: isl.AstNode) -> LoopAst:
    """The same loops, node by node.

    >>> build = isl.AstBuild.from_context(isl.Set("{ : }"))
    >>> node = build.node_from_schedule_map(isl.UnionMap("{ S[i] -> [i] : 0 <= i < 9 }"))
    >>> print(loop_ast_from_isl(node).to_c(), end="")
    for (int c0 = 0; c0 <= 8; c0 += 1)
      S(c0);
    """
    return LoopAst(_node(node))


def _node(node: isl.AstNode) -> Node:
    match isl.ast_node_type(node.get_type()).name:
        case "for_":
            return _for(node)
        case "if_":
            has_else = node.if_has_else()
            return If(
                expression_from_isl(node.if_get_cond()),
                _node(node.if_get_then()),
                _node(node.if_get_else()) if has_else else None,
            )
        case "block":
            inside = node.block_get_children()
            count = inside.n_ast_node()
            return Block(tuple(_node(inside.get_at(position)) for position in range(count)))
        case "user":
            statement = expression_from_isl(node.user_get_expr())
            assert isinstance(statement, Operation)
            return User(statement)
        case "mark":
            return Mark(node.mark_get_id().get_name(), _node(node.mark_get_node()))
        case kind:
            raise AssertionError(kind)


def _for(node: isl.AstNode) -> For:
    iterator = expression_from_isl(node.for_get_iterator())
    step = expression_from_isl(node.for_get_inc())
    assert isinstance(iterator, Identifier)
    assert isinstance(step, Constant)
    return For(
        iterator.name,
        expression_from_isl(node.for_get_init()),
        expression_from_isl(node.for_get_cond()),
        step.value,
        _node(node.for_get_body()),
        is_degenerate=node.for_is_degenerate(),
    )


def expression_from_isl(expression: isl.AstExpr) -> Expr:
    """The same expression, operator by operator."""
    match expression.get_type():
        case isl.ast_expr_type.int:
            return Constant(expression.get_val().to_python())
        case isl.ast_expr_type.id:
            return Identifier(expression.get_id().get_name())
        case isl.ast_expr_type.op:
            operands = (
                expression_from_isl(expression.get_op_arg(position))
                for position in range(expression.get_op_n_arg())
            )
            return Operation(
                OPERATORS[isl.ast_expr_op_type(expression.get_op_type()).name], tuple(operands)
            )
        case kind:
            raise AssertionError(kind)
