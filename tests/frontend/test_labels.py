"""Labels name statements and loop components."""

from __future__ import annotations

import islpy as isl

from loopwright import Scop

from .expectations import expect, model_of

LOOP = "for (int i = 0; i < n; i++) "


def marks(scop: Scop) -> dict[str, set[str]]:
    """The statements below each mark of the schedule tree."""
    found: dict[str, set[str]] = {}

    def visit(node: isl.ScheduleNode) -> bool:
        if node.get_type() == isl.schedule_node_type.mark:
            sets = node.get_domain().get_set_list()
            names = {str(sets.get_at(at).get_tuple_name()) for at in range(sets.n_set())}
            found[node.mark_get_id().get_name()] = names
        return True

    scop.schedule.get_root().foreach_descendant_top_down(visit)
    return found


def test_a_label_names_its_statement() -> None:
    scop = model_of(LOOP + "{ first: A[i] = 0; A[i] = 1; last: A[i] += 2; }")
    assert [each.name for each in scop.statements] == ["first", "S0", "last"]
    assert [each.label for each in scop.statements] == ["first", None, "last"]
    expect(
        scop, instances="[n] -> { first[i] : 0 <= i < n; S0[i] : 0 <= i < n; last[i] : 0 <= i < n }"
    )


def test_a_label_on_the_only_statement_of_a_loop() -> None:
    scop = model_of(LOOP + "Init: A[i] = 0;")
    assert [each.name for each in scop.statements] == ["Init"]


def test_a_label_that_looks_like_one_of_our_names_keeps_names_apart() -> None:
    scop = model_of(LOOP + "{ A[i] = 0; S0: A[i] = 1; A[i] = 2; }")
    names = [each.name for each in scop.statements]
    assert len(set(names)) == 3
    assert scop.statements[1].label == "S0"
    assert names[1] == "S0"


def test_a_labelled_block_names_a_component() -> None:
    scop = model_of(LOOP + "{ L: { A[i] = 0; A[i] = 1; } A[i] = 2; }")
    assert marks(scop)["L"] >= {"S0", "S1"}


def test_a_label_at_the_start_of_a_block_names_the_loop_component() -> None:
    """``{ L: … }`` names the whole block, as in Loopy §2."""
    scop = model_of(LOOP + "{ L: for (int j = 0; j < n; j++) A[j] = i; A[i] = 2; }")
    assert marks(scop) == {"L": {"S0", "S1"}}


def test_a_labelled_block_whose_first_statement_is_simple() -> None:
    scop = model_of(LOOP + "{ L: A[i] = 2; for (int j = 0; j < n; j++) A[j] = i; }")
    assert marks(scop) == {"L": {"L", "S0"}} or marks(scop) == {"L": {"S0", "S1"}}


def test_a_label_before_a_loop_names_the_loop() -> None:
    scop = model_of("A[0] = 1; Outer: " + LOOP + "A[i] = 0; A[1] = 2;")
    assert marks(scop) == {"Outer": {"S1"}}
    (mark,) = [scop.schedule.get_root().child(0).child(at).child(0) for at in (1,)]
    assert mark.get_type() == isl.schedule_node_type.mark
    assert mark.child(0).get_type() == isl.schedule_node_type.band


def test_nested_labelled_blocks_nest_their_marks() -> None:
    body = """for (int i = 0; i < n; i++) { Outer:
      for (int j = 0; j < n; j++) { Inner:
        for (int k = 0; k < n; k++) A[k] = 0;
        A[j] = 1; } }"""
    found = marks(model_of(body))
    assert found == {"Outer": {"S0", "S1"}, "Inner": {"S0", "S1"}}


def test_a_labelled_dynamic_statement() -> None:
    scop = model_of(LOOP + "Check: if (A[i] > 0) A[i] = 1;")
    assert [each.name for each in scop.statements] == ["Check"]
    assert scop.statements[0].is_dynamic


def test_a_label_on_a_while_loop() -> None:
    scop = model_of("Spin: while (A[0] > 0) A[0]--;")
    assert [each.name for each in scop.statements] == ["Spin"]
