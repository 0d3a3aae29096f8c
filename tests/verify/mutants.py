"""Small changes of a text, most of them for the worse, and what running it says about them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

FLAGS = "-std=gnu11 -O1 -w -ffp-contract=off -fopenmp -fsanitize=undefined,address".split()
SIZES = (1, 2, 3, 5, 16, 17, 33, 50)
TOKEN = re.compile(r"//[^\n]*|#[^\n]*|[A-Za-z_]\w*|\d+\.\d+|\d+|\+\+|--|[-+*/%<>=!&|]=|.|\n")
SWAPS = {
    "+": "-*",
    "-": "+",
    "*": "+",
    "%": "/",
    "/": "%",
    "<": [">", "<=", "!="],
    "<=": ["<", "=="],
    ">": ["<", ">="],
    ">=": [">"],
    "==": ["!=", "<="],
    "++": ["--"],
    "--": ["++"],
    "+=": ["-=", "="],
    "=": ["+="],
    "&&": ["||"],
    "double": ["float"],
    "int": ["long", "short", "unsigned"],
    "long": ["int"],
}
PRAGMAS = ("#pragma omp parallel for", "#pragma omp simd", "#pragma omp parallel for private(t)")


def mutant(text: str, random: Random) -> str:
    """The text with one or two changes; the original statements at its end stay as they are."""
    generated, otherwise, kept = text.partition("} else {\n")
    for _ in range(random.choice((1, 1, 1, 2))):
        generated = random.choice((_token, _token, _token, _line, _pragma))(generated, random)
    return generated + otherwise + kept


def _token(text: str, random: Random) -> str:
    tokens = TOKEN.findall(text)
    names = [each for each in tokens if re.fullmatch(r"[a-zA-Z]\w?", each)]
    places = [at for at, each in enumerate(tokens) if each in SWAPS or each.isalnum()]
    at = random.choice(places)
    token = tokens[at]
    if token.isdigit():
        tokens[at] = str(max(0, int(token) + random.choice((-1, 1, 1, int(token)))))
    elif token in SWAPS:
        tokens[at] = random.choice(list(SWAPS[token]))
    else:
        tokens[at] = random.choice(names)
    return "".join(tokens)


def _line(text: str, random: Random) -> str:
    lines = text.split("\n")
    at = random.randrange(len(lines) - 1)
    match random.randrange(3):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case _:
            lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return "\n".join(lines)


def _pragma(text: str, random: Random) -> str:
    lines = text.split("\n")
    pragmas = [at for at, each in enumerate(lines) if each.lstrip().startswith("#pragma")]
    loops = [at for at, each in enumerate(lines) if each.lstrip().startswith("for")]
    if pragmas and random.random() < 0.3:
        del lines[random.choice(pragmas)]
    elif loops:
        lines.insert(random.choice(loops), random.choice(PRAGMAS))
    return "\n".join(lines)


# --- running them -------------------------------------------------------------------------------


def computes_the_same(program: str, changed: str, folder: Path) -> bool:
    """Do two versions of a function ``f`` leave the same in all arrays, for some small sizes?

    What does not compile, or does not run cleanly, does not.
    """
    source = folder / "both.c"
    source.write_text(_comparison(program, changed))
    built = subprocess.run(
        ["gcc", *FLAGS, str(source), "-o", str(folder / "both")], capture_output=True, check=False
    )
    if built.returncode != 0:
        return False
    try:
        done = subprocess.run(
            [str(folder / "both")],
            capture_output=True,
            timeout=20,
            check=False,
            env={"OMP_NUM_THREADS": "2", "ASAN_OPTIONS": "detect_leaks=0"},
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0 and b"runtime error" not in done.stderr


def _comparison(program: str, changed: str) -> str:
    """A program that calls both versions for all sizes, and fails where they differ."""
    parameters = re.search(r"void f\((.*)\) \{\n", program)
    assert parameters is not None
    names = re.findall(r"(int|double) \*?(\w+)", parameters.group(1))
    sizes = [name for kind, name in names if kind == "int"]
    arrays = [name for kind, name in names if kind == "double"]
    first = program.replace("void f(", "static void f0(")
    second = changed.replace("void f(", "static void f1(")
    count = " * ".join(["60"] * 2)
    return "\n".join(
        [
            "#include <stdlib.h>\n#include <string.h>",
            first,
            second,
            f"static double *made(int seed) {{ double *a = malloc(sizeof(double) * {count});",
            f"  for (int k = 0; k < {count}; k++) a[k] = (k * 37 + seed * 11) % 101 / 8.0;",
            "  return a; }",
            "int main(void) {",
            f"  const int sizes[] = {{{', '.join(map(str, SIZES))}}};",
            *(
                f"  for (int k_{each} = 0; k_{each} < {len(SIZES)}; k_{each}++) {{"
                for each in sizes
            ),
            *(f"  int {each} = sizes[k_{each}];" for each in sizes),
            *_calls(sizes, arrays, count),
            *("  }" for _ in sizes),
            "  return 0; }",
        ]
    )


def _calls(sizes: list[str], arrays: list[str], count: str) -> Iterator[str]:
    for version in "01":
        for at, each in enumerate(arrays):
            yield f"  double *{each}{version} = made({at});"
        given = [*sizes, *(f"(void *){each}{version}" for each in arrays)]
        yield f"  f{version}({', '.join(given)});"
    for each in arrays:
        yield f"  if (memcmp({each}0, {each}1, sizeof(double) * {count})) return 1;"
        yield f"  free({each}0); free({each}1);"
