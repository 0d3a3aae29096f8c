"""Models as people see them."""

from __future__ import annotations

import pytest

from loopwright import read_c

from .expectations import kernel, model_of
from .test_documents import PROGRAMS


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_page_names_every_statement_and_array(program: str) -> None:
    for scop in read_c(PROGRAMS[program]):
        page = str(scop)
        assert scop.function in page
        for statement in scop.statements:
            if not statement.is_kill:
                assert f"{statement.name}[{', '.join(statement.iterators)}]" in page
        for array in scop.arrays:
            assert array.variable in page
        for parameter in scop.parameters:
            assert parameter.text in page


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_notebook_shows_the_page_escaped(program: str) -> None:
    for scop in read_c(PROGRAMS[program]):
        shown = scop._repr_html_()
        assert shown.startswith("<")
        assert "&lt;" in shown or "<" not in str(scop)
        for statement in scop.statements:
            if not statement.is_kill:
                assert statement.name in shown


def test_the_page_tells_reads_and_writes_apart() -> None:
    page = str(
        model_of("for (int i = 0; i < n; i++) A[i] = B[2 * i];", "int n, double *A, double *B")
    )
    reads = next(line for line in page.splitlines() if line.split()[:1] == ["reads"])
    writes = next(line for line in page.splitlines() if line.split()[:1] == ["writes"])
    assert "B[2i]" in reads
    assert "A[" not in reads
    assert "A[i]" in writes


def test_the_page_tells_what_may_happen() -> None:
    page = str(model_of("for (int i = 0; i < n; i++) if (A[i] > 0) A[i] = 1;"))
    assert "may write" in page


def test_the_page_tells_what_is_assumed() -> None:
    page = str(model_of("for (int i = 0; i != n; i++) A[i] = 0;"))
    assert "n >= 0" in page
    assert "ends" in page


def test_kills_have_a_section_of_their_own() -> None:
    page = str(model_of("for (int i = 0; i < n; i++) { double t = A[i]; A[i] = t; }"))
    before, _, after = page.partition("dead values")
    assert "K0" not in before
    assert "K0[i]  t  line" in after


def test_a_label_like_a_kill_is_still_shown() -> None:
    page = str(model_of("for (int i = 0; i < n; i++) K0: A[i] = 0;"))
    assert page.count("K0") >= 2


def test_the_order_shows_loops_and_marks() -> None:
    program = kernel("for (int i = n; i > 0; i--) { Row: for (int j = 0; j < n; j++) A[j] = i; }")
    page = str(read_c(program)[0])
    order = page[page.index("order") :].splitlines()
    assert any("Row" in line for line in order)
    depths = [len(line) - len(line.lstrip()) for line in order[1:4]]
    assert depths == sorted(depths)
