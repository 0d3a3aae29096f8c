"""Which loop carries a dependence, which may run in parallel, and how far dependences reach."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright import Scop, dependences
from loopwright.dependence.dead_code import without_dead_code
from loopwright.dependence.distances import Reach, Reaches
from loopwright.dependence.loops import (
    Band,
    carried_by,
    forbidding,
    is_coincident,
    is_parallel,
    is_permutable,
    loop_bands,
)
from loopwright.model.dependences import Dependences, Kind
from loopwright.polyhedra.schedule_trees import bands_of
from tests.frontend.expectations import instances_of, model_of, same

LOOP = "for (int i = 0; i < n; i++) "
LATER = "for (int i = 1; i < n; i++) "
ARRAYS = "int n, double *A, double *B"
MATRIX = "int n, double M[n][n], double *B"


def analysed(body: str, parameters: str = ARRAYS, **around: str) -> Dependences:
    return dependences(model_of(body, parameters, **around))


def parallel(found: Dependences) -> dict[str, bool]:
    """By the iterator of each loop of the source."""
    return {loop.iterator: is_parallel(band, found) for loop, band in loop_bands(found.scop)}


def loop_of(scop: Scop, iterator: str) -> Band:
    (band,) = (band for loop, band in loop_bands(scop) if loop.iterator == iterator)
    return band


# --- parallel loops -------------------------------------------------------------------------------

STENCIL = "for (int t = 0; t < n; t++) for (int i = 1; i < n - 1; i++) A[i] = A[i - 1] + A[i + 1];"
TWO_ARRAYS = """for (int t = 0; t < n; t++) {
  for (int i = 1; i < n - 1; i++) B[i] = A[i - 1] + A[i + 1];
  for (int j = 1; j < n - 1; j++) A[j] = B[j];
}"""


@pytest.mark.parametrize(
    ("body", "parameters", "expected"),
    [
        (LOOP + "A[i] = B[i];", ARRAYS, {"i": True}),
        (LOOP + "A[i] += B[i];", ARRAYS, {"i": True}),
        (LOOP + "A[i] = A[i + n];", ARRAYS, {"i": True}),
        (LOOP + "A[i + 1] = A[i];", ARRAYS, {"i": False}),
        (LOOP + "A[i] = A[i + 1];", ARRAYS, {"i": False}),
        (LOOP + "A[0] = i;", ARRAYS, {"i": False}),
        (LOOP + "A[0] += B[i];", ARRAYS, {"i": False}),
        ("for (int i = n; i > 0; i--) A[i] = A[i - 1];", ARRAYS, {"i": False}),
        ("for (int i = n; i > 0; i--) A[i] = B[i - 1];", ARRAYS, {"i": True}),
        ("for (int i = 0; i < n; i += 2) A[i] = A[i + 1];", ARRAYS, {"i": True}),
        (LOOP + "if (i >= 3) A[i] = A[i - 3];", ARRAYS, {"i": False}),
        (LOOP + "if (i < 3) A[i + 3] = A[i];", ARRAYS, {"i": True}),
        (LOOP + "if (B[i] > 0) A[0] = i;", ARRAYS, {"i": False}),
        (LOOP + "for (int j = 0; j < n; j++) M[i][j] += B[j];", MATRIX, {"i": True, "j": True}),
        (
            LOOP + "for (int j = 1; j < n; j++) M[i][j] = M[i][j - 1];",
            MATRIX,
            {"i": True, "j": False},
        ),
        (
            LATER + "for (int j = 0; j < n; j++) M[i][j] = M[i - 1][j];",
            MATRIX,
            {"i": False, "j": True},
        ),
        (LOOP + "for (int j = 0; j < n; j++) M[i][j] = M[j][i];", MATRIX, {"i": False, "j": True}),
        (LOOP + "for (int j = 0; j < i; j++) M[i][j] = M[j][i];", MATRIX, {"i": True, "j": True}),
        (STENCIL, ARRAYS, {"t": False, "i": False}),
        (TWO_ARRAYS, ARRAYS, {"t": False, "i": True, "j": True}),
        (
            LOOP + "{ B[i] = 0; for (int j = 0; j < n; j++) B[i] += A[j]; }",
            ARRAYS,
            {"i": True, "j": False},
        ),
        (LOOP + "{ double t = A[i]; B[i] = t; }", ARRAYS, {"i": False}),
        (
            LOOP + "A[i] = 0; for (int j = 1; j < n; j++) A[j] = A[j - 1];",
            ARRAYS,
            {"i": True, "j": False},
        ),
    ],
)
def test_which_loops_are_parallel(body: str, parameters: str, expected: dict[str, bool]) -> None:
    assert parallel(analysed(body, parameters)) == expected


def test_a_promise_of_independence_makes_a_loop_parallel() -> None:
    body = LOOP + "A[K[i]] = A[K[i]] + 1;"
    parameters = "int n, double A[n], int K[n]"
    assert parallel(analysed(body, parameters)) == {"i": False}
    assert parallel(analysed("\n#pragma pencil independent\n" + body, parameters)) == {"i": True}


def test_live_ranges_that_trade_places_do_not_run_at_the_same_time() -> None:
    """All iterations share t, not only those that follow each other."""
    found = analysed(LOOP + "{ double t = A[i]; B[i] = t; }")
    (carried,) = carried_by(loop_of(found.scop, "i"), found)
    assert (carried.kind, carried.array) == (Kind.ANTI, "t")
    same(carried.pairs, "[n] -> { S1[i] -> S0[j] : 0 <= i < j < n }")
    found = dependences(found.scop, live_range_reordering=False)
    kinds = [each.kind for each in carried_by(loop_of(found.scop, "i"), found)]
    assert kinds == [Kind.OUTPUT, Kind.ANTI]


# --- carried dependences --------------------------------------------------------------------------


def test_a_loop_carries_what_the_loops_around_it_run_together() -> None:
    found = analysed(STENCIL)
    inner = carried_by(loop_of(found.scop, "i"), found)
    flows = [each for each in inner if each.kind is Kind.FLOW]
    assert [each.sink.access.text for each in flows] == ["A[i - 1]"]
    same(flows[0].pairs, "[n] -> { S0[t, i] -> S0[t, i + 1] : 0 <= t < n and 0 < i < n - 2 }")
    outer = carried_by(loop_of(found.scop, "t"), found)
    flows = [each for each in outer if each.kind is Kind.FLOW]
    assert [each.sink.access.text for each in flows] == ["A[i + 1]"]
    same(
        flows[0].pairs, "[n] -> { S0[t, i] -> S0[t + 1, i - 1] : 0 <= t < n - 1 and 1 < i < n - 1 }"
    )


def test_what_a_sequence_runs_apart_no_loop_carries() -> None:
    found = analysed(TWO_ARRAYS)
    for iterator in "ij":
        assert carried_by(loop_of(found.scop, iterator), found) == []
    names = {
        (each.source.statement.name, each.sink.statement.name)
        for each in carried_by(loop_of(found.scop, "t"), found)
    }
    assert names == {("S1", "S0"), ("S0", "S0"), ("S1", "S1"), ("S0", "S1")}


def test_two_loops_one_after_the_other_carry_their_own() -> None:
    found = analysed(LOOP + "A[i] = 0; for (int j = 1; j < n; j++) A[j] = A[j - 1];")
    assert carried_by(loop_of(found.scop, "i"), found) == []
    (carried,) = carried_by(loop_of(found.scop, "j"), found)
    assert (carried.source.statement.name, carried.sink.statement.name) == ("S1", "S1")


def test_the_reason_is_a_pair_of_iterations() -> None:
    found = analysed("for (int i = n; i > 0; i--) A[i] = A[i - 1];", "int n, double *A")
    (reason,) = forbidding(loop_of(found.scop, "i"), found)
    assert (reason.kind, reason.array) == (Kind.ANTI, "A")
    assert reason.parameters == {"n": 2}
    assert (reason.source.iteration, reason.sink.iteration) == ((2,), (1,))
    assert str(reason) == (
        "for n = 2: S0 at (i = 1) on line 6 overwrites A[1],"
        " which S0 at (i = 2) on line 6 has to read first"
    )


def test_a_guard_is_seen_in_the_smallest_reason() -> None:
    found = analysed(LOOP + "if (i >= 3) A[i] = A[i - 3];")
    (reason,) = forbidding(loop_of(found.scop, "i"), found)
    assert reason.parameters == {"n": 7}
    assert (reason.source.iteration, reason.sink.iteration) == ((3,), (6,))


def test_a_parallel_loop_has_no_reason() -> None:
    found = analysed(LOOP + "A[i] = B[i];")
    assert forbidding(loop_of(found.scop, "i"), found) == []


# --- bands of several members ---------------------------------------------------------------------


def banded(found: Dependences, times: str) -> Band:
    """All instances in one band."""
    tree = isl.Schedule.from_domain(instances_of(found.scop))
    tree = tree.insert_partial_schedule(isl.MultiUnionPwAff(times))
    (band,) = bands_of(tree)
    return band


def test_a_member_carries_what_the_earlier_ones_run_together() -> None:
    found = analysed(LATER + "for (int j = 1; j < n; j++) M[i][j] = M[i - 1][j - 1];", MATRIX)
    diagonal = banded(found, "[{ S0[i, j] -> [(i)] }, { S0[i, j] -> [(j)] }]")
    assert [is_parallel(diagonal, found, member) for member in (0, 1)] == [False, True]
    assert [is_coincident(diagonal, found, member) for member in (0, 1)] == [False, False]
    assert is_permutable(diagonal, found)
    (carried,) = carried_by(diagonal, found, 0)
    same(
        carried.pairs,
        "[n] -> { S0[i, j] -> S0[i + 1, j + 1] : 0 < i < n - 1 and 0 < j < n - 1 }",
    )
    assert carried_by(diagonal, found, 1) == []
    turned = banded(found, "[{ S0[i, j] -> [(i - j)] }, { S0[i, j] -> [(j)] }]")
    assert [is_parallel(turned, found, member) for member in (0, 1)] == [True, False]
    assert [is_coincident(turned, found, member) for member in (0, 1)] == [True, False]


def test_a_member_that_runs_a_pair_backwards_is_not_permutable() -> None:
    found = analysed(STENCIL)
    plain = banded(found, "[{ S0[t, i] -> [(t)] }, { S0[t, i] -> [(i)] }]")
    skewed = banded(found, "[{ S0[t, i] -> [(t)] }, { S0[t, i] -> [(2t + i)] }]")
    assert not is_permutable(plain, found)
    assert is_permutable(skewed, found)


THROUGH_T = "for (int j = 0; j < n; j++) { double t = M[i][j]; M[i][j] = 2 * t; }"


def through_t(second: str) -> tuple[Dependences, Band]:
    """A scalar in the innermost loop; the second statement at a time of its own."""
    found = analysed(LOOP + THROUGH_T, MATRIX)
    outer = "{ S0[i, j] -> [(i)]; S1[i, j] -> [(i)] }"
    inner = f"{{ S0[i, j] -> [(j)]; S1[i, j] -> [({second})] }}"
    return found, banded(found, f"[{outer}, {inner}]")


def test_live_ranges_that_stay_in_one_iteration_may_be_interchanged() -> None:
    found, band = through_t("j")
    assert is_permutable(band, found)
    assert not any(is_coincident(band, found, member) for member in (0, 1))
    assert not is_permutable(band, dependences(found.scop, live_range_reordering=False))


def test_live_ranges_that_reach_into_another_iteration_may_not() -> None:
    found, band = through_t("j + 1")
    assert not is_permutable(band, found)


def test_live_ranges_that_begin_in_an_earlier_nest_may_not() -> None:
    later = "for (int i = 0; i < n - 1; i++) for (int j = 1; j < n; j++) "
    found = analysed(
        LOOP + "for (int j = 0; j < n; j++) M[i][j] = B[j];"
        f"{later} {{ C[i][j] = M[i + 1][j - 1]; M[i][j] = 0; }}",
        MATRIX + ", double C[n][n]",
    )
    domain = found.scop.domain
    tree = isl.Schedule.from_domain(domain.intersect(isl.UnionSet("{ S0[i, j] }"))).sequence(
        isl.Schedule.from_domain(
            domain.intersect(isl.UnionSet("{ S1[i, j]; S2[i, j] }"))
        ).insert_partial_schedule(
            isl.MultiUnionPwAff(
                "[{ S1[i, j] -> [(i)]; S2[i, j] -> [(i)] },"
                " { S1[i, j] -> [(j)]; S2[i, j] -> [(j)] }]"
            )
        )
    )
    (band,) = bands_of(tree)
    assert not is_permutable(band, found)


@pytest.mark.parametrize("size", [4, 1000])
def test_of_a_tiled_stencil_no_band_is_parallel(size: int) -> None:
    found = analysed(STENCIL)
    skewed = banded(found, "[{ S0[t, i] -> [(t)] }, { S0[t, i] -> [(2t + i)] }]")
    sizes = isl.MultiVal(f"{{ [{size}, {size}] }}")
    tile, point = bands_of(skewed.band_tile(sizes).get_schedule())
    for band in (tile, point):
        assert is_permutable(band, found)
        assert not is_parallel(band, found, 0)


def test_tiles_of_independent_rows_are_parallel() -> None:
    found = analysed(LOOP + "for (int j = 1; j < n; j++) M[i][j] = M[i][j - 1];", MATRIX)
    band = banded(found, "[{ S0[i, j] -> [(i)] }, { S0[i, j] -> [(j)] }]")
    tile, point = bands_of(band.band_tile(isl.MultiVal("{ [8, 8] }")).get_schedule())
    for each in (tile, point):
        assert [is_parallel(each, found, member) for member in (0, 1)] == [True, False]
    wide = bands_of(band.band_tile(isl.MultiVal("{ [8, 1] }")).get_schedule())[1]
    assert [is_parallel(wide, found, member) for member in (0, 1)] == [True, True]


def test_a_band_below_a_filter_sees_its_own_instances_only() -> None:
    found = analysed(LOOP + "{ A[i] = 1; B[i + 1] = B[i]; }")
    tree = isl.Schedule(
        '{ domain: "[n] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }", child: { sequence: ['
        ' { filter: "{ S0[i] }", child: { schedule: "[{ S0[i] -> [(i)] }]" } },'
        ' { filter: "{ S1[i] }", child: { schedule: "[{ S1[i] -> [(i)] }]" } } ] } }'
    )
    assert [is_parallel(band, found) for band in bands_of(tree)] == [True, False]


# --- the loops of the source ----------------------------------------------------------------------


def test_loops_come_with_their_bands_in_the_order_of_the_source() -> None:
    found = analysed(
        "for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) M[i][j] = 0;"
        " for (int k = 0; k < n; k++) M[i][k] = 1; } for (int l = 0; l < n; l++) B[l] = 0;",
        MATRIX,
    )
    loops = loop_bands(found.scop)
    assert [loop.iterator for loop, _ in loops] == list("ijkl")
    members = [str(band.band_get_partial_schedule()) for _, band in loops]
    assert ["(i)" in members[0], "(j)" in members[1], "(k)" in members[2]] == [True] * 3


def test_a_loop_without_instances_has_no_band() -> None:
    scop = model_of(
        LOOP + "t[i] = 1; for (int j = 0; j < n; j++) A[j] = 2;", ARRAYS, before="double t[n];"
    )
    assert [loop.iterator for loop, _ in loop_bands(scop)] == ["i", "j"]
    assert [loop.iterator for loop, _ in loop_bands(without_dead_code(scop))] == ["j"]


# --- distances ------------------------------------------------------------------------------------


def reach(body: str, kind: Kind = Kind.FLOW, parameters: str = ARRAYS, *, number: int = 0) -> Reach:
    found = analysed(body, parameters)
    edges = [each for each in found.edges() if each.kind is kind]
    return Reaches(found.scop).of(edges[number])


def texts(given: Reach) -> list[str]:
    return [str(each) for each in given.distances]


@pytest.mark.parametrize(
    ("body", "kind", "expected"),
    [
        (LOOP + "A[i + 1] = A[i];", Kind.FLOW, "1"),
        (LOOP + "A[i + 3] = A[i];", Kind.FLOW, "3"),
        (LOOP + "A[i] = A[i + 1];", Kind.ANTI, "1"),
        (LOOP + "A[0] = i;", Kind.OUTPUT, "1"),
        ("for (int i = 0; i < n; i += 2) A[i + 2] = A[i];", Kind.FLOW, "2"),
        ("for (int i = n; i > 0; i--) A[i - 1] = A[i];", Kind.FLOW, "1"),
        ("for (int i = n; i > 0; i -= 3) A[i - 3] = A[i];", Kind.FLOW, "3"),
        (LOOP + "A[2 * i] = A[i];", Kind.FLOW, "+"),
        (LOOP + "if (B[i] > 0) A[0] = i;", Kind.OUTPUT, "+"),
        (LOOP + "{ A[i] = 1; B[i] = A[i / 2]; }", Kind.FLOW, "0+"),
        (LOOP + "{ A[i] = 1; B[i] = A[i]; }", Kind.FLOW, "0"),
    ],
)
def test_the_distance_over_one_loop(body: str, kind: Kind, expected: str) -> None:
    assert texts(reach(body, kind)) == [expected]


@pytest.mark.parametrize(
    ("body", "kind", "expected", "carriers", "within"),
    [
        ("if (i > 0 && j > 0) M[i][j] = M[i - 1][j];", Kind.FLOW, ["1", "0"], "i", False),
        ("M[i][j] = M[j][i];", Kind.FLOW, ["+", "-"], "i", False),
        ("M[i][0] = M[i][j];", Kind.ANTI, ["0", "1"], "j", False),
        ("B[j] = M[i][j];", Kind.OUTPUT, ["1", "0"], "i", False),
        ("B[i + j] = M[i][j];", Kind.OUTPUT, ["1", "-1"], "i", False),
        ("{ B[i] = 1; M[i][j] = B[j]; }", Kind.FLOW, ["0+", "0-"], "i", True),
        ("if (M[i][j] > 0) B[0] = 1;", Kind.OUTPUT, ["0+", "*"], "ij", False),
    ],
)
def test_distances_over_two_loops(
    body: str, kind: Kind, expected: list[str], carriers: str, within: bool
) -> None:
    given = reach(LOOP + "for (int j = 0; j < n; j++) " + body, kind, MATRIX)
    assert texts(given) == expected
    assert [each.iterator for each in given.carriers] == list(carriers)
    assert given.within == within


def test_bounds_of_a_distance() -> None:
    given = reach("for (int i = 0; i < 9; i++) { A[i] = 1; B[i] = A[i / 2]; }")
    (distance,) = given.distances
    assert (distance.least, distance.greatest) == (0, 4)
    assert given.within
    assert [each.iterator for each in given.carriers] == ["i"]


def test_only_common_loops_count() -> None:
    given = reach(LOOP + "{ B[i] = 0; for (int j = 0; j < n; j++) A[i] = B[i]; }")
    assert texts(given) == ["0"]
    assert given.carriers == ()
    assert given.within
    given = reach(LOOP + "A[i] = 0; " + LOOP + "B[i] = A[i];")
    assert given.distances == ()
    assert given.within


def test_an_imperfect_nest() -> None:
    """B[i] flows from the inner loop of one iteration to the statement of the next."""
    body = LOOP + "{ A[i] = B[0]; for (int j = 0; j < n; j++) B[j] = A[i]; }"
    found = analysed(body)
    flows = {
        (e.source.statement.name, e.sink.statement.name): Reaches(found.scop).of(e)
        for e in found.edges()
        if e.kind is Kind.FLOW
    }
    assert texts(flows["S0", "S1"]) == ["0"]
    assert texts(flows["S1", "S0"]) == ["1"]
    assert parallel(found) == {"i": False, "j": True}
