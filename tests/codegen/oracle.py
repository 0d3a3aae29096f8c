"""What a schedule says, instance by instance, and whether generated loops do just that.

The schedule tree is walked with numbers for the parameters: every instance is carried down to the
leaves and collects its time on the way.  No set is projected and no bound is computed, so that
nothing here can be wrong in the way in which a generator can be wrong.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import islpy as isl

from loopwright.codegen.interpretation import Visit, visits
from loopwright.model.loop_ast import LoopAst

from .conversion import loop_ast_from_isl as loop_ast_from_isl

SET, PARAM, IN, OUT = (
    isl.dim_type.set,
    isl.dim_type.param,
    isl.dim_type.in_,
    isl.dim_type.out,
)

Parameters = Mapping[str, int]
Scheduled = isl.Schedule | isl.UnionMap


@dataclass(frozen=True, slots=True)
class Step:
    """One component of a time; without an order, different values may come as they like."""

    value: int
    is_ordered: bool = True

    def __str__(self) -> str:
        """A number, or which child of a set node."""
        return str(self.value) if self.is_ordered else f"any:{self.value}"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An instance, the values of the bands around it, and when it runs."""

    instance: Visit
    outer: tuple[int, ...] = ()
    time: tuple[Step, ...] = ()

    def at(self, *steps: Step) -> Occurrence:
        """The same, at a more precise time."""
        return replace(self, time=self.time + steps)

    def __str__(self) -> str:
        """As an instance with its time."""
        name, values = self.instance
        when = ", ".join(map(str, self.time))
        return f"{name}({', '.join(map(str, values))}) at [{when}]"


Walker = Callable[[isl.ScheduleNode, Sequence[Occurrence], Parameters], Iterator[Occurrence]]
"""From what arrives at a node to what arrives at its child."""


# --- numbers instead of sets --------------------------------------------------------------------


def fixed(parameters: Parameters) -> isl.Set:
    """The parameters with these values."""
    values = " and ".join(f"{name} = {value}" for name, value in parameters.items())
    return isl.Set(f"[{', '.join(parameters)}] -> {{ : {values or 'true'} }}")


def pieces(union: isl.UnionSet | isl.UnionMap) -> list:
    """The sets or maps of a union."""
    found: list[isl.Set | isl.Map] = []
    each = union.foreach_set if isinstance(union, isl.UnionSet) else union.foreach_map
    each(found.append)
    return found


def points(wanted: isl.Set) -> list[tuple[int, ...]]:
    """All of them; the parameters must be fixed."""
    assert wanted.is_bounded(), f"endlessly many points: {wanted}"
    found: list[tuple[int, ...]] = []
    count = wanted.dim(SET)

    def collect(point: isl.Point) -> None:
        found.append(tuple(point.get_coordinate_val(SET, k).to_python() for k in range(count)))

    wanted.foreach_point(collect)
    return found


def name_of(space: isl.Space, kind: isl.dim_type) -> str:
    """The name of a tuple, or nothing."""
    return space.get_tuple_name(kind) if space.has_tuple_name(kind) else ""


def instances(domain: isl.UnionSet, parameters: Parameters) -> list[Visit]:
    """All instances in a union of sets."""
    found = pieces(domain.intersect_params(fixed(parameters)))
    return [(name_of(each.space, SET), point) for each in found for point in points(each)]


def valued(function: isl.PwAff, parameters: Parameters) -> Callable[[tuple[int, ...]], int | None]:
    """The function on numbers; none where it is not defined."""
    space = function.get_domain_space()
    origin = isl.Point.zero(space)
    for position in range(space.dim(PARAM)):
        name = str(space.get_dim_name(PARAM, position))
        origin = origin.set_coordinate_val(PARAM, position, isl.Val(parameters[name]))

    def value(arguments: tuple[int, ...]) -> int | None:
        point = origin
        for position, argument in enumerate(arguments):
            point = point.set_coordinate_val(SET, position, isl.Val(argument))
        found = function.eval(point)
        return None if found.is_nan() else found.to_python()

    return value


def is_element(wanted: isl.Set, parameters: Parameters) -> Callable[[tuple[int, ...]], bool]:
    """Membership on numbers."""
    value = valued(wanted.indicator_function(), parameters)
    return lambda point: value(point) == 1


def image(relation: isl.UnionMap, source: Visit, parameters: Parameters) -> list[Visit]:
    """What a relation maps an instance to."""
    name, values = source
    found: list[Visit] = []
    for each in pieces(relation):
        if name_of(each.space, IN) != name or each.dim(IN) != len(values):
            continue
        piece = each.intersect_params(fixed(parameters))
        for position, value in enumerate(values):
            piece = piece.fix_val(IN, position, isl.Val(value))
        found += [(name_of(each.space, OUT), point) for point in points(piece.range())]
    return found


# --- the walk -----------------------------------------------------------------------------------


def expected(
    schedule: Scheduled, parameters: Parameters, *, is_definite: bool = False
) -> list[Occurrence]:
    """Everything that a schedule wants to run, with its time.

    With ``is_definite``, it is an assertion that the schedule leaves no doubt about that.

    >>> for each in expected(isl.UnionMap("{ S[i] -> [i, j] : 0 <= i, j < 2 and i != j }"), {}):
    ...     print(each)
    S(0) at [0, 1]
    S(1) at [1, 0]
    """
    if isinstance(schedule, isl.UnionMap):
        return _expected_of_map(schedule, parameters)
    root = schedule.get_root()
    domain = root.domain_get_domain()
    active = [Occurrence(each) for each in instances(domain, parameters)]
    steps = DEFINITE_STEPS if is_definite else STEPS
    return _walk(root.child(0), active, parameters, steps)


def _expected_of_map(schedule: isl.UnionMap, parameters: Parameters) -> list[Occurrence]:
    found: list[Occurrence] = []
    for each in pieces(schedule.intersect_params(fixed(parameters))):
        name, size = name_of(each.space, IN), each.dim(IN)
        for point in points(each.wrap()):
            time = tuple(map(Step, point[size:]))
            found.append(Occurrence((name, point[:size]), point[size:], time))
    return found


def _walk(
    node: isl.ScheduleNode,
    active: Sequence[Occurrence],
    parameters: Parameters,
    steps: Mapping[str, Walker],
) -> list[Occurrence]:
    kind = isl.schedule_node_type(node.get_type()).name
    if kind == "leaf":
        return list(active)
    if kind in {"sequence", "set"}:
        found: list[Occurrence] = []
        for position in range(node.n_children()):
            step = Step(position, is_ordered=kind == "sequence")
            child = [each.at(step) for each in active]
            found += _walk(node.child(position), child, parameters, steps)
        return found
    inside = list(steps[kind](node, active, parameters))
    return _walk(node.child(0), inside, parameters, steps)


def _band(
    node: isl.ScheduleNode, active: Sequence[Occurrence], parameters: Parameters
) -> Iterator[Occurrence]:
    partial = node.band_get_partial_schedule()
    members: list[dict[tuple[str, int], Callable[[tuple[int, ...]], int | None]]] = []
    for position in range(node.band_n_member()):
        functions: list[isl.PwAff] = []
        partial.get_union_pw_aff(position).foreach_pw_aff(functions.append)
        members.append(
            {
                (name_of(each.get_domain_space(), SET), each.dim(IN)): valued(each, parameters)
                for each in functions
            }
        )
    for each in active:
        name, values = each.instance
        functions_here = [member.get((name, len(values))) for member in members]
        times = [function and function(values) for function in functions_here]
        known = [time for time in times if time is not None]
        assert len(known) == len(times), f"{each} has no time in {partial}"
        yield replace(each.at(*map(Step, known)), outer=(*each.outer, *known))


def _filter(
    node: isl.ScheduleNode, active: Sequence[Occurrence], parameters: Parameters
) -> Iterator[Occurrence]:
    kept = {
        (name_of(each.space, SET), each.dim(SET)): is_element(each, parameters)
        for each in pieces(node.filter_get_filter())
    }
    for each in active:
        name, values = each.instance
        holds = kept.get((name, len(values)))
        if holds is not None and holds(values):
            yield each


def _guard(
    node: isl.ScheduleNode, active: Sequence[Occurrence], parameters: Parameters
) -> Iterator[Occurrence]:
    holds = is_element(node.guard_get_guard(), parameters)
    return (each for each in active if holds(each.outer))


def _context(
    node: isl.ScheduleNode, active: Sequence[Occurrence], parameters: Parameters
) -> Iterator[Occurrence]:
    holds = is_element(node.context_get_context(), parameters)
    for each in active:
        assert holds(each.outer), f"{dict(parameters)} contradict the context around {each}"
        yield each


def _expansion(
    node: isl.ScheduleNode, active: Sequence[Occurrence], parameters: Parameters
) -> Iterator[Occurrence]:
    relation = node.expansion_get_expansion()
    for each in active:
        for instance in image(relation, each.instance, parameters):
            yield replace(each, instance=instance)


def _extension(
    node: isl.ScheduleNode, active: Sequence[Occurrence], parameters: Parameters
) -> Iterator[Occurrence]:
    """What is added runs once wherever the bands around lead to something that is there."""
    yield from active
    relation = node.extension_get_extension()
    times = {each.outer: each.time for each in active}
    # Below different children of a sequence, the same values of the bands are different times;
    # but the walk has come through one child only.
    for outer, time in times.items():
        for instance in image(relation, ("", outer), parameters):
            yield Occurrence(instance, outer, time)


STEPS: dict[str, Walker] = {
    "band": _band,
    "filter": _filter,
    "guard": _guard,
    "context": _context,
    "expansion": _expansion,
    "extension": _extension,
    "mark": lambda node, active, parameters: iter(active),
}


def _definite_extension(
    node: isl.ScheduleNode, active: Sequence[Occurrence], parameters: Parameters
) -> Iterator[Occurrence]:
    """What is added, if it is added only where something is there already.

    Elsewhere it is not defined whether it runs: it does if the loops around happen to pass there.
    """
    where = node.extension_get_extension().domain().intersect_params(fixed(parameters))
    there = {each.outer for each in active}
    for piece in pieces(where):
        is_definite = piece.is_bounded() and there.issuperset(points(piece))
        assert is_definite, f"it is not defined when {node.extension_get_extension()} runs"
    return _extension(node, active, parameters)


DEFINITE_STEPS = {**STEPS, "extension": _definite_extension}


# --- the comparison -----------------------------------------------------------------------------


def timed(visited: Sequence[Visit], wanted: Sequence[Occurrence]) -> list[Occurrence]:
    """The visits with their times; an instance that runs several times runs in time order."""
    times: dict[Visit, list[Occurrence]] = defaultdict(list)
    for each in wanted:
        times[each.instance].append(each)
    for same in times.values():
        assert len({_unordered(each) for each in same}) == 1, f"incomparable: {same}"
        same.sort(key=lambda each: [step.value for step in each.time], reverse=True)
    return [times[each].pop() for each in visited]


def _unordered(occurrence: Occurrence) -> tuple[Step, ...]:
    return tuple(step for step in occurrence.time if not step.is_ordered)


def disorder(run: Sequence[Occurrence], depth: int = 0) -> tuple[Occurrence, Occurrence] | None:
    """Two occurrences in the wrong order, if there are any.

    At the first component in which two times differ, the smaller one comes first, or any.
    """
    if len(run) < 2 or len(run[0].time) == depth:
        return None
    if run[0].time[depth].is_ordered:
        for first, second in pairwise(run):
            if first.time[depth].value > second.time[depth].value:
                return first, second
    groups: dict[int, list[Occurrence]] = defaultdict(list)
    for each in run:
        groups[each.time[depth].value].append(each)
    return next(filter(None, (disorder(group, depth + 1) for group in groups.values())), None)


def complaint(visited: Sequence[Visit], wanted: Sequence[Occurrence]) -> str | None:
    """What is wrong with a run of loops, if anything."""
    ran = Counter(visited)
    due = Counter(each.instance for each in wanted)
    if ran != due:
        missing, extra = due - ran, ran - due
        return f"missing: {_listed(missing)}\nextra: {_listed(extra)}"
    wrong = disorder(timed(visited, wanted))
    return None if wrong is None else f"wrong order: {wrong[0]} runs before {wrong[1]}"


def _listed(instances: Counter[Visit]) -> str:
    shown = [f"{name}{values}" for name, values in list(instances.elements())[:8]]
    return ", ".join(shown) + (" ..." if instances.total() > 8 else "") or "none"


class Violation(AssertionError):
    """Loops that do not do what the schedule says."""


def check(
    schedule: Scheduled,
    parameters: Parameters,
    ast: LoopAst,
    *,
    wanted: Sequence[Occurrence] | None = None,
    about: object = "",
    most: int = 200_000,
) -> None:
    """Law 1: the loops visit what the schedule says, as often as it says, in a compatible order.

    ``wanted`` is what :func:`expected` has found before, ``about`` is shown when it fails.
    """
    due = expected(schedule, parameters) if wanted is None else wanted
    try:
        wrong = complaint(visits(ast, parameters, most=most), due)
    except AssertionError as error:
        wrong = f"while running: {error}"
    if wrong is not None:
        inputs = f"{schedule}\n{about}" if about else f"{schedule}"
        raise Violation(f"{wrong}\nparameters: {dict(parameters)}\n{inputs}\n\n{ast.to_c()}")
