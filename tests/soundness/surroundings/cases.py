"""Cases: two programs of which somebody says that they are the same, drawn by number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from random import Random

from loopwright.basics.records import record
from tests.soundness.surroundings.mutations import changed, unmarked
from tests.soundness.surroundings.programs import Wearer, sheet_of
from tests.soundness.surroundings.regions import random_region
from tests.soundness.surroundings.wardrobe import STANDARDS, random_dresses


@record
class Case:
    """Two programs, the headers beside them, and what was done to get them.

    They were the same before the ``changes`` if ``is_right``, and if what they wear did not mean
    something for that.  Without marks around regions, these have to be found (``autodetect``).
    """

    name: str
    before: str
    after: str
    standard: str
    family: str
    is_right: bool
    worn: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    define: tuple[str, ...] = ()
    autodetect: bool = False

    @property
    def is_plain(self) -> bool:
        """Should the two be the same, as far as one can tell?"""
        return self.is_right and not self.changes


def drawn(seed: int, number: int, *, is_naked: bool = False) -> Case:
    """A case; the same one for the same numbers."""
    rng = Random(f"{seed} {number}")
    standard = rng.choice(STANDARDS)
    is_right = rng.random() < 0.8
    region = random_region(rng, is_right=is_right)
    wearer = Wearer(standard, region)
    worn = () if is_naked else random_dresses(rng, wearer)
    old, new = (
        sheet_of(worn, loops, which) for loops, which in ((region.old, "old"), (region.new, "new"))
    )
    files = {name: text for each in worn for name, text in each.files.items()}
    changes: list[str] = []
    is_changed = rng.random() < (0.65 if is_right else 0.3)
    if is_changed and not is_naked:
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            state = rng.getstate()
            done = changed(rng, new, files, wearer)
            if rng.random() < 0.45:
                rng.setstate(state)
                both = changed(rng, old, files, wearer)
                old, files = both.sheet, {**files, **both.files}
                changes.append("both:")
            new, files = done.sheet, {**files, **done.files}
            changes.append(done.what)
    autodetect = not is_naked and rng.random() < 0.12
    if autodetect:
        old, new = unmarked(old), unmarked(new)
    return Case(
        f"{seed}-{number}",
        old.text,
        new.text,
        standard,
        region.family,
        is_right,
        tuple(each.kind for each in worn),
        tuple(changes),
        files,
        tuple(each for dress in worn for each in dress.define),
        autodetect,
    )


def naked(seed: int, number: int) -> Case:
    """The loops of a case, in a program that wears nothing."""
    return drawn(seed, number, is_naked=True)
