"""Loops that are written out: whole strips by themselves, so that they need no conditions.

Only the loops that are generated change, not the order (isolation, PolyhedralAST §5.6).
"""

from __future__ import annotations

from functools import reduce

import islpy as isl

from loopwright.polyhedra.schedule_trees import bands_of
from loopwright.polyhedra.unions import maps_of

SET, IN, OUT = isl.dim_type.set, isl.dim_type.in_, isl.dim_type.out


def with_whole_strips_apart(tree: isl.Schedule) -> isl.Schedule:
    """The same order; the loop that tells which strips are whole runs those by themselves.

    Where one loop would tell it for several, it does so for the first.
    """
    for at in range(len(bands_of(tree))):
        written_out = bands_of(tree)[at]
        whole = _whole_strips(written_out)
        if whole is not None:
            outer = whole.dim(SET) - 1
            loop = _loops_around(written_out)[outer]
            if loop.band_get_ast_build_options().is_empty():
                isolated = isl.Map.from_range(whole).move_dims(IN, 0, OUT, 0, outer).wrap()
                options = isolated.set_tuple_name("isolate").to_union_set()
                tree = loop.band_set_ast_build_options(options).get_schedule()
    return tree


def _loops_around(node: isl.ScheduleNode) -> list[isl.ScheduleNode]:
    """The loops around a loop, outermost first."""
    ancestors = [node.ancestor(up) for up in range(node.get_tree_depth(), 0, -1)]
    return [each for each in ancestors if each.get_type() == isl.schedule_node_type.band]


def _whole_strips(node: isl.ScheduleNode) -> isl.Set | None:
    """Where all statements run at all values of a loop that is written out, if not everywhere.

    The set is about as few of the outermost loops as tell it.
    """
    if node.band_member_get_ast_loop_type(0) != isl.ast_loop_type.unroll:
        return None
    around, inside = node.get_prefix_schedule_relation(), node.band_get_partial_schedule_union_map()
    strips = [each.range().unwrap() for each in maps_of(around.range_product(inside))]
    everywhere = reduce(isl.Set.union, (each.domain() for each in strips))
    values = reduce(isl.Set.union, (each.range() for each in strips))
    least, most = values.dim_min_val(0), values.dim_max_val(0)
    if not (least.is_int() and most.is_int()):
        return None
    all_values = values.universe(values.get_space()).lower_bound_val(SET, 0, least)
    full = isl.Map.from_domain_and_range(everywhere, all_values.upper_bound_val(SET, 0, most))
    missing = reduce(isl.Set.union, ((full - each).domain() for each in strips))
    whole = (everywhere - missing).coalesce()
    if missing.is_empty():
        return None
    depth = whole.dim(SET)
    shorter = ((at, whole.project_out(SET, at, depth - at)) for at in range(1, depth + 1))
    return next(
        (
            each
            for at, each in shorter
            if (each.insert_dims(SET, at, depth - at) & everywhere).is_equal(whole)
        ),
        None,
    )
