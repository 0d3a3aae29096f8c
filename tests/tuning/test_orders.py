"""Orders that the tuner tries, and their names."""

from __future__ import annotations

from itertools import islice

import pytest

from loopwright import dependences, read_c
from loopwright.interleaving.trees import interleaving_of_tree, shape_of
from loopwright.model.dependences import Dependences
from loopwright.targets.cpu import MappingOptions, mapped
from loopwright.targets.machine import Machine
from loopwright.tuning.orders import NoSuchOrder, is_fusion, order_named, orders
from tests.interleaving.kernels import THREE_PRODUCTS, kernel


def found(name: str) -> Dependences:
    return dependences(kernel(name))


def test_the_original_and_the_schedulers_come_first_and_nothing_comes_twice() -> None:
    every = list(orders(found("gemver")))
    names = [each.name for each in every]
    assert names[0] == "source"
    assert len(set(names)) == len(names)
    fusions = [each for each in names if is_fusion(each)]
    assert names[-len(fusions) :] == fusions
    assert not any(
        one.tree.plain_is_equal(other.tree) for at, one in enumerate(every) for other in every[:at]
    )


def test_the_ends_of_the_scale_come_before_the_rest() -> None:
    fusions = (each.name for each in orders(found("bicg")) if is_fusion(each.name))
    first = set(islice(fusions, 4))
    assert "fusion 0 0 0 0" in first
    assert "fusion 0 1 2 3" in first


def test_a_name_is_enough_to_make_an_order_again() -> None:
    region = found("atax")
    names = [each.name for each in kernel("atax").statements if not each.is_kill]
    for each in orders(region):
        again = order_named(each.name, dependences(kernel("atax")))
        assert shape_of(again) == shape_of(each.tree)
        if is_fusion(each.name) and "/" not in each.name:
            ranks = each.name.removeprefix("fusion ").partition(",")[0]
            assert str(interleaving_of_tree(again, names)) == ranks


def test_where_outer_loops_leave_little_choice_deeper_ones_are_tried() -> None:
    names = [each.name for each in orders(found("lu")) if is_fusion(each.name)]
    assert any("/" in each for each in names)
    assert all("/" not in each.name for each in orders(found("lu"), depth=1))


@pytest.mark.parametrize(
    "name",
    ["nonsense", "fusion", "fusion x", "fusion 0 2 0 0", "fusion 0 0 0 0 / 1", "fusion 1 0 0 0"],
)
def test_a_name_that_stands_for_nothing(name: str) -> None:
    with pytest.raises(NoSuchOrder):
        order_named(name, found("gemver"))


def test_a_mapping_keeps_an_interleaving_together() -> None:
    """The two products are independent of each other, and would get nests of their own."""
    (scop,) = read_c(THREE_PRODUCTS)
    region = dependences(scop)
    tree = order_named("fusion 0 0 1", region)
    kept = mapped(tree, region, Machine(), MappingOptions(distributes=False))
    assert [each.statements for each in kept.nests] == [("R", "S"), ("T",)]
