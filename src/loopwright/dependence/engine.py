"""isl's dependence engine behind one question: sink, may-source, cut (PPCG §3.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.dependences import at_elements
from loopwright.model.scop import union_set
from loopwright.polyhedra.limits import OutOfOperations, limited
from loopwright.polyhedra.order import not_in_order
from loopwright.polyhedra.unions import joined, maps_of


@record(eq=False)
class Question:
    """Three access relations, from instances to elements.

    ``sink`` needs elements, ``may_source`` may define them, and nothing passes a ``cut`` of an
    element; without one everything passes.
    """

    sink: isl.UnionMap
    may_source: isl.UnionMap
    cut: isl.UnionMap | None = None

    def at(self, elements: isl.UnionSet) -> Question:
        """The question about these elements only."""
        return Question(
            self.sink.intersect_range(elements),
            self.may_source.intersect_range(elements),
            None if self.cut is None else self.cut.intersect_range(elements),
        )


@record(eq=False)
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


@record
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
    if question.cut is None:
        return _first_answer(question, schedule, patience, [_all_pairs, _by_engine])
    arrays = question.sink.range().universe()
    divided = _divided_arrays(question)
    parts = [
        _first_answer(part, schedule, patience, [exactly, _all_pairs_uncut])
        for part, exactly in (
            (question.at(arrays.subtract(divided)), _by_engine),
            (question.at(arrays.intersect(divided)), _composed),
        )
        if not part.sink.is_empty()
    ]
    return Answer(
        joined(each.triples for each in parts),
        joined(each.no_source for each in parts),
        all(each.is_exact for each in parts),
    )


def _first_answer(
    question: Question,
    schedule: isl.Schedule,
    patience: Patience,
    attempts: Sequence[Callable[[Question, isl.Schedule], Answer]],
) -> Answer:
    """What the first attempt says that does not take too long."""
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


def _divided_arrays(question: Question) -> isl.UnionSet:
    """The arrays about which a relation speaks in hidden integers, as strides and remainders do."""
    relations = (question.sink, question.may_source, question.cut)
    return union_set(
        isl.Set.universe(each.get_space().range())
        for relation in relations
        if relation is not None
        for each in maps_of(relation)
        if any(basic.dim(isl.dim_type.div) > 0 for basic in each.get_basic_maps())
    )


def _by_engine(question: Question, schedule: isl.Schedule) -> Answer:
    access = isl.UnionAccessInfo.from_sink(question.sink).set_may_source(question.may_source)
    if question.cut is not None:
        access = access.set_kill(question.cut)
    return _flow(access.set_schedule(schedule))


def _all_pairs(question: Question, schedule: isl.Schedule) -> Answer:
    """The answer where nothing is cut: mostly the schedule is less work as a map than as a tree."""
    access = isl.UnionAccessInfo.from_sink(question.sink).set_may_source(question.may_source)
    return _flow(access.set_schedule_map(schedule.get_map()))


def _flow(access: isl.UnionAccessInfo) -> Answer:
    flow = access.compute_flow()
    return Answer(flow.get_full_may_dependence(), flow.get_may_no_source())


def _all_pairs_uncut(question: Question, schedule: isl.Schedule) -> Answer:
    return replace(_all_pairs(question, schedule), is_exact=False)


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
    everything = _all_pairs(question, schedule)
    to_cut = _all_pairs(Question(question.cut, question.may_source), schedule)
    from_cut = _all_pairs(Question(question.sink, question.cut), schedule)
    passed = to_cut.triples.apply_range(at_elements(from_cut.triples))
    covered = from_cut.triples.range().unwrap()
    return Answer(everything.triples.subtract(passed), question.sink.subtract(covered))
