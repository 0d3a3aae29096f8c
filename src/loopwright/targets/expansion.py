"""Expansion: an array that carries values only within an iteration gets a copy for each one.

In

    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++) {
        s = 0;
        for (k = 0; k < n; k++)
          s += A[i][k] * B[k][j];
        C[i][j] = s;
      }

all iterations of i and j use the same s, and so they run one after the other.  With a buffer for a
tile of them, ``s_x[i - i0][j - j0]``, the statements of the tile can run one after the other, each
in loops of its own over i, j and k, as in any product of matrices.  Where the array lives on, the
values that were written last are copied back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from math import prod

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.dependences import Dependence, Dependences, Kind
from loopwright.model.elements import is_named
from loopwright.model.packing import Expanded
from loopwright.model.scop import Array, Scop, union_map
from loopwright.polyhedra.extremes import greatest_value, least_value
from loopwright.polyhedra.order import together_above
from loopwright.polyhedra.schedule_trees import together
from loopwright.polyhedra.unions import maps_of
from loopwright.polyhedra.values import isl_value
from loopwright.targets.packing import MOST_BYTES
from loopwright.targets.pairs import Relaxed, pairs_of

SET, IN, OUT = isl.dim_type.set, isl.dim_type.in_, isl.dim_type.out
NODE = isl.schedule_node_type

ROWS = 6
"""The iterations of a tile in which each has a row, or a copy of one: a block in registers."""
ROW = 128
"""The iterations of a tile in the last loop, where each one has only a copy of a scalar."""


@record(eq=False)
class Expansion:
    """A band whose tiles have copies of some arrays.

    The node has the place of the band; ``order`` has the positions that its members had before,
    ``known`` the dependences that are left, ``arrays`` the buffers in marks of their names, and
    ``needs`` the parameter values for which they suffice.
    """

    node: isl.ScheduleNode
    order: tuple[int, ...]
    members: tuple[isl.UnionPwAff, ...]
    """What they were before there were tiles."""
    known: Relaxed
    arrays: tuple[Expanded, ...]
    needs: isl.Set


def expansion_at(node: isl.ScheduleNode, dependences: Dependences, first: int) -> Expansion | None:
    """The expansion at a band that has a sequence inside, if there is one.

    The names of the marks count from ``first``.
    """
    inside = node
    while inside.get_type() == NODE.band:
        inside = inside.child(0)
    if inside.get_type() != NODE.sequence:
        return None
    arrays = _expandable(inside, dependences)
    if not arrays:
        return None
    known = _relaxed(inside, dependences, arrays)
    at = _Band(node, inside, pairs_of(known.conflicts), 2 if _are_scalars(arrays) else 1)
    sunk = at.sunk()
    return _Building(at, sunk, dependences, known, arrays).expansion(first) if sunk else None


def _are_scalars(arrays: Sequence[Array]) -> bool:
    return all(each.rank == 0 for each in arrays)


# --- arrays ---------------------------------------------------------------------------------------


def _expandable(inside: isl.ScheduleNode, dependences: Dependences) -> list[Array]:
    """The arrays whose values stay in an iteration of all loops around a node, and should."""
    if dependences.approximated:
        return []
    scop = dependences.scop
    around = inside.get_prefix_schedule_multi_union_pw_aff()
    reads = {each.get_tuple_name(OUT) for each in maps_of(dependences.may_live_in)}
    found: list[Array] = []
    for array in scop.arrays:
        own = [each for each in dependences.conflicts if each.array == array.name]
        if not own or array.name in reads or not _is_plain(array, scop, inside):
            continue
        flow = pairs_of(each for each in own if each.kind is Kind.FLOW)
        false = pairs_of(each for each in own if each.kind is not Kind.FLOW)
        if flow.is_subset(flow.eq_at_multi_union_pw_aff(around)) and not false.is_subset(
            false.eq_at_multi_union_pw_aff(around)
        ):
            found.append(array)
    return found


def _is_plain(array: Array, scop: Scop, inside: isl.ScheduleNode) -> bool:
    """Is it used at the node alone, in all loops around it, and by the name of one element?"""
    if array.rank > 1 or len(array.parts) != 1:
        return False
    reached = inside.get_domain()
    for statement in scop.statements:
        own = [each for each in statement.accesses if each.array == array.name and not each.kills]
        if not own:
            continue
        if not isl.UnionSet.from_set(statement.domain).is_subset(reached):
            return False
        if statement.domain.dim(SET) < inside.get_schedule_depth():
            return False
        if not all(
            is_named(each, statement, array) and each.is_certain(statement.domain) for each in own
        ):
            return False
    return True


def _relaxed(
    inside: isl.ScheduleNode, dependences: Dependences, arrays: Sequence[Array]
) -> Relaxed:
    """What is left of the dependences where each iteration has its own copies."""
    names = {each.name for each in arrays}
    around = inside.get_prefix_schedule_multi_union_pw_aff()

    def left(each: Dependence) -> Dependence:
        if each.array not in names or each.kind is Kind.FLOW:
            return each
        kept = isl.UnionMap.from_map(each.pairs).eq_at_multi_union_pw_aff(around)
        return replace(each, pairs=kept.extract_map(each.pairs.get_space()))

    conflicts = tuple(map(left, dependences.conflicts))
    entering = dependences.tagged_may_live_in
    return Relaxed(dependences.scop, conflicts, dependences.reductions, entering)


# --- loops ----------------------------------------------------------------------------------------


class _Band:
    """The members of all bands from a node down to a sequence."""

    def __init__(
        self, node: isl.ScheduleNode, inside: isl.ScheduleNode, pairs: isl.UnionMap, most: int
    ) -> None:
        self.node = node
        self.inside = inside
        self.pairs = together_above(node, 0, pairs)
        self.most = most
        self.members: list[isl.UnionPwAff] = []
        while node.get_type() == NODE.band:
            partial = node.band_get_partial_schedule()
            self.members += [partial.get_at(at) for at in range(node.band_n_member())]
            node = node.child(0)

    def sunk(self) -> int:
        """How many of the last members may become loops inside of the sequence."""
        for count in range(min(self.most, len(self.members)), 0, -1):
            pairs = _at_once(self.pairs, self.members[:-count])
            if self.is_permutable(self.members[-count:], pairs) and not self._goes_back(pairs):
                return count
        return 0

    def is_permutable(self, members: Sequence[isl.UnionPwAff], pairs: isl.UnionMap) -> bool:
        return all(self._goes_on(each, pairs) for each in members)

    def _goes_on(self, member: isl.UnionPwAff, pairs: isl.UnionMap) -> bool:
        """Does a member run no pair in the opposite order?"""
        return pairs.lex_gt_at_multi_union_pw_aff(together([member])).is_empty()

    def _goes_back(self, pairs: isl.UnionMap) -> bool:
        """Does a later part of the sequence come before an earlier one?"""
        filters = [
            self.inside.child(at).filter_get_filter() for at in range(self.inside.n_children())
        ]
        return any(
            not pairs.intersect_domain(source).intersect_range(sink).is_empty()
            for at, source in enumerate(filters)
            for sink in filters[:at]
        )

    def outer(self, members: Sequence[isl.UnionPwAff]) -> list[int]:
        """The order of the loops around: rather those first that carry nothing, where they may."""
        order = list(range(len(members)))
        if not self.is_permutable(self.members, self.pairs):
            return order
        return sorted(order, key=lambda at: not self._is_coincident(self.members[at]))

    def _is_coincident(self, member: isl.UnionPwAff) -> bool:
        return self.pairs.is_subset(_at_once(self.pairs, [member]))


def _at_once(pairs: isl.UnionMap, members: Sequence[isl.UnionPwAff]) -> isl.UnionMap:
    """The pairs that none of the members runs apart."""
    return pairs.eq_at_multi_union_pw_aff(together(members)) if members else pairs


class _Building:
    """The new tree, and the buffers."""

    def __init__(
        self,
        band: _Band,
        sunk: int,
        dependences: Dependences,
        known: Relaxed,
        arrays: Sequence[Array],
    ) -> None:
        self.band = band
        self.dependences = dependences
        self.known = known
        self.arrays = arrays
        self.members = band.members[-sunk:]
        self.sizes = (ROWS, ROW)[-sunk:] if _are_scalars(arrays) else (ROWS,)
        self.depth = band.node.get_schedule_depth()

    def expansion(self, first: int) -> Expansion | None:
        """All of it, if the buffers are not too large."""
        names = [f"expand{first + at}" for at in range(len(self.arrays))]
        tiles = [
            each.scale_down_val(isl_value(size)).floor().scale_val(isl_value(size))
            for each, size in zip(self.members, self.sizes, strict=True)
        ]
        around = [*self.band.members[: -len(tiles)], *tiles]
        order = self.band.outer(around)
        origins = tuple(
            self.depth + order.index(len(around) - len(tiles) + at) for at in range(len(tiles))
        )
        node = self._with_points()
        for name in reversed(names):
            node = node.insert_mark(isl.Id(name))
        node = node.insert_partial_schedule(together([around[at] for at in order]))
        inside = node
        while inside.get_type() != NODE.sequence:
            inside = inside.child(0)
        found: list[Expanded] = []
        needs = isl.Set("{ : }")
        for name, array in zip(names, self.arrays, strict=True):
            shape = self._shape(array)
            last = self._last(array, inside)
            if shape is None or not last.is_single_valued():
                return None
            needs = needs & shape[1]
            found.append(
                Expanded(
                    name,
                    array.name,
                    self._references(array),
                    shape[0],
                    tuple(self.members),
                    origins,
                    _copied_back(last, name),
                )
            )
        known = replace(self.known, scop=self._scop())
        before = tuple(self.band.members[at] for at in order)
        return Expansion(node, tuple(order), before, known, tuple(found), needs)

    def _with_points(self) -> isl.ScheduleNode:
        """The sequence in the place of the bands, with the members inside of each part."""
        node = self.band.node
        while node.get_type() == NODE.band:
            node = node.delete()
        for at in range(node.n_children()):
            part = self._with_own_loops(node.child(at).child(0))
            node = part.ancestor(part.get_tree_depth() - node.get_tree_depth())
        return node

    def _with_own_loops(self, node: isl.ScheduleNode) -> isl.ScheduleNode:
        """A part of the sequence with the members around it.

        They join the bands that are there, if all of them may then change places; or else the
        innermost one, which may be a loop of vectors with their help.
        """
        bands: list[isl.ScheduleNode] = []
        while node.get_type() == NODE.band:
            bands.append(node)
            node = node.child(0)
        own = together(self.members)
        if not bands:
            return node.insert_partial_schedule(own)
        inside = [each.band_get_partial_schedule().reset_tuple_id(SET) for each in bands]
        whole = reduce(isl.MultiUnionPwAff.flat_range_product, [own, *inside])
        node = bands[0]
        if self._may_change_places(node, whole):
            for _ in bands:
                node = node.delete()
            return node.insert_partial_schedule(whole)
        last = own.flat_range_product(inside[-1])
        if self._carries_nothing(node) and self._may_change_places(bands[-1], last):
            return bands[-1].delete().insert_partial_schedule(last)
        return node.insert_partial_schedule(own)

    def _may_change_places(self, node: isl.ScheduleNode, members: isl.MultiUnionPwAff) -> bool:
        """May they, as the members of a band in the place of a node?"""
        alone = [members.get_at(at) for at in range(members.dim(SET))]
        return self.band.is_permutable(alone, self._pairs(node))

    def _carries_nothing(self, node: isl.ScheduleNode) -> bool:
        """Are there no pairs in a part that the members run apart?"""
        pairs = self._pairs(node)
        return pairs.is_subset(_at_once(pairs, self.members))

    def _pairs(self, node: isl.ScheduleNode) -> isl.UnionMap:
        """What matters at a node; the loops around the tile are not there yet."""
        around = self.band.members[: -len(self.members)]
        return _at_once(together_above(node, 0, self.band.pairs), around)

    def _references(self, array: Array) -> frozenset[tuple[str, str]]:
        return frozenset(
            (statement.name, each.tag)
            for statement in self.dependences.scop.statements
            for each in statement.accesses
            if each.array == array.name and not each.kills
        )

    def _shape(self, array: Array) -> tuple[tuple[int, ...], isl.Set] | None:
        """The extents of the buffer, and where they suffice."""
        size = array.parts[-1].element_size
        room = MOST_BYTES // len(self.arrays) // (prod(self.sizes) * size) // 8 * 8
        if room == 0:
            return None
        if array.rank == 0:
            return self.sizes, isl.Set("{ : }")
        touched = reduce(
            isl.Set.union,
            (
                each.may.intersect_domain(statement.domain).range()
                for statement in self.dependences.scop.statements
                for each in statement.accesses
                if each.array == array.name and not each.kills
            ),
        )
        context = self.dependences.scop.context
        if not least_value(touched.intersect_params(context), 0).is_nonneg():
            return None
        most = greatest_value(touched.intersect_params(context), 0)
        if most.is_int() and most.to_python() < room:
            return (*self.sizes, most.to_python() + 1), isl.Set("{ : }")
        greatest = touched.dim_max(0).gist(touched.params())
        limit = isl.PwAff.from_aff(
            isl.Aff.zero_on_domain(isl.LocalSpace.from_space(greatest.get_domain_space()))
        ).add_constant_val(isl_value(room))
        return (*self.sizes, room), greatest.lt_set(limit).union(touched.params().complement())

    def _last(self, array: Array, inside: isl.ScheduleNode) -> isl.UnionMap:
        """``A[subscripts] -> [times around, members]``: the copies that have the last values."""
        writes = [
            each
            for each in maps_of(self.dependences.may_live_out)
            if each.get_tuple_name(OUT) == array.name
        ]
        around = inside.get_prefix_schedule_multi_union_pw_aff().reset_tuple_id(SET)
        times = around.flat_range_product(together(self.members))
        return union_map(writes).reverse().apply_range(isl.UnionMap.from_multi_union_pw_aff(times))

    def _scop(self) -> Scop:
        """The region as the nests see it: with a subscript more for each member."""
        names = {each.name for each in self.arrays}
        maps = {
            each.get_tuple_name(IN): each
            for each in maps_of(isl.UnionMap.from_multi_union_pw_aff(together(self.members)))
        }
        scop = self.dependences.scop
        statements = [
            replace(
                statement,
                accesses=tuple(
                    replace(
                        each,
                        may=_with_copies(each.may, maps),
                        must=_with_copies(each.must, maps),
                    )
                    if each.array in names and not each.kills
                    else each
                    for each in statement.accesses
                ),
            )
            for statement in scop.statements
        ]
        return replace(scop, statements=tuple(statements))


def _copied_back(last: isl.UnionMap, name: str) -> isl.PwMultiAff | None:
    """``name[times around, members, subscripts] -> A[subscripts]``, unless there is nothing."""
    if last.is_empty():
        return None
    copies = isl.Map.from_union_map(last).reverse().coalesce()
    return isl.PwMultiAff.from_map(copies.range_map().flatten_domain().set_tuple_name(IN, name))


def _with_copies(access: isl.Map, members: dict[str, isl.Map]) -> isl.Map:
    array = access.get_tuple_name(OUT)
    copies = members.get(access.get_tuple_name(IN))
    if copies is None:  # the statement never runs
        return access
    return copies.flat_range_product(access).set_tuple_name(OUT, array)
