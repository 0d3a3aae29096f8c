"""Who decides what is to be shown: isl, and any solver that reads SMT-LIB."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

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
    some,
    unknowns,
)
from loopwright.verify.paths import Obligation

SECONDS = 20
"""What z3 may spend on one obligation."""


# --- isl ------------------------------------------------------------------------------------------


class IslSolver:
    """Decides by sets: those that it has met before are kept."""

    def __init__(self) -> None:
        self._sets: dict[Formula, isl.Set] = {}

    def first_failure(self, obligations: Iterable[Obligation]) -> Obligation | None:
        """The first that does not hold."""
        return next((each for each in obligations if not self.holds(each)), None)

    def holds(self, obligation: Obligation) -> bool:
        """Is it so for all integers?"""
        if obligation.is_plain:
            return True
        given, shown = self._set(obligation.given), self._set(obligation.shown)
        return given.is_subset(shown)

    def counterexamples(self, obligation: Obligation) -> isl.Set:
        """Where it does not hold."""
        return self._set(obligation.given) - self._set(obligation.shown)

    def _set(self, formula: Formula) -> isl.Set:
        """Where a formula holds; what many of them begin with is computed once."""
        if formula not in self._sets:
            self._sets[formula] = self._computed(formula)
        return self._sets[formula]

    def _computed(self, formula: Formula) -> isl.Set:
        match formula:
            case Every((*first, last)) if first:
                found = self._set(every(first)) & self._set(last)
                return found.coalesce() if found.n_basic_set() > 1 else found
            case Some((*first, last)) if first:
                return self._set(some(first)) | self._set(last)
            case _:
                names = ", ".join(unknowns(formula))
                return isl.Set(f"[{names}] -> {{ : {isl_text(formula)} }}")


# --- SMT-LIB --------------------------------------------------------------------------------------


def smt_script(obligations: Sequence[Obligation], title: str) -> str:
    """A file that every solver for linear integer arithmetic can judge: all answers are ``unsat``.

    Each obligation is asked for a case in which it does not hold.
    """
    lines = [f"; {title}", "; every answer must be unsat", "(set-logic QF_LIA)"]
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
