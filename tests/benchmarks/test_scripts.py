"""The benchmark of scripts: a kernel is transformed, compared and timed."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import scripts


def test_a_script_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(scripts, "compilers", lambda: {"gcc": scripts.GCC})
    assert scripts.main(["--only", "mvt", "--repeat", "1", "--size", "MEDIUM"]) == 0
    head, line, mean = capsys.readouterr().out.splitlines()
    assert head.split() == ["kernel", "steps", "gcc", "s", "gcc", "clang", "best", "optimize"]
    name, steps, seconds, by_gcc, by_clang, best, automatic = line.split()
    assert (name, steps, by_clang) == ("mvt", "1", "-")
    assert float(seconds) > 0
    assert by_gcc == best
    assert mean == f"geometric means of 1: best {best}, optimize {automatic}"


def test_a_problem_is_told(tmp_path: Path) -> None:
    (tmp_path / "mvt.loopy").write_text("affine(Second, {[i,j] -> [j,j]})")
    result = scripts.measured(tmp_path / "mvt.loopy", 1, "MINI")
    assert "would run at the same time" in scripts.row(result)
    assert scripts.summary([result]) == "nothing was measured"
