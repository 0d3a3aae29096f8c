"""References whose C text names the element that the model says."""

from __future__ import annotations

from loopwright.model.bodies import Index, Member, Reference, walk_body
from loopwright.model.scop import Access, Array, Statement


def is_named(access: Access, statement: Statement, array: Array) -> bool:
    """Can the element be written with the subscripts that the model has?"""
    return any(
        isinstance(each, Reference) and each.tag == access.tag and names_element(each, array)
        for each in walk_body(statement.body)
    )


def names_element(reference: Reference, array: Array) -> bool:
    """Does the C text have the subscripts that the model has?

    Not where the model sees a union as one element, nor where the pointer that the source went
    through sees other elements.  ``A[i * n + j]`` is as good as the two dimensions of the model.
    """
    if reference.name != array.variable:
        # A pointer to one object; an array of rank one is certainly what C says that it is.
        return not _is_reinterpreted(reference) and (array.written_parts[-1].rank <= 1)
    steps = [
        each.name if isinstance(each, Member) else isinstance(each, Index)
        for each in reference.path
    ]
    expected: list[str | bool] = []
    for part in array.written_parts:
        member = part.selector.removeprefix(".")
        expected += [member] if member != part.selector else []
        expected += [True] * part.rank
    return steps == expected


def _is_reinterpreted(reference: Reference) -> bool:
    return not all(isinstance(each, Index | Member) for each in reference.path)
