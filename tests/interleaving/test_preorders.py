"""Preorders, vectors ρ and groups are forms of the same thing."""

from __future__ import annotations

from itertools import product

import pytest

from loopwright.interleaving.preorders import (
    Interleaving,
    Preorder,
    interleaving_of,
    preorder_of,
    preorder_of_groups,
)
from loopwright.interleaving.spaces import interleavings

from .oracle import preorders


def test_each_form_leads_back() -> None:
    for ranks in preorders(4):
        preorder = Preorder(ranks)
        assert preorder_of(ranks) == preorder
        assert preorder_of([3 * rank - 7 for rank in ranks]) == preorder
        assert preorder_of_groups(preorder.groups) == preorder
        found = {each: rank for rank, group in enumerate(preorder.groups) for each in group}
        assert tuple(found[each] for each in range(4)) == ranks


def test_an_interleaving_is_the_order_of_its_vectors() -> None:
    for each in interleavings(3, 2):
        vectors = each.rho_vectors()
        assert interleaving_of(vectors) == each
        for i, j in product(range(3), repeat=2):
            for level in (1, 2):
                ranks = each.levels[level - 1].ranks
                assert (vectors[i][:level] < vectors[j][:level]) == (ranks[i] < ranks[j])


def test_the_interleaving_of_figure_2b() -> None:
    """R and S share all loops, T comes after them (§3.1)."""
    found = interleaving_of([(0, 0, 0), (0, 0, 0), (1, 0, 0)])
    assert found == Interleaving((Preorder((0, 0, 1)),) * 3)
    assert str(found) == "0 0 1 / 0 0 1 / 0 0 1"


def test_what_is_apart_stays_apart() -> None:
    """Vectors with the same later number do not share a loop if an earlier one differs."""
    assert interleaving_of([(0, 4), (1, 4)]) == interleaving_of([(2, 9), (5, 1)])
    with pytest.raises(ValueError, match="level 2 does not keep the order of level 1"):
        Interleaving((Preorder((0, 1)), Preorder((1, 0))))


def test_no_statements_have_one_interleaving() -> None:
    assert interleaving_of([]) == Interleaving(())
    assert preorder_of_groups([]) == Preorder(())
