"""Values that nobody needs: locals, and variables that are not used after the region."""

from __future__ import annotations

import pytest

from loopwright import Scop, read_c

from .expectations import kernel, model_of, order_of, restricted, same, scop_of

LOOP = "for (int i = 0; i < n; i++) "
ROWS = "0 <= i < n"
SUM = LOOP + "s += A[i];"
DEFINED = "double s = 0;"


def is_killed(scop: Scop, array: str) -> bool:
    return not restricted(scop.must_kills(), array).is_empty()


# --- locals ----------


def test_a_local_is_killed_where_it_is_declared_and_where_its_block_ends() -> None:
    scop = model_of(LOOP + "{ double t; t = A[i]; A[i] = t; }")
    names = [each.name for each in scop.statements]
    before, after = names[0], names[3]
    for kill in (before, after):
        assert scop.statement(kill).is_kill
        same(scop.statement(kill).domain, f"[n] -> {{ {kill}[i] : {ROWS} }}")
        (access,) = scop.statement(kill).accesses
        same(access.must, f"[n] -> {{ {kill}[i] -> t[] }}")
        assert access.kills


def test_the_first_kill_comes_first_and_the_last_one_last() -> None:
    scop = model_of(LOOP + "{ double t = A[i]; A[i] = t; }")
    names = [each.name for each in scop.statements][:4]
    everything = order_of(scop, "[n] -> { : n = 2 }", kills=True)
    assert everything[:8] == [f"{name}[{i}]" for i in range(2) for name in names]


def test_a_local_array_is_killed_whole() -> None:
    scop = model_of(LOOP + "{ double t[4]; t[1] = A[i]; A[i] = t[1]; }")
    assert is_killed(scop, "t")
    killed = scop.must_kills().range()
    same(killed, "[n] -> { t[x] : 0 <= x < 4 and n > 0 }")


def test_a_local_struct_is_killed_member_by_member() -> None:
    scop = model_of(LOOP + "{ struct { double x, y; } p; p.x = A[i]; p.y = 1; A[i] = p.x; }")
    assert is_killed(scop, "p_x")
    assert is_killed(scop, "p_y")


def test_a_local_in_a_nested_block_dies_with_that_block() -> None:
    scop = model_of("{ double t = A[0]; A[1] = t; } A[2] = 3;")
    names = [each.name for each in scop.statements]
    assert scop.statement(names[names.index("S2") - 1]).is_kill


def test_a_static_local_keeps_its_value() -> None:
    scop = model_of(LOOP + "{ static double t; t += A[i]; A[i] = t; }")
    assert not is_killed(scop, "t")
    assert scop.array("t").is_live_in
    assert scop.array("t").is_live_out


def test_a_local_of_the_region_that_is_used_after_it_lives_on() -> None:
    scop = model_of("double t = A[0]; A[1] = t;", after="A[2] = t;")
    assert scop.array("t").is_live_out
    kills = [each for each in scop.statements if each.is_kill]
    assert [each.name for each in scop.statements].index(kills[-1].name) == 0


def test_a_local_of_the_region_that_is_not_used_after_it_dies() -> None:
    scop = model_of("double t = A[0]; A[1] = t;")
    assert not scop.array("t").is_live_out
    assert scop.statements[-1].is_kill


# --- variables of the function ----------


def test_a_variable_that_is_not_used_after_the_region_dies() -> None:
    scop = model_of(SUM, before=DEFINED)
    assert is_killed(scop, "s")
    assert not scop.array("s").is_live_out
    assert scop.array("s").is_live_in


def test_a_local_array_of_the_function_dies() -> None:
    scop = model_of(LOOP + "T[i] = A[i];", "int n, double *A", before="double T[n];")
    same(scop.must_kills().range(), "[n] -> { T[x] : 0 <= x < n }", scop.context)


def test_a_scalar_parameter_of_the_function_dies() -> None:
    scop = model_of(SUM, "int n, double *A, double s")
    assert is_killed(scop, "s")


USES = {
    "assignment": "A[0] = s;",
    "return": "return s;",
    "condition": "if (s > 0) A[0] = 1;",
    "loop condition": "while (s > 0) s = s - 1;",
    "nested": "for (int k = 0; k < n; k++) { if (k) A[k] = s; }",
    "call": "use(s);",
    "address": "keep(&s);",
    "sizeof and use": "A[0] = sizeof(s) * s;",
    "switch body": "switch (n) { case 1: A[0] = s; }",
    "switch value": "switch ((int) s) { case 1: A[0] = 1; }",
    "compound literal": "A[0] = (struct pair) { s, 0 }.x;",
    "statement expression": "A[0] = ({ s; });",
    "initialiser list": "double T[2] = { s, 0 }; A[0] = T[0];",
    "designated initialiser": "struct pair p = { .x = s }; A[0] = p.x;",
    "asm": '__asm__ volatile ("" : : "x" (s));',
    "generic selection": "A[0] = _Generic(s, double: s, default: 0);",
    "binary conditional": "A[0] = s ?: 1;",
    "comma": "A[0] = (n++, s);",
    "size of an array": "double T[(int) s]; T[0] = 0; A[0] = T[0];",
    "labelled": "done: A[0] = s;",
    "macro": "KEEP(s);",
    "nested function body": "{ { A[0] = s; } }",
    "cast": "A[0] = (float) s;",
    "second region": "\n#pragma scop\nA[0] = s;\n#pragma endscop\n",
}


@pytest.mark.parametrize("use", USES)
def test_a_variable_that_is_used_after_the_region_lives_on(use: str) -> None:
    prelude = """struct pair { double x, y; }; void use(double); void keep(double *);
#define KEEP(v) A[0] = v"""
    after = USES[use] + " return 0;"
    program = kernel(SUM, prelude=prelude, before=DEFINED, after=after, result="double")
    scop = read_c(program)[0]
    assert not is_killed(scop, "s")
    assert scop.array("s").is_live_out


ESCAPES = {
    "kept by a call before": "double s = 0; keep(&s);",
    "kept by a pointer before": "double s = 0; double *p = &s; keep(p);",
    "kept in a struct before": "double s = 0; struct holder h = { &s }; keep(h.p);",
    "kept by an assignment before": "double s = 0; double *p; p = &s; keep(p);",
    "kept in a global before": "double s = 0; kept = &s;",
    "static": "static double s;",
}


@pytest.mark.parametrize("escape", ESCAPES)
def test_a_variable_that_others_may_look_at_lives_on(escape: str) -> None:
    prelude = "struct holder { double *p; }; void keep(double *); double *kept;"
    scop = model_of(SUM, prelude=prelude, before=ESCAPES[escape])
    assert not is_killed(scop, "s")


def test_a_global_lives_on() -> None:
    scop = model_of(SUM, prelude="double s;")
    assert not is_killed(scop, "s")
    assert scop.array("s").is_live_out


def test_an_array_behind_a_pointer_lives_on() -> None:
    scop = model_of(LOOP + "A[i] = 0;", "int n, double A[n]")
    assert scop.must_kills().is_empty()
    assert scop.array("A").is_live_out


# --- loops around the region ----------


def surrounded(before: str, after: str) -> Scop:
    return scop_of(
        kernel(SUM, "int n, int m, double *A", before="double s = 0; " + before, after=after)
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("for (int t = 0; t < m; t++) {", "}"),
        ("while (m-- > 0) {", "}"),
        ("do {", "} while (m-- > 0);"),
        ("again: {", "} if (m-- > 0) goto again;"),
        ("again: ;", "if (m-- > 0) goto again;"),
    ],
)
def test_a_value_that_the_next_round_reads_lives_on(before: str, after: str) -> None:
    scop = surrounded(before, after)
    assert not is_killed(scop, "s")
    assert scop.array("s").is_live_out


def test_a_value_that_only_an_outer_round_reads_lives_on() -> None:
    body = LOOP + "s = A[i];"
    before = "double s = 0; for (int t = 0; t < n; t++) { A[t] = s;"
    scop = scop_of(kernel(body, before=before, after="}"))
    assert not is_killed(scop, "s")


def test_a_variable_declared_in_the_loop_around_dies() -> None:
    before = "for (int t = 0; t < n; t++) { double s = 0;"
    scop = scop_of(kernel(SUM, before=before, after="}"))
    assert is_killed(scop, "s")


def test_kills_run_after_what_they_kill() -> None:
    scop = model_of(SUM, before=DEFINED)
    assert scop.statements[-1].is_kill
    assert order_of(scop, "[n] -> { : n = 2 }") == ["S0[0]", "S0[1]"]
