"""The tuner for Python: :func:`tune`, and a result that explains itself."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from math import inf
from pathlib import Path
from typing import cast

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.basics.spans import Span, whole_file
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.compilers import COMPILER, Compiler
from loopwright.frontend.reading import source_of
from loopwright.report.tuning_html import tuning_frame
from loopwright.report.tuning_texts import tuning_text
from loopwright.report.tuning_versions import TunedFunction, TunedVersion
from loopwright.targets.machine import Machine
from loopwright.tuned.reports import tuned_function
from loopwright.tuning.executors import LocalPool
from loopwright.tuning.machines import machine_of_system
from loopwright.tuning.problems import (
    Asked,
    Place,
    Problem,
    Source,
    compiler_identity,
    problems_of,
    processor_name,
)
from loopwright.tuning.running import threads as usual_threads
from loopwright.tuning.store import Store, StoreProblem, opened, refused_store
from loopwright.tuning.toolchain import CannotRun, Toolchain
from loopwright.tuning.tries import Workers
from loopwright.tuning.tuner import Terms, Tuned, tuned_program

RUNNABLE = "it must compile with --cc and --cflags, and run; optimize needs no run"


@record(eq=False)
class TuneResult:
    """The best program that was found, and all versions that were tried."""

    tuned: Tuned
    functions: tuple[TunedFunction, ...]

    @property
    def code(self) -> str:
        """The new program as text."""
        return self.tuned.content.decode(errors="surrogateescape")

    @property
    def flags(self) -> tuple[str, ...]:
        """What else the compiler is to be told."""
        return self.tuned.flags

    @property
    def gain(self) -> float:
        """How many times as fast as the original it is; of several functions, the least."""
        return min(each.found.gain for each in self.tuned.problems)

    @property
    def best(self) -> tuple[str, ...]:
        """What was best for each function, in a phrase."""
        return tuple(each.found.best.label for each in self.tuned.problems)

    @property
    def trials(self) -> tuple[TunedVersion, ...]:
        """All versions that were tried."""
        return tuple(version for each in self.functions for version in each.versions)

    @property
    def explanation(self) -> str:
        """The report that ``loopwright tune`` prints."""
        return tuning_text(self.functions)

    def _repr_html_(self) -> str:
        """The result in a notebook."""
        return tuning_frame(self.functions)


@record
class Measures:
    """For which sizes and how many threads there is tuning, and to which depth orders differ."""

    sizes: tuple[tuple[str, int], ...] = ()
    threads: int | None = None
    depth: int | None = None


def problems_in(
    source: Source, machine: Machine, compiler: Sequence[str], measures: Measures
) -> list[Problem]:
    """What there is to tune in a program, on this machine."""
    folder = Path(source.name).parent
    toolchain = Toolchain(
        tuple(compiler[:1]), tuple(compiler[1:]), source.options.flags(), folder.absolute()
    )
    place = Place(machine, processor_name(), compiler_identity(toolchain))
    count = measures.threads or usual_threads()
    return problems_of(source, place, toolchain, dict(measures.sizes), count, measures.depth)


def tune(
    path_or_text: str | Path,
    *,
    budget: float = 300.0,
    candidates: int | None = None,
    sizes: Mapping[str, int] | None = None,
    threads: int | None = None,
    depth: int | None = None,
    store: str | Path | None = None,
    resume: bool = False,
    compiler: str = COMPILER,
    machine: Machine | None = None,
    function: str | None = None,
    include: Sequence[str] = (),
    define: Sequence[str] = (),
    context: str | None = None,
    system_include: Sequence[str] = (),
    standard: str = "gnu11",
    assume_non_negative: bool = False,
    autodetect: bool = False,
) -> TuneResult:
    """The fastest version of a program that is found by running many, within ``budget`` seconds.

    Each is proved, compiled, and checked bit for bit.  There are at most so many ``candidates``, if
    that is said; functions are called with made-up arguments, for the ``sizes`` that are given.
    Trials are kept in a ``store``, if one is named, and ``resume`` goes on with those that it has.
    Without a ``machine`` it is the one that this runs on.  A limit that makes no sense is
    a :class:`ValueError`; a program that cannot be read or run, or a store that cannot be used, an
    :class:`InputError`.
    """
    _require_sense(budget, candidates, threads, depth)
    _require_whole(sizes or {})
    name, content = source_of(path_or_text)
    called = Compiler.called(compiler)
    options = ReadOptions(tuple(include), tuple(system_include), tuple(define), standard, called)
    asked = Asked(function, context, assume_non_negative, autodetect)
    source = Source(name, content, options, asked)
    measures = Measures(tuple((sizes or {}).items()), threads, depth)
    machine = machine or machine_of_system()
    terms = Terms(budget, candidates, resumes=resume)
    trials = nullcontext() if store is None else open_store(Path(store))
    with runnable(source), trials as known, LocalPool(machine_of_system().cores) as pool:
        problems = problems_in(source, machine, [*called.command, *called.flags], measures)
        return result_of(tuned_program(problems, known, Workers(pool, pool.width), terms))


@contextmanager
def runnable(source: Source) -> Generator[None]:
    """A program that cannot be run is a mistake of the user's."""
    try:
        yield
    except CannotRun as problem:
        scops = source.reading().scops
        span: Span = scops[0].span if scops else whole_file(source.name)
        message = f"the program cannot be tuned: {problem.reason}"
        raise InputError(Diagnostic("LW605", message, span, problem.hint or RUNNABLE)) from None


@contextmanager
def open_store(path: Path, *, only_reading: bool = False) -> Generator[Store]:
    """The open store; one that cannot be used is a mistake of the user's."""
    try:
        with closing(opened(path, only_reading=only_reading)) as store:
            yield store
    except StoreProblem as problem:
        raise refused_store(path, problem) from None


def _require_sense(
    budget: float, candidates: int | None, threads: int | None, depth: int | None
) -> None:
    if not 0 < budget < inf:
        raise ValueError(f"budget is {budget}: it is a positive number of seconds")
    limits = (("candidates", candidates, 2), ("threads", threads, 1), ("depth", depth, 1))
    for name, value, least in limits:
        if value is not None and value < least:
            raise ValueError(f"{name} is {value}: it is at least {least}")


def _require_whole(sizes: Mapping[str, int]) -> None:
    for name, value in sizes.items():
        if isinstance(value, bool) or not isinstance(cast("object", value), int):
            raise ValueError(f"the size {name} is {value}: it is a whole number")


def result_of(found: Tuned) -> TuneResult:
    """What was found, with its reports."""
    return TuneResult(found, tuple(map(tuned_function, found.problems)))
