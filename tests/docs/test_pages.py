"""Every page of the documentation does what it says."""

from pathlib import Path

import pytest

from tests.docs.pages import ROOT, check_page

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page_does_what_it_says(page: Path, tmp_path: Path) -> None:
    check_page(page, tmp_path)
