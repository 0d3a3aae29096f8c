"""Statement bodies as C text, at the place where the statement runs now.

The parentheses of the source are gone by now; those that the tree needs are put back, and those
that compilers ask for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from loopwright.basics.records import record
from loopwright.model.bodies import (
    AddressOf,
    Assign,
    Binary,
    Block,
    Body,
    Break,
    Call,
    Cast,
    Conditional,
    Continue,
    Declare,
    Evaluate,
    Expression,
    For,
    If,
    Increment,
    Index,
    InitializerList,
    IteratorValue,
    Kill,
    Literal,
    Member,
    Name,
    Reference,
    Reinterpret,
    Unary,
    While,
)
from loopwright.model.expressions import (
    Constant,
    Expr,
    Identifier,
    Operation,
    Operator,
    expression_text,
)

_COMMA, _ASSIGNMENT, _CONDITIONAL = 1, 2, 3
_LEVELS = {
    ",": _COMMA,
    "||": 4,
    "&&": 5,
    "|": 6,
    "^": 7,
    "&": 8,
    "==": 9,
    "!=": 9,
    "<": 10,
    ">": 10,
    "<=": 10,
    ">=": 10,
    "<<": 11,
    ">>": 11,
    "+": 12,
    "-": 12,
    "*": 13,
    "/": 13,
    "%": 13,
}
UNARY, POSTFIX, PRIMARY = 14, 15, 16
_GENERATED = {
    Operator.ADD: _LEVELS["+"],
    Operator.SUBTRACT: _LEVELS["-"],
    Operator.MULTIPLY: _LEVELS["*"],
    Operator.EXACT_DIVISION: _LEVELS["/"],
    Operator.NON_NEGATIVE_DIVISION: _LEVELS["/"],
    Operator.NON_NEGATIVE_REMAINDER: _LEVELS["%"],
    Operator.NEGATE: UNARY,
}
_COMPARISONS = frozenset("== != < > <= >=".split())
_ARITHMETIC = frozenset("+ -".split())
_BITWISE = frozenset("| ^ &".split())
_SHIFTS = frozenset("<< >>".split())


@record
class Text:
    """A piece of C, and how tightly it holds together."""

    text: str
    level: int = PRIMARY

    def within(self, level: int) -> str:
        """In parentheses where it holds together less tightly than what stands around it."""
        return self.text if self.level >= level else f"({self.text})"


def text_of(expression: Expr) -> Text:
    """A generated expression.

    >>> text_of(Identifier("c0")).within(UNARY), text_of(Constant(-1)).within(POSTFIX)
    ('c0', '(-1)')
    """
    text = expression_text(expression)
    match expression:
        case Constant(value):
            return Text(text, PRIMARY if value >= 0 else UNARY)
        case Identifier(name):
            return Text(text, PRIMARY if name[0] != "(" else UNARY)
        case Operation(Operator.CALL, (Identifier(name), *_)):
            return Text(text, POSTFIX if name[0] != "(" else UNARY)
        case Operation(operator):
            return Text(text, _GENERATED.get(operator, _COMMA))
        case _:
            assert_never(expression)


@record
class Spelling:
    """How the leaves of a body are written at one place.

    ``reference`` gets the paths of references as they would be printed, subscripts and all.
    """

    iterator: Callable[[IteratorValue], Text]
    name: Callable[[str], str]
    reference: Callable[[Reference, Callable[[str], str]], str]
    initialised: Callable[[Reference, str], str]
    """An array or struct that gets a list of values: what is written for the whole assignment."""


def expression_in_c(expression: Expression, spelling: Spelling) -> Text:  # noqa: C901 - one case a kind
    """The C text of an expression."""

    def inner(each: Expression, level: int) -> str:
        return expression_in_c(each, spelling).within(level)

    match expression:
        case Literal(text):
            return Text(*_literal(text))
        case Name(name):
            return Text(spelling.name(name))
        case IteratorValue():
            return spelling.iterator(expression)
        case Reference():
            return Text(_reference(expression, spelling), POSTFIX)
        case AddressOf(target):
            return Text(f"&{inner(target, UNARY)}", UNARY)
        case Unary(operator, operand):
            return Text(_unary(operator, inner(operand, UNARY)), UNARY)
        case Increment(operator, target, True):
            return Text(f"{inner(target, POSTFIX)}{operator}", POSTFIX)
        case Increment(operator, target):
            return Text(f"{operator}{inner(target, UNARY)}", UNARY)
        case Binary():
            return _binary(expression, spelling)
        case Assign():
            return Text(_assign(expression, spelling), _ASSIGNMENT)
        case Conditional(condition, then, otherwise):
            text = f"{inner(condition, _CONDITIONAL + 1)} ? {inner(then, _ASSIGNMENT)}"
            return Text(f"{text} : {inner(otherwise, _CONDITIONAL)}", _CONDITIONAL)
        case Cast(type_, operand):
            return Text(f"({type_}){inner(operand, UNARY)}", UNARY)
        case Call(function, arguments):
            listed = ", ".join(inner(each, _ASSIGNMENT) for each in arguments)
            return Text(f"{function}({listed})", POSTFIX)
        case InitializerList(values):
            return Text("{" + ", ".join(inner(each, _ASSIGNMENT) for each in values) + "}")
        case _:
            assert_never(expression)


def _literal(text: str) -> tuple[str, int]:
    if text == str(-(2**31)):
        return "-2147483647 - 1", _LEVELS["-"]  # 2147483648 would be a long
    return text, UNARY if text.startswith("-") else PRIMARY


def _unary(operator: str, operand: str) -> str:
    if operator[-1].isidentifier() or operand[0] == operator:
        return f"{operator} {operand}"
    return f"{operator}{operand}"


def _reference(reference: Reference, spelling: Spelling) -> str:
    def path_from(name: str) -> str:
        text = name
        for step in reference.path:
            match step:
                case Index(value):
                    text += f"[{expression_in_c(value, spelling).text}]"
                case Member(member):
                    text += f".{member}"
                case Reinterpret(type_):
                    text = f"(({type_}){text})"
                case _:
                    assert_never(step)
        return text

    return spelling.reference(reference, path_from)


def _assign(assign: Assign, spelling: Spelling) -> str:
    target = expression_in_c(assign.target, spelling).within(UNARY)
    value = expression_in_c(assign.value, spelling)
    if isinstance(assign.target, Reference) and _is_initialiser(assign.value):
        return spelling.initialised(assign.target, value.text)
    return f"{target} {assign.operator} {value.within(_ASSIGNMENT)}"


def _is_initialiser(value: Expression) -> bool:
    """A list of values, or a string, which may fill an array."""
    return isinstance(value, InitializerList) or (
        isinstance(value, Literal) and value.text.endswith('"')
    )


def _binary(binary: Binary, spelling: Spelling) -> Text:
    level = _LEVELS[binary.operator]
    left = _operand(binary.left, binary.operator, level, spelling)
    right = _operand(binary.right, binary.operator, level + 1, spelling)
    space = "" if binary.operator == "," else " "
    return Text(f"{left}{space}{binary.operator} {right}", level)


def _operand(operand: Expression, around: str, level: int, spelling: Spelling) -> str:
    text = expression_in_c(operand, spelling)
    if text.level < level or _asks_for_parentheses(operand, around):
        return f"({text.text})"
    return text.text


def _asks_for_parentheses(operand: Expression, around: str) -> bool:
    """Compilers warn about ``a || b && c``, ``a & b == c``, ``a << b + c`` and ``!a == b``."""
    match operand:
        case Unary("!"):
            return around in _COMPARISONS
        case Binary(operator):
            if around == "||":
                return operator == "&&"
            if around in _BITWISE:
                is_mixed = operator in _BITWISE and operator != around
                return is_mixed or operator in _COMPARISONS | _ARITHMETIC
            if around in _COMPARISONS:
                return operator in _COMPARISONS
            return around in _SHIFTS and operator in _ARITHMETIC | _SHIFTS
        case _:
            return False


# --- statements ---------------------------------------------------------------------------------


def body_lines(body: Body, spelling: Spelling, unit: str = "  ") -> list[str]:
    """The statements of a body, one line each at least; none where nothing happens."""
    return _Writer(spelling, unit).lines(body)


@record
class _Writer:
    spelling: Spelling
    unit: str

    def lines(self, body: Body) -> list[str]:  # noqa: C901 - one case a kind
        match body:
            case Evaluate(Literal()):
                return []
            case Evaluate(expression):
                return [f"{self._text(expression)};"]
            case Declare():
                return [f"{self.declaration(body)};"]
            case Block(statements):
                return self._block(statements)
            case If():
                return self._if(body)
            case For():
                return self._for(body)
            case While(condition, inside, True):
                return [
                    *self._braced("do", inside)[:-1],
                    f"}} while ({self._condition(condition)});",
                ]
            case While(condition, inside):
                return self.under(f"while ({self._condition(condition)})", inside)
            case Break():
                return ["break;"]
            case Continue():
                return ["continue;"]
            case Kill():
                return []
            case _:
                assert_never(body)

    def _text(self, expression: Expression) -> str:
        return expression_in_c(expression, self.spelling).text

    def _condition(self, expression: Expression) -> str:
        text = self._text(expression)
        return f"({text})" if isinstance(expression, Assign) else text

    def _block(self, statements: tuple[Body, ...]) -> list[str]:
        lines = self._inside(Block(statements))
        if statements and all(isinstance(each, Declare) for each in statements):
            return lines  # ``int i, j;``: no block of its own
        return ["{", *self._deeper(lines), "}"] if lines else []

    def _inside(self, body: Body) -> list[str]:
        """The lines of a body that stands in braces already."""
        statements = body.statements if isinstance(body, Block) else (body,)
        return [line for each in statements for line in self.lines(each)]

    def _deeper(self, lines: list[str]) -> list[str]:
        return [f"{self.unit}{line}" for line in lines]

    def _braced(self, head: str, body: Body) -> list[str]:
        return [f"{head} {{", *self._deeper(self._inside(body)), "}"]

    def under(self, head: str, body: Body) -> list[str]:
        """A head with its body; without braces only where that is one simple statement."""
        lines = self._inside(body)
        if len(lines) == 1 and not isinstance(body, Block):
            return [head, *self._deeper(lines)]
        return self._braced(head, body)

    def _if(self, body: If) -> list[str]:
        head = f"if ({self._condition(body.condition)})"
        if body.otherwise is None:
            return self.under(head, body.then)
        first = self._braced(head, body.then)
        if isinstance(body.otherwise, If):
            rest = self.lines(body.otherwise)
            return [*first[:-1], f"}} else {rest[0]}", *rest[1:]]
        return [*first[:-1], *self._braced("} else", body.otherwise)]

    def _for(self, body: For) -> list[str]:
        before, start = self._start(body.start)
        condition = f" {self._condition(body.condition)}" if body.condition is not None else ""
        step = f" {self._text(body.step)}" if body.step is not None else ""
        loop = self.under(f"for ({start};{condition};{step})", body.body)
        return ["{", *self._deeper([*before, *loop]), "}"] if before else loop

    def _start(self, start: Body | None) -> tuple[list[str], str]:
        """What stands in front of the loop, and what in its head."""
        match start:
            case None:
                return [], ""
            case Evaluate(expression):
                return [], self._text(expression)
            case Declare():
                return [], self.declaration(start)
            case _:
                return self._inside(start), ""

    def declaration(self, declare: Declare) -> str:
        """``type name[extent] = value``, without the semicolon."""
        extents = "".join(f"[{self._text(each)}]" for each in declare.extents)
        text = declared(declare.type, f"{declare.name}{extents}")
        if declare.value is None:
            return text
        return f"{text} = {expression_in_c(declare.value, self.spelling).within(_ASSIGNMENT)}"


def declared(type_: str, name: str) -> str:
    """A declaration without a value.

    >>> declared("double", "x[3]"), declared("double *", "p"), declared("double (*)[n]", "rows")
    ('double x[3]', 'double *p', 'double (*rows)[n]')
    """
    if "(*" in type_:
        head, _, tail = type_.partition("(*")
        qualifiers, _, rest = tail.partition(")")
        space = " " if qualifiers else ""
        return f"{head}(*{qualifiers}{space}{name}){rest}"
    return f"{type_}{name}" if type_.endswith("*") else f"{type_} {name}"
