"""Scripts on programs: the order that a script makes, what forbids it, and the new program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import islpy as isl

from loopwright.apart import unprotected
from loopwright.basics.diagnostics import Diagnostic, InputError, shortened
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.choosing import NothingToGain, Wanted
from loopwright.codegen.generation import generate
from loopwright.dependence.analysis import dependences
from loopwright.fates import Outcome
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question
from loopwright.model.dependences import Dependences
from loopwright.model.schedules import Schedule
from loopwright.model.scop import Scop
from loopwright.pipeline import optimize_source, read_all
from loopwright.scheduling.api import schedule
from loopwright.scheduling.constraints import ScheduleConstraints
from loopwright.script.filling import Inside
from loopwright.script.interpreter import Run, run
from loopwright.script.judging import Ordered, judged
from loopwright.script.operations import NotPossible
from loopwright.script.syntax import Step, script_of
from loopwright.script.timetable import Timetable, timetable_of, tree_of
from loopwright.script.tokens import Source
from loopwright.targets.cpu import Mapped
from loopwright.targets.work import ParallelLoop

ELSEWHERE = "the script is about another region"


class IllegalScript(Exception):
    """The order of a script is not a correct one; the diagnostics say why."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("\n".join(map(str, diagnostics)))
        self.diagnostics = diagnostics


@record
class Script:
    """A script, what messages call it, and where the scripts are that it includes."""

    name: str
    text: str
    folder: Path = Path()
    showing: Callable[[str, str], None] | None = None
    """Whom to show the loops after each step."""

    @property
    def source(self) -> Source:
        """The text with its places."""
        return Source(self.name, self.text)

    def included(self, path: str, span: Span) -> Source:
        """A script that it includes."""
        place = self.folder / path
        try:
            return Source(str(place), place.read_text(encoding="utf-8"))
        except OSError as error:
            reason = (error.strerror or "it cannot be read").lower()
        except UnicodeDecodeError:
            reason = "it is not text in UTF-8"
        raise InputError(Diagnostic("LW815", f"cannot read {path}: {reason}", span))

    def run(self, scop: Scop, table: Timetable, found: Dependences | None = None) -> Run:
        """What it makes of a region; its dependences are asked for once, if a step needs them."""
        parameters = frozenset(each.name for each in scop.parameters)
        known = cache(lambda: found or dependences(scop))
        return run(self.source, table, parameters, self.included, partial(_scheduled, known))

    def ordered(self, scop: Scop, found: Dependences) -> Ordered:
        """The order that it makes of a region, if that is a correct one."""
        table = timetable_of(scop)
        done = self.run(scop, table, found)
        if self.showing is not None:
            for each in done.steps:
                code = generate(tree_of(each.table), context=scop.context).to_c()
                self.showing(each.title, code)
        result = judged(done, table, found)
        if result.wrong:
            raise IllegalScript(result.wrong)
        return result


def _scheduled(known: Callable[[], Dependences], inside: Inside) -> isl.Schedule:
    """The scheduler's order for what is inside of some loops of a region."""
    found = known()
    near = found.flow.union(found.false).intersect(inside.together)
    asked = ScheduleConstraints(inside.domain, near, near, near, context=found.scop.context)
    try:
        return schedule(asked).tree
    except (TimeoutError, ValueError):
        raise NotPossible("the scheduler finds no order", "give it a smaller component") from None


def run_script(scop: Scop, text: str) -> Schedule:
    """The order that a script makes of a region; :class:`IllegalScript` if it is not a correct one.

    >>> from loopwright import read_c
    >>> program = '''void f(int n, double A[n][n]) {
    ... #pragma scop
    ...   for (int i = 0; i < n; i++)
    ...     for (int j = 0; j < n; j++)
    ...       Twice: A[j][i] = 2 * A[j][i];
    ... #pragma endscop
    ... }'''
    >>> (scop,) = read_c(program)
    >>> from loopwright import generate
    >>> print(generate(run_script(scop, "interchange(Twice, 1, 2)").tree).to_c(), end="")
    for (int c0 = 0; c0 < n; c0 += 1)
      for (int c1 = 0; c1 < n; c1 += 1)
        Twice(c1, c0);
    """
    return Schedule(Script("script", text).ordered(scop, dependences(scop)).tree)


def script_source(
    name: str,
    content: bytes,
    options: ReadOptions,
    question: Question,
    script: Script,
    wanted: Wanted,
    beginning: Callable[[int], None] = lambda _: None,
) -> Outcome:
    """The program with the regions that a script names in the order of the script."""
    given = replace(wanted, chooser=_chooser(script))
    result = optimize_source(
        name, content, options, question, given, beginning, unprotected, read_all
    )
    if all(each.reason == ELSEWHERE for each in result.regions):
        # No region has it: that is an error, and the script says where.
        scop = result.regions[0].scop
        script.run(scop, timetable_of(scop))
    for each in result.regions:
        if each.note is not None and each.note.code == "LW601":
            reason = each.note.message.partition(": ")[2]
            message = f"the order of the script cannot be written: {reason}"
            raise InputError(Diagnostic("LW814", shortened(message), script.source.span(0, 0)))
    result.require_no_mistake()
    return result


def _chooser(script: Script) -> Callable[[Scop, Dependences], Mapped]:
    first = _first_component(script)

    def choose(scop: Scop, found: Dependences) -> Mapped:
        if first is not None and first not in timetable_of(scop).components:
            raise NothingToGain(ELSEWHERE, found)
        ordered = script.ordered(scop, found)
        parallel = {name: ParallelLoop(private=arrays) for name, arrays in ordered.private.items()}
        return Mapped(ordered.tree, parallel=parallel, told=ordered.told)

    return choose


def _first_component(script: Script) -> str | None:
    """The first name that the script says something about, if it says anything itself."""
    steps = (each for each in script_of(script.source) if isinstance(each, Step))
    names = (getattr(each, "text", None) for step in steps for each in step.arguments[:1])
    return next(names, None)
