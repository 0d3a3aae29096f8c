"""What a scheduler may be told: the paper's options under the paper's names."""

from __future__ import annotations

from dataclasses import fields
from typing import Literal

from loopwright.basics.records import record

Fallback = Literal["feautrier", "wavefront", "original", "single", "validity"]
"""What makes a band where none can have a coincident member (PPCG §6.2, §6.7).

``feautrier`` carries as many constraints as possible in one member; ``wavefront`` takes the sum of
the members of a band without coincidence; ``original`` takes a loop of the program as written;
``single`` takes the first member of Pluto's band; ``validity`` takes the first member that Pluto
finds for the validity constraints alone.
"""


@record
class SchedulerOptions:
    """How to schedule; the defaults are PPCG's.

    ``outer_coincidence`` demands a coincident first member of each band.  A merge of two clusters
    may not lose members of their bands (``maximize_band_depth``) or coincident ones
    (``maximize_coincidence``).  ``serialize_sccs`` fuses nothing, ``whole_component`` schedules all
    connected statements at once.  ``split_scaled`` undoes common factors, ``treat_coalescing``
    avoids members that fold two loops into one, ``carry_self_first`` lets Feautrier's scheduler
    begin with what a statement demands of itself.  ``group_chains`` joins statements that follow
    each other and hand a value on.  In Pluto's problems no coefficient exceeds ``max_coefficient``
    and no constant ``max_constant_term``, where they are given; Feautrier's scheduler and sums of
    members know no such bound (§6.6.2).  ``time_limit`` is in seconds.

    >>> SchedulerOptions(max_coefficient=0)
    Traceback (most recent call last):
        ...
    ValueError: max_coefficient must be positive, not 0
    """

    outer_coincidence: bool = True
    maximize_band_depth: bool = True
    maximize_coincidence: bool = True
    serialize_sccs: bool = False
    whole_component: bool = False
    split_scaled: bool = True
    treat_coalescing: bool = True
    carry_self_first: bool = True
    group_chains: bool = True
    fallback: Fallback = "feautrier"
    max_coefficient: int | None = None
    max_constant_term: int | None = None
    time_limit: float | None = 60.0

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        for each in fields(self):
            if each.type == "bool" and not isinstance(getattr(self, each.name), bool):
                raise TypeError(f"{each.name} must be True or False")
        for name, least in (("max_coefficient", 1), ("max_constant_term", 0)):
            value = getattr(self, name)
            if value is not None and not isinstance(value, int):
                raise TypeError(f"{name} must be an integer, not {value!r}")
            if value is not None and value < least:
                kind = "positive" if least else "zero or more"
                raise ValueError(f"{name} must be {kind}, not {value}")
        if self.time_limit is not None and not self.time_limit > 0:
            raise ValueError(f"time_limit must be positive, not {self.time_limit}")
        if self.fallback not in ("feautrier", "wavefront", "original", "single", "validity"):
            raise ValueError(f"unknown fallback {self.fallback!r}")

    @property
    def is_coincidence_forced(self) -> bool:
        """Must a band begin with a coincident member?  Wavefronts make one afterwards."""
        return self.outer_coincidence and self.fallback != "wavefront"


PPCG = SchedulerOptions()
"""The defaults of PPCG."""

ISL = SchedulerOptions(
    outer_coincidence=False,
    maximize_band_depth=False,
    maximize_coincidence=False,
    group_chains=False,
)
"""The defaults of isl."""
