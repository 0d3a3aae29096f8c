"""Small changes of a text, most of them for the worse, and what running it says about them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
_ERROR = re.compile(
    r"^mutant-(\d+):\d+:\d+: (?:fatal )?error:|in function .f_(\d+)\b", re.MULTILINE
)
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


# --- damage of a certain kind -------------------------------------------------------------------

CLAUSES = ("nowait", "collapse(2)", "private(n)", "safelen(4)", "ordered", "lastprivate(n)")


def damaged(text: str, random: Random) -> str:
    """An emitted text with one fault, such as a generator makes; the old statements stay."""
    generated, otherwise, kept = parted(text)
    while True:
        fault = random.choice(FAULTS)(generated, random)
        if fault is not None and fault != generated:
            return fault + otherwise + kept


def parted(text: str) -> tuple[str, str, str]:
    """The generated part of an emitted text, and the old statements for all other cases."""
    generated, otherwise, kept = text.rpartition("\n} else {\n")
    return (generated, otherwise, kept) if otherwise else (text, "", "")


def _replaced(text: str, pattern: str, change: Callable[[str], str], random: Random) -> str | None:
    """The text with one of the places changed that the pattern finds."""
    places = list(re.finditer(pattern, text, re.MULTILINE))
    if not places:
        return None
    at = random.choice(places)
    return text[: at.start()] + change(at.group()) + text[at.end() :]


def _bound(text: str, random: Random) -> str | None:
    """A loop begins or ends one too early or too late."""
    more = random.choice((" + 1", " - 1"))
    pattern = random.choice((r"(?<== )[^;=]+(?=; c\d+ <)", r"(?<=[<=] )[^;<=]+(?=; c\d+\+)"))
    return _replaced(text, pattern, lambda found: found + more, random)


def _step(text: str, random: Random) -> str | None:
    return _replaced(text, r"(?<=\+= )\d+(?=\))", lambda found: str(int(found) + 1), random)


def _comparison_sign(text: str, random: Random) -> str | None:
    swapped = {" < ": " <= ", " <= ": " < ", " >= ": " > ", " == ": " >= "}
    return _replaced(text, r" (?:<|<=|>=|==) ", lambda found: swapped[found], random)


def _guard(text: str, random: Random) -> str | None:
    """A condition is lost, or one side of a minimum or maximum."""
    if random.random() < 0.5:
        return _replaced(text, r"(?<=^ )( *)(else )?if \(.*\)", lambda _: "  if (1)", random)
    pattern = r"lw_(?:min|max)\([^(),]+, [^(),]+\)"
    side = random.randrange(2)
    return _replaced(text, pattern, lambda found: found[7:-1].split(", ")[side], random)


def _subscript(text: str, random: Random) -> str | None:
    more = random.choice((" + 1", " - 1"))
    if random.random() < 0.3:
        return _replaced(text, r"\[[^][]+\]\[[^][]+\]", _swapped_subscripts, random)
    return _replaced(text, r"(?<=\[)[^][]+(?=\])", lambda found: found + more, random)


def _swapped_subscripts(found: str) -> str:
    first, second = found[1:-1].split("][")
    return f"[{second}][{first}]"


def _register(text: str, random: Random) -> str | None:
    """A variable takes the place of its neighbour."""
    other = str(random.randrange(4))
    return _replaced(text, r"(?<=\b[A-Z]_)\d+\b", lambda _: other, random)


def _statements(text: str, random: Random) -> str | None:
    """A statement is lost, or two of them are swapped."""
    lines = text.split("\n")
    places = [at for at, each in enumerate(lines) if "; //" in each]
    at = random.choice(places)
    if random.random() < 0.4:
        lines[at] = "{}"
    elif at + 1 in places:
        lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return "\n".join(lines)


def _block(text: str, random: Random) -> str | None:
    """A loop with all that is in it is lost, as that for a remainder may be."""
    lines = text.split("\n")
    loops = [at for at, each in enumerate(lines) if re.match(r" {4,}for", each)]
    if not loops:
        return None
    first = random.choice(loops)
    indent = len(lines[first]) - len(lines[first].lstrip())
    end = first + 1
    while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > indent:
        end += 1
    if end < len(lines) and lines[end].startswith(" " * indent + "}"):
        end += 1
    return "\n".join([*lines[:first], "{}", *lines[end:]])


def _clause(text: str, random: Random) -> str | None:
    clause = random.choice(CLAUSES)
    return _replaced(text, r"#pragma omp .*$", lambda found: f"{found} {clause}", random)


FAULTS = (
    _bound,
    _bound,
    _step,
    _comparison_sign,
    _guard,
    _subscript,
    _subscript,
    _register,
    _statements,
    _statements,
    _block,
    _pragma,
    _clause,
    _token,
)


# --- running them -------------------------------------------------------------------------------


def computes_the_same(program: str, changed: str, folder: Path) -> bool:
    """Do two versions of a function ``f`` leave the same in all arrays, for some small sizes?

    What does not compile, or does not run cleanly, does not.
    """
    return same_ones(program, [changed], folder) == {0}


def same_ones(program: str, changed: Sequence[str], folder: Path) -> set[int]:
    """Which of the versions of a function ``f`` compute the same; all are built as one."""
    left = dict(enumerate(changed))
    while left:
        source = folder / "all.c"
        source.write_text(_comparison(program, left))
        command = ["gcc", *FLAGS, str(source), "-o", str(folder / "all")]
        built = subprocess.run(command, capture_output=True, check=False, text=True)
        if built.returncode == 0:
            return {each for each in left if _runs_as_the_original(folder / "all", each)}
        found = _ERROR.findall(built.stderr)
        blamed = {int(compiled or linked) for compiled, linked in found}
        assert blamed & left.keys(), built.stderr
        left = {number: text for number, text in left.items() if number not in blamed}
    return set()


def _runs_as_the_original(executable: Path, number: int) -> bool:
    try:
        done = subprocess.run(
            [str(executable), str(number)],
            capture_output=True,
            timeout=10,
            check=False,
            env={"OMP_NUM_THREADS": "2", "ASAN_OPTIONS": "detect_leaks=0"},
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0 and b"runtime error" not in done.stderr


def _comparison(program: str, changed: Mapping[int, str]) -> str:
    """A program that calls a version and the original for all sizes, and fails if they differ."""
    parameters = re.search(r"void f\((.*)\) \{\n", program)
    assert parameters is not None
    names = re.findall(r"(int|double) \*?(\w+)", parameters.group(1))
    sizes = [name for kind, name in names if kind == "int"]
    arrays = [name for kind, name in names if kind == "double"]
    first = program.replace("void f(", "static void f0(")
    others = [
        f'#undef lw_min\n#undef lw_max\n#line 1 "mutant-{number}"\n'
        + text.replace("void f(", f"static void f_{number}(")
        for number, text in changed.items()
    ]
    count = " * ".join(["60"] * 2)
    return "\n".join(
        [
            "#include <stdlib.h>\n#include <string.h>",
            first,
            *others,
            '#line 1 "main"',
            f"static double *made(int seed) {{ double *a = malloc(sizeof(double) * {count});",
            f"  for (int k = 0; k < {count}; k++) a[k] = (k * 37 + seed * 11) % 101 / 8.0;",
            "  return a; }",
            "int main(int count, char **words) {",
            "  const int number = atoi(words[count - 1]);",
            f"  const int sizes[] = {{{', '.join(map(str, SIZES))}}};",
            *(
                f"  for (int k_{each} = 0; k_{each} < {len(SIZES)}; k_{each}++) {{"
                for each in sizes
            ),
            *(f"  int {each} = sizes[k_{each}];" for each in sizes),
            *_calls(sizes, arrays, count, changed),
            *("  }" for _ in sizes),
            "  return 0; }",
        ]
    )


def _calls(
    sizes: list[str], arrays: list[str], count: str, numbers: Iterable[int]
) -> Iterator[str]:
    for version in "01":
        for at, each in enumerate(arrays):
            yield f"  double *{each}{version} = made({at});"
    given = [", ".join([*sizes, *(f"(void *){each}{which}" for each in arrays)]) for which in "01"]
    yield f"  f0({given[0]});"
    yield "  switch (number) {"
    yield from (f"  case {number}: f_{number}({given[1]}); break;" for number in numbers)
    yield "  default: return 2; }"
    for each in arrays:
        yield f"  if (memcmp({each}0, {each}1, sizeof(double) * {count})) return 1;"
        yield f"  free({each}0); free({each}1);"
