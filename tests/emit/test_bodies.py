"""Each kind of expression and statement in a body, as C text."""

from __future__ import annotations

import pytest

from loopwright.emit.bodies import Spelling, Text, body_lines, expression_in_c
from loopwright.model.bodies import (
    AddressOf,
    Assign,
    Binary,
    Block,
    Body,
    Break,
    Call,
    Cast,
    Conditional,
    Continue,
    Declare,
    Evaluate,
    Expression,
    For,
    If,
    Increment,
    Index,
    InitializerList,
    IteratorValue,
    Kill,
    Literal,
    Member,
    Name,
    Reference,
    Reinterpret,
    Unary,
    While,
)

SPELLING = Spelling(
    iterator=lambda value: Text(f"{value.name} + 1", 12),
    name=lambda name: name,
    reference=lambda reference, path_from: path_from(reference.name),
    initialised=lambda target, value: f"fill({target.name}, {value})",
)
A, B, C = Name("a"), Name("b"), Name("c")
I = IteratorValue("i")  # noqa: E741 - that is its name
X = Reference("R0", "x", (Index(I),))


def binary(left: Expression, operator: str, right: Expression) -> Binary:
    return Binary(operator, left, right)


EXPRESSIONS: list[tuple[str, Expression]] = [
    ("1.5f", Literal("1.5f")),
    ("- -3", Unary("-", Literal("-3"))),
    ("a", A),
    ("(i + 1) * 2", binary(I, "*", Literal("2"))),
    ("x[i + 1]", X),
    ("q[0].at[a]", Reference("R1", "q", (Index(Literal("0")), Member("at"), Index(A)))),
    ("((unsigned int *)x)[a]", Reference("R1", "x", (Reinterpret("unsigned int *"), Index(A)))),
    ("&x[i + 1]", AddressOf(X)),
    ("- -a", Unary("-", Unary("-", A))),
    ("!(a && b)", Unary("!", binary(A, "&&", B))),
    ("x[i + 1]++", Increment("++", X, True)),
    ("--x[i + 1]", Increment("--", X, False)),
    ("a - (b - c)", binary(A, "-", binary(B, "-", C))),
    ("a - b - c", binary(binary(A, "-", B), "-", C)),
    ("a * (b / c)", binary(A, "*", binary(B, "/", C))),
    ("a || (b && c)", binary(A, "||", binary(B, "&&", C))),
    ("a & (b == c)", binary(A, "&", binary(B, "==", C))),
    ("(a + b) << c", binary(binary(A, "+", B), "<<", C)),
    ("(a < b) == c", binary(binary(A, "<", B), "==", C)),
    ("(!a) == b", binary(Unary("!", A), "==", B)),
    ("a, b", binary(A, ",", B)),
    ("x[i + 1] += a = b", Assign("+=", X, Assign("=", A, B))),
    ("(a, b) ? c : (a = b)", Conditional(binary(A, ",", B), C, Assign("=", A, B))),
    ("a ? b : c ? a : b", Conditional(A, B, Conditional(C, A, B))),
    ("(a ? b : c) ? a : b", Conditional(Conditional(A, B, C), A, B)),
    ("(double)(a + b)", Cast("double", binary(A, "+", B))),
    ("(int)-a", Cast("int", Unary("-", A))),
    ("f(a, (b, c), a = b)", Call("f", (A, binary(B, ",", C), Assign("=", A, B)))),
    ("{a, {b}}", InitializerList((A, InitializerList((B,))))),
    ("fill(x, {a})", Assign("=", Reference("R2", "x"), InitializerList((A,)))),
    ("-2147483647 - 1", Literal("-2147483648")),
]


@pytest.mark.parametrize(("text", "expression"), EXPRESSIONS, ids=[text for text, _ in EXPRESSIONS])
def test_an_expression(text: str, expression: Expression) -> None:
    assert expression_in_c(expression, SPELLING).text == text


SET = Evaluate(Assign("=", X, A))
BODIES: list[tuple[str, Body]] = [
    ("x[i + 1] = a;", SET),
    ("", Evaluate(Literal("0"))),
    ("", Kill()),
    ("double t = a;", Declare("double", "t", (), A)),
    ("double *t[3];", Declare("double *", "t", (Literal("3"),))),
    ("int j;\nint k;", Block((Declare("int", "j"), Declare("int", "k")))),
    ("{\n  double t;\n  x[i + 1] = a;\n}", Block((Declare("double", "t"), SET))),
    ("if (a)\n  x[i + 1] = a;", If(A, SET)),
    ("if ((a = b)) {\n}", If(Assign("=", A, B), Block(()))),
    (
        "if (a) {\n  x[i + 1] = a;\n} else if (b) {\n  break;\n} else {\n  continue;\n}",
        If(A, SET, If(B, Break(), Block((Continue(),)))),
    ),
    ("if (a) {\n  if (b)\n    x[i + 1] = a;\n}", If(A, If(B, SET))),
    (
        "for (int j = 0; j < a; j++)\n  x[i + 1] = a;",
        For(
            Declare("int", "j", (), Literal("0")),
            binary(Name("j"), "<", A),
            Increment("++", Name("j"), True),
            SET,
        ),
    ),
    ("for (a = b;;)\n  break;", For(Evaluate(Assign("=", A, B)), None, None, Break())),
    (
        "{\n  int j;\n  int k;\n  for (; a;)\n    break;\n}",
        For(Block((Declare("int", "j"), Declare("int", "k"))), A, None, Break()),
    ),
    ("while (a) {\n  b;\n  c;\n}", While(A, Block((Evaluate(B), Evaluate(C))))),
    ("do {\n  continue;\n} while (0);", While(Literal("0"), Continue(), is_tested_last=True)),
]


@pytest.mark.parametrize(("text", "body"), BODIES, ids=[text for text, _ in BODIES])
def test_a_statement(text: str, body: Body) -> None:
    assert "\n".join(body_lines(body, SPELLING)) == text
