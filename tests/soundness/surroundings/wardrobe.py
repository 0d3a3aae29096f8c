"""All that programs wear, and what one of them does."""

from __future__ import annotations

from random import Random

from tests.soundness.surroundings import (
    attributes,
    conditions,
    declarations,
    macro_names,
    macros,
    positions,
    pragmas,
    spellings,
    structures,
)
from tests.soundness.surroundings.programs import Dress, Wearer

SHELVES = (
    macros.MAKERS,
    macros.MAKERS,
    macro_names.MAKERS,
    conditions.MAKERS,
    spellings.MAKERS,
    pragmas.MAKERS,
    attributes.MAKERS,
    declarations.MAKERS,
    structures.MAKERS,
    positions.MAKERS,
)
STANDARDS = (
    ("gnu11",) * 10
    + ("c11",) * 2
    + ("gnu17", "gnu99")
    + ("gnu2x",) * 2
    + ("gnu++17",) * 3
    + ("c++17",)
)


def random_dress(rng: Random, wearer: Wearer) -> Dress:
    """One thing to wear."""
    while True:
        found = rng.choice(rng.choice(SHELVES))(rng, wearer)
        if found is not None:
            return found


def random_dresses(rng: Random, wearer: Wearer) -> tuple[Dress, ...]:
    """Several things to wear at once."""
    return tuple(random_dress(rng, wearer) for _ in range(rng.choice((1, 1, 2, 2, 3, 4, 6))))
