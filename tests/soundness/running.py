"""What programs print when they are compiled for real, and how they end."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

SECONDS = 20


def printed(
    folder: Path,
    name: str,
    text: str,
    flags: Sequence[str],
    define: Sequence[str] = (),
    files: Mapping[str, str] | None = None,
    standard: str = "gnu11",
    threads: int = 4,
) -> tuple[int, bytes]:
    """The exit status and the standard output of a program; it has to compile."""
    for header, content in (files or {}).items():
        (folder / header).write_text(content)
    source = folder / name
    source.write_text(text)
    program = source.with_suffix(".exe")
    compiler = "g++" if "++" in standard else "gcc"
    subprocess.run(
        [
            *(compiler, f"-std={standard}", "-w", *flags, *(f"-D{each}" for each in define)),
            *("-I", str(folder), str(source), "-o", str(program), "-lm"),
        ],
        check=True,
        cwd=folder,
        timeout=SECONDS,
    )
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_DYNAMIC": "false"}
    done = subprocess.run(
        [str(program)], capture_output=True, cwd=folder, env=environment, timeout=SECONDS
    )
    return done.returncode, done.stdout
