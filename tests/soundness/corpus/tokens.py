"""Where one word ends and the next begins: quotes, comments, splices, trigraphs, raw strings.

A :class:`Veil` is text that a reader may take for the beginning of a comment or a string, and text
that ends it for such a reader; the compiler sees what stands between.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from loopwright.basics.records import record
from tests.soundness.corpus.dressing import (
    CHAIN,
    COLUMNS,
    COUNT,
    DOWN,
    DOWN_TOGETHER,
    FILL,
    IN_PARALLEL,
    LAST,
    PLAIN,
    PRODUCT,
    PRODUCT_BY_ROWS,
    ROWS,
    TILED,
    UPDATE,
    Setting,
    multiplication,
    program,
    renamed,
    right,
    wrong,
)
from tests.soundness.pairs import Pair, Program


@record
class Veil:
    """What opens and closes it, and the language in which that is so."""

    name: str
    opens: str
    closes: str
    standard: str = "gnu11"
    files: tuple[tuple[str, str], ...] = ()

    def over(self, text: str) -> str:
        """The text between the two."""
        return f"{self.opens}\n{text}\n{self.closes}"

    @property
    def options(self) -> dict[str, Any]:
        """What a pair needs for it."""
        return {"standard": self.standard, "files": dict(self.files)}


def unused(text: str) -> str:
    """Text that the preprocessor skips."""
    return f"#if 0\n{text}\n#endif"


def raw(number: int, text: str) -> str:
    """A string in a variable, both at the top of a file and in a function."""
    return f"static const char *const text_{number} = {text};"


APOSTROPHE = Veil("apostrophe and comment", unused("don't /*"), unused("*/ won't"))
QUOTE = Veil("quote and comment", unused('an inch is 1" /* more'), unused('*/ or 2.54 cm"'))
BARE_QUOTE = Veil("quote", unused('"'), unused('"'))
BARE_APOSTROPHE = Veil("bare apostrophe", unused("'"), unused("'"))
UNUSED_ELSE = Veil("quote in front of else", '#if 0\n"\n#else', '#endif\n// "')
UNUSED_ELIF = Veil("apostrophe in front of elif", "#if 0\nit's\n#elif 1", "#endif\n// it's")
IFDEF = Veil("apostrophe in ifdef", "#ifdef NEVER_DEFINED\ncan't /*\n#endif", unused("*/"))
ERROR = Veil("apostrophe in error", unused("#error can't /* do it"), unused("#error */"))
UNKNOWN = Veil("apostrophe in a pragma", "#pragma note don't /*", "#pragma note */ don't")
STRINGS = Veil("comments in strings", raw(1, '"/*"'), raw(2, '"*/"'))
LONG_CHARACTERS = Veil("comments in characters", "enum { open = '/*' };", "enum { shut = '*/' };")
QUOTED_QUOTES = Veil(
    "quotes in characters", "enum { quote = '\"' }; // /*", "enum { q = '\\'' }; // */"
)
ESCAPED = Veil("escaped quotes", raw(1, r'"\\\"/*"'), raw(2, r'"*/\\"'))
NESTED = Veil("comments in comments", "// /*", "// */")
SPLICED_END = Veil("comment that ends in two lines", "/* note *\\\n/", "/* end */")
SPACED_SPLICE = Veil("comment that ends behind a space", "/* note *\\ \n/", "/* end */")
RAW = Veil("raw string", raw(1, 'R"(" /*)"'), raw(2, 'R"(*/ ")"'))
RAW_DELIMITED = Veil("raw string with a delimiter", raw(1, 'R"x()" /*)x"'), raw(2, 'R"x(*/")x"'))
RAW_CPP = replace(RAW, name="raw string in C++", standard="gnu++17")
RAW_PREFIXED = Veil(
    "raw string with a prefix", raw(1, 'u8R"y(" /*)y"'), raw(2, 'u8R"y(*/ ")y"'), "gnu++17"
)
SEPARATED = Veil(
    "digit separator", "enum { d = 1'0 }; " + raw(1, '"\'/*"'), raw(2, '"*/"') + ' //"', "gnu2x"
)
SEPARATED_CPP = replace(SEPARATED, name="digit separator in C++", standard="gnu++17")
SEPARATED_HEX = Veil(
    "digit separator in a hexadecimal number",
    "enum { d = 0xF'F }; " + raw(1, '"\'/*"'),
    raw(2, '"*/"') + ' //"',
    "gnu2x",
)
TRIGRAPH = Veil("trigraph in a string", raw(1, '"??/" /* "'), raw(2, '"*/"') + ' //"', "c11")
TRIGRAPH_SPLICE = Veil("trigraph in a comment", "/* note *??/\n/", "/* end */", "c11")
HEADER = Veil(
    "comment in the name of a header", "#include <./*odd.h>", "/* end */", files=(("*odd.h", "\n"),)
)
HEADER_QUOTE = Veil(
    "quote in the name of a header",
    '#include <in"ch.h>\n#if 0\n/\\\n*\n#endif\n#if 0\n*/\n#endif',
    '#include <in"ch.h>',
    files=(('in"ch.h', "\n"),),
)

EVERYWHERE = (
    APOSTROPHE,
    QUOTE,
    BARE_QUOTE,
    BARE_APOSTROPHE,
    UNUSED_ELSE,
    UNUSED_ELIF,
    IFDEF,
    ERROR,
    UNKNOWN,
    NESTED,
    SPLICED_END,
    SPACED_SPLICE,
    TRIGRAPH_SPLICE,
    HEADER,
    HEADER_QUOTE,
)
WITH_DECLARATIONS = (
    STRINGS,
    LONG_CHARACTERS,
    QUOTED_QUOTES,
    ESCAPED,
    RAW,
    RAW_DELIMITED,
    RAW_CPP,
    RAW_PREFIXED,
    SEPARATED,
    SEPARATED_CPP,
    SEPARATED_HEX,
    TRIGRAPH,
)
NOT_OF_CLANG = (RAW, RAW_DELIMITED)
"""What no version of clang reads that we have."""
SHOWN = 'printf("%g\\n", start);'


def at_the_top(veil: Veil, text: str = "double start = 1.0;") -> Setting:
    """Something happens at the top of the file."""
    return Setting(top=veil.over(text), tell=SHOWN)


def in_front(veil: Veil, text: str = "    s = 1.0;") -> Setting:
    """Something happens in the function, in front of the region."""
    return Setting(opening=veil.over(text))


def behind(veil: Veil, text: str = "    s = 1.0;") -> Setting:
    """Something happens in the function, behind the region."""
    return Setting(closing=veil.over(text))


def changed(setting: Setting) -> dict[str, str]:
    """The one becomes a two."""
    fields = ("top", "opening", "closing", "call")
    return {name: getattr(setting, name).replace("1.0;", "2.0;") for name in fields}


def veiled(veil: Veil, place: str, setting: Setting) -> Pair:
    """What is behind a veil changes."""
    name = f"{veil.name}, {place}"
    return wrong(name, setting, ROWS, COLUMNS, then=changed(setting), **veil.options)


def other_comment(name: str, old: str, new: str, **options: Any) -> Pair:
    """Only a comment changes, but for the compiler the statement behind it does."""
    setting = Setting(opening=f"{old}    s = 1.0;\n    t = 2.0;")
    then = {"opening": f"{new}    s = 1.0;\n    t = 2.0;"}
    return wrong(name, setting, ROWS, COLUMNS, then=then, **options)


def leaking(name: str, directive: str, **options: Any) -> Pair:
    """The new text defines a macro, which is there behind the region as well."""
    return wrong(name, PLAIN, ROWS, f"{COLUMNS}\n{directive}", **options)


def in_region(veil: Veil) -> Pair:
    """The statement behind a veil stands in the region."""
    old, new = (veil.over(f"c[0] = {value};") + f"\n{FILL}" for value in ("1.0", "2.0"))
    return wrong(f"{veil.name}, in the region", PLAIN, old, new, **veil.options)


ACCENT = Setting(names="double é;", tell='printf("%g\\n", é);')
ACCENTED = renamed(LAST, t="é")
DOLLAR = Setting(names="double $t;", tell='printf("%g\\n", $t);')
DOLLARS = renamed(LAST, t="$t")
BODY = {"body.h": "c[i] = c[i] + 1.0;\n"}
INCLUDED = """\
for (int i = 0; i < n; i++) {
#include "body.h"
}"""
STEP = {"step.h": "#ifdef STEP\ns = s + 1.0;\n#else\n#define STEP\nt = t + 1.0;\n#endif\n"}
STEPS = """\
for (int i = 0; i < n; i++)
    c[i] = c[i] + 1.0;
{
#include "step.h"
}"""

WRONG = (
    *(veiled(veil, "in front", in_front(veil)) for veil in (*EVERYWHERE, *WITH_DECLARATIONS)),
    *(
        veiled(veil, "at the top", at_the_top(veil))
        for veil in (APOSTROPHE, BARE_QUOTE, RAW_CPP, SEPARATED, TRIGRAPH, HEADER, UNUSED_ELSE)
    ),
    *(
        veiled(veil, "behind", behind(veil))
        for veil in (APOSTROPHE, QUOTE, RAW, SEPARATED_CPP, SPLICED_END, BARE_APOSTROPHE, IFDEF)
    ),
    *(
        in_region(veil)
        for veil in (APOSTROPHE, QUOTE, BARE_QUOTE, UNUSED_ELSE, SPLICED_END, UNKNOWN, HEADER)
    ),
    other_comment("comment that becomes longer", "// note\n", "// note \\\n"),
    other_comment("comment that becomes longer by a space", "// note\n", "// note \\ \t\n"),
    other_comment(
        "comment that becomes longer by a trigraph", "// note\n", "// note ??/\n", standard="c11"
    ),
    other_comment("comment with a form feed", "// note\f", "// note\n"),
    other_comment("comment with a vertical tab", "// note\v", "// note\n"),
    other_comment("comment with a line separator", "// note\u2028", "// note\n"),
    other_comment("comment with a next line", "// note\x85", "// note\n"),
    other_comment("comment with a file separator", "// note\x1c", "// note\n"),
    other_comment("comment that begins in two lines", "/\\\n/ note\n", "/\\\n/ note \\\n"),
    leaking("macro", "#define A B"),
    leaking("macro in digraphs", "%:define A B"),
    leaking("macro in trigraphs", "??=define A B", standard="c11"),
    leaking("macro in pieces", "#def\\\nine A B"),
    leaking("macro behind a comment", "/* x\n */ # /* y */ define A B"),
    leaking("macro that is undefined", "#define A B\n#undef A\n%:define A B"),
    leaking("macro of a header", '#include "names.h"', files={"names.h": "#define A B\n"}),
    leaking("macro of a digraph header", '%:include "names.h"', files={"names.h": "#define A B\n"}),
    leaking("line in digraphs", '%:define printf(...) puts("")'),
    wrong(
        "new header with a macro",
        PLAIN,
        ROWS,
        COLUMNS,
        then={"top": '#include "types.h"'},
        files={"types.h": "#define double float\n"},
    ),
    wrong(
        "new header with a constructor",
        PLAIN,
        ROWS,
        COLUMNS,
        then={"top": '#include "first.h"'},
        files={
            "first.h": 'static __attribute__((constructor)) void first(void) { puts("first"); }\n'
        },
    ),
    wrong(
        "other spelling of a local name", ACCENT, ACCENTED, f"{{\ndouble \\u00e9;\n{ACCENTED}\n}}"
    ),
    wrong(
        "other spelling of a local name, by eight digits",
        ACCENT,
        ACCENTED,
        f"{{\ndouble \\U000000e9;\n{ACCENTED}\n}}",
    ),
    wrong(
        "local name in pieces",
        Setting(names="double total;", tell='printf("%g\\n", total);'),
        renamed(LAST, t="total"),
        "{\ndouble to\\\ntal;\n" + renamed(LAST, t="total") + "\n}",
    ),
    wrong("body of a header, twice", PLAIN, INCLUDED, f"{INCLUDED}\n{INCLUDED}", files=BODY),
    wrong(
        "body of a header, in order no more",
        PLAIN,
        INCLUDED.replace("i = 0", "i = 1"),
        IN_PARALLEL.replace("for\n", "for num_threads(4) schedule(static, 1)\n")
        + INCLUDED.replace("i = 0", "i = 1"),
        files={"body.h": "c[i] = c[i - 1] + c[i];\n"},
    ),
    wrong(
        "header that is another the second time", Setting(closing=STEPS), STEPS, COUNT, files=STEP
    ),
)

RIGHT = (
    *(
        right(f"{veil.name}, nothing behind it", in_front(veil), ROWS, COLUMNS, **veil.options)
        for veil in (*EVERYWHERE, *WITH_DECLARATIONS)
        if veil not in NOT_OF_CLANG
    ),
    *(
        right(f"{veil.name}, at the top of the same", at_the_top(veil), old, new, **veil.options)
        for veil, old, new in (
            (APOSTROPHE, PRODUCT, PRODUCT_BY_ROWS),
            (BARE_QUOTE, ROWS, IN_PARALLEL + TILED),
            (RAW_CPP, DOWN, DOWN_TOGETHER),
            (SEPARATED, ROWS, IN_PARALLEL + ROWS),
            (TRIGRAPH, f"{FILL}\n{CHAIN}", f"{CHAIN}\n{FILL}"),
        )
    ),
    right(
        "no trigraph in gnu11",
        Setting(opening="// what??/\n    s = 1.0;"),
        ROWS,
        COLUMNS,
        then={"opening": "// what?\n    s = 1.0;"},
    ),
    right(
        "comment with a lone carriage return",
        Setting(opening="// note\r    s = 1.0;"),
        ROWS,
        COLUMNS,
        then={"opening": "// note\n    s = 1.0;"},
    ),
    right("digraphs", PLAIN, ROWS, COLUMNS.replace("[", "<:").replace("]", ":>")),
    right("braces as digraphs", PLAIN, LAST.replace("{", "<%").replace("}", "%>"), LAST),
    right(
        "trigraphs", PLAIN, ROWS, COLUMNS.replace("[", "??(").replace("]", "??)"), standard="c11"
    ),
    right(
        "words in pieces", PLAIN, ROWS, COLUMNS.replace("int", "in\\\nt").replace("++", "+\\\n+")
    ),
    right("comments between words", PLAIN, ROWS, COLUMNS.replace(" = ", "/* * / */=//\\\nx\n")),
    right(
        "an accent in two spellings",
        ACCENT,
        f"{ACCENTED}\n{ROWS}",
        f"{COLUMNS}\n{ACCENTED}".replace("é", "\\u00e9"),
    ),
    right(
        "a dollar",
        DOLLAR,
        f"{DOLLARS}\n{ROWS}",
        f"{COLUMNS}\n{DOLLARS}",
    ),
    right(
        "carriage returns",
        Setting(opening="    s = 1.0;\r\n    t = 2.0;\r"),
        ROWS,
        COLUMNS.replace("\n", "\r\n"),
    ),
    right("words of C++", PLAIN, ROWS.replace("j < n", "j < n and 1"), COLUMNS, standard="gnu++17"),
    right("body of a header", PLAIN, INCLUDED, COUNT, files=BODY),
)

PAIRS: tuple[Pair, ...] = WRONG + RIGHT

NAMED = multiplication(f"S: {UPDATE}")
CHANGED = "interchange(S, 2, 3)\nparallel(S, 1)\n"


def rewritten(veil: Veil, **options: Any) -> Program:
    """A program with a veil in front, in the function, and behind it, and a statement behind it."""
    text = veil.over('    puts("here");')
    region = NAMED if "script" in options else ""
    twice = text.replace("text_", "other_").replace("enum { ", "enum { other_")
    options = {**veil.options, **options}
    name = f"{veil.name}{', found' if options.get('autodetect') else ''}"
    return program(name, region, opening=text, closing=twice, top=veil.over(""), **options)


IN_A_HEADER = """\
for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
#include "update.h"
"""

PROGRAMS: tuple[Program, ...] = (
    rewritten(RAW, rewritten=False),
    rewritten(RAW, rewritten=False),
    *(
        rewritten(veil)
        for veil in (
            APOSTROPHE,
            UNUSED_ELSE,
            RAW_CPP,
            SEPARATED,
            TRIGRAPH,
            HEADER,
            SPLICED_END,
        )
    ),
    *(rewritten(veil, autodetect=True) for veil in (QUOTE, BARE_APOSTROPHE, RAW_PREFIXED, UNKNOWN)),
    rewritten(BARE_QUOTE, script=CHANGED),
    rewritten(SPACED_SPLICE, script=CHANGED),
    program("digraphs", multiplication().replace("[", "<:").replace("]", ":>")),
    program(
        "trigraphs",
        multiplication().replace("[", "??(").replace("]", "??)"),
        standard="c11",
        rewritten=False,
    ),
    program(
        "words in pieces",
        multiplication().replace("+=", "+\\\n=").replace("int", "in\\\nt"),
        rewritten=False,
    ),
    program(
        "words in comments", multiplication("/* C */ C /* [ */ [i] // [\n[j] += A[i][k] * B[k][j];")
    ),
    program(
        "strings", top=raw(1, '"#pragma scop"') + "\n" + raw(2, r'"\"/*"'), tell="puts(text_1);"
    ),
    program("accents", top="enum { é = 1 };", opening="    C[0][0] = \\u00e9;"),
    program("update in a header", IN_A_HEADER, files={"update.h": UPDATE + "\n"}, rewritten=False),
    program(
        "quotes in the region",
        APOSTROPHE.over(NAMED),
        rewritten=False,
    ),
    program(
        "hidden in the region", APOSTROPHE.over("C[0][0] = 5.0;") + f"\n{NAMED}", rewritten=False
    ),
    program(
        "hidden in the region, found",
        APOSTROPHE.over("C[0][0] = 5.0;") + f"\n{NAMED}",
        rewritten=False,
        autodetect=True,
    ),
)
