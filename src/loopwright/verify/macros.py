"""Macros in C texts: which words they bring along, and which names nobody else knows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from loopwright.basics.c_text import comments_and_strings
from loopwright.verify.failure import NotProved
from loopwright.verify.tokens import Token, tokens_of, words_in

DEFINE = re.compile(r"#\s*define\s+(?P<name>\w+)(?:\((?P<inputs>[^()]*)\))?(?P<body>(?:\s.*)?)")
UNDEFINE = re.compile(r"#\s*undef\s+(?P<name>\w+)")
_CONDITION = re.compile(r"#\s*(if|ifdef|ifndef)\b")
_END = re.compile(r"#\s*endif\b")
_MACRO = re.compile(rb"#[ \t]*define[ \t]+(\w+)((?:\\\r?\n|[^\n])*)")


def reachable_words(words: Iterable[str], sources: Sequence[bytes]) -> set[str]:
    r"""The words, and those that macros among them bring along, themselves or by others.

    >>> sorted(reachable_words({"A"}, [b"#define A B + 1\n#define B c\n"]))
    ['A', 'B', 'c']
    """
    seen, pending = set[str](), set(words)
    while pending:
        seen |= pending
        names = b"|".join(re.escape(each.encode(errors="surrogateescape")) for each in pending)
        macro = re.compile(rb"#[ \t]*define[ \t]+(?:" + names + rb")\b((?:\\\r?\n|[^\n])*)")
        bodies = [body for text in sources for body in macro.findall(text)]
        pending = {word for body in bodies for word in words_in(tokens_of(body))} - seen
    return seen


def require_unmentioned(names: Iterable[str], elsewhere: Sequence[bytes]) -> None:
    """Names that a new text gives to its macros or variables must be used by nobody else.

    The first of the other texts is the program itself; no macro in it may put words together.
    """
    wanted = sorted(names)
    for name in wanted:
        word = re.compile(rb"(?<![\w$])" + re.escape(name.encode()) + rb"(?![\w$])")
        if any(word.search(text) and word.search(code_in(text)) for text in elsewhere):
            raise NotProved(f"the new text defines {name}, which is used elsewhere")
    if wanted and _joins_words(elsewhere):
        raise NotProved(f"a macro joins words, and may mean {wanted[0]} of the new text")


def code_in(text: bytes) -> bytes:
    """A text without its comments and strings.

    >>> code_in(b'f("a", b); // c')
    b'f( , b);  '
    """
    pieces: list[bytes] = []
    last = 0
    for start, end in comments_and_strings(text):
        pieces += [text[last:start], b" "]
        last = end
    return b"".join([*pieces, text[last:]])


def _joins_words(sources: Sequence[bytes]) -> bool:
    """Does the first text use a macro that makes a word of two?"""
    joining = {name for text in sources for name, body in _MACRO.findall(text) if b"##" in body}
    if not joining:
        return False
    words = re.findall(rb"[A-Za-z_]\w*", sources[0])
    reached = reachable_words({each.decode() for each in words}, sources)
    return not reached.isdisjoint(each.decode() for each in joining)


def settled_macros(program: bytes) -> frozenset[str]:
    r"""The macros that a program defines once, whatever its compiler is told.

    >>> sorted(settled_macros(b"#define A 1\n#ifdef A\n#define B 2\n#endif\n"))
    ['A']
    """
    directives = [each for each in tokens_of(program) if each.is_directive]
    mentioned: Counter[str] = Counter()
    for each in directives:
        for pattern in (DEFINE, UNDEFINE):
            match = pattern.match(each.text)
            mentioned.update([match.group("name")] if match is not None else [])
    return frozenset(name for name in _unconditional(directives) if mentioned[name] == 1)


def _unconditional(directives: Sequence[Token]) -> Iterator[str]:
    depth = 0
    for each in directives:
        depth += change_of_depth(each)
        match = DEFINE.match(each.text)
        if match is not None and depth == 0:
            yield match.group("name")


def change_of_depth(directive: Token) -> int:
    """How many more conditions hold for what comes behind a directive."""
    if _CONDITION.match(directive.text):
        return 1
    return -1 if _END.match(directive.text) else 0


def body_words(define: Token) -> set[str]:
    """The words that a macro consists of, except for its inputs.

    >>> sorted(body_words(Token("#define min(a, b) ((a) < (b) ? (a) : c)", 0, 1)))
    ['c']
    """
    match = DEFINE.fullmatch(define.text)
    if match is None or "#" in match.group("body"):
        raise NotProved(f"{define.text} is not understood")
    inputs = {each.strip() for each in (match.group("inputs") or "").split(",")}
    return words_in(tokens_of(match.group("body").encode(errors="surrogateescape"))) - inputs
