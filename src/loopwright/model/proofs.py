"""What is said about a rewritten program: the hint of its author, and the verdict on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import islpy as isl

from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.model.expressions import Expr, Identifier, Operation
from loopwright.model.loop_ast import For, LoopAst, Node, User, children


@record
class Instance:
    """What a statement of the new loops runs: an original statement, and its iterators' values.

    The values are in terms of the iterators of the new loops and of the parameters.
    """

    statement: str
    values: tuple[Expr, ...]


Hint = tuple[Instance | isl.Map | None, ...]
"""One entry for each statement of the new loops, in the order of the text.

A map ``{ [c] -> S[i] }`` leads from the iterators of the new loops to the original instance.
``None`` stands for a statement that only moves a value between variables.  Nobody trusts a hint: a
wrong one makes a proof fail, and nothing else.
"""


MOVE = "move"
"""What loops call a statement that only moves a value."""


def hint_from_loops(loops: LoopAst) -> tuple[Instance | None, ...]:
    """The hint that generated loops hold: each statement node names its instance.

    Loops that run once and are printed as an assignment are no loops in the text, so that their
    iterators are replaced by their values.
    """
    return tuple(_instances(loops.root, {}))


def _instances(node: Node, values: Mapping[str, Expr]) -> Iterable[Instance | None]:
    if isinstance(node, User):
        name, *operands = node.statement.operands
        assert isinstance(name, Identifier)
        found = Instance(name.name, tuple(_replaced(each, values) for each in operands))
        yield found if name.name != MOVE else None
    if isinstance(node, For):
        start = {node.iterator: _replaced(node.start, values)} if node.is_degenerate else {}
        others = {name: value for name, value in values.items() if name != node.iterator}
        values = others | start
    for child in children(node):
        yield from _instances(child, values)


def _replaced(expression: Expr, values: Mapping[str, Expr]) -> Expr:
    match expression:
        case Identifier(name):
            return values.get(name, expression)
        case Operation(operator, operands):
            return Operation(operator, tuple(_replaced(each, values) for each in operands))
        case _:
            return expression


@record
class Stretch:
    """A part of a file that other text takes the place of: byte offsets before and after."""

    start: int
    end: int
    new_start: int
    new_end: int


@record
class Rewriting:
    """A file before and after some of its stretches got other text; ``name`` is for messages."""

    name: str
    before: bytes
    after: bytes
    stretches: tuple[Stretch, ...]


def rewriting(
    name: str, before: bytes, replacements: Iterable[tuple[int, int, bytes]]
) -> Rewriting:
    r"""The file with new text from ``start`` to ``end``, at each of the places.

    >>> rewriting("k.c", b"a b c", [(4, 5, b"zz"), (0, 1, b"x")]).after
    b'x b zz'
    """
    pieces: list[bytes] = []
    stretches: list[Stretch] = []
    last = length = 0
    for start, end, text in sorted(replacements):
        pieces += [before[last:start], text]
        new_start = length + start - last
        length = new_start + len(text)
        stretches.append(Stretch(start, end, new_start, length))
        last = end
    return Rewriting(name, before, b"".join([*pieces, before[last:]]), tuple(stretches))


WITHOUT_COMPILER = "without a compiler"
"""How the name of what takes the place of one ends."""


@record
class Configuration:
    """What decides what a program is to its compiler, and so what is proved of it."""

    compiler: str
    """Its name and version."""
    flags: tuple[str, ...]
    macros: str
    """A digest of the macros that it defines by itself and on its command line."""
    headers: str
    """A digest of all that the program includes."""

    @property
    def caller(self) -> str:
        """How the compiler is called, whatever its version; who took its place if there is none.

        >>> print(Configuration("gcc 12.2.0", ("-O2",), "", "").caller)
        gcc -O2
        """
        name = self.compiler.partition(" ")[0] if self.has_compiler else self.compiler
        return " ".join((name, *self.flags))

    @property
    def has_compiler(self) -> bool:
        """Was there a compiler to ask?"""
        return not self.compiler.endswith(WITHOUT_COMPILER)

    def __str__(self) -> str:
        """Whose it is.

        >>> print(Configuration("gcc 12.2.0", ("-O2", "-fopenmp"), "", ""))
        gcc 12.2.0 -O2 -fopenmp
        """
        return " ".join((self.compiler, *self.flags))


@record
class Proof:
    """The new text is the same program, and what was looked at to see that."""

    statements: int
    """Original statements."""
    copies: int
    """Statements of the new text that run them."""
    moves: int
    """Statements of the new text that only move values."""
    ordered: tuple[str, ...]
    """Arrays whose accesses keep their order."""
    traced: tuple[str, ...]
    """Arrays whose values were followed from where they are written to where they are read."""
    parallel_loops: int
    """Loops whose iterations may run at the same time."""
    reductions: tuple[str, ...] = ()
    """Variables that are reduced in another order: the same up to reassociation."""
    obligations: int = 0
    """What was shown about the paths of the new text, if somebody followed them."""
    solvers: tuple[str, ...] = ("isl",)
    """Who decided those."""
    assumed: tuple[str, ...] = ()
    """What the models take for granted, and nobody can see from the texts."""
    configurations: tuple[Configuration, ...] = ()
    """What the programs were compiled with, to be what was looked at.

    The first is the user's; there are others where the programs ask which one it is.
    """

    def __str__(self) -> str:
        """What was proved, in a sentence."""
        copies = _told(self.copies, "statement", "run")
        facts = [f"{copies} the instances of {self.statements} exactly once"]
        if self.moves:
            facts.append(f"{_told(self.moves, 'move', 'bring')} each value where it is needed")
        if self.parallel_loops:
            loops = _told(self.parallel_loops, "parallel or vector loop", "carry")
            but = f" but reductions of {', '.join(self.reductions)}" if self.reductions else ""
            facts.append(f"{loops} nothing{but}")
        if self.obligations:
            paths = _told(self.obligations, "obligation", "hold")
            facts.append(f"{paths} on its paths by {' and by '.join(self.solvers)}")
        facts += [f"to {each}" for each in self.configurations[:1] if not each.has_compiler]
        how = "proved up to reassociation: " if self.reductions else "proved: "
        return how + ", ".join(facts)


def _told(count: int, noun: str, verb: str) -> str:
    """So many things do something: ``1 loop carries``."""
    if count != 1:
        return f"{count} {noun}s {verb}"
    return f"1 {noun} {verb[:-1] + 'ies' if verb.endswith('y') else verb + 's'}"


@record
class Unknown:
    """It was not shown that the new text is the same program.

    ``witness`` is a concrete case in which it seems to differ, where one was found; the span is a
    place in the new file, or in the old one where no new text is to blame.
    """

    reason: str
    witness: str = ""
    span: Span | None = None

    def __str__(self) -> str:
        """The reason, with the case."""
        return f"not proved: {self.reason}" + (f" ({self.witness})" if self.witness else "")


Verdict = Proof | Unknown
"""What reading a text back can say; that two programs differ is for a case to show."""


NOTHING_WRITES = "nothing writes it"
"""What stands for an instance where no instance writes an element."""


@record
class Counterexample:
    """Two programs are not the same: one case of both, evaluated or run, and what differs.

    ``original`` and ``transformed`` say which instance left the value of the element behind, where
    that is known.
    """

    parameters: tuple[tuple[str, int], ...]
    element: str
    """An element of an array, ``C[2][0]``, or a variable; where the new program does not get that
    far, what goes wrong: the function, or its behaviour."""
    before: str
    """Its value after the original program, or what became of it there."""
    after: str
    """The same after the other one."""
    original: str = ""
    transformed: str = ""
    reason: str = ""
    """What could not be shown, if somebody tried."""

    def __str__(self) -> str:
        """The case, in one sentence."""
        sizes = ", ".join(f"{name} = {value}" for name, value in self.parameters)
        where = f"for {sizes}: " if sizes else ""
        first, second = _source(self.original), _source(self.transformed)
        values = f"{self.element} is {self.before}{first} before, {self.after}{second} now"
        return f"not equivalent: {where}{values}"


def _source(instance: str) -> str:
    """Where a value comes from, in parentheses.

    >>> _source("S1 at (i = 2), line 7"), _source(NOTHING_WRITES), _source("")
    (' (by S1 at (i = 2), line 7)', ' (nothing writes it)', '')
    """
    if not instance:
        return ""
    return f" ({instance})" if instance == NOTHING_WRITES else f" (by {instance})"
