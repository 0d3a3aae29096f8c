"""How far a search has come: one line on a terminal, and now and then a line elsewhere."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType

from loopwright.cli.files import say, say_for_now
from loopwright.tuning.search import Progress

PAUSE = 15.0
"""Seconds between two lines where none takes the place of another."""


class Display:
    """What the user sees while there is tuning."""

    def __init__(self, *, is_quiet: bool) -> None:
        """Nothing was shown yet."""
        self._is_quiet = is_quiet
        self._is_terminal = sys.stderr.isatty()
        self._last = monotonic()

    def __enter__(self) -> Display:
        """Nothing is to be done yet."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave no half line."""
        self._clear()

    def show(self, function: str, progress: Progress) -> None:
        """Show how far it has come."""
        if self._is_quiet:
            return
        text = progress_text(function, progress)
        if self._is_terminal:
            say_for_now(text)
        elif monotonic() > self._last + PAUSE:
            self._last = monotonic()
            say(f"{text}\n")

    def note(self, text: str) -> None:
        """Show something that stays."""
        self._clear()
        say(f"{text}\n")

    def _clear(self) -> None:
        if self._is_terminal and not self._is_quiet:
            say("\r\033[K")


def progress_text(function: str, progress: Progress) -> str:
    """A line.

    >>> progress_text("gemver", Progress("orders", 12, "fusion 0 0 1", 3.25, 61.0))
    'gemver: 12 candidates, 1:01 left; orders; 3.2 times as fast with fusion 0 0 1'
    """
    left = f"{progress.left // 60:.0f}:{progress.left % 60:02.0f}"
    told = f"{function}: {progress.tried} candidates, {left} left; {progress.phase}"
    if progress.best == "original":
        return f"{told}; nothing is faster yet"
    return f"{told}; {progress.gain:.1f} times as fast with {progress.best}"
