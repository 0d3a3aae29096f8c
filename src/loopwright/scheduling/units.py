"""What gets a function of its own in a problem: a statement, or a cluster that moves as one."""

from __future__ import annotations

from loopwright.basics.records import record
from loopwright.polyhedra.integer_matrices import Vector, combined, dot, identity
from loopwright.scheduling.graph import Affine, Node


@record(eq=False, slots=False)
class Unit:
    """Statements that are scheduled by combining functions, all with the same factors.

    ``functions`` has as many functions for each statement as the unit has dimensions.  For a single
    statement they are its coordinates; for a cluster they are the members of its band (§7.3.4).
    New members are to be independent of the combinations in ``previous``.
    """

    dimensions: int
    functions: dict[int, tuple[Affine, ...]]
    previous: tuple[Vector, ...] = ()
    bounds: tuple[int | None, ...] = ()

    def combination(self, statement: int, member: Member, width: int) -> Affine:
        """The function of a statement of so many coordinates for these factors."""
        functions = self.functions[statement]
        factors = member.factors
        own = combined(factors, [each.parameters for each in functions], len(member.parameters))
        return Affine(
            member.constant + dot(factors, [each.constant for each in functions]),
            tuple(a + b for a, b in zip(member.parameters, own, strict=True)),
            combined(factors, [each.variables for each in functions], width),
        )


@record
class Member:
    """The solution for a unit: factors of its functions, of the parameters, and a constant."""

    factors: Vector
    parameters: Vector
    constant: int


def unit_of(node: Node, parameters: int, previous: tuple[Vector, ...]) -> Unit:
    """A statement by itself."""
    nothing = (0,) * parameters
    functions = tuple(Affine(0, nothing, row) for row in identity(node.dimensions))
    return Unit(node.dimensions, {node.number: functions}, previous)
