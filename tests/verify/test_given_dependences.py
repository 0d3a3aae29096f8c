"""Dependences that somebody has computed already are taken only if they are all there are."""

from __future__ import annotations

from loopwright import dependences
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question, read_source
from loopwright.model.proofs import Proof, Unknown
from loopwright.verify.programs import claims_about
from loopwright.verify.read_back import Claim, read_back
from tests.verify.rewritten import hint_in, rewritten

SUM = """void f(int n, double *A, double *s) {
#pragma scop
for (int i = 0; i < n; i++)
  s[0] += A[i];
#pragma endscop
}
"""
SAME = "if (n >= 1)\n  for (long i = 0; i < n; i++)\n    s[0] += A[i]; // S0(i)\n"
BACKWARDS = "if (n >= 1)\n  for (long i = n - 1; i >= 0; i--)\n    s[0] += A[i]; // S0(i)\n"


def claim(text: str) -> Claim:
    changed, options, question = rewritten(SUM, text), ReadOptions(), Question()
    (found,) = claims_about(changed.name, changed, [0], [hint_in(text)], options, question)
    return found


def test_the_region_s_own_dependences_serve() -> None:
    same = claim(SAME)
    found = dependences(same.original)
    assert isinstance(read_back(same, found), Proof)
    backwards = claim(BACKWARDS)
    assert isinstance(read_back(backwards, dependences(backwards.original)), Unknown)


def test_relaxed_dependences_do_not_prove_another_order() -> None:
    backwards = claim(BACKWARDS)
    reductions = dependences(backwards.original).reductions
    assert reductions
    relaxed = dependences(backwards.original, relaxed=reductions)
    assert relaxed.flow.is_empty()
    assert isinstance(read_back(backwards, relaxed), Unknown)


def test_dependences_of_another_region_are_not_taken() -> None:
    harmless = SUM.replace("s[0] += A[i]", "s[i] = A[i]").encode()
    (other,) = read_source("program.c", harmless, ReadOptions(), Question()).scops
    assert isinstance(read_back(claim(BACKWARDS), dependences(other)), Unknown)
