"""What a scheduler decided on the way: problems solved, bands made, merges tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

import islpy as isl

from loopwright.basics.records import record

Kind = Literal["validity", "proximity", "coincidence", "condition", "conditional validity"]


@record
class Problem:
    """A linear problem: its size, and whether it had a solution."""

    algorithm: Literal["pluto", "feautrier"]
    unknowns: int
    constraints: int
    with_coincidence: bool
    is_solved: bool


@record
class Blocker:
    """Constraints between two statements without which there would have been a solution.

    ``pairs`` are the instances that they are about.
    """

    kind: Kind
    source: str
    sink: str
    pairs: isl.Map | None = field(default=None, compare=False, repr=False)


Algorithm = Literal["pluto", "feautrier", "wavefront", "original"]
"""Who made a band: one of the two schedulers, the sum of a band's members, a loop of the source."""


@record
class BandMade:
    """A band: of which statements, by which algorithm, and what kept it from more.

    ``coincidence_lost_to`` cost the coincidence of the members after the coincident ones, and
    ``ended_by`` is why there is no further member.  Pairs in ``given_up`` could not be kept near
    each other.  ``functions`` has for each member the time that
    it gives to the instances of each statement, where an explanation was asked for.
    """

    statements: tuple[str, ...]
    algorithm: Algorithm
    members: int
    coincident: int
    is_permutable: bool
    problems: tuple[Problem, ...] = ()
    coincidence_lost_to: tuple[Blocker, ...] = ()
    ended_by: tuple[Blocker, ...] = ()
    made_local: tuple[Blocker, ...] = ()
    functions: tuple[Mapping[str, isl.Aff], ...] = field(default=(), compare=False, repr=False)
    given_up: tuple[Blocker, ...] = ()


Verdict = Literal[
    "merged",
    "no common band",
    "fewer members",
    "fewer coincident members",
    "too far apart",
    "tried before",
    "no band between",
]
"""Why a merge was rejected; a cluster that has to run between the two may have no band at all."""


@record
class MergeTried:
    """An attempt to join clusters along the pairs between two statements (§7.3)."""

    clusters: tuple[tuple[str, ...], ...]
    source: str
    sink: str
    verdict: Verdict
    band: BandMade | None = None


@record
class Grouped:
    """Statements that were scheduled as one (§7.4).

    ``contraction`` takes their instances to those of the group.
    """

    statements: tuple[str, ...]
    group: str
    contraction: isl.UnionMap | None = field(default=None, compare=False, repr=False)


Reason = Literal["unconnected", "serialized", "not merged", "nothing carried", "for a deeper band"]


@record
class Separated:
    """Statements that were split into parts, one after the other or in any order."""

    parts: tuple[tuple[str, ...], ...]
    is_ordered: bool
    reason: Literal[
        "unconnected", "serialized", "not merged", "nothing carried", "for a deeper band"
    ]


@record
class KeptOriginal:
    """No schedule was found, and the program stays in its order."""


@record
class SharedVariable:
    """A loop that is not parallel after all.

    Its iterations take turns with these scalars, and a value leaves the iteration or comes from
    outside, so that they cannot each have their own.
    """

    statements: tuple[str, ...]
    member: int
    arrays: tuple[str, ...]


Event = BandMade | MergeTried | Grouped | Separated | KeptOriginal | SharedVariable


@record
class Trace:
    """All decisions, in the order in which they were taken."""

    events: tuple[Event, ...] = ()

    @property
    def bands(self) -> tuple[BandMade, ...]:
        """The bands of the final schedule and those of clusters before they were merged."""
        return tuple(each for each in self.events if isinstance(each, BandMade))

    @property
    def merges(self) -> tuple[MergeTried, ...]:
        """The attempts to join clusters."""
        return tuple(each for each in self.events if isinstance(each, MergeTried))
