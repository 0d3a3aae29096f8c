"""Schedules that were generated wrongly once, each with what went wrong."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright.codegen.generation import generate
from loopwright.codegen.options import AstOptions, LoopType
from loopwright.model.loop_ast import Mark, walk

from .oracle import check

MAPS = {
    "isl loses points when it eliminates a division": (
        "[N] -> { S[i, j] -> [j, t, -i] : 0 <= i < N and i <= j <= 2 + i"
        " and -3 + j + t <= 4*floor((1 + i)/2) <= j + t }"
    ),
    "a stride is no bound of its own level": "{ S[i] -> [i mod 3, floor(i/2)] : 2 <= i <= 4 }",
    "a bound on the stride may depend on the level through a division": (
        "{ S[i, j] -> [j, -i + 3*floor(j/2), -i] : 0 <= i < 5 and 0 <= j <= 5 }"
    ),
    "a guard goes where all conditions of the outer ifs hold": (
        "[N, M] -> { A[i] -> [i] : M >= 0 and 0 <= i <= 4; B[i] -> [i] : 0 <= i <= 2;"
        " C[] -> [N - 1] : N > 0 }"
    ),
    "rational functions cannot be compared outside of their pieces": (
        "[N] -> { S[i] -> [i + 1, i mod 4] : 0 <= i <= 3 and (i + N) mod 4 >= 2;"
        " S[i] -> [4i, t] : 0 <= i <= 3 and (i + N) mod 4 <= 1 and i <= t <= i + 3;"
        " T[i, j] -> [2 + i, t] : 0 <= i < N and -2 <= j <= 2 and -1 + i + j <= 2t <= i + j }"
    ),
    "isl's gist does not survive this": (
        "[N, M] -> { S[i, j] -> [N + i] : 0 <= i <= 3 and 0 < j <= M and M <= N }"
    ),
}


@pytest.mark.parametrize("times", MAPS.values(), ids=MAPS)
@pytest.mark.parametrize("kind", LoopType)
def test_maps(times: str, kind: LoopType) -> None:
    schedule = isl.UnionMap(times)
    context = isl.Set("[N, M] -> { : -2 <= N, M <= 6 }")  # Without bounds nothing is unrolled.
    ast = generate(schedule, context=context, options=AstOptions(loop_type=kind))
    for n, m in ((-1, 2), (0, 0), (3, 1), (5, 5), (6, -2)):
        check(schedule, {"N": n, "M": m}, ast)


TREES = {
    "shifted strides hold between statements that meet where the first does not run": (
        'domain: "{ S0[i] : 0 < i <= 3; S1[i] : 0 <= i <= 5; Z[x, y] : -2 <= x <= 4'
        ' and 0 <= y <= 3 }", child: { schedule: "[{ Z[x, y] -> [(-y)]; S0[i] -> [(-i)];'
        " S1[i] -> [(0)] }, { Z[x, y] -> [(2 + x - y - x mod 2)]; S0[i] -> [(1 + i)];"
        ' S1[i] -> [(0)] }]", child: { sequence: [ { filter: "{ Z[x, y] }" },'
        ' { filter: "{ S0[i] }" }, { filter: "{ S1[i] }" } ] } }'
    ),
    "statements that are added inside run once a time, however the others are grouped": (
        'domain: "[N] -> { S[i] : 0 <= i <= N; T[i] : 0 < i < N }", child: { schedule:'
        ' "[{ S[i] -> [(i)]; T[i] -> [(i)] }, { S[i] -> [(0)]; T[i] -> [(0)] }]", child:'
        ' { extension: "[N] -> { [a, b] -> E[x] : 0 < x <= 3 and b = 0 }", child: { sequence:'
        ' [ { filter: "{ E[x] }" }, { filter: "{ S[i]; T[i] }" } ] } } }'
    ),
    "a loop runs over times at which nothing is, and adds no statements there": (
        'domain: "{ S[i] : 0 <= i <= 9 and i mod 3 >= 1 }", child: { schedule:'
        ' "[{ S[i] -> [(i)] }]", child: { extension: "{ [t] -> E[] }", child: { sequence:'
        ' [ { filter: "{ E[] }" }, { filter: "{ S[i] }" } ] } } }'
    ),
    "a bound that comes from the domain keeps to the stride": (
        'domain: "[N, M] -> { S[i] : 0 < i <= N; T[] : M >= 3 or ((M - N) mod 4 = 0'
        ' and M <= 1 + N) }", child: { schedule: "[{ S[i] -> [(-i)] : i mod 2 = 1; S[i] -> [(3)]'
        ' : i mod 2 = 0; T[] -> [(2)] }]", options: "{ atomic[0] }" }'
    ),
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_trees(tree: str) -> None:
    schedule = isl.Schedule(f"{{ {tree} }}")
    ast = generate(schedule)
    for n, m in ((-1, 2), (0, 0), (3, 1), (4, 4), (5, 3), (6, 4)):
        check(schedule, {"N": n, "M": m}, ast)


def test_an_inequality_of_an_affine_hull_is_no_equality() -> None:
    schedule = isl.Schedule(
        '{ domain: "[N, M] -> { S[i] : (0 <= i <= 5) or (0 <= i <= 3 and M mod 2 = 0) }", child:'
        ' { schedule: "[{ S[i] -> [(i)] }, { S[i] -> [(-i)] }]", options: "{ separate[0];'
        ' separate[1] }", child: { contraction: "{ X[i, z] -> S[i] }", expansion:'
        ' "{ S[i] -> X[i, z] : 1 <= z <= 4 and z mod 2 = 0 }", child: { schedule:'
        ' "[N] -> [{ X[i, z] -> [(i - z)] : z >= 3*floor(N/3); X[i, z] -> [(2)]'
        ' : z < 3*floor(N/3) }, { X[i, z] -> [(2z + i)] }]", options: "{ separate[0] }" } } } }'
    )
    context = isl.Set("[N, M] -> { : M <= N }")
    ast = generate(schedule, context=context, options=AstOptions(loop_type=LoopType.ATOMIC))
    for n, m in ((0, -2), (3, 2), (5, 3), (6, 5)):
        check(schedule, {"N": n, "M": m}, ast)


def test_a_rational_function_is_no_operand_of_a_maximum() -> None:
    schedule = isl.UnionMap(
        "[N, M] -> { S0[i, j] -> [i, 0] : 0 <= i <= 2 and 0 <= j <= 3; S1[] -> [1, 1];"
        " S2[i] -> [i + 1, i mod 4] : 0 <= i <= 3 and (i + N) mod 4 > 1; S2[i] -> [4i, t] :"
        " 0 <= i <= 3 and (i + N) mod 4 <= 1 and i <= t <= i + 3; S3[i, j] -> [-j, 3] : j = 3 and"
        " ((-2 <= i <= 3 and j < N and M = 2) or (0 <= i < N and j < M)); S3[i, j] -> [i + 2,"
        " floor((i + j)/2)] : j != 3 and ((-2 <= i <= 3 and 0 <= j < N and M = 2) or"
        " (0 <= i < N and -2 <= j < M)) }"
    )
    ast = generate(schedule, context=isl.Set("[N, M] -> { : N >= 1 }"))
    for n, m in ((5, 5), (2, 3), (3, 2), (6, 6)):
        check(schedule, {"N": n, "M": m}, ast)


def test_parts_that_others_lie_between_do_not_share_a_loop() -> None:
    schedule = isl.UnionMap("[M] -> { A[] -> [1]; X[z] -> [M + z] : 0 < z <= 4 }")
    ast = generate(schedule)
    assert "M + 1" in ast.to_c().partition("for (int c0 = ")[2][:6]
    for m in (-9, -4, -2, 0, 1, 7):
        check(schedule, {"M": m}, ast)


def test_many_statements_are_no_hurdle() -> None:
    times = "; ".join(f"S{k}[i] -> [i, {k}] : 0 <= i < n" for k in range(300))
    text = generate(isl.UnionMap(f"[n] -> {{ {times} }}")).to_c()
    assert text.count("for") == 1
    assert text.count("(c0)") == 300


def test_numbers_have_any_size() -> None:
    schedule = isl.UnionMap(f"{{ S[i] -> [{2**70} i] : 0 <= i < 4 }}")
    check(schedule, {}, generate(schedule))


def test_a_mark_stays_whole_where_it_has_to() -> None:
    schedule = isl.Schedule(
        '{ domain: "[n] -> { A[i] : 0 <= i < n <= 6; B[i] : 0 <= i < n <= 6 }", child: { schedule:'
        ' "[n] -> [{ A[i] -> [(6*floor(i/6))]; B[i] -> [(6*floor(i/6))] }]", child: { mark: "tile",'
        ' child: { sequence: [ { filter: "[n] -> { A[i] }", child: { schedule: "[n] -> [{ A[i] ->'
        ' [(i)] }]" } }, { filter: "[n] -> { B[i] }", child: { schedule: "[n] -> [{ B[i] -> [(i)]'
        ' }]" } } ] } } } }'
    )
    for marks, count in ((frozenset[str](), 2), (frozenset(["tile"]), 1)):
        ast = generate(schedule, options=AstOptions(whole_marks=marks))
        assert [isinstance(each, Mark) for each in walk(ast.root)].count(True) == count
        check(schedule, {"n": 4}, ast)


@pytest.mark.parametrize("listed", ["", "[m] -> ", "[m, n] -> ", "[n, m] -> "])
def test_parts_may_list_their_parameters_in_any_order(listed: str) -> None:
    """A guard on m became one on n, which is the first parameter of the domain."""
    schedule = isl.Schedule(
        '{ domain: "[n, m] -> { A[i, j] : 2 <= i <= 4 and 0 <= j < m;'
        ' B[i, j] : 0 < i <= 4 and i <= j < n }",'
        ' child: { schedule: "[n, m] -> [{ A[i, j] -> [(i - 1)]; B[i, j] -> [(i - 1)] }]",'
        ' child: { sequence: [ { filter: "{ A[i, j] }",'
        f' child: {{ schedule: "{listed}[{{ A[i, j] -> [(j)] }}]" }} }},'
        ' { filter: "{ B[i, j] }", child: { schedule: "[{ B[i, j] -> [(j - i)] }]" } } ] } } }'
    )
    ast = generate(schedule)
    for n, m in ((0, 1), (1, 2), (3, 0), (5, 3), (-2, 2)):
        check(schedule, {"n": n, "m": m}, ast)
