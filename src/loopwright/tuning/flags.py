"""Flags of compilers that change how fast a program is, and no bit of what it computes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from loopwright.targets.machine import Machine
from loopwright.tuning.problems import Problem
from loopwright.tuning.toolchain import CannotRun

ALWAYS = ("-funroll-loops", "-O2", "-fno-tree-vectorize", "-fprefetch-loop-arrays")
WIDE = 64
"""Bytes of a vector: compilers use shorter ones than the longest unless they are told."""
EMPTY = "int main(void) { return 0; }\n"


def known_flags(machine: Machine) -> Iterator[str]:
    """Those that are worth a trial on a machine."""
    yield from ALWAYS
    if machine.vector_bytes >= WIDE:
        yield from ("-mprefer-vector-width=512", "-mprefer-vector-width=256")
    elif machine.vector_bytes > LEAST_WIDTH:
        yield "-mprefer-vector-width=128"


LEAST_WIDTH = 16


def accepted_flags(problem: Problem, folder: Path) -> tuple[str, ...]:
    """Those of them that the compiler takes, and that are not used anyway; a step of the tuner."""
    return tuple(
        each
        for each in known_flags(problem.place.machine)
        if each not in problem.toolchain.flags and _is_accepted(problem, each, folder)
    )


def _is_accepted(problem: Problem, flag: str, folder: Path) -> bool:
    source, program = folder / "flags.c", folder / "flags"
    source.write_text(EMPTY)
    try:
        # Some compilers ignore what they do not know, and only warn.
        problem.toolchain.compile(source, program, flag, silent=False)
    except CannotRun:
        return False
    return True
