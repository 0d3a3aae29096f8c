"""C types, as far as the model needs them: widths, signs, layouts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loopwright.basics.records import record

if TYPE_CHECKING:
    from loopwright.frontend.c_tree import Expr


@record
class IntType:
    """An integer type: its C spelling, width and sign."""

    name: str
    bits: int
    is_signed: bool
    is_bool: bool = False

    @property
    def size(self) -> int:
        """In bytes."""
        return self.bits // 8

    @property
    def least(self) -> int:
        """The least value."""
        return -(2 ** (self.bits - 1)) if self.is_signed else 0

    @property
    def greatest(self) -> int:
        """The greatest value."""
        if self.is_bool:
            return 1
        return 2 ** (self.bits - 1) - 1 if self.is_signed else 2**self.bits - 1

    @property
    def may_wrap(self) -> bool:
        """Does ``i++`` on such a variable wrap?

        Unsigned types do by definition and those narrower than ``int`` by conversion; overflow of
        the others is undefined, so that no program that we accept has it.
        """
        return not self.is_signed or self.bits < 32


@record
class FloatType:
    """A floating-point or complex type."""

    name: str
    size: int


@record
class PointerType:
    """A pointer; the target of ``void *`` and of a function pointer is an :class:`OtherType`."""

    target: CType
    name: str
    is_restrict: bool = False

    @property
    def size(self) -> int:
        """In bytes, on the 64-bit machines that the parser is told about."""
        return 8


@record
class ArrayType:
    """An array; ``extent`` is ``None`` where the source leaves it open."""

    element: CType
    extent: Expr | None
    name: str

    @property
    def is_restrict(self) -> bool:
        """Written as ``[restrict n]`` in a parameter list?"""
        return "[restrict" in self.name

    @property
    def size(self) -> None:
        """Unknown without the values of the extents."""
        return None


@record
class Field:
    """A struct member, its offset in bytes, and whether other members lie in the same bytes."""

    name: str
    type: CType
    offset: int
    shares_memory: bool


@record
class RecordType:
    """A struct or union."""

    name: str
    size: int
    is_union: bool
    fields: tuple[Field, ...]


@record
class OtherType:
    """Anything else: ``void``, functions, vectors."""

    name: str
    size: int | None = None


CType = IntType | FloatType | PointerType | ArrayType | RecordType | OtherType


def holds_pointers(type_: CType) -> bool:
    """Is there a pointer in a value of this type?"""
    match type_:
        case PointerType():
            return True
        case ArrayType(element=element):
            return holds_pointers(element)
        case RecordType(fields=fields):
            return any(holds_pointers(each.type) for each in fields)
        case _:
            return False


def element_of(type_: CType) -> CType:
    """What a subscript of it has for a type."""
    match type_:
        case PointerType(target=element) | ArrayType(element=element):
            return element
        case _:
            return OtherType("an element of an unknown type")
