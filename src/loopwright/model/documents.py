"""Models as documents: YAML and JSON out, and back in.

Sets, relations and values are isl's own notation; bodies are nested ``{Kind: [fields]}``; a span is
``line:column-line:column@start-end`` with the file in front where it is not the model's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from typing import Any, cast, get_args

import islpy as isl
import yaml

from loopwright.basics.diagnostics import Diagnostic, Severity
from loopwright.basics.recursion import deep_recursion
from loopwright.basics.spans import Span
from loopwright.model import bodies
from loopwright.model.scop import (
    Access,
    Array,
    Assumption,
    Independence,
    Loop,
    Parameter,
    Part,
    Scop,
    Statement,
)
from loopwright.polyhedra.schedule_trees import block_text

FORMAT = "loopwright-model-1"
NODES: dict[str, Any] = {
    node.__name__: node
    for node in (
        *get_args(bodies.Expression),
        *get_args(bodies.Body),
        bodies.Index,
        bodies.Member,
        bodies.Reinterpret,
    )
}
Document = dict[str, Any]
YAML_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
YAML_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _LiteralText(str):
    """Text that YAML shows line by line."""

    __slots__ = ()


def _represent_literally(dumper: Any, text: _LiteralText) -> Any:
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style="|")


YAML_DUMPER.add_representer(_LiteralText, _represent_literally)


def dump_model(scops: Iterable[Scop], form: str = "yaml") -> str:
    r"""The models as a YAML or JSON text that :func:`load_model` reads back.

    >>> from loopwright import read_c
    >>> program = "void f(double A[9]) {\n#pragma scop\nA[0] = 1;\n#pragma endscop\n}"
    >>> print(load_model(dump_model(read_c(program)))[0].must_writes())
    { S0[] -> A[0] }
    """
    if form not in ("yaml", "json"):
        raise ValueError(f"a model is written as yaml or json, not as {form}")
    document = {"format": FORMAT, "models": [document_of(scop) for scop in scops]}
    if form == "json":
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    return yaml.dump(
        document,
        Dumper=YAML_DUMPER,
        sort_keys=False,
        default_flow_style=None,
        width=100,
        allow_unicode=True,
    )


def load_model(text: str) -> list[Scop]:
    """The models in a text made by :func:`dump_model`; a ``ValueError`` tells what is wrong."""
    try:
        with deep_recursion():
            return _loaded(text)
    except RecursionError as error:
        raise ValueError(f"this {FORMAT} document is nested too deeply") from error


def _loaded(text: str) -> list[Scop]:
    try:
        document = json.loads(text) if text.lstrip().startswith("{") else _yaml(text)
        if document["format"] != FORMAT:
            raise ValueError(f"this is {document['format']}, not {FORMAT}")
        return [scop_of(each) for each in document["models"]]
    except (KeyError, TypeError, AttributeError, yaml.YAMLError, isl.Error) as error:
        raise ValueError(f"this is not a {FORMAT} document: {error!r}") from error


def _yaml(text: str) -> Document:
    return cast("Document", yaml.load(text, Loader=YAML_LOADER))


# --- writing ----------------------------------------------------------------------------------


def document_of(scop: Scop) -> Document:
    """A model as plain data."""
    where = _SpanText(scop.span.file)
    return {
        "function": scop.function,
        "file": scop.span.file,
        "span": where(scop.span),
        "context": str(scop.context),
        "parameters": [
            {
                "name": each.name,
                "text": each.text,
                "type": each.type,
                "least": each.least,
                "greatest": each.greatest,
                "span": where(each.span),
            }
            for each in scop.parameters
        ],
        "assumptions": [
            {"condition": str(each.condition), "reason": each.reason, "span": where(each.span)}
            for each in scop.assumptions
        ],
        "arrays": [_array_document(each, where) for each in scop.arrays],
        "statements": [_statement_document(each, where) for each in scop.statements],
        "schedule": _LiteralText(block_text(scop.schedule)),
        "independences": [
            {"pairs": str(each.pairs), "arrays": list(each.arrays), "span": where(each.span)}
            for each in scop.independences
        ],
        "notes": [_note_document(each, where) for each in scop.notes],
        "outliving": list(scop.outliving),
        "loops": [
            {
                "iterator": each.iterator,
                "depth": each.depth,
                "statements": list(each.statements),
                "span": where(each.span),
                "count": str(each.count),
            }
            for each in scop.loops
        ],
    }


class _SpanText:
    def __init__(self, file: str) -> None:
        self.file = file

    def __call__(self, span: Span) -> str:
        place = f"{span.range_text()}@{span.start}-{span.end}"
        return place if span.file == self.file else f"{span.file}:{place}"


def _array_document(array: Array, where: Callable[[Span], str]) -> Document:
    return {
        "name": array.name,
        "type": array.element_type,
        "variable_type": array.variable_type,
        "extents": [str(each) if each is not None else None for each in array.extents],
        "local": array.is_local,
        "live_in": array.is_live_in,
        "live_out": array.is_live_out,
        "parts": [
            [part.selector, part.rank, part.offset, part.element_size] for part in array.parts
        ],
        "span": where(array.span),
        **({"flat": True} if array.is_flat else {}),
    }


def _statement_document(statement: Statement, where: Callable[[Span], str]) -> Document:
    return {
        "name": statement.name,
        "label": statement.label,
        "text": statement.text,
        "span": where(statement.span),
        "iterators": list(statement.iterators),
        "domain": str(statement.domain),
        "dynamic": statement.is_dynamic,
        "accesses": [_access_document(each, where) for each in statement.accesses],
        "body": _body_document(statement.body),
    }


def _access_document(access: Access, where: Callable[[Span], str]) -> Document:
    kinds = [
        kind
        for kind, holds in (
            ("read", access.reads),
            ("write", access.writes),
            ("kill", access.kills),
        )
        if holds
    ]
    document: Document = {
        "tag": access.tag,
        "array": access.array,
        "kinds": kinds,
        "may": str(access.may),
    }
    if access.must is not access.may:
        document["must"] = str(access.must)
    return {**document, "text": access.text, "span": where(access.span)}


def _note_document(note: Diagnostic, where: Callable[[Span], str]) -> Document:
    return {
        "code": note.code,
        "severity": note.severity.value,
        "message": note.message,
        "hint": note.hint,
        "span": where(note.span),
    }


def _body_document(node: Any) -> Any:
    if is_dataclass(node):
        return {
            type(node).__name__: [_body_document(getattr(node, each.name)) for each in fields(node)]
        }
    if isinstance(node, tuple):
        return [_body_document(each) for each in cast("tuple[Any, ...]", node)]
    return node


# --- reading ----------------------------------------------------------------------------------


def scop_of(document: Document) -> Scop:
    """The model in a document."""
    place = _SpanReader(document["file"])
    return Scop(
        document["function"],
        place(document["span"]),
        tuple(
            Parameter(
                each["name"],
                each["text"],
                each["type"],
                place(each["span"]),
                each["least"],
                each["greatest"],
            )
            for each in document["parameters"]
        ),
        isl.Set(document["context"]),
        tuple(
            Assumption(isl.Set(each["condition"]), each["reason"], place(each["span"]))
            for each in document["assumptions"]
        ),
        tuple(_array(each, place) for each in document["arrays"]),
        tuple(_statement(each, place) for each in document["statements"]),
        isl.Schedule(document["schedule"]),
        tuple(
            Independence(isl.UnionMap(each["pairs"]), tuple(each["arrays"]), place(each["span"]))
            for each in document["independences"]
        ),
        tuple(_note(each, place) for each in document["notes"]),
        tuple(document["outliving"]),
        tuple(
            Loop(
                each["iterator"],
                each["depth"],
                tuple(each["statements"]),
                place(each["span"]),
                isl.PwAff(each["count"]),
            )
            for each in document["loops"]
        ),
    )


class _SpanReader:
    def __init__(self, file: str) -> None:
        self.file = file

    def __call__(self, text: str) -> Span:
        place, _, offsets = text.rpartition("@")
        begin, _, finish = place.rpartition("-")
        *file, line, column = begin.rsplit(":", 2)
        end_line, end_column = finish.split(":")
        start, end = offsets.split("-")
        return Span(
            file[0] if file else self.file,
            int(start),
            int(end),
            int(line),
            int(column),
            int(end_line),
            int(end_column),
        )


def _array(document: Document, place: Callable[[str], Span]) -> Array:
    return Array(
        document["name"],
        tuple(Part(*each) for each in document["parts"]),
        document["type"],
        tuple(isl.PwAff(each) if each is not None else None for each in document["extents"]),
        document["local"],
        document["live_in"],
        document["live_out"],
        place(document["span"]),
        document["variable_type"],
        document.get("flat", False),
    )


def _statement(document: Document, place: Callable[[str], Span]) -> Statement:
    return Statement(
        document["name"],
        tuple(document["iterators"]),
        isl.Set(document["domain"]),
        tuple(_access(each, place) for each in document["accesses"]),
        _body(document["body"]),
        document["dynamic"],
        place(document["span"]),
        document["text"],
        document["label"],
    )


def _access(document: Document, place: Callable[[str], Span]) -> Access:
    may = isl.Map(document["may"])
    kinds = document["kinds"]
    return Access(
        document["tag"],
        document["array"],
        "read" in kinds,
        "write" in kinds,
        "kill" in kinds,
        may,
        isl.Map(document["must"]) if "must" in document else may,
        place(document["span"]),
        document["text"],
    )


def _note(document: Document, place: Callable[[str], Span]) -> Diagnostic:
    return Diagnostic(
        document["code"],
        document["message"],
        place(document["span"]),
        document["hint"],
        Severity(document["severity"]),
    )


def _body(document: Any) -> Any:
    if isinstance(document, dict):
        ((kind, values),) = cast("dict[str, list[Any]]", document).items()
        return NODES[kind](*(_body(value) for value in values))
    if isinstance(document, list):
        return tuple(_body(each) for each in cast("list[Any]", document))
    return document
