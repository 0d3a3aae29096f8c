"""How many bytes a compiler makes of a program: its machine code alone."""

from __future__ import annotations

import tempfile
from pathlib import Path

from loopwright.basics.names import FreshNames
from loopwright.model.expressions import Identifier, names_in
from loopwright.model.loop_ast import (
    For,
    LoopAst,
    User,
    expressions,
    macro_definitions,
    walk,
)
from loopwright.tuning.toolchain import COMPILE_SECONDS, CannotRun, Toolchain, output_of


def object_bytes(content: bytes, name: str, toolchain: Toolchain) -> int:
    """The machine code of a program, as the compiler makes it; :class:`CannotRun` if it cannot."""
    with tempfile.TemporaryDirectory(prefix="loopwright-") as folder:
        source = Path(folder) / f"program{Path(name).suffix or '.c'}"
        source.write_bytes(content)
        made = source.with_suffix(".o")
        # What is optimized when it is linked is no machine code yet.
        toolchain.with_flags("-fno-lto").make_object(source, made)
        sections = _code_sections(output_of(["size", "-A", str(made)], COMPILE_SECONDS, "size"))
    if not sum(sections):
        raise CannotRun("the compiler makes no machine code of it")
    return sum(sections)


def _code_sections(printed: str) -> list[int]:
    r"""The sizes of what is executed, from the table of all sections.

    >>> _code_sections("section  size  addr\n.text  12  0\n.data  8  0\n.text.hot  4  0\n")
    [12, 4]
    """
    rows = (line.split() for line in printed.splitlines())
    return [int(row[1]) for row in rows if len(row) == 3 and row[0].startswith(".text")]


def loops_bytes(ast: LoopAst, toolchain: Toolchain) -> int:
    """The machine code of generated loops, in which statements are calls."""
    return object_bytes(loops_program(ast).encode(), "loops.c", toolchain)


def loops_program(ast: LoopAst) -> str:
    """Generated loops as a C program that can be compiled: one function of the parameters.

    >>> from loopwright.model.expressions import Constant, Operation, Operator
    >>> c0, n = Identifier("c0"), Identifier("n")
    >>> call = User(Operation(Operator.CALL, (Identifier("S"), c0)))
    >>> end = Operation(Operator.LESS, (c0, n))
    >>> print(loops_program(LoopAst(For("c0", Constant(0), end, 1, call))), end="")
    void S(long);
    void loops(long n)
    {
    for (long c0 = 0; c0 < n; c0 += 1)
      S(c0);
    }
    """
    calls, parameters = _calls(ast), parameters_of(ast)
    declared = [
        f"void {name}({', '.join(['long'] * count) or 'void'});" for name, count in calls.items()
    ]
    name = FreshNames({*calls, *parameters}).fresh("loops")
    head = f"void {name}({', '.join(f'long {each}' for each in parameters) or 'void'})"
    text = ast.to_c(iterator_type="long")
    return macro_definitions(ast) + "\n".join([*declared, head, "{", text + "}", ""])


def parameters_of(ast: LoopAst) -> list[str]:
    """The symbolic constants that the loops use."""
    nodes = list(walk(ast.root))
    iterators = {node.iterator for node in nodes if isinstance(node, For)}
    used = {name for node in nodes for each in expressions(node) for name in names_in(each)}
    return sorted(used - iterators - set(_calls(ast)))


def _calls(ast: LoopAst) -> dict[str, int]:
    """The statements, and how many arguments they have."""
    found: dict[str, int] = {}
    for node in walk(ast.root):
        if isinstance(node, User):
            name, *arguments = node.statement.operands
            assert isinstance(name, Identifier), "a statement has a name"
            found[name.name] = len(arguments)
    return found
