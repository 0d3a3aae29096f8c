"""Functions and conditions on iterators: ``{[i,j] -> [j, i/32, i%32] : i < N}``.

The notation is that of the paper (§3.1, appendix B).  Divisions round down, with or without
brackets around them.  A name on the right side that nothing defines is a new iterator, which the
condition defines.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager

import islpy as isl

from loopwright.basics.diagnostics import InputError
from loopwright.basics.records import record
from loopwright.polyhedra.instances import element_set, relation
from loopwright.polyhedra.values import (
    always,
    constant,
    constant_of,
    floor_quotient,
    modulo,
    unknown,
)
from loopwright.script.tokens import Kind, Token, Words, unreadable

DEEPEST = 60
"""Brackets within brackets."""
LONGEST_NUMBER = 18
COMPARISONS: Mapping[str, Callable[[isl.PwAff, isl.PwAff], isl.Set]] = {
    "<": isl.PwAff.lt_set,
    "<=": isl.PwAff.le_set,
    ">": isl.PwAff.gt_set,
    ">=": isl.PwAff.ge_set,
    "=": isl.PwAff.eq_set,
    "==": isl.PwAff.eq_set,
    "!=": isl.PwAff.ne_set,
}


@record
class Known:
    """What names mean outside of the iterators: parameters of the region, and numbers."""

    parameters: frozenset[str]
    numbers: Mapping[str, int]


def function_of(words: Words, known: Known) -> isl.Map:
    """``{ [i, j] -> [..] }``, from the words of it.

    >>> from loopwright.script.tokens import Source, lines_of
    >>> (line,) = lines_of(Source("s", "{[i,j] -> [j,k]: k=2i+1 and 0<=i<N}"))
    >>> print(function_of(Words(line.tokens), Known(frozenset({"N"}), {})))
    [N] -> { [i, j] -> [j, 1 + 2i] : 0 <= i < N }
    """
    reader = _Reader(words, known)
    words.expect("{")
    reader.read_inputs()
    words.expect("->")
    outputs = reader.read_outputs()
    condition = reader.read_condition()
    words.expect("}")
    return reader.relation(outputs, condition)


def condition_of(words: Words, known: Known) -> isl.Set:
    """``{ [i, j] : .. }``, from the words of it."""
    reader = _Reader(words, known)
    words.expect("{")
    reader.read_inputs()
    condition = reader.read_condition()
    words.expect("}")
    return reader.relation([], condition).domain()


class _Reader:
    """Reads with each iterator as an unknown; at the end, unknowns become dimensions."""

    def __init__(self, words: Words, known: Known) -> None:
        self.words = words
        self.known = known
        self.inputs: list[str] = []
        self.unknowns: dict[str, isl.PwAff] = {}
        self.new: dict[str, str] = {}
        self.given = always()
        self.depth = 0

    def relation(self, outputs: list[isl.PwAff], condition: isl.Set) -> isl.Map:
        """What was read, as a relation."""
        elements = element_set(outputs, "").intersect_params(condition & self.given)
        elements = _without_parameters(elements, list(self.new.values()))
        graph = relation(isl.Map.from_range(elements), "", self.inputs)
        graph = graph.reset_tuple_id(isl.dim_type.in_).reset_tuple_id(isl.dim_type.out)
        for at, name in enumerate(self.inputs):
            graph = graph.set_dim_name(isl.dim_type.in_, at, name.removeprefix("in "))
        return graph.coalesce()

    # --- the two sides ---------------------------------------------------------------------------

    def read_inputs(self) -> None:
        """``[i, j, 0]``: names, or values that an iterator must have."""
        self.words.expect("[")
        while not self.words.took("]"):
            if self.inputs:
                self.words.expect(",")
            token = self.words.here
            name = f"in {token.text}" if token.kind is Kind.NAME else f"in #{len(self.inputs)}"
            if name in self.inputs:
                raise self.words.complaint(f"{token.text} names two iterators")
            value = unknown(name)
            if token.kind is Kind.NAME:
                self.unknowns[token.text] = value
                self.words.take()
            else:
                self.given = self.given & value.eq_set(self.read_sum())
            self.inputs.append(name)

    def read_outputs(self) -> list[isl.PwAff]:
        """``[j, i/32, i2]``."""
        self.words.expect("[")
        outputs: list[isl.PwAff] = []
        while not self.words.took("]"):
            if outputs:
                self.words.expect(",")
            token = self.words.here
            is_alone = self.words.following().text in (",", "]")
            if token.kind is Kind.NAME and is_alone and not self._is_known(token.text):
                name = f"out {token.text}"
                self.new[token.text] = name
                self.unknowns[token.text] = unknown(name)
            outputs.append(self.read_sum())
        return outputs

    def _is_known(self, name: str) -> bool:
        return (
            name in self.unknowns
            or name in self.known.numbers
            or name in self.known.parameters
            or name == "floor"
        )

    # --- conditions ------------------------------------------------------------------------------

    def read_condition(self) -> isl.Set:
        """What is behind the colon, if there is one."""
        return self._any() if self.words.took(":") else always()

    def _any(self) -> isl.Set:
        found = self._all()
        while self.words.took("or", "||"):
            found = found | self._all()
        return found

    def _all(self) -> isl.Set:
        found = self._one()
        while self.words.took("and", "&&"):
            found = found & self._one()
        return found

    def _one(self) -> isl.Set:
        if self.words.took("not", "!"):
            with self._deeper():
                return always() - self._one()
        if self.words.is_at("(") and self._is_condition_inside():
            self.words.take()
            with self._deeper():
                found = self._any()
            self.words.expect(")")
            return found
        return self._comparison()

    def _is_condition_inside(self) -> bool:
        """Does the bracket hold a comparison, and not a sum?"""
        ahead, depth = self.words.copy(), 0
        while ahead.here.kind is not Kind.END:
            if ahead.is_at("(", "["):
                depth += 1
            elif ahead.is_at(")", "]"):
                depth -= 1
            if depth == 0:
                break
            if ahead.is_at(*COMPARISONS, "not", "!"):
                return True
            ahead.take()
        return False

    def _comparison(self) -> isl.Set:
        """``0 <= i < N``."""
        left = self.read_sum()
        if not self.words.is_at(*COMPARISONS):
            raise self.words.complaint("a comparison is missing")
        found = always()
        while operator := self.words.took(*COMPARISONS):
            right = self.read_sum()
            found = found & COMPARISONS[operator.text](left, right)
            left = right
        return found

    # --- values ----------------------------------------------------------------------------------

    @contextmanager
    def _deeper(self) -> Generator[None]:
        """What is read in here is nested."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.words.complaint("this is nested too deeply")
        yield
        self.depth -= 1

    def read_sum(self) -> isl.PwAff:
        """A value: sums, products with numbers, quotients and remainders by numbers."""
        with self._deeper():
            value = self._product()
            while operator := self.words.took("+", "-"):
                other = self._product()
                value = value + other if operator.text == "+" else value - other
        return value

    def _product(self) -> isl.PwAff:
        value = self._factor()
        while True:
            operator = self.words.took("*", "/", "%")
            if operator is not None:
                value = self._combined(operator, value, self._factor())
            elif constant_of(value) is not None and self._is_at_a_factor():
                value = self._times(self.words.here, value, self._factor())  # 2i
            else:
                return value

    def _is_at_a_factor(self) -> bool:
        here = self.words.here
        is_name = here.kind is Kind.NAME and here.text not in ("and", "or", "not")
        return self.words.before.kind is Kind.NUMBER and (is_name or self.words.is_at("("))

    def _combined(self, operator: Token, left: isl.PwAff, right: isl.PwAff) -> isl.PwAff:
        if operator.text == "*":
            return self._times(operator, left, right)
        divisor = constant_of(right)
        if divisor is None or divisor <= 0:
            raise self._not_affine(operator, "the divisor must be a positive number")
        return (floor_quotient if operator.text == "/" else modulo)(left, divisor)

    def _times(self, place: Token, left: isl.PwAff, right: isl.PwAff) -> isl.PwAff:
        if constant_of(left) is None and constant_of(right) is None:
            raise self._not_affine(place, "one side of a product must be a number")
        return left.mul(right)

    def _not_affine(self, place: Token, what: str) -> InputError:
        return unreadable(place.span, what, "functions and conditions are affine")

    def _factor(self) -> isl.PwAff:
        token = self.words.here
        if self.words.took("-"):
            with self._deeper():
                return self._factor().neg()
        if self.words.took("floor"):
            self.words.expect("(")
            return self._closed(")")
        if self.words.took("(", "["):
            return self._closed(")" if token.text == "(" else "]")
        if token.kind is Kind.NUMBER:
            return constant(number_of(self.words))
        if token.kind is Kind.NAME:
            return self._named(self.words.take())
        raise self.words.complaint("a value is missing")

    def _closed(self, bracket: str) -> isl.PwAff:
        value = self.read_sum()
        self.words.expect(bracket)
        return value

    def _named(self, token: Token) -> isl.PwAff:
        name = token.text
        if name in self.unknowns:
            return self.unknowns[name]
        if name in self.known.numbers:
            return constant(self.known.numbers[name])
        if name in self.known.parameters:
            return unknown(name)
        names = ", ".join([*self.unknowns, *sorted(self.known.parameters)]) or "none"
        raise unreadable(token.span, f"{name} is not known here", f"known names: {names}")


def number_of(words: Words) -> int:
    """A number, which is next."""
    token = words.take()
    if len(token.text) > LONGEST_NUMBER:
        raise unreadable(token.span, "this number is too large")
    return int(token.text)


def _without_parameters(elements: isl.Set, names: list[str]) -> isl.Set:
    for name in names:
        at = elements.find_dim_by_name(isl.dim_type.param, name)
        if at >= 0:
            elements = elements.project_out(isl.dim_type.param, at, 1)
    return elements
