"""Texts that are other programs for other compilers, flags and modes of floating point."""

from __future__ import annotations

from tests.soundness.corpus.frames import (
    PARALLEL,
    PLAIN,
    PRODUCT,
    PRODUCT_LOOPS,
    PRODUCT_NEW,
    TILED_NEW,
    TURNED,
    TURNED_LOOPS,
    Frame,
    leave,
    nest,
    right,
    worth_it,
    wrong,
)
from tests.soundness.pairs import FLAGS, Pair, Program

STEP = nest("i=1:N", "c[i] = c[i - 1] + d[i];")
STEP_BACK = nest("-i=1:N", "c[i] = c[i - 1] + d[i];")


def chosen(condition: str, compiled: str, parsed: str) -> str:
    """Write what gcc compiles under a condition, and what others see."""
    return f"#{condition}\n{compiled}\n#else\n{parsed}\n#endif"


def new_text(name: str, condition: str, **changed: object) -> Pair:
    """The new text runs backwards where gcc compiles it."""
    return wrong(
        f"new loops by {name}", PLAIN.but(**changed), STEP, chosen(condition, STEP_BACK, STEP)
    )


def old_text(name: str, condition: str, **changed: object) -> Pair:
    """The old text ran backwards where gcc compiled it."""
    return wrong(
        f"old loops by {name}", PLAIN.but(**changed), chosen(condition, STEP_BACK, STEP), STEP
    )


FAST = (*FLAGS, "-ffast-math")
SIZED = (*FLAGS[1:], "-Os")


def by_macro(name: str, condition: str, **changed: object) -> Pair:
    """A macro of the region is another one where gcc compiles it."""
    frame = PLAIN.but(head=chosen(condition, "#define BEHIND 1", "#define BEHIND 0"), **changed)
    return wrong(f"a macro by {name}", frame, SHIFTED, SHIFTED_BACK)


SHIFTED = nest("i=1:N", "c[i] = c[i - BEHIND] + d[i];")
SHIFTED_BACK = nest("-i=1:N", "c[i] = c[i - BEHIND] + d[i];")
SEEN_DIFFERENTLY = {
    "_OPENMP": "ifdef _OPENMP",
    "the date of _OPENMP": "if _OPENMP == 201511",
    "__OPTIMIZE__": "ifdef __OPTIMIZE__",
    "__NO_INLINE__": "ifndef __NO_INLINE__",
    "__AVX2__": "ifdef __AVX2__",
    "__FMA__ and __SSE4_2__": "if defined __FMA__ && defined __SSE4_2__",
    "__clang__": "ifndef __clang__",
    "__llvm__": "if !defined(__llvm__)",
    "__GNUC__": "if __GNUC__ > 4",
    "__GNUC_MINOR__": "if __GNUC__ != 4 || __GNUC_MINOR__ != 2",
    "__has_feature": "ifndef __has_feature",
    "__has_extension": "ifndef __has_extension",
    "__has_builtin": "if defined __has_builtin && !__has_builtin(__builtin_readcyclecounter)",
    "__has_attribute": "if !__has_attribute(overloadable)",
    "__has_include": "if !__has_include(<__clang_cuda_math.h>)",
    "_REENTRANT": "ifdef _REENTRANT",
    "__BLOCKS__ and __VERSION__": "if !defined __BLOCKS__ && !defined __clang_version__",
    "__GCC_IEC_559": "ifdef __GCC_IEC_559",
}

CONDITIONS: tuple[Pair, ...] = (
    *(by_macro(*each) for each in SEEN_DIFFERENTLY.items()),
    *(new_text(*each) for each in list(SEEN_DIFFERENTLY.items())[::3]),
    by_macro("__STRICT_ANSI__", "ifdef __STRICT_ANSI__", standard="c11"),
    by_macro("__STDC_VERSION__", "if __STDC_VERSION__ > 201710L", standard="gnu2x"),
    by_macro(
        "a header",
        "ifdef QUICK",
        includes='#include <stdio.h>\n#include "mode.h"\n',
        files={"mode.h": "#ifdef __OPTIMIZE__\n#define QUICK 1\n#endif\n"},
    ),
    by_macro(
        "a header of a header",
        "if MODE",
        includes='#include <stdio.h>\n#include "outer.h"\n',
        files={
            "outer.h": '#include "mode.h"\n',
            "mode.h": "#ifdef __clang__\n#define MODE 0\n#else\n#define MODE 1\n#endif\n",
        },
    ),
    by_macro(
        "a header's guard",
        "ifdef _OMP_H",
        includes="#ifdef _OPENMP\n#include <omp.h>\n#endif\n#include <stdio.h>\n",
    ),
    new_text("__FAST_MATH__", "ifdef __FAST_MATH__", flags=FAST),
    new_text("__OPTIMIZE_SIZE__", "ifdef __OPTIMIZE_SIZE__", flags=SIZED),
    new_text("__CHAR_UNSIGNED__", "ifdef __CHAR_UNSIGNED__", flags=(*FLAGS, "-funsigned-char")),
    old_text("_OPENMP", "ifdef _OPENMP"),
    old_text("__OPTIMIZE__", "ifdef __OPTIMIZE__"),
    old_text("__clang__", "ifndef __clang__"),
    old_text(
        "a header's mode",
        "if MODE",
        head='#include "mode.h"',
        files={"mode.h": "#ifdef _OPENMP\n#define MODE 1\n#else\n#define MODE 0\n#endif\n"},
    ),
)

AHEAD = PLAIN.but(
    head="""\
#ifdef __clang__
#define BEHIND 0
#else
#define BEHIND 1
#endif"""
)
AHEAD_BY_HEADER = PLAIN.but(
    head='#include "behind.h"',
    files={"behind.h": "#ifdef __OPTIMIZE__\n#define BEHIND 1\n#else\n#define BEHIND 0\n#endif\n"},
)
CALLED = PLAIN.but(
    functions="""\
static double total;
static double take(double x)
{
#ifdef _OPENMP
    total = 2 * total + x;
#endif
    return x + 1;
}""",
    ending='printf("%.17g\\n", total);',
)
TAKEN = nest("i", "c[i] = take(d[i]);")
TAKEN_BACK = nest("-i", "c[i] = take(d[i]);")
TYPED = PLAIN.but(
    functions="""\
#ifdef __clang__
typedef double real;
#else
typedef unsigned char real;
#endif
real r;"""
)
FORWARDED = "for (int i = 0; i < N; i++) {\n    r = 50 * d[i];\n    c[i] = r + 1;\n}"
LOCALLY = "for (int i = 0; i < N; i++) {\n    double s = 50 * d[i];\n    c[i] = s + 1;\n}"
SIZES = PLAIN.but(head="#ifdef __OPTIMIZE__\n#define ROWS 20\n#else\n#define ROWS N\n#endif")
PACKS = PLAIN.but(
    functions="struct cell { char x; double y; };", ending='printf("%zu\\n", sizeof(struct cell));'
)
TENTHS = PLAIN.but(
    opening="""\
double total = 0;
    for (int i = 0; i < n; i++) {
        c[i] = 0.1 * (i + 1);
        d[i] = 1e8 / (i * i + 3);
    }""",
    closing='printf("%a\\n", total);',
)
ROUNDED = PLAIN.but(
    opening="""\
for (int i = 0; i < n; i++) {
        c[i] = 0.1 * (i + 1);
        d[i] = 1.0 / (i + 3);
        e[i] = -0.7 / (i + 2);
    }""",
    closing="""\
for (int i = 0; i < n; i++)
        printf("%a ", c[i]);
    printf("\\n");""",
    flags=("-O2", "-march=native", "-fopenmp", "-ffp-contract=off"),
)


def pragmas(first: str, second: str = "", **changed: object) -> tuple[Frame, Frame]:
    """Make frames with one and with another pragma in front of the function."""
    both = [
        ROUNDED.but(signature=f"{each}\nvoid work(int n)", **changed) for each in (first, second)
    ]
    return both[0], both[1]


def rounding(name: str, old: str, new: str) -> Pair:
    """One element's value is computed in another way."""
    return wrong(name, ROUNDED, nest("i", f"c[i] = {old};"), nest("i", f"c[i] = {new};"))


LINEAR = nest("i", "c[i] = c[i] * d[i] + e[i];")
CONTRACTED = pragmas('#pragma GCC optimize ("fp-contract=fast")', flags=FLAGS)
SUMMED = nest("i", "total += c[i] + d[i];")

SURROUNDINGS: tuple[Pair, ...] = (
    wrong("a macro of the region by __clang__", AHEAD, SHIFTED, SHIFTED_BACK),
    wrong("a macro of the region by a header", AHEAD_BY_HEADER, SHIFTED, SHIFTED_BACK),
    wrong("a function that the region calls by _OPENMP", CALLED, TAKEN, TAKEN_BACK),
    wrong("a type by __clang__", TYPED, FORWARDED, LOCALLY),
    wrong(
        "sizes by __OPTIMIZE__",
        SIZES,
        nest("i=0:ROWS", "c[i] = d[i];"),
        nest("i=0:N", "c[i] = d[i];"),
    ),
    wrong(
        "#pragma pack is new",
        PACKS,
        *TURNED_LOOPS,
        PACKS.but(functions="#pragma pack(1)\n" + PACKS.functions),
    ),
    wrong(
        "#pragma pack is gone",
        PACKS.but(functions="#pragma pack(1)\n" + PACKS.functions),
        *TURNED_LOOPS,
        PACKS,
    ),
    wrong(
        "#pragma GCC optimize of no contraction is gone",
        pragmas('#pragma GCC optimize ("fp-contract=off")')[0].but(flags=FLAGS),
        LINEAR,
        LINEAR,
        ROUNDED.but(flags=FLAGS),
    ),
    wrong(
        "an attribute of no contraction is gone",
        ROUNDED.but(
            flags=FLAGS, signature='__attribute__((optimize("fp-contract=off")))\nvoid work(int n)'
        ),
        LINEAR,
        LINEAR,
        ROUNDED.but(flags=FLAGS),
    ),
    wrong(
        "#pragma GCC optimize of fast mathematics is new",
        TENTHS,
        SUMMED,
        SUMMED,
        TENTHS.but(signature='#pragma GCC optimize ("O3,fast-math")\nvoid work(int n)'),
    ),
    wrong(
        "an attribute of fast mathematics is new",
        TENTHS,
        SUMMED,
        SUMMED,
        TENTHS.but(signature='__attribute__((optimize("O3,fast-math")))\nvoid work(int n)'),
    ),
    wrong("another order of a sum", TENTHS, SUMMED, nest("-i", "total += c[i] + d[i];")),
    wrong(
        "a sum in parallel",
        TENTHS,
        SUMMED,
        "#pragma omp parallel for reduction(+ : total)\n" + SUMMED,
    ),
    wrong("a sum as a vector", TENTHS, SUMMED, "#pragma omp simd reduction(+ : total)\n" + SUMMED),
    rounding("a sum with other parentheses", "c[i] + d[i] + e[i]", "c[i] + (d[i] + e[i])"),
    rounding("a factor in front", "c[i] * d[i] + c[i] * e[i]", "c[i] * (d[i] + e[i])"),
    rounding("a product by the inverse", "c[i] / 3", "c[i] * (1.0 / 3)"),
    rounding("a fused product", "c[i] * d[i] + e[i]", "__builtin_fma(c[i], d[i], e[i])"),
    rounding("a narrower sum", "c[i] + d[i]", "(float)c[i] + d[i]"),
    rounding("a zero's sign", "0 * e[i]", "0"),
    rounding("a sum of zero", "e[i] * 0 + 0.0", "e[i] * 0"),
    rounding("a float constant", "c[i] + 0.1", "c[i] + 0.1f"),
)

GUARDED_NEW = "#ifdef _OPENMP\n#pragma omp parallel for\n#endif\n" + PRODUCT_NEW.removeprefix(
    PARALLEL
)
OMP_HEADER = PLAIN.but(
    head="""\
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_max_threads(void) { return 1; }
#endif""",
    ending='printf("%d\\n", omp_get_max_threads() > 0);',
)
PORTABLE = PLAIN.but(
    head="""\
#if defined __clang__
#define KEEP_OUT __attribute__((noinline))
#elif defined __GNUC__
#define KEEP_OUT __attribute__((noinline, noclone))
#else
#define KEEP_OUT
#endif
#if __has_include(<stdint.h>)
#include <stdint.h>
#endif
#ifndef __has_feature
#define __has_feature(x) 0
#endif""",
    signature="KEEP_OUT void work(int n)",
)
SCREENED = PLAIN.but(
    functions="""\
#ifdef __OPTIMIZE__
static const char *const mode = "quick";
#else
static const char *const mode = "slow";
#endif""",
    ending='printf("%s\\n", mode);',
)
FENCED = PLAIN.but(signature="#pragma STDC FP_CONTRACT OFF\nvoid work(int n)")
OPTIMIZED = PLAIN.but(signature='#pragma GCC optimize ("O3")\nvoid work(int n)')
PUSHED = PLAIN.but(
    signature='#pragma GCC push_options\n#pragma GCC optimize ("O3", "unroll-loops")\n'
    "void work(int n)",
    ending="return 0;\n}\n#pragma GCC pop_options\nint never(void)\n{",
)
TARGETED = PLAIN.but(signature='#pragma GCC target ("avx2")\nvoid work(int n)')
BY_DEFINE = PLAIN.but(
    head="#ifdef ROWS_FIRST\n#define ORDER 1\n#else\n#define ORDER 0\n#endif",
    define=("ROWS_FIRST",),
)

HARMLESS: tuple[Pair, ...] = (
    right("a parallel loop only with OpenMP", PLAIN, PRODUCT, GUARDED_NEW),
    right(
        "either branch is right", PLAIN, TURNED, chosen("ifdef _OPENMP", TURNED_LOOPS[1], TURNED)
    ),
    right(
        "either branch is right, by __AVX2__",
        PLAIN,
        PRODUCT,
        chosen("ifdef __AVX2__", TILED_NEW, PRODUCT),
    ),
    right(
        "either branch of the old text",
        PLAIN,
        chosen("ifdef __clang__", PRODUCT, PRODUCT),
        PRODUCT_NEW,
    ),
    right("a branch that nobody takes", PLAIN, PRODUCT, chosen("if 1", PRODUCT_NEW, STEP_BACK)),
    right(
        "a branch that the command line takes",
        BY_DEFINE,
        PRODUCT,
        chosen("if ORDER", PRODUCT_NEW, STEP_BACK),
    ),
    right(
        "a branch of C's version",
        PLAIN,
        PRODUCT,
        chosen("if __STDC_VERSION__ >= 199901L", PRODUCT_NEW, "error"),
    ),
    right("omp.h if there is OpenMP", OMP_HEADER, *PRODUCT_LOOPS),
    right("a portable head", PORTABLE, *PRODUCT_LOOPS),
    right("other texts by __OPTIMIZE__ outside", SCREENED, PRODUCT, TILED_NEW),
    right("FP_CONTRACT stays", FENCED, *PRODUCT_LOOPS),
    right(
        "FP_CONTRACT in the function stays",
        PLAIN.but(opening="#pragma STDC FP_CONTRACT OFF"),
        *PRODUCT_LOOPS,
    ),
    right(
        "FENV_ACCESS off stays",
        PLAIN.but(signature="#pragma STDC FENV_ACCESS OFF\nvoid work(int n)"),
        *PRODUCT_LOOPS,
    ),
    right("GCC optimize stays", OPTIMIZED, PRODUCT, TILED_NEW),
    right("GCC push_options stays", PUSHED, *PRODUCT_LOOPS),
    right("GCC target stays", TARGETED, *PRODUCT_LOOPS),
    right(
        "GCC diagnostic stays",
        PLAIN.but(head='#pragma GCC diagnostic ignored "-Wunused"\n#pragma message "hello"'),
        *PRODUCT_LOOPS,
    ),
    right(
        "pack of something else stays",
        PACKS.but(functions="#pragma pack(push, 1)\n" + PACKS.functions + "\n#pragma pack(pop)"),
        *PRODUCT_LOOPS,
    ),
    right("fast mathematics of both", PLAIN.but(flags=FAST), *TURNED_LOOPS),
    right(
        "a macro of the region by __clang__, in order",
        AHEAD,
        SHIFTED,
        "for (int t = 1; t < N; t += 8)\n"
        + nest("i=t:(t+8<N?t+8:N)", "c[i] = c[i - BEHIND] + d[i];"),
    ),
)

PAIRS: tuple[Pair, ...] = CONDITIONS + SURROUNDINGS + HARMLESS

MAPPED = nest("i=1:N", "Step: c[i] = c[i - BEHIND] + d[i];")
MAYBE = chosen("ifdef _OPENMP", PRODUCT.replace("b[i][k]", "a[i][k]"), PRODUCT)

PROGRAMS: tuple[Program, ...] = (
    leave("a macro of the region by __clang__", AHEAD, MAPPED, "reverse(Step, 1)"),
    leave("a macro of the region by a header", AHEAD_BY_HEADER, MAPPED, "reverse(Step, 1)"),
    leave(
        "a function that the region calls by _OPENMP",
        CALLED,
        nest("i", "Take: c[i] = take(d[i]);"),
        "reverse(Take, 1)",
    ),
    leave("other loops by _OPENMP", PLAIN, MAYBE),
    leave("other loops by __OPTIMIZE__", PLAIN, MAYBE.replace("_OPENMP", "__OPTIMIZE__")),
    leave("other loops by __AVX2__", PLAIN, MAYBE.replace("_OPENMP", "__AVX2__")),
    leave("other loops for clang", PLAIN, MAYBE.replace("ifdef _OPENMP", "ifndef __clang__")),
    leave(
        "other sizes by __OPTIMIZE__",
        SIZES,
        nest("i=0:ROWS j=0:ROWS k=0:ROWS", "a[i][j] += a[i][k] * w[k][j];"),
    ),
    leave("a sum", TENTHS, SUMMED),
    worth_it("omp.h if there is OpenMP", OMP_HEADER),
    worth_it("a portable head", PORTABLE),
    worth_it("other texts by __OPTIMIZE__ outside", SCREENED),
    worth_it("FP_CONTRACT", FENCED),
    worth_it("GCC optimize", OPTIMIZED),
    worth_it("GCC push_options", PUSHED),
    worth_it("GCC diagnostic", PLAIN.but(head='#pragma GCC diagnostic ignored "-Wunused"')),
    worth_it(
        "pack of something else",
        PACKS.but(functions="#pragma pack(push, 1)\n" + PACKS.functions + "\n#pragma pack(pop)"),
    ),
    worth_it("C17", PLAIN.but(standard="gnu17")),
    worth_it("a mode of the command line", BY_DEFINE),
)
