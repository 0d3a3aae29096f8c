"""Random programs that are nearly C: every kind of object, in expressions that ask too much."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.broken.snippets import EXPRESSIONS, HEADERS, STATEMENTS

PROLOGUE = """\
#include <math.h>
#include <stddef.h>
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define floord(a, b) (((a) < 0) ? -((-(a) + (b) - 1) / (b)) : (a) / (b))
#define ceild(a, b) (-floord(-(a), b))
struct inner { int k; double v[4]; };
struct s { int x, y; double d; float a[5]; struct inner in, ins[3]; struct s *next;
           unsigned bits : 5; signed sb : 3; union { int ui; float uf; }; };
union u { int i; double d; char c[8]; struct inner in; };
enum color { RED, GREEN = 5, BLUE };
typedef float v4 __attribute__((vector_size(16)));
typedef int row[6];
int global, gtable[10][20];
static double gd[100];
const int limit = 12;
extern double unsized[];
volatile int vol;
int helper(int a, double *p) { p[a] = a; return a + 1; }
double twice(double x) { return 2 * x; }
int rec(int x) { return x ? rec(x - 1) : 0; }
void whole(int n, double A[n][n]) { for (int i = 0; i < n; i++) A[i][i] = 0; }
"""
PARAMETERS = [
    "int n, int m, unsigned un, long ln, unsigned char uc, short sh, _Bool flag",
    "double x, float f, double a[n], double b[n][m], int ia[], double (*rows)[m], double *p",
    "double **pp, struct s st, struct s *sp, struct s sa[n], union u uni, union u *up, v4 vec",
    "enum color col, row r, int (*fun)(int), char *str, const double *restrict cp",
    "double cube[static n][m][n + 1], void *vp, _Complex double z, __int128 wide",
]
ITERATORS = "i j k".split()
INTEGERS = "n m i j k i j k n m un ln uc sh flag global limit RED BLUE col".split()
WRITTEN = "t global sh ln uc flag wide un i".split()
REALS = "x f z wide t".split()
INT_ARRAYS = "ia str r gtable[i] uni.c up[0].c".split()
REAL_ARRAYS = "a p gd unsized b[i] rows[j] pp[k] cube[i][j] st.a sp->in.v sa[i].ins[j].v".split()
MATRICES = "b rows gtable pp cube[i]".split()
MEMBERS = ".x .y .d .a[#] .in.k .in.v[#] .bits .sb .ui .uf .ins[#].v[#] .next->x".split()
INT_TYPES = ["int", "char", "unsigned", "long", "short", "_Bool", "unsigned char", "__int128"]
NUMBERS = [0, 1, 2, 3, 4, 8, -1, -2, -3, 1000, 2**31 - 1, 2**31, 2**62, 2**64 - 1]


def odd_program(random: Random) -> str:
    """A program whose region is made of everything; one in three is not even C."""
    return _Maker(random, random.choice([0.0, 0.0, 0.1])).program()


class _Maker:
    """Makes the pieces; ``wildness`` is how often a piece ignores what belongs there."""

    def __init__(self, random: Random, wildness: float) -> None:
        self.random = random
        self.wildness = wildness
        self.loops = 0
        self.names = 0

    def program(self) -> str:
        body = "\n".join(self.statement(3) for _ in range(self.random.randint(1, 4)))
        after = self.assignment() if self.random.random() < 0.3 else ""
        start = self.random.choice(["0", "n", "n + 1", "m - n", "(int)x", "n * m"])
        return (
            f"{PROLOGUE}void odd({', '.join(PARAMETERS)})\n{{\n  int i = 0, j, k, t = {start};\n"
            f"#pragma scop\n{body}\n#pragma endscop\n{after}\n}}\n"
        )

    def is_wild(self) -> bool:
        return self.random.random() < self.wildness

    def fresh(self) -> str:
        self.names += 1
        return f"q{self.names}"

    # --- statements -------------------------------------------------------------------------

    def statement(self, depth: int) -> str:
        if self.is_wild():
            return self.odd(STATEMENTS)
        if depth <= 0 or self.random.random() < 0.25:
            return self.assignment()
        makers = [self.loop] * 5 + [self.condition] * 3
        makers += [self.while_loop, self.declaration, self.exit, self.label]
        return self.random.choice(makers)(depth)

    def block(self, depth: int) -> str:
        if self.random.random() < 0.4:
            return f"{{ {self.statement(depth - 1)} }}"
        inner = "\n".join(self.statement(depth - 1) for _ in range(self.random.randint(0, 3)))
        return f"{{\n{inner}\n}}"

    def loop(self, depth: int) -> str:
        self.loops += 1
        header = self.odd(HEADERS) if self.is_wild() else self.header()
        text = f"{header} {self.block(depth)}"
        self.loops -= 1
        return text

    def header(self) -> str:
        name = self.random.choice(ITERATORS)
        kind = self.random.choice(
            ["", "", "int ", "unsigned ", "unsigned char ", "long ", "short "]
        )
        relation = self.random.choice(["<", "<", "<=", "!=", ">", ">="])
        step = self.random.choice(
            [f"{name}++", f"{name}++", f"{name}--", f"{name} += {self.random.randint(-3, 5)}"]
        )
        extra = f" && {self.test(1)}" if self.random.random() < 0.15 else ""
        start, end = self.integer(1), self.integer(2)
        return f"for ({kind}{name} = {start}; {name} {relation} {end}{extra}; {step})"

    def condition(self, depth: int) -> str:
        other = f" else {self.block(depth)}" if self.random.random() < 0.5 else ""
        return f"if ({self.test(2)}) {self.block(depth)}{other}"

    def while_loop(self, depth: int) -> str:
        self.loops += 1
        body = self.block(depth)
        self.loops -= 1
        if self.random.random() < 0.5:
            return f"do {body} while ({self.test(2)});"
        return f"while ({self.test(2)}) {body}"

    def declaration(self, depth: int) -> str:
        del depth
        name, kind = self.fresh(), self.random.choice([*INT_TYPES, "double", "float"])
        if self.random.random() < 0.5:
            return f"{kind} {name} = {self.value(2)}; {self.place()} = {name};"
        index = self.integer(1)
        return f"{kind} {name}[{self.integer(1)}]; {name}[{index}] = 1; x = {name}[{index}];"

    def exit(self, depth: int) -> str:
        del depth
        words = ["break;", "continue;", "return;"] if self.loops else ["return;", ";"]
        return f"if ({self.test(1)}) {self.random.choice(words)}"

    def label(self, depth: int) -> str:
        return f"L{self.fresh()}: {self.block(depth)}"

    def assignment(self) -> str:
        match self.random.randrange(10):
            case 0:
                return f"{self.place()}{self.random.choice(['++', '--'])};"
            case 1:
                return f"{self.call(1)};"
            case 2:
                return f"{self.place()} = {self.place()} = {self.value(2)};"
            case 3:
                operator = self.random.choice(["%=", "<<=", ">>=", "|=", "&=", "^="])
                return f"{self.integer_place()} {operator} {self.integer(2)};"
            case 4:
                return self.random.choice(
                    ["st = *sp;", "sa[i] = sa[j];", "sp->in = st.ins[i];", "uni = *up;", "p = a;"]
                )
            case _:
                operator = self.random.choice(["=", "=", "=", "+=", "-=", "*=", "/="])
                return f"{self.place()} {operator} {self.value(3)};"

    # --- places -----------------------------------------------------------------------------

    def index(self) -> str:
        return self.integer(2) if self.random.random() < 0.9 else self.integer_place()

    def place(self) -> str:
        if self.is_wild():
            return self.odd(EXPRESSIONS)
        match self.random.randrange(10):
            case 0 | 1:
                return self.random.choice(REALS)
            case 2 | 3 | 4:
                return f"{self.random.choice(REAL_ARRAYS)}[{self.index()}]"
            case 5 | 6:
                return f"{self.random.choice(MATRICES)}[{self.index()}][{self.index()}]"
            case 7:
                base = self.random.choice(["st", f"sa[{self.index()}]", "(*sp)", "sp[1]"])
                member = self.random.choice(MEMBERS)
                return base + member.replace("#", self.random.choice(ITERATORS))
            case 8:
                array = self.random.choice(REAL_ARRAYS)
                return f"*({array} + {self.index()})"
            case _:
                return self.integer_place()

    def integer_place(self) -> str:
        match self.random.randrange(5):
            case 0 | 1:
                return self.random.choice(WRITTEN)
            case 2:
                return self.random.choice(["st.x", "sp->y", "sa[i].bits", "uni.i", "up[j].in.k"])
            case _:
                array = self.random.choice(INT_ARRAYS)
                return f"{array}[{self.random.choice(ITERATORS)}]"

    # --- values -----------------------------------------------------------------------------

    def integer(self, depth: int) -> str:
        if self.is_wild():
            return self.odd(EXPRESSIONS)
        if depth <= 0 or self.random.random() < 0.4:
            return self.random.choice([*INTEGERS, *INTEGERS, "0", "1", "2", "7", "-1", "100"])
        left, right = self.integer(depth - 1), self.integer(depth - 1)
        number = self.random.choice(NUMBERS)
        return self.random.choice(
            [
                f"{left} + {right}",
                f"{left} - {right}",
                f"{number} * ({left})",
                f"({left}) * ({right})",
                f"({left}) / {number}",
                f"({left}) % {number}",
                f"-({left})",
                f"min({left}, {right})",
                f"max({left}, {right})",
                f"floord({left}, {number})",
                f"ceild({left}, {number})",
                f"({self.random.choice(INT_TYPES)})({left})",
                f"({left} < {right} ? {left} : {right})",
                f"(({left}) {self.random.choice('<< >> & | ^'.split())} {abs(number) % 70})",
                f"!({left})",
                f"~({left})",
            ]
        )

    def test(self, depth: int) -> str:
        relation = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
        match self.random.randrange(8) if depth > 0 else 7:
            case 0:
                return self.value(1)
            case 1 | 2:
                connective = self.random.choice(["&&", "||"])
                return f"({self.test(depth - 1)} {connective} {self.test(depth - 1)})"
            case 3:
                return f"!({self.test(depth - 1)})"
            case 4:
                return f"{self.integer_place()} {relation} {self.integer(1)}"
            case _:
                return f"{self.integer(2)} {relation} {self.integer(2)}"

    def value(self, depth: int) -> str:
        if self.is_wild():
            return self.odd(EXPRESSIONS)
        if depth <= 0 or self.random.random() < 0.2:
            return self.random.choice([self.place(), self.integer(1), "1.5", "0", "'c'"])
        left, right = self.value(depth - 1), self.value(depth - 1)
        return self.random.choice(
            [
                self.call(depth),
                f"({self.test(1)} ? {left} : {right})",
                f"{self.random.choice('- ! +'.split())}({left})",
                f"({self.random.choice([*INT_TYPES, 'double', 'float'])})({left})",
                f"({left}, {right})",
                f"({self.place()} {self.random.choice(['=', '+=', '*='])} {left})",
                f"{self.place()}{self.random.choice(['++', '--'])}",
                f"({{ double {(name := self.fresh())} = {left}; {name} * 2; }})",
                *(f"({left} {operator} {right})" for operator in "+ - * / + - * / == !=".split()),
                *(f"({left} {operator} {right})" for operator in "&& ||".split()),
            ]
        )

    def call(self, depth: int) -> str:
        value, integer = self.value(depth - 1), self.integer(1)
        pointer = self.random.choice(["a", "p", "b[i]", "&x", "gd", "&a[i]", "0", "a + i", "*pp"])
        matrix = self.random.choice(["b", "rows", "cube[0]", "0", "(double (*)[n])a"])
        return self.random.choice(
            [
                f"helper({integer}, {pointer})",
                f"twice({value})",
                f"rec({integer})",
                f"(whole({integer}, {matrix}), 1)",
                f"sqrt({value})",
                f"pow({value}, {integer})",
                f"frexp({value}, &k)",
                f"fun({integer})",
                f"(*fun)({integer})",
                f"(i ? helper : helper)({integer}, {pointer})",
                f"unknown_({value}, {pointer}, &st)",
                f"__builtin_fabs({value})",
                f"abs({integer})",
            ]
        )

    def odd(self, snippets: Sequence[str]) -> str:
        names = [*INTEGERS, *WRITTEN, *REALS, "a", "b", "ia", "p", "sp", "st", "rows"]
        text = self.random.choice(snippets)
        while "$" in text.replace("$$", ""):
            text = text.replace("$", self.random.choice(names), 1)
        return text
