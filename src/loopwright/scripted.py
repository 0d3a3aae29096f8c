"""A script as a Python program: each operation gives another schedule."""

from __future__ import annotations

from loopwright.basics.records import record
from loopwright.dependence.analysis import dependences
from loopwright.model.schedules import Schedule
from loopwright.model.scop import Scop
from loopwright.script.timetable import timetable_of, tree_of
from loopwright.scripting import Script


@record(eq=False)
class Scripted(Schedule):
    """An order that a script makes of a region; ``text`` is that script.

    Every operation of the language is a method.  What is wrong with a step is an
    :class:`~loopwright.InputError` at once; whether the whole is correct, :meth:`checked` tells.

    >>> from loopwright import read_c
    >>> program = '''void f(int n, double A[n][n]) {
    ... #pragma scop
    ...   for (int i = 0; i < n; i++)
    ...     for (int j = 0; j < n; j++)
    ...       Twice: A[j][i] = 2 * A[j][i];
    ... #pragma endscop
    ... }'''
    >>> (scop,) = read_c(program)
    >>> order = original_order(scop).interchange("Twice", 1, 2)
    >>> for size in (32, 4):
    ...     order = order.tile("Twice", size, size)
    >>> print(order.parallel("Twice", 1).checked().text)
    interchange(Twice, 1, 2)
    tile(Twice, 32, 32)
    tile(Twice, 4, 4)
    parallel(Twice, 1)
    """

    scop: Scop | None = None
    text: str = ""

    def then(self, line: str) -> Scripted:
        """The order after a line of script more."""
        assert self.scop is not None
        text = f"{self.text}\n{line}" if self.text else line
        done = Script("script", text).run(self.scop, timetable_of(self.scop))
        return Scripted(tree_of(done.table), scop=self.scop, text=text)

    def checked(self) -> Scripted:
        """The same with its marks; :class:`~loopwright.IllegalScript` if it is not correct."""
        assert self.scop is not None
        ordered = Script("script", self.text).ordered(self.scop, dependences(self.scop))
        return Scripted(ordered.tree, scop=self.scop, text=self.text)

    def _operation(self, name: str, *arguments: str | int) -> Scripted:
        return self.then(f"{name}({', '.join(map(str, arguments))})")

    # --- the four --------------------------------------------------------------------------------

    def realign(self, first: str, second: str, shared: int) -> Scripted:
        """Let two components share so many loops."""
        return self._operation("realign", first, second, shared)

    def lift(self, name: str, component: str, level: int) -> Scripted:
        """Name everything inside of a loop around a component."""
        return self.then(f"{name} = lift({component}, {level})")

    def affine(self, component: str, function: str) -> Scripted:
        """Give the loops around a component other iterations: ``{[i,j] -> [j,i]}``."""
        return self._operation("affine", component, function)

    def isplit(self, first: str, rest: str, component: str, where: str, level: int) -> Scripted:
        """Split the iterations of a component by a condition: ``{[i,j] : j < 8}``."""
        return self.then(f"({first}, {rest}) = isplit({component}, {where}, {level})")

    def auto(self, component: str, *level: int) -> Scripted:
        """Let the scheduler order a component, inside of so many loops that stay."""
        return self._operation("auto", component, *level)

    # --- the library -----------------------------------------------------------------------------

    def interchange(self, component: str, first: int, second: int) -> Scripted:
        """Let two loops change places."""
        return self._operation("interchange", component, first, second)

    def reverse(self, component: str, level: int) -> Scripted:
        """Run a loop backwards."""
        return self._operation("reverse", component, level)

    def skew(self, component: str, level: int, by: int, factor: int = 1) -> Scripted:
        """Add a multiple of another loop's iterations to a loop."""
        return self._operation("skew", component, level, by, factor)

    def shift(self, component: str, level: int, amount: int) -> Scripted:
        """Start a loop so much later."""
        return self._operation("shift", component, level, amount)

    def tile(self, component: str, *sizes: int) -> Scripted:
        """Tile the outer loops; a size of 1 leaves a loop whole."""
        return self._operation("tile", component, *sizes)

    def stripmine(self, component: str, level: int, size: int) -> Scripted:
        """Cut a loop into strips."""
        return self._operation("stripmine", component, level, size)

    def fuse(self, first: str, second: str, *shared: int) -> Scripted:
        """Merge the loops of two components: so many, or all."""
        return self._operation("fuse", first, second, *shared)

    def distribute(self, first: str, second: str, *shared: int) -> Scripted:
        """Split the loops of two components: they still share so many, or none."""
        return self._operation("distribute", first, second, *shared)

    def split(self, first: str, rest: str, component: str, level: int, at: int) -> Scripted:
        """Split a loop before an iteration."""
        return self.then(f"({first}, {rest}) = split({component}, {level}, {at})")

    def unroll(self, component: str, level: int, *factor: int) -> Scripted:
        """Write out so many iterations of a loop, or all."""
        return self._operation("unroll", component, level, *factor)

    def unroll_and_jam(self, component: str, level: int, factor: int) -> Scripted:
        """Write out so many iterations of a loop inside of the innermost one."""
        return self._operation("unroll_and_jam", component, level, factor)

    def parallel(self, component: str, level: int) -> Scripted:
        """Run a loop in several threads."""
        return self._operation("parallel", component, level)

    def vectorize(self, component: str, level: int) -> Scripted:
        """Run a loop as vectors."""
        return self._operation("vectorize", component, level)


def original_order(scop: Scop) -> Scripted:
    """The order of the source, to begin with."""
    return Scripted(tree_of(timetable_of(scop)), scop=scop)
