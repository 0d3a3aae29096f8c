"""What observes lines, files, counters and how expressions are spelled."""

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


def loops(body: str) -> tuple[str, str]:
    """Write loops, and the same loops interchanged on more lines."""
    return nest("i j", body), "\n\n" + nest("j i", body)


def behind(text: str, **changed: object) -> Frame:
    """Make a frame where something stands behind the region, or in the next function."""
    return PLAIN.but(closing=text, **changed)


def reported(includes: str = "#include <assert.h>\n#include <stdio.h>\n") -> Frame:
    """Make a frame where failed assertions are printed."""
    return PLAIN.but(
        includes=includes,
        functions="""\
#include <stdlib.h>
void __assert_fail(const char *what, const char *file, unsigned line, const char *function)
{
    printf("%s in %s, line %u\\n", what, function, line);
    exit(0);
}""",
    )


TOLD = 'printf("%d\\n", {0});'
HERE = {"here.h": "#define HERE __LINE__\n"}
WHERE = {"where.h": '#define LOGGED(x) (printf("line %d\\n", __LINE__), (x))\n'}
ONE_MORE = "\n" + TURNED_LOOPS[1]
MARKED = '#line 100 "other.c"\n'
COUNTED = (
    "#define JOIN_(x, y) x##y\n#define JOIN(x, y) JOIN_(x, y)\n#define FRESH JOIN(t, __COUNTER__)"
)
TEXTS = PLAIN.but(head="#define LENGTH(x) ((int)sizeof(#x))")
NAMED = PLAIN.but(
    head="#define SHOW(x) (sum_of(#x) + (x))\n",
    functions="""\
static int sum_of(const char *s)
{
    int sum = 0;
    for (int k = 0; s[k] != 0; k++)
        sum += (k + 1) * s[k];
    return sum;
}""",
)

INSIDE: tuple[Pair, ...] = (
    wrong("__LINE__", PLAIN, *loops("a[i][j] = b[i][j] + __LINE__;")),
    wrong("__builtin_LINE", PLAIN, *loops("a[i][j] = b[i][j] + __builtin_LINE();")),
    wrong(
        "__builtin_LINE behind a macro",
        PLAIN.but(head="#define MARK __builtin_LINE()"),
        *loops("a[i][j] = b[i][j] + MARK;"),
    ),
    wrong(
        "__LINE__ behind a macro",
        PLAIN.but(head="#define MARK (__LINE__ % 100)"),
        *loops("a[i][j] = b[i][j] + MARK;"),
    ),
    wrong(
        "__LINE__ behind a macro of a macro",
        PLAIN.but(head="#define L __LINE__\n#define ADD(x) ((x) + L)"),
        *loops("a[i][j] = ADD(b[i][j]);"),
    ),
    wrong(
        "__LINE__ behind joined words",
        PLAIN.but(head="#define JOIN(x, y) x##y\n#define ADD(x) ((x) + JOIN(__LI, NE__))"),
        *loops("a[i][j] = ADD(b[i][j]);"),
    ),
    wrong(
        "__LINE__ behind a macro of a header",
        PLAIN.but(head='#include "here.h"', files=HERE),
        *loops("a[i][j] = b[i][j] + HERE;"),
    ),
    wrong(
        "__LINE__ behind a macro of the command line",
        PLAIN.but(define=("HERE=__LINE__",)),
        *loops("a[i][j] = b[i][j] + HERE;"),
    ),
    wrong(
        "__builtin_LINE behind a macro of the command line",
        PLAIN.but(define=("HERE=__builtin_LINE()",)),
        *loops("a[i][j] = b[i][j] + HERE;"),
    ),
    wrong("__LINE__ in a subscript", PLAIN, *loops("a[(i + __LINE__) % N][j] = b[i][j];")),
    wrong(
        "__LINE__ in the bounds",
        PLAIN,
        "for (int i = 0; i < __LINE__ % N; i++)\nc[i] = 0;",
        "\nfor (int i = 0; i < __LINE__ % N; i++)\nc[i] = 0;",
    ),
    wrong(
        "an inner file's name",
        PLAIN.but(head='#line 1 "one.c"'),
        nest("i j", "a[i][j] = b[i][j] + sizeof(__FILE__);"),
        MARKED + nest("j i", "a[i][j] = b[i][j] + sizeof(__FILE__);"),
    ),
    wrong(
        "an inner file's name by a builtin",
        PLAIN.but(head='#line 1 "one.c"'),
        nest("i j", "a[i][j] = b[i][j] + __builtin_strlen(__builtin_FILE());"),
        MARKED + nest("j i", "a[i][j] = b[i][j] + __builtin_strlen(__builtin_FILE());"),
    ),
    wrong(
        "the length of a text",
        TEXTS,
        nest("i j", "a[i][j] = b[i][j] + LENGTH(i+1);"),
        nest("j i", "a[i][j] = b[i][j] + LENGTH(i + 1);"),
    ),
    wrong(
        "the length of a text, another iterator",
        TEXTS,
        nest("i j", "a[i][j] = b[i][j] + LENGTH(i);"),
        nest("col row", "a[row][col] = b[row][col] + LENGTH(row);"),
    ),
    wrong(
        "a text",
        NAMED,
        nest("i j", "a[i][j] = SHOW(b[i][j]);"),
        nest("y x", "a[x][y] = SHOW(b[x][y]);"),
    ),
    wrong(
        "a text with other parentheses",
        NAMED,
        nest("i j", "a[i][j] = SHOW(b[i][j] + 1);"),
        nest("j i", "a[i][j] = SHOW((b[i][j]) + 1);"),
    ),
    wrong(
        "a text in a header",
        PLAIN.but(
            functions='#include "text.h"', files={"text.h": "#define LENGTH(x) ((int)sizeof(#x))\n"}
        ),
        nest("i j", "a[i][j] = b[i][j] + LENGTH(i);"),
        nest("j2 i2", "a[i2][j2] = b[i2][j2] + LENGTH(i2);"),
    ),
    wrong(
        "the counter",
        PLAIN,
        nest("i", "c[i] = __COUNTER__;") + "\n" + nest("i", "d[i] = __COUNTER__;"),
        nest("i", "d[i] = __COUNTER__;") + "\n" + nest("i", "c[i] = __COUNTER__;"),
    ),
)

FRESH_SUM = PLAIN.but(
    head=COUNTED, closing=TOLD.format("__COUNTER__"), opening="double FRESH = 1, FRESH = 2;"
)
LOUD = behind("c[3] = LOGGED(5);", head='#include "where.h"', files=WHERE)
MOVED_ENUM = PLAIN.but(ending="enum { SIZE = __LINE__ };\n    " + TOLD.format("SIZE"))

OUTSIDE: tuple[Pair, ...] = (
    wrong("__LINE__ behind the region", behind(TOLD.format("__LINE__")), TURNED_LOOPS[0], ONE_MORE),
    wrong(
        "__LINE__ in the next function",
        PLAIN.but(ending=TOLD.format("__LINE__")),
        TURNED_LOOPS[0],
        ONE_MORE,
    ),
    wrong(
        "__builtin_LINE in the next function",
        PLAIN.but(ending=TOLD.format("__builtin_LINE()")),
        TURNED_LOOPS[0],
        ONE_MORE,
    ),
    wrong("__LINE__ in an enumeration", MOVED_ENUM, TURNED_LOOPS[0], ONE_MORE),
    wrong(
        "a conditional on the line",
        PLAIN.but(
            ending="#if __LINE__ % 4 < 2\n    sum = 1;\n#endif\n    " + 'printf("%g\\n", sum);'
        ),
        TURNED_LOOPS[0],
        ONE_MORE,
    ),
    wrong("a line of a header's macro", LOUD, TURNED_LOOPS[0], ONE_MORE),
    wrong(
        "a line of the command line's macro",
        behind(TOLD.format("HERE"), define=("HERE=__LINE__",)),
        TURNED_LOOPS[0],
        ONE_MORE,
    ),
    wrong(
        "an assertion that fails behind the region",
        reported().but(closing="assert(c[1] < 0);"),
        TURNED_LOOPS[0],
        ONE_MORE,
    ),
    wrong(
        "an assertion behind the region, by a macro",
        reported().but(head="#define REQUIRE assert", closing="REQUIRE(c[1] < 0);"),
        TURNED_LOOPS[0],
        ONE_MORE,
    ),
    wrong(
        "an assertion in the region",
        reported(),
        nest("i", "assert(d[i] < 0);"),
        "\n" + nest("i", "assert(d[i] < 0);"),
    ),
    wrong(
        "an assertion that is spelled otherwise",
        reported(),
        nest("i", "assert(d[i] < 0);"),
        nest("k", "assert(d[k] < 0);"),
    ),
    wrong(
        "the file is another one behind the region",
        behind('printf("%s\\n", __FILE__);', head='#line 1 "one.c"'),
        TURNED_LOOPS[0],
        MARKED + TURNED_LOOPS[1],
    ),
    wrong(
        "the file is another one in the next function",
        PLAIN.but(ending='printf("%s\\n", __builtin_FILE());', head='#line 1 "one.c"'),
        TURNED_LOOPS[0],
        MARKED + TURNED_LOOPS[1],
    ),
    wrong(
        "lines that are spliced",
        behind(TOLD.format("__LINE__")),
        nest("i j", "a[i][j] = b[i][j];"),
        nest("j i", "a[i][j] \\\n= \\\nb[i][j];"),
    ),
    wrong(
        "lines in a comment",
        behind(TOLD.format("__LINE__")),
        nest("i j", "a[i][j] = b[i][j];"),
        nest("j i", "a[i][j] = /*\n\n*/ b[i][j];"),
    ),
    wrong(
        "a counter behind the region",
        behind(TOLD.format("__COUNTER__")),
        nest("i", "c[i] = d[i];"),
        "enum { UNUSED = __COUNTER__ };\n" + nest("-i", "c[i] = d[i];"),
    ),
    wrong(
        "a counter for fresh names",
        PLAIN.but(head=COUNTED, closing=TOLD.format("__COUNTER__")),
        "for (int i = 0; i < N; i++) {\n    double FRESH = d[i];\n    c[i] = d[i];\n}",
        nest("i", "c[i] = d[i];"),
    ),
    wrong(
        "a counter in a discarded branch",
        behind(TOLD.format("__COUNTER__")),
        nest("i", "c[i] = d[i];"),
        "#if __COUNTER__ == 7\n#endif\n" + nest("-i", "c[i] = d[i];"),
    ),
    wrong(
        "a default argument's line",
        PLAIN.but(
            functions="static int where(int line = __builtin_LINE()) { return line; }",
            closing=TOLD.format("where()"),
            standard="gnu++17",
        ),
        TURNED_LOOPS[0],
        ONE_MORE,
    ),
    wrong(
        "a source location",
        PLAIN.but(
            includes="#include <stdio.h>\n#include <source_location>\n",
            closing=TOLD.format("(int)std::source_location::current().line()"),
            standard="gnu++20",
        ),
        TURNED_LOOPS[0],
        ONE_MORE,
    ),
    wrong(
        "NDEBUG in the region",
        reported().but(closing="assert(c[1] < 0);"),
        TURNED_LOOPS[0],
        "#define NDEBUG\n#include <assert.h>\n" + TURNED_LOOPS[1],
    ),
    right(
        "__LINE__ in front of the region only",
        PLAIN.but(opening=TOLD.format("__LINE__")),
        TURNED_LOOPS[0],
        ONE_MORE,
    ),
    right(
        "__LINE__ behind as many lines",
        behind(TOLD.format("__LINE__")),
        nest("i j", "a[i][j] = b[j][i];"),
        nest("j i", "a[i][j] = b[j][i];"),
    ),
    right(
        "__LINE__ behind a #line that mends it",
        PLAIN.but(ending="#line 200\n    " + TOLD.format("__LINE__")),
        TURNED_LOOPS[0],
        ONE_MORE,
    ),
    right(
        "a macro with __LINE__ that nobody uses",
        PLAIN.but(head='#include "where.h"\n#define HERE __LINE__', files=WHERE),
        PRODUCT,
        TILED_NEW,
    ),
    right("assert.h is included", reported(), *PRODUCT_LOOPS),
    right(
        "assertions in front of the region",
        reported().but(opening="assert(n > 0 && n <= N);"),
        *PRODUCT_LOOPS,
    ),
    right(
        "assertions that are switched off",
        behind(
            "assert(c[1] < 0);",
            includes="#include <assert.h>\n#include <stdio.h>\n",
            define=("NDEBUG",),
        ),
        TURNED_LOOPS[0],
        ONE_MORE,
    ),
    right(
        "assertions that are switched off in the file",
        behind(
            "assert(c[1] < 0);",
            includes="#define NDEBUG\n#include <assert.h>\n#include <stdio.h>\n",
        ),
        PRODUCT,
        TILED_NEW,
    ),
    right(
        "texts of something else", TEXTS.but(closing=TOLD.format("LENGTH(i + 1)")), *PRODUCT_LOOPS
    ),
    right(
        "a text of what stays as it is",
        TEXTS,
        nest("i j", "a[i][j] = b[i][j] + LENGTH(n+1);"),
        nest("j i", "a[i][j] = b[i][j] + LENGTH(n+1);"),
    ),
    right("the name of the function", behind('printf("%s\\n", __func__);'), *PRODUCT_LOOPS),
    right(
        "the length of the function's name",
        PLAIN,
        nest("i j", "a[i][j] = b[i][j] + sizeof(__func__);"),
        PARALLEL + nest("j i", "a[i][j] = b[i][j] + sizeof(__func__);"),
    ),
    right(
        "a counter outside",
        PLAIN.but(head=COUNTED, opening="double FRESH = 1;", closing=TOLD.format("__COUNTER__")),
        *PRODUCT_LOOPS,
    ),
    right(
        "a counter in the region, as often",
        behind(TOLD.format("__COUNTER__")),
        nest("i", "c[i] = __COUNTER__;"),
        nest("-i", "c[i] = __COUNTER__;"),
    ),
    right(
        "__LINE__ in a string",
        behind('printf("__LINE__ of __FILE__\\n");'),
        TURNED_LOOPS[0],
        ONE_MORE,
    ),
    right(
        "__LINE__ in a comment",
        behind("/* __LINE__ __COUNTER__ */ // __builtin_LINE()"),
        TURNED_LOOPS[0],
        ONE_MORE,
    ),
    right(
        "#line in front of the program",
        PLAIN.but(head='#line 500 "generated.c"'),
        TURNED_LOOPS[0],
        ONE_MORE,
    ),
)

PAIRS: tuple[Pair, ...] = INSIDE + OUTSIDE

LABELLED = nest("i j", "Map: a[i][j] = b[i][j] + {0};")

PROGRAMS: tuple[Program, ...] = (
    leave("__LINE__ behind the region", behind(TOLD.format("__LINE__")), PRODUCT),
    leave(
        "__builtin_LINE in the next function",
        PLAIN.but(ending=TOLD.format("__builtin_LINE()")),
        PRODUCT,
    ),
    leave("a line of a header's macro", LOUD, PRODUCT),
    leave(
        "a line of the command line's macro",
        behind(TOLD.format("HERE"), define=("HERE=__LINE__",)),
        PRODUCT,
    ),
    leave(
        "a line by joined words",
        behind(TOLD.format("JOIN(__LI, NE__)"), head="#define JOIN(x, y) x##y"),
        PRODUCT,
    ),
    leave(
        "an assertion that fails behind the region",
        reported().but(closing="assert(c[1] < 0);"),
        PRODUCT,
    ),
    leave("an enumeration of a line", MOVED_ENUM, PRODUCT),
    leave(
        "a conditional on the line",
        PLAIN.but(ending="#if __LINE__ < 70\n    sum = 1;\n#endif\n    " + 'printf("%g\\n", sum);'),
        PRODUCT,
    ),
    leave("__LINE__ in the region", PLAIN, LABELLED.format("__LINE__"), "tile(Map, 8, 8)"),
    leave(
        "HERE in the region",
        PLAIN.but(define=("HERE=__builtin_LINE()",)),
        LABELLED.format("HERE"),
        "tile(Map, 8, 8)",
    ),
    leave("the length of a text", TEXTS, LABELLED.format("LENGTH(i)"), "interchange(Map, 1, 2)"),
    leave("a text", NAMED, LABELLED.format("SHOW(i)"), "interchange(Map, 1, 2)"),
    leave(
        "the counter",
        behind(TOLD.format("__COUNTER__")),
        LABELLED.format("__COUNTER__"),
        "unroll(Map, 2, 4)",
    ),
    worth_it("__LINE__ in front of the region", PLAIN.but(opening=TOLD.format("__LINE__"))),
    worth_it(
        "a macro with __LINE__ that nobody uses",
        PLAIN.but(head='#include "where.h"\n#define HERE __LINE__', files=WHERE),
    ),
    worth_it(
        "assertions in front of the region", reported().but(opening="assert(n > 0 && n <= N);")
    ),
    worth_it(
        "assertions that are switched off",
        behind(
            "assert(c[1] < 0);",
            includes="#include <assert.h>\n#include <stdio.h>\n",
            define=("NDEBUG",),
        ),
    ),
    worth_it("the name of the function", behind('printf("%s\\n", __func__);')),
    worth_it("texts of something else", TEXTS.but(closing=TOLD.format("LENGTH(i + 1)"))),
    worth_it(
        "a counter outside",
        PLAIN.but(head=COUNTED, opening="double FRESH = 1;", closing=TOLD.format("__COUNTER__")),
    ),
    worth_it(
        "the length of the function's name, by a script",
        PLAIN,
        LABELLED.format("sizeof(__func__)"),
        "interchange(Map, 1, 2)",
    ),
)
