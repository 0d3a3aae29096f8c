"""The declarations of a preprocessed file, token by token: what they name, and their attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from loopwright.basics.c_tokens import Token, closing, texts, words_in
from loopwright.basics.names import C_KEYWORDS
from loopwright.basics.records import record

_ATTRIBUTES = frozenset(
    "access alloc_align alloc_size always_inline artificial aligned assume_aligned cold const "
    "deprecated externally_visible fallthrough flatten format format_arg hot inline "
    "leaf likely malloc maybe_unused mode no_icf no_instrument_function no_sanitize noclone "
    "nodiscard noinline noipa nonnull nonstring noplt nothrow optimize packed pencil_access pure "
    "returns_nonnull section sentinel target unlikely unused used visibility "
    "warn_unused_result".split()
)
"""Attributes that do not change which object a name is, or what a statement does."""
ATTRIBUTE = frozenset(("__attribute__", "__attribute", "__declspec"))
LABEL = frozenset(("asm", "__asm__", "__asm"))
_RECORD = frozenset(("struct", "union", "enum", "class"))
_STRING = re.compile(r'"(.*)"', re.DOTALL)
_OPTIMIZATION = (
    r"(,?\s*-?f?(O[0-3sg]?|\d|(no-)?(unroll-(all-)?loops|tree(-\w+)+|inline(-\w+)*|ipa(-\w+)+"
    r"|omit-frame-pointer|strict-aliasing|peel-loops|prefetch-loop-arrays|fp-contract=\w+)))*"
)
_INSTRUCTIONS = (
    r"[, ]*((no-)?(avx[\w.-]*|fma4?|f16c|bmi2?|popcnt|lzcnt|aes|pclmul|prefer-vector-width=\w+)"
    r"|(s?sse[\w.]*|mmx|movbe|adx)|(arch|tune)=[\w.-]+|default)"
)
"""What numbers are computed with; without ``sse``, or by ``fpmath``, they are others."""
_SAID = {
    "optimize": re.compile(_OPTIMIZATION),
    "target": re.compile(rf"({_INSTRUCTIONS})*"),
    # Compilers write it into what the assembler reads.
    "section": re.compile(r"[\w.$-]+"),
}
"""What attributes may say, where that matters."""
_TEMPLATE = re.compile(r"([\w\s,;()$*+-]|%%|%[bhkqw]?(\d|\[\w+\]))*")
"""Instructions of the assembler that define no symbol, and no label."""


@record(eq=False, slots=False)
class Chunk:
    """A declared name, or the definition of a function.

    Its tokens begin with those of its type; the body of a function are the last ones.
    """

    tokens: tuple[Token, ...]
    body: int
    """The number of the token that opens the body of a function; their count without one."""

    @property
    def is_function(self) -> bool:
        """Is it the definition of a function?"""
        return self.body < len(self.tokens)

    @property
    def is_callable(self) -> bool:
        """May it declare a function?  Its type may also be one, by another name."""
        return _is_function(self.tokens[: self.body])

    @property
    def is_definition(self) -> bool:
        """Is there such an object or function because of it?"""
        return self.is_function or (
            not self.is_callable and "extern" not in texts(list(_outside_brackets(self.tokens)))
        )

    @property
    def name(self) -> str:
        """What it declares."""
        at = _name_in(self.tokens[: self.body])
        return self.tokens[at].text if at is not None else ""

    @cached_property
    def declared(self) -> frozenset[str]:
        """The words that may be its names, and those of its types."""
        head = self.tokens[: self.body]
        outside = words_in(list(_outside_brackets(head)))
        return frozenset((outside | words_in(self.in_parentheses)) - C_KEYWORDS)

    @property
    def in_parentheses(self) -> list[Token]:
        """Names that may be declared as in ``double (f)(double)``, or types of parameters."""
        head = texts(self.tokens[: self.body])
        alone = [
            at for at in range(1, len(head) - 1) if head[at - 1] == "(" and head[at + 1] == ")"
        ]
        return [self.tokens[at] for at in alone if self.tokens[at].is_word]

    def holds(self, start: int, end: int) -> bool:
        """Does a stretch of the text stand in it?"""
        return self.tokens[0].start <= start and end <= self.tokens[-1].end


@record
class Attribute:
    """An attribute, or words for the assembler: a statement, or the label of a name."""

    name: str
    strings: str
    token: Token
    is_statement: bool = False

    @property
    def is_known(self) -> bool:
        """Is it one that is harmless, unless it speaks of a name?"""
        is_plain = self.is_statement and _TEMPLATE.fullmatch(self.strings) is not None
        return self.is_harmless or is_plain

    @property
    def is_harmless(self) -> bool:
        """Is it harmless even if it speaks of a name?"""
        said = _SAID.get(self.name)
        return self.name in _ATTRIBUTES and (said is None or bool(said.fullmatch(self.strings)))

    @property
    def is_symbol(self) -> bool:
        """Does it say what a name is called by the linker, or which other one it is?"""
        return self.name in LABEL | {"alias"} and not self.is_statement


def is_harmless_option(pragma: Token) -> bool:
    """Does ``#pragma GCC optimize`` or ``target`` say nothing that a result may depend on?

    >>> said = ('optimize ("O3")', 'optimize ("x")', 'target("avx2,fma")', "target()")
    >>> [is_harmless_option(Token(f"#pragma GCC {each}", 0, 0)) for each in said]
    [True, False, True, False]
    """
    kind = pragma.text.split()[2].partition("(")[0]
    strings = re.findall(r'"([^"]*)"', pragma.text)
    return bool(strings) and all(_SAID[kind].fullmatch(each) for each in strings)


def chunks_of(tokens: Sequence[Token]) -> list[Chunk]:
    """The declarations of a file one by one; namespaces are seen through.

    >>> from loopwright.basics.c_tokens import tokens_of
    >>> code = b"static int a[2] = {1, 2}, *b; int f(int n) { return n; }"
    >>> [(each.name, len(each.tokens)) for each in chunks_of(tokens_of(code))]
    [('a', 12), ('b', 5), ('f', 11)]
    """
    found: list[Chunk] = []
    for each in statements_of(tokens):
        found += [each] if each.is_function else _one_by_one(each.tokens)
    return found


def statements_of(tokens: Sequence[Token]) -> list[Chunk]:
    """The declarations of a file, those of several names as one."""
    found: list[Chunk] = []
    start, at = 0, 0
    while at < len(tokens):
        text = tokens[at].text
        if (tokens[at].is_directive and at == start) or (text == "}" and at == start):
            start = at = at + 1
        elif text == "{":
            head = texts(tokens[start:at])
            if "namespace" in head or re.fullmatch(r'extern "C(\+\+)?"', " ".join(head)):
                start = at = at + 1
                continue
            end = closing(tokens, at)
            end = len(tokens) - 1 if end is None else end
            if at == start:
                start -= _old_style(found)
            if _is_function(tokens[start:at]):
                found.append(Chunk(tuple(tokens[start : end + 1]), at - start))
                start = end + 1
            at = end + 1
        elif text == ";":
            found.append(Chunk(tuple(tokens[start : at + 1]), at + 1 - start))
            start = at = at + 1
        else:
            at += 1
    if start < len(tokens):
        found.append(Chunk(tuple(tokens[start:]), len(tokens) - start))
    return found


def _one_by_one(tokens: Sequence[Token]) -> Iterator[Chunk]:
    """The names that are declared together, each behind the words of their type."""
    commas: list[int] = []
    at = 0
    while at < len(tokens):
        if tokens[at].text in ("(", "[", "{"):
            at = closing(tokens, at) or at
        elif tokens[at].text == ",":
            commas.append(at)
        at += 1
    first, *others = pairwise([-1, *commas, len(tokens)])
    head = tuple(tokens[: first[1]])
    yield Chunk(head, len(head))
    for start, end in others:
        whole = (*head[: _name_in(head)], *tokens[start + 1 : end])
        yield Chunk(whole, len(whole))


def _name_in(head: Sequence[Token]) -> int | None:
    """The number of the token that is declared: the last word outside of brackets."""
    first = next((at for at, each in enumerate(head) if each.text == "="), len(head))
    words = [
        each
        for each in _outside_brackets(head[:first])
        if each.is_word and each.text not in C_KEYWORDS
    ]
    return list(head).index(words[-1]) if words else None


def _old_style(found: list[Chunk]) -> int:
    """How many tokens in front of a body are the head of its function: ``int f(a) int a; {``."""
    length = 0
    while found and not found[-1].is_function:
        last = found.pop()
        length += len(last.tokens)
        if _is_function(last.tokens):
            break
    return length


def _is_function(head: Sequence[Token]) -> bool:
    """Does a brace behind these tokens open the body of a function?"""
    outside = texts(list(_outside_brackets(head, keeps_brackets=True)))
    opener = max((at for at, each in enumerate(outside) if each in _RECORD), default=-1)
    return "=" not in outside and "(" in outside[opener + 1 :]


def _outside_brackets(tokens: Sequence[Token], *, keeps_brackets: bool = False) -> Iterator[Token]:
    """The tokens without attributes and what stands in brackets, ``(*p)`` left aside."""
    at = 0
    while at < len(tokens):
        each = tokens[at]
        if each.text in ATTRIBUTE | LABEL | {"alignas", "_Alignas"}:
            at = (closing(tokens, at + 1) or at) + 1 if at + 1 < len(tokens) else at + 1
            continue
        is_pointer = texts(tokens[at : at + 2]) == ["(", "*"]
        if each.text in ("(", "[", "{") and not is_pointer:
            if keeps_brackets:
                yield each
            at = (closing(tokens, at) or at) + 1
            continue
        yield each
        at += 1


def attributes_in(tokens: Sequence[Token]) -> Iterator[Attribute]:
    """The attributes, and the labels of the assembler, which stand behind what they name."""
    for at, each in enumerate(tokens):
        if each.text in ATTRIBUTE:
            yield from _listed(tokens, at + 1)
        elif each.text == "[" and texts(tokens[at + 1 : at + 2]) == ["["]:
            yield from _listed(tokens, at)
        elif each.text in LABEL:
            is_statement = at == 0 or _ends_statement(tokens, at - 1)
            first = next(k for k in range(at + 1, len(tokens)) if tokens[k].text in ("(", ";"))
            jumps = "goto" in texts(tokens[at:first])
            said = _joined(tokens[first : _template_end(tokens, first)])
            yield Attribute(each.text, said, each, is_statement and not jumps)


def _ends_statement(tokens: Sequence[Token], at: int) -> bool:
    """May a statement follow a token, or is there a declaration before it?"""
    if tokens[at].text != ")":
        return tokens[at].text in (";", "{", "}", ":", "else", "do") or tokens[at].is_directive
    openings = [k for k in range(at) if tokens[k].text == "(" and closing(tokens, k) == at]
    return bool(openings) and tokens[openings[-1] - 1].text in ("if", "for", "while", "switch")


def _listed(tokens: Sequence[Token], opening: int) -> Iterator[Attribute]:
    """The attributes of ``((a, b(c)))`` or ``[[a, n::b(c)]]``."""
    end = closing(tokens, opening)
    at = opening + 1
    last = len(tokens) if end is None else end
    while at < last:
        each = tokens[at]
        if each.text in ("(", "[") and texts(tokens[at - 1 : at]) in (["("], ["["]):
            at += 1
        elif each.is_word:
            name = at
            while texts(tokens[at + 1 : at + 2]) == ["::"]:
                at += 2
            has_more = texts(tokens[at + 1 : at + 2]) == ["("]
            inside = closing(tokens, at + 1) if has_more else None
            strings = _strings(tokens, at + 1) if has_more else ""
            text = "".join(texts(tokens[name : at + 1])).removeprefix("gnu::")
            yield Attribute(_plain(text), strings, each)
            at = (inside if inside is not None else at) + 1
        else:
            at += 1


def _plain(name: str) -> str:
    """An attribute without the underscores that it may be written with."""
    is_long = name.startswith("__") and name.endswith("__")
    return name[2:-2] if is_long else name


def _strings(tokens: Sequence[Token], opening: int) -> str:
    """The strings in brackets, put together as a compiler does."""
    end = closing(tokens, opening) if opening < len(tokens) else None
    return _joined(tokens[opening:end])


def _template_end(tokens: Sequence[Token], opening: int) -> int:
    """Where that ends which the assembler gets to see, in the brackets that open here.

    What follows are constraints, operands and registers: compilers read them.
    """
    at = opening + 1
    while at < len(tokens) and tokens[at].text not in (":", "::", ")"):
        behind = closing(tokens, at) if tokens[at].text in ("(", "[", "{") else None
        at = (at if behind is None else behind) + 1
    return at


def _joined(tokens: Sequence[Token]) -> str:
    """The strings among tokens, put together as a compiler does."""
    inside = texts(tokens)
    whole = "".join(match[1] for each in inside if (match := _STRING.search(each)))
    return re.sub(r"\\[nt]", " ", whole)
