"""What ``loopwright tune`` does once its options are read."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Generator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import NoReturn

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.basics.spans import whole_file
from loopwright.cli.children import INTERRUPTED, PASSED_ON, handling
from loopwright.cli.files import Reporting, require_writable, say, tell_notes, write
from loopwright.cli.tuning_progress import Display
from loopwright.cli.working import Form
from loopwright.fates import Outcome
from loopwright.report.differences import difference
from loopwright.report.table import wrapped
from loopwright.report.tuning_html import tuning_html
from loopwright.report.tuning_texts import runs_text, tuning_document, tuning_text, versions_text
from loopwright.report.tuning_versions import TunedFunction
from loopwright.targets.machine import Machine
from loopwright.tuned.api import Measures, open_store, problems_in, runnable
from loopwright.tuned.reports import structures, tuned_function, tuning_run
from loopwright.tuning.executors import LocalPool
from loopwright.tuning.machines import machine_of_system
from loopwright.tuning.problems import Problem, Source, problem_of_run
from loopwright.tuning.store import Run, Store
from loopwright.tuning.tries import Workers
from loopwright.tuning.tuner import Terms, Tuned, TunedProblem, remembered, tuned_program

ADDRESS = r"(?:(?:tcp|tls|ws|wss)://)?(?:[^\s/:]+|\[[0-9a-fA-F:]+\]):[0-9]{1,5}"
"""Of a scheduler."""
SAME_INTERRUPT = 1.0
"""Seconds: an interrupt that follows so soon is the same one to an impatient user."""


@record
class Asking:
    """How much to try, and for what: the budget is in seconds."""

    budget: float
    candidates: int | None
    resumes: bool
    measures: Measures


@record(eq=False)
class Tuning:
    """A command to tune a program."""

    form: Form
    asking: Asking
    store: Path
    html: Path | None
    cluster: str | None
    machine: Machine
    compiler: tuple[str, ...]

    def __call__(self, source: Source) -> None:
        """Do it all."""
        with Reporting(source.name, source.content), _leaving():
            require_writable(self.form.output, self.html)
            tell_notes(source.reading(), source.name, source.content)
            with runnable(source):
                problems = problems_in(source, self.machine, self.compiler, self.asking.measures)
                with open_store(self.store) as store, self._workers(problems[0]) as workers:
                    found = self._tuned(problems, store, workers)
                    functions = self._functions(found, workers)
            self._tell(found, functions)
            self._write(source, found, functions)
        if found.is_interrupted:
            raise SystemExit(INTERRUPTED)

    def _tuned(self, problems: Sequence[Problem], store: Store | None, workers: Workers) -> Tuned:
        asking, display = self.asking, Display(is_quiet=self.form.is_quiet)
        terms = Terms(asking.budget, asking.candidates, asking.resumes, display.show, display.note)
        with display:
            return tuned_program(problems, store, workers, terms)

    @contextmanager
    def _workers(self, problem: Problem) -> Generator[Workers]:
        if self.cluster is None:
            with LocalPool(machine_of_system().cores) as pool:
                yield Workers(pool, pool.width)
            return
        if re.fullmatch(ADDRESS, self.cluster) is None:
            raise _no_cluster(self.cluster, "an address is written as tcp://host:8786")
        from loopwright.tuning.cluster import ClusterExecutor, ClusterProblem

        try:
            place, toolchain = problem.place, problem.toolchain
            with ClusterExecutor(self.cluster, place, toolchain, _tell_worker) as cluster:
                yield Workers(cluster, cluster.width, cluster.lanes)
        except ClusterProblem as error:
            raise _no_cluster(self.cluster, error.reason) from None

    def _functions(self, found: Tuned, workers: Workers) -> list[TunedFunction]:
        """What reports tell; fusion structures are only for pages."""
        if self.html is None:
            return [tuned_function(each) for each in found.problems]
        # Those of a cluster may be gone.
        here = nullcontext(workers.executor) if self.cluster is None else LocalPool(1)
        with here as executor:
            return [tuned_function(each, structures(each, executor)) for each in found.problems]

    def _tell(self, found: Tuned, functions: Sequence[TunedFunction]) -> None:
        if self.form.is_quiet:
            return
        say(tuning_text(functions))
        for each in found.proofs:
            say("".join(f"{line}\n" for line in wrapped(each, 2)))
        if found.is_interrupted:
            say("the search was ended; --resume goes on with it\n")

    def _write(self, source: Source, found: Tuned, functions: Sequence[TunedFunction]) -> None:
        form = self.form
        if form.as_json:
            code = found.content.decode(errors="surrogateescape")
            write(_json(tuning_document(functions, code)), form.output)
        elif form.as_diff:
            new = Outcome(source.name, source.content, found.content, (), self.machine)
            write(difference(new), form.output)
        else:
            write(found.content, form.output)
        if self.html is not None:
            write(tuning_html(functions), self.html)


@record(eq=False)
class Showing:
    """A command to tell what a store has."""

    store: Path
    as_json: bool
    output: Path | None

    def __call__(self, source: Source | None) -> None:
        """Tell about all runs, or about those on one program."""
        name, content = (source.name, source.content) if source is not None else ("", b"")
        is_there = self.store.exists()
        opening = open_store(self.store, only_reading=True) if is_there else nullcontext()
        with Reporting(name, content), opening as store:
            if source is None:
                self._runs(store)
            else:
                self._functions(source, store)

    def _runs(self, store: Store | None) -> None:
        runs = (
            [] if store is None else [tuning_run(each, store.trials(each)) for each in store.runs()]
        )
        if self.as_json:
            write(_json({"runs": [asdict(each) for each in runs]}), self.output)
        else:
            write(runs_text(runs), self.output)

    def _functions(self, source: Source, store: Store | None) -> None:
        """The last run of each function."""
        source.reading()
        latest: dict[str, Run] = {}
        for each in [] if store is None else store.runs(source.digest):
            latest.setdefault(each.function, each)
        found: list[TunedProblem] = []
        for each in latest.values():
            assert store is not None
            found.append(remembered(problem_of_run(source, each.document), each, store))
        functions = [tuned_function(each) for each in found]
        if self.as_json:
            write(_json(tuning_document(functions)), self.output)
        elif functions:
            write("\n".join(map(versions_text, functions)), self.output)
        else:
            write(f"{source.name} was not tuned yet\n", self.output)


def _json(document: object) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


@contextmanager
def _leaving() -> Generator[None]:
    """Who ends this process ends it in order: what runs is ended, and folders are removed.

    An interrupt ends the search, and another one all that is done after that; if it follows at
    once, it is meant for the search, too.
    """
    patience = 0.0

    def leave(number: int, _frame: object) -> NoReturn:
        raise SystemExit(128 + number)

    def interrupt(_number: int, _frame: object) -> None:
        nonlocal patience
        if monotonic() > patience:
            patience = monotonic() + SAME_INTERRUPT
            raise KeyboardInterrupt

    with handling(PASSED_ON, leave), handling((signal.SIGINT,), interrupt):
        try:
            yield
        except KeyboardInterrupt:
            say("ended before the result was written; --resume goes on with what is known\n")
            raise
    if patience:
        # All that is left to do is to leave with the right status.
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _tell_worker(text: str) -> None:
    say(f"{text}\n")


def _no_cluster(address: str, reason: str) -> InputError:
    message = f"the cluster cannot be used: {reason}"
    hint = "start one with dask scheduler and dask worker, or leave out --cluster"
    return InputError(Diagnostic("LW607", message, whole_file(address), hint))
