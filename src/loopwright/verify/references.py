"""References to the same memory as before, and references to something in its place.

An original array is *kept* if every reference to it is to the same elements of the same variable
in the new text, and nothing else touches that variable.  Any other array is *moved*: some of its
values live elsewhere for a while.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.scop import Access, Array, Scop
from loopwright.polyhedra.values import constant
from loopwright.verify.failure import NotProved
from loopwright.verify.matching import Copy, Correspondence, ReferencePair, is_simple
from loopwright.verify.new_program import NewProgram
from loopwright.verify.storage import have_same_extents

OUT = isl.dim_type.out


@record(eq=False)
class Variables:
    """The variables of both programs.

    ``shared`` has the original array behind each array of the new text from outside the region;
    ``lasting`` those of its own that it declares in front of all loops.
    """

    old: Mapping[str, Array]
    new: Mapping[str, Array]
    shared: Mapping[str, Array]
    lasting: frozenset[str]

    def is_same(self, old: Access, new: Access) -> bool:
        """Are the two accesses to the same variable, as far as names tell?"""
        array, other = self.old[old.array], self.new[new.array]
        if not other.is_local:
            return self.shared[other.name] is array
        if not array.is_local or other.name not in self.lasting:
            return False
        is_alike = (array.parts, array.element_type) == (other.parts, other.element_type)
        return is_alike and have_same_extents(array, other)


def variables(old: Scop, program: NewProgram, shared: Mapping[str, Array]) -> Variables:
    """The variables of an original region and of its new text."""
    loops = [each.span for each in program.loops.values()]
    lasting = [
        each.name
        for each in program.scop.arrays
        if each.is_local and not any(one.start <= each.span.start < one.end for one in loops)
    ]
    return Variables(
        {each.name: each for each in old.arrays},
        {each.name: each for each in program.scop.arrays},
        shared,
        frozenset(lasting),
    )


MOVES = ""
"""Stands for the moves among those who touch a variable."""


def kept_arrays(found: Correspondence, known: Variables) -> frozenset[str]:
    """The original arrays whose elements are where they were."""
    moved: set[str] = set()
    users: dict[str, set[str]] = {}
    for copy in found.copies:
        for pair in copy.references:
            for one, other in aligned(pair, known):
                if other is None or not is_kept(one, other, pair, copy, known):
                    moved.add(one.array)
                if other is not None:
                    users.setdefault(other.array, set()).add(one.array)
    for move in found.moves:
        for access in (move.read, move.write):
            users.setdefault(access.array, set()).add(MOVES)
    for arrays in users.values():
        moved |= arrays if len(arrays) > 1 else set()
    return frozenset(known.old) - moved - _in_several(users.values())


def _in_several(sets: Iterable[set[str]]) -> set[str]:
    """What is in more than one of the sets."""
    counted = Counter(each for one in sets for each in one)
    return {each for each, count in counted.items() if count > 1}


def aligned(pair: ReferencePair, known: Variables) -> Iterable[tuple[Access, Access | None]]:
    """The accesses of a reference; if it is to several arrays, array by array."""
    if len(pair.old) == len(pair.new) == 1:
        yield pair.old[0], pair.new[0]
        return
    for one in pair.old:
        same = [each for each in pair.new if known.is_same(one, each)]
        is_clear = len(same) == 1 and len(pair.old) == len(pair.new)
        yield one, same[0] if is_clear else None


def is_kept(
    one: Access,
    other: Access,
    pair: ReferencePair,
    copy: Copy,
    known: Variables,
) -> bool:
    """Is a reference to the same elements of the same variable as before?"""
    if not known.is_same(one, other):
        return False
    return pair.is_same_path or is_same_element(one, other, copy, known)


def is_same_element(old: Access, new: Access, copy: Copy, known: Variables) -> bool:
    """Does a reference touch the one element that the original instance touches?"""
    if not old.may.is_single_valued():
        return False
    touched = copy.instances.apply_range(old.may)
    named = new.may.set_tuple_name(OUT, old.array)
    return named.is_equal(touched) and is_known(new, known.new[new.array])


def is_known(access: Access, array: Array) -> bool:
    """Is it known which element an access touches, if it touches any?

    If not, it is modelled as any element, which must not be mistaken for the only one.
    """
    if access.is_exact:
        return True
    if not access.may.is_single_valued():
        return False
    cases = access.may.params()
    several = [each.ge_set(constant(2)) for each in array.extents if each is not None]
    return all(not each.is_disjoint(cases) for each in several)


def require_traceable(arrays: Iterable[str], found: Correspondence) -> None:
    """Values of moved arrays can be followed only if each reference is to one certain element."""
    moved = frozenset(arrays)
    for copy in found.copies:
        for pair in copy.references:
            is_single = len(pair.old) == len(pair.new) == 1
            if not is_single and any(each.array in moved for each in pair.old):
                raise NotProved(f"{pair.old[0].text} is several variables", span=copy.new.span)
    for statement in found.old.statements:
        for access in statement.accesses:
            is_moved = access.array in moved and not access.kills
            if is_moved and not access.may.intersect_domain(statement.domain).is_single_valued():
                text = f"{access.text} in {statement.text} may be any element of {access.array}"
                raise NotProved(text, span=access.span)


def require_plain_writes(arrays: Iterable[str], found: Correspondence) -> None:
    """A statement that writes such an array must do so for certain, and first read all it reads.

    What happens inside of an instance is then no matter.
    """
    moved = frozenset(arrays)
    for statement in found.old.statements:
        for access in statement.accesses:
            is_write = access.writes and access.array in moved
            if is_write and not (access.is_exact and is_simple(statement.body)):
                text = f"{access.text} in {statement.text} may not be written"
                raise NotProved(text, span=access.span)


def plain_type(array: Array) -> str:
    """The type of the elements, whether they may be written or not."""
    return " ".join(each for each in array.element_type.split() if each != "const")
