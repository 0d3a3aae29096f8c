"""Input, output and errors."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from loopwright.basics.diagnostics import Diagnostic, InputError, rendered
from loopwright.basics.spans import whole_file
from loopwright.cli.children import UNREAD

if TYPE_CHECKING:
    from loopwright.frontend.clang_library import ReadOptions
    from loopwright.frontend.reading import Question, Reading

ANSWER_IS_NO = 1
BAD_INPUT = 2
WIDTH = 110
"""Columns of a line that tells how far the work has come, if the terminal has as many."""


def input_of(file: str) -> tuple[str, bytes]:
    """What messages call the input, and its content."""
    from loopwright.frontend.inputs import file_content

    if file == "-":
        with Reporting("<stdin>", b""):
            return "<stdin>", _standard_input()
    with Reporting(file, b""):
        return file, file_content(Path(file))


def _standard_input() -> bytes:
    from loopwright.frontend.inputs import limited_content

    try:
        return limited_content(sys.stdin.buffer, "<stdin>")
    except OSError as error:
        message = f"cannot read standard input: {reason_of(error)}"
        raise InputError(Diagnostic("LW106", message, whole_file("<stdin>"))) from None


def reason_of(error: OSError) -> str:
    """Why the system did not do it, in its words."""
    return (error.strerror or "nobody knows why").lower()


class Reporting:
    """Turns an :class:`InputError` into messages and exit status 2."""

    def __init__(self, name: str, content: bytes) -> None:
        self.name = name
        self.content = content

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, InputError):
            tell(error.diagnostics, self.name, self.content)
            raise SystemExit(BAD_INPUT)


def read_options(
    include: list[str] | None,
    system_include: list[str] | None,
    define: list[str] | None,
    standard: str,
    compiled: tuple[Sequence[str], Sequence[str]] | None = None,
) -> ReadOptions:
    """How to read the file; it is ``compiled`` by a command with flags, the usual ones if not."""
    from loopwright.frontend.clang_library import ReadOptions
    from loopwright.frontend.compilers import Compiler

    compiler = Compiler() if compiled is None else Compiler.of([*compiled[0], *compiled[1]])
    return ReadOptions(
        tuple(include or ()), tuple(system_include or ()), tuple(define or ()), standard, compiler
    )


def question_of(
    function: str | None, context: str | None, assume_non_negative: bool, autodetect: bool
) -> Question:
    """Which regions, and what is known about their parameters."""
    from loopwright.frontend.inputs import parsed_context
    from loopwright.frontend.reading import Question

    known = parsed_context(context) if context is not None else None
    return Question(function, known, assume_non_negative, autodetect)


def say(text: str) -> None:
    """Print for the user, beside what the command writes, if somebody still listens."""
    try:
        if text:
            sys.stderr.write(text)
            sys.stderr.flush()
    except OSError:
        _drop(sys.stderr)


def progress() -> Callable[[str], None]:
    """Lines on a terminal, each in the place of the one before."""
    if not sys.stderr.isatty():
        return lambda _: None
    return lambda text: say_for_now(f"{text}...")


def say_for_now(text: str) -> None:
    """Print a line on a terminal that the next one takes the place of."""
    # A line that does not fit would go on in the next one, and stay there.
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns or WIDTH
    except OSError:
        columns = WIDTH
    say(f"\r\033[K{text[: min(WIDTH, columns - 1)]}\r")


def tell_notes(reading: Reading, name: str, content: bytes) -> None:
    """Print what the user should know about the regions."""
    for scop in reading.scops:
        tell(scop.notes, name, content)
    tell(reading.left_out, name, content)


def tell(diagnostics: Sequence[Diagnostic], name: str, content: bytes) -> None:
    """Print messages with the source that they are about."""
    say(told(diagnostics, name, content))


def told(diagnostics: Sequence[Diagnostic], name: str, content: bytes) -> str:
    """Messages with the source that they are about."""
    shown = (rendered(each, _source_of(each, name, content)) for each in diagnostics)
    return "".join(f"{each}\n" for each in shown)


def _source_of(diagnostic: Diagnostic, name: str, content: bytes) -> str | None:
    if diagnostic.span.file == name:
        return content.decode(errors="replace") if content else None
    if diagnostic.span == whole_file(diagnostic.span.file):
        return None  # a store or an output has no lines that are worth to be seen
    path = Path(diagnostic.span.file)
    return path.read_bytes().decode(errors="replace") if path.is_file() else None


def write(content: str | bytes, output: Path | None) -> None:
    """Text, or the bytes of a program in whatever encoding it is."""
    try:
        if output is None:
            _print(content)
        else:
            write_whole(output, content)
    except OSError as error:
        if output is None:
            drop_output()
            if isinstance(error, BrokenPipeError):
                # As an error the library that reads the command line would take it for its own.
                raise SystemExit(UNREAD) from None
        raise InputError(_unwritable(output or "<stdout>", reason_of(error))) from None


def _print(content: str | bytes) -> None:
    if isinstance(content, str):
        sys.stdout.write(content)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
    sys.stdout.flush()


def drop_output() -> None:
    """What is left to print goes nowhere, so that it does not fail once more at the end."""
    _drop(sys.stdout)


def _drop(stream: TextIO) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def open_what_is_closed() -> None:
    """Give the process the standard streams that it was started without.

    Else the next file or pipe would take the place of one.  They are opened the wrong way round,
    so that whoever reads or writes gets an error.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(_descriptor(os.O_WRONLY, 0), encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = os.fdopen(_descriptor(os.O_RDONLY, 1), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(_descriptor(os.O_WRONLY, 2), "w", encoding="utf-8")


def _descriptor(flags: int, number: int) -> int:
    opened = os.open(os.devnull, flags)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)
    return number


def require_writable(*outputs: Path | None) -> None:
    """Refuse now what could only be refused after much work."""
    for output in filter(None, outputs):
        try:
            folder = resolved(output).parent
        except OSError as error:
            raise InputError(_unwritable(output, reason_of(error))) from None
        if output.is_dir():
            reason = os.strerror(errno.EISDIR)
        elif not folder.is_dir():
            reason = os.strerror(errno.ENOENT if not folder.exists() else errno.ENOTDIR)
        elif not os.access(output if output.exists() and not output.is_file() else folder, os.W_OK):
            reason = os.strerror(errno.EACCES)
        else:
            continue
        raise InputError(_unwritable(output, reason.lower()))


def _unwritable(output: Path | str, reason: str) -> Diagnostic:
    return Diagnostic("LW107", f"cannot write the file: {reason}", whole_file(str(output)))


def resolved(path: Path) -> Path:
    """The file that a path leads to; links that lead nowhere are an :class:`OSError`."""
    try:
        return path.resolve()
    except RuntimeError:  # what Python calls it before 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all: into a neighbour first, which then takes its name.

    What is not a file (a terminal, a pipe) is written to as it is; a link keeps pointing to the
    file that is written.
    """
    encoded = content.encode() if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(encoded)
        return
    path = resolved(path)
    handle, neighbour = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(encoded)
        Path(neighbour).chmod(_mode_for(path))
        Path(neighbour).replace(path)
    except BaseException:  # an interrupt, too, leaves nothing behind
        Path(neighbour).unlink(missing_ok=True)
        raise


def _mode_for(path: Path) -> int:
    """The mode that the file has, or that a new one would get."""
    if path.exists():
        return path.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
