"""Quasi-affine sums read from isl once, as names with coefficients.

isl keeps a quasi-affine function as coefficients of parameters, dimensions and greatest integer
parts ⌊a/m⌋.  What is written in the generated code is decided on a plain copy of them, because
that costs no call into isl for each question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl

from loopwright.basics.records import record
from loopwright.polyhedra.values import isl_value

_PARAM = isl.dim_type.param
_IN = isl.dim_type.in_
_DIV = isl.dim_type.div


@record
class Floor:
    """⌊dividend / divisor⌋, with a positive divisor."""

    dividend: Linear
    divisor: int


Atom = str | Floor


@record
class Linear:
    """Σ coefficient · atom + constant: parameters first, then iterators, then integer parts.

    No coefficient is zero and no atom occurs twice.
    """

    terms: tuple[tuple[Atom, int], ...]
    constant: int

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        """self + factor · other.

        >>> Linear((("n", 1),), 0).plus(Linear((("n", 1), ("i", 1)), 1), -1)
        Linear(terms=(('i', -1),), constant=-1)
        """
        coefficients = dict(self.terms)
        for atom, coefficient in other.terms:
            coefficients[atom] = coefficients.get(atom, 0) + factor * coefficient
        terms = tuple(term for term in coefficients.items() if term[1])
        return Linear(terms, self.constant + factor * other.constant)

    def shifted(self, amount: int) -> Linear:
        """self + amount."""
        return Linear(self.terms, self.constant + amount) if amount else self

    def times(self, factor: int) -> Linear:
        """factor · self, for a factor that is not zero."""
        return Linear(
            tuple((atom, factor * each) for atom, each in self.terms), factor * self.constant
        )

    def without(self, atom: Atom) -> Linear:
        """The sum without one of its atoms."""
        return Linear(tuple(term for term in self.terms if term[0] != atom), self.constant)

    def has_terms_of(self, other: Linear) -> bool:
        """Do the sums differ in their constants at most?"""
        if len(self.terms) != len(other.terms):
            return False
        return self.terms == other.terms or dict(self.terms) == dict(other.terms)

    def floors(self) -> list[tuple[Floor, int]]:
        """The integer parts, with their coefficients."""
        return [(atom, each) for atom, each in self.terms if isinstance(atom, Floor)]

    def has_floors(self) -> bool:
        """Is there any integer part?"""
        # They come last, except in sums of sums.
        return any(isinstance(atom, Floor) for atom, _ in reversed(self.terms))


def integer_of(value: isl.Val) -> int:
    """An isl integer of any size."""
    return int(value.to_str())


def read_aff(aff: isl.Aff, iterators: Sequence[str]) -> tuple[Linear, int]:
    """The numerator and the denominator of an affine function; the dimensions by their iterators.

    >>> linear, denominator = read_aff(isl.Aff("[n] -> { [i] -> [(2i + n - 3)/2] }"), ["c0"])
    >>> linear.terms, linear.constant, denominator
    ((('n', 1), ('c0', 2)), -3, 2)
    """
    denominator = aff.get_denominator_val()
    if denominator.is_one():
        return _read(aff, _IN, iterators), 1
    return _read(aff.scale_val(denominator), _IN, iterators), integer_of(denominator)


def read_constraint(constraint: isl.Constraint, iterators: Sequence[str]) -> Linear:
    """The sum that the constraint compares with zero.

    >>> part = isl.BasicSet("[n] -> { [i] : i < n }")
    >>> read_constraint(part.get_constraints()[0], ["c0"])
    Linear(terms=(('n', 1), ('c0', -1)), constant=-1)
    """
    return _read(constraint, isl.dim_type.set, iterators)


def _read(
    source: isl.Aff | isl.Constraint, dimensions: isl.dim_type, iterators: Sequence[str]
) -> Linear:
    """Integer coefficients, of which those that are zero cost one question each."""
    terms: list[tuple[Atom, int]] = []
    for position in range(source.dim(_PARAM)):
        value = source.get_coefficient_val(_PARAM, position)
        if not value.is_zero():
            terms.append((_parameter_name(source, position), integer_of(value)))
    for position, name in enumerate(iterators):
        value = source.get_coefficient_val(dimensions, position)
        if not value.is_zero():
            terms.append((name, integer_of(value)))
    for position in range(source.dim(_DIV)):
        value = source.get_coefficient_val(_DIV, position)
        if not value.is_zero():
            dividend, divisor = read_aff(source.get_div(position), iterators)
            terms.append((Floor(dividend, divisor), integer_of(value)))
    return _merged(terms, integer_of(source.get_constant_val()))


def _parameter_name(source: isl.Aff | isl.Constraint, position: int) -> str:
    name = source.get_dim_name(_PARAM, position)
    assert name is not None, f"parameter {position} of {source} has no name"
    return name


def _merged(terms: Sequence[tuple[Atom, int]], constant: int) -> Linear:
    """The sum; integer parts that isl keeps apart may read the same."""
    if len(terms) < 2 or not isinstance(terms[-2][0], Floor):
        return Linear(tuple(terms), constant)
    total = Linear((), constant)
    for term in terms:
        total = total.plus(Linear((term,), 0))
    return total


def isl_aff(linear: Linear, space: isl.Space, iterators: Sequence[str]) -> isl.Aff:
    """The affine function over a set space, to which unknown parameters are added.

    >>> print(isl_aff(Linear((("n", 1), ("c0", -2)), 3), isl.Space("[n] -> { [i] }"), ["c0"]))
    [n] -> { [i] -> [(3 + n - 2i)] }
    """
    for name in _names(linear):
        if name not in iterators and space.find_dim_by_name(_PARAM, name) < 0:
            space = space.add_param_id(isl.Id(name))
    return _isl_aff(linear, space, iterators)


def _names(linear: Linear) -> Iterator[str]:
    for atom, _ in linear.terms:
        if isinstance(atom, Floor):
            yield from _names(atom.dividend)
        else:
            yield atom


def _isl_aff(linear: Linear, space: isl.Space, iterators: Sequence[str]) -> isl.Aff:
    aff = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    aff = aff.set_constant_val(isl_value(linear.constant))
    for atom, coefficient in linear.terms:
        value = isl_value(coefficient)
        if isinstance(atom, Floor):
            inner = _isl_aff(atom.dividend, space, iterators)
            floor = inner.scale_down_val(isl_value(atom.divisor)).floor()
            aff = aff.add(floor.scale_val(value))
        elif atom in iterators:
            aff = aff.add_coefficient_val(_IN, iterators.index(atom), value)
        else:
            aff = aff.add_coefficient_val(_PARAM, space.find_dim_by_name(_PARAM, atom), value)
    return aff
