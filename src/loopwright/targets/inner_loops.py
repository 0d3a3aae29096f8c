"""Which member of a nest may be the innermost, vector loop, and in which groups of statements."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from loopwright.basics.graphs import ordered_components
from loopwright.polyhedra.unions import maps_of
from loopwright.targets.nests import Nest

Groups = tuple[tuple[str, ...], ...]


def vector_groups(nest: Nest, member: int) -> Groups | None:
    """The statements in groups whose innermost loops over the member carry nothing.

    Statements that depend on each other in both directions, while all other members stand still,
    share a loop; the groups run one after the other.  ``None`` if such a loop carries something.
    """
    return groups_of(nest.statements, _within(nest, member), nest.times(member))


def groups_of(
    statements: Sequence[str], pairs: isl.UnionMap, times: isl.MultiUnionPwAff
) -> Groups | None:
    """The same for the pairs that everything around the innermost loop runs together."""
    groups = components(statements, pairs)
    of_name = {name: at for at, names in enumerate(groups) for name in names}
    for each in maps_of(pairs):
        ends = (each.get_tuple_name(kind) for kind in (isl.dim_type.in_, isl.dim_type.out))
        source, sink = (of_name[name] for name in ends)
        one = isl.UnionMap.from_map(each)
        if source == sink and not one.subtract(one.eq_at_multi_union_pw_aff(times)).is_empty():
            return None
    return groups


def _within(nest: Nest, member: int) -> isl.UnionMap:
    """The pairs that all other members run together."""
    pairs = nest.pairs
    for at in nest.members:
        if at != member:
            pairs = pairs.eq_at_multi_union_pw_aff(nest.times(at))
    return pairs


def components(statements: Sequence[str], pairs: isl.UnionMap) -> Groups:
    """Statements that depend on each other in both directions together, after what they need."""
    edges = [
        (each.get_tuple_name(isl.dim_type.in_), each.get_tuple_name(isl.dim_type.out))
        for each in maps_of(pairs)
    ]
    return tuple(map(tuple, ordered_components(statements, edges)))
