"""Random pieces of text for isl: conditions and quasi-affine expressions over given names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.execution.choices import Choices

PARAMETER_NAMES = ("N", "M")


@dataclass(frozen=True, slots=True)
class Statement:
    """A tuple with a name."""

    name: str
    dims: tuple[str, ...]

    def __str__(self) -> str:
        """As isl reads it."""
        return tuple_text(self.name, self.dims)


def tuple_text(name: str, dims: Sequence[str]) -> str:
    """A tuple as isl reads it."""
    return f"{name}[{', '.join(dims)}]"


def with_parameters(parameters: Sequence[str], content: str) -> str:
    """A set or map as isl reads it; the parameters are listed in one order or another."""
    listed = sorted(parameters, reverse=len(content) % 2 == 1)
    return f"[{', '.join(listed)}] -> {{ {content} }}"


def quasi_affine(choices: Choices, dims: Sequence[str], parameters: Sequence[str]) -> str:
    """A time in terms of an instance: shifted, scaled, skewed, divided, or a constant."""
    if not dims:
        constant = str(choices.integer(0, 3))
        use = bool(parameters) and choices.chance(10)
        return f"{choices.choose(parameters)} + {constant}" if use else constant
    first, second = choices.choose(dims), choices.choose(dims)
    shift = choices.integer(0, 3)
    factor = choices.integer(2, 4)
    forms = [
        first,
        str(shift),
        f"{first} + {shift}",
        f"-{first}",
        f"{factor}{first}",
        f"{factor}{first} + {shift}",
        f"{first} + {second}",
        f"{first} - {second}",
        f"2{first} + {second}",
        f"{factor}*floor({first}/{factor})",
        f"floor({first}/{factor})",
        f"({first}) mod {factor}",
        f"floor(({first} + {second})/2)",
        f"{factor}*floor(({first} + {shift})/2) - {second}",
        f"{first} - {factor}*floor({first}/{factor})",
    ]
    if parameters:
        name = choices.choose(parameters)
        forms += [f"{name} - {first}", f"{first} + {name}"]
    # The plain ones are what real schedules are made of.
    return choices.choose(forms if choices.chance(70) else forms[:4])


def condition(
    choices: Choices, dims: Sequence[str], names: Sequence[str], *, is_splitting: bool = False
) -> str:
    """A condition on names, of which some are dimensions.

    One that splits can be negated by isl: it has no existentials of its own.
    """
    first, second = choices.choose(dims), choices.choose(names)
    number = choices.integer(0, 4)
    factor = choices.integer(2, 4)
    forms = [
        f"{first} >= {number}",
        f"{first} <= {number}",
        f"{first} <= {second} + 1",
        f"{first} + {second} <= {number + 2}",
        f"({first}) mod {factor} = {number % factor}",
        f"{first} != {number}",
        f"({first} + {second}) mod {factor} <= 1",
        f"2{first} >= {second} + {number}",
        f"{first} = {number}",
        f"floor({first}/{factor}) + {second} <= {number}",
        f"{first} - {number} >= {factor}*floor({second}/{factor})",
    ]
    if not is_splitting:
        forms += [
            f"exists (e : {first} = {factor}e + {number})",
            f"exists (e : {first} = {factor}e + {second})",
            f"exists (e : {factor}e <= {first} <= {factor}e + 1)",
            f"exists (e : 2e >= {first} and 3e <= {second} + {number})",
            f"exists (e, f : {first} = 2e + 3f and 0 <= e <= {second} and 0 <= f <= 1)",
            f"({first} <= {number - 2} or {second} >= {number})",
        ]
    return choices.choose(forms)


def conjunction(choices: Choices, dims: Sequence[str], names: Sequence[str]) -> str:
    """One or two conditions."""
    parts = [condition(choices, dims, names) for _ in range(choices.choose((1, 1, 2)))]
    return " and ".join(parts)


def domain_conditions(choices: Choices, dims: Sequence[str], parameters: Sequence[str]) -> str:
    """A bounded union of polyhedra with holes, perhaps empty."""
    pieces = [_piece(choices, dims, parameters)]
    if choices.chance(20):
        pieces.append(_piece(choices, dims, parameters))
    return " or ".join(f"({piece})" for piece in pieces)


def _piece(choices: Choices, dims: Sequence[str], parameters: Sequence[str]) -> str:
    parts = [_bounds(choices, dims, position, parameters) for position in range(len(dims))]
    names = (*dims, *parameters)
    if names:
        chance = 35
        while len(parts) < 6 and choices.chance(chance):
            parts.append(condition(choices, names, names))
            chance = 25
    return " and ".join(parts) or "true"


def _bounds(choices: Choices, dims: Sequence[str], position: int, parameters: Sequence[str]) -> str:
    """A finite range for a dimension, in terms of parameters and of the dimensions before it."""
    dim, before = dims[position], dims[:position]
    low = str(choices.choose((0, 0, 0, 1, -2)))
    # Three dimensions up to a parameter are more instances than a check in milliseconds allows.
    size = choices.integer(2, 5 if len(dims) < 3 else 3)
    uppers = [f"{low} + {size}", f"{low} + {size}", f"{low} + {size}"]
    if parameters and position < 2:
        name = choices.choose(parameters)
        uppers += [f"{name} - 1", name, f"{name} - 1"]
    if before:
        other = choices.choose(before)
        uppers.append(f"{other} + 1")
        if choices.chance(20):
            return f"{other} <= {dim} <= {other} + {size}"
    return f"{low} <= {dim} <= {choices.choose(uppers)}"
