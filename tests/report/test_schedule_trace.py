"""The decisions of the scheduler, as they are told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from loopwright.report.schedule_trace import trace_lines
from loopwright.report.schedules import Rescheduled

from .schedules import CHAIN, LINKED, ROTATED, ROWS, SMOOTH, TRMM, TWO_LOOPS, scheduled


def told(region: Rescheduled) -> list[list[str]]:
    """The lines of each decision, without its number and the blanks around them."""
    decisions: list[list[str]] = []
    for line in trace_lines(region.schedule.trace, region.reasons):
        if re.match(r" *\d+\. ", line):
            decisions.append([])
        decisions[-1].append(re.sub(r"^ *(\d+\. )?", "", line))
    return decisions


def test_the_clusters_of_the_paper_are_not_merged() -> None:
    """Example 21: the combination has one coincident member, the band of B alone has two.

    A problem has 4 + 2p unknowns for the bound and 2d + p + 1 for each statement, with p parameters
    and d dimensions (§6.5.5).
    """
    first, second, merge, split = told(scheduled(TRMM))
    assert first[0] == "S0: a band of three loops, one of them parallel"
    assert re.fullmatch(r"pluto +17 unknowns, \d+ constraints: +parallel for j", first[1])
    assert re.fullmatch(r"pluto +17 unknowns, \d+ constraints: +no further parallel loop", first[2])
    assert [line.split()[-1] for line in first[3:5]] == ["k", "i"]
    assert first[5:] == [
        "no further parallel loop because of",
        "flow, anti and output dependences through B from S0 (line 7) to S0 (line 7)",
    ]
    assert second[0] == "S1: a band of two loops, both parallel"
    assert all("15 unknowns, 0 constraints: " in line for line in second[1:])
    reason = "since together they have one parallel loop, and S1 alone has two"
    assert merge[0] == f"S0 + S1: not fused, {reason}"
    assert merge[3].endswith("for k (S0), m (S1)"), "Listing 21 has this member"
    assert merge[-2:] == [
        "no further parallel loop because of",
        "flow, anti and output dependences through B from S0 (line 7) to S1 (line 8)",
    ]
    assert split == ["S0; S1: one after the other, since they were not fused"]


def test_merged_clusters() -> None:
    """The second loop runs one step behind, so that both are parallel together."""
    _, _, merge = told(scheduled(TWO_LOOPS))
    assert merge[0] == "S0 + S1: fused"
    assert merge[1].endswith("parallel for i + 1 (S0), i (S1)")
    assert len(merge) == 2


def test_pairs_that_stay_far_apart() -> None:
    """Listing 21 puts B at m and A at k, so that the distance is m - k."""
    *_, merge, again, _ = told(
        scheduled(TRMM, maximize_coincidence=False, maximize_band_depth=False)
    )
    text = "S0 + S1: not fused, since that would not bring uses close to what they use"
    assert merge[0] == again[0] == text


def test_feautrier_where_no_band_begins_with_a_parallel_loop() -> None:
    none, carrying, *_ = told(scheduled(SMOOTH))
    assert none[0] == "S0 and S1: no band"
    assert none[1].endswith("no parallel loop")
    assert none[2:] == [
        "no parallel loop because of",
        "flow dependence through B from S0 (line 6) to S1 (line 8)",
        "anti dependence through A from S0 (line 6) to S1 (line 8)",
    ]
    assert carrying[0] == (
        "S0 and S1: one loop that carries as much as possible, by Feautrier's algorithm"
    )
    assert carrying[1].startswith("feautrier ")
    assert carrying[1].endswith(" for t")


@pytest.mark.parametrize(
    ("fallback", "text"),
    [
        ("wavefront", "one loop, the sum of those of the band"),
        ("original", "one loop, as the program has it"),
        ("single", "one loop, the first that Pluto's algorithm finds"),
        ("validity", "one loop, the first that Pluto's algorithm finds"),
    ],
)
def test_what_takes_the_place_of_feautrier(fallback: str, text: str) -> None:
    assert [f"S0 and S1: {text}"] in [
        decision[:1] for decision in told(scheduled(SMOOTH, fallback=fallback))
    ]


def test_a_chain_is_told_by_its_statements() -> None:
    grouped, band = told(scheduled(CHAIN))
    assert grouped == ["S0, S1 and S2: scheduled as one, since each hands a value on"]
    assert band[0] == "S0, S1 and S2: a band of one loop, parallel"
    assert band[1].endswith("parallel for i")


def test_what_a_chain_needs_is_told_by_its_statements() -> None:
    """The last statement of a chain makes what the first one of the next chain reads."""
    _, none, *_ = told(scheduled(LINKED))
    assert none[0] == "S0 and S1: no band"
    assert none[-1] == "flow dependence through B from S1 (line 6) to S0 (line 5)"


def test_live_ranges_that_would_overlap() -> None:
    """Two rows may run at the same time only if each sum stays within its own."""
    band, *_ = told(scheduled(ROWS))
    assert any(line.endswith("a loop that is given up again") for line in band)
    assert any(line.endswith("parallel for i") for line in band)
    local = band[band.index("kept within an iteration:") + 1 :]
    assert "flow dependence through norm from S1 (line 7) to S2 (line 8)" in local


def test_parts_that_nothing_connects() -> None:
    split, *_ = told(scheduled(ROTATED))
    assert split == ["S0; S1: each by itself, in any order, since no dependence connects them"]


def test_a_trace_without_explanations_has_no_reasons() -> None:
    for decision in told(scheduled(TRMM, explain=False)):
        assert not any("because" in line for line in decision)


def test_a_large_program_is_told_within_the_width(project_root: Path) -> None:
    region = scheduled(project_root / "benchmarks" / "kernels" / "correlation.c")
    lines = trace_lines(region.schedule.trace, region.reasons, 4)
    assert max(map(len, lines)) <= 100
    assert not any("G_" in line for line in lines), "groups are told by their statements"
