"""The best program that fits: ``loopwright optimize --code-budget``.

Ways to generate a program are tried from the fastest to the smallest.  What decides is the machine
code that the user's compiler makes of them.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection
from dataclasses import field, replace

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.basics.spans import whole_file
from loopwright.choosing import Wanted
from loopwright.fates import Fit, Outcome, OutOfTime
from loopwright.tuning.code_size import object_bytes
from loopwright.tuning.toolchain import CannotRun, Toolchain

Optimizing = Callable[[Wanted], Outcome]


@record(eq=False)
class _Way:
    """What is given up of what is wanted."""

    what: str
    change: Callable[[Wanted], Wanted]


USUAL = _Way("nothing had to be given up", lambda wanted: wanted)
SMALLER = (
    _Way(
        "statements are written out at most 6 times",
        lambda wanted: replace(wanted, most_copies=min(6, wanted.most_copies)),
    ),
    _Way("statements are written out once", lambda wanted: replace(wanted, most_copies=1)),
    _Way(
        "statements are written out once, and no tile is copied",
        lambda wanted: replace(wanted, most_copies=1, packs=False, expands=False),
    ),
)
"""Down to the smallest."""

MOST_REGIONS = 8
"""Of a file with more regions, none is left out by itself."""


def within_budget(
    optimizing: Optimizing,
    wanted: Wanted,
    budget: int,
    toolchain: Toolchain,
    progress: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """The best program whose machine code has no more bytes than the budget.

    If none of the ways fits, regions are left as they are, the largest first.  Only what fits is
    proved.
    """
    if budget < 1:
        raise ValueError(f"a code budget is a number of bytes, not {budget}")
    return _Fitting(optimizing, wanted, budget, toolchain, progress).best()


@record(eq=False)
class _Fitting:
    """The search for a program that fits."""

    optimizing: Optimizing
    wanted: Wanted
    budget: int
    toolchain: Toolchain
    progress: Callable[[str], None]
    sizes: dict[bytes, int] = field(default_factory=dict[bytes, int])

    def best(self) -> Outcome:
        """The first that fits, from the fastest to the smallest."""
        usual = self._drafted(USUAL)
        fits = self._size(usual) <= self.budget
        return (self._proved(USUAL, usual) if fits else None) or self._smaller(usual)

    def _smaller(self, usual: Outcome) -> Outcome:
        last = USUAL
        for last in SMALLER:
            draft = self._drafted(last)
            if self._size(draft) <= self.budget and not (_is_late(draft) and not _is_late(usual)):
                found = self._proved(last, draft)
                if found is not None:
                    return found
        return self._some_regions(last, len(usual.regions))

    def _some_regions(self, way: _Way, count: int) -> Outcome:
        """As many regions as fit, the smallest first; perhaps none."""
        least = min(self.sizes.values())
        why = f"with its new loops, the program takes {least:,} bytes, more than the code budget"
        numbers = range(count)

        def skipping(kept: Collection[int]) -> Wanted:
            others = {at: why for at in numbers if at not in kept}
            return replace(self.wanted, skipped={**others, **self.wanted.skipped})

        kept: list[int] = []
        if 1 < count <= MOST_REGIONS:
            alone = {at: self._size(self._drafted(way, skipping([at]))) for at in numbers}
            for at in sorted(numbers, key=lambda each: alone[each]):
                if self._size(self._drafted(way, skipping([*kept, at]))) <= self.budget:
                    kept.append(at)
        what = f"{len(kept)} of {count} regions are new" if kept else "nothing new fits"
        final = self.optimizing(way.change(skipping(kept)))
        return replace(final, fit=self._fit(final, what))

    def _drafted(self, way: _Way, wanted: Wanted | None = None) -> Outcome:
        """Without a proof, in at most half of the time that is left."""
        self.progress(way.what)
        own = (wanted or self.wanted).share(2)
        return self.optimizing(replace(way.change(own), prove=False))

    def _proved(self, way: _Way, draft: Outcome) -> Outcome | None:
        """What was tried, with its proof; if the proof takes something simpler, that has to fit."""
        if not self.wanted.prove:
            return replace(draft, fit=self._fit(draft, way.what))
        final = self.optimizing(way.change(self.wanted))
        is_same = final.content == draft.content
        if not is_same and self._size(final) > self.budget:
            return None
        what = way.what if is_same else f"{way.what}, except where there was no proof"
        return replace(final, fit=self._fit(final, what))

    def _fit(self, outcome: Outcome, what: str) -> Fit:
        measure = shlex.join((*self.toolchain.command, *self.toolchain.flags))
        return Fit(self._size(outcome), self.budget, measure, what)

    def _size(self, outcome: Outcome) -> int:
        """The machine code of a program; nobody can say what fits without a compiler."""
        content = outcome.content
        if content not in self.sizes:
            try:
                self.sizes[content] = object_bytes(content, outcome.name, self.toolchain)
            except CannotRun as problem:
                message = f"the code budget cannot be kept: {problem.reason}"
                hint = "it takes a compiler that can compile the program; nothing was written"
                diagnostic = Diagnostic("LW604", message, whole_file(outcome.name), hint)
                raise InputError(diagnostic) from None
        return self.sizes[content]


def _is_late(outcome: Outcome) -> bool:
    """Was there not enough time for some region?"""
    return any(isinstance(each, OutOfTime) and each.is_late for each in outcome.regions)
