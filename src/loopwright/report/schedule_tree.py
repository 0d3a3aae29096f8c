"""A schedule tree as a person reads it: loops as functions of the source's iterators."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.scop import Scop, Statement
from loopwright.polyhedra.order import has_expansion
from loopwright.polyhedra.unions import sets_of
from loopwright.polyhedra.values import is_plain
from loopwright.report.references import shortened
from loopwright.report.table import WIDTH, listed, wrapped

NODE = isl.schedule_node_type
IN, PARAM = isl.dim_type.in_, isl.dim_type.param
SHORTEST_STATEMENT = 24

Times = Mapping[str, str]
"""When each statement runs, as a text in its own iterators."""


@record
class Member:
    """One loop of a band.

    ``own`` are the variables of which each iteration needs its own, if they run at the same time.
    """

    times: Times
    is_parallel: bool
    own: tuple[str, ...] = ()


@record(eq=False)
class Statements:
    """Statements that run at the same times, in any order."""

    names: tuple[str, ...]


@record(eq=False)
class BandOutline:
    """Loops around a body; ``node`` is the band itself."""

    node: isl.ScheduleNode
    members: tuple[Member, ...]
    is_permutable: bool
    body: Outline

    @property
    def is_tilable(self) -> bool:
        """Are there several loops that may change places?"""
        return self.is_permutable and len(self.members) > 1


@record(eq=False)
class Parts:
    """One part after the other, or in any order."""

    is_ordered: bool
    parts: tuple[Outline, ...]


Outline = Statements | BandOutline | Parts


def outline_of(tree: isl.Schedule, scop: Scop) -> Outline:
    """The loops of a tree and what they run."""
    return _Reader(scop, has_expansion(tree)).outline(tree.get_root())


class _Reader:
    def __init__(self, scop: Scop, expands: bool) -> None:
        self.places = {each.name: at for at, each in enumerate(scop.statements)}
        self.expands = expands

    def outline(self, node: isl.ScheduleNode) -> Outline:
        kind = node.get_type()
        if kind == NODE.leaf:
            names = {str(each.get_tuple_name()) for each in sets_of(node.get_domain())}
            return Statements(tuple(sorted(names, key=self._place)))
        if kind == NODE.band and node.band_n_member():
            members = self._members(node)
            is_permutable = bool(node.band_get_permutable())
            return BandOutline(node, members, is_permutable, self.outline(node.child(0)))
        if kind == NODE.sequence or kind == NODE.set:
            is_ordered = kind == NODE.sequence
            children = [self.outline(node.child(at)) for at in range(node.n_children())]
            return _parts(is_ordered, children)
        return self.outline(node.child(0))

    def _place(self, name: str) -> int:
        return self.places.get(name, len(self.places))

    def _members(self, node: isl.ScheduleNode) -> tuple[Member, ...]:
        times = node.band_get_partial_schedule()
        if self.expands:
            times = times.pullback_union_pw_multi_aff(node.get_subtree_contraction())
        return tuple(
            Member(self._times(times.get_at(at)), bool(node.band_member_get_coincident(at)))
            for at in range(node.band_n_member())
        )

    def _times(self, member: isl.UnionPwAff) -> Times:
        found = times_of(member)
        return {name: found[name] for name in sorted(found, key=self._place)}


def _parts(is_ordered: bool, children: Iterable[Outline]) -> Outline:
    """What is in a part of the same kind is a part itself; nothing is no part."""
    found: list[Outline] = []
    for child in children:
        if isinstance(child, Parts) and child.is_ordered == is_ordered:
            found += child.parts
        elif not isinstance(child, Statements) or child.names:
            found.append(child)
    if not is_ordered and found and all(isinstance(each, Statements) for each in found):
        return Statements(tuple(names_in(Parts(False, tuple(found)))))
    return found[0] if len(found) == 1 else Parts(is_ordered, tuple(found))


def names_in(outline: Outline) -> list[str]:
    """The statements, in the order in which they stand."""
    match outline:
        case Statements():
            return list(outline.names)
        case BandOutline():
            return names_in(outline.body)
        case Parts():
            return [name for part in outline.parts for name in names_in(part)]


def bands_in(outline: Outline) -> Iterator[BandOutline]:
    """The bands, outermost first."""
    match outline:
        case Statements():
            return
        case BandOutline():
            yield outline
            yield from bands_in(outline.body)
        case Parts():
            for part in outline.parts:
                yield from bands_in(part)


def narrowed(outline: Outline, names: Iterable[str]) -> Outline:
    """What is left for some of the statements."""
    kept = set(names)
    match outline:
        case Statements():
            return Statements(tuple(name for name in outline.names if name in kept))
        case BandOutline():
            members = (
                replace(each, times={at: text for at, text in each.times.items() if at in kept})
                for each in outline.members
            )
            return replace(outline, members=tuple(members), body=narrowed(outline.body, kept))
        case Parts():
            left = [part for part in outline.parts if kept & set(names_in(part))]
            return _parts(outline.is_ordered, (narrowed(each, kept) for each in left))


# --- functions ------------------------------------------------------------------------------------


def times_of(member: isl.UnionPwAff) -> dict[str, str]:
    """What a member does with each statement, as texts.

    >>> member = isl.UnionPwAff("[n] -> { S[i, j] -> [(n - 2j + i)]; T[] -> [(0)] }")
    >>> sorted(times_of(member).items())
    [('S', 'i + n - 2*j'), ('T', '0')]
    """
    found = member.get_pw_aff_list()
    pieces = (found.get_at(at) for at in range(len(found)))
    return {str(each.get_space().get_tuple_name(IN)): function_text(each) for each in pieces}


def function_text(function: isl.PwAff) -> str:
    """A function in the names of its dimensions, as C has it where it is affine.

    >>> function_text(isl.PwAff("{ S[i] -> [(floor((i)/2))] }"))
    'floor((i)/2)'
    """
    values = [value for _, value in function.get_pieces()]
    if len(values) == 1 and is_plain(values[0]):
        return _affine_text(values[0])
    inside = str(function).partition("->")[2] if function.dim(PARAM) else str(function)
    return "; ".join(
        piece.partition("-> [(")[2].rpartition(")]")[0] for piece in inside.strip(" {}").split(";")
    )


def _affine_text(value: isl.Aff) -> str:
    terms = [
        (value.get_coefficient_val(kind, at).to_python(), str(value.get_dim_name(kind, at)))
        for kind in (IN, PARAM)
        for at in range(value.dim(kind))
    ]
    terms.append((value.get_constant_val().to_python(), ""))
    terms = sorted((each for each in terms if each[0]), key=lambda term: term[0] < 0)
    text = "".join(
        f" {'-' if factor < 0 else '+'} {_term(abs(factor), name)}" for factor, name in terms
    )
    return text.removeprefix(" + ").replace(" - ", "-", 1 if text.startswith(" - ") else 0) or "0"


def _term(factor: int, name: str) -> str:
    if not name:
        return str(factor)
    return name if factor == 1 else f"{factor}*{name}"


# --- lines ----------------------------------------------------------------------------------------


def outline_lines(outline: Outline, scop: Scop, indent: int = 0) -> list[str]:
    """The loops, each inside those around it, and the statements with their text."""
    match outline:
        case Statements():
            return _statement_lines(outline, scop, indent)
        case BandOutline():
            return _band_lines(outline, scop, indent)
        case Parts():
            return _part_lines(outline, scop, indent)


def _statement_lines(outline: Statements, scop: Scop, indent: int) -> list[str]:
    if len(outline.names) < 2:
        return [_statement_line(scop.statement(name), indent) for name in outline.names]
    lines = [_statement_line(scop.statement(name), indent + 2) for name in outline.names]
    return [" " * indent + "in any order", *lines]


def _statement_line(statement: Statement, indent: int) -> str:
    """``S0[i, j]  line 7: A[i][j] = 0``, with as much of the text as there is room for."""
    instance = f"{statement.name}[{', '.join(statement.iterators)}]"
    start = f"{' ' * indent}{instance}  line {statement.span.line}: "
    room = max(SHORTEST_STATEMENT, WIDTH - len(start))
    return start + shortened(" ".join(statement.text.split()), room)


def _band_lines(band: BandOutline, scop: Scop, indent: int) -> list[str]:
    lines: list[str] = []
    if band.is_tilable:
        lines.append(" " * indent + "tilable")
        indent += 2
    for member in band.members:
        lines += wrapped(loop_text(member), indent)
    return lines + outline_lines(band.body, scop, indent + 2)


def loop_text(member: Member) -> str:
    """``parallel for i``, or ``for t (S0), t + 1 (S1)``."""
    text = f"{'parallel ' if member.is_parallel else ''}for {times_text(member.times)}"
    return f"{text}, each with its own {listed(member.own)}" if member.own else text


def quoted(member: Member) -> str:
    """A loop by its times alone, inside a sentence."""
    return f"'for {times_text(member.times)}'"


def times_text(times: Times) -> str:
    """The times of several statements, those that are the same once.

    >>> times_text({"S": "i", "T": "i", "U": "i + 1"}), times_text({"S": "j", "T": "j"})
    ('i (S, T), i + 1 (U)', 'j')
    """
    by_text: dict[str, list[str]] = {}
    for name, text in times.items():
        by_text.setdefault(text, []).append(name)
    if len(by_text) == 1:
        return next(iter(by_text))
    return ", ".join(f"{text} ({', '.join(names)})" for text, names in by_text.items())


def _part_lines(outline: Parts, scop: Scop, indent: int) -> list[str]:
    """Statements that follow each other stand below each other; all else gets a heading."""
    blocks = _blocks(outline)
    if outline.is_ordered and len(blocks) == 1:
        return _block_lines(blocks[0], scop, indent)
    first, later = ("first", "then") if outline.is_ordered else ("in any order", "and")
    lines: list[str] = []
    for at, block in enumerate(blocks):
        lines.append(" " * indent + (later if at else first))
        lines += _block_lines(block, scop, indent + 2)
    return lines


def _blocks(outline: Parts) -> list[list[Outline]]:
    """Neighbouring statements together, each other part by itself."""
    blocks: list[list[Outline]] = []
    for part in outline.parts:
        is_single = isinstance(part, Statements) and len(part.names) == 1
        joins = blocks and isinstance(blocks[-1][-1], Statements) and len(blocks[-1][-1].names) == 1
        if outline.is_ordered and is_single and joins:
            blocks[-1].append(part)
        else:
            blocks.append([part])
    return blocks


def _block_lines(block: Sequence[Outline], scop: Scop, indent: int) -> list[str]:
    return [line for part in block for line in outline_lines(part, scop, indent)]
