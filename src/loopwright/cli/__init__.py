"""The command line: ``loopwright model kernel.c``, ``loopwright schedule kernel.c``."""

from __future__ import annotations

import os
import sys

from loopwright.cli import reading, scheduling, writing
from loopwright.cli.application import app

__all__ = ["app", "main", "reading", "scheduling", "writing"]


def main() -> None:
    """The entry point of the ``loopwright`` command."""
    try:
        app()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
