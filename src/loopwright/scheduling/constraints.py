"""What a schedule is asked for: pairs of instances of several kinds (PPCG §4.2, §4.3)."""

from __future__ import annotations

from dataclasses import field

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.dependences import Dependences
from loopwright.model.scop import union_map, union_set
from loopwright.polyhedra.unions import joined, maps_of
from loopwright.polyhedra.values import always


def _nothing() -> isl.UnionMap:
    return joined([])


@record(eq=False)
class ScheduleConstraints:
    """Instances, and pairs of them that say what a schedule f should do.

    A *validity* constraint a -> b asks for f(b) >= f(a), a *proximity* constraint for a small
    distance, a *coincidence* constraint for f(b) = f(a) for as many outer members as possible.  A
    constraint of *conditional validity* counts as soon as an adjacent *condition* has its ends
    apart.  Both may carry tags, ``{ [S[i] -> R[]] -> [T[j] -> Q[]] }``; then they are adjacent only
    if the instance and the tag are the same.  A pair of an instance with itself asks for nothing,
    and pairs outside the domain do not count.

    >>> chain = isl.UnionMap("{ S[i] -> S[i + 1] : 0 <= i < 9 }")
    >>> asked = ScheduleConstraints(isl.UnionSet("{ S[i] : 0 <= i <= 9 }"), validity=chain)
    >>> asked.proximity.is_empty()
    True
    """

    domain: isl.UnionSet
    validity: isl.UnionMap = field(default_factory=_nothing)
    proximity: isl.UnionMap = field(default_factory=_nothing)
    coincidence: isl.UnionMap = field(default_factory=_nothing)
    condition: isl.UnionMap = field(default_factory=_nothing)
    conditional_validity: isl.UnionMap = field(default_factory=_nothing)
    context: isl.Set = field(default_factory=always)

    def __post_init__(self) -> None:
        """Refuse what is not made of isl's unions."""
        for name, kind in (
            ("domain", isl.UnionSet),
            ("validity", isl.UnionMap),
            ("proximity", isl.UnionMap),
            ("coincidence", isl.UnionMap),
            ("condition", isl.UnionMap),
            ("conditional_validity", isl.UnionMap),
            ("context", isl.Set),
        ):
            value = getattr(self, name)
            if not isinstance(value, kind):
                given = type(value).__name__
                raise TypeError(f"{name} must be an isl.{kind.__name__}, not {given}")
        if not self.context.is_params():
            raise ValueError("the context must be about parameters only")
        for name in ("condition", "conditional_validity"):
            if any(_is_half_tagged(each) for each in maps_of(getattr(self, name))):
                raise ValueError(f"pairs of {name} have a tag at one end only")


def _is_half_tagged(pairs: isl.Map) -> bool:
    space = pairs.get_space()
    return space.domain().is_wrapping() != space.range().is_wrapping()


def constraints_of(dependences: Dependences) -> ScheduleConstraints:
    """The constraints that PPCG makes of dependences (§4.3).

    With live-range reordering, the order of live ranges counts only where one of them is apart,
    and scalars do not keep a loop from being coincident: each iteration can have its own.
    """
    scop = dependences.scop
    domain = union_set(each.domain for each in scop.statements if not each.is_kill)
    near = dependences.flow.union(dependences.false)
    tagged_order = dependences.tagged_order
    if tagged_order is None or dependences.forced is None:
        return ScheduleConstraints(domain, near, near, near, context=scop.context)
    validity = dependences.flow.union(dependences.forced)
    return ScheduleConstraints(
        domain,
        validity=validity,
        proximity=near,
        coincidence=validity.union(_order_of_arrays(dependences)),
        condition=dependences.tagged_flow,
        conditional_validity=tagged_order,
        context=scop.context,
    )


def _order_of_arrays(dependences: Dependences) -> isl.UnionMap:
    """The order of live ranges in proper arrays, not in scalars."""
    assert dependences.order_triples is not None
    found: list[isl.Map] = []
    for each in maps_of(dependences.order_triples):
        element = each.get_space().range().unwrap().range()
        if element.dim(isl.dim_type.set) > 0:
            found.append(each.range_factor_domain().factor_domain())
    return union_map(found)
