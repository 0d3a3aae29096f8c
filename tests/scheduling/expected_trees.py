"""Schedules as the paper prints them, and trees compared by what they mean.

Two trees are the same if their bands have the same members, as functions on the instances that
reach them, with the same flags, and if they split the statements in the same way.  Sequences and
sets inside each other count as one; their order is left to the judge of legality, since the paper's
choice among valid orders is free.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent

import islpy as isl

from loopwright import Scop, read_c
from loopwright.polyhedra.schedule_trees import bands_of
from loopwright.polyhedra.unions import sets_of

PAPERS = Path(__file__).parents[2] / "examples" / "papers"
NODE = isl.schedule_node_type


def listing(number: int, *replaced: tuple[str, str]) -> Scop:
    """The region of a listing of the paper, with some of its text replaced."""
    text = (PAPERS / f"ppcg-listing-{number:02}.c").read_text()
    for old, new in replaced:
        assert old in text, f"{old!r} is not in listing {number}"
        text = text.replace(old, new)
    (scop,) = read_c(text)
    return scop


def tree_of(domain: isl.UnionSet, text: str) -> isl.Schedule:
    """A schedule tree from what is below its domain, as isl prints it."""
    return isl.Schedule(f'domain: "{domain}"\nchild:\n' + indent(dedent(text), "  "))


def printed(text: str) -> isl.Schedule:
    """A whole schedule tree as a paper prints it, with breaks inside its relations."""
    return isl.Schedule(re.sub(r'"[^"]*"', lambda found: re.sub(r"\s+", " ", found[0]), text))


# --- what a tree means ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class BandShape:
    """The members of a band, its flags, and what is inside."""

    members: tuple[isl.UnionMap, ...]
    coincident: tuple[bool, ...]
    is_permutable: bool
    child: Shape


@dataclass(frozen=True, eq=False)
class ExpandedShape:
    """Groups that become the instances of their statements."""

    contraction: isl.UnionMap
    child: Shape


@dataclass(frozen=True, eq=False)
class SplitShape:
    """Sets of statements, and what happens in each."""

    parts: dict[frozenset[str], Shape]


Shape = BandShape | SplitShape | ExpandedShape | None


def shape_of(node: isl.ScheduleNode) -> Shape:
    """What a node means."""
    kind = node.get_type()
    if kind == NODE.leaf:
        return None
    if kind == NODE.filter:
        return shape_of(node.child(0))
    if kind == NODE.domain:
        return _inside(node)
    if kind == NODE.band:
        return _band(node)
    if kind in (NODE.sequence, NODE.set):
        return _split(node)
    assert kind == NODE.expansion, kind
    contraction = node.expansion_get_contraction().as_union_map()
    contraction = contraction.intersect_domain(node.child(0).get_domain())
    child = _inside(node)
    is_itself = contraction.is_equal(contraction.domain().identity())
    return child if is_itself else ExpandedShape(contraction, child)


def _inside(node: isl.ScheduleNode) -> Shape:
    """What the child means; statements in sequence with nothing more to do are a leaf."""
    child = shape_of(node.child(0))
    is_mere_order = isinstance(child, SplitShape) and not any(child.parts.values())
    return None if is_mere_order else child


def _band(node: isl.ScheduleNode) -> BandShape:
    domain = node.get_domain()
    times = node.band_get_partial_schedule()
    count = range(node.band_n_member())
    return BandShape(
        tuple(_times(times.get_at(at), domain) for at in count),
        tuple(bool(node.band_member_get_coincident(at)) for at in count),
        bool(node.band_get_permutable()),
        _inside(node),
    )


def _times(member: isl.UnionPwAff, domain: isl.UnionSet) -> isl.UnionMap:
    return isl.UnionMap.from_union_pw_aff(member).intersect_domain(domain)


def _split(node: isl.ScheduleNode) -> SplitShape:
    parts: dict[frozenset[str], Shape] = {}
    for at in range(node.n_children()):
        child = node.child(at)
        inside = shape_of(child)
        if isinstance(inside, SplitShape):
            parts.update(inside.parts)
        else:
            parts[names_in(child.child(0).get_domain())] = inside
    return SplitShape(parts)


def names_in(instances: isl.UnionSet) -> frozenset[str]:
    """The statements of the instances."""
    return frozenset(each.get_tuple_name() or "" for each in sets_of(instances))


# --- comparing ------------------------------------------------------------------------------------


def assert_same(found: isl.Schedule, expected: isl.Schedule) -> None:
    """Do both trees mean the same?"""
    assert found.get_domain().is_equal(expected.get_domain()), (
        f"{found.get_domain()} is not {expected.get_domain()}"
    )
    _compare(shape_of(found.get_root()), shape_of(expected.get_root()), found)


def _compare(found: Shape, expected: Shape, whole: isl.Schedule) -> None:
    assert type(found) is type(expected), f"{found} is not {expected} in {whole}"
    match found, expected:
        case BandShape(), BandShape():
            pairs = zip(found.members, expected.members, strict=False)
            is_same = len(found.members) == len(expected.members) and all(
                ours.is_equal(theirs) for ours, theirs in pairs
            )
            assert is_same, f"{found.members} is not {expected.members} in {whole}"
            assert found.coincident == expected.coincident, f"{whole}"
            assert found.is_permutable == expected.is_permutable, f"{whole}"
            _compare(found.child, expected.child, whole)
        case SplitShape(), SplitShape():
            assert found.parts.keys() == expected.parts.keys(), f"{whole}"
            for names, part in found.parts.items():
                _compare(part, expected.parts[names], whole)
        case ExpandedShape(), ExpandedShape():
            assert found.contraction.is_equal(expected.contraction), f"{whole}"
            _compare(found.child, expected.child, whole)
        case _:
            pass


def outer_band(tree: isl.Schedule) -> BandShape:
    """The band at the top of a tree."""
    shape = shape_of(tree.get_root())
    assert isinstance(shape, BandShape), f"{tree}"
    return shape


def assert_member(found: isl.UnionMap, expected: str) -> None:
    """Is this the member that the paper prints?"""
    wanted = isl.UnionMap(expected).intersect_domain(found.domain())
    assert found.is_equal(wanted), f"{found} is not {wanted}"


def bands_at(tree: isl.Schedule, statement: str) -> list[BandShape]:
    """The bands that run a statement, outermost first."""
    found: list[BandShape] = []
    shape = shape_of(tree.get_root())
    while shape is not None:
        match shape:
            case BandShape():
                found.append(shape)
                shape = shape.child
            case ExpandedShape():
                shape = shape.child
            case SplitShape():
                shape = next(part for names, part in shape.parts.items() if statement in names)
    return found


def largest_coefficient(tree: isl.Schedule) -> int:
    """Of an iterator in any member."""
    values = [0]
    for node in bands_of(tree):
        times = node.band_get_partial_schedule()
        for member in range(node.band_n_member()):
            pieces = times.get_at(member).get_pw_aff_list()
            for at in range(pieces.n_pw_aff()):
                for _, function in pieces.get_at(at).get_pieces():
                    values += _coefficients(function)
    return max(values)


def _coefficients(function: isl.Aff) -> list[int]:
    kind = isl.dim_type.in_
    return [
        abs(function.get_coefficient_val(kind, at).to_python()) for at in range(function.dim(kind))
    ]
