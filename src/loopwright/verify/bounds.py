"""References of the new text stay where they may be.

What the front end finds out about the bounds of arrays is for the original program, which does not
leave them: there, it may pass over a case that is hard to describe.  New text has to be asked.
"""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl

from loopwright.model.scop import Access, Array
from loopwright.verify.failure import NotProved, parameters_text
from loopwright.verify.matching import Correspondence
from loopwright.verify.references import Variables, aligned, is_kept, is_known


def require_in_bounds(found: Correspondence, known: Variables) -> None:
    """Show that no reference of the new text touches memory that it must not touch.

    A copy may touch what the original instance touches.  Anything else that it touches must be an
    element of a variable of the new text.  What moves do to other variables is looked at elsewhere.
    """
    for copy in found.copies:
        for pair in copy.references:
            for old, new in aligned(pair, known):
                if new is None or not is_kept(old, new, pair, copy, known):
                    for access in pair.new if new is None else (new,):
                        if not known.new[access.array].is_local:
                            reason = f"{access.text} in {copy.new.text} is not {old.text}"
                            raise NotProved(reason, span=access.span)
                        _require_element(access, known.new[access.array])
    for access in _moved(found):
        if known.new[access.array].is_local:
            _require_element(access, known.new[access.array])


def _moved(found: Correspondence) -> Iterator[Access]:
    for move in found.moves:
        yield from (move.read, move.write)


def _require_element(access: Access, array: Array) -> None:
    outside = access.may.intersect_range(array.out_of_bounds())
    if not outside.is_empty():
        reason = f"{access.text} leaves the bounds of {array.name}"
        raise NotProved(reason, parameters_text(outside.params()), access.span)
    if not is_known(access, array):
        raise NotProved(f"{access.text} may leave the bounds of {array.name}", span=access.span)


def is_within(access: Access, array: Array) -> bool:
    """Does it touch only elements of an array whose sizes are known?"""
    if any(each is None for each in array.extents):
        return False
    named = access.may.set_tuple_name(isl.dim_type.out, array.name)
    return access.is_exact and named.intersect_range(array.out_of_bounds()).is_empty()
