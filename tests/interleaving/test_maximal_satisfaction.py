"""Where a band ends, the next one is permutable again, and satisfies most of what is left (9).

Distances are taken from the dependences themselves and from the rows of the tree, by isl.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product

import islpy as isl
import pytest

from loopwright import Scop, dependences, read_c
from loopwright.interleaving.optimizer import Optimizer, Options
from loopwright.interleaving.preorders import Interleaving, Preorder
from loopwright.interleaving.programs import program_of
from loopwright.polyhedra.integer_matrices import independent_rows
from loopwright.polyhedra.schedule_trees import bands_of
from loopwright.polyhedra.unions import maps_of
from tests.interleaving.kernels import kernel

LARGEST_FACTOR = 2
"""So far brute force goes."""


def mirrored(*terms: str) -> str:
    """Steps t of a plane, each of which begins with the one before it turned round.

    S(t, i, j) is needed by S(t + 1, n - 1 - i, n - 1 - j), which is behind or before it by any
    number in i and in j.  So no row with i or j keeps these pairs: the first band is t, alone.
    """
    sums = " + ".join(("A[t][n - i][n - j]", *terms))
    return f"""
    void f(int n, double A[n + 1][n + 1][n + 1]) {{
    #pragma scop
      for (int t = 0; t < n; t++)
        for (int i = 0; i < n; i++)
          for (int j = 0; j < n; j++)
            S: A[t + 1][i + 1][j + 1] = {sums};
    #pragma endscop
    }}"""


OUTER_NEIGHBOUR = mirrored("A[t + 1][i][j + 1]")
BOTH_NEIGHBOURS = mirrored("A[t + 1][i][j + 1]", "A[t + 1][i + 1][j]")
ALSO_THE_STEP_BEFORE = mirrored("A[t][i + 1][j + 1]", "A[t + 1][i][j + 1]")
NEIGHBOUR_TURNED_ROUND = mirrored("A[t + 1][i][n - j]", "A[t + 1][i + 1][j]")

STENCIL = """
void f(int n, double A[n + 1][n + 1][n + 2][n + 1]) {
#pragma scop
  for (int t = 0; t < n; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          S: A[t + 1][i + 1][j][k + 1] = A[t][n - i][j][n - k] + A[t][i + 1][j + 1][k + 1]
                                       + A[t + 1][i][j][k + 1] + A[t + 1][i + 1][j][k];
#pragma endscop
}"""
"""Mirrored in i and k as above; (1, 0, -1, 0), (0, 1, 0, 0) and (0, 0, 0, 1) are the others."""

FAN = """
void f(int n, double A[n][n], double B[n][n], double C[n][n], double D[n + 1][n]) {
#pragma scop
  for (int t = 0; t < n; t++)
    for (int i = 0; i < n; i++) {
      P: A[t][i] = D[t][n - 1 - i];
      Q: B[t][i] = A[t][i];
      R: C[t][i] = B[t][i];
      S: D[t + 1][i] = B[t][i];
    }
#pragma endscop
}"""
"""Mirrored from S to P, so that i cannot join t."""

IN_PLACE = """
void f(int n, double A[n][n], double B[n]) {
#pragma scop
  for (int t = 0; t < n; t++)
    for (int i = 0; i < n; i++)
      for (int j = 1; j < n; j++)
        S: A[i][j] = A[i][j - 1] + B[n - 1 - i] + (B[i] = A[n - 1 - i][n - j]);
#pragma endscop
}"""

SINGLE = {
    "outer neighbour": OUTER_NEIGHBOUR,
    "both neighbours": BOTH_NEIGHBOURS,
    "also the step before": ALSO_THE_STEP_BEFORE,
    "neighbour turned round": NEIGHBOUR_TURNED_ROUND,
    "stencil": STENCIL,
    "in place": IN_PLACE,
}
"""Programs of one statement each."""


# --- trees, and what is left in them --------------------------------------------------------------


def scop_of(name: str) -> Scop:
    """One of the programs above, or a kernel of the benchmarks."""
    text = SINGLE.get(name)
    return kernel(name) if text is None else only_region(text)


def only_region(text: str) -> Scop:
    """The region of a text."""
    (scop,) = read_c(text)
    return scop


def pairs_of(scop: Scop) -> isl.UnionMap:
    """All pairs of instances that stay in order."""
    found = dependences(scop)
    return found.flow.union(found.false).intersect_params(scop.context)


def bands(scop: Scop, options: Options | None = None) -> list[isl.ScheduleNode]:
    """The bands of the schedule that has all statements in one loop, outermost first."""
    of = program_of(dependences(scop, inputs=True))
    fused = Interleaving((Preorder((0,) * len(of.statements)),))
    return bands_of(Optimizer(of, options).tree(fused))


def members(band: isl.ScheduleNode) -> list[isl.UnionMap]:
    """The rows of a band."""
    rows = band.band_get_partial_schedule()
    return [isl.UnionMap.from_union_pw_aff(rows.get_at(at)) for at in range(band.band_n_member())]


def has_rows(scop: Scop, band: isl.ScheduleNode, *expected: str) -> bool:
    """Are these the rows of a band?"""
    domain = band.get_domain().intersect_params(scop.context)
    found = [each.intersect_domain(domain) for each in members(band)]
    wanted = [isl.UnionMap(each).intersect_domain(domain) for each in expected]
    return len(found) == len(wanted) and all(
        own.is_equal(other) for own, other in zip(found, wanted, strict=True)
    )


def left_at(node: isl.ScheduleNode, pairs: isl.UnionMap) -> isl.UnionMap:
    """The pairs that no loop around a node, and no sequence, has put in order."""
    domain = node.get_domain()
    outer = node.get_prefix_schedule_multi_union_pw_aff()
    inside = pairs.intersect_domain(domain).intersect_range(domain)
    return inside.eq_at_multi_union_pw_aff(outer) if node.get_schedule_depth() else inside


def has_distance(pairs: isl.UnionMap, row: isl.UnionMap, such_that: str) -> bool:
    """Has a pair such a distance d in a row?"""
    distances = pairs.apply_domain(row).apply_range(row).deltas()
    return not distances.intersect(isl.UnionSet(f"{{ [d] : {such_that} }}")).is_empty()


def keeps(row: isl.UnionMap, pairs: isl.UnionMap) -> bool:
    """Does no pair run backwards?"""
    return not has_distance(pairs, row, "d < 0")


def satisfies(row: isl.UnionMap, pairs: isl.UnionMap) -> bool:
    """Does each pair run forwards?"""
    return not has_distance(pairs, row, "d <= 0")


# --- rows that were reasoned out ------------------------------------------------------------------


def test_what_the_outer_band_satisfies_does_not_restrict_the_inner_one() -> None:
    """Of two pairs, t satisfies the mirrored one; (0, 1, 0) is left, and is satisfied by i alone.

    Then j can join it.  With the shortest distance in place of (9), j would be the first one.
    """
    scop = only_region(OUTER_NEIGHBOUR)
    outer, inner = bands(scop)
    assert has_rows(scop, outer, "{ S[t, i, j] -> [t] }")
    assert has_rows(scop, inner, "{ S[t, i, j] -> [i] }", "{ S[t, i, j] -> [j] }")
    assert inner.band_get_permutable()
    assert [inner.band_member_get_coincident(at) for at in range(2)] == [False, True]


def test_what_the_outer_band_satisfies_is_not_satisfied_again() -> None:
    """As before, and (1, 0, 0), which t + i would satisfy once more."""
    scop = only_region(ALSO_THE_STEP_BEFORE)
    outer, inner = bands(scop)
    assert has_rows(scop, outer, "{ S[t, i, j] -> [t] }")
    assert has_rows(scop, inner, "{ S[t, i, j] -> [i] }", "{ S[t, i, j] -> [j] }")


def test_one_row_satisfies_all_that_is_left() -> None:
    """(0, 1, 0) and (0, 0, 1) are left: i + j is the least row that satisfies both.

    Nothing is left then, and the least row that is independent of t and i + j is i.
    """
    scop = only_region(BOTH_NEIGHBOURS)
    outer, inner = bands(scop)
    assert has_rows(scop, outer, "{ S[t, i, j] -> [t] }")
    assert has_rows(scop, inner, "{ S[t, i, j] -> [i + j] }", "{ S[t, i, j] -> [i] }")
    assert inner.band_get_permutable()


def test_bands_end_twice() -> None:
    """(0, 1, n - 1 - 2j) and (0, 0, 1) are left: no row with j keeps the first, i satisfies it."""
    scop = only_region(NEIGHBOUR_TURNED_ROUND)
    first, second, third = bands(scop)
    assert has_rows(scop, first, "{ S[t, i, j] -> [t] }")
    assert has_rows(scop, second, "{ S[t, i, j] -> [i] }")
    assert has_rows(scop, third, "{ S[t, i, j] -> [j] }")


def test_a_stencil_in_time_has_an_inner_band() -> None:
    """Rows with j keep (1, 0, -1, 0) if t counts as much: t and t + j, with which i and k end.

    What is left is (0, 1, 0, 0) and (0, 0, 0, 1), both satisfied by i + k.
    """
    scop = only_region(STENCIL)
    outer, inner = bands(scop)
    assert has_rows(scop, outer, "{ S[t, i, j, k] -> [t] }", "{ S[t, i, j, k] -> [t + j] }")
    assert has_rows(scop, inner, "{ S[t, i, j, k] -> [i + k] }", "{ S[t, i, j, k] -> [i] }")
    assert inner.band_get_permutable()


def test_floyd_warshall() -> None:
    """In step k row k and column k are read by all, before or after the step writes them.

    Row k is satisfied by i, column k by j, both of them by i + j.  From one step to the next the
    same elements are read from both sides, so that neither joins k.
    """
    scop = kernel("floyd-warshall")
    outer, inner = bands(scop)
    assert has_rows(scop, outer, "{ S0[k, i, j] -> [k] }")
    assert has_rows(scop, inner, "{ S0[k, i, j] -> [i + j] }", "{ S0[k, i, j] -> [i] }")
    assert inner.band_get_permutable()


def test_doitgen() -> None:
    """All elements of ``sum`` are made, used and made again at each r, q.

    Mult needs all A[r][q][s] before Ret writes them: Init, Mult, Ret, and Init of the next q have
    no common row but r and q.  The next r begins at q = 0, so that q cannot join r.  Then all pairs
    but those within Mult are satisfied if Init < Mult < Ret < Init + g for a factor g of q, which
    is 3 at least.  What is left is the reduction: s satisfies it.  Last there is p, which is free.
    """
    scop = kernel("doitgen")
    first, second, third, fourth = bands(scop)
    assert has_rows(
        scop, first, "{ Init[r, q, p] -> [r]; Mult[r, q, p, s] -> [r]; Ret[r, q, p] -> [r] }"
    )
    assert has_rows(
        scop,
        second,
        "{ Init[r, q, p] -> [3q]; Mult[r, q, p, s] -> [3q + 1]; Ret[r, q, p] -> [3q + 2] }",
    )
    assert has_rows(
        scop, third, "{ Init[r, q, p] -> [p]; Mult[r, q, p, s] -> [s]; Ret[r, q, p] -> [p] }"
    )
    assert has_rows(scop, fourth, "{ Mult[r, q, p, s] -> [p] }")
    assert fourth.band_member_get_coincident(0)


@pytest.mark.parametrize(
    ("shift", "later"), [(1, (0, 0, 1, 1)), (2, (0, 1, 2, 2)), (4, (0, 1, 2, 2))]
)
def test_as_many_are_satisfied_as_the_shift_allows(shift: int, later: Sequence[int]) -> None:
    """P -> Q, Q -> R and Q -> S are left, of the same t and i: constants alone satisfy them.

    With a shift of one Q is later than P, or R and S are later than Q: two are more than one.
    """
    scop = only_region(FAN)
    outer, inner = bands(scop, Options(shift=shift))
    names = dict(zip("PQRS", later, strict=True))
    assert has_rows(
        scop, outer, "{ P[t, i] -> [t]; Q[t, i] -> [t]; R[t, i] -> [t]; S[t, i] -> [t] }"
    )
    rows = "; ".join(f"{name}[t, i] -> [i + {by}]" for name, by in names.items())
    assert has_rows(scop, inner, f"{{ {rows} }}")


# --- laws -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SINGLE, "doitgen", "floyd-warshall", "symm", "seidel-2d"])
def test_bands_are_permutable(name: str) -> None:
    """No member of a band runs a pair backwards that is left where the band begins.

    One is coincident if and only if it runs all of them at the same time.  Inside of all loops no
    pair is left, so that the tree is legal.
    """
    scop = scop_of(name)
    pairs = pairs_of(scop)
    for band in bands(scop):
        assert band.band_get_permutable()
        left = left_at(band, pairs)
        for at, row in enumerate(members(band)):
            assert keeps(row, left)
            assert band.band_member_get_coincident(at) != has_distance(left, row, "d != 0")
        inside = band.child(0)
        if inside.get_type() == isl.schedule_node_type.leaf:
            assert left_at(inside, pairs).is_empty()


def rows_of_one(scop: Scop, band: isl.ScheduleNode) -> Iterator[isl.UnionMap]:
    """Small rows of the only statement, each independent of those of the band and around it."""
    (statement,) = scop.statements
    depth = statement.domain.dim(isl.dim_type.set)
    known = list(independent_rows(factors(band, depth)))
    names = ", ".join(f"x{at}" for at in range(depth))
    for each in product(range(LARGEST_FACTOR + 1), repeat=depth):
        if len(list(independent_rows([*known, each]))) > len(known):
            terms = " + ".join(f"{factor}x{at}" for at, factor in enumerate(each))
            yield isl.UnionMap(f"{{ {statement.name}[{names}] -> [{terms}] }}")


def factors(band: isl.ScheduleNode, depth: int) -> Iterator[tuple[int, ...]]:
    """The factors of the loops in the rows of a band and around it."""
    outer = band.child(0).get_prefix_schedule_multi_union_pw_aff()
    for at in range(outer.dim(isl.dim_type.set)):
        (piece,) = outer.get_at(at).get_pw_aff_list().get_at(0).get_pieces()
        coefficient = piece[1].get_coefficient_val
        yield tuple(coefficient(isl.dim_type.in_, loop).to_python() for loop in range(depth))


@pytest.mark.parametrize("name", [*SINGLE, "floyd-warshall"])
def test_bands_end_where_no_row_can_join_them(name: str) -> None:
    scop = scop_of(name)
    pairs = pairs_of(scop)
    found = bands(scop)
    assert len(found) > 1
    for band in found:
        left = left_at(band, pairs)
        assert not any(keeps(row, left) for row in rows_of_one(scop, band))


@pytest.mark.parametrize("name", [*SINGLE, "floyd-warshall"])
def test_the_first_row_of_an_inner_band_satisfies_what_any_row_does(name: str) -> None:
    """Rows can be added up, so that one row satisfies each part of what is left that any does."""
    scop = scop_of(name)
    pairs = pairs_of(scop)
    found = bands(scop)
    for outer, inner in pairwise(found):
        left = left_at(inner, pairs)
        parts = [
            isl.UnionMap.from_map(isl.Map.from_basic_map(part))
            for each in maps_of(left)
            for part in each.get_basic_maps()
        ]
        possible = [row for row in rows_of_one(scop, outer) if keeps(row, left)]
        assert possible
        assert parts
        chosen = members(inner)[0]
        for part in parts:
            can_be_satisfied = any(satisfies(row, part) for row in possible)
            assert satisfies(chosen, part) == can_be_satisfied
