"""The start of a command: a child loads the compiler while the options are read."""

from __future__ import annotations

import sys

from loopwright.basics.encodings import require_text
from loopwright.cli.children import UNREAD, dismiss_prepared, prepare
from loopwright.cli.files import (
    BAD_INPUT,
    Reporting,
    drop_output,
    open_what_is_closed,
    reason_of,
)

COMPILER = (
    "loopwright.pipeline",
    "loopwright.report.optimizations",
    "loopwright.report.differences",
    "loopwright.report.optimization_documents",
)
"""What ``optimize`` needs."""
NEEDED = {
    "optimize": COMPILER,
    "script": (*COMPILER, "loopwright.scripting"),
    "check": ("loopwright.checking",),
}


def run() -> None:
    """Do what the arguments of the program say."""
    open_what_is_closed()
    try:
        _run()
    except BrokenPipeError:
        drop_output()
        raise SystemExit(UNREAD) from None
    except OSError as error:
        drop_output()
        name = error.filename or "<stdout>"
        sys.stderr.write(f"loopwright: {name}: {reason_of(error)}\n")
        raise SystemExit(BAD_INPUT) from None
    except MemoryError:
        drop_output()
        sys.stderr.write("loopwright: there is not enough memory\n")
        raise SystemExit(BAD_INPUT) from None


def _run() -> None:
    with Reporting("", b""):
        for each in sys.argv:
            require_text(each)
    needed = NEEDED.get(sys.argv[1]) if len(sys.argv) > 1 else None
    if needed is not None and "--help" not in sys.argv:
        prepare(needed)
    try:
        from loopwright.cli.commands import app

        app()
    finally:
        dismiss_prepared()
        sys.stdout.flush()
