"""The best program that fits: ``loopwright optimize --code-budget``.

Ways to generate a program are tried from the fastest to the smallest.  What decides is the machine
code that the user's compiler makes of them.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.basics.spans import whole_file
from loopwright.choosing import Wanted
from loopwright.pipeline import Fit, Outcome
from loopwright.tuning.code_size import object_bytes
from loopwright.tuning.toolchain import CannotRun, Toolchain

Optimizing = Callable[[Wanted], Outcome]


@record(eq=False)
class _Way:
    """What is given up, or taken on, beside what is wanted anyway."""

    what: str
    change: Callable[[Wanted], Wanted]


WAYS = (
    _Way("control overhead is lifted out of two loops", lambda wanted: replace(wanted, lifted=2)),
    _Way("control overhead is lifted out of one loop", lambda wanted: replace(wanted, lifted=1)),
    _Way("nothing had to be given up", lambda wanted: wanted),
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
"""From the fastest to the smallest."""


def within_budget(
    optimizing: Optimizing,
    wanted: Wanted,
    budget: int,
    toolchain: Toolchain,
    progress: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """The first of the ways whose machine code has no more bytes than the budget.

    If there is none, the program stays as it is.  Only what fits is proved.
    """
    measure = shlex.join((*toolchain.command, *toolchain.flags))
    sizes: dict[bytes, int] = {}

    def size_of(outcome: Outcome) -> int:
        content = outcome.content
        if content not in sizes:
            try:
                sizes[content] = object_bytes(content, outcome.name, toolchain)
            except CannotRun as problem:
                raise _no_measure(outcome.name, problem.reason) from None
        return sizes[content]

    regions = 0
    for at, way in enumerate(WAYS):
        progress(way.what)
        own = way.change(wanted.share(len(WAYS) - at + 1))
        for each in (replace(own, prove=False), own) if wanted.prove else (own,):
            outcome = optimizing(each)
            regions = len(outcome.regions)
            size = size_of(outcome)
            if size > budget:
                break
            if each is own:
                return replace(outcome, fit=Fit(size, budget, measure, way.what))
    least = f"the new loops take at least {min(sizes.values()):,} bytes, more than the code budget"
    outcome = optimizing(replace(wanted, skipped=dict.fromkeys(range(regions), least)))
    return replace(outcome, fit=Fit(size_of(outcome), budget, measure, "nothing new fits"))


def _no_measure(name: str, reason: str) -> InputError:
    message = f"the code budget cannot be kept: {reason}"
    hint = "it takes a compiler that can compile the program; nothing was written"
    return InputError(Diagnostic("LW604", message, whole_file(name), hint))
