"""A statement at its new place: its iterators and its subscripts as functions of the new loops.

An access relation ``S[i] -> A[x]`` composed with ``[iterators] -> S[i]`` gives the subscripts at
the place, simplified by what is known there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

import islpy as isl

from loopwright.codegen.build import Build
from loopwright.codegen.expressions import access
from loopwright.model.bodies import Index, Member, Reference, walk_body
from loopwright.model.expressions import Expr
from loopwright.model.loop_ast import Node, User
from loopwright.model.scop import Access, Array, Scop, Statement


@dataclass(frozen=True, slots=True)
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
    scalars: tuple[tuple[str, str], ...] = ()
    touched: tuple[tuple[str, isl.Map], ...] = field(default=(), compare=False, repr=False)


MoveKind = Literal["constant", "load", "store"]


@dataclass(frozen=True, slots=True)
class Move:
    """The annotation of a copy between an element of an array and a local variable.

    A ``"constant"`` is ``const double C_0 = C[c0][c1];``, a ``"load"`` the same without ``const``,
    and a ``"store"`` is ``C[c0][c1] = C_0;``.
    """

    scalar: str
    array: str
    subscripts: tuple[Expr, ...]
    kind: MoveKind


def placing(scop: Scop) -> Callable[[User, Build], Node]:
    """The callback that annotates each statement with its :class:`Placed`."""
    statements = {each.name: each for each in scop.statements}
    arrays = {each.name: each for each in scop.arrays}

    @cache
    def functions(name: str) -> Mapping[str, isl.PwMultiAff]:
        return _elements(statements[name], arrays)

    def place(user: User, build: Build) -> Node:
        assert build.instance is not None
        name = build.instance.get_tuple_name(isl.dim_type.out)
        values = zip(statements[name].iterators, user.statement.operands[1:], strict=True)
        subscripts: list[tuple[str, tuple[Expr, ...]]] = []
        touched: list[tuple[str, isl.Map]] = []
        for tag, element in functions(name).items():
            elements = _elements_here(element, build)
            if not elements.is_empty():
                subscripts.append((tag, access(element, build).operands[1:]))
                touched.append((tag, elements))
        placed = Placed(name, tuple(values), tuple(subscripts), touched=tuple(touched))
        return replace(user, annotation=placed)

    return place


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
            if len(accesses) == 1 and _names_element(reference, arrays[accesses[0].array]):
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


def _names_element(reference: Reference, array: Array) -> bool:
    """Does the C text have the subscripts that the model has?

    Not where the model reads ``A[i * n + j]`` as two dimensions, sees a union as one element, or
    where the pointer that the source went through sees other elements.
    """
    if reference.name != array.variable:
        # A pointer to one object; an array of rank one is certainly what C says that it is.
        return not _is_reinterpreted(reference) and array.parts[-1].rank <= 1
    steps = [
        each.name if isinstance(each, Member) else isinstance(each, Index)
        for each in reference.path
    ]
    expected: list[str | bool] = []
    for part in array.parts:
        member = part.selector.removeprefix(".")
        expected += [member] if part is not array.parts[0] else []
        expected += [True] * part.rank
    return steps == expected


def _is_reinterpreted(reference: Reference) -> bool:
    return not all(isinstance(each, Index | Member) for each in reference.path)
