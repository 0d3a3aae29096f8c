"""Does evaluating a function give what the compiled one computes?

    python -m tests.evaluation.compiled [--count N] [--seed N]

Each random program is evaluated for several sizes and contents.  All that it touched gets the same
contents in a compiled program, which runs under the eyes of the sanitizers, and what is there
afterwards must be the same, bit for bit.
"""

from __future__ import annotations

import argparse
import re
import struct
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from loopwright.evaluation.memory import ENDLESS, Pointer, Thing
from loopwright.evaluation.numbers import Kind, Number, kind_of
from loopwright.evaluation.outcomes import CannotEvaluate, Undefined
from loopwright.evaluation.programs import Call, Ended, Program
from loopwright.frontend.c_tree import Function
from loopwright.frontend.c_types import ArrayType, PointerType
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.preprocessing import unit_of
from loopwright.tuning.evaluated import contents_for
from loopwright.tuning.harness import POSITIVE, SIGNED, WHOLE

from ..execution.campaign import drawn_programs
from ..execution.programs import RandomProgram
from ..optimize.random_nests import small_nests

Case = tuple[Mapping[str, int], int]
"""The values of integers, and which contents all else has."""

SIZES = ((3, 3), (5, 4), (1, 6), (8, 7))
FLAGS = ("-O1", "-w", "-ffp-contract=off", "-fsanitize=undefined", "-fno-sanitize-recover=all")
OUTSIZE = 1 << 16
"""Bytes for what nobody knows the size of."""
HEAD = "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
SETTER = """
static void lw_set(void *at, uint64_t bits, int size) { memcpy(at, &bits, size); }
static void lw_show(const void *at, int size, int is_real)
{
  uint64_t bits = 0;
  double d;
  float f;
  memcpy(&bits, at, size);
  memcpy(&d, at, size == sizeof d ? sizeof d : 0);
  memcpy(&f, at, size == sizeof f ? sizeof f : 0);
  if (is_real && size == sizeof d && d != d)
    bits = 0x7ff8000000000000;
  if (is_real && size == sizeof f && f != f)
    bits = 0x7fc00000;
  printf("%llx\\n", (unsigned long long)bits);
}
"""


@dataclass(frozen=True)
class Tried:
    """A call that was evaluated: the function, its arguments, and what became of it."""

    name: str
    function: Function
    call: Call
    ended: Ended
    result: Kind | None


def bits_of(value: Number, kind: Kind) -> int:
    """How a number is stored; a NaN of either sign like the one that is not negative."""
    if kind.is_float:
        value = abs(value) if value != value else value
        code = "d" if kind.bits == 64 else "f"
        return int.from_bytes(struct.pack(f"<{code}", value), "little")
    return int(value) & (2**kind.bits - 1)


def calls_of(text: str, names: Iterable[str], cases: Sequence[Case]) -> Iterator[Tried | str]:
    """What evaluation says about calls of functions, or why it says nothing."""
    options = ReadOptions()
    program = Program(unit_of("k.c", text.encode(), None, options), options)
    for name in names:
        yield from _calls(program, name, cases)


def _calls(program: Program, name: str, cases: Sequence[Case]) -> Iterator[Tried | str]:
    function, returned = program.function(name), program.result_type(name)
    result = kind_of(returned) if returned is not None else None
    for values, data in cases:
        call = Call(values, contents_for(data), {}, {})
        try:
            ended = program.ended(name, call, process_time() + 20)
            yield Tried(name, function, call, ended, result)
        except Undefined as fault:
            yield f"undefined: {fault.what}"
        except CannotEvaluate as refusal:
            yield f"not evaluated: {refusal.reason}"


# --- the compiled programs ------------------------------------------------------------------------


def driver(tried: Sequence[Tried]) -> str:
    """The function that runs them, one number of the process each, and tells what is left."""
    lines = [SETTER, "int main(int argc, char **argv) {", "int lw_case = 0; (void)argc;"]
    lines += ['sscanf(argv[1], "%d", &lw_case);', "switch (lw_case) {"]
    for number, each in enumerate(tried):
        lines += [f"case {number}: {{", *_case(each), "break; }"]
    return "\n".join([*lines, "}", "return 0; }"])


def _case(each: Tried) -> Iterator[str]:
    arguments: list[str] = []
    pointers = set[str]()
    for variable in each.function.parameters:
        if isinstance(variable.type, ArrayType | PointerType):
            thing = each.ended.things[variable.name]
            size = OUTSIZE if thing.limit is ENDLESS else thing.limit
            yield f"char *{variable.name} = malloc({size});"
            arguments.append(f"(void *){variable.name}")
            pointers.add(variable.name)
        elif variable.name in each.call.values:
            arguments.append(str(each.call.values[variable.name]))
        else:
            made_up = each.call.contents(variable.name)(0, kind_of(variable.type))
            arguments.append(str(made_up))
    for thing, offset, kind in touched(each.ended):
        first = thing.first
        assert first is not None
        value = first(offset, kind)
        assert not isinstance(value, Pointer)
        place = f"(char *){'' if thing.name in pointers else '&'}{thing.name} + {offset}"
        yield f"lw_set({place}, {bits_of(value, kind)}u, {kind.bits // 8});"
    call = f"{each.name}({', '.join(arguments)});"
    if each.result is None:
        yield call
    else:
        yield f"__auto_type lw_result = {call}"
        yield f"lw_show(&lw_result, {each.result.bits // 8}, {int(each.result.is_float)});"
    for thing, offset, kind in touched(each.ended):
        place = f"(char *){'' if thing.name in pointers else '&'}{thing.name} + {offset}"
        yield f"lw_show({place}, {kind.bits // 8}, {int(kind.is_float)});"


def touched(ended: Ended) -> Iterator[tuple[Thing, int, Kind]]:
    """What a function has read or written, of what is still there behind it."""
    for thing in ended.things.values():
        for offset in sorted(thing.cells):
            kind = thing.kind_at(offset)
            if kind is not None:
                yield thing, offset, kind


def expected(tried: Tried) -> list[str]:
    """What is returned and what is there in the end, as evaluated."""
    found = [(_number(thing, offset), kind) for thing, offset, kind in touched(tried.ended)]
    if tried.result is not None and tried.ended.result is not None:
        found.insert(0, (tried.ended.result, tried.result))
    return [f"{bits_of(value, kind):x}" for value, kind in found]


def _number(thing: Thing, offset: int) -> Number:
    value = thing.cells[offset]
    assert not isinstance(value, Pointer)
    return value


def differences(text: str, tried: Sequence[Tried]) -> Iterator[str]:
    """Where compiled programs do not compute what was evaluated."""
    with tempfile.TemporaryDirectory(prefix="evaluated-") as folder:
        source, program = Path(folder) / "k.c", Path(folder) / "k"
        source.write_text(HEAD + text + driver(tried))
        subprocess.run(["gcc", *FLAGS, str(source), "-o", str(program), "-lm"], check=True)
        for number, each in enumerate(tried):
            done = subprocess.run([program, str(number)], capture_output=True, text=True)
            if done.returncode != 0:
                yield f"{each.name}{dict(each.call.values)}: {done.stderr.strip()[:200]}"
                continue
            found = done.stdout.split("\n")[:-1]
            if found != expected(each):
                names = [f"{thing.name}+{offset}" for thing, offset, _ in touched(each.ended)]
                names = [*["result"][: each.result is not None], *names]
                unlike = zip(names, expected(each), found, strict=True)
                first = next(one for one in unlike if one[1] != one[2])
                yield f"{each.name}{dict(each.call.values)}: {first}"


def cases(text: str) -> list[Case]:
    """Arguments and contents: those that the program was made for, or some others."""
    names = re.findall(r"\bint (\w+)(?=[,)])", re.findall(r"kernel_0\((.*)\)$", text, re.M)[0])
    own = re.findall(r"kernel_0\(([\d, ]+)[^;]*\);", text)
    given = [tuple(map(int, re.findall(r"\d+", each))) for each in own] or SIZES
    return [
        (dict(zip(names, sizes, strict=False)), data)
        for sizes in sorted(set(given))
        for data in (POSITIVE, SIGNED, WHOLE)
    ]


def checked(programs: Sequence[RandomProgram], told: Counter[str]) -> Iterator[str]:
    """The programs that compute something else, with what is wrong."""
    for each in programs:
        text = each.text()
        tried: list[Tried] = []
        for found in calls_of(text, ["kernel_0"], cases(text)):
            told[found if isinstance(found, str) else "evaluated"] += 1
            if isinstance(found, Tried):
                tried.append(found)
        if tried:
            for difference in differences(text, tried):
                yield f"{difference}\n{text}"


SOURCES: dict[str, Callable[[int, int], Sequence[RandomProgram]]] = {
    "nests": lambda seed, count: small_nests(seed, count),
    "programs": lambda seed, count: drawn_programs(count, seed),
}


def main() -> None:
    """From the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    wrong = 0
    for name, made in SOURCES.items():
        told = Counter[str]()
        for each in checked(made(asked.seed, asked.count), told):
            wrong += 1
            print(each)
        print(name, *(f"  {count:>6} {word}" for word, count in told.most_common()), sep="\n")
    raise SystemExit(wrong > 0)


if __name__ == "__main__":
    main()
