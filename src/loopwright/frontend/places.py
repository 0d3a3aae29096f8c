"""Which memory an expression names: variables, subscripts, members, and pointers into them."""

from __future__ import annotations

from loopwright.basics.diagnostics import InputError
from loopwright.frontend.affine import polynomial_of, value_of
from loopwright.frontend.c_tree import (
    BinaryExpr,
    CastExpr,
    Expr,
    MemberOf,
    Subscript,
    UnaryExpr,
    Use,
    Variable,
    without_casts,
)
from loopwright.frontend.c_types import ArrayType, CType, OtherType, PointerType
from loopwright.frontend.polynomials import Polynomial, affine_polynomial
from loopwright.frontend.scope import Place, Pointer, Scope, Step
from loopwright.frontend.workshop import Workshop
from loopwright.polyhedra.values import constant, constant_of

ZERO = affine_polynomial(constant(0))


def place_of(expression: Expr, scope: Scope, workshop: Workshop) -> Place:
    """The memory that an lvalue names."""
    match expression:
        case Use(variable=variable):
            return Place(variable)
        case Subscript(base=base, index=index):
            pointer = pointer_of(base, scope, workshop)
            offset = polynomial_of(index, scope, workshop)
            is_offset = pointer.index is not ZERO or _is_alias(base, scope)
            return pointer.place.at(Step("", _sum(pointer.index, offset), is_offset))
        case UnaryExpr(operator="*", operand=operand):
            pointer = pointer_of(operand, scope, workshop)
            return _target(pointer)
        case MemberOf(base=base, name=name, is_arrow=is_arrow):
            if is_arrow:
                return _target(pointer_of(base, scope, workshop)).at(Step(member=name))
            return place_of(base, scope, workshop).at(Step(member=name))
        case CastExpr(operand=operand):
            return place_of(operand, scope, workshop)
        case _:
            raise workshop.reject(
                "LW208",
                "this expression names no memory that can be followed",
                expression.span,
                "index an array by name",
            )


def _is_alias(base: Expr, scope: Scope) -> bool:
    bare = without_casts(base)
    return isinstance(bare, Use) and bare.variable in scope.pointers


def _target(pointer: Pointer) -> Place:
    if pointer.is_whole:
        return pointer.place
    return pointer.place.at(Step("", pointer.index, pointer.index is not ZERO))


def pointer_of(expression: Expr, scope: Scope, workshop: Workshop) -> Pointer:
    """Where a pointer points: an element of an array, with the subscript still open."""
    match expression:
        case Use(variable=variable) if variable in scope.pointers:
            return scope.pointers[variable]
        case Use() | Subscript() | MemberOf():
            return Pointer(place_of(expression, scope, workshop), ZERO)
        case UnaryExpr(operator="&", operand=operand):
            place = place_of(operand, scope, workshop)
            if place.steps and not place.steps[-1].is_member:
                last = place.steps[-1]
                return Pointer(Place(place.variable, place.steps[:-1]), last.index)
            return Pointer(place, ZERO, is_whole=True)
        case UnaryExpr(operator="*"):
            return Pointer(place_of(expression, scope, workshop), ZERO)
        case BinaryExpr(operator="+" | "-" as operator, left=left, right=right):
            return _moved(operator, left, right, scope, workshop)
        case CastExpr(operand=operand, type=type_):
            _require_same_elements(expression, operand.type, type_, workshop)
            return pointer_of(operand, scope, workshop)
        case _:
            raise workshop.reject(
                "LW205",
                f"cannot tell where the pointer {workshop.text_of(expression.span)} points",
                expression.span,
                "index the array by name, or initialise the pointer once from an array",
            )


def _moved(operator: str, left: Expr, right: Expr, scope: Scope, workshop: Workshop) -> Pointer:
    if isinstance(right.type, PointerType | ArrayType):
        left, right = right, left
    base = pointer_of(left, scope, workshop)
    by = polynomial_of(right, scope, workshop)
    if by is not None and operator == "-":
        by = -by
    return Pointer(base.place, _sum(base.index, by))


def _sum(left: Polynomial | None, right: Polynomial | None) -> Polynomial | None:
    return left + right if left is not None and right is not None else None


def _require_same_elements(
    expression: Expr, source: CType, target: CType, workshop: Workshop
) -> None:
    """A pointer may be cast to ``void *`` and back, or change qualifiers, but not its elements."""
    from_element, to_element = _pointed_to(source), _pointed_to(target)
    if from_element is None or to_element is None:
        return
    is_row = isinstance(from_element, ArrayType) or isinstance(to_element, ArrayType)
    is_same = from_element.name == to_element.name if is_row else True
    if not is_same or from_element.size != to_element.size:
        raise _other_elements(expression, from_element.name, to_element.name, workshop)


def _other_elements(expression: Expr, source: str, target: str, workshop: Workshop) -> InputError:
    return workshop.reject(
        "LW211",
        f"a pointer to {source} is used as a pointer to {target}",
        expression.span,
        "access the array through its own type",
    )


def require_same_rows(pointer: Variable, value: Expr, scope: Scope, workshop: Workshop) -> None:
    """A pointer that the region declares must see the rows that the array has."""
    if not has_same_rows(pointer.type, scope, value, scope, workshop):
        source = _pointed_to(without_casts(value).type)
        target = _pointed_to(pointer.type)
        names = [each.name if each is not None else "something else" for each in (source, target)]
        raise _other_elements(value, names[0], names[1], workshop)


def has_same_rows(
    pointer: CType, inner: Scope, value: Expr, outer: Scope, workshop: Workshop
) -> bool:
    """Do a pointer type and the address that it gets agree on the shape of what lies there?"""
    left, right = _pointed_to(pointer), _pointed_to(without_casts(value).type)
    while isinstance(left, ArrayType) and isinstance(right, ArrayType):
        if left.extent is None or right.extent is None:
            return False
        first = value_of(left.extent, inner, workshop)
        second = value_of(right.extent, outer, workshop)
        if first is None or second is None or constant_of(first - second) != 0:
            return False
        left, right = left.element, right.element
    if left is None or right is None or isinstance(left, ArrayType) or isinstance(right, ArrayType):
        return False
    return left.size == right.size


def _pointed_to(type_: CType) -> CType | None:
    match type_:
        case PointerType(target=element) | ArrayType(element=element):
            return None if isinstance(element, OtherType) else element
        case _:
            return None
