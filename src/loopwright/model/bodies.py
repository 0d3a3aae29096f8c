"""Statement bodies: expression and statement trees whose array references are holes.

A :class:`Reference` names its access by tag.  Where that access is exact, code generation prints
the reference by composing its relation with the new schedule; where it is only an
over-approximation (an indirect subscript, say), it prints the path that was written in the source.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant, spelled as C spells it."""

    text: str


@dataclass(frozen=True, slots=True)
class Name:
    """A name that keeps its meaning wherever the statement moves: a parameter, a private local."""

    name: str


@dataclass(frozen=True, slots=True)
class IteratorValue:
    """The value of an iterator of the statement, which has this type in the source."""

    name: str
    type: str = "int"


@dataclass(frozen=True, slots=True)
class Index:
    """A subscript in the path of a reference."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Member:
    """A struct member in the path of a reference."""

    name: str


@dataclass(frozen=True, slots=True)
class Reinterpret:
    """The address so far as a pointer of another type, in the path of a reference."""

    type: str


@dataclass(frozen=True, slots=True)
class Reference:
    """A hole: the access ``tag``, and the path that the source wrote.

    The tag is empty for memory that is private to the statement, and where an address is meant
    rather than an element: an array that is handed to a call, the operand of ``&``.
    """

    tag: str
    name: str
    path: tuple[Index | Member | Reinterpret, ...] = ()


@dataclass(frozen=True, slots=True)
class AddressOf:
    """``&`` and a reference."""

    target: Expression


@dataclass(frozen=True, slots=True)
class Unary:
    """A prefix operator."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Increment:
    """``++`` or ``--``, before or after its target."""

    operator: str
    target: Expression
    is_postfix: bool


@dataclass(frozen=True, slots=True)
class Binary:
    """An infix operator that assigns nothing."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Assign:
    """An assignment, plain or compound; the operator is spelled as in C."""

    operator: str
    target: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Conditional:
    """``condition ? then : otherwise``."""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Cast:
    """An explicit conversion."""

    type: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a named function."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class InitializerList:
    """``{a, b, …}`` in a declaration."""

    values: tuple[Expression, ...]


Expression = (
    Literal
    | Name
    | IteratorValue
    | Reference
    | AddressOf
    | Unary
    | Increment
    | Binary
    | Assign
    | Conditional
    | Cast
    | Call
    | InitializerList
)


@dataclass(frozen=True, slots=True)
class Evaluate:
    """An expression statement."""

    expression: Expression


@dataclass(frozen=True, slots=True)
class Declare:
    """A variable private to the statement: ``type name[dims] = value``."""

    type: str
    name: str
    extents: tuple[Expression, ...] = ()
    value: Expression | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A compound statement."""

    statements: tuple[Body, ...]


@dataclass(frozen=True, slots=True)
class If:
    """A condition inside an atomic statement."""

    condition: Expression
    then: Body
    otherwise: Body | None = None


@dataclass(frozen=True, slots=True)
class For:
    """A loop inside an atomic statement; absent parts are ``None``."""

    start: Body | None
    condition: Expression | None
    step: Expression | None
    body: Body


@dataclass(frozen=True, slots=True)
class While:
    """A ``while`` loop inside an atomic statement, or ``do … while``."""

    condition: Expression
    body: Body
    is_tested_last: bool = False


@dataclass(frozen=True, slots=True)
class Break:
    """``break`` out of a loop of the same atomic statement."""


@dataclass(frozen=True, slots=True)
class Continue:
    """``continue`` of a loop of the same atomic statement, or the end of the statement itself."""


@dataclass(frozen=True, slots=True)
class Kill:
    """Nothing to execute: the values of the killed elements are not needed any more."""


Body = Evaluate | Declare | Block | If | For | While | Break | Continue | Kill
Node = Expression | Body | Index | Member | Reinterpret


def walk_body(node: Node) -> Iterator[Node]:
    """The node and everything inside it, outermost first.

    >>> double = Binary("*", Literal("2"), Name("n"))
    >>> [type(each).__name__ for each in walk_body(double)]
    ['Binary', 'Literal', 'Name']
    """
    pending: list[Node] = [node]
    while pending:
        current = pending.pop()
        yield current
        pending += reversed(_inside(current))


def _inside(node: Node) -> list[Node]:
    """The nodes directly inside a node."""
    found: list[Node] = []
    for name in node.__slots__:
        value: object = getattr(node, name)
        parts = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
        found += [each for each in parts if isinstance(each, Node)]
    return found


def names_in_body(node: Node) -> set[str]:
    """The names that the text of the node would mention, those of functions aside.

    >>> sorted(names_in_body(Assign("=", Reference("R0", "x"), Name("n"))))
    ['n', 'x']
    """
    return {each.name for each in walk_body(node) if isinstance(each, Name | Reference | Declare)}
