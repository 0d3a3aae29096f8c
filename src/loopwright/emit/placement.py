"""A statement at its new place: its iterators and its subscripts as functions of the new loops.

An access relation ``S[i] -> A[x]`` composed with ``[iterators] -> S[i]`` gives the subscripts at
the place, simplified by what is known there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from typing import Literal

import islpy as isl

from loopwright.basics.records import record
from loopwright.codegen.build import Build
from loopwright.codegen.expressions import access, pw_aff_expression
from loopwright.model.bodies import Reference, walk_body
from loopwright.model.elements import names_element
from loopwright.model.expressions import Expr, Identifier, Operation, Operator
from loopwright.model.loop_ast import Node, User
from loopwright.model.packing import Expanded, Packed
from loopwright.model.proofs import MOVE
from loopwright.model.scop import Access, Array, Scop, Statement


@record
class Placed:
    """The annotation of a statement node.

    ``subscripts`` has an entry for each reference that is printed by its access relation; the
    others are printed as the source wrote them, with the new values of the iterators.  ``scalars``
    has the local variables that stand for elements here, and ``touched`` the elements themselves,
    ``[iterators] -> A[…]``, for those who ask which of them may be the same.
    """

    statement: str
    values: tuple[tuple[str, Expr], ...]
    subscripts: tuple[tuple[str, tuple[Expr, ...]], ...]
    buffers: tuple[tuple[str, str], ...] = ()
    """The buffers that some of the references are to; the subscripts are theirs."""
    scalars: tuple[tuple[str, str], ...] = ()
    touched: tuple[tuple[str, isl.Map], ...] = field(default=(), compare=False, repr=False)


MoveKind = Literal["constant", "load", "store", "fill", "drain"]


@record
class Move:
    """The annotation of a copy between an element of an array and a local variable.

    A ``"constant"`` is ``const double C_0 = C[c0][c1];``, a ``"load"`` the same without ``const``,
    and a ``"store"`` is ``C[c0][c1] = C_0;``.  With a ``buffer``, the element is one of it.  A
    ``"fill"`` is ``scalar[place, …] = A[c0][c1]``, and a ``"drain"`` the opposite.
    """

    scalar: str
    array: str
    subscripts: tuple[Expr, ...]
    kind: MoveKind
    buffer: str = ""
    place: tuple[Expr, ...] = ()


@record(eq=False)
class Buffer:
    """A local array that tiles use, by its name in the text."""

    name: str
    packed: Packed | Expanded

    def subscripts(self, element: isl.PwMultiAff, build: Build) -> tuple[Expr, ...]:
        """Where in the buffer the instance finds what it needs of an element."""
        found = [
            pw_aff_expression(value.sub(isl.PwAff.from_aff(build.schedule.get_at(origin))), build)
            for value, origin in zip(self._values(build), self.packed.origins, strict=True)
        ]
        is_whole = isinstance(self.packed, Expanded)
        return (*found, *(access(element, build).operands[1:] if is_whole else ()))

    def _values(self, build: Build) -> list[isl.PwAff]:
        """The members' values at the instance."""
        assert build.instance is not None
        space = build.instance.get_space().range()
        if space.get_tuple_name(isl.dim_type.set) == self.packed.name:
            outer = space.dim(isl.dim_type.set) - len(self.packed.shape)
            return [build.instance.get_at(outer + at) for at in range(len(self.packed.members))]
        of_instance = space.from_domain().add_dims(isl.dim_type.out, 1)
        return [
            each.extract_pw_aff(of_instance).pullback_pw_multi_aff(build.instance)
            for each in self.packed.members
        ]

    def touched(self, elements: isl.Map, build: Build) -> isl.Map:
        """Elements of the array as those that the buffer has in their place."""
        if isinstance(self.packed, Packed):
            return elements
        array = elements.get_tuple_name(isl.dim_type.out)
        for each in reversed(self._values(build)):
            elements = isl.Map.from_pw_aff(each).flat_range_product(elements)
        return elements.set_tuple_name(isl.dim_type.out, array)


def placing(scop: Scop, buffers: Sequence[Buffer] = ()) -> Callable[[User, Build], Node]:
    """The callback that annotates each statement with its :class:`Placed`."""
    copying = {each.packed.name: each for each in buffers}
    of_reference = {names: each for each in buffers for names in each.packed.references}
    statements = {each.name: each for each in scop.statements}
    arrays = {each.name: each for each in scop.arrays}

    @cache
    def functions(name: str) -> Mapping[str, isl.PwMultiAff]:
        return _elements(statements[name], arrays)

    def place(user: User, build: Build) -> Node:
        assert build.instance is not None
        name = build.instance.get_tuple_name(isl.dim_type.out)
        if name in copying:
            return _copied(copying[name], build)
        values = zip(statements[name].iterators, user.statement.operands[1:], strict=True)
        subscripts: list[tuple[str, tuple[Expr, ...]]] = []
        touched: list[tuple[str, isl.Map]] = []
        packed: list[tuple[str, str]] = []
        for tag, element in functions(name).items():
            elements = _elements_here(element, build)
            buffer = of_reference.get((name, tag))
            if buffer is not None:
                subscripts.append((tag, buffer.subscripts(element, build)))
                touched.append((tag, buffer.touched(elements, build)))
                packed.append((tag, buffer.name))
            elif not elements.is_empty():
                subscripts.append((tag, access(element, build).operands[1:]))
                touched.append((tag, elements))
        placed = Placed(
            name, tuple(values), tuple(subscripts), tuple(packed), touched=tuple(touched)
        )
        return replace(user, annotation=placed)

    return place


def _copied(buffer: Buffer, build: Build) -> User:
    element = buffer.packed.element
    assert element is not None
    subscripts = access(element, build).operands[1:]
    call = Operation(Operator.CALL, (Identifier(MOVE), Identifier(buffer.name)))
    place = buffer.subscripts(element, build)
    kind = "fill" if isinstance(buffer.packed, Packed) else "drain"
    return User(call, Move(buffer.name, buffer.packed.array, subscripts, kind, place=place))


def _elements_here(element: isl.PwMultiAff, build: Build) -> isl.Map:
    """``[iterators] -> A[…]``; nothing if, as in ``c ? A[i] : 0``, it is never evaluated here."""
    assert build.instance is not None
    pulled = element.pullback_pw_multi_aff(build.instance)
    return isl.Map.from_pw_multi_aff(pulled).intersect_domain(build.known)


def _elements(statement: Statement, arrays: Mapping[str, Array]) -> Mapping[str, isl.PwMultiAff]:
    """By tag, the one element that a reference names, as a function of the instance."""
    found: dict[str, isl.PwMultiAff] = {}
    for reference in walk_body(statement.body):
        if isinstance(reference, Reference) and reference.tag:
            accesses = [each for each in statement.accesses if each.tag == reference.tag]
            if len(accesses) == 1 and names_element(reference, arrays[accesses[0].array]):
                element = _element(accesses[0], statement)
                if element is not None:
                    found[reference.tag] = element
    return found


def _element(access_: Access, statement: Statement) -> isl.PwMultiAff | None:
    """The element, where an instance may touch one at most: if it touches any, then this one."""
    touched = access_.may.intersect_domain(statement.domain)
    if touched.is_empty() or not touched.is_single_valued():
        return None
    return isl.PwMultiAff.from_map(touched).gist(statement.domain)
