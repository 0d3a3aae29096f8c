"""A program of many loops on one screen: what is new, what would be most worthwhile, and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from loopwright.basics.diagnostics import Diagnostic
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.fates import (
    LOSSES,
    Fate,
    LeftAlone,
    Outcome,
    Rewritten,
    Unproved,
    times_text,
)
from loopwright.frontend.detection import Unread
from loopwright.model.scop import Scop
from loopwright.report.optimizations import fit_text, nest_text
from loopwright.report.table import wrapped

MOST_REWRITTEN = 12
MOST_WORTHWHILE = 3
MOST_REASONS = 6
LONGEST_QUOTE = 84
HELP = {
    "LW206": "declare the pointers restrict, if they never name the same memory",
    "LW205": "initialise the pointer where it is declared, or index one array by name",
    "LW207": "keep the variable's address out of the function, or copy it to one of its own",
    "LW119": "move the call or the condition out of the loop",
    "LW304": "declare the function with __attribute__((const)), or give it a body here",
    "LW401": "say more of the sizes, with --context",
    "LW602": "raise --timeout, or make the region smaller",
}
"""What would help, where a message does not say so itself."""


@record(eq=False)
class _Obstacle:
    """Loops that stay as they are: where, how much they promise, and what stands in the way."""

    function: str
    span: Span
    worth: tuple[int, float]
    """How deep they are, and how many times as fast they were expected to be."""
    why: Diagnostic


def summary_text(result: Outcome) -> str:
    """At most a screen; ``-v`` tells all of it."""
    source = result.original.decode(errors="replace").split("\n")
    obstacles = sorted(_obstacles(result), key=lambda each: each.worth, reverse=True)
    new = [each for each in result.regions if isinstance(each, Rewritten)]
    lines = [_counts(result, new, obstacles)]
    if new:
        lines += ["", "rewritten"]
        for each in new[:MOST_REWRITTEN]:
            lines += wrapped(_new_text(each), 2, 6)
        lines += _more(len(new) - MOST_REWRITTEN, "region", "regions")
    if obstacles:
        lines += ["", "not rewritten, and most worthwhile"]
        for each in obstacles[:MOST_WORTHWHILE]:
            lines += _obstacle_lines(each, source)
    lines += _rest(result, obstacles[MOST_WORTHWHILE:])
    if result.fit is not None:
        lines += ["", fit_text(result.fit)]
    return "\n".join(lines) + "\n"


def _counts(result: Outcome, new: Sequence[Rewritten], obstacles: Sequence[_Obstacle]) -> str:
    kept = sum(isinstance(each, LeftAlone) for each in result.regions)
    facts = [
        f"{_count(len(new), 'region')} rewritten",
        f"{kept} fast enough as {'it is' if kept == 1 else 'they are'}" if kept else "",
        f"{_count(len(obstacles), 'nest')} with something in the way" if obstacles else "",
    ]
    return f"{result.name}: {', '.join(filter(None, facts))} (-v tells all)"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _more(number: int, one: str, several: str) -> list[str]:
    return [f"  and {number} more {one if number == 1 else several}"] if number > 0 else []


def _new_text(region: Rewritten) -> str:
    """``matmul (lines 7-10): 27x faster expected, tiled ..., proved``."""
    span, nests = region.scop.span, region.nests
    facts = [f"{times_text(region.gain)} faster expected"] if region.gain else []
    facts += [nest_text(nests[0], region.scop)] if nests else []
    facts += [f"and {_count(len(nests) - 1, 'other nest')}"] if len(nests) > 1 else []
    facts += ["proved" if region.proof is not None else "not proved"]
    if region.lost and region.lost[0].gain:
        facts += [f"but {region.lost[0]}"]
    return f"{region.scop.function} ({_lines(span)}): {', '.join(facts)}"


def _lines(span: Span) -> str:
    single = span.line == span.end_line
    return f"line {span.line}" if single else f"lines {span.line}-{span.end_line}"


# --- obstacles ------------------------------------------------------------------------------------


def _obstacles(result: Outcome) -> Iterator[_Obstacle]:
    """The loops that stay as they are for a reason; of loops in others those inside."""
    for each in result.regions:
        if isinstance(each, LOSSES):
            worth = _depth(each.scop), _promised(each)
            yield _Obstacle(each.scop.function, each.scop.span, worth, each.note)
    unread = [each for each in result.unread if not _is_repeated(each, result.unread)]
    inside = [each.span for each in unread] + [each.scop.span for each in result.regions]
    for each in unread:
        if not any(_is_around(each.span, other) for other in inside):
            yield _Obstacle(each.function, each.span, (each.depth, 0.0), each.why)


def _is_repeated(unread: Unread, others: Sequence[Unread]) -> bool:
    """Does a loop around it stay for the very same reason?"""
    return any(
        each.why.message == unread.why.message and _is_around(each.span, unread.span)
        for each in others
    )


def _depth(scop: Scop) -> int:
    return max((each.depth + 1 for each in scop.loops), default=0)


def _promised(fate: Fate) -> float:
    return fate.tried[0].gain if isinstance(fate, Unproved) else 0.0


def _is_around(span: Span, other: Span) -> bool:
    is_within = span.start <= other.start and other.end <= span.end
    return (
        span.file == other.file and is_within and (span.start, span.end) != (other.start, other.end)
    )


def _obstacle_lines(obstacle: _Obstacle, source: Sequence[str]) -> Iterator[str]:
    why = obstacle.why
    message = why.message.removeprefix("the region is left as it is: ")
    loops = f", {_count(obstacle.worth[0], 'loop')} deep" if obstacle.worth[0] else ""
    title = f"{obstacle.function or 'somewhere'} ({_lines(obstacle.span)}{loops}): {message}"
    yield from wrapped(f"{title} [{why.code}]", 2, 6)
    if why.span.file == obstacle.span.file and 0 < why.span.line <= len(source):
        quoted = " ".join(source[why.span.line - 1].split())
        shown = quoted if len(quoted) <= LONGEST_QUOTE else f"{quoted[: LONGEST_QUOTE - 3]}..."
        yield f"      line {why.span.line}: {shown}"
    if why.hint or why.code in HELP:
        yield from wrapped(f"help: {why.hint or HELP[why.code]}", 6, 12)


def _rest(result: Outcome, others: Sequence[_Obstacle]) -> Iterator[str]:
    """How often what stands in the way of the others, and what was assumed."""
    kept = [each for each in result.regions if isinstance(each, LeftAlone)]
    lost = [each for each in result.regions if isinstance(each, Rewritten) and each.lost]
    assumed = sum(len(each.scop.notes) for each in result.regions)
    if not (others or kept or lost or assumed):
        return
    yield from ("", "besides")
    reasons = Counter((each.why.code, _general(each.why)) for each in others)
    for (code, text), count in reasons.most_common(MOST_REASONS):
        yield from wrapped(f"{count} x {text} [{code}]", 2, 6)
    rest = sum(reasons.values()) - sum(count for _, count in reasons.most_common(MOST_REASONS))
    yield from _more(rest, "nest with another reason", "nests with other reasons")
    if kept:
        yield f"  {len(kept)} x nothing to gain is expected"
    if lost:
        yield f"  {len(lost)} x a better version was not proved [LW903]"
    if assumed:
        yield f"  {_count(assumed, 'note')} on what was assumed"


GENERAL = {
    "LW119": ("it calls a function of which nothing is known", "its control depends on data"),
    "LW205": ("a pointer changes, or nobody can tell where it points",),
    "LW206": ("two pointers may name the same memory",),
    "LW602": ("there was not enough time, or memory",),
    "LW901": ("there was no proof of the new loops",),
    "LW904": ("loopwright failed",),
}
"""Reasons without the names that are in them, to be counted; the last where none is alike."""


def _general(why: Diagnostic) -> str:
    texts = GENERAL.get(why.code, (why.message.removeprefix("the region is left as it is: "),))
    alike = (each for each in texts if why.message.startswith(each.split(" a ")[0]))
    return next(alike, texts[-1])
