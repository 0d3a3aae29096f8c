"""Why a proof ends without a result."""

from __future__ import annotations

import re

import islpy as isl

from loopwright.basics.spans import Span
from loopwright.model.scop import Statement
from loopwright.polyhedra.limits import OutOfOperations, limited
from loopwright.polyhedra.samples import smallest_point

SET, PARAM = isl.dim_type.set, isl.dim_type.param
MOST_OPERATIONS = 200_000
"""What a concrete case may cost; without one, the reason has to do."""


class NotProved(Exception):
    """Something could not be shown: what, for which values, and where."""

    def __init__(self, reason: str, witness: str = "", span: Span | None = None) -> None:
        """Keep all three for the verdict."""
        super().__init__(reason)
        self.reason = reason
        self.witness = witness
        self.span = span


def parameters_text(condition: isl.Set) -> str:
    """Values of the parameters that satisfy a condition: ``n = 3, m = 1``."""
    return _sample(isl.Set.from_params(condition), ())


def instance_text(instances: isl.Set, statement: Statement) -> str:
    """One of the instances: ``for n = 3: S0 at (i = 2)``."""
    sample = _sample(instances, statement.iterators)
    return sample.replace("@", statement.name) if sample else ""


def told_parameters(witness: str) -> dict[str, int]:
    """The values of the parameters in such a text.

    >>> told_parameters("for n = 3, m = 1: S0 at (i = 2)")
    {'n': 3, 'm': 1}
    """
    values = re.findall(r"(\w+) = (-?\d+)", witness.partition(":")[0].partition(" at ")[0])
    return {name: int(value) for name, value in values}


def _sample(points: isl.Set, iterators: tuple[str, ...]) -> str:
    try:
        with limited(MOST_OPERATIONS):
            names = [str(points.get_dim_name(PARAM, at)) for at in range(points.dim(PARAM))]
            whole = points.reset_tuple_id().move_dims(SET, 0, PARAM, 0, len(names))
            values = smallest_point(whole, len(names))
    except (OutOfOperations, isl.Error):
        return ""
    where = ", ".join(f"{name} = {value}" for name, value in zip(names, values, strict=False))
    if points.dim(SET) == 0 and not points.has_tuple_name():
        return where
    pairs = zip(iterators, values[len(names) :], strict=False)
    at = ", ".join(f"{name} = {value}" for name, value in pairs)
    instance = f"@ at ({at})" if at else "@"
    return f"for {where}: {instance}" if where else instance
