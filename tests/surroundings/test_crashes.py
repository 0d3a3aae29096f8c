"""A crash in one region, whatever it is, leaves that one as it is and costs the others nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import islpy as isl
import pytest

from loopwright import Result, optimize, pipeline
from loopwright.proving import Prover

PRODUCT = """
void NAME(int n, double A[n][n], double B[n][n], double C[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}
"""
NAMES = ("first", "victim", "last")
PROGRAM = "".join(PRODUCT.replace("NAME", each) for each in NAMES)
CRASHES = (RuntimeError, MemoryError, RecursionError, AssertionError, isl.Error)

Step = Callable[..., Any]


def crashing(step: Step, kind: type[BaseException], is_victim: Callable[..., bool]) -> Step:
    def injected(*given: Any, **named: Any) -> Any:
        if is_victim(*given):
            raise kind("injected")
        return step(*given, **named)

    return injected


def is_of_victim(scop: Any, *_: Any) -> bool:
    return scop.function == "victim"


def is_second(_: Prover, at: int, *__: Any) -> bool:
    return at == 1


@pytest.fixture(scope="module")
def undisturbed() -> Result:
    return optimize(PROGRAM, autodetect=True)


def text_of(result: Result, function: str) -> list[str]:
    return [
        line
        for each in result.regions
        if each.scop.function == function and each.text is not None
        for line in each.text.lines
    ]


@pytest.mark.parametrize("kind", CRASHES, ids=lambda each: each.__name__)
@pytest.mark.parametrize("stage", ["dependences", "chosen", "verdict"])
def test_a_crash_costs_the_other_regions_nothing(
    stage: str, kind: type[BaseException], undisturbed: Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, is_victim = (Prover, is_second) if stage == "verdict" else (pipeline, is_of_victim)
    monkeypatch.setattr(owner, stage, crashing(getattr(owner, stage), kind, is_victim))
    result = optimize(PROGRAM, autodetect=True)
    assert text_of(result, "victim") == []
    for name in ("first", "last"):
        assert text_of(result, name) == text_of(undisturbed, name) != []


def test_nothing_is_wrong_with_the_program_itself(undisturbed: Result) -> None:
    assert all(text_of(undisturbed, each) for each in NAMES)
    assert all(each.proof is not None for each in undisturbed.regions)
