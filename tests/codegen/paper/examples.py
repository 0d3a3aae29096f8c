"""What one example of the paper is: the input, the printed code, and how ours differs from it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import islpy as isl

from loopwright.codegen.options import AstOptions


@dataclass(frozen=True, slots=True)
class Rewriting:
    """``printed`` in the text of the paper becomes ``ours``, and ``why`` says for what reason."""

    printed: str
    ours: str
    why: str


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """An input, typed from the paper, and the code, typed from the paper.

    ``misprints`` mend the text of the paper so that it runs the domain; ``rewritings`` turn it into
    an equivalent form, each one the same for every value of the symbolic constants that the context
    allows.  ``sizes`` are the values at which both texts are run.
    """

    name: str
    printed: str
    domain: str = ""
    schedule: str = ""
    tree: str = ""
    context: str = "{ : }"
    options: AstOptions = field(default_factory=AstOptions)
    misprints: tuple[Rewriting, ...] = ()
    rewritings: tuple[Rewriting, ...] = ()
    sizes: tuple[dict[str, int], ...] = ({},)

    def input(self) -> isl.Schedule | isl.UnionMap:
        """The schedule: a tree, or a map restricted to the domain."""
        if self.tree:
            # isl wants each string on one line.
            text = re.sub(r'"[^"]*"', lambda quoted: " ".join(quoted[0].split()), self.tree)
            return isl.Schedule(text)
        schedule = isl.UnionMap(self.schedule)
        return schedule.intersect_domain(isl.UnionSet(self.domain)) if self.domain else schedule


def rewritten(text: str, changes: tuple[Rewriting, ...]) -> str:
    """The text with the changes made, in their order; one that finds nothing is out of date."""
    for change in changes:
        assert change.printed in text, f"not in the text: {change.printed}"
        text = text.replace(change.printed, change.ours)
    return text


def grid(**ranges: range) -> tuple[dict[str, int], ...]:
    """All combinations of values."""
    points: list[dict[str, int]] = [{}]
    for name, values in ranges.items():
        points = [point | {name: value} for point in points for value in values]
    return tuple(points)
