"""What the parser has decided when it preprocessed a program: conditions, headers, macros.

It does not print what it has made of a text, but it says which lines it has skipped and which files
it has entered.  The same file may be entered many times, and another part of it be skipped each
time; places of the parser's own numbering tell the times apart.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from functools import cache
from typing import Any

from clang import cindex

from loopwright.basics.records import record
from loopwright.frontend.clang_library import (
    Cursor,
    ParsedFile,
    Ranges,
    ReadOptions,
    library_call,
    visit_children,
)
from loopwright.frontend.compilers import CannotPreprocess

_HANDLE = ctypes.c_void_p
_INCLUSION = ctypes.CFUNCTYPE(
    None, _HANDLE, ctypes.POINTER(cindex.SourceLocation), ctypes.c_uint, ctypes.py_object
)
OF_THE_SYSTEM = ("/usr/", "/opt/")
"""Where headers that come with the system are; no others are trusted to be some."""
_PREPROCESSING = 500
"""Kinds of cursors from here on are directives and macros."""
_TAG_LOCATIONS = 8
"""Whether types without a name are printed with their places."""


class _Text(ctypes.Structure):
    _fields_ = (("data", _HANDLE), ("flags", ctypes.c_uint))


@cache
def _calls() -> dict[str, Any]:
    cursor, size = cindex.Cursor, ctypes.POINTER(ctypes.c_size_t)
    return {
        "skipped": library_call(ctypes.POINTER(Ranges), _HANDLE, name="clang_getAllSkippedRanges"),
        "forget": library_call(None, ctypes.POINTER(Ranges), name="clang_disposeSourceRangeList"),
        "inclusions": library_call(
            None, _HANDLE, _INCLUSION, ctypes.py_object, name="clang_getInclusions"
        ),
        "contents": library_call(_HANDLE, _HANDLE, _HANDLE, size, name="clang_getFileContents"),
        "policy": library_call(_HANDLE, cursor, name="clang_getCursorPrintingPolicy"),
        "set": library_call(
            None, _HANDLE, ctypes.c_int, ctypes.c_uint, name="clang_PrintingPolicy_setProperty"
        ),
        "printed": library_call(_Text, cursor, _HANDLE, name="clang_getCursorPrettyPrinted"),
        "name": library_call(_Text, _HANDLE, name="clang_getFileName"),
        "characters": library_call(ctypes.c_char_p, _Text, name="clang_getCString"),
        "free": library_call(None, _Text, name="clang_disposeString"),
    }


@record
class Entered:
    """A file while it is read once.

    ``skipped`` are the stretches that conditions leave out, each from the ``#`` of the directive
    that opens it to the name of the one that ends it.  ``includes`` are the files that are entered
    from it, by the places of the directives.
    """

    name: str
    text: str
    is_of_system: bool
    skipped: tuple[tuple[int, int], ...]
    includes: tuple[tuple[int, Entered], ...]


@record
class _Inclusion:
    file: str
    places: tuple[int, ...]
    """Where it is included, and where that file is, … in the parser's numbering."""
    bases: tuple[tuple[str, int], ...]
    """The beginnings of those files."""


def entered(parsed: ParsedFile) -> Entered:
    """The program as the parser has read it, which must not be preprocessed already."""
    inclusions = _inclusions(parsed)
    stretches = _skipped(parsed)
    bases = _bases(inclusions, stretches)
    made: list[list[tuple[int, Entered]]] = [[] for _ in inclusions]
    found: list[Entered] = []
    for at in reversed(range(len(inclusions))):
        each, base = inclusions[at], bases[at]
        cuts = tuple(stretches.get((each.file, base), ())) if base is not None else ()
        one = Entered(each.file, *_content(parsed, each.file), cuts, tuple(reversed(made[at])))
        found.append(one)
        if each.places:
            parent = _last_with(inclusions, at, each.places[1:])
            start = each.bases[0][1]
            made[parent].append((each.places[0] - start, one))
    return found[-1]


def _last_with(inclusions: Sequence[_Inclusion], end: int, places: tuple[int, ...]) -> int:
    """The file from which another one is included: the last before it that stands there."""
    for at in reversed(range(end)):
        if inclusions[at].places == places:
            return at
    raise CannotPreprocess("the parser does not say what includes a header")


def _content(parsed: ParsedFile, name: str) -> tuple[str, bool]:
    unit = parsed.unit
    file = unit.get_file(name)
    size = ctypes.c_size_t()
    start = _calls()["contents"](unit.obj, file.obj, ctypes.byref(size))
    content = ctypes.string_at(start, size.value) if start else b""
    place = cindex.SourceLocation.from_offset(unit, file, 0)
    is_of_system = bool(place.is_in_system_header) and name.startswith(OF_THE_SYSTEM)
    return content.decode("latin-1"), is_of_system


def _inclusions(parsed: ParsedFile) -> list[_Inclusion]:
    """All times that a file is entered, in their order."""
    found: list[_Inclusion] = []

    def visit(file: int, stack: Any, count: int, _nothing: object) -> None:
        around = [stack[at] for at in range(count)]
        places = tuple(int(each.int_data) for each in around)
        bases = tuple((str(each.file.name), each.int_data - each.offset) for each in around)
        name = _taken(_calls()["name"](file))
        found.append(_Inclusion(os.fsdecode(name), places, bases))

    _calls()["inclusions"](parsed.unit.obj, _INCLUSION(visit), None)
    return found


def _skipped(parsed: ParsedFile) -> dict[tuple[str, int], list[tuple[int, int]]]:
    """The stretches that are left out, by file and where the parser's numbers for it begin."""
    handle = _calls()["skipped"](parsed.unit.obj)
    found: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for at in range(handle.contents.count):
        each = handle.contents.ranges[at]
        start, end = each.start, each.end
        key = str(start.file.name), int(start.int_data - start.offset)
        found.setdefault(key, []).append((int(start.offset), int(end.offset)))
    _calls()["forget"](handle)
    return {key: sorted(each) for key, each in found.items()}


def _bases(
    inclusions: Sequence[_Inclusion], skipped: dict[tuple[str, int], list[tuple[int, int]]]
) -> list[int | None]:
    """Where the parser's numbers begin for each time that a file is entered.

    They only grow.  Those of files that include others are known; what is skipped in a file that
    includes none belongs to the only one that it can.
    """
    known: list[int | None] = [None] * len(inclusions)
    for at, each in enumerate(inclusions):
        if each.places:
            known[_last_with(inclusions, at, each.places[1:])] = each.bases[0][1]
    free = sorted((base, file) for file, base in skipped if base not in known)
    at = 0
    while at < len(inclusions):
        end = at
        while end < len(inclusions) and known[end] is None:
            end += 1
        last = known[end] if end < len(inclusions) else None
        here = [each for each in free if last is None or each[0] < last]
        free = free[len(here) :]
        for file in {file for _, file in here}:
            times = [each for each in range(at, end) if inclusions[each].file == file]
            mine = [base for base, each in here if each == file]
            if len(times) != len(mine):
                raise CannotPreprocess(f"{file} is included in ways that cannot be told apart")
            for each, base in zip(times, mine, strict=True):
                known[each] = base
        at = end + 1
    return known


@cache
def parser_macros(options: ReadOptions) -> tuple[str, ...]:
    """The macros that the parser has by itself and by its options, as ``#define`` has them."""
    unit = ParsedFile("empty", b"\n", options).unit
    kind = cindex.CursorKind.MACRO_DEFINITION
    found: list[str] = []
    for each in unit.cursor.get_children():
        if each.kind == kind:
            pieces: list[str] = []
            last = int(each.extent.start.offset)
            for token in each.get_tokens():
                start = int(token.extent.start.offset)
                pieces += [" " if start > last else "", str(token.spelling)]
                last = int(token.extent.end.offset)
            found.append("".join(pieces))
    return tuple(found)


def require_same_program(direct: ParsedFile, other: ParsedFile, added: int) -> None:
    """Raise :class:`CannotPreprocess` unless two texts are the same declarations to the parser.

    The ``other`` text has been preprocessed; so many bytes stand in front of it.  What the parser
    prints of a declaration is all of it, with types, values and bodies.
    """
    one, two = _declarations(direct, 0), _declarations(other, added)
    for (first, cursor), (second, _) in zip(one, two, strict=False):
        if first != second:
            raise CannotPreprocess(f"{_named(cursor)} is something else to the parser")
    if len(one) != len(two):
        raise CannotPreprocess("the parser sees other declarations in it")


def _named(cursor: Cursor) -> str:
    place = cursor.location
    return f"line {int(place.line)} of {place.file.name if place.file is not None else 'it'}"


def _declarations(parsed: ParsedFile, first: int) -> list[tuple[bytes, Cursor]]:
    """What the parser prints of each declaration from a place on."""
    calls, root = _calls(), parsed.unit.cursor
    policy = calls["policy"](root)
    calls["set"](policy, _TAG_LOCATIONS, 0)
    found: list[tuple[bytes, Cursor]] = []

    def visit(cursor: Cursor, _parent: Cursor, _nothing: object) -> int:
        is_declaration = cursor._kind_id < _PREPROCESSING
        if is_declaration and (found or first == 0 or cursor.location.offset >= first):
            found.append((_taken(calls["printed"](cursor, policy)), cursor))
        return 1

    visit_children(root, visit)
    return found


def _taken(text: Any) -> bytes:
    """The characters of a text that the library has made."""
    characters = _calls()["characters"](text)
    found = bytes(characters) if characters is not None else b""
    _calls()["free"](text)
    return found
