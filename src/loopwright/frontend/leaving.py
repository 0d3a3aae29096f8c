"""References that leave their arrays for certain: when that is, and one instance in C's words.

Let E hold the values of the parameters for which a reference may be reached, and L those for which
an instance that certainly runs names what is no element.  All of this among the values that the
types, the user and the other assumptions leave.  If L is empty, the reference stays where it may
be.  If E is a part of L, no run that gets to the reference is defined: that is a finding.
Anything between the two is an assumption: the parameters are not in L.

Sizes of one are set aside if nothing else is left: ``x[j + m - 1]`` stays within a row of ``m``
elements if ``m`` is one, but that is hardly what anybody means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl

from loopwright.basics.records import record
from loopwright.frontend.arrays import ArrayDraft
from loopwright.frontend.c_tree import Expr, IntLiteral
from loopwright.frontend.c_types import ArrayType, CType, PointerType, RecordType
from loopwright.frontend.recorder import RawAccess
from loopwright.frontend.workshop import Workshop
from loopwright.model.scop import LEAVES
from loopwright.polyhedra.extremes import least_value
from loopwright.polyhedra.instances import instance_set
from loopwright.polyhedra.limits import OutOfOperations, limited
from loopwright.polyhedra.samples import smallest_point
from loopwright.polyhedra.values import (
    PARAM,
    always,
    constant,
    names_in,
    never,
    unknown,
    without,
)

MOST_OPERATIONS = 50_000
"""What the question may cost, and what a concrete instance may."""

HINT = "it does so {}: check the bounds of the loops and the sizes of the array"
EVERYWHERE, BEYOND_ONE = "whenever it runs", "unless a size is one"


@record(eq=False)
class Subscripted:
    """A reference with its subscripts, at the iterations of the loops around it."""

    access: RawAccess
    draft: ArrayDraft
    subscripts: tuple[isl.PwAff | None, ...]
    iterators: tuple[str, ...]

    def undefined_in(self, leaving: isl.Set, known: isl.Set) -> isl.Set | None:
        """Cases in all of which it leaves its array if it is reached, and in some it is.

        ``leaving`` are the values of the parameters for which an instance certainly does, of those
        that are ``known`` to be possible.  Where there are none but sizes of one, it is the others.
        """
        try:
            with limited(MOST_OPERATIONS):
                leaving = leaving & known
                if leaving.is_empty():
                    return None
                reached = without(self.access.possible, self.iterators) & known
                if reached.is_subset(leaving):
                    return known
                cases = known - self._single()
                is_all = not leaving.is_disjoint(cases) and (reached & cases).is_subset(leaving)
                return cases if is_all else None
        except OutOfOperations:
            return None

    def note(self, cases: isl.Set, workshop: Workshop) -> None:
        """Say once what it does, with the smallest instance that does it."""
        span = self.access.span
        if any((each.code, each.span) == (LEAVES, span) for each in workshop.notes):
            return
        text = workshop.text_of(span)
        try:
            with limited(MOST_OPERATIONS):
                message = f"{text} leaves its {self._smallest(cases, workshop)}"
        except OutOfOperations:
            message = f"{text} leaves its array"
        when = EVERYWHERE if cases.is_equal(workshop.type_ranges()) else BEYOND_ONE
        workshop.note(LEAVES, message, span, HINT.format(when))

    def _single(self) -> isl.Set:
        """Where a size that the text leaves open is one."""
        found = never()
        for extent in self.draft.extents:
            if extent is not None and names_in(extent):
                found = found | extent.eq_set(constant(1))
        return found

    def _smallest(self, cases: isl.Set, workshop: Workshop) -> str:
        """What it leaves, and in which instance."""
        outside = self.access.certain & self._outside()
        used = names_in(outside).union(
            *(names_in(each) for each in self.subscripts if each is not None)
        )
        parameters = [each for each in workshop.parameters if each.name in used]
        names = [each.name for each in parameters]
        point = _smallest_point(outside & cases, names, self.iterators)
        here = always()
        for name, value in point.items():
            here = here & unknown(name).eq_set(constant(value))
        at = next(at for at, left in self._leaves() if not (left & here).is_empty())
        values = [_value(each, here) for each in self.subscripts]
        element, declared, is_row = self._spelled(values, at, workshop)
        instance = ", ".join(f"{name} = {point[name]}" for name in self.iterators)
        sizes = ", ".join(f"{each.text} = {point[each.name]}" for each in parameters)
        what = "row" if is_row else "array"
        where = f"at {instance} it is" if instance else "it is"
        return f"{what}: {where} {element} of {declared}" + (f" ({sizes})" if sizes else "")

    def _outside(self) -> isl.Set:
        outside = never()
        for _, left in self._leaves():
            outside = outside | left
        return outside

    def _leaves(self) -> Iterator[tuple[int, isl.Set]]:
        """Where each subscript is none of an element."""
        pairs = zip(self.subscripts, self.draft.extents, strict=True)
        for at, (subscript, extent) in enumerate(pairs):
            if subscript is not None and extent is not None:
                yield at, subscript.lt_set(constant(0)) | subscript.ge_set(extent)

    def _spelled(self, values: Sequence[str], at: int, workshop: Workshop) -> tuple[str, str, bool]:
        """The element, the declaration that subscript ``at`` leaves, and is it one of a row?"""
        draft = self.draft
        assert draft.variable is not None
        element, declared, first = "", "", 0
        type_: CType = draft.variable.type
        for part in draft.parts:
            name = part.selector.removeprefix(".")
            if part.selector != name:
                type_ = _member(type_, name)
            inside = values[first : first + part.rank]
            element += part.selector + "".join(f"[{each}]" for each in inside)
            declared, type_ = _declaration(name, type_, part.rank, workshop)
            if at < first + part.rank:
                break
            first += part.rank
        return element, declared, at > first


def _smallest_point(
    points: isl.Set, parameters: Sequence[str], iterators: Sequence[str]
) -> dict[str, int]:
    """The smallest values of these unknowns, the parameters first, that satisfy a condition."""
    names = [*parameters, *iterators]
    every = [points.get_dim_name(PARAM, at) or "" for at in range(points.dim(PARAM))]
    points = without(points, [each for each in every if each not in names])
    listed = instance_set(points, "", names).reset_tuple_id()
    return dict(zip(names, smallest_point(listed, len(parameters)), strict=True))


def _value(subscript: isl.PwAff | None, here: isl.Set) -> str:
    """A subscript at a point; nothing for one that is open."""
    if subscript is None:
        return ""
    values = isl.Set.from_pw_aff(subscript.intersect_domain(here))
    return str(least_value(values.project_out(PARAM, 0, values.dim(PARAM)), 0))


def _member(record_type: CType, name: str) -> CType:
    assert isinstance(record_type, RecordType)
    return next(each.type for each in record_type.fields if each.name == name)


def _declaration(name: str, type_: CType, rank: int, workshop: Workshop) -> tuple[str, CType]:
    """How a name with so many subscripts is declared, and the type of what they lead to."""
    sizes = ""
    for _ in range(rank):
        match type_:
            case ArrayType(element=element, extent=extent):
                sizes, type_ = f"{sizes}[{_size(extent, workshop)}]", element
            case PointerType(target=target):
                sizes, type_ = f"{sizes}[]", target
            case _:
                raise AssertionError(f"a subscript on {type_.name}")
    held = type_.name.removeprefix("const ").partition(" (")[0]  # "struct (unnamed at …)"
    return f"{held} {name}{sizes}", type_


def _size(extent: Expr | None, workshop: Workshop) -> str:
    match extent:
        case None:
            return ""
        case IntLiteral(text=text):
            return text
        case _:
            return workshop.text_of(extent.span)
