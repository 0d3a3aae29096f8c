"""Unroll-and-jam: how many iterations of the loops around the innermost one share registers.

For factors f of the members, a reference names as many elements in an iteration of the innermost
loop as the product of the factors of the members that move it.  Elements that the innermost loop
leaves in place are loaded in front of it and each takes a register; the others are loaded, and
stored, in each iteration.  A core begins one vector operation and one vector load in a cycle, and a
vector store in two; of scalar operations and loads it begins two, and of scalar stores one.  A sum
waits for its last operation.  The factors with the fewest cycles for an
original iteration win, then those with the fewest loads and stores, if the registers suffice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from math import prod

from loopwright.targets.machine import Machine
from loopwright.targets.nests import Nest, Reference, elements

FACTORS = (2, 3, 4, 5, 6, 8)
MOST_COPIES = 24
"""So often may a statement be written out."""
FOLDED = 4
"""Up to so many uses, compilers read an element of an innermost loop again for each one."""


Cost = tuple[float, float, int]


def unrolling(
    nest: Nest,
    inner: int,
    machine: Machine,
    most_copies: int = MOST_COPIES,
    *,
    is_vector: bool,
    short: Mapping[int, int] | None = None,
) -> dict[int, int]:
    """The members to unroll, with their factors.

    ``short`` members have so many iterations at a time; the factors divide that.
    """
    if not nest.is_permutable:
        return {}
    useful = [
        at for at in nest.members if at != inner and _is_useful(nest, at, is_vector=is_vector)
    ]
    best: dict[int, int] = {}
    least = cost_of(nest, best, inner, is_vector=is_vector)
    tiles = short or {}
    for chosen in _choices(useful, most_copies):
        if not all(_fits(each, nest.ranges[at], tiles.get(at)) for at, each in chosen.items()):
            continue
        cost = cost_of(nest, chosen, inner, is_vector=is_vector)
        if cost < least and _registers(nest, chosen, inner) <= machine.vector_registers:
            best, least = chosen, cost
    return best


def _fits(factor: int, values: range | None, short: int | None) -> bool:
    """Are there whole blocks of so many iterations?  They begin at multiples of it."""
    is_there = values is None or -(-values.start // factor) * factor + factor <= values.stop
    return is_there and (short is None or short % factor == 0)


def _is_useful(nest: Nest, member: int, *, is_vector: bool) -> bool:
    """Does a register serve several of its iterations, or do they wait less for each other?"""
    if is_vector:
        return any(each.is_reused(member) for each in nest.references)
    return nest.is_coincident(member)


def _choices(members: Sequence[int], most_copies: int) -> Iterator[dict[int, int]]:
    for count in (1, 2):
        for chosen in combinations(members, count):
            for factors in product(FACTORS, repeat=count):
                if prod(factors) <= most_copies:
                    yield dict(zip(chosen, factors, strict=True))


def distinct(reference: Reference, unrolled: Mapping[int, int]) -> int:
    """How many elements the copies of a reference name."""
    return prod(factor for at, factor in unrolled.items() if not reference.is_invariant(at))


def cost_of(nest: Nest, unrolled: Mapping[int, int], inner: int, *, is_vector: bool) -> Cost:
    """Cycles, loads and stores for an original iteration; and the number of copies."""
    copies = prod(unrolled.values())
    loads = stores = 0
    for each in elements(nest):
        if not each.is_invariant(inner):
            count = distinct(each, unrolled)
            uses = copies // count
            is_folded = not each.writes and uses <= FOLDED
            loads += count * (uses if is_folded else int(each.reads))
            stores += count * each.writes
    operations = copies * len(nest.statements)
    if is_vector:
        cycles = max(operations, loads, 2 * stores)
    else:
        waiting = 0 if nest.is_free_inside(inner) else nest.latency
        cycles = max(operations / 2, loads / 2, stores, waiting)
    return cycles / copies, (loads + stores) / copies, copies


def _registers(nest: Nest, unrolled: Mapping[int, int], inner: int) -> int:
    """One for each element that stays there or is written, and one for a value at a time.

    What an iteration of the innermost loop only reads can be read one after the other.
    """
    used = elements(nest)
    kept = [each for each in used if each.writes or each.is_invariant(inner)]
    return sum(distinct(each, unrolled) for each in kept) + (len(kept) < len(used))
