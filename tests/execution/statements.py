"""The loops, conditions and statements of a random program, as C text."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .choices import Choices
from .data import Data
from .values import Value, Variable, affine, constant, remainder

MOST_INSTANCES = 1500
MOST_STATEMENTS = 9
DEEPEST = 4
NAMES = ("i", "j", "k", "l", "i4", "i5", "i6", "i7", "i8", "i9")


@dataclass(frozen=True, slots=True)
class Scope:
    """What a statement may name: integers, floating-point scalars; and how often it runs."""

    integers: tuple[Variable, ...]
    scalars: tuple[str, ...]
    depth: int = 0
    count: int = 1
    places: tuple[tuple[str, int], ...] = ()
    """Local arrays and pointers to rows, each with how many elements it has."""

    def with_integer(self, variable: Variable) -> Scope:
        """One more variable, which hides those of its name."""
        kept = tuple(each for each in self.integers if each.name != variable.name)
        return replace(self, integers=(variable, *kept))


Lines = list[str]


def indented(lines: Lines) -> Lines:
    """One level deeper."""
    return [f"  {line}" for line in lines]


@dataclass(slots=True)
class Writer:
    """Writes random statements; remembers what has to be declared around them."""

    choices: Choices
    data: Data
    outer_iterators: set[str] = field(default_factory=set)
    statements: int = 0
    instances: int = 0
    locals: int = 0

    def region(self, scope: Scope) -> Lines:
        """Some items in a row, the first of them a loop."""
        first = self._loop(scope)
        return [*first, *self.block(scope, 2)] if self.choices.chance(60) else first

    def block(self, scope: Scope, most: int = 3) -> Lines:
        """Some items in a row."""
        lines: Lines = []
        for _ in range(self.choices.integer(1, most)):
            item, scope = self._item(scope)
            lines += item
        return lines

    def _item(self, scope: Scope) -> tuple[Lines, Scope]:
        if self.statements >= MOST_STATEMENTS:
            return self._assignment(scope), scope
        number = self.choices.integer(0, 99)
        if number < 34 or (scope.depth >= DEEPEST and number < 75):
            return self._assignment(scope), scope
        if number < 72:
            return self._loop(scope), scope
        if number < 84:
            return self._if(scope), scope
        if number < 92:
            return self._declaration(scope)
        if number < 96:
            return self._dynamic(scope), scope
        return self._oddity(scope), scope

    def _oddity(self, scope: Scope) -> Lines:
        """What people write as well: blocks, empty statements, commas, labels."""
        form = self.choices.integer(0, 4)
        if form == 0:
            return ["{", *indented(self.block(scope, 2)), "}"]
        if form == 1:
            return [";", *self._assignment(scope)]
        if form == 2:
            return [self._assignment(scope)[0].replace(";", ",") + " s += 1;"]
        if form == 3:
            self.locals += 1
            return [f"L{self.locals}: {self._assignment(scope)[0]}"]
        return [f"if ({self._affine_condition(scope)}) {{ }}", *self._assignment(scope)]

    def body(self, scope: Scope, most: int = 3) -> Lines:
        """The body of a loop or branch: in braces unless it is a single statement."""
        lines = self.block(scope, most)
        is_single = lines[0].endswith(";") and len(lines) == 1 and "=" in lines[0]
        if is_single and not lines[0].startswith(("int ", "double ")) and self.choices.chance(60):
            return indented(lines)
        return ["{", *indented(lines), "}"]

    # Loops

    def _loop(self, scope: Scope) -> Lines:
        if self.choices.chance(8):
            header, variable, trips = self._unsigned_loop(scope)
        else:
            header, variable, trips = self._signed_loop(scope)
        inner = replace(
            scope.with_integer(variable), depth=scope.depth + 1, count=scope.count * trips
        )
        if self.choices.chance(6):
            lines = [f"if ({self._affine_condition(inner)}) continue;", *self.block(inner, 2)]
            return [header, "{", *indented(lines), "}"]
        return [header, *self.body(inner), *self._after(header, variable.name)]

    def _after(self, header: str, name: str) -> Lines:
        """The iterator outlives the loop if it is declared outside, and may be read there."""
        if not header.startswith(f"for ({name} =") or not self.choices.chance(10):
            return []
        self.statements += 1
        return [f"s += {name};"]

    def _name(self, scope: Scope) -> str:
        return NAMES[min(scope.depth, len(NAMES) - 1)]

    def _limited(self, scope: Scope, trips: int) -> bool:
        return self.instances + scope.count * trips <= MOST_INSTANCES and scope.count * trips <= 400

    def _signed_loop(self, scope: Scope) -> tuple[str, Variable, int]:
        name, is_inside, scope = self._iterator(scope)
        low, high = self._bounds(scope)
        step = self.choices.choose((1, 1, 1, 2, 3))
        trips = max(1, -(-(high.high - low.low + 1) // step))
        if not self._limited(scope, trips):
            low, high, step, trips = constant(0), constant(1), 1, 2
        declared = self.choices.choose(("int ", "int ", "long ")) if is_inside else ""
        if self.choices.chance(25):
            header = self._downward(f"{declared}{name}", name, low, high, step)
        else:
            header = self._upward(f"{declared}{name}", name, low, high, step)
        variable = Variable(name, low.low, max(low.low, high.high))
        return header, variable, trips

    def _iterator(self, scope: Scope) -> tuple[str, bool, Scope]:
        """A name for the iterator, whether the loop declares it, and what the bounds may name."""
        name = self._name(scope)
        if self.choices.chance(4) and scope.depth > 0:
            name = self.choices.choose(NAMES[: scope.depth])
            visible = tuple(each for each in scope.integers if each.name != name)
            return name, True, replace(scope, integers=visible)
        is_inside = not self.choices.chance(30)
        if not is_inside:
            self.outer_iterators.add(name)
        visible = tuple(each for each in scope.integers if each.name != name)
        return name, is_inside, replace(scope, integers=visible)

    def _bounds(self, scope: Scope) -> tuple[Value, Value]:
        """The smallest and the largest value of an iterator; seldom is there none in between."""
        low = constant(self.choices.integer(0, 2))
        if self.choices.chance(40):
            low = affine(self.choices, scope.integers)
        kind = self.choices.integer(0, 3)
        if kind == 0:
            high = constant(self.choices.integer(1, 6))
        elif kind == 1:
            parameters = [each for each in scope.integers if each.name in ("n", "m")]
            high = self.choices.choose(parameters).value.plus(self.choices.integer(-1, 1))
        else:
            high = affine(self.choices, scope.integers)
        if self.choices.chance(12):
            return low, high
        missing = (low.low + low.high) // 2 + 2 - (high.low + high.high) // 2
        return low, high.plus(max(0, missing))

    def _upward(self, start: str, name: str, low: Value, high: Value, step: int) -> str:
        increment = self.choices.choose((f"{name}++", f"++{name}", f"{name} += 1"))
        if step > 1:
            increment = f"{name} += {step}"
        form = self.choices.integer(0, 4)
        if form == 0:
            condition = f"{name} < {high.plus(1).text}"
        elif form == 1:
            condition = f"{name} <= {high.text}"
        elif form == 2:
            condition = f"{high.grouped().text} >= {name}"
        elif form == 3:
            condition = f"{name} <= {high.text} && {name} < {high.high + 1}"
        else:
            return self._until_equal(start, name, low, high, step)
        return f"for ({start} = {low.text}; {condition}; {increment})"

    def _until_equal(self, start: str, name: str, low: Value, high: Value, step: int) -> str:
        """``!=`` ends the loop only where the iterator hits the bound exactly."""
        times = max(0, min(high.high - low.high, high.high - low.low) + 1) // step
        end = low.plus(times * step)
        return f"for ({start} = {low.text}; {name} != {end.text}; {name} += {step})"

    def _downward(self, start: str, name: str, low: Value, high: Value, step: int) -> str:
        decrement = (
            f"{name} -= {step}" if step > 1 else self.choices.choose((f"{name}--", f"--{name}"))
        )
        condition = f"{name} >= {low.text}"
        if self.choices.chance(50):
            condition = f"{name} > {low.plus(-1).text}"
        return f"for ({start} = {high.text}; {condition}; {decrement})"

    def _unsigned_loop(self, scope: Scope) -> tuple[str, Variable, int]:
        """From a constant to a parameter: nothing here can wrap."""
        name = self._name(scope)
        type_ = self.choices.choose(("unsigned", "unsigned long", "unsigned char", "short"))
        low = self.choices.integer(0, 2)
        high = self.choices.choose((3, 5))
        trips = max(1, high - low)
        if not self._limited(scope, trips):
            high = low + 1
        header = f"for ({type_} {name} = {low}; {name} < {high}; {name}++)"
        if self.choices.chance(30):
            header = f"for ({type_} {name} = {max(low, high - 1)}; {name} > {low}; {name}--)"
        return header, Variable(name, low, max(low, high - 1), is_unsigned=True), trips

    # Conditions

    def _if(self, scope: Scope) -> Lines:
        condition = self._affine_condition(scope)
        if self.choices.chance(35):
            condition = self._data_condition(scope)
        lines = [f"if ({condition})", *self.body(scope, 2)]
        if self.choices.chance(40):
            lines += ["else", *self.body(scope, 2)]
        return lines

    def _affine_condition(self, scope: Scope, depth: int = 0) -> str:
        if depth < 2 and self.choices.chance(25):
            operator = self.choices.choose(("&&", "||"))
            left = self._affine_condition(scope, depth + 1)
            right = self._affine_condition(scope, depth + 1)
            return f"({left}) {operator} ({right})"
        if depth < 2 and self.choices.chance(10):
            return f"!({self._affine_condition(scope, depth + 1)})"
        operator = self.choices.choose(("<", "<=", ">", ">=", "==", "!="))
        left = affine(self.choices, scope.integers).grouped()
        if self.choices.chance(30):
            divisor = self.choices.integer(2, 3)
            return f"{left.text} % {divisor} {operator} {self.choices.integer(-1, 1)}"
        return f"{left.text} {operator} {affine(self.choices, scope.integers).text}"

    def _data_condition(self, scope: Scope) -> str:
        form = self.choices.integer(0, 3)
        if form == 0:
            return f"{self.data.integer(scope.integers)} % 3 == {self.choices.integer(0, 2)}"
        if form == 1:
            return f"{self.data.number(scope.integers)} > 0.5"
        if form == 2:
            operator = self.choices.choose(("&&", "||"))
            number = self.data.number(scope.integers)
            return f"{self._affine_condition(scope, 1)} {operator} {number} < 1"
        return f"!({self.data.integer(scope.integers)} & 1)"

    # Statements

    def _counted(self, scope: Scope) -> None:
        self.statements += 1
        self.instances += scope.count

    def _declaration(self, scope: Scope) -> tuple[Lines, Scope]:
        self.locals += 1
        name = f"t{self.locals}"
        form = self.choices.integer(0, 7)
        if form > 4:
            return self._place(scope, name, form)
        if form == 0:
            value = affine(self.choices, scope.integers, plain=True)
            variable = Variable(name, value.low, value.high)
            return [f"int {name} = {value.text};"], scope.with_integer(variable)
        self._counted(scope)
        inner = replace(scope, scalars=(*scope.scalars, name))
        if form == 1:
            return [f"double {name};", f"{name} = {self._number(scope)};"], inner
        if form == 2:
            other = f"u{self.locals}"
            text = f"double {name} = {self._number(scope)}, {other} = {self._number(scope)};"
            return [text], replace(inner, scalars=(*inner.scalars, other))
        return [f"double {name} = {self._number(scope)};"], inner

    def _place(self, scope: Scope, name: str, form: int) -> tuple[Lines, Scope]:
        """A local array, with or without values, or a pointer to a row."""
        self._counted(scope)
        size = self.choices.integer(1, 4)
        inner = replace(scope, places=(*scope.places, (name, size)))
        if form == 5:
            values = ", ".join(self._number(scope, 2) for _ in range(size))
            return [f"double {name}[{size}] = {{{values}}};"], inner
        row = self.data.row(scope.integers, size)
        if form == 6 and row is not None:
            return [f"double *{name} = {row};"], inner
        lines = [f"double {name}[{size}];"]
        return [*lines, *(f"{name}[{k}] = {self._number(scope, 2)};" for k in range(size))], inner

    def _place_element(self, scope: Scope) -> str:
        name, size = self.choices.choose(scope.places)
        index = affine(self.choices, scope.integers)
        index = remainder(index.plus(max(0, -index.low)), size)
        return f"{name}[{index.text}]"

    def _assignment(self, scope: Scope) -> Lines:
        self._counted(scope)
        form = self.choices.integer(0, 19)
        if form < 8:
            return [f"{self._target(scope)} = {self._number(scope)};"]
        if form < 13:
            operator = self.choices.choose(("+=", "-=", "*="))
            return [f"{self._target(scope)} {operator} {self._number(scope)};"]
        if form < 15:
            return [self.choices.choose(("{}++;", "--{};")).format(self._target(scope))]
        if form < 17:
            return [self._integer_assignment(scope)]
        if form < 18:
            return [self._counter_statement(scope)]
        return [self._call(scope)]

    def _counter_statement(self, scope: Scope) -> str:
        """A scalar that is never negative: set from data, counted up, used as a subscript."""
        form = self.choices.integer(0, 3)
        if form == 0:
            return f"c = {self.data.integer(scope.integers)} % 5;"
        if form == 1:
            return "c++;"
        if form == 2:
            return f"{self.data.indexed('c % 4', 3)} = {self._number(scope)};"
        return f"c = {affine(self.choices, scope.integers).grouped().text} & 3;"

    def _integer_assignment(self, scope: Scope) -> str:
        target, source = (self.data.integer(scope.integers) for _ in range(2))
        form = self.choices.integer(0, 4)
        if form == 0:
            return f"{target} = {source} + 1;"
        if form == 1:
            value = affine(self.choices, scope.integers)
            return f"{target} = ({source} + {value.plus(-min(0, value.low)).grouped().text}) % 13;"
        if form == 2:
            return f"{target} %= 7;"
        if form == 3:
            return f"{target} ^= {source} & 3;"
        return f"{target}++;"

    def _call(self, scope: Scope) -> str:
        index = affine(self.choices, scope.integers)
        index = index.plus(max(0, -index.low))
        row = self.data.row(scope.integers, index.high + 1)
        if row is None or index.high > 30:
            return f"{self._target(scope)} = blend@({self._number(scope)}, {self._number(scope)});"
        if self.choices.chance(50):
            return f"{self._target(scope)} = fetch@({row}, {index.text});"
        return f"store@({row}, {index.text}, {self._number(scope)});"

    def _target(self, scope: Scope) -> str:
        if scope.scalars and self.choices.chance(15):
            return self.choices.choose(scope.scalars)
        if scope.places and self.choices.chance(40):
            return self._place_element(scope)
        return self.data.number(scope.integers)

    def _number(self, scope: Scope, depth: int = 0) -> str:
        form = self.choices.integer(0, 19) if depth < 2 else self.choices.integer(0, 9)
        if form < 6:
            if scope.places and self.choices.chance(40):
                return self._place_element(scope)
            return self.data.number(scope.integers)
        if form < 8:
            return self.choices.choose(scope.scalars) if scope.scalars else "1.5"
        if form < 9:
            return self.choices.choose(("2.0", "0.25", "3"))
        if form < 10:
            return f"(double)({affine(self.choices, scope.integers).text})"
        left, right = (self._number(scope, depth + 1) for _ in range(2))
        if form < 16:
            return f"({left} {self.choices.choose(('+', '-', '*'))} {right})"
        if form < 17:
            return f"fabs({left})"
        if form < 18:
            return f"({self._affine_condition(scope, 2)} ? {left} : {right})"
        if form < 19:
            return f"({self._data_condition(scope)} ? {left} : {right})"
        return f"blend@({left}, {right})"

    # Control that only the data decides

    def _dynamic(self, scope: Scope) -> Lines:
        name = self._name(scope)
        bound = self.choices.integer(2, 4)
        trips = bound if self._limited(scope, bound) else 1
        variable = Variable(name, 0, bound)
        inner = replace(
            scope.with_integer(variable), depth=scope.depth + 1, count=scope.count * trips
        )
        data = self.data.integer(tuple(each for each in scope.integers if each.name != name))
        form = self.choices.integer(0, 5)
        if form == 5:
            self.locals += 1
            counter = f"w{self.locals}"
            body = [*self.block(inner_without(inner, name), 1), f"{counter} = {counter} - 1;"]
            lines = [f"int {counter} = {data} % {bound};", "do {", *indented(body)]
            return ["{", *indented([*lines, f"}} while ({counter} > 0);"]), "}"]
        if form == 0:
            header = f"for (int {name} = 0; {name} < {data} % {bound}; {name}++)"
            return [header, *self.body(inner, 2)]
        if form == 1:
            self.outer_iterators.add(name)
            header = f"for ({name} = 0; {name} < {data} % {bound}; {name}++)"
            return [header, *self.body(inner, 2)]
        if form == 2:
            self.locals += 1
            counter = f"w{self.locals}"
            inner = inner.with_integer(Variable(counter, 0, bound))
            body = [*self.block(inner_without(inner, name), 2), f"{counter}--;"]
            lines = [f"int {counter} = {data} % {bound};", f"while ({counter} > 0) {{"]
            return ["{", *indented([*lines, *indented(body), "}"]), "}"]
        jump = "break" if form == 3 else "continue"
        condition = self._data_condition(inner)
        body = [*self.block(inner, 1), f"if ({condition}) {jump};", *self.block(inner, 1)]
        return [f"for (int {name} = 0; {name} < {bound}; {name}++) {{", *indented(body), "}"]


def inner_without(scope: Scope, name: str) -> Scope:
    """The scope without a variable that is not declared there."""
    return replace(scope, integers=tuple(each for each in scope.integers if each.name != name))
