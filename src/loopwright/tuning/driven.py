"""A function behind a driver: programs that call it with made-up arguments, and how to run them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from loopwright.basics.records import record
from loopwright.frontend.clang_library import ReadOptions
from loopwright.tuning.calls import Call
from loopwright.tuning.comparison import Stored
from loopwright.tuning.harness import (
    POSITIVE,
    USER_MAIN,
    arguments,
    driver,
    memories,
    tested,
)
from loopwright.tuning.sizes import bytes_of, shapes
from loopwright.tuning.toolchain import CannotRun, Toolchain

NO_CONTRACTION = "-ffp-contract=off"


def suffix_of(options: ReadOptions) -> str:
    """What the name of a file with such a program ends in."""
    return ".cpp" if options.is_cpp else ".c"


@record(eq=False)
class Driven:
    """A function that is called by a driver, in programs that stand in a folder."""

    call: Call
    toolchain: Toolchain
    folder: Path
    suffix: str

    def compiled(self, content: bytes, stem: str, *flags: str) -> Path:
        """A program that calls the function of this text."""
        source = self.folder / f"{self.call.function}-{stem}{self.suffix}"
        source.write_bytes(content + driver(self.call).encode())
        program = source.with_suffix("")
        self.toolchain.compile(source, program, USER_MAIN, *flags)
        return program

    def bytes_for(self, values: Mapping[str, int]) -> int:
        """What the arrays take that the driver makes."""
        sizes = shapes(self.call, values)
        arrays = [each for each in self.call.arrays if not each.is_whole]
        return sum(bytes_of(each, sizes[each.name]) for each in arrays)

    def command(
        self,
        program: Path,
        values: Mapping[str, int],
        calls: int = 1,
        *,
        keeps_arrays: bool = False,
        data: int = POSITIVE,
    ) -> list[str]:
        """How to run a program; what earlier ones told is forgotten."""
        self._told.unlink(missing_ok=True)
        self._arrays.unlink(missing_ok=True)
        more = arguments(self.call, values, shapes(self.call, values))
        arrays = str(self._arrays) if keeps_arrays else "-"
        return [str(program), str(calls), str(self._told), arrays, str(data), *more]

    @property
    def _told(self) -> Path:
        return self.folder / "told"

    @property
    def _arrays(self) -> Path:
        return self.folder / "arrays"

    def told(self) -> list[str]:
        """The lines that the driver told in the last run."""
        return self._told.read_text().splitlines() if self._told.is_file() else []

    def is_complete(self, told: Sequence[str], calls: int = 1) -> bool:
        """Did the function return from each call?"""
        return len(told) == calls + 2 * len(tested(self.call))

    def contents(self) -> bytes:
        """All arrays after the last run, one behind the other."""
        if not self._arrays.is_file():
            raise CannotRun("its arrays could not be written")
        return self._arrays.read_bytes()

    def stored(self, told: Sequence[str]) -> list[Stored]:
        """What stands in the contents."""
        kinds = [each.kind for each in self.call.arrays]
        kinds += [self.call.result] if self.call.result is not None else []
        found = zip(memories(self.call, told), kinds, strict=False)
        return [Stored(each.name, kind, each.count * each.size) for each, kind in found]
