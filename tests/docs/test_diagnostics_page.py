"""The page about diagnostics lists every code, and no other."""

from __future__ import annotations

import re
from pathlib import Path

IN_A_DOCTEST = {"LW000"}


def test_the_page_lists_every_code(project_root: Path) -> None:
    page = (project_root / "docs" / "guide" / "diagnostics.md").read_text()
    listed = set(re.findall(r"^\| `(LW\d{3})` \|", page, re.MULTILINE))
    sources = (project_root / "src").rglob("*.py")
    used = {code for path in sources for code in re.findall(r'"(LW\d{3})"', path.read_text())}
    assert listed == used - IN_A_DOCTEST
