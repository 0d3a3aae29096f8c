"""The bench on which a region is built: its parameters, assumptions and notes so far."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import Enum

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError, Severity, shortened
from loopwright.basics.names import KEYWORDS, FreshNames, isl_name
from loopwright.basics.spans import Span
from loopwright.frontend.c_tree import Expr, Use, Variable, walk_expression
from loopwright.frontend.c_types import CType, IntType
from loopwright.frontend.clang_library import ParsedFile
from loopwright.frontend.facts import RegionFacts
from loopwright.frontend.invariants import Invariant, invariant_place, invariant_value
from loopwright.frontend.polynomials import Polynomial, affine_polynomial
from loopwright.frontend.risks import Risk
from loopwright.frontend.scope import Arithmetic, Scope
from loopwright.model.scop import Assumption, Parameter, evaluation_of
from loopwright.polyhedra.boxes import Box, Ends
from loopwright.polyhedra.limits import (
    OutOfOperations,
    hull,
    is_simple,
    limited,
    negation,
    simple_negation,
)
from loopwright.polyhedra.values import (
    always,
    between,
    beyond,
    constant,
    names_in,
    unknown,
    without,
)

LARGEST_CONTEXT = 4
"""Optional assumptions that would split the context into more pieces than this are not made."""

ADDRESS_BITS = 64
MOST_OPTIONAL_OPERATIONS = 50_000
MOST_SECONDS = 8
"""Of processor time, for one region."""


Named = Variable | tuple[tuple[Variable, ...], str]
"""What a parameter stands for: a variable, or an expression of some of them, as C writes it."""


class Overflow(Enum):
    """What the model says about signed arithmetic that leaves its type, which C does not define."""

    IGNORED = "nothing: no program that we read does it"
    REFUSED = "the model does not hold where it may happen"
    EXCLUDED = "the model does not hold where it certainly happens"


@dataclass(slots=True)
class Workshop:
    """What is shared by all that is read of one region; grows while reading.

    ``conversions`` counts where the width of an integer matters, ``wrappings`` where a value may
    really not fit it.
    """

    parsed: ParsedFile
    facts: RegionFacts
    function: str
    non_negative: bool = False
    names: FreshNames = field(default_factory=lambda: FreshNames(set(KEYWORDS)))
    iterator_names: set[str] = field(default_factory=set[str])
    parameters: list[Parameter] = field(default_factory=list[Parameter])
    assumptions: list[Assumption] = field(default_factory=list[Assumption])
    notes: list[Diagnostic] = field(default_factory=list[Diagnostic])
    context: isl.Set = field(default_factory=always)
    started: float = field(default_factory=time.process_time)
    conversions: int = 0
    wrappings: int = 0
    overflow: Overflow = Overflow.IGNORED
    patience: int = 1
    """How many times as much as usual a loop may cost before it counts as dynamic."""
    sized_within: Span | None = None
    """Only arrays declared here must have positive sizes; if nothing is said, all of them."""
    risks: list[Risk] = field(default_factory=list[Risk])
    """What may leave its type in a way that no condition can express, if that is asked for."""
    asking: dict[str, tuple[isl.PwAff, IntType]] = field(
        default_factory=dict[str, "tuple[isl.PwAff, IntType]"]
    )
    """The parameters that are no variables and cannot always be evaluated, by their texts."""
    _evaluated: dict[str, isl.Set] = field(default_factory=dict[str, isl.Set])
    _values: dict[Named, isl.PwAff] = field(default_factory=dict["Named", isl.PwAff])
    _ranges: isl.Set = field(default_factory=always)
    _reached: isl.Set = field(default_factory=always)
    _hull: isl.Set = field(default_factory=always)
    _boxes: dict[int, tuple[isl.Set, int, Box]] = field(
        default_factory=dict[int, tuple[isl.Set, int, Box]]
    )

    @property
    def is_for_proof(self) -> bool:
        """Is the model one of two that are compared, and not for people?"""
        return self.sized_within is not None

    def iterator_name(self, wanted: str, taken: Iterable[str]) -> str:
        """A name for an iterator, different from all parameters and from those around it."""
        names = FreshNames({*KEYWORDS, *taken, *(each.name for each in self.parameters)})
        names.taken |= set(map(isl_name, self.facts.parameter_names()))
        name = names.fresh(isl_name(wanted))
        self.iterator_names.add(name)
        return name

    # --- parameters --------------------------------------------------------------------------

    def parameter_value(self, variable: Variable) -> isl.PwAff | None:
        """The value of an integer that the region never changes."""
        if variable not in self._values:
            if not self.facts.is_parameter(variable):
                return None
            assert isinstance(variable.type, IntType)
            name = self._new_parameter(variable.name, variable.name, variable.type, variable.span)
            self._values[variable] = unknown(name)
        return self._values[variable]

    def place_value(self, expression: Expr, scope: Scope) -> isl.PwAff | None:
        """The value of an integer in a struct or array that the region never changes."""
        found = invariant_place(expression, self.facts)
        return self._invariant_value(found, scope, expression.span) if found is not None else None

    def opaque_value(self, expression: Expr, scope: Scope) -> isl.PwAff | None:
        """The value of what is computed of such integers, as an unknown of its own."""
        found = invariant_value(expression, self.facts)
        return self._invariant_value(found, scope, expression.span) if found is not None else None

    def _invariant_value(self, found: Invariant, scope: Scope, span: Span) -> isl.PwAff:
        key = found.roots, found.text
        if key not in self._values:
            name = self._new_parameter(found.name, found.text, found.type, span)
            self._values[key] = unknown(name)
        value = self._values[key]
        if found.asks:
            self._note_certain(found.text, scope)
            self.asking[found.text] = value, found.type
            if self.overflow is not Overflow.IGNORED:
                self.conversions += 1
                if scope.arithmetic is not Arithmetic.IDEAL:
                    self.note_evaluation(found.text, scope, span)
        return value

    def _note_certain(self, text: str, scope: Scope) -> None:
        """For which values of the other parameters something is certainly evaluated."""
        inside = without(scope.certain, {*scope.iterators, *scope.hidden})
        known = self._evaluated.get(text)
        self._evaluated[text] = inside if known is None else known | inside

    def require_evaluations(self, span: Span) -> None:
        """Assume that everything is evaluated which cannot always be."""
        for text, reached in (
            self._evaluated.items() if self.overflow is not Overflow.REFUSED else ()
        ):
            if text in self.asking and not (reached & self.type_ranges()).is_empty():
                self.require(reached.coalesce(), evaluation_of(text), span)

    def note_evaluation(self, text: str, scope: Scope, span: Span) -> None:
        """Keep that what ``asks`` is evaluated here, as another program might not do."""
        value, type_ = self.asking[text]
        (name,) = names_in(value)
        itself = Polynomial({(name,): constant(1)}, {})
        self.risks.append(Risk(itself, type_, scope, span, is_evaluation=True))

    def _new_parameter(self, wanted: str, text: str, type_: IntType, span: Span) -> str:
        plain = isl_name(wanted)
        name = self.names.fresh(plain)
        while name in self.iterator_names:
            name = self.names.fresh(plain)
        range_ = (type_.least, type_.greatest)
        self.parameters.append(Parameter(name, text, type_.name, span, *range_))
        value = unknown(name)
        self._ranges = self._ranges & between(type_.least, value, type_.greatest)
        not_negative = value.ge_set(constant(0))
        if not type_.is_signed:
            self.context = self.context & not_negative
        elif self.non_negative:
            self.require(not_negative, "no parameter is negative, as the user said", span)
        return name

    def type_ranges(self) -> isl.Set:
        """What the types of the parameters and the assumptions so far guarantee."""
        return self._ranges & self.context

    def snapshot(self) -> Callable[[], None]:
        """How things stand; calling the result brings them back to that."""
        lengths = [len(self.parameters), len(self.assumptions), len(self.notes), len(self.risks)]
        state = self.context, self._ranges, dict(self._values), set(self.names.taken)

        def restore() -> None:
            del self.parameters[lengths[0] :]
            del self.assumptions[lengths[1] :]
            del self.notes[lengths[2] :]
            del self.risks[lengths[3] :]
            self.context, self._ranges, self._values, self.names.taken = state
            self._reached = always()
            self._boxes.clear()

        return restore

    def check_time(self) -> None:
        """Give up on a region that takes too long, whichever of its steps is to blame."""
        if time.process_time() - self.started > MOST_SECONDS:
            raise OutOfOperations

    # --- assumptions and notes ---------------------------------------------------------------

    def require(self, condition: isl.Set, reason: str, span: Span) -> None:
        """Add a condition on the parameters to the context, unless it is known already."""
        if self.type_ranges().is_subset(condition):
            return
        known = self.type_ranges()
        condition = (condition & known).coalesce().gist(known)
        self.assumptions.append(Assumption(condition, reason, span))
        self.context = (self.context & condition).coalesce()

    def exclude(
        self, bad: isl.Set, reason: str, span: Span, iterators: Iterable[str], *, warn: bool = False
    ) -> bool:
        """Assume that no iteration is ``bad``; false if no parameter values would be left."""
        known = self.type_ranges()
        bad = without(bad, iterators)
        condition = simple_negation(bad)
        if condition is None:  # what is known of all parameters stands in each of its pieces
            condition = negation((bad & known).gist(known).coalesce())
        condition = condition.coalesce()
        if (known & condition).is_empty():
            return False
        self.require(condition, reason, span)
        if warn:
            hint = "say so yourself with --context or __builtin_assume, or widen the type"
            self.note("LW301", f"assumed that {reason}", span, hint)
        return True

    def note_overflow(self, value: isl.PwAff, type_: IntType, scope: Scope, span: Span) -> None:
        """Say for which parameters a signed value leaves its type, if that is asked for."""
        if self.surely_fits(value, type_, scope):
            return
        refused = self.overflow is Overflow.REFUSED
        reached = scope.possible if refused else scope.certain
        outside = beyond(type_.least, value, type_.greatest)
        if (self._around(reached) & outside).is_empty():
            return
        if scope.branch:
            self.risks.append(Risk(affine_polynomial(value), type_, scope, span))
            return
        outside = reached & outside & self.type_ranges()
        iterators = {*scope.iterators, *scope.hidden}
        text = self.text_of(span) or "what a macro stands for"
        reason = f"{text} does not overflow"
        if outside.is_empty() or self.exclude(outside, reason, span, iterators):
            return
        raise self.reject("LW301", f"{text} overflows", span, "use a wider type")

    def place_risks(self, statement: Span) -> None:
        """Those that have no place yet are of this statement."""
        for at, each in enumerate(self.risks):
            if each.statement is None:
                self.risks[at] = replace(each, statement=statement)

    def note_product(self, value: Polynomial, type_: CType, scope: Scope, span: Span) -> None:
        """Keep what an expression with a product in it may be, if it may leave its type.

        What leaves 64 bits is no subscript.
        """
        if self.overflow is Overflow.IGNORED or value.affine is not None:
            return
        if isinstance(type_, IntType) and type_.bits < ADDRESS_BITS:
            ends = value.ends(Box(scope.possible & self.type_ranges()).ends)
            if ends is None or ends[0] < type_.least or type_.greatest < ends[1]:
                self.risks.append(Risk(value, type_, scope, span))

    def surely_fits(self, value: isl.PwAff, type_: IntType, scope: Scope) -> bool:
        """Is it plain to see that a type holds all that a value can be here?"""
        ends = self.ends(value, scope)
        return ends is not None and type_.least <= ends[0] and ends[1] <= type_.greatest

    def ends(self, value: isl.PwAff, scope: Scope) -> Ends | None:
        """Integers that a value lies between here, if they are easily found."""
        around, count = scope.around, len(self.parameters)
        known = self._boxes.get(id(around))
        if known is None or known[1] != count:
            # What is known about the parameters only grows: old boxes are too large at worst.
            known = around, count, Box(around & self.type_ranges())
            self._boxes[id(around)] = known
        return known[2].ends(value)

    def _around(self, reached: isl.Set) -> isl.Set:
        """A larger set with a single piece; the same question comes for many expressions."""
        if self._reached is not reached:
            self._reached = reached
            self._hull = hull(reached & self.type_ranges())
        return self._hull

    def exclude_if_simple(self, bad: isl.Set, reason: str, span: Span) -> bool | None:
        """The same for parameter values that are good to exclude but need not be.

        ``None`` if that would take long or leave a context in many pieces.
        """
        try:
            with limited(MOST_OPTIONAL_OPERATIONS):
                if not is_simple(bad, LARGEST_CONTEXT):
                    return None
                context = (self.context - bad).coalesce()
                if context.n_basic_set() > LARGEST_CONTEXT:
                    return None
                return self.exclude(bad, reason, span, ())
        except OutOfOperations:
            return None

    def take_for_granted(self, reason: str, span: Span) -> None:
        """An assumption that no condition on the parameters can express."""
        if all(each.reason != reason for each in self.assumptions):
            self.assumptions.append(Assumption(always(), reason, span))

    def warn_wrapping(self, what: str, span: Span, type_name: str) -> None:
        """Say that a value wraps around, and that the model follows it."""
        message = f"{what} may wrap around as {type_name}; the model computes it modulo its width"
        self.note("LW302", message, span)

    def note(self, code: str, message: str, span: Span, hint: str = "") -> None:
        """Tell the user something that does not end the work, once."""
        note = Diagnostic(code, message, span, hint, Severity.WARNING)
        if note not in self.notes:
            self.notes.append(note)

    def reject(self, code: str, message: str, span: Span, hint: str = "") -> InputError:
        """The exception for a region that cannot be modelled."""
        return InputError(Diagnostic(code, message, span, hint))

    def changed_after(self, size: Expr, declared: Span) -> bool:
        """Is a variable in the size of an array assigned after the array was declared?"""
        names = {each.variable for each in walk_expression(size) if isinstance(each, Use)}
        return any(
            span.start > declared.start
            for variable in names
            for span in self.facts.assignments.get(variable, ())
        )

    def text_of(self, span: Span) -> str:
        """The source of a span, on one line, cut where it is long."""
        text = self.parsed.file(span.file).text(span.start, span.end)
        return shortened(" ".join(text.split()))
