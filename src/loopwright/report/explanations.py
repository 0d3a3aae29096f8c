"""Why a loop is not parallel, and what a statement needs: what ``--explain LINE`` tells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.dependence.reduction_types import rounds_steps
from loopwright.dependence.witnesses import witness
from loopwright.model.dependences import Kind
from loopwright.model.display import assumption_lines
from loopwright.model.scop import Scop, Statement
from loopwright.report.element_sets import elements_text
from loopwright.report.findings import Findings, by_array
from loopwright.report.kept_loops import KeptLoop
from loopwright.report.references import Finding, gathering
from loopwright.report.table import (
    Row,
    kinds_text,
    listed,
    merged_rows,
    needs_reason,
    remarks_text,
    verdict_text,
    wrapped,
)
from loopwright.report.verdicts import Remedy, Verdict


@record
class Source:
    """A program text by its lines."""

    name: str
    lines: tuple[str, ...]

    def line(self, number: int) -> str:
        """A line without the blanks around it."""
        return self._whole(number).strip()

    def span(self, number: int) -> Span:
        """Where its text stands; columns and offsets count bytes."""
        whole = self._whole(number)
        start = sum(len(each.encode()) + 1 for each in self.lines[: number - 1])
        first = len(whole.encode()) - len(whole.lstrip().encode())
        last = first + len(whole.strip().encode())
        return Span(self.name, start + first, start + last, number, first + 1, number, last + 1)

    def _whole(self, number: int) -> str:
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else ""


def source_lines(name: str, content: bytes) -> Source:
    """The lines of a program in whatever encoding it is."""
    return Source(name, tuple(content.decode(errors="replace").split("\n")))


def explanation(regions: Sequence[Findings], line: int, source: Source) -> str:
    """All that there is to say about the loops and statements on a line of the source."""
    parts: list[list[str]] = []
    for found in regions:
        for verdict in found.verdicts:
            if stands_on(verdict.loop.span, line):
                parts.append(_loop_lines(verdict, found, source))
        for statement in executed(found.scop):
            if stands_on(statement.span, line):
                parts.append(_statement_lines(statement, found, source))
    if not parts:
        loops = [each.loop.span for found in regions for each in found.verdicts]
        statements = [each.span for found in regions for each in executed(found.scop)]
        raise InputError(nothing_there(loops, statements, line, source))
    return "\n\n".join("\n".join(part) for part in parts)


def stands_on(span: Span, line: int) -> bool:
    """Is a part of it on the line?"""
    return span.line <= line <= span.end_line


def executed(scop: Scop) -> list[Statement]:
    """The statements that have instances."""
    return [
        each
        for each in scop.statements
        if not each.is_kill and not each.domain.intersect_params(scop.context).is_empty()
    ]


def nothing_there(
    loops: Sequence[Span], statements: Sequence[Span], line: int, source: Source
) -> Diagnostic:
    """Where the loops and statements are, if none is on a line."""
    places = [
        f"{what} on {line_ranges(spans)}"
        for what, spans in (("loops are", loops), ("statements are", statements))
        if spans
    ]
    message = f"no loop and no statement of a region runs on line {line}"
    return Diagnostic("LW702", message, source.span(line), ", ".join(places))


def line_ranges(spans: Iterable[Span]) -> str:
    """The lines that spans stand on.

    >>> def on(first, last):
    ...     return Span("k.c", 0, 0, first, 1, last, 1)
    >>> line_ranges([on(7, 7), on(3, 4), on(5, 5)])
    'lines 3-5 and 7'
    """
    ranges: list[list[int]] = []
    for line in sorted({n for each in spans for n in range(each.line, each.end_line + 1)}):
        if ranges and ranges[-1][-1] == line - 1:
            ranges[-1][1:] = [line]
        else:
            ranges.append([line])
    is_single = len(ranges) == 1 and len(ranges[0]) == 1
    text = listed(["-".join(map(str, each)) for each in ranges])
    return f"line{'' if is_single else 's'} {text}"


def _assumed_lines(found: Findings) -> list[str]:
    assumed = assumption_lines(found.scop)
    if not assumed:
        return []
    return ["", "Assumed:"] + [line for each in assumed for line in wrapped(f"- {each}", 2, 2)]


# --- a loop ---------------------------------------------------------------------------------------


def _loop_lines(verdict: Verdict, found: Findings, source: Source) -> list[str]:
    loop = verdict.loop
    lines = [f"{source.name}:{loop.span.line}: {source.line(loop.span.line)}", ""]
    if verdict.is_parallel:
        text = f"The loop over {loop.iterator} is parallel: no iteration depends on another."
        return lines + wrapped(text, 0, 0) + _assumed_lines(found)
    if not needs_reason(verdict):
        lines += wrapped(f"The loop over {loop.iterator} is {verdict_text(verdict)}:", 0, 0)
        return [*lines, "what is declared in a loop exists once for each iteration."]
    rows = merged_rows(_shared(verdict))
    text = f"The loop over {loop.iterator} is not parallel. Its iterations depend on each other"
    lines += wrapped(f"{text} in {_ways(len(rows))}:", 0, 0)
    for row, shown in rows.items():
        lines += ["", *_row_lines(row, shown, found, source)]
    return lines + _help_lines(verdict, rows)


def _shared(verdict: Verdict) -> list[Finding]:
    """The obstacles that are none of variables which each iteration has for itself."""
    own = verdict.remedy.declared_inside if verdict.remedy is not None else ()
    return [each for each in verdict.obstacles if each.array not in own]


def _ways(count: int) -> str:
    return "one way" if count == 1 else f"{count} ways"


def _row_lines(row: Row, shown: Sequence[Finding], found: Findings, source: Source) -> list[str]:
    """A dependence with the lines of both ends and one pair of iterations."""
    kinds = kinds_text(shown, " and ")
    noun = "dependences" if " " in kinds else "dependence"
    title = f"{kinds} {noun} through {row.array}, distance {row.distance}"
    lines = wrapped(f"{title}: {remarks_text(row)}", 2)
    for number in sorted({row.source.line, row.sink.line}):
        lines.append(f"    {number} | {source.line(number)}")
    return lines + pair_sentences(shown, found.scop)


def pair_sentences(shown: Sequence[Finding], scop: Scop) -> list[str]:
    """One pair of iterations for each kind of dependence."""
    sentences = dict.fromkeys(str(witness(each.dependence, scop)) for each in shown)
    for reading in [each for each in sentences if each.endswith(" to read first")]:
        writing = reading.removesuffix("read first") + "write first"
        if writing in sentences:
            both = reading.removesuffix("read first") + "read and write first"
            sentences = dict.fromkeys(
                both if each == reading else each for each in sentences if each != writing
            )
    return [line for each in sentences for line in wrapped(each, 4, 2)]


def _help_lines(verdict: Verdict, rows: dict[Row, list[Finding]]) -> list[str]:
    advice = _remedies(verdict.remedy) if verdict.remedy is not None else _ways_out(rows)
    if not advice:
        return []
    return ["", "What would help:"] + [
        line for each in advice for line in wrapped(f"- {each}", 2, 2)
    ]


def _remedies(remedy: Remedy) -> list[str]:
    advice: list[str] = []
    for each in remedy.copied:
        name, variable = remedy.named(each), remedy.scop.array(each).variable
        text = f"A private copy of {name} for each iteration: no value of it passes from one to"
        text += " another."
        if each in remedy.dropped:
            text += f" This supposes that nobody needs {name} after the region; a local variable,"
            text += f" or __pencil_kill({variable}) at the end, says so."
        advice.append(text)
    for each in remedy.reassociated:
        text = f"If the {gathering(each)} in {remedy.named(each.array)} may be reassociated, its"
        text += " steps may run in any order."
        if rounds_steps(each.operator, remedy.scop.array(each.array).element_type):
            text += " Floating-point results may then differ in their last digits."
        advice.append(text)
    return advice


def _ways_out(rows: dict[Row, list[Finding]]) -> list[str]:
    """What the programmer may know and the analysis cannot."""
    unsure = dict.fromkeys(
        row.array for row, shown in rows.items() if any(map(_is_touched_by_data, shown))
    )
    if not unsure or len(unsure) < len({row.array for row in rows}):
        return []
    names = listed(list(unsure))
    return [
        f"Which elements of {names} are touched depends on data. If you know that no two iterations"
        " touch the same one, write #pragma pencil independent in front of the loop."
    ]


def _is_touched_by_data(finding: Finding) -> bool:
    """Does a reference stand for several elements, of which data choose one?"""
    ends = finding.dependence.source, finding.dependence.sink
    return any(not each.access.may.is_single_valued() for each in ends)


# --- a statement ----------------------------------------------------------------------------------


@record(eq=False)
class Section:
    """One side of a statement: the dependences, and what crosses the border of the region."""

    title: str
    findings: tuple[Finding, ...]
    others_come_first: bool
    crossing: str = ""


def _statement_lines(statement: Statement, found: Findings, source: Source) -> list[str]:
    line, name = statement.span.line, statement.name
    lines = [f"{source.name}:{line}: {source.line(line)}"]
    for each in found.kept:
        lines += ["", *_kept_lines(each)] if each.statement is statement else []
    sections = [each for each in _sections(statement, found) if each.findings or each.crossing]
    for section in sections:
        lines += ["", section.title]
        for row, shown in merged_rows(section.findings).items():
            lines += _other_lines(row, shown, found, source, section.others_come_first)
        lines += wrapped(section.crossing, 2) if section.crossing else []
    return lines if sections else [*lines, "", f"{name} depends on nothing."]


def _kept_lines(loop: KeptLoop) -> list[str]:
    """That a loop is part of a statement, and why."""
    what = f"The loop over {loop.iterator}" if loop.iterator else "The loop"
    where = "" if loop.is_all else f" {loop.place}"
    text = f"{what}{where} is kept whole, as {'' if loop.is_all else 'a part of '}"
    text += f"{loop.statement.name}: {loop.reason}. Its iterations stay in their order."
    return wrapped(text, 0, 0)


def _sections(statement: Statement, found: Findings) -> list[Section]:
    name, kinds = statement.name, (Kind.ANTI, Kind.OUTPUT)
    coming = _crossing(found.dependences.may_live_in, statement, found)
    going = _crossing(found.dependences.may_live_out, statement, found)
    return [
        Section(
            f"{name} needs",
            _findings(found, (Kind.FLOW,), sink=name),
            True,
            f"{coming}: what is there before the region" if coming else "",
        ),
        Section(
            f"{name} is needed by",
            _findings(found, (Kind.FLOW,), source=name),
            False,
            f"what comes after the region: {going}" if going else "",
        ),
        Section(
            f"{name} overwrites what is used before by", _findings(found, kinds, sink=name), True
        ),
        Section(
            f"{name} uses what is overwritten afterwards by",
            _findings(found, kinds, source=name),
            False,
        ),
        Section(
            f"{name} reads what is read before by", _findings(found, (Kind.INPUT,), sink=name), True
        ),
    ]


def _findings(
    found: Findings, kinds: Sequence[Kind], source: str | None = None, sink: str | None = None
) -> tuple[Finding, ...]:
    """The dependences of these kinds from or to a statement; to itself is told once, as to."""
    ends = [
        (each, each.dependence.source.statement.name, each.dependence.sink.statement.name)
        for each in found.rows
        if each.dependence.kind in kinds
    ]
    if sink is not None:
        return tuple(each for each, _, later in ends if later == sink)
    return tuple(each for each, first, later in ends if first == source != later)


def _crossing(relation: isl.UnionMap, statement: Statement, found: Findings) -> str:
    """The elements that the instances of a statement get from outside, or leave there."""
    instances = isl.UnionSet.from_set(isl.Set.universe(statement.domain.get_space()))
    elements = by_array(relation.intersect_domain(instances).range(), found.scop)
    context = found.scop.context
    return listed([elements_text(each.array, each.elements, context) for each in elements])


def _other_lines(
    row: Row, shown: Sequence[Finding], found: Findings, source: Source, is_source: bool
) -> list[str]:
    """The other end of a dependence: where it is, its text, and one pair of iterations."""
    other = row.source if is_source else row.sink
    verb = listed(list(dict.fromkeys(_verb(each.dependence.kind, is_source) for each in shown)))
    distance = f"distance {row.distance}, " if row.distance != "-" else ""
    place = f"{other.statement} on line {other.line}, which {verb} {other.reference}"
    lines = wrapped(f"{place}: {distance}{remarks_text(row)}", 2)
    lines.append(f"    {other.line} | {source.line(other.line)}")
    return lines + pair_sentences(shown, found.scop)


def _verb(kind: Kind, is_source: bool) -> str:
    if kind is Kind.FLOW:
        return "writes" if is_source else "reads"
    if kind is Kind.INPUT:
        return "reads"
    return ("reads" if kind is Kind.ANTI else "writes") if is_source else "overwrites"
