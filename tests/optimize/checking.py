"""A program optimized, judged by the laws, and run next to the original in one executable."""

from __future__ import annotations

import os
import re
import subprocess
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

import islpy as isl
import pytest

from loopwright import NoProof, Result, choosing, optimize
from loopwright.basics.diagnostics import InputError
from loopwright.model.dependences import Dependences
from loopwright.targets import expansion, tile_sizes
from loopwright.targets.cpu import Mapped, MappingOptions, expanded
from loopwright.targets.machine import Machine
from tests.emit.running import CHECKED
from tests.execution.programs import RandomProgram
from tests.targets.laws import broken_laws

SANITIZED = ["-O0", "-g1", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"]
FAST = ["-O3", "-march=native"]
WARNED = [
    *CHECKED,
    # What is before and after the region is a machine's writing, too.
    "-Wno-unused-function",
    "-Wno-unused-variable",
    "-Wno-unused-parameter",
    "-Wno-unused-but-set-variable",
    "-Wno-sign-compare",
    "-Wno-parentheses",
    "-Wno-absolute-value",
    # gcc looks into calls with constants, where it finds loops that never run.
    "-Wno-aggressive-loop-optimizations",
    # It also sees that the alternative, which is what was there, would leave an array.
    "-Wno-stringop-overflow",
    # gcc does not follow which copies are written before the last of them is read.
    "-Wno-maybe-uninitialized",
]


@dataclass(frozen=True, slots=True)
class Shape:
    """A machine, and the longest tile of an innermost loop; short ones have tiles at all."""

    registers: int = 32
    l2: int = 1024 * 1024
    row: int | None = None
    expands: bool = False
    """Are copies of arrays made wherever that is possible?"""

    @property
    def machine(self) -> Machine:
        return Machine(l2=self.l2, vector_registers=self.registers)


SHAPES = (
    Shape(),
    Shape(row=4, l2=128, expands=True),
    Shape(registers=16, row=2, l2=64),
    Shape(registers=8, row=3, l2=512, expands=True),
)
"""The programs are small: only with tiles of a few iterations is there more than one of them."""


@contextmanager
def mapped_for(shape: Shape) -> Iterator[None]:
    """Inside, innermost tiles have the length of the shape, and every region gets new loops.

    The regions of tests are too small to gain anything.
    """
    with pytest.MonkeyPatch.context() as patch:
        if shape.row is not None:
            patch.setattr(tile_sizes, "LEAST_ROW", shape.row)
            patch.setattr(tile_sizes, "MOST_ROW", shape.row)
        patch.setattr(choosing, "cost_as_written", lambda *_: inf)
        if shape.expands:
            patch.setattr(expansion, "ROW", 3)
            patch.setattr(expansion, "ROWS", 2)
            patch.setattr(choosing, "expanded", _for_nothing)
        yield


def _for_nothing(
    tree: isl.Schedule, found: Dependences, machine: Machine, options: MappingOptions
) -> list[Mapped]:
    """The mapping with copies, as if it cost nothing."""
    return [replace(each, cost=0.0) for each in expanded(tree, found, machine, options)]


def optimized(text: str, shape: Shape, *, prove: bool = False) -> Result:
    """The program for a machine of that shape."""
    with mapped_for(shape):
        result = optimize(text, machine=shape.machine, prove=prove)
        result.require_no_mistake()
        return result


def always_parallel(text: str) -> str:
    """The program with threads even where there is little to do."""
    return re.sub(r"( if\(1\.0 \*.*) >= \d+\)$", r"\1 >= -1e300)", text, flags=re.MULTILINE)


def with_all_elements_printed(program: str) -> str:
    """The results, and not only a sum of them."""
    return re.sub(r"total \+= (.*) \* k;", r'printf("%a\\n", (double)\1);', program)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a program; ``detail`` is for a person."""

    kind: str
    detail: str = ""

    @property
    def is_fine(self) -> bool:
        """Is it what we want, or at least no error?"""
        return self.kind in ("same", "left alone", "refused", "not possible", "no proof")


def verdict(
    program: RandomProgram, shape: Shape, flags: Sequence[str], folder: Path, *, prove: bool = False
) -> Verdict:
    """Optimize a program, check its schedule, compile it and compare what it prints."""
    text = with_all_elements_printed(program.text(1))
    unproved = ""
    try:
        try:
            result = optimized(text, shape, prove=prove)
        except NoProof as error:
            unproved = str(error)
            result = optimized(text, shape)
    except Exception as error:  # whatever it is, it is ours
        return Verdict("traceback", "".join(traceback.format_exception(error)[-6:]))
    if any(each.text is None for each in result.regions):
        return Verdict("left alone", "\n".join(map(str, result.notes)))
    original = with_all_elements_printed(program.text(0))
    found = compared(original, always_parallel(result.code), flags, folder)
    if found.kind != "same":
        return found
    return Verdict("not proved", f"{unproved}\n{result.code}") if unproved else _by_the_laws(result)


def _by_the_laws(result: Result) -> Verdict:
    try:
        broken = [
            law
            for each in result.regions
            for law in broken_laws(each.schedule, each.scop, each.copied)
        ]
    except InputError:
        return Verdict("same", "but to check the order takes too long")
    return Verdict("law", f"{result.code}\n{broken}") if broken else Verdict("same")


def compared(original: str, new: str, flags: Sequence[str], folder: Path) -> Verdict:
    """Two programs in one file, numbers 0 and 1, print the same."""
    calls = 'main_0(); printf("#\\n"); main_1();'
    source, program = folder / "both.c", folder / "both.program"
    source.write_text(f"{original}\n{new}\nint main(void) {{ {calls} return 0; }}\n")
    command = ["gcc", *WARNED, "-fopenmp", *flags, str(source), "-o", str(program), "-lm"]
    built = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    if built.returncode:
        return Verdict("compiler", f"{built.stderr[-3000:]}\n{new}")
    for threads in ("2", "1"):
        environment = {**os.environ, "OMP_NUM_THREADS": threads}
        done = subprocess.run(
            [str(program)],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            env=environment,
        )
        before, _, after = done.stdout.replace("-nan", "nan").partition("#\n")
        if done.returncode or before != after:
            told = f"{threads} threads, status {done.returncode}\n{done.stderr[-2000:]}"
            return Verdict("crash" if done.returncode else "output", f"{told}\n{new}")
    return Verdict("same")
