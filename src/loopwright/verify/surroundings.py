"""What stands around a region and may give its loops another meaning: pragmas and attributes.

Both programs have the same tokens outside of their regions, and so the same pragmas and attributes.
But a pragma in front of a region governs whatever stands there, and an attribute or a label of the
assembler may say that a name is not what it seems to be.  What is known to be harmless is listed
here; of anything else it is said that nobody knows what it means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from functools import cached_property

from loopwright.basics.c_tokens import Token, closing, span_of, texts, tokens_of, words_in
from loopwright.basics.diagnostics import shortened
from loopwright.basics.names import C_KEYWORDS, isl_name
from loopwright.frontend.preprocessing import Unit
from loopwright.verify.declarations import (
    ATTRIBUTE,
    LABEL,
    Attribute,
    Chunk,
    attributes_in,
    chunks_of,
    is_harmless_option,
)
from loopwright.verify.failure import NotProved
from loopwright.verify.symbols import PRAGMA, Symbols

_SILENT = "message|warning|(end)?region|mark|ident|comment|(GCC|clang) diagnostic|GCC warning"
"""Pragmas that nothing but messages and listings depends on."""
_IN_REGION = re.compile(rf"({_SILENT}|scop|endscop|pencil)\b.*")
_ANYWHERE = re.compile(
    rf"({_SILENT}|scop|endscop|pencil|once|push_macro|pop_macro|pack|loopwright|hdrstop"
    r"|GCC (poison|visibility|push_options|pop_options|reset_options|system_header)"
    r"|omp (threadprivate|(begin |end )?declare target|declare (simd|reduction))"
    r"|STDC FP_CONTRACT|STDC (FENV_ACCESS|CX_LIMITED_RANGE) (OFF|DEFAULT))\b.*"
)
"""Pragmas that mean the same for the old and the new text of a region.

What belongs to each thread is known to the reader.
"""
_OF_STATEMENT = re.compile(
    r"(omp (parallel|for|simd|single|master|masked|critical|atomic|barrier|task|taskgroup|taskwait"
    r"|taskyield|taskloop|sections|section|ordered|flush|target|teams|distribute|loop|cancel"
    r"|cancellation)|acc|ivdep|vector|novector|simd|unroll|nounroll|unroll_and_jam|loop|loop_count"
    r"|prefetch|noprefetch|distribute_point|parallel|HLS|GCC (ivdep|unroll|novector)|clang loop"
    r")\b.*"
)
"""Pragmas that mean something for the next statement, and for nothing else."""
_FOR_ANY_TEAM = re.compile(r"omp (simd|critical|atomic|flush)\b.*")
"""Those of OpenMP that mean the same to one thread and to several.

A team that a function starts has fewer threads where there is one already, and adds in another
order.
"""
_NOT_READ = frozenset(("private", "shared", "default", "proc_bind"))
"""Clauses whose words are names that are not read."""
_OF_TEAM = re.compile(r"omp (parallel|target|teams|simd|declare|threadprivate)\b.*")
"""Those of OpenMP that need no threads around them."""
_OPENMP = re.compile("omp .*")
_COMPILING = re.compile(r"GCC (optimize|target)\b.*")
_WITH_THREADS = re.compile(r"omp (parallel|target|teams)\b.*")
_REMARK = re.compile(r'#\s*(ident|sccs)\s*"[^"]*"')
_PRAGMA = re.compile(r"#\s*pragma\s+(.*)", re.DOTALL)


class Surroundings:
    """What stands around the regions of a program."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._tokens = unit.own_tokens

    @cached_property
    def _chunks(self) -> list[Chunk]:
        return chunks_of(self._tokens)

    def pragmas_in(self, region: tuple[int, int]) -> list[Token]:
        """The pragmas in a region that its loops may depend on."""
        inside = [each for each in self._tokens if region[0] <= each.start < region[1]]
        return [each for each in inside if is_meant(each)]

    def require_harmless(self, region: tuple[int, int], words: Set[str], written: Set[str]) -> None:
        """Nothing around a region may mean anything for it.

        ``words`` are what it may say, ``written`` the variables that it changes.
        """
        self._require_known_pragmas()
        written |= {each for each in words if isl_name(each) != each}  # models call them otherwise
        for function in self._chunks:
            if function.holds(*region):
                self._require_no_pragma_over(function, region)
                self._require_unread(function, region, written)
                self._require_known_locals(function, words - C_KEYWORDS)
        self._require_known_names(region, words, written)

    def _unknown(self, reason: str, token: Token) -> NotProved:
        return NotProved(reason, span=self.unit.told(span_of(token, self.unit.name)))

    def _require_known_pragmas(self) -> None:
        inside = {
            each.start
            for function in self._chunks
            if function.is_function
            for each in function.tokens
            if each.is_directive
        }
        for each in self._tokens:
            is_known = not each.is_directive or _is(each, _ANYWHERE) or PRAGMA.fullmatch(each.text)
            is_known = is_known or _REMARK.fullmatch(each.text) is not None
            is_known = is_known or (_is(each, _COMPILING) and is_harmless_option(each))
            if not is_known and not (each.start in inside and _is(each, _OF_STATEMENT)):
                raise self._unknown(f"it is not known what {_told(each)} does to the region", each)

    def _require_no_pragma_over(self, function: Chunk, region: tuple[int, int]) -> None:
        """No pragma may govern a statement that the region belongs to, or need other threads."""
        tokens, threaded = function.tokens, -1
        for at, each in enumerate(tokens):
            if not each.is_directive or _is(each, _ANYWHERE) or region[0] <= each.start < region[1]:
                continue
            last = tokens[_statement_end(tokens, at + 1) - 1].end
            if each.start < region[1] and region[0] < last:
                raise self._unknown(f"{_told(each)} governs it", each)
            if _is(each, _WITH_THREADS):
                threaded = max(threaded, last)
            is_alone = each.start >= threaded and not _is(each, _OF_TEAM)
            if is_alone and _is(each, _OPENMP):
                raise self._unknown(f"{_told(each)} is for threads that somebody else has", each)

    def _require_known_locals(self, function: Chunk, words: Set[str]) -> None:
        """The attributes of a function; what happens to a number at its end is its own business."""
        for each in attributes_in(function.tokens):
            is_apart = each.name == "cleanup" and _is_number_apart(function.tokens, each, words)
            if not (each.is_known or is_apart):
                raise self._unknown(f"it is not known what {each.name} does to it", each.token)

    def _require_unread(self, function: Chunk, region: tuple[int, int], written: Set[str]) -> None:
        """No clause may read what the region changes: the parser does not see that."""
        for each in function.tokens:
            if each.is_directive and not region[0] <= each.start < region[1]:
                read = _read_by(each) & written
                if read and not _is(each, _ANYWHERE):
                    raise self._unknown(f"{_told(each)} reads {min(read)}", each)

    def _require_known_names(
        self, region: tuple[int, int], words: Set[str], written: Set[str]
    ) -> None:
        """What the words of a region lead to must be what it seems to be."""
        named = _with_builtins(words)
        for chunk in self._chunks:
            if not chunk.is_function and chunk.tokens[0].text in LABEL:
                raise self._unknown("the file has instructions for the assembler", chunk.tokens[0])
        for chunk in list(self._reached(named)):
            self._require_known_attributes(chunk)
            if chunk.is_function and not chunk.holds(*region):
                self._require_known_function(chunk, named)
                self._require_unread(chunk, region, written)
        problem = self._symbols.problem(named)
        if problem is not None:
            raise self._unknown(*problem)
        self._require_known_strings(named)

    @cached_property
    def _symbols(self) -> Symbols:
        return Symbols(self._chunks, self._tokens)

    def _require_known_attributes(self, chunk: Chunk) -> None:
        """Those of what a region leads to; names are looked at apart from them."""
        for each in attributes_in(chunk.tokens):
            if not (each.is_known or each.is_symbol or each.name == "weak"):
                raise self._unknown(f"it is not known what {each.name} does to it", each.token)

    def _require_known_function(self, function: Chunk, named: Set[str]) -> None:
        """The body of a function must be what is called, whoever calls it."""
        stands_in = {f"__builtin_{each}" for each in function.declared} & named
        if stands_in:
            raise self._unknown(f"it defines what {min(stands_in)} calls", function.tokens[0])
        head = {*texts(function.tokens[: function.body])}
        if "extern" in head and self.unit.predefined.get("__GNUC_GNU_INLINE__"):
            raise self._unknown("another body may be called instead", function.tokens[0])
        for each in function.tokens:
            is_bound = _is(each, _OPENMP) and not _is(each, _FOR_ANY_TEAM)
            if is_bound and not _is(each, _ANYWHERE):
                raise self._unknown(f"it calls what depends on threads: {_told(each)}", each)

    def _require_known_strings(self, named: Set[str]) -> None:
        """Nothing that is not understood may speak of these names."""
        for each in attributes_in(self._tokens):
            meant = set(re.findall(r"[\w$]+", each.strings)) & named
            if each.name.startswith("omp::"):
                raise self._unknown(f"it is not known what {each.name} does", each.token)
            if each.is_harmless or each.is_symbol:
                continue
            if each.is_statement and not each.is_known:
                raise self._unknown(f"{each.name} may define symbols", each.token)
            if "\\" in each.strings:
                raise self._unknown(f"{each.name} may speak of anything", each.token)
            if meant:
                raise self._unknown(f"{each.name} speaks of {min(meant)}", each.token)

    def _reached(self, named: set[str]) -> Iterator[Chunk]:
        """The declarations that these names lead to; the names grow by what they say."""
        left = list(self._chunks)
        while found := [each for each in left if each.declared & named]:
            left = [each for each in left if each not in found]
            yield from found
            for each in found:
                named |= _with_builtins(words_in(each.tokens))


def _with_builtins(words: Set[str]) -> set[str]:
    """These names, and those of the functions that the builtins among them may call."""
    return {each.removeprefix("__builtin_") for each in words} | words - C_KEYWORDS


def _is_number_apart(tokens: Sequence[Token], attribute: Attribute, words: Set[str]) -> bool:
    """Is it the attribute of a number that a region with these words has nothing to do with?"""
    at = next(at for at, each in enumerate(tokens) if each.start == attribute.token.start)
    ends = [k for k, each in enumerate(tokens) if each.text in (";", "{", "}")]
    first = max((each for each in ends if each < at), default=0)
    last = min((each for each in ends if each > at), default=len(tokens))
    declaration = tokens[first:last]
    return not ({"*", "&", "["} & {*texts(declaration)} or words_in(declaration) & words)


def is_meant(token: Token) -> bool:
    """Is it a pragma that the loops around it or behind it may depend on?"""
    return token.is_directive and not _is(token, _IN_REGION)


def _is(pragma: Token, kind: re.Pattern[str]) -> bool:
    match = _PRAGMA.fullmatch(pragma.text)
    return match is not None and kind.fullmatch(match[1]) is not None


def _read_by(pragma: Token) -> set[str]:
    """The words of a pragma that may be read where it stands."""
    found: set[str] = set()
    tokens, at = tokens_of(pragma.text[1:].encode(errors="surrogateescape")), 0
    while at < len(tokens):
        behind = closing(tokens, at) if tokens[at].text == "(" else None
        if behind is not None and tokens[at - 1].text not in _NOT_READ:
            found |= words_in(tokens[at:behind])
        found |= words_in(tokens[at : at + 1])
        at = (at if behind is None else behind) + 1
    return found


def _told(pragma: Token) -> str:
    return shortened(" ".join(pragma.text.split()))


def _statement_end(tokens: Sequence[Token], at: int) -> int:
    """The number of the token behind the statement that begins at a token, or a later one.

    It ends with a semicolon or a block, if what follows cannot belong to it.
    """
    while at < len(tokens) and tokens[at].text != "}":
        text = tokens[at].text
        behind = closing(tokens, at) if text in ("(", "[", "{") else None
        at = (at if behind is None else behind) + 1
        if text == ";" and not _goes_on(tokens, at, ("else",)):
            return at
        if text == "{" and not _goes_on(tokens, at, ("else", *_OPERATORS)):
            return at
    return at


_OPERATORS = "+ - * / % & | ^ ? , . -> [ ( = < > <= >= == != && || << >> ++ --".split()


def _goes_on(tokens: Sequence[Token], at: int, words: Sequence[str]) -> bool:
    """Does one of these words follow, perhaps behind pragmas and attributes?"""
    while at < len(tokens):
        is_attribute = tokens[at].text in ATTRIBUTE
        if tokens[at].is_directive:
            at += 1
        elif is_attribute or texts(tokens[at : at + 2]) == ["[", "["]:
            at = (closing(tokens, at + is_attribute) or at) + 1
        else:
            return tokens[at].text in words
    return False
