"""A model as a person reads it: in a terminal, in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import islpy as isl

if TYPE_CHECKING:
    from loopwright.model.scop import Access, Array, Scop, Statement


def scop_text(scop: Scop, *, with_notes: bool = True) -> str:
    """The model on a page: parameters, arrays, statements, order."""
    lines = [f"{scop.function}  ({scop.span.file}, lines {scop.span.line}-{scop.span.end_line})"]
    parameters = ", ".join(f"{each.type} {each.text}" for each in scop.parameters)
    lines.append(f"  parameters  {parameters or 'none'}")
    lines.append(f"  context     {condition_text(scop.context)}")
    lines += ["", "  arrays"]
    lines += [f"    {line}" for line in _columns([_array_row(each) for each in scop.arrays])]
    lines += ["", "  statements"]
    for statement in scop.statements:
        if not statement.is_kill:
            lines += [f"    {line}" for line in _statement_lines(statement)]
    lines += ["", "  order"]
    executed = {each.name for each in scop.statements if not each.is_kill}
    lines += [f"    {line}" for line in order_lines(scop.schedule, executed)]
    kills = [each for each in scop.statements if each.is_kill]
    if kills:
        lines += ["", "  dead values"]
        lines += [f"    {line}" for line in _columns([_kill_row(each) for each in kills])]
    if scop.independences:
        lines += ["", "  independent iterations, as promised"]
        for each in scop.independences:
            names = ", ".join(each.arrays) or "all arrays"
            lines.append(f"    line {each.span.line}: {names}")
    if scop.assumptions:
        lines += ["", "  assumed"]
        lines += [f"    {each}" for each in assumption_lines(scop)]
    if scop.notes and with_notes:
        lines += ["", "  notes"]
        lines += [f"    {note}" for note in scop.notes]
    return "\n".join(lines)


def scop_html(scop: Scop) -> str:
    """The same page for a notebook."""
    return f'<pre class="loopwright-model">{escape(scop_text(scop))}</pre>'


def condition_text(condition: isl.Set) -> str:
    """The constraints of a set alone: ``0 <= i < n``.

    >>> condition_text(isl.Set("[n] -> { S[i, j] : 0 <= i < n and j = i + 1 }"))
    'j = 1 + i and 0 <= i < n'
    """
    if condition.is_empty():
        return "never"
    pieces = str(condition).split("{", 1)[1].rsplit("}", 1)[0].split(";")
    texts = list(dict.fromkeys(map(_constraints, pieces)))
    if "" in texts:
        return "always"
    return texts[0] if len(texts) == 1 else " or ".join(f"({text})" for text in texts)


def _constraints(piece: str) -> str:
    """The conditions in ``S[i, j = 1 + i] : 0 <= i``; isl keeps equalities in the tuple."""
    tuple_, _, rest = piece.partition(":")
    inside = tuple_.partition("[")[2].rpartition("]")[0]
    equalities = [each.strip() for each in inside.split(",") if "=" in each]
    return " and ".join([*equalities, *([rest.strip()] if rest.strip() else [])])


def _array_row(array: Array) -> tuple[str, ...]:
    extents = [_value_text(each) if each is not None else "" for each in array.extents]
    life = [
        word
        for word, holds in (
            ("local", array.is_local),
            ("in", array.is_live_in),
            ("out", array.is_live_out),
        )
        if holds
    ]
    return (array.element_type, array.reference_text(extents), ", ".join(life) or "scratch")


def _columns(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _value_text(value: isl.PwAff) -> str:
    text = str(value).split("{", 1)[1].rsplit("}", 1)[0].strip()
    is_plain = text.startswith("[(") and text.endswith(")]") and text.count("[") == 1
    return text[2:-2] if is_plain else text


def _statement_lines(statement: Statement) -> list[str]:
    instance = f"{statement.name}[{', '.join(statement.iterators)}]"
    atomic = "  (atomic)" if statement.is_dynamic else ""
    text = statement.text if len(statement.text) <= 70 else statement.text[:67] + "..."
    lines = [f"{instance}  line {statement.span.line}: {text}{atomic}"]
    lines.append(f"  instances   {condition_text(statement.domain)}")
    may_write = [each for each in statement.accesses if each.writes and not each.is_exact]
    must_write = [each for each in statement.accesses if each.writes and each.is_exact]
    reads = [each for each in statement.accesses if each.reads]
    for title, accesses in (("reads", reads), ("writes", must_write), ("may write", may_write)):
        if accesses:
            texts = dict.fromkeys(element_text(access) for access in accesses)
            lines.append(f"  {title:<11} {', '.join(texts)}")
    return lines


def _kill_row(statement: Statement) -> tuple[str, ...]:
    instance = f"{statement.name}[{', '.join(statement.iterators)}]"
    killed = ", ".join(dict.fromkeys(each.array for each in statement.accesses))
    return (instance, killed, f"line {statement.span.line}")


def element_text(access: Access) -> str:
    """The elements that an access touches: ``A[i, k]``."""
    if access.may.is_empty():
        return f"nothing of {access.array}"
    pieces = str(access.may).split("{", 1)[1].rsplit("}", 1)[0].split(";")
    return " or ".join(dict.fromkeys(_piece_text(piece) for piece in pieces))


def _piece_text(piece: str) -> str:
    """``S[i] -> A[i] : i > 0`` as ``A[i] where i > 0``."""
    instance, _, target = piece.partition("->")
    element, _, condition = target.partition(":")
    fixed = [each for each in (_constraints(instance), condition.strip()) if each]
    element, condition = element.strip().removesuffix("[]"), " and ".join(fixed)
    return f"{element} where {condition}" if condition else element


def assumption_lines(scop: Scop) -> list[str]:
    """What is taken for granted, each reason with the conditions that it stands for."""
    lines: dict[str, list[str]] = {}
    for each in scop.assumptions:
        conditions = lines.setdefault(each.reason, [])
        if not each.condition.plain_is_universe():
            conditions.append(condition_text(each.condition))
    return [
        reason + (f": {' and '.join(conditions)}" if conditions else "")
        for reason, conditions in lines.items()
    ]


def order_lines(schedule: isl.Schedule, executed: set[str]) -> list[str]:
    """The schedule tree as an outline of loops and of the statements that execute something."""
    return _node_lines(schedule.get_root(), 0, executed)


def _node_lines(node: isl.ScheduleNode, depth: int, executed: set[str]) -> list[str]:
    pad = "  " * depth
    kind = node.get_type()
    children = [node.child(at) for at in range(node.n_children())] if node.has_children() else []
    types = isl.schedule_node_type
    if kind == types.leaf:
        return [pad + name for name in _statement_names(node) if name in executed]
    if kind == types.band:
        return [pad + _band_text(node), *_all(children, depth + 1, executed)]
    if kind == types.mark:
        return [pad + f"{node.mark_get_id().get_name()}:", *_all(children, depth + 1, executed)]
    return _all(children, depth, executed)


def _all(children: list[isl.ScheduleNode], depth: int, executed: set[str]) -> list[str]:
    return [line for child in children for line in _node_lines(child, depth, executed)]


def _band_text(node: isl.ScheduleNode) -> str:
    members = node.band_get_partial_schedule_union_map()
    values: list[str] = []
    for relation in _maps(members):
        value = str(relation).split("->", 2)[-1].rsplit("}", 1)[0].strip()
        value = value.partition(":")[0].strip().strip("[]")
        if value not in values:
            values.append(value)
    return f"for {' | '.join(values)}"


def _statement_names(node: isl.ScheduleNode) -> list[str]:
    return sorted(str(each.get_tuple_name()) for each in _sets(node.get_domain()))


def _maps(union: isl.UnionMap) -> list[isl.Map]:
    maps = union.get_map_list()
    return [maps.get_at(at) for at in range(maps.n_map())]


def _sets(union: isl.UnionSet) -> list[isl.Set]:
    sets = union.get_set_list()
    return [sets.get_at(at) for at in range(sets.n_set())]
