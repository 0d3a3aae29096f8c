"""PENCIL: assumptions, kills, independence, summary functions."""

from __future__ import annotations

import pytest

from .expectations import codes, expect, model_of, reasons, same

PRELUDE = """\
void __pencil_assume(int);
void __pencil_kill();
void __pencil_use();
void __pencil_def();
int __pencil_maybe(void);
"""
LOOP = "for (int i = 0; i < n; i++) "
ROWS = "0 <= i < n"


# --- assumptions ----------


@pytest.mark.parametrize("name", ["__pencil_assume", "__builtin_assume"])
@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("n > 4", "n > 4"),
        ("n % 8 == 0", "n mod 8 = 0"),
        ("n > 4 && m == 2 * n", "n > 4 and m = 2n"),
        ("n < 3 || m > 5", "n < 3 or m > 5"),
        ("!(n < m)", "n >= m"),
        ("n", "n != 0"),
    ],
)
def test_an_assumption_joins_the_context(name: str, condition: str, expected: str) -> None:
    body = f"{name}({condition}); for (int i = m; i < n; i++) A[i] = 0;"
    scop = model_of(body, "int n, int m, double *A", prelude=PRELUDE)
    expect(
        scop, instances="[n, m] -> { S0[i] : m <= i < n }", context=f"[n, m] -> {{ : {expected} }}"
    )
    assert condition in reasons(scop)


def test_an_assumption_is_no_statement() -> None:
    scop = model_of("__pencil_assume(n > 4); A[0] = 1;", prelude=PRELUDE)
    assert [each.name for each in scop.statements] == ["S0"]


def test_an_assumption_in_a_loop_holds_for_every_iteration() -> None:
    body = "for (int i = 0; i < n; i++) { __pencil_assume(i + m < 10); A[i + m] = 0; }"
    scop = model_of(body, "int n, int m, double *A", prelude=PRELUDE)
    expect(scop, context="[n, m] -> { : n <= 0 or n - 1 + m < 10 }")


def test_an_assumption_under_a_condition_holds_only_there() -> None:
    body = "if (m > 3) __pencil_assume(n > 4); for (int i = 0; i < n; i++) A[i] = 0;"
    scop = model_of(body, "int n, int m, double *A", prelude=PRELUDE)
    expect(scop, context="[n, m] -> { : m <= 3 or n > 4 }")


def test_an_assumption_about_data_is_ignored_and_told() -> None:
    scop = model_of("__builtin_assume(A[0] > 0); A[1] = 0;", prelude=PRELUDE)
    expect(scop, context="{ : }", instances="{ S0[] }", reads="{ }")
    assert codes(scop) == {"LW306"}


# --- kills ----------


def test_killing_an_array() -> None:
    scop = model_of(LOOP + "A[i] = 0; __pencil_kill(A);", "int n, double A[n]", prelude=PRELUDE)
    expect(scop, kills="[n] -> { K0[] -> A[x] : 0 <= x < n }")


def test_killing_a_scalar_and_an_element_in_a_loop() -> None:
    scop = model_of(
        LOOP + "{ __pencil_kill(s, A[i]); s = i; A[i] = s; }",
        "int n, double *A, double s",
        prelude=PRELUDE,
        after="A[0] = s;",
    )
    killed = scop.must_kills()
    same(killed.range(), f"[n] -> {{ s[] : n > 0; A[i] : {ROWS} }}")
    same(killed.domain().params(), "[n] -> { : n > 0 }")
    assert not scop.statements[0].accesses[0].reads
    assert not scop.statements[0].accesses[0].writes


def test_killing_a_row() -> None:
    scop = model_of(LOOP + "__pencil_kill(A[i]);", "int n, double A[n][4]", prelude=PRELUDE)
    expect(scop, kills=f"[n] -> {{ K0[i] -> A[i, x] : {ROWS} and 0 <= x < 4 }}")


def test_a_kill_executes_nothing() -> None:
    scop = model_of("__pencil_kill(A); A[0] = 1;", "int n, double A[n]", prelude=PRELUDE)
    (kill,) = [each for each in scop.statements if each.is_kill]
    assert all(each.kills and not each.reads and not each.writes for each in kill.accesses)
    assert scop.may_reads().is_empty()


# --- independent ----------


def test_an_independent_loop() -> None:
    body = "#pragma pencil independent\n" + LOOP + "A[K[i]] = i;"
    scop = model_of(body, "int n, double *A, int *K")
    (promise,) = scop.independences
    same(promise.pairs, f"[n] -> {{ S0[i] -> S0[k] : {ROWS} and 0 <= k < n and i != k }}")
    assert promise.arrays == ()
    assert promise.span.line == 6


def test_an_independent_inner_loop() -> None:
    body = """for (int i = 0; i < n; i++) {
#pragma pencil independent
      for (int j = n; j > i; j--) { A[K[j]] = i; A[j] = j; }
    }"""
    scop = model_of(body, "int n, double *A, int *K")
    (promise,) = scop.independences
    box = "0 <= i < n and i < j <= n and i < k <= n and j != k"
    pairs = "; ".join(
        f"{one}[i, j] -> {two}[i, k] : {box}" for one in ("S0", "S1") for two in ("S0", "S1")
    )
    same(promise.pairs, f"[n] -> {{ {pairs} }}")


def test_independence_of_named_arrays() -> None:
    body = "#pragma pencil independent (A, B)\n" + LOOP + "A[K[i]] = B[K[i]];"
    scop = model_of(body, "int n, double *A, double *B, int *K")
    (promise,) = scop.independences
    assert promise.arrays == ("A", "B")


def test_independence_is_about_the_next_loop_only() -> None:
    body = "#pragma pencil independent\n" + LOOP + "A[K[i]] = i;\n" + LOOP + "A[K[i]] = 2;"
    scop = model_of(body, "int n, double *A, int *K")
    (promise,) = scop.independences
    same(promise.pairs, f"[n] -> {{ S0[i] -> S0[k] : {ROWS} and 0 <= k < n and i != k }}")


def test_without_the_pragma_nothing_is_promised() -> None:
    assert model_of(LOOP + "A[i] = i;").independences == ()


def test_a_pragma_of_another_region_promises_nothing_here() -> None:
    program_after = "\n#pragma pencil independent\n" + LOOP + "A[i] = 2;"
    scop = model_of(LOOP + "A[i] = i;", after=program_after)
    assert scop.independences == ()


def test_a_pragma_above_the_region_belongs_to_its_first_loop_only_if_it_is_inside() -> None:
    before = "#pragma pencil independent\nfor (int k = 0; k < n; k++) A[k] = 1;"
    scop = model_of(LOOP + "A[i] = i;", before=before)
    assert scop.independences == ()


# --- summary functions ----------

SUMMARY = (
    PRELUDE
    + """\
void work_summary(int m, double p[m], double q[m]) {
  for (int k = 0; k < m; k++) __pencil_use(q[k]);
  __pencil_def(p[0]);
  if (__pencil_maybe()) __pencil_def(p[1]);
}
void work(int m, double p[m], double q[m]) __attribute__((pencil_access(work_summary)));
"""
)


def test_a_summary_function_stands_for_an_unknown_one() -> None:
    scop = model_of(LOOP + "work(i, A, B);", "int n, double A[n], double B[n]", prelude=SUMMARY)
    expect(
        scop,
        reads=f"[n] -> {{ S0[i] -> B[k] : {ROWS} and 0 <= k < i }}",
        may_writes=f"[n] -> {{ S0[i] -> A[x] : {ROWS} and 0 <= x <= 1 }}",
        must_writes=f"[n] -> {{ S0[i] -> A[0] : {ROWS} }}",
    )
    assert not codes(scop)
    assert "outside_world" not in {array.name for array in scop.arrays}


def test_a_summary_function_stands_for_a_known_one() -> None:
    prelude = SUMMARY + "void work(int m, double p[m], double q[m]) { p[m - 1] = q[0]; }"
    scop = model_of(LOOP + "work(i, A, B);", "int n, double A[n], double B[n]", prelude=prelude)
    expect(scop, must_writes=f"[n] -> {{ S0[i] -> A[0] : {ROWS} }}")


def test_a_summary_may_name_whole_arrays() -> None:
    prelude = (
        PRELUDE
        + """\
void fill_summary(double p[6]) { __pencil_def(p); }
void fill(double p[6]) __attribute__((pencil_access(fill_summary)));
"""
    )
    scop = model_of("fill(A);", "double A[6]", prelude=prelude)
    expect(scop, may_writes="{ S0[] -> A[x] : 0 <= x < 6 }", reads="{ }")


def test_the_call_itself_stays_in_the_body() -> None:
    scop = model_of(LOOP + "work(i, A, B);", "int n, double A[n], double B[n]", prelude=SUMMARY)
    assert "'work'" in repr(scop.statements[0].body)
