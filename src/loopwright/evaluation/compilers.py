"""Does a compiler give a program the meaning that is evaluated: 64 bits, IEEE 754, C as it is?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from loopwright.evaluation.outcomes import CannotEvaluate

EXPECTED = {
    "__CHAR_BIT__": "8",
    "__SIZEOF_SHORT__": "2",
    "__SIZEOF_INT__": "4",
    "__SIZEOF_LONG__": "8",
    "__SIZEOF_POINTER__": "8",
    "__SIZEOF_DOUBLE__": "8",
    "__FLT_EVAL_METHOD__": "0",
    "__FINITE_MATH_ONLY__": "0",
}
"""What it has to say of its types."""
UNEXPECTED = frozenset(("__FAST_MATH__", "__CHAR_UNSIGNED__"))
_KNOWN_FLAG = re.compile(
    r"-O([0-3sgz]|)|-m(arch|tune|cpu)=[\w.+-]+|-m(no-)?(avx|sse|fma|bmi|f16c|popcnt)[\w.]*"
    r"|-mprefer-vector-width=\w+|-fopenmp(-simd)?|-ffp-contract=\w+|-g\w*|-W[\w=+-]*|-w|-pipe"
    r"|-pthread|-std=[\w+:]+|-[IDU].*|-isystem.*|-iquote.*"
    r"|-f(no-)?(strict-aliasing|unroll-loops|vectorize|inline|lto|math-errno|pic|PIC|PIE|plt"
    r"|tree-[\w-]+|omit-frame-pointer|vect-cost-model)(=.*)?"
)
"""Flags with which a program computes the same."""
_WITH_A_WORD = ("-I", "-D", "-U", "-isystem", "-iquote")


def require_usual(predefined: Mapping[str, str], flags: Sequence[str]) -> None:
    """That a compiler with these flags, which defines these macros, computes as we do.

    Where it is not known what it defines, it is the parser's own idea of the machine that counts.
    """
    for name, value in EXPECTED.items():
        if predefined.get(name, value) != value:
            raise CannotEvaluate(f"a compiler for which {name} is {predefined[name]}")
    for name in sorted(UNEXPECTED & set(predefined)):
        raise CannotEvaluate(f"a compiler that defines {name}")
    words = iter(flags)
    for each in words:
        if not _KNOWN_FLAG.fullmatch(each):
            raise CannotEvaluate(f"the flag {each}")
        if each in _WITH_A_WORD:
            next(words, None)
