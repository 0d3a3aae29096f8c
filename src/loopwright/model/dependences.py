"""Which instance needs which other one, through which reference, and why (PPCG §3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cached_property

import islpy as isl

from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.model.scop import Access, Scop, Statement, type_ranges, union_map
from loopwright.polyhedra.unions import maps_of

TaggedMap = isl.UnionMap
"""``{ [S[i] -> R0[]] -> … }``: instances together with the reference that is meant (§3.2.4)."""

Triples = isl.UnionMap
"""``{ [S[i] -> R0[]] -> [[T[j] -> R1[]] -> A[x]] }``: source, sink and the element they share."""


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


@record(eq=False)
class End:
    """One end of a dependence: a reference of a statement."""

    statement: Statement
    access: Access

    @property
    def span(self) -> Span:
        """Where the source has it; what a called function touches is at the call."""
        own, whole = self.access.span, self.statement.span
        inside = own.file == whole.file and whole.start <= own.start and own.end <= whole.end
        return own if inside else whole


@record(eq=False)
class Reduction:
    """A statement that gathers values in an element: ``s += e``, ``s = max(s, e)``.

    The operator is the one that gathers: ``+`` also for ``s -= e``.  ``tags`` are the references to
    the gathering element; no other reference of an instance touches the element that the instance
    gathers in, though it may touch those that other instances do.
    """

    statement: str
    operator: str
    array: str
    tags: frozenset[str]


@record(eq=False)
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

    @property
    def is_certain(self) -> bool:
        """Do both ends surely touch what they may touch?"""
        return self.source.access.is_exact and self.sink.access.is_exact

    def place(self) -> tuple[int, int, int]:
        """Where it stands in the source text, for sorting."""
        kinds = list(Kind)
        source, sink = self.source.span, self.sink.span
        return source.start, sink.start, kinds.index(self.kind)


@record(eq=False, slots=False)
class Dependences:
    """All dependences of a region, each kind as a relation of its own.

    Triples keep the references and the element; the relations without them are computed when they
    are first asked for.  ``order``, ``forced`` and ``tagged_lone_writes`` (writes of values that
    nothing in the region reads) are there with live-range reordering only, ``inputs`` where they
    were asked for.  The relations named in ``approximated`` are rough, since isl did not find the
    last write of each element in time: they hold more pairs than there are, and where ``order``
    holds fewer, because a write seems to be read, ``forced`` holds those instead.
    """

    scop: Scop
    flow_triples: Triples
    false_triples: Triples
    tagged_may_live_in: TaggedMap
    tagged_may_live_out: TaggedMap
    order_triples: Triples | None = None
    forced_triples: Triples | None = None
    tagged_lone_writes: TaggedMap | None = None
    input_triples: Triples | None = None
    reductions: tuple[Reduction, ...] = ()
    approximated: tuple[str, ...] = ()
    is_by_value: bool = True
    """Or do any two instances depend on each other that touch an element?"""
    relaxed: tuple[Reduction, ...] = ()
    """The reductions whose steps may run in any order, as far as these relations know."""

    @cached_property
    def flow(self) -> isl.UnionMap:
        """From the instance that may have written a value to one that reads it."""
        return untagged(self.tagged_flow)

    @cached_property
    def false(self) -> isl.UnionMap:
        """From an instance that reads or writes an element to one that overwrites it."""
        return untagged(self.tagged_false)

    @cached_property
    def anti(self) -> isl.UnionMap:
        """The part of :attr:`false` whose sources read."""
        return union_map(each.pairs for each in self.labelled(self.false_triples, Kind.ANTI))

    @cached_property
    def output(self) -> isl.UnionMap:
        """The part of :attr:`false` whose sources write."""
        return union_map(each.pairs for each in self.labelled(self.false_triples, Kind.OUTPUT))

    @cached_property
    def order(self) -> isl.UnionMap | None:
        """What keeps live ranges apart that are not local (§3.2.5)."""
        return untagged(self.tagged_order) if self.tagged_order is not None else None

    @cached_property
    def forced(self) -> isl.UnionMap | None:
        """What must be kept however live ranges are reordered (§3.2.5)."""
        return untagged(self.tagged_forced) if self.tagged_forced is not None else None

    @cached_property
    def inputs(self) -> isl.UnionMap | None:
        """Pairs of reads of one value (§4.3)."""
        return untagged(self.tagged_inputs) if self.tagged_inputs is not None else None

    @cached_property
    def tagged_flow(self) -> TaggedMap:
        """:attr:`flow` with the references."""
        return _tagged(self.flow_triples)

    @cached_property
    def tagged_false(self) -> TaggedMap:
        """:attr:`false` with the references."""
        return _tagged(self.false_triples)

    @cached_property
    def tagged_order(self) -> TaggedMap | None:
        """:attr:`order` with the references."""
        return _tagged(self.order_triples) if self.order_triples is not None else None

    @cached_property
    def tagged_forced(self) -> TaggedMap | None:
        """:attr:`forced` with the references."""
        return _tagged(self.forced_triples) if self.forced_triples is not None else None

    @cached_property
    def tagged_inputs(self) -> TaggedMap | None:
        """:attr:`inputs` with the references."""
        return _tagged(self.input_triples) if self.input_triples is not None else None

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
        edges = self.labelled(self.flow_triples, Kind.FLOW)
        edges += self.labelled(self.false_triples, Kind.ANTI, Kind.OUTPUT)
        if self.input_triples is not None:
            edges += self.labelled(self.input_triples, Kind.INPUT)
        return tuple(sorted(edges, key=Dependence.place))

    @cached_property
    def conflicts(self) -> tuple[Dependence, ...]:
        """Every pair that must not run at the same time.

        A false dependence that another one covers is left out of :attr:`false`, which is no loss
        while the other is kept; live ranges that trade places need all of them.
        """
        false = self.false_triples
        if self.order_triples is not None and self.forced_triples is not None:
            false = self.order_triples.union(self.forced_triples)
        found = self.labelled(self.flow_triples, Kind.FLOW)
        return (*found, *self.labelled(false, Kind.ANTI, Kind.OUTPUT))

    def labelled(self, triples: Triples, *kinds: Kind) -> list[Dependence]:
        """The pairs by their references and arrays, as each of the kinds that fit them.

        A reference that reads and writes (``s += 1``) is the source of both kinds of false
        dependence.  A reference to a struct is to several arrays.  Pairs for which a parameter
        would need a value that its type does not hold are no reason for a dependence.
        """
        ends = {
            (access.tag, access.array): End(statement, access)
            for statement in self.scop.statements
            for access in statement.accesses
        }
        possible = type_ranges(self.scop.parameters)
        found: list[Dependence] = []
        for each in maps_of(triples):
            source_tag, sink_tag, array = _names(each)
            source, sink = ends[source_tag, array], ends[sink_tag, array]
            plain = each.range_factor_domain().factor_domain()
            if plain.intersect_params(possible).is_empty():
                continue
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


def _tagged(triples: Triples) -> TaggedMap:
    return triples.range_factor_domain()


def at_elements(triples: Triples) -> isl.UnionMap:
    """``{ [[S[i] -> R0[]] -> A[x]] -> [[T[j] -> R1[]] -> A[x]] }``: both ends with the element.

    >>> print(at_elements(isl.UnionMap("{ S[i] -> [T[j] -> A[i]] }")))
    { [S[i] -> A[i]] -> [T[j] -> A[i]] }
    """
    element = triples.range_map().range_factor_range()
    source = triples.domain_map().range_product(element)
    return source.reverse().apply_range(triples.range_map())


def kept(
    relation: isl.UnionMap,
    keep: Callable[[Sequence[isl.UnionMap]], Sequence[isl.UnionMap]],
    *,
    depth: int = 1,
) -> isl.UnionMap:
    """The pairs ``[a -> x] -> [b -> y]`` of which ``keep`` leaves ``a -> b``.

    With a greater depth, a and b are again the first parts of what they are in.

    >>> tagged = isl.UnionMap("{ [S[i] -> R0[]] -> [T[j] -> R1[]] : j >= i }")
    >>> print(kept(tagged, lambda plain: [each.lexmin() for each in plain]))
    { [S[i] -> R0[]] -> [T[j = i] -> R1[]] }
    """
    relations = maps_of(relation)
    inner = relations
    rests: list[list[isl.Map]] = []
    for _ in range(depth):
        rests.append([each.factor_range() for each in inner])
        inner = [each.factor_domain() for each in inner]
    found: list[isl.Map] = []
    for number, left in enumerate(keep([isl.UnionMap.from_map(each) for each in inner])):
        for pairs in maps_of(left):
            whole = pairs
            for rest in reversed(rests):
                whole = whole.product(rest[number])
            found.append(whole.intersect(relations[number]))
    return union_map(found)


def _names(triples: isl.Map) -> tuple[str, str, str]:
    """The tags of source and sink, and the array."""
    space = triples.get_space()
    source, rest = space.domain().unwrap(), space.range().unwrap()
    sink, kind = rest.domain().unwrap(), isl.dim_type.out
    return source.get_tuple_name(kind), sink.get_tuple_name(kind), rest.get_tuple_name(kind)


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
