"""The pages that ``model --text`` and ``deps`` print, for programs that show their parts.

``pytest tests/golden --update-golden`` writes the pages anew; a person reads the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import dump_model, read_c
from loopwright.report.findings import findings
from loopwright.report.table import table

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    "matmul": "examples/matmul.c",
    "cholesky": "benchmarks/kernels/cholesky.c",
    "csr-spmv": "examples/language/csr-spmv.c",
    "division-modulo": "examples/language/division-modulo.c",
    "linearised-3d": "examples/language/linearised-3d.c",
    "local-declarations": "examples/language/local-declarations.c",
    "nussinov": "benchmarks/kernels/nussinov.c",
    "structs": "examples/language/structs.c",
    "unsigned-countdown": "examples/language/unsigned-countdown.c",
}


def page_of(path: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(ROOT)
    scops = read_c(Path(path), define=["MINI"])
    return "\n\n".join(map(str, scops)) + "\n"


def compare(golden: Path, seen: str, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden"):
        golden.write_text(seen)
    assert seen == golden.read_text()


@pytest.mark.parametrize("name", PAGES)
def test_the_page(
    name: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    golden = Path(__file__).parent / f"{name}.txt"
    compare(golden, page_of(PAGES[name], monkeypatch), request)


@pytest.mark.parametrize("name", ["gemm", "seidel-2d"])
def test_the_dependences(
    name: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(ROOT)
    (scop,) = read_c(Path(f"benchmarks/kernels/{name}.c"), define=["MINI"])
    golden = Path(__file__).parent / f"{name}.deps.txt"
    compare(golden, table(findings(scop)) + "\n", request)


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_the_document(
    form: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(ROOT)
    golden = Path(__file__).parent / f"matmul.{form}"
    compare(golden, dump_model(read_c(Path("examples/matmul.c")), form), request)
