"""Pragmas in front of a region, around it and in it: they govern what comes next.

Most wrong pairs have two loops that nothing orders.  A pragma that stands in front of the region
is right for the first of them; the new text has the other one there.
"""

from __future__ import annotations

from dataclasses import replace

from tests.soundness.corpus.dressing import (
    CHAIN,
    COLUMNS,
    COUNT,
    DOWN,
    DOWN_TOGETHER,
    FILL,
    HORNER,
    IN_PARALLEL,
    LAST,
    PLAIN,
    PRODUCT,
    PRODUCT_BY_ROWS,
    ROWS,
    SHIFTED,
    TILED,
    UPDATE,
    Setting,
    multiplication,
    program,
    right,
    swapped,
    wrong,
)
from tests.soundness.pairs import FLAGS, Pair, Program

TURNS = "omp parallel for num_threads(4) schedule(static, 1)"
"""Neighbours belong to different threads: a chain breaks in every run."""
PRIVATE = "#pragma omp parallel for private(t)"
ACC = ("-O2", "-march=native", "-fopenacc")
AGGRESSIVE = ("-O3", "-march=native", "-fopenmp")

DOWN_B = DOWN_TOGETHER.replace("A[", "C[")

LOCAL_SUM = """\
for (int i = 0; i < n; i++)
    r = 0.5 * r + c[i];"""

FRACTIONS = """\
for (int i = 0; i < n; i++)
    c[i] = c[i] * 0.1 + (0.1 * 3 == 0.3);"""

CALLS = """\
for (int i = 0; i < n; i++)
    c[i] = near(a[i]);"""
VARIANT = """\
static double far(double v) { return v + 1000.0; }
#pragma omp declare variant(far) match(construct = {parallel, for})
static double near(double v) { return v + 1.0; }"""

CANCELLED = """\
for (int i = 0; i < n; i++)
    c[i] = (c[i] + 1e17) - 1e17;"""


def led(pragma: str) -> Setting:
    """Text stands right in front of the region."""
    return Setting(opening=pragma)


def with_local(pragma: str, closing: str = "") -> Setting:
    """The function has a variable of its own, which it gives away behind the region."""
    return Setting(
        opening=f"    double r = 1.0;\n{pragma}", closing=f"{closing}\n    s = r;\n".lstrip("\n")
    )


WRONG = (
    swapped("parallel for before a chain", led(f"#pragma {TURNS}"), FILL, CHAIN),
    swapped("parallel for private", led(PRIVATE), FILL, LAST),
    swapped(
        "parallel for firstprivate", led("#pragma omp parallel for firstprivate(t)"), FILL, LAST
    ),
    swapped("parallel for reduction", led("#pragma omp parallel for reduction(+:s)"), FILL, HORNER),
    swapped("parallel before a count", led("#pragma omp parallel num_threads(4)"), FILL, COUNT),
    swapped("simd private", led("#pragma omp simd private(t)"), FILL, LAST),
    swapped("simd at a distance", led("#pragma omp simd"), FILL, SHIFTED, flags=AGGRESSIVE),
    swapped(
        "parallel for simd private", led("#pragma omp parallel for simd private(t)"), FILL, LAST
    ),
    swapped("ivdep at a distance", led("#pragma GCC ivdep"), FILL, SHIFTED, flags=AGGRESSIVE),
    swapped("collapse", led(f"#pragma {TURNS.replace('1)', '3)')} collapse(2)"), ROWS, DOWN_B),
    wrong("interchange under parallel for", led(f"#pragma {TURNS}"), DOWN, DOWN_TOGETHER),
    wrong(
        "interchange under _Pragma",
        led('_Pragma("omp parallel for num_threads(4) schedule(static, 1)")'),
        DOWN,
        DOWN_TOGETHER,
    ),
    swapped("_Pragma private", led('_Pragma("omp parallel for private(t)")'), FILL, LAST),
    swapped(
        "_Pragma of a macro",
        replace(led("    PARALLEL"), top='#define PARALLEL _Pragma("omp parallel for private(t)")'),
        FILL,
        LAST,
    ),
    swapped(
        "_Pragma from the command line",
        led("    PARALLEL"),
        FILL,
        LAST,
        define=('PARALLEL=_Pragma("omp parallel for private(t)")',),
    ),
    swapped(
        "_Pragma of a text that a macro makes",
        replace(
            led("    SAY(omp simd private(t))"),
            top="#define SAY_IT(x) _Pragma(#x)\n#define SAY(x) SAY_IT(x)",
        ),
        FILL,
        LAST,
    ),
    swapped(
        "pragma in a header",
        led('#include "front.h"'),
        FILL,
        LAST,
        files={"front.h": "#pragma omp parallel for private(t)\n"},
    ),
    swapped("pragma in digraphs", led("%: pragma omp parallel for private(t)"), FILL, LAST),
    swapped(
        "pragma in pieces",
        led("/* x */ # /* y */ pra\\\ngma omp par\\\nallel /* z */ for \\\n private(t)"),
        FILL,
        LAST,
    ),
    swapped(
        "pragma far in front",
        led(PRIVATE + "\n\n/* the loops\n   come here */\n#if 1\n#line 100\n#endif\n// now"),
        FILL,
        LAST,
    ),
    swapped("acc parallel loop", led("#pragma acc parallel loop"), FILL, HORNER, flags=ACC),
    swapped(
        "acc kernels copyin", led("#pragma acc parallel firstprivate(t)"), FILL, LAST, flags=ACC
    ),
    swapped("target", with_local("#pragma omp target"), FILL, LOCAL_SUM),
    swapped("task", with_local("#pragma omp task", "#pragma omp taskwait"), FILL, LOCAL_SUM),
    swapped("taskloop", with_local("#pragma omp taskloop"), FILL, LOCAL_SUM),
    swapped("loop", led("#pragma omp loop bind(thread) private(t)"), FILL, LAST),
    swapped("teams", led("#pragma omp teams distribute parallel for private(t)"), FILL, LAST),
    wrong("in the region", PLAIN, f"{PRIVATE}\n{FILL}\n{LAST}", f"{PRIVATE}\n{LAST}\n{FILL}"),
    wrong(
        "in the region, by _Pragma",
        PLAIN,
        f'_Pragma("omp simd private(t)")\n{FILL}\n{LAST}',
        f'_Pragma("omp simd private(t)")\n{LAST}\n{FILL}',
    ),
    wrong("new private", PLAIN, LAST, f"{PRIVATE}\n{LAST}"),
    wrong("new ivdep", PLAIN, SHIFTED, f"#pragma GCC ivdep\n{SHIFTED}", flags=AGGRESSIVE),
    wrong("new _Pragma", PLAIN, DOWN_TOGETHER, f'_Pragma("{TURNS}")\n{DOWN_TOGETHER}'),
    wrong("new simd", PLAIN, SHIFTED, f"#pragma omp simd\n{SHIFTED}", flags=AGGRESSIVE),
    wrong("new acc", PLAIN, LAST, f"#pragma acc parallel loop\n{LAST}", flags=ACC),
    wrong(
        "constants become decimal",
        PLAIN,
        FRACTIONS,
        "{\n#pragma STDC FLOAT_CONST_DECIMAL64 ON\n"
        + FRACTIONS.replace("c[i] * 0.1 +", "c[i] * (double)0.1 +")
        + "\n}",
    ),
    wrong("a call has a variant in parallel", Setting(names=VARIANT), CALLS, IN_PARALLEL + CALLS),
    wrong(
        "fast mathematics for the new program",
        PLAIN,
        CANCELLED,
        CANCELLED,
        then={"top": '#pragma GCC optimize("O2", "fast-math")'},
    ),
    wrong(
        "new packing",
        Setting(
            names="struct pair { char c; double d; };",
            tell='printf("%zu\\n", sizeof(struct pair));',
        ),
        ROWS,
        COLUMNS,
        then={"top": "#pragma pack(1)"},
    ),
    wrong(
        "no packing any more",
        Setting(
            top="#pragma pack(2)",
            names="struct pair { char c; double d; };",
            tell='printf("%zu\\n", sizeof(struct pair));',
        ),
        ROWS,
        COLUMNS,
        then={"top": ""},
    ),
    wrong(
        "another order of bytes",
        Setting(
            names="struct word { int v; };\nunion { struct word w; char c[4]; } u = {{1}};",
            tell='printf("%d\\n", u.c[0]);',
        ),
        ROWS,
        COLUMNS,
        then={"top": "#pragma scalar_storage_order big-endian"},
    ),
)

FILL_IN_FRONT = """\
    for (int k = 0; k < n; k++)
        b[k] = 3.0 * a[k];"""
DIAGNOSTIC = '#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored "-Wunused-variable"'
OTHER = """\
void other(int n)
{
    %s
    for (int i = 0; i < n; i++)
        b[i] = a[i] + 1.0;
}"""
IVDEP = """\
for (int i = 0; i < n; i++)
    #pragma GCC ivdep
    for (int j = 0; j < n; j++)
        A[i][j] = 2.0 * A[i][j] + B[j][i];"""

RIGHT = (
    right(
        "loop in front in parallel", led(f"#pragma omp parallel for\n{FILL_IN_FRONT}"), ROWS, TILED
    ),
    right(
        "loop in front with simd", led(f"#pragma omp simd\n{FILL_IN_FRONT}"), DOWN, DOWN_TOGETHER
    ),
    right("loop in front with ivdep", led(f"#pragma GCC ivdep\n{FILL_IN_FRONT}"), ROWS, COLUMNS),
    right(
        "loop in front unrolled",
        led(f"#pragma GCC unroll 4\n{FILL_IN_FRONT}"),
        ROWS,
        IN_PARALLEL + ROWS,
    ),
    right(
        "loop behind in parallel",
        Setting(closing=f"#pragma omp parallel for\n{FILL_IN_FRONT}"),
        PRODUCT,
        PRODUCT_BY_ROWS,
    ),
    right(
        "other function with simd",
        Setting(names=OTHER % '_Pragma("omp simd")', call="kernel(size);\nother(size);"),
        ROWS,
        COLUMNS,
    ),
    right(
        "other function with acc",
        Setting(names=OTHER % 'int m = n;\n_Pragma("acc parallel loop")', call="kernel(size);"),
        ROWS,
        COLUMNS,
        flags=ACC,
    ),
    right("diagnostics", Setting(top=DIAGNOSTIC), DOWN, DOWN_TOGETHER),
    right(
        "diagnostics around the region",
        Setting(opening=DIAGNOSTIC, closing="#pragma GCC diagnostic pop"),
        DOWN,
        DOWN_TOGETHER,
    ),
    right("a message", Setting(top='#pragma message "it\'s built"'), ROWS, TILED),
    right(
        "no contraction", Setting(top="#pragma STDC FP_CONTRACT OFF"), ROWS, IN_PARALLEL + COLUMNS
    ),
    right(
        "packing that stays",
        Setting(
            top="#pragma pack(push, 1)\nstruct pair { char c; double d; };\n#pragma pack(pop)",
            tell='printf("%zu\\n", sizeof(struct pair));',
        ),
        ROWS,
        COLUMNS,
    ),
    right(
        "optimize that stays", Setting(top='#pragma GCC optimize("O1")'), PRODUCT, PRODUCT_BY_ROWS
    ),
    right(
        "visibility",
        Setting(
            names="#pragma GCC visibility push(hidden)\nint hidden;\n#pragma GCC visibility pop"
        ),
        ROWS,
        COLUMNS,
    ),
    right("poison", Setting(top="#pragma GCC poison gets sprintf"), ROWS, IN_PARALLEL + TILED),
    right(
        "a header that is read once",
        Setting(top='#include "once.h"\n#include "once.h"', tell="once();"),
        ROWS,
        COLUMNS,
        files={"once.h": '#pragma once\nstatic void once(void) { puts("once"); }\n'},
    ),
    right("new ivdep where it is true", PLAIN, ROWS, IVDEP),
    right("new unrolling", PLAIN, CHAIN, f"#pragma GCC unroll 4\n{CHAIN}"),
    right(
        "new simd where it is true",
        PLAIN,
        DOWN,
        DOWN_TOGETHER.replace("    for", "    #pragma omp simd\n    for"),
    ),
    right("new _Pragma where it is true", PLAIN, ROWS, f'_Pragma("omp parallel for")\n{ROWS}'),
    right("ivdep goes", PLAIN, IVDEP, COLUMNS),
    right("unrolling goes", PLAIN, f"#pragma GCC unroll 4\n{FILL}\n{LAST}", f"{LAST}\n{FILL}"),
    right(
        "unrolling in another function",
        Setting(names=OTHER % '_Pragma("GCC unroll 2")', call="kernel(size);\nother(size);"),
        PRODUCT,
        IN_PARALLEL + PRODUCT_BY_ROWS,
    ),
)

PAIRS: tuple[Pair, ...] = WRONG + RIGHT

UPWARDS = """\
for (int j = 0; j < n; j++)
    for (int i = 1; i < n; i++)
        C[i][j] = C[i - 1][j] + A[i][j];"""
"""A good order has the sequential loop outside."""
BUSY = """\
void busy(int n, double *v)
{
    %s
    for (int i = 0; i < n; i++)
        v[i] = 2.0 * v[i];
}
"""
NAMED = multiplication(f"S: {UPDATE}")
CHANGED = "interchange(S, 2, 3)\ntile(S, 16, 16, 16)\nparallel(S, 1)\n"
UP_NAMED = UPWARDS.replace("C[i][j] =", "S: C[i][j] =")

PROGRAMS: tuple[Program, ...] = (
    program("led by parallel for", UPWARDS, opening=f"#pragma {TURNS}", rewritten=False),
    program("led by simd", UPWARDS, opening="#pragma omp simd", rewritten=False, flags=AGGRESSIVE),
    program(
        "led by ivdep", UPWARDS, opening="#pragma GCC ivdep", rewritten=False, flags=AGGRESSIVE
    ),
    program("led by unroll", UPWARDS, opening="#pragma GCC unroll 4", rewritten=False),
    program("led by collapse", opening="#pragma omp parallel for collapse(2)", rewritten=False),
    program("led by _Pragma", UPWARDS, opening=f'_Pragma("{TURNS}")', rewritten=False),
    program(
        "led by a macro",
        opening="PARALLEL",
        top=f'#define PARALLEL _Pragma("{TURNS}")',
        rewritten=False,
    ),
    program("led by acc", opening="#pragma acc parallel loop", rewritten=False, flags=ACC),
    program("led by critical", opening="#pragma omp critical", rewritten=False),
    program(
        "found under parallel for", f"#pragma {TURNS}\n{UPWARDS}", autodetect=True, rewritten=False
    ),
    program(
        "found under unroll", f"#pragma GCC unroll 2\n{NAMED}", autodetect=True, rewritten=False
    ),
    program(
        "script under parallel for",
        UP_NAMED,
        opening=f"#pragma {TURNS}",
        script="interchange(S, 1, 2)\n",
        rewritten=False,
    ),
    program(
        "script under simd", NAMED, opening="#pragma omp simd", script=CHANGED, rewritten=False
    ),
    program(
        "parallel loop elsewhere", top=BUSY % '_Pragma("omp parallel for")', tell="busy(n, C[0]);"
    ),
    program("ivdep elsewhere", top=BUSY % '_Pragma("GCC ivdep")', autodetect=True),
    program("acc elsewhere", top=BUSY % '_Pragma("acc parallel loop")', flags=ACC),
    program(
        "diagnostics", top=DIAGNOSTIC, opening=DIAGNOSTIC, closing="#pragma GCC diagnostic pop"
    ),
    program(
        "no contraction", top="#pragma STDC FP_CONTRACT OFF", flags=(*FLAGS, "-ffp-contract=off")
    ),
    program("message, script", NAMED, top='#pragma message "don\'t"', script=CHANGED),
    program(
        "loop in front in parallel",
        opening="#pragma omp parallel for\n    for (int i = 0; i < n; i++)\n        C[i][0] = 0.0;",
    ),
    program(
        "loop behind unrolled, script",
        NAMED,
        closing="#pragma GCC unroll 4\n    for (int i = 0; i < n; i++)\n        C[i][0] = 0.0;",
        script=CHANGED,
    ),
    program(
        "parallel loop behind, found",
        closing=f"{IN_PARALLEL}    for (int i = 0; i < n; i++)\n        C[i][0] -= 1.0;",
        autodetect=True,
    ),
)
