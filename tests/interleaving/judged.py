"""The set F of a region beside what the oracle says."""

from __future__ import annotations

from loopwright import Scop, dependences, read_c
from loopwright.interleaving.fusibility import DEFAULT_SHIFT, Fusibility
from loopwright.interleaving.programs import program_of
from loopwright.interleaving.pruning import Pruned, pruned

from . import oracle
from .oracle import Ranks
from .random_regions import random_region


def pruned_region(scop: Scop) -> Pruned:
    """The set F of the outermost level."""
    program = program_of(dependences(scop, live_range_reordering=False))
    return pruned(Fusibility(program), range(len(program.statements)))


def ranks_of(found: Pruned) -> list[Ranks]:
    """Its points."""
    return [each.levels[0].ranks for each in found.space]


def disagreement(scop: Scop) -> str | None:
    """Which interleavings are missing in F, and which should not be there?"""
    listed = ranks_of(pruned_region(scop))
    found = set(listed)
    legal = oracle.legal_interleavings(scop, DEFAULT_SHIFT)
    if len(listed) == len(found) and found == legal:
        return None
    twice = len(listed) - len(found)
    return f"missing {sorted(legal - found)}, illegal {sorted(found - legal)}, {twice} twice"


def wrong_about(seed: int) -> str | None:
    """What is wrong about F of a random region."""
    text = random_region(seed)
    (scop,) = read_c(text)
    wrong = disagreement(scop)
    return None if wrong is None else f"// seed {seed}: {wrong}\n{text}"
