"""A case scheduled and judged by the laws, within a time; and smaller cases that fail alike."""

from __future__ import annotations

import signal
import traceback
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import cache

import islpy as isl

from loopwright import constraints_of, dependences, read_c, schedule
from loopwright.basics.diagnostics import InputError
from loopwright.model.dependences import Dependences
from loopwright.model.schedules import Schedule
from loopwright.model.scheduling_trace import KeptOriginal
from loopwright.polyhedra.schedule_trees import block_text
from loopwright.scheduling.constraints import ScheduleConstraints
from loopwright.scheduling.options import PPCG, SchedulerOptions
from tests.codegen.laws import Verdict
from tests.codegen.reductions import smaller_unions

from .laws import Broken, broken_laws, broken_laws_of_program
from .oracle import scheduled_by_isl
from .random_constraints import RELATIONS, Case

SLOW_SECONDS = 20.0
"""Seconds of the processor; a case that takes longer is reported as slow."""

TOO_COMPLEX = "LW701"
"""Whether a schedule is legal may be too hard a question, too."""

KEPT = Verdict("kept")


def verdict(case: Case, seconds: float = SLOW_SECONDS) -> Verdict:
    """All laws for our schedule of a case."""
    try:
        with _at_most(seconds):
            broken = _broken_laws(case)
    except _Slow as error:
        return Verdict("slow", _place_of(error))
    except _NoCase as error:
        return Verdict("rejected", str(error))
    except _NoSchedule:
        return _without_schedule(case)
    except InputError as error:
        code = error.diagnostics[0].code
        return Verdict("rejected" if code == TOO_COMPLEX else code, str(error))
    except Exception as error:  # a crash is a verdict, too
        lines = traceback.format_exception(error)[-6:]
        return Verdict(f"{type(error).__name__} at {_place_of(error)}", "".join(lines))
    if broken:
        return Verdict(broken[0].law, "\n".join(map(str, broken)))
    return KEPT


class _NoCase(Exception):
    """A program that cannot be analysed."""


class _NoSchedule(Exception):
    """Nothing that respects the constraints was found."""


def _without_schedule(case: Case) -> Verdict:
    """To find none is fine if isl does not find any, either."""
    asked = constraints_of(_dependences(case)) if case.program else case.constraints()
    try:
        tree = scheduled_by_isl(asked, case.options)
    except InputError:
        return Verdict("rejected", "isl has no schedule, either")
    return Verdict("no schedule", f"the one of isl is\n{block_text(tree)}")


def _broken_laws(case: Case) -> list[Broken]:
    if not case.program:
        asked = case.constraints()
        return broken_laws(_scheduled(case.constraints(), case).tree, asked)
    found = _dependences(case)
    made = _scheduled(found, case)
    if any(isinstance(each, KeptOriginal) for each in made.trace.events):
        _scheduled(constraints_of(found), case)  # which says more about what is wrong
        raise _NoSchedule
    return broken_laws(made.tree, constraints_of(found)) + broken_laws_of_program(made.tree, found)


def _scheduled(given: ScheduleConstraints | Dependences, case: Case) -> Schedule:
    try:
        return schedule(given, case.options)
    except ValueError as error:
        if "no schedule meets" in str(error):
            raise _NoSchedule from error
        raise


@cache
def _dependences(case: Case) -> Dependences:
    try:
        (scop,) = read_c(case.program)
        return dependences(scop, live_range_reordering=case.live_range_reordering)
    except InputError as error:
        raise _NoCase(str(error)) from error


def _place_of(error: BaseException) -> str:
    """The last place in the scheduler, or where else it is."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [each for each in frames if "/loopwright/" in each.filename] or frames
    return f"{ours[-1].filename.rpartition('/')[2]}:{ours[-1].name}"


class _Slow(BaseException):
    """No ``Exception``, so that nobody on the way takes it for something else."""


@contextmanager
def _at_most(seconds: float) -> Generator[None]:
    def stop(_signal: int, _frame: object) -> None:
        raise _Slow

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


# --- smaller cases --------------------------------------------------------------------------------


def reduced(case: Case, fails_alike: Callable[[Case], bool], most: int = 400) -> Case:
    """The smallest case that can be reached by reductions that fail alike."""
    best = case
    tries = 0
    candidates = reductions(best)
    while tries < most and (candidate := next(candidates, None)) is not None:
        tries += 1
        if fails_alike(candidate):
            best, candidates = candidate, reductions(candidate)
    return best


def reductions(case: Case) -> Iterator[Case]:
    """All cases that are one step simpler, those first from which most is gone.

    A program becomes its constraints, where that fails alike.
    """
    if case.options != PPCG:
        yield replace(case, options=PPCG)
    if case.program:
        yield _as_constraints(case)
        return
    for name, _ in case.relations:
        yield replace(case, relations=tuple(each for each in case.relations if each[0] != name))
    if case.context != "{ : }":
        yield replace(case, context="{ : }")
    yield from (replace(case, options=each) for each in _plainer(case.options))
    for text in smaller_unions(case.domain, isl.UnionSet):
        yield replace(case, domain=text)
    for name, text in case.relations:
        for smaller in _smaller_relations(text):
            changed = dict(case.relations) | {name: smaller}
            yield replace(case, relations=tuple(changed.items()))


def _plainer(options: SchedulerOptions) -> Iterator[SchedulerOptions]:
    for each in fields(SchedulerOptions):
        if getattr(options, each.name) != each.default:
            yield replace(options, **{each.name: each.default})


def _smaller_relations(text: str) -> Iterator[str]:
    """Fewer pairs; more could be more than any schedule can meet."""
    pairs = isl.UnionMap(text)
    for smaller in smaller_unions(text, isl.UnionMap):
        if isl.UnionMap(smaller).is_subset(pairs):
            yield smaller


def _as_constraints(case: Case) -> Case:
    asked: ScheduleConstraints = constraints_of(_dependences(case))
    relations = [(name, getattr(asked, name)) for name in RELATIONS]
    return Case(
        str(asked.domain),
        tuple((name, str(pairs)) for name, pairs in relations if not pairs.is_empty()),
        context=str(asked.context),
        options=case.options,
    )
