"""Programs before and after: compiled with the same flags, run, and what they print."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from loopwright import Result, optimize

STANDARD = ["-std=gnu11", "-ffp-contract=off", "-Wno-unknown-pragmas", "-pipe"]
CHECKED = [
    *STANDARD,
    "-Wall",
    "-Wextra",
    "-Werror",
    # Parameters of a function may lose their last use, labels go with their statements,
    # and the original statements may be wrong for sizes that the model excludes.
    "-Wno-unused-parameter",
    "-Wno-unused-label",
    "-Wno-array-bounds",
]
SANITIZED = ["-fsanitize=undefined", "-fno-sanitize-recover=all"]


def written_anew(path_or_text: str | Path, **options: Any) -> Result:
    """The program with its loops generated anew, in the order that they have."""
    result = optimize(path_or_text, reschedule=False, prove=False, **options)
    result.require_no_mistake()
    return result


def output_of(
    source: Path, folder: Path, flags: Sequence[str], arguments: Sequence[str] = ()
) -> str:
    """What a program prints, its exit status in the last line."""
    program = folder / f"{source.stem}.program"
    command = ["gcc", *flags, str(source), "-o", str(program), "-lm"]
    built = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert built.returncode == 0, f"{built.stderr[-3000:]}\n{source.read_text(errors='replace')}"
    done = subprocess.run(
        [str(program), *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert "runtime error" not in done.stderr, done.stderr
    return f"{done.stdout}{done.returncode}"


def outputs_of(
    before: str, after: str, folder: Path, flags: Sequence[str] = SANITIZED
) -> tuple[str, str]:
    """What the two versions of a program print; only the new one must be free of warnings."""
    original, emitted = folder / "original.c", folder / "emitted.c"
    original.write_text(before)
    emitted.write_text(after)
    return (
        output_of(original, folder, [*STANDARD, *flags]),
        output_of(emitted, folder, [*CHECKED, *flags]),
    )
