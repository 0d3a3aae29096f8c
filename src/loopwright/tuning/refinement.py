"""What could be different about a choice: its neighbours, one decision at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from loopwright.dependence.analysis import dependences
from loopwright.emit.refusal import CannotEmit
from loopwright.polyhedra.limits import OutOfOperations
from loopwright.targets.cpu import Mapped
from loopwright.targets.machine import Machine
from loopwright.tuning.candidates import Choice
from loopwright.tuning.orders import NoSuchOrder
from loopwright.tuning.problems import Problem
from loopwright.tuning.versions import mapping_of

LEAST_TILE, MOST_TILE = 4, 4096
COPIES = (1, 6, 12, 24)
"""How often a statement may be written out."""
CACHES = (0.5, 2.0, 0.25)
"""Parts of the caches that tiles may be for."""
LEAST_REGISTERS = 8


def alternatives(problem: Problem, region: int, choice: Choice, _folder: Path) -> list[Choice]:
    """The neighbours of a choice, each once, the most promising first; a step of the tuner."""
    found = dependences(problem.source.reading().scops[region])
    machine = problem.place.machine
    try:
        new = mapping_of(choice, found, machine)
    except (NoSuchOrder, CannotEmit, OutOfOperations):
        return []
    others = dict.fromkeys(neighbours(choice, new, machine))
    return [each for each in others if each != choice]


def neighbours(choice: Choice, new: Mapped, machine: Machine) -> Iterator[Choice]:
    """The same with one decision taken differently, of those that were to be taken."""
    plans = [nest.plan for nest in new.nests]
    tiled = [tuple(size for _, size in each.tiles) for each in plans if each.tiles]
    for sizes in _other_sizes(max(tiled, key=len, default=())):
        yield replace(choice, tile_sizes=sizes, caches=1.0)
    if any(each.packed for each in plans) or not choice.packs:
        yield replace(choice, packs=not choice.packs)
    if any(each.unrolled for each in plans) or choice.most_copies == 1:
        for copies in COPIES:
            yield replace(choice, most_copies=copies)
    if tiled and not choice.tile_sizes:
        for part in CACHES:
            yield replace(choice, caches=part)
    if any(each.is_vector for each in plans) or not choice.vectorises:
        yield from _other_vectors(choice, machine)


def _other_sizes(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Each tile half and twice as large; all of them; and one after the other not tiled at all.

    >>> list(_other_sizes([32]))
    [(16,), (64,), (1,)]
    """
    for at, size in enumerate(sizes):
        for other in (size // 2, 2 * size):
            if LEAST_TILE <= other <= MOST_TILE:
                yield (*sizes[:at], other, *sizes[at + 1 :])
    if len(sizes) > 1:
        yield tuple(max(LEAST_TILE, size // 2) for size in sizes)
        yield tuple(min(MOST_TILE, 2 * size) for size in sizes)
    for at in range(len(sizes)):
        yield (*sizes[:at], 1, *sizes[at + 1 :])


def _other_vectors(choice: Choice, machine: Machine) -> Iterator[Choice]:
    """Unless the compiler decides, with other numbers of registers."""
    yield replace(choice, vectorises=not choice.vectorises)
    usual = machine.vector_registers
    if choice.registers is not None:
        yield replace(choice, registers=None)
    for count in (usual // 2, 2 * usual):
        if count >= LEAST_REGISTERS:
            yield replace(choice, registers=count)
