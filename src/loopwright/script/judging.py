"""Is the order that a script makes a correct one (Loopy §4.1)?

Only the order after the last step is asked about: dependences may be broken on the way and mended
later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.dependence.legality import respects, violations
from loopwright.dependence.loops import carried_by
from loopwright.dependence.witnesses import witness
from loopwright.model.dependences import Dependence, Dependences, Kind
from loopwright.model.pragma_marks import VECTOR
from loopwright.polyhedra.samples import smallest_pair
from loopwright.polyhedra.schedule_trees import bands_below
from loopwright.script.interpreter import Mark, Run
from loopwright.script.strips import with_whole_strips_apart
from loopwright.script.timetable import LoopMark, Piece, Timetable, tree_of

PRAGMAS = {"parallel": "omp parallel for", "vector": VECTOR}
BROKEN = "from this step on, the script does not run them in this order"
SAME_TIME = "give them iterations or positions of their own"


@record(eq=False)
class Ordered:
    """The tree of a script, with its marks, and the variables that parallel loops need apart.

    ``wrong`` says what is not correct; then nothing else is to be relied on.
    """

    tree: isl.Schedule
    private: dict[str, tuple[str, ...]]
    wrong: tuple[Diagnostic, ...]
    told: tuple[str, ...] = ()
    """What was done."""


def judged(run: Run, start: Timetable, found: Dependences) -> Ordered:
    """The order that a script makes, and what is wrong with it."""
    tree = tree_of(run.table)
    twice = next(_at_the_same_time(run.table), None)
    if twice is not None:
        span = _broken_at(run, start, lambda table: not any(_at_the_same_time(table)))
        return Ordered(tree, {}, (Diagnostic("LW817", twice, span, SAME_TIME),))
    broken = violations(tree, found)
    if broken:
        span = _broken_at(run, start, lambda table: respects(tree_of(table), found))
        told = [Diagnostic("LW816", str(each.witness), span, BROKEN) for each in broken]
        return Ordered(tree, {}, tuple(told))
    return _with_marks(run, found)


def _broken_at(run: Run, start: Timetable, is_fine: Callable[[Timetable], bool]) -> Span:
    """The step after which it was never fine again; at the start it is."""
    tables = [start, *(each.table for each in run.steps)]
    steps = zip(reversed(tables[:-1]), reversed(run.steps), strict=True)
    return next(step.step.span for before, step in steps if is_fine(before))


def _at_the_same_time(table: Timetable) -> Iterator[str]:
    """Instances that would run at the same time, a pair of each two statements."""
    for first, second in combinations_with_replacement(table.pieces, 2):
        if first.positions != second.positions:
            continue
        together = first.times.apply_range(second.times.reverse())
        if first.domain.get_space().is_equal(second.domain.get_space()):
            together = together - isl.Map.identity(together.get_space())
        if not together.is_empty():
            pair = smallest_pair(together)
            left, right = _instance(first, pair.source), _instance(second, pair.sink)
            yield f"{left} and {right} would run at the same time"


def _instance(piece: Piece, iteration: tuple[int, ...]) -> str:
    names = piece.domain.get_var_names(isl.dim_type.set)
    values = [f"{name} = {value}" for name, value in zip(names, iteration, strict=True)]
    return f"{piece.statement} at ({', '.join(values)})"


# --- marks ----------------------------------------------------------------------------------------


def _with_marks(run: Run, found: Dependences) -> Ordered:
    """The tree with its marks; each parallel or vector loop must carry nothing."""
    wanted = [
        LoopMark(each.level, run.table.components[each.component], _name(at, each))
        for at, each in enumerate(run.marks)
    ]
    tree = with_whole_strips_apart(tree_of(run.table, wanted))
    private: dict[str, tuple[str, ...]] = {}
    wrong: list[Diagnostic] = []
    for at, mark in enumerate(run.marks):
        if mark.what not in PRAGMAS:
            continue
        loops = _loops_of(tree, _name(at, mark))
        carried = [each for loop in loops for each in carried_by(loop, found)]
        own = [each for each in carried if mark.what == "parallel" and _is_own(each, found)]
        private[_name(at, mark)] = tuple(dict.fromkeys(each.array for each in own))
        rest = [each for each in carried if each not in own]
        if any(_is_inside_of_vectors(each) for each in loops):
            wrong.append(Diagnostic("LW818", IN_VECTORS, mark.span, "mark only one of them"))
        elif rest:
            text = f"this loop cannot be {ADJECTIVES[mark.what]}: {witness(rest[0], found.scop)}"
            wrong.append(Diagnostic("LW818", text, mark.span, ONE_BY_ONE))
    return Ordered(tree, private, tuple(wrong), tuple(each.told for each in run.steps))


IN_VECTORS = "this loop is inside of a vector loop, and cannot be marked itself"
ADJECTIVES = {"parallel": "parallel", "vector": "a vector loop"}
ONE_BY_ONE = "its iterations have to run one by one; mark another loop"


def _name(at: int, mark: Mark) -> str:
    pragma = PRAGMAS.get(mark.what, "")
    return f"{pragma} #{at}" if mark.what == "parallel" else pragma


def _is_own(edge: Dependence, found: Dependences) -> bool:
    """Is it about a variable of the region, of which each iteration can have one?"""
    return edge.kind is not Kind.FLOW and found.scop.array(edge.array).is_local


def _is_inside_of_vectors(loop: isl.ScheduleNode) -> bool:
    """Is there a vector loop around it, other than itself?"""
    node = loop.parent()
    while node.get_type() == isl.schedule_node_type.mark:
        node = node.parent()
    while node.has_parent():
        is_mark = node.get_type() == isl.schedule_node_type.mark
        if is_mark and str(node.mark_get_id().get_name()) == VECTOR:
            return True
        node = node.parent()
    return False


def _loops_of(tree: isl.Schedule, name: str) -> list[isl.ScheduleNode]:
    """The loops under the marks of that name."""
    found: list[isl.ScheduleNode] = []

    def look(node: isl.ScheduleNode) -> bool:
        is_mark = node.get_type() == isl.schedule_node_type.mark
        if is_mark and str(node.mark_get_id().get_name()) == name:
            found.append(bands_below(node)[0])
        return True

    tree.get_root().foreach_descendant_top_down(look)
    return found
