"""Control that depends on data: one atomic statement, sound and as tight as can be told."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright import Scop, Statement

from .expectations import certain_reads, expect, model_of, restricted, same

LOOP = "for (int i = 0; i < n; i++) "
ROWS = "0 <= i < n"
TWO = "int n, double *A, double *B"


def the_statement(scop: Scop) -> Statement:
    (statement,) = [each for each in scop.statements if not each.is_kill]
    return statement


def test_a_data_dependent_if() -> None:
    scop = model_of(LOOP + "if (B[i] > 0) A[i] = B[i + 1];", TWO)
    assert the_statement(scop).is_dynamic
    expect(
        scop,
        instances=f"[n] -> {{ S0[i] : {ROWS} }}",
        reads=f"[n] -> {{ S0[i] -> B[x] : {ROWS} and i <= x <= i + 1 }}",
        may_writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}",
        must_writes="{ }",
        context="{ : }",
    )
    same(certain_reads(scop), f"[n] -> {{ S0[i] -> B[i] : {ROWS} }}")


def test_a_data_dependent_else() -> None:
    scop = model_of(LOOP + "if (B[i] > 0) A[i] = 1; else A[i + 1] = 2;", TWO)
    expect(
        scop,
        may_writes=f"[n] -> {{ S0[i] -> A[x] : {ROWS} and i <= x <= i + 1 }}",
        must_writes="{ }",
    )


def test_what_both_branches_write_is_certainly_written() -> None:
    scop = model_of(LOOP + "if (B[i] > 0) { A[i] = 1; A[0] = 2; } else A[i] = 3;", TWO)
    expect(
        scop,
        may_writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS}; S0[i] -> A[0] : {ROWS} }}",
        must_writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}",
    )


def test_an_update_in_one_branch_alone_is_no_certain_read() -> None:
    scop = model_of(LOOP + "if (B[i] > 0) A[i] = 1; else A[i] += 2;", TWO)
    expect(scop, must_writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}")
    same(certain_reads(scop), f"[n] -> {{ S0[i] -> B[i] : {ROWS} }}")


def test_a_read_in_the_other_branch_makes_no_write_certain() -> None:
    scop = model_of(LOOP + "if (B[i] > 0) A[i] = 1; else B[i] = A[i];", TWO)
    expect(scop, must_writes="{ }")


def test_what_both_branches_write_only_sometimes_is_not_certain() -> None:
    branches = (
        "if (B[i] > 0) { if (i > 3) A[i] = 1; } else { if (B[0] > 1) A[i] = 3; else A[i] = 2; }"
    )
    scop = model_of(LOOP + branches, TWO)
    expect(scop, must_writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS} and i > 3 }}")


def test_an_affine_part_of_a_data_dependent_condition() -> None:
    scop = model_of(LOOP + "if (i > 3 && B[i] > 0) A[i] = 1;", TWO)
    same(restricted(scop.may_reads(), "B"), f"[n] -> {{ S0[i] -> B[i] : {ROWS} and i > 3 }}")
    written = isl.UnionMap(f"[n] -> {{ S0[i] -> A[i] : {ROWS} and i > 3 }}")
    assert written.is_subset(scop.may_writes())


def test_affine_control_inside_dynamic_control_is_exact() -> None:
    body = LOOP + "if (B[i] > 0) { if (i > 3) A[i] = 1; for (int j = 0; j < i; j++) A[j] = 2; }"
    scop = model_of(body, TWO)
    expect(
        scop,
        may_writes=f"""[n] -> {{ S0[i] -> A[i] : {ROWS} and i > 3;
            S0[i] -> A[j] : {ROWS} and 0 <= j < i }}""",
        must_writes="{ }",
    )


def test_what_runs_before_dynamic_control_in_the_same_statement_is_certain() -> None:
    body = "while (A[0] > 0) { A[0] -= 1; B[3] = 1; }"
    scop = model_of(body, TWO)
    expect(
        scop,
        instances="{ S0[] }",
        reads="{ S0[] -> A[0] }",
        may_writes="{ S0[] -> A[0]; S0[] -> B[3] }",
        must_writes="{ }",
    )
    same(certain_reads(scop), "{ S0[] -> A[0] }")


def test_do_while_runs_once_for_certain() -> None:
    scop = model_of("do { A[0] -= 1; if (B[0] > 0) B[1] = 2; } while (A[1] > 0);", TWO)
    expect(
        scop,
        may_writes="{ S0[] -> A[0]; S0[] -> B[1] }",
        must_writes="{ S0[] -> A[0] }",
    )
    certain = "{ S0[] -> A[x] : 0 <= x <= 1; S0[] -> B[0] }"
    same(certain_reads(scop), certain)


def test_do_while_with_break_is_certain_only_up_to_it() -> None:
    scop = model_of("do { A[0] = 1; if (B[0] > 0) break; A[1] = 2; } while (A[2] > 0);", TWO)
    expect(scop, may_writes="{ S0[] -> A[x] : 0 <= x <= 1 }")
    assert scop.must_writes().is_subset(isl.UnionMap("{ S0[] -> A[0] }"))


def test_a_while_loop_over_data() -> None:
    body = LOOP + "{ int k = 0; while (K[k] < i) { A[k] = i; k++; } }"
    scop = model_of(body, "int n, double *A, int *K")
    dynamic = [each for each in scop.statements if each.is_dynamic]
    assert len(dynamic) == 1
    assert dynamic[0].iterators == ("i",)
    same(restricted(scop.must_writes(), "A"), "{ }")
    writes = restricted(scop.may_writes(), "A")
    assert isl.UnionMap(f"[n] -> {{ {dynamic[0].name}[i] -> A[x] : {ROWS} }}").is_subset(writes)


def test_break_makes_the_loop_atomic() -> None:
    scop = model_of(LOOP + "{ if (B[i] < 0) break; A[i] = B[i]; }", TWO)
    statement = the_statement(scop)
    assert statement.is_dynamic
    expect(
        scop,
        instances="{ S0[] }",
        reads=f"[n] -> {{ S0[] -> B[i] : {ROWS} }}",
        may_writes=f"[n] -> {{ S0[] -> A[i] : {ROWS} }}",
        must_writes="{ }",
    )


def test_break_of_an_inner_loop_leaves_the_outer_one_affine() -> None:
    body = LOOP + "for (int j = 0; j < i; j++) { if (B[j] < 0) break; A[i] += B[j]; }"
    scop = model_of(body, TWO)
    expect(
        scop,
        instances=f"[n] -> {{ S0[i] : {ROWS} }}",
        may_writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS} and i > 0 }}",
        must_writes="{ }",
    )


def test_a_break_under_an_affine_condition_is_sound() -> None:
    scop = model_of(LOOP + "{ if (i == 5) break; A[i] = 0; }")
    statement = the_statement(scop)
    instances = f"[n] -> {{ {statement.name}[i] -> A[i] : {ROWS} and i < 5 }}"
    if statement.iterators:
        expect(scop, writes=instances)
    else:
        first = isl.UnionMap(f"[n] -> {{ S0[] -> A[i] : {ROWS} and i < 5 }}")
        assert first.is_subset(scop.may_writes())
        assert scop.must_writes().is_subset(first)


def test_a_data_dependent_continue_makes_the_rest_atomic() -> None:
    scop = model_of(LOOP + "{ A[i] = 0; if (B[i] < 0) continue; A[i + 1] = 1; }", TWO)
    expect(
        scop,
        instances=f"[n] -> {{ S0[i] : {ROWS}; S1[i] : {ROWS} }}",
        may_writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS}; S1[i] -> A[i + 1] : {ROWS} }}",
        must_writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}",
    )
    assert [each.is_dynamic for each in scop.statements if not each.is_kill] == [False, True]


def test_a_continue_after_work_in_a_branch() -> None:
    scop = model_of(LOOP + "{ if (i > 3) { A[i] = 1; continue; } A[i] = 2; }")
    seen = scop.may_writes().range()
    same(seen, f"[n] -> {{ A[i] : {ROWS} }}")


@pytest.mark.parametrize(
    "header",
    [
        "int j = 0; j < K[i]; j++",
        "int j = K[i]; j < n; j++",
        "int j = 0; j < i * i; j++",
        "int j = 0; j * j < n; j++",
        "int j = 0; j < n; j += K[i]",
    ],
)
def test_bounds_that_are_not_affine(header: str) -> None:
    scop = model_of(LOOP + f"for ({header}) A[j] += 1;", "int n, double *A, int *K")
    expect(
        scop,
        instances=f"[n] -> {{ S0[i] : {ROWS} }}",
        may_writes=f"[n] -> {{ S0[i] -> A[x] : {ROWS} }}",
        must_writes="{ }",
    )
    assert the_statement(scop).is_dynamic


def test_affine_subscripts_under_a_dynamic_bound_stay_tight() -> None:
    scop = model_of(
        LOOP + "for (int j = 0; j < K[i]; j++) A[i] += B[j];", "int n, double *A, double *B, int *K"
    )
    same(restricted(scop.may_writes(), "A"), f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}")
    same(restricted(certain_reads(scop), "K"), f"[n] -> {{ S0[i] -> K[i] : {ROWS} }}")


def test_indirect_subscripts_touch_the_whole_extent() -> None:
    scop = model_of(LOOP + "A[K[i]] += B[K[i] + 1];", "int n, double A[10], double B[20], int K[n]")
    expect(
        scop,
        reads=f"""[n] -> {{ S0[i] -> K[i] : {ROWS}; S0[i] -> A[x] : {ROWS} and 0 <= x < 10;
            S0[i] -> B[x] : {ROWS} and 0 <= x < 20 }}""",
        may_writes=f"[n] -> {{ S0[i] -> A[x] : {ROWS} and 0 <= x < 10 }}",
        must_writes="{ }",
    )
    assert not the_statement(scop).is_dynamic


def test_an_indirect_row_keeps_its_affine_column() -> None:
    scop = model_of(LOOP + "A[K[i]][i] = 0;", "int n, double A[10][n], int K[n]")
    expect(scop, may_writes=f"[n] -> {{ S0[i] -> A[x, i] : {ROWS} and 0 <= x < 10 }}")


@pytest.mark.parametrize("subscript", ["i * i", "i % n", "i / n", "i ^ 1", "i & 5", "(int) x"])
def test_subscripts_that_are_not_affine(subscript: str) -> None:
    scop = model_of(LOOP + f"A[{subscript}] = 0;", "int n, double A[100], double x")
    expect(
        scop,
        instances=f"[n] -> {{ S0[i] : {ROWS} }}",
        may_writes=f"[n] -> {{ S0[i] -> A[x] : {ROWS} and 0 <= x < 100 }}",
        must_writes="{ }",
    )


def test_scalars_that_hold_subscripts_are_data() -> None:
    scop = model_of("int k = 0; " + LOOP + "if (B[i] > 0) A[k++] = B[i];", TWO)
    same(restricted(scop.must_writes(), "A"), "{ }")
    dynamic = next(each for each in scop.statements if each.is_dynamic)
    anywhere = isl.UnionMap(f"[n] -> {{ {dynamic.name}[i] -> A[x] : {ROWS} }}")
    same(restricted(scop.may_writes(), "A"), str(anywhere))
    same(
        restricted(scop.may_writes().intersect_domain(anywhere.domain()), "k"),
        f"[n] -> {{ {dynamic.name}[i] -> k[] : {ROWS} }}",
    )


def test_private_locals_of_an_atomic_statement_are_no_arrays() -> None:
    body = LOOP + "if (B[i] > 0) { double t = B[i]; int k = i + 1; t *= 2; A[k] = t; }"
    scop = model_of(body, TWO)
    assert {array.name for array in scop.arrays} == {"A", "B"}
    same(scop.may_writes(), f"[n] -> {{ S0[i] -> A[i + 1] : {ROWS} }}")


def test_a_loop_inside_an_atomic_statement_with_an_outer_iterator() -> None:
    body = LOOP + "if (B[i] > 0) for (j = 0; j < 4; j++) A[j] = i;"
    scop = model_of(body, TWO, before="int j;")
    expect(scop, may_writes=f"[n] -> {{ S0[i] -> A[j] : {ROWS} and 0 <= j < 4 }}")


def test_an_iterator_that_is_used_after_an_atomic_search() -> None:
    body = "for (k = 0; k < n; k++) if (B[k] < 0) break; A[0] = k;"
    scop = model_of(body, TWO, before="int k;")
    reads = restricted(scop.may_reads().intersect_domain(isl.UnionSet("{ S1[] }")), "k")
    same(reads, "{ S1[] -> k[] }")
    same(restricted(scop.must_writes(), "k"), "{ S0[] -> k[] }")


def test_nested_while_loops_are_one_statement() -> None:
    body = "while (A[0] > 0) { while (A[1] > 0) A[1]--; A[0]--; }"
    expect(model_of(body), instances="{ S0[] }", may_writes="{ S0[] -> A[x] : 0 <= x <= 1 }")


def test_a_parameter_that_the_region_changes_is_data() -> None:
    scop = model_of(LOOP + "{ A[i] = 0; n--; }")
    assert scop.parameters == ()
    statement = the_statement(scop)
    assert statement.is_dynamic
    same(restricted(scop.may_writes(), "A"), "{ S0[] -> A[x] }")


def test_a_ternary_with_side_effects_is_conditional() -> None:
    scop = model_of(LOOP + "B[i] > 0 ? (A[i] = 1) : (A[i + 1] = 2);", TWO)
    expect(
        scop,
        may_writes=f"[n] -> {{ S0[i] -> A[x] : {ROWS} and i <= x <= i + 1 }}",
        must_writes="{ }",
    )


def test_dynamic_control_in_sequence_stays_in_sequence() -> None:
    scop = model_of("if (A[0] > 0) A[1] = 1; while (A[1] > 0) A[1]--; A[2] = 3;")
    assert [each.is_dynamic for each in scop.statements if not each.is_kill] == [True, True, False]


def test_a_condition_with_a_side_effect_is_not_affine() -> None:
    scop = model_of("if (k++ < 3) A[0] = 1;", "int k, double *A", after="A[1] = k;")
    same(restricted(scop.must_writes(), "k"), "{ S0[] -> k[] }")
    same(restricted(scop.must_writes(), "A"), "{ }")
