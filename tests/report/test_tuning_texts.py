"""The reports on what was tuned, as people read them, and as programs do.

``pytest tests/report/test_tuning_texts.py --update-golden`` writes the golden files anew.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from loopwright.report.tuning_texts import (
    counts_text,
    runs_text,
    tuning_document,
    tuning_text,
    versions_text,
)
from loopwright.report.tuning_versions import TuningRun, loop_counts, structures_of

from .tunings import correl, gemver, kept, regions, wrong

RUNS = [
    TuningRun(7, "gemver", "kernel.c", {"n": 1800}, "2026-10-05T12:30:59+00:00", is_ended=False),
    TuningRun(
        6,
        "correl",
        "stats.c",
        {"m": 1200, "n": 1400},
        "2026-10-04T09:00:00+00:00",
        is_ended=True,
        best="fusion 0 0 1",
        gain=11.94,
        over_optimize=1.256,
    ),
]


def compare(name: str, seen: str, request: pytest.FixtureRequest, project_root: Path) -> None:
    golden = project_root / "tests" / "golden" / name
    if request.config.getoption("--update-golden"):
        golden.write_text(seen)
    assert seen == golden.read_text()


def test_the_report(request: pytest.FixtureRequest, project_root: Path) -> None:
    text = tuning_text([gemver(), kept(), wrong()])
    compare("tuning.report.txt", text, request, project_root)


def test_what_show_tells(request: pytest.FixtureRequest, project_root: Path) -> None:
    text = f"{runs_text(RUNS)}\n{versions_text(wrong())}\n{runs_text([])}"
    compare("tuning.show.txt", text, request, project_root)


def test_what_optimize_makes_may_be_the_best() -> None:
    text = tuning_text([replace(gemver(), best="optimize")])
    assert "  best               what optimize makes: nothing was certain to be faster\n" in text


def test_what_was_not_timed_has_no_figures() -> None:
    found = gemver()
    untimed = [
        replace(each, times=(), gain=None, over_optimize=None) if each.key == "optimize" else each
        for each in found.versions
    ]
    lines = tuning_text([replace(found, versions=tuple(untimed))]).splitlines()
    assert lines[3] == "  optimize         not timed"


def test_no_candidate_is_forgotten() -> None:
    for function in (gemver(), wrong(), kept(), correl()):
        total, _, told = counts_text(function).partition(" candidates: ")
        assert int(total) == sum(int(each.split()[0]) for each in told.split(", "))


def test_lines_are_not_too_long() -> None:
    for function in (gemver(), correl(), regions()):
        lines = f"{tuning_text([function])}{versions_text(function)}".splitlines()
        assert max(map(len, lines)) <= 100
    assert "[[S0 S1]] [S2] [[S3]]" not in versions_text(regions()), "there is no room for loops"


def test_structures_go_from_fusion_to_distribution() -> None:
    found = structures_of(gemver())
    assert [each.number for each in found] == [1, 2, 3, 4, 5, 6]
    labels = [each.best.label for each in found]
    assert labels[0] == "fusion 0 0 0 1, tiles 32 x 256 -funroll-loops"
    assert labels[-1] == "original"
    assert len(found[0].versions) == 2, "the slower one, too"
    assert not any(each.best.label == "optimize" for each in found), "fusion 0 0 1 2 is faster"


def test_fewer_outer_loops_come_first_then_fewer_inner_ones() -> None:
    found = structures_of(correl())
    counts = [loop_counts(each.shapes) for each in found]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == ((1, 1), (6, 6))


def test_the_document_is_plain_data() -> None:
    document = json.loads(json.dumps(tuning_document([wrong()])))
    assert document["format"] == "loopwright-tuning-1"
    (function,) = document["functions"]
    assert (function["best"], function["lines"], function["sizes"]) == (
        "best",
        [4, 16],
        {"n": 1800},
    )
    by_key = {each["key"]: each for each in function["versions"]}
    assert len(by_key) == len(function["versions"]) == 18
    assert by_key["best"]["structures"] == ["[[S0 S1] S2] [[S3]]"]
    assert by_key["best"]["gain"] == pytest.approx(4.1)
    assert len(by_key["best"]["seconds"]) == 3
    assert (by_key["w1"]["status"], by_key["w1"]["seconds"]) == ("wrong", [])
