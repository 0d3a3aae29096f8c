"""Names for values that would be divided out again in every iteration.

The paper puts the single value of a level in wherever the level is used (§5.3).  If the value has a
division and is used in loops, a person writes it down once, under the name that the loop would have
had; then ``S(n - n % 8 + c5)`` is ``S(c4 + c5)`` in all iterations.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from loopwright.codegen.sums import Sum, sum_expression
from loopwright.model.expressions import Constant, Expr, Identifier, Operation, Operator
from loopwright.model.loop_ast import Block, For, If, Mark, Node, User

_DIVIDING = frozenset(
    {
        Operator.FLOOR_DIVISION,
        Operator.NON_NEGATIVE_DIVISION,
        Operator.NON_NEGATIVE_REMAINDER,
    }
)


def with_name(node: Node, name: str, value: Expr) -> Node:
    """The node with a name for a value, if statements in loops repeat its division; else as it is.

    >>> n, c5 = Identifier("n"), Identifier("c5")
    >>> rest = Operation(Operator.NON_NEGATIVE_REMAINDER, (n, Constant(8)))
    >>> value = Operation(Operator.SUBTRACT, (n, rest))
    >>> statement = Operation(Operator.CALL, (Identifier("S"), sum_expression(
    ...     Sum(((rest, -1), (n, 1), (c5, 1)), 0))))
    >>> end = Operation(Operator.LESS, (c5, rest))
    >>> loop = For("c5", Constant(0), end, 1, User(statement))
    >>> from loopwright.model.loop_ast import node_text
    >>> print(node_text(with_name(loop, "c4", value)), end="")
    {
      const int c4 = n - n % 8;
      for (int c5 = 0; c5 < n - c4; c5 += 1)
        S(c4 + c5);
    }
    """
    total = _sum_of(value)
    division = next((term for term in total.terms if _is_division(term[0])), None)
    if division is None:
        return node
    naming = _Naming(Identifier(name), total, *division)
    renamed = naming.in_node(node, repeated=False)
    if not naming.in_statements:
        return node
    end = Operation(Operator.LESS_OR_EQUAL, (Identifier(name), value))
    return For(name, value, end, 1, renamed, is_degenerate=True)


class _Naming:
    """Replaces the division in sums: s becomes s - f·value + f·name."""

    def __init__(self, name: Identifier, value: Sum, division: Expr, coefficient: int) -> None:
        self.name = name
        self.value = value
        self.division = division
        self.coefficient = coefficient
        self.in_statements = False

    def in_node(self, node: Node, *, repeated: bool) -> Node:
        """The node, changed where it is evaluated more than once."""
        match node:
            case For():
                return replace(
                    node,
                    start=self._in(node.start, repeated=repeated),
                    condition=self._in(node.condition, repeated=not node.is_degenerate),
                    body=self.in_node(node.body, repeated=not node.is_degenerate or repeated),
                )
            case If(condition, then, otherwise):
                return If(
                    self._in(condition, repeated=repeated),
                    self.in_node(then, repeated=repeated),
                    None if otherwise is None else self.in_node(otherwise, repeated=repeated),
                )
            case Block(children):
                inside = tuple(self.in_node(child, repeated=repeated) for child in children)
                return replace(node, children=inside)
            case User(statement=Operation(operator, operands), annotation=annotation):
                # What a callback attached may repeat the value where we cannot see it; a name that
                # only the call uses would be left without a use when something else is printed.
                if not repeated or annotation is not None:
                    return node
                changed = tuple(self.in_expression(operand) for operand in operands)
                self.in_statements = self.in_statements or changed != operands
                return replace(node, statement=Operation(operator, changed))
            case Mark(body=body):
                return replace(node, body=self.in_node(body, repeated=repeated))
            case _:
                assert_never(node)

    def _in(self, expression: Expr, *, repeated: bool) -> Expr:
        return self.in_expression(expression) if repeated else expression

    def in_expression(self, expression: Expr) -> Expr:
        """The expression without the division, where that stands in a sum."""
        if not isinstance(expression, Operation):
            return expression
        if expression == self.division or expression.operator in _SUMMING:
            total = _sum_of(expression)
            factor, rest = divmod(dict(total.terms).get(self.division, 0), self.coefficient)
            if factor and not rest:
                return sum_expression(self._replaced(total, factor))
        operands = tuple(self.in_expression(operand) for operand in expression.operands)
        return (
            expression
            if operands == expression.operands
            else replace(expression, operands=operands)
        )

    def _replaced(self, total: Sum, factor: int) -> Sum:
        terms = dict(total.terms)
        for operand, coefficient in self.value.terms:
            terms[operand] = terms.get(operand, 0) - factor * coefficient
        kept = tuple(term for term in terms.items() if term[1])
        constant = total.constant - factor * self.value.constant
        return Sum(((self.name, factor), *kept), constant)


_SUMMING = frozenset({Operator.ADD, Operator.SUBTRACT, Operator.NEGATE, Operator.MULTIPLY})


def _is_division(operand: Expr) -> bool:
    return isinstance(operand, Operation) and operand.operator in _DIVIDING


def _sum_of(expression: Expr) -> Sum:
    """The expression as a sum of what is not one itself.

    >>> n = Identifier("n")
    >>> _sum_of(Operation(Operator.SUBTRACT, (n, Constant(3)))).constant
    -3
    """
    terms: dict[Expr, int] = {}
    constant = _collect(expression, 1, terms)
    return Sum(tuple(term for term in terms.items() if term[1]), constant)


def _collect(expression: Expr, factor: int, terms: dict[Expr, int]) -> int:
    match expression:
        case Constant(value):
            return factor * value
        case Operation(Operator.ADD, operands):
            return sum(_collect(operand, factor, terms) for operand in operands)
        case Operation(Operator.SUBTRACT, (left, right)):
            return _collect(left, factor, terms) + _collect(right, -factor, terms)
        case Operation(Operator.NEGATE, (operand,)):
            return _collect(operand, -factor, terms)
        case Operation(Operator.MULTIPLY, (Constant(value), operand)):
            return _collect(operand, factor * value, terms)
        case _:
            terms[expression] = terms.get(expression, 0) + factor
            return 0
