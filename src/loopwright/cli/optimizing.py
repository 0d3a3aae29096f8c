"""A faster program: ``loopwright optimize``."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loopwright.basics.diagnostics import shortened
from loopwright.cli.application import app
from loopwright.cli.files import Reporting, input_of, question_of, read_options
from loopwright.cli.guarding import guarded
from loopwright.cli.options import (
    Autodetect,
    CFile,
    Context,
    Define,
    Function,
    Include,
    NonNegative,
    Output,
    Standard,
    StoreFile,
    SystemInclude,
    store_of,
)
from loopwright.cli.working import Budget, Changes, Compiling, Form, Job, StoredTrials

if TYPE_CHECKING:
    from loopwright.targets.machine import Machine

MACHINE = "LOOPWRIGHT_MACHINE"
"""The variable of the environment that names a description, where ``--machine`` does not."""
SECONDS, MOST_SECONDS = 60.0, 1e6
FLAGS = "-O3 -march=native -fopenmp"
USUAL = "gcc, cc or clang"
"""The compiler of those who name none: the first of these that is there."""

Reassociate = Annotated[
    bool, typer.Option("--reassociate", help="Sums and their like may be computed in parts.")
]
MachineFile = Annotated[
    Path | None,
    typer.Option(
        "--machine",
        metavar="FILE",
        envvar=MACHINE,
        help="A description of the machine in TOML; else it is the one that this runs on.",
    ),
]
TileSizes = Annotated[
    str, typer.Option(metavar="SIZE,...", help="Of each nest's tiled loops, outermost first.")
]
Timeout = Annotated[
    float, typer.Option(metavar="SECONDS", help="An answer, or a message, within this time.")
]
Run = Annotated[
    bool, typer.Option("--run", help="Compile and run both programs: same results? How fast?")
]
Sizes = Annotated[
    str, typer.Option("--size", metavar="NAME=N,...", help="What the parameters are in a run.")
]
Compiler = Annotated[
    str,
    typer.Option("--cc", envvar="CC", metavar="COMMAND", help="The C compiler of the program."),
]
CompilerFlags = Annotated[
    str, typer.Option("--cflags", metavar="FLAGS", help="How the program is compiled.")
]


AsJson = Annotated[
    bool, typer.Option("--json", help="Print the program and what was decided as JSON.")
]
AsDiff = Annotated[bool, typer.Option("--diff", help="Print what changed.")]
InPlace = Annotated[
    bool, typer.Option("--in-place", help="Replace the file, at once or not at all.")
]
NoProof = Annotated[
    bool, typer.Option("--no-proof", help="Do not prove that the new program is the same.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print no report.")]
ReportFile = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", help="Write down failures of loopwright, to send."),
]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Tell all of every region, however long that is.")
]
Strict = Annotated[
    bool, typer.Option("--strict", help="It is an error if a region is left as it is for a reason.")
]
CodeBudget = Annotated[
    int | None,
    typer.Option(metavar="BYTES", min=1, help="The best program whose machine code fits."),
]
Tuned = Annotated[
    bool,
    typer.Option("--tuned/--no-tuned", help="Do what was best, if the program was tuned here."),
]
CertificateFile = Annotated[
    Path | None,
    typer.Option(
        "--certificate", metavar="FILE", help="Write down what was proved, for others to check."
    ),
]


@app.command()
def optimize(
    called: typer.Context,
    file: CFile,
    reschedule: Annotated[
        bool,
        typer.Option("--reschedule/--no-reschedule", help="Look for a better order of the loops."),
    ] = True,
    as_json: AsJson = False,
    as_diff: AsDiff = False,
    in_place: InPlace = False,
    no_proof: NoProof = False,
    certificate: CertificateFile = None,
    reassociate: Reassociate = False,
    machine: MachineFile = None,
    tile_sizes: TileSizes = "",
    code_budget: CodeBudget = None,
    timeout: Timeout = SECONDS,
    run: Run = False,
    size: Sizes = "",
    cc: Compiler = USUAL,
    cflags: CompilerFlags = FLAGS,
    tuned: Tuned = True,
    store: StoreFile = None,
    quiet: Quiet = False,
    strict: Strict = False,
    verbose: Verbose = False,
    report: ReportFile = None,
    function: Function = None,
    autodetect: Autodetect = False,
    include: Include = None,
    system_include: SystemInclude = None,
    define: Define = None,
    standard: Standard = "gnu11",
    context: Context = None,
    assume_non_negative: NonNegative = False,
    output: Output = None,
) -> None:
    """Give the loops of a C file a faster order, prove it, and print the whole program."""
    form = form_of(file, as_json, as_diff, in_place, output, quiet)
    form = replace(certified_form(form, file, certificate, no_proof), is_strict=strict)
    refuse_overwriting("--report", report, {"-o": form.output, "the program": Path(file)})
    form = replace(form, is_verbose=verbose, report=report)
    has_budget = code_budget is not None
    command, flags = compiled = compiler_of(cc), words_of("--cflags", cflags)
    compiling = compiling_of(called, run, compiled, size)
    sizes = _tile_sizes(tile_sizes)
    require_time(timeout)
    changes = Changes(reschedule, not no_proof, reassociate, sizes, machine_of(machine))
    if code_budget is not None:
        changes = replace(changes, budget=Budget(code_budget, command, flags))
    place = store_of(store)
    if tuned and reschedule and not (reassociate or sizes or has_budget) and place.exists():
        asked = (function, context, assume_non_negative, autodetect)
        changes = replace(changes, trials=StoredTrials(place, *asked))
    name, content = input_of(file)
    options = partial(read_options, include, system_include, define, standard, compiled)
    question = partial(question_of, function, context, assume_non_negative, autodetect)
    guarded(Job(name, content, options, question, changes, form, compiling), timeout, name)


def require_time(timeout: float) -> None:
    """Refuse a limit that is none."""
    if not 0 < timeout <= MOST_SECONDS:
        reason = f"there must be some time, and at most {MOST_SECONDS:.0f} seconds"
        raise typer.BadParameter(f"--timeout {timeout:g}: {reason}")


def form_of(
    file: str, as_json: bool, as_diff: bool, in_place: bool, output: Path | None, is_quiet: bool
) -> Form:
    """What is to be written, and where; what makes no sense is refused."""
    if as_json and as_diff:
        raise typer.BadParameter("only one of --json and --diff can be printed")
    if in_place and (as_json or as_diff or output is not None):
        raise typer.BadParameter("--in-place writes the program to its file: no --json, --diff, -o")
    if in_place and file == "-":
        raise typer.BadParameter("--in-place needs a file, and - is none")
    return Form(as_json, as_diff, Path(file) if in_place else output, is_quiet)


def certified_form(form: Form, file: str, certificate: Path | None, no_proof: bool) -> Form:
    """The same, with a certificate if one is wanted."""
    if certificate is not None and no_proof:
        raise typer.BadParameter("--certificate needs the proof that --no-proof leaves out")
    refuse_overwriting("--certificate", certificate, {"-o": form.output, "the program": Path(file)})
    return replace(form, certificate=certificate)


def refuse_overwriting(
    option: str, written: Path | None, others: Mapping[str, Path | None]
) -> None:
    """Refuse to write one file over another that the command needs, whatever they are called."""
    for name, other in others.items():
        if written is not None and other is not None and _is_same_file(written, other):
            raise typer.BadParameter(f"{option} {written} is the file of {name}")


def _is_same_file(one: Path, other: Path) -> bool:
    """A terminal, a pipe or /dev/null may be named twice."""
    if one.exists() and other.exists():
        return one.is_file() and one.samefile(other)
    return os.path.realpath(one) == os.path.realpath(other)


def _tile_sizes(text: str) -> tuple[int, ...]:
    parts = [each.strip() for each in text.split(",")] if text else []
    if not all(re.fullmatch("[0-9]{1,10}", each) and 0 < int(each) < 2**31 for each in parts):
        reason = "sizes are positive integers, as in 32,64"
        raise typer.BadParameter(f"--tile-sizes {shortened(text)}: {reason}")
    return tuple(map(int, parts))


def values_of(text: str) -> dict[str, int]:
    """The sizes for a run: ``n=1000,m=500``."""
    found: dict[str, int] = {}
    for part in text.split(",") if text else []:
        name, _, value = (each.strip() for each in part.partition("="))
        if not name.isidentifier() or not re.fullmatch("-?[0-9]{1,18}", value):
            raise typer.BadParameter(f"--size {shortened(text)}: write it as n=1000,m=500")
        if name in found:
            raise typer.BadParameter(f"--size {shortened(text)}: {name} is there twice")
        found[name] = int(value)
    return found


def compiling_of(
    called: typer.Context, run: bool, compiled: tuple[tuple[str, ...], tuple[str, ...]], size: str
) -> Compiling | None:
    """How to compile, if it is to be run; options that would do nothing are refused."""
    sizes = values_of(size)
    if run:
        return Compiling(*compiled, sizes)
    refuse_idle(called, run, ("size",), "--run")
    return None


def refuse_idle(called: typer.Context, is_used: bool, options: Sequence[str], needed: str) -> None:
    """Refuse options that would do nothing without another one."""
    for option in () if is_used else options:
        source = called.get_parameter_source(option)
        if source is not None and source.name == "COMMANDLINE":
            name = option.replace("_", "-")
            raise typer.BadParameter(f"--{name} needs {needed}: it would do nothing")


def compiler_of(text: str) -> tuple[str, ...]:
    """The words of ``--cc``, or the usual compiler."""
    if text == USUAL:
        from loopwright.frontend.compilers import usual_command

        return usual_command()
    words = words_of("--cc", text)
    if not words or not words[0]:
        raise typer.BadParameter("--cc names no compiler")
    return words


def words_of(option: str, text: str) -> tuple[str, ...]:
    """The words of a command, as a shell divides it."""
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        reason = str(error).lower()
        raise typer.BadParameter(f"{option} {shortened(text)}: {reason}") from None


def machine_of(path: Path | None) -> Machine:
    """What a file describes, or this machine."""
    from loopwright.tuning.machines import machine_from_file, machine_of_system

    if path is None:
        return machine_of_system()
    if str(path) == "-":
        raise typer.BadParameter("--machine needs a file, and - is none")
    name, content = input_of(str(path))
    with Reporting(name, content):
        return machine_from_file(name, content)
