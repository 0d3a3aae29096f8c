"""The edge to libclang: parse a text, and the few calls that its Python bindings lack."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import threading
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Protocol

from clang import cindex

from loopwright.basics.diagnostics import Diagnostic, InputError, shortened
from loopwright.basics.records import record
from loopwright.basics.spans import Span, whole_file
from loopwright.frontend.compilers import Compiler
from loopwright.frontend.known_flags import reading_flags

# libclang would parse in a thread of its own, with a stack that deep programs exhaust.
os.environ.setdefault("LIBCLANG_NOTHREADS", "1")

# libclang's Python bindings carry no types; everything that leaves this module is typed.
Cursor = Any
Type = Any

PENCIL_ACCESS = '-Dpencil_access(f)=annotate("pencil_access(" #f ")")'
C89 = frozenset("c89 c90 gnu89 gnu90 ansi iso9899:1990 iso9899:199409".split())
ERROR, FATAL = cindex.Diagnostic.Error, cindex.Diagnostic.Fatal
LARGEST_INPUT = 16 * 1024 * 1024
LONGEST_STATEMENT = 100_000
"""In bytes; the parser's recursion follows the length of an expression."""
MOST_FUNCTIONS = 20_000
PARSER_SECONDS = 6
PARSER_STACK = 512 * 1024 * 1024
LEAST_STACK = 16 * 1024 * 1024
"""Address space, not memory: the pages that are not used cost nothing."""


OF_CHARACTERS = ("-funsigned-char", "-fsigned-char", "-fno-unsigned-char", "-fno-signed-char")
"""Flags that the parser has to know as well."""
OPENMP = 201511
"""The version of OpenMP that compilers say they have: 4.5."""


@record
class ReadOptions:
    """How to read C: search paths, macros, the language standard, and who will compile it."""

    include: tuple[str, ...] = ()
    system_include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    standard: str = "gnu11"
    compiler: Compiler = field(default_factory=Compiler)

    @property
    def is_c89(self) -> bool:
        """Is it the language from before 1999?

        >>> ReadOptions(standard="gnu89").is_c89, ReadOptions().is_c89
        (True, False)
        """
        return self.standard in C89

    @property
    def is_cpp(self) -> bool:
        """Is it C++?

        >>> ReadOptions(standard="gnu++17").is_cpp, ReadOptions().is_cpp
        (True, False)
        """
        return "++" in self.standard

    @property
    def language(self) -> str:
        """What compilers call the language."""
        return "c++" if self.is_cpp else "c"

    def flags(self) -> tuple[str, ...]:
        """The options as any compiler takes them.

        >>> ReadOptions(include=("here",), define=("N=3",)).flags()
        ('-std=gnu11', '-I', 'here', '-DN=3')
        """
        include = [part for folder in self.include for part in ("-I", folder)]
        system = [part for folder in self.system_include for part in ("-isystem", folder)]
        defined = [f"-D{macro}" for macro in self.define]
        return (f"-std={self.standard}", *include, *system, *defined)

    def arguments(self, *, is_preprocessed: bool = False) -> list[str]:
        """The options as the parser wants them."""
        arguments = [f"-std={self.standard}", "-w"]
        arguments += [
            "-Wno-error=implicit-function-declaration",
            "-Wno-implicit-function-declaration",
            "-Wno-error=implicit-int",
            "-Wno-implicit-int",
            "-ferror-limit=0",  # what comes with another compiler may have any number of errors
        ]
        arguments += [each for each in self.compiler.flags if each in OF_CHARACTERS]
        if is_preprocessed:
            language = f"{self.language}-cpp-output".replace("c-cpp", "cpp")
            return ["-x", language, *arguments]
        arguments += ["-x", self.language, PENCIL_ACCESS]
        arguments += reading_flags(self.compiler.flags)
        for folder in self.include:
            arguments += ["-I", folder]
        for folder in (*self.system_include, *compiler_headers()):
            arguments += ["-isystem", folder]
        if "-fopenmp" in self.compiler.flags:
            arguments.append(f"-D_OPENMP={OPENMP}")
        return arguments + [f"-D{macro}" for macro in self.define]


@cache
def compiler_headers() -> tuple[str, ...]:
    """Where the C compiler keeps ``stddef.h`` and its kin, which libclang does not bring along."""
    found = sorted(Path("/usr/lib/gcc").glob("*/*/include/stddef.h"), key=_version_of)
    if found:
        return (str(found[-1].parent),)
    compiler = Compiler()
    if not compiler.is_there:
        return ()
    answer = subprocess.run(
        [*compiler.command, "-print-file-name=include"], capture_output=True, text=True, check=False
    )
    folder = answer.stdout.strip()
    return (folder,) if Path(folder).is_dir() else ()


SEPARATORS = bytes.maketrans(b"{},", b";;;")


def too_deep(span: Span) -> Diagnostic:
    """The answer to a program that would take recursion too far."""
    hint = "break up the expressions and blocks"
    return Diagnostic("LW105", "the program is nested too deeply", span, hint)


def too_large(span: Span, what: str) -> Diagnostic:
    """The answer to a program with more of something than can be read in good time."""
    hint = "give loopwright the functions with the loops alone"
    return Diagnostic("LW108", f"there are too many {what}", span, hint)


def _version_of(header: Path) -> tuple[int, ...]:
    version = header.parent.parent.name.split(".")
    return tuple(int(piece) if piece.isdigit() else 0 for piece in version)


class SourceFile:
    """A file's bytes, and where its lines begin."""

    def __init__(self, name: str, content: bytes, provenance: Provenance | None = None) -> None:
        """Lines are counted when a place is first looked up: nobody asks for most headers'.

        Those of a preprocessed text are called as where they come from.
        """
        self.name = name
        self.content = content
        self._provenance = provenance
        self._told: dict[int, int] = {}

    @cached_property
    def _line_starts(self) -> list[int]:
        """Found once; places are looked up often."""
        found = [0]
        position = self.content.find(b"\n")
        while position >= 0:
            found.append(position + 1)
            position = self.content.find(b"\n", position + 1)
        return found

    def span(self, start: int, end: int) -> Span:
        """The span between two byte offsets."""
        line = bisect_right(self._line_starts, start)
        end_line = bisect_right(self._line_starts, end)
        return Span(
            self.name,
            start,
            end,
            self._told_line(line, start),
            start - self._line_starts[line - 1] + 1,
            self._told_line(end_line, end),
            end - self._line_starts[end_line - 1] + 1,
        )

    def _told_line(self, line: int, place: int) -> int:
        if self._provenance is None:
            return line
        if line not in self._told:
            self._told[line] = self._provenance.line_at(place)[1]
        return self._told[line]

    def text(self, start: int, end: int) -> str:
        """The source between two byte offsets."""
        return self.content[start:end].decode(errors="replace")


class Provenance(Protocol):
    """Where the lines of a preprocessed text come from."""

    def is_of_system(self, place: int) -> bool:
        """Does a place stand in a header that comes with the system?"""
        ...

    def line_at(self, place: int) -> tuple[str, int]:
        """The file and the line that it has there."""
        ...


class ParsedFile:
    """A parsed translation unit and the files that it came from."""

    def __init__(
        self,
        name: str,
        content: bytes,
        options: ReadOptions,
        provenance: Provenance | None = None,
    ) -> None:
        """Parse; a text that is not C raises an :class:`InputError` with the parser's words.

        With a ``provenance``, the text has been preprocessed already.
        """
        if len(content) > LARGEST_INPUT:
            raise InputError(
                Diagnostic(
                    "LW104",
                    f"the file is larger than {LARGEST_INPUT // 2**20} MiB",
                    whole_file(name),
                    "give loopwright the file with the loops alone",
                )
            )
        longest = max(map(len, content.translate(SEPARATORS).split(b";")))
        if longest > LONGEST_STATEMENT:
            raise InputError(too_deep(whole_file(name)))
        self.main = SourceFile(name, content, provenance)
        self._files: dict[str, SourceFile] = {name: self.main}
        self._provenance = provenance
        self.is_cpp = options.is_cpp
        self.is_preprocessed = provenance is not None
        self.unit: Any = _parse(self.main, options.arguments(is_preprocessed=self.is_preprocessed))
        self.has_foreign_bodies = False
        """May functions of the system have bodies that the parser does not understand?"""
        self._raise_errors()

    def _raise_errors(self) -> None:
        """Headers that come with another compiler may say what only that one knows."""
        errors = [each for each in self.unit.diagnostics if each.severity in (ERROR, FATAL)]
        self.has_foreign_bodies = bool(errors)
        told = [
            each
            for each in errors
            if each.severity == FATAL or not self.is_of_system(each.location)
        ]
        if told:
            raise InputError(*(self._diagnostic(error) for error in told[:5]))

    def is_of_system(self, location: Any) -> bool:
        """Is a location in a header that comes with the system?"""
        if self._provenance is None:
            return bool(location.is_in_system_header)
        return self._provenance.is_of_system(expansion_of(location)[1])

    def file_of(self, location: Any) -> str:
        """The file that a location is in, before preprocessing."""
        file, place = expansion_of(location)
        return file if self._provenance is None else self._provenance.line_at(place)[0]

    def _diagnostic(self, error: Any) -> Diagnostic:
        file, offset = expansion_of(error.location)
        span = self.file(file).span(offset, offset + 1) if file else whole_file(self.main.name)
        message = shortened(str(error.spelling))
        if message.endswith("file not found"):
            hint = "add the folder that holds the header with -I or -isystem"
            return Diagnostic("LW102", message, span, hint)
        return Diagnostic("LW101", f"not valid C: {message}", span)

    def file(self, name: str) -> SourceFile:
        """The file of that name, read when first asked for."""
        if name not in self._files:
            path = Path(name)
            content = path.read_bytes() if path.is_file() else b""
            self._files[name] = SourceFile(name, content)
        return self._files[name]

    def span_of(self, cursor: Cursor) -> Span:
        """Where a cursor stands; code from a macro stands where the macro is used."""
        extent = cursor.extent
        file, start = expansion_of(extent.start)
        end = int(extent.end.offset)
        return self.file(file).span(start, max(start, end)) if file else whole_file(self.main.name)

    def functions(self) -> list[Cursor]:
        """The cursors of the functions that the main file defines.

        A header brings thousands of declarations along; looking at the kind alone, before the
        bindings make an object of each, takes a tenth of the time.
        """
        found: list[Cursor] = []

        def visit(cursor: Cursor, _parent: Cursor, _nothing: object) -> int:
            if cursor._kind_id == FUNCTION_KIND:
                cursor._tu = self.unit
                found.append(cursor)
            return 2 if cursor._kind_id in SCOPES else 1  # inside it, or on to the next sibling

        visit_children(self.unit.cursor, visit)
        if len(found) > MOST_FUNCTIONS:
            raise InputError(too_large(whole_file(self.main.name), "functions"))
        return [
            cursor for cursor in found if cursor.is_definition() and self._is_own(cursor.location)
        ]

    def _is_own(self, location: Any) -> bool:
        if self._provenance is not None:
            return not self.is_of_system(location)
        return expansion_of(location)[0] == self.main.name

    def headers(self) -> tuple[str, ...]:
        """The files that the main file includes, directly or not."""
        return tuple(sorted({str(each.include.name) for each in self.unit.get_includes()}))

    def own_headers(self) -> list[str]:
        """Those of them that do not come with the system."""
        return [each for each in self.headers() if not self._is_of_system(each)]

    def _is_of_system(self, header: str) -> bool:
        place = cindex.SourceLocation.from_position(self.unit, self.unit.get_file(header), 1, 1)
        return bool(place.is_in_system_header)

    def skipped(self) -> list[tuple[int, int]]:
        """The stretches of the main file that ``#if`` and its kin leave out."""
        file = self.unit.get_file(self.main.name)
        ranges = _calls()["skipped"](self.unit.obj, file.obj).contents
        return [
            (int(each.start.offset), int(each.end.offset))
            for each in (ranges.ranges[at] for at in range(ranges.count))
        ]


def _parse(source: SourceFile, arguments: list[str]) -> Any:
    index = cindex.Index.create()
    try:
        return _with_deep_stack(
            lambda: index.parse(
                source.name,
                args=arguments,
                unsaved_files=[(source.name, source.content)],
                options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD,
            )
        )
    except cindex.TranslationUnitLoadError:
        raise InputError(
            Diagnostic(
                "LW103",
                "the parser gave up on this file",
                whole_file(source.name),
                "check the options, --std first; a file of huge size has this effect, too",
            )
        ) from None


def _with_deep_stack(action: Callable[[], Any]) -> Any:
    """Run the parser with a stack that its recursion cannot exhaust on any input we accept."""
    outcome: list[Any] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(action())
        except BaseException as error:  # handed to the caller, whatever it is
            failure.append(error)

    thread = _started(run)
    thread.join(PARSER_SECONDS)
    if thread.is_alive():
        raise cindex.TranslationUnitLoadError("no answer")
    if failure:
        raise failure[0]
    return outcome[0]


def _started(run: Callable[[], None]) -> threading.Thread:
    """A thread with a deep stack, or with the deepest that there is memory for."""
    size = PARSER_STACK
    while True:
        previous = threading.stack_size(size)
        try:
            thread = threading.Thread(target=run, daemon=True)
            thread.start()
            return thread
        except RuntimeError:
            if size <= LEAST_STACK:
                raise MemoryError from None
            size //= 2
        finally:
            threading.stack_size(previous)


def expansion_of(location: Any) -> tuple[str, int]:
    """The file and byte offset of a location, macros taken as used."""
    file = location.file
    return (str(file.name) if file is not None else "", int(location.offset))


def library_call(result: Any, *arguments: Any, name: str) -> Any:
    """A function of libclang that the Python bindings do not declare."""
    return ctypes.CFUNCTYPE(result, *arguments)((name, cindex.conf.lib))


def visit_children(cursor: Cursor, visit: Callable[[Cursor, Cursor, object], int]) -> None:
    """Call ``visit`` for each child; it says 1 to go on behind it, and 2 to go on inside."""
    _calls()["children"](cursor, _VISITOR(visit), None)


FUNCTION_KIND = cindex.CursorKind.FUNCTION_DECL.from_param()
SCOPES = {
    each.from_param() for each in (cindex.CursorKind.LINKAGE_SPEC, cindex.CursorKind.NAMESPACE)
}
"""What holds functions of C++ as a file does."""
_VISITOR = ctypes.CFUNCTYPE(ctypes.c_int, cindex.Cursor, cindex.Cursor, ctypes.py_object)


class Ranges(ctypes.Structure):
    """Stretches of files, as the library lists them."""

    _fields_ = (("count", ctypes.c_uint), ("ranges", ctypes.POINTER(cindex.SourceRange)))


@cache
def _calls() -> dict[str, Any]:
    cursor, integer, handle = cindex.Cursor, ctypes.c_int, ctypes.c_void_p
    return {
        "binary": library_call(integer, cursor, name="clang_getCursorBinaryOperatorKind"),
        "unary": library_call(integer, cursor, name="clang_getCursorUnaryOperatorKind"),
        "evaluate": library_call(handle, cursor, name="clang_Cursor_Evaluate"),
        "kind": library_call(integer, handle, name="clang_EvalResult_getKind"),
        "is_unsigned": library_call(ctypes.c_uint, handle, name="clang_EvalResult_isUnsignedInt"),
        "signed": library_call(ctypes.c_longlong, handle, name="clang_EvalResult_getAsLongLong"),
        "unsigned": library_call(ctypes.c_ulonglong, handle, name="clang_EvalResult_getAsUnsigned"),
        "double": library_call(ctypes.c_double, handle, name="clang_EvalResult_getAsDouble"),
        "initializer": library_call(cursor, cursor, name="clang_Cursor_getVarDeclInitializer"),
        "children": library_call(
            ctypes.c_uint, cursor, _VISITOR, ctypes.py_object, name="clang_visitChildren"
        ),
        "skipped": library_call(
            ctypes.POINTER(Ranges), handle, handle, name="clang_getSkippedRanges"
        ),
        "dispose": library_call(None, handle, name="clang_EvalResult_dispose"),
    }


def kind_of(thing: Any) -> Any:
    """The kind of a cursor or type, ``None`` for one that is newer than the bindings."""
    try:
        return thing.kind
    except ValueError:
        return None


def is_expression(cursor: Cursor) -> bool:
    """Is it an expression of a kind that the bindings know?"""
    kind = kind_of(cursor)
    return kind is not None and bool(kind.is_expression())


BINARY_OPERATORS: dict[int, str] = dict(
    enumerate(
        "* / % + - << >> <=> < > <= >= == != & ^ | && || "
        "= *= /= %= += -= <<= >>= &= ^= |= ,".split(),
        start=3,
    )
)
UNARY_OPERATORS: dict[int, str] = dict(
    enumerate(
        "x++ x-- ++x --x & * + - ~ ! __real__ __imag__ __extension__".split(),
        start=1,
    )
)


def binary_operator(cursor: Cursor) -> str:
    """How C spells the operator of a binary expression or assignment; empty if there is none."""
    return BINARY_OPERATORS.get(_calls()["binary"](cursor), "")


def unary_operator(cursor: Cursor) -> str:
    """How C spells a unary operator; ``x++`` for the postfix form; empty if there is none."""
    return UNARY_OPERATORS.get(_calls()["unary"](cursor), "")


def initializer_of(declaration: Cursor) -> Cursor | None:
    """The child of a declaration that is its initialiser."""
    initializer = _calls()["initializer"](declaration)
    for child in declaration.get_children():
        if cindex.conf.lib.clang_equalCursors(child, initializer):
            return child
    return None


def constant_value(cursor: Cursor) -> int | float | None:
    """The value of a constant expression, as the parser computes it."""
    calls = _calls()
    handle = calls["evaluate"](cursor)
    if not handle:
        return None
    try:
        match calls["kind"](handle):
            case 1:
                signed = not calls["is_unsigned"](handle)
                return int(calls["signed" if signed else "unsigned"](handle))
            case 2:
                return float(calls["double"](handle))
            case _:
                return None
    finally:
        calls["dispose"](handle)


_STRINGS = re.compile(r'((u8|[LuU])?"(\\.|[^"\\])*"\s*)+', re.DOTALL)


def string_text(cursor: Cursor, source: str) -> str:
    """A string constant in C: its source, unless that is a macro with more in it."""
    is_string = kind_of(cursor) == cindex.CursorKind.STRING_LITERAL
    return str(cursor.spelling) if is_string and not _STRINGS.fullmatch(source) else source


def is_inline(function: Cursor) -> bool:
    """Is it declared ``inline``?  Nobody is told then that nothing calls it."""
    return bool(cindex.conf.lib.clang_Cursor_isFunctionInlined(function))
