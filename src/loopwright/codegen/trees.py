"""Schedule trees (§6): a visit of each node, with the core applied to each band."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import islpy as isl

from loopwright.codegen.combining import guarded, hoisted_guard, shared_enforced
from loopwright.codegen.core import band_levels
from loopwright.codegen.grafts import Graft
from loopwright.codegen.leaves import statements
from loopwright.codegen.options import AstOptions, LoopType
from loopwright.codegen.stock import Stock
from loopwright.codegen.tasks import Executed, Member, Task, aligned, domain_of
from loopwright.model.loop_ast import Mark
from loopwright.polyhedra.levels import approximated
from loopwright.polyhedra.simplification import simplified_in
from loopwright.polyhedra.unions import by_statement, maps_of, parameter_names

Kind = isl.schedule_node_type
PARAM = isl.dim_type.param


def visit(node: isl.ScheduleNode, stock: Stock, executed: Executed) -> list[Graft]:  # noqa: C901 - one case a kind of node
    """The code for what is executed, as the tree below (and with) the node orders it."""
    if not executed:
        return []
    stock, executed = aligned(stock, executed)
    match node.get_type():
        case Kind.leaf:
            return statements(stock, executed)
        case Kind.band:
            return _band(node, stock, executed)
        case Kind.sequence | Kind.set:
            return [
                graft
                for index in range(node.n_children())
                for graft in visit(node.child(index), stock, executed)
            ]
        case Kind.filter:
            return visit(node.child(0), stock, _filtered(executed, node.filter_get_filter()))
        case Kind.mark:
            return _mark(node, stock, executed)
        case Kind.guard:
            return _guard(node, stock, executed)
        case Kind.context:
            return _context(node, stock, executed)
        case Kind.extension:
            return _extension(node, stock, executed)
        case Kind.expansion:
            return visit(node.child(0), stock, _expanded(executed, node.expansion_get_expansion()))
        case Kind.domain:
            return visit(node.child(0), stock, executed)
        case kind:
            raise AssertionError(f"a schedule tree has no node of kind {kind}")


# --- bands ----------------------------------------------------------------------------------------


def _band(node: isl.ScheduleNode, stock: Stock, executed: Executed) -> list[Graft]:
    """Algorithm 1 on the members of the band; its child takes the place of the statements."""
    child = node.child(0)
    count = node.band_n_member()
    if count == 0:
        return visit(child, stock, executed)
    partial = node.band_get_partial_schedule().reset_tuple_id(isl.dim_type.set)
    timed = _timed(executed, partial)
    isolated = _isolated(node, stock, count)
    task = Task(
        tuple(_member(node, position, stock.options) for position in range(count)),
        lambda inner, runs: visit(child, inner, runs),
        child,
        isolated,
        name=f"the band {node.band_get_partial_schedule()}",
    )
    return band_levels(stock, timed, task)


def _member(node: isl.ScheduleNode, position: int, options: AstOptions) -> Member:
    def chosen(kind: int) -> LoopType:
        name = isl.ast_loop_type(kind).name.upper()
        return options.loop_type if name == "DEFAULT" else LoopType[name]

    return Member(
        chosen(node.band_member_get_ast_loop_type(position)),
        chosen(node.band_member_get_isolate_ast_loop_type(position)),
    )


def _timed(executed: Executed, partial: isl.MultiUnionPwAff) -> Executed:
    """``[x] -> S`` and ``S -> [t]`` as ``[x, t] -> S``."""
    times = isl.UnionMap.from_multi_union_pw_aff(partial)
    moments = partial.get_space().drop_all_params()
    timed: list[isl.Map] = []
    for relation in executed:
        statement = relation.get_space().range().drop_all_params()
        own = times.extract_map(statement.map_from_domain_and_range(moments))
        # Equalities that are only implied would cost the levels their tight bounds.
        timed.append(relation.reverse().flat_range_product(own).reverse().detect_equalities())
    return tuple(timed)


def _isolated(node: isl.ScheduleNode, stock: Stock, members: int) -> isl.Set | None:
    """The isolated part over the iterators and the members of the band."""
    option = node.band_get_ast_isolate_option()
    if option.is_empty():
        return None
    relation = option.unwrap() if option.is_wrapping() else isl.Map.from_range(option)
    return isolated_part(relation, stock, members)


def isolated_part(relation: isl.Map, stock: Stock, members: int) -> isl.Set:
    """``[outer schedule dimensions] -> [members]`` over the iterators and the members."""
    unnamed = relation.reset_tuple_id(isl.dim_type.in_).reset_tuple_id(isl.dim_type.out)
    assert unnamed.dim(isl.dim_type.out) == members, f"{relation} for {members} members"
    schedule = stock.schedule_map()
    unnamed = unnamed.align_params(schedule.get_space())
    schedule = schedule.align_params(unnamed.get_space())
    return unnamed.preimage_domain_multi_aff(schedule).wrap().flatten()


# --- the other nodes ------------------------------------------------------------------------------


def _mark(node: isl.ScheduleNode, stock: Stock, executed: Executed) -> list[Graft]:
    grafts = visit(node.child(0), stock, executed)
    if not grafts:
        return []
    together = one_graft(grafts, stock)
    return [replace(together, node=Mark(node.mark_get_id().get_name(), together.node))]


def one_graft(grafts: list[Graft], stock: Stock) -> Graft:
    """All of them as one, with the guard that they share (§5.9)."""
    hoisted = hoisted_guard(grafts, stock)
    return Graft(guarded(grafts, hoisted, stock), hoisted, shared_enforced(grafts))


def _guard(node: isl.ScheduleNode, stock: Stock, executed: Executed) -> list[Graft]:
    """A condition that has to be tested here."""
    tested = _over_iterators(node.guard_get_guard(), stock)
    grafts = visit(node.child(0), stock.with_generated(tested), executed)
    if not grafts:
        return []
    together = one_graft(grafts, stock.with_generated(tested))
    guard = together.guard.intersect(simplified_in(tested, stock.generated))
    return [replace(together, guard=guard)]


def _context(node: isl.ScheduleNode, stock: Stock, executed: Executed) -> list[Graft]:
    """Conditions that hold here, perhaps about new symbolic constants: block and thread ids.

    New constants mean nothing outside, so what involves them is tested inside.
    """
    context = _over_iterators(node.context_get_context(), stock)
    inner = stock.with_generated(context)
    grafts = visit(node.child(0), inner, executed)
    new = _new_parameters(inner.known, stock.known)
    if not grafts or not new:
        return grafts
    shared = hoisted_guard(grafts, inner)
    hoisted = reduce(_independent_of, new, shared)
    node_inside = guarded(grafts, hoisted, inner)
    enforced = reduce(_projected, new, shared_enforced(grafts))
    return [Graft(node_inside, reduce(_projected, new, hoisted), enforced)]


def _new_parameters(inside: isl.Set, outside: isl.Set) -> list[str]:
    return sorted(parameter_names(inside.get_space()) - parameter_names(outside.get_space()))


def _independent_of(condition: isl.Set, name: str) -> isl.Set:
    position = condition.find_dim_by_name(PARAM, name)
    if position < 0:
        return condition
    return condition.drop_constraints_involving_dims(PARAM, position, 1)


def _projected(condition: isl.Set, name: str) -> isl.Set:
    position = condition.find_dim_by_name(PARAM, name)
    if position < 0:
        return condition
    return approximated(condition.project_out(PARAM, position, 1), isl.Set.remove_unknown_divs)


def _extension(node: isl.ScheduleNode, stock: Stock, executed: Executed) -> list[Graft]:
    """Statements that are added here, in terms of the outer schedule dimensions.

    They run at the times at which something else reaches this node; a loop may run over others.
    """
    added = node.extension_get_extension()
    schedule = isl.UnionPwMultiAff.from_pw_multi_aff(
        isl.PwMultiAff.from_multi_aff(stock.schedule_map())
    )
    here = added.preimage_domain_union_pw_multi_aff(schedule)
    reached = domain_of(executed)
    if not stock.known.is_subset(reached):
        reached = simplified_in(reached, stock.known).coalesce()
        here = here.intersect_domain(isl.UnionSet.from_set(reached))
    return visit(node.child(0), stock, (*executed, *by_statement(maps_of(here), isl.dim_type.out)))


def _filtered(executed: Executed, kept: isl.UnionSet) -> Executed:
    """The executed instances that pass a filter; statements without any are dropped."""
    found = (
        relation.intersect_range(kept.extract_set(relation.get_space().range().drop_all_params()))
        for relation in executed
    )
    return tuple(relation for relation in found if not relation.is_empty())


def _expanded(executed: Executed, expansion: isl.UnionMap) -> Executed:
    return tuple(
        relation
        for original in executed
        for relation in maps_of(isl.UnionMap.from_map(original).apply_range(expansion))
    )


def _over_iterators(condition: isl.Set, stock: Stock) -> isl.Set:
    """A condition on outer schedule dimensions in terms of the iterators."""
    if condition.is_params():
        return isl.Set.universe(stock.known.get_space()).intersect_params(condition)
    change = stock.schedule_map()
    aligned = condition.align_params(change.get_space())
    return aligned.preimage_multi_aff(change.align_params(aligned.get_space()))
