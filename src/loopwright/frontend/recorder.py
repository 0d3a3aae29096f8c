"""Evaluating an expression on paper: its body tree, and every access that it makes."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import assert_never

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.names import FreshNames
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.affine import condition_of
from loopwright.frontend.arrays import ArrayDraft, ArrayTable
from loopwright.frontend.c_tree import (
    VOLATILE_MEMBER,
    AssignExpr,
    BinaryExpr,
    CallExpr,
    CastExpr,
    ConditionalExpr,
    Expr,
    IncrementExpr,
    IntLiteral,
    ListExpr,
    MemberOf,
    OpaqueExpr,
    OtherLiteral,
    Subscript,
    UnaryExpr,
    Use,
    Variable,
    without_casts,
)
from loopwright.frontend.c_types import (
    ArrayType,
    CType,
    IntType,
    OtherType,
    PointerType,
    RecordType,
    holds_pointers,
)
from loopwright.frontend.invariants import invariant_place
from loopwright.frontend.places import ZERO, place_of, pointer_of
from loopwright.frontend.polynomials import Polynomial
from loopwright.frontend.scope import Offset, Place, Pointer, PointerText, Scope
from loopwright.frontend.workshop import ADDRESS_BITS, Workshop
from loopwright.model.bodies import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expression,
    Increment,
    Index,
    InitializerList,
    Literal,
    Member,
    Name,
    Reference,
    Reinterpret,
    Unary,
)
from loopwright.polyhedra.limits import simple_negation
from loopwright.polyhedra.values import constant_of, never

Path = tuple[Index | Member | Reinterpret, ...]


class PointerChange(InputError):
    """A pointer that the region uses changes; following another path would not help."""


@record(eq=False)
class RawAccess:
    """An access before the shapes of the arrays are settled.

    ``draft`` is ``None`` for "anything reachable from ``root``", and both are for "any global".
    """

    tag: str
    draft: ArrayDraft | None
    root: Variable | None
    indices: tuple[Polynomial | None, ...]
    offsets: tuple[int, ...]
    reads: bool
    writes: bool
    kills: bool
    possible: isl.Set
    certain: isl.Set
    hidden: tuple[str, ...]
    span: Span


Summarise = Callable[["Recorder", CallExpr, Scope], None]


@dataclass(slots=True)
class Recorder:
    """Records the accesses of one statement."""

    workshop: Workshop
    arrays: ArrayTable
    tags: FreshNames
    summarise: Summarise
    accesses: list[RawAccess] = field(default_factory=list[RawAccess])
    call_stack: tuple[str, ...] = ()
    calls_followed: int = 0
    choices: int = 0
    """How many tests there were so far."""
    borrowed: set[Variable] = field(default_factory=set[Variable])
    settled: list[str] = field(default_factory=list[str])
    """The references that have certainly written before what comes next, each time it comes."""
    partial: set[str] = field(default_factory=set[str])
    """Those that write only a part of an element."""

    def evaluate(  # noqa: C901 - one case a kind of expression
        self, expression: Expr, scope: Scope
    ) -> Expression:
        """The body tree of an expression used for its value."""
        match expression:
            case IntLiteral(text=text) | OtherLiteral(text=text):
                return Literal(text)
            case Use() | Subscript() | MemberOf() | UnaryExpr(operator="*"):
                return self._read(expression, scope)
            case UnaryExpr(operator="&", operand=operand):
                name, path = self._path(operand, scope)
                return AddressOf(Reference("", name, path))
            case UnaryExpr(operator=operator, operand=operand):
                return Unary(operator, self.evaluate(operand, scope))
            case IncrementExpr(operator=operator, target=target, is_postfix=is_postfix):
                return Increment(operator, self._write(target, scope, reads=True), is_postfix)
            case BinaryExpr():
                return self._binary(expression, scope)
            case AssignExpr(operator=operator, target=target, value=value):
                result = self.evaluate(value, scope)
                place = self._write(target, scope, reads=operator != "=")
                return Assign(operator, place, result)
            case ConditionalExpr():
                return self._conditional(expression, scope)
            case CastExpr(operand=operand, is_explicit=is_explicit, type=type_):
                inner = self.evaluate(operand, scope)
                return Cast(type_.name, inner) if is_explicit else inner
            case CallExpr():
                return self._call(expression, scope)
            case ListExpr(values=values):
                return InitializerList(tuple(self.evaluate(each, scope) for each in values))
            case OpaqueExpr(what=what):
                if what == VOLATILE_MEMBER:
                    raise self._pinned(self.workshop.text_of(expression.span), expression.span)
                raise self.workshop.reject(
                    "LW208",
                    f"cannot read {what} in a region",
                    expression.span,
                    "move it out of the region, or write it with plain operators",
                )
            case _:
                assert_never(expression)

    # --- operators that evaluate an operand only sometimes -----------------------------------

    def _binary(self, expression: BinaryExpr, scope: Scope) -> Expression:
        left = self.evaluate(expression.left, scope)
        if expression.operator in ("&&", "||"):
            decided = condition_of(expression.left, scope, self.workshop)
            if decided is not None and expression.operator == "||":
                decided = simple_negation(decided)
            scope = scope.given(decided) if decided is not None else scope.perhaps()
        return Binary(expression.operator, left, self.evaluate(expression.right, scope))

    def _conditional(self, expression: ConditionalExpr, scope: Scope) -> Expression:
        chosen = condition_of(expression.condition, scope, self.workshop)
        other = simple_negation(chosen) if chosen is not None else None
        condition = self.evaluate(expression.condition, scope)
        first = scope.given(chosen) if chosen is not None and other is not None else scope.perhaps()
        second = scope.given(other) if other is not None else scope.perhaps()
        return Conditional(
            condition,
            self.evaluate(expression.then, first),
            self.evaluate(expression.otherwise, second),
        )

    # --- memory ------------------------------------------------------------------------------

    def _read(self, expression: Expr, scope: Scope) -> Expression:
        if isinstance(expression, Use):
            known = self._known_name(expression.variable, scope)
            if known is not None:
                return known
        if self.workshop.place_value(expression, scope) is not None:
            invariant = invariant_place(expression, self.workshop.facts)
            assert invariant is not None
            return Name(invariant.text)
        if isinstance(expression.type, ArrayType | PointerType):
            return self._address(expression, scope)
        name, path = self._path(expression, scope)
        place = place_of(expression, scope, self.workshop)
        tag = self.record(place, scope, expression.span, reads=True)
        return Reference(tag, name, path)

    def _known_name(self, variable: Variable, scope: Scope) -> Expression | None:
        """A name without memory: an iterator, a parameter, a private variable, a pointer."""
        is_known = variable in scope.values or variable in scope.products
        if variable in scope.spelled and is_known:
            return scope.spelled[variable]
        if variable in scope.private or self.workshop.facts.is_private_iterator(variable):
            return Name(variable.name)
        if self.workshop.parameter_value(variable) is not None:
            return Name(variable.name)
        if variable in scope.addresses:
            return _address_text(scope.addresses[variable])
        return Name(variable.name) if isinstance(variable.type, PointerType) else None

    def _address(self, expression: Expr, scope: Scope) -> Expression:
        """An array or pointer as a value; the pointers themselves never change in a region."""
        name, path = self._path(expression, scope)
        return Reference("", name, path) if path else Name(name)

    def _write(self, target: Expr, scope: Scope, *, reads: bool) -> Expression:
        while isinstance(target, CastExpr):
            target = target.operand
        if isinstance(target, Use):
            known = self._known_name(target.variable, scope)
            if known is not None and not isinstance(target.type, PointerType):
                return known
        self.refuse_pointer_writes(target, scope)
        name, path = self._path(target, scope)
        place = place_of(target, scope, self.workshop)
        tag = self.record(place, scope, target.span, reads=reads, writes=True)
        return Reference(tag, name, path)

    def refuse_pointer_writes(self, target: Expr, scope: Scope) -> None:
        """Where a pointer changes, one name stands for several arrays."""
        if not holds_pointers(target.type):
            return
        problem = Diagnostic(
            "LW205",
            f"the region changes the pointer {self.workshop.text_of(target.span)}, "
            "so that one name stands for several arrays",
            target.span,
            "index the array by name, or initialise the pointer once where it is declared",
        )
        facts = self.workshop.facts
        changed = place_of(target, scope, self.workshop).variable
        is_used = changed in facts.used or changed in facts.used_by_callees
        raise PointerChange(problem) if is_used else InputError(problem)

    def record(
        self,
        place: Place,
        scope: Scope,
        span: Span,
        *,
        reads: bool = False,
        writes: bool = False,
        kills: bool = False,
    ) -> str:
        """Record an access to a place; the tag of the reference, empty for private memory."""
        if place.variable in scope.private:
            return ""
        tag = self.tags.numbered("R")
        is_partial = writes and self.arrays.is_partial(place)
        certain = never() if is_partial else scope.certain
        self.partial |= {tag} if is_partial else set()
        for draft, leaf in self.arrays.leaves(place, scope):
            access = RawAccess(
                tag,
                draft,
                place.variable,
                leaf.indices,
                leaf.offsets,
                reads,
                writes,
                kills,
                scope.possible,
                certain,
                scope.hidden,
                span,
            )
            is_own = reads and self.settled and not is_partial and self._is_settled(access)
            self.accesses.append(replace(access, reads=False) if is_own else access)
        return tag

    def _is_settled(self, access: RawAccess) -> bool:
        """Does it find what the instance itself has written there before?"""
        if None in access.indices:
            return False
        return any(
            each.writes and each.tag in self.settled and _has_same_subscripts(each, access)
            for each in self.accesses
        )

    def settle(self, expression: Expression) -> None:
        """What a full expression assigns whenever it is evaluated is there for what follows."""
        match expression:
            case Assign(target=Reference(tag=tag), value=value):
                self.settle(value)
                self.settled += [tag] if tag not in self.partial else []
            case Increment(target=Reference(tag=tag)):
                self.settled += [tag] if tag not in self.partial else []
            case _:
                pass

    @contextmanager
    def passing(self) -> Generator[None]:
        """What happens in here need not have happened where control goes on."""
        count = len(self.settled)
        try:
            yield
        finally:
            del self.settled[count:]

    def join_branches(self, first: int, middle: int) -> None:
        """Of two branches, one of which runs, certain is only what both of them write."""
        then, otherwise = self.accesses[first:middle], self.accesses[middle:]
        self.accesses[first:] = [
            *(_certain_in_both(access, otherwise) for access in then),
            *(_certain_in_both(access, then) for access in otherwise),
        ]

    def record_reachable(self, pointer: Pointer, scope: Scope, span: Span, *, writes: bool) -> None:
        """Anything that can be reached from a pointer may be read, and written if so said."""
        variable = pointer.place.variable
        if variable in scope.private:
            return
        self.arrays.know(Place(variable), scope)
        self.accesses.append(self._vague(scope, span, writes, root=variable))

    def record_globals(self, scope: Scope, span: Span, *, writes: bool) -> None:
        """Any global variable may be touched."""
        self.accesses.append(self._vague(scope, span, writes))

    def record_outside_world(self, scope: Scope, span: Span) -> None:
        """The hidden state of unknown functions is read and written, in order."""
        self.accesses.append(self._vague(scope, span, True, draft=self.arrays.outside_world(span)))

    def _vague(
        self,
        scope: Scope,
        span: Span,
        writes: bool,
        *,
        root: Variable | None = None,
        draft: ArrayDraft | None = None,
    ) -> RawAccess:
        nothing = scope.perhaps().certain
        tag = self.tags.numbered("R")
        return RawAccess(
            tag,
            draft,
            root,
            (),
            (),
            True,
            writes,
            False,
            scope.possible,
            nothing,
            scope.hidden,
            span,
        )

    # --- paths as the source wrote them ------------------------------------------------------

    def _path(self, expression: Expr, scope: Scope) -> tuple[str, Path]:
        """The name and steps of an lvalue; subscripts are evaluated, and so recorded."""
        match expression:
            case Use(variable=variable):
                self._refuse_pinned(expression)
                return variable.name, ()
            case Subscript(base=base, index=index):
                name, path, offset = self._pointer_path(base, scope)
                moved = _plus(offset, self._offset(index, scope))
                return name, (*path, Index(moved.value))
            case UnaryExpr(operator="*", operand=UnaryExpr(operator="&", operand=target)):
                return self._path(target, scope)
            case UnaryExpr(operator="*", operand=operand):
                name, path, offset = self._pointer_path(operand, scope)
                return name, (*path, _first(offset))
            case MemberOf(base=base, name=member, is_arrow=is_arrow):
                self._refuse_shared_member(expression)
                if not is_arrow:
                    name, path = self._path(base, scope)
                    return name, (*path, Member(member))
                name, path, offset = self._pointer_path(base, scope)
                return name, (*path, _first(offset), Member(member))
            case CastExpr(operand=operand):
                return self._path(operand, scope)
            case OpaqueExpr():
                self.evaluate(expression, scope)  # says why it cannot be read
                raise AssertionError(f"an opaque expression was evaluated: {expression}")
            case _:
                place_of(expression, scope, self.workshop)
                raise AssertionError(f"a place without a path: {expression}")

    def _offset(self, index: Expr, scope: Scope) -> Offset:
        is_wide = isinstance(index.type, IntType) and index.type.bits == ADDRESS_BITS
        return Offset(self.evaluate(index, scope), is_wide)

    def _pointer_path(self, expression: Expr, scope: Scope) -> tuple[str, Path, Offset | None]:
        match expression:
            case BinaryExpr(operator="+" | "-" as operator, left=left, right=right):
                if isinstance(right.type, PointerType | ArrayType):
                    left, right = right, left
                name, path, offset = self._pointer_path(left, scope)
                by = self._offset(right, scope)
                return name, path, _plus(offset, by if operator == "+" else _back(by))
            case UnaryExpr(operator="&", operand=Subscript(base=base, index=index)):
                name, path, offset = self._pointer_path(base, scope)
                return name, path, _plus(offset, self._offset(index, scope))
            case UnaryExpr(operator="&", operand=operand):
                name, path = self._path(operand, scope)
                if path and isinstance(path[-1], Index):
                    return name, path[:-1], Offset(path[-1].value, is_wide=False)
                return name, path, None
            case CastExpr(operand=operand, type=type_):
                name, path, offset = self._pointer_path(operand, scope)
                return name, (*path, *_reinterpreted(operand.type, type_)), offset
            case Use(variable=variable) if variable in scope.addresses:
                text = scope.addresses[variable]
                return text.place.name, text.place.path, text.offset
            case _:
                pointer_of(expression, scope, self.workshop)  # refuses what cannot be followed
                return (*self._path(expression, scope), None)

    def address_text(self, variable: Variable, value: Expr, scope: Scope) -> PointerText | None:
        """How to write what a pointer is initialised with; ``None`` for no element of an array."""
        if pointer_of(value, scope, self.workshop).is_whole:
            return None
        name, path, offset = self._pointer_path(value, scope)
        path = (*path, *_reinterpreted(value.type, variable.type))
        return PointerText(Reference("", name, path), offset)

    def _refuse_shared_member(self, expression: MemberOf) -> None:
        record = expression.base.type
        if isinstance(record, PointerType):
            record = record.target
        fields = record.fields if isinstance(record, RecordType) else ()
        if any(each.name == expression.name and each.shares_memory for each in fields):
            raise self.workshop.reject(
                "LW212",
                f"{expression.name} shares its memory with other members",
                expression.span,
                "give the member a type of its own",
            )

    def _refuse_pinned(self, expression: Use) -> None:
        if expression.variable.is_pinned:
            raise self._pinned(expression.variable.name, expression.span)

    def _pinned(self, what: str, span: Span) -> InputError:
        return self.workshop.reject(
            "LW214",
            f"{what} is volatile, atomic or thread-local: its accesses must not move",
            span,
            "keep such variables out of the region",
        )

    # --- calls -------------------------------------------------------------------------------

    def _call(self, call: CallExpr, scope: Scope) -> Expression:
        if call.function in ("__pencil_use", "__pencil_def"):
            is_use = call.function == "__pencil_use"
            for argument in call.arguments:
                place, is_all = self.whole_place(argument, scope)
                inner = scope if is_all else scope.perhaps()
                self.record(place, inner, argument.span, reads=is_use, writes=not is_use)
            return Literal("0")
        arguments = tuple(self._argument(argument, scope) for argument in call.arguments)
        self.summarise(self, call, scope)
        return Call(call.function, arguments)

    def whole_place(self, argument: Expr, scope: Scope) -> tuple[Place, bool]:
        """The memory that an argument of a PENCIL builtin stands for: an element or an array.

        False if it is only a part of that: a pointer into the middle of an array.
        """
        bare = without_casts(argument)
        if isinstance(bare.type, PointerType | ArrayType):
            pointer = pointer_of(bare, scope, self.workshop)
            return pointer.place, pointer.index is ZERO
        return place_of(bare, scope, self.workshop), True

    def _argument(self, argument: Expr, scope: Scope) -> Expression:
        match argument:
            case OpaqueExpr(type=PointerType(target=OtherType()) | OtherType()):
                return Name(self.workshop.text_of(argument.span))  # the name of a function
            case _:
                return self.evaluate(argument, scope)


def _certain_in_both(access: RawAccess, others: list[RawAccess]) -> RawAccess:
    for other in others:
        is_matched = access.writes and other.writes and (other.reads or not access.reads)
        if is_matched and _is_same_place(access, other):
            if other.certain is access.certain:
                return access
            return replace(access, certain=access.certain & other.certain)
    return replace(access, certain=never())


def _is_same_place(left: RawAccess, right: RawAccess) -> bool:
    return not left.hidden and not right.hidden and _has_same_subscripts(left, right)


def _has_same_subscripts(left: RawAccess, right: RawAccess) -> bool:
    if left.draft is not right.draft or left.draft is None:
        return False
    return left.offsets == right.offsets and all(
        each is other or _is_same_subscript(each, other)
        for each, other in zip(left.indices, right.indices, strict=True)
    )


def _is_same_subscript(left: Polynomial | None, right: Polynomial | None) -> bool:
    if left is None or right is None or left.affine is None or right.affine is None:
        return False
    return constant_of(left.affine - right.affine) == 0


def _address_text(address: PointerText) -> Expression:
    place = address.place if address.place.path else Name(address.place.name)
    return place if address.offset is None else Binary("+", place, address.offset.value)


def _reinterpreted(source: CType, target: CType) -> tuple[Reinterpret, ...]:
    """A step in a path, where a pointer comes to see elements of another type."""
    match source, target:
        case PointerType(target=before) | ArrayType(element=before), PointerType(target=after):
            is_same = _unqualified(before.name) == _unqualified(after.name)
            return () if is_same else (Reinterpret(target.name),)
        case _:
            return ()


def _unqualified(name: str) -> list[str]:
    return [word for word in name.split() if word not in ("const", "restrict")]


def _plus(offset: Offset | None, by: Offset) -> Offset:
    """Two steps of a pointer as one."""
    return by if offset is None else Offset(Binary("+", offset.widened, by.value), is_wide=True)


def _back(by: Offset) -> Offset:
    """A step back; what is not signed would wrap around."""
    return Offset(Unary("-", by.widened), is_wide=True)


def _first(offset: Offset | None) -> Index:
    return Index(offset.value if offset is not None else Literal("0"))
