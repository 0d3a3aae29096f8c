"""Schedule trees, built from the leaves up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

import islpy as isl


def leaf(domain: isl.Set) -> isl.Schedule:
    """The schedule of one statement."""
    return isl.Schedule.from_domain(isl.UnionSet.from_set(domain))


def sequence(children: Sequence[isl.Schedule]) -> isl.Schedule | None:
    """One after the other; nothing for no children."""
    return reduce(lambda left, right: left.sequence(right), children) if children else None


def band(child: isl.Schedule, members: Iterable[isl.PwAff]) -> isl.Schedule:
    """A loop around the child: ``members`` tells for each statement when an instance runs."""
    union = reduce(
        lambda left, right: left.union_add(right), map(isl.UnionPwAff.from_pw_aff, members)
    )
    return child.insert_partial_schedule(isl.MultiUnionPwAff.from_union_pw_aff(union))


def together(members: Sequence[isl.UnionPwAff]) -> isl.MultiUnionPwAff:
    """Functions of the instances as the members of one band.

    >>> print(together([isl.UnionPwAff("{ S[i] -> [(i)] }"), isl.UnionPwAff("{ S[i] -> [(-i)] }")]))
    [{ S[i] -> [(i)] }, { S[i] -> [(-i)] }]
    """
    alone = map(isl.MultiUnionPwAff.from_union_pw_aff, members)
    return reduce(isl.MultiUnionPwAff.flat_range_product, alone)


def mark(child: isl.Schedule, name: str) -> isl.Schedule:
    """The child under a mark of that name; a single statement stays as it is.

    isl cannot read back a mark without a child of its own.
    """
    if child.get_root().child(0).get_type() == isl.schedule_node_type.leaf:
        return child
    return child.get_root().child(0).insert_mark(isl.Id(name)).get_schedule()


def bands_of(schedule: isl.Schedule) -> list[isl.ScheduleNode]:
    """The bands of a tree, outermost first.

    >>> tree = band(leaf(isl.Set("{ S[i] }")), [isl.PwAff("{ S[i] -> [(i)] }")])
    >>> [node.band_n_member() for node in bands_of(tree)]
    [1]
    """
    return bands_below(schedule.get_root())


def bands_below(node: isl.ScheduleNode) -> list[isl.ScheduleNode]:
    """The bands at a node and further down, outermost first."""
    found: list[isl.ScheduleNode] = []

    def look(each: isl.ScheduleNode) -> bool:
        if each.get_type() == isl.schedule_node_type.band:
            found.append(each.copy())  # isl takes the node itself back
        return True

    node.foreach_descendant_top_down(look)
    return found


def block_text(schedule: isl.Schedule) -> str:
    """The tree as YAML in block style, readable by a person and by ``isl.Schedule``."""
    printer = isl.Printer.to_str(isl.DEFAULT_CONTEXT).set_yaml_style(0)
    return printer.print_schedule(schedule).get_str()
