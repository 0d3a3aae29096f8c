"""What is stored where: parts of words, unions, copies, objects with a second way to them."""

from __future__ import annotations

from tests.soundness.corpus.frames import (
    PARALLEL,
    PLAIN,
    PRODUCT,
    PRODUCT_LOOPS,
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


def stored(functions: str, **changed: object) -> Frame:
    """Declare things in front of the function."""
    return PLAIN.but(functions=functions, **changed)


def summed(element: str, functions: str, **changed: object) -> Frame:
    """Declare things, and print a sum of elements at the end."""
    ending = (
        f'for (int i = 0; i < N; i++) sum += (i + 1) * {element};\n    printf("%.17g\\n", sum);'
    )
    return PLAIN.but(functions=functions, ending=ending, **changed)


def block(*statements: str) -> str:
    """Write a loop around several statements."""
    return nest("i", "{\n    " + "\n    ".join(statements) + "\n}")


CPP = PLAIN.but(standard="gnu++17")
SHIFT = nest("i=0:N-1", "{0}[i] = 2 * {1}[i + 1];")
SHIFT_BACK = nest("-i=0:N-1", "{0}[i] = 2 * {1}[i + 1];")


def shifted(name: str, frame: Frame, to: str, source: str) -> Pair:
    """Run a loop backwards that moves what has two names."""
    return wrong(
        name,
        frame,
        SHIFT.replace("{0}", to).replace("{1}", source),
        SHIFT_BACK.replace("{0}", to).replace("{1}", source),
    )


BITS = summed(
    "h[i].low + 2 * h[i].high",
    "struct bits { unsigned low : 3; signed high : 4; } h[N];",
)
PUNNED = stored("union both { double number; long bits; float half[2]; } u[N], v;")
MEMBERS = summed(
    "s.first[i]",
    "struct { union { double first[N]; double second[N]; }; double other; } s;",
    setup="for (int i = 0; i < N; i++) s.first[i] = i * i % 7 + 1;",
)
ZERO = summed(
    "z.rest[i]",
    "struct { long count; double none[0]; double rest[N]; } z;",
    setup="for (int i = 0; i < N; i++) z.rest[i] = i * i % 7 + 1;",
)
FLEXIBLE = stored(
    "struct tail { double first; double others[]; };\nstatic struct tail *t;",
    setup="t = (struct tail *)c;",
)
ITSELF = summed(
    "s.x[i]",
    "struct { double x[N]; double *p; } s;",
    setup="for (int i = 0; i < N; i++) s.x[i] = i * i % 7 + 1;\n    s.p = s.x;",
)
CELLS = summed("h[i].x - h[i].y", "struct { double x, y; } h[N];")
ROWS = PLAIN.but(signature="void work(int n, double (*x)[n])", call="work(N, a);")
WRITER = stored(
    "static void put(const double *p, int k) { ((double *)p)[k] = k; }",
)
LATE = stored(
    "double taken(const double *p, int k);",
    ending="return 0;\n}\ndouble taken(const double *p, int k)\n{\n"
    "    ((double *)p)[k] += 1;\n    return p[k];\n}\nint never(void)\n{",
)
POKED = stored(
    """\
static double *kept;
static void keep(double *p) { kept = p; }
static void poke(int k) { *kept = 3 * k; }""",
    opening="double t = 1;\n    keep(&t);",
    closing='printf("%g\\n", t);',
)
WALKING = stored(
    "static double *p;\nstatic void next(void) { p++; }",
    setup="p = c;",
)

PARTS: tuple[Pair, ...] = (
    wrong(
        "a bit-field, forwarded",
        BITS,
        block("h[i].low = i;", "c[i] = h[i].low;"),
        block("h[i].low = i;", "c[i] = i;"),
    ),
    wrong(
        "a signed bit-field, in a local",
        BITS,
        block("h[i].high = i;", "c[i] = h[i].high;"),
        block("int t = i;", "h[i].high = t;", "c[i] = t;"),
    ),
    wrong(
        "the value of an assignment to a bit-field",
        BITS,
        block("c[i] = h[i].low = i;"),
        block("h[i].low = i;", "c[i] = i;"),
    ),
    wrong(
        "a bit-field that counts round",
        stored("struct { unsigned k : 3; } s;"),
        block("s.k++;", "c[i] = s.k;"),
        block("c[i] = i + 1;"),
    ),
    wrong(
        "a union, by the other member",
        PUNNED,
        block("u[i].number = d[i];", "u[i].bits = 0;", "c[i] = u[i].number;"),
        block("u[i].bits = 0;", "u[i].number = d[i];", "c[i] = u[i].number;"),
    ),
    wrong(
        "a union, forwarded past the other member",
        PUNNED,
        block("v.number = d[i];", "v.half[1] = 2;", "c[i] = v.number;"),
        block("v.number = d[i];", "v.half[1] = 2;", "c[i] = d[i];"),
    ),
    wrong(
        "a union, a part of it",
        PUNNED,
        nest("i", "u[i].number = d[i];")
        + "\n"
        + nest("i", "u[i].half[0] = 1;")
        + "\n"
        + nest("i", "c[i] = u[i].bits % 1000;"),
        nest("i", "u[i].half[0] = 1;")
        + "\n"
        + nest("i", "u[i].number = d[i];")
        + "\n"
        + nest("i", "c[i] = u[i].bits % 1000;"),
    ),
    shifted("arrays of an unnamed union", MEMBERS, "s.first", "s.second"),
    shifted("an array of no elements", ZERO, "z.none", "z.rest"),
    wrong(
        "a flexible array",
        FLEXIBLE,
        nest("i=0:N-2", "t->others[i] = 2 * c[i + 2];"),
        nest("-i=0:N-2", "t->others[i] = 2 * c[i + 2];"),
    ),
    shifted("a member that points to its neighbour", ITSELF, "s.p", "s.x"),
    wrong(
        "structs and a pointer to their members",
        CELLS.but(opening="double *p = &h[0].x;"),
        block("h[i].y = d[i];", "p[2 * i + 1] += 1;"),
        nest("i", "p[2 * i + 1] += 1;") + "\n" + nest("i", "h[i].y = d[i];"),
    ),
    wrong(
        "whole structs, shifted",
        CELLS,
        nest("i", "h[i].x = d[i];") + "\n" + nest("i=1:N", "h[i] = h[i - 1];"),
        nest("i", "h[i].x = d[i];") + "\n" + nest("-i=1:N", "h[i] = h[i - 1];"),
    ),
    wrong(
        "a struct that a member's write follows",
        CELLS,
        block("h[i].x = d[i];", "h[i] = h[0];"),
        nest("i", "h[i] = h[0];") + "\n" + nest("i", "h[i].x = d[i];"),
    ),
    wrong(
        "the imaginary part",
        summed("__real__ z[i] + 3 * __imag__ z[i]", "_Complex double z[N];"),
        block("__imag__ z[i] = d[i];", "z[i] = e[i];"),
        block("z[i] = e[i];", "__imag__ z[i] = d[i];"),
    ),
    wrong(
        "bytes of numbers",
        PLAIN.but(opening="unsigned char *byte = (unsigned char *)c;"),
        nest("i", "byte[8 * i + 7] ^= 128;") + "\n" + nest("i", "c[i] = d[i];"),
        nest("i", "c[i] = d[i];") + "\n" + nest("i", "byte[8 * i + 7] ^= 128;"),
    ),
    wrong(
        "memcpy",
        PLAIN.but(includes="#include <stdio.h>\n#include <string.h>\n"),
        "memcpy(c, d, sizeof c);\n" + nest("i", "e[i] = c[i];"),
        nest("i", "e[i] = c[i];") + "\nmemcpy(c, d, sizeof c);",
    ),
    wrong(
        "memset by a builtin, in a loop",
        PLAIN,
        block("c[i] = d[i];", "__builtin_memset(&c[i], 0, 7);"),
        nest("i", "__builtin_memset(&c[i], 0, 7);") + "\n" + nest("i", "c[i] = d[i];"),
    ),
)

SIZES: tuple[Pair, ...] = (
    wrong(
        "a size that has changed since",
        PLAIN.but(opening="int m = 3;\n    double v[m];\n    m = 5;\n    v[0] = m;"),
        nest("i", "c[i] = sizeof(v);"),
        nest("i", "c[i] = m * sizeof(double);"),
    ),
    wrong(
        "rows whose length has changed since",
        ROWS.but(opening="n = n / 2;"),
        nest("i j", "x[i][j] = b[j][i];", "n"),
        nest("i j", "(&x[0][0])[i * n + j] = b[j][i];", "n"),
    ),
    wrong(
        "a size that counts",
        PLAIN.but(opening="int m = 1;", closing='printf("%d\\n", m);'),
        block("double v[m++];", "v[0] = d[i];", "c[i] = v[0];"),
        nest("i", "c[i] = d[i];"),
    ),
    wrong(
        "a size that counts in sizeof",
        PLAIN.but(opening="int m = 1;", closing='printf("%d\\n", m);'),
        nest("i", "c[i] = sizeof(double[m++]);"),
        nest("-i", "c[i] = sizeof(double[m++]);"),
    ),
    wrong(
        "a type whose size has changed since",
        PLAIN.but(opening="int m = 3;\n    typedef double row[m];\n    m = 7;"),
        block("row v;", "c[i] = sizeof v;"),
        block("double v[m];", "c[i] = sizeof v;"),
    ),
    wrong(
        "sizeof of a parameter that was an array",
        PLAIN.but(signature="void work(int n, double x[N])", call="work(N, d);"),
        nest("i", "c[i] = sizeof x;"),
        nest("i", "c[i] = N * sizeof(double);"),
    ),
    wrong(
        "a string", PLAIN, nest("i", 'c[i] = "hello"[i % 5];'), nest("i", 'c[i] = "hallo"[i % 5];')
    ),
    wrong(
        "a string in two parts",
        PLAIN,
        nest("i", 'c[i] = ("\\x4" "1")[i % 2];'),
        nest("i", 'c[i] = ("\\x41" "")[i % 2];'),
    ),
    wrong(
        "a string of wide characters",
        PLAIN,
        nest("i", 'c[i] = sizeof("ab");'),
        nest("i", 'c[i] = sizeof(L"ab");'),
    ),
    wrong(
        "a compound literal outside of its loop",
        PLAIN,
        block("double *p = (double[1]){0};", "p[0] += d[i];", "c[i] = p[0];"),
        "{\ndouble *p = (double[1]){0};\n" + block("p[0] += d[i];", "c[i] = p[0];") + "\n}",
    ),
    wrong(
        "a static local of the loop",
        PLAIN,
        block("static double t = 1;", "t += d[i];", "c[i] = t;"),
        block("double t = 1;", "t += d[i];", "c[i] = t;"),
    ),
    wrong(
        "a static local of the loop, backwards",
        PLAIN,
        block("static double t = 1;", "t += d[i];", "c[i] = t;"),
        block("static double t = 1;", "t += d[i];", "c[i] = t;").replace(
            "int i = 0; i < N; i++", "int i = N - 1; i >= 0; i--"
        ),
    ),
    wrong(
        "a static local becomes new",
        PLAIN.but(call="work(N);\n    work(N);"),
        block("double t = 1;", "t += d[i];", "c[i] = t;"),
        block("static double t = 1;", "t += d[i];", "c[i] = t;"),
    ),
)

WAYS: tuple[Pair, ...] = (
    shifted("a pointer to volatile", PLAIN.but(opening="volatile double *p = c;"), "p", "c"),
    shifted("a pointer to const", PLAIN.but(opening="const double *p = c;"), "c", "p"),
    shifted("a const pointer of the file", stored("static double *const p = c;"), "p", "c"),
    shifted("a register pointer", PLAIN.but(opening="register double *p = &c[0];"), "p", "c"),
    shifted(
        "a pointer in a struct's initializer",
        stored("static struct { int k; double *p; } s = {1, c};"),
        "s.p",
        "c",
    ),
    shifted(
        "a pointer through an integer",
        PLAIN.but(opening="double *p = (double *)(unsigned long)c;"),
        "p",
        "c",
    ),
    wrong(
        "a constant that is an element",
        stored("static const double *limit = &c[3];"),
        nest("i", "c[i] = d[i] * *limit;"),
        "{\nconst double t = *limit;\n" + nest("i", "c[i] = d[i] * t;") + "\n}",
    ),
    wrong(
        "a size that is an element",
        stored(
            "static int k[N] = {20, 20, 20};\nstatic const int *size = &k[1];",
            closing="c[0] = k[5];",
        ),
        "for (int i = 0; i < *size; i++)\n    k[i] = 2;",
        "{\nconst int m = *size;\nfor (int i = 0; i < m; i++)\n    k[i] = 2;\n}",
    ),
    wrong(
        "const that a callee casts away",
        WRITER,
        nest("i=0:N-1", "{ put(c, i); e[i] = c[i + 1]; }"),
        nest("i=0:N-1", "put(c, i);") + "\n" + nest("i=0:N-1", "e[i] = c[i + 1];"),
    ),
    wrong(
        "const that a callee casts away, far behind",
        LATE,
        nest("i=0:N-1", "{ e[i] = taken(c, i); d[i] = c[i + 1]; }"),
        nest("i=0:N-1", "d[i] = c[i + 1];") + "\n" + nest("i=1:N-1", "e[i] = taken(c, i);"),
    ),
    wrong(
        "an address that a callee has kept",
        POKED,
        block("poke(i);", "c[i] = t;"),
        nest("i", "c[i] = t;") + "\n" + nest("i", "poke(i);"),
    ),
    wrong(
        "an address that a callee has kept, of a local",
        POKED,
        block("t = d[i];", "poke(i);", "c[i] = t;"),
        block("double u = d[i];", "poke(i);", "c[i] = u;"),
    ),
    wrong(
        "a pointer that a callee moves",
        WALKING,
        block("*p = d[i] + 1;", "next();"),
        nest("-i", "{\n    *p = d[i] + 1;\n    next();\n}"),
    ),
    wrong(
        "an atomic value in parallel",
        stored("static _Atomic double s;", ending='printf("%.17g\\n", s);'),
        nest("i", "s = 0.5 * s + d[i];"),
        "#pragma omp parallel for num_threads(4) schedule(static, 1)\n"
        + nest("i", "s = 0.5 * s + d[i];"),
    ),
    wrong(
        "an atomic byte, forwarded",
        stored("static _Atomic unsigned char s;"),
        block("s = 40 * i;", "c[i] = s;"),
        block("s = 40 * i;", "c[i] = 40 * i;"),
    ),
    wrong(
        "a volatile float, forwarded",
        stored("static volatile float s;"),
        block("s = d[i] / 3;", "c[i] = s;"),
        block("s = d[i] / 3;", "c[i] = d[i] / 3;"),
    ),
    wrong(
        "threads' own value, behind a function",
        stored(
            "static _Thread_local double own;\nstatic double mine(void) { return own; }",
            setup="own = 3;",
        ),
        nest("i", "c[i] = mine() * d[i];"),
        "#pragma omp parallel for num_threads(4)\n" + nest("i", "c[i] = mine() * d[i];"),
    ),
)

REFERENCES: tuple[Pair, ...] = (
    shifted("a reference to an array", CPP.but(opening="double (&r)[N] = c;"), "r", "c"),
    shifted("a reference of the file", CPP.but(functions="static auto &r = c;"), "r", "c"),
    shifted(
        "names of an unnamed union",
        summed(
            "p[i]",
            "static union { double p[N]; double q[N]; };",
            standard="gnu++17",
            setup="for (int i = 0; i < N; i++) p[i] = i * i % 7 + 1;",
        ),
        "p",
        "q",
    ),
    shifted(
        "a member that is a reference",
        CPP.but(functions="struct view { double (&x)[N]; };\nstatic view s{c};"),
        "s.x",
        "c",
    ),
    shifted(
        "a binding of a struct",
        CPP.but(
            functions="static struct both { double first[N], second[N]; } s;",
            opening="auto &[p, q] = s;\n    for (int i = 0; i < N; i++) p[i] = i * i % 7 + 1;",
            closing="for (int i = 0; i < N; i++) c[i] = p[i];",
        ),
        "p",
        "s.first",
    ),
    wrong(
        "a reference to an element",
        CPP.but(opening="double &r = c[3];"),
        nest("i", "c[i] = d[i] * r;"),
        "{\nconst double t = r;\n" + nest("i", "c[i] = d[i] * t;") + "\n}",
    ),
    wrong(
        "a reference to the size",
        CPP.but(opening="int m = 20;\n    int &r = m;"),
        "for (int i = 0; i < m; i++) {\n    c[i] = 1;\n    r = 10;\n}",
        "{\nconst int k = m;\nfor (int i = 0; i < k; i++) {\n    c[i] = 1;\n    r = 10;\n}\n}",
    ),
    wrong(
        "a reference that a function returns",
        CPP.but(functions="static double &at(int k) { return c[k / 2]; }"),
        nest("i", "at(i) = d[i];"),
        nest("-i", "at(i) = d[i];"),
    ),
    wrong(
        "a parameter that is a reference",
        CPP.but(
            functions="static double total;\n"
            "static void add(double &to, double x) { to = 0.5 * to + x; }",
            ending='printf("%.17g\\n", total);',
        ),
        nest("i", "add(total, d[i]);"),
        nest("-i", "add(total, d[i]);"),
    ),
    wrong(
        "a member that changes in const functions",
        CPP.but(
            functions="struct counter {\n    mutable int k;\n"
            "    double next() const { return ++k; }\n};\nstatic const counter s{0};"
        ),
        nest("i", "c[i] = s.next();"),
        nest("-i", "c[i] = s.next();"),
    ),
    wrong(
        "const_cast",
        CPP.but(functions="static const double &r = c[3];"),
        block("const_cast<double &>(r) = i;", "e[i] = c[3];"),
        nest("i", "e[i] = c[3];") + "\n" + nest("i", "const_cast<double &>(r) = i;"),
    ),
)

EVERYTHING = stored(
    """\
struct bits { unsigned low : 3, high : 4; };
union both { double number; long bits; };
struct tail { int k; double others[]; };
static volatile int watched;
static _Atomic int counted;
static int strange(int m)
{
    double v[m];
    struct bits s = {5, 6};
    union both u = {.number = m};
    static int calls;
    v[m - 1] = s.low++;
    watched = (int)v[m - 1];
    counted++;
    return calls++ + s.low + watched + counted + (u.bits != 0) + *(int[]){4};
}""",
    ending='printf("%d %d\\n", strange(3), strange(4));',
)
FIXED = PLAIN.but(
    opening="double v[n][n];\n    for (int i = 0; i < n; i++)\n"
    "        for (int j = 0; j < n; j++)\n            v[i][j] = i - j;",
    closing="for (int i = 0; i < n; i++)\n        c[i] += v[i][1] + v[2][i];",
)
INTO_LOCAL = nest("i j", "v[i][j] += b[j][i];", "n")
INTO_LOCAL_NEW = PARALLEL + nest("j i", "v[i][j] += b[j][i];", "n")
TRUE = PLAIN.but(
    signature="void work(int n, double x[restrict n][n], const double y[restrict n][n])",
    call="work(N, a, b);",
)
TRUE_LOOPS = (
    nest("i j", "x[i][j] += y[j][i];", "n"),
    PARALLEL + nest("j i", "x[i][j] += y[j][i];", "n"),
)

RIGHT: tuple[Pair, ...] = (
    right("everything strange is elsewhere", EVERYTHING, *PRODUCT_LOOPS),
    right("everything strange is elsewhere, tiled", EVERYTHING, PRODUCT, TILED_NEW),
    right(
        "everything strange is called in front",
        EVERYTHING.but(opening="int k = strange(5);", closing="c[0] = k;"),
        *TURNED_LOOPS,
    ),
    right("a local of variable size", FIXED, INTO_LOCAL, INTO_LOCAL_NEW),
    right("restrict that is so", TRUE, *TRUE_LOOPS),
    right(
        "constants",
        stored("static const double k[3] = {1, 2, 4};"),
        nest("i j", "a[i][j] = b[j][i] * k[1];"),
        PARALLEL + nest("j i", "a[i][j] = b[j][i] * k[1];"),
    ),
    right(
        "structs, each member for itself",
        CELLS,
        nest("i", "h[i].x = d[i];") + "\n" + nest("i", "h[i].y = e[i];"),
        nest("i", "h[i].y = e[i];") + "\n" + PARALLEL + nest("i", "h[i].x = d[i];"),
    ),
    right(
        "a struct of arrays",
        summed("s.y[i]", "struct { double x[N], y[N]; } s;"),
        nest("i=0:N-1", "s.y[i] = s.x[i + 1] + d[i];"),
        PARALLEL + nest("i=0:N-1", "s.y[i] = s.x[i + 1] + d[i];"),
    ),
    right(
        "a static local elsewhere",
        PLAIN.but(opening="static int calls;\n    calls++;"),
        *PRODUCT_LOOPS,
    ),
    right(
        "a volatile size",
        PLAIN.but(opening="volatile int size = N;\n    n = size;"),
        *PRODUCT_LOOPS,
    ),
    right(
        "a register scalar",
        PLAIN.but(opening="register double k = 3;"),
        nest("i j", "a[i][j] = k * b[j][i];"),
        PARALLEL + nest("j i", "a[i][j] = k * b[j][i];"),
    ),
    right(
        "a reference elsewhere", CPP.but(opening="double &r = c[3];\n    r = 5;"), *PRODUCT_LOOPS
    ),
    right(
        "pointers elsewhere",
        PLAIN.but(
            functions="static double *kept;\nstatic void keep(double *p) { kept = p; }",
            closing="keep(c);",
        ),
        *PRODUCT_LOOPS,
    ),
    right(
        "a string in front",
        PLAIN.but(opening='const char *text = "don\'t /* stop";\n    c[0] = text[1];'),
        *TURNED_LOOPS,
    ),
    right(
        "a flexible array elsewhere",
        stored(
            "struct tail { int k; double others[]; };\nstatic struct tail t = {1, {2, 3}};",
            ending='printf("%g\\n", t.others[1]);',
        ),
        *PRODUCT_LOOPS,
    ),
    right(
        "a union that nobody reads otherwise",
        stored("static union { double x[N]; long bits[N]; } u;"),
        nest("i", "u.x[i] = d[i];") + "\n" + nest("i", "c[i] = u.x[i];"),
        block("u.x[i] = d[i];", "c[i] = u.x[i];"),
    ),
)

PAIRS: tuple[Pair, ...] = PARTS + SIZES + WAYS + REFERENCES + RIGHT

LABELLED = nest("i=0:N-1", "Move: {0}[i] = 2 * {1}[i + 1];")


def backwards(name: str, frame: Frame, to: str, source: str) -> Program:
    """Ask a script to run a loop backwards that moves what has two names."""
    region = LABELLED.replace("{0}", to).replace("{1}", source)
    return leave(name, frame, region, "reverse(Move, 1)")


ALIASED_PRODUCT = nest("i j k", "x[i][j] += b[i][k] * a[k][j];", "n")

PROGRAMS: tuple[Program, ...] = (
    backwards("arrays of an unnamed union", MEMBERS, "s.first", "s.second"),
    backwards("an array of no elements", ZERO, "z.none", "z.rest"),
    backwards("a member that points to its neighbour", ITSELF, "s.p", "s.x"),
    backwards("a reference to an array", CPP.but(opening="double (&r)[N] = c;"), "r", "c"),
    backwards("a reference of the file", CPP.but(functions="static auto &r = c;"), "r", "c"),
    backwards("a const pointer of the file", stored("static double *const p = c;"), "p", "c"),
    backwards("a pointer to volatile", PLAIN.but(opening="volatile double *p = c;"), "p", "c"),
    leave(
        "a product into its own matrix, by a pointer",
        PLAIN.but(opening="double (*x)[N] = a;"),
        ALIASED_PRODUCT,
    ),
    leave(
        "a product into its own matrix, by a reference",
        CPP.but(opening="auto &x = a;"),
        ALIASED_PRODUCT,
    ),
    leave(
        "a product into its own matrix, by a const pointer",
        PLAIN.but(opening="double (*const x)[N] = &a[0];"),
        ALIASED_PRODUCT,
    ),
    leave("a product of bit-fields", BITS, nest("i j", "h[i].low += (int)b[i][j];")),
    leave(
        "a product of bit-fields, by a script",
        BITS,
        nest("i j", "Add: h[i].low += (int)b[i][j];"),
        "tile(Add, 4, 4)",
    ),
    leave(
        "a product into a union",
        PUNNED,
        nest("i j", "u[i].number += b[i][j] * w[j][i];")
        + "\n"
        + nest("i", "u[i].half[1] = 3;")
        + "\n"
        + nest("i", "c[i] = u[i].number;"),
    ),
    leave(
        "a volatile product",
        PLAIN.but(arrays="volatile double a[N][N]; double b[N][N], w[N][N], c[N], d[N], e[N];"),
        PRODUCT,
    ),
    leave(
        "an atomic sum",
        stored("static _Atomic double s;", ending='printf("%.17g\\n", s);'),
        nest("i j", "s = 0.5 * s + b[i][j];"),
    ),
    leave(
        "rows whose length has changed since",
        ROWS.but(opening="n = n / 2;"),
        nest("i j k", "x[i][j] += b[i][k] * w[k][j];", "n"),
    ),
    leave(
        "a static local of the loop",
        PLAIN,
        nest("i j", "{ static double t = 1; t += b[i][j]; a[i][j] = t; }"),
    ),
    leave(
        "a size that counts",
        PLAIN.but(opening="int m = 1;", closing='printf("%d\\n", m);'),
        nest("i j", "{ double v[m++]; v[0] = b[j][i]; a[i][j] = v[0]; }"),
    ),
    leave(
        "const that a callee casts away",
        WRITER,
        nest("i=0:N-1 j", "{ put(c, i); a[i][j] += c[i + 1]; }"),
    ),
    leave("an address that a callee has kept", POKED, nest("i j", "{ poke(i); a[i][j] += t; }")),
    worth_it("everything strange is elsewhere", EVERYTHING),
    worth_it(
        "everything strange is called in front",
        EVERYTHING.but(opening="int k = strange(5);", closing="c[0] = k;"),
    ),
    worth_it("a volatile size", PLAIN.but(opening="volatile int size = N;\n    n = size;")),
    worth_it("restrict that is so", TRUE, nest("i j k", "x[i][j] += y[i][k] * y[k][j];", "n")),
    worth_it("a reference elsewhere", CPP.but(opening="double &r = c[3];\n    r = 5;")),
    worth_it(
        "a local of variable size", FIXED, nest("i j k", "v[i][j] += b[i][k] * w[k][j];", "n")
    ),
    worth_it(
        "a struct of arrays",
        stored(
            "struct { double x[N][N], y[N][N]; } s;",
            closing="c[0] = s.y[1][2];",
            setup="s.x[1][3] = 2;",
        ),
        nest("i j k", "s.y[i][j] += s.x[i][k] * w[k][j];", "n"),
    ),
)
