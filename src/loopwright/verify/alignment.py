"""Two files as one file with other text in its regions.

Outside of the regions, the new file must consist of the tokens of the original, and may add what
:mod:`loopwright.verify.additions` allows.  The result is the original file with the new texts in
its regions, each behind the macros and variables that were added for it: to a compiler, it is the
same program as the new file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from loopwright.basics.c_text import comments_and_strings, leaves_comment_open
from loopwright.basics.names import C_KEYWORDS
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.clang_library import ParsedFile, ReadOptions, SourceFile
from loopwright.model.proofs import Rewriting, rewriting
from loopwright.model.scop import Scop
from loopwright.verify.additions import Comparison, Macro, Variables, macro_of
from loopwright.verify.failure import NotProved
from loopwright.verify.macros import DEFINE, UNDEFINE, code_in, require_unmentioned
from loopwright.verify.tokens import Token, texts, tokens_of, words_in

_STRANGE = re.compile(rb"\?\?[=/'()!<>-]|%:|<%|%>|<:|:>")
_COUNTING = re.compile(
    rb"\b__(LINE|COUNTER|FILE|BASE_FILE|FILE_NAME|TIME|DATE|TIMESTAMP|INCLUDE_LEVEL)__\b"
    rb"|\b__has_(include|embed)|#[ \t]*(include_next|embed)\b"
)
_OPENMP = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*<omp\.h>", re.MULTILINE)
_OF_OPENMP = re.compile(r"_+omp|_*(omp|kmp|kai_kmpc|gomp|libgomp)_", re.IGNORECASE)
"""The names in that header, with gcc and with clang."""
_OF_STANDARD = re.compile(
    r"NULL|offsetof|RAND_MAX|EXIT_(SUCCESS|FAILURE)|MB_CUR_MAX|_?STD(LIB|INT|DEF)_H_*"
    r"|U?INT\w*_(MIN|MAX|C)|(SIZE|PTRDIFF|WCHAR|WINT|SIG_ATOMIC)_(MIN|MAX)"
)
"""Macros of the headers that it may include."""
_CONDITION = re.compile(r"#\s*(if|ifdef|ifndef|elif)\b")
_WORD = re.compile(rb"[A-Za-z_]\w*")


@record
class Place:
    """The new text of a region: where it stands in the new file and in the combined one."""

    start: int
    end: int
    combined: int
    is_same: bool
    """Does it consist of the tokens of the original region?"""


@record(eq=False)
class Alignment:
    """The original file with new texts in its regions, and where those come from."""

    rewriting: Rewriting
    places: tuple[Place, ...]
    source: SourceFile

    def told(self, span: Span | None) -> Span | None:
        """A place in the combined file as one in the new file; others stay what they are."""
        if span is None or span.file != self.rewriting.name:
            return span
        for each in self.places:
            start = span.start - each.combined + each.start
            if each.start <= start < each.end:
                return self.source.span(start, min(start + span.end - span.start, each.end))
        return None


def aligned(
    original: ParsedFile,
    transformed: SourceFile,
    scops: Sequence[Scop],
    options: ReadOptions,
    *,
    is_marked: bool,
) -> Alignment:
    """The regions of the original in the new file, if nothing else is new in that.

    The original was read with the options; its regions stand in their order.
    """
    text = readable(transformed.content, original.main.content)
    parsed = ParsedFile(transformed.name, text, options)
    before, after = original.main.content, transformed.content
    for content in (before, after):
        _require_plain(content)
    regions = [_region(before, each, is_marked=is_marked) for each in scops]
    around = list(_around(regions, len(before)))
    comparison = Comparison(transformed, _tokens(after))
    marks = _marks(before, after, regions) if is_marked else None
    found = _new_regions(comparison, _gaps(_tokens(before), around), marks)
    more = _other_headers(original, parsed, comparison.headers, options)
    elsewhere = ("\n".join(options.define).encode(), *_texts(original.headers(), original))
    macros = {each.name for each in comparison.macros}
    require_unmentioned(macros, (before, *elsewhere, *more))
    outside = b"\n".join(before[start:end] for start, end in around)
    for each in comparison.variables:
        require_unmentioned(each.names, (outside, *elsewhere))
        _require_of_one_region(each.names, [before[start:end] for start, end in regions])
        if not any(_knows(region, each) for region in found):
            place = transformed.span(each.place, each.place + 1)
            raise NotProved(f"{each.names[0]} is not a variable of a region", span=place)
    return _combined(original, transformed, regions, found, comparison)


def _require_of_one_region(names: Sequence[str], regions: Sequence[bytes]) -> None:
    """What one region declares, another may use; a new variable of that name would hide it."""
    for name in names:
        known = [each for each in regions if name in words_in(tokens_of(each))]
        if len(known) > 1:
            raise NotProved(f"{name} is a name of several regions")


def readable(content: bytes, original: bytes) -> bytes:
    """The text without the header of OpenMP, if that is new: not every parser can find it."""
    if _OPENMP.search(original):
        return content
    return _OPENMP.sub(lambda match: b" " * len(match.group()), content)


# --- tokens ---------------------------------------------------------------------------------------


def _tokens(content: bytes) -> list[Token]:
    """The tokens, without the pragmas around regions; directives are without comments."""
    found = [_plain(each, content) for each in tokens_of(content)]
    return [each for each in found if not each.is_border]


def _plain(token: Token, content: bytes) -> Token:
    if not token.is_directive:
        return token
    line = re.sub(rb"\\\r?\n", b" ", content[token.start : token.end])
    if b'"' not in line and b"'" not in line:
        line = b" ".join(re.sub(rb"//.*|/\*.*?\*/", b" ", line).split())
    return replace(token, text=line.strip().decode(errors="surrogateescape"))


def _require_plain(content: bytes) -> None:
    """No text whose tokens are not what they seem, or that asks where they stand."""
    for start, end in comments_and_strings(content):
        if content.startswith(b"//", start) and b"\n" in content[start:end]:
            raise NotProved("a comment is joined with the next line")
    if _JOINED.search(content):
        raise NotProved("compilers differ about where lines of the text end")
    code = code_in(content)
    if _STRANGE.search(code):
        raise NotProved("the text has digraphs or trigraphs in it")
    if _COUNTING.search(code):
        raise NotProved("the program asks for its lines, its files or the time")
    for each in tokens_of(content):
        raw = content[each.start : each.end]
        if each.text in ("#", "\\"):
            raise NotProved("the text has joined lines in it, or directives behind other text")
        if each.is_directive and leaves_comment_open(raw):
            raise NotProved("a comment begins in a directive and ends behind it")


_JOINED = re.compile(rb"\r(?!\n)|\\[ \t\v\f]+\r?\n")
"""A line that ends in the way of old machines, or that some compilers join with the next."""


# --- regions --------------------------------------------------------------------------------------


def _region(before: bytes, scop: Scop, *, is_marked: bool) -> tuple[int, int]:
    """The stretch of the original that a region is: all between its pragmas, if it has some."""
    start, end = scop.span.start, scop.span.end
    if is_marked:
        pairs = _marked(before)
        return next((first, last) for first, last in pairs if first <= start and end <= last)
    rest = tokens_of(before, end)
    is_ended = before[start:end].rstrip().endswith((b";", b"}"))
    return start, end if is_ended or texts(rest[:1]) != [";"] else rest[0].end


def _marked(content: bytes) -> list[tuple[int, int]]:
    """What stands between the pragmas of each region, line by line."""
    borders = [each for each in tokens_of(content) if each.is_border]
    return [
        (content.find(b"\n", opening.end) + 1, content.rfind(b"\n", 0, closing.start) + 1)
        for opening, closing in zip(borders[::2], borders[1::2], strict=False)
    ]


def _marks(
    before: bytes, after: bytes, regions: Sequence[tuple[int, int]]
) -> list[tuple[int, int]] | None:
    """Where the regions are in the new file, if it has all of their pragmas."""
    old, new = _marked(before), _marked(after)
    return [new[old.index(each)] for each in regions] if len(old) == len(new) else None


def _around(regions: Sequence[tuple[int, int]], length: int) -> Iterator[tuple[int, int]]:
    """The stretches in front of, between and behind the regions."""
    starts = [0, *(end for _, end in regions)]
    ends = [*(start for start, _ in regions), length]
    return zip(starts, ends, strict=True)


def _gaps(tokens: Sequence[Token], around: Iterable[tuple[int, int]]) -> list[list[Token]]:
    return [[each for each in tokens if start <= each.start < end] for start, end in around]


@record
class _Found:
    """A region's new text, from ``start`` to ``end``, and the blocks that it stands in."""

    tokens: tuple[Token, ...]
    blocks: tuple[int, ...]
    start: int
    end: int

    @property
    def defines(self) -> list[Token]:
        """The directives in front that define macros."""
        return list(takewhile(lambda each: DEFINE.match(each.text), self.tokens))

    @property
    def undefines(self) -> list[Token]:
        """The directives behind that take macros back."""
        return list(takewhile(lambda each: UNDEFINE.match(each.text), reversed(self.tokens)))


def _new_regions(
    comparison: Comparison,
    gaps: Sequence[Sequence[Token]],
    marks: Sequence[tuple[int, int]] | None,
) -> list[_Found]:
    """What stands between the tokens that both files have."""
    found: list[_Found] = []
    tokens = comparison.tokens
    for number, gap in enumerate(gaps):
        comparison.follow(gap)
        if number == len(gaps) - 1:
            comparison.pass_additions(len(tokens))
            break
        if marks is not None:
            first, last = marks[number]
            comparison.pass_additions(sum(each.start < first for each in tokens))
            end = sum(each.start < last for each in tokens)
        else:
            is_last = number == len(gaps) - 2
            end = _behind_region(comparison, gaps[number + 1], is_last=is_last)
        inside, blocks = tuple(tokens[comparison.at : end]), comparison.blocks
        place = tokens[end].start if end < len(tokens) else len(comparison.source.content)
        start = inside[0].start if inside else place
        found.append(_Found(inside, blocks, start, inside[-1].end if inside else start))
        comparison.pass_region(end)
    return found


def _behind_region(comparison: Comparison, gap: Sequence[Token], *, is_last: bool) -> int:
    """Where the tokens behind a region begin, if the new file does not mark it."""
    wanted, there = texts(gap), texts(comparison.tokens)
    last = len(there) - len(wanted)
    if is_last:
        return max(comparison.at, last)
    if not wanted:
        raise NotProved("it is not clear where one region ends and the next begins: mark them")
    for at in range(comparison.at, last + 1):
        if there[at : at + len(wanted)] == wanted:
            return at
    raise NotProved("the file differs between its regions")


# --- the combined file ----------------------------------------------------------------------------


def _combined(
    original: ParsedFile,
    transformed: SourceFile,
    regions: Sequence[tuple[int, int]],
    found: Sequence[_Found],
    comparison: Comparison,
) -> Alignment:
    """The original file with the new texts in its regions."""
    before, after = original.main.content, transformed.content
    macros, left = list(comparison.macros), list(comparison.variables)
    replacements: list[tuple[int, int, bytes]] = []
    leading: list[int] = []
    for (start, end), region in zip(regions, found, strict=True):
        own, names = _own_macros(region)
        macros += [each for each in own if each.name not in names]
        here = [each for each in macros if each.place < region.end]
        here += [each for each in own if each.name in names]
        declared = [each for each in left if _uses(region, each)]
        left = [each for each in left if each not in declared]
        _require_plain_pragmas(region, here)
        head = b"".join(b"\n" + each.line for each in here)
        head += b"".join(b"\n" + each.text for each in declared) + b"\n"
        tail = b"".join(b"\n#undef " + each.name.encode() for each in here) + b"\n"
        text = _blanked(after, region)
        leading.append(len(head))
        replacements.append((start, end, head + text + tail))
    combined = rewriting(_name(original.main, transformed), before, replacements)
    same = [
        texts(_tokens_in(before, start, end)) == texts(region.tokens)
        for (start, end), region in zip(regions, found, strict=True)
    ]
    places = tuple(
        Place(region.start, region.end, stretch.new_start + length, is_same)
        for region, stretch, length, is_same in zip(
            found, combined.stretches, leading, same, strict=True
        )
    )
    return Alignment(combined, places, transformed)


def _tokens_in(content: bytes, start: int, end: int) -> list[Token]:
    return [each for each in _tokens(content) if start <= each.start < end]


def _own_macros(region: _Found) -> tuple[list[Macro], set[str]]:
    """The macros that a region's text begins with, and the names that it takes back at its end."""
    return (
        [macro_of(each) for each in region.defines],
        {str(match["name"]) for each in region.undefines if (match := UNDEFINE.match(each.text))},
    )


def _knows(region: _Found, variables: Variables) -> bool:
    """Are these variables declared in a block around the region, in front of it?"""
    is_around = region.blocks[: len(variables.blocks)] == variables.blocks
    return is_around and variables.place < region.start


def _uses(region: _Found, variables: Variables) -> bool:
    is_used = not words_in(region.tokens).isdisjoint(variables.names)
    return is_used and _knows(region, variables)


def _require_plain_pragmas(region: _Found, macros: Sequence[Macro]) -> None:
    """Compilers replace macros in some pragmas."""
    pragmas = [each.text for each in region.tokens if each.text.startswith("#")]
    pragmas = [each for each in pragmas if not (DEFINE.match(each) or UNDEFINE.match(each))]
    for each in macros:
        for text in pragmas:
            if re.search(rf"\b{re.escape(each.name)}\b", text):
                raise NotProved(f"{text} has the macro {each.name} in it")


def _blanked(after: bytes, region: _Found) -> bytes:
    """The text of a region without its own macros and without pragmas around regions."""
    text = after[region.start : region.end]
    borders = [each for each in tokens_of(after, region.start, region.end) if each.is_border]
    for each in (*region.defines, *region.undefines, *borders):
        first, last = each.start - region.start, each.end - region.start
        blank = bytes(one if one in b"\r\n" else ord(" ") for one in text[first:last])
        text = text[:first] + blank + text[last:]
    return text


def _name(original: SourceFile, transformed: SourceFile) -> str:
    """A name for the combined file: headers are looked for where the original stands."""
    folder, _, last = original.name.rpartition("/")
    name = _last(transformed.name)
    name = f"new-{last}" if name == last else name
    return f"{folder}/{name}" if folder else name


# --- headers --------------------------------------------------------------------------------------


def _texts(names: Sequence[str], parsed: ParsedFile) -> list[bytes]:
    return [parsed.file(each).content for each in names]


def _other_headers(
    original: ParsedFile, transformed: ParsedFile, added: Sequence[str], options: ReadOptions
) -> list[bytes]:
    """The headers that only the new file has; no name in them may be one of the original.

    Headers that both have must be the same files.
    """
    before = {(_last(each), original.file(each).content) for each in original.headers()}
    after = {(_last(each), each): transformed.file(each).content for each in transformed.headers()}
    if not before <= {(name, content) for (name, _), content in after.items()}:
        raise NotProved("the two files include different headers of the same name")
    more = {
        path: content for (name, path), content in after.items() if (name, content) not in before
    }
    if added and any(options.include):
        raise NotProved(f"the new file includes {added[0]}, which may be anything")
    if more and not added:
        raise NotProved(f"the new file includes {min(more)}, which the original does not")
    words = {each.decode() for each in _WORD.findall(code_in(original.main.content))}
    asked = set[str]().union(*map(_asked_words, _texts(original.own_headers(), original)))
    if "omp.h" in added:
        _require_nothing_of_openmp(words, asked)
    for each in sorted(asked & set[str]().union(*map(_macros, more.values()))):
        raise NotProved(f"a header of the original asks for {each}, which {added[0]} defines")
    declared = set[str]().union(*map(_declared_words, more.values())) - C_KEYWORDS
    for each in sorted(declared & words):
        if not any(each.encode() in text for text in _texts(original.headers(), original)):
            raise NotProved(f"{each} means something in {added[0]}")
    return list(more.values())


def _require_nothing_of_openmp(words: Iterable[str], asked: Iterable[str]) -> None:
    """Nobody reads the header of OpenMP, so that its names are known by how they begin."""
    if any(_OF_OPENMP.match(each) for each in words):
        raise NotProved("the original has names of its own that omp.h has, too")
    for each in sorted(asked):
        is_named = _OF_OPENMP.match(each) or each.lower().startswith("omp")
        if is_named or _OF_STANDARD.fullmatch(each):
            raise NotProved(f"a header of the original asks for {each}, which omp.h may define")


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _declared_words(header: bytes) -> set[str]:
    """The macros of a header, and all words outside of directives."""
    return words_in(tokens_of(header)) | _macros(header)


def _macros(header: bytes) -> set[str]:
    defined = [DEFINE.match(each.text) for each in tokens_of(header) if each.is_directive]
    return {each["name"] for each in defined if each is not None}


def _asked_words(header: bytes) -> set[str]:
    """The words in conditions of a header."""
    conditions = [each.text for each in tokens_of(header) if _CONDITION.match(each.text)]
    return {word for each in conditions for word in re.findall(r"[A-Za-z_]\w*", each)}
