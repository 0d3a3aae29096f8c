"""Which statements can share a loop: the examples of the paper, and loops of all kinds."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from loopwright import Scop, dependences, read_c
from loopwright.interleaving.fusibility import DEFAULT_SHIFT, Fusibility
from loopwright.interleaving.preorders import Interleaving, Preorder
from loopwright.interleaving.programs import Program, program_of

from . import oracle
from .judged import disagreement, pruned_region, ranks_of
from .kernels import THREE_PRODUCTS
from .lemma3 import has_schedule

R, S, T = range(3)


def named(pairs: str) -> set[tuple[int, int]]:
    """Pairs of loops by their names."""
    return {("ijk".index(one), "ijk".index(other)) for one, other in pairs.split()}


PRINTED = {
    (R, S): named("ii ij ik ji jj jk ki kj kk"),
    (R, T): named("ii jk"),
    (S, T): named("ik jj"),
}
"""The sets M of ThreeMatMat (§4.3)."""

CHAIN = """
void chain(int n, double A[n][n], double B[n][n], double C[n][n],
           double b[n], double x[n], double y[n], double z[n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i] += A[i][j] * b[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += B[i][j] * x[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      z[i] += C[i][j] * y[j];
#pragma endscop
}
"""
"""x = Ab, y = Bx, z = Cy (§4.3)."""


@cache
def region(text: str) -> Scop:
    (scop,) = read_c(text)
    return scop


def program(text: str) -> Program:
    return program_of(dependences(region(text), live_range_reordering=False))


def loops(body: str) -> str:
    """A function with a region."""
    return (
        "void f(int n, int m, double A[n + 20], double B[n + 20], double C[n + 20][n + 20]) {\n"
        f"#pragma scop\n{body}\n#pragma endscop\n}}\n"
    )


# --- ThreeMatMat ----------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", PRINTED)
def test_the_permutations_of_three_products_are_those_of_the_paper(pair: tuple[int, int]) -> None:
    """They are printed for rows of one loop each.

    The words of §4.3, "a non-null value for each of the coefficients", let skewed rows in, too:
    i of R goes with i + j and with i + k of T, thus every loop of T with i and with j of R.
    """
    found = Fusibility(program(THREE_PRODUCTS), skews=False).permutations(*pair)
    assert found == PRINTED[pair]
    skewed = Fusibility(program(THREE_PRODUCTS)).permutations(*pair)
    assert found <= skewed
    assert len(skewed) == (9 if pair == (R, S) else 6)


@pytest.mark.parametrize("pair", PRINTED)
@pytest.mark.parametrize("skewed", [False, True])
def test_the_permutations_are_those_of_the_oracle(pair: tuple[int, int], skewed: bool) -> None:
    scop = region(THREE_PRODUCTS)
    names = [each.name for each in oracle.statements_of(scop)]
    first, second = (names[each] for each in pair)
    expected = oracle.permutations(scop, first, second, DEFAULT_SHIFT, skewed=skewed)
    fusibility = Fusibility(program(THREE_PRODUCTS), skews=skewed)
    assert fusibility.permutations(*pair) == expected
    assert fusibility.permutations(*reversed(pair)) == {(q, p) for p, q in expected}


def test_three_products_have_a_compatible_permutation() -> None:
    """μ of R is j, that of S is i, that of T is k: Figure 2 (a)."""
    fusibility = Fusibility(program(THREE_PRODUCTS), skews=False)
    assert fusibility.has_compatible_permutation((R, S, T))
    row = fusibility.problem((R, S, T)).best()
    assert row is not None
    factors = [row[each].loops for each in (R, S, T)]
    assert all(sum(each) == 1 for each in factors)
    used = [each.index(1) for each in factors]
    pairs = combinations((R, S, T), 2)
    assert all((used[one], used[other]) in PRINTED[one, other] for one, other in pairs)
    assert used == ["ijk".index(each) for each in "jik"], "T has k only in common with both"


@pytest.mark.parametrize("ranks", [(0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 2)])
def test_the_structures_of_figure_2_are_in_the_space(ranks: tuple[int, int, int]) -> None:
    """(a) one outer loop, (b) R with S, (c) S with T; and all apart, as in Figure 1."""
    assert Interleaving((Preorder(ranks),)) in pruned_region(region(THREE_PRODUCTS)).space


def test_all_interleavings_of_three_products() -> None:
    """R and S in any order, or together; T with either of them, or after both."""
    assert disagreement(region(THREE_PRODUCTS)) is None
    assert sorted(ranks_of(pruned_region(region(THREE_PRODUCTS)))) == [
        (0, 0, 0),
        (0, 0, 1),
        (0, 1, 1),
        (0, 1, 2),
        (1, 0, 1),
        (1, 0, 2),
    ]


# --- a chain of products --------------------------------------------------------------------------


def test_a_chain_can_be_fused_two_by_two_but_not_as_a_whole() -> None:
    fusibility = Fusibility(program(CHAIN))
    assert fusibility.is_fusable((0, 1))
    assert fusibility.is_fusable((1, 2))
    assert not fusibility.is_fusable((0, 1, 2))
    found = pruned_region(region(CHAIN))
    assert found.unfusable == ((0, 1, 2),)
    assert sorted(ranks_of(found)) == [(0, 0, 1), (0, 1, 1), (0, 1, 2)]
    assert disagreement(region(CHAIN)) is None


@pytest.mark.parametrize("ranks", [(0, 0, 0), (0, 1, 1)])
def test_a_chain_by_its_schedules(ranks: tuple[int, int, int]) -> None:
    """Lemma 3 says the same."""
    expected = ranks in ranks_of(pruned_region(region(CHAIN)))
    assert has_schedule(region(CHAIN), ranks, DEFAULT_SHIFT) is expected


def test_a_chain_has_no_compatible_permutation() -> None:
    """The second product is permuted for the first, and left as it is for the third."""
    fusibility = Fusibility(program(CHAIN), skews=False)
    assert fusibility.permutations(0, 1) == named("ij")
    assert fusibility.permutations(1, 2) == named("ij")
    assert not fusibility.has_compatible_permutation((0, 1, 2))


# --- what a common loop is ------------------------------------------------------------------------

TWO = {
    "shifted by four": ("for (int i = 0; i < n; i++) B[i] = A[i + 4];", True),
    "shifted by five": ("for (int i = 0; i < n; i++) B[i] = A[i + 5];", False),
    "turned round": ("for (int i = 0; i < n; i++) B[i] = A[n - 1 - i];", False),
    "run down": ("for (int i = n - 1; i >= 0; i--) B[i] = A[n - 1 - i];", True),
    "run down, the same element": ("for (int i = n - 1; i >= 0; i--) B[i] = A[i];", False),
    "begun later": ("for (int i = 7; i < n; i++) B[i] = A[i];", False),
    "begun later, used earlier": ("for (int i = 7; i < n; i++) B[i] = A[i - 7];", True),
    "begun at a parameter": ("for (int i = m; i < n; i++) B[i] = A[i];", False),
    "conditional": ("for (int i = 0; i < n; i++) if (i >= m) B[i] = A[i];", True),
    "once": ("B[0] = A[0];", False),
    "once in a loop": ("for (int i = 0; i < 1; i++) B[i] = A[i];", False),
    "twice": ("for (int i = 0; i < 2; i++) B[i] = A[i];", True),
    "every second one": ("for (int i = 0; i < n; i += 2) B[i] = A[i];", True),
    "twice as fast": ("for (int i = 0; i < n; i++) B[i] = A[2 * i];", True),
}


@pytest.mark.parametrize("second", TWO)
def test_two_loops(second: str) -> None:
    text, is_fusable = TWO[second]
    source = loops(f"for (int i = 0; i < 2 * n; i++) A[i] = 1.0;\n{text}")
    source = source.replace("A[n + 20]", "A[2 * n + 20]")
    assert Fusibility(program(source)).is_fusable((0, 1)) is is_fusable
    assert disagreement(region(source)) is None


def test_a_loop_of_one_iteration_is_none() -> None:
    """A row that uses nothing else would fuse anything."""
    source = loops(
        "for (int i = 0; i < 1; i++) for (int j = 0; j < n; j++) A[j] = 1.0;\n"
        "for (int i = 0; i < 1; i++) for (int j = 0; j < n; j++) B[j] = A[n - 1 - j];"
    )
    assert not Fusibility(program(source)).is_fusable((0, 1))
    assert disagreement(region(source)) is None


def test_the_source_is_an_interleaving_whatever_its_conditions() -> None:
    """Both depend on each other; the second one begins m iterations after the first."""
    source = loops(
        "for (int i = 1; i < n; i++) {\n"
        "  A[i] = B[i - 1];\n  if (i >= m)\n    B[i] = A[i];\n"
        "  if (i == 3)\n    A[i + 1] = B[i] * A[i];\n}"
    )
    assert ranks_of(pruned_region(region(source))) == [(0, 0, 0)]
    assert disagreement(region(source)) is None


def test_a_circle_whose_loop_is_over_for_one_of_it_stays_alone() -> None:
    """They share the loop that they are in, but no row that moves both of them."""
    source = loops(
        "for (int i = 0; i < n; i++) {\n  A[i + 1] = B[0];\n"
        "  if (i == 3)\n    for (int j = 0; j < n; j++) B[n - 1 - j] = A[i + 1];\n}\n"
        "for (int i = 0; i < n; i++) C[i][0] = 1.0;"
    )
    assert sorted(ranks_of(pruned_region(region(source)))) == [(0, 0, 1), (1, 1, 0)]
    assert disagreement(region(source)) is None


def test_shifts_add_up() -> None:
    """Each two are four apart, all three would be eight: Lemma 6 alone would fuse them."""
    source = loops(
        "for (int i = 0; i < n; i++) A[i] = 1.0;\n"
        "for (int i = 0; i < n; i++) B[i] = A[i + 4];\n"
        "for (int i = 0; i < n; i++) C[0][i] = B[i + 4];"
    )
    fusibility = Fusibility(program(source))
    assert fusibility.has_compatible_permutation((0, 1, 2))
    assert not fusibility.is_fusable((0, 1, 2))
    assert sorted(ranks_of(pruned_region(region(source)))) == [(0, 0, 1), (0, 1, 1), (0, 1, 2)]
    assert disagreement(region(source)) is None
