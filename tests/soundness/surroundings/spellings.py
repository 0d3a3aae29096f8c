"""Where words end: quotes, comments, splices, digraphs, trigraphs, raw strings, ends of lines."""

from __future__ import annotations

import re
from random import Random

from tests.soundness.surroundings import edits
from tests.soundness.surroundings.nests import renamed
from tests.soundness.surroundings.programs import AROUND, INSIDE, Dress, Wearer, fresh, placed

VEILS = (
    ("#if 0\ndon't /*\n#endif", "#if 0\n*/ won't\n#endif"),
    ('#if 0\nan inch is 1" /* more\n#endif', '#if 0\n*/ or 2.54 cm"\n#endif'),
    ('#if 0\n"\n#endif', '#if 0\n"\n#endif'),
    ("#if 0\n'\n#endif", "#if 0\n'\n#endif"),
    ('#if 0\n"\n#else', '#endif\n// "'),
    ("#if 0\nit's\n#elif 1", "#endif\n// it's"),
    ("#pragma note don't /* */", "#pragma note */ don't"),
    ("// /*", "// */"),
    ("/* note *\\\n/", "/* end */"),
    ("/* note *\\ \n/", "/* end */"),
    ("/* // */", '/* " */'),
    ("//\\\n/*", "/**/ // */"),
    ("/\\\n* x *\\\n/", "/\\\n/ y"),
    ("#ifdef NEVER\n#error can't /* do\n#endif", "#if 0\n*/\n#endif"),
    ("#define veil_one '\"'", "#define veil_two '\"'"),
    ('#define veil_three(x) "/*" x', '#define veil_four(x) x "*/"'),
    ("#define veil_five /\\\n*", "#define veil_five_end *\\\n/"),
    ("/* don't */", '/* \\" */'),
    ("// what??/", "// now"),
    ("#if 1 /* it's\n*/", '#endif /*\n"*/'),
)
STRINGS = (
    '"/*"',
    '"*/ \\" //"',
    '"don\'t"',
    '"\\\\"',
    '"a\\\nb"',
    '"??/" "?"',
    '"#pragma endscop"',
    '"a" "b" /* " */ "c"',
    'L"x" + 0 ? "y" : "z"',
    '"\\"/*\\""',
    '"%:define"',
)
RAW = (
    'R"(/*)"',
    'R"x()" */)x"',
    'R"(\n# 1 "/usr/include/fake.h" 1 3 4\n)"',
    'R"(\n#pragma endscop\n#endif\n)"',
    'R"(don\'t " \\\n)"',
    'u8R"(*/)" + 0 ? "y" : "z"',
    'R"(#define N 3\n#define n 7\n)"',
    'R"(\n# 40 "before.c"\n#pragma loopwright begin 0\n)"',
    'R"delim(")notdelim")delim"',
    'R"(??/\n)"',
)
CHARACTERS = ("'\"'", "'\\''", "'/*'", "'\\\\'", "L'x'", "'*/'", "'//'", "'\\x27'")


def veils(rng: Random, wearer: Wearer) -> Dress:
    """A reader who does not know where comments and strings end sees less or more than there is."""
    opens, closes = rng.choice(VEILS)
    order = (*AROUND[:5], *INSIDE, *AROUND[5:])
    first, last = sorted(rng.choices(range(len(order)), k=2))
    return Dress("veils", ((order[first], opens), (order[last], closes)))


def veils_between(rng: Random, wearer: Wearer) -> Dress:
    """The same between lines of the loops."""
    opens, closes = rng.choice(VEILS)
    first, last = sorted((rng.random(), rng.random()))

    def edit(loops: str) -> str:
        lines = loops.split("\n")
        at, end = int(first * len(lines)), int(last * len(lines))
        return "\n".join([*lines[:at], opens, *lines[at:end], closes, *lines[end:]])

    return Dress("veils_between", edit=edit, edits=rng.choice(("both", "old", "new")))


def splices(rng: Random, wearer: Wearer) -> Dress:
    """Lines are in pieces."""
    seed, count = rng.random(), rng.choice((1, 3, 10))
    splice = (
        "??/\n"
        if wearer.is_strict and rng.random() < 0.3
        else rng.choice(("\\\n", "\\\n", "\\ \n"))
    )

    def edit(text: str) -> str:
        own = Random(seed)
        for _ in range(count):
            at = own.randrange(len(text) + 1)
            before = text[:at]
            if not before.endswith(("\\", "/", "?")) and not text[at:].startswith(("\n", "/", "?")):
                text = f"{before}{splice}{text[at:]}"
        return text

    if rng.random() < 0.2:
        return Dress("splices", finish=edit)
    return Dress("splices", edit=edit, edits=rng.choice(("both", "old", "new")))


def comments(rng: Random, wearer: Wearer) -> Dress:
    """Comments stand between words."""
    seed = rng.random()
    texts = ["/* ' */", '/* " */', "/* // */", "/**/", "/* a\n b */", "// '\n", '// "\n', "// /*\n"]
    texts += ["/* \\\n */", "// \\\n it's\n", "/*/ */", "/* ** /*/", "//\n"]

    def edit(text: str) -> str:
        own = Random(seed)
        lines = text.split("\n")
        for _ in range(3):
            at = own.randrange(len(lines))
            if lines[at].lstrip().startswith("#") or "//" in lines[at]:
                continue
            pieces = re.split(r"(?<= )", lines[at])
            pieces.insert(own.randrange(len(pieces) + 1), own.choice(texts))
            lines[at] = "".join(pieces)
        return "\n".join(lines)

    return Dress("comments", edit=edit, edits=rng.choice(("both", "old", "new")))


def digraphs(rng: Random, wearer: Wearer) -> Dress:
    """Brackets are digraphs or trigraphs."""
    marks = {"[": "<:", "]": ":>", "{": "<%", "}": "%>", "#": "%:"}
    if wearer.is_strict and rng.random() < 0.6:
        marks = {"[": "??(", "]": "??)", "{": "??<", "}": "??>", "#": "??="}
    chosen = rng.sample(sorted(marks), 2)

    def edit(text: str) -> str:
        for each in chosen:
            text = text.replace(each, marks[each])
        return text

    if rng.random() < 0.15:
        return Dress("digraphs", finish=edit)
    return Dress("digraphs", edit=edit, edits=rng.choice(("both", "old", "new")))


def separators(rng: Random, wearer: Wearer) -> Dress | None:
    """Digits are separated."""
    if not (wearer.is_cpp or wearer.standard.endswith(("2x", "23"))):
        return None
    number = rng.choice(("1'0", "1'0'0", "0x1'F", "0b1'0", "1'0.5", "0'7"))
    if rng.random() < 0.5:
        slot = rng.choice(AROUND[1:])
        return Dress(
            "separators", ((slot, f"enum {{ {fresh(rng, 'ten')} = {number.partition('.')[0]} }};"),)
        )
    return Dress("separators", edit=edits.values(lambda value: f"{value} + {number}"))


def strings(rng: Random, wearer: Wearer) -> Dress:
    """Texts look like comments or directives."""
    kind = rng.randrange(3)
    name = fresh(rng, "text")
    if kind == 0:
        literal = rng.choice(CHARACTERS)
        return Dress("strings", edit=edits.values(lambda value: f"{value} + {literal}"))
    can_be_raw = wearer.is_cpp or not wearer.is_strict
    literal = rng.choice(RAW if kind == 1 and can_be_raw else STRINGS)
    where, files = placed(
        rng, f"static const char *const {name} = {literal};", "types", "names", "opening", "closing"
    )
    slot, told = where[0][0], f"    puts({name});"
    slots = [*where]
    slots.append(("told" if slot in ("types", "names") else "closing", told))
    return Dress("strings", tuple(slots), files=files)


def names(rng: Random, wearer: Wearer) -> Dress:
    """Names have letters that others do not know."""
    old = rng.choice("iijkv")
    new = rng.choice(("é", "$i", "\\u00e9", "i$", "ñ1", "_", "__", "i__", "\\U000000e9", "l", "I"))
    return Dress(
        "names", edit=lambda text: renamed(text, old, new), edits=rng.choice(("both", "old", "new"))
    )


def _carriage_returns(text: str) -> str:
    return text.replace("\n", "\r\n")


def _mark_of_order(text: str) -> str:
    return "\ufeff" + text


def _no_last_line(text: str) -> str:
    return text.rstrip("\n")


def _form_feeds(text: str) -> str:
    return text.replace("\nvoid", "\n\f\nvoid").replace("    ", "\t")


def ends_of_lines(rng: Random, wearer: Wearer) -> Dress:
    """The whole file is written in another way."""
    ways = (_carriage_returns, _mark_of_order, _no_last_line, _form_feeds)
    return Dress("ends_of_lines", finish=rng.choice(ways))


def spaces(rng: Random, wearer: Wearer) -> Dress:
    """There is more or less space, and there are more lines."""
    changes = (
        lambda text: text.replace("    ", "\t"),
        lambda text: text.replace("\n", "\n\n"),
        lambda text: text.replace("\n    ", " ") if "#" not in text else text,
        lambda text: text.replace(" = ", "="),
        lambda text: "\n" + text,
        lambda text: text.replace("; ", ";\n"),
        lambda text: text.replace("#pragma ", "# pragma\t"),
    )
    return Dress("spaces", edit=rng.choice(changes), edits=rng.choice(("both", "old", "new")))


MAKERS = (
    veils,
    veils,
    veils_between,
    splices,
    splices,
    comments,
    comments,
    digraphs,
    separators,
    strings,
    strings,
    names,
    ends_of_lines,
    spaces,
)
