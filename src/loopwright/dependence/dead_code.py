"""Instances that compute nothing that anybody needs (PPCG §2, Verdoolaege 2015 §4.1)."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from loopwright.dependence.analysis import dependences
from loopwright.model.scop import Access, Scop, Statement
from loopwright.polyhedra.simplification import simplified_in
from loopwright.polyhedra.unions import sets_of

EXACT_STEPS = 3
"""How often the live instances grow before they are rounded up, so that they stop growing."""


def without_dead_code(scop: Scop) -> Scop:
    r"""The region without the instances whose results are overwritten or dropped before any use.

    >>> from loopwright import read_c
    >>> program = '''void f(int n, double *x) {
    ... #pragma scop
    ...   for (int t = 0; t < n; t++)
    ...     *x = t;
    ... #pragma endscop
    ... }'''
    >>> print(without_dead_code(read_c(program)[0]).statements[0].domain)
    [n] -> { S0[t = -1 + n] : n > 0 }
    """
    live = live_instances(scop)
    statements = tuple(_restricted(each, live, scop.context) for each in scop.statements)
    kept = isl.UnionSet.empty(live.get_space())
    for each in statements:
        kept = kept.union(isl.UnionSet.from_set(each.domain))
    promises = tuple(
        replace(each, pairs=each.pairs.intersect_domain(kept).intersect_range(kept))
        for each in scop.independences
    )
    return replace(
        scop,
        statements=statements,
        schedule=scop.schedule.intersect_domain(kept),
        independences=promises,
    )


def live_instances(scop: Scop, *, max_operations: int | None = None) -> isl.UnionSet:
    """The instances that write what is needed after the region, and all that they need.

    Promises of independence are not relied upon: what they deny may still be computed.
    """
    found = dependences(
        scop, live_range_reordering=False, trust=False, max_operations=max_operations
    )
    needs = found.flow.reverse()
    domain = scop.domain.intersect_params(scop.context)
    live = found.may_live_out.domain()
    for step in range(_most_steps(domain)):
        more = live.apply(needs).subtract(live)
        if more.is_empty():
            return live
        more = more if step < EXACT_STEPS else more.union(live).affine_hull()
        live = live.union(more).intersect(domain).coalesce()
    return domain


def _most_steps(domain: isl.UnionSet) -> int:
    """Each step after the exact ones adds a dimension to the hull of some statement."""
    dimensions = sum(each.dim(isl.dim_type.set) + 1 for each in sets_of(domain))
    return EXACT_STEPS + dimensions + 1


def _restricted(statement: Statement, live: isl.UnionSet, context: isl.Set) -> Statement:
    """The statement with its live instances; kills stay, since they execute nothing."""
    if statement.is_kill:
        return statement
    known = statement.domain.intersect_params(context)
    kept = live.extract_set(statement.domain.get_space().align_params(live.get_space()))
    if known.is_subset(kept):
        return statement
    domain = simplified_in(kept, known).intersect(statement.domain).coalesce()

    def restricted(access: Access) -> Access:
        may = access.may.intersect_domain(domain)
        must = may if access.must is access.may else access.must.intersect_domain(domain)
        return replace(access, may=may, must=must)

    accesses = tuple(restricted(each) for each in statement.accesses)
    return replace(statement, domain=domain, accesses=accesses)
