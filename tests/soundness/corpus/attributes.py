"""Attributes that do something, change types or change what storage is."""

from __future__ import annotations

from tests.soundness.corpus.frames import (
    PARALLEL,
    PLAIN,
    PRODUCT,
    PRODUCT_LOOPS,
    PRODUCT_NEW,
    SIMD,
    TILED_NEW,
    TURNED_LOOPS,
    Frame,
    leave,
    nest,
    right,
    worth_it,
    wrong,
)
from tests.soundness.pairs import Pair, Program

KEEPER = """\
static double kept;
static void keep(double *x) { kept += *x; }
"""
SHOWN = 'printf("%.17g\\n", kept);'
CLEANED = PLAIN.but(
    functions=KEEPER, opening="double t __attribute__((cleanup(keep))) = 0;", ending=SHOWN
)
THROUGH = "for (int i = 0; i < N; i++) {\n    t = 2 * d[i];\n    c[i] = t + 1;\n}"
NOT_THROUGH = nest("i", "c[i] = 2 * d[i] + 1;")
OWN_THROUGH = "for (int i = 0; i < N; i++) {\n    double s = 2 * d[i];\n    c[i] = s + 1;\n}"
STRIPS = "for (int s = 0; s < N; s += 8)\n" + THROUGH.replace("= 0; i < N", "= s; i < s + 8")
LOCAL = """\
for (int i = 0; i < N; i++) {
    double t __attribute__((cleanup(keep))) = 2 * d[i];
    c[i] = t + 1;
}"""
ROWS = PLAIN.but(
    functions="""\
static double kept;
typedef double vector[N];
static void keep(vector *x) { for (int i = 0; i < N; i++) kept += i * (*x)[i]; }""",
    opening="vector t __attribute__((cleanup(keep))) = {0};",
    ending=SHOWN,
)
THROUGH_ROW = nest("i", "t[i] = 2 * d[i];") + "\n" + nest("i", "c[i] = t[i] + 1;")

CLEANUPS: tuple[Pair, ...] = (
    wrong("cleanup of a scalar in front", CLEANED, THROUGH, NOT_THROUGH),
    wrong("cleanup of a scalar in front, made private", CLEANED, THROUGH, OWN_THROUGH),
    wrong(
        "cleanup of a scalar in front, renamed by a pragma",
        CLEANED,
        THROUGH,
        "#pragma omp parallel for private(t)\n" + THROUGH,
    ),
    wrong(
        "cleanup with underscores",
        CLEANED.but(opening="__attribute__((__cleanup__(keep))) double t = 0;"),
        THROUGH,
        OWN_THROUGH,
    ),
    wrong(
        "cleanup behind a macro",
        CLEANED.but(
            opening="DEFER(keep) double t = 0;",
            functions=KEEPER + "#define DEFER(f) __attribute__((cleanup(f)))",
        ),
        THROUGH,
        OWN_THROUGH,
    ),
    wrong(
        "cleanup behind a macro in a header",
        CLEANED.but(
            opening="DEFER(keep) double t = 0;",
            functions=KEEPER + '#include "defer.h"',
            files={"defer.h": "#define DEFER(f) __attribute__((cleanup(f)))\n"},
        ),
        THROUGH,
        OWN_THROUGH,
    ),
    wrong(
        "cleanup among other attributes",
        CLEANED.but(opening="double t __attribute__((aligned(64), unused, cleanup(keep))) = 0;"),
        THROUGH,
        OWN_THROUGH,
    ),
    wrong(
        "cleanup in the C++ way",
        CLEANED.but(opening="[[gnu::cleanup(keep)]] double t = 0;", standard="gnu2x"),
        THROUGH,
        OWN_THROUGH,
    ),
    wrong(
        "cleanup of a scalar in an outer block",
        CLEANED.but(opening="double t __attribute__((cleanup(keep))) = 0; {", closing="}"),
        THROUGH,
        OWN_THROUGH,
    ),
    wrong("cleanup of a local array", ROWS, THROUGH_ROW, NOT_THROUGH),
    wrong(
        "cleanup of a local of the loop, dropped",
        PLAIN.but(functions=KEEPER, ending=SHOWN),
        LOCAL,
        NOT_THROUGH,
    ),
    wrong(
        "cleanup of a local of the loop, reordered",
        PLAIN.but(functions=KEEPER.replace("+=", "= 2 * kept +"), ending=SHOWN),
        LOCAL,
        LOCAL.replace("int i = 0; i < N; i++", "int i = N - 1; i >= 0; i--"),
    ),
    wrong(
        "cleanup of an iterator",
        PLAIN.but(functions=KEEPER.replace("double *", "int *"), ending=SHOWN),
        "for (int i __attribute__((cleanup(keep))) = 0; i < N; i++)\nc[i] = d[i];",
        nest("i", "c[i] = d[i];"),
    ),
    wrong(
        "cleanup of a pointer that is not touched",
        CLEANED.but(
            functions="static double kept;\nstatic void keep(double **x) { kept = (*x)[3]; }\n"
            "static double last[N];",
            opening="double *p __attribute__((cleanup(keep))) = e; double t[N];\n    p = t;",
            signature="void work(int n)",
        ),
        nest("i", "t[i] = d[i] * 2;") + "\n" + nest("i", "c[i] = t[i];"),
        nest("i", "c[i] = d[i] * 2;"),
    ),
    wrong("a cleanup that is new", PLAIN.but(functions=KEEPER, ending=SHOWN), OWN_THROUGH, LOCAL),
    right("cleanup of something else", CLEANED, *PRODUCT_LOOPS),
    right("cleanup of a scalar whose last value is kept", CLEANED, THROUGH, STRIPS),
    right(
        "a cleanup function that nobody uses",
        PLAIN.but(functions=KEEPER),
        THROUGH.replace("t =", "double t ="),
        OWN_THROUGH,
    ),
)

LEAVER = """\
#include <stdlib.h>
static void at_end(void) { printf("%g %g %g %g\\n", c[1], c[N - 1], e[1], e[N - 1]); }
"""
LEFT = PLAIN.but(setup="atexit(at_end);")
FILL = nest("i", "c[i] = d[i] + 7;")
FILL_OTHER = nest("i", "e[i] = d[i] + 9;")
VECTORS = PLAIN.but(
    functions="""\
typedef double four __attribute__((vector_size(32)));
typedef long four_longs __attribute__((vector_size(32)));
four u[N], v[N];
four_longs mask[N];
static void fill(void)
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 4; k++)
            u[i][k] = i * 3 + k - 5;
}""",
    setup="fill();",
    ending="""\
for (int i = 0; i < N; i++)
        for (int k = 0; k < 4; k++)
            sum += (i + k + 1) * (v[i][k] + 3 * mask[i][k]);
    printf("%.17g\\n", sum);""",
)
MODES = """\
typedef int small __attribute__((mode(QI)));
typedef unsigned int half __attribute__((mode(HI)));
small s[N];
half h[N];
"""
SWAPPED = PLAIN.but(
    functions="""\
struct __attribute__((scalar_storage_order("big-endian"))) big { int x; };
union both { struct big swapped; int raw; };
union both u[N];""",
    ending='for (int i = 0; i < N; i++) sum += u[i].raw; printf("%.17g\\n", sum);',
)
CELLS = PLAIN.but(
    functions="""\
typedef struct { double x; } __attribute__((aligned(32))) cell;
cell s[N];""",
    ending='for (int i = 0; i < N; i++) sum += (i + 1) * s[i].x; printf("%.17g\\n", sum);',
)
PACKED = PLAIN.but(
    functions="""\
struct __attribute__((packed)) cell { char tag; double x; };
struct cell s[N];""",
    ending='for (int i = 0; i < N; i++) sum += (i + 1) * s[i].x; printf("%.17g\\n", sum);',
)


def threaded(declaration: str, **changed: object) -> Frame:
    """Declare the vector ``t``, of which each thread has its own."""
    return PLAIN.but(
        functions=declaration,
        ending='for (int i = 0; i < N; i++) sum += (i + 1) * t[i];\n    printf("%.17g\\n", sum);',
        **changed,
    )


OWN = nest("i", "t[i] = 2 * d[i];")
OWN_NEW = PARALLEL + OWN
NATIVE = threaded('static __thread double t[N] __attribute__((tls_model("local-exec")));')
ALIGNED_LIE = "#pragma omp simd aligned(p : 64)\n" + nest("i=0:16", "p[i] = 3;")

OTHERS: tuple[Pair, ...] = (
    wrong(
        "noreturn between two loops",
        LEFT.but(
            functions=LEAVER + "__attribute__((noreturn)) static void quit(void) { exit(0); }"
        ),
        f"{FILL}\nquit();\n{FILL_OTHER}",
        f"{FILL}\n{FILL_OTHER}\nquit();",
    ),
    wrong(
        "noreturn that is only declared",
        LEFT.but(
            functions=LEAVER + "void quick(int) __attribute__((noreturn));\n"
            "void quick(int status) { exit(status); }"
        ),
        f"{FILL}\nquick(0);\n{FILL_OTHER}",
        f"{FILL_OTHER}\n{FILL}\nquick(0);",
    ),
    wrong(
        "a noreturn that returns no more often",
        LEFT.but(
            functions=LEAVER + "_Noreturn static void quit(void) { exit(0); }\n"
            "static void check(int k) { if (k == 5) quit(); }"
        ),
        "for (int i = 0; i < N; i++) {\n    c[i] = d[i] + 7;\n    check(i);\n}",
        FILL + "\n" + nest("i", "check(i);"),
    ),
    wrong(
        "vectors, a part of them",
        VECTORS,
        nest("i", "v[i] = u[i];"),
        nest("i k=0:2", "v[i][k] = u[i][k];"),
    ),
    wrong(
        "vectors compared as numbers",
        VECTORS,
        nest("i", "mask[i] = u[i] > 0;"),
        nest("i k=0:4", "mask[i][k] = u[i][k] > 0;"),
    ),
    wrong(
        "vectors shifted",
        VECTORS,
        nest("i=1:N", "v[i] = v[i - 1] + u[i];"),
        nest("-i=1:N", "v[i] = v[i - 1] + u[i];"),
    ),
    wrong(
        "vectors and their elements",
        VECTORS,
        "for (int i = 0; i < N; i++) {\n    v[i] = u[i];\n    v[i][2] = 5;\n}",
        nest("i", "v[i][2] = 5;") + "\n" + nest("i", "v[i] = u[i];"),
    ),
    wrong(
        "a mode of eight bits, forwarded",
        PLAIN.but(functions=MODES),
        "for (int i = 0; i < N; i++) {\n    s[i] = 50 * i;\n    c[i] = s[i];\n}",
        "for (int i = 0; i < N; i++) {\n    s[i] = 50 * i;\n    c[i] = 50 * i;\n}",
    ),
    wrong(
        "a mode of eight bits, in a wider local",
        PLAIN.but(functions=MODES, opening="small t;"),
        "for (int i = 0; i < N; i++) {\n    t = 50 * i;\n    c[i] = t;\n}",
        "for (int i = 0; i < N; i++) {\n    int s = 50 * i;\n    c[i] = s;\n}",
    ),
    wrong(
        "a mode of eight bits in C's own words, in a wider local",
        PLAIN.but(functions=MODES, opening="int t __attribute__((mode(QI)));"),
        "for (int i = 0; i < N; i++) {\n    t = 50 * i;\n    c[i] = t;\n}",
        "for (int i = 0; i < N; i++) {\n    int s = 50 * i;\n    c[i] = s;\n}",
    ),
    wrong(
        "a mode of sixteen bits, in a subscript",
        PLAIN.but(functions=MODES),
        nest("i", "c[(half)(65530 + i) % N] = d[i];"),
        nest("i", "c[(65530 + i) % N] = d[i];"),
    ),
    wrong(
        "scalar_storage_order, forwarded",
        SWAPPED,
        nest("i", "u[i].swapped.x = i;") + "\n" + nest("i", "c[i] = u[i].raw;"),
        nest("i", "u[i].swapped.x = i;") + "\n" + nest("i", "c[i] = i;"),
    ),
    wrong(
        "scalar_storage_order, the other member",
        SWAPPED,
        nest("i", "u[i].swapped.x = i;"),
        nest("i", "u[i].raw = i;"),
    ),
    wrong(
        "aligned elements through a flat pointer",
        CELLS,
        "double *p = &s[0].x;\n" + nest("i", "p[4 * i] = d[i];"),
        "double *p = &s[0].x;\n" + nest("i", "if (i % 4 == 0)\ns[i].x = d[i / 4];"),
    ),
    wrong(
        "an alignment that is not so",
        PLAIN.but(
            functions="_Alignas(64) static double room[N + 1];",
            ending='printf("%g\\n", room[5]);',
            flags=("-O2", "-mavx2", "-fopenmp"),
        ),
        "double *p = room + 1;\n" + nest("i=0:16", "p[i] = 3;"),
        "double *p = room + 1;\n" + ALIGNED_LIE,
    ),
    wrong(
        "__builtin_assume_aligned of what is not",
        PLAIN.but(
            functions="_Alignas(64) static double room[N + 1];",
            ending='printf("%g\\n", room[5]);',
            flags=("-O3", "-mavx2", "-fopenmp"),
        ),
        "double *p = room + 1;\n" + nest("i=0:16", "p[i] = 3 * d[i];"),
        "double *p = __builtin_assume_aligned(room + 1, 64);\n"
        + nest("i=0:16", "p[i] = 3 * d[i];"),
    ),
    wrong(
        "a weak symbol that is not there",
        PLAIN.but(functions="extern double extra[] __attribute__((weak));"),
        nest("i", "if (extra)\nc[i] = 1;\nelse\nc[i] = 2;"),
        nest("i", "c[i] = 1;"),
    ),
    wrong("threads' own vector", threaded("static __thread double t[N];"), OWN, OWN_NEW),
    wrong("threads' own vector, with a model", NATIVE, OWN, OWN_NEW),
    wrong("threads' own vector, C11", threaded("static _Thread_local double t[N];"), OWN, OWN_NEW),
    wrong(
        "threads' own vector, behind a macro",
        threaded("#define PER_THREAD __thread\nPER_THREAD double t[N];"),
        OWN,
        OWN_NEW,
    ),
    wrong(
        "threads' own vector, by OpenMP",
        threaded("static double t[N];\n#pragma omp threadprivate(t)"),
        OWN,
        OWN_NEW,
    ),
    wrong(
        "threads' own vector, by _Pragma",
        threaded('static double t[N];\n_Pragma("omp threadprivate(t)")'),
        OWN,
        OWN_NEW,
    ),
    wrong(
        "threads' own scalar is read",
        PLAIN.but(functions="static __thread double factor;", setup="factor = 3;"),
        nest("i", "c[i] = factor * d[i];"),
        PARALLEL + nest("i", "c[i] = factor * d[i];"),
    ),
    wrong(
        "what only a destructor reads",
        PLAIN.but(
            functions="static double last;\n__attribute__((destructor))\n"
            'static void show(void) { printf("%g\\n", last); }'
        ),
        "for (int i = 0; i < N; i++) {\n    last = d[i];\n    c[i] = last;\n}",
        nest("i", "c[i] = d[i];"),
    ),
    wrong(
        "what only a constructor sets",
        PLAIN.but(
            functions="static double first;\n__attribute__((constructor))\n"
            "static void set(void) { first = 5; }"
        ),
        nest("i", "c[i] = first;"),
        nest("i", "c[i] = 0;"),
    ),
    wrong(
        "a constructor that is no more",
        PLAIN.but(
            functions="static double first;\n__attribute__((constructor))\n"
            "static void set(void) { first = 5; }"
        ),
        nest("i", "c[i] = first;"),
        nest("-i", "c[i] = first;"),
        PLAIN.but(
            functions="static double first;\n__attribute__((unused))\n"
            "static void set(void) { first = 5; }"
        ),
    ),
    wrong(
        "an alignment outside that is no more",
        PLAIN.but(
            functions="struct cell { char x; } __attribute__((aligned(16)));",
            ending='printf("%zu\\n", sizeof(struct cell));',
        ),
        *TURNED_LOOPS,
        PLAIN.but(
            functions="struct cell { char x; };", ending='printf("%zu\\n", sizeof(struct cell));'
        ),
    ),
    right(
        "vectors, element by element",
        VECTORS,
        nest("i", "v[i] = u[i];"),
        nest("-i", "v[i] = u[i];"),
    ),
    right("vectors beside other loops", VECTORS, *PRODUCT_LOOPS),
    right(
        "a mode of eight bits",
        PLAIN.but(functions=MODES),
        nest("i", "s[i] = 50 * i;"),
        PARALLEL + nest("i", "s[i] = 50 * i;"),
    ),
    right(
        "packed structs",
        PACKED,
        nest("i", "s[i].x = d[i];"),
        PARALLEL + nest("-i", "s[i].x = d[i];"),
    ),
    right(
        "aligned structs", CELLS, nest("i", "s[i].x = d[i];"), SIMD + nest("i", "s[i].x = d[i];")
    ),
    right(
        "arrays in a section, aligned and used",
        PLAIN.but(
            arrays='double a[N][N] __attribute__((section(".bss.first"), aligned(64)));\n'
            '__attribute__((used, visibility("hidden"))) double b[N][N];\n'
            "_Alignas(128) double w[N][N], c[N], d[N], e[N];"
        ),
        PRODUCT,
        TILED_NEW,
    ),
    right(
        "a function with attributes that do nothing here",
        PLAIN.but(
            signature='__attribute__((noinline, hot, noclone, nothrow, optimize("O3")))'
            "\nvoid work(int n)"
        ),
        *PRODUCT_LOOPS,
    ),
    right(
        "a function for several targets",
        PLAIN.but(signature='__attribute__((target("avx2")))\nvoid work(int n)'),
        *PRODUCT_LOOPS,
    ),
    right(
        "a constructor that has nothing to do with it",
        PLAIN.but(
            functions="static int ready;\n__attribute__((constructor)) static void set(void)"
            " { ready = 5; }",
            ending='printf("%d\\n", ready);',
        ),
        *PRODUCT_LOOPS,
    ),
    right("threads' own vector beside other loops", NATIVE, *PRODUCT_LOOPS),
    right(
        "functions with attributes of all kinds around",
        PLAIN.but(
            functions="""\
__attribute__((malloc, alloc_size(1), returns_nonnull, warn_unused_result))
void *room(unsigned long);
__attribute__((format(printf, 1, 2), cold, nonnull(1))) void tell(const char *, ...);
__attribute__((pure, leaf)) double first_of(const double *);
[[maybe_unused]] static __attribute__((const, always_inline)) inline
double half(double x) { return x / 2; }""",
            standard="gnu2x",
        ),
        *PRODUCT_LOOPS,
    ),
    right(
        "a constant function",
        PLAIN.but(
            functions="__attribute__((const, noinline)) static double half(double x)"
            " { return x / 2; }"
        ),
        nest("i j", "a[i][j] = half(b[i][j]);"),
        PARALLEL + nest("j i", "a[i][j] = half(b[i][j]);"),
    ),
    right("no attribute between them", PLAIN, PRODUCT, PRODUCT_NEW),
)

PAIRS: tuple[Pair, ...] = CLEANUPS + OTHERS

CLEANED_TEMPORARY = """\
for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
        t = b[j][i] * 2;
        Map: a[j][i] = t + 1;
    }"""
OWN_PRODUCT = nest("i j k", "t[j] += b[i][k] * w[k][j];", "n")

PROGRAMS: tuple[Program, ...] = (
    leave("cleanup of a scalar in front", CLEANED, CLEANED_TEMPORARY),
    leave(
        "cleanup of a scalar in front, by a script",
        CLEANED,
        THROUGH.replace("t = 2", "Load: t = 2").replace("c[i]", "Use: c[i]"),
        "reverse(Load, 1)",
    ),
    leave(
        "cleanup of a local of the loop",
        PLAIN.but(functions=KEEPER.replace("+=", "= 2 * kept +"), ending=SHOWN),
        LOCAL,
    ),
    leave("threads' own vector", NATIVE, OWN_PRODUCT),
    leave(
        "threads' own vector, by OpenMP",
        threaded("static double t[N];\n#pragma omp threadprivate(t)"),
        OWN_PRODUCT,
    ),
    leave(
        "threads' own vector, in parallel",
        NATIVE,
        nest("i", "Own: t[i] = 2 * d[i];"),
        "parallel(Own, 1)",
    ),
    leave(
        "threads' own vector by OpenMP, in parallel",
        threaded("static double t[N];\n#pragma omp threadprivate(t)"),
        nest("i", "Own: t[i] = 2 * d[i];"),
        "parallel(Own, 1)",
    ),
    leave(
        "noreturn between two loops",
        LEFT.but(
            functions=LEAVER + "__attribute__((noreturn)) static void quit(void) { exit(0); }"
        ),
        f"{PRODUCT}\nquit();\n{FILL_OTHER}",
    ),
    leave(
        "vectors shifted",
        VECTORS,
        nest("i=1:N", "Step: v[i] = v[i - 1] + u[i];"),
        "reverse(Step, 1)",
    ),
    worth_it("cleanup of something else", CLEANED),
    worth_it("packed structs beside it", PACKED),
    worth_it(
        "arrays in sections, aligned",
        PLAIN.but(
            arrays='double a[N][N] __attribute__((section(".bss.first"), aligned(64)));\n'
            "_Alignas(128) double b[N][N], w[N][N], c[N], d[N], e[N];"
        ),
    ),
    worth_it(
        "a function with attributes that do nothing here",
        PLAIN.but(signature="__attribute__((noinline, hot, nothrow))\nvoid work(int n)"),
    ),
    worth_it("threads' own vector beside it", NATIVE),
    worth_it(
        "a constructor beside it",
        PLAIN.but(
            functions="static int ready;\n__attribute__((constructor)) static void set(void)"
            " { ready = 5; }",
            ending='printf("%d\\n", ready);',
        ),
    ),
)
