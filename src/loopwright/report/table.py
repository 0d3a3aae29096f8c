"""The dependences of a region as a page for people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from textwrap import wrap

from loopwright.basics.records import record
from loopwright.dependence.witnesses import witness
from loopwright.model.dependences import Kind
from loopwright.model.display import assumption_lines, condition_text
from loopwright.report.element_sets import elements_text
from loopwright.report.findings import Elements, Findings
from loopwright.report.kept_loops import KeptLoop
from loopwright.report.references import (
    LONGEST_TEXT,
    Finding,
    carrier_text,
    distance_text,
    gathering,
    loops_text,
    reference_text,
)
from loopwright.report.verdicts import Remedy, Verdict

WIDTH = 100
GLUE = "\N{NO-BREAK SPACE}"
ITERATION = re.compile(r"\(\w+ = [^()]*\)")
TERM = re.compile(r" (?:[-+*<>=]|<=|>=) ")


def table(found: Findings) -> str:
    """The page: dependences, loops, what comes in and goes out, components, dead code."""
    scop = found.scop
    lines = [f"{scop.function}  ({scop.span.file}, lines {scop.span.line}-{scop.span.end_line})"]
    lines += ["", "  dependences", *_indented(_row_lines(found.rows)), *_vague_lines(found)]
    if found.verdicts or found.kept:
        lines += ["", "  loops", *_loop_lines(found)]
    lines += ["", "  comes in", *_element_lines(found.coming_in, found)]
    lines += ["", "  goes out", *_element_lines(found.going_out, found)]
    lines += ["", "  components", *wrapped(_components_text(found), 4)]
    if found.dead:
        lines += ["", "  dead code"]
        lines += [line for each in _dead_texts(found) for line in wrapped(each, 4)]
    if scop.assumptions:
        lines += ["", "  assumed"]
        lines += [line for each in assumption_lines(scop) for line in wrapped(each, 4, 2)]
    return "\n".join(lines)


def _vague_lines(found: Findings) -> list[str]:
    """What the reader may not take for exact."""
    vague = [each for each in found.dependences.approximated if each != "forced"]
    if not vague:
        return []
    text = (
        f"too complex to be exact, so that pairs are listed that do not exist: {', '.join(vague)}"
    )
    return ["", *wrapped(text, 4)]


# --- rows -----------------------------------------------------------------------------------------


@record
class Place:
    """One end of a row: line, statement, reference."""

    line: int
    statement: str
    reference: str


@record
class Row:
    """A row of the table; the kinds of what is otherwise the same share one."""

    array: str
    source: Place
    sink: Place
    distance: str
    carriers: str
    gathered: str
    is_certain: bool
    written: tuple[str, str]
    """The references in full, of which the places may show the beginning only."""


def merged_rows(
    findings: Iterable[Finding], longest: int = LONGEST_TEXT
) -> dict[Row, list[Finding]]:
    """The rows in the order of the source, with what they show."""
    rows: dict[Row, list[Finding]] = {}
    for each in findings:
        rows.setdefault(_row(each, longest), []).append(each)
    return rows


def _row(each: Finding, longest: int) -> Row:
    source, sink = (
        Place(end.span.line, end.statement.name, reference_text(end, each.variable, longest))
        for end in (each.dependence.source, each.dependence.sink)
    )
    reduction = each.dependence.reduction
    gathered = f"step of a {gathering(reduction)}" if reduction is not None else ""
    distance, carriers = distance_text(each.reach), carrier_text(each.reach)
    ends = each.dependence.source, each.dependence.sink
    written = (ends[0].access.text, ends[1].access.text)
    return Row(each.variable, source, sink, distance, carriers, gathered, each.is_certain, written)


def kinds_text(shown: Iterable[Finding], separator: str) -> str:
    """The kinds of the dependences that a row shows."""
    kinds = {each.dependence.kind for each in shown}
    return separator.join(kind.value for kind in Kind if kind in kinds)


def remarks_text(row: Row) -> str:
    """What carries the dependences of a row, and what else there is to know."""
    remarks = [row.carriers, row.gathered, "" if row.is_certain else "possible"]
    return ", ".join(each for each in remarks if each)


def _row_lines(findings: Sequence[Finding]) -> list[str]:
    if not findings:
        return ["none"]
    lines: list[str] = []
    for longest in (LONGEST_TEXT, 18, 14):
        lines = _aligned(merged_rows(findings, longest))
        if max(map(len, lines)) <= WIDTH - 4:
            break
    return [part for line in lines for part in _folded(line)]


def _folded(line: str) -> list[str]:
    """A line that is still too long, since names are, with its last remark on a line of its own."""
    head, _, remark = line.rpartition(", ")
    is_short = len(line) <= WIDTH - 4 or not head
    return [line] if is_short else [f"{head},", remark.rjust(WIDTH - 4)]


def _aligned(rows: dict[Row, list[Finding]]) -> list[str]:
    sources = _place_cells([row.source for row in rows])
    sinks = _place_cells([row.sink for row in rows])
    cells = [("array", "kind", "from", "to", "distance", "carried by")]
    for (row, shown), source, sink in zip(rows.items(), sources, sinks, strict=True):
        kinds, remarks = kinds_text(shown, " "), remarks_text(row)
        cells.append((row.array, kinds, source, sink, row.distance, remarks))
    return columns(cells)


def _place_cells(places: Sequence[Place]) -> list[str]:
    line = max(len(str(each.line)) for each in places)
    name = max(len(each.statement) for each in places)
    return [f"{each.line:>{line}} {each.statement:<{name}} {each.reference}" for each in places]


def columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """The cells below each other.

    >>> columns([("a", "bc"), ("def", "g")])
    ['a    bc', 'def  g']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def wrapped(text: str, indent: int, hanging: int = 4) -> list[str]:
    """A sentence over as many lines as it needs, without tearing iterations and terms apart."""
    lines = wrap(
        TERM.sub(_glued, ITERATION.sub(_glued, text)),
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + hanging),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(GLUE, " ") for line in lines]


def _glued(found: re.Match[str]) -> str:
    return found[0].replace(" ", GLUE)


# --- loops ----------------------------------------------------------------------------------------


def _loop_lines(found: Findings) -> list[str]:
    """Verdicts, and what is said of loops that have none, in the order of the source."""
    parts = [(each.loop.span.start, _verdict_lines(each, found)) for each in found.verdicts]
    parts += [(each.statement.span.start, _kept_lines(each)) for each in found.kept]
    parts.sort(key=lambda part: part[0])
    return [line for _, lines in parts for line in lines]


def _kept_lines(loop: KeptLoop) -> list[str]:
    what = loop.iterator or "a loop"
    return wrapped(f"{what} ({loop.place}): kept whole in {loop.statement.name}: {loop.reason}", 4)


def _verdict_lines(verdict: Verdict, found: Findings) -> list[str]:
    lines = wrapped(f"{loops_text([verdict.loop])}: {verdict_text(verdict)}", 4)
    if needs_reason(verdict):
        lines += wrapped(str(witness(verdict.obstacles[0].dependence, found.scop)), 8, 0)
    return lines


def needs_reason(verdict: Verdict) -> bool:
    """Does something have to change before the loop is parallel?"""
    remedy = verdict.remedy
    has_own_copies = remedy is not None and not (remedy.copied or remedy.reassociated)
    return not verdict.is_parallel and not has_own_copies


def verdict_text(verdict: Verdict) -> str:
    """``parallel``, ``not parallel``, or what is needed."""
    if verdict.is_parallel:
        return "parallel"
    return remedy_text(verdict.remedy) if verdict.remedy is not None else "not parallel"


def remedy_text(remedy: Remedy) -> str:
    """What a loop needs to be parallel."""
    text = "parallel"
    own, copied, dropped = map(
        remedy.named_all, (remedy.declared_inside, remedy.copied, remedy.dropped)
    )
    if own:
        text += f", each iteration with its own {listed(own)}"
    if copied:
        text += f" with a private copy of {listed(copied)} for each iteration"
    conditions: list[str] = []
    if dropped:
        verb = "is" if len(dropped) == 1 else "are"
        conditions.append(f"{listed(dropped)} {verb} not needed after the region")
    if remedy.reassociated:
        gathered = dict.fromkeys(
            f"the {gathering(each)} in {remedy.named(each.array)}" for each in remedy.reassociated
        )
        conditions.append(f"{listed(list(gathered))} may be reassociated")
    if not conditions:
        return text
    return f"{text}{',' if remedy.private else ''} if {' and '.join(conditions)}"


def listed(words: Sequence[str]) -> str:
    """An enumeration.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    *most, last = words or [""]
    return f"{', '.join(most)} and {last}" if most else last


# --- the rest -------------------------------------------------------------------------------------


def _element_lines(elements: Sequence[Elements], found: Findings) -> list[str]:
    texts = [elements_text(each.array, each.elements, found.scop.context) for each in elements]
    return [line for text in texts or ["nothing"] for line in wrapped(text, 4)]


def _components_text(found: Findings) -> str:
    """``S0; S1, S2``: statements that need each other, in an order that serves all needs."""
    return "; ".join(", ".join(each) for each in found.components) or "none"


def _dead_texts(found: Findings) -> list[str]:
    return [
        f"{statement.name} (line {statement.span.line}) computes what nobody needs"
        + ("" if condition == "always" else f" where {condition}")
        for statement, dead in found.dead
        for condition in [condition_text(dead)]
    ]
