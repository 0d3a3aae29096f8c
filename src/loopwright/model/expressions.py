"""Expressions of generated code: integers, names, and operators that say what they rely on."""

from __future__ import annotations

from enum import Enum

from loopwright.basics.records import record


class Operator(Enum):
    """What an :class:`Operation` computes from its operands.

    Three divisions and two remainders say what is known about their operands (AST generation
    §4.3), so that each can be printed as the cheapest thing that is right.  The divisor is always a
    positive constant.  Boolean and conditional operators come lazy (a later operand is evaluated
    only if it decides) and eager (all may be).
    """

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    NEGATE = "unary -"
    MINIMUM = "min"
    MAXIMUM = "max"
    FLOOR_DIVISION = "floord"
    """⌊a / b⌋, for any a."""
    EXACT_DIVISION = "exact /"
    """a / b, where b divides a."""
    NON_NEGATIVE_DIVISION = "/"
    """⌊a / b⌋, where a ≥ 0."""
    NON_NEGATIVE_REMAINDER = "%"
    """a mod b, where a ≥ 0."""
    ZERO_REMAINDER = "zero %"
    """Of which only matters whether it is 0; a may be negative."""
    LAZY_AND = "&&"
    LAZY_OR = "||"
    LAZY_CONDITIONAL = "?:"
    EAGER_AND = "&"
    EAGER_OR = "|"
    EAGER_CONDITIONAL = "eager ?:"
    EQUAL = "=="
    LESS = "<"
    LESS_OR_EQUAL = "<="
    GREATER = ">"
    GREATER_OR_EQUAL = ">="
    CALL = "call"
    """The first operand applied to the others: a statement and its instance."""
    ACCESS = "access"
    """An element of the first operand, subscripted by the others."""


@record
class Constant:
    """An integer."""

    value: int


@record
class Identifier:
    """An iterator, a symbolic constant, or the name of a statement or an array."""

    name: str


@record
class Operation:
    """An operator applied to operands; sums, products, min, max, and, or take two or more."""

    operator: Operator
    operands: tuple[Expr, ...]


Expr = Constant | Identifier | Operation


def operation(operator: Operator, *operands: Expr) -> Operation:
    """The operation, written as a call."""
    return Operation(operator, operands)


def names_in(expression: Expr) -> frozenset[str]:
    """The names that an expression uses.

    >>> sorted(names_in(Operation(Operator.ADD, (Identifier("n"), Constant(1)))))
    ['n']
    """
    match expression:
        case Constant():
            return frozenset()
        case Identifier(name):
            return frozenset({name})
        case Operation(operands=operands):
            return frozenset[str]().union(*map(names_in, operands))


# --- as C ---------------------------------------------------------------------------------------

_LEVELS = {
    Operator.LAZY_CONDITIONAL: 1,
    Operator.EAGER_CONDITIONAL: 1,
    Operator.LAZY_OR: 2,
    Operator.LAZY_AND: 3,
    Operator.EAGER_OR: 4,
    Operator.EAGER_AND: 5,
    Operator.EQUAL: 6,
    Operator.LESS: 7,
    Operator.LESS_OR_EQUAL: 7,
    Operator.GREATER: 7,
    Operator.GREATER_OR_EQUAL: 7,
    Operator.ADD: 8,
    Operator.SUBTRACT: 8,
    Operator.MULTIPLY: 9,
    Operator.EXACT_DIVISION: 9,
    Operator.NON_NEGATIVE_DIVISION: 9,
    Operator.NON_NEGATIVE_REMAINDER: 9,
    Operator.ZERO_REMAINDER: 9,
    Operator.NEGATE: 10,
}
"""How tightly C binds an operator; what is not here binds tightest of all."""

_TIGHTEST = 11
_SYMBOLS = {
    Operator.EXACT_DIVISION: "/",
    Operator.ZERO_REMAINDER: "%",
}
_LOGICAL = frozenset({Operator.LAZY_AND, Operator.LAZY_OR, Operator.EAGER_AND, Operator.EAGER_OR})
_DIVIDING = frozenset(
    {
        Operator.EXACT_DIVISION,
        Operator.NON_NEGATIVE_DIVISION,
        Operator.NON_NEGATIVE_REMAINDER,
        Operator.ZERO_REMAINDER,
    }
)


def expression_text(expression: Expr) -> str:
    """The expression as C, with the parentheses that it needs and those that people expect.

    ``floord``, ``min`` and ``max`` are written as calls.

    >>> n, c0 = Identifier("n"), Identifier("c0")
    >>> half = operation(Operator.FLOOR_DIVISION, n, Constant(2))
    >>> print(expression_text(operation(Operator.SUBTRACT, half, operation(Operator.ADD, c0, n))))
    floord(n, 2) - (c0 + n)
    """
    return _text(expression, 0)


def _text(expression: Expr, around: int) -> str:
    """The text, in parentheses if it binds less tightly than what stands around it."""
    match expression:
        case Constant(value):
            return f"({value})" if value < 0 and around > _LEVELS[Operator.ADD] else str(value)
        case Identifier(name):
            return name
        case Operation(operator, operands):
            level = _LEVELS.get(operator, _TIGHTEST)
            text = _operation_text(operator, operands, level)
            return f"({text})" if level < around else text


def _operation_text(operator: Operator, operands: tuple[Expr, ...], level: int) -> str:
    match operator:
        case Operator.CALL:
            return f"{_text(operands[0], _TIGHTEST)}({_listed(operands[1:])})"
        case Operator.ACCESS:
            subscripts = "".join(f"[{_text(subscript, 0)}]" for subscript in operands[1:])
            return _text(operands[0], _TIGHTEST) + subscripts
        case Operator.MINIMUM | Operator.MAXIMUM:
            return _nested_calls(operator.value, operands)
        case Operator.FLOOR_DIVISION:
            return f"floord({_listed(operands)})"
        case Operator.LAZY_CONDITIONAL | Operator.EAGER_CONDITIONAL:
            condition, yes, no = (_text(operand, level + 1) for operand in operands)
            return f"{condition} ? {yes} : {no}"
        case Operator.NEGATE:
            return f"-{_text(operands[0], level)}"
        case _:
            return _infix(operator, operands, level)


def _infix(operator: Operator, operands: tuple[Expr, ...], level: int) -> str:
    """Operands with the symbol between them; all but the first bind more tightly."""
    symbol = _SYMBOLS.get(operator, operator.value)
    first, *others = operands
    # A sign in front binds to the number: ``-2 * n``.
    texts = [str(first.value) if isinstance(first, Constant) else _side(operator, first, level)]
    texts += [_side(operator, operand, level + 1) for operand in others]
    return f" {symbol} ".join(texts)


def _side(around: Operator, operand: Expr, level: int) -> str:
    return _text(operand, _TIGHTEST if _needs_clarity(around, operand) else level)


def _needs_clarity(around: Operator, operand: Expr) -> bool:
    """Compilers warn about ``a || b && c`` and about ``a < b & c``, people about ``a * b % c``."""
    if not isinstance(operand, Operation):
        return False
    if around in {Operator.EAGER_AND, Operator.EAGER_OR}:
        return True
    if around in _DIVIDING or around is Operator.MULTIPLY:
        return operand.operator in _DIVIDING
    return around in _LOGICAL and operand.operator in _LOGICAL and operand.operator is not around


def _nested_calls(name: str, operands: tuple[Expr, ...]) -> str:
    """``min(a, min(b, c))``: the macros take two."""
    *outer, last = (_text(operand, 0) for operand in operands)
    text = last
    for operand in reversed(outer):
        text = f"{name}({operand}, {text})"
    return text


def _listed(operands: tuple[Expr, ...]) -> str:
    return ", ".join(_text(operand, 0) for operand in operands)
