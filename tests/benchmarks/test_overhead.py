"""The benchmark of control overhead: its rows are right or refused, and its figures are counted."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace

import islpy as isl
import pytest

from benchmarks import overhead
from benchmarks.overhead_inputs import JACOBI, KERNELS, LU, WAVELET, Kernel
from benchmarks.programs import BrokenProgramError
from loopwright.codegen.generation import generate
from loopwright.model.loop_ast import LoopAst

needs_valgrind = pytest.mark.skipif(
    shutil.which("valgrind") is None, reason="valgrind is not installed"
)
FLAGS = overhead.FLAGS.split()
SMALL = replace(WAVELET, size=40, other_sizes=(2, 3, 33))


def figures(overheads: tuple[float, ...], sizes: tuple[int, ...]) -> overhead.Table:
    """A table of blocked LU with these figures, for the rows of the paper."""
    rows = tuple(
        overhead.Row(name, overhead.Measure(0, 0, size), part, part, 2, None)
        for name, part, size in zip(overhead.PAPER, overheads, sizes, strict=True)
    )
    return overhead.Table("lu", "", 250, rows)


def test_the_naive_code_is_one_nest_with_tests_inside() -> None:
    assert overhead.naive(LU).to_c() == (
        "for (int c0 = 1; c0 < n; c0 += 64)\n"
        "  for (int c1 = c0 - 1; c1 <= n; c1 += 64)\n"
        "    for (int c2 = c0; c2 <= n; c2 += 1)\n"
        "      for (int c3 = c0; c3 <= min(n - 1, min(c0 + 63, min(c1 + 62, c2))); c3 += 1)\n"
        "        for (int c4 = max(c1, c3 + 1); c4 <= min(n, c1 + 63); c4 += 1) {\n"
        "          if (c2 > c3)\n"
        "            S2(c3, c4, c2);\n"
        "          if (c3 == c2)\n"
        "            S1(c2, c4);\n"
        "        }\n"
    )


def test_what_only_orders_statements_is_no_loop_of_the_naive_code() -> None:
    text = overhead.naive(JACOBI).to_c()
    assert text.count("for (") == JACOBI.depth
    assert text.index("S1(") < text.index("S2(")


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_rows_have_names_of_their_own(kernel: Kernel) -> None:
    names = [name for name, _ in overhead.versions(replace(kernel, depth=0))]
    assert len(set(names)) == len(names)
    assert {overhead.NAIVE, overhead.INITIAL, "AST separate"} <= set(names)


def test_the_figures_of_the_paper_are_in_the_order_of_the_paper() -> None:
    parts, sizes = zip(*overhead.PAPER.values(), strict=True)
    told = list(overhead.verdicts(figures(parts, sizes)))
    assert told[0] == "overhead falls with k"
    assert told[1] == "least overhead: k = 2 with 4.0% in 5352 bytes"
    assert told[-2:] == [f"{what} in the order of the paper: yes" for what in ("overhead", "bytes")]


def test_what_is_in_another_order_is_told() -> None:
    told = list(overhead.verdicts(figures((31, 13, 13, 5, 6, 0), (700, 712, 712, 1576, 1500, 100))))
    assert told[0] == "overhead falls with k, but not at k = 2 (5.0% to 6.0%)"
    assert told[-2:] == [
        "overhead in the order of the paper: all but k = 2 and k = 3",
        "bytes in the order of the paper: all but k = 2 and k = 3",
    ]


@needs_valgrind
def test_a_row_is_counted_the_same_each_time() -> None:
    def twice(kernel: Kernel) -> Iterator[tuple[str, LoopAst]]:
        yield from (("naive", overhead.naive(kernel)), ("again", overhead.naive(kernel)))

    once, other = (overhead.table(SMALL, FLAGS, twice) for _ in range(2))
    assert once == other
    naive, again, original = once.rows
    assert naive.measure == again.measure
    assert naive.overhead > 0
    assert naive.control > 0
    assert original.overhead == original.control == 0
    assert 0 < original.measure.control < original.measure.instructions
    assert 0 < original.measure.size < naive.measure.size


@needs_valgrind
def test_a_wrong_row_is_an_error() -> None:
    def wrong(kernel: Kernel) -> Iterator[tuple[str, LoopAst]]:
        # The updates come before the predictions that they need.
        times = kernel.mapping.replace("2i + 1]", "2i - 1]")
        yield "wrong", generate(isl.UnionMap(times), context=kernel.context)

    with pytest.raises(BrokenProgramError, match="wavelet, wrong: other results"):
        overhead.table(SMALL, FLAGS, wrong)


@needs_valgrind
def test_one_kernel_as_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(overhead, "KERNELS", (LU, replace(SMALL, depth=0)))
    assert overhead.main(["--kernel", "wavelet", "--size", "30", "--json"]) == 0
    (kernel,) = json.loads(capsys.readouterr().out)["kernels"]
    assert kernel["size"] == 30
    assert [row["name"] for row in kernel["rows"]][:2] == ["naive", "initial"]
    assert kernel["rows"][-1]["name"] == "original"


def test_a_wrong_program_is_the_status_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong(*_: object) -> overhead.Table:
        raise BrokenProgramError("lu, k = 2: other results than the original's")

    monkeypatch.setattr(overhead, "table", wrong)
    monkeypatch.setattr(overhead, "TOOLS", ())
    assert overhead.main(["--kernel", "lu"]) == 1
    assert "WRONG  lu, k = 2: other results" in capsys.readouterr().err


def test_without_valgrind_there_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(overhead, "TOOLS", ("no-such-valgrind",))
    assert overhead.main([]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == "no-such-valgrind is not installed, and nothing is counted without it\n"
