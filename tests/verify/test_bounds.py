"""The new text may rely on what the original program does not survive, and on nothing else."""

from __future__ import annotations

from loopwright.model.proofs import Proof, Unknown
from tests.verify.rewritten import verdict

LOOPS = """for (int j = 0; j < m; j++)
  for (int k = j; k < n; k += 2)
    t[k] = C[0][k + j + 2];"""
PROGRAM = f"""void f(int n, int m, double t[26], double C[n + 26][n + 26]) {{
#pragma scop
{LOOPS}
#pragma endscop
}}
"""
TEXT = """
if ((n <= 26 || m <= 0) && n >= -25) {{
  for (long c0 = 0; c0 < n && c0 < m; c0++)
    for (long c1 = c0; c1 < n; c1 += 2)
      t[c1] = C[0][{subscript}]; // S0(c0, c1)
}} else {{
{loops}
}}"""


def test_a_program_that_leaves_the_bounds_is_not_defined() -> None:
    # For n = m = 26, a row has 52 elements, and j = k = 25 reads number 52: the new text may, too.
    text = TEXT.format(subscript="c0 + c1 + 2", loops=LOOPS)
    assert isinstance(verdict(PROGRAM, text), Proof)


def test_a_program_that_stays_within_the_bounds_does_so_afterwards() -> None:
    text = TEXT.format(subscript="c0 + c1 + 3", loops=LOOPS)
    assert isinstance(verdict(PROGRAM, text), Unknown)
