"""How much isl may spend on a region, and the answer where that is not enough."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.model.scop import Scop
from loopwright.polyhedra.limits import OutOfOperations, limited


def enough_operations(scop: Scop) -> int:
    """What isl needs for a question about a region of this size, several times over.

    The largest kernel of the benchmarks, with 107 pieces of accesses, needs less than a million; a
    chain of stencils needs fifteen times the square of the number of its pieces, and a lattice
    Boltzmann solver, with many scalars in four loops, up to 260 times.  What takes more grows
    exponentially, and may take all memory before it ends.
    """
    accesses = (each for statement in scop.statements for each in statement.accesses)
    pieces = sum(each.may.n_basic_map() for each in accesses)
    return 3_000_000 + 300 * pieces**2


@contextmanager
def bounded(scop: Scop, operations: int, what: str) -> Generator[None]:
    """Within so many operations of isl, or a diagnostic about what was too complex."""
    try:
        with limited(operations):
            yield
    except OutOfOperations:
        hint = "make the region smaller, its subscripts and bounds simpler, or raise the limit"
        raise InputError(Diagnostic("LW701", f"{what} too complex", scop.span, hint)) from None
