"""The kernels of the benchmarks, the text that the compiler emits for them, and what is said of it.

Machines with small caches and few registers have small tiles, so that a few iterations are enough
to see all of the new loops at work.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from loopwright import optimize
from loopwright.dependence.analysis import dependences
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question, read_source
from loopwright.model.dependences import Dependences
from loopwright.model.expressions import expression_text
from loopwright.model.proofs import Hint, Instance, Proof, Unknown, Verdict, hint_from_loops
from loopwright.model.scop import Scop
from loopwright.verify.failure import NotProved
from loopwright.verify.programs import claims_about, known_of
from loopwright.verify.read_back import read_back
from tests.optimize.checking import Shape, mapped_for
from tests.verify.mutations import parted
from tests.verify.rewritten import REGION, hint_in, rewritten
from tests.verify.running import Kernel, kernel_from_program

KERNELS = Path(__file__).resolve().parents[2] / "benchmarks/kernels"
SMALL = Shape(row=4, l2=1024, registers=8)
REGISTERS = Shape(row=8, l2=2048, registers=16)
USUAL = Shape()
STATEMENT = re.compile(r"^ +(?!for\b|if\b|else\b|#)[^;]*=[^;]*;$", re.MULTILINE)
TILE = re.compile(r"\+= (\d+)\)|[/%] (\d+)(?!\.)\b")
OPTIONS = ReadOptions(include=(str(KERNELS),))


@dataclass(frozen=True, slots=True)
class Emitted:
    """A kernel, and the text that is emitted for its region; comments are the hint."""

    name: str
    program: str
    text: str
    scop: Scop
    dependences: Dependences

    @property
    def kernel(self) -> Kernel:
        """The original program, taken apart."""
        return kernel_from_program(self.program)

    def function(self, text: str) -> str:
        """The function with a text in its region."""
        return kernel_from_program(self.whole(text)).function

    def whole(self, text: str) -> str:
        """The program with a text in its region."""
        return rewritten(self.program, text).after.decode()

    @property
    def longest(self) -> int:
        """The longest tile of the new loops."""
        return max((int(one or other) for one, other in TILE.findall(self.text)), default=4)


def emitted(name: str, shape: Shape) -> Emitted:
    """A kernel for a machine of that shape."""
    path = KERNELS / f"{name}.c"
    with mapped_for(shape):
        result = optimize(path, machine=shape.machine, prove=False)
    (only,) = result.regions
    assert only.loops is not None
    (text,) = (each.decode() for each in REGION.findall(result.content))
    generated, rest = parted(text)
    commented = _commented(generated, hint_from_loops(only.loops))
    (scop,) = read_source("program.c", path.read_bytes(), OPTIONS, Question()).scops
    found = dependences(scop, live_range_reordering=False)
    return Emitted(name, path.read_text(), commented + rest, scop, found)


def _commented(text: str, hint: Sequence[Instance | None]) -> str:
    """The text with a comment behind each statement."""
    entries = iter(hint)
    found = STATEMENT.sub(lambda match: f"{match.group()} // {_comment(next(entries))}", text)
    assert next(entries, 0) == 0, "there are more hints than statements"
    return found


def _comment(entry: Instance | None) -> str:
    if entry is None:
        return "move"
    return f"{entry.statement}({', '.join(map(expression_text, entry.values))})"


def judged(given: Emitted, text: str) -> Verdict:
    """Is the kernel with this text in its region proved, by its own hint or the untouched one?"""
    found = _read_back(given, text, hint_in(text))
    untouched = hint_in(given.text)
    if isinstance(found, Proof) or untouched == hint_in(text):
        return found
    other = _read_back(given, text, untouched)
    return other if isinstance(other, Proof) else found


def _read_back(given: Emitted, text: str, hint: Hint) -> Verdict:
    changed = rewritten(given.program, text)
    try:
        (claim,) = claims_about(changed.name, changed, [0], [hint], OPTIONS, Question())
    except NotProved as failure:
        return Unknown(failure.reason)
    return read_back(claim, known_of(claim.original, given.scop, given.dependences))
