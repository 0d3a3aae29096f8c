"""From libclang's types to our own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from clang.cindex import CursorKind, TypeKind

from loopwright.basics.spans import Span
from loopwright.frontend.c_tree import Expr, IntLiteral
from loopwright.frontend.c_types import (
    ArrayType,
    CType,
    Field,
    FloatType,
    IntType,
    OtherType,
    PointerType,
    RecordType,
)
from loopwright.frontend.clang_library import Type, kind_of

SIGNED = {
    TypeKind.CHAR_S,
    TypeKind.SCHAR,
    TypeKind.SHORT,
    TypeKind.INT,
    TypeKind.LONG,
    TypeKind.LONGLONG,
    TypeKind.INT128,
}
UNSIGNED = {
    TypeKind.CHAR_U,
    TypeKind.UCHAR,
    TypeKind.USHORT,
    TypeKind.UINT,
    TypeKind.ULONG,
    TypeKind.ULONGLONG,
    TypeKind.UINT128,
    TypeKind.BOOL,
    TypeKind.ENUM,
}
FLOATING = {
    TypeKind.FLOAT,
    TypeKind.DOUBLE,
    TypeKind.LONGDOUBLE,
    TypeKind.FLOAT128,
    TypeKind.HALF,
    TypeKind.COMPLEX,
}
NUMBERS = SIGNED | UNSIGNED | FLOATING
_AROUND = {
    TypeKind.POINTER,
    TypeKind.CONSTANTARRAY,
    TypeKind.VARIABLEARRAY,
    TypeKind.INCOMPLETEARRAY,
}
_WORD = re.compile(r"\w+")
_COMPUTED = re.compile("typeof|decltype")
_NOWHERE = Span("", 0, 0, 1, 1, 1, 1)
_INT = IntType("int", 32, True)


class TypeReader:
    """Converts types, each once."""

    def __init__(self, ambiguous: frozenset[str] = frozenset()) -> None:
        """Nothing is converted yet; names that are ``ambiguous`` are those of several types."""
        self._ambiguous = ambiguous
        self._types: dict[tuple[Any, str, str, int], CType] = {}
        self._open_records: set[str] = set()

    def of(self, type_: Type, extents: Iterator[Expr] | None = None) -> CType:
        """The type; ``extents`` are the sizes of its dimensions, outermost first."""
        key = _identity(type_)
        if extents is None and key in self._types:
            return self._types[key]
        result = self._converted(type_, extents)
        if extents is None and not self._open_records:
            self._types[key] = result
        return result

    def _converted(self, type_: Type, extents: Iterator[Expr] | None) -> CType:
        kind, name = kind_of(type_), str(type_.spelling)
        if self._is_ambiguous(name):
            # What an expression has for a type must not change where the expression moves to.
            type_ = type_.get_canonical()
            kind, name = kind_of(type_), self._only_name(type_)
        if kind in SIGNED or kind in UNSIGNED:
            bits = 8 * max(1, type_.get_size())
            is_signed = kind in SIGNED or (kind == TypeKind.ENUM and _is_signed_enum(type_))
            return IntType(_unqualified(name), bits, is_signed, kind == TypeKind.BOOL)
        if kind in FLOATING:
            return FloatType(_unqualified(name), type_.get_size())
        match kind:
            case TypeKind.POINTER:
                target = self.of(type_.get_pointee(), extents)
                return PointerType(target, name, bool(type_.is_restrict_qualified()))
            case TypeKind.CONSTANTARRAY:
                if extents is not None:
                    next(extents, None)
                count = IntLiteral(type_.element_count, str(type_.element_count), _INT, _NOWHERE)
                return ArrayType(self.of(type_.get_array_element_type(), extents), count, name)
            case TypeKind.VARIABLEARRAY | TypeKind.INCOMPLETEARRAY:
                extent = None
                if extents is not None and kind == TypeKind.VARIABLEARRAY:
                    extent = next(extents, None)
                return ArrayType(self.of(type_.get_array_element_type(), extents), extent, name)
            case TypeKind.RECORD:
                return self._record(type_, name)
            case _:
                return self._desugared(type_, name, extents)

    def _only_name(self, canonical: Type) -> str:
        """The name; with the place of the declaration if there is no tag to tell it from others."""
        name = str(canonical.spelling)
        if _unqualified(name) not in self._ambiguous:
            return name
        return f"{name} /* {canonical.get_declaration().location.offset} */"

    def _is_ambiguous(self, name: str) -> bool:
        computed = _COMPUTED.search(name) is not None
        return computed or not self._ambiguous.isdisjoint(_WORD.findall(name))

    def _desugared(self, type_: Type, name: str, extents: Iterator[Expr] | None) -> CType:
        canonical = type_.get_canonical()
        if kind_of(canonical) in (None, kind_of(type_)):
            return OtherType(name)
        result = self.of(canonical, extents)
        if isinstance(result, IntType):
            return replace(result, name=_unqualified(name))
        return result

    def _record(self, type_: Type, name: str) -> CType:
        if name in self._open_records or not type_.is_pod():
            return OtherType(name)  # a struct that points to its own kind, or a class of C++
        self._open_records.add(name)
        declaration = type_.get_declaration()
        fields = _with_open_end(tuple(self._fields(type_)))
        self._open_records.discard(name)
        is_union = kind_of(declaration) == CursorKind.UNION_DECL
        return RecordType(name, max(0, type_.get_size()), is_union, fields)

    def _fields(self, type_: Type) -> Iterator[Field]:
        """The members; those of an unnamed struct or union belong to the struct around it."""
        for field in type_.get_fields():
            name = str(field.spelling)
            offset = max(0, type_.get_offset(name)) // 8
            converted = self.of(field.type)
            if name or not isinstance(converted, RecordType):
                yield Field(name, converted, offset, bool(field.is_bitfield()))
                continue
            for inner in converted.fields:
                position = max(0, type_.get_offset(inner.name)) // 8
                shares = inner.shares_memory or converted.is_union
                yield Field(inner.name, inner.type, position, shares)


def _identity(type_: Type) -> tuple[Any, str, str, int]:
    """What tells a type from others; names in blocks may be those of other types elsewhere."""
    canonical = type_.get_canonical()
    element = canonical
    while kind_of(element) in _AROUND:
        pointee = element.get_pointee()
        is_pointer = kind_of(element) == TypeKind.POINTER
        element = pointee if is_pointer else element.get_array_element_type()
    is_record = kind_of(element) == TypeKind.RECORD
    declared = element.get_declaration().hash if is_record else 0
    return kind_of(type_), str(type_.spelling), str(canonical.spelling), declared


def _with_open_end(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """An array of no or one element at the end of a struct is meant to go on."""
    match fields:
        case (*_, Field(type=ArrayType(extent=IntLiteral(value=0 | 1)) as array) as last):
            return (*fields[:-1], replace(last, type=replace(array, extent=None)))
        case _:
            return fields


def _is_signed_enum(type_: Type) -> bool:
    return kind_of(type_.get_declaration().enum_type.get_canonical()) in SIGNED


def _unqualified(name: str) -> str:
    return " ".join(word for word in name.split() if word not in ("const", "volatile"))


_ALIAS = re.compile(rb"\b(?:typedef|using)\b")
_MARK = re.compile(rb"[{};]")
_NAMES = re.compile(rb"[A-Za-z_]\w*")
_SPELLED = frozenset(
    b"typedef using struct union enum class const volatile char short int long signed unsigned "
    b"float double void".split()
)


def ambiguous_types(content: bytes) -> frozenset[str]:
    """Names that several declarations of types say, perhaps of several types.

    >>> code = b"typedef int a; typedef long b, c; void f(void) { typedef struct { b d; } a, c; }"
    >>> sorted(ambiguous_types(code))
    ['a', 'b', 'c']
    """
    names: Counter[bytes] = Counter()
    for match in _ALIAS.finditer(content):
        said = content[match.end() : _declaration_end(content, match.end())]
        names.update(set(_NAMES.findall(said)) - _SPELLED)
    return frozenset(name.decode() for name, count in names.items() if count > 1)


def _declaration_end(content: bytes, start: int) -> int:
    depth = 0
    for mark in _MARK.finditer(content, start):
        depth += {b"{": 1, b"}": -1}.get(mark[0], 0)
        if depth <= 0 and mark[0] == b";":
            return mark.start()
    return len(content)
