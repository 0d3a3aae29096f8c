"""Pragmas: marks of the schedule tree that say something about the loops directly inside."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import assert_never

from loopwright.basics.records import record
from loopwright.emit.placement import Move, Placed
from loopwright.model.expressions import Expr
from loopwright.model.loop_ast import Block, For, If, Mark, Node, User, walk
from loopwright.model.pragma_marks import INSIDE, PREFIX


@record
class Reduced:
    """What a loop computes in parts: in a variable of the program, or in local variables.

    These are the ones that stand for the references of a statement by their tags.
    """

    operator: str
    variable: str
    statement: str
    tags: frozenset[str]

    def names_in(self, loop: For) -> list[str] | None:
        """The variables; nothing if some reference is not to a variable from outside the loop."""
        if self.variable:
            return [self.variable]
        inside = [each.annotation for each in walk(loop.body) if isinstance(each, User)]
        own = {each.scalar for each in inside if isinstance(each, Move) and each.kind != "store"}
        found: dict[str, None] = {}
        for placed in inside:
            if isinstance(placed, Placed) and placed.statement == self.statement:
                scalars = dict(placed.scalars)
                if not self.tags <= set(scalars):
                    return None
                found.update(dict.fromkeys(scalars[tag] for tag in sorted(self.tags)))
        return list(found) if not own & set(found) else None


@record
class Pragma:
    """The annotation of a loop that a pragma stands in front of.

    ``extents`` are those of the loops inside; a parallel loop with few iterations in all runs in
    one thread.
    """

    text: str
    extents: tuple[Expr, ...] = ()
    reduced: tuple[Reduced, ...] = ()


_WORDS = frozenset("dynamic for if max min omp parallel private reduction schedule simd".split())


def words_of_pragmas(lines: Iterable[str]) -> frozenset[str]:
    """The words that mean something to OpenMP in the pragmas among these lines.

    >>> sorted(words_of_pragmas(["#pragma omp simd", "for (;;)", "  private(x);"]))
    ['omp', 'simd']
    """
    pragmas = (each for each in lines if each.lstrip().startswith("#pragma "))
    return _WORDS.intersection(re.findall(r"\w+", " ".join(pragmas)))


def _complete(pragma: Pragma, loop: For) -> Pragma | None:
    """The pragma with the names of what the loop reduces; none if there are no such names."""
    clauses: list[str] = []
    for each in pragma.reduced:
        names = each.names_in(loop)
        if names is None:
            return None
        clauses.append(f" reduction({each.operator}:{', '.join(names)})")
    return Pragma(pragma.text + "".join(clauses), pragma.extents)


def with_pragmas(node: Node, known: Mapping[str, Pragma], pragma: Pragma | None = None) -> Node:
    """The loops with their pragmas, instead of the marks that asked for them.

    ``known`` has the pragmas that say more than their mark.

    A mark is about the outermost loops inside it, down to the mark :data:`INSIDE`.  A loop that
    runs only once takes no pragma, and it may be left out altogether; the loops inside it do not
    take its place.

    >>> from loopwright.model.expressions import Constant
    >>> empty = Block(())
    >>> loop = For("i", Constant(0), Constant(1), 1, empty)
    >>> with_pragmas(Mark("omp simd", Block((empty, loop))), {}).children[1].annotation
    Pragma(text='omp simd', extents=(), reduced=())
    """
    match node:
        case Mark(name, body) if name == INSIDE:
            return with_pragmas(body, known)
        case Mark(name, body) if name.startswith(PREFIX):
            return with_pragmas(body, known, known.get(name, Pragma(name)))
        case Mark(body=body):
            return replace(node, body=with_pragmas(body, known, pragma))
        case Block(children=inside):
            inner = tuple(with_pragmas(each, known, pragma) for each in inside)
            return replace(node, children=inner)
        case If(then=then, otherwise=otherwise):
            rest = with_pragmas(otherwise, known, pragma) if otherwise is not None else None
            return replace(node, then=with_pragmas(then, known, pragma), otherwise=rest)
        case For(body=body, is_degenerate=is_degenerate):
            wanted = None if is_degenerate or pragma is None else _complete(pragma, node)
            annotation = wanted if wanted is not None else node.annotation
            return replace(node, body=with_pragmas(body, known), annotation=annotation)
        case User():
            return node
        case _:
            assert_never(node)
