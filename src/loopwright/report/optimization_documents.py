"""What was decided about a program, as plain data: ``loopwright optimize --json``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, assert_never

from loopwright.fates import (
    Broken,
    Fate,
    LeftAlone,
    Outcome,
    OutOfTime,
    Refused,
    Rewritten,
    Rung,
    Unproved,
)
from loopwright.frontend.detection import Unread
from loopwright.targets.cpu import MappedNest

FATES: dict[type, str] = {
    Rewritten: "rewritten",
    LeftAlone: "left alone",
    Refused: "refused",
    OutOfTime: "out of time",
    Unproved: "unproved",
    Broken: "broken",
}


def result_document(result: Outcome) -> dict[str, Any]:
    """What was decided, as plain data."""
    return {
        "format": "loopwright-result-1",
        "machine": asdict(result.machine),
        "code": result.content.decode(errors="replace"),
        "regions": [_region_document(each) for each in result.regions],
        "unread": [_unread_document(each) for each in result.unread],
        "notes": [str(each) for each in result.notes],
    } | ({} if result.fit is None else {"code_size": asdict(result.fit)})


def _region_document(region: Fate) -> dict[str, Any]:
    scop = region.scop
    document: dict[str, Any] = {
        "function": scop.function,
        "file": scop.span.file,
        "lines": [scop.span.line, scop.span.end_line],
        "rescheduled": bool(region.nests),
        "replaced": region.text is not None,
        "proved": region.proof is not None,
        "fate": FATES[type(region)],
        "nests": [_nest_document(each) for each in region.nests],
    }
    if region.told:
        document["script"] = list(region.told)
    if region.text is not None:
        document["iterator_type"] = region.text.iterator_type
        document["test"] = region.text.test or None
        document["taken_for_granted"] = [
            each.reason for each in scop.assumptions if each.condition.plain_is_universe()
        ]
    if region.text is None and (region.note is not None or region.reason):
        document["reason"] = region.note.message if region.note is not None else region.reason
    return document | _more_of(region)


def _more_of(region: Fate) -> dict[str, Any]:
    """What only regions of this fate have."""
    match region:
        case Rewritten(lost=lost, gain=gain):
            document: dict[str, Any] = {"gain": gain} if gain else {}
            return document | ({"lost": [_rung_document(each) for each in lost]} if lost else {})
        case Unproved(tried=tried):
            return {"lost": [_rung_document(each) for each in tried]}
        case Broken(failure=failure):
            return {"failure": {"what": failure.what, "trace": failure.trace}}
        case LeftAlone() | Refused() | OutOfTime():
            return {}
        case _:
            assert_never(region)


def _unread_document(unread: Unread) -> dict[str, Any]:
    """Loops that have no model, and why."""
    return {
        "function": unread.function,
        "lines": [unread.span.line, unread.span.end_line],
        "depth": unread.depth,
        "reason": str(unread.why),
        "help": unread.why.hint or None,
    }


def _rung_document(rung: Rung) -> dict[str, Any]:
    """A version that was given up."""
    return {"gain": rung.gain or None, "why": rung.why.reason, "witness": rung.why.witness or None}


def _nest_document(nest: MappedNest) -> dict[str, Any]:
    """The plan of a nest; members are numbers in ``loops``."""
    plan = nest.plan
    return {
        "statements": list(nest.statements),
        "loops": [str(each) for each in nest.members],
        "order": list(plan.order),
        "tiles": [list(each) for each in plan.tiles],
        "unrolled": [list(each) for each in plan.unrolled.items()],
        "packed": list(plan.packed),
        "copies": [each.array for each in nest.expanded],
        "vector": plan.has_vector_mark,
        "reductions": [each.array for each in plan.reductions],
        "parallel": plan.parallel if plan.is_parallel or plan.is_wavefront else None,
        "wavefront": plan.is_wavefront,
    }
