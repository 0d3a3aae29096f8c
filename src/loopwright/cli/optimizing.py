"""A faster program: ``loopwright optimize``."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loopwright.basics.diagnostics import Diagnostic, shortened
from loopwright.cli.application import app
from loopwright.cli.files import ANSWER_IS_NO, BAD_INPUT, Reporting, input_of, tell, write
from loopwright.cli.guarding import Watch, guarded
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
    SystemInclude,
    question_of,
    read_options,
)

if TYPE_CHECKING:
    from loopwright.choosing import Wanted
    from loopwright.frontend.clang_library import ReadOptions
    from loopwright.frontend.reading import Question
    from loopwright.model.scop import Scop
    from loopwright.pipeline import Outcome
    from loopwright.targets.machine import Machine

MACHINE = "LOOPWRIGHT_MACHINE"
"""The variable of the environment that names a description, where ``--machine`` does not."""
SECONDS, MOST_SECONDS = 60.0, 1e6

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
    str, typer.Option("--cc", envvar="CC", metavar="COMMAND", help="The C compiler for a run.")
]
CompilerFlags = Annotated[
    str, typer.Option("--cflags", metavar="FLAGS", help="How the programs of a run are compiled.")
]


@dataclass(frozen=True, slots=True)
class Form:
    """What is written, and where."""

    as_json: bool
    as_diff: bool
    output: Path | None
    is_quiet: bool


@dataclass(frozen=True, slots=True)
class Compiling:
    """How to compile a program that is to be run, and with which sizes to call it."""

    command: tuple[str, ...]
    flags: tuple[str, ...]
    sizes: dict[str, int]
    is_rounded: bool


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A program, how to read it, and what to do with it."""

    name: str
    content: bytes
    options: ReadOptions
    question: Question
    form: Form
    compiling: Compiling | None


@app.command()
def optimize(
    called: typer.Context,
    file: CFile,
    reschedule: Annotated[
        bool,
        typer.Option("--reschedule/--no-reschedule", help="Look for a better order of the loops."),
    ] = True,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the program and what was decided as JSON.")
    ] = False,
    as_diff: Annotated[bool, typer.Option("--diff", help="Print what changed.")] = False,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Replace the file, at once or not at all.")
    ] = False,
    no_proof: Annotated[
        bool, typer.Option("--no-proof", help="Do not prove that the new program is the same.")
    ] = False,
    reassociate: Reassociate = False,
    machine: MachineFile = None,
    tile_sizes: TileSizes = "",
    timeout: Timeout = SECONDS,
    run: Run = False,
    size: Sizes = "",
    cc: Compiler = "gcc",
    cflags: CompilerFlags = "-O3 -march=native -fopenmp",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no report.")] = False,
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
    form = _form(file, as_json, as_diff, in_place, output, quiet)
    sizes, compiling = _tile_sizes(tile_sizes), _compiling(called, run, cc, cflags, size)
    if not 0 < timeout <= MOST_SECONDS:
        reason = f"there must be some time, and at most {MOST_SECONDS:.0f} seconds"
        raise typer.BadParameter(f"--timeout {timeout:g}: {reason}")
    chosen = _machine(machine)
    name, content = input_of(file)

    def work(watch: Watch) -> None:
        # Only the child loads the compiler: it never has to take it down again.
        from loopwright.choosing import Wanted

        with Reporting(name, content):
            options = read_options(include, system_include, define, standard)
            question = question_of(function, context, assume_non_negative, autodetect)
            job = Job(name, content, options, question, form, compiling)
            given = Wanted(
                reschedule, not no_proof, chosen, tile_sizes=sizes, reassociates=reassociate
            )
            _optimize(job, given, watch)

    guarded(work, timeout, name)


def _form(
    file: str, as_json: bool, as_diff: bool, in_place: bool, output: Path | None, is_quiet: bool
) -> Form:
    if as_json and as_diff:
        raise typer.BadParameter("only one of --json and --diff can be printed")
    if in_place and (as_json or as_diff or output is not None):
        raise typer.BadParameter("--in-place writes the program to its file: no --json, --diff, -o")
    if in_place and file == "-":
        raise typer.BadParameter("--in-place needs a file, and - is none")
    return Form(as_json, as_diff, Path(file) if in_place else output, is_quiet)


def _tile_sizes(text: str) -> tuple[int, ...]:
    parts = [each.strip() for each in text.split(",")] if text else []
    if not all(re.fullmatch("[0-9]{1,10}", each) and 0 < int(each) < 2**31 for each in parts):
        reason = "sizes are positive integers, as in 32,64"
        raise typer.BadParameter(f"--tile-sizes {shortened(text)}: {reason}")
    return tuple(map(int, parts))


def _values(text: str) -> dict[str, int]:
    """The sizes for a run: ``n=1000,m=500``."""
    found: dict[str, int] = {}
    for part in text.split(",") if text else []:
        name, _, value = (each.strip() for each in part.partition("="))
        if not name.isidentifier() or not re.fullmatch("-?[0-9]{1,18}", value):
            raise typer.BadParameter(f"--size {shortened(text)}: write it as n=1000,m=500")
        found[name] = int(value)
    return found


def _compiling(
    called: typer.Context, run: bool, cc: str, cflags: str, size: str
) -> Compiling | None:
    """How to compile, if it is to be run; options that would do nothing are refused."""
    sizes = _values(size)
    if run:
        is_rounded = bool(called.params["reassociate"])
        return Compiling(_words("--cc", cc), _words("--cflags", cflags), sizes, is_rounded)
    for option in ("size", "cc", "cflags"):
        source = called.get_parameter_source(option)
        if source is not None and source.name == "COMMANDLINE":
            raise typer.BadParameter(f"--{option} is about a run: it needs --run")
    return None


def _words(option: str, text: str) -> tuple[str, ...]:
    """The words of a command, as a shell divides it."""
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        reason = str(error).lower()
        raise typer.BadParameter(f"{option} {shortened(text)}: {reason}") from None


def _machine(path: Path | None) -> Machine:
    from loopwright.tuning.machines import machine_from_file, machine_of_system

    if path is None:
        return machine_of_system()
    if str(path) == "-":
        raise typer.BadParameter("--machine needs a file, and - is none")
    name, content = input_of(str(path))
    with Reporting(name, content):
        return machine_from_file(name, content)


def _optimize(job: Job, given: Wanted, watch: Watch) -> None:
    """The whole command, once everything is known."""
    from loopwright.pipeline import NoProof, optimize_source
    from loopwright.report.optimizations import optimization_text

    wanted = replace(given, deadline=watch.deadline, skipped=watch.skipped)
    try:
        result = optimize_source(
            job.name, job.content, job.options, job.question, wanted, watch.begin
        )
    except NoProof as failure:
        tell([failure.diagnostic], job.name, job.content)
        raise typer.Exit(ANSWER_IS_NO) from None
    text = optimization_text(result) if wanted.reschedule and not job.form.is_quiet else ""
    watch.done()
    tell(result.notes, job.name, job.content)
    typer.echo(text, err=True, nl=False)
    is_run = job.compiling is None or run_both(job, job.compiling, result)
    _write(job.form, result)
    if not is_run:
        raise typer.Exit(BAD_INPUT)


def _write(form: Form, result: Outcome) -> None:
    from loopwright.report.differences import difference
    from loopwright.report.optimization_documents import result_document

    if form.as_json:
        document = json.dumps(result_document(result), indent=2, ensure_ascii=False)
        write(document + "\n", form.output)
    elif form.as_diff:
        write(difference(result), form.output)
    elif form.output is None or result.content != result.original or not _is_same(form, result):
        write(result.content, form.output)


def _is_same(form: Form, result: Outcome) -> bool:
    """Would the file that is replaced be the same?"""
    output = form.output
    return output is not None and str(output) == result.name


# --- a run ----------------------------------------------------------------------------------------


def run_both(job: Job, compiling: Compiling, result: Outcome) -> bool:
    """Run the program before and after, and tell what came out; could it be done?

    A program that computes something else ends the command, before anything is written.
    """
    from loopwright.tuning.measuring import Different, Trial, gain_text, measured, threads
    from loopwright.tuning.toolchain import CannotRun, Toolchain

    scops = [region.scop for region in result.regions if region.text is not None]
    if not scops:
        typer.echo("nothing is new, so that there is nothing to measure", err=True)
        return True
    toolchain = Toolchain(
        compiling.command,
        compiling.flags,
        _reading_flags(job.options),
        Path(job.name).parent,
    )
    trial = Trial(
        job.name,
        result.original,
        result.content,
        job.options,
        toolchain,
        compiling.sizes,
        is_exact=not compiling.is_rounded,
    )
    try:
        found = measured(trial, scops, _progress())
    except Different as failure:
        tell([_other_results(scops[0], failure.what)], job.name, job.content)
        raise typer.Exit(ANSWER_IS_NO) from None
    except CannotRun as problem:
        tell([_not_run(scops[0], problem.reason)], job.name, job.content)
        return False
    command = shlex.join((*compiling.command, *compiling.flags))
    typer.echo(f"\nmeasured  ({command}, {threads()} threads)", err=True)
    for each in found:
        typer.echo(f"  {gain_text(each)}", err=True)
    return True


def _reading_flags(options: ReadOptions) -> tuple[str, ...]:
    include = [part for folder in options.include for part in ("-I", folder)]
    system = [part for folder in options.system_include for part in ("-isystem", folder)]
    defined = [f"-D{macro}" for macro in options.define]
    return (f"-std={options.standard}", *include, *system, *defined)


def _other_results(scop: Scop, what: str) -> Diagnostic:
    message = f"the new program computes something else: {what}"
    hint = "nothing was written"
    return Diagnostic("LW902", message, scop.span, hint)


def _not_run(scop: Scop, reason: str) -> Diagnostic:
    hint = "the new program is written all the same"
    return Diagnostic("LW603", f"the program is not run: {reason}", scop.span, hint)


def _progress() -> Callable[[str], None]:
    """Lines on a terminal, each in the place of the one before."""
    if not sys.stderr.isatty():
        return lambda _: None
    return lambda text: typer.echo(f"\r\033[K{text}...\r", err=True, nl=False)
