"""Compile and run every example with and without sanitizers, and compare what they print.

Each program must compile without a warning, run without undefined behaviour, print the same text
in both builds, and print the same text as the other programs of its family in SAME_OUTPUT, which
are the original and the transformed versions of one computation.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent
APPLICATIONS = EXAMPLES / "applications"

COMMON_FLAGS = ("-std=gnu11", "-Wall", "-Wextra", "-Wno-unknown-pragmas", "-Wno-unused-label")
PLAIN_FLAGS = (*COMMON_FLAGS, "-O1", "-Werror")
SANITIZER_FLAGS = (
    *COMMON_FLAGS,
    "-g",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
)
TIMEOUT_SECONDS = 60

SAME_OUTPUT: tuple[tuple[str, ...], ...] = (
    ("ast-figure-1", "ast-figure-2"),
    ("ast-figure-5a", "ast-figure-5b"),
    ("ast-figure-6b", "ast-figure-6c"),
    ("ast-example-5-7", "ast-example-5-10"),
    (
        "convexity-figure-1",
        "convexity-figure-2a",
        "convexity-figure-2b",
        "convexity-figure-2c",
    ),
    (
        "loopy-figure-3a",
        "loopy-figure-3b",
        "loopy-figure-3c",
        "loopy-figure-3d",
        "loopy-figure-3e",
        "loopy-figure-3f",
    ),
    ("loopy-figure-4a", "loopy-figure-4b", "loopy-figure-4c"),
    ("mappings-figure-1a", "mappings-figure-1b"),
    ("mappings-figure-3a", "mappings-figure-3b", "mappings-figure-7"),
    ("ppcg-listing-06", "ppcg-listing-07"),
    ("ppcg-listing-17", "loopy-appendix-b13-seidel-2d"),
    ("ppcg-listing-20", "loopy-appendix-b02-trmm"),
    ("ppcg-listing-24", "loopy-appendix-b14-covariance"),
)


class ExampleError(Exception):
    """An example does not compile, does not run, or prints the wrong text."""


def run(command: Sequence[str]) -> str:
    """Return what the command prints to stdout; it must succeed and be silent on stderr."""
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
    )
    if done.returncode != 0 or done.stderr:
        raise ExampleError(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def output_of(source: Path, flags: Sequence[str], folder: Path) -> str:
    """Compile the source with the flags in the folder, run it, and return what it prints."""
    program = folder / "program"
    run(["gcc", *flags, str(source), "-o", str(program), "-lm"])
    return run([str(program)])


def check(source: Path) -> str:
    """Return what the example prints; it must be the same with and without sanitizers."""
    with tempfile.TemporaryDirectory() as folder:
        plain = output_of(source, PLAIN_FLAGS, Path(folder))
        sanitized = output_of(source, SANITIZER_FLAGS, Path(folder))
    if not plain:
        raise ExampleError("prints nothing")
    if plain != sanitized:
        raise ExampleError("prints another text with the sanitizers")
    return plain


def outcome(source: Path) -> str | ExampleError:
    """Return what the example prints, or why it fails."""
    try:
        return check(source)
    except (ExampleError, subprocess.TimeoutExpired) as error:
        return ExampleError(f"{source.relative_to(EXAMPLES)}: {error}")


def family_failures(outputs: dict[str, str]) -> list[str]:
    """Return a message for each family whose programs do not all print the same text."""
    return [
        f"{', '.join(family)}: print different texts"
        for family in SAME_OUTPUT
        if len({outputs.get(name) for name in family}) != 1
    ]


def main() -> int:
    """Check every example; return 0 if all pass."""
    sources = sorted(set(EXAMPLES.rglob("*.c")) - set(APPLICATIONS.rglob("*.c")))
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        outcomes = list(pool.map(outcome, sources))
    failures = [str(result) for result in outcomes if isinstance(result, ExampleError)]
    outputs = {
        source.stem: result
        for source, result in zip(sources, outcomes, strict=True)
        if isinstance(result, str)
    }
    failures += family_failures(outputs)
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{len(outputs)} of {len(sources)} examples pass")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
