"""Each operation of the library is the composition that the guide says, and a correct program."""

from __future__ import annotations

import pytest

from loopwright.script.library import LIBRARY

from .regions import code_after, positions_after, region, run_on

NEST = "for (int i = 0; i < N; i++)\n  for (int j = 0; j < N; j++)\n    L: A[i][j] = B[j][i];\n"
TWO = f"{NEST}\nfor (int i = 0; i < N; i++)\n  for (int j = 0; j < N; j++)\n    M: B[i][j] = 1;\n"
COMPOSITIONS = {
    "interchange(L, 1, 2)": "affine(L, {[i1,i2] -> [i2,i1]})",
    "reverse(L, 2)": "affine(L, {[i1,i2] -> [i1,-i2]})",
    "skew(L, 2, 1)": "affine(L, {[i1,i2] -> [i1,i2+1*i1]})",
    "skew(L, 1, 2, 3)": "affine(L, {[i1,i2] -> [i1+3*i2,i2]})",
    "shift(L, 1, -4)": "affine(L, {[i1] -> [i1+-4]})",
    "tile(L, 8, 16)": "affine(L, {[i1,i2] -> [i1/8,i2/16,i1%8,i2%16]})",
    "tile(L, 1, 16)": "affine(L, {[i1,i2] -> [i1,i2/16,i2%16]})",
    "stripmine(L, 1, 4)": "affine(L, {[i1] -> [i1/4,i1%4]})",
    "fuse(L, M)": "realign(L, M, 2)",
    "fuse(L, M, 1)": "realign(L, M, 1)",
    "distribute(L, M)": "realign(L, M, 0)",
    "(P, Q) = split(L, 2, 8)": "(first, rest) = isplit(L, {[i1,i2] : i2<8}, 1)",
    "unroll(L, 2, 4)": "affine(L, {[i1,i2] -> [i1,i2/4,i2%4]})",
    "unroll_and_jam(L, 1, 2)": "affine(L, {[i1,i2] -> [i1/2,i2,i1%2]})",
    "unroll(L, 2)": "",
    "parallel(L, 1)": "",
    "vectorize(L, 2)": "",
}


def test_all_of_it_is_here() -> None:
    used = {each.split("= ")[-1].partition("(")[0] for each in COMPOSITIONS}
    assert used == set(LIBRARY)


@pytest.mark.parametrize("script", COMPOSITIONS)
def test_an_operation_is_a_composition_of_the_four(script: str) -> None:
    scop = region(TWO)
    (done,) = run_on(scop, script).steps
    assert done.text == COMPOSITIONS[script]
    assert code_after(scop, script) == code_after(scop, done.text)


def test_what_is_split_can_be_named() -> None:
    script = "(P, Q) = split(L, 2, 8)\nreverse(Q, 2)"
    assert positions_after(region(NEST), script) == {"L": [(0, 0, 0), (0, 1, 0)]}
    assert "L(c0, -c1)" in code_after(region(NEST), script)


def test_loops_are_fused_as_deep_as_both_are() -> None:
    flat = f"{NEST}\nfor (int i = 0; i < N; i++)\n  M: B[i][0] = 1;\n"
    (done,) = run_on(region(flat), "fuse(L, M)").steps
    assert done.text == "realign(L, M, 1)"
