"""A lattice Boltzmann solver of the shape of Listing 28 (PPCG §7.4, Example 25), as C text.

A sequential loop over time steps around three parallel loops over the sites; a bit mask built under
affine conditions; an if on the mask, which is not known statically, that bounces distributions back
at the walls; and then dozens of statements on local scalars that relax the distributions towards
equilibrium.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent

Velocity = tuple[int, int, int]

D3Q7: tuple[Velocity, ...] = (
    (0, 0, 0),
    *((sign, 0, 0) for sign in (1, -1)),
    *((0, sign, 0) for sign in (1, -1)),
    *((0, 0, sign) for sign in (1, -1)),
)
"""The site itself and its six neighbours."""

D3Q19: tuple[Velocity, ...] = (
    *D3Q7,
    *((a, b, 0) for a in (1, -1) for b in (1, -1)),
    *((a, 0, b) for a in (1, -1) for b in (1, -1)),
    *((0, a, b) for a in (1, -1) for b in (1, -1)),
)
"""The same and the twelve neighbours along the diagonals of the planes."""

WALLS = ("x == SIZE - 1", "x == 0", "y == SIZE - 1", "y == 0", "z == SIZE - 1", "z == 0")


def lbm(velocities: Sequence[Velocity], *, size: int = 128, steps: int = 100) -> str:
    """The program for a set of velocities that has the opposite of each."""
    lines = [*_declarations(len(velocities)), *_mask(), *_arriving(velocities)]
    lines += [*_moments(velocities), *_relaxed(velocities), *_stored(velocities)]
    body = indent("\n".join(lines), 20 * " ")
    return f"""enum {{ SIZE = {size}, STEPS = {steps} }};
void lbm(double lattices[2][SIZE][SIZE][SIZE][{len(velocities)}])
{{
#pragma scop
    for (unsigned step = 0; step < STEPS; step++)
        for (unsigned z = 0; z < SIZE; z++)
            for (unsigned y = 0; y < SIZE; y++)
                for (unsigned x = 0; x < SIZE; x++) {{
{body}
                }}
#pragma endscop
}}
"""


def _declarations(count: int) -> list[str]:
    names = [f"f{at}" for at in range(count)] + ["rho", "jx", "jy", "jz", "energy"]
    return [f"double {', '.join(names)};", "int g = 0;"]


def _mask() -> list[str]:
    return [f"if ({wall}) g = g | {1 << at};" for at, wall in enumerate(WALLS)]


def _arriving(velocities: Sequence[Velocity]) -> list[str]:
    opposite = {v: at for at, v in enumerate(velocities)}
    lines = ["f0 = lattices[step % 2][z][y][x][0];", "if (g & 63) {"]
    for at, (a, b, c) in enumerate(velocities[1:], start=1):
        lines.append(f"f{at} = lattices[step % 2][z][y][x][{opposite[-a, -b, -c]}];")
    lines.append("} else {")
    for at, (a, b, c) in enumerate(velocities[1:], start=1):
        lines.append(f"f{at} = lattices[step % 2][z - {c}][y - {b}][x - {a}][{at}];")
    return [line.replace("- -", "+ ").replace(" - 0", "") for line in lines] + ["}"]


def _moments(velocities: Sequence[Velocity]) -> list[str]:
    everywhere = " + ".join(f"f{at}" for at in range(len(velocities)))
    lines = [f"rho = {everywhere};"]
    for axis, name in enumerate(("jx", "jy", "jz")):
        terms = [(v[axis], f"f{at}") for at, v in enumerate(velocities)]
        lines.append(f"{name} = {_sum(terms)};")
    lines += [f"{name} = {name} / rho;" for name in ("jx", "jy", "jz")]
    return [*lines, "energy = 1.0 - 1.5 * (jx * jx + jy * jy + jz * jz);"]


def _relaxed(velocities: Sequence[Velocity]) -> list[str]:
    lines: list[str] = []
    for at, velocity in enumerate(velocities):
        along = _sum(list(zip(velocity, ("jx", "jy", "jz"), strict=True)))
        goal = f"energy + 3.0 * ({along}) + 4.5 * ({along}) * ({along})"
        lines.append(f"f{at} = f{at} + 0.75 * (rho * {_weight(velocity)} * ({goal}) - f{at});")
    return lines


def _sum(terms: Sequence[tuple[int, str]]) -> str:
    signs = {1: "+", -1: "-"}
    return " ".join(f"{signs[factor]} {name}" for factor, name in terms if factor) or "0.0"


def _weight(velocity: Velocity) -> str:
    return ("(1.0 / 3.0)", "(1.0 / 18.0)", "(1.0 / 36.0)")[sum(map(abs, velocity))]


def _stored(velocities: Sequence[Velocity]) -> list[str]:
    return [f"lattices[(step + 1) % 2][z][y][x][{at}] = f{at};" for at in range(len(velocities))]
