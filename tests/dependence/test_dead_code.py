"""Instances whose results nobody needs go away, and nothing else changes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import islpy as isl
import pytest

from loopwright import Scop, dependences, read_c, respects
from loopwright.dependence.dead_code import live_instances, without_dead_code
from tests.frontend.expectations import instances_of, model_of, same

from .symbolic_execution import Element, Term, Terms, region_at, run

LOOP = "for (int i = 0; i < n; i++) "
ARRAYS = "int n, double *A, double *B"
KILL = {"prelude": "void __pencil_kill(double);"}


def alive(body: str, parameters: str = ARRAYS, **around: str) -> isl.UnionSet:
    """The instances that are left of the statements that execute something."""
    return instances_of(without_dead_code(model_of(body, parameters, **around)))


# --- what goes ------------------------------------------------------------------------------------


def test_what_is_overwritten_before_any_use_goes() -> None:
    same(alive("A[0] = 1; A[0] = 2;"), "{ S1[] }")
    same(alive("A[0] = 1; B[0] = A[0]; A[0] = 2;"), "{ S0[]; S1[]; S2[] }")
    same(alive(LOOP + "A[0] = i;"), "[n] -> { S0[i] : i = n - 1 and n > 0 }")


def test_of_elements_that_are_written_twice_the_first_write_goes() -> None:
    same(
        alive(LOOP + "B[i] = 1; for (int i = 0; i < n; i += 2) B[i] = 2;", "int n, double B[n]"),
        "[n] -> { S0[i] : 0 <= i < n and i mod 2 = 1; S1[i] : 0 <= i < n and i mod 2 = 0 }",
    )


def test_what_only_dead_variables_hold_goes() -> None:
    same(alive("t = 1; A[0] = 2;", before="double t;"), "{ S1[] }")
    same(alive("A[0] = 1; __pencil_kill(A[0]);", **KILL), "{ }")


def test_a_chain_of_dead_statements_goes_as_a_whole() -> None:
    left = alive(LOOP + "{ double t = A[i]; double u = 2 * t; double v = t + u; B[i] = A[i]; }")
    same(left, "[n] -> { S3[i] : 0 <= i < n }")
    left = alive("s = 0; " + LOOP + "s += A[i]; t = s; B[0] = 1;", before="double s, t;")
    same(left, "{ S3[] }")


def test_a_chain_goes_up_to_what_somebody_needs() -> None:
    left = alive(
        LOOP + "t[i] = A[i]; " + LOOP + "u[i] = t[i]; " + LOOP + "{ v[i] = u[i]; B[i] = t[i]; }",
        before="double t[n], u[n], v[n];",
    )
    same(left, "[n] -> { S0[i] : 0 <= i < n; S3[i] : 0 <= i < n }")


def test_what_is_needed_is_followed_far_back() -> None:
    """More steps back than are followed one by one."""
    body = "for (int t = 0; t < 9; t++) for (int i = 1; i < 99; i++) X[t + 1][i] = X[t][i - 1];"
    left = alive(body + " B[0] = X[9][50];", before="double X[10][99];")
    same(left, "{ S0[t, i] : i = 42 + t and 0 <= t < 9; S1[] }")


# --- what stays -----------------------------------------------------------------------------------


def test_an_accumulation_stays_whole() -> None:
    left = alive("s = 0; " + LOOP + "s += A[i]; B[0] = s;", before="double s;")
    same(left, "[n] -> { S0[]; S1[i] : 0 <= i < n; S2[] }")


def test_a_time_loop_that_uses_its_own_results_stays_whole() -> None:
    body = "for (int t = 0; t < n; t++) for (int i = 1; i < n - 1; i++) A[i] = A[i - 1] + A[i + 1];"
    same(alive(body), "[n] -> { S0[t, i] : 0 <= t < n and 0 < i < n - 1 }")


def test_a_call_stays_for_what_it_may_do() -> None:
    left = alive(LOOP + "{ observe(i); t = 1; }", before="double t;", prelude="void observe(int);")
    same(left, "[n] -> { S0[i] : 0 <= i < n }")


def test_a_may_write_ends_no_value() -> None:
    same(alive("A[0] = 1; if (B[0] > 0) A[0] = 2;"), "{ S0[]; S1[] }")
    same(
        alive(LOOP + "{ B[0] = i; if (A[i] > 0) B[0] = 2; }"),
        "[n] -> { S0[i] : i = n - 1 and n > 0; S1[i] : i = n - 1 and n > 0 }",
    )


def test_a_condition_that_something_depends_on_stays() -> None:
    left = alive("t = B[1]; if (t > 0) A[0] = 2;", before="double t;")
    same(left, "{ S0[]; S1[] }")


def test_a_promise_of_independence_is_not_relied_upon() -> None:
    """The promise is a lie: only its dependences would let the first iterations go."""
    body = "\n#pragma pencil independent\n" + LOOP + "A[i + 1] = A[i];\nB[0] = A[n];"
    left = alive(body + " for (int i = 0; i <= n; i++) A[i] = 0;")
    same(
        left,
        "[n] -> { S0[i] : 0 <= i < n; S1[]; S2[i] : 0 <= i <= n }",
    )


def test_nothing_is_dead_where_everything_is_needed() -> None:
    scop = model_of(LOOP + "A[i] = B[i];", "int n, double A[n], double B[n]")
    kept = without_dead_code(scop)
    assert kept.statements[0] is scop.statements[0]
    assert live_instances(scop).is_equal(scop.domain.intersect_params(scop.context))


# --- the region that is left ----------------------------------------------------------------------

MIXED = "{ double t = A[i]; B[0] = t; " + "B[1] = A[i]; }"


def test_the_schedule_and_the_accesses_are_those_of_the_living() -> None:
    scop = model_of(LOOP + MIXED, ARRAYS)
    kept = without_dead_code(scop)
    last = "i = n - 1 and n > 0"
    same(instances_of(kept), f"[n] -> {{ S0[i] : {last}; S1[i] : {last}; S2[i] : {last} }}")
    assert kept.schedule.get_domain().is_equal(kept.domain)
    for statement in (each for each in kept.statements if not each.is_kill):
        for access in statement.accesses:
            for relation in (access.may, access.must):
                assert relation.domain().is_subset(statement.domain), statement.name
    same(
        kept.may_writes(),
        f"[n] -> {{ S0[i] -> t[] : {last}; S1[i] -> B[0] : {last}; S2[i] -> B[1] : {last} }}",
    )
    assert respects(kept.schedule, dependences(kept))


def test_kills_stay() -> None:
    scop = model_of(LOOP + "{ double t = A[i]; } B[0] = 1;", ARRAYS)
    kept = without_dead_code(scop)
    for before, after in zip(scop.statements, kept.statements, strict=True):
        assert before.is_kill == after.is_kill
        assert after.domain.is_empty() == (before.name == "S0")


def test_promises_are_about_the_living() -> None:
    scop = model_of("\n#pragma pencil independent\n" + LOOP + "A[0] = i;")
    (promise,) = without_dead_code(scop).independences
    assert promise.pairs.is_empty()
    assert not scop.independences[0].pairs.is_empty()


def test_doing_it_again_changes_nothing() -> None:
    once = without_dead_code(model_of(LOOP + MIXED, ARRAYS))
    twice = without_dead_code(once)
    assert twice.domain.is_equal(once.domain)


# --- the results are the same ---------------------------------------------------------------------


def outcome(scop: Scop, values: Mapping[str, int], terms: Terms) -> dict[Element, Term]:
    """What is left in memory that somebody may want to know, as terms."""
    region = region_at(scop, values)
    return run(region, region.order, terms).live()


PROGRAMS = {
    "overwritten": LOOP + "{ B[0] = A[i]; B[i] = B[0]; }",
    "halves": LOOP + "B[i] = A[i]; for (int i = 0; i < n; i += 2) B[i] = A[0];",
    "a local": LOOP + MIXED,
    "a may-write": LOOP + "{ B[0] = i; if (A[i] > 0) B[0] = 2; }",
    "a recurrence": LOOP + "B[i] = 0; for (int i = 1; i < n; i++) { B[i] = B[i - 1]; B[0] = 1; }",
    "a triangle": LOOP + "for (int j = 0; j <= i; j++) B[j] = A[i] + B[j + 1];",
    "a rotation": "for (int t = 0; t < n; t++) " + LOOP + "B[i] = t + B[n - 1 - i];",
}


@pytest.mark.parametrize("body", PROGRAMS.values(), ids=list(PROGRAMS))
def test_what_is_left_computes_the_same(body: str) -> None:
    scop = model_of(body, ARRAYS)
    kept = without_dead_code(scop)
    for size in (1, 2, 5):
        terms = Terms()
        assert outcome(kept, {"n": size}, terms) == outcome(scop, {"n": size}, terms)


def test_what_is_left_of_reg_detect_computes_the_same() -> None:
    folder = Path(__file__).parents[2] / "examples" / "papers"
    (scop,) = read_c(folder / "ppcg-listing-19.c")
    kept = without_dead_code(scop)
    values = {"niter": 3, "maxgrid": 3, "length": 2}
    terms = Terms()
    assert outcome(kept, values, terms) == outcome(scop, values, terms)
    assert len(region_at(kept, values).order) * 3 == len(region_at(scop, values).order)


def test_leaving_out_a_living_instance_is_noticed() -> None:
    """The comparison above can fail."""
    scop = model_of(PROGRAMS["a recurrence"], ARRAYS)
    terms = Terms()
    region = region_at(scop, {"n": 4})
    everything = run(region, region.order, terms).live()
    shorter = run(region, region.order[:-1], terms).live()
    assert everything != shorter
