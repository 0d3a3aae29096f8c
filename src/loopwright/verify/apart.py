"""That parallel loops carry nothing, as formulas: no two iterations share an element."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

import islpy as isl

from loopwright.basics.names import FreshNames
from loopwright.basics.records import record
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
    pairs = _Pairs(
        frozenset(each.name for each in found.new.parameters),
        {access.tag: each for each in found.new.statements for access in each.accesses},
        found,
    )
    for parallel in loops:
        iterator, line = parallel.loop.iterator, parallel.statement.span.line
        for each in conflicts(parallel, found, shared):
            texts = f"{each.first.text} and {each.second.text}"
            where = f"{texts} in different iterations of the loop over {iterator} in line {line}"
            given = pairs.sharing(each, parallel.loop.depth)
            yield Obligation("Apart", where, given, FALSE, parallel.loop.span)


@record(eq=False)
class _Pairs:
    """Says of two references that they touch the same element."""

    parameters: frozenset[str]
    owners: Mapping[str, Statement]
    found: Correspondence
    known: dict[tuple[str, str, tuple[str, ...]], Formula] = field(
        default_factory=dict[tuple[str, str, tuple[str, ...]], Formula]
    )

    def sharing(self, conflict: Conflict, depth: int) -> Formula:
        """Both touch the same element, in different iterations of one run of the loop."""
        one, other = self.owners[conflict.first.tag], self.owners[conflict.second.tag]
        fresh = FreshNames({*self.parameters, *one.iterators})
        here = one.iterators
        there = (*here[:depth], *(fresh.fresh(each) for each in other.iterators[depth:]))
        rank = conflict.first.may.dim(isl.dim_type.out)
        subscripts = tuple(fresh.fresh(f"subscript_{at}") for at in range(rank))
        first = self._touched(conflict.first, (*here, *subscripts))
        second = self._touched(conflict.second, (*there, *subscripts))
        mine, its = unknown(here[depth]), unknown(there[depth])
        is_other = some((less(mine, its), less(its, mine)))
        return every((first, second, is_other, *_promised(conflict, here, there)))

    def _touched(self, access: Access, names: tuple[str, ...]) -> Formula:
        """An instance touches an element: the names of its iterators, and of the subscripts."""
        key = access.tag, access.array, names
        if key not in self.known:
            domain = self.found.domain(self.owners[access.tag])
            touched = access.may.intersect_domain(domain)
            self.known[key] = from_isl(touched.wrap(), names)
        return self.known[key]


def _promised(conflict: Conflict, here: Sequence[str], there: Sequence[str]) -> Iterator[Formula]:
    """The programmer says that other pairs share nothing."""
    for each in conflict.promised:
        pairs = conflict.first.may.apply_range(conflict.second.may.reverse()).get_space()
        yield negated(from_isl(each.extract_map(pairs).wrap(), [*here, *there]))
