"""Programs with other text in their region, and the verdict on them.

A comment behind each statement of the new text is the hint: ``// S1(c0, c1 + 1)`` for a copy of an
original statement, ``// move`` for a move.
"""

from __future__ import annotations

import ast
import re

from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question, read_source
from loopwright.model.expressions import Constant, Expr, Identifier, Operation, Operator
from loopwright.model.proofs import Hint, Instance, Rewriting, Unknown, Verdict, rewriting
from loopwright.verify.failure import NotProved
from loopwright.verify.programs import claims_about
from loopwright.verify.read_back import read_back

REGION = re.compile(rb"(?<=#pragma scop\n).*?(?=\n[ \t]*#pragma endscop)", re.DOTALL)
HINT = re.compile(r"//\s*(move|\w+\(.*\))\s*$", re.MULTILINE)
OPERATORS = {
    ast.Add: Operator.ADD,
    ast.Sub: Operator.SUBTRACT,
    ast.Mult: Operator.MULTIPLY,
    ast.FloorDiv: Operator.FLOOR_DIVISION,
    ast.Mod: Operator.NON_NEGATIVE_REMAINDER,
}


def rewritten(program: str, *texts: str) -> Rewriting:
    """The program with these texts in its regions."""
    before = program.encode()
    places = [match.span() for match in REGION.finditer(before)]
    assert len(places) == len(texts)
    replacements = [(*place, text.encode()) for place, text in zip(places, texts, strict=True)]
    return rewriting("program.c", before, replacements)


def between_pragmas(name: str, before: bytes, after: bytes) -> Rewriting:
    """A file before and after, where only what is between the pragmas is new."""
    places = [match.span() for match in REGION.finditer(before)]
    texts = [match.group() for match in REGION.finditer(after)]
    pairs = zip(places, texts, strict=True)
    found = rewriting(name, before, [(*place, text) for place, text in pairs])
    assert found.after == after
    return found


def hint_in(text: str) -> Hint:
    """The hint that the comments of a text give."""
    return tuple(
        None if found == "move" else _instance(ast.parse(found, mode="eval").body)
        for found in HINT.findall(text)
    )


def _instance(call: ast.expr) -> Instance:
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Name)
    return Instance(call.func.id, tuple(map(_expression, call.args)))


def _expression(node: ast.expr) -> Expr:
    match node:
        case ast.Constant(value=int(value)):
            return Constant(value)
        case ast.Name(id=name):
            return Identifier(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return Operation(Operator.NEGATE, (_expression(operand),))
        case ast.BinOp(left=left, op=op, right=right):
            return Operation(OPERATORS[type(op)], (_expression(left), _expression(right)))
        case _:
            raise AssertionError(ast.dump(node))


def verdict(
    program: str,
    text: str,
    hint: Hint | None = None,
    *,
    question: Question | None = None,
    options: ReadOptions | None = None,
    reassociates: bool = False,
) -> Verdict:
    """Is the program with this text in its only region the same?"""
    question, options = question or Question(), options or ReadOptions()
    changed = rewritten(program, text)
    read_source("program.c", changed.before, options, question)
    hint = hint_in(text) if hint is None else hint
    return verdict_on(changed, hint, question=question, options=options, reassociates=reassociates)


def verdict_on(
    changed: Rewriting,
    hint: Hint | None,
    *,
    question: Question | None = None,
    options: ReadOptions | None = None,
    reassociates: bool = False,
) -> Verdict:
    """Is a program with other text in its only stretch the same?"""
    question, options = question or Question(), options or ReadOptions()
    try:
        (claim,) = claims_about(
            changed.name, changed, [0], [hint], options, question, reassociates=reassociates
        )
    except NotProved as failure:
        return Unknown(failure.reason, failure.witness, failure.span)
    return read_back(claim)
