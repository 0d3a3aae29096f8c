"""The command line: ``loopwright model kernel.c``."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loopwright import __version__
from loopwright.basics.diagnostics import Diagnostic, InputError, rendered
from loopwright.basics.spans import whole_file

if TYPE_CHECKING:
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
    file: Annotated[str, typer.Argument(help="A C file, or - for standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the model as JSON.")] = False,
    as_yaml: Annotated[bool, typer.Option("--yaml", help="Print the model as YAML.")] = False,
    as_text: Annotated[bool, typer.Option("--text", help="Print the model for people.")] = False,
    function: Annotated[str | None, typer.Option(help="Only the regions of this function.")] = None,
    autodetect: Annotated[
        bool, typer.Option("--autodetect", help="Find the regions; no pragmas needed.")
    ] = False,
    include: Annotated[
        list[str] | None, typer.Option("-I", metavar="DIR", help="Search here for headers.")
    ] = None,
    system_include: Annotated[
        list[str] | None, typer.Option("-isystem", metavar="DIR", help="And here, afterwards.")
    ] = None,
    define: Annotated[
        list[str] | None, typer.Option("-D", metavar="NAME[=VALUE]", help="Define a macro.")
    ] = None,
    standard: Annotated[
        str, typer.Option("--std", "-std", metavar="STD", help="The language standard.")
    ] = "gnu11",
    context: Annotated[
        str | None, typer.Option(help='What is known, e.g. "[n] -> { : n >= 4 }".')
    ] = None,
    assume_non_negative: Annotated[
        bool, typer.Option("--assume-non-negative", help="No parameter is negative.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("-o", metavar="FILE", help="Write here, whole or not at all.")
    ] = None,
) -> None:
    """Read the regions of a C file and print their polyhedral models.

    YAML by default; a page for people when the output is a terminal.
    """
    from loopwright.frontend.clang_library import ReadOptions
    from loopwright.frontend.reading import (
        Question,
        answering_deep_nesting,
        parsed_context,
        read_source,
    )

    name, content = _input(file)
    with _Reporting(name, content), answering_deep_nesting(name):
        options = ReadOptions(
            tuple(include or ()), tuple(system_include or ()), tuple(define or ()), standard
        )
        known = parsed_context(context) if context is not None else None
        question = Question(function, known, assume_non_negative, autodetect)
        reading = read_source(name, content, options, question)
        for scop in reading.scops:
            _tell(scop.notes, name, content)
        _tell(reading.left_out, name, content)
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


# --- input, output, errors ----------------------------------------------------------------------


def _input(file: str) -> tuple[str, bytes]:
    from loopwright.frontend.reading import file_content

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


def _tell(diagnostics: Sequence[Diagnostic], name: str, content: bytes) -> None:
    for diagnostic in diagnostics:
        typer.echo(rendered(diagnostic, _source_of(diagnostic, name, content)), err=True)


def _source_of(diagnostic: Diagnostic, name: str, content: bytes) -> str | None:
    if diagnostic.span.file == name:
        return content.decode(errors="replace") if content else None
    path = Path(diagnostic.span.file)
    return path.read_bytes().decode(errors="replace") if path.is_file() else None


def _write(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
        return
    try:
        write_whole(output, text)
    except OSError as error:
        reason = (error.strerror or "it cannot be written").lower()
        problem = Diagnostic("LW107", f"cannot write the file: {reason}", whole_file(str(output)))
        raise InputError(problem) from None


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all: into a neighbour first, which then takes its name.

    What is not a file (a terminal, a pipe) is written to as it is; a link keeps pointing to the
    file that is written.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    handle, neighbour = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
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
