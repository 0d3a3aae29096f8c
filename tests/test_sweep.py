"""``loopwright scan``: strategies, how deep overhead may be, and the table of trade-offs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from loopwright import generate, overhead_depth
from loopwright.frontend.schedule_reader import read_schedule
from tests.test_scan import printed, refused, scan

SCHEDULE = """[n] -> { S[i, j] -> [i, j] : 0 <= i < n and 0 <= j < n;
                         T[i, j] -> [i, j] : 0 <= i < n and 0 <= j <= i }"""
COLUMNS = "copies  bytes  control  per instance  divisions  overhead inside"


@pytest.mark.parametrize("strategy", ["ast", "mappings"])
@pytest.mark.parametrize("depth", [None, 1, 0])
def test_it_is_what_generate_gives(strategy: str, depth: int | None) -> None:
    given = read_schedule("s", SCHEDULE.encode()).schedule
    wanted = generate(given, strategy=strategy, max_overhead_depth=depth)
    options = ["--strategy", strategy, *([] if depth is None else ["--k", str(depth)])]
    assert printed(SCHEDULE, *options) == wanted.to_c()


def test_both_names_of_the_depth() -> None:
    once, again = ("--k", "1"), ("--overhead-depth", "1")
    assert printed(SCHEDULE, *once) == printed(SCHEDULE, *again)


def test_no_limit_on_growth() -> None:
    assert printed(SCHEDULE, "--k", "0", "--max-growth", "inf") == printed(SCHEDULE, "--k", "0")


def test_growth_is_limited_and_said() -> None:
    result = scan("-", "--strategy", "mappings", "--k", "0", "--max-growth", "1", text=SCHEDULE)
    assert result.exit_code == 0
    assert "LW512: warning: control overhead is left inside 2 loops" in result.stderr
    assert result.stdout == printed(SCHEDULE, "--strategy", "mappings")


# --- the table ------------------------------------------------------------------------------------


def rows(*options: str) -> list[dict[str, object]]:
    document = json.loads(printed(SCHEDULE, "--sweep", "--size", "n=10", "--json", *options))
    assert document["sizes"] == {"n": 10}
    return document["versions"]


def test_the_table_of_mappings() -> None:
    found = rows("--strategy", "mappings")
    names = [row["name"] for row in found]
    assert names == ["mappings", "k = 1", "k = 0", "ast, default", "ast, atomic", "ast, separate"]
    # A test is a branch and a comparison.  T is tested at each of the 100 times; if the loop is
    # cut, it is asked 10 times whether there is anything behind T.  And n >= 1 is tested once.
    assert [row["control"] for row in found[:2]] == [202, 22]
    assert [row["copies"] for row in found[:2]] == [2, 3]
    assert [row["depth"] for row in found[:3]] == [2, 1, 0]
    assert {row["instances"] for row in found} == {155}


def test_the_table_of_the_ast_generator() -> None:
    found = rows("--loop-type", "atomic")
    names = [row["name"] for row in found]
    assert names[:5] == ["ast", "k = 1", "k = 0", "mappings", "ast, default"]
    assert [row["name"] for row in rows()][3:] == ["mappings", "ast, atomic", "ast, separate"]
    given = read_schedule("s", SCHEDULE.encode()).schedule
    assert overhead_depth(generate(given, overhead_depth=1)) == found[1]["depth"]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
def test_the_table_as_text() -> None:
    text = printed(SCHEDULE, "--strategy", "mappings", "--sweep", "--size", "n=10")
    first, blank, head, *lines = text.splitlines()
    assert (first, blank) == ("executed for n=10; bytes by gcc -O2", "")
    assert head.split("  ", 1)[1].strip() == COLUMNS
    assert [line.split("  ")[0] for line in lines][:3] == ["mappings", "k = 1", "k = 0"]
    assert len({len(line) for line in (head, *lines)}) == 1


def test_without_a_compiler_the_bytes_are_those_of_the_text() -> None:
    result = scan("-", "--sweep", "--size", "n=4", "--cc", "no-such-compiler", text=SCHEDULE)
    assert result.exit_code == 0
    told = "the bytes are those of the text in C: there is no compiler no-such-compiler\n"
    assert result.stderr == told
    assert result.stdout.startswith("executed for n=4; bytes by their text in C\n")
    size = len(printed(SCHEDULE).encode())
    assert f"  {size}  " in result.stdout


def test_a_schedule_without_parameters() -> None:
    text = printed("{ S[i] -> [i] : 0 <= i < 9; T[i] -> [i] : 2 <= i < 4 }", "--sweep")
    assert text.startswith("executed for the only size; ")


def test_bands_that_say_their_types_themselves(tmp_path: Path) -> None:
    path = tmp_path / "tree.yaml"
    path.write_text(
        'domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < 4 }"\n'
        'child:\n  schedule: "[{ S[i] -> [(i)]; T[i] -> [(i)] }]"\n  options: "{ separate[0] }"\n'
    )
    result = scan(path, "--sweep", "--size", "n=10", "--json")
    assert [row["name"] for row in json.loads(result.stdout)["versions"]] == ["ast", "mappings"]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
def test_names_and_numbers_of_any_kind() -> None:
    text = "[n] -> { loops[i] -> [i] : 10000000000 <= i < n; n_[i] -> [i] : 0 <= i < 3 }"
    document = json.loads(printed(text, "--sweep", "--size", "n=9", "--json"))
    assert min(row["size"] for row in document["versions"]) > 60


def test_a_tree(tmp_path: Path) -> None:
    path = tmp_path / "tree.yaml"
    path.write_text(
        'domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < 4 }"\n'
        'child:\n  schedule: "[{ S[i] -> [(i)]; T[i] -> [(i)] }]"\n'
    )
    output = tmp_path / "table.txt"
    result = scan(path, "--strategy", "mappings", "--sweep", "--size", "n=10", "-o", output)
    assert (result.exit_code, result.stdout) == (0, "")
    assert COLUMNS in output.read_text()


# --- what cannot be meant -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--strategy", "best"], "it is one of ast, mappings"),
        (["--k", "-1"], "--k"),
        (["--k", "deep"], "--k"),
        (["--max-growth", "0.5"], "--max-growth"),
        (["--sweep"], "give --size n=100"),
        (["--sweep", "--size", "n=3,m=3"], "the loops have no parameter m"),
        (["--max-growth", "2"], "--max-growth needs --k or --sweep"),
        (["--k", "0", "--max-growth", "nan"], "--max-growth"),
        (["--sweep", "--size", "n"], "n=1000,m=500"),
        (["--sweep", "--size", "n=100000"], "give smaller sizes"),
        (["--sweep", "--k", "1", "--size", "n=3"], "--sweep tries every k"),
        (["--sweep", "--engine", "isl", "--size", "n=3"], "--sweep tries every k"),
        (["--engine", "isl", "--k", "1"], "neither --strategy nor --k"),
        (["--engine", "isl", "--strategy", "mappings"], "neither --strategy nor --k"),
        (["--size", "n=3"], "--size needs --sweep"),
        (["--cc", "gcc"], "--cc needs --sweep"),
        (["--strategy", "mappings", "--loop-type", "unroll"], "LW508: loop types"),
    ],
)
def test_what_cannot_be_meant_is_refused(options: list[str], complaint: str) -> None:
    assert complaint in " ".join(refused(SCHEDULE, *options).replace("│", " ").split())
