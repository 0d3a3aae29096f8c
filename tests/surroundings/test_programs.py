"""Small whole programs, as people write them: optimized, run beside the original, and judged.

A program of ``programs/`` is about one thing that real C holds.  It says on the line of a loop what
is to become of it, ``/* => rewritten */`` or ``/* => left: WORD */``, where the word, the culprit
of the source in general, is in what is told of that loop.  ``/* => either */`` leaves that to the
costs: as of loops that say nothing, all that is asked is that the program computes the same.
``NOT_YET`` has the programs that fare otherwise today.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from loopwright import InputError, Machine, NoProof, Result, optimize
from tests.surroundings.not_yet import NOT_YET

PROGRAMS = sorted(
    each
    for each in Path(__file__).with_name("programs").iterdir()
    if each.suffix in (".c", ".cpp", ".cc")
)
MARK = re.compile(r"/\* => (rewritten|either|left:(.*)) \*/")
ALWAYS_PARALLEL = re.compile(r"( if\(1\.0 \*.*) >= \d+\)$", re.MULTILINE)
EXACT = ("-O1", "-ffp-contract=off", "-w", "-fopenmp")
SECONDS = 60
SMALL_CACHES = Machine(l1=2 * 1024, l2=16 * 1024)
"""The arrays are small: only so are there tiles, and several of them for the threads."""


@dataclass(frozen=True, slots=True)
class Nest:
    """A loop that says its fate, and the lines up to the next one."""

    line: int
    last_line: int
    fate: str
    word: str


def nests_of(text: str) -> list[Nest]:
    """The marked loops of a program; what is told of one is told in front of the next."""
    marks = [
        (number, found[1], (found[2] or "").strip())
        for number, line in enumerate(text.splitlines(), 1)
        if (found := MARK.search(line)) is not None
    ]
    ends = [line - 1 for line, _, _ in marks[1:]] + [len(text.splitlines())]
    return [Nest(line, end, *said) for (line, *said), end in zip(marks, ends, strict=True)]


def fates(path: Path, result: Result) -> list[str]:
    """What is not as expected, as ``NOT_YET`` says it."""
    nests = enumerate(nests_of(path.read_text()), 1)
    judged = ((number, _misfortune(nest, result)) for number, nest in nests)
    return [f"{number} {what}" for number, what in judged if what]


def _misfortune(nest: Nest, result: Result) -> str:
    new = [
        each.scop.span.line
        for each in result.regions
        if each.text is not None and each.scop.span.line <= nest.line <= each.scop.span.end_line
    ]
    if nest.fate == "either":
        return ""
    if nest.fate == "rewritten" or new:
        return "" if nest.fate == "rewritten" and new else "rewritten" if new else "left"
    told = " ".join(_told(nest, result))
    return "" if nest.word.lower() in told.lower() else "unnamed"


def _told(nest: Nest, result: Result) -> Iterator[str]:
    for note in result.notes:
        if nest.line <= note.span.line <= nest.last_line:
            yield f"{note.message} {note.hint}"
    for region in result.regions:
        if region.scop.span.line <= nest.line <= region.scop.span.end_line:
            yield region.reason


def attempted(path: Path) -> Result | str:
    """The program, optimized; or why the whole file has no result."""
    try:
        return optimize(path, autodetect=True, machine=SMALL_CACHES)
    except InputError as error:
        return f"no result: {error.diagnostics[0].code}"
    except NoProof:
        return "no result: not proved"
    except Exception as error:  # whatever it is, it is ours
        return f"no result: {type(error).__name__}"


def printed(source: Path, program: Path, *, threads: tuple[int, ...]) -> list[str]:
    """What a program prints, for each number of threads; the compiler takes it, and it succeeds."""
    folder = Path(__file__).with_name("programs")
    compiler, standard = ("gcc", "gnu11") if source.suffix == ".c" else ("g++", "gnu++17")
    command = (compiler, *EXACT, f"-std={standard}", f"-I{folder}")
    subprocess.run([*command, source, "-o", program, "-lm"], check=True, timeout=SECONDS)
    runs = (
        subprocess.run(
            [program],
            capture_output=True,
            text=True,
            check=True,
            timeout=SECONDS,
            env={**os.environ, "OMP_NUM_THREADS": str(count)},
        )
        for count in threads
    )
    return [each.stdout for each in runs]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_computes_the_same_and_its_loops_meet_their_fates(
    path: Path, tmp_path: Path
) -> None:
    (expected,) = printed(path, tmp_path / "old", threads=(1,))
    assert expected
    result = attempted(path)
    if isinstance(result, str):
        assert result == NOT_YET.get(path.stem, "a result")
        return
    assert all(each.proof is not None for each in result.regions if each.text is not None)
    if result.content != result.original:
        new = tmp_path / f"new{path.suffix}"
        new.write_text(ALWAYS_PARALLEL.sub(r"\1 >= -1e300)", result.code))
        found = printed(new, tmp_path / "new", threads=(1, 2))
        assert found == [expected, expected]
    assert ", ".join(fates(path, result)) == NOT_YET.get(path.stem, "")


def test_programs_run_in_parallel_although_they_are_small() -> None:
    result = attempted(Path(__file__).with_name("programs") / "flat-int.c")
    assert isinstance(result, Result)
    assert (
        result.code.count("#pragma omp parallel") == len(ALWAYS_PARALLEL.findall(result.code)) > 0
    )


def test_nobody_waits_for_programs_that_are_not_there() -> None:
    assert NOT_YET.keys() <= {each.stem for each in PROGRAMS}


def test_every_program_expects_something() -> None:
    assert [each.stem for each in PROGRAMS if not nests_of(each.read_text())] == []
