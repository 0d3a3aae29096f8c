"""What the proof alone says about two programs: no case in which they differ is looked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import islpy as isl

from loopwright import check
from loopwright.model.proofs import Proof, Unknown


def verdict(
    original: str | Path,
    transformed: str | Path,
    *,
    function: str | None = None,
    include: Sequence[str] = (),
    define: Sequence[str] = (),
    context: str | isl.Set | None = None,
    standard: str = "gnu11",
    assume_non_negative: bool = False,
    autodetect: bool = False,
    reassociate: bool = False,
    run: bool = False,
) -> Proof | Unknown:
    """A proof, or why there is none; neither program is ``run`` or evaluated."""
    assert not run
    with patch("loopwright.checking.evaluated", lambda *_: None):
        found = check(
            original,
            transformed,
            function=function,
            include=include,
            define=define,
            context=context,
            standard=standard,
            assume_non_negative=assume_non_negative,
            autodetect=autodetect,
            reassociate=reassociate,
        )
    assert isinstance(found, Proof | Unknown)
    return found
