"""The set F is exact: it has the interleavings of legal schedules, each once, and no others."""

from __future__ import annotations

from random import Random

import pytest

from loopwright import Scop, dependences, read_c
from loopwright.interleaving.constraints import Constraint, comes_first
from loopwright.interleaving.fusibility import DEFAULT_SHIFT, Fusibility
from loopwright.interleaving.preorders import Interleaving, Preorder
from loopwright.interleaving.programs import program_of
from loopwright.interleaving.pruning import Pruned, pruned

from . import oracle
from .judged import disagreement, pruned_region, wrong_about
from .kernels import KERNELS, MANY, SMALL, kernel
from .lemma3 import has_schedule

LARGE = {"adi": 1, "correlation": 27978752, "covariance": 384, "durbin": 6, "ludcmp": 1}
"""Kernels with more than seven statements, and how many interleavings they have."""
LARGEST = "deriche"
QUICK = ("atax", "bicg", "gemm", "gemver", "jacobi-1d", "mvt", "syrk", "trisolv", "trmm")
"""Those for which it does not take long to look for schedules of all rows."""

INPUTS = KERNELS.parent / "interleaving_inputs"
PAPER = {"advect3d": 26, "atax": 16, "bicg": 26, "gemver": 8, "doitgen": 4, "correl": 176}
"""The points of F¹ in Table 1, where ours are the same."""
OTHERWISE = {"ludcmp": 2, "varcovar": 192}
"""Ours where the table has 8 and 96; ``benchmarks/interleavings.py`` tells why."""

FIRST_SEED = 20261100
PER_CHUNK = 7


def input_of_table_1(name: str) -> Scop:
    (scop,) = read_c(INPUTS / f"{name}.c")
    return scop


# --- kernels --------------------------------------------------------------------------------------


def test_every_kernel_is_looked_at() -> None:
    """None of those that are counted only has few enough statements for brute force."""
    assert len(SMALL) == 24
    assert {*LARGE, LARGEST} == MANY
    least = min(len(oracle.statements_of(kernel(each))) for each in (*LARGE, LARGEST))
    assert least > oracle.MOST_STATEMENTS


@pytest.mark.parametrize("name", SMALL)
def test_the_interleavings_of_a_kernel_are_those_of_legal_schedules(name: str) -> None:
    assert disagreement(kernel(name)) is None


@pytest.mark.parametrize("name", LARGE)
def test_a_kernel_with_many_statements_has_as_many_as_the_oracle_counts(name: str) -> None:
    found = pruned_region(kernel(name)).space.size()
    assert found == oracle.count_of_interleavings(kernel(name), DEFAULT_SHIFT) == LARGE[name]


@pytest.mark.parametrize("name", QUICK)
def test_membership_is_that_a_legal_schedule_exists(name: str) -> None:
    """Lemma 3 as it stands, with z3 looking for all rows at once, for some interleavings.

    The least and the most fused ones are among them; any other preorder is mostly illegal.
    """
    scop = kernel(name)
    space = pruned_region(scop).space
    ranks = list(oracle.preorders(len(oracle.statements_of(scop))))
    chosen = {ranks[0], Random(name).choice(ranks), next(iter(space)).levels[0].ranks}
    for each in chosen:
        expected = has_schedule(scop, each, DEFAULT_SHIFT)
        assert (Interleaving((Preorder(each),)) in space) is expected, each


# --- Table 1 --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*PAPER, *OTHERWISE])
def test_the_points_of_table_1(name: str) -> None:
    found = pruned_region(input_of_table_1(name))
    assert found.space.size() == {**PAPER, **OTHERWISE}[name]


@pytest.mark.parametrize("name", OTHERWISE)
def test_where_the_points_are_not_those_of_table_1_the_oracle_agrees(name: str) -> None:
    expected = oracle.count_of_interleavings(input_of_table_1(name), DEFAULT_SHIFT)
    assert expected == OTHERWISE[name]


def test_ludcmp_has_the_points_of_table_1_if_single_statements_are_in_loops() -> None:
    """Then y[0] = b[0] may share one with either of the first two nests, x[n - 1] with the last."""
    text = (INPUTS / "ludcmp.c").read_text()
    for at, line in (("0", "y[0] = b[0];"), ("n - 1", "x[n - 1] = y[n - 1] / A[n - 1][n - 1];")):
        assert line in text
        inner = line.replace(f"[{at}]", "[i]")
        text = text.replace(line, f"for (i = {at}; i < {at} + 2; i++)\n{inner}")
    (scop,) = read_c(text)
    assert pruned_region(scop).space.size() == 8


def test_varcovar_has_the_points_of_table_1_if_the_sums_begin_after_the_means() -> None:
    """The fifth statement is cov[i][j] = 0.0, the third one ends the means."""
    terms, constant = comes_first(2, 4)
    after = Constraint(tuple(terms), constant - 1)
    space = pruned_region(input_of_table_1("varcovar")).space.restricted([after])
    assert (space.size(), space.dimensions()) == (96, 22)


# --- how many questions it takes ------------------------------------------------------------------


def asked(loops: list[str]) -> tuple[Pruned, int]:
    """The set F of two-dimensional loops on matrices, and how many questions it took."""
    names = [f"M{at}" for at in range(len(loops))]
    body = "\n".join(
        f"for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {name}[i][j] = {value};"
        for name, value in zip(names, loops, strict=True)
    )
    matrices = ", ".join(f"double {name}[n][n]" for name in names)
    (scop,) = read_c(f"void f(int n, {matrices}) {{\n#pragma scop\n{body}\n#pragma endscop\n}}")
    fusibility = Fusibility(program_of(dependences(scop, live_range_reordering=False)))
    return pruned(fusibility, range(len(loops))), fusibility.questions


@pytest.mark.parametrize("rows", [4, 16])
def test_a_star_takes_few_questions(rows: int) -> None:
    """Many share i with the first loop, and one j.  Any subset of those with i is connected."""
    last = rows + 1
    found, questions = asked(["1.0", *["M0[i][n - 1 - j]"] * rows, "M0[n - 1 - i][j]"])
    assert found.unfusable == tuple((0, each, last) for each in range(1, last))
    assert questions < 10 * last


def test_a_chain_takes_few_questions() -> None:
    """Loops share i and j in turn: two neighbours do, three do not, however they are chosen."""
    count = 16
    turned = ["M{}[i][n - 1 - j]", "M{}[n - 1 - i][j]"]
    found, questions = asked(["1.0", *(turned[at % 2].format(at) for at in range(count - 1))])
    assert found.unfusable == tuple((at, at + 1, at + 2) for at in range(count - 2))
    assert questions < 10 * count


# --- random programs ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [388, 406, 504])
def test_random_programs_that_were_once_wrong(seed: int) -> None:
    """A begin in two pieces, pieces of a relation joined too widely, a circle without a row."""
    assert wrong_about(seed) is None


@pytest.mark.parametrize("chunk", range(5))
def test_the_interleavings_of_random_programs(chunk: int) -> None:
    first = FIRST_SEED + chunk * PER_CHUNK
    wrong = filter(None, map(wrong_about, range(first, first + PER_CHUNK)))
    assert next(wrong, None) is None
