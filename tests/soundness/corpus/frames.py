"""Programs around a region, and the loops of regions, for the attacks on surroundings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from loopwright.basics.records import record
from tests.soundness.pairs import FLAGS, Pair, Program

PARALLEL = "#pragma omp parallel for\n"
SIMD = "#pragma omp simd\n"


def nest(loops: str, body: str, rows: str = "N") -> str:
    """Write loops around a body: ``i`` counts to N, ``-i`` down from there, ``i=1:M`` between,
    and ``i=1:=M`` up to M.

    >>> print(nest("i -j=1:i", "a[i][j] = 0;"))
    for (int i = 0; i < N; i++)
    for (int j = i - 1; j >= 1; j--)
    a[i][j] = 0;
    """
    lines: list[str] = []
    for loop in loops.split():
        name, _, bounds = loop.lstrip("-").partition("=")
        low, _, high = (bounds or f"0:{rows}").partition(":")
        if loop.startswith("-"):
            lines.append(f"for (int {name} = {high} - 1; {name} >= {low}; {name}--)")
        else:
            less = "<=" if high.startswith("=") else "<"
            high = high.removeprefix("=")
            lines.append(f"for (int {name} = {low}; {name} {less} {high}; {name}++)")
    return "\n".join([*lines, body])


@record
class Frame:
    """A program that fills arrays, works on them in one region, and prints what has become of them.

    The region may speak of the matrices ``a``, ``b`` and ``w`` and of the vectors ``c``, ``d`` and
    ``e``, with ``n`` rows.
    """

    includes: str = "#include <stdio.h>\n"
    head: str = ""
    size: int = 24
    arrays: str = "double a[N][N], b[N][N], w[N][N], c[N], d[N], e[N];"
    functions: str = ""
    signature: str = "void work(int n)"
    opening: str = ""
    closing: str = ""
    setup: str = ""
    call: str = "work(N);"
    ending: str = ""
    flags: tuple[str, ...] = FLAGS
    define: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    standard: str = "gnu11"

    def around(self, region: str) -> str:
        """Write the whole program."""
        return _TEXT.format(
            includes=self.includes,
            head=self.head,
            size=self.size,
            arrays=self.arrays,
            functions=self.functions,
            signature=self.signature,
            opening=self.opening,
            region=region.rstrip("\n"),
            closing=self.closing,
            setup=self.setup,
            call=self.call,
            ending=self.ending,
        )

    def but(self, **changed: object) -> Frame:
        """Change some parts of it."""
        return replace(self, **changed)  # pyright: ignore[reportArgumentType]


_TEXT = """\
{includes}
{head}
enum {{ N = {size} }};
{arrays}
{functions}
{signature}
{{
    {opening}
#pragma scop
{region}
#pragma endscop
    {closing}
}}

int main(void)
{{
    for (int i = 0; i < N; i++) {{
        c[i] = 3 * i % 7 + 1;
        d[i] = 5 * i % 11 + 2;
        e[i] = i * i % 13 + 3;
        for (int j = 0; j < N; j++) {{
            a[i][j] = (3 * i + 5 * j) % 17 + 1;
            b[i][j] = (7 * i + 2 * j) % 19 + 2;
            w[i][j] = (2 * i + 9 * j) % 5 + 1;
        }}
    }}
    {setup}
    {call}
    double sum = 0;
    for (int i = 0; i < N; i++) {{
        sum += (i + 1) * (c[i] + 2 * d[i] + 3 * e[i]);
        for (int j = 0; j < N; j++)
            sum += (i + 2 * j + 1) * (a[i][j] + 2 * b[i][j] + 3 * w[i][j]);
    }}
    printf("%.17g %.17g %.17g\\n", sum, a[1][2], a[N - 1][N - 1]);
    printf("%.17g %.17g %.17g\\n", c[1], d[N - 1], e[2]);
    {ending}
    return 0;
}}
"""

PLAIN = Frame()

TURNED = nest("i j", "a[i][j] = b[j][i] + 1;", "n")
"""A region whose loops may change places, and run in parallel."""
TURNED_NEW = PARALLEL + nest("j i", "a[i][j] = b[j][i] + 1;", "n")
TURNED_LOOPS = (TURNED, TURNED_NEW)

PRODUCT = nest("i j k", "a[i][j] += b[i][k] * w[k][j];", "n")
"""A region that is worth to be optimized."""
PRODUCT_NEW = PARALLEL + nest("i k j", "a[i][j] += b[i][k] * w[k][j];", "n")
PRODUCT_LOOPS = (PRODUCT, PRODUCT_NEW)

TILED_NEW = """\
#pragma omp parallel for
for (int t = 0; t < n; t += 8)
    for (int k = 0; k < n; k++)
        for (int i = t; i < (t + 8 < n ? t + 8 : n); i++)
            for (int j = 0; j < n; j++)
                a[i][j] += b[i][k] * w[k][j];
"""


def wrong(name: str, frame: Frame, old: str, new: str, other: Frame | None = None) -> Pair:
    """Make a pair that prints differently; the frame may be another one afterwards."""
    return _pair(name, frame, old, new, other, is_same=False)


def right(name: str, frame: Frame, old: str, new: str, other: Frame | None = None) -> Pair:
    """Make a pair that prints the same."""
    return _pair(name, frame, old, new, other, is_same=True)


def _pair(
    name: str, frame: Frame, old: str, new: str, other: Frame | None, *, is_same: bool
) -> Pair:
    return Pair(
        name,
        frame.around(old),
        (other or frame).around(new),
        is_same,
        flags=frame.flags,
        define=frame.define,
        files=frame.files,
        standard=frame.standard,
    )


def worth_it(name: str, frame: Frame, region: str = PRODUCT, script: str = "") -> Program:
    """Make a program that has to be rewritten."""
    return _program(name, frame, region, script, must_be_rewritten=True)


def leave(name: str, frame: Frame, region: str, script: str = "") -> Program:
    """Make a program that is to be left alone, or to be rewritten with great care."""
    return _program(name, frame, region, script, must_be_rewritten=False)


def _program(
    name: str, frame: Frame, region: str, script: str, *, must_be_rewritten: bool
) -> Program:
    return Program(
        name,
        frame.around(region),
        must_be_rewritten,
        script=script,
        flags=frame.flags,
        define=frame.define,
        files=frame.files,
        standard=frame.standard,
    )
