"""Statement bodies: expression and statement trees whose array references are holes.

A :class:`Reference` names its access by tag.  Where that access is exact, code generation prints
the reference by composing its relation with the new schedule; where it is only an
over-approximation (an indirect subscript, say), it prints the path that was written in the source.
"""

from __future__ import annotations

from dataclasses import dataclass


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
    """The value of an iterator of the statement, as the source uses it."""

    name: str


@dataclass(frozen=True, slots=True)
class Index:
    """A subscript in the path of a reference."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Member:
    """A struct member in the path of a reference."""

    name: str


@dataclass(frozen=True, slots=True)
class Reference:
    """A hole: the access ``tag``, and the path that the source wrote."""

    tag: str
    name: str
    path: tuple[Index | Member, ...] = ()


@dataclass(frozen=True, slots=True)
class AddressOf:
    """The address of a reference, or an array as it is handed to a call."""

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
