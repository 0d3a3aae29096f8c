"""Affine values as a body writes them: ``n - 1 - i`` for a variable that has this value."""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl

from loopwright.frontend.scope import Scope
from loopwright.frontend.workshop import Workshop
from loopwright.model.bodies import Binary, Cast, Expression, IteratorValue, Literal, Name
from loopwright.polyhedra.values import PARAM

PLAIN = frozenset({"int", "long"})
"""Types in which C's arithmetic is that of integers, as long as the values fit."""


def spelled_value(
    value: isl.PwAff, type_: str, scope: Scope, workshop: Workshop
) -> Expression | None:
    """A sum of iterators and parameters, in a type; ``None`` if it is none."""
    pieces = value.get_pieces()
    if len(pieces) != 1:
        return None
    affine = pieces[0][1]
    if affine.dim(isl.dim_type.div) > 0 or not affine.get_denominator_val().is_one():
        return None
    known = {**_parameters(workshop), **_iterators(scope)}
    terms = dict(_terms(affine))
    if not set(terms) <= set(known):
        return None
    number = affine.get_constant_val().to_python()
    parts = [(count, known[name]) for name, count in terms.items()]
    parts.sort(key=lambda each: each[0] < 0)
    return Cast(type_, _sum(parts, number))


def _terms(affine: isl.Aff) -> Iterator[tuple[str, int]]:
    for at in range(affine.dim(PARAM)):
        count = affine.get_coefficient_val(PARAM, at).to_python()
        if count:
            yield affine.get_dim_name(PARAM, at) or "", count


def _parameters(workshop: Workshop) -> dict[str, Expression]:
    return {each.name: _plain(each.type, Name(each.text)) for each in workshop.parameters}


def _iterators(scope: Scope) -> dict[str, Expression]:
    values = [each for each in scope.spelled.values() if isinstance(each, IteratorValue)]
    return {each.name: _plain(each.type, each) for each in values}


def _plain(type_: str, value: Expression) -> Expression:
    return value if type_ in PLAIN else Cast("long", value)


def _sum(parts: list[tuple[int, Expression]], number: int) -> Expression:
    """What is positive comes first."""
    found: Expression | None = None
    for count, part in parts:
        if found is not None and count < 0 < abs(number):
            found, number = _added(found, number), 0
        found = _with(found, count, part)
    if found is None:
        return Literal(str(number))
    return _added(found, number) if number else found


def _with(before: Expression | None, count: int, part: Expression) -> Expression:
    scaled = part if abs(count) == 1 else Binary("*", Literal(str(abs(count))), part)
    if before is None:
        return scaled if count > 0 else Binary("-", Literal("0"), scaled)
    return Binary("+" if count > 0 else "-", before, scaled)


def _added(before: Expression, number: int) -> Expression:
    return Binary("+" if number > 0 else "-", before, Literal(str(abs(number))))
