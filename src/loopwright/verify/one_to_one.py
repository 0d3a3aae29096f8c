"""Each original instance runs exactly once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations, product
from math import lcm, prod

import islpy as isl

from loopwright.model.scop import Statement
from loopwright.polyhedra.values import isl_value
from loopwright.verify.failure import NotProved, instance_text
from loopwright.verify.inverses import covered
from loopwright.verify.matching import Copy, Correspondence, is_idle

SET = isl.dim_type.set
MOST_CLASSES = 256
"""Sets with larger strides are taken as they are."""


def require_each_once(found: Correspondence) -> None:
    """Show that the copies of each statement run its instances, each of them once.

    A copy runs different original instances at different times if its instance map is injective;
    two copies share none if the images are disjoint; and nothing is left out if the images cover
    the original instances.
    """
    for statement in found.old.statements:
        if not statement.is_kill and not is_idle(statement):
            copies = [each for each in found.copies if each.old is statement]
            _require_each_once(statement, copies, found.domain(statement))


def _require_each_once(statement: Statement, copies: Sequence[Copy], domain: isl.Set) -> None:
    for copy in copies:
        if not copy.new.domain.is_subset(copy.instances.domain()):
            raise NotProved(f"the hint for {copy.new.text} leaves something out")
        if not copy.instances.is_injective():
            raise NotProved(f"{copy.new.text} runs an instance twice", span=copy.new.span)
        extra = copy.instances.subtract_range(domain)
        if not extra.is_empty():
            witness = instance_text(extra.range(), statement)
            reason = f"{copy.new.text} runs more than the instances of {statement.text}"
            raise NotProved(reason, witness, copy.new.span)
    for one, other in combinations(copies, 2):
        shared = one.instances.apply_range(other.instances.reverse())
        if not shared.is_empty():
            witness = instance_text(shared.domain().apply(one.instances), statement)
            raise NotProved(f"an instance of {statement.text} runs twice", witness, one.new.span)
    missing = uncovered(domain, [covered(each.instances) for each in copies])
    if missing is not None:
        witness = instance_text(missing, statement)
        raise NotProved(f"an instance of {statement.text} does not run", witness, statement.span)


def uncovered(whole: isl.Set, pieces: Sequence[isl.Set]) -> isl.Set | None:
    """A part of a set that no piece covers, or ``None`` if the pieces cover all of it.

    Unrolled loops leave pieces with strides, whose complements are in many parts.  One residue
    class of the strides at a time, each piece is there without its stride or not at all.
    """
    if not pieces:
        return None if whole.is_empty() else whole
    for step in _classes(pieces):
        part = whole.preimage_multi_aff(step)
        of_class = [each.preimage_multi_aff(step) for each in pieces]
        present = [each for each in of_class if not each.is_empty()]
        rest = reduce(isl.Set.subtract, present, part)
        if not rest.is_empty():
            return rest.apply(isl.Map.from_multi_aff(step)).intersect(whole)
    return None


def _classes(pieces: Sequence[isl.Set]) -> Iterator[isl.MultiAff]:
    """``{ S[x] -> S[m x + r] }`` for the strides m of the pieces, and all remainders r."""
    space = pieces[0].get_space()
    strides = [
        reduce(lcm, (each.get_stride(at).to_python() for each in pieces))
        for at in range(space.dim(SET))
    ]
    if prod(strides) > MOST_CLASSES:
        strides = [1] * len(strides)
    identity = isl.MultiAff.identity(space.map_from_set())
    for remainders in product(*map(range, strides)):
        step = identity
        for at, (stride, remainder) in enumerate(zip(strides, remainders, strict=True)):
            aff = identity.get_at(at).scale_val(isl_value(stride))
            step = step.set_at(at, aff.add_constant_val(isl_value(remainder)))
        yield step
