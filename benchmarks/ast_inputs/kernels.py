"""The benchmark kernels as schedules: as written, tiled, skewed, strip-mined, unrolled, isolated.

Whether a transformation respects the dependences does not matter here: the generator has to scan
whatever order it is given.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import islpy as isl

from benchmarks.ast_inputs.records import AstInput
from loopwright import read_c
from loopwright.polyhedra.schedule_trees import block_text

KERNELS = Path(__file__).parent.parent / "kernels"

TILE = 8
STRIP = 4

SIZES = {"tsteps": 3, "tmax": 3, "nr": 4, "nq": 5, "n": 19, "m": 21}
"""Sizes that are not multiples of a tile, with a full tile where a kernel is not too deep."""

USUAL_SIZE = 18
SMALL = {"heat-3d": {"tsteps": 2, "n": 13}, "adi": {"tsteps": 2, "n": 19}}

_SET = isl.dim_type.set


def kernel_inputs() -> list[AstInput]:
    """All kernels in all variants."""
    return [each for path in sorted(KERNELS.glob("*.c")) for each in _variants(path)]


def _variants(path: Path) -> list[AstInput]:
    (scop,) = read_c(path)
    small = SMALL.get(path.stem, {})
    names = [parameter.name for parameter in scop.parameters]
    sizes = {name: small.get(name, SIZES.get(name, USUAL_SIZE)) for name in names}
    return [
        AstInput(
            name=f"{path.stem}/{variant}",
            text=block_text(transform(scop.schedule)),
            context=str(scop.context),
            parameters=sizes,
        )
        for variant, transform in VARIANTS.items()
    ]


# --- walking ------------------------------------------------------------------------------------

Step = Callable[[isl.ScheduleNode], isl.ScheduleNode]


def _at_each_band(schedule: isl.Schedule, step: Step) -> isl.Schedule:
    """Rebuild all bands, innermost first."""

    def visit(node: isl.ScheduleNode) -> isl.ScheduleNode:
        return step(node) if _is_band(node) else node

    return schedule.map_schedule_node_bottom_up(visit)


def _is_band(node: isl.ScheduleNode) -> bool:
    return node.get_type() == isl.schedule_node_type.band


def _is_innermost(node: isl.ScheduleNode) -> bool:
    """Is there no band below?"""
    return not any(
        _is_band(child) or not _is_innermost(child)
        for child in (node.child(position) for position in range(node.n_children()))
    )


def _with_schedule(node: isl.ScheduleNode, partial: isl.MultiUnionPwAff) -> isl.ScheduleNode:
    return node.delete().insert_partial_schedule(partial)


# --- transformations ----------------------------------------------------------------------------


def _as_written(schedule: isl.Schedule) -> isl.Schedule:
    return schedule


def merged(schedule: isl.Schedule) -> isl.Schedule:
    """Directly nested bands become one band."""
    return _at_each_band(schedule, _merge_with_child)


def _merge_with_child(node: isl.ScheduleNode) -> isl.ScheduleNode:
    if not _is_band(node.child(0)):
        return node
    inner = node.child(0).band_get_partial_schedule()
    outer = node.band_get_partial_schedule()
    alone = node.child(0).delete().parent()
    return _with_schedule(alone, outer.flat_range_product(inner))


def tiled(schedule: isl.Schedule) -> isl.Schedule:
    """Each band of nested loops in tiles."""
    return _at_each_band(merged(schedule), lambda node: _tile(node, TILE))


def _tile(node: isl.ScheduleNode, size: int) -> isl.ScheduleNode:
    sizes = isl.MultiVal.zero(node.band_get_space())
    for position in range(node.band_n_member()):
        sizes = sizes.set_val(position, isl.Val(size))
    return node.band_tile(sizes)


def skewed(schedule: isl.Schedule) -> isl.Schedule:
    """Each loop runs by the sum of its iterator and that of the loop around it."""
    return _at_each_band(schedule, _add_outer)


def _add_outer(node: isl.ScheduleNode) -> isl.ScheduleNode:
    around = node
    while around.has_parent():
        around = around.parent()
        if _is_band(around):
            inner = node.band_get_partial_schedule()
            outer = around.band_get_partial_schedule().intersect_domain(inner.domain())
            return _with_schedule(node, inner.add(outer))
    return node


def strip_mined(schedule: isl.Schedule) -> isl.Schedule:
    """Innermost loops in strips."""
    return _at_each_band(schedule, lambda node: _tile(node, STRIP) if _is_innermost(node) else node)


def unrolled(schedule: isl.Schedule) -> isl.Schedule:
    """Innermost loops in strips without a loop."""
    return _at_each_band(
        schedule, lambda node: _unroll_strip(node) if _is_innermost(node) else node
    )


def _unroll_strip(node: isl.ScheduleNode) -> isl.ScheduleNode:
    point = _tile(node, STRIP).child(0)
    return point.band_member_set_ast_loop_type(0, isl.ast_loop_type.unroll).parent()


def isolated(schedule: isl.Schedule) -> isl.Schedule:
    """In tiles, and innermost the full tiles apart from the others."""
    return _at_each_band(tiled(schedule), _isolate_full_tiles)


def _isolate_full_tiles(node: isl.ScheduleNode) -> isl.ScheduleNode:
    """After tiling, a band directly around a band runs over tiles."""
    if not (_is_band(node.child(0)) and _is_innermost(node.child(0))):
        return node
    points = node.child(0).child(0).get_prefix_schedule_relation().range()
    full = _full_tiles(isl.Set.from_union_set(points), node.band_n_member())
    return node.band_set_ast_build_options(isl.UnionSet.from_set(full))


def _full_tiles(points: isl.Set, count: int) -> isl.Set:
    """``isolate[[outer] -> [tiles]]`` for the tiles in which each of the points runs something.

    A tile is partial if a point in its box is not among ``points``, [outer, tiles, points].
    """
    depth = points.dim(_SET)
    tiles = points.project_out(_SET, depth - count, count)
    box = tiles.insert_dims(_SET, depth - count, count)
    for position in range(depth - count, depth):
        box = box.lower_bound_val(_SET, position, isl.Val(0))
        box = box.upper_bound_val(_SET, position, isl.Val(TILE - 1))
    partial = box.subtract(points).project_out(_SET, depth - count, count)
    full = tiles.subtract(partial).coalesce()
    outer = depth - 2 * count
    relation = isl.Map.from_range(full).move_dims(isl.dim_type.in_, 0, isl.dim_type.out, 0, outer)
    return relation.wrap().set_tuple_name("isolate")


VARIANTS = {
    "as written": _as_written,
    "tiled": tiled,
    "skewed": skewed,
    "strip-mined": strip_mined,
    "unrolled": unrolled,
    "isolated": isolated,
}
