"""What calls do to memory."""

from __future__ import annotations

from pathlib import Path

import islpy as isl
import pytest

from loopwright import Scop

from .expectations import codes, expect, kernel, model_of, restricted, same, scop_of

LOOP = "for (int i = 0; i < n; i++) "
ROWS = "0 <= i < n"
UPDATE = f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}"


def only_known(scop: Scop) -> None:
    """No call reaches beyond what the program shows."""
    assert "outside_world" not in {array.name for array in scop.arrays}
    assert not codes(scop)


# --- pure functions ----------


@pytest.mark.parametrize(
    "call",
    ["sqrt(A[i])", "pow(A[i], 2.0)", "fabs(A[i])", "sqrtf(A[i])", "fmax(A[i], 0)", "floor(A[i])"],
)
def test_functions_of_math_h_only_compute(call: str) -> None:
    scop = model_of(LOOP + f"A[i] = {call};", prelude="#include <math.h>")
    expect(scop, reads=UPDATE, writes=UPDATE)
    only_known(scop)


def test_a_function_of_math_h_that_writes_through_a_pointer_is_not_pure() -> None:
    scop = model_of("A[0] = frexp(A[1], K);", "double *A, int *K", prelude="#include <math.h>")
    same(restricted(scop.may_writes(), "K"), "{ S0[] -> K[x] }")


def test_the_attribute_const() -> None:
    prelude = "__attribute__((const)) double f(double);"
    scop = model_of(LOOP + "A[i] = f(A[i]);", prelude=prelude)
    expect(scop, reads=UPDATE, writes=UPDATE)
    only_known(scop)


def test_the_attribute_pure_reads_what_it_can_reach() -> None:
    prelude = "double g; __attribute__((pure)) double sum(double *);"
    scop = model_of(LOOP + "B[i] = sum(A) + g;", "int n, double A[n], double *B", prelude=prelude)
    reads = f"[n] -> {{ S0[i] -> A[x] : {ROWS} and 0 <= x < n; S0[i] -> g[] : {ROWS} }}"
    expect(scop, reads=reads, writes=f"[n] -> {{ S0[i] -> B[i] : {ROWS} }}")
    assert "outside_world" not in {array.name for array in scop.arrays}


def test_a_pure_function_hinders_no_parameter() -> None:
    prelude = "int g; __attribute__((pure)) double peek(int);"
    scop = model_of("for (int i = 0; i < g; i++) A[i] = peek(i);", prelude=prelude)
    expect(scop, instances="[g] -> { S0[i] : 0 <= i < g }")


COUNTING = "int k;\n"
COUNTED = f"[n] -> {{ S0[i] -> k[] : {ROWS} }}"


@pytest.mark.parametrize(
    ("prelude", "call"),
    [
        ("static int abs(int x) { return k++ + x; }", "abs(i)"),
        ("#include <stdlib.h>\nint abs(int x) { return k++ + x; }", "abs(i)"),
        ("#include <math.h>\ndouble sqrt(double x) { return k++ + x; }", "sqrt(A[i])"),
        ("#include <math.h>\ndouble fabs(double x) { return k++ + x; }", "fabs(A[i])"),
        ("static double max(double x, double y) { return k++ + x; }", "max(A[i], 2)"),
    ],
)
def test_a_function_with_a_body_does_what_that_says(prelude: str, call: str) -> None:
    """The headers of some systems declare ``abs`` and ``fabs`` with the attribute const."""
    scop = model_of(LOOP + f"A[i] = {call};", prelude=COUNTING + prelude)
    same(restricted(scop.must_writes(), "k"), COUNTED)
    same(restricted(scop.may_reads(), "k"), COUNTED)
    only_known(scop)


def test_a_body_behind_the_call() -> None:
    program = """#include <math.h>
      int k;
      void f(double *A) {
      #pragma scop
      A[0] = fabs(A[0]);
      #pragma endscop
      }
      double fabs(double x) { return k++ + x; }"""
    same(restricted(scop_of(program).must_writes(), "k"), "{ S0[] -> k[] }")


def test_the_attribute_of_a_function_with_a_body_counts_if_it_is_the_programs_own() -> None:
    prelude = COUNTING + "__attribute__((const)) static double f(double x) { return k++ + x; }"
    scop = model_of(LOOP + "A[i] = f(A[i]);", prelude=prelude)
    expect(scop, reads=UPDATE, writes=UPDATE)


def test_a_library_function_that_the_program_declares_itself() -> None:
    scop = model_of(LOOP + "A[abs(i - 3)] = 0;", prelude="int abs(int);")
    expect(scop, writes=f"[n] -> {{ S0[i] -> A[max(i - 3, 3 - i)] : {ROWS} }}")
    only_known(scop)
    assert not assumed(scop)


@pytest.mark.parametrize("call", ["lgamma", "lgammaf", "lgammal", "gamma", "gammaf", "gammal"])
def test_functions_that_set_signgam(call: str) -> None:
    scop = model_of(LOOP + f"A[i] = {call}(A[i]);", prelude="#include <math.h>")
    assert "outside_world" in {array.name for array in scop.arrays}
    scop = model_of(LOOP + "A[i] = tgamma(A[i]);", prelude="#include <math.h>")
    only_known(scop)


def test_a_header_of_the_program_that_has_the_name_of_a_header_of_the_system(
    tmp_path: Path,
) -> None:
    (tmp_path / "math.h").write_text("int peek(int);\n")
    program = kernel(LOOP + "A[i] = peek(i);", prelude='#include "math.h"')
    scop = scop_of(program, include=[str(tmp_path)])
    assert "outside_world" in {array.name for array in scop.arrays}


# --- functions that are known by their names ----------


def assumed(scop: Scop) -> list[str]:
    """What is assumed about functions."""
    return [each.reason for each in scop.assumptions if "its name says" in each.reason]


TRUSTED = ["min does what its name says"]


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < min(n, 9); i++) A[min(i, 3)] = min(i, n);",
        LOOP + "if (i < min(n, 9)) A[i] = 0;",
        LOOP + "A[i] = min(A[i], 2);",
        LOOP + "{ int t = min(i, 4); A[t] = 0; }",
        LOOP + "put(A, i);",
        LOOP + "{ int k = 0; while (A[k] > 0) k = min(k + 1, n); A[i] = k; }",
    ],
)
def test_what_is_read_by_its_name_is_assumed_once(body: str) -> None:
    prelude = "int min(int, int); static void put(double *p, int k) { p[k] = min(k, 2); }"
    scop = model_of(body, prelude=prelude)
    assert assumed(scop) == TRUSTED
    only_known(scop)


def test_the_value_of_a_function_that_is_known_by_its_name() -> None:
    scop = model_of("for (int i = 0; i < min(n, 9); i++) A[i] = 0;", prelude="int min(int, int);")
    expect(scop, instances="[n] -> { S0[i] : 0 <= i < n and i < 9 }")


@pytest.mark.parametrize(
    ("declared", "parameters", "call"),
    [
        ("int min(const double *, int);", "", "min(A, n)"),
        ("int min(int, int, int);", "", "min(i, n, 3)"),
        ("unsigned char min(int, int);", "", "min(i, n)"),
        ("int min();", "", "min(i, n)"),
        ("int min(x, y) char x; char y; { return x + y; }", "", "min(i, n)"),
        ("__attribute__((const)) int abs(x) char x; { return x + 1; }", "", "abs(i)"),
        ("", ", int (*min)(int, int)", "min(i, n)"),
        ("", ", int (*abs)(int)", "abs(i)"),
    ],
)
def test_what_only_has_the_name(declared: str, parameters: str, call: str) -> None:
    """It may do something else, and what it does is not that of another function either."""
    given = "int n, double A[n], double *B" + parameters
    scop = model_of(LOOP + f"B[{call}] = 1;", given, prelude=declared)
    assert not assumed(scop)
    every = f"[n] -> {{ S0[i] -> B[x] : {ROWS} }}"
    same(restricted(scop.may_writes(), "B"), every, scop.context)


def test_the_least_element_of_an_array_has_the_same_name() -> None:
    declared = "double min(const double *, int);"
    scop = model_of(LOOP + "B[i] = min(A, n);", "int n, double A[n], double *B", prelude=declared)
    every = f"[n] -> {{ S0[i] -> A[x] : {ROWS} and 0 <= x < n }}"
    same(restricted(scop.may_reads(), "A"), every, scop.context)


def test_a_summary_says_nothing_about_the_value() -> None:
    prelude = """static int touched(int k) { return 0; }
      int at(int k) __attribute__((pencil_access(touched)));"""
    scop = model_of(LOOP + "A[at(i)] = 1;", prelude=prelude)
    same(restricted(scop.may_writes(), "A"), f"[n] -> {{ S0[i] -> A[x] : {ROWS} }}")


# --- functions with a body ----------


def test_a_body_is_summarised_by_its_accesses() -> None:
    prelude = "static void set(double *p, int k, double v) { p[k] = v + p[k + 1]; }"
    scop = model_of(LOOP + "set(A, 2 * i, B[i]);", "int n, double *A, double *B", prelude=prelude)
    expect(
        scop,
        instances=f"[n] -> {{ S0[i] : {ROWS} }}",
        reads=f"[n] -> {{ S0[i] -> B[i] : {ROWS}; S0[i] -> A[2i + 1] : {ROWS} }}",
        writes=f"[n] -> {{ S0[i] -> A[2i] : {ROWS} }}",
    )
    only_known(scop)


def test_a_loop_in_a_callee_is_followed_exactly() -> None:
    prelude = """static void fill(int m, double p[m], double v) {
      for (int k = 0; k < m; k += 2) p[k] = v;
    }"""
    scop = model_of(LOOP + "fill(i, A, 0);", prelude=prelude)
    expect(scop, writes=f"[n] -> {{ S0[i] -> A[k] : {ROWS} and 0 <= k < i and k mod 2 = 0 }}")
    only_known(scop)


def test_a_callee_gets_a_row() -> None:
    prelude = """static double dot(int m, const double *x, const double *y) {
      double s = 0;
      for (int k = 0; k < m; k++) s += x[k] * y[k];
      return s;
    }"""
    body = LOOP + "C[i] = dot(n, A[i], &B[0][0]);"
    scop = model_of(body, "int n, double A[n][n], double B[4][n], double C[n]", prelude=prelude)
    expect(
        scop,
        reads=f"""[n] -> {{ S0[i] -> A[i, k] : {ROWS} and 0 <= k < n;
            S0[i] -> B[0, k] : {ROWS} and 0 <= k < n }}""",
        writes=f"[n] -> {{ S0[i] -> C[i] : {ROWS} }}",
    )
    only_known(scop)
    assert {array.name for array in scop.arrays} == {"A", "B", "C"}


def test_conditions_in_a_callee() -> None:
    prelude = """static void put(double *p, int k) {
      if (k > 3) p[k] = 1; else if (p[0] > 0) p[1] = 2;
    }"""
    scop = model_of(LOOP + "put(A, i);", prelude=prelude)
    expect(
        scop,
        reads=f"[n] -> {{ S0[i] -> A[0] : {ROWS} and i <= 3 }}",
        may_writes=f"""[n] -> {{ S0[i] -> A[i] : {ROWS} and i > 3;
            S0[i] -> A[1] : {ROWS} and i <= 3 }}""",
        must_writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS} and i > 3 }}",
    )


def test_what_follows_a_return_under_a_condition_may_not_run() -> None:
    prelude = "static void put(double *p) { if (p[0] > 0) return; p[1] = 2; }"
    scop = model_of("put(A);", prelude=prelude)
    expect(
        scop,
        reads="{ S0[] -> A[0] }",
        may_writes="{ S0[] -> A[1] }",
        must_writes="{ }",
    )


def test_a_return_from_a_loop_in_a_callee() -> None:
    prelude = """static int find(int m, const int *p, int *count) {
      for (int k = 0; k < m; k++) { if (p[k] < 0) return k; count[k] = 1; }
      count[99] = 2;
      return -1;
    }"""
    scop = model_of("A[0] = find(n, K, C);", "int n, double *A, int *K, int *C", prelude=prelude)
    expect(
        scop,
        reads="[n] -> { S0[] -> K[k] : 0 <= k < n }",
        must_writes="{ S0[] -> A[0] }",
    )
    counted = "[n] -> { S0[] -> C[k] : 0 <= k < n; S0[] -> C[99] }"
    same(restricted(scop.may_writes(), "C"), counted)


def test_nested_calls() -> None:
    prelude = """static void put(double *p, int k) { p[k] = 1; }
      static void two(double *p, int k) { put(p, k); put(p + 10, k + 1); }"""
    scop = model_of(LOOP + "two(A, i);", prelude=prelude)
    expected = f"[n] -> {{ S0[i] -> A[i] : {ROWS}; S0[i] -> A[i + 11] : {ROWS} }}"
    expect(scop, writes=expected)
    only_known(scop)


def test_a_callee_that_moves_its_counter() -> None:
    prelude = "static void put(double *p, int k) { k++; p[k] = 1; }"
    scop = model_of(LOOP + "put(A, i);", prelude=prelude)
    seen = restricted(scop.may_writes(), "A")
    assert isl.UnionMap(f"[n] -> {{ S0[i] -> A[i + 1] : {ROWS} }}").is_subset(seen)
    expect(scop, must_writes="{ }")


def test_a_callee_that_moves_its_pointer() -> None:
    prelude = "static void fill(double *p, int m) { while (m-- > 0) *p++ = 1; }"
    scop = model_of("fill(A, n);", "int n, double A[n]", prelude=prelude)
    seen = restricted(scop.may_writes(), "A")
    assert isl.UnionMap("[n] -> { S0[] -> A[x] : 0 <= x < n }").is_subset(seen)
    expect(scop, must_writes="{ }")


def test_locals_of_a_callee_are_none_of_our_arrays() -> None:
    prelude = """static double f(double x) {
      double t[3]; double s = 0;
      for (int k = 0; k < 3; k++) { t[k] = x; s += t[k]; }
      return s;
    }"""
    scop = model_of(LOOP + "A[i] = f(A[i]);", prelude=prelude)
    expect(scop, reads=UPDATE, writes=UPDATE)
    assert {array.name for array in scop.arrays} == {"A"}


def test_a_static_local_of_a_callee_keeps_its_value() -> None:
    prelude = "static int next(void) { static int count; count++; return count; }"
    scop = model_of(LOOP + "A[i] = next();", prelude=prelude)
    counted = f"[n] -> {{ S0[i] -> count[] : {ROWS} }}"
    same(restricted(scop.may_reads(), "count"), counted)
    same(restricted(scop.must_writes(), "count"), counted)
    assert scop.array("count").is_live_out
    assert scop.array("count").is_live_in


def test_a_struct_behind_a_pointer() -> None:
    prelude = """struct vec { double x, y; };
      static void flip(struct vec *v) { double t = v->x; v->x = v->y; v->y = t; }"""
    scop = model_of(LOOP + "flip(&a[i]);", "int n, struct vec *a", prelude=prelude)
    both = f"[n] -> {{ S0[i] -> a_x[i] : {ROWS}; S0[i] -> a_y[i] : {ROWS} }}"
    expect(scop, reads=both, writes=both)


def test_a_struct_by_value_is_read() -> None:
    prelude = (
        "struct vec { double x, y; }; static double len(struct vec v) { v.x = 0; return v.y; }"
    )
    scop = model_of(LOOP + "A[i] = len(a[i]);", "int n, double *A, struct vec *a", prelude=prelude)
    expect(scop, writes=UPDATE)
    same(restricted(scop.may_reads(), "a_y"), f"[n] -> {{ S0[i] -> a_y[i] : {ROWS} }}")


def test_a_call_in_the_condition_of_an_expression() -> None:
    prelude = "static double put(double *p) { return p[0] = 3; }"
    scop = model_of(
        "x = n > 3 ? put(A) : 0;", "int n, double *A, double x", prelude=prelude, after="A[1] = x;"
    )
    expect(scop, writes="[n] -> { S0[] -> x[]; S0[] -> A[0] : n > 3 }")


# --- globals ----------


def test_a_callee_reads_and_writes_globals() -> None:
    prelude = """double g[10]; double total; int limit;
      static void add(int k) { total += g[k]; }"""
    scop = model_of("for (int i = 0; i < 10; i++) add(i);", prelude=prelude)
    box = "0 <= i < 10"
    expect(
        scop,
        reads=f"{{ S0[i] -> g[i] : {box}; S0[i] -> total[] : {box} }}",
        writes=f"{{ S0[i] -> total[] : {box} }}",
    )


def test_a_global_that_a_callee_assigns_is_no_parameter() -> None:
    prelude = "int limit; static void shrink(void) { limit--; }"
    scop = model_of("for (int i = 0; i < limit; i++) shrink();", prelude=prelude)
    assert "limit" not in {each.text for each in scop.parameters}
    assert "limit" in {array.name for array in scop.arrays}


def test_a_global_that_an_unknown_function_may_assign_is_no_parameter() -> None:
    prelude = "int limit; void mystery(void);"
    scop = model_of("for (int i = 0; i < limit; i++) mystery();", prelude=prelude)
    assert "limit" not in {each.text for each in scop.parameters}
    (statement,) = [each for each in scop.statements if not each.is_kill]
    assert statement.is_dynamic


def test_a_constant_global_stays_a_parameter() -> None:
    prelude = "const int limit; void mystery(void);"
    scop = model_of("for (int i = 0; i < limit; i++) mystery();", prelude=prelude)
    expect(scop, instances="[limit] -> { S0[i] : 0 <= i < limit }")


# --- unknown functions ----------


def test_an_unknown_function_may_touch_all_that_its_arguments_reach() -> None:
    scop = model_of(
        LOOP + "mystery(A + i);", "int n, double A[n], double *B", prelude="void mystery(double *);"
    )
    every = f"[n] -> {{ S0[i] -> A[x] : {ROWS} and 0 <= x < n }}"
    same(restricted(scop.may_reads(), "A"), every, scop.context)
    same(restricted(scop.may_writes(), "A"), every, scop.context)
    same(restricted(scop.must_writes(), "A"), "{ }")
    assert codes(scop) == {"LW304"}


def test_an_unknown_function_touches_nothing_else_of_the_caller() -> None:
    scop = model_of(
        LOOP + "B[i] = mystery(A[i]);",
        "int n, double *A, double *B",
        prelude="double mystery(double);",
    )
    same(restricted(scop.may_reads(), "A"), UPDATE)
    same(restricted(scop.may_writes(), "A"), "{ }")
    same(restricted(scop.must_writes(), "B"), f"[n] -> {{ S0[i] -> B[i] : {ROWS} }}")


def test_an_unknown_function_may_touch_globals() -> None:
    prelude = "double g[5]; static double h; void mystery(void);"
    scop = model_of("g[2] = 1; mystery(); h = g[2];", "int n", prelude=prelude)
    call = isl.UnionSet("{ S1[] }")
    touched = scop.may_writes().intersect_domain(call)
    same(restricted(touched, "g"), "{ S1[] -> g[x] : 0 <= x < 5 }")
    same(restricted(touched, "h"), "{ S1[] -> h[] }")
    same(restricted(scop.may_reads().intersect_domain(call), "g"), "{ S1[] -> g[x] : 0 <= x < 5 }")


def test_unknown_functions_keep_their_order() -> None:
    """What one of them did to the outside world, the next may see."""
    scop = model_of(
        LOOP + "A[i] = first(); second();", prelude="double first(void); void second(void);"
    )
    expected = f"[n] -> {{ S0[i] -> outside_world[] : {ROWS}; S1[] -> outside_world[] }}"
    same(restricted(scop.may_reads(), "outside_world"), expected)
    same(restricted(scop.may_writes(), "outside_world"), expected)
    same(restricted(scop.must_writes(), "outside_world"), "{ }")


def test_an_unknown_function_reaches_every_member() -> None:
    prelude = "struct vec { double x, y[3]; int k; }; void mystery(struct vec *);"
    scop = model_of("v[0].x = 1; mystery(v);", "struct vec *v", prelude=prelude)
    call = isl.UnionSet("{ S1[] }")
    touched = scop.may_writes().intersect_domain(call)
    same(restricted(touched, "v_x"), "{ S1[] -> v_x[i] }")
    same(restricted(touched, "v_y"), "{ S1[] -> v_y[i, j] : 0 <= j < 3 }")
    same(restricted(touched, "v_k"), "{ S1[] -> v_k[i] }")


def test_a_member_that_an_unknown_function_may_change_is_no_parameter() -> None:
    prelude = "struct grid { int rows; double *data; }; void mystery(struct grid *);"
    scop = model_of(
        "for (int i = 0; i < g->rows; i++) mystery(g);", "struct grid *g", prelude=prelude
    )
    assert scop.parameters == ()


def test_an_unknown_function_reaches_through_pointers_in_structs() -> None:
    prelude = "struct grid { int rows; double *data; }; void mystery(struct grid *);"
    scop = model_of(
        "g->data[3] = 1; mystery(g); A[0] = g->data[4];",
        "struct grid *g, double *A",
        prelude=prelude,
    )
    data = scop.statements[0].accesses[0].array
    touched = restricted(scop.may_writes().intersect_domain(isl.UnionSet("{ S1[] }")), data)
    element = isl.UnionMap(f"{{ S1[] -> {data}[0, 4] }}")
    assert element.is_subset(touched)


def test_an_unknown_function_reaches_a_scalar_by_its_address() -> None:
    """The region only reads ``k`` by name, so that nothing is refused."""
    scop = model_of(
        "mystery(&k); A[0] = k;", "double k, double *A", prelude="void mystery(double *);"
    )
    same(restricted(scop.may_writes(), "k"), "{ S0[] -> k[] }")
    same(
        restricted(scop.may_reads().intersect_domain(isl.UnionSet("{ S1[] }")), "k"),
        "{ S1[] -> k[] }",
    )


def test_a_size_whose_address_is_handed_over_is_no_parameter() -> None:
    scop = model_of(LOOP + "mystery(&n);", prelude="void mystery(int *);")
    assert scop.parameters == ()


def test_a_size_whose_address_was_kept_earlier_may_change_at_an_unknown_call() -> None:
    prelude = "void keep(int *); void mystery(void);"
    scop = model_of(
        "for (int i = 0; i < m; i++) mystery();", prelude=prelude, before="int m = n; keep(&m);"
    )
    assert "m" not in {each.text for each in scop.parameters}


def test_a_function_pointer_is_an_unknown_function() -> None:
    scop = model_of(LOOP + "act(A);", "int n, double A[n], void (*act)(double *)")
    expected = f"[n] -> {{ S0[i] -> A[x] : {ROWS} and 0 <= x < n }}"
    same(restricted(scop.may_writes(), "A"), expected, scop.context)


def test_recursion_is_unknown() -> None:
    prelude = "static void down(double *p, int k) { if (k > 0) { p[k] = 1; down(p, k - 1); } }"
    scop = model_of("down(A, n);", "int n, double A[n]", prelude=prelude)
    every = isl.UnionMap("[n] -> { S0[] -> A[x] : 0 <= x < n }").intersect_params(scop.context)
    assert every.is_subset(restricted(scop.may_writes(), "A").intersect_params(scop.context))
    assert restricted(scop.must_writes(), "A").is_subset(
        isl.UnionMap("[n] -> { S0[] -> A[n] : n > 0 }")
    )


def test_mutual_recursion_is_unknown() -> None:
    prelude = """static void odd(double *p, int k);
      static void even(double *p, int k) { if (k > 0) odd(p, k - 1); }
      static void odd(double *p, int k) { p[k] = 1; if (k > 0) even(p, k - 1); }"""
    scop = model_of("even(A, n);", "int n, double A[n]", prelude=prelude)
    every = isl.UnionMap("[n] -> { S0[] -> A[x] : 0 <= x < n and n > 0 }")
    touched = restricted(scop.may_writes(), "A")
    assert every.intersect_params(scop.context).is_subset(touched)


def test_a_body_with_goto_is_unknown() -> None:
    prelude = "static void loop(double *p) { again: if (p[0]++ < 9) goto again; }"
    scop = model_of("loop(A);", "double A[4]", prelude=prelude)
    same(restricted(scop.may_writes(), "A"), "{ S0[] -> A[x] : 0 <= x < 4 }")
    assert "LW304" in codes(scop)


def test_a_variadic_function_reads_its_arguments() -> None:
    prelude = "int printf(const char *, ...);"
    scop = model_of(LOOP + 'printf("%g", A[i]);', prelude=prelude)
    same(restricted(scop.may_reads(), "A"), UPDATE)
    same(restricted(scop.may_writes(), "A"), "{ }")


def test_what_a_pointer_to_const_names_is_read() -> None:
    prelude = "double look(const double *);"
    scop = model_of(LOOP + "B[i] = look(A);", "int n, double A[n], double *B", prelude=prelude)
    every = f"[n] -> {{ S0[i] -> A[x] : {ROWS} and 0 <= x < n }}"
    same(restricted(scop.may_reads(), "A"), every, scop.context)


def test_two_pointers_into_one_array_are_one_array() -> None:
    prelude = "static void copy(double *to, const double *from) { to[0] = from[0]; }"
    scop = model_of(LOOP + "copy(A + i, A + i + 1);", prelude=prelude)
    expect(scop, writes=UPDATE, reads=f"[n] -> {{ S0[i] -> A[i + 1] : {ROWS} }}")


def test_old_definitions_do_not_convert_their_arguments() -> None:
    """A call promotes them, and the function converts them: its body alone says too little."""
    old = "static int low(x) char x; { return x; }"
    scop = model_of("A[low(n)] = 1;", prelude=old)
    assert "outside_world" in {each.name for each in scop.arrays}
    without = "double *A; int low(); void f(int n) {{\n#pragma scop\nA[low({})] = 1;\n"
    without += "#pragma endscop\n}}\nint low(x) int x; {{ return x; }}"
    for each in ("n", "n, n"):
        scop = scop_of(without.format(each))
        assert "outside_world" in {array.name for array in scop.arrays}
    for other in ("static int low(char x) { return x; }", "static int low(x) int x; { return x; }"):
        scop = model_of("A[low(n)] = 1;", prelude=other)
        assert {each.name for each in scop.arrays} == {"A"}


@pytest.mark.parametrize(
    "prelude",
    [
        "__attribute__((weak)) double g(double x) { return x; }",
        "double g(double) __attribute__((weak));\ndouble g(double x) { return x; }",
    ],
)
def test_the_body_of_a_weak_function_may_be_another(prelude: str) -> None:
    scop = model_of(LOOP + "A[i] = g(A[i]);", prelude=prelude)
    assert "outside_world" in {each.name for each in scop.arrays}


def test_functions_of_the_same_name() -> None:
    """What one of them does, the other need not do."""
    prelude = (
        "static int k;\n"
        "static double __attribute__((overloadable)) g(double x) { return x; }\n"
        "static int __attribute__((overloadable)) g(int x) { k++; return x; }"
    )
    scop = model_of(LOOP + "{ A[i] = g(A[i]); A[i] = g(i) + k; }", prelude=prelude)
    assert "k" in {each.name for each in scop.arrays}


def test_what_a_pointer_in_a_struct_leads_to_is_not_the_pointer() -> None:
    """An unknown function that gets a part of the struct may reach both."""
    prelude = """struct entry { char *key; int id; };
      struct table { struct entry *sorted; float *score; }; int look(struct entry *);"""
    scop = model_of(
        "for (int i = 0; i < n; i++) { int id = look(t->sorted); out[i] = t->score[id]; }",
        "int n, float *out, struct table *t",
        prelude=prelude,
    )
    assert {"t_score", "t_score_pointer"} <= {each.name for each in scop.arrays}
    assert scop.array("t_score").rank == 2
