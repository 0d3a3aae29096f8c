"""``loopwright schedule`` and ``loopwright explain`` as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from loopwright import generate, read_c, schedule
from loopwright.cli.commands import app

from .schedules import CHAIN, SMOOTH, TRMM

TWO = TRMM + SMOOTH.replace("kernel", "second")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "kernel.c"
    path.write_text(TRMM)
    return path


def run(*arguments: str | int | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)), input=text)


def test_the_tree_by_default(file: Path) -> None:
    result = run("schedule", file)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"kernel  ({file}, lines 4-8)\n\n  first\n    tilable\n")


def test_the_trace_follows_the_tree(file: Path) -> None:
    tree, _, decisions = run("schedule", file, "--trace").stdout.partition("\n\n  decisions\n")
    assert tree.endswith("S1[i, j]  line 8: B[i][j] = alpha * B[i][j]")
    assert decisions.startswith("    1. S0: a band of three loops, one of them parallel\n")


@pytest.mark.parametrize("program", [TRMM, SMOOTH, CHAIN])
def test_yaml_is_what_scan_reads(program: str) -> None:
    tree = run("schedule", "-", "--yaml", text=program).stdout
    loops = run("scan", "-", text=tree)
    assert loops.exit_code == 0
    assert loops.stdout == generate(schedule(read_c(program)[0]).tree).to_c()


def test_json(file: Path) -> None:
    (region,) = json.loads(run("schedule", file, "--json").stdout)["regions"]
    assert region["options"]["fallback"] == "feautrier"
    first, second = region["tree"]["sequence"]
    assert [each["times"] for each in first["band"]] == [{"S0": "j"}, {"S0": "k"}, {"S0": "i"}]
    assert [each["parallel"] for each in second["band"]] == [True, True]
    assert [each["event"] for each in region["trace"]] == ["band", "band", "merge", "split"]
    merge = region["trace"][2]
    assert merge["verdict"] == "fewer coincident members"
    (blocker,) = merge["band"]["coincidence_lost_to"]
    assert (blocker["source"], blocker["sink"]) == (["S0"], ["S1"])
    assert blocker["dependences"][0]["array"] == "B"
    assert blocker["dependences"][0]["sink"] == {"statement": "S1", "line": 8}


def test_explanations_by_both_names(file: Path) -> None:
    by_option = run("schedule", file, "--explain", 6)
    by_command = run("explain", file, 6)
    assert by_option.stdout == by_command.stdout
    assert json.loads(run("explain", file, 6, "--json").stdout)["text"] == by_command.stdout
    assert by_option.stdout.startswith(f"{file}:6: for (int k = i + 1; k < m; k++)\n")


def test_all_regions_or_one(tmp_path: Path) -> None:
    path = tmp_path / "two.c"
    path.write_text(TWO)
    both = run("schedule", path).stdout
    assert both.count("lines") == 2
    assert run("schedule", path, "--function", "second").stdout in both


def test_isl_as_the_engine(file: Path) -> None:
    assert run("schedule", file, "--engine", "isl").stdout == run("schedule", file).stdout
    (region,) = json.loads(run("schedule", file, "--engine", "isl", "--json").stdout)["regions"]
    assert (region["engine"], region["trace"]) == ("isl", None)


def test_isl_is_told_the_options(file: Path) -> None:
    """Listing 21."""
    result = run("schedule", file, "--engine", "isl", "--whole-component")
    assert "for k (S0), m (S1)" in result.stdout


OPTIONS = {
    ("--preset", "isl"): {"outer_coincidence": False, "group_chains": False},
    ("--fallback", "wavefront"): {"fallback": "wavefront"},
    ("--serialize-sccs",): {"serialize_sccs": True},
    ("--whole-component",): {"whole_component": True},
    ("--no-group-chains",): {"group_chains": False},
    ("--no-live-range-reordering",): {"live_range_reordering": False},
    ("--max-coefficient", "3"): {"max_coefficient": 3},
    ("--max-constant", "0"): {"max_constant_term": 0},
    ("--time-limit", "2.5"): {"time_limit": 2.5},
}


@pytest.mark.parametrize("arguments", OPTIONS, ids=lambda each: each[0])
def test_options(file: Path, arguments: tuple[str, ...]) -> None:
    usual = json.loads(run("schedule", file, "--json").stdout)["regions"][0]["options"]
    given = json.loads(run("schedule", file, "--json", *arguments).stdout)["regions"][0]["options"]
    changed = {name: value for name, value in given.items() if value != usual[name]}
    assert OPTIONS[arguments].items() <= changed.items()
    assert arguments[0] == "--preset" or OPTIONS[arguments] == changed


def test_whole_components_give_the_band_of_the_paper(file: Path) -> None:
    """Listing 21."""
    assert "for k (S0), m (S1)" in run("schedule", file, "--whole-component").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--json", "--yaml"), "only one of"),
        (("--trace", "--explain", "6"), "only one of"),
        (("--engine", "isl", "--trace"), "isl does not tell why"),
        (("--engine", "isl", "--explain", "6"), "isl does not tell why"),
        (("--time-limit", "0"), "time_limit must be positive"),
        (("--max-coefficient", "0"), "--max-coefficient"),
        (("--fallback", "none"), "--fallback"),
        (("--preset", "gcc"), "--preset"),
        (("--explain", "0"), "--explain"),
    ],
)
def test_bad_options(file: Path, arguments: tuple[str, ...], words: str) -> None:
    result = run("schedule", file, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr


def test_a_program_that_stays_in_its_order(project_root: Path) -> None:
    """Its iterator wraps around, so that no affine loop runs it; isl finds none either."""
    path = project_root / "examples" / "language" / "wrapping-iterator.c"
    result = run("schedule", path)
    assert "No other order was found; this is the order of the program." in result.stdout
    by_isl = run("schedule", path, "--engine", "isl")
    assert (by_isl.exit_code, by_isl.stdout) == (2, "")
    assert ": LW510: isl gives up" in by_isl.stderr


def test_a_line_with_nothing_on_it(file: Path) -> None:
    result = run("explain", file, 1)
    assert (result.exit_code, result.stdout) == (2, "")
    assert ":1:1: LW702: " in result.stderr


def test_explanations_have_a_time_limit(file: Path) -> None:
    result = run("explain", file, 6, "--time-limit", "0.000001")
    assert (result.exit_code, result.stdout) == (2, "")
    assert ": LW801: " in result.stderr


def test_output_to_a_file(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "schedule.yaml"
    result = run("schedule", file, "--yaml", "-o", target)
    assert (result.exit_code, result.stdout) == (0, "")
    assert target.read_text() == run("schedule", file, "--yaml").stdout
