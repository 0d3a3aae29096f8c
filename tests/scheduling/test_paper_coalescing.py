"""Examples 26 to 35 of PPCG (Verdoolaege, Janssens 2017, §7.5–§7.6), against what it prints.

Loop coalescing avoidance, and self-dependences first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl
import pytest

from loopwright import ScheduleConstraints, constraints_of, dependences, respects, schedule
from loopwright.polyhedra.lexmin import Allowance
from loopwright.scheduling.coalescing import (
    coalesced,
    coefficient_bounds,
    half,
    without_coalescing_bounds,
)
from loopwright.scheduling.farkas import Farkas
from loopwright.scheduling.feautrier import carrying_function
from loopwright.scheduling.graph import graph_of
from loopwright.scheduling.options import PPCG, SchedulerOptions
from loopwright.scheduling.sizes import sizes_of
from loopwright.scheduling.workshop import Workshop
from tests.scheduling.expected_trees import (
    BandShape,
    SplitShape,
    assert_member,
    assert_same,
    bands_at,
    largest_coefficient,
    listing,
    outer_band,
    printed,
    shape_of,
    tree_of,
)


def checked(
    number: int, options: SchedulerOptions = PPCG, replaced: Sequence[tuple[str, str]] = ()
) -> isl.Schedule:
    """The schedule of a listing, which must be legal."""
    found = dependences(listing(number, *replaced))
    tree = schedule(found, options).tree
    assert respects(tree, found)
    return tree


# --- Example 26: small fixed bounds ---------------------------------------------------------------

SIZES_29 = {"l": 50, "m": 64, "n": 8, "p": 8, "i": 16, "j": 5, "k": 5}
SMALL_29 = {"l": 2, "m": 3, "n": 2, "p": 2, "i": 3, "j": 3, "k": 2}
AS_PRINTED_29 = (
    (
        ", ".join(f"{name.upper()} = {size}" for name, size in SMALL_29.items()),
        ", ".join(f"{name.upper()} = {size}" for name, size in SIZES_29.items()),
    ),
    *(
        (f"int {each} = 0; {each} < {SMALL_29[each]};", f"int {each} = 0; {each} < {size};")
        for each, size in SIZES_29.items()
    ),
)
"""The sizes of the listing in place of those that the example runs with."""


def test_example_26_the_sizes_are_small_enough_to_coalesce_without_treatment() -> None:
    """4m + n and 20m + 4n + p: the bounds 5 of j and k are 4 apart at most."""
    tree = checked(29, replace(PPCG, treat_coalescing=False), AS_PRINTED_29)
    assert largest_coefficient(tree) == 20


def test_example_26_with_treatment_no_member_coalesces() -> None:
    tree = checked(29, PPCG, AS_PRINTED_29)
    assert largest_coefficient(tree) == 1
    bands = bands_at(tree, "S0")
    assert sum(len(band.members) for band in bands) == 7
    assert bands[0].coincident == (True, True, True, True, False)
    for found, expected in zip(bands[0].members, ("l", "n + j", "p + k", "i", "m"), strict=True):
        assert_member(found, f"{{ S0[l, m, n, p, i, j, k] -> [{expected}] }}")


# --- Examples 27 and 28: what coalescing is -------------------------------------------------------


def test_example_27_both_iterators_can_be_read_off_the_coalescing_member_90_and_91() -> None:
    domain = isl.Set("{ S[i, j] : 0 <= i, j < 10000 }")
    member = isl.Map("{ S[i, j] -> [10000i + j] }").intersect_domain(domain)
    back = isl.Map("{ [t] -> S[floor(t / 10000), t mod 10000] }")
    assert member.apply_range(back).is_subset(isl.Map("{ S[i, j] -> S[i, j] }"))
    assert member.is_injective()
    skewed = isl.Map("{ S[i, j] -> [i + j] }").intersect_domain(domain)
    assert not skewed.is_injective()


def test_example_27_coalescing_is_told_from_skewing() -> None:
    sizes = sizes_of(isl.Set("{ S[i, j] : 0 <= i, j < 10000 }"))
    assert sizes == (9999, 9999)
    assert coalesced((10000, 1), sizes) == 1
    assert coalesced((1, 10000), sizes) == 0
    assert coalesced((1, 1), sizes) is None


@pytest.mark.parametrize(("factor", "is_near"), [(5000, False), (5001, True), (9998, True)])
def test_near_coalescing_counts_from_half_the_size_on_93(factor: int, is_near: bool) -> None:
    assert half(9999) == 5000
    assert (coalesced((factor, 1), (9999, 9999)) == 1) == is_near


def test_example_27_no_coalescing_without_a_fixed_size() -> None:
    sizes = sizes_of(isl.Set("[n] -> { S[i, j] : 0 <= i, j < n }"))
    assert sizes == (None, None)
    assert coalesced((10000, 1), sizes) is None


STEP_28 = isl.UnionMap("[n] -> { S[i, j] -> S[i + 1, j] : 0 <= i < n - 1 and 0 <= j < n }")
DOMAIN_28 = isl.UnionSet("[n] -> { S[i, j] : 0 <= i, j < n }")
CONTEXT_28 = isl.Set("[n] -> { : n = 1024 }")


def test_example_28_a_context_copies_its_bound_into_the_constraints_96_and_97() -> None:
    both = STEP_28.intersect_params(CONTEXT_28)
    assert both.is_equal(
        isl.UnionMap(
            "[n] -> { S[i, j] -> S[i + 1, j] : n = 1024 and 0 <= i < 1023 and 0 <= j < 1024 }"
        )
    )
    simpler = STEP_28.gist_params(CONTEXT_28)
    assert simpler.intersect_params(CONTEXT_28).is_equal(both)


@pytest.mark.parametrize("has_bounded_domain", [True, False])
@pytest.mark.parametrize("how", ["as they are", "intersected", "simplified"])
def test_example_28_such_a_bound_is_not_abused(how: str, has_bounded_domain: bool) -> None:
    """Not even where it is in the constraints only: the instances are those of the context.

    The constraints of Example 10 coalesce if they can; those of Example 28 never do.
    """
    chain = isl.UnionMap(
        "[n] -> { S[i, j] -> S[i, j + 1] : 0 <= i < n and 0 <= j < n - 1;"
        " S[i, n - 1] -> S[i + 1, 0] : 0 <= i < n - 1 }"
    )
    for pairs in (chain, STEP_28):
        changed = {
            "as they are": pairs,
            "intersected": pairs.intersect_params(CONTEXT_28),
            "simplified": pairs.gist_params(CONTEXT_28),
        }[how]
        domain = DOMAIN_28.intersect_params(CONTEXT_28) if has_bounded_domain else DOMAIN_28
        asked = ScheduleConstraints(domain, changed, changed, changed, context=CONTEXT_28)
        assert largest_coefficient(schedule(asked).tree) == 1


# --- Example 29: sizes ----------------------------------------------------------------------------


def test_example_29_the_sizes_of_a_triangle() -> None:
    """The paper has x and y the wrong way round.

    For a fixed y, x goes from 0 to the lesser of y and 100 - y, which is 50 at most, at y = 50; for
    x = 0, y goes from 0 to 100.  The paper's maximum at x = 0, y = 0, x' = 100 is not in the set.
    """
    triangle = isl.Set("{ [x, y] : x >= 0 and x <= y and x + y <= 100 }")
    assert sizes_of(triangle) == (50, 100)
    assert isl.Set("{ [100, 0] }").is_disjoint(triangle)
    assert isl.Set("{ [0, 50]; [50, 50]; [0, 0]; [0, 100] }").is_subset(triangle)


def test_a_bound_on_each_factor_is_half_the_least_other_size_104() -> None:
    assert coefficient_bounds([50, 100]) == [50, 25]
    assert coefficient_bounds([5, None]) == [None, 3]


# --- Example 30: recovering from coalescing -------------------------------------------------------


@pytest.mark.parametrize(("treats", "factors"), [(False, (10000, 1)), (True, (1, 0))])
def test_example_30_a_factor_that_coalesces_is_forced_to_zero(
    treats: bool, factors: tuple[int, int]
) -> None:
    """The solution (106) becomes (107), here with all bounds in place that invite it."""
    scop = listing(15, ("i < n", "i < 10000"), ("j < n", "j < 10000"))
    graph = graph_of(constraints_of(dependences(scop)))
    nodes = {node.number: node for node in graph.nodes}
    options = replace(PPCG, treat_coalescing=treats)
    shop = Workshop(options, nodes, 0, Farkas(nodes, treat_coalescing=False), Allowance())
    functions = carrying_function(shop, graph, [])
    assert functions is not None
    assert functions[0].variables == factors


# --- Examples 31 and 32: dropped bounds and lines -------------------------------------------------


def conditions_31(*, drops: bool) -> isl.Set:
    """On the coefficients of a function of the differences (110), within a loop of size 6."""
    domain = isl.UnionSet("{ S[a, b] : 0 <= b <= 6 }")
    pairs = isl.UnionMap("{ S[a, b] -> S[a + 1, b'] : 0 <= b <= b' <= 6 }")
    graph = graph_of(ScheduleConstraints(domain, validity=pairs))
    farkas = Farkas({node.number: node for node in graph.nodes}, treat_coalescing=drops)
    assert graph.nodes[0].sizes == (None, 6)
    (edge,) = graph.edges
    (disjunct,) = farkas.disjuncts(edge)
    expected = "{ S[1, b] : 0 <= b }" if drops else "{ S[1, b] : 0 <= b <= 6 }"
    assert isl.Set.from_basic_set(disjunct).is_equal(isl.Set(expected))
    found = isl.Set("{ [c0, c1, d] }")
    for each in farkas.of_disjunct(edge, disjunct):
        sign = "=" if each.is_equality else ">="
        text = f"{each.sink[0]}c0 + {each.sink[1]}c1 + {each.constant}d {sign} 0"
        found = found.intersect(isl.Set(f"{{ [c0, c1, d] : {text} }}"))
    return found


def test_example_31_a_bound_of_the_size_allows_a_negative_factor_111() -> None:
    expected = isl.Set("{ [c0, c1, d] : d + c0 >= 0 and d + c0 + 6 c1 >= 0 }")
    assert conditions_31(drops=False).is_equal(expected)


def test_example_31_without_the_bound_112_it_is_not_negative_113() -> None:
    expected = isl.Set("{ [c0, c1, d] : d + c0 >= 0 and c1 >= 0 }")
    assert conditions_31(drops=True).is_equal(expected)


def test_only_bounds_of_just_the_size_are_dropped_108_and_109() -> None:
    differences = [isl.BasicSet("{ [a, b] : -4 <= a <= 5 and -6 <= b <= 6 and a + b <= 6 }")]
    (found,) = without_coalescing_bounds(differences, (5, 7))
    expected = "{ [a, b] : -4 <= a and -6 <= b <= 6 and a + b <= 6 }"
    assert found.is_equal(isl.BasicSet(expected))


def test_example_32_differences_on_a_line_count_as_equal_122() -> None:
    """The bounds of size 9 and 7 go, which leaves (116); its lines are (117), (118) and (119)."""
    with_bounds = [
        isl.BasicSet("{ [a, b, c] : a > 0 and -9 <= b <= 9 and -7 <= c <= 7 }"),
        isl.BasicSet("{ [a, b, c] : a = 0 and 0 < b <= 9 and -7 <= c <= 7 }"),
        isl.BasicSet("{ [a, b, c] : a = 0 and b = 0 and 0 < c <= 7 }"),
    ]
    found = without_coalescing_bounds(with_bounds, (None, 9, 7))
    carried, equal = isl.BasicSet("{ [a, b, c] : a > 0 }"), isl.BasicSet("{ [a, b, c] : a = 0 }")
    assert [each.is_equal(carried) for each in found] == [True, False, False]
    assert [each.is_equal(equal) for each in found] == [False, True, True]


# --- Example 33: constraints that must stay -------------------------------------------------------

DOMAIN_33 = isl.UnionSet("{ A[i] : 0 <= i <= 9; B[i] : 0 <= i <= 9 }")
FLOW_33 = isl.UnionMap("{ A[0] -> B[i] : 0 <= i <= 9; B[i] -> A[1 + i] : 0 <= i <= 8 }")
SIMPLIFIED_33 = isl.UnionMap("{ A[0] -> B[i]; B[i] -> A[1 + i] }")


def test_example_33_the_instances_and_the_flow_are_123_and_124() -> None:
    found = dependences(listing(32))
    assert constraints_of(found).domain.is_equal(DOMAIN_33)
    assert found.flow.is_equal(FLOW_33)


def test_example_33_the_flow_alone_gives_the_original_order() -> None:
    tree = schedule(ScheduleConstraints(DOMAIN_33, validity=FLOW_33)).tree
    text = """
        schedule: "[{ A[i] -> [(i)]; B[i] -> [(i)] }]"
        permutable: 1
        coincident: [ 1 ]
        child:
          sequence:
          - filter: "{ A[i] }"
          - filter: "{ B[i] }"
        """
    assert_same(tree, tree_of(tree.get_domain(), text))
    times = tree.get_map().intersect_domain(DOMAIN_33)
    original = isl.UnionMap("{ A[i] -> [i, 0]; B[i] -> [i, 1] }").intersect_domain(DOMAIN_33)
    assert times.lex_lt_union_map(times).is_equal(original.lex_lt_union_map(original))


def test_example_33_simplified_the_flow_contradicts_itself_126() -> None:
    gist = FLOW_33.gist_domain(DOMAIN_33).gist_range(DOMAIN_33)
    assert gist.is_equal(SIMPLIFIED_33)
    twice = SIMPLIFIED_33.apply_range(SIMPLIFIED_33)
    assert twice.is_equal(isl.UnionMap("{ A[0] -> A[i]; B[-1] -> B[i] }"))


def test_example_33_without_the_bounds_there_is_no_schedule() -> None:
    """Among instances without bounds; what is outside of a domain that has some does not count."""
    endless = isl.UnionSet("{ A[i]; B[i] }")
    with pytest.raises(ValueError, match=r"no schedule|carried|contradict"):
        schedule(ScheduleConstraints(endless, validity=SIMPLIFIED_33))
    tree = schedule(ScheduleConstraints(DOMAIN_33, validity=SIMPLIFIED_33)).tree
    times = tree.get_map()
    assert FLOW_33.is_subset(times.lex_lt_union_map(times))


# --- Example 34: self-dependences first -----------------------------------------------------------


@pytest.mark.parametrize(
    ("own_first", "member"),
    [
        (
            False,
            "{ A[i, j, k] -> [i + j + k]; B[i, j] -> [i + 2j]; C[i, k] -> [2i + k]; D[i] -> [3i] }",
        ),
        (True, "{ A[i, j, k] -> [k]; B[i, j] -> [j]; C[i, k] -> [k]; D[i] -> [i] }"),
    ],
)
def test_example_34_what_a_statement_asks_of_itself_is_enough_128_and_129(
    own_first: bool, member: str
) -> None:
    tree = checked(14, replace(PPCG, carry_self_first=own_first))
    (found,) = outer_band(tree).members
    assert_member(found, member)


# --- Example 35: durbin ---------------------------------------------------------------------------

BEFORE_35 = """
domain: "[n] -> { A[]; E[k] : 0 < k < n; C[]; G[k] : 0 < k < n; B[];
                  F[k, i] : k < n and 0 <= i < k;
                  H[k, i] : k < n and 0 <= i < k; J[k] : 0 < k < n;
                  I[k, i] : k < n and 0 <= i < k; D[k] : 0 < k < n }"
child:
  sequence:
  - filter: "[n] -> { C[] }"
  - filter: "[n] -> { B[] }"
  - filter: "[n] -> { A[] }"
  - filter: "[n] -> { E[k]; G[k]; H[k, i]; F[k, i]; J[k]; I[k, i]; D[k] }"
    child:
"""

LISTING_35 = (
    BEFORE_35
    + """
      schedule: "[n] -> [{ E[k] -> [(k)]; G[k] -> [(k)];
                           H[k, i] -> [(k)]; F[k, i] -> [(k)]; J[k] -> [(k)];
                           I[k, i] -> [(1 + k)]; D[k] -> [(k)] }]"
      child:
        sequence:
        - filter: "[n] -> { I[k, i] }"
          child:
            schedule: "[n] -> [{ I[k, i] -> [(i)] }]"
            permutable: 1
            coincident: [ 1 ]
        - filter: "[n] -> { E[k] }"
        - filter: "[n] -> { F[k, i] }"
          child:
            schedule: "[n] -> [{ F[k, i] -> [(i)] }]"
        - filter: "[n] -> { D[k] }"
        - filter: "[n] -> { G[k] }"
        - filter: "[n] -> { H[k, i] }"
          child:
            schedule: "[n] -> [{ H[k, i] -> [(i)] }]"
            permutable: 1
            coincident: [ 1 ]
        - filter: "[n] -> { J[k] }"
"""
)

LISTING_36 = (
    BEFORE_35
    + """
      schedule: "[n] -> [{ E[k] -> [(k)]; G[k] -> [(k)];
                           H[k, i] -> [(k)]; F[k, i] -> [(k)]; J[k] -> [(k)];
                           I[k, i] -> [(k)]; D[k] -> [(k)] }]"
      child:
        sequence:
        - filter: "[n] -> { E[k] }"
        - filter: "[n] -> { F[k, i] }"
          child:
            schedule: "[n] -> [{ F[k, i] -> [(i)] }]"
        - filter: "[n] -> { D[k] }"
        - filter: "[n] -> { G[k] }"
        - filter: "[n] -> { H[k, i] }"
          child:
            schedule: "[n] -> [{ H[k, i] -> [(i)] }]"
            permutable: 1
            coincident: [ 1 ]
        - filter: "[n] -> { I[k, i] }"
          child:
            schedule: "[n] -> [{ I[k, i] -> [(i)] }]"
            permutable: 1
            coincident: [ 1 ]
        - filter: "[n] -> { J[k] }"
"""
)

SIZE_OF_Z = (("double z[N]", "double z[n]"),)
"""With a z of N elements n is bounded, and the paper's is not."""


@pytest.mark.parametrize(
    ("own_first", "text"), [(False, LISTING_35), (True, LISTING_36)], ids=["35", "36"]
)
def test_example_35_durbin_has_the_schedules_of_listings_35_and_36(
    own_first: bool, text: str
) -> None:
    """The order of what is in sequence is free but for E, F, G, H, I and D, G, J."""
    tree = checked(34, replace(PPCG, carry_self_first=own_first), SIZE_OF_Z)
    assert_same(tree, printed(text))


def test_example_35_a_bound_on_n_changes_nothing() -> None:
    """The local array has room for 10 elements, from which the reader knows that n <= 11."""
    assert_same(checked(34), printed(LISTING_36))


def test_example_35_the_inner_loops_of_durbin_stay_apart() -> None:
    shape = shape_of(checked(34, PPCG, SIZE_OF_Z).get_root())
    assert isinstance(shape, SplitShape)
    band = shape.parts[frozenset("DEFGHIJ")]
    assert isinstance(band, BandShape)
    assert isinstance(band.child, SplitShape)
    assert set(band.child.parts) == {frozenset(name) for name in "DEFGHIJ"}
