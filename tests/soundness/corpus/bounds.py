"""Subscripts that leave their row, and land in another one."""

from __future__ import annotations

from tests.soundness.corpus.frames import (
    PARALLEL,
    PLAIN,
    PRODUCT_LOOPS,
    TURNED_LOOPS,
    Frame,
    leave,
    nest,
    right,
    worth_it,
    wrong,
)
from tests.soundness.pairs import Pair, Program

FLAT = PLAIN.but(
    functions="double f[N * N];",
    setup="for (int k = 0; k < N * N; k++) f[k] = k * k % 23 + 1;",
    ending="""\
for (int k = 0; k < N * N; k++) sum += (k % 31 + 1) * f[k];
    printf("%.17g %.17g %.17g\\n", sum, f[N + 1], f[N * N - 1]);""",
)
"""A frame with a vector that is used as a matrix."""

SMALL = FLAT.but(
    functions="enum { R = 6, Q = 5 };\ndouble f[R * Q * Q], g[R][Q][Q];",
    setup="""\
for (int k = 0; k < R * Q * Q; k++) {
        f[k] = k * k % 23 + 1;
        g[k / Q / Q][k / Q % Q][k % Q] = k * k % 29 + 1;
    }""",
    ending="""\
for (int k = 0; k < R * Q * Q; k++)
        sum += (k % 31 + 1) * f[k] + k % 5 * g[k / Q / Q][k / Q % Q][k % Q];
    printf("%.17g %.17g\\n", sum, f[7]);""",
)
"""The same with three subscripts."""

WITH_SIZES = FLAT.but(signature="void work(int n, int m, double *f)", call="work(N, N, f);")
"""The same with sizes that are parameters."""

ROWS = FLAT.but(signature="void work(int n, double (*f)[n])", call="work(N, (double (*)[N])f);")
"""The same as rows whose length is a parameter."""

SIZED = PLAIN.but(
    signature="void work(int n, int m, double x[n][m], double y[n][m])", call="work(N, N, a, b);"
)
"""A frame with matrices of variable size."""

SIZED_THRICE = SMALL.but(
    signature="void work(int n, int m, int p, double x[n][m][p])", call="work(R, Q, Q, g);"
)


def turned(name: str, frame: Frame, body: str, rows: str = "i=1:N", columns: str = "j") -> Pair:
    """Interchange two loops although a subscript leaves its row."""
    return wrong(name, frame, nest(f"{rows} {columns}", body), nest(f"{columns} {rows}", body))


def together(name: str, frame: Frame, first: str, second: str) -> Pair:
    """Change the order of two nests."""
    return wrong(name, frame, f"{first}\n{second}", f"{second}\n{first}")


BEFORE = "a[i][j] = a[i][j - 1] + 1;"
BEHIND = "a[i][j] = a[i][j + 1] + 1;"
FLAT_BEFORE = "f[i * N + j] = f[i * N + j - 1] + b[i][j];"

WRONG: tuple[Pair, ...] = (
    turned("the column before the first", PLAIN, BEFORE),
    turned("the column before the first, in a vector", FLAT, FLAT_BEFORE),
    turned(
        "the column before the first, in a pointer's memory",
        FLAT,
        "*(f + i * N + j) = *(f + i * N + j - 1) + 1;",
    ),
    turned("the column behind the last", PLAIN, BEHIND, "i=0:N-1"),
    turned(
        "the column behind the last, in a vector",
        FLAT,
        "f[i * N + j] = f[i * N + j + 1] + 1;",
        "i=0:N-1",
    ),
    turned("the column behind the last is written", PLAIN, "a[i][j + 1] = a[i][j] + 1;", "i=0:N-1"),
    turned("the row below by its columns", PLAIN, "a[i][j] = a[i - 1][j + N - 1] + 1;"),
    turned("the row above by its columns", PLAIN, "a[i][j] = a[i][j - N + 1] + 1;"),
    turned(
        "one more column than there is", PLAIN, "a[i][j] = 2 * a[i][j] + i;", "i=0:N-1", "j=0:N+1"
    ),
    turned(
        "one more column than there is, in a vector",
        FLAT,
        "f[i * N + j] = 2 * f[i * N + j] + i;",
        "i=0:N-1",
        "j=0:N+1",
    ),
    turned("columns that begin too early", PLAIN, "a[i][j] = 2 * a[i][j] + i;", "i=1:N", "j=-1:N"),
    turned("a row's pointer", PLAIN, "{ double *row = a[i]; row[j] = row[j - 1] + 1; }"),
    turned(
        "three subscripts, the last",
        SMALL,
        "for (int k = 0; k < Q; k++)\ng[i][j][k] = g[i][j][k - 1] + 1;",
        "i=1:R",
        "j=0:Q",
    ),
    turned(
        "three subscripts, the second",
        SMALL,
        "for (int k = 0; k < Q; k++)\ng[i][j][k] = g[i][j - 1][k] + 1;",
        "i=1:R",
        "j=0:Q",
    ),
    turned(
        "three subscripts in a vector",
        SMALL,
        "for (int k = 0; k < Q; k++)\nf[(i * Q + j) * Q + k] = f[(i * Q + j - 1) * Q + k] + 1;",
        "i=1:R",
        "j=0:Q",
    ),
    turned(
        "rows that overlap by their number of columns",
        FLAT,
        "f[i * (N - 1) + j] = f[i * (N - 1) + j] * 2 + i;",
        "i=0:N",
        "j=0:N",
    ),
    turned(
        "sizes that are parameters, the column before",
        WITH_SIZES,
        "f[i * m + j] = f[i * m + j - 1] + 1;",
        "i=1:n",
        "j=0:m",
    ),
    turned(
        "sizes that are parameters, the column behind",
        WITH_SIZES,
        "f[i * m + j] = f[i * m + j + 1] + 1;",
        "i=0:n-1",
        "j=0:m",
    ),
    turned(
        "sizes that are parameters, one more column",
        WITH_SIZES,
        "f[i * m + j] = 2 * f[i * m + j] + i;",
        "i=0:n-1",
        "j=0:m+1",
    ),
    turned("rows of a parameter's length", ROWS, "f[i][j] = f[i][j - 1] + 1;", "i=1:n", "j=0:n"),
    turned(
        "a local of variable length",
        FLAT.but(
            opening="double v[n][n];\n    for (int i = 0; i < n; i++)\n"
            "        for (int j = 0; j < n; j++)\n            v[i][j] = i + j;",
            closing="for (int i = 0; i < n; i++)\n        c[i] = v[i][i] + v[n - 1][i];",
        ),
        "v[i][j] = v[i][j - 1] + 1;",
        "i=1:n",
        "j=0:n",
    ),
    turned(
        "a member's array",
        SMALL.but(
            functions=SMALL.functions + "\nstruct { double x[R][Q]; } s;",
            ending=SMALL.ending + "\n    for (int i = 0; i < R; i++)\n"
            '        printf("%g ", s.x[i][2]);',
        ),
        "s.x[i][j] = s.x[i][j - 1] + f[j] + 1;",
        "i=1:R",
        "j=0:Q",
    ),
    turned("a subscript in front of its array", PLAIN, "(j - 1)[a[i]] = j[a[i - 1]] + 1;"),
    turned(
        "variable sizes, the column before", SIZED, "x[i][j] = x[i][j - 1] + 1;", "i=1:n", "j=0:m"
    ),
    turned(
        "variable sizes, two columns before",
        SIZED,
        "x[i][j] = x[i][j - 2] + y[i][j];",
        "i=1:n",
        "j=0:m",
    ),
    turned(
        "variable sizes, the column behind", SIZED, "x[i][j] = x[i][j + 1] + 1;", "i=0:n-1", "j=0:m"
    ),
    turned(
        "variable sizes, the column behind is written",
        SIZED,
        "x[i][j + 1] = x[i][j] + 1;",
        "i=0:n-1",
        "j=0:m",
    ),
    turned(
        "variable sizes, one more column", SIZED, "x[i][j] = 2 * x[i][j] + i;", "i=0:n-1", "j=0:=m"
    ),
    turned(
        "variable sizes, one column too early",
        SIZED,
        "x[i][j] = 2 * x[i][j] + i;",
        "i=1:n",
        "j=-1:m",
    ),
    turned(
        "variable sizes, the row below by its columns",
        SIZED,
        "x[i][j] = x[i - 1][j + m - 1] + 1;",
        "i=1:n",
        "j=0:m",
    ),
    turned(
        "variable sizes, a row's pointer",
        SIZED,
        "{ double *row = x[i]; row[j] = row[j - 1] + 1; }",
        "i=1:n",
        "j=0:m",
    ),
    turned(
        "variable sizes, behind a macro",
        SIZED.but(head="#define WEST(i, j) x[i][(j) - 1]"),
        "x[i][j] = WEST(i, j) + 1;",
        "i=1:n",
        "j=0:m",
    ),
    turned(
        "variable sizes, three subscripts, the last",
        SIZED_THRICE,
        "for (int k = 0; k < p; k++)\nx[i][j][k] = x[i][j][k - 1] + 1;",
        "i=1:n",
        "j=0:m",
    ),
    turned(
        "variable sizes, three subscripts, the second",
        SIZED_THRICE,
        "for (int k = 0; k < p; k++)\nx[i][j][k] = x[i][j - 1][k] + 1;",
        "i=1:n",
        "j=0:m",
    ),
    turned(
        "variable sizes, the column before if the row is even",
        SIZED,
        "if (i % 2 == 0)\nx[i][j] = x[i][j - 1] + 1;\nelse\nx[i][j] = x[i][j - 1] - 1;",
        "i=1:n",
        "j=0:m",
    ),
    together(
        "variable sizes, the last element of the row before",
        SIZED,
        nest("i=1:n", "x[i][-1] = 5;"),
        nest("i=0:n", "y[i][0] = x[i][m - 1];"),
    ),
    together(
        "variable sizes, the first element of the next row",
        SIZED,
        nest("i=0:n-1", "x[i][m] = 5;"),
        nest("i=0:n", "y[i][0] = x[i][0];"),
    ),
    together(
        "variable sizes, a row's end in the next one",
        SIZED,
        nest("i=0:n-1 j=0:=m", "x[i][j] = i;"),
        nest("i=0:n", "y[i][1] = x[i][0];"),
    ),
    together(
        "a matrix in one loop, then by rows",
        PLAIN,
        nest("k=0:N*N", "a[0][k] = k;"),
        nest("i j", "b[i][j] = a[i][j] + 1;"),
    ),
    together(
        "a matrix by rows, then in one loop",
        PLAIN,
        nest("i j", "a[i][j] = i + b[i][j];"),
        nest("k=0:N*N", "w[0][k] = a[0][k] + 1;"),
    ),
    together(
        "the first element of the next row",
        PLAIN,
        nest("i=0:N-1", "a[i][N] = 5;"),
        nest("i", "c[i] = a[i][0];"),
    ),
    together(
        "the last element of the row before",
        PLAIN,
        nest("i=1:N", "a[i][-1] = 5;"),
        nest("i", "c[i] = a[i][N - 1];"),
    ),
    wrong(
        "rows in parallel that read another's",
        PLAIN,
        nest("i=1:N j=0:N", BEFORE),
        nest("-i=1:N j=0:N", BEFORE),
    ),
    wrong(
        "a row's sum runs on",
        PLAIN,
        nest("i=0:N-1 j=0:N", "a[i][j] += a[i][j + 1];"),
        nest("-i=0:N-1 j=0:N", "a[i][j] += a[i][j + 1];"),
    ),
    wrong(
        "a remainder that is used as a column",
        FLAT,
        nest("i=1:N j=0:N", "f[i * N + j] += f[i * N + (j - 1) % N];"),
        nest("-i=1:N j=0:N", "f[i * N + j] += f[i * N + (j - 1) % N];"),
    ),
)

LATER = "f[i * N + j] = f[i * N + j - 1] + b[i][j];"
GUARDED = "a[i][j] = j > 0 ? a[i][j - 1] + 1 : 0;"
ROUND = "w[i][j] = b[i][(j + N - 1) % N] + b[i][(j + 1) % N];"

RIGHT: tuple[Pair, ...] = (
    right(
        "the column before, from the second on",
        PLAIN,
        nest("i j=1:N", BEFORE),
        PARALLEL + nest("i j=1:N", BEFORE),
    ),
    right(
        "the column before, interchanged", PLAIN, nest("i j=1:N", BEFORE), nest("j=1:N i", BEFORE)
    ),
    right("the column before if there is one", PLAIN, nest("i j", GUARDED), nest("j i", GUARDED)),
    right(
        "the column before if there is one, said by if",
        PLAIN,
        nest("i j", "if (j > 0)\n" + BEFORE),
        PARALLEL + nest("i j", "if (j > 0)\n" + BEFORE),
    ),
    right("columns that go round", PLAIN, nest("i j", ROUND), PARALLEL + nest("j i", ROUND)),
    right("a vector as a matrix", FLAT, nest("i j=1:N", LATER), PARALLEL + nest("i j=1:N", LATER)),
    right(
        "a vector as a matrix, interchanged", FLAT, nest("i j=1:N", LATER), nest("j=1:N i", LATER)
    ),
    right(
        "a vector that is only read across its rows",
        FLAT,
        nest("i=1:N j=0:N", "a[i][j] = f[i * N + j - 1] + 1;"),
        PARALLEL + nest("j=0:N i=1:N", "a[i][j] = f[i * N + j - 1] + 1;"),
    ),
    right(
        "across the rows, in order",
        FLAT,
        nest("i=1:N j=0:N", LATER),
        "for (int t = 1; t < N; t += 4)\n" + nest("i=t:(t+4<N?t+4:N) j=0:N", LATER),
    ),
    right(
        "a macro that says where",
        FLAT.but(head="#define AT(i, j) f[(i) * N + (j)]"),
        nest("i j=1:N", "AT(i, j) = AT(i, j - 1) + 1;"),
        PARALLEL + nest("i j=1:N", "AT(i, j) = AT(i, j - 1) + 1;"),
    ),
    right(
        "sizes that are parameters",
        WITH_SIZES,
        nest("i=0:n j=1:m", "f[i * m + j] = f[i * m + j - 1] + 1;"),
        PARALLEL + nest("i=0:n j=1:m", "f[i * m + j] = f[i * m + j - 1] + 1;"),
    ),
    right(
        "variable sizes",
        SIZED,
        nest("i=0:n j=1:m", "x[i][j] = x[i][j - 1] + 1;"),
        PARALLEL + nest("i=0:n j=1:m", "x[i][j] = x[i][j - 1] + 1;"),
    ),
    right(
        "variable sizes, a halo",
        SIZED,
        nest("i=1:n j=1:m", "x[i][j] = y[i - 1][j - 1] + 1;"),
        PARALLEL + nest("j=1:m i=1:n", "x[i][j] = y[i - 1][j - 1] + 1;"),
    ),
    right(
        "rows of a parameter's length, from the second column on",
        ROWS,
        nest("i=0:n j=1:n", "f[i][j] = f[i][j - 1] + 1;"),
        PARALLEL + nest("i=0:n j=1:n", "f[i][j] = f[i][j - 1] + 1;"),
    ),
    right(
        "three subscripts",
        SMALL,
        nest("i=0:R j=1:Q k=0:Q", "g[i][j][k] = g[i][j - 1][k] + 1;"),
        PARALLEL + nest("i=0:R j=1:Q k=0:Q", "g[i][j][k] = g[i][j - 1][k] + 1;"),
    ),
    right(
        "a halo",
        PLAIN,
        nest("i=1:N-1 j=1:N-1", "w[i][j] = b[i][j - 1] + b[i + 1][j];"),
        PARALLEL + nest("j=1:N-1 i=1:N-1", "w[i][j] = b[i][j - 1] + b[i + 1][j];"),
    ),
    right(
        "a matrix in one loop",
        PLAIN.but(functions="double f[N * N];"),
        nest("k=0:N*N", "f[k] = k;") + "\n" + nest("i j", "a[i][j] = f[i * N + j];"),
        nest("k=0:N*N", "f[k] = k;") + "\n" + nest("j i", "a[i][j] = f[i * N + j];"),
    ),
    right(
        "rows of nothing",
        PLAIN,
        nest("i j=0:0", BEFORE) + "\n" + TURNED_LOOPS[0],
        nest("i j=0:0", BEFORE) + "\n" + TURNED_LOOPS[1],
    ),
    right("triangles", PLAIN, nest("i j=1:i", BEFORE), PARALLEL + nest("i j=1:i", BEFORE)),
    right("a vector beside other loops", FLAT, *PRODUCT_LOOPS),
)

PAIRS: tuple[Pair, ...] = WRONG + RIGHT

TWICE = "void work(int n, int m, double *f, const double *x, const double *y)"
WIDE = FLAT.but(
    functions=FLAT.functions + "\ndouble x[N * N], y[N * N];",
    signature=TWICE,
    setup=FLAT.setup + "\n    for (int k = 0; k < N * N; k++) { x[k] = k % 5; y[k] = k % 3; }",
    call="work(N, N, f, x, y);",
)

PROGRAMS: tuple[Program, ...] = (
    leave(
        "the column before the first",
        PLAIN,
        nest("i=1:N j", "Step: " + BEFORE),
        "interchange(Step, 1, 2)",
    ),
    leave(
        "the column before the first, in a vector",
        FLAT,
        nest("i=1:N j", "Step: " + FLAT_BEFORE),
        "interchange(Step, 1, 2)",
    ),
    leave(
        "the column behind the last",
        PLAIN,
        nest("i=0:N-1 j", "Step: " + BEHIND),
        "interchange(Step, 1, 2)",
    ),
    leave(
        "sizes that are parameters",
        WITH_SIZES,
        nest("i=1:n j=0:m", "Step: f[i * m + j] = f[i * m + j - 1] + 1;"),
        "interchange(Step, 1, 2)",
    ),
    leave(
        "variable sizes",
        SIZED,
        nest("i=1:n j=0:m", "Step: x[i][j] = x[i][j - 1] + y[i][j];"),
        "interchange(Step, 1, 2)",
    ),
    leave(
        "variable sizes, one more column",
        SIZED,
        nest("i=0:n-1 j=0:=m", "Step: x[i][j] = 2 * x[i][j] + i;"),
        "interchange(Step, 1, 2)",
    ),
    leave(
        "rows of a parameter's length",
        ROWS,
        nest("i=1:n j=0:n", "Step: f[i][j] = f[i][j - 1] + 1;"),
        "interchange(Step, 1, 2)",
    ),
    leave(
        "a matrix in one loop, then by rows",
        PLAIN,
        nest("k=0:N*N", "a[0][k] = k;")
        + "\n"
        + nest("i j k", "b[i][j] += a[i][k] * w[k][j];", "n"),
    ),
    leave(
        "a product into the column before",
        PLAIN,
        nest("i=1:n j=0:n k=0:n", "a[i][j - 1] += b[i][k] * w[k][j] + a[i][k];"),
    ),
    leave(
        "a product of a vector across its rows",
        WIDE,
        nest("i=1:n j=0:m k=0:m", "f[i * m + j] += f[i * m + k - 1] * y[k * m + j];"),
    ),
    leave(
        "a product into a vector across its rows",
        WIDE,
        nest("i=0:n-1 j=0:m k=0:m", "f[i * m + j + 1] += f[i * m + k] * y[k * m + j];"),
    ),
    worth_it(
        "a product of vectors",
        WIDE,
        nest("i=0:n j=0:m k=0:m", "f[i * m + j] += x[i * m + k] * y[k * m + j];"),
    ),
    worth_it(
        "a product of vectors, by a macro",
        WIDE.but(head="#define AT(p, i, j) p[(i) * m + (j)]"),
        nest("i=0:n j=0:m k=0:m", "AT(f, i, j) += AT(x, i, k) * AT(y, k, j);"),
    ),
    worth_it(
        "a product of rows",
        ROWS.but(
            functions=WIDE.functions,
            setup=WIDE.setup,
            signature="void work(int n, double (*f)[n], double (*x)[n], double (*y)[n])",
            call="work(N, (double (*)[N])f, (double (*)[N])x, (double (*)[N])y);",
        ),
        nest("i j k", "f[i][j] += x[i][k] * y[k][j];", "n"),
    ),
    worth_it(
        "a product inside of a halo",
        PLAIN,
        nest("i=1:n-1 j=1:n-1 k=1:n-1", "a[i][j] += b[i][k - 1] * w[k + 1][j];"),
    ),
    worth_it(
        "the column before, by a script",
        PLAIN,
        nest("i j=1:N", "Step: " + BEFORE),
        "interchange(Step, 1, 2)",
    ),
    worth_it(
        "columns that go round, by a script",
        PLAIN,
        nest("i j", "Step: " + ROUND),
        "interchange(Step, 1, 2)",
    ),
    worth_it(
        "a product of a corner",
        PLAIN,
        nest("i j=0:i+1 k=0:n", "a[i][j] += b[i][k] * w[k][j];", "n"),
    ),
)
