"""Which constants all compilers compute alike, so that the parser's value is the compiler's.

The size of an array, and the number that a name of an enumeration stands for, are computed by the
parser; what it answers for extensions of C is not what every compiler answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from clang.cindex import CursorKind, TypeKind

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.frontend.clang_library import (
    Cursor,
    ParsedFile,
    binary_operator,
    constant_value,
    initializer_of,
    is_expression,
    kind_of,
    unary_operator,
)
from loopwright.frontend.cursors import COMPUTING, COMPUTING_ONE, is_designated
from loopwright.frontend.type_reader import SIGNED, UNSIGNED

DISPUTED = "a constant that not all compilers compute alike"
_PLAIN = {*SIGNED, *UNSIGNED, TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE} | {
    TypeKind.POINTER
}
_ARRAYS = {TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY}
_DECLARED = {
    CursorKind.STRUCT_DECL,
    CursorKind.UNION_DECL,
    CursorKind.CLASS_DECL,
    CursorKind.TYPEDEF_DECL,
    CursorKind.TYPE_ALIAS_DECL,
}
_OF_TYPES = re.compile(
    r"(char|short|int|long|signed|unsigned|float|double|_Bool|bool|void|struct|union|enum|const"
    r"|volatile|sizeof|__func__|[-\s*&()\[\]+.>]|\d+|(?!_)[A-Za-z]\w*"
    r'|"([^"\\]|\\[abfnrtv\\"\'0])*")*'
)
"""What ``sizeof`` is asked about, if that has no words of extensions in it."""
_PASSED = {CursorKind.PAREN_EXPR, CursorKind.UNEXPOSED_EXPR}
_COMPUTED = {
    CursorKind.UNARY_OPERATOR,
    CursorKind.BINARY_OPERATOR,
    CursorKind.CONDITIONAL_OPERATOR,
    CursorKind.CSTYLE_CAST_EXPR,
}


class AgreedConstants:
    """Knows of the constants and types of a preprocessed file which ones are everybody's."""

    def __init__(self, parsed: ParsedFile) -> None:
        """Nothing is looked at yet."""
        self._parsed = parsed
        self._known: dict[int, bool] = {}

    def is_disputed(self, constant: Cursor) -> bool:
        """May the compiler have another value for it?  It sees what has been preprocessed."""
        return self._parsed.is_preprocessed and not self.is_agreed(constant)

    def require_sizes(self, declaration: Cursor) -> None:
        """Refuse a variable whose type may be another one to its compiler."""
        if self._parsed.is_preprocessed and not self.has_agreed_sizes(declaration):
            span = self._parsed.span_of(declaration)
            what = f"the type of {declaration.spelling} depends on {DISPUTED}"
            raise InputError(Diagnostic("LW208", what, span, "say its sizes as plain numbers"))

    def is_agreed(self, expression: Cursor) -> bool:
        """Is it a constant that is made of numbers and usual operators?"""
        children = list(expression.get_children())
        kind = kind_of(expression)
        match kind:
            case CursorKind.INTEGER_LITERAL:
                return self._fits(expression)
            case CursorKind.FLOATING_LITERAL:
                return True
            case CursorKind.CHARACTER_LITERAL:
                return constant_value(expression) in range(128)
            case CursorKind.DECL_REF_EXPR:
                return self._is_agreed_name(expression.referenced)
            case CursorKind.CXX_UNARY_EXPR:
                return self._is_plain_size(expression)
            case _ if kind in _PASSED:
                return len(children) == 1 and self.is_agreed(children[0])
            case _ if kind in _COMPUTED:
                values = [each for each in children if is_expression(each)]
                return _is_usual(expression) and all(map(self.is_agreed, values))
            case _:
                return False

    def _fits(self, number: Cursor) -> bool:
        """Is it in the range of a ``long``, or said to be unsigned?  Otherwise it has no type."""
        value = constant_value(number)
        is_unsigned = kind_of(number.type.get_canonical()) in UNSIGNED
        span = self._parsed.span_of(number)
        text = self._parsed.file(span.file).text(span.start, span.end).lower()
        return isinstance(value, int) and (not is_unsigned or text[:1] == "0" or "u" in text)

    def _is_agreed_name(self, declaration: Cursor | None) -> bool:
        if declaration is None or kind_of(declaration) != CursorKind.ENUM_CONSTANT_DECL:
            return False
        return self._once(declaration, self._is_agreed_enumerator)

    def _is_agreed_enumerator(self, declaration: Cursor) -> bool:
        """Its value, or the last one before it that is given, is agreed."""
        given: list[Cursor] = []
        for each in declaration.semantic_parent.get_children():
            given = [child for child in each.get_children() if is_expression(child)] or given
            if each == declaration:
                break
        return all(map(self.is_agreed, given))

    def _is_plain_size(self, expression: Cursor) -> bool:
        span = self._parsed.span_of(expression)
        text = self._parsed.file(span.file).text(span.start, span.end)
        if not text.startswith("sizeof") or _OF_TYPES.fullmatch(text) is None:
            return False
        inside = [each for each in expression.walk_preorder() if each != expression]
        return all(map(self._is_plain_part, inside))

    def _is_plain_part(self, part: Cursor) -> bool:
        """May the size of an operand with this part be asked for?"""
        declaration = part.referenced
        if kind_of(part) == CursorKind.INTEGER_LITERAL:
            return self._fits(part)
        if is_expression(part) and not _is_plain(part.type.get_canonical()):
            return False
        if declaration is None or kind_of(part) == CursorKind.UNEXPOSED_EXPR:
            return True
        if _is_narrow(declaration) or kind_of(declaration) == CursorKind.FUNCTION_DECL:
            return False
        return _is_plain(declaration.type.get_canonical()) and self.has_agreed_sizes(declaration)

    def has_agreed_sizes(self, declaration: Cursor) -> bool:
        """Are the constants in the type of a variable, a member or another type agreed?"""
        return self._once(declaration, self._looked_at)

    def _looked_at(self, declaration: Cursor) -> bool:
        if kind_of(declaration) in (CursorKind.STRUCT_DECL, CursorKind.UNION_DECL):
            return all(map(self.has_agreed_sizes, declaration.get_children()))
        is_variable = kind_of(declaration) == CursorKind.VAR_DECL
        value = initializer_of(declaration) if is_variable else None
        if value is not None and any(map(is_designated, value.get_children())):
            return kind_of(declaration.type.get_canonical()) != TypeKind.CONSTANTARRAY
        said = [each for each in declaration.get_children() if value is None or each != value]
        if "typeof" in str(declaration.type.spelling) and any(_narrow_in(said)):
            return False
        return all(map(self._is_agreed_part, said))

    def _is_agreed_part(self, part: Cursor) -> bool:
        if is_expression(part):
            return constant_value(part) is None or self.is_agreed(part)
        meant = part.referenced if kind_of(part) == CursorKind.TYPE_REF else part
        if meant is None or kind_of(meant) not in _DECLARED:
            return True
        return self.has_agreed_sizes(meant)

    def _once(self, declaration: Cursor, look: Callable[[Cursor], bool]) -> bool:
        key = declaration.hash
        if key not in self._known:
            self._known[key] = True  # a struct may point to its own kind
            self._known[key] = look(declaration)
        return self._known[key]


def _is_usual(expression: Cursor) -> bool:
    match kind_of(expression):
        case CursorKind.UNARY_OPERATOR:
            return unary_operator(expression) in COMPUTING_ONE
        case CursorKind.BINARY_OPERATOR:
            return binary_operator(expression) in COMPUTING
        case CursorKind.CSTYLE_CAST_EXPR:
            return kind_of(expression.type.get_canonical()) in _PLAIN
        case _:
            return True


def _narrow_in(parts: Iterable[Cursor]) -> Iterator[bool]:
    for part in parts:
        for each in part.walk_preorder():
            yield each.referenced is not None and _is_narrow(each.referenced)


def _is_narrow(declaration: Cursor) -> bool:
    is_member = kind_of(declaration) == CursorKind.FIELD_DECL
    return is_member and bool(declaration.is_bitfield())


def _is_plain(type_: Any) -> bool:
    """Does it consist of numbers and pointers?"""
    kind = kind_of(type_)
    if kind in _ARRAYS:
        return _is_plain(type_.get_array_element_type().get_canonical())
    if kind == TypeKind.RECORD:
        fields = list(type_.get_fields())
        return not any(map(_is_narrow, fields)) and all(
            _is_plain(each.type.get_canonical()) for each in fields
        )
    return kind in _PLAIN
