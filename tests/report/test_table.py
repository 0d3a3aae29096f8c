"""The page that ``loopwright deps`` prints, against what the programs say when read by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import read_c
from loopwright.report.findings import findings
from loopwright.report.table import table, wrapped

from .programs import found_in, kernel, rows_of

SWEEPS = kernel(
    """for (int t = 0; t < m; t++)
for (int i = 1; i < n - 1; i++)
A[i] = A[i - 1] + A[i + 1];""",
    "int m, int n, double A[n]",
)


def section(page: str, title: str) -> list[str]:
    """The lines of a part of the page, without their indentation."""
    lines = page.split(f"\n  {title}\n")[1].splitlines()
    return [line.strip() for line in lines[: lines.index("") if "" in lines else None]]


def test_rows_of_sweeps() -> None:
    # A[i - 1] is new and A[i + 1] old: written in this sweep one step ago, in the last one later.
    assert rows_of(found_in(SWEEPS)) == {
        ("output", "6: A[i]", "6: A[i]", "(1, 0)", "t (line 4)"),
        ("flow", "6: A[i]", "6: A[i - 1]", "(0, 1)", "i (line 5)"),
        ("flow", "6: A[i]", "6: A[i + 1]", "(1, -1)", "t (line 4)"),
        ("anti", "6: A[i - 1]", "6: A[i]", "(1, -1)", "t (line 4)"),
        ("anti", "6: A[i + 1]", "6: A[i]", "(0, 1)", "i (line 5)"),
    }


def test_rows_stand_below_each_other_in_the_order_of_the_source() -> None:
    lines = section(table(found_in(SWEEPS)), "dependences")
    assert lines[0].split() == ["array", "kind", "from", "to", "distance", "carried", "by"]
    assert lines[1] == "A      output  6 S0 A[i]      6 S0 A[i]      (1, 0)    t (line 4)"
    sources = [line[15:].split("  ")[0] for line in lines[1:]]
    assert sources == ["6 S0 A[i]"] * 3 + ["6 S0 A[i - 1]", "6 S0 A[i + 1]"]


def test_kinds_share_a_row_where_all_else_is_the_same() -> None:
    found = found_in(
        kernel("for (int i = 0; i < n; i++)\n*s += A[i];", "int n, double A[n], double *s")
    )
    assert rows_of(found) == {("flow anti output", "5: *s", "5: *s", "(1)", "i (line 4)")}
    line = section(table(found), "dependences")[1]
    assert line.startswith("s      flow anti output  5 S0 *s")
    assert line.endswith("(1)       i (line 4), step of a sum")


def test_statements_without_a_common_loop() -> None:
    body = "for (int i = 0; i < n; i++)\nA[i] = i;\nfor (int j = 0; j < n; j++)\nB[j] = A[j];"
    row = ("flow", "5: A[i]", "7: A[j]", "-", "no common loop")
    assert rows_of(found_in(kernel(body))) == {row}


def test_within_an_iteration_and_carried_by_two_loops() -> None:
    # x is written in every iteration and read at once, and shared by all of them.
    body = """for (int i = 0; i < n; i++)
for (int j = 0; j < n; j++) {
x = A[i];
B[j] = x; }"""
    found = rows_of(found_in(kernel(body, before="double x;")))
    assert ("flow", "6: x", "7: x", "(0, 0)", "within an iteration") in found
    assert ("anti", "7: x", "6: x", "(0+, *)", "i, j (lines 4, 5)") in found


def test_a_declared_variable_is_named() -> None:
    body = "for (int i = 0; i < n; i++) {\ndouble twice = 2 * A[i];\nB[i] = twice; }"
    row = ("flow", "5: twice", "6: twice", "(0)", "within an iteration")
    assert row in rows_of(found_in(kernel(body)))


def test_what_a_function_touches_stands_where_it_is_called() -> None:
    program = """static void fill(int n, double *p) {
for (int i = 0; i < n; i++) p[i] = 0; }
void kernel(int n, double A[n], double B[n]) {
#pragma scop
fill(n, A);
for (int i = 0; i < n; i++)
B[i] = A[i];
#pragma endscop
}"""
    assert rows_of(found_in(program)) == {
        ("flow", "5: fill(n, A)", "7: A[i]", "-", "no common loop")
    }


def test_each_member_of_a_copied_struct_is_an_array_of_its_own() -> None:
    body = "for (int i = 1; i < n; i++) {\np[i] = q[i];\nB[i] = p[i].x + p[i - 1].y; }"
    program = "struct point { double x, y; };\n" + kernel(
        body, "int n, struct point p[n], struct point q[n], double B[n]"
    )
    arrays = {(row.array, row.dependence.sink.access.text) for row in found_in(program).rows}
    assert arrays == {("p_x", "p[i].x"), ("p_y", "p[i - 1].y")}


def test_what_depends_on_data_is_possible() -> None:
    body = "for (int i = 0; i < n; i++)\nA[to[i]] = B[i];"
    found = found_in(kernel(body, "int n, int to[n], double A[n], double B[n]"))
    assert [row.is_certain for row in found.rows] == [False]
    assert section(table(found), "dependences")[1].endswith("(+)       i (line 4), possible")


def test_a_loop_with_its_reason() -> None:
    body = "for (int i = 1; i < n; i++)\nA[i] = A[i - 1];"
    verdict, *reason = section(table(found_in(kernel(body))), "loops")
    assert verdict == "i (line 4): not parallel"
    pair = "S0 at (i = 2) on line 5 reads A[1], which S0 at (i = 1) on line 5 has to write first"
    assert " ".join(reason) == f"for n = 3: {pair}"


def test_no_reason_is_needed_where_the_iterations_share_nothing() -> None:
    body = "for (int i = 0; i < n; i++) {\ndouble t = A[i];\nB[i] = t; }"
    lines = section(table(found_in(kernel(body))), "loops")
    assert lines == ["i (line 4): parallel, each iteration with its own t"]


def test_nothing_to_tell() -> None:
    page = table(found_in(kernel("for (int i = 0; i < n; i++)\nA[i] = 0;")))
    assert section(page, "dependences") == ["none"]
    assert section(page, "comes in") == ["nothing"]
    assert section(page, "goes out") == ["all of A"]
    assert section(page, "loops") == ["i (line 4): parallel"]
    assert "dead code" not in page


def test_inputs_only_when_asked_for() -> None:
    program = kernel("for (int i = 1; i < n; i++)\nB[i] = A[i] + A[i - 1];")
    assert rows_of(found_in(program)) == set()
    assert rows_of(found_in(program, inputs=True)) == {
        ("input", "5: A[i]", "5: A[i - 1]", "(1)", "i (line 4)")
    }


def test_by_memory_every_pair_of_iterations_counts() -> None:
    program = kernel("for (int i = 0; i < n; i++)\n*s = A[i];", "int n, double A[n], double *s")
    assert {row[3] for row in rows_of(found_in(program))} == {"(1)"}
    assert {row[3] for row in rows_of(found_in(program, mode="memory"))} == {"(+)"}


# --- what comes in and goes out -------------------------------------------------------------------

CROSSING = {
    # The first element is read and never written, if there is an iteration at all.
    "for (int i = 1; i < n; i++)\nA[i] = A[i - 1];": (
        ["A[0] where n >= 2"],
        ["A[x] where 0 < x < n"],
    ),
    "for (int i = 0; i < n; i++)\nA[i] = B[n - 1 - i];": (["all of B"], ["all of A"]),
    "for (int i = 0; i < n; i++)\nA[i] = A[i] + 1;": (["all of A"], ["all of A"]),
    "for (int i = 0; 2 * i < n; i++)\nA[2 * i] = 0;": (
        ["nothing"],
        ["A[x] where (x) mod 2 = 0 and 0 <= x < n"],
    ),
    "if (n > 9)\nfor (int i = 0; i < n; i++)\nA[i] = 0;": (["nothing"], ["all of A where n >= 10"]),
}


@pytest.mark.parametrize("body", CROSSING)
def test_elements_that_come_in_and_go_out(body: str) -> None:
    page = table(found_in(kernel(body)))
    assert (section(page, "comes in"), section(page, "goes out")) == CROSSING[body]


def test_a_subscript_is_not_named_like_a_parameter() -> None:
    found = found_in(kernel("for (int i = 1; i < x; i++)\nA[i] = 0;", "int x, double A[x]"))
    assert section(table(found), "goes out") == ["A[y] where 0 < y < x"]


STRUCTS = "struct body { double x; double at[3]; struct { int b; } in[4]; };\n"


def test_members_of_structs_are_named_as_the_source_names_them() -> None:
    body = """for (int i = 1; i < n; i++) {
p[i].x = p[i - 1].x;
p[i].at[1] = q.x;
p[i].in[2].b = q.in[0].b;
*s += p[i].at[2]; }"""
    parameters = "int n, struct body p[n], double *s"
    page = table(found_in(STRUCTS + kernel(body, parameters, "struct body q = p[0];")))
    assert set(section(page, "comes in")) == {
        "p[0].x where n >= 2",
        "q.x where n >= 2",
        "q.in[0].b where n >= 2",
        "s[0] where n >= 2",
        "p[x].at[2] where 0 < x < n",
    }
    assert set(section(page, "goes out")) == {
        "p[x].x where 0 < x < n",
        "p[x].at[1] where 0 < x < n",
        "p[x].in[2].b where 0 < x < n",
        "s[0] where n >= 2",
    }
    assert section(page, "dependences")[1].startswith("p[..].x  flow ")


def test_all_of_a_member() -> None:
    body = "for (int i = 0; i < n; i++)\np[i].x = 0;"
    page = table(found_in(STRUCTS + kernel(body, "int n, struct body p[n]")))
    assert section(page, "goes out") == ["all of p[..].x"]


def test_the_remedy_for_a_member() -> None:
    body = "for (int i = 0; i < n; i++)\np[0].x += i;"
    page = table(found_in(STRUCTS + kernel(body, "int n, struct body p[n]")))
    verdict = "i (line 5): parallel if the sum in p[..].x may be reassociated"
    assert section(page, "loops")[0] == verdict


# --- components and dead code ---------------------------------------------------------------------


def test_components_stand_in_an_order_that_serves_all() -> None:
    # S0 and S1 need each other's last value; S2 needs S1.
    body = """for (int i = 1; i < n; i++) {
A[i] = B[i - 1];
B[i] = A[i - 1]; }
C[0] = B[n - 1];"""
    found = found_in(kernel(body, "int n, double A[n], double B[n], double C[n]"))
    assert section(table(found), "components") == ["S0, S1; S2"]


def test_inputs_do_not_tie_statements_together() -> None:
    # Each iteration of one statement reads what the other one reads in another iteration.
    body = """for (int i = 1; i < n; i++) {
A[i] = C[i - 1];
B[i] = C[i] + C[i - 1]; }"""
    program = kernel(body, "int n, double A[n], double B[n], double C[n]")
    assert found_in(program, inputs=True).components == (("S0",), ("S1",))


def test_dead_code() -> None:
    found = found_in(kernel("for (int t = 0; t < n; t++)\n*s = t;", "int n, double *s"))
    line = "S0 (line 5) computes what nobody needs where t <= -2 + n"
    assert section(table(found), "dead code") == [line]


def test_a_statement_that_is_dead_altogether() -> None:
    body = "for (int i = 0; i < n; i++)\nA[i] = 1;\nfor (int i = 0; i < n; i++)\nA[i] = 2;"
    assert section(table(found_in(kernel(body))), "dead code") == [
        "S0 (line 5) computes what nobody needs"
    ]


# --- form -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["seidel-2d", "gemm", "jacobi-2d", "lu"])
def test_the_page_of_a_kernel_fits_a_hundred_columns(name: str, project_root: Path) -> None:
    path = project_root / "benchmarks" / "kernels" / f"{name}.c"
    (scop,) = read_c(path, define=["MINI"])
    lines = table(findings(scop)).splitlines()
    assert max(map(len, lines)) <= 100


def test_sentences_break_between_words_of_english() -> None:
    lines = wrapped("x " * 45 + "S0 at (i = 1, j = 2) on line 3", 0)
    assert lines[-1].strip() == "(i = 1, j = 2) on line 3"
