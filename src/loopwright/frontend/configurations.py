"""Is a program another one for the same compiler with other flags?

``#ifdef _OPENMP`` chooses among programs, and nobody compiles all of them.  Those that can be told
apart are looked at, one for each kind of flags that people change without a second thought.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.compilers import CannotPreprocess, Compiler
from loopwright.frontend.preprocessing import Unit, predefined_macros

WITHOUT_OPENMP = ("-U_OPENMP", "-U_REENTRANT")
"""Its pragmas are still those of OpenMP, so that they can be compared."""
_CHANGES = (
    WITHOUT_OPENMP,
    ("-O0",),
    ("-Os",),
    ("-ffast-math",),
    ("-funsigned-char",),
    ("-fsanitize=address",),
)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_SPLICE = re.compile(rb"(\\|\?\?/)[ \t]*\r?\n")
_DEFINED = re.compile(rb"#[ \t]*define[ \t]+(\w+)")
_CONDITION = re.compile(rb"^[ \t]*#[ \t]*(?:el)?if.*$", re.MULTILINE)
_RESERVED = re.compile("_[A-Z_].*")


def variations(compiler: Compiler) -> tuple[Compiler, ...]:
    """The same compiler with other flags; the last has all of them changed at once.

    >>> without_native, *_, every = variations(Compiler(("gcc",), ("-O3", "-march=native")))
    >>> print(*without_native.flags)
    -O3
    >>> print(*every.flags)  # doctest: +ELLIPSIS
    -O3 -U_OPENMP -U_REENTRANT -O0 ... -fsanitize=address
    """
    plain = replace(compiler, flags=tuple(e for e in compiler.flags if not e.startswith("-m")))
    changed = [replace(compiler, flags=(*compiler.flags, *each)) for each in _CHANGES]
    every = " ".join(map(" ".join, _CHANGES)).replace("-Os", "-D__OPTIMIZE_SIZE__=1").split()
    return (plain, *changed, replace(plain, flags=(*plain.flags, *every)))


def asked_variations(units: Sequence[Unit], options: ReadOptions) -> list[ReadOptions]:
    """The configurations in which one of these programs may be another text.

    They ask by naming a macro that is not the same there.  It may also be one that a header of the
    system makes of it, or one whose name is put together; then all are changed at once.  Without a
    compiler there are no others: a program that asks has been refused.
    """
    if not options.compiler.is_there:
        return []
    texts = [_SPLICE.sub(b"", each) for unit in units for each in unit.sources]
    words = {word.decode() for text in texts for word in _WORD.findall(text)}
    defined = {word.decode() for text in texts for word in _DEFINED.findall(text)}
    reserved = {each for each in words - defined if _RESERVED.fullmatch(each)}
    pastes = any(b"##" in text or b"%:%:" in text for text in texts)
    known, macros, folder = units[0].predefined, units[0].macros, Path(units[0].name).parent
    conditions = {word.decode() for text in texts for word in _conditional_words(text)}
    is_from_header = not ((reserved | conditions - defined) & macros).issubset(known)
    if not (reserved or pastes or is_from_header):
        return []
    *single, every = (replace(options, compiler=each) for each in variations(options.compiler))
    found: list[ReadOptions] = []
    if any(_asked(words, known, [every], folder)):
        found += _asked(words, known, single, folder)
    return [*found, every] if pastes or is_from_header else found


def _conditional_words(text: bytes) -> Iterator[bytes]:
    for line in _CONDITION.findall(text):
        yield from _WORD.findall(line)


def _asked(
    words: set[str],
    known: Mapping[str, str],
    candidates: Sequence[ReadOptions],
    folder: Path,
) -> Iterator[ReadOptions]:
    """Those in which a word of the program is another macro."""
    for options in candidates:
        try:
            other = predefined_macros(options, folder)
        except CannotPreprocess:
            continue  # the compiler has no such flags
        if words & differing_macros(known, other):
            yield options


def differing_macros(one: Mapping[str, str], other: Mapping[str, str]) -> frozenset[str]:
    """The macros that are not the same in two configurations.

    >>> sorted(differing_macros({"A": "1", "B": "2"}, {"B": "3", "C": "4"}))
    ['A', 'B', 'C']
    """
    return frozenset(each for each in one.keys() | other.keys() if one.get(each) != other.get(each))
