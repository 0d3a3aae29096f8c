"""What is still to be generated at a position: the executed relation and the levels to come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.basics.spans import whole_file
from loopwright.codegen.grafts import Graft
from loopwright.codegen.options import LoopType
from loopwright.codegen.stock import Stock
from loopwright.polyhedra.levels import SET, projected, union

Executed = tuple[isl.Map, ...]
"""The executed relation (§4.1), one map ``[iterators, levels to come] -> S[…]`` a statement."""


class Origin(Enum):
    """Where a level comes from, which decides what it says about the schedule."""

    SCHEDULE = "schedule"
    """A dimension of the schedule."""
    SHIFT = "shift"
    """What shifted strides took off the dimension before (§5.8)."""
    INSTANCE = "instance"
    """A dimension of a statement, because one time runs several instances (§5.1)."""


@record
class Member:
    """One level to come."""

    loop_type: LoopType
    isolated_type: LoopType
    origin: Origin = Origin.SCHEDULE


@record(eq=False)
class Task:
    """The levels of one band that are still to come, and what is inside them."""

    members: tuple[Member, ...]
    inside: Callable[[Stock, Executed], list[Graft]]
    """What generates the code inside the band."""
    node: isl.ScheduleNode | None = None
    """The child of the band in the schedule tree, if there is one."""
    isolated: isl.Set | None = None
    """The part to isolate, over the iterators and the levels to come."""
    in_isolated: bool = False
    """Is this position inside the isolated part of all outer levels of the band?"""
    name: str = "the schedule"
    """What messages call the band."""

    @property
    def member(self) -> Member:
        """The level that is next."""
        return self.members[0]

    def after_level(self) -> Task:
        """What remains inside the next level."""
        return replace(self, members=self.members[1:])

    def substituted(self, change: isl.MultiAff) -> Task:
        """In terms of other dimensions."""
        if self.isolated is None:
            return self
        return replace(self, isolated=self.isolated.preimage_multi_aff(change))

    def loop_type(self) -> LoopType:
        """How the next level is to be broken up here."""
        return self.member.isolated_type if self.in_isolated else self.member.loop_type

    def too_complex(self) -> InputError:
        """What to say when isl needs too many operations."""
        return self.refuse(
            "LW503",
            "the loops are too complex: isl ran out of operations",
            "simplify the schedule, isolate or separate less, or raise max_operations",
        )

    def refuse(self, code: str, message: str, hint: str) -> InputError:
        """A diagnostic about this band."""
        return refusal(code, f"{message} in {self.name}", hint)


def refusal(code: str, message: str, hint: str) -> InputError:
    """A diagnostic about the schedule."""
    return InputError(Diagnostic(code, message, whole_file("<schedule>"), hint))


def spend_node(stock: Stock, where: str) -> None:
    """One node more, unless there are too many already."""
    stock.budget.nodes -= 1
    if stock.budget.nodes < 0:
        raise refusal(
            "LW504",
            f"the code grows beyond {stock.options.max_nodes} nodes in {where}",
            "unroll or separate less, or raise max_nodes",
        )


def domain_of(executed: Executed) -> isl.Set:
    """Where anything runs, over the iterators and the levels to come."""
    return union([relation.domain() for relation in executed])


def restricted(executed: Executed, domain: isl.Set) -> Executed:
    """What runs at the given values of the first levels; statements that do not are dropped."""
    some = executed[0]
    wide = domain.add_dims(SET, some.dim(isl.dim_type.in_) - domain.dim(SET))
    maps = (relation.intersect_domain(wide) for relation in executed)
    return tuple(relation for relation in maps if not relation.is_empty())


def values_at(executed: Executed, level: int, *, exact: bool = False) -> isl.Set:
    """The values of a level at which anything runs."""
    return union([projected(relation.domain(), level, exact=exact) for relation in executed])


def substituted(executed: Executed, change: isl.MultiAff) -> Executed:
    """The executed relation in terms of other dimensions."""
    return tuple(relation.preimage_domain_multi_aff(change) for relation in executed)


def aligned(stock: Stock, executed: Executed) -> tuple[Stock, Executed]:
    """Both over the same symbolic constants, which expressions do not see to by themselves."""
    space = stock.known.get_space()
    if all(relation.get_space().has_equal_params(space) for relation in executed):
        return stock, executed
    for relation in executed:
        space = space.align_params(relation.get_space())
    return stock.aligned(space), tuple(relation.align_params(space) for relation in executed)
