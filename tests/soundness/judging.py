"""What loopwright says of two programs, and what gcc makes of them.

A race does not show in every run.  So both programs run twice: as usual, and with a library in
front of OpenMP's that lets the threads of each team begin in the opposite order, one long after the
other.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import loopwright
from loopwright.basics.records import record
from tests.soundness.pairs import FLAGS
from tests.soundness.surroundings.cases import Case

SECONDS = 8
EXACT = (*FLAGS, "-ffp-contract=off", "-fwrapv")
"""So that numbers do not depend on the order in which a compiler has put them."""
SANITIZED = (*EXACT, "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
MOST_WORDS = 1000
SLOW_TEAMS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <unistd.h>
typedef void (*body)(void *);
typedef void (*starter)(body, void *, unsigned, unsigned);
struct call { body run; void *data; };
static void late(void *place)
{
    struct call *call = place;
    usleep(200 * (omp_get_num_threads() - 1 - omp_get_thread_num()));
    call->run(call->data);
}
void GOMP_parallel(body run, void *data, unsigned threads, unsigned flags)
{
    struct call call = { run, data };
    ((starter)dlsym(RTLD_NEXT, "GOMP_parallel"))(late, &call, threads, flags);
}
"""


@record
class Said:
    """What loopwright answers: ``proved``, ``refused``, ``unreadable`` or ``crashed``, and why."""

    word: str
    reason: str


@record
class Seen:
    """What gcc makes of two programs: the ``same``, ``different``, or why that is not known."""

    word: str
    detail: str = ""


def slow_teams(folder: Path) -> Path:
    """The library that lets threads begin in the opposite order."""
    source, library = folder / "teams.c", folder / "teams.so"
    source.write_text(SLOW_TEAMS)
    command = ["gcc", "-O1", "-w", "-shared", "-fPIC", "-fopenmp"]
    subprocess.run([*command, str(source), "-o", str(library), "-ldl"], check=True)
    return library


# --- loopwright ----------------------------------------------------------------------------------


@contextmanager
def no_compiler() -> Iterator[None]:
    """For loopwright, there is none on this machine."""
    path = os.environ.pop("PATH", "")
    os.environ["PATH"] = os.devnull
    try:
        yield
    finally:
        os.environ["PATH"] = path


def said(case: Case) -> Said:
    """What ``check`` says, which runs nothing."""
    with tempfile.TemporaryDirectory(prefix="case-") as made:
        folder = Path(made)
        ending = "cpp" if "++" in case.standard else "c"
        before, after = folder / f"before.{ending}", folder / f"after.{ending}"
        for name, content in case.files.items():
            _write(folder / name, content)
        _write(before, case.before)
        _write(after, case.after)
        try:
            answer = loopwright.check(
                before,
                after,
                define=case.define,
                include=(made,),
                standard=case.standard,
                autodetect=case.autodetect,
                run=False,
            )
        except loopwright.InputError as error:
            return Said("unreadable", _shortened(str(error), made))
        except Exception as error:
            return Said("crashed", _shortened(repr(error), made))
    if not isinstance(answer, loopwright.Proof):
        return Said("refused", _shortened(str(answer), made))
    assumed = "; assumed: " + ", ".join(answer.assumed) if answer.assumed else ""
    return Said("proved", _shortened(str(answer) + assumed, made))


def _write(path: Path, content: str) -> None:
    path.write_bytes(content.encode(errors="surrogateescape"))


def _shortened(text: str, folder: str) -> str:
    return " ".join(text.replace(folder + os.sep, "").split())[:MOST_WORDS]


# --- gcc -----------------------------------------------------------------------------------------


def seen(case: Case, teams: Path | None, flags: Sequence[str] = EXACT) -> Seen:
    """What both programs do, under one name and in one place."""
    with tempfile.TemporaryDirectory(prefix="case-") as made:
        folder = Path(made)
        for name, content in case.files.items():
            _write(folder / name, content)
        results: list[set[tuple[int, bytes]]] = []
        for text, which in ((case.before, "before"), (case.after, "after")):
            problem = _compiled(folder, text, which, case, flags)
            if problem:
                return Seen(f"{which} is no program", problem)
            try:
                results.append(_ran(folder / which, teams))
            except subprocess.TimeoutExpired:
                return Seen(f"{which} does not end")
        before, after = results
        if len(before) == 1 and before == after:
            return Seen("same")
        if not _is_decided(folder / "before", teams, before):
            return Seen("before is undecided", _shown(*before))
        return Seen("different", f"{_shown(*before)} | {_shown(*sorted(after - before))}")


def _is_decided(program: Path, teams: Path | None, seen_before: set[tuple[int, bytes]]) -> bool:
    """Does it do the same again, and with one thread?  A race is nothing to be compared with."""
    try:
        again = [_ran(program, teams), _ran(program, teams, threads=1)]
    except subprocess.TimeoutExpired:
        return False
    return len(seen_before) == 1 and all(each == seen_before for each in again)


def _compiled(folder: Path, text: str, which: str, case: Case, flags: Sequence[str]) -> str:
    """Compile a program; what the compiler complains about, if it does."""
    is_cpp = "++" in case.standard
    source = folder / ("program.cpp" if is_cpp else "program.c")
    _write(source, text)
    command = ["g++" if is_cpp else "gcc", f"-std={case.standard}", "-w", *flags]
    command += [*(f"-D{each}" for each in case.define), "-I", ".", source.name]
    try:
        done = subprocess.run(
            [*command, "-o", which, "-lm"], cwd=folder, capture_output=True, timeout=3 * SECONDS
        )
    except subprocess.TimeoutExpired:
        return "the compiler does not end"
    if done.returncode == 0:
        return ""
    lines = done.stderr.decode(errors="replace").splitlines()
    return next((each for each in lines if "error" in each), "?")[:MOST_WORDS]


def _ran(program: Path, teams: Path | None, threads: int = 4) -> set[tuple[int, bytes]]:
    """How a program ends and what it prints, as usual and with slow teams."""
    found: set[tuple[int, bytes]] = set()
    for library in (None, teams) if teams is not None else (None,):
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_DYNAMIC": "false"}
        if library is not None:
            environment["LD_PRELOAD"] = str(library)
        done = subprocess.run(
            [str(program)],
            capture_output=True,
            cwd=program.parent,
            env=environment,
            timeout=SECONDS,
        )
        found.add((done.returncode, done.stdout))
    return found


def _shown(*ended: tuple[int, bytes]) -> str:
    return " or ".join(
        f"[{status}] {' '.join(output.decode(errors='replace').split())[:90]}"
        for status, output in ended
    )


def is_defined(case: Case) -> Seen:
    """Do both programs do only what the language gives a meaning to, as far as can be seen?"""
    found = seen(case, None, SANITIZED)
    if found.word == "different" and "[1]" in found.detail:
        return Seen("undefined", found.detail)
    filled = {
        way: seen(case, None, (*EXACT, f"-ftrivial-auto-var-init={way}")).detail
        for way in ("zero", "pattern")
    }
    if len(set(filled.values())) > 1:
        return Seen("undefined", "it depends on variables that nobody has set")
    return Seen("defined", found.detail)
