"""Questions about single cursors of the parser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from clang.cindex import CursorKind, StorageClass, TypeKind

from loopwright.frontend.clang_library import (
    Cursor,
    binary_operator,
    initializer_of,
    kind_of,
    unary_operator,
)
from loopwright.frontend.references import REFERENCES
from loopwright.frontend.type_reader import NUMBERS

_DECLARED = {
    CursorKind.VAR_DECL,
    CursorKind.STRUCT_DECL,
    CursorKind.UNION_DECL,
    CursorKind.ENUM_DECL,
    CursorKind.CLASS_DECL,
    CursorKind.TYPEDEF_DECL,
    CursorKind.TYPE_ALIAS_DECL,
    CursorKind.FUNCTION_DECL,
    CursorKind.USING_DECLARATION,
    CursorKind.USING_DIRECTIVE,
    CursorKind.NAMESPACE_ALIAS,
    CursorKind.STATIC_ASSERT,
}
"""What a declaration in a block may declare; what else there is names variables in other ways."""


def names_otherwise(declared: Iterable[Cursor]) -> bool:
    """Does a declaration in a block name something that is no plain variable, type or function?"""
    return any(kind_of(each) not in _DECLARED for each in declared)


def names_something_elsewhere(declared: Cursor) -> bool:
    """Does a declaration in a block name a function, or a variable of the file or another one?

    Parsers find the variables of blocks around it where compilers do not.
    """
    is_function = kind_of(declared) == CursorKind.FUNCTION_DECL
    return is_function or declared.storage_class == StorageClass.EXTERN


def takes_references(declaration: Cursor | None) -> bool:
    """Is it a method, or a pointer to a function, with a parameter that is a reference?"""
    if declaration is None or kind_of(declaration) == CursorKind.FUNCTION_DECL:
        return False
    type_ = declaration.type.get_canonical()
    if kind_of(type_) == TypeKind.POINTER:
        type_ = type_.get_pointee()
    if kind_of(type_) != TypeKind.FUNCTIONPROTO:
        return False
    return any(kind_of(each.get_canonical()) in REFERENCES for each in type_.argument_types())


def _is_parameter(use: Cursor) -> bool:
    declared = use.referenced if kind_of(use) == CursorKind.DECL_REF_EXPR else None
    return declared is not None and kind_of(declared) == CursorKind.PARM_DECL


_COMPUTED = {CursorKind.CALL_EXPR, CursorKind.LAMBDA_EXPR, CursorKind.StmtExpr}


def has_code_of_its_own(cursor: Cursor) -> bool:
    """Is it an object of a class of C++, or an array of such objects?"""
    type_ = cursor.type.get_canonical()
    while kind_of(type_) in (TypeKind.CONSTANTARRAY, TypeKind.VARIABLEARRAY):
        type_ = type_.get_array_element_type()
    if cursor.storage_class == StorageClass.STATIC and any(
        kind_of(each) in _COMPUTED or _is_parameter(each) for each in cursor.walk_preorder()
    ):
        return True  # in C++, whoever comes first computes it
    return kind_of(type_) == TypeKind.RECORD and not type_.is_pod()


def is_designated(value: Cursor) -> bool:
    """``.x = a`` or ``[2] = a`` in a list."""
    inner = list(value.get_children())
    is_plain = kind_of(value) != CursorKind.UNEXPOSED_EXPR or len(inner) < 2
    return not is_plain or any(kind_of(each) == CursorKind.MEMBER_REF for each in inner)


def declared_in(block: Cursor) -> list[Cursor]:
    """The variables that are declared anywhere in a block."""
    return [each for each in block.walk_preorder() if kind_of(each) == CursorKind.VAR_DECL]


def kind_name(kind: Any) -> str:
    """What the parser calls it, in words."""
    return str(kind.name).lower().replace("_", " ") if kind is not None else "of an unknown kind"


def is_volatile(name: str) -> bool:
    """Does the name of a type say that its values change by themselves?"""
    return re.search(r"\bvolatile\b|_Atomic", name) is not None


_SCOPES = {
    CursorKind.TRANSLATION_UNIT,
    CursorKind.NAMESPACE,
    CursorKind.LINKAGE_SPEC,
    CursorKind.UNEXPOSED_DECL,
    CursorKind.CLASS_DECL,
    CursorKind.STRUCT_DECL,
    CursorKind.UNION_DECL,
    CursorKind.CLASS_TEMPLATE,
}


def is_at_top(variable: Cursor) -> bool:
    """Is it a variable of no function: of the file, a namespace or a class?"""
    parent = variable.semantic_parent
    return parent is not None and kind_of(parent) in _SCOPES


def is_called_by_name(call: Cursor, is_of_system: Callable[[Any], bool], *, is_cpp: bool) -> bool:
    """Is a function called by its own name, as the only one of it, or by that of a pointer?

    Names in namespaces and classes, of templates, and what an expression leads to are others.
    """
    children = list(call.get_children())
    callee = children[0] if children else None
    while callee is not None and kind_of(callee) == CursorKind.UNEXPOSED_EXPR:
        callee = next(iter(callee.get_children()), None)
    declaration = call.referenced
    if declaration is None or callee is None or kind_of(callee) != CursorKind.DECL_REF_EXPR:
        return False
    if kind_of(declaration) in (CursorKind.PARM_DECL, CursorKind.VAR_DECL):
        return True
    if kind_of(declaration) != CursorKind.FUNCTION_DECL:
        return False
    name = str(declaration.spelling)
    symbol = str(declaration.get_usr())
    is_plain = not is_cpp or is_of_system(declaration.location) or _is_alone(declaration, symbol)
    return is_plain and name not in _ASKING


def is_broken_promise(call: Cursor) -> bool:
    """Does one of PENCIL's functions, which say something, also do something?"""
    if not str(call.spelling).startswith("__pencil_"):
        return False
    definition = call.referenced.get_definition() if call.referenced is not None else None
    return definition is not None and any(
        _does_something(part) or (_is_variable(part) and is_at_top(part.referenced))
        for part in definition.walk_preorder()
    )


_ASKING = {"__builtin_constant_p", "__builtin_object_size", "__builtin_dynamic_object_size"}
"""Builtins that ask how an argument is written, and not what its value is."""


def _is_alone(declaration: Cursor, symbol: str) -> bool:
    """Is it a function of C++ outside of namespaces, without templates and overloads?"""
    name, parent = str(declaration.spelling), declaration.semantic_parent
    if not re.match(rf"c:[^@]*@F@{re.escape(name)}#", symbol) or parent is None:
        return False
    return all(
        str(each.get_usr()) == symbol
        for each in parent.get_children()
        if str(each.spelling) == name
    )


_CODE = {
    CursorKind.CALL_EXPR,
    CursorKind.COMPOUND_ASSIGNMENT_OPERATOR,
    CursorKind.StmtExpr,
    CursorKind.LAMBDA_EXPR,
}
COMPUTING = {*"* / % + - << >> < > <= >= == != & ^ | && ||".split()}
COMPUTING_ONE = {*"& * + - ~ !".split()}
"""Operators that only compute a value."""


_TYPE_NAMES = {CursorKind.TYPEDEF_DECL, CursorKind.TYPE_ALIAS_DECL}
_VARIABLES = {CursorKind.VAR_DECL, CursorKind.PARM_DECL}
_COMPUTED_SIZE = re.compile(r"\[(?!\d*\])")


def has_hidden_code(declared: Cursor) -> bool:
    """Are there sizes in a type that the reader does not see, as in ``typedef int row[n]``?

    They may do something, as in ``int (*p)[n++]``, or be those of another time than the variables
    of that type.  The sizes of a variable that is an array are expressions to the reader.
    """
    kind = kind_of(declared)
    if kind not in _TYPE_NAMES | _VARIABLES or _has_plain_sizes(declared):
        return False
    if kind_of(declared.type.get_canonical()) in NUMBERS:
        return False  # what ``typeof`` asks is computed for sizes alone
    value = initializer_of(declared) if kind == CursorKind.VAR_DECL else None
    is_unseen = kind in _TYPE_NAMES or _names_another_type(declared)
    return any(
        _does_something(part) or (is_unseen and _is_variable(part))
        for child in declared.get_children()
        if value is None or child != value
        for part in child.walk_preorder()
    )


def _names_another_type(declared: Cursor) -> bool:
    """Is it declared by ``typeof``, with a size that is computed?"""
    is_sized = _COMPUTED_SIZE.search(str(declared.type.get_canonical().spelling)) is not None
    return is_sized and "typeof" in str(declared.type.spelling)


def _is_variable(part: Cursor) -> bool:
    declaration = part.referenced if kind_of(part) == CursorKind.DECL_REF_EXPR else None
    return declaration is not None and kind_of(declaration) in _VARIABLES


def _has_plain_sizes(declared: Cursor) -> bool:
    element = declared.type
    while kind_of(element) in (TypeKind.CONSTANTARRAY, TypeKind.VARIABLEARRAY):
        element = element.get_array_element_type()
    is_variable = kind_of(declared) == CursorKind.VAR_DECL
    return is_variable and not re.search(r"[\[(]|typeof", str(element.spelling))


def _does_something(part: Cursor) -> bool:
    match kind_of(part):
        case CursorKind.UNARY_OPERATOR:
            return unary_operator(part) not in COMPUTING_ONE
        case CursorKind.BINARY_OPERATOR:
            return binary_operator(part) not in COMPUTING
        case kind:
            return kind in _CODE
