"""No wrong pair of the corpus is accepted, and the right ones are, with few exceptions.

What the pairs say of themselves is checked by ``differences.py``, which runs them.
"""

from __future__ import annotations

import pytest

from tests.soundness.differences import pairs, programs, rewritten, verdict
from tests.soundness.pairs import Pair, Program

PAIRS = [(name, each) for name, found in pairs().items() for each in found]
PROGRAMS = [(name, each) for name, found in programs().items() for each in found]
RUN_HERE = 6
"""One of so many programs is rewritten, compiled and run; ``differences.py`` does them all."""
FEWEST = 25
LOST = {
    "aliases": {
        # Two names of one object are refused wherever a region uses both.
        "alias attribute, read only",
        "alias attribute, the same element",
        "asm label, the same element",
        # The program's own declaration is none of math.h.
        "sin by its own asm label",
    },
    "attributes": {
        "cleanup of a scalar whose last value is kept",
        "vectors, element by element",
    },
    "bounds": {"the column before if there is one"},
    "openmp": {"collapse goes"},
    "pragma_macros": {
        # gcc prints words of unknown directives without the space between them.
        "the first words are not expanded",
        "simd is not expanded behind omp",
        "lastprivate by a macro's name",
    },
    "storage": {"a reference elsewhere", "a union that nobody reads otherwise"},
    "tokens": {
        # Nobody knows what this pragma means.
        "apostrophe in a pragma, nothing behind it",
        # Compilers print such names in different ways, and none is the one that they were read in.
        "an accent in two spellings",
    },
    "types": {
        "an unsigned value that does not wrap",
        "an enumeration counts",
        # Which of several functions is called may depend on what moves.
        "an overloaded function of elements",
    },
}
"""Right pairs that are refused all the same."""


def _cases(attacks: list[tuple[str, Pair]] | list[tuple[str, Program]]) -> list[object]:
    return [pytest.param(name, each, id=f"{name}-{each.name}") for name, each in attacks]


@pytest.mark.parametrize(("name", "pair"), _cases(PAIRS))
def test_what_check_says(name: str, pair: Pair) -> None:
    word, reason = verdict(pair)
    is_lost = pair.name in LOST.get(name, set())
    assert (word == "proved") is (pair.is_same and not is_lost), f"{word}: {reason}"


@pytest.mark.parametrize(("name", "program"), _cases(PROGRAMS[::RUN_HERE]))
def test_what_becomes_of_a_program(name: str, program: Program) -> None:
    word, reason = rewritten(program)
    assert word in ("rewritten", "left alone"), f"{name}: {word}: {reason}"


@pytest.mark.parametrize("name", [each for each in pairs() if each != "plain"])
def test_there_are_enough(name: str) -> None:
    assert sum(not each.is_same for each in pairs(name)[name]) >= FEWEST
