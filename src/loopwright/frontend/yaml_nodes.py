"""YAML with places: mappings, lists and scalars that know where in the file they stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import yaml
from yaml.reader import ReaderError

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.basics.spans import Span, whole_file

DEEPEST = 400
"""Levels of nesting; whoever reads a tree recursively relies on it."""


@record
class Scalar:
    """A value; ``is_verbatim`` where the file spells it as it is."""

    text: str
    span: Span
    is_verbatim: bool


@record
class Listing:
    """A list."""

    items: tuple[Node, ...]
    span: Span


@record
class Mapping:
    """Keys and values, in the order of the file; no key occurs twice."""

    entries: tuple[tuple[Scalar, Node], ...]
    span: Span

    def get(self, key: str) -> Node | None:
        """The value of a key."""
        return next((value for name, value in self.entries if name.text == key), None)


Node = Scalar | Listing | Mapping


def yaml_tree(name: str, text: str) -> Node:
    r"""The one document in a text; what is not YAML is refused at its place.

    >>> tree = yaml_tree("t.yaml", 'domain: "{ S[] }"\nchild:\n  mark: here\n')
    >>> tree.get("child").span
    Span('t.yaml', 3:3-3:13)
    """
    source = _Source(name, text)
    try:
        events = _content_of(source)
        first = next(events, None)
        if first is None:
            raise InputError(Diagnostic("LW505", "the file is empty", whole_file(name)))
        root = _node(first, events, source, 0)
        next(events, None)  # refuses a second document
        return root
    except ReaderError:  # a character that YAML does not allow; it does not say on which line
        raise InputError(Diagnostic("LW505", "this is not YAML", whole_file(name))) from None
    except yaml.MarkedYAMLError as error:
        told = error.problem or "it cannot be read"
        mark = error.problem_mark or error.context_mark
        if mark is not None and mark.index >= len(text.rstrip()):
            mark = error.context_mark or mark  # what is open is more to the point than the end
        span = source.span(mark, mark) if mark is not None else whole_file(name)
        raise InputError(Diagnostic("LW505", f"this is not YAML: {told}", span)) from None


class _Mark(Protocol):
    """A position, as both parsers of PyYAML give it: all counted from zero."""

    @property
    def index(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


@record
class _Source:
    """A text, and where its lines are."""

    name: str
    text: str

    def span_of(self, event: yaml.Event) -> Span:
        start, end = event.start_mark, event.end_mark
        assert start is not None, "the parser says where things are"
        assert end is not None, "the parser says where things are"
        return self.span(start, end)

    def span(self, start: _Mark, end: _Mark) -> Span:
        column, end_column = self._column(start), self._column(end)
        line, end_line = start.line + 1, end.line + 1
        return Span(self.name, start.index, end.index, line, column, end_line, end_column)

    def _column(self, mark: _Mark) -> int:
        """Spans count bytes, from one."""
        before = self.text[mark.index - mark.column : mark.index]
        return len(before.encode()) + 1


def _content_of(source: _Source) -> Iterator[yaml.Event]:
    """The events of the first document, without the frame around it; a second one is refused."""
    documents = 0
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    parsed: Iterator[yaml.Event] = yaml.parse(source.text, Loader=loader)
    for event in parsed:
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise _refusal("a second document begins here", event, source)
        elif isinstance(event, yaml.AliasEvent):
            raise _refusal("a schedule tree repeats nothing by reference", event, source)
        elif isinstance(event, yaml.NodeEvent | yaml.CollectionEndEvent):
            yield event


def _node(event: yaml.Event, events: Iterator[yaml.Event], source: _Source, depth: int) -> Node:
    if depth > DEEPEST:
        message = f"the tree is more than {DEEPEST} levels deep"
        raise InputError(Diagnostic("LW105", message, source.span_of(event)))
    if isinstance(event, yaml.ScalarEvent):
        return _scalar(event, source)
    if isinstance(event, yaml.SequenceStartEvent):
        return _listing(event, events, source, depth)
    return _mapping(event, events, source, depth)


def _scalar(event: yaml.ScalarEvent, source: _Source) -> Scalar:
    """In quotes, or plain; only what stands in the file as it is can be pointed into."""
    quote = 1 if event.style in ("'", '"') else 0
    span = source.span_of(event)
    is_verbatim = source.text[span.start + quote : span.end - quote] == event.value
    if is_verbatim and quote:
        span = Span(
            span.file,
            span.start + 1,
            span.end - 1,
            span.line,
            span.column + 1,
            span.end_line,
            span.end_column - 1,
        )
    return Scalar(event.value, span, is_verbatim)


def _listing(
    start: yaml.Event, events: Iterator[yaml.Event], source: _Source, depth: int
) -> Listing:
    items: list[Node] = []
    for event in events:
        if isinstance(event, yaml.SequenceEndEvent):
            return Listing(tuple(items), source.span_of(start).joined_with(source.span_of(event)))
        items.append(_node(event, events, source, depth + 1))
    raise AssertionError("the parser closes what it opens")


def _mapping(
    start: yaml.Event, events: Iterator[yaml.Event], source: _Source, depth: int
) -> Mapping:
    entries: list[tuple[Scalar, Node]] = []
    seen: set[str] = set()
    for event in events:
        if isinstance(event, yaml.MappingEndEvent):
            first = source.span_of(start)
            last = entries[-1][1].span if entries else first
            return Mapping(tuple(entries), first.joined_with(last))
        key = _node(event, events, source, depth + 1)
        if not isinstance(key, Scalar):
            raise _refusal("a key is expected here, such as child", event, source)
        if key.text in seen:
            raise _refusal(f"{key.text} is here twice", event, source)
        seen.add(key.text)
        entries.append((key, _node(next(events), events, source, depth + 1)))
    raise AssertionError("the parser closes what it opens")


def _refusal(message: str, event: yaml.Event, source: _Source) -> InputError:
    return InputError(Diagnostic("LW505", message, source.span_of(event)))
