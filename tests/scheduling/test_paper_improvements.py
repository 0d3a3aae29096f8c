"""Examples 19 to 25 of PPCG (Verdoolaege, Janssens 2017, §7.1–§7.4), against what it prints.

Unscaling, domain compression, incremental scheduling and grouping.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from loopwright import Scop, dependences, read_c, respects, schedule
from loopwright.dependence.dead_code import without_dead_code
from loopwright.model.dependences import Dependences
from loopwright.model.schedules import Schedule
from loopwright.model.scheduling_trace import Grouped, MergeTried
from loopwright.polyhedra.schedule_trees import bands_of
from loopwright.polyhedra.unions import maps_of
from loopwright.scheduling.compression import coordinates_of
from loopwright.scheduling.options import PPCG, SchedulerOptions
from tests.scheduling.expected_trees import (
    BandShape,
    ExpandedShape,
    SplitShape,
    assert_member,
    assert_same,
    bands_at,
    largest_coefficient,
    listing,
    outer_band,
    printed,
)
from tests.scheduling.lbm import D3Q7, lbm


def checked(program: Scop | Dependences, options: SchedulerOptions = PPCG) -> Schedule:
    """The schedule, which must be legal."""
    found = dependences(program) if isinstance(program, Scop) else program
    result = schedule(found, options)
    assert respects(result.tree, found)
    return result


def groups_of(result: Schedule) -> list[tuple[str, ...]]:
    return [each.statements for each in result.trace.events if isinstance(each, Grouped)]


# --- Example 19: unscaling ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("split_scaled", "member"),
    [
        (False, "{ S[t, i, j] -> [2t]; T[t, i, j] -> [2t + 1] }"),
        (True, "{ S[t, i, j] -> [t]; T[t, i, j] -> [t] }"),
    ],
)
def test_example_19_the_common_factor_of_82_is_taken_out_in_83(
    split_scaled: bool, member: str
) -> None:
    options = replace(PPCG, carry_self_first=False, split_scaled=split_scaled)
    (found,) = outer_band(checked(listing(11), options).tree).members
    assert_member(found, member)


# --- Example 20: dead code and domain compression -------------------------------------------------


def test_example_20_only_the_last_time_step_of_reg_detect_is_live() -> None:
    scop = without_dead_code(listing(19))
    for statement in scop.statements:
        last = isl.Set("[niter] -> { [t, x, y, z] : t = niter - 1 }")
        last = last.project_out(isl.dim_type.set, 1, 3)
        width = statement.domain.dim(isl.dim_type.set)
        steps = statement.domain.project_out(isl.dim_type.set, 1, width - 1).reset_tuple_id()
        assert not steps.is_empty()
        assert steps.is_subset(last)


def test_example_20_the_coordinate_that_dead_code_fixes_is_no_member() -> None:
    """As many members as the instances have dimensions, and t is in none of them."""
    scop = without_dead_code(listing(19))
    tree = checked(scop).tree
    for statement in scop.statements:
        width = statement.domain.dim(isl.dim_type.set)
        coordinates = coordinates_of(statement.domain)
        assert len(coordinates) == width - 1
        assert all(row[0] == 0 for row in coordinates)
    for node in bands_of(tree):
        times = isl.UnionMap.from_multi_union_pw_aff(node.band_get_partial_schedule())
        for member in maps_of(times):
            assert not member.involves_dims(isl.dim_type.in_, 0, 1)


@pytest.mark.parametrize(
    ("statement", "coincident"),
    [
        ("S0", [True, True, True]),
        ("S2", [True, True, False]),
        ("S5", [True, False]),
    ],
)
def test_example_20_only_loops_that_are_there_are_coincident(
    statement: str, coincident: list[bool]
) -> None:
    """A sum along cnt is sequential, and so is one along a diagonal of path."""
    (band,) = bands_at(checked(without_dead_code(listing(19))).tree, statement)
    assert list(band.coincident) == coincident


def test_example_20_with_dead_code_the_time_loop_is_not_coincident() -> None:
    """What the program does again and again it cannot do at once: the arrays are the same."""
    outer = outer_band(checked(listing(19)).tree)
    times = [at for at, member in enumerate(outer.members) if _is_first_iterator(member)]
    assert [outer.coincident[at] for at in times] == [False]


def _is_first_iterator(member: isl.UnionMap) -> bool:
    """Is the time of each instance the value of its first iterator?"""
    first = isl.Map.from_aff(isl.Aff("{ [t] -> [(t)] }"))
    for each in maps_of(member):
        inputs = each.dim(isl.dim_type.in_)
        each = each.reset_tuple_id(isl.dim_type.in_)
        if not each.project_out(isl.dim_type.in_, 1, inputs - 1).is_subset(first):
            return False
    return True


# --- Example 21: incremental scheduling -----------------------------------------------------------

LISTING_21 = """
domain: "[n, m] -> { A[i, j, k] : i >= 0 and 0 <= j < n and i < k < m;
                     B[i, j] : 0 <= i < m and 0 <= j < n }"
child:
  schedule: "[n, m] -> [{ B[i, j] -> [(j)]; A[i, j, k] -> [(j)] },
                        { B[i, j] -> [(m)]; A[i, j, k] -> [(k)] },
                        { B[i, j] -> [(i)]; A[i, j, k] -> [(i)] }]"
  permutable: 1
  coincident: [ 1, 0, 0 ]
  child:
    sequence:
    - filter: "[n, m] -> { B[i, j] }"
    - filter: "[n, m] -> { A[i, j, k] }"
"""

LISTING_22 = """
domain: "[n, m] -> { A[i, j, k] : i >= 0 and 0 <= j < n and i < k < m;
                     B[i, j] : 0 <= i < m and 0 <= j < n }"
child:
  sequence:
  - filter: "[n, m] -> { A[i, j, k] }"
    child:
      schedule: "[n, m] -> [{ A[i, j, k] -> [(j)] }, { A[i, j, k] -> [(k)] },
                            { A[i, j, k] -> [(i)] }]"
      permutable: 1
      coincident: [ 1, 0, 0 ]
  - filter: "[n, m] -> { B[i, j] }"
    child:
      schedule: "[n, m] -> [{ B[i, j] -> [(i)] }, { B[i, j] -> [(j)] }]"
      permutable: 1
      coincident: [ 1, 1 ]
"""


def test_example_21_trmm_as_a_whole_component_is_listing_21() -> None:
    tree = checked(listing(20), replace(PPCG, whole_component=True)).tree
    assert_same(tree, printed(LISTING_21))


def test_example_21_trmm_incrementally_is_listing_22() -> None:
    result = checked(listing(20))
    assert_same(result.tree, printed(LISTING_22))


def test_example_21_the_merge_is_rejected_because_it_loses_a_coincident_member() -> None:
    merges = checked(listing(20)).trace.merges
    assert [each.verdict for each in merges] == ["fewer coincident members"]
    (merge,) = merges
    assert isinstance(merge, MergeTried)
    assert set(merge.clusters) == {("A",), ("B",)}


def test_example_21_without_maximize_coincidence_the_distances_speak_against_the_merge() -> None:
    """A reads B[k][j] before B writes it, and in Listing 21 that is m - k apart."""
    result = checked(listing(20), replace(PPCG, maximize_coincidence=False))
    assert {each.verdict for each in result.trace.merges} == {"too far apart"}
    assert_same(result.tree, printed(LISTING_22))


# --- Examples 22 and 23: grouping -----------------------------------------------------------------


def test_example_22_all_that_reads_k_joins_the_group_one_after_the_other() -> None:
    """Statements 0 to 4 write and read k; the two others do not."""
    result = checked(listing(23))
    assert groups_of(result) == [("S0", "S1", "S2", "S3", "S4")]


def test_example_22_nothing_is_grouped_if_nobody_asks_for_it() -> None:
    result = checked(listing(23), replace(PPCG, group_chains=False))
    assert groups_of(result) == []
    assert "expansion" not in str(result)


def test_example_23_the_last_two_statements_of_covariance_are_a_group() -> None:
    assert groups_of(checked(listing(24))) == [("S6", "S7")]


def test_example_23_the_schedule_is_virtually_the_same_with_and_without_grouping() -> None:
    found = dependences(listing(24))
    grouped = checked(found).tree
    single = checked(found, replace(PPCG, group_chains=False)).tree
    contraction = isl.UnionMap("{ S6[i, j] -> G_0[i, j] }")
    context = found.scop.context
    for name, group in (("S0", "S0"), ("S3", "S3"), ("S5", "S5"), ("S6", "G_0")):
        for ours, theirs in zip(bands_at(grouped, group), bands_at(single, name), strict=True):
            assert ours.coincident == theirs.coincident
            for member, expected in zip(ours.members, theirs.members, strict=True):
                times = of(member, group)
                times = times if group == name else contraction.apply_range(times)
                same = of(expected, name).intersect_params(context)
                assert times.intersect_params(context).is_equal(same)


def of(member: isl.UnionMap, statement: str) -> isl.UnionMap:
    """The part of a member that runs a statement."""
    (found,) = (
        each for each in maps_of(member) if each.get_tuple_name(isl.dim_type.in_) == statement
    )
    return isl.UnionMap.from_map(found)


# --- Example 24: grouping under conditions --------------------------------------------------------

INNER_26 = (
    "{ D[i, j] -> [j]; C[i, j] -> [j]; E[i, j, k] -> [j]; G_0[i0, i1] -> [i1] }",
    "{ D[i, j] -> [0]; C[i, j] -> [0]; E[i, j, k] -> [k]; G_0[i0, i1] -> [0] }",
)
"""The members of the inner band of Listing 26."""


@pytest.fixture(scope="module")
def nussinov() -> isl.Schedule:
    return checked(listing(25)).tree


def test_example_24_the_domain_is_that_of_listing_26(nussinov: isl.Schedule) -> None:
    expected = """[n] -> { C[i, j] : i >= 0 and 2 + i <= j < n;
        E[i, j, k] : i >= 0 and j < n and i < k < j; D[i, j = 1 + i] : 0 <= i <= -2 + n;
        G_0[i0, i1] : i0 <= 0 and -i0 < i1 < n }"""
    assert nussinov.get_domain().is_equal(isl.UnionSet(expected))


def test_example_24_the_outer_band_is_that_of_listing_26(nussinov: isl.Schedule) -> None:
    outer = outer_band(nussinov)
    assert outer.coincident == (False,)
    assert_member(
        outer.members[0],
        "{ D[i, j] -> [1]; C[i, j] -> [-i + j]; E[i, j, k] -> [-i + j]; G_0[i0, i1] -> [i0 + i1] }",
    )


def test_example_24_the_inner_band_runs_all_in_the_order_of_listing_26(
    nussinov: isl.Schedule,
) -> None:
    """Inside the outer member, which is j - i, it is the same to go by i and by j.

    Ours goes by i and then by k - i, the paper's by j and then by k, from a start at 0.  For each
    length of the prefix the order of all instances is the same; but ours has a bound of 1 on the
    distance from the other statements to E, where the paper's 0 -> k grows with n.
    """
    outer = outer_band(nussinov)
    inner = outer.child
    assert isinstance(inner, BandShape)
    assert inner.coincident == (True, False)
    assert inner.is_permutable
    domain = nussinov.get_domain()
    ours = paper = outer.members[0]
    for found, text in zip(inner.members, INNER_26, strict=True):
        ours = ours.flat_range_product(found)
        paper = paper.flat_range_product(isl.UnionMap(text).intersect_domain(domain))
        assert ours.lex_lt_union_map(ours).is_equal(paper.lex_lt_union_map(paper))


def test_example_24_the_group_expands_as_in_listing_27(nussinov: isl.Schedule) -> None:
    """G_0 becomes A and then B; the expansion of D to itself is no change."""
    inner = outer_band(nussinov).child
    assert isinstance(inner, BandShape)
    parts = inner.child
    assert isinstance(parts, SplitShape)
    assert set(parts.parts) == {frozenset({name}) for name in ("G_0", "C", "D", "E")}
    expanded = parts.parts[frozenset({"G_0"})]
    assert isinstance(expanded, ExpandedShape)
    assert expanded.contraction.is_equal(
        isl.UnionMap("{ A[i, j] -> G_0[-i, j]; B[i, j] -> G_0[-i, j] }").intersect_domain(
            expanded.contraction.domain()
        )
    )
    assert {each for each in parts.parts.values() if each is not expanded} == {None}
    times = nussinov.get_map()
    pairs = isl.UnionMap("{ A[i, j] -> B[i, j] }").intersect_domain(times.domain())
    assert pairs.is_subset(times.lex_lt_union_map(times))


# --- Example 25: dozens of statements -------------------------------------------------------------


@pytest.fixture(scope="module")
def lattice() -> tuple[Dependences, Schedule]:
    """The solver with 7 velocities has 31 statements and all features of Listing 28.

    With 19 velocities it has 55; how long that takes is for the benchmarks to say.
    """
    (scop,) = read_c(lbm(D3Q7))
    found = dependences(scop, max_operations=100_000_000)
    return found, schedule(found)


def test_example_25_all_but_the_guarded_statements_are_one_group(
    lattice: tuple[Dependences, Schedule],
) -> None:
    """Left out are g = 0 and the six statements that run for one x, y or z only."""
    found, result = lattice
    names = [each.name for each in found.scop.statements if not each.is_kill]
    assert len(names) > 24
    assert groups_of(result) == [tuple(names[7:])]


def test_example_25_the_original_loop_structure_is_found_again(
    lattice: tuple[Dependences, Schedule],
) -> None:
    """A sequential loop with three parallel ones inside, and all statements together."""
    found, result = lattice
    assert respects(result.tree, found)
    outer = outer_band(result.tree)
    assert outer.coincident == (False,)
    assert_member(of(outer.members[0], "G_0"), "{ G_0[s, z, y, x] -> [s] }")
    inner = outer.child
    assert isinstance(inner, BandShape)
    assert inner.coincident == (True, True, True)
    assert inner.is_permutable
    assert len(maps_of(inner.members[0])) == len(maps_of(outer.members[0])) == 8
    assert not isinstance(inner.child, BandShape)


def test_example_25_the_loops_have_no_large_factors(lattice: tuple[Dependences, Schedule]) -> None:
    """The sites by z, y and x, as in the original code, which "turns out to be the best"."""
    _, result = lattice
    assert largest_coefficient(result.tree) == 1
