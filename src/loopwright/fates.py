"""What becomes of the regions of a program: new text with its proof, or a reason why they stay."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, Severity
from loopwright.basics.failures import BROKEN, LEFT, Failure, left_by_failure
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.choosing import executed
from loopwright.emit.regions import RegionText
from loopwright.frontend.detection import Unread
from loopwright.model.dependences import Dependences
from loopwright.model.loop_ast import LoopAst
from loopwright.model.proofs import Proof, Stretch, Unknown
from loopwright.model.scop import Scop
from loopwright.targets.cpu import MappedNest
from loopwright.targets.machine import Machine

TOO_LATE = "there was not enough time for it"
NO_MEMORY = "it took more memory than there is"


class NoProof(Exception):
    """The new text of a region could not be shown to be the same program."""

    def __init__(self, scop: Scop, verdict: Unknown) -> None:
        super().__init__(str(verdict))
        self.diagnostic = Diagnostic(
            "LW901",
            f"the new loops are {verdict}",
            scop.span,
            "nothing was written; --no-proof writes them anyway",
        )


class Lost(Exception):
    """A region is not rewritten, and that was to be an error."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("\n".join(map(str, diagnostics)))
        self.diagnostics = diagnostics


@record
class Rung:
    """A version that was given up because it was not proved."""

    gain: float
    """How many times as fast it was expected to be; 0 if nobody knows."""
    why: Unknown

    def __str__(self) -> str:
        """What it promised, and why nobody may have it."""
        return f"{expected_text(self.gain)} was {self.why}"


def expected_text(gain: float) -> str:
    """How a version is called by what is expected of it.

    >>> expected_text(19.4), expected_text(1.27), expected_text(0.0)
    ('a version expected to be 19x faster', 'a version expected to be 1.3x faster', 'a version')
    """
    return f"a version expected to be {times_text(gain)} faster" if gain else "a version"


def times_text(gain: float) -> str:
    """A factor in as many digits as somebody would believe.

    >>> times_text(27.3), times_text(2.04), times_text(1.96)
    ('27x', '2x', '2x')
    """
    return f"{gain:.0f}x" if gain >= 10 else f"{round(gain, 1):g}x"


# --- the fates ------------------------------------------------------------------------------------


@record(eq=False)
class Rewritten:
    """The region has new loops."""

    scop: Scop
    schedule: isl.Schedule
    loops: LoopAst
    text: RegionText
    nests: tuple[MappedNest, ...] = ()
    gain: float = 0.0
    """How many times as fast it is expected to be; 0 if nobody knows."""
    found: Dependences | None = None
    """Its dependences, if somebody had to know them."""
    told: tuple[str, ...] = ()
    """What to say of an order that the user has chosen."""
    proof: Proof | None = None
    """That the new text is the same program; ``None`` if nobody asked."""
    proof_seconds: float = 0.0
    stretch: Stretch | None = None
    """Where the new text is in the two programs."""
    lost: tuple[Rung, ...] = ()
    """The better versions that were not proved, the best one first."""

    reason: ClassVar[str] = ""

    @property
    def copied(self) -> frozenset[str]:
        """The arrays of which iterations have copies."""
        return frozenset(each.array for nest in self.nests for each in nest.expanded)

    @property
    def note(self) -> Diagnostic | None:
        """That there was something better, if so."""
        if not self.lost:
            return None
        first = self.lost[0]
        rest = f"; the one written is expected to be {times_text(self.gain)} faster"
        message = f"{first}{rest if self.gain else ''}"
        hint = "nothing is wrong with your program: please report it"
        return Diagnostic("LW903", message, self.scop.span, hint, Severity.WARNING)

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """What the user should know about it."""
        return (*self.scop.notes, *([self.note] if self.note is not None else []))


class Kept:
    """What all regions share that stay as they are, each for a reason of its own kind."""

    __slots__ = ()
    scop: Scop
    text: ClassVar[None] = None
    loops: ClassVar[None] = None
    proof: ClassVar[None] = None
    proof_seconds: ClassVar[float] = 0.0
    stretch: ClassVar[None] = None
    nests: ClassVar[tuple[MappedNest, ...]] = ()
    told: ClassVar[tuple[str, ...]] = ()
    copied: ClassVar[frozenset[str]] = frozenset()
    found: Dependences | None

    @property
    def schedule(self) -> isl.Schedule:
        """The order that it has."""
        return executed(self.scop)

    @property
    def note(self) -> Diagnostic | None:
        """What the user should know of it, if anything."""
        return None

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """The same, behind what is to be known of its model."""
        return (*self.scop.notes, *([self.note] if self.note is not None else []))


@record(eq=False)
class LeftAlone(Kept):
    """No other order is expected to be faster: that is no loss."""

    scop: Scop
    reason: str
    found: Dependences | None = None


@record(eq=False)
class Refused(Kept):
    """There is no text for the new loops, or it may not stand there."""

    scop: Scop
    reason: str
    span: Span
    found: Dependences | None = None

    @property
    def note(self) -> Diagnostic:
        """What the user should know of it."""
        return _left_alone("LW601", self.reason, self.span)


@record(eq=False)
class OutOfTime(Kept):
    """It took more time, memory or code than there is for it."""

    scop: Scop
    reason: str = TOO_LATE
    found: Dependences | None = None

    @property
    def is_late(self) -> bool:
        """Was it the time that it had?"""
        return self.reason == TOO_LATE

    @property
    def note(self) -> Diagnostic:
        """What the user should know of it."""
        hint = "raise the limit (--timeout, --code-budget), or make the region smaller"
        return _left_alone("LW602", self.reason, self.scop.span, hint)


@record(eq=False)
class Unproved(Kept):
    """There were new loops, and no proof of any of them."""

    scop: Scop
    tried: tuple[Rung, ...]
    """The versions, the best one first."""
    found: Dependences | None = None

    @property
    def reason(self) -> str:
        """Why the best of them was given up."""
        return str(self.tried[0]) if self.tried[0].gain else f"the new loops are {self.why}"

    @property
    def why(self) -> Unknown:
        """Why there is no proof of the last one, which is the simplest."""
        return self.tried[-1].why

    @property
    def note(self) -> Diagnostic:
        """What the user should know of it."""
        hint = "nothing is wrong with your program: please report it; --no-proof writes them anyway"
        return _left_alone("LW901", self.reason, self.scop.span, hint)


@record(eq=False)
class Broken(Kept):
    """We have made a mistake."""

    scop: Scop
    failure: Failure
    found: Dependences | None = None

    @property
    def reason(self) -> str:
        """What went wrong."""
        return f"loopwright failed: {self.failure}"

    @property
    def note(self) -> Diagnostic:
        """What the user should know of it."""
        return left_by_failure(self.failure, self.scop.span)


def _left_alone(code: str, reason: str, span: Span, hint: str = "") -> Diagnostic:
    message = f"{LEFT}{reason}"
    return Diagnostic(code, message, span, hint, Severity.WARNING)


Fate: TypeAlias = Rewritten | LeftAlone | Refused | OutOfTime | Unproved | Broken
LOSSES = (Refused, OutOfTime, Unproved, Broken)
"""What ``--strict`` makes an error."""


# --- the program ----------------------------------------------------------------------------------


@record
class Fit:
    """How a program fits into a budget of machine code."""

    size: int
    budget: int
    """Both in bytes."""
    measure: str
    """How it was compiled."""
    what: str
    """What that took."""


@record(eq=False)
class Outcome:
    """The new program, and what became of each region."""

    name: str
    original: bytes
    content: bytes
    regions: tuple[Fate, ...]
    machine: Machine
    left_out: tuple[Diagnostic, ...] = ()
    """Why other regions, or loops that nobody marked, have no model."""
    unread: tuple[Unread, ...] = ()
    """The same, with what is known of them."""
    fit: Fit | None = None
    """If it had to fit."""
    numbers: tuple[int, ...] = ()
    """Which of all regions that the file marks each one is."""

    @property
    def code(self) -> str:
        """The new program as text."""
        return self.content.decode(errors="surrogateescape")

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """All that the user should know, in the order of the regions."""
        told = tuple(note for region in self.regions for note in region.notes)
        return (*told, *self.left_out)

    def require_all(self) -> None:
        """Raise what was lost, as errors, if it was to be one."""
        kept = [each.note for each in self.regions if isinstance(each, LOSSES) and each.note]
        unread = [each for each in self.left_out if each.severity is Severity.WARNING]
        lost = [as_error(each) for each in (*kept, *unread)]
        if lost:
            raise Lost(*lost)

    def require_no_mistake(self) -> None:
        """Raise where we are to blame: a text without a proof, or a failure."""
        for each in self.regions:
            if isinstance(each, Unproved):
                raise NoProof(each.scop, each.why)
        failures = [each.note for each in self.regions if isinstance(each, Broken)]
        failures += [each for each in self.left_out if each.code == BROKEN]
        if failures:
            raise Lost(*map(as_error, failures))


def as_error(note: Diagnostic) -> Diagnostic:
    """A warning where it counts as an error."""
    return Diagnostic(note.code, note.message.removeprefix(LEFT), note.span, note.hint)
