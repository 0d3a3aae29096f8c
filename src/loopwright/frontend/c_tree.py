"""The C program as the builder sees it: immutable trees, free of the parser that made them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.c_types import ArrayType, CType, IntType, PointerType


@record(eq=False)
class Variable:
    """A declared variable; one object a declaration, so that identity is equality.

    What is volatile, atomic or thread-local ``is_pinned``: its accesses stay where they are.
    ``points_into`` tells of a global pointer what its initialiser points into, and of a struct
    which of its members point into what.
    """

    name: str
    type: CType
    span: Span
    is_global: bool
    is_parameter: bool
    is_static: bool
    is_const: bool
    is_pinned: bool
    initial_targets: Callable[[], Targets] = tuple

    @property
    def points_into(self) -> Targets:
        """Read when somebody asks: ``{double *p; double v[3];} g = {g.v};`` points into itself."""
        return self.initial_targets()


Targets: TypeAlias = tuple[tuple[str, Variable], ...]
"""Members, or nothing for a pointer itself, and what they point into."""


@record
class IntLiteral:
    """An integer constant of any spelling: literal, character, enumerator, ``sizeof``."""

    value: int
    text: str
    type: CType
    span: Span


@record
class OtherLiteral:
    """A floating-point or string constant."""

    text: str
    type: CType
    span: Span


@record
class Use:
    """A variable used by name."""

    variable: Variable
    type: CType
    span: Span


@record
class Subscript:
    """``base[index]``."""

    base: Expr
    index: Expr
    type: CType
    span: Span


@record
class MemberOf:
    """``base.name``, or ``base->name`` where ``is_arrow``."""

    base: Expr
    name: str
    is_arrow: bool
    type: CType
    span: Span


@record
class UnaryExpr:
    """A prefix operator: ``- + ~ ! * &``."""

    operator: str
    operand: Expr
    type: CType
    span: Span


@record
class IncrementExpr:
    """``++`` and ``--``."""

    operator: str
    target: Expr
    is_postfix: bool
    type: CType
    span: Span


@record
class BinaryExpr:
    """An infix operator that assigns nothing, the comma included."""

    operator: str
    left: Expr
    right: Expr
    type: CType
    span: Span


@record
class AssignExpr:
    """``=`` and its compound forms."""

    operator: str
    target: Expr
    value: Expr
    type: CType
    span: Span


@record
class ConditionalExpr:
    """``c ? a : b``."""

    condition: Expr
    then: Expr
    otherwise: Expr
    type: CType
    span: Span


@record
class CastExpr:
    """A conversion, written or implicit."""

    operand: Expr
    is_explicit: bool
    type: CType
    span: Span


@record(eq=False)
class CallExpr:
    """A call of a function by name."""

    function: str
    arguments: tuple[Expr, ...]
    callee: Callee
    type: CType
    span: Span


@record
class ListExpr:
    """``{a, b}`` as an initialiser; it ``is_ordered`` if none of its values says where it goes."""

    values: tuple[Expr, ...]
    type: CType
    span: Span
    is_ordered: bool = True


VOLATILE_MEMBER = "a volatile member"


@record
class OpaqueExpr:
    """An expression that we cannot read; ``what`` names it for the user.

    ``uses`` are the variables in it: they are used, whatever it does.
    """

    what: str
    type: CType
    span: Span
    uses: tuple[Use, ...] = ()


Expr = (
    IntLiteral
    | OtherLiteral
    | Use
    | Subscript
    | MemberOf
    | UnaryExpr
    | IncrementExpr
    | BinaryExpr
    | AssignExpr
    | ConditionalExpr
    | CastExpr
    | CallExpr
    | ListExpr
    | OpaqueExpr
)


@record(eq=False)
class Callee:
    """What the file says about a called function.

    ``effects`` is ``"pure"`` (touches no memory: ``math.h``, ``__attribute__((const))``),
    ``"named"`` (``min`` without a body), ``"reads"`` (``__attribute__((pure))``), ``"fills"``
    (``memset``, ``memcpy``), or ``"unknown"``.
    ``definition`` reads the body when there is one, or that of the PENCIL summary function.
    """

    name: str
    effects: str
    definition: Callable[[], Function | None]


@record(eq=False)
class ExprStmt:
    """An expression statement."""

    expression: Expr
    span: Span


@record(eq=False)
class DeclStmt:
    """One declared variable with its initialiser; ``int i, j;`` makes two of these."""

    variable: Variable
    value: Expr | None
    span: Span


@record(eq=False)
class Compound:
    """Statements one after the other; ``is_scope`` for a pair of braces."""

    statements: tuple[Stmt, ...]
    span: Span
    is_scope: bool = True


@record(eq=False)
class IfStmt:
    """A condition."""

    condition: Expr
    then: Stmt
    otherwise: Stmt | None
    span: Span


@record(eq=False)
class ForStmt:
    """A ``for`` loop; absent parts are ``None``."""

    start: Stmt | None
    condition: Expr | None
    step: Expr | None
    body: Stmt
    span: Span


@record(eq=False)
class WhileStmt:
    """``while``, or ``do … while`` where it is tested last."""

    condition: Expr
    body: Stmt
    is_tested_last: bool
    span: Span


@record(eq=False)
class BreakStmt:
    """``break``."""

    span: Span


@record(eq=False)
class ContinueStmt:
    """``continue``."""

    span: Span


@record(eq=False)
class ReturnStmt:
    """``return``, in a called function."""

    value: Expr | None
    span: Span


@record(eq=False)
class LabelStmt:
    """``label: statement``."""

    label: str
    statement: Stmt
    span: Span


@record(eq=False)
class EmptyStmt:
    """A lone semicolon, or a declaration of types only."""

    span: Span


@record(eq=False)
class OpaqueStmt:
    """``goto``, ``switch``, ``asm`` and what else the model has no place for.

    ``uses`` are the variables in it, ``inner`` what can be read of its body.
    """

    what: str
    span: Span
    uses: tuple[Use, ...] = ()
    inner: tuple[Stmt, ...] = ()


Stmt = (
    ExprStmt
    | DeclStmt
    | Compound
    | IfStmt
    | ForStmt
    | WhileStmt
    | BreakStmt
    | ContinueStmt
    | ReturnStmt
    | LabelStmt
    | EmptyStmt
    | OpaqueStmt
)


@record(eq=False)
class Function:
    """A function with a body."""

    name: str
    parameters: tuple[Variable, ...]
    body: Compound
    span: Span


def subexpressions(  # noqa: C901 - one case a kind of expression
    expression: Expr,
) -> tuple[Expr, ...]:
    """The operands of an expression, in the order of the source."""
    match expression:
        case Use() | IntLiteral():  # most are, and to find that out takes longest
            return ()
        case Subscript(base=base, index=index):
            return (base, index)
        case MemberOf(base=base):
            return (base,)
        case UnaryExpr(operand=operand) | CastExpr(operand=operand):
            return (operand,)
        case IncrementExpr(target=target):
            return (target,)
        case BinaryExpr(left=left, right=right):
            return (left, right)
        case AssignExpr(target=target, value=value):
            return (target, value)
        case ConditionalExpr(condition=condition, then=then, otherwise=otherwise):
            return (condition, then, otherwise)
        case CallExpr(arguments=arguments):
            return arguments
        case ListExpr(values=values):
            return values
        case OpaqueExpr(uses=uses):
            return uses
        case _:
            return ()


def walk_expression(expression: Expr) -> Iterator[Expr]:
    """The expression and everything inside it, outermost first."""
    pending = [expression]
    while pending:
        current = pending.pop()
        yield current
        if operands := subexpressions(current):
            pending.extend(reversed(operands))


def parts_of(statement: Stmt) -> tuple[tuple[Expr, ...], tuple[Stmt, ...]]:
    """The expressions and the statements directly inside a statement, in source order."""
    match statement:
        case ExprStmt(expression=expression):
            return (expression,), ()
        case DeclStmt(variable=variable, value=value):
            return (*extents_of(variable.type), *((value,) if value is not None else ())), ()
        case ReturnStmt(value=value):
            return ((value,) if value is not None else ()), ()
        case OpaqueStmt(uses=uses, inner=inner):
            return uses, inner
        case Compound(statements=statements):
            return (), statements
        case IfStmt(condition=condition, then=then, otherwise=otherwise):
            return (condition,), ((then, otherwise) if otherwise is not None else (then,))
        case ForStmt(start=start, condition=condition, step=step, body=body):
            expressions = tuple(each for each in (condition, step) if each is not None)
            return expressions, ((start, body) if start is not None else (body,))
        case WhileStmt(condition=condition, body=body):
            return (condition,), (body,)
        case LabelStmt(statement=inner):
            return (), (inner,)
        case _:
            return (), ()


def extents_of(type_: CType) -> tuple[Expr, ...]:
    """The size expressions in a type, outermost first."""
    match type_:
        case ArrayType(element=element, extent=extent):
            return (*((extent,) if extent is not None else ()), *extents_of(element))
        case PointerType(target=target):
            return extents_of(target)
        case _:
            return ()


def declarations_in(statement: Stmt) -> tuple[DeclStmt, ...]:
    """The variables that a declaration declares; nothing for other statements."""
    match statement:
        case DeclStmt():
            return (statement,)
        case Compound(statements=statements, is_scope=False):
            return tuple(each for each in statements if isinstance(each, DeclStmt))
        case _:
            return ()


def walk_statements(statement: Stmt) -> Iterator[Stmt]:
    """The statement and every statement inside it, outermost first."""
    pending = [statement]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(parts_of(current)[1]))


def expressions_in(statement: Stmt) -> Iterator[Expr]:
    """Every expression in a statement, nested ones included."""
    for each in walk_statements(statement):
        for expression in parts_of(each)[0]:
            yield from walk_expression(expression)


def without_widening(expression: Expr) -> Expr:
    """The expression under conversions of integers that keep every value."""
    while isinstance(expression, CastExpr) and _keeps_values(expression):
        expression = expression.operand
    return expression


def _keeps_values(cast: CastExpr) -> bool:
    old, new = cast.operand.type, cast.type
    if not isinstance(old, IntType) or not isinstance(new, IntType):
        return False
    return new.least <= old.least and old.greatest <= new.greatest


def without_casts(expression: Expr) -> Expr:
    """The expression under any conversions."""
    while isinstance(expression, CastExpr):
        expression = expression.operand
    return expression
