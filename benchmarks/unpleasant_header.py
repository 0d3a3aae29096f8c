"""Is a kernel behind an unpleasant header proved in the text that it would have without a proof?

Each kernel wears two dresses.  "beside": ``unpleasant/unpleasant.h`` is included in front of it,
full of live macros that it does not use.  "through": it is written through the macros of
``unpleasant/suite.h`` as well, by mechanical rewriting: element types, bounds, array declarators,
literals, functions of the mathematics, and names that the macros replace.  Both compute what the
plain kernel computes, which is tried at MINI, as is the new text.

"proved": the new text has its proof; "text": it is the text that ``--no-proof`` writes, so that
nothing was given up for the proof; "plain": it is the new text of the plain kernel, but for the
names of new variables.  "s" are the seconds of processors that the whole command takes, with the
compilers that it asks, and "ratio" is that over the same for the plain kernel; the best of several
runs that take turns.  A kernel whose loops ``optimize`` leaves alone has its loops generated anew
in their old order, so that there is something to prove (marked by a star).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.compile_time import command_of, environment
from benchmarks.programs import (
    EXACT,
    GCC,
    KERNELS,
    OPENMP,
    ROOT,
    BrokenProgramError,
    chosen_kernels,
    compiled,
    geometric_mean,
    option_parser,
)
from benchmarks.programs import results as results_of
from loopwright import InputError, NoProof, Result, optimize
from loopwright.basics.c_tokens import tokens_of
from loopwright.targets.machine import Machine
from loopwright.tuning.machines import machine_of_system

HEADERS = ROOT / "benchmarks/unpleasant"
SIZE = "LARGE"
RATIO_BAR = 1.5
LIMIT = 60.0
BENCH = '#include "bench.h"\n'
UNPLEASANT = '#include "unpleasant.h"\n'
FUNCTIONS = {"sqrt": "SQRT_FUN", "sqrtf": "SQRT_FUN", "exp": "EXP_FUN", "expf": "EXP_FUN"}
HIDING = re.compile(r"#(pragma (push|pop)_macro|undef)\b")

Dress = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a dressed kernel."""

    kernel: str
    dress: str
    is_kept: bool
    """Are its loops generated anew in their old order?"""

    problem: str
    """Why there is no new text, or no proof; empty if there is."""

    is_unproved_text: bool
    """Is it the text that would be written without a proof?"""

    is_plain_text: bool
    """Is it the text of the plain kernel, but for new names?"""

    plain: float
    dressed: float

    @property
    def ratio(self) -> float:
        """The time of the command, over that for the plain kernel."""
        return self.dressed / self.plain


# --- dresses --------------------------------------------------------------------------------------


def beside(text: str) -> str:
    r"""The kernel behind the header, none of whose macros it uses.

    >>> beside('#include "bench.h"\nint x;\n').splitlines()
    ['#include "bench.h"', '#include "unpleasant.h"', 'int x;']
    """
    return text.replace(BENCH, BENCH + UNPLEASANT, 1)


def through(text: str) -> str:
    """The kernel written through the macros of the suite."""
    kind = element_type(text)
    head = f"#define DATA_TYPE_IS_{kind.upper()}\n#define SUITE_RESTRICT\n"
    before, _, rest = beside(text).partition(UNPLEASANT)
    marked = re.sub(r"\n__attribute__\(\(noinline\)\)\n", '\n#include "suite.h"\n\\g<0>', rest)
    rewritten = marked
    for pattern, step in (
        (r"static void kernel_\w+\([^)]*\)", _declarators),
        (r"(?<=#pragma scop\n).*?(?=#pragma endscop)", lambda region: _bounds(region, text)),
    ):
        rewritten = re.sub(
            pattern, lambda found, step=step: step(found[0]), rewritten, flags=re.DOTALL
        )
    opening, function, behind = re.split(r"(?=\n__attribute__|\nstatic void dump)", rewritten)
    if kind != "int":
        function, behind = (
            re.sub(rf"\b{kind}\b", "DATA_TYPE", each) for each in (function, behind)
        )
    return before + UNPLEASANT + head + opening + function + behind


def element_type(text: str) -> str:
    """What the arrays of a kernel consist of.

    >>> element_type("static void kernel_sum(int n, float A[n])")
    'float'
    """
    found = re.search(r"static void kernel_\w+\([^)]*?(\w+) \w+\[", text)
    return found[1] if found is not None else "double"


def _declarators(head: str) -> str:
    """The head of a kernel with its arrays declared by macros."""

    def declared(found: re.Match[str]) -> str:
        sizes = re.findall(r"\w+", found[3])
        constants = [each.upper() for each in sizes]
        listed = ", ".join([found[2], *constants, *sizes])
        return f"DATA_TYPE GRID_{len(sizes)}D({listed})"

    return re.sub(r"\b(double|float|int) (\w+)((?:\[\w+\])+)", declared, head)


def _bounds(region: str, text: str) -> str:
    """A region with sizes, literals and functions said by macros."""
    sizes = set(re.findall(r"#define (\w+) BENCH_SIZE", text))

    def said(found: re.Match[str]) -> str:
        word = found[0]
        if word.upper() in sizes and word.islower():
            return f"_PB_{word.upper()}"
        return FUNCTIONS.get(word, word)

    worded = re.sub(r"\b[A-Za-z_]\w*\b", said, region)
    return re.sub(r"(?<![\w.])(\d+\.\d+)f?\b", r"SCALAR_VAL(\1)", worded)


DRESSES: Mapping[str, Dress] = {"beside": beside, "through": through}


def written(kernel: Path, dress: Dress | None, folder: Path) -> Path:
    """A kernel in a dress, with all headers beside it."""
    folder.mkdir(exist_ok=True)
    for header in (KERNELS / "bench.h", *HEADERS.glob("*.h")):
        shutil.copy(header, folder)
    text = kernel.read_text()
    path = folder / kernel.name
    path.write_text(text if dress is None else dress(text))
    return path


# --- one kernel -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Way:
    """How a kernel is optimized here."""

    machine: Machine
    reschedule: bool = True

    def run(self, kernel: Path, *, prove: bool) -> Result:
        """The kernel, optimized."""
        result = optimize(
            kernel,
            define=[SIZE],
            machine=self.machine,
            reschedule=self.reschedule,
            prove=prove,
        )
        result.require_no_mistake()
        return result

    def attempted(self, kernel: Path) -> Result | str:
        """The kernel, optimized and proved, or why not."""
        try:
            return self.run(kernel, prove=True)
        except (NoProof, InputError) as error:
            return str(error).strip()

    def seconds(self, kernel: Path) -> float:
        """How long processors work on the whole command, and on the compilers that it asks."""
        folder = kernel.parent
        options = [] if self.reschedule else ["--no-reschedule"]
        written = ["-o", str(folder / "timed.c")]
        command = command_of("optimize", "--quiet", f"-D{SIZE}", *options, str(kernel), *written)
        before = os.times()
        subprocess.run(command, capture_output=True, check=False, env=environment(folder.parent))
        after = os.times()
        return sum(after[2:4]) - sum(before[2:4])


def judged(kernel: Path, repeat: int, folder: Path) -> list[Judged]:
    """A kernel in all dresses; they and the plain one take turns."""
    plain = written(kernel, None, folder / "plain")
    dressed = [written(kernel, wear, folder / dress) for dress, wear in DRESSES.items()]
    way = _Way(machine_of_system())
    is_kept = all(each.text is None for each in way.run(plain, prove=False).regions)
    if is_kept:
        way = _Way(way.machine, reschedule=False)
    expected = way.run(plain, prove=True)
    runs = [[way.seconds(each) for each in (plain, *dressed)] for _ in range(repeat)]
    usual, *best = (min(each) for each in zip(*runs, strict=True))
    found: list[Judged] = []
    for dress, program, spent in zip(DRESSES, dressed, best, strict=True):
        problem, answers = _judgement(program, plain, way, expected)
        found.append(Judged(kernel.stem, dress, is_kept, problem, *answers, usual, spent))
    return found


def _judgement(
    dressed: Path, plain: Path, way: _Way, expected: Result
) -> tuple[str, tuple[bool, bool]]:
    """What is wrong with a dressed kernel, and whether its new text is what it should be."""
    result = way.attempted(dressed)
    if isinstance(result, str):
        return result, (False, False)
    new = dressed.with_name("new.c")
    new.write_bytes(result.content)
    try:
        require_same(plain, dressed)
        require_same(plain, new)
    except BrokenProgramError as error:
        return str(error).strip(), (False, False)
    lacking = [each for each in result.regions if each.proof is None]
    told = [each.note.message if each.note is not None else each.reason for each in lacking]
    is_unproved = not told and result.content == way.run(dressed, prove=False).content
    is_plain = is_alike(loops_of(result), loops_of(expected))
    return "; ".join(told), (is_unproved, is_plain)


def require_same(one: Path, other: Path) -> None:
    """Two programs must print the same results; :class:`BrokenProgramError` says where not."""
    flags = (*GCC, *EXACT, *OPENMP, "-DMINI")
    printed = [
        results_of(compiled(flags, each, each.with_suffix("")), threads=2, limit=LIMIT)
        for each in (one, other)
    ]
    if printed[0] != printed[1]:
        raise BrokenProgramError(f"{other.stem} in a dress computes something else")


# --- texts ----------------------------------------------------------------------------------------


def loops_of(result: Result) -> bytes:
    """The new loops, and the tests in front of them, without the old ones behind.

    The words of pragmas are words like others; macros that are hidden from them do not count.
    """
    written = [each.text for each in result.regions if each.text is not None]
    lines = [line for each in written for line in (each.test, *each.lines)]
    kept = [each for each in lines if not HIDING.match(each)]
    return "\n".join(kept).replace("#", "").encode()


def is_alike(one: bytes, other: bytes) -> bool:
    """Are two texts the same, but for the names in them?

    >>> is_alike(b"for (c0 = 0; c0 < n;) a(c0);", b"for (c4 = 0; c4 < n;) a(c4);")
    True
    >>> is_alike(b"a + a", b"a + b")
    False
    """
    tokens = [tokens_of(each) for each in (one, other)]
    if len(tokens[0]) != len(tokens[1]):
        return False
    there: dict[str, str] = {}
    back: dict[str, str] = {}
    for first, second in zip(*tokens, strict=True):
        if first.is_word and second.is_word:
            is_known = there.setdefault(first.text, second.text) == second.text
            if not is_known or back.setdefault(second.text, first.text) != first.text:
                return False
        elif first.text != second.text:
            return False
    return True


# --- tables ---------------------------------------------------------------------------------------

HEAD = f"{'kernel':<18}{'dress':<10}{'proved':>7}{'text':>7}{'plain':>7}{'s':>8}{'ratio':>8}"


def row(found: Judged) -> str:
    """A line of the table, and why there is no proof."""
    name = f"{found.kernel}{' *' if found.is_kept else ''}"
    answers = (not found.problem, found.is_unproved_text, found.is_plain_text)
    told = "".join(f"{'yes' if each else 'no':>7}" for each in answers)
    line = f"{name:<18}{found.dress:<10}{told}{found.dressed:>8.2f}{found.ratio:>8.2f}"
    return f"{line}\n    {found.problem}" if found.problem else line


def summary(found: Sequence[Judged]) -> list[str]:
    """The bars, for each dress."""
    lines: list[str] = []
    for dress in DRESSES:
        those = [each for each in found if each.dress == dress]
        proved = sum(not each.problem for each in those)
        kept = sum(each.is_unproved_text for each in those)
        alike = sum(each.is_plain_text for each in those)
        mean = geometric_mean({each.kernel: each.ratio for each in those})
        worst = max(those, key=lambda each: each.ratio)
        lines += [
            f"{dress}: {alike} of {len(those)} in the text of the plain kernel but for names",
            f"{_verdict(proved == len(those))}all proved: {proved} of {len(those)}",
            f"{_verdict(kept == len(those))}in the text without a proof: {kept} of {len(those)}",
            f"{_verdict(worst.ratio <= RATIO_BAR)}at most {RATIO_BAR:g} times the time: "
            f"mean {mean:.2f}, worst {worst.kernel} {worst.ratio:.2f}",
        ]
    return lines


def _verdict(is_met: bool) -> str:
    return f"{'met' if is_met else 'not met':<9}"


def main(given: Sequence[str] | None = None) -> None:
    """Print the table."""
    arguments = option_parser(__doc__, repeat=2).parse_args(given)
    found: list[Judged] = []
    if not arguments.json:
        print(HEAD, flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _Way(Machine()).seconds(
            written(KERNELS / "trisolv.c", None, folder)
        )  # compiles the modules
        for kernel in chosen_kernels(arguments.only):
            for each in judged(kernel, arguments.repeat, folder):
                found.append(each)
                if not arguments.json:
                    print(row(each), flush=True)
    print(
        json.dumps([asdict(each) for each in found], indent=1)
        if arguments.json
        else "\n".join(summary(found))
    )


if __name__ == "__main__":
    main()
