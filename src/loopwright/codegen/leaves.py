"""Statements (§5.1): what runs when no level is left to tell instances apart."""

from __future__ import annotations

import islpy as isl

from loopwright.codegen.core import band_levels
from loopwright.codegen.expressions import call
from loopwright.codegen.grafts import Graft
from loopwright.codegen.options import LoopType, answered
from loopwright.codegen.separation import disjoint_parts
from loopwright.codegen.stock import Stock
from loopwright.codegen.tasks import Executed, Member, Origin, Task, spend_node
from loopwright.model.loop_ast import User
from loopwright.polyhedra.simplification import simplified_in


def statements(stock: Stock, executed: Executed) -> list[Graft]:
    """One statement after the other; they are scheduled together, so any order will do."""
    grafts: list[Graft] = []
    for relation in executed:
        grafts += _statement(stock, relation)
    return grafts


def _statement(stock: Stock, relation: isl.Map) -> list[Graft]:
    here = relation.intersect_domain(stock.known)
    if here.is_empty():
        return []
    if not here.is_single_valued():
        return _all_instances(stock, relation)
    if stock.options.allow_or:
        return [_instance(stock, here)]
    parts = disjoint_parts(here.domain().compute_divs())
    return [_instance(stock, here.intersect_domain(part)) for part in parts]


def _all_instances(stock: Stock, relation: isl.Map) -> list[Graft]:
    """Several instances at one time, in any order: loops over the instances themselves."""
    one_each = relation.range_map().flatten_domain()
    member = Member(LoopType.DEFAULT, LoopType.DEFAULT, Origin.INSTANCE)
    members = (member,) * relation.dim(isl.dim_type.out)
    return band_levels(stock, (one_each,), Task(members, statements, name=_place(relation)))


def _place(relation: isl.Map) -> str:
    """What messages call the place of a statement."""
    kind = isl.dim_type.out
    name = relation.get_tuple_name(kind) if relation.has_tuple_name(kind) else None
    return f"the instances of {name or 'a statement without a name'}"


def _instance(stock: Stock, here: isl.Map) -> Graft:
    """One instance, where it exists.

    No approximation is possible any more: integers without an explicit description get one, which
    may make the guard a disjunction.
    """
    spend_node(stock, _place(here))
    guard = here.gist_domain(stock.known).domain().compute_divs().coalesce()
    if not guard.plain_is_universe():
        guard = simplified_in(guard, stock.known).coalesce()
    instance = isl.PwMultiAff.from_map(here)
    certain = stock.with_generated(stock.pending).build(more=guard, instance=instance)
    node = User(call(instance, certain))
    at_each = stock.options.at_each_statement
    return Graft(
        answered("at_each_statement", at_each(node, certain)) if at_each else node,
        guard,
        isl.Set.universe(guard.get_space()),
    )
