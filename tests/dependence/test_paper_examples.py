"""The examples of PPCG (Verdoolaege, Janssens 2017), with what the paper says about them."""

from __future__ import annotations

from pathlib import Path

import islpy as isl
import pytest

from loopwright import Scop, dependences, read_c, respects, violations
from loopwright.dependence.dead_code import without_dead_code
from loopwright.dependence.loops import is_coincident, is_parallel, is_permutable
from loopwright.dependence.transfers import transfers
from loopwright.model.dependences import Kind
from loopwright.polyhedra.schedule_trees import bands_of
from tests.frontend.expectations import restricted, same, scop_of

PAPERS = Path(__file__).parents[2] / "examples" / "papers"
NODE = isl.schedule_node_type


def listing(number: int) -> Scop:
    (scop,) = read_c(PAPERS / f"ppcg-listing-{number:02}.c")
    return scop


def there(relation: isl.UnionMap | None) -> isl.UnionMap:
    """A relation that was asked for."""
    assert relation is not None
    return relation


def in_sequence(*statements: str) -> isl.UnionMap:
    return isl.UnionMap(
        "{ " + "; ".join(f"{s}[] -> [{at}]" for at, s in enumerate(statements)) + "}"
    )


# --- Listing 2: two live ranges -------------------------------------------------------------------


def test_listing_2_has_the_flow_and_false_dependences_1_and_2() -> None:
    found = dependences(listing(2), live_range_reordering=False)
    same(found.flow, "{ A[] -> B[]; C[] -> D[] }")
    same(found.false, "{ A[] -> C[]; B[] -> C[] }")
    assert found.order is None
    assert found.forced is None


def test_live_range_reordering_leaves_only_the_order_of_listing_2() -> None:
    found = dependences(listing(2))
    same(found.flow, "{ A[] -> B[]; C[] -> D[] }")
    same(found.false, "{ A[] -> C[]; B[] -> C[] }")
    same(there(found.order), "{ B[] -> C[] }")
    same(there(found.forced), "{ }")


@pytest.mark.parametrize(
    ("order", "is_legal"),
    [
        ("ABCD", True),
        ("CDAB", True),
        ("ACBD", False),
        ("ACDB", False),
        ("CADB", False),
        ("CABD", False),
        ("BACD", False),
        ("DCBA", False),
    ],
)
def test_the_two_live_ranges_may_trade_places_but_not_interleave(
    order: str, is_legal: bool
) -> None:
    schedule = in_sequence(*order)
    assert respects(schedule, dependences(listing(2))) == is_legal
    fixed = dependences(listing(2), live_range_reordering=False)
    assert respects(schedule, fixed) == (order == "ABCD")


def test_an_interleaving_is_told_by_the_write_that_comes_between() -> None:
    (found,) = violations(in_sequence(*"ACBD"), dependences(listing(2)))
    assert (found.kind, found.array) == (Kind.ANTI, "a")
    assert (found.source.statement.name, found.sink.statement.name) == ("B", "C")


# --- Examples 1 and 2: kills ----------------------------------------------------------------------

KILL = "__pencil_kill(t);"


def copy_through_a_scalar(kill: str = "", after: str = "") -> Scop:
    """Listing 3, with and without the kill, and with and without a use of t after the region."""
    return scop_of(
        f"""void __pencil_kill(int);
        int f(int n, int A[restrict static n], int B[restrict static n]) {{
          int t;
        #pragma scop
          for (int i = 0; i < n; ++i) {{
            t = A[i];
            B[i] = t;
          }}
          {kill}
        #pragma endscop
          {after}
          return 0;
        }}"""
    )


BACKWARDS = isl.UnionMap("[n] -> { S0[i] -> [-i, 0]; S1[i] -> [-i, 1] }")
LAST_STAYS = isl.UnionMap(
    "[n] -> { S0[i] -> [0, -i, 0] : i < n - 1; S1[i] -> [0, -i, 1] : i < n - 1;"
    " S0[i] -> [1, i, 0] : i = n - 1; S1[i] -> [1, i, 1] : i = n - 1 }"
)


@pytest.mark.parametrize(
    ("kill", "after"),
    [(KILL, ""), ("", ""), (KILL, "return t;")],
    ids=["listing 3", "no use after the region", "killed before the use"],
)
def test_examples_1_and_2_the_last_write_of_t_is_not_needed(kill: str, after: str) -> None:
    found = dependences(copy_through_a_scalar(kill, after))
    same(found.may_live_out, "[n] -> { S1[i] -> B[i] : 0 <= i < n }")
    same(there(found.forced), "{ }")
    assert respects(BACKWARDS, found)
    assert not respects(BACKWARDS, dependences(found.scop, live_range_reordering=False))


def test_example_1_without_the_kill_the_last_write_needs_to_remain_last() -> None:
    found = dependences(copy_through_a_scalar(after="return t;"))
    same(
        found.may_live_out,
        "[n] -> { S1[i] -> B[i] : 0 <= i < n; S0[i] -> t[] : i = n - 1 and n > 0 }",
    )
    same(there(found.forced), "[n] -> { S0[i] -> S0[n - 1] : 0 <= i < n - 1 }")
    assert not respects(BACKWARDS, found)
    assert respects(LAST_STAYS, found)
    (violation,) = violations(BACKWARDS, found)
    assert (violation.kind, violation.array) == (Kind.OUTPUT, "t")
    assert violation.parameters == {"n": 2}
    assert (violation.source.iteration, violation.sink.iteration) == ((0,), (1,))


def test_listing_3_itself_is_reversible() -> None:
    found = dependences(listing(3))
    same(found.flow, "[n] -> { S0[i] -> S1[i] : 0 <= i < n }")
    same(there(found.order), "[n] -> { S1[i] -> S0[j] : 0 <= i < j < n }")
    same(found.may_live_out, "[n] -> { S1[i] -> B[i] : 0 <= i < n }")
    assert respects(BACKWARDS, found)
    assert not respects(isl.UnionMap("[n] -> { S0[i] -> [0, i]; S1[i] -> [1, i] }"), found)


# --- Example 3: the tree of Listing 4 -------------------------------------------------------------


def test_example_3_a_band_for_each_loop_and_a_sequence_for_the_compound_statement() -> None:
    node = listing(4).schedule.get_root().child(0)
    for member in "ij":
        assert node.get_type() == NODE.band
        same(
            node.band_get_partial_schedule_union_map(),
            f"{{ S1[i, j] -> [{member}]; S2[i, j, k] -> [{member}] }}",
        )
        node = node.child(0)
    assert node.get_type() == NODE.mark, "the label at the start of a block names the block, too"
    node = node.child(0)
    assert node.get_type() == NODE.sequence
    first, second = node.child(0), node.child(1)
    same(first.filter_get_filter(), "{ S1[i, j] }")
    same(second.filter_get_filter(), "{ S2[i, j, k] }")
    assert first.child(0).get_type() == NODE.leaf
    innermost = second.child(0)
    same(innermost.band_get_partial_schedule_union_map(), "{ S2[i, j, k] -> [k] }")
    assert innermost.child(0).get_type() == NODE.leaf


STEPS = (
    "S1[i, j] -> S2[i, j, 0] : 0 <= i < M and 0 <= j < N and K > 0;"
    "S2[i, j, k] -> S2[i, j, k + 1] : 0 <= k < K - 1 and 0 <= i < M and 0 <= j < N"
)


def test_example_3_what_flows_in_listing_4() -> None:
    found = dependences(listing(4))
    same(found.flow, f"[M, N, K] -> {{ {STEPS} }}")
    same(found.false, f"[M, N, K] -> {{ {STEPS} }}")
    assert respects(found.scop.schedule, found)


# --- Example 4: a band with three members ---------------------------------------------------------

BAND_OF_THREE = (
    '{ domain: "[M, N, K] -> { S0[i, j] : 0 <= i < M and 0 <= j < N;'
    ' S1[i, j, k] : 0 <= i < M and 0 <= j < N and 0 <= k < K }", child: {'
    ' schedule: "[{ S0[i, j] -> [(i)]; S1[i, j, k] -> [(i)] },'
    " { S0[i, j] -> [(j)]; S1[i, j, k] -> [(j)] },"
    ' { S0[i, j] -> [(0)]; S1[i, j, k] -> [(k)] }]", child: {'
    ' sequence: [ { filter: "{ S0[i, j] }" }, { filter: "{ S1[i, j, k] }" } ] } } }'
)


def test_example_4_a_permutable_band_whose_first_two_members_are_coincident() -> None:
    found = dependences(listing(6))
    schedule = isl.Schedule(BAND_OF_THREE)
    (band,) = bands_of(schedule)
    assert respects(schedule, found)
    assert is_permutable(band, found)
    assert [is_coincident(band, found, member) for member in range(3)] == [True, True, False]


def test_example_4_tiling_the_band_keeps_the_dependences() -> None:
    found = dependences(listing(6))
    (band,) = bands_of(isl.Schedule(BAND_OF_THREE))
    sizes = isl.MultiVal.read_from_str(isl.DEFAULT_CONTEXT, "{ [32, 32, 32] }")
    tiled = band.band_tile(sizes).get_schedule()
    assert respects(tiled, found)
    tile, point = bands_of(tiled)
    for each in (tile, point):
        assert is_permutable(each, found)
        assert [is_coincident(each, found, member) for member in range(3)] == [True, True, False]


def test_example_4_listing_7_has_the_dependences_of_listing_6() -> None:
    before, after = dependences(listing(6)), dependences(listing(7))
    untiled = isl.UnionMap(
        "{ S0[c0, c1, c2, c3, c4] -> S0[c0 + c3, c1 + c4];"
        " S1[c0, c1, c2, c3, c4, c5] -> S1[c0 + c3, c1 + c4, c2 + c5] }"
    )
    for one, other in ((before.flow, after.flow), (before.false, after.false)):
        assert other.apply_domain(untiled).apply_range(untiled).is_equal(one)
    parallel = [is_parallel(band, after) for band in bands_of(after.scop.schedule)]
    assert parallel == [True, True, False, True, True, False]


# --- Example 5: array references that only read ---------------------------------------------------


def test_example_5_the_two_references_to_a_do_not_conflict_and_those_to_c_do() -> None:
    found = dependences(listing(8))
    assert {each.array for each in found.edges()} == {"C"}
    conflicts = {(each.source.access.text, each.sink.access.text) for each in found.edges()}
    assert conflicts == {("C[i][j]", "C[i][j]")}
    pairs = {(e.source.statement.name, e.sink.statement.name) for e in found.edges()}
    assert pairs == {("S0", "S1"), ("S1", "S1")}


def test_example_5_reads_of_a_are_input_dependences_on_request() -> None:
    found = dependences(listing(8), inputs=True)
    inputs = [each for each in found.edges() if each.kind is Kind.INPUT and each.array == "A"]
    names = {(each.source.access.text, each.sink.access.text) for each in inputs}
    assert names == {REFERENCES, *((each, each) for each in REFERENCES)}
    (crossing,) = (e for e in inputs if (e.source.access.text, e.sink.access.text) == REFERENCES)
    same(
        crossing.pairs,
        "[n, m] -> { S1[i, k, j] -> S1[i', k, i] : 0 <= j <= i and 0 <= k < m and i' < n and"
        " (i < i' or (i = i' and j < i)) }",
    )


REFERENCES = ("A[i][k]", "A[j][k]")


# --- Example 6: what flows in and out of the matrices ---------------------------------------------


def test_example_6_no_data_flows_out_of_a_and_b_or_into_c() -> None:
    found = dependences(listing(6))
    same(restricted(found.may_live_in, "C"), "{ }")
    same(
        found.may_live_out,
        "[M, N, K] -> { S1[i, j, K - 1] -> C[i, j] : 0 <= i < M and 0 <= j < N and K > 0 }",
    )
    moved = transfers(found)
    inside = "M > 0 and N > 0 and K > 0"
    same(
        moved.copy_in,
        f"[M, N, K] -> {{ A[i, k] : 0 <= i < M and 0 <= k < K and {inside};"
        f" B[k, j] : 0 <= k < K and 0 <= j < N and {inside} }}",
    )
    same(moved.copy_out, f"[M, N, K] -> {{ C[i, j] : 0 <= i < M and 0 <= j < N and {inside} }}")


# --- Example 7: may-writes and copies -------------------------------------------------------------


def positive_part(kill: str) -> Scop:
    """Listing 10 with and without the kill."""
    return scop_of(
        f"""void __pencil_kill(int *);
        void f(int n, int A[restrict static n], int B[restrict static n]) {{
        #pragma scop
          {kill}
          for (int i = 0; i < n; i++)
            if (B[i] > 0)
              A[i] = B[i];
        #pragma endscop
        }}"""
    )


def test_example_7_with_the_kill_a_is_only_copied_out() -> None:
    for scop in (listing(10), positive_part("__pencil_kill(A);")):
        found = transfers(dependences(scop))
        same(found.copy_out, "[n] -> { A[i] : 0 <= i < n }")
        same(found.copy_in, "[n] -> { B[i] : 0 <= i < n }")
        same(found.may_persist, "[n] -> { B[i] : 0 <= i < n }")
        same(found.may_not_written, "{ }")


def test_example_7_without_the_kill_a_is_copied_in_too() -> None:
    found = transfers(dependences(positive_part("")))
    same(found.copy_out, "[n] -> { A[i] : 0 <= i < n }")
    same(found.copy_in, "[n] -> { A[i] : 0 <= i < n; B[i] : 0 <= i < n }")
    same(found.may_persist, "[n] -> { A[i] : 0 <= i < n; B[i] : 0 <= i < n }")
    same(found.may_not_written, "[n] -> { A[i] : 0 <= i < n }")


# --- Example 20: work that is done again ----------------------------------------------------------


def test_example_20_all_but_the_last_iteration_of_reg_detect_are_dead() -> None:
    scop = listing(19)
    last = isl.UnionSet(
        "[niter] -> { S0[t, j, i, c] : t = niter - 1; S1[t, j, i] : t = niter - 1;"
        " S2[t, j, i, c] : t = niter - 1; S3[t, j, i] : t = niter - 1;"
        " S4[t, i] : t = niter - 1; S5[t, j, i] : t = niter - 1 }"
    )
    kept = without_dead_code(scop)
    assert kept.domain.is_equal(scop.domain.intersect(last))
    assert kept.schedule.get_domain().is_equal(kept.domain)
    assert respects(kept.schedule, dependences(kept))
