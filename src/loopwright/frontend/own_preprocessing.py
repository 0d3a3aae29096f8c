"""A program as its parser sees it, for those who have no compiler: preprocessed by ourselves.

What conditions choose and which files are included is for the parser to decide; it says so, and we
ask.  Left to do are the macros.  The text is that of ``gcc -E -dD``, and whoever wants it is to
compare the parser's declarations of both.  A program that asks for what any compiler
answers in its own way is refused, as nobody here knows the answer.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from loopwright.basics.diagnostics import InputError
from loopwright.basics.records import record
from loopwright.frontend.asked_names import Asked
from loopwright.frontend.c_lines import Line, Lines, Spelling
from loopwright.frontend.c_macros import (
    Expansion,
    Macro,
    Word,
    line_of,
    macro_of,
    names_in,
    words_of,
)
from loopwright.frontend.clang_library import ParsedFile, ReadOptions
from loopwright.frontend.compilers import CannotPreprocess
from loopwright.frontend.parser_decisions import Entered, entered, parser_macros

_DIRECTIVE = re.compile(r"\s*#\s*((?:[A-Za-z_]\w*)?)\s*(.*)", re.DOTALL | re.ASCII)
_RENUMBERED = re.compile(r'(\d+)\s*(?:"((?:[^"\\]|\\.)*)")?[\s\d]*')
_STACKED = re.compile(r'(push|pop)_macro\s*\(\s*"(\w+)"\s*\)\s*', re.ASCII)
_HARMLESS_FLAG = re.compile(
    r"-(std=.*|O\w*|g\w*|W(?![apl],).*|w|pipe|pthread|f(openmp|openmp-simd|no-\w[\w-]*|strict-[\w-]+|\w+-math"
    r"|unroll-[\w-]+|omit-frame-pointer|lto|PIC|pic|PIE|pie|tree-[\w-]+|vect-[\w-]+|permissive)"
    r"|m(arch|tune|cpu)=[\w.+-]+|m(no-)?(avx|sse|fma|bmi|f16c|prefer|popcnt|lzcnt)[\w.=-]*|[lL].*)"
)
_BUILT_IN = frozenset(("__FILE__", "__LINE__", "_Pragma"))
_TAKEN = ("-D", "-isystem", "-I")


def preprocessed(source: bytes, name: str, options: ReadOptions) -> tuple[bytes, ParsedFile]:
    """The text after preprocessing, and the program as the parser has read it directly."""
    options = parser_options(options)
    try:
        parsed = ParsedFile(name, source, options)
    except InputError as error:
        raise CannotPreprocess(error.diagnostics[0].message) from None
    program = _Program(options)
    program.read(entered(parsed), "<stdin>")
    program.asked.require_known()
    return program.text.encode("latin-1"), parsed


def parser_options(options: ReadOptions) -> ReadOptions:
    """With what is there for the parser in the flags of the compiler, which have to be known."""
    found: dict[str, list[str]] = {each: [] for each in _TAKEN}
    flags = list(options.compiler.flags)
    while flags:
        flag = flags.pop(0)
        option = next((each for each in _TAKEN if flag.startswith(each)), "")
        if option:
            found[option].append(flag[len(option) :] or (flags.pop(0) if flags else ""))
        elif not _HARMLESS_FLAG.fullmatch(flag):
            raise CannotPreprocess(f"there is no compiler here that says what {flag} means")
    return replace(
        options,
        define=(*found["-D"], *options.define),
        include=(*found["-I"], *options.include),
        system_include=(*found["-isystem"], *options.system_include),
    )


@record(eq=False, slots=False)
class _File:
    """A file while it is read, and what is said of its lines: a name, and how far they are off."""

    lines: Lines
    entered: Entered
    name: str
    shift: int = 0

    @property
    def number(self) -> int:
        """That of the last line."""
        return self.lines.number - 1 + self.shift

    @property
    def flag(self) -> str:
        """What a line marker says of a file of the system."""
        return " 3" if self.entered.is_of_system else ""


class _Program:
    """The text that a program becomes."""

    def __init__(self, options: ReadOptions) -> None:
        """Begin with the macros of the parser."""
        self._pieces: list[str] = ['# 1 "<built-in>"\n']
        self._saved: dict[str, list[Macro | None]] = {}
        self._spelling = Spelling.of(options.standard)
        self._macros: dict[str, Macro] = {}
        texts = parser_macros(options)
        self.asked = Asked(frozenset(macro_of(each, is_own=False).name for each in texts), options)
        for each in texts:
            macro = macro_of(each, is_own=False)
            is_own = macro.name in self.asked.told
            self._macros[macro.name] = replace(macro, is_own=is_own)
            self._put(f"#define {macro.text}\n")
        self._lines_read = 1

    @property
    def text(self) -> str:
        """What there is of it."""
        return "".join(self._pieces)

    def _put(self, piece: str) -> None:
        self._pieces.append(piece)

    def read(self, entered: Entered, name: str, flags: str = "") -> None:
        """Add what a file becomes."""
        file = _File(Lines(entered.text, entered.skipped, self._spelling), entered, name)
        self._put(f'# 1 "{name}"{flags}{file.flag}\n')
        while (line := file.lines.following()) is not None:
            if not line.is_directive:
                self._take_text(file, line)
                continue
            found = _DIRECTIVE.fullmatch(line.text.replace("\n", " "))
            changed = None if found is None else self._take_directive(file, line, *found.groups())
            file = changed or file

    # --- text -----------------------------------------------------------------------------------

    def _take_text(self, file: _File, line: Line) -> None:
        if not file.entered.is_of_system:
            self.asked.note_line(line.text)
            if "\\" in line.text and any(each.text == "\\" for each in words_of(line.text)):
                raise CannotPreprocess("without a compiler, \\ in a name is not understood")
        if self._macros.keys().isdisjoint(names := names_in(line.text)) and _BUILT_IN.isdisjoint(
            names
        ):
            self._put(line.text + "\n" * (line.count - line.text.count("\n")))
            return
        self._lines_read = line.count
        expansion = self._expansion(file, self.asked.note)
        words = expansion.expanded(words_of(line.text), partial(self._more, file))
        indented = line.text[: len(line.text) - len(line.text.lstrip())]
        self._put(indented)
        self._put_words(file, [each._replace(is_apart=False) for each in words[:1]] + words[1:])
        self._put("\n" * self._lines_read)

    def _expansion(self, file: _File, note: Callable[[str], None]) -> Expansion:
        is_own = not file.entered.is_of_system
        built_in = partial(self._built_in, file)
        return Expansion(self._macros, note if is_own else _nothing, built_in)

    def _built_in(self, file: _File, name: str) -> str | None:
        """What stands for a name that the parser knows without a definition."""
        if name == "__FILE__":
            return f'"{file.name}"'
        if name != "__LINE__":
            return None
        if self._lines_read > 1:
            raise CannotPreprocess("__LINE__ stands in a call of several lines")
        return str(file.number)

    def _more(self, file: _File, opening: bool) -> list[Word] | None:
        """The next line, for a call that goes on there."""
        count, first = 0, None
        while (line := file.lines.following()) is not None:
            first, count = first or line, count + line.count
            if line.is_directive and not opening:
                raise CannotPreprocess("a directive stands in a call of a macro")
            if opening and not line.is_directive and not line.text.strip():
                continue
            if opening and line.text.lstrip()[:1] != "(":
                break
            if not file.entered.is_of_system:
                self.asked.note_line(line.text)
            self._lines_read += count
            return [Word(" "), *words_of(line.text)][1:]
        if first is not None:
            file.lines.return_to(first)
        return None

    def _put_words(self, file: _File, words: list[Word]) -> None:
        """The text of the words, with pragmas among them on lines of their own."""
        start = 0
        for at in [at for at, each in enumerate(words) if each.text == "_Pragma"]:
            call = [each.text for each in words[at : at + 4]]
            if len(call) < 4 or (call[1], call[3]) != ("(", ")") or call[2][:1] != '"':
                raise CannotPreprocess("_Pragma is not understood")
            self._put(line_of(words[start:at]))
            text = re.sub(r"\\([\\\"])", r"\1", call[2][1:-1])
            self._put("\n")
            self._pragma(file, text)
            self._put(f'\n# {file.number} "{file.name}"{file.flag}\n')
            start = at + 4
        self._put(line_of(words[start:]))

    # --- directives -----------------------------------------------------------------------------

    def _take_directive(self, file: _File, line: Line, name: str, rest: str) -> _File | None:
        """Do what it says; the file is another one if its lines have other numbers now."""
        match name:
            case "define":
                macro = macro_of(rest, is_own=not file.entered.is_of_system)
                self._macros[macro.name] = macro
                self._say_own(macro.is_own, macro.name)
                self._put(f"#define {macro.text}")
            case "undef":
                self._macros.pop(rest.strip(), None)
                self._say_own(not file.entered.is_of_system, rest.strip())
                self._put(f"#undef {rest.strip()}")
            case "include" | "include_next":
                self._include(file, line)
                return None
            case "pragma":
                self._pragma(file, rest)
            case "if" | "ifdef" | "ifndef" | "elif" | "else" | "endif":
                self._note_condition(file, line, rest)
            case "line" | "":
                if name or rest:
                    return self._renumbered(file, line, rest)
            case "warning":
                pass
            case "ident" | "sccs":
                self._put(f"#{name} {rest}")
            case _:
                raise CannotPreprocess(f"without a compiler, #{name} is not understood")
        self._put("\n" * line.count)
        return None

    def _say_own(self, is_own: bool, name: str) -> None:
        if is_own:
            self.asked.own.add(name)

    def _include(self, file: _File, line: Line) -> None:
        for place, each in file.entered.includes:
            if line.start <= place < line.end:
                name = os.fsencode(each.name).decode("latin-1")
                self.read(each, re.sub(r'(["\\])', r"\\\1", name), " 1")
                self._put(f'# {file.number + 1} "{file.name}" 2{file.flag}\n')
                return
        self._put("\n" * line.count)

    def _note_condition(self, file: _File, line: Line, rest: str) -> None:
        """All names that it asks for, its own macros seen through."""
        if file.entered.is_of_system:
            return
        note = self.asked.note_condition
        for each in names_in(line.left_out) if "elif" in line.left_out else names_in(rest):
            note(each)
        pieces = [each for each in words_of(rest) if each.text not in ("(", ")")]
        self._expansion(file, note).noted(pieces)

    def _renumbered(self, file: _File, line: Line, rest: str) -> _File:
        found = _RENUMBERED.fullmatch(rest.strip())
        if found is None:
            raise CannotPreprocess("without a compiler, a #line with macros is not understood")
        name = found[2] if found[2] is not None else file.name
        self._put(f'# {found[1]} "{name}"{file.flag}\n')
        return replace(file, name=name, shift=int(found[1]) - file.lines.number)

    def _pragma(self, file: _File, rest: str) -> None:
        """One on a line of its own; those of OpenMP and OpenACC may name macros."""
        stacked = _STACKED.fullmatch(rest)
        first, _, second = " ".join(rest.split()).partition(" ")
        named = [each for each in names_in(rest) if each in self._macros]
        if stacked is not None:
            self._save(stacked[1] == "push", stacked[2])
        elif first == "once" or (second == "system_header" and file.entered.is_of_system):
            return
        elif second == "system_header":
            raise CannotPreprocess("without a compiler, #pragma GCC system_header is not known")
        elif not named or file.entered.is_of_system:
            self._put(f"#pragma {rest}")
        elif first in ("omp", "acc") and first not in named:
            words = self._expansion(file, self.asked.note).expanded(words_of(rest))
            if any(each.text == "_Pragma" for each in words):
                raise CannotPreprocess("a macro puts a pragma into a pragma")
            self._put(f"#pragma {line_of(words)}")
        else:
            raise CannotPreprocess(f"the macro {named[0]} stands in #pragma {first}")

    def _save(self, pushes: bool, name: str) -> None:
        saved = self._saved.setdefault(name, [])
        if pushes:
            saved.append(self._macros.get(name))
        elif saved:
            last = saved.pop()
            self.asked.own.discard(name)
            self._macros.pop(name, None)
            if last is not None:
                self._macros[name] = last


def _nothing(_name: str) -> None:
    """A header of the system may ask for anything."""
