"""Parameters behind pointers, as ``m->rows``: may the region's test read them?

The region itself may read them under a condition only, with a null pointer otherwise.  The test
comes first, so it has to ask for the pointer, unless the region reads through it in any case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from loopwright.emit.locals import identifiers_in
from loopwright.model.scop import Parameter

_TOKEN = re.compile(r"[A-Za-z_]\w*|[^\s\w]")
_PLACE = re.compile(r"[A-Za-z_]\w*((\.|->)[A-Za-z_]\w*)*$")
_LAZY = re.compile(r"&&|\|\||\?")


def pointers_to_ask(parameters: Iterable[Parameter], source: str) -> tuple[str, ...]:
    """The pointers that the parameters stand behind and that may be null, outermost first.

    ``source`` is the region's text, without comments.

    >>> from loopwright.basics.spans import whole_file
    >>> rows = Parameter("m_rows", "m->rows", "int", whole_file("k.c"))
    >>> pointers_to_ask([rows], "for (int i = 0; i < m->rows; i++) s += i;")
    ()
    >>> pointers_to_ask([rows], "if (k) for (int i = 0; i < m->rows; i++) s += i;")
    ('m',)
    >>> size = Parameter("size", "(m->rows * l.m->cols)", "int", whole_file("k.c"))
    >>> pointers_to_ask([size], "")
    ('m', 'l.m')
    """
    read = " ".join(_certain_conditions(source)).replace(" ", "")
    found: dict[str, None] = {}
    for parameter in parameters:
        for arrow in re.finditer(r"->", parameter.text):
            pointer = _behind(parameter.text[: arrow.start()])
            is_read = re.search(rf"(?<![\w.>]){re.escape(pointer.replace(' ', ''))}->", read)
            if not is_read and identifiers_in(pointer):
                found[pointer] = None
    return tuple(found)


def _behind(text: str) -> str:
    """The place at the end of a text: what an arrow after it starts from."""
    found = _PLACE.search(text)
    return found.group() if found is not None else ""


def _certain_conditions(source: str) -> Iterator[str]:
    """What the loops that certainly run read in front of their first iteration.

    Those stand at no depth, behind another statement.
    """
    depth, before = 0, ";"
    for token in _TOKEN.finditer(source):
        text = token.group()
        if text in "([{":
            depth += 1
        elif text in ")]}":
            depth -= 1
        if text == "for" and depth == 0 and before in ";}:":
            yield _start_and_condition(source[token.end() :])
        before = text


def _start_and_condition(source: str) -> str:
    """Of a loop's header, up to where a part of it might not be evaluated."""
    header = ";".join(source.split(";")[:2])
    return _LAZY.split(header)[0]
