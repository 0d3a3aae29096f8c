"""The model predicts the execution of every kernel and every example exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import read_c

from .corpus import FILES, name_of, text_of
from .oracle import Program, check_program


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_the_model_predicts_the_execution(path: Path) -> None:
    text = text_of(path)
    found = check_program(Program(text, read_c(text)))
    assert not found, "\n".join(map(str, found))
