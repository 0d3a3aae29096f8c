"""Processes that do the work of a command, and load what they need before they know it.

The library that reads the command line takes about as long to load as the compiler does.  A child
that is started first loads the one while its parent loads the other.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module

from loopwright.basics.records import record

Task = Callable[[int], None]
"""What a child does; it gets a pipe to tell how far it has come.  It has to be pickled."""

BROKEN = 70
"""A mistake of ours, which is no answer to anything."""
INTERRUPTED, UNREAD = 128 + signal.SIGINT, 128 + signal.SIGPIPE
"""The statuses of programs that these signals end: nobody takes them for an answer."""
OUT_OF_MEMORY = 125
"""The exit status of a child that could not get more memory."""

PASSED_ON = (signal.SIGTERM, signal.SIGHUP)
"""The signals that end a child as well; an interrupt becomes the first of them."""


@record
class Child:
    """A process that waits for its task: its number, and the pipes to it and from it."""

    process: int
    tasks: int
    told: int

    def finish(self, task: Task) -> tuple[int, str]:
        """Let it do the task: how it ended, in the words of the system, and what it told."""
        with _ending_too(self.process):
            # A child that ends early leaves a status.
            with suppress(BrokenPipeError), os.fdopen(self.tasks, "wb") as stream:
                pickle.dump(task, stream)
            with os.fdopen(self.told) as stream:
                told = stream.read()
            _, status = os.waitpid(self.process, 0)
        return status, told

    def dismiss(self) -> None:
        """End it: there is nothing to do."""
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.tasks)
        os.close(self.told)


_waiting: list[Child] = []


def prepare(modules: Sequence[str]) -> None:
    """Start a child that loads the modules; the next one that is asked for is this one."""
    _waiting.append(_started(modules))


def next_child() -> Child:
    """The child that was prepared, or a new one."""
    return _waiting.pop() if _waiting else _started(())


def dismiss_prepared() -> None:
    """No child is needed, or none any more."""
    while _waiting:
        _waiting.pop().dismiss()


def _started(modules: Sequence[str]) -> Child:
    tasks, to_child = os.pipe()
    from_child, told = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process == 0:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for each in PASSED_ON:
            signal.signal(each, signal.SIG_DFL)
        os.close(to_child)
        os.close(from_child)
        os._exit(_status(modules, tasks, told))
    os.close(tasks)
    os.close(told)
    return Child(process, to_child, from_child)


def _status(modules: Sequence[str], tasks: int, told: int) -> int:
    """The exit status of a child; it never returns to the caller's caller."""
    try:
        try:
            # What is not there is missed by the task, too.
            with suppress(ImportError):
                for each in modules:
                    import_module(each)
            with os.fdopen(tasks, "rb") as stream:
                content = stream.read()
            if content:
                pickle.loads(content)(told)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
    except SystemExit as wanted:
        return wanted.code if isinstance(wanted.code, int) else 1
    except MemoryError:
        return OUT_OF_MEMORY
    except BrokenPipeError:
        return UNREAD
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        sys.excepthook(type(error), error, error.__traceback__)
        return BROKEN
    return 0


@contextmanager
def _ending_too(child: int) -> Generator[None]:
    """Whoever ends this process ends the child, and with it what the child has started."""
    wanted = (*PASSED_ON, signal.SIGINT)

    def end(number: int, _frame: object) -> None:
        for each in wanted:
            signal.signal(each, signal.SIG_IGN)
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(child, signal.SIGTERM)
            os.waitpid(child, 0)
        raise SystemExit(128 + number)

    with handling(wanted, end):
        yield


@contextmanager
def handling(
    signals: Sequence[signal.Signals], handler: Callable[[int, object], None]
) -> Generator[None]:
    """Answer signals for a while, but for those that somebody has told us to ignore."""
    before = {
        each: signal.signal(each, handler)
        for each in signals
        if signal.getsignal(each) is not signal.SIG_IGN
    }
    try:
        yield
    finally:
        for each, earlier in before.items():
            signal.signal(each, earlier)
