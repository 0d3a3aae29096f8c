"""The function around a region: what it uses later, and what others can reach."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from loopwright.basics.spans import Span
from loopwright.frontend.addresses import addressed_by
from loopwright.frontend.c_tree import (
    AssignExpr,
    CallExpr,
    DeclStmt,
    Expr,
    ForStmt,
    Function,
    IntLiteral,
    OpaqueExpr,
    OpaqueStmt,
    Stmt,
    Use,
    Variable,
    expressions_in,
    extents_of,
    parts_of,
    walk_expression,
    walk_statements,
)
from loopwright.frontend.c_types import ArrayType, PointerType
from loopwright.frontend.facts import RegionFacts, find_strays
from loopwright.frontend.headers import counted_variables
from loopwright.frontend.next_uses import is_set_before_use


def used_after(
    function: Function, region: Span, enclosing_loops: tuple[Stmt, ...], *, by_region: bool
) -> set[Variable]:
    """The variables whose value at the end of the region may be used later.

    Those are the ones named after it and, where a loop goes around the region, those named
    anywhere in that loop (in the region itself only if ``by_region``) unless they are declared
    inside it.  A later loop that sets its own variable first does not use the old value.
    """
    later: set[Variable] = set()
    jumps = _has_jumps(function)
    for each in expressions_in(function.body):
        if isinstance(each, Use):
            in_region = region.start <= each.span.start < region.end
            is_later = jumps or _is_later(each, region, enclosing_loops)
            if is_later and (by_region or not in_region):
                later.add(each.variable)
    if jumps:
        return later
    around = {
        each.variable
        for loop in enclosing_loops
        for expression in parts_of(loop)[0]
        for each in walk_expression(expression)
        if isinstance(each, Use)
    }
    later -= _always_set_first(function, region) - around
    counted = _counted_in(function, region) & later
    return later - {each for each in counted if is_set_before_use(each, function, region)}


def _counted_in(function: Function, region: Span) -> set[Variable]:
    """The function's own variables that loops of a region count with, and that nobody else has."""
    found = {
        variable
        for each in walk_statements(function.body)
        if isinstance(each, ForStmt) and each.span.begins_in(region)
        for variable in counted_variables(each)
        if not variable.is_global and not variable.is_static
        if not variable.span.begins_in(region)
    }
    return found - escapes(function, region) if found else found


def used_by_regions_alone(
    function: Function, regions: Sequence[range]
) -> dict[range, tuple[str, ...]]:
    """For each region the variables of the function that it names, and nothing but regions does.

    Regions are ranges of offsets, in their order.  Whoever only sets a variable does not use it.
    Only variables of fixed size are asked for.
    """
    starts = [each.start for each in regions]
    named: dict[range, dict[Variable, None]] = {each: {} for each in regions}
    elsewhere: set[Variable] = set()
    is_set = {
        id(each.target)
        for each in expressions_in(function.body)
        if isinstance(each, AssignExpr) and each.operator == "="
    }
    for each in expressions_in(function.body):
        if not isinstance(each, Use) or not _has_fixed_size(each.variable):
            continue
        at = bisect_right(starts, each.span.start) - 1
        if at >= 0 and each.span.start in regions[at]:
            if each.variable.span.start not in regions[at]:
                named[regions[at]][each.variable] = None
        elif id(each) not in is_set:
            elsewhere.add(each.variable)
    return {
        region: tuple(each.name for each in found if each not in elsewhere)
        for region, found in named.items()
    }


def _has_fixed_size(variable: Variable) -> bool:
    """Is it a variable of the function, of a size that ``sizeof`` tells without a computation?"""
    is_array = isinstance(variable.type, ArrayType)
    if variable.is_global or (is_array and variable.is_parameter):
        return False
    extents = extents_of(variable.type)
    return not is_array or all(isinstance(each, IntLiteral) for each in extents)


def _has_jumps(function: Function) -> bool:
    """Does a ``goto`` make loops that the syntax does not show?"""
    return any(
        isinstance(each, OpaqueStmt) and each.what == "goto"
        for each in walk_statements(function.body)
    )


def _is_later(use: Use, region: Span, enclosing_loops: tuple[Stmt, ...]) -> bool:
    if use.span.start >= region.end:
        return True
    declared = use.variable.span.start
    return any(
        loop.span.start <= use.span.start < loop.span.end
        and not loop.span.start <= declared < loop.span.end
        for loop in enclosing_loops
    )


def _always_set_first(function: Function, region: Span) -> set[Variable]:
    """Variables that, outside the region, are used only inside loops that set them."""
    facts = RegionFacts()
    outside = tuple(_statements_outside(function.body, region))
    for statement in outside:
        for each in walk_statements(statement):
            if isinstance(each, ForStmt):
                facts.loop_variables.update(counted_variables(each))
    for statement in outside:
        find_strays(statement, facts, frozenset())
    return {each for each in facts.loop_variables if each not in facts.stray_iterators}


def _statements_outside(statement: Stmt, region: Span) -> Iterator[Stmt]:
    """The outermost statements that do not overlap the region."""
    for each in parts_of(statement)[1]:
        if each.span.start >= region.end or each.span.end <= region.start:
            yield each
        elif each.span.start < region.start or each.span.end > region.end:
            yield from _statements_outside(each, region)


def escapes(function: Function, region: Span) -> set[Variable]:
    """Variables whose address is kept somewhere: stored, or handed to a call that may store it.

    What such a variable holds may be looked at later under another name.
    """
    kept: set[Variable] = set()
    for statement in walk_statements(function.body):
        if isinstance(statement, DeclStmt) and statement.value is not None:
            kept |= addressed_by([statement.value])
        if isinstance(statement, OpaqueStmt) and not statement.inner:
            kept |= {use.variable for use in statement.uses}
        for expression in parts_of(statement)[0]:
            for each in walk_expression(expression):
                in_region = region.start <= each.span.start < region.end
                kept |= _kept_by(each, in_region)
    return kept


def _kept_by(expression: Expr, in_region: bool) -> set[Variable]:
    match expression:
        case CallExpr(arguments=arguments):
            is_harmless = in_region and not _may_keep_addresses(expression)
            return set() if is_harmless else addressed_by(arguments)
        case AssignExpr(value=value):
            return addressed_by([value])
        case OpaqueExpr(uses=uses):
            return {use.variable for use in uses}
        case _:
            return set()


def _may_keep_addresses(call: CallExpr) -> bool:
    """Could a call store an address that it is given?  Not if its body sets no pointer."""
    if call.callee.effects != "unknown" or call.function.startswith("__pencil_"):
        return False
    definition = call.callee.definition()
    if definition is None:
        return True
    return any(
        (isinstance(each, AssignExpr) and isinstance(each.target.type, PointerType))
        or (isinstance(each, CallExpr) and each.callee.effects == "unknown")
        for each in expressions_in(definition.body)
    )
