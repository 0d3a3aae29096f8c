"""What running says about versions of a kernel: do they compute the same, for some sizes?

A kernel is a program like those of the benchmarks.  All versions of its function are built into one
program (``compared/compared.h``), twice.  The first build runs in threads and watches for accesses
outside of arrays and for undefined behaviour.  The second one watches, in a sequential run, for
iterations of parallel loops that meet: a race need not show in the results.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
HEADERS = (ROOT / "tests/verify/compared", ROOT / "benchmarks/kernels")
FLAGS = ("-std=gnu11", "-O1", "-w", "-ffp-contract=off", *(f"-I{each}" for each in HEADERS))
WATCHED = (
    "-fopenmp",
    "-fsanitize=undefined,address",
    "-fno-sanitize-recover=all",
    "-ftrivial-auto-var-init=pattern",
)
RACES = ("-fsanitize=thread", "-DRACES")
THREADS = {"OMP_NUM_THREADS": "4", "OMP_WAIT_POLICY": "passive", "ASAN_OPTIONS": "detect_leaks=0"}
SAME, ENDED = "same", (24, 9)
TOLD = {0: SAME, 10: "other bits", 11: "a race", **{128 + each: "no end" for each in ENDED}}
"""What the status of a version means; by one of these signals its time is over."""


_ERROR = re.compile(
    r"^version-(\d+):\d+:\d+: (?:fatal )?error:|[iI]n function .\w+_version_(\d+)\b", re.MULTILINE
)
_LEAST_WORK = re.compile(r"( if\(1\.0 \*.*) >= \d+\)")
_MARKED = re.compile(r"\s*#pragma omp (parallel for|simd|for)\b.*")
_BLOCK = re.compile(r"\s*#pragma omp parallel(?! for).*")
_LOOP = re.compile(r"(\s*)for \((.*?);(.*?);(.*)")
_ASSIGNED = re.compile(r"^\s*([A-Za-z_]\w*)\s*(?:\[.*\])?\s*(?:[-+*/%]?=(?!=)|\+\+|--)")
_DECLARED = re.compile(r"\b(?:long|int|double|float|short|unsigned) (\w+)\s*(?:\[.*\])?\s*[=;]")


@dataclass(frozen=True, slots=True)
class Kernel:
    """A program taken apart: what is before its function, the function, and what is behind it."""

    name: str
    sizes: tuple[str, ...]
    before: str
    function: str
    behind: str

    @property
    def text(self) -> str:
        """The program."""
        return self.before + self.function + self.behind


def kernel_from_program(text: str) -> Kernel:
    """A program like those of the benchmarks, taken apart."""
    match = re.search(r"^static void (kernel_\w+)\(.*?^\}\n", text, re.MULTILINE | re.DOTALL)
    assert match is not None
    sizes = tuple(re.findall(r"#define (\w+) BENCH_SIZE", text))
    before, behind = text[: match.start()], text[match.end() :]
    return Kernel(match.group(1), sizes, before, match.group(), behind)


def kernel_from_function(function: str) -> Kernel:
    """A function ``f`` of sizes and arrays of ``double``, with a program around it."""
    head = re.search(r"void f\((.*)\) \{\n", function)
    assert head is not None
    names = re.findall(r"(int|double) \*?(\w+)", head.group(1))
    sizes = [name for kind, name in names if kind == "int"]
    arrays = [name for kind, name in names if kind == "double"]
    macros = "".join(f"#define SIZE_{each} BENCH_SIZE(8, 9, 10, 11)\n" for each in sizes)
    lines = [
        "int main(int argc, char **argv)\n{",
        "  struct bench bench = bench_begin(argc, argv);",
        *(f"  int {each} = SIZE_{each};" for each in sizes),
        *(f"  double *{each} = bench_alloc(sizeof(double[60 * 60]));" for each in arrays),
        f"  kernel_f({', '.join([*sizes, *(f'(void *){each}' for each in arrays)])});",
        "  bench_stop(&bench);",
        *(f"  free({each});" for each in arrays),
        "  return 0;\n}\n",
    ]
    text = function.replace("void f(", "static void kernel_f(")
    names = tuple(f"SIZE_{each}" for each in sizes)
    return Kernel("kernel_f", names, f'#include "bench.h"\n{macros}', text, "\n".join(lines))


# --- the programs -------------------------------------------------------------------------------


def _program(kernel: Kernel, versions: Mapping[int, str]) -> str:
    """All versions of the function; number 0 is the original."""
    defined = [f"#define {name} compared_sizes[{at}]" for at, name in enumerate(kernel.sizes)]
    before = re.sub(r"#ifndef \w+\n#define \w+ BENCH_SIZE.*\n#endif\n", "", kernel.before)
    before = re.sub(r"#define \w+ BENCH_SIZE.*\n", "", before).replace('"bench.h"', '"compared.h"')
    behind = kernel.behind.replace("int main(", "static int run_kernel(")
    last = max(versions, default=0) + 1
    table = [f"[{each}] = {kernel.name}_version_{each}" for each in (0, *versions)]
    return "\n".join(
        [
            before,
            *defined,
            _numbered(kernel, 0, kernel.function),
            *(_numbered(kernel, number, text) for number, text in versions.items()),
            '#line 1 "behind"',
            f"static __typeof__({kernel.name}_version_0) *chosen, *versions[{last}] = {{",
            ", ".join(table),
            "};",
            behind.replace(f"{kernel.name}(", "(*chosen)("),
            "COMPARED_MAIN",
            "",
        ]
    )


def _numbered(kernel: Kernel, number: int, text: str) -> str:
    renamed = text.replace(f"{kernel.name}(", f"{kernel.name}_version_{number}(", 1)
    return f'#undef lw_min\n#undef lw_max\n#line 1 "version-{number}"\n{renamed}'


def always_parallel(text: str) -> str:
    """The text with threads even where there is little to do."""
    return _LEAST_WORK.sub(r"\1 >= -1e300)", text)


def telling(text: str) -> str:
    """The text with loops that tell which of their iterations runs, if they are marked."""
    lines = text.split("\n")
    found: list[str] = []
    waiting = 0
    private = set[str]()
    for at, line in enumerate(lines):
        marked = _MARKED.fullmatch(line)
        if marked is not None:
            waiting = 2 if "collapse(2)" in line else 1
            private = set(re.findall(r"\bprivate\((\w+)\)", line))
            if marked.group(1) == "for":
                private |= _of_the_thread(lines[:at])
        elif waiting and (loop := _LOOP.fullmatch(line)) is not None:
            found += _telling_loop(loop, sorted(_shared(lines[at:]) - private))
            waiting -= 1
        else:
            found.append(line)
            waiting = 0
    return "\n".join(found)


def _telling_loop(loop: re.Match[str], shared: Sequence[str]) -> Iterator[str]:
    indent, start, asked, rest = loop.groups()
    told = "".join(f", (void *)&{each}, sizeof {each}" for each in shared)
    enter = f"int told = race_enter({len(shared)}{told})"
    yield f"{indent}for ({enter}; told; told = race_leave())"
    yield f"{indent}for ({start}; ({asked}) && race_step(); {rest}"


def _of_the_thread(before: Sequence[str]) -> set[str]:
    """What the parallel block around these loops declares: each thread has its own."""
    opened = max((at for at, line in enumerate(before) if _BLOCK.fullmatch(line)), default=0)
    return {name for line in before[opened:] for name in _DECLARED.findall(line)}


def _shared(lines: Sequence[str]) -> set[str]:
    """The variables that the loop in the first of these lines writes and does not declare."""
    indent = len(lines[0]) - len(lines[0].lstrip())
    inside = [lines[0]]
    for line in lines[1:]:
        if line.strip() and len(line) - len(line.lstrip()) <= indent and line.strip()[0] != "}":
            break
        inside.append(line)
    declared = {name for line in inside for name in _DECLARED.findall(line)}
    written = {match.group(1) for line in inside if (match := _ASSIGNED.match(line))}
    return written - declared


# --- running them -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Battery:
    """For which sizes versions run, and the seconds of processor time that the original has."""

    sizes: tuple[tuple[int, ...], ...]
    limit: float = 1.0

    @property
    def words(self) -> Iterator[str]:
        """The sizes, as the programs want them."""
        return (",".join(map(str, each)) for each in self.sizes)


def battery(count: int, longest: int, runs: int, random: Random) -> Battery:
    """Some sizes for so many parameters: unequal ones, and for each one with more than one tile.

    ``longest`` is the longest tile.  The first sizes are the smallest; long tiles meet only one
    long size at a time, so that it does not take too long.
    """
    near = sorted({1, 2, 3, 5, 7, longest, longest + 1, 2 * longest + 3})
    if longest > 64:
        near = [1, 2, 3, 5, 7, 12, 19, 26, 37]
    sizes = [tuple(1 + (at + each) % 3 for at in range(count)) for each in range(3)]
    for at in range(count * (longest > 64)):
        several = [random.choice((6, 9, 13, 17)) for _ in range(count)]
        several[at] = longest + random.randrange(1, 12)
        sizes.append(tuple(several))
    while len(sizes) < runs:
        sizes.append(tuple(random.choice(near) + random.randrange(3) for _ in range(count)))
    return Battery(tuple(sizes))


def compiling(kernel: Kernel, versions: Mapping[int, str], folder: Path) -> dict[int, str]:
    """The versions that compile."""
    source = folder / "whole.c"
    command = ["gcc", *FLAGS, "-O0", "-fopenmp", str(source), "-o", str(folder / "whole"), "-lm"]
    left = dict(versions)
    while left:
        source.write_text(_program(kernel, left))
        done = subprocess.run(command, capture_output=True, check=False, text=True)
        if done.returncode == 0:
            break
        blamed = {int(one or other) for one, other in _ERROR.findall(done.stderr)}
        assert blamed & left.keys(), done.stderr[-3000:]
        left = {number: text for number, text in left.items() if number not in blamed}
    return left


def outcomes(
    kernel: Kernel, versions: Mapping[int, str], tried: Battery, folder: Path
) -> dict[int, str]:
    """What became of the versions; those that do not compile are not in it."""
    whole = compiling(kernel, versions, folder)
    texts = {number: always_parallel(text) for number, text in whole.items()}
    found = _run(_built(kernel, texts, folder, WATCHED, WATCHED), tried) if texts else {}
    same = {each: telling(texts[each]) for each in texts if found[each] == SAME}
    if same:
        library = _library(folder)
        found |= _run(_built(kernel, same, folder, RACES, [str(library)]), tried)
    return found


def _library(folder: Path) -> Path:
    """What watches for races, compiled."""
    library = folder / "library.o"
    if not library.exists():
        source = HEADERS[0] / "races.c"
        subprocess.run(["gcc", "-O2", "-c", source, "-o", library], check=True)
    return library


def _built(
    kernel: Kernel,
    versions: Mapping[int, str],
    folder: Path,
    flags: Sequence[str],
    linked: Sequence[str],
) -> Path:
    """A program with all versions."""
    source, target, program = folder / "whole.c", folder / "whole.o", folder / "whole"
    source.write_text(_program(kernel, versions))
    commands = [
        ["gcc", *FLAGS, *flags, "-c", str(source), "-o", str(target)],
        ["gcc", str(target), *linked, "-o", str(program), "-lm"],
    ]
    for each in commands:
        done = subprocess.run(each, capture_output=True, check=False, text=True)
        assert done.returncode == 0, done.stderr[-3000:]
    return program


def _run(program: Path, tried: Battery) -> dict[int, str]:
    """What became of each version."""
    command = [str(program), str(tried.limit), *tried.words]
    environment = {**os.environ, **THREADS}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    words = [line.split() for line in done.stdout.splitlines()]
    unused = [each for each in words if each[0] == "unused"]
    assert len(unused) < len(tried.sizes), f"{program}: no size can be used"
    return {
        int(number): TOLD.get(int(status), "failure")
        for number, status in words
        if number != "unused"
    }
