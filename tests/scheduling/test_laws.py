"""The laws on random constraints and programs, and that the check of them is not blind."""

from __future__ import annotations

from pathlib import Path

import islpy as isl
import pytest

from loopwright import ScheduleConstraints, constraints_of, dependences, read_c, schedule
from loopwright.model.scheduling_trace import KeptOriginal
from loopwright.scheduling.options import ISL, PPCG, SchedulerOptions

from .laws import broken_laws, broken_laws_of_program
from .random_constraints import seeded_case
from .verdicts import verdict

CHUNKS = 10
PER_CHUNK = 9
FIRST_SEED = 20_170_301
REPLACED = {20_170_379: 20_170_404}
"""A program that became too hard when elements that nobody writes became parameters.

Its loop up to ``X[1] % 2`` was one atomic statement, and has six statements and seven parameters
now; the scheduler gives it up (LW801).
"""


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_cases_keep_all_laws(chunk: int) -> None:
    first = FIRST_SEED + chunk * PER_CHUNK
    for each in range(first, first + PER_CHUNK):
        seed = REPLACED.get(each, each)
        case = seeded_case(seed)
        found = verdict(case)
        if not found.is_fine:
            pytest.fail(f"seed {seed}: {found.kind}\n{case}\n\n{found.detail}")


SLOW = {"mappings-figure-7"}
"""Its schedule takes seconds, and its parts are in other examples."""
PROGRAMS = [
    path
    for folder in ("benchmarks/kernels", "examples/papers")
    for path in sorted((Path(__file__).parents[2] / folder).glob("*.c"))
    if path.stem not in SLOW
]


def options_for(path: Path) -> list[SchedulerOptions]:
    """The options of isl are for the kernels: they take up to half a minute for an example."""
    return [PPCG, ISL] if path.parent.name == "kernels" else [PPCG]


@pytest.mark.parametrize(
    ("path", "options"),
    [(path, options) for path in PROGRAMS for options in options_for(path)],
    ids=lambda each: each.stem if isinstance(each, Path) else "isl" if each is ISL else "ppcg",
)
def test_kernels_and_examples_of_the_papers_keep_all_laws(
    path: Path, options: SchedulerOptions
) -> None:
    for scop in read_c(path):
        found = dependences(scop)
        made = schedule(found, options)
        if not any(isinstance(each, KeptOriginal) for each in made.trace.events):
            assert not broken_laws(made.tree, constraints_of(found))
            assert not broken_laws_of_program(made.tree, found)


# --- every law can be broken ----------------------------------------------------------------------

SQUARE = "{ S[i, j] : 0 <= i <= 9 and 0 <= j <= 9 }"


def band(members: str, *, permutable: bool = False, coincident: str = "[0, 0]") -> isl.Schedule:
    """Two loops around a square of instances."""
    return isl.Schedule(
        f'{{ domain: "{SQUARE}", child: {{ schedule: "{members}", '
        f"permutable: {int(permutable)}, coincident: {coincident} }} }}"
    )


def asked(validity: str = "{ }", coincidence: str = "{ }") -> ScheduleConstraints:
    return ScheduleConstraints(
        isl.UnionSet(SQUARE),
        validity=isl.UnionMap(validity),
        coincidence=isl.UnionMap(coincidence),
    )


def laws_broken(tree: isl.Schedule, constraints: ScheduleConstraints) -> set[str]:
    return {each.law for each in broken_laws(tree, constraints)}


AS_WRITTEN = "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
DIAGONAL = "{ S[i, j] -> S[i + 1, j - 1] }"


def test_an_order_that_is_fine_breaks_nothing() -> None:
    for down in (DIAGONAL, "{ S[i, j] -> S[i, j + 1] }", "{ S[i, j] -> S[i + 1, b] }"):
        assert laws_broken(band(AS_WRITTEN), asked(validity=down, coincidence=down)) == set()


def test_a_pair_that_runs_backwards() -> None:
    backwards = "[{ S[i, j] -> [(-i)] }, { S[i, j] -> [(j)] }]"
    assert laws_broken(band(backwards), asked(validity=DIAGONAL)) == {"validity"}


def test_a_pair_that_runs_at_the_same_time() -> None:
    alike = "{ S[i, j] -> S[i + 1, j] }"
    flat = "[{ S[i, j] -> [(j)] }, { S[i, j] -> [(0)] }]"
    assert laws_broken(band(flat), asked(validity=alike)) == {"validity", "complete"}


def test_pairs_of_instances_that_do_not_exist_count_for_nothing() -> None:
    outside = "{ S[i, j] -> S[i - 1, j] : i > 10; T[] -> S[0, 0] }"
    assert laws_broken(band(AS_WRITTEN), asked(validity=outside)) == set()


def test_a_band_that_is_not_permutable() -> None:
    tree = band(AS_WRITTEN, permutable=True)
    assert laws_broken(tree, asked(validity=DIAGONAL)) == {"permutable"}


def test_a_member_is_coincident_on_its_own_and_not_thanks_to_an_earlier_one() -> None:
    pairs = asked(validity=DIAGONAL, coincidence=DIAGONAL)
    assert laws_broken(band(AS_WRITTEN, coincident="[0, 1]"), pairs) == {"coincidence"}
    split = band(AS_WRITTEN, coincident="[0, 1]").get_root().child(0).band_split(1)
    assert laws_broken(split.get_schedule(), pairs) == set()


def test_instances_that_share_a_time() -> None:
    skewed = "[{ S[i, j] -> [(i + j)] }, { S[i, j] -> [(2i + 2j)] }]"
    assert laws_broken(band(skewed), asked()) == {"complete"}


def test_one_to_one_by_chance_is_not_complete() -> None:
    folded = "[{ S[i, j] -> [(10i + j)] }, { S[i, j] -> [(0)] }]"
    assert laws_broken(band(folded), asked()) == {"complete"}


def test_a_line_needs_one_member_only() -> None:
    line = isl.UnionSet("{ S[i, j = 2i] : 0 <= i <= 4 }")
    tree = isl.Schedule('{ domain: "{ S[i, j = 2i] : 0 <= i <= 4 }" }')
    one = isl.MultiUnionPwAff("[{ S[i, j] -> [(i)] }]")
    assert laws_broken(tree, ScheduleConstraints(line)) == {"complete"}
    assert laws_broken(tree.insert_partial_schedule(one), ScheduleConstraints(line)) == set()


def test_instances_that_are_missing_or_invented() -> None:
    for other in ("{ S[i, j] : 0 <= i <= 8 and 0 <= j <= 9 }", "{ T[] }"):
        constraints = ScheduleConstraints(isl.UnionSet(other))
        assert laws_broken(band(AS_WRITTEN), constraints) == {"domain"}


def test_parameters_outside_the_context_do_not_count() -> None:
    line = isl.UnionSet("[n] -> { S[i] : 0 <= i < n }")
    tree = isl.Schedule.from_domain(line)
    constraints = ScheduleConstraints(line, context=isl.Set("[n] -> { : n = 1 }"))
    assert laws_broken(tree, constraints) == set()
    assert laws_broken(tree, ScheduleConstraints(line)) == {"complete"}


# --- conditional validity -------------------------------------------------------------------------

USES = "{ W[i] : 0 <= i <= 9; R[i] : 0 <= i <= 9 }"
LIVE_RANGES = ScheduleConstraints(
    isl.UnionSet(USES),
    validity=isl.UnionMap("{ W[i] -> R[i] }"),
    condition=isl.UnionMap("{ [W[i] -> A[]] -> [R[i] -> B[]] }"),
    conditional_validity=isl.UnionMap("{ [R[i] -> B[]] -> [W[j] -> A[]] : j > i }"),
)
"""A scalar, written and read in each iteration."""


def uses(child: str) -> isl.Schedule:
    """A tree of the scalar's writes and reads."""
    return isl.Schedule(f'{{ domain: "{USES}", child: {child} }}')


IN_TURN = '{ sequence: [ { filter: "{ W[i] }" }, { filter: "{ R[i] }" } ] }'
BACKWARDS = '{ schedule: "[{ W[i] -> [(-i)]; R[i] -> [(-i)] }]", permutable: 1, child: %s }'


def test_live_ranges_may_run_backwards_as_a_whole() -> None:
    assert laws_broken(uses(BACKWARDS % IN_TURN), LIVE_RANGES) == set()


@pytest.mark.parametrize("permutable", [0, 1])
def test_a_live_range_over_two_iterations_keeps_its_neighbours_in_order(permutable: int) -> None:
    late = '{ schedule: "[{ W[i] -> [(i)]; R[i] -> [(i + 1)] }]", permutable: %d, child: %s }'
    for first, second, expected in (("R", "W", set()), ("W", "R", {"conditional validity"})):
        filters = ", ".join(f'{{ filter: "{{ {each}[i] }}" }}' for each in (first, second))
        tree = uses(late % (permutable, f"{{ sequence: [ {filters} ] }}"))
        assert laws_broken(tree, LIVE_RANGES) == expected


def test_live_ranges_that_are_all_begun_before_any_is_over() -> None:
    one = '{ schedule: "[{ W[i] -> [(i)]; R[i] -> [(i)] }]" }'
    children = [f'{{ filter: "{{ {each}[i] }}", child: {one} }}' for each in "WR"]
    apart = f"{{ sequence: [ {', '.join(children)} ] }}"
    assert laws_broken(uses(apart), LIVE_RANGES) == {"conditional validity"}


def test_a_condition_that_an_outer_node_has_carried_still_holds() -> None:
    outer = "{ W[i] -> [(0)]; R[i] -> [(1)]; X[i] -> [(1)] }"
    inner = "{ W[i] -> [(i)]; R[i] -> [(i)]; X[i] -> [(%s)] }"
    domain = "{ W[i] : 0 <= i <= 9; R[i] : 0 <= i <= 9; X[i] : 0 <= i <= 9 }"
    constraints = ScheduleConstraints(
        isl.UnionSet(domain),
        validity=isl.UnionMap("{ W[i] -> R[i] }"),
        condition=isl.UnionMap("{ W[i] -> R[i] }"),
        conditional_validity=isl.UnionMap("{ R[i] -> X[i] }"),
    )
    for time, expected in (("i + 1", set()), ("i", {"conditional validity"})):
        tree = isl.Schedule.from_domain(isl.UnionSet(domain))
        members = isl.MultiUnionPwAff(f"[{outer}, {inner % time}]")
        tree = tree.insert_partial_schedule(members)
        assert laws_broken(tree, constraints) == expected


def test_only_the_same_reference_is_adjacent() -> None:
    elsewhere = ScheduleConstraints(
        LIVE_RANGES.domain,
        validity=LIVE_RANGES.validity,
        condition=LIVE_RANGES.condition,
        conditional_validity=isl.UnionMap("{ [R[i] -> C[]] -> [W[j] -> D[]] : j > i }"),
    )
    late = '{ schedule: "[{ W[i] -> [(i)]; R[i] -> [(i + 1)] }]" }'
    assert laws_broken(uses(late), elsewhere) == set()


# --- programs -------------------------------------------------------------------------------------


def test_the_judge_of_dependences_has_its_say() -> None:
    text = """void f(double A[10][10]) {
    #pragma scop
      for (int i = 1; i < 10; i++)
        for (int j = 0; j < 9; j++)
          A[i][j] = A[i - 1][j + 1];
    #pragma endscop
    }"""
    found = dependences(read_c(text)[0])
    domain = constraints_of(found).domain
    members = isl.MultiUnionPwAff("[{ S0[i, j] -> [(j)] }, { S0[i, j] -> [(i)] }]")
    wrong = isl.Schedule.from_domain(domain).insert_partial_schedule(members)
    laws = {each.law for each in broken_laws_of_program(wrong, found)}
    assert laws == {"dependences"}
    assert not broken_laws_of_program(schedule(found).tree, found)
