"""What was decided about a program, as plain data: ``loopwright optimize --json``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from loopwright.pipeline import Outcome, RegionResult
from loopwright.targets.cpu import MappedNest


def result_document(result: Outcome) -> dict[str, Any]:
    """What was decided, as plain data."""
    return {
        "format": "loopwright-result-1",
        "machine": asdict(result.machine),
        "code": result.content.decode(errors="replace"),
        "regions": [_region_document(each) for each in result.regions],
        "notes": [str(each) for each in result.notes],
    } | ({} if result.fit is None else {"code_size": asdict(result.fit)})


def _region_document(region: RegionResult) -> dict[str, Any]:
    scop = region.scop
    document: dict[str, Any] = {
        "function": scop.function,
        "file": scop.span.file,
        "lines": [scop.span.line, scop.span.end_line],
        "rescheduled": bool(region.nests),
        "replaced": region.text is not None,
        "proved": region.proof is not None,
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
    if region.note is not None or region.reason:
        document["reason"] = region.note.message if region.note is not None else region.reason
    return document


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
