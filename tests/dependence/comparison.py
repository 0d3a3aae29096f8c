"""The relations of a region against brute force, for one run of it.

Two traces are asked.  The one that the model predicts has the may-accesses, must-writes and kills
of the model, so the relations must be exactly what follows from these by the definitions.  The
executed one has what really happened: the relations have all of that, and nothing else where every
access to an array is exact.

An execution has no may-writes.  Where the model has some, its false dependences are cut less often
than those of the execution, so they are a superset as well.  Only the order dependences need care:
a write that nobody reads in this run may have readers in the model, and then it is these that keep
it apart from later writes.

The same goes for relations that the analysis calls approximated: they may have more than either
trace says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

import islpy as isl

from loopwright import Dependences, Scop, dependences
from loopwright.basics.diagnostics import InputError
from loopwright.dependence.analysis import Mode
from tests.execution.comparison import MOST, Execution, Mismatch, execution_of
from tests.execution.enumeration import points_of, with_parameters
from tests.execution.instrumenter import RegionTable
from tests.execution.log import Entry
from tests.execution.memory import Element
from tests.execution.prediction import Prediction
from tests.execution.references import Reference as LoggedReference

from .brute_force import Denial, Pair, Reference, Relations, relations_of
from .trace import Trace, executed_trace, predicted_trace

Row = tuple[int, ...]
Key = tuple[str, ...]
Groups = dict[Key, set[Row]]
"""Related instances and elements, by the names of their spaces: ``[S[i] -> R0[]] -> A[x]`` is the
row ``(i, x)`` under ``("S", "R0", "A")``."""

FEW_INSTANCES = 20
"""In a longer run only dependences by value are looked at: by memory, all pairs with all."""

TAGGED_PAIRS = {
    "value": ("flow", "false", "order", "forced", "inputs"),
    "memory": ("flow", "false", "order", "forced"),
}
PLAIN_PAIRS = ("anti", "output")
LIVE = ("live_in", "live_out")


@dataclass(slots=True)
class DependenceJudge:
    """Judges regions, and counts how often the analysis was less than exact."""

    counts: Counter[str] = field(default_factory=Counter)

    def __call__(
        self, entry: Entry, table: RegionTable, references: Mapping[int, LoggedReference]
    ) -> list[Mismatch]:
        """What is wrong with the model of a region, and if nothing is, with its dependences."""
        execution = execution_of(entry, table, references)
        return execution.mismatches or self._compared(execution)

    def _compared(self, execution: Execution) -> list[Mismatch]:
        """The differences between the model's dependences and brute force."""
        run = Run.of(execution)
        is_short = len(run.prediction.order) <= FEW_INSTANCES
        found: list[Mismatch] = []
        modes: tuple[Mode, ...] = ("value", "memory") if is_short else ("value",)
        for mode in modes:
            try:
                analysed = _analysed(run.prediction.scop, mode)
            except InputError as error:
                if any(each.code != TOO_COMPLEX for each in error.diagnostics):
                    return [Mismatch("rejected", str(error))]
                self.counts["too complex"] += 1
                continue
            self.counts["approximated" if analysed.approximated else "exact"] += 1
            comparison = _Comparison.of(run, mode, analysed)
            found += comparison.of_projections()
            found += comparison.with_prediction()
            found += comparison.with_execution()
        return found


TOO_COMPLEX = "LW701"
"""The diagnostic for a region whose dependences take too long."""


@lru_cache(maxsize=4)
def _analysed(scop: Scop, mode: Mode) -> Dependences:
    return dependences(scop, mode=mode, inputs=mode == "value")


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The traces of one run: as predicted, as executed, and as far as instances see each other."""

    prediction: Prediction
    predicted: Trace
    executed: Trace
    exposed: Trace
    denied: Denial | None
    known: dict[tuple[int, str], Relations] = field(default_factory=dict)

    @classmethod
    def of(cls, execution: Execution) -> Run:
        """The traces of a run that the model predicted well."""
        prediction = execution.prediction
        assert prediction is not None
        observed = execution.observed
        executed = executed_trace(prediction, observed)
        exposed = executed_trace(prediction, observed, exposed_only=True)
        return cls(
            prediction,
            predicted_trace(prediction, observed),
            executed,
            executed if exposed.histories == executed.histories else exposed,
            _denial(prediction) if prediction.scop.independences else None,
        )

    def seen_part(self, relation: isl.UnionMap) -> isl.UnionMap:
        """A relation to elements, as far as these were looked at."""
        for window in self.predicted.windows.values():
            relation = relation.subtract_range(isl.UnionSet.from_set(window.complement()))
        return relation

    def relations(self, trace: Trace, mode: Mode) -> Relations:
        """What brute force finds in one of the traces."""
        key = (id(trace), mode)
        if key not in self.known:
            is_cut = mode == "value"
            self.known[key] = relations_of(trace.histories, is_cut=is_cut, denied=self.denied)
        return self.known[key]


def _denial(prediction: Prediction) -> Denial:
    """The promises of independence at the values of the run."""
    scop = prediction.scop
    promised: set[tuple[str, int, int]] = set()
    place_of = {
        (scop.statements[instance.number].name, instance.iterators): place
        for place, instance in enumerate(prediction.order)
    }
    for promise in scop.independences:
        arrays = [each.name for each in scop.arrays if each.variable in promise.arrays]
        for (source, sink), rows in groups_of(promise.pairs, prediction.values).items():
            rank = len(scop.statement(source).iterators)
            for row in rows:
                ends = place_of[source, row[:rank]], place_of[sink, row[rank:]]
                shared = [each.name for each in scop.arrays if not each.is_local]
                names = arrays if promise.arrays else shared
                promised |= {(name, *ends) for name in names}
    return lambda array, source, sink: (array, source, sink) in promised


def groups_of(relation: isl.UnionMap, values: Mapping[str, int]) -> Groups:
    """All pairs of a relation for given values of the parameters."""
    maps: list[isl.Map] = []
    relation.intersect_params(with_parameters(values)).foreach_map(maps.append)
    wrapped = [each.wrap() for each in maps]
    found = {
        tuple(_names(each.get_space())): set(map(tuple, points_of(each.flatten(), values).tolist()))
        for each in wrapped
    }
    return {key: rows for key, rows in found.items() if rows}


def _names(space: isl.Space) -> Iterator[str]:
    if space.is_wrapping():
        inner = space.unwrap()
        yield from _names(inner.domain())
        yield from _names(inner.range())
    else:
        yield str(space.get_tuple_name(isl.dim_type.set))


@dataclass(frozen=True, slots=True, eq=False)
class _Comparison:
    """The dependences of one mode, enumerated for one run."""

    run: Run
    mode: Mode
    dependences: Dependences
    tagged: Mapping[str, Groups]

    @classmethod
    def of(cls, run: Run, mode: Mode, found: Dependences) -> _Comparison:
        values = run.prediction.values
        tagged = {name: groups_of(_tagged(found, name), values) for name in TAGGED_PAIRS[mode]}
        for name in LIVE:
            tagged[name] = groups_of(run.seen_part(_tagged(found, f"may_{name}")), values)
        return cls(run, mode, found, tagged)

    @property
    def scop(self) -> Scop:
        """The region."""
        return self.run.prediction.scop

    @property
    def approximated(self) -> frozenset[str]:
        """The relations that may have more than follows from the accesses."""
        vague = frozenset(each.removeprefix("may_") for each in self.dependences.approximated)
        return vague | ({"anti", "output"} if "false" in vague else set())

    def of_projections(self) -> list[Mismatch]:
        """Is every relation of instances its tagged relation without the tags?"""
        found: list[Mismatch] = []
        for name in TAGGED_PAIRS[self.mode]:
            found += self._projection(name, getattr(self.dependences, name))
        for name in LIVE:
            relation = getattr(self.dependences, f"may_{name}")
            found += self._projection(name, self.run.seen_part(relation))
        return found

    def _projection(self, name: str, relation: isl.UnionMap) -> list[Mismatch]:
        plain = groups_of(relation, self.run.prediction.values)
        expected = _renamed(self.tagged[name], _plain)
        return [
            *self._told(name, expected, plain, "tagged, but not without its tags"),
            *self._told(name, plain, expected, "without tags, but not tagged"),
        ]

    def with_prediction(self) -> list[Mismatch]:
        """Is each relation what follows from the accesses of the model?"""
        trace = self.run.predicted
        relations = self.run.relations(trace, self.mode)
        found: list[Mismatch] = []
        for name in (*TAGGED_PAIRS[self.mode], *LIVE):
            expected = self._found(trace, relations, name)
            known = self._wholly_known(name)
            needed = expected
            if name == "order":
                needed = self._needed_order(trace, expected, frozenset(self._array_of().values()))
            found += self._missing(name, needed, self.tagged[name], "by its accesses")
            found += self._extra(name, known, expected, "by its accesses")
        if not trace.windows:
            for name in PLAIN_PAIRS:
                expected = _renamed(self._found(trace, relations, name), _plain)
                model = groups_of(getattr(self.dependences, name), self.run.prediction.values)
                found += self._missing(name, expected, model, "by its accesses")
                found += self._extra(name, model, expected, "by its accesses")
        return found

    def _wholly_known(self, name: str) -> Groups:
        """The model's relation, where all elements that it speaks of were looked at."""
        windows = self.run.predicted.windows
        return {
            key: rows
            for key, rows in self.tagged[name].items()
            if name in LIVE or self._with_arrays(key)[1] not in windows
        }

    def with_execution(self) -> list[Mismatch]:
        """Does each relation have what happened, and only that where nothing else may happen?"""
        trace = self.run.executed
        everything = self.run.relations(trace, self.mode)
        exposed = self.run.relations(self.run.exposed, self.mode)
        exact = self._exact_arrays()
        found: list[Mismatch] = []
        for name in (*TAGGED_PAIRS[self.mode], *LIVE):
            model = _renamed(self.tagged[name], self._with_arrays)
            needed = self._found(trace, exposed, name)
            allowed = self._found(trace, everything, name)
            if name == "order":
                needed = self._needed_order(trace, allowed, exact)
            found += self._missing(name, needed, model, "in the run")
            decided = {key: rows for key, rows in model.items() if key[1] in exact}
            found += self._extra(name, decided, allowed, "in the run")
        return found

    def _needed_order(self, trace: Trace, everything: Groups, exact: frozenset[str]) -> Groups:
        """All order dependences of exact arrays; of others only those whose sources read.

        Where the flow is approximated, more writes than otherwise have readers.
        """
        exact = frozenset() if "order" in self.approximated else exact
        of_reads = self._with_sinks(trace, self.run.relations(trace, "memory").anti)
        return {
            key: rows for key, rows in everything.items() if self._with_arrays(key)[1] in exact
        } | {key: rows for key, rows in of_reads.items() if self._with_arrays(key)[1] not in exact}

    def _exact_arrays(self) -> frozenset[str]:
        accesses = [each for statement in self.scop.statements for each in statement.accesses]
        inexact = {each.array for each in accesses if not each.kills and not each.is_exact}
        return frozenset(each.name for each in self.scop.arrays) - inexact

    # Brute force and the model in the same terms

    def _found(self, trace: Trace, relations: Relations, name: str) -> Groups:
        """What brute force found, as if it were a relation of isl."""
        if name in LIVE:
            return self._with_elements(trace, getattr(relations, name))
        return self._with_sinks(trace, getattr(relations, name))

    def _with_sinks(self, trace: Trace, related: Iterable[Pair]) -> Groups:
        found: Groups = {}
        names = [each.name for each in self.scop.statements]
        for (place, tag), (other_place, other_tag) in related:
            source, sink = trace.order[place], trace.order[other_place]
            key = (names[source.number], tag, names[sink.number], other_tag)
            found.setdefault(key, set()).add((*source.iterators, *sink.iterators))
        return found

    def _with_elements(self, trace: Trace, related: Iterable[tuple[Reference, Element]]) -> Groups:
        found: Groups = {}
        names = [each.name for each in self.scop.statements]
        for (place, tag), (array, subscripts) in related:
            instance = trace.order[place]
            key = (names[instance.number], tag, array)
            found.setdefault(key, set()).add((*instance.iterators, *subscripts))
        return found

    def _array_of(self) -> dict[str, str]:
        """The array of each tag."""
        return {
            access.tag: access.array
            for statement in self.scop.statements
            for access in statement.accesses
        }

    def _with_arrays(self, key: Key) -> Key:
        """The name of the array for each tag: ``("S", "R0", "T", "R3")`` → ``("S", "A", …)``."""
        array_of = self._array_of()
        return tuple(array_of.get(each, each) if at % 2 else each for at, each in enumerate(key))

    # What to tell

    def _missing(self, name: str, expected: Groups, model: Groups, where: str) -> list[Mismatch]:
        return self._told(name, expected, model, f"{where}, but not in the model")

    def _extra(self, name: str, model: Groups, expected: Groups, where: str) -> list[Mismatch]:
        if name in self.approximated:
            return []
        return self._told(name, model, expected, f"in the model, but not {where}")

    def _told(self, name: str, here: Groups, there: Groups, how: str) -> list[Mismatch]:
        """The first few rows that are here and not there."""
        rows = [
            (key, row)
            for key in sorted(here)
            for row in islice(sorted(here[key] - there.get(key, set())), MOST)
        ]
        return [
            Mismatch(f"{self.mode} {name}", f"{self._text(key, row)}: {how}")
            for key, row in rows[:MOST]
        ]

    def _text(self, key: Key, row: Row) -> str:
        """``S0[i=1] R2 → S1[i=2] R5``."""
        parts: list[str] = []
        names = {each.name: each.iterators for each in self.scop.statements}
        first = 0
        for each in key:
            if each in names:
                values = row[first : first + len(names[each])]
                pairs = zip(names[each], values, strict=True)
                parts.append(f"{each}[{', '.join(f'{one}={value}' for one, value in pairs)}]")
                first += len(values)
            else:
                parts.append(each)
        rest = list(row[first:])
        values = ", ".join(f"{one}={two}" for one, two in self.run.prediction.values.items())
        return f"{' '.join(parts)}{rest or ''} at {values or 'no parameters'}"


def _tagged(found: Dependences, name: str) -> isl.UnionMap:
    relation = getattr(found, f"tagged_{name}")
    assert isinstance(relation, isl.UnionMap), f"there is no {name}"
    return relation


def _plain(key: Key) -> Key:
    """Statements and arrays without tags, which have the odd places."""
    return key[::2]


def _renamed(groups: Groups, new_key: Callable[[Key], Key]) -> Groups:
    found: Groups = {}
    for key, rows in groups.items():
        found.setdefault(new_key(key), set()).update(rows)
    return found
