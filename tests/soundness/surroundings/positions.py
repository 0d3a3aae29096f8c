"""What observes lines, files and counters, and what changes them."""

from __future__ import annotations

from random import Random

from tests.soundness.surroundings import edits
from tests.soundness.surroundings.programs import AROUND, INSIDE, Dress, Wearer, fresh, placed

NUMBERS = (
    "__LINE__",
    "__builtin_LINE()",
    "(__LINE__ % 7)",
    "(int)sizeof(__FILE__)",
    "__builtin_FILE()[0]",
    "(int)sizeof(__func__)",
    "__COUNTER__",
    "__INCLUDE_LEVEL__",
    "__func__[0]",
    "(int)sizeof __PRETTY_FUNCTION__",
    "__builtin_FUNCTION()[1]",
    "__BASE_FILE__[0]",
    "0 * __LINE__",
    "0 * __COUNTER__",
)


def told(rng: Random, wearer: Wearer) -> Dress:
    """A position is printed."""
    number = rng.choice(NUMBERS)
    slot = rng.choice(("opening", "closing", "told", "told", "front", "behind"))
    if rng.random() < 0.4:
        name = fresh(rng, "HERE")
        if rng.random() < 0.3:
            return Dress(
                "told", ((slot, f'    printf("%d\\n", {name});'),), define=(f"{name}={number}",)
            )
        where, files = placed(rng, f"#define {name} {number}", "first", "top", "types")
        return Dress("told", (*where, (slot, f'    printf("%d\\n", {name});')), files=files)
    return Dress("told", ((slot, f'    printf("%d\\n", {number});'),))


def in_loops(rng: Random, wearer: Wearer) -> Dress:
    """A position is a value in the loops."""
    number = rng.choice(NUMBERS)
    if rng.random() < 0.5:
        name = fresh(rng, "HERE")
        where, files = placed(rng, f"#define {name} {number}", "first", "top", "types")
        edit = edits.values(lambda value: f"{value} + {name}")
        return Dress("in_loops", where, edit=edit, files=files)
    return Dress("in_loops", edit=edits.values(lambda value: f"{value} + {number}"))


def lines(rng: Random, wearer: Wearer) -> Dress:
    """Lines have other numbers."""
    text = rng.choice(
        (
            "#line 100",
            '#line 7 "other.c"',
            "#line 100 // it's",
            "# line 50",
            "#define SEVEN 7\n#line SEVEN",
            '%:line 3 "x.h"',
            '#line 1 "/usr/include/stdio.h"',
            '#li\\\nne 9 "<built-in>"',
            '#line 1 "<built-in>"',
            '#line 2 "don\'t"',
            "#line __LINE__",
            "#",
            "# // null",
        )
    )
    where, files = placed(rng, text, "first", *AROUND, *INSIDE)
    return Dress("lines", where, files=files)


def fresh_names(rng: Random, wearer: Wearer) -> Dress:
    """Names are numbered one by one."""
    name = fresh(rng, "FRESH")
    macro = f"#define {name}__(x, y) x##y\n#define {name}_(x, y) {name}__(x, y)\n"
    macro += f"#define {name} {name}_({name}_v, {rng.choice(('__COUNTER__', '__LINE__'))})"
    slot = rng.choice(("opening", "front", "closing", "behind", "others"))
    return Dress(
        "fresh_names", (("top", macro), (slot, f"double {name};"), (slot, f"double {name};"))
    )


def asserted(rng: Random, wearer: Wearer) -> Dress:
    """Something is asserted."""
    text = "#include <assert.h>"
    if rng.random() < 0.3:
        text = f"#define NDEBUG\n{text}"
    slot = rng.choice(("opening", "closing", "front", "inside", "told"))
    claim = rng.choice(("N > 3", "c[1] < 1e9", "s >= 0 || s < 0", "N == 40"))
    slots = ((rng.choice(("first", "top", "names")), text), (slot, f"    assert({claim});"))
    if rng.random() < 0.3:
        edit = edits.values(lambda value: f"(assert({edits.iterator_in(value)} >= 0), {value})")
        return Dress("asserted", slots[:1], edit=edit)
    return Dress("asserted", slots)


def traced(rng: Random, wearer: Wearer) -> Dress:
    """The loops say where they are, to somebody who listens or not."""
    name = fresh(rng, "TRACE")
    body = rng.choice(
        (
            f"#define {name}(v) (v)",
            f"#define {name}(v) (y[0] = __LINE__, (v))",
            f'#define {name}(v) (0 ? printf("%s:%d %s", __FILE__, __LINE__, #v) : 0, (v))',
            f'#define {name}(v) (printf("%d\\n", __LINE__), (v))',
            f"#ifdef DEBUG\n#define {name}(v) (puts(#v), (v))\n#else\n#define {name}(v) v\n#endif",
        )
    )
    where, files = placed(rng, body, "top", "names", "opening")
    return Dress("traced", where, edit=edits.values(lambda value: f"{name}({value})"), files=files)


MAKERS = (told, told, in_loops, lines, lines, fresh_names, asserted, traced)
