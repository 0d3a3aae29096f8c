"""The macros of C: how they are defined, and what becomes of a text that names them.

A text is characters as they are in its bytes (Latin-1).  Expansion follows the algorithm of
Prosser, on which the standard rests: every token carries the names that are not expanded in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from loopwright.basics.records import record
from loopwright.frontend.compilers import CannotPreprocess

_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
    | (?:u8|[uUL])?(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    | [A-Za-z_$\x80-\xff][\w$\x80-\xff]*
    | \.?\d(?:[eEpP][+-]|'?\w|\.)*
    | \.\.\.|<<=|>>=|->\*|<=>|\#\#|[-+*/%&|^<>=!]=|\+\+|--|->|<<|>>|&&|\|\||::|\.\*|.
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_NAME = re.compile(r"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*", re.ASCII)
_DEFINED = re.compile(
    r"(?P<name>[A-Za-z_$\x80-\xff][\w$\x80-\xff]*)(?:\((?P<parameters>[^()]*)\))?(?P<body>.*)",
    re.DOTALL | re.ASCII,
)
_MOST_TOKENS = 1_000_000


class Word(NamedTuple):
    """A token, whether white space stands before it, and the names that are done with in it."""

    text: str
    is_apart: bool = False
    hidden: frozenset[str] = frozenset()

    @property
    def is_name(self) -> bool:
        """Could it be one of a macro?"""
        return is_name(self.text)


Words = list[Word]


def is_name(text: str) -> bool:
    """Is it a name or a keyword?"""
    return text[:1].isalpha() or text[:1] in ("_", "$") or text[:1] >= "\x80"


def names_in(text: str) -> list[str]:
    """What looks like a name in a line, in strings, too."""
    return _NAME.findall(text)


def words_of(text: str) -> Words:
    """The tokens of a text without comments.

    >>> [each.text for each in words_of("a+++0xE+1 ## L'b'...")]
    ['a', '++', '+', '0xE+1', '##', "L'b'", '...']
    """
    found: Words = []
    is_apart = False
    for each in _TOKEN.finditer(text):
        if each.lastgroup == "space":
            is_apart = True
        else:
            found.append(Word(each[0], is_apart))
            is_apart = False
    return found


@record
class Macro:
    """A macro: ``parameters`` of one that is like a function, and whether the last takes more."""

    name: str
    parameters: tuple[str, ...] | None
    takes_more: bool
    body: tuple[Word, ...]
    text: str
    is_own: bool
    """Do we have it from the program itself?"""


def macro_of(text: str, *, is_own: bool) -> Macro:
    """What stands behind ``#define``.

    >>> macro_of("AT(i, more...) a[i] + f(more)", is_own=True).parameters
    ('i', 'more')
    """
    found = _DEFINED.fullmatch(text.strip())
    if found is None:
        raise CannotPreprocess(f"#define {text.strip()} is not understood")
    parameters, takes_more = found["parameters"], False
    names: list[str] | None = None
    if parameters is not None:
        names = [each.strip() for each in parameters.split(",")] if parameters.strip() else []
        if names and names[-1].endswith("..."):
            takes_more = True
            names[-1] = names[-1][:-3].strip() or "__VA_ARGS__"
    body = words_of(found["body"])
    if any(each.text in ("__VA_OPT__", "%:", "%:%:") for each in body):
        raise CannotPreprocess(f"the macro {found['name']} is not understood")
    known = None if names is None else tuple(names)
    return Macro(found["name"], known, takes_more, tuple(body), text.strip(), is_own)


More = Callable[[bool], Words | None]
"""The next line; if only a bracket may open a call, nothing where another token comes first."""


class Expansion:
    """Expands the ``macros`` that there are now.

    Of names that the program itself looks up, ``note`` is told, and ``built_in`` says what those
    stand for that have no definition.
    """

    def __init__(
        self,
        macros: Mapping[str, Macro],
        note: Callable[[str], None],
        built_in: Callable[[str], str | None],
    ) -> None:
        """Nothing has been expanded yet."""
        self.macros = macros
        self._note = note
        self._built_in = built_in
        self._budget = _MOST_TOKENS

    def expanded(self, words: Iterable[Word], more: More | None = None) -> Words:
        """What a text becomes."""
        pending = list(words)[::-1]
        done: Words = []
        while pending:
            word = pending.pop()
            self._budget -= 1
            if self._budget < 0:
                raise CannotPreprocess("its macros make too long a text")
            replaced = self._replacement(word, pending, more) if word.is_name else None
            if replaced is None:
                done.append(word)
            else:
                pending += reversed(_spaced_as(word, replaced))
        return done

    def noted(self, words: Iterable[Word]) -> None:
        """Tell of all names that may be looked up when these are."""
        pending = [each.text for each in words if each.is_name]
        seen: set[str] = set()
        while pending:
            name = pending.pop()
            if name not in seen:
                seen.add(name)
                self._note(name)
                macro = self.macros.get(name)
                if macro is not None and macro.is_own:
                    if any(each.text == "##" for each in macro.body):
                        raise CannotPreprocess(f"a condition asks {name}, which joins words")
                    pending += [each.text for each in macro.body if each.is_name]

    def _replacement(self, word: Word, pending: Words, more: More | None) -> Words | None:
        """What takes the place of a word; the arguments of a call are taken off the rest."""
        if word.text in word.hidden:
            return None
        if all(name not in self.macros or self.macros[name].is_own for name in word.hidden):
            self._note(word.text)
        macro = self.macros.get(word.text)
        if macro is None:
            text = self._built_in(word.text)
            return None if text is None else [Word(text)]
        if macro.parameters is None:
            return self._substituted(macro, {}, word.hidden | {macro.name})
        if not pending and more is not None:
            pending += reversed(more(True) or [])
        if not pending or pending[-1].text != "(":
            return None
        pending.pop()
        arguments, closing = _arguments(pending, more, macro)
        hidden = (word.hidden & closing.hidden) | {macro.name}
        return self._substituted(macro, _named(macro, arguments), hidden)

    def _substituted(
        self, macro: Macro, arguments: dict[str, Words], hidden: frozenset[str]
    ) -> Words:
        """The body of a macro with its arguments; ``#`` and ``##`` take them as they stand."""
        body, found = macro.body, list[Word]()
        at = 0
        while at < len(body):
            word = body[at]
            is_joined = at + 1 < len(body) and body[at + 1].text == "##"
            if word.text == "##" and 0 < at < len(body) - 1:
                at += 1
                piece, at = self._raw(macro, arguments, at)
                self._join(found, piece, macro, body[at - 1])
            elif word.text == "#" and macro.parameters is not None:
                piece, at = self._raw(macro, arguments, at)
                found += piece
            elif word.text in arguments and not is_joined:
                found += _spaced_as(word, self.expanded(arguments[word.text])) or [_nothing(word)]
                at += 1
            else:
                piece, at = self._raw(macro, arguments, at)
                found += piece
        return [
            Word(text, is_apart, done | hidden if done else hidden)
            for text, is_apart, done in _without_nothing(found)
        ]

    def _raw(self, macro: Macro, arguments: dict[str, Words], at: int) -> tuple[Words, int]:
        """What a part of a body is without expansion, and where the next one begins."""
        word = macro.body[at]
        if word.text == "#" and macro.parameters is not None:
            name = macro.body[at + 1].text if at + 1 < len(macro.body) else ""
            if name not in arguments:
                raise CannotPreprocess(f"the macro {macro.name} is not understood")
            return [Word(_string_of(arguments[name]), word.is_apart)], at + 2
        if word.text in arguments:
            return _spaced_as(word, arguments[word.text]) or [_nothing(word)], at + 1
        return [word], at + 1

    def _join(self, found: Words, piece: Words, macro: Macro, right: Word) -> None:
        """Make one token of the last and the first of two parts."""
        left = found.pop()
        is_comma = left.text == "," and macro.takes_more
        if is_comma and macro.parameters is not None and right.text == macro.parameters[-1]:
            # What gcc knows: the comma goes where there are no more arguments.
            found += [] if not piece[0].text else [left, *self.expanded(piece)]
            return
        text = left.text + piece[0].text
        if text and len(words_of(text)) != 1:
            raise CannotPreprocess(f"the macro {macro.name} makes {text}, which is no token")
        joined = Word(text, left.is_apart, left.hidden & piece[0].hidden)
        found += [joined, *piece[1:]]


def _nothing(word: Word) -> Word:
    """An argument that is empty."""
    return Word("", word.is_apart)


def _without_nothing(words: Words) -> Words:
    if all(each.text for each in words):
        return words
    found: Words = []
    is_apart = False
    for each in words:
        if each.text:
            found.append(Word(each.text, each.is_apart or is_apart, each.hidden))
            is_apart = False
        else:
            is_apart |= each.is_apart
    return found


def _spaced_as(word: Word, words: Words) -> Words:
    """The words, the first of them as far from what is before as a word that they replace."""
    if not words or words[0].is_apart == word.is_apart:
        return words
    first = words[0]
    return [Word(first.text, word.is_apart, first.hidden), *words[1:]]


def _arguments(pending: Words, more: More | None, macro: Macro) -> tuple[list[Words], Word]:
    """The arguments of a call whose bracket is open, and the bracket that closes it."""
    arguments: list[Words] = [[]]
    depth = 0
    while True:
        while not pending:
            following = more(False) if more is not None else None
            if following is None:
                raise CannotPreprocess(f"a call of the macro {macro.name} does not end")
            pending += reversed(following)
        word = pending.pop()
        if word.text == ")" and depth == 0:
            return arguments, word
        depth += {"(": 1, ")": -1}.get(word.text, 0)
        takes_rest = macro.takes_more and len(arguments) == len(macro.parameters or ())
        if word.text == "," and depth == 0 and not takes_rest:
            arguments.append([])
        else:
            arguments[-1].append(word)


def _named(macro: Macro, arguments: list[Words]) -> dict[str, Words]:
    """The arguments by the names of their parameters."""
    names = macro.parameters or ()
    if not names and arguments == [[]]:
        return {}
    if macro.takes_more and len(arguments) == len(names) - 1:
        arguments = [*arguments, []]
    if len(arguments) != len(names):
        raise CannotPreprocess(f"a call of the macro {macro.name} has other arguments")
    return dict(zip(names, arguments, strict=True))


def _string_of(words: Sequence[Word]) -> str:
    r"""The string that ``#`` makes of an argument.

    >>> print(_string_of(words_of(r'a  + "b\n"')))
    "a + \"b\\n\""
    """
    pieces: list[str] = []
    for at, word in enumerate(words):
        is_quoted = word.text[-1:] in ('"', "'")
        text = re.sub(r'([\\"])', r"\\\1", word.text) if is_quoted else word.text
        pieces.append(" " + text if word.is_apart and at else text)
    return f'"{"".join(pieces)}"'


def line_of(words: Sequence[Word]) -> str:
    """A text with these tokens, which cannot be read in any other way."""
    return "".join(_pieces(words))


def _pieces(words: Sequence[Word]) -> Iterator[str]:
    last = ""
    for word in words:
        if word.is_apart or _would_join(last, word.text):
            yield " "
        yield word.text
        last = word.text


def _would_join(left: str, right: str) -> bool:
    """Would these be read as other tokens, or as a comment, if nothing stood between them?

    >>> _would_join("+", "+"), _would_join("+", ":"), _would_join("1", ".5"), _would_join("/", "*")
    (True, False, True, True)
    """
    if not left:
        return False
    found = _TOKEN.match(left + right)
    is_more = found is None or found.end() != len(left)
    return is_more or left + right[0] in ("//", "/*") or (left[-1] == "R" and right[0] == '"')
