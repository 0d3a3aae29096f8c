"""The new text of a region, taken apart: helpers, test, generated loops, original statements.

What stands in a region's place is either the generated loops alone or

    if (test) { generated loops } else { original statements }

in both cases perhaps behind ``#define`` lines that ``#undef`` lines behind it take back.  All that
the proof does not look at is looked at here: that nothing else in the file has changed, that the
original statements are the original ones token by token, and that no word in the generated part
means something to a compiler that reading it does not show.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from loopwright.basics.c_text import comments_and_strings, leaves_comment_open
from loopwright.basics.records import record
from loopwright.model.proofs import Rewriting, Stretch
from loopwright.model.scop import Scop
from loopwright.verify.failure import NotProved
from loopwright.verify.macros import DEFINE, UNDEFINE, body_words, reachable_words
from loopwright.verify.tokens import Token, closing, texts, tokens_of, words_in

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

    helpers: frozenset[str]
    helping: frozenset[str]
    """The words that those consist of."""
    test: tuple[Token, ...]
    generated: tuple[Token, ...]
    hidden: tuple[tuple[int, int], ...]
    """Stretches of the new file that are not part of the generated loops and their test."""
    asked: tuple[str, ...]
    """The pointers that the test asks for first."""


def require_same_surroundings(rewriting: Rewriting) -> None:
    """Everything outside the stretches must be the same, byte by byte."""
    ends = [(0, 0), *((each.end, each.new_end) for each in rewriting.stretches)]
    starts = [(each.start, each.new_start) for each in rewriting.stretches]
    starts.append((len(rewriting.before), len(rewriting.after)))
    for (old_end, new_end), (old_start, new_start) in zip(ends, starts, strict=True):
        if old_end > old_start or new_end > new_start:
            raise NotProved("the rewritten parts of the file overlap")
        if rewriting.before[old_end:old_start] != rewriting.after[new_end:new_start]:
            raise NotProved("the file differs outside its regions")


def require_whole_region(
    rewriting: Rewriting, stretch: Stretch, original: Scop, *, is_marked: bool
) -> list[Token]:
    """The tokens of the region before; the stretch must hold all of it and nothing else."""
    before, span = rewriting.before, original.span
    if not stretch.start <= span.start <= span.end <= stretch.end:
        raise NotProved("the rewritten part is not the region", span=span)
    tokens = tokens_of(before, stretch.start, stretch.end)
    outside = [each for each in tokens if each.start < span.start or each.end > span.end]
    if not is_marked and set(texts(outside)) - {";"}:
        raise NotProved("the rewritten part is more than the region", span=span)
    if is_marked:
        _require_pragmas_around(before, stretch, original)
    if any(each.is_border for each in tokens):
        raise NotProved("the rewritten part is more than the region", span=span)
    if any(each.is_directive and not _is_pragma(each) for each in tokens):
        raise NotProved("the region has directives in it", span=span)
    _require_no_entry(tokens, tokens_of(before))
    if original.outliving:
        raise NotProved(f"the code after the region uses {original.outliving[0]}", span=span)
    declaring = words_in(tokens) & {"typedef", "enum"}
    if declaring or any(_opens_struct(tokens[at:]) for at in range(len(tokens))):
        raise NotProved("the region declares a type", span=span)
    return tokens


def _require_no_entry(region: Sequence[Token], whole: Sequence[Token]) -> None:
    """Nobody may jump to a label in the region, whose place is not part of the model."""
    inside = [";", *texts(region)]
    labels = {
        word
        for at, (word, mark) in enumerate(pairwise(inside[1:]))
        if mark == ":" and (inside[at] in (";", "{", "}", ")", ":") or inside[at][0] == "#")
    }
    words = texts(whole)
    for at, word in enumerate(words):
        is_named = words[at - 1] == "goto" or words[max(0, at - 2) : at] == ["&", "&"]
        if word in labels and is_named:
            raise NotProved(f"the code around the region jumps to {word}")
        if labels and re.match(r"#\s*define\b.*\bgoto\b", word):
            raise NotProved("a macro may jump to a label in the region")


def _opens_struct(tokens: Sequence[Token]) -> bool:
    words = texts(tokens[:3])
    return words[:1] in (["struct"], ["union"]) and "{" in words[1:]


def _is_pragma(token: Token) -> bool:
    return re.match(r"#\s*pragma\b", token.text) is not None


_OPENED = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+scop\b", re.MULTILINE)
_CLOSED = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+endscop\b", re.MULTILINE)


def _require_pragmas_around(before: bytes, stretch: Stretch, original: Scop) -> None:
    """Between the pragmas that mark the region and the stretch, only pragmas may stand."""
    opened = [each.start() for each in _OPENED.finditer(before, 0, stretch.start)]
    closed = _CLOSED.search(before, stretch.end)
    if not opened or closed is None:
        raise NotProved("the rewritten part is not a region", span=original.span)
    in_front = tokens_of(before, opened[-1], stretch.start)
    behind = tokens_of(before, stretch.end, closed.start())
    if not all(map(_is_pragma, (*in_front, *behind))):
        raise NotProved("the rewritten part is not all of the region", span=original.span)


def region_parts(after: bytes, stretch: Stretch, original: Sequence[Token]) -> RegionParts:
    """The new text of a region whose old tokens are these."""
    text = after[stretch.new_start : stretch.new_end]
    if any(each in text for each in (b"%:", b"??", b"\\\n", b"\\\r")):
        raise NotProved("the new text has joined lines, digraphs or trigraphs in it")
    _require_closed(text, after[stretch.new_end : stretch.new_end + 1])
    tokens = tokens_of(after, stretch.new_start, stretch.new_end)
    if any(each.is_border for each in tokens):
        raise NotProved("the new text has another region in it")
    first = next((at for at, each in enumerate(tokens) if not _matches(DEFINE, each)), len(tokens))
    last = len(tokens)
    while last > first and _matches(UNDEFINE, tokens[last - 1]):
        last -= 1
    helpers = _helpers(tokens[:first], tokens[last:])
    helping = frozenset[str]().union(*map(body_words, tokens[:first]))
    inner = tokens[first:last]
    test, generated, kept = _branches(inner, texts(original))
    hidden = [(each[0].start, each[-1].end) for each in (kept,) if each]
    asked, rest = _pointers_first(test)
    hidden += [(each.start, each.end) for each in test[: len(test) - len(rest)]]
    return RegionParts(helpers, helping, tuple(rest), tuple(generated), tuple(hidden), tuple(asked))


def _require_closed(text: bytes, behind: bytes) -> None:
    """No comment of the new text may go on behind it."""
    is_line = any(
        text.startswith(b"//", start) and end == len(text)
        for start, end in comments_and_strings(text)
    )
    if leaves_comment_open(text) or (is_line and behind not in (b"", b"\n")):
        raise NotProved("a comment of the new text goes on behind it")


def _matches(pattern: re.Pattern[str], token: Token) -> bool:
    return pattern.match(token.text) is not None


def _helpers(defines: Sequence[Token], undefines: Sequence[Token]) -> frozenset[str]:
    """The macros of the new text; each must be gone behind it."""
    defined = [_name(DEFINE, each) for each in defines]
    undefined = [_name(UNDEFINE, each) for each in undefines]
    if sorted(defined) != sorted(undefined) or len(set(defined)) != len(defined):
        raise NotProved("a macro of the new text is defined twice, or outlives it")
    return frozenset(defined)


def _name(pattern: re.Pattern[str], token: Token) -> str:
    match = pattern.match(token.text)
    assert match is not None
    return match.group("name")


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


def _pointers_first(test: list[Token]) -> tuple[list[str], list[Token]]:
    """The pointers that must not be null, and the rest of the test.

    To look at the rest alone is to prove more than needed: the loops run in fewer cases.
    """
    asked: list[str] = []
    while True:
        at = next((k for k, (a, b) in enumerate(pairwise(texts(test))) if a == b == "&"), None)
        conjunct = "".join(texts(test[:at])) if at is not None else ""
        if at is None or not _POINTER.fullmatch(conjunct):
            return asked, test
        asked.append(conjunct)
        test = test[at + 2 :]


def require_known_words(
    parts: RegionParts, original: Sequence[Token], known: Iterable[str], declared: Iterable[str]
) -> None:
    """No word of the generated part may come from nowhere.

    ``known`` are names of types that it may use, ``declared`` the variables that it declares.  A
    macro from elsewhere could hide a pragma, or be another thing when the program is compiled.
    """
    tokens = [each for each in (*parts.test, *parts.generated) if not _is_pragma(each)]
    for each in tokens:
        if each.is_directive or each.text in ("\\", "#"):
            raise NotProved(f"the new text has {each.text} in it")
    words = words_in(_without_mentions(tokens)) | parts.helping
    hiding = sorted(words & HIDING)
    if hiding:
        raise NotProved(f"the new text says {hiding[0]}")
    own = {*known, *declared, *parts.helpers, *PLAIN, *words_in(original)}
    strange = sorted(words - own)
    if strange:
        raise NotProved(f"the new text says {strange[0]}, which the region did not")


def _without_mentions(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without the ``sizeof`` of ``(void)sizeof s;``, where alone it may stand."""
    kept: list[Token] = []
    for at, each in enumerate(tokens):
        around = texts(tokens[max(0, at - 3) : at + 3])
        is_mention = around[:4] == ["(", "void", ")", "sizeof"] and around[5:] == [";"]
        if not (each.text == "sizeof" and is_mention and tokens[at + 1].is_word):
            kept.append(each)
    return kept


def require_no_hidden_pragmas(words: set[str], sources: Sequence[bytes]) -> None:
    """No macro that the new text uses may bring a pragma along, itself or by another macro."""
    if not reachable_words(words, sources).isdisjoint({"_Pragma", "__pragma"}):
        raise NotProved("a macro in the new text has a pragma in it")
