"""What is to become of a nest: the order of its loops, tiles, registers, vectors, threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Plan:
    """A decision about a nest, in terms of the positions of its members.

    ``tiles`` go around everything, in that order, each with its size.  ``order`` has the point
    loops, outermost first; ``unrolled`` has those of them whose iterations are written out, so many
    at a time, inside the last one.  ``groups`` are the statements that get an innermost loop of
    their own, in order.
    """

    order: tuple[int, ...]
    tiles: tuple[tuple[int, int], ...] = ()
    unrolled: Mapping[int, int] = field(default_factory=dict[int, int])
    groups: tuple[tuple[str, ...], ...] = ()
    is_vector: bool = False
    is_parallel: bool = False
    """Is the outermost loop, of the tiles or of the points, parallel?"""
    is_wavefront: bool = False
    """Does a loop over the sum of the first two tiles come first, and the second one then run in
    parallel?"""

    @property
    def inner(self) -> int:
        """The innermost member."""
        return self.order[-1]

    @property
    def parallel(self) -> int:
        """The member that is parallel, if one is."""
        tiles = [at for at, _ in self.tiles]
        return tiles[1] if self.is_wavefront else [*tiles, *self.order][0]
