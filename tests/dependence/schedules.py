"""Random schedules of a region: its own order, changed at random places, as trees and as maps.

Every decision is drawn from :class:`~tests.execution.choices.Choices`.  Nothing here asks whether
a schedule is legal: some are, many are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import islpy as isl

from loopwright.model.scop import Scop, union_set
from tests.execution.choices import Choices

Scheduled = isl.Schedule | isl.UnionMap
Kind = isl.schedule_node_type


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """Instances in no order."""

    domain: isl.UnionSet


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """Loops around a tree, the outermost first: when each instance runs."""

    members: tuple[isl.UnionPwAff, ...]
    child: Tree


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """Trees one after the other, or in any order."""

    children: tuple[Tree, ...]
    is_ordered: bool = True


Tree = Leaf | Band | Order


def executed_schedule(scop: Scop) -> isl.Schedule:
    """The original order of the statements that execute something."""
    executed = union_set(each.domain for each in scop.statements if not each.is_kill)
    return scop.schedule.intersect_domain(executed)


# --- to and from isl ----------------------------------------------------------------------------


def tree_of(schedule: isl.Schedule) -> Tree:
    """The tree of isl as ours; marks and contexts are left out."""
    return _tree_below(schedule.get_root())


def _tree_below(node: isl.ScheduleNode) -> Tree:
    kind = node.get_type()
    if kind == Kind.leaf:
        return Leaf(node.get_domain())
    if kind in (Kind.sequence, Kind.set):
        children = tuple(_tree_below(node.child(k)) for k in range(node.n_children()))
        return Order(children, kind == Kind.sequence)
    inside = _tree_below(node.child(0))
    if kind != Kind.band:
        return inside
    partial = node.band_get_partial_schedule()
    count = node.band_n_member()
    return Band(tuple(partial.get_union_pw_aff(k) for k in range(count)), inside)


def schedule_of(tree: Tree) -> isl.Schedule:
    """The tree as one of isl."""
    match tree:
        case Leaf(domain):
            return isl.Schedule.from_domain(domain)
        case Band(members, child):
            return schedule_of(child).insert_partial_schedule(_joined(members))
        case Order(children, is_ordered):
            join = isl.Schedule.sequence if is_ordered else isl.Schedule.set
            return reduce(join, map(schedule_of, children))


def _joined(members: Sequence[isl.UnionPwAff]) -> isl.MultiUnionPwAff:
    parts = [isl.MultiUnionPwAff.from_union_pw_aff(each) for each in members]
    return reduce(lambda left, right: left.flat_range_product(right), parts)


def domain_of(tree: Tree) -> isl.UnionSet:
    """The instances of a tree."""
    match tree:
        case Leaf(domain):
            return domain
        case Band(_, child):
            return domain_of(child)
        case Order(children):
            return reduce(isl.UnionSet.union, map(domain_of, children))


def restricted(tree: Tree, domain: isl.UnionSet) -> Tree:
    """What is left of a tree with some of its instances."""
    match tree:
        case Leaf(own):
            return Leaf(own.intersect(domain))
        case Band(members, child):
            kept = tuple(each.intersect_domain(domain) for each in members)
            return Band(kept, restricted(child, domain))
        case Order(children, is_ordered):
            parts = [restricted(each, domain) for each in children]
            full = tuple(each for each in parts if not domain_of(each).is_empty())
            return Order(full, is_ordered) if len(full) > 1 else (full or tuple(parts))[0]


# --- edits of trees -----------------------------------------------------------------------------

Edit = Callable[[Choices, Tree], "Tree | None"]
"""A change at the root of a tree; none where it makes no sense."""


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A subtree, and what becomes of the whole if another one takes its place."""

    tree: Tree
    rebuild: Callable[[Tree], Tree]


def sites(tree: Tree, rebuild: Callable[[Tree], Tree] = lambda tree: tree) -> Iterator[Site]:
    """All subtrees that are not leaves."""
    match tree:
        case Leaf():
            return
        case Band(members, child):
            yield Site(tree, rebuild)
            yield from sites(child, lambda new: rebuild(Band(members, new)))
        case Order(children):
            yield Site(tree, rebuild)
            for position, child in enumerate(children):
                yield from sites(child, _at(tree, position, rebuild))


def _at(order: Order, position: int, rebuild: Callable[[Tree], Tree]) -> Callable[[Tree], Tree]:
    before, after = order.children[:position], order.children[position + 1 :]
    return lambda new: rebuild(replace(order, children=(*before, new, *after)))


def reverse(choices: Choices, tree: Tree) -> Tree | None:
    """A loop runs backwards."""
    if not isinstance(tree, Band):
        return None
    return _with_member(tree, _some(choices, tree), lambda member: member.neg())


def interchange(choices: Choices, tree: Tree) -> Tree | None:
    """Two loops, one directly around the other, change places."""
    merged = _merged(tree)
    if merged is None or len(merged.members) < 2:
        return None
    at = choices.integer(0, len(merged.members) - 2)
    first, second = merged.members[at : at + 2]
    return Band((*merged.members[:at], second, first, *merged.members[at + 2 :]), merged.child)


def skew(choices: Choices, tree: Tree) -> Tree | None:
    """A multiple of one loop is added to another one."""
    merged = _merged(tree)
    if merged is None or len(merged.members) < 2:
        return None
    one = _some(choices, merged)
    other = (one + choices.integer(1, len(merged.members) - 1)) % len(merged.members)
    factor = isl.Val(choices.choose((1, -1, 2, -2)))
    return _with_member(
        merged, one, lambda member: member.add(merged.members[other].scale_val(factor))
    )


def shift(choices: Choices, tree: Tree) -> Tree | None:
    """One statement of a loop runs some iterations later or earlier."""
    if not isinstance(tree, Band):
        return None
    part = choices.choose(_sets(domain_of(tree)))
    amount = choices.choose((1, -1, 2, -2, 5))
    return _with_member(tree, _some(choices, tree), lambda member: _moved(member, part, amount))


def distribute(choices: Choices, tree: Tree) -> Tree | None:
    """A loop around several things becomes a loop around each."""
    if not isinstance(tree, Band) or not isinstance(tree.child, Order):
        return None
    return replace(tree.child, children=tuple(_around(tree, each) for each in tree.child.children))


def fuse(choices: Choices, tree: Tree) -> Tree | None:
    """Neighbouring loops become one, their bodies one after the other."""
    if not isinstance(tree, Order):
        return None
    pairs = [
        k
        for k, (one, other) in enumerate(zip(tree.children, tree.children[1:], strict=False))
        if isinstance(one, Band) and isinstance(other, Band)
    ]
    if not pairs:
        return None
    at = choices.choose(pairs)
    one, other = (_split(each) for each in tree.children[at : at + 2] if isinstance(each, Band))
    fused = Band(
        (one.members[0].union_add(other.members[0]),),
        Order((one.child, other.child)),
    )
    children = (*tree.children[:at], fused, *tree.children[at + 2 :])
    return fused if len(children) == 1 else replace(tree, children=children)


def reorder(choices: Choices, tree: Tree) -> Tree | None:
    """The parts of a sequence change places."""
    if not isinstance(tree, Order):
        return None
    return replace(tree, children=_shuffled(choices, tree.children))


def free(choices: Choices, tree: Tree) -> Tree | None:
    """The parts of a sequence may run in any order."""
    return replace(tree, is_ordered=False) if isinstance(tree, Order) else None


def tile(choices: Choices, tree: Tree) -> Tree | None:
    """All loops that are directly around each other, in blocks."""
    merged = _merged(tree)
    if merged is None:
        return None
    size = choices.choose((2, 3))
    return Band(tuple(_block(each, size) for each in merged.members), merged)


def strip_mine(choices: Choices, tree: Tree) -> Tree | None:
    """One loop in blocks; the loop over the blocks moves out as far as it can."""
    merged = _merged(tree)
    if merged is None:
        return None
    block = _block(merged.members[_some(choices, merged)], choices.choose((2, 3)))
    return Band((block, *merged.members), merged.child)


def parallel(choices: Choices, tree: Tree) -> Tree | None:
    """The iterations of a loop run at the same time."""
    if not isinstance(tree, Band):
        return None
    at = _some(choices, tree)
    members = tree.members[:at] + tree.members[at + 1 :]
    return Band(members, tree.child) if members else tree.child


def split(choices: Choices, tree: Tree) -> Tree | None:
    """The early and the late instances of a loop apart, sometimes the late ones first."""
    if not isinstance(tree, Band):
        return None
    border = choices.choose((1, 2))
    late = isl.UnionMap.from_union_pw_aff(tree.members[0]).intersect_range(
        isl.UnionSet(f"{{ [t] : t >= {border} }}")
    )
    behind = late.domain()
    before = domain_of(tree).subtract(behind)
    if behind.is_empty() or before.is_empty():
        return None
    parts = (restricted(tree, before), restricted(tree, behind))
    return Order(parts[::-1] if choices.chance(50) else parts)


EDITS: dict[Edit, int] = {
    reverse: 10,
    interchange: 12,
    skew: 10,
    shift: 12,
    distribute: 10,
    fuse: 14,
    reorder: 12,
    tile: 8,
    strip_mine: 6,
    split: 5,
    parallel: 4,
    free: 2,
}
"""How often each of them is tried."""


def _merged(tree: Tree) -> Band | None:
    """The bands at the root as one."""
    if not isinstance(tree, Band):
        return None
    inner = _merged(tree.child)
    return tree if inner is None else Band(tree.members + inner.members, inner.child)


def _split(band: Band) -> Band:
    """The same with one member at the root."""
    return Band(band.members[:1], Band(band.members[1:], band.child)) if band.members[1:] else band


def _some(choices: Choices, band: Band) -> int:
    return choices.integer(0, len(band.members) - 1)


def _with_member(
    band: Band, position: int, change: Callable[[isl.UnionPwAff], isl.UnionPwAff]
) -> Band:
    members = list(band.members)
    members[position] = change(members[position])
    return Band(tuple(members), band.child)


def _around(band: Band, child: Tree) -> Band:
    domain = domain_of(child)
    return Band(tuple(each.intersect_domain(domain) for each in band.members), child)


def _moved(member: isl.UnionPwAff, part: isl.UnionSet, amount: int) -> isl.UnionPwAff:
    constant = isl.UnionPwAff.val_on_domain(part, isl.Val(amount))
    return member.union_add(constant)


def _block(member: isl.UnionPwAff, size: int) -> isl.UnionPwAff:
    return member.scale_down_val(isl.Val(size)).floor()


def _sets(domain: isl.UnionSet) -> list[isl.UnionSet]:
    """The instances of each statement, in the order of their names."""
    found: list[isl.Set] = []
    domain.foreach_set(found.append)
    found.sort(key=lambda each: str(each.get_tuple_name()))
    return [isl.UnionSet.from_set(each) for each in found]


def _shuffled(choices: Choices, things: Sequence[Tree]) -> tuple[Tree, ...]:
    rest = list(things)
    return tuple(rest.pop(choices.integer(0, len(rest) - 1)) for _ in things)


def edited(choices: Choices, tree: Tree) -> Tree:
    """One random edit at a random place; the tree itself where none is found."""
    weighted = [edit for edit, weight in EDITS.items() for _ in range(weight)]
    places = list(sites(tree))
    for _ in range(20 if places else 0):
        edit, site = choices.choose(weighted), choices.choose(places)
        new = edit(choices, site.tree)
        if new is not None:
            return site.rebuild(new)
    return tree


# --- flat maps ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Times:
    """For each statement its instances and their time vector, all of the same length."""

    vectors: tuple[tuple[isl.Set, tuple[isl.PwAff, ...]], ...]

    @property
    def length(self) -> int:
        """Of all vectors."""
        return len(self.vectors[0][1])

    def as_map(self) -> isl.UnionMap:
        """``{ S[i] -> [time] }``."""
        result = isl.UnionMap.empty(isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0))
        for domain, vector in self.vectors:
            maps = [isl.Map.from_pw_aff(each) for each in vector]
            time = reduce(lambda left, right: left.flat_range_product(right), maps)
            result = result.union(isl.UnionMap.from_map(time.intersect_domain(domain)))
        return result

    def with_vector(
        self, position: int, change: Callable[[list[isl.PwAff]], Sequence[isl.PwAff]]
    ) -> Times:
        """The vector of one statement changed."""
        vectors = list(self.vectors)
        domain, vector = vectors[position]
        vectors[position] = (domain, tuple(change(list(vector))))
        return Times(tuple(vectors))

    def with_all(self, change: Callable[[list[isl.PwAff]], Sequence[isl.PwAff]]) -> Times:
        """All vectors changed."""
        return Times(
            tuple((domain, tuple(change(list(vector)))) for domain, vector in self.vectors)
        )


def flat_map(schedule: isl.Schedule) -> isl.UnionMap:
    """``{ S[i] -> [time] }`` for the instances of a tree."""
    return schedule.get_map().intersect_domain(schedule.get_domain())


def times_of(schedule: isl.Schedule) -> Times:
    """The order of a tree as time vectors."""
    found: list[isl.Map] = []
    flat_map(schedule).foreach_map(found.append)
    found.sort(key=lambda each: str(each.get_tuple_name(isl.dim_type.in_)))
    vectors: list[tuple[isl.Set, tuple[isl.PwAff, ...]]] = []
    for each in found:
        function = isl.PwMultiAff.from_map(each)
        size = each.dim(isl.dim_type.out)
        vectors.append((each.domain(), tuple(function.get_at(k) for k in range(size))))
    return Times(tuple(vectors))


def changed_times(choices: Choices, times: Times) -> Times:
    """One random change of the time vectors, of one statement or of all."""
    at = choices.integer(0, len(times.vectors) - 1)
    one, other = (choices.integer(0, times.length - 1) for _ in range(2))
    amount = choices.choose((1, -1, 2, -3))
    number = choices.integer(0, 7)
    changes = [_swapped(one, other), _negated(one), _added(one, other, amount), _later(one, amount)]
    if number < 4:
        return times.with_vector(at, changes[number])
    if number < 7:
        return times.with_all(changes[number - 4])
    return times.with_all(_blocked(one, abs(amount) + 1))


Change = Callable[[list[isl.PwAff]], Sequence[isl.PwAff]]


def _swapped(one: int, other: int) -> Change:
    def change(vector: list[isl.PwAff]) -> list[isl.PwAff]:
        vector[one], vector[other] = vector[other], vector[one]
        return vector

    return change


def _negated(one: int) -> Change:
    return lambda vector: [each.neg() if k == one else each for k, each in enumerate(vector)]


def _added(one: int, other: int, factor: int) -> Change:
    return lambda vector: [
        each.add(vector[other].scale_val(isl.Val(factor))) if k == one else each
        for k, each in enumerate(vector)
    ]


def _later(one: int, amount: int) -> Change:
    return lambda vector: [
        each.add_constant_val(isl.Val(amount)) if k == one else each
        for k, each in enumerate(vector)
    ]


def _blocked(one: int, size: int) -> Change:
    return lambda vector: [vector[one].scale_down_val(isl.Val(size)).floor(), *vector]


def as_band(times: isl.UnionMap) -> isl.Schedule:
    """A tree with all of a map in one band."""
    functions = isl.MultiUnionPwAff.from_union_map(times)
    return isl.Schedule.from_domain(times.domain()).insert_partial_schedule(functions)


# --- random schedules ---------------------------------------------------------------------------


def random_schedule(choices: Choices, scop: Scop) -> Scheduled:
    """Another order of the instances, legal or not: a tree or a map."""
    original = executed_schedule(scop)
    count = choices.choose((1, 1, 2, 2, 3, 4))
    if choices.chance(30):
        times = times_of(original)
        for _ in range(count):
            times = changed_times(choices, times)
        return as_band(times.as_map()) if choices.chance(25) else times.as_map()
    tree = restricted(tree_of(original), original.get_domain())
    for _ in range(count):
        tree = edited(choices, tree)
    schedule = schedule_of(tree)
    return flat_map(schedule) if choices.chance(25) and not has_free_order(tree) else schedule


def has_free_order(tree: Tree) -> bool:
    """Are there parts that may run in any order?"""
    match tree:
        case Leaf():
            return False
        case Band(_, child):
            return has_free_order(child)
        case Order(children, is_ordered):
            return not is_ordered or any(map(has_free_order, children))
