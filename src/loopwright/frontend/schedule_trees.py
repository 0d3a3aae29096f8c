"""Schedule trees in isl's YAML: from the nodes of the file to an ``isl.Schedule``."""

from __future__ import annotations

from typing import Any, assert_never

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.isl_notation import CONDITION, INSTANCES, Notion, Written, read_isl
from loopwright.frontend.yaml_nodes import Listing, Mapping, Node, Scalar

KINDS: dict[str, Notion[Any] | None] = {
    "domain": INSTANCES,
    "context": CONDITION,
    "schedule": Notion(isl.MultiUnionPwAff, "a partial schedule", "[{ S[i] -> [(i)] }]"),
    "sequence": None,
    "set": None,
    "filter": INSTANCES,
    "mark": None,
    "guard": Notion(isl.Set, "a condition", "[n] -> { [] : n >= 4 }"),
    "extension": Notion(isl.UnionMap, "a relation from times to instances", "{ [t] -> Copy[t] }"),
    "expansion": Notion(
        isl.UnionMap, "a relation from a group to its instances", "{ G[i] -> S[i] }"
    ),
}
"""The key that says what a node is, and how its value is read."""

ALSO: dict[str, dict[str, Notion[Any] | None]] = {
    "schedule": {
        "permutable": None,
        "coincident": None,
        "options": Notion(isl.UnionSet, "a set of options", "{ separate[0]; unroll[1] }"),
    },
    "expansion": {
        "contraction": Notion(
            isl.UnionPwMultiAff, "a function from instances to their group", "{ S[i] -> G[(i)] }"
        )
    },
}
"""What else a node of some kind may say."""


@record
class TreeNode:
    """A node of the tree in the file: its kind, the place of its value, its children.

    A node without a child stands above a leaf.
    """

    kind: str
    span: Span
    children: tuple[TreeNode, ...]
    options: Span | None = None
    """Where the options of a band are."""


def schedule_tree(root: Node) -> tuple[isl.Schedule, TreeNode]:
    """The tree, and where its nodes are.

    Every string is read by itself first, so that a mistake in it has a place; what isl gets to
    read is the tree written out in the part of YAML that it knows.
    """
    outline = _outline(root)
    if outline.kind != "domain":
        raise _shape("the root of a schedule tree is a domain", root.span)
    try:
        return isl.Schedule(_flow_text(root)), outline
    except isl.Error:
        raise _shape("isl does not accept this tree", outline.span) from None


def _outline(node: Node) -> TreeNode:
    if not isinstance(node, Mapping):
        raise _shape("a node of a schedule tree is expected here", node.span)
    kind, value = _kind(node)
    _check_keys(node, kind)
    _check_values(node, kind)
    options = node.get("options")
    place = options.span if options is not None else None
    if kind in ("sequence", "set"):
        return TreeNode(kind, value.span, _members(kind, value), place)
    child = node.get("child")
    below = () if child is None or _is_leaf(child) else (_outline(child),)
    return TreeNode(kind, value.span, below, place)


def _is_leaf(node: Node) -> bool:
    """isl writes a leaf as a word; nothing at all is the same."""
    return isinstance(node, Scalar) and node.text in ("", "leaf")


def _kind(node: Mapping) -> tuple[str, Node]:
    found = [(key, value) for key, value in node.entries if key.text in KINDS]
    if not found:
        unknown = next((key for key, _ in node.entries if key.text not in _KNOWN), None)
        if unknown is not None:
            raise _unknown(unknown)
        raise _shape("this node does not say what it is", node.span)
    if len(found) > 1:
        (first, _), (second, _) = found[:2]
        message = f"a node is one thing, and this one is a {first.text} already"
        raise _shape(message, second.span)
    key, value = found[0]
    return key.text, value


_KNOWN = {"child", *KINDS, *(name for more in ALSO.values() for name in more)}


def _check_keys(node: Mapping, kind: str) -> None:
    allowed = {kind, *ALSO.get(kind, ())}
    if kind not in ("sequence", "set"):
        allowed.add("child")
    for key, _ in node.entries:
        if key.text not in _KNOWN:
            raise _unknown(key)
        if key.text not in allowed:
            raise _shape(f"a {kind} has no {key.text}", key.span)
    if kind == "expansion" and node.get("contraction") is None:
        raise _shape("an expansion needs a contraction, its inverse", node.span)


def _check_values(node: Mapping, kind: str) -> None:
    for name, notion in {kind: KINDS[kind], **ALSO.get(kind, {})}.items():
        value = node.get(name)
        if value is None or name in ("sequence", "set"):
            continue
        if name == "coincident":
            _check_flags(value)
        elif not isinstance(value, Scalar):
            raise _shape(f"{name} takes a text", value.span)
        elif notion is not None:
            read_isl(Written(value.text, value.span, value.is_verbatim), notion)
        elif name == "mark":
            _check_mark(value)
        else:
            _check_flag(value)


def _check_mark(value: Scalar) -> None:
    if not value.text.strip() or any(mark in value.text for mark in '"\\\n'):
        raise _shape("a mark is a name, without quotes and line breaks", value.span)


def _check_flags(value: Node) -> None:
    if not isinstance(value, Listing):
        raise _shape("a list is expected here, such as [ 1, 0 ]", value.span)
    for item in value.items:
        _check_flag(item)


def _check_flag(value: Node) -> None:
    if not isinstance(value, Scalar) or value.text not in ("0", "1"):
        raise _shape("0 or 1 is expected here", value.span)


def _members(kind: str, value: Node) -> tuple[TreeNode, ...]:
    if not isinstance(value, Listing) or not value.items:
        raise _shape(f"a {kind} is a list of filters", value.span)
    members = tuple(_outline(item) for item in value.items)
    for member, item in zip(members, value.items, strict=True):
        if member.kind != "filter":
            raise _shape(f"a {kind} is a list of filters", item.span)
    return members


def _unknown(key: Scalar) -> InputError:
    return _shape(
        f"a schedule tree has no {key.text or 'empty key'}",
        key.span,
        f"a node is one of {', '.join(KINDS)}",
    )


def _shape(message: str, span: Span, hint: str = "") -> InputError:
    return InputError(Diagnostic("LW507", message, span, hint))


# --- what isl reads -------------------------------------------------------------------------------

_NEUTRAL = '{ "schedule": "[]" }'
"""isl reads no mark directly above a leaf, so a band without members stands between."""


def _flow_text(node: Node) -> str:
    match node:
        case Scalar(text):
            return text if text in ("0", "1") else f'"{" ".join(text.split())}"'
        case Listing(items):
            return f"[ {', '.join(_flow_text(item) for item in items)} ]"
        case Mapping(entries):
            kept = [
                (key.text, _flow_text(value))
                for key, value in entries
                if not (key.text == "child" and _is_leaf(value))
            ]
            names = [name for name, _ in kept]
            if "mark" in names and "child" not in names:
                kept.append(("child", _NEUTRAL))
            return "{ " + ", ".join(f'"{name}": {text}' for name, text in kept) + " }"
        case _:
            assert_never(node)
