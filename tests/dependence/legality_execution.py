"""Rescheduled programs really run: emitted as C, compiled, and compared bit for bit.

Beside each program runs a copy of its loops that prints which instances it visits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from loopwright.basics.diagnostics import InputError
from loopwright.codegen.generation import generate
from loopwright.codegen.options import AstOptions
from loopwright.emit.files import code_alone, region_end, replacement
from loopwright.emit.locals import region_names
from loopwright.emit.placement import placing
from loopwright.emit.pointers import pointers_to_ask
from loopwright.emit.refusal import CannotEmit
from loopwright.emit.regions import region_text, representable, type_ranges
from loopwright.frontend.reading import read_c
from loopwright.model.loop_ast import LoopAst
from loopwright.model.proofs import rewriting
from loopwright.model.scop import Scop
from tests.emit.running import STANDARD, output_of

from .legality_programs import SUPPORT, Subject
from .schedules import Scheduled
from .symbolic_execution import Instance, Values

VISITING = """\
static void visit(const char *name, long *values, int count) {
  printf("%s", name);
  for (int k = 1; k <= count; k++) printf(" %ld", values[k]);
  printf("\\n");
}
"""


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A program, its new order, and the parameters to run it with."""

    subject: Subject
    scop: Scop
    schedule: Scheduled
    values: tuple[Values, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """What happened: the output before and after, and the visits for each of the parameters."""

    before: str
    after: str
    visits: tuple[tuple[Instance, ...], ...]


def traces(trials: Sequence[Trial], folder: Path) -> list[Trace | None]:
    """Run all of them in one program; none for what our generator finds too complex."""
    pieces = [SUPPORT, VISITING]
    calls: list[str] = []
    done: list[bool] = []
    for number, trial in enumerate(trials):
        try:
            pieces += _texts(number, trial)
        except (CannotEmit, InputError):
            done.append(False)
            continue
        done.append(True)
        calls += [f"main_{2 * number}();", _separator("="), f"main_{2 * number + 1}();"]
        for values in trial.values:
            arguments = ", ".join(str(values[each.name]) for each in trial.scop.parameters)
            calls += [_separator("="), f"visits_{number}({arguments});"]
        calls.append(_separator("#"))
    source = folder / "rescheduled.c"
    source.write_text("\n".join([*pieces, f"int main(void) {{ {' '.join(calls)} return 0; }}\n"]))
    outputs = iter(output_of(source, folder, [*STANDARD, "-O1", "-w"]).split("#\n"))
    return [_parsed(next(outputs)) if is_done else None for is_done in done]


def _separator(sign: str) -> str:
    return f'printf("{sign}\\n");'


def _parsed(output: str) -> Trace:
    before, after, *visited = output.split("=\n")
    return Trace(before, after, tuple(tuple(map(_visit, each.splitlines())) for each in visited))


def _visit(line: str) -> Instance:
    name, *values = line.split()
    return name, tuple(map(int, values))


def _texts(number: int, trial: Trial) -> list[str]:
    """The program before and after, and the loops that print their visits."""
    subject = trial.subject
    old = subject.text(2 * number)
    new, loops = rescheduled(subject.text(2 * number + 1), trial.schedule)
    mains = [subject.main(2 * number + k, trial.values) for k in range(2)]
    return [old, mains[0], new, mains[1], _visiting(number, trial.scop, loops)]


def rescheduled(text: str, schedule: Scheduled) -> tuple[str, LoopAst]:
    """The program with its region in another order."""
    (scop,) = read_c(text)
    content = text.encode()
    source = code_alone(content[scop.span.start : region_end(content, scop, is_marked=True)])
    names = region_names(scop, text)
    options = AstOptions(iterators=names.iterators, at_each_statement=placing(scop))
    context = scop.context & representable(scop.parameters)
    loops = generate(schedule, context=context, options=options)
    new = region_text(
        scop,
        loops,
        names,
        guaranteed=type_ranges(scop.parameters),
        pointers=pointers_to_ask(scop.parameters, source),
    )
    there = replacement(content, scop, new, in_braces=False, unit="  ")
    new_content = rewriting(scop.span.file, content, [(there.start, there.end, there.text)]).after
    return new_content.decode(), loops


def _visiting(number: int, scop: Scop, loops: LoopAst) -> str:
    lines = []
    for each in scop.statements:
        visit = f'visit("{each.name}", (long[]){{0, ##__VA_ARGS__}}, {len(each.iterators)})'
        lines += [f"#undef {each.name}", f"#define {each.name}(...) {visit}"]
    parameters = ", ".join(f"long {each.name}" for each in scop.parameters)
    lines.append(f"static void visits_{number}({parameters}) {{")
    lines.append(loops.to_c(iterator_type="long", definitions=True))
    lines += ["}", *(f"#undef {each.name}" for each in scop.statements)]
    return "\n".join([*lines, ""])
