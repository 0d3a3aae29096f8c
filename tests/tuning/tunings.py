"""A small program that is tuned in a few seconds, and all that it takes."""

from __future__ import annotations

from pathlib import Path

from loopwright.targets.machine import Machine
from loopwright.tuned.api import Measures, problems_in
from loopwright.tuning.problems import Problem, Source
from loopwright.tuning.search import Progress
from loopwright.tuning.tuner import Terms

PROGRAM = """\
void sums(int n, double A[n][n], double b[n], double c[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i] += A[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i] += A[j][i];
#pragma endscop
}
"""
COMPILER = ("gcc", "-O1", "-fopenmp")
SIZES = (("n", 150),)
SECONDS = 120.0
"""More than it takes: no test depends on how fast the machine is."""


def problem(text: str = PROGRAM, compiler: tuple[str, ...] = COMPILER) -> Problem:
    source = Source("sums.c", text.encode())
    (found,) = problems_in(source, Machine(cores=2), compiler, Measures(SIZES, threads=2))
    return found


class Noted:
    """What the user would be told."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.phases: list[str] = []

    def terms(self, most: int, *, resumes: bool = False) -> Terms:
        return Terms(SECONDS, most, resumes, self._tell, self.notes.append)

    def _tell(self, _function: str, progress: Progress) -> None:
        self.phases.append(progress.phase)


def broken_compiler(folder: Path, sickness: str) -> tuple[str, ...]:
    """A gcc that does something to programs with parallel loops; ``$source`` is the program."""
    command = folder / "sick-gcc"
    command.write_text(
        f"""#!/bin/sh
for word in "$@"; do case $word in *.c) source=$word;; esac; done
if grep -q 'omp parallel' "$source" 2>/dev/null; then
  {sickness}
fi
exec gcc "$@"
"""
    )
    command.chmod(0o755)
    return (str(command), *COMPILER[1:])
