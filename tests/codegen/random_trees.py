"""Random schedules: trees of all node types, and bare maps, with random options.

Every decision is drawn from :class:`~tests.execution.choices.Choices`: Hypothesis, a seeded
generator and a list of replayed decisions make the same kinds of schedules.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import islpy as isl
from hypothesis import strategies as st

from loopwright.codegen.options import AstOptions, LoopType
from tests.execution.choices import Choices, DrawnChoices, ReplayedChoices

from .random_sets import (
    PARAMETER_NAMES,
    Statement,
    condition,
    conjunction,
    domain_conditions,
    quasi_affine,
    tuple_text,
    with_parameters,
)

LOOP_TYPES = (LoopType.DEFAULT, LoopType.ATOMIC, LoopType.SEPARATE, LoopType.UNROLL)
FLAGS = (
    "exploit_nested_bounds",
    "atomic_upper_bound",
    "detect_min_max",
    "allow_else",
    "allow_or",
    "prefer_remainder",
    "scale_strides",
    "merge_isolated_rest",
    "lazy",
)
"""Options that are on unless somebody turns them off."""

LOWEST, HIGHEST = -2, 6
"""The values of parameters."""

MOST_NODES = 7
DEEPEST = 4


@dataclass(slots=True)
class SeededChoices(Choices):
    """Decisions from a generator of random numbers, kept so that they can be replayed."""

    generator: random.Random
    made: list[int] = field(default_factory=list)

    def integer(self, low: int, high: int) -> int:
        """The next one."""
        number = self.generator.randint(low, high)
        self.made.append(number - low)
        return number


@dataclass(frozen=True, slots=True)
class Case:
    """A random input of the generator, and the parameters for which its output is run."""

    text: str
    is_map: bool
    context: str
    options: tuple[tuple[str, object], ...]
    values: tuple[tuple[tuple[str, int], ...], ...]
    decisions: tuple[int, ...] = ()

    def schedule(self) -> isl.Schedule | isl.UnionMap:
        """As isl reads it; an error of isl if it is not well-formed after all."""
        return isl.UnionMap(self.text) if self.is_map else isl.Schedule(self.text)

    def context_set(self) -> isl.Set:
        """What is known about the parameters."""
        return isl.Set(self.context)

    def ast_options(self) -> AstOptions:
        """The options as our generator takes them."""
        given = dict(self.options)
        if "isolate" in given:
            given["isolate"] = isl.Set(str(given["isolate"]))
        return AstOptions(**given)  # pyright: ignore[reportArgumentType]

    def parameters(self) -> list[dict[str, int]]:
        """For which parameters it is run."""
        return [dict(each) for each in self.values]

    def __str__(self) -> str:
        """As a program that shows the problem."""
        kind = "UnionMap" if self.is_map else "Schedule"
        text = self.text if self.is_map else str(self.schedule())
        options = ", ".join(f"{name}={_shown(value)}" for name, value in self.options)
        return (
            f"schedule = isl.{kind}({text!r})\ncontext = isl.Set({self.context!r})\n"
            f"options = AstOptions({options})\nvalues = {self.parameters()}"
        )


def _shown(value: object) -> str:
    if isinstance(value, LoopType):
        return str(value)
    if isinstance(value, tuple):
        return f"({''.join(f'{_shown(each)}, ' for each in value)})"
    return f"isl.Set({value!r})" if isinstance(value, str) and "{" in value else repr(value)


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where in a tree we are: what is active, at which values of the bands around."""

    statements: tuple[Statement, ...]
    parameters: tuple[str, ...]
    prefix: isl.UnionMap
    """``instance -> [values of the bands around]``, for what is active."""
    depth: int

    def outer(self) -> tuple[str, ...]:
        """Names for the values of the bands around."""
        return tuple(f"o{position}" for position in range(self.depth))

    def text(self, content: str) -> str:
        """A set or map with all parameters."""
        return with_parameters(self.parameters, content)


Tree = dict[str, object]


@dataclass(slots=True)
class TreeMaker:
    """One random tree on its way."""

    choices: Choices
    nodes: int = 0
    names: int = 0
    ranges: dict[str, int] = field(default_factory=dict)
    """The parameters that context nodes introduce are below these."""

    def subtree(self, place: Place) -> Tree | None:
        """What hangs below a node; nothing is a leaf."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            return None
        kinds = {
            self.band: 40 if place.depth < DEEPEST else 0,
            self.order: 20,
            self.mark: 5,
            self.filter: 4,
            self.guard: 5,
            self.context: 5,
            self.extension: 8,
            self.expansion: 6,
        }
        if self.choices.chance(92 if place.depth == 0 else 70):
            number = self.choices.integer(0, sum(kinds.values()) - 1)
            for make, weight in kinds.items():
                if number < weight:
                    return make(place)
                number -= weight
        return None

    def _fresh(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def _above(self, tree: Tree, place: Place) -> Tree:
        child = self.subtree(place)
        return tree if child is None else {**tree, "child": child}

    def band(self, place: Place) -> Tree:
        """Members of all kinds, options included."""
        size = min(self.choices.choose((1, 1, 2, 2, 3)), DEEPEST - place.depth)
        members: list[str] = []
        for _ in range(size):
            parts = [self._timed(each, place) for each in place.statements]
            members.append(f"{{ {'; '.join(parts)} }}")
        schedule = f"[{', '.join(members)}]"
        if place.parameters:
            schedule = f"[{', '.join(place.parameters)}] -> {schedule}"
        partial = isl.UnionMap.from_multi_union_pw_aff(isl.MultiUnionPwAff(schedule))
        tree: Tree = {"schedule": schedule}
        if self.choices.chance(15):
            tree |= {"permutable": 1, "coincident": [self.choices.integer(0, 1) for _ in members]}
        options = self.band_options(place, size)
        if options:
            tree["options"] = options
        inside = replace(
            place,
            prefix=place.prefix.flat_range_product(partial),
            depth=place.depth + size,
        )
        return self._above(tree, inside)

    def _timed(self, statement: Statement, place: Place) -> str:
        choices, names = self.choices, (*statement.dims, *place.parameters)
        source = str(statement)
        first = quasi_affine(choices, statement.dims, place.parameters)
        if not statement.dims or not choices.chance(12):
            return f"{source} -> [({first})]"
        split = condition(choices, statement.dims, names, is_splitting=True)
        second = quasi_affine(choices, statement.dims, place.parameters)
        return f"{source} -> [({first})] : {split}; {source} -> [({second})] : not ({split})"

    def band_options(self, place: Place, size: int) -> str:
        """Loop types, and perhaps an isolated part."""
        choices = self.choices
        parts = [
            f"{kind}[{position}]"
            for position in range(size)
            if (kind := self._loop_type(place).value) != "default"
        ]
        if choices.chance(15):
            band = tuple(f"b{position}" for position in range(size))
            known = (*place.outer(), *place.parameters)
            part = conjunction(choices, band, (*band, *known))
            space = f"isolate[{tuple_text('', place.outer())} -> {tuple_text('', band)}]"
            parts.append(f"{space} : {part}")
            parts += [
                f"[isolate[] -> {kind}[{position}]]"
                for position in range(size)
                if (kind := self._loop_type(place).value) != "default"
            ]
        return place.text("; ".join(parts)) if parts else ""

    def _loop_type(self, place: Place) -> LoopType:
        if not self.choices.chance(30):
            return LoopType.DEFAULT
        # A loop to a parameter cannot be unrolled; a few of these are there to be rejected.
        can_unroll = not place.parameters or self.choices.chance(10)
        return self.choices.choose(LOOP_TYPES[1:] if can_unroll else LOOP_TYPES[1:-1])

    def order(self, place: Place) -> Tree:
        """A sequence or a set: statements in groups, or one statement cut into two."""
        choices = self.choices
        kind = choices.choose(("sequence", "sequence", "set"))
        groups: list[list[tuple[Statement, str]]] = [[], []]
        if len(place.statements) > 2 and choices.chance(50):
            groups.append([])
        for position, statement in enumerate(place.statements):
            if statement.dims and choices.chance(40 if len(place.statements) == 1 else 12):
                names = (*statement.dims, *place.parameters)
                split = condition(choices, statement.dims, names, is_splitting=True)
                groups[0].append((statement, split))
                groups[1].append((statement, f"not ({split})"))
            else:
                number = (position + choices.integer(0, len(groups) - 1)) % len(groups)
                groups[number].append((statement, "true"))
        children = [self._filtered(place, group) for group in groups if group]
        return {kind: children}

    def _filtered(self, place: Place, group: Sequence[tuple[Statement, str]]) -> Tree:
        text = place.text("; ".join(f"{statement} : {part}" for statement, part in group))
        inside = replace(
            place,
            statements=tuple(statement for statement, _ in group),
            prefix=place.prefix.intersect_domain(isl.UnionSet(text)),
        )
        return self._above({"filter": text}, inside)

    def filter(self, place: Place) -> Tree:
        """Some instances only."""
        group: list[tuple[Statement, str]] = []
        for statement in place.statements:
            names = (*statement.dims, *place.parameters)
            part = condition(self.choices, names, names) if names else "true"
            group.append((statement, part if self.choices.chance(70) else "true"))
        return self._filtered(place, group)

    def mark(self, place: Place) -> Tree | None:
        """A name; isl reads no mark above a leaf."""
        name, child = self._fresh("mark"), self.subtree(place)
        return None if child is None else {"mark": name, "child": child}

    def guard(self, place: Place) -> Tree | None:
        """A condition on parameters and the bands around."""
        names = (*place.outer(), *place.parameters)
        if not names:
            return self.mark(place)
        part = condition(self.choices, names, names)
        text = place.text(f"{tuple_text('', place.outer())} : {part}")
        inside = place.prefix.intersect_range(isl.UnionSet(text))
        return self._above({"guard": text}, replace(place, prefix=inside))

    def context(self, place: Place) -> Tree:
        """A new parameter, like the number of a block, and what it selects."""
        name = self._fresh("P")
        size = self.choices.integer(2, 4)
        self.ranges[name] = size
        inside = replace(place, parameters=(*place.parameters, name))
        text = inside.text(f"{tuple_text('', place.outer())} : 0 <= {name} < {size}")
        group: list[tuple[Statement, str]] = []
        for statement in place.statements:
            selected = "true"
            if statement.dims and self.choices.chance(80):
                dim = self.choices.choose(statement.dims)
                forms = (
                    f"({dim}) mod {size} = {name}",
                    f"{dim} = {name}",
                    f"{dim} >= {name}",
                    f"exists (e : {dim} = {size}e + {name})",
                    f"{size}{name} <= {dim} < {size}{name} + {size}",
                )
                selected = self.choices.choose(forms)
            group.append((statement, selected))
        return {"context": text, "child": self._filtered(inside, group)}

    def extension(self, place: Place) -> Tree:
        """More statements, for values of the bands around that are there."""
        outer = place.outer()
        # Extensions inside extensions multiply: ten thousands of instances take seconds to count.
        is_inside = any(each.name.startswith("E") for each in place.statements)
        dims = ("x", "y")[: self.choices.integer(0, 1 if is_inside else 2)]
        added = Statement(self._fresh("E"), dims)
        parts = domain_conditions(self.choices, dims, (*outer, *place.parameters))
        relation = place.text(f"{tuple_text('', outer)} -> {added} : {parts}")
        extension = isl.UnionMap(relation).intersect_domain(place.prefix.range())
        inside = replace(
            place,
            statements=(*place.statements, added),
            prefix=place.prefix.union(extension.reverse()),
        )
        return self._above({"extension": str(extension)}, inside)

    def expansion(self, place: Place) -> Tree:
        """A statement that stands for several others."""
        chosen = self.choices.integer(0, len(place.statements) - 1)
        contractions: list[str] = []
        expansions: list[str] = []
        inside: list[Statement] = []
        for position, statement in enumerate(place.statements):
            new, part = statement, "true"
            if position == chosen:
                new = Statement(self._fresh("X"), (*statement.dims, "z"))
                part = self.choices.choose(
                    ("0 <= z <= 2", "1 <= z <= 4 and z mod 2 = 0", *_expanding(statement))
                )
            inside.append(new)
            contractions.append(f"{new} -> {statement}")
            expansions.append(f"{statement} -> {new} : {part}")
        expansion = place.text("; ".join(expansions))
        tree: Tree = {
            "contraction": place.text("; ".join(contractions)),
            "expansion": expansion,
        }
        prefix = place.prefix.apply_domain(isl.UnionMap(expansion))
        return self._above(tree, replace(place, statements=tuple(inside), prefix=prefix))


def _expanding(statement: Statement) -> tuple[str, ...]:
    if not statement.dims:
        return ()
    return (f"0 <= z <= {statement.dims[0]} and z <= 3",)


# --- whole cases --------------------------------------------------------------------------------


def made_case(choices: Choices) -> Case:
    """A case from decisions."""
    parameters = PARAMETER_NAMES[: choices.choose((0, 1, 1, 2))]
    statements = tuple(_statement(choices, k) for k in range(choices.choose((1, 1, 2, 2, 3, 4))))
    context = _context_text(choices, parameters)
    if choices.chance(25):
        text, isolate_size = _map_text(choices, statements, parameters)
        options = _options(choices) + _map_options(choices, parameters, isolate_size)
        values = _values(choices, parameters, context, {})
        return Case(text, True, context, options, values)
    parts = [f"{each} : {domain_conditions(choices, each.dims, parameters)}" for each in statements]
    domain = with_parameters(parameters, "; ".join(parts))
    universe = isl.UnionSet(domain)
    prefix = isl.UnionMap.from_domain_and_range(universe, isl.UnionSet("{ [] }"))
    maker = TreeMaker(choices)
    tree: Tree = {"domain": domain}
    child = maker.subtree(Place(statements, parameters, prefix, 0))
    if child is not None:
        tree["child"] = child
    options = _options(choices)
    values = _values(choices, parameters, context, maker.ranges)
    return Case(json.dumps(tree), False, context, options, values)


def _statement(choices: Choices, position: int) -> Statement:
    names = ("i", "j", "k")
    return Statement(f"S{position}", names[: choices.choose((1, 2, 1, 2, 0, 3))])


def _context_text(choices: Choices, parameters: tuple[str, ...]) -> str:
    if not parameters or not choices.chance(50):
        return with_parameters(parameters, ":")
    first, last = parameters[0], parameters[-1]
    forms = (f"{first} >= 1", f"0 <= {last} <= 5", f"{last} mod 2 = 0", f"{first} >= {last}")
    return with_parameters(parameters, f": {choices.choose(forms)}")


def _values(
    choices: Choices, parameters: tuple[str, ...], context: str, ranges: dict[str, int]
) -> tuple[tuple[tuple[str, int], ...], ...]:
    """Values of all parameters, within the context."""
    if not parameters and not ranges:
        return ((),)
    box = " and ".join(f"{LOWEST} <= {name} <= {HIGHEST}" for name in parameters)
    allowed: list[tuple[int, ...]] = []
    dims = len(parameters)
    wanted = isl.Set(context).intersect_params(
        isl.Set(with_parameters(parameters, f": {box or 'true'}"))
    )
    wanted = wanted.move_dims(isl.dim_type.set, 0, isl.dim_type.param, 0, dims) if dims else wanted
    if dims:
        wanted.foreach_point(
            lambda point: allowed.append(
                tuple(
                    point.get_coordinate_val(isl.dim_type.set, k).to_python() for k in range(dims)
                )
            )
        )
    allowed = sorted(allowed or [()], reverse=True)
    found: list[tuple[tuple[str, int], ...]] = []
    for _ in range(3):
        point = choices.choose(allowed)
        inner = tuple((name, choices.integer(0, size - 1)) for name, size in ranges.items())
        found.append((*zip(parameters, point, strict=True), *inner))
    return tuple(dict.fromkeys(found))


def _map_text(
    choices: Choices, statements: Sequence[Statement], parameters: tuple[str, ...]
) -> tuple[str, int]:
    """A schedule map, which may give an instance several times, or several instances one."""
    size = choices.choose((1, 2, 3))
    parts: list[str] = []
    for statement in statements:
        where = domain_conditions(choices, statement.dims, parameters)
        split = "true"
        if statement.dims and choices.chance(20):
            names = (*statement.dims, *parameters)
            split = condition(choices, statement.dims, names, is_splitting=True)
            times, also = _times(choices, statement, parameters, size)
            parts.append(f"{statement} -> {times} : ({where}) and not ({split}){also}")
        times, also = _times(choices, statement, parameters, size)
        parts.append(f"{statement} -> {times} : ({where}) and ({split}){also}")
    return with_parameters(parameters, "; ".join(parts)), size


def _times(
    choices: Choices, statement: Statement, parameters: tuple[str, ...], size: int
) -> tuple[str, str]:
    times: list[str] = []
    conditions = ""
    for position in range(size):
        if choices.chance(10):
            name = f"t{position}"
            times.append(name)
            first = quasi_affine(choices, statement.dims, ())
            conditions += f" and {first} <= {name} <= {first} + {choices.integer(1, 3)}"
        else:
            times.append(quasi_affine(choices, statement.dims, parameters))
    return f"[{', '.join(times)}]", conditions


def _options(choices: Choices) -> tuple[tuple[str, object], ...]:
    given: list[tuple[str, object]] = []
    if choices.chance(50):
        given += [(flag, False) for flag in FLAGS if choices.chance(20)]
        given += [("exact_projection", True)] * choices.chance(20)
        given += [("iterators", ("t", "u"))] * choices.chance(10)
    if choices.chance(15):
        given.append(("loop_type", choices.choose((LoopType.ATOMIC, LoopType.SEPARATE))))
    return tuple(given)


def _map_options(
    choices: Choices, parameters: tuple[str, ...], size: int
) -> tuple[tuple[str, object], ...]:
    given: list[tuple[str, object]] = []
    types = LOOP_TYPES[:-1] if parameters else LOOP_TYPES
    if choices.chance(30):
        given.append(("loop_types", tuple(choices.choose(types) for _ in range(size))))
    if choices.chance(15):
        band = tuple(f"b{position}" for position in range(size))
        part = conjunction(choices, band, (*band, *parameters))
        given.append(("isolate", with_parameters(parameters, f"{tuple_text('', band)} : {part}")))
        if choices.chance(50):
            kinds = tuple(choices.choose(types) for _ in range(size))
            given.append(("isolated_loop_types", kinds))
    return tuple(given)


def seeded_case(seed: int) -> Case:
    """The case of a seed.

    >>> print(seeded_case(3) == seeded_case(3))
    True
    """
    choices = SeededChoices(random.Random(seed))
    return replace(made_case(choices), decisions=tuple(choices.made))


def replayed_case(decisions: Sequence[int]) -> Case:
    """The case that these decisions make."""
    return replace(made_case(ReplayedChoices(decisions)), decisions=tuple(decisions))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Cases as Hypothesis draws them."""
    choices = DrawnChoices(draw)
    return replace(made_case(choices), decisions=tuple(choices.made))
