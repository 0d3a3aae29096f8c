"""What a script says: steps, definitions of operations, and scripts that it includes."""

from __future__ import annotations

from collections.abc import Iterator

from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.script.notation import number_of
from loopwright.script.tokens import Kind, Line, Source, Token, Words, lines_of, unreadable


@record
class Name:
    """A component, or a number that a parameter stands for."""

    text: str
    span: Span


@record
class Number:
    """A number."""

    value: int
    span: Span


@record
class Braces:
    """A function or a condition, still as words: what its names mean is known later."""

    tokens: tuple[Token, ...]
    span: Span


@record
class Word:
    """A text in quotation marks."""

    text: str
    span: Span


Argument = Name | Number | Braces | Word


@record
class Step:
    """An operation, and the names that its results get."""

    results: tuple[Name, ...]
    operation: Name
    arguments: tuple[Argument, ...]
    span: Span


@record
class Return:
    """What an operation gives back."""

    names: tuple[Name, ...]
    span: Span


@record
class Definition:
    """An operation of the script's own."""

    name: Name
    parameters: tuple[Name, ...]
    body: tuple[Step | Return, ...]
    span: Span


@record
class Include:
    """Another script, of which the definitions and steps belong here."""

    path: str
    span: Span


Statement = Step | Definition | Include


def script_of(source: Source) -> list[Statement]:
    """The statements of a script.

    >>> (step,) = script_of(Source("s", "(A, B) = isplit(L, {[i] : i < 8}, 0)"))
    >>> [each.text for each in step.results], step.operation.text, len(step.arguments)
    (['A', 'B'], 'isplit', 3)
    """
    return list(_statements(lines_of(source)))


def _statements(lines: list[Line]) -> Iterator[Statement]:
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.indentation > lines[0].indentation:
            raise unreadable(line.tokens[0].span, "this line is indented for no reason")
        words = Words(line.tokens)
        at += 1
        if words.is_at("def"):
            body = [each for each in _indented(lines[at:], line.indentation)]
            at += len(body)
            yield _definition(words, body)
        elif words.is_at("include"):
            yield _include(words)
        else:
            yield _step(words)


def _indented(lines: list[Line], than: int) -> Iterator[Line]:
    for each in lines:
        if each.indentation <= than:
            return
        yield each


def _definition(words: Words, lines: list[Line]) -> Definition:
    start = words.take().span
    name = _name(words, "the name of the operation")
    parameters = _parameters(words)
    words.expect(":")
    body: list[Step | Return] = []
    if words.here.kind is not Kind.END:
        body.append(_body_line(words))
    body += [_body_line(Words(each.tokens)) for each in lines]
    if not body:
        raise unreadable(name.span, f"{name.text} does nothing", "indent its steps")
    if any(isinstance(each, Return) for each in body[:-1]):
        raise unreadable(name.span, "only the last line of an operation can be a return")
    return Definition(name, parameters, tuple(body), start.joined_with(words.before.span))


def _parameters(words: Words) -> tuple[Name, ...]:
    words.expect("(")
    found: list[Name] = []
    while not words.took(")"):
        if found:
            words.expect(",")
        name = _name(words, "a parameter")
        if name.text in [each.text for each in found]:
            raise unreadable(name.span, f"two parameters are called {name.text}")
        found.append(name)
    return tuple(found)


def _body_line(words: Words) -> Step | Return:
    if not words.is_at("return"):
        return _step(words)
    start = words.take().span
    names = _names(words)
    words.expect_end()
    return Return(names, start.joined_with(words.before.span))


def _include(words: Words) -> Include:
    start = words.take().span
    if words.here.kind is not Kind.STRING:
        raise words.complaint("the name of a file is missing", 'write include "file.loopy"')
    path = words.take()
    words.expect_end()
    return Include(path.text[1:-1], start.joined_with(path.span))


def _step(words: Words) -> Step:
    start = words.here.span
    results: tuple[Name, ...] = ()
    if words.is_at("(") or words.following().text == "=":
        results = _names(words)
        words.expect("=")
    operation = _name(words, "an operation")
    arguments = _arguments(words)
    words.took(";")
    words.expect_end()
    return Step(results, operation, arguments, start.joined_with(words.before.span))


def _names(words: Words) -> tuple[Name, ...]:
    """One name, or several in brackets."""
    if not words.took("("):
        return (_name(words, "a name"),)
    found = [_name(words, "a name")]
    while not words.took(")"):
        words.expect(",")
        found.append(_name(words, "a name"))
    return tuple(found)


def _arguments(words: Words) -> tuple[Argument, ...]:
    words.expect("(")
    found: list[Argument] = []
    while not words.took(")"):
        if found:
            words.expect(",")
        found.append(_argument(words))
    return tuple(found)


def _argument(words: Words) -> Argument:
    token = words.here
    if token.kind is Kind.NAME:
        return _name(words, "an argument")
    if token.kind is Kind.STRING:
        words.take()
        return Word(token.text[1:-1], token.span)
    if words.is_at("{"):
        return _braces(words)
    sign = -1 if words.took("-") else 1
    if words.here.kind is not Kind.NUMBER:
        raise words.complaint("an argument is missing")
    return Number(sign * number_of(words), token.span.joined_with(words.before.span))


def _braces(words: Words) -> Braces:
    """From an opening brace to the one that closes it."""
    tokens = [words.take()]
    while not words.is_at("}"):
        if words.is_at("{"):
            raise words.complaint("braces within braces")
        tokens.append(words.take())
    tokens.append(words.take())
    return Braces(tuple(tokens), tokens[0].span.joined_with(tokens[-1].span))


def _name(words: Words, what: str) -> Name:
    token = words.expect_name(what)
    return Name(token.text, token.span)
