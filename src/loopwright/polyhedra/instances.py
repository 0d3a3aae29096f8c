"""From conditions over named unknowns to sets and relations of statement instances."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from loopwright.polyhedra.values import PARAM

SET, IN = isl.dim_type.set, isl.dim_type.in_


def instance_set(condition: isl.Set, name: str, iterators: Sequence[str]) -> isl.Set:
    """``{ name[iterators] : condition }``.

    >>> from loopwright.polyhedra.values import constant, unknown
    >>> print(instance_set(unknown("i").ge_set(constant(0)), "S", ["i"]))
    { S[i] : i >= 0 }
    """
    instances = isl.Set.from_params(condition)
    for position, iterator in enumerate(iterators):
        parameter = instances.find_dim_by_name(PARAM, iterator)
        if parameter < 0:
            instances = instances.insert_dims(SET, position, 1)
            instances = instances.set_dim_name(SET, position, iterator)
        else:
            instances = instances.move_dims(SET, position, PARAM, parameter, 1)
    return instances.set_tuple_name(name)


def instance_value(value: isl.PwAff, name: str, iterators: Sequence[str]) -> isl.PwAff:
    """``{ name[iterators] -> [(value)] }``."""
    graph = isl.Map.from_range(isl.Set.from_pw_aff(value))
    return isl.PwMultiAff.from_map(relation(graph, name, iterators)).get_at(0)


def element_relation(elements: isl.Set, name: str, iterators: Sequence[str]) -> isl.Map:
    """``{ name[iterators] -> elements }`` from elements described in terms of the iterators."""
    return relation(isl.Map.from_range(elements), name, iterators)


def relation(graph: isl.Map, name: str, iterators: Sequence[str]) -> isl.Map:
    """Turn the unknowns called ``iterators`` into the dimensions of the relation's domain."""
    for position, iterator in enumerate(iterators):
        parameter = graph.find_dim_by_name(PARAM, iterator)
        if parameter < 0:
            graph = graph.insert_dims(IN, position, 1).set_dim_name(IN, position, iterator)
        else:
            graph = graph.move_dims(IN, position, PARAM, parameter, 1)
    return graph.set_tuple_name(IN, name)


def element_set(subscripts: Sequence[isl.PwAff | None], name: str) -> isl.Set:
    """``{ name[subscripts] }``; a subscript of ``None`` may be anything.

    >>> from loopwright.polyhedra.values import constant, unknown
    >>> print(element_set([unknown("i"), None], "A"))
    [i] -> { A[i, i1] }
    """
    elements = isl.Set.universe(isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, 0))
    anything = isl.Set.universe(isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, 1))
    for subscript in subscripts:
        value = isl.Set.from_pw_aff(subscript) if subscript is not None else anything
        elements = elements.flat_product(value)
    return elements.set_tuple_name(name)


def same_prefix(sources: isl.Set, targets: isl.Set, depth: int) -> isl.Map:
    """All pairs of instances that agree on their first ``depth`` iterators.

    >>> print(same_prefix(isl.Set("{ S[i, j] }"), isl.Set("{ T[i] }"), 1))
    { S[i, j] -> T[i' = i] }
    """
    pairs = isl.Map.from_domain_and_range(sources, targets)
    for position in range(depth):
        pairs = pairs.equate(IN, position, isl.dim_type.out, position)
    return pairs
