"""Many random programs against the oracle: made, read, run together, and shrunk where they fail."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from loopwright.basics.diagnostics import InputError
from loopwright.model.scop import Scop

from .comparison import Mismatch, compared
from .oracle import Judge, Program, ProgramFailure, Reader, check_programs
from .programs import RandomProgram, programs, replayed

Decisions: TypeAlias = tuple[int, ...]
Programs: TypeAlias = SearchStrategy[RandomProgram]

PER_SEED = 10
"""Hypothesis varies what it made before; a fresh seed now and then keeps the programs apart."""

SEEDS_APART = 1_000_003
"""So that neighbouring seeds of campaigns do not share the seeds of their programs."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A program whose model is wrong, and how."""

    program: RandomProgram
    mismatches: tuple[Mismatch, ...]

    def __str__(self) -> str:
        """What to look at."""
        told = "\n".join(f"// {line}" for each in self.mismatches for line in str(each).split("\n"))
        return f"{told}\n{self.program.text()}"


def drawn_programs(
    number: int, seed_number: int, strategy: Programs | None = None
) -> list[RandomProgram]:
    """That many different programs from Hypothesis, the same ones for the same seed."""
    drawn_from = programs() if strategy is None else strategy
    made: dict[str, RandomProgram] = {}
    current = seed_number * SEEDS_APART
    while len(made) < number:
        made |= {each.template: each for each in _drawn(PER_SEED, current, drawn_from)}
        current += 1
    return list(made.values())[:number]


def _drawn(number: int, seed_number: int, strategy: Programs) -> list[RandomProgram]:
    made: list[RandomProgram] = []

    @seed(seed_number)
    @settings(
        max_examples=number,
        phases=[Phase.generate],
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(strategy)
    def collect(program: RandomProgram) -> None:
        made.append(program)

    collect()
    return made


def failures_among(
    batch: Sequence[RandomProgram], reader: Reader, judge: Judge = compared
) -> Iterator[Failure]:
    """Check a batch in one executable; if that does not work out, one by one."""
    readable: list[tuple[RandomProgram, Program]] = []
    for number, program in enumerate(batch):
        text = program.text(number)
        try:
            scops = _read(text, reader)
        except _Unreadable as error:
            yield Failure(program, (error.mismatch,))
        else:
            readable.append((program, Program(text, scops, program.main(number))))
    if not readable:
        return
    try:
        results = check_programs([each for _, each in readable], judge)
    except (ProgramFailure, AssertionError, RuntimeError):
        results = [_alone(each, judge) for _, each in readable]
    for (program, _), mismatches in zip(readable, results, strict=True):
        if mismatches:
            yield Failure(program, tuple(mismatches))


class _Unreadable(Exception):
    def __init__(self, mismatch: Mismatch) -> None:
        super().__init__(str(mismatch))
        self.mismatch = mismatch


def _read(text: str, reader: Reader) -> Sequence[Scop]:
    try:
        scops = reader(text)
    except InputError as error:
        raise _Unreadable(Mismatch("rejected", str(error))) from error
    except Exception as error:  # the front end must not raise anything else, whatever it is
        lines = traceback.format_exception(error)[-3:]
        raise _Unreadable(Mismatch("traceback", "".join(lines))) from error
    if len(scops) != 1:
        raise _Unreadable(Mismatch("regions", f"{len(scops)} regions found, not one"))
    return scops


def _alone(program: Program, judge: Judge) -> list[Mismatch]:
    try:
        (found,) = check_programs([program], judge)
    except ProgramFailure as error:
        return [Mismatch("program", str(error))]
    except (AssertionError, RuntimeError) as error:
        return [Mismatch("oracle", "".join(traceback.format_exception(error)[-3:]))]
    return found


def failure_of(program: RandomProgram, reader: Reader, judge: Judge = compared) -> Failure | None:
    """Check one program."""
    return next(failures_among([program], reader, judge), None)


def shrunk(
    failure: Failure,
    reader: Reader,
    judge: Judge = compared,
    remade: Callable[[Decisions], RandomProgram] = replayed,
    most: int = 200,
    seconds: float = 120,
) -> Failure:
    """A smaller program that fails in the same way, by making the decisions fewer and smaller."""
    best = failure
    end = time.monotonic() + seconds
    kind = failure.mismatches[0].kind
    tries = 0

    def improves(decisions: tuple[int, ...]) -> bool:
        nonlocal best, tries
        if tries >= most or time.monotonic() > end:
            return False
        tries += 1
        found = failure_of(remade(decisions), reader, judge)
        if found is None or found.mismatches[0].kind != kind:
            return False
        if _size(found.program) >= _size(best.program):
            return False
        best = found
        return True

    is_smaller = True
    while is_smaller and tries < most:
        is_smaller = _deleted(lambda: best.program.decisions, improves)
        is_smaller |= _lowered(lambda: best.program.decisions, improves)
    return best


def _size(program: RandomProgram) -> tuple[int, int, int]:
    decisions = program.decisions
    return len(program.template), len(decisions), sum(decisions)


def _deleted(current: Callable[[], Decisions], improves: Callable[[Decisions], bool]) -> bool:
    is_smaller = False
    length = max(1, len(current()) // 2)
    while length:
        start = 0
        while start < len(current()):
            decisions = current()
            if improves(decisions[:start] + decisions[start + length :]):
                is_smaller = True
            else:
                start += length
        length //= 2
    return is_smaller


def _lowered(current: Callable[[], Decisions], improves: Callable[[Decisions], bool]) -> bool:
    is_smaller = False
    for position in range(len(current())):
        decisions = current()
        if position >= len(decisions):
            break
        for value in (0, decisions[position] // 2, decisions[position] - 1):
            if 0 <= value < decisions[position]:
                changed = (*decisions[:position], value, *decisions[position + 1 :])
                if improves(changed):
                    is_smaller = True
                    break
    return is_smaller
