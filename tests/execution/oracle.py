"""The model predicts the execution exactly: compile, run, compare.

Several programs may share one compilation; a program that brings it down is then run alone.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from loopwright.model.scop import Scop

from . import runtime
from .comparison import Mismatch, compared
from .instrumenter import Instrumented, RegionTable, instrumented
from .log import Entry, entries_of
from .references import Reference

SECONDS = 60
"""How long a program may run."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program under test: its text, its models, and the function that runs it."""

    text: str
    scops: Sequence[Scop]
    main: str = "main"


class ProgramFailure(Exception):
    """The test program itself is at fault: it does not compile, crashes, or does not end."""


Reader = Callable[[str], Sequence[Scop]]


Judge = Callable[[Entry, RegionTable, Mapping[int, Reference]], list[Mismatch]]
"""What says how an execution of a region differs from its model."""


def check_program(program: Program, judge: Judge = compared) -> list[Mismatch]:
    """What differs between the models of a program and its execution; empty if nothing does."""
    (found,) = check_programs([program], judge)
    return found


def check_programs(programs: Sequence[Program], judge: Judge = compared) -> list[list[Mismatch]]:
    """Check several programs in one executable; their names at file scope must differ."""
    changed: list[Instrumented] = []
    first_region = first_reference = 0
    for program in programs:
        each = instrumented(
            program.text,
            program.scops,
            first_region=first_region,
            first_reference=first_reference,
        )
        changed.append(each)
        first_region += len(each.regions)
        first_reference += len(each.references)
    entries = run(_joined(programs, changed))
    return _judged(changed, entries, judge)


def _joined(programs: Sequence[Program], changed: Sequence[Instrumented]) -> str:
    texts = [each.text for each in changed]
    mains = [each.main for each in programs if each.main != "main"]
    if mains:
        texts.append("int main(void) { " + " ".join(f"{each}();" for each in mains) + " }\n")
    return runtime.PROTOTYPES + "\n".join(texts)


def _judged(
    changed: Sequence[Instrumented], entries: Sequence[Entry], judge: Judge
) -> list[list[Mismatch]]:
    references = dict(enumerate(each for one in changed for each in one.references))
    tables = [table for one in changed for table in one.regions]
    by_region: dict[int, list[Mismatch]] = {number: [] for number in range(len(tables))}
    entered: set[int] = set()
    for entry in entries:
        entered.add(entry.region)
        if not by_region[entry.region]:
            by_region[entry.region] = judge(entry, tables[entry.region], references)
    for number, table in enumerate(tables):
        if number not in entered:
            where = f"{table.scop.function} at {table.scop.span}"
            by_region[number] = [Mismatch("coverage", f"the run never enters {where}")]
    found: list[list[Mismatch]] = []
    first = 0
    for one in changed:
        numbers = range(first, first + len(one.regions))
        found.append([each for number in numbers for each in by_region[number]])
        first += len(one.regions)
    return found


def run(text: str) -> list[Entry]:
    """Compile an instrumented text, run it, and read its log."""
    with tempfile.TemporaryDirectory(prefix="loopwright-oracle-") as folder:
        source, program, log = (Path(folder, name) for name in ("program.c", "program", "log"))
        source.write_text(text)
        # Without stack-reuse=none, variables of disjoint blocks would share addresses.
        options = ["-std=gnu11", "-O0", "-w", "-fstack-reuse=none", "-pipe"]
        inputs = [str(source), str(runtime.runtime_object()), "-lm", "-o", str(program)]
        _call(["gcc", *options, *inputs], "does not compile")
        environment = {**os.environ, runtime.LOG_VARIABLE: str(log)}
        _call([str(program)], "fails", environment)
        return entries_of(log)


def _call(command: list[str], what: str, environment: dict[str, str] | None = None) -> None:
    try:
        result = subprocess.run(
            command, capture_output=True, timeout=SECONDS, check=False, env=environment
        )
    except subprocess.TimeoutExpired as error:
        raise ProgramFailure(f"the program {what}: it ran past {SECONDS} s") from error
    if result.returncode:
        tail = result.stderr.decode(errors="replace")[-2000:]
        raise ProgramFailure(f"the program {what} (status {result.returncode}): {tail}")
