"""What depends on the types of iterators, and values that other types would round or wrap.

New loops often count with another type than the old ones: ``long`` for ``int``, ``int`` for
``unsigned``.  Most subscripts do not see that; what stands here does.
"""

from __future__ import annotations

from typing import Any

from tests.soundness.corpus.dressing import UPDATE, multiplication, program
from tests.soundness.corpus.frames import (
    PARALLEL,
    PLAIN,
    PRODUCT_LOOPS,
    Frame,
    leave,
    nest,
    right,
    worth_it,
    wrong,
)
from tests.soundness.pairs import Pair, Program


def counted(body: str, iterator: str, loops: str = "i") -> str:
    """Write loops with iterators of some type."""
    return nest(loops, body).replace("(int ", f"({iterator} ")


def retyped(
    name: str, body: str, frame: Frame = PLAIN, old: str = "int", new: str = "long"
) -> Pair:
    """Make a pair in which only the type of the iterator changes."""
    return wrong(name, frame, counted(body, old), counted(body, new))


CPP = PLAIN.but(standard="gnu++17")
OVERLOADED = CPP.but(
    functions="""\
static double kind(int) { return 1; }
static double kind(long) { return 2; }
static double kind(unsigned) { return 3; }""",
)
OVERLOADED_TWICE = CPP.but(
    functions="""\
static double kind(double x, int) { return x + 1; }
static double kind(double x, long) { return 2 * x; }""",
)
TEMPLATE = CPP.but(
    functions="template <typename T> static double bytes(T) { return sizeof(T); }",
)
SPECIAL = CPP.but(
    functions="""\
template <typename T> struct kind { static constexpr double value = 1; };
template <> struct kind<int> { static constexpr double value = 2; };""",
)
SUBSCRIPTS = CPP.but(
    functions="""\
struct table {
    double x[N];
    double &operator[](int k) { return x[k]; }
    double &operator[](long k) { return x[N - 1 - k]; }
};
static table t;""",
    ending='for (int i = 0; i < N; i++) sum += (i + 1) * t.x[i];\n    printf("%.17g\\n", sum);',
)
COUNTING = CPP.but(
    functions="""\
static int steps;
struct index {
    int k;
    index(int start) : k(start) {}
    operator int() const { return k; }
    void operator++(int) { k++; steps++; }
};""",
    ending='printf("%d\\n", steps);',
)
KIND = {"kind.h": "#define KIND(x) _Generic((x), int: 1, long: 2, default: 3)\n"}
INCLUDING = PLAIN.but(head='#include "kind.h"', files=KIND)
WRAPPING = PLAIN.but(head="#define SAME(x) __extension__({ __typeof__(x) x_ = (x); x_; })")
ROUND_TO = PLAIN.but(head="#define AS(x, y) ((__typeof__(x))(y))")
LARGE = "4294967297LL"

LEAKS: tuple[Pair, ...] = (
    retyped("sizeof of an iterator", "c[i] = sizeof(i);"),
    retyped("sizeof without parentheses", "c[i] = sizeof i * 2.0;"),
    retyped("sizeof of a sum of iterators", "c[i] = sizeof(i + 'x');"),
    retyped(
        "sizeof by a macro of the command line",
        "c[i] = BYTES(i);",
        PLAIN.but(define=("BYTES(x)=sizeof(x)",)),
    ),
    retyped("_Alignof of an iterator", "c[i] = __alignof__(i);"),
    retyped("the size of a local array of that type", "{ __typeof__(i) v[3]; c[i] = sizeof v; }"),
    retyped("typeof of a local", "{ __typeof__(i) t = 4294967290u + i; c[i] = t; }"),
    retyped("typeof without underscores", "{ typeof(i) t = 4294967290u + i; c[i] = t; }"),
    retyped("typeof in a cast", f"c[i] = (__typeof__(i)){LARGE};"),
    retyped("typeof in a cast by a macro", f"c[i] = AS(i, {LARGE});", ROUND_TO),
    retyped("typeof of a pointer to it", "{ __typeof__(&i) p = 0; c[i] = (long)(p + 1); }"),
    retyped("__auto_type", "{ __auto_type t = i; c[i] = sizeof t; }"),
    retyped("_Generic", "c[i] = _Generic(i, int: 5, long: 7, default: 9);"),
    retyped("_Generic behind a header's macro", "c[i] = KIND(i + 1);", INCLUDING),
    retyped(
        "_Generic that chooses a function",
        "c[i] = _Generic(i, int: once, default: twice)(d[i]);",
        PLAIN.but(
            functions="static double once(double x) { return x; }\n"
            "static double twice(double x) { return 2 * x; }"
        ),
    ),
    retyped("compatible types", "c[i] = __builtin_types_compatible_p(__typeof__(i), int);"),
    retyped(
        "a choice by compatible types",
        "c[i] = __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(i), long), 3, 4);",
    ),
    retyped("decltype", "c[i] = sizeof(decltype(i));", CPP),
    retyped("auto", "{ auto t = i; c[i] = sizeof(t); }", CPP),
    retyped("an overloaded function", "c[i] = kind(i);", OVERLOADED),
    retyped("an overloaded function, second argument", "c[i] = kind(d[i], i);", OVERLOADED_TWICE),
    retyped("an overloaded function, of unsigned", "c[i] = kind(i);", OVERLOADED, "unsigned"),
    retyped("a template", "c[i] = bytes(i);", TEMPLATE),
    retyped("a template's specialization", "c[i] = kind<decltype(i)>::value;", SPECIAL),
    retyped("an overloaded subscript", "t[i] = d[i];", SUBSCRIPTS),
    retyped("a generic lambda", "c[i] = [](auto x) { return sizeof(x); }(i);", CPP),
    retyped("if constexpr", "if constexpr (sizeof(i) == 4) c[i] = 1; else c[i] = 2;", CPP),
    retyped(
        "the name of a type",
        "c[i] = typeid(i).name()[0];",
        CPP.but(includes="#include <stdio.h>\n#include <typeinfo>\n"),
    ),
    retyped("an iterator of a class", "c[i] = d[i];", COUNTING, "index", "int"),
    wrong(
        "sizeof of the outer iterator",
        PLAIN,
        nest("i j", "a[i][j] = b[j][i] + sizeof(i);"),
        nest("j i", "a[i][j] = b[j][i] + sizeof(i);").replace("int i", "long i"),
    ),
    wrong(
        "sizeof of the variable that counted outside",
        PLAIN.but(opening="short i;"),
        "for (i = 0; i < N; i++)\n    c[i] = sizeof(i);",
        counted("c[i] = sizeof(i);", "int"),
    ),
)

SIGNS: tuple[Pair, ...] = (
    retyped("unsigned below zero", "c[i] = i - 1;", old="unsigned"),
    retyped("unsigned below zero, halved", "c[i] = (i - 10) / 2;", old="unsigned"),
    retyped("unsigned below zero, compared", "c[i] = i - 5 > 100;", old="unsigned"),
    retyped("unsigned complement", "c[i] = ~i;", old="unsigned"),
    retyped("unsigned products that wrap", "c[i] = i * 500000000;", old="unsigned"),
    retyped("a sum with an unsigned constant", "c[i] = i - 5u;"),
    retyped("a comparison with an unsigned constant", "c[i] = i - 5 < 1u ? 1 : 2;"),
    retyped("the type of a choice", "c[i] = 0 ? 1u : i - 5;"),
    retyped("a product with an unsigned constant", "c[i] = i * 65536u * 65536u;"),
    retyped(
        "a comparison with sizeof", "c[i] = i - 3 < sizeof(short) ? 1 : 2;", new="signed __int128"
    ),
    retyped("128 bits", "c[i] = (double)(i << 62);", old="unsigned __int128", new="unsigned long"),
    retyped(
        "an enumeration below zero",
        "c[i] = i - 1;",
        PLAIN.but(functions="enum color { RED, GREEN, LAST = 100 };"),
        "enum color",
        "int",
    ),
    wrong(
        "an unsigned parameter below zero",
        PLAIN.but(signature="void work(unsigned n)"),
        "for (int i = 0; i < N && i < n - 25; i++)\n    c[i] = d[i];",
        "for (int i = 0; i < N && i < (int)n - 25; i++)\n    c[i] = d[i];",
    ),
)

WRAPS: tuple[Pair, ...] = (
    wrong(
        "unsigned char that comes round",
        PLAIN,
        "for (unsigned char i = 250; i > 3; i += 3)\n    e[i % N] += 1;",
        "for (int i = 250; i > 3 && i < 300; i += 3)\n    e[i % N] += 1;",
    ),
    wrong(
        "unsigned char downwards",
        PLAIN,
        "for (unsigned char i = 5; i < 6; i--)\n    e[i] += d[i];",
        "for (int i = 5; i < 6 && i > 0; i--)\n    e[i] += d[i];",
    ),
    wrong(
        "a narrow copy of an iterator",
        PLAIN,
        "for (int i = 0; i < 300; i++)\n    e[i % N] += i;",
        "for (int k = 0; k < 300; k++) {\n    unsigned char i = k;\n    e[i % N] += i;\n}",
    ),
    wrong(
        "a short element, forwarded",
        PLAIN.but(functions="short h[N];"),
        "for (int i = 0; i < N; i++) {\n    h[i] = 3000 * i;\n    c[i] = h[i];\n}",
        "for (int i = 0; i < N; i++) {\n    h[i] = 3000 * i;\n    c[i] = 3000 * i;\n}",
    ),
    wrong(
        "a float element, forwarded",
        PLAIN.but(functions="float h[N];"),
        "for (int i = 0; i < N; i++) {\n    h[i] = d[i] / 3;\n    c[i] = h[i];\n}",
        "for (int i = 0; i < N; i++) {\n    h[i] = d[i] / 3;\n    c[i] = d[i] / 3;\n}",
    ),
    wrong(
        "a Boolean element, forwarded",
        PLAIN.but(functions="_Bool h[N];"),
        nest("i", "h[i] = d[i];") + "\n" + nest("i", "c[i] = h[i];"),
        nest("i", "h[i] = d[i];") + "\n" + nest("i", "c[i] = d[i];"),
    ),
    wrong(
        "a bit-field, in an unsigned local",
        PLAIN.but(functions="struct { unsigned low : 3; } h[N];"),
        "for (int i = 0; i < N; i++)\n    c[i] = h[i].low - 1;",
        "for (int i = 0; i < N; i++) {\n    unsigned t = h[i].low;\n    c[i] = t - 1;\n}",
    ),
    wrong(
        "an unsigned short, in an unsigned local",
        PLAIN.but(functions="unsigned short h[N];"),
        "for (int i = 0; i < N; i++)\n    c[i] = h[i] - 1;",
        "for (int i = 0; i < N; i++) {\n    unsigned t = h[i];\n    c[i] = t - 1;\n}",
    ),
    wrong(
        "a float iterator",
        PLAIN,
        "for (float f = 0; f < 1; f += 0.1f)\n    c[(int)(10 * f)] += 1;",
        "for (double f = 0; f < 1; f += 0.1)\n    c[(int)(10 * f)] += 1;",
    ),
    wrong(
        "a float iterator that becomes an integer",
        PLAIN,
        "for (float f = 8388606; f < 8388616; f += 1.5f)\n    c[(int)f % N] += 1;",
        "for (int k = 0; 3 * k < 20; k++)\n    c[(8388606 + 3 * k / 2) % N] += 1;",
    ),
    wrong(
        "an enumeration of one byte",
        PLAIN.but(
            functions="enum __attribute__((packed)) tiny { NONE, SOME = 200 };\nenum tiny h[N];"
        ),
        "for (int i = 0; i < N; i++) {\n    h[i] = 20 * i;\n    c[i] = h[i];\n}",
        "for (int i = 0; i < N; i++) {\n    h[i] = 20 * i;\n    c[i] = 20 * i;\n}",
    ),
    wrong(
        "a new typedef shadows the old one",
        PLAIN.but(functions="typedef double real;"),
        "for (int i = 0; i < N; i++) {\n    real t = d[i] / 2;\n    c[i] = t;\n}",
        "{\ntypedef int real;\n"
        "for (int i = 0; i < N; i++) {\n    real t = d[i] / 2;\n    c[i] = t;\n}\n}",
    ),
    wrong(
        "a typedef of the function shadows that of the file",
        PLAIN.but(functions="typedef double real;", opening="typedef float real;"),
        "for (int i = 0; i < N; i++) {\n    real t = d[i] / 3;\n    c[i] = t;\n}",
        nest("i", "c[i] = d[i] / 3;"),
    ),
    wrong(
        "a typedef of the loop's body shadows",
        PLAIN.but(functions="typedef int real;"),
        "for (int i = 0; i < N; i++) {\n    typedef double real;\n"
        "    real t = d[i] / 2;\n    c[i] = t;\n}",
        "for (int i = 0; i < N; i++) {\n    real t = d[i] / 2;\n    c[i] = t;\n}",
    ),
    wrong(
        "a type of a variable that is shadowed",
        PLAIN.but(functions="int t;"),
        "for (int i = 0; i < N; i++) {\n    double t = 0;\n"
        "    __typeof__(t) u = d[i] / 2;\n    c[i] = u;\n}",
        "for (int i = 0; i < N; i++) {\n    __typeof__(t) u = d[i] / 2;\n    c[i] = u;\n}",
    ),
    wrong(
        "a sum that is narrower",
        PLAIN.but(opening="float s = 0;", closing='printf("%.9g\\n", s);'),
        nest("i", "s = s * 3.1 + d[i] / 7;"),
        "{\ndouble t = s;\n" + nest("i", "t = t * 3.1 + d[i] / 7;") + "\ns = t;\n}",
    ),
)

COLUMNS = "{0} t = b[j][i];\n    a[i][j] = t + 1;"


def turned(body: str, iterator: str = "int") -> tuple[str, str]:
    """Write a nest, and the same nest interchanged, in parallel, with long iterators."""
    block = f"{{\n    {body}\n}}"
    return counted(block, iterator, "i j"), PARALLEL + counted(block, "long", "j i")


RIGHT: tuple[Pair, ...] = (
    right("long iterators", PLAIN, *turned("a[i][j] = b[j][i] + 1;")),
    right("unsigned iterators", PLAIN, *turned("a[i][j] = b[j][i] + 1;", "unsigned")),
    right("short iterators", PLAIN, *turned("a[i][j] = b[j][i] + 1;", "short")),
    right(
        "size_t iterators",
        PLAIN.but(includes="#include <stddef.h>\n#include <stdio.h>\n"),
        *turned("a[i][j] = b[j][i] + 1;", "size_t"),
    ),
    right("sizeof of an element", PLAIN, *turned("a[i][j] = b[j][i] + sizeof(b[j][i]);")),
    right("sizeof of a type", PLAIN, *turned("a[i][j] = b[j][i] + sizeof(int);")),
    right("typeof of an element", PLAIN, *turned(COLUMNS.format("__typeof__(a[0][0])"))),
    right(
        "typeof of an iterator elsewhere",
        PLAIN.but(opening="int i = 3;\n    __typeof__(i) k = 5;", closing="c[0] = sizeof(k);"),
        *PRODUCT_LOOPS,
    ),
    right("_Generic elsewhere", INCLUDING.but(closing="c[0] = KIND(n);"), *PRODUCT_LOOPS),
    right(
        "a typedef in the function",
        PLAIN.but(opening="typedef double real;"),
        *turned(COLUMNS.format("real")),
    ),
    right(
        "a typedef that shadows, in both",
        PLAIN.but(functions="typedef int real;", opening="typedef double real;"),
        *turned(COLUMNS.format("real")),
    ),
    right("decltype of an element", CPP, *turned(COLUMNS.format("decltype(a[0][0] + 0)"))),
    right(
        "an overloaded function of elements",
        CPP.but(
            functions="static inline double half(double x) { return x / 2; }\n"
            "static inline double half(float x) { return x / 3; }"
        ),
        *turned("a[i][j] = half(b[j][i]);"),
    ),
    right(
        "a cast to the type that it was",
        PLAIN,
        nest("i", "c[i] = sizeof((int)i);"),
        counted("c[i] = sizeof((int)i);", "long"),
    ),
    right(
        "an unsigned value that does not wrap",
        PLAIN,
        counted("c[i] = i + 1;", "unsigned"),
        counted("c[i] = i + 1;", "long"),
    ),
    right(
        "floats stay floats",
        PLAIN.but(functions="float h[N][N];"),
        *turned("h[i][j] = b[j][i] / 3;\n    a[i][j] = h[i][j];"),
    ),
    right(
        "an enumeration counts",
        PLAIN.but(functions="enum color { RED, GREEN, LAST = 100 };"),
        counted("c[i] = d[i];", "enum color"),
        counted("c[i] = d[i];", "int"),
    ),
    right("auto for elements", CPP, *turned(COLUMNS.format("auto"))),
    right("__auto_type for elements", PLAIN, *turned(COLUMNS.format("__auto_type"))),
)

PAIRS: tuple[Pair, ...] = LEAKS + SIGNS + WRAPS + RIGHT

INTO = "C[i][j] += A[i][k] * B[k][j]{0};"


def leaking(name: str, what: str, script: str = "", **options: Any) -> Program:
    """Make a program whose product has a factor that depends on a type."""
    region = multiplication(("S: " if script else "") + INTO.format(what))
    return program(name, region, script=script, rewritten=False, **options)


TILE = "tile(S, 8, 8, 8)\n"

PROGRAMS: tuple[Program, ...] = (
    leaking("sizeof of an iterator", " * sizeof(k)"),
    leaking("sizeof of an iterator, by a script", " + sizeof(i)", TILE),
    leaking("typeof in a cast", f" + (__typeof__(j)){LARGE}"),
    leaking("typeof in a cast, by a script", f" + (__typeof__(j)){LARGE}", TILE),
    leaking("_Generic", " * _Generic(k, int: 1, long: 2, default: 3)"),
    leaking("_Generic of a sum", " * _Generic(i + k, int: 1, long: 2, default: 3)", TILE),
    leaking("compatible types", " + __builtin_types_compatible_p(__typeof__(k), int)"),
    leaking("a sum with an unsigned constant", " + (i - 5u)", TILE),
    leaking("a comparison with an unsigned constant", " + (k - 5 < 1u)"),
    leaking("the type of a choice", " + (0 ? 1u : j - 5)", TILE),
    leaking("decltype", " * sizeof(decltype(k))", standard="gnu++17"),
    leaking(
        "an overloaded function",
        " * kind(k)",
        standard="gnu++17",
        top="static int kind(int) { return 1; }\nstatic int kind(long) { return 2; }",
    ),
    leaking(
        "a template",
        " * bytes(j)",
        standard="gnu++17",
        top="template <typename T> static int bytes(T) { return sizeof(T); }",
    ),
    leaking(
        "a template of two equal types",
        " + std::max(i, n)",
        standard="gnu++17",
        top="#include <algorithm>",
    ),
    leaking("a braced initializer", " + int{k}", standard="gnu++17"),
    program(
        "unsigned iterators below zero",
        multiplication(INTO.format(" + (k - 3)"), "unsigned"),
        rewritten=False,
    ),
    program(
        "unsigned iterators below zero, by a script",
        multiplication("S: " + INTO.format(" + (k - 3) / 2"), "unsigned"),
        script=TILE,
        rewritten=False,
    ),
    program(
        "short iterators, their size",
        multiplication(INTO.format(" * sizeof(k)"), "short"),
        rewritten=False,
    ),
    program(
        "a typedef that shadows",
        multiplication("{ real t = A[i][k] / 2; C[i][j] += t * B[k][j]; }"),
        top="typedef double real;",
        opening="typedef int real;",
        rewritten=False,
    ),
    leave(
        "a class for an iterator",
        COUNTING,
        nest("i j k", "a[i][j] += b[i][k] * w[k][j];", "n").replace("(int ", "(index "),
    ),
    leave(
        "an overloaded subscript",
        SUBSCRIPTS,
        nest("i j", "t[j] += b[i][j] * w[i][j];"),
    ),
    program("unsigned iterators", multiplication(UPDATE, "unsigned")),
    program("long iterators", multiplication(UPDATE, "long")),
    program("size_t iterators", multiplication(UPDATE, "size_t"), top="#include <stddef.h>"),
    program("sizeof of an element", multiplication(INTO.format(" * sizeof(A[i][k])"))),
    program(
        "a typedef of the function",
        multiplication("{ real t = A[i][k]; C[i][j] += t * B[k][j]; }"),
        opening="typedef double real;",
    ),
    program(
        "typeof outside",
        opening="int i = 7;\n    __typeof__(i) k = 1;",
        closing="C[0][0] += sizeof(k) + i;",
    ),
    worth_it("_Generic elsewhere", INCLUDING.but(closing="c[0] = KIND(n);")),
    worth_it("overloads elsewhere", OVERLOADED.but(closing="c[0] = kind(n);")),
)
