"""Which step broke an order for good, and what makes one not an order."""

from __future__ import annotations

import pytest

from loopwright import dependences, read_c
from loopwright.basics.diagnostics import Diagnostic
from loopwright.scripting import IllegalScript, Script, run_script

from .regions import region

DOWN = "for (int i = 1; i < N; i++)\n  for (int j = 0; j < N; j++)\n    L: A[i][j] = A[i - 1][j];\n"
SIXTEEN = "for (int i = 0; i < 16; i++)\n  L: A[i][0] = 1;\n"
NESTS = """
for (int i = 0; i < N; i++)
  First: A[i][0] = 1;
for (int i = 1; i < N; i++)
  Second: B[i][0] = B[i - 1][0];
"""

COPIES = """
void f(int n, double A[n], double B[n])
{{
  {around}
#pragma scop
  for (int i = 0; i < n; i++) {{
    {inside}
    L: x = A[i];
    B[i] = x;
  }}
#pragma endscop
}}
"""
EVEN_FIRST = "affine(L, {[i] -> [i%2,i/2]})"


def refusal(body: str, script: str) -> Diagnostic:
    with pytest.raises(IllegalScript) as found:
        run_script(region(body), script)
    return found.value.diagnostics[0]


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("reverse(L, 1)\nreverse(L, 2)\nshift(L, 2, 4)", 1),
        ("reverse(L, 1)\nreverse(L, 1)\nreverse(L, 1)", 3),
        ("reverse(L, 2)\nreverse(L, 1)\nshift(L, 2, 4)", 2),
        ("reverse(L, 1)\nreverse(L, 1)\nreverse(L, 2)\nreverse(L, 1)\nshift(L, 1, 4)", 4),
    ],
)
def test_an_order_is_broken_by_the_step_after_which_it_is_never_mended(
    script: str, line: int
) -> None:
    found = refusal(DOWN, script)
    assert (found.code, found.span.line) == ("LW816", line)


def test_instances_at_the_same_time_do_not_break_a_dependence() -> None:
    """The scheduler puts them apart again; then they run in the wrong order."""
    definition = "def backwards(l):\n  auto(l)\n  reverse(l, 1)\n  reverse(l, 2)\n"
    found = refusal(DOWN, f"{definition}affine(L, {{[i,j] -> [i,0]}})\nbackwards(L)")
    assert (found.code, found.span.line) == ("LW816", 6)


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("reverse(L, 1)\naffine(L, {[i,j] -> [i,j/2]})", 2),
        ("affine(L, {[i,j] -> [i,j/2]})\nreverse(L, 1)", 1),
    ],
)
def test_a_step_lets_instances_run_at_the_same_time(script: str, line: int) -> None:
    found = refusal(DOWN, script)
    assert (found.code, found.span.line) == ("LW817", line)
    assert found.message.startswith("L at (i = 1, j = 0) and L at (i = 1, j = 1) would run")


def test_parts_of_a_component_at_the_same_time() -> None:
    """Iterations 4 to 7 and 12 to 15 have one position, but times of their own at first."""
    script = "(P, Q) = isplit(L, {[i] : i < 8}, 0)\n(R, S) = isplit(L, {[i] : i < 4 or i > 11}, 0)"
    assert run_script(region(SIXTEEN), script).tree is not None
    found = refusal(SIXTEEN, f"{script}\naffine(L, {{[i] -> [i%8]}})")
    assert (found.code, found.span.line) == ("LW817", 3)
    assert found.message == "L at (i = 4) and L at (i = 12) would run at the same time"


def test_values_that_trade_places_still_need_places_of_their_own() -> None:
    """Iterations 0 and 2 follow each other only in the new order, and both use the variable."""
    (scop,) = read_c(COPIES.format(around="double x;", inside=""))
    assert run_script(scop, EVEN_FIRST).tree is not None
    with pytest.raises(IllegalScript, match=r"LW818: .* L at \(i = 2\) .* overwrites x"):
        run_script(scop, f"{EVEN_FIRST}\nparallel(L, 2)")


def test_a_variable_of_the_region_gets_a_place_for_each_iteration() -> None:
    (scop,) = read_c(COPIES.format(around="", inside="double x;"))
    script = Script("s", f"{EVEN_FIRST}\nparallel(L, 2)")
    assert [*script.ordered(scop, dependences(scop)).private.values()] == [("x",)]


def test_every_loop_that_a_mark_is_about_is_judged() -> None:
    found = refusal(NESTS, "X = lift(First, 0)\nparallel(X, 1)")
    assert (found.code, found.span.line) == ("LW818", 2)
    assert "Second at (i = 2)" in found.message
