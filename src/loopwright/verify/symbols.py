"""Which names are one object or function, as far as a file says so.

A label of the assembler, an alias and some pragmas give a name another symbol.  Names that have to
do with each other in this way are one class; what a region says must not be two of one class, nor
call a function that may be another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise

from loopwright.basics.c_tokens import Token, words_in
from loopwright.basics.names import C_KEYWORDS
from loopwright.verify.declarations import Chunk, attributes_in, chunks_of

PRAGMA = re.compile(r"#\s*pragma\s+(weak|redefine_extname)\b(.*)")
_OF_SECTION = re.compile(r"__(start|stop)_\w+")
"""Where linkers say that a section begins and ends."""
_NAME = re.compile(r"(?!_Z)[A-Za-z_]\w*")
"""What the linker calls a function or an object; another string may lead into the middle of one."""


class Symbols:
    """The classes of names of a file; ``chunks`` are all that it declares."""

    def __init__(self, chunks: Sequence[Chunk], tokens: Sequence[Token]) -> None:
        self._parents: dict[str, str] = {}
        self._tokens: dict[str, Token] = {}
        self._of_sections = [each for each in tokens if _OF_SECTION.fullmatch(each.text)]
        self.odd: Token | None = None
        """A string that may lead anywhere, if there is one."""
        together = pairwise(tokens)
        self._called = {one.text for one, two in together if one.is_word and two.text == "("}
        self._callable = {each.name for each in chunks if each.is_callable} | self._called
        self._functions = {each.name for each in chunks if each.is_function}
        self._declared = {word for each in chunks for word in each.declared}
        self._defined = {each.name for each in chunks if each.is_definition}
        self._replaceable: dict[str, Token] = {}
        for chunk in chunks:
            self._note_all(chunk)
        for token in tokens:
            self._note_pragma(token)

    def problem(self, named: Set[str]) -> tuple[str, Token] | None:
        """Why these names may not be what they seem to be, and where that is said."""
        if self.odd is not None:
            return f"{self.odd.text} may speak of anything", self.odd
        for token in self._of_sections:
            if token.text in named:
                return f"{token.text} may be what is in a section", token
        for name in sorted(named & self._replaceable.keys()):
            if name in self._callable or name not in self._defined:
                return f"{name} may be another one, or none", self._replaceable[name]
        classes: dict[str, str] = {}
        for name in sorted(named & self._parents.keys()):
            other = classes.setdefault(self._root(name), name)
            if other != name:
                return f"{other} and {name} are the same", self._tokens[name]
            if name in self._callable and not self._is_alone(name):
                return f"{name} may be another function", self._tokens[name]
        return None

    def _is_alone(self, name: str) -> bool:
        """Is a function of the file the only one that is called so?"""
        root = self._root(name)
        others = [each for each in self._parents if each != name and self._root(each) == root]
        is_own = name in self._functions and not {*others} & (self._declared | self._called)
        return is_own or not others

    def _note_all(self, chunk: Chunk) -> None:
        for declared in (chunk, *_declared_inside(chunk)):
            for each in attributes_in(declared.tokens[: declared.body]):
                if each.is_symbol and words_in(declared.in_parentheses) - C_KEYWORDS:
                    self.odd = each.token  # it is not clear what it declares
                if each.is_symbol:
                    self._join(declared.name, each.strings, each.token)
                    if _OF_SECTION.fullmatch(each.strings):
                        self.odd = each.token
                elif each.name == "weak":
                    self._replaceable[declared.name] = each.token

    def _note_pragma(self, token: Token) -> None:
        match = PRAGMA.fullmatch(token.text)
        if match is None:
            return
        names = re.findall(r"[^\s=]+", match[2])
        if len(names) == 2:
            self._join(names[0], names[1], token)
        for name in names[:1]:
            self._replaceable[name] = token

    def _join(self, name: str, other: str, token: Token) -> None:
        if not _NAME.fullmatch(other) or not name:
            self.odd = token
        for each in (name, other):
            self._tokens.setdefault(each, token)
            self._parents.setdefault(each, each)
        self._parents[self._root(name)] = self._root(other)

    def _root(self, name: str) -> str:
        while self._parents[name] != name:
            name = self._parents[name]
        return name


def _declared_inside(chunk: Chunk) -> Iterator[Chunk]:
    """What the blocks of a function declare, one by one."""
    body = chunk.tokens[chunk.body :]
    start = 0
    for at, each in enumerate(body):
        if each.text in ("{", "}", ";"):
            statement = body[start : at + 1]
            start = at + 1
            if any(one.is_symbol or one.name == "weak" for one in attributes_in(statement)):
                yield from chunks_of(statement)
