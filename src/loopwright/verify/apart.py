"""That parallel loops carry nothing, as formulas: no two iterations share an element."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import islpy as isl

from loopwright.basics.names import FreshNames
from loopwright.model.scop import Access, Array, Statement
from loopwright.verify.formulas import FALSE, Formula, every, from_isl, less, negated, some, unknown
from loopwright.verify.matching import Correspondence
from loopwright.verify.openmp import ParallelLoop
from loopwright.verify.parallel import Conflict, conflicts
from loopwright.verify.paths import Obligation


def independence(
    loops: Iterable[ParallelLoop], found: Correspondence, shared: Mapping[str, Array]
) -> Iterator[Obligation]:
    """What is to be shown of each parallel loop, reductions and variables of threads aside."""
    owners = {access.tag: each for each in found.new.statements for access in each.accesses}
    for parallel in loops:
        line = parallel.statement.span.line
        for each in conflicts(parallel, found, shared):
            texts = f"{each.first.text} and {each.second.text}"
            yield Obligation(
                "Apart",
                f"{texts} in different iterations of the loop over {parallel.loop.iterator} "
                f"in line {line}",
                _shared(each, parallel.loop.depth, found, owners),
                FALSE,
                parallel.loop.span,
            )


def _shared(
    conflict: Conflict, depth: int, found: Correspondence, owners: Mapping[str, Statement]
) -> Formula:
    """Both touch the same element, in different iterations of one run of the loop."""
    one, other = owners[conflict.first.tag], owners[conflict.second.tag]
    fresh = FreshNames({each.name for each in found.new.parameters} | set(one.iterators))
    here = list(one.iterators)
    inner = [fresh.fresh(each) for each in other.iterators[depth:]]
    there = [*one.iterators[:depth], *inner]
    rank = conflict.first.may.dim(isl.dim_type.out)
    subscripts = [fresh.fresh(f"subscript_{at}") for at in range(rank)]
    first = _touched(conflict.first, found.domain(one), [*here, *subscripts])
    second = _touched(conflict.second, found.domain(other), [*there, *subscripts])
    mine, its = unknown(here[depth]), unknown(there[depth])
    is_other = some((less(mine, its), less(its, mine)))
    return every((first, second, is_other, *_promised(conflict, here, there)))


def _touched(access: Access, domain: isl.Set, names: Sequence[str]) -> Formula:
    """An instance touches an element: the names of its iterators, and of the subscripts."""
    return from_isl(access.may.intersect_domain(domain).wrap(), names)


def _promised(conflict: Conflict, here: Sequence[str], there: Sequence[str]) -> Iterator[Formula]:
    """The programmer says that other pairs share nothing."""
    pairs = conflict.first.may.apply_range(conflict.second.may.reverse()).get_space()
    for each in conflict.promised:
        yield negated(from_isl(each.extract_map(pairs).wrap(), [*here, *there]))
