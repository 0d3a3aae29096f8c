"""What an expression computes, in Python and in compiled C; a broken promise is an error."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from loopwright.model.expressions import (
    Constant,
    Expr,
    Identifier,
    Operation,
    Operator,
    expression_text,
)


def evaluate(expr: Expr, values: dict[str, int]) -> int:
    """The value; an operator whose promise is broken is an error."""
    match expr:
        case Constant(value):
            return value
        case Identifier(name):
            return values[name]
        case Operation(operator, operands):
            return _APPLY[operator](operands, values)


def _all(operands, values):
    return [evaluate(operand, values) for operand in operands]


def _sum(operands, values):
    assert len(operands) >= 2
    return sum(_all(operands, values))


def _difference(operands, values):
    left, right = _all(operands, values)
    return left - right


def _product(operands, values):
    left, right = _all(operands, values)
    return left * right


def _floor(operands, values):
    left, right = _all(operands, values)
    assert right > 0
    return left // right


def _exact(operands, values):
    left, right = _all(operands, values)
    assert right > 0
    assert left % right == 0, f"{left} is not a multiple of {right}"
    return left // right


def _non_negative(apply):
    def checked(operands, values):
        left, right = _all(operands, values)
        assert right > 0
        assert left >= 0, f"{left} is negative"
        return apply(left, right)

    return checked


def _zero_remainder(operands, values):
    left, right = _all(operands, values)
    return left % right


def _compare(test):
    def compared(operands, values):
        left, right = _all(operands, values)
        return int(test(left, right))

    return compared


def _conditional(operands, values):
    test, yes, no = operands
    return evaluate(yes if evaluate(test, values) else no, values)


def _and(operands, values):
    # What is right of something false may break its promise: its value does not matter.
    return int(all(evaluate(operand, values) for operand in operands))


def _or(operands, values):
    return int(any(evaluate(operand, values) for operand in operands))


_APPLY = {
    Operator.ADD: _sum,
    Operator.SUBTRACT: _difference,
    Operator.MULTIPLY: _product,
    Operator.NEGATE: lambda operands, values: -evaluate(operands[0], values),
    Operator.MINIMUM: lambda operands, values: min(_all(operands, values)),
    Operator.MAXIMUM: lambda operands, values: max(_all(operands, values)),
    Operator.FLOOR_DIVISION: _floor,
    Operator.EXACT_DIVISION: _exact,
    Operator.NON_NEGATIVE_DIVISION: _non_negative(lambda a, b: a // b),
    Operator.NON_NEGATIVE_REMAINDER: _non_negative(lambda a, b: a % b),
    Operator.ZERO_REMAINDER: _zero_remainder,
    Operator.LAZY_AND: _and,
    Operator.EAGER_AND: _and,
    Operator.LAZY_OR: _or,
    Operator.EAGER_OR: _or,
    Operator.LAZY_CONDITIONAL: _conditional,
    Operator.EAGER_CONDITIONAL: _conditional,
    Operator.EQUAL: _compare(lambda a, b: a == b),
    Operator.LESS: _compare(lambda a, b: a < b),
    Operator.LESS_OR_EQUAL: _compare(lambda a, b: a <= b),
    Operator.GREATER: _compare(lambda a, b: a > b),
    Operator.GREATER_OR_EQUAL: _compare(lambda a, b: a >= b),
}


@dataclass(frozen=True)
class Case:
    """An expression with its values at points."""

    expr: Expr
    expected: tuple[tuple[dict[str, int], int], ...]


def checked(expr: Expr, expected: list[tuple[dict[str, int], int]], what: str) -> Case:
    for values, value in expected:
        got = evaluate(expr, values)
        assert got == value, f"{what}\n{expression_text(expr)}\nat {values}: {got}, not {value}"
    return Case(expr, tuple(expected))


def compile_and_compare(cases: list[Case], folder: Path) -> None:
    """All cases in one C program, which stops at undefined behaviour."""
    functions_text: list[str] = []
    calls: list[str] = []
    for at, case in enumerate(cases):
        if not case.expected:
            continue
        names = list(case.expected[0][0])
        arguments = ", ".join(f"long {name}" for name in names)
        functions_text.append(f"long f{at}({arguments}) {{ return {expression_text(case.expr)}; }}")
        for values, value in case.expected:
            given_values = ", ".join(str(values[name]) for name in names)
            calls.append(f'  if (f{at}({given_values}) != {value}L) {{ printf("{at}\\n"); }}')
    source = folder / "expressions.c"
    source.write_text(
        "#include <stdio.h>\n"
        "#define min(x, y) ((x) < (y) ? (x) : (y))\n"
        "#define max(x, y) ((x) > (y) ? (x) : (y))\n"
        "#define floord(n, d) ((n) < 0 ? -((-(n) + (d) - 1) / (d)) : (n) / (d))\n"
        + "\n".join(functions_text)
        + "\nint main(void) {\n"
        + "\n".join(calls)
        + "\n  return 0;\n}\n"
    )
    program = folder / "expressions"
    warnings = [
        "-Wall",
        "-Werror",
        "-Wno-unused",
        "-Wno-bool-operation",
        "-Wno-int-in-bool-context",
    ]
    command = ["gcc", "-O0", "-fsanitize=undefined", "-fno-sanitize-recover", *warnings]
    compiled = subprocess.run(
        [*command, "-o", str(program), str(source)], capture_output=True, text=True, check=False
    )
    assert compiled.returncode == 0, compiled.stderr[:3000]
    ran = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    wrong = sorted({int(line) for line in ran.stdout.split()})
    texts = [expression_text(cases[at].expr) for at in wrong[:5]]
    assert ran.returncode == 0, ran.stderr[:2000]
    assert not wrong, f"C computes something else: {texts}"
