"""Candidates: what a program may become, in plain values that other processes can make it from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, cast

from loopwright.basics.records import record
from loopwright.targets.registers import MOST_COPIES

ORIGINAL, OPTIMIZE = "original", "optimize"
"""The region as it is, and what ``loopwright optimize`` makes of it."""


@record
class Choice:
    """What becomes of a region.

    ``order`` is the name of an order, see :mod:`loopwright.tuning.orders`; the rest says how it is
    mapped to the machine.  Without ``tile_sizes`` the tiles are for caches that are ``caches``
    times as large as those of the machine.
    """

    order: str = OPTIMIZE
    tile_sizes: tuple[int, ...] = ()
    caches: float = 1.0
    most_copies: int = MOST_COPIES
    packs: bool = True
    expands: bool = False
    """Do arrays get a copy for each iteration?"""
    vectorises: bool = True
    """Is the compiler told which loops are for vectors?"""
    registers: int | None = None
    """How many registers for vectors are shared out, if not those of the machine."""

    @property
    def is_named(self) -> bool:
        """Is it an order of its own, which can be mapped in several ways?"""
        return self.order not in (ORIGINAL, OPTIMIZE)

    @property
    def label(self) -> str:
        """What it is in a phrase.

        >>> Choice("source", (32, 64), packs=False).label
        'source, tiles 32 x 64, nothing packed'
        """
        return ", ".join(self._facts())

    def _facts(self) -> Iterator[str]:
        yield self.order
        if self.tile_sizes:
            yield f"tiles {' x '.join(map(str, self.tile_sizes))}"
        if self.caches != 1.0:
            yield f"tiles for {self.caches:g} x the caches"
        if self.most_copies != MOST_COPIES:
            yield f"{self.most_copies} {'copy' if self.most_copies == 1 else 'copies'} at most"
        if not self.packs:
            yield "nothing packed"
        if self.expands:
            yield "copies of arrays"
        if not self.vectorises:
            yield "vectors left to the compiler"
        if self.registers is not None:
            yield f"{self.registers} registers"


DEFAULT = Choice()


@record
class Candidate:
    """A choice for some regions, by their numbers in the file, and flags for the compiler.

    Regions that it does not name stay as they are.
    """

    choices: tuple[tuple[int, Choice], ...] = ()
    flags: tuple[str, ...] = ()

    def choice(self, region: int) -> Choice:
        """What becomes of a region."""
        return dict(self.choices).get(region, Choice(ORIGINAL))

    def choosing(self, region: int, choice: Choice) -> Candidate:
        """The same with another choice for a region."""
        choices = {**dict(self.choices), region: choice}
        return replace(self, choices=tuple(sorted(choices.items(), key=lambda each: each[0])))

    @property
    def label(self) -> str:
        """What it is in a phrase.

        >>> every(range(2), OPTIMIZE).label
        'optimize'
        >>> every([0, 1], OPTIMIZE).choosing(1, Choice(ORIGINAL)).label
        'optimize | original'
        """
        texts = [choice.label for _, choice in self.choices]
        known = texts[:1] if len(set(texts)) == 1 else texts
        return " ".join([" | ".join(known), *self.flags])

    @property
    def key(self) -> str:
        """A short name that is the same in all processes and versions.

        >>> every([0], OPTIMIZE).key
        'd4f9b9fe18'
        """
        text = json.dumps(self.document(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:10]

    def document(self) -> dict[str, Any]:
        """The candidate as plain data; what is as usual is left out, so that names live longer.

        >>> Candidate(((0, Choice("source", (8, 8))),), ("-O2",)).document()
        {'regions': {'0': {'order': 'source', 'tile_sizes': [8, 8]}}, 'flags': ['-O2']}
        """
        regions = {str(region): choice_document(each) for region, each in self.choices}
        return {"regions": regions} | ({"flags": list(self.flags)} if self.flags else {})


def every(regions: range | list[int] | tuple[int, ...], order: str) -> Candidate:
    """The same for all regions."""
    return Candidate(tuple((region, Choice(order)) for region in regions))


def choice_document(choice: Choice) -> dict[str, Any]:
    """The choice as plain data, without what is as usual."""
    found: dict[str, Any] = {"order": choice.order}
    for each in fields(choice):
        value = getattr(choice, each.name)
        if value != getattr(DEFAULT, each.name):
            found[each.name] = list(choice.tile_sizes) if each.name == "tile_sizes" else value
    return found


def candidate_from(document: Mapping[str, Any]) -> Candidate:
    """The candidate that a document describes.

    >>> wanted = every([0, 2], "source").choosing(2, Choice("source", (4,), registers=32))
    >>> candidate_from(json.loads(json.dumps(wanted.document()))) == wanted
    True
    """
    regions = cast("Mapping[str, Mapping[str, Any]]", document["regions"])
    choices = sorted((int(region), choice_from(each)) for region, each in regions.items())
    return Candidate(tuple(choices), tuple(document.get("flags", ())))


def choice_from(document: Mapping[str, Any]) -> Choice:
    """The choice that a document describes."""
    values = dict(document)
    if "tile_sizes" in values:
        values["tile_sizes"] = tuple(values["tile_sizes"])
    return Choice(**values)
