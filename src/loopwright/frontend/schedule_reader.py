"""A schedule in a file: a tree in isl's YAML, or a domain and times in isl's notation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.basics.spans import Span, whole_file
from loopwright.frontend.isl_notation import (
    CONDITION,
    INSTANCES,
    MOST_OPERATIONS,
    SCHEDULE_MAP,
    Written,
    check_size,
    read_isl,
    split,
)
from loopwright.frontend.schedule_checks import (
    check_cover,
    check_map,
    check_node,
    lost_instances,
    reached_nodes,
)
from loopwright.frontend.schedule_trees import schedule_tree
from loopwright.frontend.yaml_nodes import Scalar, yaml_tree
from loopwright.polyhedra.limits import OutOfOperations, limited

LARGEST = 1 << 20
"""Bytes; isl's own work grows faster than the text."""
MOST_PARTS = 3


@record(eq=False)
class ScheduleText:
    """What a file says: a schedule, perhaps a context, and where the bands are."""

    schedule: isl.Schedule | isl.UnionMap
    span: Span
    context: isl.Set | None = None
    bands: Mapping[str, Span] = field(default_factory=dict[str, Span])
    """Where a band of a tree is, by its text."""
    notes: tuple[Diagnostic, ...] = ()

    def placed(self, diagnostic: Diagnostic) -> Diagnostic:
        """What the generator says about a band, at the place of the band."""
        if diagnostic.span.file != "<schedule>":
            return diagnostic
        message, _, told = diagnostic.message.partition(" in the band ")
        for text, span in self.bands.items():
            if told and _bare(told) == _bare(text):
                return replace(diagnostic, message=f"{message} in this band", span=span)
        return replace(diagnostic, span=self.span)


def _bare(band: str) -> str:
    """A band without its parameters, of which the generator may list more than the file.

    >>> _bare("[n] -> [{ S[i] -> [(i)] }]")
    '[{ S[i] -> [(i)] }]'
    """
    return re.sub(r"^\[[\w, ]*\] -> ", "", band)


def read_schedule(name: str, content: bytes) -> ScheduleText:
    r"""The schedule in a file, whichever form it has; ``name`` is what messages call it.

    >>> text = read_schedule("s", b"[n] -> { S[i] : 0 <= i < n }  # the domain\n{ S[i] -> [i] }")
    >>> print(text.schedule)
    [n] -> { S[i] -> [i] : 0 <= i < n }
    """
    text = _decoded(name, content)
    try:
        with limited(MOST_OPERATIONS):
            return _from_tree(name, text) if _is_yaml(text) else _from_strings(name, text)
    except OutOfOperations:
        message = "understanding the schedule takes too long"
        raise InputError(Diagnostic("LW108", message, whole_file(name))) from None


def _decoded(name: str, content: bytes) -> str:
    if len(content) > LARGEST:
        message = f"the schedule is larger than {LARGEST >> 20} MiB"
        raise InputError(Diagnostic("LW104", message, whole_file(name)))
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        raise InputError(_not_text(name, line, column)) from None
    strange = re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", text)
    if strange is not None:
        before = text[: strange.start()]
        line, start = before.count("\n") + 1, before.rfind("\n") + 1
        raise InputError(_not_text(name, line, len(before[start:].encode()) + 1))
    if not _without_comments(text).strip("\ufeff \t\r\n"):
        raise InputError(Diagnostic("LW505", "the file is empty", whole_file(name), _FORMS))
    return text.removeprefix("\ufeff")


_FORMS = (
    "write a schedule tree in isl's YAML, or a domain and a schedule such as "
    "{ S[i] : 0 <= i < 10 } and { S[i] -> [i] }"
)


def _not_text(name: str, line: int, column: int) -> Diagnostic:
    span = Span(name, 0, 0, line, column, line, column + 1)
    return Diagnostic("LW505", "the file is not text", span)


def _is_yaml(text: str) -> bool:
    """Does it begin with a key?  A set begins with a bracket, and a tuple in it has brackets."""
    start = _without_comments(text).lstrip()
    return re.match(r"""---|\{?\s*["']?[A-Za-z_]\w*["']?\s*:|[^[{]""", start) is not None


def _without_comments(text: str) -> str:
    """Blanks instead of comments, so that everything stays where it is."""
    return re.sub(r"(?m)(^|[ \t])#[^\n]*", lambda found: " " * len(found[0].encode()), text)


# --- trees ----------------------------------------------------------------------------------------


def _from_tree(name: str, text: str) -> ScheduleText:
    root = yaml_tree(name, text)
    if isinstance(root, Scalar):
        raise InputError(Diagnostic("LW505", "this is not a schedule", root.span, _FORMS))
    schedule, tree = schedule_tree(root)
    bands: dict[str, Span] = {}
    notes: list[Diagnostic] = []
    for reached in reached_nodes(schedule, tree):
        check_node(reached)
        note = lost_instances(reached)
        if note is not None:
            notes.append(note)
        if reached.tree.kind == "schedule":
            bands[str(reached.node.band_get_partial_schedule())] = reached.tree.span
    return ScheduleText(schedule, tree.span, None, bands, tuple(notes))


# --- strings --------------------------------------------------------------------------------------


def _from_strings(name: str, text: str) -> ScheduleText:
    """A domain (or none), the times, and a context (or none), in this order."""
    blanked = _without_comments(text)
    parts = split(Written(blanked, Span(name, 0, len(text), 1, 1, 1, 1)), MOST_PARTS + 1)
    domain = read_isl(parts.pop(0), INSTANCES) if _is_set(parts[0]) else None
    if not parts:
        message = "the schedule is missing: when do the instances run?"
        hint = "write a relation from instances to times after the domain: { S[i] -> [i] }"
        raise InputError(Diagnostic("LW505", message, whole_file(name), hint))
    written = parts.pop(0)
    times = read_isl(written, SCHEDULE_MAP)
    context = _context(parts.pop(0)) if parts else None
    if parts:
        message = "a domain, a schedule and a context are all that a file may hold"
        raise InputError(Diagnostic("LW505", message, parts[0].span))
    check_map(times, written.span)
    if domain is not None:
        check_cover(domain, times.domain(), written.span, "the schedule")
        times = times.intersect_domain(domain)
    return ScheduleText(times, written.span, context)


def _is_set(written: Written) -> bool:
    """Of a text that isl cannot read at all, the arrow tells what was meant."""
    check_size(written)
    try:
        isl.UnionSet(written.text)
    except isl.Error:
        inside = written.text.partition("{")[2]
        return "->" not in inside
    return True


def _context(written: Written) -> isl.Set:
    context = read_isl(written, CONDITION)
    if context.is_params():
        return context
    message = "this is not a condition on the parameters"
    hint = "write the context as [n] -> { : n >= 4 }"
    raise InputError(Diagnostic("LW117", message, written.span, hint))
