"""Loops with steps, counted one by one: ``c0 = 0, 4, 8, …`` becomes ``c0 = 4 k``.

Sets with strides are hard to work with.  In terms of the numbers of the iterations they have none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.scop import Access, Loop, Statement
from loopwright.polyhedra.values import isl_value
from loopwright.verify.matching import Copy, Correspondence, Move

SET, OUT = isl.dim_type.set, isl.dim_type.out


@record(eq=False)
class Counted:
    """A correspondence in terms of counters; ``functions`` are ``{ T[k] -> T[c] }``."""

    found: Correspondence
    functions: Mapping[str, isl.MultiAff]


@record(eq=False)
class _Step:
    """A loop runs ``start + stride * k``; the start is a function of the iterators around it."""

    loop: Loop
    stride: int
    start: isl.Aff


def counted(found: Correspondence) -> Counted:
    """The same, with the iterators of the new text replaced by counters where they have a stride.

    All statements of a loop get the same counter, so that different iterations stay different, and
    in the same order.
    """
    domains = {each.name: found.domain(each) for each in found.new.statements}
    steps = [step for loop in found.new.loops if (step := _step(loop, domains)) is not None]
    functions = {each.name: _function(each, steps) for each in found.new.statements}
    statements = {
        each.name: _counted(each, domains[each.name], functions[each.name])
        for each in found.new.statements
    }
    new = replace(found.new, statements=tuple(statements.values()))
    copies = tuple(_counted_copy(each, statements, functions) for each in found.copies)
    moves = tuple(_counted_move(each, statements) for each in found.moves)
    return Counted(replace(found, new=new, copies=copies, moves=moves), functions)


def _step(loop: Loop, domains: Mapping[str, isl.Set]) -> _Step | None:
    """The stride that all statements of a loop have, if they have any."""
    inside = [domains[name] for name in loop.statements if not domains[name].is_empty()]
    if not inside or inside[0].get_stride(loop.depth).is_one():
        return None
    inner = inside[0].dim(SET) - loop.depth - 1
    outer = inside[0].project_out(SET, loop.depth + 1, inner).reset_tuple_id()
    info = outer.get_stride_info(loop.depth)
    stride, start = info.get_stride(), info.get_offset()
    if stride.is_one() or start.dim(isl.dim_type.div) > 0:
        return None
    iterator = isl.Aff.var_on_domain(start.get_domain_local_space(), SET, loop.depth)
    distance = isl.PwAff.from_aff(iterator.sub(start))
    reached = distance.mod_val(stride).eq_set(distance.sub(distance))
    if not all(each.is_subset(_over(reached, each)) for each in inside):
        return None
    return _Step(loop, stride.to_python(), start)


def _over(condition: isl.Set, instances: isl.Set) -> isl.Set:
    """A condition on the outer iterators, for these instances."""
    more = instances.dim(SET) - condition.dim(SET)
    return condition.add_dims(SET, more).set_tuple_name(instances.get_tuple_name())


def _function(statement: Statement, steps: Sequence[_Step]) -> isl.MultiAff:
    """``{ T[k] -> T[c] }``."""
    function = isl.MultiAff.identity(statement.domain.get_space().map_from_set())
    for step in sorted(steps, key=lambda each: each.loop.depth):
        if statement.name in step.loop.statements:
            function = _with_step(function, step)
    return function


def _with_step(function: isl.MultiAff, step: _Step) -> isl.MultiAff:
    depth = step.loop.depth
    start = step.start.align_params(function.get_space().params())
    function = function.align_params(start.get_domain_space())
    count = function.get_at(depth).scale_val(isl_value(step.stride))
    outer = function.drop_dims(OUT, depth + 1, function.dim(OUT) - depth - 1).reset_tuple_id(OUT)
    return function.set_at(depth, count.add(start.pullback_multi_aff(outer)))


def _counted(statement: Statement, domain: isl.Set, function: isl.MultiAff) -> Statement:
    domain = domain.preimage_multi_aff(function)
    accesses = tuple(_counted_access(each, domain, function) for each in statement.accesses)
    return replace(statement, domain=domain, accesses=accesses)


def _counted_access(access: Access, domain: isl.Set, function: isl.MultiAff) -> Access:
    """What an access touches at the counted instances."""
    may = access.may.preimage_domain_multi_aff(function).intersect_domain(domain)
    if access.must is access.may:
        return replace(access, may=may, must=may)
    must = access.must.preimage_domain_multi_aff(function).intersect_domain(domain)
    return replace(access, may=may, must=must)


def _counted_copy(
    copy: Copy, statements: Mapping[str, Statement], functions: Mapping[str, isl.MultiAff]
) -> Copy:
    new = statements[copy.new.name]
    accesses = {(each.tag, each.array): each for each in new.accesses}
    references = tuple(
        replace(pair, new=tuple(accesses[each.tag, each.array] for each in pair.new))
        for pair in copy.references
    )
    instances = copy.instances.preimage_domain_multi_aff(functions[new.name])
    instances = instances.intersect_domain(new.domain)
    return replace(copy, new=new, instances=instances, references=references)


def _counted_move(move: Move, statements: Mapping[str, Statement]) -> Move:
    new = statements[move.new.name]
    accesses = {each.tag: each for each in new.accesses}
    return Move(new, accesses[move.read.tag], accesses[move.write.tag])
