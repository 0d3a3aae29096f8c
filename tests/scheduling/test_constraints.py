"""What people may bring of their own: odd spaces, tags, contexts, contradictions, limits."""

from __future__ import annotations

from typing import Any

import islpy as isl
import pytest

from loopwright import ScheduleConstraints, SchedulerOptions, read_c, respects, schedule
from loopwright.model.scheduling_trace import SharedVariable
from loopwright.polyhedra.schedule_trees import bands_of
from loopwright.scheduling.options import PPCG
from tests.scheduling.laws import broken_laws

SET, MAP = isl.UnionSet, isl.UnionMap


def test_statements_in_pairs_of_spaces_keep_their_order() -> None:
    asked = ScheduleConstraints(
        SET("{ [A[i] -> B[j]] : 0 <= i, j < 10 }"),
        validity=MAP("{ [A[i] -> B[j]] -> [A[i] -> B[j - 1]] : 0 <= i < 10 and 0 < j < 10 }"),
    )
    assert respects(schedule(asked).tree, asked.validity)


def test_statements_of_one_name_and_several_dimensions_are_several() -> None:
    asked = ScheduleConstraints(
        SET("{ S[i] : 0 <= i < 9; S[i, j] : 0 <= i, j < 9 }"),
        validity=MAP("{ S[i] -> S[i, j] : 0 <= i, j < 9 }"),
    )
    assert respects(schedule(asked).tree, asked.validity)


def test_what_the_context_rules_out_asks_for_nothing() -> None:
    asked = ScheduleConstraints(
        SET("[n] -> { S[i] : 0 <= i < 100 }"),
        validity=MAP("[n] -> { S[i] -> S[i + 1]; S[i] -> S[i - 1] : n < 1 }"),
        context=isl.Set("[n] -> { : n >= 1 }"),
    )
    assert not broken_laws(schedule(asked).tree, asked)


def test_conditions_need_no_tags() -> None:
    asked = ScheduleConstraints(
        SET("{ S[i] : 0 <= i < 9; T[i] : 0 <= i < 9 }"),
        condition=MAP("{ S[i] -> T[i] }"),
        conditional_validity=MAP("{ T[i] -> S[j] : j > i }"),
    )
    assert not broken_laws(schedule(asked).tree, asked)


def test_a_tag_at_one_end_only_is_refused() -> None:
    domain, pairs = SET("{ S[i]; T[i] }"), MAP("{ [T[i] -> Q[]] -> S[i] }")
    with pytest.raises(ValueError, match="pairs of condition have a tag at one end only"):
        ScheduleConstraints(domain, condition=pairs)
    with pytest.raises(ValueError, match="pairs of conditional_validity have a tag at one end"):
        ScheduleConstraints(domain, conditional_validity=pairs)


def test_a_context_is_about_parameters() -> None:
    with pytest.raises(ValueError, match="about parameters only"):
        ScheduleConstraints(SET("{ S[i] }"), context=isl.Set("{ [i] : i > 0 }"))


def test_constraints_are_isl_unions() -> None:
    with pytest.raises(TypeError, match=r"validity must be an isl\.UnionMap, not Map"):
        ScheduleConstraints(SET("{ S[i] }"), validity=isl.Map("{ S[i] -> S[i + 1] }"))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "given", [{"max_coefficient": 1.5}, {"max_constant_term": "2"}, {"group_chains": "no"}]
)
def test_options_have_their_types(given: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=f"^{next(iter(given))} must be "):
        SchedulerOptions(**given)


def test_only_programs_and_constraints_are_scheduled() -> None:
    with pytest.raises(TypeError, match="is scheduled, not str"):
        schedule("{ S[i] }")  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="options must be SchedulerOptions, not NoneType"):
        schedule(ScheduleConstraints(SET("{ S[i] }")), None)  # pyright: ignore[reportArgumentType]


def test_a_pair_of_an_instance_with_itself_asks_for_nothing() -> None:
    asked = ScheduleConstraints(
        SET("{ S[i] : 0 <= i < 9 }"),
        validity=MAP("{ S[i] -> S[i] }"),
        coincidence=MAP("{ S[i] -> S[i] }"),
    )
    assert schedule(asked).tree.get_root().child(0).band_member_get_coincident(0)


def test_contradictions_are_named() -> None:
    both_ways = MAP("{ S[i] -> T[i]; T[i] -> S[i] }")
    asked = ScheduleConstraints(SET("{ S[i] : 0 <= i < 9; T[i] : 0 <= i < 9 }"), validity=both_ways)
    with pytest.raises(ValueError, match="no schedule meets the constraints between S, T"):
        schedule(asked)


def test_an_empty_domain_has_an_empty_schedule() -> None:
    tree = schedule(ScheduleConstraints(SET("[n] -> { }"))).tree
    assert tree.get_domain().is_empty()


def test_a_limit_on_time_is_kept() -> None:
    chain = " ".join(f"S{at}[i, j, k] -> S{at + 1}[i + 1, j - 1, k + 2];" for at in range(12))
    domain = " ".join(f"S{at}[i, j, k] : 0 <= i, j, k < 50;" for at in range(13))
    back = "S12[i, j, k] -> S0[i + 1, j, k - 3];"
    pairs = MAP(f"{{ {chain} {back} }}")
    asked = ScheduleConstraints(SET(f"{{ {domain} }}"), pairs, pairs, pairs)
    with pytest.raises(TimeoutError):
        schedule(asked, SchedulerOptions(time_limit=1e-9))


def test_bounds_left_out_against_coalescing_come_back_where_they_are_needed() -> None:
    """Without the size of i, differences of j would be unbounded below, and j could carry nothing.

    The condition is apart, since S and T have nothing else in common.
    """
    asked = ScheduleConstraints(
        SET("{ T[i, j] : j <= 19; S[i, j] : 0 <= i <= 6 }"),
        validity=MAP("{ S[i, j] -> S[i - 2 - j, 1 + j] : i <= 6 and 0 <= j <= i - 2 }"),
        condition=MAP("{ [S[i, 19] -> P[]] -> [T[i, j] -> Q[]] : 0 <= i <= 6 and 0 <= j <= 19 }"),
        conditional_validity=MAP(
            "{ [S[i, j] -> R[]] -> [S[1 + i + j, k] -> P[]] : 0 <= i and 0 <= j <= 5 - i"
            " and j <= k <= 19 }"
        ),
    )
    assert not broken_laws(schedule(asked).tree, asked)


def test_a_member_that_folds_two_loops_yields_to_a_plain_one() -> None:
    pairs = MAP("{ S[i, j] -> S[k, l] : 1000 i + j + 1 = 1000 k + l }")
    domain = SET("{ S[i, j] : 0 <= i, j < 1000 }")
    tree = schedule(ScheduleConstraints(domain, pairs, pairs, pairs)).tree
    outer, inner = (str(band.band_get_partial_schedule()) for band in bands_of(tree))
    assert outer == "[{ S[i, j] -> [(i)] }]"
    assert inner == "[{ S[i, j] -> [(j)] }]"


# --- variables that iterations share ------------------------------------------------------------

LAST_VALUE = """void f(int n, int k, double a[n], double b[n]) {
  double t = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    t = a[i];
    b[i] = t;
  }
  USE
#pragma endscop
}
"""


@pytest.mark.parametrize(
    ("use", "is_parallel"),
    [
        ("a[0] = 1;", True),
        ("b[0] = t;", False),
        ("for (int i = 0; i < n; i++) b[i] += t;", False),
        ("t = 1; b[0] = t;", True),
    ],
)
def test_a_loop_whose_last_value_is_used_is_not_parallel(use: str, is_parallel: bool) -> None:
    (scop,) = read_c(LAST_VALUE.replace("USE", use))
    for options in (PPCG, SchedulerOptions(group_chains=False, serialize_sccs=True)):
        made = schedule(scop, options)
        around = [each for each in bands_of(made.tree) if "S0" in str(each.get_domain())]
        assert all(bool(each.band_member_get_coincident(0)) == is_parallel for each in around)
        told = [each for each in made.trace.events if isinstance(each, SharedVariable)]
        assert [each.arrays for each in told] == ([] if is_parallel else [("t",)])
