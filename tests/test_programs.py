"""The kernels compute what they say, and the examples run: their own checkers say so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("script", "last"),
    [
        ("benchmarks/check_kernels.py", "30 of 30 kernels ok"),
        ("examples/check_examples.py", "135 of 135"),
    ],
)
def test_the_checker_is_satisfied(project_root: Path, script: str, last: str) -> None:
    done = subprocess.run(
        [sys.executable, project_root / script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert last in done.stdout
