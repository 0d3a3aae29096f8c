"""Inv, Rank1 and Rank2: texts run as their models say, and other models are refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import islpy as isl
import pytest

from loopwright.model.scop import Scop, Statement
from loopwright.verify.failure import NotProved
from loopwright.verify.formulas import FALSE, every, unknown, unknowns
from loopwright.verify.paths import Obligation, Path, Point, earlier, followed, obligations
from loopwright.verify.solvers import IslSolver, smt_script, z3_answers
from tests.verify.texts import Modelled, modelled

TEXTS = {
    "one loop": "for (int i = 0; i < n; i++) x[i] = 0;",
    "two statements": "for (int i = 0; i < n; i++) { x[i] = 0; x[i] += 1; }",
    "backwards": "for (int i = n - 1; i >= 0; i--) x[i] = i;",
    "a step": "for (int i = 1; i < n; i += 3) x[i] = 0;",
    "a step backwards": "for (int i = n; i > 2; i -= 2) x[i] = 0;",
    "a nest": "for (int i = 0; i < n; i++) for (int j = i; j < m; j++) A[i][j] = 0;",
    "one after the other": (
        "for (int i = 0; i < n; i++) x[i] = 0; for (int i = 0; i < n; i++) x[i] = 1;"
    ),
    "a tile": (
        "for (int t = 0; t < n; t += 32)  for (int i = t; i < min(n, t + 32); i++) x[i] = 0;"
    ),
    "a tile counted": (
        "for (long t = 0; t <= (n - 1) / 32; t++)"
        "  for (long i = 32 * t; i <= min(n - 1, 32 * t + 31); i++) x[i] = 0;"
    ),
    "bounds with both": (
        "for (int i = 0; i < n; i++)"
        "  for (int j = max(i - 3, 0); j < min(i + 3, m); j++) A[i][j] = 0;"
    ),
    "branches": (
        "for (int i = 0; i < n; i++) {"
        "  if (i % 2 == 0) x[i] = 0; else if (i > 5) x[i] = 1; else { x[i] = 2; x[i] = 3; }"
        "  x[i] += 1;"
        "}"
    ),
    "a branch around loops": (
        "if (n > m) { for (int i = 0; i < n; i++) x[i] = 0; }"
        "else for (int j = 0; j < m; j++) x[j] = 1;"
    ),
    "nothing in a branch": "for (int i = 0; i < n; i++) { if (i > 3) { } else x[i] = 0; }",
    "continue": "for (int i = 0; i < n; i++) { if (i == 3) continue; x[i] = 0; }",
    "a name for a value": (
        "for (int i = 0; i < n; i++) { const int k = i / 2; if (k > 1) x[k] = 0; }"
    ),
    "two conditions": "for (int i = 0; i < n && i < m; i++) if (i > 2 || n < 9) x[i] = 0;",
    "a negative remainder": (
        "for (int i = 0; i < n; i++) if ((i - 9) % 4 == 0 && (i - 9) / 4 >= -1) x[i] = 0;"
    ),
    "not empty": "for (int i = 0; i < n; i++) { } x[0] = 1;",
    "until equal": "if (n >= 2) for (int i = 2; i != n; i++) x[i] = 0;",
    "down until equal": "if (n >= 2) for (int i = n; 1 != i; i--) x[i] = 0;",
    "until equal by steps": "for (int i = m; i != m + 6; i += 2) x[i] = 0;",
    "awkward names": (
        "for (int mod = 0; mod < n; mod++)"
        "  for (int mod_other = 0; mod_other < m; mod_other++) A[mod][mod_other] = 0;"
    ),
    "a truth value": "for (_Bool b = 0; b < 1; b++) x[b] = 0;",
    "declared outside": "int i, j; for (i = 0; i < n; i++) for (j = 0; j < m; j++) A[i][j] = 0;",
}


@pytest.fixture(params=TEXTS, ids=lambda name: name.replace(" ", "-"))
def case(request: pytest.FixtureRequest) -> Modelled:
    """A text with its model."""
    return modelled(TEXTS[request.param])


def shown(case: Modelled) -> list[Obligation]:
    """What is to be shown, with no quotient taken for that of a natural number."""
    spans = {each.span for each in obligations(case.statements, case.model, case.possible)}
    return obligations(case.statements, case.model, case.possible, spans)


def test_a_text_does_what_its_model_says(case: Modelled) -> None:
    solver = IslSolver()
    assert [each for each in shown(case) if not solver.holds(each)] == []


def test_z3_says_the_same(case: Modelled) -> None:
    asked = shown(case)
    assert z3_answers(smt_script(asked, "a test")) == ["unsat"] * len(asked)


def test_nothing_at_all_lies_between(case: Modelled) -> None:
    """Rank2 as the paper has it, for every point, follows from those that are asked about."""
    solver = IslSolver()
    spans = {each.span for each in obligations(case.statements, case.model, case.possible)}
    steps = followed(case.statements, case.model, case.possible, spans)
    paths = [each for each in steps if isinstance(each, Path)]
    points = {id(each): each for path in paths for each in (path.start, path.end)}
    for path in paths:
        a, b = path.start, path.end
        for other in points.values():
            there = _elsewhere(other)
            known = every(
                (
                    a.domain,
                    path.condition,
                    there.domain,
                    earlier(a.time, there.time),
                    earlier(there.time, b.time),
                )
            )
            asked = Obligation("Rank2", f"{a.name}, {b.name}", known, FALSE, a.span)
            assert solver.holds(asked), f"{other.name} from {a.name} to {b.name}"


def _elsewhere(point: Point) -> Point:
    """The point with iterators of its own."""
    names = [each for each in unknowns(point.domain) if each not in ("n", "m")]
    return point.after({each: unknown(f"{each}_elsewhere") for each in names})


# --- other models ---------------------------------------------------------------------------------


def changed(model: Scop, at: int, change: Callable[[isl.Set], isl.Set]) -> Scop:
    """The model with another domain for one statement."""
    statements = list(model.statements)
    statements[at] = replace(statements[at], domain=change(statements[at].domain))
    return replace(model, statements=tuple(statements))


def failures(case: Modelled, model: Scop) -> set[str]:
    """The kinds of what does not hold for a model."""
    solver = IslSolver()
    wanted = obligations(case.statements, model, case.possible)
    asked = [each for each in wanted if not solver.holds(each)]
    answers = z3_answers(smt_script(asked, "a test"))
    assert answers == ["sat"] * len(asked)
    return {each.kind for each in asked}


def _without_last(domain: isl.Set) -> isl.Set:
    return domain - domain.lexmax()


def _moved(domain: isl.Set) -> isl.Set:
    """One more instance behind the last."""
    name = domain.get_tuple_name()
    return domain | domain.lexmax().apply(isl.Map(f"{{ {name}[i] -> {name}[i + 1] }}"))


@pytest.mark.parametrize("name", ["one loop", "backwards", "a step"])
def test_a_model_that_lacks_an_instance_is_refused(name: str) -> None:
    case = modelled(TEXTS[name])
    assert failures(case, changed(case.model, 0, _without_last)) >= {"Inv"}


@pytest.mark.parametrize(
    ("name", "longer"),
    [
        ("one loop", "for (int i = 0; i <= n && i < 9999; i++) x[i] = 0;"),
        ("a step", "for (int i = 1; i < n + 3 && i < 9999; i++) x[i] = 0;"),
    ],
)
def test_a_model_with_an_instance_too_many_is_refused(name: str, longer: str) -> None:
    case = modelled(TEXTS[name])
    schedule = modelled(longer).model.schedule
    bounded = replace(case, possible=case.possible & isl.Set("[n] -> { : n < 9000 }"))
    model = replace(changed(case.model, 0, _moved), schedule=schedule)
    assert failures(bounded, model) >= {"Within"}


def test_a_model_of_both_branches_is_refused() -> None:
    case = modelled("for (int i = 0; i < n; i++) { if (i > 3) x[i] = 0; else x[i] = 1; }")
    whole = case.model.statements[0].domain | _renamed(case.model.statements[1], "S0")
    schedule = modelled("for (int i = 0; i < n; i++) { x[i] = 0; x[i] = 1; }").model.schedule
    model = replace(changed(case.model, 0, lambda _: whole), schedule=schedule)
    assert failures(case, model) == {"Within", "Rank2"}


def test_a_model_without_times_is_refused() -> None:
    case = modelled(TEXTS["two statements"])
    schedule = case.model.schedule.intersect_domain(isl.UnionSet("{ S0[i] : i > 2; S1[i] }"))
    with pytest.raises(NotProved, match="no time for an instance"):
        obligations(case.statements, replace(case.model, schedule=schedule), case.possible)


def test_a_model_with_more_dimensions_is_refused() -> None:
    case = modelled(TEXTS["one loop"])
    deeper = changed(case.model, 0, lambda _: isl.Set("[n] -> { S0[i, j] : 0 <= i, j < n }"))
    with pytest.raises(NotProved, match="other loops around"):
        obligations(case.statements, deeper, case.possible)


@pytest.mark.parametrize(
    "text",
    [
        "for (int i = 0; i < n; i++) { double t = 2 * x[i]; x[i] = t; }",
        "for (int i = 0; i < n; i++) { int t = (int)x[i]; x[i] = t; }",
    ],
)
def test_a_model_that_lacks_a_declaration_is_refused(text: str) -> None:
    case = modelled(text)
    first = next(each for each in case.model.statements if not each.is_kill)
    others = tuple(each for each in case.model.statements if each is not first)
    with pytest.raises(NotProved):
        obligations(case.statements, replace(case.model, statements=others), case.possible)


def _renamed(statement: Statement, name: str) -> isl.Set:
    return statement.domain.set_tuple_name(name)


@pytest.mark.parametrize(
    "other",
    [
        "for (int i = 0; i < n; i++) { x[i] += 1; x[i] = 0; }",
        "for (int i = 0; i < n; i++) x[i] = 0; for (int i = 0; i < n; i++) x[i] += 1;",
        "for (int i = n - 1; i >= 0; i--) { x[i] = 0; x[i] += 1; }",
    ],
)
def test_a_model_with_another_order_is_refused(other: str) -> None:
    case = modelled(TEXTS["two statements"])
    schedule = modelled(other).model.schedule
    if other.index("= 0;", 30) > other.index("+="):  # the statements have changed their names
        text = str(schedule).replace("S0", "S9").replace("S1", "S0").replace("S9", "S1")
        schedule = isl.Schedule(text)
    with pytest.raises(NotProved, match="the model"):
        obligations(case.statements, replace(case.model, schedule=schedule), case.possible)


def test_an_integer_that_may_not_fit_is_found() -> None:
    case = modelled("for (int i = 0; i < n; i += 4) if (i < n) x[i] = 0;")
    assert failures(case, case.model) == set()
    everything = replace(case, possible=isl.Set("[n] -> { : -2147483648 <= n <= 2147483647 }"))
    assert failures(everything, case.model) >= {"Range"}


def test_a_truth_value_does_not_count_to_two() -> None:
    """Behind true comes true, so that the loop does not end, whatever a model says."""
    counted = modelled("for (short b = 0; b < 2; b++) x[b] = 0;")
    assert failures(counted, counted.model) == set()
    case = modelled("for (_Bool b = 0; b < 2; b++) x[b] = 0;")
    assert not case.model.loops
    assert failures(case, counted.model) >= {"Rank1"}


def test_a_quotient_of_a_negative_number_takes_care() -> None:
    case = modelled(TEXTS["a negative remainder"])
    assert failures(case, case.model) == {"Range"}


@pytest.mark.parametrize(
    "text",
    [
        "for (int i = 0; i < n; i++) for (int j = 0; j < x[i]; j++) A[i][j] = 0;",
        "for (int i = 0; i < n; i++) { if (x[i] < 1) continue; x[i] = 0; x[i + 1] = 1; }",
        "int k = 0; for (int i = 0; i < n; i++) { if (x[i] > 0) k++; x[k] = 0; }",
    ],
)
def test_what_data_decides_is_a_statement(text: str) -> None:
    case = modelled(text)
    solver = IslSolver()
    wanted = obligations(case.statements, case.model, case.possible)
    assert all(solver.holds(each) for each in wanted)
