"""Schedule trees as fusion structures, and the interleavings that they stand for (§2.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl

from loopwright.interleaving.preorders import Interleaving, interleaving_of
from loopwright.polyhedra.unions import by_statement, sets_of

Kind = isl.schedule_node_type

Shape = tuple["Shape | str", ...]
"""What runs one after the other: a string is a statement, a tuple a loop around its parts."""


def shape_of(tree: isl.Schedule) -> Shape:
    """The loops of a tree, and the statements in them.

    >>> tree = isl.Schedule.from_domain(isl.UnionSet("{ S[i, j] }"))
    >>> times = isl.MultiUnionPwAff("[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]")
    >>> shape_of(tree.insert_partial_schedule(times))
    ((('S',),),)
    """
    return tuple(_parts(tree.get_root()))


def _parts(node: isl.ScheduleNode) -> Iterator[Shape | str]:
    kind = node.get_type()
    if kind == Kind.leaf:
        domains = by_statement(sets_of(node.get_domain()), isl.dim_type.set)
        yield from (each.get_tuple_name() or "" for each in domains if not each.is_empty())
    elif kind == Kind.band:
        inside = tuple(_parts(node.child(0)))
        for _ in range(node.band_n_member()):
            inside = (inside,)
        yield from inside
    else:
        for at in range(node.n_children()):
            yield from _parts(node.child(at))


def vectors_of(shape: Shape) -> dict[str, tuple[int, ...]]:
    """The vector ρ of each statement: its place at the top, inside of the first loop, and so on.

    >>> vectors_of((("R", "S"), ("T",), "U"))
    {'R': (0, 0), 'S': (0, 1), 'T': (1, 0), 'U': (2,)}
    """
    found: dict[str, tuple[int, ...]] = {}
    for at, part in enumerate(shape):
        if isinstance(part, str):
            found[part] = (at,)
        else:
            found |= {name: (at, *vector) for name, vector in vectors_of(part).items()}
    return found


def interleaving_of_tree(
    tree: isl.Schedule, statements: Sequence[str], depth: int = 1
) -> Interleaving:
    """Who shares the first so many loops of a tree, and who comes first."""
    vectors = vectors_of(shape_of(tree))
    padding = (0,) * depth  # places differ before it
    return interleaving_of([(vectors[name] + padding)[:depth] for name in statements])
