"""Statements that follow each other and hand a value on, scheduled as one (PPCG §7.4)."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import reduce

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.scop import union_map
from loopwright.polyhedra.unions import maps_of, sets_of
from loopwright.scheduling.compression import coordinates_of, to_coordinates
from loopwright.scheduling.constraints import ScheduleConstraints

SET = isl.dim_type.set

Chain = list["_Leaf"]


@record(eq=False)
class _Leaf:
    """A statement at a leaf of the original schedule, and when the outer bands run it."""

    domain: isl.Set
    times: isl.Map


@record(eq=False)
class Grouping:
    """Constraints on groups, and how to get back to the statements.

    ``contraction`` takes an instance to that of its group; the statements of each of the ``chains``
    run one after the other.
    """

    constraints: ScheduleConstraints
    contraction: isl.UnionMap
    chains: dict[str, Chain]

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """The names of the statements of each group."""
        return {
            name: tuple(leaf.domain.get_tuple_name() or "" for leaf in chain)
            for name, chain in self.chains.items()
        }

    def expanded(self, tree: isl.Schedule) -> isl.Schedule:
        """The schedule of the statements for one of the groups.

        isl's own ``expand`` puts a node in front of every statement whose domain satisfies an
        equality, and later takes that node's range for any instance.  So the tree is written anew,
        with expansions where the groups are.
        """
        text = json.dumps(_node(tree.get_root(), self.chains))
        return isl.Schedule(text)

    def contraction_to(self, group: str) -> isl.UnionMap:
        """From the instances of the statements of one group to those of the group."""
        maps = maps_of(self.contraction)
        return union_map(each for each in maps if each.get_tuple_name(isl.dim_type.out) == group)


def _node(node: isl.ScheduleNode, chains: dict[str, Chain]) -> dict[str, object]:
    """A node and all below it, as isl reads them."""
    kind = node.get_type()
    if kind == isl.schedule_node_type.leaf:
        return _leaf(node.get_domain(), chains)
    if kind == isl.schedule_node_type.sequence or kind == isl.schedule_node_type.set:
        name = "sequence" if kind == isl.schedule_node_type.sequence else "set"
        return {name: [_node(node.child(at), chains) for at in range(node.n_children())]}
    found: dict[str, object] = {}
    if kind == isl.schedule_node_type.domain:
        found["domain"] = str(node.domain_get_domain())
    elif kind == isl.schedule_node_type.filter:
        found["filter"] = str(node.filter_get_filter())
    else:
        members = range(node.band_n_member())
        found["schedule"] = str(node.band_get_partial_schedule())
        found["permutable"] = int(node.band_get_permutable())
        found["coincident"] = [int(node.band_member_get_coincident(at)) for at in members]
    below = _node(node.child(0), chains)
    return _with_child(found, below)


def _with_child(node: dict[str, object], below: dict[str, object]) -> dict[str, object]:
    if below:
        node["child"] = below
    return node


def _leaf(instances: isl.UnionSet, chains: dict[str, Chain]) -> dict[str, object]:
    """What takes the place of a leaf: an expansion for each group that reaches it."""
    names = [each.get_tuple_name() or "" for each in sets_of(instances)]
    if not any(name in chains for name in names):
        return {}
    if len(names) == 1:
        return _expansion(names[0], chains[names[0]])
    children: list[dict[str, object]] = []
    for each in sets_of(instances.universe()):
        below = _leaf(isl.UnionSet.from_set(each), chains)
        children.append(_with_child({"filter": str(each)}, below))
    return {"set": children}


def _expansion(name: str, chain: Chain) -> dict[str, object]:
    contraction = union_map(leaf.times.set_tuple_name(isl.dim_type.out, name) for leaf in chain)
    return {
        "contraction": str(isl.UnionPwMultiAff.from_union_map(contraction)),
        "expansion": str(contraction.reverse()),
        "child": {
            "sequence": [
                {"filter": str(isl.Set.universe(leaf.domain.get_space()))} for leaf in chain
            ]
        },
    }


def grouped(constraints: ScheduleConstraints, original: isl.Schedule) -> Grouping | None:
    """The constraints on chains of statements, or ``None`` if there are no chains."""
    domain = constraints.domain
    handed_on = constraints.validity.intersect(constraints.proximity)
    chains: list[Chain] = []
    for leaves in _runs_of_leaves(original.get_root(), domain):
        found = _chains(leaves, handed_on, constraints.context)
        chains += [_compressed(chain) for chain in found if len(chain) > 1]
    if not chains:
        return None
    taken = {each.get_tuple_name() or "" for each in sets_of(domain)}
    names = _fresh_names(len(chains), taken)
    contraction = _contraction(domain, chains, names)
    return Grouping(
        _contracted(constraints, contraction, chains, names),
        contraction,
        dict(zip(names, chains, strict=True)),
    )


def _fresh_names(count: int, taken: set[str]) -> list[str]:
    names: list[str] = []
    number = 0
    while len(names) < count:
        name = f"G_{number}"
        if name not in taken:
            names.append(name)
        number += 1
    return names


# --- what may be grouped --------------------------------------------------------------------------


def _runs_of_leaves(node: isl.ScheduleNode, domain: isl.UnionSet) -> list[list[_Leaf]]:
    """Leaves that are next to each other in a sequence, of one statement each."""
    found: list[list[_Leaf]] = []
    if node.get_type() == isl.schedule_node_type.sequence:
        run: list[_Leaf] = []
        for at in range(node.n_children()):
            child = node.child(at).child(0)
            statements = sets_of(child.get_domain().intersect(domain))
            if not statements:
                continue
            if child.get_type() == isl.schedule_node_type.leaf and len(statements) == 1:
                run.append(_Leaf(statements[0], _times(child, statements[0])))
                continue
            found.append(run)
            run = []
        found.append(run)
    for at in range(node.n_children()):
        found += _runs_of_leaves(node.child(at), domain)
    return found


def _times(leaf: isl.ScheduleNode, domain: isl.Set) -> isl.Map:
    """When the bands above a leaf run the instances."""
    times = leaf.get_prefix_schedule_union_map().intersect_domain(isl.UnionSet.from_set(domain))
    return isl.Map.from_union_map(times)


def _chains(leaves: Sequence[_Leaf], handed_on: isl.UnionMap, context: isl.Set) -> list[Chain]:
    """Neighbours joined from the last to the first, each with what follows while that goes."""
    chains: list[Chain] = [[leaf] for leaf in leaves]
    at = len(chains) - 2
    while at >= 0:
        while at + 1 < len(chains) and any(
            _hands_on(first, second, handed_on, context)
            for first in chains[at]
            for second in chains[at + 1]
        ):
            chains[at] += chains.pop(at + 1)
        at -= 1
    return chains


def _hands_on(first: _Leaf, second: _Leaf, handed_on: isl.UnionMap, context: isl.Set) -> bool:
    """Does each instance of one hand a value to just the instance that follows it?"""
    space = first.domain.get_space().map_from_domain_and_range(second.domain.get_space())
    pairs = handed_on.extract_map(space)
    return (
        first.domain.intersect_params(context).is_subset(pairs.domain())
        and second.domain.intersect_params(context).is_subset(pairs.range())
        and pairs.is_bijective()
        and pairs.apply_domain(first.times).apply_range(second.times).is_identity()
        and first.times.is_bijective()
        and second.times.is_bijective()
    )


def _compressed(chain: Chain) -> Chain:
    """The times in as many coordinates as they have dimensions (§7.2)."""
    times = chain[0].times.range()
    change = to_coordinates(times.get_space(), coordinates_of(times))
    return [replace(leaf, times=leaf.times.apply_range(change)) for leaf in chain]


# --- groups in place of statements ----------------------------------------------------------------


def _contraction(
    domain: isl.UnionSet, chains: Sequence[Chain], names: Sequence[str]
) -> isl.UnionMap:
    """From each instance to that of its group, or to itself."""
    maps: list[isl.Map] = []
    for name, chain in zip(names, chains, strict=True):
        maps += [leaf.times.set_tuple_name(isl.dim_type.out, name) for leaf in chain]
    inside = union_map(maps)
    others = domain.universe().subtract(inside.domain().universe())
    return inside.union(others.identity())


def _contracted(
    constraints: ScheduleConstraints,
    contraction: isl.UnionMap,
    chains: Sequence[Chain],
    names: Sequence[str],
) -> ScheduleConstraints:
    groups = contraction.range().intersect(_universes(chains, names))
    within = groups.identity()

    def of_groups(pairs: isl.UnionMap) -> isl.UnionMap:
        return pairs.apply_domain(contraction).apply_range(contraction).subtract(within)

    to_groups = {_name(each.get_space().domain()): each for each in maps_of(contraction)}

    def of_tagged(pairs: isl.UnionMap) -> isl.UnionMap:
        found = union_map(_with_groups(each, to_groups) for each in maps_of(pairs))
        return _without_own_pairs(found, names)

    return replace(
        constraints,
        domain=constraints.domain.apply(contraction),
        validity=of_groups(constraints.validity),
        proximity=of_groups(constraints.proximity),
        coincidence=of_groups(constraints.coincidence),
        condition=of_tagged(constraints.condition),
        conditional_validity=of_tagged(constraints.conditional_validity),
    )


def _universes(chains: Sequence[Chain], names: Sequence[str]) -> isl.UnionSet:
    spaces = (
        chain[0].times.range().set_tuple_name(name)
        for name, chain in zip(names, chains, strict=True)
    )
    sets = (isl.UnionSet.from_set(isl.Set.universe(each.get_space())) for each in spaces)
    return reduce(isl.UnionSet.union, sets)


def _name(space: isl.Space) -> str:
    return space.get_tuple_name(SET) or ""


def _with_groups(pairs: isl.Map, to_groups: dict[str, isl.Map]) -> isl.Map:
    """Tagged pairs ``{ [S[i] -> R[]] -> [T[j] -> Q[]] }`` with groups in place of statements."""
    space = pairs.get_space()
    for end, change in (
        (space.domain().unwrap(), isl.Map.apply_domain),
        (space.range().unwrap(), isl.Map.apply_range),
    ):
        same_tag = isl.Map.identity(end.range().map_from_set())
        pairs = change(pairs, to_groups[_name(end.domain())].product(same_tag))
    return pairs


def _without_own_pairs(tagged: isl.UnionMap, groups: Collection[str]) -> isl.UnionMap:
    """The pairs but those within one instance of a group."""
    found: list[isl.Map] = []
    for pairs in maps_of(tagged):
        space = pairs.get_space()
        source, sink = space.domain().unwrap().domain(), space.range().unwrap().domain()
        if _name(source) in groups and _name(source) == _name(sink):
            same = isl.Map.universe(space)
            for at in range(source.dim(SET)):
                same = same.equate(isl.dim_type.in_, at, isl.dim_type.out, at)
            pairs = pairs.subtract(same)
        found.append(pairs)
    return union_map(found)
