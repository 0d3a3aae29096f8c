"""Where in the generated code something stands, and what is known there."""

from __future__ import annotations

import islpy as isl

from loopwright.basics.records import record
from loopwright.codegen.options import AstOptions


@record(eq=False)
class Build:
    """The place of an expression: what the iterators around it are called, and what holds.

    ``known`` is a set over those iterators, one set dimension each, in the order of
    ``iterators``: conditions that *will* be enforced by the code around the place, so that an
    expression may rely on them (the generated conditions of §4.2).
    """

    iterators: tuple[str, ...]
    known: isl.Set
    schedule: isl.MultiAff
    """``[iterators] -> [schedule dimensions]``: eliminated and scaled loops differ from these."""
    options: AstOptions
    instance: isl.PwMultiAff | None = None
    """At a statement, ``[iterators] -> S[…]``: the instance that runs here."""
