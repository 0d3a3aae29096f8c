"""The command line: ``loopwright model kernel.c``, ``loopwright schedule kernel.c``.

Nothing is loaded before somebody answers an interrupt.
"""

from __future__ import annotations

import signal

INTERRUPTED = 128 + signal.SIGINT
"""The status of a program that an interrupt ends."""


def main() -> None:
    """The entry point of the ``loopwright`` command."""
    try:
        from loopwright.cli.starting import run

        run()
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise SystemExit(INTERRUPTED) from None
