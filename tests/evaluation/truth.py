"""Are the cases that evaluation finds true?  Both programs are compiled and run on their contents.

    python -m tests.evaluation.truth [--count N] [--seed N] [--kernels NAME...]

Mutants of what the compiler emits for the kernels are evaluated against the original.  Where a case
is found in which they differ, both versions are run with the same contents under the eyes of the
sanitizers, and must leave behind what was evaluated.  Told are also the mutants that differ when
they are run for many sizes, and how many of those evaluation has found.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from time import process_time

from benchmarks.mutants import LIMIT, RUNS, SHAPES, mutants_of
from loopwright.basics.diagnostics import InputError
from loopwright.evaluation.numbers import kind_of
from loopwright.evaluation.outcomes import CannotEvaluate, Undefined
from loopwright.evaluation.programs import Call, Program
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.preprocessing import unit_of
from loopwright.frontend.reading import Question, read_source
from loopwright.model.proofs import Counterexample
from loopwright.tuning.evaluated import Sides, contents_for, evaluated
from loopwright.tuning.harness import POSITIVE, SIGNED, WHOLE
from tests.verify.emitted_programs import KERNELS, Emitted, emitted
from tests.verify.running import Battery, battery, outcomes

from .compiled import HEAD, Tried, driver, expected

CHECKED = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fopenmp")
FILLED = "-ftrivial-auto-var-init=pattern"
FLAGS = ("gcc", "-O0", "-w", "-ffp-contract=off", FILLED)


def found_in(
    old: str, new: str, options: ReadOptions, *, exact: bool = True
) -> Counterexample | None:
    """What evaluation finds."""
    scops = read_source("k.c", old.encode(), options, Question()).scops
    texts = old.encode(), new.encode()
    sides = Sides(("k.c", "n.c"), texts, options, scops, [None] * len(scops), exact)
    return evaluated(sides)


def is_of_order(old: str, new: str, found: Counterexample, options: ReadOptions) -> bool:
    """Is there no difference but in another order of parallel iterations?  No run shows those."""
    return "parallel" in new and not any(
        _evaluated(old, new, found, data, options) for data in (POSITIVE, SIGNED, WHOLE)
    )


def _evaluated(old: str, new: str, found: Counterexample, data: int, options: ReadOptions) -> bool:
    """Do the programs differ on one thread?"""
    try:
        first, second = (next(_calls_of(each, old, found, data, options)) for each in (old, new))
    except (Undefined, CannotEvaluate):
        return True
    return dict(_named(first)) != dict(_named(second))


def _calls_of(
    text: str, old: str, found: Counterexample, data: int, options: ReadOptions
) -> Iterator[Tried]:
    (name,) = {
        each.function for each in read_source("k.c", old.encode(), options, Question()).scops
    }
    program = Program(unit_of("k.c", text.encode(), None, options), options)
    call = Call(dict(found.parameters), contents_for(data), {}, {})
    returned = program.result_type(name)
    result = kind_of(returned) if returned is not None else None
    ended = program.ended(name, call, process_time() + 60)
    yield Tried(name, program.function(name), call, ended, result)


def is_true(old: str, new: str, found: Counterexample, options: ReadOptions) -> bool:
    """Do two runs show the difference that was found, for one of the contents?"""
    return any(_shows(old, new, found, data, options) for data in (POSITIVE, SIGNED, WHOLE))


def _shows(old: str, new: str, found: Counterexample, data: int, options: ReadOptions) -> bool:
    tried: list[Tried] = []
    for each in (old, new):
        try:
            tried += _calls_of(each, old, found, data, options)
        except (Undefined, CannotEvaluate):
            return bool(tried) and _printed(new, tried[0], options) != expected(tried[0])
    first, second = tried
    if dict(_named(first)) == dict(_named(second)):
        return False
    both = [_printed(text, each, options) for text, each in ((old, first), (new, second))]
    return both == [expected(first), expected(second)]


def _named(tried: Tried) -> Iterator[tuple[object, object]]:
    yield "result", tried.ended.result
    for thing in tried.ended.things.values():
        for offset in thing.cells:
            yield (thing.name, offset), thing.cells[offset]


def _printed(text: str, tried: Tried, options: ReadOptions) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="truth-") as folder:
        source, program = Path(folder) / "k.c", Path(folder) / "k"
        source.write_text(HEAD + text.replace("int main(", "int other(") + driver([tried]))
        included = [f"-I{each}" for each in options.include]
        command = [*FLAGS, *CHECKED, *included, str(source), "-o", str(program), "-lm"]
        subprocess.run(command, check=True)
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
        done = subprocess.run([program, "0"], capture_output=True, text=True, env=environment)
        return done.stdout.split("\n")[:-1] if done.returncode == 0 else ["stopped"]


# --- mutants --------------------------------------------------------------------------------------


def tried(given: Emitted, count: int, random: Random, told: Counter[str]) -> Iterator[str]:
    """Mutants of a kernel: what is wrong with what evaluation says of them."""
    options = ReadOptions(include=(str(KERNELS),))
    with tempfile.TemporaryDirectory() as path:
        texts = dict(enumerate(text for _, text in mutants_of(given, count, random, Path(path))))
        sizes = battery(len(given.kernel.sizes), given.longest, RUNS, random).sizes
        versions = {at + 1: given.function(text) for at, text in texts.items()}
        ran = outcomes(given.kernel, versions, Battery(sizes, LIMIT), Path(path))
    for at, text in texts.items():
        outcome, new = ran[at + 1], given.whole(text)
        found = None
        with suppress(InputError):
            found = found_in(given.program, new, options)
        word = "found" if found is not None else "nothing"
        told[f"{outcome}: {word}"] += 1
        if found is None:
            continue
        if is_true(given.program, new, found, options):
            told["true"] += 1
        elif outcome != "same" and is_of_order(given.program, new, found, options):
            told["true in another order"] += 1
        else:
            told["not shown by a run"] += 1
            yield f"{outcome}, {found}\n{new}"


def main() -> None:
    """From the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=10, help="for each kernel and machine")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kernels", nargs="*", default=["gemm", "atax", "jacobi-2d", "mvt"])
    asked = parser.parse_args()
    told = Counter[str]()
    for name in asked.kernels:
        for shape in SHAPES:
            random = Random(f"{asked.seed} {name} {shape}")
            for each in tried(emitted(name, SHAPES[shape]), asked.count, random, told):
                print(f"{name}, {shape}: {each}")
            print(name, shape, dict(told), flush=True)


if __name__ == "__main__":
    main()
