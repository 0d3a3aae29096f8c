"""Each interleaving becomes a legal schedule that has it (§4.1, §4.4)."""

from __future__ import annotations

from itertools import combinations, islice

import islpy as isl
import pytest

from loopwright import dependences, generate, read_c
from loopwright.interleaving.constraints import Constraint, is_shared
from loopwright.interleaving.optimizer import Optimizer, Options
from loopwright.interleaving.preorders import Interleaving, interleaving_of
from loopwright.interleaving.programs import Program, program_of
from loopwright.interleaving.trees import interleaving_of_tree, shape_of
from loopwright.polyhedra.schedule_trees import bands_of
from tests.interleaving.kernels import SMALL, THREE_PRODUCTS, kernel_program, program
from tests.interleaving.random_regions import random_region

MOST_POINTS = 40


def interleaving(*levels: str) -> Interleaving:
    """The interleaving with these ranks, level by level."""
    return interleaving_of(list(zip(*(map(int, each.split()) for each in levels), strict=True)))


def violated(tree: isl.Schedule, of: Program) -> list[str]:
    """The dependences of which a tree runs a pair backwards, or at once.

    Rows of a tree are compared pair by pair: what no outer row puts in order must not go back.
    """
    found: list[str] = []
    times = tree.get_map()
    for each in of.dependences:
        ends = [of.statements[number] for number in (each.source, each.sink)]
        back = [isl.Map.from_multi_aff(end.times).reverse() for end in ends]
        pairs = each.pairs.apply_domain(back[0]).apply_range(back[1])
        pairs = pairs.intersect_domain(ends[0].domain).intersect_range(ends[1].domain)
        moved = isl.UnionMap.from_map(pairs).apply_domain(times).apply_range(times)
        for at in range(moved.n_map()):
            whole = moved.get_map_list().get_at(at)
            wrong = isl.Map.lex_ge(whole.get_space().domain())
            if not whole.intersect(wrong).is_empty():
                found.append(f"{ends[0].name} -> {ends[1].name}")
    return found


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("depth", [1, 2])
def test_every_point_becomes_a_legal_schedule_that_has_it(name: str, depth: int) -> None:
    of = kernel_program(name)
    names = [each.name for each in of.statements]
    points = 0
    for each in islice(Optimizer(of).all(depth), MOST_POINTS):
        points += 1
        assert violated(each.tree, of) == [], each.interleaving
        assert interleaving_of_tree(each.tree, names, depth) == each.interleaving
    assert points


def shared(points: list[Interleaving], count: int) -> set[tuple[int, int]]:
    """The pairs of statements that share the outermost loop in some point."""
    pairs = combinations(range(count), 2)
    ranks = [each.levels[0].ranks for each in points]
    return {(i, j) for i, j in pairs if any(each[i] == each[j] for each in ranks)}


@pytest.mark.parametrize("depth", [1, 2])
def test_some_of_very_many_points_are_from_all_over_the_space(depth: int) -> None:
    """Enumeration would begin with 300 points in which nearly nothing shares a loop."""
    optimizer = Optimizer(kernel_program("correlation"))
    count = len(optimizer.numbers)
    points = optimizer.some(300, depth)
    assert len(set(points)) == len(points) == 300
    assert points == Optimizer(kernel_program("correlation")).some(300, depth)
    space = optimizer.space()
    assert all(Interleaving(each.levels[:1]) in space for each in points)
    fusable = {
        (i, j)
        for i, j in combinations(range(count), 2)
        if space.restricted([Constraint((is_shared(i, j),), -1)]).most_fused() is not None
    }
    assert shared(points, count) == fusable


def test_all_points_are_some_of_few() -> None:
    optimizer = Optimizer(kernel_program("gemver"))
    assert optimizer.some(8) == list(optimizer.interleavings())
    assert set(optimizer.some(5)) < set(optimizer.interleavings())


@pytest.mark.parametrize("seed", range(10))
def test_points_of_random_regions(seed: int) -> None:
    for scop in read_c(random_region(seed)):
        of = program_of(dependences(scop, inputs=True))
        names = [each.name for each in of.statements]
        for depth, near in ((1, True), (3, False)):
            for each in islice(Optimizer(of, Options(near=near)).all(depth), 6):
                assert violated(each.tree, of) == [], each.interleaving
                assert interleaving_of_tree(each.tree, names, depth) == each.interleaving


def test_a_circle_without_a_common_loop_stays_as_it_is() -> None:
    """The common row is k of the last statement; then each of the two waits for the other.

    The first has no further loop, so that nothing but the order of the source is left.
    """
    of = program(
        """void f(int n, double A[2 * n][2 * n], double B[n][n]) {
        #pragma scop
          for (int i = 1; i < n; i++) {
            A[2 * i][i + 8] += 0.5;
            for (int j = 1; j < n; j++)
              for (int k = 2; k < n; k++)
                A[i + 11][k + 6] = B[i][k];
          }
        #pragma endscop
        }"""
    )
    (fused,) = (
        each for each in Optimizer(of).all(3) if each.interleaving.levels[0].ranks == (0, 0)
    )
    assert violated(fused.tree, of) == []
    assert str(fused.interleaving) == "0 0 / 0 0 / 0 1"
    with pytest.raises(ValueError, match="no legal schedule is known"):
        Optimizer(of).tree(interleaving("0 0", "0 0", "0 0"))


def test_statements_that_never_run_are_not_there() -> None:
    of = program(
        """void f(int n, double A[n]) {
        #pragma scop
          for (int i = 5; i < 5; i++)
            A[i] = 1.0;
          for (int i = 0; i < n; i++)
            A[i] = 2.0;
        #pragma endscop
        }"""
    )
    assert [each.name for each in of.statements] == ["S1"]
    assert [str(each.interleaving) for each in Optimizer(of).all(2)] == ["0 / 0"]


def test_deeper_points_refine_outer_ones() -> None:
    optimizer = Optimizer(kernel_program("gemver"))
    outer = {str(each) for each in optimizer.interleavings(1)}
    inner = [each.levels[0] for each in optimizer.interleavings(2)]
    assert {str(Interleaving((each,))) for each in inner} == outer
    assert len(inner) > len(outer)


def test_bands_can_change_places() -> None:
    """All members of a band keep what its first one has to: those of a stencil are skewed."""
    of = kernel_program("jacobi-1d")
    (only,) = Optimizer(of).all()
    (band,) = bands_of(only.tree)
    assert band.band_n_member() == 2
    assert band.band_get_permutable()
    times = band.band_get_partial_schedule_union_map()
    for each in of.dependences:
        ends = [of.statements[number] for number in (each.source, each.sink)]
        back = [isl.Map.from_multi_aff(end.times).reverse() for end in ends]
        pairs = isl.UnionMap.from_map(each.pairs.apply_domain(back[0]).apply_range(back[1]))
        moved = pairs.apply_domain(times).apply_range(times)
        for distance in [moved.get_map_list().get_at(at).deltas() for at in range(moved.n_map())]:
            for member in range(2):
                below = distance.upper_bound_val(isl.dim_type.set, member, isl.Val(-1))
                assert below.is_empty()


def test_a_point_that_no_schedule_has_is_refused() -> None:
    optimizer = Optimizer(kernel_program("gemver"))
    with pytest.raises(ValueError, match="no legal schedule has the interleaving 1 0 2 3"):
        optimizer.tree(interleaving("1 0 2 3"))
    with pytest.raises(ValueError, match="not about 4 statements"):
        optimizer.tree(interleaving("0 1"))


def test_reads_are_near_if_that_is_asked_for() -> None:
    """The two products of mvt read the same matrix, one by rows and one by columns.

    With reads as important as dependences, both take the same element at the same time; else the
    common loop is the one that carries nothing.
    """
    of = kernel_program("mvt")
    fused = interleaving("0 0")
    near = generate(Optimizer(of, Options(near=True)).tree(fused)).to_c()
    assert "First(c0, c1);\n    Second(c1, c0);" in near
    (band, *_) = bands_of(Optimizer(of).tree(fused))
    assert band.band_member_get_coincident(0)


# --- the figures ----------------------------------------------------------------------------------

FIGURE_2A = """\
for (int c0 = 0; c0 < N; c0 += 1) {
  for (int c1 = 0; c1 < N; c1 += 1)
    for (int c2 = 0; c2 < N; c2 += 1)
      R(c1, c0, c2);
  for (int c1 = 0; c1 < N; c1 += 1)
    for (int c2 = 0; c2 < N; c2 += 1)
      S(c0, c1, c2);
  for (int c1 = 0; c1 < N; c1 += 1)
    for (int c2 = 0; c2 < N; c2 += 1)
      T(c1, c2, c0);
}
"""
"""C[t3][t1] += A[t3][t5] * B[t5][t1] is R(t3, t1, t5), and so on.  The loops t3 and t5 of T, which
can change places, are in the order of the source; the paper has T(t5, t3, t1)."""

FIGURE_2B = """\
{
  for (int c0 = 0; c0 < N; c0 += 1)
    for (int c1 = 0; c1 < N; c1 += 1)
      for (int c2 = 0; c2 < N; c2 += 1) {
        R(c0, c1, c2);
        S(c0, c1, c2);
      }
  for (int c0 = 0; c0 < N; c0 += 1)
    for (int c1 = 0; c1 < N; c1 += 1)
      for (int c2 = 0; c2 < N; c2 += 1)
        T(c0, c1, c2);
}
"""
"""The paper prints the fused statements the other way round, which is free, and T as
G[t1][t3] += C[t1][t3] * F[t3][t5], a misprint: t3 cannot be both j and k."""

FIGURE_2C = """\
{
  for (int c0 = 0; c0 < N; c0 += 1)
    for (int c1 = 0; c1 < N; c1 += 1)
      for (int c2 = 0; c2 < N; c2 += 1)
        R(c0, c1, c2);
  for (int c0 = 0; c0 < N; c0 += 1)
    for (int c1 = 0; c1 < N; c1 += 1) {
      for (int c2 = 0; c2 < N; c2 += 1)
        S(c1, c0, c2);
      for (int c2 = 0; c2 < N; c2 += 1)
        T(c2, c0, c1);
    }
}
"""
"""F[t3][t1] is that of S(t3, t1, t5), and G[t5][t1] += C[t5][t3] * F[t3][t1] is T(t5, t1, t3)."""


@pytest.mark.parametrize(
    ("levels", "printed"),
    [
        (("0 0 0", "0 1 2"), FIGURE_2A),
        (("0 0 1", "0 0 1", "0 0 1"), FIGURE_2B),
        (("0 1 1", "0 1 1", "0 1 2"), FIGURE_2C),
    ],
    ids=["a", "b", "c"],
)
def test_figure_2(levels: tuple[str, ...], printed: str) -> None:
    optimizer = Optimizer(program(THREE_PRODUCTS))
    wanted = interleaving(*levels)
    assert wanted in set(optimizer.interleavings(len(levels)))
    assert generate(optimizer.tree(wanted)).to_c() == printed


def test_below_the_levels_that_are_asked_for_as_much_as_possible_is_fused() -> None:
    optimizer = Optimizer(program(THREE_PRODUCTS))
    tree = optimizer.tree(interleaving("0 0 1"))
    assert shape_of(tree) == (((("R", "S"),),), ((("T",),),))
