"""Texts and their models, for what is said about the two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from loopwright.frontend.c_reader import CReader
from loopwright.frontend.c_tree import Stmt
from loopwright.frontend.clang_library import ParsedFile, ReadOptions
from loopwright.frontend.regions import Region, marked_regions, pragmas_of
from loopwright.frontend.scop_builder import region_facts, scop_from_region
from loopwright.frontend.workshop import Overflow, Workshop
from loopwright.model.scop import Scop, type_ranges

FRAME = """\
#define min(x, y) ((x) < (y) ? (x) : (y))
#define max(x, y) ((x) > (y) ? (x) : (y))
void f(int n, int m, double A[n][m], double *x) {{
#pragma scop
{text}
#pragma endscop
}}
"""


@dataclass(frozen=True)
class Modelled:
    """A text, its model, and the cases in which that holds."""

    region: Region
    model: Scop
    possible: isl.Set

    @property
    def statements(self) -> Sequence[Stmt]:
        return self.region.statements


def modelled(text: str) -> Modelled:
    """The statements of a function with parameters ``n``, ``m``, ``A`` and ``x``."""
    return read_program(FRAME.format(text=text))


def read_program(text: str) -> Modelled:
    """The only region of a program, read by the strict rules for new text."""
    reader = CReader(ParsedFile("text.c", text.encode(), ReadOptions()))
    (region,) = marked_regions(reader, pragmas_of(reader), None)
    function = region.function.name
    workshop = Workshop(reader.parsed, region_facts(region), function, overflow=Overflow.REFUSED)
    model = scop_from_region(region, workshop)
    return Modelled(region, model, model.context & type_ranges(model.parameters))
