"""The command line: ``loopwright model kernel.c``, ``loopwright schedule kernel.c``."""

from __future__ import annotations

import sys

from loopwright.cli import optimizing, reading, scanning, scheduling
from loopwright.cli.application import app
from loopwright.cli.files import BAD_INPUT, drop_output, open_what_is_closed, reason_of

__all__ = ["app", "main", "optimizing", "reading", "scanning", "scheduling"]


def main() -> None:
    """The entry point of the ``loopwright`` command."""
    open_what_is_closed()
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        drop_output()
        raise SystemExit(1) from None
    except OSError as error:
        drop_output()
        name = error.filename or "<stdout>"
        sys.stderr.write(f"loopwright: {name}: {reason_of(error)}\n")
        raise SystemExit(BAD_INPUT) from None
