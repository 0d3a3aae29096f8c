"""Each relation on programs that are small enough to write the answer by hand."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright import InputError, Scop, dependences, read_c, respects, violations
from loopwright.model.dependences import Dependence, Dependences, Kind
from tests.frontend.expectations import kernel, model_of, same

LOOP = "for (int i = 0; i < n; i++) "
ARRAYS = "double A[4], double B[4], double c[4]"
STEPS = "[n] -> { S0[i] -> S0[i + 1] : 0 <= i < n - 1 }"


def found(
    body: str, parameters: str = ARRAYS, *, inputs: bool = False, **around: str
) -> Dependences:
    return dependences(model_of(body, parameters, **around), inputs=inputs)


def there(relation: isl.UnionMap | None) -> isl.UnionMap:
    """A relation that was asked for."""
    assert relation is not None
    return relation


# --- flow and live-in -----------------------------------------------------------------------------


def test_a_value_flows_from_its_last_write_to_every_read_of_it() -> None:
    given = found("A[0] = 1; A[0] = 2; B[0] = A[0]; B[1] = A[0];")
    same(given.flow, "{ S1[] -> S2[]; S1[] -> S3[] }")
    same(given.may_live_in, "{ }")


def test_a_may_write_adds_a_source_and_ends_no_value() -> None:
    given = found("A[0] = 1; if (c[0] > 0) A[0] = 2; B[0] = A[0];")
    same(given.flow, "{ S0[] -> S2[]; S1[] -> S2[] }")
    given = found("if (c[0] > 0) A[0] = 2; B[0] = A[0];")
    same(given.flow, "{ S0[] -> S1[] }")
    same(given.may_live_in, "{ S0[] -> c[0]; S1[] -> A[0] }")


def test_an_instance_reads_before_it_writes() -> None:
    given = found("A[0] = A[0] + 1; A[0] = A[0] + 2;")
    same(given.flow, "{ S0[] -> S1[] }")
    same(given.may_live_in, "{ S0[] -> A[0] }")
    same(given.may_live_out, "{ S1[] -> A[0] }")


def test_a_read_under_a_condition_may_happen() -> None:
    given = found("A[0] = 1; if (c[0] > 0) B[0] = A[0];")
    same(given.flow, "{ S0[] -> S1[] }")


def test_flow_over_a_loop_is_exact() -> None:
    given = found(LOOP + "A[i] = A[n - 1 - i];", "int n, double A[n]")
    same(given.flow, "[n] -> { S0[i] -> S0[n - 1 - i] : 0 <= i and 2i < n - 1 }")
    same(given.may_live_in, "[n] -> { S0[i] -> A[n - 1 - i] : 0 <= i and 2i <= n - 1 }")
    same(given.may_live_out, "[n] -> { S0[i] -> A[i] : 0 <= i < n }")


def test_flow_counts_in_the_order_of_time_in_a_downward_loop() -> None:
    given = found("for (int i = n - 2; i >= 0; i--) A[i] = A[i + 1];", "int n, double A[n]")
    same(given.flow, "[n] -> { S0[i] -> S0[i - 1] : 0 < i <= n - 2 }")
    same(given.may_live_in, "[n] -> { S0[i] -> A[i + 1] : i = n - 2 and n >= 2 }")


# --- false dependences ----------------------------------------------------------------------------


def test_a_certain_write_cuts_false_dependences() -> None:
    given = found("B[0] = A[0]; A[0] = 1; A[0] = 2;")
    same(given.false, "{ S0[] -> S1[]; S1[] -> S2[] }")
    same(given.anti, "{ S0[] -> S1[] }")
    same(given.output, "{ S1[] -> S2[] }")


def test_a_may_write_cuts_no_false_dependence() -> None:
    given = found("B[0] = A[0]; if (c[0] > 0) A[0] = 1; A[0] = 2;")
    same(given.anti, "{ S0[] -> S1[]; S0[] -> S2[] }")
    same(given.output, "{ S1[] -> S2[] }")


def test_a_kill_cuts_no_false_dependence() -> None:
    given = found("A[0] = 1; __pencil_kill(A); A[0] = 2;", prelude="void __pencil_kill(double *);")
    same(given.false, "{ S0[] -> S1[] }")


def test_the_two_halves_of_false_make_it_up() -> None:
    given = found(LOOP + "{ A[i] = A[i + 1] + c[0]; c[0] = A[i]; }", "int n, double *A, double *c")
    assert given.anti.union(given.output).is_equal(given.false)
    same(
        given.anti,
        "[n] -> { S0[i] -> S0[i + 1] : 0 <= i < n - 1; S0[i] -> S1[i] : 0 <= i < n }",
    )
    same(given.output, "[n] -> { S1[i] -> S1[i + 1] : 0 <= i < n - 1 }")


def test_a_read_is_an_anti_dependence_also_if_its_own_instance_overwrites_the_element() -> None:
    """What comes between two instances is a third one."""
    body = "for (int t = 0; t < n; t++) for (int i = 1; i < n; i++) A[i] = A[i] + A[i + 1];"
    given = found(body, "int n, double *A")
    steps = "S0[t, i] -> S0[t + 1, i] : 0 <= t < n - 1 and 0 < i < n"
    same(given.output, f"[n] -> {{ {steps} }}")
    same(
        given.anti,
        f"[n] -> {{ {steps}; S0[t, i] -> S0[t, i + 1] : 0 <= t < n and 0 < i < n - 1 }}",
    )


# --- live-out -------------------------------------------------------------------------------------


def test_live_out_is_what_nothing_overwrites_for_certain() -> None:
    given = found("A[0] = 1; A[1] = 1; if (c[0] > 0) A[1] = 2; A[0] = 3; B[0] = A[0];")
    same(
        given.may_live_out,
        "{ S1[] -> A[1]; S2[] -> A[1]; S3[] -> A[0]; S4[] -> B[0] }",
    )


def test_live_out_of_a_loop_is_exact() -> None:
    given = found(LOOP + "{ A[i] = 1; A[i + 1] = 2; }", "int n, double *A")
    same(
        given.may_live_out,
        "[n] -> { S0[i] -> A[i] : 0 <= i < n; S1[i] -> A[i + 1] : i = n - 1 and n > 0 }",
    )


# --- live-range reordering ------------------------------------------------------------------------


def test_order_is_not_cut() -> None:
    given = found("B[0] = A[0]; A[0] = 1; A[0] = 2;")
    same(there(given.order), "{ S0[] -> S1[]; S0[] -> S2[]; S1[] -> S2[] }")


def test_a_write_that_somebody_reads_is_no_source_of_order() -> None:
    given = found("A[0] = 1; B[0] = A[0]; A[0] = 2; B[1] = A[0]; A[0] = 3;")
    same(there(given.order), "{ S1[] -> S2[]; S1[] -> S4[]; S3[] -> S4[] }")


DEAD_SCALAR = "double t;"


def test_forced_keeps_live_out_writes_last() -> None:
    given = found("A[0] = 1; B[0] = A[0]; A[0] = 2;")
    same(given.may_live_in, "{ }")
    same(there(given.forced), "{ S0[] -> S2[] }")


def test_forced_keeps_live_in_reads_first() -> None:
    given = found("B[0] = t; t = 1; B[1] = t;", before="double t = c[0];")
    same(given.may_live_in, "{ S0[] -> t[] }")
    same(given.may_live_out, "{ S0[] -> B[0]; S2[] -> B[1] }")
    same(there(given.forced), "{ S0[] -> S1[] }")


def test_forced_keeps_the_order_of_writes_that_may_reach_the_same_read() -> None:
    given = found("t = 1; if (c[0] > 0) t = 2; B[0] = t;", before=DEAD_SCALAR)
    same(given.may_live_out, "{ S2[] -> B[0] }")
    same(there(given.forced), "{ S0[] -> S1[] }")


def test_live_ranges_that_share_no_read_are_not_forced() -> None:
    given = found("t = 1; B[0] = t; t = 2; B[1] = t;", before=DEAD_SCALAR)
    same(there(given.forced), "{ }")
    same(there(given.order), "{ S1[] -> S2[] }")


# --- lone writes are meant by element -------------------------------------------------------------

ROW = "static void fill(double row[3]) { for (int j = 0; j < 3; j++) row[j] = j; }"


def rows(uses: str) -> Dependences:
    """A call fills a whole row through one reference; the row is dead after the region."""
    return found(
        LOOP + "{ fill(t); " + uses + " }",
        "int n, double B[n], double D[n]",
        prelude=ROW,
        before="double t[3];",
    )


def test_elements_that_nobody_reads_keep_their_writes_apart() -> None:
    given = rows("B[i] = t[1];")
    assert len(given.scop.statement("S0").accesses) == 1
    same(given.flow, "[n] -> { S0[i] -> S1[i] : 0 <= i < n }")
    same(
        there(given.order),
        "[n] -> { S1[i] -> S0[j] : 0 <= i < j < n; S0[i] -> S0[j] : 0 <= i < j < n }",
    )


def test_a_row_that_is_read_whole_has_no_lone_writes() -> None:
    given = rows("B[i] = t[0] + t[1] + t[2];")
    same(there(given.order), "[n] -> { S1[i] -> S0[j] : 0 <= i < j < n }")


def test_an_unread_element_must_not_come_between_another_write_and_its_read() -> None:
    """The live ranges of t[1] are apart here, but S0[0] destroys the t[0] that S2[1] reads."""
    given = rows("B[i] = t[1]; if (i == 1) D[0] = t[0];")
    schedule = isl.UnionMap(
        "[n] -> { S0[i] -> [0] : i = 1; S1[i] -> [1] : i = 1; S0[i] -> [2] : i = 0;"
        " S1[i] -> [3] : i = 0; S2[i] -> [4]; S0[i] -> [2 i + 3] : i > 1;"
        " S1[i] -> [2 i + 4] : i > 1 }"
    )
    assert not respects(schedule, given)
    harmless = schedule.subtract(isl.UnionMap("{ S2[i] -> [t] }"))
    assert respects(harmless, rows("B[i] = t[1] + t[0] + t[2];"))


# --- memory-based ---------------------------------------------------------------------------------


def test_in_memory_mode_nothing_is_cut() -> None:
    scop = model_of("A[0] = 1; A[0] = 2; B[0] = A[0]; A[0] = 3;", ARRAYS)
    given = dependences(scop, mode="memory")
    same(given.flow, "{ S0[] -> S2[]; S1[] -> S2[] }")
    same(given.output, "{ S0[] -> S1[]; S0[] -> S3[]; S1[] -> S3[] }")
    same(given.anti, "{ S2[] -> S3[] }")
    same(given.may_live_in, "{ S2[] -> A[0] }")
    same(given.may_live_out, "{ S0[] -> A[0]; S1[] -> A[0]; S2[] -> B[0]; S3[] -> A[0] }")


def test_in_memory_mode_kills_do_not_count() -> None:
    scop = model_of(LOOP + "{ double t = B[i]; B[i] = t; }", "int n, double B[n]")
    names = [each.name for each in scop.statements if not each.is_kill]
    write, read = names
    given = dependences(scop, mode="memory")
    same(given.flow, f"[n] -> {{ {write}[i] -> {read}[j] : 0 <= i <= j < n }}")
    assert not given.may_live_out.intersect_range(isl.UnionSet("{ t[] }")).is_empty()


def test_values_are_a_subset_of_memory() -> None:
    scop = model_of(LOOP + "{ A[i] = A[i - 1] + A[0]; A[0] = A[i]; }", "int n, double *A")
    value, memory = dependences(scop), dependences(scop, mode="memory")
    for name in ("flow", "false", "may_live_in", "may_live_out"):
        one, other = getattr(value, name), getattr(memory, name)
        assert one.is_subset(other)
        assert not one.is_equal(other)


def test_there_are_two_modes() -> None:
    scop = model_of("A[0] = 1;", ARRAYS)
    with pytest.raises(ValueError, match="by value or by memory, not by register"):
        dependences(scop, mode="register")  # pyright: ignore[reportArgumentType]


# --- inputs ---------------------------------------------------------------------------------------


def test_input_dependences_are_pairs_of_reads_of_one_value() -> None:
    given = found("B[0] = A[0]; A[0] = A[0] + 1; B[1] = A[0]; B[2] = A[0];", inputs=True)
    same(there(given.inputs), "{ S0[] -> S1[]; S2[] -> S3[] }")


def test_an_instance_that_overwrites_what_it_reads_hands_no_value_on() -> None:
    given = found("A[0] += 1; A[0] += 2; B[0] = A[0];", inputs=True)
    same(there(given.inputs), "{ }")
    given = found("if (c[0] > 0) A[0] += 1; B[0] = A[0];", inputs=True)
    same(there(given.inputs), "{ S0[] -> S1[] }")


def test_a_kill_ends_the_value_for_inputs() -> None:
    given = found(
        "B[0] = A[0]; __pencil_kill(A); B[1] = A[0];",
        inputs=True,
        prelude="void __pencil_kill(double *);",
    )
    same(there(given.inputs), "{ }")


def test_inputs_are_there_on_request_only() -> None:
    given = found("B[0] = A[0]; B[1] = A[0];")
    assert given.inputs is None
    assert given.tagged_inputs is None
    assert given.edges() == ()


# --- context --------------------------------------------------------------------------------------


def test_relations_hold_in_the_context_only() -> None:
    text = kernel(LOOP + "A[0] = A[0] + B[i];", "int n, double A[1], double *B")
    (scop,) = read_c(text, context="[n] -> { : n >= 5 }")
    given = dependences(scop, inputs=True)
    for name in ("flow", "false", "order", "forced", "may_live_in", "may_live_out"):
        relation: isl.UnionMap = getattr(given, name)
        assert relation.params().is_equal(isl.Set("[n] -> { : n >= 5 }")), name
    assert not dependences(read_c(text)[0]).flow.params().is_subset(scop.context)


def test_a_context_can_rule_a_dependence_out() -> None:
    text = kernel(LOOP + "A[i + m] = A[i];", "int n, int m, double *A")
    (anywhere,), (far,) = read_c(text), read_c(text, context="[n, m] -> { : m >= n }")
    assert not dependences(anywhere).flow.is_empty()
    assert dependences(far).flow.is_empty()
    assert there(dependences(far).order).is_empty()


# --- references -----------------------------------------------------------------------------------


def the_edge(given: Dependences, kind: Kind, source: str, sink: str) -> Dependence:
    (edge,) = (
        each
        for each in given.edges()
        if each.kind is kind and (each.source.access.text, each.sink.access.text) == (source, sink)
    )
    return edge


def test_an_edge_knows_its_two_references_and_where_they_stand() -> None:
    text = (
        "void f(int n, double *A, double *B) {\n"
        "#pragma scop\n"
        "  for (int i = 1; i < n; i++) {\n"
        "    A[i] = B[i] + B[i - 1];\n"
        "    B[i] = A[i - 1];\n"
        "  }\n"
        "#pragma endscop\n"
        "}\n"
    )
    given = dependences(read_c(text)[0])
    edge = the_edge(given, Kind.FLOW, "A[i]", "A[i - 1]")
    assert edge.array == "A"
    assert (edge.source.statement.name, edge.sink.statement.name) == ("S0", "S1")
    assert (edge.source.access.span.line, edge.source.access.span.column) == (4, 5)
    assert (edge.sink.access.span.line, edge.sink.access.span.column) == (5, 12)
    same(edge.pairs, "[n] -> { S0[i] -> S1[i + 1] : 1 <= i < n - 1 }")
    anti = the_edge(given, Kind.ANTI, "B[i]", "B[i]")
    assert (anti.source.access.span.column, anti.sink.access.span.column) == (12, 5)
    same(anti.pairs, "[n] -> { S0[i] -> S1[i] : 1 <= i < n }")
    flow = the_edge(given, Kind.FLOW, "B[i]", "B[i - 1]")
    assert (flow.sink.access.span.line, flow.sink.access.span.column) == (4, 19)
    assert len(given.edges()) == 3


def test_edges_stand_in_the_order_of_the_source() -> None:
    given = found("A[0] = 1; B[0] = A[0]; A[0] = B[0]; B[0] = A[0];")
    places = [(e.source.access.span.start, e.sink.access.span.start) for e in given.edges()]
    assert places == sorted(places)


def test_tags_tell_the_references_of_one_statement_apart() -> None:
    given = found("A[0] = 1; A[1] = 2; B[0] = A[0] + A[1];")
    first, second, left, right = (
        access.tag
        for name in ("S0", "S1", "S2")
        for access in given.scop.statement(name).accesses
        if access.array == "A"
    )
    same(
        given.tagged_flow,
        f"{{ [S0[] -> {first}[]] -> [S2[] -> {left}[]];"
        f" [S1[] -> {second}[]] -> [S2[] -> {right}[]] }}",
    )
    same(
        given.tagged_may_live_out,
        f"{{ [S0[] -> {first}[]] -> A[0]; [S1[] -> {second}[]] -> A[1];"
        f" [S2[] -> {given.scop.statement('S2').accesses[-1].tag}[]] -> B[0] }}",
    )


def test_a_reference_that_reads_and_writes_has_every_kind() -> None:
    given = found(LOOP + "A[0] += B[i];", "int n, double *A, double *B")
    kinds = [each.kind for each in given.edges()]
    assert kinds == [Kind.FLOW, Kind.ANTI, Kind.OUTPUT]
    for edge in given.edges():
        assert edge.source.access is edge.sink.access
        same(edge.pairs, STEPS)
    labelled = given.labelled(given.false_triples, Kind.ANTI)
    assert [each.kind for each in labelled] == [Kind.ANTI]


def test_a_struct_that_is_copied_whole_depends_member_by_member() -> None:
    given = found(
        "t = p[0]; p[1] = t; p[2].x = t.x;",
        "struct P p[3]",
        prelude="struct P { double x, y; };",
        before="struct P t;",
    )
    arrays = {
        (e.source.statement.name, e.source.access.array, e.sink.statement.name, e.sink.access.array)
        for e in given.edges()
    }
    assert arrays == {
        ("S0", "t_x", "S1", "t_x"),
        ("S0", "t_y", "S1", "t_y"),
        ("S0", "t_x", "S2", "t_x"),
    }
    reverse = isl.UnionMap("{ S0[] -> [2]; S1[] -> [1]; S2[] -> [0] }")
    assert {each.array for each in violations(reverse, given)} == {"t_x", "t_y"}


# --- promises of independence ---------------------------------------------------------------------

SCATTER = "for (int i = 0; i < n; i++) { A[ix[i]] = B[ix[i]]; B[ix[i]] = 1; }"
SCATTERED = "int n, double A[n], double B[n], int ix[n]"


def promised(
    pragma: str, body: str, parameters: str, *, trust: bool = True, **around: str
) -> Dependences:
    scop = model_of(f"\n#pragma pencil independent{pragma}\n{body}", parameters, **around)
    return dependences(scop, trust=trust)


def test_a_promise_denies_what_different_iterations_share() -> None:
    given = promised("", SCATTER, SCATTERED)
    same(given.flow, "{ }")
    same(given.false, "[n] -> { S0[i] -> S1[i] : 0 <= i < n }")
    same(there(given.order), "[n] -> { S0[i] -> S1[i] : 0 <= i < n }")
    same(there(given.forced), "[n] -> { S0[i] -> S1[i] : 0 <= i < n }")


def test_a_promise_about_an_array_denies_the_dependences_of_that_array_only() -> None:
    given = promised(" (A)", SCATTER, SCATTERED)
    assert {each.array for each in given.edges()} == {"B"}
    same(given.flow, "[n] -> { S1[i] -> S0[j] : 0 <= i < j < n }")
    given = promised(" (B)", SCATTER, SCATTERED)
    assert {each.array for each in given.labelled(there(given.order_triples), Kind.OUTPUT)} == {"A"}
    same(given.flow, "{ }")
    same(
        given.false,
        "[n] -> { S0[i] -> S0[j] : 0 <= i < j < n; S0[i] -> S1[i] : 0 <= i < n }",
    )


def test_a_promise_is_not_about_the_variables_of_an_iteration() -> None:
    """Each iteration has its own; but all of them have the same memory, which they use in turn."""
    body = LOOP + "{ double t = B[i]; A[ix[i]] = t; }"
    given = promised("", body, SCATTERED)
    turns = given.labelled(there(given.order_triples), Kind.ANTI, Kind.OUTPUT)
    assert {each.array for each in turns} == {"t"}


def test_without_trust_a_promise_denies_nothing() -> None:
    plain = dependences(model_of(SCATTER, SCATTERED))
    given = promised("", SCATTER, SCATTERED, trust=False)
    for name in ("flow", "false", "order", "forced"):
        assert getattr(given, name).is_equal(getattr(plain, name))


def test_a_promise_about_a_struct_is_about_all_its_members() -> None:
    body = LOOP + "{ p[ix[i]].x = 1; p[ix[i]].y += 1; q[ix[i]].x = 1; }"
    given = promised(
        "(p)",
        body,
        "int n, struct P p[n], struct P q[n], int ix[n]",
        prelude="struct P { double x, y; };",
    )
    assert {each.array for each in given.edges()} == {"q_x"}
    same(given.flow, "{ }")
    same(given.false, "[n] -> { S2[i] -> S2[j] : 0 <= i < j < n }")


def test_a_promise_about_an_inner_loop_says_nothing_about_the_outer_one() -> None:
    body = "for (int k = 0; k < n; k++)\n#pragma pencil independent\n" + LOOP + "A[ix[i]] = k + i;"
    given = dependences(model_of(body, "int n, double A[n], int ix[n]"))
    same(
        given.false,
        "[n] -> { S0[k, i] -> S0[l, j] : 0 <= k < l < n and 0 <= i < n and 0 <= j < n }",
    )


def test_a_promise_changes_nothing_about_live_in_and_live_out() -> None:
    plain = dependences(model_of(SCATTER, SCATTERED))
    given = promised("", SCATTER, SCATTERED)
    assert given.may_live_in.is_equal(plain.may_live_in)
    assert given.may_live_out.is_equal(plain.may_live_out)
    lie = promised("", LOOP + "A[0] = i;", "int n, double A[1]")
    same(lie.false, "{ }")
    same(lie.may_live_out, "[n] -> { S0[i] -> A[0] : i = n - 1 and n > 0 }")


# --- limits, and several regions ------------------------------------------------------------------


def test_too_many_operations_are_told_with_the_place_of_the_region() -> None:
    scop = model_of(LOOP + "A[i] = A[n - i];", "int n, double *A")
    with pytest.raises(InputError) as caught:
        dependences(scop, max_operations=1000)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "LW701"
    assert diagnostic.span == scop.span
    assert not dependences(scop).flow.is_empty(), "isl works as before"


def regions() -> list[Scop]:
    return read_c(
        """void f(int n, double *A) {
        #pragma scop
          for (int i = 1; i < n; i++) A[i] = A[i - 1];
        #pragma endscop
        #pragma scop
          for (int i = 0; i < n; i++) A[0] += A[i];
        #pragma endscop
        }"""
    )


def test_each_region_has_its_own_dependences() -> None:
    first, second = map(dependences, regions())
    same(first.flow, "[n] -> { S0[i] -> S0[i + 1] : 1 <= i < n - 1 }")
    same(first.may_live_out, "[n] -> { S0[i] -> A[i] : 1 <= i < n }")
    same(second.flow, STEPS)
    assert second.reductions == ()
    assert first.scop is not second.scop


def test_the_original_schedule_respects_every_relation() -> None:
    for scop in regions():
        given = dependences(scop, inputs=True)
        for name in ("flow", "false", "order", "forced", "inputs"):
            assert respects(scop.schedule, getattr(given, name)), name
        assert respects(scop.schedule, given)
