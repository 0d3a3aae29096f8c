"""Statement interleavings: who shares a loop with whom, and who comes first (§2.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from loopwright.basics.records import record

Groups = tuple[tuple[int, ...], ...]


@record(slots=False)
class Preorder:
    """A total preorder of statements 0, 1, 2, …: the rank of each; equal ranks share a loop.

    The ranks are 0, 1, 2, … without gaps, so that each preorder has one form only (Lemma 4).

    >>> Preorder((0, 2, 0))
    Traceback (most recent call last):
        ...
    ValueError: the ranks (0, 2, 0) have gaps
    """

    ranks: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse another form of the same order."""
        if set(self.ranks) != set(range(len(set(self.ranks)))):
            raise ValueError(f"the ranks {self.ranks} have gaps")

    @cached_property
    def groups(self) -> Groups:
        """The statements of each rank.

        >>> Preorder((1, 0, 1)).groups
        ((1,), (0, 2))
        """
        found: list[list[int]] = [[] for _ in set(self.ranks)]
        for statement, rank in enumerate(self.ranks):
            found[rank].append(statement)
        return tuple(map(tuple, found))

    def __str__(self) -> str:
        """The ranks: statements with the same one are fused."""
        return " ".join(map(str, self.ranks))


def preorder_of(keys: Sequence[int] | Sequence[tuple[int, ...]]) -> Preorder:
    """The order of numbers, or of vectors in lexicographic order, one for each statement.

    >>> preorder_of([(0, 5), (0, 2), (0, 5)])
    Preorder(ranks=(1, 0, 1))
    """
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    return Preorder(tuple(ranks[key] for key in keys))


def preorder_of_groups(groups: Iterable[Iterable[int]]) -> Preorder:
    """The preorder with these groups, one after the other."""
    ranks = {each: rank for rank, group in enumerate(groups) for each in group}
    return Preorder(tuple(ranks[each] for each in range(len(ranks))))


@record
class Interleaving:
    """A preorder for each depth: who shares the first so many loops (Definition 4).

    What a level sets apart stays apart, in the same order.

    >>> Interleaving((Preorder((0, 1)), Preorder((0, 0))))
    Traceback (most recent call last):
        ...
    ValueError: level 2 does not keep the order of level 1
    """

    levels: tuple[Preorder, ...]

    def __post_init__(self) -> None:
        """Refuse levels that contradict each other."""
        for level, (outer, inner) in enumerate(zip(self.levels, self.levels[1:], strict=False), 1):
            if not _refines(inner, outer):
                raise ValueError(f"level {level + 1} does not keep the order of level {level}")

    def rho_vectors(self) -> tuple[tuple[int, ...], ...]:
        """The vector ρ of each statement; their lexicographic order is that of the statements.

        >>> Interleaving((Preorder((0, 0, 1)), Preorder((0, 1, 2)))).rho_vectors()
        ((0, 0), (0, 1), (1, 2))
        """
        return tuple(zip(*(each.ranks for each in self.levels), strict=True))

    def __str__(self) -> str:
        """The preorders, outermost first."""
        return " / ".join(map(str, self.levels))


def _refines(inner: Preorder, outer: Preorder) -> bool:
    pairs = list(zip(outer.ranks, inner.ranks, strict=True))
    return all(a[0] >= b[0] or a[1] < b[1] for a in pairs for b in pairs)


def interleaving_of(vectors: Sequence[Sequence[int]]) -> Interleaving:
    """The interleaving that vectors ρ mean: many mean the same.

    >>> str(interleaving_of([(0, 3), (0, 7), (5, 0)]))
    '0 0 1 / 0 1 2'
    """
    depth = len(vectors[0]) if vectors else 0
    levels = range(1, depth + 1)
    return Interleaving(
        tuple(preorder_of([tuple(each[:level]) for each in vectors]) for level in levels)
    )
