"""What one input of AST generation is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

import islpy as isl

from loopwright.codegen.options import AstOptions


def on_one_line(tree: str) -> str:
    """The tree with each quoted string on one line, as isl wants it."""
    return re.sub(r'"[^"]*"', lambda quoted: " ".join(quoted[0].split()), tree)


@dataclass(frozen=True, slots=True, eq=False)
class AstInput:
    """A schedule as text, so that each reading gives objects in which isl has cached nothing.

    ``text`` is a schedule tree in YAML, or a union map from instances to times.  ``parameters`` are
    sizes at which an interpreter can run the loops and at which each part of them runs.
    """

    name: str
    text: str
    context: str = "{ : }"
    parameters: dict[str, int] = field(default_factory=dict[str, int])
    options: AstOptions = field(default_factory=AstOptions)

    def schedule(self) -> isl.Schedule | isl.UnionMap:
        """The schedule, freshly read."""
        if "domain:" in self.text:
            return isl.Schedule(on_one_line(self.text))
        return isl.UnionMap(self.text)

    def context_set(self) -> isl.Set:
        """The context, freshly read."""
        return isl.Set(self.context)

    def fresh_options(self) -> AstOptions:
        """The options, with a freshly read set in them."""
        if self.options.isolate is None:
            return self.options
        return replace(self.options, isolate=isl.Set(str(self.options.isolate)))
