"""A command within its limits: in a process of its own, which a clock of the system ends.

isl counts its operations, but one operation on large numbers may take minutes, and no code in
Python runs until it is over.  So the work is done in a child process with an alarm that nobody
handles: the system ends it.  A region that took too long is left alone in the next attempt.
"""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable, Mapping
from time import monotonic
from typing import NoReturn

from loopwright.basics.diagnostics import Diagnostic
from loopwright.basics.records import record
from loopwright.basics.spans import whole_file
from loopwright.cli.children import OUT_OF_MEMORY, PASSED_ON, next_child
from loopwright.cli.files import BAD_INPUT, tell

SHARE = 0.5
"""The part of the time that is left which one region may take."""
START = 0.3
"""Seconds that have gone by until the clock starts, or that part of a shorter time."""
LEAST_MEMORY = 4 * 2**30
"""In bytes of address space; large stacks that nobody fills are part of it."""


class Watch:
    """The clock of a child: which region it works on, and until when it may."""

    def __init__(self, end: float, pipe: int, skipped: Mapping[int, str]) -> None:
        """Begin to count; what comes before the first region has all the time."""
        self.end = end
        self.pipe = pipe
        self.skipped = skipped
        _alarm(self.left)
        _limit_memory(_most_memory())

    @property
    def left(self) -> float:
        """The seconds that are left; never none, which would be no alarm."""
        return max(0.001, self.end - monotonic())

    @property
    def deadline(self) -> float:
        """When to end without being ended."""
        return self.end - 0.2 * self.left

    def begin(self, region: int) -> None:
        """Work on a region begins, and may take its share."""
        os.write(self.pipe, f"{region}\n".encode())
        _alarm(SHARE * self.left)

    def done(self) -> None:
        """The answer is found: nothing ends it any more."""
        _alarm(0.0)
        _limit_memory(resource.RLIM_INFINITY)
        for each in PASSED_ON:
            signal.signal(each, _leave)


Work = Callable[[Watch], None]


@record
class Attempt:
    """Work until some time, except on regions that took too long."""

    work: Work
    end: float
    skipped: Mapping[int, str]

    def __call__(self, told: int) -> None:
        """Begin, in a process of its own."""
        self.work(Watch(self.end, told, self.skipped))


def guarded(work: Work, seconds: float, name: str) -> NoReturn:
    """Do the work within so many seconds, and leave with its exit status."""
    end = monotonic() + seconds - min(START, START * seconds)
    skipped: dict[int, str] = {}
    while True:
        status, told = next_child().finish(Attempt(work, end, skipped))
        region = int(told.split()[-1]) if told else None
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) != OUT_OF_MEMORY:
            raise SystemExit(os.WEXITSTATUS(status))
        reason = _reason(status, seconds, is_region=region is not None)
        is_over = end - monotonic() < min(1.0, 0.2 * seconds)
        if region is None or region in skipped or is_over:
            tell([_no_answer(name, reason)], name, b"")
            raise SystemExit(BAD_INPUT)
        skipped[region] = reason


def _leave(_number: int, _frame: object) -> None:
    """Unwind, so that programs which run are ended and folders removed; a second signal waits."""
    for each in PASSED_ON:
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt


def _alarm(seconds: float) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def _most_memory() -> int:
    """Three quarters of what the machine has."""
    pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    return max(LEAST_MEMORY, pages * size // 4 * 3)


def _limit_memory(size: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        size = hard if size == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (size, hard))


def _reason(status: int, seconds: float, *, is_region: bool) -> str:
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
        share = "in its share of" if is_region else "within"
        return f"there was no answer {share} {seconds:g} seconds"
    return "it took more memory than there is"


def _no_answer(name: str, reason: str) -> Diagnostic:
    hint = "raise --timeout, or make the regions smaller; nothing was written"
    return Diagnostic("LW403", f"no new program: {reason}", whole_file(name), hint)
