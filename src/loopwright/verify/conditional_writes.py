"""Writes under a condition, seen as reads of what was there and certain writes.

``if (x > m) m = x;`` does to m what ``m = x > m ? x : m`` does: it leaves either a new value there,
or the one that it has found.  So the instance has a value to leave in any case, and to know which,
one has to know the one before, whether anybody else reads that or not.

An instance may write an element by several references, as both branches of a condition do.  What it
leaves there counts as written by the first of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

import islpy as isl

from loopwright.basics.records import record
from loopwright.dependence.analysis import dependences as dependences_of
from loopwright.model.dependences import Dependences
from loopwright.model.scop import Access, Scop, Statement
from loopwright.polyhedra.unions import maps_of
from loopwright.verify.failure import NotProved
from loopwright.verify.matching import Copy, Correspondence, is_simple


def with_kept_values(scop: Scop) -> Scop:
    """The model in which each write to one certain element happens for certain."""
    statements = tuple(_with_kept_values(each) for each in scop.statements)
    if all(one is other for one, other in zip(statements, scop.statements, strict=True)):
        return scop
    return replace(scop, statements=statements)


def has_conditional_writes(statement: Statement) -> bool:
    """May it leave something as it is that it may also write?"""
    return any(each.writes and not each.is_exact for each in statement.accesses)


def _with_kept_values(statement: Statement) -> Statement:
    writes = [each for each in statement.accesses if each.writes]
    is_plain = len({each.array for each in writes}) == len(writes)
    if is_plain and not has_conditional_writes(statement):
        return statement
    changed = dict(_joined_writes(writes))
    accesses = tuple(changed.get((each.tag, each.array), each) for each in statement.accesses)
    return replace(statement, accesses=accesses)


def _joined_writes(writes: Iterable[Access]) -> Iterator[tuple[tuple[str, str], Access]]:
    """The writes to an element as one; those to elements that nobody knows stay as they are."""
    groups: list[list[Access]] = []
    for each in writes:
        if each.may.is_single_valued():
            same = [one for one in groups if _is_same_element(one[0], each)]
            if same:
                same[0].append(each)
            else:
                groups.append([each])
    for group in groups:
        is_certain = _are_certain(group)
        for at, each in enumerate(group):
            reads = each.reads or not is_certain
            must = each.must if each.is_exact else each.may
            yield (each.tag, each.array), replace(each, reads=reads, writes=at == 0, must=must)


def _is_same_element(one: Access, other: Access) -> bool:
    return one.array == other.array and one.may.is_equal(other.may)


def _are_certain(group: Iterable[Access]) -> bool:
    """Does one of them write the element, whatever happens?"""
    return any(each.is_exact for each in group)


# --- what becomes of the values -------------------------------------------------------------------


@record(eq=False)
class Followed:
    """Copies of original statements that write for certain, and the dependences among those."""

    copies: tuple[Copy, ...]
    dependences: Dependences


def followed_values(
    found: Correspondence, dependences: Dependences, moved: frozenset[str]
) -> Followed:
    """What it takes to follow the values of moved arrays through writes under a condition."""
    writing = {
        each.name
        for each in found.old.statements
        if any(one.writes and one.array in moved for one in each.accesses)
    }
    for each in found.copies:
        if each.old.name in writing and not _is_plain(each.old):
            _require_same_inside(each, moved)
    old = with_kept_values(found.old)
    if not any(
        one.name in writing and one is not other
        for one, other in zip(old.statements, found.old.statements, strict=True)
    ):
        return Followed(found.copies, dependences)
    dependences = dependences_of(old, live_range_reordering=False)
    if {"flow", "may_live_in"} & set(dependences.approximated):
        raise NotProved("it is not known where values come from")
    needed = _needed(dependences, found.old)
    statements = {each.name: _without_idle_reads(each, needed) for each in old.statements}
    copies = tuple(_with_original(each, statements[each.old.name]) for each in found.copies)
    return Followed(copies, dependences)


def _is_plain(statement: Statement) -> bool:
    """Does it first read all that it reads, and then certainly write in one place?"""
    return is_simple(statement.body) and not has_conditional_writes(statement)


def _needed(dependences: Dependences, raw: Scop) -> frozenset[str]:
    """The references that need a value: reads, and writes that leave what somebody needs."""
    sources: dict[str, set[str]] = {}
    for each in maps_of(dependences.flow_triples):
        source, sink = each.domain().unwrap(), each.range_factor_domain().range().unwrap()
        sources.setdefault(_tag(sink), set()).add(_tag(source))
    found: set[str] = set()
    pending = [one.tag for each in raw.statements for one in each.accesses if one.reads]
    pending += [_tag(each.domain().unwrap()) for each in maps_of(dependences.tagged_may_live_out)]
    while pending:
        tag = pending.pop()
        if tag not in found:
            found.add(tag)
            pending += sources.get(tag, ())
    return frozenset(found)


def _tag(reference: isl.Map) -> str:
    """The tag in ``{ S[i] -> R[] }``."""
    return reference.get_tuple_name(isl.dim_type.out)


def _without_idle_reads(statement: Statement, needed: frozenset[str]) -> Statement:
    accesses = (
        replace(each, reads=each.reads and each.tag in needed) for each in statement.accesses
    )
    return replace(statement, accesses=tuple(accesses))


def _with_original(copy: Copy, old: Statement) -> Copy:
    accesses = {(each.tag, each.array): each for each in old.accesses}
    references = tuple(
        replace(pair, old=tuple(accesses[each.tag, each.array] for each in pair.old))
        for pair in copy.references
    )
    return replace(copy, old=old, references=references)


# --- inside of an instance ------------------------------------------------------------------------


def _require_same_inside(copy: Copy, moved: frozenset[str]) -> None:
    """References of an instance that are to one element are so in both programs.

    Then what the instance does with its own values before it ends is the same, too.
    """
    pairs = [
        (old, new)
        for pair in copy.references
        for old, new in zip(pair.old, pair.new, strict=True)
        if not old.kills
    ]
    for one, other in combinations(pairs, 2):
        olds, news = (one[0], other[0]), (one[1], other[1])
        if any(each.writes for each in olds) and any(each.array in moved for each in olds):
            _require_same_meeting(copy, olds, news)


def _require_same_meeting(
    copy: Copy, olds: tuple[Access, Access], news: tuple[Access, Access]
) -> None:
    before, after = _meeting(olds, copy.old), _meeting(news, copy.new)
    domain = copy.instances.domain()
    wanted = copy.instances.intersect_range(before).domain()
    if not wanted.is_equal(after & domain):
        text = f"{news[0].text} and {news[1].text}"
        raise NotProved(f"{text} in {copy.new.text} do not meet as they did", span=copy.new.span)
    if all(each.writes for each in olds) and not wanted.is_empty():
        text = f"{olds[0].text} and {olds[1].text}"
        raise NotProved(f"{text} in {copy.new.text} may be one element", span=copy.new.span)


def _meeting(accesses: tuple[Access, Access], statement: Statement) -> isl.Set:
    """The instances for which both accesses are to the same element."""
    one, other = accesses
    if one.array != other.array:
        return isl.Set.empty(statement.domain.get_space())
    for each in accesses:
        if not each.may.is_single_valued():
            raise NotProved(f"{each.text} may be any element", span=each.span)
    return one.may.intersect(other.may).domain()
