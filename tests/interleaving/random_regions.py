"""Random regions for questions of fusion: a few nests of loops that hand on arrays."""

from __future__ import annotations

from random import Random

MOST_STATEMENTS = 5
ARRAYS = "ABCD"
MATRICES = "ABC"
"""Those with two dimensions; the other one has one."""
SIZE = "2 * n + m + 20"
"""No subscript leaves an array, whatever the parameters are: that would tell something of them."""


class _Region:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.statements = 0
        self.most = random.randint(2, MOST_STATEMENTS)

    def text(self) -> str:
        while self.statements < self.most:
            self._item([], 1)
        matrices = ", ".join(f"double {each}[{SIZE}][{SIZE}]" for each in MATRICES)
        head = f"void f(int n, int m, double s, double D[{SIZE}], {matrices}) {{"
        return "\n".join([head, "#pragma scop", *self.lines, "#pragma endscop", "}", ""])

    def _item(self, iterators: list[str], depth: int) -> None:
        number = self.random.random()
        if (iterators and (number < 0.6 or depth > 3)) or (not iterators and number < 0.04):
            self._statement(iterators, depth)
        elif iterators and number < 0.68:
            self._guarded(iterators, depth)
        else:
            self._loop(iterators, depth)

    def _line(self, text: str, depth: int) -> None:
        self.lines.append("  " * depth + text)

    def _loop(self, iterators: list[str], depth: int) -> None:
        name = "ijk"[len(iterators)]
        low = self.random.choice(["0", "0", "0", "1", "2", *iterators])
        high = self.random.choice(["n", "n", "n", "n", "m", "n - 1", "n - 2"])
        form = self.random.random()
        if form < 0.1:
            header = f"for (int {name} = {high} - 1; {name} >= {low}; {name}--) {{"
        elif form < 0.14:
            header = f"for (int {name} = 1; {name} < 2; {name}++) {{"
        elif form < 0.18:
            header = f"for (int {name} = {low}; {name} < {high}; {name} += 2) {{"
        else:
            header = f"for (int {name} = {low}; {name} < {high}; {name}++) {{"
        self._line(header, depth)
        for _ in range(self.random.choice([1, 1, 1, 2, 2, 3])):
            if self.statements < self.most:
                self._item([*iterators, name], depth + 1)
        if self.lines[-1].endswith("{"):
            self._statement([*iterators, name], depth + 1)
        self._line("}", depth)

    def _guarded(self, iterators: list[str], depth: int) -> None:
        at = self.random.choice(iterators)
        condition = self.random.choice([f"{at} >= m", f"{at} > 5", f"{at} == 3", f"{at} < m"])
        self._line(f"if ({condition}) {{", depth)
        self._statement(iterators, depth + 1)
        self._line("}", depth)

    def _statement(self, iterators: list[str], depth: int) -> None:
        self.statements += 1
        target, operator = self._element(iterators), self.random.choice(["=", "=", "+="])
        if self.random.random() < 0.03:
            target = "s"
        sources = [self._element(iterators) for _ in range(self.random.randint(0, 2))]
        self._line(f"{target} {operator} {' * '.join([*sources, '0.5'])};", depth)

    def _element(self, iterators: list[str]) -> str:
        name = self.random.choice(ARRAYS)
        rank = 2 if name in MATRICES else 1
        return name + "".join(f"[{self._subscript(iterators)}]" for _ in range(rank))

    def _subscript(self, iterators: list[str]) -> str:
        if not iterators:
            return self.random.choice(["0", "n"])
        at = self.random.choice(iterators)
        number = self.random.random()
        if number < 0.65:
            return f"{at} + 6"
        if number < 0.85:
            return f"{at} + {self.random.choice([7, 5, 8, 11, 0])}"
        if number < 0.9:
            return f"n + m - {at}"
        if number < 0.93:
            return f"2 * {at}"
        return self.random.choice(["6", "m + 6", "n + 6"])


def random_region(seed: int) -> str:
    """The text of a function with a region, the same one for the same seed."""
    return _Region(Random(seed)).text()
