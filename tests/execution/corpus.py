"""The programs in the repository that the oracle judges, and how to preprocess each."""

from __future__ import annotations

from pathlib import Path

from .preprocessing import preprocessed

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(
    path
    for folder in ("benchmarks/kernels", "examples", "examples/papers", "examples/language")
    for path in (ROOT / folder).glob("*.c")
)


def name_of(path: Path) -> str:
    """A short name for a test."""
    return str(path.relative_to(ROOT))


def text_of(path: Path) -> str:
    """The program at its smallest size, with its macros expanded."""
    define = ["MINI"] if "kernels" in path.parts else []
    return preprocessed(path, [str(path.parent)], define)
