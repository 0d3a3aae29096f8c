"""Loops that run as they are written, inside a statement that is kept whole, and why."""

from __future__ import annotations

from collections.abc import Iterator

from loopwright.basics.records import record
from loopwright.model.bodies import (
    Assign,
    Block,
    Body,
    Break,
    Continue,
    Declare,
    Evaluate,
    For,
    If,
    Literal,
    Name,
    Reference,
    While,
)
from loopwright.model.scop import Scop, Statement

LEAVING = "break or continue may end what it stands in"
ODD = "its iterations are not affine"
REASONS = {
    "LW305": "the value of its iterator is used outside of it",
    "LW402": "its iterations are too complicated to compute",
}
"""What a note of the front end says about the loop where it stands."""


@record(eq=False)
class KeptLoop:
    """A loop of a statement that is kept whole; loops inside it share its fate.

    ``iterator`` is empty where there is none.  ``is_all`` tells that the statement is this loop.
    """

    statement: Statement
    iterator: str
    is_all: bool
    reason: str

    @property
    def place(self) -> str:
        """``line 7``, or the lines of the statement that it is in."""
        span = self.statement.span
        if self.is_all or span.line == span.end_line:
            return f"line {span.line}"
        return f"in lines {span.line}-{span.end_line}"


def kept_loops(scop: Scop) -> tuple[KeptLoop, ...]:
    r"""The outermost loops inside the statements of a region that run at all.

    >>> from loopwright import read_c
    >>> program = '''void f(int n, double *x) {
    ... #pragma scop
    ...   while (*x > n)
    ...     *x /= 2;
    ... #pragma endscop
    ... }'''
    >>> [(each.place, each.reason) for each in kept_loops(read_c(program)[0])]
    [('line 3', 'it is a while loop')]
    """
    return tuple(
        loop
        for each in scop.statements
        if not each.domain.intersect_params(scop.context).is_empty()
        for loop in _kept_in(each, scop)
    )


def _kept_in(statement: Statement, scop: Scop) -> Iterator[KeptLoop]:
    body = _without_iterators(statement.body)
    around = _reason_around(body)
    for loop in _outermost(body):
        is_all = loop is body
        reason = around or _noted(statement, scop) or _reason(loop)
        yield KeptLoop(statement, _iterator(loop), is_all, reason)


def _without_iterators(body: Body) -> Body:
    """The body without the declarations of iterators that the front end puts in front of it."""
    match body:
        case Block(statements=(Declare(value=None), *_, last)):
            return last
        case _:
            return body


def _reason_around(body: Body) -> str:
    """Why all of the body runs as one, if it is not one loop."""
    match body:
        case If():
            return "a condition around it is not affine"
        case While(condition=Literal(text="0"), body=inner, is_tested_last=True):
            return LEAVING if _leaves(inner) else "it stands in a do loop"
        case Block():
            return LEAVING if _leaves(body) else "a pointer beside it is set by data"
        case _:
            return ""


def _outermost(body: Body) -> Iterator[For | While]:
    """The loops that are in no other one; what runs once is none."""
    match body:
        case While(condition=Literal(text="0"), body=inner, is_tested_last=True):
            yield from _outermost(inner)
        case For() | While():
            yield body
        case If(then=then, otherwise=otherwise):
            yield from _outermost(then)
            yield from _outermost(otherwise) if otherwise is not None else ()
        case Block(statements=statements):
            for each in statements:
                yield from _outermost(each)
        case _:
            pass


def _reason(loop: For | While) -> str:
    if isinstance(loop, While):
        return f"it is a {'do' if loop.is_tested_last else 'while'} loop"
    return "it may be left by break" if _leaves(loop.body, breaks_only=True) else ODD


def _noted(statement: Statement, scop: Scop) -> str:
    """What the front end has said about the loop that a statement is."""
    start = statement.span.start
    codes = [each.code for each in scop.notes if each.span.start == start]
    return next((REASONS[each] for each in codes if each in REASONS), "")


def _leaves(body: Body, *, breaks_only: bool = False) -> bool:
    """May it leave the loop around it, or end the iteration?"""
    match body:
        case Break():
            return True
        case Continue():
            return not breaks_only
        case Block(statements=statements):
            return any(_leaves(each, breaks_only=breaks_only) for each in statements)
        case If(then=then, otherwise=otherwise):
            branches = [then] if otherwise is None else [then, otherwise]
            return any(_leaves(each, breaks_only=breaks_only) for each in branches)
        case _:
            return False


def _iterator(loop: For | While) -> str:
    """The variable that the header of a loop starts."""
    match loop:
        case For(start=Declare(name=name)):
            return name
        case For(start=Evaluate(expression=Assign(target=Name(name=name) | Reference(name=name)))):
            return name
        case _:
            return ""
