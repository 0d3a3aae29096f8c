"""Fresh names: readable, unique, and the same in every run."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

KEYWORDS = frozenset(
    "and or not implies exists true false mod floor ceil floord ceild min max rat infty infinity "
    "NaN int".split()
)
"""Names that isl would read as something else."""


_FOLDED = frozenset(each.lower() for each in KEYWORDS)


def isl_name(name: str) -> str:
    """A name of the source as isl reads it: it knows few letters, and its own words in any case.

    >>> [isl_name(each) for each in ("n", "n$", "True", "größe", "é", "and")]
    ['n', 'n_', 'True_', 'gr_e', 'x_', 'and']

    What is a keyword as it stands gets a number from whoever makes names.
    """
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", name)
    if not plain.strip("_"):
        plain = f"x{plain}" if plain != name else plain
    return f"{plain}_" if plain.lower() in _FOLDED and plain not in KEYWORDS else plain


C_KEYWORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if"
    " inline int long register restrict return short signed sizeof static struct switch typedef"
    " union unsigned void volatile while".split()
)
"""Names that C keeps for itself."""


@dataclass(slots=True)
class FreshNames:
    """Hands out names that were not handed out before.

    >>> names = FreshNames()
    >>> names.fresh("i"), names.fresh("i"), names.fresh("i")
    ('i', 'i_1', 'i_2')
    """

    taken: set[str] = field(default_factory=set[str])
    next_numbers: dict[str, int] = field(default_factory=dict[str, int])

    def fresh(self, wanted: str) -> str:
        """The wanted name, or that name with the smallest number that makes it new."""
        name, number = wanted, 0
        while name in self.taken:
            number += 1
            name = f"{wanted}_{number}"
        self.taken.add(name)
        return name

    def numbered(self, prefix: str) -> str:
        """The first free name of ``prefix0``, ``prefix1`` and so on."""
        number = self.next_numbers.get(prefix, 0)
        while f"{prefix}{number}" in self.taken:
            number += 1
        name = f"{prefix}{number}"
        self.next_numbers[prefix] = number + 1
        self.taken.add(name)
        return name
