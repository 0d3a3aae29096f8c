"""The new text of a region, taken apart: helpers, test, generated loops, original statements.

What stands in a region's place is either the generated loops alone or

    if (test) { generated loops } else { original statements }

All that the proof does not look at is looked at here: that the original statements are the original
ones token by token, and that no keyword in the generated part means something to a compiler that
reading it does not show.  Both texts have been preprocessed: every other word is what it seems.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from itertools import pairwise

from loopwright.basics.c_tokens import Token, closing, texts, tokens_of, words_in
from loopwright.basics.diagnostics import shortened
from loopwright.basics.names import C_KEYWORDS
from loopwright.basics.records import record
from loopwright.model.proofs import Rewriting, Stretch
from loopwright.model.scop import Scop
from loopwright.verify.failure import NotProved

_POINTER = re.compile(r"[A-Za-z_]\w*((\.|->)[A-Za-z_]\w*)*")

PLAIN = frozenset(
    "break char const continue do double else float for if int long short signed unsigned void "
    "while".split()
)
"""Keywords that generated text may have wherever it likes."""

HIDING = frozenset(
    "typedef static extern register volatile restrict __restrict __restrict__ _Atomic goto asm "
    "__asm__ inline return switch case default enum union _Pragma __pragma __builtin_assume "
    "__builtin_unreachable __pencil_assume __pencil_kill __pencil_use __pencil_def".split()
)
"""Words that do something, or promise something, that the model of a region does not hold."""


@record
class RegionParts:
    """The tokens of the new text, by their roles; ``test`` is empty where there is none."""

    test: tuple[Token, ...]
    generated: tuple[Token, ...]
    hidden: tuple[tuple[int, int], ...]
    """Stretches of the new file that are not part of the generated loops and their test."""
    asked: tuple[str, ...]
    """The pointers that the test asks for first."""


def require_whole_region(rewriting: Rewriting, stretch: Stretch, original: Scop) -> list[Token]:
    """The tokens of the region before; nothing but its statements may stand there."""
    before, span = rewriting.before, original.span
    if not stretch.start <= span.start <= span.end <= stretch.end:
        raise NotProved("the rewritten part is not the region", span=span)
    tokens = tokens_of(before, stretch.start, stretch.end)
    outside = [each for each in tokens if each.start < span.start or each.end > span.end]
    if set(texts(outside)) - {";"} - {each.text for each in outside if _is_pragma(each)}:
        raise NotProved("the rewritten part is more than the region", span=span)
    if any(each.is_directive and not _is_pragma(each) for each in tokens):
        raise NotProved("the region has directives in it", span=span)
    _require_no_entry(tokens, before)
    if original.outliving:
        raise NotProved(f"the code after the region uses {original.outliving[0]}", span=span)
    declaring = words_in(tokens) & {"typedef", "enum"}
    if declaring or any(_opens_struct(tokens[at:]) for at in range(len(tokens))):
        raise NotProved("the region declares a type", span=span)
    return tokens


def tokens_outside(rewriting: Rewriting, stretch: Stretch) -> list[Token]:
    """The tokens of the program before that are not of the region."""
    before = rewriting.before
    return [*tokens_of(before, 0, stretch.start), *tokens_of(before, stretch.end)]


def _require_no_entry(region: Sequence[Token], whole: bytes) -> None:
    """Nobody may jump to a label in the region, whose place is not part of the model."""
    labels = {word for word, mark in pairwise(_undirected(region)) if mark == ":"}
    if labels and re.search(rb"\bgoto\b", whole):
        for mark, word in pairwise(_undirected(tokens_of(whole))):
            if word in labels and mark in ("goto", "&&"):
                raise NotProved(f"the code around the region jumps to {word}")


def _undirected(tokens: Sequence[Token]) -> list[str]:
    return [each.text for each in tokens if not each.is_directive]


def _opens_struct(tokens: Sequence[Token]) -> bool:
    words = texts(tokens[:3])
    return words[:1] in (["struct"], ["union"]) and "{" in words[1:]


def _is_pragma(token: Token) -> bool:
    return re.match(r"#\s*pragma\b", token.text) is not None


def region_parts(after: bytes, stretch: Stretch, original: Sequence[Token]) -> RegionParts:
    """The new text of a region whose old tokens are these."""
    tokens = tokens_of(after, stretch.new_start, stretch.new_end)
    if any(each.is_border for each in tokens):
        raise NotProved("the new text has another region in it")
    if any(each + other in _DIGRAPHS for each, other in pairwise(texts(tokens))):
        raise NotProved("the new text has digraphs in it")
    test, generated, kept = _branches(tokens, texts(original))
    hidden = [(each[0].start, each[-1].end) for each in (kept,) if each]
    asked, rest = _pointers_first(test, "".join(texts(generated)))
    # Of a test that asks for pointers alone, nothing is left: neither is the ``if`` around it.
    asking = test[: len(test) - len(rest)] if rest else tokens[: len(test) + 3 if test else 0]
    hidden += [(each.start, each.end) for each in asking]
    return RegionParts(tuple(rest), tuple(generated), tuple(hidden), tuple(asked))


_DIGRAPHS = frozenset(("<:", ":>", "<%", "%>", "%:"))


def _branches(
    tokens: Sequence[Token], original: Sequence[str]
) -> tuple[list[Token], list[Token], list[Token]]:
    """Test, generated loops, and the ``else`` with the original statements, if there is one."""
    whole = list[Token](), list(tokens), list[Token]()
    if not tokens or tokens[0].text != "if":
        return whole
    behind_test = closing(tokens, 1)
    if behind_test is None or texts(tokens[behind_test + 1 : behind_test + 2]) != ["{"]:
        return whole
    behind_then = closing(tokens, behind_test + 1)
    if behind_then is None:
        return whole
    kept = list(tokens[behind_then + 1 :])
    if texts(kept) != ["else", "{", *original, "}"]:
        return whole
    return list(tokens[2:behind_test]), list(tokens[behind_test + 2 : behind_then]), kept


def _pointers_first(test: list[Token], loops: str) -> tuple[list[str], list[Token]]:
    """The pointers that must not be null, and the rest of the test.

    To look at the rest alone is to prove more than needed: the loops run in fewer cases.
    """
    asked: list[str] = []
    while True:
        at = next((k for k, each in enumerate(test) if each.text == "&&"), len(test))
        conjunct = "".join(texts(test[:at]))
        is_last = at == len(test)
        if not _POINTER.fullmatch(conjunct) or (is_last and f"{conjunct}->" not in loops):
            return asked, test
        asked.append(conjunct)
        test = test[at + 1 :]


def require_known_words(
    parts: RegionParts, original: Sequence[Token], known: Iterable[str]
) -> None:
    """No keyword of the generated part may do what the model of a region does not hold.

    ``known`` are names of types that it may use.
    """
    tokens = [each for each in (*parts.test, *parts.generated) if not _is_pragma(each)]
    for each in tokens:
        if each.is_directive or each.text in ("\\", "#"):
            raise NotProved(f"the new text has {shortened(each.text)} in it")
    for one, other in pairwise(texts(tokens)):
        if one == other == "[":
            raise NotProved("the new text has attributes in it")
    words = words_in(_without_mentions(tokens))
    _require_known_tags(texts(tokens), {*known, *words_in(original)})
    hiding = sorted(words & HIDING)
    if hiding:
        raise NotProved(f"the new text says {hiding[0]}")
    allowed = {*known, *PLAIN, *words_in(original)}
    strange = sorted(each for each in words - allowed if _is_keyword(each))
    if strange:
        raise NotProved(f"the new text says {strange[0]}, which the region did not")


def _require_known_tags(words: Sequence[str], known: Set[str]) -> None:
    """A struct may be named, but not declared."""
    for at, word in enumerate(words):
        if word in ("struct", "union", "enum"):
            tag, *behind = [*words[at + 1 : at + 3], "", ""]
            if tag not in known or behind[0] in ("{", ";", ":"):
                raise NotProved(f"the new text declares {word} {tag}")


def _is_keyword(word: str) -> bool:
    """May a compiler of C or C++ understand a word without a declaration?"""
    return word in C_KEYWORDS or word in CPP_KEYWORDS or word.startswith("_")


CPP_KEYWORDS = frozenset(
    "alignas alignof and and_eq asm auto bitand bitor bool catch char8_t char16_t char32_t class "
    "co_await co_return co_yield compl concept const_cast consteval constexpr constinit decltype "
    "delete dynamic_cast explicit export false friend mutable namespace new noexcept not not_eq "
    "nullptr operator or or_eq private protected public reinterpret_cast requires static_assert "
    "static_cast template this thread_local throw true try typeid typename typeof typeof_unqual "
    "using virtual wchar_t xor xor_eq".split()
)
"""Those of C23, too; generated text has none of them."""


def _without_mentions(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without the ``sizeof`` of ``(void)sizeof s;``, where alone it may stand."""
    kept: list[Token] = []
    for at, each in enumerate(tokens):
        around = texts(tokens[max(0, at - 3) : at + 3])
        is_mention = around[:4] == ["(", "void", ")", "sizeof"] and around[5:] == [";"]
        if not (each.text == "sizeof" and is_mention and tokens[at + 1].is_word):
            kept.append(each)
    return kept
