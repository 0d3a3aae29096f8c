"""Generated loops with their statements as C lines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import assert_never

from loopwright.basics.records import record
from loopwright.emit.arithmetic import INT, LONG, Arithmetic, DoesNotFit, Typed
from loopwright.emit.locals import identifiers_in
from loopwright.emit.placement import Move, Placed
from loopwright.emit.pragmas import Pragma
from loopwright.emit.ranges import Range
from loopwright.emit.statements import StatementPrinter
from loopwright.model.expressions import (
    Constant,
    Expr,
    Identifier,
    Operation,
    Operator,
    expression_text,
)
from loopwright.model.loop_ast import Block, For, If, Mark, Node, User
from loopwright.model.pragma_marks import LEAST_WORK

COUNTING = re.compile(r"^\s*for \((c\d+) = ", re.MULTILINE)
"""A loop whose iterator is declared elsewhere."""


@record(eq=False)
class LoopPrinter:
    """Prints loops with iterators of type ``int``, or ``long`` where that is too narrow."""

    statements: StatementPrinter
    has_long_iterators: bool
    unit: str
    is_c89: bool = False
    """Without declarations in the heads of loops, and without comments of C99."""
    declarations: Mapping[str, str] = field(default_factory=dict[str, str])
    """What is declared where a mark of this name is."""

    @property
    def iterator_type(self) -> str:
        """The C type of the iterators."""
        return "long" if self.has_long_iterators else "int"

    def lines(self, node: Node, arithmetic: Arithmetic) -> list[str]:
        """The lines of a node; :class:`DoesNotFit` if the iterators have to be wider."""
        match node:
            case For(is_degenerate=True):
                return self._assignment(node, arithmetic)
            case For(annotation=Pragma() as pragma):
                lines = self._for(node, arithmetic)
                return [_pragma_line(self._with_own_iterators(pragma, lines), arithmetic), *lines]
            case For():
                return self._for(node, arithmetic)
            case If():
                return self._if(node, arithmetic)
            case Block():
                inside = self.inner_lines(node, arithmetic)
                return ["{", *self._deeper(inside), "}"] if inside else []
            case User(annotation=Move() as move):
                return [self.statements.move_line(move, arithmetic)]
            case User(annotation=placed):
                assert isinstance(placed, Placed)
                return self.statements.lines(placed, arithmetic)
            case Mark(name) if name in self.declarations:
                return ["{", *self._deeper(self.inner_lines(node, arithmetic)), "}"]
            case Mark(name, body):
                comment = f"/* {name} */" if self.is_c89 else f"// {name}"
                return [comment, *self.inner_lines(body, arithmetic)]
            case _:
                assert_never(node)

    def inner_lines(self, node: Node, arithmetic: Arithmetic) -> list[str]:
        """The lines of a node that stands in braces already."""
        if isinstance(node, Mark) and node.name in self.declarations:
            return [self.declarations[node.name], *self.inner_lines(node.body, arithmetic)]
        inside = node.children if isinstance(node, Block) else (node,)
        return [line for child in inside for line in self.lines(child, arithmetic)]

    def _deeper(self, lines: list[str]) -> list[str]:
        return [f"{self.unit}{line}" for line in lines]

    def _under(
        self, head: str, body: Node, arithmetic: Arithmetic, *, is_if: bool = False
    ) -> list[str]:
        """A head with its body: on the next line, or in braces, as where an else may dangle."""
        body = _settled(body, arithmetic)
        lines = self.inner_lines(body, arithmetic)
        is_dangling = is_if and any("else" in identifiers_in(line) for line in lines)
        if _is_one_statement(body, lines) and not is_dangling:
            return [head, *self._deeper(lines)]
        return [f"{head} {{", *self._deeper(lines), "}"]

    def _for(self, loop: For, arithmetic: Arithmetic) -> list[str]:
        start = arithmetic.typed(loop.start)
        last = _upper_bound(loop.iterator, loop.condition, arithmetic)
        values = Range(start.values.low, max(start.values.high, last + loop.step))
        inner = self._with_iterator(loop, start, values, arithmetic)
        # The condition also sees the value after the last.
        condition = expression_text(inner.typed(loop.condition).expression)
        step = f"{loop.iterator}++" if loop.step == 1 else f"{loop.iterator} += {loop.step}"
        type_ = "" if self.is_c89 else f"{self.iterator_type} "
        first = f"{type_}{loop.iterator} = {expression_text(start.expression)}"
        inside = Range(start.values.low, max(start.values.low, last))
        body = arithmetic.with_iterator(
            loop.iterator, is_long=self.has_long_iterators, values=inside
        )
        return self._under(f"for ({first}; {condition}; {step})", loop.body, body)

    def _with_own_iterators(self, pragma: Pragma, lines: Sequence[str]) -> Pragma:
        """What C89 declares in front of all loops, each thread has for itself."""
        inside = sorted(set(COUNTING.findall("\n".join(lines[1:])))) if self.is_c89 else []
        if not inside or "parallel" not in pragma.text:
            return pragma
        return replace(pragma, text=f"{pragma.text} private({', '.join(inside)})")

    def _assignment(self, loop: For, arithmetic: Arithmetic) -> list[str]:
        start = arithmetic.typed(loop.start)
        inner = self._with_iterator(loop, start, start.values, arithmetic)
        value = expression_text(start.expression)
        lines = self.inner_lines(loop.body, inner)
        first = f"const {self.iterator_type} {loop.iterator} = {value};"
        return ["{", *self._deeper([first, *lines]), "}"]

    def _with_iterator(
        self, loop: For, start: Typed, values: Range, arithmetic: Arithmetic
    ) -> Arithmetic:
        if not (LONG if self.has_long_iterators else INT).contains(
            values.joined_with(start.values)
        ):
            raise DoesNotFit
        return arithmetic.with_iterator(
            loop.iterator, is_long=self.has_long_iterators, values=values
        )

    def _if(self, node: If, arithmetic: Arithmetic) -> list[str]:
        settled = _settled(node, arithmetic)
        if not isinstance(settled, If):
            return self.inner_lines(settled, arithmetic)
        node = settled
        head = f"if ({expression_text(arithmetic.typed(node.condition).expression)})"
        if node.otherwise is None:
            return self._under(head, node.then, arithmetic, is_if=True)
        # With an else, the branches stand in braces: no dangling else, no doubt.
        first = [f"{head} {{", *self._deeper(self.inner_lines(node.then, arithmetic))]
        otherwise = _settled(node.otherwise, arithmetic)
        if isinstance(otherwise, If):
            rest = self.lines(otherwise, arithmetic)
            return [*first, f"}} else {rest[0]}", *rest[1:]]
        return [*first, "} else {", *self._deeper(self.inner_lines(otherwise, arithmetic)), "}"]


def _pragma_line(pragma: Pragma, arithmetic: Arithmetic) -> str:
    """The pragma, with a condition on the work; in floating point, where no product overflows."""
    extents = [expression_text(arithmetic.typed(each).expression) for each in pragma.extents]
    if all(each.isdecimal() for each in extents):
        return f"#pragma {pragma.text}"
    factors = [each if each.isidentifier() or each.isdecimal() else f"({each})" for each in extents]
    return f"#pragma {pragma.text} if(1.0 * {' * '.join(factors)} >= {LEAST_WORK})"


def _settled(node: Node, arithmetic: Arithmetic) -> Node:
    """Without conditions that always hold or never do, as the ranges of the variables tell."""
    while isinstance(node, If):
        condition = arithmetic.typed(node.condition).expression
        if not isinstance(condition, Constant):
            break
        chosen = node.then if condition.value else node.otherwise
        node = chosen if chosen is not None else Block(())
    return node


def _is_one_statement(body: Node, lines: list[str]) -> bool:
    """May the body stand without braces?"""
    match body:
        case Block() | Mark() | For(is_degenerate=True) | For(annotation=Pragma()):
            return False
        case User():
            return len(lines) == 1
        case _:
            return bool(lines)


def _upper_bound(iterator: str, condition: Expr, arithmetic: Arithmetic) -> int:
    """The greatest value for which the loop runs."""
    bounds = list(_upper_bounds(iterator, condition, arithmetic))
    if not bounds:
        raise DoesNotFit
    return min(bounds)


def _upper_bounds(iterator: str, condition: Expr, arithmetic: Arithmetic) -> list[int]:
    it = Identifier(iterator)
    match condition:
        case Operation(Operator.LAZY_AND | Operator.EAGER_AND, operands):
            return [
                bound for each in operands for bound in _upper_bounds(iterator, each, arithmetic)
            ]
        case Operation(Operator.LESS, (left, bound)) if left == it:
            return [arithmetic.typed(bound).values.high - 1]
        case Operation(Operator.LESS_OR_EQUAL, (left, bound)) if left == it:
            return [arithmetic.typed(bound).values.high]
        case Operation(Operator.GREATER, (bound, right)) if right == it:
            return [arithmetic.typed(bound).values.high - 1]
        case Operation(Operator.GREATER_OR_EQUAL, (bound, right)) if right == it:
            return [arithmetic.typed(bound).values.high]
        case _:
            return []
