"""What is to become of a nest: the order of its loops, tiles, registers, vectors, threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from loopwright.basics.records import record
from loopwright.model.dependences import Reduction


@record
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
    reductions: tuple[Reduction, ...] = ()
    """What the vector loop computes in parts."""
    packed: tuple[str, ...] = ()
    """The tags of references whose tiles are copied into buffers."""
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
    def is_single(self) -> bool:
        """Is there only one loop?"""
        return len(self.order) == 1 and not self.tiles

    @property
    def has_vector_mark(self) -> bool:
        """Is it said that the innermost loop is one for vectors?

        Of a single parallel loop only where it has to be: compilers see it themselves, and not all
        of them do if it is said.
        """
        return self.is_vector and bool(self.reductions or not (self.is_parallel and self.is_single))

    @property
    def parallel(self) -> int:
        """The member that is parallel, if one is."""
        tiles = [at for at, _ in self.tiles]
        return tiles[1] if self.is_wavefront else [*tiles, *self.order][0]
