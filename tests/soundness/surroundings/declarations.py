"""Types and storage: what iterators and elements are, and where they are kept."""

from __future__ import annotations

import re
from random import Random

from tests.soundness.surroundings import edits
from tests.soundness.surroundings.programs import Dress, Wearer, fresh, placed

SWAPS = (
    ("double c[SLACK], d[SLACK], e[SLACK];", "static double c[SLACK], d[SLACK], e[SLACK];"),
    (
        "double c[SLACK], d[SLACK], e[SLACK];",
        "volatile double c[SLACK]; double d[SLACK], e[SLACK];",
    ),
    (
        "double c[SLACK], d[SLACK], e[SLACK];",
        "double c[SLACK]; volatile double d[SLACK], e[SLACK];",
    ),
    ("double c[SLACK], d[SLACK], e[SLACK];", "float c[SLACK]; double d[SLACK], e[SLACK];"),
    ("double c[SLACK], d[SLACK], e[SLACK];", "long double c[SLACK], d[SLACK], e[SLACK];"),
    ("double c[SLACK], d[SLACK], e[SLACK];", "int c[SLACK]; double d[SLACK], e[SLACK];"),
    ("double c[SLACK], d[SLACK], e[SLACK];", "double c[SLACK + 1], d[SLACK * 2], e[SLACK];"),
    (
        "double c[SLACK], d[SLACK], e[SLACK];",
        "extern double c[SLACK];\ndouble c[], d[SLACK], e[SLACK];",
    ),
    ("double s, t;", "volatile double s, t;"),
    ("double s, t;", "static double s, t;"),
    ("double s, t;", "static __thread double s, t;"),
    ("double s, t;", "static double s; static __thread double t;"),
    ("double s, t;", "_Thread_local double t; double s;"),
    ("double s, t;", "_Atomic double t; double s;"),
    ("double s, t;", "float s; int t;"),
    ("double s, t;", "double s; long double t;"),
    ("double s, t;", "double s, t;\n#pragma omp threadprivate(t)"),
    ("double s, t;", "double s, t, u, v;"),
    ("int x[SLACK], y[SLACK];", "short x[SLACK]; signed char y[SLACK];"),
    ("int x[SLACK], y[SLACK];", "unsigned x[SLACK], y[SLACK];"),
    ("int x[SLACK], y[SLACK];", "long x[SLACK]; int y[SLACK];"),
    ("int x[SLACK], y[SLACK];", "unsigned char x[SLACK], y[SLACK];"),
    ("int x[SLACK], y[SLACK];", "_Atomic int x[SLACK]; int y[SLACK];"),
    ("int x[SLACK], y[SLACK];", "volatile int x[SLACK], y[SLACK];"),
    ("int x[SLACK], y[SLACK];", "int x[SLACK], y[SLACK], z[SLACK], *p = y;"),
    ("void work(int n)", "static void work(int n)"),
    ("void work(int n)", "static inline void work(int n)"),
    (
        "void work(int n)",
        "static __inline__ __attribute__((always_inline)) inline void work(int n)",
    ),
    ("void work(int n)", "void work(const int n)"),
    ("void work(int n)", "void work(register int n)"),
    ("void work(int n)", "void work(long n)"),
    ("void work(int n)", "void work(unsigned n)"),
    ("void work(int n)", "void work(short n)"),
    ("void work(int n)", "void work(volatile int n)"),
    ("void work(int n)", "void work(n)\nint n;"),
    ("void work(int n)", "void (work)(int n)"),
    ("void work(int n)", "auto work(int n) -> void"),
    ("void work(int n)", "void work(int n);\nvoid work(int n)"),
    ("enum { N = 40, SLACK = 48 };", "#define N 40\n#define SLACK 48"),
    ("enum { N = 40, SLACK = 48 };", "enum sizes { N = 40, SLACK = N + 8 };"),
    ("enum { N = 40, SLACK = 48 };", "#define N (SLACK - 8)\nenum { SLACK = 48 };"),
    ("enum { N = 40, SLACK = 48 };", "enum { N = 0x28, SLACK = sizeof(char[48]) };"),
    ("#include <stdio.h>", "#ifdef _OPENMP\n#include <omp.h>\n#endif\n#include <stdio.h>"),
    ("#include <stdio.h>", "#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>"),
    ("#include <stdio.h>", "#define _GNU_SOURCE\n#include <stdio.h>"),
    ("#include <math.h>", "#include <tgmath.h>"),
    ("#include <math.h>", "#include <complex.h>\n#include <math.h>"),
    ("#include <math.h>", '#include "math.h"'),
)


def storage(rng: Random, wearer: Wearer) -> Dress:
    """Declarations of the frame are others."""
    return Dress("storage", swaps=(rng.choice(SWAPS),))


def type_names(rng: Random, wearer: Wearer) -> Dress:
    """Types have other names."""
    name = rng.choice((fresh(rng, "real"), "real", "data_t"))
    if rng.random() < 0.5:
        text = rng.choice(
            (
                f"typedef double {name};",
                f"typedef double {name}_;\ntypedef {name}_ {name};",
                f"typedef float {name};",
                f"typedef __typeof__(0.0) {name};",
                f"typedef double {name} __attribute__((aligned(8)));",
            )
        )
        where, files = placed(rng, text, "top", "types", "names", "opening")
        return Dress("type_names", where, edit=edits.words(double=name), files=files)
    text = rng.choice(
        (
            f"typedef int {name};",
            f"typedef long {name};",
            f"typedef __typeof__(N) {name};",
            f"typedef short {name};",
            f"typedef __INT32_TYPE__ {name};",
            f"typedef enum {{ {name}_a = -1, {name}_b }} {name}_e; typedef int {name};",
        )
    )
    where, files = placed(rng, text, "top", "types", "names", "opening")
    return Dress("type_names", where, edit=edits.words(int=name), files=files)


LEAKS = (
    "sizeof({0})",
    "(int)sizeof({0} + 1)",
    "sizeof {0}",
    "_Generic({0}, int: 1, long: 2, default: 3)",
    "_Generic(({0}), int: 1, default: 5)",
    "_Alignof(__typeof__({0}))",
    "__builtin_types_compatible_p(__typeof__({0}), int)",
    "(__typeof__({0}))3000000000u",
    "(__typeof__({0}))0.7",
    "__builtin_choose_expr(sizeof({0}) == 4, 1, 2)",
    "({{ __typeof__({0}) v_ = {0}; sizeof v_; }})",
    "({{ __auto_type v_ = {0}; v_ / 2; }})",
    "__builtin_constant_p({0})",
    "({0} << 31 >> 31)",
    "({0} - 5 > -1)",
    "({0} / -2)",
    "~{0} / 3",
    "({0} + 0.0f) / 3",
    "(char){0}",
    "(float){0} / 3",
    "1 / ({0} + 1)",
    "(1 << {0} % 8)",
)
CPP_LEAKS = (
    "sizeof({0})",
    "sizeof(decltype({0}))",
    "kind_of({0})",
    "(decltype({0}))3000000000u",
    "[&](auto v_) {{ return sizeof(v_); }}({0})",
    "sizeof(decltype({0} + 1))",
    "({0} - 5 > -1)",
    "static_cast<decltype({0})>(0.7)",
    "twice<decltype({0})>()",
)
CPP_HELP = """\
static double kind_of(int) { return 1; }
static double kind_of(long) { return 2; }
static double kind_of(unsigned) { return 3; }
template <typename T> static double twice() { return 2 * sizeof(T); }"""


def leaks(rng: Random, wearer: Wearer) -> Dress:
    """Values depend on the types of iterators."""
    use = rng.choice(CPP_LEAKS if wearer.is_cpp else LEAKS)
    slots = (("names", CPP_HELP),) if wearer.is_cpp else ()
    if rng.random() < 0.3:
        name = fresh(rng, "OF")
        where, files = placed(
            rng, f"#define {name}(v) {use.format('v')}", "top", "names", "opening"
        )
        edit = edits.values(lambda value: f"{value} + {name}({edits.iterator_in(value)})")
        return Dress("leaks", (*slots, *where), edit=edit, files=files)
    edit = edits.values(lambda value: f"{value} + {use.format(edits.iterator_in(value))}")
    return Dress("leaks", slots, edit=edit)


def members(rng: Random, wearer: Wearer) -> Dress:
    """Arrays are members of something, perhaps at the same place."""
    name = fresh(rng, "all")
    kind = rng.choice(("struct", "struct", "union"))
    text = rng.choice(
        (
            f"{kind} {{ double one[SLACK], two[SLACK]; }} {name};",
            f"{kind} {{ double one[SLACK]; int between; double two[SLACK]; }} {name};",
            f"struct {{ union {{ double one[SLACK]; double two[SLACK]; }}; int more; }} {name};",
            f"struct {{ double first; double one[SLACK], two[SLACK]; }} {name};",
            f"struct {{ char first; double one[SLACK], two[SLACK]; }} "
            f"__attribute__((packed)) {name};",
        )
    )
    one, other = rng.sample("cde", 2)
    if rng.random() < 0.5:
        slots = (("names", f"{text}\n#define {one} {name}.one\n#define {other} {name}.two"),)
        return Dress("members", slots)
    edit = edits.words(**{one: f"{name}.one", other: f"{name}.two"})
    told = ("told", f"    note(&{name}, sizeof {name});")
    return Dress("members", (("names", text), told), edit=edit)


def bits(rng: Random, wearer: Wearer) -> Dress:
    """Integers are parts of words."""
    name = fresh(rng, "bits")
    width = rng.choice((3, 5, 7, 17))
    kind = rng.choice(("signed", "unsigned", "int"))
    text = f"struct {{ {kind} k : {width}, l : 3; }} {name}[SLACK];"
    old = rng.choice("xy")
    edit = edits.vectors(lambda v, r: f"{name}[{r}].k" if v == old else f"{v}[{r}]")
    told = ("told", f"    note(&{name}, sizeof {name});")
    return Dress("bits", (("names", text), told), edit=edit)


def pointers(rng: Random, wearer: Wearer) -> Dress:
    """The loops go through pointers."""
    name = fresh(rng, "p")
    to, instead = rng.choice("cde"), rng.choice("cde")
    text = rng.choice(
        (
            f"double *const {name} = {to};",
            f"double *{name} = {to} + 1;",
            f"double *{name} = &{to}[2];",
            f"const double *{name} = {to};",
            f"double *{name};\n{name} = {to};",
            f"double *const {name} = n > 3 ? {to} : d;",
            f"double (*{name}_)[SLACK] = &{to}; double *{name} = *{name}_;",
            f"float *{name} = (float *){to};",
            f"double *{name}_ = {to}, **{name}__ = &{name}_, *{name} = *{name}__;",
        )
    )
    slot = rng.choice(("opening", "opening", "names"))
    if slot == "names":
        text = f"double *{name} = {to};"
    return Dress("pointers", ((slot, text),), edit=edits.words(**{instead: name}))


def locals_(rng: Random, wearer: Wearer) -> Dress:
    """Variables of the function hide others, or are used by the loops."""
    choices = (
        ("double s = t;", "t = s;"),
        ("double s = t, u = 2;", "t = s + u;"),
        ("double c[SLACK];\nfor (int q = 0; q < SLACK; q++) c[q] = q;", "s = c[3];"),
        ("int i = 7, j = 8;", "s = i + j;"),
        ("int i, j, k;\ni = j = k = 0;", "s = i + j + k;"),
        ("const int rows = n; (void)rows;", ""),
        ("static double t; t = 3;", "s = t;"),
        ("extern double t;", ""),
        ("long q, r; q = r = n;", "s = q + r;"),
        ("register int q = 3;", "s = q;"),
        ("v = 4;", "s = v;"),
        ("int lw_unused = 1;", "s = lw_unused;"),
        ("enum { here = 3 };", "s = here;"),
        ("struct here { int k; } here = { n };", "s = here.k;"),
        ("double (*v2)[SLACK] = a;", "s = v2[1][1];"),
        ("double v3[n]; v3[0] = 1;", "s = v3[0];"),
        ("{ int N = 3; s = N; }", "{ double t = 3; s += t; }"),
    )
    front, end = rng.choice(choices)
    slots = (("opening", front), ("closing", end))
    if "int i, j, k;" in front or "q, r" in front:
        free = rng.choice(("old", "both", "new"))
        edit = lambda loops: re.sub(r"for \(int ([ijkqr]) =", r"for (\1 =", loops)  # noqa: E731
        return Dress("locals", slots, edit=edit, edits=free)
    return Dress("locals", slots)


def parameters(rng: Random, wearer: Wearer) -> Dress:
    """Arrays are parameters of the function."""
    qualifier = "" if wearer.is_cpp else rng.choice(("restrict ", "static ", "", "const "))
    square = rng.choice((f"a[{qualifier}SLACK][SLACK]", "(*a)[SLACK]", "a[][SLACK]"))
    one = rng.choice(
        (f"c[{qualifier}SLACK]", "*c", f"*{'' if wearer.is_cpp else 'restrict '}c", "c[]")
    )
    others = rng.choice(("d", "d", "c", "e"))
    if rng.random() < 0.5:
        return Dress(
            "parameters",
            swaps=(
                ("void work(int n)", f"void work(int n, double {square})"),
                (" work(size)", " work(size, a)"),
            ),
        )
    swaps = (
        ("void work(int n)", f"void work(int n, double {one}, double *d)"),
        (" work(size)", f" work(size, c, {others})"),
    )
    return Dress("parameters", swaps=swaps)


MAKERS = (
    storage,
    storage,
    storage,
    type_names,
    leaks,
    leaks,
    members,
    bits,
    pointers,
    locals_,
    parameters,
)
