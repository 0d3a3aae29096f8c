"""Which variables of the new text are which of the original."""

from __future__ import annotations

import islpy as isl

from loopwright.model.proofs import Rewriting
from loopwright.model.scop import Array, Parameter, Scop
from loopwright.verify.failure import NotProved
from loopwright.verify.new_program import place_before

OUTSIDE = "void"
"""The type of the array that stands for what unknown functions do outside of the program."""


def require_same_parameters(old: Scop, new: Scop, rewriting: Rewriting) -> None:
    """Each parameter of the new text must be one of the original, under the same name."""
    known = {each.name: each for each in old.parameters}
    for each in new.parameters:
        other = known.get(each.name)
        if other is None or not _is_same_parameter(other, each, rewriting):
            raise NotProved(f"the new text depends on {each.text}", span=each.span)


def _is_same_parameter(old: Parameter, new: Parameter, rewriting: Rewriting) -> bool:
    is_same = (old.text, old.type) == (new.text, new.type)
    is_variable = old.text.isidentifier()
    return is_same and (not is_variable or place_before(rewriting, new.span) == old.span.start)


def shared_arrays(old: Scop, new: Scop, rewriting: Rewriting) -> dict[str, Array]:
    """The original array behind each array of the new text that it does not declare itself."""
    found: dict[str, Array] = {}
    for each in new.arrays:
        if each.is_local and any(extent is None for extent in each.extents):
            raise NotProved(f"the size of {each.name} is not known", span=each.span)
        if not each.is_local:
            same = [other for other in old.arrays if _is_same_array(other, each, rewriting)]
            if len(same) != 1:
                raise NotProved(f"the new text uses {each.name}, which the region did not")
            found[each.name] = same[0]
    return found


def _is_same_array(old: Array, new: Array, rewriting: Rewriting) -> bool:
    is_alike = (old.parts, old.element_type) == (new.parts, new.element_type)
    if not is_alike or old.is_local or old.rank != new.rank:
        return False
    if old.element_type == OUTSIDE:
        return True
    is_same_place = place_before(rewriting, new.span) == old.span.start
    return is_same_place and have_same_extents(old, new)


def have_same_extents(old: Array, new: Array) -> bool:
    """Have two arrays of the same rank the same sizes?"""
    extents = zip(old.extents, new.extents, strict=True)
    return all(_is_same_extent(one, other) for one, other in extents)


def _is_same_extent(old: isl.PwAff | None, new: isl.PwAff | None) -> bool:
    if old is None or new is None:
        return old is new
    return old.is_equal(new)
