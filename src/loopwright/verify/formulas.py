"""Linear arithmetic over the integers, in a form that several solvers can read.

A term is linear in unknowns and in integer parts of quotients; the smaller of two terms, the larger
one, and one or the other, as a condition says, stand outside of all else.  Formulas have no
negation: ``not a >= 0`` is ``-a - 1 >= 0``.  Whoever builds them with the functions below gets
numbers folded and nothing else changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import islpy as isl

from loopwright.basics.records import record

SET, PARAM, DIV = isl.dim_type.set, isl.dim_type.param, isl.dim_type.div

# --- terms ----------------------------------------------------------------------------------------


@record
class Floor:
    """``term / divisor``, rounded down."""

    term: Linear
    divisor: int


Atom = str | Floor
"""An unknown by its name, or an integer part."""


@record
class Linear:
    """``constant + factor * atom + …``."""

    constant: int
    parts: tuple[tuple[Atom, int], ...] = ()


@record
class Extreme:
    """The least of some terms, or the greatest."""

    is_least: bool
    of: tuple[Term, ...]


@record
class Choice:
    """``condition ? then : otherwise``."""

    condition: Formula
    then: Term
    otherwise: Term


Term = Linear | Extreme | Choice


def number(value: int) -> Linear:
    """An integer."""
    return Linear(value)


def unknown(name: str) -> Linear:
    """An iterator or a parameter."""
    return Linear(0, ((name, 1),))


def _through(change: Callable[[Term], Term], term: Extreme | Choice) -> Term:
    """Apply something that grows with the term inside of it."""
    match term:
        case Extreme(is_least, of):
            return Extreme(is_least, tuple(map(change, of)))
        case Choice(condition, then, otherwise):
            return Choice(condition, change(then), change(otherwise))


def plus(first: Term, second: Term) -> Term:
    """The sum.

    >>> smt_term(plus(unknown("n"), plus(number(2), unknown("n"))))
    '(+ (* 2 n) 2)'
    """
    if not isinstance(first, Linear):
        return _through(lambda each: plus(each, second), first)
    if not isinstance(second, Linear):
        return _through(lambda each: plus(first, each), second)
    factors = dict(first.parts)
    for atom, factor in second.parts:
        factors[atom] = factors.get(atom, 0) + factor
    parts = [(atom, factor) for atom, factor in factors.items() if factor]
    parts.sort(key=lambda part: _rank(part[0]))
    return Linear(first.constant + second.constant, tuple(parts))


def _rank(atom: Atom) -> str:
    """Atoms stand in one order, so that equal terms look alike."""
    return atom if isinstance(atom, str) else f"~{_isl_term(atom.term)}/{atom.divisor}"


def times(factor: int, term: Term) -> Term:
    """A multiple."""
    match term:
        case Linear(constant, parts):
            if factor == 0:
                return Linear(0)
            return Linear(factor * constant, tuple((atom, factor * by) for atom, by in parts))
        case Extreme(is_least, of):
            is_turned = factor < 0
            return Extreme(is_least != is_turned, tuple(times(factor, each) for each in of))
        case Choice():
            return _through(lambda each: times(factor, each), term)


def minus(first: Term, second: Term) -> Term:
    """The difference."""
    return plus(first, times(-1, second))


def floor(term: Term, divisor: int) -> Term:
    """The quotient by a positive number, rounded down.

    >>> smt_term(floor(plus(times(4, unknown("n")), number(8)), 4))
    '(+ n 2)'
    >>> smt_term(floor(times(-1, unknown("n")), 4))
    '(* (- 1) (div (+ n 3) 4))'
    """
    if not isinstance(term, Linear):
        return _through(lambda each: floor(each, divisor), term)
    if all(factor % divisor == 0 for _, factor in term.parts):
        parts = tuple((atom, factor // divisor) for atom, factor in term.parts)
        return Linear(term.constant // divisor, parts)
    if term.parts[0][1] < 0:  # of two ways to say the same, this is never the one
        turned = plus(times(-1, term), number(divisor - 1))
        return times(-1, floor(turned, divisor))
    return Linear(0, ((Floor(term, divisor), 1),))


def modulo(term: Term, divisor: int) -> Term:
    """What is left over by that."""
    return minus(term, times(divisor, floor(term, divisor)))


def choose(condition: Formula, then: Term, otherwise: Term) -> Term:
    """One term or the other; ``a < b ? a : b`` is seen to be the least of both."""
    if then == otherwise:
        return then
    if condition in (less(then, otherwise), at_most(then, otherwise)):
        return Extreme(True, (then, otherwise))
    if condition in (less(otherwise, then), at_most(otherwise, then)):
        return Extreme(False, (then, otherwise))
    if condition == TRUE:
        return then
    return otherwise if condition == FALSE else Choice(condition, then, otherwise)


# --- formulas -------------------------------------------------------------------------------------


@record
class Positive:
    """``term >= 0``."""

    term: Linear


@record
class Zero:
    """``term = 0``."""

    term: Linear


@record
class Every:
    """All of these hold."""

    of: tuple[Formula, ...]


@record
class Some:
    """At least one of these holds."""

    of: tuple[Formula, ...]


Formula = Positive | Zero | Every | Some

TRUE = Every(())
FALSE = Some(())


def every(formulas: Iterable[Formula]) -> Formula:
    """All of them, each once."""
    found: dict[Formula, None] = {}
    for each in formulas:
        if each == FALSE:
            return FALSE
        found |= dict.fromkeys(each.of if isinstance(each, Every) else (each,))
    return next(iter(found)) if len(found) == 1 else Every(tuple(found))


def some(formulas: Iterable[Formula]) -> Formula:
    """At least one of them."""
    found: dict[Formula, None] = {}
    for each in formulas:
        if each == TRUE:
            return TRUE
        found |= dict.fromkeys(each.of if isinstance(each, Some) else (each,))
    return next(iter(found)) if len(found) == 1 else Some(tuple(found))


def negated(formula: Formula) -> Formula:
    """That it does not hold."""
    match formula:
        case Positive(term):
            return not_negative(minus(number(-1), term))
        case Zero(term):
            below, above = minus(number(-1), term), minus(term, number(1))
            return some((not_negative(below), not_negative(above)))
        case Every(of):
            return some(map(negated, of))
        case Some(of):
            return every(map(negated, of))


def not_negative(term: Term) -> Formula:
    """``term >= 0``."""
    match term:
        case Linear(constant, parts):
            if parts:
                return Positive(term)
            return TRUE if constant >= 0 else FALSE
        case Extreme(is_least, of):
            return (every if is_least else some)(map(not_negative, of))
        case Choice(condition, then, otherwise):
            return _either(condition, not_negative(then), not_negative(otherwise))


def _either(condition: Formula, then: Formula, otherwise: Formula) -> Formula:
    return some((every((condition, then)), every((negated(condition), otherwise))))


def at_most(first: Term, second: Term) -> Formula:
    """``first <= second``."""
    return not_negative(minus(second, first))


def less(first: Term, second: Term) -> Formula:
    """``first < second``."""
    return not_negative(minus(minus(second, first), number(1)))


def equal(first: Term, second: Term) -> Formula:
    """``first = second``."""
    return _zero(minus(first, second))


def _zero(term: Term) -> Formula:
    match term:
        case Linear(constant, parts):
            if parts:
                return Zero(term)
            return FALSE if constant else TRUE
        case Extreme():
            return every((not_negative(term), not_negative(times(-1, term))))
        case Choice(condition, then, otherwise):
            return _either(condition, _zero(then), _zero(otherwise))


def is_multiple(term: Term, divisor: int) -> Formula:
    """Is the term a multiple of a positive number?"""
    match term:
        case Linear():
            return equal(modulo(term, divisor), number(0))
        case Extreme(is_least, of):
            # Each of them in the case that it is the one; all at once would be too many cases.
            sign = 1 if is_least else -1
            return some(
                every(
                    (
                        is_multiple(each, divisor),
                        *(not_negative(times(sign, minus(other, each))) for other in of),
                    )
                )
                for each in of
            )
        case Choice(condition, then, otherwise):
            return _either(condition, is_multiple(then, divisor), is_multiple(otherwise, divisor))


# --- going through them ---------------------------------------------------------------------------


def replaced(formula: Formula, values: Mapping[str, Term]) -> Formula:
    """The formula with terms in the place of unknowns."""
    match formula:
        case Positive(term):
            return not_negative(replaced_term(term, values))
        case Zero(term):
            return _zero(replaced_term(term, values))
        case Every(of):
            return every(replaced(each, values) for each in of)
        case Some(of):
            return some(replaced(each, values) for each in of)


def replaced_term(term: Term, values: Mapping[str, Term]) -> Term:
    """A term with others in the place of unknowns."""
    match term:
        case Linear(constant, parts):
            total: Term = Linear(constant)
            for atom, factor in parts:
                if isinstance(atom, str):
                    value = values.get(atom, unknown(atom))
                else:
                    value = floor(replaced_term(atom.term, values), atom.divisor)
                total = plus(total, times(factor, value))
            return total
        case Extreme(is_least, of):
            return Extreme(is_least, tuple(replaced_term(each, values) for each in of))
        case Choice(condition, then, otherwise):
            first, second = replaced_term(then, values), replaced_term(otherwise, values)
            return choose(replaced(condition, values), first, second)


def unknowns(formula: Formula) -> list[str]:
    """The names in it, in the order in which they come."""
    found: dict[str, None] = {}
    _collect(formula, found)
    return list(found)


def _collect(formula: Formula, found: dict[str, None]) -> None:
    match formula:
        case Positive(term) | Zero(term):
            _collect_from(term, found)
        case Every(of) | Some(of):
            for each in of:
                _collect(each, found)


def _collect_from(term: Linear, found: dict[str, None]) -> None:
    for atom, _ in term.parts:
        if isinstance(atom, str):
            found[atom] = None
        else:
            _collect_from(atom.term, found)


# --- SMT-LIB --------------------------------------------------------------------------------------


def smt_formula(formula: Formula) -> str:
    """The formula in SMT-LIB 2, theory ``Ints``.

    >>> smt_formula(every((less(unknown("i"), unknown("n")), equal(unknown("i"), number(-3)))))
    '(and (>= (+ (* (- 1) i) n (- 1)) 0) (= (+ i 3) 0))'
    """
    match formula:
        case Positive(term):
            return f"(>= {smt_term(term)} 0)"
        case Zero(term):
            return f"(= {smt_term(term)} 0)"
        case Every(of):
            return _smt_joined("and", "true", of)
        case Some(of):
            return _smt_joined("or", "false", of)


def _smt_joined(word: str, none: str, of: tuple[Formula, ...]) -> str:
    return f"({word} {' '.join(map(smt_formula, of))})" if of else none


def smt_term(term: Term) -> str:
    """A linear term in SMT-LIB; its ``div`` by a positive number rounds down."""
    assert isinstance(term, Linear), "formulas hold linear terms only"
    pieces = [_smt_part(atom, factor) for atom, factor in term.parts]
    if term.constant or not pieces:
        pieces.append(_smt_number(term.constant))
    return f"(+ {' '.join(pieces)})" if len(pieces) > 1 else pieces[0]


def _smt_part(atom: Atom, factor: int) -> str:
    is_name = isinstance(atom, str)
    text = smt_name(atom) if is_name else f"(div {smt_term(atom.term)} {atom.divisor})"
    return text if factor == 1 else f"(* {_smt_number(factor)} {text})"


_RESERVED = frozenset(
    "BINARY DECIMAL HEXADECIMAL NUMERAL STRING Bool Int Real String Array BitVec _ abs and as "
    "assert bvadd concat distinct div exists extract false forall is_int ite let lambda match mod "
    "not or par rem repeat select store sub to_int to_real true xor".split()
)


def smt_name(name: str) -> str:
    """A symbol of SMT-LIB for a name of C.

    >>> smt_name("c0"), smt_name("div")
    ('c0', "|div'|")
    """
    return f"|{name}'|" if name in _RESERVED else name


def _smt_number(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"


# --- isl ------------------------------------------------------------------------------------------


def isl_text(formula: Formula) -> str:
    """The formula as isl reads it.

    >>> isl_text(less(modulo(unknown("i"), 4), number(2)))
    '-1*i+4*floor((i)/4)+1>=0'
    """
    match formula:
        case Positive(term):
            return f"{_isl_term(term)}>=0"
        case Zero(term):
            return f"{_isl_term(term)}=0"
        case Every(of):
            return f"({' and '.join(map(isl_text, of))})" if of else "1=1"
        case Some(of):
            return f"({' or '.join(map(isl_text, of))})" if of else "1=0"


def _isl_term(term: Linear) -> str:
    pieces = [
        (f"{factor}*" if factor != 1 else "")
        + (atom if isinstance(atom, str) else f"floor(({_isl_term(atom.term)})/{atom.divisor})")
        for atom, factor in term.parts
    ]
    pieces += [str(term.constant)] if term.constant or not pieces else []
    return "+".join(pieces).replace("+-", "-")


def from_isl(points: isl.Set, names: Iterable[str]) -> Formula:
    """What a set of points says of its dimensions, by these names, and of its parameters.

    >>> even = from_isl(isl.Set("[n] -> { S[i] : 0 <= i < n and i mod 2 = 0 }"), ["i"])
    >>> isl_text(even)
    '(-1*i+2*floor((i)/2)=0 and i>=0 and -1*i+n-1>=0)'
    """
    known = [points.get_dim_name(PARAM, at) or "" for at in range(points.dim(PARAM))]
    given = list(names)
    assert points.dim(SET) == len(given), "every dimension has a name"
    pieces = points.compute_divs().get_basic_sets()
    return some(_from_basic_set(each, known, given) for each in pieces)


def _from_basic_set(piece: isl.BasicSet, parameters: list[str], names: list[str]) -> Formula:
    local = piece.get_local_space()
    floors: list[Linear] = []
    for at in range(local.dim(DIV)):
        division = local.get_div(at)
        divisor = division.get_denominator_val()
        inner = _combined(division.scale_val(divisor), parameters, names, floors)
        quotient = floor(inner, int(divisor.to_python()))
        assert isinstance(quotient, Linear)
        floors.append(quotient)
    found: list[Formula] = []
    for constraint in piece.get_constraints():
        term = _combined(constraint, parameters, names, floors)
        found.append(_zero(term) if constraint.is_equality() else not_negative(term))
    return every(found)


def _combined(
    source: isl.Constraint | isl.Aff, parameters: list[str], names: list[str], floors: list[Linear]
) -> Linear:
    """The linear term of a constraint, or below the line of an integer part."""
    inner = isl.dim_type.in_ if isinstance(source, isl.Aff) else SET
    total: Term = Linear(int(source.get_constant_val().to_python()))
    atoms = [
        (PARAM, [unknown(each) for each in parameters]),
        (inner, [unknown(each) for each in names]),
    ]
    for kind, values in (*atoms, (DIV, floors)):
        for at, value in enumerate(values):
            factor = int(source.get_coefficient_val(kind, at).to_python())
            total = plus(total, times(factor, value)) if factor else total
    assert isinstance(total, Linear)
    return total
