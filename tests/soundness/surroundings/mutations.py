"""Small changes of what stands around loops and in them, as somebody makes them by mistake.

Each takes apart a program in pieces and puts it together in another way.  What comes of it may be
the same program, another one, or none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random

from loopwright.basics.records import record
from tests.soundness.surroundings.conditions import junk
from tests.soundness.surroundings.pragmas import pragma, written
from tests.soundness.surroundings.programs import AROUND, INSIDE, Piece, Sheet, Wearer
from tests.soundness.surroundings.wardrobe import random_dress

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
SLOTS = ("first", *AROUND, *INSIDE, "told")
OPERATORS = ("+", "-", "*", "<", ">", "=", "!", "/", "%", "&", "|", "?", ":", "#", "##", "~")
NEAR = ("opening", "front", "inside", "within", "behind", "closing")


@record
class Changed:
    """A program that was changed, with the headers that it has now, and what was done."""

    sheet: Sheet
    files: Mapping[str, str]
    what: str


def _with(sheet: Sheet, at: int, *pieces: Piece) -> Sheet:
    """The sheet with others in the place of one piece."""
    return sheet.but(*sheet.pieces[:at], *pieces, *sheet.pieces[at + 1 :])


def _chosen(rng: Random, sheet: Sheet) -> int:
    """Any piece; the loops are one like the others."""
    return rng.randrange(len(sheet.pieces))


# --- words ---------------------------------------------------------------------------------------


def other_words(rng: Random, text: str, known: Sequence[str]) -> str:
    """A text in which one or two words are others, gone, twice there, or in another order."""
    tokens = _TOKEN.findall(text)
    places = [at for at, each in enumerate(tokens) if not each.isspace()]
    if not places:
        return text
    at = rng.choice(places)
    kind = rng.randrange(7)
    if kind == 0:
        tokens[at] = ""
    elif kind == 1:
        tokens[at] = f"{tokens[at]} {tokens[at]}"
    elif kind == 2:
        other = rng.choice(places)
        tokens[at], tokens[other] = tokens[other], tokens[at]
    elif kind == 3 or tokens[at].isdigit():
        numbers = [k for k in places if tokens[k].isdigit()]
        if numbers:
            at = rng.choice(numbers)
            tokens[at] = rng.choice(("0", "1", "2", "3", "7"))
    elif tokens[at][0].isalpha() or tokens[at][0] == "_":
        tokens[at] = rng.choice(known)
    else:
        tokens[at] = rng.choice(OPERATORS)
    return "".join(tokens)


def _words_of(sheet: Sheet) -> list[str]:
    """The names in the pieces, and some of everybody's."""
    found = {each for piece in sheet.pieces for each in re.findall(r"[A-Za-z_]\w*", piece.text)}
    return sorted(found | {"n", "c", "d", "a", "s", "i", "int", "long", "double"})


def _word(rng: Random, sheet: Sheet, wearer: Wearer) -> Sheet:
    at = _chosen(rng, sheet)
    piece = sheet.pieces[at]
    return _with(sheet, at, replace(piece, text=other_words(rng, piece.text, _words_of(sheet))))


def _mark(rng: Random, sheet: Sheet, wearer: Wearer) -> Sheet:
    """A quote, a splice or the like comes in."""
    at = _chosen(rng, sheet)
    text = sheet.pieces[at].text
    place = rng.randrange(len(text) + 1)
    if rng.random() < 0.5:
        ends = [each.end() for each in re.finditer(r"$", text, re.MULTILINE)]
        place = rng.choice(ends)
    mark = rng.choice(
        ("\\\n", "\\\n", "\\", "'", '"', "/*", "*/", "//", "/**/", "\n", "??/\n", " ")
    )
    return _with(sheet, at, replace(sheet.pieces[at], text=text[:place] + mark + text[place:]))


def _space(rng: Random, sheet: Sheet, wearer: Wearer) -> Sheet:
    """Space comes or goes, which means something between some words and in texts."""
    at = _chosen(rng, sheet)
    text = sheet.pieces[at].text
    between = [each.end() for each in re.finditer(r"[^\w\s](?=[^\w\s])", text)]
    spaces = [each.span() for each in re.finditer(r" +", text)]
    if spaces and (not between or rng.random() < 0.7):
        marks = [(k, end) for k, end in spaces if not text[k - 1 : k + 1].isalnum()]
        first, last = rng.choice(marks or spaces)
        text = text[:first] + rng.choice(("", "  ")) + text[last:]
    elif between:
        place = rng.choice(between)
        text = f"{text[:place]} {text[place:]}"
    return _with(sheet, at, replace(sheet.pieces[at], text=text))


# --- lines ---------------------------------------------------------------------------------------


def other_lines(rng: Random, lines: list[str]) -> list[str]:
    """One line is gone, twice there, or somewhere else."""
    at = rng.randrange(len(lines))
    kind = rng.randrange(4)
    if kind == 0:
        return lines[:at] + lines[at + 1 :]
    if kind == 1:
        return [*lines[: at + 1], *lines[at:]]
    rest = lines[:at] + lines[at + 1 :]
    to = rng.randrange(len(lines)) if kind == 2 else min(at + 1, len(rest))
    return [*rest[:to], lines[at], *rest[to:]]


def _line(rng: Random, sheet: Sheet, wearer: Wearer) -> Sheet:
    at = _chosen(rng, sheet)
    lines = other_lines(rng, sheet.pieces[at].text.split("\n"))
    return _with(sheet, at, replace(sheet.pieces[at], text="\n".join(lines)))


def _line_near(rng: Random, sheet: Sheet, wearer: Wearer) -> Sheet:
    """A line between pieces near the loops, those of the frame among them."""
    lines = sheet.frame.split("\n")
    first, last = lines.index("@head"), lines.index("@others")
    near = other_lines(rng, lines[first:last])
    return replace(sheet, frame="\n".join([*lines[:first], *near, *lines[last:]]))


# --- pieces --------------------------------------------------------------------------------------


def _gone(rng: Random, sheet: Sheet, wearer: Wearer) -> Sheet:
    at = _chosen(rng, sheet)
    return sheet if sheet.pieces[at].slot == "region" else _with(sheet, at)


def _moved(rng: Random, sheet: Sheet, wearer: Wearer) -> Sheet:
    at = _chosen(rng, sheet)
    piece = sheet.pieces[at]
    if piece.slot == "region":
        return sheet
    return _with(sheet, at, replace(piece, slot=rng.choice(SLOTS)))


def _turned(rng: Random, sheet: Sheet, wearer: Wearer) -> Sheet:
    """Pieces come in another order."""
    pieces = list(sheet.pieces)
    rng.shuffle(pieces)
    return sheet.but(*pieces)


def _copied(rng: Random, sheet: Sheet, wearer: Wearer) -> Sheet:
    at = _chosen(rng, sheet)
    piece = sheet.pieces[at]
    if piece.slot == "region" and rng.random() < 0.7:
        return sheet
    return sheet.but(*sheet.pieces, replace(piece, slot=rng.choice(SLOTS)))


def _inserted(rng: Random, sheet: Sheet, text: str) -> Sheet:
    """More lines, between pieces or between the lines of one."""
    if rng.random() < 0.5:
        slot = rng.choice(SLOTS if rng.random() < 0.4 else NEAR)
        new = Piece(slot, text, "change")
        return (
            sheet.but(new, *sheet.pieces) if rng.random() < 0.5 else sheet.but(*sheet.pieces, new)
        )
    at = _chosen(rng, sheet)
    lines = sheet.pieces[at].text.split("\n")
    place = rng.randrange(len(lines) + 1)
    changed = "\n".join([*lines[:place], text, *lines[place:]])
    return _with(sheet, at, replace(sheet.pieces[at], text=changed))


def _macro(rng: Random, sheet: Sheet, wearer: Wearer) -> Sheet:
    """A macro comes or goes."""
    known = _words_of(sheet)
    name, value = rng.choice(known), rng.choice((*known, "1", "2", "(n - 1)", "", ""))
    text = rng.choice(
        (
            f"#undef {name}",
            f"#define {name} {value}",
            f"#undef {name}\n#define {name} {value}",
            f"#define {name}(x) {rng.choice(('x', '(x)', value, f'{name}(x)', f'x {value}'))}",
            f'#pragma push_macro("{name}")\n#undef {name}\n#define {name} {value}',
            f'#pragma pop_macro("{name}")',
        )
    )
    return _inserted(rng, sheet, text)


def _new_pragma(rng: Random, sheet: Sheet, wearer: Wearer) -> Sheet:
    return _inserted(rng, sheet, written(rng, pragma(rng)))


TEXTS = (
    "int more;",
    "double more[3];",
    "int more = 3;",
    "long i, j, r;",
    "float s;",
    "double c[40];",
    "s += 1;",
    "y[2] = 5;",
    "c[3] = 2 * c[3];",
    "{ double c[SLACK]; }",
    "return;",
    "if (n > 3)",
    "if (0)",
    "else",
    ";",
    "}",
    "{",
    "#include <string.h>",
    "#include <stdlib.h>",
    "#include <assert.h>",
    "#include <tgmath.h>",
    "#include <complex.h>",
    "#include <iso646.h>",
    "#include <stdbool.h>",
    "#include <omp.h>",
    "#include <float.h>",
    "#include <setjmp.h>",
    "#include <sys/types.h>",
    "#include <unistd.h>",
    "#include <math.h>",
    "#line 7",
    '#line 1 "after.c"',
    "\n\n",
    "#if 1",
    "#if 0",
    "#else",
    "#endif",
    "#pragma scop",
    "#pragma endscop",
    "__attribute__((noinline))",
    '__attribute__((optimize("O0")))',
    "__extension__",
    "static",
    "volatile",
    "extern double s;",
    "typedef float real;",
    "enum { SLACK2 = __COUNTER__ };",
    '__asm__ volatile("" ::: "memory");',
    "again:",
    'asm(".set other, c");',
    "void work(int);",
    "#ifdef _OPENMP\ns = 3;\n#endif",
    "#ifndef __clang__\ns = 3;\n#endif",
    "for (int q = 0; q < 2; q++)",
    "#error no",
    "#warning no",
    '_Static_assert(1, "x");',
)


def _new_text(rng: Random, sheet: Sheet, wearer: Wearer) -> Sheet:
    if rng.random() < 0.2:
        return _inserted(rng, sheet, f"#if 0\n{junk(rng)}\n#endif")
    return _inserted(rng, sheet, rng.choice(TEXTS))


def unmarked(sheet: Sheet) -> Sheet:
    """The program without marks around its region."""
    frame = sheet.frame.replace("#pragma scop\n", "").replace("#pragma endscop\n", "")
    return replace(sheet, frame=frame)


def _no_marks(rng: Random, sheet: Sheet, wearer: Wearer) -> Sheet:
    return unmarked(sheet)


SURROUNDINGS: tuple[Callable[[Random, Sheet, Wearer], Sheet], ...] = (
    _word,
    _word,
    _mark,
    _space,
    _space,
    _line,
    _line,
    _line_near,
    _gone,
    _gone,
    _moved,
    _moved,
    _turned,
    _copied,
    _macro,
    _macro,
    _macro,
    _new_pragma,
    _new_pragma,
    _new_text,
    _new_text,
    _new_text,
    _no_marks,
)


def changed(rng: Random, sheet: Sheet, files: Mapping[str, str], wearer: Wearer) -> Changed:
    """The program with one change."""
    kind = rng.random()
    if kind < 0.12:
        return _dressed(rng, sheet, files, wearer)
    if kind < 0.2 and files:
        return _other_header(rng, sheet, files)
    change = rng.choice(SURROUNDINGS)
    return Changed(change(rng, sheet, wearer), files, change.__name__.strip("_"))


def _dressed(rng: Random, sheet: Sheet, files: Mapping[str, str], wearer: Wearer) -> Changed:
    """The program wears something else as well."""
    dress = random_dress(rng, wearer)
    pieces = [
        replace(each, text=dress.edit(each.text)) if each.slot == "region" else each
        for each in sheet.pieces
    ]
    pieces += [Piece(slot, text, dress.kind) for slot, text in dress.slots]
    frame = sheet.frame
    for old, new in dress.swaps:
        frame = frame.replace(old, new)
    found = Sheet(frame, tuple(pieces), (*sheet.finishes, dress.finish))
    return Changed(found, {**files, **dress.files}, f"dressed ({dress.kind})")


def _other_header(rng: Random, sheet: Sheet, files: Mapping[str, str]) -> Changed:
    """A header is another one, which is like it."""
    name = rng.choice(sorted(files))
    other = f"new_{name}"
    text = files[name]
    if rng.random() < 0.5:
        text = other_words(rng, text, _words_of(sheet))
    else:
        text = "\n".join(other_lines(rng, text.split("\n")))
    pieces = [replace(each, text=each.text.replace(name, other)) for each in sheet.pieces]
    return Changed(sheet.but(*pieces), {**files, other: text}, "other_header")
