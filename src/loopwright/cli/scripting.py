"""Your own transformation: ``loopwright script``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from loopwright.cli.application import app
from loopwright.cli.files import Reporting, input_of, question_of, read_options
from loopwright.cli.guarding import guarded
from loopwright.cli.optimizing import (
    FLAGS,
    SECONDS,
    USUAL,
    AsDiff,
    AsJson,
    CertificateFile,
    Compiler,
    CompilerFlags,
    InPlace,
    NoProof,
    Quiet,
    Run,
    Sizes,
    Timeout,
    certified_form,
    compiler_of,
    compiling_of,
    form_of,
    machine_of,
    require_time,
    words_of,
)
from loopwright.cli.options import (
    CFile,
    Context,
    Define,
    Function,
    Include,
    NonNegative,
    Output,
    Standard,
    SystemInclude,
)
from loopwright.cli.working import Changes, Job, ScriptFile


@app.command()
def script(
    called: typer.Context,
    file: CFile,
    script: Annotated[str, typer.Argument(help="A script, or - for standard input.")],
    step: Annotated[bool, typer.Option("--step", help="Show the loops after each step.")] = False,
    as_json: AsJson = False,
    as_diff: AsDiff = False,
    in_place: InPlace = False,
    no_proof: NoProof = False,
    certificate: CertificateFile = None,
    timeout: Timeout = SECONDS,
    run: Run = False,
    size: Sizes = "",
    cc: Compiler = USUAL,
    cflags: CompilerFlags = FLAGS,
    quiet: Quiet = False,
    function: Function = None,
    include: Include = None,
    system_include: SystemInclude = None,
    define: Define = None,
    standard: Standard = "gnu11",
    context: Context = None,
    assume_non_negative: NonNegative = False,
    output: Output = None,
) -> None:
    """Transform the loops of a C file as a script says, prove it, and print the whole program."""
    if file == script == "-":
        raise typer.BadParameter("only one of the program and the script can be -")
    form = form_of(file, as_json, as_diff, in_place, output, quiet)
    form = certified_form(form, file, certificate, no_proof)
    compiled = compiler_of(cc), words_of("--cflags", cflags)
    compiling = compiling_of(called, run, compiled, size)
    require_time(timeout)
    steps = _script_file(script, step)
    name, content = input_of(file)
    changes = Changes(True, not no_proof, False, (), machine_of(None), steps)
    options = partial(read_options, include, system_include, define, standard, compiled)
    question = partial(question_of, function, context, assume_non_negative, False)
    guarded(Job(name, content, options, question, changes, form, compiling), timeout, name)


def _script_file(path: str, steps: bool) -> ScriptFile:
    from loopwright.basics.diagnostics import Diagnostic, InputError
    from loopwright.basics.spans import whole_file

    name, content = input_of(path)
    with Reporting(name, content):
        try:
            text = content.decode()
        except UnicodeDecodeError:
            problem = Diagnostic("LW811", "the script is not text in UTF-8", whole_file(name))
            raise InputError(problem) from None
    return ScriptFile(name, text, Path(path).parent if path != "-" else Path(), steps)
