"""Reading dimensions off linearised subscripts: ``A[i*n + j]`` is ``A[i][j]`` with rows of ``n``.

All references to an array must agree on one chain of sizes.  The reading is exact where every
inner subscript stays within its size; that condition on the parameters is recorded as an
assumption of the model.  Where it cannot hold, nothing is delinearised.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import gcd

import islpy as isl

from loopwright.basics.records import record
from loopwright.frontend.polynomials import Monomial, Polynomial, rows_in
from loopwright.polyhedra.extremes import beyond_in_any
from loopwright.polyhedra.values import constant, content, divided, never, without


@record(eq=False)
class Chain:
    """The sizes of the inner dimensions, outermost first, and the monomials that stand for them.

    A factor multiplies its monomial: ``p[3*(y*w + x) + c]`` has rows of ``3*w``.
    """

    monomials: tuple[Monomial, ...]
    factors: tuple[int, ...]
    sizes: tuple[isl.PwAff, ...]


def size_chain(references: Sequence[Polynomial]) -> Chain | None:
    """The common chain of sizes: each monomial is the next shorter one times one size."""
    monomials: set[Monomial] = {()}
    sizes: dict[str, isl.PwAff] = {}
    for polynomial in references:
        monomials |= set(polynomial.terms)
        sizes.update(polynomial.sizes)
    ordered = sorted(monomials, key=len)
    if len(ordered) < 2:
        return None
    factors = [1, *(_common_factor(each, references) for each in ordered[1:])]
    if any(longer % shorter for shorter, longer in pairwise(factors)):
        factors = [1] * len(ordered)
    chain: list[isl.PwAff] = []
    for position, (shorter, longer) in enumerate(pairwise(ordered)):
        extra = Counter(longer) - Counter(shorter)
        if Counter(shorter) - Counter(longer) or extra.total() != 1:
            return None
        ratio = factors[position + 1] // factors[position]
        chain.insert(0, sizes[next(iter(extra))].mul(constant(ratio)))
    return Chain(tuple(reversed(ordered)), tuple(reversed(factors)), tuple(chain))


def _common_factor(monomial: Monomial, references: Sequence[Polynomial]) -> int:
    """The greatest number that divides every coefficient of a monomial."""
    coefficients = [each.terms[monomial] for each in references if monomial in each.terms]
    return max(1, gcd(*map(content, coefficients)))


def split(reference: Polynomial, chain: Chain) -> list[isl.PwAff]:
    """The subscripts of the dimensions, outermost first."""
    zero = constant(0)
    return [
        divided(reference.terms.get(monomial, zero), factor)
        for monomial, factor in zip(chain.monomials, chain.factors, strict=True)
    ]


def settled(subscripts: list[isl.PwAff], chain: Chain, domain: isl.Set) -> list[isl.PwAff]:
    """Borrow from the next outer subscript where one is always negative: ``A[i*n - 1]``."""
    result = list(subscripts)
    for position in range(len(result) - 1, 0, -1):
        inner = result[position]
        may_be_valid = not (domain & inner.ge_set(constant(0))).is_empty()
        if not may_be_valid:
            result[position] = inner + chain.sizes[position - 1]
            result[position - 1] = result[position - 1] - constant(1)
    return result


def row_by_row(
    reference: Polynomial, chain: Chain, domain: isl.Set, iterators: Iterable[str]
) -> list[isl.PwAff]:
    """The subscripts, with whole rows among the rows if the others stay within them only then.

    In ``A[i*n + j - n]`` that is the row before.
    """
    plain = split(reference, chain)
    subscripts = settled(plain, chain, domain)
    leaving = out_of_range(subscripts, chain.sizes, domain)
    rows = rows_in(plain[-1], chain.sizes[-1])
    if rows == 0 or leaving.is_empty():
        return subscripts
    *outer, before, inner = plain
    moved = [*outer, before + constant(rows), inner - chain.sizes[-1].mul(constant(rows))]
    others = settled(moved, chain, domain)
    left = out_of_range(others, chain.sizes, domain)
    is_better = without(left, iterators).is_subset(without(leaving, iterators))
    return others if is_better else subscripts


def out_of_range(
    subscripts: Sequence[isl.PwAff], sizes: Sequence[isl.PwAff], domain: isl.Set
) -> isl.Set:
    """Where an inner subscript leaves its dimension."""
    bad = never()
    for subscript, size in zip(subscripts[1:], sizes, strict=True):
        outside = subscript.lt_set(constant(0)) | subscript.ge_set(size)
        bad = bad | (domain & outside)
    return bad


def ever_out_of_range(
    subscripts: Sequence[isl.PwAff],
    sizes: Sequence[isl.PwAff],
    reached: isl.Set,
    iterators: Iterable[str],
) -> isl.Set | None:
    """Parameter values for which the least or greatest inner subscript leaves its dimension."""
    bad = never()
    names = list(iterators)
    for subscript, size in zip(subscripts[1:], sizes, strict=True):
        low = beyond_in_any(0, subscript, None, reached, names)
        high = beyond_in_any(None, subscript - size, -1, reached, names)
        if low is None or high is None:
            return None
        bad = bad | low | high
    return bad
