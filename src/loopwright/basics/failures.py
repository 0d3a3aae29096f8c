"""Mistakes of ours, as somebody can report them: what was raised, and where in our files."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

from loopwright.basics.diagnostics import Diagnostic, InputError, Severity, shortened
from loopwright.basics.records import record
from loopwright.basics.spans import Span

OURS = str(Path(__file__).parent.parent)
BROKEN = "LW904"
LEFT = "the region is left as it is: "
"""How it begins where that is not an error."""
REPORT = "this is a mistake of loopwright: --report FILE writes down what to send"
DEEPEST_SHOWN = 12
"""Calls of a traceback, from the innermost."""


@record
class Failure:
    """A mistake of ours."""

    what: str
    where: str = ""
    """The innermost place of ours."""
    trace: str = ""

    def __str__(self) -> str:
        """In one line."""
        return shortened(f"{self.what}{f' in {self.where}' if self.where else ''}")


def failure_of(error: BaseException) -> Failure:
    """What went wrong, in the words of Python, and where among our files.

    >>> try:
    ...     assert 1 == 2, "one is not two"
    ... except AssertionError as error:
    ...     print(failure_of(error))
    AssertionError: one is not two
    """
    told = " ".join(str(error).split())
    if isinstance(error, InputError):
        told = error.diagnostics[0].message
    what = f"{type(error).__name__}{f': {told}' if told else ''}"
    frames = traceback.extract_tb(error.__traceback__)
    ours = [each for each in frames if each.filename.startswith(OURS)]
    where = f"{Path(ours[-1].filename).name}, line {ours[-1].lineno}" if ours else ""
    return Failure(what, where, _trace(error))


def left_by_failure(failure: Failure, span: Span) -> Diagnostic:
    """What the user sees of it: one region stays as it is."""
    message = f"{LEFT}loopwright failed: {failure}"
    return Diagnostic(BROKEN, message, span, REPORT, Severity.WARNING)


def _trace(error: BaseException) -> str:
    """As Python prints it, without the folders of this machine."""
    lines = traceback.format_exception(type(error), error, error.__traceback__, -DEEPEST_SHOWN)
    return "".join(lines).replace(OURS, "loopwright").replace(sys.prefix, "python")
