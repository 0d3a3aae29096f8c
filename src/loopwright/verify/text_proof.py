"""The proof that a text does what its model says: what its paths have to show, decided by isl."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from loopwright.basics.spans import Span
from loopwright.frontend.c_tree import Stmt
from loopwright.model.scop import Scop
from loopwright.verify.failure import NotProved, parameters_text
from loopwright.verify.paths import Obligation, obligations
from loopwright.verify.solvers import IslSolver

REASONS = {
    "Inv": "control may come to a statement with other values than its model has",
    "Rank1": "the text does not run in the order of its model",
    "Rank2": "the text passes by an instance of its model",
    "Within": "the model has an instance that the text does not run",
    "Range": "an integer may not fit its type",
}


def shown_of_text(
    region: Sequence[Stmt], model: Scop, possible: isl.Set, solver: IslSolver
) -> list[Obligation]:
    """What was shown of the paths of a text, in the cases that count."""
    careful: set[Span] = set()
    while True:
        wanted = obligations(region, model, possible, careful)
        failed = [each for each in wanted if not solver.holds(each)]
        # A quotient of a number that may be negative has to be taken for what it is.
        negative = {each.span for each in failed if each.kind == "Range"} - careful
        if not negative:
            break
        careful |= negative
    if failed:
        _refuse(failed[0], solver)
    return wanted


def _refuse(failed: Obligation, solver: IslSolver) -> None:
    witness = parameters_text(solver.counterexamples(failed))
    raise NotProved(f"{REASONS[failed.kind]}: {failed.where}", witness, failed.span)
