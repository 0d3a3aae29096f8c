"""Conditionals around loops and in them, and what stands where nobody compiles it."""

from __future__ import annotations

from random import Random

from tests.soundness.surroundings import edits
from tests.soundness.surroundings.programs import AROUND, INSIDE, Dress, Wearer, fresh, placed

CONDITIONS = (
    "1",
    "0",
    "!0",
    "defined(NEVER)",
    "!defined NEVER",
    "defined _OPENMP",
    "_OPENMP >= 201511",
    "_OPENMP == 201511",
    "defined(__GNUC__) && !defined(__clang__)",
    "__GNUC__ >= 4",
    "__GNUC__ == 12",
    "defined(__clang__)",
    "__clang_major__ >= 3",
    "defined(__OPTIMIZE__)",
    "__OPTIMIZE__ && !defined __OPTIMIZE_SIZE__",
    "defined __AVX2__ || defined __SSE2__",
    "defined __AVX512F__",
    "__STDC_VERSION__ > 201112L",
    "defined __STDC_VERSION__",
    "__cplusplus >= 201103L",
    "defined __cplusplus",
    "__STDC_HOSTED__",
    "defined __STRICT_ANSI__",
    "__has_include(<math.h>)",
    "defined __has_include && __has_include(<omp.h>)",
    '__has_include("nothing.h")',
    "__has_attribute(noinline)",
    "__has_builtin(__builtin_assume)",
    "__SIZEOF_LONG__ == 8",
    "__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__",
    "__LINE__ % 2",
    "__LINE__ > 20",
    "__COUNTER__ % 2",
    "__INCLUDE_LEVEL__ == 0",
    "'a' == 97",
    "'\\'' == 39",
    "'\"' /* \" */",
    "-1 > 0u",
    "0x7fffffff + 1 > 0",
    "(2 || 1 / 0)",
    "1 ? 1 : (0)",
    "NEVER",
    "NEVER == 0",
    "~0",
    "/* 0 */ 1",
    "1 // don't",
    "1 \\\n + 1",
    "__FAST_MATH__",
    "defined __NO_INLINE__",
    "defined NDEBUG",
    "__x86_64__",
    "__CHAR_BIT__ == 8 && __INT_MAX__ > 32767",
    "__FLT_EVAL_METHOD__ == 0",
    "defined __NEXT_RUNTIME__",
    "defined linux",
    "__GCC_IEC_559 > 0",
    "defined M_PI",
    "defined NULL",
    "defined EOF && EOF < 0",
    "defined __BLOCKS__",
    "defined _REENTRANT",
    "__GXX_ABI_VERSION > 1000",
    "defined __PIC__",
    "__USER_LABEL_PREFIX__",
)
JUNK = (
    "don't",
    "it's one o'clock",
    'an inch is 1"',
    '"',
    "'",
    "/* can't */",
    "can't /* */",
    "'/*' */",
    "// isn't it? \\\n\"no",
    "#pragma scop",
    "#pragma endscop",
    "#pragma omp parallel for",
    "#error no, don't",
    "#include <nowhere.h>",
    "#define N 3",
    "#undef n",
    "#if 1\n#endif",
    "#if can't /* */\n#elif 1\n\"\n#else\n'\n#endif",
    "}",
    "{ {",
    "s = 2 * s;",
    'R"(',
    ')"',
    "1'000'0",
    "\\",
    "??/",
    "??'",
    "@ ` $ \x07",
    "é ñ ü",
    "<% %: %>",
    '#include "unfinished',
    "0x1p",
    "for (int i = 0; i < n; i++)",
    "_Pragma(",
    "__LINE__",
)


def condition(rng: Random) -> str:
    """Something that is true or not."""
    found = rng.choice(CONDITIONS)
    if rng.random() < 0.15:
        return f"({found.replace('// don', '/* don').replace('don' + chr(39) + 't', 'do not')}" + (
            ") || 0" if "/* do" not in found else " */) || 0"
        )
    return found


def junk(rng: Random) -> str:
    """Text that is not compiled."""
    return "\n".join(rng.choice(JUNK) for _ in range(rng.choice((1, 1, 2, 3))))


def _either(rng: Random, one: str, other: str) -> str:
    """Two texts of which a condition chooses one."""
    kind = rng.randrange(5)
    if kind == 0:
        return f"#if {condition(rng)}\n{one}\n#elif {condition(rng)}\n{other}\n#else\n{one}\n#endif"
    if kind == 1:
        word, name = (
            rng.choice(("ifdef", "ifndef")),
            rng.choice(("_OPENMP", "NEVER", "__OPTIMIZE__", "__clang__")),
        )
        return f"#{word} {name}\n{one}\n#else\n{other}\n#endif"
    if kind == 2:
        return f"#  if {condition(rng)}\n{one}\n /**/ # else /* don't */\n{other}\n#endif // it's"
    return f"#if {condition(rng)}\n{one}\n#else\n{other}\n#endif"


def chosen_macro(rng: Random, wearer: Wearer) -> Dress:
    """The value of a macro depends on a condition."""
    name = fresh(rng, "K")
    one, other = rng.sample(("1", "2", "0.5", "n", "d[0]", "i", "(i - 1)"), 2)
    text = _either(rng, f"#define {name} {one}", f"#define {name} {other}")
    where, files = placed(rng, text, "top", "types", "names", "opening", "front", "inside")
    edit = edits.values(
        lambda value: f"{value} + {name}" if "i" in one + other else f"{name} * {value}"
    )
    return Dress("chosen_macro", where, edit=edit, files=files)


def chosen_statement(rng: Random, wearer: Wearer) -> Dress | None:
    """A statement in the loops depends on a condition."""
    found = edits.statements_of(wearer.region.old)
    if not found:
        return None
    old = rng.choice(found)
    other = old.replace("= ", "= 2 * ", 1) if rng.random() < 0.7 else rng.choice(JUNK[:5])
    text = _either(rng, *rng.sample((old, other), 2))
    which = rng.choice(("both", "both", "new", "old"))
    return Dress("chosen_statement", edit=edits.statement(old, text), edits=which)


def chosen_region(rng: Random, wearer: Wearer) -> Dress:
    """The loops stand under a condition."""
    text = f"#if {condition(rng)}"
    other = rng.choice(("", "#else", f"#else\n{junk(rng)}", "#else\ns = 0;"))
    end = f"{other}\n#endif" if other else "#endif"
    slots = rng.choice((("front", "behind"), ("inside", "within"), ("opening", "closing")))
    if rng.random() < 0.3:
        return Dress(
            "chosen_region", ((slots[0], f"#if 0\n{junk(rng)}\n#else"), (slots[1], "#endif"))
        )
    return Dress("chosen_region", ((slots[0], text), (slots[1], end)))


def chosen_function(rng: Random, wearer: Wearer) -> Dress:
    """What stands elsewhere depends on a condition."""
    name = fresh(rng, "other")
    one, other = (f"static int {name}(void) {{ return {k}; }}" for k in (1, 2))
    where, files = placed(rng, _either(rng, one, other), "types", "names", "others")
    slots = (*where, ("told", f'    printf("%d\\n", {name}());'))
    return Dress("chosen_function", slots, files=files)


def skipped(rng: Random, wearer: Wearer) -> Dress:
    """Something is not compiled."""
    head = rng.choice(("#if 0", "#if 0 // don't", "#ifdef NEVER", "#ifndef __GNUC__", "#if NEVER"))
    tail = rng.choice(("#endif", "#endif", "#else\n#endif", "#elif 0\n'\n#endif", '#endif /* " */'))
    text = f"{head}\n{junk(rng)}\n{tail}"
    slots: list[tuple[str, str]] = []
    for _ in range(rng.choice((1, 1, 2))):
        where, files = placed(rng, text, *AROUND, *INSIDE)
        slots += where
        if files:
            return Dress("skipped", where, files=files)
    return Dress("skipped", tuple(slots))


def skipped_between(rng: Random, wearer: Wearer) -> Dress:
    """Something is not compiled between two lines of the loops."""
    text = f"#if 0\n{junk(rng)}\n#endif\n"
    which = rng.choice(("both", "old", "new"))
    place = rng.random()

    def edit(loops: str) -> str:
        lines = loops.split("\n")
        at = int(place * len(lines))
        return "\n".join([*lines[:at], text + lines[at], *lines[at + 1 :]])

    return Dress("skipped_between", edit=edit, edits=which)


MAKERS = (
    chosen_macro,
    chosen_macro,
    chosen_statement,
    chosen_region,
    chosen_region,
    chosen_function,
    skipped,
    skipped,
    skipped_between,
)
