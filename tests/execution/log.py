"""The log of a run, cut into the entries of its regions."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from . import runtime


@dataclass(frozen=True, slots=True)
class Record:
    """One event: what, its number, and its words."""

    event: int
    number: int
    words: tuple[int, ...]


@dataclass(slots=True)
class Entry:
    """One execution of a region: the values of its parameters, and what happened."""

    region: int
    values: tuple[int, ...]
    records: list[Record] = field(default_factory=list)
    is_complete: bool = False


def entries_of(path: Path) -> list[Entry]:
    """All executions of all regions, in the order in which they began."""
    entries: list[Entry] = []
    for record in _records(path):
        if record.event == runtime.REGION:
            entries.append(Entry(record.number, record.words))
        elif record.event == runtime.LEAVE:
            entries[-1].is_complete = True
        elif entries and not entries[-1].is_complete:
            entries[-1].records.append(record)
    return entries


def _records(path: Path) -> Iterator[Record]:
    words = array("q")
    words.frombytes(path.read_bytes())
    position = 0
    while position < len(words):
        header = words[position]
        count = header >> 8 & 0xFFFFFF
        last = position + 1 + count
        yield Record(header & 0xFF, header >> 32, tuple(words[position + 1 : last]))
        position = last
