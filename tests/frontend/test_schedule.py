"""The original order as a schedule tree: one band a loop, a sequence a compound statement."""

from __future__ import annotations

from typing import Any

import islpy as isl
import pytest

from loopwright import Scop

from .expectations import instances_of, model_of, order_of

LOOP = "for (int i = 0; i < n; i++) "
TYPES = isl.schedule_node_type


def shape(scop: Scop) -> str:
    """The kinds of the nodes below the domain: ``band(sequence(leaf, leaf))``."""
    return _shape(scop.schedule.get_root().child(0))


def _shape(node: isl.ScheduleNode) -> str:
    kind = node.get_type()
    if kind == TYPES.leaf:
        return "leaf"
    children = [_shape(node.child(at)) for at in range(node.n_children())]
    if kind == TYPES.filter:
        return children[0]
    names: dict[Any, str] = {
        TYPES.band: "band",
        TYPES.sequence: "sequence",
        TYPES.set: "set",
        TYPES.mark: "mark",
    }
    return f"{names[kind]}({', '.join(children)})"


SHAPES = {
    "A[0] = 1;": "leaf",
    LOOP + "A[i] = 1;": "band(leaf)",
    LOOP + "for (int j = 0; j < n; j++) A[i] = j;": "band(band(leaf))",
    LOOP + "{ A[i] = 1; A[i] = 2; }": "band(sequence(leaf, leaf))",
    LOOP + "{ A[i] = 1; for (int j = 0; j < n; j++) A[j] = 2; A[i] = 3; }": (
        "band(sequence(leaf, band(leaf), leaf))"
    ),
    "A[0] = 1; " + LOOP + "A[i] = 2;": "sequence(leaf, band(leaf))",
    LOOP + "A[i] = 1; " + LOOP + "A[i] = 2;": "sequence(band(leaf), band(leaf))",
    LOOP + "if (i > 3) A[i] = 1;": "band(leaf)",
    LOOP + "if (i > 3) A[i] = 1; else A[i] = 2;": "band(sequence(leaf, leaf))",
    LOOP + "if (A[i] > 3) A[i] = 1;": "band(leaf)",
    "A[0] = 1; A[1] = 2; A[2] = 3;": "sequence(leaf, leaf, leaf)",
}


@pytest.mark.parametrize("body", SHAPES)
def test_the_shape_of_the_tree(body: str) -> None:
    assert shape(model_of(body)) == SHAPES[body]


def test_every_band_has_one_member() -> None:
    body = LOOP + "for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) A[k] = i + j;"
    node = model_of(body).schedule.get_root().child(0)
    for _ in range(3):
        assert node.get_type() == TYPES.band
        assert node.band_n_member() == 1
        node = node.child(0)


def test_the_domain_of_the_tree_is_that_of_the_model() -> None:
    scop = model_of(LOOP + "{ double t = A[i]; A[i] = t; }")
    assert scop.schedule.get_domain().is_equal(scop.domain)


N4 = "[n] -> { : n = 4 }"
ORDERS = {
    LOOP + "A[i] = 1;": ["S0[0]", "S0[1]", "S0[2]", "S0[3]"],
    "for (int i = n; i > 0; i--) A[i] = 1;": ["S0[4]", "S0[3]", "S0[2]", "S0[1]"],
    "for (int i = n; i > 0; i -= 3) A[i] = 1;": ["S0[4]", "S0[1]"],
    "for (int i = 2; i > 0; i--) for (int j = i; j < 3; j++) A[i] = j;": [
        "S0[2, 2]",
        "S0[1, 1]",
        "S0[1, 2]",
    ],
    "for (int i = 0; i < 2; i++) for (int j = 1; j >= 0; j--) A[i] = j;": [
        "S0[0, 1]",
        "S0[0, 0]",
        "S0[1, 1]",
        "S0[1, 0]",
    ],
    "for (int i = 0; i < 2; i++) { A[i] = 1; for (int j = 0; j < 2; j++) A[j] = 2; A[i] = 3; }": [
        "S0[0]",
        "S1[0, 0]",
        "S1[0, 1]",
        "S2[0]",
        "S0[1]",
        "S1[1, 0]",
        "S1[1, 1]",
        "S2[1]",
    ],
    "for (int i = 0; i < 4; i++) if (i % 2) A[i] = 1; else A[i] = 2;": [
        "S1[0]",
        "S0[1]",
        "S1[2]",
        "S0[3]",
    ],
    "for (unsigned char i = 254; i != 2; i++) A[i] = 1;": ["S0[254]", "S0[255]", "S0[0]", "S0[1]"],
    "for (unsigned i = 2; i <= 2; i--) A[i] = 1;": ["S0[2]", "S0[1]", "S0[0]"],
    "for (signed char i = 126; i != -126; i++) A[i + 200] = 1;": [
        "S0[126]",
        "S0[127]",
        "S0[-128]",
        "S0[-127]",
    ],
    "for (unsigned char i = 1; i != 254; i--) A[i] = 1;": ["S0[1]", "S0[0]", "S0[255]"],
}


@pytest.mark.parametrize("body", ORDERS)
def test_the_order_of_execution(body: str) -> None:
    scop = model_of(body)
    assert order_of(scop, N4) == ORDERS[body]
    assert scop.schedule.get_domain().is_equal(scop.domain)


def test_a_statement_without_instances_has_no_place_in_the_tree() -> None:
    scop = model_of("A[0] = 1; for (int i = 3; i < 2; i++) A[i] = 2; A[1] = 3;")
    assert order_of(scop) == ["S0[]", "S2[]"]
    assert scop.schedule.get_domain().is_equal(instances_of(scop))


def test_an_empty_region_has_an_empty_tree() -> None:
    scop = model_of(";")
    assert scop.statements == ()
    assert scop.schedule.get_domain().is_empty()
