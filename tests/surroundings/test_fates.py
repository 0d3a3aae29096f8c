"""One region, one fate: whatever goes wrong in one costs no other anything, and is told."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import islpy as isl
import pytest

from loopwright import InputError, Lost, optimize, pipeline, proving
from loopwright.basics.diagnostics import Diagnostic
from loopwright.choosing import Wanted
from loopwright.cli.forks import forked
from loopwright.fates import (
    Broken,
    LeftAlone,
    Outcome,
    OutOfTime,
    Refused,
    Rewritten,
    Unproved,
)
from loopwright.frontend import reading
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question
from loopwright.model.proofs import Unknown, Verdict
from loopwright.model.scop import Scop
from loopwright.polyhedra.limits import OutOfOperations
from loopwright.verify.read_back import Claim, read_back

PROGRAM = """\
#include <stdio.h>
#include <assert.h>
#define AT(m, i, j) (m)->data[(i) * (m)->columns + (j)]
typedef struct { int rows, columns; double *data; } matrix;

static void scaled(int n, double *restrict a)
{
  printf("scaled\\n");
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = 2 * a[i];
#pragma endscop
}

static void doomed(int n, double a[n][n], double b[n][n])
{
#pragma scop
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] += b[i][j];
#pragma endscop
}

static void turned(int n, double C[n][n])
{
  assert(n > 0);
#pragma scop
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      C[i][j] *= 2;
#pragma endscop
}
"""

Injecting = Callable[..., None]


class Odd(Exception):
    """Nobody expects it."""


def raising(error: BaseException) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> NoReturn:
        raise error

    return fail


def in_function(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, fail: Callable[..., Any]
) -> None:
    """Let a step fail for the region of ``doomed``; its first argument that is a model says so."""
    before = getattr(module, name)

    def step(*arguments: Any, **named: Any) -> Any:
        for each in arguments:
            scop = each if isinstance(each, Scop) else getattr(each, "original", None)
            if isinstance(scop, Scop) and scop.function == "doomed":
                return fail(*arguments, **named)
            region = getattr(each, "function", None)
            if getattr(region, "name", None) == "doomed":
                return fail(*arguments, **named)
        return before(*arguments, **named)

    monkeypatch.setattr(module, name, step)


ERRORS = [
    AssertionError("one is not two"),
    isl.Error("spaces don't match"),
    TypeError("None is no number"),
    RecursionError("too deep"),
    Odd("odd"),
    KeyError("x"),
]
STEPS = [
    (pipeline, "dependences"),
    (pipeline, "chosen"),
    (pipeline, "region_text"),
    (reading, "scop_from_region"),
]


CRASHES = [(module, step, ERRORS[0]) for module, step in STEPS]
CRASHES += [(pipeline, "chosen", each) for each in ERRORS[1:]]
CRASHES += [(reading, "scop_from_region", each) for each in ERRORS[1:]]


@pytest.fixture(scope="module")
def alone() -> str:
    """What becomes of the last region where nothing goes wrong."""
    return new_text(optimize(PROGRAM), "turned")


def new_text(result: Outcome, function: str) -> str:
    text = result.code
    return text[text.index(f"void {function}(") :].partition("\n}\n")[0]


@pytest.mark.parametrize(("module", "step", "error"), CRASHES)
def test_a_crash_costs_no_other_region_anything(
    module: Any, step: str, error: Exception, alone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_function(monkeypatch, module, step, raising(error))
    result = optimize(PROGRAM)
    assert new_text(result, "turned") == alone
    assert new_text(result, "doomed") in PROGRAM
    (note,) = (each for each in result.notes if each.code in ("LW904", "LW105"))
    assert note.code == ("LW105" if module is reading and "too deep" in str(error) else "LW904")
    assert 17 <= note.span.line <= 18
    if note.code == "LW904":
        assert type(error).__name__ in note.message
        assert "test_fates" not in note.message
    with pytest.raises(Lost, match=note.code):
        optimize(PROGRAM, strict=True)


@pytest.mark.parametrize("autodetect", [False, True])
def test_what_cannot_be_read_is_left_alone(
    autodetect: bool, alone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail = raising(AssertionError("no model"))
    in_function(monkeypatch, reading, "scop_from_region", fail)
    text = PROGRAM.replace("#pragma scop\n", "").replace("#pragma endscop\n", "")
    result = optimize(text if autodetect else PROGRAM, autodetect=autodetect)
    assert [each.scop.function for each in result.regions] == ["scaled", "turned"]
    assert any(each.code == "LW904" for each in result.left_out)
    if not autodetect:
        assert new_text(result, "turned") == alone


def test_no_proof_of_one_region(alone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def judge(claim: Claim, *others: Any) -> Verdict:
        doomed = claim.original.function == "doomed"
        return Unknown("nobody believes it") if doomed else read_back(claim, *others)

    monkeypatch.setattr(proving, "read_back", judge)
    result = optimize(PROGRAM)
    _, doomed, turned = result.regions
    assert isinstance(doomed, Unproved)
    assert doomed.note.code == "LW901"
    assert isinstance(turned, Rewritten)
    assert turned.proof is not None
    assert new_text(result, "turned") == alone
    assert new_text(result, "doomed") in PROGRAM


@pytest.mark.parametrize("error", ERRORS[:2], ids=lambda each: type(each).__name__)
def test_a_crash_in_a_proof(error: Exception, alone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    in_function(monkeypatch, proving, "read_back", raising(error))
    result = optimize(PROGRAM)
    _, doomed, turned = result.regions
    assert isinstance(doomed, Broken)
    assert isinstance(turned, Rewritten)
    assert new_text(result, "turned") == alone
    assert new_text(result, "doomed") in PROGRAM


def test_a_version_that_was_lost_to_the_proof_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    refused: list[str] = []

    def judge(claim: Claim, *others: Any) -> Verdict:
        if claim.original.function == "turned" and not refused:
            refused.append("once")
            return Unknown("c0 may be anything")
        return read_back(claim, *others)

    monkeypatch.setattr(proving, "read_back", judge)
    result = optimize(PROGRAM)
    turned = result.regions[-1]
    assert isinstance(turned, Rewritten)
    assert turned.proof is not None
    assert turned.note is not None
    assert turned.note.code == "LW903"
    assert "times faster was not proved: c0 may be anything" in turned.note.message.replace(
        "x faster", " times faster"
    )


def test_several_fates_in_one_program(alone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    more = """
static double total(int n, const double *a)
{
#pragma scop
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i];
#pragma endscop
  return sum;
}

static int found(int n, const double *a)
{
#pragma scop
  for (int i = 0; i < n; i++)
    if (a[i] < 0) goto yes;
#pragma endscop
  return 0;
yes:
  return 1;
}

static void prefix(int n, double *a)
{
#pragma scop
  for (int i = 1; i < n; i++)
    a[i] += a[i - 1];
#pragma endscop
}
"""
    in_function(monkeypatch, pipeline, "chosen", raising(AssertionError("injected")))
    result = optimize(PROGRAM + more)
    kinds = [type(each) for each in result.regions]
    assert kinds[1:] == [Broken, Rewritten, Refused, LeftAlone]
    assert [each.code for each in result.left_out] == ["LW201"]
    assert new_text(result, "turned") == alone


# --- processes ------------------------------------------------------------------------------------


def in_processes(seconds: float = 60.0) -> Outcome:
    wanted = Wanted(deadline=time.monotonic() + seconds)
    return pipeline.optimize_source(
        "input.c", PROGRAM.encode(), ReadOptions(), Question(), wanted, apart=forked
    )


def test_processes_find_the_same(alone: str) -> None:
    result = in_processes()
    assert new_text(result, "turned") == alone
    (*_, turned) = result.regions
    assert isinstance(turned, Rewritten)
    assert turned.found is not None
    assert turned.found.scop is turned.scop


def forever(*_: Any, **__: Any) -> NoReturn:
    while True:
        time.sleep(0.1)


def greedy(*_: Any, **__: Any) -> NoReturn:
    raise MemoryError


def killed(*_: Any, **__: Any) -> NoReturn:
    import os
    import signal

    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError


@pytest.mark.parametrize(
    ("fail", "kind", "words"),
    [
        (forever, OutOfTime, "there was not enough time"),
        (greedy, OutOfTime, "more memory than there is"),
        (killed, Broken, "SIGSEGV"),
        (raising(AssertionError("injected")), Broken, "AssertionError: injected"),
        (raising(OutOfOperations()), Broken, "OutOfOperations"),
    ],
    ids=["time", "memory", "signal", "assertion", "operations"],
)
@pytest.mark.parametrize(
    ("module", "step"), [(pipeline, "chosen"), (proving, "read_back")], ids=["choice", "proof"]
)
def test_what_ends_a_process_ends_one_region(
    module: Any,
    step: str,
    fail: Callable[..., Any],
    kind: type,
    words: str,
    alone: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_function(monkeypatch, module, step, fail)
    result = in_processes(24.0)
    scaled, doomed, turned = result.regions
    assert isinstance(doomed, kind)
    assert words in doomed.reason
    assert isinstance(turned, Rewritten)
    assert turned.proof is not None
    assert new_text(result, "turned") == alone
    assert not isinstance(scaled, Broken | OutOfTime)


def test_errors_of_the_whole_file_remain_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="LW101"):
        optimize(PROGRAM + "int x = ;\n")
    with pytest.raises(InputError, match="LW122"):
        optimize(PROGRAM, tile_sizes=[8, 8, 8, 8, 8, 8, 8])
    with pytest.raises(InputError, match="LW110"):
        optimize(PROGRAM + "#pragma scop\n")


def test_a_large_function_costs_no_other_anything() -> None:
    lines = "\n".join(f"  x[{at}] = x[{at} + 1] * 2 + 1;" for at in range(6000))
    large = f"void large(double *x)\n{{\n#pragma scop\n{lines}\n#pragma endscop\n}}\n"
    result = optimize(large + PROGRAM)
    assert isinstance(result.regions[-1], Rewritten)
    assert any(isinstance(each, Diagnostic) and each.code == "LW108" for each in result.left_out)
