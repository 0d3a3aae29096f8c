"""New text into the user's file: in the region's place, and nowhere else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import chain, pairwise

from loopwright.basics.c_text import comments_and_strings
from loopwright.basics.records import record
from loopwright.emit.refusal import CannotEmit
from loopwright.emit.regions import RegionText
from loopwright.model.scop import Scop


@record
class Replacement:
    """New text for the bytes from ``start`` to ``end``."""

    start: int
    end: int
    text: bytes


def replacement(
    source: bytes, scop: Scop, new: RegionText, *, in_braces: bool, unit: str
) -> Replacement:
    """The region's stretch of the file, and what comes in its place.

    ``in_braces`` where the region may be the whole body of a loop or branch.
    """
    start = scop.span.start
    end = region_end(source, scop, is_marked=not in_braces)
    line_start = source.rfind(b"\n", 0, start) + 1
    before = source[line_start:start]
    indent = before.decode(errors="surrogateescape") if not before.strip() else ""
    original = source[start:end].decode(errors="surrogateescape")
    lines = _chosen(new, original, in_braces=in_braces, unit=unit)
    indented = [f"{indent}{line}" if line and not is_raw else line for line, is_raw in lines]
    whole = [*new.definitions, *indented, *new.undefinitions]
    if before.strip() and (new.definitions or len(whole) > 1):
        whole = ["", *whole]
    rest = source[end : (source.find(b"\n", end) + 1 or len(source))]
    if whole[-1].lstrip().startswith("#") and rest.strip():
        whole.append(indent)
    newline = "\r\n" if b"\r\n" in source else "\n"
    text = newline.join(whole).encode(errors="surrogateescape")
    return Replacement(line_start if not before.strip() else start, end, text)


def keeping_lines(new: Replacement, source: bytes) -> Replacement:
    r"""The same, and what follows it is told the line that it had.

    >>> keeping_lines(Replacement(4, 6, b"b\nb"), b"a;\n bb\nc").text
    b'b\nb\n#line 3'
    """
    rest = source[new.end : (source.find(b"\n", new.end) + 1 or len(source))]
    line = 1 + source.count(b"\n", 0, new.end)
    newline = b"\r\n" if b"\r\n" in source else b"\n"
    ending = b"#line %d" % line + newline if rest.strip() else b"#line %d" % (line + 1)
    return Replacement(new.start, new.end, new.text + newline + ending)


def _chosen(
    new: RegionText, original: str, *, in_braces: bool, unit: str
) -> list[tuple[str, bool]]:
    """The lines, and which of them are to be left as they are."""
    deeper = [(f"{unit}{line}", False) for line in new.lines]
    if new.test:
        kept = _indented(original, unit)
        return [(f"if ({new.test}) {{", False), *deeper, ("} else {", False), *kept, ("}", False)]
    if in_braces or new.declares or not new.lines:
        return [("{", False), *deeper, ("}", False)]
    return [(line, False) for line in new.lines]


def _indented(original: str, unit: str) -> list[tuple[str, bool]]:
    """The user's own lines, one level deeper unless that might change what they mean."""
    first, *others = (line.rstrip("\r") for line in original.split("\n"))
    is_touchy = "/*" in original or any(
        line.lstrip().startswith("#") or line.endswith("\\") for line in (first, *others)
    )
    rest = [(line if is_touchy or not line else f"{unit}{line}", True) for line in others]
    return [(f"{unit}{first}", False), *rest]


_LATER = rb"(?:\s|\\\r?\n|/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*\n)*"
_SEMICOLON = re.compile(_LATER + rb";")
_DIRECTIVE = re.compile(rb"^[ \t]*#", re.MULTILINE)


def region_end(source: bytes, scop: Scop, *, is_marked: bool) -> int:
    """Behind the last token of the region; :class:`CannotEmit` where that cannot be told.

    A model does not know about the last semicolon.  Nor does it know where a statement ends that
    ends inside an argument of a macro: it has the beginning of that macro's use.  A region between
    pragmas goes up to the next directive, whatever there is; anything else ends with a semicolon.
    """
    end = scop.span.end
    if is_marked:
        return _end_of_code(source, scop.span.start, end)
    if _is_in_name(source[end : end + 1]):
        raise CannotEmit("it ends inside an argument of a macro", scop.span)
    # A closing brace may end a list of initial values, which needs a semicolon, too.
    skipped = _SEMICOLON.match(source, end) if source[end - 1 : end] != b";" else None
    return skipped.end() if skipped is not None else end


def _is_in_name(byte: bytes) -> bool:
    return byte.isalnum() or byte in (b"_", b"$") or byte > b"\x7f"


def code_alone(source: bytes) -> str:
    """The text with its comments and strings blanked out.

    >>> code_alone(b'f("a /* b"); // c')
    'f(        );     '
    """
    pieces: list[bytes] = []
    last = 0
    for first, behind in comments_and_strings(source):
        pieces += [source[last:first], re.sub(rb"[^\n]", b" ", source[first:behind])]
        last = behind
    return b"".join([*pieces, source[last:]]).decode(errors="surrogateescape")


def _end_of_code(source: bytes, start: int, end: int) -> int:
    """Where the code ends that goes on from ``end``, comments aside, up to a directive."""
    last = end
    for first, behind in chain(_comments(source, start), [(len(source), len(source))]):
        if first < last:
            continue
        directive = _DIRECTIVE.search(source, last, first)
        code = source[last : directive.start() if directive is not None else first].rstrip()
        if code:
            end = last + len(code)
        if directive is not None:
            break
        last = behind
    return end


def _comments(source: bytes, start: int) -> Iterable[tuple[int, int]]:
    for first, last in comments_and_strings(source[start:]):
        if source[start + first : start + first + 1] == b"/":
            yield start + first, start + last


def indentation_unit(text: str) -> str:
    r"""One level of indentation, as the text has it.

    >>> indentation_unit("for (;;)\n    x();\n"), indentation_unit("\tx();\n")
    ('    ', '\t')
    """
    lines = [line for line in text.split("\n") if line.strip()]
    leading = [line[: len(line) - len(line.lstrip())] for line in lines]
    if any("\t" in each for each in leading):
        return "\t"
    steps = Counter(
        len(second) - len(first) for first, second in pairwise(leading) if len(second) > len(first)
    )
    usual = [step for step, _ in steps.most_common() if step in (2, 3, 4, 8)]
    return " " * (usual[0] if usual else 2)
