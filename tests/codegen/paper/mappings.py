"""Figures 1, 3 and 7 of "Code generation for multiple mappings" (Kelly, Pugh, Rosser 1995)."""

from __future__ import annotations

import re
from dataclasses import replace
from textwrap import indent

from loopwright.codegen.options import AstOptions, Strategy
from tests.codegen.paper.examples import Example, Rewriting

_LOOP = re.compile(r"for (\w+) ?= ?(.+?) to (.+?)(?: step (\d+))?$")
_IF = re.compile(r"if (.+?)(?: then)?$")
_GUARDED = re.compile(r"if \((.+?)\) (\w+\[.+\])$")


def listing(text: str) -> str:
    """The notation of the paper, in which indentation makes the blocks, as C.

    >>> print(listing('''
    ... for i = 1 to n step 2
    ...   if i < 5 & n<=9 then
    ...     s1[i, 1]
    ... '''))
    for (i = 1; i <= n; i += 2) { if (i < 5 && n<=9) { s1(i, 1); } }
    """
    written: list[str] = []
    depths: list[int] = []
    for line in filter(str.strip, text.splitlines()):
        depth = len(line) - len(line.lstrip())
        while depths and depths[-1] >= depth:
            depths.pop()
            written.append("}")
        head = _head(line.strip())
        written.append(head)
        if head.endswith("{"):
            depths.append(depth)
    return " ".join([*written, *("}" for _ in depths)])


def _head(line: str) -> str:
    if match := _GUARDED.match(line):
        return f"if ({_condition(match[1])}) {_head(match[2])}"
    if match := _LOOP.match(line):
        name, first, last, step = match.groups(default="1")
        return f"for ({name} = {first}; {name} <= {last}; {name} += {step}) {{"
    if match := _IF.match(line):
        return f"if ({_condition(match[1])}) {{"
    return line.replace("[", "(").replace("]", ")") + ";"


def _condition(text: str) -> str:
    text = re.sub(r"&| and ", "&&", text)
    return re.sub(r"(?<![<>=])=(?!=)", "==", text).replace("&&", " && ").replace("  ", " ")


_INITIAL = AstOptions(strategy=Strategy.MAPPINGS)

FIGURE_1_NO_DUPLICATION = Example(
    name="1995 Figure 1, no duplication",
    schedule="""{ s1[i, j] -> [i, j] : 1 <= i <= 10 and j = 1;
                  s2[i, j] -> [i, j] : 1 <= i <= 5 and 1 <= j <= 10 }""",
    options=_INITIAL,
    printed=listing(
        """
for i = 1 to 10
  for j = 1 to 10
    if (j = 1) s1[i,j]
    if (i < 5) s2[i,j]
"""
    ),
    misprints=(Rewriting("i < 5", "i <= 5", "the iteration space of s2 has 5 in it"),),
    rewritings=(Rewriting("s1(i,j)", "s1(i,1)", "j is 1 there"),),
)

FIGURE_1_NO_OVERHEAD = replace(
    FIGURE_1_NO_DUPLICATION,
    name="1995 Figure 1, no avoidable overhead",
    options=replace(_INITIAL, overhead_depth=0),
    printed=listing(
        """
for i = 1 to 5
    s1[i,1]
    for j = 1 to 10
        s2[i,j]
for i = 6 to 10
    s1[i,1]
"""
    ),
    misprints=(),
    rewritings=(),
)

_ORDER_OF_OPERANDS = "the order in which we write comparisons, minima and maxima"

FIGURE_3 = Example(
    name="1995 Figure 3, blocked LU",
    domain="""[n] -> { s1[k, i] : 1 <= k <= n and k + 1 <= i <= n;
                       s2[k, i, j] : 1 <= k <= n and k + 1 <= i <= n and k + 1 <= j <= n }""",
    schedule="""{ s1[k, i] -> [64*floor((k - 1)/64) + 1, 64*floor(i/64), k, k, i];
                  s2[k, i, j] -> [64*floor((k - 1)/64) + 1, 64*floor(i/64), j, k, i] }""",
    options=_INITIAL,
    printed=listing(
        """
if 2<=n then
  for t1 = 1 to n-1 step 64
    for t2 = t1-1 to n step 64
      for t3 = t1 to n
        if t1<t3 then
          for t4 = t1 to min(t2+62,t1+63,t3-1)
            for t5 = max(t2,t4+1) to min(t2+63,n)
              s2[t4,t5,t3]
        if t3<=t2+62 and t3<=t1+63 and t3<=n-1 then
            for t5 = max(t2,t3+1) to min(t2+63,n)
              s1[t3,t5]
"""
    ),
    rewritings=(
        Rewriting("(2<=n)", "(n >= 2)", _ORDER_OF_OPERANDS),
        Rewriting("t1 <= n-1", "t1 < n", "one comparison, the other way round"),
        Rewriting("t1<t3", "t3 > t1", _ORDER_OF_OPERANDS),
        Rewriting("min(t2+62,t1+63,t3-1)", "min(t1+63,min(t2+62,t3-1))", _ORDER_OF_OPERANDS),
        Rewriting("min(t2+63,n)", "min(n,t2+63)", _ORDER_OF_OPERANDS),
        Rewriting(
            "t3<=t2+62 && t3<=t1+63 && t3<=n-1",
            "t2+62 >= t3 && t1+63 >= t3 && n > t3",
            _ORDER_OF_OPERANDS,
        ),
    ),
    sizes=tuple({"n": n} for n in (-1, 0, 1, 2, 3, 9)),
)

FIGURE_3_K4 = replace(
    FIGURE_3,
    name="1995 Figure 3, with k = 4",
    options=replace(_INITIAL, overhead_depth=4),
    sizes=({"n": 3},),
)

_BEFORE_T2 = (
    """
if t1<t3 & 64+t2<=n & 63+t1<=t2 then
  for t4 = t1 to min(t3-1,t1+63,t2-1)
    for t5 = t2 to t2+63
      s2[t4,t5,t3]
""",
    """
if t1<t3 & 63+t1<=t2 & n<=63+t2 then
  for t4 = t1 to min(t1+63,t3-1,t2-1)
    for t5 = t2 to n
      s2[t4,t5,t3]
""",
)
_FROM_T2 = (
    """
if t1<t3 & 63+t2<=n & t2<=63+t1 & t2<t3 then
  for t4 = max(t2,t1) to min(t2+62,t1+63,t3-1)
    for t5 = t4+1 to t2+63
      s2[t4,t5,t3]
""",
    """
if t1<t3 & t2<t3 & t2<=63+t1 & n<=62+t2 then
  for t4 = max(t2,t1) to min(t1+63,t3-1)
    for t5 = t4+1 to n
      s2[t4,t5,t3]
""",
)
_HEAD = """
if 2<=n then
 for t1 = 1 to n-1 step 64
  for t2 = t1-1 to n step 64
   for t3 = t1 to n
"""
_TAIL = """
if t3<=62+t2 & t3<=63+t1 & t3<n then
  for t5 = max(t2,t3+1) to min(t2+63,n)
    s1[t3,t5]
"""


def _swapped(pair: tuple[str, str]) -> Rewriting:
    first, second = map(listing, pair)
    why = "of two branches that exclude each other, either may stand first"
    return Rewriting(f"{first} {second}", f"{second} {first}", why)


FIGURE_7 = replace(
    # The figure has no else, so ours is made without; the guide has the same code with it.
    FIGURE_3,
    name="1995 Figure 7, blocked LU with k = 3",
    options=replace(_INITIAL, overhead_depth=3, allow_else=False),
    sizes=({"n": 1}, {"n": 65}),
    printed=listing(_HEAD + indent("".join((*_BEFORE_T2, *_FROM_T2, _TAIL)), " " * 8)),
    rewritings=(
        _swapped(_BEFORE_T2),
        _swapped(_FROM_T2),
        Rewriting("(2<=n)", "(n >= 2)", _ORDER_OF_OPERANDS),
        Rewriting("t1 <= n-1", "t1 < n", "one comparison, the other way round"),
        Rewriting(
            "t1<t3 && 64+t2<=n && 63+t1<=t2",
            "n >= t2+64 && t2 >= t1+63 && t3 > t1",
            _ORDER_OF_OPERANDS,
        ),
        Rewriting(
            "t1<t3 && 63+t1<=t2 && n<=63+t2",
            "t2+63 >= n && t2 >= t1+63 && t3 > t1",
            _ORDER_OF_OPERANDS,
        ),
        Rewriting("min(t3-1,t1+63,t2-1)", "min(t1+63,min(t2-1,t3-1))", _ORDER_OF_OPERANDS),
        Rewriting("min(t1+63,t3-1,t2-1)", "min(t1+63,min(t2-1,t3-1))", _ORDER_OF_OPERANDS),
        Rewriting(
            "t1<t3 && 63+t2<=n && t2<=63+t1 && t2<t3",
            "t1+63 >= t2 && n >= t2+64 && t3 > t1 && t3 > t2",
            "with the next: both branches do the same for n = t2+63, so either may have it",
        ),
        Rewriting(
            "t1<t3 && t2<t3 && t2<=63+t1 && n<=62+t2",
            "t1+63 >= t2 && t2+63 >= n && t3 > t1 && t3 > t2",
            "with the one before",
        ),
        Rewriting("max(t2,t1)", "max(t1,t2)", _ORDER_OF_OPERANDS),
        Rewriting("min(t2+62,t1+63,t3-1)", "min(t1+63,min(t2+62,t3-1))", _ORDER_OF_OPERANDS),
        Rewriting("min(t2+63,n)", "min(n,t2+63)", _ORDER_OF_OPERANDS),
        Rewriting(
            "t3<=62+t2 && t3<=63+t1 && t3<n",
            "t2+62 >= t3 && t1+63 >= t3 && n > t3",
            _ORDER_OF_OPERANDS,
        ),
    ),
)

EXAMPLES = (FIGURE_1_NO_DUPLICATION, FIGURE_1_NO_OVERHEAD, FIGURE_3, FIGURE_3_K4, FIGURE_7)
