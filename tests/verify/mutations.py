"""Small changes of a text, most of them for the worse: the faults that a compiler could have.

A text is what stands in a region's place: one line for each loop, test, mark and statement, and a
comment behind a statement, which is the hint about it and moves with it.  The original statements
at the end stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random

Lines = list[str]
Mutation = Callable[[Lines, Random], Lines | None]
"""The lines with one change; ``None`` if there is no place for it."""

OTHERWISE = re.compile(r"^ {0,2}\} else \{$", re.MULTILINE)
TOKEN = re.compile(r"//[^\n]*|#pragma[^\n]*|[A-Za-z_]\w*|\d+\.\d+|\d+|\+\+|--|[-+*/%<>=!&|]=|.|\n")
FOR = re.compile(
    r"(?P<head>\s*for \((?:long|int) (?P<name>\w+) = )(?P<start>[^;]+)"
    r"(?P<asked>; (?P=name) )(?P<sign>[<>]=?) (?P<end>[^;]+)(?P<next>; (?P=name) ?)"
    r"(?P<step>\+\+|--|[-+]= \d+)(?P<tail>\).*)"
)
PARALLEL, SIMD = "#pragma omp parallel for", "#pragma omp simd"
CLAUSES = ("nowait", "collapse(2)", "safelen(4)", "ordered", "schedule(static, 1)")
CLAUSES_WITH_NAMES = ("private", "firstprivate", "lastprivate")
OPERAND = re.compile(r"(?<=[\[(,=<>+*/%-])( ?)(?<![\w)])(?=[A-Za-z_]\w*(?!\w| \w|\()|\d)")
"""Behind an operator or an opening bracket, in front of a variable or a number."""
NARROW = ("_Bool", "char", "unsigned char", "short", "float", "int")
SWAPS: dict[str, Sequence[str]] = {
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


def parted(text: str) -> tuple[str, str]:
    """The generated part of a text, and the rest with the old statements, if there is one."""
    places = list(OTHERWISE.finditer(text))
    at = places[-1].start() - 1 if places else len(text)
    return text[:at], text[at:]


def code_of(text: str) -> list[str]:
    """The tokens of a text, without its comments.

    >>> code_of("A[i] = 1; // S0(i)")
    ['A', '[', 'i', ']', '=', '1', ';']
    """
    return [each for each in TOKEN.findall(text) if each[:2] != "//" and not each.isspace()]


def mutant(text: str, kinds: Sequence[str], random: Random) -> str | None:
    """The text with a change of each of these kinds; ``None`` if there is no place for one."""
    generated, rest = parted(text)
    lines: Lines | None = generated.split("\n")
    for kind in kinds:
        lines = KINDS[kind](lines, random)
        if lines is None:
            return None
    new = "\n".join(lines)
    found = new + rest
    return found if _open(new) == _open(generated) and code_of(found) != code_of(text) else None


def _open(text: str) -> int:
    """How many blocks are open at its end."""
    return text.count("{") - text.count("}")


def any_mutant(text: str, random: Random) -> tuple[tuple[str, ...], str]:
    """A text with one fault or, now and then, two; and their kinds."""
    while True:
        kinds = tuple(random.choice(list(KINDS)) for _ in range(random.choice((1, 1, 1, 2))))
        found = mutant(text, kinds, random)
        if found is not None:
            return kinds, found


# --- the shape of a text ------------------------------------------------------------------------


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_pragma(line: str) -> bool:
    return line.lstrip().startswith("#pragma")


def _is_statement(line: str) -> bool:
    """Does it end, and say something?"""
    code = line.partition("//")[0].strip()
    return code.endswith(";") and not code.startswith(("for ", "if ", "#"))


def _end(lines: Lines, first: int) -> int:
    """Behind the statement that begins in this line, with all that is in it."""
    end = first
    while end + 1 < len(lines) and _is_pragma(lines[end]):
        end += 1
    indent = _indent(lines[end])
    end += 1
    while end < len(lines) and (
        _indent(lines[end]) > indent or _continues(lines[end], indent) or not lines[end]
    ):
        end += 1
    return end


def _continues(line: str, indent: int) -> bool:
    return _indent(line) == indent and line.lstrip().startswith(("}", "else"))


def _starts(lines: Lines) -> Iterator[int]:
    """Where statements begin; a mark belongs to what is behind it."""
    for at, line in enumerate(lines):
        begins = bool(line.strip()) and not line.lstrip().startswith(("}", "else", "{", "#define"))
        if begins and not (at and _is_pragma(lines[at - 1])):
            yield at


def _loops(lines: Lines) -> list[int]:
    return [at for at, line in enumerate(lines) if FOR.fullmatch(line)]


def _parts(line: str) -> dict[str, str]:
    match = FOR.fullmatch(line)
    assert match is not None
    return match.groupdict()


def _header(parts: dict[str, str]) -> str:
    kept = ("head", "start", "asked", "sign", "end", "next", "step", "tail")
    return "".join(f"{parts[each]} " if each == "sign" else parts[each] for each in kept)


def _with(lines: Lines, at: int, *instead: str) -> Lines:
    return [*lines[:at], *instead, *lines[at + 1 :]]


def _step(parts: dict[str, str]) -> int:
    """How far a step of the loop goes."""
    word = parts["step"]
    sign = -1 if word[0] == "-" else 1
    return sign * (1 if word in ("++", "--") else int(word[3:]))


def _plus(expression: str, number: int) -> str:
    return f"{expression} {'-' if number < 0 else '+'} {abs(number)}"


# --- the faults ---------------------------------------------------------------------------------


def bound(lines: Lines, random: Random) -> Lines | None:
    """A loop begins or ends one too early or too late."""
    loops = _loops(lines)
    if not loops:
        return None
    at = random.choice(loops)
    parts = _parts(lines[at])
    match random.choice(("start", "end", "sign")):
        case "sign":
            sign = parts["sign"]
            parts["sign"] = sign[0] if sign.endswith("=") else f"{sign}="
        case which:
            parts[which] = _plus(parts[which], random.choice((-1, 1)))
    return _with(lines, at, _header(parts))


def swap(lines: Lines, random: Random) -> Lines | None:
    """Two statements or loops that follow each other are swapped."""
    starts = list(_starts(lines))
    pairs = [
        (first, middle)
        for first in starts
        for middle in [_end(lines, first)]
        if middle in starts and _indent(lines[middle]) == _indent(lines[first])
    ]
    if not pairs:
        return None
    first, middle = random.choice(pairs)
    end = _end(lines, middle)
    return [*lines[:first], *lines[middle:end], *lines[first:middle], *lines[end:]]


def guard(lines: Lines, random: Random) -> Lines | None:
    """A condition is lost, or a part of it, or one side of a minimum or maximum."""
    places = [
        (at, match.start(), match.end())
        for at, line in enumerate(lines)
        if not line.startswith("#")
        for match in re.finditer(r"\bif \(|\blw_(?:min|max)\(", line.partition("//")[0])
        if not _is_pragma(line)
    ]
    if not places:
        return None
    # The first test is in front of all loops, and most often asks only whether there is anything.
    at, start, inside = random.choice(places[1:] or places)
    line = lines[at]
    end = _closing(line, inside)
    if line[start : start + 2] == "if":
        kept = line[inside:end].split(" && ")
        del kept[random.randrange(len(kept))]
        instead = f"if ({' && '.join(kept) or '1'})"
    else:
        instead = random.choice(list(_arguments(line[inside:end])))
    return _with(lines, at, line[:start] + instead + line[end + 1 :])


def _closing(line: str, inside: int) -> int:
    """The parenthesis that closes the one in front of ``inside``."""
    depth = 1
    for at in range(inside, len(line)):
        depth += {"(": 1, ")": -1}.get(line[at], 0)
        if depth == 0:
            return at
    return len(line)


def _arguments(text: str) -> Iterator[str]:
    """What stands between the commas.

    >>> list(_arguments("n - 1, lw_min(a, b)"))
    ['n - 1', 'lw_min(a, b)']
    """
    depth = last = 0
    for at, each in enumerate(text):
        depth += {"(": 1, ")": -1}.get(each, 0)
        if each == "," and depth == 0:
            yield text[last:at].strip()
            last = at + 1
    yield text[last:].strip()


def subscript(lines: Lines, random: Random) -> Lines | None:
    """An element or a register is its neighbour, or that of another iteration."""
    change = random.choice((_shifted, _shifted, _transposed, _renamed, _register))
    places = [
        (at, match)
        for at, line in enumerate(lines)
        if _is_statement(line)
        for match in re.finditer(SUBSCRIPTS[change], line.partition("//")[0])
    ]
    if not places:
        return None
    at, match = random.choice(places)
    line = lines[at]
    new = change(match.group(), "\n".join(lines), random)
    return _with(lines, at, line[: match.start()] + new + line[match.end() :])


def _shifted(found: str, _: str, random: Random) -> str:
    return _plus(found, random.choice((-1, 1)))


def _transposed(found: str, _: str, __: Random) -> str:
    first, second = found[1:-1].split("][")
    return f"[{second}][{first}]"


def _renamed(found: str, text: str, random: Random) -> str:
    return random.choice([each for each in re.findall(r"\bc\d+\b", text) if each != found] or ["0"])


def _register(found: str, text: str, random: Random) -> str:
    array = found.partition("_")[0]
    return random.choice(re.findall(rf"\b{array}_\d+\b", text))


SUBSCRIPTS = {
    _shifted: r"(?<=\[)[^][]+(?=\])",
    _transposed: r"\[[^][]+\]\[[^][]+\]",
    _renamed: r"\bc\d+\b",
    _register: r"\b[A-Za-z]\w*_\d+\b",
}


def parallel(lines: Lines, random: Random) -> Lines | None:
    """A loop is marked as parallel or as one for vectors; perhaps another loses its mark."""
    if random.random() < 0.3:
        marks = [at for at, line in enumerate(lines) if _is_pragma(line)]
        if marks:
            at = random.choice(marks)
            lines = _with(lines, at)
    loops = [at for at in _loops(lines) if not (at and _is_pragma(lines[at - 1]))]
    if not loops:
        return None
    at = random.choice(loops)
    mark = random.choice((PARALLEL, PARALLEL, PARALLEL, SIMD))
    return _with(lines, at, " " * _indent(lines[at]) + mark, lines[at])


def tile(lines: Lines, random: Random) -> Lines | None:
    """A statement or a loop with all that is in it is lost, or one tile of a loop."""
    tiled = [at for at in _loops(lines) if abs(_step(_parts(lines[at]))) > 1]
    if tiled and random.random() < 0.5:
        return _shorter(lines, random.choice(tiled), random)
    starts = [at for at in _starts(lines) if random.random() < 0.5 or not _is_statement(lines[at])]
    if not starts:
        return None
    first = random.choice(starts)
    end = _end(lines, first)
    return [*lines[:first], " " * _indent(lines[first]) + "{}", *lines[end:]]


def _shorter(lines: Lines, at: int, random: Random) -> Lines:
    parts = _parts(lines[at])
    step = _step(parts)
    match random.randrange(3):
        case 0:
            parts["end"] = _plus(parts["end"], -step)
        case 1:
            parts["start"] = _plus(parts["start"], step)
        case _:
            parts["step"] = f"{parts['step'][:3]}{abs(step) + random.choice((1, abs(step)))}"
    return _with(lines, at, _header(parts))


def extra(lines: Lines, random: Random) -> Lines | None:
    """A statement or a loop is there twice, or a loop has one more step."""
    loops = _loops(lines)
    if loops and random.random() < 0.5:
        at = random.choice(loops)
        parts = _parts(lines[at])
        which, sign = random.choice((("start", -1), ("end", 1)))
        parts[which] = _plus(parts[which], sign * _step(parts))
        return _with(lines, at, _header(parts))
    starts = list(_starts(lines))
    if not starts:
        return None
    first = random.choice(starts)
    end = _end(lines, first)
    return [*lines[:end], *lines[first:end], *lines[end:]]


def token(lines: Lines, random: Random) -> Lines | None:
    """An operator, a number or a name is another one."""
    tokens: list[str] = TOKEN.findall("\n".join(lines))
    names = [each for each in tokens if re.fullmatch(r"[a-zA-Z]\w?", each)]
    places = [at for at, each in enumerate(tokens) if each in SWAPS or each.isalnum()]
    if not places:
        return None
    at = random.choice(places)
    word = tokens[at]
    if word.isdigit():
        tokens[at] = str(max(0, int(word) + random.choice((-1, 1, 1, int(word)))))
    elif word in SWAPS:
        tokens[at] = random.choice(SWAPS[word])
    else:
        tokens[at] = random.choice(names)
    return "".join(tokens).split("\n")


def mark(lines: Lines, random: Random) -> Lines | None:
    """A mark says more than it did, or is lost."""
    marks = [at for at, line in enumerate(lines) if _is_pragma(line)]
    if not marks:
        return None
    at = random.choice(marks)
    if random.random() < 0.2:
        return _with(lines, at)
    clause = random.choice((*CLAUSES, *CLAUSES_WITH_NAMES))
    if clause in CLAUSES_WITH_NAMES:
        names = re.findall(r"(?<![\w#])[a-zA-Z]\w{0,3}\b", "\n".join(lines))
        clause = f"{clause}({random.choice(names)})"
    return _with(lines, at, f"{lines[at]} {clause}")


def cast(lines: Lines, random: Random) -> Lines | None:
    """A number or a name loses some of its bits on the way."""
    places = [
        (at, match.start())
        for at, line in enumerate(lines)
        if not line.lstrip().startswith("#")
        for match in OPERAND.finditer(line.partition("//")[0])
    ]
    if not places:
        return None
    at, start = random.choice(places)
    line = lines[at]
    return _with(lines, at, f"{line[:start]}({random.choice(NARROW)}){line[start:]}")


KINDS: dict[str, Mutation] = {
    "bound": bound,
    "swap": swap,
    "guard": guard,
    "subscript": subscript,
    "parallel": parallel,
    "tile": tile,
    "extra": extra,
    "token": token,
    "mark": mark,
    "cast": cast,
}
