"""The front end and the second reader agree about random programs."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from loopwright.basics.diagnostics import InputError
from loopwright.polyhedra.limits import OutOfOperations
from loopwright.verify.failure import NotProved
from loopwright.verify.solvers import IslSolver
from loopwright.verify.text_proof import shown_of_text
from tests.execution.campaign import drawn_programs
from tests.execution.programs import RandomProgram
from tests.optimize.random_nests import numbered_nests
from tests.verify.texts import read_program

CHUNKS = 4
PER_CHUNK = 11


def _random(chunk: int) -> list[RandomProgram]:
    """Plain nests, and programs with a bit of everything."""
    if chunk % 2 == 0:
        return [program for _, program in islice(numbered_nests(7000 + chunk, 4), PER_CHUNK)]
    return list(drawn_programs(PER_CHUNK, 7000 + chunk))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_texts_do_what_their_models_say(chunk: int) -> None:
    answers = Counter(_answer(each.text(1)) for each in _random(chunk))
    # Where an integer may leave its type, nothing is claimed; all else would be a mistake.
    assert set(answers) <= {"shown", "not read", "an integer may not fit its type"}
    assert answers["shown"] >= 0.8 * PER_CHUNK


def _answer(text: str) -> str:
    try:
        read = read_program(text)
    except (InputError, OutOfOperations):
        return "not read"  # by the strict rules for new text: some overflow for large sizes
    try:
        shown_of_text(read.statements, read.model, read.possible, IslSolver())
    except NotProved as failure:
        return failure.reason.partition(":")[0]
    return "shown"
