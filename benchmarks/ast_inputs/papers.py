"""The worked examples of the AST generation paper, as inputs."""

from __future__ import annotations

import islpy as isl

from benchmarks.ast_inputs.records import AstInput
from tests.codegen.paper import figures, section5
from tests.codegen.paper.examples import Example


def paper_inputs() -> list[AstInput]:
    """One input for each example, at the last of its sizes in which something runs."""
    return [_input(example) for example in (*section5.EXAMPLES, *figures.EXAMPLES)]


def _input(example: Example) -> AstInput:
    schedule = example.input()
    text = str(schedule)
    busy = [values for values in example.sizes if _runs(schedule, values)]
    return AstInput(
        name=f"paper/{example.name}",
        text=text,
        context=example.context,
        parameters=busy[-1],
        options=example.options,
    )


def _runs(schedule: isl.Schedule | isl.UnionMap, values: dict[str, int]) -> bool:
    """Is there any instance with these values?"""
    domain = schedule.domain() if isinstance(schedule, isl.UnionMap) else schedule.get_domain()
    fixed = " and ".join(f"{name} = {value}" for name, value in values.items()) or "true"
    here = isl.Set(f"[{', '.join(values)}] -> {{ : {fixed} }}")
    return not domain.intersect_params(here).is_empty()
