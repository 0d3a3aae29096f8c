"""All dependence relations of a region, each by one question to the engine (PPCG §3.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

import islpy as isl

from loopwright.basics.records import record
from loopwright.dependence.engine import UNLIMITED, Answer, Patience, Question, answered
from loopwright.dependence.limits import bounded, enough_operations
from loopwright.dependence.reductions import reductions_of
from loopwright.model.dependences import Dependences, Reduction
from loopwright.model.scop import Independence, Scop, union_map
from loopwright.polyhedra.unions import joined, maps_of

Mode = Literal["value", "memory"]

MOST_PIECES = 30
"""So many may the live-in reads or live-out writes of one reference have to be worked with."""


def dependences(
    scop: Scop,
    *,
    live_range_reordering: bool = True,
    mode: Mode = "value",
    inputs: bool = False,
    relaxed: Iterable[Reduction] = (),
    trust: bool = True,
    max_operations: int | None = None,
) -> Dependences:
    r"""The dependences of a region.

    In the mode ``"value"`` a certain write ends the life of the value that it overwrites; in the
    mode ``"memory"`` any two instances that touch an element depend on each other.  ``inputs`` asks
    for pairs of reads, too.  ``relaxed`` reductions may run their steps in any order: what orders
    them among themselves is left out, and what comes before or after the last step now comes
    before or after every step.  Promises of independence count if we ``trust`` them.
    ``max_operations`` is what isl may spend on one question; the default grows with the region.

    >>> from loopwright import read_c
    >>> program = '''void f(int n, double A[n]) {
    ... #pragma scop
    ...   for (int i = 1; i < n; i++)
    ...     A[i] = A[i - 1];
    ... #pragma endscop
    ... }'''
    >>> print(dependences(read_c(program)[0]).flow)
    [n] -> { S0[i] -> S0[i' = 1 + i] : 0 < i <= -2 + n }
    """
    if mode not in ("value", "memory"):
        raise ValueError(f"dependences are by value or by memory, not by {mode}")
    operations = max_operations if max_operations is not None else enough_operations(scop)
    relaxed = tuple(relaxed)
    with bounded(scop, operations, "the dependences of this region are"):
        accesses = accesses_of(scop, mode, relaxed, trust=trust)
        accesses = replace(accesses, patience=Patience(operations, 5 * operations))
        found = _relations(scop, accesses, live_range_reordering, inputs)
        is_by_value = mode == "value"
        reductions = reductions_of(scop)
        return replace(found, reductions=reductions, is_by_value=is_by_value, relaxed=relaxed)


# --- what the instances do ------------------------------------------------------------------------


@record(eq=False)
class Accesses:
    """The tagged access relations of a region, their order, and the pairs that may be ignored."""

    reads: isl.UnionMap
    writes: isl.UnionMap
    must_writes: isl.UnionMap
    kills: isl.UnionMap
    schedule: isl.Schedule
    instances: isl.UnionPwMultiAff
    denied: isl.UnionMap
    patience: Patience = UNLIMITED

    def ask(self, sink: isl.UnionMap, may_source: isl.UnionMap, cut: isl.UnionMap | None) -> Answer:
        """The engine's answer, without the pairs that may be ignored."""
        answer = self.ask_all(sink, may_source, cut)
        if self.denied.is_empty():
            return answer
        kept = answer.triples.uncurry().subtract_domain(self.denied.wrap()).curry()
        return replace(answer, triples=kept)

    def ask_all(
        self, sink: isl.UnionMap, may_source: isl.UnionMap, cut: isl.UnionMap | None
    ) -> Answer:
        """The engine's answer, whatever was promised.

        An instance does not cut its own sources, since it does not run between them and a sink.
        isl's engine may see that otherwise where the instance cuts an element by one reference and
        is the source of it by another: then we ask for the cut in place of the source.
        """
        if cut is None:
            return answered(Question(sink, may_source, cut), self.schedule, self.patience)
        cut_at_once = may_source.intersect(self._at_all_references(cut)).subtract(cut)
        if cut_at_once.is_empty():
            return answered(Question(sink, may_source, cut), self.schedule, self.patience)
        others = may_source.subtract(cut_at_once)
        in_place = cut.intersect(self._at_all_references(cut_at_once))
        question = Question(sink, others.union(in_place), cut)
        answer = answered(question, self.schedule, self.patience)
        own = answer.triples.intersect_range_factor_range(others)
        moved = self._at_all_references(answer.triples.intersect_range_factor_range(in_place))
        moved = moved.intersect_range_factor_range(cut_at_once)
        return replace(answer, triples=own.union(moved))

    def hurried(self) -> Accesses:
        """For a region that is known to be hard: exact answers are hardly tried for."""
        patience = replace(self.patience, exact=max(1, self.patience.exact // 20))
        return replace(self, patience=patience)

    def overwritten_at_once(self) -> isl.UnionMap:
        """``{ [S[i] -> R0[]] -> A[x] }`` where ``S[i]`` certainly writes ``A[x]`` itself."""
        return self._at_all_references(self.must_writes)

    def _at_all_references(self, relation: isl.UnionMap) -> isl.UnionMap:
        """What holds for a reference of an instance as if it held for each of them."""
        plain = relation.domain_factor_domain()
        return plain.preimage_domain_union_pw_multi_aff(self.instances)


def accesses_of(scop: Scop, mode: Mode, relaxed: Sequence[Reduction], *, trust: bool) -> Accesses:
    """The accesses of a region; promises of independence count if we ``trust`` them."""
    context = scop.context
    reads, writes, kills = (
        relation(tagged=True).intersect_params(context)
        for relation in (scop.may_reads, scop.may_writes, scop.must_kills)
    )
    must_writes = _must_writes_once(scop).intersect_params(context)
    if mode == "memory":
        must_writes = kills = isl.UnionMap.empty(writes.get_space())
    steps = [tagged_instances(scop, each.tags) for each in relaxed]
    for each in steps:
        must_writes = must_writes.subtract_domain(each)
    denied = [isl.UnionMap.from_domain_and_range(each, each) for each in steps]
    denied += [_denied(scop, each) for each in scop.independences] if trust else []
    instances = to_instances(scop)
    return Accesses(
        reads,
        writes,
        must_writes,
        kills,
        scop.schedule.pullback_union_pw_multi_aff(instances),
        instances,
        joined(denied),
    )


def _must_writes_once(scop: Scop) -> isl.UnionMap:
    """The certain writes, each element of an instance by one reference only.

    Both branches of a condition may write an element, so that both references certainly do; isl's
    engine wants to know of one of them.
    """
    found: list[isl.Map] = []
    for statement in scop.statements:
        written: dict[str, isl.Map] = {}
        for access in statement.accesses:
            if access.writes:
                must = access.must.intersect_domain(statement.domain)
                before = written.get(access.array)
                new = must if before is None else must.subtract(before)
                written[access.array] = must if before is None else before.union(must)
                found.append(access.tagged(new))
    return union_map(found)


def _denied(scop: Scop, promise: Independence) -> isl.UnionMap:
    """The tagged pairs that a promise of independence denies.

    A variable that the region declares is another one in each iteration, so that a promise is not
    about it; but iterations take turns with its memory, which has to stay in order.
    """
    names = {
        each.name
        for each in scop.arrays
        if (each.variable in promise.arrays if promise.arrays else not each.is_local)
    }
    tags = [
        access.tag
        for statement in scop.statements
        for access in statement.accesses
        if access.array in names
    ]
    instances = to_instances(scop)
    pairs = promise.pairs.preimage_domain_union_pw_multi_aff(instances)
    pairs = pairs.preimage_range_union_pw_multi_aff(instances)
    return pairs.intersect_domain(tagged_instances(scop, tags))


def tagged_instances(scop: Scop, tags: Iterable[str]) -> isl.UnionSet:
    """``{ [S[i] -> R0[]] }`` for these references."""
    return _references(scop, frozenset(tags)).wrap()


def to_instances(scop: Scop) -> isl.UnionPwMultiAff:
    """``{ [S[i] -> R0[]] -> S[i] }`` for all references."""
    return _references(scop, None).domain_map_union_pw_multi_aff()


def _references(scop: Scop, tags: frozenset[str] | None) -> isl.UnionMap:
    """``{ S[i] -> R0[] }``: the instances with their references."""
    return union_map(
        access.reference(statement.domain)
        for statement in scop.statements
        for access in statement.accesses
        if tags is None or access.tag in tags
    )


# --- the questions --------------------------------------------------------------------------------


def _relations(
    scop: Scop, accesses: Accesses, live_range_reordering: bool, inputs: bool
) -> Dependences:
    """The table of PPCG §3.2.1, §3.2.5 and §4.3: sink, may-source, cut.

    Two rows differ from the paper's.  A write is *lone* by element rather than by instance: of a
    reference to several elements, those that nobody reads need their order, too.  And killed
    writes are found with a cut: it changes how many killers a write has, not whether it has one.
    """
    a, reads, writes = accesses, accesses.reads, accesses.writes
    must_writes, cuts = accesses.must_writes, accesses.must_writes.union(accesses.kills)
    # fmt: off
    #                         sink       may-source            cut
    flow            = a.ask(  reads,     writes,               cuts)
    false           = a.ask(  writes,    reads.union(writes),  must_writes)
    if not (flow.is_exact and false.is_exact):
        a = a.hurried()
    killed          = a.ask_all(cuts,    writes,               cuts)
    live_in, live_out = flow.no_source, writes.subtract(killed.sources)
    found = Dependences(scop, flow.triples, false.triples, live_in, live_out)
    vague = ["flow", "may_live_in"] * (not flow.is_exact) + ["false"] * (not false.is_exact)
    if live_range_reordering:
        lone = writes.subtract(flow.sources)
        shared = _with_rivals(flow.triples)
        last, first = _brief(live_out, writes), _brief(live_in, reads)
        is_brief = last is not live_out or first is not live_in
        vague += ["order"] * (not flow.is_exact)
        vague += ["forced"] * (is_brief or not flow.is_exact)
        order       = a.ask(  writes,    reads.union(lone),    None)
        before_out  = a.ask(  last,      writes,               None)
        after_in    = a.ask(  writes,    first,                None)
        same_sink   = a.ask(  shared,    shared,               None)
        overtaking = same_sink.triples.uncurry().range_factor_range().curry()
        found = replace(
            found,
            order_triples=order.triples,
            forced_triples=before_out.triples.union(after_in.triples).union(overtaking),
            tagged_lone_writes=lone,
        )
    if inputs:
        unchanged = reads.subtract(accesses.overwritten_at_once())
        same_value  = a.ask_all(reads,   unchanged,            cuts)
        found = replace(found, input_triples=same_value.triples)
        vague += ["inputs"] * (not same_value.is_exact)
    # fmt: on
    return replace(found, approximated=tuple(vague))


def _with_rivals(triples: isl.UnionMap) -> isl.UnionMap:
    """The flow through arrays of which some read may have several sources."""
    of_arrays: dict[str, list[isl.Map]] = {}
    for each in maps_of(triples):
        array = each.get_space().range().unwrap().get_tuple_name(isl.dim_type.out)
        of_arrays.setdefault(array or "", []).append(each)
    found: list[isl.Map] = []
    for maps in of_arrays.values():
        if not union_map(maps).domain_factor_domain().is_injective():
            found += maps
    return union_map(found)


def _brief(relation: isl.UnionMap, larger: isl.UnionMap) -> isl.UnionMap:
    """The relation, or the larger one for references where it is in too many pieces."""
    parts = maps_of(relation)
    if all(each.n_basic_map() <= MOST_PIECES for each in parts):
        return relation
    spaces = [each.get_space() for each in parts]
    return union_map(
        each if each.n_basic_map() <= MOST_PIECES else larger.extract_map(space)
        for each, space in zip(parts, spaces, strict=True)
    )
