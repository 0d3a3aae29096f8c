"""Makers of broken C from the repository's own programs, each a function of a random source."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from random import Random

from tests.broken.cases import Case
from tests.broken.random_programs import odd_program
from tests.broken.scanner import KEYWORDS, TYPES, Token, corpus, joined, scanned
from tests.broken.snippets import (
    DIRECTIVES,
    EXPRESSIONS,
    HEADERS,
    KINDRED_OPERATORS,
    OPERATORS,
    STATEMENTS,
    WRONG_TYPES,
)

Mutation = Callable[[Random, bytes], bytes]
TokenMutation = Callable[[Random, list[Token]], None]

OPTIONS: tuple[tuple[tuple[str, ...], int], ...] = (
    (("--json",), 12),
    ((), 2),
    (("--text",), 2),
    (("--json", "--autodetect"), 3),
    (("--json", "--assume-non-negative"), 1),
    (("--json", "--context", "[n] -> { : n >= 4 }"), 1),
    (("--json", "--std", "c99"), 1),
    (("--json", "--std", "c2x"), 1),
    (("--json", "--function", "main"), 1),
)


@cache
def _sources() -> list[tuple[str, str]]:
    return corpus()


def broken_case(seed: int, number: int) -> Case:
    """The ``number``-th broken program of a seed; always the same one."""
    random = Random(f"{seed}:{number}")
    options = random.choices([each for each, _ in OPTIONS], [weight for _, weight in OPTIONS])[0]
    if random.random() < 0.2:
        name, content = "odd program", odd_program(random).encode()
        times = random.choice([0, 0, 0, 0, 1])
    else:
        name, text = random.choice(_sources())
        content = text.encode()
        times = random.choice([1, 1, 1, 1, 2, 3, 5])
    applied: list[str] = []
    for _ in range(times):
        mutation = random.choice(MUTATIONS)
        applied.append(mutation.__name__.strip("_"))
        content = mutation(random, content)
    title = f"{seed}:{number} {name}: {', '.join(applied) or 'as it is'}"
    return Case(title, content, options, random.random() < 0.1)


# --- tokens -------------------------------------------------------------------------------------


def _on_tokens(change: TokenMutation) -> Mutation:
    def mutation(random: Random, content: bytes) -> bytes:
        tokens = scanned(content.decode(errors="surrogateescape"))
        if any(each.is_solid for each in tokens):
            change(random, tokens)
        return joined(tokens).encode(errors="surrogateescape")

    mutation.__name__ = change.__name__
    return mutation


def _places(
    random: Random, tokens: list[Token], wanted: Callable[[Token], bool] = lambda _: True
) -> list[int]:
    """Where the wanted tokens are: those of the region, or now and then those of the file."""
    everywhere = [k for k, each in enumerate(tokens) if each.is_solid and wanted(each)]
    inside = [k for k in everywhere if tokens[k].in_region]
    return inside if inside and random.random() < 0.8 else everywhere


def _is_identifier(token: Token) -> bool:
    return token.kind == "word" and token.text not in KEYWORDS


def _replace(tokens: list[Token], position: int, text: str) -> None:
    old = tokens[position]
    tokens[position] = Token(old.kind, text, old.in_region)


def _filled(random: Random, snippet: str, tokens: list[Token]) -> str:
    """The snippet with names of the program in its holes."""
    names = [tokens[k].text for k in _places(random, tokens, _is_identifier)] or ["x_"]
    short = [each for each in names if len(each) == 1]
    # Most names of one letter are iterators, and most pieces want an integer.
    names = short if short and random.random() < 0.5 else names
    first = random.choice(names)
    same = random.random() < 0.4
    return re.sub(r"\$", lambda _: first if same else random.choice(names), snippet)


def _delete_token(random: Random, tokens: list[Token]) -> None:
    del tokens[random.choice(_places(random, tokens))]


def _delete_tokens(random: Random, tokens: list[Token]) -> None:
    start = random.choice(_places(random, tokens))
    del tokens[start : start + random.randint(2, 12)]


def _duplicate_token(random: Random, tokens: list[Token]) -> None:
    position = random.choice(_places(random, tokens))
    tokens.insert(position, tokens[position])
    if random.random() < 0.5:
        tokens.insert(position + 1, Token("space", " "))


def _duplicate_tokens(random: Random, tokens: list[Token]) -> None:
    start = random.choice(_places(random, tokens))
    tokens[start:start] = tokens[start : start + random.randint(2, 30)]


def _swap_tokens(random: Random, tokens: list[Token]) -> None:
    places = _places(random, tokens)
    first = random.randrange(len(places))
    near = random.random() < 0.5
    second = min(first + 1, len(places) - 1) if near else random.randrange(len(places))
    a, b = places[first], places[second]
    tokens[a], tokens[b] = tokens[b], tokens[a]


def _transplant(random: Random, tokens: list[Token]) -> None:
    """Tokens of another program in the middle of this one."""
    donor = scanned(random.choice(_sources())[1])
    start = random.choice(_places(random, donor))
    position = random.choice(_places(random, tokens))
    tokens[position:position] = donor[start : start + random.randint(1, 40)]


def _replace_operator(random: Random, tokens: list[Token]) -> None:
    places = _places(random, tokens, lambda each: each.kind == "operator")
    if places:
        _replace(tokens, random.choice(places), random.choice(OPERATORS))


def _exchange_operator(random: Random, tokens: list[Token]) -> None:
    """By one that fits in its place."""
    kin = random.choice(KINDRED_OPERATORS)
    places = _places(random, tokens, lambda each: each.text in kin)
    if places:
        _replace(tokens, random.choice(places), random.choice(kin))


def _replace_identifier(random: Random, tokens: list[Token]) -> None:
    """An iterator by an array, an array by a scalar, a parameter by what nobody declared."""
    places = _places(random, tokens, _is_identifier)
    if not places:
        return
    position = random.choice(places)
    other = tokens[random.choice(places)].text
    new = random.choice([other, other, other, "undeclared_", "main", "printf", "int", "N", "_"])
    if random.random() < 0.3:
        old = tokens[position].text
        for k, each in enumerate(tokens):
            if each.text == old and each.in_region == tokens[position].in_region:
                _replace(tokens, k, new)
    else:
        _replace(tokens, position, new)


def _replace_number(random: Random, tokens: list[Token]) -> None:
    places = _places(random, tokens, lambda each: each.kind == "number")
    if places:
        _replace(tokens, random.choice(places), _filled(random, random.choice(EXPRESSIONS), tokens))


def _replace_operand(random: Random, tokens: list[Token]) -> None:
    places = _places(random, tokens, lambda each: each.kind == "number" or _is_identifier(each))
    if places:
        _replace(tokens, random.choice(places), _filled(random, random.choice(EXPRESSIONS), tokens))


def _change_type(random: Random, tokens: list[Token]) -> None:
    places = [k for k, each in enumerate(tokens) if each.text in TYPES]
    if not places:
        return
    new = random.choice(WRONG_TYPES)
    if random.random() < 0.3:
        old = tokens[random.choice(places)].text
        for k in places:
            if tokens[k].text == old:
                _replace(tokens, k, new)
    else:
        _replace(tokens, random.choice(places), new)


def _insert_statement(random: Random, tokens: list[Token]) -> None:
    places = _places(random, tokens, lambda each: each.text in (";", "{", "}"))
    if places:
        text = _filled(random, random.choice(STATEMENTS), tokens)
        tokens.insert(random.choice(places) + 1, Token("operator", f" {text}\n", True))


def _statements(random: Random, tokens: list[Token]) -> list[tuple[int, int]]:
    """Where simple statements begin and end, for all that counting brackets can tell."""
    depth, shallow = 0, set[int]()
    for k, each in enumerate(tokens):
        depth += (each.text in "([") - (each.text in ")]") if each.text else 0
        if depth <= 0 and each.text in (";", "{", "}"):
            shallow.add(k)
    ends = [k for k in _places(random, tokens) if k in shallow]
    return [(a + 1, b + 1) for a, b in pairwise(ends) if tokens[b].text == ";"]


def _delete_statement(random: Random, tokens: list[Token]) -> None:
    places = _statements(random, tokens)
    if places:
        start, end = random.choice(places)
        del tokens[start:end]


def _copy_statement(random: Random, tokens: list[Token]) -> None:
    places = _statements(random, tokens)
    if places:
        start, end = random.choice(places)
        target = random.choice(places)[0]
        tokens[target:target] = tokens[start:end]


def _wrap_statement(random: Random, tokens: list[Token]) -> None:
    """Another head in front of a statement: a loop, a condition, a label."""
    places = _statements(random, tokens)
    if places:
        heads = [*HEADERS, "L_: ", "if ($ > $) ", "if ($[$]) ", "while ($--) ", "do ", "else "]
        text = _filled(random, random.choice(heads), tokens)
        tokens.insert(random.choice(places)[0], Token("operator", f" {text} ", True))


def _insert_directive(random: Random, tokens: list[Token]) -> None:
    places = [k for k, each in enumerate(tokens) if "\n" in each.text]
    position = random.choice(places) + 1 if places else 0
    tokens.insert(position, Token("directive", f"\n{random.choice(DIRECTIVES)}\n"))


def _replace_header(random: Random, tokens: list[Token]) -> None:
    """Another loop's or condition's head in the place of a ``for (…)``."""
    places = _places(random, tokens, lambda each: each.text == "for")
    if not places:
        return
    start = random.choice(places)
    end = _closing(tokens, start, "(", ")")
    header = random.choice(HEADERS)
    inside = [each for each in tokens[start:end] if _is_identifier(each)]
    own = inside[0].text if inside else "i"
    # Most loops go over one iterator, the one that the body uses.
    text = header.replace("$", own) if random.random() < 0.6 else _filled(random, header, tokens)
    if random.random() < 0.5:
        text = text.replace("q_", own)
    tokens[start:end] = [Token("operator", text, True)]


def _closing(tokens: list[Token], start: int, opening: str, closing: str) -> int:
    """The position after the bracket that closes the first one."""
    depth = 0
    for k in range(start, len(tokens)):
        depth += (tokens[k].text == opening) - (tokens[k].text == closing)
        if depth == 0 and tokens[k].text == closing:
            return k + 1
    return len(tokens)


def _replace_subscript(random: Random, tokens: list[Token]) -> None:
    """A subscript removed, doubled, exchanged for another or for something odd."""
    places = _places(random, tokens, lambda each: each.text == "[")
    if not places:
        return
    start = random.choice(places)
    end = _closing(tokens, start, "[", "]")
    other = random.choice(places)
    odd = Token("operator", "[" + _filled(random, random.choice(EXPRESSIONS), tokens) + "]", True)
    tokens[start:end] = random.choice(
        [[], tokens[start:end] * 2, tokens[other : _closing(tokens, other, "[", "]")], [odd], [odd]]
    )


# --- bytes --------------------------------------------------------------------------------------


def _truncate(random: Random, content: bytes) -> bytes:
    return content[: random.randrange(len(content) + 1)]


def _truncate_front(random: Random, content: bytes) -> bytes:
    return content[random.randrange(len(content) + 1) :]


def _insert_junk(random: Random, content: bytes) -> bytes:
    junk = random.choice(
        [
            b"\x00",
            b"\xff",
            b"\xff\xfe",
            b"\xef\xbb\xbf",
            b"\x80",
            b"\xc3",
            b"\xe2\x88",
            b"\xf0\x9f\x8c\x80",
            b"\xed\xa0\x80",
            b"\x1b[31m",
            b"\x1a",
            b"\x0c",
            b"\x0b",
            b"\r",
            b"\x7f",
            "θ".encode(),
            "\u200b".encode(),
            "\u202e".encode(),
            "\u2028".encode(),
            b"\\",
            b"\\\n",
            b"/*",
            b"*/",
            b"//",
            b'"',
            b"'",
            b"??/",
            bytes(random.randrange(256) for _ in range(random.randint(1, 40))),
        ]
    )
    position = random.randrange(len(content) + 1)
    return content[:position] + junk + content[position:]


def _flip_byte(random: Random, content: bytes) -> bytes:
    if not content:
        return content
    position = random.randrange(len(content))
    return content[:position] + bytes([random.randrange(256)]) + content[position + 1 :]


def _change_line_ends(random: Random, content: bytes) -> bytes:
    new = random.choice([b"\r\n", b"\r", b"\n\r", b"\n\n", b" \n", b"\\\n", b" ", b"\x0b", b"\0"])
    return content.replace(b"\n", new)


def _disguise(random: Random, content: bytes) -> bytes:
    """The same program for other readers: BOMs, digraphs, trigraphs, other encodings."""
    match random.randrange(8):
        case 0:
            return b"\xef\xbb\xbf" + content
        case 1:
            return content.decode(errors="replace").encode("utf-16")
        case 2:
            return content.decode(errors="replace").encode("utf-32-be")
        case 3:
            return content.replace(b"{", b"<%").replace(b"[", b"<:").replace(b"#", b"%:")
        case 4:
            return content.replace(b"#", b"??=").replace(b"[", b"??(").replace(b"]", b"??)")
        case 5:
            return content + b"\x1a"
        case 6:
            return content.rstrip(b"\n") + b"\\"
        case _:
            return content.upper()


def _change_pragmas(random: Random, content: bytes) -> bytes:
    """Pragmas removed, doubled, exchanged, moved elsewhere or cut by a line's end."""
    opening, closing = b"#pragma scop", b"#pragma endscop"
    lines = content.split(b"\n")
    found = [k for k, line in enumerate(lines) if b"#pragma" in line]
    if not found:
        return content
    position = random.choice(found)
    match random.randrange(8):
        case 0:
            del lines[position]
        case 1:
            lines.insert(position, lines[position])
        case 2:
            return content.replace(opening, b"@@").replace(closing, opening).replace(b"@@", closing)
        case 3 | 4:
            line = lines.pop(position)
            lines.insert(random.randrange(len(lines) + 1), line)
        case 5:
            lines[position] = lines[position].replace(b" ", b" \\\n")
        case 6:
            lines[position] += random.choice([b" \\", b" /*", b" x", b";", b" {", b'"', b"\\ "])
        case _:
            word = random.choice([b"Scop", b"sc op", b"scop()", b'"scop"', b"scop\0", b"scop\xff"])
            lines[position] = lines[position].replace(b"scop", word)
    return b"\n".join(lines)


def _shuffle_lines(random: Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    first, last = sorted(random.randrange(len(lines) + 1) for _ in range(2))
    last = min(last, first + 8)
    some = lines[first:last]
    random.shuffle(some)
    return b"\n".join(lines[:first] + some + lines[last:])


def _delete_line(random: Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    del lines[random.randrange(len(lines))]
    return b"\n".join(lines)


MUTATIONS: list[Mutation] = [
    *map(
        _on_tokens,
        [
            _delete_token,
            _delete_token,
            _delete_tokens,
            _duplicate_token,
            _duplicate_tokens,
            _swap_tokens,
            _transplant,
            _replace_operator,
            _exchange_operator,
            _exchange_operator,
            _exchange_operator,
            _delete_statement,
            _copy_statement,
            _copy_statement,
            _wrap_statement,
            _wrap_statement,
            _replace_identifier,
            _replace_identifier,
            _replace_number,
            _replace_operand,
            _replace_operand,
            _change_type,
            _change_type,
            _insert_statement,
            _insert_statement,
            _insert_statement,
            _insert_directive,
            _replace_header,
            _replace_header,
            _replace_header,
            _replace_subscript,
            _replace_subscript,
        ],
    ),
    _truncate,
    _truncate_front,
    _insert_junk,
    _insert_junk,
    _flip_byte,
    _change_line_ends,
    _disguise,
    _change_pragmas,
    _change_pragmas,
    _shuffle_lines,
    _delete_line,
]
