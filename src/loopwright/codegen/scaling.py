"""Scaled loops: one that is only used divided by its step counts by one instead."""

from __future__ import annotations

import islpy as isl

from loopwright.basics.records import record
from loopwright.codegen.strides import Stride
from loopwright.codegen.tasks import Executed
from loopwright.polyhedra.levels import plain_space, rescaling

IN = isl.dim_type.in_


@record(eq=False)
class Scale:
    """A level as offset + step · (another level), over all levels and over the first ones."""

    everywhere: isl.MultiAff
    at_level: isl.MultiAff


def scaled(executed: Executed, level: int, stride: Stride) -> Scale | None:
    """The change of a level to steps of one, if that leaves no factor behind.

    Every constraint that involves the level must be divisible by the step, apart from its constant,
    once offset + step · t stands for the level: only then do bounds and statements become simpler.
    """
    everywhere = rescaling(executed[0].domain().get_space(), level, stride.offset, stride.step)
    changed = [relation.preimage_domain_multi_aff(everywhere) for relation in executed]
    if not all(_has_unit_coefficients(relation, level) for relation in changed):
        return None
    first = plain_space(executed[0].get_space(), level + 1)
    return Scale(everywhere, rescaling(first, level, stride.offset, stride.step))


def _has_unit_coefficients(relation: isl.Map, level: int) -> bool:
    """isl divides constraints by their common factor, so that none is left on the level."""
    return all(
        abs(constraint.get_coefficient_val(IN, level).to_python()) <= 1
        for piece in relation.get_basic_maps()
        for constraint in piece.get_constraints()
    )
