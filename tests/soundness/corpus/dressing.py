"""Programs around a region: what the attacks put on, and loops to put it on.

All programs have the same arrays and scalars; what they hold in the end is printed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from textwrap import indent
from typing import Any

from loopwright.basics.records import record
from tests.soundness.pairs import Pair, Program

FRAME = """\
#include <stdio.h>
{top}enum {{ N = 64 }};
{storage}double a[N], b[N], c[N], A[N][N], B[N][N], C[N][N];
{storage}double s, t;
{storage}int shift, x[N];
{names}void {signature}
{{
{opening}#pragma scop
{region}
#pragma endscop
{closing}}}

int main(void)
{{
    volatile int size = N;
    shift = size / N;
    for (int i = 0; i < N; i++) {{
        a[i] = i % 7 + 0.5;
        b[i] = i % 5;
        c[i] = 1.0 / (i + 1);
        x[i] = i % 11;
        for (int j = 0; j < N; j++) {{
            A[i][j] = (i * j) % 13 + 0.25;
            B[i][j] = (i + 2 * j) % 9;
            C[i][j] = (3 * i + j) % 5;
        }}
    }}
{call}    double sum = 0.0;
    for (int i = 0; i < N; i++) {{
        sum += a[i] + 3 * b[i] + 5 * c[i] + 7 * x[i];
        for (int j = 0; j < N; j++)
            sum += (i + 1) * A[i][j] + (j + 1) * B[i][j] - j * C[i][j];
    }}
    printf("%.10g %.10g %.10g %d\\n", sum, s, t, shift);
    printf("%g %g %g %g %g %d\\n", a[1], b[2], c[N - 1], A[3][4], B[N - 1][1], x[N - 1]);
{tell}    return 0;
}}
"""


@record
class Setting:
    """What surrounds a region: text at the top of the file, around it, and in ``main``."""

    top: str = ""
    """Behind the first header."""
    names: str = ""
    """In front of the function, where the arrays are known."""
    opening: str = ""
    """In the function, in front of the region."""
    closing: str = ""
    call: str = "kernel(size);"
    tell: str = ""
    """In ``main``, behind the usual output."""
    signature: str = "kernel(int n)"
    storage: str = ""

    def around(self, region: str) -> str:
        """The whole program."""
        return FRAME.format(
            top=_lines(self.top),
            names=_lines(self.names),
            opening=_lines(self.opening),
            closing=_lines(self.closing),
            call=_indented(_lines(self.call)),
            tell=_indented(_lines(self.tell)),
            signature=self.signature,
            storage=self.storage,
            region=_indented(region),
        )


def _indented(text: str) -> str:
    """Lines that are joined with those in front of them stay where they are."""
    lines, joined = list[str](), False
    for line in text.splitlines(keepends=True):
        lines.append(line if joined else indent(line, "    "))
        joined = line.rstrip().endswith(("\\", "??/"))
    return "".join(lines)


def renamed(text: str, **names: str) -> str:
    """The text with other names.

    >>> renamed("int t = t1;", t="u")
    'int u = t1;'
    """
    for old, new in names.items():
        text = re.sub(rf"\b{old}\b", new.replace("\\", r"\\"), text)
    return text


def _lines(text: str) -> str:
    return text.strip("\n") + "\n" if text.strip("\n") else ""


PLAIN = Setting()


def pair(
    name: str,
    is_same: bool,
    setting: Setting,
    old: str,
    new: str,
    *,
    then: Mapping[str, str] | None = None,
    **options: Any,
) -> Pair:
    """A region in a setting before and after; ``then`` is what changes of the setting as well."""
    changed = replace(setting, **(then or {}))
    return Pair(name, setting.around(old), changed.around(new), is_same, **options)


def wrong(name: str, setting: Setting, old: str, new: str, **options: Any) -> Pair:
    """A pair that differs."""
    return pair(name, False, setting, old, new, **options)


def right(name: str, setting: Setting, old: str, new: str, **options: Any) -> Pair:
    """A pair that is the same."""
    return pair(name, True, setting, old, new, **options)


def swapped(name: str, setting: Setting, first: str, second: str, **options: Any) -> Pair:
    """Two loops that nothing orders change places, and what stood in front of the first stays."""
    return wrong(name, setting, f"{first}\n{second}", f"{second}\n{first}", **options)


# --- loops ---------------------------------------------------------------------------------------

FILL = """\
for (int i = 0; i < n; i++)
    b[i] = 2.0 * a[i];"""
"""May run often, by anybody."""

COUNT = """\
for (int i = 0; i < n; i++)
    c[i] = c[i] + 1.0;"""
"""Has to run once; the iterations are independent."""

CHAIN = """\
for (int i = 1; i < n; i++)
    c[i] = c[i - 1] + c[i];"""
"""Has to run in order."""

LAST = """\
for (int i = 0; i < n; i++) {
    t = c[i];
    c[i] = t + t * t;
}"""
"""The last ``t`` is used later."""

HORNER = """\
for (int i = 0; i < n; i++)
    s = 0.5 * s + c[i];"""
"""A sum that is none."""

SHIFTED = """\
for (int i = 0; i < n - shift; i++)
    c[i + shift] = c[i] + 1.0;"""
"""A chain at a distance that nobody knows."""

ROWS = """\
for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
        A[i][j] = 2.0 * A[i][j] + B[j][i];"""
"""An independent nest, and its other order."""

COLUMNS = """\
for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
        A[i][j] = 2.0 * A[i][j] + B[j][i];"""

TILED = """\
for (int k = 0; k < 8; k++)
    for (int i = 0; i < n; i++)
        for (int j = 8 * k; j < (8 * k + 8 < n ? 8 * k + 8 : n); j++)
            A[i][j] = 2.0 * A[i][j] + B[j][i];"""
"""Right where n is at most 64, as it is."""

DOWN = """\
for (int j = 0; j < n; j++)
    for (int i = 1; i < n; i++)
        A[i][j] = A[i - 1][j] + A[i][j] * 0.5;"""
"""Columns that are sequential, one by one and side by side."""

DOWN_TOGETHER = """\
for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++)
        A[i][j] = A[i - 1][j] + A[i][j] * 0.5;"""

PRODUCT = """\
for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            A[i][j] += B[i][k] * B[k][j];"""

PRODUCT_BY_ROWS = """\
for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            A[i][j] += B[i][k] * B[k][j];"""

IN_PARALLEL = "#pragma omp parallel for\n"


# --- programs to be rewritten --------------------------------------------------------------------

LARGE = """\
#include <stdio.h>
#include <stdlib.h>
{top}
{kernel}

int main(void)
{{
    volatile int size = 90;
    int n = size;
    double(*A)[n] = malloc(sizeof(double[n][n]));
    double(*B)[n] = malloc(sizeof(double[n][n]));
    double(*C)[n] = malloc(sizeof(double[n][n]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {{
            A[i][j] = (i + j) % 7;
            B[i][j] = (i * j) % 5;
            C[i][j] = i - j;
        }}
    {call}
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += (i + 1) * C[i][j] + A[i][j] - B[i][j];
    printf("%.17g %g %g\\n", sum, C[1][2], C[n - 1][0]);
{tell}    return 0;
}}
"""
"""A function ``kernel`` over three matrices, of variable size."""

SIGNATURE = "void kernel(int n, double C[restrict n][n], double A[restrict n][n],\n" + (
    "            double B[restrict n][n])"
)
GLOBAL = """\
#include <stdio.h>
{top}
enum {{ M = 100 }};
double A[M][M], B[M][M], C[M][M];
{kernel}

int main(void)
{{
    volatile int size = M;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {{
            A[i][j] = (i + j) % 7;
            B[i][j] = (i * j) % 5;
            C[i][j] = i - j;
        }}
    {call}
    double sum = 0.0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            sum += (i + 1) * C[i][j] + A[i][j] - B[i][j];
    printf("%.17g %g %g\\n", sum, C[1][2], C[M - 1][0]);
{tell}    return 0;
}}
"""
"""The same over global arrays, as C++ can have them."""

MULTIPLY = """\
for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            {statement}"""
UPDATE = "C[i][j] += A[i][k] * B[k][j];"


def multiplication(statement: str = UPDATE, iterator: str = "int") -> str:
    """A matrix product, which is worth a better order."""
    return MULTIPLY.format(statement=statement).replace("(int ", f"({iterator} ")


def program(
    name: str,
    region: str = "",
    *,
    top: str = "",
    opening: str = "",
    closing: str = "",
    call: str = "",
    tell: str = "",
    rewritten: bool = True,
    **options: Any,
) -> Program:
    """A program with a region that is marked, unless it is to be found."""
    is_cpp = "++" in options.get("standard", "")
    region = region or multiplication()
    if not options.get("autodetect", False):
        region = f"#pragma scop\n{region}\n#pragma endscop"
    signature = "void kernel(int n)" if is_cpp else SIGNATURE
    kernel = f"{signature}\n{{\n{_lines(opening)}{region}\n{_lines(closing)}}}"
    text = (GLOBAL if is_cpp else LARGE).format(
        top=top.strip("\n"),
        kernel=kernel,
        call=call or ("kernel(size);" if is_cpp else "kernel(n, C, A, B);"),
        tell=_indented(_lines(tell)),
    )
    return Program(name, text, rewritten, **options)
