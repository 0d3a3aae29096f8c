"""Random inputs as "Code generation for multiple mappings" has them: each statement its own map.

The maps are one-to-one, as the paper wants them: blocked by integer divisions, with negative steps,
and with strides that do not fit together.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import islpy as isl

from tests.execution.choices import Choices

from .random_sets import Statement, with_parameters
from .random_trees import Case, SeededChoices

PARAMETERS = ("N",)
LARGEST = 7


def seeded_mappings(seed: int) -> Case:
    """The input of a seed."""
    return random_mappings(SeededChoices(random.Random(seed)))


def random_mappings(choices: Choices) -> Case:
    """Two to four statements, with times of one length."""
    count = choices.choose((2, 2, 3, 4))
    length = choices.choose((1, 2, 2, 3))
    pieces: list[tuple[Statement, list[str], str]] = []
    for number in range(count):
        dims = tuple(f"i{at}" for at in range(choices.choose((1, 2, 2, 3) if length > 1 else (1,))))
        statement = Statement(f"S{number}", dims)
        times = [_component(choices, dims) for _ in range(length)]
        pieces.append((statement, times, _domain(choices, dims)))
    _make_injective(pieces)
    texts = [
        f"{statement} -> [{', '.join(times)}] : {domain}" for statement, times, domain in pieces
    ]
    text = with_parameters(PARAMETERS, "; ".join(texts))
    values = tuple((("N", choices.integer(0, LARGEST)),) for _ in range(3))
    return Case(text, True, "[N] -> { : N >= 0 }", (), values)


def _component(choices: Choices, dims: Sequence[str]) -> str:
    """One mapping component."""
    dim, other = choices.choose(dims), choices.choose(dims)
    shift, block, step = choices.integer(0, 2), choices.integer(2, 4), choices.integer(2, 3)
    forms = [
        dim,
        dim,
        f"{dim} + {shift}",
        str(shift),
        f"{block}*floor({dim}/{block})",
        f"{block}*floor(({dim} + {shift})/{block}) + 1",
        f"floor({dim}/{block})",
        f"-{dim}",
        f"N - {dim}",
        f"{step}{dim} + {shift}",
        f"{dim} + {other}",
    ]
    return choices.choose(forms)


def _domain(choices: Choices, dims: Sequence[str]) -> str:
    """A convex domain, some of it triangular."""
    parts: list[str] = []
    for position, dim in enumerate(dims):
        before = dims[:position]
        lowers = ["0", "0", "1", *(f"{other} + 1" for other in before), *before]
        uppers = ["N - 1", "N - 1", "N", "3", *(f"{other}" for other in before)]
        parts.append(f"{choices.choose(lowers)} <= {dim} <= {choices.choose(uppers)}")
    return " and ".join(parts)


def _make_injective(pieces: list[tuple[Statement, list[str], str]]) -> None:
    """Iterators are added to the times until no two instances of a statement run at once."""
    for statement, times, domain in pieces:
        for dim in statement.dims:
            relation = isl.Map(f"[N] -> {{ {statement} -> [{', '.join(times)}] : {domain} }}")
            if relation.is_injective():
                break
            times.append(dim)
    longest = max(len(times) for _, times, _ in pieces)
    for _, times, _ in pieces:
        times += ["0"] * (longest - len(times))
