"""The dependences of regions as a JSON document, ``loopwright-dependences-1``.

Relations and sets are isl's own notation; a span is ``line:column-line:column@start-end``, as in
the document of a model.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import islpy as isl

from loopwright.basics.spans import Span
from loopwright.dependence.witnesses import Side, witness
from loopwright.model.dependences import Dependence, Dependences, End, Reduction
from loopwright.model.display import assumption_lines
from loopwright.model.scop import Loop
from loopwright.report.findings import Elements, Findings
from loopwright.report.kept_loops import KeptLoop
from loopwright.report.references import Finding
from loopwright.report.verdicts import Remedy, Verdict

FORMAT = "loopwright-dependences-1"
Document = dict[str, Any]


def dependences_document(regions: Iterable[Findings]) -> str:
    """The whole document as a text."""
    document = {"format": FORMAT, "regions": [_region(each) for each in regions]}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _region(found: Findings) -> Document:
    scop = found.scop
    loops = [each.loop for each in found.verdicts]
    write = _Writer(found, loops)
    return {
        "function": scop.function,
        "file": scop.span.file,
        "span": write.span(scop.span),
        "mode": found.asked.mode,
        "context": str(scop.context),
        "assumptions": assumption_lines(scop),
        "relations": _relations(found.dependences),
        "approximated": list(found.dependences.approximated),
        "edges": [write.edge(each) for each in found.rows],
        "loops": [write.verdict(each) for each in found.verdicts],
        "kept_loops": [write.kept(each) for each in found.kept],
        "live_in": _elements(found.coming_in),
        "live_out": _elements(found.going_out),
        "reductions": [_reduction(each) for each in found.dependences.reductions],
        "components": [list(each) for each in found.components],
        "dead": [
            {"statement": statement.name, "instances": str(instances)}
            for statement, instances in found.dead
        ],
    }


def _relations(found: Dependences) -> dict[str, str]:
    """Each relation that was computed, first without the references and then with them."""
    relations: dict[str, isl.UnionMap | None] = {
        "flow": found.flow,
        "false": found.false,
        "order": found.order,
        "forced": found.forced,
        "inputs": found.inputs,
        "may_live_in": found.may_live_in,
        "may_live_out": found.may_live_out,
        "tagged_flow": found.tagged_flow,
        "tagged_false": found.tagged_false,
        "tagged_order": found.tagged_order,
        "tagged_forced": found.tagged_forced,
        "tagged_inputs": found.tagged_inputs,
        "tagged_may_live_in": found.tagged_may_live_in,
        "tagged_may_live_out": found.tagged_may_live_out,
    }
    return {name: str(each) for name, each in relations.items() if each is not None}


def _elements(elements: Iterable[Elements]) -> dict[str, str]:
    return {each.array.name: str(each.elements) for each in elements}


def _reduction(reduction: Reduction) -> Document:
    return {
        "statement": reduction.statement,
        "operator": reduction.operator,
        "array": reduction.array,
        "tags": sorted(reduction.tags),
    }


class _Writer:
    """Writes what refers to the file and the loops of a region."""

    def __init__(self, found: Findings, loops: Sequence[Loop]) -> None:
        self.found = found
        self.file = found.scop.span.file
        self.number = {each: at for at, each in enumerate(loops)}

    def span(self, span: Span) -> str:
        place = f"{span.range_text()}@{span.start}-{span.end}"
        return place if span.file == self.file else f"{span.file}:{place}"

    def edge(self, each: Finding) -> Document:
        """A dependence; loops are numbers in the list of loops."""
        dependence, reach = each.dependence, each.reach
        return {
            "kind": dependence.kind.value,
            "array": each.array,
            "source": self.end(dependence.source),
            "sink": self.end(dependence.sink),
            "pairs": str(dependence.pairs),
            "certain": each.is_certain,
            "distances": [
                {"loop": self.number[one.loop], "least": one.least, "greatest": one.greatest}
                for one in reach.distances
            ],
            "carried_by": [self.number[loop] for loop in reach.carriers],
            "within_iteration": reach.within,
            "reduction": dependence.reduction.operator if dependence.reduction else None,
            "smallest": self.smallest(dependence),
        }

    def end(self, end: End) -> Document:
        return {
            "statement": end.statement.name,
            "tag": end.access.tag,
            "text": end.access.text,
            "span": self.span(end.access.span),
        }

    def smallest(self, dependence: Dependence) -> Document:
        """The smallest pair of iterations, and the sentence about it."""
        found = witness(dependence, self.found.scop)
        return {
            "parameters": found.parameters,
            "source": _iteration(found.source),
            "sink": _iteration(found.sink),
            "element": found.element,
            "sentence": str(found),
        }

    def verdict(self, verdict: Verdict) -> Document:
        return {
            "iterator": verdict.loop.iterator,
            "depth": verdict.loop.depth,
            "span": self.span(verdict.loop.span),
            "statements": list(verdict.loop.statements),
            "parallel": verdict.is_parallel,
            "forbidden_by": [self.edge(each) for each in verdict.obstacles],
            "parallel_with": _remedy(verdict.remedy) if verdict.remedy is not None else None,
        }

    def kept(self, loop: KeptLoop) -> Document:
        """A loop of a statement; the span is the statement's."""
        return {
            "iterator": loop.iterator or None,
            "statement": loop.statement.name,
            "span": self.span(loop.statement.span),
            "reason": loop.reason,
        }


def _iteration(side: Side) -> dict[str, int]:
    return dict(zip(side.statement.iterators, side.iteration, strict=True))


def _remedy(remedy: Remedy) -> Document:
    return {
        "private": list(remedy.private),
        "declared_inside": list(remedy.declared_inside),
        "not_needed_afterwards": list(remedy.dropped),
        "reassociated": [_reduction(each) for each in remedy.reassociated],
    }
