"""Sets of array elements and of instances, in words that a person can check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import islpy as isl

from loopwright.model.display import condition_text
from loopwright.model.scop import Array
from loopwright.polyhedra.levels import convex
from loopwright.polyhedra.simplification import simplified_in
from loopwright.report.references import array_text

SUBSCRIPTS = ("x", "y", "z", "u", "v", "w")
LONGEST_CONDITION = 300
PARAM, SET = isl.dim_type.param, isl.dim_type.set


def elements_text(array: Array, elements: isl.Set, context: isl.Set) -> str:
    """Some elements of an array: ``all of A``, ``A[x, y] where 0 < x < n``.

    >>> from loopwright import read_c
    >>> program = '''void f(int n, double A[n]) {
    ... #pragma scop
    ...   for (int i = 1; i < n; i++)
    ...     A[i] = 0;
    ... #pragma endscop
    ... }'''
    >>> (scop,) = read_c(program)
    >>> written = scop.statements[0].accesses[0].may.intersect_domain(scop.statements[0].domain)
    >>> elements_text(scop.array("A"), written.range(), scop.context)
    'A[x] where 0 < x < n'
    """
    known = isl.Set.universe(elements.get_space()).intersect_params(context)
    elements = _in_one_piece(elements.intersect(known))
    everything = _everything(array, elements)
    if everything is not None and everything.is_subset(elements):
        condition = simplified_in(elements.params(), context)
        name = array_text(array) if array.rank == 0 else f"all of {array_text(array)}"
    else:
        elements, subscripts = _named(elements, array.rank)
        known = isl.Set.universe(elements.get_space()).intersect_params(context)
        condition = simplified_in(elements, known)
        name = _element_text(array, subscripts)
    text = condition_text(condition)
    if text == "always":
        return name
    if len(text) > LONGEST_CONDITION:
        return f"parts of {array_text(array)}, too many to list here"
    return f"{name} where {text}"


def _element_text(array: Array, subscripts: Iterable[str]) -> str:
    """``A[x, y]``, ``p[x].pos[y]``."""
    remaining = iter(subscripts)
    text = "" if len(array.parts) > 1 else array.name
    for part in array.parts:
        text += part.selector if len(array.parts) > 1 else ""
        text += f"[{', '.join(islice(remaining, part.rank))}]" if part.rank else ""
    return text


def _everything(array: Array, elements: isl.Set) -> isl.Set | None:
    """The whole array, for the values of the parameters for which there are elements."""
    if any(each is None for each in array.extents):
        return None
    return array.elements().intersect_params(elements.params())


def _in_one_piece(elements: isl.Set) -> isl.Set:
    """The same set in one piece, if it has a form like that."""
    pieces = elements.coalesce()
    if pieces.n_basic_set() <= 1:
        return pieces
    hull = convex(pieces)
    return hull if hull.is_subset(pieces) else pieces


def _named(elements: isl.Set, rank: int) -> tuple[isl.Set, list[str]]:
    """The subscripts, and the set of those that are not just a number."""
    taken = {str(elements.get_dim_name(PARAM, at)) for at in range(elements.dim(PARAM))}
    names = _free(taken)
    subscripts: list[str] = []
    for _ in range(rank):
        at = sum(not _is_number(each) for each in subscripts)
        fixed = elements.plain_get_val_if_fixed(SET, at)
        if fixed.is_int():
            elements = elements.project_out(SET, at, 1)
            subscripts.append(str(fixed))
        else:
            subscripts.append(next(names))
            elements = elements.set_dim_name(SET, at, subscripts[-1])
    return elements, subscripts


def _is_number(subscript: str) -> bool:
    return subscript.lstrip("-").isdigit()


def _free(taken: set[str]) -> Iterator[str]:
    yield from (each for each in SUBSCRIPTS if each not in taken)
    number = 0
    while True:
        number += 1
        yield from (f"{each}{number}" for each in SUBSCRIPTS if f"{each}{number}" not in taken)
