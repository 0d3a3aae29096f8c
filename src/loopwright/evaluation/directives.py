"""The OpenMP of a function: what its loops say, as far as one thread can do what they mean.

A program may always run on one thread, so that evaluating it in sequence is a run of it.  Where
loops are parallel, each iteration may have a thread of its own, so that any order is one, too; for
each depth of nesting, it is the user who says how many threads there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from loopwright.basics.c_tokens import Token, closing, texts, tokens_of
from loopwright.basics.records import record
from loopwright.evaluation.outcomes import CannotEvaluate

_NAMES = (
    ("parallel", "for", "simd"),
    ("parallel", "for"),
    ("for", "simd"),
    ("parallel",),
    ("for",),
    ("simd",),
)
_SILENT = re.compile(
    r"#\s*pragma\s+(scop|endscop|pencil|message|once|loopwright"
    r"|GCC (diagnostic|ivdep|unroll|novector)|ivdep|unroll|nounroll|clang diagnostic)\b.*"
)
"""Pragmas without which a program computes the same."""
_OPENMP = re.compile(r"#\s*pragma\s+omp\s+(.*)")
_NUMBER = re.compile(r"[1-9]\d{0,3}")
_IGNORED = {
    "default": re.compile("shared|none"),
    "shared": re.compile(r"\w+( , \w+)*"),
    "schedule": re.compile("static|dynamic|guided|auto|(static|dynamic|guided) , 1"),
    "proc_bind": re.compile("close|spread|master"),
    "simdlen": _NUMBER,
    "safelen": _NUMBER,
}
"""Clauses that change nothing for one thread, and nothing about the order that is possible."""
_ORDERING = {
    "num_threads": _NUMBER,
    "collapse": _NUMBER,
    "schedule": re.compile(r"(static|dynamic|guided) , [1-9]\d*"),
}
"""Clauses after which not every order is possible any more."""
REDUCTIONS = ("+", "-", "*", "&", "|", "^", "max", "min")


@record
class Directive:
    """A directive: its variables of each thread, and what is reduced with which operator.

    The iterations of a loop that ``is_free`` may run in any order.
    """

    words: tuple[str, ...]
    private: tuple[str, ...]
    copied: tuple[str, ...]
    reduced: tuple[tuple[str, str], ...]
    is_free: bool

    @property
    def owns_iterator(self) -> bool:
        """Has each thread an iterator of its own?"""
        return "for" in self.words


def directives_of(tokens: Sequence[Token], *, has_openmp: bool) -> dict[int, Token]:
    """The directives with a meaning, by the place of the statement that follows.

    Tokens are those of the whole program; an unknown pragma is a reason to evaluate nothing.  To a
    compiler without OpenMP, those of OpenMP have none.
    """
    found: dict[int, Token] = {}
    depth = 0
    for at, each in enumerate(tokens):
        depth += (each.text == "{") - (each.text == "}")
        if not each.is_directive or _SILENT.fullmatch(each.text):
            continue
        is_openmp = _OPENMP.fullmatch(each.text) is not None
        if is_openmp and not has_openmp:
            continue
        following = next((one for one in tokens[at + 1 :] if not one.is_directive), None)
        is_statement = following is not None and following.start not in found and depth > 0
        if not is_openmp or not is_statement or following is None:
            raise CannotEvaluate(each.text)
        found[following.start] = each
    return found


def directive_of(token: Token) -> Directive:
    """What a directive says; :class:`CannotEvaluate` where any of it is unknown."""
    match = _OPENMP.fullmatch(token.text)
    words = tokens_of(match.group(1).encode()) if match is not None else []
    name = next((each for each in _NAMES if texts(words[: len(each)]) == [*each]), None)
    if name is None:
        raise CannotEvaluate(token.text)
    private: list[str] = []
    copied: list[str] = []
    reduced: list[tuple[str, str]] = []
    is_free = name[0] == "parallel" and "for" in name
    for clause, content in _clauses(words[len(name) :], token):
        listed = re.fullmatch(r"\w+( , \w+)*", content)
        if clause in ("private", "firstprivate") and listed is not None:
            (private if clause == "private" else copied).extend(content.split(" , "))
        elif clause == "reduction":
            reduced += _reduced(content, token)
        elif clause in _IGNORED and _IGNORED[clause].fullmatch(content):
            pass
        elif _is_plain_condition(clause, content) or (
            clause in _ORDERING and _ORDERING[clause].fullmatch(content)
        ):
            is_free = False
        else:
            raise CannotEvaluate(token.text)
    return Directive(name, tuple(private), tuple(copied), tuple(reduced), is_free and not reduced)


def _clauses(words: Sequence[Token], token: Token) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(words):
        if at > 0 and words[at].text == ",":
            at += 1
        end = closing(words, at + 1) if texts(words[at + 1 : at + 2]) == ["("] else None
        if end is None:
            raise CannotEvaluate(token.text)
        yield words[at].text, " ".join(texts(words[at + 2 : end]))
        at = end + 1


def _is_plain_condition(clause: str, content: str) -> bool:
    """Is it an ``if`` that calls and changes nothing?  One thread may always be all there is.

    >>> _is_plain_condition("if", "1.0 * n > = 10"), _is_plain_condition("if", "f ( n )")
    (True, False)
    """
    changes = re.search(r"(?<![<>=!])=(?!=)|\+\+|--", content.replace(" ", ""))
    is_plain = re.fullmatch(r"[\w\s.+*<>=!&|()-]+", content) is not None
    return clause == "if" and is_plain and not changes and not re.search(r"\w \(", content)


def _reduced(content: str, token: Token) -> Iterator[tuple[str, str]]:
    sign, _, names = content.partition(" : ")
    if sign not in REDUCTIONS or not re.fullmatch(r"\w+( , \w+)*", names):
        raise CannotEvaluate(token.text)
    for name in names.split(" , "):
        yield sign, name
