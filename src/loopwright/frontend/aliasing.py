"""Two names for the same memory would make every relation a lie: find them and refuse."""

from __future__ import annotations

from collections.abc import Iterator

from loopwright.basics.spans import Span
from loopwright.frontend.c_tree import (
    AssignExpr,
    DeclStmt,
    Expr,
    Use,
    Variable,
    expressions_in,
    parts_of,
    walk_expression,
    walk_statements,
)
from loopwright.frontend.c_types import ArrayType, CType, FloatType, IntType, PointerType
from loopwright.frontend.facts import RegionFacts, pointed_into, roots
from loopwright.frontend.regions import Region
from loopwright.frontend.workshop import Workshop


def refuse_aliases(region: Region, workshop: Workshop) -> None:
    """Raise if the region uses two variables that may name the same memory."""
    used: dict[Variable, Span] = {}
    for statement in region.statements:
        for each in expressions_in(statement):
            if isinstance(each, Use):
                used.setdefault(each.variable, each.span)
    groups: dict[Variable, Variable] = {}
    for pointer, base, span in _derivations(region):
        groups[_representative(groups, pointer)] = _representative(groups, base)
        _check(groups, used, span, workshop)


def _check(
    groups: dict[Variable, Variable],
    used: dict[Variable, Span],
    derived_at: Span,
    workshop: Workshop,
) -> None:
    seen: dict[Variable, Variable] = {}
    for variable, span in used.items():
        group = _representative(groups, variable)
        other = seen.setdefault(group, variable)
        if other is not variable:
            raise workshop.reject(
                "LW206",
                f"{variable.name} and {other.name} may name the same memory "
                f"(line {derived_at.line} derives one from the other)",
                span,
                "use one name for one array inside the region",
            )


def _representative(groups: dict[Variable, Variable], variable: Variable) -> Variable:
    while groups.get(variable, variable) is not variable:
        variable = groups[variable]
    return variable


def _derivations(region: Region) -> Iterator[tuple[Variable, Variable, Span]]:
    """Variables set outside the region to an address, each with one that it points into."""
    for statement in walk_statements(region.function.body):
        if region.span.start <= statement.span.start < region.span.end:
            continue
        match statement:
            case DeclStmt(variable=Variable(type=IntType() | FloatType())):
                pass  # a number that is computed from an array does not point into it
            case DeclStmt(variable=variable, value=value) if value is not None:
                for base in pointed_into(value):
                    yield variable, base, statement.span
            case _:
                pass
        for expression in parts_of(statement)[0]:
            yield from _assigned_addresses(expression)


def _assigned_addresses(expression: Expr) -> Iterator[tuple[Variable, Variable, Span]]:
    for each in walk_expression(expression):
        if isinstance(each, AssignExpr) and isinstance(each.target.type, PointerType):
            for pointer in roots(each.target):
                for base in pointed_into(each.value):
                    yield pointer, base, each.span


def refuse_addressed_scalars(facts: RegionFacts, workshop: Workshop) -> None:
    """A scalar that the region writes must not be reachable under another name."""
    for variable, span in facts.addressed.items():
        is_written = variable in facts.assigned or variable in facts.loop_variables
        if is_written and not isinstance(variable.type, PointerType | ArrayType):
            raise workshop.reject(
                "LW207",
                f"the address of {variable.name} is taken, and the region writes {variable.name}",
                span,
                "return the value from the function, or use an array of one element",
            )


def disjointness(region: Region) -> list[str]:
    """What the model takes for granted about pointers, as sentences."""
    names = _loose_pointers(region)
    reasons = [f"the arrays {', '.join(names)} do not overlap"] if len(names) > 1 else []
    variables = {
        each.variable: None
        for statement in region.statements
        for each in expressions_in(statement)
        if isinstance(each, Use)
    }
    for variable in variables:
        if _points_to_pointers(variable.type):
            reasons.append(f"the rows of {variable.name} do not overlap")
    return reasons


def _points_to_pointers(type_: CType) -> bool:
    match type_:
        case PointerType(target=PointerType() | ArrayType(element=PointerType())):
            return True
        case ArrayType(element=PointerType()):
            return True
        case _:
            return False


def _is_loose(type_: CType, is_parameter: bool) -> bool:
    if isinstance(type_, ArrayType):
        return is_parameter and not type_.is_restrict
    return isinstance(type_, PointerType) and not type_.is_restrict


def _loose_pointers(region: Region) -> list[str]:
    """The pointers that nothing but convention keeps apart."""
    names: list[str] = []
    for statement in region.statements:
        for each in expressions_in(statement):
            if isinstance(each, Use) and each.variable.name not in names:
                type_ = each.variable.type
                declared = region.span.start <= each.variable.span.start < region.span.end
                if not declared and _is_loose(type_, each.variable.is_parameter):
                    names.append(each.variable.name)
    return names
