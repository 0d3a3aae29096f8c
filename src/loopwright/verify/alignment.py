"""Two preprocessed programs as one text that has other text in its regions.

Outside of the regions, the new program must consist of the tokens of the original; it may declare
variables of its own (see :mod:`loopwright.verify.additions`) and include more headers of the
system.  Where the lines of a program can be observed, tokens must stand on the same lines, too.
The result is the original with the new texts in its regions, each behind the variables that were
declared for it: to a compiler, it is the same program as the new one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from loopwright.basics.c_tokens import Token, texts, tokens_of, words_in
from loopwright.basics.diagnostics import shortened
from loopwright.basics.names import C_KEYWORDS
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.preprocessing import Unit
from loopwright.model.proofs import Rewriting, Stretch, rewriting
from loopwright.verify.additions import Comparison, Variables
from loopwright.verify.declarations import statements_of
from loopwright.verify.failure import NotProved

_OBSERVER = re.compile(r"__builtin_\w*(LINE|FILE|COLUMN|location)\w*|source_location")
"""What tells a program where it stands; all else has become a number by now."""


@record
class Place:
    """The new text of a region: where it stands in the new program and in the combined one."""

    start: int
    end: int
    combined: int
    is_same: bool
    """Does it consist of the tokens of the original region?"""


@record(eq=False)
class Alignment:
    """The original program with new texts in its regions, and where those come from.

    ``stretches`` are the regions in that text, in their order.
    """

    before: Unit
    after: Unit
    rewriting: Rewriting
    stretches: tuple[Stretch, ...]
    places: tuple[Place, ...]

    @property
    def changed(self) -> frozenset[int]:
        """The numbers of the regions that are not what they were."""
        return frozenset(at for at, each in enumerate(self.places) if not each.is_same)

    def new_tokens(self, number: int) -> list[Token]:
        """The tokens of a region's new text."""
        place = self.places[number]
        return tokens_of(self.after.text, place.start, place.end)

    def is_of_system(self, place: int) -> bool:
        """Does a place of the combined text come from a header of the system?"""
        unit, there = self._origin(place)
        return unit is None or unit.is_of_system(there)

    def line_at(self, place: int) -> tuple[str, int]:
        """The file and the line that a place of the combined text comes from."""
        unit, there = self._origin(place)
        return unit.line_at(there) if unit is not None else ("", 1)

    def _origin(self, place: int) -> tuple[Unit | None, int]:
        """Which program a place of the combined text comes from, and where it is there."""
        start, last = 0, 0
        for each in self.rewriting.stretches:
            if place < each.new_start:
                break
            if place < each.new_end:
                return self._region_origin(each, place)
            start, last = each.new_end, each.end
        return self.before, place - start + last

    def _region_origin(self, stretch: Stretch, place: int) -> tuple[Unit | None, int]:
        if stretch not in self.stretches:
            return None, 0
        region = self.places[self.stretches.index(stretch)]
        return self.after, min(
            max(region.start, place - region.combined + region.start), region.end
        )

    def told(self, span: Span | None) -> Span | None:
        """A place in either text as one in the source of its program."""
        if span is None or span.file not in (self.rewriting.name, self.before.name):
            return span
        if span.file == self.before.name:
            return self.before.told(span)
        unit, there = self._origin(span.start)
        return unit.told(moved(span, there - span.start)) if unit is not None else None


def moved(span: Span, by: int) -> Span:
    """The same span so many bytes later."""
    return Span(span.file, span.start + by, span.end + by, 1, 1, 1, 1)


def combined_name(name: str) -> str:
    """What the combined text of a program is called: it is the name of no file."""
    return f"{name} (preprocessed)"


def aligned(before: Unit, after: Unit) -> Alignment:
    """The regions of the original in the new program, if nothing else is new in that.

    Those of the new program are looked for unless it has as many.
    """
    old, new = _Program(before), _Program(after)
    regions = _whole_regions(old)
    gaps = [old.between(start, end) for start, end in _around(regions, len(before.text))]
    comparison = Comparison(after, new.tokens)
    marks = list(after.regions) if len(after.regions) == len(before.regions) else None
    found = _new_regions(new, comparison, gaps, marks)
    added = _added_headers(old, new)
    outside = {word for gap in gaps for word in words_in(gap)}
    _require_of_regions(comparison.variables, outside, old, regions, found)
    _require_same_lines(old, new, regions, found)
    return _combined(old, new, regions, found, comparison.variables, added)


# --- programs -------------------------------------------------------------------------------------


class _Program:
    """The tokens of a program, without those of the system's headers and the marks of regions."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.tokens: list[Token] = []
        self.borders: list[Token] = []
        for each in unit.own_tokens:
            (self.borders if each.is_border else self.tokens).append(each)
        self._starts = [each.start for each in self.tokens]

    @cached_property
    def system(self) -> Mapping[int, tuple[bytes, ...]]:
        """What the headers of the system say, by how many tokens outside of regions precede it."""
        found: dict[int, tuple[bytes, ...]] = {}
        inside = [self.between(*region) for region in self.unit.regions]
        for start, end, is_of_system in self.unit.own_stretches(0, len(self.unit.text)):
            text = self.unit.text[start:end] if is_of_system else b""
            if lines := [b" ".join(each.split()) for each in text.splitlines() if each.strip()]:
                place = self.number_at(start) - sum(
                    len(each) for each in inside if each and each[0].start < start
                )
                found[place] = (*found.get(place, ()), *lines)
        return found

    def across(self, first: int, last: int) -> list[Token]:
        """The tokens, those of regions too, between places with so many outside of regions."""
        if first >= last:
            return []
        inside = {id(each) for region in self.unit.regions for each in self.between(*region)}
        outside = [at for at, each in enumerate(self.tokens) if id(each) not in inside]
        places = [-1, *outside, len(self.tokens)]
        return self.tokens[places[first] + 1 : places[last + 1]]

    def number_at(self, place: int) -> int:
        """How many tokens there are in front of a place."""
        return bisect_left(self._starts, place)

    def between(self, start: int, end: int) -> list[Token]:
        """The tokens that begin between two places."""
        return self.tokens[self.number_at(start) : self.number_at(end)]


def _whole_regions(program: _Program) -> list[tuple[int, int]]:
    """The regions of the original, with the semicolon that ends one."""
    found: list[tuple[int, int]] = []
    for start, end in program.unit.regions:
        inside, at = program.between(start, end), program.number_at(end)
        is_ended = bool(inside) and inside[-1].text in (";", "}")
        behind = program.tokens[at : at + 1]
        found.append((start, end if is_ended or texts(behind) != [";"] else behind[0].end))
    return found


def _around(regions: Sequence[tuple[int, int]], length: int) -> Iterator[tuple[int, int]]:
    """The stretches in front of, between and behind the regions."""
    starts = [0, *(end for _, end in regions)]
    ends = [*(start for start, _ in regions), length]
    return zip(starts, ends, strict=True)


# --- regions --------------------------------------------------------------------------------------


@record
class _Found:
    """A region's new text, from ``start`` to ``end``, and the blocks that it stands in."""

    tokens: tuple[Token, ...]
    blocks: tuple[int, ...]
    start: int
    end: int


def _new_regions(
    new: _Program,
    comparison: Comparison,
    gaps: Sequence[Sequence[Token]],
    marks: Sequence[tuple[int, int]] | None,
) -> list[_Found]:
    """What stands between the tokens that both programs have."""
    found: list[_Found] = []
    tokens = comparison.tokens
    for number, gap in enumerate(gaps):
        comparison.follow(gap)
        if number == len(gaps) - 1:
            comparison.pass_additions(len(tokens))
            break
        if marks is not None:
            first, last = marks[number]
            comparison.pass_additions(new.number_at(first))
            end = new.number_at(last)
        else:
            is_last = number == len(gaps) - 2
            end = _behind_region(comparison, gaps[number + 1], is_last=is_last)
        inside, blocks = tuple(tokens[comparison.at : end]), comparison.blocks
        place = tokens[end].start if end < len(tokens) else len(comparison.unit.text)
        start = inside[0].start if inside else place
        found.append(_Found(inside, blocks, start, inside[-1].end if inside else start))
        comparison.pass_region(end)
    return found


def _behind_region(comparison: Comparison, gap: Sequence[Token], *, is_last: bool) -> int:
    """Where the tokens behind a region begin, if the new program does not mark it."""
    wanted, there = texts(gap), texts(comparison.tokens)
    last = len(there) - len(wanted)
    if is_last:
        return max(comparison.at, last)
    if not wanted:
        raise NotProved("it is not clear where one region ends and the next begins: mark them")
    for at in range(comparison.at, last + 1):
        if there[at : at + len(wanted)] == wanted:
            return at
    raise NotProved("the file differs between its regions")


# --- what the new program adds --------------------------------------------------------------------


def _require_of_regions(
    variables: Sequence[Variables],
    outside: set[str],
    old: _Program,
    regions: Sequence[tuple[int, int]],
    found: Sequence[_Found],
) -> None:
    """New variables must be those of a region, under names that nothing else has."""
    known: set[str] = set()
    if variables:
        known = _words(old.system.values())
    for each in variables:
        for name in each.names:
            if name in outside or name in known:
                raise NotProved(f"the new text defines {name}, which is used elsewhere")
            # What one region declares, another may use; a new variable would hide it.
            if sum(name in words_in(old.between(*region)) for region in regions) > 1:
                raise NotProved(f"{name} is a name of several regions")
        if not any(_knows(region, each) for region in found):
            raise NotProved(f"{each.names[0]} is not a variable of a region")


def _knows(region: _Found, variables: Variables) -> bool:
    """Are these variables declared in a block around the region, in front of it?"""
    is_around = region.blocks[: len(variables.blocks)] == variables.blocks
    return is_around and variables.place < region.start


def _added_headers(old: _Program, new: _Program) -> bytes:
    """What only the new program includes; no name in it may mean anything to the original."""
    if old.system == new.system:
        return b""
    before, after = _system_declarations(old), _system_declarations(new)
    for text, place in before.items():
        there = after.get(text, len(new.tokens) + 1)
        passed = words_in((*old.across(there, place), *new.across(there, place)))
        if there > place or words_in(tokens_of(text.encode())) & passed - C_KEYWORDS:
            raise NotProved(f"the two programs include {shortened(text)} in different ways")
    pieces = [each.encode(errors="surrogateescape") for each in after if each not in before]
    if not pieces:
        return b""
    added = b"\n".join(pieces)
    known = _words(old.system.values())
    meant = (_words([pieces]) - known - C_KEYWORDS) & words_in(old.tokens)
    if meant:
        raise NotProved(f"{min(meant)} means something in a header that only the new program has")
    return added


def _system_declarations(program: _Program) -> dict[str, int]:
    """What the system's headers declare, and how many of the program's tokens precede it."""
    found: dict[str, int] = {}
    for place, lines in program.system.items():
        for each in statements_of(tokens_of(b"\n".join(lines))):
            found.setdefault(" ".join(texts(each.tokens)), place)
    return found


def _words(pieces: Iterable[Sequence[bytes]]) -> set[str]:
    return {word for each in pieces for word in words_in(tokens_of(b"\n".join(each)))}


def asks_for_lines(tokens: Sequence[Token]) -> bool:
    """Does a program ask where it stands, so that only the compiler knows the answer?"""
    return any(_OBSERVER.fullmatch(each) for each in words_in(tokens))


def _require_same_lines(
    old: _Program,
    new: _Program,
    regions: Sequence[tuple[int, int]],
    found: Sequence[_Found],
) -> None:
    """Where a program asks for its lines, all that was there must stand where it stood."""
    if not asks_for_lines((*old.tokens, *new.tokens)):
        return
    inside = [(each.start, each.end) for each in found]
    pairs = zip(
        _around(regions, len(old.unit.text)), _around(inside, len(new.unit.text)), strict=True
    )
    for one, other in pairs:
        before, after = old.between(*one), new.between(*other)
        places = [old.unit.line_at(each.start) for each in before]
        if places != [new.unit.line_at(each.start) for each in after]:
            raise NotProved("the program asks for its lines, and they are others now")
    for region, each in zip(regions, found, strict=True):
        both = (*old.between(*region), *each.tokens)
        asking = [one for one in both if _OBSERVER.fullmatch(one.text)]
        if asking:
            raise NotProved(f"a region asks for its lines: {asking[0].text}")


# --- the combined program -------------------------------------------------------------------------


def _combined(
    old: _Program,
    new: _Program,
    regions: Sequence[tuple[int, int]],
    found: Sequence[_Found],
    variables: Sequence[Variables],
    added: bytes,
) -> Alignment:
    """The original with the new texts in its regions."""
    replacements: list[tuple[int, int, bytes]] = []
    if added:
        first = old.tokens[0].start
        replacements = [(first, first, added + b"\n")]
    left = list(variables)
    leading: list[int] = []
    for (start, end), region in zip(regions, found, strict=True):
        words = words_in(region.tokens)
        declared = [
            each for each in left if _knows(region, each) and not words.isdisjoint(each.names)
        ]
        left = [each for each in left if each not in declared]
        head = b"".join(b"\n" + each.text for each in declared) + b"\n"
        leading.append(len(head))
        text = _without(new.unit.text, region, new.borders)
        replacements.append((start, end, head + text + b"\n"))
    name = combined_name(old.unit.name)
    whole = rewriting(name, old.unit.text, replacements)
    stretches = whole.stretches[1:] if added else whole.stretches
    places = tuple(
        Place(
            region.start,
            region.end,
            stretch.new_start + length,
            texts(old.between(*place)) == texts(region.tokens),
        )
        for place, region, stretch, length in zip(regions, found, stretches, leading, strict=True)
    )
    return Alignment(old.unit, new.unit, whole, stretches, places)


def _without(text: bytes, region: _Found, borders: Sequence[Token]) -> bytes:
    """The text of a region without pragmas around regions."""
    pieces: list[bytes] = []
    last = region.start
    for each in borders:
        if region.start <= each.start < region.end:
            pieces += [text[last : each.start], b" " * (each.end - each.start)]
            last = each.end
    return b"".join([*pieces, text[last : region.end]])
