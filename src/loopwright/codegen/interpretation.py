"""Generated loops, run for given parameters: which statement instances they visit, in which order.

The loops become Python functions, because a closure per node would be several times slower.  The
interpreter is strict where C is not: an operator that relies on something (AST generation §4.3)
fails when that does not hold, instead of giving the number that C would give.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import assert_never

from loopwright.basics.records import record
from loopwright.model.expressions import (
    Constant,
    Expr,
    Identifier,
    Operation,
    Operator,
    expression_text,
    names_in,
)
from loopwright.model.loop_ast import Block, For, If, LoopAst, Mark, Node, User

Visit = tuple[str, tuple[int, ...]]
"""An instance of a statement."""

MOST_ITERATIONS = 10_000_000
"""So many iterations, of all loops together, are taken for an infinite loop."""


@record
class ExecutedQuality:
    """What a run of the loops spent on control, as often as it was executed.

    The test of a loop against a bound that does not change in the loop is in ``iterations``, and
    the operations in such a bound count once for each time that the loop is entered: compilers
    hoist them.  All other conditions count whenever they are evaluated.
    """

    visits: int = 0
    """Statement instances."""
    iterations: int = 0
    """Iterations of all loops, degenerate ones excepted."""
    loops: int = 0
    """Loops that were entered, degenerate ones excepted, whether they had an iteration or not."""
    branches: int = 0
    """``if`` nodes."""
    comparisons: int = 0
    """Comparisons, except those of a loop against an unchanging bound."""
    extrema: int = 0
    """Minima and maxima, of two values each."""
    divisions: int = 0
    """Divisions and remainders."""

    @property
    def control(self) -> int:
        """What is executed only to decide what runs, the tests of plain loops excepted."""
        return self.branches + self.comparisons + self.extrema

    def __add__(self, other: ExecutedQuality) -> ExecutedQuality:
        return ExecutedQuality(
            *(getattr(self, each.name) + getattr(other, each.name) for each in fields(self))
        )

    def times(self, count: int) -> ExecutedQuality:
        """The same again and again."""
        return ExecutedQuality(*(getattr(self, each.name) * count for each in fields(self)))


def visits(
    ast: LoopAst, parameters: Mapping[str, int], *, most: int = MOST_ITERATIONS
) -> list[Visit]:
    """The statement instances that the loops visit, in the order of execution.

    It is an assertion that ends the run if a division or remainder is not what its operator
    promises, if a degenerate loop does not run exactly once, if a name is unknown, or if there are
    more than ``most`` iterations.

    >>> c0, n = Identifier("c0"), Identifier("n")
    >>> call = Operation(Operator.CALL, (Identifier("S"), c0))
    >>> condition = Operation(Operator.LESS, (c0, n))
    >>> visits(LoopAst(For("c0", Constant(0), condition, 2, User(call))), {"n": 3})
    [('S', (0,)), ('S', (2,))]
    """
    return _run(ast, parameters, most, is_counting=False)[0]


def executed_quality(
    ast: LoopAst, parameters: Mapping[str, int], *, most: int = MOST_ITERATIONS
) -> ExecutedQuality:
    """What the loops spend on control when they run with these parameters.

    >>> c0, n = Identifier("c0"), Identifier("n")
    >>> call = Operation(Operator.CALL, (Identifier("S"), c0))
    >>> bound = Operation(Operator.MINIMUM, (n, Constant(7)))
    >>> condition = Operation(Operator.LESS, (c0, bound))
    >>> guarded = If(Operation(Operator.GREATER, (c0, Constant(1))), User(call))
    >>> ast = LoopAst(For("c0", Constant(0), condition, 1, guarded))
    >>> quality = executed_quality(ast, {"n": 4})
    >>> quality.iterations, quality.branches, quality.extrema, quality.visits
    (4, 4, 1, 2)
    """
    return _run(ast, parameters, most, is_counting=True)[1]


def _run(
    ast: LoopAst, parameters: Mapping[str, int], most: int, *, is_counting: bool
) -> tuple[list[Visit], ExecutedQuality]:
    translation = _Translation(is_counting)
    scope = {name: f"p{position}" for position, name in enumerate(parameters)}
    translation.function("run", ast.root, scope, ())
    visited: list[Visit] = []
    counts = [0] * len(translation.places)

    def tick(place: int) -> None:
        counts[place] += 1

    budget = iter(range(most))
    names: dict[str, object] = {
        **{scope[name]: value for name, value in parameters.items()},
        **_STRICT_FUNCTIONS,
        "visit": visited.append,
        "counts": counts,
        "tick": tick,
        "spend": budget.__next__,
    }
    exec(compile("\n".join(translation.lines), "<loops>", "exec"), names)
    run = names["run"]
    assert callable(run)
    try:
        run()
    except StopIteration:
        raise AssertionError(f"more than {most} iterations, with {dict(parameters)}") from None
    executed = ExecutedQuality()
    for count, place in zip(counts, translation.places, strict=True):
        executed += place.cost.times(count)
    return visited, executed


# --- what the operators promise -----------------------------------------------------------------


def _exact_division(dividend: int, divisor: int) -> int:
    assert dividend % divisor == 0, f"{dividend} / {divisor} is not exact"
    return dividend // divisor


def _non_negative_division(dividend: int, divisor: int) -> int:
    assert dividend >= 0, f"{dividend} / {divisor} has a negative dividend"
    return dividend // divisor


def _non_negative_remainder(dividend: int, divisor: int) -> int:
    assert dividend >= 0, f"{dividend} % {divisor} has a negative dividend"
    return dividend % divisor


def _zero_remainder(dividend: int, divisor: int) -> int:
    """As in C, so that whoever uses more of it than whether it is 0 will notice."""
    return dividend % divisor if dividend >= 0 else -(-dividend % divisor)


def _check_once(holds_first: bool, holds_again: bool, facts: str) -> None:
    assert holds_first, f"a degenerate loop that does not run: {facts}"
    assert not holds_again, f"a degenerate loop that runs more than once: {facts}"


_STRICT_FUNCTIONS: dict[str, Callable[..., int | None]] = {
    "exact_division": _exact_division,
    "non_negative_division": _non_negative_division,
    "non_negative_remainder": _non_negative_remainder,
    "zero_remainder": _zero_remainder,
    "check_once": _check_once,
}


# --- translation --------------------------------------------------------------------------------

_DEEPEST = 10
"""Python nests at most 20 loops in a function; what is deeper becomes a function of its own."""

_INFIX = {
    Operator.ADD: "+",
    Operator.SUBTRACT: "-",
    Operator.MULTIPLY: "*",
    Operator.EQUAL: "==",
    Operator.LESS: "<",
    Operator.LESS_OR_EQUAL: "<=",
    Operator.GREATER: ">",
    Operator.GREATER_OR_EQUAL: ">=",
    Operator.FLOOR_DIVISION: "//",
}
_CALLED = {
    Operator.MINIMUM: "min",
    Operator.MAXIMUM: "max",
    Operator.EXACT_DIVISION: "exact_division",
    Operator.NON_NEGATIVE_DIVISION: "non_negative_division",
    Operator.NON_NEGATIVE_REMAINDER: "non_negative_remainder",
    Operator.ZERO_REMAINDER: "zero_remainder",
}
_COMPARISONS = frozenset(
    {
        Operator.EQUAL,
        Operator.LESS,
        Operator.LESS_OR_EQUAL,
        Operator.GREATER,
        Operator.GREATER_OR_EQUAL,
    }
)
_DIVISIONS = frozenset(
    {
        Operator.FLOOR_DIVISION,
        Operator.EXACT_DIVISION,
        Operator.NON_NEGATIVE_DIVISION,
        Operator.NON_NEGATIVE_REMAINDER,
        Operator.ZERO_REMAINDER,
    }
)
_EXTREMA = frozenset({Operator.MINIMUM, Operator.MAXIMUM})

_Scope = Mapping[str, str]
"""The Python names of parameters and of the iterators around a place."""


@dataclass(slots=True)
class _Place:
    """A piece of code that is executed as a whole, and what that costs."""

    number: int
    cost: ExecutedQuality = field(default_factory=ExecutedQuality)


@dataclass(slots=True)
class _Translation:
    """Loops on their way to Python: the lines of finished functions, and the places in them."""

    is_counting: bool
    lines: list[str] = field(default_factory=list[str])
    places: list[_Place] = field(default_factory=list[_Place])
    functions: int = 0

    def function(self, name: str, node: Node, scope: _Scope, arguments: tuple[str, ...]) -> None:
        """Define a function that runs the node, given the values of its iterators."""
        body = self.node(node, scope, arguments, 1)
        self.lines += [f"def {name}({', '.join(arguments)}):", *body]

    def node(self, node: Node, scope: _Scope, iterators: tuple[str, ...], depth: int) -> list[str]:
        """Lines that run a node."""
        if depth > _DEEPEST:
            self.functions += 1
            name = f"inside{self.functions}"
            self.function(name, node, scope, iterators)
            return [f"{' ' * depth}{name}({', '.join(iterators)})"]
        match node:
            case For(is_degenerate=True):
                return self._degenerate(node, scope, iterators, depth)
            case For():
                return self._for(node, scope, iterators, depth)
            case If():
                return self._if(node, scope, iterators, depth)
            case Block(children=inside):
                inner = [self.node(child, scope, iterators, depth) for child in inside]
                return [line for lines in inner for line in lines] or [f"{' ' * depth}pass"]
            case User(statement=statement):
                return self._visit(statement, scope, depth)
            case Mark(body=body):
                return self.node(body, scope, iterators, depth)
            case _:
                assert_never(node)

    def _visit(self, statement: Operation, scope: _Scope, depth: int) -> list[str]:
        assert statement.operator is Operator.CALL, f"{expression_text(statement)} is no statement"
        name = statement.operands[0]
        assert isinstance(name, Identifier), f"{expression_text(statement)} is no statement"
        place = self._place(ExecutedQuality(visits=1))
        values = [self.expression(each, scope, place) for each in statement.operands[1:]]
        instance = "".join(f"{value}, " for value in values)
        return [
            *self._count(place, depth),
            f"{' ' * depth}visit(({name.name!r}, ({instance})))",
        ]

    def _if(self, node: If, scope: _Scope, iterators: tuple[str, ...], depth: int) -> list[str]:
        place = self._place(ExecutedQuality(branches=1))
        condition = self.expression(node.condition, scope, place)
        lines = [
            *self._count(place, depth),
            f"{' ' * depth}if {condition}:",
            *self.node(node.then, scope, iterators, depth + 1),
        ]
        if node.otherwise is not None:
            lines += [f"{' ' * depth}else:"]
            lines += self.node(node.otherwise, scope, iterators, depth + 1)
        return lines

    def _degenerate(
        self, node: For, scope: _Scope, iterators: tuple[str, ...], depth: int
    ) -> list[str]:
        place = self._place(ExecutedQuality())
        start = self.expression(node.start, scope, place)
        variable, inner = _with_iterator(node, scope)
        unused = self._place(ExecutedQuality())
        condition = self.expression(node.condition, inner, unused)
        indent = " " * depth
        # A degenerate loop is printed as an assignment, so the checks cost nothing.
        return [
            *self._count(place, depth),
            f"{indent}{variable} = {start}",
            f"{indent}first = bool({condition})",
            f"{indent}{variable} += {node.step}",
            f"{indent}check_once(first, bool({condition}), {_head(node)!r})",
            f"{indent}{variable} -= {node.step}",
            *self.node(node.body, inner, (*iterators, variable), depth),
        ]

    def _for(self, node: For, scope: _Scope, iterators: tuple[str, ...], depth: int) -> list[str]:
        assert node.step != 0, f"a loop without a step: {_head(node)}"
        entry = self._place(ExecutedQuality(loops=1))
        start = self.expression(node.start, scope, entry)
        variable, inner = _with_iterator(node, scope)
        iteration = self._place(ExecutedQuality(iterations=1))
        body = [
            *self._count(iteration, depth + 1),
            f"{' ' * depth} spend()",
            *self.node(node.body, inner, (*iterators, variable), depth + 1),
        ]
        indent = " " * depth
        end = _end_of_range(node)
        if end is not None:
            stop = self.expression(end, scope, entry)
            head = f"{indent}for {variable} in range({start}, {stop}, {node.step}):"
            return [*self._count(entry, depth), head, *body]
        condition = self._later(node.condition, inner)
        return [
            *self._count(entry, depth),
            f"{indent}{variable} = {start}",
            f"{indent}while {condition}:",
            *body,
            f"{indent} {variable} += {node.step}",
        ]

    def expression(self, expression: Expr, scope: _Scope, place: _Place) -> str:
        """Python that evaluates the expression; what it costs is added to the place."""
        match expression:
            case Constant(value):
                return f"({value})"
            case Identifier(name):
                assert name in scope, f"the name {name} is unknown; known are {list(scope)}"
                return scope[name]
            case Operation(operator, operands):
                place.cost += _own_cost(operator, len(operands))
                return self._operation(operator, operands, scope, place)

    def _operation(
        self, operator: Operator, operands: tuple[Expr, ...], scope: _Scope, place: _Place
    ) -> str:
        if operator in _DIVISIONS:
            divisor = operands[1]
            is_fine = isinstance(divisor, Constant) and divisor.value > 0
            assert is_fine, f"{expression_text(Operation(operator, operands))}: divisor"
        first = self.expression(operands[0], scope, place)
        match operator:
            case Operator.CALL | Operator.ACCESS:
                text = expression_text(Operation(operator, operands))
                raise AssertionError(f"{text} has no value here")
            case Operator.NEGATE:
                return f"(-{first})"
            case Operator.LAZY_AND | Operator.EAGER_AND:
                later = [self._later(each, scope) for each in operands[1:]]
                return f"({' and '.join([first, *later])})"
            case Operator.LAZY_OR | Operator.EAGER_OR:
                later = [self._later(each, scope) for each in operands[1:]]
                return f"({' or '.join([first, *later])})"
            case Operator.LAZY_CONDITIONAL | Operator.EAGER_CONDITIONAL:
                yes, no = (self._later(each, scope) for each in operands[1:])
                return f"({yes} if {first} else {no})"
            case _:
                texts = [first, *(self.expression(each, scope, place) for each in operands[1:])]
                return _computed(operator, texts)

    def _later(self, expression: Expr, scope: _Scope) -> str:
        """An expression that may be evaluated less, or more, often than what is around it."""
        place = self._place(ExecutedQuality())
        text = self.expression(expression, scope, place)
        is_free = not self.is_counting or place.cost == ExecutedQuality()
        return text if is_free else f"(tick({place.number}) or {text})"

    def _place(self, cost: ExecutedQuality) -> _Place:
        self.places.append(_Place(len(self.places), cost))
        return self.places[-1]

    def _count(self, place: _Place, depth: int) -> list[str]:
        return [f"{' ' * depth}counts[{place.number}] += 1"] if self.is_counting else []


def _computed(operator: Operator, texts: list[str]) -> str:
    if operator in _CALLED:
        return f"{_CALLED[operator]}({', '.join(texts)})"
    assert operator not in _COMPARISONS or len(texts) == 2, f"{operator} of {texts}"
    return f"({f' {_INFIX[operator]} '.join(texts)})"


def _own_cost(operator: Operator, operands: int) -> ExecutedQuality:
    if operator in _EXTREMA:
        return ExecutedQuality(extrema=operands - 1)
    return ExecutedQuality(
        comparisons=int(operator in _COMPARISONS), divisions=int(operator in _DIVISIONS)
    )


def _with_iterator(node: For, scope: _Scope) -> tuple[str, _Scope]:
    assert node.iterator not in scope, f"{_head(node)}: {node.iterator} exists already"
    variable = f"i{len(scope)}"
    return variable, {**scope, node.iterator: variable}


def _end_of_range(node: For) -> Expr | None:
    """The first value that the loop does not reach, if the loop does not change it."""
    match node.condition:
        case Operation(Operator.LESS | Operator.LESS_OR_EQUAL as operator, (left, right)) if (
            left == Identifier(node.iterator) and node.step > 0
        ):
            if node.iterator in names_in(right):
                return None
            is_last = operator is Operator.LESS_OR_EQUAL
            return Operation(Operator.ADD, (right, Constant(1))) if is_last else right
        case _:
            return None


def _head(node: For) -> str:
    start, condition = expression_text(node.start), expression_text(node.condition)
    return f"for ({node.iterator} = {start}; {condition}; {node.iterator} += {node.step})"
