"""Which dependences a loop carries, and so whether it may run in parallel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from loopwright.dependence.witnesses import Witness, witness
from loopwright.model.dependences import Dependence, Dependences, kept, untagged
from loopwright.model.scop import Loop, Scop, type_ranges, union_map
from loopwright.polyhedra.order import member_times, together_above
from loopwright.polyhedra.schedule_trees import bands_of
from loopwright.polyhedra.unions import maps_of, sets_of

Band = isl.ScheduleNode


def carried_by(band: Band, dependences: Dependences, member: int = 0) -> list[Dependence]:
    """What a member of a band carries: pairs in different iterations of it alone.

    Those are the pairs that the nodes above the band and its earlier members run together and this
    member runs apart.

    >>> from loopwright import dependences, read_c
    >>> program = '''void f(int n, double A[n][n]) {
    ... #pragma scop
    ...   for (int i = 1; i < n; i++)
    ...     for (int j = 1; j < n; j++)
    ...       A[i][j] = A[i - 1][j] + A[i][j - 1];
    ... #pragma endscop
    ... }'''
    >>> (scop,) = read_c(program)
    >>> (_, outer), (_, inner) = loop_bands(scop)
    >>> for edge in carried_by(inner, dependences(scop)):
    ...     print(edge.kind.value, edge.source.access.text, "->", edge.sink.access.text)
    flow A[i][j] -> A[i][j - 1]
    """
    times = member_times(band, member)
    possible = type_ranges(dependences.scop.parameters)
    carried: list[Dependence] = []
    for edge in dependences.conflicts:
        together = together_above(band, member, isl.UnionMap.from_map(edge.pairs))
        carried += [
            replace(edge, pairs=pairs)
            for pairs in maps_of(_apart(together, times))
            if not pairs.intersect_params(possible).is_empty()
        ]
    return sorted(carried, key=Dependence.place)


def is_parallel(band: Band, dependences: Dependences, member: int = 0) -> bool:
    """May the iterations of this loop run at the same time?

    >>> from loopwright import dependences, read_c
    >>> program = '''void f(int n, double A[n][n]) {
    ... #pragma scop
    ...   for (int i = 1; i < n; i++)
    ...     for (int j = 0; j < n; j++)
    ...       A[i][j] = A[i - 1][j];
    ... #pragma endscop
    ... }'''
    >>> (scop,) = read_c(program)
    >>> [is_parallel(band, dependences(scop)) for _, band in loop_bands(scop)]
    [False, True]
    """
    return not carried_by(band, dependences, member)


def forbidding(band: Band, dependences: Dependences, member: int = 0) -> list[Witness]:
    """Why the iterations of a loop may not run at the same time, each with one pair of them.

    >>> from loopwright import dependences, read_c
    >>> program = '''void f(int n, double A[n]) {
    ... #pragma scop
    ...   for (int i = 3; i < n; i++)
    ...     A[i] = A[i - 3];
    ... #pragma endscop
    ... }'''
    >>> (scop,) = read_c(program)
    >>> ((_, band),) = loop_bands(scop)
    >>> print(*forbidding(band, dependences(scop)))
    for n = 7: S0 at (i = 6) on line 4 reads A[3], which S0 at (i = 3) on line 4 has to write first
    """
    return [witness(each, dependences.scop) for each in carried_by(band, dependences, member)]


def is_coincident(band: Band, dependences: Dependences, member: int) -> bool:
    """Does the member run all pairs together that the nodes above the band do (PPCG §4.4)?

    Unlike :func:`is_parallel` this does not rely on the earlier members of the band.
    """
    times = member_times(band, member)
    conflicts = union_map(edge.pairs for edge in dependences.conflicts)
    return _apart(together_above(band, 0, conflicts), times).is_empty()


def is_permutable(band: Band, dependences: Dependences) -> bool:
    """May the members of a band be interchanged, and so the band be tiled?

    No member may run a pair backwards.  With live-range reordering, what keeps two live ranges
    apart counts only if neither the band nor a node above it spreads one of them over several
    iterations (PPCG §4.2-4.3).
    """
    members = [member_times(band, at) for at in range(band.band_n_member())]

    def backwards(pairs: isl.UnionMap) -> bool:
        together = together_above(band, 0, pairs)
        return any(not together.lex_gt_at_multi_union_pw_aff(each).is_empty() for each in members)

    flow, order, forced = (
        dependences.tagged_flow,
        dependences.tagged_order,
        dependences.tagged_forced,
    )
    if order is None or forced is None:
        return not backwards(untagged(flow.union(dependences.tagged_false)))

    def spread(relations: Sequence[isl.UnionMap]) -> list[isl.UnionMap]:
        return [each.subtract(together_above(band, len(members), each)) for each in relations]

    wide = kept(flow, spread)
    adjacent = order.intersect_domain(wide.range()).union(order.intersect_range(wide.domain()))
    return not backwards(untagged(flow.union(forced).union(adjacent)))


def _apart(pairs: isl.UnionMap, times: isl.MultiUnionPwAff) -> isl.UnionMap:
    later = pairs.lex_lt_at_multi_union_pw_aff(times)
    return later.union(pairs.lex_gt_at_multi_union_pw_aff(times))


# --- the loops of the source ----------------------------------------------------------------------


def loop_bands(scop: Scop) -> list[tuple[Loop, Band]]:
    """The loops of the source with their bands, in the order of the source.

    A loop without any instance has no band.

    >>> from loopwright import read_c
    >>> program = '''void f(int n, double A[n]) {
    ... #pragma scop
    ...   for (int i = 0; i < n; i++)
    ...     A[i] = 0;
    ... #pragma endscop
    ... }'''
    >>> [(loop.iterator, loop.span.line) for loop, _ in loop_bands(read_c(program)[0])]
    [('i', 3)]
    """
    found: list[tuple[Loop, Band]] = []
    for band in bands_of(scop.schedule):
        inside = {each.get_tuple_name() for each in sets_of(band.get_domain())}
        depth = band.get_schedule_depth()
        around = [each for each in scop.loops if each.depth == depth]
        found += [(each, band) for each in around if inside <= set(each.statements)]
    return sorted(found, key=lambda pair: pair[0].span.start)
