"""What stops an evaluation before its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loopwright.basics.records import record
from loopwright.basics.spans import Span

if TYPE_CHECKING:
    from loopwright.evaluation.memory import Thing


class CannotEvaluate(Exception):
    """Something is not among what is understood, so that nothing is said."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class OutOfSteps(CannotEvaluate):
    """It would take too long."""


@record(eq=False)
class Outside:
    """An access outside of an object: which one, how far from its beginning, and what was done."""

    thing: Thing
    offset: int
    done: str


class Undefined(Exception):
    """The program does what C gives no meaning to: what, and where if that is known."""

    def __init__(self, what: str, span: Span | None = None, outside: Outside | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.span = span
        self.outside = outside

    def at(self, span: Span) -> Undefined:
        """The same, with its place unless it has one."""
        return self if self.span is not None else Undefined(self.what, span, self.outside)
