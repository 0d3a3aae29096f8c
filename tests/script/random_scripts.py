"""Random scripts on random programs: what is accepted computes the same bits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

from loopwright import InputError, NoProof, read_c
from loopwright.choosing import Wanted
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question
from loopwright.script.timetable import timetable_of
from loopwright.scripting import IllegalScript, Script, script_source
from tests.execution.programs import RandomProgram
from tests.optimize.checking import Verdict, compared, with_all_elements_printed
from tests.optimize.random_nests import numbered_nests


def cases(seed: int, count: int) -> Iterator[tuple[str, RandomProgram, str]]:
    """Programs, each with a script; the same ones for the same seed."""
    for number, program in islice(numbered_nests(seed, 3), count):
        yield str(number), program, random_script(program, str(number))


def random_script(program: RandomProgram, seed: str) -> str:
    """Steps that are possible one by one, or one that is not; the whole may be wrong."""
    random = Random(seed)
    (scop,) = read_c(program.text(1))
    start = table = timetable_of(scop)
    lines: list[str] = []
    for _ in range(random.randint(1, 4)):
        line = _step(sorted(table.components), table.depth, random, len(lines))
        try:
            table = Script("s", "\n".join([*lines, line])).run(scop, start).table
        except InputError:
            if random.random() < 0.1:
                return "\n".join([*lines, line])
        else:
            lines.append(line)
    return "\n".join(lines)


def _step(components: list[str], depth: int, random: Random, number: int) -> str:
    names = [each for each in components if each.isidentifier()] or ["S0"]
    one, level, size = random.choice(names), random.randint(1, max(1, depth)), random.randint(1, 4)
    other = random.randint(1, max(1, depth))
    two = random.choice(names)
    bound = random.randint(-1, 6)
    iterators = [f"i{at}" for at in range(level)]
    return random.choice(
        [
            f"interchange({one}, {level}, {other})",
            f"reverse({one}, {level})",
            f"skew({one}, {level}, {other}, {random.randint(-2, 2)})",
            f"shift({one}, {level}, {random.randint(-3, 3)})",
            f"tile({one}, {', '.join(str(random.randint(1, 3)) for _ in range(level))})",
            f"stripmine({one}, {level}, {size})",
            f"realign({one}, {two}, {random.randint(0, depth)})",
            f"L{number} = lift({one}, {random.randint(0, depth)})",
            f"(P{number}, Q{number}) = split({one}, {level}, {bound})",
            f"(P{number}, Q{number}) = isplit({one}, "
            f"{{[{','.join(iterators)}] : {' + '.join(iterators)} < {bound}}}, {level - 1})",
            f"unroll({one}, {level}, {size})",
            f"unroll_and_jam({one}, {level}, {size})",
            f"parallel({one}, {level})",
            f"vectorize({one}, {level})",
        ]
    )


def verdict(program: RandomProgram, script: str, folder: Path) -> Verdict:
    """Run a script on a program; if it is accepted, compare what the two programs print."""
    text = with_all_elements_printed(program.text(1))
    try:
        result = script_source(
            "p.c", text.encode(), ReadOptions(), Question(), Script("s", script), Wanted()
        )
    except IllegalScript:
        return Verdict("refused")
    except InputError as error:
        return Verdict("not possible", str(error))
    except NoProof as error:
        return Verdict("no proof", f"{error}\n{script}\n{text}")
    if all(each.text is None for each in result.regions):
        return Verdict("left alone", "\n".join(map(str, result.notes)))
    original = with_all_elements_printed(program.text(0))
    flags = ["-O0", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"]
    found = compared(original, result.code, flags, folder)
    return found if found.kind == "same" else replace(found, detail=f"{script}\n{found.detail}")
