"""The order that schedule trees and maps impose, and the smallest element of a relation."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright.polyhedra.order import member_times, not_in_order, together_above, tree_of
from loopwright.polyhedra.samples import smallest_pair, smallest_point
from tests.frontend.expectations import same


def late(tree: str | isl.UnionMap, pairs: str) -> isl.UnionMap:
    schedule = isl.Schedule(tree) if isinstance(tree, str) else tree
    (found,) = not_in_order(schedule, [isl.UnionMap(pairs)])
    return found


BOTH = "{ S[i] : 0 <= i < 5; T[i] : 0 <= i < 5 }"
ALL = (
    "{ S[i] -> S[j] : 0 <= i < 5 and 0 <= j < 5; S[i] -> T[j] : 0 <= i < 5 and 0 <= j < 5;"
    " T[i] -> S[j] : 0 <= i < 5 and 0 <= j < 5; T[i] -> T[j] : 0 <= i < 5 and 0 <= j < 5 }"
)
INSIDE = "0 <= i < 5 and 0 <= j < 5"


def in_tree(child: str, domain: str = BOTH) -> str:
    return f'{{ domain: "{domain}", child: {child} }}'


def band(times: str, child: str = "") -> str:
    return f'{{ schedule: "[{times}]"{", child: " + child if child else ""} }}'


def parts(kind: str, first: str = "", second: str = "") -> str:
    one, other = (f", child: {each}" if each else "" for each in (first, second))
    return f'{{ {kind}: [ {{ filter: "{{ S[i] }}"{one} }}, {{ filter: "{{ T[i] }}"{other} }} ] }}'


FUSED = "{ S[i] -> [(i)]; T[i] -> [(i)] }"


# --- kinds of nodes -------------------------------------------------------------------------------


def test_a_sequence_runs_its_children_in_order() -> None:
    tree = in_tree(parts("sequence", band("{ S[i] -> [(i)] }"), band("{ T[i] -> [(-i)] }")))
    same(
        late(tree, ALL),
        f"{{ T[i] -> S[j] : {INSIDE}; S[i] -> S[j] : {INSIDE} and i >= j;"
        f" T[i] -> T[j] : {INSIDE} and i <= j }}",
    )


def test_a_set_runs_its_children_in_any_order() -> None:
    tree = in_tree(parts("set", band("{ S[i] -> [(i)] }"), band("{ T[i] -> [(i)] }")))
    same(
        late(tree, ALL),
        f"{{ T[i] -> S[j] : {INSIDE}; S[i] -> T[j] : {INSIDE};"
        f" S[i] -> S[j] : {INSIDE} and i >= j; T[i] -> T[j] : {INSIDE} and i >= j }}",
    )


def test_a_leaf_runs_its_instances_together() -> None:
    tree = isl.Schedule.from_domain(isl.UnionSet(BOTH))
    (found,) = not_in_order(tree, [isl.UnionMap(ALL)])
    same(found, ALL)


def test_a_band_orders_and_what_it_leaves_open_is_asked_below() -> None:
    tree = in_tree(band(FUSED, parts("sequence")))
    same(
        late(tree, ALL),
        f"{{ S[i] -> S[j] : {INSIDE} and i >= j; T[i] -> T[j] : {INSIDE} and i >= j;"
        f" S[i] -> T[j] : {INSIDE} and i > j; T[i] -> S[j] : {INSIDE} and i >= j }}",
    )


def test_a_band_of_two_members_orders_lexicographically() -> None:
    tree = in_tree(
        band("{ S[i, j] -> [(i)] }, { S[i, j] -> [(-j)] }"),
        "{ S[i, j] : 0 <= i < 3 and 0 <= j < 3 }",
    )
    box = "0 <= i < 3 and 0 <= j < 3 and 0 <= k < 3 and 0 <= l < 3"
    same(
        late(tree, f"{{ S[i, j] -> S[k, l] : {box} }}"),
        f"{{ S[i, j] -> S[k, l] : {box} and (i > k or (i = k and j <= l)) }}",
    )


def test_a_band_without_members_orders_nothing() -> None:
    tree = isl.Schedule(in_tree(band(FUSED, parts("sequence"))))
    nothing = isl.MultiUnionPwAff("[]").intersect_domain(isl.UnionSet(BOTH))
    node = tree.get_root().child(0).child(0).insert_partial_schedule(nothing)
    assert (node.get_type(), node.band_n_member()) == (isl.schedule_node_type.band, 0)
    before, after = (
        not_in_order(each, [isl.UnionMap(ALL)])[0] for each in (tree, node.get_schedule())
    )
    assert before.is_equal(after)


def test_a_filter_lets_only_its_instances_through() -> None:
    """What it stops does not run, and so is not in order."""
    tree = isl.Schedule(in_tree(band("{ S[i] -> [(i)] }"), "{ S[i] : 0 <= i < 5 }"))
    filtered = (
        tree.get_root().child(0).insert_filter(isl.UnionSet("{ S[i] : i < 3 }")).get_schedule()
    )
    (found,) = not_in_order(filtered, [isl.UnionMap("{ S[i] -> S[i + 1] : 0 <= i < 4 }")])
    same(found, "{ S[i] -> S[i + 1] : 2 <= i < 4 }")


def test_marks_contexts_and_guards_order_nothing() -> None:
    tree = isl.Schedule(in_tree(band("{ S[i] -> [(i)] }"), "[n] -> { S[i] : 0 <= i < n }"))
    node = tree.get_root().child(0)
    context = isl.Set("[n] -> { [] : n > 2 }")
    steps = isl.UnionMap("[n] -> { S[i] -> S[i + 1] : 0 <= i < n - 1; S[i] -> S[i] : 0 <= i < n }")
    wanted = "[n] -> { S[i] -> S[i] : 0 <= i < n }"
    for wrapped in (
        node.insert_mark(isl.Id("here")),
        node.child(0).insert_mark(isl.Id("there")),
        node.insert_context(context),
        node.insert_guard(context),
    ):
        (found,) = not_in_order(wrapped.get_schedule(), [steps])
        same(found, wanted)


EXPANDED = (
    '{ domain: "{ G[i] : 0 <= i < 4 }", child: { schedule: "[{ G[i] -> [(-i)] }]", child: {'
    ' contraction: "{ S[i] -> G[i]; T[i] -> G[i] }",'
    ' expansion: "{ G[i] -> S[i]; G[i] -> T[i] }", child: {'
    ' sequence: [ { filter: "{ S[i] }" }, { filter: "{ T[i] }" } ] } } } }'
)


def test_an_expansion_is_meant_by_what_it_expands_to() -> None:
    pairs = "{ S[i] -> T[j] : 0 <= i < 4 and 0 <= j < 4 }"
    same(late(EXPANDED, pairs), "{ S[i] -> T[j] : 0 <= i < 4 and 0 <= j < 4 and i < j }")
    pairs = "{ T[i] -> S[j] : 0 <= i < 4 and 0 <= j < 4 }"
    same(late(EXPANDED, pairs), "{ T[i] -> S[j] : 0 <= i < 4 and 0 <= j < 4 and i <= j }")


def test_one_statement_in_two_children() -> None:
    tree = in_tree(
        '{ sequence: [ { filter: "{ S[i] : i >= 3 }", child: { schedule: "[{ S[i] -> [(i)] }]" } },'
        ' { filter: "{ S[i] : i < 3 }", child: { schedule: "[{ S[i] -> [(i)] }]" } } ] }',
        "{ S[i] : 0 <= i < 5 }",
    )
    same(
        late(tree, "{ S[i] -> S[j] : 0 <= i < j < 5 }"),
        "{ S[i] -> S[j] : 0 <= i < 3 <= j < 5 }",
    )


def test_instances_that_do_not_run_are_not_in_order() -> None:
    tree = in_tree(band("{ S[i] -> [(i)] }"), "{ S[i] : 0 <= i < 3 }")
    same(
        late(tree, "{ S[i] -> S[i + 1] : -1 <= i < 4; S[i] -> U[i] : i = 1 }"),
        "{ S[i] -> S[i + 1] : i = -1 or 2 <= i < 4; S[1] -> U[1] }",
    )


def test_several_relations_are_answered_one_by_one() -> None:
    tree = isl.Schedule(in_tree(band(FUSED, parts("sequence"))))
    forwards, backwards = "{ S[i] -> T[i] : 0 <= i < 5 }", "{ T[i] -> S[i] : 0 <= i < 5 }"
    found = not_in_order(tree, [isl.UnionMap(each) for each in (forwards, backwards, "{ }")])
    assert [each.is_empty() for each in found] == [True, False, True]
    same(found[1], backwards)


def test_pairs_of_wrapped_instances() -> None:
    """The spaces of a tree need not have names."""
    tree = isl.Schedule(
        '{ domain: "{ [S[i] -> R[]] : 0 <= i < 3 }", child: {'
        ' schedule: "[{ [S[i] -> R[]] -> [(-i)] }]" } }'
    )
    pairs = isl.UnionMap("{ [S[i] -> R[]] -> [S[j] -> R[]] : 0 <= i < 3 and 0 <= j < 3 }")
    (found,) = not_in_order(tree, [pairs])
    same(found, "{ [S[i] -> R[]] -> [S[j] -> R[]] : 0 <= i <= j < 3 }")


# --- maps -----------------------------------------------------------------------------------------


def test_a_map_gives_times() -> None:
    times = isl.UnionMap("{ S[i] -> [i, 0] : 0 <= i < 5; T[i] -> [i, 1] : 0 <= i < 5 }")
    (found,) = not_in_order(times, [isl.UnionMap(ALL)])
    same(
        found,
        f"{{ S[i] -> S[j] : {INSIDE} and i >= j; T[i] -> T[j] : {INSIDE} and i >= j;"
        f" S[i] -> T[j] : {INSIDE} and i > j; T[i] -> S[j] : {INSIDE} and i >= j }}",
    )


def test_the_names_of_times_do_not_count() -> None:
    times = isl.UnionMap("{ S[i] -> early[i] : 0 <= i < 5; T[i] -> late[i + 5] : 0 <= i < 5 }")
    (found,) = not_in_order(times, [isl.UnionMap("{ S[i] -> T[j] : 0 <= i < 5 and 0 <= j < 5 }")])
    same(found, "{ }")


def test_a_map_by_pieces() -> None:
    times = isl.UnionMap("{ S[i] -> [i] : 0 <= i < 3; S[i] -> [-i] : 3 <= i < 5 }")
    (found,) = not_in_order(times, [isl.UnionMap("{ S[i] -> S[i + 1] : 0 <= i < 4 }")])
    same(found, "{ S[i] -> S[i + 1] : 2 <= i < 4 }")


def test_times_without_dimensions_are_all_the_same() -> None:
    times = isl.UnionMap("{ S[i] -> [] : 0 <= i < 5 }")
    (found,) = not_in_order(times, [isl.UnionMap("{ S[i] -> S[i + 1] : 0 <= i < 4 }")])
    same(found, "{ S[i] -> S[i + 1] : 0 <= i < 4 }")


def test_a_tree_is_left_as_it_is() -> None:
    tree = isl.Schedule(in_tree(band(FUSED)))
    assert tree_of(tree) is tree


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ("{ S[i] -> [i]; T[i] -> [i, 0] }", r"one length, not \[1, 2\]"),
        ("{ S[i] -> [t] : 0 <= t <= 1 }", "one time"),
        ("{ S[i] -> [i]; S[i] -> [i + 1] }", "one time"),
    ],
)
def test_maps_that_are_no_schedules(times: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        not_in_order(isl.UnionMap(times), [])


def test_a_band_that_leaves_instances_without_a_time() -> None:
    with pytest.raises(ValueError, match="gives no time to"):
        late(in_tree(band("{ S[i] -> [(i)] }")), ALL)
    with pytest.raises(ValueError, match="gives no time to"):
        late(in_tree(band("{ S[i] -> [(i)] : i < 3 }"), "{ S[i] : 0 <= i < 5 }"), ALL)


# --- at one band ----------------------------------------------------------------------------------

NESTED = (
    '{ domain: "{ S[i, j] : 0 <= i < 3 and 0 <= j < 3; T[i] : 0 <= i < 3 }", child: {'
    ' schedule: "[{ S[i, j] -> [(i)]; T[i] -> [(i)] }]", child: { sequence: ['
    ' { filter: "{ T[i] }" },'
    ' { filter: "{ S[i, j] }", child: { schedule: "[{ S[i, j] -> [(-j)] }]" } } ] } } }'
)


def test_pairs_that_reach_a_band_together() -> None:
    outer = isl.Schedule(NESTED).get_root().child(0)
    inner = outer.child(0).child(1).child(0)
    box = "0 <= i < 3 and 0 <= j < 3 and 0 <= k < 3 and 0 <= l < 3"
    everything = isl.UnionMap(
        f"{{ S[i, j] -> S[k, l] : {box}; T[i] -> S[k, l] : 0 <= i, k, l < 3 }}"
    )
    assert together_above(outer, 0, everything).is_equal(everything)
    same(
        together_above(inner, 0, everything),
        "{ S[i, j] -> S[i, l] : 0 <= i < 3 and 0 <= j < 3 and 0 <= l < 3 }",
    )
    same(together_above(inner, 1, everything), "{ S[i, j] -> S[i, j] : 0 <= i < 3 and 0 <= j < 3 }")


def test_pairs_that_do_not_reach_a_band_are_not_asked_about() -> None:
    outer = isl.Schedule(NESTED).get_root().child(0)
    pairs = isl.UnionMap("{ T[i] -> T[i + 1] : 0 <= i < 4; T[i] -> U[i] }")
    same(together_above(outer, 0, pairs), "{ T[i] -> T[i + 1] : 0 <= i < 2 }")


def test_a_member_of_a_band_by_itself() -> None:
    tree = in_tree(
        band("{ S[i, j] -> [(i)] }, { S[i, j] -> [(2j)] }"), "{ S[i, j] : 0 <= i, j < 3 }"
    )
    node = isl.Schedule(tree).get_root().child(0)
    times = isl.UnionMap.from_multi_union_pw_aff(member_times(node, 1))
    same(
        times.intersect_domain(isl.UnionSet("{ S[i, j] : 0 <= i, j < 3 }")),
        "{ S[i, j] -> [2j] : 0 <= i, j < 3 }",
    )


def test_the_times_above_an_expansion_are_those_of_the_leaves() -> None:
    node = isl.Schedule(EXPANDED).get_root().child(0)
    times = isl.UnionMap.from_multi_union_pw_aff(member_times(node, 0))
    inside = isl.UnionSet("{ S[i] : 0 <= i < 4; T[i] : 0 <= i < 4 }")
    same(times.intersect_domain(inside), "{ S[i] -> [-i] : 0 <= i < 4; T[i] -> [-i] : 0 <= i < 4 }")
    pairs = isl.UnionMap("{ S[i] -> T[j] : 0 <= i < 4 and 0 <= j < 4 }")
    assert together_above(node, 0, pairs).is_equal(pairs)


def test_a_band_below_an_expansion_sees_the_order_above_it() -> None:
    tree = isl.Schedule(
        '{ domain: "{ G[i] : 0 <= i < 3 }", child: { schedule: "[{ G[i] -> [(i)] }]", child: {'
        ' contraction: "{ S[i, j] -> G[i] : 0 <= j < 3 }",'
        ' expansion: "{ G[i] -> S[i, j] : 0 <= j < 3 }", child: {'
        ' schedule: "[{ S[i, j] -> [(-j)] }]" } } } }'
    )
    inner = tree.get_root().child(0).child(0).child(0)
    pairs = isl.UnionMap("{ S[i, j] -> S[k, l] : 0 <= i, j, k, l < 3 }")
    same(together_above(inner, 0, pairs), "{ S[i, j] -> S[i, l] : 0 <= i, j, l < 3 }")
    same(
        not_in_order(tree, [pairs])[0],
        "{ S[i, j] -> S[k, l] : 0 <= i, j, k, l < 3 and (k < i or (k = i and l >= j)) }",
    )


# --- the smallest element -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pairs", "parameters", "source", "sink"),
    [
        ("{ S[i] -> T[j] : 2 <= i < j }", {}, (2,), (3,)),
        ("[n] -> { S[i] -> S[i + 1] : 0 <= i < n - 1 }", {"n": 2}, (0,), (1,)),
        ("[n] -> { S[i] -> S[i - 1] : 0 < i <= n }", {"n": 1}, (1,), (0,)),
        ("[n, m] -> { S[i] -> T[j] : 2 <= i < n and j > i }", {"n": 3, "m": 0}, (2,), (3,)),
        ("[n] -> { S[i] -> T[i] : n <= i <= -4 }", {"n": -4}, (-4,), (-4,)),
        ("[n] -> { S[i] -> T[i] : n < 0 and -3 <= n <= i <= 5 }", {"n": -3}, (-3,), (-3,)),
        ("[n] -> { S[i] -> T[j] : j = i + 1 }", {"n": 0}, (0,), (1,)),
        ("{ S[] -> T[] }", {}, (), ()),
        ("[n] -> { S[] -> T[j] : 3 j = n and n > 4 }", {"n": 6}, (), (2,)),
        ("{ S[i] -> T[j] : i <= 3 and j >= 10 }", {}, (0,), (10,)),
        ("{ S[i] -> T[j] : i <= -3 and j <= i }", {}, (-3,), (-3,)),
        ("{ S[i] -> T[i + 1] : i = 7; S[i] -> T[i] : i = 9 }", {}, (7,), (8,)),
    ],
)
def test_small_parameters_first_then_early_instances(
    pairs: str, parameters: dict[str, int], source: tuple[int, ...], sink: tuple[int, ...]
) -> None:
    found = smallest_pair(isl.Map(pairs))
    assert (found.parameters, found.source, found.sink) == (parameters, source, sink)


def test_the_smallest_point_of_a_set() -> None:
    assert smallest_point(isl.Set("{ [i, j] : -2 <= i <= 4 and j >= 3 - i }"), 0) == (-2, 5)
    assert smallest_point(isl.Set("{ [i, j] : -2 <= i <= 4 and j >= 3 - i }"), 1) == (0, 3)
    assert smallest_point(isl.Set("{ [] }"), 0) == ()


def test_large_numbers_are_no_problem() -> None:
    huge = 2**80
    assert smallest_point(isl.Set(f"{{ [i] : i >= {huge} }}"), 0) == (huge,)
