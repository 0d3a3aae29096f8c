"""Which instance needs which other one, through which reference, and why (PPCG §3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

import islpy as isl

from loopwright.model.scop import Access, Scop, Statement, union_map
from loopwright.polyhedra.unions import maps_of

TaggedMap = isl.UnionMap
"""``{ [S[i] -> R0[]] -> … }``: instances together with the reference that is meant (§3.2.4)."""


class Kind(Enum):
    """What the source and the sink of a dependence do to the element that they share."""

    FLOW = "flow"
    """The source writes what the sink reads."""
    ANTI = "anti"
    """The sink overwrites what the source reads."""
    OUTPUT = "output"
    """The sink overwrites what the source writes."""
    INPUT = "input"
    """Both read the same value: no order is needed, but nearness helps."""


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """One end of a dependence: a reference of a statement."""

    statement: Statement
    access: Access


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """A statement that gathers values in an element: ``s += e``, ``s = max(s, e)``.

    The operator is the one that gathers: ``+`` also for ``s -= e``.  ``tags`` are the references to
    the gathering element; no other reference of the statement touches what they touch.
    """

    statement: str
    operator: str
    array: str
    tags: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Dependence:
    """The pairs of instances that depend on each other through one pair of references.

    ``reduction`` is set where the pairs only order the steps of a reduction.
    """

    kind: Kind
    source: End
    sink: End
    pairs: isl.Map
    reduction: Reduction | None = None

    @property
    def array(self) -> str:
        """The array that both references are to."""
        return self.source.access.array

    def place(self) -> tuple[int, int, int]:
        """Where it stands in the source text, for sorting."""
        kinds = list(Kind)
        source, sink = self.source.access.span, self.sink.access.span
        return source.start, sink.start, kinds.index(self.kind)


@dataclass(frozen=True, slots=True, eq=False)
class Dependences:
    """All dependences of a region, each kind as a relation of its own.

    Tagged relations keep the references.  ``tagged_order``, ``tagged_forced`` and
    ``tagged_lone_writes`` (writes of values that nothing in the region reads) are there with
    live-range reordering only, and ``tagged_inputs`` where they were asked for.
    """

    scop: Scop
    tagged_flow: TaggedMap
    tagged_false: TaggedMap
    tagged_may_live_in: TaggedMap
    tagged_may_live_out: TaggedMap
    tagged_order: TaggedMap | None = None
    tagged_forced: TaggedMap | None = None
    tagged_lone_writes: TaggedMap | None = None
    tagged_inputs: TaggedMap | None = None
    reductions: tuple[Reduction, ...] = ()

    @property
    def flow(self) -> isl.UnionMap:
        """From the instance that may have written a value to one that reads it."""
        return untagged(self.tagged_flow)

    @property
    def false(self) -> isl.UnionMap:
        """From an instance that reads or writes an element to one that overwrites it."""
        return untagged(self.tagged_false)

    @property
    def anti(self) -> isl.UnionMap:
        """The part of :attr:`false` whose sources read."""
        return union_map(each.pairs for each in self.labelled(self.tagged_false, Kind.ANTI))

    @property
    def output(self) -> isl.UnionMap:
        """The part of :attr:`false` whose sources write."""
        return union_map(each.pairs for each in self.labelled(self.tagged_false, Kind.OUTPUT))

    @property
    def order(self) -> isl.UnionMap | None:
        """What keeps live ranges apart that are not local (§3.2.5)."""
        return untagged(self.tagged_order) if self.tagged_order is not None else None

    @property
    def forced(self) -> isl.UnionMap | None:
        """What must be kept however live ranges are reordered (§3.2.5)."""
        return untagged(self.tagged_forced) if self.tagged_forced is not None else None

    @property
    def inputs(self) -> isl.UnionMap | None:
        """Pairs of reads of one value (§4.3)."""
        return untagged(self.tagged_inputs) if self.tagged_inputs is not None else None

    @property
    def may_live_in(self) -> isl.UnionMap:
        """Reads whose value may come from before the region: ``{ S[i] -> A[x] }``."""
        return self.tagged_may_live_in.domain_factor_domain()

    @property
    def may_live_out(self) -> isl.UnionMap:
        """Writes whose value may be needed after the region: ``{ S[i] -> A[x] }``."""
        return self.tagged_may_live_out.domain_factor_domain()

    def edges(self) -> tuple[Dependence, ...]:
        """Every dependence by itself, in the order of the source text."""
        edges = self.labelled(self.tagged_flow, Kind.FLOW)
        edges += self.labelled(self.tagged_false, Kind.ANTI, Kind.OUTPUT)
        if self.tagged_inputs is not None:
            edges += self.labelled(self.tagged_inputs, Kind.INPUT)
        return tuple(sorted(edges, key=Dependence.place))

    def labelled(self, tagged: TaggedMap, *kinds: Kind) -> list[Dependence]:
        """The pairs of a tagged relation by their references, as each of the kinds that fit them.

        A reference that reads and writes (``s += 1``) is the source of both kinds of false
        dependence.
        """
        ends = {
            access.tag: End(statement, access)
            for statement in self.scop.statements
            for access in statement.accesses
        }
        found: list[Dependence] = []
        for pairs in maps_of(tagged):
            source, sink = (ends[tag] for tag in _tags(pairs))
            plain = untagged_map(pairs)
            reduction = self._reduction(source, sink)
            found += [
                Dependence(kind, source, sink, plain, reduction)
                for kind in kinds
                if _fits(kind, source.access, sink.access)
            ]
        return found

    def _reduction(self, source: End, sink: End) -> Reduction | None:
        """The reduction whose steps the two references are, if any."""
        tags = {source.access.tag, sink.access.tag}
        return next((each for each in self.reductions if tags <= each.tags), None)


def untagged(tagged: TaggedMap) -> isl.UnionMap:
    """Instances to instances, whatever their references.

    >>> print(untagged(isl.UnionMap("{ [S[i] -> R0[]] -> [T[j] -> R1[]] : j = i + 1 }")))
    { S[i] -> T[j = 1 + i] }
    """
    return tagged.factor_domain()


def untagged_map(tagged: isl.Map) -> isl.Map:
    """The same for one pair of references."""
    return tagged.factor_domain()


def kept(
    tagged: TaggedMap, keep: Callable[[Sequence[isl.UnionMap]], Sequence[isl.UnionMap]]
) -> TaggedMap:
    """The tagged pairs that ``keep`` leaves of the plain ones, one relation a pair of references.

    >>> tagged = isl.UnionMap("{ [S[i] -> R0[]] -> [T[j] -> R1[]] : j >= i }")
    >>> print(kept(tagged, lambda plain: [each.lexmin() for each in plain]))
    { [S[i] -> R0[]] -> [T[j = i] -> R1[]] }
    """
    relations = maps_of(tagged)
    plain = [isl.UnionMap.from_map(untagged_map(each)) for each in relations]
    return union_map(
        pairs.product(each.factor_range())
        for each, left in zip(relations, keep(plain), strict=True)
        for pairs in maps_of(left)
    )


def _tags(pairs: isl.Map) -> tuple[str, str]:
    space = pairs.get_space()
    source, sink = space.domain().unwrap(), space.range().unwrap()
    return source.get_tuple_name(isl.dim_type.out), sink.get_tuple_name(isl.dim_type.out)


def _fits(kind: Kind, source: Access, sink: Access) -> bool:
    match kind:
        case Kind.FLOW:
            return source.writes and sink.reads
        case Kind.ANTI:
            return source.reads and sink.writes
        case Kind.OUTPUT:
            return source.writes and sink.writes
        case Kind.INPUT:
            return source.reads and sink.reads
