"""The command line: ``loopwright model kernel.c``, ``loopwright deps kernel.c``."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loopwright import __version__
from loopwright.basics.diagnostics import Diagnostic, InputError, rendered
from loopwright.basics.spans import whole_file

if TYPE_CHECKING:
    from loopwright.codegen.options import LoopType
    from loopwright.frontend.clang_library import ReadOptions
    from loopwright.frontend.reading import Question, Reading
    from loopwright.model.scop import Scop

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="A loop compiler that gives back a faster program and the proof that it is the same.",
)

BAD_INPUT = 2

CFile = Annotated[str, typer.Argument(help="A C file, or - for standard input.")]
Function = Annotated[str | None, typer.Option(help="Only the regions of this function.")]
Autodetect = Annotated[
    bool, typer.Option("--autodetect", help="Find the regions; no pragmas needed.")
]
Include = Annotated[
    list[str] | None, typer.Option("-I", metavar="DIR", help="Search here for headers.")
]
SystemInclude = Annotated[
    list[str] | None, typer.Option("-isystem", metavar="DIR", help="And here, afterwards.")
]
Define = Annotated[
    list[str] | None, typer.Option("-D", metavar="NAME[=VALUE]", help="Define a macro.")
]
Standard = Annotated[
    str, typer.Option("--std", "-std", metavar="STD", help="The language standard.")
]
Context = Annotated[str | None, typer.Option(help='What is known, e.g. "[n] -> { : n >= 4 }".')]
NonNegative = Annotated[
    bool, typer.Option("--assume-non-negative", help="No parameter is negative.")
]
Output = Annotated[
    Path | None, typer.Option("-o", metavar="FILE", help="Write here, whole or not at all.")
]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Say which.")
    ] = False,
) -> None:
    del version


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

    name, content = _input(file)
    with _Reporting(name, content), answering_deep_nesting(name):
        options = _read_options(include, system_include, define, standard)
        question = _question(function, context, assume_non_negative, autodetect)
        reading = read_source(name, content, options, question)
        _tell_notes(reading, name, content)
        for_people = as_text or (output is None and sys.stdout.isatty() and not as_yaml)
        form = "json" if as_json else "text" if for_people else "yaml"
        _write(_rendered_models(reading.scops, form), output)


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
    name, content = _input(file)
    with _Reporting(name, content), answering_deep_nesting(name):
        options = _read_options(include, system_include, define, standard)
        question = _question(function, context, assume_non_negative, autodetect)
        reading = read_source(name, content, options, question)
        _tell_notes(reading, name, content)
        if explain is None:
            _write(dependences_text(reading.scops, chosen[0], asked), output)
        else:
            source = source_lines(name, content)
            _write(explanation_text(reading.scops, explain, source, asked), output)


@app.command()
def optimize(
    file: CFile,
    reschedule: Annotated[
        bool,
        typer.Option("--reschedule/--no-reschedule", help="Look for a better order of the loops."),
    ] = True,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the program and what was decided as JSON.")
    ] = False,
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
    """Generate the regions of a C file anew and print the whole program."""
    from loopwright.pipeline import optimize_source, result_document

    name, content = _input(file)
    with _Reporting(name, content):
        options = _read_options(include, system_include, define, standard)
        question = _question(function, context, assume_non_negative, autodetect)
        result = optimize_source(name, content, options, question, reschedule=reschedule)
        _tell(result.notes, name, content)
        if as_json:
            document = json.dumps(result_document(result), indent=2, ensure_ascii=False)
            _write(document + "\n", output)
        else:
            _write(result.content, output)


# --- scan -----------------------------------------------------------------------------------------


class Engine(Enum):
    """Who generates the loops."""

    OURS = "loopwright"
    ISL = "isl"


LoopTypes = Annotated[
    str,
    typer.Option(
        metavar="TYPE[,...]",
        help="default, separate, atomic or unroll, for members of bands that do not say it; "
        "for a schedule map one a dimension, outermost first.",
    ),
]
IsolatedLoopTypes = Annotated[
    str, typer.Option(metavar="TYPE[,...]", help="The same, inside the isolated part.")
]
Isolated = Annotated[
    str | None, typer.Option(metavar="SET", help="A part of the times with code of its own.")
]
Else = Annotated[bool, typer.Option("--else/--no-else", help="May there be any?")]
Or = Annotated[bool, typer.Option("--or/--no-or", help="May conditions be disjunctions?")]
MinMax = Annotated[bool, typer.Option("--min-max/--no-min-max", help="Or conditional operators.")]
Remainder = Annotated[
    bool, typer.Option("--remainder/--floord", help="% and / where they are right, or floord.")
]
Scale = Annotated[
    bool, typer.Option("--scale/--no-scale", help="May loops with a stride count by one instead?")
]
Lazy = Annotated[bool, typer.Option("--lazy/--eager", help="&& and ||, or & and |.")]
NestedBounds = Annotated[
    bool,
    typer.Option("--nested-bounds/--no-nested-bounds", help="Rely on what inner loops enforce."),
]
UpperBound = Annotated[
    bool, typer.Option("--minimum/--conjunction", help="Upper bounds: one comparison, or many.")
]
Merge = Annotated[
    bool,
    typer.Option("--merge/--no-merge", help="What is beside the isolated part: in its own loop?"),
]
Exact = Annotated[bool, typer.Option("--exact", help="Split loops that would run in vain.")]
Iterators = Annotated[
    str, typer.Option(metavar="NAME,...", help="Names for the iterators, outermost first.")
]


@app.command()
def scan(
    file: Annotated[str, typer.Argument(help="A schedule, or - for standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the loops as JSON.")] = False,
    context: Context = None,
    loop_type: LoopTypes = "default",
    isolate: Isolated = None,
    isolated_loop_type: IsolatedLoopTypes = "",
    allow_else: Else = True,
    allow_or: Or = True,
    detect_min_max: MinMax = True,
    prefer_remainder: Remainder = True,
    scale_strides: Scale = True,
    lazy: Lazy = True,
    exploit_nested_bounds: NestedBounds = True,
    atomic_upper_bound: UpperBound = True,
    merge_isolated_rest: Merge = True,
    exact_projection: Exact = False,
    iterators: Iterators = "",
    iterator_type: Annotated[str, typer.Option(metavar="TYPE", help="Their type.")] = "int",
    definitions: Annotated[bool, typer.Option("--definitions", help="Print the macros.")] = False,
    max_operations: Annotated[int | None, typer.Option(min=1, help="Of isl.")] = None,
    max_nodes: Annotated[int | None, typer.Option(min=1, help="Of the loops.")] = None,
    engine: Annotated[Engine, typer.Option(help="isl's is there to compare.")] = Engine.OURS,
    output: Output = None,
) -> None:
    """Print the loops of a schedule: a tree in isl's YAML, or a domain and a schedule map."""
    from loopwright.codegen.options import AstOptions
    from loopwright.frontend.inputs import parsed_context
    from loopwright.scanning import Request, scan_source

    types = _loop_types(loop_type)
    defaults = AstOptions()
    options = AstOptions(
        loop_type=types[0],
        loop_types=types if len(types) > 1 else (),
        isolated_loop_types=_loop_types(isolated_loop_type) if isolated_loop_type else (),
        exploit_nested_bounds=exploit_nested_bounds,
        atomic_upper_bound=atomic_upper_bound,
        detect_min_max=detect_min_max,
        allow_else=allow_else,
        allow_or=allow_or,
        prefer_remainder=prefer_remainder,
        scale_strides=scale_strides,
        merge_isolated_rest=merge_isolated_rest,
        exact_projection=exact_projection,
        lazy=lazy,
        iterators=_iterators(iterators),
        max_operations=max_operations or defaults.max_operations,
        max_nodes=max_nodes or defaults.max_nodes,
    )
    name, content = _input(file)
    with _Reporting(name, content):
        known = parsed_context(context) if context is not None else None
        request = Request(known, isolate, as_json, iterator_type, definitions, engine.value)
        loops = scan_source(name, content, request, options)
        _tell(loops.notes, name, content)
        _write(loops.text, output)


def _loop_types(text: str) -> tuple[LoopType, ...]:
    from loopwright.codegen.options import LoopType

    try:
        return tuple(LoopType(part.strip()) for part in text.split(","))
    except ValueError:
        known = ", ".join(kind.value for kind in LoopType)
        raise typer.BadParameter(f"{text}: a loop type is one of {known}") from None


def _iterators(text: str) -> tuple[str, ...]:
    from loopwright.codegen.options import AstOptions

    names = tuple(part.strip() for part in text.split(",")) if text else ()
    try:
        return AstOptions(iterators=names).iterators
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


# --- input, output, errors ----------------------------------------------------------------------


def _read_options(
    include: list[str] | None,
    system_include: list[str] | None,
    define: list[str] | None,
    standard: str,
) -> ReadOptions:
    from loopwright.frontend.clang_library import ReadOptions

    return ReadOptions(
        tuple(include or ()), tuple(system_include or ()), tuple(define or ()), standard
    )


def _question(
    function: str | None, context: str | None, assume_non_negative: bool, autodetect: bool
) -> Question:
    from loopwright.frontend.inputs import parsed_context
    from loopwright.frontend.reading import Question

    known = parsed_context(context) if context is not None else None
    return Question(function, known, assume_non_negative, autodetect)


def _input(file: str) -> tuple[str, bytes]:
    from loopwright.frontend.inputs import file_content

    if file == "-":
        return "<stdin>", sys.stdin.buffer.read()
    with _Reporting(file, b""):
        return file, file_content(Path(file))


class _Reporting:
    """Turns an :class:`InputError` into messages and exit status 2."""

    def __init__(self, name: str, content: bytes) -> None:
        self.name = name
        self.content = content

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, InputError):
            _tell(error.diagnostics, self.name, self.content)
            raise typer.Exit(BAD_INPUT)


def _tell_notes(reading: Reading, name: str, content: bytes) -> None:
    for scop in reading.scops:
        _tell(scop.notes, name, content)
    _tell(reading.left_out, name, content)


def _tell(diagnostics: Sequence[Diagnostic], name: str, content: bytes) -> None:
    for diagnostic in diagnostics:
        typer.echo(rendered(diagnostic, _source_of(diagnostic, name, content)), err=True)


def _source_of(diagnostic: Diagnostic, name: str, content: bytes) -> str | None:
    if diagnostic.span.file == name:
        return content.decode(errors="replace") if content else None
    path = Path(diagnostic.span.file)
    return path.read_bytes().decode(errors="replace") if path.is_file() else None


def _write(content: str | bytes, output: Path | None) -> None:
    """Text, or the bytes of a program in whatever encoding it is."""
    if output is None:
        if isinstance(content, str):
            sys.stdout.write(content)
        else:
            sys.stdout.flush()
            sys.stdout.buffer.write(content)
        return
    try:
        write_whole(output, content)
    except OSError as error:
        reason = (error.strerror or "it cannot be written").lower()
        problem = Diagnostic("LW107", f"cannot write the file: {reason}", whole_file(str(output)))
        raise InputError(problem) from None


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all: into a neighbour first, which then takes its name.

    What is not a file (a terminal, a pipe) is written to as it is; a link keeps pointing to the
    file that is written.
    """
    path = path.resolve()
    encoded = content.encode() if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(encoded)
        return
    handle, neighbour = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(encoded)
        Path(neighbour).chmod(_mode_for(path))
        Path(neighbour).replace(path)
    except OSError:
        Path(neighbour).unlink(missing_ok=True)
        raise


def _mode_for(path: Path) -> int:
    """The mode that the file has, or that a new one would get."""
    if path.exists():
        return path.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def main() -> None:
    """The entry point of the ``loopwright`` command."""
    try:
        app()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
