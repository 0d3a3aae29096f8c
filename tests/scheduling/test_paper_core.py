"""Examples 8 to 18 of PPCG (Verdoolaege, Janssens 2017, §6), against what the paper prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl
import pytest

from loopwright import ScheduleConstraints, constraints_of, dependences, respects, schedule
from loopwright.polyhedra.farkas import Multiplier
from loopwright.polyhedra.integer_matrices import independent_directions
from loopwright.polyhedra.lexmin import Allowance, LexicographicMinimum, NoSolution
from loopwright.polyhedra.nontrivial import best_solution
from loopwright.scheduling.farkas import Farkas
from loopwright.scheduling.graph import Graph, graph_of
from loopwright.scheduling.options import ISL, PPCG, SchedulerOptions
from loopwright.scheduling.pluto import PlutoProblem
from loopwright.scheduling.units import unit_of
from loopwright.scheduling.workshop import Workshop
from tests.scheduling.expected_trees import (
    BandShape,
    assert_member,
    assert_same,
    bands_at,
    largest_coefficient,
    listing,
    outer_band,
    tree_of,
)

STANDARD_FEAUTRIER = replace(PPCG, carry_self_first=False, split_scaled=False)
"""Feautrier's scheduler as it carries all that it can, without the improvements of §7."""


def checked(
    number: int, options: SchedulerOptions = PPCG, *replaced: tuple[str, str]
) -> isl.Schedule:
    """The schedule of a listing, which must be legal."""
    found = dependences(listing(number, *replaced))
    tree = schedule(found, options).tree
    assert respects(tree, found)
    return tree


def workshop(graph: Graph, options: SchedulerOptions = PPCG) -> Workshop:
    nodes = {node.number: node for node in graph.nodes}
    farkas = Farkas(nodes, treat_coalescing=options.treat_coalescing)
    return Workshop(options, nodes, len(graph.parameters), farkas, Allowance())


def pluto_problem(graph: Graph, *, coincidence: bool) -> PlutoProblem:
    """The problem of the first member."""
    shop = workshop(graph)
    units = [unit_of(node, shop.parameters, ()) for node in graph.nodes]
    problem = PlutoProblem(shop, shop.bounded(units))
    problem.ask(graph.edges, coincidence=coincidence, local=frozenset())
    return problem


# --- Example 8: two ways to force outer coincidence -----------------------------------------------

PLUTO_8 = (
    "{ S[t, i, j] -> [t]; T[t, i, j] -> [t] }",
    "{ S[t, i, j] -> [2t + i]; T[t, i, j] -> [2t + i + 1] }",
    "{ S[t, i, j] -> [2t + i + j]; T[t, i, j] -> [2t + i + j + 1] }",
)
"""The members of (6) as the paper prints them."""

OURS_8 = (
    *PLUTO_8[:2],
    "{ S[t, i, j] -> [2t + j]; T[t, i, j] -> [2t + j + 1] }",
)
"""The last one differs; see the test below for why it is the better solution."""


def test_example_8_feautrier_as_fallback_gives_figure_13() -> None:
    tree = checked(11)
    figure = """
        schedule: "[{ S[t, i, j] -> [(t)]; T[t, i, j] -> [(t)] }]"
        child:
          sequence:
          - filter: "{ S[t, i, j] }"
            child:
              schedule: "[{ S[t, i, j] -> [(i)] }, { S[t, i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
          - filter: "{ T[t, i, j] }"
            child:
              schedule: "[{ T[t, i, j] -> [(i)] }, { T[t, i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
        """
    assert_same(tree, tree_of(tree.get_domain(), figure))


def test_example_8_pluto_alone_gives_a_band_of_three_members_6() -> None:
    band = outer_band(checked(11, ISL))
    assert band.child is None
    assert band.is_permutable
    assert band.coincident == (False, False, False)
    for found, expected in zip(band.members, OURS_8, strict=True):
        assert_member(found, expected)


def test_example_8_the_last_member_of_6_is_not_the_least_solution() -> None:
    """Both are valid with the same bound on distances, 2; ours has the smaller sum of factors.

    The sum of the factors is the third thing that §6.5.5 minimises after the bound; the paper's
    2t + i + j has 4 for each statement, 2t + j has 3.
    """
    graph = graph_of(constraints_of(dependences(listing(11))))
    assert [node.name for node in graph.nodes] == ["S", "T"]
    paper = solution_with(graph, {"S": (2, 1, 1, 0), "T": (2, 1, 1, 1)})
    ours = solution_with(graph, {"S": (2, 0, 1, 0), "T": (2, 0, 1, 1)})
    assert paper[:4] == [0, 2, 0, 8]
    assert ours[:4] == [0, 2, 0, 6]


def solution_with(graph: Graph, functions: dict[str, tuple[int, ...]]) -> list[int]:
    """The least solution with these factors and this constant for each statement."""
    problem = pluto_problem(graph, coincidence=False)
    for at, node in enumerate(graph.nodes):
        *factors, constant = functions[node.name]
        for function, factor in enumerate(factors):
            negative = problem.layout.negative(at, function)
            problem.problem.exactly_zero({negative + 1: 1, negative: -1}, -factor)
        problem.problem.exactly_zero({problem.layout.constant(at): 1}, -constant)
    return problem.problem.solution()


def test_example_8_a_wavefront_gives_the_form_of_figure_12() -> None:
    """The sum of the members outside, all but one of the members inside, coincident.

    The paper's (7) is the sum 5t + 2i + j of its (6); ours is the sum 5t + i + j of our band.
    """
    tree = checked(11, replace(PPCG, fallback="wavefront"))
    outer = outer_band(tree)
    assert outer.coincident == (False,)
    assert_member(
        outer.members[0], "{ S[t, i, j] -> [5t + i + j]; T[t, i, j] -> [5t + i + j + 2] }"
    )
    inner = outer.child
    assert isinstance(inner, BandShape)
    assert inner.coincident == (True, True)
    assert inner.child is None
    for found, expected in zip(inner.members, OURS_8[1:], strict=True):
        assert_member(found, expected)


def test_example_8_the_wavefront_costs_larger_factors() -> None:
    assert largest_coefficient(checked(11, replace(PPCG, fallback="wavefront"))) == 5
    assert largest_coefficient(checked(11)) == 1
    assert largest_coefficient(checked(11, STANDARD_FEAUTRIER)) == 2


def test_examples_8_and_15_the_standard_feautrier_scheduler_carries_more() -> None:
    """It makes the factor 2 of (8), which is (72)."""
    tree = checked(11, STANDARD_FEAUTRIER)
    (member,) = outer_band(tree).members
    assert_member(member, "{ S[t, i, j] -> [2t]; T[t, i, j] -> [2t + 1] }")


# --- Examples 9 and 16: an integer solution, and one that carries too much ------------------------

CARRIES_ALL = (
    "{ A[i, j, k] -> [i + j + k]; B[i, j] -> [i + 2j]; C[i, k] -> [2i + k]; D[i] -> [3i] }"
)

FIXED_SIZE = (
    ("int n, double A[n][n]", "double A[2000][2000]"),
    ("i < n", "i < 2000"),
    ("N = 8", "N = 2000"),
    ("cholesky(N, A)", "cholesky(A)"),
)
"""The size that PolyBench compiles into the program, instead of a parameter."""


@pytest.mark.parametrize("replaced", [(), FIXED_SIZE], ids=["n", "2000"])
def test_examples_9_and_16_cholesky_has_the_least_integer_solution_27(
    replaced: Sequence[tuple[str, str]],
) -> None:
    """This is (27) and (73), small whether or not the size is known."""
    tree = checked(14, replace(PPCG, carry_self_first=False), *replaced)
    outer = outer_band(tree)
    assert outer.coincident == (False,)
    assert_member(outer.members[0], CARRIES_ALL)


def test_example_9_a_rational_solution_is_scaled_up_unless_an_integer_one_is_asked_for() -> None:
    """The numerators over a common denominator are what made the factors of (26) large."""
    problem = LexicographicMinimum(2)
    problem.at_least_zero({0: 3, 1: 1997}, -1998)
    problem.at_least_zero({0: -1997, 1: 3}, 0)
    assert problem.solution(integral=False) == [0, 1998]
    assert not problem.is_integral
    assert problem.solution() == [0, 2]


# --- Example 10: the Farkas lemma, disjunct by disjunct -------------------------------------------


def as_set(multipliers: Sequence[Multiplier], names: str = "cn") -> isl.Set:
    """Conditions on a function as a set of its coefficients, the constant last."""
    width = len(multipliers[0].sink)
    names = ", ".join([*(f"c{at}" for at in range(width)), *names.split(), "d"])
    found = isl.Set(f"{{ [{names}] }}")
    for each in multipliers:
        values = (*each.sink, *each.parameters, each.constant)
        sum_of = " + ".join(
            f"{value}{name}" for value, name in zip(values, names.split(", "), strict=True)
        )
        sign = "=" if each.is_equality else ">="
        found = found.intersect(isl.Set(f"{{ [{names}] : {sum_of} {sign} 0 }}"))
    return found


def conditions_10() -> list[isl.Set]:
    flow = dependences(listing(15)).flow
    domain = isl.UnionSet("[n] -> { S[i, j] : 0 <= i, j < n }")
    graph = graph_of(ScheduleConstraints(domain, validity=flow))
    farkas = workshop(graph).farkas
    (edge,) = graph.edges
    return [as_set(farkas.of_disjunct(edge, each)) for each in farkas.disjuncts(edge)]


def test_example_10_the_flow_and_its_differences_are_28_and_29() -> None:
    flow = dependences(listing(15)).flow
    assert flow.is_equal(
        isl.UnionMap(
            "[n] -> { S[i, j] -> S[i, j + 1] : 0 <= i < n and 0 <= j < n - 1;"
            " S[i, n - 1] -> S[i + 1, 0] : 0 <= i < n - 1 }"
        )
    )
    expected = "[n] -> { S[0, 1] : n >= 2; S[1, 1 - n] : n >= 2 }"
    assert flow.deltas().is_equal(isl.UnionSet(expected))


def test_example_10_each_disjunct_has_the_conditions_30_and_31() -> None:
    expected = [
        isl.Set("{ [c0, c1, cn, d] : cn >= 0 and c1 + 2cn + d >= 0 }"),
        isl.Set("{ [c0, c1, cn, d] : c1 <= cn and c1 <= c0 + 2cn + d }"),
    ]
    found = conditions_10()
    assert len(found) == 2
    assert any(found[0].is_equal(each) for each in expected)
    assert any(found[1].is_equal(each) for each in expected)
    assert not found[0].is_equal(found[1])


def test_example_10_only_the_second_group_can_be_carried() -> None:
    """Without parameters these are (32) and (33); carried, (34) and (35)."""
    kept, carried = [], []
    for each in conditions_10():
        without = each.fix_val(isl.dim_type.set, 2, isl.Val(0)).project_out(isl.dim_type.set, 2, 1)
        kept.append(without)
        fixed = without.fix_val(isl.dim_type.set, 2, isl.Val(-1))
        carried.append(fixed.project_out(isl.dim_type.set, 2, 1))
    inner = isl.Set("{ [c0, c1, d] : c1 + d >= 0 }")
    outer = isl.Set("{ [c0, c1, d] : c1 <= 0 and c1 <= c0 + d }")
    first = 0 if kept[0].is_equal(inner) else 1
    assert kept[first].is_equal(inner)
    assert kept[1 - first].is_equal(outer)
    assert carried[first].is_equal(isl.Set("{ [c0, c1] : c1 > 0 }"))
    assert carried[1 - first].is_equal(isl.Set("{ [c0, c1] : c1 <= 0 and c1 < c0 }"))
    assert carried[0].is_disjoint(carried[1])


def test_example_10_the_outer_loop_carries_what_can_be_carried() -> None:
    tree = checked(15)
    text = """
        schedule: "[{ S[i, j] -> [(i)] }]"
        child:
          schedule: "[{ S[i, j] -> [(j)] }]"
        """
    assert_same(tree, tree_of(tree.get_domain(), text))


# --- Example 11: independence ---------------------------------------------------------------------


def test_example_11_the_rows_that_must_not_all_vanish_are_51_and_56() -> None:
    assert independent_directions([(4, 2, 1)], 3) == ((1, -2, 0), (1, 0, -4))
    assert independent_directions([(4, 2, 1), (1, 0, 0)], 3) == ((0, 1, -2),)


def test_example_11_in_the_problem_the_rows_have_the_form_52() -> None:
    """The last variable comes first, and of each the part that is subtracted."""
    graph = graph_of(constraints_of(dependences(listing(17))))
    layout = pluto_problem(graph, coincidence=True).layout
    start = layout.starts[0]
    rows = [layout.direction(0, row) for row in ((1, -2, 0), (1, 0, -4))]
    dense = [[row.get(start + at, 0) for at in range(6)] for row in rows]
    assert dense == [[0, 0, 2, -2, -1, 1], [4, -4, 0, 0, -1, 1]]


def test_example_11_seidel_has_the_members_46_53_and_57() -> None:
    tree = checked(17)
    text = """
        schedule: "[{ S0[t, i, j] -> [(4t + 2i + j)] }]"
        child:
          schedule: "[{ S0[t, i, j] -> [(t)] }, { S0[t, i, j] -> [(i)] }]"
          permutable: 1
          coincident: [ 1, 1 ]
        """
    assert_same(tree, tree_of(tree.get_domain(), text))


# --- Example 12: solutions that are not trivial ---------------------------------------------------

CONSTRAINTS_12 = ScheduleConstraints(
    isl.UnionSet("{ S[i, j] : 0 <= i <= 10 }"),
    proximity=isl.UnionMap("{ S[i, j] -> S[1 + i, j] : 0 <= i <= 9 and 0 <= j <= 10 }"),
)

ORDER_63 = (0, 1, 2, 3, 8, 6, 7, 4, 5)
"""Where our unknowns stand in the solutions of the example.

The example lists the constant and then the variables in their order, (63); §6.5.5 asks for the
variables in reverse order and then the constant, and that is what we do.
"""


def as_in_63(solution: Sequence[int]) -> list[int]:
    return [solution[at] for at in ORDER_63]


def problem_12() -> tuple[LexicographicMinimum, list[dict[int, int]]]:
    problem = pluto_problem(graph_of(CONSTRAINTS_12), coincidence=True)
    rows = [problem.layout.direction(0, row) for row in independent_directions([], 2)]
    return problem.problem, rows


def test_example_12_the_differences_and_their_conditions_are_60_and_61() -> None:
    graph = graph_of(CONSTRAINTS_12)
    (edge,) = graph.edges
    farkas = workshop(graph).farkas
    (disjunct,) = farkas.disjuncts(edge)
    assert isl.Set.from_basic_set(disjunct).is_equal(isl.Set("{ S[1, 0] }"))
    found = as_set(farkas.of_disjunct(edge, disjunct), "")
    assert found.is_equal(isl.Set("{ [a0, a1, d] : a0 + d >= 0 }"))


def test_example_12_the_solutions_are_64_66_and_67_case_by_case() -> None:
    """In the second case there is no solution because the distance is bounded from below, too.

    (62) leaves out that bound, which §6.5.2 asks for where proximity is not validity; without it
    c0 = -1 would do.
    """
    problem, (c0, c1) = problem_12()
    assert as_in_63(problem.solution()) == [0, 0, 0, 0, 0, 0, 0, 0, 0]
    positive = problem.copy()
    positive.at_least_zero(c0, -1)
    assert as_in_63(positive.solution()) == [0, 1, 0, 1, 0, 0, 1, 0, 0]
    negative = problem.copy()
    negative.exactly_zero({1: 1})
    negative.at_least_zero({each: -value for each, value in c0.items()}, -1)
    with pytest.raises(NoSolution):
        negative.solution()
    other = problem.copy()
    other.exactly_zero({1: 1})
    other.exactly_zero(c0)
    other.at_least_zero(c1, -1)
    assert as_in_63(other.solution()) == [0, 0, 0, 1, 0, 0, 0, 0, 1]


def test_example_12_the_search_passes_through_just_these(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[int]] = []
    solution = LexicographicMinimum.solution

    def told(problem: LexicographicMinimum, *, integral: bool = True) -> list[int]:
        seen.append(as_in_63(solution(problem, integral=integral)))
        return solution(problem, integral=integral)

    problem, rows = problem_12()
    monkeypatch.setattr(LexicographicMinimum, "solution", told)
    best = best_solution(problem, [rows])
    assert seen == [
        [0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 1, 0, 1, 0, 0, 1, 0, 0],
        [0, 0, 0, 1, 0, 0, 0, 0, 1],
    ]
    assert best is not None
    assert as_in_63(best) == seen[-1]


def test_example_12_the_first_member_has_no_distance_at_all() -> None:
    tree = schedule(CONSTRAINTS_12).tree
    assert_member(outer_band(tree).members[0], "{ S[i, j] -> [j] }")


# --- Example 13: coalescing -----------------------------------------------------------------------

SIZE_13 = (("i < n", "i < 10000"), ("j < n", "j < 10000"))


def test_example_13_a_known_size_invites_the_scheduler_to_coalesce_68_and_69() -> None:
    tree = checked(15, replace(PPCG, treat_coalescing=False), *SIZE_13)
    text = """
        schedule: "[{ S[i, j] -> [(10000i + j)] }]"
        child:
          schedule: "[{ S[i, j] -> [(i)] }]"
          permutable: 1
          coincident: [ 1 ]
        """
    assert_same(tree, tree_of(tree.get_domain(), text))


def test_example_13_what_avoids_coalescing_avoids_it_here() -> None:
    assert largest_coefficient(checked(15, PPCG, *SIZE_13)) == 1


# --- Example 14: too many proximity constraints ---------------------------------------------------

DOMAIN_14 = isl.UnionSet("[n, m] -> { A[]; B[i] : 0 <= i < n; C[]; D[i] : 0 <= i < m }")
NEAR_14 = isl.UnionMap("[n, m] -> { A[] -> B[i] : 0 <= i < n; C[] -> D[i] : 0 <= i < m }")


def test_example_14_the_listing_has_the_proximity_constraints_70() -> None:
    near = constraints_of(dependences(listing(18))).proximity
    assert near.is_equal(NEAR_14)


@pytest.mark.parametrize("options", [PPCG, replace(PPCG, whole_component=True)])
@pytest.mark.parametrize("link", ["{ }", "{ A[] -> C[] }"])
def test_example_14_both_loops_are_coincident(options: SchedulerOptions, link: str) -> None:
    """Also if the two halves are tied together, so that one problem must find both."""
    validity = NEAR_14.union(isl.UnionMap(link))
    asked = ScheduleConstraints(DOMAIN_14, validity, NEAR_14, NEAR_14)
    tree = schedule(asked, options).tree
    assert respects_all(tree, validity)
    for name in ("B", "D"):
        band = bands_at(tree, name)[-1]
        assert band.is_permutable
        assert band.coincident == (True,)


def test_example_14_pluto_alone_finds_a_band_for_both_loops_at_once() -> None:
    """The paper's scheduler "will not find any non-trivial solutions" to this problem."""
    validity = NEAR_14.union(isl.UnionMap("{ A[] -> C[] }"))
    asked = ScheduleConstraints(DOMAIN_14, validity, NEAR_14)
    tree = schedule(asked, replace(ISL, whole_component=True)).tree
    assert respects_all(tree, validity)
    (member,) = outer_band(tree).members
    assert outer_band(tree).is_permutable
    assert_member(member, "{ A[] -> [0]; B[i] -> [i]; C[] -> [0]; D[i] -> [i] }")


def respects_all(tree: isl.Schedule, pairs: isl.UnionMap) -> bool:
    """Does every source run strictly before its sink, whatever else it is?"""
    times = tree.get_map()
    return pairs.is_subset(times.lex_lt_union_map(times))


def test_example_14_within_one_statement_there_still_is_a_tilable_coincident_band() -> None:
    """No bound u(m, n) holds for both halves, and yet i is coincident and (i, t) permutable."""
    domain = isl.UnionSet("[n, m] -> { S[t, i] : 0 <= i < n or 0 <= i < m }")
    chain = isl.UnionMap("[n, m] -> { S[t, i] -> S[t + 1, i] : 0 <= i < n or 0 <= i < m }")
    far = isl.UnionMap("[n, m] -> { S[t, 0] -> S[t, i] : 0 <= i < n }").union(
        isl.UnionMap("[n, m] -> { S[t, 0] -> S[t, i] : 0 <= i < m }")
    )
    tree = schedule(ScheduleConstraints(domain, chain, chain.union(far), chain)).tree
    text = """
        schedule: "[{ S[t, i] -> [(i)] }, { S[t, i] -> [(t)] }]"
        permutable: 1
        coincident: [ 1, 0 ]
        """
    assert_same(tree, tree_of(tree.get_domain(), text))


# --- Examples 17 and 18: other fallbacks ----------------------------------------------------------


def test_example_17_single_members_reproduce_the_original_order_75_to_77() -> None:
    tree = checked(17, replace(PPCG, fallback="single"))
    text = """
        schedule: "[{ S0[t, i, j] -> [(t)] }]"
        child:
          schedule: "[{ S0[t, i, j] -> [(i)] }]"
          child:
            schedule: "[{ S0[t, i, j] -> [(j)] }]"
        """
    assert_same(tree, tree_of(tree.get_domain(), text))


def test_example_18_single_members_of_cholesky_leave_inner_parallelism_78() -> None:
    tree = checked(14, replace(PPCG, fallback="single"))
    (member,) = outer_band(tree).members
    assert_member(member, "{ A[i, j, k] -> [k]; B[i, j] -> [j]; C[i, k] -> [k]; D[i] -> [i] }")
    inner = {name: bands_at(tree, name)[1:] for name in "ABC"}
    assert all(all(band.coincident) for bands in inner.values() for band in bands)


def test_example_18_validity_alone_takes_the_outer_loop_of_cholesky_79() -> None:
    tree = checked(14, replace(PPCG, fallback="validity"))
    (member,) = outer_band(tree).members
    assert_member(member, "{ A[i, j, k] -> [i]; B[i, j] -> [i]; C[i, k] -> [i]; D[i] -> [i] }")
    for name in "ABCD":
        assert not any(any(band.coincident) for band in bands_at(tree, name))


def test_the_original_loops_are_taken_as_they_are_in_section_6_7_1() -> None:
    """Where no band can be coincident, the next loop of the program carries what it can."""
    tree = checked(17, replace(PPCG, fallback="original"))
    (member,) = outer_band(tree).members
    assert_member(member, "{ S0[t, i, j] -> [t] }")
