"""A new program in a notebook: what changed in the text, what became of the nests, the proof."""

from __future__ import annotations

from html import escape

from loopwright.fates import Fate, Outcome
from loopwright.report.differences import difference
from loopwright.report.optimizations import (
    nest_text,
    places_text,
    proof_text,
    region_facts,
    region_title,
)


def optimization_html(result: Outcome) -> str:
    """All of it as a piece of HTML."""
    regions = "\n".join(_region(each) for each in result.regions)
    changes = escape(difference(result).decode(errors="replace"))
    shown = f"<pre>{changes}</pre>" if changes else "<p>The program stays as it is.</p>"
    return f'<div class="loopwright-result">\n{regions}\n{shown}\n</div>'


def _region(region: Fate) -> str:
    title = f"<h4>{escape(region_title(region.scop))}</h4>"
    if region.text is None:
        facts = "".join(f"<li>{escape(each)}</li>" for each in region_facts(region))
        return f"{title}\n<ul>{facts}</ul>"
    rows = "".join(
        f"<tr><td>{escape(places_text(nest, region.scop))}</td>"
        f"<td>{escape(nest_text(nest, region.scop))}</td></tr>"
        for nest in region.nests
    )
    table = f"<table><tr><th>statements</th><th>what became of them</th></tr>{rows}</table>"
    return f"{title}\n{table if rows else ''}\n<p>{escape(proof_text(region))}</p>"
