"""Statement bodies: expression and statement trees whose array references are holes.

A :class:`Reference` names its access by tag.  Where that access is exact, code generation prints
the reference by composing its relation with the new schedule; where it is only an
over-approximation (an indirect subscript, say), it prints the path that was written in the source.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from loopwright.basics.records import record


@record
class Literal:
    """A constant, spelled as C spells it."""

    text: str


@record
class Name:
    """A name that keeps its meaning wherever the statement moves: a parameter, a private local."""

    name: str


@record
class IteratorValue:
    """The value of an iterator of the statement, which has this type in the source."""

    name: str
    type: str = "int"


@record
class Index:
    """A subscript in the path of a reference."""

    value: Expression


@record
class Member:
    """A struct member in the path of a reference."""

    name: str


@record
class Reinterpret:
    """The address so far as a pointer of another type, in the path of a reference."""

    type: str


@record
class Reference:
    """A hole: the access ``tag``, and the path that the source wrote.

    The tag is empty for memory that is private to the statement, and where an address is meant
    rather than an element: an array that is handed to a call, the operand of ``&``.
    """

    tag: str
    name: str
    path: tuple[Index | Member | Reinterpret, ...] = ()


@record
class AddressOf:
    """``&`` and a reference."""

    target: Expression


@record
class Unary:
    """A prefix operator."""

    operator: str
    operand: Expression


@record
class Increment:
    """``++`` or ``--``, before or after its target."""

    operator: str
    target: Expression
    is_postfix: bool


@record
class Binary:
    """An infix operator that assigns nothing."""

    operator: str
    left: Expression
    right: Expression


@record
class Assign:
    """An assignment, plain or compound; the operator is spelled as in C."""

    operator: str
    target: Expression
    value: Expression


@record
class Conditional:
    """``condition ? then : otherwise``."""

    condition: Expression
    then: Expression
    otherwise: Expression


@record
class Cast:
    """An explicit conversion."""

    type: str
    operand: Expression


@record
class Call:
    """A call of a named function."""

    function: str
    arguments: tuple[Expression, ...]


@record
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


@record
class Evaluate:
    """An expression statement."""

    expression: Expression


@record
class Declare:
    """A variable private to the statement: ``type name[dims] = value``."""

    type: str
    name: str
    extents: tuple[Expression, ...] = ()
    value: Expression | None = None


@record
class Block:
    """A compound statement."""

    statements: tuple[Body, ...]


@record
class If:
    """A condition inside an atomic statement."""

    condition: Expression
    then: Body
    otherwise: Body | None = None


@record
class For:
    """A loop inside an atomic statement; absent parts are ``None``."""

    start: Body | None
    condition: Expression | None
    step: Expression | None
    body: Body


@record
class While:
    """A ``while`` loop inside an atomic statement, or ``do … while``."""

    condition: Expression
    body: Body
    is_tested_last: bool = False


@record
class Break:
    """``break`` out of a loop of the same atomic statement."""


@record
class Continue:
    """``continue`` of a loop of the same atomic statement, or the end of the statement itself."""


@record
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
    for name in node.__match_args__:
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
