"""The oracle's own view of C, straight from libclang: extents, operators, the parts of a loop."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from functools import cache

from clang.cindex import Cursor, CursorKind, Index, Type, TypeKind

LOOPS = {CursorKind.FOR_STMT, CursorKind.WHILE_STMT, CursorKind.DO_STMT}
VARIABLES = {CursorKind.VAR_DECL, CursorKind.PARM_DECL}
WRAPPERS = {CursorKind.PAREN_EXPR, CursorKind.UNEXPOSED_EXPR}
ARRAYS = {
    TypeKind.CONSTANTARRAY,
    TypeKind.VARIABLEARRAY,
    TypeKind.INCOMPLETEARRAY,
}
INTEGERS = {
    TypeKind.BOOL,
    TypeKind.CHAR_U,
    TypeKind.UCHAR,
    TypeKind.CHAR_S,
    TypeKind.SCHAR,
    TypeKind.SHORT,
    TypeKind.USHORT,
    TypeKind.INT,
    TypeKind.UINT,
    TypeKind.LONG,
    TypeKind.ULONG,
    TypeKind.LONGLONG,
    TypeKind.ULONGLONG,
    TypeKind.ENUM,
}
FILE = "program.c"


@cache
def _arguments() -> list[str]:
    found = subprocess.run(
        ["gcc", "-print-file-name=include"], capture_output=True, text=True, check=True, timeout=60
    )
    return ["-std=gnu11", "-w", "-Wno-error", "-isystem", found.stdout.strip()]


@cache
def _index() -> Index:
    return Index.create()


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed program: its bytes, and the functions that it defines."""

    text: bytes
    functions: dict[str, Cursor]

    def slice(self, start: int, end: int) -> str:
        """A stretch of the text."""
        return self.text[start:end].decode(errors="replace")

    def text_of(self, cursor: Cursor) -> str:
        """What the source wrote for a piece of syntax."""
        return self.slice(start_of(cursor), end_of(cursor))


def parsed(text: str) -> Source:
    """Parse a preprocessed program; errors of the parser are errors of the test program."""
    unit = _index().parse(FILE, args=_arguments(), unsaved_files=[(FILE, text)])
    errors = [str(each) for each in unit.diagnostics if each.severity >= 3]
    if errors:
        raise RuntimeError("the program does not parse: " + "; ".join(errors[:3]))
    functions = {
        cursor.spelling: cursor
        for cursor in unit.cursor.get_children()
        if cursor.kind is CursorKind.FUNCTION_DECL
        and cursor.is_definition()
        and cursor.location.file is not None
        and cursor.location.file.name == FILE
    }
    return Source(text.encode(), functions)


def start_of(cursor: Cursor) -> int:
    """The offset of the first byte."""
    return cursor.extent.start.offset


def end_of(cursor: Cursor) -> int:
    """The offset behind the last byte, which leaves out the semicolon of an expression."""
    return cursor.extent.end.offset


def children_of(cursor: Cursor) -> list[Cursor]:
    """The direct children."""
    return list(cursor.get_children())


def statement_end(source: Source, cursor: Cursor) -> int:
    """The offset behind a statement, with its semicolon."""
    end = end_of(cursor)
    if source.text[end - 1 : end] in (b";", b"}"):
        return end
    position = _skip_space(source.text, end)
    return position + 1 if source.text[position : position + 1] == b";" else end


def _skip_space(text: bytes, position: int) -> int:
    while text[position : position + 1].isspace():
        position += 1
    return position


def without_label(cursor: Cursor) -> Cursor:
    """The statement behind its labels."""
    while cursor.kind is CursorKind.LABEL_STMT:
        cursor = children_of(cursor)[-1]
    return cursor


def unwrapped(cursor: Cursor) -> Cursor:
    """The expression inside parentheses and implicit conversions."""
    while cursor.kind in WRAPPERS:
        children = children_of(cursor)
        if len(children) != 1:
            break
        cursor = children[0]
    return cursor


def body_of(function: Cursor) -> Cursor:
    """The compound statement of a function definition."""
    return children_of(function)[-1]


def binary_operator(source: Source, cursor: Cursor) -> str:
    """The operator between the two operands."""
    left, right = children_of(cursor)
    return source.slice(end_of(left), start_of(right)).strip()


def unary_operator(source: Source, cursor: Cursor) -> str:
    """The operator before or behind the operand."""
    (operand,) = children_of(cursor)
    before = source.slice(start_of(cursor), start_of(operand)).strip()
    return before or source.slice(end_of(operand), end_of(cursor)).strip()


def is_type_kind(type_: Type, kinds: set[TypeKind]) -> bool:
    """Is the type, seen through typedefs, one of these?"""
    return type_.get_canonical().kind in kinds


def is_integer(type_: Type) -> bool:
    """An integer type, Booleans and enumerations included."""
    return is_type_kind(type_, INTEGERS)


def is_pointer(type_: Type) -> bool:
    """A pointer, not an array."""
    return is_type_kind(type_, {TypeKind.POINTER})


def is_array(type_: Type) -> bool:
    """An array of any kind; libclang also says so of array parameters, which are pointers."""
    return is_type_kind(type_, ARRAYS)


def initializer_of(source: Source, variable: Cursor) -> Cursor | None:
    """The initialiser of a variable, told from the expressions in its type by the ``=``."""
    name_end = variable.location.offset + len(variable.spelling.encode())
    depth = 0
    for position in range(name_end, end_of(variable)):
        byte = source.text[position : position + 1]
        depth += (byte in b"([{") - (byte in b")]}")
        if byte == b"=" and depth == 0:
            return children_of(variable)[-1]
    return None


@dataclass(frozen=True, slots=True)
class ForParts:
    """The parts of a ``for`` loop; absent ones are ``None``."""

    start: Cursor | None
    condition: Cursor | None
    step: Cursor | None
    body: Cursor


def for_parts(source: Source, loop: Cursor) -> ForParts:
    """Tell the parts of a loop apart by the semicolons of its header."""
    *header, body = children_of(loop)
    first, second = _header_semicolons(source.text, start_of(loop))
    start = next((each for each in header if start_of(each) < first), None)
    condition = next((each for each in header if first < start_of(each) < second), None)
    step = next((each for each in header if start_of(each) > second), None)
    return ForParts(start, condition, step, body)


def _header_semicolons(text: bytes, position: int) -> tuple[int, int]:
    found: list[int] = []
    depth = 0
    while len(found) < 2:
        byte = text[position : position + 1]
        depth += (byte in b"([{") - (byte in b")]}")
        if byte == b";" and depth == 1:
            found.append(position)
        position += 1
    return found[0], found[1]


def loop_variable(source: Source, parts: ForParts) -> Cursor | None:
    """The declaration of the variable that a ``for`` header declares, assigns or steps."""
    start = parts.start
    if start is not None and start.kind is CursorKind.DECL_STMT:
        return children_of(start)[0]
    for part in (start, parts.step):
        if part is not None and (target := _first_variable(part)) is not None:
            return target
    return None


def _first_variable(cursor: Cursor) -> Cursor | None:
    named = (variable_of(each) for each in cursor.walk_preorder())
    return next((each for each in named if each is not None), None)


def variable_of(node: Cursor) -> Cursor | None:
    """The variable that a piece of syntax names, if that is all that it does."""
    if node.kind is not CursorKind.DECL_REF_EXPR:
        return None
    named = node.referenced
    return named if named is not None and named.kind in VARIABLES else None


def identity(declaration: Cursor) -> int:
    """What tells one variable from another: where it is first declared."""
    return declaration.canonical.location.offset


def leaves_of(type_: Type) -> tuple[int, ...]:
    """The offsets of the scalars that a value of the type consists of."""
    type_ = type_.get_canonical()
    if type_.kind is TypeKind.RECORD:
        declaration = type_.get_declaration()
        if declaration.kind is CursorKind.UNION_DECL:
            return (0,)
        return tuple(
            field.get_field_offsetof() // 8 + offset
            for field in type_.get_fields()
            for offset in leaves_of(field.type)
        )
    if type_.kind is TypeKind.CONSTANTARRAY:
        inner = leaves_of(type_.element_type)
        size = type_.element_type.get_size()
        return tuple(k * size + each for k in range(type_.element_count) for each in inner)
    return (0,)
