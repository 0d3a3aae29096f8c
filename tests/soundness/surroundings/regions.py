"""Random regions: loops, and other loops that do the same or do not.

They speak of the matrices ``a``, ``b`` and ``w`` with ``N`` rows, the vectors ``c``, ``d`` and
``e``, the integers ``x`` and ``y``, and the scalars ``s`` and ``t``; ``n`` is at most ``N``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

from loopwright.basics.records import record
from tests.soundness.surroundings.nests import (
    Loop,
    Nest,
    Vector,
    dressed_up,
    renamed,
    reordered,
    with_clauses,
)

FUNCTIONS = ("sqrt", "fabs", "floor", "fmin", "exp2")
TYPES_OF_WRITTEN = {"c": "double", "x": "int"}


@record
class Region:
    """Loops before and after, which do the same if ``is_right``."""

    family: str
    old: str
    new: str
    is_right: bool


def random_region(rng: Random, *, is_right: bool) -> Region:
    """A region of some family, with new loops that are right or, as far as one can tell, wrong."""
    while True:
        family = rng.choice(FAMILIES)
        found = family(rng, is_right)
        if found is not None:
            old, new = found
            return Region(family.__name__.strip("_"), old, new, is_right)


Pair = tuple[str, str] | None


# --- expressions ---------------------------------------------------------------------------------


def _term(rng: Random, names: str) -> str:
    """Something that the region only reads, for iterators of these names."""
    i, j = names[0], names[-1]
    choices = (
        f"d[{i}]",
        f"e[{j}]",
        f"b[{i}][{j}]",
        f"b[{j}][{i}]",
        f"w[{i}][{j}]",
        f"d[n - 1 - {i}]",
        f"{i}",
        f"({i} - 3)",
        f"0.5 * {j}",
        f"({i} + {j}) % 5",
        f"1.0 / ({j} + 1)",
        f"y[{i}]",
        "3",
        "0.25",
        "n",
        "t",
    )
    term = rng.choice(choices)
    if rng.random() < 0.15:
        name = rng.choice(FUNCTIONS)
        more = ", 1.5" if name == "fmin" else ""
        return f"{name}({rng.choice(choices[:5])}{more})"
    if rng.random() < 0.1:
        return f"({rng.choice(choices[:5])} > 4 ? {term} : 2.0)"
    return term


def _expression(rng: Random, names: str, *read: str) -> str:
    """A sum of what must be read and of other terms."""
    terms = [*read, *(_term(rng, names) for _ in range(rng.choice((0, 1, 1, 2))))]
    terms = terms or [_term(rng, names)]
    text = terms[0]
    for each in terms[1:]:
        text += f" {rng.choice(('+', '+', '-', '+ 0.5 *'))} {each}"
    return text


def _mistaken(text: str, rng: Random) -> str:
    """Loops with a mistake: a bound, a subscript, an operator or a number is another one."""
    changes = (
        (r"= (0|1|2);", lambda m: f"= {int(m[1]) + 1};"),
        (r"< n\b", lambda m: "< n - 1"),
        (r"\[(\w+)\]", lambda m: f"[0 * {m[1]}]"),
        (r" \+ ", lambda m: " - "),
        (r"\b(b|w)\[", lambda m: f"{'w' if m[1] == 'b' else 'b'}["),
        (r"\b(d|e)\[", lambda m: f"{'e' if m[1] == 'd' else 'd'}["),
        (r"\+= (4|8|16)\b", lambda m: f"+= {int(m[1]) + 1}"),
        (r"0\.5", lambda m: "0.75"),
    )
    for _ in range(20):
        pattern, change = rng.choice(changes)
        places = list(re.finditer(pattern, text))
        if places:
            place = rng.choice(places)
            return text[: place.start()] + change(place) + text[place.end() :]
    return text + "\n" + text


def _pair(nest: Nest, rng: Random, is_right: bool) -> Pair:
    """A nest before, and after."""
    if not is_right and rng.random() < 0.4:
        new = _mistaken(dressed_up(nest, rng).text, rng)
        return (nest.text, new) if new != nest.text else None
    found = reordered(nest, rng, wants_right=is_right)
    return (nest.text, dressed_up(found, rng).text) if found is not None else None


# --- families ------------------------------------------------------------------------------------


def _matrix(rng: Random, is_right: bool) -> Pair:
    """A matrix, each element from its neighbours."""
    vectors: list[Vector] = []
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2)) if is_right else 1):
        vectors.append(rng.choice(((1, 0), (0, 1), (1, 1), (1, -1), (2, 0), (2, -1))))
    reads = [f"a[{_behind('i', up)}][{_behind('j', left)}]" for up, left in vectors]
    low = [max([0, *(each[k] for each in vectors)]) for k in (0, 1)]
    least = min([0, *(each[1] for each in vectors)])
    high = f"n - {-least}" if least < 0 else "n"
    if rng.random() < 0.3:
        reads.append("a[i][j]")
    loops = (Loop("i", str(low[0]), rng.choice(("n", "n", "N"))), Loop("j", str(low[1]), high))
    body = (f"a[i][j] = {_expression(rng, 'ij', *reads)};",)
    if rng.random() < 0.15:
        body = (f"if ((i + j) % 2 == 0) {body[0]}",)
    return _pair(Nest(loops, body, tuple(vectors)), rng, is_right)


def _behind(name: str, by: int) -> str:
    return name if by == 0 else f"{name} - {by}" if by > 0 else f"{name} + {-by}"


def _vector(rng: Random, is_right: bool) -> Pair:
    """A vector, each element from those before it."""
    to = rng.choice("cccx")
    far = rng.choice((0, 0, 1, 2, 3))
    reads = [f"{to}[{_behind('i', far)}]"] if far or rng.random() < 0.5 else []
    loop = Loop("i", str(far), rng.choice(("n", "n", "N")))
    value = _expression(rng, "i", *reads) if to == "c" else _whole(rng, "i", *reads)
    nest = Nest((loop,), (f"{to}[i] = {value};",), ((far,),) if far else ())
    return _pair(nest, rng, is_right)


def _whole(rng: Random, name: str, *read: str) -> str:
    """A sum of integers."""
    terms = [
        *read,
        rng.choice((f"y[{name}]", name, "3", f"2 * {name}", f"{name} % 4", f"x[{name}]")),
    ]
    return " + ".join(terms[: rng.choice((1, 2))] if read else terms)


def _product(rng: Random, is_right: bool) -> Pair:
    """A product of matrices."""
    one = rng.choice(("b[i][k]", "b[k][i]"))
    other = rng.choice(("w[k][j]", "w[j][k]", "d[k]"))
    loops = tuple(Loop(each, "0", "n") for each in "ijk")
    body = (f"a[i][j] += {one} * {other};",)
    return _pair(Nest(loops, body, ((0, 0, 1),)), rng, is_right)


def _sums(rng: Random, is_right: bool) -> Pair:
    """A product of a matrix and a vector."""
    term = rng.choice(("a[i][j] * d[j]", "a[j][i] * d[j]", "b[i][j]", "w[i][j] * (i + j)"))
    loops = (Loop("i", "0", "n"), Loop("j", "0", "n"))
    return _pair(Nest(loops, (f"c[i] += {term};",), ((0, 1),)), rng, is_right)


def _several(rng: Random, is_right: bool) -> Pair:
    """Statements that need no more than one iteration of another's."""
    loops = (Loop("i", "0", "n"),)
    body = (
        f"c[i] = {_expression(rng, 'i')};",
        rng.choice((f"e[i] = c[i] + {_term(rng, 'i')};", f"x[i] = {_whole(rng, 'i')};")).replace(
            "e[i] + ", "d[i] + "
        ),
    )
    body = (body[0].replace("e[", "d["), body[1])
    return _pair(Nest(loops, body), rng, is_right)


def _fused(rng: Random, is_right: bool) -> Pair:
    """Two loops that become one, or the other way round."""
    far = rng.choice((0, 1, 2)) if is_right else -1
    first = f"c[i] = {_expression(rng, 'i').replace('e[', 'd[')};"
    low, high = str(max(far, 0)), "n" if far >= 0 else "n - 1"
    second = f"e[i] = c[{_behind('i', far)}] * {rng.choice(('2', '0.5', 'd[i]'))};"
    apart = [Nest((Loop("i", "0", "n"),), (first,)), Nest((Loop("i", low, high),), (second,))]
    if low == "0" and high == "n":
        together = Nest((Loop("i", "0", "n"),), (first, second)).text
    else:
        together = f"for (int i = 0; i < n; i++) {{\n    {first}\n    if (i >= {low}"
        together += f" && i < {high})\n        {second}\n}}"
    before = "\n".join(each.text for each in apart)
    if is_right and rng.random() < 0.5:
        return together, "\n".join(dressed_up(each, rng).text for each in apart)
    return before, together


def _triangle(rng: Random, is_right: bool) -> Pair:
    """Half of a matrix."""
    body = f"a[i][j] = {_expression(rng, 'ij', *rng.choice(((), ('a[i][j]',))))};"
    rows = Nest((Loop("i", "0", "n"), Loop("j", "0", "i + 1")), (body,))
    columns = Nest((Loop("j", "0", "n"), Loop("i", "j", "n")), (body,))
    old, new = (rows, columns) if rng.random() < 0.5 else (columns, rows)
    if rng.random() < 0.5:
        loop = new.loops[0]
        new = replace(
            new,
            loops=(
                replace(loop, pragma=with_clauses("omp parallel for", rng)),
                *new.loops[1:],
            ),
        )
    text = dressed_up(new, rng).text
    return old.text, text if is_right else _mistaken(text, rng)


def _temporary(rng: Random, is_right: bool) -> Pair:
    """A value on its way through a local variable."""
    inside = is_right or rng.random() < 0.6
    name = "v" if inside else "s"
    take = f"{name} = {_expression(rng, 'i').replace('c[', 'd[')};"
    give = f"c[i] = {name} * {name} + {rng.choice(('1', name, 'd[i]'))};"
    old = Nest((Loop("i", "0", "n"),), (f"double {take}" if inside else take, give))
    if inside:
        return _pair(old, rng, is_right)
    private = rng.choice(("private(s)", "firstprivate(s)"))
    loop = Loop("i", "0", "n", pragma=f"omp parallel for {private}")
    return old.text, replace(old, loops=(loop,)).text


def _dead(rng: Random, is_right: bool) -> Pair:
    """A value on its way through a variable that nobody needs afterwards, or that somebody does."""
    name = "v" if is_right else "s"
    value = _expression(rng, "i").replace("c[", "d[")
    give = f"c[i] = {name} * {rng.choice(('2', 'd[i]', name))};"
    loops = (Loop("i", "0", rng.choice(("n", "N"))),)
    new = Nest(loops, (f"double u = {value};", re.sub(rf"\b{name}\b", "u", give)))
    if rng.random() < 0.3:
        new = replace(new, body=(re.sub(rf"\b{name}\b", f"({value})", give),))
    changed = _pair(new, rng, True)
    return (Nest(loops, (f"{name} = {value};", give)).text, changed[1]) if changed else None


def _independent(rng: Random, is_right: bool) -> Pair:
    """Two loops that nothing orders change places, or two that something does."""
    first = Nest((Loop("i", "0", "n"),), (f"c[i] = {_expression(rng, 'i').replace('e[', 'd[')};",))
    to = "x" if is_right else "c"
    value = _whole(rng, "i", "x[i]") if is_right else "c[i] + 0.5 * c[n - 1 - i]"
    second = Nest((Loop("i", "0", "n"),), (f"{to}[i] = {value};",))
    return f"{first.text}\n{second.text}", f"{dressed_up(second, rng).text}\n{first.text}"


def _indices(rng: Random, is_right: bool) -> Pair:
    """A loop of two nests deep whose outer iterations are done in pairs or peeled."""
    body = f"c[i] = {_expression(rng, 'i', 'c[i]')};"
    old = Nest((Loop("i", "0", "N"),), (body,))
    at = rng.choice((1, 7, 20)) if is_right else rng.choice((41, 3))
    low = at if is_right or rng.random() < 0.5 else at - 1
    first, second = Loop("i", "0", str(at)), Loop("i", str(low), "N")
    if not is_right and low == at:
        second = replace(second, low=str(at + 1))
    new = [Nest((first,), (body,)), Nest((second,), (body,))]
    return old.text, "\n".join(dressed_up(each, rng).text for each in new)


def _by_two(rng: Random, is_right: bool) -> Pair:
    """A loop with two iterations in one."""
    body = f"c[i] = {_expression(rng, 'i', 'c[i]')};"
    old = Nest((Loop("i", "0", "N"),), (body,))
    twice = (body, renamed(body, "i", "(i + 1)" if is_right else "(i + 2)"))
    return old.text, Nest((Loop("i", "0", "N", step=2),), twice).text


FAMILIES: tuple[Callable[[Random, bool], Pair], ...] = (
    _matrix,
    _matrix,
    _vector,
    _product,
    _sums,
    _several,
    _fused,
    _triangle,
    _temporary,
    _dead,
    _dead,
    _independent,
    _indices,
    _by_two,
)
