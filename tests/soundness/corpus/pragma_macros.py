"""Macros that reach into pragmas: gcc expands what stands behind ``#pragma omp parallel``.

The words of clauses are ordinary words for the preprocessor, and so are those of a text that
``_Pragma`` gets from a macro.  The first word behind ``omp`` is not expanded.
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
    SHIFTED,
    TILED,
    UPDATE,
    Setting,
    multiplication,
    program,
    renamed,
    right,
    wrong,
)
from tests.soundness.pairs import Pair, Program

TURNS = "num_threads(4) schedule(static, 1)"
LASTLY = f"#pragma omp parallel for lastprivate(t)\n{LAST}"
"""Right, as it stands."""
PRIVATE = "#pragma omp parallel for private(t)"
AGGRESSIVE = ("-O3", "-march=native", "-fopenmp")
ADDED = """\
for (int i = 0; i < n; i++)
    shift += x[i];"""
SCALED = """\
for (int i = 0; i < n; i++)
    c[i] = t * a[i];"""
GIVEN = "    t = 3.0;"
OWN = """\
for (int i = 0; i < n; i++) {
    double u = c[i];
    c[i] = u + u * u;
}"""
"""What ``LAST`` does, without a last value."""
ONCE_EACH = """\
#pragma omp parallel for {0}
for (int i = 0; i < n; i++) {{
    #pragma omp atomic
    c[i] += 1.0;
}}"""
UNEQUAL = """\
#pragma omp parallel num_threads(4)
{{
    #pragma omp for {0} schedule(static)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8000 * i; k++)
            c[i] = 0.5 * c[i] + 1.0;
    #pragma omp for schedule(static)
    for (int i = 0; i < n; i++)
        b[i] = c[n - 1 - i];
}}"""
SAYING = "#define SAY_IT(x) _Pragma(#x)\n#define SAY(x) SAY_IT(x)\n"
THREADS_BEHIND = Setting(
    names="#define WIDTH 4",
    closing="    #pragma omp parallel num_threads(WIDTH)\n    #pragma omp atomic\n    s += 1.0;",
)
OTHER = """\
void other(int n, double *v)
{
    %s
    for (int i = 0; i < n; i++)
        v[i] = 2.0 * v[i];
}"""
ALIASED = Setting(
    names="#define OTHER h\n#pragma redefine_extname OTHER c\nextern double h[N];",
)
MOVE = """\
for (int i = 0; i < n - 1; i++)
    h[i] = 2.0 * c[i + 1];"""
MOVED_BACK = """\
for (int i = n - 2; i >= 0; i--)
    h[i] = 2.0 * c[i + 1];"""
PUSHED = Setting(
    names='#define STEP 1.0\n#pragma push_macro("STEP")\n#undef STEP\n#define STEP 2.0',
    closing="    s = STEP;",
)


def top(text: str) -> Setting:
    """Macros stand at the top of the file."""
    return Setting(top=text)


def hidden(name: str, macro: str, clause: str) -> Pair:
    """The new loop is parallel, and a macro among its clauses makes the result private."""
    new = f"#pragma omp parallel for {clause}\n{ROWS}"
    return wrong(name, Setting(names=f"#define {macro}"), ROWS, new)


CLAUSES: tuple[Pair, ...] = (
    wrong("lastprivate is private", top("#define lastprivate private"), LAST, LASTLY),
    wrong(
        "lastprivate is firstprivate, by a macro with an argument",
        top("#define lastprivate(x) firstprivate(x)"),
        LAST,
        LASTLY,
    ),
    wrong(
        "lastprivate is private, by the command line",
        PLAIN,
        LAST,
        LASTLY,
        define=("lastprivate=private",),
    ),
    wrong(
        "lastprivate is private, by a header",
        top('#include "words.h"'),
        LAST,
        LASTLY,
        files={"words.h": "#define lastprivate private\n"},
    ),
    wrong(
        "lastprivate is private, defined in the function",
        Setting(opening="#define lastprivate private"),
        LAST,
        LASTLY,
    ),
    wrong(
        "lastprivate is private, defined in the new text",
        PLAIN,
        LAST,
        f"#define lastprivate private\n{LASTLY}\n#undef lastprivate",
    ),
    wrong(
        "lastprivate is private, by way of two macros",
        top("#define lastprivate word\n#define word private"),
        LAST,
        LASTLY,
    ),
    wrong(
        "lastprivate is private, by joined words",
        top("#define JOIN(x, y) x##y\n#define lastprivate JOIN(pri, vate)"),
        LAST,
        LASTLY,
    ),
    wrong(
        "lastprivate is private, by _Pragma",
        top("#define lastprivate private"),
        LAST,
        f'_Pragma("omp parallel for lastprivate(t)")\n{LAST}',
    ),
    wrong(
        "the lastprivate variable is another",
        Setting(names="#define KEPT s"),
        LAST,
        f"#pragma omp parallel for lastprivate(KEPT) private(t)\n{LAST}",
    ),
    wrong(
        "private was lastprivate",
        top("#define private lastprivate"),
        f"{PRIVATE}\n{LAST}",
        OWN,
    ),
    wrong(
        "private was in a macro",
        top("#define MINE private(t)"),
        f"{IN_PARALLEL[:-1]} MINE\n{LAST}",
        LAST,
    ),
    wrong(
        "private was in a macro of the command line",
        PLAIN,
        f"{IN_PARALLEL[:-1]} MINE\n{LAST}",
        LAST,
        define=("MINE=private(t)",),
    ),
    wrong(
        "shared is private",
        Setting(top="#define shared private", opening=GIVEN),
        SCALED,
        f"#pragma omp parallel for shared(t)\n{SCALED}",
    ),
    wrong(
        "firstprivate is private",
        Setting(top="#define firstprivate private", opening=GIVEN),
        SCALED,
        f"#pragma omp parallel for firstprivate(t)\n{SCALED}",
    ),
    wrong(
        "firstprivate hides a side effect",
        Setting(top="#define firstprivate(x) firstprivate(x) if(t = 4.0)", opening=GIVEN),
        SCALED,
        f"#pragma omp parallel for firstprivate(t)\n{SCALED}",
    ),
    wrong(
        "reduction is firstprivate",
        top("#define reduction(x) firstprivate(shift)"),
        ADDED,
        f"#pragma omp parallel for reduction(+:shift)\n{ADDED}",
    ),
    wrong(
        "reduction of a sum is one of a product",
        top("#define reduction(x) reduction(*:shift)"),
        ADDED,
        f"#pragma omp parallel for {TURNS} reduction(+:shift)\n{ADDED}",
    ),
    hidden("schedule hides private", "schedule(x) private(A)", "schedule(static)"),
    hidden(
        "num_threads hides private", "num_threads(x) num_threads(x) private(A)", "num_threads(4)"
    ),
    hidden("collapse hides firstprivate", "collapse(x) firstprivate(A)", "collapse(2)"),
    hidden("simd hides private", "simd private(A)", "simd"),
    hidden("default hides private", "default(x) private(A)", "default(shared)"),
    hidden("proc_bind hides private", "proc_bind(x) private(A)", "proc_bind(close)"),
    hidden("close hides a parenthesis", "close close) private(A", "proc_bind(close)"),
    hidden("private hides more", "private(x) private(x, A)", "private(s)"),
    hidden("a variable hides another", "s s, A", "private(s)"),
    wrong(
        "simdlen hides private",
        top("#define simdlen(x) private(B)"),
        COUNT.replace("1.0", "B[i][i]"),
        "#pragma omp simd simdlen(4)\n" + COUNT.replace("1.0", "B[i][i]"),
    ),
    wrong(
        "private of a local is firstprivate of more",
        Setting(top="#define private(x) private(x) firstprivate(c)", opening="    double r;"),
        renamed(LAST, t="r"),
        "#pragma omp parallel for private(r)\n" + renamed(LAST, t="r"),
    ),
    hidden("static hides a parenthesis", "static static) private(A", "schedule(static)"),
    hidden("a number hides a side effect", "MANY (A[1][1] = 77.0) > 0", "if(MANY)"),
    hidden("if hides a side effect", "if(x) if(B[2][2] = 77.0)", "if(n > 3)"),
    wrong(
        "the number of threads changes something",
        Setting(names="#define THREADS (shift = 4)"),
        ROWS,
        f"#pragma omp parallel for num_threads(THREADS)\n{ROWS}",
    ),
    wrong(
        "collapse of one is collapse of two",
        top("#define collapse(x) collapse(2)"),
        DOWN,
        "#pragma omp parallel for num_threads(4) schedule(static, 3) collapse(1)\n" + DOWN,
    ),
    wrong(
        "safelen goes",
        top("#define safelen(x)"),
        SHIFTED,
        f"#pragma omp simd safelen(1)\n{SHIFTED}",
        flags=AGGRESSIVE,
    ),
    wrong(
        "safelen becomes longer",
        top("#define CLOSE 64"),
        SHIFTED,
        f"#pragma omp simd safelen(CLOSE)\n{SHIFTED}",
        flags=AGGRESSIVE,
    ),
    wrong(
        "simd is nowait",
        top("#define simd nowait"),
        UNEQUAL.format(""),
        UNEQUAL.format("simd"),
    ),
    wrong(
        "nothing is nowait",
        top("#define NOTHING nowait"),
        UNEQUAL.format(""),
        UNEQUAL.format("NOTHING"),
    ),
    wrong(
        "a loop for the team is one for each thread",
        Setting(top="#define LOOP"),
        ONCE_EACH.format(""),
        ONCE_EACH.format("num_threads(4)").replace("parallel for", "parallel LOOP"),
    ),
    wrong(
        "a loop for each thread becomes one for the team",
        top("#define PLAIN_LOOP"),
        ONCE_EACH.format("num_threads(4)").replace("parallel for", "parallel PLAIN_LOOP"),
        COUNT,
    ),
    wrong(
        "threadprivate by a macro's name",
        Setting(
            names="double w = 2.0;\n#define BESIDE w\n#pragma omp threadprivate(BESIDE)",
            opening="    w = 3.0;",
        ),
        SCALED.replace("t *", "w *"),
        IN_PARALLEL + SCALED.replace("t *", "w *"),
    ),
    wrong("redefine_extname by a macro's name", ALIASED, MOVE, MOVED_BACK),
)

TEXTS: tuple[Pair, ...] = (
    wrong(
        "unknown words become omp",
        top(f"{SAYING}#define note omp\n#define hint parallel for private(t)"),
        LAST,
        f"SAY(note hint)\n{LAST}",
    ),
    wrong(
        "omp simd becomes ivdep",
        top(f"{SAYING}#define omp GCC\n#define simd ivdep\n#define safelen(x)"),
        SHIFTED,
        f"SAY(omp simd safelen(1))\n{SHIFTED}",
        flags=AGGRESSIVE,
    ),
    wrong(
        "a text with an argument",
        top(f"{SAYING}#define LOOP(kind) SAY(omp parallel for kind(t))"),
        LAST,
        f"LOOP(private)\n{LAST}",
    ),
    wrong(
        "a text from the command line",
        PLAIN,
        LAST,
        f"LOOP\n{LAST}",
        define=('LOOP=_Pragma("omp parallel for private(t)")',),
    ),
    wrong(
        "a text that is made in place",
        top("#define TEXT(x) #x"),
        LAST,
        f"_Pragma(TEXT(omp parallel for private(t)))\n{LAST}",
    ),
    wrong(
        "a text of wide characters", PLAIN, LAST, f'_Pragma(L"omp parallel for private(t)")\n{LAST}'
    ),
    wrong(
        "a text with escapes",
        top('#define SKIP(x) _Pragma("message(\\"x\\")") x'),
        COUNT,
        f"SKIP({COUNT})\nSKIP({COUNT})",
    ),
    wrong(
        "a macro that brings a pragma to each loop",
        Setting(
            opening='#define for _Pragma("omp parallel for private(t)") for', closing="#undef for"
        ),
        LAST,
        f"#undef for\n{LAST}",
    ),
    wrong(
        "for with a pragma, in the new text",
        PLAIN,
        LAST,
        f'#define for _Pragma("omp parallel for private(t)") for\n{LAST}\n#undef for',
    ),
    wrong(
        "for with a pragma, in a header",
        PLAIN,
        f'#include "loop.h"\n{LAST}\n#undef for',
        LAST,
        files={"loop.h": '#define for _Pragma("omp parallel for private(t)") for\n'},
    ),
    wrong("pop_macro in the new text", PUSHED, ROWS, f'#pragma pop_macro("STEP")\n{COLUMNS}'),
    wrong(
        "pop_macro by _Pragma in the new text",
        PUSHED,
        ROWS,
        f'_Pragma("pop_macro(\\"STEP\\")")\n{COLUMNS}',
    ),
    wrong(
        "pop_macro changes the new loops",
        Setting(names='#define FROM 1\n#pragma push_macro("FROM")\n#undef FROM\n#define FROM 0'),
        FILL.replace("= 0", "= FROM"),
        '#pragma pop_macro("FROM")\n' + FILL.replace("= 0", "= FROM"),
    ),
    wrong(
        "push_macro in the new text",
        Setting(
            names='#define STEP 1.0\n#pragma push_macro("STEP")\n#undef STEP\n#define STEP 2.0',
            closing='#pragma pop_macro("STEP")\n    s = STEP;',
        ),
        ROWS,
        f'#pragma push_macro("STEP")\n{COLUMNS}',
    ),
    wrong(
        "the new text's macro in a pragma behind it",
        Setting(closing=f"{PRIVATE}\n{LAST}"),
        ROWS,
        f"#define private lastprivate\n{COLUMNS}",
    ),
    wrong(
        "the new text's number of threads behind it",
        THREADS_BEHIND,
        ROWS,
        f"#undef WIDTH\n#define WIDTH 1\n{COLUMNS}",
    ),
    wrong(
        "a macro behind the region is undefined by the new text",
        Setting(top="#define MINE private(t)", closing=f"{IN_PARALLEL[:-1]} MINE\n{LAST}"),
        ROWS,
        f"{COLUMNS}\n#undef MINE\n#define MINE lastprivate(t)",
    ),
)

PARALLEL_MACRO = top('#define PARALLEL _Pragma("omp parallel for")')

RIGHT: tuple[Pair, ...] = (
    right("private is something else, unused", top("#define private shared"), ROWS, COLUMNS),
    right(
        "private is something else, in parallel",
        top("#define private shared\n#define reduction(x)\n#define lastprivate private"),
        ROWS,
        IN_PARALLEL + COLUMNS,
    ),
    right(
        "the first words are not expanded",
        top("#define parallel serial\n#define omp acc"),
        ROWS,
        IN_PARALLEL + ROWS,
    ),
    right(
        "simd is not expanded behind omp",
        top("#define simd nowait"),
        ROWS,
        ROWS.replace("    for", "    #pragma omp simd\n    for"),
    ),
    right(
        "the number of threads is a macro",
        top("#define THREADS 4"),
        ROWS,
        f"#pragma omp parallel for num_threads(THREADS)\n{COLUMNS}",
    ),
    right("a parallel loop by a macro", PARALLEL_MACRO, ROWS, f"PARALLEL\n{COLUMNS}"),
    right(
        "a parallel loop by a macro of the command line",
        PLAIN,
        ROWS,
        f"PARALLEL\n{COLUMNS}",
        define=('PARALLEL=_Pragma("omp parallel for")',),
    ),
    right(
        "a parallel loop by a text with arguments",
        top(SAYING),
        ROWS,
        f"SAY(omp parallel for schedule(static))\n{COLUMNS}",
    ),
    right("a parallel loop by a macro goes", PARALLEL_MACRO, f"PARALLEL\n{ROWS}", TILED),
    right(
        "lastprivate by a macro's name",
        top("#define KEPT t"),
        LAST,
        f"#pragma omp parallel for lastprivate(KEPT)\n{LAST}",
    ),
    right(
        "push and pop around it",
        Setting(names='#pragma push_macro("A")\n#undef A\n#define SIZE 5\n#pragma pop_macro("A")'),
        PRODUCT,
        PRODUCT_BY_ROWS,
    ),
    right(
        "push and pop in the new text",
        Setting(names="#define STEP 2.0", closing="    s = STEP;"),
        ROWS,
        f'#pragma push_macro("STEP")\n#undef STEP\n{COLUMNS}\n#pragma pop_macro("STEP")',
    ),
    right(
        "clauses of another function",
        Setting(
            names="#define MINE private(t)\n" + OTHER % "#pragma omp parallel for MINE",
            call="other(size, b);\nkernel(size);",
        ),
        DOWN,
        DOWN_TOGETHER,
    ),
    right(
        "a chunk by a macro",
        top("#define CHUNK 4"),
        f"#pragma omp parallel for schedule(static, CHUNK)\n{ROWS}",
        COLUMNS,
    ),
    right(
        "two loops, macros of clauses unused",
        top("#define ordered\n#define nowait"),
        f"{FILL}\n{HORNER}\n{CHAIN}",
        f"{HORNER}\n{CHAIN}\n{FILL}",
    ),
)

PAIRS: tuple[Pair, ...] = CLAUSES + TEXTS + RIGHT

NAMED = multiplication(f"S: {UPDATE}")
CHANGED = "interchange(S, 2, 3)\nparallel(S, 1)\nvectorize(S, 3)\n"
MAP = """\
for (int i = 0; i < n; i++)
    S: C[i][0] = 2.0 * A[i][0] + B[0][i];"""
UPWARDS = """\
for (int j = 0; j < n; j++)
    for (int i = 1; i < n; i++)
        C[i][j] = C[i - 1][j] + A[i][j];"""

PROGRAMS: tuple[Program, ...] = (
    program("simd is private", MAP, top="#define simd private(C)", rewritten=False),
    program("simd is nowait", top="#define simd nowait", rewritten=False),
    program(
        "simd is private, by a script",
        NAMED,
        top="#define simd private(C)",
        script=CHANGED,
        rewritten=False,
    ),
    program(
        "simd is private, by the command line", MAP, define=("simd=private(C)",), rewritten=False
    ),
    program(
        "simd is private, in the function", MAP, opening="#define simd private(C)", rewritten=False
    ),
    program(
        "simd is private, by a header",
        MAP,
        top='#include "words.h"',
        files={"words.h": "#define simd private(C)\n"},
        rewritten=False,
    ),
    program(
        "for brings a pragma",
        UPWARDS,
        opening=f'#define for _Pragma("omp parallel for {TURNS}") for',
        closing="#undef for",
        rewritten=False,
    ),
    program(
        "if hides a side effect",
        top="#define if(x) if ((x) && C[0][0]++ >= -1000)",
        rewritten=False,
    ),
    program(
        "if is private, in pragmas",
        top="#define if(x) private(C) if (x)",
        rewritten=False,
    ),
    program(
        "private is shared, by a script",
        NAMED,
        top="#define private shared",
        script=CHANGED,
        rewritten=False,
    ),
    program(
        "pop_macro behind it",
        opening='#define n_ n\n#pragma push_macro("n_")',
        closing='#pragma pop_macro("n_")\n    C[0][0] = n_;',
    ),
    program(
        "a macro leads the region",
        UPWARDS,
        opening="SAY(note hint)",
        top=f"{SAYING}#define note omp\n#define hint parallel for {TURNS}",
        rewritten=False,
    ),
    program(
        "a macro in the region",
        f"LOOP\n{UPWARDS}",
        top=f'#define LOOP _Pragma("omp parallel for {TURNS}")',
        rewritten=False,
    ),
    program(
        "a clause by a macro, in the region",
        "#pragma omp parallel for MINE\n" + multiplication(),
        top="#define MINE firstprivate(n)",
        rewritten=False,
    ),
    program(
        "a clause by a macro, found",
        "#pragma omp parallel for MINE\n" + UPWARDS,
        define=(f"MINE={TURNS}",),
        autodetect=True,
        rewritten=False,
    ),
    program("private is something else", top="#define private shared\n#define lastprivate(x)"),
    program("reduction is something else", top="#define reduction(x) private(x)", autodetect=True),
    program("the first words are not expanded", top="#define parallel serial\n#define omp acc"),
    program(
        "clauses elsewhere",
        top="#define THREADS 4\n" + OTHER % "#pragma omp parallel for num_threads(THREADS)",
        tell="other(n, C[0]);",
    ),
    program(
        "texts elsewhere",
        top=SAYING + OTHER % "SAY(omp simd)",
        tell="other(n, C[0]);",
    ),
    program(
        "push and pop in front",
        NAMED,
        top='#pragma push_macro("C")\n#undef C\n#pragma pop_macro("C")',
        script=CHANGED,
    ),
)
