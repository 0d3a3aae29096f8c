"""Combining annotated ASTs (§5.9): guards that are shared move out, the others become ifs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import islpy as isl

from loopwright.basics.records import record
from loopwright.codegen.expressions import condition
from loopwright.codegen.grafts import Graft, block
from loopwright.codegen.stock import Stock
from loopwright.model.expressions import Constant
from loopwright.model.loop_ast import For, If, Node, User, walk
from loopwright.polyhedra.levels import SET, union, without_last
from loopwright.polyhedra.simplification import simplified_in

DEEPEST = 30
"""So many ifs stand inside each other; guards beyond that stand side by side in the innermost."""

MOST_CONSTRAINTS = 6
"""In longer conditions nothing is looked for that others imply."""

MOST_PIECES = 12
"""Beyond so many disjuncts, the complement of a condition is not looked for."""


def hoisted_guard(grafts: list[Graft], stock: Stock) -> isl.Set:
    """A condition that all the grafts need, over the iterators of the stock.

    Only constraints that stand in one of the guards are considered, but they need not stand in the
    others: that the others imply them together with what is known and enforced is enough (Example
    5.17).  If all guards are the same, it may have several disjuncts.
    """
    guards = [graft.guard for graft in grafts]
    if all(guard.plain_is_universe() for guard in guards):
        return guards[0]
    first = guards[0]
    if all(guard.plain_is_equal(first) or guard.is_equal(first) for guard in guards[1:]):
        return first
    everything = union(
        [graft.guard.intersect(stock.known).intersect(graft.enforced) for graft in grafts]
    )
    candidates = isl.SetList.alloc(isl.DEFAULT_CONTEXT, len(guards))
    for guard in guards:
        candidates = candidates.add(guard)
    return isl.Set.from_basic_set(everything.unshifted_simple_hull_from_set_list(candidates))


def hoisted_out(guard: isl.Set, known: isl.Set) -> isl.Set:
    """What a guard inside a loop says about the iterators outside of it.

    The loop's own iterator is the last dimension; a guard that depends on it leaves what remains
    after its elimination.
    """
    last = guard.dim(SET) - 1
    if guard.involves_dims(SET, last, 1):
        return simplified_in(without_last(guard), known)
    return guard.project_out(SET, last, 1)


def shared_enforced(grafts: list[Graft]) -> isl.Set:
    """Outside of this none of the grafts does anything, not even test its guard."""
    enforced = [
        graft.enforced if graft.guard.plain_is_universe() else graft.enforced.intersect(graft.guard)
        for graft in grafts
    ]
    if len(enforced) == 1 and enforced[0].n_basic_set() == 1:
        return enforced[0]
    if any(part.plain_is_universe() for part in enforced):
        return isl.Set.universe(enforced[0].get_space())
    return isl.Set.from_basic_set(union(enforced).unshifted_simple_hull())


# --- the tree of ifs ------------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class _Branch:
    """An if node under construction."""

    condition: isl.Set
    """What is tested here."""
    around: _Place
    """What holds here without the test."""
    then: list[Node | _Branch] = field(default_factory=list)
    otherwise: list[Node | _Branch] = field(default_factory=list)
    _fails: _Place | None = None

    def holds(self) -> _Place:
        """What holds in the then branch."""
        return self.around.where(self.condition)

    def fails(self) -> _Place | None:
        """What holds in the else branch, if it can be said in few words."""
        if self._fails is None and self.condition.n_basic_set() <= MOST_PIECES:
            self._fails = _Place(
                self.around.known.subtract(self.condition),
                self.around.certain.subtract(self.condition),
            )
        return self._fails


@record(eq=False)
class _Place:
    """What holds somewhere: at the end, and even if pending conditions are dropped.

    Guards are simplified in terms of the latter only.  A pending condition is dropped because the
    guards inside enforce it, so they must not rely on it in turn.
    """

    known: isl.Set
    certain: isl.Set

    def where(self, condition: isl.Set) -> _Place:
        return _Place(self.known.intersect(condition), self.certain.intersect(condition))


def guarded(grafts: list[Graft], hoisted: isl.Set, stock: Stock) -> Node:
    """The nodes in order, each under its guard, where the hoisted guard holds already.

    A guard that implies the condition of an if node that is still open, or of its else branch, goes
    in there.  Only what stands last in its branch can be extended, so that the order never changes
    (Example 5.18): of two branches that exclude each other, either may go on.
    """
    if all(graft.guard.plain_is_universe() for graft in grafts):
        return block([graft.node for graft in grafts])
    stock, grafts = _aligned(stock, grafts)
    outside = _Place(stock.known, stock.generated).where(hoisted)
    top: list[Node | _Branch] = []
    for graft in grafts:
        siblings, place = _deepest(graft, outside, top, stock)
        _insert(graft, siblings, place, stock)
    return _finished(top, outside.certain, stock)


def _aligned(stock: Stock, grafts: list[Graft]) -> tuple[Stock, list[Graft]]:
    """Over the same symbolic constants: nodes inside may have brought in some of their own."""
    space = stock.known.get_space()
    for graft in grafts:
        if not graft.guard.get_space().has_equal_params(space):
            space = space.align_params(graft.guard.get_space())
    return stock.aligned(space), [
        replace(graft, guard=graft.guard.align_params(space)) for graft in grafts
    ]


def _deepest(
    graft: Graft, outside: _Place, top: list[Node | _Branch], stock: Stock
) -> tuple[list[Node | _Branch], _Place]:
    """The deepest branch that the guard allows, among those that stand last where they are.

    A node goes into an else branch even if only what it enforces itself allows that.
    """
    siblings, place = top, outside
    if not top:
        return siblings, place
    where = outside.known.intersect(graft.guard)
    active = where.intersect(graft.enforced)
    for _ in range(DEEPEST):
        last = siblings[-1] if siblings else None
        if not isinstance(last, _Branch):
            break
        holds = last.holds()
        if where.is_subset(holds.known):
            siblings, place = last.then, holds
            continue
        fails = last.fails() if stock.options.allow_else else None
        if fails is None or not active.is_subset(fails.known):
            break
        siblings, place = last.otherwise, fails
    return siblings, place


def _insert(graft: Graft, siblings: list[Node | _Branch], place: _Place, stock: Stock) -> None:
    """Put a node at the end of a branch, under what is left to test there."""
    needed = _without_implied(simplified_in(graft.guard, place.certain).coalesce(), place.certain)
    if needed.plain_is_universe():
        siblings.append(graft.node)
        return
    parts = [needed] if stock.options.allow_or else _disjoint(needed)
    siblings += [_Branch(part, place, [graft.node]) for part in parts]


def _without_implied(needed: isl.Set, certain: isl.Set) -> isl.Set:
    """The condition without constraints that follow from the others, in an else branch.

    What holds there has several pieces, and isl does not look at all of them.
    """
    if certain.n_basic_set() == 1 or needed.n_basic_set() != 1:
        return needed
    (piece,) = needed.get_basic_sets()
    kept = list(piece.get_constraints())
    if len(kept) > MOST_CONSTRAINTS or piece.dim(isl.dim_type.div):
        return needed
    for constraint in list(kept):
        others = _where_all(needed, [each for each in kept if each is not constraint])
        own = isl.Set.from_basic_set(isl.BasicSet.from_constraint(constraint))
        if certain.intersect(others).is_subset(own):
            kept = [each for each in kept if each is not constraint]
    return _where_all(needed, kept)


def _where_all(like: isl.Set, constraints: Sequence[isl.Constraint]) -> isl.Set:
    part = isl.BasicSet.universe(like.get_space())
    for constraint in constraints:
        part = part.add_constraint(constraint)
    return isl.Set.from_basic_set(part)


def _disjoint(condition: isl.Set) -> list[isl.Set]:
    parts = condition.make_disjoint().get_basic_sets()
    return [isl.Set.from_basic_set(part) for part in parts]


def _finished(items: list[Node | _Branch], certain: isl.Set, stock: Stock) -> Node:
    """The nodes, with conditions in terms of what is certain to hold around them."""
    return block(
        [_if_node(item, certain, stock) if isinstance(item, _Branch) else item for item in items]
    )


def _if_node(branch: _Branch, certain: isl.Set, stock: Stock) -> Node:
    test = condition(branch.condition, stock.build(more=certain))
    then = _finished(branch.then, certain.intersect(branch.condition), stock)
    if test == Constant(1):
        return then
    otherwise = _finished(branch.otherwise, certain, stock) if branch.otherwise else None
    if otherwise is not None and _is_unannotated(then) and otherwise == then:
        return then
    return If(test, then, otherwise)


def _is_unannotated(node: Node) -> bool:
    """Has no callback said anything about the node?  Then equal nodes are the same code."""
    return not any(
        isinstance(each, For | User) and each.annotation is not None for each in walk(node)
    )
