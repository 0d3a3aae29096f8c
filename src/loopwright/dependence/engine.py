"""isl's dependence engine behind one question: sink, may-source, cut (PPCG §3.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import islpy as isl

from loopwright.model.dependences import at_elements
from loopwright.polyhedra.limits import OutOfOperations, limited
from loopwright.polyhedra.order import not_in_order
from loopwright.polyhedra.unions import maps_of


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """Three access relations, from instances to elements.

    ``sink`` needs elements, ``may_source`` may define them, and nothing passes a ``cut`` of an
    element; without one everything passes.
    """

    sink: isl.UnionMap
    may_source: isl.UnionMap
    cut: isl.UnionMap | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What may flow, and what may come from elsewhere.

    ``triples`` relates a source to pairs of a sink and an element, ``{ i -> [k -> a] }``, where i
    runs before k and no cut of a runs between them.  ``no_source`` holds the sinks without a cut
    before them.  An answer that is not exact holds more.
    """

    triples: isl.UnionMap
    no_source: isl.UnionMap
    is_exact: bool = True

    @property
    def sources(self) -> isl.UnionMap:
        """Sources and elements, whatever the sink."""
        return self.triples.range_factor_range()


@dataclass(frozen=True, slots=True)
class Patience:
    """How many operations isl may spend on an exact answer, and on a rough one; 0 is any number."""

    exact: int = 0
    rough: int = 0


UNLIMITED = Patience()


def answered(question: Question, schedule: isl.Schedule, patience: Patience = UNLIMITED) -> Answer:
    """The answer for instances in this order.

    Where isl finds no last cut, because there is no last instance or because the search takes too
    long, nothing is cut at all.
    """
    attempts = [_by_engine]
    if question.cut is not None:
        attempts = [_composed if _has_divisions(question) else _by_engine, _by_engine_uncut]
    for attempt in attempts:
        try:
            with limited(patience.exact):
                return attempt(question, schedule)
        except OutOfOperations:
            pass
        except isl.Error as error:
            if "unbounded" not in str(error):
                raise
    with limited(patience.rough):
        return _uncut(question, schedule)


def _has_divisions(question: Question) -> bool:
    """Does a relation speak of hidden integers, as remainders and strides do?"""
    relations = (question.sink, question.may_source, question.cut)
    return any(
        basic.dim(isl.dim_type.div) > 0
        for relation in relations
        if relation is not None
        for each in maps_of(relation)
        for basic in each.get_basic_maps()
    )


def _by_engine(question: Question, schedule: isl.Schedule) -> Answer:
    access = isl.UnionAccessInfo.from_sink(question.sink).set_may_source(question.may_source)
    if question.cut is not None:
        access = access.set_kill(question.cut)
    flow = access.set_schedule(schedule).compute_flow()
    return Answer(flow.get_full_may_dependence(), flow.get_may_no_source())


def _by_engine_uncut(question: Question, schedule: isl.Schedule) -> Answer:
    return replace(_by_engine(replace(question, cut=None), schedule), is_exact=False)


def _uncut(question: Question, schedule: isl.Schedule) -> Answer:
    """Every source before every sink of the same element."""
    elements = question.sink.range()
    needed = question.sink.reverse().range_product(elements.identity())
    triples = question.may_source.apply_range(needed)
    (late,) = not_in_order(schedule, [triples.range_factor_domain()])
    triples = triples.uncurry().subtract_domain(late.wrap()).curry()
    return Answer(triples, question.sink, is_exact=question.cut is None)


def _composed(question: Question, schedule: isl.Schedule) -> Answer:
    """The same by set operations alone: all pairs but those with a cut between them.

    Among instances with strides, isl's engine (0.28) may take an early cut for the last one;
    tests/dependence/test_regressions.py has such a program.
    """
    assert question.cut is not None
    everything = _by_engine(Question(question.sink, question.may_source), schedule)
    to_cut = _by_engine(Question(question.cut, question.may_source), schedule)
    from_cut = _by_engine(Question(question.sink, question.cut), schedule)
    passed = to_cut.triples.apply_range(at_elements(from_cut.triples))
    covered = from_cut.triples.range().unwrap()
    return Answer(everything.triples.subtract(passed), question.sink.subtract(covered))
