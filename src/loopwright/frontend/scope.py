"""Where an expression is evaluated: what is known there, and how certainly control gets there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import Enum

import islpy as isl

from loopwright.basics.records import record
from loopwright.frontend.c_tree import Variable
from loopwright.frontend.polynomials import Polynomial
from loopwright.model.bodies import Cast, Expression, Reference, names_in_body
from loopwright.polyhedra.values import always, never

EVERYWHERE = always()


class Arithmetic(Enum):
    """How integers that may not fit their type are computed."""

    IDEAL = "as if integers had no width"
    EXACT = "modulo their width"
    ASSUMED = "modulo their width, or assumed to fit where only the parameters decide"


@record(eq=False)
class Step:
    """One step from a variable to a part of it: a subscript (``None`` if unknown) or a member.

    A subscript ``is_offset`` if it moves a pointer, which may lead out of the row that it is in.
    """

    member: str = ""
    index: Polynomial | None = None
    is_offset: bool = False

    @property
    def is_member(self) -> bool:
        """Is it a struct member?"""
        return self.member != ""


@record(eq=False)
class Place:
    """A piece of memory: a variable and the steps into it."""

    variable: Variable
    steps: tuple[Step, ...] = ()

    def at(self, step: Step) -> Place:
        """One step further in."""
        return Place(self.variable, (*self.steps, step))


@record(eq=False)
class Pointer:
    """The address of ``place[index]``; of ``place`` itself where ``is_whole``."""

    place: Place
    index: Polynomial | None
    is_whole: bool = False


@record
class Offset:
    """How a body writes how far a pointer moves, and whether 64 bits are used to compute it."""

    value: Expression
    is_wide: bool

    @property
    def widened(self) -> Expression:
        """Pointers are moved one step after the other, and no sum of the steps has to fit ``int``.

        >>> from loopwright.model.bodies import Name
        >>> Offset(Name("i"), is_wide=False).widened
        Cast(type='long', operand=Name(name='i'))
        """
        return self.value if self.is_wide else Cast("long", self.value)


@record
class PointerText:
    """How a body writes an address: ``place + offset``, without the pointer that holds it."""

    place: Reference
    offset: Offset | None

    def mentions(self, name: str) -> bool:
        """Is the name in it?"""
        parts = [self.place, *([self.offset.value] if self.offset is not None else [])]
        return any(name in names_in_body(part) for part in parts)


@record(eq=False)
class Scope:
    """The surroundings of an expression.

    ``possible`` holds wherever control may get here and ``certain`` only where it does; the two
    agree as long as no dynamic control intervenes.  ``iterators`` are those of the statement,
    outermost first; ``hidden`` are the iterators of loops inside an atomic statement; ``inlined``
    counts the calls that led here.  ``around`` holds wherever ``possible`` does, and is the very
    same condition for all that stands in the body of a loop.  Where data choose one branch of two,
    ``certain`` is about both of them together, and ``branch`` tells which of them this is: a number
    for each such choice, the same in all statements that look the same.  In what ``decides`` what
    runs, a product of parameters is one more parameter; in subscripts, it is a product.  Variables
    that hold such products are ``opaque``.
    """

    values: Mapping[Variable, isl.PwAff] = field(default_factory=dict[Variable, isl.PwAff])
    products: Mapping[Variable, Polynomial] = field(default_factory=dict[Variable, Polynomial])
    pointers: Mapping[Variable, Pointer] = field(default_factory=dict[Variable, Pointer])
    spelled: Mapping[Variable, Expression] = field(default_factory=dict[Variable, Expression])
    addresses: Mapping[Variable, PointerText] = field(default_factory=dict[Variable, PointerText])
    private: frozenset[Variable] = frozenset()
    iterators: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    possible: isl.Set = EVERYWHERE
    certain: isl.Set = EVERYWHERE
    around: isl.Set = EVERYWHERE
    arithmetic: Arithmetic = Arithmetic.ASSUMED
    inlined: int = 0
    branch: tuple[int, ...] = ()
    decides: bool = False
    opaque: Mapping[Variable, isl.PwAff] = field(default_factory=dict[Variable, isl.PwAff])

    def given(self, condition: isl.Set) -> Scope:
        """Inside a condition that is known exactly."""
        possible = self.possible & condition
        is_exact = self.certain is self.possible
        certain = possible if is_exact else self.certain & condition
        return replace(self, possible=possible, certain=certain)

    def running(self, iterations: isl.Set) -> Scope:
        """Inside of a loop with these iterations."""
        inside = self.given(iterations)
        return replace(inside, around=inside.possible)

    def deciding(self) -> Scope:
        """For an expression that decides what runs."""
        return self if self.decides else replace(self, decides=True)

    def perhaps(self) -> Scope:
        """Behind dynamic control: nothing here is certain."""
        return replace(self, certain=never())

    def knowing(self, variable: Variable, value: isl.PwAff, spelled: Expression) -> Scope:
        """With the value of an integer known, and how to spell it in a body."""
        return replace(
            self,
            values={**self.values, variable: value},
            spelled={**self.spelled, variable: spelled},
        )

    def knowing_product(
        self, variable: Variable, value: Polynomial, whole: isl.PwAff | None, spelled: Expression
    ) -> Scope:
        """With an integer known to be a product of sizes, the ``whole`` of it as one unknown."""
        opaque = {**self.opaque, variable: whole} if whole is not None else self.opaque
        return replace(
            self,
            products={**self.products, variable: value},
            spelled={**self.spelled, variable: spelled},
            opaque=opaque,
        )

    def pointing(
        self, variable: Variable, target: Pointer, text: PointerText | None = None
    ) -> Scope:
        """With the target of a pointer known, and how to write it without that pointer."""
        addresses = {**self.addresses, variable: text} if text is not None else self.addresses
        return replace(self, pointers={**self.pointers, variable: target}, addresses=addresses)

    def hiding(self, *variables: Variable) -> Scope:
        """With variables that are private to the atomic statement, of unknown value."""
        values = {each: value for each, value in self.values.items() if each not in variables}
        private = self.private | set(variables)
        return replace(self, values=values, private=private, addresses=self._visible(variables))

    def without_value(self, variable: Variable) -> Scope:
        """With a variable that may have changed."""
        kept = {each: value for each, value in self.values.items() if each is not variable}
        return replace(self, values=kept)

    def hiding_only(self, variable: Variable) -> Scope:
        """With a variable that is private to the atomic statement, of known value."""
        visible = self._visible((variable,))
        return replace(self, private=self.private | {variable}, addresses=visible)

    def _visible(self, declared: tuple[Variable, ...]) -> Mapping[Variable, PointerText]:
        """The addresses that still mean the same beside declarations of these names."""
        return {
            pointer: text
            for pointer, text in self.addresses.items()
            if not any(text.mentions(each.name) for each in declared)
        }
