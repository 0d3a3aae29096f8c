"""The new schedules of regions as a JSON document, ``loopwright-schedule-1``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, assert_never

from loopwright.model.scheduling_trace import (
    BandMade,
    Blocker,
    Event,
    Grouped,
    KeptOriginal,
    MergeTried,
    Separated,
    SharedVariable,
)
from loopwright.polyhedra.schedule_trees import block_text
from loopwright.report.references import Finding
from loopwright.report.schedule_reasons import Reasons, by_statements
from loopwright.report.schedule_tree import BandOutline, Outline, Parts, Statements
from loopwright.report.schedules import Rescheduled

FORMAT = "loopwright-schedule-1"
Document = dict[str, Any]


def schedules_document(regions: Iterable[Rescheduled]) -> str:
    """The whole document as a text."""
    document = {"format": FORMAT, "regions": [_region(each) for each in regions]}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _region(region: Rescheduled) -> Document:
    scop, wanted = region.scop, region.wanted
    is_ours = wanted.engine == "loopwright"
    return {
        "function": scop.function,
        "file": scop.span.file,
        "lines": [scop.span.line, scop.span.end_line],
        "engine": wanted.engine,
        "options": asdict(wanted.options) | {"live_range_reordering": wanted.live_range_reordering},
        "schedule": block_text(region.schedule.tree),
        "tree": _outline(region.outline),
        "trace": [_event(each, region.reasons) for each in region.schedule.trace.events]
        if is_ours
        else None,
    }


def _outline(outline: Outline) -> Document:
    match outline:
        case Statements():
            return {"statements": list(outline.names)}
        case Parts():
            kind = "sequence" if outline.is_ordered else "set"
            return {kind: [_outline(each) for each in outline.parts]}
        case BandOutline():
            return {
                "band": [
                    {
                        "times": dict(each.times),
                        "parallel": each.is_parallel,
                        "own": list(each.own),
                    }
                    for each in outline.members
                ],
                "permutable": outline.is_permutable,
                "body": _outline(outline.body),
            }


# --- decisions ------------------------------------------------------------------------------------


def _event(event: Event, reasons: Reasons) -> Document:
    match event:
        case Grouped():
            return {"event": "grouped", "statements": list(event.statements)}
        case BandMade():
            return {"event": "band", **_band(event, reasons)}
        case MergeTried():
            return {
                "event": "merge",
                "clusters": _names(event.clusters, reasons),
                "source": list(reasons.statements([event.source])),
                "sink": list(reasons.statements([event.sink])),
                "verdict": event.verdict,
                "band": None if event.band is None else _band(event.band, reasons),
            }
        case Separated():
            return {
                "event": "split",
                "parts": _names(event.parts, reasons),
                "ordered": event.is_ordered,
                "reason": event.reason,
            }
        case KeptOriginal():
            return {"event": "kept the original order"}
        case SharedVariable():
            return {
                "event": "shared variable",
                "statements": list(event.statements),
                "member": event.member,
                "variables": list(event.arrays),
            }
        case _:
            assert_never(event)


def _names(parts: Sequence[Sequence[str]], reasons: Reasons) -> list[list[str]]:
    return [list(reasons.statements(each)) for each in parts]


def _band(band: BandMade, reasons: Reasons) -> Document:
    return {
        "statements": list(reasons.statements(band.statements)),
        "algorithm": band.algorithm,
        "members": [dict(each) for each in reasons.times(band)],
        "coincident": band.coincident,
        "permutable": band.is_permutable,
        "problems": [asdict(each) for each in band.problems],
        "coincidence_lost_to": _blockers(band.coincidence_lost_to, reasons),
        "ended_by": _blockers(band.ended_by, reasons),
        "made_local": _blockers(band.made_local, reasons),
        "given_up": _blockers(band.given_up, reasons),
    }


def _blockers(blockers: Iterable[Blocker], reasons: Reasons) -> list[Document]:
    return [
        {
            "kind": each.kind,
            "source": list(reasons.statements([each.source])),
            "sink": list(reasons.statements([each.sink])),
            "dependences": [_dependences(shown) for shown in by_statements(reasons.of([each]))],
        }
        for each in blockers
    ]


def _dependences(shown: Sequence[Finding]) -> Document:
    source, sink = shown[0].dependence.source, shown[0].dependence.sink
    return {
        "array": shown[0].array,
        "kinds": sorted({each.dependence.kind.value for each in shown}),
        "source": {"statement": source.statement.name, "line": source.span.line},
        "sink": {"statement": sink.statement.name, "line": sink.span.line},
    }
