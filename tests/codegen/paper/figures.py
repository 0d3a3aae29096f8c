"""The isl columns of Figures 5, 6, 7 and 8 of the paper."""

from __future__ import annotations

from loopwright.codegen.options import AstOptions, LoopType
from tests.codegen.paper.examples import Example, Rewriting, grid

_SEPARATE = AstOptions(loop_types=(LoopType.SEPARATE, LoopType.SEPARATE))
_UNROLL = AstOptions(loop_types=(LoopType.UNROLL, LoopType.UNROLL))

FIGURE_5B = Example(
    # Two copies of S1: the figure has been made with separation.  The text calls the statements s0
    # and s1, the code S0 and S1.
    name="Figure 5b, and 5.19 and 5.20",
    domain="""[n] -> { S0[i] : exists alpha : 1 <= i <= n and i = 4 alpha;
                       S1[i] : exists alpha : 1 <= i <= n and i = 4 alpha + 2 }""",
    schedule="{ S0[i] -> [i]; S1[i] -> [i] }",
    options=_SEPARATE,
    printed="""
for (int c0 = 2; c0 < n - 1; c0 += 4) {
  S1(c0);
  S0(c0 + 2);
}
if (n >= 2 && n % 4 >= 2)
  S1(-(n % 4) + n + 2);
""",
    rewritings=(
        Rewriting(
            "n >= 2 && ", "n >= 0 && ", "n % 4 >= 2 and n >= 0 make n >= 2 (5.19 says n >= 0, too)"
        ),
    ),
    sizes=grid(n=range(-6, 30)),
)

FIGURE_6C = Example(
    # S3 runs on after n: the figure has been made with separation, and relies on m >= n.
    name="Figure 6c, youcefn",
    domain="""[n, m] -> { S1[i, i] : 1 <= i <= n; S2[i, j] : 1 <= i <= n and i <= j <= n;
                          S3[i, n] : 1 <= i <= m }""",
    schedule="{ S1[i, j] -> [i, j]; S2[i, j] -> [i, j]; S3[i, j] -> [i, j] }",
    context="[n, m] -> { : n >= 2 and m >= n }",
    options=_SEPARATE,
    printed="""
for(i=1; i<=n; i+=1) {
  S1(i,i);
  for(j=i; j<=n; j+=1)
    S2(i,j);
  S3(i,n);
}
for(i=n+1; i<=m; i+=1)
  S3(i,n);
""",
    sizes=tuple(point for point in grid(n=range(2, 6), m=range(2, 9)) if point["m"] >= point["n"]),
)

FIGURE_7A_SIMPLE = Example(
    # "%" is right for n >= 0 only.
    name="Figure 7a, simple",
    domain="[n] -> { S[i] : i = n mod 128 }",
    schedule="{ S[i] -> [i] }",
    context="[n] -> { : n >= 0 }",
    printed="S(n % 128);",
    sizes=grid(n=range(0, 400, 7)),
)

FIGURE_7A_SHIFTED = Example(
    # The text prints "7 <= ii <= 134".
    name="Figure 7a, shifted",
    domain="[t1] -> { S[i] : 7 <= i <= 134 and i mod 128 = t1 }",
    schedule="{ S[i] -> [i] }",
    context="[t1] -> { : 0 <= t1 < 128 }",
    printed="S(((t1 + 121) % 128) + 7);",
    sizes=grid(t1=range(128)),
)

FIGURE_7A_CONDITIONAL = Example(
    name="Figure 7a, conditional",
    domain="[t1] -> { S[i] : 7 <= i <= 130 and i mod 128 = t1 }",
    schedule="{ S[i] -> [i] }",
    context="[t1] -> { : 0 <= t1 < 128 }",
    printed="""
if ((t1 + 121) % 128 <= 123)
  S(((t1 + 125) % 128) + 3);
""",
    rewritings=(
        Rewriting(
            "((t1 + 125) % 128) + 3",
            "((t1 + 121) % 128) + 7",
            "i is at least 3, and at least 7: the remainder is counted from either",
        ),
    ),
    sizes=grid(t1=range(128)),
)

_TWO_VARIABLES = """{ S[i] : exists alpha, beta : i = 2 alpha + 3 beta and 0 <= alpha < 3
                             and 0 <= beta and 0 <= i < 8 }"""

FIGURE_8A_TWO = Example(
    name="Figure 8a, two existentially quantified variables",
    domain=_TWO_VARIABLES,
    schedule="{ S[i] -> [i] }",
    printed="""
for (int c0 = 0; c0 <= 7; c0 += 1)
  if (2 * (2 * c0 / 3) >= c0)
    S(c0);
""",
    rewritings=(
        Rewriting(
            "2 * (2 * c0 / 3) >= c0",
            "c0 >= 2 * ((c0 + 2) / 3)",
            "two ways to eliminate the quantifiers; on 0 <= c0 <= 7 both fail only for c0 = 1",
        ),
    ),
)

FIGURE_8B_TWO = Example(
    name="Figure 8b, two existentially quantified variables",
    domain=_TWO_VARIABLES,
    schedule="{ S[i] -> [i] }",
    options=_UNROLL,
    printed="S(0); S(2); S(3); S(4); S(5); S(6); S(7);",
)

# The paper does not print the context.  For threads 0 <= t1 < 128 as in Figure 7, the code of
# Figure 8b is right just if 254 <= t2 <= 256; that t1 - 384 is a lower bound and t1 >= 126 the
# only condition comes out if the last threads are meant, 125 <= t1.
_MULTIPLE_BOUNDS = """[t1, t2] -> { S[i, j] : exists alpha, beta : 0 <= i <= 1
    and t1 = j + 128 alpha and 0 <= j + 2 beta < 128 and 510 <= t2 + 2 beta <= 514
    and 0 <= 2 beta - t2 <= 5 }"""
_IN_FIGURE_8 = "[t1, t2] -> { : 125 <= t1 < 128 and 254 <= t2 <= 256 }"
_SIZES_8 = grid(t1=range(125, 128), t2=range(254, 257))

FIGURE_8A_BOUNDS = Example(
    name="Figure 8a, multiple bounds",
    domain=_MULTIPLE_BOUNDS,
    schedule="{ S[i, j] -> [i, j] }",
    context=_IN_FIGURE_8,
    printed="""
for (i = 0; i <= 1; i += 1)
  for (j = max(-(-t1 + t2 - 3)%128) + t2 - 387, t1-384);
       j <= min(-t2 + 127, t2 - 383); j += 128)
    if (j + 256 == t1 (j + 384 == t1 && t1 >= 126))
      S(i, j);
""",
    misprints=(
        Rewriting(
            "-(-t1 + t2 - 3)%128) + t2",
            "-((-t1 + t2 - 3)%128) + t2",
            "an opening parenthesis is missing; only here do the bounds have the right remainder",
        ),
        Rewriting(
            "j + 256 == t1 (j + 384",
            "j + 256 == t1 || (j + 384",
            "the operator is missing; t1 - 256 always runs, t1 - 384 under its own condition",
        ),
    ),
    rewritings=(
        Rewriting(
            "max(-((-t1 + t2 - 3)%128) + t2 - 387, t1-384)",
            "-((t2 - t1 - 3) % 128) + t2 - 387",
            "it is t1 - 384 or t1 - 256, so the maximum is never the other one; and a sum starts "
            "with a positive term",
        ),
        Rewriting(
            "j + 256 == t1 || (j + 384 == t1 && t1 >= 126)",
            "t1 >= 126 || j + 256 == t1",
            "j is t1 - 384 or t1 - 256; where t1 >= 126 both run, else only t1 - 256",
        ),
    ),
    sizes=_SIZES_8,
)

FIGURE_8B_BOUNDS = Example(
    name="Figure 8b, multiple bounds",
    domain=_MULTIPLE_BOUNDS,
    schedule="{ S[i, j] -> [i, j] }",
    context=_IN_FIGURE_8,
    options=_UNROLL,
    printed="""
if (t1 >= 126)
  S(0, t1 - 384);
S(0, t1 - 256);
if (t1 >= 126)
  S(1, t1 - 384);
S(1, t1 - 256);
""",
    sizes=_SIZES_8,
)

EXAMPLES = (
    FIGURE_5B,
    FIGURE_6C,
    FIGURE_7A_SIMPLE,
    FIGURE_7A_SHIFTED,
    FIGURE_7A_CONDITIONAL,
    FIGURE_8A_TWO,
    FIGURE_8B_TWO,
    FIGURE_8A_BOUNDS,
    FIGURE_8B_BOUNDS,
)
