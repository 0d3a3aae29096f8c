"""Questions to isl's dependence engine, and what happens where it has no answer."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from loopwright import dependences, respects
from loopwright.dependence.engine import Answer, Patience, Question, answered
from loopwright.polyhedra.limits import OutOfOperations
from tests.frontend.expectations import model_of, same


def in_order(first: str, second: str, domain: str) -> isl.Schedule:
    """One statement after the other, each by its iterator."""
    return isl.Schedule(
        f'{{ domain: "{domain}", child: {{ sequence: ['
        f' {{ filter: "{{ {first} }}", child: {{ schedule: "[{{ {first} -> [(i)] }}]" }} }},'
        f' {{ filter: "{{ {second} }}" }} ] }} }}'
    )


FINITE = in_order("S[i]", "T[]", "{ S[i] : 0 <= i < 9; T[] }")
ENDLESS = in_order("S[i]", "T[]", "{ S[i] : i >= 0; T[] }")


def question(sink: str, may_source: str, cut: str | None = None) -> Question:
    return Question(
        isl.UnionMap(sink), isl.UnionMap(may_source), isl.UnionMap(cut) if cut is not None else None
    )


def expect_isl_to_give_up(asked: Question, schedule: isl.Schedule) -> None:
    """It is a question that isl's engine has no answer to."""
    assert asked.cut is not None
    access = isl.UnionAccessInfo.from_sink(asked.sink).set_may_source(asked.may_source)
    access = access.set_kill(asked.cut).set_schedule(schedule)
    with pytest.raises(isl.Error, match="unbounded"):
        access.compute_flow()


# --- answers --------------------------------------------------------------------------------------


def test_a_cut_lets_only_the_last_source_through() -> None:
    writes = "{ S[i] -> A[0] : 0 <= i < 9 }"
    answer = answered(question("{ T[] -> A[0] }", writes, writes), FINITE)
    same(answer.triples, "{ S[8] -> [T[] -> A[0]] }")
    same(answer.triples.range_factor_domain(), "{ S[8] -> T[] }")
    same(answer.sources, "{ S[8] -> A[0] }")
    same(answer.no_source, "{ }")


def test_without_a_cut_every_source_counts_and_so_does_the_time_before() -> None:
    answer = answered(question("{ T[] -> A[0] }", "{ S[i] -> A[0] : 0 <= i < 9 }"), FINITE)
    same(answer.triples.range_factor_domain(), "{ S[i] -> T[] : 0 <= i < 9 }")
    same(answer.no_source, "{ T[] -> A[0] }")


def test_a_cut_that_is_no_source_ends_the_older_ones() -> None:
    answer = answered(
        question("{ T[] -> A[0] }", "{ S[i] -> A[0] : 0 <= i < 9 }", "{ S[5] -> A[0] }"), FINITE
    )
    same(answer.triples.range_factor_domain(), "{ S[i] -> T[] : 5 <= i < 9 }")
    same(answer.no_source, "{ }")


def test_elements_are_apart() -> None:
    writes = "{ S[i] -> A[i mod 2] : 0 <= i < 9 }"
    answer = answered(question("{ T[] -> A[x] : 0 <= x <= 2 }", writes, writes), FINITE)
    same(answer.triples, "{ S[8] -> [T[] -> A[0]]; S[7] -> [T[] -> A[1]] }")
    same(answer.no_source, "{ T[] -> A[2] }")


# --- unbounded ------------------------------------------------------------------------------------


def test_where_there_is_no_last_write_every_write_may_be_the_one() -> None:
    writes = "{ S[i] -> A[0] : i >= 0; S[i] -> B[i] : i >= 0 }"
    asked = question("{ T[] -> A[0]; T[] -> B[3] }", writes, writes)
    expect_isl_to_give_up(asked, ENDLESS)
    answer = answered(asked, ENDLESS)
    assert not answer.is_exact
    same(answer.triples, "{ S[i] -> [T[] -> A[0]] : i >= 0; S[3] -> [T[] -> B[3]] }")
    same(answer.no_source, "{ T[] -> A[0]; T[] -> B[3] }")


def test_what_comes_later_is_no_source_then_either() -> None:
    """The sinks are among the endless instances, too."""
    writes = "{ S[i] -> A[0] : i >= 0 }"
    asked = question("{ S[i] -> A[0] : i >= 0; T[] -> A[0] }", writes, writes)
    expect_isl_to_give_up(asked, ENDLESS)
    answer = answered(asked, ENDLESS)
    same(
        answer.triples.range_factor_domain(), "{ S[i] -> S[j] : 0 <= i < j; S[i] -> T[] : i >= 0 }"
    )


def test_an_endless_region_has_an_over_approximation_of_its_dependences() -> None:
    """A region without an upper bound: as if the loop before the last statement never ended."""
    scop = model_of(
        "for (int i = 0; i < n; i++) { A[i] = A[0]; A[0] = i; } B[0] = A[0];",
        "int n, double *A, double *B",
    )
    endless = replace(
        scop,
        statements=tuple(
            replace(each, domain=isl.Set(f"{{ {each.name}[i] : i >= 0 }}"))
            if each.iterators
            else each
            for each in scop.statements
        ),
        schedule=isl.Schedule(
            '{ domain: "{ S0[i] : i >= 0; S1[i] : i >= 0; S2[] }", child: { sequence: ['
            ' { filter: "{ S0[i]; S1[i] }", child: {'
            ' schedule: "[{ S0[i] -> [(i)]; S1[i] -> [(i)] }]", child: {'
            ' sequence: [ { filter: "{ S0[i] }" }, { filter: "{ S1[i] }" } ] } } },'
            ' { filter: "{ S2[] }" } ] } }'
        ),
    )
    found, exact = dependences(endless), dependences(scop)
    for name in ("flow", "order", "forced"):
        small = getattr(exact, name).intersect_params(isl.Set("[n] -> { : n = 7 }"))
        small = small.subtract(isl.UnionMap("{ S0[i] -> S2[]; S1[i] -> S2[] }"))
        assert small.is_subset(getattr(found, name)), name
    assert isl.UnionMap("{ S1[i] -> S2[] : i >= 0 }").is_subset(found.flow)
    assert respects(endless.schedule, found)


# --- limits ---------------------------------------------------------------------------------------

PIECES = "{ S[i] -> A[i mod 2] : 0 <= i < 9; S[i] -> A[i mod 3] : 0 <= i < 9 }"


def many_pieces() -> Question:
    return question("{ T[] -> A[x] : 0 <= x < 3 }", PIECES, PIECES)


def cut_short() -> Answer:
    """An answer for which too little was allowed."""
    answer = answered(many_pieces(), FINITE, Patience(exact=5))
    assert not answer.is_exact
    return answer


def test_a_question_that_takes_too_long_is_asked_without_the_cut() -> None:
    exact, vague = answered(many_pieces(), FINITE), cut_short()
    assert exact.is_exact
    same(exact.triples, "{ S[8] -> [T[] -> A[0]]; S[7] -> [T[] -> A[1]]; S[8] -> [T[] -> A[2]] }")
    same(exact.no_source, "{ }")
    assert vague.triples.is_equal(answered(replace(many_pieces(), cut=None), FINITE).triples)
    same(vague.no_source, "{ T[] -> A[x] : 0 <= x < 3 }")


def test_too_few_operations_for_any_answer() -> None:
    with pytest.raises(OutOfOperations):
        answered(many_pieces(), FINITE, Patience(5, 5))
    assert answered(many_pieces(), FINITE).is_exact, "isl works as before"
