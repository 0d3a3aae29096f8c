"""A better order: ``loopwright schedule`` and ``loopwright explain``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loopwright.basics.records import record
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
    Engine,
    Function,
    Include,
    NonNegative,
    Output,
    Standard,
    SystemInclude,
)

if TYPE_CHECKING:
    from loopwright.frontend.clang_library import ReadOptions
    from loopwright.frontend.reading import Question
    from loopwright.report.schedule_texts import ScheduleForm
    from loopwright.report.schedules import Wanted
    from loopwright.scheduling.options import SchedulerOptions


class Preset(Enum):
    """Whose defaults to begin with."""

    PPCG = "ppcg"
    ISL = "isl"


class Fallback(Enum):
    """What makes a loop where no band begins with a parallel one."""

    FEAUTRIER = "feautrier"
    WAVEFRONT = "wavefront"
    ORIGINAL = "original"
    SINGLE = "single"
    VALIDITY = "validity"


PresetOption = Annotated[Preset, typer.Option(help="Whose defaults the options have.")]
FallbackOption = Annotated[
    Fallback | None, typer.Option(help="What makes a loop where no band has a parallel one.")
]
Serialize = Annotated[bool, typer.Option("--serialize-sccs", help="Fuse nothing.")]
Whole = Annotated[
    bool, typer.Option("--whole-component", help="Schedule all connected statements at once.")
]
NoGroups = Annotated[
    bool, typer.Option("--no-group-chains", help="Schedule each statement of a chain by itself.")
]
NoReordering = Annotated[
    bool, typer.Option("--no-live-range-reordering", help="Values keep their turns in memory.")
]
MaxCoefficient = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="No factor is larger in a band of Pluto's.")
]
MaxConstant = Annotated[
    int | None, typer.Option(metavar="N", min=0, help="No constant is larger in a band of Pluto's.")
]
TimeLimit = Annotated[
    float | None, typer.Option(metavar="SECONDS", help="For each region; 60 if not given.")
]
MaxOperations = Annotated[
    int | None, typer.Option(min=1, help="Of isl, for the dependences and the report.")
]


AsJson = Annotated[
    bool, typer.Option("--json", help="Print the tree, the options and the trace as JSON.")
]
AsYaml = Annotated[bool, typer.Option("--yaml", help="Print the tree as loopwright scan reads it.")]
WithTrace = Annotated[bool, typer.Option("--trace", help="Print what was decided, too.")]
Explain = Annotated[
    int | None,
    typer.Option(metavar="LINE", min=1, help="Tell what became of this line, and why."),
]
Line = Annotated[int, typer.Argument(metavar="LINE", min=1, help="A line of a region.")]


@app.command()
def schedule(
    file: CFile,
    trace: WithTrace = False,
    as_json: AsJson = False,
    as_yaml: AsYaml = False,
    explain: Explain = None,
    preset: PresetOption = Preset.PPCG,
    fallback: FallbackOption = None,
    serialize_sccs: Serialize = False,
    whole_component: Whole = False,
    no_group_chains: NoGroups = False,
    no_live_range_reordering: NoReordering = False,
    max_coefficient: MaxCoefficient = None,
    max_constant: MaxConstant = None,
    time_limit: TimeLimit = None,
    engine: Annotated[Engine, typer.Option(help="isl's is there to compare.")] = Engine.OURS,
    max_operations: MaxOperations = None,
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
    """Find an order for the regions of a C file with parallel, tilable and fused loops."""
    from loopwright.report.schedules import Wanted

    form = _form(as_json=as_json, as_yaml=as_yaml, trace=trace, explain=explain, engine=engine)
    given = {
        "fallback": fallback.value if fallback is not None else None,
        "serialize_sccs": serialize_sccs or None,
        "whole_component": whole_component or None,
        "group_chains": False if no_group_chains else None,
        "max_coefficient": max_coefficient,
        "max_constant_term": max_constant,
        "time_limit": time_limit,
    }
    options = _options(preset, {name: each for name, each in given.items() if each is not None})
    wanted = Wanted(options, engine.value, not no_live_range_reordering, max_operations)
    name, content = input_of(file)
    with Reporting(name, content):
        reading = read_options(include, system_include, define, standard)
        question = question_of(function, context, assume_non_negative, autodetect)
        request = Request(name, content, reading, question, wanted)
        write(_text(request, form, explain), output)


@app.command()
def explain(
    file: CFile,
    line: Line,
    as_json: Annotated[bool, typer.Option("--json", help="Print the text in JSON.")] = False,
    preset: PresetOption = Preset.PPCG,
    time_limit: TimeLimit = None,
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
    """Tell why a loop is not parallel, not tilable or not fused in the new order."""
    from loopwright.report.schedule_texts import ScheduleForm
    from loopwright.report.schedules import Wanted

    wanted = Wanted(_options(preset, {} if time_limit is None else {"time_limit": time_limit}))
    name, content = input_of(file)
    with Reporting(name, content):
        reading = read_options(include, system_include, define, standard)
        question = question_of(function, context, assume_non_negative, autodetect)
        request = Request(name, content, reading, question, wanted)
        text = _text(request, ScheduleForm.TREE, line)
        document = {"format": "loopwright-explanation-1", "file": name, "line": line, "text": text}
        write(json.dumps(document, ensure_ascii=False) + "\n" if as_json else text, output)


@record
class Request:
    """A program, how to read it, and how its regions are to be scheduled."""

    name: str
    content: bytes
    options: ReadOptions
    question: Question
    wanted: Wanted


def _text(request: Request, form: ScheduleForm, line: int | None) -> str:
    from loopwright.frontend.reading import answering_deep_nesting, read_source
    from loopwright.report.explanations import source_lines
    from loopwright.report.schedule_texts import schedule_explanation_text, schedules_text

    name, content = request.name, request.content
    with answering_deep_nesting(name):
        reading = read_source(name, content, request.options, request.question)
        tell_notes(reading, name, content)
        if line is None:
            return schedules_text(reading.scops, form, request.wanted)
        source = source_lines(name, content)
        return schedule_explanation_text(reading.scops, line, source, request.wanted)


def _form(
    *, as_json: bool, as_yaml: bool, trace: bool, explain: int | None, engine: Engine
) -> ScheduleForm:
    from loopwright.report.schedule_texts import ScheduleForm

    forms = {ScheduleForm.JSON: as_json, ScheduleForm.YAML: as_yaml, ScheduleForm.TRACE: trace}
    chosen = [form for form, is_wanted in forms.items() if is_wanted]
    if len(chosen) + (explain is not None) > 1:
        raise typer.BadParameter("only one of --trace, --json, --yaml and --explain can be printed")
    if engine is Engine.ISL and (trace or explain is not None):
        raise typer.BadParameter("isl does not tell why: --trace and --explain need our own engine")
    return chosen[0] if chosen else ScheduleForm.TREE


def _options(preset: Preset, given: Mapping[str, Any]) -> SchedulerOptions:
    from loopwright.scheduling.options import ISL, PPCG

    try:
        return replace(ISL if preset is Preset.ISL else PPCG, **given)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
