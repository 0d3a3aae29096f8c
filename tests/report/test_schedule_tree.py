"""A schedule tree as a person reads it."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

import islpy as isl
import pytest

from loopwright import read_c
from loopwright.report.schedule_tree import (
    bands_in,
    function_text,
    names_in,
    narrowed,
    outline_lines,
)
from loopwright.report.schedules import Wanted, rescheduled

from .schedules import CHAIN, CHAIN_AND_MORE, ROTATED, ROWS, SMOOTH, TRMM, scheduled, tree_text


def same(text: str, expected: str) -> None:
    assert text == dedent(expected).strip("\n")


def test_two_statements_that_are_not_fused() -> None:
    """Listing 22 of the paper."""
    same(
        tree_text(scheduled(TRMM)),
        """
        first
          tilable
            parallel for j
            for k
            for i
              S0[i, j, k]  line 7: B[i][j] += A[k][i] * B[k][j]
        then
          tilable
            parallel for i
            parallel for j
              S1[i, j]  line 8: B[i][j] = alpha * B[i][j]
        """,
    )


def test_loops_that_differ_from_statement_to_statement() -> None:
    """Listing 21 of the paper: what is the same for both is written once."""
    members = [
        line.strip()
        for line in tree_text(scheduled(TRMM, whole_component=True)).splitlines()
        if "for" in line
    ]
    assert members == ["parallel for j", "for k (S0), m (S1)", "for i"]


def test_a_sequence_inside_a_loop() -> None:
    same(
        tree_text(scheduled(SMOOTH)),
        """
        for t
          first
            parallel for i
              S0[t, i]  line 6: B[i] = (A[i - 1] + A[i] + A[i + 1]) / 3
          then
            parallel for i
              S1[t, i]  line 8: A[i] = B[i]
        """,
    )


def test_a_chain_is_a_plain_sequence() -> None:
    region = scheduled(CHAIN)
    assert "expansion" in str(region.schedule)
    same(
        tree_text(region),
        """
        parallel for i
          S0[i]  line 5: B[i] = A[i] + 1
          S1[i]  line 6: B[i] = B[i] * 2
          S2[i]  line 7: B[i] = B[i] - 3
        """,
    )


def test_a_chain_and_what_follows_it_are_one_sequence() -> None:
    same(
        tree_text(scheduled(CHAIN_AND_MORE)),
        """
        parallel for i
          S0[i]  line 5: B[i] = A[i] + 1
          S1[i]  line 6: B[i] = B[i] * 2
          S2[i]  line 8: C[i] = B[i]
        """,
    )


def test_what_is_not_connected_runs_in_any_order() -> None:
    same(
        tree_text(scheduled(ROTATED)),
        """
        in any order
          tilable
            parallel for j
            for i
              S0[i, j]  line 6: A[i][j] = A[i - 1][j]
        and
          parallel for i
            S1[i]  line 8: B[i] = 0
        """,
    )


def test_a_parallel_loop_tells_what_each_iteration_needs_for_itself() -> None:
    lines = tree_text(scheduled(ROWS)).splitlines()
    assert "parallel for i, each with its own norm" in lines[0] + lines[1]


def test_without_reordering_a_shared_variable_keeps_the_loop_in_order() -> None:
    (scop,) = read_c(ROWS)
    region = rescheduled(scop, Wanted(live_range_reordering=False))
    assert "parallel" not in tree_text(region)


def test_some_of_the_statements() -> None:
    region = scheduled(TRMM)
    only = narrowed(region.outline, ["S1"])
    assert names_in(only) == ["S1"]
    assert outline_lines(only, region.scop)[0] == "tilable"
    fused = scheduled(TRMM, whole_component=True).outline
    (band,) = bands_in(narrowed(fused, ["S1"]))
    assert [dict(each.times) for each in band.members] == [{"S1": "j"}, {"S1": "m"}, {"S1": "i"}]


def test_the_program_may_have_no_loop() -> None:
    program = "void f(double A[9]) {\n#pragma scop\nA[0] = A[1];\n#pragma endscop\n}"
    assert tree_text(scheduled(program)) == "S0[]  line 3: A[0] = A[1]"


def test_isl_makes_the_tree_of_the_paper_too() -> None:
    (scop,) = read_c(TRMM)
    by_isl = rescheduled(scop, replace(Wanted(), engine="isl"))
    assert tree_text(by_isl) == tree_text(scheduled(TRMM))
    assert isl.DEFAULT_CONTEXT.get_schedule_outer_coincidence() == 0, "isl keeps no option"


@pytest.mark.parametrize(
    ("function", "text"),
    [
        ("[n] -> { S[i, j] -> [(i)] }", "i"),
        ("[n] -> { S[i, j] -> [(-i)] }", "-i"),
        ("[n] -> { S[i, j] -> [(-2i + j - 1)] }", "j - 2*i - 1"),
        ("[n] -> { S[i, j] -> [(n - i)] }", "n - i"),
        ("[n] -> { S[i, j] -> [(3)] }", "3"),
        ("[n] -> { S[i, j] -> [(-3)] }", "-3"),
        ("[n] -> { S[i, j] -> [(0)] }", "0"),
        ("{ S[i] -> [(floor((i)/4))] }", "floor((i)/4)"),
    ],
)
def test_functions_as_texts(function: str, text: str) -> None:
    assert function_text(isl.PwAff(function)) == text
