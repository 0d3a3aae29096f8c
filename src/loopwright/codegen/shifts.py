"""Shifted strides (§5.8): statements with one stride and different offsets share a loop."""

from __future__ import annotations

from dataclasses import replace
from math import gcd

import islpy as isl

from loopwright.codegen.options import LoopType
from loopwright.codegen.tasks import Executed, Member, Origin, Task
from loopwright.polyhedra.extremes import least_value
from loopwright.polyhedra.instances import same_prefix
from loopwright.polyhedra.levels import SET, level_aff, plain_space
from loopwright.polyhedra.values import isl_value

IN = isl.dim_type.in_


def without_shifts(executed: Executed, level: int, task: Task) -> tuple[Executed, Task]:
    """The executed relation with (…, t, …) replaced by (…, t - r_i, r_i, …) if that makes a stride.

    Where the differences between the values of a level for the first statement that is not fixed
    and for each statement i are m_i·x + r_i, and m > 1 is the greatest common divisor of the m_i,
    r_i is taken modulo m.  What is inside the band must not refer to the schedule by position.
    """
    unchanged = executed, task
    if len(executed) == 1 or _refers_to_schedule(task):
        return unchanged
    shifts = _shifts([relation.domain() for relation in executed], level)
    if shifts is None:
        return unchanged
    extra = Member(LoopType.DEFAULT, LoopType.DEFAULT, Origin.SHIFT)
    members = (task.members[0], extra, *task.members[1:])
    shifted = tuple(
        _shifted(relation, level, shift) for relation, shift in zip(executed, shifts, strict=True)
    )
    return shifted, replace(task, members=members)


def _refers_to_schedule(task: Task) -> bool:
    if task.isolated is not None or task.member.origin is not Origin.SCHEDULE:
        return True
    return task.node is not None and task.node.is_subtree_anchored()


def _shifts(domains: list[isl.Set], level: int) -> list[int] | None:
    """The r_i, if there is an m > 1 and they are not all the same."""
    first = next((domain for domain in domains if not _is_fixed(domain, level)), None)
    if first is None or not _has_equality(first, level):
        return None
    modulo = 0
    residues: list[int] = []
    for domain in domains:
        m, r = _difference_class(first, domain, level) or (0, 0)
        modulo = gcd(modulo, m)
        if modulo == 1:
            return None
        residues.append(r)
    if modulo == 0 or not _agree(domains, level, modulo, residues):
        return None
    start = residues[_earliest(domains, level)]
    shifts = [(residue - start) % modulo for residue in residues]
    return shifts if any(shifts) else None


def _agree(domains: list[isl.Set], level: int, modulo: int, residues: list[int]) -> bool:
    """Do the differences between any two statements have the residues of those with the first?

    The paper looks at pairs with the first statement only.  Two others may meet where it does not
    run at all, and then their order must not depend on a residue that says nothing about it.
    """
    numbered = list(zip(domains, residues, strict=True))
    for index, (domain, residue) in enumerate(numbered):
        for other, other_residue in numbered[index:]:
            found = _difference_class(domain, other, level)
            if found is None:
                continue
            m, r = found
            if m % modulo or (r - other_residue + residue) % modulo:
                return False
    return True


def _earliest(domains: list[isl.Set], level: int) -> int:
    """Which statement has the smallest value at a level.

    It gets no shift, so that the loop starts with all statements together where it can.
    """
    starts = [least_value(domain, level) for domain in domains]
    finite = [start.to_python() if start.is_int() else float("-inf") for start in starts]
    return finite.index(min(finite))


def _is_fixed(domain: isl.Set, level: int) -> bool:
    return domain.plain_get_val_if_fixed(SET, level).is_int()


def _has_equality(domain: isl.Set, level: int) -> bool:
    """A stride shows as an equality; without one there is no need to look at differences."""
    return any(
        constraint.is_equality() and constraint.involves_dims(SET, level, 1)
        for piece in domain.get_basic_sets()
        for constraint in piece.get_constraints()
    )


def _difference_class(first: isl.Set, second: isl.Set, level: int) -> tuple[int, int] | None:
    """(m, r) such that all differences between the values at a level are r modulo m.

    m is 0 if there is only one difference; nothing if there is none.
    """
    differences = same_prefix(first, second, level).deltas()
    if differences.is_empty():
        return None
    modulo, residue = differences.dim_residue_class_val(level)
    return modulo.to_python(), residue.to_python()


def _shifted(relation: isl.Map, level: int, shift: int) -> isl.Map:
    """With t - r at the level and r behind it."""
    old = plain_space(relation.get_space(), relation.dim(IN))
    new = plain_space(old, relation.dim(IN) + 1)
    value = level_aff(new, level).add_constant_val(isl_value(shift))
    affs = isl.AffList.alloc(isl.DEFAULT_CONTEXT, relation.dim(IN))
    for position in range(relation.dim(IN)):
        source = position if position <= level else position + 1
        affs = affs.add(value if position == level else level_aff(new, source))
    change = isl.MultiAff.from_aff_list(new.map_from_domain_and_range(old), affs)
    moved = relation.preimage_domain_multi_aff(change)
    return moved.fix_val(IN, level + 1, isl_value(shift))
