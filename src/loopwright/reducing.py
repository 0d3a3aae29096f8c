"""What to send of a failure of ours: its trace, and the shortest program found that has it too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import monotonic

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.failures import BROKEN
from loopwright.choosing import Wanted
from loopwright.fates import Broken, Outcome
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question
from loopwright.pipeline import optimize_source

SECONDS = 20.0
ONE_TRY = 5.0


def failures_of(outcome: Outcome) -> Iterator[tuple[Diagnostic, str, str]]:
    """What failed: what was told of it, its function, and the trace if there is one."""
    for each in outcome.regions:
        if isinstance(each, Broken):
            yield each.note, each.scop.function, each.failure.trace
    for unread in outcome.unread:
        if unread.why.code == BROKEN:
            yield unread.why, unread.function, ""


def report_text(
    outcome: Outcome, options: ReadOptions, question: Question, wanted: Wanted, version: str
) -> str:
    """All failures, each with a program that somebody can look at; empty if there are none."""
    parts: list[str] = []
    until = monotonic() + SECONDS
    for told, function, trace in failures_of(outcome):
        one = replace(question, function=function or None)

        def fails(content: bytes, told: Diagnostic = told, one: Question = one) -> bool:
            return told.message in _messages(outcome.name, content, options, one, wanted)

        program = reduced(outcome.original, fails, until).decode(errors="replace")
        flags = " ".join(options.flags())
        parts.append(
            f"{told}\nloopwright {version}, flags: {flags or 'none'}\n\n{trace}\n{program}"
        )
    return "\n\n".join(parts)


def _messages(
    name: str, content: bytes, options: ReadOptions, question: Question, wanted: Wanted
) -> list[str]:
    own = replace(wanted, deadline=monotonic() + ONE_TRY)
    try:
        found = optimize_source(name, content, options, question, own)
    except InputError:
        return []
    return [told.message for told, _, _ in failures_of(found)]


def reduced(content: bytes, fails: Callable[[bytes], bool], until: float) -> bytes:
    r"""The program with as few lines as can be found in time that fails in the same way.

    >>> reduced(b"a\nb\nc\nd\n", lambda text: b"c" in text, monotonic() + 60)
    b'c\n'
    """
    lines = content.splitlines(keepends=True)
    size = max(1, len(lines) // 2)
    while True:
        shorter = _without_pieces(lines, size, fails, until)
        if (size == 1 and len(shorter) == len(lines)) or monotonic() > until:
            return b"".join(shorter)
        lines, size = shorter, max(1, size // 2)


def _without_pieces(
    lines: Sequence[bytes], size: int, fails: Callable[[bytes], bool], until: float
) -> list[bytes]:
    """Without those pieces of so many lines that the failure does not need."""
    left, at = list(lines), 0
    while at < len(left) and monotonic() < until:
        candidate = left[:at] + left[at + size :]
        if fails(b"".join(candidate)):
            left = candidate
        else:
            at += size
    return left
