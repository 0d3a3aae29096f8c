"""Subscripts with products of parameters: ``A[i*n + j]``.

A polynomial is a sum of monomials in *sizes* (parameter expressions such as ``n`` or ``n + 1``)
with quasi-affine coefficients.  Delinearisation reads the dimensions of an array off it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import islpy as isl

from loopwright.basics.records import record
from loopwright.polyhedra.boxes import Ends
from loopwright.polyhedra.values import constant, constant_of, names_in, unknown

PARAM = isl.dim_type.param
Monomial = tuple[str, ...]


@record(eq=False)
class Polynomial:
    """Coefficients by monomial; the empty monomial holds the quasi-affine part."""

    terms: Mapping[Monomial, isl.PwAff]
    sizes: Mapping[str, isl.PwAff]

    @property
    def affine(self) -> isl.PwAff | None:
        """The value, if there is no product in it."""
        return self.terms[()] if set(self.terms) == {()} else None

    def ends(self, ends_of: Callable[[isl.PwAff], Ends | None]) -> Ends | None:
        """Integers that the value lies between, if they are known for its parts."""
        low = high = 0
        for monomial, coefficient in self.terms.items():
            factors = [
                ends_of(each) for each in (coefficient, *(self.sizes[name] for name in monomial))
            ]
            corners = [1]
            for ends in factors:
                if ends is None:
                    return None
                corners = [one * end for one in corners for end in ends]
            low, high = low + min(corners), high + max(corners)
        return low, high

    def __add__(self, other: Polynomial) -> Polynomial:
        """The sum, term by term."""
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            terms[monomial] = terms[monomial] + coefficient if monomial in terms else coefficient
        return Polynomial(terms, {**self.sizes, **other.sizes})

    def __neg__(self) -> Polynomial:
        """The negation."""
        return Polynomial({key: value.neg() for key, value in self.terms.items()}, self.sizes)


EVERY = Polynomial({}, {})
"""The subscript that stands for all elements of a dimension, not for one that is unknown."""


def affine_polynomial(value: isl.PwAff) -> Polynomial:
    """A polynomial without products."""
    return Polynomial({(): value}, {})


def product(left: Polynomial, right: Polynomial, iterators: set[str]) -> Polynomial | None:
    """The product, if no two iterators meet in it."""
    result: Polynomial | None = None
    for left_monomial, left_value in left.terms.items():
        for right_monomial, right_value in right.terms.items():
            term = _term(left_value, right_value, iterators)
            if term is None:
                return None
            monomial, coefficient, sizes = term
            key = tuple(sorted(left_monomial + right_monomial + monomial))
            piece = Polynomial({key: coefficient}, {**left.sizes, **right.sizes, **sizes})
            result = piece if result is None else result + piece
    return result


def _term(
    left: isl.PwAff, right: isl.PwAff, iterators: set[str]
) -> tuple[Monomial, isl.PwAff, dict[str, isl.PwAff]] | None:
    """A coefficient and, unless one factor is a number, the size that multiplies it."""
    if constant_of(left) is not None or constant_of(right) is not None:
        return (), left.mul(right), {}
    is_plain = _is_parameter(left) and not _is_parameter(right)
    if names_in(right) & iterators or (is_plain and not names_in(left) & iterators):
        left, right = right, left
    if names_in(right) & iterators or right.n_piece() != 1:
        return None
    name = str(right.get_pieces()[0][1])
    return (name,), left, {name: right}


def _is_parameter(value: isl.PwAff) -> bool:
    """Is it plainly one unknown, as sizes mostly are?"""
    names = sorted(names_in(value))
    return len(names) == 1 and constant_of(value - unknown(names[0])) == 0


def rows_in(value: isl.PwAff, size: isl.PwAff) -> int:
    """How often a size is part of an affine value, where that is plain to see.

    >>> from loopwright.polyhedra.values import constant, unknown
    >>> n, j = unknown("n"), unknown("j")
    >>> rows_in(j - n, n), rows_in(n + n + j, n + constant(2)), rows_in(j, n)
    (-1, 2, 0)
    """
    names = sorted(names_in(size))
    if not names or size.n_piece() != 1 or value.n_piece() != 1:
        return 0
    one, other = (each.get_pieces()[0][1] for each in (value, size))
    at, place = (each.find_dim_by_name(PARAM, names[0]) for each in (one, other))
    if at < 0:
        return 0
    rows = one.get_coefficient_val(PARAM, at).div(other.get_coefficient_val(PARAM, place))
    return int(rows.to_python()) if rows.is_int() else 0


def whole_rows(value: Polynomial, size: isl.PwAff) -> tuple[Polynomial, Polynomial]:
    """How many rows of a size a subscript goes through, and what is left of it.

    Their sum is exact; whether what is left stays within a row is for others to ask.
    """
    number = constant_of(size)
    if number is not None and number > 0:
        parts = {key: _divided_by(each, number) for key, each in value.terms.items()}
        rows = Polynomial({key: part for key, (part, _) in parts.items()}, value.sizes)
        return rows, Polynomial({key: rest for key, (_, rest) in parts.items()}, value.sizes)
    same = [name for name, each in value.sizes.items() if constant_of(each - size) == 0]
    rows, left = affine_polynomial(constant(0)), affine_polynomial(constant(0))
    for monomial, coefficient in value.terms.items():
        name = next((each for each in same if each in monomial), None)
        if name is not None:
            at = monomial.index(name)
            fewer = (*monomial[:at], *monomial[at + 1 :])
            rows = rows + Polynomial({fewer: coefficient}, value.sizes)
        elif monomial:
            left = left + Polynomial({monomial: coefficient}, value.sizes)
        else:
            whole = constant(rows_in(coefficient, size))
            rows = rows + affine_polynomial(whole)
            left = left + affine_polynomial(coefficient - size.mul(whole))
    return rows, left


def _divided_by(value: isl.PwAff, number: int) -> tuple[isl.PwAff, isl.PwAff]:
    """Each coefficient divided by a number, and what remains of each."""
    if value.n_piece() != 1:
        return constant(0), value
    (_, affine) = value.get_pieces()[0]
    if affine.dim(isl.dim_type.div) or not affine.get_denominator_val().is_one():
        return constant(0), value
    whole = constant(int(affine.get_constant_val().to_python()) // number)
    for at in range(affine.dim(PARAM)):
        name = affine.get_dim_name(PARAM, at)
        factor = int(affine.get_coefficient_val(PARAM, at).to_python()) // number
        if name is not None and factor:
            whole = whole + unknown(name).mul(constant(factor))
    return whole, value - whole.mul(constant(number))
