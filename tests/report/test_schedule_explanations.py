"""Why a loop is not parallel, not tilable, not fused in the new schedule."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import InputError
from loopwright.report.explanations import source_lines
from loopwright.report.schedule_explanations import schedule_explanation

from .schedules import CHAIN, MIRROR, ROTATED, ROWS, SMOOTH, TRMM, TWO_LOOPS, scheduled


def explained(program: str, line: int, **options: object) -> list[str]:
    """The paragraphs, each on one line."""
    region = scheduled(program, explain=True, **options)
    source = source_lines("k.c", program.encode())
    text = schedule_explanation([region], line, source)
    return [" ".join(each.split()) for each in text.split("\n\n")]


def test_a_loop_of_the_source_is_found_in_the_new_order() -> None:
    title, runs, tree, *_ = explained(TRMM, 6)
    assert title == "k.c:6: for (int k = i + 1; k < m; k++)"
    assert runs == "The loop over k runs S0, now like this:"
    assert tree.startswith("tilable parallel for j for k for i S0[i, j, k] line 7: ")


def test_why_a_loop_is_not_parallel() -> None:
    """The steps of one sum: with three rows, the first row gathers those of k = 1 and k = 2."""
    verdict, way = explained(TRMM, 6)[3:5]
    assert verdict == ("'for k' is not parallel. Its iterations depend on each other in one way:")
    assert way.startswith("flow, anti and output dependences through B 7 | B[i][j] += ")
    assert way.endswith(
        "for m = 3, n = 1: S0 at (i = 0, j = 0, k = 2) on line 7 reads B[0][0],"
        " which S0 at (i = 0, j = 0, k = 1) on line 7 has to write first"
    )


def test_only_the_loops_that_run_the_iterator_are_told_about() -> None:
    paragraphs = explained(TRMM, 5)
    assert "'for j' is parallel: no iteration depends on another." in paragraphs
    assert not any(each.startswith(("'for k'", "'for i'")) for each in paragraphs)


def test_a_loop_that_is_parallel_only_inside_the_others() -> None:
    """For one j and one k, different i write different elements and none reads another's."""
    assert (
        "'for i' is parallel inside an iteration of the loops around it, but not if these change"
        " places with it."
    ) in explained(TRMM, 7)


def test_why_statements_are_not_fused() -> None:
    """Example 21 of the paper."""
    for line in (7, 8):
        assert explained(TRMM, line)[-1] == (
            "S0 is not fused with S1, since together they have one parallel loop, and S1 alone has"
            " two. In the way:"
            " flow, anti and output dependences through B from S0 (line 7) to S1 (line 8)"
        )


def test_fused_statements_are_no_question() -> None:
    for line in (5, 7):
        assert not any("fused" in each for each in explained(TWO_LOOPS, line))


def test_why_a_loop_is_not_tilable_with_those_inside() -> None:
    paragraphs = explained(SMOOTH, 4)
    assert (
        "'for t' is not tilable with the loops inside. No loop around S0 and S1 can be parallel"
        " here, and so one was made that carries what it can. In the way:"
        " flow dependence through B from S0 (line 6) to S1 (line 8)"
        " anti dependence through A from S0 (line 6) to S1 (line 8)"
    ) in paragraphs


def test_fusion_is_about_the_loops_inside_the_common_ones() -> None:
    assert any(
        each.startswith("S0 is not fused with S1 inside 'for t', since they have no parallel loop")
        for each in explained(SMOOTH, 6)
    )


def test_what_flows_comes_first() -> None:
    ways = [
        each for each in explained(SMOOTH, 4) if " dependence through " in each and " | " in each
    ]
    assert ways[0].startswith("flow dependence through A 6 | ")
    assert "S1 at (t = 0, i = 1) on line 8 has to write first" in ways[0]


def test_variables_that_each_iteration_needs() -> None:
    assert (
        "'for i' is parallel: no iteration depends on another. Each iteration needs its own norm."
    ) in explained(ROWS, 4)


def test_the_order_of_sums_in_one_variable_keeps_no_loop_from_being_parallel() -> None:
    """The anti and output dependences through norm only take turns in its memory."""
    ways = [each for each in explained(ROWS, 6) if " | " in each]
    assert [each.partition(" 7 | ")[0] for each in ways] == ["flow dependence through norm"]


def test_a_band_that_ends_so_that_live_ranges_do_not_overlap() -> None:
    (border,) = [each for each in explained(ROWS, 4) if "tilable" in each]
    assert "others take their turn in the same memory" in border
    assert "flow dependence through norm from S1 (line 7) to S2 (line 8)" in border


def test_what_is_fused_at_last_is_no_question(project_root: Path) -> None:
    """The mean of a column is first too far from where it is used, and fused in the second pass."""
    path = project_root / "benchmarks" / "kernels" / "correlation.c"
    region = scheduled(path)
    (line,) = [each.span.line for each in region.scop.statements if each.text == "mean[j] /= count"]
    text = schedule_explanation([region], line, source_lines("c.c", path.read_bytes()))
    assert "too far apart" in {each.verdict for each in region.schedule.trace.merges}
    assert "would not bring uses close" not in " ".join(text.split())


def test_a_loop_and_its_statement_on_one_line_are_told_once() -> None:
    program = "void f(int n, double A[n]) {\n#pragma scop\nfor (int i = 0; i < n; i++) A[i] = 0;\n"
    paragraphs = explained(program + "#pragma endscop\n}\n", 3)
    assert sum(" runs " in each for each in paragraphs) == 1


def test_a_band_that_ends() -> None:
    """Nothing can be tiled with the loop over i, and the loop over j is parallel inside it."""
    paragraphs = explained(MIRROR, 6, outer_coincidence=False)
    assert paragraphs[2].startswith("for i parallel for j S0[i, j]")
    assert (
        "'for i' is not tilable with the loops inside. The band has no further loop. In the way:"
        " flow dependence through A from S0 (line 6) to S0 (line 6)"
    ) in paragraphs


def test_statements_of_a_chain() -> None:
    title, runs, tree, parallel = explained(CHAIN, 6)
    assert title == "k.c:6: B[i] = B[i] * 2;"
    assert runs == "S1 now runs like this:"
    assert tree == "parallel for i S1[i] line 6: B[i] = B[i] * 2"
    assert parallel == "'for i' is parallel: no iteration depends on another."


def test_parts_that_nothing_connects() -> None:
    assert explained(ROTATED, 8)[-1] == (
        "S0; S1 run each by itself, since no dependence connects them."
    )


def test_what_was_never_tried(project_root: Path) -> None:
    """In Gram-Schmidt all but the initialisation of R needs the column before."""
    path = project_root / "benchmarks" / "kernels" / "gramschmidt.c"
    region = scheduled(path)
    (line,) = [each.span.line for each in region.scop.statements if each.text == "R[k][j] = 0.0"]
    text = schedule_explanation([region], line, source_lines("g.c", path.read_bytes()))
    words = " ".join(text.split())
    assert "was tried, since no loop of their own can be parallel. In the way: flow" in words


def test_nothing_on_that_line() -> None:
    with pytest.raises(InputError) as error:
        explained(TRMM, 1)
    (problem,) = error.value.diagnostics
    assert problem.code == "LW702"
    assert problem.hint == "loops are on lines 4-6, statements are on lines 7-8"


HISTOGRAM = """void f(int idx[100][100], int h[256]) {
#pragma scop
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 100; j++)
      h[idx[i][j]] += 1;
#pragma endscop
}
"""


def test_a_band_that_nothing_can_begin_has_a_reason_too() -> None:
    """With fixed sizes not even an order without parallel loops is near enough."""
    assert any(
        "'for i' is not tilable with the loops inside" in each for each in explained(HISTOGRAM, 3)
    )


LAST_VALUE = """void f(int n, double a[n], double b[n]) {
  double t;
#pragma scop
  for (int i = 0; i < n; i++) {
    t = a[i];
    b[i] = t;
  }
  b[0] = t;
#pragma endscop
}
"""


def test_a_variable_whose_last_value_is_used() -> None:
    paragraphs = explained(LAST_VALUE, 4)
    assert any(each.startswith("'for i' is not parallel. Its iterations") for each in paragraphs)
    assert any("through t" in each and " | " in each for each in paragraphs)
