"""The arrays of a region: which leaf of which variable, of what shape."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import islpy as isl

from loopwright.basics.diagnostics import InputError
from loopwright.basics.names import FreshNames
from loopwright.basics.spans import Span
from loopwright.frontend.affine import value_of
from loopwright.frontend.c_tree import Expr, Variable
from loopwright.frontend.c_types import ArrayType, CType, Field, PointerType, RecordType
from loopwright.frontend.polynomials import EVERY, Polynomial
from loopwright.frontend.scope import Place, Scope
from loopwright.frontend.workshop import Workshop
from loopwright.model.scop import Part
from loopwright.polyhedra.values import constant, names_in

OUTSIDE_WORLD = "outside_world"
"""The array that stands for what unknown functions do to files, generators and the like."""


@dataclass(slots=True, eq=False)
class ArrayDraft:
    """An array while the region is read; its shape may still change by delinearisation."""

    name: str
    variable: Variable | None
    parts: tuple[Part, ...]
    element_type: str
    extents: tuple[isl.PwAff | None, ...]
    span: Span
    is_local: bool = False

    @property
    def may_be_linearised(self) -> bool:
        """May ``A[i*n + j]`` or ``m->data[i*n + j]`` be meant as a multi-dimensional array?"""
        return self.parts[-1].rank == 1


@dataclass(slots=True)
class ArrayTable:
    """The drafts by variable and member path."""

    workshop: Workshop
    drafts: dict[tuple[Variable | str, tuple[str, ...]], ArrayDraft] = field(
        default_factory=dict[tuple["Variable | str", tuple[str, ...]], ArrayDraft]
    )
    names: FreshNames = field(default_factory=FreshNames)

    def leaves(
        self, place: Place, scope: Scope
    ) -> Iterator[tuple[ArrayDraft, tuple[Polynomial | None, ...]]]:
        """The arrays and subscripts that a place covers: one, or each leaf of a struct."""
        walker = _Walker(self.workshop, scope, place.variable)
        for members, parts, extents, indices, element in walker.leaves(place):
            key = (place.variable, members)
            if key not in self.drafts:
                wanted = "_".join([place.variable.name, *members])
                is_local = place.variable in self.workshop.facts.declared
                self.drafts[key] = ArrayDraft(
                    self.names.fresh(wanted),
                    place.variable,
                    parts,
                    element,
                    extents,
                    place.variable.span,
                    is_local and not place.variable.is_static,
                )
                self._require_positive(self.drafts[key])
            yield self.drafts[key], indices

    def know(self, place: Place, scope: Scope) -> None:
        """Have drafts for all that a place covers."""
        for _ in self.leaves(place, scope):
            pass

    def is_partial(self, place: Place) -> bool:
        """Does the place cover only a part of an element: of a union, by one of its members?"""
        type_: CType = place.variable.type
        for position, step in enumerate(place.steps):
            if not step.is_member:
                type_ = type_.element if isinstance(type_, ArrayType) else _target(type_)
            elif isinstance(type_, RecordType):
                member = next((each for each in type_.fields if each.name == step.member), None)
                if type_.is_union:
                    is_last = position == len(place.steps) - 1
                    return not (is_last and member and member.type.size == type_.size)
                type_ = member.type if member is not None else type_
        return False

    def outside_world(self, span: Span) -> ArrayDraft:
        """The hidden state that calls of unknown functions read and write."""
        key = (OUTSIDE_WORLD, ())
        if key not in self.drafts:
            name = self.names.fresh(OUTSIDE_WORLD)
            part = Part(OUTSIDE_WORLD, 0, 0, 1)
            self.drafts[key] = ArrayDraft(name, None, (part,), "void", (), span)
        return self.drafts[key]

    def _require_positive(self, draft: ArrayDraft) -> None:
        for extent in draft.extents:
            if extent is not None:
                reason = f"the extents of {draft.name} are positive"
                self.workshop.require(extent.ge_set(constant(1)).params(), reason, draft.span)


def _target(type_: CType) -> CType:
    return type_.target if isinstance(type_, PointerType) else type_


Leaf = tuple[
    tuple[str, ...],
    tuple[Part, ...],
    tuple["isl.PwAff | None", ...],
    tuple["Polynomial | None", ...],
    str,
]


@dataclass(slots=True)
class _Walker:
    """Follows a place through the type of its variable."""

    workshop: Workshop
    scope: Scope
    variable: Variable

    def leaves(self, place: Place) -> Iterator[Leaf]:
        selector, offset = place.variable.name, 0
        type_: CType = place.variable.type
        members: tuple[str, ...] = ()
        parts: tuple[Part, ...] = ()
        extents: list[isl.PwAff | None] = []
        indices: list[Polynomial | None] = []
        rank = 0
        for step in place.steps:
            if not step.is_member:
                if isinstance(type_, RecordType) and type_.is_union:
                    break
                extent, type_ = self._dimension(type_)
                extents.append(extent)
                indices.append(step.index)
                rank += 1
                continue
            while isinstance(type_, ArrayType | PointerType):  # p->x is p[0].x
                extent, type_ = self._dimension(type_)
                extents.append(extent)
                indices.append(None)
                rank += 1
            if not isinstance(type_, RecordType):
                raise self._cannot_follow(f"the member {step.member}")
            if type_.is_union:
                break  # members of a union share their memory: the union is the element
            parts = (*parts, Part(selector, rank, offset, type_.size))
            member = self._field(type_, step.member)
            selector, offset, type_, rank = f".{member.name}", member.offset, member.type, 0
            members = (*members, member.name)
        yield from self._below(
            members, parts, (selector, rank, offset), type_, tuple(extents), tuple(indices)
        )

    def _below(
        self,
        members: tuple[str, ...],
        parts: tuple[Part, ...],
        current: tuple[str, int, int],
        type_: CType,
        extents: tuple[isl.PwAff | None, ...],
        indices: tuple[Polynomial | None, ...],
    ) -> Iterator[Leaf]:
        """Everything inside a type: all elements of an array, all members of a struct."""
        selector, rank, offset = current
        while isinstance(type_, ArrayType) or (isinstance(type_, PointerType) and not members):
            extent, type_ = self._dimension(type_)
            extents, indices, rank = (*extents, extent), (*indices, EVERY), rank + 1
        if isinstance(type_, RecordType) and not type_.is_union and type_.fields:
            here = (*parts, Part(selector, rank, offset, type_.size))
            for each in type_.fields:
                inner = (f".{each.name}", 0, each.offset)
                path = (*members, each.name)
                yield from self._below(path, here, inner, each.type, extents, indices)
            return
        size = type_.size if type_.size is not None else 1
        yield members, (*parts, Part(selector, rank, offset, size)), extents, indices, type_.name

    def _dimension(self, type_: CType) -> tuple[isl.PwAff | None, CType]:
        match type_:
            case ArrayType(element=element, extent=extent):
                return self._extent(extent), element
            case PointerType(target=target):
                return None, target
            case _:
                raise self._cannot_follow(f"a subscript on {type_.name}")

    def _cannot_follow(self, what: str) -> InputError:
        return self.workshop.reject(
            "LW213",
            f"cannot follow {what} into the memory of {self.variable.name}",
            self.variable.span,
            "lists, trees and vectors have no place in the model; copy the data into an array",
        )

    def _extent(self, extent: Expr | None) -> isl.PwAff | None:
        """The value of a size, unless it has changed since the array was declared."""
        if extent is None or self.workshop.changed_after(extent, self.variable.span):
            return None
        is_local = self.variable in self.workshop.facts.declared
        value = value_of(extent, self.scope if is_local else Scope(), self.workshop)
        if value is None or names_in(value) & {*self.scope.iterators, *self.scope.hidden}:
            return None
        return value

    def _field(self, record: RecordType, name: str) -> Field:
        for each in record.fields:
            if each.name == name:
                return each
        raise self._cannot_follow(f"the member {name}")
