"""Sizes of types that do something when a declaration, a cast or ``sizeof`` computes them.

Only types whose size is no constant are computed; a parser may show such a computation among the
parts of a declaration, among those of another one, or not at all.
"""

from __future__ import annotations

from itertools import product

from tests.soundness.corpus.frames import PARALLEL, PLAIN, Frame, nest, right, wrong
from tests.soundness.pairs import Pair, Program

COUNTED = PLAIN.but(arrays=PLAIN.arrays + " int x[4];", ending='printf("%d\\n", x[0]);')
EFFECTS = ("x[0]++ + 1", "(x[0] += 2) + 1", "(x[0] = 3 * x[0] % 7 + 1, x[0]) + 1")
COMPUTING = {
    "a local array": "int w[SIZE]; w[0] = x[0]; return w[0];",
    "a local array of structs": "struct { int k; } w[SIZE]; w[0].k = x[0]; return w[0].k;",
    "a pointer": "int (*p)[SIZE]; return x[0];",
    "a pointer that is set": "int (*p)[SIZE] = 0; return x[0];",
    "a pointer in a header": "for (int k = 0, (*p)[SIZE]; k < 1; k++); return x[0];",
    "a typedef": "typedef int w[SIZE]; return x[0];",
    "typeof": "__typeof__(int[SIZE]) *p; return x[0];",
    "typeof of a pointer": "__typeof__(int (*)[SIZE]) p; return x[0];",
    "typeof of an expression": "__typeof__(*(int (*)[SIZE])0) *p; return x[0];",
    "a cast": "return (long)(int (*)[SIZE])0 + x[0];",
    "sizeof": "return sizeof(int[SIZE]) + x[0];",
    "sizeof of what a pointer leads to": "int (*p)[SIZE] = 0; return sizeof *p + x[0];",
}
"""Bodies of functions of one number."""
CALLING = nest("i", "c[i] = f(i);")
DOWN = nest("-i", "c[i] = f(i);")


def calling(body: str) -> Frame:
    """Define a function of one number that the region may call."""
    return COUNTED.but(functions=f"static double f(int v) {{ {body} }}")


PAIRS: tuple[Pair, ...] = (
    *(
        wrong(f"{name}, {effect}", calling(body.replace("SIZE", effect)), CALLING, DOWN)
        for (name, body), effect in product(COMPUTING.items(), EFFECTS)
    ),
    *(
        right(name, calling(f"{body} return v + 1;"), CALLING, PARALLEL + CALLING)
        for name, body in {
            "a local array of constant size": "double w[4]; w[0] = v; v = w[0];",
            "typeof of a variable": "__typeof__(v) w = v; v = w;",
            "sizeof without effects": "v += sizeof(double[3]);",
            "a pointer to rows of constant size": "double (*p)[N] = a; v += p[1][2];",
        }.items()
    ),
)
PROGRAMS: tuple[Program, ...] = ()
