"""Flags of compilers that leave the meaning of a program as the parser sees it."""

from __future__ import annotations

import re
from collections.abc import Sequence

FOLDERS = ("-I", "-isystem", "-iquote", "-idirafter")
"""Flags whose next word is a folder of headers."""
_WITH_A_WORD = (*FOLDERS, "-L", "-l", "-D", "-U")
_KNOWN = re.compile(
    r"-O(\d|s|g|z|fast)?|-g\S*|-W(?!p,)\S*|-w|-pipe|-pthread|-s|-static|-shared|-rdynamic|-c"
    r"|-[DULl]\S+|-I(?![=$-])\S+|-pedantic(-errors)?"
    r"|-m(arch|tune|cpu|prefer-vector-width)=\S+|-m((no-)?(avx|fma|f16c|bmi|popcnt|movbe)|sse)\w*(\.\d)?"
    r"|-f(no-)?(openmp|openmp-simd|fast-math|math-errno|trapping-math|signed-zeros|rounding-math"
    r"|unsafe-math-optimizations|associative-math|reciprocal-math|finite-math-only|signaling-nans"
    r"|(un)?signed-char|PIC|PIE|pic|pie|plt|common|exceptions|rtti|strict-aliasing|builtin\S*"
    r"|omit-frame-pointer|stack-protector\S*|function-sections|data-sections|lto\S*|inline\S*"
    r"|unroll\S*|tree\S*|vectorize|slp-vectorize|peel-loops|prefetch-loop-arrays|ipa\S*"
    r"|semantic-interposition|asynchronous-unwind-tables|diagnostics\S*|ident|ltrans)"
    r"|-f(fp-contract|visibility|sanitize|no-sanitize|vect-cost-model|simd-cost-model"
    r"|excess-precision|diagnostics-color|max-errors|message-length|stack-usage)=\S+"
)
"""Allowed by name: of any other it is not known what it makes of overflow, sizes or spelling."""


def reading_flags(flags: Sequence[str]) -> list[str]:
    """Those that say which headers and macros there are.

    >>> reading_flags(["-O3", "-I", "here", "-DN=3", "-Ithere", "-lm"])
    ['-I', 'here', '-DN=3', '-Ithere']
    """
    kinds = (*FOLDERS, "-D", "-U")
    before = ("", *flags)
    return [
        each
        for last, each in zip(before, flags, strict=False)
        if last in kinds or each in kinds or each[:2] in ("-I", "-D", "-U")
    ]


def odd_flag(flags: Sequence[str], standard: str) -> str | None:
    """The first flag of which nobody knows what it means for a program.

    >>> odd_flag(("-O3", "-march=native", "-fopenmp", "-I", "here"), "gnu11")
    >>> odd_flag(("-O2", "-fwrapv"), "gnu11"), odd_flag(("-std=c99",), "gnu11")
    ('-fwrapv', '-std=c99')
    >>> odd_flag(("-O2", "-o", "a.out"), "gnu11"), odd_flag(("-x", "c++"), "gnu11")
    ('-o', '-x')
    """
    is_word = False
    for each in flags:
        if is_word:
            is_word = False
        elif each in _WITH_A_WORD:
            is_word = True
        elif not (_KNOWN.fullmatch(each) or each == f"-std={standard}"):
            return each
    return None
