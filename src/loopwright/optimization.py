"""The compiler for Python: :func:`optimize`, and a result that explains itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from time import monotonic

import islpy as isl

from loopwright.basics.records import record
from loopwright.choosing import Wanted
from loopwright.fates import Outcome
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.compilers import COMPILER, Compiler
from loopwright.frontend.reading import source_of
from loopwright.model.proofs import Proof
from loopwright.pipeline import optimize_source
from loopwright.report.optimization_html import optimization_html
from loopwright.report.optimizations import optimization_text
from loopwright.targets.machine import Machine
from loopwright.tuning.budget import within_budget
from loopwright.tuning.machines import machine_of_system
from loopwright.tuning.problems import Asked, Source
from loopwright.tuning.store import StoreProblem, refused_store
from loopwright.tuning.stored import outcome_as_tuned, stored_best
from loopwright.tuning.toolchain import Toolchain


@record(eq=False)
class Result(Outcome):
    """The new program, what became of each region, and how to tell it."""

    @property
    def schedule(self) -> tuple[isl.Schedule, ...]:
        """The new order of each region."""
        return tuple(region.schedule for region in self.regions)

    @property
    def proof(self) -> tuple[Proof | None, ...]:
        """For each region that it is the same program; ``None`` if nothing is new, or proved."""
        return tuple(region.proof for region in self.regions)

    @property
    def explanation(self) -> str:
        """The report that ``loopwright optimize`` prints."""
        return optimization_text(self)

    def _repr_html_(self) -> str:
        """The result in a notebook."""
        return optimization_html(self)


def optimize(
    path_or_text: str | Path,
    *,
    reschedule: bool = True,
    prove: bool = True,
    machine: Machine | None = None,
    tile_sizes: Sequence[int] = (),
    reassociate: bool = False,
    code_budget: int | None = None,
    compiler: str = COMPILER,
    tuned: str | Path | None = None,
    timeout: float | None = None,
    function: str | None = None,
    include: Sequence[str] = (),
    define: Sequence[str] = (),
    context: str | isl.Set | None = None,
    system_include: Sequence[str] = (),
    standard: str = "gnu11",
    assume_non_negative: bool = False,
    autodetect: bool = False,
    strict: bool = False,
) -> Result:
    """The program with its regions in another order, which suits the machine.

    Without ``reschedule`` the loops are only generated anew, in the order that they have.  The new
    text is read back and proved to be the same program, unless not to ``prove`` it is wanted.  A
    region that cannot be read, written or proved, or that takes too long, stays as it is and says
    why; to be ``strict`` makes that an error, :class:`~loopwright.Lost`.

    Without a ``machine`` it is a usual one, the same everywhere; ``tile_sizes`` replace its own.
    If it may ``reassociate``, sums are computed in parts.  The proof is about what the
    ``compiler`` sees, and a ``code_budget`` is for the bytes that it makes.  With the store where
    it was ``tuned``, it is what was best.  After about ``timeout`` seconds, the rest stays.

    >>> program = '''void scale(int n, double *A) {
    ... #pragma scop
    ...   for (int i = 1; i < n + 1; i++)
    ...     A[i - 1] = 2 * A[i - 1];
    ... #pragma endscop
    ... }
    ... '''
    >>> result = optimize(program, reschedule=False)
    >>> print(result.code, end="")
    void scale(int n, double *A) {
    #pragma scop
      for (long c0 = 1; c0 <= n; c0++)
        A[c0 - 1] = 2 * A[c0 - 1];
    #pragma endscop
    }
    >>> print(result.proof[0])
    proved: 1 statement runs the instances of 1 exactly once
    """
    reading = tuple(include), tuple(system_include), tuple(define), standard
    options = ReadOptions(*reading, Compiler.called(compiler))
    asked = Asked(function, _text(context), assume_non_negative, autodetect)
    source = Source(*source_of(path_or_text), options, asked)
    wanted = Wanted(reschedule, prove, _machine(machine, tuned), deadline=_deadline(timeout))
    wanted = replace(wanted, tile_sizes=_checked(tile_sizes), reassociates=reassociate)
    return _result(_found(source, wanted, tuned, code_budget), strict)


def _result(found: Outcome, strict: bool) -> Result:
    if strict:
        found.require_all()
    return Result(*(getattr(found, each.name) for each in fields(Outcome)))


def _found(
    source: Source, wanted: Wanted, tuned: str | Path | None, code_budget: int | None
) -> Outcome:
    """What was best when it was tuned, what fits into a budget, or what the model finds."""
    question = source.asked.question()
    optimizing = partial(optimize_source, source.name, source.content, source.options, question)
    if code_budget is None:
        return _as_tuned(tuned, source, optimizing, wanted)
    return within_budget(optimizing, wanted, code_budget, _toolchain(source))


def _toolchain(source: Source) -> Toolchain:
    """How a program is compiled where it stands."""
    options, compiler = source.options, source.options.compiler
    return Toolchain(compiler.command, compiler.flags, options.flags(), Path(source.name).parent)


def _as_tuned(
    store: str | Path | None,
    source: Source,
    optimizing: Callable[[Wanted], Outcome],
    wanted: Wanted,
) -> Outcome:
    """What was best when the program was tuned, if it was and that can still be made."""
    try:
        best = None if store is None else stored_best(Path(store), source, wanted.machine)
    except StoreProblem as problem:
        raise refused_store(Path(store or ""), problem) from None
    found = None if best is None else outcome_as_tuned(optimizing, wanted, best)
    return found if isinstance(found, Outcome) else optimizing(wanted)


def _machine(given: Machine | None, tuned: str | Path | None) -> Machine:
    """A usual one, or that on which programs are tuned here."""
    return given or (Machine() if tuned is None else machine_of_system())


def _deadline(timeout: float | None) -> float | None:
    return None if timeout is None else monotonic() + timeout


def _text(context: str | isl.Set | None) -> str | None:
    return context if context is None or isinstance(context, str) else str(context)


def _checked(sizes: Sequence[int]) -> tuple[int, ...]:
    if not all(type(each) is int and each > 0 for each in sizes):
        raise ValueError(f"tile sizes are positive integers, not {list(sizes)}")
    return tuple(sizes)
