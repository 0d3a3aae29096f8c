"""Which memory an expression names: variables, subscripts, members, and pointers into them."""

from __future__ import annotations

from loopwright.frontend.affine import polynomial_of
from loopwright.frontend.c_tree import (
    BinaryExpr,
    CastExpr,
    Expr,
    MemberOf,
    Subscript,
    UnaryExpr,
    Use,
)
from loopwright.frontend.c_types import ArrayType, CType, OtherType, PointerType
from loopwright.frontend.polynomials import Polynomial, affine_polynomial
from loopwright.frontend.scope import Place, Pointer, Scope, Step
from loopwright.frontend.workshop import Workshop
from loopwright.polyhedra.values import constant

ZERO = affine_polynomial(constant(0))


def place_of(expression: Expr, scope: Scope, workshop: Workshop) -> Place:
    """The memory that an lvalue names."""
    match expression:
        case Use(variable=variable):
            return Place(variable)
        case Subscript(base=base, index=index):
            pointer = pointer_of(base, scope, workshop)
            offset = polynomial_of(index, scope, workshop)
            return pointer.place.at(Step(index=_sum(pointer.index, offset)))
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


def _target(pointer: Pointer) -> Place:
    return pointer.place if pointer.is_whole else pointer.place.at(Step(index=pointer.index))


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
    if from_element is None or to_element is None or from_element.size == to_element.size:
        return
    raise workshop.reject(
        "LW211",
        f"a pointer to {from_element.name} is used as a pointer to {to_element.name}",
        expression.span,
        "access the array through its own type",
    )


def _pointed_to(type_: CType) -> CType | None:
    match type_:
        case PointerType(target=element) | ArrayType(element=element):
            return None if isinstance(element, OtherType) else element
        case _:
            return None
