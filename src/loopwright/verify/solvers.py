"""Who decides what is to be shown: isl, and any solver that reads SMT-LIB."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce

import islpy as isl

from loopwright.verify.formulas import (
    Every,
    Formula,
    Some,
    every,
    isl_text,
    negated,
    smt_formula,
    smt_name,
    unknowns,
)
from loopwright.verify.paths import Obligation

SECONDS = 20
"""What z3 may spend on one obligation."""


# --- isl ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Known:
    """A conjunction that was met before, and those that begin with it."""

    points: isl.Set
    longer: dict[Formula, _Known] = field(default_factory=dict[Formula, "_Known"])


class IslSolver:
    """Decides by sets; what many formulas begin with is computed once."""

    def __init__(self) -> None:
        self._conjunctions = _Known(isl.Set("{ : }"))
        self._parts: dict[Formula, isl.Set] = {}

    def holds(self, obligation: Obligation) -> bool:
        """Is it so for all integers?"""
        if obligation.is_plain:
            return True
        return self._set(obligation.given).is_subset(self._set(obligation.shown))

    def counterexamples(self, obligation: Obligation) -> isl.Set:
        """Where it does not hold."""
        return self._set(obligation.given) - self._set(obligation.shown)

    def _set(self, formula: Formula) -> isl.Set:
        """Where a formula holds."""
        if not isinstance(formula, Every):
            return self._part(formula)
        known = self._conjunctions
        for each in formula.of:
            if each not in known.longer:
                points = known.points & self._part(each)
                points = points.coalesce() if points.n_basic_set() > 1 else points
                known.longer[each] = _Known(points)
            known = known.longer[each]
        return known.points

    def _part(self, formula: Formula) -> isl.Set:
        if formula not in self._parts:
            self._parts[formula] = self._computed(formula)
        return self._parts[formula]

    def _computed(self, formula: Formula) -> isl.Set:
        if isinstance(formula, Some) and formula.of:
            return reduce(isl.Set.union, map(self._set, formula.of))
        names = ", ".join(unknowns(formula))
        return isl.Set(f"[{names}] -> {{ : {isl_text(formula)} }}")


# --- SMT-LIB --------------------------------------------------------------------------------------


def hard_ones(obligations: Iterable[Obligation]) -> list[Obligation]:
    """Those that take a solver, each once."""
    found: dict[tuple[Formula, Formula], Obligation] = {}
    for each in obligations:
        if not each.is_plain:
            found.setdefault((each.given, each.shown), each)
    return list(found.values())


def smt_script(obligations: Sequence[Obligation], title: str) -> str:
    """A file that every solver for linear integer arithmetic can judge: all answers are ``unsat``.

    Each obligation is asked for a case in which it does not hold.
    """
    lines = [f"; {_one_line(title)}", "; every answer must be unsat", "(set-logic QF_LIA)"]
    for number, each in enumerate(obligations):
        lines += _asked(each, number)
    return "\n".join([*lines, ""])


def _asked(obligation: Obligation, number: int) -> Iterator[str]:
    broken = every((obligation.given, negated(obligation.shown)))
    yield f"; {number}: {obligation.kind}, {_one_line(obligation.where)}"
    yield "(push 1)"
    yield from (f"(declare-const {smt_name(name)} Int)" for name in unknowns(broken))
    yield f"(assert {smt_formula(broken)})"
    yield "(check-sat)"
    yield "(pop 1)"


def _one_line(text: str) -> str:
    return " ".join(text.split())


class NoZ3(Exception):
    """z3 is not installed."""


def z3_answers(script: str) -> list[str]:
    """What z3 says to each question of a file: ``unsat``, ``sat`` or ``unknown``."""
    try:
        import z3
    except ImportError:
        raise NoZ3 from None
    timeout = f"(set-option :timeout {1000 * SECONDS})\n"
    context = z3.Context()  # it has to live as long as it is used
    try:
        return z3.Z3_eval_smtlib2_string(context.ref(), timeout + script).split()
    except z3.Z3Exception:
        return []  # what it cannot read it does not confirm


def unconfirmed(obligations: Iterable[Obligation], title: str) -> tuple[Obligation, str] | None:
    """The first obligation that z3 does not confirm, and what it says: perhaps nothing at all."""
    asked = hard_ones(obligations)
    answers = z3_answers(smt_script(asked, title))
    missing = ["nothing"] * (len(asked) - len(answers))
    for each, answer in zip(asked, [*answers, *missing], strict=False):
        if answer != "unsat":
            return each, answer
    return None
