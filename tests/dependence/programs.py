"""Random programs made for dependences: few elements, used again and again.

The programs of the execution oracle say everything that C can say; these ones say little, and say
it about the same three arrays and a few scalars.  Loops are short, so that all pairs of instances
can be looked at, and subscripts are those of stencils, strides, diagonals and folded buffers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import strategies as st

from tests.execution.choices import Choices, DrawnChoices, ReplayedChoices
from tests.execution.data import Data, Kind, RandomArray
from tests.execution.programs import DECLARATIONS, RandomProgram, Surroundings, assembled
from tests.execution.statements import Lines, Scope, Writer, indented
from tests.execution.values import Value, Variable, added, constant, divided, remainder, scaled

MOST_INSTANCES = 90
MOST_STATEMENTS = 5
DEEPEST = 3

SURROUNDINGS = Surroundings(
    declarations=DECLARATIONS
    + """\
#ifndef HAS_KILL
#define HAS_KILL
static void __pencil_kill() { }
#endif
static double fetch@(double *p, int k) { return p[k] + p[0]; }
static void store@(double *p, int k, double v) { p[k] = v; }
""",
    variables=("double s = 1.0, q = 2.0, p = 0.5, w[3] = {1, 2, 3};",),
    result="s",
)
"""``s`` lives on behind the region; ``q``, ``p`` and ``w`` do not."""


@dataclass(slots=True)
class FewArrays(Data):
    """Three arrays of numbers and one of integers, with subscripts that often meet."""

    def _array(self, names: str, element: str) -> RandomArray:
        name = self.choices.choose(names)
        if name not in self.arrays:
            rank = 2 if name == "C" else 1
            kind = self.choices.choose((Kind.FIXED, Kind.GLOBAL, Kind.DERIVED, Kind.SIZED))
            kind = Kind.FIXED if self.choices.chance(50) else kind
            sizes = tuple(self.choices.choose(self.parameters) for _ in range(rank))
            self.arrays[name] = RandomArray(name, element, kind, [1] * rank, sizes)
        return self.arrays[name]

    def number(self, scope: tuple[Variable, ...]) -> str:
        """A reference to a floating-point element."""
        array = self._array("AABC", "double")
        return array.element_text([self._subscript(scope) for _ in range(array.rank)])

    def integer(self, scope: tuple[Variable, ...]) -> str:
        """A reference to an integer element, which is never negative."""
        return self._array("X", "int").element_text([self._subscript(scope, indirect=False)])

    def _subscript(self, scope: tuple[Variable, ...], indirect: bool = True) -> Value:
        if indirect and self.choices.chance(3):
            return Value(f"{self.integer(scope)} % 3", 0, 2)
        value = subscript(self.choices, scope)
        return value if value.low >= 0 else value.plus(-value.low)


def subscript(choices: Choices, scope: tuple[Variable, ...]) -> Value:
    """A subscript as people write it, mostly an iterator and its neighbours."""
    iterators = [each for each in scope if each.name not in ("n", "m")]
    form = choices.integer(0, 19)
    if not iterators or form == 19:
        return constant(choices.integer(0, 2))
    value = choices.choose(iterators).value
    if form < 6:
        return value
    if form < 11:
        return value.plus(choices.choose((1, -1, 2)))
    if form < 13:
        return scaled(2, value).plus(choices.integer(0, 1))
    if form < 14:
        return divided(value, 2) if value.low >= 0 else value
    if form < 15:
        return remainder(value, choices.integer(2, 3)) if value.low >= 0 else value
    if form < 16:
        return added(choices.choose(scope).value, scaled(-1, value))
    other = choices.choose(iterators).value
    return added(value, other if form < 18 else scaled(-1, other))


@dataclass(slots=True)
class ShortWriter(Writer):
    """Writes few statements and short loops."""

    def region(self, scope: Scope) -> Lines:
        """Some items in a row, most of them loops."""
        lines: Lines = []
        for _ in range(self.choices.integer(1, 3)):
            if self.choices.chance(25):
                item, scope = self._item(scope)
            else:
                item = self._loop(scope)
            lines += item
        return lines

    def block(self, scope: Scope, most: int = 3) -> Lines:
        """Some items in a row, seldom a single one: they are to have something in common."""
        lines: Lines = []
        for _ in range(self.choices.integer(1, most) if self.choices.chance(30) else most):
            item, scope = self._item(scope)
            lines += item
        return lines

    def _item(self, scope: Scope) -> tuple[Lines, Scope]:
        if self.statements >= MOST_STATEMENTS:
            return self._assignment(scope), scope
        number = self.choices.integer(0, 99)
        if number < 40 or (scope.depth >= DEEPEST and number < 65):
            return self._assignment(scope), scope
        if number < 65:
            return self._loop(scope), scope
        if number < 75:
            return self._if(scope), scope
        if number < 82:
            return self._declaration(scope)
        if number < 94:
            return self._temporary(scope), scope
        return self._dynamic(scope), scope

    # Loops

    def _limited(self, scope: Scope, trips: int) -> bool:
        return self.instances + scope.count * trips <= MOST_INSTANCES and scope.count * trips <= 30

    def _loop(self, scope: Scope) -> Lines:
        header, variable, trips = self._signed_loop(scope)
        inner = replace(
            scope.with_integer(variable), depth=scope.depth + 1, count=scope.count * trips
        )
        return [header, *self.body(inner)]

    def _bounds(self, scope: Scope) -> tuple[Value, Value]:
        """From nothing or an outer iterator to a parameter or an outer iterator."""
        iterators = [each for each in scope.integers if each.name not in ("n", "m")]
        parameters = [each for each in scope.integers if each.name in ("n", "m")]
        low = constant(self.choices.integer(0, 1))
        high = self.choices.choose(parameters).value.plus(-1)
        if iterators and self.choices.chance(30):
            low = self.choices.choose(iterators).value.plus(self.choices.integer(0, 1))
        elif iterators and self.choices.chance(30):
            high = self.choices.choose(iterators).value.plus(self.choices.integer(-1, 1))
        elif self.choices.chance(20):
            high = constant(self.choices.integer(2, 4))
        return low, high

    # Statements

    def _data_condition(self, scope: Scope) -> str:
        if self.choices.chance(50):
            return f"{self.data.integer(scope.integers)} % 2 == 0"
        return f"{self._number(scope, 2)} > 0.5"

    def _affine_condition(self, scope: Scope, depth: int = 0) -> str:
        left = subscript(self.choices, scope.integers).grouped().text
        if self.choices.chance(30):
            return f"{left} % 2 == 0"
        right = self.choices.choose(scope.integers).value.plus(self.choices.integer(-2, 1)).text
        return f"{left} {self.choices.choose(('<', '>=', '==', '!='))} {right}"

    def _temporary(self, scope: Scope) -> Lines:
        """A variable from outside that is set, used and perhaps killed, and used nowhere else."""
        self._counted(scope)
        self._counted(scope)
        if self.choices.chance(30):
            size = self.choices.integer(1, 3)
            # An iterator of its own: an inner k would be another one than the numbers mean.
            name, first, again = "w", "w[e]", f"w[{size - 1} - e]"
            header = f"for (int e = 0; e < {size}; e++)"
            inner = replace(scope, count=scope.count * size).with_integer(
                Variable("e", 0, size - 1)
            )
        else:
            name, first, again, header, inner = "p", "p", "p", "if (1)", scope
        lines = [header, *indented([f"{first} = {self._number(scope)};"])]
        lines += [header, *indented([f"{self._target(inner)} = {again} + {self._number(inner)};"])]
        if self.choices.chance(30):
            lines.append(f"s += {name if name == 'p' else 'w[0]'};")
        if self.choices.chance(50):
            lines.append(f"__pencil_kill({name});")
        return [line for line in lines if line != "if (1)"]

    def _assignment(self, scope: Scope) -> Lines:
        self._counted(scope)
        form = self.choices.integer(0, 19)
        if form < 11:
            return [f"{self._target(scope)} = {self._number(scope)};"]
        if form < 17:
            operator = self.choices.choose(("+=", "-=", "*="))
            return [f"{self._target(scope)} {operator} {self._number(scope)};"]
        if form < 18:
            return [f"{self.data.integer(scope.integers)}++;"]
        return [self._call(scope)]

    def _call(self, scope: Scope) -> str:
        row = self.data.row(scope.integers, 3)
        index = remainder(subscript(self.choices, scope.integers), 3)
        if row is None or index.low < 0:
            return f"{self._target(scope)} = 0.5;"
        if self.choices.chance(50):
            return f"{self._target(scope)} = fetch@({row}, {index.text});"
        return f"store@({row}, {index.text}, {self._number(scope)});"

    def _target(self, scope: Scope) -> str:
        if self.choices.chance(25):
            return self.choices.choose(scope.scalars)
        if scope.places and self.choices.chance(40):
            return self._place_element(scope)
        return self.data.number(scope.integers)

    def _number(self, scope: Scope, depth: int = 0) -> str:
        form = self.choices.integer(0, 9)
        if form < 5 or depth > 1:
            if scope.places and self.choices.chance(40):
                return self._place_element(scope)
            return self.data.number(scope.integers)
        if form < 6:
            return self.choices.choose(scope.scalars)
        if form < 7:
            return "0.25"
        left, right = (self._number(scope, depth + 1) for _ in range(2))
        if form < 9:
            return f"({left} + {right})"
        return f"({self._data_condition(scope)} ? {left} : {right})"


def random_program(choices: Choices) -> str:
    """The template of a program, from decisions."""
    calls = 2 if choices.chance(15) else 1
    values = [{name: choices.choose((3, 4, 3, 2, 5, 1)) for name in "nm"} for _ in range(calls)]
    parameters = tuple(
        Variable(name, min(v[name] for v in values), max(v[name] for v in values)) for name in "nm"
    )
    writer = ShortWriter(choices, FewArrays(choices, parameters))
    region = writer.region(Scope(parameters, ("s", "q")))
    return assembled(region, writer, values, SURROUNDINGS)


@st.composite
def programs(draw: st.DrawFn) -> RandomProgram:
    """Random programs; they shrink towards one assignment in a loop."""
    choices = DrawnChoices(draw)
    template = random_program(choices)
    return RandomProgram(template, tuple(choices.made))


def replayed(decisions: tuple[int, ...]) -> RandomProgram:
    """The program that these decisions make."""
    choices = ReplayedChoices(decisions)
    return RandomProgram(random_program(choices), tuple(decisions[: choices.used]))
