"""What stood in the scheduler's way: the dependences that constraints come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import islpy as isl

from loopwright.dependence.distances import Reaches
from loopwright.dependence.loops import carried_by
from loopwright.model.dependences import Dependence, Dependences, Kind, Triples
from loopwright.model.scheduling_trace import BandMade, Blocker, Grouped, Trace
from loopwright.model.scheduling_trace import Kind as Asked
from loopwright.model.scop import type_ranges, union_map
from loopwright.polyhedra.unions import maps_of
from loopwright.report.references import Finding, looked_up
from loopwright.report.schedule_tree import Times, function_text, times_of
from loopwright.report.table import kinds_text, listed

SET = isl.dim_type.set
FALSE = (Kind.ANTI, Kind.OUTPUT)


class Reasons:
    """Turns the constraints and the groups of a trace into dependences and statements."""

    def __init__(self, found: Dependences, trace: Trace) -> None:
        """Look up the groups once."""
        self.found = found
        groups = (each for each in trace.events if isinstance(each, Grouped))
        self.groups = {each.group: each for each in groups}
        self.places = {each.name: at for at, each in enumerate(found.scop.statements)}

    def statements(self, names: Iterable[str]) -> tuple[str, ...]:
        """Statements in place of groups, in the order of the source."""
        found = {each for name in names for each in self._inside(name)}
        return tuple(sorted(found, key=lambda name: self.places.get(name, len(self.places))))

    def _inside(self, name: str) -> tuple[str, ...]:
        return self.groups[name].statements if name in self.groups else (name,)

    def times(self, band: BandMade) -> list[Times]:
        """The members of a band as functions of the statements' iterators."""
        return [self._times(each) for each in band.functions]

    def _times(self, functions: Mapping[str, isl.Aff]) -> Times:
        found: dict[str, str] = {}
        for name, function in functions.items():
            group = self.groups.get(name)
            if group is None or group.contraction is None:
                found[name] = function_text(isl.PwAff.from_aff(function))
                continue
            of_group = isl.UnionPwAff.from_pw_aff(isl.PwAff.from_aff(function))
            contraction = isl.UnionPwMultiAff.from_union_map(group.contraction)
            found |= times_of(of_group.pullback_union_pw_multi_aff(contraction))
        return {name: found[name] for name in self.statements(found)}

    # --- dependences ------------------------------------------------------------------------------

    def of(self, blockers: Iterable[Blocker]) -> list[Finding]:
        """The dependences that constraints come from, each once."""
        found: dict[tuple[str, ...], Dependence] = {}
        for blocker in blockers:
            pairs = self._instances(blocker)
            for each in self._asked[blocker.kind]:
                both = self._common(each, pairs)
                if both is not None:
                    ends = each.source.access.tag, each.sink.access.tag
                    found.setdefault((each.kind.value, each.array, *ends), both)
        return looked_up(found.values(), self._reaches, self.found.scop)

    @cached_property
    def _reaches(self) -> Reaches:
        return Reaches(self.found.scop)

    @cached_property
    def _possible(self) -> isl.Set:
        return type_ranges(self.found.scop.parameters)

    def _instances(self, blocker: Blocker) -> isl.UnionMap:
        """The pairs between instances of statements."""
        assert blocker.pairs is not None, "a trace without explanations has no blockers"
        pairs = isl.UnionMap.from_map(blocker.pairs)
        source, sink = (self._contraction(each) for each in (blocker.source, blocker.sink))
        pairs = pairs if source is None else pairs.apply_domain(source.reverse())
        return pairs if sink is None else pairs.apply_range(sink.reverse())

    def _contraction(self, name: str) -> isl.UnionMap | None:
        return self.groups[name].contraction if name in self.groups else None

    def _common(self, dependence: Dependence, pairs: isl.UnionMap) -> Dependence | None:
        both = isl.UnionMap.from_map(dependence.pairs).intersect(pairs)
        for each in maps_of(both.intersect_params(self._possible)):
            if not each.is_empty():
                return replace(dependence, pairs=each)
        return None

    @cached_property
    def _asked(self) -> dict[Asked, list[Dependence]]:
        """What the constraints of each kind are made of (PPCG §4.3)."""
        found = self.found
        flow = found.labelled(found.flow_triples, Kind.FLOW)
        near = flow + found.labelled(found.false_triples, *FALSE)
        if found.order_triples is None or found.forced_triples is None:
            return dict.fromkeys(("validity", "proximity", "coincidence"), near)
        valid = flow + found.labelled(found.forced_triples, *FALSE)
        return {
            "validity": valid,
            "proximity": near,
            "coincidence": valid + [each for each in self.order if not self.is_scalar(each)],
            "condition": flow,
            "conditional validity": self.order,
        }

    @cached_property
    def order(self) -> list[Dependence]:
        """What keeps live ranges apart, where they may change places."""
        triples = self.found.order_triples
        return [] if triples is None else self.found.labelled(triples, *FALSE)

    @cached_property
    def of_scalars(self) -> Dependences:
        """The order of live ranges in scalars alone; mostly each iteration can have its own."""
        nothing = union_map([])
        return replace(
            self.found,
            flow_triples=nothing,
            forced_triples=nothing,
            false_triples=nothing,
            order_triples=self._order_where(is_scalar=True),
        )

    @cached_property
    def of_loops(self) -> Dependences:
        """What keeps loops from being parallel: all but the order of live ranges in scalars."""
        if self.found.order_triples is None:
            return self.found
        return replace(self.found, order_triples=self._order_where(is_scalar=False))

    def _order_where(self, *, is_scalar: bool) -> Triples:
        assert self.found.order_triples is not None, "without reordering, scalars are like arrays"
        maps = maps_of(self.found.order_triples)
        return union_map(each for each in maps if (not _element(each).dim(SET)) == is_scalar)

    def carried(self, band: isl.ScheduleNode, member: int) -> list[Finding]:
        """What keeps a loop of the new schedule from being parallel.

        The turns that iterations take with a scalar count if nothing else does.
        """
        carried = carried_by(band, self.of_loops, member)
        carried = carried or carried_by(band, self.of_scalars, member)
        return looked_up(carried, self._reaches, self.found.scop)

    def is_scalar(self, dependence: Dependence) -> bool:
        """Is it through a variable of which each iteration could have its own?"""
        return self.found.scop.array(dependence.array).rank == 0


def _element(triples: isl.Map) -> isl.Space:
    return triples.get_space().range().unwrap().range()


def reason_texts(findings: Sequence[Finding]) -> list[str]:
    """One phrase for each array and pair of statements."""
    return [_reason_text(shown) for shown in by_statements(findings)]


def by_statements(findings: Iterable[Finding]) -> list[list[Finding]]:
    """The dependences through one array between two statements together."""
    found: dict[tuple[str, str, str], list[Finding]] = {}
    for each in findings:
        ends = each.dependence.source.statement.name, each.dependence.sink.statement.name
        found.setdefault((each.array, *ends), []).append(each)
    return list(found.values())


def _reason_text(shown: Sequence[Finding]) -> str:
    source, sink = shown[0].dependence.source, shown[0].dependence.sink
    first = f"{source.statement.name} (line {source.span.line})"
    second = f"{sink.statement.name} (line {sink.span.line})"
    return f"{dependence_text(shown)} from {first} to {second}"


def dependence_text(shown: Sequence[Finding]) -> str:
    """``flow, anti and output dependences through A``."""
    kinds = kinds_text(shown, " ").split()
    noun = "dependences" if len(kinds) > 1 else "dependence"
    return f"{listed(kinds)} {noun} through {shown[0].variable}"
