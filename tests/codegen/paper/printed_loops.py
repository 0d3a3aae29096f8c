"""Loops as a paper prints them: read, compared up to style, and run with the arithmetic of C.

Reading takes away what is only style: ``int`` or not, ``i++`` or ``i += 1``, redundant parentheses
and braces, spaces.  What is left is compared as text after the iterators are renamed by depth.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import assert_never

from loopwright.model.expressions import Constant, Expr, Identifier, Operation, Operator
from loopwright.model.loop_ast import Block, For, If, LoopAst, Mark, Node, User

_TOKEN = re.compile(r"//[^\n]*|\d+|\w+|\+\+|\+=|&&|\|\||[<>=]=|[-+*/%<>=?:&|(){};,]|\S")

_BINARY = [
    {"||": Operator.LAZY_OR},
    {"&&": Operator.LAZY_AND},
    {"|": Operator.EAGER_OR},
    {"&": Operator.EAGER_AND},
    {"==": Operator.EQUAL},
    {
        "<": Operator.LESS,
        "<=": Operator.LESS_OR_EQUAL,
        ">": Operator.GREATER,
        ">=": Operator.GREATER_OR_EQUAL,
    },
    {"+": Operator.ADD, "-": Operator.SUBTRACT},
    {
        "*": Operator.MULTIPLY,
        # Which of the divisions is meant cannot be seen; all are printed alike.
        "/": Operator.NON_NEGATIVE_DIVISION,
        "%": Operator.NON_NEGATIVE_REMAINDER,
    },
]
"""Binary operators of C, loosest first."""

_CALLS = {
    "min": Operator.MINIMUM,
    "max": Operator.MAXIMUM,
    "floord": Operator.FLOOR_DIVISION,
}


class _Reader:
    """A recursive descent over the tokens."""

    def __init__(self, text: str) -> None:
        self._tokens = _TOKEN.findall(text)
        self._next = 0

    def program(self) -> LoopAst:
        children: list[Node] = []
        while self._peek():
            children.append(self._statement())
        return LoopAst(_block(children))

    def _peek(self) -> str:
        return self._tokens[self._next] if self._next < len(self._tokens) else ""

    def _take(self, expected: str = "") -> str:
        token = self._peek()
        assert token == (expected or token or "more"), f"{expected} before {self._rest()}"
        self._next += 1
        return token

    def _rest(self) -> str:
        return " ".join(self._tokens[self._next :][:8]) or "the end"

    def _took(self, token: str) -> bool:
        if self._peek() != token:
            return False
        self._next += 1
        return True

    def _statement(self) -> Node:
        if self._took("{"):
            return self._rest_of_block()
        if self._took("for"):
            return self._rest_of_for()
        if self._took("if"):
            return self._rest_of_if()
        if self._peek().startswith("//"):
            return self._comment()
        name = Identifier(self._take())
        self._take("(")
        statement = Operation(Operator.CALL, (name, *self._rest_of_call()))
        self._take(";")
        return User(statement)

    def _comment(self) -> Node:
        """``// body`` is a mark, around nothing unless braces follow."""
        name = self._take()[2:].strip()
        return Mark(name, self._statement() if self._peek() == "{" else Block(()))

    def _rest_of_block(self) -> Node:
        children: list[Node] = []
        while not self._took("}"):
            children.append(self._statement())
        return _block(children)

    def _rest_of_for(self) -> Node:
        self._take("(")
        self._took("int")
        iterator = self._take()
        self._take("=")
        start = self._expression()
        self._take(";")
        condition = Constant(1) if self._peek() == ";" else self._expression()
        self._take(";")
        step = self._update(iterator)
        self._take(")")
        return For(iterator, start, condition, step, self._statement())

    def _update(self, iterator: str) -> int:
        if self._took("++"):
            self._take(iterator)
            return 1
        self._take(iterator)
        if self._took("++"):
            return 1
        self._take("+=")
        return int(self._take())

    def _rest_of_if(self) -> Node:
        self._take("(")
        condition = self._expression()
        self._take(")")
        then = self._statement()
        return If(condition, then, self._statement() if self._took("else") else None)

    def _expression(self) -> Expr:
        condition = self._binary(0)
        if not self._took("?"):
            return condition
        yes = self._expression()
        self._take(":")
        return Operation(Operator.LAZY_CONDITIONAL, (condition, yes, self._expression()))

    def _binary(self, level: int) -> Expr:
        if level == len(_BINARY):
            return self._unary()
        left = self._binary(level + 1)
        while operator := _BINARY[level].get(self._peek()):
            self._take()
            left = Operation(operator, (left, self._binary(level + 1)))
        return left

    def _unary(self) -> Expr:
        if not self._took("-"):
            return self._primary()
        operand = self._unary()
        if isinstance(operand, Constant):
            return Constant(-operand.value)
        return Operation(Operator.NEGATE, (operand,))

    def _primary(self) -> Expr:
        if self._took("("):
            inside = self._expression()
            self._take(")")
            return inside
        token = self._take()
        if token.isdigit():
            return Constant(int(token))
        if not self._took("("):
            return Identifier(token)
        operands = self._rest_of_call()
        if token == "ceild":
            return _ceiling(*operands)
        assert token in _CALLS, f"{token} is no function"
        return Operation(_CALLS[token], operands)

    def _rest_of_call(self) -> tuple[Expr, ...]:
        operands: list[Expr] = []
        while not self._took(")"):
            operands.append(self._expression())
            self._took(",")
        return tuple(operands)


def _block(children: list[Node]) -> Node:
    """Braces around a single statement say nothing."""
    return children[0] if len(children) == 1 else Block(tuple(children))


def _ceiling(dividend: Expr, divisor: Expr) -> Expr:
    """⌈a / b⌉ = -⌊-a / b⌋."""
    opposite = Operation(Operator.NEGATE, (dividend,))
    floor = Operation(Operator.FLOOR_DIVISION, (opposite, divisor))
    return Operation(Operator.NEGATE, (floor,))


def loops_from_text(text: str) -> LoopAst:
    """The loops that the text prints."""
    return _Reader(text).program()


def normal_text(text: str) -> str:
    """The same loops in one style, iterators named ``i0``, ``i1``, … by depth."""
    return LoopAst(_renamed(loops_from_text(text).root, {})).to_c()


def _renamed(node: Node, names: dict[str, str]) -> Node:
    match node:
        case For():
            inner = names | {node.iterator: f"i{len(names)}"}
            return For(
                inner[node.iterator],
                _with_names(node.start, names),
                _with_names(node.condition, inner),
                node.step,
                _renamed(node.body, inner),
            )
        case If(condition, then, otherwise):
            rest = None if otherwise is None else _renamed(otherwise, names)
            return If(_with_names(condition, names), _renamed(then, names), rest)
        case Block(children):
            return Block(tuple(_renamed(child, names) for child in children))
        case Mark(name, body):
            return Mark(name, _renamed(body, names))
        case User(statement):
            function, *arguments = statement.operands
            inside = tuple(_with_names(argument, names) for argument in arguments)
            return User(Operation(Operator.CALL, (function, *inside)))
        case _:
            assert_never(node)


def _with_names(expression: Expr, names: dict[str, str]) -> Expr:
    match expression:
        case Constant():
            return expression
        case Identifier(name):
            return Identifier(names.get(name, name))
        case Operation(operator, operands):
            return Operation(operator, tuple(_with_names(each, names) for each in operands))
        case _:
            assert_never(expression)


# --- running ------------------------------------------------------------------------------------

Visit = tuple[str, tuple[int, ...]]


def visits(node: Node, values: dict[str, int]) -> Iterator[Visit]:
    """The statement instances in the order in which C would run them."""
    match node:
        case For():
            current = c_value(node.start, values)
            while c_value(node.condition, inner := values | {node.iterator: current}):
                yield from visits(node.body, inner)
                current += node.step
        case If(condition, then, otherwise):
            if c_value(condition, values):
                yield from visits(then, values)
            elif otherwise is not None:
                yield from visits(otherwise, values)
        case Block(children):
            for child in children:
                yield from visits(child, values)
        case Mark(body=body):
            yield from visits(body, values)
        case User(statement):
            function, *arguments = statement.operands
            assert isinstance(function, Identifier)
            yield function.name, tuple(c_value(argument, values) for argument in arguments)
        case _:
            assert_never(node)


def c_value(expression: Expr, values: dict[str, int]) -> int:
    """The value in C: ``/`` rounds to zero, ``%`` has the sign of the dividend."""
    match expression:
        case Constant(value):
            return value
        case Identifier(name):
            return values[name]
        case Operation(Operator.LAZY_CONDITIONAL, (condition, yes, no)):
            return c_value(yes if c_value(condition, values) else no, values)
        case Operation(operator, operands):
            return _apply(operator, [c_value(operand, values) for operand in operands])
        case _:
            assert_never(expression)


def _apply(operator: Operator, operands: list[int]) -> int:
    if operator is Operator.NEGATE:
        return -operands[0]
    if operator in (Operator.MINIMUM, Operator.MAXIMUM):
        return min(operands) if operator is Operator.MINIMUM else max(operands)
    first, second = operands
    quotient = (
        abs(first) // abs(second) * (1 if (first < 0) == (second < 0) else -1) if second else 0
    )
    return int(
        {
            Operator.ADD: first + second,
            Operator.SUBTRACT: first - second,
            Operator.MULTIPLY: first * second,
            Operator.FLOOR_DIVISION: first // second if second else 0,
            Operator.NON_NEGATIVE_DIVISION: quotient,
            Operator.NON_NEGATIVE_REMAINDER: first - second * quotient,
            Operator.LAZY_AND: bool(first and second),
            Operator.LAZY_OR: bool(first or second),
            Operator.EAGER_AND: bool(first & second),
            Operator.EAGER_OR: bool(first | second),
            Operator.EQUAL: first == second,
            Operator.LESS: first < second,
            Operator.LESS_OR_EQUAL: first <= second,
            Operator.GREATER: first > second,
            Operator.GREATER_OR_EQUAL: first >= second,
        }[operator]
    )
