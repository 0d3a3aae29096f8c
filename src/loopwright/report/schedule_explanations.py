"""Why a loop of the new schedule is not parallel, not tilable, not fused: ``--explain LINE``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from loopwright.basics.diagnostics import InputError
from loopwright.model.dependences import Kind
from loopwright.model.scop import Loop, Statement
from loopwright.report.explanations import (
    Source,
    executed,
    nothing_there,
    pair_sentences,
    stands_on,
)
from loopwright.report.references import Finding
from loopwright.report.schedule_decisions import Decisions, Reason
from loopwright.report.schedule_reasons import by_statements, dependence_text, reason_texts
from loopwright.report.schedule_trace import number_word
from loopwright.report.schedule_tree import (
    BandOutline,
    Member,
    bands_in,
    narrowed,
    outline_lines,
    quoted,
)
from loopwright.report.schedules import Rescheduled
from loopwright.report.table import listed, wrapped

MOST_WAYS = 3
"""How many dependences of a loop are told in full."""


def schedule_explanation(regions: Sequence[Rescheduled], line: int, source: Source) -> str:
    """What became of the loops and statements on a line of the source, and why."""
    parts: list[list[str]] = []
    for region in regions:
        tell = _Teller(region, source)
        loops = [each for each in region.scop.loops if stands_on(each.span, line)]
        parts += [tell.loop(each) for each in loops if tell.running(each.statements)]
        told = {name for each in loops for name in each.statements}
        statements = [each for each in executed(region.scop) if stands_on(each.span, line)]
        parts += [tell.statement(each) for each in statements if each.name not in told]
    if not parts:
        loops = [each.span for region in regions for each in region.scop.loops]
        statements = [each.span for region in regions for each in executed(region.scop)]
        raise InputError(nothing_there(loops, statements, line, source))
    return "\n\n".join("\n".join(part) for part in parts)


class _Teller:
    """Tells about one region."""

    def __init__(self, region: Rescheduled, source: Source) -> None:
        self.region = region
        self.scop = region.scop
        self.source = source
        self.reasons = region.reasons
        self.decisions = Decisions(region.schedule.trace, region.reasons, region.outline)
        self.executed = {each.name for each in executed(region.scop)}

    def running(self, names: Iterable[str]) -> list[str]:
        """Those of the statements that do something."""
        return [name for name in names if name in self.executed]

    def loop(self, loop: Loop) -> list[str]:
        """Where the statements of a loop of the source are now, and what its iterations do."""
        names = self.running(loop.statements)
        title = f"The loop over {loop.iterator} runs {listed(names)}, now like this:"
        return self._about(names, title, loop.span.line, loop.iterator)

    def statement(self, statement: Statement) -> list[str]:
        """The loops around a statement."""
        title = f"{statement.name} now runs like this:"
        return self._about([statement.name], title, statement.span.line, None)

    def _about(
        self, names: Sequence[str], title: str, line: int, iterator: str | None
    ) -> list[str]:
        outline = narrowed(self.region.outline, names)
        lines = [f"{self.source.name}:{line}: {self.source.line(line)}", "", title, ""]
        lines += outline_lines(outline, self.scop, 2)
        bands = list(bands_in(outline))
        asked = [
            (band, at)
            for band in bands
            for at, member in enumerate(band.members)
            if iterator is None or _involves(member, iterator)
        ]
        paragraphs = [self._parallel_lines([band.members[at] for band, at in asked])]
        paragraphs += [self._order_lines(band, at) for band, at in asked]
        paragraphs += [self._border_lines(band) for band in bands if any(bands_in(band.body))]
        paragraphs += [self._reason_lines(each) for each in self.decisions.unfused(names)]
        return lines + [line for each in paragraphs if each for line in ("", *each)]

    # --- parallel ---------------------------------------------------------------------------------

    def _parallel_lines(self, members: Sequence[Member]) -> list[str]:
        """Which loops are parallel, in one sentence."""
        parallel = dict.fromkeys(quoted(each) for each in members if each.is_parallel)
        if not parallel:
            return []
        verb = "is" if len(parallel) == 1 else "are"
        text = f"{listed(list(parallel))} {verb} parallel: no iteration depends on another."
        own = list(dict.fromkeys(name for each in members for name in each.own))
        text += f" Each iteration needs its own {listed(own)}." if own else ""
        return wrapped(text, 0, 0)

    def _order_lines(self, band: BandOutline, at: int) -> list[str]:
        """Why a loop is not parallel."""
        member = band.members[at]
        if member.is_parallel:
            return []
        ways = sorted(by_statements(self.reasons.carried(band.node, at)), key=_first_kind)
        if not ways:
            text = f"{quoted(member)} is parallel inside an iteration of the loops around it, but"
            return wrapped(f"{text} not if these change places with it.", 0, 0)
        count = "one way" if len(ways) == 1 else f"{number_word(len(ways))} ways"
        text = f"{quoted(member)} is not parallel. Its iterations depend on each other in {count}:"
        lines = wrapped(text, 0, 0)
        for shown in ways[:MOST_WAYS]:
            lines += ["", *self._way_lines(shown)]
        if len(ways) > MOST_WAYS:
            others = [each for shown in ways[MOST_WAYS:] for each in shown]
            lines += ["", "  and in others:", *_phrases(others, 4)]
        return lines

    def _way_lines(self, shown: Sequence[Finding]) -> list[str]:
        """Dependences with the lines of both ends and one pair of iterations."""
        best = min(shown, key=lambda each: list(Kind).index(each.dependence.kind))
        lines = wrapped(dependence_text(shown), 2)
        ends = best.dependence.source.span.line, best.dependence.sink.span.line
        lines += [f"    {number} | {self.source.line(number)}" for number in sorted(set(ends))]
        return lines + pair_sentences([best], self.scop)

    # --- tilable ----------------------------------------------------------------------------------

    def _border_lines(self, band: BandOutline) -> list[str]:
        """Why what is inside is not part of the band."""
        whole = next(each for each in bands_in(self.region.outline) if each.node is band.node)
        end = self.decisions.end_of(whole)
        if end is None or not end.blockers:
            return []
        loops = listed([quoted(each) for each in band.members])
        verb = "is" if len(band.members) == 1 else "are"
        text = f"{loops} {verb} not tilable with the loops inside. {end.text}"
        return self._reason_lines(Reason(text, end.blockers))

    def _reason_lines(self, reason: Reason) -> list[str]:
        """A sentence, and the dependences that are in the way."""
        if not reason.blockers:
            return wrapped(reason.text, 0, 0)
        found = self.reasons.of(reason.blockers)
        return [*wrapped(f"{reason.text} In the way:", 0, 0), *_phrases(found, 2)]


def _phrases(findings: Sequence[Finding], indent: int) -> list[str]:
    return [line for text in reason_texts(findings) for line in wrapped(text, indent)]


def _first_kind(shown: Sequence[Finding]) -> int:
    """What a value flows through is more telling than what reuses its memory."""
    return min(list(Kind).index(each.dependence.kind) for each in shown)


def _involves(member: Member, iterator: str) -> bool:
    word = re.compile(rf"\b{re.escape(iterator)}\b")
    return any(word.search(text) for text in member.times.values())
