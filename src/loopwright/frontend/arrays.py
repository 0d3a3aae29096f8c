"""The arrays of a region: which leaf of which variable, of what shape."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import islpy as isl

from loopwright.basics.diagnostics import InputError
from loopwright.basics.names import KEYWORDS, FreshNames, isl_name
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.affine import value_of
from loopwright.frontend.c_tree import Expr, Variable
from loopwright.frontend.c_types import ArrayType, CType, Field, PointerType, RecordType
from loopwright.frontend.polynomials import EVERY, Polynomial
from loopwright.frontend.scope import Place, Scope
from loopwright.frontend.workshop import Workshop
from loopwright.model.scop import Part, last_ranked
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
    is_behind_pointer: bool = False
    is_pointer: bool = False
    """Does it hold pointers, and not what they lead to?"""
    is_flat: bool = False

    @property
    def variable_type(self) -> str:
        """The type of what the dimensions of the variable hold."""
        type_ = self.variable.type if self.variable is not None else None
        while isinstance(type_, ArrayType):
            type_ = type_.element
        return type_.name.removeprefix("const ") if type_ is not None else ""

    @property
    def may_be_linearised(self) -> bool:
        """May ``A[i*n + j]`` or ``m->data[i*n + j]`` be meant as a multi-dimensional array?"""
        return self.parts[last_ranked(self.parts)].rank == 1


Key = tuple[Variable | str, tuple[str, ...], bool, bool]
"""Of a draft: the variable and the members, and whether it is behind a pointer, or is one."""


@dataclass(slots=True)
class ArrayTable:
    """The drafts by variable and member path."""

    workshop: Workshop
    drafts: dict[Key, ArrayDraft] = field(default_factory=dict["Key", ArrayDraft])
    names: FreshNames = field(default_factory=lambda: FreshNames(set(KEYWORDS)))

    def leaves(self, place: Place, scope: Scope) -> Iterator[tuple[ArrayDraft, Leaf]]:
        """The arrays and subscripts that a place covers: one, or each leaf of a struct."""
        for leaf in _Walker(self.workshop, scope, place.variable).leaves(place):
            key = (place.variable, leaf.members, leaf.crosses_pointer, leaf.is_pointer)
            if key not in self.drafts:
                pointer = ("pointer",) if leaf.is_pointer else ()
                wanted = "_".join([place.variable.name, *leaf.members, *pointer])
                is_local = place.variable in self.workshop.facts.declared
                self.drafts[key] = ArrayDraft(
                    self.names.fresh(isl_name(wanted)),
                    place.variable,
                    leaf.parts,
                    leaf.element,
                    leaf.extents,
                    place.variable.span,
                    is_local and not place.variable.is_static and not leaf.crosses_pointer,
                    leaf.crosses_pointer,
                    leaf.is_pointer,
                )
                self._require_positive(self.drafts[key])
            yield self.drafts[key], leaf

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
        key = (OUTSIDE_WORLD, (), False, False)
        if key not in self.drafts:
            name = self.names.fresh(OUTSIDE_WORLD)
            part = Part(OUTSIDE_WORLD, 0, 0, 1)
            self.drafts[key] = ArrayDraft(name, None, (part,), "void", (), span)
        return self.drafts[key]

    def _require_positive(self, draft: ArrayDraft) -> None:
        within = self.workshop.sized_within
        if within is not None and not draft.span.begins_in(within):
            return
        for extent in draft.extents:
            if extent is not None:
                reason = f"the extents of {draft.name} are positive"
                self.workshop.require(extent.ge_set(constant(1)).params(), reason, draft.span)


def _target(type_: CType) -> CType:
    return type_.target if isinstance(type_, PointerType) else type_


@record(eq=False)
class Leaf:
    """A scalar leaf of a variable: how to get there, and what lies on the way."""

    members: tuple[str, ...]
    parts: tuple[Part, ...]
    extents: tuple[isl.PwAff | None, ...]
    indices: tuple[Polynomial | None, ...]
    offsets: tuple[int, ...]
    element: str
    crosses_pointer: bool
    is_pointer: bool


@dataclass(slots=True)
class _Walker:
    """Follows a place through the type of its variable."""

    workshop: Workshop
    scope: Scope
    variable: Variable
    extents: list[isl.PwAff | None] = field(default_factory=list["isl.PwAff | None"])
    indices: list[Polynomial | None] = field(default_factory=list["Polynomial | None"])
    offsets: list[int] = field(default_factory=list[int])
    crosses_pointer: bool = False

    def leaves(self, place: Place) -> Iterator[Leaf]:
        """Every leaf that the place covers."""
        selector, offset, rank = place.variable.name, 0, 0
        type_: CType = place.variable.type
        members: tuple[str, ...] = ()
        parts: tuple[Part, ...] = ()
        for step in place.steps:
            if isinstance(type_, RecordType) and type_.is_union:
                break  # members of a union share their memory: the union is the element
            if not step.is_member:
                if step.is_offset:
                    self.offsets.append(len(self.indices))
                type_, rank = self._into(type_, step.index), rank + 1
                continue
            if not isinstance(type_, RecordType):
                raise self._cannot_follow(f"the member {step.member}")
            parts = (*parts, Part(selector, rank, offset, type_.size))
            member = self._field(type_, step.member)
            selector, offset, type_, rank = f".{member.name}", member.offset, member.type, 0
            members = (*members, member.name)
        yield from self._below(members, parts, (selector, rank, offset), type_)

    def _into(self, type_: CType, index: Polynomial | None) -> CType:
        """One dimension further in."""
        extent, element = self._dimension(type_)
        self.crosses_pointer |= isinstance(type_, PointerType)
        self.extents.append(extent)
        self.indices.append(index)
        return element

    def _below(
        self,
        members: tuple[str, ...],
        parts: tuple[Part, ...],
        current: tuple[str, int, int],
        type_: CType,
    ) -> Iterator[Leaf]:
        """Everything inside a type: all elements of an array, all members of a struct."""
        selector, rank, offset = current
        depth, crossed = len(self.extents), self.crosses_pointer
        while isinstance(type_, ArrayType) or (isinstance(type_, PointerType) and not members):
            type_, rank = self._into(type_, EVERY), rank + 1
        if isinstance(type_, RecordType) and not type_.is_union and type_.fields:
            here = (*parts, Part(selector, rank, offset, type_.size))
            for each in type_.fields:
                inner = (f".{each.name}", 0, each.offset)
                yield from self._below((*members, each.name), here, inner, each.type)
        else:
            size = type_.size if type_.size is not None else 1
            yield Leaf(
                members,
                (*parts, Part(selector, rank, offset, size)),
                tuple(self.extents),
                tuple(self.indices),
                tuple(self.offsets),
                type_.name,
                self.crosses_pointer,
                isinstance(type_, PointerType),
            )
        del self.extents[depth:], self.indices[depth:]
        self.crosses_pointer = crossed

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
