"""C cut into tokens, by hand: the pieces that the mutations move about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("benchmarks/kernels", "examples", "examples/papers", "examples/language")
KEYWORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if "
    "inline int long register restrict return short signed sizeof static struct switch typedef "
    "union unsigned void volatile while".split()
)
TYPES = frozenset("char double float int long short signed unsigned void".split())

_PATTERN = re.compile(
    r"""
    (?P<directive>^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
    | (?P<comment>/\*.*?\*/|//[^\n]*)
    | (?P<space>\s+)
    | (?P<word>[A-Za-z_]\w*)
    | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
    | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    | (?P<operator><<=|>>=|\.\.\.|->|\+\+|--|&&|\|\||[-+*/%&|^<>=!]=|<<|>>|.)
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text, and what it is: ``word``, ``number``, ``operator``, …"""

    kind: str
    text: str
    in_region: bool = False

    @property
    def is_solid(self) -> bool:
        """Does the compiler see it?"""
        return self.kind not in ("space", "comment")


def scanned(text: str) -> list[Token]:
    """The tokens of a text; joined, they are the text again.

    >>> [each.text for each in scanned("a[i] += 2.5e-3;") if each.is_solid]
    ['a', '[', 'i', ']', '+=', '2.5e-3', ';']
    """
    tokens: list[Token] = []
    inside = False
    for match in _PATTERN.finditer(text):
        kind, piece = match.lastgroup or "operator", match.group()
        if kind == "directive" and "pragma" in piece:
            inside = "endscop" not in piece and ("scop" in piece or inside)
            tokens.append(Token(kind, piece))
        else:
            tokens.append(Token(kind, piece, inside))
    return tokens


def joined(tokens: list[Token]) -> str:
    """The text that the tokens make."""
    return "".join(each.text for each in tokens)


def corpus() -> list[tuple[str, str]]:
    """The names and texts of the repository's C programs."""
    return [
        (str(path.relative_to(ROOT)), path.read_text())
        for folder in FOLDERS
        for path in sorted((ROOT / folder).glob("*.c"))
    ]
