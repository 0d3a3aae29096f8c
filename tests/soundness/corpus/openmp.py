"""OpenMP in the original: around a region, in it, or in a function that calls it.

What a thread of a team does is not what the program does: worksharing, barriers, critical sections
and the like belong to a team, and variables are said to be private to its threads.
"""

from __future__ import annotations

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
    TILED,
    UPDATE,
    Setting,
    multiplication,
    program,
    right,
    swapped,
    wrong,
)
from tests.soundness.pairs import Pair, Program

TEAM = "#pragma omp parallel num_threads(4)\n"
FOUR = "num_threads(4) schedule(static, 1)"
CALLED = Setting(call=f"{TEAM}kernel(size);")
"""All threads of a team call the function."""
AT_ONCE = Setting(call=f"{TEAM}{{\n#pragma omp barrier\nkernel(size);\n}}")
INSIDE = Setting(opening=f"{TEAM}{{", closing="}")
"""The region stands in a parallel region."""
SLICES = Setting(
    top="#include <omp.h>",
    opening="    int me = omp_get_thread_num();",
    call=f"{TEAM}kernel(size);",
)
"""All threads call the function, which does a part for each."""


def led(pragma: str, behind: str = "") -> Setting:
    """A directive in front of a region in a function that a team calls."""
    return Setting(opening=pragma, closing=behind, call=CALLED.call)


SLICE = """\
for (int i = 0; i < 16; i++)
    c[16 * me + i] = c[16 * me + i] + 1.0;"""
SLICE_ROWS = """\
for (int i = 0; i < 16; i++)
    for (int j = 0; j < n; j++)
        A[16 * me + i][j] = 2.0 * A[16 * me + i][j] + B[j][i];"""
SLICE_COLUMNS = """\
for (int j = 0; j < n; j++)
    for (int i = 0; i < 16; i++)
        A[16 * me + i][j] = 2.0 * A[16 * me + i][j] + B[j][i];"""

LONG = """\
for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            for (int l = 0; l < n; l++)
                s = s + 1.0;"""
"""Takes long enough for other threads to come in between."""
ATOMIC = """\
for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
        for (int k = 0; k < 8 * n; k++) {
            #pragma omp atomic
            s += 1.0;
        }"""
NOT_ATOMIC = ATOMIC.replace("            #pragma omp atomic\n", "")

PHASES = Setting(
    top=SLICES.top,
    opening=SLICES.opening + "\n    int p = 500000 * me, next = (me + 1) % 4;",
    call=SLICES.call,
)
"""Threads with more and more to do."""
WORK = """\
for (int k = 0; k < p; k++)
    c[me] = 0.5 * c[me] + 1.0;
"""
EXCHANGE = "b[me] = c[next];"
BARRIER = "#pragma omp barrier\n"

UNEQUAL = """\
#pragma omp for{clause}
for (int i = 0; i < n; i++)
    for (int k = 0; k < 8000 * i; k++)
        c[i] = 0.5 * c[i] + 1.0;
#pragma omp for
for (int i = 0; i < n; i++)
    b[i] = c[n - 1 - i];"""

COUNTED = """\
for (int i = 0; i < n; i++) {
    t = t + 1.0;
    c[i] = t;
}"""

TASK = Setting(opening="    double r = 1.0;", closing="#pragma omp taskwait\n    s = r;")
LOCAL_SUM = """\
for (int i = 0; i < n; i++)
    r = 0.5 * r + c[i];"""

SCALED = """\
for (int i = 0; i < n; i++)
    c[i] = w * a[i];"""


def own(storage: str, directive: str = "") -> Setting:
    """Each thread has its own ``w``; the first one changes its own."""
    return Setting(names=f"{storage} w = 2.0;\n{directive}", opening="    w = 3.0;")


SUM = """\
for (int i = 0; i < n; i++)
    shift = shift + x[i];"""
NUMBERED = """\
for (int i = 0; i < n; i++)
    c[i] = a[i] + number();"""
NUMBER = "static int number(void) { return omp_get_thread_num(); }"
TWICE = """\
#pragma omp parallel num_threads(4)
for (int i = 0; i < n; i++) {
    #pragma omp atomic
    c[i] += 1.0;
}"""
COUNT_UP = """\
for (int i = 0; i < n; i++)
    c[i] += 1.0;"""
SECTIONS = """\
#pragma omp parallel sections{clause}
{{
    #pragma omp section
    {{
        {first}
    }}
    #pragma omp section
    {{
        {second}
    }}
}}"""
ORDERED = """\
#pragma omp parallel for ordered num_threads(4) schedule(static, 1)
for (int i = 1; i < n; i++) {
    #pragma omp ordered
    c[i] = c[i - 1] + c[i];
}"""

WRONG = (
    wrong("private goes", PLAIN, f"#pragma omp parallel for private(t)\n{LAST}", LAST),
    wrong(
        "firstprivate goes",
        PLAIN,
        f"#pragma omp parallel for firstprivate(t) {FOUR}\n{COUNTED}",
        COUNTED,
    ),
    wrong("simd private goes", PLAIN, f"#pragma omp simd private(t)\n{LAST}", LAST),
    wrong(
        "private of a team goes",
        PLAIN,
        f"#pragma omp parallel private(t) num_threads(1)\n{LAST}",
        LAST,
    ),
    wrong(
        "reduction of an assignment goes",
        PLAIN,
        f"#pragma omp parallel for reduction(+:t) {FOUR}\n{LAST}",
        LAST,
    ),
    wrong(
        "reduction of one's own goes",
        Setting(
            names="#pragma omp declare reduction(twice : int : omp_out += 2 * omp_in) "
            "initializer(omp_priv = 0)"
        ),
        f"#pragma omp parallel for reduction(twice : shift) {FOUR}\n{SUM}",
        SUM,
    ),
    wrong(
        "lastprivate goes, private comes",
        PLAIN,
        f"#pragma omp parallel for lastprivate(t)\n{LAST}",
        f"#pragma omp parallel for private(t)\n{LAST}",
    ),
    wrong("single goes", CALLED, f"#pragma omp single\n{{\n{COUNT}\n}}", COUNT),
    wrong("master goes", CALLED, f"#pragma omp master\n{{\n{COUNT}\n}}", COUNT),
    wrong("masked goes", CALLED, f"#pragma omp masked\n{{\n{COUNT}\n}}", COUNT),
    wrong("orphaned for goes", CALLED, f"#pragma omp for\n{COUNT}", COUNT),
    wrong("orphaned for simd goes", CALLED, f"#pragma omp for simd\n{COUNT}", COUNT),
    wrong(
        "orphaned for becomes parallel for", CALLED, f"#pragma omp for\n{ROWS}", IN_PARALLEL + ROWS
    ),
    wrong("orphaned for in other loops", CALLED, f"#pragma omp for\n{ROWS}", TILED),
    wrong("for in a team goes", INSIDE, f"#pragma omp for\n{COUNT}", COUNT),
    wrong(
        "for in a team becomes parallel for", INSIDE, f"#pragma omp for\n{ROWS}", IN_PARALLEL + ROWS
    ),
    wrong(
        "for in a team moves inwards",
        INSIDE,
        f"#pragma omp for\n{COUNT}\n{FILL}",
        f"{COUNT}\n#pragma omp for\n{FILL}",
    ),
    wrong("parallel in the region goes", PLAIN, TWICE, COUNT_UP),
    swapped("led by for", led("#pragma omp for"), COUNT, FILL),
    swapped("led by single", led("#pragma omp single"), COUNT, FILL),
    swapped("led by master", led("#pragma omp master"), COUNT, FILL),
    swapped(
        "led by for in a team",
        Setting(opening=f"{TEAM}{{\n#pragma omp for", closing="}"),
        COUNT,
        FILL,
    ),
    swapped("led by critical", led("#pragma omp critical"), LONG, FILL),
    wrong("critical goes", CALLED, f"#pragma omp critical\n{{\n{LONG}\n}}", LONG),
    wrong("atomic goes", AT_ONCE, ATOMIC, NOT_ATOMIC),
    wrong("barrier goes", PHASES, WORK + BARRIER + EXCHANGE, WORK + EXCHANGE),
    wrong("barrier moves", PHASES, WORK + BARRIER + EXCHANGE, f"{WORK}{EXCHANGE}\n{BARRIER}"),
    wrong("nowait comes", CALLED, UNEQUAL.format(clause=""), UNEQUAL.format(clause=" nowait")),
    wrong("task goes", TASK, f"#pragma omp task\n{LOCAL_SUM}", LOCAL_SUM),
    wrong("taskloop goes", TASK, f"#pragma omp taskloop\n{LOCAL_SUM}", LOCAL_SUM),
    wrong("target goes", TASK, f"#pragma omp target\n{LOCAL_SUM}", LOCAL_SUM),
    wrong(
        "sections with private go",
        PLAIN,
        SECTIONS.format(clause=" private(t)", first=LAST, second=FILL),
        f"{LAST}\n{FILL}",
    ),
    wrong("single comes", SLICES, SLICE, f"#pragma omp single\n{{\n{SLICE}\n}}"),
    wrong("master comes", SLICES, SLICE, f"#pragma omp master\n{{\n{SLICE}\n}}"),
    wrong("orphaned for comes", SLICES, SLICE, f"#pragma omp for\n{SLICE}"),
    wrong("orphaned for by _Pragma comes", SLICES, SLICE, f'_Pragma("omp for")\n{SLICE}'),
    wrong(
        "threadprivate in a parallel loop",
        own("double", "#pragma omp threadprivate(w)"),
        SCALED,
        IN_PARALLEL + SCALED,
    ),
    wrong(
        "__thread in a parallel loop", own("static __thread double"), SCALED, IN_PARALLEL + SCALED
    ),
    wrong(
        "_Thread_local in a parallel loop",
        own("_Thread_local double"),
        SCALED,
        IN_PARALLEL + SCALED,
    ),
    wrong(
        "thread_local in a parallel loop",
        own("thread_local double"),
        SCALED,
        IN_PARALLEL + SCALED,
        standard="gnu++17",
    ),
    wrong(
        "threadprivate by a macro",
        own("double", '#define EACH(v) _Pragma("omp threadprivate(w)")\nEACH(w)'),
        SCALED,
        IN_PARALLEL + SCALED,
    ),
    wrong(
        "which thread",
        Setting(top="#include <omp.h>", names=NUMBER),
        NUMBERED,
        f"#pragma omp parallel for {FOUR}\n{NUMBERED}",
    ),
    wrong(
        "ordered without the order",
        PLAIN,
        ORDERED,
        f"#pragma omp parallel for ordered {FOUR}\n{CHAIN}",
    ),
)

ELSEWHERE = """\
void elsewhere(int n)
{
    #pragma omp parallel
    {
        #pragma omp for nowait
        for (int i = 0; i < n; i++)
            b[i] = a[i] + 1.0;
        #pragma omp critical
        shift++;
        #pragma omp barrier
        #pragma omp single
        shift = 5;
    }
}"""
BOTH = "kernel(size);\nelsewhere(size);"
MAX = """\
for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
        A[i][j] = A[i][j] > B[j][i] ? A[i][j] : B[j][i];"""
MAX_BY_COLUMNS = """\
for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
        A[i][j] = A[i][j] > B[j][i] ? A[i][j] : B[j][i];"""
ROW_SUMS = """\
for (int i = 0; i < n; i++) {
    c[i] = 0.0;
    for (int j = 0; j < n; j++)
        c[i] += A[i][j];
}"""
ROW_SUMS_APART = """\
for (int i = 0; i < n; i++)
    c[i] = 0.0;
#pragma omp parallel for
for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
        c[i] += A[i][j];"""

RIGHT = (
    right("a team elsewhere", Setting(names=ELSEWHERE, call=BOTH), ROWS, COLUMNS),
    right(
        "a team elsewhere, in parallel",
        Setting(names=ELSEWHERE, call=BOTH),
        MAX,
        IN_PARALLEL + MAX_BY_COLUMNS,
    ),
    right(
        "a team in front",
        Setting(opening=f"{TEAM}{{\n#pragma omp single\n    s = 5.0;\n}}"),
        ROWS,
        TILED,
    ),
    right(
        "a team behind",
        Setting(closing=f"{TEAM}{{\n#pragma omp atomic\n    s += 5.0;\n}}"),
        PRODUCT,
        PRODUCT_BY_ROWS,
    ),
    right("parallel for goes", PLAIN, IN_PARALLEL + ROWS, COLUMNS),
    right("parallel for stays", PLAIN, IN_PARALLEL + ROWS, IN_PARALLEL + COLUMNS),
    right(
        "parallel for moves inwards",
        PLAIN,
        IN_PARALLEL + DOWN,
        DOWN_TOGETHER.replace("    for", IN_PARALLEL + "    for"),
    ),
    right("parallel for comes", PLAIN, ROW_SUMS, ROW_SUMS_APART),
    right(
        "parallel for with a schedule",
        PLAIN,
        f"#pragma omp parallel for schedule(static)\n{ROWS}",
        IN_PARALLEL + ROWS,
    ),
    right("simd goes", PLAIN, f"#pragma omp simd\n{FILL}\n{HORNER}", f"{HORNER}\n{FILL}"),
    right("collapse goes", PLAIN, f"#pragma omp parallel for collapse(2)\n{ROWS}", COLUMNS),
    right("a slice for each thread", SLICES, SLICE_ROWS, SLICE_COLUMNS),
    right(
        "a slice for each thread, in an own team", SLICES, SLICE_ROWS, IN_PARALLEL + SLICE_COLUMNS
    ),
    right(
        "called for each row",
        Setting(
            signature="kernel(int me, int n)",
            call=f"{IN_PARALLEL}for (int r = 0; r < 4; r++)\n    kernel(r, size);",
        ),
        SLICE_ROWS,
        SLICE_COLUMNS,
    ),
    right(
        "called by one of a team",
        Setting(call=f"{TEAM}\n#pragma omp single\nkernel(size);"),
        ROWS,
        TILED,
    ),
    right(
        "called by a task",
        Setting(call="#pragma omp task\nkernel(size);\n#pragma omp taskwait"),
        DOWN,
        DOWN_TOGETHER,
    ),
    right(
        "called in a critical section",
        Setting(call="#pragma omp critical(name)\nkernel(size);"),
        ROWS,
        COLUMNS,
    ),
    right(
        "threadprivate elsewhere",
        Setting(
            names="static int mine;\n#pragma omp threadprivate(mine)",
            closing="    mine++;",
            tell='printf("%d\\n", mine);',
        ),
        ROWS,
        IN_PARALLEL + COLUMNS,
    ),
    right(
        "the number of threads",
        Setting(
            top="#include <omp.h>",
            opening="    omp_set_num_threads(3);",
            tell='printf("%d\\n", omp_get_max_threads());',
        ),
        ROWS,
        IN_PARALLEL + ROWS,
    ),
    right(
        "declare target elsewhere",
        Setting(names="#pragma omp declare target\nint there;\n#pragma omp end declare target"),
        ROWS,
        COLUMNS,
    ),
)

PAIRS: tuple[Pair, ...] = WRONG + RIGHT

NAMED = multiplication(f"S: {UPDATE}")
CHANGED = "interchange(S, 2, 3)\nparallel(S, 1)\n"
BY_TEAM = f"{TEAM}    kernel(n, C, A, B);"
FOR = f"#pragma omp for\n{multiplication()}"
SOME_TEAM = """\
static void some(int n)
{
    double s = 0.0;
    #pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += i;
    printf("%g\\n", s);
}
"""
UPWARDS = """\
for (int j = 0; j < n; j++)
    for (int i = 1; i < n; i++)
        C[i][j] = C[i - 1][j] + A[i][j];"""
OF_A_ROW = """\
for (int j = 0; j < n; j++) {
    #pragma omp atomic
    C[j][0] += A[j][0];
    for (int k = 0; k < n; k++)
        B[k][j] = 2.0 * B[k][j];
}"""

PROGRAMS: tuple[Program, ...] = (
    program("orphaned for", FOR, call=BY_TEAM, rewritten=False),
    program("orphaned for in front", opening="#pragma omp for", call=BY_TEAM, rewritten=False),
    program("orphaned for, found", FOR, call=BY_TEAM, rewritten=False, autodetect=True),
    program("for in a team", FOR, opening="#pragma omp parallel\n{", closing="}", rewritten=False),
    program(
        "for in a team, found",
        f"#pragma omp parallel\n{{\n{FOR}\n}}",
        rewritten=False,
        autodetect=True,
    ),
    program("for around", opening=f"{TEAM}{{\n#pragma omp for", closing="}", rewritten=False),
    program(
        "single around", opening=f"{TEAM}{{\n#pragma omp single\n{{", closing="}}", rewritten=False
    ),
    program(
        "critical around, found",
        f"#pragma omp critical\n{{\n{multiplication()}\n}}",
        rewritten=False,
        autodetect=True,
    ),
    program("atomic", OF_A_ROW, rewritten=False),
    program("parallel for in it", IN_PARALLEL + UPWARDS, rewritten=False),
    program(
        "parallel for in it, found",
        f"{IN_PARALLEL}{multiplication()}",
        rewritten=False,
        autodetect=True,
    ),
    program(
        "collapse in it",
        f"#pragma omp parallel for collapse(2)\n{multiplication()}",
        rewritten=False,
    ),
    program(
        "script in a team",
        NAMED.replace("for", "#pragma omp for\nfor", 1),
        opening="#pragma omp parallel\n{",
        closing="}",
        script=CHANGED,
        rewritten=False,
    ),
    program(
        "script under an orphaned for",
        NAMED,
        opening="#pragma omp for",
        call=BY_TEAM,
        script=CHANGED,
        rewritten=False,
    ),
    program(
        "task around",
        opening="#pragma omp task shared(n)\n{",
        closing="}\n#pragma omp taskwait",
        rewritten=False,
    ),
    program(
        "sections around",
        opening="#pragma omp parallel sections\n{\n#pragma omp section\n{",
        closing="}\n}",
        rewritten=False,
    ),
    program("called by one of a team", call=f"{TEAM}#pragma omp single\n    kernel(n, C, A, B);"),
    program("a team elsewhere", top=SOME_TEAM, tell="some(n);"),
    program("a team elsewhere, found", top=SOME_TEAM, tell="some(n);", autodetect=True),
    program("a team elsewhere, script", NAMED, top=SOME_TEAM, tell="some(n);", script=CHANGED),
    program("a team in front", opening=f"{TEAM}{{\n#pragma omp single\n    C[0][0] = 1.0;\n}}"),
    program("a team behind", closing=f"{TEAM}{{\n#pragma omp atomic\n    C[0][0] += 1.0;\n}}"),
    program(
        "called in a critical section", call="#pragma omp critical(name)\n    kernel(n, C, A, B);"
    ),
    program(
        "threadprivate elsewhere",
        top="static int mine;\n#pragma omp threadprivate(mine)",
        closing="    mine++;",
        tell='printf("%d\\n", mine);',
    ),
)
