"""Control that does not go from one statement to the next: out of a region, into it, and back."""

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

FIRST = nest("i", "c[i] = 2 * d[i];")
SECOND = nest("i", "e[i] = d[i] + 5;")
"""Loops that nothing orders, each of which shows whether it ran."""
STEP = nest("i", "c[i] = c[i] + 1;")
"""A loop that shows how often it ran."""


def swapped(name: str, frame: Frame, between: str = "") -> Pair:
    """Two loops change places; what stands between them stays there."""
    return wrong(name, frame, f"{FIRST}\n{between}{SECOND}", f"{SECOND}\n{between}{FIRST}")


def around(opening: str, closing: str = "", **changed: object) -> Frame:
    """Put something around a region."""
    return PLAIN.but(opening=opening, closing=closing, **changed)


def block(*statements: str) -> str:
    """Write a loop around several statements."""
    return nest("i", "{\n    " + "\n    ".join(statements) + "\n}")


def apart(name: str, frame: Frame, first: str, second: str) -> Pair:
    """Distribute a loop over two statements."""
    new = nest("i", first) + "\n" + nest("i", second)
    return wrong(name, frame, block(first, second), new)


def backwards(name: str, frame: Frame, statement: str) -> Pair:
    """Run a loop backwards."""
    return wrong(name, frame, nest("i", statement), nest("-i", statement))


def including(header: str, **changed: object) -> Frame:
    """Include another header, too."""
    return PLAIN.but(includes=f"#include <{header}>\n#include <stdio.h>\n", **changed)


CPP = PLAIN.but(standard="gnu++17")
TOLD = 'printf("%d\\n", told);'
ENTERED: tuple[Pair, ...] = (
    swapped("goto from in front", around("if (n > 3)\n        goto inside;"), "inside:\n"),
    swapped(
        "goto from behind",
        around(
            "int turns = 0;\n    d[0] = 1;",
            "d[0] += 9;\n    if (turns++ < 2)\n        goto inside;",
        ),
        "inside:\n",
    ),
    swapped(
        "goto from behind, to a macro's label",
        around(
            "int turns = 0;",
            "d[0] += 9;\n    if (turns++ < 2)\n        goto inside;",
            head="#define ENTRY inside:",
        ),
        "ENTRY\n",
    ),
    swapped("computed goto", around("void *to = &&inside;\n    goto *to;"), "inside:\n"),
    swapped(
        "computed goto by a table",
        around("static void *to[] = {&&outside, &&inside};\n    goto *to[n > 3];\noutside:;"),
        "inside:\n",
    ),
    swapped(
        "goto of the assembler",
        around('__asm__ goto("jmp %l0" : : : : inside);'),
        "inside:\n",
    ),
    swapped("a case", around("switch (n) {\n    case 0:", "}"), "case N:\n"),
    swapped("a default", around("switch (n) {\n    case 0:", "}"), "default:\n"),
    swapped("a range of cases", around("switch (n) {\n    case 0:", "}"), "case 5 ... 50:\n"),
    wrong(
        "a case in a loop",
        around("int i = 5;\n    switch (n) {\n    case 0:", "}"),
        "for (i = 0; i < N; i++) {\n    c[i] = 1;\n    case N:\n    e[i] = 2;\n}",
        "for (i = 0; i < N; i++) {\n    c[i] = 1;\n    e[i] = 2;\n    case N:;\n}",
    ),
    wrong(
        "goto into a loop",
        around("int i = 5;\n    goto inside;"),
        "for (i = 0; i < N; i++) {\n    c[i] = 1;\n    inside:\n    e[i] = 2;\n}",
        "for (i = 0; i < N; i++)\n    c[i] = 1;\ninside:\nfor (i = 0; i < N; i++)\n    e[i] = 2;",
    ),
    swapped("an if in front", around("if (n > 100)")),
    swapped("an else in front", around("if (n > 3)\n        c[0] = 1;\n    else")),
    swapped("a while in front", around("int turns = 0;\n    while (d[0] += 1, turns++ < 2)")),
    swapped("a for in front", around("for (; d[0] < 5; d[0]++)")),
    swapped("an if in a header", around('#include "when.h"', files={"when.h": "if (n > 100)\n"})),
    swapped("an if in a macro", around("WHEN(n > 100)", head="#define WHEN(x) if (x)")),
    swapped(
        "a for in a macro of the command line",
        around("TWICE", define=("TWICE=for(;d[0]<5;d[0]++)",)),
    ),
    swapped("a label and an if in front", around("if (n > 100)\n    here:")),
    wrong(
        "an else behind",
        around("double k = 0;", 'else\n        k++;\n    printf("%g\\n", k);'),
        "if (n > 50)\n" + FIRST,
        nest("i", "if (n > 50)\nc[i] = 2 * d[i];"),
    ),
    wrong(
        "a while behind",
        around("do", "while (c[0] < 4);"),
        STEP,
        "{\n" + STEP + "\n" + STEP + "\n}",
    ),
)

LEAVING = including(
    "setjmp.h",
    functions="""\
static jmp_buf where;
static void check(double x) { if (x > 8) longjmp(where, 1); }""",
    opening="if (setjmp(where))\n        return;",
)
EXITING = including(
    "stdlib.h",
    functions="""\
static void show(void) { printf("%g %g %g\\n", c[1], c[N - 1], e[N - 1]); }
static void stop(int status) { exit(status); }
static void check(double x) { if (x > 8) stop(0); }""",
    setup="atexit(show);",
)
THROWING = CPP.but(
    functions="static void check(double x) { if (x > 8) throw 1; }",
    call="try { work(N); } catch (int) { }",
)
SIGNALLED = including(
    "signal.h",
    functions="""\
static volatile double told;
static void handler(int number) { told = 2 * told + c[3] + number; }""",
    setup="signal(SIGUSR1, handler);",
    ending='printf("%.17g\\n", told);',
)
SIGNALLED_BACK = SIGNALLED.but(
    functions="static void handler(int number) { c[N - 1] += number; }", ending=""
)
GUARD = CPP.but(
    functions="""\
static double told;
struct guard { double &x; ~guard() { told = 2 * told + x; } };""",
    ending='printf("%.17g\\n", told);',
)

LEFT: tuple[Pair, ...] = (
    apart("longjmp in a callee", LEAVING, "check(d[i]);", "c[i] = 2 * d[i];"),
    apart("longjmp in a callee, afterwards", LEAVING, "c[i] = 2 * d[i];", "check(d[i]);"),
    backwards(
        "longjmp by a builtin",
        PLAIN.but(
            functions="static void *where[5];\n__attribute__((noinline)) static void check("
            "double x) { if (x > 8) __builtin_longjmp(where, 1); }",
            opening="if (__builtin_setjmp(where))\n        return;",
        ),
        "{ c[i] = 0; check(d[i]); }",
    ),
    apart("exit in a callee of a callee", EXITING, "check(d[i]);", "c[i] = 2 * d[i];"),
    apart(
        "exit in a callee's condition",
        EXITING.but(
            functions=EXITING.functions.replace("if (x > 8) stop(0);", "x > 8 ? stop(0) : (void)0;")
        ),
        "c[i] = 2 * d[i];",
        "check(d[i]);",
    ),
    backwards(
        "exit through a pointer",
        EXITING.but(functions=EXITING.functions + "\nstatic void (*finish)(int) = exit;"),
        "{ c[i] = 0; if (i == 3) finish(0); }",
    ),
    apart("an exception in a callee", THROWING, "check(d[i]);", "c[i] = 2 * d[i];"),
    apart("an exception in a callee, afterwards", THROWING, "c[i] = 2 * d[i];", "check(d[i]);"),
    backwards("an exception in the loop", THROWING, "{ c[i] = 0; if (d[i] > 8) throw 1; }"),
    backwards(
        "an exception that the loop catches",
        THROWING,
        "try { check(d[i]); c[0] += i; } catch (int) { c[0] *= 2; }",
    ),
    backwards("a destructor in the loop", GUARD, "{ guard g{d[i]}; c[i] = 0; }"),
    wrong(
        "a destructor reads what is dead otherwise",
        GUARD.but(opening="double t = 0;\n    guard g{t};"),
        block("t = d[i];", "c[i] = t;"),
        nest("i", "c[i] = d[i];"),
    ),
    backwards(
        "a constructor in the loop",
        GUARD.but(
            functions="static double told;\n"
            "struct mark { mark(double x) { told = 2 * told + x; } };"
        ),
        "{ mark m(d[i]); c[i] = 0; }",
    ),
    backwards("a temporary's destructor", GUARD, "c[i] = (guard{d[i]}, 2);"),
    apart("a signal between statements", SIGNALLED, "c[i] = 2 * d[i];", "raise(SIGUSR1);"),
    backwards("a signal in the loop", SIGNALLED, "{ c[i] = 2 * d[i]; raise(SIGUSR1); }"),
    apart("a signal that changes an array", SIGNALLED_BACK, "raise(SIGUSR1);", "e[i] = c[N - 1];"),
    backwards("break", PLAIN, "{ if (d[i] > 10) break; c[i] = 0; }"),
    backwards("return", PLAIN, "{ if (d[i] > 10) return; c[i] = 0; }"),
    swapped(
        "break of a loop around",
        around("for (int r = 0; r < 3; r++) {", "}"),
        "if (r == 0) break;\n",
    ),
    swapped(
        "continue of a loop around",
        around("for (int r = 0; r < 3; r++) {", "d[r] += 100;\n    }"),
        "if (r < 3) continue;\n",
    ),
    swapped("return between two loops", PLAIN, "if (n > 3) return;\n"),
    swapped("goto between two loops", around("", "out:;"), "if (n > 3) goto out;\n"),
    swapped(
        "computed goto between two loops",
        around("void *to = &&out;", "out:;"),
        "if (n > 3) goto *to;\n",
    ),
)

NESTED = PLAIN.but(
    opening="double t = 1;\n    void bump(int k) { t = 2 * t + k; }", closing='printf("%g\\n", t);'
)
ASSEMBLER = PLAIN.but(
    functions='static int told;\nstatic void step(void) { __asm__("incl %0" : "+m"(told)); }',
    ending=TOLD,
)
UNSAID = PLAIN.but(
    functions="int told __attribute__((used));\n"
    'static void step(void) { __asm__ volatile("incl told(%%rip)" : : : "memory", "cc"); }',
    ending=TOLD,
)
SHRINKING = PLAIN.but(functions="static int limit = N;\nstatic void shrink(void) { limit--; }")
SKIPPING = PLAIN.but(functions="static void skip(int *k) { if (*k % 4 == 0) ++*k; }")
GLOBAL_COUNT = PLAIN.but(functions="static int k;\nstatic void skip(void) { if (k % 4 == 0) k++; }")
RECURSIVE = PLAIN.but(
    functions="void work(int n);\nstatic void again(int n) { if (n > N - 3) work(n - 1); }"
)
MUTUAL = PLAIN.but(
    functions="""\
static double told;
static void odd(int k);
static void even(int k) { told = 2 * told + k; if (k > 0) odd(k - 1); }
static void odd(int k) { told += k; if (k > 0) even(k - 1); }""",
    ending='printf("%.17g\\n", told);',
)

STRANGE: tuple[Pair, ...] = (
    backwards("a nested function", NESTED, "bump(i);"),
    backwards(
        "a nested function that leaves",
        around("__label__ out;\n    void quit(int k) { if (d[k] > 10) goto out; }", "out:;"),
        "{ quit(i); c[i] = 0; }",
    ),
    backwards("a statement expression", PLAIN, "c[i] = ({ d[0] = 0.5 * d[0] + i; d[0]; });"),
    backwards(
        "a statement expression that leaves", PLAIN, "c[i] = ({ if (d[i] > 10) break; 1; });"
    ),
    backwards(
        "a statement expression behind a macro",
        PLAIN.but(head="#define NEXT(x) ({ e[0] = 0.5 * e[0] + (x); e[0]; })"),
        "c[i] = NEXT(d[i]);",
    ),
    apart("the assembler in a callee", ASSEMBLER, "step();", "c[i] = told;"),
    apart("the assembler in a callee, not said", UNSAID, "step();", "c[i] = told;"),
    backwards(
        "the assembler in the loop",
        ASSEMBLER,
        '{ __asm__("incl %0" : "+m"(told)); c[i] = told; }',
    ),
    backwards(
        "the assembler in an expression",
        ASSEMBLER,
        'c[i] = ({ int k = 0; __asm__("xaddl %0, %1" : "+r"(k), "+m"(told)); told += i; k; });',
    ),
    wrong(
        "a case that falls through",
        PLAIN,
        nest("i", "switch (i % 3) {\ncase 0: c[i] = 1;\ncase 1: c[i] += 2; break;\n}"),
        nest("i", "switch (i % 3) {\ncase 0: c[i] = 1; break;\ncase 1: c[i] += 2; break;\n}"),
    ),
    wrong(
        "Duff's device",
        PLAIN,
        "int i = 0, turns = (n + 2) / 4;\nswitch (n % 4 + 2) {\ncase 0: do { c[i++] = 1;\n"
        "case 3: c[i++] = 2;\ncase 2: c[i++] = 3;\ncase 1: c[i++] = 4; } while (--turns > 0);\n}",
        "int i = 0, turns = (n + 2) / 4;\n"
        "do { c[i++] = 1; c[i++] = 2; c[i++] = 3; c[i++] = 4; } while (--turns > 0);",
    ),
    wrong(
        "a callee changes the bound",
        SHRINKING,
        "for (int i = 0; i < limit; i++) {\n    shrink();\n    c[i] = 1;\n}",
        "{\nint k = limit;\nfor (int i = 0; i < k; i++) {\n    shrink();\n    c[i] = 1;\n}\n}",
    ),
    wrong(
        "a callee changes the bound, called first",
        SHRINKING,
        "for (int i = 0; i < limit; i++) {\n    shrink();\n    c[i] = 1;\n}",
        "for (int i = 0; i < limit; i++)\n    c[i] = 1;\n" + nest("i", "if (i < N / 2)\nshrink();"),
    ),
    wrong(
        "a callee changes the iterator",
        SKIPPING,
        "for (int i = 0; i < N - 1; i++) {\n    skip(&i);\n    c[i] = 1;\n}",
        nest("i=0:N-1", "c[i] = 1;"),
    ),
    wrong(
        "a callee changes a global iterator",
        GLOBAL_COUNT,
        "for (k = 0; k < N - 1; k++) {\n    skip();\n    c[k] = 1;\n}",
        nest("i=0:N-1", "c[i] = 1;") + "\nk = N - 1;",
    ),
    wrong(
        "the body changes the iterator",
        PLAIN,
        "for (int i = 0; i < N - 1; i++) {\n    c[i] = 1;\n    if (i == 5)\n        i += 3;\n}",
        nest("i=0:N-1", "c[i] = 1;"),
    ),
    wrong(
        "the condition does something",
        PLAIN,
        "for (int i = 0; c[i] = d[i] + 1, i < N - 1; i++)\n    e[i] = 1;",
        nest("i=0:N-1", "{ c[i] = d[i] + 1; e[i] = 1; }"),
    ),
    wrong(
        "the other half is not run",
        PLAIN,
        nest("i", "i > 3 && (c[i] = d[i]) > 5 || (e[i] = 1);"),
        nest("i", "if (i > 3)\n    c[i] = d[i];") + "\n" + nest("i", "e[i] = 1;"),
    ),
    apart(
        "the function calls itself",
        RECURSIVE.but(opening="d[0] += n;"),
        "c[i] = 0.5 * c[i] + d[0];",
        "if (i == 2) again(n);",
    ),
    backwards("functions that call each other", MUTUAL, "even(i % 7);"),
    wrong(
        "a loop's head in a header",
        PLAIN.but(files={"head.h": "for (int i = 0; i < N; i++)\n"}),
        '#include "head.h"\nc[i] = d[i];\n' + "c[0] = 5;",
        '#include "head.h"\n{\nc[i] = d[i];\n' + "c[0] = 5 + i;\n}",
    ),
    wrong(
        "a loop's brace in a header",
        PLAIN.but(files={"head.h": "for (int i = 0; i < N; i++) {\n", "tail.h": "}\n"}),
        '#include "head.h"\nc[i] = d[i];\n#include "tail.h"\nd[0] += 1;',
        '#include "head.h"\nc[i] = d[i];\nd[0] += 1;\n#include "tail.h"',
    ),
    wrong(
        "another header of the loop's body",
        PLAIN.but(files={"one.h": "c[i] = d[i];\n", "two.h": "c[i] = d[N - 1 - i];\n"}),
        nest("i", '#include "one.h"'),
        nest("i", '#include "two.h"'),
    ),
)

ODD = """\
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
static jmp_buf where;
static volatile sig_atomic_t seen;
static void handler(int number) { seen += number; }
static int odd(int k)
{
    static void *to[] = {&&zero, &&one};
    if (setjmp(where))
        return k + seen;
    goto *to[k & 1];
zero:
    __asm__ volatile("" : : : "memory");
    k = ({ int t = k; t + 1; });
one:
    switch (k) {
        for (;;) {
        case 1:
            raise(SIGUSR2);
            break;
        }
    default:
        k += 2;
    }
    if (k > 1000)
        exit(1);
    longjmp(where, 1);
}"""
ELSEWHERE = PLAIN.but(
    functions=ODD, setup="signal(SIGUSR2, handler);", ending='printf("%d\\n", odd(7) + odd(4));'
)
THROWN = CPP.but(
    functions="""\
static int thrown(int k)
{
    try {
        if (k > 3)
            throw k;
    } catch (int x) {
        return x + 1;
    }
    return 0;
}
struct guard { int &x; ~guard() { x++; } };""",
    opening="int count = thrown(5);\n    guard g{count};",
    closing="c[0] = count;",
)
FACTORIAL = PLAIN.but(
    functions="static int fact(int k) { return k < 2 ? 1 : k * fact(k - 1); }",
    opening="int k = fact(4);",
    closing="c[0] = k;",
)

RIGHT: tuple[Pair, ...] = (
    right("everything odd is elsewhere", ELSEWHERE, *PRODUCT_LOOPS),
    right("everything odd is elsewhere, tiled", ELSEWHERE, PRODUCT, TILED_NEW),
    right(
        "everything odd is called in front", ELSEWHERE.but(opening="c[0] = odd(7);"), *TURNED_LOOPS
    ),
    right("exceptions in front and behind", THROWN, *PRODUCT_LOOPS),
    right(
        "called in try", CPP.but(call="try { work(N); } catch (...) { return 1; }"), *TURNED_LOOPS
    ),
    right("goto past the region", around("if (n < 0)\n        goto out;", "out:;"), *PRODUCT_LOOPS),
    right("return in front", around("if (n < 1)\n        return;"), *PRODUCT_LOOPS),
    right("a loop around", around("for (int r = 0; r < 3; r++) {", "}"), *TURNED_LOOPS),
    right(
        "while around, with a break",
        around("int r = 0;\n    while (1) {", "if (r++ > 1)\n        break;\n    }"),
        *TURNED_LOOPS,
    ),
    right(
        "an if around", around("if (n > 3) {", "} else {\n        c[0] = 1;\n    }"), *PRODUCT_LOOPS
    ),
    right(
        "a case around",
        around(
            "switch (n) {\n    case N: {",
            "}\n        break;\n    default:\n        c[0] = 1;\n    }",
        ),
        *TURNED_LOOPS,
    ),
    right(
        "an if in front of another loop",
        around("if (n > 100)\n        for (int i = 0; i < n; i++)\n            c[i] = 0;"),
        *PRODUCT_LOOPS,
    ),
    right("a recursive function in front", FACTORIAL, *PRODUCT_LOOPS),
    right(
        "the function calls itself behind",
        PLAIN.but(
            signature="void work(int n);\nvoid work(int n)",
            closing="if (n > N - 2)\n        work(n - 1);",
        ),
        *TURNED_LOOPS,
    ),
    right(
        "the assembler in front",
        around('__asm__ volatile("" : : : "memory");', '__asm__("" : "+m"(c[0]));'),
        *PRODUCT_LOOPS,
    ),
    right(
        "a statement expression in front",
        around("c[0] = ({ double t = d[0]; t * t; });"),
        *TURNED_LOOPS,
    ),
    right(
        "a header in the middle of the function",
        around('#include "more.h"', files={"more.h": "c[0] = 5;\n{ c[1] = 6; }\n"}),
        *TURNED_LOOPS,
    ),
    right(
        "continue under a condition of iterators",
        PLAIN,
        nest("i j", "{ if (i == j) continue; a[i][j] = b[j][i]; }"),
        PARALLEL + nest("j i", "{ if (i == j) continue; a[i][j] = b[j][i]; }"),
    ),
)

PAIRS: tuple[Pair, ...] = ENTERED + LEFT + STRANGE + RIGHT

GOES_IN = f"{STEP}\ninside:\n{PRODUCT}"
CALLS = nest("i j", "{ Use: a[i][j] += 1; Check: check(b[i][j] - 9); }")

PROGRAMS: tuple[Program, ...] = (
    leave("goto from in front", around("if (n > 3)\n        goto inside;"), GOES_IN),
    leave(
        "goto from behind",
        around("int turns = 0;", "if (turns++ < 2)\n        goto inside;"),
        GOES_IN,
    ),
    leave("computed goto", around("void *to = &&inside;\n    goto *to;"), GOES_IN),
    leave(
        "goto to a script's label",
        around("int turns = 0;", "if (turns++ < 1)\n        goto Mult;"),
        "Mult:\n" + PRODUCT,
    ),
    leave(
        "a script's label has an address",
        around("", "if (n > 1000)\n        goto *&&Mult;"),
        nest("i j k", "Mult: a[i][j] += b[i][k] * w[k][j];"),
        "interchange(Mult, 2, 3)",
    ),
    leave("a case", around("switch (n) {\n    case 0:", "}"), f"{STEP}\ncase N:\n{PRODUCT}"),
    leave("an if in front", around("if (n > 100)"), f"{PRODUCT}\n{STEP}"),
    leave("an if in front of one loop", around("if (n > 3)"), PRODUCT),
    leave(
        "an if and an else around one loop",
        around("if (n > 3)", "else\n        c[0] = 5;"),
        PRODUCT,
    ),
    leave(
        "a do around one loop", around("int turns = 0;\n    do", "while (turns++ < 2);"), PRODUCT
    ),
    leave("a while in front", around("int turns = 0;\n    while (turns++ < 2)"), PRODUCT),
    leave("a for in a macro", around("TWICE", define=("TWICE=for(;d[0]<5;d[0]++)",)), PRODUCT),
    leave("longjmp in a callee", LEAVING, CALLS),
    leave("longjmp in a callee, by a script", LEAVING, CALLS, "distribute(Use, Check)"),
    leave("exit in a callee, by a script", EXITING, CALLS, "distribute(Use, Check, 1)"),
    leave("an exception in a callee", THROWING, CALLS),
    leave("an exception in a callee, by a script", THROWING, CALLS, "distribute(Use, Check)"),
    leave("a destructor in the loop", GUARD, nest("i j", "{ guard g{d[i]}; a[i][j] += b[j][i]; }")),
    leave(
        "a destructor reads the sum",
        GUARD.but(opening="double t = 0;\n    guard g{t};"),
        nest("i j", "{ t = b[j][i]; a[i][j] += t; }"),
    ),
    leave("a signal in the loop", SIGNALLED, nest("i j", "{ c[3] = b[i][j]; raise(SIGUSR1); }")),
    leave("a nested function", NESTED, nest("i j", "bump((int)b[i][j]);")),
    leave(
        "the assembler in a callee, by a script",
        ASSEMBLER,
        nest("i j", "{ Step: step(); Use: a[i][j] = told; }"),
        "distribute(Step, Use)",
    ),
    leave(
        "the body changes the iterator",
        PLAIN,
        nest("i j k", "{ a[i][j] += b[i][k] * w[k][j]; if (k == 5) k += 3; }", "n"),
    ),
    leave(
        "a callee changes the bound",
        SHRINKING,
        "for (int i = 0; i < limit; i++)\n"
        + nest("j", "{ a[i][j] += b[j][i]; if (j == 3) shrink(); }"),
    ),
    leave(
        "a loop's head in a header",
        PLAIN.but(files={"head.h": "for (int i = 0; i < n; i++)\n"}),
        '#include "head.h"\n' + nest("j k", "a[i][j] += b[i][k] * w[k][j];", "n"),
    ),
    worth_it("everything odd is elsewhere", ELSEWHERE),
    worth_it("exceptions in front and behind", THROWN),
    worth_it("goto past the region", around("if (n < 0)\n        goto out;", "out:;")),
    worth_it("return in front", around("if (n < 1)\n        return;")),
    worth_it("an if around", around("if (n > 3) {", "} else {\n        c[0] = 1;\n    }")),
    worth_it("a loop around", around("for (int r = 0; r < 3; r++) {", "}")),
    worth_it("a recursive function in front", FACTORIAL),
    worth_it("the assembler in front", around('__asm__ volatile("" : : : "memory");')),
)
