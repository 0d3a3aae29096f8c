"""Places: which element of which object an expression means, and pointers to those."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, cast

from loopwright.basics.spans import Span
from loopwright.evaluation.memory import (
    Dims,
    Pointer,
    Thing,
    Value,
    base_of,
    is_like,
    size_of,
    stride,
)
from loopwright.evaluation.numbers import Number
from loopwright.evaluation.outcomes import CannotEvaluate, Undefined
from loopwright.frontend.c_tree import (
    BinaryExpr,
    Expr,
    Function,
    MemberOf,
    Subscript,
    UnaryExpr,
    Use,
    Variable,
)
from loopwright.frontend.c_types import ArrayType, CType, PointerType, RecordType

Frame = dict[Variable, Pointer]
"""Where the variables of a function are."""
Reader = Callable[[Frame], Value]
NumberReader = Callable[[Frame], Number]
IntegerReader = Callable[[Frame], int]
Finder = Callable[[Frame], Pointer]


Returned = tuple[Value, CType] | None


class World(Protocol):
    """What an expression needs of the program around it."""

    def place_of(self, variable: Variable) -> Pointer:
        """Where a global variable is."""
        ...

    def called(self, function: Function, arguments: list[Value], types: list[CType]) -> Returned:
        """What a function returns for these arguments."""
        ...


class Values(Protocol):
    """What a place needs of the expressions in it."""

    def number(self, expression: Expr) -> NumberReader:
        """The value of an expression of an arithmetic type."""
        ...

    def value(self, expression: Expr) -> Reader:
        """The value of an expression."""
        ...


class Places:
    """Takes apart what names an object, or points to one."""

    def __init__(self, world: World, values: Values) -> None:
        self.world = world
        self.values = values

    def dims(self, type_: CType) -> Callable[[Frame], Dims]:
        """The extents of an array, outermost first; none for what is no array."""
        extents: list[NumberReader | None] = []
        while isinstance(type_, ArrayType):
            known = type_.extent
            extents.append(self.values.number(known) if known is not None else None)
            type_ = type_.element

        def read(frame: Frame) -> Dims:
            found = [each(frame) if each is not None else None for each in extents]
            if any(each is not None and each <= 0 for each in found):
                raise Undefined("an array without elements")
            return tuple(int(each) if each is not None else None for each in found)

        return read

    def place(self, expression: Expr) -> Finder:
        """Where the object is that an expression means."""
        match expression:
            case Use(variable=variable):
                return self._variable(variable)
            case Subscript(base=base, index=index):
                return self._element(
                    base, cast("IntegerReader", self.values.number(index)), expression
                )
            case UnaryExpr(operator="*", operand=operand):
                return self._element(operand, lambda _: 0, expression)
            case MemberOf():
                return self._member(expression)
            case _:
                raise CannotEvaluate("this place")

    def _variable(self, variable: Variable) -> Finder:
        if variable.is_pinned:
            raise CannotEvaluate(f"{variable.name}, which is volatile, atomic or of a thread")
        if variable.is_global:
            return lambda _: self.world.place_of(variable)
        if variable.is_static:
            raise CannotEvaluate(f"{variable.name}, which outlives its function")

        def find(frame: Frame) -> Pointer:
            place = frame.get(variable)
            if place is None:
                raise CannotEvaluate(f"{variable.name} is used before its declaration")
            return place

        return find

    def _element(self, base: Expr, index: IntegerReader, whole: Expr) -> Finder:
        unit = size_of(base_of(whole.type))
        if isinstance(base.type, ArrayType):
            array = self.place(base)

            def find(frame: Frame) -> Pointer:
                thing, offset, dims = array(frame)
                at, extent, inner = index(frame), dims[0], dims[1:]
                there = at * unit
                for each in inner:
                    there *= each or 0
                if extent is not None and not 0 <= at < extent:
                    _require_outside(thing, offset + there, whole.span)
                return Pointer(thing, offset + there, inner)

            return find
        pointer = self.pointer(base)

        def follow(frame: Frame) -> Pointer:
            thing, offset, dims = pointer(frame)
            step = stride(dims, unit) if dims else unit
            return Pointer(thing, offset + index(frame) * step, dims)

        return follow

    def _member(self, expression: MemberOf) -> Finder:
        base = expression.base
        record = base.type
        if expression.is_arrow:
            record = record.target if isinstance(record, PointerType) else base_of(record)
            around = self.pointer(base)
        else:
            around = self.place(base)
        if not isinstance(record, RecordType) or record.is_union:
            raise CannotEvaluate(f"the member {expression.name}")
        field = next((each for each in record.fields if each.name == expression.name), None)
        if field is None or field.shares_memory:
            raise CannotEvaluate(f"the member {expression.name}")
        dims, position = self.dims(field.type), field.offset
        if isinstance(field.type, ArrayType) and field.type.extent is None:
            raise CannotEvaluate(f"the member {expression.name}, whose size is not known")

        def find(frame: Frame) -> Pointer:
            thing, offset, outer = around(frame)
            if outer:
                raise CannotEvaluate("a member of an array")
            return Pointer(thing, offset + position, dims(frame))

        return find

    def pointer(self, expression: Expr) -> Finder:
        """The value of an expression that is a pointer, or an array that becomes one."""
        value = self.values.value(expression)

        def read(frame: Frame) -> Pointer:
            found = value(frame)
            if not isinstance(found, Pointer):
                raise CannotEvaluate("a number as a pointer")
            return found

        return read

    def as_pointer(self, expression: Expr, type_: PointerType) -> Reader:
        """A pointer that arrives where one of this type is expected."""
        if not isinstance(expression.type, ArrayType | PointerType):
            raise CannotEvaluate("a number as a pointer")
        value, dims = self.pointer(expression), self.dims(type_.target)
        return lambda frame: pointing(value(frame), type_, dims(frame))

    def moved(self, expression: BinaryExpr) -> Reader:
        """A pointer and a number of elements further on, or back."""
        sign, left, right = expression.operator, expression.left, expression.right
        is_left = isinstance(left.type, ArrayType | PointerType)
        pointer = self.pointer(left if is_left else right)
        count = cast("IntegerReader", self.values.number(right if is_left else left))
        unit = size_of(base_of(_pointed_to((left if is_left else right).type)))
        if sign not in ("+", "-") or (sign == "-" and not is_left):
            raise CannotEvaluate("pointers in this operator")

        def move(frame: Frame) -> Value:
            thing, offset, dims = pointer(frame)
            by = count(frame) * stride(dims, unit)
            return kept(Pointer(thing, offset + by if sign == "+" else offset - by, dims))

        return move


def pointing(pointer: Pointer, type_: PointerType, dims: Dims) -> Pointer:
    """A pointer as one of a type whose target has these dimensions."""
    thing, offset, _ = pointer
    if None in dims:
        raise CannotEvaluate("a pointer to an array of unknown size")
    if not is_like(thing.element, base_of(type_.target)):
        raise CannotEvaluate(f"{thing.name} as another type")
    return Pointer(thing, offset, dims)


def _require_outside(thing: Thing, there: int, span: Span) -> None:
    """A subscript beyond its dimension leaves the object, or only the row: that is not judged."""
    if 0 <= there < thing.limit:
        raise CannotEvaluate(f"a subscript leaves its row at line {span.line}")


def _pointed_to(type_: CType) -> CType:
    match type_:
        case PointerType(target=element) | ArrayType(element=element):
            return element
        case _:
            raise CannotEvaluate("a number as a pointer")


def decayed(place: Pointer) -> Pointer:
    """An array is a pointer to its first element."""
    thing, offset, dims = kept(place)
    return Pointer(thing, offset, dims[1:])


def kept(pointer: Pointer) -> Pointer:
    """A pointer that is computed must lead into its object, or right behind it."""
    if not 0 <= pointer.offset <= pointer.thing.limit:
        raise CannotEvaluate(f"a pointer that leaves {pointer.thing.name}")
    return pointer
