"""Two names of one object, and names of functions that stand for other functions."""

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


def two_names(declarations: str, **changed: object) -> Frame:
    """Declare ``h``, which is ``c`` as well."""
    return PLAIN.but(functions=declarations, **changed)


MATH = "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
NEXT = "double next_number(double x) { static int count; return x + ++count; }\n"
"""A function that counts its calls."""


def counting(declarations: str, **changed: object) -> Frame:
    """Declare a function of a library's name that is ``next_number``."""
    return PLAIN.but(includes=MATH, functions=NEXT + declarations, **changed)


MOVE = nest("i=0:N-1", "h[i] = 2 * c[i + 1];")
MOVED_BACK = nest("-i=0:N-1", "h[i] = 2 * c[i + 1];")
SPLIT = "for (int i = 0; i < N - 1; i++) {{\n    {0}\n    {1}\n}}"
BOTH = SPLIT.format("h[i] = d[i];", "e[i] = c[i] + 1;")
APART = nest("i=0:N-1", "e[i] = c[i] + 1;") + "\n" + nest("i=0:N-1", "h[i] = d[i];")
DOUBLED = nest("i", "h[i] = 2 * c[i];")
DOUBLED_BACK = nest("-i", "h[i] = 2 * c[i];")
SUM = nest("i j", "total += b[i][j] * partial;")
LABELLED = nest("i=0:N-1", "Move: h[i] = 2 * c[i + 1];")


def mapped(name: str) -> tuple[str, str]:
    """Loops that call a function, and the same loops interchanged."""
    body = f"a[i][j] = {name}(b[i][j]);"
    return nest("i j", body), nest("j i", body)


ATTRIBUTE = two_names('extern double h[N] __attribute__((alias("c")));')
LABEL = two_names('extern double h[N] __asm__("c");')
RENAMED = two_names("#pragma redefine_extname h c\nextern double h[N];")
WEAK = two_names("#pragma weak h = c\nextern double h[N];")
BY_ASSEMBLER = two_names('__asm__(".globl h\\n.set h, c");\nextern double h[N];')
SHARED = PLAIN.but(
    arrays="""\
double a[N][N], b[N][N], w[N][N], d[N], e[N];
double c[N] __asm__("store");
extern double h[N] __asm__("store");"""
)
MATRIX = two_names('extern double v[N][N] __attribute__((alias("a")));')
INTO_ITSELF = nest("i j k", "v[i][j] += a[i][k] * w[k][j];")
INTO_ITSELF_NEW = nest("i k j", "v[i][j] += a[i][k] * w[k][j];")

MARKERS = {
    "": "#",
    " after a carriage return": "\r#",
    " after a byte that is nothing": "\0#",
    " in two lines": "#\\\n",
    " in two lines, the first of which ends with blanks": "#\\ \t\n",
    " by a digraph in two lines": "%\\\n:",
    " after a comment in four lines": "/\\\n* *\\\n/ #",
    " after blanks of other kinds": "/**/\f\v #",
}
"""Ways to begin a line that tells the compiler where what follows comes from."""


def from_the_system(beginning: str) -> Frame:
    """Declare ``h``, which is ``c`` as well, where it seems that a header of the system does."""
    header = f'\n{beginning} 1 "/usr/include/names.h" 3\n'
    return two_names(f'{header}extern double h[N] __asm__("c");\n#line 40 "main.c"')


ONE_OBJECT: tuple[Pair, ...] = (
    *(
        wrong(f"a marker of a preprocessor{name}", from_the_system(each), MOVE, MOVED_BACK)
        for name, each in MARKERS.items()
    ),
    wrong("alias attribute", ATTRIBUTE, MOVE, MOVED_BACK),
    wrong("alias attribute, distributed", ATTRIBUTE, BOTH, APART),
    wrong(
        "alias attribute, with underscores",
        two_names('extern __typeof__(c) h __attribute__((__alias__("c")));'),
        MOVE,
        MOVED_BACK,
    ),
    wrong(
        "alias attribute behind a macro",
        two_names("#define SAME_AS(x) __attribute__((alias(#x)))\nextern double h[N] SAME_AS(c);"),
        MOVE,
        MOVED_BACK,
    ),
    wrong("alias attribute of a matrix", MATRIX, INTO_ITSELF, INTO_ITSELF_NEW),
    wrong("asm label that is the other symbol", LABEL, MOVE, MOVED_BACK),
    wrong("asm label that is the other symbol, distributed", LABEL, BOTH, APART),
    wrong("two equal asm labels", SHARED, MOVE, MOVED_BACK),
    wrong(
        "asm label in pieces", two_names('extern double h[N] __asm__("" "c");'), MOVE, MOVED_BACK
    ),
    wrong(
        "asm label in an inner scope",
        PLAIN.but(opening='extern double h[N] __asm__("c");'),
        MOVE,
        MOVED_BACK,
    ),
    wrong(
        "asm label in a header",
        PLAIN.but(
            functions='#include "names.h"', files={"names.h": 'extern double h[] __asm__("c");\n'}
        ),
        MOVE,
        MOVED_BACK,
    ),
    wrong("redefine_extname", RENAMED, MOVE, MOVED_BACK),
    wrong(
        "redefine_extname by _Pragma",
        two_names('_Pragma("redefine_extname h c") extern double h[N];'),
        MOVE,
        MOVED_BACK,
    ),
    wrong("pragma weak with a target", WEAK, MOVE, MOVED_BACK),
    wrong("the assembler's .set", BY_ASSEMBLER, MOVE, MOVED_BACK),
    wrong(
        "the assembler's .set with an offset",
        two_names('__asm__(".globl h\\n.set h, c + 8");\nextern double h[];'),
        nest("i=0:N-1", "h[i] = 2 * c[i];"),
        nest("-i=0:N-1", "h[i] = 2 * c[i];"),
    ),
    wrong("a constant pointer at file scope", two_names("double *const h = c;"), MOVE, MOVED_BACK),
    wrong(
        "a constant pointer to rows at file scope",
        PLAIN.but(functions="double (*const v)[N] = a;"),
        nest("i=1:N j", "v[i][j] = a[i - 1][j] + 1;"),
        nest("-i=1:N j", "v[i][j] = a[i - 1][j] + 1;"),
    ),
    wrong(
        "a scalar and its alias",
        PLAIN.but(
            functions='double total = 1;\nextern double partial __attribute__((alias("total")));',
            ending='printf("%.17g\\n", total);',
        ),
        nest("i=0:3 j=0:3", "total += b[i][j] * partial;"),
        "const double lw = partial;\n" + nest("i=0:3 j=0:3", "total += b[i][j] * lw;"),
    ),
    right(
        "alias attribute, read only",
        ATTRIBUTE,
        nest("i j", "a[i][j] = h[i] * c[j];"),
        PARALLEL + nest("j i", "a[i][j] = h[i] * c[j];"),
    ),
    right("alias attribute, the same element", ATTRIBUTE, DOUBLED, DOUBLED_BACK),
    right("asm label, the same element", LABEL, DOUBLED, DOUBLED_BACK),
    right("alias attribute of something else", ATTRIBUTE, *TURNED_LOOPS),
    right("alias attribute of something else, tiled", ATTRIBUTE, PRODUCT, TILED_NEW),
    right(
        "asm labels of their own",
        PLAIN.but(
            arrays='double a[N][N] __asm__("first"), b[N][N] __asm__("second");\n'
            "double w[N][N], c[N], d[N], e[N];"
        ),
        *PRODUCT_LOOPS,
    ),
    right(
        "weak definitions",
        PLAIN.but(
            arrays="double a[N][N] __attribute__((weak)), b[N][N];\n"
            "#pragma weak w\ndouble w[N][N], c[N], d[N], e[N];"
        ),
        *PRODUCT_LOOPS,
    ),
    right(
        "declared again",
        two_names("extern double a[N][N];\nextern double (a[N])[N], b[][N];"),
        *PRODUCT_LOOPS,
    ),
    right("redefine_extname of something else", RENAMED, *TURNED_LOOPS),
)

LABELLED_SINE = counting('double sin(double) __asm__("next_number");')
RENAMED_SINE = counting("#pragma redefine_extname sin next_number\ndouble sin(double);")
OWN_SINE = PLAIN.but(
    includes=MATH,
    functions="int count;\ndouble sin(double x) { return x + ++count; }",
    flags=("-O2", "-march=native", "-fopenmp", "-fno-builtin"),
)
RESOLVED = counting(
    "static double (*resolve(void))(double) { return next_number; }\n"
    'double sin(double) __attribute__((ifunc("resolve")));'
)
STEP_BY_NAME = PLAIN.but(
    functions="""\
void step(int) __asm__("real_step");
void real_step(int k) { c[k] += 1; }"""
)

ANOTHER_FUNCTION: tuple[Pair, ...] = (
    wrong("sin by asm label", LABELLED_SINE, *mapped("sin")),
    wrong("__builtin_sin after an asm label of sin", LABELLED_SINE, *mapped("__builtin_sin")),
    wrong(
        "fabs by asm label",
        counting(
            'double fabs(double) __asm__("next_number");', flags=("-O2", "-fopenmp", "-fno-builtin")
        ),
        *mapped("fabs"),
    ),
    wrong(
        "sqrt by asm label behind math.h",
        counting(
            'extern __typeof__(sqrt) sqrt __asm__("next_number");',
            flags=("-O2", "-fopenmp", "-fno-builtin-sqrt"),
        ),
        *mapped("sqrt"),
    ),
    wrong("sin by redefine_extname", RENAMED_SINE, *mapped("sin")),
    wrong(
        "cos by pragma weak",
        counting("#pragma weak cos = next_number\ndouble cos(double);"),
        *mapped("cos"),
    ),
    wrong(
        "exp by alias attribute",
        counting('double exp(double) __attribute__((alias("next_number")));'),
        *mapped("exp"),
    ),
    wrong(
        "log by weakref",
        counting(
            'static double log_(double) __attribute__((weakref("next_number")));\n'
            "#define log(x) log_(x)"
        ),
        *mapped("log"),
    ),
    wrong("sin by ifunc", RESOLVED, *mapped("sin")),
    wrong(
        "tan by the assembler's .set",
        counting('__asm__(".globl tan\\n.set tan, next_number");'),
        *mapped("tan"),
    ),
    wrong(
        "__builtin_exp and an exp of the program",
        PLAIN.but(
            includes=MATH,
            functions="int count;\ndouble exp(double x) { return x + ++count; }",
            flags=("-O2", "-fopenmp", "-fno-builtin-exp"),
        ),
        *mapped("__builtin_exp"),
    ),
    wrong(
        "__builtin_cos after redefine_extname",
        counting("#pragma redefine_extname cos next_number\ndouble cos(double);"),
        *mapped("__builtin_cos"),
    ),
    wrong(
        "a static function's body by asm label of another",
        PLAIN.but(
            functions="int count;\nstatic double take(double x) { return x; }\n"
            'double keep(double) __asm__("kept");\n'
            "double keep(double x) { return take(x) + ++count; }\n"
            'static double halve(double) __asm__("kept");\n'
        ),
        *mapped("halve"),
    ),
    wrong("sin by a macro", counting("#define sin next_number"), *mapped("sin")),
    wrong("sin of the program", OWN_SINE, *mapped("sin")),
    wrong(
        "atan of the program that is defined behind the region",
        PLAIN.but(
            includes=MATH,
            functions="double atan(double);",
            ending="return 0;\n}\n\n"
            "double atan(double x)\n{\n    static int count;\n    return x + ++count;\n}\n\n"
            "int never(void)\n{",
            flags=("-O2", "-fopenmp", "-fno-builtin"),
        ),
        *mapped("atan"),
    ),
    wrong(
        "an inline body that is replaced",
        PLAIN.but(
            functions="extern __inline __attribute__((gnu_inline)) double take(double x)\n"
            "{ return x; }\n" + NEXT + "double take(double x) { return next_number(x); }"
        ),
        *mapped("take"),
    ),
    wrong(
        "abs of the library by asm label",
        PLAIN.but(
            includes=MATH,
            functions="int seen;\nint hidden(int x) { return x + ++seen; }\n"
            'int abs(int) __asm__("hidden");',
            flags=("-O2", "-fopenmp", "-fno-builtin"),
        ),
        nest("i j", "a[i][j] = abs(i - j);"),
        nest("j i", "a[i][j] = abs(i - j);"),
    ),
    wrong(
        "an unknown function is one of the file's by asm label",
        STEP_BY_NAME,
        "for (int i = 0; i < N; i++) {\n    step(i);\n    d[i] = c[i];\n}",
        nest("i", "d[i] = c[i];") + "\n" + nest("i", "step(i);"),
    ),
    right("sin of math.h", PLAIN.but(includes=MATH), mapped("sin")[0], PARALLEL + mapped("sin")[1]),
    right(
        "sin by its own asm label",
        PLAIN.but(includes=MATH, functions='double sin(double) __asm__("sin");'),
        *mapped("sin"),
    ),
    right(
        "a pure function of the program that has a library's name",
        PLAIN.but(
            functions="static double hypot2(double x) { return 2 * x; }\n#define twice hypot2"
        ),
        *mapped("twice"),
    ),
    right(
        "an alias of a pure function",
        PLAIN.but(
            functions="static double half(double x) { return x / 2; }\n"
            'static double halved(double) __attribute__((alias("half")));'
        ),
        *TURNED_LOOPS,
    ),
    right(
        "next_number stays outside",
        counting(
            'double later(double) __asm__("next_number");', ending='printf("%g\\n", later(1));'
        ),
        *PRODUCT_LOOPS,
    ),
    right(
        "an ifunc that nobody calls in the region",
        PLAIN.but(
            functions=NEXT + "static double (*resolve(void))(double) { return next_number; }"
            '\ndouble resolved(double) __attribute__((ifunc("resolve")));',
            ending='printf("%g\\n", resolved(1));',
        ),
        *PRODUCT_LOOPS,
    ),
    right(
        "a static pure function with an asm label",
        PLAIN.but(
            functions='static double half(double) __asm__("the_half");\n'
            "static double half(double x) { return x / 2; }"
        ),
        mapped("half")[0],
        PARALLEL + mapped("half")[1],
    ),
)

OVERLOADING = """\
static double labs(double v) { return v + 1000; }
static double size() { return labs(-7L); }
"""
LATER = PLAIN.but(
    functions=f"{OVERLOADING}#include <stdlib.h>",
    setup="d[3] += size();",
    standard="gnu++17",
)
EARLIER = LATER.but(functions=f"#include <stdlib.h>\n{OVERLOADING}")
MOVED_HEADERS = (
    wrong("a header before its overload", LATER, *TURNED_LOOPS, EARLIER),
    wrong("a header behind its overload", EARLIER, *TURNED_LOOPS, LATER),
    right("a header behind it twice", LATER, *TURNED_LOOPS),
)

PAIRS: tuple[Pair, ...] = ONE_OBJECT + ANOTHER_FUNCTION + MOVED_HEADERS

PROGRAMS: tuple[Program, ...] = (
    leave("alias attribute of a matrix", MATRIX, INTO_ITSELF),
    leave(
        "asm label of a matrix",
        PLAIN.but(functions='extern double v[N][N] __asm__("a");'),
        INTO_ITSELF,
    ),
    leave(
        "redefine_extname of a matrix",
        PLAIN.but(functions="#pragma redefine_extname v a\nextern double v[N][N];"),
        INTO_ITSELF,
    ),
    leave(
        "pragma weak of a matrix",
        PLAIN.but(functions="#pragma weak v = a\nextern double v[N][N];"),
        INTO_ITSELF,
    ),
    leave("alias attribute, reversed", ATTRIBUTE, LABELLED, "reverse(Move, 1)"),
    leave("asm label, reversed", LABEL, LABELLED, "reverse(Move, 1)"),
    leave("equal asm labels, reversed", SHARED, LABELLED, "reverse(Move, 1)"),
    leave("the assembler's .set, reversed", BY_ASSEMBLER, LABELLED, "reverse(Move, 1)"),
    leave(
        "sin by asm label, interchanged",
        LABELLED_SINE,
        nest("i j", "Map: a[i][j] = sin(b[i][j]);"),
        "interchange(Map, 1, 2)",
    ),
    leave(
        "sin by ifunc, interchanged",
        RESOLVED,
        nest("i j", "Map: a[i][j] = sin(b[i][j]);"),
        "interchange(Map, 1, 2)",
    ),
    worth_it("alias attribute of something else", ATTRIBUTE),
    worth_it(
        "asm labels of their own",
        PLAIN.but(
            arrays='double a[N][N] __asm__("first"), b[N][N] __asm__("second");\n'
            "double w[N][N], c[N], d[N], e[N];"
        ),
    ),
    worth_it("redefine_extname of something else", RENAMED),
    worth_it(
        "a function by asm label stands outside",
        counting(
            'double later(double) __asm__("next_number");', ending='printf("%g\\n", later(1));'
        ),
    ),
    worth_it(
        "weak definitions, by a script",
        PLAIN.but(
            arrays="double a[N][N] __attribute__((weak)), b[N][N], w[N][N], c[N], d[N], e[N];"
        ),
        nest("i j k", "Mult: a[i][j] += b[i][k] * w[k][j];"),
        "interchange(Mult, 2, 3)",
    ),
)
