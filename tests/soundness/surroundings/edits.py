"""How the loops of a region may be spelled: changes of what random regions look like."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.soundness.surroundings.programs import Edit

_HEAD = re.compile(r"for \(([\w ]+?) (\w+) = ([^;]+); (\w+) < ([^;]+); (\w+)\+\+\)")
_MATRIX = re.compile(r"\b([abw])\[([^\[\]]+)\]\[([^\[\]]+)\]")
_VECTOR = re.compile(r"\b([cdexy])\[([^\[\]]+)\](?!\[)")
_ASSIGNED = re.compile(r"^(?P<head>.*[^=<>!+]\+?= )(?P<value>[^;]+);$")
_STATEMENT = re.compile(r"^ +(?=\S)(?!for\b|if\b|double\b)[^#{}\n]+;$", re.MULTILINE)


def words(**others: str) -> Edit:
    """Other words in the place of some."""

    def edit(text: str) -> str:
        for old, new in others.items():
            text = re.sub(rf"(?<!\.)\b{old}\b(?!\.)", lambda _, new=new: new, text)
        return text

    return edit


def _of_lines(change: Callable[[str], str]) -> Edit:
    return lambda text: "\n".join(change(line) for line in text.split("\n"))


def heads(change: Callable[[str, str, str, str], str]) -> Edit:
    """Other heads for loops, of the type, the name, the first value and the end."""

    def changed(found: re.Match[str]) -> str:
        if not found[2] == found[4] == found[6]:
            return found[0]
        return change(found[1], found[2], found[3], found[5])

    return lambda text: _HEAD.sub(changed, text)


def matrices(change: Callable[[str, str, str], str]) -> Edit:
    """Other elements of matrices, of the array, the row and the column."""
    return lambda text: _MATRIX.sub(lambda found: change(found[1], found[2], found[3]), text)


def vectors(change: Callable[[str, str], str]) -> Edit:
    """Other elements of vectors, of the array and the subscript."""
    return lambda text: _VECTOR.sub(lambda found: change(found[1], found[2]), text)


def values(change: Callable[[str], str]) -> Edit:
    """Other values that are assigned."""

    def changed(line: str) -> str:
        found = _ASSIGNED.match(line)
        if found is None or line.lstrip().startswith(("for", "#")):
            return line
        return f"{found['head']}{change(found['value'])};"

    return _of_lines(changed)


def pragmas(change: Callable[[str], str]) -> Edit:
    """Other lines in the place of pragmas."""

    def changed(line: str) -> str:
        words = line.strip()
        return change(words.removeprefix("#pragma ")) if words.startswith("#pragma ") else line

    return _of_lines(changed)


def statements_of(text: str) -> list[str]:
    """The simple statements in loops."""
    return [each.strip() for each in _STATEMENT.findall(text)]


def statement(old: str, new: str) -> Edit:
    """Another text for a statement, where it stands as it is on a line of its own."""
    return _of_lines(lambda line: line.replace(old, new) if line.strip() == old else line)


def iterator_in(value: str) -> str:
    """A name in a value that is likely to be an iterator."""
    found = re.findall(r"\[\(?([a-z]\w*)", value)
    return found[0] if found else "n"
