"""Scalar replacement: what an innermost loop keeps re-reading or re-writing, in local variables.

C compilers would do so themselves if they knew that arrays do not overlap.  An element that is the
same in all iterations of the loop is loaded in front of it and stored behind it; one that several
statements of an iteration use is loaded at the beginning of the iteration and stored at its end.
Nothing is loaded that the loop itself would not touch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import islpy as isl

from loopwright.basics.records import record
from loopwright.codegen.build import Build
from loopwright.codegen.conditions import condition
from loopwright.emit.locals import ScalarNames
from loopwright.emit.placement import Move, MoveKind, Placed
from loopwright.model.expressions import Constant, Expr, Identifier, Operation, Operator
from loopwright.model.loop_ast import Block, For, If, Mark, Node, User
from loopwright.model.pragma_marks import INSIDE
from loopwright.model.proofs import MOVE
from loopwright.model.scop import Access, Scop
from loopwright.polyhedra.simplification import simplified_in

_ARITHMETIC = re.compile(
    r"(const )?((un)?signed )?(char|short|int|long|long long|float|double|long double|_Bool)"
    r"( int)?( const)?"
)
MOST_SCALARS = 64
"""More would only be spilled to memory again."""


def keeping_in_scalars(scop: Scop, names: ScalarNames) -> Callable[[For, Build], Node]:
    """The callback that puts elements into variables in each innermost loop."""
    inexact = frozenset(
        access.array
        for statement in scop.statements
        for access in statement.accesses
        if not access.kills and not access.is_certain(statement.domain)
    )

    def after_loop(loop: For, build: Build) -> Node:
        users = _straight_line(loop.body)
        if loop.is_degenerate or users is None:
            return loop
        return _Loop(scop, names, loop, users, build, inexact).with_scalars()

    return after_loop


def _straight_line(body: Node) -> list[User] | None:
    """The original statements of a body without loops and conditions."""
    if isinstance(body, Mark) and body.name == INSIDE:
        body = body.body
    nodes = body.children if isinstance(body, Block) else (body,)
    users = [
        each for each in nodes if isinstance(each, User) and isinstance(each.annotation, Placed)
    ]
    return users if len(users) == len(nodes) else None


@record(eq=False)
class _Use:
    """One reference of one statement of the body."""

    at: int
    access: Access
    touched: isl.Map


@record(eq=False)
class _Element:
    """An element of an array, by its subscripts, with all its uses in the order of the body.

    With a ``buffer``, the subscripts are those of the buffer that has a copy of it.
    """

    array: str
    buffer: str
    subscripts: tuple[Expr, ...]
    uses: tuple[_Use, ...]

    @property
    def is_written(self) -> bool:
        """Does the body write it?"""
        return any(each.access.writes for each in self.uses)

    @property
    def is_shared(self) -> bool:
        """Do several statements use it?"""
        return len({each.at for each in self.uses}) > 1

    @property
    def is_read_first(self) -> bool:
        """Does the body need its value from before?"""
        return self.uses[0].access.reads

    @property
    def touched(self) -> isl.Map:
        """``[iterators] -> A[…]``."""
        return self.uses[0].touched


@record(eq=False)
class _Loop:
    scop: Scop
    names: ScalarNames
    loop: For
    users: Sequence[User]
    build: Build
    inexact: frozenset[str]
    """Arrays of which it is not known everywhere what is touched."""

    def with_scalars(self) -> Node:
        """The loop with its scalars, or as it was."""
        elements = list(self._elements())
        outside = [each for each in elements if self._stays(each, elements)]
        runs = self._runs(outside[0]) if outside else None
        if runs is None:
            outside = []
        inside = [
            each
            for each in elements
            if each not in outside
            if each.is_shared and each.is_read_first and self._is_alone(each, elements)
        ]
        names = self._named([*outside, *inside][:MOST_SCALARS])
        outside, inside = ([one for one in each if one in names] for each in (outside, inside))
        if not names:
            return self.loop
        body = self._body(inside, names)
        # What the loop writes first is loaded, too: a compiler may not see that the loop runs at
        # all, and warn about a variable without a value.
        moves = [*_loads(outside, names), replace(self.loop, body=body), *_stores(outside, names)]
        if runs is None or len(moves) == 1:
            return moves[0]
        whole = Block(tuple(moves), is_scope=True)
        return whole if runs == Constant(1) else If(runs, whole)

    def _elements(self) -> Iterator[_Element]:
        """The elements that may be kept elsewhere: of plain types, always touched, by one text."""
        found: dict[tuple[str, str, tuple[Expr, ...]], list[_Use]] = {}
        unclear = set(self.inexact)
        for at, user in enumerate(self.users):
            placed = user.annotation
            assert isinstance(placed, Placed)
            subscripts, touched = dict(placed.subscripts), dict(placed.touched)
            buffers = dict(placed.buffers)
            for each in self.scop.statement(placed.statement).accesses:
                if each.tag in subscripts and each.is_exact and not each.kills:
                    key = each.array, buffers.get(each.tag, ""), subscripts[each.tag]
                    found.setdefault(key, []).append(_Use(at, each, touched[each.tag]))
                else:
                    unclear.add(each.array)
        for (array, buffer, subscripts), uses in found.items():
            is_plain = _ARITHMETIC.fullmatch(self.scop.array(array).element_type) is not None
            is_memory = bool(buffer) or self.scop.array(array).rank > 0
            if array not in unclear and is_plain and is_memory:
                yield _Element(array, buffer, subscripts, tuple(uses))

    def _stays(self, element: _Element, elements: Sequence[_Element]) -> bool:
        """Is it the same element in all iterations, and no other text means it in any of them?"""
        if any(_mentions(each, self.loop.iterator) for each in element.subscripts):
            return False
        if element.buffer and not element.is_read_first:
            return False  # there may be nothing in it to be loaded
        return self._is_alone(element, elements, in_all_iterations=True)

    def _is_alone(
        self, element: _Element, elements: Sequence[_Element], *, in_all_iterations: bool = False
    ) -> bool:
        """Does nothing else that is written, or read where this one is written, mean it?"""
        others = [
            each
            for each in elements
            if each is not element and each.array == element.array
            if each.is_written or element.is_written
        ]
        own = _over_iterations(element.touched) if in_all_iterations else element.touched
        for each in others:
            other = _over_iterations(each.touched) if in_all_iterations else each.touched
            if not own.is_disjoint(other):
                return False
        return True

    def _runs(self, element: _Element) -> Expr | None:
        """The condition under which there is an iteration, and it touches the element.

        Nothing if that is not a simple condition.
        """
        here = element.touched.domain()
        last = here.dim(isl.dim_type.set) - 1
        reached = here.project_out(isl.dim_type.set, last, 1)
        if self.build.known.is_subset(reached):
            return Constant(1)
        simpler = simplified_in(reached, self.build.known)
        return condition(simpler, self.build) if simpler.n_basic_set() == 1 else None

    def _named(self, elements: Sequence[_Element]) -> Mapping[_Element, str]:
        numbers: dict[str, int] = {}
        named: dict[_Element, str] = {}
        for each in elements:
            variable = self.scop.array(each.array).variable
            number = numbers.get(variable, 0)
            numbers[variable] = number + 1
            named[each] = self.names.name(variable, number)
        return named

    def _body(self, inside: Sequence[_Element], names: Mapping[_Element, str]) -> Node:
        scalars: dict[int, list[tuple[str, str]]] = {}
        for element, name in names.items():
            for use in element.uses:
                scalars.setdefault(use.at, []).append((use.access.tag, name))
        users = [
            replace(user, annotation=_with_scalars(user, scalars.get(at, [])))
            for at, user in enumerate(self.users)
        ]
        nodes = [*_loads(inside, names), *users, *_stores(inside, names)]
        return Block(tuple(nodes)) if len(nodes) > 1 else nodes[0]


def _with_scalars(user: User, scalars: Iterable[tuple[str, str]]) -> Placed:
    placed = user.annotation
    assert isinstance(placed, Placed)
    return replace(placed, scalars=tuple(scalars))


def _over_iterations(touched: isl.Map) -> isl.Map:
    """``[outer iterators] -> A[…]`` for all iterations of the innermost loop."""
    last = touched.dim(isl.dim_type.in_) - 1
    return touched.project_out(isl.dim_type.in_, last, 1)


def _mentions(expression: Expr, name: str) -> bool:
    match expression:
        case Identifier(other):
            return other == name
        case Operation(_, operands):
            return any(_mentions(each, name) for each in operands)
        case _:
            return False


def _loads(elements: Iterable[_Element], names: Mapping[_Element, str]) -> list[User]:
    return [
        _move(each, names[each], "load" if each.is_written else "constant") for each in elements
    ]


def _stores(elements: Iterable[_Element], names: Mapping[_Element, str]) -> list[User]:
    return [_move(each, names[each], "store") for each in elements if each.is_written]


def _move(element: _Element, name: str, kind: MoveKind) -> User:
    call = Operation(Operator.CALL, (Identifier(MOVE), Identifier(name)))
    return User(call, Move(name, element.array, element.subscripts, kind, element.buffer))
