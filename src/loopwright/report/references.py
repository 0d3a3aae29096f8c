"""A dependence between two references, as the source writes them and as its loops see it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from loopwright.basics.records import record
from loopwright.dependence.distances import Reach, Reaches
from loopwright.model.dependences import Dependence, End, Reduction
from loopwright.model.display import element_text
from loopwright.model.scop import Array, Loop, Scop

LONGEST_TEXT = 24
"""How much of a reference is shown."""

GATHERERS = {"+": "sum", "*": "product", "max": "maximum", "min": "minimum"}


@record(eq=False)
class Finding:
    """A dependence and how far it reaches; ``variable`` is the array as the source names it."""

    dependence: Dependence
    reach: Reach
    variable: str

    @property
    def array(self) -> str:
        """The array that both ends touch."""
        return self.dependence.array

    @property
    def is_certain(self) -> bool:
        """Do both ends surely touch what they may touch?"""
        return self.dependence.is_certain


def looked_up(edges: Iterable[Dependence], reaches: Reaches, scop: Scop) -> list[Finding]:
    """The dependences that have a pair, with their distances, in the order of the region."""
    found = [
        Finding(each, reaches.of(each), array_text(scop.array(each.array)))
        for each in edges
        if not each.pairs.is_empty()
    ]
    return sorted(found, key=lambda each: each.dependence.place())


def array_text(array: Array) -> str:
    """The array as the source names it: ``A``, or ``p[..].x`` for a member of a struct."""
    if len(array.parts) == 1:
        return array.name
    *outer, last = array.parts
    return "".join(each.selector + "[..]" * each.rank for each in outer) + last.selector


def reference_text(end: End, array: str, longest: int = LONGEST_TEXT) -> str:
    """The reference as the source writes it, as far as it does.

    A declared variable is named; what a macro hides is told as the model has it.
    """
    span = end.span
    if span is not end.access.span:
        return shortened(end.statement.text, longest)
    if span == end.statement.span:
        return array
    return shortened(end.access.text or element_text(end.access), longest)


def shortened(text: str, most: int = LONGEST_TEXT) -> str:
    """The start of a text that is too long for its place.

    >>> shortened("A[i][j]"), shortened("A[(i + 1) % n][(j + n - 1) % n]", 16)
    ('A[i][j]', 'A[(i + 1) % n...')
    """
    return text if len(text) <= most else text[: most - 3] + "..."


def distance_text(reach: Reach) -> str:
    """``(0, 1, -1)``: a distance or a direction for each common loop."""
    return f"({', '.join(map(str, reach.distances))})" if reach.distances else "-"


def carrier_text(reach: Reach) -> str:
    """Which loops run the two ends apart."""
    if not reach.distances:
        return "no common loop"
    carriers = [loops_text(reach.carriers)] if reach.carriers else []
    return ", ".join(carriers + ["within an iteration"] * reach.within)


def loops_text(loops: Sequence[Loop]) -> str:
    """``i (line 4)``, ``i, j (lines 4, 5)``."""
    iterators = ", ".join(each.iterator for each in loops)
    lines = ", ".join(str(each.span.line) for each in loops)
    return f"{iterators} (line{'s' if len(loops) > 1 else ''} {lines})"


def gathering(reduction: Reduction) -> str:
    """What a reduction computes: ``sum``."""
    return GATHERERS.get(reduction.operator, f"{reduction.operator} over all values")
