"""One broken program, and how the command line is given it."""

from __future__ import annotations

from dataclasses import dataclass

from tests.broken.scanner import FOLDERS, ROOT

INPUT_NAME = "input.c"
"""What the file is called: programs that include themselves must know."""

SEARCH = tuple(f"-I{ROOT / folder}" for folder in FOLDERS)


@dataclass(frozen=True, slots=True)
class Case:
    """Some bytes that claim to be C, and the options beside them."""

    name: str
    content: bytes
    options: tuple[str, ...] = ()
    from_stdin: bool = False

    def arguments(self, path: str) -> list[str]:
        """What follows ``loopwright`` on the command line; ``path`` holds the content."""
        file = "-" if self.from_stdin else path
        return ["model", file, *SEARCH, "-DMINI", *self.options]
