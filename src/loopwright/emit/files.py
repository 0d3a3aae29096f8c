"""New text into the user's file: in the region's place, and nowhere else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from loopwright.emit.regions import RegionText
from loopwright.model.scop import Scop


@dataclass(frozen=True, slots=True)
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
    start, end = scop.span.start, _statement_end(source, scop.span.end)
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
    if new.undefinitions and rest.strip():
        whole.append(indent)
    newline = "\r\n" if b"\r\n" in source else "\n"
    text = newline.join(whole).encode(errors="surrogateescape")
    return Replacement(line_start if not before.strip() else start, end, text)


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


def _statement_end(source: bytes, end: int) -> int:
    """Behind the semicolon that ends the last statement.

    A closing brace may end a list of initial values, which needs one, too.
    """
    if source[end - 1 : end] == b";":
        return end
    skipped = re.match(rb"(\s|/\*.*?\*/|//[^\n]*\n)*;", source[end:], re.DOTALL)
    return end + skipped.end() if skipped is not None else end


def replaced(source: bytes, replacements: Iterable[Replacement]) -> bytes:
    r"""The file with all its replacements.

    >>> replaced(b"a b c", [Replacement(4, 5, b"z"), Replacement(0, 1, b"x")])
    b'x b z'
    """
    for each in sorted(replacements, key=lambda one: one.start, reverse=True):
        source = source[: each.start] + each.text + source[each.end :]
    return source


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
