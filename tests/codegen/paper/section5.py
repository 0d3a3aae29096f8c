"""Examples 5.1 to 5.18 of the paper; 5.19 and 5.20 are about Figure 5b."""

from __future__ import annotations

import islpy as isl

from loopwright.codegen.options import AstOptions, LoopType
from tests.codegen.paper.examples import Example, Rewriting, grid

_STRICTLY = "greater by at least one is written as greater"
_ITERATOR_FIRST = "the condition of a loop starts with its iterator, as that of all other loops"

# --- 5.1: projection ----------------------------------------------------------------------------

_PROJECTION = """
domain: "[N] -> { S[t, a] : a >= -1 + t and 2a >= 1 + t and a <= t and 4a <= N + 2t }"
child:
  schedule: "[{ S[t, a] -> [(t)] }]"
  child:
    mark: "body"
    child:
      schedule: "[{ S[t, a] -> [(a)] }]"
"""

EXAMPLE_5_1_EXACT = Example(
    name="5.1, quantifier elimination",
    tree=_PROJECTION,
    options=AstOptions(exact_projection=True),
    printed="""
for (int c0 = 1; c0 <= min(2, floord(N, 2)); c0 += 1)
  // body
for (int c0 = 3; c0 <= floord(N, 2) + 2; c0 += 1)
  // body
""",
    sizes=grid(N=range(-3, 15)),
)

EXAMPLE_5_1_FAST = Example(
    name="5.1, Fourier-Motzkin",
    tree=_PROJECTION,
    printed="""
for (int c0 = 1; c0 <= floord(N, 2) + 2; c0 += 1)
  // body
""",
    sizes=grid(N=range(-3, 15)),
)

# --- 5.2: a division at the current level -------------------------------------------------------

EXAMPLE_5_2 = Example(
    name="5.2",
    domain="{ S[i] : 3*floor((i + 1)/3) <= i and i >= 0 and i <= 3 }",
    schedule="{ S[i] -> [i] }",
    printed="""
for (int c0 = 0; c0 <= 3; c0 += 1)
  if ((c0 + 1) % 3 >= 1)
    S(c0);
""",
)

# --- 5.3 and 5.8: two strides -------------------------------------------------------------------

EXAMPLE_5_8 = Example(
    # The paper prints the condition in (19) and the initialization in (32), not the whole loop.
    name="5.3 and 5.8",
    domain="""[n, m] -> { S[i] : exists alpha, beta : 0 <= i <= 100
                and n - i + 6 alpha = 0 and m - i + 10 beta = 0 }""",
    schedule="{ S[i] -> [i] }",
    printed="""
if ((m - n) % 2 == 0)
  for (int c0 = -5 * n + 6 * m + 30 * ceild(5 * n - 6 * m + 29, 30); c0 <= 100; c0 += 30)
    S(c0);
""",
    misprints=(
        Rewriting(
            "ceild(5 * n - 6 * m + 29, 30)",
            "floord(5 * n - 6 * m + 29, 30)",
            "the right hand side of (32) repeats the ceiling; with + 29 it has to be the floor: "
            "at n = m = 0 the ceiling starts the loop at 30, and 0 never runs",
        ),
    ),
    rewritings=(
        Rewriting("m - n", "n + m", "modulo 2 the sign does not matter; sums are not negated"),
        Rewriting("-5 * n + 6 * m +", "6 * m - 5 * n +", "a sum starts with a positive term"),
        Rewriting(
            "floord(5 * n - 6 * m + 29, 30)",
            "floord(5 * n - 6 * m - 1, 30) + 30",
            "30 * ⌊(x + 29) / 30⌋ = 30 * ⌊(x - 1) / 30⌋ + 30: smaller constants",
        ),
    ),
    sizes=grid(n=range(-8, 9), m=range(-8, 9)),
)

# --- 5.4: a single value ------------------------------------------------------------------------

EXAMPLE_5_4 = Example(
    # The paper prints the value 4*floor((n + 2)/4) - 2 and the guard (21), not the code.
    name="5.4",
    domain="[n] -> { S[i] : i >= 1 and n - 1 <= i <= n and 4*floor((i - 2)/4) = i - 2 }",
    schedule="{ S[i] -> [i] }",
    printed="""
if (n >= 2 && floord(n, 4) <= n - 2)
  S(4 * floord(n + 2, 4) - 2);
""",
    misprints=(
        Rewriting(
            "floord(n, 4) <= n - 2",
            "4 * floord(n, 4) <= n - 2",
            "(21) lost the factor 4: as printed, n = 4 runs S(2), although n - 1 <= i <= n",
        ),
    ),
    rewritings=(
        Rewriting(
            "4 * floord(n, 4) <= n - 2",
            "n % 4 >= 2",
            "n - 4 * ⌊n / 4⌋ is n mod 4 (5.20), where n is not negative",
        ),
        Rewriting("n >= 2 && ", "n >= 0 && ", "n % 4 >= 2 and n >= 0 make n >= 2"),
        Rewriting(
            "4 * floord(n + 2, 4) - 2",
            "-(n % 4) + n + 2",
            "for n mod 4 >= 2, ⌊(n + 2) / 4⌋ is ⌊n / 4⌋ + 1; the way Figure 5b has it",
        ),
    ),
    sizes=grid(n=range(-9, 30)),
)

# --- 5.5: nested bounds -------------------------------------------------------------------------

_RECTANGLE = "[m, n] -> { S[i, j] : 0 <= i < m and 0 <= j < n }"

EXAMPLE_5_5_EXPLOITED = Example(
    name="5.5, enforced constraints exploited",
    domain=_RECTANGLE,
    schedule="{ S[i, j] -> [i, j] }",
    printed="""
for (int c0 = 0; c0 < m; c0 += 1)
  for (int c1 = 0; c1 < n; c1 += 1)
    S(c0, c1);
""",
    sizes=grid(m=range(-1, 4), n=range(-1, 4)),
)

EXAMPLE_5_5_PENDING = Example(
    name="5.5, enforced constraints not exploited",
    domain=_RECTANGLE,
    schedule="{ S[i, j] -> [i, j] }",
    options=AstOptions(exploit_nested_bounds=False),
    printed="""
if (n >= 1)
  for (int c0 = 0; c0 < m; c0 += 1)
    for (int c1 = 0; c1 < n; c1 += 1)
      S(c0, c1);
""",
    sizes=grid(m=range(-1, 4), n=range(-1, 4)),
)

# --- 5.6: what a stride implies -----------------------------------------------------------------

EXAMPLE_5_6 = Example(
    name="5.6",
    schedule="[n] -> { S[t] -> [t] : exists alpha : 2t - n = 4 alpha and 0 <= t <= 100 }",
    printed="""
if (n % 2 == 0)
  for (int c0 = (n / 2) + 2 * floord(-n - 1, 4) + 2; c0 <= 100; c0 += 2)
    S(c0);
""",
    rewritings=(
        Rewriting(
            "(n / 2) + 2 * floord(-n - 1, 4) + 2",
            "-n / 2 + 2 * floord(n - 1, 4) + 2",
            "the offset is n / 2 modulo 2, and so is -n / 2: n is even, n / 2 + n / 2 a multiple "
            "of 2",
        ),
    ),
    sizes=grid(n=range(-12, 13)),
)

# --- 5.7 and 5.10: one loop, or separated -------------------------------------------------------

_S2_HAS_NO_DIMENSION = Rewriting(
    "S2(0);", "S2();", "S2 has no dimensions in (28); the code is that of a one-dimensional S2"
)

EXAMPLE_5_7 = Example(
    # The bound itself is printed in (31), where "M - 1" has to be M: M is in the domain (30), and
    # the code below has M.
    name="5.7, and 5.10 atomic",
    domain="[M] -> { S1[i] : 0 <= i <= M; S2[] }",
    schedule="{ S1[i] -> [i, 0]; S2[] -> [0, 1] }",
    options=AstOptions(loop_types=(LoopType.ATOMIC,), detect_min_max=False),
    printed="""
for (int c0 = 0; c0 <= (M <= 0 ? 0 : M); c0 += 1) {
  if (M >= c0)
    S1(c0);
  if (c0 == 0)
    S2(0);
}
""",
    misprints=(_S2_HAS_NO_DIMENSION,),
    sizes=grid(M=range(-3, 6)),
)

EXAMPLE_5_10_SEPARATE = Example(
    name="5.10, separate",
    domain="[M] -> { S1[i] : 0 <= i <= M; S2[] }",
    schedule="{ S1[i] -> [i, 0]; S2[] -> [0, 1] }",
    options=AstOptions(loop_types=(LoopType.SEPARATE,)),
    printed="""
if (M <= -1) {
  S2(0);
} else {
  S1(0);
  S2(0);
  for (int c0 = 1; c0 <= M; c0 += 1)
    S1(c0);
}
""",
    misprints=(_S2_HAS_NO_DIMENSION,),
    sizes=grid(M=range(-3, 6)),
)

# --- 5.9: two upper bounds ----------------------------------------------------------------------

# The paper prints only the condition on c3.  Around it stands the smallest nest with these bounds:
# c1 is at least 8 as soon as c3 starts at 0, so that c1 + 1 is not negative and "/" is right.
_TWO_UPPER_BOUNDS = """[M, L] -> { S[c1, c3] : M >= c3 + 1 and c1 >= 3 c3 + 8
                                   and c1 < L and 0 <= c3 }"""

EXAMPLE_5_9_ATOMIC = Example(
    name="5.9, single upper bound",
    domain=_TWO_UPPER_BOUNDS,
    schedule="{ S[c1, c3] -> [c1, c3] }",
    printed="""
for (int c1 = 8; c1 < L; c1 += 1)
  for (int c3 = 0; c3 < min((c1 + 1) / 3 - 2, M); c3 += 1)
    S(c1, c3);
""",
    sizes=grid(M=range(-1, 5), L=range(5, 24, 3)),
)

EXAMPLE_5_9_CONJUNCTION = Example(
    name="5.9, conjunction",
    domain=_TWO_UPPER_BOUNDS,
    schedule="{ S[c1, c3] -> [c1, c3] }",
    options=AstOptions(atomic_upper_bound=False),
    printed="""
for (int c1 = 8; L >= c1 + 1; c1 += 1)
  for (int c3 = 0; M >= c3 + 1 && c1 >= 3 * c3 + 8; c3 += 1)
    S(c1, c3);
""",
    rewritings=(
        Rewriting("L >= c1 + 1", "c1 < L", _ITERATOR_FIRST),
        Rewriting("M >= c3 + 1", "c3 < M", _ITERATOR_FIRST),
    ),
    sizes=grid(M=range(-1, 5), L=range(5, 24, 3)),
)

# --- 5.11 and 5.12: unrolling -------------------------------------------------------------------

EXAMPLE_5_11 = Example(
    # The paper says which set is enumerated: i' from 0 to 3, with i = 256 i'.
    name="5.11",
    domain="{ S[i] : 0 <= i < 1024 and i mod 256 = 0 }",
    schedule="{ S[i] -> [i] }",
    options=AstOptions(loop_types=(LoopType.UNROLL,)),
    printed="S(0); S(256); S(512); S(768);",
)

EXAMPLE_5_12 = Example(
    # The paper says that N is the lower bound of the four slices; the guards follow from (37).
    name="5.12",
    domain="[N] -> { S[i] : 0 <= i < 1000 and N <= i < N + 4 }",
    schedule="{ S[i] -> [i] }",
    options=AstOptions(loop_types=(LoopType.UNROLL,)),
    printed="""
if (N >= 0 && N <= 999)
  S(N);
if (N >= -1 && N <= 998)
  S(N + 1);
if (N >= -2 && N <= 997)
  S(N + 2);
if (N >= -3 && N <= 996)
  S(N + 3);
""",
    sizes=grid(N=range(-6, 7)) + grid(N=range(990, 1004)),
)

# --- 5.13: isolation ----------------------------------------------------------------------------

_ISOLATED = isl.Set("[m, n] -> { [t, i] : m <= t and t + 3 < n }")

EXAMPLE_5_13 = Example(
    name="5.13, the other part by itself",
    domain="[m, n] -> { S[i] : m <= i < n }",
    schedule="{ S[i] -> [4*floor(i/4), i] }",
    options=AstOptions(isolate=_ISOLATED, merge_isolated_rest=False),
    printed="""
{
  if (n >= m + 4)
    for (int c1 = m; c1 <= 4 * floord(m - 1, 4) + 3; c1 += 1)
      S(c1);
  for (int c0 = 4 * floord(m - 1, 4) + 4; c0 < n - 3; c0 += 4)
    for (int c1 = c0; c1 <= c0 + 3; c1 += 1)
      S(c1);
  if (n >= m + 4 && 4 * floord(n - 1, 4) + 3 >= n) {
    for (int c1 = 4 * floord(n - 1, 4); c1 < n; c1 += 1)
      S(c1);
  } else if (m + 3 >= n)
    for (int c0 = 4 * floord(m, 4); c0 < n; c0 += 4)
      for (int c1 = max(m, c0); c1 <= min(n - 1, c0 + 3); c1 += 1)
        S(c1);
}
""",
    rewritings=(
        Rewriting(
            "if (n >= m + 4)\n",
            "if (n >= m + 4 && m > 4 * floord(m, 4))\n",
            "t is the multiple of 4 below m: 4 * ⌊(m - 1) / 4⌋, or 4 * ⌊m / 4⌋ if that is below m",
        ),
        Rewriting(
            "c1 <= 4 * floord(m - 1, 4) + 3",
            "c1 <= 4 * floord(m, 4) + 3",
            "the same t; with the condition above, both are equal",
        ),
        Rewriting(
            " && 4 * floord(n - 1, 4) + 3 >= n) {",
            ") {",
            "t is the multiple of 4 between n - 3 and n - 1, which is 4 * ⌊n / 4⌋ where it exists; "
            "where it does not, n is a multiple of 4 and the loop below does nothing",
        ),
        Rewriting(
            "c1 = 4 * floord(n - 1, 4); c1 < n", "c1 = 4 * floord(n, 4); c1 < n", "the same t"
        ),
        Rewriting(
            "else if (m + 3 >= n)", "else", "the opposite of n >= m + 4, now the whole condition"
        ),
    ),
    sizes=grid(m=range(-6, 7), n=range(-6, 18)),
)

EXAMPLE_5_13_MERGED = Example(
    # Beyond the paper, which says "we currently do not perform such an optimization".  Of what is
    # not isolated, t <= m - 1 may run before the centre, empty or not, and t >= m, where the centre
    # ends because of t + 3 >= n, after it.  Both are single values of t.
    name="5.13, the other part before and after",
    domain="[m, n] -> { S[i] : m <= i < n }",
    schedule="{ S[i] -> [4*floor(i/4), i] }",
    options=AstOptions(isolate=_ISOLATED),
    printed="""
{
  for (int c1 = m; c1 <= min(n - 1, 4 * floord(m - 1, 4) + 3); c1 += 1)
    S(c1);
  for (int c0 = 4 * floord(m - 1, 4) + 4; c0 < n - 3; c0 += 4)
    for (int c1 = c0; c1 <= c0 + 3; c1 += 1)
      S(c1);
  if (4 * floord(n - 1, 4) >= m && 4 * floord(n - 1, 4) + 3 >= n)
    for (int c1 = 4 * floord(n - 1, 4); c1 < n; c1 += 1)
      S(c1);
}
""",
    rewritings=(
        Rewriting(
            "  for (int c1 = m; c1 <= min(n - 1, 4 * floord(m - 1, 4) + 3); c1 += 1)",
            "  if (m > 4 * floord(m, 4))\n"
            "  for (int c1 = m; c1 <= min(4 * floord(m, 4) + 3, n - 1); c1 += 1)",
            "t is the multiple of 4 below m: 4 * ⌊(m - 1) / 4⌋, or 4 * ⌊m / 4⌋ if that is below m",
        ),
        Rewriting(
            "4 * floord(n - 1, 4) >= m && 4 * floord(n - 1, 4) + 3 >= n",
            "4 * floord(n, 4) >= m",
            "t is the multiple of 4 between n - 3 and n - 1, which is 4 * ⌊n / 4⌋ where it exists; "
            "where it does not, n is a multiple of 4 and the loop below does nothing",
        ),
        Rewriting(
            "c1 = 4 * floord(n - 1, 4); c1 < n", "c1 = 4 * floord(n, 4); c1 < n", "the same t"
        ),
    ),
    sizes=grid(m=range(-6, 7), n=range(-6, 18)),
)

# --- 5.14: components ---------------------------------------------------------------------------

EXAMPLE_5_14 = Example(
    name="5.14",
    domain="{ S0[]; S1[i] : 0 <= i < 10 }",
    schedule="{ S0[] -> [0]; S1[i] -> [i] }",
    printed="""
S0();
for (int i = 0; i < 10; ++i)
  S1(i);
""",
    rewritings=(
        Rewriting("i < 10", "i <= 9", "all other code of the paper writes a constant bound so"),
    ),
)

# --- 5.15 and 5.16: shifted strides -------------------------------------------------------------

EXAMPLE_5_15 = Example(
    # The paper prints the schedule (2i, 0), (2i, 1) that is scanned, not the code.
    name="5.15, loop values as they are",
    domain="{ A[i] : 0 <= i < 10; B[i] : 0 <= i < 10 }",
    schedule="{ A[i] -> [2i]; B[i] -> [2i + 1] }",
    options=AstOptions(scale_strides=False),
    printed="""
for (int c0 = 0; c0 <= 18; c0 += 2) {
  A(c0 / 2);
  B(c0 / 2);
}
""",
)

EXAMPLE_5_15_SCALED = Example(
    name="5.15, loop values scaled (§4.2)",
    domain="{ A[i] : 0 <= i < 10; B[i] : 0 <= i < 10 }",
    schedule="{ A[i] -> [2i]; B[i] -> [2i + 1] }",
    printed="""
for (int c0 = 0; c0 <= 9; c0 += 1) {
  A(c0);
  B(c0);
}
""",
)

# --- 5.17: hoisting -----------------------------------------------------------------------------

EXAMPLE_5_17 = Example(
    # The paper prints guards and enforced conditions, (49), not the code.  Guard nodes make these
    # guards, loops over j these enforced conditions, and B and C the bounds 1 <= t <= 8.  That
    # t >= 2 can be hoisted is asserted by itself; it says nothing about what is around the t-loop.
    name="5.17",
    tree="""
domain: "{ A[t, j] : 1 <= t <= 8 and 2 <= j <= t; B[t, j] : 1 <= t <= 8 and t <= j <= 5;
           C[t, j] : 1 <= t <= 8 and t <= j <= 8 }"
child:
  schedule: "[{ A[t, j] -> [(t)]; B[t, j] -> [(t)]; C[t, j] -> [(t)] }]"
  options: "{ atomic[0] }"
  child:
    sequence:
    - filter: "{ A[t, j] }"
      child:
        guard: "{ [t] : t <= 6 }"
        child:
          schedule: "[{ A[t, j] -> [(j)] }]"
    - filter: "{ B[t, j] }"
      child:
        guard: "{ [t] : t >= 2 }"
        child:
          schedule: "[{ B[t, j] -> [(j)] }]"
    - filter: "{ C[t, j] }"
      child:
        guard: "{ [t] : t >= 2 }"
        child:
          schedule: "[{ C[t, j] -> [(j)] }]"
""",
    printed="""
for (int t = 1; t <= 8; t += 1) {
  if (t <= 6)
    for (int j = 2; j <= t; j += 1)
      A(t, j);
  if (t >= 2) {
    for (int j = t; j <= 5; j += 1)
      B(t, j);
    for (int j = t; j <= 8; j += 1)
      C(t, j);
  }
}
""",
)

# --- 5.18: the tree of if nodes -----------------------------------------------------------------

_OUTER = "1 <= i0 <= ub and i0 <= i1 <= n and 1 <= lb <= ub <= n"

EXAMPLE_5_18 = Example(
    # The paper calls the bounds l and u in (52) and (53), lb and ub in the code; there the last
    # guard is called g3 instead of g4.  The outer loops are those of D; s1 has a loop of its own.
    name="5.18",
    tree=f"""
domain: "[lb, ub, n] -> {{
  s0[i0, i1] : {_OUTER} and lb <= i0 and i0 + 1 <= i1;
  s3[i0, i1, lb, i0, i1] : {_OUTER} and i0 < lb;
  s2[i0, i1] : {_OUTER} and lb <= i0 and i0 + 1 <= i1 and ub < n;
  s1[i0, i1, i2] : {_OUTER} and lb <= i2 <= ub and i2 >= i0 }}"
child:
  schedule: "[
    {{ s0[i, j] -> [(i)]; s3[i, j, a, b, c] -> [(i)]; s2[i, j] -> [(i)]; s1[i, j, k] -> [(i)] }},
    {{ s0[i, j] -> [(j)]; s3[i, j, a, b, c] -> [(j)]; s2[i, j] -> [(j)]; s1[i, j, k] -> [(j)] }}]"
  child:
    sequence:
    - filter: "{{ s0[i, j] }}"
    - filter: "{{ s3[i, j, a, b, c] }}"
    - filter: "{{ s2[i, j] }}"
    - filter: "{{ s1[i, j, k] }}"
      child:
        schedule: "[{{ s1[i, j, k] -> [(k)] }}]"
""",
    context="[lb, ub, n] -> { : 1 <= lb <= ub <= n }",
    printed="""
for (int c0 = 1; c0 <= ub; c0 += 1)
  for (int c1 = c0; c1 <= n; c1 += 1) {
    if (c0 >= lb && c1 >= c0 + 1) {
      s0(c0, c1);
      if (n >= ub + 1)
        s2(c0, c1);
    } else if (lb >= c0 + 1)
      s3(c0, c1, lb, c0, c1);
    for (int c3 = max(lb, c0); c3 <= ub; c3 += 1)
      s1(c0, c1, c3);
  }
""",
    rewritings=(
        Rewriting("c1 >= c0 + 1", "c1 > c0", _STRICTLY),
        Rewriting("n >= ub + 1", "n > ub", _STRICTLY),
        Rewriting("lb >= c0 + 1", "lb > c0", _STRICTLY),
    ),
    sizes=tuple(
        point
        for point in grid(lb=range(1, 5), ub=range(1, 5), n=range(1, 6))
        if point["lb"] <= point["ub"] <= point["n"]
    ),
)

EXAMPLES = (
    EXAMPLE_5_1_EXACT,
    EXAMPLE_5_1_FAST,
    EXAMPLE_5_2,
    EXAMPLE_5_8,
    EXAMPLE_5_4,
    EXAMPLE_5_5_EXPLOITED,
    EXAMPLE_5_5_PENDING,
    EXAMPLE_5_6,
    EXAMPLE_5_7,
    EXAMPLE_5_10_SEPARATE,
    EXAMPLE_5_9_ATOMIC,
    EXAMPLE_5_9_CONJUNCTION,
    EXAMPLE_5_11,
    EXAMPLE_5_12,
    EXAMPLE_5_13,
    EXAMPLE_5_13_MERGED,
    EXAMPLE_5_14,
    EXAMPLE_5_15,
    EXAMPLE_5_15_SCALED,
    EXAMPLE_5_17,
    EXAMPLE_5_18,
)
