"""How much code overhead is worth (multiple mappings §7): as little of it as the size allows.

Overhead inside many loops is removed first.  What cannot be had within the limits, on copies of
statements and on time, is left out, and the code is still right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import floor, inf, isinf

from loopwright.basics.diagnostics import InputError
from loopwright.basics.records import record
from loopwright.codegen.options import AstOptions
from loopwright.codegen.overhead import overhead_depth, overheads
from loopwright.codegen.quality import static_quality
from loopwright.codegen.stock import UNLIMITED
from loopwright.model.loop_ast import LoopAst

SHARE_FOR_LIFTING = 2
"""Lifting may take this part of the operations that the whole may take."""


@record
class Trial:
    """Loops that were generated under some limit."""

    ast: LoopAst
    is_complete: bool
    """Has the limit changed nothing?"""


def with_little_overhead(
    generated: Callable[[AstOptions, int], Trial], options: AstOptions
) -> LoopAst:
    """The loops with no more overhead than the options ask for, as far as that is possible.

    ``generated`` makes the loops with at most so many copies of statements more than there would be
    without any lifting.
    """
    plain = generated(replace(options, overhead_depth=None), UNLIMITED).ast
    wanted = options.overhead_depth
    if wanted is None:
        return plain
    initial = static_quality(plain).copies
    growth = options.max_growth if options.max_growth is not None else inf
    copies = UNLIMITED if isinf(growth) else min(UNLIMITED, floor(growth * initial)) - initial
    deepest = max((each.depth for each in overheads(plain.root)), default=0)
    operations = max(options.max_operations // SHARE_FOR_LIFTING, 1)
    limited = replace(options, max_operations=operations)
    found = [plain]
    for depth in _depths(wanted, deepest):
        trial = _tried(generated, replace(limited, overhead_depth=depth), copies)
        # Without disjunctions, conditions are copied as well, which nobody counts on the way.
        if trial is not None and static_quality(trial.ast).copies <= initial + copies:
            found.append(trial.ast)
        if depth == wanted and (overhead_depth(found[-1]) or 0) <= wanted:
            break
        if depth > wanted and (trial is None or not trial.is_complete):
            break
    return min(found, key=lambda ast: _profile(ast, deepest))


def _depths(wanted: int, deepest: int) -> list[int]:
    """What is wanted; where that is too much, from the deepest overhead outward, until it is."""
    return [wanted, *range(deepest - 1, wanted, -1)] if wanted < deepest else []


def _tried(
    generated: Callable[[AstOptions, int], Trial], options: AstOptions, copies: int
) -> Trial | None:
    """The loops, unless they are too complex or too many."""
    try:
        return generated(options, copies)
    except InputError:
        return None


def _profile(ast: LoopAst, deepest: int) -> tuple[int, ...]:
    """How many things are decided inside how many loops, the deepest first.

    What is decided in several copies of the same code counts once.
    """
    decided = {(each.depth, each.tests) for each in overheads(ast.root)}
    counts = Counter(depth for depth, _ in decided)
    return tuple(counts[depth] for depth in range(max(deepest, *counts, 0), -1, -1))
