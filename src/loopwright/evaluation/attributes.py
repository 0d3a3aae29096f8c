"""Attributes, and words for the assembler: what may give the names of a program another meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loopwright.basics.c_tokens import Token, closing
from loopwright.evaluation.outcomes import CannotEvaluate

HARMLESS = frozenset(
    "access alloc_align alloc_size aligned always_inline artificial assume_aligned cold const "
    "constructor deprecated destructor fallthrough flatten format format_arg gnu_inline hot "
    "inline leaf malloc maybe_unused no_icf no_instrument_function no_sanitize noclone "
    "noinline noipa nonnull nonstring noplt nothrow packed pure returns_nonnull section "
    "sentinel target unused used visibility warn_unused_result".split()
)
"""Attributes with which a statement does what it says; layouts are the parser's to know."""
_OPENING = frozenset(("__attribute__", "__attribute"))
_LABEL = frozenset(("asm", "__asm__", "__asm"))


def outside_bodies(tokens: Sequence[Token]) -> list[Token]:
    """What stands in no braces: declarations, and the heads of functions."""
    found: list[Token] = []
    depth = 0
    for each in tokens:
        depth += each.text == "{"
        if depth == 0:
            found.append(each)
        depth -= each.text == "}"
    return found


def require_harmless(tokens: Sequence[Token]) -> None:
    """That attributes are known, and that no name is another one to the assembler.

    A statement for the assembler is no such name, and is refused where it is reached.

    >>> from loopwright.basics.c_tokens import tokens_of
    >>> require_harmless(tokens_of(b"__attribute__((__noinline__, aligned(8))) int f(void);"))
    >>> require_harmless(tokens_of(b'extern int g __attribute__((alias("h")));'))
    Traceback (most recent call last):
    loopwright.evaluation.outcomes.CannotEvaluate: the attribute alias
    """
    for at, each in enumerate(tokens):
        is_first = at == 0 or tokens[at - 1].text in (";", "{", "}")
        if each.text == "__declspec" or (each.text in _LABEL and not is_first):
            raise CannotEvaluate(f"{each.text}, which may change what a name is")
        if each.text == "[" and at + 1 < len(tokens) and tokens[at + 1].text == "[":
            raise CannotEvaluate("an attribute in brackets")
        if each.text in _OPENING:
            for name in _names(tokens, at + 1):
                if name not in HARMLESS:
                    raise CannotEvaluate(f"the attribute {name}")


def _names(tokens: Sequence[Token], opening: int) -> Iterator[str]:
    """The names of the attributes in two pairs of parentheses."""
    end = closing(tokens, opening)
    if end is None:
        raise CannotEvaluate("an attribute without an end")
    at = opening + 2
    while at < end - 1:
        if tokens[at].is_word:
            yield tokens[at].text.removeprefix("__").removesuffix("__")
            if tokens[at + 1].text == "(":
                at = closing(tokens, at + 1) or end
        at += 1
