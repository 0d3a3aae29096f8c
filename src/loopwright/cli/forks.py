"""Processes for the work on single regions, which the system ends when their time is over.

A region that takes all time or memory, or that brings a library down, then costs nothing but
itself: what was found for the others is kept.
"""

from __future__ import annotations

import ctypes
import io
import os
import pickle
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from time import monotonic
from typing import Any, TypeVar, cast

import islpy as isl

from loopwright.apart import Broke, in_place
from loopwright.basics.failures import Failure, failure_of
from loopwright.choosing import OtherSizes, TimeIsUp
from loopwright.cli.children import OUT_OF_MEMORY, PASSED_ON
from loopwright.model.scop import Scop

T = TypeVar("T")

GRACE = 0.3
"""The part of its time that a process may take longer, until it is ended."""
LEAST_GRACE = 0.2
DIES_WITH_ITS_PARENT = 1
"""``PR_SET_PDEATHSIG`` of Linux."""
AS_TEXT = (
    isl.Schedule,
    isl.Val,
    isl.Set,
    isl.Map,
    isl.UnionSet,
    isl.UnionMap,
    isl.PwAff,
    isl.UnionPwAff,
    isl.MultiAff,
    isl.Aff,
)
"""What goes from process to process as isl prints it, once for all that is the same."""


def forked(scop: Scop, until: float | None, work: Callable[[], T]) -> T:
    """The work on a region in a process of its own; see :class:`~loopwright.apart.Apart`.

    Where the system has no process for it, it is done in this one.
    """
    try:
        from_child, told = os.pipe()
    except OSError:
        return in_place(scop, until, work)
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        process = os.fork()
    except OSError:
        os.close(from_child)
        os.close(told)
        return in_place(scop, until, work)
    if process == 0:
        os.close(from_child)
        os._exit(_child(scop, until, work, told))
    os.close(told)
    with os.fdopen(from_child, "rb") as stream:
        content = stream.read()
    _, status = os.waitpid(process, 0)
    return cast("T", _answer(status, content, scop))


def _child(scop: Scop, until: float | None, work: Callable[[], T], told: int) -> int:
    """Do the work, tell what it finds, and return the exit status."""
    try:
        _end_in_time(until)
        try:
            found: object = in_place(scop, until, work)
        except (TimeIsUp, OtherSizes, Broke) as error:
            found = error if isinstance(error, TimeIsUp) else _Raised.of(error)
        content = _pickled(found, scop)
        with os.fdopen(told, "wb") as stream:
            stream.write(content)
    except MemoryError:
        return OUT_OF_MEMORY
    except BaseException as error:
        with suppress(Exception), os.fdopen(told, "wb") as stream:
            stream.write(pickle.dumps(_Raised(failure=failure_of(error))))
    return 0


class _Raised:
    """What the work has raised, but for the end of its time."""

    def __init__(self, failure: Failure | None = None, sizes: OtherSizes | None = None) -> None:
        self.failure = failure
        self.diagnostics = () if sizes is None else sizes.diagnostics

    @staticmethod
    def of(error: OtherSizes | Broke) -> _Raised:
        """As a value, which goes to another process."""
        return _Raised(error.failure) if isinstance(error, Broke) else _Raised(sizes=error)

    def again(self) -> Exception:
        """The same here."""
        return OtherSizes(*self.diagnostics) if self.failure is None else Broke(self.failure)


def _end_in_time(until: float | None) -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(DIES_WITH_ITS_PARENT, signal.SIGKILL)
    for each in PASSED_ON:
        signal.signal(each, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    if until is not None:
        left = until - monotonic()
        signal.setitimer(signal.ITIMER_REAL, max(0.001, left + max(LEAST_GRACE, GRACE * left)))


def _answer(status: int, content: bytes, scop: Scop) -> object:
    """What a process has found, or what ended it."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGALRM:
            raise TimeIsUp
        if number == signal.SIGKILL:
            raise MemoryError
        raise Broke(Failure(f"its process was ended by {signal.Signals(number).name}"))
    if os.WEXITSTATUS(status) == OUT_OF_MEMORY:
        raise MemoryError
    found = _Unpickler(io.BytesIO(content), scop).load()
    if isinstance(found, _Raised):
        raise found.again()
    if isinstance(found, TimeIsUp):
        raise found
    return found


# --- values between processes ---------------------------------------------------------------------


def _pickled(found: object, scop: Scop) -> bytes:
    content = io.BytesIO()
    _Pickler(content, scop).dump(found)
    return content.getvalue()


class _Pickler(pickle.Pickler):
    """Values with isl objects in them; the region itself is there on both sides."""

    def __init__(self, content: io.BytesIO, scop: Scop) -> None:
        super().__init__(content)
        self._scop = scop

    def persistent_id(self, obj: object) -> str | None:
        return "region" if obj is self._scop else None

    def reducer_override(self, obj: Any) -> Any:
        return (_from_text, (type(obj), str(obj))) if isinstance(obj, AS_TEXT) else NotImplemented


class _Unpickler(pickle.Unpickler):
    def __init__(self, content: io.BytesIO, scop: Scop) -> None:
        super().__init__(content)
        self._scop = scop

    def persistent_load(self, pid: str) -> Scop:
        assert pid == "region", pid
        return self._scop


@lru_cache(maxsize=2000)
def _from_text(kind: type[Any], text: str) -> object:
    return kind(text)
