"""Every memory reference of a stretch of C, wrapped so that running it logs the address.

A reference ``R`` becomes ``(*({ __auto_type lw_p = &(R); lw_access(17, lw_p); lw_p; }))``, which is
the same lvalue; the store of an assignment is logged after its right-hand side has been read.
What a reference means is kept here, under the number that the log repeats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from clang.cindex import Cursor, CursorKind, TypeKind

from .edits import Edits
from .syntax import (
    Source,
    binary_operator,
    children_of,
    end_of,
    initializer_of,
    is_array,
    is_pointer,
    is_type_kind,
    leaves_of,
    start_of,
    statement_end,
    unary_operator,
    unwrapped,
    variable_of,
)


class Mode(Enum):
    """What the surrounding expression does with an lvalue."""

    READ = "reads"
    WRITE = "writes"
    UPDATE = "updates"
    ADDRESS = "takes the address of"


class Policy(Enum):
    """Must the model know of a reference?"""

    REQUIRED = "the model must list it"
    OPTIONAL = "the model may list it"
    SCRATCH = "an instance may use it if it sets it first"
    IGNORED = "not logged"


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference in the source: what its number in the log stands for."""

    text: str
    mode: Mode
    offset: int
    leaves: tuple[int, ...]
    is_optional: bool
    is_outside: bool
    is_scratch: bool
    arrays: frozenset[str] | None
    """The model's arrays for its variable; ``None`` where a pointer may lead anywhere."""

    @property
    def reads(self) -> bool:
        """Does it read memory?"""
        return self.mode in (Mode.READ, Mode.UPDATE)

    @property
    def writes(self) -> bool:
        """Does it write memory?"""
        return self.mode in (Mode.WRITE, Mode.UPDATE)


@dataclass(slots=True)
class Numbering:
    """The references of a program, numbered from ``first`` on."""

    first: int = 0
    references: list[Reference] = field(default_factory=list)

    def number(self, reference: Reference) -> int:
        """Enter a reference."""
        self.references.append(reference)
        return self.first + len(self.references) - 1


LVALUES = {
    CursorKind.DECL_REF_EXPR,
    CursorKind.ARRAY_SUBSCRIPT_EXPR,
    CursorKind.MEMBER_REF_EXPR,
}
UNEVALUATED = {
    CursorKind.CXX_UNARY_EXPR,
    CursorKind.TYPE_REF,
    CursorKind.STRUCT_DECL,
    CursorKind.UNION_DECL,
    CursorKind.ENUM_DECL,
}
"""Types, and ``sizeof`` and its like."""


@dataclass(slots=True)
class ReferenceWriter:
    """Wraps the references in pieces of syntax; ``policy_of`` says which ones matter."""

    source: Source
    edits: Edits
    numbering: Numbering
    policy_of: Callable[[Cursor], Policy]
    arrays_of: Callable[[Cursor], frozenset[str] | None]
    is_outside: bool = False

    def visit(self, node: Cursor) -> None:
        """A statement or expression whose value, if any, is read."""
        if node.kind is CursorKind.DECL_STMT:
            self._declarations(node)
        elif node.kind.is_statement():
            self._parts(node)
        else:
            self.expression(node, Mode.READ)

    def _parts(self, node: Cursor) -> None:
        for child in children_of(node):
            self.visit(child)

    def expression(self, node: Cursor, mode: Mode) -> None:
        """An expression, and what is done with it."""
        match node.kind:
            case kind if kind in UNEVALUATED:
                return
            case CursorKind.PAREN_EXPR | CursorKind.UNEXPOSED_EXPR:
                self._operands(node, mode)
            case CursorKind.BINARY_OPERATOR if binary_operator(self.source, node) == "=":
                self._assignment(node, Mode.WRITE)
            case CursorKind.COMPOUND_ASSIGNMENT_OPERATOR:
                self._assignment(node, Mode.UPDATE)
            case CursorKind.UNARY_OPERATOR:
                self._unary(node, mode)
            case CursorKind.CALL_EXPR:
                # The first child is the function; a call through a pointer reads that pointer.
                for argument in children_of(node)[1:]:
                    self.expression(argument, Mode.READ)
            case CursorKind.StmtExpr:
                self._parts(node)
            case kind if kind in LVALUES:
                self._lvalue(node, mode)
            case _:
                self._operands(node, Mode.READ)

    def _operands(self, node: Cursor, mode: Mode) -> None:
        children = children_of(node)
        for child in children:
            self.expression(child, mode if len(children) == 1 else Mode.READ)

    def _unary(self, node: Cursor, mode: Mode) -> None:
        (operand,) = children_of(node)
        match unary_operator(self.source, node):
            case "++" | "--":
                self.expression(operand, Mode.UPDATE)
            case "&":
                self.expression(operand, Mode.ADDRESS)
            case "*":
                self._lvalue(node, mode)
            case _:
                self.expression(operand, Mode.READ)

    def _assignment(self, node: Cursor, mode: Mode) -> None:
        left, right = children_of(node)
        number = self._number_of(unwrapped(left), mode)
        if number is None:
            self._inside(unwrapped(left))
            self.expression(right, Mode.READ)
            return
        self.edits.open(start_of(node), "({ __auto_type lw_p = &(")
        self._inside(unwrapped(left))
        self.edits.close(end_of(left), "); *lw_p")
        self.expression(right, Mode.READ)
        self.edits.close(end_of(node), f"; lw_access({number}, lw_p); *lw_p; }})")

    def _lvalue(self, node: Cursor, mode: Mode) -> None:
        number = self._number_of(node, mode)
        if number is not None:
            self.edits.open(start_of(node), "(*({ __auto_type lw_p = &(")
        self._inside(node)
        if number is not None:
            self.edits.close(end_of(node), f"); lw_access({number}, lw_p); lw_p; }}))")

    def _number_of(self, node: Cursor, mode: Mode) -> int | None:
        """The number of a reference, or ``None`` where nothing is to be logged."""
        if mode is Mode.ADDRESS or not _is_loggable(node):
            return None
        policy = self.policy_of(node)
        if policy is Policy.IGNORED:
            return None
        return self.numbering.number(
            Reference(
                text=self.source.text_of(node),
                mode=mode,
                offset=start_of(node),
                leaves=leaves_of(node.type),
                is_optional=policy is Policy.OPTIONAL,
                is_outside=self.is_outside,
                is_scratch=policy is Policy.SCRATCH,
                arrays=self.arrays_of(node),
            )
        )

    def _inside(self, lvalue: Cursor) -> None:
        """What is evaluated on the way to an lvalue: subscripts, and pointers that are followed."""
        if lvalue.kind is CursorKind.DECL_REF_EXPR:
            return
        for child in children_of(lvalue):
            inner = unwrapped(child)
            is_place = is_array(inner.type) or is_type_kind(inner.type, {TypeKind.RECORD})
            self.expression(child, Mode.ADDRESS if is_place else Mode.READ)

    def _declarations(self, node: Cursor) -> None:
        """Declarations whose variables nobody else sees: only their initialisers matter."""
        for variable in children_of(node):
            if variable.kind is not CursorKind.VAR_DECL:
                continue
            value = initializer_of(self.source, variable)
            if value is not None:
                self.expression(value, Mode.READ)
            if not is_pointer(variable.type):
                self._announce_private(node, variable)

    def _announce_private(self, node: Cursor, variable: Cursor) -> None:
        if is_array(variable.type) or is_type_kind(variable.type, {TypeKind.RECORD}):
            name = variable.spelling
            self.edits.close(
                statement_end(self.source, node), f" lw_private(&{name}, sizeof {name});"
            )


def _is_loggable(node: Cursor) -> bool:
    """Is it an object with an address, and not the name of an array or a function?"""
    if is_array(node.type):
        return False
    if is_type_kind(node.type, {TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO}):
        return False
    if node.kind is CursorKind.DECL_REF_EXPR:
        return variable_of(node) is not None
    if node.kind is CursorKind.MEMBER_REF_EXPR:
        return node.referenced is not None and not node.referenced.is_bitfield()
    return True
