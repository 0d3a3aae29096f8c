"""The names whose meaning differs between compilers, and programs that ask for them.

Where there is no compiler, the parser's answer is one of many.  What all compilers for a machine
say alike is listed here, and so is what a program may call its own; anything else that is reserved
for compilers is refused by its name.
"""

from __future__ import annotations

import re

from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.compilers import CannotPreprocess

_RESERVED = re.compile(r"(?<![\w$])_(?:_|[A-Z])\w*", re.ASCII)
_ALIKE = re.compile(
    r"__(FILE|LINE|STDC|STDC_HOSTED|x86_64|amd64|i386|aarch64|arm|powerpc64|powerpc|riscv|linux"
    r"|gnu_linux|unix|ELF|LP64|ILP32|CHAR_BIT|BYTE_ORDER|ORDER_(LITTLE|BIG|PDP)_ENDIAN"
    r"|SIZEOF_(?!INT128)\w+|(SCHAR|SHRT|INT|LONG|LONG_LONG|SIZE|PTRDIFF|INTMAX|UINTMAX|U?INT\d+)_MAX"
    r"|(SIZE|PTRDIFF|INTMAX|UINTMAX|U?INT\d+)_TYPE"
    r"|(FLT|DBL)_(DIG|MANT_DIG|EPSILON|MAX|MIN|MAX_EXP|MIN_EXP))__"
    r"|_LP64|__(x86_64|amd64|i386|linux|unix|riscv)"
)
_BY_STANDARD = frozenset(("__cplusplus", "__STDC_VERSION__"))
_ELSEWHERE = re.compile(
    r"_WIN32|_WIN64|_MSC_VER|__(APPLE|MACH|CYGWIN|MINGW32|MINGW64|ANDROID|FreeBSD|NetBSD|OpenBSD|sun"
    r"|EMSCRIPTEN)__|_USE_MATH_DEFINES|_CRT_SECURE_NO_\w+"
)
"""What is said by the systems that this one is not, and to them."""
_GUARD = re.compile(r"_\w*_(H|HH|HPP|HXX|INC|INCLUDED|GUARD)_*", re.ASCII)
_FEATURES = re.compile(r"_(GNU|POSIX_C|XOPEN|DEFAULT|BSD|SVID|ISOC99|ISOC11)_SOURCE")
_ASKS_HEADERS = re.compile(r"FP_FAST_\w+|FLT_EVAL_METHOD|CHAR_MIN|CHAR_MAX|math_errhandling")
"""Names of the standard's headers behind which the same questions are."""
_MACRO_LIKE = re.compile(r"__[A-Z]\w*|_OPENMP|_OPENACC|_REENTRANT|_FORTIFY_SOURCE", re.ASCII)
_WORDS = frozenset(("__FUNCTION__", "__PRETTY_FUNCTION__", "__VA_ARGS__"))


class Asked:
    """The names that a program asks for; ``predefined`` are the macros of the parser.

    Those are its ``own`` that it has defined or undefined itself so far, and of others it is
    ``told`` on the command line.
    """

    def __init__(self, predefined: frozenset[str], options: ReadOptions) -> None:
        """Nothing has been asked yet."""
        self.told = frozenset(re.split(r"\W", each)[0] for each in options.define)
        self._predefined = predefined - self.told
        self._is_cpp = options.is_cpp
        self._is_newest = re.search(r"2[3-9a-z]", options.standard) is not None
        self.own: set[str] = set()
        self._unknown: dict[str, None] = {}

    def note_line(self, text: str) -> None:
        """A line of the program names what stands in it."""
        if "_" in text:
            for name in _RESERVED.findall(text):
                self.note(name)

    def note(self, name: str) -> None:
        """A name is looked up in the text: it may be anything that is no macro anywhere."""
        is_macro = name in self._predefined or _MACRO_LIKE.fullmatch(name) is not None
        if is_macro and name not in _WORDS and not self._is_alike(name):
            self._unknown[name] = None

    def note_condition(self, name: str) -> None:
        """A condition asks for a name: it may be a macro of any compiler if it is reserved."""
        is_known = (
            self._is_alike(name)
            or _ELSEWHERE.fullmatch(name) is not None
            or (_FEATURES.fullmatch(name) is not None and not self._is_cpp)
            or (_GUARD.fullmatch(name) is not None and name not in self._predefined)
        )
        asks = _RESERVED.fullmatch(name) is not None or _ASKS_HEADERS.fullmatch(name) is not None
        if asks and not is_known:
            self._unknown[name] = None

    def _is_alike(self, name: str) -> bool:
        is_told = name in self.told or name in self.own
        is_told |= name in _BY_STANDARD and not self._is_newest
        return is_told or _ALIKE.fullmatch(name) is not None

    def require_known(self) -> None:
        """Raise :class:`CannotPreprocess` where a program asks for what is not known."""
        for name in self._unknown:
            raise CannotPreprocess(f"no compiler here says what {name} is")
