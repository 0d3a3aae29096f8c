"""The dependences of a region as a report shows them: by reference, by loop, by array."""

from __future__ import annotations

import islpy as isl

from loopwright.basics.records import record
from loopwright.dependence.analysis import dependences
from loopwright.dependence.dead_code import live_instances
from loopwright.dependence.distances import Reaches
from loopwright.dependence.graph import components
from loopwright.dependence.loops import loop_bands
from loopwright.model.dependences import Dependences
from loopwright.model.scop import Array, Scop, Statement
from loopwright.polyhedra.simplification import simplified_in
from loopwright.polyhedra.unions import sets_of
from loopwright.report.kept_loops import KeptLoop, kept_loops
from loopwright.report.references import Finding, looked_up
from loopwright.report.verdicts import Asked, Verdict, Verdicts


@record(eq=False)
class Elements:
    """Some elements of an array."""

    array: Array
    elements: isl.Set


@record(eq=False)
class Findings:
    """All that a report tells about the dependences of a region.

    ``kept`` are the loops that are part of a statement, on which there is no verdict.  ``dead``
    holds the instances of statements that compute what nobody needs.
    """

    dependences: Dependences
    asked: Asked
    rows: tuple[Finding, ...]
    verdicts: tuple[Verdict, ...]
    kept: tuple[KeptLoop, ...]
    coming_in: tuple[Elements, ...]
    going_out: tuple[Elements, ...]
    components: tuple[tuple[str, ...], ...]
    dead: tuple[tuple[Statement, isl.Set], ...]

    @property
    def scop(self) -> Scop:
        """The region."""
        return self.dependences.scop


def findings(scop: Scop, asked: Asked | None = None) -> Findings:
    r"""Analyse a region and look at the result from all sides.

    >>> from loopwright import read_c
    >>> program = '''void f(int n, double A[n]) {
    ... #pragma scop
    ...   for (int i = 1; i < n; i++)
    ...     A[i] = A[i - 1];
    ... #pragma endscop
    ... }'''
    >>> found = findings(read_c(program)[0])
    >>> [(row.dependence.kind.value, *map(str, row.reach.distances)) for row in found.rows]
    [('flow', '1')]
    """
    asked = asked or Asked()
    found = dependences(
        scop, inputs=asked.inputs, mode=asked.mode, max_operations=asked.max_operations
    )
    reaches = Reaches(scop)
    judge = Verdicts(found, reaches, asked)
    return Findings(
        found,
        asked,
        tuple(looked_up(found.edges(), reaches, scop)),
        tuple(judge.of(loop, band) for loop, band in loop_bands(scop)),
        kept_loops(scop),
        by_array(found.may_live_in.range(), scop),
        by_array(found.may_live_out.range(), scop),
        tuple(tuple(each) for each in components(found)),
        _dead(scop, asked.max_operations),
    )


def by_array(elements: isl.UnionSet, scop: Scop) -> tuple[Elements, ...]:
    """The elements of each array, in the order in which the region names the arrays."""
    by_name = {str(each.get_tuple_name()): each for each in sets_of(elements)}
    return tuple(
        Elements(array, by_name[array.name]) for array in scop.arrays if array.name in by_name
    )


def _dead(scop: Scop, max_operations: int | None) -> tuple[tuple[Statement, isl.Set], ...]:
    live = live_instances(scop, max_operations=max_operations)
    dead: list[tuple[Statement, isl.Set]] = []
    for statement in scop.statements:
        known = statement.domain.intersect_params(scop.context)
        space = known.get_space().align_params(live.get_space())
        unneeded = known.subtract(live.extract_set(space)).coalesce()
        if not statement.is_kill and not unneeded.is_empty():
            dead.append((statement, simplified_in(unneeded, known)))
    return tuple(dead)
