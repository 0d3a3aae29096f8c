"""Random schedule constraints, and random programs, to be scheduled.

Pairs of instances are made from shifts and from elements that both ends touch, and kept only in the
order of a hidden schedule, so that there always is a schedule that respects them.  Every decision
is drawn from :class:`~tests.execution.choices.Choices`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace

import islpy as isl

from loopwright import ScheduleConstraints, SchedulerOptions
from loopwright.polyhedra.limits import OutOfOperations, limited
from loopwright.polyhedra.unions import joined
from loopwright.scheduling.options import ISL, PPCG
from tests.codegen.random_sets import Statement, domain_conditions, with_parameters
from tests.codegen.random_trees import SeededChoices
from tests.dependence.programs import random_program
from tests.execution.choices import Choices

RELATIONS = ("validity", "proximity", "coincidence", "condition", "conditional_validity")
FLAGS = tuple(each.name for each in fields(SchedulerOptions) if isinstance(each.default, bool))
FALLBACKS = ("feautrier", "wavefront", "original", "single", "validity")

MOST_OPERATIONS = 200_000
SEEDS_APART = 1_000_000_007


@dataclass(frozen=True, slots=True)
class Case:
    """Constraints as text, or a program, and how to schedule it."""

    domain: str = ""
    relations: tuple[tuple[str, str], ...] = ()
    """The name of each kind of constraint and its pairs."""
    context: str = "{ : }"
    program: str = ""
    """A program in C; then there are no constraints of its own."""
    live_range_reordering: bool = True
    options: SchedulerOptions = field(default_factory=SchedulerOptions)

    def constraints(self) -> ScheduleConstraints:
        """The constraints, freshly read."""
        given = {name: isl.UnionMap(text) for name, text in self.relations}
        return ScheduleConstraints(
            isl.UnionSet(self.domain), context=isl.Set(self.context), **given
        )

    def __str__(self) -> str:
        """As Python, to paste into a test."""
        chosen = ", ".join(
            f"{each.name}={getattr(self.options, each.name)!r}"
            for each in fields(SchedulerOptions)
            if getattr(self.options, each.name) != each.default
        )
        if self.program:
            how = f"live_range_reordering={self.live_range_reordering}, options: {chosen}"
            return f"// {how}\n{self.program}"
        lines = [f'    isl.UnionSet("{self.domain}"),']
        lines += [f'    {name}=isl.UnionMap("{text}"),' for name, text in self.relations]
        if self.context != "{ : }":
            lines.append(f'    context=isl.Set("{self.context}"),')
        asked = "\n".join(["ScheduleConstraints(", *lines, ")"])
        return f"schedule({asked}, SchedulerOptions({chosen}))"


def made_case(choices: Choices) -> Case:
    """A case from decisions."""
    options = random_options(choices)
    if choices.chance(20):
        text = random_program(choices).replace("@", "_0")
        return Case(program=text, live_range_reordering=not choices.chance(35), options=options)
    return replace(_Maker(choices).case(), options=options)


def seeded_case(seed: int) -> Case:
    """The case of a seed; one that takes long to write down is passed over.

    >>> seeded_case(3) == seeded_case(3)
    True
    """
    while True:
        try:
            with limited(MOST_OPERATIONS):
                return made_case(SeededChoices(random.Random(seed)))
        except OutOfOperations:
            seed += SEEDS_APART


def random_options(choices: Choices) -> SchedulerOptions:
    """A preset, or one with some of its switches turned."""
    options = choices.choose((PPCG, ISL))
    if not choices.chance(60):
        return options
    turned = {name: not getattr(options, name) for name in FLAGS if choices.chance(15)}
    limits: dict[str, int] = {}
    if choices.chance(10):
        limits["max_coefficient"] = choices.integer(1, 5)
    if choices.chance(10):
        limits["max_constant_term"] = choices.choose((10, 3, 0))
    fallback = choices.choose(FALLBACKS) if choices.chance(15) else options.fallback
    return replace(options, fallback=fallback, **turned, **limits)


@dataclass(frozen=True, slots=True)
class Reference:
    """A use of an array by a statement."""

    statement: Statement
    array: str
    subscripts: tuple[str, ...]
    tag: str

    def by_element(self, parameters: Sequence[str]) -> isl.UnionMap:
        """From tagged instances to elements."""
        element = f"{self.array}[{', '.join(self.subscripts)}]"
        return isl.UnionMap(
            with_parameters(parameters, f"[{self.statement} -> {self.tag}[]] -> {element}")
        )


class _Maker:
    """Makes one case."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.parameters = ("n", "m")[: choices.choose((1, 0, 1, 2))]
        number = choices.choose((1, 2, 2, 3, 4))
        self.statements = tuple(self._statement(at) for at in range(number))
        self.domain = isl.UnionSet(
            self._text("; ".join(f"{each} : {self._where(each)}" for each in self.statements))
        )
        self.times = isl.MultiUnionPwAff.from_union_map(
            isl.UnionMap(self._text("; ".join(map(self._time, self.statements))))
        )
        self.references: list[Reference] = []

    def _text(self, content: str) -> str:
        return with_parameters(self.parameters, content)

    def case(self) -> Case:
        """The constraints of all kinds."""
        choices = self.choices
        validity = self._in_order(self._few_pairs())
        found: dict[str, isl.UnionMap] = {}
        if choices.chance(45):
            flow, order = self._live_ranges()
            found = {"condition": flow, "conditional_validity": order}
            if choices.chance(85):
                validity = validity.union(_untagged(flow))
            if choices.chance(30):
                found["coincidence"] = validity.union(_untagged(order))
        found["validity"] = validity
        found.setdefault("coincidence", self._near(validity))
        found["proximity"] = self._near(validity)
        relations = [(name, found[name].coalesce()) for name in RELATIONS if name in found]
        return Case(
            str(self.domain),
            tuple((name, str(pairs)) for name, pairs in relations if not pairs.is_empty()),
            context=self._context(),
        )

    def _context(self) -> str:
        if not self.parameters or not self.choices.chance(50):
            return "{ : }"
        first, last = self.parameters[0], self.parameters[-1]
        forms = (f"{first} >= 1", f"{first} >= 4", f"2{first} >= {last}", f"0 <= {last} <= 5")
        return self._text(f": {self.choices.choose(forms)}")

    # Statements

    def _statement(self, position: int) -> Statement:
        dims = ("i", "j", "k")[: self.choices.choose((1, 2, 2, 3, 1, 2, 3, 0))]
        return Statement(f"S{position}", dims)

    def _where(self, statement: Statement) -> str:
        if self.choices.chance(20):
            return domain_conditions(self.choices, statement.dims, self.parameters)
        sizes = [*self.parameters, "7", "20"]
        parts: list[str] = []
        for position, dim in enumerate(statement.dims):
            low, high = "0", self.choices.choose(sizes)
            if position and self.choices.chance(25):
                other = statement.dims[self.choices.integer(0, position - 1)]
                low, high = self.choices.choose(
                    ((other, high), (low, other), (other, f"{other}+1"))
                )
            parts.append(f"{low} <= {dim} < {high}")
        return " and ".join(parts) or "true"

    def _time(self, statement: Statement) -> str:
        """A hidden time: loops in some order, perhaps skewed or reversed, among constants."""
        rest = list(statement.dims)
        loops: list[str] = []
        while rest:
            own = rest.pop(0 if not self.choices.chance(30) else -1)
            sign = "-" if self.choices.chance(10) else ""
            skew = [f"{self.choices.choose((1, 2))} * ({each})" for each in loops]
            loops.append(" + ".join([sign + own, *skew[: self.choices.chance(20)]]))
        loops += ["0"] * (3 - len(loops))
        places = [str(self.choices.choose((0, 0, 1, 2))) for _ in range(3)]
        number = statement.name[1:]
        mixed = [each for pair in zip(places, loops, strict=True) for each in pair]
        return f"{statement} -> [{', '.join([*mixed, number])}]"

    # Pairs

    def _in_order(self, pairs: isl.UnionMap) -> isl.UnionMap:
        kept = self._in_domain(pairs)
        return kept.lex_lt_at_multi_union_pw_aff(self.times)

    def _in_domain(self, pairs: isl.UnionMap) -> isl.UnionMap:
        return pairs.intersect_domain(self.domain).intersect_range(self.domain)

    def _few_pairs(self) -> isl.UnionMap:
        number = self.choices.integer(0, 1 + len(self.statements))
        return joined(self._pairs() for _ in range(number))

    def _pairs(self) -> isl.UnionMap:
        source, sink = (self.choices.choose(self.statements) for _ in range(2))
        if self.choices.chance(50):
            return self._shift(source, sink)
        rank = self.choices.choose((1, 2, 1, 0))
        first, second = (self._reference(each, "A", rank) for each in (source, sink))
        parts = [each.by_element(self.parameters) for each in (first, second)]
        return _untagged(parts[0].apply_range(parts[1].reverse()))

    def _shift(self, source: Statement, sink: Statement) -> isl.UnionMap:
        distances = (0, 1, 1, -1, 2, -2, 0)
        ends = [
            f"{dim} + {self.choices.choose(distances)}" if source.dims else dim
            for dim in source.dims[: len(sink.dims)]
        ]
        ends += [f"p{at}" for at in range(len(ends), len(sink.dims))]
        return isl.UnionMap(self._text(f"{source} -> {sink.name}[{', '.join(ends)}]"))

    def _near(self, validity: isl.UnionMap) -> isl.UnionMap:
        """Pairs that should be close: all that are ordered, or only some, or others, too."""
        form = self.choices.choose((0, 0, 0, 1, 2, 3))
        if form == 0:
            return validity
        if form == 1:
            return validity.union(self._in_domain(self._few_pairs()))
        if form == 2:
            return validity.intersect(self._few_pairs())
        return joined([])

    # Live ranges

    def _reference(self, statement: Statement, array: str, rank: int) -> Reference:
        subscripts = tuple(self._subscript(statement) for _ in range(rank))
        tag = f"R{len(self.references)}"
        self.references.append(Reference(statement, array, subscripts, tag))
        return self.references[-1]

    def _subscript(self, statement: Statement) -> str:
        if not statement.dims:
            return str(self.choices.integer(0, 2))
        dim, other = (self.choices.choose(statement.dims) for _ in range(2))
        forms = [
            dim,
            dim,
            f"{dim} + 1",
            f"{dim} - 1",
            f"{dim} + {other}",
            "0",
            f"2{dim}",
            f"-{dim}",
        ]
        forms += [f"{self.parameters[0]} - {dim}"] if self.parameters else []
        return self.choices.choose(forms)

    def _live_ranges(self) -> tuple[isl.UnionMap, isl.UnionMap]:
        """Flow from writes to reads, and what keeps apart the uses of an element, all tagged."""
        flow: list[isl.UnionMap] = []
        order: list[isl.UnionMap] = []
        for array in ("B", "C")[: self.choices.choose((1, 1, 2))]:
            rank = self.choices.choose((0, 1, 1, 2))
            writes, reads = (
                joined(
                    self._reference(self.choices.choose(self.statements), array, rank).by_element(
                        self.parameters
                    )
                    for _ in range(self.choices.choose((1, 1, 2)))
                )
                for _ in range(2)
            )
            flow.append(self._flow(writes, reads))
            order.append(self._tagged_in_order(reads.apply_range(writes.reverse())))
            if self.choices.chance(25):
                order.append(self._tagged_in_order(writes.apply_range(writes.reverse())))
        return joined(flow), joined(order)

    def _flow(self, writes: isl.UnionMap, reads: isl.UnionMap) -> isl.UnionMap:
        """From the last write, or from all."""
        pairs = self._tagged_in_order(writes.apply_range(reads.reverse()))
        if self.choices.chance(30):
            return pairs
        times = isl.UnionMap.from_multi_union_pw_aff(self._tagged_times(pairs))
        accesses = isl.UnionAccessInfo.from_sink(reads.intersect_domain(times.domain()))
        accesses = accesses.set_must_source(writes.intersect_domain(times.domain()))
        return accesses.set_schedule_map(times).compute_flow().get_must_dependence()

    def _tagged_in_order(self, pairs: isl.UnionMap) -> isl.UnionMap:
        times = self._tagged_times(pairs)
        inside = pairs.intersect_domain(times.domain()).intersect_range(times.domain())
        return inside.lex_lt_at_multi_union_pw_aff(times)

    def _tagged_times(self, pairs: isl.UnionMap) -> isl.MultiUnionPwAff:
        ends = pairs.domain().union(pairs.range()).unwrap()
        times = self.times.intersect_domain(self.domain)
        return times.pullback_union_pw_multi_aff(ends.domain_map_union_pw_multi_aff())


def _untagged(pairs: isl.UnionMap) -> isl.UnionMap:
    return pairs.factor_domain()
