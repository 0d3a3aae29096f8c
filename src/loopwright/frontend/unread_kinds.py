"""The kinds of statements and expressions that are not read, and what they are called."""

from __future__ import annotations

from clang.cindex import CursorKind

UNREADABLE_STATEMENTS = {
    CursorKind.GOTO_STMT: "goto",
    CursorKind.INDIRECT_GOTO_STMT: "goto",
    CursorKind.ASM_STMT: "asm",
    CursorKind.MS_ASM_STMT: "asm",
}
UNREADABLE_EXPRESSIONS = {
    CursorKind.COMPOUND_LITERAL_EXPR: "a compound literal",
    CursorKind.GENERIC_SELECTION_EXPR: "a generic selection",
    CursorKind.ADDR_LABEL_EXPR: "the address of a label",
}
