"""Loops that the new text marks as parallel carry nothing.

The iterations of a loop may run at the same time if no two of them touch the same element of which
one writes it, variables that each iteration has for itself left out.  In a variable that each
thread has for itself, an iteration must find only what it has put there.  Reduced variables
are left out, too, where the loop does nothing else with them; and so are pairs of instances that
the programmer has promised to be independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.scop import Access, Array, Loop, union_map
from loopwright.polyhedra.instances import same_prefix
from loopwright.verify.failure import NotProved, parameters_text
from loopwright.verify.matching import Correspondence
from loopwright.verify.openmp import ParallelLoop
from loopwright.verify.reductions import require_reductions
from loopwright.verify.sources import Memory

IN, OUT = isl.dim_type.in_, isl.dim_type.out


def require_independent(
    loops: Iterable[ParallelLoop], memory: Memory, shared: Mapping[str, Array]
) -> None:
    """Show that the loops may run as they are marked.

    ``shared`` has the original array behind each array of the new text from outside the region.
    """
    arrays = {each.name: each for each in memory.found.new.arrays}
    live_out = {name for name, array in shared.items() if array.is_live_out}
    for each in loops:
        lost = sorted(each.of_thread & live_out)
        if lost:
            raise NotProved(
                f"{lost[0]} would keep its value from before {each.directive.token.text}"
            )
        require_reductions(each, memory.found.new.statements, arrays)
        _require_no_conflicts(each, memory.found, shared)
        for array in each.of_thread:
            _require_self_contained(each.loop, array, memory)


def _require_no_conflicts(
    parallel: ParallelLoop, found: Correspondence, shared: Mapping[str, Array]
) -> None:
    for each in conflicts(parallel, found, shared):
        _require_apart(parallel.loop, each)


@record(eq=False)
class Conflict:
    """Two references, of which one writes, that iterations of a loop must not share elements by.

    ``promised`` are pairs of instances that the programmer says share none.
    """

    first: Access
    second: Access
    promised: tuple[isl.UnionMap, ...]


def conflicts(
    parallel: ParallelLoop, found: Correspondence, shared: Mapping[str, Array]
) -> Iterator[Conflict]:
    """All that might keep the iterations of a loop from running at the same time."""
    private = parallel.own | parallel.of_thread | frozenset(parallel.reductions)
    inside = [each for each in found.new.statements if each.name in parallel.loop.statements]
    by_array: dict[str, list[Access]] = {}
    for statement in inside:
        for access in statement.accesses:
            if access.array not in private and not access.kills:
                by_array.setdefault(access.array, []).append(access)
    for array, accesses in by_array.items():
        promised = _promised(shared[array].name, found) if array in shared else []
        for first in accesses:
            if first.writes:
                for second in accesses:
                    yield Conflict(first, second, tuple(promised))


def _promised(array: str, found: Correspondence) -> list[isl.UnionMap]:
    """The pairs of instances that share no element of an array, because the programmer says so."""
    instances = union_map(each.instances for each in found.copies)
    return [
        instances.apply_range(pairs).apply_range(instances.reverse())
        for promise in found.old.independences
        if not promise.arrays or array in promise.arrays
        for pairs in (promise.pairs, promise.pairs.reverse())
    ]


def _require_apart(loop: Loop, conflict: Conflict) -> None:
    """No element may be touched by both in different iterations of the loop."""
    first, second = conflict.first, conflict.second
    pairs = first.may.apply_range(second.may.reverse())
    for position in range(loop.depth):
        pairs = pairs.equate(IN, position, OUT, position)
    for each in conflict.promised:
        pairs = pairs.subtract(each.extract_map(pairs.get_space()))
    if pairs.is_empty():
        return
    for ordered in (
        pairs.order_lt(IN, loop.depth, OUT, loop.depth),
        pairs.order_gt(IN, loop.depth, OUT, loop.depth),
    ):
        if not ordered.is_empty():
            witness = parameters_text(ordered.params())
            texts = f"{first.text} and {second.text}"
            reason = f"iterations of the parallel loop over {loop.iterator} share {texts}"
            raise NotProved(reason, witness, loop.span)


def _require_self_contained(loop: Loop, array: str, memory: Memory) -> None:
    """Each iteration of the loop, and the rest of the text, must read only its own values."""
    inside = frozenset(loop.statements)
    for read in memory.needed(array):
        sources, reader = memory.sources(read), read.statement.name
        is_within = reader in inside and sources.from_before.is_empty()
        for (name, _), writes in sources.writes.items():
            is_here = name in inside and reader in inside
            is_within = is_within and is_here and _is_same_iteration(writes, loop)
        if not is_within and not _is_outside(reader, sources.writes, inside):
            reason = f"{read.access.text} may have the value of another thread"
            raise NotProved(reason, span=read.access.span)


def _is_same_iteration(writes: isl.Map, loop: Loop) -> bool:
    sources, sinks = writes.range(), writes.domain()
    return writes.is_subset(same_prefix(sinks, sources, loop.depth + 1))


def _is_outside(reader: str, writes: Iterable[tuple[str, str]], inside: frozenset[str]) -> bool:
    return reader not in inside and not any(name in inside for name, _ in writes)
