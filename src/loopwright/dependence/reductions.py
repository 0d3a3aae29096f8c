"""Statements that gather values in an element by an operator whose order does not matter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, cast

from loopwright.dependence.reduction_types import changes_between_steps
from loopwright.model.bodies import (
    Assign,
    Binary,
    Block,
    Body,
    Call,
    Conditional,
    Evaluate,
    Expression,
    If,
    Increment,
    Reference,
    walk_body,
)
from loopwright.model.dependences import Reduction
from loopwright.model.scop import Access, Scop, Statement

COMPOUND = {"+=": "+", "-=": "+", "*=": "*", "&=": "&", "|=": "|", "^=": "^"}
INFIX = {"+": "+", "-": "+", "*": "*", "&": "&", "|": "|", "^": "^"}
EXTREMES = {
    name: kind for kind in ("max", "min") for name in (kind, f"f{kind}", f"f{kind}f", f"f{kind}l")
}
COMPARISONS = ("<", "<=", ">", ">=")


def reductions_of(scop: Scop) -> tuple[Reduction, ...]:
    """The reductions of a region: ``s += e``, ``s = s * e``, ``s = max(s, e)`` and their like.

    A step may be guarded, ``if (c) s += e``, and its element may be chosen by data,
    ``count[k[i]]++``.  Neither ``c`` nor ``e`` nor a subscript may read the element that the same
    instance gathers in.  They may read what other instances gather, as in triangular solves: only
    pairs of steps are ever relaxed, so that such a read stays behind the steps that it needs.
    """
    found = (_reduction(statement, scop) for statement in scop.statements)
    return tuple(each for each in found if each is not None)


def _reduction(statement: Statement, scop: Scop) -> Reduction | None:
    gathered = _gathered(statement.body)
    if gathered is None:
        return None
    operator, references, values = gathered
    accesses = {each.tag: each for each in statement.accesses}
    if not all(each.tag in accesses for each in references):
        return None
    steps = [_within(accesses[each.tag], statement) for each in references]
    tags = frozenset(each.tag for each in steps)
    others = [_within(each, statement) for each in statement.accesses if each.tag not in tags]
    if any(_meet(each, steps[0]) for each in others) or _update_count(statement.body) > 1:
        return None
    if not _are_one_element(steps, others):
        return None
    if changes_between_steps(operator, scop.array(steps[0].array).element_type, values, scop):
        return None
    return Reduction(statement.name, operator, steps[0].array, tags)


def _within(access: Access, statement: Statement) -> Access:
    """The access of the instances that there are."""
    return replace(access, may=access.may.intersect_domain(statement.domain))


def _are_one_element(steps: list[Access], others: list[Access]) -> bool:
    """Are all references to the same element, even if data choose it?

    Several with the same subscripts are, unless something is written in between: a function that
    is called may change what they read, or what it answers.
    """
    first = steps[0]
    if not all(each.array == first.array and each.may.is_equal(first.may) for each in steps):
        return False
    is_choice = len(steps) > 1 and not first.may.is_single_valued()
    return not (is_choice and any(each.writes for each in others))


def _meet(other: Access, step: Access) -> bool:
    """May another reference of an instance touch the element that the instance gathers in?"""
    return other.array == step.array and not other.may.is_disjoint(step.may)


def _update_count(body: Body) -> int:
    return sum(isinstance(each, Assign | Increment) for each in walk_body(body))


# --- shapes ---------------------------------------------------------------------------------------

Gathered = tuple[str, list[Reference], list[Expression]]
"""The operator, the references to the gathering element, and the gathered values."""


def _gathered(body: Body) -> Gathered | None:
    match body:
        case Block(statements=(only,)):
            return _gathered(only)
        case Evaluate(expression=Assign(operator="=", target=Reference() as target, value=value)):
            return _assigned(target, value)
        case Evaluate(expression=Assign(operator=sign, target=Reference() as target, value=value)):
            return (COMPOUND[sign], [target], [value]) if sign in COMPOUND else None
        case Evaluate(expression=Increment(target=Reference() as target)):
            return "+", [target], []
        case If(condition=condition, then=then, otherwise=None):
            return _guarded(condition, then) or _gathered(then)
        case _:
            return None


def _assigned(target: Reference, value: Expression) -> Gathered | None:
    """``s = s + e``, ``s = max(s, e)``, ``s = s < e ? e : s``."""
    match value:
        case Binary(operator=sign) as whole if sign in INFIX:
            return _chained(target, whole, INFIX[sign])
        case Call(function=name, arguments=(left, right)) if name in EXTREMES:
            return _chosen(target, left, right, EXTREMES[name])
        case Conditional(condition=Binary() as comparison, then=then, otherwise=otherwise):
            return _selected(target, comparison, then, otherwise)
        case _:
            return None


def _chained(target: Reference, whole: Binary, operator: str) -> Gathered | None:
    """One operand of a chain of the same operator is the element; the others are gathered."""
    own: list[Reference] = []
    values: list[Expression] = []
    for operand, is_negated in _operands(whole, operator):
        match operand:
            case Reference() as reference if _alike(reference, target) and not own:
                if is_negated:
                    return None
                own.append(reference)
            case _:
                values.append(operand)
    return (operator, [target, *own], values) if own else None


def _operands(
    node: Expression, operator: str, negated: bool = False
) -> Iterator[tuple[Expression, bool]]:
    """The operands of nested ``+`` and ``-``, or of another operator, with their signs."""
    match node:
        case Binary(operator=sign, left=left, right=right) if INFIX.get(sign) == operator:
            yield from _operands(left, operator, negated)
            yield from _operands(right, operator, negated != (sign == "-"))
        case _:
            yield node, negated


def _chosen(
    target: Reference, left: Expression, right: Expression, operator: str
) -> Gathered | None:
    """``max(s, e)`` or ``max(e, s)``."""
    for own, value in ((left, right), (right, left)):
        match own:
            case Reference() as reference if _alike(reference, target):
                return operator, [target, reference], [value]
            case _:
                pass
    return None


def _selected(
    target: Reference, comparison: Binary, then: Expression, otherwise: Expression
) -> Gathered | None:
    """``s < e ? e : s`` and its mirror images."""
    taken, kept = then, otherwise
    larger = _larger(comparison, taken, kept)
    if larger is None:
        return None
    found = _chosen(target, taken, kept, "max" if larger is taken else "min")
    return _with_compared(found, target, comparison)


def _guarded(condition: Expression, then: Body) -> Gathered | None:
    """``if (s < e) s = e;``."""
    match condition, then:
        case Binary(), Block(statements=(only,)):
            return _guarded(condition, only)
        case (
            Binary() as comparison,
            Evaluate(expression=Assign(operator="=", target=Reference() as target, value=value)),
        ):
            larger = _larger(comparison, value, target)
            if larger is None:
                return None
            found = ("max" if larger is value else "min", [target], [value])
            return _with_compared(found, target, comparison)
        case _:
            return None


def _larger(comparison: Binary, one: Expression, other: Expression) -> Expression | None:
    """Which of two expressions the comparison finds to be the larger one where it holds."""
    if comparison.operator not in COMPARISONS:
        return None
    left, right = comparison.left, comparison.right
    if comparison.operator in ("<", "<="):
        left, right = right, left
    for first, second in ((one, other), (other, one)):
        if _alike(left, first) and _alike(right, second):
            return first
    return None


def _with_compared(
    found: Gathered | None, target: Reference, comparison: Binary
) -> Gathered | None:
    """The references to the element in the comparison are steps of the reduction, too."""
    if found is None:
        return None
    operator, references, values = found
    compared = [
        side
        for side in (comparison.left, comparison.right)
        if isinstance(side, Reference) and _alike(side, target)
    ]
    return operator, [*references, *compared], values


def _alike(one: Expression, other: Expression) -> bool:
    """Is it the same expression, written twice?"""
    return _untagged(one) == _untagged(other)


def _untagged(node: Any) -> Any:
    """The node without the tags, which tell the references of a statement apart."""
    if isinstance(node, tuple):
        return tuple(_untagged(each) for each in cast("tuple[Any, ...]", node))
    if not is_dataclass(node) or isinstance(node, type):
        return node
    bare = {each.name: _untagged(getattr(node, each.name)) for each in fields(node)}
    return replace(node, **(bare | ({"tag": ""} if isinstance(node, Reference) else {})))
