"""What the tuner has found, in the values that reports are made of."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import cast

from loopwright.basics.records import record
from loopwright.choosing import executed
from loopwright.dependence.analysis import dependences
from loopwright.interleaving.trees import shape_of
from loopwright.report.tuning_versions import (
    Shape,
    Status,
    TunedFunction,
    TunedVersion,
    TuningRun,
)
from loopwright.tuning.candidates import OPTIMIZE, ORIGINAL, Candidate, every
from loopwright.tuning.executors import Executor
from loopwright.tuning.ledger import is_timed
from loopwright.tuning.orders import NoSuchOrder, order_named
from loopwright.tuning.problems import Problem
from loopwright.tuning.running import threads
from loopwright.tuning.standings import Standing, standings
from loopwright.tuning.store import FOUND, LATE, SAME, Run, Trial
from loopwright.tuning.survey import survey_from
from loopwright.tuning.tuner import TunedProblem
from loopwright.tuning.versions import Failure

SHAPING_SECONDS = 10.0

Texts = Callable[[str], bytes | None]
Shapes = Mapping[tuple[int, str], Shape]
"""The fusion structure of an order of a region."""


@record(eq=False)
class _Around:
    """What versions need: texts by their digests, structures, and how fast ``optimize`` is."""

    texts: Texts
    shapes: Shapes
    optimize: Standing | None


def tuned_function(tuned: TunedProblem, shapes: Shapes | None = None) -> TunedFunction:
    """One function with all its versions."""
    problem, survey = tuned.problem, tuned.survey
    original = every(problem.regions, ORIGINAL)
    optimize = every(problem.regions, OPTIMIZE)
    known = standings(original.key, min(survey.baseline.times), tuned.trials)
    made = {each.candidate.key: each for each in tuned.trials if each.rung == 0}
    firsts = _firsts(tuned.trials)
    own = known.get(_first(optimize, made, firsts).key)
    around = _Around(tuned.texts, shapes or {}, own)
    versions = [
        _version(each, known.get(each.candidate.key), around)
        for each in made.values()
        if each.status != LATE
    ]
    scops = problem.source.reading().scops
    spans = [scops[at].span for at in problem.regions]
    best = tuned.found.best
    return TunedFunction(
        problem.function,
        problem.source.name,
        (min(each.line for each in spans), max(each.end_line for each in spans)),
        problem.runnable().shown(dict(survey.baseline.real)),
        _machine(problem),
        compiler_text(problem, ()),
        problem.threads or threads(),
        tuned.begun,
        tuple(versions),
        original.key,
        _first(optimize, made, firsts).key,
        best.key,
        _decoded(problem.source.content),
        _text_of(best, made, around) or _decoded(problem.source.content),
        compiler_text(problem, best.flags),
    )


def _firsts(trials: Sequence[Trial]) -> dict[tuple[str, tuple[str, ...]], Candidate]:
    """The candidate that each text was first seen with."""
    found: dict[tuple[str, tuple[str, ...]], Candidate] = {}
    for each in trials:
        if each.rung == 0 and each.status == FOUND:
            found.setdefault((each.text, each.candidate.flags), each.candidate)
    return found


def _first(
    candidate: Candidate,
    made: Mapping[str, Trial],
    firsts: Mapping[tuple[str, tuple[str, ...]], Candidate],
) -> Candidate:
    trial = made.get(candidate.key)
    if trial is None or trial.status != SAME:
        return candidate
    return firsts.get((trial.text, candidate.flags), candidate)


def _version(trial: Trial, standing: Standing | None, around: _Around) -> TunedVersion:
    gain = None if standing is None else standing.gain
    usual = around.optimize
    over = gain / usual.gain if gain is not None and usual is not None else None
    content = around.texts(trial.text) if trial.text else None
    shapes = [around.shapes.get((at, each.order)) for at, each in trial.candidate.choices]
    return TunedVersion(
        trial.candidate.key,
        trial.candidate.label,
        cast("Status", trial.status),
        trial.reason,
        standing.times if standing is not None else (),
        gain,
        over,
        tuple(each for each in shapes if each is not None) if None not in shapes else (),
        _decoded(content) if content is not None else None,
    )


def _text_of(best: Candidate, made: Mapping[str, Trial], around: _Around) -> str | None:
    trial = made.get(best.key)
    content = around.texts(trial.text) if trial is not None and trial.text else None
    return None if content is None else _decoded(content)


def _machine(problem: Problem) -> str:
    machine, name = problem.place.machine, problem.place.processor
    cores = f"{machine.cores} core{'' if machine.cores == 1 else 's'}"
    return ", ".join([*([name] if name else []), cores])


def compiler_text(problem: Problem, flags: Sequence[str]) -> str:
    """How the program is compiled, with more flags."""
    toolchain = problem.toolchain
    return shlex.join((*toolchain.command, *toolchain.flags, *flags))


def _decoded(content: bytes) -> str:
    return content.decode(errors="replace")


# --- fusion structures ----------------------------------------------------------------------------


def structures(tuned: TunedProblem, executor: Executor) -> Shapes:
    """The structure of each order that was timed, as far as there is time to find it."""
    timed = {each.candidate for each in tuned.trials if is_timed(each)}
    wanted = {(at, each.order) for one in timed for at, each in one.choices}
    found: dict[tuple[int, str], Shape] = {}
    for region in tuned.problem.regions:
        names = sorted(order for at, order in wanted if at == region)
        step = partial(_shapes, tuned.problem, region, names)
        for _, answer in executor.run([step], SHAPING_SECONDS):
            shapes = {} if isinstance(answer, Failure) else answer
            found |= {(region, name): shape for name, shape in shapes.items()}
    return found


def _shapes(problem: Problem, region: int, names: Sequence[str], _folder: Path) -> dict[str, Shape]:
    scop = problem.source.reading().scops[region]
    known = dependences(scop)
    found: dict[str, Shape] = {ORIGINAL: shape_of(executed(scop))}
    for name in names:
        with suppress(NoSuchOrder):
            found.setdefault(name, shape_of(order_named(name, known)))
    return found


# --- runs -----------------------------------------------------------------------------------------


def tuning_run(run: Run, trials: Sequence[Trial]) -> TuningRun:
    """A run of the store in a line."""
    labels = {each.candidate.key: each.candidate.label for each in trials}
    sizes = survey_from(run.baseline).baseline.real
    is_ended = run.ended is not None
    return TuningRun(
        run.number,
        run.function,
        run.file,
        dict(sizes),
        run.begun,
        is_ended,
        labels.get(run.best or "", ""),
        run.gain if is_ended else None,
        run.over_optimize if is_ended else None,
    )
