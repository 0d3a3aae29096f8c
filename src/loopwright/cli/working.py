"""What ``loopwright optimize`` does once its options are read, in a process of its own.

Nothing of this module loads the compiler, or the library that reads the command line, before it
is needed: one process needs the former, another the latter.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from loopwright.basics.diagnostics import Diagnostic, InputError, Severity
from loopwright.basics.records import record
from loopwright.cli.files import (
    ANSWER_IS_NO,
    BAD_INPUT,
    Reporting,
    progress,
    say,
    tell,
    told,
    write,
)
from loopwright.cli.guarding import Watch

SCREEN = 40
"""Lines; a report that is longer becomes a summary."""

if TYPE_CHECKING:
    from loopwright.choosing import Wanted
    from loopwright.fates import Outcome
    from loopwright.frontend.clang_library import ReadOptions
    from loopwright.frontend.reading import Question
    from loopwright.model.scop import Scop
    from loopwright.targets.machine import Machine


@record
class Form:
    """What is written, and where."""

    as_json: bool
    as_diff: bool
    output: Path | None
    is_quiet: bool
    certificate: Path | None = None
    """Where to write down what was proved, if anywhere."""
    is_strict: bool = False
    """Is each loss an error?"""
    report: Path | None = None
    """Where to write down what failed, if anywhere."""
    is_verbose: bool = False
    """Is all to be told, however long it is?"""


@record
class Compiling:
    """How to compile a program that is to be run, and with which sizes to call it."""

    command: tuple[str, ...]
    flags: tuple[str, ...]
    sizes: dict[str, int]


@record
class Budget:
    """How many bytes of machine code there may be, and how they are made."""

    size: int
    command: tuple[str, ...]
    flags: tuple[str, ...]


@record
class ScriptFile:
    """A script, and what messages call it; ``steps`` asks for the loops after each step."""

    name: str
    text: str
    folder: Path
    steps: bool = False


@record
class StoredTrials:
    """A store of trials, and how the program was read there."""

    path: Path
    function: str | None
    context: str | None
    assume_non_negative: bool
    autodetect: bool


@record
class Changes:
    """What may become of the loops."""

    reschedule: bool
    prove: bool
    reassociate: bool
    tile_sizes: tuple[int, ...]
    machine: Machine
    script: ScriptFile | None = None
    """What to do, where it is said; nothing else is then done."""
    budget: Budget | None = None
    """How large the program may be, if that matters."""
    trials: StoredTrials | None = None
    """Where it may stand what was best, if somebody has tuned the program."""


@record(eq=False)
class Job:
    """A program, how to read it, and what to do with it."""

    name: str
    content: bytes
    options: Callable[[], ReadOptions]
    question: Callable[[], Question]
    changes: Changes
    form: Form
    compiling: Compiling | None

    def __call__(self, watch: Watch) -> None:
        """Do it all."""
        with Reporting(self.name, self.content):
            options = self.options()
            result = self._optimized(options, watch)
            is_run = self.compiling is None or run_both(self, self.compiling, options, result)
            certificate = self._certificate(options, result)
            _write(self.form, result)
            if certificate:
                write(certificate, self.form.certificate)
        if not is_run:
            raise SystemExit(BAD_INPUT)

    def _optimized(self, options: ReadOptions, watch: Watch) -> Outcome:
        """The new program; what became of the loops is told."""
        from loopwright.choosing import Wanted
        from loopwright.fates import Lost, NoProof
        from loopwright.report.optimizations import optimization_text

        changes = self.changes
        wanted = Wanted(
            changes.reschedule,
            changes.prove,
            changes.machine,
            tile_sizes=changes.tile_sizes,
            reassociates=changes.reassociate,
            deadline=watch.deadline,
            skipped=watch.skipped,
        )
        try:
            result = self._result(options, wanted, watch)
            if self.form.is_strict:
                result.require_all()
        except NoProof as failure:
            tell([failure.diagnostic], self.name, self.content)
            raise SystemExit(ANSWER_IS_NO) from None
        except Lost as losses:
            tell(losses.diagnostics, self.name, self.content)
            raise SystemExit(ANSWER_IS_NO) from None
        text = optimization_text(result) if changes.reschedule and not self.form.is_quiet else ""
        watch.done()
        self._tell(result, text)
        self._report(result, options, wanted)
        return result

    def _report(self, result: Outcome, options: ReadOptions, wanted: Wanted) -> None:
        """Write down what to send of our failures, if somebody wants to."""
        if self.form.report is None:
            return
        from loopwright import __version__
        from loopwright.reducing import report_text

        text = report_text(result, options, self.question(), wanted, __version__)
        if text:
            write(f"{text}\n", self.form.report)
        else:
            say("nothing failed, so that there is nothing to report\n")

    def _tell(self, result: Outcome, text: str) -> None:
        """All of it where that fits a screen, or is wanted; else what matters most."""
        from loopwright.report.summaries import summary_text

        notes = told(result.notes, self.name, self.content)
        if self.form.is_verbose or (notes + text).count("\n") <= SCREEN:
            say(notes + text)
        elif self.form.is_quiet:
            losses = [each for each in result.notes if each.severity is Severity.WARNING]
            tell(losses, self.name, self.content)
        else:
            say(summary_text(result))

    def _certificate(self, options: ReadOptions, result: Outcome) -> str:
        """What was proved, if somebody wants it in writing."""
        if self.form.certificate is None:
            return ""
        from loopwright.certifying import certificate_of
        from loopwright.fates import NoProof
        from loopwright.verify.certificates import certificate_text

        reassociates = self.changes.reassociate
        try:
            found = certificate_of(result, options, self.question(), reassociates=reassociates)
        except NoProof as failure:
            tell([failure.diagnostic], self.name, self.content)
            raise SystemExit(ANSWER_IS_NO) from None
        return certificate_text(found)

    def _result(self, options: ReadOptions, wanted: Wanted, watch: Watch) -> Outcome:
        """As the script says, or what the model finds best."""
        given, question = self.changes.script, self.question()
        if given is None:
            optimizing = partial(self._optimizing, options, question)
            budget, trials = self.changes.budget, self.changes.trials
            if trials is not None:
                return self._as_tuned(optimizing, wanted, trials, options)
            if budget is None:
                return optimizing(wanted)
            return self._fitting(optimizing, wanted, budget, options)
        from loopwright.scripting import IllegalScript, Script, script_source

        script = Script(given.name, given.text, given.folder, say_step if given.steps else None)
        try:
            return script_source(
                self.name, self.content, options, question, script, wanted, watch.begin
            )
        except InputError as error:
            _tell_of_script(error.diagnostics, self, given)
            raise SystemExit(BAD_INPUT) from None
        except IllegalScript as error:
            _tell_of_script(error.diagnostics, self, given)
            raise SystemExit(ANSWER_IS_NO) from None

    def _optimizing(self, options: ReadOptions, question: Question, wanted: Wanted) -> Outcome:
        from loopwright.cli.forks import forked
        from loopwright.pipeline import optimize_source

        return optimize_source(self.name, self.content, options, question, wanted, apart=forked)

    def _as_tuned(
        self,
        optimizing: Callable[[Wanted], Outcome],
        wanted: Wanted,
        trials: StoredTrials,
        options: ReadOptions,
    ) -> Outcome:
        """What was best when the program was tuned; the usual where it was not."""
        from loopwright.tuning.problems import Asked, Source
        from loopwright.tuning.store import StoreProblem
        from loopwright.tuning.stored import outcome_as_tuned, stored_best

        asked = Asked(
            trials.function, trials.context, trials.assume_non_negative, trials.autodetect
        )
        source = Source(self.name, self.content, options, asked)
        try:
            best = stored_best(trials.path, source, wanted.machine)
        except StoreProblem as problem:
            self._note(f"the store {trials.path} is not used: {problem.reason}")
            return optimizing(wanted)
        if best is None:
            return optimizing(wanted)
        found = outcome_as_tuned(optimizing, wanted, best)
        if isinstance(found, str):
            self._note(f"what was best when it was tuned cannot be made any more: {found}")
            return optimizing(wanted)
        for line in best.lines():
            self._note(line)
        return found

    def _note(self, text: str) -> None:
        if not self.form.is_quiet:
            say(f"{text}\n")

    def _fitting(
        self,
        optimizing: Callable[[Wanted], Outcome],
        wanted: Wanted,
        budget: Budget,
        options: ReadOptions,
    ) -> Outcome:
        """The best that fits."""
        from loopwright.tuning.budget import within_budget
        from loopwright.tuning.toolchain import Toolchain

        folder = Path(self.name).parent
        toolchain = Toolchain(budget.command, budget.flags, options.flags(), folder)
        return within_budget(optimizing, wanted, budget.size, toolchain, progress())


def say_step(title: str, code: str) -> None:
    """Print the loops after a step of a script."""
    say(f"after {title}:\n{code}\n")


def _tell_of_script(diagnostics: Sequence[Diagnostic], job: Job, script: ScriptFile) -> None:
    """Messages about a script or about the program."""
    for each in diagnostics:
        is_script = each.span.file == script.name
        text = script.text.encode() if is_script else job.content
        tell([each], script.name if is_script else job.name, text)


def _write(form: Form, result: Outcome) -> None:
    from loopwright.report.differences import difference
    from loopwright.report.optimization_documents import result_document

    if form.as_json:
        document = json.dumps(result_document(result), indent=2, ensure_ascii=False)
        write(document + "\n", form.output)
    elif form.as_diff:
        write(difference(result), form.output)
    elif form.output is None or result.content != result.original or not _is_same(form, result):
        write(result.content, form.output)


def _is_same(form: Form, result: Outcome) -> bool:
    """Would the file that is replaced be the same?"""
    output = form.output
    return output is not None and str(output) == result.name


# --- a run ----------------------------------------------------------------------------------------


def run_both(job: Job, compiling: Compiling, options: ReadOptions, result: Outcome) -> bool:
    """Run the program before and after, and tell what came out; could it be done?

    A program that computes something else ends the command, before anything is written.
    """
    from loopwright.tuning.measuring import Comparison, gain_text, measured
    from loopwright.tuning.running import Different, Program, threads
    from loopwright.tuning.toolchain import CannotRun, Toolchain

    scops = [region.scop for region in result.regions if region.text is not None]
    if not scops:
        say("nothing is new, so that there is nothing to measure\n")
        return True
    toolchain = Toolchain(
        compiling.command,
        compiling.flags,
        options.flags(),
        Path(job.name).parent,
    )
    program = Program(job.name, result.original, options, toolchain, compiling.sizes)
    trial = Comparison(program, result.content, is_exact=not job.changes.reassociate)
    try:
        found = measured(trial, scops, progress())
    except Different as failure:
        tell([_other_results(scops[0], failure.what)], job.name, job.content)
        raise SystemExit(ANSWER_IS_NO) from None
    except CannotRun as problem:
        tell([_not_run(scops[0], problem.reason)], job.name, job.content)
        return False
    command = shlex.join((*compiling.command, *compiling.flags))
    say(f"\nmeasured  ({command}, {threads()} threads)\n")
    for each in found:
        say(f"  {gain_text(each)}\n")
    return True


def _other_results(scop: Scop, what: str) -> Diagnostic:
    message = f"the new program computes something else: {what}"
    hint = "nothing was written"
    return Diagnostic("LW902", message, scop.span, hint)


def _not_run(scop: Scop, reason: str) -> Diagnostic:
    hint = "the new program is written all the same"
    return Diagnostic("LW603", f"the program is not run: {reason}", scop.span, hint)
