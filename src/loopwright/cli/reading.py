"""What a program is: ``loopwright model`` and ``loopwright deps``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from loopwright.cli.application import app
from loopwright.cli.files import (
    Reporting,
    input_of,
    question_of,
    read_options,
    tell_notes,
    write,
)
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
)

if TYPE_CHECKING:
    from loopwright.model.scop import Scop


@app.command()
def model(
    file: CFile,
    as_json: Annotated[bool, typer.Option("--json", help="Print the model as JSON.")] = False,
    as_yaml: Annotated[bool, typer.Option("--yaml", help="Print the model as YAML.")] = False,
    as_text: Annotated[bool, typer.Option("--text", help="Print the model for people.")] = False,
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
    """Read the regions of a C file and print their polyhedral models.

    YAML by default; a page for people when the output is a terminal.
    """
    from loopwright.frontend.reading import answering_deep_nesting, read_source

    name, content = input_of(file)
    with Reporting(name, content), answering_deep_nesting(name):
        options = read_options(include, system_include, define, standard)
        question = question_of(function, context, assume_non_negative, autodetect)
        reading = read_source(name, content, options, question)
        tell_notes(reading, name, content)
        for_people = as_text or (output is None and sys.stdout.isatty() and not as_yaml)
        form = "json" if as_json else "text" if for_people else "yaml"
        write(_rendered_models(reading.scops, form), output)


def _rendered_models(scops: Sequence[Scop], form: str) -> str:
    if form == "text":
        from loopwright.model.display import scop_text

        # The notes are on standard error already.
        return "\n\n".join(scop_text(scop, with_notes=False) for scop in scops) + "\n"
    from loopwright.model.documents import dump_model

    return dump_model(scops, form)


@app.command()
def deps(
    file: CFile,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    as_dot: Annotated[bool, typer.Option("--dot", help="Print the graph for Graphviz.")] = False,
    as_svg: Annotated[bool, typer.Option("--svg", help="Draw the graph.")] = False,
    explain: Annotated[
        int | None,
        typer.Option(metavar="LINE", min=1, help="Tell about the loop or statement on this line."),
    ] = None,
    inputs: Annotated[bool, typer.Option("--inputs", help="Pairs of reads, too.")] = False,
    memory: Annotated[
        bool, typer.Option("--memory", help="By memory: no write ends the life of a value.")
    ] = False,
    max_operations: Annotated[int | None, typer.Option(min=1, help="Of isl.")] = None,
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
    """Tell which iterations of the regions of a C file depend on which, and what that forbids."""
    from loopwright.frontend.reading import answering_deep_nesting, read_source
    from loopwright.report.explanations import source_lines
    from loopwright.report.texts import Form, dependences_text, explanation_text
    from loopwright.report.verdicts import Asked

    forms = {Form.JSON: as_json, Form.DOT: as_dot, Form.SVG: as_svg}
    chosen = [form for form, is_wanted in forms.items() if is_wanted] or [Form.TABLE]
    if len(chosen) > 1 or (explain is not None and chosen != [Form.TABLE]):
        raise typer.BadParameter("only one of --json, --dot, --svg and --explain can be printed")
    asked = Asked(inputs, "memory" if memory else "value", max_operations)
    name, content = input_of(file)
    with Reporting(name, content), answering_deep_nesting(name):
        options = read_options(include, system_include, define, standard)
        question = question_of(function, context, assume_non_negative, autodetect)
        reading = read_source(name, content, options, question)
        tell_notes(reading, name, content)
        if explain is None:
            write(dependences_text(reading.scops, chosen[0], asked), output)
        else:
            source = source_lines(name, content)
            write(explanation_text(reading.scops, explain, source, asked), output)
