"""Functions that start threads of their own, and are called by threads in the new program.

A team inside of a team has one thread, unless a program asks for more: what depends on the number
of threads is something else then, sums of rounded numbers among it.
"""

from __future__ import annotations

from itertools import product

from tests.soundness.corpus.frames import PARALLEL, PLAIN, Frame, nest, right, wrong
from tests.soundness.pairs import Pair, Program

STARTING = {
    "atomic": "#pragma omp parallel num_threads(4)\n{\n#pragma omp atomic\nv += 1; }",
    "critical": "#pragma omp parallel num_threads(4)\n{\n#pragma omp critical\nv *= 2; }",
    "reduction": "#pragma omp parallel num_threads(4) reduction(+ : v)\nv += 1;",
    "rounded sum": """\
#pragma omp parallel for num_threads(4) reduction(+ : v) schedule(static)
for (int q = 0; q < 40; q++) v += 0.1 / (q + 0.7);
v = (long)(v * 1e15) % 1000;""",
    "rounded product": """\
#pragma omp parallel for num_threads(4) reduction(* : v) schedule(static)
for (int q = 0; q < 40; q++) v *= 1.1 / (0.9 + 0.01 * q);
v = (long)(v * 1e15) % 1000;""",
    "a loop in a team": """\
#pragma omp parallel num_threads(4) reduction(+ : v)
{ v += 1;
#pragma omp for
for (int q = 0; q < 9; q++) v += q; }""",
    "a counter of each thread": """\
int k = 0;
#pragma omp parallel for num_threads(4) firstprivate(k) lastprivate(k)
for (int q = 0; q < 40; q++) k++;
v += k;""",
    "sections": """\
int k = 0;
#pragma omp parallel num_threads(4) firstprivate(k) reduction(+ : v)
{
#pragma omp sections
{ k = 1;
#pragma omp section
k = 2; }
v += 1; }""",
    "one for all": """\
#pragma omp parallel num_threads(4) reduction(+ : v)
{
#pragma omp single
v += 1;
v += 2; }""",
}
CALLING = nest("i", "c[i] = f(d[i]);")
TILED = nest("t=0:N/8", "for (int i = 8 * t; i < 8 * t + 8; i++) c[i] = f(d[i]);")
NEW = {
    "a parallel loop": PARALLEL + CALLING,
    "with another schedule": PARALLEL.replace("for", "for schedule(dynamic)") + CALLING,
    "tiles": PARALLEL + TILED,
}


def calling(body: str) -> Frame:
    """Define a function of one number that the region may call."""
    return PLAIN.but(functions=f"static double f(double v)\n{{\n{body}\nreturn v;\n}}")


PAIRS: tuple[Pair, ...] = (
    *(
        wrong(f"{name}, {how}", calling(body), CALLING, new)
        for (name, body), (how, new) in product(STARTING.items(), NEW.items())
    ),
    *(
        right(name, calling(body), CALLING, PARALLEL + CALLING)
        for name, body in {
            "lanes": "#pragma omp simd\nfor (int q = 0; q < 4; q++) v += q;",
            "a number of its own": "#pragma omp atomic\nv += 1;",
        }.items()
    ),
)
PROGRAMS: tuple[Program, ...] = ()
