"""What the library's functions that fill and copy memory touch: as a rule, so many elements."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from loopwright.frontend.affine import value_of
from loopwright.frontend.c_tree import (
    BinaryExpr,
    CallExpr,
    CastExpr,
    Expr,
    walk_expression,
    without_casts,
)
from loopwright.frontend.c_types import (
    ArrayType,
    CType,
    IntType,
    OtherType,
    element_of,
    holds_pointers,
)
from loopwright.frontend.places import ZERO, pointer_of
from loopwright.frontend.polynomials import affine_polynomial
from loopwright.frontend.recorder import Recorder
from loopwright.frontend.scope import Arithmetic, Pointer, Scope, Step
from loopwright.polyhedra.values import constant, floor_quotient, modulo, unknown

SETTING = frozenset({"memset", "__builtin_memset"})
"""Their second argument is a number."""


def record_fill(recorder: Recorder, call: CallExpr, scope: Scope) -> None:
    """The elements that are read and written; anything behind the pointers if that is unclear."""
    target, source, size = call.arguments
    bytes_ = _size(size, scope, recorder)
    if call.function not in SETTING:
        _record(source, bytes_, scope, recorder, writes=False)
    _record(target, bytes_, scope, recorder, writes=True)


def _size(size: Expr, scope: Scope, recorder: Recorder) -> isl.PwAff | None:
    """How many bytes; a negative number would be more than there are addresses."""
    computed = [each for each in walk_expression(size) if isinstance(each, BinaryExpr | CastExpr)]
    types = [each.type for each in computed]
    if any(isinstance(each, IntType) and each.may_wrap and each.bits < 64 for each in types):
        return None
    return value_of(size, replace(scope, arithmetic=Arithmetic.IDEAL), recorder.workshop)


def _record(
    argument: Expr, bytes_: isl.PwAff | None, scope: Scope, recorder: Recorder, *, writes: bool
) -> None:
    bare, workshop = without_casts(argument), recorder.workshop
    if writes and not _holds_numbers(element_of(bare.type)):
        raise workshop.reject(
            "LW205",
            f"{workshop.text_of(argument.span)} may lead to pointers, which would change",
            argument.span,
            "copy what the pointers lead to, by name",
        )
    pointer = pointer_of(bare, scope, workshop)
    width = element_of(bare.type).size
    is_plain = bytes_ is not None and width and pointer.index is not None and not pointer.is_whole
    if not is_plain or bytes_ is None or not width:
        recorder.record_reachable(pointer, scope, argument.span, writes=writes)
        return
    uneven = scope.possible & modulo(bytes_, width).ne_set(constant(0)) & workshop.type_ranges()
    if not uneven.is_empty():
        recorder.record_reachable(pointer, scope, argument.span, writes=writes)
        return
    _record_stretch(pointer, floor_quotient(bytes_, width), scope, recorder, argument, writes)


def _holds_numbers(element: CType) -> bool:
    """Is it known what lies there, with no pointer in it?"""
    while isinstance(element, ArrayType):
        element = element.element
    return not isinstance(element, OtherType) and not holds_pointers(element)


def _record_stretch(
    pointer: Pointer,
    count: isl.PwAff,
    scope: Scope,
    recorder: Recorder,
    argument: Expr,
    writes: bool,
) -> None:
    """So many elements from where a pointer points."""
    workshop = recorder.workshop
    name = workshop.iterator_name("part", (*scope.iterators, *scope.hidden))
    part = unknown(name)
    inside = scope.running(part.ge_set(constant(0)) & part.lt_set(count))
    inside = replace(inside, hidden=(*scope.hidden, name))
    base = pointer.index if pointer.index is not None else ZERO
    place = pointer.place.at(Step("", base + affine_polynomial(part), is_offset=True))
    recorder.record(place, inside, argument.span, reads=not writes, writes=writes)
