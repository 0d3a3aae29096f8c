"""``loopwright deps`` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from loopwright.cli.commands import app

from .programs import kernel

PROGRAM = kernel("for (int i = 1; i < n; i++)\nA[i] = A[i - 1] + B[i];")
TWO = PROGRAM + PROGRAM.replace("kernel", "second")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "kernel.c"
    path.write_text(PROGRAM)
    return path


def deps(*arguments: str | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(app, ["deps", *map(str, arguments)], input=text)


def test_a_table_by_default(file: Path) -> None:
    result = deps(file)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"kernel  ({file}, lines 4-5)\n")
    assert "    A      flow  5 S0 A[i]  5 S0 A[i - 1]  (1)       i (line 4)\n" in result.stdout
    assert result.stderr == ""


def test_json(file: Path) -> None:
    document = json.loads(deps(file, "--json").stdout)
    assert document["regions"][0]["edges"][0]["kind"] == "flow"


def test_dot_and_svg(file: Path) -> None:
    assert deps(file, "--dot").stdout.startswith("digraph")
    assert ElementTree.fromstring(deps(file, "--svg").stdout).tag.endswith("svg")


def test_explain(file: Path) -> None:
    result = deps(file, "--explain", "4")
    assert result.exit_code == 0
    assert "The loop over i is not parallel." in result.stdout


def test_explain_says_where_something_is(file: Path) -> None:
    result = deps(file, "--explain", "1")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert f"{file}:1:1: LW702: " in result.stderr
    assert "hint: loops are on line 4, statements are on line 5" in result.stderr


@pytest.mark.parametrize(
    "options",
    [("--json", "--dot"), ("--dot", "--svg"), ("--svg", "--explain", "4"), ("--explain", "0")],
)
def test_forms_exclude_each_other(file: Path, options: tuple[str, ...]) -> None:
    result = deps(file, *options)
    assert result.exit_code == 2
    assert result.stdout == ""


def test_all_regions_in_one_report() -> None:
    table = deps("-", text=TWO).stdout
    assert "kernel  (<stdin>, lines 4-5)" in table
    assert "second  (<stdin>, lines 11-12)" in table
    assert len(json.loads(deps("-", "--json", text=TWO).stdout)["regions"]) == 2
    assert deps("-", "--svg", text=TWO).stdout.count("<svg") == 1


def test_explain_looks_into_all_regions() -> None:
    assert "<stdin>:11: for" in deps("-", "--explain", "11", text=TWO).stdout


def test_only_one_function() -> None:
    table = deps("-", "--function", "second", text=TWO).stdout
    assert "second" in table
    assert "kernel  (" not in table


def test_what_is_known_counts() -> None:
    # With two elements there is one iteration, and nothing for it to depend on.
    table = deps("-", "--context", "[n] -> { : n = 2 }", text=PROGRAM).stdout
    assert "i (line 4): parallel" in table


def test_inputs_and_memory() -> None:
    program = kernel(
        "for (int i = 1; i < n; i++)\n*s = B[i] + B[i - 1];", "int n, double B[n], double *s"
    )
    assert "input" not in deps("-", text=program).stdout
    assert "input" in deps("-", "--inputs", text=program).stdout
    assert "(1)" in deps("-", text=program).stdout
    assert "(+)" in deps("-", "--memory", text=program).stdout


def test_a_limit_on_the_work() -> None:
    result = deps("-", "--max-operations", "50", text=PROGRAM)
    assert result.exit_code == 2
    assert "LW701" in result.stderr


def test_the_report_is_limited_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    # What the relations need is given; the report about them gets no operation more.
    from loopwright.polyhedra.limits import OutOfOperations
    from loopwright.report import texts

    def spent(*_: object) -> None:
        raise OutOfOperations

    monkeypatch.setattr(texts, "table", spent)
    result = deps("-", text=PROGRAM)
    assert result.exit_code == 2
    assert "LW701: the dependences of this region are too complex" in result.stderr


def test_into_a_file(file: Path, tmp_path: Path) -> None:
    result = deps(file, "--dot", "-o", tmp_path / "graph.dot")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert (tmp_path / "graph.dot").read_text() == deps(file, "--dot").stdout


def test_bad_input() -> None:
    result = deps("-", text="void f(void) {}")
    assert result.exit_code == 2
    assert "LW114" in result.stderr


def test_notes_go_to_standard_error() -> None:
    program = "void g(double *);\n" + kernel("for (int i = 0; i < n; i++)\ng(A + i);")
    result = deps("-", text=program)
    assert "LW304" in result.stderr
    assert "LW304" not in result.stdout
    assert result.exit_code == 0
