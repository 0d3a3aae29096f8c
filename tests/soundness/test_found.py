"""Pairs that were accepted once although they print differently: no more.

``found/index.json`` says how each is read.  What is said to be assumed in an answer (that rounding
does not matter, that arrays do not overlap) is no part of this.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loopwright import InputError, Proof, check

FOUND = Path(__file__).parent / "found"
INDEX: dict[str, dict[str, Any]] = json.loads((FOUND / "index.json").read_text())


@pytest.mark.parametrize("name", INDEX)
def test_what_was_accepted_once(name: str) -> None:
    how = INDEX[name]
    (before,) = (FOUND / name).glob("before.*")
    after = before.with_stem("after")
    try:
        answer = check(
            before,
            after,
            standard=how["standard"],
            define=how["define"],
            include=[str(FOUND / name)],
            compiler=how["compiler"],
        )
    except InputError:
        return
    assert not isinstance(answer, Proof), str(answer)
