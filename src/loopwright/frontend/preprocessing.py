"""A program as its compiler sees it: preprocessed by that compiler, with its regions known.

Pragmas around regions are still there behind the preprocessor.  Where the source has none, it gets
some of our own, and is preprocessed once more without them: they must not have changed anything.
What stands between and around the pragmas is what will be compiled.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

from loopwright.basics.c_tokens import Token, texts, tokens_of
from loopwright.basics.diagnostics import InputError, shortened
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.clang_library import ParsedFile, ReadOptions
from loopwright.frontend.compilers import CannotPreprocess, Compiler
from loopwright.frontend.known_flags import odd_flag
from loopwright.frontend.own_preprocessing import preprocessed
from loopwright.frontend.parser_decisions import OF_THE_SYSTEM, require_same_program
from loopwright.model.proofs import WITHOUT_COMPILER, Configuration

BEGIN, END = "#pragma loopwright begin", "#pragma loopwright end"
_MARKER = re.compile(r"#\s*pragma\s+loopwright\b")
_BORDER = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+(scop|endscop)\b[^\n]*$", re.MULTILINE)
_LINE_MARKER = re.compile(rb'# (\d+) "((?:[^"\\]|\\.)*)"((?: \d)*)\s*')
_MACRO = re.compile(rb"#(define|undef) (\w+)")
_KEPT_MACRO = re.compile(rb'#\s*pragma\s+(push|pop)_macro\s*\(\s*"\w+"\s*\)\s*')
_SPLICES = tuple(
    re.compile(each + rb"[ \t\f\v\0]*(?:\r\n?|\n)") for each in (rb"\\", rb"(?:\\|\?\?/)")
)
"""What joins two lines, where there are trigraphs and where there are none."""
_MARK_OF_ORDER = b"\xef\xbb\xbf"
"""Compilers skip it at the beginning of a file."""
_BLANK = b" \t\f\v\0"
_NUMBERING = re.compile(rb"(?:\#|%:|\?\?=)(?:[ \t\f\v\0]|(?>/\*.*?\*/))*+(\d|line\b)", re.DOTALL)
_LINE = re.compile(rb"^#line (\d+)\r?$", re.MULTILINE)
"""The directive as it is mostly written, and as loopwright writes it."""
_NUMBERED = re.compile(
    rb"^[ \t]*#[ \t]*line[ \t]+\d+[ \t]*(?:\"(?!/usr/|/opt/|<)[^\"\\\n]*\"[ \t]*)?\r?$",
    re.MULTILINE,
)
"""A directive that does not give its lines the name of a header that comes with the system."""
_QUOTED = re.compile(
    rb"""
    (?P<raw>(?<![A-Za-z_0-9])(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\()
    | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | \.?\d(?:[eEpP][+-]|'?\w|\.)*
    """,
    re.VERBOSE,
)
_ODD_NAME = re.compile(r"[^\x00-\x7f]|\\[uU]")
_STRING = re.compile(r'''"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\w*R".*"''', re.DOTALL)
_TARGET = re.compile(r"#\s*pragma\s+(GCC\s+target|clang\s+attribute)\b")
_CONDITION = re.compile(rb"^[ \t]*#[ \t]*(?:(?:el)?if|define).*$", re.MULTILINE)
_DEFINED = re.compile(rb"#[ \t]*define[ \t]+(\w+)")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_RESERVED = re.compile(rb"_[A-Z_]\w*")
_BUILT_IN = frozenset(("<built-in>", "<command-line>", "<command line>"))
FLOATS = (
    b"typedef float _Float32; typedef double _Float64, _Float32x; "
    b"typedef long double _Float64x; typedef __float128 _Float128; "
)
"""Types of gcc and of the headers that go with it, which the parser does not know by name."""


@record
class _Part:
    """Lines that follow a line marker: where they begin, and what they are called."""

    start: int
    file: str
    line: int
    is_of_system: bool


class Unit:
    """A preprocessed program.

    ``macros`` are the names of all macros that there are anywhere in it, ``predefined`` those of
    its compiler and the command line.  ``name`` is what messages call it, ``file`` what it is
    called in the text, and ``files`` are those that it includes.  It ``names_lines`` if a macro or
    the source itself may ask where it stands.
    """

    def __init__(
        self, name: str, file: str, output: bytes, source: bytes, options: ReadOptions
    ) -> None:
        """Take apart what the compiler has printed."""
        self.name, self.file = name, file
        self._source = source
        lines = _Lines(output, allows_raw=options.is_cpp)
        self.parts = lines.parts
        self.macros = frozenset(lines.macros)
        self.names_lines = b"__LINE__" in output or b"__LINE__" in source
        self.predefined: Mapping[str, str] = lines.predefined
        self.files = lines.files
        text = b"".join(lines.pieces)
        self.text = text if options.is_cpp else without_digraphs(text)
        self.marks = lines.marked
        self.configuration = Configuration(
            _who_compiles(options.compiler, lines.predefined),
            options.compiler.flags if options.compiler.is_there else (),
            _digest("\n".join(f"{k} {v}" for k, v in sorted(lines.predefined.items())).encode()),
            _digest(b"\n".join(lines.included)),
        )

    @cached_property
    def regions(self) -> tuple[tuple[int, int], ...]:
        """The stretches of the text that are regions; none if pragmas do not take turns."""
        if self.marks:
            places = [place for _, place in self.marks]
            return tuple(zip(places[::2], places[1::2], strict=True))
        return self._between_pragmas()

    def _between_pragmas(self) -> tuple[tuple[int, int], ...]:
        """What stands between pragmas of the program itself; headers have regions of their own."""
        found: list[tuple[int, int]] = []
        opened: int | None = None
        for each in _BORDER.finditer(self.text):
            part = self.part_at(each.start())
            if part.is_of_system or part.file in self.files:
                continue
            if (opened is None) != (each[1] == b"scop"):
                return ()
            if opened is None:
                opened = each.end()
            else:
                found.append((opened, each.start()))
                opened = None
        return tuple(found)

    @cached_property
    def _starts(self) -> list[int]:
        return [each.start for each in self.parts]

    def part_at(self, place: int) -> _Part:
        """The lines that a place of the text belongs to."""
        return self.parts[max(0, bisect_right(self._starts, place) - 1)]

    def is_of_system(self, place: int) -> bool:
        """Does a place stand in a header that comes with the system?"""
        return self.part_at(place).is_of_system

    def line_at(self, place: int) -> tuple[str, int]:
        """The file and the line that a compiler would tell for a place."""
        part = self.part_at(place)
        return part.file, part.line + self.text.count(b"\n", part.start, place)

    def told(self, span: Span) -> Span:
        """A place of the preprocessed text in the source that it comes from.

        That is exact where preprocessing has left the line as it was up to there; else it is the
        whole line.
        """
        start, end = self._source_place(span.start), self._source_place(span.end, is_end=True)
        if start is None or end is None:
            file, line = self.line_at(span.start)
            file = self.name if file == self.file else file
            return Span(file, 0, 0, max(1, line), 1, max(1, line), 1)
        (line, column), (end_line, end_column) = start, max(start, end)
        places = [self._source_lines[each - 1][0] for each in (line, end_line)]
        return Span(
            self.name,
            places[0] + column,
            places[1] + end_column,
            line,
            column + 1,
            end_line,
            end_column + 1,
        )

    def _source_place(self, place: int, *, is_end: bool = False) -> tuple[int, int] | None:
        """The line and the column, from zero, where a place was in the source."""
        file, line = self.line_at(place)
        if file != self.file or not 1 <= line <= len(self._source_lines):
            return None
        original = self._source_lines[line - 1][1]
        first = self.text.rfind(b"\n", 0, place) + 1
        indented, before = len(original) - len(original.lstrip()), self.text[first:place].lstrip()
        if original[indented:].startswith(before):
            return line, indented + len(before)
        return line, len(original.rstrip()) if is_end else indented

    @cached_property
    def _source_lines(self) -> list[tuple[int, bytes]]:
        found: list[tuple[int, bytes]] = []
        start = 0
        for each in self._source.split(b"\n"):
            found.append((start, each))
            start += len(each) + 1
        return found

    @cached_property
    def own_tokens(self) -> list[Token]:
        """The tokens of the program without those of the system's headers."""
        found: list[Token] = []
        for start, end, is_of_system in self.own_stretches(0, len(self.text)):
            if not is_of_system:
                found += tokens_of(self.text, start, end)
        return found

    @cached_property
    def sources(self) -> tuple[bytes, ...]:
        """What the program itself and its own headers say, as their authors wrote it."""
        own = {each.file for each in self.parts if not each.is_of_system}
        headers = [Path(each) for each in self.files if each in own]
        return (self._source, *(each.read_bytes() for each in headers if each.is_file()))

    def is_like(self, other: Unit) -> bool:
        """Is it the same program as another one, but for the headers of the system?"""
        one, two = self.own_tokens, other.own_tokens
        return len(self.regions) == len(other.regions) and texts(one) == texts(two)

    def own_stretches(self, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
        """The parts between two places, and whether they come with the system."""
        at = max(0, bisect_right(self._starts, start) - 1)
        while at < len(self.parts) and self.parts[at].start < end:
            last = self.parts[at + 1].start if at + 1 < len(self.parts) else len(self.text)
            yield max(start, self.parts[at].start), min(end, last), self.parts[at].is_of_system
            at += 1


class _Lines:
    """The output of a preprocessor, line by line."""

    def __init__(self, output: bytes, *, allows_raw: bool) -> None:
        self.parts: list[_Part] = [_Part(0, "<built-in>", 1, True)]
        self.pieces: list[bytes] = [FLOATS]
        self.macros: set[str] = set()
        self.predefined: dict[str, str] = {}
        self.included: list[bytes] = []
        self.files: list[str] = []
        self.marked: list[tuple[str, int]] = []
        self._own: set[str] = set()
        self._place = len(FLOATS)
        self._depth = 0
        pending = iter(output.splitlines(keepends=True))
        for line in pending:
            whole = line
            while allows_raw and _is_open(whole):
                more = next(pending, None)
                if more is None:
                    break
                whole += more
            self._take(whole)

    def _take(self, line: bytes) -> None:
        if line[:1] == b"#" and self._is_directive(line):
            return
        if self._depth > 0:
            self.included.append(line)
        self._keep(line)

    def _is_directive(self, line: bytes) -> bool:
        """Is it one that only says something about the lines around it?"""
        marker = _LINE_MARKER.fullmatch(line)
        if marker is not None:
            self._begin_part(marker)
            self._keep(b"\n")
            return True
        macro = _MACRO.match(line)
        if macro is not None:
            self._note_macro(macro[2].decode(), line[macro.end() :])
            self._keep(b"\n")
            return True
        if _KEPT_MACRO.fullmatch(line):
            self._keep(b"\n")
            return True
        text = line.decode(errors="surrogateescape")
        if _MARKER.match(text):
            self.marked.append((" ".join(text.split()), self._place))
            self._keep(b"\n")
            return True
        return False

    def _note_macro(self, name: str, rest: bytes) -> None:
        self.macros.add(name)
        if self.parts[-1].file in _BUILT_IN and not self._own:
            self.predefined[name] = rest.decode(errors="replace").strip()
        elif self._depth > 0:
            self.included.append(rest)

    def _begin_part(self, marker: re.Match[bytes]) -> None:
        file = re.sub(rb"\\(.)", rb"\1", marker[2]).decode(errors="surrogateescape")
        flags = marker[3].split()
        if b"1" in flags:
            self._depth += 1
            self.files.append(file)
        elif b"2" in flags:
            self._depth -= 1
        is_header = b"3" in flags and file not in self._own and file.startswith(OF_THE_SYSTEM)
        is_of_system = is_header or (not self._own and file in _BUILT_IN)
        if not is_of_system and file != "<stdin>":
            self._own.add(file)
        # The line of the marker itself is kept as an empty one.
        self.parts.append(_Part(self._place + 1, file, int(marker[1]), is_of_system))

    def _keep(self, piece: bytes) -> None:
        self.pieces.append(piece)
        self._place += len(piece)


def _is_open(line: bytes) -> bool:
    """Does a raw string begin on a line that does not end there?"""
    found = _QUOTED.search(line)
    while found is not None:
        end = found.end()
        if found["raw"]:
            closing = b")" + found["delimiter"] + b'"'
            behind = line.find(closing, end)
            if behind < 0:
                return True
            end = behind + len(closing)
        found = _QUOTED.search(line, end)
    return False


def _who_compiles(compiler: Compiler, macros: Mapping[str, str]) -> str:
    """The name of a compiler, or who takes its place."""
    if not compiler.is_there:
        version = [macros.get(f"__clang_{each}__", "?") for each in ("major", "minor")]
        return f"libclang {'.'.join(version)}'s own macros, {WITHOUT_COMPILER}"
    version = macros.get("__VERSION__", "").strip('"')
    return f"{Path(compiler.command[0]).name} {version}".strip()


_DIGRAPHS = {b"<:": b"[ ", b":>": b"] ", b"<%": b"{ ", b"%>": b"} "}


def without_digraphs(text: bytes) -> bytes:
    """Preprocessed C in the usual spelling; all places stay.

    >>> without_digraphs(b'a<:0:> = "<:";')
    b'a[ 0]  = "<:";'
    """
    if not any(each in text for each in _DIGRAPHS):
        return text
    found = bytearray(text)
    for one, two in pairwise(tokens_of(text)):
        pair = text[one.start : two.end]
        if pair in _DIGRAPHS and bytes(found[one.start : two.end]) == pair:
            found[one.start : two.end] = _DIGRAPHS[pair]
    return bytes(found)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def unit_of(
    name: str,
    source: bytes,
    regions: Sequence[tuple[int, int]] | None,
    options: ReadOptions,
    *,
    file: str = "",
) -> Unit:
    """A program after preprocessing, with the regions that these stretches of its source are.

    Where nothing is said of them, they stand between ``#pragma scop`` and ``#pragma endscop``.
    The program may be called like another ``file``, whose place it is to take.
    :class:`CannotPreprocess` where the compiler does not take it.
    """
    odd = odd_flag(options.compiler.flags, options.standard)
    if odd is not None:
        raise CannotPreprocess(f"it is not known what {odd} means for a program")
    if options.compiler.is_for_cpp and not options.is_cpp:
        raise CannotPreprocess(f"{options.compiler.command[-1]} compiles C++")

    def seen(text: bytes) -> Unit:
        if not options.compiler.is_there:
            return _seen_by_parser(name, file or name, text, source, options)
        reading = (*options.flags(), *_pencil(source), "-x", options.language)
        output = options.compiler.preprocessed(text, Path(name).parent, reading)
        return Unit(name, file or name, output, source, options)

    unit = seen(_marked(file or name, source, regions or ()))
    _require_honest_lines(unit)
    _require_plain_names(unit)
    _require_known_target(unit)
    if not regions and unit.marks:
        raise CannotPreprocess("the program has pragmas of loopwright")
    if regions:
        _require_regions(unit, regions)
        if not is_alike(unit, seen(_marked(file or name, source, ()))):
            raise CannotPreprocess("a region begins or ends inside of something else")
    return unit


def _seen_by_parser(name: str, file: str, text: bytes, source: bytes, options: ReadOptions) -> Unit:
    """A program after our own preprocessing, which has to be what its parser sees directly."""
    output, direct = preprocessed(text, name, options)
    unit = Unit(name, file, output, source, options)
    try:
        after = ParsedFile(name, unit.text, options, unit)
    except InputError as error:
        raise CannotPreprocess(f"read again, {error.diagnostics[0].message}") from None
    require_same_program(direct, after, len(FLOATS))
    return unit


@lru_cache(maxsize=64)
def predefined_macros(options: ReadOptions, folder: Path) -> Mapping[str, str]:
    """The macros of the compiler and of the command line."""
    output = options.compiler.preprocessed(b"", folder, (*options.flags(), "-x", options.language))
    return MappingProxyType(_Lines(output, allows_raw=False).predefined)


def _require_regions(unit: Unit, regions: Sequence[tuple[int, int]]) -> None:
    """Each region that was marked must be there once, and in its place among the others."""
    if any(start < last for (start, _), (_, last) in zip(regions[1:], regions, strict=False)):
        raise CannotPreprocess("the regions overlap")
    wanted = [f"{word} {at}" for at in range(len(regions)) for word in (BEGIN, END)]
    if [text for text, _ in unit.marks] != wanted:
        raise CannotPreprocess("a region is left out by #if, or begins or ends inside of a macro")


def is_alike(one: Unit, other: Unit) -> bool:
    """Have two texts the same tokens?"""
    if one.text.split() == other.text.split():
        return True
    return texts(tokens_of(one.text)) == texts(tokens_of(other.text))


def _pencil(source: bytes) -> tuple[str, ...]:
    """PENCIL's attribute, for those who use it."""
    from loopwright.frontend.clang_library import PENCIL_ACCESS

    return (PENCIL_ACCESS,) if b"pencil_access" in source else ()


def _marked(name: str, source: bytes, regions: Sequence[tuple[int, int]]) -> bytes:
    """The source with pragmas around its regions, and with the numbers that its lines have."""
    if source.startswith(_MARK_OF_ORDER):
        source = b" " * len(_MARK_OF_ORDER) + source[len(_MARK_OF_ORDER) :]
    numbered = [(each.end(), int(each[1]) - 1) for each in _LINE.finditer(source)]
    is_counted = all(len(each) == len(numbered) for each in _renumbering(source))
    quoted = name.replace("\\", "\\\\").replace('"', '\\"').encode(errors="surrogateescape")
    pieces = [b'# 1 "' + quoted + b'"\n']
    last = 0
    for at, (start, end) in enumerate(regions):
        for word, place in ((BEGIN, start), (END, end)):
            after, first = max([(0, 1), *(each for each in numbered if each[0] <= place)])
            line = first + source.count(b"\n", after, place)
            number = f"#line {line}\n" if is_counted else ""
            pieces += [source[last:place], f"\n{word} {at}\n{number}".encode()]
            last = place
    return b"".join([*pieces, source[last:]])


def _renumbering(source: bytes) -> Iterator[list[bytes]]:
    r"""What gives other numbers to the lines behind it, in each way to read lines that go on.

    >>> list(_renumbering(b"a;\r# 1\n#\\ \nline 2 /*\n*/ %: /**/3 #4"))
    [[b'1', b'3'], [b'1', b'line', b'3'], [b'1', b'line', b'3']]
    """
    for text in (source, *(each.sub(b"", source) for each in _SPLICES)):
        found = _NUMBERING.finditer(text)
        yield [each[1] for each in found if _is_first_in_line(text, each.start())]


def _is_first_in_line(text: bytes, place: int) -> bool:
    """May a compiler find nothing on its line in front of it?"""
    while place > 0 and text[place - 1] in _BLANK:
        place -= 1
    before = text[max(0, place - 3) : place]
    return not before or before.endswith((b"\n", b"\r", b"*/", _MARK_OF_ORDER))


def _may_be_renamed(source: bytes) -> bool:
    """Is there a directive that may give its lines the name of a header of the system?"""
    plain = len(_NUMBERED.findall(source))
    return any(len(each) > plain for each in _renumbering(source))


def _require_plain_names(unit: Unit) -> None:
    """No name of the program may be one that a compiler and a parser spell in different ways."""
    for each in unit.own_tokens:
        if _ODD_NAME.search(_STRING.sub("", each.text)):
            raise CannotPreprocess(f"compilers spell {shortened(each.text)} in different ways")


def _require_known_target(unit: Unit) -> None:
    """Where a pragma changes the target, compilers define macros that a preprocessor does not."""
    if not any(_TARGET.match(each.text) for each in unit.own_tokens if each.is_directive):
        return
    for source in unit.sources:
        asked = {word for each in _CONDITION.findall(source) for word in _WORD.findall(each)}
        own = {*_DEFINED.findall(source)}
        odd = sorted(each for each in asked - own if _RESERVED.fullmatch(each))
        if odd:
            raise CannotPreprocess(f"a pragma for the target may define {odd[0].decode()}")


def _require_honest_lines(unit: Unit) -> None:
    """No file of the program's own may say that its lines come with the system, or include it."""
    folder = Path(unit.name)
    if folder.is_file() and any(
        path.is_file() and path.samefile(folder) for path in map(Path, unit.files)
    ):
        raise CannotPreprocess("the program includes itself")
    for text in unit.sources:
        if any(each.isdigit() for found in _renumbering(text) for each in found):
            raise CannotPreprocess("the program numbers its lines in the way of a preprocessor")
        if b"system_header" in text or _may_be_renamed(text):
            raise CannotPreprocess("the program may say that it comes with the system")
